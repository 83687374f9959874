//! Programs of several steps, which come back to what they have computed.

use lift::{Device, prelude::*};
use ndarray::Array2;

use super::images::photo;
use super::work::{Padded, Program, Work, each, flat, ours, rows};
use crate::input::{Random, signed, uniform};

lift!(
    fn dot<K>(a: [f32; K], b: [f32; K]) -> f32 {
        zip(a, b).map(mul).reduce(add, 0.0)
    }

    /// Solves a system of equations by conjugate gradients.
    #[kernel]
    pub fn ConjugateGradients<N>(steps: usize, a: [[f32; N]; N], b: [f32; N]) -> [f32; N] {
        let step = |x, r, p| {
            let q = a.map(dot(p));
            let alpha = dot(r, r) / dot(p, q);
            let next = zip(r, q).map(|r, q| r - alpha * q);
            let beta = dot(next, next) / dot(r, r);
            (zip(x, p).map(|x, p| x + alpha * p), next, zip(next, p).map(|r, p| r + beta * p))
        };
        iterate(steps, step, (repeat(N, 0.0), b, b)).0
    }

    /// The shortest ways between all places.
    #[kernel]
    pub fn ShortestWays<N>(lengths: [[f32; N]; N]) -> [[f32; N]; N] {
        let by_way_of = |lengths, k| {
            let from = lengths[k % N];
            let next = lengths.map(|row| {
                let to = row[k % N];
                zip(row, from).map(|length, rest| length.min(to + rest))
            });
            (next, k + 1)
        };
        iterate(N, by_way_of, (lengths, 0)).0
    }

    /// Two layers of a network, one row at a time.
    #[kernel]
    pub fn TwoLayers<N, A, B, C>(
        xs: [[f32; A]; N],
        first: [[f32; A]; B],
        bias: [f32; B],
        second: [[f32; B]; C],
    ) -> [[f32; C]; N] {
        xs.map(|x| {
            let hidden = zip(first, bias).map(|w, b| (dot(w, x) + b).max(0.0));
            second.map(|w| dot(w, hidden))
        })
    }

    /// The sums and the numbers of the points that are nearest to each of 8 centres.
    #[kernel]
    pub fn Clusters<N>(points: [[f32; 2]; N], centres: [[f32; 2]; 8]) -> [[f32; 3]; 8] {
        let nearer = |a, b| if b.0 < a.0 { b } else { a };
        points.fold(
            |sums, p| {
                let distances =
                    centres.map(|c| (c[0] - p[0]) * (c[0] - p[0]) + (c[1] - p[1]) * (c[1] - p[1]));
                let (_, best) = zip(distances, array(8, |k| k as i32)).fold(nearer, (f32::INFINITY, 0));
                zip(sums, array(8, |k| k as i32))
                    .map(|s, k| if k == best { [s[0] + p[0], s[1] + p[1], s[2] + 1.0] } else { s })
            },
            repeat(8, repeat(3, 0.0)),
        )
    }

    fn middle(a: f32, b: f32, c: f32) -> f32 {
        a.min(b).max(a.max(b).min(c))
    }

    /// The median of 3 by 3 pixels.
    #[kernel]
    pub fn Median<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| {
            let rows = w.map(|[a, b, c]| [a.min(b).min(c), middle(a, b, c), a.max(b).max(c)]);
            middle(
                rows[0][0].max(rows[1][0]).max(rows[2][0]),
                middle(rows[0][1], rows[1][1], rows[2][1]),
                rows[0][2].min(rows[1][2]).min(rows[2][2]),
            )
        })
    }

    /// How often each byte occurs, by comparing.
    #[kernel]
    pub fn Occurrences<N>(bytes: [u8; N]) -> [i32; 256] {
        array(256, |k| bytes.map(|x| (x as usize == k) as i32).reduce(add, 0))
    }
);

pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "conjugate gradients", sizes: &[512, 20], small: &[&[1, 1], &[37, 3]], make: gradients },
    Program { name: "shortest ways", sizes: &[256], small: &[&[1], &[41]], make: shortest_ways },
    Program {
        name: "two layers",
        sizes: &[512, 64, 128, 32],
        small: &[&[1, 1, 1, 1], &[7, 5, 11, 3]],
        make: two_layers,
    },
    Program { name: "clusters", sizes: &[1 << 17], small: &[&[1], &[331]], make: clusters },
    Program { name: "median", sizes: &[1024, 1024], small: &[&[1, 1], &[41, 67]], make: median },
    Program { name: "occurrences", sizes: &[1 << 20], small: &[&[1], &[1021]], make: occurrences },
];

fn dot_loop(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn gradients(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (n, steps) = (sizes[0], sizes[1]);
    let half = signed(1, (n, n));
    // Symmetric, and what is on the diagonal outweighs the rest.
    let a = &half + &half.t() + Array2::from_diag_elem(n, 3.0 * (n as f32).sqrt());
    let b = signed(2, n);
    let (on_a, on_b) = (device.upload(&a)?, device.upload(&b)?);
    let ours = ours!(device, ConjugateGradients(steps, &on_a, &on_b) -> x);
    let (a, b) = (flat(a.as_standard_layout().to_owned()), flat(b));
    let work = Work::new(ours, vec![0.0_f32; n], move |threads, x| {
        x.fill(0.0);
        let (mut r, mut p, mut q) = (b.clone(), b.clone(), vec![0.0; n]);
        for _ in 0..steps {
            rows(threads, &mut q, 1, |i, q| q[0] = dot_loop(&a[i * n..][..n], &p));
            let square = dot_loop(&r, &r);
            let alpha = square / dot_loop(&p, &q);
            for i in 0..n {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            let beta = dot_loop(&r, &r) / square;
            p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + beta * *p);
        }
    });
    Ok(work.within(1e-2))
}

fn shortest_ways(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let n = sizes[0];
    let lengths = uniform(1, 1.0..100.0, (n, n));
    let x = device.upload(&lengths)?;
    let ours = ours!(device, ShortestWays(&x) -> y);
    let lengths = flat(lengths);
    Ok(Work::new(ours, vec![0.0_f32; n * n], move |threads, out| {
        out.copy_from_slice(&lengths);
        for k in 0..n {
            let from = out[k * n..][..n].to_vec();
            rows(threads, out, n, |_, row| {
                let to = row[k];
                row.iter_mut().zip(&from).for_each(|(length, rest)| *length = length.min(to + rest));
            });
        }
    }))
}

fn two_layers(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let &[n, a, b, c] = sizes else { unreachable!("four sizes") };
    let (xs, first, bias, second) = (signed(1, (n, a)), signed(2, (b, a)), signed(3, b), signed(4, (c, b)));
    let (x, f, i, s) =
        (device.upload(&xs)?, device.upload(&first)?, device.upload(&bias)?, device.upload(&second)?);
    let ours = ours!(device, TwoLayers(&x, &f, &i, &s) -> y);
    let (xs, first, bias, second) = (flat(xs), flat(first), flat(bias), flat(second));
    Ok(Work::of_rows(ours, vec![0.0_f32; n * c], c, move |i, out| {
        let x = &xs[i * a..][..a];
        let weighted = first.chunks_exact(a).zip(&bias).map(|(w, b)| (dot_loop(w, x) + b).max(0.0));
        let hidden: Vec<f32> = weighted.collect();
        for (out, w) in out.iter_mut().zip(second.chunks_exact(b)) {
            *out = dot_loop(w, &hidden);
        }
    }))
}

fn clusters(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    // Whole numbers: distances and sums are exact.
    let mut whole = |n| Array2::from_shape_simple_fn((n, 2), || random.below(100) as f32);
    let (points, centres) = (whole(sizes[0]), whole(8));
    let (p, c) = (device.upload(&points)?, device.upload(&centres)?);
    let ours = ours!(device, Clusters(&p, &c) -> y);
    let (points, centres) = (flat(points), flat(centres));
    Ok(Work::new(ours, vec![0.0_f32; 24], move |threads, out| {
        out.fill(0.0);
        let sums = each(threads, points.len() / 2, |range| {
            let mut sums = [0.0; 24];
            for p in points[2 * range.start..2 * range.end].chunks_exact(2) {
                let (mut least, mut best) = (f32::INFINITY, 0);
                for (k, c) in centres.chunks_exact(2).enumerate() {
                    let distance = (c[0] - p[0]) * (c[0] - p[0]) + (c[1] - p[1]) * (c[1] - p[1]);
                    if distance < least {
                        (least, best) = (distance, k);
                    }
                }
                sums[3 * best] += p[0];
                sums[3 * best + 1] += p[1];
                sums[3 * best + 2] += 1.0;
            }
            sums
        });
        sums.iter().flat_map(|part| part.iter().enumerate()).for_each(|(k, x)| out[k] += x);
    }))
}

fn median(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (image, height, width) = (photo(1, sizes), sizes[0], sizes[1]);
    let x = device.upload(&image)?;
    let ours = ours!(device, Median(&x) -> y);
    let image = flat(image);
    let mut padded = Padded::new(height, width, 1);
    Ok(Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        padded.windows::<3>(threads, &image, out, |rows, x| {
            let sorted = rows.map(|row| {
                let (a, b, c) = (row[x], row[x + 1], row[x + 2]);
                [a.min(b).min(c), middle(a, b, c), a.max(b).max(c)]
            });
            middle(
                sorted[0][0].max(sorted[1][0]).max(sorted[2][0]),
                middle(sorted[0][1], sorted[1][1], sorted[2][1]),
                sorted[0][2].min(sorted[1][2]).min(sorted[2][2]),
            )
        });
    }))
}

fn occurrences(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    let bytes = ndarray::Array1::from_shape_simple_fn(sizes[0], || random.below(256) as u8);
    let x = device.upload(&bytes)?;
    let ours = ours!(device, Occurrences(&x) -> y);
    let bytes = flat(bytes);
    Ok(Work::new(ours, vec![0_i32; 256], move |threads, out| {
        out.fill(0);
        let counts = each(threads, bytes.len(), |range| {
            let mut counts = [0; 256];
            bytes[range].iter().for_each(|x| counts[usize::from(*x)] += 1);
            counts
        });
        counts.iter().flat_map(|part| part.iter().enumerate()).for_each(|(k, n)| out[k] += n);
    }))
}
