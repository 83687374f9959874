//! What users are told about names and calls: one function per fault.
//!
//! Codes L0101–L0119, L0140, L0150–L0179 and L0401. Faults of shape are in `error`.

use super::ast::Literal;
use super::error_grammar::scalar_of_c;
use super::resolve::fun::{Kind, Slot, describe_slots};
use super::resolve::{elsewhere, snake_case};
use crate::diag::Diagnostic;
use crate::span::Span;
use crate::text::{count, list};

fn new(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

fn did_you_mean(fault: Diagnostic, near: Option<&str>) -> Diagnostic {
    match near {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault,
    }
}

// L0101–L0109: names.

pub(super) fn unknown_function(span: Span, name: &str, near: Option<&str>) -> Diagnostic {
    did_you_mean(new("L0101", span, format!("there is no primitive or function called `{name}`")), near)
}

pub(super) fn unknown_value(span: Span, name: &str, near: Option<&str>) -> Diagnostic {
    did_you_mean(new("L0101", span, format!("there is nothing called `{name}` here")), near)
}

pub(super) fn unknown_constant(span: Span, name: &str, ty: &str, near: Option<&str>) -> Diagnostic {
    let last = name.rsplit("::").next().unwrap_or(name);
    let fault = new("L0101", span, format!("`{name}` is not a constant that Lift knows"));
    match near {
        Some(near) if near.ends_with("NAN") => {
            fault.help(format!("did you mean `{near}`? To ask whether a number is none, write `x.is_nan()`"))
        }
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault.help(format!("define it in this block: `const {last}: {ty} = …;`")),
    }
}

/// `u32::from(x)`
pub(super) fn conversion(span: Span, name: &str, ty: &str) -> Diagnostic {
    new("L0101", span, format!("there is no primitive or function called `{name}`"))
        .help(format!("to convert a number, write `x as {ty}`"))
}

/// A value that Lift writes in another way.
pub(super) fn other_value(span: Span, name: &str, help: &str) -> Diagnostic {
    new("L0101", span, format!("there is nothing called `{name}` here")).help(help)
}

pub(super) fn free_variable(span: Span, name: &str) -> Diagnostic {
    new("L0101", span, format!("there is nothing called `{name}` here"))
        .note("a macro cannot see the variables around it")
        .help(format!("make it a parameter of the function: `{name}: f32`"))
}

/// `owner`: what the user calls the value; `help`: what Lift has instead.
pub(super) fn no_field(span: Span, name: &str, owner: Option<&str>, help: Option<&str>) -> Diagnostic {
    let fault = new(
        "L0257",
        span,
        format!("there is no field called `{name}`: values are numbers, tuples and arrays"),
    );
    let owner = owner.unwrap_or_default();
    match help {
        Some(help) => fault.help(help),
        None => fault.help(format!(
            "the parts of a tuple are `{owner}.0`, `{owner}.1`, …; the elements of an array are `{owner}[0]`, \
             `{owner}[1]`, …"
        )),
    }
}

pub(super) fn type_as_value(span: Span, name: &str, called: bool) -> Diagnostic {
    let wanted = if called { "a function" } else { "a value" };
    new("L0105", span, format!("`{name}` is a type, and {wanted} is needed here"))
        .help(format!("to convert a number, write `x as {name}`"))
}

pub(super) fn value_as_type(span: Span, name: &str, what: &str) -> Diagnostic {
    new("L0105", span, format!("`{name}` is {what}, and a type is needed here"))
        .help(format!("lengths stand after the `;`: `[f32; {name}]`"))
}

pub(super) fn rust_name(span: Span, name: &str, instead: &str) -> Diagnostic {
    new("L0101", span, format!("there is no primitive or function called `{name}`")).help(instead)
}

/// `slots` are the parameters of what is meant.
pub(super) fn spelling(span: Span, name: &str, spelled: &str, slots: &[Slot]) -> Diagnostic {
    let fault = new("L0102", span, format!("`{name}`: Lift for Rust spells it `{spelled}`"));
    with_dimension(fault, spelled, slots)
}

/// Says where the dimension stands, if there is one.
fn with_dimension(fault: Diagnostic, name: &str, slots: &[Slot]) -> Diagnostic {
    match slots {
        [Slot { name: d, kind: Kind::Size }, ..] if d == "d" => {
            fault.help(format!("the dimension comes first, 0, 1 or 2: `{name}(0, f)`"))
        }
        _ => fault,
    }
}

pub(super) fn unknown_type(span: Span, name: &str, near: Option<&str>) -> Diagnostic {
    let fault = new("L0105", span, format!("there is no type called `{name}`"));
    let digits = name.trim_start_matches(|c: char| c.is_alphabetic());
    let vector = scalar_of_c(name.trim_end_matches(|c: char| c.is_ascii_digit()));
    match (scalar_of_c(name).or(near), vector) {
        _ if matches!(name, "i128" | "u128") => fault.note("devices have no integers of more than 64 bits"),
        _ if matches!(name, "bf16" | "f128") => fault.note("the float types are `f16`, `f32` and `f64`"),
        (Some(near), _) => fault.help(format!("did you mean `{near}`?")),
        (None, Some(scalar)) if !digits.is_empty() => fault.help(format!(
            "write an array, `[{scalar}; {digits}]`, or a tuple; which vectors the device computes with is the \
             compiler's choice"
        )),
        (None, _) if name.starts_with(char::is_uppercase) && name.len() > 1 => fault
            .note("a macro cannot see types that are defined outside it")
            .help(format!("define it in this block: `struct {name} {{ … }}` with its fields, or `type {name} = …;`")),
        (None, _) => fault.help(
            "the scalar types are `f16 f32 f64`, `i8 i16 i32 i64`, `u8 u16 u32 u64`, `usize` and `bool`",
        ),
    }
}

pub(super) fn not_a_value_type(span: Span, what: &str) -> Diagnostic {
    new("L0105", span, format!("{what} cannot be part of a value: only a parameter can have this type")).help(
        "add a parameter for what is still missing: with fewer arguments, a call is a function of the others",
    )
}

pub(super) fn annotation(span: Span) -> Diagnostic {
    new("L0105", span, "the parameters of closures and what `let` binds with a type are values")
        .help("to pass a function, a size or a boundary, make it a parameter of a `fn`")
}

pub(super) fn kernel_parameter(span: Span, what: &str) -> Diagnostic {
    let fault = new("L0105", span, format!("{what} cannot be passed to a kernel at run time"));
    fault.help(
        "parameters of kernels are numbers, tuples and arrays; sizes come from the arrays: `xs: [f32; N]`",
    )
}

/// `known`: the sizes that there are.
pub(super) fn unknown_size(span: Span, name: &str, near: Option<&str>, known: &[&str]) -> Diagnostic {
    let fault = new("L0106", span, format!("there is no size called `{name}` here"));
    let fault =
        fault.note("sizes are size variables in the types of parameters, `Nat` parameters and constants");
    match (near, known) {
        (None, [_, ..]) => {
            let verb = if known.len() == 1 { "size here is" } else { "sizes here are" };
            fault.help(format!("the {verb} {}", list(known, "and")))
        }
        _ => did_you_mean(fault, near),
    }
}

pub(super) fn not_a_size(span: Span, name: &str) -> Diagnostic {
    new("L0106", span, format!("`{name}` is not a size"))
}

pub(super) fn undetermined_size(span: Span, name: &str) -> Diagnostic {
    new("L0106", span, format!("nothing says how large `{name}` is: it occurs in no parameter's type"))
        .help("use it in the type of an array that is passed in, or make it a `const`")
}

pub(super) fn recursive_alias(span: Span, name: &str) -> Diagnostic {
    new("L0150", span, format!("the type `{name}` contains itself"))
}

// L0110–L0119: calls.

/// An argument that does not stand in the parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Other {
    /// There is none.
    None,
    /// The first: `x.powi(2)`.
    First,
    /// The last: `xs.map(f)`, `g . map(f)`.
    Last,
}

/// `slide2d(size, step)`
fn form(name: &str, slots: &[Slot]) -> String {
    let names: Vec<&str> = slots.iter().map(|slot| slot.name.as_str()).collect();
    format!("`{name}({})`", names.join(", "))
}

/// `wrote` arguments stand in the parentheses; the one before the dot or from the function before is not
/// among them.
pub(super) fn too_few(
    span: Span,
    name: &str,
    forms: &[Vec<Slot>],
    wrote: usize,
    other: Other,
    first: Option<&Literal>,
    owner: Option<&str>,
) -> Diagnostic {
    let empty = Vec::new();
    let hidden = usize::from(other != Other::None);
    let near = forms.iter().find(|slots| slots.len() > wrote + hidden).or(forms.last());
    let shown = match (other, near.unwrap_or(&empty).as_slice()) {
        (Other::First, [_, shown @ ..]) | (Other::Last, [shown @ .., _]) => shown,
        // With more missing than the array, the array is not the problem.
        (Other::None, [shown @ .., Slot { kind: Kind::Array, .. }]) if shown.len() > wrote => shown,
        (_, slots) => slots,
    };
    let given = match wrote {
        0 => "none was given".to_string(),
        1 => "1 was given".to_string(),
        n => format!("{n} were given"),
    };
    let takes = count(shown.len(), "argument");
    let message = format!("`{name}` takes {takes}, {}, but {given}", form(name, shown));
    let fault = new("L0110", span, message);
    match first {
        Some(Literal::Int(size, _)) if name.starts_with("slide") && shown.len() == 2 => {
            fault.help(format!("a stencil moves by one element: `{name}({size}, 1)`"))
        }
        Some(Literal::Int(size, _)) if name == "pad" && wrote == 2 => {
            fault.help(format!("each side has a number of its own: `pad({size}, {size}, …)`"))
        }
        Some(Literal::Int(size, _)) if name == "pad2d" && wrote == 2 => {
            fault.help(format!("rows and columns have numbers of their own: `pad2d({size}, {size}, …)`"))
        }
        _ if matches!(name, "reduce" | "scan" | "fold") && wrote == 1 => fault.help(
            "the other is the start, which changes nothing: `0.0` for sums, `1.0` for products, \
             `f32::NEG_INFINITY` for `max`, `f32::INFINITY` for `min`",
        ),
        _ if matches!(name, "max" | "min") && wrote == 0 => {
            let help = if name == "max" { elsewhere::LARGEST } else { elsewhere::SMALLEST };
            fault.help(elsewhere::about(help, owner))
        }
        _ => with_dimension(fault, name, shown),
    }
}

/// `method`: what stands before the dot, and whether that is the first argument.
pub(super) fn too_many(
    span: Span,
    name: &str,
    slots: &[Slot],
    extra: usize,
    method: (Option<&str>, bool),
) -> Diagnostic {
    let takes = describe_slots(slots);
    let extra = match extra {
        1 => "one argument".to_string(),
        n => format!("{n} arguments"),
    };
    let fault = new("L0110", span, format!("`{name}` takes {takes}; {extra} too many"));
    if name.starts_with("zip") && slots.len() > 3 {
        return fault.help(format!(
            "nest them: `{name}({name}(a, b), {name}(c, d))` has the elements `((a, b), (c, d))`, with up to {} in each",
            slots.len()
        ));
    }
    match (method, slots) {
        (_, []) => fault,
        ((None, _), slots) => fault.help(format!("write {}", form(name, slots))),
        ((Some(owner), true), [_, rest @ ..]) | ((Some(owner), false), [rest @ .., _]) => {
            fault.help(format!("write {}", form(&format!("{owner}.{name}"), rest)))
        }
    }
}

pub(super) fn too_many_for_closure(span: Span, params: usize, extra: usize) -> Diagnostic {
    let takes = count(params, "argument");
    new("L0110", span, format!("this closure takes {takes}; {extra} too many"))
}

pub(super) fn wrong_kind(
    span: Span,
    name: &str,
    slot: &Slot,
    takes: &str,
    names: &[&str],
    found: &str,
) -> Diagnostic {
    let wanted = slot.kind.describe(1);
    let fault = new(
        "L0111",
        span,
        format!("`{name}` takes {takes}; `{}` is {wanted}, but this is {found}", slot.name),
    );
    let call = format!("`{name}({})`", names.join(", "));
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            fault.help(format!("write {call} or `{last}.{name}({})`", rest.join(", ")))
        }
        _ => fault.help(format!("write {call}")),
    }
}

/// Where a name that is no size comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoSize {
    /// A parameter of a kernel: a value that only the launch knows.
    KernelParameter,
    /// A parameter of a helper.
    HelperParameter,
    /// Anything else.
    Other,
}

/// `-1`
pub(super) fn negative_size(span: Span) -> Diagnostic {
    new("L0112", span, "a size cannot be negative")
        .help("to leave elements out, write `drop(k)`, `take(k)` or `crop(l, r)`")
}

pub(super) fn not_a_constant_size(span: Span, name: Option<&str>, origin: NoSize) -> Diagnostic {
    let what = name.map_or_else(|| "this".to_string(), |name| format!("`{name}`"));
    let fault = new("L0112", span, format!("{what} must be a size known when the kernel is compiled"));
    let fault = match (name, origin) {
        (Some(name), NoSize::KernelParameter) => {
            let upper = name.to_uppercase();
            let constant = if name.len() > 1 { upper.as_str() } else { "SIZE" };
            fault.help(format!(
                "take it from the length of an array that is passed in, as `R` in `weights: [f32; 2 * R + 1]`, or \
                 make it a constant, `const {constant}: usize = …;`"
            ))
        }
        (Some(name), NoSize::HelperParameter) => {
            fault.help(format!("declare the parameter as `{name}: Nat`"))
        }
        _ => fault,
    };
    fault.note("that is a number, a size variable, a `Nat` parameter or a constant, or `+ - * / %`, `min`, `max`, `div_ceil` of them")
}

pub(super) fn size_literal(span: Span) -> Diagnostic {
    new("L0112", span, "this number cannot be a size")
        .help("sizes are of type `usize` and stay below 2147483648")
}

const BOUNDARIES: &str =
    "boundaries are `clamp`, `mirror`, `reflect`, `wrap`, `constant(0.0)`, `value(|i, n| …)` and `|i, n| …`";

pub(super) fn not_a_boundary(span: Span, name: Option<&str>) -> Diagnostic {
    let fault = match name {
        Some(name) => new("L0113", span, format!("`{name}` is not a boundary")),
        None => new("L0113", span, "a boundary is needed here"),
    };
    let near = name
        .and_then(|name| crate::text::did_you_mean(name, ["clamp", "mirror", "reflect", "wrap", "constant"]));
    match (near, name) {
        (Some(near), _) => fault.help(format!("did you mean `{near}`?")),
        (None, Some("zero" | "zeros" | "zeroes")) => fault.help("write `constant(0.0)`"),
        (None, Some("nearest" | "edge" | "replicate" | "border")) => fault.help("write `clamp`"),
        (None, Some("periodic" | "circular" | "cyclic")) => fault.help("write `wrap`"),
        (None, Some("symmetric")) => fault.help("write `mirror`"),
        (None, _) => fault.help(BOUNDARIES),
    }
}

pub(super) fn number_boundary(span: Span) -> Diagnostic {
    new("L0113", span, "a boundary is needed here, not a number")
        .help("for a fixed value, write `constant(0.0)`")
}

pub(super) fn constant_boundary(span: Span) -> Diagnostic {
    new("L0113", span, "`constant` needs the value outside the array").help("write `constant(0.0)`")
}

pub(super) fn value_boundary(span: Span) -> Diagnostic {
    new("L0113", span, "a function of an index and the length is needed here")
        .help("write `value(|i, n| …)`, where `i` is below 0 or at least `n`")
}

pub(super) fn boundary_as_value(span: Span, name: &str) -> Diagnostic {
    new("L0113", span, format!("`{name}` is a boundary: it can only be passed to `pad` and the like"))
}

/// `xs.map[f]`
pub(super) fn brackets_of_call(span: Span, name: &str) -> Diagnostic {
    new("L0114", span, format!("`{name}` is called with parentheses, not with brackets"))
        .help(format!("write `.{name}(…)`"))
}

/// `xs.map(x| e)`
pub(super) fn missing_bar(span: Span, param: &str) -> Diagnostic {
    new("L0111", span, "a function is needed here, and this is `a | b` on numbers")
        .help(format!("a closure has two bars: `|{param}| …`"))
}

pub(super) fn method_without_parentheses(span: Span, name: &str) -> Diagnostic {
    new("L0114", span, format!("`{name}` is applied to a value here, so it needs parentheses"))
        .note("`.` without them composes functions, and the left side is a value")
        .help(format!("write `.{name}()`"))
}

pub(super) fn closure_without_parameters(span: Span) -> Diagnostic {
    new("L0115", span, "a function without parameters is a value").help("leave out `||`")
}

pub(super) fn not_a_function(span: Span, name: Option<&str>) -> Diagnostic {
    let what = name.map_or_else(|| "this".to_string(), |name| format!("`{name}`"));
    let fault = new("L0116", span, format!("{what} is a value, not a function"));
    match name {
        Some(name) => fault.help(format!("to read an element of an array, write `{name}[i]`")),
        None => fault,
    }
}

pub(super) fn shift(span: Span) -> Diagnostic {
    new("L0117", span, "`<<` applies a function, and the left side is a value")
        .help("to shift, write `x.wrapping_shl(n)`")
}

// L0140: results that are functions.

/// `all`: what it takes, together with what it still waits for.
pub(super) fn function_as_value(
    span: Span,
    name: Option<&str>,
    all: &[Slot],
    missing: &[Slot],
) -> Diagnostic {
    let what = name.map_or_else(|| "this function".to_string(), |name| format!("`{name}`"));
    let waits = match missing {
        [] => "is a function".to_string(),
        slots => {
            let names: Vec<&str> = slots.iter().map(|slot| slot.name.as_str()).collect();
            format!("still waits for {} ({})", list(&names, "and"), describe_slots(slots))
        }
    };
    let fault = new("L0140", span, format!("a value is needed here, but {what} {waits}"));
    match (missing, name) {
        ([], Some(name)) => fault.help(format!("call it: `{name}()`")),
        (_, Some(name)) => fault.help(format!("write {}", form(name, all))),
        _ => fault,
    }
}

/// `[sqrt, abs]`, `(sqrt, abs)`
pub(super) fn stored_function(span: Span, array: bool) -> Diagnostic {
    let what = if array { "an array" } else { "a tuple" };
    new("L0140", span, format!("a function is no value: it cannot be stored in {what}"))
        .help("bind each function by itself, `let f = sqrt;`, or pass it to a `fn` of the block: `f: fn(f32) -> f32`")
}

pub(super) fn never_receives(span: Span, function: &str, param: &str) -> Diagnostic {
    new("L0140", span, format!("`{function}` never receives `{param}`"))
        .note("its body is a function that still waits for an argument")
        .help(format!("apply it, `… << {param}`, or start from the data: `{param}. …`"))
}

pub(super) fn body_is_function(span: Span, function: &str, missing: &[Slot]) -> Diagnostic {
    let names: Vec<&str> = missing.iter().map(|slot| slot.name.as_str()).collect();
    let waits = list(&names, "and");
    new("L0140", span, format!("the body of `{function}` is a function: it still waits for {waits}"))
        .help("give it its last argument, or add a parameter and pass that")
}

// L0150 and on: the block as a whole.

pub(super) fn recursion(span: Span, circle: &[String]) -> Diagnostic {
    let message = match circle {
        [] => "this needs itself".to_string(),
        [one] => format!("`{one}` needs itself"),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|name| format!("`{name}`, which needs ")).collect();
            format!("`{first}` needs {}`{first}`", rest.concat())
        }
    };
    new("L0150", span, message)
        .note("there is no recursion: every function is written out where it is used")
        .help(
            "work on whole arrays: `map` for every element, `reduce` for one result of all; what is done again and \
             again is `iterate(n, f, x)`",
        )
}

pub(super) fn kernel_beside_expression(span: Span) -> Diagnostic {
    new("L0160", span, "a `lift!` with a result is one kernel, so it cannot define others")
        .help("remove `#[kernel]`, or put the kernel into a `lift!` of its own")
}

pub(super) fn duplicate(span: Span, name: &str, what: &str) -> Diagnostic {
    new("L0160", span, format!("`{name}` is {what}")).help("choose another name")
}

pub(super) fn unused_parameter(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning("L0170", span, format!("parameter `{name}` is never used"))
        .help(format!("remove it, or call it `_{name}`"))
}

/// A function that looks like a kernel.
pub(super) fn no_kernel(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(
        "L0172",
        span,
        format!("`{name}` is no kernel: it has no `#[kernel]`, and the block has none"),
    )
    .help(format!(
        "write `#[kernel]` above it; if it is a helper, give it a name like `{}`",
        snake_case(name)
    ))
}

pub(super) fn unused_size(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning("L0171", span, format!("size variable `{name}` is never used"))
        .help(format!("remove it, or call it `_{name}`"))
}

// L0401: what a macro cannot see.

/// A kernel of another block, as its name says.
pub(super) fn kernel_outside(span: Span, name: &str) -> Diagnostic {
    let last = name.rsplit("::").next().unwrap_or(name);
    new("L0401", span, format!("`{name}` is not defined in this `lift!` block"))
        .note("a macro sees its own block only: kernels and structs of other blocks cannot be used in it")
        .help(format!(
            "move `{last}` into this block; or launch it before, and pass its result as a parameter"
        ))
}

/// `Blur::on(…)`
pub(super) fn launcher_within(span: Span, name: &str, kernel: &str) -> Diagnostic {
    new("L0401", span, format!("`{name}` belongs to the host: within a block, a kernel is a function"))
        .help(format!("call it: `{kernel}(…)`"))
}

/// `value`: it is not called.
pub(super) fn outside(span: Span, name: &str, value: bool) -> Diagnostic {
    let last = name.rsplit("::").next().unwrap_or(name);
    let fault = new("L0401", span, format!("`{name}` is not defined in this `lift!` block"));
    if value && last.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_') {
        return fault
            .note("a macro cannot see the value of a constant written outside it")
            .help(format!("define it in the block, `const {last}: f32 = …;`, or pass it as a parameter"));
    }
    fault
        .note("a macro cannot see the body of a function written outside it")
        .help(format!("move `fn {last}(..)` into the block (without `#[kernel]` it is a helper)"))
}
