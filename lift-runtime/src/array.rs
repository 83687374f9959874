//! Arrays on the host: what may be passed to a kernel, whatever it is made of.
//!
//! Element type and rank are part of the Rust type, so a wrong one does not compile; extents are only known
//! at run time and are checked before anything is enqueued.

use std::borrow::Cow;

use ndarray::{ArrayBase, ArrayView, ArrayViewMut, Data, DataMut, Dim, Dimension};

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
/// It is implemented for:
///
/// - references to vectors, to fixed arrays, and to `ndarray` arrays and views of any strides;
/// - views and slices themselves;
/// - a pair of a flat slice and its shape.
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
            or `(&slice, [rows, columns])`",
    note = "a `DeviceArray` is for `launch`; `&array.download()?` copies it to the host"
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

#[diagnostic::do_not_recommend]
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

#[diagnostic::do_not_recommend]
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

#[diagnostic::do_not_recommend]
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

#[diagnostic::do_not_recommend]
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

#[diagnostic::do_not_recommend]
impl<T: Scalar, const L: usize, const M: usize, const N: usize> HostArray<T, 3> for &[[[T; L]; M]; N] {
    fn contiguous(&self) -> Cow<'_, [T]> {
        Cow::Borrowed(self.as_flattened().as_flattened())
    }
}

/// The traits for slices and vectors of fixed arrays.
macro_rules! rows {
    ($([$($n:ident),+] $rank:literal, $row:ty, $it:ident => $shape:expr, $flat:expr;)*) => {$(
        impl<T: Scalar, $(const $n: usize),+> Shaped<T, $rank> for &[$row] {
            fn shape(&self) -> [usize; $rank] {
                let $it = self;
                $shape
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Scalar, $(const $n: usize),+> HostArray<T, $rank> for &[$row] {
            fn contiguous(&self) -> Cow<'_, [T]> {
                let $it = self;
                Cow::Borrowed($flat)
            }
        }

        impl<T: Scalar, $(const $n: usize),+> Shaped<T, $rank> for &Vec<$row> {
            fn shape(&self) -> [usize; $rank] {
                let $it = self;
                $shape
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Scalar, $(const $n: usize),+> HostArray<T, $rank> for &Vec<$row> {
            fn contiguous(&self) -> Cow<'_, [T]> {
                let $it = self;
                Cow::Borrowed($flat)
            }
        }
    )*};
}

rows! {
    [M] 2, [T; M], it => [it.len(), M], it.as_flattened();
    [L, M] 3, [[T; L]; M], it => [it.len(), M, L], it.as_flattened().as_flattened();
}

/// A flat slice and the shape it has: `(&pixels, [height, width])`.
impl<T: Scalar, A: AsRef<[T]>, const D: usize> Shaped<T, D> for (A, [usize; D]) {
    fn shape(&self) -> [usize; D] {
        self.1
    }
}

#[diagnostic::do_not_recommend]
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
        extents(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, S: Data<Elem = T>, const D: usize> HostArray<T, D> for &ArrayBase<S, Dim<[usize; D]>>
where
    Dim<[usize; D]>: Dimension,
{
    fn contiguous(&self) -> Cow<'_, [T]> {
        in_order(self)
    }
}

// A view is a reference already.

impl<T, const D: usize> Shaped<T, D> for ArrayView<'_, T, Dim<[usize; D]>>
where
    Dim<[usize; D]>: Dimension,
{
    fn shape(&self) -> [usize; D] {
        extents(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, const D: usize> HostArray<T, D> for ArrayView<'_, T, Dim<[usize; D]>>
where
    Dim<[usize; D]>: Dimension,
{
    fn contiguous(&self) -> Cow<'_, [T]> {
        in_order(self)
    }
}

/// Host data that a kernel updates in place: `&mut` references to `ndarray` arrays and views, to vectors, slices
/// and fixed arrays; views for writing themselves; and a pair of a flat slice for writing and its shape.
///
/// ```
/// use lift_runtime::HostArrayMut;
///
/// fn clear<const D: usize>(mut array: impl HostArrayMut<f32, D>) {
///     let zeros = vec![0.0; array.contiguous().len()];
///     array.overwrite(&zeros);
/// }
/// let mut array = ndarray::arr2(&[[1.0_f32, 2.0], [3.0, 4.0]]);
/// clear(array.column_mut(1));
/// assert_eq!(array, ndarray::arr2(&[[1.0, 0.0], [3.0, 0.0]]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not host data with elements `{T}` and {D} dimensions that can be updated",
    note = "pass a `&mut` reference to an `ndarray` array, a vector or a fixed array; a `&mut` slice or view; \
            or `(&mut slice, [rows, columns])`",
    note = "a `DeviceArray` is for `launch`, which takes `&mut array`"
)]
pub trait HostArrayMut<T: Scalar, const D: usize>: Shaped<T, D> {
    /// All elements, the last dimension fastest. Copied only when they do not lie in memory like that.
    fn contiguous(&self) -> Cow<'_, [T]>;

    /// Replaces all elements by as many others, the last dimension fastest.
    fn overwrite(&mut self, elements: &[T]);
}

/// Copies as many elements as both have: `overwrite` promises the same number, and nothing here panics.
fn copy<'a, T: Copy + 'a>(from: &[T], to: impl IntoIterator<Item = &'a mut T>) {
    to.into_iter().zip(from).for_each(|(to, from)| *to = *from);
}

/// Both traits for a type of data for writing: its extents, its elements to read, its elements to write.
macro_rules! data_for_writing {
    (
        [$($generics:tt)*] $rank:tt, $ty:ty $(where [$($bounds:tt)*])?,
        $it:ident => $shape:expr, $read:expr, $write:expr
    ) => {
        impl<$($generics)*> Shaped<T, $rank> for $ty $(where $($bounds)*)? {
            fn shape(&self) -> [usize; $rank] {
                let $it = self;
                $shape
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> HostArrayMut<T, $rank> for $ty $(where $($bounds)*)? {
            fn contiguous(&self) -> Cow<'_, [T]> {
                let $it = self;
                $read
            }

            fn overwrite(&mut self, elements: &[T]) {
                let $it = self;
                copy(elements, $write);
            }
        }
    };
}

data_for_writing!([T: Scalar] 1, &mut [T],
    it => [it.len()], Cow::Borrowed(it), it.iter_mut());
data_for_writing!([T: Scalar] 1, &mut Vec<T>,
    it => [it.len()], Cow::Borrowed(it), it.iter_mut());
data_for_writing!([T: Scalar, const N: usize] 1, &mut [T; N],
    it => [it.len()], Cow::Borrowed(&it[..]), it.iter_mut());
data_for_writing!([T: Scalar, const M: usize] 2, &mut Vec<[T; M]>,
    it => [it.len(), M], Cow::Borrowed(it.as_flattened()), it.as_flattened_mut());
data_for_writing!([T: Scalar, const M: usize] 2, &mut [[T; M]],
    it => [it.len(), M], Cow::Borrowed(it.as_flattened()), it.as_flattened_mut());
data_for_writing!([T: Scalar, const M: usize, const N: usize] 2, &mut [[T; M]; N],
    it => [it.len(), M], Cow::Borrowed(it.as_flattened()), it.as_flattened_mut());
data_for_writing!([T: Scalar, const L: usize, const M: usize, const N: usize] 3, &mut [[[T; L]; M]; N],
    it => [it.len(), M, L], Cow::Borrowed(it.as_flattened().as_flattened()),
    it.as_flattened_mut().as_flattened_mut());
data_for_writing!(
    [T: Scalar, S: DataMut<Elem = T>, const D: usize] D,
    &mut ArrayBase<S, Dim<[usize; D]>> where [Dim<[usize; D]>: Dimension],
    it => extents(it), in_order(it), it.iter_mut());
data_for_writing!(
    [T: Scalar, const D: usize] D,
    ArrayViewMut<'_, T, Dim<[usize; D]>> where [Dim<[usize; D]>: Dimension],
    it => extents(it), in_order(it), it.iter_mut());

#[diagnostic::do_not_recommend]
impl<T: Scalar, A: AsRef<[T]> + AsMut<[T]>, const D: usize> HostArrayMut<T, D> for (A, [usize; D]) {
    fn contiguous(&self) -> Cow<'_, [T]> {
        Cow::Borrowed(self.0.as_ref())
    }

    fn overwrite(&mut self, elements: &[T]) {
        copy(elements, self.0.as_mut());
    }
}

fn extents<S: Data, const D: usize>(array: &ArrayBase<S, Dim<[usize; D]>>) -> [usize; D]
where
    Dim<[usize; D]>: Dimension,
{
    let mut extents = [0; D];
    extents.iter_mut().zip(array.shape()).for_each(|(to, from)| *to = *from);
    extents
}

fn in_order<T: Scalar, S: Data<Elem = T>, const D: usize>(
    array: &ArrayBase<S, Dim<[usize; D]>>,
) -> Cow<'_, [T]>
where
    Dim<[usize; D]>: Dimension,
{
    match array.as_slice() {
        Some(slice) => Cow::Borrowed(slice),
        None => Cow::Owned(array.iter().copied().collect()),
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
    let (shape, data) = (array.shape(), array.contiguous());
    expect_len(argument, &shape, data.len())?;
    Ok((shape, data))
}

/// Fails when an array of this shape does not have `found` elements.
pub(crate) fn expect_len(argument: &str, shape: &[usize], found: usize) -> Result<()> {
    let expected = elements(shape)?;
    if found == expected {
        return Ok(());
    }
    let (argument, shape) = (argument.to_string(), shape.to_vec());
    Err(Error::SliceLength { argument, shape, expected, found })
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

    fn doubled<const D: usize>(mut array: impl HostArrayMut<i32, D>) -> [usize; D] {
        let doubled: Vec<i32> = array.contiguous().iter().map(|element| 2 * element).collect();
        array.overwrite(&doubled);
        array.shape()
    }

    #[test]
    fn all_kinds_of_data_for_writing_are_written() {
        let mut vector = vec![1, 2, 3];
        assert_eq!(doubled(&mut vector), [3]);
        assert_eq!(doubled(&mut vector[1..]), [2]);
        assert_eq!(doubled((&mut vector, [3, 1])), [3, 1]);
        assert_eq!(vector, [4, 16, 24]);
        let (mut one, mut two, mut three) = ([1, 2], [[1, 2], [3, 4]], [[[1], [2]]]);
        assert_eq!((doubled(&mut one), doubled(&mut two), doubled(&mut three)), ([2], [2, 2], [1, 2, 1]));
        assert_eq!((one, two, three), ([2, 4], [[2, 4], [6, 8]], [[[2], [4]]]));
        let mut array = Array2::from_shape_fn((2, 3), |(row, column)| (3 * row + column) as i32);
        assert_eq!(doubled(&mut array), [2, 3]);
        assert_eq!(doubled(array.slice_mut(s![..;-1, 1])), [2]);
        assert_eq!(array, ndarray::arr2(&[[0, 4, 4], [6, 16, 10]]));
    }

    #[test]
    fn a_slice_must_have_as_many_elements_as_its_shape() {
        let error = checked::<f32, 2>("image", &(&[0.0f32; 18], [4, 5])).unwrap_err();
        assert_eq!(error.to_string(), "`image` is said to be 4×5, which is 20 elements, but has 18");
        assert!(checked::<f32, 2>("image", &(&[0.0f32; 0], [usize::MAX, 0])).is_ok());
        assert!(checked::<f32, 2>("image", &(&[0.0f32; 0], [usize::MAX, 2])).is_err());
    }
}
