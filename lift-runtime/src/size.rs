//! The values of sizes, and what they are made of.

use crate::error::{Error, Result};
use crate::spec::{KernelSpec, Size, Variant};

/// Why a size has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It does not fit 64 bits.
    Overflow,
    /// It divides by zero.
    DivisionByZero,
    /// It mentions a variable or tunable without a value.
    Unbound,
}

impl Fault {
    pub(crate) fn problem(self) -> &'static str {
        match self {
            Fault::Overflow => "does not fit 64 bits",
            Fault::DivisionByZero => "divides by zero",
            Fault::Unbound => "cannot be told from the arguments",
        }
    }
}

/// The values that sizes are computed from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Env<'a> {
    pub(crate) sizes: &'a [Option<i64>],
    pub(crate) tunables: &'a [i64],
}

impl Env<'_> {
    /// The value of `size`.
    pub(crate) fn eval(&self, size: &Size) -> std::result::Result<i64, Fault> {
        i64::try_from(self.wide(size)?).map_err(|_| Fault::Overflow)
    }

    /// Twice the width, so that `N * M / M` has a value whenever its result fits.
    pub(crate) fn wide(&self, size: &Size) -> std::result::Result<i128, Fault> {
        let both = |pair: &[Size; 2]| Ok::<_, Fault>((self.wide(&pair[0])?, self.wide(&pair[1])?));
        match size {
            Size::Const(value) => Ok(i128::from(*value)),
            Size::Var(index) => {
                let value = self.sizes.get(*index).copied().flatten();
                value.map(i128::from).ok_or(Fault::Unbound)
            }
            Size::Tunable(index) => self.tunables.get(*index).copied().map(i128::from).ok_or(Fault::Unbound),
            Size::Sum(terms) => terms
                .iter()
                .try_fold(0i128, |sum, term| sum.checked_add(self.wide(term)?).ok_or(Fault::Overflow)),
            Size::Product(factors) => factors.iter().try_fold(1i128, |product, factor| {
                product.checked_mul(self.wide(factor)?).ok_or(Fault::Overflow)
            }),
            Size::Div(pair) => both(pair).and_then(|(left, right)| floor_div_rem(left, right)).map(|it| it.0),
            Size::Mod(pair) => both(pair).and_then(|(left, right)| floor_div_rem(left, right)).map(|it| it.1),
            Size::Min(pair) => both(pair).map(|(left, right)| left.min(right)),
            Size::Max(pair) => both(pair).map(|(left, right)| left.max(right)),
        }
    }
}

/// Quotient rounded down, and the remainder that belongs to it.
fn floor_div_rem(left: i128, right: i128) -> std::result::Result<(i128, i128), Fault> {
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

/// Adds the variables in `size` to `found`, each once.
pub(crate) fn variables(size: &Size, found: &mut Vec<usize>) {
    match size {
        Size::Const(_) | Size::Tunable(_) => {}
        Size::Var(index) => {
            if !found.contains(index) {
                found.push(*index);
            }
        }
        Size::Sum(parts) | Size::Product(parts) => parts.iter().for_each(|part| variables(part, found)),
        Size::Div(pair) | Size::Mod(pair) | Size::Min(pair) | Size::Max(pair) => {
            pair.iter().for_each(|part| variables(part, found));
        }
    }
}

fn mentions(size: &Size, variable: usize) -> bool {
    let mut found = Vec::new();
    variables(size, &mut found);
    found.contains(&variable)
}

/// Whether `size` is `a * variable + b`, with `a` and `b` free of the variable.
pub(crate) fn is_linear_in(size: &Size, variable: usize) -> bool {
    match size {
        Size::Const(_) | Size::Var(_) | Size::Tunable(_) => true,
        Size::Sum(terms) => terms.iter().all(|term| is_linear_in(term, variable)),
        Size::Product(factors) => {
            factors.iter().filter(|factor| mentions(factor, variable)).count() <= 1
                && factors.iter().all(|factor| is_linear_in(factor, variable))
        }
        Size::Div(_) | Size::Mod(_) | Size::Min(_) | Size::Max(_) => !mentions(size, variable),
    }
}

/// The value of a size of `variant`, or an error that names it.
pub(crate) fn of_variant(
    spec: &KernelSpec,
    variant: &Variant,
    env: &Env<'_>,
    what: &str,
    size: &Size,
) -> Result<u64> {
    let problem = match env.eval(size) {
        Ok(value) => match u64::try_from(value) {
            Ok(value) => return Ok(value),
            Err(_) => format!("is {value}"),
        },
        Err(fault) => fault.problem().to_string(),
    };
    Err(Error::Size { kernel: spec.name, what: format!("{what} of variant `{}`", variant.name), problem })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(size: &Size, sizes: &[Option<i64>]) -> std::result::Result<i64, Fault> {
        Env { sizes, tunables: &[32] }.eval(size)
    }

    #[test]
    fn sizes_have_values() {
        const N: Size = Size::Var(0);
        let with = [Some(7)];
        assert_eq!(eval(&Size::Sum(&[N, Size::Const(2), Size::Tunable(0)]), &with), Ok(41));
        assert_eq!(eval(&Size::Product(&[N, N]), &with), Ok(49));
        assert_eq!(eval(&Size::Sum(&[]), &with), Ok(0));
        assert_eq!(eval(&Size::Product(&[]), &with), Ok(1));
        assert_eq!(eval(&Size::Min(&[N, Size::Const(3)]), &with), Ok(3));
        assert_eq!(eval(&Size::Max(&[N, Size::Const(3)]), &with), Ok(7));
    }

    #[test]
    fn division_rounds_down() {
        for (left, right, quotient, remainder) in
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (-6, 2, -3, 0), (0, 5, 0, 0)]
        {
            let sizes = [Some(left), Some(right)];
            assert_eq!(eval(&Size::Div(&[Size::Var(0), Size::Var(1)]), &sizes), Ok(quotient));
            assert_eq!(eval(&Size::Mod(&[Size::Var(0), Size::Var(1)]), &sizes), Ok(remainder));
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        const MAX: Size = Size::Const(i64::MAX);
        assert_eq!(eval(&Size::Sum(&[MAX, Size::Const(1)]), &[]), Err(Fault::Overflow));
        assert_eq!(eval(&Size::Product(&[MAX, MAX, MAX]), &[]), Err(Fault::Overflow));
        assert_eq!(eval(&Size::Div(&[MAX, Size::Const(0)]), &[]), Err(Fault::DivisionByZero));
        assert_eq!(eval(&Size::Mod(&[MAX, Size::Const(0)]), &[]), Err(Fault::DivisionByZero));
        assert_eq!(eval(&Size::Var(3), &[None]), Err(Fault::Unbound));
        assert_eq!(eval(&Size::Div(&[Size::Const(i64::MIN), Size::Const(-1)]), &[]), Err(Fault::Overflow));
        // Only the result must fit.
        assert_eq!(eval(&Size::Div(&[Size::Product(&[MAX, MAX]), MAX]), &[]), Ok(i64::MAX));
    }

    #[test]
    fn linear_is_at_most_one_factor_of_each_product() {
        const N: Size = Size::Var(0);
        const M: Size = Size::Var(1);
        assert!(is_linear_in(&Size::Sum(&[Size::Product(&[Size::Const(2), N]), Size::Const(1)]), 0));
        assert!(is_linear_in(&Size::Product(&[N, M]), 0));
        assert!(!is_linear_in(&Size::Product(&[N, N]), 0));
        assert!(!is_linear_in(&Size::Div(&[N, Size::Const(2)]), 0));
        assert!(is_linear_in(&Size::Sum(&[N, Size::Div(&[M, Size::Const(2)])]), 0));
    }
}
