//! Memory: where intermediate values are kept.

use crate::arith::Facts;
use crate::ir::{Arg, Expr, Lambda, Param, Prim, Type};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd;
use crate::rewrite::scope::{occurrences, replace};

/// Each element of an array of arrays is copied to local memory before a function works on it.
pub static TILE_TO_LOCAL: Rule = Rule {
    name: "tile_to_local",
    law: "map(|t| e) = map(|t| e[t := to_local(map^d(id, t))]), for a d-dimensional t",
    apply: tile_to_local,
};

/// A work-item reads the array, or each part of the tuple, that its function works on before it computes anything.
pub static TILE_TO_PRIVATE: Rule = Rule {
    name: "tile_to_private",
    law: "map(|t| e) = map(|t| e[t := to_private(t)]), for an array t or a tuple of arrays",
    apply: tile_to_private,
};

fn tile_to_private(e: &Expr, _: &Facts) -> Option<Expr> {
    let (prim, args) = e.as_prim()?;
    let at = args.iter().position(|arg| arg.fun().is_some())?;
    let Arg::Fun(f) = &args[at] else { return None };
    let ([t], true) = (f.params.as_slice(), prim.is_map()) else { return None };
    let parts: Vec<Expr> = match &t.ty {
        Type::Array(..) => vec![Expr::param(t)],
        Type::Tuple(parts) if parts.iter().all(|part| matches!(part, Type::Array(..))) => {
            (0..parts.len()).map(|i| Expr::field(Expr::param(t), i)).collect()
        }
        Type::Scalar(_) | Type::Tuple(_) => return None,
    };
    let known = parts.iter().all(|part| part.ty().shape().0.iter().all(|n| n.as_const().is_some()));
    if !known || occurrences(&f.body, t.id).count == 0 {
        return None;
    }
    let own: Vec<(Param, Expr)> = parts
        .into_iter()
        .map(|part| {
            (Param::new(&t.name, part.ty().clone()), Expr::prim(Prim::ToPrivate, vec![Arg::Data(part)]))
        })
        .collect();
    let kept: Vec<Expr> = own.iter().map(|(param, _)| Expr::param(param)).collect();
    let by = match (&t.ty, kept.as_slice()) {
        (Type::Array(..), [one]) => one.clone(),
        _ => Expr::tuple(kept),
    };
    let body = replace(&f.body, t.id, &by);
    let body = own.into_iter().rev().fold(body, |body, (param, value)| Expr::let_(param, value, body));
    let mut args = args.to_vec();
    args[at] = Arg::Fun(Lambda { params: f.params.clone(), body });
    Some(Expr::prim(prim, args))
}

fn tile_to_local(e: &Expr, _: &Facts) -> Option<Expr> {
    let (prim, args) = e.as_prim()?;
    let at = args.iter().position(|arg| arg.fun().is_some())?;
    let Arg::Fun(f) = &args[at] else { return None };
    let ([t], true) = (f.params.as_slice(), prim.is_map()) else { return None };
    let (lens, Type::Scalar(_)) = t.ty.shape() else { return None };
    let used = occurrences(&f.body, t.id);
    if lens.is_empty() || used.count == 0 {
        return None;
    }
    let copy = nd::copy_nd(lens.len(), Expr::param(t));
    let copy = Expr::prim(Prim::ToLocal, vec![Arg::Data(copy)]);
    let body = if used.at_most_once() {
        replace(&f.body, t.id, &copy)
    } else {
        let local = Param::new(&t.name, copy.ty().clone());
        let body = replace(&f.body, t.id, &Expr::param(&local));
        Expr::let_(local, copy, body)
    };
    let mut args = args.to_vec();
    args[at] = Arg::Fun(Lambda { params: f.params.clone(), body });
    Some(Expr::prim(prim, args))
}
