//! Jacobi iterations: every point becomes a weighted sum of its neighbourhood (*Tiling optimizations for stencil
//! computations using rewrite rules in Lift*, table 2; Stoltzfus's thesis, section 5.8).
//!
//! `out[p] = Σ w[d] · grid[p + d]`, with the grid's nearest point outside. The neighbourhoods differ:
//!
//! | | points |
//! | --- | --- |
//! | 2D, 5 and 9 | the cross; the whole square |
//! | 3D, 7 | the centre and the faces |
//! | 3D, 13 and 19 *leggy* | the centre, and 2 or 3 points along each half axis |
//! | 3D, 19 and 27 *dense* | the cube without its corners; the whole cube |
//!
//! No two weights of a neighbourhood are equal, so that points that are mixed up cannot go unnoticed.

use lift::prelude::*;
use ndarray::{Array2, Array3};

use crate::oracle::{Real, clamped2, clamped3, plane, volume};

lift!(
    /// Weights of a square of 9 points, by row and column.
    const SQUARE: [[f32; 3]; 3] = [[0.05, 0.06, 0.07], [0.12, 0.3, 0.11], [0.08, 0.09, 0.1]];

    /// Weights of a cube of 27 points, by plane, row and column.
    const CUBE: [[[f32; 3]; 3]; 3] = [
        [[0.01, 0.02, 0.03], [0.04, 0.05, 0.06], [0.012, 0.013, 0.014]],
        [[0.021, 0.031, 0.041], [0.051, 0.061, 0.07], [0.015, 0.016, 0.017]],
        [[0.022, 0.023, 0.024], [0.032, 0.033, 0.034], [0.042, 0.043, 0.044]],
    ];

    fn cross<T>(w: [[T; 3]; 3]) -> T {
        0.45 * w[1][1] + 0.12 * w[0][1] + 0.13 * w[2][1] + 0.14 * w[1][0] + 0.16 * w[1][2]
    }

    fn faces<T>(w: [[[T; 3]; 3]; 3]) -> T {
        0.19 * w[1][1][1]
            + 0.11 * w[0][1][1]
            + 0.12 * w[2][1][1]
            + 0.13 * w[1][0][1]
            + 0.14 * w[1][2][1]
            + 0.15 * w[1][1][0]
            + 0.16 * w[1][1][2]
    }

    fn legs2(w: [[[f32; 5]; 5]; 5]) -> f32 {
        let z = 0.01 * w[0][2][2] + 0.11 * w[1][2][2] + 0.12 * w[3][2][2] + 0.02 * w[4][2][2];
        let y = 0.03 * w[2][0][2] + 0.13 * w[2][1][2] + 0.14 * w[2][3][2] + 0.04 * w[2][4][2];
        let x = 0.05 * w[2][2][0] + 0.07 * w[2][2][1] + 0.08 * w[2][2][3] + 0.06 * w[2][2][4];
        0.14 * w[2][2][2] + z + y + x
    }

    fn legs3(w: [[[f32; 7]; 7]; 7]) -> f32 {
        let below = 0.01 * w[0][3][3] + 0.03 * w[1][3][3] + 0.07 * w[2][3][3];
        let above = 0.08 * w[4][3][3] + 0.04 * w[5][3][3] + 0.02 * w[6][3][3];
        let north = 0.015 * w[3][0][3] + 0.035 * w[3][1][3] + 0.075 * w[3][2][3];
        let south = 0.085 * w[3][4][3] + 0.045 * w[3][5][3] + 0.025 * w[3][6][3];
        let west = 0.012 * w[3][3][0] + 0.032 * w[3][3][1] + 0.072 * w[3][3][2];
        let east = 0.082 * w[3][3][4] + 0.042 * w[3][3][5] + 0.022 * w[3][3][6];
        0.105 * w[3][3][3] + below + above + north + south + west + east
    }

    fn edges(w: [[[f32; 3]; 3]; 3]) -> f32 {
        let z = 0.02 * w[0][0][1] + 0.03 * w[0][2][1] + 0.04 * w[2][0][1] + 0.05 * w[2][2][1];
        let y = 0.025 * w[0][1][0] + 0.035 * w[0][1][2] + 0.045 * w[2][1][0] + 0.055 * w[2][1][2];
        let x = 0.022 * w[1][0][0] + 0.032 * w[1][0][2] + 0.042 * w[1][2][0] + 0.052 * w[1][2][2];
        z + y + x
    }

    fn step2d<T, n, m>(grid: [[T; m]; n]) -> [[T; m]; n] {
        grid.pad2d(1, 1, clamp).slide2d(3, 1).map2d(cross)
    }

    fn step3d<T, n, m, o>(grid: [[[T; o]; m]; n]) -> [[[T; o]; m]; n] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(faces)
    }

    /// The cross of 5 points.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Jacobi2d5<T, N, M>(grid: [[T; M]; N]) -> [[T; M]; N] {
        step2d(grid)
    }

    /// The cross of 5 points, so many times.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn IteratedJacobi2d<T, N, M>(steps: usize, grid: [[T; M]; N]) -> [[T; M]; N] {
        iterate(steps, step2d, grid)
    }

    /// The cross of 5 points, 6 times.
    #[kernel]
    pub fn SixSteps2d<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        iterate(6, step2d, grid)
    }

    /// The centre and the 6 faces, 3 times.
    #[kernel]
    pub fn ThreeSteps3d<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        iterate(3, step3d, grid)
    }

    /// The centre and the 6 faces, so many times.
    #[kernel]
    pub fn IteratedJacobi3d<N, M, O>(steps: usize, grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        iterate(steps, step3d, grid)
    }

    /// The square of 9 points.
    #[kernel]
    pub fn Jacobi2d9<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(1, 1, clamp)
            .slide2d(3, 1)
            .map2d(|w| zip(SQUARE.join(), w.join()).map(mul).reduce(add, 0.0))
    }

    /// The centre and the 6 faces.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Jacobi3d7<T, N, M, O>(grid: [[[T; O]; M]; N]) -> [[[T; O]; M]; N] {
        step3d(grid)
    }

    /// The centre and 2 points along each half axis.
    #[kernel]
    pub fn Jacobi3d13<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(2, 2, 2, clamp).slide3d(5, 1).map3d(legs2)
    }

    /// The centre and 3 points along each half axis.
    #[kernel]
    pub fn Jacobi3d19Leggy<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(3, 3, 3, clamp).slide3d(7, 1).map3d(legs3)
    }

    /// The cube without its 8 corners.
    #[kernel]
    pub fn Jacobi3d19Dense<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w| faces(w) + edges(w))
    }

    /// The cube of 27 points.
    #[kernel]
    pub fn Jacobi3d27<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp)
            .slide3d(3, 1)
            .map3d(|w| zip(CUBE.join().join(), w.join().join()).map(mul).reduce(add, 0.0))
    }
);

/// A neighbourhood as a list: how far along each axis, and the weight.
type Points = &'static [([isize; 3], f64)];

const FACES: Points = &[
    ([0, 0, 0], 0.19),
    ([-1, 0, 0], 0.11),
    ([1, 0, 0], 0.12),
    ([0, -1, 0], 0.13),
    ([0, 1, 0], 0.14),
    ([0, 0, -1], 0.15),
    ([0, 0, 1], 0.16),
];

const EDGES: Points = &[
    ([-1, -1, 0], 0.02),
    ([-1, 1, 0], 0.03),
    ([1, -1, 0], 0.04),
    ([1, 1, 0], 0.05),
    ([-1, 0, -1], 0.025),
    ([-1, 0, 1], 0.035),
    ([1, 0, -1], 0.045),
    ([1, 0, 1], 0.055),
    ([0, -1, -1], 0.022),
    ([0, -1, 1], 0.032),
    ([0, 1, -1], 0.042),
    ([0, 1, 1], 0.052),
];

/// Weights along -z, +z, -y, +y, -x, +x, nearest first, and of the centre.
type Legs<const L: usize> = ([[f64; 6]; L], f64);

const LEGS_2: Legs<2> = ([[0.11, 0.12, 0.13, 0.14, 0.07, 0.08], [0.01, 0.02, 0.03, 0.04, 0.05, 0.06]], 0.14);
const LEGS_3: Legs<3> = (
    [
        [0.07, 0.08, 0.075, 0.085, 0.072, 0.082],
        [0.03, 0.04, 0.035, 0.045, 0.032, 0.042],
        [0.01, 0.02, 0.015, 0.025, 0.012, 0.022],
    ],
    0.105,
);

const NINE: [[f64; 3]; 3] = [[0.05, 0.06, 0.07], [0.12, 0.3, 0.11], [0.08, 0.09, 0.1]];

const TWENTY_SEVEN: [[[f64; 3]; 3]; 3] = [
    [[0.01, 0.02, 0.03], [0.04, 0.05, 0.06], [0.012, 0.013, 0.014]],
    [[0.021, 0.031, 0.041], [0.051, 0.061, 0.07], [0.015, 0.016, 0.017]],
    [[0.022, 0.023, 0.024], [0.032, 0.033, 0.034], [0.042, 0.043, 0.044]],
];

/// The definition for 5 points.
pub fn jacobi2d_5<T: Real>(grid: &Array2<T>) -> Array2<f64> {
    let g = clamped2(grid);
    plane(grid.dim(), |i, j| {
        0.45 * g(i, j) + 0.12 * g(i - 1, j) + 0.13 * g(i + 1, j) + 0.14 * g(i, j - 1) + 0.16 * g(i, j + 1)
    })
}

/// The definition for 9 points.
pub fn jacobi2d_9<T: Real>(grid: &Array2<T>) -> Array2<f64> {
    let g = clamped2(grid);
    plane(grid.dim(), |i, j| {
        let mut sum = 0.0;
        for (p, row) in (-1..).zip(NINE) {
            for (q, weight) in (-1..).zip(row) {
                sum += weight * g(i + p, j + q);
            }
        }
        sum
    })
}

fn points<T: Real>(grid: &Array3<T>, points: &[Points]) -> Array3<f64> {
    let g = clamped3(grid);
    volume(grid.dim(), |i, j, k| {
        points.iter().copied().flatten().map(|&([p, q, r], weight)| weight * g(i + p, j + q, k + r)).sum()
    })
}

fn leggy<T: Real, const L: usize>(grid: &Array3<T>, (legs, centre): Legs<L>) -> Array3<f64> {
    let g = clamped3(grid);
    volume(grid.dim(), |i, j, k| {
        let mut sum = centre * g(i, j, k);
        for (far, leg) in (1..).zip(legs) {
            sum += leg[0] * g(i - far, j, k) + leg[1] * g(i + far, j, k);
            sum += leg[2] * g(i, j - far, k) + leg[3] * g(i, j + far, k);
            sum += leg[4] * g(i, j, k - far) + leg[5] * g(i, j, k + far);
        }
        sum
    })
}

/// The definition for the centre and the faces.
pub fn jacobi3d_7<T: Real>(grid: &Array3<T>) -> Array3<f64> {
    points(grid, &[FACES])
}

/// The definition for 2 points along each half axis.
pub fn jacobi3d_13<T: Real>(grid: &Array3<T>) -> Array3<f64> {
    leggy(grid, LEGS_2)
}

/// The definition for 3 points along each half axis.
pub fn jacobi3d_19_leggy<T: Real>(grid: &Array3<T>) -> Array3<f64> {
    leggy(grid, LEGS_3)
}

/// The definition for the cube without its corners.
pub fn jacobi3d_19_dense<T: Real>(grid: &Array3<T>) -> Array3<f64> {
    points(grid, &[FACES, EDGES])
}

/// The definition for the whole cube.
pub fn jacobi3d_27<T: Real>(grid: &Array3<T>) -> Array3<f64> {
    let g = clamped3(grid);
    volume(grid.dim(), |i, j, k| {
        let mut sum = 0.0;
        for (p, plane) in (-1..).zip(TWENTY_SEVEN) {
            for (q, row) in (-1..).zip(plane) {
                for (r, weight) in (-1..).zip(row) {
                    sum += weight * g(i + p, j + q, k + r);
                }
            }
        }
        sum
    })
}

/// The definition for 5 points, so many times.
pub fn iterated_jacobi2d<T: Real>(steps: usize, grid: &Array2<T>) -> Array2<f64> {
    (0..steps).fold(grid.mapv(|x| x.into()), |grid, _| jacobi2d_5(&grid))
}

/// The definition for the centre and the faces, so many times.
pub fn iterated_jacobi3d<T: Real>(steps: usize, grid: &Array3<T>) -> Array3<f64> {
    (0..steps).fold(grid.mapv(|x| x.into()), |grid, _| jacobi3d_7(&grid))
}
