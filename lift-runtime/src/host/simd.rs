//! Vectors of a known number of lanes: arrays, whose operations are loops over the lanes. Inside of functions that are compiled for wide
//! registers, these loops become instructions on vectors.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Sub};

use super::math::{self, Number};
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
        if !Self::lies(elements.len(), index) {
            outside(index, elements.len());
        }
        let index = opaque(index);
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
        // A loop, since a function of the standard library might not be inlined, and by index: what iterators of arrays are made of takes rustc two to
        // four times as long.
        let mut lanes = [f(self.0[0]); L];
        let mut i = 0;
        while i < L {
            lanes[i] = f(self.0[i]);
            i += 1;
        }
        V(lanes)
    }

    /// The function of every lane of both.
    #[inline(always)]
    #[must_use]
    pub fn zip<U: Copy, R: Copy>(self, other: V<U, L>, f: impl Fn(T, U) -> R) -> V<R, L> {
        let mut lanes = [f(self.0[0], other.0[0]); L];
        let mut i = 0;
        while i < L {
            lanes[i] = f(self.0[i], other.0[i]);
            i += 1;
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

macro_rules! operators {
    ($($Trait:ident $op:ident ($T:ident: $($bound:tt)*) $function:path;)*) => {$(
        impl<$T: $($bound)*, const L: usize> $Trait for V<$T, L> {
            type Output = V<$T, L>;

            #[inline(always)]
            fn $op(self, other: V<$T, L>) -> V<$T, L> {
                self.zip(other, $function)
            }
        }
    )*};
}

// As the language means them: integers wrap around.
operators! {
    Add add (T: Number) math::add;
    Sub sub (T: Number) math::sub;
    Mul mul (T: Number) math::mul;
    Div div (T: Number) math::div;
    Rem rem (T: Number) math::rem;
    BitAnd bitand (T: Copy + BitAnd<Output = T>) T::bitand;
    BitOr bitor (T: Copy + BitOr<Output = T>) T::bitor;
    BitXor bitxor (T: Copy + BitXor<Output = T>) T::bitxor;
}

impl<T: Number, const L: usize> Neg for V<T, L> {
    type Output = V<T, L>;

    #[inline(always)]
    fn neg(self) -> V<T, L> {
        self.map(math::neg)
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
    /// Whether the mask is true in all lanes.
    #[inline(always)]
    #[must_use]
    pub fn all(self) -> bool {
        let mut all = true;
        for mask in self.0 {
            all &= mask;
        }
        all
    }

    /// In each lane, the value of `yes` where the mask is true, else that of `no`.
    #[inline(always)]
    #[must_use]
    pub fn select<T: Copy>(self, yes: V<T, L>, no: V<T, L>) -> V<T, L> {
        let mut lanes = no.0;
        let mut i = 0;
        while i < L {
            lanes[i] = if self.0[i] { yes.0[i] } else { no.0[i] };
            i += 1;
        }
        V(lanes)
    }
}

macro_rules! functions {
    ($($f:ident)*) => {
        impl<T: Number, const L: usize> V<T, L> {$(
            /// The function of that name in [`math`], lane by lane.
            #[inline(always)]
            #[must_use]
            pub fn $f(self, other: V<T, L>) -> V<T, L> {
                self.zip(other, math::$f)
            }
        )*}
    };
}

functions!(min max rem_euclid div_euclid);

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
                let mut i = 0;
                while i < L {
                    lanes[i] = self.0[i].mul_add(factor.0[i], other.0[i]);
                    i += 1;
                }
                V(lanes)
            }
        }
    )*};
}

floats!(f32 f64);

macro_rules! integers {
    ($($ty:ident)*) => {$(
        methods! { $ty: ; wrapping_add wrapping_sub wrapping_mul saturating_add saturating_sub }

        shifts!($ty: wrapping_shl wrapping_shr rotate_left rotate_right);
    )*};
}

macro_rules! shifts {
    ($ty:ident: $($f:ident)*) => {
        impl<const L: usize> V<$ty, L> {$(
            /// Rust's method of that name, lane by lane.
            #[inline(always)]
            #[must_use]
            pub fn $f(self, count: V<u32, L>) -> V<$ty, L> {
                self.zip(count, $ty::$f)
            }
        )*}
    };
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn lanes_are_elements() {
        let xs: Vec<f32> = (0..10).map(|x| x as f32).collect();
        let x = V::<f32, 4>::load(&xs, 6);
        assert_eq!(x.0, [6.0, 7.0, 8.0, 9.0]);
        assert_eq!(x.lane(2), 8.0);
        let mut ys = xs.clone();
        (x * V::splat(2.0) - x / V::splat(2.0) + -x).store(&mut ys, 1);
        assert_eq!(ys[..6], [0.0, 3.0, 3.5, 4.0, 4.5, 5.0]);
        assert_eq!(x.mul_add(x, V::splat(1.0)).0, [37.0, 50.0, 65.0, 82.0]);
        assert_eq!(x.sqrt().floor().0, [2.0, 2.0, 2.0, 3.0]);
        let odd = V([1, 2, 3, 4]) & V::splat(1);
        let mask = odd.eq(V::splat(1)) & !x.ge(V::splat(8.0));
        assert_eq!(mask.0, [true, false, false, false]);
        assert_eq!(mask.select(x, V::splat(0.0)).0, [6.0, 0.0, 0.0, 0.0]);
        assert!(!mask.all() && (mask | !mask).all());
        assert_eq!(x.clamp(V::splat(7.0), V::splat(8.0)).0, [7.0, 7.0, 8.0, 8.0]);
        assert_eq!(V([-0.0, 1.0]).max(V([0.0, f64::NAN])).0, [0.0, 1.0]);
        assert_eq!(((V([250_u8, 6]) + V([10, 1])) / V([2, 0])).0, [2, 0]);
        assert_eq!(V([1_i8, -2]).wrapping_shl(V([9, 7])).0, [2, 0]);
        assert_eq!(V([1.5_f32, -2.5]).map(|x| x as i32).0, [1, -2]);
    }

    #[test]
    fn vectors_lie_within_arrays() {
        for (len, index, lies) in
            [(4, 0, true), (4, 1, false), (4, -1, false), (3, 0, false), (9, 5, true), (0, 0, false)]
                .into_iter()
                .chain([(9, isize::MIN, false), (9, isize::MAX, false), (9, 6, false)])
        {
            let load = || V::<u8, 4>::load(&vec![0; len], index);
            let store = || V::<u8, 4>::splat(1).store(&mut vec![0; len], index);
            assert_eq!(
                (catch_unwind(load).is_ok(), catch_unwind(store).is_ok()),
                (lies, lies),
                "{index} in {len}"
            );
        }
    }
}
