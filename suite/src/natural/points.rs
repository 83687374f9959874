//! All pairs of points.

use lift::{Device, prelude::*};

use super::work::{Program, Work, flat, ours};
use crate::input::{Random, signed, uniform};

lift!(
    fn nearer(a: (f32, i32), b: (f32, i32)) -> (f32, i32) {
        if b.0 < a.0 || b.0 == a.0 && b.1 < a.1 { b } else { a }
    }

    fn distance(p: [f32; D], q: [f32; D]) -> f32 {
        zip(p, q).map(|(a, b)| (a - b) * (a - b)).reduce(add, 0.0)
    }

    /// The number of the nearest of 16 centres.
    #[kernel]
    pub fn Assigned<N>(points: [[f32; 3]; N], centres: [[f32; 3]; 16]) -> [i32; N] {
        points.map(|p| {
            let distances = centres.map(distance(p));
            zip(distances, array(16, |k| k as i32)).reduce(nearer, (f32::INFINITY, i32::MAX)).1
        })
    }

    /// How far the nearest point is, and which it is.
    #[kernel]
    pub fn Nearest<N, M>(queries: [(f32, f32); N], points: [(f32, f32); M]) -> [(f32, i32); N] {
        queries.map(|(x, y)| {
            zip(points, array(M, |k| k as i32))
                .map(|(p, k)| ((p.0 - x) * (p.0 - x) + (p.1 - y) * (p.1 - y), k))
                .reduce(nearer, (f32::INFINITY, i32::MAX))
        })
    }

    /// How bodies accelerate each other.
    #[kernel]
    pub fn Gravity<N>(x: [f32; N], y: [f32; N], z: [f32; N], mass: [f32; N]) -> [(f32, f32, f32); N] {
        let bodies = zip(x, y, z, mass);
        bodies.map(|(x, y, z, _)| {
            bodies
                .map(|(px, py, pz, m)| {
                    let (dx, dy, dz) = (px - x, py - y, pz - z);
                    let square = dx * dx + dy * dy + dz * dz + 0.01;
                    let force = m / (square * square.sqrt());
                    (force * dx, force * dy, force * dz)
                })
                .reduce(|a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2), (0.0, 0.0, 0.0))
        })
    }
);

pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "k-means assignment", sizes: &[1 << 18], small: &[&[1], &[331]], make: assigned },
    Program { name: "nearest neighbour", sizes: &[2048, 2048], small: &[&[1, 1], &[37, 53]], make: nearest },
    Program { name: "gravity", sizes: &[1024], small: &[&[1], &[331]], make: gravity },
];

fn assigned(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    // Whole numbers: distances are exact.
    let mut whole = |n| ndarray::Array2::from_shape_simple_fn((n, 3), || random.below(100) as f32);
    let (points, centres) = (whole(sizes[0]), whole(16));
    let (p, c) = (device.upload(&points)?, device.upload(&centres)?);
    let ours = ours!(device, Assigned(&p, &c) -> y);
    let (points, centres) = (flat(points), flat(centres));
    Ok(Work::of_rows(ours, vec![0_i32; sizes[0]], 1, move |i, out| {
        let p = &points[3 * i..][..3];
        let mut least = f32::INFINITY;
        for (k, q) in centres.chunks_exact(3).enumerate() {
            let distance =
                (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]);
            if distance < least {
                (least, out[0]) = (distance, k as i32);
            }
        }
    }))
}

fn nearest(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let mut random = Random::new(1);
    let mut whole = |n| ndarray::Array1::from_shape_simple_fn(n, || random.below(2000) as f32);
    let (qx, qy, px, py) = (whole(sizes[0]), whole(sizes[0]), whole(sizes[1]), whole(sizes[1]));
    let (a, b, c, d) = (device.upload(&qx)?, device.upload(&qy)?, device.upload(&px)?, device.upload(&py)?);
    let ours = ours!(device, Nearest((&a, &b), (&c, &d)) -> (least, which));
    let (qx, qy, px, py) = (flat(qx), flat(qy), flat(px), flat(py));
    Ok(Work::of_rows(ours, vec![[0.0_f32; 2]; sizes[0]], 1, move |i, out| {
        let (x, y) = (qx[i], qy[i]);
        let (mut least, mut which) = (f32::INFINITY, 0);
        for (k, (px, py)) in px.iter().zip(&py).enumerate() {
            let distance = (px - x) * (px - x) + (py - y) * (py - y);
            if distance < least {
                (least, which) = (distance, k);
            }
        }
        out[0] = [least, which as f32];
    }))
}

fn gravity(device: &Device, sizes: &[usize]) -> lift::Result<Work> {
    let n = sizes[0];
    let (x, y, z, mass) = (signed(1, n), signed(2, n), signed(3, n), uniform(4, 0.5..1.5, n));
    let (a, b, c, d) = (device.upload(&x)?, device.upload(&y)?, device.upload(&z)?, device.upload(&mass)?);
    let ours = ours!(device, Gravity(&a, &b, &c, &d) -> (ax, ay, az));
    let (x, y, z, mass) = (flat(x), flat(y), flat(z), flat(mass));
    let work = Work::of_rows(ours, vec![[0.0_f32; 3]; n], 1, move |i, out| {
        let mut sum = [0.0; 3];
        for j in 0..n {
            let (dx, dy, dz) = (x[j] - x[i], y[j] - y[i], z[j] - z[i]);
            let square = dx * dx + dy * dy + dz * dz + 0.01;
            let force = mass[j] / (square * square.sqrt());
            sum = [sum[0] + force * dx, sum[1] + force * dy, sum[2] + force * dz];
        }
        out[0] = sum;
    });
    Ok(work.within(1e-3))
}
