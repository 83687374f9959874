//! Who has which element of an accumulator: what a reduction computes piece by piece, work-items keep for themselves.

use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Place, Prim, Type};

/// The work-item that has an element, dimension by dimension, outermost first: the parallel map that goes through
/// it, or none where one work-item has all. It ends with a map.
pub type Owner = Vec<Option<Place>>;

/// The parallel map that this is.
pub fn parallel(prim: Prim) -> Option<Place> {
    prim.place().filter(|place| place.is_parallel())
}

/// Who has the elements of a value that is computed piece by piece; `None` where that cannot be said.
pub fn owner(e: &Expr) -> Option<Owner> {
    let of = match (e.kind(), e.as_prim()) {
        (Kind::Let(_, _, body), _) => owner(body)?,
        (Kind::If(_, a, b), _) => owner(a).filter(|own| Some(own) == owner(b).as_ref())?,
        (_, Some((prim, [.., Arg::Fun(f), Arg::Data(_)]))) if prim.is_map() => {
            [vec![parallel(prim)], owner(&f.body)?].concat()
        }
        (_, Some((prim, [Arg::Fun(f), ..]))) if prim.is_loop_reduction() => owner(&f.body)?,
        (_, Some((Prim::Transpose, [Arg::Data(xs)]))) => {
            let mut own = owner(xs)?;
            own.resize(own.len().max(2), None);
            own.swap(0, 1);
            own
        }
        _ if is_spread(e) => return None,
        _ => Vec::new(),
    };
    let kept = of.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    Some(of[..kept].to_vec())
}

/// Whether a parallel map takes part in computing a value that is no copy for all.
fn is_spread(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Store(Memory::Local), _)) => false,
        Some((prim, _)) if parallel(prim).is_some() => true,
        _ => e.children().into_iter().any(is_spread),
    }
}

/// An array that is reduced to, element by element, where its owners store it: the same maps again.
pub fn handed_over(e: &Expr) -> Expr {
    match (e.as_prim(), owner(e)) {
        (Some((prim, _)), Some(own)) if prim.is_loop_reduction() => copied(e.clone(), &own).at(e.span()),
        _ => e.clone(),
    }
}

fn copied(xs: Expr, own: &[Option<Place>]) -> Expr {
    let ([first, rest @ ..], Type::Array(element, _)) = (own, xs.ty().clone()) else { return xs };
    let f = Lambda::unary("x", Type::clone(&element), |x| copied(x, rest));
    Expr::map_in(first.unwrap_or(Place::Sequential), f, xs)
}
