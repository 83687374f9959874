//! Scheduling that lowers register pressure: what is read is used soon after.
//!
//! Before: a block that reads elements, and then computes long sums of them, one after the other. After: where it reads more than registers hold, it reads a
//! batch of them at a time, and each operation follows the batch that completes its operands. Between two batches, partial sums are live, and not all
//! elements. Every operation has the same operands as before.

use std::collections::BTreeMap;

use crate::imp::ast::{Expr, Local, Stmt};
use crate::imp::passes::join_neighbours::WIDEST;
use crate::ir::{BinaryOp, MathFn, UnaryOp};
use crate::machine::registers::{BATCH, MOST_ELEMENTS};

/// Runs the pass.
pub(super) fn run(body: Vec<Stmt>) -> Vec<Stmt> {
    block(body.into_iter().map(|stmt| stmt.map_blocks(&mut run)).collect())
}

fn block(stmts: Vec<Stmt>) -> Vec<Stmt> {
    if stmts.iter().map(elements).sum::<i64>() <= MOST_ELEMENTS {
        return stmts;
    }
    let batches = Batches::of(&stmts);
    let mut early: BTreeMap<usize, Vec<Stmt>> = BTreeMap::new();
    let mut computed = Vec::new();
    for (at, stmt) in stmts.into_iter().enumerate() {
        computed.push(batches.stmt(stmt, batches.number[at], &mut early));
    }
    let mut out = Vec::new();
    for (at, stmt) in computed.into_iter().enumerate() {
        if at > 0 && batches.number[at] != batches.number[at - 1] {
            out.extend(early.remove(&batches.number[at - 1]).unwrap_or_default());
        }
        out.push(stmt);
    }
    out
}

/// How many elements a statement reads into a constant. A wider vector than those that neighbours become is one register, of a CPU.
fn elements(stmt: &Stmt) -> i64 {
    match stmt {
        Stmt::Value { local, init: Some(e), constant: true } if e.loads() => {
            let lanes = i64::from(local.lanes);
            if lanes * local.scalar.bytes() <= WIDEST { lanes } else { 0 }
        }
        _ => 0,
    }
}

/// Which elements are read together.
struct Batches {
    /// The batch in which each statement stands, the first one being 0.
    number: Vec<usize>,
    /// The batch after which each variable of the block has its value: the last one, if it changes.
    known: BTreeMap<u32, usize>,
}

impl Batches {
    fn of(stmts: &[Stmt]) -> Batches {
        let (mut read, mut number, mut known) = (0, Vec::new(), BTreeMap::new());
        let last = stmts.iter().rposition(|stmt| elements(stmt) > 0);
        for (at, stmt) in stmts.iter().enumerate() {
            // What follows the last element stands in a batch of its own.
            let batch = if last < Some(at) { usize::MAX } else { (read / BATCH) as usize };
            read += elements(stmt);
            number.push(batch);
            stmt.visit(&mut |inner| {
                if let Stmt::Value { local, .. } | Stmt::Assign(local, _) = inner {
                    known.insert(local.id, usize::MAX);
                }
            });
            if let Stmt::Value { local, constant: true, init: Some(_) } = stmt {
                known.insert(local.id, batch);
            }
        }
        Batches { number, known }
    }

    /// The statement in a batch, with constants for what can be computed after earlier ones, also for what is stored in one of its arms.
    fn stmt(&self, stmt: Stmt, here: usize, early: &mut BTreeMap<usize, Vec<Stmt>>) -> Stmt {
        match stmt {
            Stmt::Store(..) | Stmt::Value { constant: true, .. } if elements(&stmt) == 0 => {
                stmt.map_exprs(&mut |e| self.value(e, here, early))
            }
            Stmt::If(..) => {
                stmt.map_blocks(&mut |arm| arm.into_iter().map(|stmt| self.stmt(stmt, here, early)).collect())
            }
            stmt => stmt,
        }
    }

    /// The expression as it is computed in a batch.
    fn value(&self, e: &Expr, here: usize, early: &mut BTreeMap<usize, Vec<Stmt>>) -> Expr {
        match e {
            Expr::Pack(lanes) => Expr::Pack(lanes.iter().map(|lane| self.value(lane, here, early)).collect()),
            e => computed(self.split(e, early), here, early),
        }
    }

    /// The expression with constants for what can be computed after earlier batches than the rest, and the batch after which the rest can be: the last one,
    /// if it is not to be computed before it is needed.
    fn split(&self, e: &Expr, early: &mut BTreeMap<usize, Vec<Stmt>>) -> (Expr, usize) {
        match e {
            Expr::Literal(_) => (e.clone(), 0),
            Expr::Local(local) => (e.clone(), self.known.get(&local.id).copied().unwrap_or(0)),
            Expr::Lane(x, lane) => {
                let (x, ready) = self.split(x, early);
                (Expr::Lane(x.into(), *lane), ready)
            }
            e if is_operation(e) => {
                let operands: Vec<(Expr, usize)> = e.operands().map(|x| self.split(x, early)).collect();
                let ready = operands.iter().map(|(_, ready)| *ready).max().unwrap_or(0);
                let mut operands = operands.into_iter();
                let mut next =
                    |x: &Expr| operands.next().map_or_else(|| x.clone(), |x| computed(x, ready, early));
                (e.map_operands(&mut next), ready)
            }
            _ => (e.clone(), usize::MAX),
        }
    }
}

/// An expression that can be computed after a batch, where it is read: a constant, if that is later.
fn computed((e, ready): (Expr, usize), here: usize, early: &mut BTreeMap<usize, Vec<Stmt>>) -> Expr {
    if ready >= here || !is_operation(&e) {
        return e;
    }
    let local = Local { lanes: e.lanes(), ..Local::new("sum", e.scalar()) };
    let stmt = Stmt::Value { local: local.clone(), init: Some(e), constant: true };
    early.entry(ready).or_default().push(stmt);
    Expr::Local(local)
}

/// Whether this is arithmetic on floats, which may be done whether its value is needed or not.
fn is_operation(e: &Expr) -> bool {
    let is_float = e.scalar().is_float();
    match e {
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => is_float,
        Expr::Unary(UnaryOp::Neg, ..) | Expr::Math(MathFn::MulAdd, ..) => is_float,
        _ => false,
    }
}
