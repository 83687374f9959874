//! How large the numbers become that a kernel computes in `index_t`.
//!
//! Before: a finished kernel. After: expressions over its sizes and tunables, of which the greatest is an upper bound of the
//! absolute value of every index, and of everything that is computed on the way to one. The launcher makes `index_t` wide enough
//! for them. Each variable has a range, from what declares it and from the conditions around; ranges are added,
//! multiplied and divided as the text does it, operation by operation.

use std::collections::BTreeMap;

use lift_spec::limits::ITEMS_OF_CHOSEN_GROUP;

use crate::arith::{ArithExpr, Form, Var};
use crate::imp::ast::{Claim, Expr, IndexValue, Stmt, WorkItem};
use crate::imp::index_arithmetic::{Comparison, Forms, Width};
use crate::ir::BinaryOp;
use crate::low::Geometry;
use crate::memory::Space;
use crate::view::Cond;

/// Upper bounds of everything that is computed in `index_t`; no two could be one that grows no faster.
#[derive(Debug, Clone, Default)]
pub struct Widest(Vec<ArithExpr>);

impl Widest {
    /// Those of a kernel.
    pub fn of(forms: &Forms<'_>) -> Widest {
        let mut bounds = Bounds { forms, ranges: BTreeMap::new(), widest: Widest::default() };
        for buffer in &forms.kernel.buffers {
            if matches!(buffer.space, Space::Local | Space::Private) {
                bounds.indices(&buffer.dims);
            }
        }
        bounds.block(&forms.kernel.body);
        bounds.widest
    }

    /// The bounds.
    pub fn into_bounds(self) -> Vec<ArithExpr> {
        self.0
    }

    /// Adds those of another kernel.
    pub fn add(&mut self, other: Widest) {
        other.0.into_iter().for_each(|bound| self.include(bound));
    }

    fn include(&mut self, mut bound: ArithExpr) {
        if self.0.iter().any(|other| bound.is_covered_by(other)) {
            return;
        }
        let mut all = self.0.iter().enumerate();
        if let Some((i, both)) = all.find_map(|(i, other)| Some((i, joined(other, &bound)?))) {
            if self.0.swap_remove(i) == both {
                self.0.push(both);
            } else {
                self.include(both);
            }
            return;
        }
        self.0.retain(|other| match joined(&bound, other) {
            Some(both) => {
                bound = both;
                false
            }
            None => true,
        });
        let together = |other: &ArithExpr| bound.grows_within(other) || other.grows_within(&bound);
        match self.0.iter().position(together) {
            Some(i) => {
                let both = self.0.swap_remove(i).cover(&bound);
                self.include(both);
            }
            None => self.0.push(bound),
        }
    }
}

/// A bound that covers another one, too, if only what grows more slowly than the bound has to be added.
fn joined(bound: &ArithExpr, other: &ArithExpr) -> Option<ArithExpr> {
    let both = bound.cover(&other.polynomial_above());
    (&both - bound).grows_slower_than(bound).then_some(both)
}

/// The numbers from `-below` to `above`; neither is negative where a number of the range is computed.
#[derive(Debug, Clone)]
struct Range {
    below: ArithExpr,
    above: ArithExpr,
}

impl Range {
    fn up_to(above: ArithExpr) -> Range {
        Range { below: ArithExpr::zero(), above: above.without_rounding() }
    }
}

struct Bounds<'a> {
    forms: &'a Forms<'a>,
    /// The ranges of the variables here.
    ranges: BTreeMap<Var, Range>,
    widest: Widest,
}

impl Bounds<'_> {
    fn block(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Some(e) = stmt.expr() {
            self.expr(e);
        }
        match stmt {
            Stmt::Index(var, value) => {
                let range = self.value(var, value);
                self.include(&range);
                self.ranges.insert(var.clone(), range);
            }
            Stmt::For { var, start, bound, step, body, .. } => {
                let [start, bound, step] = [start, bound, step].map(|e| self.index(e));
                let last = bound.above - 1;
                // The counter goes past its bound before the loop ends.
                self.widest.include(&last + &step.above);
                self.ranges.insert(var.clone(), Range { below: start.below, above: last });
                self.block(body);
            }
            Stmt::If(cond, then, otherwise) => {
                self.under(cond, |bounds| bounds.block(then));
                self.block(otherwise);
            }
            Stmt::Repeat { body, .. } => self.block(body),
            Stmt::Store(_, index, _) | Stmt::Atomic(_, _, index, _) => self.indices(index),
            Stmt::Claim(Claim { index, position, guards, .. }) => {
                guards.iter().for_each(|cond| self.cond(cond));
                self.indices([index, position]);
            }
            Stmt::Value { .. } | Stmt::Assign(..) | Stmt::Array(_) | Stmt::Leave(_) | Stmt::Barrier => {}
        }
    }

    /// The range of a constant index.
    fn value(&mut self, var: &Var, value: &IndexValue) -> Range {
        match value {
            IndexValue::Arith(e) => {
                let Range { below, above } = self.index(e);
                // Who named a choice may know more of it than can be seen.
                let most = self.declared(var).filter(|_| e.has_choice());
                let above = most.map_or(above.clone(), |most| smaller(&above, &most));
                Range { below: self.unless_positive(below, e), above }
            }
            IndexValue::Id(item, d) => {
                let count = self.count(*item, *d);
                Range::up_to(count - 1)
            }
            // In range by its type.
            IndexValue::Value(_) => self.declared(var).map_or_else(unbounded, Range::up_to),
            IndexValue::Checked { len, position, otherwise, .. } => {
                self.index(position);
                let (len, otherwise) = (self.index(len).above, self.index(otherwise).above);
                Range::up_to((len - 1).cover(&otherwise))
            }
        }
    }

    /// Nothing, if the expression is known not to be negative.
    fn unless_positive(&self, below: ArithExpr, e: &ArithExpr) -> ArithExpr {
        let zero = ArithExpr::zero();
        if below != zero && self.forms.kernel.facts.nonneg(e).is_yes() { zero } else { below }
    }

    /// The upper bound of a variable that the kernel's facts know.
    fn declared(&self, var: &Var) -> Option<ArithExpr> {
        let most = self.forms.kernel.facts.upper_bound(&ArithExpr::var(var))?;
        let is_known = most.vars().iter().all(|v| self.forms.kernel.is_size(v));
        is_known.then(|| self.range(&self.forms.of(&most)).above)
    }

    /// How many values an id of the work-items has.
    fn count(&self, item: WorkItem, d: usize) -> ArithExpr {
        let extent = |list: &[ArithExpr]| match list.get(d) {
            Some(n) => self.range(&self.forms.of(n)).above,
            None => ArithExpr::one(),
        };
        let (groups, local) = match &self.forms.kernel.geometry {
            // Groups are no wider than the power of two that the items need.
            Geometry::Items(items) => {
                let items = extent(items);
                return &items + ArithExpr::min(&items, &ITEMS_OF_CHOSEN_GROUP.into());
            }
            Geometry::Shaped { items, local } => {
                let shape = local.get(d).cloned().unwrap_or_else(ArithExpr::one);
                (quotient(&(extent(items) + &shape), &shape), extent(local))
            }
            Geometry::Groups { groups, local } => (extent(groups), extent(local)),
        };
        match item {
            WorkItem::Group => groups,
            WorkItem::Local => local,
            WorkItem::Global => (groups * local).without_rounding(),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            // C evaluates neither the right side nor an arm in vain.
            Expr::Binary(BinaryOp::And, _, a, b) => {
                self.expr(a);
                self.under(a, |bounds| bounds.expr(b));
            }
            Expr::Select(c, a, b) => {
                self.expr(c);
                self.under(c, |bounds| bounds.expr(a));
                self.expr(b);
            }
            Expr::Cond(cond) => self.cond(cond),
            // Its variables are indices already.
            Expr::Index(e) if self.forms.width(e) == Width::Wide => {}
            e => {
                self.indices(e.indices());
                e.operands().for_each(|x| self.expr(x));
            }
        }
    }

    fn cond(&mut self, cond: &Cond) {
        let Comparison { left, right, .. } = self.forms.cond(cond);
        self.form(&left);
        self.form(&right);
    }

    fn indices<'e>(&mut self, list: impl IntoIterator<Item = &'e ArithExpr>) {
        for e in list {
            self.index(e);
        }
    }

    /// What is computed for an index, and its range.
    fn index(&mut self, e: &ArithExpr) -> Range {
        let form = self.forms.of(e);
        self.form(&form)
    }

    fn include(&mut self, range: &Range) {
        for end in [&range.below, &range.above] {
            if *end != ArithExpr::zero() {
                self.widest.include(end.clone());
            }
        }
    }

    /// The range of a tree; everything in it is computed.
    fn form(&mut self, form: &Form) -> Range {
        let range = self.range(form);
        self.include(&range);
        match form {
            Form::Const(_) | Form::Var(_) => {}
            Form::Div(..) | Form::Mod(..) if self.forms.is_wide(form) => {}
            // A sum is no smaller than its beginning.
            Form::Sum(xs) | Form::Product(xs) | Form::Min(xs) | Form::Max(xs) => {
                for x in xs {
                    self.form(x);
                }
            }
            Form::Neg(x) => {
                self.form(x);
            }
            Form::Div(a, b) | Form::Mod(a, b) => {
                self.form(a);
                self.form(b);
            }
        }
        range
    }

    fn range(&self, form: &Form) -> Range {
        let zero = ArithExpr::zero;
        match form {
            Form::Const(c) => Range { below: ArithExpr::cst(0.max(-c)), above: ArithExpr::cst(0.max(*c)) },
            Form::Var(v) => match (self.ranges.get(v), self.forms.stride(v)) {
                (Some(range), _) => range.clone(),
                (None, Some(extent)) => self.range(&extent),
                (None, None) if self.forms.kernel.is_size(v) => Range::up_to(ArithExpr::var(v)),
                (None, None) => unbounded(),
            },
            Form::Neg(x) => {
                let Range { below, above } = self.range(x);
                Range { below: above, above: below }
            }
            Form::Sum(xs) => xs.iter().map(|x| self.range(x)).fold(Range::up_to(zero()), |a, b| Range {
                below: a.below + b.below,
                above: (a.above + b.above).without_rounding(),
            }),
            Form::Product(xs) => {
                let one = Range::up_to(ArithExpr::one());
                xs.iter().map(|x| self.range(x)).fold(one, |a, b| Range {
                    below: (&a.above * &b.below + &a.below * &b.above).without_rounding(),
                    above: (a.above * b.above + a.below * b.below).without_rounding(),
                })
            }
            // The text divides numbers that are not negative, but for exact quotients.
            Form::Div(a, b) => {
                let Range { below, above } = self.range(a);
                let by = self.exact(b).unwrap_or_else(ArithExpr::one);
                let below = self.unless_positive(below, &self.value_of(a));
                Range { below: quotient(&below, &by), above: quotient(&above, &by) }
            }
            Form::Mod(a, b) => {
                let (Range { below, above }, most) = (self.range(a), self.range(b).above - 1);
                let below = self.unless_positive(below, &self.value_of(a));
                let below = if below == zero() { below } else { smaller(&below, &most) };
                Range { below, above: smaller(&above, &most) }
            }
            // Of sizes, it may be what something is divided by.
            Form::Min(xs) if self.exact(form).is_some() => {
                let all: Vec<Range> = xs.iter().map(|x| self.range(x)).collect();
                let below = all.iter().fold(zero(), |most, range| most.cover(&range.below));
                let above = all.into_iter().map(|range| range.above).reduce(|a, b| ArithExpr::min(&a, &b));
                Range { below, above: above.unwrap_or_else(zero) }
            }
            Form::Min(xs) => {
                let all = xs.iter().map(|x| self.range(x));
                let least = all.reduce(|a, b| Range {
                    below: a.below.cover(&b.below),
                    above: smaller(&a.above, &b.above),
                });
                let least = least.unwrap_or_else(|| Range::up_to(zero()));
                match self.mean(xs) {
                    Some(mean) => Range { above: smaller(&least.above, &mean), ..least },
                    None => least,
                }
            }
            Form::Max(xs) => {
                let all = xs.iter().map(|x| self.range(x));
                let greatest = all.reduce(|a, b| Range {
                    below: smaller(&a.below, &b.below),
                    above: a.above.cover(&b.above),
                });
                greatest.unwrap_or_else(|| Range::up_to(zero()))
            }
        }
    }

    /// The value of a form of sizes.
    fn exact(&self, form: &Form) -> Option<ArithExpr> {
        self.forms.of_sizes(form).then(|| self.value_of(form))
    }

    fn value_of(&self, form: &Form) -> ArithExpr {
        let all = |xs: &[Form]| xs.iter().map(|x| self.value_of(x)).collect::<Vec<ArithExpr>>();
        match form {
            Form::Const(c) => ArithExpr::cst(*c),
            Form::Var(v) => match self.forms.stride(v) {
                Some(extent) => self.value_of(&extent),
                None => ArithExpr::var(v),
            },
            Form::Neg(x) => -self.value_of(x),
            Form::Sum(xs) => all(xs).into_iter().sum(),
            Form::Product(xs) => all(xs).into_iter().product(),
            Form::Div(a, b) => self.value_of(a).div(&self.value_of(b)),
            Form::Mod(a, b) => self.value_of(a).modulo(&self.value_of(b)),
            Form::Min(xs) => {
                all(xs).into_iter().reduce(|a, b| ArithExpr::min(&a, &b)).unwrap_or_else(ArithExpr::zero)
            }
            Form::Max(xs) => {
                all(xs).into_iter().reduce(|a, b| ArithExpr::max(&a, &b)).unwrap_or_else(ArithExpr::zero)
            }
        }
    }

    /// Half of the sum of two forms, than which the smaller one is not greater, if they go up and down with each other.
    fn mean(&self, forms: &[Form]) -> Option<ArithExpr> {
        let [a, b] = forms else { return None };
        let sum = self.value_of(a) + self.value_of(b);
        let is_known = sum.vars().iter().all(|v| self.forms.kernel.is_size(v));
        is_known.then(|| quotient(&sum, &ArithExpr::cst(2)))
    }

    /// Does something where a condition holds.
    fn under(&mut self, cond: &Expr, f: impl FnOnce(&mut Self)) {
        let mut before = Vec::new();
        self.assume(cond, &mut before);
        f(self);
        for (var, range) in before.into_iter().rev() {
            self.ranges.insert(var, range);
        }
    }

    fn assume(&mut self, cond: &Expr, before: &mut Vec<(Var, Range)>) {
        match cond {
            Expr::Binary(BinaryOp::And, _, a, b) => {
                self.assume(a, before);
                self.assume(b, before);
            }
            Expr::Cond(cond) => {
                let margin = cond.margin();
                for var in margin.vars() {
                    let Some((times, rest)) = margin.linear_in(&var) else { continue };
                    let Some(old) = self.ranges.get(&var).cloned() else { continue };
                    let times = -times.as_const().unwrap_or(0);
                    if times <= 0 {
                        continue;
                    }
                    let most = quotient(&self.range(&self.forms.of(&rest)).above, &times.into());
                    let range = Range { above: smaller(&old.above, &most), ..old.clone() };
                    self.ranges.insert(var.clone(), range);
                    before.push((var, old));
                }
            }
            _ => {}
        }
    }
}

/// The range of what nothing bounds.
fn unbounded() -> Range {
    Range::up_to(ArithExpr::cst(i64::MAX))
}

/// An upper bound of `a / b`, where neither is negative and `b` is at least 1.
fn quotient(a: &ArithExpr, b: &ArithExpr) -> ArithExpr {
    a.without_negatives().div(b)
}

/// One of two upper bounds of the same: the smaller for large sizes, if that can be read off, or else the simpler.
fn smaller(a: &ArithExpr, b: &ArithExpr) -> ArithExpr {
    let below = |a: &ArithExpr, b: &ArithExpr| (a - a.number()).is_covered_by(&(b - b.number()));
    let is_a = match (below(a, b), below(b, a)) {
        (true, true) => a.is_covered_by(b),
        (false, false) => a.grows_within(b) && (!b.grows_within(a) || a.vars().len() < b.vars().len()),
        (a_is_below, _) => a_is_below,
    };
    if is_a { a.clone() } else { b.clone() }
}
