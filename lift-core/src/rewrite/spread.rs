//! Several results of one map, each stored in a layout of its own.
//!
//! Before: `let (a, b) = xs.map_global(0, f).unzip(); (a.scatter(…), b.transpose())`, in any layouts that can be
//! followed when writing. After: the map is the only thing that is computed, and its parts are known by where they go.

use crate::ir::prim::Write;
use crate::ir::walk::is_placed;
use crate::ir::{Arg, Expr, Kind, Lambda, Param, Place, Prim, Type};
use crate::rewrite::demand::contains_array;
use crate::rewrite::scope::occurrences;

/// The value of the definition at the root, if it is the one map of a launch, and what follows stores each part of it once.
pub fn as_spread(e: &Expr) -> Option<&Expr> {
    let Kind::Let(param, value, body) = e.kind() else { return None };
    if !is_global_map(value) {
        return None;
    }
    let mut end = body;
    while let Kind::Let(_, value, body) = end.kind() {
        if occurrences(value, param.id).count > 0 {
            return None;
        }
        end = body;
    }
    let mut parts = Vec::new();
    flatten(end, &mut parts);
    is_spread(param, &parts).then_some(value)
}

/// Whether these are layouts of the parts of a variable, each of which occurs once.
pub fn is_spread(param: &Param, parts: &[&Expr]) -> bool {
    let mut wanted = Vec::new();
    paths(&param.ty, &mut Vec::new(), &mut wanted);
    let found: Vec<Vec<usize>> = parts.iter().filter_map(|part| path(innermost(part), param)).collect();
    let count: usize = parts.iter().map(|part| occurrences(part, param.id).count).sum();
    let once = |path: &Vec<usize>| found.iter().filter(|part| path.starts_with(part)).count() == 1;
    found.len() > 1 && count == found.len() && wanted.iter().all(once)
}

/// Whether work-items compute this, an element each.
pub fn is_global_map(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Unzip, [Arg::Data(inner)])) => is_global_map(inner),
        Some((Prim::Map(Place::Global(_)), _)) => true,
        _ => false,
    }
}

/// The ways to the parts of tuples, or of the elements of an array.
fn paths(ty: &Type, path: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
    match ty {
        Type::Array(element, _) if path.is_empty() => paths(element, path, out),
        Type::Tuple(parts) => {
            for (i, part) in parts.iter().enumerate() {
                path.push(i);
                paths(part, path, out);
                path.pop();
            }
        }
        Type::Scalar(_) | Type::Array(..) => out.push(path.clone()),
    }
}

/// Which part of the variable this is.
fn path(e: &Expr, param: &Param) -> Option<Vec<usize>> {
    match e.kind() {
        Kind::Param(p) => (p == param).then(Vec::new),
        Kind::Field(x, i) => {
            let mut path = path(x, param)?;
            path.push(*i);
            Some(path)
        }
        Kind::Prim(Prim::Unzip, args) => path(args.first()?.data()?, param),
        _ => None,
    }
}

/// What is stored in the end, without the layouts that say where its elements go.
pub fn innermost(e: &Expr) -> &Expr {
    match outermost(e) {
        Some(inner) => innermost(inner),
        None => e,
    }
}

/// What the outermost operation rearranges, if it can be followed when writing.
pub fn outermost(e: &Expr) -> Option<&Expr> {
    match e.as_prim()? {
        // Parts have places of their own anyway.
        (Prim::Unzip, _) => None,
        (prim, [.., Arg::Data(xs)]) if matches!(prim.write(), Write::Moved | Write::Scattered) => Some(xs),
        (Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)]) if rearranges(f) => Some(xs),
        _ => None,
    }
}

fn rearranges(f: &Lambda) -> bool {
    let [param] = f.params.as_slice() else { return false };
    let mut e = &f.body;
    loop {
        match (e.kind(), e.as_prim()) {
            (Kind::Param(p), _) => return p == param,
            // Elements have no place of their own that could be computed.
            (_, Some((prim, _))) if prim.write() == Write::Scattered => return false,
            _ => match outermost(e) {
                Some(inner) => e = inner,
                None => return false,
            },
        }
    }
}

fn flatten<'a>(e: &'a Expr, parts: &mut Vec<&'a Expr>) {
    match e.kind() {
        Kind::Tuple(inner) => inner.iter().for_each(|part| flatten(part, parts)),
        _ => parts.push(e),
    }
}

/// Whether the elements of a map are written without a loop: scalars, and small arrays element by element.
pub fn is_written_out(value: &Expr) -> bool {
    match (value.kind(), value.as_prim()) {
        (_, Some((Prim::Unzip, [Arg::Data(inner)]))) => is_written_out(inner),
        (_, Some((Prim::Map(Place::Global(_)), [Arg::Fun(f), _]))) => is_element_written_out(&f.body),
        _ => false,
    }
}

fn is_element_written_out(e: &Expr) -> bool {
    if !contains_array(e.ty()) {
        return true;
    }
    match (e.kind(), e.as_prim()) {
        (Kind::Let(_, _, body), _) => is_element_written_out(body),
        (Kind::Tuple(parts), _) => parts.iter().all(is_element_written_out),
        (_, Some((Prim::Map(Place::Unrolled), [Arg::Fun(f), _]))) => is_element_written_out(&f.body),
        _ => !is_placed(e) && e.ty().small_count(&Clone::clone).is_some(),
    }
}
