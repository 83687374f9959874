//! Scans of short rows, a block of them for each group.
//!
//! Before: a map that scans rows. After: a work-group for a block of neighbouring rows, which goes through them tile by tile. An item has a few
//! neighbours of one row in registers; what they sum up to is scanned in local memory; then each item scans its own, starting with what comes before. Where rows are no whole vectors, items would read neighbours one by one, a piece apart: they copy the tile to local memory side by side.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Boundary, Expr, Fold, Lambda, Memory, Order, Param, Place, Prim, Scalar, Type};
use crate::machine::scans::GROUP;
use crate::machine::scans::short::{ITEMS, PIECE_BYTES, ROWS};
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::build::{at, numbers, repeat, with, zip};
use crate::rewrite::rules::memory::wider;
use crate::rewrite::rules::reduction::{fresh, in_chunks};
use crate::rewrite::rules::scan_stages::Scanned;

/// With pieces in registers.
pub static SCAN_HELD: Rule = scan_block::<true>("scan_held", IN_REGISTERS);

/// By way of local memory.
pub static SCAN_SHORT: Rule = scan_block::<false>("scan_short", BY_LOCAL);

const fn scan_block<const HELD: bool>(name: &'static str, equation: &'static str) -> Rule {
    Rule {
        name,
        about: "A group for a block of rows, which it scans tile by tile. The last block may stand over.",
        equation,
        when: "on m rows and n elements of v, which are cheap, for blocks of r rows with l items each and p elements of an item, t = ceil(n / (l * p)), \
               tile = at(i) . split(l * p) . pad(0, t * l * p - n, constant(z)), and parts of own, of what comes before each piece, that is f of carry and of z or what before has there, and of block; \
               the same without map(g)",
        apply: |e, cx| in_blocks(&Scanned::find(e)?, HELD, cx),
    }
}

const IN_REGISTERS: &str = "map(|x| map(g) . scan(f, z) << v) = take(m) . join . map_workgroup(0, |block| map(take(n) . join) . transpose . scan_with(|carry, i| { let own = to_private \
    . map_local(1, |x| map_local(0, |k| map_unroll(id) . at(k) . split(p) . tile << v) << array(l)) << block; let before = to_local . join . map_local(1, map_local(0, scan_seq(f, z))) \
    . split(r) . to_local . map_local(1, map_local(0, fold(f, z))) << own; (map_local(1, |(c, s)| f(c, s[l - 1])) << zip(carry, before), map_local(1, |(pieces, x)| join . map_local(0, map_unroll(g)) . to_private \
    . map_local(0, |(piece, start)| scan_seq(f, start) << piece) << pieces) << parts) }, array(r, z)) << array(t)) . split(r) . pad(0, ceil(m / r) * r - m, clamp)";

const BY_LOCAL: &str = "map(|x| map(g) . scan(f, z) << v) = take(m) . join . map_workgroup(0, |block| map(take(n) . join) . transpose . scan_with(|carry, i| { let own = to_local \
    . map(split(p)) . map_local(1, |x| map_local(0, id) . tile << v) << block; let before = to_local . join . map_local(1, map_local(0, scan_seq(f, z))) \
    . split(r) . to_local . map_local(1, map_local(0, fold(f, z))) << own; (map_local(1, |(c, s)| f(c, s[l - 1])) << zip(carry, before), map_local(1, |(pieces, x)| map_local(0, g) . join . to_local \
    . map_local(0, |(piece, start)| scan_seq(f, start) << piece) << pieces) << parts) }, array(r, z)) << array(t)) . split(r) . pad(0, ceil(m / r) * r - m, clamp)";

fn in_blocks(scanned: &Scanned<'_>, is_held: bool, cx: &Context<'_>) -> Option<Expr> {
    let facts = cx.facts;
    let (m, n) = (scanned.xs.ty().length(), scanned.v.ty().length());
    let rows = ArithExpr::cst(ROWS);
    let missing = facts.simplify(&(m.div_ceil(&rows) * &rows - &m));
    let clamp = Boundary::Fold(Fold::Clamp);
    let padded = match facts.eq(&missing, &ArithExpr::zero()).is_yes() {
        true => scanned.xs.clone(),
        false => Expr::pad(ArithExpr::zero(), missing, clamp, scanned.xs.clone()),
    };
    let blocks = Expr::split(rows, padded);
    let start = repeat(ROWS, scanned.z.refresh());
    let bytes = if is_held { PIECE_BYTES } else { GROUP.piece_bytes };
    let tile = Tile { scanned, piece: piece(scanned.z.ty(), bytes), is_held, facts };
    let tiles = facts.simplify(&n.div_ceil(&tile.len()));
    let (own, carry, i) = (
        Param::new("block", blocks.ty().as_array()?.0.clone()),
        Param::new("carry", start.ty().clone()),
        Param::new("i", Scalar::Usize.into()),
    );
    let body = tile.scanned(&own, &Expr::param(&carry), &Expr::param(&i))?;
    let f = Lambda { params: vec![carry, i], body };
    let all = Expr::prim(Prim::ScanWith, vec![Arg::Fun(f), Arg::Data(start), Arg::Data(numbers(tiles))]);
    let rows = Expr::map_with("row", Expr::transpose(all), |tiles| Expr::take(n.clone(), Expr::join(tiles)));
    let by_block = Expr::map_in(Place::Group(0), Lambda { params: vec![own], body: rows }, blocks);
    Some(Expr::take(m, Expr::join(by_block)))
}

/// How many neighbours an item scans by itself.
fn piece(ty: &Type, most: i64) -> i64 {
    let mut bytes = 0;
    ty.scalars(&mut |scalar| bytes += scalar.bytes());
    (most / bytes.max(1)).clamp(2, most / 4)
}

/// What a group has of its rows at a time.
struct Tile<'a> {
    scanned: &'a Scanned<'a>,
    /// What each item has of a row.
    piece: i64,
    /// Whether it has that in registers.
    is_held: bool,
    facts: &'a Facts,
}

impl Tile<'_> {
    fn len(&self) -> ArithExpr {
        ArithExpr::cst(ITEMS * self.piece)
    }

    /// What the rows of the block sum up to, with this tile, and the prefixes in it.
    fn scanned(&self, block: &Param, carry: &Expr, i: &Expr) -> Option<Expr> {
        let Scanned { f, z, .. } = self.scanned;
        let own = named("own", self.own(block, i));
        let order = if self.is_held { Order::Unrolled } else { Order::Sequential };
        let sums = by_row(Expr::param(&own.0), |row| {
            by_item(row, |piece| Expr::reduce(order, fresh(f), z.refresh(), piece))
        });
        let (before, next, starts) = self.before(wider(ArithExpr::one(), to_local(sums)), carry);
        let parts = Expr::prim(Prim::Zip, [Expr::param(&own.0), starts].map(Arg::Data).into());
        let scan = |both: &Expr| {
            let part = |i| Expr::field(both.clone(), i);
            Expr::scan(Order::Sequential, fresh(f), part(1), part(0))
        };
        let prefixes = |row: Expr| zip(Expr::field(row.clone(), 0), Expr::field(row, 1));
        let all = by_row(parts, |row| by_item(prefixes(row), |both| scan(&both)));
        let (all, pieces) = match self.is_held {
            true => {
                let all = named("prefixes", Expr::store(Memory::Private, all));
                let pieces = Expr::param(&all.0);
                (Some(all), pieces)
            }
            false => (None, with_room(ITEMS, all)),
        };
        let rows = Expr::prim(Prim::Zip, [pieces, Expr::param(block)].map(Arg::Data).into());
        let out = by_row(rows, |row| {
            let (pieces, x) = (Expr::field(row.clone(), 0), Expr::field(row, 1));
            match self.is_held {
                true => Expr::join(by_item(pieces, |piece| {
                    with(Place::Unrolled, "e", piece, |e| self.last(e, &x))
                })),
                false => by_item(Expr::join(pieces), |e| self.last(e, &x)),
            }
        });
        let result = Expr::tuple(vec![next, out]);
        let named = all.into_iter().chain([before, own]);
        Some(named.fold(result, |body, (param, value)| Expr::let_(param, value, body)))
    }

    /// The tile of each row in pieces.
    fn own(&self, block: &Param, i: &Expr) -> Expr {
        match self.is_held {
            true => {
                let own = by_row(Expr::param(block), |row| {
                    with(Place::Local(0), "k", numbers(ITEMS.into()), |k| {
                        let pieces = Expr::split(self.piece.into(), self.tile(&row, i));
                        with(Place::Unrolled, "x", at(k, pieces), |x| x)
                    })
                });
                Expr::store(Memory::Private, own)
            }
            false => {
                let own = by_row(Expr::param(block), |row| by_item(self.tile(&row, i), |x| x));
                let pieces = Expr::map_with("row", own, |row| Expr::split(self.piece.into(), row));
                with_room(ITEMS, pieces)
            }
        }
    }

    /// A tile of a row.
    fn tile(&self, row: &Expr, i: &Expr) -> Expr {
        let v = self.scanned.of(self.scanned.v, row);
        let n = v.ty().length();
        let missing = n.div_ceil(&self.len()) * self.len() - n;
        at(i.clone(), in_chunks(self.scanned.z, &v, &self.len(), &missing, self.facts))
    }

    /// Sums are scanned by an item for each row, next to each other, so that all others wait: what that gives, what is carried on, and what comes before each piece.
    fn before(&self, sums: Expr, carry: &Expr) -> ((Param, Expr), Expr, Expr) {
        let Scanned { f, z, .. } = self.scanned;
        let all = by_row(Expr::split(ROWS.into(), sums), |rows| {
            by_item(rows, |row| Expr::scan(Order::Sequential, fresh(f), z.refresh(), row))
        });
        let all = named("before", wider(ArithExpr::one(), to_local(Expr::join(all))));
        let both = || zip(carry.clone(), Expr::param(&all.0));
        let with_carry = |both: &Expr, e: Expr| fresh(f).apply(&[Expr::field(both.clone(), 0), e]);
        let next = by_row(both(), |both| {
            with_carry(&both, at(Expr::size((ITEMS - 1).into()), Expr::field(both.clone(), 1)))
        });
        let starts = Expr::map_with("both", both(), |both| {
            let first = Boundary::Constant(z.refresh());
            let sums = Expr::pad(1.into(), 0.into(), first, Expr::field(both.clone(), 1));
            Expr::map_with("sum", Expr::take(ITEMS.into(), sums), |sum| with_carry(&both, sum))
        });
        (all, next, starts)
    }

    /// What becomes of a prefix.
    fn last(&self, e: Expr, x: &Expr) -> Expr {
        match self.scanned.g {
            Some(g) => self.scanned.of(&fresh(g).apply(&[e]), x),
            None => e,
        }
    }
}

/// A map of the rows of a block.
fn by_row(rows: Expr, f: impl FnOnce(Expr) -> Expr) -> Expr {
    with(Place::Local(1), "row", rows, f)
}

/// A map of the items of a row.
fn by_item(row: Expr, f: impl FnOnce(Expr) -> Expr) -> Expr {
    with(Place::Local(0), "piece", row, f)
}

fn to_local(xs: Expr) -> Expr {
    Expr::store(Memory::Local, xs)
}

/// So many arrays for each row in local memory, of which each has an even number of elements, an odd number apart: what is at one place in all of them is in different
/// banks.
fn with_room(count: i64, rows: Expr) -> Expr {
    Expr::split(count.into(), wider(ArithExpr::one(), to_local(Expr::join(rows))))
}

fn named(name: &str, value: Expr) -> (Param, Expr) {
    (Param::new(name, value.ty().clone()), value)
}
