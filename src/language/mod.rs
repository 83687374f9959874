//! The primitives of the language inside of [`lift!`](crate::lift): one page each, with its equation and an example.
//!
//! Nothing here is called from Rust. These items are what is documented, and what editors find for the names in a macro call: completion, hover
//! and go-to-definition. [`Primitives`] has them as methods. Types are shown with an [`Array`] for every dimension:
//! `[[f32; M]; N + 2]` is an `Array<Array<f32, M>, N_plus_2>`.

// Names are those of the language, where values are values and nothing is borrowed.
#![allow(
    clippy::wrong_self_convention,
    clippy::should_implement_trait,
    reason = "the names are those of the language"
)]

mod primitives;
mod scalars;
mod steps;

use std::marker::PhantomData;

pub use self::primitives::*;
pub use self::scalars::*;
pub use self::steps::Strategy;

/// An array of the language, `[T; N]`, as editors show it.
#[derive(Debug)]
pub struct Array<T = (), N = ()>(PhantomData<(T, N)>);

/// Arguments that give a result. There are none in Rust.
pub trait Arguments<R> {
    /// The result.
    fn result(self) -> R;
}

/// A parameter that is a size: `fn blocks<T, n>(k: Nat, xs: [T; n]) …`
pub type Nat = usize;

/// A parameter that says what is outside of an array: `fn padded<n>(b: Boundary<f32>, xs: [f32; n]) …`
pub type Boundary<T> = PhantomData<T>;

/// An argument that is a function: of the language, a helper's name or a closure.
pub trait AnyFunction {}

/// An argument that is a value.
pub trait AnyValue {}

/// An argument that is a boundary, such as [`clamp`](clamp()), `constant(0.0)` or a function of an index and the length.
pub trait AnyBoundary {}

// Documentation would show these at every type of the crate.
#[cfg(not(doc))]
mod all {
    use super::{AnyBoundary, AnyFunction, AnyValue, Primitives, Scalars};

    impl<T> AnyFunction for T {}
    impl<T> AnyValue for T {}
    impl<T> AnyBoundary for T {}
    impl<T> Primitives for T {}
    impl<T> Scalars for T {}
}

impl<T, N> Array<T, N> {
    /// An array of which nothing is known but its type.
    #[doc(hidden)]
    pub const NEW: Array<T, N> = Array(PhantomData);
}
