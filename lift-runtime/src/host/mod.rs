//! Runs the functions of kernels that are compiled to Rust, on the processor that the program runs on. The code that `lift!`
//! emits names what is here; nobody else should.
//!
//! A launch is cut into parts, ranges of its work-items, which depend on its arguments alone and never on the number of
//! threads. A function is compiled several times, for the instructions that processors have; each part runs the best one.

mod angles;
mod columns;
mod divisor;
mod element;
mod fork;
pub mod functions;
mod isa;
pub mod math;
mod notice;
mod part;
mod powers;
mod rows;
mod shared;
pub mod simd;
mod split;

#[cfg(test)]
mod tests;

use std::time::Instant;

use crate::spec::ScalarType;

pub use columns::Columns;
pub use divisor::Divisor;
pub use element::{Element, Value};
pub use isa::Isa;
pub use part::Part;
pub use rows::{Elements, even_strips, inside, prefetch, stretch, stretches, strip, strip_mut, strips};
pub use shared::{Claims, Shared, Status};

/// What a launched function does.
pub trait Function {
    /// So many work-items are computed at once, where a part has as many: a power of two.
    const TOGETHER: usize = 1;

    /// The most instructions that it uses: with more it would be slower.
    const MOST: Isa = Isa::Avx512;

    /// Computes the work-items of a part. It must be `#[inline(always)]`, as must be all that it calls, since it is compiled for
    /// several processors; a closure that is called in several places is compiled for the baseline alone.
    fn run(part: &mut Part<'_>);
}

/// A function with its name.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// As in [`Launch::entry`](crate::spec::Launch::entry).
    pub name: &'static str,
    /// Whether it is compiled with optimisation: without, the loops have no vectors.
    optimised: bool,
    run: fn(&mut Part<'_>),
    /// The most instructions that it uses.
    most: Isa,
    /// How many parts its launches have at least.
    parts: usize,
    /// As in [`Function::TOGETHER`].
    together: usize,
}

impl Entry {
    /// The entry of a function of a crate that is compiled for any processor.
    #[must_use]
    pub const fn new<F: Function>(name: &'static str) -> Entry {
        Self::above::<F>(name, Isa::Baseline)
    }

    /// The entry of a function of a crate that is compiled for processors with this set of instructions: the function is compiled for this
    /// set and those above it.
    #[must_use]
    pub const fn above<F: Function>(name: &'static str, crate_isa: Isa) -> Entry {
        let run = match crate_isa {
            Isa::Baseline => <F as isa::Compiled>::dispatch,
            Isa::Avx2 => <F as isa::Compiled>::dispatch_above_avx2,
            Isa::Avx512 => F::run,
        };
        Entry { name, optimised: true, run, most: F::MOST, parts: 1, together: F::TOGETHER }
    }

    /// The same with no more instructions than `isa` has: so that tests compare them.
    #[must_use]
    pub const fn at_most(self, isa: Isa) -> Entry {
        Entry { most: isa, ..self }
    }

    /// The same in at least so many parts, or as many as there are work-items: so that tests of small arrays see the boundaries
    /// between parts.
    #[must_use]
    pub const fn in_parts(self, parts: usize) -> Entry {
        Entry { parts, ..self }
    }

    /// The same, of a program that is built with optimisation or without.
    #[must_use]
    pub const fn optimised(self, optimised: bool) -> Entry {
        Entry { optimised, ..self }
    }
}

/// What a function is launched with.
#[derive(Debug)]
pub struct Call<'a> {
    /// The number of work-items.
    pub items: usize,
    /// The sizes of the kernel, in order.
    pub sizes: &'a [i64],
    /// The tunables of the version, in order.
    pub tunables: &'a [i64],
    /// The arguments of the function, in order.
    pub arguments: Vec<Argument<'a>>,
}

/// One argument, as the function uses it. Arrays are the bytes of whole elements, and lie as their elements must.
#[derive(Debug)]
pub enum Argument<'a> {
    /// A scalar: its bytes come first among these. A `usize` has eight.
    Scalar([u8; 8], ScalarType),
    /// An array that is only read.
    Read(&'a [u8], ScalarType),
    /// An array of which each work-item has so many elements, one work-item's after the other's.
    Own(&'a mut [u8], ScalarType, usize),
    /// An array of which each work-item has so many elements in each row of so many, one work-item's after the other's.
    Columns(&'a mut [u8], ScalarType, usize, usize),
    /// An array of which all work-items read and write any element.
    Shared(&'a mut [u8], ScalarType),
    /// The first index that was wrong, as [`Slot::Status`](crate::spec::Slot::Status) says.
    Status(&'a mut [u8]),
    /// A number of type `i32` for each element that may be claimed; nothing where duplicates are not looked for.
    Claims(Option<&'a mut [u8]>),
}

/// Why a launch came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The argument at this position is not made of whole elements, lies at a wrong address, or is too short for what it is.
    Argument(usize),
    /// The function panicked, with this text. What it writes has any values then.
    Panic(String),
}

/// Runs a function for all work-items, on the threads of the pool of `rayon` that the caller belongs to.
///
/// # Errors
///
/// When an argument is not what it says, before anything runs; when the function panics, which it also does if it asks for other
/// arguments than there are.
pub fn launch(entry: &Entry, call: Call<'_>) -> Result<(), Fault> {
    if entry.optimised {
        return launched(entry, call);
    }
    let start = Instant::now();
    let done = launched(entry, call);
    notice::unoptimised(entry.name, start.elapsed());
    done
}

fn launched(entry: &Entry, call: Call<'_>) -> Result<(), Fault> {
    let parts = split::Parts::of(&call, (entry.parts, entry.together));
    let whole = call.arguments.into_iter().enumerate();
    let whole = whole.map(|(position, argument)| part::Given::new(argument).ok_or(Fault::Argument(position)));
    let whole = whole.collect::<Result<Vec<_>, Fault>>()?;
    let isa = entry.most.min(Isa::detected());
    let shape = part::Shape { isa, sizes: call.sizes, tunables: call.tunables };
    fork::run(entry.run, shape, parts, whole).map_err(Fault::Panic)
}
