//! Files of programs: what can be wrong with one.

use std::fmt;

/// What is wrong with a file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileProblem {
    /// There is nothing of this name.
    NotFound,
    /// The system refuses to read it.
    Read(String),
    /// The system refuses to write it, for example because the disk is full.
    Write(String),
    /// It is not of the format that it should have.
    Format {
        /// What it should be.
        expected: &'static str,
        /// What speaks against it.
        reason: String,
    },
    /// It has been changed since it was written: its checksum is another.
    Checksum,
    /// Its array is of another type or rank than was asked for.
    Array {
        /// The type that was asked for.
        expected: String,
        /// The type that it has.
        found: String,
    },
    /// It was saved by a simulation of another kernel, or by one of another type.
    OtherKernel {
        /// The kernel that is to go on, and its type.
        expected: String,
        /// The kernel that was saved, and its type.
        found: String,
    },
    /// It was saved in a format that this version does not know.
    OtherFormat {
        /// The format that is known.
        expected: u32,
        /// The format that was found.
        found: u32,
    },
    /// The OpenCL text of the version in which the simulation ran is not what it was.
    OtherText {
        /// The version.
        variant: String,
    },
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileProblem::NotFound => write!(f, "does not exist"),
            FileProblem::Read(reason) => write!(f, "cannot be read: {reason}"),
            FileProblem::Write(reason) => write!(f, "cannot be written: {reason}"),
            FileProblem::Format { expected, reason } => write!(f, "is not {expected}: {reason}"),
            FileProblem::Checksum => write!(f, "is damaged: its checksum is not the one it was saved with"),
            FileProblem::Array { expected, found } => {
                write!(f, "holds an array of type {found}, but {expected} was asked for")
            }
            FileProblem::OtherKernel { expected, found } => {
                write!(f, "was saved by {found}, not by {expected}")
            }
            FileProblem::OtherFormat { expected, found } => {
                write!(f, "has format {found}, but only format {expected} is known")
            }
            FileProblem::OtherText { variant } => write!(
                f,
                "was saved by another text of variant `{variant}`, so results could differ in the last bits; to \
                 continue all the same, select a variant before `restore`"
            ),
        }
    }
}

#[cfg(feature = "npy")]
pub(crate) use access::{array_type, cannot_write, malformed, problem, read};

#[cfg(feature = "npy")]
mod access {
    use std::io::ErrorKind;
    use std::path::Path;

    use super::FileProblem;
    use crate::error::{Error, Result};
    use crate::spec::ScalarType;

    pub(crate) fn problem(path: &Path, problem: FileProblem) -> Error {
        Error::File { path: path.display().to_string(), problem }
    }

    pub(crate) fn cannot_write(path: &Path) -> impl Fn(std::io::Error) -> Error + '_ {
        move |error| problem(path, FileProblem::Write(error.to_string()))
    }

    pub(crate) fn malformed(path: &Path, expected: &'static str, reason: impl Into<String>) -> Error {
        problem(path, FileProblem::Format { expected, reason: reason.into() })
    }

    /// `[[f32; _]; _]`
    pub(crate) fn array_type(elem: ScalarType, rank: usize) -> String {
        (0..rank).fold(elem.to_string(), |inner, _| format!("[{inner}; _]"))
    }

    /// All bytes of a file.
    pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
        std::fs::read(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => problem(path, FileProblem::NotFound),
            _ => problem(path, FileProblem::Read(error.to_string())),
        })
    }
}
