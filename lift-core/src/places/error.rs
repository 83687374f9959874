//! What users are told about places. Codes L0280–L0282, and L0216 and L0188 where they depend on places.

use crate::diag::Diagnostic;
use crate::ir::place::{Misplaced, Place};
use crate::ir::types::MOST_PRIVATE;
use crate::ir::{Arg, Expr, Kind, Memory, Order, Prim, Type};
use crate::machine::by_key::MOST_SCALARS;
use crate::span::Span;

fn new(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

/// The name of the map.
fn name(place: Place) -> &'static str {
    Prim::Map(place).name()
}

/// `map_local(0, …)`
fn placed(place: Place) -> String {
    match place.dimension() {
        Some(d) => format!("`{}({d}, …)`", name(place)),
        None => format!("`{}(…)`", name(place)),
    }
}

/// Adds what is around, innermost first.
fn chain(fault: Diagnostic, path: &[Place]) -> Diagnostic {
    let around: Vec<String> = path.iter().rev().map(|place| placed(*place)).collect();
    match around.as_slice() {
        [] => fault.note("no parallel map is around it"),
        around => fault.note(format!("it stands inside {}", around.join(" inside "))),
    }
}

/// A dimension that no map of that kind around uses.
fn free(place: Place, path: &[Place]) -> Option<usize> {
    (0..3).find(|d| place.dimension().is_some() && !path.contains(&place.with_dimension(*d)))
}

// L0280: nesting.

/// A map that may not stand where it does.
pub(super) fn misplaced(span: Span, place: Place, why: Misplaced, path: &[Place]) -> Diagnostic {
    match why {
        Misplaced::Twice => dimension_twice(span, place, path),
        Misplaced::WithoutGroup => local_outside(span, place, path),
        Misplaced::WithoutWarp => lane_outside(span, path),
        Misplaced::WarpsTaken => warps_taken(span, place, path),
        Misplaced::Inside(outer) => levels(span, place, outer, path),
    }
}

/// `map_local` or `map_warp` without work-groups.
pub(super) fn local_outside(span: Span, place: Place, path: &[Place]) -> Diagnostic {
    let (name, whose) = (name(place), if place == Place::Warp { "warps" } else { "work-items" });
    let message =
        format!("`{name}` shares elements between the {whose} of a group, and there is no group here");
    let fault = chain(new("L0280", span, message), path);
    match path.last() {
        _ if place == Place::Warp => fault.help(
            "give every group a piece, `xs.split(8).map_workgroup(0, map_warp(f)).join()`, or write `map_global(0, f)`",
        ),
        Some(Place::Global(outer)) => {
            let own = free(Place::Global(0), path).or(place.dimension()).unwrap_or(0);
            fault.help(format!(
                "write `map_workgroup({outer}, …)` for the map around it, or `map_global({own}, …)` for this one"
            ))
        }
        _ => fault.help(
            "give every group a piece, `xs.split(64).map_workgroup(0, map_local(0, f)).join()`, or write \
             `map_global(0, f)`",
        ),
    }
}

/// `map_lane` without warps.
fn lane_outside(span: Span, path: &[Place]) -> Diagnostic {
    let message =
        "`map_lane` shares elements between the work-items of a warp, and there is no `map_warp` around it";
    chain(new("L0280", span, message), path).help(
        "give every warp a piece, `xs.split(32).map_warp(map_lane(f)).join()`, or write `map_local(0, f)`",
    )
}

/// A warp that is not whole.
pub(super) fn part_of_a_warp(span: Span, group: &[i64]) -> Diagnostic {
    let wrote: Vec<String> = group.iter().map(ToString::to_string).collect();
    let wrote = wrote.join(", ");
    new(
        "L0280",
        span,
        format!("a warp has 32 work-items in dimension 0, and `#[work_group({wrote})]` cuts one in parts"),
    )
    .help("write a multiple of 32 as the first number, or leave the attribute out")
}

/// The work-items of dimension 0, shared out in two ways.
fn warps_taken(span: Span, place: Place, path: &[Place]) -> Diagnostic {
    let shown = placed(place);
    let message =
        format!("{shown} shares the work-items of dimension 0 out, and a map around it has done so already");
    let fault = chain(new("L0280", span, message), path);
    match place {
        Place::Local(_) => fault.help("write `map_lane(…)`, for those of one warp, or `map_local(1, …)`"),
        _ => fault.help("write `map_local(1, …)` for the map around it, or `map_seq(…)` for a loop"),
    }
}

/// Two levels that exclude each other.
fn levels(span: Span, place: Place, outer: Place, path: &[Place]) -> Diagnostic {
    let message = format!("`{}` cannot stand inside `{}`", name(place), name(outer));
    let fault = chain(new("L0280", span, message), path);
    match (place, path.last()) {
        (Place::Global(_), Some(Place::Group(_))) => {
            fault.help("write `map_local(0, …)`: the work-items of the group share the elements")
        }
        (_, Some(Place::Global(d))) => fault.help(format!(
            "write `map_workgroup({d}, …)` for the map around it, and `map_local(0, …)` for this one"
        )),
        _ => fault.help("write `map_seq(…)`: each work-item goes through its elements in a loop"),
    }
}

/// One dimension, twice on a path.
fn dimension_twice(span: Span, place: Place, path: &[Place]) -> Diagnostic {
    let name = name(place);
    let message = match place.dimension() {
        None => format!("`{name}` stands inside another one already"),
        Some(d) => format!("dimension {d} of `{name}` is used by a map around this one already"),
    };
    let fault = chain(new("L0280", span, message), path);
    match free(place, path) {
        Some(other) => fault.help(format!("write `{name}({other}, …)`, or `map_seq(…)` for a loop")),
        None if place == Place::Warp => {
            fault.help("write `map_lane(…)`, for the work-items of one warp, or `map_seq(…)`, a loop")
        }
        None if place == Place::Lane => fault.help("write `map_seq(…)`, a loop of each work-item"),
        None => fault.help("write `map_seq(…)`, a loop: there are no more than three dimensions"),
    }
}

/// Work-items and groups that are counted in two ways.
pub(super) fn mixed(span: Span, place: Place, other: Place) -> Diagnostic {
    let message = format!("`{}` stands beside `{}` in one launch", name(place), name(other));
    new("L0280", span, message).help(
        "write the same one in both places; or `materialize(…)` one of the two, which is another launch then",
    )
}

/// Groups of two numbers.
pub(super) fn group_counts(span: Span, d: usize, here: &str, there: &str) -> Diagnostic {
    let message =
        format!("`map_workgroup({d}, …)` counts {here} here, and {there} elsewhere in the same launch");
    new("L0280", span, message)
        .help("write `map_global`, whose maps may differ; or `materialize(…)` one of the two, which is another launch then")
}

// L0281: what is stored, and where.

/// A parallel map that is read.
pub(super) fn not_stored(span: Span, place: Place, path: &[Place]) -> Diagnostic {
    let name = name(place);
    let fault =
        new("L0281", span, format!("what `{name}` computes is read, and nothing says where it is stored"));
    match path {
        _ if place.is_shared_by_group() => fault.help(format!(
            "store it for the whole group, `to_local(xs.{name}(…))`; the group waits until all of it is there"
        )),
        [] => fault
            .help(format!("store it, `materialize(…)`, for another launch; or write `map` here, and `{name}` for what comes last")),
        [..] => {
            let fault = chain(fault, path);
            fault.help("write `map`, to compute each element where it is read, or `to_private(xs.map_seq(…))`, to keep them")
        }
    }
}

/// A parallel map whose elements one work-item would keep.
pub(super) fn in_registers(span: Span, place: Place) -> Diagnostic {
    let name = name(place);
    new(
        "L0281",
        span,
        format!("`{name}` stands inside what a work-item keeps in registers, and it would not have the elements of the others"),
    )
    .help(
        "write `map_seq(…)`, so that each computes all of them, or `to_local(…)` around `map_local`; what is shared out as a whole, \
         `to_private(xs.map_local(…))`, is kept in parts",
    )
}

/// What is shared out, where others than those who have it would read it.
pub(super) fn own_part(span: Span) -> Diagnostic {
    new(
        "L0281",
        span,
        "this is in the registers of a group, each work-item of which has only what it computed itself",
    )
    .help(
        "go through it with the same `map_local(…)`, alone or zipped with others; for the others to read, store it with \
         `to_local(…)`",
    )
}

/// More elements than work-items, or nobody knows how many, of what is shared out; `items` are in the group.
pub(super) fn shared_length(span: Span, d: usize, len: &str, items: Option<i64>) -> Diagnostic {
    let message = match items {
        Some(items) => format!("the {items} work-items of the group keep one element each of these {len}"),
        None => {
            format!("the work-items of the group keep one element each of these {len}, which is no number")
        }
    };
    new("L0282", span, message)
        .help(format!("cut the array into as many pieces as the group has work-items in dimension {d}, for `map_local({d}, …)`"))
}

/// `to_local` without work-groups.
pub(super) fn to_local_outside(span: Span, prim: Prim, path: &[Place]) -> Diagnostic {
    let message =
        format!("`{}` stores for the work-items of a group, and there is no group here", prim.name());
    let fault = chain(new("L0281", span, message), path);
    match (prim, path) {
        (Prim::Store(Memory::Global), []) => {
            fault.help("write `materialize(…)`: what reads it is another launch")
        }
        _ => fault
            .help("write `to_private(…)`, to keep the value in registers, or put it inside `map_workgroup`"),
    }
}

/// `to_local` of one work-item.
pub(super) fn to_local_inside(span: Span, prim: Prim, outer: Place) -> Diagnostic {
    let (name, outer) = (prim.name(), name(outer));
    new(
        "L0281",
        span,
        format!(
            "`{name}` stands inside `{outer}`: the work-items of a group store together, not each for itself"
        ),
    )
    .help(format!("store before `{outer}`, or write `to_private(…)`, to keep the value in registers"))
}

/// `to_local` where the group does not stay together.
pub(super) fn to_local_by_some(span: Span, prim: Prim) -> Diagnostic {
    let name = prim.name();
    new(
        "L0281",
        span,
        format!(
            "`{name}` stands where data decides whether it is computed, and the whole group has to be there"
        ),
    )
    .note("only parameters that are no arrays are the same for all work-items")
    .help("store before the `if`, `iterate` or `iterate_until`, or write `to_private(…)`, to keep the value in registers")
}

/// Groups inside what one group keeps.
pub(super) fn groups_in_local(span: Span, d: usize) -> Diagnostic {
    new(
        "L0281",
        span,
        "`map_workgroup` stands inside `to_local`: a group has local memory of its own, without what others compute",
    )
    .help(format!(
        "write `map_local(0, …)`: the work-items of the group compute all of it; or put `to_local` inside `map_workgroup({d}, …)`"
    ))
}

/// A read of what other work-items keep.
pub(super) fn owned(span: Span) -> Diagnostic {
    new(
        "L0281",
        span,
        "this is kept by the work-items that compute it, each its own elements, and elements of others are read here",
    )
    .help(
        "go on with the same maps, `sums.map_local(0, …)`, to read each element where it is; or store it for the whole \
         group, `to_local(sums)`",
    )
}

/// An accumulator of which nobody knows who has what.
pub(super) fn unowned(span: Span) -> Diagnostic {
    new("L0281", span, "work-items compute the elements of this accumulator, and not in the order in which it has them")
        .help("let maps go through it from outside in, `zip(acc, row).map_local(0, …)`, and move data around after the reduction")
}

/// `slide_seq` that no loop goes through.
pub(super) fn no_loop(span: Span) -> Diagnostic {
    new("L0281", span, "`slide_seq` keeps a window from one trip of a loop to the next, and no loop goes through these windows")
        .help("follow it with `map_seq(…)`, or write `slide`")
}

/// Room in no memory.
pub(super) fn room_elsewhere(span: Span, prim: Prim) -> Diagnostic {
    let name = prim.name();
    new(
        "L0281",
        span,
        format!("`{name}` makes room around what `to_local` stores, and is applied to something else"),
    )
    .help(format!("write it directly after: `to_local(…).{name}(…)`"))
}

// L0282: sizes.

/// Too much for registers, or nobody knows how much; `scalars` are in it.
pub(super) fn private_size(span: Span, prim: Prim, ty: &str, scalars: Option<i64>) -> Diagnostic {
    let name = prim.name();
    let message = match scalars {
        Some(n) => format!("`{name}` would keep {n} scalars in registers, and a work-item has room for 1024"),
        None => format!("`{name}` keeps `{ty}` in registers, and its lengths must be numbers for that"),
    };
    let fault = new("L0282", span, message);
    match prim {
        Prim::SlideSeq => fault.help("cut the elements into pieces first, or write `slide`"),
        _ => fault.help("keep a piece at a time, of `xs.split(4)` for example, or leave out `to_private`"),
    }
}

/// Too much for local memory.
pub(super) fn local_size(span: Span, ty: &str, bytes: i64) -> Diagnostic {
    let kib = bytes / 1024;
    new("L0282", span, format!("`to_local` would store `{ty}`, which is {kib} KiB; groups have 32 to 228"))
        .help("store a tile at a time, of `xs.split(1024)` for example")
}

/// A window whose size is no number.
pub(super) fn window_length(span: Span, size: &str, step: &str) -> Diagnostic {
    let message =
        format!("`slide_seq({size}, {step})` keeps its window in registers, so both must be numbers");
    new("L0282", span, message).help(format!("write `slide({size}, {step})`, which reads every window anew"))
}

/// Vectors of another length.
pub(super) fn lanes(span: Span, len: &str) -> Diagnostic {
    new("L0282", span, format!("`map_vec` needs 2, 3, 4, 8 or 16 elements, and there are {len}"))
        .help("cut the array first: `xs.split(4).map(map_vec(f)).join()`, which is `xs.vectorize(4, f)`")
}

/// An unknown number of copies.
pub(super) fn unrolled(span: Span, prim: Prim, len: &str) -> Diagnostic {
    let (name, plain) = match prim {
        Prim::Reduce(Order::Unrolled) => (prim.name(), Prim::Reduce(Order::Sequential).name()),
        _ => (prim.name(), Prim::Map(Place::Sequential).name()),
    };
    new("L0282", span, format!("`{name}` writes out every element, and there are {len}"))
        .help(format!("the length must be a number, at most 4096; write `{plain}` for a loop"))
}

// L0188: the shape of work-groups.

/// More dimensions than the attribute has.
pub(super) fn group_rank(span: Span, d: usize, group: &[i64]) -> Diagnostic {
    let wrote: Vec<String> = group.iter().map(ToString::to_string).collect();
    let wrote = wrote.join(", ");
    let ones = ", 4".repeat(d + 1 - group.len());
    let message =
        format!("`map_local({d}, …)` uses dimension {d} of groups, and `#[work_group({wrote})]` has none");
    new("L0188", span, message)
        .help(format!("write `#[work_group({wrote}{ones})]`, or leave the attribute out"))
}

/// `#[stores(streaming)]` without `map_vec`.
pub(super) fn no_vectors(span: Span) -> Diagnostic {
    new("L0189", span, "non-temporal stores are of whole vectors, and this kernel has none")
        .help("compute vectors, `xs.vectorize(16, f)` for one, or leave the attribute out")
}

// L0216: what reductions accumulate.

/// A state that no work-item can keep.
pub(super) fn large_state(e: &Expr, prim: Prim) -> Diagnostic {
    let Some((_, [_, Arg::Data(z), Arg::Data(xs)])) = e.as_prim() else {
        crate::bug!("not a reduction: {e}")
    };
    let message = format!("what `{}` accumulates is too large for one work-item: {}", prim.name(), z.ty());
    let fault = new("L0216", e.span(), message)
        .note(format!("arrays in it need lengths that are numbers, and at most {MOST_PRIVATE} scalars in all, unless the function combines element by element"));
    let fault = fault.help("combine the elements one by one, `|a, b| zip(a, b).map(f)`: then each column is accumulated by itself");
    let Some((_, n)) = xs.ty().as_array().filter(|_| prim == Prim::Reduce(Order::Left)) else { return fault };
    let name = |e: &Expr, other: &str| match e.kind() {
        Kind::Param(p) => p.name.to_string(),
        _ => other.to_string(),
    };
    let (xs, z) = (name(xs, "xs"), name(z, "start"));
    fault.help(format!(
        "outside of other functions, go through the array with a counter in the state: `iterate({n}, |(i, state)| (i + 1, f(state, {xs}[i % {n}])), (0, {z})).1`"
    ))
}

/// Arrays that are combined in the place where the result is stored.
pub(super) fn combined_arrays(span: Span, name: &str, ty: &Type) -> Diagnostic {
    let message = format!(
        "`{name}` combines at most {MOST_SCALARS} scalars at once, and longer rows element by element; this is {ty}"
    );
    new("L0216", span, message).note("each is combined with what is already stored for its key").help(
        "combine the elements one by one, `|a, b| zip(a, b).map(f)`, and each part of a tuple by itself",
    )
}
