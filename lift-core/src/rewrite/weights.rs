//! Constant arrays: their numbers, as far as they are known while building.

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, MathFn, Param, Prim, Scalar, UnaryOp};
use crate::rewrite::scope::occurrences;

/// No constant array has more numbers.
const MOST: i64 = 1 << 12;

/// No array is written out that has more: a text with all of them would be long.
const MOST_WRITTEN: i64 = 1 << 10;

/// What a constant expression is.
#[derive(Debug, Clone)]
enum Constant {
    One(Literal),
    Array(Vec<Constant>),
    Tuple(Vec<Constant>),
}

/// What variables stand for.
type Env = BTreeMap<u32, Constant>;

/// The rows of a matrix of numbers, if `e` is one that depends on nothing.
pub fn matrix(e: &Expr) -> Option<Vec<Vec<Literal>>> {
    let Constant::Array(rows) = constant(e, &Env::new())? else { return None };
    rows.into_iter().map(numbers).collect()
}

/// The numbers of a row, if `e` is one that depends on nothing.
pub fn vector(e: &Expr) -> Option<Vec<Literal>> {
    numbers(constant(e, &Env::new())?)
}

/// Whether `e` is an array of numbers that depends on nothing.
pub fn is_constant_array(e: &Expr) -> bool {
    e.ty().as_array().is_some() && constant(e, &Env::new()).is_some()
}

/// An array with these elements.
pub fn array(elements: &[Literal]) -> Expr {
    Expr::array_literal(elements.iter().map(|x| Expr::literal(*x)).collect())
}

fn numbers(row: Constant) -> Option<Vec<Literal>> {
    let Constant::Array(elements) = row else { return None };
    let number = |x| match x {
        Constant::One(x) => Some(x),
        Constant::Array(_) | Constant::Tuple(_) => None,
    };
    elements.into_iter().map(number).collect()
}

/// What an expression that depends on nothing is, written out: an array, of arrays or numbers, or a number.
pub fn written_out(e: &Expr) -> Option<Expr> {
    written_out_in(e, &Env::new())
}

fn written_out_in(e: &Expr, env: &Env) -> Option<Expr> {
    let (lens, _) = e.ty().shape();
    let count = lens.iter().try_fold(1i64, |count, n| count.checked_mul(n.as_const()?))?;
    (count <= MOST_WRITTEN).then(|| literals(constant(e, env)?))?
}

/// The expression with what is computed from this variable, an array of known numbers, and from nothing else written out; `is_computed` says what may be.
pub fn with_known(e: &Expr, x: &Param, value: &Expr, is_computed: fn(&Expr) -> bool) -> Option<Expr> {
    let env = Env::from([(x.id, constant(value, &Env::new())?)]);
    Some(known(e, x, &env, is_computed))
}

fn known(e: &Expr, x: &Param, env: &Env, is_computed: fn(&Expr) -> bool) -> Expr {
    if occurrences(e, x.id).count == 0 {
        return e.clone();
    }
    let written = if is_computed(e) { written_out_in(e, env) } else { None };
    written.unwrap_or_else(|| e.map_children(&mut |part| known(part, x, env, is_computed)))
}

fn literals(constant: Constant) -> Option<Expr> {
    match constant {
        Constant::One(literal) => Some(Expr::literal(literal)),
        Constant::Array(elements) if elements.is_empty() => None,
        Constant::Array(elements) => {
            Some(Expr::array_literal(elements.into_iter().map(literals).collect::<Option<_>>()?))
        }
        Constant::Tuple(_) => None,
    }
}

/// The value of an expression in which these variables stand for constants.
fn constant(e: &Expr, env: &Env) -> Option<Constant> {
    let (lens, _) = e.ty().shape();
    let count = lens.iter().try_fold(1i64, |count, n| count.checked_mul(n.as_const()?))?;
    if count > MOST {
        return None;
    }
    match e.kind() {
        Kind::ArrayLiteral(elements) => {
            elements.iter().map(|x| constant(x, env)).collect::<Option<_>>().map(Constant::Array)
        }
        Kind::Prim(prim, args) => primitive(*prim, args, lens.first(), env),
        Kind::Param(param) => env.get(&param.id).cloned(),
        Kind::Tuple(parts) => {
            parts.iter().map(|x| constant(x, env)).collect::<Option<_>>().map(Constant::Tuple)
        }
        Kind::Field(x, i) => match constant(x, env)? {
            Constant::Tuple(mut parts) => (*i < parts.len()).then(|| parts.swap_remove(*i)),
            Constant::One(_) | Constant::Array(_) => None,
        },
        Kind::Let(x, value, body) => {
            let mut inner = env.clone();
            inner.insert(x.id, constant(value, env)?);
            constant(body, &inner)
        }
        _ if lens.is_empty() => scalar(e, env).map(Constant::One),
        _ => None,
    }
}

/// What a primitive gives of constants: an array of this length, or one value.
fn primitive(prim: Prim, args: &[Arg], len: Option<&ArithExpr>, env: &Env) -> Option<Constant> {
    let len = || usize::try_from(len?.as_const()?).ok();
    let all = |elements: &mut dyn Iterator<Item = Option<Constant>>| {
        elements.collect::<Option<_>>().map(Constant::Array)
    };
    match (prim, args) {
        (Prim::Array, [Arg::Size(_), Arg::Fun(f)]) => {
            let index = |k| Constant::One(Literal::int(k as i128, Scalar::Usize));
            all(&mut (0..len()?).map(|k| applied(f, [index(k)], env)))
        }
        (Prim::Split, [Arg::Size(m), Arg::Data(xs)]) => {
            let parts = usize::try_from(m.as_const()?).ok().filter(|m| *m > 0)?;
            let elements = elements(xs, env)?;
            Some(Constant::Array(elements.chunks(parts).map(|part| Constant::Array(part.to_vec())).collect()))
        }
        (Prim::Join, [Arg::Data(xs)]) => {
            Some(Constant::Array(rows(xs, env)?.into_iter().flatten().collect()))
        }
        (Prim::Transpose, [Arg::Data(xs)]) => {
            let rows = rows(xs, env)?;
            let column = |k: usize| all(&mut rows.iter().map(|row| row.get(k).cloned()));
            all(&mut (0..len()?).map(column))
        }
        (Prim::At, [Arg::Data(i), Arg::Data(xs)]) => {
            let i = usize::try_from(number(i, env)?.as_int()?).ok()?;
            elements(xs, env)?.into_iter().nth(i)
        }
        (Prim::Zip, parts) => {
            let parts = parts.iter().map(|part| elements(part.data()?, env)).collect::<Option<Vec<_>>>()?;
            let tuple = |k: usize| parts.iter().map(|part| part.get(k).cloned()).collect::<Option<_>>();
            all(&mut (0..len()?).map(|k| tuple(k).map(Constant::Tuple)))
        }
        (Prim::Map(_), [Arg::Fun(f), Arg::Data(xs)]) => {
            all(&mut elements(xs, env)?.into_iter().map(|x| applied(f, [x], env)))
        }
        (Prim::Reduce(_), [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) => {
            elements(xs, env)?.into_iter().try_fold(constant(z, env)?, |sum, x| applied(f, [sum, x], env))
        }
        _ => None,
    }
}

/// The elements of a constant array.
fn elements(xs: &Expr, env: &Env) -> Option<Vec<Constant>> {
    match constant(xs, env)? {
        Constant::Array(elements) => Some(elements),
        Constant::One(_) | Constant::Tuple(_) => None,
    }
}

/// The elements of each row of a constant matrix.
fn rows(xs: &Expr, env: &Env) -> Option<Vec<Vec<Constant>>> {
    let of_row = |row| match row {
        Constant::Array(elements) => Some(elements),
        Constant::One(_) | Constant::Tuple(_) => None,
    };
    elements(xs, env)?.into_iter().map(of_row).collect()
}

/// What a function gives of constants.
fn applied<const N: usize>(f: &Lambda, args: [Constant; N], env: &Env) -> Option<Constant> {
    let mut inner = env.clone();
    inner.extend(f.params.iter().map(|param| param.id).zip(args));
    (f.params.len() == N).then(|| constant(&f.body, &inner))?
}

/// The value of an expression that is a scalar.
fn number(e: &Expr, env: &Env) -> Option<Literal> {
    match constant(e, env)? {
        Constant::One(literal) => Some(literal),
        Constant::Array(_) | Constant::Tuple(_) => None,
    }
}

/// The value of an operation on scalars: what takes no more than the four operations, each rounded or wrapped as everywhere.
fn scalar(e: &Expr, env: &Env) -> Option<Literal> {
    match e.kind() {
        Kind::Literal(literal) => Some(*literal),
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
