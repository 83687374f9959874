//! Scans with a state of their own, and scans of whole arrays, by many work-items.
//!
//! For the latter, the array is cut into chunks, as for a reduction. One launch folds every chunk; a second one, of a single
//! work-item, scans these few sums; in a third one, every item scans its chunk, starting with what all chunks
//! before it sum up to. Nothing changes places, since the operator need not be commutative.

use crate::arith::ArithExpr;
use crate::ir::{Arg, Boundary, Expr, Lambda, Memory, Order, Param, Prim, Type};
use crate::machine::scans::{MOST_CHUNKS, SHORTEST};
use crate::rewrite::demand::{as_scan, is_costly};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::reduction::{fresh, in_chunks, is_flat, some};

pub static SCAN_CHUNKS: Rule = Rule {
    name: "scan_chunks",
    about: "Three launches instead of a loop.",
    equation: "scan(f, z, xs) = materialize << take(n) . join . map(|(start, part)| scan(f, start, part)) << zip(starts, parts) on n elements",
    when: "where parts = split(c) . pad(0, r, constant(z)) << xs, starts = materialize . scan_seq(f, z) . take(k) . pad(1, 0, constant(z)) . materialize \
           . map(fold(f, z)) << parts, for c = 64 * ceil(max(n, 1) / 262144), k = ceil(n / c) and r = k * c - n",
    apply: |e, cx| {
        let stored = match e.as_prim() {
            Some((Prim::Store(Memory::Temporary), [Arg::Data(inner)])) => inner,
            _ => e,
        };
        let (f, z, xs) = as_scan(stored)?;
        if !is_flat(z.ty()) {
            return None;
        }
        let (_, n) = xs.ty().as_array()?;
        let chunk =
            cx.facts.simplify(&(some(n, cx.facts).div_ceil(&(SHORTEST * MOST_CHUNKS).into()) * SHORTEST));
        let count = cx.facts.simplify(&n.div_ceil(&chunk));
        let missing = &count * &chunk - n;
        // It is read twice.
        let xs = if is_costly(xs) { Expr::store(Memory::Temporary, xs.clone()) } else { xs.clone() };
        let parts = in_chunks(z, &xs, &chunk, &missing, cx.facts);
        let sums = Expr::map_with("chunk", parts.refresh(), |part| {
            Expr::reduce(Order::Left, f.clone(), z.clone(), part)
        });
        let one = ArithExpr::one();
        let before = Expr::pad(
            one,
            ArithExpr::zero(),
            Boundary::Constant(z.refresh()),
            Expr::store(Memory::Temporary, sums),
        );
        let starts = Expr::scan(Order::Sequential, fresh(f), z.refresh(), Expr::take(count, before));
        let both =
            Expr::prim(Prim::Zip, vec![Arg::Data(Expr::store(Memory::Temporary, starts)), Arg::Data(parts)]);
        let (element, _) = both.ty().as_array()?;
        let from = Param::new("from", element.clone());
        let part = Expr::param(&from);
        let body = Expr::scan(Order::Any, fresh(f), Expr::field(part.clone(), 0), Expr::field(part, 1));
        let all = Expr::map(Lambda { params: vec![from], body }, both);
        Some(Expr::store(Memory::Temporary, Expr::take(n.clone(), Expr::join(all))))
    },
};

pub static SCAN_WITH: Rule = Rule {
    name: "scan_with",
    about: "What comes out is a part of the state that nobody reads.",
    equation: "scan_with(f, z, xs) = map(|p| p.1) . scan_seq(|p, x| f(p.0, x), (z, 0)) << xs",
    when: "",
    apply: |e, _| {
        let (Prim::ScanWith, [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) = e.as_prim()? else { return None };
        let (Type::Tuple(parts), [state, x]) = (f.body.ty(), f.params.as_slice()) else { return None };
        let [_, out] = &**parts else { return None };
        let (pair, x) = (Param::new(&state.name, f.body.ty().clone()), Param::new(&x.name, x.ty.clone()));
        let body = f.apply(&[Expr::field(Expr::param(&pair), 0), Expr::param(&x)]);
        let start = Expr::tuple(vec![z.clone(), Expr::zero(out)]);
        let scan = Expr::scan(Order::Sequential, Lambda { params: vec![pair, x], body }, start, xs.clone());
        Some(Expr::map_with("both", scan, |both| Expr::field(both, 1)))
    },
};
