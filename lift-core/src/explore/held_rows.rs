//! One work-group per row that becomes another one after it is reduced, by way of local memory.
//!
//! Before: a normalised expression. After, if its root maps over rows, reduces each to scalars, and computes rows from rows and these: a group copies
//! its row to local memory first. Global memory is read once, whatever of the rows of a device its caches hold.

use crate::arith::ArithExpr;
use crate::explore::least::{at_most, unknown};
use crate::explore::reason::{Made, NO_NEST, Reason, must, written_nest};
use crate::explore::rows::{by_group, least, place_rows, reduce_rows, share_row, unheld};
use crate::explore::variant::Variant;
use crate::ir::{Arg, Expr, Kind, Memory, Prim, Type};
use crate::machine::rows::{ITEMS_OF_REREAD, LONGEST_HELD_BYTES, SHORTEST_HELD_BYTES};
use crate::rewrite::layout::as_map;
use crate::rewrite::position::{self, DEFINED, OF, REST};
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::{memory, place};
use crate::rewrite::strategy::{Derivation, Position};

/// What the version is called.
pub(super) const NAME: &str = "held_rows";

const NO_ROWS: Reason = Reason::Because(
    "no rows are computed from rows that are reduced, so that little is gained by copies of these",
);

const OTHER_LENGTH: Reason = Reason::Because(
    "a row, with all that is read beside it, is so short that caches hold it, or longer than local memory holds",
);

const PLANES: Reason = Reason::Because("what is reduced is no row, but has more dimensions");

/// The variant that a normalised expression becomes, if its root reduces rows and computes rows.
pub(super) fn variant(mut d: Derivation) -> Made {
    unheld(&mut d);
    let (.., innermost, _) = written_nest(&d)?;
    if d.get(&innermost).and_then(|map| Some(is_flat(as_map(&map)?.0.body.ty()))) != Some(false) {
        return Err(NO_ROWS);
    }
    let mut least = least(&d);
    let (map, _) = place_rows(&mut d, &place::WORKGROUP)?;
    let (body, bytes) = held(&mut d, &map)?;
    let suits = [(bytes.clone(), SHORTEST_HELD_BYTES), at_most(&bytes, LONGEST_HELD_BYTES)];
    least.extend(unknown(suits).ok_or(OTHER_LENGTH)?);
    reduce_rows(&mut d, &body, by_group::<ITEMS_OF_REREAD>, share_row)?;
    Ok(Variant { local: vec![ITEMS_OF_REREAD.into()], least, ..Variant::of(NAME, d) })
}

/// The items of a group copy what the function of this map works on. Returns where what becomes of it stands, and the bytes of the copies.
fn held(d: &mut Derivation, map: &[usize]) -> Result<(Position, ArithExpr), Reason> {
    let e = d.get(map).ok_or(NO_NEST)?;
    let Some((_, [Arg::Fun(f), ..])) = e.as_prim() else { return Err(NO_NEST) };
    let rule = match f.params.as_slice() {
        [row] if matches!(row.ty, Type::Tuple(_)) => &memory::PARTS_TO_LOCAL,
        _ => &memory::TILE_TO_LOCAL,
    };
    must(d, rule, map)?;
    let (mut body, mut bytes) = (position::body(map), ArithExpr::zero());
    while let Some(copy) = d.get(&body).and_then(|e| copied(&e)) {
        for (dims, scalar) in copy.leaves() {
            // With an item for each row of a plane, neighbours would copy what is a row apart.
            let [n] = dims.as_slice() else { return Err(PLANES) };
            bytes = bytes + n * scalar.bytes();
        }
        place::nest(d, &position::join(&body, &[DEFINED, OF]), &[&place::LOCAL[0]], Some(&place::SEQ));
        body.push(REST);
    }
    Ok((body, bytes))
}

/// The type of what is kept in local memory, if that is what an expression begins with.
fn copied(e: &Expr) -> Option<Type> {
    let Kind::Let(_, v, _) = e.kind() else { return None };
    matches!(v.as_prim(), Some((Prim::Store(Memory::Local), _))).then(|| v.ty().clone())
}
