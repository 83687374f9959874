//! The derivation of one expression from another, step by step.

use std::fmt;

use crate::ir::Expr;
use crate::rewrite::rule::Rule;

/// One application of a rule.
#[derive(Debug, Clone)]
pub struct Step {
    /// The rule.
    pub rule: &'static str,
    /// Its law.
    pub law: &'static str,
    /// The whole expression afterwards.
    pub after: Expr,
}

/// A start and the steps from there. Printed, it reads like a calculation.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Where it starts.
    pub start: Expr,
    /// What was done, in order.
    pub steps: Vec<Step>,
}

impl Trace {
    /// A derivation without steps.
    pub fn new(start: &Expr) -> Trace {
        Trace { start: start.clone(), steps: Vec::new() }
    }

    /// Adds a step.
    pub fn push(&mut self, rule: &'static Rule, after: &Expr) {
        self.steps.push(Step { rule: rule.name, law: rule.law, after: after.clone() });
    }

    /// Every expression with the rule that led to it and its law; both are empty for the start.
    pub fn expressions(&self) -> impl Iterator<Item = (&'static str, &'static str, &Expr)> {
        let steps = self.steps.iter().map(|step| (step.rule, step.law, &step.after));
        std::iter::once(("", "", &self.start)).chain(steps)
    }

    /// What was derived.
    pub fn result(&self) -> &Expr {
        self.steps.last().map_or(&self.start, |step| &step.after)
    }

    /// The names of the rules, in order.
    pub fn rules(&self) -> Vec<&'static str> {
        self.steps.iter().map(|step| step.rule).collect()
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indented = |e: &Expr| e.to_string().replace('\n', "\n    ");
        writeln!(f, "    {}", indented(&self.start))?;
        for step in &self.steps {
            writeln!(f, "= {{ {}: {} }}", step.rule, step.law)?;
            writeln!(f, "    {}", indented(&step.after))?;
        }
        Ok(())
    }
}
