//! Identifiers that are not free in a text: what OpenCL C gives a meaning, and what the printer itself writes.
//!
//! Whatever the printer names by itself stands in a table here, so that no name that is chosen for a variable of the user's is
//! the same: helper functions ([`is_helper`], which is asked about every helper that is printed), macros, and tunables.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lift_spec::macros::INDEX;

use crate::explore::variant::TILE_NAMES;
use crate::ir::{MathFn, Scalar};
use crate::opencl::type_name;

/// Words of OpenCL C, and macros of its compilers.
const WORDS: &str = "
    auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    bool uchar ushort uint ulong half quad complex imaginary size_t ptrdiff_t intptr_t uintptr_t true false
    kernel global local constant private generic pipe uniform read_only write_only read_write
    image2d_t image3d_t image2d_array_t image1d_t image1d_buffer_t image1d_array_t sampler_t event_t
    queue_t ndrange_t clk_event_t reserve_id_t main NULL asm typeof defined kernel_exec linux unix i386
    acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erf
    erfc exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r
    log log2 log10 log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn
    round rsqrt sin sincos sinh sinpi sqrt tan tanh tanpi tgamma trunc abs abs_diff add_sat clz ctz hadd rhadd
    clamp mad_hi mad_sat max min mul_hi rotate sub_sat upsample popcount mad24 mul24 degrees mix radians step
    smoothstep sign cross dot distance length normalize fast_distance fast_length fast_normalize isequal
    isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan isnormal
    isordered isunordered signbit any all bitselect select shuffle shuffle2 printf prefetch barrier mem_fence
    read_mem_fence write_mem_fence work_group_barrier vec_step
    MAXFLOAT HUGE_VAL HUGE_VALF INFINITY NAN FLT_MAX FLT_MIN FLT_EPSILON FLT_DIG INT_MAX INT_MIN UINT_MAX
    LONG_MAX LONG_MIN ULONG_MAX CHAR_BIT CHAR_MAX CHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX USHRT_MAX SCHAR_MAX
    SCHAR_MIN M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
";

/// Beginnings of identifiers that OpenCL C or its drivers keep for themselves, and of our own macros.
const PREFIXES: [&str; 20] = [
    "_",
    "cl_",
    "CL",
    "get_",
    "as_",
    "convert_",
    "native_",
    "half_",
    "vload",
    "vstore",
    "async_",
    "atom_",
    "atomic_",
    "read_image",
    "write_image",
    "wait_",
    "work_group_",
    "sub_group_",
    "intel_",
    "LIFT_",
];

/// Types, also with a number of elements behind them.
const TYPES: [&str; 11] =
    ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"];

/// Helper functions and types that are named with a type behind them, besides the methods of [`MathFn`].
const HELPERS_OF_TYPES: [&str; 7] =
    ["wrapping_add", "wrapping_sub", "wrapping_mul", "div", "rem", "unaligned", "stream"];

/// Helper functions for one type.
const HELPERS: [&str; 2] = ["checked_index", "claim_element"];

/// All single identifiers that are reserved.
static RESERVED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let scalars = || Scalar::ALL.into_iter().map(type_name);
    let widths = ["", "2", "3", "4", "8", "16"];
    let types: Vec<String> = scalars().flat_map(|ty| widths.map(|width| format!("{ty}{width}"))).collect();
    let stems = HELPERS_OF_TYPES.into_iter().chain(MathFn::ALL.into_iter().map(MathFn::name));
    let helpers = stems.flat_map(|stem| types.iter().map(move |ty| format!("{stem}_{ty}")));
    let words = WORDS.split_whitespace().chain(HELPERS).chain([INDEX]).map(str::to_string);
    words.chain(helpers).collect()
});

/// Whether the identifier has a meaning already.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(name) || is_reserved_with_any_ending(name)
}

/// Whether no ending makes a free identifier of a reserved one: `half_x`, `float4`, `TILE_X_2`.
pub(super) fn is_reserved_with_any_ending(name: &str) -> bool {
    let vector = name.trim_end_matches(|c: char| c.is_ascii_digit());
    PREFIXES.iter().chain(&TILE_NAMES).any(|prefix| name.starts_with(prefix)) || TYPES.contains(&vector)
}

/// Whether a helper function or type may have this name: no variable has it.
pub(super) fn is_helper(name: &str) -> bool {
    RESERVED.contains(name)
}

/// How many single identifiers are reserved.
pub(super) fn count() -> usize {
    RESERVED.len()
}
