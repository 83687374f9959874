//! The rows: which kernels are measured, at which sizes, against which text.
//!
//! The shapes of the hand-written kernels are the best of some hundred that were tried on an NVIDIA H200, one by one for
//! every workload and size, and on a CPU with AVX-512 under PoCL. Programs that nobody wrote by hand are there for the sake of
//! their versions.

use lift::{Kernel, Launcher};

use super::{HandWritten, Lift, Row, Tuned};

macro_rules! text {
    ($file:literal) => {
        include_str!(concat!("../../../../benches/handwritten/", $file))
    };
}

/// A kernel without scalar parameters.
const fn lift<K: Kernel>() -> Lift {
    with::<K>(&[])
}

/// A kernel with these scalar parameters.
const fn with<K: Kernel>(scalars: &'static [f64]) -> Lift {
    Lift { spec: K::SPEC, launcher: Some(Launcher::of::<K>), scalars }
}

/// A kernel in the low-level language and its opponent.
const fn low<K: Kernel>(hand: HandWritten) -> Tuned {
    Tuned { low: Some(K::SPEC), hand: Some(hand), scalars: &[] }
}

impl Tuned {
    /// The same with an opponent in work-groups of another shape.
    const fn local(self, local: &'static [usize]) -> Tuned {
        let hand = match self.hand {
            Some(hand) => Some(hand.local(local)),
            None => None,
        };
        Tuned { hand, ..self }
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

// Below the macros, which they use.
mod acoustics;
mod algebra;
mod alone;
mod planes;
mod repeated;
mod volumes;

/// All rows.
pub const ROWS: &[Row] = &[
    planes::JACOBI_2D_5,
    planes::JACOBI_2D_5_LARGE,
    planes::JACOBI_2D_5_DOUBLE,
    planes::JACOBI_2D_9,
    planes::JACOBI_2D_9_LARGE,
    planes::GAUSSIAN,
    planes::GAUSSIAN_LARGE,
    planes::CONVOLUTION,
    planes::GRADIENT,
    planes::GRADIENT_LARGE,
    planes::HOTSPOT_2D,
    planes::BLUR,
    repeated::STEPS_2D,
    repeated::STEPS_2D_LARGE,
    repeated::STEPS_3D,
    volumes::JACOBI_3D_7,
    volumes::JACOBI_3D_7_LARGE,
    volumes::JACOBI_3D_7_DOUBLE,
    volumes::JACOBI_3D_13,
    volumes::JACOBI_3D_13_LARGE,
    volumes::JACOBI_3D_27,
    volumes::JACOBI_3D_27_LARGE,
    volumes::HEAT,
    volumes::HEAT_LARGE,
    volumes::POISSON,
    volumes::POISSON_LARGE,
    planes::STENCIL_2D,
    volumes::HOTSPOT_3D,
    planes::SRAD_1,
    planes::SRAD_2,
    acoustics::ACOUSTIC,
    acoustics::ACOUSTIC_LARGE,
    acoustics::ACOUSTIC_OTHER,
    acoustics::ACOUSTIC_DOUBLE,
    acoustics::AIR,
    acoustics::FI_MM,
    acoustics::FD_MM,
    algebra::SCAL,
    algebra::SCAL_LARGE,
    algebra::SUM,
    algebra::SUM_LARGE,
    algebra::ASUM,
    algebra::ASUM_LARGE,
    algebra::DOT,
    algebra::DOT_LARGE,
    algebra::GEMV,
    algebra::GEMV_LARGE,
    algebra::GEMM,
    algebra::GEMM_SMALL,
    alone::BLACK_SCHOLES,
    alone::MANDELBROT,
    alone::N_BODY,
    alone::MOLECULAR_DYNAMICS,
    alone::NEAREST_CENTRE,
    alone::LIFE,
    alone::CONVOLUTION,
    alone::CONVOLVE_COLUMNS,
    alone::CONVOLVE_ROWS,
    alone::SEPARABLE_CONVOLUTION,
    alone::JACOBI_3D_19_LEGGY,
    alone::JACOBI_3D_19_DENSE,
    alone::ITERATED_JACOBI_2D,
    alone::JACOBI_2D_100_STEPS,
    alone::ITERATED_JACOBI_3D,
    alone::ITERATED_HOTSPOT_2D,
    alone::SRAD,
    alone::SUM_OF_INTEGERS,
    alone::LARGEST,
    alone::GEMM_TN,
    alone::GEMM_NT,
    alone::GEMM_TT,
    alone::LISTEN,
];
