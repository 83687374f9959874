//! Functions that are not associative where elements may be regrouped, such as `scan(|sum, x| 0.5 * sum + x, 0.0)`: found by trying.
//!
//! A function is evaluated for a few small values. What is computed by other means than arithmetic is not known, and says nothing. Values are chosen so that
//! numbers may be flags and counts: integers are 0 and 1, floats are positive.

use crate::diag::Diagnostics;
use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, MathFn, Order, Prim, Scalar, Type, UnaryOp};
use crate::typecheck::error;
use crate::typecheck::identity::plain_operator;

/// How many triples of values are tried.
pub(super) const TRIES: usize = 48;

/// How far floats may be apart that are computed in another order, relative to the larger one.
const TOLERANCE: f64 = 1e-6;

/// Warns of every such function.
pub(super) fn check(body: &Expr, diags: &mut Diagnostics) {
    body.visit(&mut |e| {
        let (prim, f) = match e.as_prim() {
            Some((prim @ (Prim::Reduce(Order::Any) | Prim::Scan(Order::Any)), [Arg::Fun(f), ..]))
            | Some((prim @ Prim::ReduceByKey(_), [Arg::Size(_), Arg::Fun(f), ..])) => (prim, f),
            _ => return,
        };
        // What plain operators are is known, and an error of its own.
        if plain_operator(f).is_some() {
            return;
        }
        if let Some(Counterexample { values, left, right }) = counterexample(f) {
            let values: Vec<String> = values.iter().map(Value::text).collect();
            let results = [left.text(), right.text()];
            diags.push(error::found_not_associative(f.body.span(), prim, &values, &results));
        }
    });
}

/// Three values of which a function makes different ones, depending on which two come first.
struct Counterexample {
    values: [Value; 3],
    left: Value,
    right: Value,
}

/// Whether a function was found not to be associative.
pub(super) fn is_refuted(f: &Lambda) -> bool {
    counterexample(f).is_some()
}

fn counterexample(f: &Lambda) -> Option<Counterexample> {
    let [a, _] = f.params.as_slice() else { return None };
    let mut choices = Choices::new();
    (0..TRIES).find_map(|_| {
        let values = [choices.value(&a.ty)?, choices.value(&a.ty)?, choices.value(&a.ty)?];
        let [x, y, z] = &values;
        let left = applied(f, &applied(f, x, y)?, z)?;
        let right = applied(f, x, &applied(f, y, z)?)?;
        left.differs(&right).then_some(Counterexample { values, left, right })
    })
}

/// What a function is tried with.
#[derive(Clone, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Bool(bool),
    Tuple(Vec<Value>),
}

impl Value {
    /// Whether it is certainly another one: of numbers that are none, nothing is known.
    pub(super) fn differs(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(x), Value::Number(y)) => {
                (x - y).abs() > TOLERANCE * x.abs().max(y.abs()) && x.is_finite() && y.is_finite()
            }
            (Value::Tuple(xs), Value::Tuple(ys)) => xs.iter().zip(ys).any(|(x, y)| x.differs(y)),
            _ => self != other,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Value::Number(x) => x.to_string(),
            Value::Bool(x) => x.to_string(),
            Value::Tuple(parts) => {
                format!("({})", parts.iter().map(Value::text).collect::<Vec<String>>().join(", "))
            }
        }
    }

    fn number(&self) -> Option<f64> {
        if let Value::Number(x) = self { Some(*x) } else { None }
    }
}

/// Values in an order that is always the same.
pub(super) struct Choices(u64);

impl Choices {
    pub(super) fn new() -> Choices {
        Choices(1)
    }

    /// The next value of a type without arrays.
    pub(super) fn value(&mut self, ty: &Type) -> Option<Value> {
        match ty {
            Type::Scalar(Scalar::Bool) => Some(Value::Bool(self.below(2) == 1)),
            Type::Scalar(scalar) if scalar.is_float() => {
                Some(Value::Number([1.0, 2.0, 3.0, 5.0][self.below(4)]))
            }
            Type::Scalar(_) => Some(Value::Number(self.below(2) as f64)),
            Type::Tuple(parts) => {
                Some(Value::Tuple(parts.iter().map(|part| self.value(part)).collect::<Option<_>>()?))
            }
            Type::Array(..) => None,
        }
    }

    fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n) as usize
    }
}

/// What a function makes of two values.
pub(super) fn applied(f: &Lambda, x: &Value, y: &Value) -> Option<Value> {
    let [a, b] = f.params.as_slice() else { return None };
    value(&f.body, &mut vec![(a.id, x.clone()), (b.id, y.clone())])
}

/// What an expression is, if arithmetic says it.
pub(super) fn value(e: &Expr, known: &mut Vec<(u32, Value)>) -> Option<Value> {
    match e.kind() {
        Kind::Param(p) => known.iter().rev().find(|(id, _)| *id == p.id).map(|(_, value)| value.clone()),
        Kind::Literal(Literal::Bool(x)) => Some(Value::Bool(*x)),
        Kind::Literal(literal) => {
            literal.as_float().or_else(|| Some(literal.as_int()? as f64)).map(Value::Number)
        }
        Kind::Unary(UnaryOp::Neg, x) => Some(Value::Number(-value(x, known)?.number()?)),
        Kind::Unary(UnaryOp::Not, x) => match value(x, known)? {
            Value::Bool(x) => Some(Value::Bool(!x)),
            _ => None,
        },
        Kind::Binary(op, a, b) => binary(*op, value(a, known)?, value(b, known)?, a.ty()),
        Kind::Math(function, args) => {
            let args: Option<Vec<f64>> = args.iter().map(|x| value(x, known)?.number()).collect();
            math(*function, &args?).map(Value::Number)
        }
        Kind::Cast(to, x) => {
            let x = value(x, known)?.number()?;
            Some(Value::Number(if to.is_float() { x } else { x.trunc() }))
        }
        Kind::If(condition, a, b) => match value(condition, known)? {
            Value::Bool(true) => value(a, known),
            Value::Bool(false) => value(b, known),
            _ => None,
        },
        Kind::Tuple(parts) => {
            Some(Value::Tuple(parts.iter().map(|part| value(part, known)).collect::<Option<_>>()?))
        }
        Kind::Field(x, i) => match value(x, known)? {
            Value::Tuple(parts) => parts.get(*i).cloned(),
            _ => None,
        },
        Kind::Let(param, x, body) => {
            let x = value(x, known)?;
            known.push((param.id, x));
            let body = value(body, known);
            known.pop();
            body
        }
        Kind::Size(_) | Kind::ArrayLiteral(_) | Kind::Prim(..) => None,
    }
}

fn binary(op: BinaryOp, a: Value, b: Value, ty: &Type) -> Option<Value> {
    let is_float = ty.as_scalar().is_some_and(Scalar::is_float);
    if let (Value::Bool(a), Value::Bool(b)) = (&a, &b) {
        return Some(Value::Bool(match op {
            BinaryOp::And | BinaryOp::BitAnd => *a && *b,
            BinaryOp::Or | BinaryOp::BitOr => *a || *b,
            BinaryOp::BitXor | BinaryOp::Ne => a != b,
            BinaryOp::Eq => a == b,
            _ => return None,
        }));
    }
    let (a, b) = (a.number()?, b.number()?);
    // Bits of what is negative or large depend on the type.
    let whole = |x: f64| (x >= 0.0 && x < f64::from(1 << 20)).then_some(x as u64);
    Some(match op {
        BinaryOp::Add => Value::Number(a + b),
        BinaryOp::Sub => Value::Number(a - b),
        BinaryOp::Mul => Value::Number(a * b),
        BinaryOp::Div if is_float => Value::Number(a / b),
        BinaryOp::BitAnd => Value::Number((whole(a)? & whole(b)?) as f64),
        BinaryOp::BitOr => Value::Number((whole(a)? | whole(b)?) as f64),
        BinaryOp::BitXor => Value::Number((whole(a)? ^ whole(b)?) as f64),
        BinaryOp::Eq => Value::Bool(a == b),
        BinaryOp::Ne => Value::Bool(a != b),
        BinaryOp::Lt => Value::Bool(a < b),
        BinaryOp::Le => Value::Bool(a <= b),
        BinaryOp::Gt => Value::Bool(a > b),
        BinaryOp::Ge => Value::Bool(a >= b),
        _ => return None,
    })
}

fn math(function: MathFn, args: &[f64]) -> Option<f64> {
    Some(match (function, args) {
        (MathFn::Min, [a, b]) => a.min(*b),
        (MathFn::Max, [a, b]) => a.max(*b),
        (MathFn::Abs, [a]) => a.abs(),
        (MathFn::Sqrt, [a]) => a.sqrt(),
        (MathFn::Exp, [a]) => a.exp(),
        (MathFn::Ln, [a]) => a.ln(),
        (MathFn::Hypot, [a, b]) => a.hypot(*b),
        (MathFn::Recip, [a]) => a.recip(),
        (MathFn::MulAdd, [a, b, c]) => a * b + c,
        (MathFn::WrappingAdd, [a, b]) => a + b,
        (MathFn::WrappingMul, [a, b]) => a * b,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::pipeline::check;

    fn warns(functions: &str, body: &str) -> bool {
        let text = format!(
            "{functions} #[kernel] pub fn Whole<N>(a: [f32; N], b: [i32; N]) -> [f32; N] {{ {body} }}"
        );
        let diagnostics = check(text.parse().unwrap_or_default());
        // One of the parameters is not used.
        let others = diagnostics.iter().find(|d| !["L0170", "L0334"].contains(&d.code));
        assert!(others.is_none(), "{body}: {others:?}");
        diagnostics.iter().any(|d| d.code == "L0334")
    }

    #[test]
    fn what_is_associative_is_accepted() {
        let recurrence =
            "fn after(f: (f32, f32), g: (f32, f32)) -> (f32, f32) { (f.0 * g.0, f.1 * g.0 + g.1) }";
        let welford = "fn merged(a: (f32, f32, f32), b: (f32, f32, f32)) -> (f32, f32, f32) {
            let n = a.0 + b.0; let d = b.1 - a.1;
            (n, a.1 + d * b.0 / n, a.2 + b.2 + d * d * a.0 * b.0 / n)
        }";
        let softmax = "fn larger(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
            let m = a.0.max(b.0); (m, a.1 * (a.0 - m).exp() + b.1 * (b.0 - m).exp())
        }";
        let segments = "fn joined(a: (f32, bool), b: (f32, bool)) -> (f32, bool) { if b.1 { b } else { (a.0 + b.0, a.1) } }";
        for (functions, body) in [
            (recurrence, "zip(a, a).scan(after, (1.0, 0.0)).map(|f| f.1)"),
            (welford, "a.map(|x| (1.0, x, 0.0)).scan(merged, (0.0, 0.0, 0.0)).map(|m| m.2)"),
            (softmax, "a.map(|x| (x, 1.0)).scan(larger, (f32::NEG_INFINITY, 0.0)).map(|m| m.1)"),
            (segments, "a.map(|x| (x, x > 2.0)).scan(joined, (0.0, false)).map(|s| s.0)"),
            ("", "zip(a, b).scan(|x, y| if y.0 > x.0 { y } else { x }, (f32::NEG_INFINITY, 0)).map(|m| m.0)"),
            ("", "a.scan(|x, y| (x * x + y * y).sqrt(), 0.0)"),
            ("", "b.scan(|x, y| x | y, 0).map(|x| x as f32)"),
            ("", "a.scan(|x, y| x + y - x * y, 0.0)"),
        ] {
            assert!(!warns(functions, body), "{body}");
        }
    }

    #[test]
    fn what_is_not_is_found() {
        for body in [
            "a.scan(|sum, x| 0.9 * sum + x, 0.0)",
            "a.scan(|mean, x| 0.5 * (mean + x), 0.0)",
            "a.scan(|sum, x| sum + x * x, 0.0)",
            "a.scan_right(|x, sum| x + 0.5 * sum, 0.0)",
            "b.scan(|n, digit| 2 * n + digit, 0).map(|n| n as f32)",
            "a.scan(|sum, x| if x > 2.0 { sum + x } else { sum }, 0.0)",
            "a.scan(|x, y| (x - y).abs(), 0.0)",
        ] {
            assert!(warns("", body), "{body}");
        }
    }
}
