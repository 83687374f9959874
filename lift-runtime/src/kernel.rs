//! What all typed launchers have in common.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::slice;
use std::sync::LazyLock;

use crate::device::Device;
use crate::error::Result;
use crate::host;
use crate::launch::Launcher;
use crate::spec::{KernelSpec, Variant};

/// A launcher written by `lift!`. Generic code, such as a benchmark, uses kernels through it.
///
/// # Safety
///
/// Only `lift!` implements it. Launchers rely on [`Kernel::SPEC`]: it must be true of the texts in it, as
/// [`Launcher::new`] demands.
///
/// ```
/// fn print_variants<K: lift_runtime::Kernel>() {
///     for variant in K::SPEC.variants.iter() {
///         println!("{} {}", K::SPEC.name, variant.name);
///     }
/// }
/// ```
pub unsafe trait Kernel: Clone + fmt::Debug + Send + Sync + 'static {
    /// The kernel's description, which is read when it is first looked at.
    const SPEC: &'static LazyLock<KernelSpec>;

    /// The functions of the versions that are compiled to Rust.
    #[doc(hidden)]
    const HOST: &'static [host::Entry];

    /// Whether the user's program is built with debug assertions, and so looks for duplicates.
    #[doc(hidden)]
    const IS_DEBUG: bool;

    /// A launcher around the untyped one. That of another kernel refuses the arguments of this one.
    #[doc(hidden)]
    fn from_launcher(launcher: Launcher) -> Self;

    /// The untyped launcher.
    fn launcher(&self) -> &Launcher;
}

/// All versions of a kernel for OpenCL: a slice, which is read from the kernel's description when it is first looked at.
#[derive(Clone, Copy)]
pub struct Variants {
    spec: &'static LazyLock<KernelSpec>,
}

impl Variants {
    /// Those of a kernel.
    #[must_use]
    pub const fn of<K: Kernel>() -> Variants {
        Variants { spec: K::SPEC }
    }
}

impl Deref for Variants {
    type Target = [Variant];

    fn deref(&self) -> &[Variant] {
        &self.spec.variants
    }
}

impl IntoIterator for Variants {
    type Item = &'static Variant;
    type IntoIter = slice::Iter<'static, Variant>;

    fn into_iter(self) -> slice::Iter<'static, Variant> {
        self.spec.variants.iter()
    }
}

impl fmt::Debug for Variants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The types, or tuples of types, that tell the instances of a kernel with `#[types(..)]` apart.
#[doc(hidden)]
pub trait ElementTypes: sealed::Sealed {}

mod sealed {
    use crate::scalar::Scalar;

    #[expect(unnameable_types, reason = "sealed: only scalars are element types")]
    pub trait Sealed {}

    impl<T: Scalar> Sealed for T {}
    impl<T: Scalar, U: Scalar> Sealed for (T, U) {}
    impl<T: Scalar, U: Scalar, V: Scalar> Sealed for (T, U, V) {}
}

impl<T: sealed::Sealed> ElementTypes for T {}

/// What crosses the border where a mistake has hidden its type. `ERROR` is an error of rustc's, which makes all uses of
/// the type errors that are reported already.
#[doc(hidden)]
pub struct Unknown<const ERROR: usize>;

impl<const ERROR: usize> Unknown<ERROR> {
    /// No value: programs with mistakes do not run.
    #[must_use]
    pub fn none() -> Unknown<ERROR> {
        unreachable!("a program with mistakes runs")
    }
}

/// A launcher with the type of what a mistake in its block has hidden.
#[doc(hidden)]
pub trait Mistaken {
    /// That type, which contains the mistake.
    type Unknown;
}

/// A kernel that has no device yet: the value of `lift!(expression)`.
pub struct Unbound<K> {
    kernel: PhantomData<fn() -> K>,
}

impl<K: Kernel> Unbound<K> {
    /// The kernel `K`.
    #[must_use]
    pub const fn new() -> Unbound<K> {
        Unbound { kernel: PhantomData }
    }

    /// The kernel on this device.
    ///
    /// # Errors
    ///
    /// When the device cannot be opened.
    pub fn on(&self, device: &Device) -> Result<K> {
        Ok(K::from_launcher(Launcher::of::<K>(device)?.check_duplicates(K::IS_DEBUG)))
    }

    /// The kernel's description.
    #[must_use]
    pub fn spec(&self) -> &'static KernelSpec {
        K::SPEC
    }
}

impl<K: Kernel> Default for Unbound<K> {
    fn default() -> Unbound<K> {
        Unbound::new()
    }
}

impl<K> Clone for Unbound<K> {
    fn clone(&self) -> Unbound<K> {
        *self
    }
}

impl<K> Copy for Unbound<K> {}

impl<K: Kernel> fmt::Debug for Unbound<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on no device yet", K::SPEC.name)
    }
}
