//! The texts of type and size errors, one constructor per fault.

use crate::diag::Diagnostic;
use crate::ir::{BinaryOp, Scalar};
use crate::span::Span;

/// `zip` of different lengths.
pub(super) fn zip_lengths(span: Span, lengths: &[(String, String)]) -> Diagnostic {
    let (first, second) = (&lengths[0], &lengths[1]);
    let mut d = Diagnostic::new(
        "L0210",
        span,
        format!(
            "`zip` pairs arrays of the same length, but {} has {} elements and {} has {}",
            first.0, first.1, second.0, second.1
        ),
    );
    let shrunk = |short: &str, long: &str| {
        short.strip_prefix(long).and_then(|rest| rest.strip_prefix(" - ")?.parse::<i64>().ok())
    };
    let difference = shrunk(&first.1, &second.1).or_else(|| shrunk(&second.1, &first.1));
    d = match difference {
        Some(k) if k % 2 == 0 => d.help(format!(
            "`slide({}, 1)` makes an array {k} elements shorter: write `pad({h}, {h}, clamp)` before it, \
             or `crop({h}, {h})` the other array",
            k + 1,
            h = k / 2
        )),
        _ if is_name(&first.1) && is_name(&second.1) => {
            d.help(format!("if they are always equal, give them one name: use `{}` in both types", first.1))
        }
        _ => d,
    };
    d
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// A length that a piece does not divide.
pub(super) fn not_a_multiple(span: Span, chunk: &str, len: &str) -> Diagnostic {
    Diagnostic::new(
        "L0220",
        span,
        format!("`split({chunk})` needs a length that {chunk} divides; {len} is not a multiple of {chunk}"),
    )
    .help("`pad` the array first, or `take` the part that fits")
}

/// A window larger than the array.
pub(super) fn window_too_large(span: Span, size: &str, len: &str) -> Diagnostic {
    let d = Diagnostic::new(
        "L0231",
        span,
        format!("a window of {size} does not fit into an array of {len} elements"),
    );
    match (size.parse::<i64>(), len.parse::<i64>()) {
        (Ok(size), Ok(len)) => {
            let h = size / 2;
            d.help(format!("pad it first: `pad({h}, {h}, clamp)` gives {} windows", len + 2 * h - size + 1))
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

/// An index that is out of range.
pub(super) fn index_out_of_range(span: Span, index: &str, len: &str, last: &str) -> Diagnostic {
    Diagnostic::new("L0233", span, format!("index `{index}` is out of range for an array of {len} elements"))
        .note(format!("the elements are numbered from 0 to {last}"))
}

/// An index that may be out of range.
pub(super) fn index_not_proved(span: Span, index: &str, len: &str, last: &str) -> Diagnostic {
    Diagnostic::new(
        "L0234",
        span,
        format!("index `{index}` may be out of range for an array of {len} elements"),
    )
    .note("Lift has no run-time panics, so an index must be in range for all values it can take")
    .help(format!("say what happens outside, for example `.min({last})`"))
}

/// A function returns something else than it promises.
pub(super) fn result_type(
    span: Span,
    name: &str,
    found: &str,
    declared: &str,
    shrunk: Option<i64>,
) -> Diagnostic {
    let d = Diagnostic::new("L0240", span, format!("this yields {found}, but `{name}` promises {declared}"));
    match shrunk {
        Some(k) if k > 0 && k % 2 == 0 => d
            .note(format!(
                "a window of {} looks {} past every edge, and no boundary is given",
                k + 1,
                elements(k / 2)
            ))
            .help(format!(
                "say what lies outside: `pad({h}, {h}, clamp)` (in two dimensions `pad2d`) before the \
                 window; also `mirror`, `reflect`, `wrap`, `constant(0.0)`",
                h = k / 2
            )),
        _ => d,
    }
}

fn elements(n: i64) -> String {
    crate::text::count(n as usize, "element")
}

/// An argument of the wrong type.
pub(super) fn argument(span: Span, callee: &str, param: &str, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::new("L0200", span, format!("`{callee}` takes {expected} for `{param}`, but this is {found}"))
}

/// Too few dimensions.
pub(super) fn too_few_dimensions(
    span: Span,
    callee: &str,
    wanted: usize,
    found: usize,
    ty: &str,
) -> Diagnostic {
    let word =
        |n: usize| ["no", "one", "two", "three", "four", "five", "six"].get(n).copied().unwrap_or("more");
    let found_text = if found == 0 {
        format!("this is {ty}, no array")
    } else {
        format!("this has {}: {ty}", word(found))
    };
    let d = Diagnostic::new(
        "L0203",
        span,
        format!("`{callee}` needs an array of {} or more dimensions; {found_text}", word(wanted),),
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
    match (found, Scalar::from_name(element)) {
        ("{float}", Some(scalar)) if scalar.is_integer() => {
            d.help("write `0`: an integer literal takes the elements' type")
        }
        ("{integer}", Some(scalar)) if scalar.is_float() => d.help("write `0.0`"),
        _ => d,
    }
}

/// An operator that may not be regrouped.
pub(super) fn not_associative(span: Span, callee: &str, op: BinaryOp) -> Diagnostic {
    let s = op.symbol();
    let d = Diagnostic::new(
        "L0330",
        span,
        format!("`{callee}` may regroup its operands, so its operator must be associative; `a {s} b` is not"),
    );
    match op {
        BinaryOp::Sub => d
            .note("(0 - 0) - 1 = -1, but 0 - (0 - 1) = 1")
            .help("sum the elements with `add` and negate, or subtract, once"),
        BinaryOp::Div => d
            .note("(8 / 4) / 2 = 1, but 8 / (4 / 2) = 4")
            .help("multiply the elements with `mul` and divide once"),
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

/// An operator between two types.
pub(super) fn operands(span: Span, op: BinaryOp, left: &str, right: &str) -> Diagnostic {
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
    let d = Diagnostic::new("L0250", span, format!("cannot {} `{a}` {joiner} `{b}`", op.verb()));
    match (left, right) {
        (l, r) if l.starts_with('[') != r.starts_with('[') => d.help(format!(
            "operators work on scalars: `.map(|x| x {} …)` applies one to every element",
            op.symbol()
        )),
        (l, r) if l.starts_with('[') || r.starts_with('[') => {
            d.help(format!("operators work on scalars: `zip(a, b).map(|(x, y)| x {} y)`", op.symbol()))
        }
        ("{integer}", other) | (other, "{integer}") if is_float(other) => {
            d.help("write the number with a point: `2.0`")
        }
        ("{float}", other) | (other, "{float}") => {
            d.help(format!("write a whole number, or convert the other side from `{other}`: `… as f32`"))
        }
        (float, other) if is_float(float) && !is_float(other) => {
            d.help(format!("convert the right side: `… as {float}`"))
        }
        (other, float) if is_float(float) && !is_float(other) => {
            d.help(format!("convert the left side: `… as {float}`"))
        }
        _ => d.help(format!("convert one side: `… as {left}`")),
    }
}

fn is_float(ty: &str) -> bool {
    Scalar::from_name(ty).is_some_and(Scalar::is_float)
}

/// An operator that the type does not have.
pub(super) fn operator_undefined(span: Span, op: &str, ty: &str) -> Diagnostic {
    let d = Diagnostic::new("L0251", span, format!("`{op}` is not defined for {ty}"));
    if ty.starts_with('[') { d.help(format!("apply it to every element: `.map(|x| …{op}…)`")) } else { d }
}

/// The condition of `if`.
pub(super) fn condition(span: Span, found: &str) -> Diagnostic {
    Diagnostic::new("L0253", span, format!("the condition of `if` must be `bool`; this is {found}"))
}

/// The arms of `if`.
pub(super) fn arms(span: Span, a: &str, b: &str) -> Diagnostic {
    Diagnostic::new("L0254", span, format!("the arms of `if` have different types: {a} and {b}"))
}

/// A cast that Rust does not have either.
pub(super) fn cast(span: Span, from: &str, to: &str) -> Diagnostic {
    let d = Diagnostic::new("L0255", span, format!("cannot cast {from} to {to}"));
    match (from, to) {
        ("bool", float) if is_float(float) => d.help(format!(
            "write `if b {{ 1.0 }} else {{ 0.0 }}`, or go through an integer: `b as i32 as {float}`"
        )),
        (_, "bool") => d.help("compare: `x != 0`"),
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
pub(super) fn no_named_field(span: Span, owner: &str, field: &str, near: Option<&str>) -> Diagnostic {
    if owner == "_" {
        let message = format!("the type must be known before `.{field}` can be taken");
        return Diagnostic::new("L0256", span, message).help("say it: `|p: Name| …`");
    }
    let d = Diagnostic::new("L0121", span, format!("{owner} has no field `{field}`"));
    match near {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None => d,
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
    if expected == 2 && found == 1 { d.help("write two parameters: `|a, b| …`") } else { d }
}

/// A function argument returns something else.
pub(super) fn function_result(span: Span, callee: &str, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::new(
        "L0207",
        span,
        format!("`{callee}` needs this function to return {expected}, but it returns {found}"),
    )
}

/// A boundary constant of another type.
pub(super) fn boundary_type(span: Span, found: &str, element: &str) -> Diagnostic {
    Diagnostic::new(
        "L0208",
        span,
        format!("the boundary `constant(..)` is {found}, but the elements are {element}"),
    )
}

/// An index that is no `usize`.
pub(super) fn index_type(span: Span, found: &str) -> Diagnostic {
    Diagnostic::new("L0209", span, format!("an index is a `usize`; this is {found}"))
        .help("convert it: `… as usize`")
}

/// The elements of an array literal differ.
pub(super) fn elements_differ(span: Span, first: &str, other: &str) -> Diagnostic {
    Diagnostic::new(
        "L0259",
        span,
        format!("the elements of an array have one type; the first is {first}, this is {other}"),
    )
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

/// A kernel parameter or result that cannot cross the border.
pub(super) fn kernel_interface(span: Span, what: &str, ty: &str) -> Diagnostic {
    Diagnostic::new("L0260", span, format!("{what} must be a scalar or an array of scalars; this is {ty}"))
        .help("pass the parts as arrays of their own, and `zip` them inside")
}

/// Two lengths differ inside a function body.
pub(super) fn lengths(span: Span, left: &str, right: &str) -> Diagnostic {
    Diagnostic::new(
        "L0214",
        span,
        format!("two lengths must be equal here, but one is {left} and the other {right}"),
    )
}

/// A constant whose value has another type.
pub(super) fn constant_type(span: Span, name: &str, declared: &str, found: &str) -> Diagnostic {
    Diagnostic::new("L0241", span, format!("`{name}` is declared as {declared}, but its value is {found}"))
}

/// `[]`
pub(super) fn empty_array(span: Span) -> Diagnostic {
    Diagnostic::new("L0242", span, "an array literal needs at least one element")
}

/// A size that the compiler cannot compute with.
pub(super) fn size_too_large(span: Span) -> Diagnostic {
    Diagnostic::new("L0215", span, "a size in this type is too large or too complicated to compute with")
        .help("use fewer operations in size expressions")
}

/// A reduction of rows.
pub(super) fn array_accumulator(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(
        "L0216",
        span,
        format!("`reduce` combines scalars or tuples of them so far; these elements are {ty}"),
    )
    .help("reduce each column instead: `xs.transpose().map(reduce(add, 0.0))`")
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
    .help("a launcher takes scalars and arrays of `f32`, `i32`, `u8`, `bool` or `usize`")
}
