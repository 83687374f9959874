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
//!     spec: { … },                     // a constant expression of type `KernelSpec`
//!     params: [                        // in the user's order
//!         (weights: array f32, 1),      // element type, rank (1 to 6)
//!         (image: array f32, 2),
//!         (sigma: scalar f32),
//!     ],
//!     result: (array f32, 2),           // or (scalar f32)
//! }
//! ```
//!
//! Element types are those that implement `Scalar`. Parameters may have any name: `queue`, `out` and
//! everything else that is written here has a meaning of its own.

/// Defines a typed launcher; see the module's documentation in the source.
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel {
    // A result with extents.
    (
        attrs: [ $(#[$attr:meta])* ], vis: [ $($vis:tt)* ], name: $name:ident, spec: { $spec:expr },
        params: [ $($params:tt),* $(,)? ], result: (array $elem:ty, $rank:literal) $(,)?
    ) => {
        $crate::__kernel! {
            @sort [ $($params)* ] [] [] []
            { [ $(#[$attr])* ] [ $($vis)* ] $name { $spec } $elem, $rank run
              [ $crate::ndarray::Array<$elem, $crate::ndarray::Dim<[usize; $rank]>> ] [ ::<$elem, $rank> ] }
        }
    };
    // A single value: one element without extents on the device.
    (
        attrs: [ $(#[$attr:meta])* ], vis: [ $($vis:tt)* ], name: $name:ident, spec: { $spec:expr },
        params: [ $($params:tt),* $(,)? ], result: (scalar $elem:ty) $(,)?
    ) => {
        $crate::__kernel! {
            @sort [ $($params)* ] [] [] []
            { [ $(#[$attr])* ] [ $($vis)* ] $name { $spec } $elem, 0 run_scalar [ $elem ] [ ::<$elem> ] }
        }
    };

    // What each parameter is in `run`, in `launch` and in `output_shape`: name, type, argument.
    (@sort [ ($param:ident : array $elem:ty, $rank:literal) $($rest:tt)* ]
        [ $($host:tt)* ] [ $($device:tt)* ] [ $($shape:tt)* ] $fixed:tt
    ) => {
        $crate::__kernel! {
            @sort [ $($rest)* ]
            [ $($host)* { $param [ impl $crate::HostArray<$elem, $rank> ]
                          [ $crate::HostArg::array::<$elem, $rank>(&$param) ] } ]
            [ $($device)* { $param [ &$crate::DeviceArray<$elem, $rank> ]
                            [ $crate::DeviceArg::array::<$elem, $rank>($param) ] } ]
            [ $($shape)* { $param [ impl $crate::Shaped<$elem, $rank> ]
                           [ $crate::ShapeArg::array::<$elem, $rank>(&$param) ] } ]
            $fixed
        }
    };
    (@sort [ ($param:ident : scalar $elem:ty) $($rest:tt)* ]
        [ $($host:tt)* ] [ $($device:tt)* ] [ $($shape:tt)* ] $fixed:tt
    ) => {
        $crate::__kernel! {
            @sort [ $($rest)* ]
            [ $($host)* { $param [ $elem ] [ $crate::HostArg::scalar::<$elem>($param) ] } ]
            [ $($device)* { $param [ $elem ] [ $crate::DeviceArg::scalar::<$elem>($param) ] } ]
            [ $($shape)* { $param [ $elem ] [ $crate::ShapeArg::scalar::<$elem>($param) ] } ]
            $fixed
        }
    };

    // All parameters are sorted.
    (@sort []
        [ $({ $host:ident [ $($host_ty:tt)* ] [ $($host_arg:tt)* ] })* ]
        [ $({ $device:ident [ $($device_ty:tt)* ] [ $($device_arg:tt)* ] })* ]
        [ $({ $shape:ident [ $($shape_ty:tt)* ] [ $($shape_arg:tt)* ] })* ]
        { [ $(#[$attr:meta])* ] [ $($vis:tt)* ] $name:ident { $spec:expr } $elem:ty, $rank:tt
          $run:ident [ $($result:tt)* ] [ $($turbofish:tt)* ] }
    ) => {
        $(#[$attr])*
        #[derive(::core::clone::Clone)]
        $($vis)* struct $name {
            launcher: $crate::Launcher,
        }

        #[automatically_derived]
        impl $crate::Kernel for $name {
            const SPEC: &'static $crate::spec::KernelSpec = {
                // One address per kernel, by which built programs are found again.
                static SPEC: $crate::spec::KernelSpec = $spec;
                &SPEC
            };

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
            non_snake_case,
            clippy::too_many_arguments,
            reason = "a launcher offers more than each program uses, and its parameters are the user's"
        )]
        impl $name {
            /// The kernel's type in mathematical form.
            pub const TYPE: &'static str = <Self as $crate::Kernel>::SPEC.ty;

            /// Every version of the kernel: its OpenCL text, tunables, launch geometry, and how it was
            /// derived from the expression.
            pub const VARIANTS: &'static [$crate::spec::Variant] = <Self as $crate::Kernel>::SPEC.variants;

            /// The OpenCL text of the `naive` variant, which follows the expression literally.
            pub const SOURCE: &'static str = <Self as $crate::Kernel>::SPEC.variants[0].source;

            /// The kernel on this device.
            ///
            /// # Errors
            ///
            /// When the device cannot be opened.
            pub fn on(device: &$crate::Device) -> $crate::Result<Self> {
                let launcher = $crate::Launcher::new(<Self as $crate::Kernel>::SPEC, device)?;
                ::core::result::Result::Ok(Self { launcher })
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

            /// The variant that was selected, if one was.
            #[must_use]
            pub fn selected(&self) -> ::core::option::Option<&'static str> {
                self.launcher.selected()
            }

            /// The OpenCL text of the variant that a launch would try first.
            #[must_use]
            pub fn source(&self) -> &'static str {
                self.launcher.source()
            }

            /// The device.
            #[must_use]
            pub fn device(&self) -> &$crate::Device {
                self.launcher.device()
            }

            /// Runs the kernel on host data and returns the result to the host.
            ///
            /// # Errors
            ///
            /// When the arguments do not fit each other (found before anything runs), the driver cannot
            /// build the kernel, or the device fails.
            pub fn run(&self $(, $host: $($host_ty)*)*) -> $crate::Result<$($result)*> {
                self.launcher.$run $($turbofish)* (&[$($($host_arg)*),*])
            }

            /// Starts the kernel on device arrays and returns at once. Later uses of the result wait for it.
            ///
            /// # Errors
            ///
            /// When the arguments or the result's array do not fit, or the driver cannot build the kernel.
            pub fn launch(
                &self,
                queue: &$crate::Queue,
                $($device: $($device_ty)*,)*
                out: &mut $crate::DeviceArray<$elem, $rank>,
            ) -> $crate::Result<$crate::Event> {
                self.launcher.launch(queue, &[$($($device_arg)*),*], out)
            }

            /// Device memory for the result of a launch with arguments like these, on the host or on a device.
            ///
            /// # Errors
            ///
            /// When the arguments do not fit each other, or the device has no memory left.
            pub fn output(&self $(, $shape: $($shape_ty)*)*) -> $crate::Result<$crate::DeviceArray<$elem, $rank>> {
                self.launcher.output(&[$($($shape_arg)*),*])
            }

            /// The extents of the result for arguments like these, on the host or on a device.
            ///
            /// # Errors
            ///
            /// When the arguments do not fit each other.
            pub fn output_shape(&self $(, $shape: $($shape_ty)*)*) -> $crate::Result<[usize; $rank]> {
                self.launcher.output_shape(&[$($($shape_arg)*),*])
            }
        }
    };
}
