//! Weights that are products: a sum of weighted elements becomes a sum of weighted sums.
//!
//! The weights of a window are known while building, and with them whether they are those of a row times those of a column, or a short
//! sum of such products. What is computed of each row is then the same for all windows that have it, as when
//! the user had written it so.

use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, Operation, Order, Param, Place, Prim};
use crate::rewrite::approximate::approximate;
use crate::rewrite::factor::{Factors, exact};
use crate::rewrite::layout::{as_map, is_view};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::contract::contracted;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::as_reduce;
use crate::rewrite::scope::{replace, same};
use crate::rewrite::weights::{array, is_constant_array, matrix, with_known, written_out};

pub static CONSTANT: Rule = Rule {
    name: "constant",
    about: "Constants stand where they are used.",
    equation: "{ let x = c; e } = e[x := c]",
    when: "for an array c of numbers that are known",
    apply: |e, _| {
        let Kind::Let(x, value, body) = e.kind() else { return None };
        is_constant_array(value).then(|| replace(body, x.id, value))
    },
};

pub static CONSTANT_MAP: Rule = Rule {
    name: "constant_map",
    about: "What is computed from numbers that are known is known.",
    equation: "map(f) $ c = c'",
    when: "for an array c of numbers that are known, or a name of one, and operations that are rounded everywhere alike; the same for reduce(f, z)",
    apply: |e, _| {
        if let Kind::Let(x, value, body) = e.kind() {
            let known = is_constant_array(value).then(|| with_known(body, x, value, is_computed))??;
            return (!same(&known, body)).then(|| Expr::let_(x.clone(), value.clone(), known));
        }
        is_computed(e).then(|| written_out(e))?
    },
};

/// Whether elements are computed in it.
fn is_computed(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Map(Place::View), [Arg::Fun(f), _])) => !is_view(&f.body),
        Some((Prim::Reduce(_), _)) => true,
        _ => false,
    }
}

pub static LOW_RANK: Rule = Rule {
    name: "low_rank",
    about: "Sums of rows first, with the weights of a row, and then their sum, with those of a column.",
    equation: "reduce(add, z) . map(|(u, row)| reduce(add, 0) . map(|(w, x)| w * g(x)) $ zip(u, row)) . zip(ws) = reduce(add, z) . map(|(a, .., s)| a * \
               s.0 + ..) . zip(as, .., map(|row| (reduce(add, 0) . map(|(w, x)| w * g(x)) $ zip(b, row), ..)))",
    when: "for numbers ws = as ⊗ b + .., a short sum",
    apply: |e, _| low_rank(e),
};

fn low_rank(e: &Expr) -> Option<Expr> {
    let sum = WeightedSum::find(e)?;
    Some(sum.factored(&exact(&sum.weights)?))
}

pub static APPROXIMATE: Rule = Rule {
    name: "approximate",
    about: "How weights that are replaced by others appear in traces: the user has said that they may be.",
    equation: "the same for ws ≈ as ⊗ b + ..",
    when: "if no number differs by more than the part of the largest that the kernel allows",
    apply: |_, _| None,
};

/// The same for weights that may differ by this part of the largest of them, if that makes the sum of products shorter and there are at
/// least so many weights.
pub fn approximated(e: &Expr, tolerance: f64, least: usize) -> Option<Expr> {
    let sum = WeightedSum::find(e).filter(|sum| sum.weights.iter().map(Vec::len).sum::<usize>() >= least)?;
    let factors = approximate(&sum.weights, tolerance)?;
    let known = exact(&sum.weights).map(|factors| factors.rows.len());
    known.is_none_or(|rank| factors.rows.len() < rank).then(|| sum.factored(&factors))
}

/// `reduce(add, z) . map(|(u, row)| reduce(add, 0) . map(|(w, x)| w * g(x)) $ zip(u, row)) $ zip(ws, rows)`
struct WeightedSum<'a> {
    /// Of the sum: function and start.
    add: &'a Lambda,
    start: &'a Expr,
    /// The weights.
    weights: Vec<Vec<Literal>>,
    /// What is weighted.
    rows: Expr,
    /// The function of weights and a row, of which the part at this position are weights.
    of_row: Lambda,
    at: usize,
}

impl<'a> WeightedSum<'a> {
    fn find(e: &'a Expr) -> Option<WeightedSum<'a>> {
        let (add, start, sums) = as_reduce(e)?;
        let (of_row, pairs) = pairs_of_rows(sums)?;
        let [t] = of_row.params.as_slice() else { return None };
        let parts = as_pair(&pairs)?;
        let (at, weights) = (0..2).find_map(|i| Some((i, matrix(parts[i])?)))?;
        let (inner, zero, products) = as_reduce(&of_row.body)?;
        let (g, elements) = as_map(products)?;
        let [p] = g.params.as_slice() else { return None };
        let elements = as_pair(elements)?;
        let inside = (0..2).find(|i| is_part(elements[*i], t, at))?;
        let is_linear = is_weighted(&g.body, p, inside);
        // The weights are used nowhere else.
        let once = parts_used(&of_row.body, t, at) == Some(1);
        let is_sum = |f: &Lambda| f.operation() == Some(Operation::Binary(BinaryOp::Add));
        let sums = is_sum(add) && is_sum(inner) && is_zero(zero);
        let found =
            WeightedSum { add, start, weights, rows: parts[1 - at].clone(), of_row: of_row.clone(), at };
        (sums && is_linear && once).then_some(found)
    }

    /// The same as a sum of products.
    fn factored(&self, Factors { columns, rows }: &Factors) -> Expr {
        let sums = Expr::map_with("row", self.rows.clone(), |row| {
            one_or_all(rows.iter().map(|b| self.of_row(&array(b), &row)).collect())
        });
        let all = columns.iter().map(|a| array(a)).chain([sums]);
        let zipped = Expr::prim(Prim::Zip, all.map(Arg::Data).collect());
        let rank = columns.len();
        let products = Expr::map_with("t", zipped, |t| {
            let sums = Expr::field(t.clone(), rank);
            let product = |k: usize| {
                let sum = if rank == 1 { sums.clone() } else { Expr::field(sums.clone(), k) };
                Expr::binary(BinaryOp::Mul, Expr::field(t.clone(), k), sum)
            };
            (1..rank).fold(product(0), |sum, k| Expr::binary(BinaryOp::Add, sum, product(k)))
        });
        contracted(&Expr::reduce(Order::Any, self.add.clone(), self.start.clone(), products))
    }

    /// The weighted sum of a row.
    fn of_row(&self, weights: &Expr, row: &Expr) -> Expr {
        let [t] = self.of_row.params.as_slice() else { crate::bug!("a function of pairs") };
        let pair = if self.at == 0 { [weights, row] } else { [row, weights] };
        // Every sum has variables of its own.
        replace(&self.of_row.body.refresh(), t.id, &Expr::tuple(pair.map(Expr::clone).to_vec()))
    }
}

/// What is computed from pairs of rows, also if it is computed from rows of pairs.
fn pairs_of_rows(sums: &Expr) -> Option<(Lambda, Expr)> {
    let (f, pairs) = as_map(sums)?;
    let parts = nd::zip_of(2, pairs);
    let Some([a, b]) = parts.as_deref() else { return Some((f.clone(), pairs.clone())) };
    let [row] = f.params.as_slice() else { return None };
    let zipped = nd::zip_nd(1, vec![(*a).clone(), (*b).clone()]);
    let of_pair = Lambda::unary("t", nd::element(1, &zipped)?, |t| {
        let rows = (0..2).map(|i| Expr::field(t.clone(), i)).collect();
        replace(&f.body, row.id, &nd::zip_nd(1, rows))
    });
    Some((of_pair, zipped))
}

/// One value, or a tuple of several.
fn one_or_all(mut values: Vec<Expr>) -> Expr {
    if values.len() == 1 { values.swap_remove(0) } else { Expr::tuple(values) }
}

/// The arrays of a `zip` of two.
fn as_pair(e: &Expr) -> Option<[&Expr; 2]> {
    match e.as_prim() {
        Some((Prim::Zip, [Arg::Data(a), Arg::Data(b)])) => Some([a, b]),
        _ => None,
    }
}

/// Whether this is a part of what the variable stands for.
fn is_part(e: &Expr, t: &Param, part: usize) -> bool {
    matches!(e.kind(), Kind::Field(x, i) if *i == part && matches!(x.kind(), Kind::Param(p) if p == t))
}

/// How often that part is used, if only parts are.
fn parts_used(e: &Expr, t: &Param, part: usize) -> Option<usize> {
    match e.kind() {
        Kind::Param(p) => (p != t).then_some(0),
        Kind::Field(x, i) if matches!(x.kind(), Kind::Param(p) if p == t) => Some(usize::from(*i == part)),
        _ => e.children().into_iter().map(|x| parts_used(x, t, part)).sum(),
    }
}

/// Whether the result is that part times something: twice the part gives twice the result.
fn is_weighted(e: &Expr, t: &Param, part: usize) -> bool {
    let without = |e: &Expr| parts_used(e, t, part) == Some(0);
    match e.kind() {
        Kind::Binary(BinaryOp::Mul | BinaryOp::Unrounded, a, b) => {
            (is_weighted(a, t, part) && without(b)) || (without(a) && is_weighted(b, t, part))
        }
        _ => is_part(e, t, part),
    }
}

fn is_zero(e: &Expr) -> bool {
    match e.kind() {
        Kind::Literal(Literal::Float(x, _)) => *x == 0.0,
        Kind::Literal(Literal::Int(x, _)) => *x == 0,
        _ => false,
    }
}
