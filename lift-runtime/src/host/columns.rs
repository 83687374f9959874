//! Arrays of rows, of which each work-item has some columns.

use std::marker::PhantomData;

use super::Element;
use super::element::fits;
use super::rows::request;
use super::shared::outside;
use super::simd::V;
use crate::spec::ScalarType;

/// The columns of the work-items of a part, of any type of elements. No two of them have an element in common.
#[derive(Debug)]
pub(super) struct Pieces<'a> {
    array: *mut u8,
    elem: ScalarType,
    rows: usize,
    width: usize,
    /// Elements of one work-item in a row.
    each: usize,
    first: usize,
    end: usize,
    array_lives: PhantomData<&'a mut [u8]>,
}

// SAFETY: only who has these columns accesses their elements, as with a mutable slice.
unsafe impl Send for Pieces<'_> {}

impl<'a> Pieces<'a> {
    /// All columns of an array, whose bytes are those of whole elements, and lie as these must.
    pub(super) fn new(bytes: &'a mut [u8], elem: ScalarType, each: usize, width: usize) -> Pieces<'a> {
        let rows = (bytes.len() / elem.size()).checked_div(width).unwrap_or(0);
        let array = bytes.as_mut_ptr();
        Pieces { array, elem, rows, width, each, first: 0, end: width, array_lives: PhantomData }
    }

    /// Takes away the columns of the first `items` work-items, or all that are left.
    pub(super) fn take(&mut self, items: Option<usize>) -> Pieces<'a> {
        let left = self.end - self.first;
        let columns = items.map_or(left, |items| items.saturating_mul(self.each).min(left));
        let first = self.first;
        self.first += columns;
        Pieces { first, end: self.first, ..*self }
    }

    pub(super) fn elem(&self) -> ScalarType {
        self.elem
    }

    /// The same with a type, if it is theirs.
    pub(super) fn typed<T: Element>(self) -> Result<Columns<'a, T>, Pieces<'a>> {
        if !fits::<T>(self.elem) {
            return Err(self);
        }
        let Pieces { array, rows, width, first, end, .. } = self;
        Ok(Columns { array: array.cast(), rows, width, first, count: end - first, array_lives: PhantomData })
    }
}

/// Of each row of an array, the elements that the work-items of a part have for themselves.
#[derive(Debug)]
pub struct Columns<'a, T: Element> {
    array: *mut T,
    rows: usize,
    width: usize,
    first: usize,
    count: usize,
    array_lives: PhantomData<&'a mut [T]>,
}

impl<T: Element> Columns<'_, T> {
    /// The element in this row and column.
    ///
    /// # Panics
    ///
    /// When it is not one of these work-items'.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, row: isize, column: isize) -> T {
        self.load::<1>(row, column).0[0]
    }

    /// Writes the element in this row and column.
    ///
    /// # Panics
    ///
    /// When it is not one of these work-items'.
    #[inline(always)]
    pub fn set(&mut self, row: isize, column: isize, value: T) {
        let place = self.place::<1>(row, column);
        // SAFETY: the element is in the array, and nobody else accesses it.
        unsafe { place.write(value) };
    }

    /// The elements of a row from a column on.
    ///
    /// # Panics
    ///
    /// When they are not all these work-items'.
    #[inline(always)]
    #[must_use]
    pub fn load<const L: usize>(&self, row: isize, column: isize) -> V<T, L> {
        let place = self.place::<L>(row, column);
        // SAFETY: so many elements are in the array, which nobody else accesses, and an array of elements lies wherever these may.
        unsafe { place.cast::<V<T, L>>().read() }
    }

    /// Writes the elements of a row from a column on.
    ///
    /// # Panics
    ///
    /// When they are not all these work-items'.
    #[inline(always)]
    pub fn store<const L: usize>(&mut self, row: isize, column: isize, value: V<T, L>) {
        let place = self.place::<L>(row, column);
        // SAFETY: as for reading.
        unsafe { place.cast::<V<T, L>>().write(value) };
    }

    /// The elements of a row from a column on, to be written.
    ///
    /// # Panics
    ///
    /// When they are not all these work-items'.
    #[inline(always)]
    #[must_use]
    pub fn piece<const L: usize>(&mut self, row: isize, column: isize) -> &mut [T; L] {
        let place = self.place::<L>(row, column);
        // SAFETY: as for reading; nobody else has them as long as this is borrowed.
        unsafe { &mut *place.cast() }
    }

    /// Asks the processor to load so many elements of a row soon, from a column on, which need not be there.
    #[inline(always)]
    pub fn prefetch(&self, row: isize, column: isize, elements: usize) {
        let index = row.wrapping_mul(self.width.cast_signed()).wrapping_add(column);
        request(self.array.wrapping_offset(index), elements);
    }

    /// Where so many elements are. What is negative is beyond every array as a number without a sign.
    #[inline(always)]
    fn place<const L: usize>(&self, row: isize, column: isize) -> *mut T {
        let (row, place) = (row.cast_unsigned(), column.cast_unsigned());
        if row >= self.rows || place.wrapping_sub(self.first) >= (self.count + 1).saturating_sub(L) {
            outside(column, self.width);
        }
        // SAFETY: the row is in the array, and the column in the row.
        unsafe { self.array.add(row * self.width + place) }
    }
}
