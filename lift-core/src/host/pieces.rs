//! Pieces of rows: what a strip reads and writes side by side in a trip of a loop inside of it.
//!
//! Before: such a loop, whose body has vectors. After, as text: for each piece an array of a known length, so that its bounds are checked once, and
//! prefetches of later pieces.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Var};
use crate::host::print::{Array, Printer, stored};
use crate::imp::ast::{Expr, Stmt};
use crate::ir::BinaryOp;
use crate::machine::host::AHEAD;
use crate::memory::BufferId;

/// Takes accesses: the buffer, whether it is a write, how many lanes it has, and the index.
type Accesses<'f> = dyn FnMut(BufferId, bool, u8, &[ArithExpr]) + 'f;

/// The strip that a loop is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passing {
    /// Its trips.
    pub(super) width: i64,
    /// Whether it is the outermost loop, which reads each element once, so that prefetching pays.
    pub(super) is_outermost: bool,
}

/// Elements side by side that have a name, by the index of the first.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) buffer: BufferId,
    pub(super) first: ArithExpr,
    pub(super) width: i64,
    pub(super) name: String,
}

/// Vectors of an array that lie within one piece of it.
struct Found {
    buffer: BufferId,
    first: ArithExpr,
    is_written: bool,
}

impl Printer<'_> {
    /// Names the pieces of a trip of this loop.
    pub(super) fn pieces(&mut self, var: &Var, body: &[Stmt], strip: Passing) {
        let width = strip.width;
        let next = BTreeMap::from([(var.clone(), ArithExpr::var(var) + AHEAD)]);
        for (i, piece) in found(body, width).into_iter().enumerate() {
            let Found { buffer, first, is_written } = &piece;
            let far = first.linear_in(var).is_some_and(|(by, _)| by.as_const().is_none_or(|by| by > width));
            if strip.is_outermost && far {
                let later = self.piece_at(*buffer, &first.substitute(&next));
                let array = self.array(*buffer);
                self.line(&match self.reached(*buffer) {
                    Some(Array::Columns) => format!("{array}.prefetch({later}, {width});"),
                    _ => format!("host::prefetch({array}, {later}, {width});"),
                });
            }
            let (array, at) = (self.array(*buffer), self.piece_at(*buffer, first));
            let value = match (self.reached(*buffer), is_written) {
                (Some(Array::Slice), false) => format!("host::strip({array}, ({at}) as usize)"),
                (Some(Array::Own), true) => format!("host::strip_mut({array}, ({at}) as usize)"),
                (Some(Array::Columns), true) => format!("{array}.piece({at})"),
                _ => continue,
            };
            let name = format!("piece_{i}");
            let mutable = if *is_written { "mut " } else { "" };
            let elem = stored(self.kernel.buffer(*buffer).scalar);
            self.line(&format!("let {name}: &{mutable}[{elem}; {width}] = {value};"));
            self.pieces.push(Piece { buffer: *buffer, first: first.clone(), width, name });
        }
    }

    /// The piece that has all of a vector at this index, and the place of the vector in it. Pieces may overlap: another one has a part of it.
    pub(super) fn piece(&self, id: BufferId, lanes: u8, index: &[ArithExpr]) -> Option<(String, i64)> {
        let [index] = index else { return None };
        self.pieces.iter().find_map(|piece| {
            let place = (index - &piece.first).as_const()?;
            let last = piece.width - i64::from(lanes);
            (piece.buffer == id && (0..=last).contains(&place)).then(|| (piece.name.clone(), place))
        })
    }

    /// An index, or a row and a column, as the text that finds it.
    fn piece_at(&mut self, id: BufferId, index: &ArithExpr) -> String {
        match self.reached(id) {
            Some(Array::Columns) => self.column(id, index),
            Some(Array::Own) => format!("{} - {}_first", self.index(index), self.array(id)),
            _ => self.index(index),
        }
    }
}

/// Calls `add` with what an expression reads; what may not be read need not be there, and is no vector.
fn reads(e: &Expr, is_sure: bool, add: &mut Accesses<'_>) {
    match e {
        Expr::Load(id, _, index) | Expr::Vector(id, _, _, index) => {
            add(*id, false, if is_sure { e.lanes() } else { 1 }, index);
        }
        Expr::Select(cond, a, b) => {
            reads(cond, is_sure, add);
            [a, b].into_iter().for_each(|x| reads(x, false, add));
        }
        Expr::Binary(BinaryOp::And | BinaryOp::Or, _, a, b) => {
            reads(a, is_sure, add);
            reads(b, false, add);
        }
        e => {
            e.map_operands(&mut |x| {
                reads(x, is_sure, add);
                x.clone()
            });
        }
    }
}

/// The pieces of which all vectors are those of a strip. Those of an array that is written have only such accesses, and are one.
fn found(body: &[Stmt], width: i64) -> Vec<Found> {
    let inside: Vec<&Var> = body.iter().filter_map(Stmt::index).collect();
    let mut all: Vec<(Found, i64)> = Vec::new();
    let mut others: Vec<BufferId> = Vec::new();
    let mut add = |id: BufferId, is_written: bool, lanes: u8, index: &[ArithExpr]| {
        let index = match index {
            [index] if lanes > 1 && inside.iter().all(|var| !index.contains(var)) => index,
            _ => return others.push(id),
        };
        all.push((Found { buffer: id, first: index.clone(), is_written }, i64::from(lanes)));
    };
    for stmt in body {
        if let Some(e) = stmt.expr() {
            reads(e, true, &mut add);
        }
        if let Stmt::Store(id, index, value) = stmt {
            add(*id, true, value.lanes(), index);
        }
        // What loops inside go through, and what is read under a condition, is found there.
        stmt.blocks().flatten().for_each(|stmt| {
            stmt.visit(&mut |s| s.accesses(&mut |id, is_written, _, _| add(id, is_written, 1, &[])));
        });
    }
    let vectors = all;
    let all = whole(&vectors, width);
    let is_in_one = |(of, lanes): &(Found, i64)| {
        let fits = |it: &Found| place(of, it).is_some_and(|at| (0..=width - lanes).contains(&at));
        all.iter().any(fits)
    };
    others.extend(vectors.iter().filter(|it| !is_in_one(it)).map(|(it, _)| it.buffer));
    let written: Vec<BufferId> = all.iter().filter(|it| it.is_written).map(|it| it.buffer).collect();
    let is_legal = |piece: &Found| {
        let accesses = all.iter().filter(|other| other.buffer == piece.buffer).count();
        !written.contains(&piece.buffer) || accesses == 1 && !others.contains(&piece.buffer)
    };
    let legal: Vec<bool> = all.iter().map(is_legal).collect();
    all.into_iter().zip(legal).filter_map(|(piece, is_legal)| is_legal.then_some(piece)).collect()
}

/// How far a vector is behind another of the same kind.
fn place(of: &Found, from: &Found) -> Option<i64> {
    let is_same = (of.buffer, of.is_written) == (from.buffer, from.is_written);
    (&of.first - &from.first).as_const().filter(|_| is_same)
}

/// Of these vectors, with their lanes, those at the start of a piece all of which is accessed, each once: what is beside an element that is accessed
/// may lie outside of the array.
fn whole(vectors: &[(Found, i64)], width: i64) -> Vec<Found> {
    let mut pieces: Vec<Found> = Vec::new();
    for (first, lanes) in vectors {
        let has = |at: i64| vectors.iter().any(|(it, n)| n == lanes && place(it, first) == Some(at));
        let is_new = pieces.iter().all(|it| place(it, first) != Some(0));
        if is_new && (0..width).step_by(*lanes as usize).all(has) {
            pieces.push(Found {
                buffer: first.buffer,
                first: first.first.clone(),
                is_written: first.is_written,
            });
        }
    }
    pieces
}
