//! Arrays in structs: `[f32; 9]` is a field on the host, and nine elements of an array elsewhere.

use ndarray::{Array, Dim, Dimension};

use crate::scalar::Scalar;

/// A fixed array of scalars, or of such arrays, or a scalar itself: what a field of a struct is on the host.
pub trait Nested: Sized {
    /// What it is made of.
    type Element: Scalar;

    /// The extents, outermost first.
    fn extents() -> Vec<usize>;

    /// Adds all elements, the last dimension fastest.
    fn push_to(self, elements: &mut Vec<Self::Element>);

    /// One that is made of the next elements; `None` if there are too few.
    fn from_elements(elements: &mut dyn Iterator<Item = Self::Element>) -> Option<Self>;
}

impl<T: Scalar> Nested for T {
    type Element = T;

    fn extents() -> Vec<usize> {
        Vec::new()
    }

    fn push_to(self, elements: &mut Vec<T>) {
        elements.push(self);
    }

    fn from_elements(elements: &mut dyn Iterator<Item = T>) -> Option<T> {
        elements.next()
    }
}

impl<P: Nested, const N: usize> Nested for [P; N] {
    type Element = P::Element;

    fn extents() -> Vec<usize> {
        [vec![N], P::extents()].concat()
    }

    fn push_to(self, elements: &mut Vec<P::Element>) {
        self.into_iter().for_each(|part| part.push_to(elements));
    }

    fn from_elements(elements: &mut dyn Iterator<Item = P::Element>) -> Option<[P; N]> {
        let parts: Option<Vec<P>> = (0..N).map(|_| P::from_elements(elements)).collect();
        parts?.try_into().ok()
    }
}

/// An array whose rows are fields of structs, one after the other: a vector of them, or a result.
///
/// ```
/// use lift_runtime::Parts;
///
/// let rows = ndarray::arr2(&[[1, 2], [3, 4]]);
/// assert!(rows.into_parts().eq([[1, 2], [3, 4]]));
/// ```
pub trait Parts<P> {
    /// All of them.
    fn into_parts(self) -> impl Iterator<Item = P>;
}

impl<P> Parts<P> for Vec<P> {
    fn into_parts(self) -> impl Iterator<Item = P> {
        self.into_iter()
    }
}

impl<P: Nested, const D: usize> Parts<P> for Array<P::Element, Dim<[usize; D]>>
where
    Dim<[usize; D]>: Dimension,
{
    fn into_parts(self) -> impl Iterator<Item = P> {
        let mut elements = self.into_iter();
        std::iter::from_fn(move || P::from_elements(&mut elements))
    }
}
