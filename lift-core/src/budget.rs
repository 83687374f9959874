//! How much work compiling a function may be.
//!
//! A few lines may stand for a term without end: an array that is used twice, made of one that is used twice, made of …. Terms are
//! trees, in which each use is a copy. Whoever looks at a node pays a step, and whoever makes one pays for as many as take about as
//! long; when all are spent, the work is abandoned. Whether it is does not depend on the machine, since nobody looks at a clock, nor
//! on threads, which all pay from one account. Work on what is nested too deeply for the stack is abandoned, too.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The deepest expression. Every stage recurses over expressions, with the largest frames where the compiler is not optimised, as in
/// most builds of macros.
const DEPTH: u32 = 4096;

/// What making a node takes, or computing what one stands for, in steps: memory, its type, and the sizes in it.
const NODE: u64 = 32;

/// What solving an equation of sizes takes, in steps.
const EQUATION: u64 = 8 * NODE;

/// A thread notes what it owes so many steps at a time.
const CHUNK: u64 = 4096;

thread_local! {
    static ACCOUNT: RefCell<Option<Arc<Account>>> = const { RefCell::new(None) };
    /// Steps that are not noted yet.
    static OWED: Cell<u64> = const { Cell::new(0) };
}

/// From which the threads that do some work pay.
#[derive(Debug)]
pub(crate) struct Account {
    limit: u64,
    taken: AtomicU64,
}

impl Account {
    fn is_overdrawn(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.limit
    }
}

/// Why work was abandoned. It unwinds the stack, and no message is printed for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abandoned {
    /// All steps are spent, or an expression is too deep.
    Spent,
    /// An index is beyond the limits of what is computed with symbolically: numbers of 64 bits, and nesting.
    Beyond,
}

/// What the work yields and how many steps it took, or why it was abandoned.
pub fn within<R>(steps: u64, work: impl FnOnce() -> R) -> Result<(R, u64), Abandoned> {
    let account = Arc::new(Account { limit: steps, taken: AtomicU64::new(0) });
    // What was abandoned half-way is dropped.
    let result = paid_from(Some(account.clone()), || panic::catch_unwind(AssertUnwindSafe(work)));
    match result {
        Ok(_) if account.is_overdrawn() => Err(Abandoned::Spent),
        Ok(result) => Ok((result, account.taken.load(Ordering::Relaxed))),
        Err(payload) => match payload.downcast::<Abandoned>() {
            Ok(why) => Err(*why),
            Err(payload) => panic::resume_unwind(payload),
        },
    }
}

/// Does the work, which does not unwind, for this account.
fn paid_from<R>(account: Option<Arc<Account>>, work: impl FnOnce() -> R) -> R {
    let (outer, owed) = (ACCOUNT.replace(account), OWED.replace(0));
    let result = work();
    note();
    ACCOUNT.set(outer);
    OWED.set(owed);
    result
}

/// Notes what this thread owes. Whether that is too much is returned.
fn note() -> bool {
    let owed = OWED.take();
    ACCOUNT.with_borrow(|account| {
        account.as_ref().is_some_and(|account| {
            account.taken.fetch_add(owed, Ordering::Relaxed);
            account.is_overdrawn()
        })
    })
}

/// Pays for looking at a node.
pub(crate) fn step() {
    pay(1);
}

/// Pays for looking at a node with so many parts.
pub(crate) fn look(parts: usize) {
    pay(1 + parts as u64 / 4);
}

/// Pays for making a node, or for computing what one stands for.
pub(crate) fn node() {
    pay(NODE);
}

/// Pays for solving an equation of sizes.
pub(crate) fn equation() {
    pay(EQUATION);
}

fn pay(steps: u64) {
    OWED.set(OWED.get() + steps);
    if OWED.get() >= CHUNK && note() {
        abandon(Abandoned::Spent);
    }
}

/// Ends the work if an expression is too deep.
pub(crate) fn check_depth(depth: u32) {
    if depth > DEPTH {
        abandon(Abandoned::Spent);
    }
}

/// Ends the work.
pub(crate) fn abandon(why: Abandoned) -> ! {
    panic::resume_unwind(Box::new(why))
}

/// The account of this thread, for threads that help it.
pub(crate) fn account() -> Option<Arc<Account>> {
    ACCOUNT.with_borrow(Clone::clone)
}

/// Helps another thread with its work: the function's result, or what unwinds the stack.
pub(crate) fn help<R>(account: Option<Arc<Account>>, work: impl FnOnce() -> R) -> std::thread::Result<R> {
    paid_from(account, || panic::catch_unwind(AssertUnwindSafe(work)))
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
        let spent = Abandoned::Spent;
        assert_eq!(within(10, || paid(10)), Ok((10, 10)));
        assert_eq!(within(9, || paid(10)), Err(spent));
        assert_eq!(within(5, || (within(9, || paid(10)), paid(5))), Ok(((Err(spent), 5), 5)));
        assert_eq!(within(9, || abandon(Abandoned::Beyond)), Err::<((), u64), _>(Abandoned::Beyond));
        assert!(panic::catch_unwind(|| within(9, || panic!("another"))).is_err());
    }

    #[test]
    fn it_does_not_depend_on_threads() {
        for steps in 0..14 {
            let all = within(steps, || parallel::map(vec![3, 4, 1, 5], paid));
            let wanted = if steps >= 13 { Ok((vec![3, 4, 1, 5], 13)) } else { Err(Abandoned::Spent) };
            assert_eq!(all, wanted, "{steps}");
        }
    }
}
