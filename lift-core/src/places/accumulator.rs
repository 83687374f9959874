//! What the items of a group keep of an accumulator.
//!
//! Where a `map_local` computes the next accumulator, every item keeps the elements that it computed, in its registers. Others cannot
//! read them.

use crate::ir::{Arg, Expr, Kind, Lambda, Prim};

/// Whether the next accumulator needs of every element that the items share out only what is replaced by it.
pub(super) fn stays_with_its_items(f: &Lambda) -> bool {
    f.params.first().is_none_or(|acc| !is_shared_out(&f.body) || replaces(&f.body, &Expr::param(acc)))
}

/// Whether items share the outermost dimension out.
fn is_shared_out(e: &Expr) -> bool {
    match (e.kind(), e.as_prim()) {
        (Kind::Let(_, _, body), _) => is_shared_out(body),
        (_, Some((prim, _))) => prim.is_shared_by_group(),
        _ => false,
    }
}

fn replaces(e: &Expr, acc: &Expr) -> bool {
    if let Kind::Let(_, value, body) = e.kind() {
        return !is_shared_out(body) || (!occurs(value, acc) && replaces(body, acc));
    }
    let Some((prim, [.., Arg::Fun(f), Arg::Data(xs)])) = e.as_prim() else { return true };
    if !prim.is_shared_by_group() {
        return true;
    }
    let (f, xs) = fused(f.clone(), xs);
    let Some(param) = f.params.first() else { return true };
    let own = match xs.as_prim() {
        _ if is_same(xs, acc) => Some(Expr::param(param)),
        Some((Prim::Zip, parts)) => {
            let parts = parts.iter().filter_map(Arg::data).enumerate();
            let mut reading = parts.filter(|(_, x)| occurs(x, acc));
            match (reading.next(), reading.next()) {
                (None, _) => None,
                (Some((i, x)), None) if is_same(x, acc) => Some(Expr::field(Expr::param(param), i)),
                _ => return false,
            }
        }
        _ if occurs(xs, acc) => return false,
        _ => None,
    };
    !occurs(&f.body, acc) && own.is_none_or(|own| !is_shared_out(&f.body) || replaces(&f.body, &own))
}

/// `map_local(f, map(g, xs))` is `map_local(f . g, xs)`.
fn fused(f: Lambda, xs: &Expr) -> (Lambda, &Expr) {
    match xs.as_prim() {
        Some((Prim::Map, [Arg::Fun(g), Arg::Data(inner)])) => {
            let body = f.apply(std::slice::from_ref(&g.body));
            fused(Lambda { params: g.params.clone(), body }, inner)
        }
        _ => (f, xs),
    }
}

/// Whether this is the variable, or the part of one.
fn is_same(e: &Expr, variable: &Expr) -> bool {
    match (e.kind(), variable.kind()) {
        (Kind::Param(p), Kind::Param(q)) => p.id == q.id,
        (Kind::Field(x, i), Kind::Field(y, j)) => i == j && is_same(x, y),
        _ => false,
    }
}

/// Whether the variable, or the part of one, occurs. What its items store for all is not it any more.
fn occurs(e: &Expr, variable: &Expr) -> bool {
    if is_same(e, variable) {
        return true;
    }
    if let Some((Prim::ToLocal | Prim::ToGlobal, [Arg::Data(x)])) = e.as_prim()
        && is_shared_out(x)
        && replaces(x, variable)
    {
        return false;
    }
    match (e.kind(), variable.kind()) {
        // Another part.
        (Kind::Field(x, _), Kind::Field(y, _)) if is_same(x, y) => false,
        // All parts.
        (Kind::Param(_), Kind::Field(y, _)) => is_same(e, y),
        _ => e.children().into_iter().any(|x| occurs(x, variable)),
    }
}
