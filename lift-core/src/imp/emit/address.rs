//! Indices into buffers.
//!
//! Before: an index for every dimension. After: what stands in the brackets. An index that had to be folded
//! back into an array - a minimum, a maximum or a remainder - gets a name where its variables are known, so
//! that loops inside do not compute it again.

use crate::arith::{ArithExpr, Var};
use crate::imp::emit::Emitter;
use crate::imp::emit::index::is_composed;
use crate::ir::Fold;
use crate::ir::build::fresh_id;
use crate::memory::{Buffer, BufferId, Space};

impl Emitter<'_> {
    /// An index folded back into `0..len`. What is needed more than once gets a name.
    pub(super) fn folded(&mut self, fold: Fold, i: &ArithExpr, len: &ArithExpr) -> ArithExpr {
        let Some(period) = fold.period(len) else { return self.facts.simplify(&fold.inside(i, len)) };
        let period = self.facts.simplify(&period);
        let period = if is_composed(&period, &self.facts) {
            let name = self.named(&period, || "period".to_string());
            if let Some(var) = name.as_var() {
                self.facts.declare(var, Some(ArithExpr::one()), None);
                self.ranges.declare(var, Some(ArithExpr::one()), None);
            }
            name
        } else {
            period
        };
        let rest = self.facts.simplify(&i.modulo(&period));
        let rest = if fold != Fold::Wrap && is_composed(&rest, &self.facts) {
            let name = self.named(&rest, || "j".to_string());
            if let Some(var) = name.as_var() {
                self.known(var, &period);
            }
            name
        } else {
            rest
        };
        self.facts.simplify(&fold.inside(&rest, len))
    }

    /// The index into a buffer: one number for arrays of the host, one for each dimension otherwise.
    pub(super) fn address(&mut self, id: BufferId, indices: &[ArithExpr]) -> Vec<ArithExpr> {
        let buffer = &self.buffers[id.0 as usize];
        let flat = matches!(buffer.space, Space::Input | Space::Output | Space::Global);
        let dims = buffer.dims.clone();
        if dims.is_empty() {
            return vec![ArithExpr::zero()];
        }
        let is_local = buffer.space == Space::Local;
        let mut simple: Vec<ArithExpr> = indices.iter().map(|i| self.facts.simplify(i)).collect();
        if is_local {
            // A scalar is the first element of its array.
            simple.resize(dims.len().max(simple.len()), ArithExpr::zero());
        }
        if let Some(slot) = simple.first().and_then(|position| self.slot_of(id, position)) {
            simple[0] = slot;
        }
        for (i, before) in simple.iter_mut().zip(&self.buffers[id.0 as usize].before) {
            *i = self.facts.simplify(&(&*i + before));
        }
        if flat && simple.iter().any(ArithExpr::has_division) {
            // Taken together they may be simple: the parts of an index that was taken apart.
            let whole = self.facts.simplify(&row_major(&simple, &dims));
            let changes = |var: &Var| !self.low.is_size(var);
            if !is_composed(&whole, &self.facts) {
                return vec![whole];
            }
            if simple.iter().any(|i| i.divides(&changes)) && !whole.divides(&changes) {
                return vec![self.shared_name(&whole)];
            }
            // Even where only some of the divisions are gone.
            let mut taken_apart: Vec<ArithExpr> = simple.iter().flat_map(ArithExpr::dividends).collect();
            taken_apart.sort();
            taken_apart.dedup();
            if whole.dividends().len() < taken_apart.len() {
                return vec![self.shared_name(&whole)];
            }
        }
        for i in &mut simple {
            *i = self.shared_name(i);
        }
        if !flat {
            // What other work-items have is not read: the indices are this one's.
            let Buffer { slots, shared, .. } = &self.buffers[id.0 as usize];
            let end = (slots + shared.len()).min(simple.len());
            simple.drain((*slots).min(end)..end);
            return simple;
        }
        let strides: Vec<ArithExpr> = dims.iter().map(|n| self.stride(n)).collect();
        vec![row_major(&simple, &strides)]
    }

    /// An index with a name for what is composed in it: neighbours in what was taken apart share one.
    fn shared_name(&mut self, i: &ArithExpr) -> ArithExpr {
        if let Some(name) = self.name_of(i) {
            return name;
        }
        if !is_composed(i, &self.facts) {
            return i.clone();
        }
        let number = i.number();
        let rest = self.facts.simplify(&(i - &number));
        // Of what was folded, only those that are elements of one vector.
        let apart = i.has_choice() && !self.facts.multiple_of(&rest, &2.into()).is_yes();
        if apart { self.named_index(i) } else { self.named_index(&rest) + number }
    }

    /// An extent as a factor of indices: sums stay together.
    fn stride(&mut self, extent: &ArithExpr) -> ArithExpr {
        let extent = self.facts.simplify(extent);
        if extent.as_const().is_some() || extent.as_var().is_some() {
            return extent;
        }
        if let Some((var, _)) = self.strides.iter().find(|(_, e)| *e == extent) {
            return ArithExpr::var(var);
        }
        let var = Var::new(fresh_id(), "stride");
        self.ranges.declare(&var, Some(ArithExpr::one()), None);
        self.strides.push((var.clone(), extent));
        ArithExpr::var(&var)
    }
}

/// The number of elements before the one at these indices.
fn row_major(indices: &[ArithExpr], dims: &[ArithExpr]) -> ArithExpr {
    indices.iter().zip(dims).fold(ArithExpr::zero(), |sum, (i, n)| sum * n + i)
}
