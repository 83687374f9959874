//! Scans of few rows or columns, in chunks.
//!
//! Before: a map that scans rows or columns. After: three launches, as for a whole array: chunks are reduced, what they give is scanned, and the chunks
//! are scanned from there. Where columns lie side by side, chunks are outermost, so that items side by side have columns side by side.

use crate::arith::ArithExpr;
use crate::ir::{Boundary, Expr, Lambda, Memory, Order, Param, Scalar};
use crate::machine::stages::{BY_SCANNED_COLUMN, BY_SCANNED_ROW, Share};
use crate::rewrite::demand::{as_scan, is_costly};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::build::{at, numbers, zip};
use crate::rewrite::rules::reduction::{fresh, in_chunks, is_flat};
use crate::rewrite::rules::scan::is_commutative;
use crate::rewrite::rules::stages::scan_chunk_length;
use crate::rewrite::scope::{occurrences, replace};

pub static SCAN_ROWS: Rule = Rule {
    name: "scan_rows",
    about: "Chunks of rows instead of a loop for each row.",
    equation: "map(|x| map(g) . scan(f, z) << v) = map(|(x, starts)| take(n) . join . map(|(start, part)| map(|e| g(f(start, e))) . scan(f, z) << part) << zip(starts, parts)) \
               << zip(xs, materialize . map(scan(f, z) . take(k) . pad(1, 0, constant(z))) . materialize . map(|x| map(fold(f, z)) . split(c) . take(n / c * c) << v) << xs)",
    when: "on rows xs of n elements of v, which are cheap, where parts = split(c) . pad(0, r, constant(z)) << v, k = ceil(n / c), r = k * c - n and c the least of ceil(n / l) * l and of what it is in reduce_in_stages for rows; \
           the same without map(g); an f that is known to be commutative reduces chunks in any order",
    apply: |e, cx| Chunks::of(e, cx, &BY_SCANNED_ROW)?.rows(),
};

pub static SCAN_COLUMNS: Rule = Rule {
    name: "scan_columns",
    about: "Chunks of rows instead of a loop for each column.",
    equation: "map(|x| map(g) . scan(f, z) << v) = map(take(n) . join) . transpose . map(|i| map(|(x, start)| map(|e| g(f(start, e))) . scan(f, z) << at(i, parts)) \
               << zip(xs, at(i, starts))) << array(k)",
    when: "on columns xs, where starts = materialize . transpose . map(scan(f, z) . take(k) . pad(1, 0, constant(z))) . transpose . materialize . map(|i| map(|x| fold(f, z) << \
           at(i, split(c) . take(n / c * c) << v) << xs) << array(n / c), and the rest as in scan_rows, but for c, which is as for items, with other numbers",
    apply: |e, cx| Chunks::of(e, cx, &BY_SCANNED_COLUMN)?.columns(),
};

/// A map of rows or columns that scans each, perhaps with a function of every prefix.
pub struct Scanned<'a> {
    /// The function of a row or column.
    pub function: &'a Lambda,
    pub xs: &'a Expr,
    /// What is applied to prefixes.
    pub g: Option<&'a Lambda>,
    pub f: &'a Lambda,
    pub z: &'a Expr,
    /// What is scanned.
    pub v: &'a Expr,
}

impl<'a> Scanned<'a> {
    /// The parts of such a map, if what is scanned is cheap.
    pub fn find(e: &'a Expr) -> Option<Scanned<'a>> {
        let (function, xs) = as_map(e)?;
        let [x] = function.params.as_slice() else { return None };
        let (g, scanned) = match as_map(&function.body) {
            Some((g, scanned)) => (Some(g), scanned),
            None => (None, &function.body),
        };
        let (f, z, v) = as_scan(scanned)?;
        let own = |e: &Expr| occurrences(e, x.id).count > 0;
        if !is_flat(z.ty()) || own(z) || own(&f.body) || is_costly(v) {
            return None;
        }
        Some(Scanned { function, xs, g, f, z, v })
    }

    /// A part of the function for another row or column than its parameter.
    pub fn of(&self, e: &Expr, x: &Expr) -> Expr {
        replace(e, self.function.params[0].id, x).refresh()
    }

    /// What elements sum up to.
    fn sum(&self, xs: Expr) -> Expr {
        let order = if is_commutative(self.f) { Order::Any } else { Order::Left };
        Expr::reduce(order, fresh(self.f), self.z.refresh(), xs)
    }

    fn scan(&self, xs: Expr) -> Expr {
        Expr::scan(Order::Any, fresh(self.f), self.z.refresh(), xs)
    }
}

/// How it is cut.
struct Chunks<'a> {
    scanned: Scanned<'a>,
    cx: &'a Context<'a>,
    /// The length of what is scanned.
    n: ArithExpr,
    /// The length of a chunk.
    chunk: ArithExpr,
}

impl<'a> Chunks<'a> {
    fn of(e: &'a Expr, cx: &'a Context<'a>, share: &Share) -> Option<Chunks<'a>> {
        let scanned = Scanned::find(e)?;
        let n = scanned.v.ty().length();
        let chunk = scan_chunk_length(&scanned.xs.ty().length(), &n, share, cx.facts);
        Some(Chunks { scanned, cx, n, chunk })
    }

    /// How many chunks there are, with the last one, which may not be whole.
    fn count(&self) -> ArithExpr {
        self.cx.facts.simplify(&self.n.div_ceil(&self.chunk))
    }

    /// The whole chunks of what is scanned for an element.
    fn whole(&self, x: &Expr) -> Expr {
        let whole = self.cx.facts.simplify(&(self.n.div(&self.chunk) * &self.chunk));
        Expr::split(self.chunk.clone(), Expr::take(whole, self.scanned.of(self.scanned.v, x)))
    }

    /// All chunks of it.
    fn parts(&self, x: &Expr) -> Expr {
        let missing = self.count() * &self.chunk - &self.n;
        in_chunks(self.scanned.z, &self.scanned.of(self.scanned.v, x), &self.chunk, &missing, self.cx.facts)
    }

    /// With what each chunk starts, of what the chunks before it sum up to.
    fn starts(&self, sums: Expr) -> Expr {
        let before = Expr::pad(
            ArithExpr::one(),
            ArithExpr::zero(),
            Boundary::Constant(self.scanned.z.refresh()),
            sums,
        );
        self.scanned.scan(Expr::take(self.count(), before))
    }

    /// What becomes of a chunk of an element.
    fn part(&self, x: &Expr, start: Expr, part: Expr) -> Expr {
        Expr::map_with("e", self.scanned.scan(part), |e| {
            let sum = fresh(self.scanned.f).apply(&[start, e]);
            match self.scanned.g {
                Some(g) => self.scanned.of(&fresh(g).apply(&[sum]), x),
                None => sum,
            }
        })
    }

    fn rows(&self) -> Option<Expr> {
        let name = &self.scanned.function.params[0].name;
        let sums = Expr::map_with(name, self.scanned.xs.clone(), |x| {
            Expr::map_with("chunk", self.whole(&x), |chunk| self.scanned.sum(chunk))
        });
        let starts = stored(Expr::map_with("sums", stored(sums), |sums| self.starts(sums)));
        Some(Expr::map_with("both", zip(self.scanned.xs.refresh(), starts), |both| {
            let x = Expr::field(both.clone(), 0);
            let all = Expr::map_with("from", zip(Expr::field(both, 1), self.parts(&x)), |from| {
                self.part(&x, Expr::field(from.clone(), 0), Expr::field(from, 1))
            });
            Expr::take(self.n.clone(), Expr::join(all))
        }))
    }

    fn columns(&self) -> Option<Expr> {
        let name = &self.scanned.function.params[0].name;
        let number = self.cx.facts.simplify(&self.n.div(&self.chunk));
        let sums = by_chunk(number, |i| {
            Expr::map_with(name, self.scanned.xs.clone(), |x| self.scanned.sum(at(i, self.whole(&x))))
        });
        let starts = Expr::map_with("sums", Expr::transpose(stored(sums)), |sums| self.starts(sums));
        let starts = stored(Expr::transpose(starts));
        let scanned = by_chunk(self.count(), |i| {
            Expr::map_with("both", zip(self.scanned.xs.refresh(), at(i.clone(), starts)), |both| {
                let x = Expr::field(both.clone(), 0);
                self.part(&x, Expr::field(both, 1), at(i, self.parts(&x)))
            })
        });
        let columns = Expr::map_with("parts", Expr::transpose(scanned), Expr::join);
        Some(Expr::map_with("column", columns, |column| Expr::take(self.n.clone(), column)))
    }
}

fn stored(xs: Expr) -> Expr {
    Expr::store(Memory::Temporary, xs)
}

/// A function of each number below this.
fn by_chunk(count: ArithExpr, f: impl FnOnce(Expr) -> Expr) -> Expr {
    let i = Param::new("i", Scalar::Usize.into());
    let body = f(Expr::param(&i));
    Expr::map(Lambda { params: vec![i], body }, numbers(count))
}
