//! Index arithmetic, operation by operation, with the range of values of each.

use std::rc::Rc;

use lift_core::arith::{ArithExpr, Form, Var};
use lift_core::imp::index_arithmetic::{Comparison, Forms, Width};
use lift_core::view::Cond;
use rustc_hash::FxHashMap;

use crate::interp::Outcome;
use crate::run::{Extreme, Options};

/// The values of a work-item's indices, by their places.
#[derive(Clone, Default)]
pub(super) struct Names(Vec<Option<i128>>);

/// What all work-items share.
pub(super) struct Indices<'a> {
    forms: &'a Forms<'a>,
    /// The greatest value of `index_t`.
    most: i128,
    /// Where the value of a variable is found, by its number.
    places: FxHashMap<u32, usize>,
    /// Sizes, tunables and the names of extents.
    sizes: Names,
    /// What was compiled, by where it stands in the kernel, which does not move.
    compiled: FxHashMap<usize, Compiled>,
    /// Every operation in `index_t` with the least and the greatest of its values.
    seen: Vec<(Form, Option<(i128, i128)>)>,
}

/// An expression, or a comparison, that can be evaluated quickly.
#[derive(Clone)]
enum Compiled {
    Value(Rc<Tree>),
    Less(Rc<(Tree, Tree)>),
    AtLeast(Rc<(Tree, Tree)>),
}

/// A node, and its number in [`Indices::seen`], unless it is computed in 64 bits.
struct Tree {
    node: Node,
    number: Option<usize>,
}

enum Node {
    Const(i128),
    Place(usize),
    Sum(Vec<Tree>),
    Product(Vec<Tree>),
    Neg(Box<Tree>),
    Div(Box<[Tree; 2]>),
    Mod(Box<[Tree; 2]>),
    Min(Vec<Tree>),
    Max(Vec<Tree>),
}

impl<'a> Indices<'a> {
    pub(super) fn new(forms: &'a Forms<'a>, options: &Options<'_>) -> Outcome<Indices<'a>> {
        let kernel = forms.kernel;
        let most = (1 << (options.index_bits - 1)) - 1;
        let (places, sizes) = (FxHashMap::default(), Names::default());
        let mut indices =
            Indices { forms, most, places, sizes, compiled: FxHashMap::default(), seen: Vec::new() };
        for var in kernel.sizes.iter().chain(&kernel.tunables) {
            let value = (options.values)(var).ok_or_else(|| format!("`{}` is not known", var.name()))?;
            indices.define(var, value);
        }
        for (var, extent) in &kernel.strides {
            let value = indices.size(extent).ok_or_else(|| format!("the extent `{extent}` is not known"))?;
            indices.define(var, value);
        }
        Ok(indices)
    }

    fn place(&mut self, var: &Var) -> usize {
        let next = self.places.len();
        *self.places.entry(var.id()).or_insert(next)
    }

    fn define(&mut self, var: &Var, value: i128) {
        let place = self.place(var);
        self.sizes.set(place, value);
    }

    /// What every work-item knows.
    pub(super) fn names(&self) -> Names {
        self.sizes.clone()
    }

    fn size(&self, e: &ArithExpr) -> Option<i128> {
        e.eval(&|v| self.sizes.get(*self.places.get(&v.id())?))
    }

    /// The value of an extent: an array has no elements where it would have fewer.
    pub(super) fn extent(&self, e: &ArithExpr) -> Outcome<usize> {
        let value = self.size(e).and_then(|n| usize::try_from(n.max(0)).ok());
        value.ok_or_else(|| format!("the extent `{e}` has no value"))
    }

    /// An index of the kernel.
    pub(super) fn index(&mut self, e: &ArithExpr, names: &Names) -> Outcome<i128> {
        self.compute(std::ptr::from_ref(e) as usize, names, |this| {
            let form = this.forms.of(e);
            Compiled::Value(Rc::new(this.tree(&form, true)))
        })
    }

    /// An index of the kernel as a value.
    pub(super) fn value(&mut self, e: &ArithExpr, names: &Names) -> Outcome<i128> {
        self.compute(std::ptr::from_ref(e) as usize, names, |this| {
            let form = this.forms.of(e);
            let narrow = matches!(this.forms.width(e), Width::Index);
            Compiled::Value(Rc::new(this.tree(&form, narrow)))
        })
    }

    /// A comparison of the kernel.
    pub(super) fn cond(&mut self, cond: &Cond, names: &Names) -> Outcome<bool> {
        let holds = self.compute(std::ptr::from_ref(cond) as usize, names, |this| {
            let Comparison { left, op, right } = this.forms.cond(cond);
            let both = Rc::new((this.tree(&left, true), this.tree(&right, true)));
            if op == "<" { Compiled::Less(both) } else { Compiled::AtLeast(both) }
        });
        Ok(holds? != 0)
    }

    /// A variable of type `index_t` gets a value.
    pub(super) fn set(&mut self, names: &mut Names, var: &Var, value: i128) -> Outcome<()> {
        if value.abs() > self.most {
            return Err(format!("`{}` is {value}: `index_t` does not hold that", var.name()));
        }
        names.set(self.place(var), value);
        Ok(())
    }

    /// The value of a variable that has one.
    pub(super) fn get(&self, names: &Names, var: &Var) -> Outcome<i128> {
        let value = self.places.get(&var.id()).and_then(|place| names.get(*place));
        value.ok_or_else(|| format!("`{}` has no value", var.name()))
    }

    fn compute(
        &mut self,
        at: usize,
        names: &Names,
        compile: impl FnOnce(&mut Self) -> Compiled,
    ) -> Outcome<i128> {
        let compiled = match self.compiled.get(&at) {
            Some(compiled) => compiled.clone(),
            None => {
                let compiled = compile(self);
                self.compiled.insert(at, compiled.clone());
                compiled
            }
        };
        match compiled {
            Compiled::Value(tree) => self.eval(&tree, names),
            Compiled::Less(both) => Ok((self.eval(&both.0, names)? < self.eval(&both.1, names)?).into()),
            Compiled::AtLeast(both) => Ok((self.eval(&both.0, names)? >= self.eval(&both.1, names)?).into()),
        }
    }

    /// What a form computes, in `index_t` or in 64 bits.
    fn tree(&mut self, form: &Form, narrow: bool) -> Tree {
        let number = narrow.then(|| {
            self.seen.push((form.clone(), None));
            self.seen.len() - 1
        });
        let mut all = |forms: &[Form], narrow| forms.iter().map(|x| self.tree(x, narrow)).collect();
        let node = match form {
            Form::Const(c) => Node::Const(i128::from(*c)),
            Form::Sum(xs) => Node::Sum(all(xs, narrow)),
            Form::Product(xs) => Node::Product(all(xs, narrow)),
            Form::Min(xs) => Node::Min(all(xs, narrow)),
            Form::Max(xs) => Node::Max(all(xs, narrow)),
            Form::Var(v) => Node::Place(self.place(v)),
            Form::Neg(x) => Node::Neg(self.tree(x, narrow).into()),
            Form::Div(a, b) | Form::Mod(a, b) => {
                let narrow = narrow && !self.forms.is_wide(form);
                let both = Box::new([self.tree(a, narrow), self.tree(b, narrow)]);
                if matches!(form, Form::Div(..)) { Node::Div(both) } else { Node::Mod(both) }
            }
        };
        Tree { node, number }
    }

    fn eval(&mut self, tree: &Tree, names: &Names) -> Outcome<i128> {
        let value = match &tree.node {
            Node::Const(c) => *c,
            Node::Place(place) => names.get(*place).ok_or("an index has no value")?,
            Node::Sum(xs) => self.fold(xs, tree.number, names, i128::checked_add)?,
            Node::Product(xs) => self.fold(xs, tree.number, names, i128::checked_mul)?,
            Node::Neg(x) => -self.eval(x, names)?,
            Node::Div(both) => self.quotient(both, names, i128::checked_div)?,
            Node::Mod(both) => self.quotient(both, names, i128::checked_rem)?,
            Node::Min(xs) => self.fold(xs, None, names, |a, b| Some(a.min(b)))?,
            Node::Max(xs) => self.fold(xs, None, names, |a, b| Some(a.max(b)))?,
        };
        self.note(tree.number, value)
    }

    /// Operands from left to right; what comes about on the way is noted as values of the operation.
    fn fold(
        &mut self,
        xs: &[Tree],
        number: Option<usize>,
        names: &Names,
        f: fn(i128, i128) -> Option<i128>,
    ) -> Outcome<i128> {
        let Some((first, rest)) = xs.split_first() else { return Err("an operation on nothing".to_string()) };
        let mut value = self.eval(first, names)?;
        for x in rest {
            let x = self.eval(x, names)?;
            value = f(value, x).ok_or("an index does not fit 128 bits")?;
            self.note(number, value)?;
        }
        Ok(value)
    }

    fn quotient(
        &mut self,
        [a, b]: &[Tree; 2],
        names: &Names,
        f: fn(i128, i128) -> Option<i128>,
    ) -> Outcome<i128> {
        let (a, b) = (self.eval(a, names)?, self.eval(b, names)?);
        f(a, b).ok_or_else(|| format!("an index divides {a} by {b}"))
    }

    fn note(&mut self, number: Option<usize>, value: i128) -> Outcome<i128> {
        let Some((form, range)) = number.map(|number| &mut self.seen[number]) else { return Ok(value) };
        let (least, greatest) = range.get_or_insert((value, value));
        (*least, *greatest) = (value.min(*least), value.max(*greatest));
        if value.abs() > self.most {
            return Err(format!("{form:?} is {value}: `index_t` does not hold that"));
        }
        Ok(value)
    }

    /// The values of everything that was computed in `index_t`.
    pub(super) fn extremes(self) -> Vec<Extreme> {
        let all = self.seen.into_iter();
        all.filter_map(|(form, range)| range.map(|(least, greatest)| Extreme { form, least, greatest }))
            .collect()
    }
}

impl Names {
    fn get(&self, place: usize) -> Option<i128> {
        self.0.get(place).copied().flatten()
    }

    fn set(&mut self, place: usize, value: i128) {
        if self.0.len() <= place {
            self.0.resize(place + 1, None);
        }
        self.0[place] = Some(value);
    }
}
