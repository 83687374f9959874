//! What is said about sizes: facts that cannot hold, indices, lengths, and states that are too large.

use crate::diag::Diagnostic;
use crate::ir::Prim;
use crate::ir::prim::MOST_UNROLLED;
use crate::ir::types::MOST_PRIVATE;
use crate::span::Span;

/// A length that a piece does not divide. `callee`: what the user called, `split` or `split2d`.
pub(in crate::typecheck) fn not_a_multiple(span: Span, callee: &str, chunk: &str, len: &str) -> Diagnostic {
    let d = Diagnostic::new(
        "L0220",
        span,
        match callee {
            "split" => {
                format!(
                    "`split({chunk})` needs a length that {chunk} divides; {len} is not a multiple of {chunk}"
                )
            }
            _ => {
                format!("`{callee}` needs lengths that its sizes divide; {len} is not a multiple of {chunk}")
            }
        },
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
/// `callee`: what the user called, `slide` or `slide2d`.
pub(in crate::typecheck) fn window_too_large(
    span: Span,
    callee: &str,
    size: &str,
    len: &str,
    added: i64,
) -> Diagnostic {
    let d = Diagnostic::new(
        "L0231",
        span,
        format!("a window of {size} does not fit into an array of {len} elements"),
    );
    match (size.parse::<i64>(), len.parse::<i64>()) {
        (Ok(size), Ok(len)) if added <= len && size > 0 => {
            let (before, after, windows) = ((size - 1) / 2, size / 2, len - added);
            match callee {
                "slide2d" => d.help(format!("pad it by half a window, `pad2d({after}, {after}, clamp)`")),
                "slide3d" => {
                    d.help(format!("pad it by half a window, `pad3d({after}, {after}, {after}, clamp)`"))
                }
                _ => d.help(format!(
                    "pad it by half a window, `pad({before}, {after}, clamp)`, to get {windows} windows"
                )),
            }
        }
        _ => d.help("`pad` the array first"),
    }
}

/// A step that leaves elements over.
pub(in crate::typecheck) fn step_leaves_rest(span: Span, size: &str, step: &str, len: &str) -> Diagnostic {
    Diagnostic::new(
        "L0232",
        span,
        format!("`slide({size}, {step})` over {len} elements would leave some out: {len} - {size} is not a multiple of {step}"),
    )
    .help("`take` the part that fits, or `pad` up to it")
}

/// Some other fact about sizes that cannot hold.
pub(in crate::typecheck) fn fact_refuted(span: Span, prim: &str, fact: &str) -> Diagnostic {
    Diagnostic::new("L0230", span, format!("`{prim}` needs {fact}, which never holds here"))
}

/// `take` and `drop` of more than there is.
pub(in crate::typecheck) fn too_few_elements(
    span: Span,
    prim: &str,
    wanted: &str,
    found: &str,
) -> Diagnostic {
    Diagnostic::new(
        "L0230",
        span,
        format!("`{prim}({wanted})` needs an array of {wanted} or more elements; this one has {found}"),
    )
}

/// `pad(1, 1, clamp)` or `gather` of an array without elements.
pub(in crate::typecheck) fn no_element(span: Span, prim: Prim, found: &str) -> Diagnostic {
    let (what, help) = match prim {
        Prim::Pad => ("repeat", "write what stands outside: `constant(..)`, `value(..)`"),
        _ => ("read", "without elements, there are no indices of any"),
    };
    let text = format!("`{}` needs an element to {what}; this array has {found}", prim.name());
    Diagnostic::new("L0230", span, text).help(help)
}

/// `slide(3, 0)`
pub(in crate::typecheck) fn no_step(span: Span, size: &str, step: &str) -> Diagnostic {
    Diagnostic::new(
        "L0230",
        span,
        format!("`slide({size}, {step})`: windows must move by at least one element"),
    )
    .help(format!("a stencil moves by one: `slide({size}, 1)`"))
}

/// A promise of a kernel that contradicts itself.
pub(in crate::typecheck) fn own_fact_refuted(span: Span, fact: &str) -> Diagnostic {
    Diagnostic::new("L0230", span, format!("`{fact}` never holds, so the kernel could never run"))
}

/// A function is called with sizes that it excludes.
pub(in crate::typecheck) fn promise_refuted(
    span: Span,
    function: &str,
    fact: &str,
    values: &[String],
) -> Diagnostic {
    let here = if values.is_empty() {
        ", which never holds here".to_string()
    } else {
        format!(", but here {}", crate::text::words(values))
    };
    Diagnostic::new("L0230", span, format!("`{function}` needs `{fact}`{here}"))
}

/// An index that is out of range.
pub(in crate::typecheck) fn index_out_of_range(span: Span, index: &str, len: &str, last: &str) -> Diagnostic {
    Diagnostic::new("L0233", span, format!("index `{index}` is out of range for an array of {len} elements"))
        .note(format!("the elements are numbered from 0 to {last}"))
}

/// An index that may be out of range.
pub(in crate::typecheck) fn index_not_proved(span: Span, index: &str, len: &str, help: String) -> Diagnostic {
    Diagnostic::new(
        "L0234",
        span,
        format!("index `{index}` may be out of range for an array of {len} elements"),
    )
    .note("Lift has no run-time panics, so an index must be in range for all values it can take")
    .help(help)
}

/// A permutation that may leave the array.
pub(in crate::typecheck) fn permutation_not_proved(span: Span, callee: &str, len: &str) -> Diagnostic {
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
pub(in crate::typecheck) fn no_permutation(span: Span, callee: &str, index: &str) -> Diagnostic {
    Diagnostic::new(
        "L0236",
        span,
        format!(
            "the function of `{callee}` must be a permutation, but it yields the same whatever `{index}` is"
        ),
    )
    .help("an array whose elements are all `xs[k]` is `array(n, |_| xs[k])`")
}

/// A boundary function that may leave the array.
pub(in crate::typecheck) fn boundary_out_of_range(
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

/// A name in a size expression that is no size.
pub(in crate::typecheck) fn unknown_size(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0106", span, format!("there is no size called `{name}` here"))
        .help(format!("declare it: `<{name}>`, or use it in the type of a parameter"))
}

/// A size that nothing determines.
pub(in crate::typecheck) fn ambiguous_size(span: Span, equation: &str) -> Diagnostic {
    Diagnostic::new("L0212", span, format!("a size cannot be determined from {equation}"))
        .help("give the array a type: `|x: [f32; N]| …`")
}

/// A size variable that cannot be computed from the arguments' extents.
pub(in crate::typecheck) fn unbound_size(span: Span, kernel: &str, name: &str) -> Diagnostic {
    Diagnostic::new(
        "L0213",
        span,
        format!("`{name}` cannot be computed from the extents of the arguments of `{kernel}`"),
    )
    .help(format!("use an extent that is linear in `{name}`, such as `{name}` or `2 * {name} + 1`"))
}

/// `materialize` inside a function that is applied to elements.
pub(in crate::typecheck) fn materialize_inside(span: Span) -> Diagnostic {
    Diagnostic::new(
        "L0270",
        span,
        "`materialize` ends a launch, and cannot stand inside a function of elements",
    )
    .help("bind the whole array outside: `let ys = xs.map(f).materialize(); …`")
}

/// How often the host repeats something must be known to it.
pub(in crate::typecheck) fn iterate_count(span: Span) -> Diagnostic {
    Diagnostic::new("L0271", span, "how often `iterate` runs over whole arrays must be a size or a parameter")
        .note("every application is a launch, and the host counts them")
        .help("compute the number on the host, and pass it as a parameter of type `usize`")
}

/// The number of times is a result of the step before, which stays on the device.
pub(in crate::typecheck) fn iterate_count_is_state(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        "L0271",
        span,
        format!(
            "`{name}` says how often `iterate` runs over whole arrays, so it cannot be part of the state"
        ),
    )
    .note("every application is a launch, which the host counts, and the state stays on the device")
    .help(format!(
        "leave `{name}` out of `#[step(..)]` and of the result: it is an ordinary parameter then, and \
         `set_{name}` changes it between steps"
    ))
}

/// Two lengths differ inside a function body.
pub(in crate::typecheck) fn lengths(span: Span, left: &str, right: &str) -> Diagnostic {
    Diagnostic::new(
        "L0214",
        span,
        format!("two lengths must be equal here, but one is {left} and the other {right}"),
    )
}

/// With the sizes of a call, a function yields other lengths than it promises.
pub(in crate::typecheck) fn lengths_of_call(
    span: Span,
    name: &str,
    declared: &str,
    found: &str,
) -> Diagnostic {
    Diagnostic::new(
        "L0214",
        span,
        format!("`{name}` promises {declared}, but for these arguments its body yields {found}"),
    )
    .help(format!("correct the lengths in the result type of `{name}`"))
}

/// A size that the compiler cannot compute with.
pub(in crate::typecheck) fn size_too_large(span: Span) -> Diagnostic {
    Diagnostic::new("L0215", span, "a size here is too large or too complicated to compute with")
        .help("use fewer operations in size expressions")
}

/// A state that no work-item can keep.
/// `instead`: what does the same with an array as its state.
pub(in crate::typecheck) fn array_accumulator(
    span: Span,
    name: &str,
    ty: &str,
    instead: Option<&str>,
) -> Diagnostic {
    let first = format!("what `{name}` accumulates is too large for one work-item: {ty}");
    let note =
        format!("arrays in it need lengths that are numbers, and at most {MOST_PRIVATE} scalars in all");
    let d = Diagnostic::new("L0216", span, first).note(note);
    if let Some(instead) = instead {
        return d.help(format!(
            "outside of other functions, go through the array with a counter in the state: `{instead}`"
        ));
    }
    d.help(format!("take each column by itself: `xs.transpose().map({name}(add, 0.0))`"))
}

/// An `iterate` inside a function that would have to keep a large array.
pub(in crate::typecheck) fn iterated_array(span: Span, times: Option<u64>, ty: &str) -> Diagnostic {
    let first = match times {
        Some(times) => format!("`iterate` would write {times} applications on {ty} one after the other"),
        None => format!("`iterate` on {ty} inside another function needs a number of times that is known"),
    };
    Diagnostic::new("L0262", span, first)
        .note(format!("inside a function, an array goes through at most {MOST_UNROLLED} applications"))
        .help("iterate over the whole array, outside of `map`, or over scalars and small arrays")
}

/// An `iterate` whose function changes the type, too often.
pub(in crate::typecheck) fn iterated_type(span: Span, times: u64) -> Diagnostic {
    let first = format!("{times} applications of a function that changes the type");
    Diagnostic::new("L0262", span, first)
        .note(format!("each has a type of its own, and is compiled for itself: at most {MOST_UNROLLED}"))
}

/// A constant in a size that is no integer.
pub(in crate::typecheck) fn const_not_a_size(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0106", span, format!("`{name}` is a constant, but not an integer: it cannot be a size"))
        .help(format!("declare it as `const {name}: usize = …;`"))
}

/// A division by zero or less in a size.
pub(in crate::typecheck) fn size_division(span: Span, divisor: &str) -> Diagnostic {
    Diagnostic::new("L0217", span, format!("a size is divided by {divisor}"))
}

/// A length below zero.
pub(in crate::typecheck) fn negative_length(span: Span, len: &str) -> Diagnostic {
    Diagnostic::new("L0218", span, format!("an array cannot have {len} elements"))
}
