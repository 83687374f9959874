//! Variables that are always assigned together become a vector.
//!
//! Before: variables, four of which may get neighbouring elements of a buffer, or as many as a vector has its lanes, in
//! statements that follow each other. After: those that get their values in no other way, but for one number in all, nor
//! from others than such variables, are the lanes of one variable.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Truth};
use crate::imp::ast::{Expr, Local, Stmt};
use crate::imp::passes::join_neighbours::{WIDEST, whole};
use crate::ir::Scalar;
use crate::memory::{Buffer, BufferId, Space};

/// Runs the pass.
pub(super) fn run(body: Vec<Stmt>, buffers: &[Buffer], facts: &Facts) -> Vec<Stmt> {
    let mut pass = Pass { buffers, facts, bundles: Vec::new(), lanes: BTreeMap::new() };
    pass.propose(&body);
    let body = pass.in_order(body);
    // What depends on a bundle that is none is none.
    while !pass.bundles.is_empty() && !pass.hold(&body) {}
    if pass.lanes.is_empty() {
        return body;
    }
    pass.block(body)
}

/// Variables that may become a vector.
struct Bundle {
    vector: Local,
    lanes: Vec<u32>,
    holds: bool,
}

struct Pass<'a> {
    buffers: &'a [Buffer],
    facts: &'a Facts,
    bundles: Vec<Bundle>,
    /// The bundle of a variable, and which lane it is.
    lanes: BTreeMap<u32, (usize, u8)>,
}

impl Pass<'_> {
    fn propose(&mut self, stmts: &[Stmt]) {
        let mut at = 0;
        while at < stmts.len() {
            let count = self.longest(&stmts[at..]);
            if count > 1 {
                let locals = stmts[at..at + count].iter().filter_map(assigned);
                let locals: Vec<&Local> = locals.map(|(local, _)| local).collect();
                if locals.iter().all(|local| !self.lanes.contains_key(&local.id)) {
                    self.add(&locals);
                }
            }
            at += count.max(1);
        }
        stmts.iter().flat_map(Stmt::blocks).for_each(|block| self.propose(block));
    }

    /// What the parts of tuples begin with, part by part, as bundles are: each of these statements can stand anywhere among
    /// those around it that are such.
    fn in_order(&self, mut stmts: Vec<Stmt>) -> Vec<Stmt> {
        let begins = |stmt: &Stmt| assigned(stmt).is_some_and(|(_, value)| is_number(value));
        for run in stmts.chunk_by_mut(|a, b| begins(a) && begins(b)) {
            run.sort_by_key(|stmt| {
                assigned(stmt).and_then(|(local, _)| self.lanes.get(&local.id)).map(|(bundle, _)| *bundle)
            });
        }
        stmts.into_iter().map(|stmt| stmt.map_blocks(&mut |block| self.in_order(block))).collect()
    }

    fn add(&mut self, locals: &[&Local]) {
        let Some(first) = locals.first() else { return };
        for (lane, local) in locals.iter().enumerate() {
            self.lanes.insert(local.id, (self.bundles.len(), lane as u8));
        }
        let name = first.name.rsplit_once('_').map_or(&*first.name, |(row, _)| row);
        let vector = Local { lanes: locals.len() as u8, ..Local::new(name, first.scalar) };
        let lanes = locals.iter().map(|local| local.id).collect();
        self.bundles.push(Bundle { vector, lanes, holds: true });
    }

    /// How many statements from the first on may be one: the most that are possible, or one.
    fn longest(&self, stmts: &[Stmt]) -> usize {
        let Some((local, value)) = stmts.first().and_then(assigned) else { return 1 };
        let mut count = match value {
            // Truth values are numbers in vectors.
            _ if local.scalar == Scalar::Bool => return 1,
            Expr::Lane(vector, 0) => usize::from(vector.lanes()),
            Expr::Local(first) => match self.lanes.get(&first.id) {
                Some((bundle, 0)) => self.bundles[*bundle].lanes.len(),
                Some(_) | None => return 1,
            },
            _ => (WIDEST / local.scalar.bytes()) as usize,
        };
        while count >= 2 {
            let run = stmts.get(..count).and_then(|run| self.value(run));
            if matches!(run, Some(Expr::Vector(..) | Expr::Local(_))) {
                return count;
            }
            count /= 2;
        }
        1
    }

    /// What such statements assign together: a vector in memory, or one in a variable.
    fn value(&self, run: &[Stmt]) -> Option<Expr> {
        let values: Vec<&Expr> = run.iter().map(|s| assigned(s).map(|(_, e)| e)).collect::<Option<_>>()?;
        let count = values.len() as u8;
        match values.first()? {
            Expr::Load(buffer, scalar, index) => {
                let first = self.whole(*buffer, index)?;
                for (lane, value) in values.iter().enumerate() {
                    let Expr::Load(other, _, index) = value else { return None };
                    let distance = self.facts.simplify(&(self.whole(*other, index)? - first));
                    if other != buffer || distance.as_const() != Some(lane as i64) {
                        return None;
                    }
                }
                let rest = self.facts.simplify(&first.modulo(&i64::from(count).into()));
                let aligned = self.facts.eq(&rest, &ArithExpr::zero()) == Truth::Yes;
                aligned.then(|| Expr::Vector(*buffer, *scalar, count, vec![first.clone()]))
            }
            Expr::Lane(vector, 0) if vector.lanes() == count => {
                let same = |(lane, value): (usize, &&Expr)| matches!(value, Expr::Lane(other, l) if other == vector && usize::from(*l) == lane);
                let plain = matches!(**vector, Expr::Local(_));
                (plain && values.iter().enumerate().all(same)).then(|| (**vector).clone())
            }
            // Where they begin.
            first if is_number(first) => {
                let same = values.iter().all(|value| value == first);
                same.then(|| Expr::Pack(vec![(*first).clone(); values.len()]))
            }
            Expr::Local(first) => {
                let (bundle, 0) = *self.lanes.get(&first.id)? else { return None };
                let same = |(lane, value): (usize, &&Expr)| matches!(value, Expr::Local(l) if self.lanes.get(&l.id) == Some(&(bundle, lane as u8)));
                let vector = &self.bundles[bundle].vector;
                let all = vector.lanes == count && values.iter().enumerate().all(same);
                all.then(|| Expr::Local(vector.clone()))
            }
            _ => None,
        }
    }

    /// The index in a buffer of the host.
    fn whole<'i>(&self, buffer: BufferId, index: &'i [ArithExpr]) -> Option<&'i ArithExpr> {
        let global = matches!(self.buffers[buffer.0 as usize].space, Space::Input | Space::Output);
        match index {
            [index] if global => Some(index),
            _ => None,
        }
    }

    /// Whether all bundles hold; those that do not are given up.
    fn hold(&mut self, body: &[Stmt]) -> bool {
        self.verify(body);
        let mut all = true;
        for bundle in &self.bundles {
            if !bundle.holds && bundle.lanes.iter().any(|id| self.lanes.contains_key(id)) {
                all = false;
                bundle.lanes.iter().for_each(|id| {
                    self.lanes.remove(id);
                });
            }
        }
        all
    }

    fn verify(&mut self, stmts: &[Stmt]) {
        let mut at = 0;
        while at < stmts.len() {
            let mut next = at + 1;
            if let Some((local, _)) = assigned(&stmts[at])
                && let Some((bundle, lane)) = self.lanes.get(&local.id).copied()
            {
                match self.together(&stmts[at..], bundle) {
                    Some(_) if lane == 0 => next = at + self.bundles[bundle].lanes.len(),
                    _ => self.bundles[bundle].holds = false,
                }
            }
            at = next;
        }
        stmts.iter().flat_map(Stmt::blocks).for_each(|block| self.verify(block));
    }

    /// What a bundle gets from the first statements on.
    fn together(&self, stmts: &[Stmt], bundle: usize) -> Option<Expr> {
        let Bundle { lanes, .. } = &self.bundles[bundle];
        let run = stmts.get(..lanes.len())?;
        let own = run.iter().zip(lanes).all(|(s, id)| assigned(s).is_some_and(|(local, _)| local.id == *id));
        let alike = run.iter().all(|s| matches!(s, Stmt::Assign(..)) == matches!(run[0], Stmt::Assign(..)));
        if own && alike { self.value(run) } else { None }
    }

    fn got(&self, stmts: &[Stmt], bundle: usize) -> Expr {
        match self.together(stmts, bundle) {
            Some(value) => value,
            None => crate::bug!("variables that are assigned together are not"),
        }
    }

    fn block(&self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < stmts.len() {
            let bundle = match &stmts[at] {
                Stmt::Value { local, .. } | Stmt::Assign(local, _) => self.lanes.get(&local.id).copied(),
                _ => None,
            };
            match (&stmts[at], bundle) {
                (Stmt::Value { init: Some(_), .. }, Some((bundle, _))) => {
                    let (local, init) = (self.bundles[bundle].vector.clone(), self.got(&stmts[at..], bundle));
                    out.push(Stmt::Value { local, init: Some(init), constant: false });
                    at += self.bundles[bundle].lanes.len() - 1;
                }
                (Stmt::Value { .. }, Some((bundle, lane))) => {
                    if lane == 0 {
                        let local = self.bundles[bundle].vector.clone();
                        out.push(Stmt::Value { local, init: None, constant: false });
                    }
                }
                (Stmt::Assign(..), Some((bundle, _))) => {
                    let value = self.got(&stmts[at..], bundle);
                    out.push(Stmt::Assign(self.bundles[bundle].vector.clone(), value));
                    at += self.bundles[bundle].lanes.len() - 1;
                }
                (stmt, _) => {
                    let stmt = stmt.clone().map_exprs(&mut |e| self.expr(e));
                    out.push(stmt.map_blocks(&mut |body| self.block(body)));
                }
            }
            at += 1;
        }
        out
    }

    fn expr(&self, e: &Expr) -> Expr {
        match e {
            Expr::Local(local) => match self.lanes.get(&local.id) {
                Some((bundle, lane)) => {
                    Expr::Lane(Expr::Local(self.bundles[*bundle].vector.clone()).into(), *lane)
                }
                None => e.clone(),
            },
            e => whole(e.map_operands(&mut |x| self.expr(x))),
        }
    }
}

fn assigned(stmt: &Stmt) -> Option<(&Local, &Expr)> {
    match stmt {
        Stmt::Assign(local, e) | Stmt::Value { local, init: Some(e), constant: false } => Some((local, e)),
        _ => None,
    }
}

/// Whether the value is known, such as `-1`, a size, or the smallest of all numbers.
fn is_number(e: &Expr) -> bool {
    match e {
        Expr::Literal(_) | Expr::Index(_) => true,
        Expr::Unary(..) | Expr::Binary(..) | Expr::Cast(..) => e.operands().all(is_number),
        _ => false,
    }
}
