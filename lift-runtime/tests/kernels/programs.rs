//! Kernels of several launches, with several results, and such that update their parameters.

use std::borrow::Cow::Borrowed;

use lift_runtime::__kernel;
use lift_runtime::spec::{
    Access, Chain, Count, Geometry, KernelSpec, Launch, List, Operation, Output, Param, Partition, Rotation,
    ScalarType, Site, Size, Slot, Source, Temporary, Text, Variant,
};

use super::functions::{
    self, BumpFar, BumpHost, CopyOf, FallHost, HeatHost, IsFarOf, PairHost, PartsHost, Squares, SumsOfTwo,
    TurnOf, WaveHost,
};
use super::{A, B, NAIVE, NONE, naive, param, result, size};

const F32: ScalarType = ScalarType::F32;
const N_LESS_1: Size = Size::Sum(Borrowed(&[A, Size::Const(-1)]));
const ONE: Size = Size::Const(1);

const fn updated(elem: ScalarType, name: &'static str) -> Param {
    Param {
        name: Borrowed(name),
        elem,
        dims: Borrowed(&[A]),
        shown: Borrowed(&[Borrowed("N")]),
        access: Access::Update,
    }
}

const fn part(name: &'static str, elem: ScalarType, dims: &'static [Size], shown: &'static [Text]) -> Output {
    Output { name: Borrowed(name), elem, dims: Borrowed(dims), shown: Borrowed(shown) }
}

__kernel! {
    attrs: [ #[doc = "Squares in a temporary, then sums of neighbours: two launches."] ],
    vis: [ pub(crate) ],
    name: Stages,
    ty: "[f32; N] -> [f32; N - 1]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Stages"),
            ty: Borrowed("[f32; N] -> [f32; N - 1]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[param("x", F32, &[A], &[Borrowed("N")])]),
            results: Borrowed(&[result(F32, &[N_LESS_1], &[Borrowed("N - 1")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[Variant {
                temporaries: Borrowed(&[Temporary { elem: F32, dims: Borrowed(&[A]) }]),
                source: Source { text: Borrowed(
                    "__kernel void squares(__global const float *x, __global float *t) {
                         const index_t i = get_global_id(0);
                         if (i < N) t[i] = x[i] * x[i];
                     }
                     __kernel void sums(__global const float *t, __global float *out) {
                         const index_t i = get_global_id(0);
                         if (i < N - 1) out[i] = t[i] + t[i + 1];
                     }",
                ), is_packed: false },
                operations: Borrowed(&[
                    launch!("squares", &[Slot::Param(0), Slot::Temporary(0)], Geometry::Items(Borrowed(&[A]))),
                    launch!("sums", &[Slot::Temporary(0), Slot::Result(0)], Geometry::Items(Borrowed(&[N_LESS_1]))),
                ]),
                ..Variant::NAIVE
            }]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(functions::STAGES),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    host: [ Squares "squares", SumsOfTwo "sums" ],
    params: [ (x: array f32, 1) ],
    result: (array f32, 1),
}

const NOTHING: &str = "__kernel void nothing() {}";

/// Rotates an array by one and adds one, from one temporary to the other.
pub(super) const TURN: &[Operation] = &[
    launch!("turn", &[Slot::Temporary(0), Slot::Temporary(1)], Geometry::Items(Borrowed(&[A]))),
    Operation::Swap(0, 1),
];

pub(super) const TURNS: Variant = Variant {
    temporaries: Borrowed(&[
        Temporary { elem: F32, dims: Borrowed(&[A]) },
        Temporary { elem: F32, dims: Borrowed(&[A]) },
    ]),
    source: Source {
        text: Borrowed(
            "__kernel void copy(__global const float *from, __global float *to) {
             const index_t i = get_global_id(0);
             if (i < N) to[i] = from[i];
         }
         __kernel void turn(__global const float *from, __global float *to) {
             const index_t i = get_global_id(0);
             if (i < N) to[i] = from[(i + 1) % N] + 1.0f;
         }
         __kernel void is_far(__global const float *x, __global uchar *out) {
             if (get_global_id(0) == 0) out[0] = x[0] > 20.0f;
         }",
        ),
        is_packed: false,
    },
    operations: Borrowed(&[
        launch!("copy", &[Slot::Param(0), Slot::Temporary(0)], Geometry::Items(Borrowed(&[A]))),
        Operation::Repeat(Count::Param(1), Borrowed(TURN)),
        launch!("copy", &[Slot::Temporary(0), Slot::Result(0)], Geometry::Items(Borrowed(&[A]))),
    ]),
    ..Variant::NAIVE
};

/// At most `k` turns, until the first element is large.
pub(super) const TURNS_UNTIL: List<Operation> = Borrowed(&[
    launch!("copy", &[Slot::Param(0), Slot::Temporary(0)], Geometry::Items(Borrowed(&[A]))),
    Operation::Repeat(
        Count::Param(1),
        Borrowed(&[
            launch!("is_far", &[Slot::Temporary(0), Slot::Temporary(2)], Geometry::Items(Borrowed(&[ONE]))),
            Operation::Leave(2),
            launch!("turn", &[Slot::Temporary(0), Slot::Temporary(1)], Geometry::Items(Borrowed(&[A]))),
            Operation::Swap(0, 1),
        ]),
    ),
    launch!("copy", &[Slot::Temporary(0), Slot::Result(0)], Geometry::Items(Borrowed(&[A]))),
]);

pub(super) const TEMPORARIES_UNTIL: List<Temporary> = Borrowed(&[
    Temporary { elem: F32, dims: Borrowed(&[A]) },
    Temporary { elem: F32, dims: Borrowed(&[A]) },
    Temporary { elem: ScalarType::Bool, dims: Borrowed(&[]) },
]);

__kernel! {
    attrs: [ #[doc = "`k` turns; in the other variants as many as there are elements, or until the first element is large."] ],
    vis: [ pub(crate) ],
    name: Turns,
    ty: "([f32; N], usize) -> [f32; N]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Turns"),
            ty: Borrowed("([f32; N], usize) -> [f32; N]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[param("x", F32, &[A], &[Borrowed("N")]), param("k", ScalarType::Usize, &[], &[])]),
            results: Borrowed(&[result(F32, &[A], &[Borrowed("N")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[
                TURNS,
                Variant {
                    name: Borrowed("all"),
                    operations: Borrowed(&[
                        launch!("copy", &[Slot::Param(0), Slot::Temporary(0)], Geometry::Items(Borrowed(&[A]))),
                        Operation::Repeat(Count::Size(A), Borrowed(TURN)),
                        launch!("copy", &[Slot::Temporary(0), Slot::Result(0)], Geometry::Items(Borrowed(&[A]))),
                    ]),
                    ..TURNS
                },
                Variant { name: Borrowed("until"), operations: TURNS_UNTIL, temporaries: TEMPORARIES_UNTIL, ..TURNS },
            ]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(functions::ALL_TURNS),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    host: [ CopyOf "copy", TurnOf "turn", IsFarOf "is_far" ],
    params: [ (x: array f32, 1), (k: scalar usize) ],
    result: (array f32, 1),
}

/// A scalar parameter with names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Line {
    pub(crate) slope: f32,
    pub(crate) start: i32,
}

/// Memory for its fields.
#[derive(Debug, PartialEq)]
pub(crate) struct LineArrays<T0, T1> {
    pub(crate) slope: T0,
    pub(crate) start: T1,
}

__kernel! {
    attrs: [ #[doc = "An array of pairs goes in as a pair of arrays, and a nested tuple comes out."] ],
    vis: [ pub(crate) ],
    name: Parts,
    ty: "([(f32, i32); N], Line, (f32, u8)) -> ([(f32, i32); N], (f32, Line))",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Parts"),
            ty: Borrowed("([(f32, i32); N], Line, (f32, u8)) -> ([(f32, i32); N], (f32, Line))"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[
                param("points.0", F32, &[A], &[Borrowed("N")]),
                param("points.1", ScalarType::I32, &[A], &[Borrowed("N")]),
                param("line.slope", F32, &[], &[]),
                param("line.start", ScalarType::I32, &[], &[]),
                param("pair.0", F32, &[], &[]),
                param("pair.1", ScalarType::U8, &[], &[]),
            ]),
            results: Borrowed(&[
                part("out.0.0", F32, &[A], &[Borrowed("N")]),
                part("out.0.1", ScalarType::I32, &[A], &[Borrowed("N")]),
                part("out.1.0", F32, &[], &[]),
                part("out.1.1.slope", F32, &[], &[]),
                part("out.1.1.start", ScalarType::I32, &[], &[]),
            ]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                "__kernel void parts(__global const float *x, __global const int *n, float slope, int start, float a,
                                     uchar b, __global float *y, __global int *m, __global float *first,
                                     __global float *s, __global int *t) {
                     const index_t i = get_global_id(0);
                     if (i >= N) return;
                     y[i] = x[i] * slope + a;
                     m[i] = n[i] + start + b;
                     if (i == 0) { first[0] = x[0]; s[0] = slope + 1.0f; t[0] = start + 1; }
                 }",
                &[launch!(
                    "parts",
                    &[
                        Slot::Param(0), Slot::Param(1), Slot::Param(2), Slot::Param(3), Slot::Param(4),
                        Slot::Param(5), Slot::Result(0), Slot::Result(1), Slot::Result(2), Slot::Result(3),
                        Slot::Result(4),
                    ],
                    Geometry::Items(Borrowed(&[A]))
                )],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(functions::PARTS),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    host: [ PartsHost "parts" ],
    params: [
        (points: tuple { 0: (array f32, 1), 1: (array i32, 1) }),
        (line: fields { slope: (scalar f32), start: (scalar i32) } Line LineArrays [ (scalar f32), (scalar i32) ]),
        (pair: tuple { 0: (scalar f32), 1: (scalar u8) })
    ],
    result: (tuple {
        0: (tuple { 0: (array f32, 1), 1: (array i32, 1) }),
        1: (tuple { 0: (scalar f32), 1: (fields { slope: (scalar f32), start: (scalar i32) } Line LineArrays [ (scalar f32), (scalar i32) ]) })
    }),
}

__kernel! {
    attrs: [ #[doc = "Two arrays in step: positions move by velocities, which fall."] ],
    vis: [ pub(crate) ],
    name: Fall,
    ty: "(&mut [(f32, f32); N], f32) -> ()",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Fall"),
            ty: Borrowed("(&mut [(f32, f32); N], f32) -> ()"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[updated(F32, "bodies.0"), updated(F32, "bodies.1"), param("g", F32, &[], &[])]),
            results: Borrowed(&[]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                "__kernel void fall(__global float *x, __global float *v, float g) {
                     const index_t i = get_global_id(0);
                     if (i >= N) return;
                     x[i] += v[i];
                     v[i] -= g;
                 }",
                &[launch!("fall", &[Slot::Param(0), Slot::Param(1), Slot::Param(2)], Geometry::Items(Borrowed(&[A])))],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(functions::FALL),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: Some(Rotation { chains: Borrowed(&[]), partition: Partition::Whole(Borrowed("nobody said how")) }),
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    host: [ FallHost "fall" ],
    params: [ (bodies: update tuple { 0: (array f32, 1), 1: (array f32, 1) }), (g: scalar f32) ],
    result: (),
    steps: FallSteps {
        states: [ (bodies bodies_device 0 (tuple { 0: (array f32, 1), 1: (array f32, 1) })) ],
        tap: [ 0, f32, 1 ],
        set: [ (set_g 2 (scalar f32)) ],
    },
}

pub(super) const SITES_OF_BUMP: &[Site] = &[
    Site {
        operation: Borrowed("gather"),
        written: Borrowed("cells.gather(which)"),
        source: Some(1),
        len: A,
        distinct: false,
    },
    Site { operation: Borrowed("scatter_to"), written: Borrowed(""), source: None, len: A, distinct: false },
];

pub(super) const OPERATIONS_OF_BUMP: &[Operation] = &[launch!(
    "bump",
    &[Slot::Param(0), Slot::Param(1), Slot::Result(0), Slot::Status],
    Geometry::Items(Borrowed(&[B]))
)];

__kernel! {
    attrs: [ #[doc = "Adds to elements that indices name, and returns what was there; in the other variant, an index far away is wrong."] ],
    vis: [ pub(crate) ],
    name: Bump,
    ty: "(&mut [f32; N], [i32; K]) -> [f32; K]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Bump"),
            ty: Borrowed("(&mut [f32; N], [i32; K]) -> [f32; K]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N"), size("K")]),
            params: Borrowed(&[updated(F32, "cells"), param("which", ScalarType::I32, &[B], &[Borrowed("K")])]),
            results: Borrowed(&[result(F32, &[B], &[Borrowed("K")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[
                Variant {
                    sites: Borrowed(SITES_OF_BUMP),
                    source: Source { text: Borrowed(
                        "void check(__global int *status, int site, long index, long position) {
                         #ifndef LIFT_UNCHECKED
                             if (0 <= index && index < N) return;
                             if (atomic_cmpxchg(status, 0, site) != 0) return;
                             status[1] = (int)position;
                             status[2] = (int)index;
                             status[3] = (int)(index >> 32);
                         #endif
                         }
                         __kernel void bump(__global float *cells, __global const int *which, __global float *out,
                                            __global int *status) {
                             const index_t k = get_global_id(0);
                             if (k >= K) return;
                             const index_t i = which[k];
                             check(status, 1, i, k);
                             const index_t near = i < 0 ? 0 : i >= N ? N - 1 : i;
                             out[k] = cells[near];
                             cells[near] += 1.0f;
                         }",
                    ), is_packed: false },
                    operations: Borrowed(OPERATIONS_OF_BUMP),
                    ..Variant::NAIVE
                },
                Variant {
                    name: Borrowed("far"),
                    sites: Borrowed(SITES_OF_BUMP),
                    source: Source { text: Borrowed(
                        "__kernel void bump(__global float *cells, __global const int *which, __global float *out,
                                            __global int *status) {
                             if (get_global_id(0) != 0) return;
                             status[0] = 1;
                             status[1] = 7;
                             status[2] = 9;
                             status[4] = 1;
                         }",
                    ), is_packed: false },
                    operations: Borrowed(OPERATIONS_OF_BUMP),
                    ..Variant::NAIVE
                },
            ]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(functions::BUMP),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: Some(Rotation { chains: Borrowed(&[]), partition: Partition::Whole(Borrowed("nobody said how")) }),
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    host: [ BumpHost "bump", BumpFar "far" ],
    params: [ (cells: update array f32, 1), (which: array i32, 1) ],
    result: (array f32, 1),
    steps: BumpSteps {
        states: [ (cells cells_device 0 (array f32, 1)) ],
        tap: [ 0, f32, 1 ],
        set: [ (set_which 1 (array i32, 1)) ],
    },
}

__kernel! {
    attrs: [ #[doc = "Passes one argument too many to its second function; the other variants are wrong without running."] ],
    vis: [ pub(crate) ],
    name: Wrong,
    ty: "[f32; N] -> [f32; N]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Wrong"),
            ty: Borrowed("[f32; N] -> [f32; N]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[param("x", F32, &[A], &[Borrowed("N")])]),
            results: Borrowed(&[result(F32, &[A], &[Borrowed("N")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[
                Variant {
                    operations: Borrowed(&[
                        launch!("copy", &[Slot::Param(0), Slot::Result(0)], Geometry::Items(Borrowed(&[A]))),
                        launch!("less", &[Slot::Param(0), Slot::Result(0)], Geometry::Items(Borrowed(&[A]))),
                    ]),
                    source: Source { text: Borrowed("__kernel void copy(__global const float *x, __global float *out) {
                                 const index_t i = get_global_id(0);
                                 if (i < N) out[i] = x[i];
                             }
                             __kernel void less(__global float *out) { out[0] = 0.0f; }"), is_packed: false },
                    ..Variant::NAIVE
                },
                Variant { name: Borrowed("swapped"), operations: Borrowed(&[Operation::Swap(0, 1)]), source: Source { text: Borrowed(NOTHING), is_packed: false }, ..Variant::NAIVE },
                Variant { name: Borrowed("left"), operations: Borrowed(&[Operation::Leave(0)]), source: Source { text: Borrowed(NOTHING), is_packed: false }, ..Variant::NAIVE },
                Variant {
                    name: Borrowed("counted"),
                    operations: Borrowed(&[Operation::Repeat(Count::Param(0), Borrowed(&[]))]),
                    source: Source { text: Borrowed(NOTHING), is_packed: false },
                    ..Variant::NAIVE
                },
            ]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(&[]),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    params: [ (x: array f32, 1) ],
    result: (array f32, 1),
}

const AROUND: &str = "
    float at(__global const float *x, index_t i) { return i < 0 || i >= N ? 0.0f : x[i]; }
    __kernel void wave(__global const float *p, __global const float *before, float c, __global float *out) {
        const index_t i = get_global_id(0);
        if (i < N) out[i] = 2.0f * p[i] - before[i] + c * (at(p, i - 1) - 2.0f * p[i] + at(p, i + 1));
    }
    __kernel void heat(__global const float *p, float c, __global float *out) {
        const index_t i = get_global_id(0);
        if (i < N) out[i] = p[i] + c * (at(p, i - 1) - 2.0f * p[i] + at(p, i + 1));
    }
    __kernel void both(__global const float *u, __global const float *v, __global float *u2, __global float *v2) {
        const index_t i = get_global_id(0);
        if (i < N) { u2[i] = v[i]; v2[i] = u[i] + 1.0f; }
    }";

__kernel! {
    attrs: [ #[doc = "A string that swings: the result takes p's place, p takes that of before."] ],
    vis: [ pub(crate) ],
    name: Wave,
    ty: "([f32; N], [f32; N], f32) -> [f32; N]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Wave"),
            ty: Borrowed("([f32; N], [f32; N], f32) -> [f32; N]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[param("p", F32, &[A], &[Borrowed("N")]), param("before", F32, &[A], &[Borrowed("N")]), param("c", F32, &[], &[])]),
            results: Borrowed(&[result(F32, &[A], &[Borrowed("N")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                AROUND,
                &[launch!(
                    "wave",
                    &[Slot::Param(0), Slot::Param(1), Slot::Param(2), Slot::Result(0)],
                    Geometry::Items(Borrowed(&[A]))
                )],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(functions::WAVE),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: Some(Rotation { chains: Borrowed(&[Chain { result: 0, places: Borrowed(&[0, 1]) }]), partition: Partition::Whole(Borrowed("nobody said how")) }),
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    host: [ WaveHost "wave" ],
    params: [ (p: array f32, 1), (before: array f32, 1), (c: scalar f32) ],
    result: (array f32, 1),
    steps: WaveSteps {
        states: [ (p p_device 0 (array f32, 1)), (before before_device 1 (array f32, 1)) ],
        tap: [ 0, f32, 1 ],
        set: [ (set_p 0 (array f32, 1)), (set_before 1 (array f32, 1)), (set_c 2 (scalar f32)) ],
    },
}

__kernel! {
    attrs: [ #[doc = "Heat spreads: the result takes p's place."] ],
    vis: [ pub(crate) ],
    name: Heat,
    ty: "([f32; N], f32) -> [f32; N]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Heat"),
            ty: Borrowed("([f32; N], f32) -> [f32; N]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[param("p", F32, &[A], &[Borrowed("N")]), param("c", F32, &[], &[])]),
            results: Borrowed(&[result(F32, &[A], &[Borrowed("N")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                AROUND,
                &[launch!("heat", &[Slot::Param(0), Slot::Param(1), Slot::Result(0)], Geometry::Items(Borrowed(&[A])))],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(functions::HEAT),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: Some(Rotation { chains: Borrowed(&[Chain { result: 0, places: Borrowed(&[0]) }]), partition: Partition::Whole(Borrowed("nobody said how")) }),
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    host: [ HeatHost "heat" ],
    params: [ (p: array f32, 1), (c: scalar f32) ],
    result: (array f32, 1),
    steps: HeatSteps {
        states: [ (p p_device 0 (array f32, 1)) ],
        tap: [ 0, f32, 1 ],
        set: [ (set_c 1 (scalar f32)) ],
    },
}

__kernel! {
    attrs: [ #[doc = "Two results and two chains, over the parts of one tuple."] ],
    vis: [ pub(crate) ],
    name: Pair,
    ty: "[(f32, f32); N] -> [(f32, f32); N]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Pair"),
            ty: Borrowed("[(f32, f32); N] -> [(f32, f32); N]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[param("uv.0", F32, &[A], &[Borrowed("N")]), param("uv.1", F32, &[A], &[Borrowed("N")])]),
            results: Borrowed(&[part("out.0", F32, &[A], &[Borrowed("N")]), part("out.1", F32, &[A], &[Borrowed("N")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                AROUND,
                &[launch!(
                    "both",
                    &[Slot::Param(0), Slot::Param(1), Slot::Result(0), Slot::Result(1)],
                    Geometry::Items(Borrowed(&[A]))
                )],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(functions::PAIR),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: Some(Rotation {
                chains: Borrowed(&[Chain { result: 0, places: Borrowed(&[0]) }, Chain { result: 1, places: Borrowed(&[1]) }]),
                partition: Partition::Whole(Borrowed("nobody said how")),
            }),
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    host: [ PairHost "both" ],
    params: [ (uv: tuple { 0: (array f32, 1), 1: (array f32, 1) }) ],
    result: (tuple { 0: (array f32, 1), 1: (array f32, 1) }),
    steps: PairSteps {
        states: [ (uv uv_device 0 (tuple { 0: (array f32, 1), 1: (array f32, 1) })) ],
        tap: [],
        set: [],
    },
}
