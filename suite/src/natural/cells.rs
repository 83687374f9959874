//! Cells that depend on their neighbours or on nothing else.

use lift::{Device, prelude::*};
use ndarray::{Array1, Array2};

use super::work::{Padded, Program, Work, flat, ours, rows};
use crate::input::{Random, uniform, uniform_f64};

lift!(
    /// The weights of nine directions.
    const WEIGHTS: [f64; 9] = [
        0.4444444444444444,
        0.1111111111111111,
        0.1111111111111111,
        0.1111111111111111,
        0.1111111111111111,
        0.027777777777777776,
        0.027777777777777776,
        0.027777777777777776,
        0.027777777777777776,
    ];
    const RIGHT: [f64; 9] = [0.0, 1.0, 0.0, -1.0, 0.0, 1.0, -1.0, -1.0, 1.0];
    const DOWN: [f64; 9] = [0.0, 0.0, 1.0, 0.0, -1.0, 1.0, 1.0, -1.0, -1.0];

    /// What collides comes closer to the equilibrium.
    fn relax(f: [f64; 9]) -> [f64; 9] {
        let density = f.reduce(add, 0.0);
        let x = zip(f, RIGHT).map(mul).reduce(add, 0.0) / density;
        let y = zip(f, DOWN).map(mul).reduce(add, 0.0) / density;
        let square = 1.5 * (x * x + y * y);
        zip(f, WEIGHTS, RIGHT, DOWN).map(|(f, w, right, down)| {
            let along = 3.0 * (right * x + down * y);
            f + 0.6 * (w * density * (1.0 + along + 0.5 * along * along - square) - f)
        })
    }

    /// What hits a wall goes back.
    fn bounce(f: [f64; 9]) -> [f64; 9] {
        [f[0], f[3], f[4], f[1], f[2], f[7], f[8], f[5], f[6]]
    }

    /// The collisions of a lattice Boltzmann method, with obstacles.
    #[kernel]
    pub fn Collided<N, M>(cells: [[[f64; 9]; M]; N], solid: [[i32; M]; N]) -> [[[f64; 9]; M]; N] {
        zip2d(cells, solid).map2d(|f, solid| if solid == 1 { bounce(f) } else { relax(f) })
    }

    /// Conway's game of life.
    #[kernel]
    pub fn Life<N, M>(cells: [[u8; M]; N]) -> [[u8; M]; N] {
        cells.pad2d(1, 1, wrap).slide2d(3, 1).map2d(|w| {
            let alive = w[1][1];
            let neighbours = w.join().reduce(wrapping_add, 0) - alive;
            if neighbours == 3 || neighbours == 2 && alive == 1 { 1 } else { 0 }
        })
    }

    /// A step of the heat equation in a material that conducts differently everywhere.
    #[kernel]
    pub fn Heat<N, M>(temperature: [[f32; M]; N], conductivity: [[f32; M]; N]) -> [[f32; M]; N] {
        let t = temperature.pad2d(1, 1, clamp).slide2d(3, 1);
        let k = conductivity.pad2d(1, 1, clamp).slide2d(3, 1);
        zip2d(t, k).map2d(|t, k| {
            let flow = (k[1][1] + k[0][1]) * (t[0][1] - t[1][1])
                + (k[1][1] + k[2][1]) * (t[2][1] - t[1][1])
                + (k[1][1] + k[1][0]) * (t[1][0] - t[1][1])
                + (k[1][1] + k[1][2]) * (t[1][2] - t[1][1]);
            t[1][1] + 0.1 * flow
        })
    }

    /// How many steps a point of the plane stays near.
    #[kernel]
    pub fn Escape<N, M>(limit: usize, im: [f32; N], re: [f32; M]) -> [[i32; M]; N] {
        im.map(|im| {
            re.map(|re| {
                let is_far = |x, y, _| x * x + y * y > 4.0;
                let step = |x, y, n| (x * x - y * y + re, 2.0 * x * y + im, n + 1);
                iterate_until(limit, is_far, step, (0.0, 0.0, 0)).2
            })
        })
    }

    /// What takes long to compute, three times.
    #[kernel]
    pub fn Tripled<N>(xs: [f32; N]) -> [[f32; 3]; N] {
        xs.map(|x| {
            let y = iterate(20, |y| 0.5 * (y + x / y), x);
            [y, 2.0 * y, 3.0 * y]
        })
    }
);

const AWKWARD: &[&[usize]] = &[&[1, 1], &[41, 67]];

pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "lattice Boltzmann", sizes: &[512, 512], small: AWKWARD, make: collided },
    Program { name: "life", sizes: &[2048, 2048], small: AWKWARD, make: life },
    Program { name: "heat", sizes: &[2048, 2048], small: AWKWARD, make: heat },
    Program { name: "Mandelbrot", sizes: &[512, 512], small: AWKWARD, make: escape },
    Program { name: "one value thrice", sizes: &[1 << 17], small: &[&[1], &[331]], make: tripled },
];

// The same as in the kernel.
const WEIGHTS: [f64; 9] = [
    0.4444444444444444,
    0.1111111111111111,
    0.1111111111111111,
    0.1111111111111111,
    0.1111111111111111,
    0.027777777777777776,
    0.027777777777777776,
    0.027777777777777776,
    0.027777777777777776,
];
const RIGHT: [f64; 9] = [0.0, 1.0, 0.0, -1.0, 0.0, 1.0, -1.0, -1.0, 1.0];
const DOWN: [f64; 9] = [0.0, 0.0, 1.0, 0.0, -1.0, 1.0, 1.0, -1.0, -1.0];

fn collided(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let cells = uniform_f64(1, 0.5..1.5, (sizes[0], sizes[1], 9));
    let mut random = Random::new(2);
    let solid = Array2::from_shape_simple_fn((sizes[0], sizes[1]), || i32::from(random.below(8) == 0));
    let (c, s) = (device.upload(&cells)?, device.upload(&solid)?);
    let ours = ours!(device, Collided(&c, &s) -> y);
    let (cells, solid) = (flat(cells), flat(solid));
    Ok(Work::of_rows(ours, vec![0.0_f64; cells.len()], 9, move |i, out| {
        let f = &cells[9 * i..][..9];
        if solid[i] == 1 {
            out.copy_from_slice(&[f[0], f[3], f[4], f[1], f[2], f[7], f[8], f[5], f[6]]);
            return;
        }
        let density: f64 = f.iter().sum();
        let x = f.iter().zip(&RIGHT).map(|(f, right)| f * right).sum::<f64>() / density;
        let y = f.iter().zip(&DOWN).map(|(f, down)| f * down).sum::<f64>() / density;
        let square = 1.5 * (x * x + y * y);
        for k in 0..9 {
            let along = 3.0 * (RIGHT[k] * x + DOWN[k] * y);
            let wanted = WEIGHTS[k] * density * (1.0 + along + 0.5 * along * along - square);
            out[k] = f[k] + 0.6 * (wanted - f[k]);
        }
    }))
}

fn life(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    let (height, width) = (sizes[0], sizes[1]);
    let cells = Array2::from_shape_simple_fn((height, width), || random.below(2) as u8);
    let x = device.upload(&cells)?;
    let ours = ours!(device, Life(&x) -> y);
    let cells = flat(cells);
    Ok(Work::of_rows(ours, vec![0_u8; cells.len()], width, move |y, out| {
        let row = |y: usize| &cells[y % height * width..][..width];
        let window = [row(y + height - 1), row(y), row(y + 1)];
        let cell = |left: usize, x: usize, right: usize| {
            let neighbours: u8 =
                window.iter().map(|row| row[left] + row[x] + row[right]).sum::<u8>() - window[1][x];
            u8::from(neighbours == 3 || neighbours == 2 && window[1][x] == 1)
        };
        for (x, out) in out.iter_mut().enumerate().take(width - 1).skip(1) {
            *out = cell(x - 1, x, x + 1);
        }
        for x in [0, width - 1] {
            out[x] = cell((x + width - 1) % width, x, (x + 1) % width);
        }
    }))
}

fn heat(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let (height, width) = (sizes[0], sizes[1]);
    let (temperature, conductivity) =
        (uniform(1, 0.0..1.0, (height, width)), uniform(2, 0.1..1.0, (height, width)));
    let (a, b) = (device.upload(&temperature)?, device.upload(&conductivity)?);
    let ours = ours!(device, Heat(&a, &b) -> y);
    let (temperature, conductivity) = (flat(temperature), flat(conductivity));
    let (mut t, mut k) = (Padded::new(height, width, 1), Padded::new(height, width, 1));
    Ok(Work::new(ours, vec![0.0_f32; height * width], move |threads, out| {
        t.fill(threads, &temperature);
        k.fill(threads, &conductivity);
        rows(threads, out, width, |y, out| {
            let (t, k) = (t.rows::<3>(y), k.rows::<3>(y));
            for (x, out) in out.iter_mut().enumerate() {
                let (here, material) = (t[1][x + 1], k[1][x + 1]);
                let flow = (material + k[0][x + 1]) * (t[0][x + 1] - here)
                    + (material + k[2][x + 1]) * (t[2][x + 1] - here)
                    + (material + k[1][x]) * (t[1][x] - here)
                    + (material + k[1][x + 2]) * (t[1][x + 2] - here);
                *out = here + 0.1 * flow;
            }
        });
    }))
}

fn escape(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    const LIMIT: usize = 100;
    let (height, width) = (sizes[0], sizes[1]);
    let (im, re) = (
        Array1::from_shape_fn(height, |i| 3.0 * i as f32 / height as f32 - 1.5),
        Array1::from_shape_fn(width, |j| 3.0 * j as f32 / width as f32 - 2.0),
    );
    let (a, b) = (device.upload(&im)?, device.upload(&re)?);
    let ours = ours!(device, Escape(LIMIT, &a, &b) -> y);
    let work = Work::of_rows(ours, vec![0_i32; height * width], width, move |i, out| {
        for (out, &re) in out.iter_mut().zip(&re) {
            let im = im[i];
            let (mut x, mut y, mut n) = (0.0_f32, 0.0_f32, 0);
            while n < LIMIT as i32 && x * x + y * y <= 4.0 {
                (x, y, n) = (x * x - y * y + re, 2.0 * x * y + im, n + 1);
            }
            *out = n;
        }
    });
    // Orbits near the edge of the set are chaotic.
    Ok(work.with_strays(0.01))
}

fn tripled(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let data = uniform(1, 1.0..100.0, sizes[0]);
    let x = device.upload(&data)?;
    let ours = ours!(device, Tripled(&x) -> y);
    let data = flat(data);
    Ok(Work::of_rows(ours, vec![0.0_f32; 3 * data.len()], 3, move |i, out| {
        let mut y = data[i];
        for _ in 0..20 {
            y = 0.5 * (y + data[i] / y);
        }
        out.copy_from_slice(&[y, 2.0 * y, 3.0 * y]);
    }))
}
