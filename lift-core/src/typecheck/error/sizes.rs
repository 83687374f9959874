//! What is said about sizes: facts that cannot hold, indices, lengths, and states that are too large.

use crate::diag::{Diagnostic, faults};
use crate::ir::Prim;
use crate::ir::prim::MOST_UNROLLED;
use crate::ir::types::MOST_PRIVATE;
use crate::span::Span;
use crate::text::words;

faults! { pub(in crate::typecheck),
    /// A step that leaves elements over.
    "L0232" step_leaves_rest(size, step, len):
        "`slide({size}, {step})` over {len} elements would leave some out: {len} - {size} is not a multiple of {step}",
        help "`take` the part that fits, or `pad` up to it";
    /// Some other fact about sizes that cannot hold.
    "L0230" fact_refuted(prim, fact): "`{prim}` needs {fact}, which never holds here";
    /// `take` and `drop` of more than there is.
    "L0230" too_few_elements(prim, wanted, found): "`{prim}({wanted})` needs an array of {wanted} or more elements; \
     this one has {found}";
    /// `slide(3, 0)`
    "L0230" no_step(size, step): "`slide({size}, {step})`: windows must move by at least one element",
        help "a stencil moves by one: `slide({size}, 1)`";
    /// A promise of a kernel that contradicts itself.
    "L0230" own_fact_refuted(fact): "`{fact}` never holds, so the kernel could never run";
    /// A function is called with sizes that it excludes.
    "L0230" promise_refuted(function, fact, values: &[String]): "`{function}` needs `{fact}`, {}" (match values {
        [] => "which never holds here".to_string(),
        values => format!("but here {}", words(values)),
    });
    /// An index that is out of range.
    "L0233" index_out_of_range(index, len, last): "index `{index}` is out of range for an array of {len} elements",
        note "the elements are numbered from 0 to {last}";
    /// An index that may be out of range.
    "L0234" index_not_proved(index, len, help): "index `{index}` may be out of range for an array of {len} elements",
        note "Lift has no run-time panics, so an index must be in range for all values it can take",
        help "{help}";
    /// A permutation that may leave the array.
    "L0235" permutation_not_proved(callee, len):
        "the function of `{callee}` must yield an index of the {len} elements; that cannot be proved",
        note "it is a permutation: of `i` in 0..n, it makes every number in 0..n once",
        help "if it is too complicated to be proved, let `gather` check the indices when the kernel runs: \
              `gather(array(n, |i| …), xs)`";
    /// A function of indices that yields the same for all.
    "L0236" no_permutation(callee, index): "the function of `{callee}` must be a permutation, but it yields the \
     same whatever `{index}` is",
        help "an array whose elements are all `xs[k]` is `array(n, |_| xs[k])`";
    /// A name in a size expression that is no size.
    "L0106" unknown_size(name): "there is no size called `{name}` here",
        help "declare it: `<{name}>`, or use it in the type of a parameter";
    /// A size that nothing determines.
    "L0212" ambiguous_size(equation): "a size cannot be determined from {equation}",
        help "give the array a type: `|x: [f32; N]| …`";
    /// A size variable that cannot be computed from the arguments' extents.
    "L0213" unbound_size(kernel, name): "`{name}` cannot be computed from the extents of the arguments of `{kernel}`",
        help "use an extent that is linear in `{name}`, such as `{name}` or `2 * {name} + 1`";
    /// `materialize` inside a function that is applied to elements.
    "L0270" materialize_inside(): "`materialize` ends a launch, and cannot stand inside a function of elements",
        help "bind the whole array outside: `let ys = xs.map(f).materialize(); …`";
    /// How often the host repeats something must be known to it.
    "L0271" iterate_count(prim): "how often `{prim}` runs over whole arrays must be a size or a parameter",
        note "every application is a launch, and the host counts them",
        help "compute the number on the host, and pass it as a parameter of type `usize`";
    /// The number of times is a result of the step before, which stays on the device.
    "L0271" iterate_count_is_state(name, prim): "`{name}` says how often `{prim}` runs over whole arrays, so it \
     cannot be part of the state",
        note "every application is a launch, which the host counts, and the state stays on the device",
        help "leave `{name}` out of `#[step(..)]` and of the result: it is an ordinary parameter then, and \
              `set_{name}` changes it between steps";
    /// Two lengths differ inside a function body.
    "L0214" lengths(left, right): "two lengths must be equal here, but one is {left} and the other {right}";
    /// With the sizes of a call, a function yields other lengths than it promises.
    "L0214" lengths_of_call(name, declared, found): "`{name}` promises {declared}, but for these arguments its body \
     yields {found}",
        help "correct the lengths in the result type of `{name}`";
    /// A size that the compiler cannot compute with.
    "L0215" size_too_large(): "a size here is too large or too complicated to compute with",
        help "use fewer operations in size expressions";
    /// An `iterate` inside a function that would have to keep a large array.
    "L0262" iterated_array(times: Option<u64>, ty): "`iterate` {}" (match times {
            Some(times) => format!("would write {times} applications on {ty} one after the other"),
            None => format!("on {ty} inside another function needs a number of times that is known"),
        }),
        note "inside a function, an array goes through at most {MOST_UNROLLED} applications",
        help "iterate over the whole array, outside of `map`, or over scalars and small arrays";
    /// An `iterate_until` inside a function that would have to keep a large array.
    "L0262" kept_array(ty): "`iterate_until` on {ty} inside another function: no work-item can keep it",
        note "arrays in the state need lengths that are numbers there, and at most {MOST_PRIVATE} scalars in all",
        help "iterate over the whole array, outside of `map`, or over scalars and small arrays";
    /// A state that no work-item can keep.
    "L0216" array_accumulator(name, ty):
        "what `{name}` accumulates is too large for one work-item: {ty}",
        note "arrays in it need lengths that are numbers, and at most {MOST_PRIVATE} scalars in all",
        help "take each column by itself: `xs.transpose().map(|column| column.{name}(f, 0.0))`";
    /// An `iterate` whose function changes the type, too often.
    "L0262" iterated_type(times): "{times} applications of a function that changes the type",
        note "each has a type of its own, and is compiled for itself: at most {MOST_UNROLLED}";
    /// A constant in a size that is no integer.
    "L0106" const_not_a_size(name): "`{name}` is a constant, but not an integer: it cannot be a size",
        help "declare it as `const {name}: usize = …;`";
    /// A division by zero or less in a size.
    "L0217" size_division(divisor): "a size is divided by {divisor}";
    /// A length below zero.
    "L0218" negative_length(len): "an array cannot have {len} elements";
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

/// A length that a piece does not divide. `callee`: what the user called, `split` or `split2d`.
pub(in crate::typecheck) fn not_a_multiple(span: Span, callee: &str, chunk: &str, len: &str) -> Diagnostic {
    let needs = match callee {
        "split" => format!("`split({chunk})` needs a length that {chunk} divides"),
        _ => format!("`{callee}` needs lengths that its sizes divide"),
    };
    let message = format!("{needs}; {len} is not a multiple of {chunk}");
    Diagnostic::new("L0220", span, message).help(match (chunk.parse::<i64>(), len.parse::<i64>()) {
        (Ok(chunk), Ok(len)) if chunk > 0 && len > chunk => {
            let (fits, missing) = (len - len % chunk, chunk - len % chunk);
            format!("take the part that fits, `take({fits})`, or fill it up, `pad(0, {missing}, clamp)`")
        }
        _ => "`pad` the array up to a multiple, or `take` the part that fits".into(),
    })
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
    let message = format!("a window of {size} does not fit into an array of {len} elements");
    Diagnostic::new("L0231", span, message).help(match (size.parse::<i64>(), len.parse::<i64>()) {
        (Ok(size), Ok(len)) if added <= len && size > 0 => {
            let (before, after) = ((size - 1) / 2, size / 2);
            let pad = match callee {
                "slide2d" => format!("`pad2d({after}, {after}, clamp)`"),
                "slide3d" => format!("`pad3d({after}, {after}, {after}, clamp)`"),
                _ => format!("`pad({before}, {after}, clamp)`, to get {} windows", len - added),
            };
            format!("pad it by half a window, {pad}")
        }
        _ => "`pad` the array first".into(),
    })
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
