//! One version of a kernel: its text, and what is launched.

use std::borrow::Cow::Borrowed;

use crate::code::{choice, record};
use crate::{Env, List, ScalarType, Size, Source, Text};

record! {
    /// One version of a kernel.
    pub struct Variant {
        /// `naive`, `tiled`, …
        pub name: Text,
        /// Complete OpenCL C. Sizes and tunables are macros which the launcher defines.
        pub source: Source,
        /// For people: the index space of each launch, where its data lie, which elements it reads and writes, and what its
        /// barriers are for.
        pub plan: Text,
        /// Parameters of this version that may be tuned; they reach the text as macros.
        pub tunables: List<Tunable>,
        /// Buffers that live while the program runs, alone.
        pub temporaries: List<Temporary>,
        /// What is done, in order.
        pub operations: List<Operation>,
        /// Places whose indices are checked while the program runs.
        pub sites: List<Site>,
        /// Whether an index is a multiple of a work-item's number: a driver needs to be told more then.
        pub scales_ids: bool,
        /// Whether sums or products of floats are regrouped, so that they are rounded elsewhere than those of the kernel.
        pub regroups: bool,
        /// Extents, and so many that each should have at least: with fewer, a launch tries other versions first.
        pub least: List<(Size, i64)>,
        /// Upper bounds of the absolute values of all that the text computes in `index_t`, but for those that 32 bits hold at any
        /// sizes.
        pub widest: List<Size>,
        /// The kernel functions of which there are several, for different sizes.
        pub cases: List<Case>,
        /// Whether the sizes may be the last arguments of every kernel function, of type `index_t` in the order of
        /// [`KernelSpec::sizes`](crate::KernelSpec::sizes): then the text is compiled with `-D LIFT_SIZES_ARE_ARGUMENTS`, and one program
        /// serves all sizes of the same cases.
        pub takes_sizes: bool,
        /// How rewriting got here from the user's expression.
        pub derivation: List<Step>,
        /// For a version that is compiled to Rust: how its functions use their arguments.
        pub functions: List<Function>,
    }
}

impl Variant {
    /// A version without a text.
    pub const NAIVE: Variant = Variant {
        name: Borrowed("naive"),
        source: Source::NONE,
        plan: Borrowed(""),
        tunables: Borrowed(&[]),
        temporaries: Borrowed(&[]),
        operations: Borrowed(&[]),
        sites: Borrowed(&[]),
        scales_ids: false,
        regroups: false,
        least: Borrowed(&[]),
        widest: Borrowed(&[]),
        cases: Borrowed(&[]),
        takes_sizes: false,
        derivation: Borrowed(&[]),
        functions: Borrowed(&[]),
    };

    /// Whether extents are as large as they should be for it.
    #[must_use]
    pub fn pays(&self, sizes: &[i64], tunables: &[i64]) -> bool {
        let env = Env { sizes: &known(sizes), tunables };
        self.least.iter().all(|(extent, least)| env.wide(extent).is_ok_and(|n| n >= i128::from(*least)))
    }

    /// An upper bound of the absolute values that 32 bits might not hold, of all that the text computes in `index_t`. `None` says
    /// that there is none in 128 bits.
    #[must_use]
    pub fn greatest_index(&self, sizes: &[i64], tunables: &[i64]) -> Option<i128> {
        let env = Env { sizes: &known(sizes), tunables };
        self.widest.iter().try_fold(0, |most, bound| Some(most.max(env.wide(bound).ok()?)))
    }
}

record! {
    /// A kernel function of which there are several, each right for some sizes. A macro says which one is compiled.
    pub struct Case {
        /// The macro: the number of the first one that fits, counted from 1, or 0 for the last one, which fits all sizes.
        pub define: Text,
        /// For each but the last one, the sizes that must be multiples, of these numbers.
        pub multiples: List<List<(Size, i64)>>,
    }
}

impl Case {
    /// The number of the function for these sizes.
    #[must_use]
    pub fn number(&self, sizes: &[i64], tunables: &[i64]) -> usize {
        let env = Env { sizes: &known(sizes), tunables };
        let divides = |(size, number): &(Size, i64)| {
            env.wide(size).is_ok_and(|n| n.checked_rem(i128::from(*number)) == Some(0))
        };
        let first = self.multiples.iter().position(|all| all.iter().all(divides));
        first.map_or(0, |first| first + 1)
    }
}

fn known(sizes: &[i64]) -> Vec<Option<i64>> {
    sizes.iter().copied().map(Some).collect()
}

record! {
    /// A buffer of a program's own.
    pub struct Temporary {
        /// Element type.
        pub elem: ScalarType,
        /// Extents, outermost first; empty for a single value.
        pub dims: List<Size>,
    }
}

choice! {
    /// A step of a program. Each sees what earlier ones wrote.
    pub enum Operation {
        /// A kernel function is launched.
        Launch(launch: Launch),
        /// The operations are done so many times, unless they are left.
        Repeat(count: Count, operations: List<Operation>),
        /// The end of the repetition among whose operations it stands, if the only element of the temporary is true.
        Leave(temporary: usize),
        /// From here on, each of the two temporaries stands for the other's buffer.
        Swap(one: usize, other: usize),
    }
}

choice! {
    /// How often something is repeated.
    pub enum Count {
        /// A size.
        Size(size: Size),
        /// The value of the scalar parameter with this leaf number; not at all if it is negative.
        Param(leaf: usize),
        /// The same, divided by a number.
        Whole(leaf: usize, divisor: u64),
        /// What is left of it then.
        Rest(leaf: usize, divisor: u64),
    }
}

record! {
    /// One launch.
    pub struct Launch {
        /// The `__kernel` function in [`Variant::source`].
        pub entry: Text,
        /// Its arguments in order.
        pub args: List<Slot>,
        /// The index space.
        pub geometry: Geometry,
        /// Bytes of local memory that the function declares.
        pub local_bytes: Size,
    }
}

choice! {
    /// What is passed to a kernel function.
    #[derive(Copy, PartialOrd, Ord)]
    pub enum Slot {
        /// The leaf of a parameter: a buffer, or a scalar by value.
        Param(leaf: usize),
        /// The buffer of a leaf of the result.
        Result(leaf: usize),
        /// A temporary.
        Temporary(index: usize),
        /// The buffer that records the first index which was wrong: five numbers of type `int`, all 0 while nothing is,
        /// then the number of the [`Site`] counted from 1, the position of the index in its array, the low and the
        /// high half of the index, and the high half of the position. For an index that occurs twice, the number of the site is
        /// negative, and the other position comes last; these two have 32 bits, as claims have.
        Status,
        /// The claims of the [`Site`] at this position of [`Variant::sites`]: a number of type `int` for each element
        /// that is indexed, all 0 before the launch. This argument and all after it are passed only if duplicates are
        /// looked for; the text is then compiled with `-D LIFT_CLAIMS`.
        Claims(site: usize),
    }
}

record! {
    /// How a function that is compiled to Rust uses its arguments. Its work-items have one dimension, and each does a part of the work that no
    /// other one does.
    pub struct Function {
        /// The name, as in [`Launch::entry`].
        pub entry: Text,
        /// For every one of [`Launch::args`].
        pub uses: List<Use>,
    }
}

choice! {
    /// How a function that is compiled to Rust uses an argument.
    pub enum Use {
        /// A scalar of this type is passed by value.
        Scalar(elem: ScalarType),
        /// It only reads the array.
        Read(elem: ScalarType),
        /// Work-item `i` reads and writes the elements from `i * n` up to `(i + 1) * n`, as far as there are so many, and no others.
        Own(elem: ScalarType, n: Size),
        /// The array is rows of `width` elements, and work-item `i` reads and writes the elements from `i * n` up to `(i + 1) * n` of each of
        /// them, and no others.
        Columns(elem: ScalarType, n: Size, width: Size),
        /// Work-items read and write any elements.
        Shared(elem: ScalarType),
        /// It records the first index that was wrong ([`Slot::Status`]).
        Status,
        /// It claims elements, where duplicates are looked for ([`Slot::Claims`]).
        Claims,
    }
}

record! {
    /// A place in a program whose indices are checked while it runs.
    pub struct Site {
        /// `gather`, `scatter_to` or `reduce_by_key`.
        pub operation: Text,
        /// What the user wrote, for example `gather(at, xs)`; empty if that is not known.
        pub written: Text,
        /// The leaf of the parameters whose elements the indices are: positions are positions in it. Nothing if they are
        /// computed: then a position is that in their array, within one row of it if there are several.
        pub source: Option<usize>,
        /// The length of the array that is indexed.
        pub len: Size,
        /// Whether indices must be distinct. Each element is then claimed with the position of its index, counted from
        /// 1, so that a second one finds the first.
        pub distinct: bool,
    }
}

record! {
    /// A parameter that may be tuned.
    pub struct Tunable {
        /// Its name, which is also the macro in the text.
        pub name: Text,
        /// Used when the user sets nothing.
        pub default: i64,
        /// Smallest legal value.
        pub min: i64,
        /// Largest legal value.
        pub max: i64,
    }
}

choice! {
    /// The index space of a launch. Dimension 0 comes first, and is the fastest varying.
    pub enum Geometry {
        /// One work-item per element: at least so many items in each dimension. The launcher chooses the
        /// work-group shape, of at most 256 items in each dimension and fewer than twice as many as are needed, and rounds up; the text
        /// guards against the surplus, and [`Variant::widest`] counts it.
        Items(items: List<Size>),
        /// So many work-groups in each dimension, of exactly this shape.
        Groups {
            /// Number of work-groups.
            groups: List<Size>,
            /// Work-items of one work-group.
            local: List<Size>,
        },
    }
}

record! {
    /// One rewrite of a derivation.
    pub struct Step {
        /// The rule's name; empty for the expression everything starts from.
        pub rule: Text,
        /// The rule's law, one line of algebra.
        pub law: Text,
        /// The whole expression after the step; empty between the first and the last.
        pub after: Text,
    }
}
