//! Operations of the language that mean something else than those of Rust, or that Rust leaves open. What is not here, such as
//! `sqrt` or `wrapping_shl`, is Rust's method of that name.

use std::hint::select_unpredictable;

macro_rules! numbers {
    ($($name:ident $function:ident ($($operand:ident)*) $doc:literal;)*) => {
        /// A type of numbers, with the operations that [its functions](self) are.
        pub trait Number: Copy + PartialOrd {
            $(
                #[doc = $doc]
                #[must_use]
                fn $name(self $(, $operand: Self)*) -> Self;
            )*
        }

        $(
            #[doc = $doc]
            #[inline(always)]
            #[must_use]
            pub fn $function<T: Number>(x: T $(, $operand: T)*) -> T {
                x.$name($($operand),*)
            }
        )*
    };
}

numbers! {
    negated neg () "The number with the other sign; integers wrap around.";
    plus add (y) "The sum; integers wrap around.";
    minus sub (y) "The difference; integers wrap around.";
    times mul (y) "The product; integers wrap around.";
    over div (y) "The quotient; of integers, 0 for the divisor 0, and wrapped around.";
    modulo rem (y) "The remainder; of integers, 0 for the divisor 0.";
    remainder rem_euclid (y) "The remainder that is not negative; of integers, 0 for the divisor 0.";
    quotient div_euclid (y)
        "The quotient that belongs to [`rem_euclid`]; of integers, 0 for the divisor 0, and wrapped around.";
    least min (y) "The smaller number. Of a NaN and a number it is the number, and -0.0 is less than 0.0.";
    greatest max (y) "The greater number. Of a NaN and a number it is the number, and -0.0 is less than 0.0.";
}

/// `x`, but not less than `low` and not more than `high`. A NaN stays one, and of crossed limits the upper one wins.
#[inline(always)]
#[must_use]
pub fn clamp<T: Number>(x: T, low: T, high: T) -> T {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

macro_rules! number {
    ($ty:ident: $($name:ident ($x:ident $($y:ident)?) $value:expr;)*) => {
        impl Number for $ty {
            $(
                #[inline(always)]
                fn $name(self $(, $y: $ty)?) -> $ty {
                    let $x = self;
                    $value
                }
            )*
        }
    };
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        number! { $ty:
            negated (x) -x;
            plus (x y) x + y;
            minus (x y) x - y;
            times (x y) x * y;
            over (x y) x / y;
            modulo (x y) x % y;
            remainder (x y) x.rem_euclid(y);
            quotient (x y) x.div_euclid(y);
            // Which of two zeros Rust gives is open. This has no branches: both are computed, and one is selected.
            least (x y) select_unpredictable(x == y, $ty::from_bits(x.to_bits() | y.to_bits()), x.min(y));
            greatest (x y) select_unpredictable(x == y, $ty::from_bits(x.to_bits() & y.to_bits()), x.max(y));
        }
    )*};
}

floats!(f32 f64);

macro_rules! integers {
    ($($ty:ident)*) => {$(
        number! { $ty:
            negated (x) x.wrapping_neg();
            plus (x y) x.wrapping_add(y);
            minus (x y) x.wrapping_sub(y);
            times (x y) x.wrapping_mul(y);
            over (x y) if y == 0 { 0 } else { x.wrapping_div(y) };
            modulo (x y) if y == 0 { 0 } else { x.wrapping_rem(y) };
            remainder (x y) if y == 0 { 0 } else { x.wrapping_rem_euclid(y) };
            quotient (x y) if y == 0 { 0 } else { x.wrapping_div_euclid(y) };
            least (x y) Ord::min(x, y);
            greatest (x y) Ord::max(x, y);
        }
    )*};
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_have_an_order_and_nan_is_no_number() {
        let edges = [-1.0, -0.0, 0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE];
        for x in edges {
            for y in edges {
                let (least, greatest) = if x.total_cmp(&y).is_lt() { (x, y) } else { (y, x) };
                assert_eq!(min(x, y).to_bits(), least.to_bits(), "{x} {y}");
                assert_eq!(max(x, y).to_bits(), greatest.to_bits(), "{x} {y}");
            }
            for (x, y) in [(x, f32::NAN), (f32::NAN, x)] {
                assert_eq!(
                    (min(x, y).to_bits(), max(x, y).to_bits()),
                    (min(x, y).to_bits(), min(x, y).to_bits())
                );
                assert!(!min(x, y).is_nan());
            }
        }
        assert!(min(f64::NAN, f64::NAN).is_nan() && max(f64::NAN, f64::NAN).is_nan());
        assert!(clamp(f64::NAN, 0.0, 1.0).is_nan());
        assert_eq!((clamp(0.5, 1.0, 0.0), clamp(-0.5, 0.0, 1.0), clamp(7, 1, 5)), (0.0, 0.0, 5));
        assert_eq!((min(3, -2), max(3_u8, 200)), (-2, 200));
    }

    #[test]
    fn divisions_are_total() {
        for (x, y, all) in [
            (7, 2, (3, 1, 3, 1)),
            (-7, 2, (-3, -1, -4, 1)),
            (7, -2, (-3, 1, -3, 1)),
            (-7, -2, (3, -1, 4, 1)),
            (7, 0, (0, 0, 0, 0)),
            (i32::MIN, -1, (i32::MIN, 0, i32::MIN, 0)),
            (i32::MIN, 0, (0, 0, 0, 0)),
            (i32::MAX, -1, (-i32::MAX, 0, -i32::MAX, 0)),
        ] {
            assert_eq!((div(x, y), rem(x, y), div_euclid(x, y), rem_euclid(x, y)), all, "{x} {y}");
        }
        assert_eq!((div(i8::MIN, -1), rem(i8::MIN, -1)), (i8::MIN, 0));
        assert_eq!((div(200_u8, 3), rem(200_u8, 3), div(200_u8, 0), rem_euclid(200_u8, 0)), (66, 2, 0, 0));
        assert_eq!(
            (add(i32::MAX, 1), sub(0_u8, 1), mul(1 << 20, 1 << 12), neg(i8::MIN)),
            (i32::MIN, 255, 0, i8::MIN)
        );
        assert_eq!((div(1.0, 0.0), rem(-7.5, 2.0)), (f64::INFINITY, -1.5));
        assert_eq!((div_euclid(-7.5, 2.0), rem_euclid(-7.5, 2.0)), (-4.0, 0.5));
        assert_eq!((div_euclid(7.5, -2.0), rem_euclid(7.5_f32, -2.0)), (-3.0, 1.5));
        assert!(rem_euclid(1.0_f64, 0.0).is_nan() && rem_euclid(f32::INFINITY, 2.0).is_nan());
    }
}
