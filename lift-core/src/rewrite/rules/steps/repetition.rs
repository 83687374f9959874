//! Steps that are repeated: what comes after itself is one repetition, and a repetition has parts.

use std::rc::Rc;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, BinaryOp, Expr, Lambda, Memory, Prim, Type};
use crate::rewrite::demand::as_size;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::control::renewed;
use crate::rewrite::rules::steps::step::Step;
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::same_function;

/// So many steps at once at most.
pub(super) const MOST_STEPS: i64 = 16;

pub static ITERATE_PARTS: Rule = Rule {
    name: "iterate_parts",
    about: "Repetition in parts of so many rounds.",
    equation: "iterate(k, f) = iterate(k % T, f) . iterate(k / T, iterate(T, f))",
    when: "for a new size T",
    apply: |e, cx| {
        let (Prim::Iterate, [Arg::Data(k), Arg::Fun(f), Arg::Data(x)]) = e.as_prim()? else { return None };
        let steps = cx.size("STEPS");
        let (whole, rest) = match as_size(k) {
            Some(n) => {
                let whole = n.div(&steps);
                (Expr::size(whole.clone()), Expr::size(&n - &(whole * &steps)))
            }
            None => {
                let by = |op| Expr::binary(op, k.clone(), Expr::size(steps.clone()));
                (by(BinaryOp::Div), by(BinaryOp::Rem))
            }
        };
        let pass = Lambda::unary(&f.params.first()?.name, x.ty().clone(), |state| {
            iterate(Expr::size(steps.clone()), renewed(f), state)
        });
        Some(iterate(rest, f.clone(), iterate(whole, pass, x.clone())))
    },
};

pub static ITERATE_MORE: Rule = Rule {
    name: "iterate_more",
    about: "The same step after itself.",
    equation: "f . f = iterate(2, f), and f . iterate(k, f) = iterate(k + 1, f)",
    when: "for a stencil f, also with materialize between",
    apply: |e, cx| candidates(e).into_iter().find_map(|y| more(e, y, cx.facts)),
};

fn iterate(k: Expr, f: Lambda, x: Expr) -> Expr {
    Expr::prim(Prim::Iterate, vec![Arg::Data(k), Arg::Fun(f), Arg::Data(x)])
}

/// What `e` is, if it is a step from `y`, and `y` is the same from something else.
fn more(e: &Expr, y: &Expr, facts: &Facts) -> Option<Expr> {
    let bare = bare(y);
    bare.as_prim()?;
    let f = function_of(e, y);
    Step::of(&f, facts)?;
    if let Some((Prim::Iterate, [Arg::Data(k), Arg::Fun(g), Arg::Data(x)])) = bare.as_prim() {
        let next = match as_size(k) {
            Some(n) => Expr::size(n + ArithExpr::one()),
            None => Expr::binary(BinaryOp::Add, k.clone(), Expr::size(ArithExpr::one())),
        };
        return same_function(&f, g).then(|| iterate(next, f, x.clone()));
    }
    let x = candidates(bare).into_iter().find(|x| same_function(&function_of(bare, x), &f))?;
    Some(iterate(Expr::size(2.into()), f, x.clone()))
}

/// What an expression may be a step of: data of its type that stand in it, and in no function, the outermost first.
pub(super) fn candidates(e: &Expr) -> Vec<&Expr> {
    fn inside<'a>(e: &'a Expr, ty: &Type, found: &mut Vec<&'a Expr>) {
        let Some((_, args)) = e.as_prim() else { return };
        for x in args.iter().filter_map(Arg::data) {
            if x.ty() == ty {
                found.push(x);
            }
            inside(x, ty, found);
        }
    }
    let mut found = Vec::new();
    inside(e, e.ty(), &mut found);
    found
}

/// What is stored, if this says that something is.
pub(super) fn bare(e: &Expr) -> &Expr {
    match e.as_prim() {
        Some((Prim::Store(Memory::Temporary), [Arg::Data(inner)])) => inner,
        _ => e,
    }
}

/// What an expression is of another that stands in it.
pub(super) fn function_of(e: &Expr, x: &Expr) -> Lambda {
    Lambda::unary("state", x.ty().clone(), |state| replace_all(e, x, &state))
}

/// The steps of a repetition, and what they begin with.
pub(super) fn rounds<'a>(e: &'a Expr, facts: &Facts) -> Option<(Vec<Rc<Step>>, &'a Expr)> {
    let (times, f, x) = iterated(e)?;
    let step = Rc::new(Step::of(f, facts)?);
    Some((vec![step; times as usize], x))
}

/// How often, what, and to what, if something is repeated a few times.
pub(super) fn iterated(e: &Expr) -> Option<(i64, &Lambda, &Expr)> {
    let (Prim::Iterate, [Arg::Data(k), Arg::Fun(f), Arg::Data(x)]) = e.as_prim()? else { return None };
    let steps = as_size(k)?.as_const()?;
    ((2..=MOST_STEPS).contains(&steps)).then_some((steps, f, x))
}
