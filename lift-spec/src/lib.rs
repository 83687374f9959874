//! The contract between the compiler and the runtime: what a compiled kernel *is*, as plain data.
//!
//! What crosses the border between host and device is *leaves*: one for every scalar in a type, in order, depth
//! first. A tuple of scalars is several scalars, an array of tuples one buffer for every scalar in it.
//!
//! The macro emits one [`KernelSpec`] per kernel and a thin typed launcher; everything that happens at run
//! time is decided by the runtime from this data. The same types are made while a program runs, by the compiler for its macro and for
//! tests: texts and lists are either borrowed or owned.

#![forbid(unsafe_code)]

use std::borrow::Cow;

pub mod limits;
pub mod macros;

mod code;
mod kernel;
mod scalar;
mod size;
mod source;
mod variant;

pub use kernel::{
    Access, Chain, Check, Cut, Cuts, Fact, KernelSpec, Missing, Output, Param, Partition, Rotation, SizeVar,
    Tuned,
};
pub use scalar::ScalarType;
pub use size::{Env, Fault, Size};
pub use source::{MARK, Source};
pub use variant::{
    Case, Count, Function, Geometry, Launch, Operation, Site, Slot, Step, Temporary, Tunable, Use, Variant,
};

/// A text.
pub type Text = Cow<'static, str>;

/// A list.
pub type List<T> = Cow<'static, [T]>;

/// Names a text by 16 hexadecimal digits, on every machine and in all releases alike, so that they may stand in files.
#[must_use]
pub fn fingerprint(bytes: impl IntoIterator<Item = u8>) -> String {
    // The 64-bit hash of Fowler, Noll and Vo (FNV-1a).
    let hash = bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}
