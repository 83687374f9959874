//! What binds the variables of a value: definitions, and functions that are applied to elements.

use std::collections::BTreeSet;

use crate::ir::{Arg, Expr, Kind, Lambda, Param, Prim};
use crate::rewrite::layout::as_map;
use crate::rewrite::strategy::Position;

/// What binds variables.
#[derive(Debug, Clone)]
pub(super) enum Binder {
    /// `let x = value`.
    Let(Param, Expr),
    /// The function of a primitive, and its parameters.
    Function(Expr, Vec<u32>),
}

/// The function of a map, and the array; or the function of an array that is computed from indices, which is mapped over numbers.
fn mapped(e: &Expr) -> Option<(&Lambda, Option<&Expr>)> {
    match e.as_prim() {
        Some((Prim::Array, [_, Arg::Fun(f)])) => Some((f, None)),
        _ => as_map(e).map(|(f, xs)| (f, Some(xs))),
    }
}

/// A map whose function has a value that depends on its parameter.
pub(super) struct Inside {
    /// How many binders there are around the map.
    pub(super) map: usize,
    /// The definitions between the map and the value that the value depends on, from the outside.
    pub(super) lets: Vec<(Param, Expr)>,
}

/// The innermost function on whose parameters a value depends, if that is the function of a map of one array.
pub(super) fn inside(e: &Expr, around: &[Binder]) -> Option<Inside> {
    let mut needed = variables(e);
    let mut lets = Vec::new();
    for (i, binder) in around.iter().enumerate().rev() {
        match binder {
            Binder::Let(param, value) if needed.contains(&param.id) => {
                needed.extend(variables(value));
                lets.insert(0, (param.clone(), value.clone()));
            }
            Binder::Function(map, params) if params.iter().any(|id| needed.contains(id)) => {
                let is_of_one = mapped(map).is_some_and(|(f, _)| f.params.len() == 1);
                return is_of_one.then_some(Inside { map: i, lets });
            }
            _ => {}
        }
    }
    None
}

/// Whether a value depends on elements of arrays that functions are mapped over, and on nothing that changes otherwise.
pub(super) fn is_of_maps(e: &Expr, around: &[Binder]) -> bool {
    let mut needed = variables(e);
    for binder in around.iter().rev() {
        match binder {
            Binder::Let(param, value) if needed.contains(&param.id) => needed.extend(variables(value)),
            Binder::Function(map, params) if params.iter().any(|id| needed.contains(id)) => {
                match mapped(map) {
                    Some((Lambda { params, .. }, xs)) if params.len() == 1 => {
                        xs.into_iter().for_each(|xs| needed.extend(variables(xs)));
                    }
                    _ => return false,
                }
            }
            _ => {}
        }
    }
    true
}

/// Whether a value does not depend on the innermost function around it.
pub(super) fn is_invariant(e: &Expr, around: &[Binder]) -> bool {
    let Some(inside) = inside(e, around) else { return false };
    around[inside.map + 1..].iter().any(|binder| matches!(binder, Binder::Function(..)))
}

/// Whether there is a function around a value on whose parameters it does not depend.
pub(super) fn is_repeated(e: &Expr, around: &[Binder]) -> bool {
    let mut needed = variables(e);
    around.iter().rev().any(|binder| match binder {
        Binder::Let(param, value) => {
            if needed.contains(&param.id) {
                needed.extend(variables(value));
            }
            false
        }
        Binder::Function(map, params) if params.iter().any(|id| needed.contains(id)) => {
            mapped(map).and_then(|(_, xs)| xs).into_iter().for_each(|xs| needed.extend(variables(xs)));
            false
        }
        Binder::Function(..) => true,
    })
}

/// The binders on the way from `e` to a position in it, and where the functions' primitives stand.
pub(super) fn on_the_way(e: &Expr, position: &[usize]) -> Option<(Vec<Binder>, Vec<Position>)> {
    let (mut found, mut places) = (Vec::new(), Vec::new());
    let mut current = e;
    for (depth, child) in position.iter().enumerate() {
        let next = current.child(*child)?;
        match current.kind() {
            Kind::Let(param, value, _) if *child == 1 => {
                found.push(Binder::Let(param.clone(), value.clone()));
                places.push(position[..depth].to_vec());
            }
            Kind::Prim(_, args) => {
                let function = args.iter().filter_map(|arg| arg.function()).find(|f| f.body.is_same(next));
                if let Some(f) = function {
                    let ids = f.params.iter().map(|param| param.id).collect();
                    found.push(Binder::Function(current.clone(), ids));
                    places.push(position[..depth].to_vec());
                }
            }
            _ => {}
        }
        current = next;
    }
    Some((found, places))
}

fn variables(e: &Expr) -> BTreeSet<u32> {
    fn collect(e: &Expr, found: &mut BTreeSet<u32>) {
        if let Kind::Param(param) = e.kind() {
            found.insert(param.id);
        }
        e.children().into_iter().for_each(|x| collect(x, found));
    }
    let mut found = BTreeSet::new();
    collect(e, &mut found);
    found
}
