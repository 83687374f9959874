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

    /// How many lanes there are; of a scalar none.
    fn width(&self) -> usize {
        match self {
            Number::One(_) => 0,
            Number::Many(xs) => xs.len(),
        }
    }

    /// A scalar, or so many lanes.
    fn of(width: usize, mut f: impl FnMut(usize) -> Outcome<Cell>) -> Outcome<Number> {
        if width == 0 {
            f(0).map(Number::One)
        } else {
            (0..width).map(f).collect::<Outcome<_>>().map(Number::Many)
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
pub(super) fn lift<const N: usize>(xs: [Cell; N], f: impl FnOnce(&[Value; N]) -> Outcome) -> Outcome<Cell> {
    let mut known = [Literal::Bool(false); N];
    for (known, x) in known.iter_mut().zip(xs) {
        let Some(x) = x else { return Ok(None) };
        *known = x;
    }
    Ok(f(&known.map(Value::Scalar))?.as_scalar())
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
        let value = self.value(e)?;
        if is_operation(e) {
            self.memory.counts.operations += value.width().max(1) as u64;
        }
        Ok(value)
    }

    fn value(&mut self, e: &Expr) -> Outcome<Number> {
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
            Expr::Load(buffer, _, index) => {
                let index = self.index(index)?;
                let cells = self.memory.read(*buffer, &index, 1, &mut self.own.private)?;
                Ok(Number::One(cells[0]))
            }
            Expr::Vector(buffer, _, lanes, index) => {
                let index = self.index(index)?;
                let lanes = usize::from(*lanes);
                let cells = self.memory.read(*buffer, &index, lanes, &mut self.own.private)?;
                Ok(Number::Many(cells.to_vec()))
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
                Number::of(x.width(), |i| lift([x.lane(i)], |[x]| scalars::unary(*op, x)))
            }
            // C evaluates the right side only where it counts.
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), _, a, b) if e.lanes() == 1 => {
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
                let width = a.width().max(b.width());
                Number::of(width, |i| lift([a.lane(i), b.lane(i)], |[a, b]| scalars::binary(op, a, b)))
            }
            Expr::Math(f, _, xs) => {
                let xs = xs.iter().map(|x| self.eval(x)).collect::<Outcome<Vec<Number>>>()?;
                let width = xs.iter().map(Number::width).max().unwrap_or(0);
                Number::of(width, |i| {
                    let lane: Option<Vec<Value>> = xs.iter().map(|x| x.lane(i).map(Value::Scalar)).collect();
                    lane.map_or(Ok(None), |xs| Ok(scalars::math(*f, &xs)?.as_scalar()))
                })
            }
            Expr::Cast(to, x) => {
                let x = self.eval(x)?;
                Number::of(x.width(), |i| lift([x.lane(i)], |[x]| scalars::cast(*to, x)))
            }
            Expr::Select(c, a, b) => match self.eval(c)? {
                c @ Number::One(_) => self.eval(if c.truth()? { a } else { b }),
                c @ Number::Many(_) => {
                    let (a, b) = (self.eval(a)?, self.eval(b)?);
                    let lane =
                        |i| if Number::One(c.lane(i)).truth()? { Ok(a.lane(i)) } else { Ok(b.lane(i)) };
                    Number::of(c.width(), lane)
                }
            },
        }
    }

    pub(super) fn index(&mut self, list: &[ArithExpr]) -> Outcome<Vec<i128>> {
        list.iter().map(|e| self.indices.index(e, &self.own.names)).collect()
    }
}
