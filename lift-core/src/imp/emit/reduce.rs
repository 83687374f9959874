//! Reductions: a loop, or a nest of loops, with a state.

use crate::arith::{ArithExpr, Truth, Var};
use crate::bug;
use crate::imp::ast::Expr;
use crate::imp::emit::{Closure, Emitter, Env, Value, View};
use crate::ir::build::fresh_id;
use crate::ir::{BinaryOp, Boundary, Literal, MathFn, UnaryOp};
use crate::low::{Kind, Lambda, LoopStyle, NodeId};
use crate::view::Shape;

/// More terms are added up in a variable.
const MOST_TERMS: i64 = 9;

impl Emitter<'_> {
    /// Emits the loops of a reduction; the result is its accumulator, called `name` if that is given.
    pub(super) fn reduce(&mut self, id: NodeId, env: &Env, name: Option<&str>) -> Value {
        let low = self.low;
        if self.accumulates(id) {
            return self.accumulate(id, env, name, None);
        }
        let Kind::Reduce { style, unrolled, f, init, xs, .. } = low.kind(id) else { bug!("not a reduction") };
        let len = low.ty(*xs).length();
        let view = self.eval_array(*xs, env);
        let start = self.eval(*init, env);
        let ty = low.ty(*init);
        let f = Closure { f: f.clone(), env: env.clone() };
        let unrolled =
            self.facts.simplify(&len).as_const().filter(|n| *n == 1 || *unrolled || self.must_unroll(&view));
        if let Some(n) = unrolled.filter(|n| !ty.contains_array() && *n <= MOST_TERMS) {
            return (0..n).fold(start, |acc, i| {
                let x = self.element(&view, &ArithExpr::cst(i));
                self.combined_with(&f, acc, x)
            });
        }
        let name = name.unwrap_or_else(|| accumulator_name(&f.f.params[0].name));
        let (len, view) = match unrolled {
            Some(_) => (len, view),
            None => self.needed(len, view, &f.f, &start),
        };
        let state = self.state(name, start, ty);
        let mut trip = |e: &mut Self, i: &ArithExpr| {
            let x = e.element(&view, i);
            let next = e.apply(&f, vec![state.value.clone(), x]);
            e.update(&state, next);
        };
        if let Some(n) = unrolled {
            (0..n).for_each(|i| trip(self, &ArithExpr::cst(i)));
            return state.value;
        }
        let loops = view.loops(&len, &self.facts);
        let nest: Vec<(ArithExpr, &str)> = loops
            .into_iter()
            .rev()
            .enumerate()
            .map(|(level, len)| (len, loop_name(*style, level, self.is_parallel())))
            .collect();
        self.nest(&nest, &ArithExpr::zero(), &mut trip);
        state.value
    }

    /// A function of an accumulator and an element. An integer that is added to nothing stays what it is; of floats, `0.0 + -0.0` is `0.0`.
    fn combined_with(&mut self, f: &Closure, acc: Value, x: Value) -> Value {
        if let (Value::Scalar(Expr::Literal(start)), Kind::Binary(op, a, b)) = (&acc, self.low.kind(f.f.body))
            && matches!(self.low.kind(*a), Kind::Param(id) if *id == f.f.params[0].id)
            && is_neutral(*op, start)
        {
            let env = self.bind(&f.f, vec![acc, x], &f.env);
            return self.eval(*b, &env);
        }
        self.apply(f, vec![acc, x])
    }

    /// Drops the filling at the end of a padded array, if it cannot change the result. Gives the elements that are left, and their number.
    fn needed(&self, len: ArithExpr, view: View, f: &Lambda, start: &Value) -> (ArithExpr, View) {
        let (offset, array) = match view.shape() {
            Shape::Shifted(offset, of) => (offset.clone(), of),
            _ => (ArithExpr::zero(), &view),
        };
        let Shape::Padded(pad) = array.shape() else { return (len, view) };
        let is_filled = matches!(&pad.edge, Boundary::Constant(value) if is_same(value, start));
        if pad.left != ArithExpr::zero() || !is_filled || !self.keeps(f, f.body, start, &mut Vec::new()) {
            return (len, view);
        }
        let inside = self.facts.simplify(&ArithExpr::min(&len, &(&pad.len - &offset)));
        (inside, View::new(Shape::Shifted(offset, pad.inside.clone())))
    }

    /// Whether `f(acc, start)` is `acc` for every accumulator that begins as `start`: `start` is the neutral element of the operator of each part. The path leads to the part that
    /// `body` computes.
    fn keeps(&self, f: &Lambda, body: NodeId, start: &Value, path: &mut Vec<usize>) -> bool {
        let operands = match (self.low.kind(body), start) {
            (Kind::Tuple(parts), Value::Tuple(starts)) => {
                return parts.iter().zip(starts).enumerate().all(|(i, (part, start))| {
                    path.push(i);
                    let keeps = self.keeps(f, *part, start, path);
                    path.pop();
                    keeps
                });
            }
            (Kind::Binary(BinaryOp::Add, a, b), Value::Scalar(Expr::Literal(z)))
                if *z == Literal::number(0, z.scalar()) =>
            {
                [*a, *b]
            }
            (Kind::Binary(op, a, b), Value::Scalar(Expr::Literal(z))) if is_neutral(*op, z) => [*a, *b],
            (Kind::Math(op, args), Value::Scalar(z)) => match (op, args.as_slice(), infinity(z)) {
                (MathFn::Min, [a, b], Some(f64::INFINITY))
                | (MathFn::Max, [a, b], Some(f64::NEG_INFINITY)) => [*a, *b],
                _ => return false,
            },
            _ => return false,
        };
        let is = |operand: usize, param: usize| self.is_part(operands[operand], f.params[param].id, path);
        (is(0, 0) && is(1, 1)) || (is(0, 1) && is(1, 0))
    }

    /// Whether a node is what a parameter has at this path.
    fn is_part(&self, node: NodeId, param: u32, path: &[usize]) -> bool {
        match (self.low.kind(node), path) {
            (Kind::Param(id), []) => *id == param,
            (Kind::Field(of, i), [outer @ .., last]) => i == last && self.is_part(*of, param, outer),
            _ => false,
        }
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
}

/// Whether both are the same scalars.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => a == b,
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        _ => false,
    }
}

/// The infinity that this is.
fn infinity(e: &Expr) -> Option<f64> {
    let value = match e {
        Expr::Literal(literal) => literal.as_float(),
        Expr::Unary(UnaryOp::Neg, _, x) => infinity(x).map(|x| -x),
        _ => None,
    };
    value.filter(|x| x.is_infinite())
}

fn is_neutral(op: BinaryOp, start: &Literal) -> bool {
    match op {
        BinaryOp::Add => *start == Literal::number(0, start.scalar()) && !start.scalar().is_float(),
        BinaryOp::Mul => *start == Literal::number(1, start.scalar()),
        _ => false,
    }
}

/// The user's name if it says something.
pub(super) fn accumulator_name(param: &str) -> &str {
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
