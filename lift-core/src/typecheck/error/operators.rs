//! What is said about operators, conditions, casts and numbers.

use crate::diag::{Diagnostic, faults};
use crate::ir::{BinaryOp, Scalar};
use crate::span::Span;
use crate::typecheck::error::{is_float, is_integer, number_help, spoken};

faults! { pub(in crate::typecheck),
    /// `xs[-1]`: the element that is meant.
    "L0251" negative_index(ty, meant): "`-` is not defined for {ty}",
        note "indices count from 0, and only from the beginning",
        help "counted from the end, this is `{meant}`";
    /// A literal that its type cannot hold.
    "L0219" literal_too_large(value, ty, largest): "{value} does not fit into {ty}, whose largest value is {largest}";
    /// The condition of `if`.
    "L0253" condition(found: &str): "the condition of `if` must be `bool`; this is {}" (spoken(found)),
        help "compare: `x != 0`";
}

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
        _ => "and",
    };
    let (a, b) = if op == BinaryOp::Sub { (right, left) } else { (left, right) };
    let message = format!("cannot {} {} {joiner} {}", op.verb(), a.spoken(), b.spoken());
    let d = Diagnostic::new("L0250", span, message);
    let symbol = op.symbol();
    let text = |side: &Operand| side.text.clone();
    match (left.ty.as_str(), right.ty.as_str()) {
        (l, r) if l.starts_with('(') || r.starts_with('(') => {
            let tuple = if l.starts_with('(') { text(left) } else { text(right) }.unwrap_or_default();
            d.help(format!("take the tuple apart: `{tuple}.0`, `{tuple}.1`, …"))
        }
        (l, r) if l.starts_with('[') != r.starts_with('[') => {
            let (array, on_left) = if l.starts_with('[') { (text(left), true) } else { (text(right), false) };
            let other = text(if on_left { right } else { left }).unwrap_or_else(|| "…".into());
            let array = array.unwrap_or_default();
            let body = if on_left { format!("v {symbol} {other}") } else { format!("{other} {symbol} v") };
            let map = if l.starts_with("[[") || r.starts_with("[[") { "map2d" } else { "map" };
            d.help(format!(
                "operators work on scalars; apply it to every element: `{array}.{map}(|v| {body})`"
            ))
        }
        (l, r) if l.starts_with('[') || r.starts_with('[') => {
            d.help(element_by_element(symbol, l, text(left).as_deref(), text(right).as_deref()))
        }
        ("{integer}", ty) | (ty, "{integer}") if is_float(ty) => {
            let literal = if is_float(&left.ty) { text(right) } else { text(left) };
            match literal.filter(|t| t.chars().all(|c| c.is_ascii_digit())) {
                Some(shown) => d.help(format!("write the number with a point: `{shown}.0`")),
                None => d.help("write the number with a point"),
            }
        }
        ("{float}", other) | (other, "{float}") => {
            let side = if left.ty == "{float}" { right } else { left };
            match other {
                "bool" => d,
                _ if is_integer(other) || other == "{integer}" => {
                    let float = if left.ty == "{float}" { text(left) } else { text(right) };
                    let whole = float.as_deref().and_then(|float| float.strip_suffix(".0"));
                    let number = whole.map_or_else(|| "a whole number".into(), |whole| format!("`{whole}`"));
                    d.help(format!("write {number}, or convert the other side: {}", side.cast("f32")))
                }
                _ => d,
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

/// What to write for an operator between two arrays.
fn element_by_element(symbol: &str, ty: &str, left: Option<&str>, right: Option<&str>) -> String {
    let (a, b) = (left.unwrap_or("a"), right.unwrap_or("b"));
    let dims = if ty.starts_with("[[[") {
        "3d"
    } else if ty.starts_with("[[") {
        "2d"
    } else {
        ""
    };
    format!("operators work on scalars: `zip{dims}({a}, {b}).map{dims}(|(x, y)| x {symbol} y)`")
}

/// An operator that the type does not have. `operands` are their texts, where those are short.
pub(in crate::typecheck) fn operator_undefined(
    span: Span,
    op: &str,
    ty: &str,
    operands: &[Option<String>],
) -> Diagnostic {
    let unary = operands.len() == 1;
    let text = |i: usize| operands.get(i).and_then(Option::as_deref);
    let d = Diagnostic::new("L0251", span, format!("`{op}` is not defined for {ty}"));
    let function = op.starts_with(|c: char| c.is_alphabetic());
    let array = text(0).unwrap_or_default();
    let map = if ty.starts_with("[[") { "map2d" } else { "map" };
    match op {
        "-" if is_integer(ty) && unary => d
            .note("this type has no negative numbers; indices count from 0")
            .help("the last element of `xs: [f32; N]` is `xs[N - 1]`"),
        _ if ty.starts_with('[') && function && unary => {
            d.help(format!("apply it to every element: `{array}.{map}({op})`"))
        }
        _ if ty.starts_with('[') && function => {
            d.help(format!("apply it to every element: `{array}.{map}(|x| x.{op}(…))`"))
        }
        _ if ty.starts_with('[') && unary => {
            d.help(format!("apply it to every element: `{array}.{map}(|x| {op}x)`"))
        }
        _ if ty.starts_with('[') => d.help(element_by_element(op, ty, text(0), text(1))),
        _ if ty.starts_with('(') => d.help("take the tuple apart: `.0`, `.1`, …"),
        "pow" if is_float(ty) => d.help("for a whole exponent, write `powi`; for any other, `powf`"),
        _ if function && is_integer(ty) => {
            d.help(format!("convert first: `({} as f32).{op}()`", text(0).unwrap_or("…")))
        }
        _ if function && is_float(ty) => d.note("it is a function of integers"),
        "&&" | "||" => {
            d.help(format!("compare: `{} != 0 {op} {} != 0`", text(0).unwrap_or("x"), text(1).unwrap_or("y")))
        }
        _ if ty == "bool" => d.help("for conditions, use `&&`, `||` and `!`"),
        _ => d,
    }
}

/// Elements that are no numbers; `array` is what they are of.
pub(in crate::typecheck) fn compared(span: Span, name: &str, found: &str, array: Option<&str>) -> Diagnostic {
    let array = array.unwrap_or("xs");
    let d = Diagnostic::new(
        "L0251",
        span,
        format!("`{name}` compares numbers, but the elements of `{array}` are {found}"),
    );
    match found {
        "bool" => d.help(format!("count with numbers: `{array}.map(|x| x as i32).{name}()` is the first that is `{}`", name == "argmax")),
        found if found.starts_with('[') => d.help(format!(
            "write `{array}.map({name})` for each row by itself, or `{array}.join().{name}()` for all of them: the index counts row by row"
        )),
        _ => d.help(format!("take out what is compared: `{array}.map(|x| …).{name}()`")),
    }
}

/// The arms of `if`.
pub(in crate::typecheck) fn arms(span: Span, a: &str, b: &str, literal: Option<&str>) -> Diagnostic {
    let message = format!("the arms of `if` have different types: {} and {}", spoken(a), spoken(b));
    let d = Diagnostic::new("L0254", span, message);
    match (a, b) {
        ("{integer}" | "{float}", "bool") | ("bool", "{integer}" | "{float}") => {
            d.help("write a number in both, or `true` and `false`")
        }
        (found @ "{integer}", ty) | (ty, found @ "{integer}") => d.help_if(number_help(found, ty, literal)),
        (found @ "{float}", ty) | (ty, found @ "{float}") => d.help_if(number_help(found, ty, literal)),
        _ if a.starts_with('[') && b.starts_with('[') => {
            d.help("make them equally long, with `take`, `drop` or `pad`, and of the same elements")
        }
        _ if Scalar::from_name(a).is_some()
            && Scalar::from_name(b).is_some()
            && a != "bool"
            && b != "bool" =>
        {
            d.help(format!("convert one of them: `… as {a}`"))
        }
        _ => d,
    }
}

/// A cast that Rust does not have either.
pub(in crate::typecheck) fn cast(span: Span, from: &str, to: &str, text: Option<&str>) -> Diagnostic {
    let d = Diagnostic::new("L0255", span, format!("cannot cast {from} to {to}"));
    match (from, to) {
        ("bool", float) if is_float(float) => d.help(format!(
            "write `if b {{ 1.0 }} else {{ 0.0 }}`, or go through an integer: `b as i32 as {float}`"
        )),
        (_, "bool") => d.help(format!("compare: `{} != 0`", text.unwrap_or("x"))),
        (array, _) if array.starts_with('[') => {
            let map = if array.starts_with("[[") { "map2d" } else { "map" };
            let element = to.trim_start_matches('[').split(';').next().unwrap_or(to);
            d.help(format!("convert every element: `{}.{map}(|x| x as {element})`", text.unwrap_or_default()))
        }
        _ => d,
    }
}

/// Whether one float type has more bits than another.
fn wider(one: &str, other: &str) -> bool {
    let bits = |ty: &str| ty.trim_start_matches('f').parse::<u32>().unwrap_or(0);
    bits(one) > bits(other)
}
