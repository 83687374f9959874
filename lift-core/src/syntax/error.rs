//! What users are told about the shape of what they wrote: one function per fault.
//!
//! Codes L0107 and L0137–L0149. Text that is no Rust is in `error_grammar`, Rust that Lift does not have in
//! `error_rust`, faults of names and calls in `error_name`.

use crate::diag::Diagnostic;
use crate::span::Span;

fn new(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

// L0107: size of the program.

pub(super) fn too_deep(span: Span) -> Diagnostic {
    new("L0107", span, "this is nested too deeply for Lift to read")
        .help("give parts of it names: `let part = …;`, or a `fn` of the block")
}

pub(super) fn text_literal(span: Span) -> Diagnostic {
    new("L0137", span, "Lift has no strings or characters").help("use numbers; a byte is `b'a'` or `97u8`")
}

pub(super) fn literal_too_large(span: Span) -> Diagnostic {
    new("L0137", span, "this number is too large for every type that Lift has")
}

/// `2x`, `0.5f`: `number` is what stands before the suffix.
pub(super) fn suffix(span: Span, number: &str, suffix: &str) -> Diagnostic {
    let fault = new("L0137", span, format!("`{suffix}` is not a number type"));
    match suffix {
        "f" | "F" | "h" => {
            fault.help(format!("write `{number}f32`, or `{number}` alone: its use decides the type"))
        }
        "u" | "U" => {
            fault.help(format!("write `{number}u32`, or `{number}` alone: its use decides the type"))
        }
        "l" | "L" | "d" | "ul" | "UL" | "ll" => fault.help(format!(
            "write `{number}` alone: its use decides the type; or a type, such as `{number}i64`"
        )),
        name if name.len() == 1 => fault.help(format!("to multiply, write `{number} * {name}`")),
        _ => fault
            .help("the number types are `f16`, `f32` and `f64`, `i8` to `i64`, `u8` to `u64`, and `usize`"),
    }
}

pub(super) fn size_too_large(span: Span) -> Diagnostic {
    new("L0137", span, "this size is too large: sizes stay below 2147483648")
}

pub(super) fn if_without_else(span: Span) -> Diagnostic {
    new("L0138", span, "this `if` has no value when its condition is false")
        .help("add `else { … }`: `if` is an expression, like everything in Lift")
}

pub(super) fn statement(span: Span) -> Diagnostic {
    new("L0138", span, "this statement computes a value that nobody uses")
        .help("bind it, `let name = …;`, or remove it: nothing else can come of it")
}

pub(super) fn value_thrown_away(span: Span) -> Diagnostic {
    new("L0138", span, "the `;` throws the result away")
        .help("remove the `;`: the last expression is the value")
}

pub(super) fn no_value(span: Span) -> Diagnostic {
    new("L0138", span, "this block has no value")
        .help("end it with the expression that is its result, without `;`")
}

pub(super) fn let_without_value(span: Span) -> Diagnostic {
    new("L0138", span, "`let` needs a value: it cannot be given later").help("write `let name = …;`")
}

pub(super) fn range(span: Span) -> Diagnostic {
    new("L0139", span, "Lift has no ranges").help("`array(n, |i| i)` is the array `0, 1, …, n - 1`")
}

pub(super) fn range_index(span: Span) -> Diagnostic {
    new("L0139", span, "arrays cannot be sliced with a range").help(
        "`xs.take(n)` keeps the first n elements, `xs.drop(n)` the others, `xs.crop(l, r)` cuts both ends",
    )
}

pub(super) fn repeat(span: Span, value: &str, count: &str) -> Diagnostic {
    new("L0139", span, "`[value; n]` is not in the language yet")
        .help(format!("write `repeat({count}, {value})`"))
}

pub(super) fn underscore(span: Span) -> Diagnostic {
    new("L0139", span, "`_` is not a value")
        .help("for a function with a gap, write a closure: `|x| f(x, 2.0)`")
}

pub(super) fn label(span: Span) -> Diagnostic {
    new("L0139", span, "labels have no meaning here: there is nothing to break out of")
        .help("remove the label")
}

pub(super) fn unsupported(span: Span) -> Diagnostic {
    new("L0139", span, "this kind of expression is not part of Lift")
}

pub(super) fn short_tuple(span: Span, length: usize, what: &str) -> Diagnostic {
    let kind = if length == 0 { "an empty tuple" } else { "a tuple of one" };
    let fault = new("L0139", span, format!("{kind} is no {what} in Lift: tuples have two or more parts"));
    match (length, what) {
        (0, "type") => {
            fault.help("write the type of the value: every function has a result, such as `-> f32`")
        }
        (0, _) => fault.help("write the value that is needed here: there is none that stands for nothing"),
        _ => fault.help("leave out the parentheses and the comma"),
    }
}

/// `x ** 2`: the words on both sides.
pub(super) fn power(span: Span, base: Option<&str>, exponent: Option<&str>) -> Diagnostic {
    let (base, exponent) = (base.unwrap_or("x"), exponent.unwrap_or("2"));
    let method = if exponent.contains('.') { "powf" } else { "powi" };
    new("L0139", span, "there is no `**`").help(format!(
        "write `{base}.{method}({exponent})`, of an array `{base}.map(|v| v.{method}({exponent}))`; \
         `powi` takes an `i32`, `powf` a float"
    ))
}

/// `x >> 16`: the words on both sides.
pub(super) fn shift(span: Span, left: Option<&str>, right: Option<&str>) -> Diagnostic {
    let (left, right) = (left.unwrap_or("x"), right.unwrap_or("n"));
    new("L0139", span, "Lift has no shift operators: `<<` applies functions")
        .help(format!("write `{left}.wrapping_shr({right})`"))
}

// L0141 and on: signatures, types, attributes.

pub(super) fn missing_result_type(span: Span, name: &str) -> Diagnostic {
    new("L0141", span, format!("`{name}` does not say what it returns"))
        .help("add the result's type after the parameters: `-> f32`, `-> [f32; N]`")
}

pub(super) fn untyped_parameter(span: Span, name: &str) -> Diagnostic {
    new("L0141", span, format!("`{name}` needs a type: those of functions are not inferred"))
        .help("write `f32`, `[f32; N]`, `[[f32; M]; N]`, …")
}

pub(super) fn no_body(span: Span) -> Diagnostic {
    new("L0141", span, "this function has no body").help("add one: `{ … }`")
}

pub(super) fn receiver(span: Span) -> Diagnostic {
    new("L0141", span, "functions of a `lift!` block have no `self`")
        .help("give the parameter a name and a type: `xs: [f32; N]`; `xs.f()` works for every function")
}

pub(super) fn variadic(span: Span) -> Diagnostic {
    new("L0141", span, "functions have a fixed number of parameters; remove `...`")
}

pub(super) fn where_clause(span: Span) -> Diagnostic {
    new("L0142", span, "`where` clauses have no meaning here")
        .help("promise facts about sizes with an attribute: `#[size(N % 128 == 0)]`; types need no bounds")
}

/// `<T: Copy>`; `listed`: a kernel that does not say yet for which types it is.
pub(super) fn bound(span: Span, name: &str, unlisted: bool) -> Diagnostic {
    let fault = new(
        "L0142",
        span,
        format!("`{name}` needs no bound or default: what it must be able to do is inferred"),
    );
    if unlisted {
        return fault.help(format!(
            "write `{name}` alone, and list its types above the kernel: `#[types({name} = f32, f64)]`"
        ));
    }
    fault.help(format!("write `<{name}>`"))
}

/// `<F: Fn(f32) -> f32>`
pub(super) fn function_bound(span: Span, name: &str) -> Diagnostic {
    new(
        "L0142",
        span,
        format!("`{name}` is no type variable: the type of a function is written where it is used"),
    )
    .help("write it as the type of the parameter, `f: fn(f32) -> f32`")
}

pub(super) fn const_generic(span: Span, name: &str) -> Diagnostic {
    new("L0142", span, "size variables are declared by their name alone").help(format!("write `<{name}>`"))
}

pub(super) fn lifetime(span: Span) -> Diagnostic {
    new("L0142", span, "Lift has values only, so there are no lifetimes").help("remove it")
}

pub(super) fn generic_item(span: Span, item: &str) -> Diagnostic {
    new("L0142", span, format!("{item} cannot be generic")).help("remove `<…>`")
}

pub(super) fn pattern(span: Span) -> Diagnostic {
    new("L0143", span, "this pattern is not part of Lift")
        .help("patterns are names, `_`, tuples of patterns, arrays of them with a pattern for each element, and structs: `Point { x, y }`")
}

pub(super) fn pattern_parameter(span: Span) -> Diagnostic {
    new("L0143", span, "a function's parameter needs a name: callers and messages use it")
        .help("name it and take it apart in the body: `let (a, b) = p;`")
}

/// `[f32]`, or what is meant by it; `array` is the type with a length.
pub(super) fn slice_type(span: Span, array: &str) -> Diagnostic {
    new("L0144", span, "the length of an array is part of its type")
        .help(format!("write `{array}`: a name that is used for nothing else stands for any length"))
}

pub(super) fn trait_type(span: Span, function: Option<&str>) -> Diagnostic {
    let function = function.unwrap_or("fn(f32) -> f32");
    new("L0144", span, "traits are not types in Lift")
        .help(format!("a function parameter is written `f: {function}`"))
}

/// `&str`, `String`, `char`
pub(super) fn text_type(span: Span) -> Diagnostic {
    new("L0144", span, "Lift has no strings or characters")
        .help("pass a number, `mode: u32`, and choose with `if`; a byte is a `u8`")
}

pub(super) fn type_path(span: Span) -> Diagnostic {
    new("L0144", span, "types in Lift have no paths")
        .help("name a scalar type, such as `f32`, or one that this block defines with `struct` or `type`")
}

pub(super) fn generic_type(span: Span, name: &str) -> Diagnostic {
    let fault = new("L0144", span, format!("`{name}<…>` is not a type that Lift has"));
    match name {
        "Vec" | "Array" | "Array1" | "Array2" | "Array3" => {
            fault.help("arrays are written `[f32; N]`, `[[f32; M]; N]`")
        }
        "Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Cow" => {
            fault.help("write the type within the `<…>` alone: Lift has values only")
        }
        "Simd" => fault.note("vector types are introduced by rewriting"),
        "Boundary" => fault.help("it takes one type: `Boundary<f32>`"),
        _ => fault,
    }
}

pub(super) fn function_type_without_result(span: Span) -> Diagnostic {
    new("L0144", span, "a function type needs its result").help("write `fn(f32) -> f32`")
}

pub(super) fn unsupported_type(span: Span) -> Diagnostic {
    new("L0144", span, "this is not a type that Lift has")
        .help("types are scalars such as `f32`, structs, arrays `[T; n]` and tuples `(T, U)`")
}

/// `array`: whose length is asked for, if that is what is written.
pub(super) fn not_a_size_in_type(span: Span, array: Option<&str>) -> Diagnostic {
    let fault = new("L0144", span, "this is not a size");
    if let Some(array) = array {
        return fault
            .help(format!("name the length in the parameter's type, `{array}: [f32; N]`, and write `N`"));
    }
    fault.help("sizes are numbers, size variables, and `+ - * / %`, `min`, `max`, `div_ceil` of sizes")
}

pub(super) fn kernel_arguments(span: Span) -> Diagnostic {
    new("L0145", span, "`#[kernel]` takes no arguments").help("write `#[kernel]`")
}

pub(super) fn size_without_facts(span: Span) -> Diagnostic {
    new("L0145", span, "`#[size]` without a fact").help("write what holds: `#[size(N % 128 == 0, M >= 17)]`")
}

pub(super) fn not_a_fact(span: Span, instead: Option<&str>) -> Diagnostic {
    let fault = new("L0145", span, "a fact about sizes is a comparison of two sizes");
    match instead {
        Some(instead) => fault.help(format!("write `#[size({instead})]`")),
        None => fault.help("write for example `N % 128 == 0`, `M >= 17` or `N == 512`; several facts are separated by commas"),
    }
}

/// `path`: what stands before the name.
pub(super) fn unknown_attribute(span: Span, path: &str, name: &str, near: &str) -> Diagnostic {
    let fault = new("L0145", span, format!("there is no attribute `#[{path}{name}]`"));
    if near == name {
        return fault.help(format!("within `lift!`, it has no path: write `#[{name}]`"));
    }
    fault.help(format!("did you mean `#[{near}]`?"))
}

pub(super) fn misplaced_attribute(span: Span, attribute: &str, item: &str) -> Diagnostic {
    new("L0145", span, format!("`#[{attribute}]` belongs on a function, not on {item}"))
}

pub(super) fn attribute_on_expression(span: Span) -> Diagnostic {
    new("L0145", span, "attributes and doc comments belong on the items of the block, not on expressions")
        .help("remove it; an ordinary comment, `// …`, may stand anywhere")
}

pub(super) fn turbofish(span: Span) -> Diagnostic {
    new("L0146", span, "`::<…>` has no meaning here: types are inferred")
        .help("remove it; to fix a type, annotate a binding: `let x: f32 = …;`")
}
