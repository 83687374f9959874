//! What is read is used soon after.
//!
//! Before: a block that reads many elements, and then computes long sums of them, one after the other. After: where it reads many, each operation is
//! computed as soon as its operands are read, a batch of elements at a time. Between two batches live the sums, in place of all elements: a work-item has registers for
//! these. No operation has other operands than before.

use std::collections::BTreeMap;

use crate::imp::ast::{Expr, Local, Stmt};
use crate::ir::{BinaryOp, MathFn};
use crate::machine::registers::{BATCH, MOST_ELEMENTS};

/// Vectors with more lanes are those of CPUs.
const WIDEST: u8 = 4;

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

/// How many elements a statement reads into a constant, or none for a vector as wide as those of CPUs, which is one register.
fn elements(stmt: &Stmt) -> i64 {
    match stmt {
        Stmt::Value { local, init: Some(e), constant: true } if e.loads() && local.lanes <= WIDEST => {
            local.lanes.into()
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
                if let Stmt::Repeat { counter, .. } = inner {
                    known.insert(counter.id, usize::MAX);
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
                stmt.map_exprs(&mut |e| self.split(e, here, early))
            }
            Stmt::If(..) => {
                stmt.map_blocks(&mut |arm| arm.into_iter().map(|stmt| self.stmt(stmt, here, early)).collect())
            }
            stmt => stmt,
        }
    }

    /// The batch after which an expression can be computed: the last one, if it is not to be computed before it is needed.
    fn ready(&self, e: &Expr) -> usize {
        match e {
            Expr::Literal(_) => 0,
            Expr::Local(local) => self.known.get(&local.id).copied().unwrap_or(0),
            Expr::Lane(x, _) | Expr::Unary(_, _, x) => self.ready(x),
            Expr::Pack(_) => usize::MAX,
            e if is_operation(e) => e.operands().map(|x| self.ready(x)).max().unwrap_or(0),
            _ => usize::MAX,
        }
    }

    /// The expression as it is computed in a batch: with constants for what can be computed after earlier ones.
    fn split(&self, e: &Expr, here: usize, early: &mut BTreeMap<usize, Vec<Stmt>>) -> Expr {
        if let Expr::Pack(lanes) = e {
            return Expr::Pack(lanes.iter().map(|lane| self.split(lane, here, early)).collect());
        }
        if !is_operation(e) {
            return e.clone();
        }
        let ready = self.ready(e);
        let inside = |early: &mut _, batch| e.map_operands(&mut |x| self.split(x, batch, early));
        if ready >= here {
            return inside(early, here);
        }
        let value = inside(early, ready);
        let local = Local { lanes: e.lanes(), ..Local::new("sum", e.scalar()) };
        let stmt = Stmt::Value { local: local.clone(), init: Some(value), constant: true };
        early.entry(ready).or_default().push(stmt);
        Expr::Local(local)
    }
}

/// Whether this is arithmetic on floats, which may be done whether its value is needed or not.
fn is_operation(e: &Expr) -> bool {
    let is_float = e.scalar().is_float();
    match e {
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => is_float,
        Expr::Math(MathFn::MulAdd, ..) => is_float,
        _ => false,
    }
}
