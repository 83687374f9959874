//! Which version of a kernel is the fastest on a device.
//!
//! A [`Space`] has the versions of a kernel, each with the values that its parameters may have. A [`Search`] names the next point to be
//! measured, a [`Journal`] keeps what was measured, and a [`Session`] puts both together. What was found stands in a [`TuneFile`], beside a
//! crate's `Cargo.toml`, from where the macro takes it. Nothing here runs kernels.

#![forbid(unsafe_code)]

mod file;

#[cfg(feature = "search")]
mod html;
#[cfg(feature = "search")]
mod journal;
#[cfg(feature = "search")]
mod random;
#[cfg(feature = "search")]
mod report;
#[cfg(feature = "search")]
mod search;
#[cfg(feature = "search")]
mod session;
#[cfg(feature = "search")]
mod space;

pub use file::{Entry, FILE, TuneFile};
#[cfg(feature = "search")]
pub use html::escaped;
#[cfg(feature = "search")]
pub use journal::{Journal, Measurement};
#[cfg(feature = "search")]
pub use random::Random;
#[cfg(feature = "search")]
pub use report::{Report, Row};
#[cfg(feature = "search")]
pub use search::{Algorithm, Outcome, Search, Seen, UnknownAlgorithm, searcher};
#[cfg(feature = "search")]
pub use session::{Budget, Progress, Session, Summary};
#[cfg(feature = "search")]
pub use space::{Alternative, Parameter, Point, Space};
