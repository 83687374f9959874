//! Sizes over positions: what is left of an arithmetic expression when names no longer matter.

use crate::arith::{ArithExpr, Facts, Form, Var};

/// A size expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Size {
    /// A constant.
    Const(i64),
    /// The size variable at this position.
    Var(usize),
    /// The tunable at this position.
    Tunable(usize),
    /// Sum of all.
    Sum(Vec<Size>),
    /// Product of all.
    Product(Vec<Size>),
    /// Quotient, rounded down.
    Div(Box<[Size; 2]>),
    /// Remainder.
    Mod(Box<[Size; 2]>),
    /// The smaller.
    Min(Box<[Size; 2]>),
    /// The larger.
    Max(Box<[Size; 2]>),
}

/// The position of each variable among the size variables or the tunables, and what is known about them.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) sizes: &'a [Var],
    pub(super) tunables: &'a [Var],
    pub(super) facts: &'a Facts,
}

impl Names<'_> {
    pub(super) fn list(&self, sizes: &[ArithExpr]) -> Vec<Size> {
        sizes.iter().map(|size| self.size(size)).collect()
    }

    pub(super) fn size(&self, size: &ArithExpr) -> Size {
        // Every variable is a size here: there is nothing to factor by.
        self.form(&self.facts.simplify(size).form(self.facts, &|_| false))
    }

    fn form(&self, form: &Form) -> Size {
        let pair = |a: &Form, b: &Form| Box::new([self.form(a), self.form(b)]);
        let all = |forms: &[Form]| forms.iter().map(|form| self.form(form)).collect();
        let position = |vars: &[Var], var: &Var| vars.iter().position(|other| other == var);
        match form {
            Form::Const(n) => Size::Const(*n),
            // No device has as much.
            Form::Var(var) if Form::is_too_large(var.id()) => Size::Const(i64::MAX),
            Form::Var(var) => match (position(self.sizes, var), position(self.tunables, var)) {
                (Some(i), _) => Size::Var(i),
                (None, Some(i)) => Size::Tunable(i),
                (None, None) => crate::bug!("`{}` is neither a size nor a tunable", var.name()),
            },
            Form::Sum(terms) => Size::Sum(all(terms)),
            Form::Product(factors) => Size::Product(all(factors)),
            Form::Neg(x) => Size::Product(vec![Size::Const(-1), self.form(x)]),
            Form::Div(a, b) => Size::Div(pair(a, b)),
            Form::Mod(a, b) => Size::Mod(pair(a, b)),
            Form::Min(forms) => self.fold(forms, Size::Min),
            Form::Max(forms) => self.fold(forms, Size::Max),
        }
    }

    fn fold(&self, forms: &[Form], join: fn(Box<[Size; 2]>) -> Size) -> Size {
        let forms = forms.iter().map(|form| self.form(form));
        let Some(size) = forms.reduce(|a, b| join(Box::new([a, b]))) else { crate::bug!("an empty minimum") };
        size
    }
}
