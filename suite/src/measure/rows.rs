//! The rows: which kernels are measured, at which sizes, against which text.
//!
//! The shapes of the hand-written kernels are the best of some hundred that were tried on an NVIDIA H200, one by one for
//! every workload and size, and on a CPU with AVX-512 under PoCL.

use lift::Kernel;

use super::{Given, HandWritten, Lift, Row, Stage, Tuned, Work, rooms};
use crate::low::{
    algebra, convolution, marching, plane, reductions, room, rows, sound, steps, time, vectors, volume,
};
use crate::rooms as workloads;
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
    given: &[],
    gpu: low::<plane::Jacobi2d5>(HandWritten::sweep(text!("jacobi2d5.cl"), "jacobi2d5", &[64, 4], &[4, 2])),
    cpu: Some(low::<rows::Jacobi2d5>(
        HandWritten::sweep(text!("cpu/jacobi2d5.cl"), "jacobi2d5", &[1, 1], &[HandWritten::ALL, 16])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(9.0),
    bytes: None,
};

const JACOBI_2D_9: Row = Row {
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

const GAUSSIAN: Row = Row {
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

const GRADIENT: Row = Row {
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

const CONVOLUTION: Row = Row {
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

const JACOBI_3D_7: Row = Row {
    name: "jacobi3d 7pt",
    sizes: &[256, 256, 256],
    quick: VOLUME,
    algorithmic: lift::<stencils::jacobi::Jacobi3d7<f32>>(),
    given: &[],
    gpu: low::<volume::Jacobi3d7>(HandWritten::sweep(
        text!("jacobi3d7.cl"),
        "one_plane",
        &[32, 4, 4],
        &[4, 1, 1],
    )),
    cpu: Some(low::<rows::Jacobi3d7>(
        HandWritten::sweep(text!("cpu/jacobi3d7.cl"), "jacobi3d7", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(13.0),
    bytes: None,
};

const JACOBI_3D_13: Row = Row {
    name: "jacobi3d 13pt",
    sizes: &[256, 256, 256],
    quick: &[24, 12, 320],
    algorithmic: lift::<stencils::jacobi::Jacobi3d13>(),
    given: &[],
    gpu: low::<volume::Jacobi3d13>(
        HandWritten::sweep(text!("jacobi3d13.cl"), "jacobi3d13", &[64, 4, 1], &[4, 1, 8]).divisors(&[4]),
    ),
    cpu: Some(low::<rows::Jacobi3d13>(
        HandWritten::sweep(text!("cpu/rows.cl"), "jacobi3d13", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(25.0),
    bytes: None,
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
    cpu: Some(low::<rows::Jacobi3d27>(
        HandWritten::sweep(text!("cpu/rows.cl"), "jacobi3d27", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(53.0),
    ..JACOBI_3D_7
};

const ACOUSTIC: Row = Row {
    name: "acoustic",
    sizes: &[202, 256, 256],
    quick: VOLUME,
    algorithmic: lift::<stencils::acoustic::Acoustic<f32>>(),
    given: &[],
    gpu: low::<volume::Acoustic>(HandWritten::sweep(
        text!("acoustic.cl"),
        "acoustic",
        &[64, 2, 2],
        &[2, 2, 2],
    )),
    cpu: Some(low::<rows::Acoustic>(
        HandWritten::sweep(text!("cpu/rows.cl"), "acoustic", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[2]),
    )),
    operations: a_point!(14.0),
    bytes: None,
};

const HEAT: Row = Row {
    name: "heat",
    algorithmic: lift::<stencils::heat::Heat>(),
    gpu: low::<volume::Heat>(HandWritten::sweep(text!("heat.cl"), "one_plane", &[32, 2, 4], &[4, 2, 1])),
    cpu: Some(low::<rows::Heat>(
        HandWritten::sweep(text!("cpu/rows.cl"), "heat", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(12.0),
    ..JACOBI_3D_7
};

const POISSON: Row = Row {
    name: "poisson",
    quick: &[24, 12, 192],
    algorithmic: lift::<stencils::poisson::Poisson>(),
    gpu: low::<volume::PoissonPlanes>(HandWritten::sweep(
        text!("poisson.cl"),
        "eight_planes",
        &[64, 2, 1],
        &[4, 1, 8],
    )),
    cpu: Some(low::<rows::Poisson>(
        HandWritten::sweep(text!("cpu/rows.cl"), "poisson", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(21.0),
    ..JACOBI_3D_7
};

/// Speckled images are at least 1.
const SPECKLED: &[(&str, Given)] = &[("image", Given::Between(1.0, 1.5))];

const SRAD_1: Row = Row {
    name: "srad1",
    sizes: &[458, 504],
    algorithmic: Lift { spec: stencils::srad::Srad1::SPEC, scalars: &[0.05] },
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

const SRAD_2: Row = Row {
    name: "srad2",
    algorithmic: Lift { spec: stencils::srad::Srad2::SPEC, scalars: &[0.5] },
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

const STENCIL_2D: Row = Row {
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

const HOTSPOT_3D: Row = Row {
    name: "hotspot3d",
    sizes: &[8, 512, 512],
    quick: &[16, 12, 192],
    algorithmic: Lift { spec: stencils::hotspot::Hotspot3d::SPEC, scalars: &[0.0625] },
    gpu: Tuned {
        scalars: &[0.0625],
        ..low::<volume::Hotspot3d>(
            HandWritten::sweep(text!("hotspot3d.cl"), "hotspot3d", &[32, 4, 1], &[4, 1, 8]).divisors(&[4]),
        )
    },
    cpu: Some(Tuned {
        scalars: &[0.0625],
        ..low::<rows::Hotspot3d>(
            HandWritten::sweep(text!("cpu/rows.cl"), "hotspot3d", &[1, 1, 1], &[HandWritten::ALL, 16, 1])
                .divisors(&[CPU_ROW]),
        )
    }),
    operations: a_point!(16.0),
    ..JACOBI_3D_7
};

const AIR: Row = Row {
    name: "air of a dome",
    sizes: &[302, 402, 602],
    algorithmic: Lift { spec: workloads::volume::Volume::SPEC, scalars: &[0.3, 0.001] },
    given: &[("neighbours", Given::Numbers(rooms::neighbours))],
    gpu: Tuned {
        scalars: &[0.3, 0.001],
        ..low::<room::Volume>(HandWritten::sweep(text!("air.cl"), "air", &[64, 2, 2], &[2, 2, 2]))
    },
    cpu: Some(Tuned {
        scalars: &[0.3, 0.001],
        ..low::<sound::Volume>(
            HandWritten::sweep(text!("cpu/air.cl"), "air", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
                .divisors(&[2]),
        )
    }),
    operations: a_point!(20.0),
    ..JACOBI_3D_7
};

/// Points at the walls of a dome.
const AT_WALLS: &[(&str, Given)] = &[
    ("index", Given::Numbers(rooms::index)),
    ("neighbours", Given::Numbers(rooms::near)),
    ("material", Given::Numbers(rooms::material)),
];

const FI_MM: Row = Row {
    name: "fi-mm walls",
    sizes: rooms::LARGE,
    quick: rooms::QUICK,
    algorithmic: Lift { spec: workloads::walls::FiMm::SPEC, scalars: &[0.5] },
    given: AT_WALLS,
    gpu: Tuned {
        scalars: &[0.5],
        ..low::<room::FiMm>(HandWritten::sweep(text!("walls.cl"), "fi_mm", &[128], &[1]).sharing("index"))
    },
    cpu: Some(Tuned {
        scalars: &[0.5],
        ..low::<sound::FiMm>(
            HandWritten::sweep(text!("cpu/walls.cl"), "fi_mm", &[1], &[4096]).divisors(&[1]).sharing("index"),
        )
    }),
    operations: |sizes| sizes.get(1).map_or(0.0, |&points| points as f64 * 7.0),
    // Three whole numbers, the pressure before, and the next one twice.
    bytes: Some(|sizes| sizes.get(1).map_or(0, |points| points * 24)),
};

const FD_MM: Row = Row {
    name: "fd-mm walls",
    sizes: rooms::LARGE_BRANCHES,
    quick: rooms::QUICK_BRANCHES,
    algorithmic: Lift { spec: workloads::walls::FdMm::SPEC, scalars: &[0.5] },
    gpu: Tuned {
        scalars: &[0.5],
        ..low::<room::FdMm>(HandWritten::sweep(text!("walls.cl"), "fd_mm", &[256], &[1]).sharing("index"))
    },
    cpu: Some(Tuned {
        scalars: &[0.5],
        ..low::<sound::FdMm>(
            HandWritten::sweep(text!("cpu/walls.cl"), "fd_mm", &[1], &[4096]).divisors(&[1]).sharing("index"),
        )
    }),
    operations: |sizes| sizes.get(1).map_or(0.0, |&points| points as f64 * (8.0 + 3.0 * 14.0)),
    // As above, and two numbers of each of three branches twice.
    bytes: Some(|sizes| sizes.get(1).map_or(0, |points| points * (24 + 3 * 16))),
    ..FI_MM
};

const SCAL: Row = Row {
    name: "scal",
    sizes: &[1 << 24],
    quick: &[1312],
    algorithmic: Lift { spec: blas::Scal::<f32>::SPEC, scalars: &[0.75] },
    given: &[],
    gpu: Tuned {
        scalars: &[0.75],
        ..low::<algebra::Scal>(HandWritten::sweep(text!("scal.cl"), "scal", &[256], &[4]))
    },
    cpu: Some(Tuned {
        scalars: &[0.75],
        ..low::<vectors::Scal>(HandWritten::sweep(text!("cpu/algebra.cl"), "scal", &[32], &[16]))
    }),
    operations: a_point!(1.0),
    bytes: None,
};

/// A reduction on a CPU: 1024 parts, and then those.
macro_rules! parts {
    ($kernel:ty, $entry:literal) => {
        Some(low::<$kernel>(HandWritten {
            source: text!("cpu/algebra.cl"),
            first: Stage { entry: $entry, local: &[1], work: Work::Groups(&[1024]) },
            second: Some((Stage { entry: "finish", local: &[1], work: Work::Groups(&[1]) }, 1024)),
            divisors: &[],
            shared: None,
        }))
    };
}

/// A reduction: every group reduces a part, and one more group those.
macro_rules! reduction {
    ($low:ident, $entry:literal) => {
        low::<reductions::$low>(HandWritten {
            source: text!("reduce.cl"),
            first: Stage { entry: $entry, local: &[256], work: Work::Groups(&[2112]) },
            second: Some((Stage { entry: "finish", local: &[256], work: Work::Groups(&[1]) }, 2112)),
            divisors: &[],
            shared: None,
        })
    };
}

const SUM: Row = Row {
    name: "sum",
    sizes: &[1 << 24],
    quick: &[196_608],
    algorithmic: lift::<reduce::Sum<f32>>(),
    given: &[],
    gpu: reduction!(Sum, "sum"),
    cpu: parts!(vectors::Sum, "sum"),
    operations: a_point!(1.0),
    bytes: None,
};

const ASUM: Row = Row {
    name: "asum",
    algorithmic: lift::<blas::Asum<f32>>(),
    gpu: reduction!(Asum, "asum"),
    cpu: parts!(vectors::Asum, "asum"),
    ..SUM
};

const DOT: Row = Row {
    name: "dot",
    algorithmic: lift::<blas::Dot<f32>>(),
    gpu: reduction!(Dot, "dot_product"),
    cpu: parts!(vectors::Dot, "dot_product"),
    operations: a_point!(2.0),
    ..SUM
};

const GEMV: Row = Row {
    name: "gemv",
    sizes: &[4096, 4096],
    quick: &[36, 1024],
    algorithmic: Lift { spec: blas::Gemv::<f32>::SPEC, scalars: &[0.5, 0.25] },
    given: &[],
    gpu: Tuned {
        scalars: &[0.5, 0.25],
        ..low::<algebra::Gemv>(HandWritten {
            source: text!("gemv.cl"),
            first: Stage { entry: "gemv", local: &[128], work: Work::Group(&[1]) },
            second: None,
            divisors: &[],
            shared: None,
        })
    },
    cpu: Some(Tuned {
        scalars: &[0.5, 0.25],
        ..low::<vectors::Gemv>(HandWritten::sweep(text!("cpu/algebra.cl"), "gemv", &[1], &[4]))
    }),
    operations: a_point!(2.0),
    bytes: None,
};

const BLUR: Row = Row {
    name: "blur 17+17",
    quick: &[128, 528],
    algorithmic: lift::<stencils::convolution::Blur>(),
    gpu: low::<marching::Blur>(HandWritten {
        source: text!("blur17.cl"),
        first: Stage { entry: "blur17", local: &[128, 1], work: Work::Group(&[496, 17]) },
        second: None,
        divisors: &[4],
        shared: None,
    }),
    cpu: Some(low::<marching::RowBlur>(HandWritten {
        source: text!("cpu/blur17.cl"),
        first: Stage { entry: "blur17", local: &[1, 1], work: Work::Group(&[HandWritten::ALL, 64]) },
        second: None,
        divisors: &[16, 64],
        shared: None,
    })),
    operations: a_point!(66.0),
    ..JACOBI_2D_5
};

/// Several steps in time; all of them count.
const STEPS_2D: Row = Row {
    name: "jacobi2d 5pt, 6 steps",
    sizes: &[4096, 4096],
    quick: &[256, 528],
    algorithmic: lift::<stencils::jacobi::SixSteps2d>(),
    given: &[],
    gpu: low::<time::Jacobi2d5>(HandWritten {
        source: text!("jacobi2d5_time.cl"),
        first: Stage { entry: "jacobi2d5", local: &[128, 1], work: Work::Group(&[496, 64]) },
        second: None,
        divisors: &[4],
        shared: None,
    }),
    cpu: Some(low::<steps::Jacobi2d5>(HandWritten {
        source: text!("cpu/jacobi2d5_time.cl"),
        first: Stage { entry: "jacobi2d5", local: &[1, 1], work: Work::Group(&[HandWritten::ALL, 256]) },
        second: None,
        divisors: &[16],
        shared: None,
    })),
    operations: a_point!(54.0),
    bytes: None,
};

const STEPS_3D: Row = Row {
    name: "jacobi3d 7pt, 3 steps",
    sizes: &[512, 512, 512],
    quick: &[64, 32, 64],
    algorithmic: lift::<stencils::jacobi::ThreeSteps3d>(),
    given: &[],
    gpu: low::<time::Jacobi3d7>(HandWritten {
        source: text!("jacobi3d7_time.cl"),
        first: Stage { entry: "jacobi3d7", local: &[16, 32, 1], work: Work::Group(&[56, 26, 104]) },
        second: None,
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
        divisors: &[16, 16],
        shared: None,
    })),
    operations: a_point!(39.0),
    bytes: None,
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
        cpu: Some(low::<rows::Jacobi2d5Double>(
            HandWritten::sweep(text!("cpu/doubles.cl"), "jacobi2d5", &[1, 1], &[HandWritten::ALL, 16])
                .divisors(&[2]),
        )),
        ..JACOBI_2D_5
    },
    JACOBI_2D_9,
    Row { sizes: &[8192, 8192], ..JACOBI_2D_9 },
    GAUSSIAN,
    Row { sizes: &[8192, 8192], gpu: GAUSSIAN.gpu.local(&[64, 2]), ..GAUSSIAN },
    CONVOLUTION,
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
        cpu: Some(Tuned {
            scalars: &[0.0625, 0.125, 0.25, 0.5],
            ..low::<rows::Hotspot2d>(
                HandWritten::sweep(text!("cpu/rows.cl"), "hotspot2d", &[1, 1], &[HandWritten::ALL, 16])
                    .divisors(&[CPU_ROW]),
            )
        }),
        operations: a_point!(15.0),
        ..JACOBI_2D_5
    },
    BLUR,
    STEPS_2D,
    Row { sizes: &[8192, 8192], ..STEPS_2D },
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
        cpu: Some(low::<rows::Jacobi3d7Double>(
            HandWritten::sweep(text!("cpu/doubles.cl"), "jacobi3d7", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
                .divisors(&[2]),
        )),
        ..JACOBI_3D_7
    },
    JACOBI_3D_13,
    Row { sizes: &[512, 512, 512], gpu: JACOBI_3D_13.gpu.local(&[32, 8, 1]), ..JACOBI_3D_13 },
    JACOBI_3D_27,
    Row { sizes: &[512, 512, 512], ..JACOBI_3D_27 },
    HEAT,
    Row {
        sizes: &[512, 512, 512],
        gpu: low::<volume::Heat>(HandWritten::sweep(text!("heat.cl"), "two_planes", &[64, 2, 2], &[4, 2, 2])),
        ..HEAT
    },
    POISSON,
    Row {
        sizes: &[512, 512, 512],
        gpu: low::<volume::Poisson>(HandWritten::sweep(
            text!("poisson.cl"),
            "two_planes",
            &[32, 4, 1],
            &[4, 2, 2],
        )),
        ..POISSON
    },
    STENCIL_2D,
    HOTSPOT_3D,
    SRAD_1,
    SRAD_2,
    ACOUSTIC,
    Row {
        sizes: &[404, 512, 512],
        gpu: low::<volume::AcousticPlanes>(HandWritten::sweep(
            text!("acoustic_planes.cl"),
            "acoustic",
            &[32, 8, 1],
            &[4, 1, 4],
        )),
        ..ACOUSTIC
    },
    Row { sizes: &[302, 402, 602], ..ACOUSTIC },
    Row {
        name: "acoustic f64",
        sizes: &[302, 402, 602],
        algorithmic: lift::<stencils::acoustic::Acoustic<f64>>(),
        cpu: Some(low::<rows::AcousticDouble>(
            HandWritten::sweep(text!("cpu/doubles.cl"), "acoustic", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
                .divisors(&[2]),
        )),
        gpu: low::<volume::AcousticDouble>(
            HandWritten::sweep(text!("acoustic_f64.cl"), "acoustic", &[32, 4, 1], &[2, 1, 8]).divisors(&[2]),
        ),
        ..ACOUSTIC
    },
    AIR,
    FI_MM,
    FD_MM,
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
        given: &[],
        algorithmic: Lift { spec: blas::Gemm::<f32>::SPEC, scalars: &[0.5, 0.25] },
        gpu: Tuned {
            scalars: &[0.5, 0.25],
            ..low::<algebra::Gemm>(HandWritten {
                source: text!("gemm.cl"),
                first: Stage { entry: "gemm", local: &[256, 1], work: Work::Group(&[128, 128]) },
                second: None,
                divisors: &[128, 128],
                shared: None,
            })
        },
        cpu: Some(Tuned {
            scalars: &[0.5, 0.25],
            ..low::<vectors::Gemm>(HandWritten {
                source: text!("cpu/algebra.cl"),
                first: Stage { entry: "gemm", local: &[1, 1], work: Work::Group(&[32, HandWritten::ALL]) },
                second: None,
                divisors: &[32],
                shared: None,
            })
        }),
        operations: |sizes| sizes.iter().map(|&n| n as f64).product::<f64>() * 2.0,
        bytes: None,
    },
];
