//! Scalar expressions as text, with the meaning that Rust gives them.

use crate::arith::Truth;
use crate::imp::ast::Expr;
use crate::ir::{BinaryOp, Literal, MathFn, Scalar, UnaryOp};
use crate::opencl::math::{self, Spelling};
use crate::opencl::print::Printer;
use crate::opencl::{Text, prec, type_name};

impl Printer<'_> {
    /// An expression. Where C computes small integers in `int`, the text has the right value, and also the
    /// right type if [`is_exact`] says so.
    pub(super) fn expr(&mut self, e: &Expr) -> Text {
        if let Some(text) = self.of_vectors(e) {
            return text;
        }
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
            Expr::Vector(buffer, scalar, lanes, index) => self.vector_load(*buffer, *scalar, *lanes, index),
            Expr::Lane(x, lane) => {
                let name = lane_name(*lane, x.lanes());
                let x = self.expr(x).at(prec::ATOM);
                match e.scalar() {
                    Scalar::Bool => Text::new(prec::EQUAL, format!("{x}.{name} != 0")),
                    _ => Text::new(prec::ATOM, format!("{x}.{name}")),
                }
            }
            Expr::All(x) => Text::new(prec::ATOM, format!("all({})", self.expr(x).text)),
            Expr::Pack(lanes) => self.pack(lanes),
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
        if op == UnaryOp::Neg && overflows(scalar) && range(x).is_none() {
            let args = ["0".to_string(), self.expr(x).text];
            let helper = self.helpers.wrapping('-', scalar);
            return self.call(&helper, &args);
        }
        let operand = self.exact(x, scalar);
        let operand = operand.at(prec::UNARY);
        match (op, scalar) {
            (UnaryOp::Neg, scalar) if is_small(scalar) => {
                Text::new(prec::UNARY, format!("({})-({operand})", type_name(scalar)))
            }
            (UnaryOp::Neg, _) if operand.starts_with('-') => Text::new(prec::UNARY, format!("-({operand})")),
            (UnaryOp::Neg, _) => Text::new(prec::UNARY, format!("-{operand}")),
            (UnaryOp::Not, Scalar::Bool) => Text::new(prec::UNARY, format!("!{operand}")),
            (UnaryOp::Not, scalar) if is_small(scalar) => {
                Text::new(prec::UNARY, format!("({})~{operand}", type_name(scalar)))
            }
            (UnaryOp::Not, _) => Text::new(prec::UNARY, format!("~{operand}")),
        }
    }

    fn binary(&mut self, op: BinaryOp, scalar: Scalar, a: &Expr, b: &Expr) -> Text {
        match (op, scalar) {
            (BinaryOp::Rem, scalar) if scalar.is_float() => {
                let args = [self.expr(a).text, self.expr(b).text];
                self.call("fmod", &args)
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, scalar)
                if overflows(scalar) && range_of(op, range(a), range(b)).is_none() =>
            {
                let args = [self.expr(a).text, self.expr(b).text];
                let helper = self.helpers.wrapping(op.symbol().chars().next().unwrap_or('+'), scalar);
                self.call(&helper, &args)
            }
            (BinaryOp::Div | BinaryOp::Rem, scalar) if scalar.is_integer() && !self.is_plain_divisor(b) => {
                let args = [self.expr(a).text, self.expr(b).text];
                let op = op.symbol().chars().next().unwrap_or('/');
                let helper = self.helpers.division(op, scalar);
                self.call(&helper, &args)
            }
            (BinaryOp::Mul, Scalar::U16) => {
                // As `int`, which C would choose, the product could overflow.
                let (a, b) = (self.expr(a).at(prec::UNARY), self.expr(b).at(prec::UNARY));
                Text::new(prec::UNARY, format!("(ushort)((uint){a} * (uint){b})"))
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, scalar) if is_small(scalar) => {
                let text = self.infix(op, a, b);
                Text::new(prec::UNARY, format!("({})({})", type_name(scalar), text.text))
            }
            _ => self.infix(op, a, b),
        }
    }

    pub(super) fn infix(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Text {
        let p = precedence(op);
        let associative = matches!(op, BinaryOp::And | BinaryOp::Or);
        let (a, b) = (self.expr(a), self.expr(b));
        let symbol = if op == BinaryOp::Unrounded { "*" } else { op.symbol() };
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
        Text::new(p, format!("{left} {symbol} {right}"))
    }

    /// Whether C's division by this is Rust's, or at least that of the interpreter.
    fn is_plain_divisor(&self, e: &Expr) -> bool {
        match e {
            Expr::Literal(Literal::Int(n, _)) => *n != 0 && *n != -1,
            Expr::Index(e) => self.facts.nonneg(&(e - 1)) == Truth::Yes,
            _ => false,
        }
    }

    fn math(&mut self, f: MathFn, scalar: Scalar, args: &[Expr]) -> Text {
        let texts: Vec<Text> =
            args.iter().enumerate().map(|(i, x)| self.exact(x, f.operand(i, scalar))).collect();
        let texts: Vec<String> = match f {
            MathFn::Recip | MathFn::ToRadians | MathFn::ToDegrees => {
                texts.iter().map(|x| x.at(prec::UNARY)).collect()
            }
            _ => texts.into_iter().map(|x| x.text).collect(),
        };
        match math::spell(f, scalar) {
            Spelling::Builtin(name) => self.call(name, &texts),
            // Its result has another type than Rust's.
            Spelling::Converted(name) => {
                let call = self.call(name, &texts);
                Text::new(prec::UNARY, format!("({}){}", type_name(f.result(scalar)), call.text))
            }
            Spelling::Helper => {
                let lanes = args.iter().map(Expr::lanes).max().unwrap_or(1);
                let helper = self.helpers.math(f, scalar, lanes);
                self.call(&helper, &texts)
            }
            Spelling::Over(x) => {
                Text::new(prec::MUL, format!("{} / {}", literal_text(x).text, texts.join(" / ")))
            }
            Spelling::Times(x) => {
                Text::new(prec::MUL, format!("{} * {}", texts.join(" * "), literal_text(x).text))
            }
        }
    }

    /// An operand whose C type must be its own, not `int`.
    fn exact(&mut self, e: &Expr, scalar: Scalar) -> Text {
        let text = self.expr(e);
        if is_exact(e) || e.lanes() > 1 {
            return text;
        }
        Text::new(prec::UNARY, format!("({}){}", type_name(scalar), text.at(prec::UNARY)))
    }

    fn cast(&mut self, to: Scalar, x: &Expr) -> Text {
        let from = x.scalar();
        let ty = type_name(to);
        let text = self.expr(x);
        if from.is_float() && to.is_integer() {
            return self.call(&format!("convert_{ty}_sat"), &[text.text]);
        }
        Text::new(prec::UNARY, format!("({ty}){}", text.at(prec::UNARY)))
    }

    pub(super) fn call(&self, name: &str, args: &[String]) -> Text {
        Text::new(prec::ATOM, format!("{name}({})", args.join(", ")))
    }
}

/// `x`, `y`, `z`, `w`; in wider vectors `s0` to `sf`.
fn lane_name(lane: u8, lanes: u8) -> String {
    match ["x", "y", "z", "w"].get(usize::from(lane)) {
        Some(name) if lanes <= 4 => (*name).to_string(),
        _ => format!("s{lane:x}"),
    }
}

/// Whether C computes with values of this type as `int`, so that results must be cut off.
fn is_small(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I8 | Scalar::I16 | Scalar::U8 | Scalar::U16)
}

/// Whether arithmetic on values of this type must not overflow in C.
fn overflows(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I32 | Scalar::I64)
}

/// Whether the type of the text in C is that of the expression, where operators could make it `int`.
fn is_exact(e: &Expr) -> bool {
    match e {
        Expr::Local(_)
        | Expr::Load(..)
        | Expr::Vector(..)
        | Expr::Lane(..)
        | Expr::All(_)
        | Expr::Pack(_)
        | Expr::Cast(..)
        | Expr::Math(..) => true,
        Expr::Literal(literal) => !is_small(literal.scalar()),
        Expr::Index(_) => false,
        Expr::Cond(_) => true,
        Expr::Unary(_, scalar, x) => *scalar != Scalar::Usize || is_exact(x),
        Expr::Binary(op, scalar, a, b) => match scalar {
            Scalar::Usize => is_exact(a) || is_exact(b),
            scalar if is_small(*scalar) => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
            _ => true,
        },
        Expr::Select(_, a, b) => match a.scalar() {
            Scalar::Usize => is_exact(a) || is_exact(b),
            scalar => !is_small(scalar),
        },
    }
}

/// The values that an expression of a signed type can have, if they are few enough to compute with them
/// safely as `int`.
fn range(e: &Expr) -> Option<(i64, i64)> {
    match e {
        Expr::Literal(Literal::Int(n, scalar)) if overflows(*scalar) => {
            let n = i64::from(i32::try_from(*n).ok()?);
            Some((n, n))
        }
        Expr::Cast(to, x) if overflows(*to) => match x.scalar() {
            Scalar::Bool => Some((0, 1)),
            from if is_small(from) => {
                let (low, high) = from.range()?;
                Some((i64::try_from(low).ok()?, i64::try_from(high).ok()?))
            }
            _ => None,
        },
        Expr::Unary(UnaryOp::Neg, scalar, x) if overflows(*scalar) => {
            range(x).map(|(low, high)| (-high, -low)).filter(|(_, high)| *high <= i64::from(i32::MAX))
        }
        Expr::Binary(op, scalar, a, b) if overflows(*scalar) => range_of(*op, range(a), range(b)),
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
    match literal {
        Literal::Float(x, scalar) if !x.is_finite() => {
            let name = if x.is_nan() { "NAN" } else { "INFINITY" };
            let sign = if x < 0.0 { "-" } else { "" };
            // These are of type `float`.
            let cast = if scalar == Scalar::F32 { String::new() } else { format!("({})", type_name(scalar)) };
            let prec = if cast.is_empty() && sign.is_empty() { prec::ATOM } else { prec::UNARY };
            Text::new(prec, format!("{cast}{sign}{name}"))
        }
        Literal::Float(x, scalar) => {
            let suffix = match scalar {
                Scalar::F64 => "",
                Scalar::F16 => "h",
                _ => "f",
            };
            signed(x.is_sign_negative(), format!("{literal}{suffix}"))
        }
        // The negations of these numbers do not exist.
        Literal::Int(x, Scalar::I32) if x == i32::MIN.into() => Text::new(prec::ATOM, "INT_MIN"),
        Literal::Int(x, Scalar::I64) if x == i64::MIN.into() => Text::new(prec::ATOM, "LONG_MIN"),
        Literal::Int(x, scalar) => {
            let suffix = match scalar {
                Scalar::I64 => "L",
                Scalar::U32 => "u",
                Scalar::U64 | Scalar::Usize => "UL",
                _ => "",
            };
            signed(x < 0, format!("{x}{suffix}"))
        }
        Literal::Bool(x) => Text::new(prec::ATOM, x.to_string()),
    }
}

fn signed(negative: bool, text: String) -> Text {
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
        BinaryOp::Mul | BinaryOp::Unrounded | BinaryOp::Div | BinaryOp::Rem => prec::MUL,
    }
}
