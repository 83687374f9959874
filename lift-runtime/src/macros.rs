//! The typed launcher of one kernel.
//!
//! `lift!` emits one call of `__kernel!` per kernel, so that what a launcher is can be read here and not in
//! the macro. The input names its fields, in this order:
//!
//! ```text
//! __kernel! {
//!     attrs: [ #[doc = "The user's documentation."] … ],
//!     vis: [ pub ],                    // may be empty
//!     name: Convolve,
//!     ty: "[f32; N] -> f32",           // as it is shown
//!     spec: unsafe { … },              // an expression of type `KernelSpec`
//!     host: [ { … } Blur1 "blur_1" ],       // types that implement `host::Function`, and the functions' names; may be left out
//!     optimised: true,                      // whether these functions are built so; may be left out
//!     methods: [ run launch output output_shape start out ],
//!     params: [                        // in the user's order
//!         (weights: (array f32, 1)),    // element type, rank (1 to 6)
//!         (sigma: (scalar f32)),
//!         (points: (tuple { 0: (array f32, 1), 1: (array f32, 1) })),
//!         (wind: (fields { x: (scalar f32), y: (scalar f32) } Vector VectorArrays [ (scalar f32), (scalar f32) ])),
//!         (cell: (parts { f: (nested [f32; 9], f32, 1), wall: (scalar u8) } Cell CellArrays [ (array f32, 1), (scalar u8) ])),
//!         (stars: (arrays { x: (array f32, 1), y: (array f32, 1) } VectorArrays [ (array f32, 1), (array f32, 1) ])),
//!         (image: (update array f32, 2)), // `&mut`; also `update tuple { … }` of arrays
//!         (time: (state scalar f32)),   // in memory, since a result takes its place; also `state tuple { … }`
//!     ],
//!     result: (array f32, 2),           // or any of the above, or () for a kernel that only updates
//!     steps: ConvolveSteps {           // for a kernel that is a step in time, only
//!         states: [ (image image_device 3 (array f32, 2)) ], // methods, number of the first leaf, type
//!         tap: [ 3, f32, 2 ],            // the state for sources and probes: leaf, element, rank; may be empty
//!         set: [ (set_sigma 1 (scalar f32)) ],
//!     },
//! }
//! ```
//!
//! The word `unsafe` is the caller's promise that the description is true of its texts (see `Launcher::new`). What follows it is
//! no `unsafe` block, and nothing of the user's stands in one.
//!
//! What rustc says about arguments of the wrong type points at what the user has declared, because tokens stand there: the names in
//! `methods` at the name of the kernel, a parameter's name at its own, and the parentheses around its type at the end of that; arrays
//! of parameters have the tokens `[for<> >]` besides, from the start of the parameter to its end, which stand around the bound on the
//! argument.
//!
//! In a kernel with mistakes, `unknown T` stands for what was not declared, with a type `T` that contains an error.
//!
//! Element types are those that implement `Scalar`. A part of a tuple or a struct stands after its index or name, and may be
//! a tuple itself; `fields` is for structs of scalars, of which the user has a Rust struct of that name, `parts` for those with arrays in
//! them (`nested`, with their types in Rust), and `arrays` for arrays of these, which are one generic struct with an array for every leaf;
//! these follow. Leaves are passed to the runtime in order, depth first. Parameters may have any name: `queue`, `out` and everything else
//! that is written here has a meaning of its own.

/// The Rust type of a parameter or result: on the host to read (`host`) or to write (`host_mut`), on either to copy (`copied`), on the device to
/// read (`device`, with scalars in memory `device_state`) or to write (`device_mut`), anywhere for its shape (`shape`); as what `run` returns (`owned`), what
/// `output` returns (`memory`), and what `output_shape` returns (`extents`).
#[doc(hidden)]
#[macro_export]
macro_rules! __type {
    (host (update $($data:tt)*)) => { $crate::__type!(host_mut ($($data)*)) };
    (device (update $($data:tt)*)) => { $crate::__type!(device_mut ($($data)*)) };
    (shape (update $($data:tt)*)) => { $crate::__type!(shape ($($data)*)) };
    (device (state $($data:tt)*)) => { $crate::__type!(device_state ($($data)*)) };
    ($kind:ident (state $($data:tt)*)) => { $crate::__type!($kind ($($data)*)) };
    // A simulation copies what it starts from.
    (copied (update $($data:tt)*)) => { $crate::__type!(copied ($($data)*)) };

    ($kind:ident ()) => { () };
    ($kind:ident (unknown $type:ty)) => { $type };
    ($kind:ident (tuple { $($index:tt : $data:tt),+ $(,)? })) => { ($($crate::__type!($kind $data),)+) };
    // On the device, a struct that is a result is memory for each of its fields.
    (device_mut (fields $fields:tt $name:ident $arrays:ident $leaves:tt)) => { $crate::__type!(device_mut (arrays $fields $arrays $leaves)) };
    (device_state (fields $fields:tt $name:ident $arrays:ident $leaves:tt)) => { $crate::__type!(device_state (arrays $fields $arrays $leaves)) };
    (memory (fields $fields:tt $name:ident $arrays:ident $leaves:tt)) => { $crate::__type!(memory (arrays $fields $arrays $leaves)) };
    (extents (fields $fields:tt $name:ident $arrays:ident $leaves:tt)) => { $crate::__type!(extents (arrays $fields $arrays $leaves)) };
    ($kind:ident (fields $fields:tt $name:ident $arrays:ident $leaves:tt)) => { $name };
    // With arrays in it, only the host has it as a whole.
    (host (parts $fields:tt $name:ident $arrays:ident $leaves:tt)) => { $name };
    (copied (parts $fields:tt $name:ident $arrays:ident $leaves:tt)) => { $name };
    (owned (parts $fields:tt $name:ident $arrays:ident $leaves:tt)) => { $name };
    ($kind:ident (parts $fields:tt $name:ident $arrays:ident $leaves:tt)) => { $crate::__type!($kind (arrays $fields $arrays $leaves)) };
    ($kind:ident (arrays $fields:tt $arrays:ident [ $($leaf:tt),+ ])) => {
        $arrays<$($crate::__type!($kind $leaf)),+>
    };

    (device_mut (scalar $elem:ty)) => { &mut $crate::DeviceArray<$elem, 0> };
    (device_state (scalar $elem:ty)) => { &$crate::DeviceArray<$elem, 0> };
    (memory (scalar $elem:ty)) => { $crate::DeviceArray<$elem, 0> };
    (extents (scalar $elem:ty)) => { [usize; 0] };
    ($kind:ident (scalar $elem:ty)) => { $elem };

    (host (array $elem:ty, $rank:literal, [$for:tt $open:tt $close:tt $end:tt])) => {
        impl $for $open $close $crate::HostArray<$elem, $rank $end
    };
    (host_mut (array $elem:ty, $rank:literal, [$for:tt $open:tt $close:tt $end:tt])) => {
        impl $for $open $close $crate::HostArrayMut<$elem, $rank $end
    };
    (copied (array $elem:ty, $rank:literal, [$for:tt $open:tt $close:tt $end:tt])) => {
        impl $for $open $close $crate::AnyArray<$elem, $rank $end
    };
    (shape (array $elem:ty, $rank:literal, [$for:tt $open:tt $close:tt $end:tt])) => {
        impl $for $open $close $crate::Shaped<$elem, $rank $end
    };
    (host (array $elem:ty, $rank:literal)) => { impl $crate::HostArray<$elem, $rank> };
    (host_mut (array $elem:ty, $rank:literal)) => { impl $crate::HostArrayMut<$elem, $rank> };
    (copied (array $elem:ty, $rank:literal)) => { impl $crate::AnyArray<$elem, $rank> };
    (device_state (array $elem:ty, $rank:literal $(, $place:tt)?)) => { &$crate::DeviceArray<$elem, $rank> };
    (shape (array $elem:ty, $rank:literal)) => { impl $crate::Shaped<$elem, $rank> };
    (device (array $elem:ty, $rank:literal $(, $place:tt)?)) => { &$crate::DeviceArray<$elem, $rank> };
    (device_mut (array $elem:ty, $rank:literal $(, $place:tt)?)) => { &mut $crate::DeviceArray<$elem, $rank> };
    (owned (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $crate::ndarray::Array<$elem, $crate::ndarray::Dim<[usize; $rank]>>
    };
    (memory (array $elem:ty, $rank:literal $(, $place:tt)?)) => { $crate::DeviceArray<$elem, $rank> };
    (extents (array $elem:ty, $rank:literal $(, $place:tt)?)) => { [usize; $rank] };
}

/// The type of a parameter of `run`. The parentheses around what it is made of are those of the call, so that the type ends where the
/// user's does; so it is with the others.
#[doc(hidden)]
#[macro_export]
macro_rules! __host {
    ($($data:tt)*) => { $crate::__type!(host ($($data)*)) };
}

/// The type of a parameter of `launch`.
#[doc(hidden)]
#[macro_export]
macro_rules! __device {
    ($($data:tt)*) => { $crate::__type!(device ($($data)*)) };
}

/// The type of the parameter of `launch` for its result.
#[doc(hidden)]
#[macro_export]
macro_rules! __out {
    ($($data:tt)*) => { $crate::__type!(device_mut ($($data)*)) };
}

/// The type of a parameter of `output`.
#[doc(hidden)]
#[macro_export]
macro_rules! __shape {
    ($($data:tt)*) => { $crate::__type!(shape ($($data)*)) };
}

/// The type of a parameter of `start`.
#[doc(hidden)]
#[macro_export]
macro_rules! __start {
    ($($data:tt)*) => { $crate::__type!(copied ($($data)*)) };
}

/// Adds the leaves of the value `$at` to a list of arguments, as [`__type`] names them, or of outputs (`out`).
#[doc(hidden)]
#[macro_export]
macro_rules! __push {
    ($list:ident host $at:expr, (update $($data:tt)*)) => { $crate::__push!($list host_mut $at, ($($data)*)) };
    ($list:ident device $at:expr, (update $($data:tt)*)) => { $crate::__push!($list device_mut $at, ($($data)*)) };
    ($list:ident shape $at:expr, (update $($data:tt)*)) => { $crate::__push!($list shape $at, ($($data)*)) };
    ($list:ident copied $at:expr, (update $($data:tt)*)) => { $crate::__push!($list copied $at, ($($data)*)) };
    ($list:ident host $at:expr, (state $($data:tt)*)) => { $crate::__push!($list host_state $at, ($($data)*)) };
    ($list:ident copied $at:expr, (state $($data:tt)*)) => { $crate::__push!($list copied_state $at, ($($data)*)) };
    ($list:ident device $at:expr, (state $($data:tt)*)) => { $crate::__push!($list device_state $at, ($($data)*)) };
    ($list:ident shape $at:expr, (state $($data:tt)*)) => { $crate::__push!($list shape_state $at, ($($data)*)) };

    ($list:ident $kind:ident $at:expr, ()) => {};
    ($list:ident $kind:ident $at:expr, (unknown $type:ty)) => { let _ = &$at; };
    ($list:ident $kind:ident $at:expr, (tuple { $($index:tt : $data:tt),+ $(,)? })) => {
        $($crate::__push!($list $kind $at.$index, $data);)+
    };
    ($list:ident $kind:ident $at:expr, (fields $fields:tt $name:ident $arrays:ident $leaves:tt)) => {
        $crate::__push!($list $kind $at, (arrays $fields $arrays $leaves))
    };
    ($list:ident $kind:ident $at:expr, (parts $fields:tt $name:ident $arrays:ident $leaves:tt)) => {
        $crate::__push!($list $kind $at, (arrays $fields $arrays $leaves))
    };
    ($list:ident host $at:expr, (nested $type:ty, $elem:ty, $rank:literal)) => {
        $list.push($crate::HostArg::nested::<$type>($at))
    };
    ($list:ident host_state $at:expr, (nested $type:ty, $elem:ty, $rank:literal)) => {
        $crate::__push!($list host $at, (nested $type, $elem, $rank))
    };
    ($list:ident copied $at:expr, (nested $type:ty, $elem:ty, $rank:literal)) => {
        $crate::__push!($list host $at, (nested $type, $elem, $rank))
    };
    ($list:ident copied_state $at:expr, (nested $type:ty, $elem:ty, $rank:literal)) => {
        $crate::__push!($list host $at, (nested $type, $elem, $rank))
    };
    // Elsewhere it is an array like any other.
    ($list:ident $kind:ident $at:expr, (nested $type:ty, $elem:ty, $rank:literal)) => {
        $crate::__push!($list $kind $at, (array $elem, $rank))
    };
    ($list:ident $kind:ident $at:expr, (arrays { $($field:ident : $data:tt),+ $(,)? } $arrays:ident $leaves:tt)) => {
        $($crate::__push!($list $kind $at.$field, $data);)+
    };

    ($list:ident host $at:expr, (scalar $elem:ty)) => { $list.push($crate::HostArg::scalar::<$elem>($at)) };
    ($list:ident copied $at:expr, (scalar $elem:ty)) => { $list.push($crate::HostArg::scalar::<$elem>($at)) };
    ($list:ident device $at:expr, (scalar $elem:ty)) => { $list.push($crate::DeviceArg::scalar::<$elem>($at)) };
    ($list:ident shape $at:expr, (scalar $elem:ty)) => { $list.push($crate::ShapeArg::scalar::<$elem>($at)) };
    ($list:ident out $at:expr, (scalar $elem:ty)) => { $list.push($crate::DeviceOut::array::<$elem, 0>($at)) };

    ($list:ident host_state $at:expr, (scalar $elem:ty)) => { $list.push($crate::HostArg::one::<$elem>($at)) };
    ($list:ident copied_state $at:expr, (scalar $elem:ty)) => { $list.push($crate::HostArg::one::<$elem>($at)) };
    ($list:ident device_state $at:expr, (scalar $elem:ty)) => { $list.push($crate::DeviceArg::one::<$elem>($at)) };
    ($list:ident shape_state $at:expr, (scalar $elem:ty)) => { $list.push($crate::ShapeArg::one::<$elem>($at)) };
    ($list:ident host_state $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $crate::__push!($list host $at, (array $elem, $rank))
    };
    ($list:ident copied_state $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $crate::__push!($list copied $at, (array $elem, $rank))
    };
    ($list:ident device_state $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $crate::__push!($list device $at, (array $elem, $rank))
    };
    ($list:ident shape_state $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $crate::__push!($list shape $at, (array $elem, $rank))
    };

    ($list:ident host $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $list.push($crate::HostArg::array::<$elem, $rank>(&$at))
    };
    ($list:ident copied $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $list.push($crate::AnyArray::<$elem, $rank>::to_arg(&$at))
    };
    ($list:ident host_mut $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $list.push($crate::HostArg::update::<$elem, $rank>(&mut $at))
    };
    ($list:ident device $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $list.push($crate::DeviceArg::array::<$elem, $rank>($at))
    };
    ($list:ident device_mut $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $list.push($crate::DeviceArg::update::<$elem, $rank>($at))
    };
    ($list:ident shape $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $list.push($crate::ShapeArg::array::<$elem, $rank>(&$at))
    };
    ($list:ident out $at:expr, (array $elem:ty, $rank:literal $(, $place:tt)?)) => {
        $list.push($crate::DeviceOut::array::<$elem, $rank>($at))
    };
}

/// Takes a value apart in order: what `run` (`owned`), `output` (`memory`) and `output_shape` (`extents`) return.
#[doc(hidden)]
#[macro_export]
macro_rules! __take {
    ($from:ident $kind:ident ()) => { () };
    ($from:ident $kind:ident (unknown $type:ty)) => { <$type>::none() };
    ($from:ident $kind:ident (tuple { $($index:tt : $data:tt),+ $(,)? })) => {
        ($($crate::__take!($from $kind $data),)+)
    };
    ($from:ident owned (fields $fields:tt $name:ident $arrays:ident $leaves:tt)) => {
        $crate::__take!($from owned (arrays $fields $name $leaves))
    };
    ($from:ident $kind:ident (fields $fields:tt $name:ident $arrays:ident $leaves:tt)) => {
        $crate::__take!($from $kind (arrays $fields $arrays $leaves))
    };
    ($from:ident owned (parts $fields:tt $name:ident $arrays:ident $leaves:tt)) => {
        $crate::__take!($from owned (arrays $fields $name $leaves))
    };
    ($from:ident $kind:ident (parts $fields:tt $name:ident $arrays:ident $leaves:tt)) => {
        $crate::__take!($from $kind (arrays $fields $arrays $leaves))
    };
    ($from:ident owned (nested $type:ty, $elem:ty, $rank:literal)) => { $from.nested::<$type, $rank>()? };
    ($from:ident $kind:ident (nested $type:ty, $elem:ty, $rank:literal)) => {
        $crate::__take!($from $kind (array $elem, $rank))
    };
    ($from:ident $kind:ident (arrays { $($field:ident : $data:tt),+ $(,)? } $arrays:ident $leaves:tt)) => {
        $arrays { $($field: $crate::__take!($from $kind $data)),+ }
    };
    ($from:ident owned (scalar $elem:ty)) => { $from.scalar::<$elem>()? };
    ($from:ident memory (scalar $elem:ty)) => { $from.array::<$elem, 0>()? };
    ($from:ident extents (scalar $elem:ty)) => { $from.shape::<$elem, 0>()? };
    ($from:ident extents (array $elem:ty, $rank:literal $(, $place:tt)?)) => { $from.shape::<$elem, $rank>()? };
    ($from:ident $kind:ident (array $elem:ty, $rank:literal $(, $place:tt)?)) => { $from.array::<$elem, $rank>()? };
}

/// Defines a typed launcher; see the module's documentation in the source.
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel {
    (
        attrs: [ $(#[$attr:meta])* ], vis: [ $($vis:tt)* ], name: $name:ident,
        ty: $ty:literal, spec: unsafe { $spec:expr },
        host: [ $({ $($items:tt)* })? $($function:ident $entry:literal),* $(,)? ],
        $(optimised: $optimised:literal,)?
        methods: [ $run:ident $($methods:tt)* ],
        params: [ $(($param:tt : $data:tt)),* $(,)? ], result: $result:tt
        $(, steps: $steps:ident $about:tt)? $(,)?
    ) => {
        $(#[$attr])*
        #[derive(::core::clone::Clone)]
        $($vis)* struct $name {
            launcher: $crate::Launcher,
        }

        // SAFETY: the caller's promise.
        #[automatically_derived]
        unsafe impl $crate::Kernel for $name {
            const SPEC: &'static ::std::sync::LazyLock<$crate::spec::KernelSpec> = {
                static SPEC: ::std::sync::LazyLock<$crate::spec::KernelSpec> =
                    ::std::sync::LazyLock::new(|| $spec);
                &SPEC
            };

            #[allow(warnings, reason = "nobody wrote it")]
            const HOST: &'static [$crate::host::Entry] = {
                use $crate::host;
                $($($items)*)?
                const OPTIMISED: bool = true $(&& $optimised)?;
                // Without optimisation there are no vectors, whatever the processor has: compiling a function for each set of
                // instructions would make builds slow, and nothing fast.
                const CRATE_ISA: host::Isa = if OPTIMISED { $crate::__crate_isa!() } else { host::Isa::Avx512 };
                &[$(host::Entry::above::<$function>($entry, CRATE_ISA).optimised(OPTIMISED)),*]
            };

            // Of the user's crate, in which this is expanded.
            const IS_DEBUG: bool = ::core::cfg!(debug_assertions);

            fn from_launcher(launcher: $crate::Launcher) -> Self {
                Self { launcher }
            }

            fn launcher(&self) -> &$crate::Launcher {
                &self.launcher
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.launcher, f)
            }
        }

        #[automatically_derived]
        #[allow(
            dead_code,
            unused_mut,
            non_snake_case,
            clippy::too_many_arguments,
            clippy::type_complexity,
            clippy::let_unit_value,
            clippy::pedantic,
            reason = "a launcher offers more than each program uses, and its parameters are the user's"
        )]
        impl $name {
            /// The kernel's type in mathematical form.
            pub const TYPE: &'static str = $ty;

            /// Every version of the kernel: its OpenCL text, tunables, launch geometry, and how it was
            /// derived from the expression.
            pub const VARIANTS: $crate::Variants = $crate::Variants::of::<Self>();

            /// The kernel on this device.
            ///
            /// # Errors
            ///
            /// When the device cannot be opened.
            pub fn on(device: &$crate::Device) -> $crate::Result<Self> {
                $crate::Unbound::<Self>::new().on(device)
            }

            /// The same kernel, always launched in this variant. Without, one is chosen that suits the device.
            ///
            /// # Errors
            ///
            /// When there is no variant of this name, or it lacks a tunable that was set before.
            pub fn variant(&self, name: &str) -> $crate::Result<Self> {
                ::core::result::Result::Ok(Self { launcher: self.launcher.variant(name)? })
            }

            /// The same kernel with a tunable set.
            ///
            /// # Errors
            ///
            /// When no variant has such a tunable, or it cannot have this value.
            pub fn with(&self, tunable: &str, value: i64) -> $crate::Result<Self> {
                ::core::result::Result::Ok(Self { launcher: self.launcher.with(tunable, value)? })
            }

            /// The same kernel without checks of indices that come from the data.
            ///
            /// # Safety
            ///
            /// In every launch, every such index must be in range. One that is not is an out-of-bounds access to the
            /// device's memory, which on a CPU is the program's own.
            #[must_use]
            pub unsafe fn unchecked(&self) -> Self {
                // SAFETY: the caller's promise.
                Self { launcher: unsafe { self.launcher.unchecked() } }
            }

            /// The same kernel with or without a check that indices are distinct to which it scatters. Without being
            /// told, it checks in programs that are built with debug assertions.
            #[must_use]
            pub fn check_duplicates(&self, check: bool) -> Self {
                Self { launcher: self.launcher.check_duplicates(check) }
            }

            /// The same kernel, built anew for the sizes of every launch, or once for all sizes. Without being told, the first
            /// sizes are built for, other sizes share a program, and those on which much work is done are built for, too.
            #[must_use]
            pub fn specialise(&self, specialise: bool) -> Self {
                Self { launcher: self.launcher.specialise(specialise) }
            }

            /// The names of the variants that the device can run.
            #[must_use]
            pub fn variant_names(&self) -> ::std::vec::Vec<&'static str> {
                self.launcher.variant_names()
            }

            /// The variant that was selected, if one was.
            #[must_use]
            pub fn selected(&self) -> ::core::option::Option<&'static str> {
                self.launcher.selected()
            }

            /// The OpenCL text of the variant that a launch would try first.
            #[must_use]
            pub fn source(&self) -> ::std::string::String {
                self.launcher.source()
            }

            /// What there is to know about the kernel on this device, to be printed. It has the type after every step, and which
            /// variant a launch takes and why. Of each variant, it has the derivation, the use of memory and the OpenCL.
            #[must_use]
            pub fn explain(&self) -> $crate::Explanation {
                self.launcher.explain()
            }

            /// The device.
            #[must_use]
            pub fn device(&self) -> &$crate::Device {
                self.launcher.device()
            }

            /// Runs the kernel on host data and returns the result to the host. Arrays that the kernel updates
            /// change only if nothing fails.
            ///
            /// # Errors
            ///
            /// When the arguments do not fit each other (found before anything runs), the driver cannot
            /// build the kernel, or the device fails. Also when an index from the data is out of range or, where this is
            /// checked, a duplicate.
            pub fn $run(&self $(, $param: $crate::__host! $data)*) -> $crate::Result<$crate::__type!(owned $result)> {
                $(let mut $param = $param;)*
                let mut args = ::std::vec::Vec::new();
                $($crate::__push!(args host $param, $data);)*
                let mut finished = self.launcher.call(args)?;
                let result = $crate::__take!(finished owned $result);
                finished.commit()?;
                ::core::result::Result::Ok(result)
            }
        }

        $crate::__launch! { $name [ $($methods)* ] [ $(($param: $data))* ] $result }
        $crate::__tune! { $name [ $(($param: $data))* ] }
        $crate::__steps! { [ $($vis)* ] $name [ $($methods)* ] [ $(($param: $data))* ] $($steps $about)? }
    };
    // There are no functions.
    (
        attrs: $attrs:tt, vis: $vis:tt, name: $name:ident, ty: $ty:literal, spec: unsafe $spec:tt,
        methods: $methods:tt, $($rest:tt)*
    ) => {
        $crate::__kernel! {
            attrs: $attrs, vis: $vis, name: $name, ty: $ty, spec: unsafe $spec, host: [],
            methods: $methods, $($rest)*
        }
    };
    (
        attrs: $attrs:tt, vis: $vis:tt, name: $name:ident, ty: $ty:literal, spec: unsafe $spec:tt,
        params: $params:tt, $($rest:tt)*
    ) => {
        $crate::__kernel! {
            attrs: $attrs, vis: $vis, name: $name, ty: $ty, spec: unsafe $spec, host: [],
            params: $params, $($rest)*
        }
    };
    // Of a kernel that nobody has declared, nothing is pointed at.
    (
        attrs: $attrs:tt, vis: $vis:tt, name: $name:ident, ty: $ty:literal, spec: unsafe $spec:tt,
        host: $host:tt, params: [ $(($param:tt : $($data:tt)+)),* $(,)? ], $($rest:tt)*
    ) => {
        $crate::__kernel! {
            attrs: $attrs, vis: $vis, name: $name, ty: $ty, spec: unsafe $spec, host: $host,
            methods: [ run launch output output_shape start out ],
            params: [ $(($param: ($($data)+))),* ], $($rest)*
        }
    };
}

/// The methods of a typed launcher that have to do with memory for the result, if there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! __launch {
    (
        $name:ident [ $launch:ident $output:ident $output_shape:ident $start:ident $out:tt ]
        [ $(($param:tt : $data:tt))* ] ()
    ) => {
        $crate::__launch! { @impl $name
            /// Starts the kernel on device arrays and returns at once. Later uses of the arrays it updates wait
            /// for it.
            ///
            /// # Errors
            ///
            /// When the arguments do not fit, or the driver cannot build the kernel. What goes wrong on the device
            /// is reported by the event, and by downloads of what the kernel updates.
            pub fn $launch(
                &self,
                queue: &$crate::Queue
                $(, $param: $crate::__device! $data)*
            ) -> $crate::Result<$crate::Event> {
                let mut args = ::std::vec::Vec::new();
                $($crate::__push!(args device $param, $data);)*
                self.launcher.launch(queue, &args, &[])
            }
        }
    };
    (
        $name:ident [ $launch:ident $output:ident $output_shape:ident $start:ident $out:tt ]
        [ $(($param:tt : $data:tt))* ] $result:tt
    ) => {
        $crate::__launch! { @impl $name
            /// Starts the kernel on device arrays and returns at once. Later uses of the result wait for it.
            ///
            /// # Errors
            ///
            /// When the arguments or the result's array do not fit, or the driver cannot build the kernel. What
            /// goes wrong on the device is reported by the event, and by downloads of the result.
            pub fn $launch(
                &self,
                queue: &$crate::Queue,
                $($param: $crate::__device! $data,)*
                $out: $crate::__out! $result,
            ) -> $crate::Result<$crate::Event> {
                let (mut args, mut outs) = (::std::vec::Vec::new(), ::std::vec::Vec::new());
                $($crate::__push!(args device $param, $data);)*
                $crate::__push!(outs out $out, $result);
                self.launcher.launch(queue, &args, &outs)
            }

            /// Device memory for the result of a launch with arguments like these, on the host or on a device.
            ///
            /// # Errors
            ///
            /// When the arguments do not fit each other, or the device has no memory left.
            pub fn $output(
                &self $(, $param: $crate::__shape! $data)*
            ) -> $crate::Result<$crate::__type!(memory $result)> {
                let mut args = ::std::vec::Vec::new();
                $($crate::__push!(args shape $param, $data);)*
                let mut outputs = self.launcher.outputs(&args)?;
                ::core::result::Result::Ok($crate::__take!(outputs memory $result))
            }

            /// The extents of the result for arguments like these, on the host or on a device.
            ///
            /// # Errors
            ///
            /// When the arguments do not fit each other.
            pub fn $output_shape(
                &self $(, $param: $crate::__shape! $data)*
            ) -> $crate::Result<$crate::__type!(extents $result)> {
                let mut args = ::std::vec::Vec::new();
                $($crate::__push!(args shape $param, $data);)*
                let mut outputs = self.launcher.outputs(&args)?;
                ::core::result::Result::Ok($crate::__take!(outputs extents $result))
            }
        }
    };
    (@impl $name:ident $($methods:tt)*) => {
        #[automatically_derived]
        #[allow(
            dead_code,
            unused_mut,
            non_snake_case,
            clippy::too_many_arguments,
            clippy::type_complexity,
            clippy::pedantic,
            reason = "a launcher offers more than each program uses, and its parameters are the user's"
        )]
        impl $name {
            $($methods)*
        }
    };
}

/// How the fastest version of a kernel is found.
#[cfg(feature = "tune")]
#[doc(hidden)]
#[macro_export]
macro_rules! __tune {
    ($name:ident [ $(($param:tt : $data:tt))* ]) => {
        $crate::__launch! { @impl $name
            /// Looks for the version of the kernel, and the values of its tunables, that are the fastest for these arguments on this device. Every version is
            /// compared with `naive`. Arrays that the kernel updates stay as they are.
            ///
            /// # Errors
            ///
            /// When the arguments do not fit each other, `naive` fails on them, or the journal cannot be written. Other versions may fail.
            pub fn tune(
                &self,
                tuning: &$crate::Tuning
                $(, $param: $crate::__host! $data)*
            ) -> $crate::Result<$crate::TuningReport> {
                $(let mut $param = $param;)*
                let mut args = ::std::vec::Vec::new();
                $($crate::__push!(args host $param, $data);)*
                tuning.tune(&self.launcher, args)
            }
        }
    };
}

/// Without the feature `tune`, nothing is tuned.
#[cfg(not(feature = "tune"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __tune {
    ($($all:tt)*) => {};
}

/// What a kernel has that is a step in time.
#[doc(hidden)]
#[macro_export]
macro_rules! __steps {
    ([ $($vis:tt)* ] $name:ident $methods:tt $params:tt) => {};
    (
        [ $($vis:tt)* ] $name:ident
        [ $launch:ident $output:ident $output_shape:ident $start:ident $out:tt ]
        [ $(($param:tt : $data:tt))* ] $steps:ident {
            states: [ $(($host:ident $device:ident $leaf:literal $state:tt)),* $(,)? ],
            tap: [ $($tap:literal, $elem:ty, $rank:literal)? ],
            set: [ $(($set:ident $first:literal $value:tt)),* $(,)? ] $(,)?
        }
    ) => {
        $crate::__launch! { @impl $name
            /// The same kernel, whose simulations are computed in so many parts on its device: each has some rows of the arrays, and
            /// gets those from the others that it reads besides after every step. The results are the same, bit by bit.
            #[must_use]
            pub fn parts(&self, parts: usize) -> Self {
                Self { launcher: self.launcher.parts(parts) }
            }

            /// The same with a part on each of these devices. A device may occur several times. If they are of different kinds, each
            /// gets as many rows as it computes in the same time as the others, which is measured at the start.
            #[must_use]
            pub fn over(&self, devices: &[$crate::Device]) -> Self {
                Self { launcher: self.launcher.over(devices) }
            }

            /// The same with parts whose rows are in these proportions, one number for each part.
            #[must_use]
            pub fn shares(&self, shares: &[f64]) -> Self {
                Self { launcher: self.launcher.shares(shares) }
            }

            /// The same with halos that parts exchange after so many steps: they are as many times as wide, and both neighbours compute
            /// their rows. Without being told, it depends on how many rows a part has.
            #[must_use]
            pub fn exchange_every(&self, steps: usize) -> Self {
                Self { launcher: self.launcher.exchange_every(steps) }
            }

            /// The same kernel, whose simulations are computed by all these processes together. They give it the same arguments, and call the
            /// same methods of the simulation in the same order.
            #[must_use]
            pub fn across(&self, ranks: &$crate::Ranks) -> Self {
                Self { launcher: self.launcher.across(ranks) }
            }

            /// A simulation that starts from copies of these values, on the host or on the device: the kernel is
            /// launched again and again, and its results take the places of its parameters.
            ///
            /// # Errors
            ///
            /// When the arguments do not fit each other, the driver cannot build the kernel, or it cannot be computed in the parts that were
            /// asked for.
            pub fn $start(&self $(, $param: $crate::__start! $data)*) -> $crate::Result<$steps> {
                let mut args = ::std::vec::Vec::new();
                $($crate::__push!(args copied $param, $data);)*
                let stepper = $crate::Stepper::start(&self.launcher, &args)?;
                ::core::result::Result::Ok($steps { stepper })
            }

            $crate::__restore! { $steps }
        }

        #[doc = concat!("A simulation whose step is [`", stringify!($name), "`].")]
        $($vis)* struct $steps {
            stepper: $crate::Stepper,
        }

        $crate::__launch! { @impl $steps
            /// So many steps, with callbacks between them.
            pub fn steps(&mut self, steps: u64) -> $crate::Steps<'_, Self> {
                $crate::Steps::new(self, steps)
            }

            $(
                #[doc = concat!("Copies `", stringify!($host), "` to the host, after the steps made so far.")]
                ///
                /// # Errors
                ///
                /// When a step failed.
                pub fn $host(&self) -> $crate::Result<$crate::__type!(owned $state)> {
                    let mut state = self.stepper.state($leaf);
                    ::core::result::Result::Ok($crate::__take!(state owned $state))
                }

                #[doc = concat!("Copies `", stringify!($host), "` to new device memory, and does not wait.")]
                ///
                /// # Errors
                ///
                /// When the device has no memory left.
                pub fn $device(&self) -> $crate::Result<$crate::__type!(memory $state)> {
                    let mut state = self.stepper.snapshot($leaf);
                    ::core::result::Result::Ok($crate::__take!(state memory $state))
                }
            )*

            $(
                /// Adds one of `samples` after each step from the next one on to this element of the newest state.
                ///
                /// # Errors
                ///
                /// When there is no such element.
                pub fn source(&mut self, at: [usize; $rank], samples: &[$elem]) -> $crate::Result<()> {
                    self.stepper.source_at($tap, &at, samples)
                }

                /// Records this element of the newest state after each step from the next one on.
                ///
                /// # Errors
                ///
                /// When there is no such element.
                pub fn probe(&mut self, at: [usize; $rank]) -> $crate::Result<$crate::Probe<$elem>> {
                    self.stepper.probe_at($tap, &at)
                }

                /// Records all these elements of the newest state after each step from the next one on, with a
                /// probe for each.
                ///
                /// # Errors
                ///
                /// When there is no such element; then none is recorded.
                pub fn probe_all(
                    &mut self,
                    places: impl ::core::iter::IntoIterator<Item = [usize; $rank]>,
                ) -> $crate::Result<::std::vec::Vec<$crate::Probe<$elem>>> {
                    self.stepper.probe_all_at($tap, places)
                }

                /// Records all elements of the newest state on the line through `at` along a dimension, counted
                /// from the outermost, with a probe for each in their order.
                ///
                /// # Errors
                ///
                /// When there is no such element or dimension.
                pub fn probe_line(
                    &mut self,
                    at: [usize; $rank],
                    dimension: usize,
                ) -> $crate::Result<::std::vec::Vec<$crate::Probe<$elem>>> {
                    self.stepper.probe_line_at($tap, at, dimension)
                }
            )?

            $(
                /// Changes a parameter from the next step on, to a copy of a value on the host or on the device. An
                /// array must have the extents it had before.
                ///
                /// # Errors
                ///
                /// When the extents differ, or the device fails.
                pub fn $set(&mut self, value: $crate::__type!(copied $value)) -> $crate::Result<()> {
                    let mut args = ::std::vec::Vec::new();
                    $crate::__push!(args copied value, $value);
                    self.stepper.set($first, &args)
                }
            )*
        }

        #[automatically_derived]
        impl ::core::ops::Deref for $steps {
            type Target = $crate::Stepper;

            fn deref(&self) -> &$crate::Stepper {
                &self.stepper
            }
        }

        #[automatically_derived]
        impl ::core::ops::DerefMut for $steps {
            fn deref_mut(&mut self) -> &mut $crate::Stepper {
                &mut self.stepper
            }
        }

        #[automatically_derived]
        impl ::core::convert::AsMut<$crate::Stepper> for $steps {
            fn as_mut(&mut self) -> &mut $crate::Stepper {
                &mut self.stepper
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Debug for $steps {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.stepper, f)
            }
        }
    };
}

/// The method that gives saved simulations back, in a program that saves some.
#[doc(hidden)]
#[cfg(feature = "save")]
#[macro_export]
macro_rules! __restore {
    ($steps:ident) => {
        /// The simulation that was saved in this folder. It goes on in the version in which it ran, unless a
        /// variant or a tunable is selected here.
        ///
        /// # Errors
        ///
        /// When there is none, it is of another kernel, or it is damaged; or what `start` reports.
        pub fn restore(
            &self,
            folder: impl ::core::convert::AsRef<::std::path::Path>,
        ) -> $crate::Result<$steps> {
            let stepper = $crate::Stepper::restore(&self.launcher, folder)?;
            ::core::result::Result::Ok($steps { stepper })
        }
    };
}

/// Nothing: this program saves none.
#[doc(hidden)]
#[cfg(not(feature = "save"))]
#[macro_export]
macro_rules! __restore {
    ($steps:ident) => {};
}
