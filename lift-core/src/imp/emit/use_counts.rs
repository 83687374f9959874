//! How often a variable is read, to decide whether its value needs a name.

use crate::arith::ArithExpr;
use crate::ir::Scalar;
use crate::low::{Binder, Kernel, Kind, NodeId};

/// The number of reads; those inside a function count twice, because it may be applied more than once.
pub(super) struct Uses {
    /// Of the variable as a whole.
    pub(super) whole: usize,
    /// Of each part of a tuple.
    pub(super) fields: Vec<usize>,
}

impl Uses {
    /// How often `binder` is read in `body`.
    pub(super) fn of(binder: &Binder, body: NodeId, kernel: &Kernel) -> Uses {
        let mut uses = Uses { whole: 0, fields: Vec::new() };
        uses.count(binder.id, body, 1, kernel);
        uses
    }

    /// Reads of one part.
    pub(super) fn field(&self, index: usize) -> usize {
        self.whole + self.fields.get(index).copied().unwrap_or(0)
    }

    fn count(&mut self, id: u32, node: NodeId, weight: usize, kernel: &Kernel) {
        let kind = kernel.kind(node);
        match kind {
            Kind::Param(param) if *param == id => self.whole += weight,
            Kind::Field(x, index) if matches!(kernel.kind(*x), Kind::Param(param) if *param == id) => {
                self.fields.resize(self.fields.len().max(index + 1), 0);
                self.fields[*index] += weight;
            }
            _ => {
                kind.operands().into_iter().for_each(|x| self.count(id, x, weight, kernel));
                if let Some(f) = kind.function() {
                    self.count(id, f.body, 2, kernel);
                }
            }
        }
    }
}

/// The length of an array that a variable is an index of, if it is of type `usize` and nothing else.
pub(super) fn indexed(binder: &Binder, body: NodeId, kernel: &Kernel) -> Option<ArithExpr> {
    fn walk(id: u32, node: NodeId, kernel: &Kernel, len: &mut Option<ArithExpr>) -> bool {
        let is_it = |x: NodeId| matches!(kernel.kind(x), Kind::Param(param) if *param == id);
        match kernel.kind(node) {
            Kind::Param(param) => *param != id,
            Kind::At(i, xs) if is_it(*i) => {
                *len = kernel.ty(*xs).as_array().map(|(_, len)| len.clone());
                walk(id, *xs, kernel, len)
            }
            kind => {
                let inside = kind.function().map(|f| f.body);
                kind.operands().into_iter().chain(inside).all(|x| walk(id, x, kernel, len))
            }
        }
    }
    let mut len = None;
    (binder.ty == Scalar::Usize.into() && walk(binder.id, body, kernel, &mut len)).then_some(len)?
}
