//! What a work-item keeps for itself: `to_private`.
//!
//! It is a small array, written and read at indices that are numbers, wherever the loops around are written
//! out. Those become variables in a later pass, and only what is read of them is computed. Of what the items of a group
//! share out between them, each keeps its own part.

use crate::bug;
use crate::imp::emit::{Emitter, Env, Value};
use crate::low::{Kind, NodeId};
use crate::view::write::WriteView;

impl Emitter<'_> {
    /// Stores a node in registers; the result is what is there, called `name` if that is given.
    pub(super) fn keep(&mut self, id: NodeId, env: &Env, name: Option<&str>) -> Value {
        let low = self.low;
        let Kind::Store { name: data, of, .. } = low.kind(id) else { bug!("not kept: {id:?}") };
        let name = name.unwrap_or(if data.is_empty() { "own" } else { data });
        let ty = low.ty(*of);
        if !ty.contains_array() {
            let value = self.eval(*of, env);
            return self.constants(name, value);
        }
        let buffers = self.shared_out(name, ty, *of);
        let to = WriteView::stored(buffers.clone(), Vec::new());
        self.as_part(|e| e.written_out(|e| e.store(*of, env, &to)));
        self.stored(&buffers, &[], ty)
    }

    /// What stores a part of the result, or nothing of it.
    pub(super) fn as_part(&mut self, f: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_whole, false);
        f(self);
        self.is_whole = outer;
    }

    /// Copies in `f` are written out element by element.
    pub(super) fn written_out(&mut self, f: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.copies_written_out, true);
        f(self);
        self.copies_written_out = outer;
    }
}
