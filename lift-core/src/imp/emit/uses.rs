//! How often a variable is read, to decide whether its value needs a name.

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
