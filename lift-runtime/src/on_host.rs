//! Launches of functions that are compiled to Rust: what is passed to them, planned and done.

use crate::backend::{HostMemory, Reading, Writing, in_use};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::host::{self, Argument, Call, Fault};
use crate::plan::{Plan, Planner};
use crate::scalar::ScalarValue;
use crate::spec::{Launch, ScalarType, Slot, Use};
use crate::status;

/// How an argument is passed. Of arrays, so many bytes are; all if that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passed {
    Scalar,
    Read(ScalarType, Option<usize>),
    /// Each work-item has so many elements.
    Own(ScalarType, Option<usize>, usize),
    /// Each work-item has so many elements in each row of so many.
    Columns(ScalarType, Option<usize>, [usize; 2]),
    Shared(ScalarType, Option<usize>),
    Status,
    Claims,
}

/// What stands for an argument.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    Scalar(ScalarValue),
    Buffer(&'a Buffer),
    /// The caller's own array.
    Borrowed(&'a [u8]),
    /// So many bytes of claims.
    Claims(&'a Buffer, usize),
    /// No claims, since nobody looks for duplicates.
    Nothing,
}

/// How the arguments of a launch are passed.
pub(crate) fn passed(planner: &Planner<'_>, launch: &'static Launch) -> Result<Vec<Passed>> {
    let malformed = |problem: &str| Error::Malformed {
        kernel: &planner.spec.name,
        problem: format!("function `{}` of variant `{}`: {problem}", launch.entry, planner.variant.name),
    };
    let function = planner.variant.functions.iter().find(|function| function.entry == launch.entry);
    let uses = &function.ok_or_else(|| malformed("it is not described"))?.uses;
    if uses.len() != launch.args.len() {
        return Err(malformed("it takes another number of arguments"));
    }
    let one = |(usage, slot): (&Use, &Slot)| {
        let bytes = |elem: ScalarType| planner.elements(*slot).map(|count| count.saturating_mul(elem.size()));
        Ok(match usage {
            Use::Scalar(_) => Passed::Scalar,
            Use::Read(elem) => Passed::Read(*elem, bytes(*elem)),
            Use::Own(elem, each) => {
                let each = planner.size("the elements of a work-item", each)?;
                Passed::Own(*elem, bytes(*elem), usize::try_from(each).unwrap_or(usize::MAX))
            }
            Use::Columns(elem, each, width) => {
                let each = planner.size("the elements of a work-item in a row", each)?;
                let width = planner.size("the elements of a row", width)?;
                let [each, width] = [each, width].map(|n| usize::try_from(n).unwrap_or(usize::MAX));
                Passed::Columns(*elem, bytes(*elem), [each, width])
            }
            Use::Shared(elem) => Passed::Shared(*elem, bytes(*elem)),
            Use::Status => Passed::Status,
            Use::Claims => Passed::Claims,
        })
    };
    uses.iter().zip(launch.args.iter()).map(one).collect()
}

/// What stands for an argument, while it is used.
enum Held<'a> {
    Scalar(ScalarValue),
    Borrowed(&'a [u8]),
    Read(Reading<'a>),
    Write(Writing<'a>),
    Nothing,
}

/// Runs a function on the caller's thread and those of `rayon`. Memory is used without waiting for it: whoever launches has it.
pub(crate) fn launch(
    plan: &Plan,
    entry: &'static host::Entry,
    items: usize,
    passed: &[Passed],
    given: &[Given<'_>],
) -> Result<()> {
    let kernel = &*plan.spec.name;
    let malformed = |position: usize| Error::Malformed {
        kernel,
        problem: format!("function `{}`: argument {position} is not what its description says", entry.name),
    };
    // Launches on other threads may record in the same status. Each has one of its own, which is copied in the end.
    let own_status = HostMemory::new(status::BYTES)?;
    let mut held = Vec::with_capacity(passed.len());
    for (position, (passed, given)) in passed.iter().zip(given).enumerate() {
        held.push(match (passed, given) {
            (Passed::Scalar, Given::Scalar(value)) => Held::Scalar(*value),
            (Passed::Read(..), Given::Buffer(buffer)) => {
                Held::Read(buffer.memory().host()?.try_read().ok_or_else(in_use)?)
            }
            (Passed::Read(..), Given::Borrowed(bytes)) => Held::Borrowed(bytes),
            (Passed::Own(..) | Passed::Columns(..) | Passed::Shared(..), Given::Buffer(buffer))
            | (Passed::Claims, Given::Claims(buffer, _)) => {
                Held::Write(buffer.memory().host()?.try_write().ok_or_else(in_use)?)
            }
            (Passed::Status, Given::Buffer(_)) => Held::Write(own_status.try_write().ok_or_else(in_use)?),
            (Passed::Claims, Given::Nothing) => Held::Nothing,
            _ => return Err(malformed(position)),
        });
    }
    let mut arguments = Vec::with_capacity(held.len());
    for (position, ((passed, given), held)) in passed.iter().zip(given).zip(&mut held).enumerate() {
        let argument = argument(*passed, given, held);
        arguments.push(argument.ok_or_else(|| malformed(position))?);
    }
    let call = Call { items, sizes: &plan.sizes, tunables: &plan.tunables, arguments };
    let launched = host::launch(entry, call);
    drop(held);
    for (passed, given) in passed.iter().zip(given) {
        if let (Passed::Status, Given::Buffer(buffer)) = (passed, given) {
            record(buffer.memory().host()?, &own_status);
        }
    }
    launched.map_err(|fault| match fault {
        Fault::Argument(position) => malformed(position),
        Fault::Panic(message) => Error::Panicked { kernel, entry: entry.name, message },
    })
}

/// The argument as the function takes it; nothing if it is too short.
fn argument<'a>(passed: Passed, given: &Given<'_>, held: &'a mut Held<'_>) -> Option<Argument<'a>> {
    Some(match (passed, held) {
        (Passed::Read(elem, bytes), Held::Read(memory)) => {
            Argument::Read(memory.get(..bytes.unwrap_or(memory.len()))?, elem)
        }
        (Passed::Read(elem, bytes), Held::Borrowed(data)) => {
            Argument::Read(data.get(..bytes.unwrap_or(data.len()))?, elem)
        }
        (Passed::Own(elem, bytes, each), Held::Write(memory)) => {
            let bytes = bytes.unwrap_or(memory.len());
            Argument::Own(memory.get_mut(..bytes)?, elem, each)
        }
        (Passed::Columns(elem, bytes, [each, width]), Held::Write(memory)) => {
            let bytes = bytes.unwrap_or(memory.len());
            Argument::Columns(memory.get_mut(..bytes)?, elem, each, width)
        }
        (Passed::Shared(elem, bytes), Held::Write(memory)) => {
            let bytes = bytes.unwrap_or(memory.len());
            Argument::Shared(memory.get_mut(..bytes)?, elem)
        }
        (Passed::Status, Held::Write(memory)) => Argument::Status(memory),
        (Passed::Claims, Held::Write(memory)) => match given {
            Given::Claims(_, bytes) => Argument::Claims(Some(memory.get_mut(..*bytes)?)),
            _ => return None,
        },
        (Passed::Claims, Held::Nothing) => Argument::Claims(None),
        (_, Held::Scalar(value)) => Argument::Scalar(value.all_bytes(), value.elem),
        _ => return None,
    })
}

/// Copies what a launch has recorded, unless something was recorded before.
fn record(status: &HostMemory, found: &HostMemory) {
    let (mut status, found) = (status.write(), found.read());
    let is_new = status.iter().take(size_of::<i32>()).all(|byte| *byte == 0);
    if is_new && let Some(status) = status.get_mut(..found.len()) {
        status.copy_from_slice(&found);
    }
}
