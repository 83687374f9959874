//! Expressions of all lanes, and of one.

use crate::arith::{ArithExpr, Unclamped};
use crate::imp::ast::Expr;
use crate::imp::lanes::Lanes;
use crate::ir::{BinaryOp, Literal, MathFn, Scalar};
use crate::memory::BufferId;
use crate::view::Cond;

impl Lanes<'_> {
    /// The values of all lanes as a vector.
    pub(super) fn vector(&self, e: &Expr) -> Option<Expr> {
        if e.scalar() == Scalar::F16 {
            return None;
        }
        if !self.varying.expr(e) {
            return Some(Expr::Pack(vec![self.same(e.clone())?; usize::from(self.count)]));
        }
        match e {
            Expr::Local(local) => Some(Expr::Local(self.wide(local)?)),
            Expr::Load(buffer, scalar, index) if self.is_contiguous(*buffer, *scalar, index) => {
                Some(Expr::Vector(*buffer, *scalar, self.count, self.lane_indices(index, 0)))
            }
            Expr::Load(buffer, scalar, index) => {
                self.nowhere_clamped(*buffer, *scalar, index, e).or_else(|| self.each_lane(e))
            }
            Expr::Index(i) => self.counted(i, Scalar::Usize).or_else(|| self.each_lane(e)),
            Expr::Cond(_) => self.each_lane(e),
            Expr::Unary(op, scalar, x) => Some(Expr::Unary(*op, *scalar, self.vector(x)?.into())),
            // Numbers in variables, such as those of elements.
            Expr::Binary(op, Scalar::Usize, a, b)
                if op.is_comparison() && [a, b].into_iter().any(|x| has_variables(x)) =>
            {
                self.binary(*op, Scalar::Usize, a, b)
            }
            // Indices: they are narrower than their type.
            Expr::Binary(_, Scalar::Usize, ..) | Expr::Cast(Scalar::Usize, _) => self.each_lane(e),
            Expr::Binary(op, scalar, a, b) => self.binary(*op, *scalar, a, b),
            Expr::Math(f, scalar, args) if is_builtin(*f, *scalar) => {
                let args: Option<Vec<Expr>> = args.iter().map(|x| self.vector(x)).collect();
                Some(Expr::Math(*f, *scalar, args?))
            }
            Expr::Cast(to, x) => match (to, x.scalar()) {
                (Scalar::Bool, _) => None,
                (to, Scalar::Usize) if matches!(**x, Expr::Index(_)) => {
                    let Expr::Index(i) = &**x else { return None };
                    self.counted(i, *to).or_else(|| self.each_lane(e))
                }
                (to, Scalar::Bool) => {
                    let [one, zero] =
                        [1, 0].map(|n| vec![Expr::Literal(Literal::int(n, *to)); self.count.into()]);
                    let (one, zero) = (Expr::Pack(one), Expr::Pack(zero));
                    Some(Expr::Select(self.vector(x)?.into(), one.into(), zero.into()))
                }
                (to, _) => Some(Expr::Cast(*to, self.vector(x)?.into())),
            },
            // What must not be read unless it is chosen is chosen for each lane.
            Expr::Select(c, a, b) if self.varying.expr(c) && (a.loads() || b.loads()) => {
                let all = if is_of_data(c) { self.select(c, a, b) } else { None };
                all.or_else(|| self.each_lane(e))
            }
            Expr::Select(c, a, b) => self.select(c, a, b),
            Expr::Literal(_) | Expr::Vector(..) | Expr::Lane(..) | Expr::Pack(_) => None,
            Expr::All(_) | Expr::Math(..) => None,
        }
    }

    /// Neighbours that are clamped to a row: as a vector if none of them is, and one by one otherwise.
    fn nowhere_clamped(
        &self,
        buffer: BufferId,
        scalar: Scalar,
        index: &[ArithExpr],
        e: &Expr,
    ) -> Option<Expr> {
        let (last, outer) = index.split_last()?;
        let Unclamped { index, least, most } = self.resolved(last).unclamped(self.var);
        let index = [outer, &[index]].concat();
        if least.is_empty() && most.is_empty() || !self.is_contiguous(buffer, scalar, &index) {
            return None;
        }
        let [first, end] = [0, self.count - 1].map(|lane| self.lane_index(&index[outer.len()], lane));
        // What comes before the row is on both sides, and the position in the row on one.
        let apart = |index: &ArithExpr, bound: &ArithExpr| {
            let (rest, others) = (self.facts.simplify(&(index - bound)), bound.vars());
            let own = rest.terms_with(&|var| !others.contains(var));
            let bound = self.facts.simplify(&(&own - rest));
            (own, bound)
        };
        let least = least.iter().map(|bound| {
            let (own, bound) = apart(&first, bound);
            Cond::AtLeast(own, bound)
        });
        let most = most.iter().map(|bound| {
            let (own, bound) = apart(&end, bound);
            Cond::Less(own, bound + 1)
        });
        let mut inside = Vec::new();
        for cond in least.chain(most) {
            match self.facts.nonneg(&cond.margin()) {
                truth if truth.is_yes() => {}
                truth if truth.is_no() => return None,
                _ => inside.push(cond),
            }
        }
        let all = Expr::Vector(buffer, scalar, self.count, self.lane_indices(&index, 0));
        Some(match Expr::all(&inside) {
            Some(inside) => Expr::Select(inside.into(), all.into(), self.each_lane(e)?.into()),
            None => all,
        })
    }

    /// Indices that are equally far apart: that of the first lane, and so much more in each.
    fn counted(&self, index: &ArithExpr, to: Scalar) -> Option<Expr> {
        let index = self.resolved(index);
        let (step, _) = index.linear_in(self.var)?;
        let step = i128::from(step.as_const()?);
        let (_, most) = to.range()?;
        let far = step.abs() * i128::from(self.count) > most.min(i128::from(i32::MAX));
        if far || step < 1 || index.vars().iter().any(|var| self.indices.contains_key(var)) {
            return None;
        }
        let first = Expr::Index(self.lane_index(&index, 0));
        let first = if to == Scalar::Usize { first } else { Expr::Cast(to, first.into()) };
        let steps = (0..self.count).map(|lane| Expr::Literal(Literal::int(i128::from(lane) * step, to)));
        let (first, steps) = (Expr::Pack(vec![first; self.count.into()]), Expr::Pack(steps.collect()));
        Some(Expr::Binary(BinaryOp::Add, to, first.into(), steps.into()))
    }

    /// Both for all lanes.
    fn select(&self, c: &Expr, a: &Expr, b: &Expr) -> Option<Expr> {
        let c = if self.varying.expr(c) { self.vector(c)? } else { self.same(c.clone())? };
        Some(Expr::Select(c.into(), self.vector(a)?.into(), self.vector(b)?.into()))
    }

    fn binary(&self, op: BinaryOp, scalar: Scalar, a: &Expr, b: &Expr) -> Option<Expr> {
        let decides = matches!(op, BinaryOp::And | BinaryOp::Or);
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem) && scalar.is_integer();
        if scalar == Scalar::F16 || decides && b.loads() || divides && !is_divisor(b) {
            return None;
        }
        // An operator of floats takes a scalar for a vector.
        let mixes = scalar.is_float() && op != BinaryOp::Rem;
        let operand = |x: &Expr| match self.varying.expr(x) {
            false if mixes => self.same(x.clone()),
            _ => self.vector(x),
        };
        Some(Expr::Binary(op, scalar, operand(a)?.into(), operand(b)?.into()))
    }

    /// The values of all lanes, computed one by one.
    fn each_lane(&self, e: &Expr) -> Option<Expr> {
        (0..self.count).map(|lane| self.lane(e, lane)).collect::<Option<Vec<Expr>>>().map(Expr::Pack)
    }

    /// The value of a lane.
    pub(super) fn lane(&self, e: &Expr, lane: u8) -> Option<Expr> {
        if !self.varying.expr(e) {
            return self.same(e.clone());
        }
        Some(match e {
            Expr::Local(local) => Expr::Lane(Expr::Local(self.wide(local)?).into(), lane),
            Expr::Index(e) => Expr::Index(self.lane_index(e, lane)),
            Expr::Cond(cond) => self.lane_cond(cond, lane),
            Expr::Load(buffer, scalar, index) => Expr::Load(*buffer, *scalar, self.lane_indices(index, lane)),
            Expr::Vector(..) | Expr::Lane(..) | Expr::All(_) | Expr::Pack(_) => return None,
            Expr::Select(c, a, b) => match self.lane(c, lane)? {
                Expr::Literal(Literal::Bool(c)) => self.lane(if c { a } else { b }, lane)?,
                c => Expr::Select(c.into(), self.lane(a, lane)?.into(), self.lane(b, lane)?.into()),
            },
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), scalar, a, b) => {
                decided(*op, *scalar, self.lane(a, lane)?, self.lane(b, lane)?)
            }
            Expr::Literal(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Math(..) | Expr::Cast(..) => {
                let mut all = true;
                let e = e.map_operands(&mut |x| {
                    let own = self.lane(x, lane);
                    all &= own.is_some();
                    own.unwrap_or_else(|| x.clone())
                });
                return all.then_some(e);
            }
        })
    }

    fn lane_cond(&self, cond: &Cond, lane: u8) -> Expr {
        let cond = match cond {
            Cond::Less(a, b) => Cond::Less(self.lane_index(a, lane), self.lane_index(b, lane)),
            Cond::AtLeast(a, b) => Cond::AtLeast(self.lane_index(a, lane), self.lane_index(b, lane)),
        };
        match self.facts.nonneg(&cond.margin()) {
            truth if truth.is_yes() => Expr::Literal(Literal::Bool(true)),
            truth if truth.is_no() => Expr::Literal(Literal::Bool(false)),
            _ => Expr::Cond(cond),
        }
    }
}

/// `a && b` or `a || b`, without what is known.
fn decided(op: BinaryOp, scalar: Scalar, a: Expr, b: Expr) -> Expr {
    let decides = op == BinaryOp::Or;
    match (a, b) {
        (Expr::Literal(Literal::Bool(known)), other) => match known == decides {
            true => Expr::Literal(Literal::Bool(decides)),
            false => other,
        },
        (other, Expr::Literal(Literal::Bool(known))) if known != decides => other,
        (a, b) => Expr::Binary(op, scalar, a.into(), b.into()),
    }
}

/// Whether there are vectors in it.
pub(super) fn has_vectors(e: &Expr) -> bool {
    e.any(&|e| e.lanes() > 1 || matches!(e, Expr::Lane(..) | Expr::All(_)))
}

/// Whether there are variables of scalars in it.
fn has_variables(e: &Expr) -> bool {
    e.any(&|e| matches!(e, Expr::Local(_)))
}

/// Whether a condition compares data. What it decides between can be read anyway: indices are right by their types, or were checked before
/// anything was read. Where a row ends is decided by indices, which a name may stand for.
fn is_of_data(c: &Expr) -> bool {
    let mut found = true;
    c.visit(&mut |e| {
        found &= match e {
            Expr::Index(_) | Expr::Cond(_) => false,
            Expr::Local(_) => !matches!(e.scalar(), Scalar::Bool | Scalar::Usize),
            _ => e.scalar() != Scalar::Usize,
        }
    });
    found
}

/// Whether C divides by it as the language does.
fn is_divisor(e: &Expr) -> bool {
    matches!(e, Expr::Literal(Literal::Int(n, _)) if *n != 0 && *n != -1)
}

/// Whether a builtin function, or an operator, computes the method for vectors as well.
fn is_builtin(f: MathFn, scalar: Scalar) -> bool {
    match f {
        MathFn::Abs
        | MathFn::Sqrt
        | MathFn::Cbrt
        | MathFn::Exp
        | MathFn::Exp2
        | MathFn::ExpM1
        | MathFn::Ln
        | MathFn::Ln1p
        | MathFn::Log2
        | MathFn::Log10
        | MathFn::Sin
        | MathFn::Cos
        | MathFn::Tan
        | MathFn::Asin
        | MathFn::Acos
        | MathFn::Atan
        | MathFn::Atan2
        | MathFn::Sinh
        | MathFn::Cosh
        | MathFn::Tanh
        | MathFn::Asinh
        | MathFn::Acosh
        | MathFn::Atanh
        | MathFn::Hypot
        | MathFn::Powf
        | MathFn::Powi
        | MathFn::MulAdd
        | MathFn::Floor
        | MathFn::Ceil
        | MathFn::Round
        | MathFn::Trunc
        | MathFn::Recip
        | MathFn::Copysign
        | MathFn::ToRadians
        | MathFn::ToDegrees => scalar.is_float() && scalar != Scalar::F16,
        MathFn::Min | MathFn::Max => scalar != Scalar::F16,
        MathFn::Clamp | MathFn::SaturatingAdd | MathFn::SaturatingSub => scalar.is_integer(),
        MathFn::Signum
        | MathFn::RemEuclid
        | MathFn::DivEuclid
        | MathFn::Fract
        | MathFn::IsNan
        | MathFn::IsFinite
        | MathFn::IsInfinite
        | MathFn::Pow
        | MathFn::AbsDiff
        | MathFn::WrappingAdd
        | MathFn::WrappingSub
        | MathFn::WrappingMul
        | MathFn::WrappingShl
        | MathFn::WrappingShr
        | MathFn::RotateLeft
        | MathFn::RotateRight
        | MathFn::CountOnes
        | MathFn::LeadingZeros
        | MathFn::TrailingZeros => false,
    }
}
