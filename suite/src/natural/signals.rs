//! One long array.

use std::f32::consts::PI;

use lift::{Device, prelude::*};
use ndarray::Array1;

use super::work::{Part, Program, Work, each, flat, ours, rows};
use crate::input::{Random, signed};

lift!(
    /// One stage of a fast Fourier transform that needs no reordering (Stockham's). Groups of `s` neighbours stay together.
    fn butterflies<H>(
        roots: ([f32; H], [f32; H]),
        state: ([f32; 2 * H], [f32; 2 * H], usize),
    ) -> ([f32; 2 * H], [f32; 2 * H], usize) {
        let (re, im, s) = state;
        let (next_re, next_im) = array(2 * H, |i| {
            let (p, r) = (i / (2 * s), i % (2 * s));
            let k = (p * s + r % s) % H;
            let (a, b, c, d) = (re[k], im[k], re[k + H], im[k + H]);
            if r < s {
                (a + c, b + d)
            } else {
                let (u, v) = (roots.0[p * s % H], roots.1[p * s % H]);
                ((a - c) * u - (b - d) * v, (a - c) * v + (b - d) * u)
            }
        })
        .unzip();
        (next_re, next_im, 2 * s)
    }

    /// The spectrum of complex numbers: `stages` is the logarithm of how many there are, and `roots` are half of the roots of 1.
    #[kernel]
    pub fn Spectrum<H>(
        stages: usize,
        roots: ([f32; H], [f32; H]),
        re: [f32; 2 * H],
        im: [f32; 2 * H],
    ) -> ([f32; 2 * H], [f32; 2 * H]) {
        let (re, im, _) = iterate(stages, butterflies(roots), (re, im, 1));
        (re, im)
    }

    /// A filter of 31 taps.
    #[kernel]
    pub fn Filtered<N>(taps: [f32; 31], xs: [f32; N]) -> [f32; N] {
        xs.pad(15, 15, constant(0.0)).slide(31, 1).map(|w| zip(w, taps).map(mul).reduce(add, 0.0))
    }

    /// The mean of 64 neighbours.
    #[kernel]
    pub fn MovingAverage<N>(xs: [f32; N + 63]) -> [f32; N] {
        xs.slide(64, 1).map(|w| w.reduce(add, 0.0) / 64.0)
    }

    /// How often each of 16 numbers occurs: counts of rows, and their sums.
    #[kernel]
    pub fn Counts<N, M>(rows: [[i32; M]; N]) -> [i32; 16] {
        rows.map(|row| {
            row.fold(
                |counts, x| zip(counts, array(16, |k| k as i32)).map(|n, k| if x == k { n + 1 } else { n }),
                repeat(16, 0),
            )
        })
        .transpose()
        .map(reduce(add, 0))
    }
);

pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "Fourier transform", sizes: &[16], small: &[&[1], &[2], &[9]], make: spectrum },
    Program { name: "31 taps", sizes: &[1 << 19], small: &[&[1], &[1021]], make: filtered },
    Program { name: "moving average", sizes: &[1 << 19], small: &[&[1], &[1021]], make: moving_average },
    Program { name: "counts", sizes: &[1024, 1024], small: &[&[1, 1], &[37, 53]], make: counts },
];

fn spectrum(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (stages, n) = (sizes[0], 1 << sizes[0]);
    let half = n / 2;
    let angle = |k: usize| -PI * k as f32 / half as f32;
    let (cos, sin) =
        (Array1::from_shape_fn(half, |k| angle(k).cos()), Array1::from_shape_fn(half, |k| angle(k).sin()));
    let (re, im) = (signed(1, n), signed(2, n));
    let (c, s, a, b) = (device.upload(&cos)?, device.upload(&sin)?, device.upload(&re)?, device.upload(&im)?);
    let ours = ours!(device, Spectrum(stages, (&c, &s), &a, &b) -> (x, y));
    let start: Vec<[f32; 2]> = re.iter().zip(&im).map(|(re, im)| [*re, *im]).collect();
    let mut from = start.clone();
    let work = Work::new(ours, start.clone(), move |threads, out| {
        from.copy_from_slice(&start);
        for stage in 0..stages {
            let s = 1 << stage;
            rows(threads, out, 2 * s, |p, out| {
                let (u, v) = (cos[p * s], sin[p * s]);
                let (sums, differences) = out.split_at_mut(s);
                let (left, right) = (&from[p * s..][..s], &from[p * s + half..][..s]);
                for (((sum, difference), [a, b]), [c, d]) in
                    sums.iter_mut().zip(differences).zip(left).zip(right)
                {
                    *sum = [a + c, b + d];
                    *difference = [(a - c) * u - (b - d) * v, (a - c) * v + (b - d) * u];
                }
            });
            from.copy_from_slice(out);
        }
    });
    Ok(work)
}

fn filtered(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (taps, data) = (signed(1, 31), signed(2, sizes[0]));
    let (t, x) = (device.upload(&taps)?, device.upload(&data)?);
    let ours = ours!(device, Filtered(&t, &x) -> y);
    let taps = flat(taps);
    let mut padded = vec![0.0; data.len() + 30];
    padded[15..][..data.len()].copy_from_slice(&flat(data));
    Ok(Work::new(ours, vec![0.0_f32; sizes[0]], move |threads, out| {
        windows(threads, &padded, 31, out, |w| w.iter().zip(&taps).map(|(x, tap)| x * tap).sum());
    }))
}

/// `f` of all windows, a part of them on each thread.
fn windows<T: Part + Send>(
    threads: usize,
    xs: &[f32],
    size: usize,
    out: &mut [T],
    f: impl Fn(&[f32]) -> T + Sync,
) {
    rows(threads, out, 1, |i, out| out[0] = f(&xs[i..][..size]));
}

fn moving_average(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = signed(1, sizes[0] + 63);
    let x = device.upload(&data)?;
    let ours = ours!(device, MovingAverage(&x) -> y);
    let data = flat(data);
    Ok(Work::new(ours, vec![0.0_f32; sizes[0]], move |threads, out| {
        windows(threads, &data, 64, out, |w| w.iter().sum::<f32>() / 64.0);
    }))
}

fn counts(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    let data = ndarray::Array2::from_shape_simple_fn((sizes[0], sizes[1]), || random.below(16) as i32);
    let x = device.upload(&data)?;
    let ours = ours!(device, Counts(&x) -> y);
    let data = flat(data);
    Ok(Work::new(ours, vec![0_i32; 16], move |threads, out| {
        out.fill(0);
        let counts = each(threads, data.len(), |range| {
            let mut counts = [0; 16];
            data[range].iter().for_each(|x| counts[*x as usize] += 1);
            counts
        });
        for part in counts {
            out.iter_mut().zip(part).for_each(|(out, n)| *out += n);
        }
    }))
}
