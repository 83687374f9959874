//! What a work-item keeps for itself: `to_private`, and the windows of a loop over `slide_seq`.
//!
//! Both are small arrays, written and read at indices that are numbers, wherever the loops around are written
//! out. Those become variables in a later pass, and only what is read of them is computed.

use crate::arith::ArithExpr;
use crate::bug;
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
    fn written_out(&mut self, f: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.copies_written_out, true);
        f(self);
        self.copies_written_out = outer;
    }

    /// The array that a loop in this place goes through, with the windows that move along.
    pub(super) fn stream(&mut self, xs: NodeId, place: Place, env: &Env) -> (View, Vec<Window>) {
        let mut windows = Vec::new();
        let view = match place {
            Place::Sequential | Place::Unrolled => self.windowed(xs, env, &mut windows),
            Place::View | Place::Lanes | Place::Global(_) | Place::Group(_) | Place::Local(_) => {
                self.eval_array(xs, env)
            }
        };
        (view, windows)
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

    /// A new window over its first elements, but for those that the first trip reads.
    fn window(&mut self, id: NodeId, (size, step): (i64, i64), env: &Env, windows: &mut Vec<Window>) -> View {
        let low = self.low;
        let Kind::SlideSeq { name, of, .. } = low.kind(id) else { bug!("no windows: {id:?}") };
        let Some((ty, _)) = low.ty(id).as_array() else { bug!("windows in no array") };
        let Some((element, _)) = ty.as_array() else { bug!("a window that is no array") };
        let of = self.eval_array(*of, env);
        let buffers = self.private(if name.is_empty() { "window" } else { name }, ty);
        let window = Window { buffers, of, size, step, element: element.clone() };
        for k in 0..size - step {
            self.slot(&window, k, &k.into());
        }
        let same = Shape::Same(window.buffers.clone(), ty.clone());
        windows.push(window);
        View::new(same)
    }

    /// Reads an element of the array into a window.
    fn slot(&mut self, window: &Window, k: i64, i: &ArithExpr) {
        let to = Acceptor::stored(window.buffers.clone(), vec![k.into()]);
        let of = window.of.clone();
        let i = i.clone();
        self.written_out(|e| e.copied(&to, &window.element, &mut |e| e.element(&of, &i)));
    }

    /// Reads what is new in trip `i` of the loop.
    pub(super) fn enter(&mut self, windows: &[Window], i: &ArithExpr) {
        for window in windows {
            for k in window.size - window.step..window.size {
                let at = i * window.step + k;
                self.slot(window, k, &at);
            }
        }
    }

    /// Moves what the next trip shares with this one.
    pub(super) fn leave(&mut self, windows: &[Window]) {
        for window in windows {
            for k in 0..window.size - window.step {
                let to = Acceptor::stored(window.buffers.clone(), vec![k.into()]);
                let from = vec![(k + window.step).into()];
                let value = self.stored(&window.buffers, &from, &window.element);
                self.written_out(|e| e.copied(&to, &window.element, &mut |_| value.clone()));
            }
        }
    }
}
