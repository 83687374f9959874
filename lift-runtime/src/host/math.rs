//! Operations of the language that mean something else than those of Rust, or that Rust leaves open. What is not here, such as
//! `sqrt` or `wrapping_add`, is Rust's method of that name.

use std::ops::Neg;

/// A type of numbers.
pub trait Number: Copy + PartialOrd {
    /// The smaller one.
    #[must_use]
    fn least(self, other: Self) -> Self;
    /// The greater one.
    #[must_use]
    fn greatest(self, other: Self) -> Self;
    /// The remainder that is not negative.
    #[must_use]
    fn remainder(self, divisor: Self) -> Self;
    /// The quotient that belongs to it.
    #[must_use]
    fn quotient(self, divisor: Self) -> Self;
}

/// A type of whole numbers.
pub trait Integer: Number {
    /// `self / divisor`
    #[must_use]
    fn over(self, divisor: Self) -> Self;
    /// `self % divisor`
    #[must_use]
    fn modulo(self, divisor: Self) -> Self;
}

/// A type of floats.
pub trait Float: Number + Neg<Output = Self> {}

/// The smaller number. Of a NaN and a number it is the number, and -0.0 is less than 0.0.
#[inline(always)]
#[must_use]
pub fn min<T: Number>(x: T, y: T) -> T {
    x.least(y)
}

/// The greater number. Of a NaN and a number it is the number, and -0.0 is less than 0.0.
#[inline(always)]
#[must_use]
pub fn max<T: Number>(x: T, y: T) -> T {
    x.greatest(y)
}

/// `x`, but not less than `low` and not more than `high`. A NaN stays one, and of crossed limits the upper one wins.
#[inline(always)]
#[must_use]
pub fn clamp<T: Number>(x: T, low: T, high: T) -> T {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `x / y`, 0 for the divisor 0, and wrapped around.
#[inline(always)]
#[must_use]
pub fn div<T: Integer>(x: T, y: T) -> T {
    x.over(y)
}

/// `x % y`, 0 for the divisor 0.
#[inline(always)]
#[must_use]
pub fn rem<T: Integer>(x: T, y: T) -> T {
    x.modulo(y)
}

/// The remainder that is not negative; for integers, 0 for the divisor 0.
#[inline(always)]
#[must_use]
pub fn rem_euclid<T: Number>(x: T, y: T) -> T {
    x.remainder(y)
}

/// The quotient that belongs to [`rem_euclid`]; for integers, 0 for the divisor 0, and wrapped around.
#[inline(always)]
#[must_use]
pub fn div_euclid<T: Number>(x: T, y: T) -> T {
    x.quotient(y)
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Float for $ty {}

        impl Number for $ty {
            // Which of two zeros Rust gives is open. Both ways are computed without branches.
            #[inline(always)]
            fn least(self, other: $ty) -> $ty {
                if self == other { $ty::from_bits(self.to_bits() | other.to_bits()) } else { self.min(other) }
            }

            #[inline(always)]
            fn greatest(self, other: $ty) -> $ty {
                if self == other { $ty::from_bits(self.to_bits() & other.to_bits()) } else { self.max(other) }
            }

            #[inline(always)]
            fn remainder(self, divisor: $ty) -> $ty {
                self.rem_euclid(divisor)
            }

            #[inline(always)]
            fn quotient(self, divisor: $ty) -> $ty {
                self.div_euclid(divisor)
            }
        }
    )*};
}

floats!(f32 f64);

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn least(self, other: $ty) -> $ty {
                Ord::min(self, other)
            }

            #[inline(always)]
            fn greatest(self, other: $ty) -> $ty {
                Ord::max(self, other)
            }

            #[inline(always)]
            fn remainder(self, divisor: $ty) -> $ty {
                if divisor == 0 { 0 } else { self.wrapping_rem_euclid(divisor) }
            }

            #[inline(always)]
            fn quotient(self, divisor: $ty) -> $ty {
                if divisor == 0 { 0 } else { self.wrapping_div_euclid(divisor) }
            }
        }

        impl Integer for $ty {
            #[inline(always)]
            fn over(self, divisor: $ty) -> $ty {
                if divisor == 0 { 0 } else { self.wrapping_div(divisor) }
            }

            #[inline(always)]
            fn modulo(self, divisor: $ty) -> $ty {
                if divisor == 0 { 0 } else { self.wrapping_rem(divisor) }
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
