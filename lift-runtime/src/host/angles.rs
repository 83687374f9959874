//! Sines, cosines and tangents without branches and calls, for all floats.
//!
//! An angle in quarter turns is `x` times 2/π. Of large floats, the first bits of 2/π only make up whole turns, and are left out (Payne and Hanek, 1983). The
//! product is exact but for its last bits. Errors are below 2 units in the last place, of tangents below 4; OpenCL allows 4 and 5.

use std::f64::consts::FRAC_PI_2;

/// 2/π after two bits of 0: 64 bits each.
const TWO_OVER_PI: [u64; 4] =
    [0x28be_60db_9391_054a, 0x7f09_d5f4_7d4d_3770, 0x36d8_a566_4f10_e410, 0x7f94_58ea_f7ae_f158];

/// What a float is multiplied with, by its exponent: from 2^24 on, the bits of 2/π that a float turns into multiples of four are missing. Two numbers, of which
/// the first has so few bits that the product is exact.
#[inline(always)]
fn factors(skipped: u32) -> (f64, f64) {
    let [w0, w1, w2, w3] = TWO_OVER_PI;
    let [a, b, c] = if skipped < 64 { [w0, w1, w2] } else { [w1, w2, w3] };
    let shift = u64::from(skipped & 63);
    let two = |a: u64, b: u64| a << shift | b >> 1 >> (63 - shift);
    let (a, b) = (two(a, b), two(b, c));
    let number =
        |bits: u64, exponent: i64| f64::from_bits(bits | power(exponent).to_bits()) - power(exponent);
    (number(a >> 35, 25), number((a << 29 | b >> 35) >> 12, -27))
}

/// A power of two.
const fn power(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Added to a number and taken away again, it leaves the nearest whole number, which stands in the last bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// The angle from the nearest quarter turn on, in radians, and the number of that quarter.
#[inline(always)]
fn reduced(x: f32) -> (f32, u32) {
    let exponent = x.to_bits() >> 23 & 255;
    let skipped = exponent.max(150) - 150;
    let (high, low) = factors(skipped);
    let x = f64::from_bits(f64::from(x).to_bits().wrapping_sub(u64::from(skipped) << 52));
    let (high, low) = (x * high, x * low);
    let sum = high + low + ROUND;
    let quarters = sum - ROUND;
    (((high - quarters + low) * FRAC_PI_2) as f32, sum.to_bits() as u32)
}

/// The sine of a small angle.
#[inline(always)]
fn sine(x: f32) -> f32 {
    let z = x * x;
    let y = ((-1.951_529_6e-4 * z + 8.332_161e-3) * z - 1.666_665_5e-1) * z * x + x;
    // A zero keeps its sign.
    if x == 0.0 { x } else { y }
}

/// The cosine of a small angle.
#[inline(always)]
fn cosine(x: f32) -> f32 {
    let z = x * x;
    ((2.443_315_7e-5 * z - 1.388_731_6e-3) * z + 4.166_664_6e-2) * z * z - 0.5 * z + 1.0
}

/// The sine of an angle and so many quarter turns.
#[inline(always)]
fn turned(x: f32, quarters: u32) -> f32 {
    let y = if quarters & 1 == 0 { sine(x) } else { cosine(x) };
    f32::from_bits(y.to_bits() ^ (quarters & 2) << 30)
}

#[inline(always)]
pub(super) fn sin(x: f32) -> f32 {
    let (x, quarters) = reduced(x);
    turned(x, quarters)
}

#[inline(always)]
pub(super) fn cos(x: f32) -> f32 {
    let (x, quarters) = reduced(x);
    turned(x, quarters.wrapping_add(1))
}

#[inline(always)]
pub(super) fn tan(x: f32) -> f32 {
    let (x, quarters) = reduced(x);
    let (sine, cosine) = (sine(x), cosine(x));
    if quarters & 1 == 0 { sine / cosine } else { -cosine / sine }
}
