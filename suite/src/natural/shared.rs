//! What elements share: sums of columns, keys, what is made of a block; and arrays whose indices say where in a grid they are.

use lift::{Device, prelude::*};
use ndarray::Array1;

use super::work::{Program, Work, each, flat, ours, rows, strips};
use crate::input::{Random, signed, uniform};

lift!(
    fn dot<K>(a: [f32; K], b: [f32; K]) -> f32 {
        zip(a, b).map(mul).reduce(add, 0.0)
    }

    fn product<N, K, M>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a.map(|row| b.transpose().map(|column| dot(row, column)))
    }

    /// Which pixels are darker than the mean of the 16 by 16 around them.
    #[kernel]
    pub fn Threshold<N, M>(image: [[u8; M]; N]) -> [[u8; M]; N] {
        let rows = image.map2d(|x| x as i32).map(scan(add, 0));
        let sums = rows.transpose().map(scan(add, 0)).transpose();
        array2d(N, M, |i, j| {
            let (top, bottom) = ((i + N - 8).max(N) - N, (i + 7).min(N - 1));
            let (left, right) = ((j + M - 8).max(M) - M, (j + 7).min(M - 1));
            let sum = sums[bottom][right] - sums[top.min(N - 1)][right] - sums[bottom][left.min(M - 1)]
                + sums[top.min(N - 1)][left.min(M - 1)];
            let count = ((bottom - top) * (right - left)) as i32;
            if image[i][j] as i32 * count < sum { 0 } else { 255 }
        })
    }

    /// The sum of the last 32 elements of each column.
    #[kernel]
    pub fn ColumnSums<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        let sums = grid.transpose().map(scan(add, 0.0)).transpose();
        array2d(N, M, |i, j| sums[i][j] - if i >= 32 { sums[(i - 32).min(N - 1)][j] } else { 0.0 })
    }

    /// A Walsh-Hadamard transform: sums and differences of what is `h` apart, for each power of two.
    #[kernel]
    pub fn Hadamard<N>(stages: usize, xs: [f32; N]) -> [f32; N] {
        let stage =
            |xs, h| {
                let next = array(N, |i| {
                    if i / h % 2 == 0 { xs[i] + xs[(i + h) % N] } else { xs[(i + N - h) % N] - xs[i] }
                });
                (next, 2 * h)
            };
        iterate(stages, stage, (xs, 1)).0
    }

    /// A picture that is darker at its edges, as one array of pixels.
    #[kernel]
    pub fn Vignette<N>(width: usize, height: usize, pixels: [f32; N]) -> [f32; N] {
        array(N, |i| {
            let x = (i % width) as f32 / width as f32 - 0.5;
            let y = (i / width) as f32 / height as f32 - 0.5;
            pixels[i] * (1.0 - x * x - y * y)
        })
    }

    /// How often each letter occurs.
    #[kernel]
    pub fn Letters<N>(text: [u8; N]) -> [i32; 26] {
        text.fold(
            |counts, c| {
                zip(counts, array(26, |k| k as i32 + 97)).map(|n, k| if c as i32 == k { n + 1 } else { n })
            },
            repeat(26, 0),
        )
    }

    /// What the elements of each class sum up to.
    #[kernel]
    pub fn ClassSums<N>(classes: [i32; N], values: [f32; N]) -> [f32; 64] {
        array(64, |k| {
            zip(classes, values).map(|class, v| if class == k as i32 { v } else { 0.0 }).reduce(add, 0.0)
        })
    }

    /// Blocks of 4 by 4 as in H.264, of whole numbers.
    #[kernel]
    pub fn Residuals<N, M>(image: [[i32; 4 * M]; 4 * N]) -> [[i32; 4 * M]; 4 * N] {
        let basis = [[1, 1, 1, 1], [2, 1, -1, -2], [1, -1, -1, 1], [1, -2, 2, -1]];
        let times = |a, b| a.map(|row| b.map(|other| zip(row, other).map(mul).reduce(add, 0)));
        let blocks = image.split(4).map(|rows| rows.map(split(4)).transpose());
        let done = blocks.map2d(|block| times(times(basis, block.transpose()), basis));
        done.map(|rows| rows.transpose().map(join)).join()
    }

    /// Tensors in another frame: a matrix from the left, and turned from the right.
    #[kernel]
    pub fn Rotated<N>(frame: [[f32; 6]; 6], tensors: [[[f32; 6]; 6]; N]) -> [[[f32; 6]; 6]; N] {
        tensors.map(|t| product(product(frame, t), frame.transpose()))
    }
);

const PLANE: &[&[usize]] = &[&[1, 1], &[37, 53], &[41, 300]];
const LINE: &[&[usize]] = &[&[1], &[1021]];

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "threshold",
        sizes: &[1024, 1024],
        small: &[&[9, 9], &[37, 53], &[41, 300]],
        make: threshold,
    },
    Program { name: "sums of columns", sizes: &[1024, 1024], small: PLANE, make: column_sums },
    Program { name: "Hadamard transform", sizes: &[18], small: &[&[0], &[1], &[2], &[9]], make: hadamard },
    Program { name: "vignette", sizes: &[1024, 1024], small: PLANE, make: vignette },
    Program { name: "letters", sizes: &[1 << 20], small: LINE, make: letters },
    Program { name: "sums of classes", sizes: &[1 << 18], small: LINE, make: class_sums },
    Program { name: "blocks of H.264", sizes: &[256, 256], small: &[&[1, 1], &[3, 5]], make: residuals },
    Program { name: "rotated tensors", sizes: &[16384], small: &[&[1], &[37]], make: rotated },
];

/// Adds to each row the one above.
fn down<T: Copy + Send + std::ops::AddAssign>(threads: usize, sums: &mut [T], width: usize) {
    strips(threads, sums, width, |_, rows| {
        for y in 1..rows.len() {
            let (above, below) = rows.split_at_mut(y);
            below[0].iter_mut().zip(&*above[y - 1]).for_each(|(out, above)| *out += *above);
        }
    });
}

fn threshold(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    let data = ndarray::Array2::from_shape_simple_fn((sizes[0], sizes[1]), || random.below(256) as u8);
    let (n, width, x) = (sizes[0], sizes[1], device.upload(&data)?);
    let ours = ours!(device, Threshold(&x) -> y);
    let data = flat(data);
    let mut sums = vec![0; data.len()];
    Ok(Work::new(ours, vec![0_u8; data.len()], move |threads, out| {
        rows(threads, &mut sums, width, |y, out| {
            let mut sum = 0;
            for (out, x) in out.iter_mut().zip(&data[y * width..]) {
                sum += i32::from(*x);
                *out = sum;
            }
        });
        down(threads, &mut sums, width);
        rows(threads, out, width, |i, out| {
            let (top, bottom) = (i.saturating_sub(8), (i + 7).min(n - 1));
            let (upper, lower) = (&sums[top * width..][..width], &sums[bottom * width..][..width]);
            for (j, out) in out.iter_mut().enumerate() {
                let (left, right) = (j.saturating_sub(8), (j + 7).min(width - 1));
                let sum = lower[right] - upper[right] - lower[left] + upper[left];
                let count = ((bottom - top) * (right - left)) as i32;
                *out = if i32::from(data[i * width + j]) * count < sum { 0 } else { 255 };
            }
        });
    }))
}

fn column_sums(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = uniform(1, 0.0..1.0, (sizes[0], sizes[1]));
    let (width, x) = (sizes[1], device.upload(&data)?);
    let ours = ours!(device, ColumnSums(&x) -> y);
    let data = flat(data);
    let mut sums = vec![0.0_f32; data.len()];
    let work = Work::new(ours, vec![0.0_f32; data.len()], move |threads, out| {
        sums.copy_from_slice(&data);
        down(threads, &mut sums, width);
        rows(threads, out, width, |i, out| {
            let row = &sums[i * width..][..width];
            if i < 32 {
                return out.copy_from_slice(row);
            }
            let before = &sums[(i - 32) * width..][..width];
            for ((out, a), b) in out.iter_mut().zip(row).zip(before) {
                *out = a - b;
            }
        });
    });
    Ok(work.within(1e-3))
}

fn hadamard(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let stages = sizes[0];
    let n = 1 << stages;
    let data = signed(1, n);
    let x = device.upload(&data)?;
    let ours = ours!(device, Hadamard(stages, &x) -> y);
    let data = flat(data);
    let mut from = vec![0.0_f32; n];
    let work = Work::new(ours, vec![0.0_f32; n], move |threads, out| {
        out.copy_from_slice(&data);
        for stage in 0..stages {
            let h = 1 << stage;
            from.copy_from_slice(out);
            let blocks = n / (2 * h);
            // A thread has whole blocks, or there is but one.
            rows(threads.min(blocks), out, 2 * h, |block, out| {
                let from = &from[block * 2 * h..][..2 * h];
                for i in 0..h {
                    (out[i], out[i + h]) = (from[i] + from[i + h], from[i] - from[i + h]);
                }
            });
        }
    });
    Ok(work.within(1e-3))
}

fn vignette(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (height, width) = (sizes[0], sizes[1]);
    let data = uniform(1, 0.0..1.0, height * width);
    let x = device.upload(&data)?;
    let ours = ours!(device, Vignette(width, height, &x) -> y);
    let data = flat(data);
    Ok(Work::of_rows(ours, vec![0.0_f32; data.len()], width, move |i, out| {
        let y = i as f32 / height as f32 - 0.5;
        for (j, (out, pixel)) in out.iter_mut().zip(&data[i * width..]).enumerate() {
            let x = j as f32 / width as f32 - 0.5;
            *out = pixel * (1.0 - x * x - y * y);
        }
    }))
}

fn letters(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    let text = Array1::from_shape_simple_fn(sizes[0], || 90 + random.below(40) as u8);
    let x = device.upload(&text)?;
    let ours = ours!(device, Letters(&x) -> y);
    let text = flat(text);
    Ok(Work::new(ours, vec![0_i32; 26], move |threads, out| {
        let counts = each(threads, text.len(), |range| {
            let mut counts = [0; 26];
            for c in text[range].iter().filter(|c| c.is_ascii_lowercase()) {
                counts[usize::from(c - b'a')] += 1;
            }
            counts
        });
        out.fill(0);
        counts.iter().for_each(|counts| out.iter_mut().zip(counts).for_each(|(out, n)| *out += n));
    }))
}

fn class_sums(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    // Some are of no class.
    let classes = Array1::from_shape_simple_fn(sizes[0], || random.below(70) as i32 - 3);
    let values = uniform(2, 0.0..1.0, sizes[0]);
    let (on_classes, on_values) = (device.upload(&classes)?, device.upload(&values)?);
    let ours = ours!(device, ClassSums(&on_classes, &on_values) -> y);
    let (classes, values) = (flat(classes), flat(values));
    let work = Work::new(ours, vec![0.0_f32; 64], move |threads, out| {
        let sums = each(threads, classes.len(), |range| {
            let mut sums = [0.0_f32; 64];
            for (class, v) in classes[range.clone()].iter().zip(&values[range]) {
                if let Some(sum) = usize::try_from(*class).ok().and_then(|class| sums.get_mut(class)) {
                    *sum += v;
                }
            }
            sums
        });
        out.fill(0.0);
        sums.iter().for_each(|sums| out.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum));
    });
    Ok(work.within(1e-3))
}

fn residuals(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    const BASIS: [[i32; 4]; 4] = [[1, 1, 1, 1], [2, 1, -1, -2], [1, -1, -1, 1], [1, -2, 2, -1]];
    let mut random = Random::new(1);
    let shape = (4 * sizes[0], 4 * sizes[1]);
    let data = ndarray::Array2::from_shape_simple_fn(shape, || random.below(511) as i32 - 255);
    let (width, x) = (shape.1, device.upload(&data)?);
    let ours = ours!(device, Residuals(&x) -> y);
    let data = flat(data);
    Ok(Work::of_rows(ours, vec![0_i32; data.len()], 4 * width, move |y, out| {
        for x in (0..width).step_by(4) {
            let at = |i: usize, j: usize| data[(4 * y + i) * width + x + j];
            let half: [[i32; 4]; 4] = std::array::from_fn(|k| {
                std::array::from_fn(|j| (0..4).map(|i| BASIS[k][i] * at(i, j)).sum())
            });
            for (k, row) in half.iter().enumerate() {
                for (j, weights) in BASIS.iter().enumerate() {
                    out[k * width + x + j] = weights.iter().zip(row).map(|(w, x)| w * x).sum();
                }
            }
        }
    }))
}

fn rotated(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (frame, tensors) = (signed(1, (6, 6)), signed(2, (sizes[0], 6, 6)));
    let (on_frame, on_tensors) = (device.upload(&frame)?, device.upload(&tensors)?);
    let ours = ours!(device, Rotated(&on_frame, &on_tensors) -> y);
    let (frame, tensors) = (flat(frame), flat(tensors));
    Ok(Work::of_rows(ours, vec![0.0_f32; tensors.len()], 36, move |y, out| {
        let t = &tensors[36 * y..][..36];
        let half: [[f32; 6]; 6] = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..6).map(|k| frame[6 * i + k] * t[6 * k + j]).sum())
        });
        for (i, row) in half.iter().enumerate() {
            for j in 0..6 {
                out[6 * i + j] = row.iter().zip(&frame[6 * j..]).map(|(a, b)| a * b).sum();
            }
        }
    }))
}
