//! The contract between the macro and the runtime: what a compiled kernel *is*, as plain constant data.
//!
//! What crosses the border between host and device is *leaves*: one for every scalar in a type, in order, depth
//! first. A tuple of scalars is several scalars, an array of tuples one buffer for every scalar in it.
//!
//! The macro emits one [`KernelSpec`] per kernel and a thin typed launcher; everything that happens at run
//! time is decided by the code of this crate from this data. Nothing here knows the compiler.

/// One kernel: its interface, the facts to check at launch, and every version that rewriting kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KernelSpec {
    /// The launcher's name as the user wrote it, for example `Convolve`.
    pub name: &'static str,
    /// The kernel's type in mathematical form, for example `([f32; 289], [[f32; M]; N]) -> [[f32; M]; N]`.
    pub ty: &'static str,
    /// For people: the expression with the type after every step.
    pub types: &'static str,
    /// The size variables. [`Size::Var`] refers to them by position.
    pub sizes: &'static [SizeVar],
    /// The inputs, in the order of the user's parameters: every leaf of each.
    pub params: &'static [Param],
    /// The result: every leaf. Empty for a kernel that only updates parameters.
    pub results: &'static [Output],
    /// Facts that no type could prove: checked, in this order, before anything is enqueued.
    pub checks: &'static [Check],
    /// The types it computes with that not every device has.
    pub needs: &'static [ScalarType],
    /// The versions of this kernel. The first is always `naive`.
    pub variants: &'static [Variant],
    /// Names of variants, the most promising first, on a GPU. Used when the user selects none.
    pub gpu_order: &'static [&'static str],
    /// The same for a CPU (or any other device).
    pub cpu_order: &'static [&'static str],
    /// The versions that the compiler knows and this kernel does not have.
    pub missing: &'static [Missing],
    /// For a kernel that is one step in time: what takes the place of what after each.
    pub step: Option<Rotation>,
}

impl KernelSpec {
    /// What a launcher gets whose kernel did not compile: it exists so that the rest of the program is
    /// checked, and never runs.
    pub const INVALID: KernelSpec = KernelSpec {
        name: "",
        ty: "",
        types: "",
        sizes: &[],
        params: &[],
        results: &[],
        checks: &[],
        needs: &[],
        variants: &[Variant {
            name: "naive",
            source: "",
            plan: "",
            tunables: &[],
            temporaries: &[],
            operations: &[],
            sites: &[],
            scales_ids: false,
            regroups: false,
            widest: &[],
            cases: &[],
            takes_sizes: false,
            derivation: &[],
        }],
        gpu_order: &[],
        cpu_order: &[],
        missing: &[],
        step: None,
    };
}

/// A version that the compiler makes of other kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// What it would be called.
    pub name: &'static str,
    /// Why this kernel does not have it.
    pub reason: &'static str,
}

/// A size variable of a kernel, bound at launch from the extents of the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeVar {
    /// The user's name, for messages.
    pub name: &'static str,
    /// The macro (`-D`) that carries the value into the OpenCL text.
    pub define: &'static str,
}

/// A scalar type as it travels between host and device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarType {
    /// 32-bit float.
    F32,
    /// 64-bit float; not every device has it.
    F64,
    /// 16-bit float; not every device has it.
    F16,
    /// 8-bit signed integer.
    I8,
    /// 16-bit signed integer.
    I16,
    /// 32-bit signed integer.
    I32,
    /// 64-bit signed integer.
    I64,
    /// Byte.
    U8,
    /// 16-bit unsigned integer.
    U16,
    /// 32-bit unsigned integer.
    U32,
    /// 64-bit unsigned integer.
    U64,
    /// Truth value; one byte, 0 or 1, on the device.
    Bool,
    /// Index or size; 64 bits on the device.
    Usize,
}

/// One input of a kernel: a parameter, or a leaf of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Param {
    /// The user's name; that of a leaf has its path, such as `points.0`.
    pub name: &'static str,
    /// Element type.
    pub elem: ScalarType,
    /// Extents, outermost first; empty for a scalar, which is passed by value.
    pub dims: &'static [Size],
    /// Extents as the user reads them, for example `["N", "M + 2"]`.
    pub shown: &'static [&'static str],
    /// Whether the kernel changes it.
    pub access: Access,
}

/// What a kernel does with a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It only reads.
    Read,
    /// It updates the array in place.
    Update,
}

/// A leaf of a kernel's result: one buffer of `dims` elements (one element when `dims` is empty).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Output {
    /// Its name in messages: `out`, or with the path of a leaf, `out.0`.
    pub name: &'static str,
    /// Element type.
    pub elem: ScalarType,
    /// Extents, outermost first; empty for a scalar result.
    pub dims: &'static [Size],
    /// Extents as the user reads them.
    pub shown: &'static [&'static str],
}

/// A size expression over the kernel's size variables and a variant's tunables.
///
/// Division and remainder round towards minus infinity. Division or remainder by zero does not evaluate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// A constant.
    Const(i64),
    /// The size variable at this position of [`KernelSpec::sizes`].
    Var(usize),
    /// The tunable at this position of [`Variant::tunables`]; only in a variant's own fields.
    Tunable(usize),
    /// Sum of all.
    Sum(&'static [Size]),
    /// Product of all.
    Product(&'static [Size]),
    /// Quotient, rounded down.
    Div(&'static [Size; 2]),
    /// Remainder, with the divisor's sign.
    Mod(&'static [Size; 2]),
    /// The smaller.
    Min(&'static [Size; 2]),
    /// The larger.
    Max(&'static [Size; 2]),
}

/// A fact about sizes that must hold at launch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Check {
    /// What must hold.
    pub fact: Fact,
    /// What is said when it does not, in the user's names, without the kernel's name: for example
    /// ``split(128)` needs a length that 128 divides, but `M` is …`. `{left}` and `{right}` in the text are
    /// replaced by the two values, and `{sizes}` by ` (M = 100)`: the values of the variables in both sides, but for those
    /// that are a side by themselves.
    pub message: &'static str,
}

/// The relation of a [`Check`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fact {
    /// Both are equal.
    Equal(Size, Size),
    /// The first is at most the second.
    AtMost(Size, Size),
    /// The first is a multiple of the second.
    MultipleOf(Size, Size),
}

/// One version of a kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variant {
    /// `naive`, `tiled`, …
    pub name: &'static str,
    /// Complete OpenCL C. Sizes and tunables are macros which the launcher defines.
    pub source: &'static str,
    /// For people: the index space of each launch, where its data lie, which elements it reads and writes, and what its
    /// barriers are for.
    pub plan: &'static str,
    /// Parameters of this version that may be tuned; they reach the text as macros.
    pub tunables: &'static [Tunable],
    /// Buffers that live while the program runs, alone.
    pub temporaries: &'static [Temporary],
    /// What is done, in order.
    pub operations: &'static [Operation],
    /// Places whose indices are checked while the program runs.
    pub sites: &'static [Site],
    /// Whether an index is a multiple of a work-item's number: a driver needs to be told more then.
    pub scales_ids: bool,
    /// Whether sums or products of floats are regrouped, so that they are rounded elsewhere than those of the kernel.
    pub regroups: bool,
    /// Upper bounds of the absolute values of all that the text computes in `index_t`, but for those that 32 bits hold at any
    /// sizes.
    pub widest: &'static [Size],
    /// The kernel functions of which there are several, for different sizes.
    pub cases: &'static [Case],
    /// Whether the sizes may be the last arguments of every kernel function, of type `index_t` in the order of [`KernelSpec::sizes`]: then the
    /// text is compiled with `-D LIFT_SIZES_ARE_ARGUMENTS`, and one program serves all sizes of the same cases.
    pub takes_sizes: bool,
    /// How rewriting got here from the user's expression.
    pub derivation: &'static [Step],
}

/// A kernel function of which there are several, each right for some sizes. A macro says which one is compiled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// The macro: the number of the first one that fits, counted from 1, or 0 for the last one, which fits all sizes.
    pub define: &'static str,
    /// For each but the last one, the sizes that must be multiples, of these numbers.
    pub multiples: &'static [&'static [(Size, i64)]],
}

/// A buffer of a program's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temporary {
    /// Element type.
    pub elem: ScalarType,
    /// Extents, outermost first; empty for a single value.
    pub dims: &'static [Size],
}

/// A step of a program. Each sees what earlier ones wrote.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operation {
    /// A kernel function is launched.
    Launch(Launch),
    /// The operations are done so many times.
    Repeat(Count, &'static [Operation]),
    /// From here on, each of the two temporaries stands for the other's buffer.
    Swap(usize, usize),
}

/// How often something is repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Count {
    /// A size.
    Size(Size),
    /// The value of the scalar parameter with this leaf number; not at all if it is negative.
    Param(usize),
    /// The same, divided by a number.
    Whole(usize, u64),
    /// What is left of it then.
    Rest(usize, u64),
}

/// One launch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Launch {
    /// The `__kernel` function in [`Variant::source`].
    pub entry: &'static str,
    /// Its arguments in order.
    pub args: &'static [Slot],
    /// The index space.
    pub geometry: Geometry,
    /// Bytes of local memory that the function declares.
    pub local_bytes: Size,
}

/// What is passed to a kernel function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The leaf of a parameter: a buffer, or a scalar by value.
    Param(usize),
    /// The buffer of a leaf of the result.
    Result(usize),
    /// A temporary.
    Temporary(usize),
    /// The buffer that records the first index which was wrong: five numbers of type `int`, all 0 while nothing is,
    /// then the number of the [`Site`] counted from 1, the position of the index in its array, the low and the
    /// high half of the index, and the high half of the position. For an index that occurs twice, the number of the site is
    /// negative, and the other position comes last; these two have 32 bits, as claims have.
    Status,
    /// The claims of the [`Site`] at this position of [`Variant::sites`]: a number of type `int` for each element
    /// that is indexed, all 0 before the launch. This argument and all after it are passed only if duplicates are
    /// looked for; the text is then compiled with `-D LIFT_CLAIMS`.
    Claims(usize),
}

/// A place in a program whose indices are checked while it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Site {
    /// `gather` or `scatter_to`.
    pub operation: &'static str,
    /// What the user wrote, for example `gather(at, xs)`; empty if that is not known.
    pub written: &'static str,
    /// The leaf of the parameters whose elements the indices are: positions are positions in it. Nothing if they are
    /// computed: then a position is that in their array, within one row of it if there are several.
    pub source: Option<usize>,
    /// The length of the array that is indexed.
    pub len: Size,
    /// Whether indices must be distinct. Each element is then claimed with the position of its index, counted from
    /// 1, so that a second one finds the first.
    pub distinct: bool,
}

/// What happens to arrays from one step in time to the next, for kernels that are steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotation {
    /// One chain for every leaf of the result. Parameters in no chain stay what they are; those which the kernel
    /// updates carry their state by themselves.
    pub chains: &'static [Chain],
}

/// A leaf of the result takes the place of the first of these parameters, that one takes the place of the next,
/// and so on; the buffer of the last is free for the next result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// The leaf of the result.
    pub result: usize,
    /// Leaves of parameters, the newest first.
    pub places: &'static [usize],
}

/// A parameter that may be tuned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tunable {
    /// Its name, which is also the macro in the text.
    pub name: &'static str,
    /// Used when the user sets nothing.
    pub default: i64,
    /// Smallest legal value.
    pub min: i64,
    /// Largest legal value.
    pub max: i64,
}

/// The index space of a launch. Dimension 0 comes first, and is the fastest varying.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Geometry {
    /// One work-item per element: at least so many items in each dimension. The launcher chooses the
    /// work-group shape, of at most 256 items in each dimension and fewer than twice as many as are needed, and rounds up; the text
    /// guards against the surplus, and [`Variant::widest`] counts it.
    Items(&'static [Size]),
    /// So many work-groups in each dimension, of exactly this shape.
    Groups {
        /// Number of work-groups.
        groups: &'static [Size],
        /// Work-items of one work-group.
        local: &'static [Size],
    },
}

/// One rewrite of a derivation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The rule's name; empty for the expression everything starts from.
    pub rule: &'static str,
    /// The rule's law, one line of algebra.
    pub law: &'static str,
    /// The whole expression after the step; empty between the first and the last.
    pub after: &'static str,
}
