//! Sizes over positions: what is left of an arithmetic expression when names no longer matter.

use lift_spec::{List, Size};

use crate::arith::{ArithExpr, Facts, Form, Var};

/// The position of each variable among the size variables or the tunables, and what is known about them.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) sizes: &'a [Var],
    pub(super) tunables: &'a [Var],
    pub(super) facts: &'a Facts,
}

impl Names<'_> {
    pub(super) fn list(&self, sizes: &[ArithExpr]) -> List<Size> {
        sizes.iter().map(|size| self.size(size)).collect()
    }

    pub(super) fn size(&self, size: &ArithExpr) -> Size {
        // Every variable is a size here: there is nothing to factor by.
        self.form(&self.facts.simplify(size).form(self.facts, &|_| false))
    }

    fn form(&self, form: &Form) -> Size {
        let pair = |a: &Form, b: &Form| vec![self.form(a), self.form(b)].into();
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
            Form::Neg(x) => Size::Product(vec![Size::Const(-1), self.form(x)].into()),
            Form::Div(a, b) => Size::Div(pair(a, b)),
            Form::Mod(a, b) => Size::Mod(pair(a, b)),
            Form::Min(forms) => Size::Min(all(forms)),
            Form::Max(forms) => Size::Max(all(forms)),
        }
    }
}
