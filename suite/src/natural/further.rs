//! Programs of many kinds, which no list had: rows, pictures in colours, blocks, sparse rows, windows.

use lift::ndarray::Array3;
use lift::{Device, prelude::*};

use super::work::{Program, Work, flat, ours, rows};
use crate::input::{signed, uniform};

lift!(
    fn sum<K>(xs: [f32; K]) -> f32 {
        xs.reduce(add, 0.0)
    }

    fn dot<K>(a: [f32; K], b: [f32; K]) -> f32 {
        zip(a, b).map(mul).reduce(add, 0.0)
    }

    fn grey(p: [u8; 3]) -> f32 {
        0.299 * p[0] as f32 + 0.587 * p[1] as f32 + 0.114 * p[2] as f32
    }

    fn magnitude(w: [[f32; 3]; 3]) -> f32 {
        let x = w[0][2] - w[0][0] + 2.0 * (w[1][2] - w[1][0]) + w[2][2] - w[2][0];
        let y = w[2][0] - w[0][0] + 2.0 * (w[2][1] - w[0][1]) + w[2][2] - w[0][2];
        (x * x + y * y).sqrt()
    }

    /// Each row divided by the root of its mean square, times a gain.
    #[kernel]
    pub fn RmsNorm<N, M>(rows: [[f32; M]; N], gain: [f32; M]) -> [[f32; M]; N] {
        rows.map(|row| {
            let scale = (sum(row.map(|x| x * x)) / M as f32 + 0.00001).sqrt().recip();
            zip(row, gain).map(|(x, g)| x * scale * g)
        })
    }

    /// The logarithm of the sum of exponentials of each row.
    #[kernel]
    pub fn LogSumExp<N, M>(rows: [[f32; M]; N]) -> [f32; N] {
        rows.map(|row| {
            let top = row.reduce(max, f32::NEG_INFINITY);
            top + sum(row.map(|x| (x - top).exp())).ln()
        })
    }

    /// How alike the directions of all rows are.
    #[kernel]
    pub fn Cosines<N, M>(rows: [[f32; M]; N]) -> [[f32; N]; N] {
        rows.map(|a| rows.map(|b| dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt())))
    }

    /// How steep the grey of a picture in colours is.
    #[kernel]
    pub fn Sobel<N, M>(image: [[[u8; 3]; M]; N]) -> [[f32; M]; N] {
        image.map2d(grey).pad2d(1, 1, clamp).slide2d(3, 1).map2d(magnitude)
    }

    /// An activation that is a hyperbolic tangent.
    #[kernel]
    pub fn Gelu<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(|x| 0.5 * x * (1.0 + (0.7978846 * (x + 0.044715 * x * x * x)).tanh()))
    }

    /// Blocks of 8 by 8, times a matrix from both sides, as in JPEG.
    #[kernel]
    pub fn Transformed<N, M>(basis: [[f32; 8]; 8], image: [[f32; 8 * M]; 8 * N]) -> [[f32; 8 * M]; 8 * N] {
        let blocks = image.split(8).map(|rows| rows.map(split(8)).transpose());
        let done = blocks.map2d(|block| {
            let half = block.map(|row| basis.map(|b| dot(b, row)));
            basis.map(|b| half.transpose().map(|column| dot(b, column)))
        });
        done.map(|rows| rows.transpose().map(join)).join()
    }

    /// A sparse matrix, with as many elements in each row, times a vector.
    #[kernel]
    pub fn Sparse<N, K, M>(columns: [[usize; K]; N], values: [[f32; K]; N], x: [f32; M]) -> [f32; N] {
        zip(columns, values).map(|(at, v)| zip(gather(at, x), v).map(mul).reduce(add, 0.0))
    }

    /// The variance of the last 64 elements.
    #[kernel]
    pub fn RunningVariance<N>(xs: [f32; N + 63]) -> [f32; N] {
        xs.slide(64, 1).map(|w| {
            let mean = sum(w) / 64.0;
            sum(w.map(|x| (x - mean) * (x - mean))) / 64.0
        })
    }

    /// Every other point of a grid becomes the mean of its neighbours.
    #[kernel]
    pub fn RedBlack<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        let w = grid.pad2d(1, 1, clamp).slide2d(3, 1);
        array2d(N, M, |i, j| {
            if (i + j) % 2 == 0 {
                0.25 * (w[i][j][0][1] + w[i][j][1][0] + w[i][j][1][2] + w[i][j][2][1])
            } else {
                grid[i][j]
            }
        })
    }
);

pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "RMS norm", sizes: &[2048, 1024], small: &[&[1, 1], &[37, 53], &[5, 200]], make: rms },
    Program { name: "log-sum-exp", sizes: &[2048, 1024], small: &[&[1, 1], &[37, 53], &[5, 200]], make: lse },
    Program { name: "cosines", sizes: &[512, 256], small: &[&[1, 1], &[37, 53]], make: cosines },
    Program {
        name: "Sobel, colours",
        sizes: &[1024, 1024],
        small: &[&[1, 1], &[37, 53], &[5, 200]],
        make: sobel,
    },
    Program { name: "GELU", sizes: &[1 << 20], small: &[&[1], &[531]], make: gelu },
    Program { name: "blocks of JPEG", sizes: &[128, 128], small: &[&[1, 1], &[3, 5]], make: dct },
    Program { name: "sparse rows", sizes: &[65536, 16], small: &[&[1, 1], &[37, 5]], make: sparse },
    Program { name: "running variance", sizes: &[1 << 18], small: &[&[1], &[531]], make: running },
    Program {
        name: "red-black",
        sizes: &[1024, 1024],
        small: &[&[1, 1], &[37, 53], &[5, 200]],
        make: redblack,
    },
];

fn pixels(sizes: &[usize]) -> Array3<u8> {
    let a = uniform(1, 0.0..255.9, (sizes[0], sizes[1] * 3));
    Array3::from_shape_vec((sizes[0], sizes[1], 3), flat(a).into_iter().map(|x| x as u8).collect()).unwrap()
}
fn gray(p: &[u8]) -> f32 {
    0.299 * p[0] as f32 + 0.587 * p[1] as f32 + 0.114 * p[2] as f32
}

fn rms(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let g = signed(2, sizes[1]);
    let (width, x, gg) = (sizes[1], device.upload(&data)?, device.upload(&g)?);
    let ours = ours!(device, RmsNorm(&x, &gg) -> y);
    let (data, g) = (flat(data), g.to_vec());
    Ok(Work::of_rows(ours, vec![0.0_f32; data.len()], width, move |y, out| {
        let row = &data[y * width..][..width];
        let scale = 1.0 / (row.iter().map(|x| x * x).sum::<f32>() / width as f32 + 0.00001).sqrt();
        for ((out, x), g) in out.iter_mut().zip(row).zip(&g) {
            *out = x * scale * g;
        }
    }))
}

fn lse(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let (width, x) = (sizes[1], device.upload(&data)?);
    let ours = ours!(device, LogSumExp(&x) -> y);
    let data = flat(data);
    Ok(Work::of_rows(ours, vec![0.0_f32; sizes[0]], 1, move |y, out| {
        let row = &data[y * width..][..width];
        let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        out[0] = top + row.iter().map(|x| (x - top).exp()).sum::<f32>().ln();
    }))
}

fn cosines(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let (n, width, x) = (sizes[0], sizes[1], device.upload(&data)?);
    let ours = ours!(device, Cosines(&x) -> y);
    let data = flat(data);
    Ok(Work::new(ours, vec![0.0_f32; n * n], move |t, out| {
        let norms: Vec<f32> =
            data.chunks(width).map(|a| a.iter().map(|x| x * x).sum::<f32>().sqrt()).collect();
        rows(t, out, n, |y, out| {
            let a = &data[y * width..][..width];
            for (j, out) in out.iter_mut().enumerate() {
                *out =
                    a.iter().zip(&data[j * width..]).map(|(x, y)| x * y).sum::<f32>() / (norms[y] * norms[j]);
            }
        });
    }))
}

fn sobel(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = pixels(sizes);
    let (n, width, x) = (sizes[0], sizes[1], device.upload(&data)?);
    let ours = ours!(device, Sobel(&x) -> y);
    let data = flat(data);
    let mut g = vec![0.0f32; n * width];
    Ok(Work::new(ours, vec![0.0_f32; n * width], move |t, out| {
        rows(t, &mut g, width, |y, out| {
            for (out, p) in out.iter_mut().zip(data[y * width * 3..].chunks(3)) {
                *out = gray(p);
            }
        });
        let g = &g;
        rows(t, out, width, |y, out| {
            let row = |y: usize| &g[y * width..][..width];
            let (a, b, c) = (row(y.saturating_sub(1)), row(y), row((y + 1).min(n - 1)));
            for (j, out) in out.iter_mut().enumerate() {
                let (l, r) = (j.saturating_sub(1), (j + 1).min(width - 1));
                let gx = a[r] - a[l] + 2.0 * (b[r] - b[l]) + c[r] - c[l];
                let gy = c[l] - a[l] + 2.0 * (c[j] - a[j]) + c[r] - a[r];
                *out = (gx * gx + gy * gy).sqrt();
            }
        });
    })
    .within(1e-3))
}

fn gelu(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, sizes[0]);
    let x = device.upload(&data)?;
    let ours = ours!(device, Gelu(&x) -> y);
    let data = data.to_vec();
    Ok(Work::of_rows(
        ours,
        vec![0.0_f32; sizes[0]],
        if sizes[0].is_multiple_of(8) { sizes[0] / 8 } else { sizes[0] },
        move |y, out| {
            let w = out.len();
            for (out, x) in out.iter_mut().zip(&data[y * w..]) {
                *out = 0.5 * x * (1.0 + (0.7978846 * (x + 0.044715 * x * x * x)).tanh());
            }
        },
    ))
}

fn dct(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (8 * sizes[0], 8 * sizes[1]));
    let basis = signed(2, (8, 8));
    let (width, x, b) = (8 * sizes[1], device.upload(&data)?, device.upload(&basis)?);
    let ours = ours!(device, Transformed(&b, &x) -> y);
    let (data, basis) = (flat(data), flat(basis));
    Ok(Work::of_rows(ours, vec![0.0_f32; data.len()], width * 8, move |y, out| {
        for x in (0..width).step_by(8) {
            let times = |i: usize, k: usize| {
                let row = &data[(y * 8 + i) * width + x..][..8];
                basis[k * 8..][..8].iter().zip(row).map(|(b, x)| b * x).sum()
            };
            let half: [[f32; 8]; 8] = std::array::from_fn(|i| std::array::from_fn(|k| times(i, k)));
            for (k, weights) in basis.chunks_exact(8).enumerate() {
                for (j, out) in out[k * width + x..][..8].iter_mut().enumerate() {
                    *out = weights.iter().zip(&half).map(|(b, row)| b * row[j]).sum();
                }
            }
        }
    }))
}

fn sparse(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (n, k) = (sizes[0], sizes[1]);
    let v = signed(1, (n, k));
    let xs = signed(2, n);
    let c = uniform(3, 0.0..1.0, (n, k)).mapv(|x| (x * n as f32) as usize % n);
    let (dc, dv, dx) = (device.upload(&c)?, device.upload(&v)?, device.upload(&xs)?);
    let ours = ours!(device, Sparse(&dc, &dv, &dx) -> y);
    let (c, v, xs) = (flat(c), flat(v), xs.to_vec());
    Ok(Work::of_rows(ours, vec![0.0_f32; n], 1, move |y, out| {
        out[0] = c[y * k..][..k].iter().zip(&v[y * k..]).map(|(c, v)| v * xs[*c]).sum()
    }))
}

fn running(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, sizes[0] + 63);
    let x = device.upload(&data)?;
    let ours = ours!(device, RunningVariance(&x) -> y);
    let data = data.to_vec();
    Ok(Work::of_rows(ours, vec![0.0_f32; sizes[0]], 1, move |y, out| {
        let w = &data[y..y + 64];
        let mean = w.iter().sum::<f32>() / 64.0;
        out[0] = w.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / 64.0;
    }))
}

fn redblack(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, (sizes[0], sizes[1]));
    let (n, width, x) = (sizes[0], sizes[1], device.upload(&data)?);
    let ours = ours!(device, RedBlack(&x) -> y);
    let data = flat(data);
    Ok(Work::of_rows(ours, vec![0.0_f32; data.len()], width, move |y, out| {
        let row = |y: usize| &data[y * width..][..width];
        let (a, b, c) = (row(y.saturating_sub(1)), row(y), row((y + 1).min(n - 1)));
        for (j, out) in out.iter_mut().enumerate() {
            *out = if (y + j) % 2 == 0 {
                0.25 * (a[j] + b[j.saturating_sub(1)] + b[(j + 1).min(width - 1)] + c[j])
            } else {
                b[j]
            };
        }
    }))
}
