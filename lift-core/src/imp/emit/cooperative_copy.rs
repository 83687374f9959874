//! Copies into memory of a group that no map shares out: the items of the group share them.
//!
//! Before: an array that one item would copy alone. After: a loop over all of its elements, in the order in which
//! they lie, in which neighbouring items copy neighbours - vectors of them, if they can be read and written so.

use crate::arith::{ArithExpr, Truth, Var};
use crate::imp::ast::{Expr, Stmt};
use crate::imp::emit::{Emitter, Value, View};
use crate::imp::passes;
use crate::ir::build::fresh_id;
use crate::ir::{Scalar, Type};
use crate::memory::{BufferId, Space};
use crate::view::write::WriteView;

impl Emitter<'_> {
    /// Copies an array together with the other items, if it goes to memory that they share and no map around says which of them
    /// does it.
    pub(super) fn copied_together(&mut self, to: &WriteView, ty: &Type, view: &View) -> bool {
        let shared = |e: &Self| {
            let space = |id: &BufferId| e.buffers[id.0 as usize].space;
            to.buffers().iter().all(|id| matches!(space(id), Space::Local | Space::Global))
        };
        let free = self.free_dimensions();
        if free.is_empty() || !shared(self) {
            return false;
        }
        let (lens, element) = self.extents(ty);
        let share = self.number_among(&free);
        let outer = self.mapped.len();
        self.mapped.extend(&free);
        let stmts = self.wide(&lens, &element).and_then(|width| {
            let mut inside = Some(false);
            let stmts =
                self.block(|e| e.copied_in_turns(to, (&lens, width, &element), view, (&share, &mut inside)));
            (inside == Some(true)).then_some(stmts)
        });
        let stmts = match stmts {
            Some(stmts) => stmts,
            None => self.block(|e| e.copied_in_turns(to, (&lens, 1, &element), view, (&share, &mut None))),
        };
        self.mapped.truncate(outer);
        if self.shares_more(&stmts, &to.buffers()) {
            return false;
        }
        stmts.into_iter().for_each(|stmt| self.push(stmt));
        true
    }

    /// Whether the statements store something else in memory of the group: then all of its items come by.
    fn shares_more(&self, stmts: &[Stmt], own: &[BufferId]) -> bool {
        let space = |id: &BufferId| self.buffers[id.0 as usize].space;
        let others = |id: &BufferId| !own.contains(id) && matches!(space(id), Space::Local | Space::Global);
        stmts.iter().any(|stmt| stmt.any(&|s| matches!(s, Stmt::Store(id, ..) if others(id))))
    }

    /// The dimensions of groups in which there are several items, and none of them was told what to do.
    pub(super) fn free_dimensions(&self) -> Vec<usize> {
        let several = |d: &usize| self.facts.eq(&self.group_shape()[*d], &ArithExpr::one()) != Truth::Yes;
        (0..self.group_shape().len()).filter(|d| !self.mapped.contains(d)).filter(several).collect()
    }

    /// The number of this item among those that differ in some dimensions, and how many these are.
    fn number_among(&mut self, dimensions: &[usize]) -> (ArithExpr, ArithExpr) {
        let (mut number, mut items) = (ArithExpr::zero(), ArithExpr::one());
        for d in dimensions {
            let (own, extent) = self.share_of_free(*d);
            number = number + own * &items;
            items = items * extent;
        }
        if dimensions.len() > 1 {
            number = self.named(&number, || "item".into());
            if let Some(var) = number.as_var() {
                self.known(var, &items);
            }
        }
        (number, self.facts.simplify(&items))
    }

    /// The extents of an array, and what it is an array of.
    fn extents(&self, ty: &Type) -> (Vec<ArithExpr>, Type) {
        let mut lens = Vec::new();
        let mut ty = ty;
        while let Type::Array(element, len) = ty {
            lens.push(self.facts.simplify(len));
            ty = element;
        }
        (lens, ty.clone())
    }

    /// How many elements a vector has, if rows can be cut into vectors.
    fn wide(&self, lens: &[ArithExpr], element: &Type) -> Option<i64> {
        let scalar = element.as_scalar().filter(|scalar| *scalar != Scalar::Bool)?;
        let width = passes::WIDEST / scalar.bytes();
        let rest = self.facts.simplify(&lens.last()?.modulo(&width.into()));
        (width > 1 && self.facts.eq(&rest, &ArithExpr::zero()) == Truth::Yes).then_some(width)
    }

    /// Whether all that is read and written in a loop are vectors, or will be.
    fn is_wide(&self, stmts: &[Stmt], width: i64) -> bool {
        let is_wide = |e: &Expr| matches!(e, Expr::Vector(_, _, lanes, _) if i64::from(*lanes) == width);
        let joined = passes::neighbours(self.with_names(stmts), &self.buffers, &self.facts);
        !joined.iter().any(|stmt| stmt.any(&|s| matches!(s, Stmt::Store(_, _, value) if !is_wide(value))))
    }

    /// The loop over all elements, so many in each turn. If it is asked for, they are vectors, be it only those that are not clamped,
    /// and what is said is whether they are.
    fn copied_in_turns(
        &mut self,
        to: &WriteView,
        (lens, width, element): (&[ArithExpr], i64, &Type),
        view: &View,
        (share, inside): (&(ArithExpr, ArithExpr), &mut Option<bool>),
    ) {
        let Some((row, outer)) = lens.split_last() else { return };
        let pieces = self.facts.simplify(&row.div(&width.into()));
        let total = outer.iter().fold(pieces.clone(), |total, len| total * len);
        let total = self.facts.simplify(&total);
        let var = Var::new(fresh_id(), "i");
        self.in_turns(share, &var, &total, &mut |e, i| {
            // The indices of the piece, innermost first.
            let mut indices = Vec::new();
            let mut rest = i.clone();
            for len in std::iter::once(&pieces).chain(outer.iter().rev()) {
                indices.push(e.facts.simplify(&rest.modulo(len)));
                rest = e.facts.simplify(&rest.div(len));
            }
            let first = indices.remove(0);
            let mut place = to.clone();
            let mut values = view.clone();
            for index in indices.iter().rev() {
                place = e.accept(&place, index);
                let Value::Array(inner) = e.element(&values, index) else {
                    crate::bug!("a row that is no array")
                };
                values = inner;
            }
            let lanes = |e: &mut Self, lanes: &mut dyn Iterator<Item = i64>| {
                for lane in lanes {
                    let index = e.facts.simplify(&(&first * width + lane));
                    let place = e.accept(&place, &index);
                    e.copied(&place, element, &mut |e| e.element(&values, &index));
                }
            };
            if inside.is_none() {
                return lanes(e, &mut (0..width));
            }
            // What is clamped, and how, the outermost lanes tell.
            let ends = e.block(|e| lanes(e, &mut [0, width - 1].into_iter()));
            let clamped = e.clamped(&ends, i);
            if clamped.inside.is_empty() {
                let all = e.block(|e| lanes(e, &mut (0..width)));
                *inside = Some(e.is_wide(&all, width));
                return all.into_iter().for_each(|stmt| e.push(stmt));
            }
            let ((), within) = e.arm(&clamped.margins, |e| lanes(e, &mut (0..width)));
            *inside = Some(e.is_wide(&within, width));
            if *inside == Some(false) {
                return;
            }
            if let Some(nearest) = e.nearest(&within, &clamped, width) {
                nearest.into_iter().for_each(|stmt| e.push(stmt));
            } else if let Some(cond) = Expr::all(&clamped.inside) {
                let any = e.block(|e| lanes(e, &mut (0..width)));
                e.push(Stmt::If(cond, within, any));
            }
        });
    }
}
