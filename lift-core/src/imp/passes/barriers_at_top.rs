//! All work-items come by every barrier.
//!
//! Before: barriers stand where all items of a group come by or none does, also in branches. After: they stand in no branch. The
//! statements before and after one are each guarded by themselves, and a loop with a barrier has the guard inside. What both sides
//! of a barrier know is declared before the branch. CPU drivers run the items of a group one after the other from
//! barrier to barrier, and are at their best, and at their most reliable, if they need not find out who waits.
//!
//! A branch stays as it is if it would have to compute an index from memory that only the branch may read.

use std::collections::BTreeSet;

use crate::arith::Var;
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::ir::{Scalar, UnaryOp};
use crate::view::Cond;

/// Runs the pass.
pub(super) fn run(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = Vec::new();
    for stmt in stmts {
        let apart = match stmt.map_blocks(&mut run) {
            Stmt::If(cond, then, otherwise) if waits(&then) || waits(&otherwise) => {
                apart(cond, then, otherwise)
            }
            stmt => vec![stmt],
        };
        for stmt in apart {
            // Copies of a map number a dimension once.
            let known = stmt.index().and_then(|var| out.iter().find(|s| s.index() == Some(var)));
            if !known.is_some_and(|known| is_same(known, &stmt)) {
                out.push(stmt);
            }
        }
    }
    out
}

fn waits(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| stmt.any(&|s| matches!(s, Stmt::Barrier)))
}

/// A branch with barriers, without.
fn apart(cond: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>) -> Vec<Stmt> {
    let (Some(mut then), Some(otherwise)) = (Pieces::of(&then), Pieces::of(&otherwise)) else {
        return vec![Stmt::If(cond, then, otherwise)];
    };
    let mut before = std::mem::take(&mut then.before);
    for stmt in otherwise.before {
        match stmt.index().and_then(|var| before.iter().find(|s| s.index() == Some(var))) {
            None => before.push(stmt),
            Some(known) if is_same(known, &stmt) => {}
            // The two sides mean different things by it.
            Some(_) => return vec![Stmt::If(cond, then.original, otherwise.original)],
        }
    }
    let changes = |stmts: &[Stmt]| {
        let mut assigned = BTreeSet::new();
        stmts.iter().for_each(|s| {
            s.visit(&mut |s| {
                if let Stmt::Assign(local, _) = s {
                    assigned.insert(local.id);
                }
            });
        });
        assigned
    };
    let assigned = &changes(&then.original) | &changes(&otherwise.original);
    let cond = if !cond.loads() && reads(&cond).is_disjoint(&assigned) {
        cond
    } else {
        let local = Local::new("here", Scalar::Bool);
        before.push(Stmt::Value { local: local.clone(), init: Some(cond), constant: true });
        Expr::Local(local)
    };
    let (mut yes, mut no) = (then.pieces.into_iter(), otherwise.pieces.into_iter());
    let first = |piece: Option<Piece>| match piece {
        Some(Piece::Plain(stmts)) => stmts,
        Some(Piece::Barrier | Piece::Loop(_)) | None => Vec::new(),
    };
    push_if(&mut before, cond.clone(), first(yes.next()), first(no.next()));
    let negated = negated(&cond);
    for (cond, pieces) in [(cond, yes), (negated, no)] {
        for piece in pieces {
            match piece {
                Piece::Plain(stmts) => push_if(&mut before, cond.clone(), stmts, Vec::new()),
                Piece::Barrier => before.push(Stmt::Barrier),
                Piece::Loop(stmt) => {
                    before.push(stmt.map_blocks(&mut |body| apart(cond.clone(), body, Vec::new())));
                }
            }
        }
    }
    before
}

fn push_if(out: &mut Vec<Stmt>, cond: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>) {
    match (then.is_empty(), otherwise.is_empty()) {
        (true, true) => {}
        (true, false) => out.push(Stmt::If(negated(&cond), otherwise, Vec::new())),
        (false, _) => out.push(Stmt::If(cond, then, otherwise)),
    }
}

fn negated(cond: &Expr) -> Expr {
    match cond {
        Expr::Cond(Cond::Less(a, b)) => Expr::Cond(Cond::AtLeast(a.clone(), b.clone())),
        Expr::Cond(Cond::AtLeast(a, b)) => Expr::Cond(Cond::Less(a.clone(), b.clone())),
        cond => Expr::Unary(UnaryOp::Not, Scalar::Bool, Box::new(cond.clone())),
    }
}

/// Whether two statements declare the same index.
fn is_same(a: &Stmt, b: &Stmt) -> bool {
    match (a, b) {
        (Stmt::Index(_, IndexValue::Arith(a)), Stmt::Index(_, IndexValue::Arith(b))) => a == b,
        _ => false,
    }
}

fn reads(e: &Expr) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    e.visit(&mut |e| {
        if let Expr::Local(local) = e {
            found.insert(local.id);
        }
    });
    found
}

/// A part of one side of a branch.
enum Piece {
    Plain(Vec<Stmt>),
    Barrier,
    /// A loop that waits.
    Loop(Stmt),
}

/// One side of a branch; the first piece is plain.
struct Pieces {
    /// What later pieces know from earlier ones.
    before: Vec<Stmt>,
    pieces: Vec<Piece>,
    /// Indices that stay where they are.
    own: BTreeSet<Var>,
    original: Vec<Stmt>,
}

impl Pieces {
    /// `None` if an index is known to several pieces, or to the bounds of a loop, that not everybody may compute.
    fn of(stmts: &[Stmt]) -> Option<Pieces> {
        let mut pieces =
            Pieces { before: Vec::new(), pieces: Vec::new(), own: BTreeSet::new(), original: stmts.to_vec() };
        let mut plain = Vec::new();
        for (at, stmt) in stmts.iter().enumerate() {
            match stmt {
                Stmt::Barrier => {
                    pieces.pieces.extend([Piece::Plain(std::mem::take(&mut plain)), Piece::Barrier]);
                }
                Stmt::For { .. } | Stmt::Repeat { .. } if waits(std::slice::from_ref(stmt)) => {
                    if stmt.expr().is_some_and(Expr::loads) {
                        return None;
                    }
                    let before = Piece::Plain(std::mem::take(&mut plain));
                    pieces.pieces.extend([before, Piece::Loop(stmt.clone())]);
                }
                // Both sides of a branch that could not be taken apart.
                Stmt::If(..) if waits(std::slice::from_ref(stmt)) => return None,
                stmt => {
                    // Where the next piece begins.
                    let ends = |s: &Stmt| waits(std::slice::from_ref(s));
                    let later = stmts[at..].iter().position(ends).map_or(&[][..], |n| &stmts[at + n..]);
                    plain.extend(pieces.shared(stmt, later)?);
                }
            }
        }
        pieces.pieces.push(Piece::Plain(plain));
        Some(pieces)
    }

    /// What is left of a statement when later pieces know what it declares.
    fn shared(&mut self, stmt: &Stmt, later: &[Stmt]) -> Option<Option<Stmt>> {
        let own = Some(Some(stmt.clone()));
        match stmt {
            Stmt::Array(_) | Stmt::Index(..) | Stmt::Value { .. } if later.is_empty() => own,
            Stmt::Array(_) => {
                self.before.push(stmt.clone());
                Some(None)
            }
            Stmt::Index(var, value) => {
                let computed = match value {
                    IndexValue::Arith(e) => !e.vars().iter().any(|var| self.own.contains(var)),
                    IndexValue::Id(..) => true,
                    IndexValue::Value(_) | IndexValue::Checked { .. } => false,
                };
                if computed {
                    self.before.push(stmt.clone());
                    return Some(None);
                }
                self.own.insert(var.clone());
                let mut used = false;
                later.iter().for_each(|s| s.visit_indices(&mut |e| used |= e.vars().contains(var)));
                if used { None } else { own }
            }
            Stmt::Value { local, init, .. } => {
                let used = |stmt: &Stmt| {
                    stmt.any_expr(&|e| matches!(e, Expr::Local(other) if other == local))
                        || stmt.any(&|s| matches!(s, Stmt::Assign(other, _) if other == local))
                };
                if !later.iter().any(used) {
                    return own;
                }
                self.before.push(Stmt::Value { local: local.clone(), init: None, constant: false });
                Some(init.clone().map(|init| Stmt::Assign(local.clone(), init)))
            }
            _ => own,
        }
    }
}
