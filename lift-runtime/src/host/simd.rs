//! Vectors of a known number of lanes: arrays, whose operations are loops over the lanes. Inside of functions that are compiled for wide
//! registers, these loops become instructions on vectors.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use super::math::{self, Float, Integer, Number};
use super::shared::outside;

/// So many lanes.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct V<T, const L: usize>(pub [T; L]);

/// A truth value for each lane.
pub type Mask<const L: usize> = V<bool, L>;

impl<T: Copy, const L: usize> V<T, L> {
    /// The value in all lanes.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: T) -> V<T, L> {
        V([value; L])
    }

    /// The elements from `index` on.
    ///
    /// # Panics
    ///
    /// When there are not so many.
    #[inline(always)]
    #[must_use]
    pub fn load(elements: &[T], index: isize) -> V<T, L> {
        if !Self::lies(elements.len(), index) {
            outside(index, elements.len());
        }
        // SAFETY: there are so many elements from there on, and an array of elements lies wherever these may.
        unsafe { elements.as_ptr().offset(index).cast::<V<T, L>>().read() }
    }

    /// Writes the elements from `index` on.
    ///
    /// # Panics
    ///
    /// When there are not so many.
    #[inline(always)]
    pub fn store(self, elements: &mut [T], index: isize) {
        let index = opaque(index);
        if !Self::lies(elements.len(), index) {
            outside(index, elements.len());
        }
        // SAFETY: as for reading.
        unsafe { elements.as_mut_ptr().offset(index).cast::<V<T, L>>().write(self) }
    }

    /// Whether a vector lies in an array: one comparison, as a negative index is beyond every array without its sign.
    #[inline(always)]
    fn lies(len: usize, index: isize) -> bool {
        index.cast_unsigned() < (len + 1).saturating_sub(L)
    }

    /// The value in a lane.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    #[inline(always)]
    #[must_use]
    pub fn lane(self, lane: usize) -> T {
        self.0[lane]
    }

    /// The function of every lane.
    #[inline(always)]
    #[must_use]
    pub fn map<U: Copy>(self, f: impl Fn(T) -> U) -> V<U, L> {
        // A loop, since a function of the standard library might not be inlined.
        let mut lanes = [f(self.0[0]); L];
        for (lane, x) in lanes.iter_mut().zip(self.0) {
            *lane = f(x);
        }
        V(lanes)
    }

    /// The function of every lane of both.
    #[inline(always)]
    #[must_use]
    pub fn zip<U: Copy, R: Copy>(self, other: V<U, L>, f: impl Fn(T, U) -> R) -> V<R, L> {
        let mut lanes = [f(self.0[0], other.0[0]); L];
        for (lane, (x, y)) in lanes.iter_mut().zip(self.0.into_iter().zip(other.0)) {
            *lane = f(x, y);
        }
        V(lanes)
    }
}

/// The index. The compiler would compute 16 vectors at once, lane by lane, in loops of which it knows too much.
#[inline(always)]
fn opaque(index: isize) -> isize {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    let index = {
        let mut index = index;
        // SAFETY: there is no instruction.
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) index, options(pure, nomem, nostack, preserves_flags));
        }
        index
    };
    index
}

/// Operators lane by lane. Those of integers would panic where the language wraps around: these have methods.
macro_rules! operators {
    ($($Trait:ident $op:ident $Numbers:ident;)*) => {$(
        impl<T: $Numbers + $Trait<Output = T>, const L: usize> $Trait for V<T, L> {
            type Output = V<T, L>;

            #[inline(always)]
            fn $op(self, other: V<T, L>) -> V<T, L> {
                self.zip(other, |x, y| x.$op(y))
            }
        }
    )*};
}

operators! {
    Add add Float;
    Sub sub Float;
    Mul mul Float;
    Div div Float;
    BitAnd bitand Copy;
    BitOr bitor Copy;
    BitXor bitxor Copy;
}

impl<T: Float, const L: usize> Neg for V<T, L> {
    type Output = V<T, L>;

    #[inline(always)]
    fn neg(self) -> V<T, L> {
        self.map(|x| -x)
    }
}

impl<T: Copy + Not<Output = T>, const L: usize> Not for V<T, L> {
    type Output = V<T, L>;

    #[inline(always)]
    fn not(self) -> V<T, L> {
        self.map(|x| !x)
    }
}

macro_rules! comparisons {
    ($($op:ident)*) => {
        impl<T: Copy + PartialOrd, const L: usize> V<T, L> {$(
            /// The comparison of that name, lane by lane.
            #[inline(always)]
            #[must_use]
            pub fn $op(self, other: V<T, L>) -> Mask<L> {
                self.zip(other, |x, y| x.$op(&y))
            }
        )*}
    };
}

comparisons!(lt le gt ge eq ne);

impl<const L: usize> Mask<L> {
    /// In each lane, the value of `yes` where the mask is true, else that of `no`.
    #[inline(always)]
    #[must_use]
    pub fn select<T: Copy>(self, yes: V<T, L>, no: V<T, L>) -> V<T, L> {
        let mut lanes = no.0;
        for ((lane, yes), mask) in lanes.iter_mut().zip(yes.0).zip(self.0) {
            *lane = if mask { yes } else { *lane };
        }
        V(lanes)
    }
}

/// Functions of two operands, lane by lane.
macro_rules! functions {
    ($Numbers:ident: $($f:ident)*) => {
        impl<T: $Numbers, const L: usize> V<T, L> {$(
            /// The function of that name in [`math`], lane by lane.
            #[inline(always)]
            #[must_use]
            pub fn $f(self, other: V<T, L>) -> V<T, L> {
                self.zip(other, math::$f)
            }
        )*}
    };
}

functions!(Number: min max rem_euclid div_euclid);
functions!(Integer: div rem);

impl<T: Number, const L: usize> V<T, L> {
    /// [`math::clamp`], lane by lane.
    #[inline(always)]
    #[must_use]
    pub fn clamp(self, low: V<T, L>, high: V<T, L>) -> V<T, L> {
        let x = self.lt(low).select(low, self);
        x.gt(high).select(high, x)
    }
}

/// Methods of scalars of one and of two operands of their type, lane by lane.
macro_rules! methods {
    ($ty:ident: $($one:ident)*; $($two:ident)*) => {
        impl<const L: usize> V<$ty, L> {
            $(
                /// Rust's method of that name, lane by lane.
                #[inline(always)]
                #[must_use]
                pub fn $one(self) -> V<$ty, L> {
                    self.map($ty::$one)
                }
            )*
            $(
                /// Rust's method of that name, lane by lane.
                #[inline(always)]
                #[must_use]
                pub fn $two(self, other: V<$ty, L>) -> V<$ty, L> {
                    self.zip(other, $ty::$two)
                }
            )*
        }
    };
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        methods! {
            $ty: abs signum sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
                floor ceil round trunc fract recip to_radians to_degrees;
            atan2 hypot powf copysign
        }

        impl<const L: usize> V<$ty, L> {
            /// `self * factor + other`, rounded once.
            #[inline(always)]
            #[must_use]
            pub fn mul_add(self, factor: V<$ty, L>, other: V<$ty, L>) -> V<$ty, L> {
                let mut lanes = self.0;
                for ((lane, factor), other) in lanes.iter_mut().zip(factor.0).zip(other.0) {
                    *lane = lane.mul_add(factor, other);
                }
                V(lanes)
            }
        }
    )*};
}

floats!(f32 f64);

macro_rules! integers {
    ($($ty:ident)*) => {$(
        methods! {
            $ty: ;
            wrapping_add wrapping_sub wrapping_mul saturating_add saturating_sub
        }
    )*};
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
