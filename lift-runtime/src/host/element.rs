//! The types of elements, and arrays of bytes as arrays of them.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::spec::ScalarType;

/// Sealed: arrays of bytes are arrays of these types.
mod sealed {
    /// Whose values are plain bytes.
    ///
    /// # Safety
    ///
    /// Any bytes must be a value, and all bytes of a value must be initialised.
    #[expect(unnameable_types, reason = "sealed")]
    pub unsafe trait Plain {}
}

use sealed::Plain;

/// A type that scalar arguments may have.
pub trait Value: Copy {
    /// Its name in a description.
    const TYPE: ScalarType;

    /// The value whose bytes come first.
    fn first(bytes: [u8; 8]) -> Self;
}

impl Value for bool {
    const TYPE: ScalarType = ScalarType::Bool;

    #[inline]
    fn first(bytes: [u8; 8]) -> bool {
        bytes[0] != 0
    }
}

/// A type that elements of arrays may have. Truth values are elements of type `u8`.
pub trait Element: Value + Plain + Send + Sync + 'static {
    /// The type of its width that several threads may change.
    #[doc(hidden)]
    type Cell: Sync + 'static;

    /// The cells of an array, if they have the width of this type.
    #[doc(hidden)]
    fn cells(cells: Cells<'_>) -> Option<&[Self::Cell]>;

    /// The value of a cell.
    #[doc(hidden)]
    fn get(cell: &Self::Cell) -> Self;

    /// Gives a cell a value.
    #[doc(hidden)]
    fn set(cell: &Self::Cell, value: Self);
}

/// Whether an array or scalar of type `found` may be used as one of type `T`.
pub(super) fn fits<T: Value>(found: ScalarType) -> bool {
    // A `usize` has eight bytes in arrays, whatever the host has.
    size_of::<T>() == found.size()
        && (found == T::TYPE || (T::TYPE, found) == (ScalarType::U8, ScalarType::Bool))
}

/// An array that several threads may change, by the width of its elements.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Cells<'a> {
    /// One byte.
    One(&'a [AtomicU8]),
    /// Two bytes.
    Two(&'a [AtomicU16]),
    /// Four bytes.
    Four(&'a [AtomicU32]),
    /// Eight bytes.
    Eight(&'a [AtomicU64]),
}

impl<'a> Cells<'a> {
    /// Nothing if these are not the bytes of whole elements of this type.
    pub(super) fn new(bytes: &'a mut [u8], elem: ScalarType) -> Option<Cells<'a>> {
        Some(match elem.size() {
            1 => Cells::One(typed_mut(bytes)?),
            2 => Cells::Two(typed_mut(bytes)?),
            4 => Cells::Four(typed_mut(bytes)?),
            _ => Cells::Eight(typed_mut(bytes)?),
        })
    }
}

/// The elements whose bytes these are. Nothing if they are not whole, or lie at a wrong address.
pub(super) fn typed<T: Element>(bytes: &[u8]) -> Option<&[T]> {
    // SAFETY: any bytes are a value of this type, which nobody changes through a shared reference.
    let (before, elements, after) = unsafe { bytes.align_to::<T>() };
    (before.is_empty() && after.is_empty()).then_some(elements)
}

/// The same, to be changed.
pub(super) fn typed_mut<T: Plain>(bytes: &mut [u8]) -> Option<&mut [T]> {
    // SAFETY: any bytes are a value of this type, and any value is bytes.
    let (before, elements, after) = unsafe { bytes.align_to_mut::<T>() };
    (before.is_empty() && after.is_empty()).then_some(elements)
}

macro_rules! cells {
    ($($cell:ty),*) => {$(
        // SAFETY: it is an integer in memory.
        unsafe impl Plain for $cell {}
    )*};
}

cells!(AtomicU8, AtomicU16, AtomicU32, AtomicU64);

macro_rules! elements {
    ($($ty:ty, $name:ident, $width:ident, $cell:ty, $bits:ty, $to:expr, $from:expr;)*) => {$(
        // SAFETY: numbers are plain bytes, without padding.
        unsafe impl Plain for $ty {}

        impl Value for $ty {
            const TYPE: ScalarType = ScalarType::$name;

            #[inline]
            fn first(bytes: [u8; 8]) -> $ty {
                let mut own = [0; size_of::<$ty>()];
                own.copy_from_slice(&bytes[..size_of::<$ty>()]);
                <$ty>::from_ne_bytes(own)
            }
        }

        impl Element for $ty {
            type Cell = $cell;

            #[inline]
            fn cells(cells: Cells<'_>) -> Option<&[$cell]> {
                if let Cells::$width(cells) = cells { Some(cells) } else { None }
            }

            #[inline(always)]
            fn get(cell: &$cell) -> $ty {
                let from: fn($bits) -> $ty = $from;
                from(cell.load(Relaxed))
            }

            #[inline(always)]
            fn set(cell: &$cell, value: $ty) {
                let to: fn($ty) -> $bits = $to;
                cell.store(to(value), Relaxed);
            }
        }
    )*};
}

elements! {
    f32, F32, Four, AtomicU32, u32, f32::to_bits, f32::from_bits;
    f64, F64, Eight, AtomicU64, u64, f64::to_bits, f64::from_bits;
    i8, I8, One, AtomicU8, u8, i8::cast_unsigned, u8::cast_signed;
    i16, I16, Two, AtomicU16, u16, i16::cast_unsigned, u16::cast_signed;
    i32, I32, Four, AtomicU32, u32, i32::cast_unsigned, u32::cast_signed;
    i64, I64, Eight, AtomicU64, u64, i64::cast_unsigned, u64::cast_signed;
    u8, U8, One, AtomicU8, u8, |x| x, |x| x;
    u16, U16, Two, AtomicU16, u16, |x| x, |x| x;
    u32, U32, Four, AtomicU32, u32, |x| x, |x| x;
    u64, U64, Eight, AtomicU64, u64, |x| x, |x| x;
    usize, Usize, Eight, AtomicU64, u64, |x| x as u64, |x| x as usize;
}
