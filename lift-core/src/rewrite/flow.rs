//! Which parts of an expression are stored with it, piece by piece, and which are read: what the walks that decide places, check them and
//! find owners have in common.

use crate::ir::prim::{Role, Write};
use crate::ir::{Arg, Expr, Kind, Memory, Place, Prim, Type};
use crate::rewrite::spread::as_spread;

/// How a part of an expression is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It is stored piece by piece, where what is around it goes.
    Stored,
    /// Its elements are read.
    Read,
    /// A loop that stores goes through it, element by element.
    Streamed,
}

/// How the parts of an expression whose elements are read are used, in the order of [`Expr::children`].
pub fn uses_of_read(e: &Expr) -> Vec<Use> {
    match e.as_prim() {
        Some((Prim::Store(_), _)) => vec![Use::Stored],
        // The accumulator is stored piece by piece.
        Some((prim, [Arg::Fun(_), ..])) if prim.is_loop_reduction() && matches!(e.ty(), Type::Array(..)) => {
            vec![Use::Stored, Use::Read, Use::Read]
        }
        _ => vec![Use::Read; e.children().len()],
    }
}

/// How the parts of an expression that is stored are used, in the order of [`Expr::children`]. Nothing if they are not stored with it:
/// then it is a value whose elements are read.
pub fn uses(e: &Expr) -> Option<Vec<Use>> {
    match e.kind() {
        // The parts of one map may be the results.
        Kind::Let(..) if as_spread(e).is_some() => Some(vec![Use::Stored, Use::Stored]),
        Kind::Let(..) => Some(vec![Use::Read, Use::Stored]),
        Kind::If(..) => Some(vec![Use::Read, Use::Stored, Use::Stored]),
        Kind::Tuple(parts) => Some(vec![Use::Stored; parts.len()]),
        Kind::Prim(prim, args) => of_arguments(*prim, args.iter().filter_map(Arg::expr).count()),
        Kind::Param(_)
        | Kind::Literal(_)
        | Kind::Size(_)
        | Kind::Unary(..)
        | Kind::Binary(..)
        | Kind::Math(..)
        | Kind::Cast(..)
        | Kind::Field(..)
        | Kind::ArrayLiteral(_) => None,
    }
}

/// The same for the arguments of a primitive that are expressions, of which there are so many.
fn of_arguments(prim: Prim, count: usize) -> Option<Vec<Use>> {
    let last = |last: Use, others: Use| {
        let mut uses = vec![others; count];
        uses[count - 1] = last;
        Some(uses)
    };
    match (prim.row().role, prim) {
        (Role::Layout(Write::Each), _) => Some(vec![Use::Stored; count]),
        (Role::Layout(Write::Moved | Write::Scattered), _) => last(Use::Stored, Use::Read),
        (Role::Store, Prim::Store(Memory::Temporary | Memory::Global)) => last(Use::Stored, Use::Read),
        // It may only say where elements go.
        (Role::Map, Prim::Map(Place::View)) => last(Use::Stored, Use::Stored),
        (Role::Map, Prim::Map(place)) if place.is_loop() => last(Use::Streamed, Use::Stored),
        (Role::Map, _) => last(Use::Read, Use::Stored),
        // What the function gives for each element goes where the elements go.
        (Role::Compute, Prim::ScanWith) => Some(vec![Use::Stored, Use::Read, Use::Read]),
        (Role::Layout(Write::Not) | Role::Store | Role::Compute, _) => None,
    }
}
