//! Questions about types that can only be asked when everything is inferred: is this operator defined for
//! its operands, does this number fit its type?

use crate::diag::Diagnostic;
use crate::ir::prim::MOST_UNROLLED;
use crate::ir::{BinaryOp, MathFn, Prim, Scalar, UnaryOp};
use crate::span::Span;
use crate::typecheck::error;
use crate::typecheck::infer::Inferer;
use crate::typecheck::ty::{Class, Solver, Ty};

/// A question about a type, asked when everything is inferred.
pub(super) enum Later {
    /// The operator must be defined for the type.
    Binary(BinaryOp, Ty, Span),
    /// The same for a prefix operator; the element that is meant, where `-1` is an index.
    Unary(UnaryOp, Ty, Span, Option<String>),
    /// The same for a function of the standard library.
    Math(MathFn, Ty, Span),
    /// The number, or its negation, must fit its type.
    Literal(u64, bool, Ty, Span),
    /// What the primitive of this name accumulates must be small enough to be kept by one work-item.
    Accumulator(&'static str, Ty, Span),
    /// An array of this type goes through the function of an `iterate` inside another function, so many times if
    /// that is known: it must be small, or the number must be.
    Iterated(Ty, Option<u64>, Span),
    /// An array of this type is the state of an `iterate_until` inside another function: it must be small.
    Kept(Ty, Span),
    /// A boundary negates elements of this type.
    Negated(Ty, Span),
    /// The cast must exist; what is cast, where its text is short.
    Cast(Ty, Scalar, Option<String>, Span),
    /// The indices that this primitive takes must be integers.
    Indices(Prim, Ty, Span),
}

impl Inferer<'_, '_> {
    /// Answers what could not be answered before all types were known.
    pub(super) fn answer_later(&mut self) {
        let later = std::mem::take(&mut self.later);
        // `map(sqrt)` alone: what only floats have makes floats of what nothing else decides.
        for question in &later {
            if let Later::Math(f, ty, _) = question
                && !f.accepts(Scalar::I32)
                && self.solver.class(ty) == Some(Class::Any)
            {
                let float = self.solver.unknown(Class::Float);
                // An unknown that may be anything may be this.
                let _ = self.solver.unify(ty, &float);
            }
        }
        for question in later {
            let solver = &self.solver;
            let (ty, span) = match &question {
                Later::Binary(_, ty, span)
                | Later::Unary(_, ty, span, _)
                | Later::Math(_, ty, span)
                | Later::Literal(_, _, ty, span)
                | Later::Indices(_, ty, span)
                | Later::Accumulator(_, ty, span)
                | Later::Iterated(ty, _, span)
                | Later::Kept(ty, span)
                | Later::Negated(ty, span)
                | Later::Cast(ty, _, _, span) => (ty, *span),
            };
            if solver.is_wrong(ty) || solver.is_ambiguous(ty) {
                continue;
            }
            let scalar = match solver.shallow(ty) {
                Ty::Array(..) | Ty::Tuple(_) | Ty::Struct(_) => None,
                Ty::Scalar(_) | Ty::Unknown(_) | Ty::Error => solver.finish(ty).as_scalar(),
            };
            let shown = solver.show(ty);
            let problem = problem(solver, &question, scalar, &shown, span);
            if let Some(problem) = problem {
                let span = self.blame(span);
                let problem = Diagnostic { span, ..problem };
                self.diags.push(problem);
            }
        }
    }
}

/// What is wrong with a type that is known now, which is this scalar if it is one.
fn problem(
    solver: &Solver,
    question: &Later,
    scalar: Option<Scalar>,
    shown: &str,
    span: Span,
) -> Option<Diagnostic> {
    match (question, scalar) {
        (Later::Binary(op, ..), s) if !s.is_some_and(|s| op.accepts(s)) => {
            Some(error::operator_undefined(span, op.symbol(), shown, &[None, None]))
        }
        (Later::Unary(UnaryOp::Neg, _, _, Some(meant)), Some(s)) if !s.is_signed() => {
            Some(error::negative_index(span, shown, meant))
        }
        (Later::Unary(op, ..), s) => {
            let fine = match op {
                UnaryOp::Neg => s.is_some_and(Scalar::is_signed),
                UnaryOp::Not => s.is_some_and(|s| !s.is_float()),
            };
            (!fine).then(|| error::operator_undefined(span, op.symbol(), shown, &[None]))
        }
        (Later::Math(f, ..), s) if !s.is_some_and(|s| f.accepts(s)) => {
            Some(error::operator_undefined(span, f.name(), shown, &[None]))
        }
        (Later::Cast(_, to, text, _), s) => {
            let fine = match (s, to) {
                (None, _) => false,
                (Some(Scalar::Bool), to) => !to.is_float(),
                (Some(_), Scalar::Bool) => false,
                (Some(_), _) => true,
            };
            (!fine).then(|| error::cast(span, shown, to.name(), text.as_deref()))
        }
        (Later::Accumulator(name, ty, _), _) => {
            (!is_small(solver, ty)).then(|| error::array_accumulator(span, name, shown))
        }
        (Later::Iterated(ty, times, _), _) => {
            let unrolled = times.is_some_and(|times| times <= MOST_UNROLLED);
            (!unrolled && !is_small(solver, ty)).then(|| error::iterated_array(span, *times, shown))
        }
        (Later::Negated(..), s) => {
            (!s.is_some_and(Scalar::is_signed)).then(|| error::negated_elements(span, shown))
        }
        (Later::Kept(ty, _), _) => (!is_small(solver, ty)).then(|| error::kept_array(span, shown)),
        (Later::Indices(prim, ..), s) => {
            let fine = s.is_some_and(Scalar::is_integer);
            (!fine).then(|| error::indices_type(span, prim.name(), shown))
        }
        (Later::Literal(value, negated, ..), s) => {
            let range = s.and_then(Scalar::range);
            let largest = range.map_or(u64::MAX, |(_, high)| u64::try_from(high).unwrap_or(u64::MAX));
            let negative = *negated && s.is_some_and(Scalar::is_signed);
            let fits = *value <= largest.saturating_add(u64::from(negative));
            (!fits).then(|| error::literal_too_large(span, *value, shown, largest))
        }
        (Later::Binary(..) | Later::Math(..), _) => None,
    }
}

/// Whether a work-item can keep a value of this type: scalars, or few of them in arrays of known lengths.
fn is_small(solver: &Solver, ty: &Ty) -> bool {
    !solver.contains_array(ty) || solver.finish(ty).small_count(&Clone::clone).is_some()
}
