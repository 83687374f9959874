//! Stencils in a plane, and OpenCL for them that is written by hand.

use super::{CPU_ROW, PLANE, lift, low, with};
use crate::low::{convolution, marching, plane, rows};
use crate::measure::{Given, HandWritten, Row, Stage, Tuned, Work};
use crate::stencils;

pub(super) const JACOBI_2D_5: Row = Row {
    name: "jacobi2d 5pt",
    sizes: &[4096, 4096],
    quick: PLANE,
    algorithmic: lift::<stencils::jacobi::Jacobi2d5<f32>>(),
    given: &[],
    gpu: low::<plane::Jacobi2d5>(HandWritten::sweep(text!("jacobi2d5.cl"), "jacobi2d5", &[64, 4], &[4, 2])),
    cpu: Some(low::<rows::Jacobi2d5>(
        HandWritten::sweep(text!("cpu/jacobi2d5.cl"), "jacobi2d5", &[1, 1], &[HandWritten::ALL, 16])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(9.0),
    bytes: None,
};

pub(super) const JACOBI_2D_5_LARGE: Row = Row { sizes: &[8192, 8192], ..JACOBI_2D_5 };

pub(super) const JACOBI_2D_5_DOUBLE: Row = Row {
    name: "jacobi2d 5pt f64",
    sizes: &[8192, 8192],
    algorithmic: lift::<stencils::jacobi::Jacobi2d5<f64>>(),
    gpu: low::<plane::Jacobi2d5Double>(HandWritten::sweep(
        text!("jacobi2d5_f64.cl"),
        "jacobi2d5",
        &[64, 4],
        &[2, 2],
    )),
    cpu: Some(low::<rows::Jacobi2d5Double>(
        HandWritten::sweep(text!("cpu/doubles.cl"), "jacobi2d5", &[1, 1], &[HandWritten::ALL, 16])
            .divisors(&[2]),
    )),
    ..JACOBI_2D_5
};

pub(super) const JACOBI_2D_9: Row = Row {
    name: "jacobi2d 9pt",
    algorithmic: lift::<stencils::jacobi::Jacobi2d9>(),
    gpu: low::<plane::Jacobi2d9>(HandWritten::sweep(text!("jacobi2d9.cl"), "jacobi2d9", &[64, 4], &[4, 2])),
    cpu: Some(low::<rows::Jacobi2d9>(
        HandWritten::sweep(text!("cpu/rows.cl"), "jacobi2d9", &[1, 1], &[HandWritten::ALL, 4])
            .divisors(&[CPU_ROW, 4]),
    )),
    operations: a_point!(17.0),
    ..JACOBI_2D_5
};

pub(super) const JACOBI_2D_9_LARGE: Row = Row { sizes: &[8192, 8192], ..JACOBI_2D_9 };

pub(super) const GAUSSIAN: Row = Row {
    name: "gaussian 5x5",
    algorithmic: lift::<stencils::gaussian::Gaussian>(),
    gpu: low::<plane::Gaussian>(HandWritten::sweep(text!("gaussian.cl"), "gaussian", &[32, 4], &[4, 4])),
    cpu: Some(low::<rows::Gaussian>(
        HandWritten::sweep(text!("cpu/gaussian.cl"), "gaussian", &[1, 1], &[HandWritten::ALL, 4])
            .divisors(&[CPU_ROW, 4]),
    )),
    operations: a_point!(49.0),
    ..JACOBI_2D_5
};

pub(super) const GAUSSIAN_LARGE: Row =
    Row { sizes: &[8192, 8192], gpu: GAUSSIAN.gpu.local(&[64, 2]), ..GAUSSIAN };

pub(super) const CONVOLUTION: Row = Row {
    name: "convolution 17x17",
    quick: &[64, 512],
    algorithmic: lift::<convolution::Blur>(),
    gpu: low::<convolution::TiledBlur>(
        HandWritten::sweep(text!("convolution.cl"), "convolution", &[32, 8], &[4, 2]).divisors(&[128, 16]),
    ),
    cpu: Some(low::<convolution::BlockedBlur>(
        HandWritten::sweep(text!("cpu/convolution.cl"), "convolution", &[1, 1], &[HandWritten::ALL, 4])
            .divisors(&[16, 4]),
    )),
    operations: a_point!(577.0),
    ..JACOBI_2D_5
};

pub(super) const GRADIENT: Row = Row {
    name: "gradient",
    algorithmic: lift::<stencils::gradient::Gradient>(),
    gpu: low::<plane::Gradient>(HandWritten::sweep(text!("gradient.cl"), "gradient", &[32, 8], &[4, 2])),
    cpu: Some(low::<rows::Gradient>(
        HandWritten::sweep(text!("cpu/rows.cl"), "gradient", &[1, 1], &[HandWritten::ALL, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(15.0),
    ..JACOBI_2D_5
};

pub(super) const GRADIENT_LARGE: Row =
    Row { sizes: &[8192, 8192], gpu: GRADIENT.gpu.local(&[64, 4]), ..GRADIENT };

pub(super) const HOTSPOT_2D: Row = Row {
    name: "hotspot2d",
    sizes: &[8192, 8192],
    // The step, and inverse resistances; resistances in the algorithmic kernel.
    gpu: Tuned {
        scalars: &[0.0625, 0.125, 0.25, 0.5],
        ..low::<plane::Hotspot2d>(HandWritten::sweep(text!("hotspot2d.cl"), "hotspot2d", &[32, 16], &[4, 1]))
    },
    algorithmic: with::<stencils::hotspot::Hotspot2d>(&[0.0625, 8.0, 4.0, 2.0]),
    cpu: Some(Tuned {
        scalars: &[0.0625, 0.125, 0.25, 0.5],
        ..low::<rows::Hotspot2d>(
            HandWritten::sweep(text!("cpu/rows.cl"), "hotspot2d", &[1, 1], &[HandWritten::ALL, 16])
                .divisors(&[CPU_ROW]),
        )
    }),
    operations: a_point!(15.0),
    ..JACOBI_2D_5
};

pub(super) const BLUR: Row = Row {
    name: "blur 17+17",
    quick: &[128, 528],
    algorithmic: lift::<stencils::convolution::Blur>(),
    gpu: low::<marching::Blur>(HandWritten {
        source: text!("blur17.cl"),
        first: Stage { entry: "blur17", local: &[128, 1], work: Work::Group(&[496, 17]) },
        second: None,
        again: false,
        divisors: &[4],
        shared: None,
    }),
    cpu: Some(low::<marching::RowBlur>(HandWritten {
        source: text!("cpu/blur17.cl"),
        first: Stage { entry: "blur17", local: &[1, 1], work: Work::Group(&[HandWritten::ALL, 64]) },
        second: None,
        again: false,
        divisors: &[16, 64],
        shared: None,
    })),
    operations: a_point!(66.0),
    ..JACOBI_2D_5
};

pub(super) const STENCIL_2D: Row = Row {
    name: "stencil2d 9pt",
    sizes: &[4096, 4096],
    algorithmic: lift::<stencils::shoc::Stencil2d>(),
    gpu: low::<plane::Stencil2d>(HandWritten::sweep(text!("stencil2d.cl"), "stencil2d", &[128, 2], &[2, 4])),
    cpu: Some(low::<rows::Stencil2d>(
        HandWritten::sweep(text!("cpu/rows.cl"), "stencil2d", &[1, 1], &[HandWritten::ALL, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(11.0),
    ..JACOBI_2D_5
};

/// Speckled images are at least 1.
const SPECKLED: &[(&str, Given)] = &[("image", Given::Between(1.0, 1.5))];

pub(super) const SRAD_1: Row = Row {
    name: "srad1",
    sizes: &[458, 504],
    algorithmic: with::<stencils::srad::Srad1>(&[0.05]),
    given: SPECKLED,
    gpu: Tuned {
        scalars: &[0.05],
        ..low::<plane::Srad1>(HandWritten::sweep(text!("srad.cl"), "srad1", &[32, 8], &[1, 1]))
    },
    cpu: Some(Tuned {
        scalars: &[0.05],
        ..low::<rows::Srad1>(
            HandWritten::sweep(text!("cpu/rows.cl"), "srad1", &[1, 1], &[HandWritten::ALL, 2]).divisors(&[8]),
        )
    }),
    operations: a_point!(30.0),
    ..JACOBI_2D_5
};

pub(super) const SRAD_2: Row = Row {
    name: "srad2",
    algorithmic: with::<stencils::srad::Srad2>(&[0.5]),
    gpu: Tuned {
        scalars: &[0.5],
        ..low::<plane::Srad2>(HandWritten::sweep(text!("srad.cl"), "srad2", &[32, 8], &[1, 1]))
    },
    cpu: Some(Tuned {
        scalars: &[0.5],
        ..low::<rows::Srad2>(
            HandWritten::sweep(text!("cpu/rows.cl"), "srad2", &[1, 1], &[HandWritten::ALL, 1]).divisors(&[8]),
        )
    }),
    operations: a_point!(14.0),
    ..SRAD_1
};
