//! Random decisions as a list of numbers: the shorter and the smaller they are, the simpler is what they decide,
//! so that a failing program becomes short by making the list short.

/// Decisions still to be made.
pub struct Choices<'a> {
    numbers: &'a [u16],
}

impl<'a> Choices<'a> {
    /// Decides by these numbers, and always for the first alternative when they are used up.
    pub fn new(numbers: &'a [u16]) -> Choices<'a> {
        Choices { numbers }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let [first, rest @ ..] = self.numbers else { return 0 };
        self.numbers = rest;
        usize::from(*first) % n.max(1)
    }

    /// One of these; the first is the simplest.
    pub fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// Whether something happens that happens once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// Whether all decisions are made.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}
