//! Types and sizes as the user wrote them.

use std::rc::Rc;

use crate::arith::ArithExpr;
use crate::ir::{Relation, Scalar};
use crate::syntax::ast::{self, SizeKind, SizeOp, TypeKind};
use crate::syntax::term::{Program, Term, TermKind};
use crate::typecheck::env::Env;
use crate::typecheck::error;
use crate::typecheck::infer::Inferer;
use crate::typecheck::obligation::{Obligation, Origin};
use crate::typecheck::ty::{Class, StructTy, Ty};

impl<'a> Inferer<'a, '_> {
    /// The type that was written. With `declare`, size names not seen yet become unknown sizes, and generic
    /// type names become unknown types.
    pub(super) fn ty(&mut self, ty: &ast::Type, env: &mut Env<'a>, declare: bool) -> Ty {
        match &ty.kind {
            TypeKind::Infer => self.solver.unknown(Class::Any),
            TypeKind::Name(name) => match (Scalar::from_name(name), env.types.get(name)) {
                (Some(scalar), _) => Ty::Scalar(scalar),
                (None, Some(ty)) => ty.clone(),
                (None, None) if self.program.structs.iter().any(|s| s.name == *name) => self.struct_ty(name),
                (None, None) => {
                    self.diags.push(error::unknown_type(ty.span, name));
                    self.unreadable()
                }
            },
            TypeKind::Array(element, len) => {
                let element = self.ty(element, env, declare);
                if declare {
                    for (name, _) in len.names() {
                        if !env.sizes.contains_key(name)
                            && !self.program.consts.iter().any(|c| c.name == name)
                        {
                            env.sizes.insert(name.to_string(), self.solver.unknown_size(name));
                        }
                    }
                }
                match self.size(len, env) {
                    Some(len) => Ty::Array(element.into(), len),
                    None => self.unreadable(),
                }
            }
            TypeKind::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| self.ty(p, env, declare)).collect()),
            TypeKind::Function(..) | TypeKind::Boundary(_) => {
                self.diags.push(error::not_data(ty.span));
                self.unreadable()
            }
        }
    }

    /// A type that is wrong, which was reported: nothing of this kernel is built.
    fn unreadable(&mut self) -> Ty {
        self.poisoned = true;
        Ty::Error
    }

    /// The struct of that name.
    fn struct_ty(&mut self, name: &str) -> Ty {
        let index = self.program.structs.iter().position(|s| s.name == name);
        match index.and_then(|index| self.struct_at(index)) {
            Some(found) => Ty::Struct(found),
            None => self.unreadable(),
        }
    }

    /// The struct at this position; `None` if it is wrong by itself.
    pub(super) fn struct_at(&mut self, index: usize) -> Option<Rc<StructTy>> {
        let program = self.program;
        let found = program.structs.get(index).filter(|s| !s.fields.is_empty())?;
        let fields = found.fields.iter().map(|(name, ty)| {
            // Its own fields are all it may mention: sizes and type variables have no place in it.
            let known = !is_unreadable(ty);
            (name.clone(), if known { self.ty(ty, &mut Env::default(), false) } else { self.unreadable() })
        });
        let fields = fields.collect();
        Some(Rc::new(StructTy { index, name: found.name.clone(), fields }))
    }

    /// The size that was written.
    pub(super) fn size(&mut self, size: &ast::SizeExpr, env: &Env<'a>) -> Option<ArithExpr> {
        match &size.kind {
            SizeKind::Const(n) => Some(ArithExpr::cst(*n)),
            SizeKind::Name(name) => {
                let found = env.sizes.get(name).cloned();
                let found = found.or_else(|| integer_const(self.program, name).map(ArithExpr::cst));
                if found.is_none() {
                    let is_const = self.program.consts.iter().any(|c| &c.name == name);
                    let make = if is_const { error::const_not_a_size } else { error::unknown_size };
                    self.diags.push(make(size.span, name));
                }
                found
            }
            SizeKind::Binary(op, a, b) => {
                let (a, b) = (self.size(a, env)?, self.size(b, env)?);
                let divides = matches!(op, SizeOp::Div | SizeOp::Mod | SizeOp::DivCeil);
                if divides && b.as_const().is_some_and(|n| n <= 0) {
                    self.diags.push(error::size_division(size.span, b.to_string()));
                    return None;
                }
                if divides && b.as_const().is_none() {
                    self.obligations.push(Obligation {
                        origin: Origin::Divisor,
                        relation: Relation::AtMost,
                        left: ArithExpr::one(),
                        right: b.clone(),
                        span: size.span,
                        added: 0,
                    });
                }
                let result = match op {
                    SizeOp::Add => a + b,
                    SizeOp::Sub => a - b,
                    SizeOp::Mul => a * b,
                    SizeOp::Div => a.div(&b),
                    SizeOp::Mod => a.modulo(&b),
                    SizeOp::Min => ArithExpr::min(&a, &b),
                    SizeOp::Max => ArithExpr::max(&a, &b),
                    SizeOp::DivCeil => a.div_ceil(&b),
                };
                if result.is_beyond_machines() {
                    self.diags.push(error::size_too_large(size.span));
                    return None;
                }
                Some(result)
            }
        }
    }
}

/// The value of an integer constant of the block.
pub(super) fn integer_const(program: &Program, name: &str) -> Option<i64> {
    let constant = program.consts.iter().find(|c| c.name == name)?;
    integer(program, &constant.value)
}

fn integer(program: &Program, term: &Term) -> Option<i64> {
    use crate::ir::UnaryOp;
    match &term.kind {
        TermKind::Literal(ast::Literal::Int(n, _)) => i64::try_from(*n).ok(),
        TermKind::Const(index) => integer(program, &program.consts[*index].value),
        TermKind::Size(ast::SizeExpr { kind: SizeKind::Name(name), .. }) => integer_const(program, name),
        TermKind::Size(ast::SizeExpr { kind: SizeKind::Const(n), .. }) => Some(*n),
        TermKind::Unary(UnaryOp::Neg, x) => integer(program, x)?.checked_neg(),
        TermKind::Binary(op, a, b) => {
            let (a, b) = (integer(program, a)?, integer(program, b)?);
            op.of_integers(a, b)
        }
        _ => None,
    }
}

/// Whether a part of the type was left out, or could not be read.
pub(super) fn is_unreadable(ty: &ast::Type) -> bool {
    ty.all().iter().any(|ty| matches!(ty.kind, TypeKind::Infer))
}
