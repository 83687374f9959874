//! Generated arrays that read neighbours of their indices.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, Expr, Lambda, Literal, MathFn, Param, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;

use crate::testing::{World, literal, twice_minus};

/// How an array is read in one dimension.
#[derive(Clone, Copy)]
enum Way {
    /// `i + c` of more elements than there are indices.
    Plain,
    /// `2 * i + c` of twice as many.
    Steps,
    /// `i - 1` to `i + 1` where that is an element.
    Guarded,
    /// The nearest element.
    Clamped,
    /// The element in another period.
    Wrapped,
}

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, _: &[Expr]) -> Option<Expr> {
    let dims = w.random.pick(&[1, 1, 2, 2, 3]);
    let counts: Vec<ArithExpr> = (0..dims).map(|_| w.some_size()).collect();
    match rule.name {
        "index_windows" => Some(generated(w, &counts)),
        "arrays_together" => {
            let several = w.random.pick(&[2, 2, 3]);
            Some(Expr::tuple((0..several).map(|_| generated(w, &counts)).collect()))
        }
        _ => None,
    }
}

fn at(i: Expr, xs: Expr) -> Expr {
    Expr::prim(Prim::At, vec![Arg::Data(i), Arg::Data(xs)])
}

fn array(n: &ArithExpr, i: &Param, body: Expr) -> Expr {
    let f = Lambda { params: vec![i.clone()], body };
    Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(f)])
}

fn number(n: impl Into<ArithExpr>) -> Expr {
    Expr::size(n.into())
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

/// `array(n, |i| array(m, |j| …))` of what is read around these indices.
fn generated(w: &mut World, counts: &[ArithExpr]) -> Expr {
    let (int, dims) = (Type::from(Scalar::I32), counts.len());
    let indices: Vec<Param> = (0..dims).map(|_| Param::new("i", Scalar::Usize.into())).collect();
    let ways: Vec<Way> = (0..dims)
        .map(|_| w.random.pick(&[Way::Plain, Way::Steps, Way::Guarded, Way::Clamped, Way::Wrapped]))
        .collect();
    let lens: Vec<ArithExpr> = counts
        .iter()
        .zip(&ways)
        .map(|(n, way)| match way {
            Way::Plain => n + w.random.pick(&[2, 3]),
            Way::Steps => n * 2 + w.random.pick(&[1, 2]),
            Way::Guarded | Way::Clamped | Way::Wrapped => n.clone(),
        })
        .collect();
    let xs = w.input(int.clone().with_shape(&lens));
    let same = w.input(int.clone().with_shape(counts));
    let read = |w: &mut World, inner: Option<&Expr>| {
        let dims = ways.iter().zip(&indices).zip(&lens);
        let of: Vec<Expr> = dims.map(|((way, i), n)| index(w, *way, i, n, inner)).collect();
        of.into_iter().fold(xs.clone(), |xs, i| at(i, xs))
    };
    let mut value = twice_minus(read(w, None), read(w, None));
    if w.random.flip() {
        let k = Param::new("k", Scalar::Usize.into());
        let body = read(w, Some(&Expr::param(&k)));
        value = twice_minus(value, w.reduce(array(&2.into(), &k, body)));
    }
    if w.random.flip() {
        let element = indices.iter().fold(same, |xs, i| at(Expr::param(i), xs));
        value = twice_minus(value, element);
    }
    let is_inside = ways.iter().zip(&indices).zip(counts).filter(|((way, _), _)| matches!(way, Way::Guarded));
    let body = is_inside.fold(value, |value, ((_, i), n)| {
        let (first, after) = (Expr::param(i), binary(BinaryOp::Add, Expr::param(i), number(1)));
        let inside = binary(
            BinaryOp::And,
            binary(BinaryOp::Ge, first, number(1)),
            binary(BinaryOp::Lt, after, number(n.clone())),
        );
        Expr::if_(inside, value, Expr::cast(Scalar::I32, Expr::param(i)))
    });
    let body = match w.random.flip() {
        true => twice_minus(body, literal(&int, 3)),
        false => body,
    };
    indices.iter().zip(counts).rev().fold(body, |body, (i, n)| array(n, i, body))
}

/// An index in an array of `n` elements, which may depend on one below 2.
fn index(w: &mut World, way: Way, i: &Param, n: &ArithExpr, inner: Option<&Expr>) -> Expr {
    let i = Expr::param(i);
    let plus = |a: Expr, c: i64| match inner {
        Some(k) => binary(BinaryOp::Add, binary(BinaryOp::Add, a, number(c)), k.clone()),
        None => binary(BinaryOp::Add, a, number(c)),
    };
    let signed = |e: Expr| Expr::cast(Scalar::I64, e);
    let big = |n: i64| Expr::literal(Literal::Int(n.into(), Scalar::I64));
    let last = n - 1;
    match way {
        Way::Plain => plus(i, w.random.pick(&[0, 1])),
        Way::Steps => {
            let twice = binary(BinaryOp::Mul, number(2), i);
            if inner.is_some() { plus(twice, 0) } else { plus(twice, w.random.pick(&[0, 1])) }
        }
        Way::Guarded => match w.random.below(3) {
            0 => binary(BinaryOp::Sub, plus(i, 0), number(1)),
            1 => plus(i, 0),
            _ if inner.is_none() => plus(i, 1),
            _ => i,
        },
        Way::Clamped => match w.random.below(6) {
            4 => Expr::if_(
                binary(BinaryOp::Lt, binary(BinaryOp::Add, i.clone(), number(1)), number(n.clone())),
                binary(BinaryOp::Add, i.clone(), number(1)),
                i,
            ),
            5 => {
                let is_first = binary(BinaryOp::Eq, i.clone(), number(0));
                Expr::if_(is_first, number(0), binary(BinaryOp::Sub, i, number(1)))
            }
            0 => Expr::math(MathFn::Min, vec![plus(i, 2), number(last)]),
            1 => {
                let greatest = Expr::math(MathFn::Max, vec![i, number(1)]);
                binary(BinaryOp::Sub, greatest, number(1))
            }
            2 => {
                let before = binary(BinaryOp::Sub, signed(plus(i, 0)), big(2));
                let last = signed(number(last));
                Expr::cast(Scalar::Usize, Expr::math(MathFn::Clamp, vec![before, big(0), last]))
            }
            _ => i,
        },
        Way::Wrapped => {
            let far = match w.random.below(5) {
                3 => {
                    let is_first = binary(BinaryOp::Le, i.clone(), number(0));
                    return Expr::if_(is_first, number(last), binary(BinaryOp::Sub, i, number(1)));
                }
                4 => {
                    let next = binary(BinaryOp::Add, i.clone(), number(1));
                    let is_inside = binary(BinaryOp::Ne, next.clone(), number(n.clone()));
                    return Expr::if_(is_inside, next, number(0));
                }
                0 => binary(BinaryOp::Sub, binary(BinaryOp::Add, i, number(n.clone())), number(1)),
                1 => plus(i, 2),
                _ => return i,
            };
            binary(BinaryOp::Rem, far, number(n.clone()))
        }
    }
}
