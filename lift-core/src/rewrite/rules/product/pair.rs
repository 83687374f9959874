//! Terms of reductions as functions of two operands.
//!
//! Before: scalar code that reads at the indices of two groups of axes, and of what is reduced. After: a function of a few scalars of either group.

use std::collections::BTreeSet;

use crate::ir::{BinaryOp, Expr, Kind, Param};
use crate::machine::blocked::MOST_OPERANDS;
use crate::rewrite::scope::{mentions, replace, same};

/// A term of a reduction as a function of the values of two operands.
pub(super) struct Pair {
    /// The variable that stands for each operand, and its value.
    pub(super) operands: [(Param, Expr); 2],
    /// What is made of these variables.
    pub(super) body: Expr,
}

/// The function that `term` is of a few scalars, of which some depend on `rows`, and the others on `columns`.
pub(super) fn pair(
    term: &Expr,
    rows: &BTreeSet<u32>,
    columns: &BTreeSet<u32>,
    reduced: &BTreeSet<u32>,
) -> Option<Pair> {
    fn apart(
        e: &Expr,
        sides: [&BTreeSet<u32>; 2],
        reduced: &BTreeSet<u32>,
        found: &mut [Vec<(Param, Expr)>; 2],
    ) -> Option<Expr> {
        let side = match sides.map(|ids| mentions(e, ids)) {
            [true, true] => {
                if let Some((op, [first, second])) = factors_apart(e, sides, reduced) {
                    let mut one = |e: &Expr| apart(e, sides, reduced, found);
                    return Some(Expr::binary(op, one(&first)?, one(&second)?));
                }
                // Scalar code only: what both sides choose an element by belongs to neither.
                let is_code = matches!(
                    e.kind(),
                    Kind::Unary(..)
                        | Kind::Binary(..)
                        | Kind::Math(..)
                        | Kind::Cast(..)
                        | Kind::If(..)
                        | Kind::Tuple(_)
                );
                let mut ok = is_code;
                let new = e.map_children(&mut |x| {
                    apart(x, sides, reduced, found).unwrap_or_else(|| {
                        ok = false;
                        x.clone()
                    })
                });
                return ok.then_some(new);
            }
            [false, false] if !mentions(e, reduced) => return Some(e.clone()),
            [_, second] => usize::from(second),
        };
        e.ty().as_scalar()?;
        let known = &mut found[side];
        if let Some((param, _)) = known.iter().find(|(_, known)| same(known, e)) {
            return Some(Expr::param(param));
        }
        let param = Param::new(["a", "b"][side], e.ty().clone());
        known.push((param.clone(), e.clone()));
        (known.len() <= MOST_OPERANDS).then(|| Expr::param(&param))
    }
    let mut found = [Vec::new(), Vec::new()];
    let mut body = apart(term, [rows, columns], reduced, &mut found)?;
    let is_pair =
        [rows, columns].iter().zip(&found).all(|(ids, own)| own.iter().any(|(_, e)| mentions(e, ids)));
    if !is_pair {
        return None;
    }
    // Several scalars of a side are a tuple.
    let operands = found.map(|own| match own.as_slice() {
        [one] => one.clone(),
        _ => {
            let (params, values): (Vec<Param>, Vec<Expr>) = own.into_iter().unzip();
            let value = Expr::tuple(values);
            let all = Param::new(&params[0].name, value.ty().clone());
            for (i, param) in params.iter().enumerate() {
                body = replace(&body, param.id, &Expr::field(Expr::param(&all), i));
            }
            (all, value)
        }
    });
    Some(Pair { operands, body })
}

/// A product as one of two, if some of its factors belong to neither side, such as the weights of what is reduced: those go with the first side.
fn factors_apart(
    e: &Expr,
    sides: [&BTreeSet<u32>; 2],
    reduced: &BTreeSet<u32>,
) -> Option<(BinaryOp, [Expr; 2])> {
    let Kind::Binary(op @ (BinaryOp::Mul | BinaryOp::Unrounded), ..) = e.kind() else { return None };
    let mut all = Vec::new();
    factors(e, &mut all);
    let (mut first, mut second, mut weights) = (Vec::new(), Vec::new(), 0);
    for factor in all {
        match sides.map(|ids| mentions(factor, ids)) {
            [true, true] => return None,
            [false, true] => second.push(factor.clone()),
            [is_first, false] => {
                weights += usize::from(!is_first && mentions(factor, reduced));
                first.push(factor.clone());
            }
        }
    }
    let product = |factors: Vec<Expr>| factors.into_iter().reduce(|a, b| Expr::binary(BinaryOp::Mul, a, b));
    (weights > 0).then_some((*op, [product(first)?, product(second)?]))
}

/// The factors of a product, in order.
fn factors<'e>(e: &'e Expr, found: &mut Vec<&'e Expr>) {
    match e.kind() {
        Kind::Binary(BinaryOp::Mul | BinaryOp::Unrounded, a, b) => {
            factors(a, found);
            factors(b, found);
        }
        _ => found.push(e),
    }
}
