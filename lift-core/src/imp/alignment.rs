//! Which indices are multiples of a number, so that vectors lie where they should.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Truth, Var};
use crate::imp::ast::{IndexValue, Stmt};
use crate::memory::Buffer;

/// What the names of indices stand for.
#[derive(Debug, Default)]
pub struct Definitions(BTreeMap<Var, ArithExpr>);

impl Definitions {
    /// Those in these statements, and those of extents.
    pub fn of(body: &[Stmt], strides: &[(Var, ArithExpr)]) -> Definitions {
        let mut names: BTreeMap<Var, ArithExpr> = strides.iter().cloned().collect();
        body.iter().for_each(|stmt| {
            stmt.visit(&mut |s| {
                if let Stmt::Index(var, IndexValue::Arith(e)) = s {
                    names.insert(var.clone(), e.substitute(&names));
                }
            });
        });
        Definitions(names)
    }

    /// The index with what the names stand for.
    pub fn resolve(&self, e: &ArithExpr) -> ArithExpr {
        e.substitute(&self.0)
    }

    /// Whether the number divides the index.
    pub fn divides(&self, number: i64, e: &ArithExpr, facts: &Facts) -> bool {
        let rest = facts.simplify(&self.resolve(e).modulo(&number.into()));
        facts.eq(&rest, &ArithExpr::zero()) == Truth::Yes
    }

    /// Whether so many elements of a buffer, from this index on, lie as a vector does.
    pub fn is_aligned(&self, buffer: &Buffer, lanes: i64, index: &[ArithExpr], facts: &Facts) -> bool {
        let Some((last, outer)) = index.split_last() else { return false };
        let row = buffer.dims.last().filter(|_| !outer.is_empty());
        self.divides(lanes, last, facts) && row.is_none_or(|row| self.divides(lanes, row, facts))
    }
}
