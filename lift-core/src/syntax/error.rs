//! What users are told about the shape of what they wrote: one function per fault.
//!
//! Codes L0100–L0149. Faults of names and calls are in `error_name`.

use crate::diag::Diagnostic;
use crate::span::Span;

fn new(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

// L0100: not Rust, or nothing.

pub(super) fn nothing(span: Span) -> Diagnostic {
    new("L0100", span, "this `lift!` is empty").help(
        "write a kernel, `#[kernel] pub fn Name(xs: [f32; N]) -> [f32; N] { … }`, or an expression, `map(sqrt)`",
    )
}

pub(super) fn not_rust(span: Span, message: &str, token: Option<&str>) -> Diagnostic {
    let message = message.strip_prefix("lex error").map_or(message, |_| "these are no Rust tokens");
    let fault = new("L0100", span, format!("Lift is written in Rust's grammar, and this is not: {message}"));
    match token {
        Some("?") => fault.help("to choose, write `if c { a } else { b }`"),
        Some("~") => fault.help("to flip all bits, write `!x`"),
        Some("^") => fault.help("for powers, write `x.powi(2)`"),
        _ if message.contains("`;`") => {
            fault.help("every `let`, `const` and `type` ends with `;`; look just before the underlined place")
        }
        _ if message.contains("end of input") => {
            fault.help("something is missing before the end of this block or list")
        }
        _ => fault,
    }
}

pub(super) fn text_after_expression(span: Span) -> Diagnostic {
    new("L0100", span, "the expression is complete before this; nothing may follow it")
        .help("items (`fn`, `const`, `type`) go before the expression")
}

// L0107: size of the program.

pub(super) fn too_deep(span: Span) -> Diagnostic {
    new("L0107", span, "this is nested too deeply for Lift to read")
        .help("give parts of it names: `let part = …;`, or a `fn` of the block")
}

// L0130 and on: Rust that Lift does not have.

pub(super) fn looping(span: Span) -> Diagnostic {
    new("L0130", span, "Lift has no loops").help(
        "say what is computed: `xs.map(|x| …)` for every element, `xs.reduce(add, 0.0)` for one result of all, \
         `array(n, |i| …)` for every index",
    )
}

pub(super) fn mutable(span: Span, name: &str) -> Diagnostic {
    new("L0131", span, format!("`{name}` cannot be `mut`: nothing changes in Lift"))
        .help(format!("leave out `mut`; bind each new value with its own `let {name} = …;`"))
}

pub(super) fn assignment(span: Span) -> Diagnostic {
    new("L0131", span, "nothing changes in Lift, so there is no assignment").help(
        "bind the new value, `let x = …;` (it may reuse the name); to accumulate, use `reduce`; a kernel \
             updates its `&mut` parameters by `write_to(x, …);`",
    )
}

pub(super) fn early_exit(span: Span) -> Diagnostic {
    new("L0132", span, "a Lift function has one way out: its value")
        .help("leave out `return`: the last expression is the result; to choose, use `if c { a } else { b }`")
}

pub(super) fn question_mark(span: Span) -> Diagnostic {
    new("L0132", span, "nothing fails within Lift, so there is no `?`")
        .help("values are plain numbers, tuples and arrays; handle errors where the kernel is launched")
}

pub(super) fn reference(span: Span) -> Diagnostic {
    new("L0133", span, "Lift has values only, no references").help("leave out the `&`, `ref` or `*`")
}

pub(super) fn reference_type(span: Span) -> Diagnostic {
    new("L0133", span, "Lift has values only, no references or pointers")
        .help("write the type of the value: `[f32; N]` instead of `&[f32; N]`; nothing is copied for it")
}

pub(super) fn matching(span: Span) -> Diagnostic {
    new("L0134", span, "`match`, `if let` and `let … else` are not in the language yet")
        .help("use `if a == 0 { … } else { … }`")
}

pub(super) fn enumeration(span: Span) -> Diagnostic {
    new("L0134", span, "Lift has no enums and unions").help("use numbers and `if`")
}

pub(super) fn static_item(span: Span) -> Diagnostic {
    new("L0134", span, "Lift has no statics").help("use `const`")
}

pub(super) fn use_item(span: Span) -> Diagnostic {
    new("L0134", span, "`use` is not in the language yet: a macro cannot see what is defined outside it")
        .help("define the constant or function in this block, or pass the value as a parameter")
}

pub(super) fn unsupported_item(span: Span) -> Diagnostic {
    new("L0134", span, "this item has no place in a `lift!` block")
        .help("a block holds functions (`fn`), kernels (`#[kernel] pub fn`), constants and type aliases")
}

pub(super) fn inner_item(span: Span) -> Diagnostic {
    new("L0134", span, "functions and other items cannot stand within a function")
        .help("move it out, next to the other functions of the block; or bind a closure, `let f = |x| …;`")
}

pub(super) fn macro_inside(span: Span) -> Diagnostic {
    new("L0135", span, "macros are not expanded within `lift!`")
        .help("write the code out, or make it a `fn` of the block")
}

pub(super) fn qualifier(span: Span, what: &str, instead: &str) -> Diagnostic {
    new("L0136", span, format!("{what} has no meaning here: everything in Lift is pure"))
        .help(format!("write just {instead}"))
}

pub(super) fn effect_block(span: Span) -> Diagnostic {
    new(
        "L0136",
        span,
        "`unsafe`, `async`, `const`, `try` and `yield` have no meaning here: everything in Lift is pure",
    )
    .help("leave the word out: `{ … }`")
}

pub(super) fn text_literal(span: Span) -> Diagnostic {
    new("L0137", span, "Lift has no strings or characters").help("use numbers; a byte is `b'a'` or `97u8`")
}

pub(super) fn literal_too_large(span: Span) -> Diagnostic {
    new("L0137", span, "this number is too large for every type that Lift has")
}

pub(super) fn suffix(span: Span, suffix: &str) -> Diagnostic {
    new("L0137", span, format!("`{suffix}` is not a number type"))
        .help("the number types are `f16`, `f32` and `f64`, `i8` to `i64`, `u8` to `u64`, and `usize`")
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

pub(super) fn repeat(span: Span) -> Diagnostic {
    new("L0139", span, "`[value; n]` is not in the language yet").help("write `array(n, |_| value)`")
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
    if length == 0 { fault } else { fault.help("leave out the parentheses and the comma") }
}

pub(super) fn power(span: Span) -> Diagnostic {
    new("L0139", span, "there is no `**`").help("write `x.powi(2)`, or `x.powf(y)` for a float exponent")
}

pub(super) fn shift(span: Span) -> Diagnostic {
    new("L0139", span, "Lift has no shift operators: `<<` applies functions")
        .help("write `x.wrapping_shl(n)`, or `x.wrapping_shr(n)`")
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

pub(super) fn bound(span: Span, name: &str) -> Diagnostic {
    new("L0142", span, format!("`{name}` needs no bound or default: what it must be able to do is inferred"))
        .help(format!("write `<{name}>`"))
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

pub(super) fn slice_type(span: Span) -> Diagnostic {
    new("L0144", span, "the length of an array is part of its type")
        .help("write `[f32; N]`: a name that is used for nothing else stands for any length")
}

pub(super) fn trait_type(span: Span) -> Diagnostic {
    new("L0144", span, "traits are not types in Lift")
        .help("a function parameter is written `f: fn(f32) -> f32`")
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

pub(super) fn not_a_size_in_type(span: Span) -> Diagnostic {
    new("L0144", span, "this is not a size")
        .help("sizes are numbers, size variables, and `+ - * / %`, `min`, `max`, `div_ceil` of sizes")
}

pub(super) fn kernel_arguments(span: Span) -> Diagnostic {
    new("L0145", span, "`#[kernel]` takes no arguments").help("write `#[kernel]`")
}

pub(super) fn size_without_facts(span: Span) -> Diagnostic {
    new("L0145", span, "`#[size]` without a fact").help("write what holds: `#[size(N % 128 == 0, M >= 17)]`")
}

pub(super) fn not_a_fact(span: Span) -> Diagnostic {
    new("L0145", span, "a fact about sizes is a comparison of two sizes")
        .help("write for example `N % 128 == 0`, `M >= 17` or `N == 512`")
}

pub(super) fn unknown_attribute(span: Span, name: &str, near: &str) -> Diagnostic {
    new("L0145", span, format!("there is no attribute `#[{name}]`"))
        .help(format!("did you mean `#[{near}]`?"))
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
