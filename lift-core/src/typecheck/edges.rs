//! Boundary functions give indices inside the array: proved for both sides of every `pad`.

use crate::arith::{ArithExpr, Truth, Var};
use crate::diag::Diagnostics;
use crate::ir::{Arg, Boundary, Expr, Kind, Prim, build::fresh_id};
use crate::typecheck::bounds::{Scope, is_number};
use crate::typecheck::error;

/// Checks the boundary of `pad`, if it is a function that gives an index.
pub(super) fn check(pad: &Expr, scope: &Scope, diags: &mut Diagnostics) {
    let Some((Prim::Pad, [Arg::Size(l), Arg::Size(r), Arg::Boundary(Boundary::Index(f)), Arg::Data(xs)])) =
        pad.as_prim()
    else {
        return;
    };
    let (Some((_, len)), [i, n]) = (xs.ty().as_array(), f.params.as_slice()) else { return };
    let one = ArithExpr::one();
    for (from, to) in [(-l.clone(), -one.clone()), (len.clone(), len + r - &one)] {
        let mut scope = scope.clone();
        if scope.facts.lt(&to, &from) == Truth::Yes {
            continue;
        }
        let index = Var::new(fresh_id(), &i.name);
        scope.facts.declare(&index, Some(from.clone()), Some(to.clone()));
        scope.values.insert(i.id, ArithExpr::var(&index));
        scope.values.insert(n.id, len.clone());
        let side = Side { from, to, len };
        if !side.holds(&f.body, &mut scope, diags) {
            return;
        }
    }
}

/// The indices outside on one side of an array.
struct Side<'a> {
    from: ArithExpr,
    to: ArithExpr,
    len: &'a ArithExpr,
}

impl Side<'_> {
    /// Whether every value of the body is an index inside. If not, that is reported.
    fn holds(&self, body: &Expr, scope: &mut Scope, diags: &mut Diagnostics) -> bool {
        match body.kind() {
            Kind::Let(param, value, rest) => {
                if is_number(value) {
                    let value = scope.index(value);
                    scope.values.insert(param.id, value);
                }
                self.holds(rest, scope, diags)
            }
            Kind::If(c, a, b) => scope
                .arms(c, a, b)
                .into_iter()
                .all(|(arm, mut inner)| inner.facts.contradict() || self.holds(arm, &mut inner, diags)),
            _ => {
                let value = scope.index(body);
                let facts = &scope.facts;
                let (low, high) = (facts.nonneg(&value), facts.lt(&value, self.len));
                if low == Truth::Yes && high == Truth::Yes {
                    return true;
                }
                let range = facts.lower_bound(&value).zip(facts.upper_bound(&value));
                let range = range.map(|(low, high)| (low.to_string(), high.to_string()));
                let refuted = low == Truth::No || high == Truth::No;
                let (from, to) = (self.from.to_string(), self.to.to_string());
                let len = self.len.to_string();
                diags.push(error::boundary_out_of_range(body.span(), refuted, (&from, &to), range, &len));
                false
            }
        }
    }
}
