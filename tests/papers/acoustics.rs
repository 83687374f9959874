//! Stoltzfus: «Performance Portability of Complex 3D Physical Simulations», chapters 4 and 6.

use lift::ndarray::Array3;
use lift::prelude::*;

use crate::{every_version, random, six};

// Constants of the model, for the loops on the host.
const LOSS1: f32 = 0.99;
const LOSS2: f32 = 0.95;
const L2: f32 = 0.25;
const L2_TAUP: f32 = 0.05;

// Listing 4.10: the stencil is a reduction of all 27 weighted elements, the neighbours are counted in a mask.
//
// The listing names its helpers in words; here they are operators. Its line 21 says `prevVal` where the equation
// that it implements (listing 4.1) has the sum of the neighbours, which is then not used at all; the equation is
// followed. `prev` is the newer of both grids, as in the listing.
lift! {
    const LOSS1: f32 = 0.99;
    const LOSS2: f32 = 0.95;
    const L2: f32 = 0.25;

    fn mult_and_add_up(acc: f32, value: f32, weight: f32) -> f32 { acc + value * weight }

    fn coefficient(neighbours: i32, loss: f32, otherwise: f32) -> f32 { if neighbours < 6 { loss } else { otherwise } }

    #[kernel]
    fn AcousticStencil<O, N, M>(
        curr: [[[f32; M]; N]; O],
        prev: [[[f32; M]; N]; O],
        neighbour_mask: [[[i32; M]; N]; O],
        weights: [[[f32; 3]; 3]; 3],
    ) -> [[[f32; M]; N]; O] {
        map3d(|m| {
            let curr_val = m.0;
            let prev_val = m.1;
            let stencil = reduce(add, 0.0) . map(mul) << zip(join(join(m.2)), join(join(weights)));
            let neighbours = m.3 as f32;
            let cf1 = coefficient(m.3, LOSS1, 1.0);
            let cf2 = coefficient(m.3, LOSS2, 1.0);

            mul(cf1) << add(mul(prev_val) . sub(2.0) . mul(L2) << neighbours,
                sub(L2 * stencil, mul(cf2) << curr_val))
        }) <<
        zip3d(curr,
            prev,
            slide3d(3, 1,
                pad3d(1, 1, 1, constant(0.0), prev)),
            neighbour_mask)
    }

    // Listing 4.12: elements of the neighbourhood by their indices, the neighbours counted on demand (listing 4.11), and
    // `prev` comes with its halo. The listing's room is 512×512×404; here the sizes are variables. Its maps one inside
    // the other are `map3d`, and `toPrivate` is what `let` means. Line 11 multiplies by `stencil` where the equation has
    // the middle of the neighbourhood.
    fn get_num_neighbours(i: usize, j: usize, k: usize, m: usize, n: usize, o: usize) -> i32 {
        let x = if i == m - 1 || i == 0 { 1 } else { 0 };
        let y = if j == n - 1 || j == 0 { 1 } else { 0 };
        let z = if k == o - 1 || k == 0 { 1 } else { 0 };
        6 - x - y - z
    }

    #[kernel]
    fn OptimisedStencil<O, N, M>(
        prev: [[[f32; M + 2]; N + 2]; O + 2],
        curr: [[[f32; M]; N]; O],
    ) -> [[[f32; M]; N]; O] {
        map(map(map(|m| {
            let curr_val = m.0;
            let stencil =
                m.1[0][1][1] + m.1[1][0][1] + m.1[1][1][0] +
                m.1[1][1][2] + m.1[1][2][1] + m.1[2][1][1];
            let neighbours = m.2 as f32;
            let cf1 = coefficient(m.2, LOSS1, 1.0);
            let cf2 = coefficient(m.2, LOSS2, 1.0);
            mul(cf1) << add(mul(m.1[1][1][1]) . sub(2.0) . mul(L2) << neighbours,
                sub(mul(L2) << stencil, mul(cf2) << curr_val))
        }))) <<
        zip3d(curr,
            slide3d(3, 1, prev),
            array3d(O, N, M, |k, j, i| get_num_neighbours(i, j, k, M, N, O)))
    }

    // Listing 6.20: two stencils, and points that are outside of the room. The new value is that of listing 6.1; the
    // centres are in the middle of the neighbourhoods (the listing prints `[0][0][0]`).
    const L2_TAUP: f32 = 0.05;

    fn calculate_new_value(curr: f32, prev: f32, curr_centre: f32, prev_centre: f32, nbr: i32) -> f32 {
        let n = nbr as f32;
        (2.0 - (L2 + L2_TAUP) * n) * curr_centre + (L2_TAUP * n - 1.0) * prev_centre
            + (L2 + L2_TAUP) * curr - L2_TAUP * prev
    }

    #[kernel]
    fn VolumeOnly<O, N, M>(
        next: [[[f32; M]; N]; O],
        curr: [[[f32; M + 2]; N + 2]; O + 2],
        prev: [[[f32; M + 2]; N + 2]; O + 2],
        neighbour_arr: [[[i32; M]; N]; O],
    ) -> [[[f32; M]; N]; O] {
        map3d(|m| {
            let grid_value = m.0;
            let curr_centre = m.1[1][1][1];
            let prev_centre = m.2[1][1][1];
            let curr_stencil =
                m.1[0][1][1] + m.1[1][0][1] + m.1[1][1][0] +
                m.1[1][1][2] + m.1[1][2][1] + m.1[2][1][1];
            let prev_stencil =
                m.2[0][1][1] + m.2[1][0][1] + m.2[1][1][0] +
                m.2[1][1][2] + m.2[1][2][1] + m.2[2][1][1];
            let nbr = m.3;
            if nbr > 0 {
                calculate_new_value(curr_stencil, prev_stencil, curr_centre, prev_centre, nbr)
            } else {
                grid_value
            }
        }) << zip3d(next,
            slide3d(3, 1, curr),
            slide3d(3, 1, prev),
            neighbour_arr)
    }
}

/// Neighbours inside a box; the thesis counts them where the array is read (listing 4.11).
fn neighbours((i, j, k): (usize, usize, usize), (o, n, m): (usize, usize, usize)) -> i32 {
    let at_wall = |i: usize, n: usize| i32::from(i == 0 || i + 1 == n);
    6 - at_wall(i, o) - at_wall(j, n) - at_wall(k, m)
}

/// The grid with a layer of zeros around.
fn padded(grid: &Array3<f32>) -> Array3<f32> {
    let (o, n, m) = grid.dim();
    let mut out = Array3::zeros((o + 2, n + 2, m + 2));
    out.slice_mut(lift::ndarray::s![1..=o, 1..=n, 1..=m]).assign(grid);
    out
}

/// Listing 4.1: the basic model in loops; `prev` has its layer of zeros.
fn room(prev: &Array3<f32>, curr: &Array3<f32>) -> Array3<f64> {
    let dim = curr.dim();
    Array3::from_shape_fn(dim, |(i, j, k)| {
        let nbr = neighbours((i, j, k), dim);
        let s = six(prev, [i + 1, j + 1, k + 1]);
        let (cf1, cf2) = if nbr < 6 { (LOSS1, LOSS2) } else { (1.0, 1.0) };
        f64::from(cf1)
            * ((2.0 - f64::from(L2) * f64::from(nbr)) * f64::from(prev[[i + 1, j + 1, k + 1]])
                + f64::from(L2) * s
                - f64::from(cf2) * f64::from(curr[[i, j, k]]))
    })
}

const ROOMS: [(usize, usize, usize); 4] = [(1, 1, 1), (2, 3, 2), (5, 4, 7), (9, 17, 33)];

#[test]
fn listing_4_10_basic_room() {
    let mut weights = Array3::zeros((3, 3, 3));
    for at in [[0, 1, 1], [2, 1, 1], [1, 0, 1], [1, 2, 1], [1, 1, 0], [1, 1, 2]] {
        weights[at] = 1.0;
    }
    for dim in ROOMS {
        let (curr, prev) = (random(dim, 410), random(dim, 411));
        let mask = Array3::from_shape_fn(dim, |at| neighbours(at, dim));
        every_version!(AcousticStencil(&curr, &prev, &mask, &weights), &room(&padded(&prev), &curr));
    }
}

#[test]
fn listing_4_12_optimised_room() {
    for dim in ROOMS {
        let (curr, prev) = (random(dim, 412), padded(&random(dim, 413)));
        every_version!(OptimisedStencil(&prev, &curr), &room(&prev, &curr));
    }
}

#[test]
fn listing_6_20_volume_of_any_shape() {
    for dim in ROOMS {
        let (next, curr, prev) = (random(dim, 620), padded(&random(dim, 621)), padded(&random(dim, 622)));
        // A room with a few holes: some points have no neighbours at all.
        let nbrs = Array3::from_shape_fn(dim, |(i, j, k)| {
            if (i + 2 * j + 3 * k) % 5 == 0 { 0 } else { neighbours((i, j, k), dim) }
        });
        let expected = Array3::from_shape_fn(dim, |(i, j, k)| {
            let at = [i + 1, j + 1, k + 1];
            let nbr = f64::from(nbrs[[i, j, k]]);
            let (l2, tau) = (f64::from(L2), f64::from(L2_TAUP));
            if nbr > 0.0 {
                // Listing 6.1.
                (2.0 - (l2 + tau) * nbr) * f64::from(curr[at])
                    + (tau * nbr - 1.0) * f64::from(prev[at])
                    + (l2 + tau) * six(&curr, at)
                    - tau * six(&prev, at)
            } else {
                f64::from(next[[i, j, k]])
            }
        });
        every_version!(VolumeOnly(&next, &curr, &prev, &nbrs), &expected);
    }
}

/// Several steps of listing 4.12: the grids change places, and the result gets its layer of zeros again.
#[test]
fn listing_4_12_over_time() {
    let dim = (6, 7, 8);
    let (mut curr, mut prev) = (random(dim, 1), random(dim, 2));
    let launcher = OptimisedStencil::on(&common::device()).expect("a launcher");
    for _ in 0..5 {
        let found = launcher.run(&padded(&prev), &curr).expect("a result");
        crate::assert_close(&found, &room(&padded(&prev), &curr));
        curr = std::mem::replace(&mut prev, found);
    }
}
