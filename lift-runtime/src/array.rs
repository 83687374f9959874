//! Arrays on the host: what may be passed to a kernel, whatever it is made of.
//!
//! Element type and rank are part of the Rust type, so a wrong one does not compile; extents are only known
//! at run time and are checked before anything is enqueued.

use std::borrow::Cow;

use ndarray::{ArrayBase, ArrayView, Data, Dim, Dimension};

use crate::error::{Error, Result};
use crate::scalar::Scalar;

/// Anything of `D` dimensions with elements of type `T`, on the host or on a device.
///
/// ```
/// use lift_runtime::Shaped;
///
/// fn rows(array: impl Shaped<f32, 2>) -> usize {
///     array.shape()[0]
/// }
/// assert_eq!(rows(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 2);
/// ```
pub trait Shaped<T, const D: usize> {
    /// The extents, outermost first.
    fn shape(&self) -> [usize; D];
}

/// Host data that a kernel can read.
///
/// It is implemented for references to `ndarray` arrays and views of any strides, to vectors and to fixed
/// arrays; for views and slices themselves; and for a pair of a flat slice and its shape.
///
/// ```
/// use lift_runtime::{HostArray, Shaped};
///
/// let flat = vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let image = (&flat, [2, 3]);
/// assert_eq!(Shaped::<f32, 2>::shape(&image), [2, 3]);
/// assert_eq!(HostArray::<f32, 2>::contiguous(&image).len(), 6);
///
/// // A view is copied only when its elements do not lie in order.
/// let array = ndarray::arr2(&[[1.0f32, 2.0], [3.0, 4.0]]);
/// assert_eq!(*array.t().contiguous(), [1.0, 3.0, 2.0, 4.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not host data with elements `{T}` and {D} dimensions",
    note = "pass a reference to an `ndarray` array, a vector or a fixed array; a slice or view; \
            or `(&slice, [rows, columns])`"
)]
pub trait HostArray<T: Scalar, const D: usize>: Shaped<T, D> {
    /// All elements, the last dimension fastest. Copied only when they do not lie in memory like that.
    fn contiguous(&self) -> Cow<'_, [T]>;
}

// Only references to data implement the traits. If the data did as well, clippy would call the `&` in
// `run(&[1.0, 2.0])` needless.

impl<T: Scalar> Shaped<T, 1> for &[T] {
    fn shape(&self) -> [usize; 1] {
        [self.len()]
    }
}

impl<T: Scalar> HostArray<T, 1> for &[T] {
    fn contiguous(&self) -> Cow<'_, [T]> {
        Cow::Borrowed(self)
    }
}

impl<T: Scalar> Shaped<T, 1> for &Vec<T> {
    fn shape(&self) -> [usize; 1] {
        [self.len()]
    }
}

impl<T: Scalar> HostArray<T, 1> for &Vec<T> {
    fn contiguous(&self) -> Cow<'_, [T]> {
        Cow::Borrowed(self)
    }
}

impl<T: Scalar, const N: usize> Shaped<T, 1> for &[T; N] {
    fn shape(&self) -> [usize; 1] {
        [N]
    }
}

impl<T: Scalar, const N: usize> HostArray<T, 1> for &[T; N] {
    fn contiguous(&self) -> Cow<'_, [T]> {
        Cow::Borrowed(*self)
    }
}

impl<T: Scalar, const M: usize, const N: usize> Shaped<T, 2> for &[[T; M]; N] {
    fn shape(&self) -> [usize; 2] {
        [N, M]
    }
}

impl<T: Scalar, const M: usize, const N: usize> HostArray<T, 2> for &[[T; M]; N] {
    fn contiguous(&self) -> Cow<'_, [T]> {
        Cow::Borrowed(self.as_flattened())
    }
}

impl<T: Scalar, const L: usize, const M: usize, const N: usize> Shaped<T, 3> for &[[[T; L]; M]; N] {
    fn shape(&self) -> [usize; 3] {
        [N, M, L]
    }
}

impl<T: Scalar, const L: usize, const M: usize, const N: usize> HostArray<T, 3> for &[[[T; L]; M]; N] {
    fn contiguous(&self) -> Cow<'_, [T]> {
        Cow::Borrowed(self.as_flattened().as_flattened())
    }
}

/// A flat slice and the shape it has: `(&pixels, [height, width])`.
impl<T: Scalar, A: AsRef<[T]>, const D: usize> Shaped<T, D> for (A, [usize; D]) {
    fn shape(&self) -> [usize; D] {
        self.1
    }
}

impl<T: Scalar, A: AsRef<[T]>, const D: usize> HostArray<T, D> for (A, [usize; D]) {
    fn contiguous(&self) -> Cow<'_, [T]> {
        Cow::Borrowed(self.0.as_ref())
    }
}

impl<T, S: Data<Elem = T>, const D: usize> Shaped<T, D> for &ArrayBase<S, Dim<[usize; D]>>
where
    Dim<[usize; D]>: Dimension,
{
    fn shape(&self) -> [usize; D] {
        let mut extents = [0; D];
        extents.iter_mut().zip(ArrayBase::shape(self)).for_each(|(to, from)| *to = *from);
        extents
    }
}

impl<T: Scalar, S: Data<Elem = T>, const D: usize> HostArray<T, D> for &ArrayBase<S, Dim<[usize; D]>>
where
    Dim<[usize; D]>: Dimension,
{
    fn contiguous(&self) -> Cow<'_, [T]> {
        match self.as_slice() {
            Some(slice) => Cow::Borrowed(slice),
            None => Cow::Owned(self.iter().copied().collect()),
        }
    }
}

// A view is a reference already.

impl<T, const D: usize> Shaped<T, D> for ArrayView<'_, T, Dim<[usize; D]>>
where
    Dim<[usize; D]>: Dimension,
{
    fn shape(&self) -> [usize; D] {
        Shaped::shape(&self)
    }
}

impl<T: Scalar, const D: usize> HostArray<T, D> for ArrayView<'_, T, Dim<[usize; D]>>
where
    Dim<[usize; D]>: Dimension,
{
    fn contiguous(&self) -> Cow<'_, [T]> {
        match self.as_slice() {
            Some(slice) => Cow::Borrowed(slice),
            None => Cow::Owned(self.iter().copied().collect()),
        }
    }
}

/// A result on the host: `Host<f32, 2>` is `ndarray::Array2<f32>`.
pub type Host<T, const D: usize> = ndarray::Array<T, Dim<[usize; D]>>;

/// How many elements an array of this shape has, or an error when no host could count them.
pub(crate) fn elements(shape: &[usize]) -> Result<usize> {
    // An extent of zero makes the array empty, however large the others are.
    if shape.contains(&0) {
        return Ok(0);
    }
    let count = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
    // No Rust allocation exceeds `isize::MAX` bytes; eight are the largest element.
    match count {
        Some(count) if count <= isize::MAX as usize / 8 => Ok(count),
        _ => Err(Error::TooManyElements { shape: shape.to_vec() }),
    }
}

/// The shape and the elements of `array`, after checking that they agree. Each is asked for once: an array of a
/// user's own type may answer differently the next time. `argument` is the name for messages.
pub(crate) fn checked<'a, T: Scalar, const D: usize>(
    argument: &str,
    array: &'a impl HostArray<T, D>,
) -> Result<([usize; D], Cow<'a, [T]>)> {
    let shape = array.shape();
    let (data, expected) = (array.contiguous(), elements(&shape)?);
    if data.len() == expected {
        Ok((shape, data))
    } else {
        let (argument, found) = (argument.to_string(), data.len());
        Err(Error::SliceLength { argument, shape: shape.to_vec(), expected, found })
    }
}

/// Turns the elements of a result into an array.
pub(crate) fn shaped<T: Scalar, const D: usize>(shape: [usize; D], data: Vec<T>) -> Result<Host<T, D>>
where
    Dim<[usize; D]>: Dimension,
{
    let found = data.len();
    let mut dim = Dim::<[usize; D]>::zeros(D);
    dim.slice_mut().copy_from_slice(&shape);
    ndarray::Array::from_shape_vec(dim, data).map_err(|_| Error::SliceLength {
        argument: "out".to_string(),
        shape: shape.to_vec(),
        expected: shape.iter().fold(1, |count, &extent| count.saturating_mul(extent)),
        found,
    })
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2, Array4, s};

    use super::*;

    fn shape_of<T: Scalar, const D: usize>(array: impl HostArray<T, D>) -> ([usize; D], Vec<T>) {
        (array.shape(), array.contiguous().into_owned())
    }

    #[test]
    fn all_kinds_of_host_data_are_arrays() {
        let vector = vec![1.0f32, 2.0];
        assert_eq!(shape_of(&vector), ([2], vec![1.0, 2.0]));
        assert_eq!(shape_of(&vector[..1]), ([1], vec![1.0]));
        assert_eq!(shape_of(&[[1i32, 2], [3, 4], [5, 6]]), ([3, 2], vec![1, 2, 3, 4, 5, 6]));
        assert_eq!(shape_of(&[[[1u8], [2]]]), ([1, 2, 1], vec![1, 2]));
        assert_eq!(shape_of((&vector[..], [1, 2])), ([1, 2], vec![1.0, 2.0]));
        assert_eq!(shape_of((&vector, [2, 1, 1])), ([2, 1, 1], vec![1.0, 2.0]));
        assert_eq!(shape_of(&Array1::from(vec![true])), ([1], vec![true]));
        assert_eq!(shape_of(&Array4::from_elem((1, 1, 1, 2), 9usize)), ([1, 1, 1, 2], vec![9, 9]));
    }

    #[test]
    fn strided_views_are_copied_in_order() {
        let array = Array2::from_shape_fn((3, 4), |(row, column)| (10 * row + column) as i32);
        assert!(matches!((&array).contiguous(), Cow::Borrowed(_)));
        assert!(matches!(array.slice(s![1.., ..]).contiguous(), Cow::Borrowed(_)));
        assert_eq!(shape_of(array.slice(s![..;2, ..;-3])), ([2, 2], vec![3, 0, 23, 20]));
        assert_eq!(shape_of(array.t().slice(s![..2, ..])), ([2, 3], vec![0, 10, 20, 1, 11, 21]));
    }

    #[test]
    fn a_slice_must_have_as_many_elements_as_its_shape() {
        let error = checked::<f32, 2>("image", &(&[0.0f32; 18], [4, 5])).unwrap_err();
        assert_eq!(error.to_string(), "`image` is said to be 4×5, which is 20 elements, but has 18");
        assert!(checked::<f32, 2>("image", &(&[0.0f32; 0], [usize::MAX, 0])).is_ok());
        assert!(checked::<f32, 2>("image", &(&[0.0f32; 0], [usize::MAX, 2])).is_err());
    }
}
