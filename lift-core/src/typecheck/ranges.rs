//! How large a number can be, by its type and by what it was made with.

use crate::ir::{BinaryOp, Expr, Kind, Literal, MathFn, Scalar};

/// The largest value of an unsigned integer or a `bool`, if something is known of it.
pub(super) fn most(e: &Expr) -> Option<i64> {
    let scalar = e.ty().as_scalar()?;
    let of_type = match scalar {
        Scalar::Bool => Some(1),
        Scalar::U8 | Scalar::U16 | Scalar::U32 => {
            scalar.range().and_then(|(_, high)| i64::try_from(high).ok())
        }
        Scalar::U64 | Scalar::Usize => None,
        _ => return None,
    };
    let computed = match e.kind() {
        Kind::Literal(literal) => number(literal),
        Kind::Binary(BinaryOp::Rem, a, b) => less(most(a), literal(b).filter(|n| *n > 0).map(|n| n - 1)),
        Kind::Binary(BinaryOp::Div, a, b) => most(a).zip(literal(b).filter(|n| *n > 0)).map(|(a, b)| a / b),
        Kind::Binary(BinaryOp::BitAnd, a, b) => less(most(a), most(b)),
        Kind::Math(MathFn::Min, args) => less(most(&args[0]), most(&args[1])),
        Kind::Math(MathFn::WrappingShr, args) => {
            let by = literal(&args[1]).filter(|by| *by < 8 * scalar.bytes());
            most(&args[0]).zip(by).map(|(a, by)| a >> by)
        }
        Kind::Cast(_, x) => most(x),
        Kind::If(_, a, b) => most(a).zip(most(b)).map(|(a, b)| a.max(b)),
        Kind::Let(_, _, body) => most(body),
        _ => None,
    };
    less(of_type, computed)
}

/// The smaller of two bounds, as far as there are any.
fn less(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.into_iter().chain(b).min()
}

fn literal(e: &Expr) -> Option<i64> {
    match e.kind() {
        Kind::Literal(literal) => number(literal),
        Kind::Size(n) => n.as_const(),
        _ => None,
    }
}

fn number(literal: &Literal) -> Option<i64> {
    i64::try_from(literal.as_int()?).ok()
}
