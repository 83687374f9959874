//! Scalars that a function of rows defines, and that cost little, are defined where an element is computed: then the maps on both sides of the
//! definition are a nest, whose dimensions work-items share out.

use crate::ir::{Expr, Kind, Lambda, Param, Prim};
use crate::machine::work::{FEW, LIGHT};
use crate::rewrite::demand::{contains_array, cost};
use crate::rewrite::layout::{Writer, as_map, as_output, is_scanned, writer};
use crate::rewrite::position;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::simplify::as_let;
use crate::rewrite::scope::occurrences;
use crate::rewrite::strategy::Derivation;

pub static SINK_LET: Rule = Rule {
    name: "sink_let",
    about: "A scalar that costs little is computed for each element of a row, in place of once: no work-item has a whole row for its sake.",
    equation: "map(|r| { let x = v; map(f) << e }) = map(|r| map(|y| { let x = v; f(y) }) << e)",
    when: "for a v without loops, if x does not occur in e, and e is neither known to be short nor a scan; also if a tuple or layout is around the inner map",
    apply: |e, _| {
        let (f, xs) = as_map(e)?;
        let (x, v, body) = as_let(&f.body)?;
        is_light(v).then_some(())?;
        let body = sunk(x, v, body)?;
        Some(Expr::map(Lambda { params: f.params.clone(), body }, xs.clone()))
    },
};

/// Whether this is a scalar that is cheap enough to be computed for each element of a row.
fn is_light(v: &Expr) -> bool {
    let is_loop = |e: &Expr| {
        e.as_reduction().is_some()
            || matches!(
                e.as_prim(),
                Some((
                    Prim::Scan(_)
                        | Prim::ReduceByKey(_)
                        | Prim::Iterate
                        | Prim::IterateUntil
                        | Prim::Store(_),
                    _
                ))
            )
    };
    !contains_array(v.ty()) && cost(v) <= LIGHT && !v.any(&|e| is_loop(e))
}

/// The definition, and those after it, inside of the maps that write what follows.
fn sunk(x: &Param, v: &Expr, e: &Expr) -> Option<Expr> {
    if let Some((f, xs)) = as_map(e) {
        let is_short = xs.ty().length().as_const().is_some_and(|n| n <= FEW);
        if is_short || is_scanned(xs) || occurrences(xs, x.id).count > 0 {
            return None;
        }
        let body = Expr::let_(x.clone(), v.clone(), f.body.clone());
        return Some(Expr::map(Lambda { params: f.params.clone(), body }, xs.clone()));
    }
    if let Some((y, w, body)) = as_let(e) {
        return is_light(w).then(|| sunk(y, w, body))?.and_then(|inner| sunk(x, v, &inner));
    }
    if let Kind::Tuple(parts) = e.kind() {
        let part = |part: &Expr| match occurrences(part, x.id).count {
            0 => Some(part.clone()),
            // No variable is bound twice.
            _ => Some(sunk(x, v, part)?.refresh()),
        };
        return Some(Expr::tuple(parts.iter().map(part).collect::<Option<_>>()?));
    }
    let (child, inner) = as_output(e)?;
    let outside = e.children().into_iter().enumerate().filter(|(i, _)| *i != child);
    let mut is_used = outside.map(|(_, other)| occurrences(other, x.id).count > 0);
    if is_used.any(|used| used) {
        return None;
    }
    Some(e.with_below(&[child], &sunk(x, v, inner)?))
}

/// In the nest of maps that writes what stands there.
pub fn sink_everything(d: &mut Derivation, position: &[usize]) {
    let Some(e) = d.get(position) else { return };
    let Some((path, writer)) = writer(&e) else { return };
    let there = position::join(position, &path);
    match writer {
        Writer::Loop => {}
        Writer::Parts => {
            let count = d.get(&there).map_or(0, |parts| parts.children().len());
            (0..count).for_each(|i| sink_everything(d, &position::join(&there, &[i])));
        }
        Writer::Map => {
            d.apply(&SINK_LET, &there);
            sink_everything(d, &position::body(&there));
        }
    }
}
