//! What is a launch of its own, or a loop of launches, stands outside of functions of elements.

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::diag::Diagnostics;
use crate::ir::{Arg, BinaryOp, Expr, Kernel, Kind, Memory, Prim, Type};
use crate::typecheck::error;

/// Reports every `materialize` and every loop of the host that cannot be one.
pub(super) fn check(kernel: &Kernel, diags: &mut Diagnostics) {
    let mut checker = Checker { kernel, names: BTreeMap::new(), diags };
    checker.expr(&kernel.body, false);
}

struct Checker<'a, 'd> {
    kernel: &'a Kernel,
    /// What variables stand for.
    names: BTreeMap<u32, Expr>,
    diags: &'d mut Diagnostics,
}

impl Checker<'_, '_> {
    /// `inside` a function of elements.
    fn expr(&mut self, e: &Expr, inside: bool) {
        match e.kind() {
            Kind::Let(param, value, body) => {
                self.expr(value, inside);
                self.names.insert(param.id, value.clone());
                self.expr(body, inside);
            }
            Kind::Prim(Prim::Store(Memory::Temporary), _) if inside => {
                self.diags.push(error::materialize_inside(e.span()));
            }
            Kind::Prim(prim @ (Prim::Iterate | Prim::IterateUntil), args)
                if !inside && e.ty().contains_array() =>
            {
                for arg in args {
                    if let Some(x) = arg.expr() {
                        self.expr(x, false);
                    }
                }
                if let [Arg::Data(count), ..] = args.as_slice()
                    && !self.is_known(count)
                    && !self.is_parameter(count)
                {
                    self.diags.push(match self.state(count) {
                        Some(name) => error::iterate_count_is_state(count.span(), name, prim.name()),
                        None => error::iterate_count(count.span(), prim.name()),
                    });
                }
            }
            Kind::Prim(_, args) => {
                for arg in args {
                    if let Some(x) = arg.expr() {
                        self.expr(x, inside || arg.fun().is_some());
                    }
                }
            }
            _ => e.children().into_iter().for_each(|x| self.expr(x, inside)),
        }
    }

    /// Whether a number is one of sizes.
    fn is_known(&self, e: &Expr) -> bool {
        match e.kind() {
            Kind::Size(_) | Kind::Literal(_) => true,
            Kind::Binary(BinaryOp::Add | BinaryOp::Mul, a, b) => self.is_known(a) && self.is_known(b),
            Kind::Param(param) => self.names.get(&param.id).is_some_and(|value| self.is_known(value)),
            _ => false,
        }
    }

    /// The name of the parameter, if a number is part of the state of a step: it is the element of an array then.
    fn state(&self, e: &Expr) -> Option<&str> {
        match e.kind() {
            Kind::Param(param) => self.state(self.names.get(&param.id)?),
            Kind::Prim(Prim::At, args) => {
                let Some(Arg::Data(array)) = args.last() else { return None };
                let Kind::Param(param) = array.kind() else { return None };
                let place = self.kernel.params.iter().position(|own| own == param)?;
                let is_single = *array.ty() == Type::array(e.ty().clone(), ArithExpr::one());
                let state = is_single && self.kernel.step.iter().flatten().flatten().any(|own| *own == place);
                state.then(|| &*self.kernel.params[place].name)
            }
            _ => None,
        }
    }

    fn is_parameter(&self, e: &Expr) -> bool {
        let Kind::Param(param) = e.kind() else { return false };
        match self.names.get(&param.id) {
            Some(value) => self.is_parameter(value),
            None => self.kernel.params.contains(param),
        }
    }
}
