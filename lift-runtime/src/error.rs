//! Everything that can go wrong at run time, as one type.
//!
//! A message starts with the kernel and speaks of the user's parameters and sizes. Its first line stands
//! alone; only a failed build has more lines. Inputs are never changed by a call that fails.

use std::fmt;

use crate::file::FileProblem;
use crate::install::{Missing, advice, library};
use crate::message::{
    build, by, duplicate, kernel_prefix, limit_of, missing_type, no_others, no_platform, other_devices,
    out_of_range, processor, quoted, shape, shapes, there_are, unknown_tunable, written_or, zero,
};
use crate::spec::ScalarType;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong.
///
/// ```
/// use lift_runtime::{Device, Error};
///
/// match Device::find("abacus") {
///     Err(Error::DeviceNotFound { wanted, .. }) => assert_eq!(wanted, "abacus"),
///     other => panic!("{other:?}"),
/// }
/// ```
/// `Debug` is the same text as `Display`, since that is what a `main` that returns an error prints.
///
/// ```
/// # let error = lift_runtime::Device::find("abacus").unwrap_err();
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The OpenCL library itself is missing.
    #[error("no OpenCL library: `{}` was not found; {}", library(), advice(Missing::Library))]
    NoLibrary,

    /// The OpenCL library is there, but no driver is registered with it.
    #[error("{}", no_platform(searched, unregistered.as_deref()))]
    NoPlatform {
        /// The folder where the library looks for drivers.
        searched: String,
        /// A driver's library which is on this machine without being registered.
        unregistered: Option<String>,
    },

    /// There are drivers, but none of them offers a device that can run kernels.
    #[error("no OpenCL device: {}", .failures.join("; "))]
    NoDevice {
        /// What each platform answered.
        failures: Vec<String>,
    },

    /// No device fits the description given to `Device::find` or in `LIFT_DEVICE`.
    #[error("no device fits `{wanted}`; there {}{}", there_are(available), no_others(problem.as_deref()))]
    DeviceNotFound {
        /// The description.
        wanted: String,
        /// The devices there are.
        available: Vec<String>,
        /// Why there is none but the CPU without OpenCL, if there is none.
        problem: Option<Box<Error>>,
    },

    /// A kernel has versions for OpenCL alone, and none that is compiled to Rust.
    #[error("{kernel} has no version for the CPU without OpenCL; it runs on {}", other_devices(others))]
    NoHostVersion {
        /// The kernel.
        kernel: &'static str,
        /// The devices that it can run on.
        others: Vec<String>,
    },

    /// A kernel has versions that are compiled to Rust alone, and none for OpenCL: it has the attribute `#[backends(host)]`, or the
    /// program is built without the feature `opencl`.
    #[error("{kernel} has no OpenCL version for {device}; it runs on {}", processor(others))]
    NoOpenClVersion {
        /// The kernel.
        kernel: &'static str,
        /// The device.
        device: String,
        /// The devices that it can run on.
        others: Vec<String>,
    },

    /// A simulation cannot be computed in so many parts.
    #[error("{kernel} cannot be computed in {parts} parts: {problem}")]
    Parts {
        /// The kernel.
        kernel: &'static str,
        /// How many parts were asked for.
        parts: usize,
        /// What the kernel or its sizes do not allow.
        problem: String,
    },

    /// The processes of a simulation do not do the same, or one of them has ended.
    #[error("rank {rank}: {problem}")]
    Ranks {
        /// The rank that the problem is about.
        rank: usize,
        /// What is wrong with it.
        problem: String,
    },

    /// A device, queue or device array of one device was used with another.
    #[error("{user} is for {expected}, but {what} belongs to {found}")]
    OtherDevice {
        /// The kernel or array that was used.
        user: String,
        /// What belongs to another device.
        what: String,
        /// The device of the kernel or array.
        expected: String,
        /// The device of the other thing.
        found: String,
    },

    /// A kernel computes with numbers of a type that the device does not have.
    #[error("{kernel} computes with `{ty}`, which {device} does not have{}", missing_type(*ty, used, others))]
    MissingType {
        /// The kernel.
        kernel: &'static str,
        /// The type.
        ty: ScalarType,
        /// The device.
        device: String,
        /// The parameters and results that are made of it; none if it only occurs inside.
        used: Vec<&'static str>,
        /// The devices that have it.
        others: Vec<String>,
    },

    /// A kernel has no variant of this name.
    #[error("{kernel} has no variant `{name}`; it has {}", quoted(available))]
    UnknownVariant {
        /// The kernel.
        kernel: &'static str,
        /// The name asked for.
        name: String,
        /// The variants there are.
        available: Vec<&'static str>,
    },

    /// A variant, or every variant of a kernel, lacks a tunable of this name.
    #[error("{}", unknown_tunable(kernel, *variant, name, available))]
    UnknownTunable {
        /// The kernel.
        kernel: &'static str,
        /// The selected variant, if one is selected.
        variant: Option<&'static str>,
        /// The name asked for.
        name: String,
        /// The tunables there are.
        available: Vec<&'static str>,
    },

    /// A tunable cannot have this value.
    #[error("{kernel}: `{name}` of variant `{variant}` must be in {min}..={max}, but {value} was given")]
    TunableOutOfRange {
        /// The kernel.
        kernel: &'static str,
        /// The variant.
        variant: &'static str,
        /// The tunable.
        name: &'static str,
        /// The value given.
        value: i64,
        /// The smallest legal value.
        min: i64,
        /// The largest legal value.
        max: i64,
    },

    /// Extents of arguments do not fit each other or the kernel's type. All of them are listed.
    #[error("{}", shapes(kernel, *arguments, mismatches))]
    Shapes {
        /// The kernel.
        kernel: &'static str,
        /// How many arrays were passed.
        arguments: usize,
        /// Those that do not fit.
        mismatches: Vec<Mismatch>,
    },

    /// A slice does not have as many elements as the shape passed with it.
    #[error("`{argument}` is said to be {}, which is {expected} elements, but has {found}", by(shape))]
    SliceLength {
        /// The parameter's name.
        argument: String,
        /// The shape passed with the slice.
        shape: Vec<usize>,
        /// The number of elements of such an array.
        expected: usize,
        /// The length of the slice.
        found: usize,
    },

    /// Data written to a device array has another shape than the array.
    #[error("the device array is {}, but the data written to it is {}", shape(expected), shape(found))]
    WriteShape {
        /// The array's shape.
        expected: Vec<usize>,
        /// The data's shape.
        found: Vec<usize>,
    },

    /// An array with so many elements cannot exist.
    #[error("an array of {} elements is too large to exist", by(shape))]
    TooManyElements {
        /// The extents asked for.
        shape: Vec<usize>,
    },

    /// An index from the data was out of range. What the kernel has computed is not to be used.
    #[error("{kernel}: {}", out_of_range(written_or(written, operation), indices, position, *index, *len))]
    IndexOutOfRange {
        /// The kernel.
        kernel: &'static str,
        /// The operation that uses the index: `gather`, `scatter_to` or `reduce_by_key`.
        operation: &'static str,
        /// The same as the user wrote it, `gather(at, xs)`; empty if that is not known.
        written: &'static str,
        /// The parameter whose elements the indices are; empty if they are computed.
        indices: &'static str,
        /// The position of the index in it, outermost dimension first; if they are computed, a position in their row.
        position: Vec<u64>,
        /// The index.
        index: i64,
        /// How many elements the array has that is indexed.
        len: u64,
    },

    /// Two elements were to be scattered to the same place. Which of them is there is not defined; what the kernel has
    /// computed is not to be used. This is looked for in programs that are built with debug assertions, and where
    /// [`Launcher::check_duplicates`](crate::Launcher::check_duplicates) says so.
    #[error("{kernel}: {}", duplicate(written_or(written, operation), indices, *index, positions))]
    DuplicateIndex {
        /// The kernel.
        kernel: &'static str,
        /// The operation that uses the index: `scatter_to`.
        operation: &'static str,
        /// The same as the user wrote it, `xs.scatter_to(at, values)`; empty if that is not known.
        written: &'static str,
        /// The parameter whose elements the indices are; empty if they are computed.
        indices: &'static str,
        /// The index.
        index: i64,
        /// Two positions of the index in it, outermost dimension first, the smaller one first.
        positions: [Vec<u64>; 2],
    },

    /// A step of a simulation gave a value that is not finite.
    #[error("{kernel}: after step {step}, `{argument}` is not finite at {index:?}")]
    NotFinite {
        /// The kernel.
        kernel: &'static str,
        /// The array.
        argument: &'static str,
        /// The first step with such a value, counted from 1.
        step: u64,
        /// The position of one of them, outermost dimension first.
        index: Vec<usize>,
    },

    /// A fact that the kernel relies on does not hold for these sizes.
    #[error("{kernel}: {message}")]
    Check {
        /// The kernel.
        kernel: &'static str,
        /// What must hold, and what was found.
        message: String,
    },

    /// An input has no elements, but the result would have some.
    #[error("{kernel}: `{argument}` has no elements, so there is nothing to compute the result from{}", zero(*size))]
    Empty {
        /// The kernel.
        kernel: &'static str,
        /// The input.
        argument: &'static str,
        /// The size variable that is zero, if that is why.
        size: Option<&'static str>,
    },

    /// A size could not be computed, for example because it does not fit 64 bits or is negative.
    #[error("{kernel}: {what} {problem}")]
    Size {
        /// The kernel.
        kernel: &'static str,
        /// Which size.
        what: String,
        /// What is wrong with it.
        problem: String,
    },

    /// The arguments are not those the kernel takes. Launchers written by `lift!` exclude this.
    #[error("{kernel}: {problem}")]
    Arguments {
        /// The kernel.
        kernel: &'static str,
        /// What is wrong.
        problem: String,
    },

    /// A kernel's description contradicts itself. Descriptions written by `lift!` do not.
    #[error("{kernel}: the kernel's description is malformed: {problem}")]
    Malformed {
        /// The kernel.
        kernel: &'static str,
        /// What is wrong.
        problem: String,
    },

    /// A variant wants more local memory than the device has.
    #[error("{kernel}: variant `{variant}` needs {needed} bytes of local memory, but {device} has {limit}")]
    TooManyLocalBytes {
        /// The kernel.
        kernel: &'static str,
        /// The variant.
        variant: &'static str,
        /// The device.
        device: String,
        /// Bytes the variant needs.
        needed: u64,
        /// Bytes the device has.
        limit: u64,
    },

    /// A variant wants larger work-groups than the device allows.
    #[error("{kernel}: variant `{variant}` needs work-groups of {}, but {device} allows {}", by(needed), limit_of(*limit, item_limits))]
    WorkGroupTooLarge {
        /// The kernel.
        kernel: &'static str,
        /// The variant.
        variant: &'static str,
        /// The device.
        device: String,
        /// The work-group the variant needs, dimension 0 first.
        needed: Vec<usize>,
        /// Work-items one group may have.
        limit: usize,
        /// Work-items one group may have in each dimension.
        item_limits: Vec<usize>,
    },

    /// The driver could not build a kernel's text.
    #[error("{}", build(kernel, variant, device, log, lines))]
    Build {
        /// The kernel.
        kernel: &'static str,
        /// The variant.
        variant: &'static str,
        /// The device.
        device: String,
        /// All the driver said.
        log: String,
        /// The errors that could be found in the text.
        lines: Vec<BuildLine>,
    },

    /// A file or folder could not be read or written, or does not hold what it should.
    #[error("`{path}` {problem}")]
    File {
        /// The file or folder.
        path: String,
        /// What is wrong with it.
        problem: FileProblem,
    },

    /// An array cannot be a picture, or not this one.
    #[error("an array that is {} is no picture: {problem}", by(shape))]
    Picture {
        /// The array's shape.
        shape: Vec<usize>,
        /// What is wrong.
        problem: String,
    },

    /// A kernel's function panicked, on the CPU without OpenCL. What the kernel has computed is not to be used.
    #[error("{kernel} (in `{entry}`): it panicked: {message}")]
    Panicked {
        /// The kernel.
        kernel: &'static str,
        /// The function.
        entry: &'static str,
        /// What it said.
        message: String,
    },

    /// Memory of the CPU without OpenCL was used in a way that drivers report as an error. Launchers written by `lift!` exclude this.
    #[error("{}{problem}", kernel_prefix(*kernel, None))]
    Memory {
        /// The kernel that was to run, where one was.
        kernel: Option<&'static str>,
        /// What is wrong.
        problem: &'static str,
    },

    /// How long a launch took was not measured, since its queue does not.
    #[error("{}it was launched on a queue that measures no times", kernel_prefix(*kernel, None))]
    Untimed {
        /// The kernel that was launched.
        kernel: Option<&'static str>,
    },

    /// The device has no memory left for an array.
    #[error("{device} has no memory for {bytes} bytes (it promises {largest} for one array)")]
    OutOfMemory {
        /// The device.
        device: String,
        /// Bytes asked for.
        bytes: u64,
        /// The largest array that the device promises to hold when it is empty.
        largest: u64,
    },

    /// The host has no memory left for a result.
    #[error("the host has no memory for {bytes} more bytes")]
    OutOfHostMemory {
        /// Bytes asked for.
        bytes: usize,
    },

    /// OpenCL reported an error that has no case of its own here.
    #[error("{}{operation} failed with {name} ({code})", kernel_prefix(*kernel, *entry))]
    OpenCl {
        /// The OpenCL function.
        operation: &'static str,
        /// The kernel that was to run, where one was.
        kernel: Option<&'static str>,
        /// The function of the kernel's text that was to run, where it has several.
        entry: Option<&'static str>,
        /// OpenCL's error code.
        code: i32,
        /// The name of the code.
        name: &'static str,
    },
}

/// One argument whose shape does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The parameter's name, or `out`.
    pub argument: &'static str,
    /// Whether this is the array for the result.
    pub is_result: bool,
    /// The extents found.
    pub found: Vec<usize>,
    /// What was expected: extents, or the reason why there cannot be any.
    pub expected: Expected,
    /// The type in the user's words, for example `[[f32; W]; H]`.
    pub ty: String,
    /// The extents in the user's words, outermost first.
    pub shown: Vec<&'static str>,
    /// The sizes that the type mentions, and where their values come from.
    pub sizes: Vec<Binding>,
}

/// The extents a [`Mismatch`] expected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// These, outermost first.
    Extents(Vec<i64>),
    /// An extent of the form in [`Mismatch::shown`] at this position; no value of `size` gives what was found.
    NoSolution {
        /// Which extent.
        dimension: usize,
        /// The size variable.
        size: &'static str,
    },
}

/// A size variable with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Binding {
    /// The user's name.
    pub size: &'static str,
    /// The value.
    pub value: i64,
    /// The parameter that determined it.
    pub from: &'static str,
}

/// An error in a driver's build log, with the line of the kernel's text it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildLine {
    /// Line number, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What the driver says.
    pub message: String,
    /// The line.
    pub text: String,
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error {
    /// The error of a rank that waits for another one which has ended.
    #[doc(hidden)]
    #[must_use]
    pub fn rank_ended(rank: usize, waiting: usize) -> Error {
        let problem = format!(
            "it has ended, but rank {waiting} waits for it; all ranks must make the same calls in the same order"
        );
        Error::Ranks { rank, problem }
    }

    /// The error of a rank that gets another message than the one that it waits for.
    #[doc(hidden)]
    #[must_use]
    pub fn rank_out_of_step(rank: usize, waiting: usize, found: usize, expected: usize) -> Error {
        let problem = format!(
            "it sent {found} bytes where rank {waiting} waits for {expected}; all ranks must make the same calls in the same order"
        );
        Error::Ranks { rank, problem }
    }

    /// The error for an OpenCL code, with a case of its own where the user can do something about it.
    #[cfg(feature = "opencl")]
    pub(crate) fn from_code(operation: &'static str, code: i32) -> Error {
        match code {
            // Of the binding: the library could not be loaded.
            -2000 => Error::NoLibrary,
            // CL_PLATFORM_NOT_FOUND_KHR, by the loader.
            -1001 => crate::facts::no_platform(),
            _ => Error::OpenCl {
                operation,
                kernel: None,
                entry: None,
                code,
                name: crate::message::name_of(code),
            },
        }
    }

    /// The same error, saying which kernel it was about.
    pub(crate) fn in_kernel(mut self, name: &'static str) -> Error {
        if let Error::OpenCl { kernel: kernel @ None, .. }
        | Error::Memory { kernel: kernel @ None, .. }
        | Error::Untimed { kernel: kernel @ None } = &mut self
        {
            *kernel = Some(name);
        }
        self
    }

    /// The same error, saying which function of a kernel's text it was about.
    #[cfg(feature = "opencl")]
    pub(crate) fn in_entry(mut self, name: &'static str) -> Error {
        if let Error::OpenCl { entry: entry @ None, .. } = &mut self {
            *entry = Some(name);
        }
        self
    }
}
