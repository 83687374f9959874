//! Loops whose trips wait for each other read several elements ahead.
//!
//! Before: a loop that computes something from what the trip before gave, and stores it, or something slow, such as a quotient: the target's compiler moves no
//! load ahead of that, so that each trip waits for memory. After: batches of trips, of which all loads come first, and the trips that are left over one by one. The
//! trips are the same, in their order; loads are of inputs, which nobody writes.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Var};
use crate::imp::ast::{Expr, IndexValue, Kernel, Local, Stmt, Unroll};
use crate::ir::BinaryOp;
use crate::ir::build::fresh_id;
use crate::machine::loops::{BATCHED_LOADS, BATCHED_STATEMENTS, TRIPS};
use crate::memory::{Buffer, Space};

/// Runs the pass.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    let body = std::mem::take(&mut kernel.body);
    kernel.body = block(body, &kernel.buffers, &mut kernel.facts);
    kernel
}

fn block(stmts: Vec<Stmt>, buffers: &[Buffer], facts: &mut Facts) -> Vec<Stmt> {
    let one = |stmt: Stmt| {
        let stmt = stmt.map_blocks(&mut |body| block(body, buffers, facts));
        batched(&stmt, buffers, facts).unwrap_or_else(|| vec![stmt])
    };
    stmts.into_iter().flat_map(one).collect()
}

/// The batches of a loop, and what is left over.
fn batched(stmt: &Stmt, buffers: &[Buffer], facts: &mut Facts) -> Option<Vec<Stmt>> {
    let Stmt::For { var, start, bound, step, unroll: Unroll::No, body } = stmt else { return None };
    let body = &without_indices(body);
    let is_short = bound.as_const().is_some_and(|n| n <= 2 * TRIPS);
    let is_line =
        |stmt: &Stmt| matches!(stmt, Stmt::Value { init: Some(_), .. } | Stmt::Assign(..) | Stmt::Store(..));
    if step.as_const() != Some(1) || is_short || body.len() > BATCHED_STATEMENTS || !body.iter().all(is_line)
    {
        return None;
    }
    let loads = loads(body, buffers);
    let waits = waits(body)?;
    if loads.len() < waits || loads.len() > BATCHED_LOADS {
        return None;
    }
    let mut batch = Vec::new();
    let mut trips = Vec::new();
    for k in 0..TRIPS {
        let later = BTreeMap::from([(var.clone(), ArithExpr::var(var) + k)]);
        let read: Vec<Local> = loads.iter().map(|load| Local::new("ahead", load.scalar())).collect();
        for (load, local) in loads.iter().zip(&read) {
            let init = load.map_indices(&mut |i| facts.simplify(&i.substitute(&later)));
            batch.push(Stmt::Value { local: local.clone(), init: Some(init), constant: true });
        }
        trips.extend(
            trip(body, &loads, &read)
                .into_iter()
                .map(|stmt| stmt.map_indices(&mut |i| facts.simplify(&i.substitute(&later)))),
        );
    }
    batch.extend(trips);
    // One trip more than there is, for each that is left over.
    let rest = Var::new(fresh_id(), var.name());
    facts.declare(&rest, Some(start.clone()), Some(bound - 1));
    let whole = (bound - start).div(&TRIPS.into()) * TRIPS + start;
    let own = BTreeMap::from([(var.clone(), ArithExpr::var(&rest))]);
    let left = trip(body, &[], &[]).into_iter().map(|stmt| stmt.map_indices(&mut |i| i.substitute(&own)));
    let looped = |var: &Var, start, bound, step: i64, body| Stmt::For {
        var: var.clone(),
        start,
        bound,
        step: step.into(),
        unroll: Unroll::No,
        body,
    };
    Some(vec![
        looped(var, start.clone(), facts.simplify(&whole), TRIPS, batch),
        looped(&rest, facts.simplify(&whole), bound.clone(), 1, left.collect()),
    ])
}

/// The statements with computed indices in place of the variables that hold them.
fn without_indices(body: &[Stmt]) -> Vec<Stmt> {
    let mut known: BTreeMap<Var, ArithExpr> = BTreeMap::new();
    let mut rest = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::Index(var, IndexValue::Arith(e)) => {
                known.insert(var.clone(), e.substitute(&known));
            }
            stmt => rest.push(stmt.clone().map_indices(&mut |i| i.substitute(&known))),
        }
    }
    rest
}

/// The loads of inputs that each trip makes, whatever trips before gave.
fn loads(body: &[Stmt], buffers: &[Buffer]) -> Vec<Expr> {
    let mut found = Vec::new();
    body.iter().filter_map(Stmt::expr).for_each(|e| always(e, buffers, &mut found));
    found
}

/// Arms of a choice are perhaps not computed.
fn always(e: &Expr, buffers: &[Buffer], found: &mut Vec<Expr>) {
    match e {
        Expr::Load(buffer, ..) if buffers[buffer.0 as usize].space == Space::Input => {
            if !found.contains(e) {
                found.push(e.clone());
            }
        }
        Expr::Select(test, ..) => always(test, buffers, found),
        Expr::Binary(BinaryOp::And | BinaryOp::Or, _, a, _) => always(a, buffers, found),
        _ => e.operands().for_each(|x| always(x, buffers, found)),
    }
}

/// So many loads of a trip are worth a batch, if trips wait for each other: one, if a trip computes something slow from what the trip before gave; two, if it
/// stores something at all, for of one the target's compiler makes as good a batch.
fn waits(body: &[Stmt]) -> Option<usize> {
    let declared = |local: &Local| {
        body.iter().any(|stmt| matches!(stmt, Stmt::Value { local: own, .. } if own == local))
    };
    let assigned = body.iter().filter_map(|stmt| match stmt {
        Stmt::Assign(local, _) if !declared(local) => Some(local),
        _ => None,
    });
    let mut carried: Vec<&Local> = assigned.collect();
    let stores = body.iter().any(|stmt| matches!(stmt, Stmt::Store(..))) && !carried.is_empty();
    let mut slow = false;
    // What is computed from what is carried, in order.
    for stmt in body {
        let (Some(e), target) = (stmt.expr(), stmt) else { continue };
        let depends = |e: &Expr| e.any(&|x| matches!(x, Expr::Local(local) if carried.contains(&local)));
        slow |= e.any(&|x| takes_long(x) && depends(x));
        if let (true, Stmt::Value { local, .. } | Stmt::Assign(local, _)) = (depends(e), target) {
            carried.push(local);
        }
    }
    match slow {
        true => Some(1),
        false => stores.then_some(2),
    }
}

fn takes_long(e: &Expr) -> bool {
    match e {
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => true,
        Expr::Math(function, ..) => function.takes_long(),
        _ => false,
    }
}

/// A trip with variables of its own, which finds these loads in these variables.
fn trip(body: &[Stmt], loads: &[Expr], read: &[Local]) -> Vec<Stmt> {
    let own = |stmt: &Stmt| match stmt {
        Stmt::Value { local, .. } => Some((local.id, Local { id: fresh_id(), ..local.clone() })),
        _ => None,
    };
    let own: BTreeMap<u32, Local> = body.iter().filter_map(own).collect();
    let named = |local: Local| own.get(&local.id).cloned().unwrap_or(local);
    let renamed = |stmt: &Stmt| {
        let stmt = stmt.clone().map_exprs(&mut |e| in_variables(e, loads, read));
        let stmt = stmt.replace_locals(&|local| own.get(&local.id).cloned().map(Expr::Local));
        match stmt {
            Stmt::Value { local, init, constant } => Stmt::Value { local: named(local), init, constant },
            Stmt::Assign(local, e) => Stmt::Assign(named(local), e),
            other => other,
        }
    };
    body.iter().map(renamed).collect()
}

fn in_variables(e: &Expr, loads: &[Expr], read: &[Local]) -> Expr {
    match loads.iter().position(|load| load == e) {
        Some(i) => Expr::Local(read[i].clone()),
        None => e.map_operands(&mut |x| in_variables(x, loads, read)),
    }
}
