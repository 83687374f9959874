//! Which expressions compute nothing: they only say where elements are read or written.

use crate::ir::{Arg, Expr, Kind, Lambda, Prim, Type};
use crate::rewrite::strategy::Position;

/// Whether this only moves data around: variables, literals and sizes, and layout primitives, projections
/// and tuples of such.
pub fn is_view(e: &Expr) -> bool {
    match e.kind() {
        Kind::Param(_) | Kind::Literal(_) | Kind::Size(_) => true,
        Kind::Prim(Prim::Map, args) => match args.as_slice() {
            [Arg::Fun(f), Arg::Data(xs)] => is_view(&f.body) && is_view(xs),
            _ => false,
        },
        // The function says where, too.
        Kind::Prim(Prim::Reorder, args) => args.iter().filter_map(Arg::data).all(is_view),
        Kind::Let(_, value, body) => is_view(value) && is_view(body),
        _ => is_view_node(e) && e.children().into_iter().all(is_view),
    }
}

/// Whether the root of `e` is a layout primitive (other than `map`), a tuple or a projection.
pub fn is_view_node(e: &Expr) -> bool {
    match e.kind() {
        Kind::Tuple(_) | Kind::Field(..) => true,
        // A scalar that is read is worth keeping, a row is not.
        Kind::Prim(Prim::At, _) => matches!(e.ty(), Type::Array(..)),
        Kind::Prim(prim, _) => is_layout_prim(*prim),
        Kind::Param(_)
        | Kind::Literal(_)
        | Kind::Size(_)
        | Kind::Unary(..)
        | Kind::Binary(..)
        | Kind::Math(..)
        | Kind::Cast(..)
        | Kind::If(..)
        | Kind::ArrayLiteral(_)
        | Kind::Let(..) => false,
    }
}

fn is_layout_prim(prim: Prim) -> bool {
    match prim {
        Prim::Zip
        | Prim::Split
        | Prim::Join
        | Prim::Transpose
        | Prim::Slide
        | Prim::Pad
        | Prim::Take
        | Prim::Drop
        | Prim::Concat
        | Prim::Unzip
        | Prim::Gather
        | Prim::Reorder => true,
        Prim::Map
        | Prim::Reduce
        | Prim::Array
        | Prim::At
        | Prim::Fold
        | Prim::Scan
        | Prim::Iterate
        | Prim::Scatter
        | Prim::ScatterTo
        | Prim::Materialize
        | Prim::MapGlobal
        | Prim::MapWorkgroup
        | Prim::MapLocal
        | Prim::MapSeq
        | Prim::ReduceSeq
        | Prim::ToLocal => false,
    }
}

/// The function and the array, if this is a `map` without a place.
pub fn as_map(e: &Expr) -> Option<(&Lambda, &Expr)> {
    match e.as_prim() {
        Some((Prim::Map, [Arg::Fun(f), Arg::Data(xs)])) => Some((f, xs)),
        _ => None,
    }
}

/// The array that a primitive of one array without a function works on.
pub fn as_layout(e: &Expr, prim: Prim) -> Option<&Expr> {
    match e.as_prim() {
        Some((found, [.., Arg::Data(xs)])) if found == prim => Some(xs),
        _ => None,
    }
}

/// Whether `e` is the only parameter of `f`.
pub fn is_parameter(e: &Expr, f: &Lambda) -> bool {
    matches!((e.kind(), f.params.as_slice()), (Kind::Param(p), [q]) if p == q)
}

/// Whether the function says where its argument's elements are to be written: a chain of `take`, `join`,
/// `transpose`, `split` and `map` of such a function, down to the parameter. The identity is not one of
/// them: mapped over an array it is a copy.
pub fn is_output_function(f: &Lambda) -> bool {
    let mut body = &f.body;
    while let Some((_, xs)) = as_output(body) {
        body = xs;
    }
    is_parameter(body, f) && !body.is_same(&f.body)
}

/// The array below a layout through which results can be written, and which child it is.
pub fn as_output(e: &Expr) -> Option<(usize, &Expr)> {
    match e.as_prim()? {
        (Prim::Take | Prim::Join | Prim::Transpose | Prim::Split, [.., Arg::Data(xs)]) => Some((0, xs)),
        (Prim::Map, [Arg::Fun(f), Arg::Data(xs)]) if is_output_function(f) => Some((1, xs)),
        _ => None,
    }
}

/// Where the `map` stands which writes the elements of `e`: below layout on the way out and inside `let`.
/// `None` if something else is at the root.
pub fn writer(e: &Expr) -> Option<Position> {
    let mut position = Position::new();
    let mut current = e;
    loop {
        if let Kind::Let(_, _, body) = current.kind() {
            position.push(1);
            current = body;
        } else if let Some((child, xs)) = as_output(current) {
            position.push(child);
            current = xs;
        } else {
            return current.as_prim().is_some_and(|(prim, _)| prim.is_map()).then_some(position);
        }
    }
}
