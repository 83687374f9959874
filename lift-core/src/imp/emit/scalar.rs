//! What nodes stand for: scalars become expressions, arrays become views.

use crate::budget;
use crate::bug;
use crate::imp::ast::Expr;
use crate::imp::emit::{Emitter, Env, Value, View};
use crate::ir::{BinaryOp, Literal, MathFn, Scalar, Type, UnaryOp};
use crate::low::{Kind, NodeId};
use crate::view::{Choice, DeferredSelect, Shape};

impl Emitter<'_> {
    /// The scalar that a node stands for.
    pub(super) fn eval_scalar(&mut self, id: NodeId, env: &Env) -> Expr {
        match self.eval(id, env) {
            Value::Scalar(e) => e,
            Value::Tuple(_) | Value::Array(_) => bug!("a scalar that is none"),
        }
    }

    /// What a node stands for, with the statements that it needs.
    pub(super) fn eval(&mut self, id: NodeId, env: &Env) -> Value {
        budget::node();
        let low = self.low;
        match low.kind(id) {
            Kind::Param(param) => match env.get(*param) {
                Some(value) => value.clone(),
                None => bug!("variable {param} has no value"),
            },
            Kind::Literal(literal) => Value::Scalar(constant(*literal)),
            Kind::Size(n) => Value::Scalar(Expr::Index(self.facts.simplify(n))),
            Kind::Unary(op, x) => {
                let x = self.eval_scalar(*x, env);
                Value::Scalar(unary(*op, x))
            }
            Kind::Binary(op, a, b) => Value::Scalar(self.binary(*op, *a, *b, env)),
            Kind::Math(f, args) => {
                if let (Some(op), [a, b]) = (operator(*f), args.as_slice()) {
                    return Value::Scalar(self.binary(op, *a, *b, env));
                }
                let scalar = self.scalar_type(args[0]);
                let args: Vec<Expr> = args.iter().map(|x| self.eval_scalar(*x, env)).collect();
                Value::Scalar(match self.index_math(*f, scalar, &args) {
                    Some(index) => index,
                    None if scalar.is_float() && *f == MathFn::Clamp => self.clamp(scalar, args),
                    None => Expr::Math(*f, scalar, args),
                })
            }
            Kind::Cast(to, x) => {
                let x = self.eval_scalar(*x, env);
                Value::Scalar(cast(*to, x))
            }
            Kind::If(c, a, b) => self.if_(id, *c, *a, *b, env),
            Kind::Tuple(parts) => Value::Tuple(parts.iter().map(|x| self.eval(*x, env)).collect()),
            Kind::Field(x, i) => match self.eval(*x, env) {
                Value::Tuple(parts) => parts[*i].clone(),
                Value::Scalar(_) | Value::Array(_) => bug!("a part of no tuple"),
            },
            Kind::Let(binder, value, body) => {
                let env = self.let_(binder, *value, *body, env);
                self.eval(*body, &env)
            }
            Kind::Reduce { .. } => self.reduce(id, env, None),
            Kind::Iterate { .. } => self.iterate(id, env, None),
            Kind::At(i, xs) => {
                let len = low.ty(*xs).length();
                let xs = self.eval_array(*xs, env);
                let i = self.eval_scalar(*i, env);
                let i = self.as_index(i, &len, "k");
                self.element(&xs, &i)
            }
            Kind::ByKey(_) => bug!("a reduction by key is stored"),
            Kind::Layout(..)
            | Kind::ArrayLiteral(_)
            | Kind::Map { .. }
            | Kind::Scan { .. }
            | Kind::Generate(_)
            | Kind::SlideSeq { .. }
            | Kind::Store { .. } => self.view(id, env),
        }
    }

    fn if_(&mut self, id: NodeId, c: NodeId, a: NodeId, b: NodeId, env: &Env) -> Value {
        match self.eval_scalar(c, env) {
            Expr::Literal(Literal::Bool(c)) => self.eval(if c { a } else { b }, env),
            cond => {
                let ty = self.low.ty(id);
                if ty.contains_array() {
                    // Read again for every element.
                    let cond = self.constant("chosen", cond);
                    let choice = Choice::If(cond, a, b, env.clone());
                    let deferred = DeferredSelect { choice, path: Vec::new(), ty: ty.clone() };
                    return match ty {
                        Type::Array(..) => Value::Array(View::new(Shape::Deferred(deferred))),
                        Type::Scalar(_) | Type::Tuple(_) => self.deferred(deferred),
                    };
                }
                self.choose(cond, |e| e.eval(a, env), |e| e.eval(b, env))
            }
        }
    }

    /// Of floats: `x < low ? low : x > high ? high : x`, so that a NaN stays one.
    fn clamp(&mut self, scalar: Scalar, args: Vec<Expr>) -> Expr {
        let mut named = args.into_iter().zip(["x", "low", "high"]).map(|(e, name)| self.constant(name, e));
        let (Some(x), Some(low), Some(high)) = (named.next(), named.next(), named.next()) else {
            bug!("`clamp` has three operands")
        };
        let choose = |op, limit: Expr, otherwise: Expr| {
            let beyond = Expr::Binary(op, scalar, Box::new(x.clone()), Box::new(limit.clone()));
            Expr::Select(Box::new(beyond), Box::new(limit), Box::new(otherwise))
        };
        choose(BinaryOp::Lt, low, choose(BinaryOp::Gt, high, x.clone()))
    }

    fn binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId, env: &Env) -> Expr {
        let scalar = self.scalar_type(a);
        let a = self.eval_scalar(a, env);
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.logical(op, a, b, env);
        }
        let b = self.eval_scalar(b, env);
        if let (Expr::Index(i), Expr::Index(j)) = (&a, &b) {
            if let Some(result) = self.index_binary(op, i, j) {
                return result;
            }
            if !op.is_comparison() {
                // 64 bits that wrap, whatever the width of indices.
                let a = Expr::Cast(Scalar::Usize, Box::new(a));
                return Expr::Binary(op, scalar, Box::new(a), Box::new(b));
            }
        }
        if let (BinaryOp::Add, true) = (op, is_product(&a) || is_product(&b)) {
            return sum(scalar, a, b);
        }
        if let Some(number) = folded(op, &a, &b) {
            return Expr::Literal(number);
        }
        Expr::Binary(op, scalar, Box::new(a), Box::new(b))
    }

    /// `&&` and `||`: the right side is only computed if the left one leaves it open.
    fn logical(&mut self, op: BinaryOp, a: Expr, b: NodeId, env: &Env) -> Expr {
        let deciding = op == BinaryOp::Or;
        if let Expr::Literal(Literal::Bool(a)) = a {
            return if a == deciding { Expr::Literal(Literal::Bool(a)) } else { self.eval_scalar(b, env) };
        }
        let rest = |e: &mut Self| Value::Scalar(e.eval_scalar(b, env));
        let decided = |_: &mut Self| Value::Scalar(Expr::Literal(Literal::Bool(deciding)));
        let chosen = if deciding { self.choose(a, decided, rest) } else { self.choose(a, rest, decided) };
        match chosen {
            // a ? b : false  =  a && b;  a ? true : b  =  a || b
            Value::Scalar(Expr::Select(a, then, otherwise)) => {
                let b = if deciding { otherwise } else { then };
                match *b {
                    Expr::Literal(Literal::Bool(b)) if b != deciding => *a,
                    b => Expr::Binary(op, Scalar::Bool, a, Box::new(b)),
                }
            }
            Value::Scalar(e) => e,
            Value::Tuple(_) | Value::Array(_) => bug!("a condition that is no scalar"),
        }
    }
}

/// Whether it is a product that a sum adds without rounding it.
fn is_product(e: &Expr) -> bool {
    matches!(e, Expr::Binary(BinaryOp::Unrounded, ..))
}

/// A sum with such a product; of two, the right one.
fn sum(scalar: Scalar, a: Expr, b: Expr) -> Expr {
    let (product, other) = if is_product(&b) { (b, a) } else { (a, b) };
    match product {
        Expr::Binary(_, _, x, y) => Expr::Math(MathFn::MulAdd, scalar, vec![*x, *y, other]),
        _ => bug!("no product"),
    }
}

/// What an operation on two floats that are literals comes to. What is not a number stays as it is.
fn folded(op: BinaryOp, a: &Expr, b: &Expr) -> Option<Literal> {
    let (Expr::Literal(Literal::Float(a, scalar)), Expr::Literal(Literal::Float(b, _))) = (a, b) else {
        return None;
    };
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        _ => return None,
    };
    let literal = Literal::float(result, *scalar);
    matches!(literal, Literal::Float(x, _) if x.is_finite()).then_some(literal)
}

fn constant(literal: Literal) -> Expr {
    match literal {
        Literal::Int(n, Scalar::Usize) if n < 1 << 62 => Expr::Index((n as i64).into()),
        literal => Expr::Literal(literal),
    }
}

/// The operator that a method is another name of: it wraps by itself.
fn operator(f: MathFn) -> Option<BinaryOp> {
    match f {
        MathFn::WrappingAdd => Some(BinaryOp::Add),
        MathFn::WrappingSub => Some(BinaryOp::Sub),
        MathFn::WrappingMul => Some(BinaryOp::Mul),
        _ => None,
    }
}

fn unary(op: UnaryOp, x: Expr) -> Expr {
    match (op, x) {
        (UnaryOp::Not, Expr::Literal(Literal::Bool(b))) => Expr::Literal(Literal::Bool(!b)),
        (UnaryOp::Neg, Expr::Literal(x)) => match x.negated() {
            Some(x) => Expr::Literal(x),
            None => bug!("`-{x}`"),
        },
        (_, x) => Expr::Unary(op, x.scalar(), Box::new(x)),
    }
}

fn cast(to: Scalar, x: Expr) -> Expr {
    if x.scalar() == to { x } else { Expr::Cast(to, Box::new(x)) }
}
