//! Kernels written by hand as `lift!` would write them, one of each kind the runtime must handle.

#![allow(dead_code, reason = "every test file uses some of them")]

use std::borrow::Cow::Borrowed;

use functions::SaxpyHost;
use lift_runtime::spec::{
    Access, Check, Fact, Geometry, KernelSpec, Launch, Operation, Output, Param, ScalarType, Size, SizeVar,
    Slot, Source, Text, Tunable, Variant,
};
use lift_runtime::{__kernel, Device};

/// A device for kernels whose versions are texts.
pub(crate) fn opencl() -> Device {
    let devices = Device::all().unwrap().into_iter();
    let found = devices.filter(|device| *device != Device::cpu()).max_by_key(Device::is_gpu);
    found.expect("tests need an OpenCL device, such as PoCL")
}

/// What kernels run on whose versions are texts and functions.
pub(crate) fn devices() -> Vec<Device> {
    let mut devices = vec![Device::cpu()];
    if cfg!(feature = "opencl") {
        devices.push(opencl());
    }
    devices
}

/// The first, second and third size variable of each kernel.
const A: Size = Size::Var(0);
const B: Size = Size::Var(1);
const C: Size = Size::Var(2);
const NONE: Size = Size::Const(0);

/// A function, its arguments, its index space, and its local memory if it has any.
macro_rules! launch {
    ($entry:literal, $args:expr, $geometry:expr) => {
        launch!($entry, $args, $geometry, NONE)
    };
    ($entry:literal, $args:expr, $geometry:expr, $local_bytes:expr) => {
        Operation::Launch(Launch {
            entry: Borrowed($entry),
            args: Borrowed($args),
            geometry: $geometry,
            local_bytes: $local_bytes,
        })
    };
}

pub(crate) mod functions;
pub(crate) mod programs;

/// The arguments of functions that take so many parameters, and a result.
const ONE: &[Slot] = &[Slot::Param(0), Slot::Result(0)];
const TWO: &[Slot] = &[Slot::Param(0), Slot::Param(1), Slot::Result(0)];
const THREE: &[Slot] = &[Slot::Param(0), Slot::Param(1), Slot::Param(2), Slot::Result(0)];
const SEVEN: &[Slot] = &[
    Slot::Param(0),
    Slot::Param(1),
    Slot::Param(2),
    Slot::Param(3),
    Slot::Param(4),
    Slot::Param(5),
    Slot::Param(6),
    Slot::Result(0),
];

const fn naive(source: &'static str, operations: &'static [Operation]) -> Variant {
    Variant {
        source: Source { text: Borrowed(source), is_packed: false },
        operations: Borrowed(operations),
        ..Variant::NAIVE
    }
}

const fn param(name: &'static str, elem: ScalarType, dims: &'static [Size], shown: &'static [Text]) -> Param {
    Param { name: Borrowed(name), elem, dims: Borrowed(dims), shown: Borrowed(shown), access: Access::Read }
}

const fn result(elem: ScalarType, dims: &'static [Size], shown: &'static [Text]) -> Output {
    Output { name: Borrowed("out"), elem, dims: Borrowed(dims), shown: Borrowed(shown) }
}

const fn size(name: &'static str) -> SizeVar {
    SizeVar { name: Borrowed(name), define: Borrowed(name) }
}

const NAIVE: &[Text] = &[Borrowed("naive")];

__kernel! {
    attrs: [ #[doc = "`a * x + y`."] ],
    vis: [ pub(crate) ],
    name: Saxpy,
    ty: "(f32, [f32; N], [f32; N]) -> [f32; N]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Saxpy"),
            ty: Borrowed("(f32, [f32; N], [f32; N]) -> [f32; N]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[
                param("a", ScalarType::F32, &[], &[]),
                param("x", ScalarType::F32, &[A], &[Borrowed("N")]),
                param("y", ScalarType::F32, &[A], &[Borrowed("N")]),
            ]),
            results: Borrowed(&[result(ScalarType::F32, &[A], &[Borrowed("N")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                "__kernel void saxpy(float a, __global const float *x, __global const float *y, __global float *out) {
                     const index_t i = get_global_id(0);
                     if (i < N) out[i] = a * x[i] + y[i];
                 }",
                &[launch!("saxpy", THREE, Geometry::Items(Borrowed(&[A])))],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(functions::SAXPY),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    host: [ SaxpyHost "saxpy" ],
    params: [ (a: scalar f32), (x: array f32, 1), (y: array f32, 1) ],
    result: (array f32, 1),
}

__kernel! {
    attrs: [ #[doc = "The mean of a square window of odd width; outside is zero."] ],
    vis: [ pub(crate) ],
    name: Blur,
    ty: "([[f32; W]; H], [[f32; W]; H], [f32; 2 * R + 1]) -> [[f32; W]; H]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Blur"),
            ty: Borrowed("([[f32; W]; H], [[f32; W]; H], [f32; 2 * R + 1]) -> [[f32; W]; H]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("H"), size("W"), size("R")]),
            params: Borrowed(&[
                param("image", ScalarType::F32, &[A, B], &[Borrowed("H"), Borrowed("W")]),
                param("mask", ScalarType::F32, &[A, B], &[Borrowed("H"), Borrowed("W")]),
                param("weights", ScalarType::F32, &[Size::Sum(Borrowed(&[Size::Product(Borrowed(&[Size::Const(2), C])), Size::Const(1)]))], &[Borrowed("2 * R + 1")]),
            ]),
            results: Borrowed(&[result(ScalarType::F32, &[A, B], &[Borrowed("H"), Borrowed("W")])]),
            checks: Borrowed(&[Check {
                fact: Fact::AtMost(C, Size::Const(100)),
                message: Borrowed("the window is at most 100 on each side, but `R` is {left}"),
            }]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                "__kernel void blur(__global const float *image, __global const float *mask,
                                    __global const float *weights, __global float *out) {
                     const index_t x = get_global_id(0), y = get_global_id(1);
                     if (x >= W || y >= H) return;
                     float sum = 0.0f;
                     for (index_t r = -R; r <= R; ++r) {
                         const index_t c = x + r;
                         if (c >= 0 && c < W) sum += weights[r + R] * image[y * W + c];
                     }
                     out[y * W + x] = mask[y * W + x] * sum;
                 }",
                &[launch!("blur", THREE, Geometry::Items(Borrowed(&[B, A])))],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(&[]),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    params: [ (image: array f32, 2), (mask: array f32, 2), (weights: array f32, 1) ],
    result: (array f32, 2),
}

const GROUP: Size = Size::Tunable(0);

__kernel! {
    attrs: [ #[doc = "Sums of groups of elements, in local memory, or one by one."] ],
    vis: [ pub(crate) ],
    name: Sums,
    ty: "[i32; 128 * M] -> [i32; M]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Sums"),
            ty: Borrowed("[i32; 128 * M] -> [i32; M]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N"), size("M")]),
            params: Borrowed(&[param("x", ScalarType::I32, &[A], &[Borrowed("N")]),
                      param("marks", ScalarType::I32, &[B], &[Borrowed("M")])]),
            results: Borrowed(&[result(ScalarType::I32, &[B], &[Borrowed("M")])]),
            checks: Borrowed(&[
                Check {
                    fact: Fact::MultipleOf(A, Size::Const(128)),
                    message: Borrowed("`split(128)` needs a length that 128 divides, but `N` is {left}"),
                },
                Check {
                    fact: Fact::Equal(A, Size::Product(Borrowed(&[Size::Const(128), B]))),
                    message: Borrowed("`x` has {left} elements, but `marks` promises {right}{sizes}"),
                },
            ]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[
                naive(
                    "__kernel void sums(__global const int *x, __global const int *marks, __global int *out) {
                         const index_t m = get_global_id(0);
                         if (m >= M) return;
                         int sum = marks[m];
                         for (index_t i = 0; i < 128; ++i) sum += x[m * 128 + i];
                         out[m] = sum;
                     }",
                    &[launch!("sums", TWO, Geometry::Items(Borrowed(&[B])))],
                ),
                Variant {
                    name: Borrowed("grouped"),
                    source: Source { text: Borrowed("__kernel void sums(__global const int *x, __global const int *marks, __global int *out) {
                         __local int part[GROUP];
                         const index_t m = get_group_id(0), l = get_local_id(0);
                         int sum = 0;
                         for (index_t i = l; i < 128; i += GROUP) sum += x[m * 128 + i];
                         part[l] = sum;
                         barrier(CLK_LOCAL_MEM_FENCE);
                         if (l == 0) {
                             sum = marks[m];
                             for (index_t i = 0; i < GROUP; ++i) sum += part[i];
                             out[m] = sum;
                         }
                     }"), is_packed: false },
                    tunables: Borrowed(&[Tunable { name: Borrowed("GROUP"), default: 32, min: 1, max: 1 << 40 }]),
                    operations: Borrowed(&[launch!("sums", TWO, Geometry::Groups { groups: Borrowed(&[B]), local: Borrowed(&[GROUP]) }, Size::Product(Borrowed(&[Size::Const(4), GROUP])))]),
                    ..Variant::NAIVE
                },
                Variant {
                    name: Borrowed("greedy"),
                    source: Source { text: Borrowed("no device has that much local memory"), is_packed: false },
                    operations: Borrowed(&[launch!("sums", TWO, Geometry::Groups { groups: Borrowed(&[B]), local: Borrowed(&[Size::Const(1)]) }, Size::Const(1 << 40))]),
                    ..Variant::NAIVE
                },
                Variant {
                    name: Borrowed("crowded"),
                    source: Source { text: Borrowed("no device has groups that large"), is_packed: false },
                    operations: Borrowed(&[launch!("sums", TWO, Geometry::Groups { groups: Borrowed(&[B]), local: Borrowed(&[Size::Const(1 << 20)]) }, NONE)]),
                    ..Variant::NAIVE
                },
                Variant {
                    name: Borrowed("broken"),
                    source: Source { text: Borrowed("__kernel void sums(__global const int *x, __global const int *marks, __global int *out) {\n    out[0] = foo[x[0]];\n}\n"), is_packed: false },
                    operations: Borrowed(&[launch!("sums", TWO, Geometry::Items(Borrowed(&[B])), NONE)]),
                    ..Variant::NAIVE
                },
            ]),
            gpu_order: Borrowed(&[Borrowed("greedy"), Borrowed("crowded"), Borrowed("grouped"), Borrowed("naive")]),
            host: Borrowed(&[]),
            cpu_order: Borrowed(&[Borrowed("greedy"), Borrowed("crowded"), Borrowed("grouped"), Borrowed("naive")]),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    params: [ (x: array i32, 1), (marks: array i32, 1) ],
    result: (array i32, 1),
}

pub(crate) const TOTAL: KernelSpec = KernelSpec {
    name: Borrowed("Total"),
    ty: Borrowed("[f32; N] -> f32"),
    types: Borrowed(""),
    sizes: Borrowed(&[size("N")]),
    params: Borrowed(&[param("x", ScalarType::F32, &[A], &[Borrowed("N")])]),
    results: Borrowed(&[result(ScalarType::F32, &[], &[])]),
    checks: Borrowed(&[]),
    needs: Borrowed(&[]),
    variants: Borrowed(&[naive(
        "__kernel void total(__global const float *x, __global float *out) {
             float sum = 0.0f;
             for (index_t i = 0; i < N; ++i) sum += x[i];
             out[0] = sum;
         }",
        &[launch!("total", ONE, Geometry::Items(Borrowed(&[Size::Const(1)])))],
    )]),
    gpu_order: Borrowed(NAIVE),
    host: Borrowed(&[]),
    cpu_order: Borrowed(NAIVE),
    missing: Borrowed(&[]),
    step: None,
    fingerprint: Borrowed(""),
    tuned: Borrowed(&[]),
};

__kernel! {
    attrs: [],
    vis: [ pub(crate) ],
    name: Total,
    ty: "",
    spec: unsafe { const {
        TOTAL
    }},
    params: [ (x: array f32, 1) ],
    result: (scalar f32),
}

__kernel! {
    attrs: [ #[doc = "All scalar types, as elements and by value; the names are those the macro uses itself."] ],
    vis: [ pub(crate) ],
    name: Mixed,
    ty: "([u8; N], [bool; N], [usize; N], u8, bool, usize, i32) -> [usize; N]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Mixed"),
            ty: Borrowed("([u8; N], [bool; N], [usize; N], u8, bool, usize, i32) -> [usize; N]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[
                param("queue", ScalarType::U8, &[A], &[Borrowed("N")]),
                param("out", ScalarType::Bool, &[A], &[Borrowed("N")]),
                param("device", ScalarType::Usize, &[A], &[Borrowed("N")]),
                param("byte", ScalarType::U8, &[], &[]),
                param("flag", ScalarType::Bool, &[], &[]),
                param("index", ScalarType::Usize, &[], &[]),
                param("number", ScalarType::I32, &[], &[]),
            ]),
            results: Borrowed(&[result(ScalarType::Usize, &[A], &[Borrowed("N")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                "__kernel void mixed(__global const uchar *bytes, __global const uchar *flags, __global const ulong *indices,
                                     uchar byte, uchar flag, ulong index, int number, __global ulong *result) {
                     const index_t i = get_global_id(0);
                     if (i >= N) return;
                     result[i] = indices[i] + index + 1000 * (ulong)bytes[i] + byte + 10 * flags[i] + 20 * flag + number;
                 }",
                &[launch!("mixed", SEVEN, Geometry::Items(Borrowed(&[A])))],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(&[]),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    params: [
        (queue: array u8, 1), (out: array bool, 1), (device: array usize, 1),
        (byte: scalar u8), (flag: scalar bool), (index: scalar usize), (number: scalar i32)
    ],
    result: (array usize, 1),
}

__kernel! {
    attrs: [ #[doc = "Which bytes are larger than three. Truth is any byte but zero."] ],
    vis: [ pub(crate) ],
    name: Large,
    ty: "[u8; N] -> [bool; N]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Large"),
            ty: Borrowed("[u8; N] -> [bool; N]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[param("x", ScalarType::U8, &[A], &[Borrowed("N")])]),
            results: Borrowed(&[result(ScalarType::Bool, &[A], &[Borrowed("N")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                "__kernel void large(__global const uchar *x, __global uchar *out) {
                     const index_t i = get_global_id(0);
                     if (i < N) out[i] = x[i] > 3 ? x[i] : 0;
                 }",
                &[launch!("large", ONE, Geometry::Items(Borrowed(&[A])))],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(&[]),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    params: [ (x: array u8, 1) ],
    result: (array bool, 1),
}

__kernel! {
    attrs: [ #[doc = "Windows of three: the result is two shorter."] ],
    vis: [ pub(crate) ],
    name: Windows,
    ty: "[f32; N] -> [f32; N - 2]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Windows"),
            ty: Borrowed("[f32; N] -> [f32; N - 2]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[param("x", ScalarType::F32, &[A], &[Borrowed("N")])]),
            results: Borrowed(&[result(ScalarType::F32, &[Size::Sum(Borrowed(&[A, Size::Const(-2)]))], &[Borrowed("N - 2")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                "__kernel void windows(__global const float *x, __global float *out) {
                     const index_t i = get_global_id(0);
                     if (i < N - 2) out[i] = x[i] + x[i + 1] + x[i + 2];
                 }",
                &[launch!("windows", ONE, Geometry::Items(Borrowed(&[Size::Sum(Borrowed(&[A, Size::Const(-2)]))])))],
            )]),
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

__kernel! {
    attrs: [ #[doc = "Transposes the outer two of three dimensions."] ],
    vis: [ pub(crate) ],
    name: Swap,
    ty: "[[[i32; L]; M]; N] -> [[[i32; L]; N]; M]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Swap"),
            ty: Borrowed("[[[i32; L]; M]; N] -> [[[i32; L]; N]; M]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N"), size("M"), size("L")]),
            params: Borrowed(&[param("x", ScalarType::I32, &[A, B, C], &[Borrowed("N"), Borrowed("M"), Borrowed("L")])]),
            results: Borrowed(&[result(ScalarType::I32, &[B, A, C], &[Borrowed("M"), Borrowed("N"), Borrowed("L")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                "__kernel void swap(__global const int *x, __global int *out) {
                     const index_t l = get_global_id(0), m = get_global_id(1), n = get_global_id(2);
                     if (l < L && m < M && n < N) out[(m * N + n) * L + l] = x[(n * M + m) * L + l];
                 }",
                &[launch!("swap", ONE, Geometry::Items(Borrowed(&[C, B, A])))],
            )]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(&[]),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    params: [ (x: array i32, 3) ],
    result: (array i32, 3),
}

__kernel! {
    attrs: [ #[doc = "Takes a vector of seven, and one whose size is never determined."] ],
    vis: [ pub(crate) ],
    name: Odd,
    ty: "([f32; 7], [f32; K * K]) -> [f32; 7]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Odd"),
            ty: Borrowed("([f32; 7], [f32; K * K]) -> [f32; 7]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("K")]),
            params: Borrowed(&[
                param("seven", ScalarType::F32, &[Size::Const(7)], &[Borrowed("7")]),
                param("square", ScalarType::F32, &[Size::Product(Borrowed(&[A, A]))], &[Borrowed("K * K")]),
            ]),
            results: Borrowed(&[result(ScalarType::F32, &[Size::Const(7)], &[Borrowed("7")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive("", &[launch!("odd", TWO, Geometry::Items(Borrowed(&[Size::Const(7)])))])]),
            gpu_order: Borrowed(NAIVE),
            host: Borrowed(&[]),
            cpu_order: Borrowed(NAIVE),
            missing: Borrowed(&[]),
            step: None,
            fingerprint: Borrowed(""),
            tuned: Borrowed(&[]),
        }
    }},
    params: [ (seven: array f32, 1), (square: array f32, 1) ],
    result: (array f32, 1),
}

__kernel! {
    attrs: [ #[doc = "A copy, by a text about which compilers have remarks."] ],
    vis: [ pub(crate) ],
    name: Remarkable,
    ty: "[f32; N] -> [f32; N]",
    spec: unsafe { const {
        KernelSpec {
            name: Borrowed("Remarkable"),
            ty: Borrowed("[f32; N] -> [f32; N]"),
            types: Borrowed(""),
            sizes: Borrowed(&[size("N")]),
            params: Borrowed(&[param("x", ScalarType::F32, &[A], &[Borrowed("N")])]),
            results: Borrowed(&[result(ScalarType::F32, &[A], &[Borrowed("N")])]),
            checks: Borrowed(&[]),
            needs: Borrowed(&[]),
            variants: Borrowed(&[naive(
                "__kernel void copy(__global const float *x, __global float *out) {
                     const index_t i = get_global_id(0);
                     if (i == i && i < N && 4) out[i] = x[i];
                 }",
                &[launch!("copy", ONE, Geometry::Items(Borrowed(&[A])))],
            )]),
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
