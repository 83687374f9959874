//! Pictures: corners, edges, colours, and filters whose weights depend on the pixels.

use lift::{Device, prelude::*};

use super::images::photo;
use super::work::{Padded, Program, Work, each, flat, ours, rows};
use crate::input::{Random, uniform};

lift!(
    /// What the distance from the centre of a window counts.
    const NEAR: [[f32; 5]; 5] = [
        [0.37, 0.54, 0.61, 0.54, 0.37],
        [0.54, 0.78, 0.88, 0.78, 0.54],
        [0.61, 0.88, 1.0, 0.88, 0.61],
        [0.54, 0.78, 0.88, 0.78, 0.54],
        [0.37, 0.54, 0.61, 0.54, 0.37],
    ];

    /// To the right, and down.
    fn gradient(w: [[f32; 3]; 3]) -> (f32, f32) {
        let right = w[0][2] + 2.0 * w[1][2] + w[2][2] - w[0][0] - 2.0 * w[1][0] - w[2][0];
        let down = w[2][0] + 2.0 * w[2][1] + w[2][2] - w[0][0] - 2.0 * w[0][1] - w[0][2];
        (right, down)
    }

    fn add3(a: (f32, f32, f32), b: (f32, f32, f32)) -> (f32, f32, f32) {
        (a.0 + b.0, a.1 + b.1, a.2 + b.2)
    }

    /// The response of Harris's detector of corners.
    #[kernel]
    pub fn Harris<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        let gradients = image.pad2d(1, 1, clamp).slide2d(3, 1).map2d(gradient);
        let products = gradients.map2d(|x, y| (x * x, x * y, y * y));
        let sums =
            products.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add3, (0.0, 0.0, 0.0)));
        sums.map2d(|(xx, xy, yy)| xx * yy - xy * xy - 0.04 * (xx + yy) * (xx + yy))
    }

    /// Gradients that are the largest across the edge, squared; others are 0.
    #[kernel]
    pub fn ThinEdges<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        let gradients = image.pad2d(1, 1, clamp).slide2d(3, 1).map2d(gradient);
        gradients.pad2d(1, 1, constant((0.0, 0.0))).slide2d(3, 1).map2d(|w| {
            let size = w.map2d(|x, y| x * x + y * y);
            let (x, y) = w[1][1];
            let (before, after) = if y.abs() <= 0.4142 * x.abs() {
                (size[1][0], size[1][2])
            } else if x.abs() <= 0.4142 * y.abs() {
                (size[0][1], size[2][1])
            } else if x * y > 0.0 {
                (size[0][0], size[2][2])
            } else {
                (size[0][2], size[2][0])
            };
            if size[1][1] > before && size[1][1] >= after { size[1][1] } else { 0.0 }
        })
    }

    /// Smoothed, but not across edges.
    #[kernel]
    pub fn Bilateral<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.pad2d(2, 2, clamp).slide2d(5, 1).map2d(|w| {
            let centre = w[2][2];
            let (sum, total) = zip(NEAR.join(), w.join())
                .map(|near, x| {
                    let weight = near * (-0.002 * (x - centre) * (x - centre)).exp();
                    (weight * x, weight)
                })
                .reduce(|a, b| (a.0 + b.0, a.1 + b.1), (0.0, 0.0));
            sum / total
        })
    }

    /// Hue, saturation and value.
    pub struct Hsv {
        /// 0 to 6.
        pub hue: f32,
        /// 0 to 1.
        pub saturation: f32,
        /// The largest component.
        pub value: f32,
    }

    fn hsv(r: f32, g: f32, b: f32) -> Hsv {
        let (top, bottom) = (r.max(g).max(b), r.min(g).min(b));
        let range = top - bottom;
        let hue = if range == 0.0 {
            0.0
        } else if top == r {
            let angle = (g - b) / range;
            if angle < 0.0 { angle + 6.0 } else { angle }
        } else if top == g {
            2.0 + (b - r) / range
        } else {
            4.0 + (r - g) / range
        };
        Hsv { hue, saturation: if top == 0.0 { 0.0 } else { range / top }, value: top }
    }

    /// Pixel by pixel, components side by side.
    #[kernel]
    pub fn HsvPixels<N, M>(image: [[[f32; 3]; M]; N]) -> [[[f32; 3]; M]; N] {
        image.map2d(|[r, g, b]| {
            let Hsv { hue, saturation, value } = hsv(r, g, b);
            [hue, saturation, value]
        })
    }

    /// Planes of components.
    #[kernel]
    pub fn HsvPlanes<N, M>(r: [[f32; M]; N], g: [[f32; M]; N], b: [[f32; M]; N]) -> [[Hsv; M]; N] {
        zip2d(r, g, b).map2d(hsv)
    }

    /// The same number of pixels for each brightness, as far as can be: counts, their sums, a table.
    #[kernel]
    pub fn Equalised<N, M>(image: [[u8; M]; N]) -> [[f32; M]; N] {
        let table = image.join().histogram(256).scan(add, 0).map(|below| below as f32 / (N * M) as f32);
        image.map(|row| gather(row, table))
    }
);

const AWKWARD: &[&[usize]] = &[&[1, 1], &[41, 67]];

pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "Harris corners", sizes: &[1024, 1024], small: AWKWARD, make: harris },
    Program { name: "thin edges", sizes: &[1024, 1024], small: AWKWARD, make: thin_edges },
    Program { name: "bilateral", sizes: &[384, 384], small: AWKWARD, make: bilateral },
    Program { name: "HSV, pixels", sizes: &[1024, 1024], small: AWKWARD, make: hsv_pixels },
    Program { name: "HSV, planes", sizes: &[1024, 1024], small: AWKWARD, make: hsv_planes },
    Program { name: "equalised", sizes: &[1024, 1024], small: AWKWARD, make: equalised },
];

fn gradient_loop(w: &[&[f32]; 3], x: usize) -> (f32, f32) {
    let right = w[0][x + 2] + 2.0 * w[1][x + 2] + w[2][x + 2] - w[0][x] - 2.0 * w[1][x] - w[2][x];
    let down = w[2][x] + 2.0 * w[2][x + 1] + w[2][x + 2] - w[0][x] - 2.0 * w[0][x + 1] - w[0][x + 2];
    (right, down)
}

fn harris(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (image, height, width) = (photo(1, sizes), sizes[0], sizes[1]);
    let x = device.upload(&image)?;
    let ours = ours!(device, Harris(&x) -> y);
    let image = flat(image);
    let mut padded = Padded::new(height, width, 1);
    let mut products = vec![[0.0_f32; 3]; image.len()];
    let work = Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        padded.fill(threads, &image);
        rows(threads, &mut products, width, |y, out| {
            let window = padded.rows::<3>(y);
            for (x, out) in out.iter_mut().enumerate() {
                let (right, down) = gradient_loop(&window, x);
                *out = [right * right, right * down, down * down];
            }
        });
        rows(threads, out, width, |y, out| {
            for (x, out) in out.iter_mut().enumerate() {
                let mut sums = [0.0; 3];
                for y in [y.saturating_sub(1), y, (y + 1).min(height - 1)] {
                    for x in [x.saturating_sub(1), x, (x + 1).min(width - 1)] {
                        sums.iter_mut()
                            .zip(products[y * width + x])
                            .for_each(|(sum, product)| *sum += product);
                    }
                }
                let [xx, xy, yy] = sums;
                *out = xx * yy - xy * xy - 0.04 * (xx + yy) * (xx + yy);
            }
        });
    });
    Ok(work.within(1e-3))
}

fn thin_edges(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (image, height, width) = (photo(1, sizes), sizes[0], sizes[1]);
    let x = device.upload(&image)?;
    let ours = ours!(device, ThinEdges(&x) -> y);
    let image = flat(image);
    let mut padded = Padded::new(height, width, 1);
    // With a border of zeros, which stay.
    let mut gradients = vec![(0.0_f32, 0.0_f32); (height + 2) * (width + 2)];
    Ok(Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        padded.fill(threads, &image);
        rows(threads, &mut gradients[width + 2..][..height * (width + 2)], width + 2, |y, out| {
            let window = padded.rows::<3>(y);
            for (x, out) in out[1..=width].iter_mut().enumerate() {
                *out = gradient_loop(&window, x);
            }
        });
        rows(threads, out, width, |y, out| {
            let size = |dy: usize, x: usize| {
                let (right, down) = gradients[(y + dy) * (width + 2) + x];
                right * right + down * down
            };
            for (x, out) in out.iter_mut().enumerate() {
                let (right, down) = gradients[(y + 1) * (width + 2) + x + 1];
                let (before, after) = if down.abs() <= 0.4142 * right.abs() {
                    (size(1, x), size(1, x + 2))
                } else if right.abs() <= 0.4142 * down.abs() {
                    (size(0, x + 1), size(2, x + 1))
                } else if right * down > 0.0 {
                    (size(0, x), size(2, x + 2))
                } else {
                    (size(0, x + 2), size(2, x))
                };
                let here = size(1, x + 1);
                *out = if here > before && here >= after { here } else { 0.0 };
            }
        });
    }))
}

/// The same table as in the kernel.
const NEAR: [[f32; 5]; 5] = [
    [0.37, 0.54, 0.61, 0.54, 0.37],
    [0.54, 0.78, 0.88, 0.78, 0.54],
    [0.61, 0.88, 1.0, 0.88, 0.61],
    [0.54, 0.78, 0.88, 0.78, 0.54],
    [0.37, 0.54, 0.61, 0.54, 0.37],
];

fn bilateral(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (image, height, width) = (photo(1, sizes), sizes[0], sizes[1]);
    let x = device.upload(&image)?;
    let ours = ours!(device, Bilateral(&x) -> y);
    let image = flat(image);
    let mut padded = Padded::new(height, width, 2);
    Ok(Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        padded.windows::<5>(threads, &image, out, |rows, x| {
            let centre = rows[2][x + 2];
            let (mut sum, mut total) = (0.0, 0.0);
            for (row, nears) in rows.iter().zip(&NEAR) {
                for (x, near) in row[x..x + 5].iter().zip(nears) {
                    let weight = near * (-0.002 * (x - centre) * (x - centre)).exp();
                    sum += weight * x;
                    total += weight;
                }
            }
            sum / total
        });
    }))
}

fn hsv_pixels(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let image = uniform(1, 0.0..1.0, (sizes[0], sizes[1], 3));
    let x = device.upload(&image)?;
    let ours = ours!(device, HsvPixels(&x) -> y);
    let (image, width) = (flat(image), 3 * sizes[1]);
    Ok(Work::of_rows(ours, vec![0.0_f32; image.len()], width, move |y, out| {
        for (out, x) in out.chunks_exact_mut(3).zip(image[y * width..].chunks_exact(3)) {
            let Hsv { hue, saturation, value } = hsv(x[0], x[1], x[2]);
            out.copy_from_slice(&[hue, saturation, value]);
        }
    }))
}

fn hsv_planes(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let shape = (sizes[0], sizes[1]);
    let (r, g, b) = (uniform(1, 0.0..1.0, shape), uniform(2, 0.0..1.0, shape), uniform(3, 0.0..1.0, shape));
    let (on_r, on_g, on_b) = (device.upload(&r)?, device.upload(&g)?, device.upload(&b)?);
    let ours = ours!(device, HsvPlanes(&on_r, &on_g, &on_b) -> HsvArrays { hue, saturation, value });
    let (r, g, b, width) = (flat(r), flat(g), flat(b), sizes[1]);
    Ok(Work::of_rows(ours, vec![[0.0_f32; 3]; r.len()], width, move |y, out| {
        let (r, g, b) = (&r[y * width..], &g[y * width..], &b[y * width..]);
        for (((out, r), g), b) in out.iter_mut().zip(r).zip(g).zip(b) {
            let Hsv { hue, saturation, value } = hsv(*r, *g, *b);
            *out = [hue, saturation, value];
        }
    }))
}

fn equalised(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    let image = ndarray::Array2::from_shape_simple_fn((sizes[0], sizes[1]), || {
        (random.below(16) * random.below(17)) as u8
    });
    let x = device.upload(&image)?;
    let ours = ours!(device, Equalised(&x) -> y);
    let (image, width) = (flat(image), sizes[1]);
    Ok(Work::new(ours, vec![0.0_f32; image.len()], move |threads, out| {
        let counts = each(threads, image.len(), |range| {
            let mut counts = [0; 256];
            image[range].iter().for_each(|x| counts[usize::from(*x)] += 1);
            counts
        });
        let (mut table, mut below) = ([0.0; 256], 0);
        for (x, out) in table.iter_mut().enumerate() {
            below += counts.iter().map(|counts| counts[x]).sum::<i32>();
            *out = below as f32 / image.len() as f32;
        }
        rows(threads, out, width, |y, out| {
            for (out, x) in out.iter_mut().zip(&image[y * width..]) {
                *out = table[usize::from(*x)];
            }
        });
    }))
}
