//! Operations on scalars: their text gives what Rust gives.

use insta::assert_snapshot;

use super::build::*;
use super::code;
use crate::explore::Variant;
use crate::ir::{BinaryOp, Expr, Kernel, Literal, MathFn, Scalar, UnaryOp};

/// A kernel that applies `f` to pairs.
fn pairs(scalar: Scalar, f: impl FnOnce(Expr, Expr) -> Expr) -> (Kernel, Variant) {
    let mut b = Builder::new("Pairs");
    let len = b.size("N");
    let xs = b.param("xs", scalar, std::slice::from_ref(&len));
    let ys = b.param("ys", scalar, &[len]);
    b.variant(global(0, "p", zip(vec![xs, ys]), |p| f(Expr::field(p.clone(), 0), Expr::field(p, 1))))
}

const BINARY: [BinaryOp; 14] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
];

/// Every operation on every type that has it.
pub(super) fn all() -> Vec<(String, (Kernel, Variant))> {
    let mut all = Vec::new();
    for scalar in Scalar::ALL {
        for op in BINARY.into_iter().filter(|op| op.accepts(scalar)) {
            let name = format!("{scalar} {}", op.symbol());
            all.push((name, pairs(scalar, |a, b| Expr::binary(op, a, b))));
        }
        if scalar.is_signed() {
            all.push((format!("-{scalar}"), pairs(scalar, |a, _| Expr::unary(UnaryOp::Neg, a))));
        }
        if !scalar.is_float() {
            all.push((format!("!{scalar}"), pairs(scalar, |a, _| Expr::unary(UnaryOp::Not, a))));
        }
        for f in MathFn::ALL.into_iter().filter(|f| f.accepts(scalar)) {
            all.push((format!("{scalar} {}", f.name()), pairs(scalar, |a, b| function(f, scalar, a, b))));
        }
        for to in Scalar::ALL.into_iter().filter(|to| *to != Scalar::Bool) {
            all.push((format!("{scalar} as {to}"), pairs(scalar, |a, _| Expr::cast(to, a))));
        }
    }
    all.push(("i32 10".to_string(), pairs(Scalar::I32, |a, _| small(a))));
    all.push(("u8 mixed".to_string(), pairs(Scalar::U8, mixed)));
    all
}

fn i32(x: i32) -> Expr {
    Expr::literal(Literal::from(x))
}

fn function(f: MathFn, scalar: Scalar, a: Expr, b: Expr) -> Expr {
    let three = Expr::literal(Literal::number(3, scalar));
    let second = match f.fixed_operand(1) {
        Some(fixed) => Expr::literal(Literal::number(3, fixed)),
        None if f == MathFn::Clamp => three.clone(),
        None => b,
    };
    math(f, [a, second, three][..f.arity()].to_vec())
}

/// `a / 10 + (a as u8 as i32) * 3`, where only one sum can overflow.
fn small(a: Expr) -> Expr {
    let byte = Expr::cast(Scalar::I32, Expr::cast(Scalar::U8, a.clone()));
    add(Expr::binary(BinaryOp::Div, a, i32(10)), mul(byte, i32(3)))
}

/// `max(if a < b { a } else { 7 }, a + b) & !b`
fn mixed(a: Expr, b: Expr) -> Expr {
    let seven = Expr::literal(Literal::from(7u8));
    let less = Expr::if_(Expr::binary(BinaryOp::Lt, a.clone(), b.clone()), a.clone(), seven);
    let greatest = math(MathFn::Max, vec![less, add(a, b.clone())]);
    Expr::binary(BinaryOp::BitAnd, greatest, Expr::unary(UnaryOp::Not, b))
}

/// What is stored, for each operation; and the helpers of all of them.
fn stores() -> String {
    let mut lines = Vec::new();
    for (name, kernel) in all() {
        let text = code(&kernel);
        let stored = text.lines().find(|line| line.contains("out[i] =")).unwrap_or_default();
        lines.push(format!("{name:14} {}", stored.trim()));
    }
    lines.join("\n")
}

#[test]
#[expect(clippy::too_many_lines, reason = "a snapshot: one operation in each line")]
fn operations() {
    assert_snapshot!(stores(), @"
    f32 +          out[i] = xs[i] + ys[i];
    f32 -          out[i] = xs[i] - ys[i];
    f32 *          out[i] = xs[i] * ys[i];
    f32 /          out[i] = xs[i] / ys[i];
    f32 %          out[i] = fmod(xs[i], ys[i]);
    f32 <          out[i] = xs[i] < ys[i];
    f32 <=         out[i] = xs[i] <= ys[i];
    f32 >          out[i] = xs[i] > ys[i];
    f32 >=         out[i] = xs[i] >= ys[i];
    f32 ==         out[i] = xs[i] == ys[i];
    f32 !=         out[i] = xs[i] != ys[i];
    -f32           out[i] = -xs[i];
    f32 abs        out[i] = fabs(xs[i]);
    f32 signum     out[i] = signum_float(xs[i]);
    f32 min        out[i] = min_float(xs[i], ys[i]);
    f32 max        out[i] = max_float(xs[i], ys[i]);
    f32 clamp      out[i] = x < 3.0f ? 3.0f : x > 3.0f ? 3.0f : x;
    f32 rem_euclid out[i] = rem_euclid_float(xs[i], ys[i]);
    f32 div_euclid out[i] = div_euclid_float(xs[i], ys[i]);
    f32 sqrt       out[i] = sqrt(xs[i]);
    f32 cbrt       out[i] = cbrt(xs[i]);
    f32 exp        out[i] = exp(xs[i]);
    f32 exp2       out[i] = exp2(xs[i]);
    f32 exp_m1     out[i] = expm1(xs[i]);
    f32 ln         out[i] = log(xs[i]);
    f32 ln_1p      out[i] = log1p(xs[i]);
    f32 log2       out[i] = log2(xs[i]);
    f32 log10      out[i] = log10(xs[i]);
    f32 sin        out[i] = sin(xs[i]);
    f32 cos        out[i] = cos(xs[i]);
    f32 tan        out[i] = tan(xs[i]);
    f32 asin       out[i] = asin(xs[i]);
    f32 acos       out[i] = acos(xs[i]);
    f32 atan       out[i] = atan(xs[i]);
    f32 atan2      out[i] = atan2(xs[i], ys[i]);
    f32 sinh       out[i] = sinh(xs[i]);
    f32 cosh       out[i] = cosh(xs[i]);
    f32 tanh       out[i] = tanh(xs[i]);
    f32 asinh      out[i] = asinh(xs[i]);
    f32 acosh      out[i] = acosh(xs[i]);
    f32 atanh      out[i] = atanh(xs[i]);
    f32 hypot      out[i] = hypot(xs[i], ys[i]);
    f32 powf       out[i] = pow(xs[i], ys[i]);
    f32 powi       out[i] = pown(xs[i], 3);
    f32 mul_add    out[i] = fma(xs[i], ys[i], 3.0f);
    f32 floor      out[i] = floor(xs[i]);
    f32 ceil       out[i] = ceil(xs[i]);
    f32 round      out[i] = round(xs[i]);
    f32 trunc      out[i] = trunc(xs[i]);
    f32 fract      out[i] = fract_float(xs[i]);
    f32 recip      out[i] = 1.0f / xs[i];
    f32 copysign   out[i] = copysign(xs[i], ys[i]);
    f32 to_radians out[i] = xs[i] * 0.017453292f;
    f32 to_degrees out[i] = xs[i] * 57.29578f;
    f32 is_nan     out[i] = (bool)isnan(xs[i]);
    f32 is_finite  out[i] = (bool)isfinite(xs[i]);
    f32 is_infinite out[i] = (bool)isinf(xs[i]);
    f32 as f32     out[i] = xs[i];
    f32 as f64     out[i] = (double)xs[i];
    f32 as f16     out[i] = (half)xs[i];
    f32 as i8      out[i] = convert_char_sat(xs[i]);
    f32 as i16     out[i] = convert_short_sat(xs[i]);
    f32 as i32     out[i] = convert_int_sat(xs[i]);
    f32 as i64     out[i] = convert_long_sat(xs[i]);
    f32 as u8      out[i] = convert_uchar_sat(xs[i]);
    f32 as u16     out[i] = convert_ushort_sat(xs[i]);
    f32 as u32     out[i] = convert_uint_sat(xs[i]);
    f32 as u64     out[i] = convert_ulong_sat(xs[i]);
    f32 as usize   out[i] = convert_ulong_sat(xs[i]);
    f64 +          out[i] = xs[i] + ys[i];
    f64 -          out[i] = xs[i] - ys[i];
    f64 *          out[i] = xs[i] * ys[i];
    f64 /          out[i] = xs[i] / ys[i];
    f64 %          out[i] = fmod(xs[i], ys[i]);
    f64 <          out[i] = xs[i] < ys[i];
    f64 <=         out[i] = xs[i] <= ys[i];
    f64 >          out[i] = xs[i] > ys[i];
    f64 >=         out[i] = xs[i] >= ys[i];
    f64 ==         out[i] = xs[i] == ys[i];
    f64 !=         out[i] = xs[i] != ys[i];
    -f64           out[i] = -xs[i];
    f64 abs        out[i] = fabs(xs[i]);
    f64 signum     out[i] = signum_double(xs[i]);
    f64 min        out[i] = min_double(xs[i], ys[i]);
    f64 max        out[i] = max_double(xs[i], ys[i]);
    f64 clamp      out[i] = x < 3.0 ? 3.0 : x > 3.0 ? 3.0 : x;
    f64 rem_euclid out[i] = rem_euclid_double(xs[i], ys[i]);
    f64 div_euclid out[i] = div_euclid_double(xs[i], ys[i]);
    f64 sqrt       out[i] = sqrt(xs[i]);
    f64 cbrt       out[i] = cbrt(xs[i]);
    f64 exp        out[i] = exp(xs[i]);
    f64 exp2       out[i] = exp2(xs[i]);
    f64 exp_m1     out[i] = expm1(xs[i]);
    f64 ln         out[i] = log(xs[i]);
    f64 ln_1p      out[i] = log1p(xs[i]);
    f64 log2       out[i] = log2(xs[i]);
    f64 log10      out[i] = log10(xs[i]);
    f64 sin        out[i] = sin(xs[i]);
    f64 cos        out[i] = cos(xs[i]);
    f64 tan        out[i] = tan(xs[i]);
    f64 asin       out[i] = asin(xs[i]);
    f64 acos       out[i] = acos(xs[i]);
    f64 atan       out[i] = atan(xs[i]);
    f64 atan2      out[i] = atan2(xs[i], ys[i]);
    f64 sinh       out[i] = sinh(xs[i]);
    f64 cosh       out[i] = cosh(xs[i]);
    f64 tanh       out[i] = tanh(xs[i]);
    f64 asinh      out[i] = asinh(xs[i]);
    f64 acosh      out[i] = acosh(xs[i]);
    f64 atanh      out[i] = atanh(xs[i]);
    f64 hypot      out[i] = hypot(xs[i], ys[i]);
    f64 powf       out[i] = pow(xs[i], ys[i]);
    f64 powi       out[i] = pown(xs[i], 3);
    f64 mul_add    out[i] = fma(xs[i], ys[i], 3.0);
    f64 floor      out[i] = floor(xs[i]);
    f64 ceil       out[i] = ceil(xs[i]);
    f64 round      out[i] = round(xs[i]);
    f64 trunc      out[i] = trunc(xs[i]);
    f64 fract      out[i] = fract_double(xs[i]);
    f64 recip      out[i] = 1.0 / xs[i];
    f64 copysign   out[i] = copysign(xs[i], ys[i]);
    f64 to_radians out[i] = xs[i] * 0.017453292519943295;
    f64 to_degrees out[i] = xs[i] * 57.29577951308232;
    f64 is_nan     out[i] = (bool)isnan(xs[i]);
    f64 is_finite  out[i] = (bool)isfinite(xs[i]);
    f64 is_infinite out[i] = (bool)isinf(xs[i]);
    f64 as f32     out[i] = (float)xs[i];
    f64 as f64     out[i] = xs[i];
    f64 as f16     out[i] = (half)xs[i];
    f64 as i8      out[i] = convert_char_sat(xs[i]);
    f64 as i16     out[i] = convert_short_sat(xs[i]);
    f64 as i32     out[i] = convert_int_sat(xs[i]);
    f64 as i64     out[i] = convert_long_sat(xs[i]);
    f64 as u8      out[i] = convert_uchar_sat(xs[i]);
    f64 as u16     out[i] = convert_ushort_sat(xs[i]);
    f64 as u32     out[i] = convert_uint_sat(xs[i]);
    f64 as u64     out[i] = convert_ulong_sat(xs[i]);
    f64 as usize   out[i] = convert_ulong_sat(xs[i]);
    f16 +          out[i] = xs[i] + ys[i];
    f16 -          out[i] = xs[i] - ys[i];
    f16 *          out[i] = xs[i] * ys[i];
    f16 /          out[i] = xs[i] / ys[i];
    f16 %          out[i] = fmod(xs[i], ys[i]);
    f16 <          out[i] = xs[i] < ys[i];
    f16 <=         out[i] = xs[i] <= ys[i];
    f16 >          out[i] = xs[i] > ys[i];
    f16 >=         out[i] = xs[i] >= ys[i];
    f16 ==         out[i] = xs[i] == ys[i];
    f16 !=         out[i] = xs[i] != ys[i];
    -f16           out[i] = -xs[i];
    f16 abs        out[i] = fabs(xs[i]);
    f16 signum     out[i] = signum_half(xs[i]);
    f16 min        out[i] = min_half(xs[i], ys[i]);
    f16 max        out[i] = max_half(xs[i], ys[i]);
    f16 clamp      out[i] = x < 3.0h ? 3.0h : x > 3.0h ? 3.0h : x;
    f16 rem_euclid out[i] = rem_euclid_half(xs[i], ys[i]);
    f16 div_euclid out[i] = div_euclid_half(xs[i], ys[i]);
    f16 sqrt       out[i] = sqrt(xs[i]);
    f16 cbrt       out[i] = cbrt(xs[i]);
    f16 exp        out[i] = exp(xs[i]);
    f16 exp2       out[i] = exp2(xs[i]);
    f16 exp_m1     out[i] = expm1(xs[i]);
    f16 ln         out[i] = log(xs[i]);
    f16 ln_1p      out[i] = log1p(xs[i]);
    f16 log2       out[i] = log2(xs[i]);
    f16 log10      out[i] = log10(xs[i]);
    f16 sin        out[i] = sin(xs[i]);
    f16 cos        out[i] = cos(xs[i]);
    f16 tan        out[i] = tan(xs[i]);
    f16 asin       out[i] = asin(xs[i]);
    f16 acos       out[i] = acos(xs[i]);
    f16 atan       out[i] = atan(xs[i]);
    f16 atan2      out[i] = atan2(xs[i], ys[i]);
    f16 sinh       out[i] = sinh(xs[i]);
    f16 cosh       out[i] = cosh(xs[i]);
    f16 tanh       out[i] = tanh(xs[i]);
    f16 asinh      out[i] = asinh(xs[i]);
    f16 acosh      out[i] = acosh(xs[i]);
    f16 atanh      out[i] = atanh(xs[i]);
    f16 hypot      out[i] = hypot(xs[i], ys[i]);
    f16 powf       out[i] = pow(xs[i], ys[i]);
    f16 powi       out[i] = pown(xs[i], 3);
    f16 mul_add    out[i] = fma(xs[i], ys[i], 3.0h);
    f16 floor      out[i] = floor(xs[i]);
    f16 ceil       out[i] = ceil(xs[i]);
    f16 round      out[i] = round(xs[i]);
    f16 trunc      out[i] = trunc(xs[i]);
    f16 fract      out[i] = fract_half(xs[i]);
    f16 recip      out[i] = 1.0h / xs[i];
    f16 copysign   out[i] = copysign(xs[i], ys[i]);
    f16 to_radians out[i] = xs[i] * 0.017456055h;
    f16 to_degrees out[i] = xs[i] * 57.28125h;
    f16 is_nan     out[i] = (bool)isnan(xs[i]);
    f16 is_finite  out[i] = (bool)isfinite(xs[i]);
    f16 is_infinite out[i] = (bool)isinf(xs[i]);
    f16 as f32     out[i] = (float)xs[i];
    f16 as f64     out[i] = (double)xs[i];
    f16 as f16     out[i] = xs[i];
    f16 as i8      out[i] = convert_char_sat(xs[i]);
    f16 as i16     out[i] = convert_short_sat(xs[i]);
    f16 as i32     out[i] = convert_int_sat(xs[i]);
    f16 as i64     out[i] = convert_long_sat(xs[i]);
    f16 as u8      out[i] = convert_uchar_sat(xs[i]);
    f16 as u16     out[i] = convert_ushort_sat(xs[i]);
    f16 as u32     out[i] = convert_uint_sat(xs[i]);
    f16 as u64     out[i] = convert_ulong_sat(xs[i]);
    f16 as usize   out[i] = convert_ulong_sat(xs[i]);
    i8 +           out[i] = (char)(xs[i] + ys[i]);
    i8 -           out[i] = (char)(xs[i] - ys[i]);
    i8 *           out[i] = (char)(xs[i] * ys[i]);
    i8 /           out[i] = div_char(xs[i], ys[i]);
    i8 %           out[i] = rem_char(xs[i], ys[i]);
    i8 <           out[i] = xs[i] < ys[i];
    i8 <=          out[i] = xs[i] <= ys[i];
    i8 >           out[i] = xs[i] > ys[i];
    i8 >=          out[i] = xs[i] >= ys[i];
    i8 ==          out[i] = xs[i] == ys[i];
    i8 !=          out[i] = xs[i] != ys[i];
    i8 &           out[i] = xs[i] & ys[i];
    i8 |           out[i] = xs[i] | ys[i];
    i8 ^           out[i] = xs[i] ^ ys[i];
    -i8            out[i] = (char)-(xs[i]);
    !i8            out[i] = (char)~xs[i];
    i8 abs         out[i] = (char)abs(xs[i]);
    i8 signum      out[i] = signum_char(xs[i]);
    i8 min         out[i] = min(xs[i], ys[i]);
    i8 max         out[i] = max(xs[i], ys[i]);
    i8 clamp       out[i] = clamp(xs[i], (char)3, (char)3);
    i8 rem_euclid  out[i] = rem_euclid_char(xs[i], ys[i]);
    i8 div_euclid  out[i] = div_euclid_char(xs[i], ys[i]);
    i8 pow         out[i] = pow_char(xs[i], 3u);
    i8 abs_diff    out[i] = abs_diff(xs[i], ys[i]);
    i8 wrapping_add out[i] = (char)(xs[i] + ys[i]);
    i8 wrapping_sub out[i] = (char)(xs[i] - ys[i]);
    i8 wrapping_mul out[i] = (char)(xs[i] * ys[i]);
    i8 wrapping_shl out[i] = wrapping_shl_char(xs[i], 3u);
    i8 wrapping_shr out[i] = wrapping_shr_char(xs[i], 3u);
    i8 saturating_add out[i] = add_sat(xs[i], ys[i]);
    i8 saturating_sub out[i] = sub_sat(xs[i], ys[i]);
    i8 rotate_left out[i] = rotate_left_char(xs[i], 3u);
    i8 rotate_right out[i] = rotate_right_char(xs[i], 3u);
    i8 count_ones  out[i] = (uint)popcount(xs[i]);
    i8 leading_zeros out[i] = (uint)clz(xs[i]);
    i8 trailing_zeros out[i] = trailing_zeros_char(xs[i]);
    i8 as f32      out[i] = (float)xs[i];
    i8 as f64      out[i] = (double)xs[i];
    i8 as f16      out[i] = (half)xs[i];
    i8 as i8       out[i] = xs[i];
    i8 as i16      out[i] = (short)xs[i];
    i8 as i32      out[i] = (int)xs[i];
    i8 as i64      out[i] = (long)xs[i];
    i8 as u8       out[i] = (uchar)xs[i];
    i8 as u16      out[i] = (ushort)xs[i];
    i8 as u32      out[i] = (uint)xs[i];
    i8 as u64      out[i] = (ulong)xs[i];
    i8 as usize    out[i] = (ulong)xs[i];
    i16 +          out[i] = (short)(xs[i] + ys[i]);
    i16 -          out[i] = (short)(xs[i] - ys[i]);
    i16 *          out[i] = (short)(xs[i] * ys[i]);
    i16 /          out[i] = div_short(xs[i], ys[i]);
    i16 %          out[i] = rem_short(xs[i], ys[i]);
    i16 <          out[i] = xs[i] < ys[i];
    i16 <=         out[i] = xs[i] <= ys[i];
    i16 >          out[i] = xs[i] > ys[i];
    i16 >=         out[i] = xs[i] >= ys[i];
    i16 ==         out[i] = xs[i] == ys[i];
    i16 !=         out[i] = xs[i] != ys[i];
    i16 &          out[i] = xs[i] & ys[i];
    i16 |          out[i] = xs[i] | ys[i];
    i16 ^          out[i] = xs[i] ^ ys[i];
    -i16           out[i] = (short)-(xs[i]);
    !i16           out[i] = (short)~xs[i];
    i16 abs        out[i] = (short)abs(xs[i]);
    i16 signum     out[i] = signum_short(xs[i]);
    i16 min        out[i] = min(xs[i], ys[i]);
    i16 max        out[i] = max(xs[i], ys[i]);
    i16 clamp      out[i] = clamp(xs[i], (short)3, (short)3);
    i16 rem_euclid out[i] = rem_euclid_short(xs[i], ys[i]);
    i16 div_euclid out[i] = div_euclid_short(xs[i], ys[i]);
    i16 pow        out[i] = pow_short(xs[i], 3u);
    i16 abs_diff   out[i] = abs_diff(xs[i], ys[i]);
    i16 wrapping_add out[i] = (short)(xs[i] + ys[i]);
    i16 wrapping_sub out[i] = (short)(xs[i] - ys[i]);
    i16 wrapping_mul out[i] = (short)(xs[i] * ys[i]);
    i16 wrapping_shl out[i] = wrapping_shl_short(xs[i], 3u);
    i16 wrapping_shr out[i] = wrapping_shr_short(xs[i], 3u);
    i16 saturating_add out[i] = add_sat(xs[i], ys[i]);
    i16 saturating_sub out[i] = sub_sat(xs[i], ys[i]);
    i16 rotate_left out[i] = rotate_left_short(xs[i], 3u);
    i16 rotate_right out[i] = rotate_right_short(xs[i], 3u);
    i16 count_ones out[i] = (uint)popcount(xs[i]);
    i16 leading_zeros out[i] = (uint)clz(xs[i]);
    i16 trailing_zeros out[i] = trailing_zeros_short(xs[i]);
    i16 as f32     out[i] = (float)xs[i];
    i16 as f64     out[i] = (double)xs[i];
    i16 as f16     out[i] = (half)xs[i];
    i16 as i8      out[i] = (char)xs[i];
    i16 as i16     out[i] = xs[i];
    i16 as i32     out[i] = (int)xs[i];
    i16 as i64     out[i] = (long)xs[i];
    i16 as u8      out[i] = (uchar)xs[i];
    i16 as u16     out[i] = (ushort)xs[i];
    i16 as u32     out[i] = (uint)xs[i];
    i16 as u64     out[i] = (ulong)xs[i];
    i16 as usize   out[i] = (ulong)xs[i];
    i32 +          out[i] = wrapping_add_int(xs[i], ys[i]);
    i32 -          out[i] = wrapping_sub_int(xs[i], ys[i]);
    i32 *          out[i] = wrapping_mul_int(xs[i], ys[i]);
    i32 /          out[i] = div_int(xs[i], ys[i]);
    i32 %          out[i] = rem_int(xs[i], ys[i]);
    i32 <          out[i] = xs[i] < ys[i];
    i32 <=         out[i] = xs[i] <= ys[i];
    i32 >          out[i] = xs[i] > ys[i];
    i32 >=         out[i] = xs[i] >= ys[i];
    i32 ==         out[i] = xs[i] == ys[i];
    i32 !=         out[i] = xs[i] != ys[i];
    i32 &          out[i] = xs[i] & ys[i];
    i32 |          out[i] = xs[i] | ys[i];
    i32 ^          out[i] = xs[i] ^ ys[i];
    -i32           out[i] = wrapping_sub_int(0, xs[i]);
    !i32           out[i] = ~xs[i];
    i32 abs        out[i] = (int)abs(xs[i]);
    i32 signum     out[i] = signum_int(xs[i]);
    i32 min        out[i] = min(xs[i], ys[i]);
    i32 max        out[i] = max(xs[i], ys[i]);
    i32 clamp      out[i] = clamp(xs[i], 3, 3);
    i32 rem_euclid out[i] = rem_euclid_int(xs[i], ys[i]);
    i32 div_euclid out[i] = div_euclid_int(xs[i], ys[i]);
    i32 pow        out[i] = pow_int(xs[i], 3u);
    i32 abs_diff   out[i] = abs_diff(xs[i], ys[i]);
    i32 wrapping_add out[i] = wrapping_add_int(xs[i], ys[i]);
    i32 wrapping_sub out[i] = wrapping_sub_int(xs[i], ys[i]);
    i32 wrapping_mul out[i] = wrapping_mul_int(xs[i], ys[i]);
    i32 wrapping_shl out[i] = wrapping_shl_int(xs[i], 3u);
    i32 wrapping_shr out[i] = wrapping_shr_int(xs[i], 3u);
    i32 saturating_add out[i] = add_sat(xs[i], ys[i]);
    i32 saturating_sub out[i] = sub_sat(xs[i], ys[i]);
    i32 rotate_left out[i] = rotate_left_int(xs[i], 3u);
    i32 rotate_right out[i] = rotate_right_int(xs[i], 3u);
    i32 count_ones out[i] = (uint)popcount(xs[i]);
    i32 leading_zeros out[i] = (uint)clz(xs[i]);
    i32 trailing_zeros out[i] = trailing_zeros_int(xs[i]);
    i32 as f32     out[i] = (float)xs[i];
    i32 as f64     out[i] = (double)xs[i];
    i32 as f16     out[i] = (half)xs[i];
    i32 as i8      out[i] = (char)xs[i];
    i32 as i16     out[i] = (short)xs[i];
    i32 as i32     out[i] = xs[i];
    i32 as i64     out[i] = (long)xs[i];
    i32 as u8      out[i] = (uchar)xs[i];
    i32 as u16     out[i] = (ushort)xs[i];
    i32 as u32     out[i] = (uint)xs[i];
    i32 as u64     out[i] = (ulong)xs[i];
    i32 as usize   out[i] = (ulong)xs[i];
    i64 +          out[i] = wrapping_add_long(xs[i], ys[i]);
    i64 -          out[i] = wrapping_sub_long(xs[i], ys[i]);
    i64 *          out[i] = wrapping_mul_long(xs[i], ys[i]);
    i64 /          out[i] = div_long(xs[i], ys[i]);
    i64 %          out[i] = rem_long(xs[i], ys[i]);
    i64 <          out[i] = xs[i] < ys[i];
    i64 <=         out[i] = xs[i] <= ys[i];
    i64 >          out[i] = xs[i] > ys[i];
    i64 >=         out[i] = xs[i] >= ys[i];
    i64 ==         out[i] = xs[i] == ys[i];
    i64 !=         out[i] = xs[i] != ys[i];
    i64 &          out[i] = xs[i] & ys[i];
    i64 |          out[i] = xs[i] | ys[i];
    i64 ^          out[i] = xs[i] ^ ys[i];
    -i64           out[i] = wrapping_sub_long(0, xs[i]);
    !i64           out[i] = ~xs[i];
    i64 abs        out[i] = (long)abs(xs[i]);
    i64 signum     out[i] = signum_long(xs[i]);
    i64 min        out[i] = min(xs[i], ys[i]);
    i64 max        out[i] = max(xs[i], ys[i]);
    i64 clamp      out[i] = clamp(xs[i], 3L, 3L);
    i64 rem_euclid out[i] = rem_euclid_long(xs[i], ys[i]);
    i64 div_euclid out[i] = div_euclid_long(xs[i], ys[i]);
    i64 pow        out[i] = pow_long(xs[i], 3u);
    i64 abs_diff   out[i] = abs_diff(xs[i], ys[i]);
    i64 wrapping_add out[i] = wrapping_add_long(xs[i], ys[i]);
    i64 wrapping_sub out[i] = wrapping_sub_long(xs[i], ys[i]);
    i64 wrapping_mul out[i] = wrapping_mul_long(xs[i], ys[i]);
    i64 wrapping_shl out[i] = wrapping_shl_long(xs[i], 3u);
    i64 wrapping_shr out[i] = wrapping_shr_long(xs[i], 3u);
    i64 saturating_add out[i] = add_sat(xs[i], ys[i]);
    i64 saturating_sub out[i] = sub_sat(xs[i], ys[i]);
    i64 rotate_left out[i] = rotate_left_long(xs[i], 3u);
    i64 rotate_right out[i] = rotate_right_long(xs[i], 3u);
    i64 count_ones out[i] = (uint)popcount(xs[i]);
    i64 leading_zeros out[i] = (uint)clz(xs[i]);
    i64 trailing_zeros out[i] = trailing_zeros_long(xs[i]);
    i64 as f32     out[i] = (float)xs[i];
    i64 as f64     out[i] = (double)xs[i];
    i64 as f16     out[i] = (half)xs[i];
    i64 as i8      out[i] = (char)xs[i];
    i64 as i16     out[i] = (short)xs[i];
    i64 as i32     out[i] = (int)xs[i];
    i64 as i64     out[i] = xs[i];
    i64 as u8      out[i] = (uchar)xs[i];
    i64 as u16     out[i] = (ushort)xs[i];
    i64 as u32     out[i] = (uint)xs[i];
    i64 as u64     out[i] = (ulong)xs[i];
    i64 as usize   out[i] = (ulong)xs[i];
    u8 +           out[i] = (uchar)(xs[i] + ys[i]);
    u8 -           out[i] = (uchar)(xs[i] - ys[i]);
    u8 *           out[i] = (uchar)(xs[i] * ys[i]);
    u8 /           out[i] = div_uchar(xs[i], ys[i]);
    u8 %           out[i] = rem_uchar(xs[i], ys[i]);
    u8 <           out[i] = xs[i] < ys[i];
    u8 <=          out[i] = xs[i] <= ys[i];
    u8 >           out[i] = xs[i] > ys[i];
    u8 >=          out[i] = xs[i] >= ys[i];
    u8 ==          out[i] = xs[i] == ys[i];
    u8 !=          out[i] = xs[i] != ys[i];
    u8 &           out[i] = xs[i] & ys[i];
    u8 |           out[i] = xs[i] | ys[i];
    u8 ^           out[i] = xs[i] ^ ys[i];
    !u8            out[i] = (uchar)~xs[i];
    u8 min         out[i] = min(xs[i], ys[i]);
    u8 max         out[i] = max(xs[i], ys[i]);
    u8 clamp       out[i] = clamp(xs[i], (uchar)3, (uchar)3);
    u8 rem_euclid  out[i] = rem_euclid_uchar(xs[i], ys[i]);
    u8 div_euclid  out[i] = div_euclid_uchar(xs[i], ys[i]);
    u8 pow         out[i] = pow_uchar(xs[i], 3u);
    u8 abs_diff    out[i] = abs_diff(xs[i], ys[i]);
    u8 wrapping_add out[i] = (uchar)(xs[i] + ys[i]);
    u8 wrapping_sub out[i] = (uchar)(xs[i] - ys[i]);
    u8 wrapping_mul out[i] = (uchar)(xs[i] * ys[i]);
    u8 wrapping_shl out[i] = wrapping_shl_uchar(xs[i], 3u);
    u8 wrapping_shr out[i] = wrapping_shr_uchar(xs[i], 3u);
    u8 saturating_add out[i] = add_sat(xs[i], ys[i]);
    u8 saturating_sub out[i] = sub_sat(xs[i], ys[i]);
    u8 rotate_left out[i] = rotate_left_uchar(xs[i], 3u);
    u8 rotate_right out[i] = rotate_right_uchar(xs[i], 3u);
    u8 count_ones  out[i] = (uint)popcount(xs[i]);
    u8 leading_zeros out[i] = (uint)clz(xs[i]);
    u8 trailing_zeros out[i] = trailing_zeros_uchar(xs[i]);
    u8 as f32      out[i] = (float)xs[i];
    u8 as f64      out[i] = (double)xs[i];
    u8 as f16      out[i] = (half)xs[i];
    u8 as i8       out[i] = (char)xs[i];
    u8 as i16      out[i] = (short)xs[i];
    u8 as i32      out[i] = (int)xs[i];
    u8 as i64      out[i] = (long)xs[i];
    u8 as u8       out[i] = xs[i];
    u8 as u16      out[i] = (ushort)xs[i];
    u8 as u32      out[i] = (uint)xs[i];
    u8 as u64      out[i] = (ulong)xs[i];
    u8 as usize    out[i] = (ulong)xs[i];
    u16 +          out[i] = (ushort)(xs[i] + ys[i]);
    u16 -          out[i] = (ushort)(xs[i] - ys[i]);
    u16 *          out[i] = (ushort)((uint)xs[i] * (uint)ys[i]);
    u16 /          out[i] = div_ushort(xs[i], ys[i]);
    u16 %          out[i] = rem_ushort(xs[i], ys[i]);
    u16 <          out[i] = xs[i] < ys[i];
    u16 <=         out[i] = xs[i] <= ys[i];
    u16 >          out[i] = xs[i] > ys[i];
    u16 >=         out[i] = xs[i] >= ys[i];
    u16 ==         out[i] = xs[i] == ys[i];
    u16 !=         out[i] = xs[i] != ys[i];
    u16 &          out[i] = xs[i] & ys[i];
    u16 |          out[i] = xs[i] | ys[i];
    u16 ^          out[i] = xs[i] ^ ys[i];
    !u16           out[i] = (ushort)~xs[i];
    u16 min        out[i] = min(xs[i], ys[i]);
    u16 max        out[i] = max(xs[i], ys[i]);
    u16 clamp      out[i] = clamp(xs[i], (ushort)3, (ushort)3);
    u16 rem_euclid out[i] = rem_euclid_ushort(xs[i], ys[i]);
    u16 div_euclid out[i] = div_euclid_ushort(xs[i], ys[i]);
    u16 pow        out[i] = pow_ushort(xs[i], 3u);
    u16 abs_diff   out[i] = abs_diff(xs[i], ys[i]);
    u16 wrapping_add out[i] = (ushort)(xs[i] + ys[i]);
    u16 wrapping_sub out[i] = (ushort)(xs[i] - ys[i]);
    u16 wrapping_mul out[i] = (ushort)((uint)xs[i] * (uint)ys[i]);
    u16 wrapping_shl out[i] = wrapping_shl_ushort(xs[i], 3u);
    u16 wrapping_shr out[i] = wrapping_shr_ushort(xs[i], 3u);
    u16 saturating_add out[i] = add_sat(xs[i], ys[i]);
    u16 saturating_sub out[i] = sub_sat(xs[i], ys[i]);
    u16 rotate_left out[i] = rotate_left_ushort(xs[i], 3u);
    u16 rotate_right out[i] = rotate_right_ushort(xs[i], 3u);
    u16 count_ones out[i] = (uint)popcount(xs[i]);
    u16 leading_zeros out[i] = (uint)clz(xs[i]);
    u16 trailing_zeros out[i] = trailing_zeros_ushort(xs[i]);
    u16 as f32     out[i] = (float)xs[i];
    u16 as f64     out[i] = (double)xs[i];
    u16 as f16     out[i] = (half)xs[i];
    u16 as i8      out[i] = (char)xs[i];
    u16 as i16     out[i] = (short)xs[i];
    u16 as i32     out[i] = (int)xs[i];
    u16 as i64     out[i] = (long)xs[i];
    u16 as u8      out[i] = (uchar)xs[i];
    u16 as u16     out[i] = xs[i];
    u16 as u32     out[i] = (uint)xs[i];
    u16 as u64     out[i] = (ulong)xs[i];
    u16 as usize   out[i] = (ulong)xs[i];
    u32 +          out[i] = xs[i] + ys[i];
    u32 -          out[i] = xs[i] - ys[i];
    u32 *          out[i] = xs[i] * ys[i];
    u32 /          out[i] = div_uint(xs[i], ys[i]);
    u32 %          out[i] = rem_uint(xs[i], ys[i]);
    u32 <          out[i] = xs[i] < ys[i];
    u32 <=         out[i] = xs[i] <= ys[i];
    u32 >          out[i] = xs[i] > ys[i];
    u32 >=         out[i] = xs[i] >= ys[i];
    u32 ==         out[i] = xs[i] == ys[i];
    u32 !=         out[i] = xs[i] != ys[i];
    u32 &          out[i] = xs[i] & ys[i];
    u32 |          out[i] = xs[i] | ys[i];
    u32 ^          out[i] = xs[i] ^ ys[i];
    !u32           out[i] = ~xs[i];
    u32 min        out[i] = min(xs[i], ys[i]);
    u32 max        out[i] = max(xs[i], ys[i]);
    u32 clamp      out[i] = clamp(xs[i], 3u, 3u);
    u32 rem_euclid out[i] = rem_euclid_uint(xs[i], ys[i]);
    u32 div_euclid out[i] = div_euclid_uint(xs[i], ys[i]);
    u32 pow        out[i] = pow_uint(xs[i], 3u);
    u32 abs_diff   out[i] = abs_diff(xs[i], ys[i]);
    u32 wrapping_add out[i] = xs[i] + ys[i];
    u32 wrapping_sub out[i] = xs[i] - ys[i];
    u32 wrapping_mul out[i] = xs[i] * ys[i];
    u32 wrapping_shl out[i] = wrapping_shl_uint(xs[i], 3u);
    u32 wrapping_shr out[i] = wrapping_shr_uint(xs[i], 3u);
    u32 saturating_add out[i] = add_sat(xs[i], ys[i]);
    u32 saturating_sub out[i] = sub_sat(xs[i], ys[i]);
    u32 rotate_left out[i] = rotate_left_uint(xs[i], 3u);
    u32 rotate_right out[i] = rotate_right_uint(xs[i], 3u);
    u32 count_ones out[i] = (uint)popcount(xs[i]);
    u32 leading_zeros out[i] = (uint)clz(xs[i]);
    u32 trailing_zeros out[i] = trailing_zeros_uint(xs[i]);
    u32 as f32     out[i] = (float)xs[i];
    u32 as f64     out[i] = (double)xs[i];
    u32 as f16     out[i] = (half)xs[i];
    u32 as i8      out[i] = (char)xs[i];
    u32 as i16     out[i] = (short)xs[i];
    u32 as i32     out[i] = (int)xs[i];
    u32 as i64     out[i] = (long)xs[i];
    u32 as u8      out[i] = (uchar)xs[i];
    u32 as u16     out[i] = (ushort)xs[i];
    u32 as u32     out[i] = xs[i];
    u32 as u64     out[i] = (ulong)xs[i];
    u32 as usize   out[i] = (ulong)xs[i];
    u64 +          out[i] = xs[i] + ys[i];
    u64 -          out[i] = xs[i] - ys[i];
    u64 *          out[i] = xs[i] * ys[i];
    u64 /          out[i] = div_ulong(xs[i], ys[i]);
    u64 %          out[i] = rem_ulong(xs[i], ys[i]);
    u64 <          out[i] = xs[i] < ys[i];
    u64 <=         out[i] = xs[i] <= ys[i];
    u64 >          out[i] = xs[i] > ys[i];
    u64 >=         out[i] = xs[i] >= ys[i];
    u64 ==         out[i] = xs[i] == ys[i];
    u64 !=         out[i] = xs[i] != ys[i];
    u64 &          out[i] = xs[i] & ys[i];
    u64 |          out[i] = xs[i] | ys[i];
    u64 ^          out[i] = xs[i] ^ ys[i];
    !u64           out[i] = ~xs[i];
    u64 min        out[i] = min(xs[i], ys[i]);
    u64 max        out[i] = max(xs[i], ys[i]);
    u64 clamp      out[i] = clamp(xs[i], 3UL, 3UL);
    u64 rem_euclid out[i] = rem_euclid_ulong(xs[i], ys[i]);
    u64 div_euclid out[i] = div_euclid_ulong(xs[i], ys[i]);
    u64 pow        out[i] = pow_ulong(xs[i], 3u);
    u64 abs_diff   out[i] = abs_diff(xs[i], ys[i]);
    u64 wrapping_add out[i] = xs[i] + ys[i];
    u64 wrapping_sub out[i] = xs[i] - ys[i];
    u64 wrapping_mul out[i] = xs[i] * ys[i];
    u64 wrapping_shl out[i] = wrapping_shl_ulong(xs[i], 3u);
    u64 wrapping_shr out[i] = wrapping_shr_ulong(xs[i], 3u);
    u64 saturating_add out[i] = add_sat(xs[i], ys[i]);
    u64 saturating_sub out[i] = sub_sat(xs[i], ys[i]);
    u64 rotate_left out[i] = rotate_left_ulong(xs[i], 3u);
    u64 rotate_right out[i] = rotate_right_ulong(xs[i], 3u);
    u64 count_ones out[i] = (uint)popcount(xs[i]);
    u64 leading_zeros out[i] = (uint)clz(xs[i]);
    u64 trailing_zeros out[i] = trailing_zeros_ulong(xs[i]);
    u64 as f32     out[i] = (float)xs[i];
    u64 as f64     out[i] = (double)xs[i];
    u64 as f16     out[i] = (half)xs[i];
    u64 as i8      out[i] = (char)xs[i];
    u64 as i16     out[i] = (short)xs[i];
    u64 as i32     out[i] = (int)xs[i];
    u64 as i64     out[i] = (long)xs[i];
    u64 as u8      out[i] = (uchar)xs[i];
    u64 as u16     out[i] = (ushort)xs[i];
    u64 as u32     out[i] = (uint)xs[i];
    u64 as u64     out[i] = xs[i];
    u64 as usize   out[i] = (ulong)xs[i];
    bool ==        out[i] = xs[i] == ys[i];
    bool !=        out[i] = xs[i] != ys[i];
    bool &         out[i] = xs[i] & ys[i];
    bool |         out[i] = xs[i] | ys[i];
    bool ^         out[i] = xs[i] ^ ys[i];
    !bool          out[i] = !xs[i];
    bool as f32    out[i] = (float)xs[i];
    bool as f64    out[i] = (double)xs[i];
    bool as f16    out[i] = (half)xs[i];
    bool as i8     out[i] = (char)xs[i];
    bool as i16    out[i] = (short)xs[i];
    bool as i32    out[i] = (int)xs[i];
    bool as i64    out[i] = (long)xs[i];
    bool as u8     out[i] = (uchar)xs[i];
    bool as u16    out[i] = (ushort)xs[i];
    bool as u32    out[i] = (uint)xs[i];
    bool as u64    out[i] = (ulong)xs[i];
    bool as usize  out[i] = (ulong)xs[i];
    usize +        out[i] = xs[i] + ys[i];
    usize -        out[i] = xs[i] - ys[i];
    usize *        out[i] = xs[i] * ys[i];
    usize /        out[i] = div_ulong(xs[i], ys[i]);
    usize %        out[i] = rem_ulong(xs[i], ys[i]);
    usize <        out[i] = xs[i] < ys[i];
    usize <=       out[i] = xs[i] <= ys[i];
    usize >        out[i] = xs[i] > ys[i];
    usize >=       out[i] = xs[i] >= ys[i];
    usize ==       out[i] = xs[i] == ys[i];
    usize !=       out[i] = xs[i] != ys[i];
    usize &        out[i] = xs[i] & ys[i];
    usize |        out[i] = xs[i] | ys[i];
    usize ^        out[i] = xs[i] ^ ys[i];
    !usize         out[i] = ~xs[i];
    usize min      out[i] = min(xs[i], ys[i]);
    usize max      out[i] = max(xs[i], ys[i]);
    usize clamp    out[i] = clamp(xs[i], (ulong)3, (ulong)3);
    usize rem_euclid out[i] = rem_euclid_ulong(xs[i], ys[i]);
    usize div_euclid out[i] = div_euclid_ulong(xs[i], ys[i]);
    usize pow      out[i] = pow_ulong(xs[i], 3u);
    usize abs_diff out[i] = abs_diff(xs[i], ys[i]);
    usize wrapping_add out[i] = xs[i] + ys[i];
    usize wrapping_sub out[i] = xs[i] - ys[i];
    usize wrapping_mul out[i] = xs[i] * ys[i];
    usize wrapping_shl out[i] = wrapping_shl_ulong(xs[i], 3u);
    usize wrapping_shr out[i] = wrapping_shr_ulong(xs[i], 3u);
    usize saturating_add out[i] = add_sat(xs[i], ys[i]);
    usize saturating_sub out[i] = sub_sat(xs[i], ys[i]);
    usize rotate_left out[i] = rotate_left_ulong(xs[i], 3u);
    usize rotate_right out[i] = rotate_right_ulong(xs[i], 3u);
    usize count_ones out[i] = (uint)popcount(xs[i]);
    usize leading_zeros out[i] = (uint)clz(xs[i]);
    usize trailing_zeros out[i] = trailing_zeros_ulong(xs[i]);
    usize as f32   out[i] = (float)xs[i];
    usize as f64   out[i] = (double)xs[i];
    usize as f16   out[i] = (half)xs[i];
    usize as i8    out[i] = (char)xs[i];
    usize as i16   out[i] = (short)xs[i];
    usize as i32   out[i] = (int)xs[i];
    usize as i64   out[i] = (long)xs[i];
    usize as u8    out[i] = (uchar)xs[i];
    usize as u16   out[i] = (ushort)xs[i];
    usize as u32   out[i] = (uint)xs[i];
    usize as u64   out[i] = (ulong)xs[i];
    usize as usize out[i] = xs[i];
    i32 10         out[i] = wrapping_add_int(p_0 / 10, (int)(uchar)p_0 * 3);
    u8 mixed       out[i] = max((uchar)(p_0 < p_1 ? p_0 : 7), (uchar)(p_0 + p_1)) & (uchar)~p_1;
    ");
}

#[test]
fn helpers_are_printed_once() {
    let (kernel, variant) = pairs(Scalar::I32, |a, b| add(add(a.clone(), b.clone()), mul(a, b)));
    assert_snapshot!(code(&(kernel, variant)), @"
    int wrapping_add_int(int a, int b) {
        return (int)((uint)a + (uint)b);
    }

    int wrapping_mul_int(int a, int b) {
        return (int)((uint)a * (uint)b);
    }

    kernel void pairs(
        global const int* restrict xs,
        global const int* restrict ys,
        global int* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            const int p_0 = xs[i];
            const int p_1 = ys[i];
            out[i] = wrapping_add_int(wrapping_add_int(p_0, p_1), wrapping_mul_int(p_0, p_1));
        }
    }
    ");
}

#[test]
fn literals_read_back_as_they_were() {
    let literal = |x: f32| {
        let text = code(&pairs(Scalar::F32, |_, _| f32(x)));
        let store = text.lines().find_map(|line| line.trim().strip_prefix("out[i] = "));
        store.unwrap_or_default().to_string()
    };
    let values = [0.1, 1e-7, 1e20, -0.0, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    assert_snapshot!(values.map(literal).join(" "), @"0.1f; 1e-7f; 1e20f; -0.0f; 3.4028235e38f; INFINITY; -INFINITY; NAN;");
}
