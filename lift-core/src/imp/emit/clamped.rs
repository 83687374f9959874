//! Vectors that are read where a row may be clamped.
//!
//! Before: reads of neighbours, each clamped to the ends of its row by itself. After: one read of a vector, under the condition
//! that it lies in the row; or, where a vector is in the row as a whole or not at all, of the nearest vector in the
//! row, of which the first or the last element stands for all if the one that was asked for lies outside.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Truth};
use crate::imp::alignment::Definitions;
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::imp::emit::Emitter;
use crate::imp::emit::index::first_of_vector;
use crate::imp::passes;
use crate::view::Cond;

/// Reads of neighbours that are clamped.
pub(super) struct Clamped {
    /// Their indices before they are clamped, and the last of their row.
    neighbours: Vec<(ArithExpr, ArithExpr)>,
    /// When none of them is clamped.
    pub(super) inside: Vec<Cond>,
    /// What is not negative then.
    pub(super) margins: Vec<ArithExpr>,
}

impl Emitter<'_> {
    /// What statements read that is clamped to the end of its row, given the index of a turn.
    pub(super) fn clamped(&self, stmts: &[Stmt], turn: &ArithExpr) -> Clamped {
        let mut indices: Vec<ArithExpr> = Vec::new();
        for stmt in stmts {
            stmt.visit_exprs(&mut |e| indices.extend(e.indices().cloned()));
        }
        // Indices have names.
        for stmt in self.blocks.iter().flat_map(|block| &block.stmts).chain(stmts) {
            stmt.visit(&mut |s| {
                if let Stmt::Index(_, IndexValue::Arith(e)) = s {
                    indices.push(e.clone());
                }
            });
        }
        let own = |e: &ArithExpr| turn.vars().iter().any(|var| e.contains(var));
        let clamped = indices.iter().filter_map(|e| match e.as_clamp()? {
            (i, last) if own(&i) && !own(&last) => Some((i, last)),
            (last, i) if own(&i) && !own(&last) => Some((i, last)),
            _ => None,
        });
        let clamped: Vec<(ArithExpr, ArithExpr)> = clamped.collect();
        // Rows are the same for all neighbours.
        let of_neighbours = |(i, _): &&(ArithExpr, ArithExpr)| {
            clamped.iter().any(|(j, _)| (i - j).as_const().is_some_and(|distance| distance != 0))
        };
        let neighbours: Vec<_> = clamped.iter().filter(of_neighbours).cloned().collect();
        let (mut inside, mut margins) = (Vec::new(), Vec::new());
        let mut facts = self.facts.clone();
        for (i, last) in &neighbours {
            let end = last + 1;
            margins.extend([i.clone(), last - i]);
            let first = first_of_vector(i, &end, &self.facts).unwrap_or_else(|| i.clone());
            for cond in [Cond::AtLeast(first.clone(), ArithExpr::zero()), Cond::Less(first, end)] {
                if !facts.nonneg(&cond.margin()).is_yes() {
                    facts.assume_nonneg(cond.margin());
                    inside.push(cond);
                }
            }
        }
        Clamped { neighbours, inside, margins }
    }

    /// A copy of a vector without a branch, given what it is where the vector lies in its row.
    pub(super) fn nearest(&mut self, within: &[Stmt], clamped: &Clamped, width: i64) -> Option<Vec<Stmt>> {
        let (first, end) = self.as_a_whole(clamped, width)?;
        let all = self.with_names(within);
        let names = Definitions::of(&all, &[]);
        let joined = passes::neighbours(all, &self.buffers, &self.facts);
        let others: Vec<&Stmt> = joined.iter().filter(|stmt| !matches!(stmt, Stmt::Index(..))).collect();
        let [Stmt::Store(to, place, Expr::Vector(from, scalar, lanes, index))] = others.as_slice() else {
            return None;
        };
        let (last, outer) = index.split_last()?;
        let at = ArithExpr::max(&ArithExpr::min(&first, &(&end - width)), &ArithExpr::zero());
        let at = self.named_index(&self.facts.simplify(&at));
        let moved = self.instead(last, &first, &at, &names)?;
        let nearest = Local { lanes: *lanes, ..Local::new("nearest", *scalar) };
        let init = Some(Expr::Vector(*from, *scalar, *lanes, [outer, &[moved]].concat()));
        let own = Expr::Local(nearest.clone());
        let all_of = |lane: u8| Expr::Pack(vec![Expr::Lane(own.clone().into(), lane); usize::from(*lanes)]);
        // Farthest out stands what is asked first.
        let value = clamped.inside.iter().rev().fold(own.clone(), |value, cond| {
            let end = if matches!(cond, Cond::AtLeast(..)) { 0 } else { *lanes - 1 };
            Expr::Select(Expr::Cond(cond.clone()).into(), value.into(), all_of(end).into())
        });
        let names = within.iter().filter(|stmt| matches!(stmt, Stmt::Index(..))).cloned();
        let read = Stmt::Value { local: nearest, init, constant: true };
        Some(names.chain([read, Stmt::Store(*to, place.clone(), value)]).collect())
    }

    /// The index of the first of some neighbours and the end of their row, if they are in the row all or none.
    fn as_a_whole(&self, clamped: &Clamped, width: i64) -> Option<(ArithExpr, ArithExpr)> {
        let (some, last) = clamped.neighbours.first()?;
        let distances = clamped
            .neighbours
            .iter()
            .map(|(i, end)| (i - some).as_const().filter(|_| self.facts.eq(end, last) == Truth::Yes));
        let first = some + distances.collect::<Option<Vec<i64>>>()?.into_iter().min()?;
        let (end, width) = (last + 1, width.into());
        let whole = |e: &ArithExpr| self.facts.multiple_of(e, &width).is_yes();
        let near = clamped.neighbours.iter().all(|(i, _)| (i - &first).as_const() < width.as_const());
        (near && whole(&first) && whole(&end)).then_some((first, end))
    }

    /// An index with another beginning of a vector in the place of its own.
    fn instead(
        &self,
        index: &ArithExpr,
        first: &ArithExpr,
        other: &ArithExpr,
        names: &Definitions,
    ) -> Option<ArithExpr> {
        let own = names.resolve(first);
        let named = index.vars().into_iter().find_map(|var| {
            let distance = self.facts.simplify(&(names.resolve(&ArithExpr::var(&var)) - &own)).as_const()?;
            Some(BTreeMap::from([(var, other + distance)]))
        });
        let moved = match named {
            Some(names) => index.substitute(&names),
            None => {
                let rest = self.facts.simplify(&(index - first));
                first.vars().iter().all(|var| !rest.contains(var)).then(|| rest + other)?
            }
        };
        Some(self.facts.simplify(&moved))
    }

    /// Statements after the names of all indices that they may use.
    pub(super) fn with_names(&self, stmts: &[Stmt]) -> Vec<Stmt> {
        let outside = self.blocks.iter().flat_map(|block| &block.stmts);
        outside.filter(|stmt| matches!(stmt, Stmt::Index(..))).chain(stmts).cloned().collect()
    }
}
