//! Generated arrays that read neighbours, `array(n, |i| a[i] + a[i + 1])`, as stencils: the versions of stencils start from windows.
//!
//! Each index of an array that is read is a generator index, times a step, plus what lies in a range that does not depend on it. The ranges of all reads are
//! the window. Where it leaves the array, the array is padded. A program reads only what is in range, so that nobody reads the padding, and any boundary will do;
//! where the program itself folds indices back, `min(i + 1, n - 1)` or `(i + 1) % n`, that is the boundary.

mod linear;
mod reader;
mod spans;

use std::collections::BTreeMap;

use self::linear::is_number;
use self::reader::{Reader, replaced};
use self::spans::Input;
use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Expr, Kind, Lambda, MathFn, Param, Prim};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::indices::{INDEX_MAP, bound};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::scope::{replace, same};

/// More dimensions no stencil has.
const MOST_DIMENSIONS: usize = 3;

/// As many arrays as `zip` takes.
const MOST_ARRAYS: usize = 8;

pub static INDEX_WINDOWS: Rule = Rule {
    name: "index_windows",
    about: "What a generated array reads around its indices are windows.",
    equation: "array(n, |i| e) = map(|(w, …, i)| e[at(i + c, a) := at(c - least, w), …]) << zip(slide(most - least + 1, 1) $ pad(l, r, b, a), …, array(n, |i| i))",
    when: "for all reads of a, of which c lies between least and most for all i, which are a number apart that is not large; l and r are by how much they leave the array, and b is clamp or, of i + c modulo the length, wrap; also in two or three dimensions, with steps, and without what is not needed",
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
        Some(nd::unzip_nd(indices.len(), generate(&indices, body)))
    },
};

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
        // Windows of one element that lie apart are no windows, and windows as long as an array are rows.
        let is_read = |input: &Input| input.has_windows(facts) || input.is_element(facts);
        let is_dense = found.iter().all(Input::is_dense);
        if !is_clear || !is_dense || !found.iter().any(is_read) {
            return None;
        }
        let mut parts: Vec<Expr> =
            found.iter().map(|input| input.part(&indices, facts)).collect::<Option<_>>()?;
        // Indices that are needed besides are read like arrays.
        let needed: Vec<usize> = (0..dims).filter(|d| reader.needs(&indices[*d].0, &body)).collect();
        parts.extend(needed.iter().map(|d| index_array(&indices, *d)));
        if parts.len() > MOST_ARRAYS {
            return None;
        }
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

fn is_arithmetic(e: &Expr) -> bool {
    if let Kind::If(condition, a, b) = e.kind() {
        return matches!(condition.kind(), Kind::Binary(_, a, b) if is_arithmetic(a) && is_arithmetic(b))
            && is_arithmetic(a)
            && is_arithmetic(b);
    }
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
