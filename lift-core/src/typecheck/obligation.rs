//! Facts about sizes that a program needs: proved, refuted, or left to the launch.

use crate::arith::{ArithExpr, Facts, Truth};
use crate::diag::{Diagnostic, Diagnostics};
use crate::ir::{Check, Prim, Relation};
use crate::span::Span;
use crate::typecheck::error;
use crate::typecheck::ty::Solver;

/// A fact that must hold for a primitive's arguments.
#[derive(Debug, Clone)]
pub(super) struct Obligation {
    /// Who needs it.
    pub(super) origin: Origin,
    /// The relation.
    pub(super) relation: Relation,
    /// Left side.
    pub(super) left: ArithExpr,
    /// Right side.
    pub(super) right: ArithExpr,
    /// The tokens to blame.
    pub(super) span: Span,
    /// How much of the length in question is padding already, for messages.
    pub(super) added: i64,
}

/// Who needs a fact.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// A primitive; what the user called, which is it or leads to it; the sizes its signature speaks of, in order of
    /// their names.
    Prim(Prim, String, Vec<(String, ArithExpr)>),
    /// `#[size(..)]`
    Fact(Promise),
    /// Two types that must agree.
    Equality,
    /// A size that divides by another one.
    Divisor,
}

/// A fact that the user wrote.
#[derive(Debug, Clone)]
pub(super) struct Promise {
    /// The function whose caller must keep it; `None` for the kernel's own, which its launch checks.
    pub(super) by: Option<String>,
    /// The fact.
    pub(super) text: String,
    /// What the names in it stand for at this call.
    pub(super) values: Vec<(String, ArithExpr)>,
}

impl Obligation {
    /// Decides the fact: `Ok(None)` if it is proved, a check if only the launch can tell.
    pub(super) fn decide(&self, solver: &Solver) -> Result<Option<Check>, Box<Diagnostic>> {
        let (left, right) = (solver.simplified(&self.left), solver.simplified(&self.right));
        let facts = &solver.facts;
        let truth = match self.relation {
            Relation::Equal => facts.eq(&left, &right),
            Relation::AtMost => facts.le(&left, &right),
        };
        match truth {
            Truth::Yes => Ok(None),
            Truth::No => Err(Box::new(self.refuted(solver))),
            Truth::Unknown => {
                let message = self.launch_message(solver, &left, &right);
                Ok(Some(Check { relation: self.relation, left, right, message }))
            }
        }
    }

    fn named(&self, solver: &Solver, name: &str) -> String {
        match &self.origin {
            Origin::Prim(_, _, sizes) => sizes
                .iter()
                .find(|(n, _)| n == name)
                .map_or_else(|| name.to_string(), |(_, size)| solver.show_size(size)),
            Origin::Fact(_) | Origin::Equality | Origin::Divisor => name.to_string(),
        }
    }

    fn refuted(&self, solver: &Solver) -> Diagnostic {
        let show = |name: &str| self.named(solver, name);
        match &self.origin {
            Origin::Prim(Prim::Split, callee, _) if self.relation == Relation::Equal => {
                error::not_a_multiple(self.span, callee, &show("m"), &show("n"))
            }
            Origin::Prim(Prim::Slide | Prim::SlideSeq, ..) if self.relation == Relation::Equal => {
                error::step_leaves_rest(self.span, show("size"), show("step"), show("n"))
            }
            Origin::Prim(Prim::Slide | Prim::SlideSeq, callee, _)
                if solver.simplified(&self.left) == solver.simplified_named(&self.origin, "size") =>
            {
                error::window_too_large(self.span, callee, &show("size"), &show("n"), self.added)
            }
            Origin::Prim(Prim::Slide | Prim::SlideSeq, ..)
                if solver.simplified(&self.right) == solver.simplified_named(&self.origin, "step") =>
            {
                error::no_step(self.span, show("size"), show("step"))
            }
            Origin::Prim(prim @ (Prim::Take | Prim::Drop), ..)
                if solver.simplified(&self.right) == solver.simplified_named(&self.origin, "n") =>
            {
                error::too_few_elements(self.span, prim.name(), show("k"), show("n"))
            }
            Origin::Prim(prim @ (Prim::Pad | Prim::Gather), ..) if self.is_at_zero(solver) => {
                error::no_element(self.span, *prim, &show("n"))
            }
            Origin::Prim(prim, ..) => {
                let fact = self.text(solver);
                error::fact_refuted(self.span, prim.name(), &fact)
            }
            Origin::Fact(Promise { by: None, text, .. }) => error::own_fact_refuted(self.span, text),
            Origin::Fact(Promise { by: Some(function), text, values }) => {
                let values: Vec<String> = values
                    .iter()
                    .map(|(name, value)| (name, solver.show_size(value)))
                    .filter(|(name, value)| *name != value)
                    .map(|(name, value)| format!("{name} is {value}"))
                    .collect();
                error::promise_refuted(self.span, function, text, &values)
            }
            Origin::Equality => {
                error::lengths(self.span, solver.show_size(&self.left), solver.show_size(&self.right))
            }
            Origin::Divisor => error::size_division(self.span, solver.show_size(&self.right)),
        }
    }

    /// Whether it says that the array has elements if any are read.
    fn is_at_zero(&self, solver: &Solver) -> bool {
        solver.simplified(&self.right) == solver.simplified_named(&self.origin, "n")
            && solver.simplified(&self.left) != ArithExpr::zero()
    }

    fn text(&self, solver: &Solver) -> String {
        let relation = match self.relation {
            Relation::Equal => "==",
            Relation::AtMost => "<=",
        };
        format!("{} {relation} {}", solver.show_size(&self.left), solver.show_size(&self.right))
    }

    fn launch_message(&self, solver: &Solver, left: &ArithExpr, right: &ArithExpr) -> String {
        let show = |name: &str| self.named(solver, name);
        match &self.origin {
            Origin::Prim(Prim::Split, ..) if self.relation == Relation::Equal => format!(
                "`split({m})` needs a length that {m} divides, but {n} leaves a remainder of {{left}}{{sizes}}",
                m = show("m"),
                n = show("n")
            ),
            Origin::Prim(prim @ (Prim::Slide | Prim::SlideSeq), ..) if self.relation == Relation::Equal => {
                format!(
                    "`{prim}({size}, {step})` over {n} elements would leave {{left}} of them out{{sizes}}",
                    prim = prim.name(),
                    size = show("size"),
                    step = show("step"),
                    n = show("n")
                )
            }
            Origin::Prim(Prim::Slide | Prim::SlideSeq, ..)
                if right == &solver.simplified_named(&self.origin, "n") =>
            {
                format!(
                    "a window of {{left}} does not fit into an array of {} = {{right}} elements{{sizes}}",
                    show("n")
                )
            }
            Origin::Prim(prim @ (Prim::Pad | Prim::Gather), ..) if self.is_at_zero(solver) => format!(
                "`{}` needs an element to {}, but its array has {} = {{right}}",
                prim.name(),
                if *prim == Prim::Pad { "repeat" } else { "read" },
                show("n")
            ),
            Origin::Prim(prim, ..) => {
                format!("`{}` needs {}, but {}", prim.name(), self.text(solver), found(solver, left, right))
            }
            Origin::Fact(Promise { by: None, text, .. }) => {
                format!("`#[size({text})]` does not hold: {}", found(solver, left, right))
            }
            Origin::Fact(Promise { by: Some(by), .. }) => {
                format!("`{by}` needs {}, but {}", self.text(solver), found(solver, left, right))
            }
            Origin::Divisor => format!("a size is divided by {} = {{right}}", solver.show_size(right)),
            Origin::Equality => format!(
                "{} and {} must be equal, but they are {{left}} and {{right}}{{sizes}}",
                solver.show_size(left),
                solver.show_size(right)
            ),
        }
    }
}

/// `W % 128 is {left}{sizes}`: what both sides are at a launch, as far as that is not plain from how they are written.
fn found(solver: &Solver, left: &ArithExpr, right: &ArithExpr) -> String {
    let side = |size: &ArithExpr, value: &str| {
        size.as_const().is_none().then(|| format!("{} is {value}", solver.show_size(size)))
    };
    let sides: Vec<String> = [side(left, "{left}"), side(right, "{right}")].into_iter().flatten().collect();
    format!("{}{{sizes}}", sides.join(" and "))
}

impl Solver {
    fn simplified_named(&self, origin: &Origin, name: &str) -> ArithExpr {
        match origin {
            Origin::Prim(_, _, sizes) => sizes
                .iter()
                .find(|(n, _)| n == name)
                .map_or_else(ArithExpr::zero, |(_, size)| self.simplified(size)),
            Origin::Fact(_) | Origin::Equality | Origin::Divisor => ArithExpr::zero(),
        }
    }
}

/// Makes a fact known. That a remainder is zero is said as divisibility, from which more follows.
pub(super) fn assume(facts: &mut Facts, relation: Relation, left: &ArithExpr, right: &ArithExpr) {
    match (relation, left.as_modulo()) {
        (Relation::Equal, Some((dividend, divisor))) if right == &ArithExpr::zero() => {
            facts.assume_multiple(dividend.clone(), divisor.clone());
        }
        (Relation::Equal, _) => facts.assume_eq(left.clone(), right.clone()),
        (Relation::AtMost, _) => facts.assume_nonneg(right - left),
    }
}

/// Decides all obligations. Refuted ones are reported, open ones returned, and everything assumed from then
/// on. The order is that of the program, so the first broken fact is what a launch reports.
pub(super) fn decide_all(
    obligations: &[Obligation],
    solver: &mut Solver,
    diags: &mut Diagnostics,
) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for obligation in obligations {
        match obligation.decide(solver) {
            Ok(None) => {}
            Ok(Some(check)) => {
                assume(&mut solver.facts, check.relation, &check.left, &check.right);
                checks.push(check);
            }
            Err(diagnostic) => diags.push(*diagnostic),
        }
    }
    checks
}
