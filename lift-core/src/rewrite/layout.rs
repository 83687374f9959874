//! Which expressions compute nothing: they only say where elements are read or written.

use crate::ir::prim::Write;
use crate::ir::{Arg, BinaryOp, Boundary, Expr, Kind, Lambda, Place, Prim, Type, UnaryOp};
use crate::rewrite::strategy::Position;

/// Whether this only moves data around: variables, literals and sizes, and layout primitives, projections
/// and tuples of such.
pub fn is_view(e: &Expr) -> bool {
    match e.kind() {
        Kind::Param(_) | Kind::Literal(_) | Kind::Size(_) => true,
        // A number such as `-1.0` or `i32::MIN`.
        Kind::Unary(UnaryOp::Neg, x) => is_constant(x),
        Kind::Binary(BinaryOp::Sub, a, b) => is_constant(a) && is_constant(b),
        Kind::Prim(Prim::Map(Place::View), args) => match args.as_slice() {
            [Arg::Fun(f), Arg::Data(xs)] => is_view(&f.body) && is_view(xs),
            _ => false,
        },
        // The function says where, too.
        Kind::Prim(Prim::Reorder, args) => args.iter().filter_map(Arg::data).all(is_view),
        // What lies outside is computed where it is read.
        Kind::Prim(Prim::Pad, args) => args.iter().all(|arg| match arg {
            Arg::Boundary(Boundary::Index(f) | Boundary::Value(f)) => is_scalar_code(&f.body),
            arg => arg.expr().is_none_or(is_view),
        }),
        Kind::Let(_, value, body) => is_view(value) && is_view(body),
        _ => is_view_node(e) && e.children().into_iter().all(is_view),
    }
}

/// Whether no array is used in it: what it computes takes a few operations.
fn is_scalar_code(e: &Expr) -> bool {
    !matches!(e.kind(), Kind::Prim(..)) && e.children().into_iter().all(is_scalar_code)
}

/// Whether this is a literal, or a negative one.
fn is_constant(e: &Expr) -> bool {
    match e.kind() {
        Kind::Literal(_) => true,
        Kind::Unary(UnaryOp::Neg, x) => is_constant(x),
        _ => false,
    }
}

/// Whether the root of `e` is a layout primitive (other than `map`), a tuple or a projection.
pub fn is_view_node(e: &Expr) -> bool {
    match e.kind() {
        Kind::Tuple(_) | Kind::Field(..) => true,
        // A scalar that is read is worth keeping, a row is not.
        Kind::Prim(Prim::At, _) => matches!(e.ty(), Type::Array(..)),
        Kind::Prim(prim, _) => prim.is_layout(),
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

/// The function and the array, if this is a `map` without a place.
pub fn as_map(e: &Expr) -> Option<(&Lambda, &Expr)> {
    match e.as_prim() {
        Some((Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)])) => Some((f, xs)),
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
        (prim, [.., Arg::Data(xs)]) if prim.write() == Write::Moved => Some((0, xs)),
        (Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)]) if is_output_function(f) => Some((1, xs)),
        _ => None,
    }
}

/// The array whose elements are written elsewhere, and which child it is.
pub fn as_scattered(e: &Expr) -> Option<(usize, &Expr)> {
    match e.as_prim()? {
        (Prim::Scatter, [_, Arg::Data(xs)]) => Some((1, xs)),
        _ => None,
    }
}

/// Where the array stands whose elements are written elsewhere: below layout on the way out and inside `let`.
pub fn scattered(e: &Expr) -> Option<Position> {
    let mut position = Position::new();
    let mut current = e;
    loop {
        if let Kind::Let(_, _, body) = current.kind() {
            position.push(1);
            current = body;
        } else if let Some((child, _)) = as_scattered(current) {
            position.push(child);
            return Some(position);
        } else {
            let (child, xs) = as_output(current)?;
            position.push(child);
            current = xs;
        }
    }
}

/// Where the new elements stand, if `e` replaces some of an array in place; the root otherwise. Cutting a program
/// into launches sees to it that nothing else is replaced.
pub fn replaced(e: &Expr) -> Position {
    let mut position = Position::new();
    let mut current = e;
    while let Kind::Let(_, _, body) = current.kind() {
        position.push(1);
        current = body;
    }
    match current.as_prim() {
        Some((Prim::ScatterTo, _)) => [position, vec![2]].concat(),
        _ => Position::new(),
    }
}

/// What writes the elements of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// A map.
    Map,
    /// A scan, or a reduction by key: the loop of one work-item. Maps over a scan, if any, are part of its loop.
    Loop,
    /// Each child for itself: the parts of a tuple, or arrays one after the other.
    Parts,
}

/// What writes the elements of `e`, and where it stands: below layout on the way out and inside `let`. `None`
/// if something else is at the root.
pub fn writer(e: &Expr) -> Option<(Position, Writer)> {
    let mut position = Position::new();
    let mut current = e;
    loop {
        let child = match (current.kind(), as_output(current).or(as_scattered(current))) {
            (Kind::Let(..), _) => 1,
            (_, Some((child, _))) => child,
            (Kind::Tuple(_) | Kind::Prim(Prim::Concat, _), None) => return Some((position, Writer::Parts)),
            (Kind::Prim(Prim::Scan(_) | Prim::ReduceByKey(_), _), None) => {
                return Some((position, Writer::Loop));
            }
            (Kind::Prim(Prim::Map(Place::View), args), None)
                if args.get(1).and_then(Arg::data).is_some_and(is_scanned) =>
            {
                1
            }
            (Kind::Prim(prim, _), None) if prim.is_map() => return Some((position, Writer::Map)),
            _ => return None,
        };
        position.push(child);
        current = current.child(child)?;
    }
}

/// Whether this is a scan, or a map over one.
pub fn is_scanned(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Scan(_), _)) => true,
        Some((Prim::Map(Place::View), [Arg::Fun(_), Arg::Data(xs)])) => is_scanned(xs),
        _ => false,
    }
}
