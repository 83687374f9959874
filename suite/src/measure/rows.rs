//! The rows: which kernels are measured, at which sizes, against which text.
//!
//! The shapes of the hand-written kernels are the best of some hundred that were tried on an NVIDIA H200, one by one for
//! every workload and size, and on a CPU with AVX-512 under PoCL.

use lift::Kernel;

use super::{HandWritten, Lift, Row, Stage, Tuned, Work};
use crate::low::{algebra, marching, plane, time, volume};
use crate::{blas, reduce, stencils};

macro_rules! text {
    ($file:literal) => {
        include_str!(concat!("../../../benches/handwritten/", $file))
    };
}

/// A kernel without scalar parameters.
const fn lift<K: Kernel>() -> Lift {
    Lift { spec: K::SPEC, scalars: &[] }
}

/// A kernel in the low-level language and its opponent.
const fn low<K: Kernel>(hand: HandWritten) -> Tuned {
    Tuned { low: Some(K::SPEC), hand, scalars: &[] }
}

/// Only an opponent.
const fn hand(hand: HandWritten) -> Tuned {
    Tuned { low: None, hand, scalars: &[] }
}

impl Tuned {
    /// The same with an opponent in work-groups of another shape.
    const fn local(self, local: &'static [usize]) -> Tuned {
        Tuned { hand: self.hand.local(local), ..self }
    }
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
    algorithmic: lift::<stencils::jacobi::Jacobi2d5<f32>>(),
    gpu: low::<plane::Jacobi2d5>(HandWritten::sweep(text!("jacobi2d5.cl"), "jacobi2d5", &[64, 4], &[4, 2])),
    cpu: Some(low::<plane::Jacobi2d5>(
        HandWritten::sweep(text!("cpu/jacobi2d5.cl"), "jacobi2d5", &[1, 1], &[HandWritten::ALL, 16])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(9.0),
};

const JACOBI_2D_9: Row = Row {
    name: "jacobi2d 9pt",
    algorithmic: lift::<stencils::jacobi::Jacobi2d9>(),
    gpu: low::<plane::Jacobi2d9>(HandWritten::sweep(text!("jacobi2d9.cl"), "jacobi2d9", &[64, 4], &[4, 2])),
    cpu: None,
    operations: a_point!(17.0),
    ..JACOBI_2D_5
};

const GAUSSIAN: Row = Row {
    name: "gaussian 5x5",
    algorithmic: lift::<stencils::gaussian::Gaussian>(),
    gpu: low::<plane::Gaussian>(HandWritten::sweep(text!("gaussian.cl"), "gaussian", &[32, 4], &[4, 4])),
    cpu: Some(low::<plane::Gaussian>(
        HandWritten::sweep(text!("cpu/gaussian.cl"), "gaussian", &[1, 1], &[HandWritten::ALL, 4])
            .divisors(&[CPU_ROW, 4]),
    )),
    operations: a_point!(49.0),
    ..JACOBI_2D_5
};

const GRADIENT: Row = Row {
    name: "gradient",
    algorithmic: lift::<stencils::gradient::Gradient>(),
    gpu: low::<plane::Gradient>(HandWritten::sweep(text!("gradient.cl"), "gradient", &[32, 8], &[4, 2])),
    cpu: None,
    operations: a_point!(15.0),
    ..JACOBI_2D_5
};

const JACOBI_3D_7: Row = Row {
    name: "jacobi3d 7pt",
    sizes: &[256, 256, 256],
    quick: VOLUME,
    algorithmic: lift::<stencils::jacobi::Jacobi3d7<f32>>(),
    gpu: low::<volume::Jacobi3d7>(HandWritten::sweep(
        text!("jacobi3d7.cl"),
        "one_plane",
        &[32, 4, 4],
        &[4, 1, 1],
    )),
    cpu: Some(low::<volume::Jacobi3d7>(
        HandWritten::sweep(text!("cpu/jacobi3d7.cl"), "jacobi3d7", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(13.0),
};

const JACOBI_3D_13: Row = Row {
    name: "jacobi3d 13pt",
    sizes: &[256, 256, 256],
    quick: &[24, 12, 320],
    algorithmic: lift::<stencils::jacobi::Jacobi3d13>(),
    gpu: low::<volume::Jacobi3d13>(
        HandWritten::sweep(text!("jacobi3d13.cl"), "jacobi3d13", &[64, 4, 1], &[4, 1, 8]).divisors(&[4]),
    ),
    cpu: None,
    operations: a_point!(25.0),
};

const JACOBI_3D_27: Row = Row {
    name: "jacobi3d 27pt",
    algorithmic: lift::<stencils::jacobi::Jacobi3d27>(),
    gpu: low::<volume::Jacobi3d27>(HandWritten::sweep(
        text!("jacobi3d27.cl"),
        "jacobi3d27",
        &[32, 4, 1],
        &[4, 2, 2],
    )),
    cpu: None,
    operations: a_point!(53.0),
    ..JACOBI_3D_7
};

const ACOUSTIC: Row = Row {
    name: "acoustic",
    sizes: &[202, 256, 256],
    quick: VOLUME,
    algorithmic: lift::<stencils::acoustic::Acoustic<f32>>(),
    gpu: low::<volume::Acoustic>(HandWritten::sweep(
        text!("acoustic.cl"),
        "acoustic",
        &[64, 2, 2],
        &[2, 2, 2],
    )),
    cpu: None,
    operations: a_point!(14.0),
};

const SCAL: Row = Row {
    name: "scal",
    sizes: &[1 << 24],
    quick: &[1300],
    algorithmic: Lift { spec: blas::Scal::<f32>::SPEC, scalars: &[0.75] },
    gpu: Tuned {
        scalars: &[0.75],
        ..low::<algebra::Scal>(HandWritten::sweep(text!("scal.cl"), "scal", &[256], &[4]))
    },
    cpu: None,
    operations: a_point!(1.0),
};

/// A reduction: every group reduces a part, and one more group those.
macro_rules! reduction {
    ($entry:literal) => {
        hand(HandWritten {
            source: text!("reduce.cl"),
            first: Stage { entry: $entry, local: &[256], work: Work::Groups(&[2112]) },
            second: Some((Stage { entry: "finish", local: &[256], work: Work::Groups(&[1]) }, 2112)),
            divisors: &[],
        })
    };
}

const SUM: Row = Row {
    name: "sum",
    sizes: &[1 << 24],
    quick: &[40_004],
    algorithmic: lift::<reduce::Sum<f32>>(),
    gpu: reduction!("sum"),
    cpu: None,
    operations: a_point!(1.0),
};

const ASUM: Row =
    Row { name: "asum", algorithmic: lift::<blas::Asum<f32>>(), gpu: reduction!("asum"), ..SUM };

const DOT: Row = Row {
    name: "dot",
    algorithmic: lift::<blas::Dot<f32>>(),
    gpu: reduction!("dot_product"),
    operations: a_point!(2.0),
    ..SUM
};

const GEMV: Row = Row {
    name: "gemv",
    sizes: &[4096, 4096],
    quick: &[37, 1024],
    algorithmic: Lift { spec: blas::Gemv::<f32>::SPEC, scalars: &[0.5, 0.25] },
    gpu: Tuned {
        scalars: &[0.5, 0.25],
        ..low::<algebra::Gemv>(HandWritten {
            source: text!("gemv.cl"),
            first: Stage { entry: "gemv", local: &[128], work: Work::Group(&[1]) },
            second: None,
            divisors: &[],
        })
    },
    cpu: None,
    operations: a_point!(2.0),
};

const BLUR: Row = Row {
    name: "blur 17+17",
    quick: &[70, 520],
    algorithmic: lift::<stencils::convolution::Blur>(),
    gpu: low::<marching::Blur>(HandWritten {
        source: text!("blur17.cl"),
        first: Stage { entry: "blur17", local: &[128, 1], work: Work::Group(&[496, 17]) },
        second: None,
        divisors: &[4],
    }),
    cpu: None,
    operations: a_point!(66.0),
    ..JACOBI_2D_5
};

/// Several steps in time; all of them count.
const STEPS_2D: Row = Row {
    name: "jacobi2d 5pt, 6 steps",
    sizes: &[8192, 8192],
    quick: &[100, 520],
    algorithmic: lift::<stencils::jacobi::SixSteps2d>(),
    gpu: low::<time::Jacobi2d5>(HandWritten {
        source: text!("jacobi2d5_time.cl"),
        first: Stage { entry: "jacobi2d5", local: &[128, 1], work: Work::Group(&[496, 96]) },
        second: None,
        divisors: &[4],
    }),
    cpu: None,
    operations: a_point!(54.0),
};

const STEPS_3D: Row = Row {
    name: "jacobi3d 7pt, 3 steps",
    sizes: &[512, 512, 512],
    quick: &[5, 30, 64],
    algorithmic: lift::<stencils::jacobi::ThreeSteps3d>(),
    gpu: low::<time::Jacobi3d7>(HandWritten {
        source: text!("jacobi3d7_time.cl"),
        first: Stage { entry: "jacobi3d7", local: &[16, 32, 1], work: Work::Group(&[56, 26, 104]) },
        second: None,
        divisors: &[4],
    }),
    cpu: None,
    operations: a_point!(39.0),
};

/// All rows.
pub const ROWS: &[Row] = &[
    JACOBI_2D_5,
    Row { sizes: &[8192, 8192], ..JACOBI_2D_5 },
    Row {
        name: "jacobi2d 5pt f64",
        sizes: &[8192, 8192],
        algorithmic: lift::<stencils::jacobi::Jacobi2d5<f64>>(),
        gpu: low::<plane::Jacobi2d5Double>(HandWritten::sweep(
            text!("jacobi2d5_f64.cl"),
            "jacobi2d5",
            &[64, 4],
            &[2, 2],
        )),
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
        gpu: Tuned {
            scalars: &[0.0625, 0.125, 0.25, 0.5],
            ..low::<plane::Hotspot2d>(HandWritten::sweep(
                text!("hotspot2d.cl"),
                "hotspot2d",
                &[32, 16],
                &[4, 1],
            ))
        },
        algorithmic: Lift { spec: stencils::hotspot::Hotspot2d::SPEC, scalars: &[0.0625, 8.0, 4.0, 2.0] },
        cpu: None,
        operations: a_point!(15.0),
        ..JACOBI_2D_5
    },
    BLUR,
    STEPS_2D,
    STEPS_3D,
    JACOBI_3D_7,
    Row {
        sizes: &[512, 512, 512],
        gpu: low::<volume::Jacobi3d7>(HandWritten::sweep(
            text!("jacobi3d7.cl"),
            "two_planes",
            &[16, 8, 2],
            &[4, 1, 2],
        )),
        ..JACOBI_3D_7
    },
    Row {
        name: "jacobi3d 7pt f64",
        sizes: &[512, 512, 512],
        algorithmic: lift::<stencils::jacobi::Jacobi3d7<f64>>(),
        gpu: low::<volume::Jacobi3d7Double>(HandWritten::sweep(
            text!("jacobi3d7_f64.cl"),
            "jacobi3d7",
            &[16, 8, 2],
            &[2, 1, 1],
        )),
        cpu: None,
        ..JACOBI_3D_7
    },
    JACOBI_3D_13,
    Row { sizes: &[512, 512, 512], gpu: JACOBI_3D_13.gpu.local(&[32, 8, 1]), ..JACOBI_3D_13 },
    JACOBI_3D_27,
    Row { sizes: &[512, 512, 512], ..JACOBI_3D_27 },
    ACOUSTIC,
    Row {
        sizes: &[404, 512, 512],
        gpu: low::<volume::Acoustic>(HandWritten::sweep(
            text!("acoustic_planes.cl"),
            "acoustic",
            &[32, 8, 1],
            &[4, 1, 4],
        )),
        ..ACOUSTIC
    },
    Row { sizes: &[302, 402, 602], ..ACOUSTIC },
    SCAL,
    Row { sizes: &[1 << 28], ..SCAL },
    SUM,
    Row { sizes: &[1 << 28], ..SUM },
    ASUM,
    Row { sizes: &[1 << 28], ..ASUM },
    DOT,
    Row { sizes: &[1 << 28], ..DOT },
    GEMV,
    Row { sizes: &[8192, 8192], ..GEMV },
    Row {
        name: "sgemm",
        sizes: &[4096, 4096, 4096],
        quick: &[128, 256, 48],
        algorithmic: Lift { spec: blas::Gemm::<f32>::SPEC, scalars: &[0.5, 0.25] },
        gpu: Tuned {
            scalars: &[0.5, 0.25],
            ..low::<algebra::Gemm>(HandWritten {
                source: text!("gemm.cl"),
                first: Stage { entry: "gemm", local: &[256, 1], work: Work::Group(&[128, 128]) },
                second: None,
                divisors: &[128, 128],
            })
        },
        cpu: None,
        operations: |sizes| sizes.iter().map(|&n| n as f64).product::<f64>() * 2.0,
    },
];
