//! Expressions: scalars as the interpreter computes them, lane by lane in vectors.

use lift_core::arith::ArithExpr;
use lift_core::imp::ast::Expr;
use lift_core::ir::{BinaryOp, Literal, Scalar};

use crate::interp::{Outcome, Value, scalars};
use crate::run::index::Indices;
use crate::run::item::Own;
use crate::run::memory::{Cell, Memory};

/// A scalar, or the lanes of a vector.
#[derive(Debug, Clone)]
pub(super) enum Number {
    One(Cell),
    Many(Vec<Cell>),
}

impl Number {
    /// A lane; a scalar stands for all.
    pub(super) fn lane(&self, i: usize) -> Cell {
        match self {
            Number::One(x) => *x,
            Number::Many(xs) => xs.get(i).copied().flatten(),
        }
    }

    /// So many lanes of it.
    pub(super) fn lanes(&self, count: usize) -> Vec<Cell> {
        (0..count).map(|i| self.lane(i)).collect()
    }

    fn of(lanes: usize, mut f: impl FnMut(usize) -> Outcome<Cell>) -> Outcome<Number> {
        if lanes == 1 {
            f(0).map(Number::One)
        } else {
            (0..lanes).map(f).collect::<Outcome<_>>().map(Number::Many)
        }
    }

    /// A scalar that is known.
    pub(super) fn scalar(&self) -> Outcome<Literal> {
        match self {
            Number::One(Some(x)) => Ok(*x),
            Number::One(None) => Err("something is read that nobody wrote".to_string()),
            Number::Many(_) => Err("a vector where a scalar is needed".to_string()),
        }
    }

    pub(super) fn truth(&self) -> Outcome<bool> {
        Value::Scalar(self.scalar()?).as_bool().ok_or_else(|| format!("{self:?} is no truth value"))
    }

    pub(super) fn integer(&self) -> Outcome<i128> {
        let x = self.scalar()?;
        x.as_int().ok_or_else(|| format!("{x} is no integer"))
    }
}

/// The value of a scalar operation on operands that are all known.
pub(super) fn lift(xs: &[Cell], f: impl FnOnce(&[Value]) -> Outcome) -> Outcome<Cell> {
    let known: Option<Vec<Value>> = xs.iter().map(|x| x.map(Value::Scalar)).collect();
    known.map_or(Ok(None), |xs| Ok(f(&xs)?.as_scalar()))
}

/// Whether this computes a value of the program, and not an index or whether there is one.
fn is_operation(e: &Expr) -> bool {
    match e {
        Expr::Binary(BinaryOp::And | BinaryOp::Or, ..) => false,
        Expr::Unary(_, scalar, _) | Expr::Binary(_, scalar, ..) | Expr::Cast(scalar, ..) => {
            *scalar != Scalar::Usize
        }
        Expr::Math(..) => true,
        _ => false,
    }
}

/// Where an expression is evaluated.
pub(super) struct Scope<'s, 'm, 'i> {
    pub(super) own: &'s mut Own,
    pub(super) memory: &'s mut Memory<'m>,
    pub(super) indices: &'s mut Indices<'i>,
}

impl Scope<'_, '_, '_> {
    pub(super) fn eval(&mut self, e: &Expr) -> Outcome<Number> {
        let lanes = usize::from(e.lanes());
        if is_operation(e) {
            self.memory.counts.operations += lanes as u64;
        }
        match e {
            Expr::Literal(x) => Ok(Number::One(Some(*x))),
            Expr::Local(local) => {
                let value = self.own.locals.get(&local.id).cloned();
                value.ok_or_else(|| format!("`{}` is not declared", local.name))
            }
            Expr::Index(e) => {
                let value = self.indices.value(e, &self.own.names)?;
                Ok(Number::One(Some(Literal::int(value, Scalar::Usize))))
            }
            Expr::Cond(cond) => {
                let value = self.indices.cond(cond, &self.own.names)?;
                Ok(Number::One(Some(Literal::Bool(value))))
            }
            Expr::Load(buffer, _, index) | Expr::Vector(buffer, _, _, index) => {
                let index = self.index(index)?;
                let cells = self.memory.read(*buffer, &index, lanes, &mut self.own.private)?;
                Number::of(lanes, |i| Ok(cells[i]))
            }
            Expr::Lane(x, lane) => Ok(Number::One(self.eval(x)?.lane(usize::from(*lane)))),
            Expr::All(x) => {
                let vector = self.eval(x)?;
                let lane = |i: u8| Number::One(vector.lane(usize::from(i))).truth();
                let all = (0..x.lanes()).map(lane).collect::<Outcome<Vec<bool>>>()?;
                Ok(Number::One(Some(Literal::Bool(!all.contains(&false)))))
            }
            Expr::Pack(parts) => {
                let parts = parts.iter().map(|x| self.eval(x)).collect::<Outcome<Vec<Number>>>()?;
                Ok(Number::Many(parts.iter().map(|x| x.lane(0)).collect()))
            }
            Expr::Unary(op, _, x) => {
                let x = self.eval(x)?;
                Number::of(lanes, |i| lift(&[x.lane(i)], |x| scalars::unary(*op, &x[0])))
            }
            // C evaluates the right side only where it counts.
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), _, a, b) if lanes == 1 => {
                let a = self.eval(a)?.truth()?;
                if a == (*op == BinaryOp::Or) {
                    Ok(Number::One(Some(Literal::Bool(a))))
                } else {
                    self.eval(b)
                }
            }
            Expr::Binary(op, _, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let op = match op {
                    BinaryOp::And => BinaryOp::BitAnd,
                    BinaryOp::Or => BinaryOp::BitOr,
                    op => *op,
                };
                Number::of(lanes, |i| lift(&[a.lane(i), b.lane(i)], |x| scalars::binary(op, &x[0], &x[1])))
            }
            Expr::Math(f, _, xs) => {
                let xs = xs.iter().map(|x| self.eval(x)).collect::<Outcome<Vec<Number>>>()?;
                Number::of(lanes, |i| {
                    let lane: Vec<Cell> = xs.iter().map(|x| x.lane(i)).collect();
                    lift(&lane, |xs| scalars::math(*f, xs))
                })
            }
            Expr::Cast(to, x) => {
                let x = self.eval(x)?;
                Number::of(lanes, |i| lift(&[x.lane(i)], |x| scalars::cast(*to, &x[0])))
            }
            Expr::Select(c, a, b) if c.lanes() == 1 => {
                if self.eval(c)?.truth()? {
                    self.eval(a)
                } else {
                    self.eval(b)
                }
            }
            Expr::Select(c, a, b) => {
                let (c, a, b) = (self.eval(c)?, self.eval(a)?, self.eval(b)?);
                Number::of(lanes, |i| Ok(if Number::One(c.lane(i)).truth()? { a.lane(i) } else { b.lane(i) }))
            }
        }
    }

    pub(super) fn index(&mut self, list: &[ArithExpr]) -> Outcome<Vec<i128>> {
        list.iter().map(|e| self.indices.index(e, &self.own.names)).collect()
    }
}
