//! Scalar expressions as text, with the meaning that Rust gives them.

use crate::arith::Truth;
use crate::imp::ast::Expr;
use crate::ir::{BinaryOp, Literal, MathFn, Scalar, UnaryOp};
use crate::opencl::print::Printer;
use crate::opencl::{Text, prec, type_name};

impl Printer<'_> {
    /// An expression. Where C computes small integers in `int`, the text has the right value, and also the
    /// right type if [`is_exact`] says so.
    pub(super) fn expr(&mut self, e: &Expr) -> Text {
        match e {
            Expr::Literal(literal) => literal_text(*literal),
            Expr::Local(local) => Text::new(prec::ATOM, self.names.var(local.id)),
            Expr::Index(e) => self.index_value(e),
            Expr::Cond(cond) => self.cond(cond),
            Expr::Load(buffer, _, index) => {
                let mut text = self.names.array(*buffer).to_string();
                for i in index {
                    text.push_str(&format!("[{}]", self.index(i).text));
                }
                Text::new(prec::ATOM, text)
            }
            Expr::Unary(op, scalar, x) => self.unary(*op, *scalar, x),
            Expr::Binary(op, scalar, a, b) => self.binary(*op, *scalar, a, b),
            Expr::Math(f, scalar, args) => self.math(*f, *scalar, args),
            Expr::Cast(to, x) => self.cast(*to, x),
            Expr::Select(c, a, b) => {
                let (c, a, b) = (self.expr(c), self.expr(a), self.expr(b));
                let text = format!("{} ? {} : {}", c.at(prec::OR), a.at(prec::OR), b.at(prec::SELECT));
                Text::new(prec::SELECT, text)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, scalar: Scalar, x: &Expr) -> Text {
        if op == UnaryOp::Neg && scalar == Scalar::I32 && range(x).is_none() {
            let args = ["0".to_string(), self.expr(x).text];
            let helper = self.helpers.wrapping('-');
            return self.call(helper, &args);
        }
        let operand = self.exact(x, scalar);
        let operand = operand.at(prec::UNARY);
        match (op, scalar) {
            (UnaryOp::Neg, _) if operand.starts_with('-') => Text::new(prec::UNARY, format!("-({operand})")),
            (UnaryOp::Neg, _) => Text::new(prec::UNARY, format!("-{operand}")),
            (UnaryOp::Not, Scalar::Bool) => Text::new(prec::UNARY, format!("!{operand}")),
            (UnaryOp::Not, Scalar::U8) => Text::new(prec::UNARY, format!("(uchar)~{operand}")),
            (UnaryOp::Not, _) => Text::new(prec::UNARY, format!("~{operand}")),
        }
    }

    fn binary(&mut self, op: BinaryOp, scalar: Scalar, a: &Expr, b: &Expr) -> Text {
        match (op, scalar) {
            (BinaryOp::Rem, Scalar::F32) => {
                let args = [self.expr(a).text, self.expr(b).text];
                self.call("fmod", &args)
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Scalar::I32)
                if range_of(op, range(a), range(b)).is_none() =>
            {
                let args = [self.expr(a).text, self.expr(b).text];
                let helper = self.helpers.wrapping(op.symbol().chars().next().unwrap_or('+'));
                self.call(helper, &args)
            }
            (BinaryOp::Div | BinaryOp::Rem, Scalar::I32 | Scalar::U8 | Scalar::Usize)
                if !self.is_plain_divisor(b) =>
            {
                let args = [self.expr(a).text, self.expr(b).text];
                let op = op.symbol().chars().next().unwrap_or('/');
                let helper = self.helpers.division(op, type_name(scalar));
                self.call(helper, &args)
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Scalar::U8) => {
                let text = self.infix(op, a, b);
                Text::new(prec::UNARY, format!("(uchar)({})", text.text))
            }
            _ => self.infix(op, a, b),
        }
    }

    fn infix(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Text {
        let p = precedence(op);
        let associative = matches!(op, BinaryOp::And | BinaryOp::Or);
        let (a, b) = (self.expr(a), self.expr(b));
        let right = b.at(if associative { p } else { p + 1 });
        // A mixture that readers, and compilers, ask to be spelled out.
        let left = match op {
            BinaryOp::Or if a.prec == prec::AND => format!("({})", a.text),
            _ => a.at(p),
        };
        let right = match op {
            BinaryOp::Or if b.prec == prec::AND => format!("({})", b.text),
            _ => right,
        };
        Text::new(p, format!("{left} {} {right}", op.symbol()))
    }

    /// Whether C's division by this is Rust's, or at least that of the interpreter.
    fn is_plain_divisor(&self, e: &Expr) -> bool {
        match e {
            Expr::Literal(Literal::I32(n)) => *n != 0 && *n != -1,
            Expr::Literal(Literal::U8(n)) => *n != 0,
            Expr::Literal(Literal::Usize(n)) => *n != 0,
            Expr::Index(e) => self.facts.nonneg(&(e - 1)) == Truth::Yes,
            _ => false,
        }
    }

    fn math(&mut self, f: MathFn, scalar: Scalar, args: &[Expr]) -> Text {
        if f == MathFn::Recip {
            let x = self.expr(&args[0]).at(prec::UNARY);
            return Text::new(prec::MUL, format!("1.0f / {x}"));
        }
        let texts: Vec<String> = args
            .iter()
            .enumerate()
            .map(|(i, x)| {
                // The second operand of `powi` is an `i32`.
                let scalar = if f == MathFn::Powi && i == 1 { Scalar::I32 } else { scalar };
                self.exact(x, scalar).text
            })
            .collect();
        match (f, scalar) {
            (MathFn::Abs, Scalar::I32) => {
                let call = self.call("abs", &texts);
                Text::new(prec::UNARY, format!("(int){}", call.text))
            }
            _ => self.call(builtin(f, scalar), &texts),
        }
    }

    /// An operand whose C type must be its own, not `int`.
    fn exact(&mut self, e: &Expr, scalar: Scalar) -> Text {
        let text = self.expr(e);
        if is_exact(e) {
            return text;
        }
        Text::new(prec::UNARY, format!("({}){}", type_name(scalar), text.at(prec::UNARY)))
    }

    fn cast(&mut self, to: Scalar, x: &Expr) -> Text {
        let from = x.scalar();
        let ty = type_name(to);
        let text = self.expr(x);
        if from == Scalar::F32 && to.is_integer() {
            return self.call(&format!("convert_{ty}_sat"), &[text.text]);
        }
        Text::new(prec::UNARY, format!("({ty}){}", text.at(prec::UNARY)))
    }

    fn call(&self, name: &str, args: &[String]) -> Text {
        Text::new(prec::ATOM, format!("{name}({})", args.join(", ")))
    }
}

/// The builtin function for a Rust method.
fn builtin(f: MathFn, scalar: Scalar) -> &'static str {
    let float = scalar.is_float();
    match f {
        MathFn::Abs => "fabs",
        MathFn::Min if float => "fmin",
        MathFn::Max if float => "fmax",
        MathFn::Ln => "log",
        MathFn::Powf => "pow",
        MathFn::Powi => "pown",
        MathFn::MulAdd => "fma",
        MathFn::Min
        | MathFn::Max
        | MathFn::Clamp
        | MathFn::Sqrt
        | MathFn::Exp
        | MathFn::Exp2
        | MathFn::Log2
        | MathFn::Log10
        | MathFn::Sin
        | MathFn::Cos
        | MathFn::Tan
        | MathFn::Asin
        | MathFn::Acos
        | MathFn::Atan
        | MathFn::Atan2
        | MathFn::Sinh
        | MathFn::Cosh
        | MathFn::Tanh
        | MathFn::Hypot
        | MathFn::Floor
        | MathFn::Ceil
        | MathFn::Round
        | MathFn::Trunc
        | MathFn::Recip => f.name(),
    }
}

/// Whether the type of the text in C is that of the expression, where operators could make it `int`.
fn is_exact(e: &Expr) -> bool {
    match e {
        Expr::Local(_) | Expr::Load(..) | Expr::Cast(..) | Expr::Math(..) => true,
        Expr::Literal(literal) => literal.scalar() != Scalar::U8,
        Expr::Index(_) => false,
        Expr::Cond(_) => true,
        Expr::Unary(_, scalar, x) => *scalar != Scalar::Usize || is_exact(x),
        Expr::Binary(op, scalar, a, b) => match scalar {
            Scalar::U8 => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
            Scalar::Usize => is_exact(a) || is_exact(b),
            Scalar::F32 | Scalar::I32 | Scalar::Bool => true,
        },
        Expr::Select(_, a, b) => match a.scalar() {
            Scalar::U8 => false,
            Scalar::Usize => is_exact(a) || is_exact(b),
            Scalar::F32 | Scalar::I32 | Scalar::Bool => true,
        },
    }
}

/// The values that an `i32` expression can have, if they are few enough to compute with them safely.
fn range(e: &Expr) -> Option<(i64, i64)> {
    match e {
        Expr::Literal(Literal::I32(n)) => Some((i64::from(*n), i64::from(*n))),
        Expr::Cast(Scalar::I32, x) => match x.scalar() {
            Scalar::U8 => Some((0, 255)),
            Scalar::Bool => Some((0, 1)),
            Scalar::F32 | Scalar::I32 | Scalar::Usize => None,
        },
        Expr::Unary(UnaryOp::Neg, Scalar::I32, x) => {
            range(x).map(|(low, high)| (-high, -low)).filter(|(_, high)| *high <= i64::from(i32::MAX))
        }
        Expr::Binary(op, Scalar::I32, a, b) => range_of(*op, range(a), range(b)),
        Expr::Select(_, a, b) => {
            let (a, b) = (range(a)?, range(b)?);
            Some((a.0.min(b.0), a.1.max(b.1)))
        }
        _ => None,
    }
}

fn range_of(op: BinaryOp, a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let (a, b) = (a?, b?);
    let (low, high) = match op {
        BinaryOp::Add => (a.0 + b.0, a.1 + b.1),
        BinaryOp::Sub => (a.0 - b.1, a.1 - b.0),
        BinaryOp::Mul => {
            let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            (corners.into_iter().min()?, corners.into_iter().max()?)
        }
        _ => return None,
    };
    (low >= i64::from(i32::MIN) && high <= i64::from(i32::MAX)).then_some((low, high))
}

/// A literal. Floats have as many digits as it takes to read the same value back.
pub(super) fn literal_text(literal: Literal) -> Text {
    let (negative, text) = match literal {
        Literal::F32(x) if x.is_nan() => (false, "NAN".to_string()),
        Literal::F32(x) if x.is_infinite() => {
            (x < 0.0, if x < 0.0 { "-INFINITY" } else { "INFINITY" }.to_string())
        }
        Literal::F32(x) => (x.is_sign_negative(), format!("{x:?}f")),
        Literal::I32(i32::MIN) => (false, "INT_MIN".to_string()),
        Literal::I32(x) => (x < 0, x.to_string()),
        Literal::U8(x) => (false, x.to_string()),
        Literal::Bool(x) => (false, x.to_string()),
        Literal::Usize(x) => (false, format!("{x}UL")),
    };
    Text::new(if negative { prec::UNARY } else { prec::ATOM }, text)
}

fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => prec::OR,
        BinaryOp::And => prec::AND,
        BinaryOp::BitOr => prec::BIT_OR,
        BinaryOp::BitXor => prec::BIT_XOR,
        BinaryOp::BitAnd => prec::BIT_AND,
        BinaryOp::Eq | BinaryOp::Ne => prec::EQUAL,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => prec::COMPARE,
        BinaryOp::Add | BinaryOp::Sub => prec::ADD,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => prec::MUL,
    }
}
