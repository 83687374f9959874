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
        for f in MathFn::ALL.into_iter().filter(|f| f.accepts(scalar) && *f != MathFn::Powi) {
            all.push((format!("{scalar} {}", f.name()), pairs(scalar, |a, b| function(f, scalar, a, b))));
        }
        for to in Scalar::ALL.into_iter().filter(|to| *to != Scalar::Bool) {
            all.push((format!("{scalar} as {to}"), pairs(scalar, |a, _| Expr::cast(to, a))));
        }
    }
    all.push(("i32 10".to_string(), pairs(Scalar::I32, |a, _| small(a))));
    all.push(("u8 mixed".to_string(), pairs(Scalar::U8, mixed)));
    all.push(("powi".to_string(), pairs(Scalar::F32, |a, _| math(MathFn::Powi, vec![a, i32(3)]))));
    all
}

fn i32(x: i32) -> Expr {
    Expr::literal(Literal::I32(x))
}

fn function(f: MathFn, scalar: Scalar, a: Expr, b: Expr) -> Expr {
    let three = match scalar {
        Scalar::F32 => f32(3.0),
        Scalar::I32 => i32(3),
        Scalar::U8 => Expr::literal(Literal::U8(3)),
        Scalar::Bool | Scalar::Usize => usize(3),
    };
    match f {
        MathFn::Clamp => math(f, vec![a, three.clone(), three]),
        _ => math(f, [a, b, three][..f.arity()].to_vec()),
    }
}

/// `a / 10 + (a as u8 as i32) * 3`, where only one sum can overflow.
fn small(a: Expr) -> Expr {
    let byte = Expr::cast(Scalar::I32, Expr::cast(Scalar::U8, a.clone()));
    add(Expr::binary(BinaryOp::Div, a, i32(10)), mul(byte, i32(3)))
}

/// `max(if a < b { a } else { 7 }, a + b) & !b`
fn mixed(a: Expr, b: Expr) -> Expr {
    let seven = Expr::literal(Literal::U8(7));
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
fn operations() {
    assert_snapshot!(stores(), @r"
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
    f32 min        out[i] = fmin(xs[i], ys[i]);
    f32 max        out[i] = fmax(xs[i], ys[i]);
    f32 clamp      out[i] = x < 3.0f ? 3.0f : x > 3.0f ? 3.0f : x;
    f32 sqrt       out[i] = sqrt(xs[i]);
    f32 exp        out[i] = exp(xs[i]);
    f32 exp2       out[i] = exp2(xs[i]);
    f32 ln         out[i] = log(xs[i]);
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
    f32 hypot      out[i] = hypot(xs[i], ys[i]);
    f32 powf       out[i] = pow(xs[i], ys[i]);
    f32 mul_add    out[i] = fma(xs[i], ys[i], 3.0f);
    f32 floor      out[i] = floor(xs[i]);
    f32 ceil       out[i] = ceil(xs[i]);
    f32 round      out[i] = round(xs[i]);
    f32 trunc      out[i] = trunc(xs[i]);
    f32 recip      out[i] = 1.0f / xs[i];
    f32 as f32     out[i] = xs[i];
    f32 as i32     out[i] = convert_int_sat(xs[i]);
    f32 as u8      out[i] = convert_uchar_sat(xs[i]);
    f32 as usize   out[i] = convert_ulong_sat(xs[i]);
    i32 +          out[i] = wrapping_add(xs[i], ys[i]);
    i32 -          out[i] = wrapping_sub(xs[i], ys[i]);
    i32 *          out[i] = wrapping_mul(xs[i], ys[i]);
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
    -i32           out[i] = wrapping_sub(0, xs[i]);
    !i32           out[i] = ~xs[i];
    i32 abs        out[i] = (int)abs(xs[i]);
    i32 min        out[i] = min(xs[i], ys[i]);
    i32 max        out[i] = max(xs[i], ys[i]);
    i32 clamp      out[i] = clamp(xs[i], 3, 3);
    i32 as f32     out[i] = (float)xs[i];
    i32 as i32     out[i] = xs[i];
    i32 as u8      out[i] = (uchar)xs[i];
    i32 as usize   out[i] = (ulong)xs[i];
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
    u8 as f32      out[i] = (float)xs[i];
    u8 as i32      out[i] = (int)xs[i];
    u8 as u8       out[i] = xs[i];
    u8 as usize    out[i] = (ulong)xs[i];
    bool ==        out[i] = xs[i] == ys[i];
    bool !=        out[i] = xs[i] != ys[i];
    bool &         out[i] = xs[i] & ys[i];
    bool |         out[i] = xs[i] | ys[i];
    bool ^         out[i] = xs[i] ^ ys[i];
    !bool          out[i] = !xs[i];
    bool as f32    out[i] = (float)xs[i];
    bool as i32    out[i] = (int)xs[i];
    bool as u8     out[i] = (uchar)xs[i];
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
    usize as f32   out[i] = (float)xs[i];
    usize as i32   out[i] = (int)xs[i];
    usize as u8    out[i] = (uchar)xs[i];
    usize as usize out[i] = xs[i];
    i32 10         out[i] = wrapping_add(p_0 / 10, (int)(uchar)p_0 * 3);
    u8 mixed       out[i] = max((uchar)(p_0 < p_1 ? p_0 : 7), (uchar)(p_0 + p_1)) & (uchar)~p_1;
    powi           out[i] = pown(xs[i], 3);
    ");
}

#[test]
fn helpers_are_printed_once() {
    let (kernel, variant) = pairs(Scalar::I32, |a, b| add(add(a.clone(), b.clone()), mul(a, b)));
    assert_snapshot!(code(&(kernel, variant)), @r"
    int wrapping_add(int a, int b) {
        return (int)((uint)a + (uint)b);
    }

    int wrapping_mul(int a, int b) {
        return (int)((uint)a * (uint)b);
    }

    kernel void pairs(
        global const int* restrict xs,
        global const int* restrict ys,
        global int* restrict out)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            const int p_0 = xs[i];
            const int p_1 = ys[i];
            out[i] = wrapping_add(wrapping_add(p_0, p_1), wrapping_mul(p_0, p_1));
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
