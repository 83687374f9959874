//! The loop along a row whose trips have loops of their own, in strips of several vectors: outer-loop vectorisation.
//!
//! Before: a loop of independent trips, in which loops make the same number of trips whatever the index along the row is, or end early. After: the
//! range of trips in which all choices are made, and statements that compute a strip of them at once: each variable that differs from trip to trip is
//! a few vectors. They stay in registers while the loops inside run, and what is the same for all trips is read once for the strip. A loop that
//! ends early goes on until all trips of the strip have left it; what belongs to those that have stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Facts, Var};
use crate::host::decide::{decided, without_names};
use crate::host::gathered::gathered;
use crate::host::rows::{Ends, assume_inside, carries, ends};
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::imp::leaving;
use crate::ir::build::fresh_id;
use crate::ir::{BinaryOp, Scalar};
use crate::machine::host::{MOST_OPERATIONS, MOST_REGISTERS, VECTOR_BYTES};
use crate::memory::BufferId;

/// An index of more variables is a long text, which each lane has for itself.
const MOST_VARIABLES: usize = 2;

/// A loop in strips.
pub(super) struct Strips {
    /// The first trip without choices.
    pub(super) first: ArithExpr,
    /// The end of these.
    pub(super) end: ArithExpr,
    /// Whether two strips may have trips in common.
    pub(super) may_repeat: bool,
    /// A strip, and a narrower one for what is left.
    pub(super) widths: Vec<Strip>,
}

/// So many trips at once.
pub(super) struct Strip {
    /// The first trip of a strip.
    pub(super) var: Var,
    /// The trips of a strip.
    pub(super) width: i64,
    /// What a strip does.
    pub(super) body: Vec<Stmt>,
    /// What is known there.
    pub(super) facts: Facts,
}

/// The strips of a loop, if it can be cut into such. Strips of the outermost loop are as wide as registers allow: they read from memory what those
/// of inner loops find in a cache. `is_slice` says which buffers vectors are read from.
pub(super) fn strips(
    (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
    body: &[Stmt],
    (facts, is_outermost): (&Facts, bool),
    is_slice: &dyn Fn(BufferId) -> bool,
) -> Option<Strips> {
    if !body.iter().any(|stmt| matches!(stmt, Stmt::For { .. } | Stmt::Repeat { .. })) || carries(body) {
        return None;
    }
    let body = without_names(body.to_vec(), &BTreeMap::new());
    let Ends { least, most, holds } = ends((var, start, bound), &body, facts)?;
    let first = least.iter().fold(start.clone(), |a, b| ArithExpr::max(&a, b));
    let end = most.iter().fold(bound.clone(), |a, b| ArithExpr::min(&a, b));
    // All trips of the strip are within these ends, so what is decided for one of them is decided for all.
    let mut known = facts.fork();
    known.declare(var, Some(start.clone()), Some(bound - 1));
    assume_inside((&ArithExpr::var(var), bound), &least, &most, &mut known);
    holds.into_iter().for_each(|e| known.assume_nonneg(e));
    let body = gathered(decided(body, &known), var, is_slice);
    let varying = varying(&body, var)?;
    let bytes = widest(&body, &varying, var)?;
    let lanes = u8::try_from(VECTOR_BYTES / bytes).ok()?;
    let most = if is_outermost { MOST_REGISTERS } else { MOST_REGISTERS / 2 };
    let fitting = MOST_REGISTERS / live(&body, &varying).max(1);
    let copies = fitting.min(MOST_OPERATIONS / operations(&body).max(1)).clamp(1, most);
    let of = |copies: i64| {
        let var_of_strip = Var::new(fresh_id(), var.name());
        let locals = varying.iter().map(|id| (*id, Vec::new())).collect();
        let mut widen =
            Widen { var, strip: &var_of_strip, lanes, copies, locals, is_slice, depth: 0, left: None };
        let (body, width) = (widen.block(&body)?, i64::from(lanes) * copies);
        let mut facts = facts.fork();
        facts.declare(&var_of_strip, Some(start.clone()), Some(bound - width));
        Some(Strip { var: var_of_strip, width, body, facts })
    };
    let may_repeat = !reads_results(&body);
    let copies = if copies > 1 { vec![copies, 1] } else { vec![1] };
    let widths = copies.into_iter().map(of).collect::<Option<_>>()?;
    Some(Strips { first, end, may_repeat, widths })
}

/// Whether an array is read that is written.
pub(super) fn reads_results(body: &[Stmt]) -> bool {
    let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            s.accesses(&mut |id, is_write, _, _| {
                if is_write { &mut written } else { &mut read }.insert(id);
            });
        });
    });
    !read.is_disjoint(&written)
}

/// The variables that differ from trip to trip; nothing if anything else does that cannot be a vector.
fn varying(body: &[Stmt], var: &Var) -> Option<BTreeSet<u32>> {
    let mut found: BTreeSet<u32> = BTreeSet::new();
    let mut is_legal = true;
    loop {
        let before = found.len();
        body.iter().for_each(|stmt| {
            stmt.visit(&mut |s| match s {
                Stmt::Value { local, init: Some(e), .. } | Stmt::Assign(local, e) => {
                    is_legal &= local.lanes == 1;
                    if varies(e, var, &found) {
                        found.insert(local.id);
                    }
                }
                Stmt::Value { .. } => {}
                Stmt::For { start, bound, step, .. } => {
                    is_legal &= [start, bound, step].iter().all(|e| !e.contains(var));
                }
                Stmt::Repeat { count, body, .. } => {
                    is_legal &= !varies(count, var, &found);
                    if let Some((.., rest)) = leaving::apart(body, &|e| varies(e, var, &found)) {
                        found.extend(leaving::kept(rest));
                    }
                }
                Stmt::Leave(_) => {}
                Stmt::If(cond, ..) => is_legal &= !varies(cond, var, &found),
                Stmt::Store(_, index, _) => is_legal &= index.len() == 1,
                Stmt::Index(_, IndexValue::Value(e)) => is_legal &= !varies(e, var, &found),
                // One check is enough for all trips.
                Stmt::Index(_, IndexValue::Checked { value, len, position, otherwise, .. }) => {
                    is_legal &= !varies(value, var, &found);
                    is_legal &= [len, position, otherwise].into_iter().all(|e| !e.contains(var));
                }
                _ => is_legal = false,
            });
        });
        if found.len() == before {
            return is_legal.then_some(found);
        }
    }
}

/// How many of these variables a loop uses at most.
fn live(body: &[Stmt], varying: &BTreeSet<u32>) -> i64 {
    let mut most = 0;
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            let (Stmt::For { body, .. } | Stmt::Repeat { body, .. }) = s else { return };
            let mut used = BTreeSet::new();
            body.iter().for_each(|stmt| {
                stmt.visit(&mut |s| {
                    if let Stmt::Value { local, .. } | Stmt::Assign(local, _) = s {
                        used.insert(local.id);
                    }
                    if let Some(e) = s.expr() {
                        e.visit(&mut |e| {
                            if let Expr::Local(local) = e {
                                used.insert(local.id);
                            }
                        });
                    }
                });
            });
            most = most.max(used.intersection(varying).count());
        });
    });
    most as i64
}

/// How many operations and accesses are written out.
fn operations(body: &[Stmt]) -> i64 {
    let mut found = 0;
    body.iter().for_each(|stmt| {
        stmt.visit_exprs(&mut |e| e.visit(&mut |e| found += i64::from(!matches!(e, Expr::Local(_)))));
    });
    found
}

/// Whether an expression differs from trip to trip.
fn varies(e: &Expr, var: &Var, locals: &BTreeSet<u32>) -> bool {
    e.any(&|e| match e {
        Expr::Local(local) => locals.contains(&local.id),
        e => e.indices().any(|index| index.contains(var)),
    })
}

/// The bytes of the widest of what becomes vectors; all have as many lanes.
fn widest(body: &[Stmt], varying: &BTreeSet<u32>, var: &Var) -> Option<i64> {
    let mut bytes = Vec::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| match s {
            Stmt::Value { local, .. } if varying.contains(&local.id) => bytes.push(local.scalar),
            Stmt::Store(_, _, e) if varies(e, var, varying) => bytes.push(e.scalar()),
            _ => {}
        });
    });
    bytes.into_iter().filter(|scalar| *scalar != Scalar::Bool).map(Scalar::bytes).max()
}

/// The way from one trip to a strip of them.
struct Widen<'a> {
    var: &'a Var,
    strip: &'a Var,
    lanes: u8,
    copies: i64,
    /// The vectors of each variable that varies.
    locals: BTreeMap<u32, Vec<Local>>,
    is_slice: &'a dyn Fn(BufferId) -> bool,
    /// In how many loops of a trip a statement stands.
    depth: usize,
    /// Inside of a loop that some trips have left.
    left: Option<Left>,
}

/// Which trips have left a loop.
struct Left {
    /// A truth value for each, in as many vectors as other variables.
    masks: Vec<Local>,
    /// The variables that stay what they are for those.
    kept: BTreeSet<u32>,
}

impl Widen<'_> {
    /// The rounds of a loop that some trips may leave before others.
    fn rounds(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let Some((before, cond, rest)) = leaving::apart(body, &|e| self.varies(e)) else {
            return self.block(body);
        };
        if self.left.is_some() {
            return None;
        }
        let mut out = self.block(before)?;
        let mut masks = Vec::new();
        for copy in 0..self.copies as usize {
            let mask = Local { lanes: self.lanes, ..Local::new("left", Scalar::Bool) };
            let init = Some(self.expr(cond, copy)?);
            out.push(Stmt::Value { local: mask.clone(), init, constant: true });
            masks.push(mask);
        }
        let all = masks
            .iter()
            .cloned()
            .map(Expr::Local)
            .reduce(|a, b| Expr::Binary(BinaryOp::And, Scalar::Bool, a.into(), b.into()))?;
        out.push(Stmt::Leave(Expr::All(all.into())));
        self.left = Some(Left { masks, kept: leaving::kept(rest) });
        let rest = self.block(rest);
        self.left = None;
        out.extend(rest?);
        Some(out)
    }

    /// What a variable becomes: what it is, for trips that have left the loop.
    fn unless_left(&self, local: &Local, vector: &Local, value: Expr, copy: usize) -> Option<Expr> {
        let Some(left) = self.left.as_ref().filter(|left| left.kept.contains(&local.id)) else {
            return Some(value);
        };
        let mask = Expr::Local(left.masks.get(copy)?.clone());
        Some(Expr::Select(mask.into(), Expr::Local(vector.clone()).into(), value.into()))
    }

    fn block(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let mut out = Vec::new();
        for stmt in body {
            match stmt {
                Stmt::Value { local, init, constant } if self.locals.contains_key(&local.id) => {
                    let own = |_| Local { lanes: self.lanes, ..Local::new(&local.name, local.scalar) };
                    let vectors: Vec<Local> = (0..self.copies).map(own).collect();
                    for (copy, vector) in vectors.iter().enumerate() {
                        let init = match init {
                            Some(e) => Some(self.expr(e, copy)?),
                            None => None,
                        };
                        out.push(Stmt::Value { local: vector.clone(), init, constant: *constant });
                    }
                    self.locals.insert(local.id, vectors);
                }
                Stmt::Assign(local, e) if self.locals.contains_key(&local.id) => {
                    let vectors = self.locals.get(&local.id).cloned().unwrap_or_default();
                    for (copy, vector) in vectors.into_iter().enumerate() {
                        let value = self.unless_left(local, &vector, self.expr(e, copy)?, copy)?;
                        out.push(Stmt::Assign(vector, value));
                    }
                }
                // What trips that have left would store is not known to be right.
                Stmt::Store(..) if self.left.is_some() => return None,
                Stmt::Repeat { counter, count, body } => {
                    self.depth += 1;
                    let (counter, count, body) = (counter.clone(), count.clone(), self.rounds(body)?);
                    self.depth -= 1;
                    out.push(Stmt::Repeat { counter, count, body });
                }
                Stmt::Store(id, index, e) => {
                    let [index] = index.as_slice() else { return None };
                    let beside = index.linear_in(self.var).is_some_and(|(by, _)| by.as_const() == Some(1));
                    if !beside || !(self.is_slice)(*id) || e.scalar() == Scalar::Bool {
                        return None;
                    }
                    for copy in 0..self.copies as usize {
                        let value = match self.expr(e, copy)? {
                            value if value.lanes() == 1 => Expr::Pack(vec![value; usize::from(self.lanes)]),
                            value => value,
                        };
                        out.push(Stmt::Store(*id, vec![self.index(index, copy, 0)], value));
                    }
                }
                Stmt::For { var, start, bound, step, unroll, body } => {
                    let (start, bound, step) = (start.clone(), bound.clone(), step.clone());
                    self.depth += 1;
                    let (var, unroll, body) = (var.clone(), *unroll, self.block(body)?);
                    self.depth -= 1;
                    out.push(Stmt::For { var, start, bound, step, unroll, body });
                }
                Stmt::If(cond, then, otherwise) => {
                    out.push(Stmt::If(cond.clone(), self.block(then)?, self.block(otherwise)?));
                }
                same => out.push(same.clone()),
            }
        }
        Some(out)
    }

    /// An index in a lane of one of the vectors.
    fn index(&self, e: &ArithExpr, copy: usize, lane: u8) -> ArithExpr {
        let at = ArithExpr::var(self.strip) + (copy as i64 * i64::from(self.lanes) + i64::from(lane));
        e.substitute(&BTreeMap::from([(self.var.clone(), at)]))
    }

    fn varies(&self, e: &Expr) -> bool {
        let locals = self.locals.keys().copied().collect();
        varies(e, self.var, &locals)
    }

    /// An expression for one of the vectors; what is the same for all trips stays a scalar.
    fn expr(&self, e: &Expr, copy: usize) -> Option<Expr> {
        if !self.varies(e) {
            return Some(e.clone());
        }
        let each = |f: &dyn Fn(u8) -> Expr| Some(Expr::Pack((0..self.lanes).map(f).collect()));
        match e {
            Expr::Local(local) => self.locals.get(&local.id)?.get(copy).cloned().map(Expr::Local),
            Expr::Load(id, scalar, index) => {
                let [index] = index.as_slice() else { return None };
                // What lies elsewhere for each lane is no vector: in a loop, it is read faster one by one.
                let beside = index.linear_in(self.var).is_some_and(|(by, _)| by.as_const() == Some(1));
                let is_vector = beside && (self.is_slice)(*id) && *scalar != Scalar::Bool;
                let at = || vec![self.index(index, copy, 0)];
                if !is_vector
                    && *scalar != Scalar::Bool
                    && self.depth == 0
                    && (self.is_slice)(*id)
                    && index.vars().len() <= MOST_VARIABLES
                {
                    return each(&|lane| Expr::Load(*id, *scalar, vec![self.index(index, copy, lane)]));
                }
                is_vector.then(|| Expr::Vector(*id, *scalar, self.lanes, at()))
            }
            Expr::Index(index) if index.vars().len() <= MOST_VARIABLES => {
                each(&|lane| Expr::Index(self.index(index, copy, lane)))
            }
            Expr::Cond(cond) if cond.margin().vars().len() <= MOST_VARIABLES => {
                each(&|lane| Expr::Cond(cond.map(&mut |e| self.index(e, copy, lane))))
            }
            Expr::Unary(..) | Expr::Binary(..) | Expr::Math(..) | Expr::Cast(..) | Expr::Select(..) => {
                let mut is_legal = true;
                let new = e.map_operands(&mut |x| {
                    self.expr(x, copy).unwrap_or_else(|| {
                        is_legal = false;
                        x.clone()
                    })
                });
                is_legal.then_some(new)
            }
            Expr::Index(_) | Expr::Cond(_) => None,
            Expr::Literal(_) | Expr::Vector(..) | Expr::Lane(..) | Expr::All(_) | Expr::Pack(_) => None,
        }
    }
}
