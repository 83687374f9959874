//! Array literals.
//!
//! Literals whose elements are literals too become constant tables of the program, if they are read at an
//! index that is not known. Others are taken apart.

use crate::arith::ArithExpr;
use crate::imp::ast::Table;
use crate::imp::emit::{Emitter, Env, Value, View};
use crate::ir::{Literal, UnaryOp};
use crate::low::{Kind, NodeId};
use crate::memory::{Buffer, BufferId, Space};
use crate::view::{Choice, DeferredSelect, Shape};

impl Emitter<'_> {
    /// An element of an array literal: itself if the index is known, from a constant table if all elements
    /// are literals, and else by comparing the index.
    pub(super) fn written(&mut self, elements: &[NodeId], env: &Env, i: &ArithExpr) -> Value {
        let i = self.facts.simplify(i);
        if let Some(element) = i.as_const().and_then(|i| elements.get(usize::try_from(i).ok()?)) {
            return self.eval(*element, env);
        }
        let ty = self.low.ty(elements[0]);
        if let Some(buffer) = self.table(elements) {
            return self.stored(&[buffer], &[i], ty);
        }
        let choice = Choice::Pick(i, elements.to_vec(), env.clone());
        self.deferred(DeferredSelect { choice, path: Vec::new(), ty: ty.clone() })
    }

    /// The constant array with these elements, if they are literals.
    fn table(&mut self, elements: &[NodeId]) -> Option<BufferId> {
        if let Some(buffer) = self.table_ids.get(&elements[0]) {
            return Some(*buffer);
        }
        let mut literals = Vec::new();
        elements.iter().try_for_each(|x| self.literals(*x, &mut literals))?;
        let (inner, element) = self.low.ty(elements[0]).shape();
        let dims = [&[ArithExpr::cst(elements.len() as i64)], inner.as_slice()].concat();
        let name = self.table_names.get(&elements[0]).cloned().unwrap_or_else(|| "table".to_string());
        let scalar = element.as_scalar()?;
        let buffer = BufferId(self.buffers.len() as u32);
        self.buffers.push(Buffer::new(name, Space::Constant, scalar, dims));
        self.tables.push(Table { buffer, elements: literals });
        self.table_ids.insert(elements[0], buffer);
        Some(buffer)
    }

    fn literals(&self, id: NodeId, out: &mut Vec<Literal>) -> Option<()> {
        match self.low.kind(id) {
            Kind::Literal(literal) => out.push(*literal),
            Kind::Unary(UnaryOp::Neg, x) => match self.low.kind(*x) {
                Kind::Literal(x) => out.push(x.negated()?),
                _ => return None,
            },
            Kind::ArrayLiteral(elements) => elements.iter().try_for_each(|x| self.literals(*x, out))?,
            _ => return None,
        }
        Some(())
    }

    /// Whether elements are computed one by one, so that a loop over them would have to choose.
    pub(super) fn must_unroll(&self, view: &View) -> bool {
        match view.shape() {
            Shape::Written(elements, _) => {
                elements.iter().any(|x| self.literals(*x, &mut Vec::new()).is_none())
            }
            Shape::Mapped(_, of) | Shape::Shifted(_, of) | Shape::Part(_, of) => self.must_unroll(of),
            Shape::Concat(parts, _) => parts.iter().any(|(_, part)| self.must_unroll(part)),
            Shape::Gathered(gathered) => self.must_unroll(&gathered.idx),
            Shape::Zipped(parts) => parts.iter().any(|part| self.must_unroll(part)),
            // Of the others, all elements are computed alike.
            _ => false,
        }
    }
}
