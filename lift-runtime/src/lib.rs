#![doc = include_str!("../README.md")]
#![allow(unsafe_code, reason = "it calls drivers; nothing else in the workspace may")]
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(clippy::too_many_lines)]

// What a compiled kernel is.
#[doc(inline)]
pub use lift_spec as spec;

// What can go wrong, and what travels between host and device.
mod array;
mod error;
mod file;
mod install;
mod message;
mod scalar;

// What runs kernels, and what programs see of it.
mod backend;
mod buffer;
mod device;
#[cfg_attr(not(feature = "opencl"), path = "no_drivers.rs")]
mod drivers;
mod facts;
#[cfg(feature = "host")]
mod processor;
mod queue;

// A launch, in the order of its steps.
mod any_array;
mod args;
mod solve;

mod size;

mod select;

#[cfg(feature = "opencl")]
mod binaries;
mod built;
mod geometry;
#[cfg(feature = "opencl")]
mod history;
mod on_host;
#[cfg(feature = "opencl")]
mod program;
#[cfg(feature = "opencl")]
mod workarounds;

mod plan;

mod huge_pages;
mod pool;
mod status;

mod enqueue;

mod nested;
mod results;

mod explain;
mod launch;

// Many launches, one after the other, by one process or by several.
mod ranks;
mod step;

// Many launches, to find the fastest version.
#[cfg(feature = "tune")]
#[doc(hidden)]
pub mod tune;

// Functions that are compiled to Rust.
#[doc(hidden)]
pub mod host;

// Files.
#[cfg(feature = "npy")]
pub mod npy;
#[cfg(feature = "image")]
pub mod pixels;

// The typed surface that `lift!` emits.
mod kernel;
mod macros;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use any_array::AnyArray;
pub use array::{Host, HostArray, HostArrayMut, Shaped};
pub use buffer::DeviceArray;
pub use device::Device;
pub use error::{Binding, BuildLine, Error, Expected, Mismatch, Result};
pub use explain::Explanation;
pub use file::FileProblem;
/// A 16-bit float, on the host as on devices that have it.
#[cfg(feature = "half")]
pub use half::f16;
#[doc(hidden)]
pub use kernel::{ElementTypes, Mistaken, Unknown};
pub use kernel::{Kernel, Unbound, Variants};
pub use queue::{Event, Queue};
pub use ranks::{Exchanged, Message, Ranks, Transport};
pub use scalar::Scalar;
#[cfg(not(feature = "half"))]
#[expect(deprecated, reason = "it says what to do to those who use it")]
pub use scalar::f16;

#[doc(hidden)]
pub use args::{DeviceArg, DeviceOut, HostArg, ShapeArg};
#[doc(hidden)]
pub use launch::Launcher;
/// The array library of results, for generated code.
#[doc(hidden)]
pub use ndarray;
#[doc(hidden)]
pub use nested::{Nested, Parts};
#[doc(hidden)]
pub use results::{Finished, Outputs};
#[cfg(feature = "frames")]
pub use step::{Frames, colours};
pub use step::{Probe, Stepper, Steps};
#[doc(hidden)]
pub use step::{Snapshot, State};
#[cfg(feature = "tune")]
pub use tune::{Tuning, TuningReport};

/// Locks, also after another thread panicked in user code while it held the lock: all state behind the locks of
/// this crate is valid between any two statements.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
