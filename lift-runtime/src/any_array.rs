//! Arrays on the host or on the device: what a simulation copies when it starts and between its steps.

use std::sync::Arc;

use ndarray::{ArrayBase, ArrayView, Data, Dim, Dimension};

use crate::args::{HostArg, HostData};
use crate::array::{Shaped, elements};
use crate::buffer::{Buffer, DeviceArray, copy};
use crate::device::Device;
use crate::error::Result;
use crate::scalar::Scalar;

/// An array that a simulation copies: host data, as [`HostArray`](crate::HostArray) has it, or a reference to a
/// [`DeviceArray`], which is copied within the device.
///
/// For a type of your own that is a `HostArray`, the method is `HostArg::array(self)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an array with elements `{T}` and {D} dimensions, on the host or on a device",
    note = "pass a reference to an `ndarray` array, a vector, a fixed array or a `DeviceArray`; a slice or view; \
            or `(&slice, [rows, columns])`"
)]
pub trait AnyArray<T: Scalar, const D: usize>: Shaped<T, D> {
    /// The array as an argument.
    fn to_arg(&self) -> HostArg<'_>;
}

macro_rules! host_arrays {
    ($([$($generics:tt)*] $rank:tt, $ty:ty $(where [$($bounds:tt)*])?;)*) => {$(
        impl<T: Scalar, $($generics)*> AnyArray<T, $rank> for $ty $(where $($bounds)*)? {
            fn to_arg(&self) -> HostArg<'_> {
                HostArg::array::<T, $rank>(self)
            }
        }
    )*};
}

host_arrays! {
    [] 1, &[T];
    [] 1, &Vec<T>;
    [const N: usize] 1, &[T; N];
    [const M: usize, const N: usize] 2, &[[T; M]; N];
    [const L: usize, const M: usize, const N: usize] 3, &[[[T; L]; M]; N];
    [A: AsRef<[T]>, const D: usize] D, (A, [usize; D]);
    [S: Data<Elem = T>, const D: usize] D, &ArrayBase<S, Dim<[usize; D]>> where [Dim<[usize; D]>: Dimension];
    [const D: usize] D, ArrayView<'_, T, Dim<[usize; D]>> where [Dim<[usize; D]>: Dimension];
}

impl<T: Scalar, const D: usize> AnyArray<T, D> for &DeviceArray<T, D> {
    fn to_arg(&self) -> HostArg<'_> {
        HostArg::copied(*self)
    }
}

/// A copy has the same elements, and what may be wrong with them.
impl<T: Scalar, const D: usize> HostData for &DeviceArray<T, D> {
    fn len(&self) -> usize {
        elements(self.extents()).unwrap_or(0)
    }

    fn upload(&self, device: &Device) -> Result<Option<Arc<Buffer>>> {
        let Some(from) = self.buffer() else { return Ok(None) };
        let to = Buffer::some(device, from.bytes())?;
        copy(&device.queue()?, from, &to)?;
        Ok(Some(to))
    }

    fn device(&self) -> Option<&Device> {
        Some((**self).device())
    }
}
