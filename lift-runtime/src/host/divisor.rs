//! Division by a number that stays the same.

use super::math;

/// A number by which many are divided: a product with its reciprocal takes a fraction of the time.
///
/// Exact: for `x` and `by` below 2³², `x * ceil(2⁶⁴ / by)` is `x / by` in its upper half. Larger numbers are divided as usual.
#[derive(Debug, Clone, Copy)]
pub struct Divisor {
    by: usize,
    reciprocal: u64,
    /// All bits for the divisor 1, whose reciprocal does not fit.
    one: usize,
    /// All bits unless the divisor is 0.
    some: usize,
}

impl Divisor {
    /// A number to divide by; by 0, quotients and remainders are 0.
    #[inline(always)]
    #[must_use]
    pub fn new(by: usize) -> Divisor {
        let is_small = by > 1 && by as u64 >> 32 == 0;
        let all = |holds: bool| usize::from(holds).wrapping_neg();
        Divisor {
            by,
            // By what is larger, quotients of small numbers are 0.
            reciprocal: if is_small { u64::MAX / by as u64 + 1 } else { 0 },
            one: all(by == 1),
            some: all(by != 0),
        }
    }

    /// `x / by`
    #[inline(always)]
    #[must_use]
    pub fn quotient(self, x: usize) -> usize {
        if x as u64 >> 32 != 0 {
            return math::div(x, self.by);
        }
        let product = u128::from(self.reciprocal) * x as u128;
        (product >> 64) as usize + (x & self.one)
    }

    /// `x % by`
    #[inline(always)]
    #[must_use]
    pub fn remainder(self, x: usize) -> usize {
        x.wrapping_sub(self.quotient(x).wrapping_mul(self.by)) & self.some
    }
}

#[cfg(test)]
mod tests {
    use super::Divisor;

    #[test]
    fn quotients_are_those_of_rust() {
        let near = |n: usize| [n.wrapping_sub(1), n, n.wrapping_add(1)];
        let bits = (0..usize::BITS).flat_map(|bit| near(1 << bit));
        let all: Vec<usize> = bits.chain([3, 5, 7, 10, 12, 641, 65_521, 4_294_967_291, usize::MAX]).collect();
        for by in &all {
            let divisor = Divisor::new(*by);
            let multiples = all.iter().flat_map(|n| near(n.wrapping_mul(*by)));
            for x in multiples.chain(all.iter().copied()) {
                let expected = (x.checked_div(*by).unwrap_or(0), x.checked_rem(*by).unwrap_or(0));
                assert_eq!((divisor.quotient(x), divisor.remainder(x)), expected, "{x} by {by}");
            }
        }
    }
}
