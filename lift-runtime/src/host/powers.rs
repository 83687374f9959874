//! Powers and lengths without branches and calls, in double precision: results are rounded nearly always as exact ones are.

use std::f64::consts::LN_2;

/// Added to a number and taken away again, it leaves the nearest whole number, which stands in the last bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// The square root of 1/2.
const ROOT: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();

/// The length of a vector.
#[inline(always)]
pub(super) fn hypot(x: f32, y: f32) -> f32 {
    let (a, b) = (f64::from(x), f64::from(y));
    let length = (a * a + b * b).sqrt() as f32;
    if x.abs() == f32::INFINITY || y.abs() == f32::INFINITY { f32::INFINITY } else { length }
}

/// `x` to the power `y`, as IEEE 754 says it of zeros, infinities and NaN.
#[inline(always)]
pub(super) fn powf(x: f32, y: f32) -> f32 {
    let size = x.abs();
    let result = power(log2(size) * f64::from(y)) as f32;
    let result = if y == 0.0 || size == 1.0 { 1.0 } else { result };
    let result = if x.is_nan() && y != 0.0 || y.is_nan() && x != 1.0 { f32::NAN } else { result };
    // Whole numbers are even or odd; infinite ones are even.
    let is_odd = y == y.trunc() && 0.5 * y != (0.5 * y).trunc();
    let result = if is_odd { result.copysign(x) } else { result };
    if x < 0.0 && y != y.trunc() && size != f32::INFINITY { f32::NAN } else { result }
}

/// The logarithm of a number that is not negative.
#[inline(always)]
fn log2(x: f32) -> f64 {
    let bits = f64::from(x).to_bits();
    // From the root of 1/2 on: exponents change there.
    let exponent = (bits.wrapping_sub(ROOT) >> 32) as i32 >> 20;
    let m = f64::from_bits(bits.wrapping_sub((exponent as u64) << 52));
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let terms = [1.0 / 15.0, 1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0];
    let y = polynomial(z, terms) * s * (2.0 / LN_2) + f64::from(exponent);
    let y = if x == 0.0 { f64::NEG_INFINITY } else { y };
    if x == f32::INFINITY { f64::INFINITY } else { y }
}

/// 2 to a power, as far as floats of 32 bits go.
#[inline(always)]
fn power(x: f64) -> f64 {
    let x = if x < -200.0 { -200.0 } else { x };
    let x = if x > 200.0 { 200.0 } else { x };
    let sum = x + ROUND;
    let f = (x - (sum - ROUND)) * LN_2;
    let terms = [1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    polynomial(f, terms) * f64::from_bits(sum.to_bits().wrapping_add(1023) << 52)
}

#[inline(always)]
fn polynomial<const N: usize>(x: f64, terms: [f64; N]) -> f64 {
    let mut sum = terms[0];
    for term in &terms[1..] {
        sum = sum * x + term;
    }
    sum
}
