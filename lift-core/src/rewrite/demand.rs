//! Which values are worth storing: what is expensive to compute and read more than once, and what cannot be
//! read piece by piece.
//!
//! Closed expressions come into question, whose value is the same wherever they stand, and what depends on the elements of arrays that functions are
//! mapped over. What is cheap is computed where it is read.

use std::collections::BTreeSet;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{
    Arg, BinaryOp, ByKey, Expr, Kind, Lambda, MathFn, Memory, Order, Param, Place, Prim, Scalar, Type,
};
use crate::machine::work::{CHEAP, FEW, FEW_PREFIXES, LONGEST_TABLE};
use crate::rewrite::binder::{self, Binder};
use crate::rewrite::joint::{has_long_work, is_joint};
use crate::rewrite::layout::{as_map, as_output, as_scattered, is_scanned, is_view};
use crate::rewrite::position::ELEMENTS;
use crate::rewrite::reads::{self, Reads};
use crate::rewrite::scope::{mentions, same, same_function};
use crate::rewrite::strategy::Position;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Reductions of many elements.
    Reductions,
    /// Scans of many elements.
    Scans,
    /// Reductions by key.
    ByKey,
    /// Values to store.
    Stored,
    /// Values of functions that are mapped over arrays, to store for all elements of these.
    Inside,
}

/// What becomes of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A launch computes and stores it.
    Stored,
    /// Its elements are read once.
    Once,
    /// Its elements are read more than once.
    Often,
}

/// The first such subexpression of `e`, perhaps `e` itself. What is stored anyway, or a part of a tuple that is,
/// need not be stored.
pub fn find(wanted: Wanted, e: &Expr, used: Use, facts: &Facts) -> Option<Position> {
    find_after(0, wanted, e, used, facts)
}

/// All such subexpressions, also in each other.
pub fn find_all(wanted: Wanted, e: &Expr, used: Use, facts: &Facts) -> Vec<Position> {
    (0..).map_while(|n| find_after(n, wanted, e, used, facts)).collect()
}

/// The one after so many others.
fn find_after(skipped: usize, wanted: Wanted, e: &Expr, used: Use, facts: &Facts) -> Option<Position> {
    let mut finder =
        Finder { wanted, facts, skipped, bound: BTreeSet::new(), around: Vec::new(), path: Vec::new() };
    let at = |reads| At { reads, lazy: false, direct: used == Use::Stored, combined: false };
    let found = match used {
        Use::Stored => finder.root(e),
        Use::Once => finder.inner(e, &at(Reads::ONCE)),
        Use::Often => finder.inner(e, &at(Reads::OFTEN)),
    };
    found.then_some(finder.path)
}

/// Whether this is a loop over whole arrays, which the host runs.
pub fn is_host_loop(e: &Expr) -> bool {
    matches!(e.as_prim(), Some((Prim::Iterate | Prim::IterateUntil, _))) && contains_array(e.ty())
}

/// Whether this is a reduction of more than a few elements, which are no arrays.
pub fn is_large_reduction(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Reduce(Order::Any), [.., Arg::Data(xs)])) => is_large(xs) && !contains_array(e.ty()),
        _ => false,
    }
}

/// Whether a whole reduction combines what are long reductions each: stored, they are computed as rows or columns are, and one for each row is little to store.
pub fn combines_rows(e: &Expr) -> bool {
    let Some((_, combine, z, xs)) = e.as_reduction().filter(|_| is_large_reduction(e)) else { return false };
    // Rows that are reduced as their results are become one.
    let is_same = |f: &Lambda| {
        let inner = f.body.as_reduction();
        inner.is_some_and(|(_, inner, start, _)| same_function(combine, inner) && same(z, start))
    };
    are_rows(xs) && !as_map(xs).is_some_and(|(f, _)| is_same(f))
}

/// Whether one work-item goes through what are long reductions each: stored, they are computed side by side.
fn goes_through_rows(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Reduce(Order::Left) | Prim::Scan(Order::Any), [.., Arg::Data(xs)])) => {
            is_large(xs) && are_rows(xs)
        }
        _ => false,
    }
}

/// Whether something long is reduced for each element of an array, or for a part of it.
fn are_rows(xs: &Expr) -> bool {
    if let Some((Prim::Zip, parts)) = xs.as_prim() {
        return parts.iter().filter_map(Arg::data).any(are_rows);
    }
    let Some((f, _)) = as_map(xs) else { return false };
    // What is the same for all elements is stored by itself.
    let mut own: BTreeSet<u32> = f.params.iter().map(|param| param.id).collect();
    f.body.visit(&mut |x| {
        if let Kind::Let(param, ..) = x.kind() {
            own.insert(param.id);
        }
    });
    f.body.any(&|x| x.as_reduction().is_some_and(|(.., xs)| is_large(xs)) && mentions(x, &own))
}

/// Whether this is a scan of more than a few scalars, perhaps one that is stored.
pub fn is_large_scan(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Store(Memory::Temporary), [Arg::Data(inner)])) if as_scan(inner).is_some() => {
            is_large_scan(inner)
        }
        _ => as_scan(e).is_some_and(|(_, z, xs)| {
            let len = xs.ty().as_array().and_then(|(_, n)| n.as_const());
            len.is_none_or(|n| n > FEW_PREFIXES) && !contains_array(z.ty())
        }),
    }
}

/// Function, start and array of a scan.
pub fn as_scan(e: &Expr) -> Option<(&Lambda, &Expr, &Expr)> {
    match e.as_prim() {
        Some((Prim::Scan(Order::Any), [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)])) => Some((f, z, xs)),
        _ => None,
    }
}

/// Whether elements should rather be stored than be computed twice.
pub fn is_costly(e: &Expr) -> bool {
    cost(e) > CHEAP
}

/// Whether an array has so few elements that a work-item keeps them.
fn is_few(e: &Expr) -> bool {
    e.ty().small_count(&Clone::clone).is_some_and(|n| n <= FEW)
}

/// Whether an array has more than a few elements.
pub fn is_large(xs: &Expr) -> bool {
    xs.ty().as_array().is_some_and(|(_, n)| n.as_const().is_none_or(|n| n > FEW))
}

/// Whether there is an array in the type.
pub fn contains_array(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => false,
        Type::Array(..) => true,
        Type::Tuple(parts) => parts.iter().any(contains_array),
    }
}

/// How the elements of a value are read at some place.
#[derive(Clone)]
struct At {
    /// How often.
    reads: Reads,
    /// Perhaps not at all.
    lazy: bool,
    /// All of them are written to the result one after the other, and nobody reads them.
    direct: bool,
    /// They are, or are parts of, what a whole reduction or scan combines.
    combined: bool,
}

impl At {
    /// Somebody reads them so often.
    fn reads(&self, reads: Reads) -> At {
        At { reads, direct: false, combined: false, ..self.clone() }
    }
}

struct Finder<'a> {
    wanted: Wanted,
    facts: &'a Facts,
    /// So many are passed over.
    skipped: usize,
    /// Variables bound between the root and here.
    bound: BTreeSet<u32>,
    /// What binds them, from the root on.
    around: Vec<Binder>,
    /// The way from the root to here.
    path: Position,
}

impl Finder<'_> {
    fn root(&mut self, e: &Expr) -> bool {
        let once = At { reads: Reads::ONCE, lazy: false, direct: true, combined: false };
        match e.kind() {
            Kind::Tuple(parts) => parts.iter().enumerate().any(|(i, x)| self.step(i, |f| f.root(x))),
            _ => match self.wanted {
                // Of a reduction at the root it is known that it is one.
                Wanted::Reductions | Wanted::Scans | Wanted::ByKey => self.inner(e, &once),
                Wanted::Stored | Wanted::Inside => self.below(e, &once),
            },
        }
    }

    fn step(&mut self, child: usize, f: impl FnOnce(&mut Self) -> bool) -> bool {
        self.path.push(child);
        let found = f(self);
        if !found {
            self.path.pop();
        }
        found
    }

    fn inner(&mut self, e: &Expr, at: &At) -> bool {
        if self.is_wanted(e, at) && self.is_movable(e) {
            match self.skipped.checked_sub(1) {
                Some(fewer) => self.skipped = fewer,
                None => return true,
            }
        }
        self.below(e, at)
    }

    fn is_movable(&self, e: &Expr) -> bool {
        let is_closed = !mentions(e, &self.bound);
        if self.wanted == Wanted::Inside {
            return !is_closed && binder::is_of_maps(e, &self.around);
        }
        is_closed
    }

    fn is_wanted(&self, e: &Expr, at: &At) -> bool {
        if at.lazy && is_partial(e) {
            return false;
        }
        match self.wanted {
            Wanted::Reductions => return is_large_reduction(e),
            Wanted::Scans => return is_large_scan(e),
            Wanted::ByKey => return matches!(e.as_prim(), Some((Prim::ReduceByKey(ByKey::Whole), _))),
            Wanted::Inside => return self.is_wanted_inside(e, at),
            Wanted::Stored if is_joint(e) && !at.direct => return true,
            Wanted::Stored => {}
        }
        match e.as_prim() {
            Some((
                Prim::Store(Memory::Temporary) | Prim::Scan(Order::Any) | Prim::Scatter | Prim::ScatterTo,
                _,
            )) => true,
            // Outside of functions it is known that the host knows how often.
            Some((Prim::Iterate | Prim::IterateUntil, [Arg::Data(count), ..])) => {
                is_host_loop(e) && (self.bound.is_empty() || as_size(count).is_some())
            }
            Some((Prim::Reduce(Order::Left), [.., Arg::Data(xs)])) => at.reads.is_often() && is_large(xs),
            // What only rearranges is not stored, but what it rearranges.
            Some((Prim::Map(Place::View), [Arg::Fun(f), _])) => {
                at.reads.is_often() && !is_view(&f.body) && cost(e) > CHEAP || at.combined && are_rows(e)
            }
            Some((Prim::Array, [_, Arg::Fun(f)])) => {
                at.reads.is_often() && !is_view(&f.body) && cost(e) > CHEAP
            }
            _ => false,
        }
    }

    /// Whether a value in a function is stored. Of arrays: those with joint elements; those whose elements cost much and are read again and again, or are
    /// long work and are read in several places; tables of what costs much, for all elements of something around. Of scalars: long reductions that do not depend on the innermost function.
    fn is_wanted_inside(&self, e: &Expr, at: &At) -> bool {
        // A value that does not depend on the innermost function around it is the same in each application of that function.
        let is_repeated = || binder::is_invariant(e, &self.around) || at.reads.is_repeated();
        if !contains_array(e.ty()) {
            let is_reduction = matches!(e.as_prim(), Some((Prim::Reduce(_), _)));
            return is_reduction && has_long_work(e) && binder::is_invariant(e, &self.around);
        }
        match e.as_prim() {
            Some((Prim::Store(Memory::Temporary), _)) => true,
            _ if is_joint(e) => !at.direct || binder::is_invariant(e, &self.around),
            Some((Prim::Array, [_, Arg::Fun(f)])) if !is_view(&f.body) => {
                let len = e.ty().as_array().and_then(|(_, n)| n.as_const());
                let is_table = len.is_some_and(|n| n <= LONGEST_TABLE);
                is_table && cost(e) > CHEAP && !is_few(e) && binder::is_repeated(e, &self.around)
            }
            Some((Prim::Map(Place::View), [Arg::Fun(f), _])) if !is_view(&f.body) => {
                has_long_work(&f.body) && (at.reads.is_often() || is_repeated())
                    || cost(e) > CHEAP && !is_few(e) && is_repeated()
            }
            _ => false,
        }
    }

    fn below(&mut self, e: &Expr, at: &At) -> bool {
        match e.kind() {
            Kind::Let(param, value, body) => {
                let value_at = at.reads(reads::of_param(body, param, &at.reads, self.facts));
                let bound = self.bound.insert(param.id);
                let found = self.step(0, |f| f.inner(value, &value_at)) || {
                    self.around.push(Binder::Let(param.clone(), value.clone()));
                    let found = self.step(1, |f| f.inner(body, at));
                    self.around.pop();
                    found
                };
                if bound {
                    self.bound.remove(&param.id);
                }
                found
            }
            Kind::If(c, a, b) => {
                let arm = &At { lazy: true, ..at.clone() };
                self.step(0, |f| f.inner(c, at))
                    || self.step(1, |f| f.inner(a, arm))
                    || self.step(2, |f| f.inner(b, arm))
            }
            Kind::Prim(prim, args) => {
                let mut child = 0;
                let written = written(e);
                for (i, arg) in args.iter().enumerate() {
                    let Some(x) = arg.expr() else { continue };
                    let found = match arg {
                        Arg::Fun(f) => self.step(child, |finder| finder.function(e, *prim, f, at)),
                        Arg::Data(_) | Arg::Boundary(_) | Arg::Size(_) => {
                            let reads = reads::of_argument(*prim, args, i, &at.reads, self.facts);
                            let direct = match prim {
                                Prim::Store(Memory::Temporary) => true,
                                Prim::Iterate | Prim::IterateUntil if is_host_loop(e) => true,
                                // One element is read, once.
                                Prim::At => !at.reads.is_often(),
                                Prim::Concat => at.direct,
                                _ => at.direct && written == Some(child),
                            };
                            let combined = match prim {
                                Prim::Zip => at.combined,
                                _ => {
                                    let is_last = self.wanted == Wanted::Stored && i + 1 == args.len();
                                    is_last && (combines_rows(e) || goes_through_rows(e))
                                }
                            };
                            let own = At { reads, direct, combined, ..at.clone() };
                            self.step(child, |f| f.inner(x, &own))
                        }
                    };
                    if found {
                        return true;
                    }
                    child += 1;
                }
                false
            }
            Kind::Tuple(parts) => parts.iter().enumerate().any(|(i, x)| {
                let own = At { reads: at.reads.part(i), ..at.clone() };
                self.step(i, |f| f.inner(x, &own))
            }),
            Kind::Field(x, i) => {
                let own = at.reads(at.reads.clone().only(*i, x.ty().arity()));
                self.step(0, |f| f.inner(x, &own))
            }
            _ => e.children().into_iter().enumerate().any(|(i, x)| self.step(i, |f| f.inner(x, at))),
        }
    }

    /// A function is applied many times.
    fn function(&mut self, e: &Expr, prim: Prim, f: &Lambda, at: &At) -> bool {
        let ids: Vec<u32> = f.params.iter().map(|p| p.id).collect();
        self.bound.extend(&ids);
        self.around.push(Binder::Function(e.clone(), ids.clone()));
        let reads = match self.wanted {
            Wanted::Inside => reads::inside(prim, &at.reads),
            _ => Reads::OFTEN,
        };
        let direct = at.direct && (as_map(e).is_some() || is_host_loop(e));
        let own = At { reads, direct, combined: false, ..at.clone() };
        let found = self.inner(&f.body, &own);
        self.around.pop();
        ids.iter().for_each(|id| {
            self.bound.remove(id);
        });
        found
    }
}

/// The child whose elements are written where those of `e` belong.
fn written(e: &Expr) -> Option<usize> {
    match e.as_prim() {
        Some((Prim::Map(Place::View), [_, Arg::Data(xs)])) if is_scanned(xs) => Some(ELEMENTS),
        _ => as_output(e).or(as_scattered(e)).map(|(child, _)| child),
    }
}

/// Whether the elements of a variable are read more than once.
pub fn is_read_often(body: &Expr, param: &Param, facts: &Facts) -> bool {
    reads::of_param(body, param, &Reads::ONCE, facts).is_often()
}

/// Whether evaluation may fail, so that it must not be done without need.
pub fn is_partial(e: &Expr) -> bool {
    let all = [Prim::Gather, Prim::Scatter, Prim::ScatterTo, Prim::ReduceByKey(ByKey::Whole)];
    e.any(&|x| x.as_prim().is_some_and(|(prim, _)| all.contains(&prim)))
}

/// Whether an operation takes many times as long as a sum: a quotient, a root or the like.
pub fn takes_long(e: &Expr) -> bool {
    match e.kind() {
        Kind::Binary(BinaryOp::Div | BinaryOp::Rem, a, _) => *a.ty() != Type::Scalar(Scalar::Usize),
        Kind::Math(f, _) => f.takes_long(),
        _ => false,
    }
}

/// Roughly, what it takes to compute an element. Everything that already stands in memory costs nothing.
pub fn cost(e: &Expr) -> u32 {
    let own = match e.kind() {
        _ if takes_long(e) => 2 * CHEAP,
        Kind::Unary(..) | Kind::Cast(..) | Kind::Binary(..) => 1,
        // A product and a sum.
        Kind::Math(MathFn::MulAdd, _) => 2,
        Kind::Math(..) => 1,
        Kind::Prim(
            Prim::Reduce(_)
            | Prim::Scan(Order::Any | Order::Left)
            | Prim::ReduceByKey(_)
            | Prim::Iterate
            | Prim::IterateUntil
            | Prim::Slide
            | Prim::SlideSeq,
            _,
        ) => 2 * CHEAP,
        Kind::Prim(Prim::Store(Memory::Temporary), _) => return 0,
        Kind::Param(_)
        | Kind::Literal(_)
        | Kind::Size(_)
        | Kind::If(..)
        | Kind::Tuple(_)
        | Kind::Field(..)
        | Kind::ArrayLiteral(_)
        | Kind::Let(..)
        | Kind::Prim(..) => 0,
    };
    e.children().into_iter().map(cost).fold(own, u32::saturating_add)
}

/// The number of times a loop of the host runs, if it is a size.
pub fn as_size(e: &Expr) -> Option<ArithExpr> {
    match e.kind() {
        Kind::Size(n) => Some(n.clone()),
        Kind::Literal(literal) => i64::try_from(literal.as_int()?).ok().map(ArithExpr::cst),
        Kind::Binary(BinaryOp::Add, a, b) => Some(as_size(a)? + as_size(b)?),
        Kind::Binary(BinaryOp::Mul, a, b) => Some(as_size(a)? * as_size(b)?),
        _ => None,
    }
}

/// Whether more than a few elements are reduced in it.
pub fn goes_through_many(e: &Expr) -> bool {
    e.any(&|x| {
        let xs = x.as_reduction().map(|(.., xs)| xs.ty().length());
        xs.is_some_and(|n| n.as_const().is_none_or(|n| n > FEW))
    })
}

#[cfg(test)]
mod tests {
    /// How many launches there are at least in a version of a function of 100 rows.
    fn launches(body: &str) -> usize {
        let text = format!("#[kernel] pub fn Rows<M>(x: [[f32; M]; 100]) -> {body}");
        let kernels = crate::pipeline::compile(text.parse().unwrap_or_default()).kernels;
        let versions = kernels.iter().flat_map(|kernel| &kernel.versions);
        versions.map(|version| version.generated.schedule.operations.len()).min().unwrap_or_default()
    }

    #[test]
    fn rows_are_reduced_before_one_work_item_goes_through_the_results() {
        assert_eq!(launches("[f32; 100] { x.map(reduce(add, 0.0)).scan(add, 0.0) }"), 2);
        assert_eq!(launches("f32 { x.map(|row| row.reduce(max, 0.0)).fold(|a, v| 0.5 * a + v, 1.0) }"), 2);
        // What is cheap is computed on the way.
        assert_eq!(launches("[f32; 100] { x.map(|row| row[0] + row[M - 1]).scan(add, 0.0) }"), 1);
    }
}
