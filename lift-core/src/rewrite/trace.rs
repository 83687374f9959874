//! The derivation of one expression from another, step by step.

use std::fmt;

use crate::arith::{ArithExpr, Var};
use crate::ir::{Arg, BinaryOp, Expr, Kind, MathFn, Prim};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules;
use crate::rewrite::strategy::Position;

/// One application of a rule.
#[derive(Debug, Clone)]
pub struct Step {
    /// The rule.
    pub rule: &'static Rule,
    /// What was done with it.
    pub deed: Deed,
    /// The whole expression afterwards.
    pub after: Expr,
}

/// What a step does.
#[derive(Debug, Clone)]
pub enum Deed {
    /// The rule is applied at a position, and introduces these sizes.
    Apply(Position, Vec<Var>),
    /// A size that a rule introduced becomes this one, most often a number.
    Choose(Var, ArithExpr),
    /// The whole expression is replaced, for a reason that is not in it.
    Replace,
}

/// What became known on the way.
#[derive(Debug, Clone)]
pub struct Declared {
    /// After how many steps.
    pub after: usize,
    /// What it is.
    pub fact: Known,
}

/// What became known of a size.
#[derive(Debug, Clone)]
pub enum Known {
    /// One that a rule introduced has its smallest and its largest value.
    Range(Var, i64, i64),
    /// An extent of the result is at least one: nothing is launched for a result without elements.
    Some(ArithExpr),
}

/// A start and the steps from there. Printed, it reads like a calculation.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Where it starts.
    pub start: Expr,
    /// What was done, in order.
    pub steps: Vec<Step>,
    /// What became known on the way, in order.
    pub declared: Vec<Declared>,
}

impl Trace {
    /// A derivation without steps.
    pub fn new(start: &Expr) -> Trace {
        Trace { start: start.clone(), steps: Vec::new(), declared: Vec::new() }
    }

    /// One derivation after another, which begins where this one ends.
    pub fn then(mut self, next: Trace) -> Trace {
        let declared = next.declared.into_iter();
        let steps = self.steps.len();
        self.declared.extend(declared.map(|known| Declared { after: known.after + steps, ..known }));
        self.steps.extend(next.steps);
        self
    }

    /// Adds a step.
    pub fn push(&mut self, rule: &'static Rule, deed: Deed, after: &Expr) {
        self.steps.push(Step { rule, deed, after: after.clone() });
    }

    /// Notes what became known of a size.
    pub fn declare(&mut self, fact: Known) {
        self.declared.push(Declared { after: self.steps.len(), fact });
    }

    /// Every expression with the rule that led to it; the start has none.
    pub fn expressions(&self) -> impl Iterator<Item = (Option<&'static Rule>, &Expr)> {
        let steps = self.steps.iter().map(|step| (Some(step.rule), &step.after));
        std::iter::once((None, &self.start)).chain(steps)
    }

    /// What was derived.
    pub fn result(&self) -> &Expr {
        self.steps.last().map_or(&self.start, |step| &step.after)
    }

    /// Whether a step regroups operations on floats whose results depend on it.
    pub fn regroups(&self) -> bool {
        let before = std::iter::once(&self.start).chain(self.steps.iter().map(|step| &step.after));
        self.steps.iter().zip(before).any(|(step, before)| {
            rules::regroups(step.rule)
                && match &step.deed {
                    Deed::Apply(position, _) => is_rounded(before.below(position).unwrap_or(before)),
                    Deed::Choose(..) | Deed::Replace => false,
                }
        })
    }

    /// The names of the rules, in order.
    pub fn rules(&self) -> Vec<&'static str> {
        self.steps.iter().map(|step| step.rule.name).collect()
    }
}

/// Whether floats are combined in it by anything but their minimum or maximum.
fn is_rounded(e: &Expr) -> bool {
    let rounds = |x: &Expr| {
        let float = x.ty().as_scalar().is_some_and(|scalar| scalar.is_float());
        float
            && match x.kind() {
                Kind::Binary(op, ..) => *op != BinaryOp::Unrounded,
                Kind::Math(f, _) => !matches!(f, MathFn::Min | MathFn::Max),
                _ => false,
            }
    };
    e.any(&|e| match e.as_prim() {
        Some((Prim::Reduce(_) | Prim::Scan(_) | Prim::ReduceByKey(_), args)) => {
            args.iter().filter_map(Arg::fun).any(|f| f.body.any(&rounds))
        }
        _ => false,
    })
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indented = |e: &Expr| e.to_string().replace('\n', "\n    ");
        writeln!(f, "    {}", indented(&self.start))?;
        for step in &self.steps {
            writeln!(f, "= {{ {}: {} }}", step.rule.name, step.rule.law())?;
            writeln!(f, "    {}", indented(&step.after))?;
        }
        Ok(())
    }
}
