//! Forces between particles: of all with all, and of near ones.
//!
//! *N-body*: the acceleration by gravity, softened by ε so that near bodies do not fly apart (Nyland, Harris and Prins,
//! *Fast N-body simulation with CUDA*):
//!
//! `a[i] = Σ m[j]·(r[j] - r[i]) / (|r[j] - r[i]|² + ε²)^(3/2)`
//!
//! *Molecular dynamics*: the Lennard-Jones force of the neighbours that are nearer than a cut-off (SHOC's `md`), with
//! d = rᵢ - rⱼ and s = 1/|d|²:
//!
//! `f[i] = Σ d·s·s³·(1.5·s³ - 2)`

use lift::prelude::*;
use ndarray::Array2;

use crate::input::{self, Random};
use crate::oracle::Real;

lift!(
    const SOFTENING_SQUARED: f32 = 0.01;
    const CUTOFF_SQUARED: f32 = 16.0;
    const LJ1: f32 = 1.5;
    const LJ2: f32 = 2.0;

    struct Vector {
        x: f32,
        y: f32,
        z: f32,
    }

    fn plus(a: Vector, b: Vector) -> Vector {
        Vector { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }
    }

    fn minus(a: Vector, b: Vector) -> Vector {
        Vector { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z }
    }

    fn scale(s: f32, a: Vector) -> Vector {
        Vector { x: s * a.x, y: s * a.y, z: s * a.z }
    }

    fn square(a: Vector) -> f32 {
        a.x * a.x + a.y * a.y + a.z * a.z
    }

    fn vectors<n>(x: [f32; n], y: [f32; n], z: [f32; n]) -> [Vector; n] {
        zip(x, y, z).map(|(x, y, z)| Vector { x, y, z })
    }

    fn parts<n>(vectors: [Vector; n]) -> ([f32; n], [f32; n], [f32; n]) {
        vectors.map(|v| (v.x, v.y, v.z)).unzip()
    }

    fn total<n>(vectors: [Vector; n]) -> Vector {
        vectors.reduce(plus, Vector { x: 0.0, y: 0.0, z: 0.0 })
    }

    /// How a body at `at` is pulled by a mass elsewhere.
    fn gravity(at: Vector, other: Vector, mass: f32) -> Vector {
        let apart = minus(other, at);
        let squared = square(apart) + SOFTENING_SQUARED;
        scale(mass / (squared * squared.sqrt()), apart)
    }

    fn lennard_jones(at: Vector, other: Vector) -> Vector {
        let apart = minus(at, other);
        let squared = square(apart);
        let s = 1.0 / squared;
        let s3 = s * s * s;
        scale(if squared < CUTOFF_SQUARED { s * s3 * (LJ1 * s3 - LJ2) } else { 0.0 }, apart)
    }

    /// The acceleration of every body.
    #[kernel]
    pub fn NBody<N>(x: [f32; N], y: [f32; N], z: [f32; N], mass: [f32; N]) -> ([f32; N], [f32; N], [f32; N]) {
        let bodies = vectors(x, y, z);
        bodies.map(|at| zip(bodies, mass).map(gravity(at)).total()).parts()
    }

    /// The force on every atom from the atoms of its list.
    #[kernel]
    pub fn MolecularDynamics<N, K>(
        x: [f32; N],
        y: [f32; N],
        z: [f32; N],
        neighbours: [[i32; K]; N],
    ) -> ([f32; N], [f32; N], [f32; N]) {
        let atoms = vectors(x, y, z);
        zip(atoms, neighbours).map(|(at, near)| atoms.gather(near).map(lennard_jones(at)).total()).parts()
    }
);

/// Bodies in a cube of side 2, with masses that add up to at most 1.
pub fn bodies(n: usize) -> Array2<f32> {
    let mut random = Random::new(41);
    Array2::from_shape_fn((n, 4), |(_, i)| match i {
        3 => random.uniform(0.0..1.0) / n as f32,
        _ => random.uniform(-1.0..1.0),
    })
}

/// The distance of neighbouring points of the lattice in which the atoms are.
const SPACING: f32 = 2.0;

/// Points along the sides of the smallest cubic lattice that has room for `n`.
fn side(n: usize) -> usize {
    (1..).find(|side| side * side * side >= n).unwrap_or(n)
}

/// Atoms near the points of a cubic lattice, no two nearer than half of its spacing. Their coordinates are multiples of
/// 2⁻⁶, so that the distance of near ones is exact, and no rounding decides who is within the cut-off.
pub fn positions(n: usize) -> Array2<f32> {
    let shake = input::uniform(42, -0.25..0.25, (n, 3));
    let side = side(n);
    let lattice = |i: usize| [i / side / side, i / side % side, i % side];
    Array2::from_shape_fn((n, 3), |(i, axis)| {
        let exact = SPACING * (lattice(i)[axis] as f32 + shake[[i, axis]]);
        (exact * 64.0).round() / 64.0
    })
}

/// For every atom the numbers of `k` others, nearest in the lattice first. If there are fewer, they are repeated.
pub fn neighbours(n: usize, k: usize) -> Array2<i32> {
    const REACH: isize = 5;
    let mut offsets: Vec<[isize; 3]> = Vec::new();
    for x in -REACH..=REACH {
        for y in -REACH..=REACH {
            offsets.extend((-REACH..=REACH).map(|z| [x, y, z]));
        }
    }
    offsets.sort_by_key(|offset| offset.iter().map(|d| d * d).sum::<isize>());
    let side = side(n) as isize;
    let inside = 0..side;
    let mut lists = Array2::zeros((n, k));
    for (i, mut list) in lists.rows_mut().into_iter().enumerate() {
        let i = i as isize;
        // The first offset leads to the atom itself.
        let near = offsets.iter().skip(1).filter_map(|[x, y, z]| {
            let at = [i / side / side + x, i / side % side + y, i % side + z];
            let j = (at[0] * side + at[1]) * side + at[2];
            (at.iter().all(|x| inside.contains(x)) && j < n as isize).then_some(j as i32)
        });
        list.iter_mut().zip(near.cycle()).for_each(|(entry, j)| *entry = j);
    }
    lists
}

/// The definition of the acceleration, and the largest sum of the magnitudes of its terms.
pub fn n_body<T: Real>(bodies: &Array2<T>) -> (Array2<f64>, f64) {
    let at = |i: usize, axis: usize| -> f64 { bodies[[i, axis]].into() };
    sum_of_forces(bodies.nrows(), |i| {
        (0..bodies.nrows()).map(move |j| {
            let d = [0, 1, 2].map(|axis| at(j, axis) - at(i, axis));
            let r2 = d.iter().map(|x| x * x).sum::<f64>() + 0.01;
            let pull = at(j, 3) / r2.powf(1.5);
            (d.map(|x| pull * x), pull * r2.sqrt())
        })
    })
}

/// The definition of the force, and the largest sum of the magnitudes of its terms.
pub fn molecular_dynamics<T: Real>(positions: &Array2<T>, neighbours: &Array2<i32>) -> (Array2<f64>, f64) {
    let at = |i: usize, axis: usize| -> f64 { positions[[i, axis]].into() };
    sum_of_forces(positions.nrows(), |i| {
        neighbours.row(i).into_iter().map(move |&j| {
            let d = [0, 1, 2].map(|axis| at(i, axis) - at(j as usize, axis));
            let r2: f64 = d.iter().map(|x| x * x).sum();
            if r2 >= 16.0 {
                return ([0.0; 3], 0.0);
            }
            let (repulsion, attraction) = (1.5 * r2.powi(-7), 2.0 * r2.powi(-4));
            (d.map(|x| (repulsion - attraction) * x), (repulsion + attraction) * r2.sqrt())
        })
    })
}

/// Adds up forces, and separately their magnitudes.
fn sum_of_forces<I: Iterator<Item = ([f64; 3], f64)>>(
    n: usize,
    forces: impl Fn(usize) -> I,
) -> (Array2<f64>, f64) {
    let (mut sums, mut largest) = (Array2::zeros((n, 3)), 0.0_f64);
    for i in 0..n {
        let mut magnitudes = 0.0;
        for (force, magnitude) in forces(i) {
            for axis in 0..3 {
                sums[[i, axis]] += force[axis];
            }
            magnitudes += magnitude;
        }
        largest = largest.max(magnitudes);
    }
    (sums, largest)
}
