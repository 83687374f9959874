//! Names in the text: the user's where possible, and never twice in one place.
//!
//! Before: variables with the names they should have. After: every variable has a C identifier that is no
//! keyword, type, builtin function or macro of OpenCL C and differs from all others that are visible where
//! it is. Blocks side by side may use the same names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::arith::Var;
use crate::imp::ast::{Kernel, Param, Stmt};
use crate::memory::BufferId;

/// Identifiers that mean something in OpenCL C, besides those with a reserved prefix.
const RESERVED: &str = "
    auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    bool uchar ushort uint ulong half quad complex imaginary size_t ptrdiff_t intptr_t uintptr_t true false
    kernel global local constant private generic pipe uniform read_only write_only read_write
    image2d_t image3d_t image2d_array_t image1d_t image1d_buffer_t image1d_array_t sampler_t event_t
    queue_t ndrange_t clk_event_t reserve_id_t main NULL asm typeof defined
    acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erf
    erfc exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r
    log log2 log10 log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn
    round rsqrt sin sincos sinh sinpi sqrt tan tanh tanpi tgamma trunc abs abs_diff add_sat clz ctz hadd rhadd
    clamp mad_hi mad_sat max min mul_hi rotate sub_sat upsample popcount mad24 mul24 degrees mix radians step
    smoothstep sign cross dot distance length normalize fast_distance fast_length fast_normalize isequal
    isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan isnormal
    isordered isunordered signbit any all bitselect select shuffle shuffle2 printf prefetch barrier mem_fence
    read_mem_fence write_mem_fence work_group_barrier vec_step index_t
    LIFT_UNCHECKED LIFT_CLAIMS
    MAXFLOAT HUGE_VAL HUGE_VALF INFINITY NAN FLT_MAX FLT_MIN FLT_EPSILON FLT_DIG INT_MAX INT_MIN UINT_MAX
    LONG_MAX LONG_MIN ULONG_MAX CHAR_BIT CHAR_MAX CHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX USHRT_MAX SCHAR_MAX
    SCHAR_MIN M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
";

/// Beginnings of identifiers that OpenCL C keeps for itself.
const PREFIXES: [&str; 19] = [
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
];

/// Whether the identifier means something in OpenCL C.
fn is_reserved(name: &str) -> bool {
    static WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| RESERVED.split_whitespace().collect());
    WORDS.contains(name) || is_reserved_with_any_ending(name) || super::helpers::is_name(name)
}

/// Whether no ending makes a free identifier of a reserved one: `half_x`, `float4`.
fn is_reserved_with_any_ending(name: &str) -> bool {
    let vector = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let base =
        ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || base.contains(&vector)
}

/// The name with another beginning, where an ending would not help.
fn begun(name: String, beginning: &str) -> String {
    if is_reserved_with_any_ending(&name) { format!("{beginning}{name}") } else { name }
}

/// The same name with ASCII letters, digits and single underscores only.
fn identifier(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut out = String::new();
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c),
            _ if !out.is_empty() && !out.ends_with('_') => out.push('_'),
            _ => {}
        }
    }
    let out = out.trim_end_matches('_').to_string();
    if out.starts_with(|c: char| c.is_ascii_alphabetic()) { out } else { format!("v{out}") }
}

/// The kernel function for a kernel of this name: `sobel_x` for `SobelX`, `jacobi2d` for `Jacobi2D`.
pub fn entry(name: &str) -> String {
    let mut out = String::new();
    let mut previous = '_';
    for c in identifier(name).chars() {
        if c.is_ascii_uppercase() && previous.is_ascii_lowercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        previous = c;
    }
    let out = begun(out, "run_");
    if is_reserved(&out) { format!("{out}_kernel") } else { out }
}

/// The macros that carry the sizes into the text, in order: upper-case, because headers of drivers use
/// lower-case names of one letter.
pub fn defines(sizes: &[Var]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut out = Vec::new();
    for size in sizes {
        let mut name = begun(identifier(size.name()).to_ascii_uppercase(), "N_");
        while is_reserved(&name) || !taken.insert(name.clone()) {
            name = format!("{name}_SIZE");
        }
        out.push(name);
    }
    out
}

/// The names of everything in a kernel.
pub(super) struct Names {
    /// Variables of either kind, by identity.
    vars: BTreeMap<u32, String>,
    buffers: BTreeMap<BufferId, String>,
    visible: BTreeSet<String>,
    /// For each name the number from which on none is visible with it.
    numbers: BTreeMap<String, usize>,
    /// The buffer that records what was wrong.
    pub(super) status: String,
    /// The claims of each operation that has some.
    pub(super) claims: BTreeMap<usize, String>,
}

impl Names {
    /// Chooses all names. `outside` are the names of other kernels and their tables; some of these are known
    /// to be the kernel's own.
    pub(super) fn of(
        kernel: &Kernel,
        outside: BTreeSet<String>,
        tables: BTreeMap<BufferId, String>,
    ) -> Names {
        let (vars, claims, status) = (BTreeMap::new(), BTreeMap::new(), String::new());
        let numbers = BTreeMap::new();
        let mut names = Names { vars, buffers: tables, visible: outside, numbers, status, claims };
        for (size, define) in kernel.sizes.iter().zip(defines(&kernel.sizes)) {
            names.visible.insert(define.clone());
            names.vars.insert(size.id(), define);
        }
        for tunable in &kernel.tunables {
            let name = tunable.name().to_string();
            if !names.visible.insert(name.clone()) {
                crate::bug!("a tunable is called like a size: {name}");
            }
            names.vars.insert(tunable.id(), name);
        }
        for param in &kernel.params {
            match param {
                Param::Buffer(id) => names.buffer(*id, kernel),
                Param::Status => names.status = names.fresh("status"),
                Param::Claims(site) => {
                    let name = names.fresh("claims");
                    names.claims.insert(*site, name);
                }
                Param::Scalar(local) => {
                    let name = names.fresh(&local.name);
                    names.vars.insert(local.id, name);
                }
            }
        }
        for table in &kernel.tables {
            if !names.buffers.contains_key(&table.buffer) {
                names.buffer(table.buffer, kernel);
            }
        }
        kernel.local_buffers().for_each(|id| names.buffer(id, kernel));
        names.block(&kernel.body, kernel);
        names
    }

    /// Makes a variable stand for a text.
    pub(super) fn define(&mut self, id: u32, text: String) {
        self.vars.insert(id, text);
    }

    /// The name of a variable.
    pub(super) fn var(&self, id: u32) -> &str {
        self.vars.get(&id).map_or_else(|| crate::bug!("variable {id} has no name"), String::as_str)
    }

    /// The name of a buffer.
    pub(super) fn array(&self, id: BufferId) -> &str {
        self.buffers.get(&id).map_or_else(|| crate::bug!("{id:?} has no name"), String::as_str)
    }

    fn buffer(&mut self, id: BufferId, kernel: &Kernel) {
        let name = self.fresh(&kernel.buffer(id).name);
        self.buffers.insert(id, name);
    }

    fn block(&mut self, stmts: &[Stmt], kernel: &Kernel) {
        let outer = (self.visible.clone(), self.numbers.clone());
        for stmt in stmts {
            match stmt {
                Stmt::Index(var, _) => self.declare(var.id(), var.name()),
                Stmt::Value { local, .. } => self.declare(local.id, &local.name),
                Stmt::For { var, body, .. } => {
                    let around = (self.visible.clone(), self.numbers.clone());
                    self.declare(var.id(), var.name());
                    self.block(body, kernel);
                    (self.visible, self.numbers) = around;
                }
                Stmt::Repeat { counter, body, .. } => {
                    let around = (self.visible.clone(), self.numbers.clone());
                    self.declare(counter.id, &counter.name);
                    self.block(body, kernel);
                    (self.visible, self.numbers) = around;
                }
                Stmt::Array(buffer) => self.buffer(*buffer, kernel),
                Stmt::If(_, a, b) => {
                    self.block(a, kernel);
                    self.block(b, kernel);
                }
                Stmt::Assign(..) | Stmt::Store(..) | Stmt::Claim(_) | Stmt::Barrier => {}
            }
        }
        (self.visible, self.numbers) = outer;
    }

    fn declare(&mut self, id: u32, name: &str) {
        let name = self.fresh(name);
        self.vars.insert(id, name);
    }

    /// A name that nothing visible has: the wanted one, for `i` also a later letter, or one with a number.
    fn fresh(&mut self, wanted: &str) -> String {
        let wanted = begun(identifier(wanted), "v_");
        let indices = ["i", "j", "k", "l", "m", "n"];
        let later = indices.iter().skip_while(|l| **l != wanted).skip(1).map(|l| (*l).to_string());
        let suffix = if wanted.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        let is_free = |name: &String| !self.visible.contains(name) && !is_reserved(name);
        let mut letters = std::iter::once(wanted.clone()).chain(later);
        let name = letters.find(is_free).unwrap_or_else(|| {
            let first = self.numbers.get(&wanted).copied().unwrap_or(2);
            let numbered = (first..).map(|n| (n, format!("{wanted}{suffix}{n}")));
            let (number, name) =
                numbered.into_iter().find(|(_, name)| is_free(name)).unwrap_or((first, wanted.clone()));
            self.numbers.insert(wanted, number + 1);
            name
        });
        self.visible.insert(name.clone());
        name
    }
}
