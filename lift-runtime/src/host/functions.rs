//! Elementary functions without branches and calls, so that loops that compute them become vectors. Those of `f32` are polynomials; exponential functions and logarithms have an
//! error below 2 units in the last place (OpenCL allows 3, for `tanh` 5). Products are rounded before they are added, so that results
//! are the same with all instructions. Those of `f64` are Rust's.

use std::f32::consts::{LN_2, LOG2_E};

use super::{angles, powers};

/// Added to a number and taken away again, it leaves the nearest whole number, which stands in the last bits of the sum.
const ROUND: f32 = 12_582_912.0;
/// `ln 2` as a number of few bits, whose products with exponents are exact, and the rest.
const LN_2_PARTS: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);
/// `log10 2`, `log10 e` and `log2 e - 1` alike.
const LOG10_2_PARTS: (f32, f32) = (0.300_781_25, 2.487_456_6e-4);
const LOG10_E_PARTS: (f32, f32) = (0.433_593_75, 7.007_319e-4);
const LOG2_E_REST: f32 = 0.442_695_04;
/// The square root of 1/2, and a factor that makes normal numbers of subnormal ones.
const ROOT: f32 = std::f32::consts::FRAC_1_SQRT_2;
const NORMAL: f32 = 33_554_432.0;

/// Elementary functions of floats.
pub trait Elementary: Copy {
    /// `e` to this power.
    #[must_use]
    fn exp(self) -> Self;
    /// 2 to this power.
    #[must_use]
    fn exp2(self) -> Self;
    /// The natural logarithm.
    #[must_use]
    fn ln(self) -> Self;
    /// The logarithm to the base 2.
    #[must_use]
    fn log2(self) -> Self;
    /// The logarithm to the base 10.
    #[must_use]
    fn log10(self) -> Self;
    /// The hyperbolic tangent.
    #[must_use]
    fn tanh(self) -> Self;
    /// The sine.
    #[must_use]
    fn sin(self) -> Self;
    /// The cosine.
    #[must_use]
    fn cos(self) -> Self;
    /// The tangent.
    #[must_use]
    fn tan(self) -> Self;
    /// The length of a vector with these components.
    #[must_use]
    fn hypot(self, other: Self) -> Self;
    /// The power with this exponent.
    #[must_use]
    fn powf(self, exponent: Self) -> Self;
}

macro_rules! functions {
    (one { $($name:ident $doc:literal;)* } two { $($two:ident $about:literal;)* }) => {
        $(
            #[doc = $about]
            #[inline(always)]
            #[must_use]
            pub fn $two<T: Elementary>(x: T, y: T) -> T {
                x.$two(y)
            }
        )*

        $(
            #[doc = $doc]
            #[inline(always)]
            #[must_use]
            pub fn $name<T: Elementary>(x: T) -> T {
                x.$name()
            }
        )*

        impl Elementary for f64 {
            $(
                #[inline(always)]
                fn $name(self) -> f64 {
                    f64::$name(self)
                }
            )*
            $(
                #[inline(always)]
                fn $two(self, other: f64) -> f64 {
                    f64::$two(self, other)
                }
            )*
        }
    };
}

functions! {
    one {
        exp "`e` to this power.";
        exp2 "2 to this power.";
        ln "The natural logarithm.";
        log2 "The logarithm to the base 2.";
        log10 "The logarithm to the base 10.";
        tanh "The hyperbolic tangent.";
        sin "The sine.";
        cos "The cosine.";
        tan "The tangent.";
    }
    two {
        hypot "The length of a vector with these components.";
        powf "The power of the first with the second as its exponent.";
    }
}

impl Elementary for f32 {
    #[inline(always)]
    fn exp(self) -> f32 {
        // Beyond these it is 0 or infinite anyway; a NaN stays one.
        let x = within(self, -104.0, 89.0);
        let (whole, bits) = rounded(x * LOG2_E);
        let rest = x - whole * LN_2_PARTS.0 - whole * LN_2_PARTS.1;
        let terms = [1.987_569_1e-4, 1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_6e-1, 0.5];
        scaled(polynomial(rest, terms) * rest * rest + rest + 1.0, bits)
    }

    #[inline(always)]
    fn exp2(self) -> f32 {
        let x = within(self, -151.0, 129.0);
        let (whole, bits) = rounded(x);
        let terms = [1.535_336_2e-4, 1.339_887_5e-3, 9.618_437e-3, 5.550_332_5e-2, 2.402_264_7e-1, LN_2];
        let rest = x - whole;
        scaled(polynomial(rest, terms) * rest + 1.0, bits)
    }

    #[inline(always)]
    fn ln(self) -> f32 {
        let Parts { exponent, x, correction } = Parts::of(self);
        let correction = correction + exponent * LN_2_PARTS.1 - 0.5 * (x * x);
        at_ends(self, x + correction + exponent * LN_2_PARTS.0)
    }

    #[inline(always)]
    fn log2(self) -> f32 {
        let Parts { exponent, x, correction } = Parts::of(self);
        let y = correction - 0.5 * (x * x);
        at_ends(self, y * LOG2_E_REST + x * LOG2_E_REST + y + x + exponent)
    }

    #[inline(always)]
    fn log10(self) -> f32 {
        let Parts { exponent, x, correction } = Parts::of(self);
        let y = correction - 0.5 * (x * x);
        let small = (x + y) * LOG10_E_PARTS.1 + exponent * LOG10_2_PARTS.1;
        at_ends(self, small + y * LOG10_E_PARTS.0 + x * LOG10_E_PARTS.0 + exponent * LOG10_2_PARTS.0)
    }

    #[inline(always)]
    fn tanh(self) -> f32 {
        let square = self * self;
        let terms = [-5.704_988_7e-3, 2.063_908_8e-2, -5.373_971_6e-2, 1.333_144_2e-1, -0.333_332_8];
        let near = polynomial(square, terms) * square * self + self;
        let far = 1.0 - 2.0 / (Elementary::exp(self.abs() * 2.0) + 1.0);
        if self.abs() < 0.625 { near } else { far.copysign(self) }
    }

    #[inline(always)]
    fn sin(self) -> f32 {
        angles::sin(self)
    }

    #[inline(always)]
    fn cos(self) -> f32 {
        angles::cos(self)
    }

    #[inline(always)]
    fn tan(self) -> f32 {
        angles::tan(self)
    }

    #[inline(always)]
    fn hypot(self, other: f32) -> f32 {
        powers::hypot(self, other)
    }

    #[inline(always)]
    fn powf(self, exponent: f32) -> f32 {
        powers::powf(self, exponent)
    }
}

/// The number within these limits, or a NaN.
#[inline(always)]
fn within(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// The nearest whole number, as a float and as an integer. Numbers are small.
#[inline(always)]
fn rounded(x: f32) -> (f32, i32) {
    let sum = x + ROUND;
    (sum - ROUND, sum.to_bits().wrapping_sub(ROUND.to_bits()).cast_signed())
}

/// `x` times 2 to the power of `exponent`, which may be a subnormal number, or infinite.
#[inline(always)]
fn scaled(x: f32, exponent: i32) -> f32 {
    let power = |exponent: i32| f32::from_bits(exponent.wrapping_add(127).cast_unsigned() << 23);
    let half = exponent >> 1;
    x * power(half) * power(exponent.wrapping_sub(half))
}

/// The terms of a polynomial, that of the highest power first.
#[inline(always)]
fn polynomial<const N: usize>(x: f32, terms: [f32; N]) -> f32 {
    let mut sum = terms[0];
    for term in &terms[1..] {
        sum = sum * x + term;
    }
    sum
}

/// A positive number as `(1 + x)` times 2 to the power of `exponent`, and `ln(1 + x) - x + x²/2`.
struct Parts {
    exponent: f32,
    x: f32,
    correction: f32,
}

impl Parts {
    #[inline(always)]
    fn of(x: f32) -> Parts {
        let is_small = x < f32::MIN_POSITIVE;
        let bits = (if is_small { x * NORMAL } else { x }).to_bits().cast_signed();
        // From the root of 1/2 on: exponents change there.
        let from_root = bits.wrapping_sub(ROOT.to_bits().cast_signed());
        let exponent = (from_root >> 23) - if is_small { 25 } else { 0 };
        let mantissa = bits.wrapping_sub(from_root & i32::MIN >> 8);
        let x = f32::from_bits(mantissa.cast_unsigned()) - 1.0;
        let terms = [
            7.037_683_6e-2,
            -1.151_461e-1,
            1.167_699_9e-1,
            -1.242_014_1e-1,
            1.424_932_3e-1,
            -1.666_805_7e-1,
            2.000_071_4e-1,
            -2.499_999_4e-1,
            3.333_333e-1,
        ];
        Parts { exponent: exponent as f32, x, correction: polynomial(x, terms) * x * (x * x) }
    }
}

/// A logarithm of `x` where `x` is a positive number; what it is elsewhere.
#[inline(always)]
fn at_ends(x: f32, logarithm: f32) -> f32 {
    let y = if x < f32::INFINITY { logarithm } else { x };
    let y = if x == 0.0 { f32::NEG_INFINITY } else { y };
    if x < 0.0 { f32::NAN } else { y }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error in units in the last place of the result.
    fn error(found: f32, exact: f64) -> f64 {
        let rounded = exact as f32;
        if found.is_nan() || rounded.is_nan() || rounded.is_infinite() || found.is_infinite() {
            let same = found.to_bits() == rounded.to_bits() || found.is_nan() && rounded.is_nan();
            return if same { 0.0 } else { f64::INFINITY };
        }
        let exponent = exact.abs().max(f32::MIN_POSITIVE.into()).log2().floor() as i32;
        (f64::from(found) - exact).abs() / 2_f64.powi(exponent - 23)
    }

    /// Compares with double precision over all floats, or as many of them as there is time for.
    fn worst(f: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64) -> (f64, f32) {
        worst_every(4_099, f, exact)
    }

    /// The same over one of so many floats.
    fn worst_every(step: u32, f: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64) -> (f64, f32) {
        let step = if cfg!(miri) { 16_777_213 } else { step };
        let edges = [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN];
        let near =
            [f32::MIN_POSITIVE, f32::from_bits(1), f32::from_bits(0x007f_ffff), 88.72284, -103.972, ROOT];
        let all = (0..u32::MAX / step).map(|i| f32::from_bits(i * step));
        let all = all.chain(edges).chain(near).chain((-1500..1500).map(|i| i as f32 / 10.0));
        let errors = all.map(|x| (error(f(x), exact(x.into())), x));
        errors.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are floats")
    }

    #[test]
    fn errors_are_below_two_units() {
        let all: [(&str, (f64, f32)); 8] = [
            ("exp", worst(exp, f64::exp)),
            ("exp2", worst(exp2, f64::exp2)),
            ("ln", worst(ln, f64::ln)),
            ("log2", worst(log2, f64::log2)),
            ("log10", worst(log10, f64::log10)),
            ("tanh", worst(tanh, f64::tanh)),
            ("sin", worst(sin, f64::sin)),
            ("cos", worst(cos, f64::cos)),
        ];
        for (name, (error, x)) in all {
            assert!(error < 2.0, "{name}: {error} at {x}");
        }
        let (error, x) = worst(tan, f64::tan);
        assert!(error < 4.0, "tan: {error} at {x}");
    }

    #[test]
    fn powers_and_lengths_are_rounded_as_exact_ones() {
        let others = [
            0.0,
            -0.0,
            0.4545,
            1.0,
            -1.0,
            2.0,
            3.0,
            -7.0,
            1e30,
            33_554_434.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        for y in others {
            let (error, x) = worst_every(524_287, |x| powf(x, y), |x| x.powf(y.into()));
            assert!(error < 0.51, "{x} to the power {y}: {error}");
            let (error, x) = worst_every(524_287, |x| powf(y, x), |x| f64::from(y).powf(x));
            assert!(error < 0.51, "{y} to the power {x}: {error}");
            let (error, x) = worst_every(524_287, |x| hypot(x, y), |x| x.hypot(y.into()));
            assert!(error < 0.51, "{x} and {y}: {error}");
        }
    }

    #[test]
    fn zeros_keep_their_signs() {
        for x in [0.0_f32, -0.0] {
            assert_eq!([sin(x), tan(x)].map(f32::to_bits), [x.to_bits(); 2]);
        }
    }
}
