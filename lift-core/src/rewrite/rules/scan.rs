//! Scans with a state of their own, and scans by many work-items.
//!
//! A work-group scans a row tile by tile. The items copy a tile to local memory, side by side; each reduces a piece of neighbours; few items scan these sums
//! in two levels; then each item scans its piece, starting with what comes before, and the items store the tile side by side. What the tile sums up to is
//! carried to the next one.

use crate::arith::ArithExpr;
use crate::ir::walk::is_placed;
use crate::ir::{
    Arg, BinaryOp, Boundary, Expr, Lambda, MathFn, Memory, Operation, Order, Param, Place, Prim, Type,
};
use crate::machine::scans::{GROUP, Group, LEVEL};
use crate::rewrite::demand::as_scan;
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::memory::wider;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::{fresh, in_chunks, is_flat};

pub static SCAN_WITH: Rule = Rule {
    name: "scan_with",
    about: "What comes out is a part of the state that nobody reads.",
    equation: "scan_with(f, z, xs) = map(|p| p.1) . scan_seq(|p, x| f(p.0, x), (z, 0)) << xs",
    when: "if f says nothing about places",
    apply: |e, _| {
        let (Prim::ScanWith, [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) = e.as_prim()? else { return None };
        if is_placed(&f.body) {
            return None;
        }
        let (Type::Tuple(parts), [state, x]) = (f.body.ty(), f.params.as_slice()) else { return None };
        let [_, out] = &**parts else { return None };
        let (pair, x) = (Param::new(&state.name, f.body.ty().clone()), Param::new(&x.name, x.ty.clone()));
        let body = f.apply(&[Expr::field(Expr::param(&pair), 0), Expr::param(&x)]);
        let start = Expr::tuple(vec![z.clone(), Expr::zero(out)]);
        let scan = Expr::scan(Order::Sequential, Lambda { params: vec![pair, x], body }, start, xs.clone());
        Some(Expr::map_with("both", scan, |both| Expr::field(both, 1)))
    },
};

pub static SCAN_BY_GROUP: Rule = Rule {
    name: "scan_by_group",
    about: "The items of a group scan tiles, one after the other.",
    equation: "map(g) . scan(f, z) = take(n) . join . scan_with(|carry, tile| { let own = to_local(split(w, tile)); let inner = to_local . map_local(0, scan_seq(f, z)) . split(16) \
                   . to_local . map_local(0, fold(f, z)) << own; let outer = to_local . map_local(0, scan_seq(f, carry)) . split(l / 16) . map(at(15)) << inner; (outer[0][l / 16 - 1], \
                   map_local(0, g) . join . to_local . map_local(0, |(start, piece)| scan_seq(f, start, piece)) << zip(starts, own)) }, z) . split(l * w) . pad(0, m, constant(z))",
    when: "on n elements, for a group of l items, starts = f(outer, inner) of what comes before each piece, w elements of 32 bytes, and \
               m = ceil(n / (l * w)) * l * w - n; the same without map(g)",
    apply: |e, cx| {
        let (g, scanned) = match as_map(e) {
            Some((g, scanned)) => (Some(g), scanned),
            None => (None, e),
        };
        let (f, z, xs) = as_scan(scanned)?;
        if !is_flat(z.ty()) || g.is_some_and(|g| !is_flat(g.body.ty())) {
            return None;
        }
        let (_, n) = xs.ty().as_array()?;
        let group = &GROUP;
        let piece = piece(z.ty(), group);
        let tile = ArithExpr::cst(group.items * piece);
        let missing = n.div_ceil(&tile) * &tile - n;
        let tiles = in_chunks(z, xs, &tile, &missing, cx.facts);
        let (carry, part) =
            (Param::new("carry", z.ty().clone()), Param::new("tile", tiles.ty().as_array()?.0.clone()));
        let body = tile_scanned((f, z), g, (&carry, &part), (group, piece))?;
        let f = Lambda { params: vec![carry, part], body };
        let all = Expr::prim(Prim::ScanWith, vec![Arg::Fun(f), Arg::Data(z.refresh()), Arg::Data(tiles)]);
        Some(Expr::take(n.clone(), Expr::join(all)))
    },
};

/// How many neighbours an item scans by itself.
fn piece(ty: &Type, group: &Group) -> i64 {
    let mut bytes = 0;
    ty.scalars(&mut |scalar| bytes += scalar.bytes());
    (group.piece_bytes / bytes.max(1)).clamp(2, group.piece_bytes / 4)
}

/// What the tile sums up to together with what comes before, and the prefixes with a function applied to each.
fn tile_scanned(
    (f, z): (&Lambda, &Expr),
    g: Option<&Lambda>,
    (carry, tile): (&Param, &Param),
    (group, piece): (&Group, i64),
) -> Option<Expr> {
    let own = with_room(nd::copy_nd(2, Expr::split(piece.into(), Expr::param(tile))));
    let own = named("own", own);
    let sums =
        local(Expr::param(&own.0), |piece| Expr::reduce(Order::Sequential, fresh(f), z.refresh(), piece))?;
    let scan_seq = |z: Expr, xs: Expr| Expr::scan(Order::Sequential, fresh(f), z, xs);
    let inner = local(Expr::split(LEVEL.into(), to_local(sums)), |row| scan_seq(z.refresh(), row))?;
    let inner = named("inner", with_room(inner));
    let levels = group.items / LEVEL;
    let last =
        |n: i64, xs: Expr| Expr::prim(Prim::At, vec![Arg::Data(Expr::size((n - 1).into())), Arg::Data(xs)]);
    let sums = Expr::map_with("row", Expr::param(&inner.0), |row| last(LEVEL, row));
    let outer = local(Expr::split(levels.into(), sums), |row| scan_seq(Expr::param(carry), row))?;
    let outer = named("outer", to_local(outer));
    let outer_sums = Expr::join(Expr::param(&outer.0));
    // What comes before each piece, in the two levels.
    let before = |start: Expr, n: i64, xs: Expr| {
        Expr::take(n.into(), Expr::pad(1.into(), 0.into(), Boundary::Constant(start), xs))
    };
    let zip = |parts: Vec<Expr>| Expr::prim(Prim::Zip, parts.into_iter().map(Arg::Data).collect());
    let rows = zip(vec![
        before(Expr::param(carry), levels, outer_sums.clone()),
        Expr::param(&inner.0),
        Expr::split(LEVEL.into(), Expr::param(&own.0)),
    ]);
    let starting = Expr::map_with("row", rows, |row| {
        let (first, inner, pieces) =
            (Expr::field(row.clone(), 0), Expr::field(row.clone(), 1), Expr::field(row, 2));
        let both = zip(vec![before(z.refresh(), LEVEL, inner), pieces]);
        Expr::map_with("both", both, |both| {
            let start = fresh(f).apply(&[first, Expr::field(both.clone(), 0)]);
            Expr::tuple(vec![start, Expr::field(both, 1)])
        })
    });
    let prefixes =
        local(Expr::join(starting), |both| scan_seq(Expr::field(both.clone(), 0), Expr::field(both, 1)))?;
    let prefixes = Expr::join(with_room(prefixes));
    let (element, _) = prefixes.ty().as_array()?;
    let g = g.cloned().unwrap_or_else(|| Lambda::unary("x", element.clone(), |x| x));
    let out = Expr::map_in(Place::Local(0), g, prefixes);
    let both = Expr::tuple(vec![last(levels, outer_sums), out]);
    Some([outer, inner, own].into_iter().fold(both, |body, (param, value)| Expr::let_(param, value, body)))
}

/// A map of the items of a group.
fn local(xs: Expr, f: impl FnOnce(Expr) -> Expr) -> Option<Expr> {
    let (element, _) = xs.ty().as_array()?;
    Some(Expr::map_in(Place::Local(0), Lambda::unary("piece", element.clone(), f), xs))
}

fn to_local(xs: Expr) -> Expr {
    Expr::store(Memory::Local, xs)
}

/// Rows in local memory, of which each has an even number of elements, an odd number apart: what is at one place in all of them is in different banks.
fn with_room(rows: Expr) -> Expr {
    wider(ArithExpr::one(), to_local(rows))
}

fn named(name: &str, value: Expr) -> (Param, Expr) {
    (Param::new(name, value.ty().clone()), value)
}

/// Whether a function is known to be commutative: one operation on its two arguments.
pub fn is_commutative(f: &Lambda) -> bool {
    use BinaryOp::{Add, And, BitAnd, BitOr, BitXor, Mul, Or};
    match f.operation() {
        Some(Operation::Binary(op)) => matches!(op, Add | Mul | BitAnd | BitOr | BitXor | And | Or),
        Some(Operation::Math(f)) => matches!(f, MathFn::Min | MathFn::Max),
        None => false,
    }
}
