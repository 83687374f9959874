//! Fusion: one traversal instead of two.

use crate::ir::{Expr, Lambda, Type};
use crate::rewrite::layout::{as_map, is_view};
use crate::rewrite::rule::Rule;
use crate::rewrite::scope::occurrences;

pub static MAP_MAP: Rule = Rule {
    name: "map_map",
    about: "Fuses two computations. A `map` that only moves data is left alone: it costs nothing where it is, and the shapes of `slide2d` and its like \
            stay recognisable. The intermediate value is bound, so that nothing is computed twice; an array is only passed on if it is used once.",
    equation: "map(g) . map(f) = map(g . f)",
    when: "",
    apply: |e, _| map_map(e),
};

fn map_map(e: &Expr) -> Option<Expr> {
    let (g, ys) = as_map(e)?;
    let (f, xs) = as_map(ys)?;
    let [y] = g.params.as_slice() else { return None };
    let passes = is_scalar(f.body.ty()) || occurrences(&g.body, y.id).at_most_once();
    if is_view(&f.body) || is_view(&g.body) || !passes {
        return None;
    }
    let body = Expr::let_(y.clone(), f.body.clone(), g.body.clone());
    Some(Expr::map(Lambda { params: f.params.clone(), body }, xs.clone()))
}

fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Tuple(parts) => parts.iter().all(is_scalar),
        Type::Array(..) => false,
    }
}
