//! The element types, and how their values travel between host and device.
//!
//! Numbers of a fixed width are the same bytes on both sides. A `bool` is one byte; the device may leave any
//! value there, so it is read back as "not zero". A `usize` is 64 bits on the device, whatever the host has.

use std::borrow::Cow;
use std::ffi::c_void;
use std::fmt;

use crate::error::{Error, Result};
use crate::huge_pages;
use crate::spec::ScalarType;

/// A type that array elements and scalar parameters of a kernel may have.
///
/// It is implemented for `f32` and `f64`, with the feature `half` for `f16`, `i8` to `i64`, `u8` to `u64`, `bool` and `usize`, and cannot be
/// implemented for other types.
///
/// ```
/// use lift_runtime::Scalar;
/// use lift_runtime::spec::ScalarType;
///
/// assert_eq!(<f32 as Scalar>::TYPE, ScalarType::F32);
/// ```
pub trait Scalar:
    transfer::Transfer + Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static
{
    /// The type's name in a kernel's description.
    const TYPE: ScalarType;
}

/// Copies device memory to the given address; so many bytes are valid there.
pub(crate) type Fill<'a> = &'a mut dyn FnMut(*mut c_void, usize) -> Result<()>;

/// Sealed: the bytes of a type are this crate's business.
pub(crate) mod transfer {
    use super::{Cow, Fill, Result};

    /// How values of a type become the device's bytes and back.
    #[expect(unnameable_types, reason = "sealed: this is the private half of `Scalar`")]
    pub trait Transfer: Sized {
        /// Whether the device's bytes are values of this type, whatever they are.
        const ANY_BYTES: bool;

        /// The values as the device wants them.
        fn to_device(values: &[Self]) -> Cow<'_, [u8]>;

        /// `len` values, whose bytes `fill` provides.
        ///
        /// # Safety
        ///
        /// Where `fill` succeeds, it must have written all the bytes.
        unsafe fn from_device(len: usize, fill: Fill<'_>) -> Result<Vec<Self>>;
    }
}

/// Stands for a 16-bit float, which is no scalar without the feature `half`.
#[cfg(not(feature = "half"))]
#[deprecated = "16-bit floats need the feature `half` of lift-kernels"]
#[expect(non_camel_case_types, reason = "the name of the type it stands for")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum f16 {}

/// An empty vector with room for exactly `len` values, or an error: a result may be too large for the host.
fn reserve<T>(len: usize) -> Result<Vec<T>> {
    let mut values = Vec::<T>::new();
    let bytes = len.saturating_mul(size_of::<T>());
    values.try_reserve_exact(len).map_err(|_| Error::OutOfHostMemory { bytes })?;
    huge_pages::ask(values.as_mut_ptr().cast(), bytes);
    Ok(values)
}

/// The values of these bytes, which are those of `to_device`.
pub(crate) fn of_bytes<T: Scalar>(bytes: &[u8]) -> Result<Vec<T>> {
    let len = bytes.len() / T::TYPE.size();
    let mut fill = |target: *mut c_void, size: usize| {
        let size = size.min(bytes.len());
        // SAFETY: so many bytes are valid at both ends, which do not overlap: the target is new.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), target.cast(), size) };
        Ok(())
    };
    // SAFETY: all bytes of `len` values are written, since there are at least so many.
    unsafe { T::from_device(len, &mut fill) }
}

/// Types whose bytes are the same on host and device, and for which every bit pattern is a value.
macro_rules! same_bytes {
    ($($scalar:ty => $name:ident),*) => {$(
        impl Scalar for $scalar {
            const TYPE: ScalarType = ScalarType::$name;
        }

        impl transfer::Transfer for $scalar {
            const ANY_BYTES: bool = true;

            fn to_device(values: &[Self]) -> Cow<'_, [u8]> {
                // SAFETY: numbers are plain bytes, without padding; the slice has so many, and lives as long.
                Cow::Borrowed(unsafe {
                    std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values))
                })
            }

            unsafe fn from_device(len: usize, fill: Fill<'_>) -> Result<Vec<Self>> {
                let mut values = reserve::<$scalar>(len)?;
                fill(values.as_mut_ptr().cast(), len * size_of::<$scalar>())?;
                // SAFETY: there is room for `len` values, `fill` has written all their bytes, and any bytes are a value of this
                // type.
                unsafe { values.set_len(len) };
                Ok(values)
            }
        }
    )*};
}

same_bytes!(f32 => F32, f64 => F64);
#[cfg(feature = "half")]
same_bytes!(half::f16 => F16);
same_bytes!(i8 => I8, i16 => I16, i32 => I32, i64 => I64);
same_bytes!(u8 => U8, u16 => U16, u32 => U32, u64 => U64);

#[cfg(target_pointer_width = "64")]
same_bytes!(usize => Usize);

#[cfg(not(target_pointer_width = "64"))]
impl Scalar for usize {
    const TYPE: ScalarType = ScalarType::Usize;
}

#[cfg(not(target_pointer_width = "64"))]
impl transfer::Transfer for usize {
    const ANY_BYTES: bool = false;

    fn to_device(values: &[Self]) -> Cow<'_, [u8]> {
        Cow::Owned(values.iter().flat_map(|&value| (value as u64).to_ne_bytes()).collect())
    }

    unsafe fn from_device(len: usize, fill: Fill<'_>) -> Result<Vec<Self>> {
        let mut wide = reserve::<u64>(len)?;
        fill(wide.as_mut_ptr().cast(), len * size_of::<u64>())?;
        // SAFETY: there is room for `len` values, and `fill` has written all their bytes.
        unsafe { wide.set_len(len) };
        // An index that does not fit cannot be one of this host's.
        Ok(wide.into_iter().map(|value| usize::try_from(value).unwrap_or(usize::MAX)).collect())
    }
}

impl Scalar for bool {
    const TYPE: ScalarType = ScalarType::Bool;
}

impl transfer::Transfer for bool {
    const ANY_BYTES: bool = false;

    fn to_device(values: &[Self]) -> Cow<'_, [u8]> {
        // SAFETY: a `bool` is one byte, 0 or 1; the slice has so many, and lives as long.
        Cow::Borrowed(unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) })
    }

    unsafe fn from_device(len: usize, fill: Fill<'_>) -> Result<Vec<Self>> {
        // SAFETY: the caller's promise.
        let bytes = unsafe { u8::from_device(len, fill) }?;
        Ok(bytes.into_iter().map(|byte| byte != 0).collect())
    }
}

/// One scalar argument, as the device takes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScalarValue {
    pub(crate) elem: ScalarType,
    bytes: [u8; 8],
}

impl ScalarValue {
    pub(crate) fn new<T: Scalar>(value: T) -> ScalarValue {
        let mut bytes = [0; 8];
        for (to, from) in bytes.iter_mut().zip(T::to_device(&[value]).iter()) {
            *to = *from;
        }
        ScalarValue { elem: T::TYPE, bytes }
    }

    /// The value of these bytes.
    pub(crate) fn of_bytes(elem: ScalarType, from: &[u8]) -> ScalarValue {
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        ScalarValue { elem, bytes }
    }

    /// The bytes, with zeros after them.
    pub(crate) fn all_bytes(self) -> [u8; 8] {
        self.bytes
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.elem.size()]
    }

    /// The value as a number of repetitions: 0 for negative integers, nothing for what is not an integer.
    pub(crate) fn count(&self) -> Option<u64> {
        let [a, b, c, d, ..] = self.bytes;
        let signed = |value: i64| u64::try_from(value).unwrap_or(0);
        match self.elem {
            ScalarType::I8 => Some(signed(i8::from_ne_bytes([a]).into())),
            ScalarType::I16 => Some(signed(i16::from_ne_bytes([a, b]).into())),
            ScalarType::I32 => Some(signed(i32::from_ne_bytes([a, b, c, d]).into())),
            ScalarType::I64 => Some(signed(i64::from_ne_bytes(self.bytes))),
            ScalarType::U8 => Some(a.into()),
            ScalarType::U16 => Some(u16::from_ne_bytes([a, b]).into()),
            ScalarType::U32 => Some(u32::from_ne_bytes([a, b, c, d]).into()),
            ScalarType::U64 | ScalarType::Usize => Some(u64::from_ne_bytes(self.bytes)),
            ScalarType::F32 | ScalarType::F64 | ScalarType::F16 | ScalarType::Bool => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::transfer::Transfer;
    use super::*;

    /// What `to_device` gives, read back.
    fn there_and_back<T: Scalar>(values: &[T]) -> Vec<T> {
        of_bytes(&T::to_device(values)).unwrap()
    }

    #[test]
    fn every_type_survives_the_journey() {
        assert_eq!(there_and_back(&[1.5f32, -0.0, f32::MAX]), [1.5, -0.0, f32::MAX]);
        assert_eq!(there_and_back(&[i32::MIN, 7]), [i32::MIN, 7]);
        assert_eq!(there_and_back(&[0u8, 255]), [0, 255]);
        assert_eq!(there_and_back(&[0.1f64, f64::MIN]), [0.1, f64::MIN]);
        #[cfg(feature = "half")]
        assert_eq!(there_and_back(&[half::f16::MAX, half::f16::ZERO]), [half::f16::MAX, half::f16::ZERO]);
        assert_eq!(there_and_back(&[i8::MIN, 7]), [i8::MIN, 7]);
        assert_eq!(there_and_back(&[i16::MIN, 7]), [i16::MIN, 7]);
        assert_eq!(there_and_back(&[i64::MIN, 7]), [i64::MIN, 7]);
        assert_eq!(there_and_back(&[u16::MAX, 7]), [u16::MAX, 7]);
        assert_eq!(there_and_back(&[u32::MAX, 7]), [u32::MAX, 7]);
        assert_eq!(there_and_back(&[u64::MAX, 7]), [u64::MAX, 7]);
        assert_eq!(there_and_back(&[true, false]), [true, false]);
        assert_eq!(there_and_back(&[0usize, usize::MAX]), [0, usize::MAX]);
    }

    #[test]
    fn any_byte_but_zero_is_true() {
        let mut fill = |target: *mut c_void, _| {
            // SAFETY: three bytes are valid there.
            unsafe { std::ptr::copy_nonoverlapping([0u8, 2, 255].as_ptr(), target.cast(), 3) };
            Ok(())
        };
        // SAFETY: all bytes are written.
        let read = unsafe { bool::from_device(3, &mut fill) };
        assert_eq!(read.unwrap(), [false, true, true]);
    }

    #[test]
    fn a_scalar_argument_has_the_size_of_its_type() {
        assert_eq!(ScalarValue::new(true).bytes(), [1]);
        assert_eq!(ScalarValue::new(3usize).bytes(), 3u64.to_ne_bytes());
    }

    #[test]
    fn integers_are_numbers_of_repetitions() {
        assert_eq!(ScalarValue::new(7i32).count(), Some(7));
        assert_eq!(ScalarValue::new(-7i32).count(), Some(0));
        assert_eq!(ScalarValue::new(-7i8).count(), Some(0));
        assert_eq!(ScalarValue::new(300i16).count(), Some(300));
        assert_eq!(ScalarValue::new(1i64 << 40).count(), Some(1 << 40));
        assert_eq!(ScalarValue::new(7u8).count(), Some(7));
        assert_eq!(ScalarValue::new(300u16).count(), Some(300));
        assert_eq!(ScalarValue::new(u32::MAX).count(), Some(u64::from(u32::MAX)));
        assert_eq!(ScalarValue::new(u64::MAX).count(), Some(u64::MAX));
        assert_eq!(ScalarValue::new(7usize).count(), Some(7));
        assert_eq!(ScalarValue::new(7.0f32).count(), None);
    }

    #[test]
    fn a_vector_too_large_for_the_host_is_an_error() {
        // SAFETY: nothing is filled.
        let read = unsafe { f32::from_device(usize::MAX / 4, &mut |_, _| Ok(())) };
        assert!(matches!(read, Err(Error::OutOfHostMemory { .. })));
    }
}
