//! What users are told about places. Codes L0280–L0285.

use crate::diag::Diagnostic;
use crate::ir::Prim;
use crate::span::Span;

fn new(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

// L0280: nesting.

/// `map_local` without work-groups.
pub(super) fn local_outside(span: Span, path: &[(Prim, i64)]) -> Diagnostic {
    let around: Vec<String> = path.iter().map(|(prim, d)| format!("`{}({d})`", prim.name())).collect();
    let fault = new(
        "L0280",
        span,
        "`map_local` shares elements between the work-items of a group, and there is no group here",
    );
    let fault = match around.as_slice() {
        [] => fault.note("no parallel map is around it"),
        around => fault.note(format!("it stands inside {}", around.join(" inside "))),
    };
    fault.help("write `map_workgroup(0, |tile| tile.map_local(0, f))`, or `map_global` for work-items without groups")
}

/// Two levels that exclude each other.
pub(super) fn levels(span: Span, inner: Prim, outer: Prim) -> Diagnostic {
    let (inner, outer) = (inner.name(), outer.name());
    new("L0280", span, format!("`{inner}` cannot stand inside `{outer}`"))
        .help("`map_workgroup` outside and `map_local` inside, or `map_global` alone, in up to three dimensions each")
}

/// One dimension, twice on a path.
pub(super) fn dimension_twice(span: Span, prim: Prim, d: i64) -> Diagnostic {
    let name = prim.name();
    let other = (0..3).find(|other| *other != d).unwrap_or(0);
    new("L0280", span, format!("dimension {d} of `{name}` is used by a map around this one already"))
        .help(format!("take another dimension, `{name}({other}, …)`, or `map_seq` for a loop"))
}

// L0281: what is stored, and where.

/// A parallel map that is read.
pub(super) fn not_stored(span: Span, prim: Prim) -> Diagnostic {
    let name = prim.name();
    let fault = new(
        "L0281",
        span,
        format!("what `{name}` computes is read here, and nothing says where it is stored"),
    );
    match prim {
        Prim::MapLocal => fault.help("store it for the whole group, `to_local(…)`; every work-item waits until it is there"),
        _ => fault.help("store it, `materialize(…)`: what reads it is another launch; or write `map`, to compute it where it is read"),
    }
}

/// `to_local` without work-groups.
pub(super) fn to_local_outside(span: Span) -> Diagnostic {
    new("L0281", span, "`to_local` stores for the work-items of a group, and there is no group here")
        .help("put it inside `map_workgroup`, or keep the value in registers: `to_private`")
}

/// `to_local` of one work-item.
pub(super) fn to_local_inside(span: Span) -> Diagnostic {
    new(
        "L0281",
        span,
        "`to_local` stands inside `map_local`: the work-items of a group store together, not each for itself",
    )
    .help("store before `map_local`, or keep the value in registers: `to_private`")
}

/// `slide_seq` that no loop goes through.
pub(super) fn no_loop(span: Span) -> Diagnostic {
    new("L0281", span, "`slide_seq` keeps a window from one trip of a loop to the next, and no loop goes through these windows")
        .help("follow it with `map_seq` or `map_seq_unroll`, or write `slide`")
}

// L0282: sizes.

/// Too much for registers.
pub(super) fn private_size(span: Span, ty: &str) -> Diagnostic {
    new("L0282", span, format!("`{ty}` does not fit the registers of a work-item"))
        .help("what is kept there has lengths that are numbers, and at most 1024 scalars")
}

/// Too much for local memory.
pub(super) fn local_size(span: Span, ty: &str) -> Diagnostic {
    new("L0282", span, format!("`{ty}` does not fit the local memory of any device"))
        .help("store a tile at a time")
}

/// A window whose size is no number.
pub(super) fn window_length(span: Span) -> Diagnostic {
    new(
        "L0282",
        span,
        "the size and the step of `slide_seq` must be numbers: the window is kept in registers",
    )
    .help("write `slide` where they are not")
}

/// Vectors of another length.
pub(super) fn lanes(span: Span, len: &str) -> Diagnostic {
    new("L0282", span, format!("`map_vec` needs 2, 3, 4, 8 or 16 elements, and there are {len}"))
        .help("cut the array first: `xs.split(4).map(map_vec(f)).join()`, which is `xs.vectorize(4, f)`")
}

/// An unknown number of copies.
pub(super) fn unrolled(span: Span, prim: Prim, len: &str) -> Diagnostic {
    let (name, plain) = match prim {
        Prim::ReduceSeqUnroll => (prim.name(), Prim::ReduceSeq.name()),
        _ => (prim.name(), Prim::MapSeq.name()),
    };
    new("L0282", span, format!("`{name}` writes out every element, and there are {len}"))
        .help(format!("the length must be a number, at most 4096; write `{plain}` for a loop"))
}
