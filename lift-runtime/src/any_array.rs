//! Arrays on the host or on the device: what a simulation copies when it starts and between its steps.

use ndarray::{ArrayBase, ArrayView, Data, Dim, Dimension};

use crate::args::HostArg;
use crate::array::Shaped;
use crate::buffer::DeviceArray;
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
        #[diagnostic::do_not_recommend]
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
    [const M: usize] 2, &[[T; M]];
    [const M: usize] 2, &Vec<[T; M]>;
    [const L: usize, const M: usize] 3, &[[[T; L]; M]];
    [const L: usize, const M: usize] 3, &Vec<[[T; L]; M]>;
    [const M: usize, const N: usize] 2, &[[T; M]; N];
    [const L: usize, const M: usize, const N: usize] 3, &[[[T; L]; M]; N];
    [A: AsRef<[T]>, const D: usize] D, (A, [usize; D]);
    [S: Data<Elem = T>, const D: usize] D, &ArrayBase<S, Dim<[usize; D]>> where [Dim<[usize; D]>: Dimension];
    [const D: usize] D, ArrayView<'_, T, Dim<[usize; D]>> where [Dim<[usize; D]>: Dimension];
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, const D: usize> AnyArray<T, D> for &DeviceArray<T, D> {
    fn to_arg(&self) -> HostArg<'_> {
        HostArg::copied(*self)
    }
}
