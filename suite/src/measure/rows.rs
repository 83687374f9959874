//! The rows: which kernels are measured, at which sizes, against which text.
//!
//! The shapes of the hand-written kernels are the best of some hundred that were tried on an NVIDIA H200, one by one for
//! every workload and size, and on a CPU with AVX-512 under PoCL.

use lift::Kernel;

use super::{HandWritten, Lift, Row};
use crate::{low, stencils};

macro_rules! text {
    ($file:literal) => {
        include_str!(concat!("../../../benches/handwritten/", $file))
    };
}

/// A kernel without scalar parameters.
const fn lift<K: Kernel>() -> Lift {
    Lift { spec: K::SPEC, scalars: &[] }
}

/// The same operations for every point.
macro_rules! a_point {
    ($operations:literal) => {
        |sizes| sizes.iter().map(|&n| n as f64).product::<f64>() * $operations
    };
}

const PLANE: &[usize] = &[36, 320];
const VOLUME: &[usize] = &[20, 12, 192];

/// Rows of a CPU are a multiple of this long.
const CPU_ROW: usize = 64;

const JACOBI_2D_5: Row = Row {
    name: "jacobi2d 5pt",
    sizes: &[4096, 4096],
    quick: PLANE,
    low: lift::<low::plane::Jacobi2d5>(),
    algorithmic: lift::<stencils::jacobi::Jacobi2d5<f32>>(),
    gpu: HandWritten::new(text!("jacobi2d5.cl"), "jacobi2d5", &[64, 4], &[4, 2]),
    cpu: Some(
        HandWritten::new(text!("cpu/jacobi2d5.cl"), "jacobi2d5", &[1, 1], &[HandWritten::ALL, 16])
            .divisors(&[CPU_ROW]),
    ),
    operations: a_point!(9.0),
};

const JACOBI_2D_9: Row = Row {
    name: "jacobi2d 9pt",
    low: lift::<low::plane::Jacobi2d9>(),
    algorithmic: lift::<stencils::jacobi::Jacobi2d9>(),
    gpu: HandWritten::new(text!("jacobi2d9.cl"), "jacobi2d9", &[64, 4], &[4, 2]),
    cpu: None,
    operations: a_point!(17.0),
    ..JACOBI_2D_5
};

const GAUSSIAN: Row = Row {
    name: "gaussian 5x5",
    low: lift::<low::plane::Gaussian>(),
    algorithmic: lift::<stencils::gaussian::Gaussian>(),
    gpu: HandWritten::new(text!("gaussian.cl"), "gaussian", &[32, 4], &[4, 4]),
    cpu: Some(
        HandWritten::new(text!("cpu/gaussian.cl"), "gaussian", &[1, 1], &[HandWritten::ALL, 4])
            .divisors(&[CPU_ROW, 4]),
    ),
    operations: a_point!(49.0),
    ..JACOBI_2D_5
};

const GRADIENT: Row = Row {
    name: "gradient",
    low: lift::<low::plane::Gradient>(),
    algorithmic: lift::<stencils::gradient::Gradient>(),
    gpu: HandWritten::new(text!("gradient.cl"), "gradient", &[32, 8], &[4, 2]),
    cpu: None,
    operations: a_point!(15.0),
    ..JACOBI_2D_5
};

const JACOBI_3D_7: Row = Row {
    name: "jacobi3d 7pt",
    sizes: &[256, 256, 256],
    quick: VOLUME,
    low: lift::<low::volume::Jacobi3d7>(),
    algorithmic: lift::<stencils::jacobi::Jacobi3d7<f32>>(),
    gpu: HandWritten::new(text!("jacobi3d7.cl"), "one_plane", &[32, 4, 4], &[4, 1, 1]),
    cpu: Some(
        HandWritten::new(text!("cpu/jacobi3d7.cl"), "jacobi3d7", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    ),
    operations: a_point!(13.0),
};

const JACOBI_3D_13: Row = Row {
    name: "jacobi3d 13pt",
    sizes: &[256, 256, 256],
    quick: &[24, 12, 320],
    low: lift::<low::volume::Jacobi3d13>(),
    algorithmic: lift::<stencils::jacobi::Jacobi3d13>(),
    gpu: HandWritten::new(text!("jacobi3d13.cl"), "jacobi3d13", &[64, 4, 1], &[4, 1, 8]).divisors(&[4]),
    cpu: None,
    operations: a_point!(25.0),
};

const JACOBI_3D_27: Row = Row {
    name: "jacobi3d 27pt",
    low: lift::<low::volume::Jacobi3d27>(),
    algorithmic: lift::<stencils::jacobi::Jacobi3d27>(),
    gpu: HandWritten::new(text!("jacobi3d27.cl"), "jacobi3d27", &[32, 4, 1], &[4, 2, 2]),
    cpu: None,
    operations: a_point!(53.0),
    ..JACOBI_3D_7
};

/// All rows.
pub const ROWS: &[Row] = &[
    JACOBI_2D_5,
    Row { sizes: &[8192, 8192], ..JACOBI_2D_5 },
    Row {
        name: "jacobi2d 5pt f64",
        sizes: &[8192, 8192],
        low: lift::<low::plane::Jacobi2d5Double>(),
        algorithmic: lift::<stencils::jacobi::Jacobi2d5<f64>>(),
        gpu: HandWritten::new(text!("jacobi2d5_f64.cl"), "jacobi2d5", &[64, 4], &[2, 2]),
        cpu: None,
        ..JACOBI_2D_5
    },
    JACOBI_2D_9,
    Row { sizes: &[8192, 8192], ..JACOBI_2D_9 },
    GAUSSIAN,
    Row { sizes: &[8192, 8192], gpu: GAUSSIAN.gpu.local(&[64, 2]), ..GAUSSIAN },
    GRADIENT,
    Row { sizes: &[8192, 8192], gpu: GRADIENT.gpu.local(&[64, 4]), ..GRADIENT },
    Row {
        name: "hotspot2d",
        sizes: &[8192, 8192],
        // The step, and inverse resistances; resistances in the algorithmic kernel.
        low: Lift { spec: low::plane::Hotspot2d::SPEC, scalars: &[0.0625, 0.125, 0.25, 0.5] },
        algorithmic: Lift { spec: stencils::hotspot::Hotspot2d::SPEC, scalars: &[0.0625, 8.0, 4.0, 2.0] },
        gpu: HandWritten::new(text!("hotspot2d.cl"), "hotspot2d", &[32, 16], &[4, 1]),
        cpu: None,
        operations: a_point!(15.0),
        ..JACOBI_2D_5
    },
    JACOBI_3D_7,
    Row {
        sizes: &[512, 512, 512],
        gpu: HandWritten::new(text!("jacobi3d7.cl"), "two_planes", &[16, 8, 2], &[4, 1, 2]),
        ..JACOBI_3D_7
    },
    Row {
        name: "jacobi3d 7pt f64",
        sizes: &[512, 512, 512],
        low: lift::<low::volume::Jacobi3d7Double>(),
        algorithmic: lift::<stencils::jacobi::Jacobi3d7<f64>>(),
        gpu: HandWritten::new(text!("jacobi3d7_f64.cl"), "jacobi3d7", &[16, 8, 2], &[2, 1, 1]),
        cpu: None,
        ..JACOBI_3D_7
    },
    JACOBI_3D_13,
    Row { sizes: &[512, 512, 512], gpu: JACOBI_3D_13.gpu.local(&[32, 8, 1]), ..JACOBI_3D_13 },
    JACOBI_3D_27,
    Row { sizes: &[512, 512, 512], ..JACOBI_3D_27 },
];
