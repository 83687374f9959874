//! Whether indices are multiples of what work-items are numbered by.
//!
//! A driver computes such indices wrongly unless it is told more (`lift-runtime/src/workarounds.rs`), which costs a little; texts in which
//! an index is an item's number, moved by something at most, are spared that.

use std::collections::BTreeSet;

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{Expr, IndexValue, Kernel, Stmt, WorkItem};

/// Whether some index of a kernel is a multiple of a number of an item in the whole launch, or anything else but that number and a sum with it.
pub fn are_scaled(kernel: &Kernel) -> bool {
    let mut ids = Ids { known: BTreeSet::new(), scaled: false };
    kernel.body.iter().for_each(|stmt| stmt.visit(&mut |s| ids.stmt(s)));
    ids.scaled || kernel.aligned.iter().any(|aligned| are_scaled(&aligned.kernel))
}

struct Ids {
    /// Numbers of items, and sums with them.
    known: BTreeSet<Var>,
    scaled: bool,
}

impl Ids {
    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Index(var, IndexValue::Id(WorkItem::Global, _)) = stmt {
            self.known.insert(var.clone());
        }
        stmt.indices().into_iter().for_each(|index| self.index(index));
        if let Stmt::Store(_, index, _) | Stmt::Atomic(_, _, index, _) = stmt {
            self.place(index);
        }
        if let Some(e) = stmt.expr() {
            e.visit(&mut |e| {
                e.indices().for_each(|index| self.index(index));
                match e {
                    Expr::Load(_, _, index) | Expr::Vector(_, _, _, index) => self.place(index),
                    // Of a value, anything may be made.
                    Expr::Index(index) => self.scaled |= self.has(index),
                    _ => {}
                }
            });
        }
        if let Stmt::Index(var, IndexValue::Arith(e)) = stmt
            && self.has(e)
        {
            self.known.insert(var.clone());
        }
    }

    fn has(&self, e: &ArithExpr) -> bool {
        e.vars().iter().any(|var| self.known.contains(var))
    }

    fn index(&mut self, e: &ArithExpr) {
        let times = |var: &Var| e.linear_in(var).and_then(|(times, _)| times.as_const());
        self.scaled |= e.vars().iter().any(|var| self.known.contains(var) && times(var) != Some(1));
    }

    /// Of an element: all but the last index are multiplied by extents.
    fn place(&mut self, index: &[ArithExpr]) {
        let rows = index.split_last().map_or(index, |(_, rows)| rows);
        self.scaled |= rows.iter().any(|row| self.has(row));
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline;

    fn naive(text: &str) -> bool {
        let compilation = pipeline::compile(text.parse().unwrap());
        let kernel = compilation.kernels.first().unwrap();
        kernel.versions.iter().find(|version| version.name == "naive").unwrap().generated.scales_ids
    }

    #[test]
    fn multiples_are_found() {
        for (text, scaled) in [
            ("#[kernel] fn F<N>(x: [f32; N]) -> [f32; N] { x.map(|x| x + 1.0) }", false),
            ("#[kernel] fn F<N>(x: [f32; N]) -> [f32; N - 2] { x.slide(3, 1).map(|w| w[0] - w[2]) }", false),
            ("#[kernel] fn F<N>(x: [[f32; N]; 3]) -> [f32; N] { x.transpose().map(|w| w[0] - w[2]) }", false),
            ("#[kernel] fn F<N>(x: [f32; N]) -> [f32; N] { x.reverse().map(|x| x + 1.0) }", true),
            ("#[kernel] fn F<N>(x: [[f32; 3]; N]) -> [f32; N] { x.map(|w| w[0] - w[2]) }", true),
            ("#[kernel] fn F<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] { x.map2d(|x| x + 1.0) }", true),
            (
                "#[kernel] fn F<N>(x: [f32; N]) -> [f32; N] { zip(x, array(N, |i| i)).map(|(x, i)| x + (3 * (i as i32) + 1) as f32) }",
                true,
            ),
            ("#[kernel] fn F<N>(x: [f32; 3 * N]) -> [f32; N] { x.split(3).map(|w| w[0] - w[2]) }", true),
        ] {
            assert_eq!(naive(text), scaled, "{text}");
        }
    }
}
