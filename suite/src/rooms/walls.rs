//! The walls of a room, of several materials (Stoltzfus's thesis, listings 6.2 and 6.3). They correct the pressure that
//! [`Volume`](super::volume::Volume) gave to the points next to them.
//!
//! *FI-MM*: a material absorbs all frequencies alike. With the Courant number λ and `n` neighbours inside the room:
//!
//! ```text
//! c    = ½·λ·(6 - n)·β
//! next = (next + c·previous) / (1 + c)
//! ```
//!
//! *FD-MM*: a material resonates, and so absorbs some frequencies more than others. It has some branches, each an
//! ordinary differential equation with the coefficients `b`, `d`, `i` and `f`, and every point has the state `v` and `g`
//! of each branch:
//!
//! ```text
//! next = (next - λ·(6 - n)·Σ b·(2·d·v - f·g) + c·previous) / (1 + c)
//! v'   = b·(next - previous + i·v - 2·f·g)
//! g'   = g + ½·(v' + v)
//! ```

use lift::prelude::*;
use ndarray::{Array1, Array2};

use super::geometry::{MATERIALS, Walls};
use crate::input;
use crate::oracle::Real;

lift!(
    /// A branch of a material, and its state at a point of the wall.
    struct Branch {
        b: f32,
        d: f32,
        i: f32,
        f: f32,
        g: f32,
        v: f32,
    }

    /// What a branch takes away from the pressure.
    fn taken(branch: Branch) -> f32 {
        branch.b * (2.0 * branch.d * branch.v - branch.f * branch.g)
    }

    /// How fast a branch moves after the pressure has risen by so much.
    fn velocity(rise: f32, branch: Branch) -> f32 {
        branch.b * (rise + branch.i * branch.v - 2.0 * branch.f * branch.g)
    }

    /// The pressure at a wall whose branches take `taken`, and which absorbs by `beta`.
    fn reflect(courant: f32, taken: f32, next: f32, previous: f32, neighbours: i32, beta: f32) -> f32 {
        let exposed = courant * (6 - neighbours) as f32;
        let c = 0.5 * exposed * beta;
        (next - exposed * taken + c * previous) / (1.0 + c)
    }

    /// Walls that absorb all frequencies alike.
    #[kernel]
    pub fn FiMm<N, K, M>(
        courant: f32,
        beta: [f32; M],
        index: [i32; K],
        neighbours: [i32; K],
        material: [i32; K],
        previous: [f32; N],
        next: &mut [f32; N],
    ) {
        let points = zip(next.gather(index), previous.gather(index), neighbours, beta.gather(material));
        scatter_to(next, index, points.map(reflect(courant, 0.0)));
    }

    /// Walls whose materials have `B` branches each.
    #[kernel]
    pub fn FdMm<N, K, M, B>(
        courant: f32,
        beta: [f32; M],
        b: [[f32; B]; M],
        d: [[f32; B]; M],
        i: [[f32; B]; M],
        f: [[f32; B]; M],
        index: [i32; K],
        neighbours: [i32; K],
        material: [i32; K],
        previous: [f32; N],
        next: &mut [f32; N],
        g: &mut [[f32; K]; B],
        v: &mut [[f32; K]; B],
    ) {
        let coefficients = zip(b, d, i, f).map(|(b, d, i, f)| zip(b, d, i, f)).gather(material);
        let branches = zip2d(coefficients, g.transpose(), v.transpose())
            .map2d(|((b, d, i, f), g, v)| Branch { b, d, i, f, g, v });
        let before = previous.gather(index);
        let points = zip(branches, next.gather(index), before, neighbours, beta.gather(material));
        let after = points.map(|(branches, next, previous, neighbours, beta)| {
            let taken = branches.map(taken).reduce(add, 0.0);
            reflect(courant, taken, next, previous, neighbours, beta)
        });
        let velocities = zip(branches, before, after)
            .map(|(branches, before, after)| branches.map(velocity(after - before)));
        scatter_to(next, index, after);
        write_to(g, zip2d(branches, velocities).map2d(|(old, v)| old.g + 0.5 * (v + old.v)).transpose());
        write_to(v, velocities.transpose());
    }
);

/// What the walls of a room are made of; a row for each material.
pub struct Materials {
    /// How much a material absorbs.
    pub beta: Array1<f32>,
    /// A branch's response to pressure.
    pub b: Array2<f32>,
    /// How much a branch's motion takes away.
    pub d: Array2<f32>,
    /// How much of its motion a branch keeps.
    pub i: Array2<f32>,
    /// How stiff a branch is.
    pub f: Array2<f32>,
}

impl Materials {
    /// Materials with so many branches, which take energy away and never add any.
    pub fn new(branches: usize) -> Materials {
        let coefficients = |seed, range| input::uniform(seed, range, (MATERIALS, branches));
        Materials {
            beta: input::uniform(60, 0.05..0.3, MATERIALS),
            b: coefficients(61, 0.01..0.1),
            d: coefficients(62, 0.5..1.0),
            i: coefficients(63, 0.2..0.5),
            f: coefficients(64, 0.01..0.1),
        }
    }
}

/// The state of every branch, in a row, at every point of the walls.
pub fn state(seed: u64, branches: usize, walls: &Walls) -> Array2<f32> {
    input::uniform(seed, -0.1..0.1, (branches, walls.index.len()))
}

/// The definition of FI-MM: the grid afterwards.
pub fn fi_mm<T: Real>(
    courant: f64,
    beta: &Array1<f32>,
    walls: &Walls,
    previous: &Array1<T>,
    next: &Array1<T>,
) -> Array1<f64> {
    let mut after = next.mapv(|x| x.into());
    for (point, &index) in walls.index.iter().enumerate() {
        let index = index as usize;
        let material = walls.material[point] as usize;
        let c = 0.5 * courant * f64::from(6 - walls.neighbours[point]) * f64::from(beta[material]);
        let before: f64 = previous[index].into();
        after[index] = (after[index] + c * before) / (1.0 + c);
    }
    after
}

/// The definition of FD-MM: the grid, `g` and `v` afterwards.
pub fn fd_mm<T: Real>(
    courant: f64,
    materials: &Materials,
    walls: &Walls,
    previous: &Array1<T>,
    (next, g, v): (&Array1<T>, &Array2<T>, &Array2<T>),
) -> (Array1<f64>, Array2<f64>, Array2<f64>) {
    let mut next = next.mapv(|x| x.into());
    let mut g = g.mapv(|x| x.into());
    let mut v = v.mapv(|x| x.into());
    for (point, &index) in walls.index.iter().enumerate() {
        let index = index as usize;
        let material = walls.material[point] as usize;
        let coefficient = |table: &Array2<f32>, branch: usize| f64::from(table[[material, branch]]);
        let exposed = courant * f64::from(6 - walls.neighbours[point]);
        let c = 0.5 * exposed * f64::from(materials.beta[material]);
        let before: f64 = previous[index].into();
        let mut after = next[index];
        for branch in 0..g.nrows() {
            let (b, d, f) = (
                coefficient(&materials.b, branch),
                coefficient(&materials.d, branch),
                coefficient(&materials.f, branch),
            );
            after -= exposed * b * (2.0 * d * v[[branch, point]] - f * g[[branch, point]]);
        }
        after = (after + c * before) / (1.0 + c);
        next[index] = after;
        for branch in 0..g.nrows() {
            let (b, i, f) = (
                coefficient(&materials.b, branch),
                coefficient(&materials.i, branch),
                coefficient(&materials.f, branch),
            );
            let (old_v, old_g) = (v[[branch, point]], g[[branch, point]]);
            let new_v = b * (after - before + i * old_v - 2.0 * f * old_g);
            g[[branch, point]] = old_g + 0.5 * (new_v + old_v);
            v[[branch, point]] = new_v;
        }
    }
    (next, g, v)
}
