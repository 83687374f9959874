//! The lanes of a vector.
//!
//! Before: the statements of one element, at an index that counts lanes. After: statements that compute the
//! elements of all lanes at once. What differs between lanes is a vector, what is the same for all stays a
//! scalar; neighbouring elements of a buffer in memory are read and written as a vector, all others lane by
//! lane. Refuses where lanes would go different ways, need a helper function or keep an array: then every
//! element is written out instead.

mod expr;
mod varying;

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Facts, Var};
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::imp::leaving;
use crate::imp::passes::scalar_replacement;
use crate::ir::build::fresh_id;
use crate::ir::{BinaryOp, Scalar};
use crate::memory::{Buffer, BufferId, Space};
use varying::Varying;

/// The statements for all values of `var` below `count` together.
pub(super) fn together(
    body: Vec<Stmt>,
    var: &Var,
    count: u8,
    buffers: &[Buffer],
    facts: &mut Facts,
) -> Option<Vec<Stmt>> {
    let body = scalar_replacement::run(body, buffers);
    let varying = Varying::of(&body, var);
    let indices = BTreeMap::new();
    let definitions = BTreeMap::new();
    let mut lanes = Lanes { var, count, buffers, facts, varying, definitions, indices, left: None };
    lanes.block(body)
}

struct Lanes<'a> {
    var: &'a Var,
    count: u8,
    buffers: &'a [Buffer],
    facts: &'a mut Facts,
    varying: Varying,
    /// Indices that follow from that of the lane.
    definitions: BTreeMap<Var, ArithExpr>,
    /// Indices that follow from data: one for each lane.
    indices: BTreeMap<Var, Vec<Var>>,
    /// Inside of a loop that some lanes have left: which ones, and the variables that stay what they are for those.
    left: Option<(Local, BTreeSet<u32>)>,
}

impl Lanes<'_> {
    fn block(&mut self, stmts: Vec<Stmt>) -> Option<Vec<Stmt>> {
        let mut out = Vec::new();
        for stmt in stmts {
            self.stmt(stmt, &mut out)?;
        }
        Some(out)
    }

    /// The rounds of a loop that some lanes may leave before others.
    fn rounds(&mut self, body: Vec<Stmt>) -> Option<Vec<Stmt>> {
        let Some((before, cond, rest)) = leaving::apart(&body, &|e| self.varying.expr(e)) else {
            return self.block(body);
        };
        if self.left.is_some() {
            return None;
        }
        let mut out = self.block(before.to_vec())?;
        let mask = Local::new("left", Scalar::Bool);
        let init = Some(self.vector(cond)?);
        self.varying.add(&mask);
        let mask = self.wide(&mask)?;
        out.push(Stmt::Value { local: mask.clone(), init, constant: true });
        out.push(Stmt::Leave(Expr::All(Expr::Local(mask.clone()).into())));
        self.left = Some((mask, leaving::kept(rest)));
        let rest = self.block(rest.to_vec());
        self.left = None;
        out.extend(rest?);
        Some(out)
    }

    fn stmt(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<()> {
        match stmt {
            // What lanes that have left a loop would store or look up is not known to be right.
            Stmt::Store(..) | Stmt::Index(_, IndexValue::Checked { .. }) if self.left.is_some() => {
                return None;
            }
            Stmt::Index(var, value) if self.varying.index(&var) => self.index(var, value, out)?,
            Stmt::Value { local, init, constant } if self.varying.local(&local) => {
                let init = match init {
                    Some(e) => Some(self.vector(&e)?),
                    None => None,
                };
                out.push(Stmt::Value { local: self.wide(&local)?, init, constant });
            }
            Stmt::Assign(local, value) if self.varying.local(&local) => {
                let (vector, value) = (self.wide(&local)?, self.vector(&value)?);
                let left = self.left.as_ref().filter(|(_, kept)| kept.contains(&local.id));
                let value = match left {
                    Some((mask, _)) => {
                        let (mask, stays) = (Expr::Local(mask.clone()), Expr::Local(vector.clone()));
                        Expr::Select(mask.into(), stays.into(), value.into())
                    }
                    None => value,
                };
                out.push(Stmt::Assign(vector, value));
            }
            Stmt::Store(buffer, index, value) => self.store(buffer, &index, &value, out)?,
            Stmt::For { var, start, bound, step, unroll, body } => {
                if [&start, &bound, &step].into_iter().any(|e| self.varying.arith(e)) {
                    return None;
                }
                let body = self.block(body)?;
                out.push(Stmt::For { var, start, bound, step, unroll, body });
            }
            Stmt::Repeat { counter, count, body } => {
                let count = self.same(count)?;
                let body = self.rounds(body)?;
                out.push(Stmt::Repeat { counter, count, body });
            }
            // All lanes leave together, or none of them.
            Stmt::Leave(cond) => {
                let cond = self.same(cond)?;
                out.push(Stmt::Leave(cond));
            }
            Stmt::If(cond, then, otherwise) if otherwise.is_empty() && self.varying.expr(&cond) => {
                let guarded = self.guarded(&cond, then)?;
                out.push(guarded);
            }
            Stmt::If(cond, then, otherwise) => {
                let cond = self.same(cond)?;
                let (then, otherwise) = (self.block(then)?, self.block(otherwise)?);
                out.push(Stmt::If(cond, then, otherwise));
            }
            stmt @ (Stmt::Index(..) | Stmt::Value { .. } | Stmt::Assign(..)) => {
                if stmt.expr().into_iter().any(expr::has_vectors) {
                    return None;
                }
                out.push(stmt);
            }
            // A claim is made for each lane.
            Stmt::Array(_) | Stmt::Atomic(..) | Stmt::Claim(_) | Stmt::Barrier => return None,
        }
        Some(())
    }

    /// What some lanes store and others do not: together if all of them do, and one by one otherwise.
    fn guarded(&mut self, cond: &Expr, then: Vec<Stmt>) -> Option<Stmt> {
        let all = self.in_all_lanes(cond)?;
        let together = self.block(then.clone())?;
        let mut apart = Vec::new();
        for stmt in then {
            match stmt {
                Stmt::Index(var, IndexValue::Arith(_)) if self.varying.index(&var) => {}
                stmt @ Stmt::Index(_, IndexValue::Arith(_)) => apart.push(stmt),
                Stmt::Store(buffer, index, value) => {
                    for lane in 0..self.count {
                        let value = self.lane(&value, lane)?;
                        let store = Stmt::Store(buffer, self.lane_indices(&index, lane), value);
                        apart.push(Stmt::If(self.lane(cond, lane)?, vec![store], Vec::new()));
                    }
                }
                _ => return None,
            }
        }
        Some(Stmt::If(all, together, apart))
    }

    /// Whether a condition holds in all lanes, if the first or the last of them tells.
    fn in_all_lanes(&self, cond: &Expr) -> Option<Expr> {
        match cond {
            cond if !self.varying.expr(cond) => self.same(cond.clone()),
            Expr::Binary(BinaryOp::And, scalar, a, b) => {
                let [a, b] = [self.in_all_lanes(a)?, self.in_all_lanes(b)?];
                Some(Expr::Binary(BinaryOp::And, *scalar, a.into(), b.into()))
            }
            Expr::Cond(c) => {
                let (step, _) = self.resolved(&c.margin()).linear_in(self.var)?;
                let last = step.as_const()? < 0;
                self.lane(cond, if last { self.count - 1 } else { 0 })
            }
            _ => None,
        }
    }

    /// An index that differs between lanes is not kept in a vector.
    fn index(&mut self, var: Var, value: IndexValue, out: &mut Vec<Stmt>) -> Option<()> {
        if let IndexValue::Arith(e) = &value {
            self.definitions.insert(var, self.resolved(e));
            return Some(());
        }
        let lanes: Vec<Var> = (0..self.count).map(|_| Var::new(fresh_id(), var.name())).collect();
        let most = self.facts.upper_bound(&ArithExpr::var(&var));
        lanes.iter().for_each(|own| self.facts.declare(own, Some(ArithExpr::zero()), most.clone()));
        for (lane, own) in lanes.iter().enumerate() {
            let lane = lane as u8;
            let value = match &value {
                IndexValue::Value(e) => IndexValue::Value(self.lane(e, lane)?),
                IndexValue::Checked { site, value, len, position, otherwise } => IndexValue::Checked {
                    site: *site,
                    value: self.lane(value, lane)?,
                    len: self.lane_index(len, lane),
                    position: self.lane_index(position, lane),
                    otherwise: self.lane_index(otherwise, lane),
                },
                IndexValue::Arith(_) | IndexValue::Id(..) => return None,
            };
            out.push(Stmt::Index(own.clone(), value));
        }
        self.indices.insert(var, lanes);
        Some(())
    }

    fn store(
        &mut self,
        buffer: BufferId,
        index: &[ArithExpr],
        value: &Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        if !index.iter().any(|i| self.varying.arith(i)) {
            return None;
        }
        if self.is_contiguous(buffer, value.scalar(), index) {
            let value = self.vector(value)?;
            out.push(Stmt::Store(buffer, self.lane_indices(index, 0), value));
            return Some(());
        }
        let value = match value {
            e if !self.varying.expr(e) => self.same(e.clone())?,
            e @ Expr::Local(_) => e.clone(),
            e => {
                let local = Local::new("value", e.scalar());
                let init = Some(self.vector(e)?);
                self.varying.add(&local);
                out.push(Stmt::Value { local: self.wide(&local)?, init, constant: true });
                Expr::Local(local)
            }
        };
        for lane in 0..self.count {
            out.push(Stmt::Store(buffer, self.lane_indices(index, lane), self.lane(&value, lane)?));
        }
        Some(())
    }

    /// Whether lanes access neighbours in a buffer that lies in memory, the first lane the first of them.
    fn is_contiguous(&self, buffer: BufferId, scalar: Scalar, index: &[ArithExpr]) -> bool {
        let in_memory = match self.buffers[buffer.0 as usize].space {
            Space::Input | Space::Output | Space::Local | Space::Global => true,
            Space::Private | Space::Constant => false,
        };
        let Some((index, outer)) = index.split_last() else { return false };
        let index = self.resolved(index);
        let one_row = !outer.iter().any(|i| self.varying.arith(i));
        let steps_by_one =
            index.linear_in(self.var).is_some_and(|(coefficient, _)| coefficient.as_const() == Some(1));
        let follows_data = index.vars().iter().any(|v| self.indices.contains_key(v));
        in_memory && one_row && scalar != Scalar::Bool && steps_by_one && !follows_data
    }

    /// The variable that holds the values of all lanes.
    fn wide(&self, local: &Local) -> Option<Local> {
        (local.scalar != Scalar::F16 && self.varying.is_own(local))
            .then(|| Local { lanes: self.count, ..local.clone() })
    }

    /// What is the same for all lanes.
    fn same(&self, e: Expr) -> Option<Expr> {
        (!self.varying.expr(&e) && !expr::has_vectors(&e)).then_some(e)
    }

    /// The index in terms of the lane.
    fn resolved(&self, e: &ArithExpr) -> ArithExpr {
        if e.vars().iter().any(|v| self.definitions.contains_key(v)) {
            e.substitute(&self.definitions)
        } else {
            e.clone()
        }
    }

    /// The index of a lane.
    fn lane_index(&self, e: &ArithExpr, lane: u8) -> ArithExpr {
        let e = self.resolved(e);
        let mut by = BTreeMap::from([(self.var.clone(), ArithExpr::from(i64::from(lane)))]);
        for (var, lanes) in &self.indices {
            by.insert(var.clone(), ArithExpr::var(&lanes[usize::from(lane)]));
        }
        self.facts.simplify(&e.substitute(&by))
    }

    fn lane_indices(&self, indices: &[ArithExpr], lane: u8) -> Vec<ArithExpr> {
        indices.iter().map(|i| self.lane_index(i, lane)).collect()
    }
}
