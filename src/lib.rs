#![doc = include_str!("links.md")]
#![doc = include_str!("front.md")]
#![forbid(unsafe_code)]

#[cfg(not(any(feature = "host", feature = "opencl")))]
compile_error!("lift-kernels needs a back end: turn on its feature `host`, its feature `opencl`, or both");

pub use lift_runtime::{
    AnyArray, Device, DeviceArray, Error, Event, Exchanged, Explanation, FileProblem, Host, HostArray,
    HostArrayMut, Kernel, Message, Probe, Queue, Ranks, Result, Scalar, Shaped, Steps, Transport, ndarray,
};
// What launchers are made of.
#[doc(hidden)]
pub use lift_runtime::{
    DeviceArg, DeviceOut, Finished, HostArg, Launcher, Outputs, ShapeArg, Stepper, Unbound, spec,
};

#[allow(deprecated, reason = "without the feature `half` it says what to do to those who use it")]
pub use lift_runtime::f16;
#[cfg(feature = "npy")]
pub use lift_runtime::npy;
#[cfg(feature = "image")]
pub use lift_runtime::pixels;
#[cfg(feature = "tune")]
#[doc(hidden)]
pub use lift_runtime::tune;
#[cfg(feature = "frames")]
pub use lift_runtime::{Frames, colours};
#[cfg(feature = "tune")]
pub use lift_runtime::{Tuning, TuningReport};

/// Compiles expressions over arrays to OpenCL and to Rust while the crate is built.
///
/// In it stand functions, constants, types, structs, and kernels, `#[kernel] pub fn Blur<H, W>(…) -> … { … }`, of which each becomes a launcher
/// `Blur`: [`sample`](mod@sample) shows what that is. Or one expression stands in it, which is a function: `lift!(map(f) . slide(3, 1))`. Primitives are on
/// the pages of [`language`](mod@language), and the [reference](documents::language) has everything else.
///
/// It finds this crate under any name, and where another crate exports it again.
#[macro_export]
macro_rules! lift {
    ($($body:tt)*) => {
        $crate::__lift! { @[$crate] $($body)* }
    };
}

/// What `lift!` expands to; not for direct use.
#[doc(hidden)]
pub use lift_macros::lift as __lift;
#[doc(hidden)]
pub use lift_runtime as __private;

pub mod language;

#[cfg(doc)]
pub mod sample;

/// Everything a program with kernels needs: `use lift::prelude::*;`
pub mod prelude {
    pub use crate::lift;
    pub use lift_runtime::{Device, DeviceArray, Event, HostArray, Probe, Queue, Ranks};
}

/// The documents.
#[cfg(any(doc, doctest))]
pub mod documents {
    /// A module for each document, in which links lead to modules and items.
    macro_rules! documents {
        ($($(#[$meta:meta])* $name:ident $file:literal;)*) => {
            $(
                $(#[$meta])*
                #[doc = include_str!("links.md")]
                #[doc = include_str!(concat!("../docs/", $file))]
                pub mod $name {}
            )*
        };
    }

    documents! {
        architecture "architecture.md";
        coming_from "coming-from.md";
        comparison "comparison.md";
        cookbook "cookbook.md";
        decisions "decisions.md";
        // Its examples are parts of kernels, most of them wrong; other tests compile them.
        #[cfg(not(doctest))]
        errors "errors.md";
        #[cfg(any(doc, all(feature = "frames", feature = "save")))]
        files "files.md";
        glossary "glossary.md";
        guide "guide.md";
        language "language.md";
        measurements "measurements.md";
        measurements_history "measurements-history.md";
        #[cfg(any(doc, feature = "tune"))]
        performance "performance.md";
        // Equations have indices in brackets.
        #[allow(rustdoc::broken_intra_doc_links, reason = "they are no links")]
        rules "rules.md";
        testing "testing.md";
        troubleshooting "troubleshooting.md";
    }
}

/// The page of the repository, whose example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
