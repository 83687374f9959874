//! What users are told about Rust that Lift does not have: one function per fault. Codes L0130–L0136.

use super::error_grammar::LOOPS;
use crate::diag::{Diagnostic, faults};
use crate::span::Span;

faults! { pub(super),
    /// `while` and `loop`, which have a state.
    "L0130" looping_with_state(): "Lift has no loops",
        help "what changes from round to round is a state: `iterate(n, |s| …, start)` computes the next one n \
              times, and `iterate_until(n, |s| …, |s| …, start)` does so until the first function holds of it";
    /// `for`
    "L0130" looping(): "Lift has no loops", help "{LOOPS}";
    "L0131" mutable(name): "`{name}` cannot be `mut`: nothing changes in Lift",
        help "leave out `mut`; bind each new value with its own `let {name} = …;`";
    /// `name = e` or `name += e`; without a name, something else than a variable.
    "L0131" assignment(name: Option<&str>): "nothing changes in Lift, so there is no assignment",
        help "bind the new value, `let {0} = …;` (it may reuse the name); to accumulate, use `reduce`; a kernel \
             updates its `&mut` parameters by `write_to({0}, …);`" (name.unwrap_or("x"));
    /// `xs[i] = e`
    "L0131" element_assignment(name): "nothing changes in Lift, so no element of `{name}` can be assigned",
        help "an array is made as a whole, `array(n, |i| …)` or `xs.map(|x| …)`; a kernel returns it, `-> [f32; \
              N]`, or replaces a parameter `{name}: &mut [f32; N]` by `write_to({name}, …);`";
    /// `if x = 0`
    "L0131" assignment_as_condition(): "this is an assignment, and a condition is needed",
        help "to compare, write `==`";
    /// `f(z = 0.0)`
    "L0131" named_argument(name): "arguments are given by position, without their names",
        help "leave out `{name} =`";
    "L0132" early_exit(): "a Lift function has one way out: its value",
        help "leave out `return`: the last expression is the result; to choose, use `if c {{ a }} else {{ b }}`";
    /// `break` and `continue`
    "L0132" loop_exit(): "Lift has no loops, so there is nothing to leave",
        help "the last expression is the result; to choose, use `if c {{ a }} else {{ b }}`; what is repeated \
              until something holds is `iterate_until(n, |s| …, |s| …, start)`";
    "L0132" question_mark(): "nothing fails within Lift, so there is no `?`",
        help "values are plain numbers, tuples and arrays; handle errors where the kernel is launched";
    "L0133" reference(): "Lift has values only, no references", help "leave out the `&`, `ref` or `*`";
    /// A type of references; `value` is that of what it refers to.
    "L0133" reference_type(value): "Lift has values only, no references or pointers",
        help "write the type of the value, `{value}`; nothing is copied for it";
    /// `*const f32`, which may be an array in C.
    "L0133" pointer_type(value): "Lift has values only, no references or pointers",
        help "write the type of what it points to, `{value}` or `[{value}; N]`; nothing is copied for it";
    /// `match` on something else, `if let`, `let … else`; `value` is what it looks at.
    "L0134" matching(value): "patterns that may not fit are whole numbers and truth values, in a `match`",
        help "compare: `if {value} == 0 {{ … }} else if {value} == 1 {{ … }} else {{ … }}`";
    "L0134" open_match(): "this `match` does not say what comes of other values", help "add an arm for them at the end: `_ => …`";
    "L0134" arm_without_values(): "no value comes to this arm: those before it take all", help "leave it out, or put it before them";
    /// `if let Some(y) = x`, and the like.
    "L0134" option_pattern(name: &str, value): "Lift has no `{}`, and so no `{name}`: a value is always there"
            (owner_of(name)),
        help "what may be missing is a value and a flag, `{value}: (f32, bool)`: write `if {value}.1 {{ … }} else {{ … }}`, \
             where `{value}.0` is the value";
    "L0134" static_item(): "Lift has no statics", help "use `const`";
    /// `ty` is that of the values, `method` the first of its functions.
    "L0134" implementation(ty: &str, method): "a `lift!` block has no `impl`: its functions stand side by side",
        help "write each as a function whose last parameter is the value, `fn {method}({0}: {ty}) -> …`; it can be \
             called as `{0}.{method}()`" (ty.to_lowercase());
    "L0134" trait_item(): "Lift has no traits",
        help "leave it out: a function `fn f<T>(x: T) -> T` works for every type that its body allows";
    "L0134" module(): "a `lift!` block has no modules",
        help "write the items of the module directly into the block, or into a `lift!` within a Rust module";
    "L0134" unsupported_item(): "this item has no place in a `lift!` block",
        help "a block holds functions (`fn`), kernels (`#[kernel] pub fn`), constants, structs and type aliases";
    "L0134" inner_item(): "functions and other items cannot stand within a function",
        help "move it out, next to the other functions of the block; or bind a closure, `let f = |x| …;`";
    "L0136" qualifier(what, instead): "{what} has no meaning here: everything in Lift is pure",
        help "write just {instead}";
    "L0136" effect_block(word): "`{word}` has no meaning here: everything in Lift is pure",
        help "leave the word out";
    "L0136" barrier(name): "`{name}` has no meaning here: everything in Lift is pure",
        help "leave it out: the compiler places barriers where work-items read what others wrote";
}

/// `name` is that of the enum, `case` that of its first variant.
pub(super) fn enumeration(span: Span, name: &str, case: &str) -> Diagnostic {
    let (name, case) = (name.to_lowercase(), case.to_uppercase());
    Diagnostic::new("L0134", span, "Lift has no enums and unions").help(format!(
        "give each case a number, `const {case}: u32 = 0;`, and choose with `if {name} == {case} {{ … }} else {{ … }}`"
    ))
}

pub(super) fn use_item(span: Span, path: &str) -> Diagnostic {
    let short = path.strip_prefix("std::").or_else(|| path.strip_prefix("core::")).unwrap_or(path);
    let message = "`use` is not in the language yet: a macro cannot see what is defined outside it";
    Diagnostic::new("L0134", span, message).help(
        match short.starts_with("f32::") || short.starts_with("f64::") {
            true => format!("write `{short}` where it is needed: it needs no `use`"),
            false => "define the constant or function in this block, or pass the value as a parameter".into(),
        },
    )
}

/// `Some(x)`, `None`, `Ok(x)`, `Err(e)`, and the types of these.
pub(super) fn option(span: Span, name: &str) -> Diagnostic {
    let message = match owner_of(name) {
        owner if name == owner => format!("Lift has no `{name}`: a value is always there"),
        owner => format!("Lift has no `{owner}`, and so no `{name}`: a value is always there"),
    };
    Diagnostic::new("L0134", span, message).help(
        "return the value and a flag, `(v, v > 0.0)` of type `(f32, bool)`, or a value that stands for nothing, `f32::NAN`",
    )
}

/// The type that has a variant of this name, or is called like it.
fn owner_of(name: &str) -> &'static str {
    match name {
        "Some" | "None" | "Option" => "Option",
        _ => "Result",
    }
}

/// Whether a condition mentions nothing but numbers and names in capitals, as size variables are.
fn is_about_sizes(tokens: &str) -> bool {
    tokens.chars().any(char::is_uppercase)
        && tokens.chars().all(|c| !c.is_lowercase() && !"\"(,&|!".contains(c))
}

/// A call of a macro: its name and what stands in its parentheses.
pub(super) fn macro_inside(span: Span, name: &str, tokens: &str) -> Diagnostic {
    let array = || match tokens.split_once(';') {
        Some((value, count)) => format!("write `repeat({}, {})`", count.trim(), value.trim()),
        None => format!("write `[{tokens}]`"),
    };
    let facts = || format!("write `#[size({tokens})]` above the kernel; a launch checks it");
    let (message, help) = match name {
        "println" | "print" | "eprintln" | "eprint" | "dbg" | "write" | "writeln" | "log" | "info" | "debug" => {
            (NO_PRINTING, RETURN_IT.into())
        }
        "format" | "stringify" | "concat" => ("Lift has no strings", "make texts on the host".into()),
        "assert" | "debug_assert" if is_about_sizes(tokens) => {
            ("nothing is asserted within a kernel: facts about sizes are promised before it", facts())
        }
        "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => (
            "nothing is asserted within a kernel",
            "promise facts about sizes, `#[size(N > 3)]`, which a launch checks; return a fact about data as a \
             second result, and check it on the host"
                .into(),
        ),
        "panic" | "unreachable" | "todo" | "unimplemented" => {
            ("nothing panics within a kernel", "say which value the result has in this case".into())
        }
        "vec" => ("Lift has no vectors that grow: arrays have a length in their type", array()),
        "lift" => {
            ("a `lift!` cannot stand in another", "call the functions of this block by their names".into())
        }
        _ => (
            "macros are not expanded within `lift!`",
            "write out what the macro stands for, or make it a `fn` of the block".into(),
        ),
    };
    Diagnostic::new("L0135", span, message).help(help)
}

/// A call that OpenCL or CUDA has for its effect.
pub(super) fn effect_call(span: Span, name: &str) -> Option<Diagnostic> {
    match name {
        "barrier" | "mem_fence" | "sub_group_barrier" | "work_group_barrier" | "__syncthreads"
        | "__syncwarp" | "syncthreads" | "threadfence" => Some(barrier(span, name)),
        "printf" | "print" => Some(Diagnostic::new("L0136", span, NO_PRINTING).help(RETURN_IT)),
        _ => None,
    }
}

const NO_PRINTING: &str = "nothing can be printed within a kernel";
const RETURN_IT: &str =
    "to see a value, return it as a second result, `(result, value)`, and print it on the host";
