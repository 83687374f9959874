//! One work-group per row that is reduced.
//!
//! Before: a normalised expression. After, if its root maps over rows and reduces each to scalars: a group computes what becomes of
//! a row. Its work-items read vectors that lie side by side, each every 128th; their sums meet in local
//! memory, and what is computed from the reduction follows, be it a number or another row. With a work-item for each row, neighbours would read elements
//! that are a whole row apart.

use crate::arith::ArithExpr;
use crate::explore::least::{Least, open};
use crate::explore::naive::outermost_first;
use crate::explore::reason::{Made, NO_NEST, Reason, nested, written, written_nest};
use crate::explore::strided::all_rows;
use crate::explore::variant::Variant;
use crate::ir::{Arg, Expr, Kind, Order, Prim, Type};
use crate::machine::rows::{FAR, FEW_COLUMNS, ITEMS, ITEMS_OF_REREAD, SHORT, STEP};
use crate::rewrite::layout::{Writer, as_map, writer};
use crate::rewrite::normal;
use crate::rewrite::position::{self, ELEMENTS, OF, REDUCED, outside};
use crate::rewrite::rule::{Rewrite, Rule};
use crate::rewrite::rules::reduction::{as_reduce, is_flat, vector};
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::rules::{fusion, memory, partial, place, simplify, store};
use crate::rewrite::strategy::{Derivation, Position, Strategy};

/// What a row is reduced to is what the family is about.
pub(super) const NO_ROWS: Reason =
    Reason::Because("the result does not reduce long rows, each to scalars, whose elements lie side by side");

/// A reduction is shared only in parts.
pub(super) const NO_PARTS: Reason = Reason::Because("a row cannot be reduced in parts");

/// The variant that a normalised expression becomes, if its root reduces rows.
pub(super) fn variant(mut d: Derivation) -> Made {
    unheld(&mut d);
    let least = least(&d);
    let (items, reduce): (i64, Reduce) = match rereads(&d) {
        true => (ITEMS_OF_REREAD, by_group::<ITEMS_OF_REREAD>),
        false => (ITEMS, by_group::<ITEMS>),
    };
    let (map, _) = place_rows(&mut d, &place::WORKGROUP)?;
    reduce_rows(&mut d, &position::body(&map), reduce, share_row)?;
    Ok(Variant { local: vec![items.into()], least, ..Variant::of("rows", d) })
}

/// What is computed for every element of a row after it is reduced is shared by the items of its group as well.
pub(super) fn share_row(d: &mut Derivation, row: &[usize]) {
    d.get(row)
        .map(|e| written_rows(&e))
        .unwrap_or_default()
        .iter()
        .for_each(|at| one_row(d, &position::join(row, at)));
    place::nest(d, row, &[&place::LOCAL[0]], Some(&place::SEQ));
}

/// No group holds a row between its reductions.
pub(super) fn unheld(d: &mut Derivation) {
    if Strategy::Rule(&store::LET_MAP).all().apply(d) {
        normal::strategy(Strategy::once).apply(d);
    }
}

/// How long the rows should be that the innermost of the maps reduces.
pub(super) fn least(d: &Derivation) -> Least {
    let map = written_nest(d).ok().and_then(|(_, innermost, _)| d.get(&innermost));
    let Some((f, rows)) = map.as_ref().and_then(as_map) else { return Least::new() };
    let all = reductions(&f.body, SHORT).into_iter();
    long(rows, all.filter_map(|at| Some(f.body.below(&at)?.child(REDUCED)?.ty().length())))
}

/// What reduces what stands at a position.
type Reduce = fn(&mut Derivation, &[usize]) -> Option<()>;

/// Whether rows are read several times, by reductions one after the other, or to compute other rows.
pub(super) fn rereads(d: &Derivation) -> bool {
    let map = written_nest(d).ok().and_then(|(_, innermost, _)| d.get(&innermost));
    let Some((f, _)) = map.as_ref().and_then(as_map) else { return false };
    !is_flat(f.body.ty()) || reductions(&f.body, SHORT).len() > 1
}

/// Gives every row that the root reduces to one of these places. Returns where the innermost of the maps stands, and the number of dimensions.
pub(super) fn place_rows(
    d: &mut Derivation,
    places: &'static [Rule; 3],
) -> Result<(Position, usize), Reason> {
    let path = written(d)?;
    let dims = d.get(&path).map_or(0, |map| place::depth(&map));
    if dims > places.len() || !reads_rows(d, &path, dims, SHORT) {
        return Err(NO_ROWS);
    }
    Ok((nested(d, &path, &outermost_first(places, dims))?, dims))
}

/// Of a matrix, or more dimensions, all elements are one row: neighbouring items write what lies side by side, however long its own rows are.
fn one_row(d: &mut Derivation, at: &[usize]) {
    let (lens, dims) = d.get(at).map(|map| (map.ty().shape().0, place::depth(&map))).unwrap_or_default();
    // A result without elements is not launched.
    lens.iter().take(dims).skip(1).for_each(|n| d.assume_some(n));
    all_rows(d, at, dims);
}

/// Where maps write a value, or the parts of it.
fn written_rows(e: &Expr) -> Vec<Position> {
    match writer(e) {
        Some((path, Writer::Map)) => vec![path],
        Some((path, Writer::Parts)) => {
            let parts = e.below(&path).map(Expr::children).unwrap_or_default().into_iter().enumerate();
            let below = |(i, part)| written_rows(part).into_iter().map(move |at| position::join(&[i], &at));
            parts.flat_map(below).map(|at| position::join(&path, &at)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the items of a group can share what becomes of a row: a scalar, a row that a map writes, or several of these.
pub(super) fn is_shared(e: &Expr) -> bool {
    match writer(e) {
        Some((_, Writer::Map)) => true,
        Some((path, Writer::Parts)) => {
            e.below(&path).is_some_and(|tuple| tuple.children().into_iter().all(is_shared))
        }
        _ => is_flat(e.ty()),
    }
}

/// What becomes of a row, as it stands at a position, is reduced in some way; and the row that may become of it is computed in another.
pub(super) fn reduce_rows(
    d: &mut Derivation,
    body: &[usize],
    reduce: Reduce,
    row: fn(&mut Derivation, &[usize]),
) -> Result<(), Reason> {
    // What is known of the positions stays true: a reduction is replaced where it stands.
    let function = d.get(body).ok_or(NO_NEST)?;
    for reduction in reductions(&function, SHORT) {
        reduce(d, &position::join(body, &reduction)).ok_or(NO_PARTS)?;
    }
    if !is_flat(function.ty()) {
        row(d, body);
    }
    place::unroll_reductions(d);
    Ok(())
}

/// Whether the innermost of these maps reduces rows of its own, which are not known to be shorter than this, to scalars, and their elements are neighbours.
pub(super) fn reads_rows(d: &Derivation, path: &[usize], dims: usize, shortest: i64) -> bool {
    let Some(mut map) = d.get(path) else { return false };
    // Windows overlap: neighbours read the same, unless they are far apart.
    if Stencil::find(&map).is_some_and(|stencil| stencil.has_windows() && !are_far_apart(&stencil)) {
        return false;
    }
    for _ in 1..dims {
        match as_map(&map) {
            Some((f, _)) => map = f.body.clone(),
            None => return false,
        }
    }
    let Some((f, xs)) = as_map(&map) else { return false };
    let [param] = f.params.as_slice() else { return false };
    // Few columns with an item each leave a device idle.
    let few =
        dims == 1 && xs.ty().as_array().and_then(|(_, n)| n.as_const()).is_some_and(|n| n <= FEW_COLUMNS);
    let own_row = |e: &Expr| is_own_row(e, param.id) && (few || !is_column(e, xs));
    let found = reductions(&f.body, shortest);
    let all = found.iter().all(|at| {
        let Some(xs) = f.body.below(at).and_then(|e| e.child(REDUCED)) else { return false };
        // What lies at indices of a row does not lie side by side.
        let gathered = |e: &Expr| matches!(e.as_prim(), Some((Prim::Gather, _)));
        contains(xs, &own_row) && !contains(xs, &gathered)
    });
    is_shared(&f.body) && !found.is_empty() && all
}

/// Whether neighbouring windows begin so far from each other that items which have one each do not read side by side.
fn are_far_apart(stencil: &Stencil) -> bool {
    let is_far = |(_, step): &(ArithExpr, ArithExpr)| step.as_const().is_some_and(|step| step >= FAR);
    stencil.inputs.iter().filter_map(|input| input.windows.last()).all(is_far)
}

/// Whether one of these maps reduces something in an arm. A group that has one row goes one way; items with rows of their own cannot wait for each other there.
pub(super) fn has_choices(d: &Derivation, path: &[usize], shortest: i64) -> bool {
    let mut map = d.get(path);
    while let Some((f, _)) = map.as_ref().and_then(as_map) {
        if is_chosen(&f.body, shortest) {
            return true;
        }
        map = Some(f.body.clone());
    }
    false
}

/// Whether a reduction stands in an arm.
fn is_chosen(e: &Expr, shortest: i64) -> bool {
    let reduces = |arm: &Expr| !reductions(arm, shortest).is_empty() || is_chosen(arm, shortest);
    match e.kind() {
        Kind::If(c, a, b) => is_chosen(c, shortest) || reduces(a) || reduces(b),
        _ => outside(e).into_iter().any(|(_, x)| is_chosen(x, shortest)),
    }
}

/// Whether this is the array, or an array in the tuple, that the variable stands for.
pub(super) fn is_own_row(e: &Expr, id: u32) -> bool {
    let whole = match e.kind() {
        Kind::Field(x, _) => x,
        _ => e,
    };
    matches!(e.ty(), Type::Array(..)) && matches!(whole.kind(), Kind::Param(p) if p.id == id)
}

/// Whether these rows of `xs` are columns of what is stored, if only in part: then items that have one each read neighbours.
pub(super) fn is_column(row: &Expr, xs: &Expr) -> bool {
    let part = match (row.kind(), xs.as_prim()) {
        (Kind::Field(_, i), Some((Prim::Zip, parts))) => parts.get(*i).and_then(Arg::data),
        _ => Some(xs),
    };
    // Where whole rows change places, elements of each lie side by side as before.
    let is_of_elements = |e: &Expr| {
        let inner = e.ty().as_array().and_then(|(row, _)| row.as_array()).map(|(element, _)| element);
        matches!(e.as_prim(), Some((Prim::Transpose, _)))
            && inner.is_some_and(|element| element.small_count(&Clone::clone).is_some())
    };
    part.unwrap_or(xs).any(&is_of_elements)
}

/// Whether there is such an expression outside of functions.
fn contains(e: &Expr, found: &dyn Fn(&Expr) -> bool) -> bool {
    found(e) || outside(e).into_iter().any(|(_, x)| contains(x, found))
}

/// Where the reductions stand, to scalars, of arrays that are not known to be shorter than this, and that are not in functions, the last first.
pub(super) fn reductions(e: &Expr, shortest: i64) -> Vec<Position> {
    let mut found: Vec<Position> = Vec::new();
    for (i, x) in outside(e) {
        found.extend(reductions(x, shortest).into_iter().map(|at| position::join(&[i], &at)));
    }
    found.reverse();
    if let Some((Prim::Reduce(Order::Any), [_, _, Arg::Data(xs)])) = e.as_prim()
        && found.is_empty()
        && is_flat(e.ty())
        && xs.ty().length().as_const().is_none_or(|n| n >= shortest)
    {
        return vec![Position::new()];
    }
    found
}

/// What the lengths should be, of those that are not known, of the rows in an array that are shared by a group each. A known number of rows are few: then a
/// group takes less time for a short row than an item.
pub(super) fn long(rows: &Expr, lengths: impl IntoIterator<Item = ArithExpr>) -> Least {
    let few = rows.ty().length().as_const().is_some();
    open(lengths.into_iter().filter(|n| !few && n.as_const().is_none()).map(|n| (n, SHORT)))
}

/// The reduction at a position, by all work-items of a group.
pub(super) fn by_group<const ITEMS: i64>(d: &mut Derivation, at: &[usize]) -> Option<()> {
    let sums = partial_sums::<ITEMS>(d, at)?;
    d.apply(&partial::SHARED_TO_LOCAL, &sums)?;
    let [sums] = sized(d, &partial::REDUCE_STRIDED, at, STEP)?.focus()?;
    d.apply(&place::LOCAL[0], &sums)?;
    d.apply(&partial::SHARED_TO_LOCAL, &sums).map(drop)
}

/// Splits the reduction at a position into partial reductions, one for each of so many work-items. Returns where these stand.
pub(super) fn partial_sums<const ITEMS: i64>(d: &mut Derivation, at: &[usize]) -> Option<Position> {
    let vector = vector(as_reduce(&d.get(at)?)?.2);
    // Whole vectors, and what fills none.
    let [whole, rest] = sized(d, &partial::REDUCE_REST, at, ITEMS * vector)?.focus()?;
    if vector > 1 {
        let [vectors] = sized(d, &partial::REDUCE_SPLIT, &whole, vector)?.focus()?;
        by_vectors(d, &vectors);
    }
    sized(d, &partial::REDUCE_STRIDED, &whole, ITEMS)?;
    sized(d, &partial::REDUCE_STRIDED, &rest, ITEMS)?;
    let [sums] = d.apply(&partial::REDUCE_ZIP, at)?.focus()?;
    d.apply(&place::LOCAL[0], &sums)?;
    Some(sums)
}

/// The map that stands here reads whole vectors before it computes anything.
pub fn by_vectors(d: &mut Derivation, map: &[usize]) {
    let pieces = position::join(map, &[ELEMENTS]);
    let fused = Strategy::Seq(vec![
        Strategy::Rule(&partial::TAKE_MAP).at(position::join(&pieces, &[OF])).try_(),
        Strategy::Rule(&partial::SPLIT_MAP).at(pieces),
        Strategy::Rule(&fusion::MAP_MAP).at(map.to_vec()),
        Strategy::Rule(&simplify::LET_ONCE).at(position::body(map)).try_(),
    ]);
    fused.apply(d);
    Strategy::Rule(&memory::TILE_TO_PRIVATE).at(map.to_vec()).apply(d);
}

/// Applies a rule that introduces a size, and chooses it.
pub fn sized(d: &mut Derivation, rule: &'static Rule, at: &[usize], size: i64) -> Option<Rewrite> {
    let new = d.apply(rule, at)?;
    new.sizes.iter().for_each(|var| d.choose(var, size));
    let padded = d.get(at)?;
    if let Some(path) = padding(&padded) {
        Strategy::Rule(&simplify::PAD_NONE).at(position::join(at, &path)).apply(d);
    }
    Some(new)
}

/// Where the array stands that was filled up: below the order of the pieces.
fn padding(e: &Expr) -> Option<Position> {
    let mut path = vec![REDUCED, ELEMENTS];
    let mut current = e.below(&path)?;
    while let Some((Prim::Split | Prim::Transpose, _)) = current.as_prim() {
        path.push(0);
        current = current.children().first().copied()?;
    }
    Some(path)
}
