//! What users are told about the shape of what they wrote: one function per fault.
//!
//! Codes L0107 and L0137–L0149. Text that is no Rust is in `error_grammar`, Rust that Lift does not have in
//! `error_rust`, faults of names and calls in `error_name`.

use crate::diag::{Diagnostic, faults};
use crate::span::Span;

faults! { pub(super),
    "L0107" too_deep(): "this is nested too deeply for Lift to read",
        help "give parts of it names: `let part = …;`, or a `fn` of the block";
    "L0137" text_literal(): "Lift has no strings or characters",
        help "use numbers; a byte is `b'a'` or `97u8`";
    "L0137" literal_too_large(): "this number is too large for every type that Lift has";
    "L0137" size_too_large(): "this size is too large: sizes stay below 2147483648";
    "L0138" if_without_else(): "this `if` has no value when its condition is false",
        help "add `else {{ … }}`: `if` is an expression, like everything in Lift";
    "L0138" statement(): "this statement computes a value that nobody uses",
        help "bind it, `let name = …;`, or remove it: nothing else can come of it";
    "L0138" value_thrown_away(): "the `;` throws the result away",
        help "remove the `;`: the last expression is the value";
    "L0138" no_value(): "this block has no value",
        help "end it with the expression that is its result, without `;`";
    "L0138" let_without_value(): "`let` needs a value: it cannot be given later",
        help "write `let name = …;`";
    "L0139" range(): "Lift has no ranges", help "`array(n, |i| i)` is the array `0, 1, …, n - 1`";
    "L0139" range_index(): "arrays cannot be sliced with a range",
        help "`xs.take(n)` keeps the first n elements, `xs.drop(n)` the others, `xs.crop(l, r)` cuts both ends";
    "L0139" underscore(): "`_` is not a value",
        help "for a function with a gap, write a closure: `|x| f(x, 2.0)`";
    "L0139" label(): "labels have no meaning here: there is nothing to break out of", help "remove the label";
    "L0139" unsupported(): "this kind of expression is not part of Lift";
    /// `x >> 16`: the words on both sides.
    "L0139" shift(left: Option<&str>, right: Option<&str>): "Lift has no shift operators: `<<` applies functions",
        help "write `{}.wrapping_shr({})`" (left.unwrap_or("x"), right.unwrap_or("n"));
    "L0141" missing_result_type(name): "`{name}` does not say what it returns",
        help "add the result's type after the parameters: `-> f32`, `-> [f32; N]`";
    "L0141" untyped_parameter(name): "`{name}` needs a type: those of functions are not inferred",
        help "write `f32`, `[f32; N]`, `[[f32; M]; N]`, …";
    "L0141" no_body(): "this function has no body", help "add one: `{{ … }}`";
    "L0141" receiver(): "functions of a `lift!` block have no `self`",
        help "give the parameter a name and a type: `xs: [f32; N]`; `xs.f()` works for every function";
    "L0141" variadic(): "functions have a fixed number of parameters; remove `...`";
    "L0142" where_clause(): "`where` clauses have no meaning here",
        help "promise facts about sizes with an attribute: `#[size(N % 128 == 0)]`; types need no bounds";
    /// `<F: Fn(f32) -> f32>`
    "L0142" function_bound(name): "`{name}` is no type variable: the type of a function is written where it is used",
        help "write it as the type of the parameter, `f: fn(f32) -> f32`";
    "L0142" const_generic(name): "size variables are declared by their name alone", help "write `<{name}>`";
    "L0142" lifetime(): "Lift has values only, so there are no lifetimes", help "remove it";
    "L0142" generic_item(item): "{item} cannot be generic", help "remove `<…>`";
    "L0143" pattern(): "this pattern is not part of Lift",
        help "patterns are names, `_`, tuples of patterns, arrays of them with a pattern for each element, and \
              structs: `Point {{ x, y }}`";
    "L0143" pattern_parameter(): "a function's parameter needs a name: callers and messages use it",
        help "name it and take it apart in the body: `let (a, b) = p;`";
    /// `[f32]`, or what is meant by it; `array` is the type with a length.
    "L0144" slice_type(array): "the length of an array is part of its type",
        help "write `{array}`: a name that is used for nothing else stands for any length";
    "L0144" trait_type(function: Option<&str>): "traits are not types in Lift",
        help "a function parameter is written `f: {}`" (function.unwrap_or("fn(f32) -> f32"));
    /// `&str`, `String`, `char`
    "L0144" text_type(): "Lift has no strings or characters",
        help "pass a number, `mode: u32`, and choose with `if`; a byte is a `u8`";
    "L0144" type_path(): "types in Lift have no paths",
        help "name a scalar type, such as `f32`, or one that this block defines with `struct` or `type`";
    "L0144" function_type_without_result(): "a function type needs its result", help "write `fn(f32) -> f32`";
    "L0144" unsupported_type(): "this is not a type that Lift has",
        help "types are scalars such as `f32`, structs, arrays `[T; n]` and tuples `(T, U)`";
    "L0145" kernel_arguments(): "`#[kernel]` takes no arguments", help "write `#[kernel]`";
    "L0145" size_without_facts(): "`#[size]` without a fact",
        help "write what holds: `#[size(N % 128 == 0, M >= 17)]`";
    "L0145" misplaced_attribute(attribute, item): "`#[{attribute}]` belongs on a function, not on {item}";
    "L0145" attribute_on_expression(): "attributes and doc comments belong on the items of the block, not on \
     expressions",
        help "remove it; an ordinary comment, `// …`, may stand anywhere";
    "L0146" turbofish(): "`::<…>` has no meaning here: types are inferred",
        help "remove it; to fix a type, annotate a binding: `let x: f32 = …;`";
}

/// `2x`, `0.5f`: `number` is what stands before the suffix.
pub(super) fn suffix(span: Span, number: &str, suffix: &str) -> Diagnostic {
    Diagnostic::new("L0137", span, format!("`{suffix}` is not a number type")).help(match suffix {
        "f" | "F" | "h" => format!("write `{number}f32`, or `{number}` alone: its use decides the type"),
        "u" | "U" => format!("write `{number}u32`, or `{number}` alone: its use decides the type"),
        "l" | "L" | "d" | "ul" | "UL" | "ll" => {
            format!("write `{number}` alone: its use decides the type; or a type, such as `{number}i64`")
        }
        name if name.len() == 1 => format!("to multiply, write `{number} * {name}`"),
        _ => "the number types are `f16`, `f32` and `f64`, `i8` to `i64`, `u8` to `u64`, and `usize`".into(),
    })
}

pub(super) fn short_tuple(span: Span, length: usize, what: &str) -> Diagnostic {
    let kind = if length == 0 { "an empty tuple" } else { "a tuple of one" };
    let message = format!("{kind} is no {what} in Lift: tuples have two or more parts");
    Diagnostic::new("L0139", span, message).help(match (length, what) {
        (0, "type") => "write the type of the value: every function has a result, such as `-> f32`",
        (0, _) => "write the value that is needed here: there is none that stands for nothing",
        _ => "leave out the parentheses and the comma",
    })
}

/// `x ** 2`: the words on both sides.
pub(super) fn power(span: Span, base: Option<&str>, exponent: Option<&str>) -> Diagnostic {
    let (base, exponent) = (base.unwrap_or("x"), exponent.unwrap_or("2"));
    let method = if exponent.contains('.') { "powf" } else { "powi" };
    Diagnostic::new("L0139", span, "there is no `**`").help(format!(
        "write `{base}.{method}({exponent})`, of an array `{base}.map(|v| v.{method}({exponent}))`; \
         `powi` takes an `i32`, `powf` a float"
    ))
}

/// `<T: Copy>`; `listed`: a kernel that does not say yet for which types it is.
pub(super) fn bound(span: Span, name: &str, unlisted: bool) -> Diagnostic {
    let message = format!("`{name}` needs no bound or default: what it must be able to do is inferred");
    Diagnostic::new("L0142", span, message).help(match unlisted {
        true => format!(
            "write `{name}` alone, and list its types above the kernel: `#[types({name} = f32, f64)]`"
        ),
        false => format!("write `<{name}>`"),
    })
}

pub(super) fn generic_type(span: Span, name: &str) -> Diagnostic {
    let fault = Diagnostic::new("L0144", span, format!("`{name}<…>` is not a type that Lift has"));
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

/// `array`: whose length is asked for, if that is what is written.
pub(super) fn not_a_size_in_type(span: Span, array: Option<&str>) -> Diagnostic {
    Diagnostic::new("L0144", span, "this is not a size").help(match array {
        Some(array) => format!("name the length in the parameter's type, `{array}: [f32; N]`, and write `N`"),
        None => {
            "sizes are numbers, size variables, and `+ - * / %`, `min`, `max`, `div_ceil` of sizes".into()
        }
    })
}

pub(super) fn not_a_fact(span: Span, instead: Option<&str>) -> Diagnostic {
    Diagnostic::new("L0145", span, "a fact about sizes is a comparison of two sizes").help(match instead {
        Some(instead) => format!("write `#[size({instead})]`"),
        None => {
            "write for example `N % 128 == 0`, `M >= 17` or `N == 512`; several facts are separated by commas"
                .into()
        }
    })
}

/// `path`: what stands before the name.
pub(super) fn unknown_attribute(span: Span, path: &str, name: &str, near: &str) -> Diagnostic {
    Diagnostic::new("L0145", span, format!("there is no attribute `#[{path}{name}]`")).help(
        match near == name {
            true => format!("within `lift!`, it has no path: write `#[{name}]`"),
            false => format!("did you mean `#[{near}]`?"),
        },
    )
}
