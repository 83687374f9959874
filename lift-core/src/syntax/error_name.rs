//! What users are told about names and calls: one function per fault.
//!
//! Codes L0101–L0119, L0140, L0150–L0179 and L0401. Faults of shape are in `error`.

use super::ast::Literal;
use super::error_grammar::scalar_of_c;
use super::resolve::fun::{Kind, Slot, describe_slots};
use super::resolve::{elsewhere, snake_case};
use crate::diag::{Diagnostic, faults};
use crate::span::Span;
use crate::text::{count, did_you_mean, list, meant};

faults! { pub(super),
    /// `u32::from(x)`
    "L0101" conversion(name, ty): "there is no primitive or function called `{name}`",
        help "to convert a number, write `x as {ty}`";
    "L0101" unknown_function(name, near: Option<&str>): "there is no primitive or function called `{name}`"
        => meant(near);
    "L0101" unknown_value(name, near: Option<&str>): "there is nothing called `{name}` here" => meant(near);
    "L0101" rust_name(name, instead): "there is no primitive or function called `{name}`", help "{instead}";
    /// A value that Lift writes in another way.
    "L0101" other_value(name, instead): "there is nothing called `{name}` here", help "{instead}";
    "L0101" free_variable(name): "there is nothing called `{name}` here",
        note "a macro cannot see the variables around it",
        help "make it a parameter of the function: `{name}: f32`";
    "L0105" type_as_value(name, called: bool): "`{name}` is a type, and {} is needed here"
            (if called { "a function" } else { "a value" }),
        help "to convert a number, write `x as {name}`";
    "L0105" value_as_type(name, what): "`{name}` is {what}, and a type is needed here",
        help "lengths stand after the `;`: `[f32; {name}]`";
    "L0105" not_a_value_type(what): "{what} cannot be part of a value: only a parameter can have this type",
        help "add a parameter for what is still missing: with fewer arguments, a call is a function of the others";
    "L0105" annotation(): "the parameters of closures and what `let` binds with a type are values",
        help "to pass a function, a size or a boundary, make it a parameter of a `fn`";
    "L0105" kernel_parameter(what): "{what} cannot be passed to a kernel at run time",
        help "parameters of kernels are numbers, tuples and arrays; sizes come from the arrays: `xs: [f32; N]`";
    "L0106" not_a_size(name): "`{name}` is not a size";
    "L0106" undetermined_size(name): "nothing says how large `{name}` is: it occurs in no parameter's type",
        help "use it in the type of an array that is passed in, or make it a `const`";
    "L0150" recursive_alias(name): "the type `{name}` contains itself";
    "L0110" too_many_for_closure(params: usize, extra): "this closure takes {}; {extra} too many"
        (count(params, "argument"));
    "L0111" wrong_kind(name, slot: &Slot, takes, form, found):
        "`{name}` takes {takes}; `{}` is {}, but this is {found}" (slot.name, slot.kind.describe(1)),
        help "write {form}";
    /// `-1`
    "L0112" negative_size(): "a size cannot be negative",
        help "to leave elements out, write `drop(k)`, `take(k)` or `crop(l, r)`";
    "L0112" size_literal(): "this number cannot be a size",
        help "sizes are of type `usize` and stay below 2147483648";
    "L0113" number_boundary(): "a boundary is needed here, not a number",
        help "for a fixed value, write `constant(0.0)`";
    "L0113" constant_boundary(): "`constant` needs the value outside the array", help "write `constant(0.0)`";
    "L0113" negated_boundary(): "`negated` needs the boundary whose elements it negates",
        help "write `negated(mirror)`; the others are `reflect`, `wrap` and `clamp`";
    "L0113" value_boundary(): "a function of an index and the length is needed here",
        help "write `value(|i, n| …)`, where `i` is below 0 or at least `n`";
    "L0113" boundary_as_value(name): "`{name}` is a boundary: it can only be passed to `pad` and the like";
    /// `xs.map[f]`
    "L0114" brackets_of_call(name): "`{name}` is called with parentheses, not with brackets",
        help "write `.{name}(…)`";
    /// `xs.map(x| e)`
    "L0111" missing_bar(param): "a function is needed here, and this is `a | b` on numbers",
        help "a closure has two bars: `|{param}| …`";
    "L0114" method_without_parentheses(name): "`{name}` is applied to a value here, so it needs parentheses",
        note "`.` without them composes functions, and the left side is a value",
        help "write `.{name}()`";
    "L0115" closure_without_parameters(): "a function without parameters is a value", help "leave out `||`";
    "L0116" not_a_function(name: Option<&str>): "{} is a value, not a function" (quoted(name, "this"))
        => name.map(|name| format!("to read an element of an array, write `{name}[i]`"));
    "L0117" shift(): "`<<` applies a function, and the left side is a value",
        help "to shift, write `x.wrapping_shl(n)`";
    /// `[sqrt, abs]`, `(sqrt, abs)`
    "L0140" stored_function(array: bool): "a function is no value: it cannot be stored in {}"
            (if array { "an array" } else { "a tuple" }),
        help "bind each function by itself, `let f = sqrt;`, or pass it to a `fn` of the block: `f: fn(f32) -> f32`";
    "L0140" never_receives(function, param): "`{function}` never receives `{param}`",
        note "its body is a function that still waits for an argument",
        help "apply it, `… << {param}`, or start from the data: `{param}. …`";
    "L0140" body_is_function(function, missing: &[Slot]):
        "the body of `{function}` is a function: it still waits for {}" (list(&names(missing), "and")),
        help "give it its last argument, or add a parameter and pass that";
    "L0160" kernel_beside_expression(): "a `lift!` with a result is one kernel, so it cannot define others",
        help "remove `#[kernel]`, or put the kernel into a `lift!` of its own";
    "L0160" duplicate(name, what): "`{name}` is {what}", help "choose another name";
    warning "L0170" unused_parameter(name): "parameter `{name}` is never used", help "remove it, or call it `_{name}`";
    warning "L0171" unused_size(name): "size variable `{name}` is never used", help "remove it, or call it `_{name}`";
    /// A function that looks like a kernel.
    warning "L0172" no_kernel(name: &str): "`{name}` is no kernel: it has no `#[kernel]`, and the block has none",
        help "write `#[kernel]` above it; if it is a helper, give it a name like `{}`" (snake_case(name));
    /// `Blur::on(…)`
    "L0401" launcher_within(name, kernel): "`{name}` belongs to the host: within a block, a kernel is a function",
        help "call it: `{kernel}(…)`";
    /// A kernel of another block, as its name says.
    "L0401" kernel_outside(name: &str): "`{name}` is not defined in this `lift!` block",
        note "a macro sees its own block only: kernels and structs of other blocks cannot be used in it",
        help "move `{}` into this block; or launch it before, and pass its result as a parameter" (last(name));
    "L0401" constant_outside(name: &str): "`{name}` is not defined in this `lift!` block",
        note "a macro cannot see the value of a constant written outside it",
        help "define it in the block, `const {}: f32 = …;`, or pass it as a parameter" (last(name));
    "L0401" function_outside(name: &str): "`{name}` is not defined in this `lift!` block",
        note "a macro cannot see the body of a function written outside it",
        help "move `fn {}(..)` into the block (without `#[kernel]` it is a helper)" (last(name));
}

pub(super) fn unknown_constant(span: Span, name: &str, ty: &str, near: Option<&str>) -> Diagnostic {
    let message = format!("`{name}` is not a constant that Lift knows");
    Diagnostic::new("L0101", span, message).help(match near {
        Some(near) if near.ends_with("NAN") => {
            format!("did you mean `{near}`? To ask whether a number is none, write `x.is_nan()`")
        }
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("define it in this block: `const {}: {ty} = …;`", last(name)),
    })
}

/// `owner`: what the user calls the value; `help`: what Lift has instead.
pub(super) fn no_field(span: Span, name: &str, owner: Option<&str>, help: Option<String>) -> Diagnostic {
    let owner = owner.unwrap_or_default();
    let message = format!("there is no field called `{name}`: values are numbers, tuples and arrays");
    let parts = || {
        format!(
            "the parts of a tuple are `{owner}.0`, `{owner}.1`, …; the elements of an array are `{owner}[0]`, \
             `{owner}[1]`, …"
        )
    };
    Diagnostic::new("L0257", span, message).help(help.unwrap_or_else(parts))
}

/// `slots` are the parameters of what is meant.
pub(super) fn spelling(span: Span, name: &str, spelled: &str, slots: &[Slot]) -> Diagnostic {
    let fault = Diagnostic::new("L0102", span, format!("`{name}`: Lift for Rust spells it `{spelled}`"));
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
    let fault = Diagnostic::new("L0105", span, format!("there is no type called `{name}`"));
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

/// `known`: the sizes that there are.
pub(super) fn unknown_size(span: Span, name: &str, near: Option<&str>, known: &[&str]) -> Diagnostic {
    Diagnostic::new("L0106", span, format!("there is no size called `{name}` here"))
        .note("sizes are size variables in the types of parameters, `Nat` parameters and constants")
        .help_if(match known {
            [one] if near.is_none() => Some(format!("the size here is `{one}`")),
            [_, ..] if near.is_none() => Some(format!("the sizes here are {}", list(known, "and"))),
            _ => meant(near),
        })
}

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

fn names(slots: &[Slot]) -> Vec<&str> {
    slots.iter().map(|slot| slot.name.as_str()).collect()
}

/// `slide2d(size, step)`
pub(super) fn form(name: &str, slots: &[Slot]) -> String {
    format!("`{name}({})`", names(slots).join(", "))
}

/// `b` of `a::b`.
fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// `` `name` ``, or what stands for something without a name.
fn quoted(name: Option<&str>, otherwise: &str) -> String {
    name.map_or_else(|| otherwise.to_string(), |name| format!("`{name}`"))
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
    let fault = Diagnostic::new("L0110", span, message);
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
    let fault = Diagnostic::new("L0110", span, format!("`{name}` takes {takes}; {extra} too many"));
    match (method, slots) {
        (_, []) => fault,
        ((None, _), slots) => fault.help(format!("write {}", form(name, slots))),
        ((Some(owner), true), [_, rest @ ..]) | ((Some(owner), false), [rest @ .., _]) => {
            fault.help(format!("write {}", form(&format!("{owner}.{name}"), rest)))
        }
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

const BOUNDARIES: &str =
    "boundaries are `clamp`, `mirror`, `reflect`, `wrap`, `constant(0.0)`, `value(|i, n| …)` and `|i, n| …`";

pub(super) fn not_a_constant_size(span: Span, name: Option<&str>, origin: NoSize) -> Diagnostic {
    let message = format!("{} must be a size known when the kernel is compiled", quoted(name, "this"));
    let help = match (name, origin) {
        (Some(name), NoSize::KernelParameter) => {
            let constant = if name.len() > 1 { name.to_uppercase() } else { "SIZE".to_string() };
            Some(format!(
                "take it from the length of an array that is passed in, as `R` in `weights: [f32; 2 * R + 1]`, or \
                 make it a constant, `const {constant}: usize = …;`"
            ))
        }
        (Some(name), NoSize::HelperParameter) => Some(format!("declare the parameter as `{name}: Nat`")),
        _ => None,
    };
    Diagnostic::new("L0112", span, message).help_if(help)
        .note("that is a number, a size variable, a `Nat` parameter or a constant, or `+ - * / %`, `min`, `max`, `div_ceil` of them")
}

pub(super) fn not_a_boundary(span: Span, name: Option<&str>) -> Diagnostic {
    let message = name.map_or_else(
        || "a boundary is needed here".to_string(),
        |name| format!("`{name}` is not a boundary"),
    );
    let near = name
        .and_then(|name| did_you_mean(name, ["clamp", "mirror", "reflect", "wrap", "constant", "negated"]));
    Diagnostic::new("L0113", span, message).help(meant(near).unwrap_or_else(|| {
        let known = match name.unwrap_or_default() {
            "zero" | "zeros" | "zeroes" => "write `constant(0.0)`",
            "nearest" | "edge" | "replicate" | "border" => "write `clamp`",
            "periodic" | "circular" | "cyclic" => "write `wrap`",
            "symmetric" => "write `mirror`",
            _ => BOUNDARIES,
        };
        known.to_string()
    }))
}

/// `all`: what it takes, together with what it still waits for.
pub(super) fn function_as_value(
    span: Span,
    name: Option<&str>,
    all: &[Slot],
    missing: &[Slot],
) -> Diagnostic {
    let what = quoted(name, "this function");
    let waits = match missing {
        [] => "is a function".to_string(),
        slots => format!("still waits for {} ({})", list(&names(slots), "and"), describe_slots(slots)),
    };
    let fault = Diagnostic::new("L0140", span, format!("a value is needed here, but {what} {waits}"));
    match (missing, name) {
        ([], Some(name)) => fault.help(format!("call it: `{name}()`")),
        (_, Some(name)) => fault.help(format!("write {}", form(name, all))),
        _ => fault,
    }
}

pub(super) fn recursion(span: Span, circle: &[String]) -> Diagnostic {
    let message = match circle {
        [] => "this needs itself".to_string(),
        [one] => format!("`{one}` needs itself"),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|name| format!("`{name}`, which needs ")).collect();
            format!("`{first}` needs {}`{first}`", rest.concat())
        }
    };
    Diagnostic::new("L0150", span, message)
        .note("there is no recursion: every function is written out where it is used")
        .help(
            "work on whole arrays: `map` for every element, `reduce` for one result of all; what is done again and \
             again is `iterate(n, f, x)`",
        )
}

/// `value`: it is not called.
pub(super) fn outside(span: Span, name: &str, value: bool) -> Diagnostic {
    let constant = value && last(name).chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_');
    if constant { constant_outside(span, name) } else { function_outside(span, name) }
}
