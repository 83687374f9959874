//! Reductions: a loop, or a nest of loops, with an accumulator.

use crate::arith::{ArithExpr, Truth, Var};
use crate::bug;
use crate::imp::ast::{Expr, Local, Stmt};
use crate::imp::emit::store::length;
use crate::imp::emit::{Closure, Emitter, Env, Value, View};
use crate::ir::build::fresh_id;
use crate::low::{Kind, LoopStyle, NodeId};

impl Emitter<'_> {
    /// Emits the loops of a reduction; the result is its accumulator, called `name` if that is given.
    pub(super) fn reduce(&mut self, id: NodeId, env: &Env, name: Option<&str>) -> Value {
        let low = self.low;
        let Kind::Reduce { style, f, init, xs } = low.kind(id) else { bug!("not a reduction") };
        let len = length(low.ty(*xs));
        let view = self.eval_array(*xs, env);
        let init = self.eval(*init, env);
        let f = Closure { f: f.clone(), env: env.clone() };
        if let Some(n) = self.facts.simplify(&len).as_const()
            && (n == 1 || self.must_unroll(&view))
        {
            return (0..n).fold(init, |acc, i| {
                let x = self.element(&view, &ArithExpr::cst(i));
                self.apply(&f, vec![acc, x])
            });
        }
        let name = name.unwrap_or_else(|| accumulator_name(&f.f.params[0].name));
        let mut locals = Vec::new();
        let acc = self.accumulators(name, init, &mut locals);
        let loops = view.loops(&len, &self.facts);
        let nest: Vec<(ArithExpr, &str)> = loops
            .into_iter()
            .rev()
            .enumerate()
            .map(|(level, len)| (len, loop_name(*style, level, self.is_parallel())))
            .collect();
        self.nest(&nest, &ArithExpr::zero(), &mut |e, i| e.accumulate(&f, &acc, &locals, &view, i));
        acc
    }

    /// Nested loops, the outermost last; `body` gets the index of the element.
    fn nest(
        &mut self,
        loops: &[(ArithExpr, &str)],
        outer: &ArithExpr,
        body: &mut dyn FnMut(&mut Self, &ArithExpr),
    ) {
        let [inner @ .., (len, name)] = loops else { return body(self, outer) };
        let base = outer * len;
        if self.facts.eq(len, &ArithExpr::one()) == Truth::Yes {
            return self.nest(inner, &base, body);
        }
        let var = Var::new(fresh_id(), name);
        self.count_with(&var, len, |e, i| e.nest(inner, &(&base + i), body));
    }

    /// One trip.
    fn accumulate(&mut self, f: &Closure, acc: &Value, locals: &[Local], view: &View, i: &ArithExpr) {
        let x = self.element(view, i);
        let value = self.apply(f, vec![acc.clone(), x]);
        let mut scalars = Vec::new();
        flatten(value, &mut scalars);
        // A part that reads another one must see it as it was.
        let overlap = |k: usize, e: &Expr| {
            let mut found = false;
            e.visit(&mut |e| found |= matches!(e, Expr::Local(l) if locals[..k].contains(l)));
            found
        };
        if scalars.iter().enumerate().any(|(k, e)| overlap(k, e)) {
            let named = scalars.into_iter().zip(locals).map(|(e, local)| match e {
                Expr::Literal(_) => e,
                e => {
                    let next = Local {
                        id: fresh_id(),
                        name: format!("next_{}", local.name).into(),
                        ..local.clone()
                    };
                    self.push(Stmt::Value { local: next.clone(), init: Some(e), constant: true });
                    Expr::Local(next)
                }
            });
            scalars = named.collect();
        }
        for (local, e) in locals.iter().zip(scalars) {
            if e != Expr::Local(local.clone()) {
                self.push(Stmt::Assign(local.clone(), e));
            }
        }
    }

    /// A variable for every scalar of the start.
    fn accumulators(&mut self, name: &str, init: Value, locals: &mut Vec<Local>) -> Value {
        match init {
            Value::Scalar(e) => {
                let local = self.variable(name, e.scalar(), Some(e));
                locals.push(local.clone());
                Value::Scalar(Expr::Local(local))
            }
            Value::Tuple(parts) => {
                let parts = parts.into_iter().enumerate();
                Value::Tuple(
                    parts.map(|(i, e)| self.accumulators(&format!("{name}_{i}"), e, locals)).collect(),
                )
            }
            Value::Array(_) => bug!("a reduction to an array"),
        }
    }
}

fn flatten(value: Value, out: &mut Vec<Expr>) {
    match value {
        Value::Scalar(e) => out.push(e),
        Value::Tuple(parts) => parts.into_iter().for_each(|part| flatten(part, out)),
        Value::Array(_) => bug!("a reduction to an array"),
    }
}

/// The user's name if it says something.
fn accumulator_name(param: &str) -> &str {
    let speaks = param.len() > 1 && param.starts_with(|c: char| c.is_ascii_lowercase());
    if speaks { param } else { "acc" }
}

/// Loops over windows are called by their dimension, counted from the innermost.
fn loop_name(style: LoopStyle, level: usize, parallel: bool) -> &'static str {
    match style {
        LoopStyle::Window(inside) => ["wx", "wy", "wz"][(level + inside).min(2)],
        LoopStyle::Plain => {
            if parallel {
                "k"
            } else {
                "i"
            }
        }
    }
}
