//! Stoltzfus, Hagedorn, Steuwer, Gorlatch, Dubach: «Tiling Optimizations for Stencil Computations Using Rewrite Rules
//! in Lift», TACO 2019.

use lift::ndarray::{Array1, Array2, Array3};
use lift::prelude::*;

use crate::{every_version, random, six};

/// Listing 1: sums of three neighbours with clamped edges, as a loop.
fn sums(a: &Array1<f32>) -> Array1<f64> {
    let n = a.len() as isize;
    Array1::from_shape_fn(a.len(), |i| {
        (-1..=1).map(|j| f64::from(a[(i as isize + j).clamp(0, n - 1) as usize])).sum()
    })
}

// Listing 2: nested calls, from the inside to the outside. Listing 4: the same in tiles of three results, which stay
// apart; a number of elements that is not a multiple of three has no such tiles.
lift! {
    fn sum_nbh(nbh: [f32; 3]) -> f32 { reduce(add, 0.0, nbh) }

    #[kernel]
    fn Stencil<N>(a: [f32; N]) -> [f32; N] {
        map(sum_nbh,
            slide(3, 1,
                pad(1, 1, clamp, a)))
    }

    #[kernel]
    #[size(N % 3 == 0)]
    fn Tiled<N>(a: [f32; N]) -> [[f32; 3]; N / 3] {
        map(|tile|
            map(sum_nbh, slide(3, 1, tile)),
            slide(5, 3,
                pad(1, 1, clamp, a)))
    }
}

#[test]
fn listing_2_three_point_jacobi() {
    for n in [1, 2, 3, 8, 301] {
        let a = random(n, 2);
        every_version!(Stencil(&a), &sums(&a));
    }
}

#[test]
fn listing_4_overlapped_tiling() {
    for tiles in [1, 2, 3, 100] {
        let a = random(3 * tiles, 4);
        let expected: Array2<f64> = sums(&a).into_shape_with_order((tiles, 3)).expect("as many elements");
        every_version!(Tiled(&a), &expected);
    }
    let tiled = Tiled::on(&common::device()).expect("a launcher");
    let error = tiled.run(&[0.0; 7]).expect_err("not a multiple").to_string();
    assert!(error.contains("N % 3 == 0"), "{error}");
}

// Listing 3: a room. The grid of two steps before is read point by point, that of the step before in
// neighbourhoods; around the room there is silence. How many neighbours a point has is computed where it is read.
// The loss at the walls and the square of the Courant number are constants.
const LOSSES: (f64, f64) = (0.98, 0.96);
const COURANT: f64 = 0.3;

lift! {
    const LOSS1: f32 = 0.98;
    const LOSS2: f32 = 0.96;
    const L2: f32 = 0.3;

    fn get_cf(neighbours: i32, loss: f32, otherwise: f32) -> f32 { if neighbours < 6 { loss } else { otherwise } }

    fn wall(i: usize, n: usize) -> i32 { if i == 0 || i == n - 1 { 1 } else { 0 } }

    #[kernel]
    fn Acoustic<O, N, M>(before: [[[f32; M]; N]; O], grid: [[[f32; M]; N]; O]) -> [[[f32; M]; N]; O] {
        map3d(|m| {
                let sum = m.1[0][1][1] + m.1[1][0][1] + m.1[1][1][0]
                    + m.1[1][1][2] + m.1[1][2][1] + m.1[2][1][1];
                let neighbours = m.2;
                get_cf(m.2, LOSS1, 1.0) * ((2.0 - L2 * neighbours as f32) * m.1[1][1][1]
                    + L2 * sum - get_cf(m.2, LOSS2, 1.0) * m.0)
            },
            zip3d(before, slide3d(3, 1, pad3d(1, 1, 1, constant(0.0), grid)),
                array3d(O, N, M, |i, j, k| 6 - wall(i, O) - wall(j, N) - wall(k, M))))
    }
}

#[test]
fn listing_3_room_acoustics() {
    for (o, n, m) in [(1, 1, 1), (2, 3, 2), (5, 4, 7), (9, 17, 33)] {
        let (before, grid) = (random((o, n, m), 30), random((o, n, m), 31));
        let mut padded = Array3::zeros((o + 2, n + 2, m + 2));
        padded.slice_mut(lift::ndarray::s![1..=o, 1..=n, 1..=m]).assign(&grid);
        let expected = Array3::from_shape_fn((o, n, m), |(i, j, k)| {
            let at_wall = |i: usize, n: usize| i == 0 || i + 1 == n;
            let walls = [at_wall(i, o), at_wall(j, n), at_wall(k, m)].iter().filter(|w| **w).count();
            let (cf1, cf2) = if walls > 0 { LOSSES } else { (1.0, 1.0) };
            let (l2, neighbours) = (COURANT, 6.0 - walls as f64);
            let sum = six(&padded, [i + 1, j + 1, k + 1]);
            cf1 * ((2.0 - l2 * neighbours) * f64::from(grid[[i, j, k]]) + l2 * sum
                - cf2 * f64::from(before[[i, j, k]]))
        });
        every_version!(Acoustic(&before, &grid), &expected);
    }
}
