//! Linear algebra and reductions, and OpenCL for them that is written by hand.

use super::{lift, low, with};
use crate::low::{algebra, reductions, vectors};
use crate::measure::{HandWritten, Row, Stage, Tuned, Work};
use crate::{blas, reduce};

pub(super) const SCAL: Row = Row {
    name: "scal",
    sizes: &[1 << 24],
    quick: &[1312],
    algorithmic: with::<blas::Scal<f32>>(&[0.75]),
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

pub(super) const SCAL_LARGE: Row = Row { sizes: &[1 << 28], ..SCAL };

/// A reduction on a CPU: 1024 parts, and then those.
macro_rules! parts {
    ($kernel:ty, $entry:literal) => {
        Some(low::<$kernel>(HandWritten {
            source: text!("cpu/algebra.cl"),
            first: Stage { entry: $entry, local: &[1], work: Work::Groups(&[1024]) },
            second: Some((Stage { entry: "finish", local: &[1], work: Work::Groups(&[1]) }, 1024)),
            again: false,
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
            again: false,
            divisors: &[],
            shared: None,
        })
    };
}

pub(super) const SUM: Row = Row {
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

pub(super) const SUM_LARGE: Row = Row { sizes: &[1 << 28], ..SUM };

pub(super) const ASUM: Row = Row {
    name: "asum",
    algorithmic: lift::<blas::Asum<f32>>(),
    gpu: reduction!(Asum, "asum"),
    cpu: parts!(vectors::Asum, "asum"),
    ..SUM
};

pub(super) const ASUM_LARGE: Row = Row { sizes: &[1 << 28], ..ASUM };

pub(super) const DOT: Row = Row {
    name: "dot",
    algorithmic: lift::<blas::Dot<f32>>(),
    gpu: reduction!(Dot, "dot_product"),
    cpu: parts!(vectors::Dot, "dot_product"),
    operations: a_point!(2.0),
    ..SUM
};

pub(super) const DOT_LARGE: Row = Row { sizes: &[1 << 28], ..DOT };

pub(super) const GEMV: Row = Row {
    name: "gemv",
    sizes: &[4096, 4096],
    quick: &[36, 1024],
    algorithmic: with::<blas::Gemv<f32>>(&[0.5, 0.25]),
    given: &[],
    gpu: Tuned {
        scalars: &[0.5, 0.25],
        ..low::<algebra::Gemv>(HandWritten {
            source: text!("gemv.cl"),
            first: Stage { entry: "gemv", local: &[128], work: Work::Group(&[1]) },
            second: None,
            again: false,
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

pub(super) const GEMV_LARGE: Row = Row { sizes: &[8192, 8192], ..GEMV };

pub(super) const GEMM: Row = Row {
    name: "sgemm",
    sizes: &[4096, 4096, 4096],
    quick: &[128, 256, 48],
    given: &[],
    algorithmic: with::<blas::Gemm<f32>>(&[0.5, 0.25]),
    gpu: Tuned {
        scalars: &[0.5, 0.25],
        ..low::<algebra::Gemm>(HandWritten {
            source: text!("gemm.cl"),
            first: Stage { entry: "gemm", local: &[256, 1], work: Work::Group(&[128, 128]) },
            second: None,
            again: false,
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
            again: false,
            divisors: &[32],
            shared: None,
        })
    }),
    operations: |sizes| sizes.iter().map(|&n| n as f64).product::<f64>() * 2.0,
    bytes: None,
};

pub(super) const GEMM_SMALL: Row = Row { sizes: &[1024, 1024, 1024], ..GEMM };
