#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(not(any(feature = "host", feature = "opencl")))]
compile_error!("lift-kernels needs a back end: turn on its feature `host`, its feature `opencl`, or both");

pub use lift_runtime::{
    AnyArray, Device, DeviceArg, DeviceArray, DeviceOut, Error, Event, Explanation, FileProblem, Finished,
    Host, HostArg, HostArray, HostArrayMut, Kernel, Launcher, Outputs, Probe, Queue, Result, Scalar,
    ShapeArg, Shaped, Stepper, Steps, Unbound, ndarray, spec,
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

/// Everything a program with kernels needs: `use lift::prelude::*;`
pub mod prelude {
    pub use crate::lift;
    pub use lift_runtime::{Device, DeviceArray, Event, HostArray, Probe, Queue};
}

#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../docs/guide.md")]
    pub struct Guide;

    #[doc = include_str!("../docs/language.md")]
    pub struct Language;

    #[doc = include_str!("../docs/cookbook.md")]
    pub struct Cookbook;

    #[doc = include_str!("../docs/coming-from.md")]
    pub struct ComingFrom;

    #[cfg(all(feature = "frames", feature = "save"))]
    #[doc = include_str!("../docs/files.md")]
    pub struct Files;
}
