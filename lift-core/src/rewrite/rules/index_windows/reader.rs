//! Indices that are read: an index of a nest, times a step, and what lies in a range that does not depend on it.

use std::collections::{BTreeMap, BTreeSet};

use super::linear::{Linear, is_number};
use super::spans::{Input, Span};
use crate::arith::{ArithExpr, Facts, Var};
use crate::ir::build::fresh_id;
use crate::ir::{Arg, BinaryOp, Expr, Fold, Kind, MathFn, Param, Prim, Scalar};
use crate::rewrite::layout::is_view;
use crate::rewrite::rules::build::at;
use crate::rewrite::scope::{mentions, same};

/// What knows the indices.
pub(super) struct Reader<'a> {
    pub(super) indices: &'a [(Param, ArithExpr)],
    /// How many elements are generated for indices that are bound in the body.
    pub(super) inner: BTreeMap<u32, ArithExpr>,
    /// All that is bound in the nest.
    pub(super) bound: BTreeSet<u32>,
    pub(super) facts: &'a Facts,
}

impl Reader<'_> {
    /// If this is an element of an array that is the same for all indices, with an index of the nest in each dimension: the array, what is read,
    /// and the indices less those of the nest.
    pub(super) fn read<'e>(&self, e: &'e Expr) -> Option<(&'e Expr, Vec<Span>, Vec<Linear>)> {
        let (mut array, mut written) = (e, Vec::new());
        while written.len() < self.indices.len() {
            let (Prim::At, [Arg::Data(index), Arg::Data(of)]) = array.as_prim()? else { return None };
            written.push((index, of.ty().length()));
            array = of;
        }
        if mentions(array, &self.bound) || !is_view(array) {
            return None;
        }
        written.reverse();
        let dims = written.iter().zip(self.indices).map(|((index, len), (i, _))| self.span(index, len, i));
        let (spans, offsets) = dims.collect::<Option<Vec<_>>>()?.into_iter().unzip();
        Some((array, spans, offsets))
    }

    /// Whether an index is used for more than what is read.
    pub(super) fn needs(&self, i: &Param, e: &Expr) -> bool {
        let is_index = matches!(e.kind(), Kind::Param(x) if x.id == i.id);
        is_index || self.read(e).is_none() && e.children().into_iter().any(|x| self.needs(i, x))
    }

    /// What is read with an index of an array of this length around an index of the nest.
    fn span(&self, index: &Expr, len: &ArithExpr, i: &Param) -> Option<(Span, Linear)> {
        let (mut offset, fold) = self.chosen(index, len, i).or_else(|| self.folded(index, len))?;
        let at = offset.terms.iter().position(|(_, term)| term.id == i.id)?;
        let (step, _) = offset.terms.remove(at);
        // In another period, it is the same element.
        if fold == Some(Fold::Wrap) {
            let near = self.facts.simplify(&(&offset.constant - len));
            if near.as_const().is_some() || offset.constant.as_const().is_none() {
                offset.constant = near;
            }
        }
        let [least, most] = offset.range(&|id| self.inner.get(&id).cloned())?;
        let longest = (&most - &least + 1).as_const().unwrap_or(0);
        (step > 0).then_some((Span { step, least, most, longest, fold }, offset))
    }

    /// An index around that of the nest, folded back into an array of this length where a condition says that it is outside:
    /// `if i == 0 { n - 1 } else { i - 1 }`.
    fn chosen(&self, e: &Expr, len: &ArithExpr, i: &Param) -> Option<(Linear, Option<Fold>)> {
        let Kind::If(condition, a, b) = e.kind() else { return None };
        let of_index = |x: &Expr| {
            let x = Linear::of(x)?;
            x.terms.iter().all(|(k, term)| *k == 1 && term.id == i.id).then_some(x)
        };
        [(true, a, b), (false, b, a)].into_iter().find_map(|(holds, outside, inside)| {
            let inside = of_index(inside).filter(|x| !x.terms.is_empty())?;
            let outside = of_index(outside)?;
            let [least, most] = self.where_it_holds(condition, holds, i)?;
            let mut facts = self.facts.fork();
            let at = Var::new(fresh_id(), &i.name);
            facts.declare(&at, Some(least), Some(most));
            let value = |x: &Linear| {
                let own = if x.terms.is_empty() { ArithExpr::zero() } else { ArithExpr::var(&at) };
                own + &x.constant
            };
            let (index, value) = (value(&inside), value(&outside));
            let is = |a: &ArithExpr, b: &ArithExpr| facts.le(a, b).is_yes() && facts.le(b, a).is_yes();
            let (before, after) =
                (facts.lt(&index, &ArithExpr::zero()).is_yes(), facts.le(len, &index).is_yes());
            let nearest = if before { ArithExpr::zero() } else { len - 1 };
            let periodic = if before { &index + len } else { &index - len };
            let folds = [(Fold::Clamp, nearest), (Fold::Wrap, periodic)];
            let fold = folds.iter().find(|(_, there)| (before || after) && is(&value, there))?.0;
            Some((inside, Some(fold)))
        })
    }

    /// The first and the last index for which a comparison of the index holds, or does not.
    fn where_it_holds(&self, condition: &Expr, holds: bool, i: &Param) -> Option<[ArithExpr; 2]> {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let Kind::Binary(op, a, b) = condition.kind() else { return None };
        if !is_number(a) || !self.is_exact(a) || !self.is_exact(b) {
            return None;
        }
        let difference = Linear::of(a)?.plus(Linear::of(b)?.times(-1));
        let [(k, term)] = difference.terms.as_slice() else { return None };
        if term.id != i.id || k.abs() != 1 {
            return None;
        }
        let turn = difference.constant * ArithExpr::cst(-k);
        let op = match (op, *k > 0) {
            (Lt, false) => Gt,
            (Le, false) => Ge,
            (Gt, false) => Lt,
            (Ge, false) => Le,
            (op, _) => *op,
        };
        let (_, n) = self.indices.iter().find(|(own, _)| own.id == i.id)?;
        let (first, last) = (ArithExpr::zero(), n - 1);
        match (op, holds) {
            (Eq, true) | (Ne, false) => Some([turn.clone(), turn]),
            (Lt, true) | (Ge, false) => Some([first, turn - 1]),
            (Le, true) | (Gt, false) => Some([first, turn]),
            (Gt, true) | (Le, false) => Some([turn + 1, last]),
            (Ge, true) | (Lt, false) => Some([turn, last]),
            _ => None,
        }
    }

    /// An index, and how it is folded back into an array of this length.
    fn folded(&self, e: &Expr, len: &ArithExpr) -> Option<(Linear, Option<Fold>)> {
        let is = |e: &Expr, n: &ArithExpr| {
            Linear::of(e).is_some_and(|x| x.terms.is_empty() && self.facts.eq(&x.constant, n).is_yes())
        };
        let exact = |x: &Expr| Linear::of(x).filter(|_| self.is_exact(x));
        let clamped = |x: &Expr| match self.folded(x, len)? {
            (_, Some(Fold::Wrap)) => None,
            (x, Some(fold)) => Some((x, Some(fold))),
            (_, None) => Some((exact(x)?, Some(Fold::Clamp))),
        };
        if let Some(plain) = Linear::of(e) {
            return Some((plain, None));
        }
        let (first, last) = (ArithExpr::zero(), len - 1);
        match (e.kind(), e.children().as_slice()) {
            (Kind::Cast(..), [x]) => self.folded(x, len),
            (Kind::Math(MathFn::Max, _), [x, end] | [end, x]) if is(end, &first) => clamped(x),
            (Kind::Math(MathFn::Min, _), [x, end] | [end, x]) if is(end, &last) => clamped(x),
            (Kind::Math(MathFn::Clamp, _), [x, low, high]) if is(low, &first) && is(high, &last) => {
                clamped(x)
            }
            (Kind::Binary(BinaryOp::Rem, ..) | Kind::Math(MathFn::RemEuclid, _), [x, n]) if is(n, len) => {
                Some((exact(x)?, Some(Fold::Wrap)))
            }
            // max(i, 1) - 1
            (Kind::Binary(BinaryOp::Sub, ..), [greatest, k]) => {
                let k = Linear::of(k).filter(|k| k.terms.is_empty())?;
                match (greatest.kind(), greatest.children().as_slice()) {
                    (Kind::Math(MathFn::Max, _), [x, end] | [end, x]) if is(end, &k.constant) => {
                        Some((exact(x)?.plus(k.times(-1)), Some(Fold::Clamp)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether nothing in a sum of indices wraps around below zero, whatever way is taken to it.
    fn is_exact(&self, e: &Expr) -> bool {
        let below = |id| {
            let own = self.indices.iter().find(|(i, _)| i.id == id).map(|(_, n)| n);
            own.or(self.inner.get(&id)).cloned()
        };
        let is_unsigned = e.ty().as_scalar() == Some(Scalar::Usize);
        let may_wrap = is_unsigned && matches!(e.kind(), Kind::Binary(BinaryOp::Sub, ..) | Kind::Cast(..));
        let is_positive = || {
            let range = Linear::of(e).and_then(|x| x.range(&below));
            range.is_some_and(|[least, _]| self.facts.nonneg(&least).is_yes())
        };
        (!may_wrap || is_positive()) && e.children().into_iter().all(|x| self.is_exact(x))
    }
}

/// The expression with what is read of windows in place of what is read of arrays; `part` is what there is of an array for an index.
pub(super) fn replaced(e: &Expr, reader: &Reader<'_>, found: &[Input], part: &dyn Fn(usize) -> Expr) -> Expr {
    let Some((array, _, offsets)) = reader.read(e) else {
        return e.map_children(&mut |x| replaced(x, reader, found, part));
    };
    let Some(k) = found.iter().position(|input| same(&input.array, array)) else { return e.clone() };
    if found[k].is_element(reader.facts) {
        return part(k);
    }
    let spans = offsets.iter().zip(&found[k].spans);
    spans.fold(part(k), |window, (offset, span)| at(offset.expr(&span.least, reader.facts), window))
}
