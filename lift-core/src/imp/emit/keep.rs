//! What a work-item keeps for itself: `to_private`, and the windows of a loop over `slide_seq`.
//!
//! Both are small arrays, written and read at indices that are numbers, wherever the loops around are written
//! out. Those become variables in a later pass, and only what is read of them is computed.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Var};
use crate::bug;
use crate::imp::ast::{Expr, Stmt};
use crate::imp::emit::store::length;
use crate::imp::emit::{Closure, Emitter, Env, Value, View};
use crate::ir::Type;
use crate::low::{Kind, NodeId, Place};
use crate::memory::BufferId;
use crate::view::Shape;
use crate::view::write::Acceptor;

/// A window that moves along an array with a loop.
pub(super) struct Window {
    /// Where its elements are.
    buffers: Vec<BufferId>,
    /// The array.
    of: View,
    /// How many elements it has.
    size: i64,
    /// How far it moves.
    step: i64,
    /// The type of its elements.
    element: Type,
    /// In which slot each scalar of an element is read first, if that is known.
    newest: Option<BTreeMap<(BufferId, Vec<i64>), i64>>,
}

impl Emitter<'_> {
    /// Stores a node in registers; the result is what is there, called `name` if that is given.
    pub(super) fn keep(&mut self, id: NodeId, env: &Env, name: Option<&str>) -> Value {
        let low = self.low;
        let Kind::ToPrivate { name: data, of } = low.kind(id) else { bug!("not kept: {id:?}") };
        let name = name.unwrap_or(if data.is_empty() { "own" } else { data });
        let ty = low.ty(*of);
        if !ty.contains_array() {
            let value = self.eval(*of, env);
            return self.constants(name, value);
        }
        let buffers = self.private(name, ty);
        let is_whole = std::mem::replace(&mut self.is_whole, false);
        self.written_out(|e| e.store(*of, env, &Acceptor::stored(buffers.clone(), Vec::new())));
        self.is_whole = is_whole;
        self.stored(&buffers, &[], ty)
    }

    /// Copies in `f` are written out element by element.
    pub(super) fn written_out(&mut self, f: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.copies_written_out, true);
        f(self);
        self.copies_written_out = outer;
    }

    /// Runs `f` for the elements of a loop that this work-item is responsible for, with the array that it goes
    /// through and the index. Windows move along.
    pub(super) fn along(
        &mut self,
        (place, var, xs): (Place, &Var, NodeId),
        env: &Env,
        f: &mut dyn FnMut(&mut Self, &View, &ArithExpr),
    ) {
        let len = length(self.low.ty(xs));
        let mut windows = Vec::new();
        let view = match place {
            Place::Sequential | Place::Unrolled => self.windowed(xs, env, &mut windows),
            Place::View
            | Place::Lanes
            | Place::Global(_)
            | Place::Group(_)
            | Place::Local(_)
            | Place::Warp
            | Place::Lane => self.eval_array(xs, env),
        };
        if windows.is_empty() {
            return self.each(place, var, &len, &mut |e: &mut Self, i: &ArithExpr| f(e, &view, i));
        }
        self.learn(&mut windows, var, &len, &mut |e, i| f(e, &view, i));
        for window in &windows {
            for k in 0..window.size - window.step {
                self.slot(window, k, &k.into(), &|newest| k < newest);
            }
        }
        self.each(place, var, &len, &mut |e: &mut Self, i: &ArithExpr| {
            e.enter(&windows, i);
            f(e, &view, i);
            e.leave(&windows);
        });
    }

    /// Finds out of which slot of a window each element is read first: there it enters the window. The statements
    /// of the trip that shows it are not kept.
    fn learn(
        &mut self,
        windows: &mut [Window],
        var: &Var,
        len: &ArithExpr,
        trip: &mut dyn FnMut(&mut Self, &ArithExpr),
    ) {
        self.declare(var, len, self.blocks.len());
        let stmts = self.block(|e| trip(e, &ArithExpr::var(var)));
        for window in windows.iter_mut().filter(|window| window.step == 1) {
            let mut newest: BTreeMap<(BufferId, Vec<i64>), i64> = BTreeMap::new();
            let mut known = true;
            let mut note = |e: &Expr| {
                let (Expr::Load(buffer, _, index) | Expr::Vector(buffer, _, _, index)) = e else { return };
                if !window.buffers.contains(buffer) {
                    return;
                }
                let numbers: Option<Vec<i64>> = index.iter().map(ArithExpr::as_const).collect();
                match numbers.as_deref() {
                    Some([slot, element @ ..]) if matches!(e, Expr::Load(..)) => {
                        let latest = newest.entry((*buffer, element.to_vec())).or_insert(*slot);
                        *latest = (*latest).max(*slot);
                    }
                    _ => known = false,
                }
            };
            stmts.iter().for_each(|stmt| stmt.visit_exprs(&mut note));
            window.newest = known.then_some(newest);
        }
    }

    fn windowed(&mut self, id: NodeId, env: &Env, windows: &mut Vec<Window>) -> View {
        let low = self.low;
        match low.kind(id) {
            Kind::Zip(parts) => {
                let parts = parts.iter().map(|x| self.windowed(*x, env, windows)).collect();
                View::new(Shape::Zipped(parts))
            }
            Kind::Map { place: Place::View, f, xs, .. } => {
                let of = self.windowed(*xs, env, windows);
                View::new(Shape::Mapped(Closure { f: f.clone(), env: env.clone() }, of))
            }
            Kind::SlideSeq { size, step, .. } => {
                let sizes = (self.facts.simplify(size).as_const(), self.facts.simplify(step).as_const());
                let (Some(size), Some(step)) = sizes else { return self.eval_array(id, env) };
                if size <= step {
                    return self.eval_array(id, env);
                }
                self.window(id, (size, step), env, windows)
            }
            _ => self.eval_array(id, env),
        }
    }

    /// A new window.
    fn window(&mut self, id: NodeId, (size, step): (i64, i64), env: &Env, windows: &mut Vec<Window>) -> View {
        let low = self.low;
        let Kind::SlideSeq { name, of, .. } = low.kind(id) else { bug!("no windows: {id:?}") };
        let Some((ty, _)) = low.ty(id).as_array() else { bug!("windows in no array") };
        let Some((element, _)) = ty.as_array() else { bug!("a window that is no array") };
        let of = self.eval_array(*of, env);
        let buffers = self.private(if name.is_empty() { "window" } else { name }, ty);
        let window = Window { buffers, of, size, step, element: element.clone(), newest: None };
        let same = Shape::Same(window.buffers.clone(), ty.clone());
        windows.push(window);
        View::new(same)
    }

    /// Reads element `i` of the array into a slot of a window, but only those of its scalars that are wanted: it
    /// depends on the slot in which they enter the window.
    fn slot(&mut self, window: &Window, k: i64, i: &ArithExpr, wanted: &dyn Fn(i64) -> bool) {
        let to = Acceptor::stored(window.buffers.clone(), vec![k.into()]);
        let of = window.of.clone();
        let i = i.clone();
        let stmts = self.block(|e| {
            e.written_out(|e| e.copied(&to, &window.element, &mut |e| e.element(&of, &i)));
        });
        self.push_wanted(window, stmts, wanted);
    }

    fn push_wanted(&mut self, window: &Window, stmts: Vec<Stmt>, wanted: &dyn Fn(i64) -> bool) {
        for stmt in stmts {
            let skipped = match &stmt {
                Stmt::Store(buffer, index, _) => {
                    let element = index[1..].iter().map(ArithExpr::as_const).collect::<Option<Vec<i64>>>();
                    window.enters(*buffer, element).is_some_and(|newest| !wanted(newest))
                }
                _ => false,
            };
            if !skipped {
                self.push(stmt);
            }
        }
    }

    /// Reads what is new in trip `i` of the loop.
    fn enter(&mut self, windows: &[Window], i: &ArithExpr) {
        for window in windows {
            let slots = match window.newest {
                Some(_) => 0..window.size,
                None => window.size - window.step..window.size,
            };
            for k in slots {
                self.slot(window, k, &(i * window.step + k), &|newest| newest == k);
            }
        }
    }

    /// Moves what the next trip shares with this one.
    fn leave(&mut self, windows: &[Window]) {
        for window in windows {
            for k in 0..window.size - window.step {
                let to = Acceptor::stored(window.buffers.clone(), vec![k.into()]);
                let from = vec![(k + window.step).into()];
                let value = self.stored(&window.buffers, &from, &window.element);
                let stmts = self.block(|e| {
                    e.written_out(|e| e.copied(&to, &window.element, &mut |_| value.clone()));
                });
                self.push_wanted(window, stmts, &|newest| k < newest);
            }
        }
    }
}

impl Window {
    /// The slot in which a scalar of an element enters the window; none if it is never read, which is a slot that
    /// does not exist.
    fn enters(&self, buffer: BufferId, element: Option<Vec<i64>>) -> Option<i64> {
        let newest = self.newest.as_ref()?;
        Some(newest.get(&(buffer, element?)).copied().unwrap_or(-1))
    }
}
