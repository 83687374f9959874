//! Memory: copies that no version makes.

use lift_core::ir::{Arg, Expr, Memory, Order, Prim, Type};
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::memory::{stored, tile_to};
use lift_core::rewrite::rules::nd;
use lift_core::rewrite::scope::occurrences;

pub static TILE_TO_GLOBAL: Rule = Rule {
    name: "tile_to_global",
    about: "The same in global memory, in a part that belongs to the group: for what local memory has no room for.",
    equation: "map(|t| e) = map(|t| e[t := to_global(map^d(id, t))])",
    when: "for a d-dimensional t",
    apply: |e, _| tile_to(Memory::Global, e),
};

pub static ROUND_TO_LOCAL: Rule = Rule {
    name: "round_to_local",
    about: "A group copies what a loop meets at a time before it computes anything from it.",
    equation: "fold(|a, (x, y, …)| e, z) = fold(|a, (x, y, …)| e[x := to_local(map^d(id, x)), y := …], z)",
    when: "for each part of an element that is a d-dimensional array of scalars",
    apply: |e, _| {
        let (Prim::Reduce(Order::Left), [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) = e.as_prim()? else {
            return None;
        };
        let [_, t] = f.params.as_slice() else { return None };
        let is_tile = |ty: &Type| matches!(ty, Type::Array(..)) && matches!(ty.shape(), (_, Type::Scalar(_)));
        let tiles: Vec<bool> = match &t.ty {
            Type::Tuple(parts) => parts.iter().map(is_tile).collect(),
            ty => vec![is_tile(ty)],
        };
        if !tiles.contains(&true) || occurrences(&f.body, t.id).count == 0 {
            return None;
        }
        let copied = |part: Expr| {
            let copy = nd::copy_nd(part.ty().shape().0.len(), part);
            Expr::store(Memory::Local, copy)
        };
        let kept = stored(f, t, &tiles, &|i| format!("tile{i}"), &copied);
        Some(Expr::prim(
            Prim::Reduce(Order::Left),
            vec![Arg::Fun(kept), Arg::Data(z.clone()), Arg::Data(xs.clone())],
        ))
    },
};
