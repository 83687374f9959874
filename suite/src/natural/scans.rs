//! Prefixes of rows, columns and arrays.

use lift::{Device, prelude::*};

use super::work::{Program, Work, chunks, flat, ours, rows, strips};
use crate::input::{signed, uniform};

lift!(
    /// The sums of all pixels above and left of each.
    #[kernel]
    pub fn IntegralImage<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.map(scan(add, 0.0)).transpose().map(scan(add, 0.0)).transpose()
    }

    /// The last two parts of a row are what is above and on the right of it after elimination.
    fn eliminate(above: (f32, f32, f32, f32), row: (f32, f32, f32, f32)) -> (f32, f32, f32, f32) {
        let (lower, diagonal, upper, right) = row;
        let m = 1.0 / (diagonal - lower * above.2);
        (lower, diagonal, upper * m, (right - lower * above.3) * m)
    }

    fn substitute(below: (f32, f32, f32, f32), row: (f32, f32, f32, f32)) -> (f32, f32, f32, f32) {
        (row.0, row.1, row.2, row.3 - row.2 * below.3)
    }

    /// Tridiagonal systems, by the algorithm of Thomas.
    #[kernel]
    pub fn Tridiagonal<N, M>(
        lower: [[f32; M]; N],
        diagonal: [[f32; M]; N],
        upper: [[f32; M]; N],
        right: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        zip(lower, diagonal, upper, right).map(|(a, b, c, d)| {
            zip(a, b, c, d)
                .scan_seq(eliminate, (0.0, 0.0, 0.0, 0.0))
                .reverse()
                .scan_seq(substitute, (0.0, 0.0, 0.0, 0.0))
                .reverse()
                .map(|row| row.3)
        })
    }

    /// The decayed sum of all that is to the right.
    #[kernel]
    pub fn FromTheRight<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.map(|row| row.reverse().scan_seq(|sum, x| 0.9 * sum + x, 0.0).reverse())
    }

    /// Each element and the decayed sum of all before it.
    #[kernel]
    pub fn WithItsPrefix<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.map(|row| zip(row, row.scan_seq(|sum, x| 0.9 * sum + x, 0.0)).map(add))
    }

    /// All prefixes of one array.
    #[kernel]
    pub fn PrefixSum<N>(xs: [f32; N]) -> [f32; N] {
        xs.scan(add, 0.0)
    }

    /// The largest of all above, in each column.
    #[kernel]
    pub fn HighestAbove<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.transpose().map(scan(max, f32::NEG_INFINITY)).transpose()
    }
);

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "integral image",
        sizes: &[2048, 2048],
        small: &[&[1, 1], &[37, 53]],
        make: integral_image,
    },
    Program { name: "tridiagonal", sizes: &[256, 256], small: &[&[1, 1], &[7, 41]], make: tridiagonal },
    Program {
        name: "from the right",
        sizes: &[1024, 1024],
        small: &[&[1, 1], &[7, 41]],
        make: from_the_right,
    },
    Program {
        name: "with its prefix",
        sizes: &[1024, 1024],
        small: &[&[1, 1], &[7, 41]],
        make: with_its_prefix,
    },
    Program { name: "prefix sum", sizes: &[1 << 22], small: &[&[1], &[5003]], make: prefix_sum },
    Program {
        name: "highest above",
        sizes: &[2048, 2048],
        small: &[&[1, 1], &[41, 67]],
        make: highest_above,
    },
];

fn integral_image(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let image = uniform(1, 0.0..1.0, (sizes[0], sizes[1]));
    let (width, x) = (sizes[1], device.upload(&image)?);
    let image = flat(image);
    let ours = ours!(device, IntegralImage(&x) -> y);
    Ok(Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        rows(threads, out, width, |y, out| {
            let mut sum = 0.0;
            for (out, x) in out.iter_mut().zip(&image[y * width..]) {
                sum += x;
                *out = sum;
            }
        });
        strips(threads, out, width, |_, rows| {
            for y in 1..rows.len() {
                let (above, below) = rows.split_at_mut(y);
                for (out, above) in below[0].iter_mut().zip(&*above[y - 1]) {
                    *out += above;
                }
            }
        });
    }))
}

fn tridiagonal(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let shape = (sizes[0], sizes[1]);
    let (a, c, d) = (signed(1, shape), signed(2, shape), signed(3, shape));
    let b = uniform(4, 3.0..4.0, shape);
    let (on_a, on_b, on_c, on_d) =
        (device.upload(&a)?, device.upload(&b)?, device.upload(&c)?, device.upload(&d)?);
    let (a, b, c, d) = (flat(a), flat(b), flat(c), flat(d));
    let ours = ours!(device, Tridiagonal(&on_a, &on_b, &on_c, &on_d) -> x);
    Ok(Work::of_rows(ours, vec![0.0_f32; a.len()], sizes[1], move |y, out| {
        let at = y * out.len()..(y + 1) * out.len();
        let (a, b, c, d) = (&a[at.clone()], &b[at.clone()], &c[at.clone()], &d[at]);
        let mut uppers = vec![0.0; out.len()];
        let (mut upper, mut right) = (0.0, 0.0);
        for i in 0..out.len() {
            let m = 1.0 / (b[i] - a[i] * upper);
            (upper, right) = (c[i] * m, (d[i] - a[i] * right) * m);
            (uppers[i], out[i]) = (upper, right);
        }
        for i in (0..out.len() - 1).rev() {
            out[i] -= uppers[i] * out[i + 1];
        }
    }))
}

fn from_the_right(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let x = device.upload(&data)?;
    let ours = ours!(device, FromTheRight(&x) -> y);
    Ok(Work::of_rows(ours, vec![0.0_f32; data.len()], sizes[1], move |y, out| {
        let mut sum = 0.0;
        for (out, x) in out.iter_mut().zip(data.row(y)).rev() {
            sum = 0.9 * sum + x;
            *out = sum;
        }
    }))
}

fn with_its_prefix(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let x = device.upload(&data)?;
    let ours = ours!(device, WithItsPrefix(&x) -> y);
    Ok(Work::of_rows(ours, vec![0.0_f32; data.len()], sizes[1], move |y, out| {
        let mut sum = 0.0;
        for (out, x) in out.iter_mut().zip(data.row(y)) {
            sum = 0.9 * sum + x;
            *out = x + sum;
        }
    }))
}

fn prefix_sum(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = uniform(1, 0.0..1.0, sizes[0]);
    let x = device.upload(&data)?;
    let ours = ours!(device, PrefixSum(&x) -> y);
    let data = data.to_vec();
    Ok(Work::new(ours, vec![0.0_f32; data.len()], move |threads, out| {
        let each = data.len().div_ceil(threads);
        chunks(threads, out, each, |part, out| {
            let mut sum = 0.0;
            for (out, x) in out.iter_mut().zip(&data[part * each..]) {
                sum += x;
                *out = sum;
            }
        });
        let (mut before, mut starts) = (0.0, Vec::new());
        for chunk in out.chunks(each) {
            starts.push(before);
            before += chunk[chunk.len() - 1];
        }
        if threads > 1 {
            chunks(threads, out, each, |part, out| out.iter_mut().for_each(|out| *out += starts[part]));
        }
    }))
}

fn highest_above(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let (width, x) = (sizes[1], device.upload(&data)?);
    let ours = ours!(device, HighestAbove(&x) -> y);
    Ok(Work::new(ours, vec![0.0_f32; data.len()], move |threads, out| {
        strips(threads, out, width, |first, rows| {
            let mut highest = vec![f32::NEG_INFINITY; rows[0].len()];
            for (row, out) in data.outer_iter().zip(rows) {
                let row = &row.to_slice().expect("rows lie in one piece")[first..];
                for ((out, x), highest) in out.iter_mut().zip(row).zip(&mut highest) {
                    *highest = x.max(*highest);
                    *out = *highest;
                }
            }
        });
    }))
}
