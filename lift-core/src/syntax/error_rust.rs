//! What users are told about Rust that Lift does not have: one function per fault. Codes L0130–L0136.

use super::error_grammar::LOOPS;
use crate::diag::Diagnostic;
use crate::span::Span;

fn new(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

// L0130: loops.

/// `for`
pub(super) fn looping(span: Span) -> Diagnostic {
    new("L0130", span, "Lift has no loops").help(LOOPS)
}

/// `while` and `loop`, which have a state.
pub(super) fn looping_with_state(span: Span) -> Diagnostic {
    new("L0130", span, "Lift has no loops").help(
        "what changes from round to round is a state: `iterate(n, |s| …, start)` computes the next one n times; to \
         stop early, keep it: `iterate(n, |s| if done { s } else { next }, start)`",
    )
}

// L0131: changes.

pub(super) fn mutable(span: Span, name: &str) -> Diagnostic {
    new("L0131", span, format!("`{name}` cannot be `mut`: nothing changes in Lift"))
        .help(format!("leave out `mut`; bind each new value with its own `let {name} = …;`"))
}

/// `name = e` or `name += e`; without a name, something else than a variable.
pub(super) fn assignment(span: Span, name: Option<&str>) -> Diagnostic {
    let name = name.unwrap_or("x");
    new("L0131", span, "nothing changes in Lift, so there is no assignment").help(format!(
        "bind the new value, `let {name} = …;` (it may reuse the name); to accumulate, use `reduce`; a kernel \
         updates its `&mut` parameters by `write_to({name}, …);`"
    ))
}

/// `xs[i] = e`
pub(super) fn element_assignment(span: Span, name: &str) -> Diagnostic {
    new("L0131", span, format!("nothing changes in Lift, so no element of `{name}` can be assigned")).help(
        format!(
            "an array is made as a whole, `array(n, |i| …)` or `xs.map(|x| …)`; a kernel returns it, \
         `-> [f32; N]`, or replaces a parameter `{name}: &mut [f32; N]` by `write_to({name}, …);`"
        ),
    )
}

/// `if x = 0`
pub(super) fn assignment_as_condition(span: Span) -> Diagnostic {
    new("L0131", span, "this is an assignment, and a condition is needed").help("to compare, write `==`")
}

/// `f(z = 0.0)`
pub(super) fn named_argument(span: Span, name: &str) -> Diagnostic {
    new("L0131", span, "arguments are given by position, without their names")
        .help(format!("leave out `{name} =`"))
}

// L0132: ways out.

pub(super) fn early_exit(span: Span) -> Diagnostic {
    new("L0132", span, "a Lift function has one way out: its value")
        .help("leave out `return`: the last expression is the result; to choose, use `if c { a } else { b }`")
}

/// `break` and `continue`
pub(super) fn loop_exit(span: Span) -> Diagnostic {
    new("L0132", span, "Lift has no loops, so there is nothing to leave")
        .help("the last expression is the result; to choose, use `if c { a } else { b }`")
}

pub(super) fn question_mark(span: Span) -> Diagnostic {
    new("L0132", span, "nothing fails within Lift, so there is no `?`")
        .help("values are plain numbers, tuples and arrays; handle errors where the kernel is launched")
}

// L0133: references.

pub(super) fn reference(span: Span) -> Diagnostic {
    new("L0133", span, "Lift has values only, no references").help("leave out the `&`, `ref` or `*`")
}

/// A type of references; `value` is that of what it refers to.
pub(super) fn reference_type(span: Span, value: &str) -> Diagnostic {
    new("L0133", span, "Lift has values only, no references or pointers")
        .help(format!("write the type of the value, `{value}`; nothing is copied for it"))
}

/// `*const f32`, which may be an array in C.
pub(super) fn pointer_type(span: Span, value: &str) -> Diagnostic {
    new("L0133", span, "Lift has values only, no references or pointers").help(format!(
        "write the type of what it points to, `{value}` or `[{value}; N]`; nothing is copied for it"
    ))
}

// L0134: forms and items.

/// `match`, `if let`, `let … else`; `value` is what it looks at.
pub(super) fn matching(span: Span, value: &str) -> Diagnostic {
    new("L0134", span, "`match`, `if let` and `let … else` are not in the language yet")
        .help(format!("compare: `if {value} == 0 {{ … }} else if {value} == 1 {{ … }} else {{ … }}`"))
}

/// `if let Some(y) = x`, and the like.
pub(super) fn option_pattern(span: Span, name: &str, value: &str) -> Diagnostic {
    let owner = owner_of(name);
    new("L0134", span, format!("Lift has no `{owner}`, and so no `{name}`: a value is always there")).help(format!(
        "what may be missing is a value and a flag, `{value}: (f32, bool)`: write `if {value}.1 {{ … }} else {{ … }}`, \
         where `{value}.0` is the value"
    ))
}

/// `name` is that of the enum, `case` that of its first variant.
pub(super) fn enumeration(span: Span, name: &str, case: &str) -> Diagnostic {
    let (name, case) = (name.to_lowercase(), case.to_uppercase());
    new("L0134", span, "Lift has no enums and unions").help(format!(
        "give each case a number, `const {case}: u32 = 0;`, and choose with `if {name} == {case} {{ … }} else {{ … }}`"
    ))
}

pub(super) fn static_item(span: Span) -> Diagnostic {
    new("L0134", span, "Lift has no statics").help("use `const`")
}

pub(super) fn use_item(span: Span, path: &str) -> Diagnostic {
    let short = path.strip_prefix("std::").or_else(|| path.strip_prefix("core::")).unwrap_or(path);
    let fault =
        new("L0134", span, "`use` is not in the language yet: a macro cannot see what is defined outside it");
    if short.starts_with("f32::") || short.starts_with("f64::") {
        return fault.help(format!("write `{short}` where it is needed: it needs no `use`"));
    }
    fault.help("define the constant or function in this block, or pass the value as a parameter")
}

/// `ty` is that of the values, `method` the first of its functions.
pub(super) fn implementation(span: Span, ty: &str, method: &str) -> Diagnostic {
    let value = ty.to_lowercase();
    new("L0134", span, "a `lift!` block has no `impl`: its functions stand side by side").help(format!(
        "write each as a function whose last parameter is the value, `fn {method}({value}: {ty}) -> …`; it can be \
         called as `{value}.{method}()`"
    ))
}

pub(super) fn trait_item(span: Span) -> Diagnostic {
    new("L0134", span, "Lift has no traits")
        .help("leave it out: a function `fn f<T>(x: T) -> T` works for every type that its body allows")
}

pub(super) fn module(span: Span) -> Diagnostic {
    new("L0134", span, "a `lift!` block has no modules")
        .help("write the items of the module directly into the block, or into a `lift!` within a Rust module")
}

pub(super) fn unsupported_item(span: Span) -> Diagnostic {
    new("L0134", span, "this item has no place in a `lift!` block").help(
        "a block holds functions (`fn`), kernels (`#[kernel] pub fn`), constants, structs and type aliases",
    )
}

pub(super) fn inner_item(span: Span) -> Diagnostic {
    new("L0134", span, "functions and other items cannot stand within a function")
        .help("move it out, next to the other functions of the block; or bind a closure, `let f = |x| …;`")
}

/// `Some(x)`, `None`, `Ok(x)`, `Err(e)`, and the types of these.
pub(super) fn option(span: Span, name: &str) -> Diagnostic {
    let owner = owner_of(name);
    let message = if name == owner {
        format!("Lift has no `{name}`: a value is always there")
    } else {
        format!("Lift has no `{owner}`, and so no `{name}`: a value is always there")
    };
    new("L0134", span, message).help(
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

// L0135: macros.

/// A call of a macro: its name and what stands in its parentheses.
pub(super) fn macro_inside(span: Span, name: &str, tokens: &str) -> Diagnostic {
    let fault = |message: &str| new("L0135", span, message);
    match name {
        "println" | "print" | "eprintln" | "eprint" | "dbg" | "write" | "writeln" | "log" | "info" | "debug" => {
            fault("nothing can be printed within a kernel")
                .help("to see a value, return it as a second result, `(result, value)`, and print it on the host")
        }
        "format" | "stringify" | "concat" => fault("Lift has no strings").help("make texts on the host"),
        "assert" | "debug_assert" if is_about_sizes(tokens) => {
            fault("nothing is asserted within a kernel: facts about sizes are promised before it")
                .help(format!("write `#[size({tokens})]` above the kernel; a launch checks it"))
        }
        "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => {
            fault("nothing is asserted within a kernel").help(
                "promise facts about sizes, `#[size(N > 3)]`, which a launch checks; return a fact about data as a \
                 second result, and check it on the host",
            )
        }
        "panic" | "unreachable" | "todo" | "unimplemented" => {
            fault("nothing panics within a kernel").help("say which value the result has in this case")
        }
        "vec" => match tokens.split_once(';') {
            Some((value, count)) => fault("Lift has no vectors that grow: arrays have a length in their type")
                .help(format!("write `repeat({}, {})`", count.trim(), value.trim())),
            None => fault("Lift has no vectors that grow: arrays have a length in their type")
                .help(format!("write `[{tokens}]`")),
        },
        "lift" => fault("a `lift!` cannot stand in another").help("call the functions of this block by their names"),
        _ => fault("macros are not expanded within `lift!`")
            .help("write out what the macro stands for, or make it a `fn` of the block"),
    }
}

/// Whether a condition mentions nothing but numbers and names in capitals, as size variables are.
fn is_about_sizes(tokens: &str) -> bool {
    tokens.chars().any(char::is_uppercase)
        && tokens.chars().all(|c| !c.is_lowercase() && !"\"(,&|!".contains(c))
}

// L0136: words for effects.

pub(super) fn qualifier(span: Span, what: &str, instead: &str) -> Diagnostic {
    new("L0136", span, format!("{what} has no meaning here: everything in Lift is pure"))
        .help(format!("write just {instead}"))
}

pub(super) fn effect_block(span: Span, word: &str) -> Diagnostic {
    new("L0136", span, format!("`{word}` has no meaning here: everything in Lift is pure"))
        .help("leave the word out")
}

/// A call that OpenCL or CUDA has for its effect.
pub(super) fn effect_call(span: Span, name: &str) -> Option<Diagnostic> {
    Some(match name {
        "barrier" | "mem_fence" | "sub_group_barrier" | "work_group_barrier" | "__syncthreads"
        | "__syncwarp" | "syncthreads" | "threadfence" => {
            new("L0136", span, format!("`{name}` has no meaning here: everything in Lift is pure"))
                .help("leave it out: the compiler places barriers where work-items read what others wrote")
        }
        "printf" | "print" => new("L0136", span, "nothing can be printed within a kernel").help(
            "to see a value, return it as a second result, `(result, value)`, and print it on the host",
        ),
        _ => return None,
    })
}
