//! Several results from one launch: maps over the same indices become one map to tuples.

use crate::arith::Facts;
use crate::ir::{Arg, Expr, Kind, Lambda, Param, Prim, Type};
use crate::rewrite::demand::contains_array;
use crate::rewrite::layout::as_map;
use crate::rewrite::scope::{replace, same};

/// An array whose elements are tuples of those of `parts`, or a tuple if they are scalars; `None` if they have
/// not the same indices.
pub(super) fn fuse(parts: &[Expr], facts: &Facts) -> Option<Expr> {
    if let Some(i) = parts.iter().position(|part| matches!(part.kind(), Kind::Let(..))) {
        let Kind::Let(param, value, body) = parts[i].kind() else { return None };
        let mut rest = parts.to_vec();
        rest[i] = body.clone();
        return Some(Expr::let_(param.clone(), value.clone(), fuse(&rest, facts)?));
    }
    if parts.iter().all(|part| !contains_array(part.ty())) {
        return Some(Expr::tuple(parts.to_vec()));
    }
    let maps: Vec<(&Lambda, &Expr)> = parts.iter().map(as_map).collect::<Option<_>>()?;
    let (_, first) = maps[0];
    let (_, len) = first.ty().as_array()?;
    let mut sources: Vec<&Expr> = Vec::new();
    let mut positions = Vec::new();
    for (f, xs) in &maps {
        let (_, n) = xs.ty().as_array()?;
        if f.params.len() != 1 || !facts.eq(n, len).is_yes() {
            return None;
        }
        let known = sources.iter().position(|x| same(x, xs));
        positions.push(known.unwrap_or(sources.len()));
        if known.is_none() {
            sources.push(xs);
        }
    }
    let (xs, elements) = zipped(&sources, maps[0].0)?;
    let bodies: Vec<Expr> = maps
        .iter()
        .zip(&positions)
        .map(|((f, _), i)| replace(&f.body, f.params[0].id, &elements.parts[*i]))
        .collect();
    // Elements that are arrays must be one nest of maps, too.
    let flat = bodies.iter().all(|body| matches!(body.ty(), Type::Scalar(_) | Type::Tuple(_)));
    let body = if flat && bodies.iter().all(|body| !contains_array(body.ty())) {
        Expr::tuple(bodies)
    } else {
        fuse(&bodies, facts)?
    };
    Some(Expr::map(Lambda { params: vec![elements.param], body }, xs))
}

/// A variable for the elements of several arrays.
struct Elements {
    param: Param,
    parts: Vec<Expr>,
}

fn zipped(sources: &[&Expr], f: &Lambda) -> Option<(Expr, Elements)> {
    if let [xs] = sources {
        let (element, _) = xs.ty().as_array()?;
        let param = Param::new(&f.params[0].name, element.clone());
        let parts = vec![Expr::param(&param)];
        return Some(((*xs).clone(), Elements { param, parts }));
    }
    // As many as `zip` takes.
    if sources.len() > 8 {
        return None;
    }
    let all = Expr::prim(Prim::Zip, sources.iter().map(|xs| Arg::Data((*xs).clone())).collect());
    let (element, _) = all.ty().as_array()?;
    let param = Param::new("all", element.clone());
    let parts = (0..sources.len()).map(|i| Expr::field(Expr::param(&param), i)).collect();
    Some((all, Elements { param, parts }))
}
