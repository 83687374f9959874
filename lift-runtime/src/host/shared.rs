//! What several threads write.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::Element;

/// An array of which all work-items read and write any element. Which of several writes of one element lasts is open.
#[derive(Debug)]
pub struct Shared<'a, T: Element> {
    cells: &'a [T::Cell],
}

// Derived ones would ask the cells to be copied.
impl<T: Element> Clone for Shared<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element> Copy for Shared<'_, T> {}

impl<'a, T: Element> Shared<'a, T> {
    pub(super) fn new(cells: &'a [T::Cell]) -> Shared<'a, T> {
        Shared { cells }
    }

    /// The element at this index.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[inline(always)]
    #[must_use]
    pub fn get(self, index: isize) -> T {
        T::get(at(self.cells, index))
    }

    /// Writes the element at this index.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[inline(always)]
    pub fn set(self, index: isize, value: T) {
        T::set(at(self.cells, index), value);
    }
}

/// The element at this index. A negative one is beyond every array as a number without a sign.
#[inline(always)]
fn at<T>(elements: &[T], index: isize) -> &T {
    match elements.get(index.cast_unsigned()) {
        Some(element) => element,
        None => outside(index, elements.len()),
    }
}

#[cold]
#[inline(never)]
pub(super) fn outside(index: isize, len: usize) -> ! {
    panic!("index {index} in an array of length {len}")
}

/// The first index that was wrong, as [`Slot::Status`](crate::spec::Slot::Status) says.
#[derive(Debug, Clone, Copy)]
pub struct Status<'a> {
    words: &'a [AtomicU32; 5],
}

impl<'a> Status<'a> {
    pub(super) fn new(words: &'a [AtomicU32; 5]) -> Status<'a> {
        Status { words }
    }

    /// The index `value` into an array of length `len`; `otherwise` if it is out of range, which is recorded for the site.
    #[inline(always)]
    #[must_use]
    pub fn checked_index(
        self,
        value: u64,
        len: isize,
        otherwise: isize,
        site: i32,
        position: isize,
    ) -> isize {
        // Lengths are not negative.
        if value < len as u64 {
            return value as isize;
        }
        self.record(site, position, value, (position as i64 >> 32) as u32);
        otherwise
    }

    /// Records an index, unless one has been. Only who takes the first word writes the others.
    #[cold]
    #[inline(never)]
    fn record(self, site: i32, position: isize, index: u64, last: u32) {
        let [taken, others @ ..] = self.words;
        if taken.compare_exchange(0, site.cast_unsigned(), Relaxed, Relaxed).is_ok() {
            for (word, value) in
                others.iter().zip([position as u32, index as u32, (index >> 32) as u32, last])
            {
                word.store(value, Relaxed);
            }
        }
    }
}

/// Who has claimed which element, so that an index that occurs twice is found.
#[derive(Debug, Clone, Copy)]
pub struct Claims<'a> {
    positions: &'a [AtomicU32],
}

impl<'a> Claims<'a> {
    pub(super) fn new(positions: &'a [AtomicU32]) -> Claims<'a> {
        Claims { positions }
    }

    /// Claims the element at `index` for the index at this position. One that another position has claimed is recorded.
    ///
    /// # Panics
    ///
    /// When there is no such element.
    #[inline(always)]
    pub fn claim(self, index: isize, site: i32, position: isize, status: &Status<'_>) {
        let own = (position as u32).wrapping_add(1);
        let before = at(self.positions, index).compare_exchange(0, own, Relaxed, Relaxed);
        if let Err(other) = before
            && other != own
        {
            status.record(-site, position, index as u64, other.wrapping_sub(1));
        }
    }
}
