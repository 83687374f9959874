//! Programs for which nothing is written by hand: their versions are compared with each other.

use super::{PLANE, VOLUME, with};
use crate::measure::{Given, NOTHING, Result, Row};
use crate::{blas, cluster, finance, fractal, physics, reduce, rooms, stencils};

pub(super) const BLACK_SCHOLES: Row = Row {
    name: "black-scholes",
    sizes: &[1 << 22],
    quick: &[1021],
    algorithmic: with::<finance::BlackScholes<f32>>(&[]),
    given: &[
        ("share", Given::Between(5.0, 30.0)),
        ("strike", Given::Between(1.0, 100.0)),
        ("years", Given::Between(0.25, 10.0)),
    ],
    gpu: NOTHING,
    cpu: None,
    operations: a_point!(60.0),
    bytes: None,
};

pub(super) const MANDELBROT: Row = Row {
    name: "mandelbrot",
    sizes: &[2048, 2048],
    quick: &[31, 45],
    algorithmic: with::<fractal::Mandelbrot>(&[256.0]),
    given: &[("im", Given::Between(-1.5, 1.5)), ("re", Given::Between(-2.0, 1.0))],
    // A point of three stays near up to the limit.
    operations: a_point!(800.0),
    ..BLACK_SCHOLES
};

pub(super) const N_BODY: Row = Row {
    name: "n-body",
    sizes: &[1 << 14],
    quick: &[331],
    algorithmic: with::<physics::NBody>(&[]),
    given: &[],
    operations: |sizes| sizes.iter().map(|&n| n as f64 * n as f64).sum::<f64>() * 20.0,
    ..BLACK_SCHOLES
};

pub(super) const MOLECULAR_DYNAMICS: Row = Row {
    name: "molecular dynamics",
    sizes: &[12 << 10, 128],
    quick: &[331, 17],
    algorithmic: with::<physics::MolecularDynamics>(&[]),
    given: &[
        ("x", Given::Floats(|sizes| coordinates(sizes, 0))),
        ("y", Given::Floats(|sizes| coordinates(sizes, 1))),
        ("z", Given::Floats(|sizes| coordinates(sizes, 2))),
        ("neighbours", Given::Numbers(near)),
    ],
    operations: a_point!(20.0),
    ..BLACK_SCHOLES
};

/// The positions of atoms along an axis.
fn coordinates(sizes: &[usize], axis: usize) -> Result<Vec<f32>> {
    let atoms = sizes.first().ok_or("there are no atoms")?;
    Ok(physics::positions(*atoms).column(axis).to_vec())
}

/// The lists of their neighbours.
fn near(sizes: &[usize]) -> Result<Vec<i32>> {
    let [atoms, neighbours] = *sizes else { return Err("atoms have lists of neighbours".into()) };
    Ok(physics::neighbours(atoms, neighbours).into_iter().collect())
}

pub(super) const NEAREST_CENTRE: Row = Row {
    name: "nearest centre",
    sizes: &[1 << 18, 5, 34],
    quick: &[257, 5, 3],
    algorithmic: with::<cluster::NearestCentre>(&[]),
    given: &[],
    operations: a_point!(3.0),
    ..BLACK_SCHOLES
};

pub(super) const LIFE: Row = Row {
    name: "life",
    sizes: &[4096, 4096],
    quick: PLANE,
    algorithmic: with::<stencils::life::Life>(&[]),
    // Every second cell is alive.
    given: &[("cells", Given::Between(0.0, 2.0))],
    operations: a_point!(12.0),
    ..BLACK_SCHOLES
};

pub(super) const CONVOLUTION: Row = Row {
    name: "convolution, weights given",
    algorithmic: with::<stencils::convolution::Convolution>(&[]),
    given: &[],
    operations: a_point!(577.0),
    ..LIFE
};

pub(super) const CONVOLVE_COLUMNS: Row = Row {
    name: "convolution of columns",
    algorithmic: with::<stencils::convolution::ConvolveColumns>(&[]),
    operations: a_point!(33.0),
    ..CONVOLUTION
};

pub(super) const CONVOLVE_ROWS: Row = Row {
    name: "convolution of rows",
    algorithmic: with::<stencils::convolution::ConvolveRows>(&[]),
    ..CONVOLVE_COLUMNS
};

pub(super) const SEPARABLE_CONVOLUTION: Row = Row {
    name: "convolution of columns and rows",
    algorithmic: with::<stencils::convolution::SeparableConvolution>(&[]),
    operations: a_point!(66.0),
    ..CONVOLUTION
};

pub(super) const JACOBI_3D_19_LEGGY: Row = Row {
    name: "jacobi3d 19pt leggy",
    sizes: &[256, 256, 256],
    quick: VOLUME,
    algorithmic: with::<stencils::jacobi::Jacobi3d19Leggy>(&[]),
    given: &[],
    operations: a_point!(37.0),
    ..BLACK_SCHOLES
};

pub(super) const JACOBI_3D_19_DENSE: Row = Row {
    name: "jacobi3d 19pt dense",
    algorithmic: with::<stencils::jacobi::Jacobi3d19Dense>(&[]),
    ..JACOBI_3D_19_LEGGY
};

pub(super) const ITERATED_JACOBI_2D: Row = Row {
    name: "jacobi2d 5pt, 10 steps",
    sizes: &[4096, 4096],
    quick: PLANE,
    algorithmic: with::<stencils::jacobi::IteratedJacobi2d<f32>>(&[10.0]),
    given: &[],
    operations: a_point!(90.0),
    ..BLACK_SCHOLES
};

pub(super) const JACOBI_2D_100_STEPS: Row = Row {
    name: "jacobi2d 5pt, 100 steps",
    algorithmic: with::<stencils::jacobi::IteratedJacobi2d<f32>>(&[100.0]),
    operations: a_point!(900.0),
    ..ITERATED_JACOBI_2D
};

pub(super) const ITERATED_JACOBI_3D: Row = Row {
    name: "jacobi3d 7pt, 4 steps",
    algorithmic: with::<stencils::jacobi::IteratedJacobi3d>(&[4.0]),
    operations: a_point!(52.0),
    ..JACOBI_3D_19_LEGGY
};

pub(super) const ITERATED_HOTSPOT_2D: Row = Row {
    name: "hotspot2d, 10 steps",
    algorithmic: with::<stencils::hotspot::IteratedHotspot2d>(&[10.0, 0.0625, 8.0, 4.0, 2.0]),
    operations: a_point!(150.0),
    ..ITERATED_JACOBI_2D
};

pub(super) const SRAD: Row = Row {
    name: "srad, 3 steps",
    sizes: &[458, 504],
    algorithmic: with::<stencils::srad::Srad>(&[3.0, 0.5]),
    given: &[("image", Given::Between(1.0, 1.5))],
    operations: a_point!(141.0),
    ..ITERATED_JACOBI_2D
};

pub(super) const SUM_OF_INTEGERS: Row = Row {
    name: "sum of integers",
    sizes: &[1 << 24],
    quick: &[196_608],
    algorithmic: with::<reduce::SumOfIntegers>(&[]),
    given: &[],
    operations: a_point!(1.0),
    ..BLACK_SCHOLES
};

pub(super) const LARGEST: Row =
    Row { name: "largest", algorithmic: with::<reduce::Largest<f32>>(&[]), ..SUM_OF_INTEGERS };

pub(super) const GEMM_TN: Row = Row {
    name: "sgemm of a transposed",
    sizes: &[1024, 1024, 1024],
    quick: &[128, 256, 48],
    algorithmic: with::<blas::GemmTn>(&[0.5, 0.25]),
    given: &[],
    operations: a_point!(2.0),
    ..BLACK_SCHOLES
};

pub(super) const GEMM_NT: Row =
    Row { name: "sgemm of b transposed", algorithmic: with::<blas::GemmNt>(&[0.5, 0.25]), ..GEMM_TN };

pub(super) const GEMM_TT: Row =
    Row { name: "sgemm of both transposed", algorithmic: with::<blas::GemmTt>(&[0.5, 0.25]), ..GEMM_TN };

pub(super) const LISTEN: Row = Row {
    name: "listen",
    sizes: &[152 * 202 * 302, 1024],
    quick: &[9 * 13 * 17, 3],
    algorithmic: with::<rooms::impulse::Listen>(&[]),
    given: &[("receivers", Given::Numbers(receivers))],
    operations: |_| 0.0,
    // A number of a point, its pressure, and the same in the result.
    bytes: Some(|sizes| sizes.get(1).map_or(0, |receivers| receivers * 12)),
    ..BLACK_SCHOLES
};

/// Points of the grid that lie apart.
fn receivers(sizes: &[usize]) -> Result<Vec<i32>> {
    let [points, receivers] = *sizes else { return Err("receivers are points of a grid".into()) };
    let point = |i: usize| i32::try_from(i * 7919 % points.max(1));
    Ok((0..receivers).map(point).collect::<std::result::Result<_, _>>()?)
}
