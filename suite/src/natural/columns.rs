//! Columns: what goes down them, and what is made of sums of both directions.

use lift::{Device, prelude::*};

use super::work::{Program, Work, flat, ours, rows, strips};
use crate::input::{signed, uniform};

lift!(
    fn sum<K>(xs: [f32; K]) -> f32 {
        xs.reduce(add, 0.0)
    }

    /// Exponential averages down the columns.
    #[kernel]
    pub fn SmoothedColumns<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.transpose().map(|column| column.scan_seq(|s, x| 0.9 * s + 0.1 * x, 0.0)).transpose()
    }

    /// The largest of all elements above and left of each.
    #[kernel]
    pub fn Dominance<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.map(scan(max, f32::NEG_INFINITY)).transpose().map(scan(max, f32::NEG_INFINITY)).transpose()
    }

    /// Each column with mean 0 and variance 1.
    #[kernel]
    pub fn Standardised<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.transpose()
            .map(|column| {
                let mean = sum(column) / N as f32;
                let scale =
                    (sum(column.map(|x| (x - mean) * (x - mean))) / N as f32 + 0.00001).sqrt().recip();
                column.map(|x| (x - mean) * scale)
            })
            .transpose()
    }

    /// Means of windows of 16 by 16, from sums of all pixels above and left.
    #[kernel]
    pub fn BoxFilter<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        let sums = image.map(scan(add, 0.0)).transpose().map(scan(add, 0.0)).transpose();
        array2d(N, M, |i, j| {
            let bottom = (i + 7).min(N - 1);
            let right = (j + 7).min(M - 1);
            let above = if i > 7 { sums[(i - 8).min(N - 1)][right] } else { 0.0 };
            let left = if j > 7 { sums[bottom][(j - 8).min(M - 1)] } else { 0.0 };
            let corner = if i > 7 && j > 7 { sums[(i - 8).min(N - 1)][(j - 8).min(M - 1)] } else { 0.0 };
            (sums[bottom][right] - above - left + corner) * 0.00390625
        })
    }
);

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "smoothed columns",
        sizes: &[2048, 2048],
        small: &[&[1, 1], &[37, 53], &[41, 300]],
        make: smoothed,
    },
    Program { name: "dominance", sizes: &[2048, 2048], small: &[&[1, 1], &[37, 53]], make: dominance },
    Program {
        name: "standardised",
        sizes: &[2048, 2048],
        small: &[&[1, 1], &[37, 53], &[5, 300]],
        make: standardised,
    },
    Program { name: "box filter", sizes: &[1024, 1024], small: &[&[1, 1], &[37, 53]], make: boxes },
];

fn smoothed(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let (width, x) = (sizes[1], device.upload(&data)?);
    let ours = ours!(device, SmoothedColumns(&x) -> y);
    let data = flat(data);
    Ok(Work::new(ours, vec![0.0_f32; data.len()], move |t, out| {
        strips(t, out, width, |first, rows| {
            let mut acc = vec![0.0f32; rows[0].len()];
            for (y, out) in rows.iter_mut().enumerate() {
                let row = &data[y * width + first..];
                for ((out, x), s) in out.iter_mut().zip(row).zip(&mut acc) {
                    *s = 0.9 * *s + 0.1 * x;
                    *out = *s;
                }
            }
        })
    }))
}

fn dominance(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let (width, x) = (sizes[1], device.upload(&data)?);
    let ours = ours!(device, Dominance(&x) -> y);
    let data = flat(data);
    Ok(Work::new(ours, vec![0.0_f32; data.len()], move |t, out| {
        rows(t, out, width, |y, out| {
            let mut m = f32::NEG_INFINITY;
            for (out, x) in out.iter_mut().zip(&data[y * width..]) {
                m = m.max(*x);
                *out = m;
            }
        });
        strips(t, out, width, |_, rows| {
            for y in 1..rows.len() {
                let (above, below) = rows.split_at_mut(y);
                for (out, above) in below[0].iter_mut().zip(&*above[y - 1]) {
                    *out = out.max(*above);
                }
            }
        });
    }))
}

fn standardised(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let (n, width, x) = (sizes[0], sizes[1], device.upload(&data)?);
    let ours = ours!(device, Standardised(&x) -> y);
    let data = flat(data);
    Ok(Work::new(ours, vec![0.0_f32; data.len()], move |t, out| {
        strips(t, out, width, |first, rows| {
            let w = rows[0].len();
            let mut mean = vec![0.0f32; w];
            let mut var = vec![0.0f32; w];
            for y in 0..n {
                for (m, x) in mean.iter_mut().zip(&data[y * width + first..]) {
                    *m += x;
                }
            }
            for m in &mut mean {
                *m /= n as f32;
            }
            for y in 0..n {
                for ((v, m), x) in var.iter_mut().zip(&mean).zip(&data[y * width + first..]) {
                    *v += (x - m) * (x - m);
                }
            }
            for v in &mut var {
                *v = 1.0 / (*v / n as f32 + 0.00001).sqrt();
            }
            for (y, out) in rows.iter_mut().enumerate() {
                for (((o, v), m), x) in out.iter_mut().zip(&var).zip(&mean).zip(&data[y * width + first..]) {
                    *o = (x - m) * v;
                }
            }
        })
    })
    .within(1e-3))
}

fn boxes(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = uniform(1, 0.0..1.0, (sizes[0], sizes[1]));
    let (n, width, x) = (sizes[0], sizes[1], device.upload(&data)?);
    let ours = ours!(device, BoxFilter(&x) -> y);
    let data = flat(data);
    let mut sums = vec![0.0f32; data.len()];
    Ok(Work::new(ours, vec![0.0_f32; data.len()], move |t, out| {
        rows(t, &mut sums, width, |y, out| {
            let mut m = 0.0;
            for (out, x) in out.iter_mut().zip(&data[y * width..]) {
                m += *x;
                *out = m;
            }
        });
        strips(t, &mut sums, width, |_, rows| {
            for y in 1..rows.len() {
                let (above, below) = rows.split_at_mut(y);
                for (out, above) in below[0].iter_mut().zip(&*above[y - 1]) {
                    *out += *above;
                }
            }
        });
        let sums = &sums;
        rows(t, out, width, |i, out| {
            for (j, out) in out.iter_mut().enumerate() {
                let (b, r) = ((i + 7).min(n - 1), (j + 7).min(width - 1));
                let above = if i > 7 { sums[(i - 8) * width + r] } else { 0.0 };
                let left = if j > 7 { sums[b * width + j - 8] } else { 0.0 };
                let corner = if i > 7 && j > 7 { sums[(i - 8) * width + j - 8] } else { 0.0 };
                *out = (sums[b * width + r] - above - left + corner) * 0.00390625;
            }
        });
    })
    .within(1e-3))
}
