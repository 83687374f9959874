//! Steps in the wrong order: `slide(3, 1) . pad(1, 1, clamp) . map(f)`, which reads well but composes from right
//! to left, and `x.map(f).slide(3, 1).pad(1, 1, clamp)`, its opposite.
//!
//! When a function does not check, its chains are turned around; if it checks then, this is what is wrong, and
//! the message proposes the order that was found.

use crate::diag::{Diagnostic, Diagnostics};
use crate::syntax::term::{Arg, Function, Program, Term, TermKind};
use crate::typecheck::error;
use crate::typecheck::kernel::checks;
use crate::typecheck::provenance::{Provenance, Step, callee, receiver};

/// Mistakes that another order may explain.
const CODES: &[&str] =
    &["L0200", "L0203", "L0204", "L0206", "L0207", "L0240", "L0250", "L0251", "L0257", "L0258"];
/// Longer chains are left alone: every attempt checks the whole function again.
const MAX_STEPS: usize = 12;

/// One message instead of `found`, if another order of steps makes the function right.
pub(super) fn explain(
    program: &Program,
    function: &Function,
    broken: &[bool],
    found: &Diagnostics,
) -> Option<Diagnostic> {
    let first = found.first_error()?;
    if !CODES.contains(&first.code) {
        return None;
    }
    let chain = chain(program, &function.body)?;
    let links = links(program, chain);
    if links.len() < 2 || links.len() > MAX_STEPS {
        return None;
    }
    // Outermost first is the last step first, so this is the order of the steps turned around.
    let plain: Vec<&Term> = links.clone();
    let mut padded = plain.clone();
    for i in 1..padded.len() {
        if is(program, padded[i - 1], "slide") && is(program, padded[i], "pad") {
            padded.swap(i - 1, i);
        }
    }
    let right = [padded, plain].into_iter().find(|order| {
        let body = rebuilt(program, &function.body, order);
        checks(program, &Function { body, ..function.clone() }, broken)
    })?;
    let mut trail = Provenance::default();
    for param in &function.params {
        trail.names.insert(param.binder.id, param.binder.name.clone());
    }
    let text = |link: &&Term| {
        let args = match &link.kind {
            TermKind::Prim(_, args) | TermKind::Call(_, args) => args.as_slice(),
            _ => &[],
        };
        let name = callee(program, link).unwrap_or_default().to_string();
        trail.step(program, &Step { name, args, term: link, depth: 0 })
    };
    let composed = links.iter().any(|link| program.composed.iter().any(|span| span.is(link.span)));
    let order: Vec<String> = links.iter().rev().map(text).collect();
    let steps: Vec<String> = right.iter().map(text).collect();
    let source = links.last().and_then(|last| receiver(program, last));
    let source = source.and_then(|source| trail.text(program, source)).filter(|_| function.source.is_some());
    let proposal = match source {
        Some(source) => format!("{source}.{}", steps.join(".")),
        None => steps.into_iter().rev().collect::<Vec<_>>().join(" . "),
    };
    Some(error::order(first, composed, &order, &proposal))
}

/// The chain that makes the value of a body.
fn chain<'t>(program: &Program, body: &'t Term) -> Option<&'t Term> {
    match &body.kind {
        TermKind::Let(_, _, body) => chain(program, body),
        TermKind::Binary(_, a, b) => chain(program, a).or_else(|| chain(program, b)),
        TermKind::Unary(_, x) | TermKind::Cast(x, _) => chain(program, x),
        TermKind::Prim(..) | TermKind::Call(..) => receiver(program, body).map(|_| body),
        _ => None,
    }
}

/// The steps of a chain, the last first.
fn links<'t>(program: &Program, chain: &'t Term) -> Vec<&'t Term> {
    let mut links = Vec::new();
    let mut term = chain;
    while let Some(inner) = receiver(program, term) {
        links.push(term);
        term = inner;
    }
    links
}

fn is(program: &Program, link: &Term, family: &str) -> bool {
    callee(program, link).is_some_and(|name| name.starts_with(family))
}

/// The body with the steps of its chain in another order, the first step first.
fn rebuilt(program: &Program, body: &Term, order: &[&Term]) -> Term {
    let inner = |term: &Term| Box::new(rebuilt(program, term, order));
    let kind = match &body.kind {
        TermKind::Let(pattern, value, rest) => TermKind::Let(pattern.clone(), value.clone(), inner(rest)),
        TermKind::Binary(op, a, b) if chain(program, a).is_some() => {
            TermKind::Binary(*op, inner(a), b.clone())
        }
        TermKind::Binary(op, a, b) => TermKind::Binary(*op, a.clone(), inner(b)),
        TermKind::Unary(op, x) => TermKind::Unary(*op, inner(x)),
        TermKind::Cast(x, ty) => TermKind::Cast(inner(x), ty.clone()),
        _ => {
            let source = links(program, body).last().and_then(|last| receiver(program, last)).cloned();
            let Some(source) = source else { return body.clone() };
            return order.iter().fold(source, |data, link| applied(link, data));
        }
    };
    Term { kind, span: body.span }
}

/// A step, applied to other data.
fn applied(link: &Term, data: Term) -> Term {
    let on = |args: &[Arg]| {
        let mut args = args.to_vec();
        args.pop();
        args.push(Arg::Data(data.clone()));
        args
    };
    let kind = match &link.kind {
        TermKind::Prim(prim, args) => TermKind::Prim(*prim, on(args)),
        TermKind::Call(id, args) => TermKind::Call(*id, on(args)),
        other => other.clone(),
    };
    Term { kind, span: link.span }
}
