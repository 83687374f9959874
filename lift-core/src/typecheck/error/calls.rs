//! What is said about the arguments of calls: data, functions, start values, boundaries and indices.

use crate::diag::{Diagnostic, faults};
use crate::ir::types::MOST_PARTS;
use crate::ir::{BinaryOp, ByKey, Literal, MathFn, Prim, Scalar, Type};
use crate::span::Span;
use crate::text::count;
use crate::typecheck::error::{is_float, is_integer, number_help, spoken};

faults! { pub(in crate::typecheck),
    /// A function argument returns something else.
    "L0207" function_result(callee, expected, found): "`{callee}` needs this function to return {expected}, but it \
     returns {found}";
    /// A boundary function that gives values of another type.
    "L0208" boundary_value_type(found, element): "the boundary `value(..)` gives {found}, but the elements are \
     {element}";
    /// A boundary function that gives no index.
    "L0208" boundary_index_type(found): "a boundary function gives an index, but this is {found}",
        help "for a value in the place of an element, write `value(|i, n| …)`";
    /// Indices that are no integers.
    "L0209" indices_type(callee, found): "the indices of `{callee}` are integers; these are {found}",
        help "convert them: `.map(|i| i as usize)`";
    /// `unzip` of something else than tuples.
    "L0261" unzip_of(ty): "`unzip` takes an array of tuples apart, and this is {ty}",
        note "the tuples have two parts or more";
    /// Functions call functions that call functions, each more than once; here `callee` is called again.
    "L0272" too_many_calls(name, callee): "`{name}` becomes too large to compile: it calls `{callee}` again",
        note "a call stands for the body of the function, with all calls in it",
        help "call `{callee}` once, and use what it returned again: `let y = {callee}(…); …`";
    /// A function has too many terms, those of the functions that it calls included.
    "L0272" too_many_terms(name): "`{name}` becomes too large to compile",
        note "a call stands for the body of the function, with all calls in it",
        help "make several kernels of it; pass long lists of numbers as arrays, and let `iterate` repeat things";
    /// Tuples of tuples, each with the one before in it more than once.
    "L0272" too_many_parts(): "the type of this has more than {MOST_PARTS} parts",
        note "a tuple of tuples has all of their parts",
        help "keep only the parts that are used, or put parts of one type into an array";
    /// A dimension that does not exist.
    "L0280" no_dimension(name, d): "the dimension of `{name}` is 0, 1 or 2, and this is {d}",
        help "write `{name}(0, …)` for the innermost map: in dimension 0, neighbours compute neighbouring elements";
    /// A boundary constant of another type.
    "L0208" boundary_type(found: &str, element: &str, literal: Option<&str>):
        "the boundary `constant(..)` is {}, but the elements are {element}" (spoken(found))
        => number_help(found, element, literal);
    /// A boundary that negates what has no sign.
    "L0208" negated_elements(found): "`negated(..)` is the boundary of arrays of signed numbers, but the elements are {found}",
        help "negate what has a sign before it is put together with the rest: `zip(a.pad(1, 1, negated(mirror)), b.pad(1, 1, mirror))`";
    /// A start value that is not neutral.
    "L0331" not_an_identity(callee, op: BinaryOp, z, right):
        "`{callee}` may use its start value any number of times, so it must be neutral; {z} is not for `{}`"
            (op.symbol()),
        help "write `{right}`, and apply `{} {z}` once, to the result" (op.symbol());
    /// A function argument with the wrong number of parameters.
    "L0206" wrong_arity(callee, expected: usize, found): "`{callee}` calls this function with {}, but it has {found}"
        (count(expected, "argument"));
}

/// The steps of a chain in the wrong order.
pub(in crate::typecheck) fn order(
    first: &Diagnostic,
    composed: bool,
    order: &[String],
    proposal: &str,
) -> Diagnostic {
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
pub(in crate::typecheck) fn argument(
    span: Span,
    callee: &str,
    param: &str,
    expected: &str,
    found: &str,
    literal: Option<&str>,
) -> Diagnostic {
    let place = if param.is_empty() { String::new() } else { format!(" for `{param}`") };
    let this = literal.map_or_else(|| "this".to_string(), |literal| format!("`{literal}`"));
    let message = format!("`{callee}` takes {expected}{place}, but {this} is {}", spoken(found));
    let d = Diagnostic::new("L0200", span, message);
    match (callee, found) {
        ("powi", "{float}" | "f32" | "f64") => match literal.and_then(|literal| literal.strip_suffix(".0")) {
            Some(whole) => d.help(format!("write `{whole}`, or use `powf`")),
            None => d.help("for an exponent that is no whole number, use `powf`"),
        },
        (_, "{float}" | "{integer}") => d.help_if(number_help(found, expected, literal)),
        _ if !found.starts_with(['[', '(', '_']) => {
            let slide = window_of(expected);
            d.help_if(slide.map(|slide| format!("to call it with neighbours, put `{slide}` before")))
        }
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
pub(in crate::typecheck) fn too_few_dimensions(
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
    let has = match found {
        0 => format!("{name} is {ty}, no array"),
        _ => format!("{name} has {}: {ty}", word(found)),
    };
    let message = match wanted {
        1 => format!("`{callee}` needs an array; {has}"),
        _ => format!("`{callee}` needs an array of {} or more dimensions; {has}", word(wanted)),
    };
    let d = Diagnostic::new("L0203", span, message);
    match callee.strip_suffix("2d").or(callee.strip_suffix("3d")) {
        Some("zip") if found == 1 => {
            let array = name.trim_matches('`');
            d.help(format!(
                "to pair it with every row of the other, write `repeat(n, {array})`, with the number of rows"
            ))
        }
        Some(base) if found == 1 => d.help(format!("use `{base}`")),
        Some(base) if found == 2 => d.help(format!("use `{base}2d`")),
        _ => d,
    }
}

/// What to write for an operator that needs its operands in order.
fn in_order(op: &str, start: &str) -> String {
    format!("to go strictly left to right on one work-item, use `fold({op}, {start})`")
}

/// An operator that may not be regrouped.
pub(in crate::typecheck) fn not_associative(
    span: Span,
    callee: &str,
    op: BinaryOp,
    start: &str,
) -> Diagnostic {
    let s = op.symbol();
    let message =
        format!("`{callee}` may regroup its operands, so its operator must be associative; `a {s} b` is not");
    let d = Diagnostic::new("L0330", span, message);
    match op {
        BinaryOp::Sub if callee == Prim::ReduceByKey(ByKey::Whole).name() => d.help(format!(
            "add, and subtract the sums: `{callee}(bins, add, {start}, keys, xs).map(|sum| … - sum)`"
        )),
        BinaryOp::Sub => d.note("(0 - 0) - 1 = -1, but 0 - (0 - 1) = 1").help(in_order("sub", start)),
        BinaryOp::Div => d.note("(8 / 4) / 2 = 1, but 8 / (4 / 2) = 4").help(in_order("div", start)),
        _ => d,
    }
}

/// An index that is no `usize`.
/// `array`: what is indexed, and its last index; `parts`: those of an index that is a tuple or an array.
pub(in crate::typecheck) fn index_type(
    span: Span,
    found: &str,
    text: Option<&str>,
    (array, limit): (&str, Option<&str>),
    parts: Option<Vec<String>>,
) -> Diagnostic {
    let d = Diagnostic::new("L0209", span, format!("an index is a `usize`; this is {}", spoken(found)));
    if let Some(parts) = parts {
        let brackets: Vec<String> = parts.iter().map(|part| format!("[{part}]")).collect();
        return d.help(format!("every index has brackets of its own: `{array}{}`", brackets.concat()));
    }
    let number = found != "u8" && Scalar::from_name(found).is_some_and(Scalar::is_number);
    match (found, text) {
        ("{float}", _) => d.help("write a whole number"),
        (_, Some(text)) if number && limit.is_some() => d.help(format!(
            "convert it, and say what lies outside: `{array}[({text} as usize).min({})]`",
            limit.unwrap_or_default()
        )),
        (_, Some(text)) => d.help(format!("convert it: `{text} as usize`")),
        (_, None) => d.help("convert it: `… as usize`"),
    }
}

/// A sum or product that wraps in few bits.
pub(in crate::typecheck) fn narrow_accumulator(
    span: Span,
    callee: &str,
    op: BinaryOp,
    scalar: Scalar,
    element: &Type,
) -> Diagnostic {
    let (adds, sums, wrapping) = match op {
        BinaryOp::Mul => ("multiplies", "products", "wrapping_mul"),
        _ => ("adds", "sums", "wrapping_add"),
    };
    let largest = scalar.range().map_or(0, |(_, high)| high);
    let message = format!("`{callee}` {adds} in `{scalar}`, where {sums} wrap around beyond {largest}");
    Diagnostic::warning("L0332", span, message).help(format!(
        "convert the elements before, `.map({})`; if wrapping is meant, write `{wrapping}`",
        widening(element, scalar)
    ))
}

/// The function that makes elements wide enough: `|(a, b)| (a as u32, b)` for pairs.
fn widening(element: &Type, scalar: Scalar) -> String {
    let cast = |name: &str, ty: &Type| match ty.as_scalar() {
        Some(own) if own.is_integer() && own.bytes() <= scalar.bytes() => {
            format!("{name} as {}", if own.is_signed() { "i32" } else { "u32" })
        }
        _ => name.to_string(),
    };
    match element {
        Type::Tuple(parts) => {
            let names: Vec<String> = ('a'..='z').map(String::from).take(parts.len()).collect();
            let casts: Vec<String> =
                names.iter().zip(parts.iter()).map(|(name, ty)| cast(name, ty)).collect();
            format!("|({})| ({})", names.join(", "), casts.join(", "))
        }
        Type::Scalar(_) | Type::Array(..) => format!("|v| {}", cast("v", element)),
    }
}

/// `scan(|sum, x| 0.5 * sum + x, 0.0)`
pub(in crate::typecheck) fn found_not_associative(
    span: Span,
    prim: Prim,
    values: &[String],
    [left, right]: &[String; 2],
) -> Diagnostic {
    let callee = prim.name();
    let message = format!("`{callee}` may regroup its operands, and this function is not associative");
    let (letters, values) = ("a, b, c", values.join(", "));
    let found = format!("with {letters} = {values}: f(f(a, b), c) = {left}, but f(a, f(b, c)) = {right}");
    let d = Diagnostic::warning("L0334", span, message).note(found);
    match prim {
        Prim::Scan(_) => {
            d.help("to go strictly left to right on one work-item, use `scan_seq`, or `scan_with` for a state of its own")
        }
        Prim::Reduce(_) => d.help("to go strictly left to right on one work-item, use `fold`"),
        _ => d.help("compute what is needed of an element before, with `map`, and combine with an associative function"),
    }
}

/// A start value of a function whose neutral element is not known, which counts as often as it is used. `known`: its value is.
pub(in crate::typecheck) fn start_counts(
    span: Span,
    callee: &str,
    known: bool,
    x: &str,
    [once, twice]: &[String; 2],
) -> Diagnostic {
    let (message, z) = if known {
        (
            format!("`{callee}` may use its start value any number of times, and this one is not neutral"),
            "this z",
        )
    } else {
        let message = format!(
            "`{callee}` may use its start value any number of times; whether this one is neutral is not known"
        );
        (message, "a z that is not")
    };
    Diagnostic::warning("L0335", span, message)
        .note(format!("with {z} and x = {x}: f(z, x) = {once}, but f(z, f(z, x)) = {twice}"))
        .help("write the neutral element, and apply the function to this value and the result, once")
}

/// `reduce(max, 0.0)`
pub(in crate::typecheck) fn extremum_from_zero(
    span: Span,
    callee: &str,
    function: MathFn,
    start: Literal,
) -> Diagnostic {
    let ty = start.scalar();
    let start = match start.as_float() {
        Some(0.0) => "0.0".to_string(),
        _ => format!("{ty}::MIN_POSITIVE"),
    };
    let (elements, superlative, neutral) = match function {
        MathFn::Max => ("negative", "largest", "NEG_INFINITY"),
        _ => ("positive", "smallest", "INFINITY"),
    };
    let name = function.name();
    let message = format!(
        "`{callee}({name}, {start})` yields {start} where all elements are {elements}: the start counts as one of them"
    );
    Diagnostic::warning("L0333", span, message).help(format!(
        "for the {superlative} element, start from `{ty}::{neutral}`; if {start} counts, too, append `.{name}({start})`"
    ))
}

/// `reduce` with a start value of another type.
/// `rows`: what to do about elements that are arrays.
pub(in crate::typecheck) fn identity_type(
    span: Span,
    callee: &str,
    found: &str,
    element: &str,
    rows: Option<String>,
) -> Diagnostic {
    let message = format!("`{callee}` starts from {} here, but the elements are {element}", spoken(found));
    let help = match (found, element) {
        ("{float}", ty) if is_integer(ty) => "write `0`: an integer literal takes the elements' type",
        ("{integer}", ty) if is_float(ty) => "write `0.0`",
        (_, ty) if ty.starts_with('(') && !found.starts_with('(') => {
            "`map` the elements to numbers before it; or use `fold`, whose state may be of another type than the elements"
        }
        (state, ty) if state.starts_with('(') && !ty.starts_with('(') => match callee {
            "scan" => {
                "a state of another type than the elements is for `scan_with(|state, x| (next, result), start)`"
            }
            "scan_right" => {
                "a state of another type than the elements is for `scan_right_with(|state, x| (next, result), start)`"
            }
            _ => {
                "`map` the elements to such values before it; or use `fold`, whose state may be of another type than the elements"
            }
        },
        _ => return Diagnostic::new("L0204", span, message).help_if(rows),
    };
    Diagnostic::new("L0204", span, message).help(help)
}

/// A function argument with the wrong number of parameters. `tuple`: the one argument's type, and the pattern that
/// takes it apart.
pub(in crate::typecheck) fn function_arity(
    span: Span,
    callee: &str,
    expected: usize,
    found: usize,
    tuple: Option<(String, String)>,
) -> Diagnostic {
    let help = match (tuple, expected, found) {
        (Some((ty, pattern)), ..) => format!("the argument is {ty}: write `|{pattern}| …`"),
        (None, 2, 1) => "write two parameters: `|a, b| …`".into(),
        (None, 1, 2) => "pairs come from `zip(a, b)`; to fix one of the two, write `|x| f(x, 2.0)`".into(),
        _ => return wrong_arity(span, callee, expected, found),
    };
    wrong_arity(span, callee, expected, found).help(help)
}
