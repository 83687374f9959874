//! Neighbouring elements are read and written together.
//!
//! Before: one access for each element. After: constants, and first values of variables, that are neighbouring elements of a buffer of the
//! host or of local memory, and are read in one block, are lanes of a vector where the index of the first is known to be a
//! multiple of their number; values that are stored at such places, with nothing in between that could tell
//! the difference, are stored as one.

use std::collections::{BTreeMap, HashMap};

use crate::arith::{ArithExpr, Facts, Var};
use crate::imp::alignment::Definitions;
use crate::imp::ast::{Expr, Local, Stmt};
use crate::ir::Scalar;
use crate::memory::{Buffer, BufferId, Space};

/// Bytes of the widest access.
pub(in crate::imp) const WIDEST: i64 = 16;

/// Runs the pass.
pub(super) fn run(
    body: Vec<Stmt>,
    buffers: &[Buffer],
    strides: &[(Var, ArithExpr)],
    facts: &Facts,
) -> Vec<Stmt> {
    let names = Definitions::of(&body, strides);
    let mut pass = Pass { buffers, facts, names, lanes: BTreeMap::new() };
    pass.block(body)
}

struct Pass<'a> {
    buffers: &'a [Buffer],
    facts: &'a Facts,
    /// What names of indices stand for.
    names: Definitions,
    /// What has become a lane.
    lanes: BTreeMap<u32, Expr>,
}

/// An access to one element.
struct Access {
    /// The statement.
    at: usize,
    buffer: BufferId,
    scalar: Scalar,
    /// The indices of the outer dimensions, if the buffer has them.
    outer: Vec<ArithExpr>,
    index: ArithExpr,
    /// What is added to the rest of the index, once that is known.
    number: i64,
    /// When it is read, and what is taken otherwise.
    unless: Option<(Expr, Expr)>,
}

/// Accesses that become one: the first statement of each lane.
struct Group {
    lanes: Vec<usize>,
    buffer: BufferId,
    scalar: Scalar,
    index: Vec<ArithExpr>,
    unless: Option<(Expr, Expr)>,
}

impl Pass<'_> {
    fn block(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let stmts = self.loads(stmts);
        let stmts = self.stores(stmts);
        let finished = |pass: &mut Self, stmt: Stmt| {
            let lanes = std::mem::take(&mut pass.lanes);
            let stmt = if lanes.is_empty() { stmt } else { stmt.map_exprs(&mut |e| lane_of(e, &lanes)) };
            pass.lanes = lanes;
            stmt.map_blocks(&mut |body| pass.block(body))
        };
        stmts.into_iter().map(|stmt| finished(self, stmt)).collect()
    }

    fn loads(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let read = |at: usize, stmt: &Stmt| match stmt {
            Stmt::Value { init: Some(Expr::Load(buffer, scalar, index)), .. } => {
                self.access(at, *buffer, *scalar, index)
            }
            // What lies outside is the same for all of them.
            Stmt::Value { init: Some(Expr::Select(cond, inside, outside)), constant: true, .. } => {
                let (Expr::Load(buffer, scalar, index), Expr::Literal(_)) = (&**inside, &**outside) else {
                    return None;
                };
                let access = self.access(at, *buffer, *scalar, index)?;
                Some(Access { unless: Some(((**cond).clone(), (**outside).clone())), ..access })
            }
            _ => None,
        };
        let accesses = stmts.iter().enumerate().filter_map(|(at, stmt)| read(at, stmt)).collect();
        let mut vectors: BTreeMap<usize, Stmt> = BTreeMap::new();
        let mut replaced: BTreeMap<usize, Expr> = BTreeMap::new();
        for group in self.groups(accesses) {
            let first = group.lanes.iter().copied().min().unwrap_or(0);
            let last = group.lanes.iter().copied().max().unwrap_or(0);
            // A write in between might be to one of them.
            if stmts[first..last].iter().any(|stmt| writes(stmt, group.buffer)) {
                continue;
            }
            let Stmt::Value { local, .. } = &stmts[group.lanes[0]] else { continue };
            let name = local.name.rsplit_once('_').map_or(&*local.name, |(row, _)| row);
            let count = group.lanes.len() as u8;
            let vector = Local { lanes: count, ..Local::new(name, group.scalar) };
            let init = Expr::Vector(group.buffer, group.scalar, count, group.index);
            let init = match group.unless {
                None => init,
                Some((cond, outside)) => {
                    let outside = Expr::Pack(vec![outside; usize::from(count)]);
                    Expr::Select(cond.into(), init.into(), outside.into())
                }
            };
            for (lane, at) in group.lanes.iter().enumerate() {
                replaced.insert(*at, Expr::Lane(Expr::Local(vector.clone()).into(), lane as u8));
            }
            vectors.insert(first, Stmt::Value { local: vector, init: Some(init), constant: true });
        }
        let mut out = Vec::new();
        for (at, stmt) in stmts.into_iter().enumerate() {
            out.extend(vectors.remove(&at));
            match (replaced.remove(&at), stmt) {
                (Some(lane), Stmt::Value { local, constant: true, .. }) => {
                    self.lanes.insert(local.id, lane);
                }
                // It has that value at first.
                (Some(lane), Stmt::Value { local, constant: false, .. }) => {
                    out.push(Stmt::Value { local, init: Some(lane), constant: false });
                }
                (_, stmt) => out.push(stmt),
            }
        }
        out
    }

    fn stores(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let write = |at: usize, stmt: &Stmt| match stmt {
            Stmt::Store(buffer, index, value) if value.lanes() == 1 => {
                self.access(at, *buffer, value.scalar(), index)
            }
            _ => None,
        };
        let accesses = stmts.iter().enumerate().filter_map(|(at, stmt)| write(at, stmt)).collect();
        let mut stmts: Vec<Option<Stmt>> = stmts.into_iter().map(Some).collect();
        for group in self.groups(accesses) {
            let first = group.lanes.iter().copied().min().unwrap_or(0);
            let last = group.lanes.iter().copied().max().unwrap_or(0);
            let value = |at: &usize| match &stmts[*at] {
                Some(Stmt::Store(_, _, value)) => Some(value),
                _ => None,
            };
            let stays = |at: usize| {
                let moved = || group.lanes.iter().filter(|lane| **lane < at).filter_map(value);
                stmts[at].as_ref().is_some_and(|stmt| {
                    !may_go_before(stmt, group.buffer) || moved().any(|value| changes(stmt, value))
                })
            };
            if (first..=last).filter(|at| !group.lanes.contains(at)).any(stays) {
                continue;
            }
            let values: Vec<Expr> = group
                .lanes
                .iter()
                .filter_map(|at| match stmts[*at].take() {
                    Some(Stmt::Store(_, _, value)) => Some(value),
                    _ => None,
                })
                .collect();
            let value = self.together(&values).unwrap_or(Expr::Pack(values));
            stmts[last] = Some(Stmt::Store(group.buffer, group.index, value));
        }
        stmts.into_iter().flatten().collect()
    }

    /// An access to memory in which neighbours can be accessed together.
    fn access(&self, at: usize, buffer: BufferId, scalar: Scalar, index: &[ArithExpr]) -> Option<Access> {
        let (index, outer) = index.split_last()?;
        match self.buffers[buffer.0 as usize].space {
            Space::Input | Space::Output | Space::Local | Space::Global if scalar != Scalar::Bool => {
                let (outer, index) = (outer.to_vec(), index.clone());
                Some(Access { at, buffer, scalar, outer, index, number: 0, unless: None })
            }
            _ => None,
        }
    }

    /// The vector in memory of which these are the lanes.
    fn together(&self, values: &[Expr]) -> Option<Expr> {
        let loads = values.iter().enumerate().map(|(at, value)| match value {
            Expr::Load(buffer, scalar, index) => self.access(at, *buffer, *scalar, index),
            _ => None,
        });
        let groups = self.groups(loads.collect::<Option<_>>()?);
        match groups.as_slice() {
            [Group { lanes, buffer, scalar, index, .. }] if lanes.iter().copied().eq(0..values.len()) => {
                Some(Expr::Vector(*buffer, *scalar, values.len() as u8, index.clone()))
            }
            _ => None,
        }
    }

    /// Groups of neighbours, the widest that are possible; no access is in two.
    fn groups(&self, accesses: Vec<Access>) -> Vec<Group> {
        // Accesses whose indices differ by numbers, in order of the first of them.
        let mut rows: Vec<(Access, BTreeMap<i64, usize>)> = Vec::new();
        let mut known: HashMap<(BufferId, Vec<ArithExpr>, ArithExpr), Vec<usize>> = HashMap::new();
        for access in accesses {
            let index = self.names.resolve(&access.index);
            // The parts are as simple as can be; quotients and remainders may come together.
            let index = if index.has_division() { self.facts.simplify(&index) } else { index };
            let Some(number) = index.number().as_const() else { continue };
            let place = (access.buffer, access.outer.clone(), index - number);
            let same = known.entry(place).or_default();
            // What is read twice stays where it is.
            let found = same.iter().copied().find(|row| {
                let (first, own) = &rows[*row];
                first.unless == access.unless && !own.contains_key(&(number - first.number))
            });
            match found {
                Some(row) => {
                    let (first, own) = &mut rows[row];
                    own.insert(number - first.number, access.at);
                }
                None => {
                    same.push(rows.len());
                    rows.push((Access { number, ..access }, BTreeMap::new()));
                    if let Some((first, own)) = rows.last_mut() {
                        own.insert(0, first.at);
                    }
                }
            }
        }
        let mut groups = Vec::new();
        rows.into_iter().for_each(|(first, own)| self.aligned(&first, own, &mut groups));
        groups
    }

    /// Cuts neighbours, given by their distance from the first access, into groups.
    fn aligned(&self, first: &Access, mut own: BTreeMap<i64, usize>, groups: &mut Vec<Group>) {
        let buffer = &self.buffers[first.buffer.0 as usize];
        let mut count = WIDEST / first.scalar.bytes();
        while count >= 2 {
            let starts: Vec<i64> = own.keys().copied().collect();
            for start in starts {
                if !(start..start + count).all(|i| own.contains_key(&i)) {
                    continue;
                }
                let index = self.facts.simplify(&(&first.index + start));
                let index = [first.outer.as_slice(), &[index]].concat();
                if !self.names.is_aligned(buffer, count, &index, self.facts) {
                    continue;
                }
                let lanes = (start..start + count).filter_map(|i| own.remove(&i)).collect();
                let unless = first.unless.clone();
                groups.push(Group { lanes, buffer: first.buffer, scalar: first.scalar, index, unless });
            }
            count /= 2;
        }
    }
}

fn lane_of(e: &Expr, lanes: &BTreeMap<u32, Expr>) -> Expr {
    match e {
        Expr::Local(local) => lanes.get(&local.id).cloned().unwrap_or_else(|| e.clone()),
        e => whole(e.map_operands(&mut |x| lane_of(x, lanes))),
    }
}

/// All lanes of a vector, in order, are the vector.
pub(super) fn whole(e: Expr) -> Expr {
    let Expr::Pack(parts) = &e else { return e };
    let Some(Expr::Lane(vector, 0)) = parts.first() else { return e };
    let own = |(i, part): (usize, &Expr)| matches!(part, Expr::Lane(v, lane) if v == vector && usize::from(*lane) == i);
    let all = usize::from(vector.lanes()) == parts.len() && parts.iter().enumerate().all(own);
    if all { Expr::clone(vector) } else { e }
}

/// Whether something may be written to the buffer.
fn writes(stmt: &Stmt, buffer: BufferId) -> bool {
    stmt.any(&|s| {
        matches!(s, Stmt::Barrier) || matches!(s, Stmt::Store(b, ..) | Stmt::Atomic(_, b, ..) if *b == buffer)
    })
}

/// Whether a statement may come before a store to the buffer that stands before it, as far as the buffer is concerned: it
/// computes a value, or stores elsewhere, and does not read the buffer.
fn may_go_before(stmt: &Stmt, buffer: BufferId) -> bool {
    let reads = stmt.any_expr(&|e| matches!(e, Expr::Load(b, ..) | Expr::Vector(b, ..) if *b == buffer));
    let plain = match stmt {
        Stmt::Index(..) | Stmt::Value { .. } | Stmt::Assign(..) => true,
        // Another group's, or one that is to stay in its order.
        Stmt::Store(other, ..) => *other != buffer,
        // What it claims is no buffer of the program.
        Stmt::Claim(_) => true,
        Stmt::Array(_)
        | Stmt::Atomic(..)
        | Stmt::For { .. }
        | Stmt::Repeat { .. }
        | Stmt::If(..)
        | Stmt::Leave(_)
        | Stmt::Barrier => false,
    };
    plain && !reads
}

/// Whether a value is another one after a statement that [may go before](may_go_before) its store.
fn changes(stmt: &Stmt, value: &Expr) -> bool {
    value.any(&|e| match (stmt, e) {
        (Stmt::Assign(local, _), Expr::Local(read)) => local.id == read.id,
        (Stmt::Store(buffer, ..), Expr::Load(read, ..) | Expr::Vector(read, ..)) => buffer == read,
        _ => false,
    })
}
