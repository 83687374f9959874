//! Products of matrices, and what users do with them.

use lift::{Device, prelude::*};

use super::work::{Program, Work, flat, ours};
use crate::input::signed;

lift!(
    fn dot<K>(a: [f32; K], b: [f32; K]) -> f32 {
        zip(a, b).map(mul).reduce(add, 0.0)
    }

    /// A layer of a network.
    #[kernel]
    pub fn Layer<N, M, K>(xs: [[f32; K]; N], weights: [[f32; M]; K], bias: [f32; M]) -> [[f32; M]; N] {
        xs.map(|x| zip(weights.transpose(), bias).map(|(w, b)| (dot(x, w) + b).max(0.0)))
    }

    /// Many products of small matrices.
    #[kernel]
    pub fn SmallProducts<N>(a: [[[f32; 4]; 4]; N], b: [[[f32; 4]; 4]; N]) -> [[[f32; 4]; 4]; N] {
        zip(a, b).map(|(a, b)| a.map(|row| b.transpose().map(dot(row))))
    }
);

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "layer with ReLU",
        sizes: &[256, 384, 384],
        small: &[&[1, 1, 1], &[7, 13, 5]],
        make: layer,
    },
    Program { name: "4 x 4 products", sizes: &[1 << 17], small: &[&[1], &[331]], make: small_products },
];

fn layer(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (n, m, k) = (sizes[0], sizes[1], sizes[2]);
    let (xs, weights, bias) = (signed(1, (n, k)), signed(2, (k, m)), signed(3, m));
    let (x, w, b) = (device.upload(&xs)?, device.upload(&weights)?, device.upload(&bias)?);
    let ours = ours!(device, Layer(&x, &w, &b) -> y);
    let (xs, weights, bias) = (flat(xs), flat(weights), flat(bias));
    Ok(Work::of_rows(ours, vec![0.0_f32; n * m], m, move |i, out| {
        out.copy_from_slice(&bias);
        for (x, weights) in xs[i * k..][..k].iter().zip(weights.chunks_exact(m)) {
            for (out, weight) in out.iter_mut().zip(weights) {
                *out += x * weight;
            }
        }
        out.iter_mut().for_each(|out| *out = out.max(0.0));
    }))
}

fn small_products(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (a, b) = (signed(1, (sizes[0], 4, 4)), signed(2, (sizes[0], 4, 4)));
    let (on_a, on_b) = (device.upload(&a)?, device.upload(&b)?);
    let ours = ours!(device, SmallProducts(&on_a, &on_b) -> y);
    let (a, b) = (flat(a), flat(b));
    Ok(Work::of_rows(ours, vec![0.0_f32; a.len()], 16, move |i, out| {
        let (a, b) = (&a[16 * i..][..16], &b[16 * i..][..16]);
        for y in 0..4 {
            for x in 0..4 {
                out[4 * y + x] = (0..4).map(|k| a[4 * y + k] * b[4 * k + x]).sum();
            }
        }
    }))
}
