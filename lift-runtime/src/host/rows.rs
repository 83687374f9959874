//! Loops along rows: which trips read and write element by element, and of what.

/// The range from `first` to `end` within a loop that ends at `bound`; an empty one is not before its start.
#[must_use]
#[inline(always)]
pub fn inside(first: isize, end: isize, bound: isize) -> (isize, isize) {
    let first = first.min(bound);
    (first, end.min(bound).max(first))
}

/// The elements of the trips in a range: that of trip `i` is at `base + i`. Nothing if there is no trip, or the array does not have them.
#[must_use]
#[inline(always)]
pub fn stretch<T>(array: &[T], base: isize, (first, end): (isize, isize)) -> Option<&[T]> {
    let start = usize::try_from(base.checked_add(first)?).ok()?;
    let trips = usize::try_from(end.checked_sub(first)?).ok().filter(|trips| *trips > 0)?;
    array.get(start..start.checked_add(trips)?)
}

/// The same for several bases of an array that is written. Nothing if two of them have an element in common.
#[must_use]
#[inline(always)]
pub fn stretches<T, const N: usize>(
    array: &mut [T],
    bases: [isize; N],
    (first, end): (isize, isize),
) -> Option<[&mut [T]; N]> {
    let trips = usize::try_from(end.checked_sub(first)?).ok().filter(|trips| *trips > 0)?;
    let mut ranges = [const { 0..0 }; N];
    for (range, base) in ranges.iter_mut().zip(bases) {
        let start = usize::try_from(base.checked_add(first)?).ok()?;
        *range = start..start.checked_add(trips)?;
    }
    array.get_disjoint_mut(ranges).ok()
}

/// Asks the processor to load an element soon, which need not be one of the array.
#[inline(always)]
pub fn prefetch<T>(array: &[T], index: isize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = array.as_ptr().wrapping_offset(index);
        // SAFETY: nothing is read, and an address where there is nothing is ignored.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (array, index);
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
        assert_eq!(stretch(&array, 1, (1, 4)), Some([2, 3, 4].as_slice()));
        assert_eq!(stretch(&array, -2, (1, 4)), None);
        assert_eq!(stretch(&array, 3, (1, 4)), None);
        assert_eq!(stretch(&array, 0, (4, 4)), None);
        assert_eq!(stretch(&array, isize::MAX, (1, 4)), None);
        let found = stretches(&mut array, [3, 0], (0, 3)).map(|[a, b]| (a[0], b[0]));
        assert_eq!(found, Some((3, 0)));
        assert!(stretches(&mut array, [1, 0], (0, 3)).is_none());
    }
}
