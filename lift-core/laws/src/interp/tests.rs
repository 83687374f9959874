//! The equations, one by one.

use std::collections::BTreeMap;

use lift_core::arith::{ArithExpr, Var};
use lift_core::ir::build::fresh_id;
use lift_core::ir::{
    Arg, BinaryOp, Boundary, Expr, Fold, Kernel, KernelOptions, Lambda, Literal, MathFn, Memory, Order,
    Param, Place, Prim, Scalar, Type, UnaryOp,
};

use super::{Env, Outcome, Value, eval};

fn cst(n: usize) -> ArithExpr {
    ArithExpr::cst(n as i64)
}

fn int(n: i32) -> Expr {
    Expr::literal(Literal::from(n))
}

/// An array variable with these values.
struct Input {
    env: Env,
    expr: Expr,
}

fn input(data: &[i32], dims: &[usize]) -> Input {
    let lens: Vec<ArithExpr> = dims.iter().map(|n| cst(*n)).collect();
    let param = Param::new("xs", Type::from(Scalar::I32).with_shape(&lens));
    let mut env = Env::default();
    env.bind(&param, Value::from_flat(data, dims));
    Input { env, expr: Expr::param(&param) }
}

fn up_to(n: i32) -> Input {
    input(&(1..=n).collect::<Vec<_>>(), &[n as usize])
}

impl Input {
    fn eval(mut self, f: impl FnOnce(Expr) -> Expr) -> Outcome {
        eval(&f(self.expr), &mut self.env)
    }

    fn text(self, f: impl FnOnce(Expr) -> Expr) -> String {
        self.eval(f).map_or_else(|e| e, |v| v.to_string())
    }
}

fn sized(prim: Prim, sizes: &[usize], xs: Expr) -> Expr {
    let mut args: Vec<Arg> = sizes.iter().map(|n| Arg::Size(cst(*n))).collect();
    args.push(Arg::Data(xs));
    Expr::prim(prim, args)
}

fn minus_from_twice(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::Sub, Expr::binary(BinaryOp::Mul, int(2), a), b)
}

#[test]
fn every_form_of_map_is_map() {
    for place in
        [Place::View, Place::Global(1), Place::Group(1), Place::Local(1), Place::Sequential, Place::Warp]
    {
        let f = Lambda::unary("x", Scalar::I32.into(), |x| minus_from_twice(x, int(10)));
        let text = up_to(4).text(|xs| Expr::map_in(place, f, xs));
        assert_eq!(text, "[-8, -6, -4, -2]");
    }
}

#[test]
fn reductions_go_from_left_to_right() {
    for prim in [Prim::Reduce(Order::Any), Prim::Reduce(Order::Sequential)] {
        let (a, b) = (Param::new("a", Scalar::I32.into()), Param::new("b", Scalar::I32.into()));
        let body = minus_from_twice(Expr::param(&a), Expr::param(&b));
        let f = Lambda { params: vec![a, b], body };
        let text = up_to(3).text(|xs| Expr::prim(prim, vec![Arg::Fun(f), Arg::Data(int(5)), Arg::Data(xs)]));
        // 2 * (2 * (2 * 5 - 1) - 2) - 3
        assert_eq!(text, "29");
    }
}

#[test]
fn layout() {
    let matrix = || input(&[1, 2, 3, 4, 5, 6], &[2, 3]);
    assert_eq!(up_to(6).text(|xs| sized(Prim::Split, &[2], xs)), "[[1, 2], [3, 4], [5, 6]]");
    assert_eq!(up_to(6).text(|xs| sized(Prim::Split, &[4], xs)), "`split(4)` of 6 elements leaves a rest");
    assert_eq!(matrix().text(Expr::join), "[1, 2, 3, 4, 5, 6]");
    assert_eq!(matrix().text(Expr::transpose), "[[1, 4], [2, 5], [3, 6]]");
    assert_eq!(up_to(4).text(|xs| sized(Prim::Slide, &[2, 1], xs)), "[[1, 2], [2, 3], [3, 4]]");
    assert_eq!(up_to(7).text(|xs| sized(Prim::Slide, &[3, 2], xs)), "[[1, 2, 3], [3, 4, 5], [5, 6, 7]]");
    assert_eq!(up_to(5).text(|xs| sized(Prim::Slide, &[1, 4], xs)), "[[1], [5]]");
    assert_eq!(
        up_to(4).text(|xs| sized(Prim::Slide, &[3, 2], xs)),
        "`slide(3, 2)` of 4 elements does not come out"
    );
    assert_eq!(up_to(2).text(|xs| sized(Prim::Slide, &[3, 1], xs)), "[]");
    assert_eq!(up_to(1).text(|xs| sized(Prim::Slide, &[3, 1], xs)), "[]");
    assert_eq!(up_to(2).text(|xs| sized(Prim::Slide, &[3, 2], xs)), "[]");
    assert_eq!(up_to(3).text(|xs| sized(Prim::Take, &[2], xs)), "[1, 2]");
    assert_eq!(up_to(3).text(|xs| sized(Prim::Take, &[4], xs)), "`take(4)` of 3 elements");
    assert_eq!(up_to(3).text(|xs| sized(Prim::Drop, &[2], xs)), "[3]");
    assert_eq!(up_to(3).text(|xs| sized(Prim::Drop, &[4], xs)), "`drop(4)` of 3 elements");
    assert_eq!(matrix().text(|xs| sized(Prim::Store(Memory::Local), &[], xs)), "[[1, 2, 3], [4, 5, 6]]");
    let zipped = up_to(2)
        .text(|xs| Expr::prim(Prim::Zip, vec![Arg::Data(xs.clone()), Arg::Data(xs.clone()), Arg::Data(xs)]));
    assert_eq!(zipped, "[(1, 1, 1), (2, 2, 2)]");
    let uneven = up_to(3).text(|xs| {
        let fewer = Expr::take(cst(2), xs.clone());
        Expr::prim(Prim::Zip, vec![Arg::Data(xs), Arg::Data(fewer)])
    });
    assert_eq!(uneven, "`zip` of arrays of [3, 2] elements");
}

#[test]
fn indices() {
    let at = |i: u64| {
        let index = Arg::Data(Expr::literal(Literal::from(i as usize)));
        up_to(3).text(|xs| Expr::prim(Prim::At, vec![index, Arg::Data(xs)]))
    };
    assert_eq!(at(2), "3");
    assert_eq!(at(3), "index 3 of 3 elements");
    let n = Var::new(fresh_id(), "N");
    let f = Lambda::unary("i", Scalar::Usize.into(), |i| Expr::binary(BinaryOp::Mul, i.clone(), i));
    let squares = Expr::prim(Prim::Array, vec![Arg::Size(ArithExpr::var(&n)), Arg::Fun(f)]);
    let mut env = Env::new(&BTreeMap::from([(n, 4)]));
    assert_eq!(eval(&squares, &mut env).unwrap().to_string(), "[0, 1, 4, 9]");
    assert_eq!(eval(&squares, &mut Env::default()).unwrap_err(), "the size `N` is not known");
}

fn padded(n: i32, l: usize, r: usize, boundary: Boundary) -> String {
    up_to(n).text(|xs| Expr::pad(cst(l), cst(r), boundary, xs)).replace(", ", " ")
}

#[test]
fn boundaries() {
    assert_eq!(padded(3, 2, 2, Boundary::Fold(Fold::Clamp)), "[1 1 1 2 3 3 3]");
    assert_eq!(padded(3, 2, 2, Boundary::Fold(Fold::Mirror)), "[2 1 1 2 3 3 2]");
    assert_eq!(padded(3, 2, 2, Boundary::Fold(Fold::Reflect)), "[3 2 1 2 3 2 1]");
    assert_eq!(padded(3, 2, 2, Boundary::Fold(Fold::Wrap)), "[2 3 1 2 3 1 2]");
    assert_eq!(padded(3, 2, 1, Boundary::Constant(int(9))), "[9 9 1 2 3 9]");
    assert_eq!(padded(3, 0, 0, Boundary::Fold(Fold::Wrap)), "[1 2 3]");
}

#[test]
fn boundaries_wider_than_the_array() {
    assert_eq!(padded(2, 5, 5, Boundary::Fold(Fold::Clamp)), "[1 1 1 1 1 1 2 2 2 2 2 2]");
    assert_eq!(padded(2, 5, 5, Boundary::Fold(Fold::Mirror)), "[1 1 2 2 1 1 2 2 1 1 2 2]");
    assert_eq!(padded(2, 5, 5, Boundary::Fold(Fold::Reflect)), "[2 1 2 1 2 1 2 1 2 1 2 1]");
    assert_eq!(padded(3, 6, 5, Boundary::Fold(Fold::Reflect)), "[3 2 1 2 3 2 1 2 3 2 1 2 3 2]");
    assert_eq!(padded(2, 5, 5, Boundary::Fold(Fold::Wrap)), "[2 1 2 1 2 1 2 1 2 1 2 1]");
    assert_eq!(padded(2, 3, 3, Boundary::Constant(int(0))), "[0 0 0 1 2 0 0 0]");
}

#[test]
fn boundaries_of_one_element() {
    for boundary in [
        Boundary::Fold(Fold::Clamp),
        Boundary::Fold(Fold::Mirror),
        Boundary::Fold(Fold::Reflect),
        Boundary::Fold(Fold::Wrap),
    ] {
        assert_eq!(padded(1, 3, 2, boundary), "[1 1 1 1 1 1]");
    }
    assert_eq!(padded(1, 1, 2, Boundary::Constant(int(7))), "[7 1 7 7]");
}

#[test]
fn boundaries_of_rows_and_planes() {
    let rows =
        |boundary: Boundary| input(&[1, 2, 3, 4], &[2, 2]).text(|xs| Expr::pad(cst(1), cst(1), boundary, xs));
    assert_eq!(rows(Boundary::Fold(Fold::Mirror)), "[[1, 2], [1, 2], [3, 4], [3, 4]]");
    assert_eq!(rows(Boundary::Fold(Fold::Reflect)), "[[3, 4], [1, 2], [3, 4], [1, 2]]");
    assert_eq!(rows(Boundary::Constant(int(0))), "[[0, 0], [1, 2], [3, 4], [0, 0]]");
    let planes = input(&[1, 2], &[1, 2, 1]).text(|xs| {
        let constant = Boundary::Constant(int(8));
        Expr::pad(
            cst(1),
            cst(0),
            constant.clone(),
            Expr::map_with("plane", xs, |plane| {
                Expr::pad(
                    cst(0),
                    cst(1),
                    constant.clone(),
                    Expr::map_with("row", plane, |row| Expr::pad(cst(1), cst(1), constant, row)),
                )
            }),
        )
    });
    let filled = "[[8, 8, 8], [8, 8, 8], [8, 8, 8]]";
    assert_eq!(planes, format!("[{filled}, [[8, 1, 8], [8, 2, 8], [8, 8, 8]]]"));
}

fn scalar(e: Expr) -> String {
    eval(&e, &mut Env::default()).map_or_else(|e| e, |v| v.to_string())
}

#[test]
fn integers_never_panic() {
    let op = |op, a, b| scalar(Expr::binary(op, int(a), int(b)));
    assert_eq!(op(BinaryOp::Add, i32::MAX, 1), "-2147483648");
    assert_eq!(op(BinaryOp::Div, 7, 0), "0");
    assert_eq!(op(BinaryOp::Rem, 7, 0), "0");
    assert_eq!(op(BinaryOp::Div, i32::MIN, -1), "-2147483648");
    assert_eq!(op(BinaryOp::Rem, i32::MIN, -1), "0");
    assert_eq!(op(BinaryOp::Div, -7, 2), "-3");
    assert_eq!(op(BinaryOp::Rem, -7, 2), "-1");
    assert_eq!(scalar(Expr::unary(UnaryOp::Neg, int(i32::MIN))), "-2147483648");
    assert_eq!(scalar(Expr::math(MathFn::Abs, vec![int(i32::MIN)])), "-2147483648");
    assert_eq!(scalar(Expr::math(MathFn::Clamp, vec![int(7), int(5), int(3)])), "3");
    let byte = |x: u8| Expr::literal(Literal::from(x));
    assert_eq!(scalar(Expr::binary(BinaryOp::Sub, byte(1), byte(3))), "254");
    let size = |x: usize| Expr::literal(Literal::from(x));
    assert_eq!(scalar(Expr::binary(BinaryOp::Sub, size(0), size(1))), u64::MAX.to_string());
}

#[test]
fn casts_are_those_of_rust() {
    let f32 = |x: f32| Expr::literal(Literal::from(x));
    let cases = [(300.7, "255"), (-1.0, "0"), (f32::NAN, "0"), (2.9, "2")];
    for (x, expected) in cases {
        assert_eq!(scalar(Expr::cast(Scalar::U8, f32(x))), expected);
    }
    assert_eq!(scalar(Expr::cast(Scalar::I32, f32(1e20))), i32::MAX.to_string());
    assert_eq!(scalar(Expr::cast(Scalar::U8, int(-1))), "255");
    assert_eq!(scalar(Expr::cast(Scalar::F32, int(16_777_217))), "16777216.0");
    assert_eq!(scalar(Expr::cast(Scalar::I32, Expr::literal(Literal::Bool(true)))), "1");
}

#[test]
fn mathematical_functions() {
    for (f, own) in MathFn::ALL.into_iter().flat_map(|f| Scalar::ALL.map(|own| (f, own))) {
        let args = (0..f.arity()).map(|i| Expr::literal(Literal::number(3 - i as i32, f.operand(i, own))));
        let e = Expr::math(f, args.collect());
        assert_eq!(eval(&e, &mut Env::default()).is_ok(), f.accepts(own), "{} of {own}", f.name());
    }
    let x = |x: f32| Expr::literal(Literal::from(x));
    assert_eq!(scalar(Expr::math(MathFn::MulAdd, vec![x(2.0), x(3.0), x(0.5)])), "6.5");
    assert_eq!(scalar(Expr::math(MathFn::Round, vec![x(-2.5)])), "-3.0");
    assert_eq!(scalar(Expr::math(MathFn::Clamp, vec![x(0.5), x(1.0), x(2.0)])), "1.0");
    assert_eq!(scalar(Expr::math(MathFn::Clamp, vec![x(f32::NAN), x(1.0), x(2.0)])), "NaN");
    assert_eq!(scalar(Expr::math(MathFn::Min, vec![x(f32::NAN), x(1.0)])), "1.0");
}

#[test]
fn conditions_evaluate_what_they_choose() {
    let bad = || {
        Expr::prim(
            Prim::At,
            vec![
                Arg::Data(Expr::literal(Literal::from(9usize))),
                Arg::Data(Expr::array_literal(vec![int(1)])),
            ],
        )
    };
    let truth = |b| Expr::literal(Literal::Bool(b));
    assert_eq!(scalar(Expr::if_(truth(true), int(1), bad())), "1");
    assert_eq!(scalar(Expr::if_(truth(false), int(1), bad())), "index 9 of 1 elements");
    let is_bad = Expr::binary(BinaryOp::Eq, bad(), int(1));
    assert_eq!(scalar(Expr::binary(BinaryOp::And, truth(false), is_bad.clone())), "false");
    assert_eq!(scalar(Expr::binary(BinaryOp::Or, truth(true), is_bad)), "true");
}

#[test]
fn what_is_done_is_not_gone_on_with() {
    let until = |k: usize, limit: i32, start: i32| {
        let next = |s: Expr| {
            let i = Expr::cast(Scalar::Usize, s);
            let next = [1, 2, 9].map(int).to_vec();
            Expr::prim(Prim::At, vec![Arg::Data(i), Arg::Data(Expr::array_literal(next))])
        };
        let done = |s: Expr| Expr::binary(BinaryOp::Ge, s, int(limit));
        let args = vec![
            Arg::Data(Expr::literal(Literal::from(k))),
            Arg::Fun(Lambda::unary("s", Scalar::I32.into(), done)),
            Arg::Fun(Lambda::unary("s", Scalar::I32.into(), next)),
            Arg::Data(int(start)),
        ];
        scalar(Expr::prim(Prim::IterateUntil, args))
    };
    assert_eq!(until(5, 3, 0), "9");
    assert_eq!(until(2, 3, 0), "2");
    assert_eq!(until(0, 3, 0), "0");
    assert_eq!(until(5, 3, 7), "7");
    assert_eq!(until(5, 10, 0), "index 9 of 3 elements");
}

#[test]
fn variables_and_tuples() {
    let p = Param::new("p", Type::tuple(vec![Scalar::I32.into(), Scalar::Bool.into()]));
    let pair = Expr::tuple(vec![int(4), Expr::literal(Literal::Bool(true))]);
    let body = Expr::field(Expr::param(&p), 0);
    assert_eq!(scalar(Expr::let_(p.clone(), pair, body.clone())), "4");
    assert_eq!(scalar(body), "`p` has no value");
}

#[test]
fn kernels_check_their_inputs() {
    let n = Var::new(fresh_id(), "N");
    let x = Param::new("x", Type::array(Scalar::I32.into(), ArithExpr::var(&n)));
    let kernel = Kernel {
        name: "Twice".into(),
        sizes: vec![n.clone()],
        facts: lift_core::arith::Facts::new(),
        params: vec![x.clone()],
        body: Expr::map_with("x", Expr::param(&x), |x| Expr::binary(BinaryOp::Add, x.clone(), x)),
        outputs: vec![lift_core::ir::Output::Result],
        checks: Vec::new(),
        source: None,
        step: None,
        options: KernelOptions::default(),
        interface: None,
    };
    let run = |inputs: &[Value]| super::run(&kernel, &BTreeMap::from([(n.clone(), 2)]), inputs);
    assert_eq!(run(&[Value::from_flat(&[1, 2], &[2])]).unwrap().i32s(), [2, 4]);
    assert_eq!(run(&[Value::from_flat(&[1, 2, 3], &[3])]).unwrap_err(), "`x` is not a [i32; N]");
    assert_eq!(run(&[Value::from_flat(&[1.0, 2.0], &[2])]).unwrap_err(), "`x` is not a [i32; N]");
    assert_eq!(run(&[]).unwrap_err(), "`Twice` takes 1 inputs, not 0");
}

#[test]
fn values_and_flat_slices() {
    let value = Value::from_flat(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[3, 2]);
    assert_eq!(value.to_string(), "[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]");
    assert_eq!(value.dims(), [3, 2]);
    assert_eq!(value.f32s(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(Value::from_flat(&[7u8], &[]), Value::from(7u8));
    assert_eq!(Value::from(f32::NAN), Value::from(-f32::NAN));
    assert_ne!(Value::from(0.0f32), Value::from(-0.0f32));
}

/// All binary operators and methods of an integer type, compared with Rust's own.
macro_rules! integers_are_those_of_rust {
    ($($ty:ident)*) => {$(
        #[test]
        fn $ty() {
            let all = [$ty::MIN, $ty::MIN + 1, $ty::MAX, $ty::MAX - 1, $ty::MAX / 3, 0, 1, 2, 3, 5, 7, 100, !0, !6];
            for a in all {
                let literal = |x: $ty| Expr::literal(Literal::from(x));
                let count = |x: u32| Expr::literal(Literal::from(x));
                let unary = |f, expected: String| {
                    assert_eq!(scalar(Expr::math(f, vec![literal(a)])), expected, "{f:?} of {a}");
                };
                unary(MathFn::CountOnes, a.count_ones().to_string());
                unary(MathFn::LeadingZeros, a.leading_zeros().to_string());
                unary(MathFn::TrailingZeros, a.trailing_zeros().to_string());
                assert_eq!(scalar(Expr::unary(UnaryOp::Not, literal(a))), (!a).to_string());
                for n in [0, 1, 3, 7, 31, 63, 100] {
                    let counted = |f, expected: $ty| {
                        assert_eq!(scalar(Expr::math(f, vec![literal(a), count(n)])), expected.to_string(), "{f:?} of {a}, {n}");
                    };
                    counted(MathFn::WrappingShl, a.wrapping_shl(n));
                    counted(MathFn::WrappingShr, a.wrapping_shr(n));
                    counted(MathFn::RotateLeft, a.rotate_left(n));
                    counted(MathFn::RotateRight, a.rotate_right(n));
                    counted(MathFn::Pow, a.wrapping_pow(n));
                }
                for b in all {
                    let op = |op, expected: $ty| {
                        assert_eq!(scalar(Expr::binary(op, literal(a), literal(b))), expected.to_string(), "{a} {op:?} {b}");
                    };
                    op(BinaryOp::Add, a.wrapping_add(b));
                    op(BinaryOp::Sub, a.wrapping_sub(b));
                    op(BinaryOp::Mul, a.wrapping_mul(b));
                    op(BinaryOp::Div, if b == 0 { 0 } else { a.wrapping_div(b) });
                    op(BinaryOp::Rem, if b == 0 { 0 } else { a.wrapping_rem(b) });
                    op(BinaryOp::BitAnd, a & b);
                    op(BinaryOp::BitOr, a | b);
                    op(BinaryOp::BitXor, a ^ b);
                    let f = |f, expected: String| {
                        assert_eq!(scalar(Expr::math(f, vec![literal(a), literal(b)])), expected, "{f:?} of {a}, {b}");
                    };
                    f(MathFn::Min, a.min(b).to_string());
                    f(MathFn::Max, a.max(b).to_string());
                    f(MathFn::RemEuclid, if b == 0 { 0 } else { a.wrapping_rem_euclid(b) }.to_string());
                    f(MathFn::DivEuclid, if b == 0 { 0 } else { a.wrapping_div_euclid(b) }.to_string());
                    f(MathFn::AbsDiff, a.abs_diff(b).to_string());
                    f(MathFn::WrappingAdd, a.wrapping_add(b).to_string());
                    f(MathFn::WrappingSub, a.wrapping_sub(b).to_string());
                    f(MathFn::WrappingMul, a.wrapping_mul(b).to_string());
                    f(MathFn::SaturatingAdd, a.saturating_add(b).to_string());
                    f(MathFn::SaturatingSub, a.saturating_sub(b).to_string());
                }
            }
        }
    )*};
}

mod integers_are_those_of_rust {
    use super::*;

    integers_are_those_of_rust!(i8 i16 i32 i64 u8 u16 u32 u64 usize);
}

/// Casts between all number types, compared with Rust's own.
macro_rules! casts_are_those_of_rust {
    ($($from:ident [$($value:expr),*])*) => {$(
        for x in [$($value as $from),*] {
            casts_are_those_of_rust!(@to $from x: i8 I8, i16 I16, i32 I32, i64 I64, u8 U8, u16 U16, u32 U32, u64 U64, usize Usize);
            let x = Expr::literal(Literal::from(x));
            assert_eq!(eval(&Expr::cast(Scalar::Bool, x), &mut Env::default()).ok(), None);
        }
    )*};
    (@to $from:ident $x:ident: $($to:ident $scalar:ident),*) => {
        $(assert_eq!(
            scalar(Expr::cast(Scalar::$scalar, Expr::literal(Literal::from($x)))),
            ($x as $to).to_string(),
            "{} as {}", $x, stringify!($to)
        );)*
        let float = |to| eval(&Expr::cast(to, Expr::literal(Literal::from($x))), &mut Env::default());
        assert_eq!(float(Scalar::F32).unwrap(), Value::from($x as f32), "{} as f32", $x);
        assert_eq!(float(Scalar::F64).unwrap(), Value::from($x as f64), "{} as f64", $x);
    };
}

#[test]
fn all_casts_are_those_of_rust() {
    casts_are_those_of_rust! {
        i8 [i8::MIN, -1, 0, 77, i8::MAX]
        i16 [i16::MIN, -1, 300, i16::MAX]
        i32 [i32::MIN, -1, 70000, 16_777_217, i32::MAX]
        i64 [i64::MIN, -1, 1_i64 << 40, (1_i64 << 53) + 1, (1_i64 << 54) + (1_i64 << 30) + 1, i64::MAX]
        u8 [0, 200]
        u16 [0, 65535]
        u32 [0, u32::MAX, 16_777_217]
        u64 [0, u64::MAX, (1_u64 << 63) + (1_u64 << 39) + 1]
        usize [0, usize::MAX]
        f32 [0.5, -0.5, -1e10, 1e10, 1e20, -1e30, f32::MAX, f32::INFINITY, f32::NAN, 255.9, -128.9]
        f64 [0.5, -0.0, 1e10, -1e20, 1e300, 1e-300, f64::NEG_INFINITY, f64::NAN, 16_777_217.0]
    }
}

/// Every operation on 16-bit floats rounds to the nearest.
#[test]
fn halves_are_rounded_like_those_of_the_half_crate() {
    let all: Vec<half::f16> = (0..=u16::MAX).map(half::f16::from_bits).collect();
    for (i, x) in all.iter().enumerate() {
        let literal = Literal::float(x.to_f64(), Scalar::F16);
        assert_eq!(Value::from(literal), Value::Scalar(Literal::Float(x.to_f64(), Scalar::F16)));
        // Points between this value and the next larger one, the one in the middle above all.
        let Some(next) = all.get(i + 1).filter(|y| x.is_finite() && !y.is_nan()) else { continue };
        let next = if next.is_infinite() { 65536.0_f64.copysign(x.to_f64()) } else { next.to_f64() };
        let middle = (x.to_f64() + next) / 2.0;
        let even = if i % 2 == 0 { *x } else { all[i + 1] }.to_f64();
        let cases = [(1.0, even), (1.0 - 1e-12, x.to_f64()), (1.0 + 1e-12, all[i + 1].to_f64())];
        for (factor, expected) in cases {
            let y = middle * factor;
            let expected = Literal::Float(expected, Scalar::F16);
            assert_eq!(Value::from(Literal::float(y, Scalar::F16)), Value::from(expected), "{y:e}");
        }
    }
    let half = |x: f64| Expr::literal(Literal::float(x, Scalar::F16));
    assert_eq!(scalar(Expr::binary(BinaryOp::Add, half(2048.0), half(1.0))), "2048.0");
    assert_eq!(scalar(Expr::binary(BinaryOp::Mul, half(60000.0), half(2.0))), "inf");
    assert_eq!(scalar(Expr::math(MathFn::Sqrt, vec![half(2.0)])), "1.4140625");
}
