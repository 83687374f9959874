//! Expressions as a reader wants them, for printers of any target language.
//!
//! Before: a canonical polynomial. After: a tree of the operators that C has, in which index expressions are
//! grouped by sizes (`((z + 1)*M + y)*O + x`) and whose divisions have dividends that are not negative - so
//! that truncation and floor agree.
//!
//! Where a dividend cannot be shown to be non-negative, a sufficient multiple of the divisor is added to it,
//! and for quotients subtracted outside. If there is none, the tree computes the floor remainder as
//! `((a % b) + b) % b`, and the quotient from that.

use super::facts::Facts;
use super::layout::Layout;
use super::poly::ArithExpr;
use super::var::Var;

/// A printable expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// A number; negative only as a whole expression, or as a summand to be printed as a subtraction.
    Const(i64),
    /// A variable.
    Var(Var),
    /// A sum of at least two. Positive summands come first; a negative one is a `Neg` or a negative `Const`.
    Sum(Vec<Form>),
    /// A product of at least two factors, a number first.
    Product(Vec<Form>),
    /// The negative of a variable, product, quotient or the like.
    Neg(Box<Form>),
    /// A quotient, exact or of non-negative numbers.
    Div(Box<Form>, Box<Form>),
    /// A remainder. Its dividend is negative only as the innermost of `((a % b) + b) % b`.
    Mod(Box<Form>, Box<Form>),
    /// The least of at least two.
    Min(Vec<Form>),
    /// The greatest of at least two.
    Max(Vec<Form>),
}

/// The number of the variable that stands for values beyond the limits.
const TOO_LARGE: u32 = u32::MAX;

impl Form {
    /// Whether the variable with this number stands for values beyond the limits.
    pub(crate) fn is_too_large(id: u32) -> bool {
        id == TOO_LARGE
    }

    /// What is printed for values beyond the limits: a name that no compiler will find.
    pub(super) fn too_large() -> Form {
        Form::Var(Var::new(TOO_LARGE, "too_large"))
    }
}

impl ArithExpr {
    /// The expression as a tree for C's operators, grouped by the variables that are sizes. The facts are
    /// only used to find dividends that are not negative: simplify first.
    pub fn form(&self, facts: &Facts, is_size: &dyn Fn(&Var) -> bool) -> Form {
        Layout::for_c(facts, is_size).sum(self)
    }

    /// The expression as a tree for people: floor division, nothing grouped.
    pub fn plain_form(&self) -> Form {
        Layout::for_people().sum(self)
    }
}
