//! Counts, sums and minima by key.

use lift::{Device, prelude::*};
use ndarray::{Array1, Array2};

use super::work::{Program, Work, each, flat, ours};
use crate::input::{Random, uniform};

lift!(
    /// How many pixels there are of each brightness.
    #[kernel]
    pub fn Brightness<N, M>(image: [[u8; M]; N]) -> [u32; 256] {
        image.join().histogram(256)
    }

    /// What the pixels of each brightness weigh.
    #[kernel]
    pub fn Weighted<N>(pixels: [u8; N], weights: [f32; N]) -> [f32; 256] {
        weights.reduce_by_key(256, add, 0.0, pixels)
    }

    /// How often each of many pages was visited.
    #[kernel]
    pub fn Visits<N>(pages: [u32; N]) -> [u32; 20000] {
        pages.histogram(20000)
    }

    /// The lowest price in each shop.
    #[kernel]
    pub fn Lowest<N>(shops: [u32; N], prices: [f32; N]) -> [f32; 1000] {
        prices.reduce_by_key(1000, min, f32::MAX, shops)
    }
);

const AWKWARD: &[&[usize]] = &[&[1], &[16_411]];

pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "brightness", sizes: &[2048, 2048], small: &[&[1, 1], &[241, 67]], make: brightness },
    Program {
        name: "one brightness",
        sizes: &[2048, 2048],
        small: &[&[1, 1], &[241, 67]],
        make: one_brightness,
    },
    Program { name: "weighted", sizes: &[1 << 21], small: AWKWARD, make: weighted },
    Program { name: "visits", sizes: &[1 << 22], small: AWKWARD, make: visits },
    Program { name: "lowest prices", sizes: &[1 << 21], small: AWKWARD, make: lowest },
];

/// What loops make of `n` elements: a copy of the bins for each thread, which `combine` fills, and `both` puts together.
fn by_key<T: Copy + Send + Sync>(
    threads: usize,
    n: usize,
    out: &mut [T],
    start: T,
    combine: impl Fn(usize, &mut [T]) + Sync,
    both: impl Fn(T, T) -> T,
) {
    let count = out.len();
    let copies = each(threads, n, |range| {
        let mut bins = vec![start; count];
        range.for_each(|i| combine(i, &mut bins));
        bins
    });
    out.fill(start);
    for bins in copies {
        out.iter_mut().zip(bins).for_each(|(out, bin)| *out = both(*out, bin));
    }
}

/// Keys below `n`.
fn keys(n: usize, len: usize) -> Array1<u32> {
    let mut random = Random::new(3);
    Array1::from_shape_simple_fn(len, || random.below(n) as u32)
}

fn counted(device: &Device, image: Array2<u8>) -> lift::Result<Work> {
    let x = device.upload(&image)?;
    let ours = ours!(device, Brightness(&x) -> y);
    let image = flat(image);
    Ok(Work::new(ours, vec![0_u32; 256], move |threads, out| {
        let copies = each(threads, image.len(), |range| {
            let mut counts = [0_u32; 256];
            image[range].iter().for_each(|x| counts[usize::from(*x)] += 1);
            counts
        });
        out.fill(0);
        copies.iter().for_each(|counts| out.iter_mut().zip(counts).for_each(|(out, n)| *out += n));
    }))
}

fn brightness(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    counted(device, Array2::from_shape_simple_fn((sizes[0], sizes[1]), || random.below(256) as u8))
}

fn one_brightness(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    counted(device, Array2::from_elem((sizes[0], sizes[1]), 200))
}

fn weighted(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let pixels = keys(256, sizes[0]).mapv(|x| x as u8);
    let weights = uniform(2, 0.0..1.0, sizes[0]);
    let (on_pixels, on_weights) = (device.upload(&pixels)?, device.upload(&weights)?);
    let ours = ours!(device, Weighted(&on_pixels, &on_weights) -> y);
    let (pixels, weights) = (flat(pixels), flat(weights));
    let work = Work::new(ours, vec![0.0_f32; 256], move |threads, out| {
        let copies = each(threads, pixels.len(), |range| {
            let mut sums = [0.0_f32; 256];
            for (x, weight) in pixels[range.clone()].iter().zip(&weights[range]) {
                sums[usize::from(*x)] += weight;
            }
            sums
        });
        out.fill(0.0);
        copies.iter().for_each(|sums| out.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum));
    });
    Ok(work.within(1e-3))
}

fn visits(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let pages = keys(20000, sizes[0]);
    let x = device.upload(&pages)?;
    let ours = ours!(device, Visits(&x) -> y);
    let pages = flat(pages);
    Ok(Work::new(ours, vec![0_u32; 20000], move |threads, out| {
        let n = pages.len();
        by_key(threads, n, out, 0, |i, counts| counts[pages[i] as usize] += 1, |a, b| a + b);
    }))
}

fn lowest(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (shops, prices) = (keys(1000, sizes[0]), uniform(2, 1.0..100.0, sizes[0]));
    let (on_shops, on_prices) = (device.upload(&shops)?, device.upload(&prices)?);
    let ours = ours!(device, Lowest(&on_shops, &on_prices) -> y);
    let (shops, prices) = (flat(shops), flat(prices));
    Ok(Work::new(ours, vec![0.0_f32; 1000], move |threads, out| {
        let least = |i: usize, bins: &mut [f32]| {
            let bin = &mut bins[shops[i] as usize];
            *bin = bin.min(prices[i]);
        };
        by_key(threads, shops.len(), out, f32::MAX, least, f32::min);
    }))
}
