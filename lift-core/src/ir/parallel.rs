//! Independent work, on as many threads as there are cores.
//!
//! A macro is waited for, and while it runs the other cores have little to do. What is found does not depend on what runs
//! when: each item numbers its new variables as if it came next, has memories of its own, and all pay from one account.

use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::thread;

use crate::budget;
use crate::ir::build::{next_id, number_from};

/// Enough for the deepest recursion; only what is used is taken.
const STACK: usize = 64 << 20;

/// Threads that were started and run, less those that wait for others.
static HELPERS: AtomicIsize = AtomicIsize::new(0);

/// The function's results, in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Sync) -> Vec<R> {
    let (first, account) = (next_id(), budget::account());
    let count = items.len();
    let queue = Mutex::new(items.into_iter().enumerate());
    let results = Mutex::new(Vec::with_capacity(count));
    let work = || {
        loop {
            let Some((place, item)) = lock(&queue).next() else { return };
            number_from(first);
            let result = panic::catch_unwind(AssertUnwindSafe(|| f(item)));
            let result = result.unwrap_or_else(|panic| {
                // Nobody needs the rest.
                lock(&queue).by_ref().for_each(drop);
                panic::resume_unwind(panic)
            });
            lock(&results).push((place, result, next_id()));
        }
    };
    thread::scope(|scope| {
        let mut helpers = Vec::new();
        for _ in 1..count {
            let Some(place) = Place::find() else { break };
            let helper = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
                let _place = place;
                if let Err(panic) = budget::help(account.clone(), work) {
                    panic::resume_unwind(panic);
                }
            });
            // Without a thread there is only less help.
            helpers.extend(helper);
        }
        work();
        let _place = (!helpers.is_empty()).then(Lent::new);
        for helper in helpers {
            if let Err(panic) = helper.join() {
                panic::resume_unwind(panic);
            }
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(place, ..)| *place);
    number_from(results.iter().map(|(_, _, next)| *next).max().unwrap_or(first));
    results.into_iter().map(|(_, result, ..)| result).collect()
}

/// The function's result, computed where there is room for deep recursion.
pub fn deep<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    let first = next_id();
    let work = move || {
        number_from(first);
        (f(), next_id())
    };
    let (result, next) = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => panic::resume_unwind(panic),
            Err(e) => crate::bug!("the system has no room for a thread: {e}"),
        }
    });
    number_from(next);
    result
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to run beside others.
struct Place;

impl Place {
    fn find() -> Option<Place> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get) as isize;
        let taken =
            HELPERS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n + 1 < cores).then_some(n + 1));
        taken.ok().map(|_| Place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        HELPERS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The right of one who waits, which others have meanwhile.
struct Lent;

impl Lent {
    fn new() -> Lent {
        HELPERS.fetch_sub(1, Ordering::Relaxed);
        Lent
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        HELPERS.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::build::fresh_id;

    #[test]
    fn results_and_numbers_do_not_depend_on_threads() {
        let first = next_id();
        let nested = |n: u32| map((0..n).collect(), |k| (k, fresh_id()));
        let all = map(vec![3, 1, 0, 2], |n| (n, fresh_id(), nested(n)));
        let expected = |n: u32| (n, first, (0..n).map(|k| (k, first + 1)).collect::<Vec<_>>());
        assert_eq!(all, [3, 1, 0, 2].map(expected));
        assert_eq!(next_id(), first + 2);
    }

    #[test]
    fn a_panic_is_the_callers() {
        let result = panic::catch_unwind(|| map(vec![1, 2, 3], |n| assert_ne!(n, 2)));
        assert!(result.is_err());
        assert_eq!(map(vec![1, 2], |n| n + 1), [2, 3]);
    }
}
