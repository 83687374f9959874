//! What a loop carries from one trip to the next: variables for scalars, and small arrays of the work-item.

use crate::arith::ArithExpr;
use crate::bug;
use crate::imp::ast::{Expr, Local, Stmt};
use crate::imp::emit::{Emitter, Value, View};
use crate::ir::build::fresh_id;
use crate::ir::{Scalar, Type};
use crate::memory::{Buffer, BufferId, Space};
use crate::view::write::WriteView;

/// The state of a loop.
pub(super) struct State {
    /// What it is, as the body of the loop sees it.
    pub(super) value: Value,
    /// A variable for every scalar.
    locals: Vec<Local>,
    arrays: Vec<Array>,
}

/// An array in the state: a buffer for every scalar in its type.
struct Array {
    buffers: Vec<BufferId>,
    ty: Type,
}

/// The parts of a value.
#[derive(Default)]
struct Parts {
    scalars: Vec<Expr>,
    arrays: Vec<View>,
}

impl Emitter<'_> {
    /// A state of this type that starts as `init`.
    pub(super) fn state(&mut self, name: &str, init: Value, ty: &Type) -> State {
        let mut state = State { value: Value::Tuple(Vec::new()), locals: Vec::new(), arrays: Vec::new() };
        state.value = self.start(name, init, ty, &mut state);
        state
    }

    fn start(&mut self, name: &str, init: Value, ty: &Type, state: &mut State) -> Value {
        match (init, ty) {
            (Value::Scalar(e), _) => {
                let local = self.variable(name, e.scalar(), Some(e));
                state.locals.push(local.clone());
                Value::Scalar(Expr::Local(local))
            }
            (Value::Tuple(values), Type::Tuple(parts)) => {
                let parts = values.into_iter().zip(parts.iter()).enumerate();
                let parts = parts.map(|(i, (e, ty))| self.start(&format!("{name}_{i}"), e, ty, state));
                Value::Tuple(parts.collect())
            }
            (Value::Array(view), Type::Array(..)) => {
                let buffers = self.private(name, ty);
                self.fill(&buffers, ty, &view);
                state.arrays.push(Array { buffers: buffers.clone(), ty: ty.clone() });
                self.stored(&buffers, &[], ty)
            }
            (Value::Tuple(_) | Value::Array(_), _) => bug!("a state of type {ty} is something else"),
        }
    }

    /// Arrays of this work-item for what an array consists of.
    pub(super) fn private(&mut self, name: &str, ty: &Type) -> Vec<BufferId> {
        let mut buffers = Vec::new();
        for (dims, scalar) in ty.leaves() {
            let dims = dims.iter().map(|n| self.facts.simplify(n)).collect();
            buffers.push(self.array(Buffer::new(name.to_string(), Space::Private, scalar, dims)));
        }
        buffers
    }

    /// Declares an array of a work-item here.
    pub(super) fn array(&mut self, buffer: Buffer) -> BufferId {
        let id = BufferId(self.buffers.len() as u32);
        self.buffers.push(buffer);
        self.push(Stmt::Array(id));
        id
    }

    fn fill(&mut self, buffers: &[BufferId], ty: &Type, view: &View) {
        let to = WriteView::stored(buffers.to_vec(), Vec::new());
        self.copied(&to, ty, &mut |_| Value::Array(view.clone()));
    }

    /// The state becomes `next`, in which every part sees the state as it was.
    pub(super) fn update(&mut self, state: &State, next: Value) {
        let mut parts = Parts::default();
        flatten(next, &mut parts);
        let mut scalars = parts.scalars;
        // A part that reads another one must see it as it was.
        let locals = &state.locals;
        let overlap = |k: usize, e: &Expr| e.any(&|e| matches!(e, Expr::Local(l) if locals[..k].contains(l)));
        if !state.arrays.is_empty() || scalars.iter().enumerate().any(|(k, e)| overlap(k, e)) {
            let named = scalars.into_iter().zip(locals).map(|(e, local)| match e {
                Expr::Literal(_) => e,
                e => {
                    let name = format!("next_{}", local.name).into();
                    let next = Local { id: fresh_id(), name, ..local.clone() };
                    self.push(Stmt::Value { local: next.clone(), init: Some(e), constant: true });
                    Expr::Local(next)
                }
            });
            scalars = named.collect();
        }
        self.update_arrays(state, &parts.arrays);
        for (local, e) in locals.iter().zip(scalars) {
            if e != Expr::Local(local.clone()) {
                self.push(Stmt::Assign(local.clone(), e));
            }
        }
    }

    fn update_arrays(&mut self, state: &State, views: &[View]) {
        let mut filled = Vec::new();
        for (array, view) in state.arrays.iter().zip(views) {
            let name = format!("next_{}", self.buffers[array.buffers[0].0 as usize].name);
            let stmts = self.block(|e| {
                let next = e.private(&name, &array.ty);
                e.fill(&next, &array.ty, view);
                filled.push(next);
            });
            // One array, each element of which depends on none but itself, needs no copy.
            let alone = state.arrays.len() == 1 && state.locals.is_empty();
            let next = filled.last().map_or(&[][..], Vec::as_slice);
            match (array.buffers.as_slice(), next) {
                ([old], [new]) if alone && is_elementwise(*old, *new, &stmts) => {
                    stmts.into_iter().for_each(|s| self.push(instead(s, *new, *old)));
                    return;
                }
                _ => stmts.into_iter().for_each(|s| self.push(s)),
            }
        }
        for (array, next) in state.arrays.iter().zip(filled) {
            match self.stored(&next, &[], &array.ty) {
                Value::Array(view) => self.fill(&array.buffers, &array.ty, &view),
                Value::Scalar(_) | Value::Tuple(_) => bug!("an array that is none"),
            }
        }
    }

    /// Whether a value of this type may be kept in private arrays: few scalars, a number known when the text
    /// is made.
    pub(super) fn is_small(&self, ty: &Type) -> bool {
        ty.small_count(&|n| self.facts.simplify(n)).is_some()
    }
}

/// Whether the statements read `old` only where they write `new`.
fn is_elementwise(old: BufferId, new: BufferId, stmts: &[Stmt]) -> bool {
    let (mut written, mut read) = (Vec::new(), Vec::new());
    let mut note = |id, write, _, index: &[ArithExpr]| match write {
        true if id == new => written.push(index.to_vec()),
        false if id == old => read.push(index.to_vec()),
        _ => {}
    };
    stmts.iter().for_each(|stmt| stmt.visit(&mut |s| s.accesses(&mut note)));
    written.len() == 1 && read.iter().all(|index| *index == written[0])
}

/// The statement with the buffer `old` in the place of `new`.
fn instead(stmt: Stmt, new: BufferId, old: BufferId) -> Stmt {
    match stmt.map_blocks(&mut |body| body.into_iter().map(|s| instead(s, new, old)).collect()) {
        Stmt::Store(buffer, index, value) if buffer == new => Stmt::Store(old, index, value),
        stmt => stmt,
    }
}

fn flatten(value: Value, out: &mut Parts) {
    match value {
        Value::Scalar(e) => out.scalars.push(e),
        Value::Tuple(parts) => parts.into_iter().for_each(|part| flatten(part, out)),
        Value::Array(view) => out.arrays.push(view),
    }
}

/// A counter that nobody but its loop reads.
pub(super) fn counter() -> Local {
    Local::new("left", Scalar::Usize)
}

/// The number, if the expression is one.
pub(super) fn number(e: &Expr) -> Option<i64> {
    match e {
        Expr::Index(e) => e.as_const(),
        Expr::Literal(literal) => literal.as_int().and_then(|n| i64::try_from(n).ok()),
        _ => None,
    }
}
