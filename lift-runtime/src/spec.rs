//! The contract between the macro and the runtime: what a compiled kernel *is*, as plain constant data.
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
    /// The size variables. [`Size::Var`] refers to them by position.
    pub sizes: &'static [SizeVar],
    /// The inputs, in the order of the user's parameters.
    pub params: &'static [Param],
    /// The result.
    pub result: Output,
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
}

impl KernelSpec {
    /// What a launcher gets whose kernel did not compile: it exists so that the rest of the program is
    /// checked, and never runs.
    pub const INVALID: KernelSpec = KernelSpec {
        name: "",
        ty: "",
        sizes: &[],
        params: &[],
        result: Output { elem: ScalarType::F32, dims: &[], shown: &[] },
        checks: &[],
        needs: &[],
        variants: &[Variant {
            name: "naive",
            source: "",
            entry: "",
            tunables: &[],
            geometry: Geometry::Items(&[]),
            local_bytes: Size::Const(0),
            derivation: &[],
        }],
        gpu_order: &[],
        cpu_order: &[],
    };
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

/// One input of a kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Param {
    /// The user's name.
    pub name: &'static str,
    /// Element type.
    pub elem: ScalarType,
    /// Extents, outermost first; empty for a scalar, which is passed by value.
    pub dims: &'static [Size],
    /// Extents as the user reads them, for example `["N", "M + 2"]`.
    pub shown: &'static [&'static str],
}

/// The result of a kernel: one buffer of `dims` elements (one element when `dims` is empty).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Output {
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
    /// replaced by the two values.
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
    /// The `__kernel` function in `source`. Its arguments are the parameters in order (arrays as buffers,
    /// scalars by value), then the result's buffer.
    pub entry: &'static str,
    /// Parameters of this version that may be tuned; they reach the text as macros.
    pub tunables: &'static [Tunable],
    /// How it is launched.
    pub geometry: Geometry,
    /// Bytes of local memory that the text declares.
    pub local_bytes: Size,
    /// How rewriting got here from the user's expression.
    pub derivation: &'static [Step],
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
    /// work-group shape and rounds up; the text guards against the surplus.
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
    /// The whole expression after the step.
    pub after: &'static str,
}
