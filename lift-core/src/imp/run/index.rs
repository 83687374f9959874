//! Index arithmetic, operation by operation, with the range of values of each.

use std::collections::HashMap;
use std::rc::Rc;

use crate::arith::{ArithExpr, Form, Var};
use crate::imp::forms::{Comparison, Forms, Width};
use crate::imp::run::{Extreme, Options};
use crate::interp::Outcome;
use crate::view::Cond;

/// The values of a work-item's indices, by the numbers of their variables.
pub(super) type Names = HashMap<u32, i128>;

/// What all work-items share.
pub(super) struct Indices<'a> {
    forms: &'a Forms<'a>,
    /// Sizes, tunables and the names of extents.
    sizes: Names,
    /// The greatest value of `index_t`.
    most: i128,
    /// Every operation with the least and the greatest of its values, by its place in the trees, which stay where they are.
    seen: HashMap<usize, (Rc<Form>, Form, i128, i128)>,
}

impl<'a> Indices<'a> {
    pub(super) fn new(forms: &'a Forms<'a>, options: &Options<'_>) -> Outcome<Indices<'a>> {
        let kernel = forms.kernel;
        let mut sizes = Names::new();
        for var in kernel.sizes.iter().chain(&kernel.tunables) {
            let value = (options.values)(var).ok_or_else(|| format!("`{}` is not known", var.name()))?;
            sizes.insert(var.id(), value);
        }
        for (var, extent) in &kernel.strides {
            let value = extent.eval(&|v| sizes.get(&v.id()).copied());
            sizes.insert(var.id(), value.ok_or_else(|| format!("the extent `{extent}` is not known"))?);
        }
        let most = (1 << (options.index_bits - 1)) - 1;
        Ok(Indices { forms, sizes, most, seen: HashMap::new() })
    }

    /// The value of an extent.
    pub(super) fn extent(&self, e: &ArithExpr) -> Outcome<usize> {
        let value = e.eval(&|v| self.sizes.get(&v.id()).copied());
        let value = value.and_then(|n| usize::try_from(n).ok());
        value.ok_or_else(|| format!("the extent `{e}` has no value"))
    }

    /// An index.
    pub(super) fn index(&mut self, e: &ArithExpr, names: &Names) -> Outcome<i128> {
        let form = self.forms.of(e);
        self.tree(&form, names)
    }

    /// An index as a value.
    pub(super) fn value(&mut self, e: &ArithExpr, names: &Names) -> Outcome<i128> {
        match self.forms.width(e) {
            Width::Index => self.index(e, names),
            Width::Wide => self.compute(&self.forms.of(e), names, &mut |_, _| Ok(())),
        }
    }

    pub(super) fn cond(&mut self, cond: &Cond, names: &Names) -> Outcome<bool> {
        let Comparison { left, op, right } = self.forms.cond(cond);
        let (a, b) = (self.tree(&left, names)?, self.tree(&right, names)?);
        Ok(if op == "<" { a < b } else { a >= b })
    }

    /// A variable of type `index_t` gets a value.
    pub(super) fn holds(&self, var: &Var, value: i128) -> Outcome<i128> {
        if value.abs() > self.most {
            return Err(format!("`{}` is {value}: `index_t` does not hold that", var.name()));
        }
        Ok(value)
    }

    fn tree(&mut self, root: &Rc<Form>, names: &Names) -> Outcome<i128> {
        let mut seen = std::mem::take(&mut self.seen);
        let most = self.most;
        let result = self.compute(root, names, &mut |form, value| {
            let place = std::ptr::from_ref(form) as usize;
            let (.., least, greatest) =
                seen.entry(place).or_insert_with(|| (Rc::clone(root), form.clone(), value, value));
            (*least, *greatest) = (value.min(*least), value.max(*greatest));
            if value.abs() > most {
                return Err(format!("{form:?} is {value}: `index_t` does not hold that"));
            }
            Ok(())
        });
        self.seen = seen;
        result
    }

    /// The value of a tree; `note` is told those of all operations in `index_t`.
    fn compute(
        &self,
        form: &Form,
        names: &Names,
        note: &mut dyn FnMut(&Form, i128) -> Outcome<()>,
    ) -> Outcome<i128> {
        let too_large = || format!("{form:?} does not fit 128 bits");
        let value = match form {
            Form::Const(c) => i128::from(*c),
            Form::Var(v) => match names.get(&v.id()).or_else(|| self.sizes.get(&v.id())) {
                Some(value) => *value,
                None => return Err(format!("`{}` has no value", v.name())),
            },
            Form::Sum(xs) => {
                let mut sum = 0i128;
                for x in xs {
                    sum = sum.checked_add(self.compute(x, names, note)?).ok_or_else(too_large)?;
                    note(form, sum)?;
                }
                sum
            }
            Form::Product(xs) => {
                let mut product = 1i128;
                for x in xs {
                    product = product.checked_mul(self.compute(x, names, note)?).ok_or_else(too_large)?;
                    note(form, product)?;
                }
                product
            }
            Form::Neg(x) => -self.compute(x, names, note)?,
            Form::Div(a, b) | Form::Mod(a, b) => {
                let wide = &mut |_: &Form, _| Ok(());
                let note: &mut dyn FnMut(&Form, i128) -> Outcome<()> =
                    if self.forms.is_wide(form) { wide } else { note };
                let (a, b) = (self.compute(a, names, note)?, self.compute(b, names, note)?);
                let result = if matches!(form, Form::Div(..)) { a.checked_div(b) } else { a.checked_rem(b) };
                result.ok_or_else(|| format!("{form:?} divides {a} by {b}"))?
            }
            Form::Min(xs) => self.best(xs, names, note, i128::min)?,
            Form::Max(xs) => self.best(xs, names, note, i128::max)?,
        };
        note(form, value)?;
        Ok(value)
    }

    fn best(
        &self,
        xs: &[Form],
        names: &Names,
        note: &mut dyn FnMut(&Form, i128) -> Outcome<()>,
        pick: fn(i128, i128) -> i128,
    ) -> Outcome<i128> {
        let mut best = None;
        for x in xs {
            let value = self.compute(x, names, note)?;
            best = Some(best.map_or(value, |best| pick(best, value)));
        }
        best.ok_or_else(|| "the least of nothing".to_string())
    }

    /// The values of everything that was computed in `index_t`.
    pub(super) fn extremes(self) -> Vec<Extreme> {
        let all = self.seen.into_values();
        all.map(|(_, form, least, greatest)| Extreme { form, least, greatest }).collect()
    }
}
