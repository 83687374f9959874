//! Sizes, and their values.

use crate::List;
use crate::code::choice;

choice! {
    /// A size expression over the kernel's size variables and a variant's tunables.
    ///
    /// Division and remainder round towards minus infinity. Division or remainder by zero does not evaluate.
    pub enum Size {
        /// A constant.
        Const(value: i64),
        /// The size variable at this position of [`KernelSpec::sizes`](crate::KernelSpec::sizes).
        Var(position: usize),
        /// The tunable at this position of [`Variant::tunables`](crate::Variant::tunables); only in a variant's own fields.
        Tunable(position: usize),
        /// Sum of all.
        Sum(terms: List<Size>),
        /// Product of all.
        Product(factors: List<Size>),
        /// Quotient of the first by each of the others in turn, rounded down.
        Div(parts: List<Size>),
        /// Remainder of the first by each of the others in turn, with the divisor's sign.
        Mod(parts: List<Size>),
        /// The smallest of at least one.
        Min(parts: List<Size>),
        /// The largest of at least one.
        Max(parts: List<Size>),
    }
}

impl Size {
    /// Adds the positions of its size variables to `found`, each once.
    pub fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Size::Const(_) | Size::Tunable(_) => {}
            Size::Var(position) if found.contains(position) => {}
            Size::Var(position) => found.push(*position),
            Size::Sum(parts)
            | Size::Product(parts)
            | Size::Div(parts)
            | Size::Mod(parts)
            | Size::Min(parts)
            | Size::Max(parts) => parts.iter().for_each(|part| part.variables(found)),
        }
    }

    fn mentions(&self, variable: usize) -> bool {
        let mut found = Vec::new();
        self.variables(&mut found);
        found.contains(&variable)
    }

    /// Whether it is `a * variable + b`, with `a` and `b` free of the variable.
    #[must_use]
    pub fn is_linear_in(&self, variable: usize) -> bool {
        match self {
            Size::Const(_) | Size::Var(_) | Size::Tunable(_) => true,
            Size::Sum(terms) => terms.iter().all(|term| term.is_linear_in(variable)),
            Size::Product(factors) => {
                factors.iter().filter(|factor| factor.mentions(variable)).count() <= 1
                    && factors.iter().all(|factor| factor.is_linear_in(variable))
            }
            Size::Div(_) | Size::Mod(_) | Size::Min(_) | Size::Max(_) => !self.mentions(variable),
        }
    }
}

/// Why a size has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It does not fit 64 bits.
    Overflow,
    /// It divides by zero.
    DivisionByZero,
    /// It mentions a variable or tunable without a value.
    Unbound,
}

impl Fault {
    /// What is said of the size.
    #[must_use]
    pub fn problem(self) -> &'static str {
        match self {
            Fault::Overflow => "does not fit 64 bits",
            Fault::DivisionByZero => "divides by zero",
            Fault::Unbound => "cannot be told from the arguments",
        }
    }
}

/// The values that sizes are computed from.
#[derive(Debug, Clone, Copy)]
pub struct Env<'a> {
    /// Those of size variables, as far as they are known.
    pub sizes: &'a [Option<i64>],
    /// Those of tunables.
    pub tunables: &'a [i64],
}

impl Env<'_> {
    /// The value of `size`.
    ///
    /// # Errors
    ///
    /// When there is none in 64 bits.
    pub fn eval(&self, size: &Size) -> Result<i64, Fault> {
        i64::try_from(self.wide(size)?).map_err(|_| Fault::Overflow)
    }

    /// The value of `size` in twice the width, so that `N * M / M` has one whenever its result fits.
    ///
    /// # Errors
    ///
    /// When there is none in 128 bits.
    pub fn wide(&self, size: &Size) -> Result<i128, Fault> {
        let known = |value: Option<i64>| value.map(i128::from).ok_or(Fault::Unbound);
        match size {
            Size::Const(value) => Ok(i128::from(*value)),
            Size::Var(position) => known(self.sizes.get(*position).copied().flatten()),
            Size::Tunable(position) => known(self.tunables.get(*position).copied()),
            Size::Sum(terms) => self.join(Some(0), terms, |a, b| a.checked_add(b).ok_or(Fault::Overflow)),
            Size::Product(factors) => {
                self.join(Some(1), factors, |a, b| a.checked_mul(b).ok_or(Fault::Overflow))
            }
            Size::Div(parts) => self.join(None, parts, |a, b| Ok(floor_div_rem(a, b)?.0)),
            Size::Mod(parts) => self.join(None, parts, |a, b| Ok(floor_div_rem(a, b)?.1)),
            Size::Min(parts) => self.join(None, parts, |a, b| Ok(a.min(b))),
            Size::Max(parts) => self.join(None, parts, |a, b| Ok(a.max(b))),
        }
    }

    /// The parts from left to right; `none` is the value of no part.
    fn join(
        &self,
        none: Option<i128>,
        parts: &[Size],
        join: fn(i128, i128) -> Result<i128, Fault>,
    ) -> Result<i128, Fault> {
        let [first, others @ ..] = parts else { return none.ok_or(Fault::Unbound) };
        others.iter().try_fold(self.wide(first)?, |value, part| join(value, self.wide(part)?))
    }
}

/// Quotient rounded down, and the remainder that belongs to it.
fn floor_div_rem(left: i128, right: i128) -> Result<(i128, i128), Fault> {
    if right == 0 {
        return Err(Fault::DivisionByZero);
    }
    let quotient = left.checked_div(right).ok_or(Fault::Overflow)?;
    let remainder = left - quotient * right;
    // Rust rounds towards zero, which is one too high when the signs differ.
    if remainder != 0 && (remainder < 0) != (right < 0) {
        Ok((quotient - 1, remainder + right))
    } else {
        Ok((quotient, remainder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow::Borrowed as B;

    fn eval(size: &Size, sizes: &[Option<i64>]) -> Result<i64, Fault> {
        Env { sizes, tunables: &[32] }.eval(size)
    }

    #[test]
    fn sizes_have_values() {
        const N: Size = Size::Var(0);
        let with = [Some(7)];
        assert_eq!(eval(&Size::Sum(B(&[N, Size::Const(2), Size::Tunable(0)])), &with), Ok(41));
        assert_eq!(eval(&Size::Product(B(&[N, N])), &with), Ok(49));
        assert_eq!(eval(&Size::Sum(B(&[])), &with), Ok(0));
        assert_eq!(eval(&Size::Product(B(&[])), &with), Ok(1));
        assert_eq!(eval(&Size::Min(B(&[N, Size::Const(3)])), &with), Ok(3));
        assert_eq!(eval(&Size::Max(B(&[N, Size::Const(3)])), &with), Ok(7));
    }

    #[test]
    fn division_rounds_down() {
        for (left, right, quotient, remainder) in
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (-6, 2, -3, 0), (0, 5, 0, 0)]
        {
            let sizes = [Some(left), Some(right)];
            assert_eq!(eval(&Size::Div(B(&[Size::Var(0), Size::Var(1)])), &sizes), Ok(quotient));
            assert_eq!(eval(&Size::Mod(B(&[Size::Var(0), Size::Var(1)])), &sizes), Ok(remainder));
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        const MAX: Size = Size::Const(i64::MAX);
        assert_eq!(eval(&Size::Sum(B(&[MAX, Size::Const(1)])), &[]), Err(Fault::Overflow));
        assert_eq!(eval(&Size::Product(B(&[MAX, MAX, MAX])), &[]), Err(Fault::Overflow));
        assert_eq!(eval(&Size::Div(B(&[MAX, Size::Const(0)])), &[]), Err(Fault::DivisionByZero));
        assert_eq!(eval(&Size::Mod(B(&[MAX, Size::Const(0)])), &[]), Err(Fault::DivisionByZero));
        assert_eq!(eval(&Size::Var(3), &[None]), Err(Fault::Unbound));
        assert_eq!(eval(&Size::Div(B(&[Size::Const(i64::MIN), Size::Const(-1)])), &[]), Err(Fault::Overflow));
        // Only the result must fit.
        assert_eq!(eval(&Size::Div(B(&[Size::Product(B(&[MAX, MAX])), MAX])), &[]), Ok(i64::MAX));
    }

    #[test]
    fn linear_is_at_most_one_factor_of_each_product() {
        const N: Size = Size::Var(0);
        const M: Size = Size::Var(1);
        assert!(Size::Sum(B(&[Size::Product(B(&[Size::Const(2), N])), Size::Const(1)])).is_linear_in(0));
        assert!(Size::Product(B(&[N, M])).is_linear_in(0));
        assert!(!Size::Product(B(&[N, N])).is_linear_in(0));
        assert!(!Size::Div(B(&[N, Size::Const(2)])).is_linear_in(0));
        assert!(Size::Sum(B(&[N, Size::Div(B(&[M, Size::Const(2)]))])).is_linear_in(0));
    }
}
