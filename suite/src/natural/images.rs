//! Pictures: smoothed, sharpened, larger and smaller.

use lift::{Device, prelude::*};
use ndarray::Array2;

use super::work::{Padded, Program, Work, each, flat, ours, rows};
use crate::input::{Random, uniform};

lift!(
    const GAUSS: [[f32; 5]; 5] = [
        [0.00390625, 0.015625, 0.0234375, 0.015625, 0.00390625],
        [0.015625, 0.0625, 0.09375, 0.0625, 0.015625],
        [0.0234375, 0.09375, 0.140625, 0.09375, 0.0234375],
        [0.015625, 0.0625, 0.09375, 0.0625, 0.015625],
        [0.00390625, 0.015625, 0.0234375, 0.015625, 0.00390625],
    ];

    fn weighted(window: [[f32; 5]; 5]) -> f32 {
        zip(GAUSS.join(), window.join()).map(mul).reduce(add, 0.0)
    }

    fn blur<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.pad2d(2, 2, clamp).slide2d(5, 1).map2d(weighted)
    }

    fn edge(w: [[f32; 3]; 3]) -> f32 {
        let right = w[0][2] + 2.0 * w[1][2] + w[2][2] - w[0][0] - 2.0 * w[1][0] - w[2][0];
        let down = w[2][0] + 2.0 * w[2][1] + w[2][2] - w[0][0] - 2.0 * w[0][1] - w[0][2];
        (right * right + down * down).sqrt()
    }

    /// A row, smoothed by `2 R + 1` weights.
    fn smooth<M, R>(weights: [f32; 2 * R + 1], row: [f32; M]) -> [f32; M] {
        row.pad(R, R, clamp).slide(2 * R + 1, 1).map(|w| zip(w, weights).map(mul).reduce(add, 0.0))
    }

    /// Along rows, and then along columns.
    fn smooth2d<N, M, R>(weights: [f32; 2 * R + 1], image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.map(smooth(weights)).transpose().map(smooth(weights)).transpose()
    }

    /// An image whose brightest pixel is 1.
    #[kernel]
    pub fn Normalised<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        let top = image.join().reduce(max, f32::NEG_INFINITY);
        image.map2d(|x| x / top)
    }

    /// Where a smoothed image changes.
    #[kernel]
    pub fn BlurredEdges<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        blur(image).pad2d(1, 1, clamp).slide2d(3, 1).map2d(edge)
    }

    /// What is in an image smoothed a little, but not in one smoothed more.
    #[kernel]
    pub fn DifferenceOfGaussians<N, M>(
        fine: [f32; 5],
        coarse: [f32; 9],
        image: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        zip2d(smooth2d(fine, image), smooth2d(coarse, image)).map2d(sub)
    }

    /// More of what a smoothed image lacks.
    #[kernel]
    pub fn Unsharp<N, M>(amount: f32, image: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2d(image, blur(image)).map2d(|x, smooth| x + amount * (x - smooth))
    }

    /// Bright spots smaller than 7 by 7 pixels vanish.
    #[kernel]
    pub fn Opening<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        let eroded = image.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| w.join().reduce(min, f32::INFINITY));
        eroded.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| w.join().reduce(max, f32::NEG_INFINITY))
    }

    /// Half as many rows and columns, smoothed.
    #[kernel]
    pub fn PyramidDown<N, M>(image: [[f32; 2 * M]; 2 * N]) -> [[f32; M]; N] {
        image.pad2d(2, 1, 2, 1, clamp, clamp).slide2d(5, 2).map2d(weighted)
    }

    /// Twice as many rows and columns.
    #[kernel]
    pub fn Bilinear<N, M>(image: [[f32; M]; N]) -> [[f32; 2 * M]; 2 * N] {
        array2d(2 * N, 2 * M, |i, j| {
            let y = i / 2;
            let x = j / 2;
            let below = (y + 1).min(N - 1);
            let right = (x + 1).min(M - 1);
            let (v, u) = (0.5 * (i % 2) as f32, 0.5 * (j % 2) as f32);
            let upper = (1.0 - u) * image[y][x] + u * image[y][right];
            let lower = (1.0 - u) * image[below][x] + u * image[below][right];
            (1.0 - v) * upper + v * lower
        })
    }
);

const AWKWARD: &[&[usize]] = &[&[1, 1], &[41, 67]];

pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "normalise", sizes: &[2048, 2048], small: AWKWARD, make: normalise },
    Program { name: "blurred edges", sizes: &[1024, 1024], small: AWKWARD, make: blurred_edges },
    Program { name: "difference of Gaussians", sizes: &[1024, 1024], small: AWKWARD, make: difference },
    Program { name: "unsharp mask", sizes: &[1024, 1024], small: AWKWARD, make: unsharp },
    Program { name: "opening", sizes: &[512, 512], small: AWKWARD, make: opening },
    Program { name: "pyramid down", sizes: &[1024, 1024], small: &[&[1, 1], &[21, 33]], make: pyramid_down },
    Program { name: "bilinear", sizes: &[1024, 1024], small: AWKWARD, make: bilinear },
];

/// Whole numbers, so that differences of pixels are exact.
pub(super) fn photo(seed: u64, sizes: &[usize]) -> Array2<f32> {
    let mut random = Random::new(seed);
    Array2::from_shape_simple_fn((sizes[0], sizes[1]), || random.below(256) as f32)
}

fn normalise(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let image = uniform(1, 0.5..5.0, (sizes[0], sizes[1]));
    let x = device.upload(&image)?;
    let ours = ours!(device, Normalised(&x) -> y);
    let (image, width) = (flat(image), sizes[1]);
    Ok(Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        let tops = each(threads, image.len(), |range| image[range].iter().fold(0.0, |a: f32, b| a.max(*b)));
        let top = tops.into_iter().fold(0.0, f32::max);
        rows(threads, out, width, |y, out| {
            for (out, x) in out.iter_mut().zip(&image[y * width..]) {
                *out = x / top;
            }
        });
    }))
}

/// The same table as in the kernels.
const GAUSS: [[f32; 5]; 5] = {
    const LINE: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
    let mut table = [[0.0; 5]; 5];
    let mut k = 0;
    while k < 25 {
        table[k / 5][k % 5] = LINE[k / 5] * LINE[k % 5];
        k += 1;
    }
    table
};

fn weighted_loop(rows: &[&[f32]; 5], x: usize) -> f32 {
    let mut sum = 0.0;
    for (row, weights) in rows.iter().zip(&GAUSS) {
        for (x, weight) in row[x..x + 5].iter().zip(weights) {
            sum += x * weight;
        }
    }
    sum
}

fn edge_loop(w: &[&[f32]; 3], x: usize) -> f32 {
    let right = w[0][x + 2] + 2.0 * w[1][x + 2] + w[2][x + 2] - w[0][x] - 2.0 * w[1][x] - w[2][x];
    let down = w[2][x] + 2.0 * w[2][x + 1] + w[2][x + 2] - w[0][x] - 2.0 * w[0][x + 1] - w[0][x + 2];
    (right * right + down * down).sqrt()
}

fn blurred_edges(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (image, height, width) = (photo(1, sizes), sizes[0], sizes[1]);
    let x = device.upload(&image)?;
    let ours = ours!(device, BlurredEdges(&x) -> y);
    let image = flat(image);
    let (mut first, mut second) = (Padded::new(height, width, 2), Padded::new(height, width, 1));
    let mut blurred = image.clone();
    Ok(Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        first.windows(threads, &image, &mut blurred, weighted_loop);
        second.windows(threads, &blurred, out, edge_loop);
    }))
}

/// Along rows to `between`, along columns to `out`.
fn smooth_loop(
    threads: usize,
    weights: &[f32],
    image: &[f32],
    width: usize,
    [between, out]: [&mut [f32]; 2],
) {
    let (half, height) = (weights.len() / 2, image.len() / width);
    rows(threads, between, width, |y, out| {
        let row = &image[y * width..][..width];
        let clamped = |i: usize| i.saturating_sub(half).min(width - 1);
        for (x, out) in out.iter_mut().enumerate() {
            *out = weights.iter().enumerate().map(|(k, weight)| weight * row[clamped(x + k)]).sum();
        }
    });
    let between = &*between;
    rows(threads, out, width, |y, out| {
        out.fill(0.0);
        for (k, weight) in weights.iter().enumerate() {
            let row = &between[(y + k).saturating_sub(half).min(height - 1) * width..][..width];
            for (out, x) in out.iter_mut().zip(row) {
                *out += weight * x;
            }
        }
    });
}

fn difference(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (image, width) = (photo(1, sizes), sizes[1]);
    let fine = [0.0625_f32, 0.25, 0.375, 0.25, 0.0625];
    let coarse = [0.0039_f32, 0.03125, 0.1094, 0.2188, 0.2734, 0.2188, 0.1094, 0.03125, 0.0039];
    let (f, c, x) = (device.upload(&fine)?, device.upload(&coarse)?, device.upload(&image)?);
    let ours = ours!(device, DifferenceOfGaussians(&f, &c, &x) -> y);
    let image = flat(image);
    let (mut between, mut second) = (image.clone(), image.clone());
    let work = Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        smooth_loop(threads, &fine, &image, width, [&mut between, out]);
        smooth_loop(threads, &coarse, &image, width, [&mut between, &mut second]);
        rows(threads, out, width, |y, out| {
            out.iter_mut().zip(&second[y * width..]).for_each(|(out, x)| *out -= x);
        });
    });
    // Differences cancel.
    Ok(work.within(1e-3))
}

fn unsharp(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (image, height, width) = (photo(1, sizes), sizes[0], sizes[1]);
    let x = device.upload(&image)?;
    let ours = ours!(device, Unsharp(0.7, &x) -> y);
    let image = flat(image);
    let mut padded = Padded::new(height, width, 2);
    Ok(Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        padded.windows(threads, &image, out, |rows, x| {
            let centre = rows[2][x + 2];
            centre + 0.7 * (centre - weighted_loop(rows, x))
        });
    }))
}

fn opening(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (image, height, width) = (photo(1, sizes), sizes[0], sizes[1]);
    let x = device.upload(&image)?;
    let ours = ours!(device, Opening(&x) -> y);
    let image = flat(image);
    let (mut padded, mut eroded) = (Padded::new(height, width, 3), image.clone());
    Ok(Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        padded.windows::<7>(threads, &image, &mut eroded, |rows, x| {
            rows.iter().flat_map(|row| &row[x..x + 7]).fold(f32::INFINITY, |a, b| a.min(*b))
        });
        padded.windows::<7>(threads, &eroded, out, |rows, x| {
            rows.iter().flat_map(|row| &row[x..x + 7]).fold(f32::NEG_INFINITY, |a, b| a.max(*b))
        });
    }))
}

fn pyramid_down(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (height, width) = (2 * sizes[0], 2 * sizes[1]);
    let image = photo(1, &[height, width]);
    let x = device.upload(&image)?;
    let ours = ours!(device, PyramidDown(&x) -> y);
    let image = flat(image);
    let mut padded = Padded::new(height, width, 2);
    Ok(Work::new(ours, vec![0.0_f32; image.len() / 4], move |threads, out| {
        padded.fill(threads, &image);
        rows(threads, out, width / 2, |y, out| {
            let window = padded.rows::<5>(2 * y);
            out.iter_mut().enumerate().for_each(|(x, out)| *out = weighted_loop(&window, 2 * x));
        });
    }))
}

fn bilinear(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (image, height, width) = (photo(1, sizes), sizes[0], sizes[1]);
    let x = device.upload(&image)?;
    let ours = ours!(device, Bilinear(&x) -> y);
    let image = flat(image);
    Ok(Work::of_rows(ours, vec![0.0_f32; 4 * image.len()], 2 * width, move |i, out| {
        let (y, below) = (i / 2, (i / 2 + 1).min(height - 1));
        let (upper, lower) = (&image[y * width..][..width], &image[below * width..][..width]);
        let v = 0.5 * (i % 2) as f32;
        for (j, out) in out.iter_mut().enumerate() {
            let (x, right) = (j / 2, (j / 2 + 1).min(width - 1));
            let u = 0.5 * (j % 2) as f32;
            let top = (1.0 - u) * upper[x] + u * upper[right];
            let bottom = (1.0 - u) * lower[x] + u * lower[right];
            *out = (1.0 - v) * top + v * bottom;
        }
    }))
}
