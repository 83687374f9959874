//! Random programs around the left sides of rules.

mod blocks;
mod components;
mod contractions;
mod in_order;
mod keys;
mod lanes;
mod neighbours;
mod pairs;
mod passes;
mod reductions;
mod rows;
mod simplify;
mod stencils;
mod steps;
mod traversals;

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, Expr, Param, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;

use super::movement;
use crate::rules::movement::TABLE;
use crate::testing::{World, literal, twice_minus};

/// The left sides of some rules.
type Family = fn(&Rule, &mut World, Expr, &[Expr]) -> Option<Expr>;

const FAMILIES: &[Family] = &[
    simplify::left_side,
    traversals::left_side,
    keys::left_side,
    reductions::left_side,
    steps::left_side,
    stencils::left_side,
    rows::left_side,
    blocks::left_side,
    components::left_side,
    passes::left_side,
    in_order::left_side,
    contractions::left_side,
    lanes::left_side,
    neighbours::left_side,
    pairs::left_side,
];

/// A program around the left side of a rule. `xs` is an array to use.
fn left_side(rule: &Rule, w: &mut World, xs: Expr, scope: &[Expr]) -> Expr {
    if let Some(row) = TABLE.iter().find(|row| row.name == rule.name) {
        return movement::left_side(w, row, scope);
    }
    if let Some(side) = FAMILIES.iter().find_map(|family| family(rule, w, xs.clone(), scope)) {
        return side;
    }
    let of_elements = ["tile_to_local", "tile_to_global", "copy", "coarsen"];
    if rule.name.starts_with("map_") || of_elements.contains(&rule.name) {
        return Expr::map_with("x", xs, |x| {
            let inner = [scope, std::slice::from_ref(&x)].concat();
            w.grow(x, 3, &inner)
        });
    }
    // Random programs are full of definitions.
    w.grow(xs, 6, scope)
}

/// Some numbers in a row.
fn numbers(w: &mut World) -> Expr {
    let len = w.random.pick(&[0, 1, 2, 3, 5, 8, 12, 16, 17, 40]);
    let len = w.extent_of(len);
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    w.input(Type::array(scalar.into(), len))
}

/// As many numbers as there are rows.
fn numbers_beside(w: &mut World, rows: &Expr) -> Expr {
    let (_, len) = rows.ty().as_array().unwrap();
    let ty = Type::array(Scalar::I32.into(), len.clone());
    w.input(ty)
}

/// Five rows, of which the length is a number.
fn known_rows(w: &mut World) -> Expr {
    let m = w.random.pick(&[1, 2, 3]);
    let dims = [ArithExpr::cst(5), ArithExpr::cst(m)];
    w.input(Type::from(Scalar::I32).with_shape(&dims))
}

/// An array of numbers that are known.
fn constants(w: &mut World, scalar: Scalar, dims: &[i64]) -> Expr {
    let (n, inner) = dims.split_first().unwrap();
    let element = |w: &mut World| match inner {
        [] => literal(&scalar.into(), w.random.below(9) as i32 - if scalar.is_signed() { 4 } else { 0 }),
        _ => constants(w, scalar, inner),
    };
    Expr::array_literal((0..*n).map(|_| element(w)).collect())
}

fn zip(a: &Expr, b: &Expr) -> Expr {
    Expr::prim(Prim::Zip, vec![Arg::Data(a.clone()), Arg::Data(b.clone())])
}

/// A random program with an instance of the rule's left side somewhere inside.
pub(super) fn program(rule: &Rule, w: &mut World) -> Expr {
    let constant = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let captured = w.input(constant.into());
    match w.random.below(3) {
        0 => {
            let xs = w.array();
            left_side(rule, w, xs, &[captured])
        }
        // Inside a function of something else.
        1 => {
            let xs = w.array();
            let element = xs.ty().as_array().unwrap().0.clone();
            Expr::map_with("outer", xs, |x| {
                let inner = if element.as_array().is_some() { x.clone() } else { w.array() };
                left_side(rule, w, inner, &[captured, x])
            })
        }
        // As part of something else, inside a definition.
        _ => {
            let param = Param::new("c", captured.ty().clone());
            let value = twice_minus(captured.clone(), captured);
            let xs = w.array();
            let body = left_side(rule, w, xs, &[Expr::param(&param)]);
            Expr::let_(param, value, w.grow(body, 2, &[]))
        }
    }
}
