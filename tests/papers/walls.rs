//! Stoltzfus: «Performance Portability of Complex 3D Physical Simulations», sections 6.5 and 6.6: kernels that
//! update grids in place.
//!
//! The thesis writes `writeto(next) << concat(skip(idx), map(id) << arraycons(value, 1), skip(N - 1 - idx))` inside a
//! `map` over the boundary points; that is `scatter_to(next, indices, values)`. `array.at[idx]` inside of such a map is
//! `gather`. A grid of three dimensions is one row of points here, as in the listings.

use lift::ndarray::{Array1, Array2, Array3};
use lift::prelude::*;

use crate::{assert_close, random, six};

lift! {
    // Listing 6.12: in-place updates of some elements.
    fn f(x: f32) -> f32 { 2.0 * x + 1.0 }

    #[kernel]
    fn UpdateSome<P, NB>(input: &mut [f32; P], indices: [i32; NB]) {
        scatter_to(input, indices, map(f) << gather(indices, input));
    }

    // Listing 6.18: two arrays of different lengths, both updated.
    fn update_next(x: f32) -> f32 { 0.5 * x }

    fn update_vel(x: f32) -> f32 { x - 1.0 }

    #[kernel]
    fn UpdateBoth<N, M>(next: &mut [f32; N], vel: &mut [f32; M]) {
        write_to(next, map(update_next) << next);
        write_to(vel, map(update_vel) << vel);
    }

    // Listing 6.20, in place: `next` is written where there is air, and stays as it is elsewhere.
    #[kernel]
    fn VolumeInPlace<O, N, M>(
        next: &mut [[[f32; M]; N]; O],
        curr: [[[f32; M + 2]; N + 2]; O + 2],
        prev: [[[f32; M + 2]; N + 2]; O + 2],
        neighbour_arr: [[[i32; M]; N]; O],
    ) {
        write_to(next, map3d(|m| {
            let curr_stencil =
                m.1[0][1][1] + m.1[1][0][1] + m.1[1][1][0] +
                m.1[1][1][2] + m.1[1][2][1] + m.1[2][1][1];
            let prev_stencil =
                m.2[0][1][1] + m.2[1][0][1] + m.2[1][1][0] +
                m.2[1][1][2] + m.2[1][2][1] + m.2[2][1][1];
            let nbr = m.3 as f32;
            if m.3 > 0 {
                (2.0 - 0.3 * nbr) * m.1[1][1][1] + (0.05 * nbr - 1.0) * m.2[1][1][1]
                    + 0.3 * curr_stencil - 0.05 * prev_stencil
            } else {
                m.0
            }
        }) << zip3d(next, slide3d(3, 1, curr), slide3d(3, 1, prev), neighbour_arr));
    }

    // Listing 6.21: FI-MM. `l` is the Courant number; the function of the boundary is that of listing 6.2.
    fn boundary_handle(next: f32, prev: f32, cf: f32) -> f32 { (next + cf * prev) / (1.0 + cf) }

    #[kernel]
    fn BoundaryFiMm<NB, MM, P>(
        l: f32,
        boundary_indices: [i32; NB],
        nbrs: [i32; NB],
        material: [i32; NB],
        beta: [f32; MM],
        next: &mut [f32; P],
        prev: [f32; P],
    ) {
        scatter_to(next, boundary_indices, map(|tup| {
            let nbr = tup.0;
            let beta_val = tup.1;
            let next_val = tup.2;
            let prev_val = tup.3;
            let cf = 0.5 * l * (6 - nbr) as f32 * beta_val;
            boundary_handle(next_val, prev_val, cf)
        }) << zip(nbrs, gather(material, beta), gather(boundary_indices, next), gather(boundary_indices, prev)));
    }

    // Listing 6.22: FD-MM, with what listing 6.3 computes where the listing has dots. Each boundary point has a state
    // of `BR` branches; the arrays of states are transposed, so that a point has its branches together. The
    // coefficients of a branch are BI, D, F and DI of the point's material.
    fn pressure(l: f32, nbr: i32, next: f32, prev: f32, beta: f32, branches: f32) -> f32 {
        let cf1 = l * (6 - nbr) as f32;
        let cf = 0.5 * cf1 * beta;
        (next - cf1 * branches + cf * prev) / (1.0 + cf)
    }

    #[kernel]
    fn BoundaryFdMm<NB, BR, MM, P>(
        l: f32,
        boundary_indices: [i32; NB],
        nbrs: [i32; NB],
        material: [i32; NB],
        next: &mut [f32; P],
        prev: [f32; P],
        vel_next: &mut [[f32; NB]; BR],
        vel_prev: [[f32; NB]; BR],
        g1: &mut [[f32; NB]; BR],
        beta: [f32; MM],
        bi: [[f32; BR]; MM],
        d: [[f32; BR]; MM],
        f: [[f32; BR]; MM],
        di: [[f32; BR]; MM],
    ) {
        let coefficients = gather(material, zip2d(bi, d, f, di));
        let u_prev = gather(boundary_indices, prev);
        let u_val_updated = map(|(nbr, u, before, beta_val, g, v, k)| {
            let branches = map(|(g, v, (bi, d, f, di))| bi * (2.0 * d * v - f * g)) << zip(g, v, k);
            pressure(l, nbr, u, before, beta_val, reduce(add, 0.0, branches))
        }) << zip(nbrs, gather(boundary_indices, next), u_prev, gather(material, beta), transpose(g1),
            transpose(vel_prev), coefficients);
        let vel_next_val_updated = transpose . map(|(u, before, g, v, k)|
            map(|(g, v, (bi, d, f, di))| bi * (u - before + di * v - 2.0 * f * g)) << zip(g, v, k))
            << zip(u_val_updated, u_prev, transpose(g1), transpose(vel_prev), coefficients);

        scatter_to(next, boundary_indices, u_val_updated);
        write_to(g1, map2d(|(v1, g, v2)| g + 0.5 * (v1 + v2)) << zip2d(vel_next_val_updated, g1, vel_prev));
        write_to(vel_next, vel_next_val_updated);
    }
}

/// Walls of a room of `points` points: every third point, in no order, each of one of three materials.
struct Walls {
    indices: Array1<i32>,
    nbrs: Array1<i32>,
    material: Array1<i32>,
}

const MATERIALS: usize = 3;

fn walls(points: usize) -> Walls {
    let count = points.div_ceil(3);
    // 7 and the number of points on the walls may have a common divisor; then the order is that of the numbers.
    let step = if count.is_multiple_of(7) { 1 } else { 7 };
    let indices = Array1::from_shape_fn(count, |i| (3 * (i * step % count)) as i32);
    Walls { nbrs: indices.map(|i| 3 + i % 3), material: indices.map(|i| (i / 2) % MATERIALS as i32), indices }
}

const POINTS: [usize; 4] = [1, 2, 50, 1003];

macro_rules! each_version {
    ($kernel:ident, |$k:ident| $run:expr) => {{
        let launcher = $kernel::on(&common::device()).expect("a launcher");
        for variant in $kernel::VARIANTS {
            let $k = launcher.variant(&variant.name).expect("the variant");
            $run
        }
    }};
}

#[test]
fn listing_6_12_writing_in_place() {
    for points in POINTS {
        let (before, walls) = (random(points, 612), walls(points));
        let mut expected = before.map(|x| f64::from(*x));
        for i in &walls.indices {
            expected[*i as usize] = 2.0 * expected[*i as usize] + 1.0;
        }
        each_version!(UpdateSome, |k| {
            let mut input = before.clone();
            k.run(&mut input, &walls.indices).expect("a run");
            assert_close(&input, &expected);
        });
    }
}

#[test]
fn listing_6_18_writing_to_two_arrays() {
    let (next, vel) = (random(33, 618), random(20, 619));
    each_version!(UpdateBoth, |k| {
        let (mut a, mut b) = (next.clone(), vel.clone());
        k.run(&mut a, &mut b).expect("a run");
        assert_close(&a, &next.map(|x| 0.5 * f64::from(*x)));
        assert_close(&b, &vel.map(|x| f64::from(*x) - 1.0));
    });
}

#[test]
fn listing_6_20_in_place() {
    for (o, n, m) in [(1, 1, 1), (2, 3, 2), (9, 17, 33)] {
        let outer = (o + 2, n + 2, m + 2);
        let (next, curr, prev) = (random((o, n, m), 620), random(outer, 621), random(outer, 622));
        let nbrs = Array3::from_shape_fn((o, n, m), |(i, j, k)| ((i + 2 * j + 3 * k) % 7) as i32);
        let expected = Array3::from_shape_fn((o, n, m), |(i, j, k)| {
            let (nbr, at) = (f64::from(nbrs[[i, j, k]]), [i + 1, j + 1, k + 1]);
            if nbr == 0.0 {
                return f64::from(next[[i, j, k]]);
            }
            (2.0 - 0.3 * nbr) * f64::from(curr[at])
                + (0.05 * nbr - 1.0) * f64::from(prev[at])
                + 0.3 * six(&curr, at)
                - 0.05 * six(&prev, at)
        });
        each_version!(VolumeInPlace, |k| {
            let mut grid = next.clone();
            k.run(&mut grid, &curr, &prev, &nbrs).expect("a run");
            assert_close(&grid, &expected);
        });
    }
}

#[test]
fn listing_6_21_fi_mm() {
    let (l, beta) = (0.57_f32, [0.1_f32, 0.4, 0.9]);
    for points in POINTS {
        let (next, prev, walls) = (random(points, 1), random(points, 2), walls(points));
        // Listing 6.2.
        let mut expected = next.map(|x| f64::from(*x));
        for ((idx, nbr), mi) in walls.indices.iter().zip(&walls.nbrs).zip(&walls.material) {
            let (idx, mi) = (*idx as usize, *mi as usize);
            let cf = 0.5 * f64::from(l) * f64::from(6 - nbr) * f64::from(beta[mi]);
            expected[idx] = (expected[idx] + cf * f64::from(prev[idx])) / (1.0 + cf);
        }
        each_version!(BoundaryFiMm, |k| {
            let mut grid = next.clone();
            k.run(l, &walls.indices, &walls.nbrs, &walls.material, &beta, &mut grid, &prev).expect("a run");
            assert_close(&grid, &expected);
        });
    }
}

#[test]
fn listing_6_22_fd_mm() {
    let (l, beta) = (0.57_f32, random(MATERIALS, 3));
    for (points, branches) in POINTS.into_iter().zip([1, 3, 2, 5]) {
        let (next, prev, walls) = (random(points, 4), random(points, 5), walls(points));
        let state = (branches, walls.indices.len());
        let (vel_prev, g1) = (random(state, 6), random(state, 7));
        let of_material = |seed: u64| random((MATERIALS, branches), seed);
        let (bi, d, f, di) = (of_material(8), of_material(9), of_material(10), of_material(11));

        // Listing 6.3.
        let mut new_next = next.map(|x| f64::from(*x));
        let mut new_g1 = g1.map(|x| f64::from(*x));
        let mut new_vel = Array2::<f64>::zeros(state);
        for i in 0..walls.indices.len() {
            let (idx, mi) = (walls.indices[i] as usize, walls.material[i] as usize);
            let of = |k: &Array2<f32>, b: usize| f64::from(k[[mi, b]]);
            let (g, v2) = (|b: usize| f64::from(g1[[b, i]]), |b: usize| f64::from(vel_prev[[b, i]]));
            let cf1 = f64::from(l) * f64::from(6 - walls.nbrs[i]);
            let cf = 0.5 * cf1 * f64::from(beta[mi]);
            let before = f64::from(prev[idx]);
            let mut after = f64::from(next[idx]);
            for b in 0..branches {
                after -= cf1 * of(&bi, b) * (2.0 * of(&d, b) * v2(b) - of(&f, b) * g(b));
            }
            after = (after + cf * before) / (1.0 + cf);
            new_next[idx] = after;
            for b in 0..branches {
                let v1 = of(&bi, b) * (after - before + of(&di, b) * v2(b) - 2.0 * of(&f, b) * g(b));
                new_g1[[b, i]] = g(b) + 0.5 * (v1 + v2(b));
                new_vel[[b, i]] = v1;
            }
        }

        each_version!(BoundaryFdMm, |k| {
            let (mut a, mut b, mut c) = (next.clone(), Array2::zeros(state), g1.clone());
            let Walls { indices, nbrs, material } = &walls;
            k.run(
                l, indices, nbrs, material, &mut a, &prev, &mut b, &vel_prev, &mut c, &beta, &bi, &d, &f, &di,
            )
            .expect("a run");
            assert_close(&a, &new_next);
            assert_close(&b, &new_vel);
            assert_close(&c, &new_g1);
        });
    }
}
