//! Arrays that a work-item computes once.
//!
//! Before: maps with their places. After: a short array that a function computes, and whose elements a function inside of it reads again and
//! again, is kept by the work-item, such as half of a transform of a block in both directions. It is filled in loops.

use crate::arith::Facts;
use crate::ir::{Arg, Expr, Kind, Lambda, Param, Type};
use crate::machine::work::FEW;
use crate::rewrite::demand::is_costly;
use crate::rewrite::layout::{Writer, is_view, writer};
use crate::rewrite::position::{self, DEFINED, OF};
use crate::rewrite::reads::{self, Reads};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::{memory, place};
use crate::rewrite::strategy::{Derivation, Position};

/// Keeps all such arrays.
pub(super) fn keep(d: &mut Derivation) {
    while let Some((at, rule)) = find(d.expr(), false, d.facts()) {
        if d.apply(rule, &at).is_none() {
            return;
        }
        let definition = if rule.name == memory::LET_TO_PRIVATE.name { at } else { position::body(&at) };
        place::nest(d, &position::join(&definition, &[DEFINED, OF]), &[], Some(&place::SEQ));
    }
}

/// Where the first of them is bound, and what keeps it. Outside of functions, arrays are stored in launches of their own.
fn find(e: &Expr, is_inside: bool, facts: &Facts) -> Option<(Position, &'static Rule)> {
    let own = match e.kind() {
        Kind::Let(x, v, body) if is_inside && is_worth(v) && is_repeated(x, body, facts) => {
            Some(&memory::LET_TO_PRIVATE)
        }
        _ => any_map(e).filter(|_| is_inside).and_then(|(f, xs)| {
            let ([x], Some((g, _))) = (f.params.as_slice(), any_map(xs)) else { return None };
            (is_worth(&g.body) && is_repeated(x, &f.body, facts)).then_some(&memory::TILE_TO_PRIVATE)
        }),
    };
    if let Some(rule) = own {
        return Some((Position::new(), rule));
    }
    let is_function = |i: usize| {
        let arg = e.as_prim().and_then(|(_, args)| args.iter().filter(|arg| arg.expr().is_some()).nth(i));
        arg.is_some_and(|arg| arg.function().is_some())
    };
    e.children().into_iter().enumerate().find_map(|(i, x)| {
        let (below, rule) = find(x, is_inside || is_function(i), facts)?;
        Some((position::join(&[i], &below), rule))
    })
}

/// The function and the array of a map, wherever its elements are computed.
fn any_map(e: &Expr) -> Option<(&Lambda, &Expr)> {
    match e.as_prim()? {
        (prim, [Arg::Fun(f), Arg::Data(xs)]) if prim.is_map() => Some((f, xs)),
        _ => None,
    }
}

/// Whether this is a short array, written by maps, of which an element takes long.
fn is_worth(v: &Expr) -> bool {
    let is_few = v.ty().small_count(&Clone::clone).is_some_and(|n| n <= FEW);
    matches!(v.ty(), Type::Array(..))
        && is_few
        && !is_view(v)
        && is_costly(v)
        && matches!(writer(v), Some((_, Writer::Map)))
}

/// Whether the result is an array for whose elements those of a variable are read again and again. What scalars are made of stays in the
/// loop along a row.
fn is_repeated(x: &Param, body: &Expr, facts: &Facts) -> bool {
    matches!(body.ty(), Type::Array(..)) && reads::of_param(body, x, &Reads::ONCE, facts).is_repeated()
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_a_block_shares_is_computed_once() {
        let text = "#[kernel] fn Twice<N>(a: [[f32; 6]; 6], x: [[[f32; 6]; 6]; N]) -> [[[f32; 6]; 6]; N] {
            x.map(|t| {
                let half = t.map(|row| a.map(|b| zip(b, row).map(mul).reduce(add, 0.0)));
                a.map(|b| half.transpose().map(|column| zip(b, column).map(mul).reduce(add, 0.0)))
            })
        }";
        let kernels = crate::pipeline::compile(text.parse().expect("tokens")).kernels;
        let version = kernels.first().and_then(|kernel| kernel.host.first()).expect("a version for the host");
        let text = &version.generated.host.first().expect("a function").text;
        assert!(text.contains("[[0f32; 6]; 6]"), "{text}");
    }
}
