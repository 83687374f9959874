//! Expressions of scalars as text.

use crate::arith::ArithExpr;
use crate::host::names::Kind;
use crate::host::print::Printer;
use crate::imp::ast::Expr;
use crate::ir::{BinaryOp, Literal, MathFn, Scalar, UnaryOp};
use crate::memory::BufferId;

impl Printer<'_> {
    /// An expression, in parentheses where it is not one name or call.
    pub(super) fn expr(&mut self, e: &Expr) -> String {
        if e.lanes() > 1 {
            return self.vector(e);
        }
        match e {
            Expr::Literal(literal) => literal_text(*literal),
            Expr::Local(local) => self.names.of(Kind::Variable, local.id, &local.name),
            Expr::Index(e) => format!("(({}) as usize)", self.index(e)),
            Expr::Cond(cond) => self.cond(cond),
            Expr::Load(id, scalar, index) => {
                let element = self.element(*id, index);
                if *scalar == Scalar::Bool && self.is_bytes(*id) {
                    format!("({element} != 0)")
                } else {
                    element
                }
            }
            Expr::Unary(op, scalar, x) => {
                let x = self.expr(x);
                match op {
                    UnaryOp::Neg if scalar.is_float() => format!("(-{x})"),
                    UnaryOp::Neg => format!("{x}.wrapping_neg()"),
                    UnaryOp::Not => format!("(!{x})"),
                }
            }
            Expr::Binary(op, scalar, a, b) => {
                self.texts.of(e).unwrap_or_else(|| self.binary(*op, *scalar, a, b))
            }
            Expr::Math(f, scalar, args) => {
                let args: Vec<String> = args.iter().map(|x| self.expr(x)).collect();
                math(*f, *scalar, &args)
            }
            Expr::Cast(to, x) => {
                let (from, x) = (x.scalar(), self.expr(x));
                match (from, to) {
                    (Scalar::Bool, Scalar::Bool) => x,
                    (Scalar::Bool, to) if to.is_float() => format!("({x} as u8 as {to})"),
                    (_, Scalar::Bool) => format!("({x} != 0 as {from})"),
                    (_, to) => format!("({x} as {to})"),
                }
            }
            Expr::Select(c, a, b) => {
                let (c, a, b) = (self.expr(c), self.expr(a), self.expr(b));
                format!("(if {c} {{ {a} }} else {{ {b} }})")
            }
            Expr::Lane(x, lane) => format!("{}.lane({lane})", self.vector(x)),
            Expr::All(x) => format!("{}.all()", self.vector(x)),
            Expr::Vector(..) | Expr::Pack(_) => crate::bug!("a vector of one lane"),
        }
    }

    fn binary(&mut self, op: BinaryOp, scalar: Scalar, a: &Expr, b: &Expr) -> String {
        let plain = matches!(b, Expr::Literal(Literal::Int(n, _)) if *n > 0);
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        if let Some((_, divisor)) =
            self.divisors.iter().find(|(by, _)| divides && scalar == Scalar::Usize && by == b)
        {
            let (divisor, name) =
                (divisor.clone(), if op == BinaryOp::Div { "quotient" } else { "remainder" });
            return format!("{divisor}.{name}({})", self.expr(a));
        }
        // Compilers make vectors of conditions without branches.
        if matches!(op, BinaryOp::And | BinaryOp::Or) && self.is_cheap(b) {
            let (a, b) = (self.expr(a), self.expr(b));
            return format!("({a} {} {b})", if op == BinaryOp::And { "&" } else { "|" });
        }
        let (a, b) = (self.expr(a), self.expr(b));
        let wrapping = match op {
            BinaryOp::Add => "wrapping_add",
            BinaryOp::Sub => "wrapping_sub",
            BinaryOp::Mul => "wrapping_mul",
            BinaryOp::Div | BinaryOp::Rem if !plain => {
                let name = if op == BinaryOp::Div { "div" } else { "rem" };
                return match scalar.is_integer() {
                    true => format!("host::math::{name}({a}, {b})"),
                    false => format!("({a} {} {b})", op.symbol()),
                };
            }
            _ => "",
        };
        match (scalar.is_integer(), wrapping) {
            (true, "") | (false, _) => {
                let symbol = if op == BinaryOp::Unrounded { "*" } else { op.symbol() };
                format!("({a} {symbol} {b})")
            }
            (true, wrapping) => format!("{a}.{wrapping}({b})"),
        }
    }

    /// Whether an expression in the loop along a row takes a moment, and may be evaluated whether it is needed or not.
    fn is_cheap(&self, e: &Expr) -> bool {
        let Some(row) = &self.row else { return false };
        let is_there = |id: BufferId, index: &[ArithExpr]| {
            row.stretches.iter().any(|(stretch, _)| stretch.offset(id, index, &row.var).is_some())
        };
        !e.any(&|e| match e {
            Expr::Literal(_) | Expr::Local(_) | Expr::Index(_) | Expr::Cond(_) => false,
            Expr::Load(id, _, index) => !is_there(*id, index),
            Expr::Unary(..) | Expr::Cast(..) | Expr::Select(..) => false,
            Expr::Binary(op, ..) => matches!(op, BinaryOp::Div | BinaryOp::Rem),
            Expr::Math(f, ..) => !matches!(f, MathFn::Abs | MathFn::Min | MathFn::Max),
            _ => true,
        })
    }
}

/// A method of the language as one of Rust's, or as a function of the runtime where Rust's means something else.
fn math(f: MathFn, scalar: Scalar, args: &[String]) -> String {
    let all = args.join(", ");
    let float = scalar.is_float();
    if has_polynomial(f) {
        return format!("host::functions::{}({all})", f.name());
    }
    let name = match f {
        MathFn::Clamp => return format!("host::math::clamp({all})"),
        MathFn::Min | MathFn::Max if float => return format!("host::math::{}({all})", f.name()),
        MathFn::RemEuclid | MathFn::DivEuclid if !float => return format!("host::math::{}({all})", f.name()),
        MathFn::Pow => "wrapping_pow",
        MathFn::Abs if !float => "wrapping_abs",
        _ => f.name(),
    };
    match args {
        [own, others @ ..] => format!("{own}.{name}({})", others.join(", ")),
        [] => String::new(),
    }
}

/// Whether the runtime computes it without calls.
pub(super) fn has_polynomial(f: MathFn) -> bool {
    use MathFn::{Cos, Exp, Exp2, Hypot, Ln, Log2, Log10, Powf, Sin, Tan, Tanh};
    matches!(f, Exp | Exp2 | Ln | Log2 | Log10 | Tanh | Sin | Cos | Tan | Hypot | Powf)
}

/// A literal with its type. Floats have as many digits as it takes to read the same value back.
pub(super) fn literal_text(literal: Literal) -> String {
    match literal {
        Literal::Float(x, scalar) if x.is_nan() => format!("{scalar}::NAN"),
        Literal::Float(x, scalar) if x.is_infinite() => {
            format!("{scalar}::{}INFINITY", if x < 0.0 { "NEG_" } else { "" })
        }
        Literal::Float(x, scalar) if x.is_sign_negative() => format!("(-{}{scalar})", (-x)),
        Literal::Float(x, scalar) => format!("{x}{scalar}"),
        Literal::Int(x, scalar) if x == i64::MIN.into() => format!("{scalar}::MIN"),
        Literal::Int(x, scalar) if x < 0 => format!("({x}{scalar})"),
        Literal::Int(x, scalar) => format!("{x}{scalar}"),
        Literal::Bool(x) => x.to_string(),
    }
}
