//! `fold` with a state that no work-item can keep, outside of functions: a loop of the host, each round of which stores the state.

use crate::arith::ArithExpr;
use crate::ir::{Arg, BinaryOp, Expr, Lambda, Literal, Param, Prim, Relation, Scalar, Type};
use crate::span::Span;
use crate::typecheck::infer::Inferer;
use crate::typecheck::obligation::{Obligation, Origin};
use crate::typecheck::ty::Ty;

impl Inferer<'_, '_> {
    /// Whether a `fold` of `len` elements is such a loop: it has lengths in its state that are no numbers, and there is an element.
    pub(super) fn is_host_fold(&self, state: &Ty, len: &ArithExpr, span: Span) -> bool {
        let is_known = |n: &ArithExpr| self.solver.simplified(n).as_const().is_some();
        if self.functions > 0 || self.solver.is_ambiguous(state) || self.has_lengths(state, &is_known) {
            return false;
        }
        let origin = Origin::Equality;
        let (left, right) = (ArithExpr::one(), len.clone());
        let some = Obligation { origin, relation: Relation::AtMost, left, right, span, added: 0 };
        matches!(some.decide(&self.solver), Ok(None))
    }

    /// Whether all lengths of arrays in it are of this kind.
    fn has_lengths(&self, ty: &Ty, kind: &dyn Fn(&ArithExpr) -> bool) -> bool {
        match self.solver.shallow(ty) {
            Ty::Array(element, n) => kind(&n) && self.has_lengths(&element, kind),
            Ty::Tuple(parts) => parts.iter().all(|part| self.has_lengths(part, kind)),
            Ty::Struct(found) => found.fields.iter().all(|(_, field)| self.has_lengths(field, kind)),
            Ty::Scalar(_) | Ty::Unknown(_) | Ty::Error => true,
        }
    }
}

/// `iterate(n, |(i, state)| (i + 1, f(state, xs[i % n])), (0, z)).1`
pub(super) fn host_fold(fold: &Expr) -> Expr {
    let Some((_, [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)])) = fold.as_prim() else {
        crate::bug!("not a fold: {fold}")
    };
    if z.ty().small_count(&Clone::clone).is_some() {
        return fold.clone();
    }
    let Some((_, len)) = xs.ty().as_array() else { crate::bug!("a fold of {}", xs.ty()) };
    let n = || Expr::size(len.clone());
    let number = |n| Expr::literal(Literal::int(n, Scalar::Usize));
    let both = Type::tuple(vec![Scalar::Usize.into(), z.ty().clone()]);
    let param = Param::new("state", both);
    let (i, state) = (Expr::field(Expr::param(&param), 0), Expr::field(Expr::param(&param), 1));
    let index = Expr::binary(BinaryOp::Rem, i.clone(), n());
    let x = Expr::prim(Prim::At, vec![Arg::Data(index), Arg::Data(xs.clone())]);
    let next = Expr::tuple(vec![Expr::binary(BinaryOp::Add, i, number(1)), f.apply(&[state, x])]);
    let round = Lambda { params: vec![param], body: next };
    let start = Expr::tuple(vec![number(0), z.clone()]);
    Expr::field(Expr::prim(Prim::Iterate, vec![Arg::Data(n()), Arg::Fun(round), Arg::Data(start)]), 1)
}
