//! Tools on the host: ordinary functions over memory.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Tool, max_or_nan};
use crate::backend::in_use;
use crate::buffer::Buffer;
use crate::enqueue::Input;
use crate::error::{Error, Result};
use crate::spec::ScalarType;
use crate::status::Status;

/// So many elements of an array are looked at by one thread.
const BLOCK: usize = 1 << 16;

/// Starts a tool, which is then done.
pub(super) fn run(tool: Tool, elem: ScalarType, inputs: &[Input<'_>]) -> Result<()> {
    match elem {
        ScalarType::F32 => typed::<f32>(tool, inputs),
        ScalarType::F64 => typed::<f64>(tool, inputs),
        ScalarType::I8 => typed::<i8>(tool, inputs),
        ScalarType::I16 => typed::<i16>(tool, inputs),
        ScalarType::I32 => typed::<i32>(tool, inputs),
        ScalarType::I64 => typed::<i64>(tool, inputs),
        ScalarType::U8 => typed::<u8>(tool, inputs),
        ScalarType::U16 => typed::<u16>(tool, inputs),
        ScalarType::U32 => typed::<u32>(tool, inputs),
        ScalarType::U64 | ScalarType::Usize => typed::<u64>(tool, inputs),
        ScalarType::Bool => typed::<Truth>(tool, inputs),
        ScalarType::F16 => Err(malformed()),
    }
}

/// The largest difference between two arrays of `len` elements.
pub(super) fn max_change(elem: ScalarType, a: &Buffer, b: &Buffer, len: usize) -> Result<f64> {
    a.doubts().iter().chain(&b.doubts()).try_for_each(|status| status.check())?;
    let (a, b) = (a.memory().host()?, b.memory().host()?);
    let (Some(a), Some(b)) = (a.try_read(), b.try_read()) else { return Err(in_use()) };
    let bytes = len.saturating_mul(elem.size());
    let (Some(a), Some(b)) = (a.get(..bytes), b.get(..bytes)) else { return Err(malformed()) };
    match elem {
        ScalarType::F32 => Ok(largest::<f32>(a, b)),
        ScalarType::F64 => Ok(largest::<f64>(a, b)),
        ScalarType::I8 => Ok(largest::<i8>(a, b)),
        ScalarType::I16 => Ok(largest::<i16>(a, b)),
        ScalarType::I32 => Ok(largest::<i32>(a, b)),
        ScalarType::I64 => Ok(largest::<i64>(a, b)),
        ScalarType::U8 => Ok(largest::<u8>(a, b)),
        ScalarType::U16 => Ok(largest::<u16>(a, b)),
        ScalarType::U32 => Ok(largest::<u32>(a, b)),
        ScalarType::U64 | ScalarType::Usize => Ok(largest::<u64>(a, b)),
        ScalarType::Bool => Ok(largest::<Truth>(a, b)),
        ScalarType::F16 => Err(malformed()),
    }
}

fn malformed() -> Error {
    Error::Malformed { kernel: "a tool of the runtime", problem: "it does not fit its arrays".to_string() }
}

fn typed<T: Number>(tool: Tool, inputs: &[Input<'_>]) -> Result<()> {
    match (tool, inputs) {
        (Tool::Add, [Input::Buffer(state), at, Input::Buffer(samples), i]) => {
            add::<T>(state, count(at)?, samples, count(i)?)
        }
        (
            Tool::GatherByOne | Tool::GatherByMany,
            [Input::Buffer(record), i, room, Input::Buffer(state), Input::Buffer(places), probes],
        ) => gather::<T>((record, count(i)?, count(room)?), state, (places, count(probes)?)),
        (Tool::Finite, [Input::Buffer(record), n, Input::Buffer(state), step]) => {
            finite::<T>(record, count(n)?, state, count(step)?)
        }
        _ => Err(malformed()),
    }
}

/// A number among the inputs.
fn count(input: &Input<'_>) -> Result<usize> {
    let value = match input {
        Input::Scalar(value) => value.count().and_then(|value| usize::try_from(value).ok()),
        Input::Buffer(_) | Input::Borrowed(_) => None,
    };
    value.ok_or_else(malformed)
}

fn add<T: Number>(state: &Buffer, at: usize, samples: &Buffer, i: usize) -> Result<()> {
    let (state, samples) = (state.memory().host()?, samples.memory().host()?);
    let (Some(mut state), Some(samples)) = (state.try_write(), samples.try_read()) else {
        return Err(in_use());
    };
    let (Some(to), Some(from)) =
        (state.chunks_exact_mut(T::BYTES).nth(at), samples.chunks_exact(T::BYTES).nth(i))
    else {
        return Err(malformed());
    };
    T::get(to).sum(T::get(from)).put(to);
    Ok(())
}

fn gather<T: Number>(
    (record, i, room): (&Buffer, usize, usize),
    state: &Arc<Buffer>,
    (places, probes): (&Buffer, usize),
) -> Result<()> {
    let (to, from, at) = (record.memory().host()?, state.memory().host()?, places.memory().host()?);
    let (Some(mut to), Some(from), Some(at)) = (to.try_write(), from.try_read(), at.try_read()) else {
        return Err(in_use());
    };
    for (k, place) in at.chunks_exact(size_of::<u64>()).take(probes).enumerate() {
        let place = usize::try_from(u64::get(place)).unwrap_or(usize::MAX);
        let to = k.checked_mul(room).and_then(|row| to.chunks_exact_mut(T::BYTES).nth(row.checked_add(i)?));
        let (Some(to), Some(from)) = (to, from.chunks_exact(T::BYTES).nth(place)) else {
            return Err(malformed());
        };
        to.copy_from_slice(from);
    }
    // What is recorded is as good as the state.
    let mut doubts = record.doubts();
    let new = state.doubts().into_iter();
    let new: Vec<Arc<Status>> =
        new.filter(|status| !doubts.iter().any(|known| Arc::ptr_eq(known, status))).collect();
    if !new.is_empty() {
        doubts.extend(new);
        record.set_doubts(&doubts);
    }
    Ok(())
}

fn finite<T: Number>(record: &Buffer, n: usize, state: &Buffer, step: usize) -> Result<()> {
    let (record, state) = (record.memory().host()?, state.memory().host()?);
    let (Some(mut record), Some(state)) = (record.try_write(), state.try_read()) else {
        return Err(in_use());
    };
    let bytes = state.get(..n.saturating_mul(T::BYTES)).ok_or_else(malformed)?;
    let is_bad = |element: &[u8]| !T::get(element).is_finite();
    // Without a branch inside, a block is a loop of vectors.
    let has_bad =
        |block: &&[u8]| block.chunks_exact(T::BYTES).fold(false, |bad, element| bad | is_bad(element));
    let blocks = bytes.par_chunks(BLOCK * T::BYTES);
    let found = if bytes.len() <= BLOCK * T::BYTES {
        has_bad(&bytes).then_some(0)
    } else {
        blocks.position_first(|block| has_bad(&block))
    };
    let Some(block) = found else { return Ok(()) };
    let first = block * BLOCK;
    let within = bytes.chunks_exact(T::BYTES).skip(first).position(is_bad).unwrap_or(0);
    let at = (first + within) as u64;
    let words = [step as u32, at as u32, (at >> 32) as u32];
    let mut record = record.chunks_exact_mut(size_of::<u32>());
    if let Some(noted) = record.next()
        && u32::get(noted) == 0
    {
        words[0].put(noted);
        record.zip(&words[1..]).for_each(|(to, word)| word.put(to));
    }
    Ok(())
}

fn largest<T: Number>(a: &[u8], b: &[u8]) -> f64 {
    let of_block = |(a, b): (&[u8], &[u8])| {
        let pairs = a.chunks_exact(T::BYTES).zip(b.chunks_exact(T::BYTES));
        pairs.map(|(a, b)| T::get(a).difference(T::get(b))).fold(0.0, max_or_nan)
    };
    let block = BLOCK * T::BYTES;
    if a.len() <= block {
        return of_block((a, b));
    }
    a.par_chunks(block).zip(b.par_chunks(block)).map(of_block).reduce(|| 0.0, max_or_nan)
}

/// Elements of one type, and what is done with them.
trait Number: Copy {
    const BYTES: usize;

    /// The value of so many bytes.
    fn get(bytes: &[u8]) -> Self;
    fn put(self, bytes: &mut [u8]);
    /// Sums of integers wrap.
    fn sum(self, other: Self) -> Self;
    fn difference(self, other: Self) -> f64;
    fn is_finite(self) -> bool;
}

macro_rules! numbers {
    ($($number:ident)*, $sum:expr, $difference:expr, $finite:expr) => {$(
        impl Number for $number {
            const BYTES: usize = size_of::<$number>();

            fn get(bytes: &[u8]) -> $number {
                bytes.first_chunk().map_or($number::default(), |bytes| $number::from_ne_bytes(*bytes))
            }

            fn put(self, bytes: &mut [u8]) {
                bytes.iter_mut().zip(self.to_ne_bytes()).for_each(|(to, from)| *to = from);
            }

            fn sum(self, other: $number) -> $number {
                $sum(self, other)
            }

            fn difference(self, other: $number) -> f64 {
                $difference(self, other) as f64
            }

            fn is_finite(self) -> bool {
                $finite(self)
            }
        }
    )*};
}

macro_rules! integers {
    ($($number:ident)*) => {
        $(numbers!($number, $number::wrapping_add, $number::abs_diff, |_| true);)*
    };
}

numbers!(f32, |a, b| a + b, |a: f32, b: f32| (a - b).abs(), f32::is_finite);
numbers!(f64, |a, b| a + b, |a: f64, b: f64| (a - b).abs(), f64::is_finite);
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

/// A `bool`: any byte but 0 is true.
#[derive(Clone, Copy)]
struct Truth(bool);

impl Number for Truth {
    const BYTES: usize = 1;

    fn get(bytes: &[u8]) -> Truth {
        Truth(bytes.first().is_some_and(|byte| *byte != 0))
    }

    fn put(self, bytes: &mut [u8]) {
        bytes.iter_mut().take(1).for_each(|byte| *byte = u8::from(self.0));
    }

    // Nothing is added to truth values.
    fn sum(self, _: Truth) -> Truth {
        self
    }

    fn difference(self, other: Truth) -> f64 {
        f64::from(u8::from(self.0 != other.0))
    }

    fn is_finite(self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<T: Number>(values: &[T]) -> Vec<u8> {
        let mut bytes = vec![0; values.len() * T::BYTES];
        values.iter().zip(bytes.chunks_exact_mut(T::BYTES)).for_each(|(value, to)| value.put(to));
        bytes
    }

    #[test]
    fn differences_are_those_of_numbers() {
        let change = |a: &[i8], b: &[i8]| largest::<i8>(&bytes(a), &bytes(b));
        assert_eq!(change(&[-128, 5], &[127, 6]), 255.0);
        assert_eq!(largest::<u64>(&bytes(&[u64::MAX]), &bytes(&[0_u64])), u64::MAX as f64);
        let (a, b) = (vec![1.0_f32; 2 * BLOCK + 3], vec![1.0_f32; 2 * BLOCK + 3]);
        assert_eq!(largest::<f32>(&bytes(&a), &bytes(&b)), 0.0);
        let far = [&a[..2 * BLOCK], &[3.5; 3]].concat();
        assert_eq!(largest::<f32>(&bytes(&a), &bytes(&far)), 2.5);
        let none = [&[f32::NAN], &far[1..]].concat();
        assert!(largest::<f32>(&bytes(&a), &bytes(&none)).is_nan());
        // Any byte but 0 is true.
        assert_eq!((largest::<Truth>(&[1, 0], &[2, 0]), largest::<Truth>(&[1, 0], &[1, 7])), (0.0, 1.0));
    }

    #[test]
    fn sums_wrap() {
        assert_eq!((127_i8.sum(1), u64::MAX.sum(2), 1.5_f64.sum(1.0)), (-128, 1, 2.5));
    }
}
