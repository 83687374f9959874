//! Scans of whole arrays, in chunks.
//!
//! An array is cut into chunks, as for a reduction. One launch reduces every chunk; in the last one, every chunk is scanned, starting with what all chunks
//! before it sum up to (reduce, then scan). What that is, another launch between these two scans; or each group reduces the sums of the chunks before its
//! own, which takes a GPU less time than a launch, and a loop more. Nothing changes places, unless the operator is known to be commutative.

use crate::arith::ArithExpr;
use crate::ir::{Arg, BinaryOp, Boundary, Expr, Lambda, Memory, Order, Param, Prim};
use crate::machine::scans::{MOST_CHUNKS, MOST_SUMMED, RUN, SHORTEST};
use crate::rewrite::demand::{as_scan, is_costly};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::build::{numbers, zip};
use crate::rewrite::rules::reduction::{fresh, in_chunks, is_flat, some};
use crate::rewrite::rules::scan::is_commutative;

pub static SCAN_CHUNKS: Rule = Rule {
    name: "scan_chunks",
    about: "Three launches instead of a loop; four, where the order of elements matters.",
    equation: "scan(f, z, xs) = materialize << take(n) . join . map(|(start, part)| map(|x| f(start, x)) . scan(f, z) << part) << zip(starts, parts) on n elements",
    when: "where parts = split(c) . pad(0, r, constant(z)) << xs, starts = materialize . take(k) . join . map(scan(f, z)) << [pad(1, 0, constant(z)) \
           . materialize . map(fold(f, z)) . split(c / 16) . materialize . map(fold(f, z)) . split(16) . take(n / c * c) << xs], for c = 2048 * ceil(max(n, 1) / 8388608), k = ceil(n / c) and r = k * c - n; an f that is \
           known to be commutative reduces chunks, in any order, without a store before; the same with a map(g) around the scan and the inner map",
    apply: |e, cx| Chunks::of(e, cx, MOST_CHUNKS)?.with_starts(),
};

pub static SCAN_FROM_SUMS: Rule = Rule {
    name: "scan_from_sums",
    about: "Two launches instead of a loop: whoever scans a chunk combines the sums of those before it.",
    equation: "scan(f, z, xs) = materialize << take(n) . join . map(|(i, part)| { let start = reduce(f, z) . map(|(j, s)| if j < i { s } else { z }) << zip(0.., sums); \
               map(|x| f(start, x)) . scan(f, z) << part }) << zip(0.., parts) on n elements",
    when: "where sums = materialize . map(reduce(f, z)) . split(c) . take(n / c * c) << xs and parts as in scan_chunks, for c = 2048 * ceil(max(n, 1) / 4194304), if f is known \
           to be commutative; the same with a map(g) around the scan and the inner map",
    apply: |e, cx| Chunks::of(e, cx, MOST_SUMMED)?.with_sums(),
};

/// How a scan is cut.
struct Chunks<'a> {
    /// What is applied to prefixes.
    g: Option<&'a Lambda>,
    f: &'a Lambda,
    z: &'a Expr,
    /// What is scanned. It is read twice.
    xs: Expr,
    n: ArithExpr,
    /// The length of a chunk.
    chunk: ArithExpr,
    cx: &'a Context<'a>,
}

impl<'a> Chunks<'a> {
    /// In so many chunks at most, or longer ones.
    fn of(e: &'a Expr, cx: &'a Context<'a>, most: i64) -> Option<Chunks<'a>> {
        let stored = match e.as_prim() {
            Some((Prim::Store(Memory::Temporary), [Arg::Data(inner)])) => inner,
            _ => e,
        };
        let (g, scanned) = match as_map(stored) {
            Some((g, scanned)) => (Some(g), scanned),
            None => (None, stored),
        };
        let (f, z, xs) = as_scan(scanned)?;
        if !is_flat(z.ty()) || g.is_some_and(|g| !is_flat(g.body.ty())) {
            return None;
        }
        let n = xs.ty().length();
        let chunk = cx.facts.simplify(&(some(&n, cx.facts).div_ceil(&(SHORTEST * most).into()) * SHORTEST));
        let xs = if is_costly(xs) { Expr::store(Memory::Temporary, xs.clone()) } else { xs.clone() };
        Some(Chunks { g, f, z, xs, n, chunk, cx })
    }

    /// How many chunks there are, with the last one, which may not be whole.
    fn count(&self) -> ArithExpr {
        self.cx.facts.simplify(&self.n.div_ceil(&self.chunk))
    }

    /// All chunks; the last one is filled up.
    fn parts(&self) -> Expr {
        let missing = self.count() * &self.chunk - &self.n;
        in_chunks(self.z, &self.xs, &self.chunk, &missing, self.cx.facts)
    }

    /// What whole chunks sum up to: nothing comes after what fills no chunk.
    fn sums(&self) -> Expr {
        let whole = self.cx.facts.simplify(&(self.n.div(&self.chunk) * &self.chunk));
        let chunks = Expr::split(self.chunk.clone(), Expr::take(whole.clone(), self.xs.refresh()));
        if is_commutative(self.f) {
            return self.reduced(Order::Any, chunks);
        }
        // Items have short runs, of which neighbours read what lies side by side, and then what these sum up to.
        let runs = Expr::split(RUN.into(), Expr::take(whole, self.xs.refresh()));
        let of_runs = self.reduced(Order::Left, runs);
        let runs_of_chunk = self.cx.facts.simplify(&self.chunk.div(&RUN.into()));
        self.reduced(Order::Left, Expr::split(runs_of_chunk, of_runs))
    }

    fn reduced(&self, order: Order, parts: Expr) -> Expr {
        let reduce = |part| Expr::reduce(order, fresh(self.f), self.z.refresh(), part);
        Expr::store(Memory::Temporary, Expr::map_with("chunk", parts, reduce))
    }

    /// The prefixes of a chunk, together with what comes before it.
    fn scanned(&self, start: &Expr, part: Expr) -> Expr {
        let scanned = Expr::scan(Order::Any, fresh(self.f), self.z.refresh(), part);
        Expr::map_with("x", scanned, |x| {
            let x = fresh(self.f).apply(&[start.clone(), x]);
            self.g.map_or(x.clone(), |g| g.apply(&[x]))
        })
    }

    /// The result, stored, of what becomes of chunks.
    fn joined(&self, chunks: Expr) -> Expr {
        Expr::store(Memory::Temporary, Expr::take(self.n.clone(), Expr::join(chunks)))
    }

    fn with_starts(&self) -> Option<Expr> {
        let parts = self.parts();
        let first = Boundary::Constant(self.z.refresh());
        let before = Expr::pad(ArithExpr::one(), ArithExpr::zero(), first, self.sums());
        let row = Expr::array_literal(vec![before]);
        let scan = |row| Expr::scan(Order::Any, fresh(self.f), self.z.refresh(), row);
        let starts = Expr::map_with("sums", row, scan);
        let starts = Expr::store(Memory::Temporary, Expr::take(self.count(), Expr::join(starts)));
        let all = Expr::map_with("from", zip(starts, parts), |from| {
            self.scanned(&Expr::field(from.clone(), 0), Expr::field(from, 1))
        });
        Some(self.joined(all))
    }

    fn with_sums(&self) -> Option<Expr> {
        if !is_commutative(self.f) {
            return None;
        }
        let sums = self.sums();
        let of_chunks = Param::new("sums", sums.ty().clone());
        let chunks = Expr::map_with("both", zip(numbers(self.count()), self.parts()), |both| {
            let (i, part) = (Expr::field(both.clone(), 0), Expr::field(both, 1));
            let value = sum_before((self.f, self.z), &i, &Expr::param(&of_chunks));
            let start = Param::new("start", value.ty().clone());
            Expr::let_(start.clone(), value, self.scanned(&Expr::param(&start), part))
        });
        Some(Expr::let_(of_chunks, sums, self.joined(chunks)))
    }
}

/// What the first `i` of these sum up to. All of them are reduced, so that items share them evenly.
fn sum_before((f, z): (&Lambda, &Expr), i: &Expr, sums: &Expr) -> Expr {
    let numbered = zip(numbers(sums.ty().length()), sums.clone());
    let before = Expr::map_with("sum", numbered, |sum| {
        let is_before = Expr::binary(BinaryOp::Lt, Expr::field(sum.clone(), 0), i.clone());
        Expr::if_(is_before, Expr::field(sum, 1), z.refresh())
    });
    Expr::reduce(Order::Any, fresh(f), z.refresh(), before)
}
