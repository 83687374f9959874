//! Several steps in time, which all count, and OpenCL for them that is written by hand.

use super::{lift, low};
use crate::low::{steps, time};
use crate::measure::{HandWritten, Row, Stage, Work};
use crate::stencils;

/// Several steps in time; all of them count.
pub(super) const STEPS_2D: Row = Row {
    name: "jacobi2d 5pt, 6 steps",
    sizes: &[4096, 4096],
    quick: &[256, 528],
    algorithmic: lift::<stencils::jacobi::SixSteps2d>(),
    given: &[],
    gpu: low::<time::Jacobi2d5>(HandWritten {
        source: text!("jacobi2d5_time.cl"),
        first: Stage { entry: "jacobi2d5", local: &[128, 1], work: Work::Group(&[496, 64]) },
        second: None,
        again: false,
        divisors: &[4],
        shared: None,
    }),
    cpu: Some(low::<steps::Jacobi2d5>(HandWritten {
        source: text!("cpu/jacobi2d5_time.cl"),
        first: Stage { entry: "jacobi2d5", local: &[1, 1], work: Work::Group(&[HandWritten::ALL, 256]) },
        second: None,
        again: false,
        divisors: &[16],
        shared: None,
    })),
    operations: a_point!(54.0),
    bytes: None,
};

pub(super) const STEPS_2D_LARGE: Row = Row { sizes: &[8192, 8192], ..STEPS_2D };

pub(super) const STEPS_3D: Row = Row {
    name: "jacobi3d 7pt, 3 steps",
    sizes: &[512, 512, 512],
    quick: &[64, 32, 64],
    algorithmic: lift::<stencils::jacobi::ThreeSteps3d>(),
    given: &[],
    gpu: low::<time::Jacobi3d7>(HandWritten {
        source: text!("jacobi3d7_time.cl"),
        first: Stage { entry: "jacobi3d7", local: &[16, 32, 1], work: Work::Group(&[56, 26, 104]) },
        second: None,
        again: false,
        divisors: &[4],
        shared: None,
    }),
    cpu: Some(low::<steps::Jacobi3d7>(HandWritten {
        source: text!("cpu/jacobi3d7_time.cl"),
        first: Stage {
            entry: "jacobi3d7",
            local: &[1, 1, 1],
            work: Work::Group(&[HandWritten::ALL, 16, 64]),
        },
        second: None,
        again: false,
        divisors: &[16, 16],
        shared: None,
    })),
    operations: a_point!(39.0),
    bytes: None,
};
