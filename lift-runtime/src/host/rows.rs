//! Loops along rows: which trips read and write element by element, and of what.

use std::ops::Range;

use super::shared::outside;

/// Bytes of a cache line.
const LINE: usize = 64;

/// The range from `first` to `end` within a loop that ends at `bound`; an empty one is not before its start.
#[must_use]
#[inline(always)]
pub fn inside(first: isize, end: isize, bound: isize) -> (isize, isize) {
    let first = first.min(bound);
    (first, end.min(bound).max(first))
}

/// Where the elements of the trips of a loop are: the first of trip `i` at `base + step * i`, others up to `reach` after it.
pub type Elements = (isize, usize, usize);

/// The elements of the trips in a range, those between included. Nothing if there is no trip, or the array does not have them.
#[must_use]
#[inline(always)]
pub fn stretch<T>(array: &[T], elements: Elements, inside: (isize, isize)) -> Option<&[T]> {
    array.get(range(elements, inside)?)
}

/// The same for several stretches of an array that is written. Nothing if two of them have an element in common.
#[must_use]
#[inline(always)]
pub fn stretches<T, const N: usize>(
    array: &mut [T],
    elements: [Elements; N],
    inside: (isize, isize),
) -> Option<[&mut [T]; N]> {
    let mut ranges = [const { 0..0 }; N];
    for (own, elements) in ranges.iter_mut().zip(elements) {
        *own = range(elements, inside)?;
    }
    array.get_disjoint_mut(ranges).ok()
}

#[inline(always)]
fn range((base, step, reach): Elements, (first, end): (isize, isize)) -> Option<Range<usize>> {
    let others = usize::try_from(end.checked_sub(first)?.checked_sub(1)?).ok()?;
    let start = base.checked_add(first.checked_mul(isize::try_from(step).ok()?)?)?;
    let start = usize::try_from(start).ok()?;
    let last = start.checked_add(others.checked_mul(step)?)?.checked_add(reach)?;
    Some(start..last.checked_add(1)?)
}

/// A row is cut into strips of so many trips, so that those after the first begin with a cache line of the stretch: how many elements of a line
/// lie before the stretch, and how many strips there are. No strips if the row is shorter than one.
#[must_use]
#[inline(always)]
pub fn strips<T>(stretch: &[T], trips: usize, width: usize) -> (usize, usize) {
    let before = stretch.as_ptr().addr() % LINE;
    let shift = if before.is_multiple_of(size_of::<T>()) { before / size_of::<T>() % width } else { 0 };
    (shift, if trips < width { 0 } else { (trips + shift).div_ceil(width) })
}

/// The same, so that strips after the first begin with a trip whose index, counted from `first`, is a multiple of their width: where indices are
/// divided by such multiples, quotients change between strips.
#[must_use]
#[inline(always)]
pub fn even_strips(first: isize, trips: usize, width: usize) -> (usize, usize) {
    let shift = usize::try_from(first).unwrap_or(0) % width;
    (shift, if trips < width { 0 } else { (trips + shift).div_ceil(width) })
}

/// The elements of a strip that begins at an index.
///
/// # Panics
///
/// When there are not so many.
#[must_use]
#[inline(always)]
pub fn strip<T, const N: usize>(stretch: &[T], at: usize) -> &[T; N] {
    match stretch.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(strip) => strip,
        None => outside(at.cast_signed(), stretch.len()),
    }
}

/// The same, to be written.
///
/// # Panics
///
/// When there are not so many.
#[must_use]
#[inline(always)]
pub fn strip_mut<T, const N: usize>(stretch: &mut [T], at: usize) -> &mut [T; N] {
    let len = stretch.len();
    match stretch.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        Some(strip) => strip,
        None => outside(at.cast_signed(), len),
    }
}

/// Asks the processor to load so many elements soon, from an index on, which need not be elements of the array.
#[inline(always)]
pub fn prefetch<T>(array: &[T], index: isize, elements: usize) {
    request(array.as_ptr().wrapping_offset(index), elements);
}

/// The same for any address.
#[inline(always)]
pub(super) fn request<T>(first: *const T, elements: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for line in 0..(elements * size_of::<T>()).div_ceil(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = first.wrapping_byte_add(line * LINE);
        // SAFETY: nothing is read, and an address where there is nothing is ignored.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (first, elements);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_stay_inside() {
        assert_eq!(inside(1, 9, 10), (1, 9));
        assert_eq!(inside(1, 0, 1), (1, 1));
        assert_eq!(inside(3, 8, 2), (2, 2));
        assert_eq!(inside(0, 5, 3), (0, 3));
    }

    #[test]
    fn stretches_are_there_or_not() {
        let mut array = [0, 1, 2, 3, 4, 5];
        assert_eq!(stretch(&array, (1, 1, 0), (1, 4)), Some([2, 3, 4].as_slice()));
        assert_eq!(stretch(&array, (-2, 1, 0), (1, 4)), None);
        assert_eq!(stretch(&array, (3, 1, 0), (1, 4)), None);
        assert_eq!(stretch(&array, (0, 1, 0), (4, 4)), None);
        assert_eq!(stretch(&array, (isize::MAX, 1, 0), (1, 4)), None);
        assert_eq!(stretch(&array, (0, 2, 0), (1, 3)), Some([2, 3, 4].as_slice()));
        assert_eq!(stretch(&array, (0, 3, 2), (0, 2)), Some([0, 1, 2, 3, 4, 5].as_slice()));
        assert_eq!(stretch(&array, (1, 3, 2), (0, 2)), None);
        assert_eq!(stretch(&array, (0, usize::MAX, 0), (1, 3)), None);
        let found = stretches(&mut array, [(3, 1, 0), (0, 1, 0)], (0, 3)).map(|[a, b]| (a[0], b[0]));
        assert_eq!(found, Some((3, 0)));
        assert!(stretches(&mut array, [(1, 1, 0), (0, 1, 0)], (0, 3)).is_none());
    }

    #[test]
    fn strips_cover_rows_and_begin_at_lines() {
        #[repr(align(64))]
        struct Lines([u16; 512]);
        let lines = Lines([0; 512]);
        for first in [0, 1, 5, 31, 32, 40] {
            for trips in [0, 63, 64, 65, 127, 128, 200, 384] {
                let row = &lines.0[first..];
                let (shift, count) = strips(row, trips, 64);
                let starts = |strip: usize| usize::min((64 * strip).saturating_sub(shift), trips - 64);
                let mut end = 0;
                for at in (0..count).map(starts) {
                    assert!(at <= end, "a gap before {at}");
                    assert!(at == 0 || at + 64 == trips || row[at..].as_ptr().addr().is_multiple_of(LINE));
                    end = end.max(at + strip::<u16, 64>(row, at).len());
                }
                assert_eq!(end, if trips < 64 { 0 } else { trips }, "{first} {trips}");
            }
        }
    }

    #[test]
    fn no_strip_lies_outside() {
        let outside = |at| std::panic::catch_unwind(|| strip::<u8, 4>(&[0; 9], at)[0]).is_err();
        assert_eq!([0, 5, 6, 9, 10, usize::MAX].map(outside), [false, false, true, true, true, true]);
        let outside = |at| std::panic::catch_unwind(|| strip_mut::<u8, 4>(&mut [0; 9], at)[0]).is_err();
        assert_eq!([0, 5, 6, 9, 10, usize::MAX].map(outside), [false, false, true, true, true, true]);
    }
}
