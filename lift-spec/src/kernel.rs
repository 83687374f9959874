//! A kernel: its interface, what a launch checks, and its versions.

use std::borrow::Cow::Borrowed;

use crate::code::{Coded as _, Reader, choice, record};
use crate::{List, ScalarType, Size, Text, Variant};

record! {
    /// One kernel: its interface, the facts to check at launch, and every version that rewriting kept.
    pub struct KernelSpec {
        /// The launcher's name as the user wrote it, for example `Convolve`.
        pub name: Text,
        /// The kernel's type in mathematical form, for example `([f32; 289], [[f32; M]; N]) -> [[f32; M]; N]`.
        pub ty: Text,
        /// For people: the expression with the type after every step.
        pub types: Text,
        /// The size variables. [`Size::Var`] refers to them by position.
        pub sizes: List<SizeVar>,
        /// The inputs, in the order of the user's parameters: every leaf of each.
        pub params: List<Param>,
        /// The result: every leaf. Empty for a kernel that only updates parameters.
        pub results: List<Output>,
        /// Facts that no type could prove: checked, in this order, before anything is enqueued.
        pub checks: List<Check>,
        /// The types it computes with that not every device has.
        pub needs: List<ScalarType>,
        /// The versions of this kernel. The first is always `naive`.
        pub variants: List<Variant>,
        /// The versions that are compiled to Rust, for the device that every program has: the most promising first. They have no OpenCL text.
        pub host: List<Variant>,
        /// Names of variants, the most promising first, on a GPU. Used when the user selects none.
        pub gpu_order: List<Text>,
        /// The same for a CPU (or any other device).
        pub cpu_order: List<Text>,
        /// The versions that the compiler knows and this kernel does not have.
        pub missing: List<Missing>,
        /// For a kernel that is one step in time: what takes the place of what after each.
        pub step: Option<Rotation>,
        /// Names the tokens that it was compiled from, whatever their comments and spaces: 16 hexadecimal digits, or nothing.
        pub fingerprint: Text,
        /// What a tuner found, on devices that it ran on.
        pub tuned: List<Tuned>,
    }
}

impl KernelSpec {
    /// The description as one text, which a macro emits.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    /// What such a text describes; of any other text, [`KernelSpec::INVALID`].
    ///
    /// ```
    /// use lift_spec::KernelSpec;
    ///
    /// let spec = KernelSpec { name: "Blur".into(), ..KernelSpec::INVALID };
    /// assert_eq!(KernelSpec::of_text(spec.to_text().leak()), spec);
    /// assert_eq!(KernelSpec::of_text("something else"), KernelSpec::INVALID);
    /// ```
    #[must_use]
    pub fn of_text(text: &'static str) -> KernelSpec {
        Reader::whole(text).unwrap_or(KernelSpec::INVALID)
    }

    /// Of a step in time: whether a simulation can be computed in parts, and what these read of each other, as a sentence for users.
    #[must_use]
    pub fn in_parts(&self) -> Option<String> {
        Some(match &self.step.as_ref()?.partition {
            Partition::Cut(Cuts { size, before, after, periodic, .. }) => {
                let size = self.sizes.get(*size).map_or("", |size| &*size.name);
                let rows = |n: usize| if n == 1 { "1 row".to_string() } else { format!("{n} rows") };
                let ring = if *periodic { "; the last row comes before the first" } else { "" };
                format!(
                    "A simulation can be computed in parts along {size}. A step reads {} before those of a part and {} after them{ring}.",
                    rows(*before),
                    rows(*after)
                )
            }
            Partition::Whole(reason) => format!("A simulation cannot be computed in parts: {reason}."),
        })
    }

    /// What a launcher gets whose kernel did not compile: it exists so that the rest of the program is
    /// checked, and never runs.
    pub const INVALID: KernelSpec = KernelSpec {
        name: Borrowed(""),
        ty: Borrowed(""),
        types: Borrowed(""),
        sizes: Borrowed(&[]),
        params: Borrowed(&[]),
        results: Borrowed(&[]),
        checks: Borrowed(&[]),
        needs: Borrowed(&[]),
        variants: Borrowed(&[Variant::NAIVE]),
        host: Borrowed(&[]),
        gpu_order: Borrowed(&[]),
        cpu_order: Borrowed(&[]),
        missing: Borrowed(&[]),
        step: None,
        fingerprint: Borrowed(""),
        tuned: Borrowed(&[]),
    };
}

record! {
    /// The version that a tuner found to be the fastest on a device at certain sizes.
    pub struct Tuned {
        /// The device's name.
        pub device: Text,
        /// The values of [`KernelSpec::sizes`].
        pub sizes: List<i64>,
        /// The version.
        pub variant: Text,
        /// Values of its tunables, by name; the others have their defaults.
        pub tunables: List<(Text, i64)>,
    }
}

impl Tuned {
    /// How far these sizes are from those of the measurement, as the sum of the binary logarithms of their ratios; `None` if one of them is more than
    /// twice or less than half of it.
    #[must_use]
    pub fn distance(&self, sizes: &[i64]) -> Option<f64> {
        if sizes.len() != self.sizes.len() {
            return None;
        }
        sizes.iter().zip(self.sizes.iter()).try_fold(0.0, |sum, (&size, &tuned)| {
            let octaves = (size as f64 / tuned as f64).log2().abs();
            (octaves <= 1.0).then_some(sum + octaves)
        })
    }
}

record! {
    /// A version that the compiler makes of other kernels.
    pub struct Missing {
        /// What it would be called.
        pub name: Text,
        /// Why this kernel does not have it.
        pub reason: Text,
    }
}

record! {
    /// A size variable of a kernel, bound at launch from the extents of the arguments.
    pub struct SizeVar {
        /// The user's name, for messages.
        pub name: Text,
        /// The macro (`-D`) that carries the value into the OpenCL text.
        pub define: Text,
    }
}

record! {
    /// One input of a kernel: a parameter, or a leaf of one.
    pub struct Param {
        /// The user's name; that of a leaf has its path, such as `points.0`.
        pub name: Text,
        /// Element type.
        pub elem: ScalarType,
        /// Extents, outermost first; empty for a scalar, which is passed by value.
        pub dims: List<Size>,
        /// Extents as the user reads them, for example `["N", "M + 2"]`.
        pub shown: List<Text>,
        /// Whether the kernel changes it.
        pub access: Access,
    }
}

choice! {
    /// What a kernel does with a parameter.
    #[derive(Copy)]
    pub enum Access {
        /// It only reads.
        Read,
        /// It updates the array in place.
        Update,
    }
}

record! {
    /// A leaf of a kernel's result: one buffer of `dims` elements (one element when `dims` is empty).
    pub struct Output {
        /// Its name in messages: `out`, or with the path of a leaf, `out.0`.
        pub name: Text,
        /// Element type.
        pub elem: ScalarType,
        /// Extents, outermost first; empty for a scalar result.
        pub dims: List<Size>,
        /// Extents as the user reads them.
        pub shown: List<Text>,
    }
}

record! {
    /// A fact about sizes that must hold at launch.
    pub struct Check {
        /// What must hold.
        pub fact: Fact,
        /// What is said when it does not, in the user's names, without the kernel's name: for example
        /// ``split(128)` needs a length that 128 divides, but `M` is …`. `{left}` and `{right}` in the text are
        /// replaced by the two values, and `{sizes}` by ` (M = 100)`: the values of the variables in both sides, but for those
        /// that are a side by themselves.
        pub message: Text,
    }
}

choice! {
    /// The relation of a [`Check`].
    pub enum Fact {
        /// Both are equal.
        Equal(left: Size, right: Size),
        /// The first is at most the second.
        AtMost(left: Size, right: Size),
        /// The first is a multiple of the second.
        MultipleOf(left: Size, right: Size),
    }
}

record! {
    /// What happens to arrays from one step in time to the next, for kernels that are steps.
    pub struct Rotation {
        /// One chain for every leaf of the result. Parameters in no chain stay what they are; those which the kernel
        /// updates carry their state by themselves.
        pub chains: List<Chain>,
        /// How the arrays are cut into parts that are computed apart.
        pub partition: Partition,
    }
}

choice! {
    /// Whether parts of the arrays of a step in time can be computed apart.
    pub enum Partition {
        /// They can.
        Cut(cuts: Cuts),
        /// They cannot, for this reason.
        Whole(reason: Text),
    }
}

record! {
    /// Parts of the arrays of a step: some rows of each, along one size. A part is computed by the whole kernel, on its rows and those around
    /// them that it reads (its halo).
    pub struct Cuts {
        /// The size variable whose rows are cut.
        pub size: usize,
        /// For each leaf of the parameters, where it is cut; every part has all of those that are not.
        pub params: List<Option<Cut>>,
        /// The same for the result.
        pub results: List<Option<Cut>>,
        /// How many rows before its own a part reads.
        pub before: usize,
        /// How many after them.
        pub after: usize,
        /// Whether the last row comes before the first.
        pub periodic: bool,
    }
}

record! {
    /// Where an array is cut.
    #[derive(Copy)]
    pub struct Cut {
        /// The dimension, counted from the outermost.
        pub dimension: usize,
        /// How many more rows it has than the size that is cut.
        pub extra: usize,
    }
}

record! {
    /// A leaf of the result takes the place of the first of these parameters, that one takes the place of the next,
    /// and so on; the buffer of the last is free for the next result.
    pub struct Chain {
        /// The leaf of the result.
        pub result: usize,
        /// Leaves of parameters, the newest first.
        pub places: List<usize>,
    }
}
