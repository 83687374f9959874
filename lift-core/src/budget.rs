//! How much work compiling a function may be.
//!
//! A few lines may stand for a term without end: an array that is used twice, made of one that is used twice, made of …. Terms are
//! trees, in which each use is a copy. Whoever makes a node or looks at what is below one pays a step; when all are spent, the work
//! is abandoned. That happens at the same place on every machine, since nobody looks at a clock.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// What unwinds the stack when all steps are spent; no message is printed for it.
struct Spent;

/// What the work yields and how many steps it took; `None` if these are not enough.
pub fn within<R>(steps: u64, work: impl FnOnce() -> R) -> Option<(R, u64)> {
    let outer = LEFT.replace(steps);
    // What was abandoned half-way is dropped.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let used = steps - LEFT.replace(outer);
    match result {
        Ok(result) => Some((result, used)),
        Err(payload) if payload.is::<Spent>() => None,
        Err(payload) => panic::resume_unwind(payload),
    }
}

/// Pays for a step.
pub(crate) fn step() {
    pay(1);
}

/// Pays for so many.
pub(crate) fn pay(steps: u64) {
    match LEFT.get().checked_sub(steps) {
        Some(left) => LEFT.set(left),
        None => panic::resume_unwind(Box::new(Spent)),
    }
}

/// What is left, for a thread that helps with the work.
pub(crate) fn left() -> u64 {
    LEFT.get()
}

/// Goes on with so many.
pub(crate) fn set_left(steps: u64) {
    LEFT.set(steps);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parallel;

    fn paid(steps: u64) -> u64 {
        (0..steps).for_each(|_| step());
        steps
    }

    #[test]
    fn work_ends_when_all_is_spent() {
        assert_eq!(within(10, || paid(10)), Some((10, 10)));
        assert_eq!(within(9, || paid(10)), None);
        assert_eq!(within(5, || (within(9, || paid(10)), paid(5))), Some(((None, 5), 5)));
        assert!(panic::catch_unwind(|| within(9, || panic!("another"))).is_err());
    }

    #[test]
    fn it_does_not_depend_on_threads() {
        for steps in 0..14 {
            let all = within(steps, || parallel::map(vec![3, 4, 1, 5], paid));
            assert_eq!(all.is_some(), steps >= 13, "{steps}");
            assert!(all.is_none_or(|all| all == (vec![3, 4, 1, 5], 13)));
        }
    }
}
