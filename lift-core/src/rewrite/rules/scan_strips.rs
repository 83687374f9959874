//! Scans of columns, strip by strip.
//!
//! Before: a map that scans columns. After: a work-group for a strip of neighbouring columns, which goes through them tile by tile. An item has a few
//! neighbours of one column in registers; what they sum up to is scanned in local memory; then each item scans its own, starting with what comes before.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Boundary, Expr, Fold, Lambda, Memory, Order, Param, Place, Prim, Scalar};
use crate::machine::columns::STRIPS;
use crate::machine::scans::STRIP_ITEMS;
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::build::{at, numbers, with, zip};
use crate::rewrite::rules::reduction::{fresh, in_chunks};
use crate::rewrite::rules::scan_stages::Scanned;

/// In strips of such a width, one of the first of [`STRIPS`].
pub static SCAN_STRIPS: [Rule; 2] = [scan_strips::<0>("scan_strips(32)"), scan_strips::<1>("scan_strips(8)")];

const fn scan_strips<const STRIP: usize>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "A group for a strip of columns, which it scans tile by tile.",
        equation: "map(|x| map(g) . scan(f, z) << v) = take(m) . join . map_workgroup(0, |strip| map(take(n) . join) . transpose . scan_with(|carry, i| { let own = to_private \
                   . map_local(1, |k| map_local(0, |x| map_unroll(id) . at(k) . split(p) . at(i) . split(l * p) . pad(0, q, constant(z)) << v) << strip) << array(l); let sums = to_local \
                   . transpose . map_local(0, |(start, s)| scan_seq(f, start) . map(fold(f, z)) << s) << zip(carry, transpose(own)); (map_local(0, at(l - 1)) << transpose(sums), \
                   map(join) . transpose . map_local(1, map_local(0, |(start, piece, x)| map(g) . scan_seq(f, start) << piece)) << parts) }, array(c, z)) << array(ceil(n / (l * p)))) \
                   . split(c) . pad(0, r, clamp)",
        when: "on m columns and n elements of v, which are cheap, for strips of c columns with l items each and p elements of an item, r = ceil(m / c) * c - m, q = ceil(n / (l * p)) * l * p - n, \
               and parts of what comes before each piece, that is carry or a row of sums, of own, and of strip; sums of pieces are in local memory, too; the same without map(g)",
        apply: |e, cx| in_strips(&Scanned::find(e)?, STRIPS[STRIP].columns, cx),
    }
}

fn in_strips(scanned: &Scanned<'_>, columns: i64, cx: &Context<'_>) -> Option<Expr> {
    let facts = cx.facts;
    let (m, n) = (scanned.xs.ty().length(), scanned.v.ty().length());
    let width = ArithExpr::cst(columns);
    let missing = facts.simplify(&(m.div_ceil(&width) * &width - &m));
    let clamp = Boundary::Fold(Fold::Clamp);
    let padded = Expr::pad(ArithExpr::zero(), missing, clamp, scanned.xs.clone());
    let strips = Expr::split(width.clone(), padded);
    let z = Lambda::unary("column", Scalar::Usize.into(), |_| scanned.z.refresh());
    let start = Expr::prim(Prim::Array, vec![Arg::Size(width), Arg::Fun(z)]);
    let tile = Tile { scanned, items: STRIP_ITEMS / columns, piece: cx.size("P"), facts };
    let tiles = facts.simplify(&n.div_ceil(&tile.rows()));
    let (strip, carry, i) = (
        Param::new("strip", strips.ty().as_array()?.0.clone()),
        Param::new("carry", start.ty().clone()),
        Param::new("i", Scalar::Usize.into()),
    );
    let body = tile.scanned(&strip, Expr::param(&carry), &Expr::param(&i))?;
    let f = Lambda { params: vec![carry, i], body };
    let all = Expr::prim(Prim::ScanWith, vec![Arg::Fun(f), Arg::Data(start), Arg::Data(numbers(tiles))]);
    let columns =
        Expr::map_with("column", Expr::transpose(all), |tiles| Expr::take(n.clone(), Expr::join(tiles)));
    let by_strip = Expr::map_in(Place::Group(0), Lambda { params: vec![strip], body: columns }, strips);
    Some(Expr::take(m, Expr::join(by_strip)))
}

/// What a group has of a strip at a time.
struct Tile<'a> {
    scanned: &'a Scanned<'a>,
    /// Items for each column.
    items: i64,
    /// What each of them has of it.
    piece: ArithExpr,
    facts: &'a Facts,
}

impl Tile<'_> {
    fn rows(&self) -> ArithExpr {
        &self.piece * self.items
    }

    /// What the columns of the strip sum up to, with this tile, and the prefixes in it.
    fn scanned(&self, strip: &Param, carry: Expr, i: &Expr) -> Option<Expr> {
        let Scanned { f, z, g, .. } = self.scanned;
        let lines = numbers(self.items.into());
        let own = with(Place::Local(1), "k", lines, |k| {
            with(Place::Local(0), "column", Expr::param(strip), |column| {
                with(Place::Unrolled, "x", self.piece(&column, i, k), |x| x)
            })
        });
        let own = named("own", Expr::store(Memory::Private, own));
        let pieces = |row: Expr, f: &dyn Fn(Expr) -> Expr| with(Place::Local(0), "piece", row, f);
        let sums = with(Place::Local(1), "row", Expr::param(&own.0), |row| {
            pieces(row, &|piece| Expr::reduce(Order::Unrolled, fresh(f), z.refresh(), piece))
        });
        let sums = Expr::transpose(Expr::store(Memory::Local, sums));
        let both = zip(carry.clone(), sums);
        let before = pieces(both, &|both| {
            Expr::scan(Order::Sequential, fresh(f), Expr::field(both.clone(), 0), Expr::field(both, 1))
        });
        let before = named("before", Expr::store(Memory::Local, Expr::transpose(before)));
        let by_column = Expr::transpose(Expr::param(&before.0));
        let last = self.items - 1;
        let next = pieces(by_column.clone(), &|column| at(Expr::size(last.into()), column));
        let starts = Expr::map_with("both", zip(carry, by_column), |both| {
            let first = Boundary::Constant(Expr::field(both.clone(), 0));
            let shifted = Expr::pad(1.into(), 0.into(), first, Expr::field(both, 1));
            Expr::take(self.items.into(), shifted)
        });
        let rows = zip(Expr::param(&own.0), Expr::transpose(starts));
        let prefixes = with(Place::Local(1), "row", rows, |row| {
            let parts = [Expr::field(row.clone(), 0), Expr::field(row, 1), Expr::param(strip)];
            let parts = Expr::prim(Prim::Zip, parts.map(Arg::Data).into());
            pieces(parts, &|piece| {
                let part = |i| Expr::field(piece.clone(), i);
                let all = Expr::scan(Order::Sequential, fresh(f), part(1), part(0));
                match g {
                    Some(g) => Expr::map_with("x", all, |x| self.scanned.of(&fresh(g).apply(&[x]), &part(2))),
                    None => all,
                }
            })
        });
        let out = Expr::map_with("column", Expr::transpose(prefixes), Expr::join);
        let result = Expr::tuple(vec![next, out]);
        Some([before, own].into_iter().fold(result, |body, (param, value)| Expr::let_(param, value, body)))
    }

    /// What an item has of a column.
    fn piece(&self, column: &Expr, i: &Expr, k: Expr) -> Expr {
        let v = self.scanned.of(self.scanned.v, column);
        let n = v.ty().length();
        let missing = n.div_ceil(&self.rows()) * self.rows() - n;
        let tiles = in_chunks(self.scanned.z, &v, &self.rows(), &missing, self.facts);
        at(k, Expr::split(self.piece.clone(), at(i.clone(), tiles)))
    }
}

fn named(name: &str, value: Expr) -> (Param, Expr) {
    (Param::new(name, value.ty().clone()), value)
}
