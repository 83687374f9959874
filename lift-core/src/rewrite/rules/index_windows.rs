//! Generated arrays that read neighbours, `array(n, |i| a[i] + a[i + 1])`, as stencils: the versions of stencils start from windows.
//!
//! Each index of an array that is read is a generator index, times a step, plus what lies in a range that does not depend on it. The ranges of all reads are
//! the window. Where it leaves the array, the array is padded: reads are in range wherever they are evaluated, so that any padding does, unless
//! indices are folded back into the array, which says which.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, BinaryOp, Boundary, Expr, Fold, Kind, Lambda, MathFn, Param, Prim, Scalar, UnaryOp};
use crate::rewrite::layout::is_view;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::at;
use crate::rewrite::rules::indices::{INDEX_MAP, MOST_ARRAYS, bound};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::scope::{mentions, replace, same};

/// More dimensions no stencil has.
const MOST_DIMENSIONS: usize = 3;

pub static INDEX_WINDOWS: Rule = Rule {
    name: "index_windows",
    about: "What a generated array reads around its indices are windows.",
    equation: "array(n, |i| e) = map(|(w, …, i)| e[at(i + c, a) := at(c - least, w), …]) << zip(slide(most - least + 1, 1) $ pad(l, r, b, a), …, array(n, |i| i))",
    when: "for all reads of a, of which c lies between least and most for all i; l and r are by how much they leave the array, and b is clamp or, of i + c modulo the length, wrap; also in two or three dimensions, with steps, and without what is not needed",
    apply: |e, cx| (1..=MOST_DIMENSIONS).rev().find_map(|dims| Nest::of(dims, e)?.raised(cx.facts)),
};

pub static ARRAYS_TOGETHER: Rule = Rule {
    name: "arrays_together",
    about: "Arrays that are generated from the same indices are parts of one.",
    equation: "(array(n, f), array(n, g)) = unzip(array(n, |i| (f(i), g(i))))",
    when: "also in two or three dimensions, for scalars as elements",
    apply: |e, cx| {
        let Kind::Tuple(parts) = e.kind() else { return None };
        let mut nests: Vec<Nest> = parts
            .iter()
            .map(|part| (1..=MOST_DIMENSIONS).rev().find_map(|dims| Nest::of(dims, part)))
            .collect::<Option<_>>()?;
        let indices = nests.first()?.indices.clone();
        let is_same = |nest: &Nest| {
            let pairs = nest.indices.iter().zip(&indices);
            nest.indices.len() == indices.len()
                && pairs.map(|((_, n), (_, m))| (n, m)).all(|(n, m)| cx.facts.eq(n, m).is_yes())
        };
        if nests.len() < 2 || !nests.iter().all(|nest| is_same(nest) && is_flat(nest.body.ty())) {
            return None;
        }
        for nest in &mut nests {
            for ((own, _), (i, _)) in nest.indices.iter().zip(&indices) {
                nest.body = replace(&nest.body, own.id, &Expr::param(i));
            }
        }
        let body = Expr::tuple(nests.into_iter().map(|nest| nest.body).collect());
        Some(unzip_nd(indices.len(), generate(&indices, body)))
    },
};

fn unzip_nd(dims: usize, xs: Expr) -> Expr {
    let rows = if dims == 1 { xs } else { Expr::map_with("row", xs, |row| unzip_nd(dims - 1, row)) };
    Expr::prim(Prim::Unzip, vec![Arg::Data(rows)])
}

/// `array(n, |i| array(m, |j| … body))`
fn generate(indices: &[(Param, ArithExpr)], body: Expr) -> Expr {
    indices.iter().rev().fold(body, |body, (i, n)| {
        let f = Lambda { params: vec![i.clone()], body };
        Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(f)])
    })
}

/// `array(n, |i| array(m, |j| … body))`
struct Nest {
    /// Indices, the outermost first, and numbers of elements.
    indices: Vec<(Param, ArithExpr)>,
    /// The innermost body, in which indices are computed where they are used.
    body: Expr,
}

impl Nest {
    fn of(dims: usize, e: &Expr) -> Option<Nest> {
        let (mut indices, mut body) = (Vec::new(), e);
        while indices.len() < dims {
            let (Prim::Array, [Arg::Size(n), Arg::Fun(Lambda { params, body: inner })]) = body.as_prim()?
            else {
                return None;
            };
            indices.push((params.first()?.clone(), n.clone()));
            body = inner;
        }
        // Another loop over elements belongs to the nest.
        let (shape, _) = body.ty().shape();
        shape.iter().all(|n| n.as_const().is_some()).then(|| Nest { indices, body: inlined(body) })
    }

    fn raised(self, facts: &Facts) -> Option<Expr> {
        let Nest { indices, body } = self;
        let dims = indices.len();
        let mut reader = Reader { indices: &indices, inner: generated(&body), bound: bound(&body), facts };
        reader.bound.extend(indices.iter().map(|(i, _)| i.id));
        let mut found: Vec<Input> = Vec::new();
        let mut is_clear = true;
        body.visit(&mut |x| {
            let Some((array, spans, _)) = reader.read(x) else { return };
            match found.iter_mut().find(|input| same(&input.array, array)) {
                Some(input) => {
                    let mut pairs = input.spans.iter_mut().zip(&spans);
                    is_clear &= pairs.all(|(span, other)| span.widen(other, facts).is_some());
                }
                None => found.push(Input { array: array.clone(), spans }),
            }
        });
        // Windows of one element that lie apart are no windows.
        let is_read = |input: &Input| input.has_windows(facts) || input.is_element(facts);
        if !is_clear || found.len() > MOST_ARRAYS || !found.iter().any(is_read) {
            return None;
        }
        let mut parts: Vec<Expr> =
            found.iter().map(|input| input.part(&indices, facts)).collect::<Option<_>>()?;
        // Indices that are needed besides are read like arrays.
        let needed: Vec<usize> = (0..dims).filter(|d| reader.needs(&indices[*d].0, &body)).collect();
        parts.extend(needed.iter().map(|d| index_array(&indices, *d)));
        let is_one = parts.len() == 1;
        let all = if is_one { parts.swap_remove(0) } else { nd::zip_nd(dims, parts) };
        let element = nd::element(dims, &all)?;
        let x = Param::new(if is_one { "w" } else { "x" }, element);
        let part = |k: usize| if is_one { Expr::param(&x) } else { Expr::field(Expr::param(&x), k) };
        let mut new = replaced(&body, &reader, &found, &part);
        for (k, d) in needed.iter().enumerate() {
            new = replace(&new, indices[*d].0.id, &part(found.len() + k));
        }
        // What is generated from a window, too, is a map over it.
        let f = Lambda { params: vec![x], body: by_maps(&new, facts) };
        Some(nd::map_nd(dims, f, all))
    }
}

/// The numbers of one dimension, for all elements of a nest.
fn index_array(indices: &[(Param, ArithExpr)], dim: usize) -> Expr {
    let fresh = |(i, n): &(Param, ArithExpr)| (Param::new(&i.name, i.ty.clone()), n.clone());
    let indices: Vec<(Param, ArithExpr)> = indices.iter().map(fresh).collect();
    generate(&indices, Expr::param(&indices[dim].0))
}

/// The expression with maps in place of generated arrays that read exactly at their indices.
fn by_maps(e: &Expr, facts: &Facts) -> Expr {
    let e = e.map_children(&mut |x| by_maps(x, facts));
    INDEX_MAP.rewrite(&e, facts).map_or(e, |new| new.expr)
}

/// The expression without names for what is computed from numbers alone.
fn inlined(e: &Expr) -> Expr {
    let e = e.map_children(&mut inlined);
    match e.kind() {
        Kind::Let(x, v, w) if is_arithmetic(v) => replace(w, x.id, v),
        _ => e,
    }
}

fn is_number(e: &Expr) -> bool {
    matches!(e.ty().as_scalar(), Some(Scalar::Usize | Scalar::I64))
}

fn is_arithmetic(e: &Expr) -> bool {
    let is_node = matches!(
        e.kind(),
        Kind::Param(_)
            | Kind::Literal(_)
            | Kind::Size(_)
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Cast(..)
            | Kind::Math(MathFn::Min | MathFn::Max | MathFn::Clamp | MathFn::RemEuclid, _)
    );
    is_node && is_number(e) && e.children().into_iter().all(is_arithmetic)
}

/// How many elements are generated for an index that is bound here.
fn generated(e: &Expr) -> BTreeMap<u32, ArithExpr> {
    let mut found = BTreeMap::new();
    e.visit(&mut |x| {
        if let Some((Prim::Array, [Arg::Size(n), Arg::Fun(f)])) = x.as_prim() {
            found.extend(f.params.first().map(|i| (i.id, n.clone())));
        }
    });
    found
}

/// A sum of indices, each times a number, and of a constant.
#[derive(Debug, Clone)]
struct Linear {
    constant: ArithExpr,
    terms: Vec<(i64, Param)>,
}

impl Linear {
    fn of(e: &Expr) -> Option<Linear> {
        let constant = |n: ArithExpr| Some(Linear { constant: n, terms: Vec::new() });
        match e.kind() {
            Kind::Size(n) => constant(n.clone()),
            Kind::Literal(literal) => constant(i64::try_from(literal.as_int()?).ok()?.into()),
            Kind::Param(i) if is_number(e) => {
                Some(Linear { constant: ArithExpr::zero(), terms: vec![(1, i.clone())] })
            }
            Kind::Unary(UnaryOp::Neg, x) => Some(Linear::of(x)?.times(-1)),
            Kind::Binary(BinaryOp::Add, a, b) => Some(Linear::of(a)?.plus(Linear::of(b)?)),
            Kind::Binary(BinaryOp::Sub, a, b) => Some(Linear::of(a)?.plus(Linear::of(b)?.times(-1))),
            Kind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (Linear::of(a)?, Linear::of(b)?);
                let (k, x) = if a.terms.is_empty() { (a, b) } else { (b, a) };
                if x.terms.is_empty() {
                    return constant(k.constant * x.constant);
                }
                k.terms.is_empty().then_some(x.times(k.constant.as_const()?))
            }
            Kind::Cast(_, x) if is_number(e) && is_number(x) => Linear::of(x),
            _ => None,
        }
    }

    fn times(self, k: i64) -> Linear {
        let terms = self.terms.into_iter().map(|(c, i)| (c * k, i)).collect();
        Linear { constant: self.constant * ArithExpr::cst(k), terms }
    }

    fn plus(mut self, other: Linear) -> Linear {
        for (k, i) in other.terms {
            match self.terms.iter_mut().find(|(_, known)| known.id == i.id) {
                Some((known, _)) => *known += k,
                None => self.terms.push((k, i)),
            }
        }
        self.terms.retain(|(k, _)| *k != 0);
        Linear { constant: self.constant + other.constant, ..self }
    }

    /// The least and the greatest value with indices below these numbers.
    fn range(&self, below: &dyn Fn(u32) -> Option<ArithExpr>) -> Option<[ArithExpr; 2]> {
        let (mut least, mut most) = (self.constant.clone(), self.constant.clone());
        for (k, i) in &self.terms {
            let reached = (below(i.id)? - 1) * ArithExpr::cst(*k);
            let end = if *k < 0 { &mut least } else { &mut most };
            *end = &*end + reached;
        }
        Some([least, most])
    }

    /// The expression for it less a constant. It is not negative.
    fn expr(&self, less: &ArithExpr, facts: &Facts) -> Expr {
        let start = facts.simplify(&(&self.constant - less));
        let times = |k: i64, i: &Param| match k {
            1 => Expr::param(i),
            _ => Expr::binary(BinaryOp::Mul, Expr::size(k.into()), Expr::param(i)),
        };
        let (plus, minus): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(k, _)| *k > 0);
        let first = (start.as_const() != Some(0) || plus.is_empty()).then(|| Expr::size(start));
        let sum = first.into_iter().chain(plus.into_iter().map(|(k, i)| times(*k, i)));
        let sum =
            sum.reduce(|a, b| Expr::binary(BinaryOp::Add, a, b)).unwrap_or_else(|| Expr::size(0.into()));
        minus.into_iter().fold(sum, |sum, (k, i)| Expr::binary(BinaryOp::Sub, sum, times(-*k, i)))
    }
}

/// What is read of an array in one dimension: a step times the index of the nest, and from `least` to `most` besides.
#[derive(Debug, Clone)]
struct Span {
    step: i64,
    least: ArithExpr,
    most: ArithExpr,
    /// What becomes of indices outside, if anything is said about it.
    fold: Option<Fold>,
}

impl Span {
    /// Makes it hold another one, too.
    fn widen(&mut self, other: &Span, facts: &Facts) -> Option<()> {
        if self.step != other.step {
            return None;
        }
        self.fold = match (self.fold, other.fold) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        let below = |a: &ArithExpr, b: &ArithExpr| facts.le(a, b).is_yes();
        if !below(&self.least, &other.least) {
            below(&other.least, &self.least).then(|| self.least = other.least.clone())?;
        }
        if !below(&other.most, &self.most) {
            below(&self.most, &other.most).then(|| self.most = other.most.clone())?;
        }
        Some(())
    }

    /// Whether the window is one element.
    fn is_element(&self, facts: &Facts) -> bool {
        facts.eq(&self.least, &self.most).is_yes()
    }

    fn size(&self) -> ArithExpr {
        &self.most - &self.least + 1
    }

    /// The rows of which windows for `n` indices are made, of rows `xs`.
    fn rows(&self, n: &ArithExpr, xs: Expr, facts: &Facts) -> Option<Expr> {
        let len = xs.ty().length();
        let wanted = facts.simplify(&(ArithExpr::cst(self.step) * (n - 1) + self.size()));
        let over = &self.least + &wanted - &len;
        // What is known of a number, and the number if it is above zero.
        let above = |n: &ArithExpr| match (facts.nonneg(&-n.clone()).is_yes(), facts.nonneg(n).is_yes()) {
            (true, _) => Some(ArithExpr::zero()),
            (false, true) => Some(facts.simplify(n)),
            (false, false) => None,
        };
        let (left, right, first) = (above(&-self.least.clone())?, above(&over)?, above(&self.least)?);
        let is_zero = |n: &ArithExpr| n.as_const() == Some(0);
        let mut xs = xs;
        // Indices are folded back into the whole array.
        if !is_zero(&left) || !is_zero(&right) {
            let boundary = Boundary::Fold(self.fold.unwrap_or(Fold::Clamp));
            xs = Expr::pad(left, right, boundary, xs);
        }
        if !is_zero(&first) {
            xs = Expr::drop(first, xs);
        }
        let is_all = facts.eq(&xs.ty().length(), &wanted).is_yes();
        Some(if is_all { xs } else { Expr::take(wanted, xs) })
    }
}

/// An array and what is read of it, the outermost dimension first.
struct Input {
    array: Expr,
    spans: Vec<Span>,
}

impl Input {
    /// Whether one element is read of it for each index, and all of them side by side.
    fn is_element(&self, facts: &Facts) -> bool {
        self.spans.iter().all(|span| span.step == 1 && span.is_element(facts))
    }

    fn has_windows(&self, facts: &Facts) -> bool {
        self.spans.iter().any(|span| !span.is_element(facts))
    }

    /// What is read of it for all indices.
    fn part(&self, indices: &[(Param, ArithExpr)], facts: &Facts) -> Option<Expr> {
        let array = rows(&self.spans, indices, self.array.clone(), facts)?;
        let windows: Vec<_> =
            self.spans.iter().map(|span| (span.size(), ArithExpr::cst(span.step))).collect();
        Some(if self.is_element(facts) { array } else { nd::slide_nd(&windows, array) })
    }
}

/// What is read of an array in all dimensions.
fn rows(spans: &[Span], indices: &[(Param, ArithExpr)], xs: Expr, facts: &Facts) -> Option<Expr> {
    let ([span, inner @ ..], [(_, n), below @ ..]) = (spans, indices) else { return Some(xs) };
    let (element, _) = xs.ty().as_array()?;
    let row = Param::new("row", element.clone());
    let body = rows(inner, below, Expr::param(&row), facts)?;
    let is_same = matches!(body.kind(), Kind::Param(_));
    let xs = if is_same { xs } else { Expr::map(Lambda { params: vec![row], body }, xs) };
    span.rows(n, xs, facts)
}

/// What knows the indices.
struct Reader<'a> {
    indices: &'a [(Param, ArithExpr)],
    /// How many elements are generated for indices that are bound in the body.
    inner: BTreeMap<u32, ArithExpr>,
    /// All that is bound in the nest.
    bound: BTreeSet<u32>,
    facts: &'a Facts,
}

impl Reader<'_> {
    /// If this is an element of an array that is the same for all indices, with an index of the nest in each dimension: the array, what is read,
    /// and the indices less those of the nest.
    fn read<'e>(&self, e: &'e Expr) -> Option<(&'e Expr, Vec<Span>, Vec<Linear>)> {
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
    fn needs(&self, i: &Param, e: &Expr) -> bool {
        let is_index = matches!(e.kind(), Kind::Param(x) if x.id == i.id);
        is_index || self.read(e).is_none() && e.children().into_iter().any(|x| self.needs(i, x))
    }

    /// What is read with an index of an array of this length around an index of the nest.
    fn span(&self, index: &Expr, len: &ArithExpr, i: &Param) -> Option<(Span, Linear)> {
        let (mut offset, fold) = self.folded(index, len)?;
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
        (step > 0).then_some((Span { step, least, most, fold }, offset))
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
fn replaced(e: &Expr, reader: &Reader<'_>, found: &[Input], part: &dyn Fn(usize) -> Expr) -> Expr {
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
