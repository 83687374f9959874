//! Elements of arrays, and functions of the elements of several arrays of one shape.

use crate::ir::{Arg, Expr, Lambda, Place, Prim};

/// `xs[i]`, for a number.
pub fn nth(xs: Expr, i: i64) -> Expr {
    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(xs)])
}

/// What tiles are called in one, two and three dimensions.
pub(super) const TILES: [&str; 3] = ["tile", "tiles", "slabs"];

/// What elements are called in one, two and three dimensions.
pub(super) const ELEMENTS: [&str; 3] = ["w", "line", "layer"];

/// What is made of the elements of several arrays, and of what belongs to every dimension alone.
pub(super) type Body<'a> = &'a dyn Fn(&[Expr], &[Option<Expr>]) -> Expr;

/// A function of the elements of several arrays of one shape, with what belongs to every dimension alone. Dimensions have places, which are numbered
/// from the innermost.
pub(super) fn over(
    names: [&str; 3],
    place: fn(usize) -> Place,
    arrays: &[Expr],
    positions: &[Option<Expr>],
    body: Body,
) -> Expr {
    over_below(&[], names, place, (arrays, positions), body)
}

fn over_below(
    known: &[Option<Expr>],
    names: [&str; 3],
    place: fn(usize) -> Place,
    (arrays, positions): (&[Expr], &[Option<Expr>]),
    body: Body,
) -> Expr {
    let Some(own) = positions.get(known.len()) else { return body(arrays, known) };
    let all: Vec<Expr> = arrays.iter().chain(own).cloned().collect();
    let level = positions.len() - 1 - known.len();
    map_together(place(level), names[level.min(2)], &all, &|parts| {
        let own = own.as_ref().and_then(|_| parts.last().cloned());
        let known = [known, &[own]].concat();
        over_below(&known, names, place, (&parts[..arrays.len()], positions), body)
    })
}

/// A function of the elements of several arrays of one length.
pub(super) fn map_together(
    place: Place,
    name: &str,
    arrays: &[Expr],
    body: &dyn Fn(&[Expr]) -> Expr,
) -> Expr {
    map_in(place, name, together(arrays), &|x| body(&apart(&x, arrays.len())))
}

/// A function of the elements of an array.
pub(super) fn map_in(place: Place, name: &str, xs: Expr, body: &dyn Fn(Expr) -> Expr) -> Expr {
    let element = xs.ty().as_array().map_or(xs.ty(), |(element, _)| element).clone();
    Expr::map_in(place, Lambda::unary(name, element, body), xs)
}

/// Arrays of one length as one array.
fn together(arrays: &[Expr]) -> Expr {
    match arrays {
        [one] => one.clone(),
        all => Expr::prim(Prim::Zip, all.iter().cloned().map(Arg::Data).collect()),
    }
}

/// The elements of so many arrays that were put together.
fn apart(x: &Expr, count: usize) -> Vec<Expr> {
    match count {
        1 => vec![x.clone()],
        _ => (0..count).map(|i| Expr::field(x.clone(), i)).collect(),
    }
}
