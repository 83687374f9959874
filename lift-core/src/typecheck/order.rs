//! The order in which functions are checked: callees before callers, so that a mistake in a helper is
//! reported there and nowhere else.

use crate::span::Span;
use crate::syntax::term::{Arg, Boundary, Function, FunctionId, Program, Term, TermKind};

/// All functions, callees first. There is no recursion: resolution has seen to that.
pub(super) fn callees_first(program: &Program) -> Vec<FunctionId> {
    let mut order = Vec::new();
    let mut seen = vec![false; program.functions.len()];
    for id in 0..program.functions.len() as u32 {
        visit(program, FunctionId(id), &mut seen, &mut order);
    }
    order
}

fn visit(program: &Program, id: FunctionId, seen: &mut [bool], order: &mut Vec<FunctionId>) {
    if std::mem::replace(&mut seen[id.0 as usize], true) {
        return;
    }
    for (callee, _) in calls(&program.functions[id.0 as usize]) {
        visit(program, callee, seen, order);
    }
    order.push(id);
}

/// The calls in a function, and where they stand.
pub(super) fn calls(function: &Function) -> Vec<(FunctionId, Span)> {
    let mut found = Vec::new();
    collect(&function.body, &mut found);
    found
}

fn collect(term: &Term, found: &mut Vec<(FunctionId, Span)>) {
    match &term.kind {
        TermKind::Local(_)
        | TermKind::Literal(_)
        | TermKind::Size(_)
        | TermKind::Const(_)
        | TermKind::Error => {}
        TermKind::Unary(_, x) | TermKind::Cast(x, _) | TermKind::Field(x, _) | TermKind::Named(x, _) => {
            collect(x, found);
        }
        TermKind::Binary(_, a, b) | TermKind::Let(_, a, b) => {
            collect(a, found);
            collect(b, found);
        }
        TermKind::If(c, a, b) => [c, a, b].into_iter().for_each(|x| collect(x, found)),
        TermKind::Math(_, xs)
        | TermKind::Tuple(xs)
        | TermKind::Struct(_, xs)
        | TermKind::ArrayLiteral(xs)
        | TermKind::CallLocal(_, xs) => xs.iter().for_each(|x| collect(x, found)),
        TermKind::Prim(_, args) => args.iter().for_each(|a| collect_arg(a, found)),
        TermKind::Call(id, args) => {
            found.push((*id, term.span));
            args.iter().for_each(|a| collect_arg(a, found));
        }
    }
}

fn collect_arg(arg: &Arg, found: &mut Vec<(FunctionId, Span)>) {
    match arg {
        Arg::Data(term) => collect(term, found),
        Arg::Function(closure) | Arg::Boundary(Boundary::Index(closure) | Boundary::Value(closure), _) => {
            collect(&closure.body, found);
        }
        Arg::Boundary(Boundary::Constant(term), _) => collect(term, found),
        Arg::Boundary(..) | Arg::Size(_) => {}
    }
}
