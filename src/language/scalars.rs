//! Functions of scalars, and boundaries.

use super::{AnyValue, Arguments};

/// Functions of scalars: by name, and as methods of a value. They are Rust's, but that none panics.
macro_rules! scalars {
    ($($(#[doc = $about:literal])* $name:ident($($param:ident),*);)*) => {
        $(
            /// A function of scalars: Rust's method of this name, but that it never panics. As a function, the value comes first.
            $(#[doc = $about])*
            pub fn $name<A: Arguments<U>, U>(arguments: A) -> U {
                arguments.result()
            }
        )*

        /// The functions of scalars as methods.
        #[allow(unused_variables, reason = "these are signatures")]
        pub trait Scalars: Sized {
            $(
                /// A function of scalars: Rust's method of this name, but that it never panics.
                #[must_use]
                fn $name(self $(, $param: impl AnyValue)*) -> Self { self }
            )*
        }
    };
}

scalars! {
    add(y);
    sub(y);
    mul(y);
    div(y);
    neg();
    not();
    id();
    abs();
    signum();
    min(y);
    max(y);
    ///
    /// As a boundary, `a a | a b c | c c`: beyond the edge, the element at the edge. See [`pad`](super::pad()).
    clamp(y, z);
    rem_euclid(y);
    div_euclid(y);
    sqrt();
    cbrt();
    exp();
    exp2();
    exp_m1();
    ln();
    ln_1p();
    log2();
    log10();
    sin();
    cos();
    tan();
    asin();
    acos();
    atan();
    atan2(y);
    sinh();
    cosh();
    tanh();
    asinh();
    acosh();
    atanh();
    hypot(y);
    powf(y);
    powi(y);
    mul_add(y, z);
    floor();
    ceil();
    round();
    trunc();
    fract();
    recip();
    copysign(y);
    to_radians();
    to_degrees();
    is_nan();
    is_finite();
    is_infinite();
    pow(y);
    abs_diff(y);
    wrapping_add(y);
    wrapping_sub(y);
    wrapping_mul(y);
    wrapping_shl(y);
    wrapping_shr(y);
    saturating_add(y);
    saturating_sub(y);
    rotate_left(y);
    rotate_right(y);
    count_ones();
    leading_zeros();
    trailing_zeros();
}

/// Boundaries.
macro_rules! boundaries {
    ($($name:ident $about:literal;)*) => {
        $(
            #[doc = $about]
            ///
            /// See [`pad`](super::pad()).
            pub fn $name<A: Arguments<U>, U>(arguments: A) -> U {
                arguments.result()
            }
        )*
    };
}

boundaries! {
    mirror "`b a | a b c | c b`: beyond the edge, the array lies mirrored, with the edge's element twice.";
    reflect "`c b | a b c | b a`: beyond the edge, the array lies mirrored, with the edge's element once.";
    wrap "`b c | a b c | a b`: beyond the edge, the array begins again.";
    negated "`negated(mirror)`: what another boundary gives, negative beyond every other edge.";
    constant "`constant(x)`: beyond the edge, `x`.";
    value "`value(|i, n| e)`: beyond the edge, what a function of the index and the length gives.";
}
