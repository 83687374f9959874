//! Rows that are looked at more than once: normalised, compared, weighted.

use lift::{Device, prelude::*};

use super::work::{Program, Work, flat, ours, rows};
use crate::input::signed;

lift!(
    fn dot<K>(a: [f32; K], b: [f32; K]) -> f32 {
        zip(a, b).map(mul).reduce(add, 0.0)
    }

    fn sum<K>(xs: [f32; K]) -> f32 {
        xs.reduce(add, 0.0)
    }

    fn softmax<K>(row: [f32; K]) -> [f32; K] {
        let top = row.reduce(max, f32::NEG_INFINITY);
        let powers = row.map(|x| (x - top).exp());
        let total = sum(powers);
        powers.map(|p| p / total)
    }

    fn attention<N, D>(q: [[f32; D]; N], k: [[f32; D]; N], v: [[f32; D]; N]) -> [[f32; D]; N] {
        q.map(|a| {
            let weights = softmax(k.map(|b| 0.125 * dot(a, b)));
            v.transpose().map(dot(weights))
        })
    }

    /// Each row as probabilities.
    #[kernel]
    pub fn Softmax<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.map(softmax)
    }

    /// Each row with mean 0 and variance 1, times a gain and plus a bias.
    #[kernel]
    pub fn LayerNorm<N, M>(rows: [[f32; M]; N], gain: [f32; M], bias: [f32; M]) -> [[f32; M]; N] {
        rows.map(|row| {
            let mean = sum(row) / M as f32;
            let variance = sum(row.map(|x| (x - mean) * (x - mean))) / M as f32;
            let scale = (variance + 0.00001).sqrt().recip();
            zip(row, gain, bias).map(|(x, g, b)| (x - mean) * scale * g + b)
        })
    }

    /// The variance of each row.
    #[kernel]
    pub fn Variance<N, M>(rows: [[f32; M]; N]) -> [f32; N] {
        rows.map(|row| {
            let mean = sum(row) / M as f32;
            sum(row.map(|x| (x - mean) * (x - mean))) / M as f32
        })
    }

    /// How much each column goes with each other.
    #[kernel]
    pub fn Correlation<N, M>(data: [[f32; M]; N]) -> [[f32; M]; M] {
        let columns = data.transpose().map(|column| {
            let mean = sum(column) / N as f32;
            let centred = column.map(|x| x - mean);
            let norm = dot(centred, centred).sqrt();
            centred.map(|x| x / norm)
        });
        columns.map(|a| columns.map(|b| dot(a, b)))
    }

    /// What each query attends to.
    #[kernel]
    pub fn Attention<N, D>(q: [[f32; D]; N], k: [[f32; D]; N], v: [[f32; D]; N]) -> [[f32; D]; N] {
        attention(q, k, v)
    }

    /// Several heads of attention.
    #[kernel]
    pub fn MultiHead<H, N, D>(
        q: [[[f32; D]; N]; H],
        k: [[[f32; D]; N]; H],
        v: [[[f32; D]; N]; H],
    ) -> [[[f32; D]; N]; H] {
        zip(q, k, v).map(|(q, k, v)| attention(q, k, v))
    }
);

pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "softmax", sizes: &[2048, 512], small: &[&[1, 1], &[7, 41]], make: softmax_of_rows },
    Program { name: "layer norm", sizes: &[2048, 1024], small: &[&[1, 2], &[7, 41]], make: layer_norm },
    Program { name: "variance", sizes: &[4096, 1024], small: &[&[1, 2], &[7, 41]], make: variance },
    Program { name: "correlation", sizes: &[1024, 64], small: &[&[5, 1], &[41, 7]], make: correlation },
    Program {
        name: "attention",
        sizes: &[1, 512, 64],
        small: &[&[1, 1, 1], &[1, 13, 5]],
        make: attention_by_rows,
    },
    Program { name: "multi-head", sizes: &[8, 64, 64], small: &[&[1, 1, 1], &[3, 13, 5]], make: multi_head },
];

fn softmax_of(row: impl Iterator<Item = f32> + Clone, out: &mut [f32]) {
    let top = row.clone().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for (out, x) in out.iter_mut().zip(row) {
        *out = (x - top).exp();
        total += *out;
    }
    out.iter_mut().for_each(|out| *out /= total);
}

fn softmax_of_rows(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (data, width) = (signed(1, (sizes[0], sizes[1])), sizes[1]);
    let x = device.upload(&data)?;
    let ours = ours!(device, Softmax(&x) -> y);
    let data = flat(data);
    Ok(Work::of_rows(ours, vec![0.0_f32; data.len()], width, move |y, out| {
        softmax_of(data[y * width..][..width].iter().copied(), out);
    }))
}

/// The mean and the variance.
fn moments(row: &[f32]) -> (f32, f32) {
    let mean = row.iter().sum::<f32>() / row.len() as f32;
    (mean, row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / row.len() as f32)
}

fn layer_norm(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (data, gain, bias) = (signed(1, (sizes[0], sizes[1])), signed(2, sizes[1]), signed(3, sizes[1]));
    let (x, g, b) = (device.upload(&data)?, device.upload(&gain)?, device.upload(&bias)?);
    let ours = ours!(device, LayerNorm(&x, &g, &b) -> y);
    let (data, gain, bias) = (flat(data), flat(gain), flat(bias));
    Ok(Work::of_rows(ours, vec![0.0_f32; data.len()], sizes[1], move |y, out| {
        let row = &data[y * out.len()..][..out.len()];
        let (mean, variance) = moments(row);
        let scale = 1.0 / (variance + 1e-5).sqrt();
        for (((out, x), g), b) in out.iter_mut().zip(row).zip(&gain).zip(&bias) {
            *out = (x - mean) * scale * g + b;
        }
    }))
}

fn variance(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (data, width) = (signed(1, (sizes[0], sizes[1])), sizes[1]);
    let x = device.upload(&data)?;
    let ours = ours!(device, Variance(&x) -> y);
    let data = flat(data);
    Ok(Work::of_rows(ours, vec![0.0_f32; sizes[0]], 1, move |y, out| {
        out[0] = moments(&data[y * width..][..width]).1;
    }))
}

fn correlation(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (data, height, width) = (signed(1, (sizes[0], sizes[1])), sizes[0], sizes[1]);
    let x = device.upload(&data)?;
    let ours = ours!(device, Correlation(&x) -> y);
    let data = flat(data);
    let mut columns = vec![0.0_f32; data.len()];
    Ok(Work::new(ours, vec![0.0_f32; width * width], move |threads, out| {
        rows(threads, &mut columns, height, |x, column| {
            for (y, out) in column.iter_mut().enumerate() {
                *out = data[y * width + x];
            }
            let mean = column.iter().sum::<f32>() / height as f32;
            column.iter_mut().for_each(|x| *x -= mean);
            let norm = column.iter().map(|x| x * x).sum::<f32>().sqrt();
            column.iter_mut().for_each(|x| *x /= norm);
        });
        rows(threads, out, width, |a, out| {
            for (b, out) in columns.chunks_exact(height).zip(out) {
                *out = columns[a * height..].iter().zip(b).map(|(a, b)| a * b).sum();
            }
        });
    }))
}

/// Row by row, as in the formula.
fn attention_loop(threads: usize, [q, k, v]: [&[f32]; 3], heads: usize, depth: usize, out: &mut [f32]) {
    let head = q.len() / heads;
    rows(threads, out, depth, |y, out| {
        let at = y * depth / head * head;
        let (a, k, v) = (&q[y * depth..][..depth], &k[at..][..head], &v[at..][..head]);
        let scores = k.chunks_exact(depth).map(|b| 0.125 * a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>());
        let scores: Vec<f32> = scores.collect();
        let mut weights = vec![0.0; scores.len()];
        softmax_of(scores.into_iter(), &mut weights);
        out.fill(0.0);
        for (weight, row) in weights.iter().zip(v.chunks_exact(depth)) {
            for (out, x) in out.iter_mut().zip(row) {
                *out += weight * x;
            }
        }
    });
}

fn attention_by_rows(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let shape = (sizes[1], sizes[2]);
    let (q, k, v) = (signed(1, shape), signed(2, shape), signed(3, shape));
    let (a, b, c) = (device.upload(&q)?, device.upload(&k)?, device.upload(&v)?);
    let ours = ours!(device, Attention(&a, &b, &c) -> y);
    let (q, k, v, depth) = (flat(q), flat(k), flat(v), sizes[2]);
    Ok(Work::new(ours, vec![0.0_f32; q.len()], move |threads, out| {
        attention_loop(threads, [&q, &k, &v], 1, depth, out);
    }))
}

fn multi_head(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let shape = (sizes[0], sizes[1], sizes[2]);
    let (q, k, v) = (signed(1, shape), signed(2, shape), signed(3, shape));
    let (a, b, c) = (device.upload(&q)?, device.upload(&k)?, device.upload(&v)?);
    let ours = ours!(device, MultiHead(&a, &b, &c) -> y);
    let (q, k, v, heads, depth) = (flat(q), flat(k), flat(v), sizes[0], sizes[2]);
    Ok(Work::new(ours, vec![0.0_f32; q.len()], move |threads, out| {
        attention_loop(threads, [&q, &k, &v], heads, depth, out);
    }))
}
