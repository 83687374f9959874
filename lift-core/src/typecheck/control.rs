//! Inference for primitives whose type no signature says: `unzip`, whose result has as many parts as the
//! tuples, and `iterate`, whose function may change the lengths.

use crate::bug;
use crate::ir::prim::MOST_UNROLLED;
use crate::ir::{self, BinaryOp, Expr, Lambda, Prim, Scalar};
use crate::span::Span;
use crate::syntax::ast::Literal;
use crate::syntax::term::{Closure, Term, TermKind};
use crate::typecheck::env::{Binding, Checked, Env};
use crate::typecheck::error;
use crate::typecheck::infer::Inferer;
use crate::typecheck::later::Later;
use crate::typecheck::ty::Ty;

impl<'a> Inferer<'a, '_> {
    /// `unzip(xs)`
    pub(super) fn unzip(&mut self, xs: &'a Term, env: &Env<'a>, span: Span) -> Checked<'a> {
        let xs = self.infer(xs, env);
        let parts = match self.solver.shallow(&xs.ty) {
            Ty::Error => return xs,
            Ty::Array(element, len) => match self.solver.shallow(&element) {
                Ty::Error => return self.wrong(),
                Ty::Tuple(parts) if parts.len() >= 2 => {
                    let array = |part: &Ty| Ty::Array(part.clone().into(), len.clone());
                    Some(parts.iter().map(array).collect())
                }
                Ty::Scalar(_) | Ty::Array(..) | Ty::Tuple(_) | Ty::Struct(_) | Ty::Unknown(_) => None,
            },
            Ty::Scalar(_) | Ty::Tuple(_) | Ty::Struct(_) | Ty::Unknown(_) => None,
        };
        let Some(parts) = parts else {
            // What is unknown after a mistake was not left out by the user.
            if self.poisoned && self.solver.is_ambiguous(&xs.ty) {
                return self.wrong();
            }
            let shown = self.solver.show(&xs.ty);
            return self.fail(error::unzip_of(self.blame(span), &shown));
        };
        let build = xs.build;
        Checked {
            ty: Ty::Tuple(parts),
            build: Box::new(move |s| Expr::prim(Prim::Unzip, vec![ir::Arg::Data(build(s))])),
        }
    }

    /// `iterate(k, f, x)`. Where `f` gives another type than it takes, as an array of another length, and `k` is
    /// a number, the applications are written out.
    pub(super) fn iterate(
        &mut self,
        k: &'a Term,
        f: &'a Closure,
        x: &'a Term,
        env: &Env<'a>,
        span: Span,
    ) -> Checked<'a> {
        let times = self.number(k, env);
        let count = self.infer(k, env);
        let x = self.infer(x, env);
        if self.solver.unify(&Ty::Scalar(Scalar::Usize), &count.ty).is_err() {
            let found = self.solver.show(&count.ty);
            let literal = self.number_in(k, &found);
            let d = error::argument(self.blame(k.span), "iterate", "k", "usize", &found, literal.as_deref());
            return self.fail(d);
        }
        let before = self.diags.errors();
        let mut inner = env.clone();
        let mut bounds = self.bind_params("iterate", f, std::slice::from_ref(&x.ty), &mut inner);
        let body = self.infer(&f.body, &inner);
        let Some(bound) = bounds.pop().filter(|_| self.diags.errors() == before) else {
            return Checked { ty: x.ty, ..self.wrong() };
        };
        let unrolled =
            times.filter(|_| self.solver.contains_array(&x.ty) || self.solver.contains_array(&body.ty));
        if let Some(times) = unrolled
            && !self.solver.unify_fully(&x.ty, &body.ty)
        {
            if times > MOST_UNROLLED {
                return self.fail(error::iterated_type(self.blame(span), times));
            }
            if times == 0 {
                return x;
            }
            let mut result = Checked { ty: body.ty, build: bound.build_let(x.build, body.build) };
            for _ in 1..times {
                result = self.apply(f, env.clone(), vec![result]);
            }
            return result;
        }
        if self.solver.unify(&x.ty, &body.ty).is_err() {
            let (wanted, found) = (self.solver.show(&x.ty), self.solver.show(&body.ty));
            return self.fail(error::function_result(self.blame(f.span), "iterate", &wanted, &found));
        }
        if self.functions > 0 {
            self.later.push(Later::Iterated(x.ty.clone(), times, self.blame(span)));
        }
        Checked {
            ty: x.ty,
            build: Box::new(move |s| {
                let count = match times {
                    Some(times) => Expr::literal(ir::Literal::int(times.into(), Scalar::Usize)),
                    None => (count.build)(s),
                };
                let start = (x.build)(s);
                let f = Lambda { params: vec![bound.make_param(s)], body: (body.build)(s) };
                Expr::prim(Prim::Iterate, vec![ir::Arg::Data(count), ir::Arg::Fun(f), ir::Arg::Data(start)])
            }),
        }
    }

    /// The number that a term is, if it is known.
    fn number(&mut self, term: &'a Term, env: &Env<'a>) -> Option<u64> {
        match &term.kind {
            TermKind::Literal(Literal::Int(value, _)) => Some(*value),
            TermKind::Size(size) => {
                let size = self.size(size, env)?;
                u64::try_from(self.solver.simplified(&size).as_const()?).ok()
            }
            TermKind::Const(index) => {
                let program = self.program;
                self.number(&program.consts[*index].value, &Env::default())
            }
            TermKind::Local(id) => match env.get(*id).as_deref() {
                Some(Binding::Size(size)) => u64::try_from(self.solver.simplified(size).as_const()?).ok(),
                Some(Binding::Data(..)) => None,
                Some(Binding::Function(..) | Binding::Boundary(..)) | None => {
                    bug!("a variable is not what resolution took it for")
                }
            },
            TermKind::Binary(op, a, b) => {
                let (a, b) = (self.number(a, env)?, self.number(b, env)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Sub => a.checked_sub(b),
                    BinaryOp::Mul => a.checked_mul(b),
                    BinaryOp::Div => a.checked_div(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
