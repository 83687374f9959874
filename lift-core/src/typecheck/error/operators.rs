//! What is said about operators, conditions, casts and numbers.

use crate::diag::Diagnostic;
use crate::ir::BinaryOp;
use crate::span::Span;
use crate::typecheck::error::{is_float, is_integer, number_help, spoken};

/// An operand: its type, and its text where that is short.
pub(in crate::typecheck) struct Operand {
    /// Its type.
    pub(in crate::typecheck) ty: String,
    /// What the user wrote.
    pub(in crate::typecheck) text: Option<String>,
}

impl Operand {
    fn spoken(&self) -> String {
        match (self.ty.as_str(), &self.text) {
            ("{integer}", Some(text)) => format!("the integer `{text}`"),
            ("{float}", Some(text)) => format!("the float `{text}`"),
            ("{integer}" | "{float}", None) => spoken(&self.ty).to_string(),
            (ty, _) => format!("`{ty}`"),
        }
    }

    fn cast(&self, ty: &str) -> String {
        match &self.text {
            Some(text) => format!("`{text} as {ty}`"),
            None => format!("`… as {ty}`"),
        }
    }
}

/// An operator between two types.
pub(in crate::typecheck) fn operands(
    span: Span,
    op: BinaryOp,
    left: &Operand,
    right: &Operand,
) -> Diagnostic {
    let joiner = match op {
        BinaryOp::Add => "to",
        BinaryOp::Sub => "from",
        BinaryOp::Mul | BinaryOp::Unrounded | BinaryOp::Div => "by",
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => "with",
        BinaryOp::Rem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => "and",
    };
    let (a, b) = if op == BinaryOp::Sub { (right, left) } else { (left, right) };
    let d = Diagnostic::new(
        "L0250",
        span,
        format!("cannot {} {} {joiner} {}", op.verb(), a.spoken(), b.spoken()),
    );
    let symbol = op.symbol();
    let text = |side: &Operand| side.text.clone();
    match (left.ty.as_str(), right.ty.as_str()) {
        (l, r) if l.starts_with('[') != r.starts_with('[') => {
            let (array, on_left) = if l.starts_with('[') { (text(left), true) } else { (text(right), false) };
            let other = text(if on_left { right } else { left }).unwrap_or_else(|| "…".into());
            let array = array.unwrap_or_default();
            let body = if on_left { format!("v {symbol} {other}") } else { format!("{other} {symbol} v") };
            d.help(format!("operators work on scalars; apply it to every element: `{array}.map(|v| {body})`"))
        }
        (l, r) if l.starts_with('[') || r.starts_with('[') => {
            d.help(format!("operators work on scalars: `zip(a, b).map(|(x, y)| x {symbol} y)`"))
        }
        ("{integer}", ty) | (ty, "{integer}") if is_float(ty) => {
            let literal = if is_float(&left.ty) { text(right) } else { text(left) };
            let shown =
                literal.filter(|t| t.chars().all(|c| c.is_ascii_digit())).unwrap_or_else(|| "2".into());
            d.help(format!("write the number with a point: `{shown}.0`"))
        }
        ("{float}", other) | (other, "{float}") => {
            let side = if left.ty == "{float}" { right } else { left };
            match other {
                "bool" => d,
                _ => d.help(format!("write a whole number, or convert the other side: {}", side.cast("f32"))),
            }
        }
        ("bool", _) | (_, "bool") => d.help("to choose by a condition, write `if c { a } else { b }`"),
        (ty, other) if is_float(ty) && is_float(other) => {
            // The narrower type: a device may lack the wider one.
            let (wide, narrow) = if wider(ty, other) { (left, other) } else { (right, ty) };
            d.note(format!("in `{}`, this needs a device that has it", wide.ty)).help(format!(
                "convert to the narrower type, {}, or make both sides `{}`",
                wide.cast(narrow),
                wide.ty
            ))
        }
        (ty, other) if is_float(ty) && !is_float(other) => {
            d.help(format!("convert the right side: {}", right.cast(ty)))
        }
        (_, ty) if is_float(ty) => d.help(format!("convert the left side: {}", left.cast(ty))),
        (ty, _) => d.help(format!("convert one side: {}", right.cast(ty))),
    }
}

/// An operator that the type does not have.
pub(in crate::typecheck) fn operator_undefined(span: Span, op: &str, unary: bool, ty: &str) -> Diagnostic {
    let d = Diagnostic::new("L0251", span, format!("`{op}` is not defined for {ty}"));
    let function = op.starts_with(|c: char| c.is_alphabetic());
    match op {
        "-" if is_integer(ty) && unary => d
            .note("this type has no negative numbers; indices count from 0")
            .help("the last element of `xs: [f32; N]` is `xs[N - 1]`"),
        _ if ty.starts_with('[') && function => {
            d.help(format!("apply it to every element: `.map(|x| x.{op}())`"))
        }
        _ if ty.starts_with('[') && unary => d.help(format!("apply it to every element: `.map(|x| {op}x)`")),
        _ if ty.starts_with('[') => {
            d.help(format!("operators work on scalars: `zip(a, b).map(|(x, y)| x {op} y)`"))
        }
        _ if function && is_integer(ty) => d.help(format!("convert first: `(… as f32).{op}()`")),
        _ if ty == "bool" => d.help("for conditions, use `&&`, `||` and `!`"),
        _ => d,
    }
}

/// The condition of `if`.
pub(in crate::typecheck) fn condition(span: Span, found: &str) -> Diagnostic {
    Diagnostic::new("L0253", span, format!("the condition of `if` must be `bool`; this is {}", spoken(found)))
        .help("compare: `x != 0`")
}

/// The arms of `if`.
pub(in crate::typecheck) fn arms(span: Span, a: &str, b: &str) -> Diagnostic {
    let message = format!("the arms of `if` have different types: {} and {}", spoken(a), spoken(b));
    let d = Diagnostic::new("L0254", span, message);
    match (a, b) {
        (literal, ty) | (ty, literal) if literal.starts_with('{') => d.help(number_help(literal, ty)),
        _ => d,
    }
}

/// A cast that Rust does not have either.
pub(in crate::typecheck) fn cast(span: Span, from: &str, to: &str) -> Diagnostic {
    let d = Diagnostic::new("L0255", span, format!("cannot cast {from} to {to}"));
    match (from, to) {
        ("bool", float) if is_float(float) => d.help(format!(
            "write `if b {{ 1.0 }} else {{ 0.0 }}`, or go through an integer: `b as i32 as {float}`"
        )),
        (_, "bool") => d.help("compare: `x != 0`"),
        (array, _) if array.starts_with('[') => {
            d.help(format!("convert every element: `.map(|x| x as {})`", to.trim_start_matches('[')))
        }
        _ => d,
    }
}

/// Whether one float type has more bits than another.
fn wider(one: &str, other: &str) -> bool {
    let bits = |ty: &str| ty.trim_start_matches('f').parse::<u32>().unwrap_or(0);
    bits(one) > bits(other)
}

/// A literal that its type cannot hold.
pub(in crate::typecheck) fn literal_too_large(span: Span, value: u64, ty: &str, largest: u64) -> Diagnostic {
    Diagnostic::new(
        "L0219",
        span,
        format!("{value} does not fit into {ty}, whose largest value is {largest}"),
    )
}
