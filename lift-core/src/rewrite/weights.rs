//! Constant arrays: their numbers, as far as they are known while building.

use std::collections::BTreeMap;

use crate::ir::{Arg, BinaryOp, Expr, Kind, Literal, MathFn, Prim, Scalar, UnaryOp};

/// No constant array has more numbers.
const MOST: i64 = 1 << 12;

/// What a constant expression is.
#[derive(Debug, Clone)]
enum Constant {
    One(Literal),
    Array(Vec<Constant>),
}

/// The rows of a matrix of numbers, if `e` is one that depends on nothing.
pub fn matrix(e: &Expr) -> Option<Vec<Vec<Literal>>> {
    let Constant::Array(rows) = constant(e, &BTreeMap::new())? else { return None };
    rows.into_iter().map(numbers).collect()
}

/// The numbers of a row, if `e` is one that depends on nothing.
pub fn vector(e: &Expr) -> Option<Vec<Literal>> {
    numbers(constant(e, &BTreeMap::new())?)
}

/// Whether `e` is an array of numbers that depends on nothing.
pub fn is_constant_array(e: &Expr) -> bool {
    e.ty().as_array().is_some() && constant(e, &BTreeMap::new()).is_some()
}

/// An array with these elements.
pub fn array(elements: &[Literal]) -> Expr {
    Expr::array_literal(elements.iter().map(|x| Expr::literal(*x)).collect())
}

fn numbers(row: Constant) -> Option<Vec<Literal>> {
    let Constant::Array(elements) = row else { return None };
    let number = |x| match x {
        Constant::One(x) => Some(x),
        Constant::Array(_) => None,
    };
    elements.into_iter().map(number).collect()
}

/// The value of an expression in which these variables stand for constants.
fn constant(e: &Expr, env: &BTreeMap<u32, Literal>) -> Option<Constant> {
    let (lens, _) = e.ty().shape();
    let count = lens.iter().try_fold(1i64, |count, n| count.checked_mul(n.as_const()?))?;
    if count > MOST {
        return None;
    }
    match e.kind() {
        Kind::ArrayLiteral(elements) => {
            elements.iter().map(|x| constant(x, env)).collect::<Option<_>>().map(Constant::Array)
        }
        Kind::Prim(Prim::Array, args) => {
            let [Arg::Size(n), Arg::Fun(f)] = args.as_slice() else { return None };
            let [i] = f.params.as_slice() else { return None };
            let element = |k: i64| {
                let mut inner = env.clone();
                inner.insert(i.id, Literal::int(k.into(), Scalar::Usize));
                constant(&f.body, &inner)
            };
            (0..n.as_const()?).map(element).collect::<Option<_>>().map(Constant::Array)
        }
        Kind::Prim(Prim::Split, args) => {
            let [Arg::Size(m), Arg::Data(xs)] = args.as_slice() else { return None };
            let (m, Constant::Array(elements)) = (m.as_const()?, constant(xs, env)?) else { return None };
            let parts = elements.chunks(usize::try_from(m).ok().filter(|m| *m > 0)?);
            Some(Constant::Array(parts.map(|part| Constant::Array(part.to_vec())).collect()))
        }
        Kind::Prim(Prim::Join, args) => {
            let [Arg::Data(xs)] = args.as_slice() else { return None };
            let Constant::Array(rows) = constant(xs, env)? else { return None };
            let elements = |row| match row {
                Constant::Array(elements) => Some(elements),
                Constant::One(_) => None,
            };
            let rows: Vec<Vec<Constant>> = rows.into_iter().map(elements).collect::<Option<_>>()?;
            Some(Constant::Array(rows.into_iter().flatten().collect()))
        }
        Kind::Prim(Prim::Transpose, args) => {
            let [Arg::Data(xs)] = args.as_slice() else { return None };
            let Constant::Array(rows) = constant(xs, env)? else { return None };
            let column = |k: usize| {
                let element = |row: &Constant| match row {
                    Constant::Array(elements) => elements.get(k).cloned(),
                    Constant::One(_) => None,
                };
                rows.iter().map(element).collect::<Option<_>>().map(Constant::Array)
            };
            let count = usize::try_from(lens.first()?.as_const()?).ok()?;
            (0..count).map(column).collect::<Option<_>>().map(Constant::Array)
        }
        Kind::Prim(Prim::At, args) => {
            let [Arg::Data(i), Arg::Data(xs)] = args.as_slice() else { return None };
            let i = usize::try_from(number(i, env)?.as_int()?).ok()?;
            let Constant::Array(mut elements) = constant(xs, env)? else { return None };
            (i < elements.len()).then(|| elements.swap_remove(i))
        }
        Kind::Let(x, value, body) => match constant(value, env)? {
            Constant::One(value) => {
                let mut inner = env.clone();
                inner.insert(x.id, value);
                constant(body, &inner)
            }
            Constant::Array(_) => None,
        },
        _ if lens.is_empty() => scalar(e, env).map(Constant::One),
        _ => None,
    }
}

/// The value of an expression that is a scalar.
fn number(e: &Expr, env: &BTreeMap<u32, Literal>) -> Option<Literal> {
    match constant(e, env)? {
        Constant::One(literal) => Some(literal),
        Constant::Array(_) => None,
    }
}

/// The value of an operation on scalars: what takes no more than the four operations, each rounded or wrapped as everywhere.
fn scalar(e: &Expr, env: &BTreeMap<u32, Literal>) -> Option<Literal> {
    match e.kind() {
        Kind::Literal(literal) => Some(*literal),
        Kind::Param(param) => env.get(&param.id).copied(),
        Kind::Size(n) => Some(Literal::int(n.as_const()?.into(), Scalar::Usize)),
        Kind::Unary(UnaryOp::Neg, x) => number(x, env)?.negated(),
        Kind::Cast(scalar, x) => match number(x, env)? {
            Literal::Int(x, _) => Some(Literal::int(x, *scalar)),
            Literal::Float(x, _) if scalar.is_float() => Some(Literal::float(x, *scalar)),
            Literal::Float(..) | Literal::Bool(_) => None,
        },
        Kind::Binary(op, a, b) => match (op, number(a, env)?, number(b, env)?) {
            (BinaryOp::Add, Literal::Float(a, s), Literal::Float(b, _)) => Some(Literal::float(a + b, s)),
            (BinaryOp::Sub, Literal::Float(a, s), Literal::Float(b, _)) => Some(Literal::float(a - b, s)),
            (BinaryOp::Mul | BinaryOp::Unrounded, Literal::Float(a, s), Literal::Float(b, _)) => {
                Some(Literal::float(a * b, s))
            }
            (BinaryOp::Div, Literal::Float(a, s), Literal::Float(b, _)) => Some(Literal::float(a / b, s)),
            (BinaryOp::Add, Literal::Int(a, s), Literal::Int(b, _)) => Some(Literal::int(a + b, s)),
            (BinaryOp::Sub, Literal::Int(a, s), Literal::Int(b, _)) => Some(Literal::int(a - b, s)),
            (BinaryOp::Mul, Literal::Int(a, s), Literal::Int(b, _)) => {
                a.checked_mul(b).map(|x| Literal::int(x, s))
            }
            _ => None,
        },
        Kind::Math(MathFn::MulAdd, args) => match args.as_slice() {
            [a, b, c] => number(a, env)?.mul_add(number(b, env)?, number(c, env)?),
            _ => None,
        },
        _ => None,
    }
}
