//! The texts of type and size errors, one constructor per fault.

use crate::diag::Diagnostic;
use crate::ir::prim::MOST_UNROLLED;
use crate::ir::types::MOST_PRIVATE;
use crate::ir::{BinaryOp, Prim, Scalar};
use crate::span::Span;

/// Whether a size is one size variable.
pub(super) fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// A length that a piece does not divide.
pub(super) fn not_a_multiple(span: Span, chunk: &str, len: &str) -> Diagnostic {
    let d = Diagnostic::new(
        "L0220",
        span,
        format!("`split({chunk})` needs a length that {chunk} divides; {len} is not a multiple of {chunk}"),
    );
    match (chunk.parse::<i64>(), len.parse::<i64>()) {
        (Ok(chunk), Ok(len)) if chunk > 0 && len > chunk => d.help(format!(
            "take the part that fits, `take({})`, or fill it up, `pad(0, {}, clamp)`",
            len - len % chunk,
            chunk - len % chunk
        )),
        _ => d.help("`pad` the array up to a multiple, or `take` the part that fits"),
    }
}

/// A window larger than the array.
pub(super) fn window_too_large(span: Span, size: &str, len: &str, added: i64) -> Diagnostic {
    let d = Diagnostic::new(
        "L0231",
        span,
        format!("a window of {size} does not fit into an array of {len} elements"),
    );
    match (size.parse::<i64>(), len.parse::<i64>()) {
        (Ok(size), Ok(len)) if added <= len && size > 0 => {
            let (before, after, windows) = ((size - 1) / 2, size / 2, len - added);
            d.help(format!(
                "pad it by half a window, `pad({before}, {after}, clamp)`, to get {windows} windows"
            ))
        }
        _ => d.help("`pad` the array first"),
    }
}

/// A step that leaves elements over.
pub(super) fn step_leaves_rest(span: Span, size: &str, step: &str, len: &str) -> Diagnostic {
    Diagnostic::new(
        "L0232",
        span,
        format!("`slide({size}, {step})` over {len} elements would leave some out: {len} - {size} is not a multiple of {step}"),
    )
    .help("`take` the part that fits, or `pad` up to it")
}

/// Some other fact about sizes that cannot hold.
pub(super) fn fact_refuted(span: Span, prim: &str, fact: &str) -> Diagnostic {
    Diagnostic::new("L0230", span, format!("`{prim}` needs {fact}, which never holds here"))
}

/// `take` and `drop` of more than there is.
pub(super) fn too_few_elements(span: Span, prim: &str, wanted: &str, found: &str) -> Diagnostic {
    Diagnostic::new(
        "L0230",
        span,
        format!("`{prim}({wanted})` needs an array of {wanted} or more elements; this one has {found}"),
    )
}

/// `slide(3, 0)`
pub(super) fn no_step(span: Span, size: &str, step: &str) -> Diagnostic {
    Diagnostic::new(
        "L0230",
        span,
        format!("`slide({size}, {step})`: windows must move by at least one element"),
    )
    .help(format!("a stencil moves by one: `slide({size}, 1)`"))
}

/// A promise of a kernel that contradicts itself.
pub(super) fn own_fact_refuted(span: Span, fact: &str) -> Diagnostic {
    Diagnostic::new("L0230", span, format!("`{fact}` never holds, so the kernel could never run"))
}

/// A function is called with sizes that it excludes.
pub(super) fn promise_refuted(span: Span, function: &str, fact: &str, values: &[String]) -> Diagnostic {
    let here = if values.is_empty() {
        ", which never holds here".to_string()
    } else {
        format!(", but here {}", crate::text::words(values))
    };
    Diagnostic::new("L0230", span, format!("`{function}` needs `{fact}`{here}"))
}

/// An index that is out of range.
pub(super) fn index_out_of_range(span: Span, index: &str, len: &str, last: &str) -> Diagnostic {
    Diagnostic::new("L0233", span, format!("index `{index}` is out of range for an array of {len} elements"))
        .note(format!("the elements are numbered from 0 to {last}"))
}

/// An index that may be out of range.
pub(super) fn index_not_proved(span: Span, index: &str, len: &str, help: String) -> Diagnostic {
    Diagnostic::new(
        "L0234",
        span,
        format!("index `{index}` may be out of range for an array of {len} elements"),
    )
    .note("Lift has no run-time panics, so an index must be in range for all values it can take")
    .help(help)
}

/// A permutation that may leave the array.
pub(super) fn permutation_not_proved(span: Span, callee: &str, len: &str) -> Diagnostic {
    Diagnostic::new(
        "L0235",
        span,
        format!(
            "the function of `{callee}` must yield an index of the {len} elements; that cannot be proved"
        ),
    )
    .note("it is a permutation: of `i` in 0..n, it makes every number in 0..n once")
    .help(
        "if it is too complicated to be proved, let `gather` check the indices when the kernel runs: \
         `gather(array(n, |i| …), xs)`",
    )
}

/// A function of indices that yields the same for all.
pub(super) fn no_permutation(span: Span, callee: &str, index: &str) -> Diagnostic {
    Diagnostic::new(
        "L0236",
        span,
        format!(
            "the function of `{callee}` must be a permutation, but it yields the same whatever `{index}` is"
        ),
    )
    .help("an array whose elements are all `xs[k]` is `array(n, |_| xs[k])`")
}

/// A function returns something else than it promises.
pub(super) fn result_type(span: Span, name: &str, found: &str, declared: &str) -> Diagnostic {
    Diagnostic::new("L0240", span, format!("this yields {found}, but `{name}` promises {declared}"))
}

/// The steps of a chain in the wrong order.
pub(super) fn order(first: &Diagnostic, composed: bool, order: &[String], proposal: &str) -> Diagnostic {
    let steps: Vec<String> = order.iter().map(|step| format!("`{step}`")).collect();
    let (what, rule, how) = if composed {
        ("composition", "`.` after a function composes from right to left", "start from the data and write")
    } else {
        ("chain", "`.` after a value applies from left to right", "write")
    };
    let opening = steps.first().map_or("", String::as_str);
    Diagnostic::new(
        "L0120",
        first.span,
        format!("the steps of this {what} are in the wrong order: {opening} runs first"),
    )
    .note(format!("{rule}: {}", steps.join(", then ")))
    .note(format!("in that order, {}", first.message))
    .help(format!("{how} the steps in the order in which they happen: `{proposal}`"))
}

/// An argument of the wrong type.
pub(super) fn argument(span: Span, callee: &str, param: &str, expected: &str, found: &str) -> Diagnostic {
    let place = if param.is_empty() { String::new() } else { format!(" for `{param}`") };
    let message = format!("`{callee}` takes {expected}{place}, but this is {}", spoken(found));
    let d = Diagnostic::new("L0200", span, message);
    match (callee, found) {
        ("powi", "{float}" | "f32") => d.help("for an exponent that is no whole number, use `powf`"),
        (_, "{float}" | "{integer}") => d.help(number_help(found, expected)),
        _ if !found.starts_with(['[', '(', '_']) => match window_of(expected) {
            Some(slide) => d.help(format!("to call it with neighbours, put `{slide}` before")),
            None => d,
        },
        _ => d,
    }
}

/// The `slide` whose windows have this type: `slide2d(3, 1)` for `[[f32; 3]; 3]`.
fn window_of(ty: &str) -> Option<String> {
    let element = ty.trim_start_matches('[');
    let (_, lengths) = element.split_once("; ")?;
    let lengths: Vec<&str> = lengths.trim_end_matches(']').split("]; ").collect();
    let size: i64 = lengths.first()?.parse().ok()?;
    if ty.len() - element.len() != lengths.len() || lengths.iter().any(|l| *l != lengths[0]) {
        return None;
    }
    let name = ["slide", "slide2d", "slide3d"].get(lengths.len() - 1)?;
    Some(format!("{name}({size}, 1)"))
}

/// Too few dimensions.
pub(super) fn too_few_dimensions(
    span: Span,
    callee: &str,
    wanted: usize,
    found: usize,
    (name, ty): (&str, &str),
) -> Diagnostic {
    let name = if name == "one of them" { "this" } else { name };
    if callee == "at" {
        return Diagnostic::new("L0203", span, format!("only arrays have elements `[i]`; this is {ty}"));
    }
    let word =
        |n: usize| ["no", "one", "two", "three", "four", "five", "six"].get(n).copied().unwrap_or("more");
    let found_text = if found == 0 {
        format!("{name} is {ty}, no array")
    } else {
        format!("{name} has {}: {ty}", word(found))
    };
    let d = Diagnostic::new(
        "L0203",
        span,
        match wanted {
            1 => format!("`{callee}` needs an array; {found_text}"),
            _ => format!("`{callee}` needs an array of {} or more dimensions; {found_text}", word(wanted)),
        },
    );
    match callee.strip_suffix("2d").or(callee.strip_suffix("3d")) {
        Some(base) if found == 1 => d.help(format!("use `{base}`")),
        Some(base) if found == 2 => d.help(format!("use `{base}2d`")),
        _ => d,
    }
}

/// `reduce` with a start value of another type.
pub(super) fn identity_type(span: Span, callee: &str, found: &str, element: &str) -> Diagnostic {
    let text = match found {
        "{float}" => "a float".to_string(),
        "{integer}" => "an integer".to_string(),
        _ => found.to_string(),
    };
    let d = Diagnostic::new(
        "L0204",
        span,
        format!("`{callee}` starts from {text} here, but the elements are {element}"),
    );
    match (found, element) {
        ("{float}", ty) if is_integer(ty) => d.help("write `0`: an integer literal takes the elements' type"),
        ("{integer}", ty) if is_float(ty) => d.help("write `0.0`"),
        _ => d,
    }
}

/// What to write for an operator that needs its operands in order.
fn in_order(op: &str, start: &str) -> String {
    format!("to go strictly left to right on one work-item, use `fold({op}, {start})`")
}

/// An operator that may not be regrouped.
pub(super) fn not_associative(span: Span, callee: &str, op: BinaryOp, start: &str) -> Diagnostic {
    let s = op.symbol();
    let d = Diagnostic::new(
        "L0330",
        span,
        format!("`{callee}` may regroup its operands, so its operator must be associative; `a {s} b` is not"),
    );
    match op {
        BinaryOp::Sub => d.note("(0 - 0) - 1 = -1, but 0 - (0 - 1) = 1").help(in_order("sub", start)),
        BinaryOp::Div => d.note("(8 / 4) / 2 = 1, but 8 / (4 / 2) = 4").help(in_order("div", start)),
        BinaryOp::Add
        | BinaryOp::Mul
        | BinaryOp::Rem
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => d,
    }
}

/// A start value that is not neutral.
pub(super) fn not_an_identity(span: Span, callee: &str, op: BinaryOp, z: &str, right: &str) -> Diagnostic {
    Diagnostic::new(
        "L0331",
        span,
        format!("`{callee}` may use its start value any number of times, so it must be neutral; {z} is not for `{}`", op.symbol()),
    )
    .help(format!("write `{right}`, and apply `{} {z}` once, to the result", op.symbol()))
}

/// An operand: its type, and its text where that is short.
pub(super) struct Operand {
    /// Its type.
    pub(super) ty: String,
    /// What the user wrote.
    pub(super) text: Option<String>,
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
pub(super) fn operands(span: Span, op: BinaryOp, left: &Operand, right: &Operand) -> Diagnostic {
    let joiner = match op {
        BinaryOp::Add => "to",
        BinaryOp::Sub => "from",
        BinaryOp::Mul | BinaryOp::Div => "by",
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
pub(super) fn operator_undefined(span: Span, op: &str, unary: bool, ty: &str) -> Diagnostic {
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
pub(super) fn condition(span: Span, found: &str) -> Diagnostic {
    Diagnostic::new("L0253", span, format!("the condition of `if` must be `bool`; this is {}", spoken(found)))
        .help("compare: `x != 0`")
}

/// The arms of `if`.
pub(super) fn arms(span: Span, a: &str, b: &str) -> Diagnostic {
    let message = format!("the arms of `if` have different types: {} and {}", spoken(a), spoken(b));
    let d = Diagnostic::new("L0254", span, message);
    match (a, b) {
        (literal, ty) | (ty, literal) if literal.starts_with('{') => d.help(number_help(literal, ty)),
        _ => d,
    }
}

/// A cast that Rust does not have either.
pub(super) fn cast(span: Span, from: &str, to: &str) -> Diagnostic {
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

/// `.0` of something that is no tuple.
pub(super) fn no_field(span: Span, index: usize, ty: &str) -> Diagnostic {
    if ty == "_" {
        return Diagnostic::new(
            "L0256",
            span,
            format!("the type must be known before `.{index}` can be taken"),
        )
        .help("say it: `|p: (f32, f32)| …`");
    }
    Diagnostic::new("L0257", span, format!("{ty} has no component `.{index}`"))
}

/// `.x` of something that has no such field.
pub(super) fn no_named_field(
    span: Span,
    owner: &str,
    field: &str,
    near: Option<&str>,
    fields: &[&str],
) -> Diagnostic {
    if owner == "_" {
        let message = format!("the type must be known before `.{field}` can be taken");
        return Diagnostic::new("L0256", span, message).help("say it: `|p: Name| …`");
    }
    let d = Diagnostic::new("L0121", span, format!("{owner} has no field `{field}`"));
    match near {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None if owner.starts_with('(') => d.help("the parts of a tuple are `.0`, `.1`, …"),
        None if owner.starts_with('[') => d.help(format!("take it of every element: `.map(|x| x.{field})`")),
        None if fields.is_empty() => d,
        None => d.note(format!("its fields are {}", crate::text::list(fields, "and"))),
    }
}

/// A field with a value of another type.
pub(super) fn field_value(span: Span, owner: &str, field: &str, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::new(
        "L0123",
        span,
        format!("the field `{field}` of `{owner}` is {expected}, and this is {found}"),
    )
}

/// A pattern that does not fit.
pub(super) fn pattern(span: Span, pattern: &str, ty: &str) -> Diagnostic {
    Diagnostic::new("L0258", span, format!("the pattern {pattern} does not fit a value of type {ty}"))
}

/// A function argument with the wrong number of parameters.
pub(super) fn function_arity(span: Span, callee: &str, expected: usize, found: usize) -> Diagnostic {
    let d = Diagnostic::new(
        "L0206",
        span,
        format!(
            "`{callee}` calls this function with {}, but it has {found}",
            crate::text::count(expected, "argument")
        ),
    );
    match (expected, found) {
        (2, 1) => d.help("write two parameters: `|a, b| …`"),
        (1, 2) => d.help("pairs come from `zip(a, b)`; to fix one of the two, write `|x| f(x, 2.0)`"),
        _ => d,
    }
}

fn is_integer(ty: &str) -> bool {
    Scalar::from_name(ty).is_some_and(Scalar::is_integer)
}

/// Whether one float type has more bits than another.
fn wider(one: &str, other: &str) -> bool {
    let bits = |ty: &str| ty.trim_start_matches('f').parse::<u32>().unwrap_or(0);
    bits(one) > bits(other)
}

fn is_float(ty: &str) -> bool {
    Scalar::from_name(ty).is_some_and(Scalar::is_float)
}

/// The type of a literal that nothing has decided yet, in words.
fn spoken(ty: &str) -> &str {
    match ty {
        "{integer}" => "an integer",
        "{float}" => "a float",
        _ => ty,
    }
}

/// How a number of one type is written as another.
fn number_help(found: &str, wanted: &str) -> String {
    match (found, wanted) {
        ("{integer}", ty) if is_float(ty) => "write the number with a point: `2.0`".into(),
        ("{float}", ty) if is_integer(ty) => "write a whole number".into(),
        _ => format!("convert one of them, for example with `as {wanted}`"),
    }
}

/// `let x: T = …` of another type.
pub(super) fn annotation(span: Span, declared: &str, found: &str) -> Diagnostic {
    let message = format!("this is declared as {declared}, but its value is {}", spoken(found));
    let d = Diagnostic::new("L0258", span, message);
    if found.starts_with('{') { d.help(number_help(found, declared)) } else { d }
}

/// A function argument returns something else.
pub(super) fn function_result(span: Span, callee: &str, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::new(
        "L0207",
        span,
        format!("`{callee}` needs this function to return {expected}, but it returns {found}"),
    )
}

/// A boundary function that gives values of another type.
pub(super) fn boundary_value_type(span: Span, found: &str, element: &str) -> Diagnostic {
    let text = format!("the boundary `value(..)` gives {found}, but the elements are {element}");
    Diagnostic::new("L0208", span, text)
}

/// A boundary function that gives no index.
pub(super) fn boundary_index_type(span: Span, found: &str) -> Diagnostic {
    Diagnostic::new("L0208", span, format!("a boundary function gives an index, but this is {found}"))
        .help("for a value in the place of an element, write `value(|i, n| …)`")
}

/// A boundary function that may leave the array.
pub(super) fn boundary_out_of_range(
    span: Span,
    refuted: bool,
    (from, to): (&str, &str),
    value: Option<(String, String)>,
    len: &str,
) -> Diagnostic {
    let leaves = if refuted { "is" } else { "may be" };
    let first =
        format!("boundary function out of range: it {leaves} outside of 0..{len} for i in {from}..={to}");
    let mut d = Diagnostic::new("L0237", span, first);
    if let Some((low, high)) = value {
        let there =
            if low == high { format!("it is {low}") } else { format!("it lies between {low} and {high}") };
        d = d.note(format!("there {there}"));
    }
    d.help("limit it: `.clamp(0, n - 1)`, or `.rem_euclid(n)` to start again")
}

/// A boundary constant of another type.
pub(super) fn boundary_type(span: Span, found: &str, element: &str) -> Diagnostic {
    Diagnostic::new(
        "L0208",
        span,
        format!("the boundary `constant(..)` is {}, but the elements are {element}", spoken(found)),
    )
    .help(number_help(found, element))
}

/// An index that is no `usize`.
pub(super) fn index_type(span: Span, found: &str, text: Option<&str>) -> Diagnostic {
    let d = Diagnostic::new("L0209", span, format!("an index is a `usize`; this is {}", spoken(found)));
    match (found, text) {
        ("{float}", _) => d.help("write a whole number"),
        (_, Some(text)) => d.help(format!("convert it: `{text} as usize`")),
        (_, None) => d.help("convert it: `… as usize`"),
    }
}

/// Indices that are no integers.
pub(super) fn indices_type(span: Span, callee: &str, found: &str) -> Diagnostic {
    Diagnostic::new("L0209", span, format!("the indices of `{callee}` are integers; these are {found}"))
        .help("convert them: `.map(|i| i as usize)`")
}

/// The elements of an array literal differ.
pub(super) fn elements_differ(span: Span, first: &str, other: &str) -> Diagnostic {
    Diagnostic::new(
        "L0259",
        span,
        format!(
            "the elements of an array have one type; the first is {}, this is {}",
            spoken(first),
            spoken(other)
        ),
    )
    .help(number_help(other, first))
}

/// A name in a size expression that is no size.
pub(super) fn unknown_size(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0106", span, format!("there is no size called `{name}` here"))
        .help(format!("declare it: `<{name}>`, or use it in the type of a parameter"))
}

/// A type that does not exist.
pub(super) fn unknown_type(span: Span, name: &str) -> Diagnostic {
    let d = Diagnostic::new("L0105", span, format!("there is no type called `{name}`"));
    d.help("the scalar types are `f16 f32 f64`, `i8 i16 i32 i64`, `u8 u16 u32 u64`, `usize` and `bool`")
}

/// A type where data is needed.
pub(super) fn not_data(span: Span) -> Diagnostic {
    Diagnostic::new("L0105", span, "this is not a type of data")
        .help("data are scalars, arrays and tuples of them")
}

/// A type that nothing determines.
pub(super) fn ambiguous(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0211", span, format!("the type of `{name}` cannot be inferred"))
        .help(format!("say it: `|{name}: [[f32; W]; H]| …`"))
}

/// A size that nothing determines.
pub(super) fn ambiguous_size(span: Span, equation: &str) -> Diagnostic {
    Diagnostic::new("L0212", span, format!("a size cannot be determined from {equation}"))
        .help("give the array a type: `|x: [f32; N]| …`")
}

/// A size variable that cannot be computed from the arguments' extents.
pub(super) fn unbound_size(span: Span, kernel: &str, name: &str) -> Diagnostic {
    Diagnostic::new(
        "L0213",
        span,
        format!("`{name}` cannot be computed from the extents of the arguments of `{kernel}`"),
    )
    .help(format!("use an extent that is linear in `{name}`, such as `{name}` or `2 * {name} + 1`"))
}

/// `materialize` inside a function that is applied to elements.
pub(super) fn materialize_inside(span: Span) -> Diagnostic {
    Diagnostic::new(
        "L0270",
        span,
        "`materialize` ends a launch, and cannot stand inside a function of elements",
    )
    .help("bind the whole array outside: `let ys = xs.map(f).materialize(); …`")
}

/// How often the host repeats something must be known to it.
pub(super) fn iterate_count(span: Span) -> Diagnostic {
    Diagnostic::new("L0271", span, "how often `iterate` runs over whole arrays must be a size or a parameter")
        .note("every application is a launch, and the host counts them")
        .help("compute the number on the host, and pass it as a parameter of type `usize`")
}

/// Functions call functions that call functions, each more than once.
pub(super) fn too_many_calls(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0272", span, format!("`{name}` becomes too large to compile"))
        .note("a call stands for the body of the function, with all calls in it")
        .help("call a function once, and use what it returned again: `let y = f(x); …`")
}

/// Two lengths differ inside a function body.
pub(super) fn lengths(span: Span, left: &str, right: &str) -> Diagnostic {
    Diagnostic::new(
        "L0214",
        span,
        format!("two lengths must be equal here, but one is {left} and the other {right}"),
    )
}

/// A parameter gets contents of another type.
pub(super) fn update_type(span: Span, name: &str, declared: &str, found: &str) -> Diagnostic {
    Diagnostic::new("L0243", span, format!("`{name}` is {declared}, but what is written to it is {found}"))
}

/// With the sizes of a call, a function yields other lengths than it promises.
pub(super) fn lengths_of_call(span: Span, name: &str, declared: &str, found: &str) -> Diagnostic {
    Diagnostic::new(
        "L0214",
        span,
        format!("`{name}` promises {declared}, but for these arguments its body yields {found}"),
    )
    .help(format!("correct the lengths in the result type of `{name}`"))
}

/// A constant whose value has another type.
pub(super) fn constant_type(span: Span, name: &str, declared: &str, found: &str) -> Diagnostic {
    let message = format!("`{name}` is declared as {declared}, but its value is {}", spoken(found));
    let d = Diagnostic::new("L0241", span, message);
    if found.starts_with('{') { d.help(number_help(found, declared)) } else { d }
}

/// `[]`
pub(super) fn empty_array(span: Span) -> Diagnostic {
    Diagnostic::new("L0242", span, "an array literal needs at least one element")
}

/// A size that the compiler cannot compute with.
pub(super) fn size_too_large(span: Span) -> Diagnostic {
    Diagnostic::new("L0215", span, "a size here is too large or too complicated to compute with")
        .help("use fewer operations in size expressions")
}

/// A state that no work-item can keep.
pub(super) fn array_accumulator(span: Span, name: &str, ty: &str) -> Diagnostic {
    let first = format!("what `{name}` accumulates is too large for one work-item: {ty}");
    let note =
        format!("arrays in it need lengths that are numbers, and at most {MOST_PRIVATE} scalars in all");
    let d = Diagnostic::new("L0216", span, first).note(note);
    if name == Prim::Fold.name() {
        return d;
    }
    d.help(format!("take each column by itself: `xs.transpose().map({name}(add, 0.0))`"))
}

/// An `iterate` inside a function that would have to keep a large array.
pub(super) fn iterated_array(span: Span, times: Option<u64>, ty: &str) -> Diagnostic {
    let first = match times {
        Some(times) => format!("`iterate` would write {times} applications on {ty} one after the other"),
        None => format!("`iterate` on {ty} inside another function needs a number of times that is known"),
    };
    Diagnostic::new("L0262", span, first)
        .note(format!("inside a function, an array goes through at most {MOST_UNROLLED} applications"))
        .help("iterate over the whole array, outside of `map`, or over scalars and small arrays")
}

/// An `iterate` whose function changes the type, too often.
pub(super) fn iterated_type(span: Span, times: u64) -> Diagnostic {
    let first = format!("{times} applications of a function that changes the type");
    Diagnostic::new("L0262", span, first)
        .note(format!("each has a type of its own, and is compiled for itself: at most {MOST_UNROLLED}"))
}

/// `unzip` of something else than tuples.
pub(super) fn unzip_of(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new("L0261", span, format!("`unzip` takes an array of tuples apart, and this is {ty}"))
        .note("the tuples have two to eight parts")
}

/// A constant in a size that is no integer.
pub(super) fn const_not_a_size(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0106", span, format!("`{name}` is a constant, but not an integer: it cannot be a size"))
        .help(format!("declare it as `const {name}: usize = …;`"))
}

/// A division by zero or less in a size.
pub(super) fn size_division(span: Span, divisor: &str) -> Diagnostic {
    Diagnostic::new("L0217", span, format!("a size is divided by {divisor}"))
}

/// A length below zero.
pub(super) fn negative_length(span: Span, len: &str) -> Diagnostic {
    Diagnostic::new("L0218", span, format!("an array cannot have {len} elements"))
}

/// A literal that its type cannot hold.
pub(super) fn literal_too_large(span: Span, value: u64, ty: &str, largest: u64) -> Diagnostic {
    Diagnostic::new(
        "L0219",
        span,
        format!("{value} does not fit into {ty}, whose largest value is {largest}"),
    )
}

/// A kernel parameter of a type that only helpers may have.
pub(super) fn kernel_type(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        "L0105",
        span,
        format!("the kernel parameter `{name}` must have one definite type of data"),
    )
    .help("write the type, or list those of a type variable: `#[types(T = f32, f64)]`")
}
