//! Strategies: which rules are applied where, and in what order.
//!
//! A [`Strategy`] is data, as rules are. It works on a [`Derivation`], the expression as a whole together
//! with its trace, at a position; it succeeds or it fails, and when it fails the derivation is as it was.
//! Repetition is bounded by counts, so that every strategy ends, and always at the same place.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::arith::{ArithExpr, Facts, Var};
use crate::ir::Expr;
use crate::rewrite::normal_marks::{RuleSet, Settled};
use crate::rewrite::rule::{Rewrite, Rule};
use crate::rewrite::trace::{Deed, Known, Trace};

/// How a chosen size appears in traces.
pub static CHOOSE: Rule = Rule {
    name: "choose",
    about: "A size that a rule introduced is chosen.",
    equation: "e = e[T := k]",
    when: "for a size T that a rule introduced and a number k >= 1",
    apply: |_, _| None,
};

/// The way from the root to a subexpression: which child (as in [`Expr::children`]) at every step.
pub type Position = Vec<usize>;

/// An expression that is being rewritten.
#[derive(Debug, Clone)]
pub struct Derivation {
    expr: Expr,
    facts: Arc<Facts>,
    trace: Trace,
    /// Where there is nothing to look for.
    settled: Settled,
}

impl Derivation {
    /// Starts at `expr`.
    pub fn new(expr: &Expr, facts: &Facts) -> Derivation {
        let (facts, settled) = (Arc::new(facts.clone()), Settled::default());
        Derivation { expr: expr.clone(), facts, trace: Trace::new(expr), settled }
    }

    /// The same derivation, to go on with on another thread.
    pub fn fork(&self) -> Derivation {
        Derivation { facts: Arc::new(self.facts.fork()), ..self.clone() }
    }

    /// The expression as it stands.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// What is known about sizes.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Makes a size variable known which a rule introduced.
    pub fn declare(&mut self, var: &Var, min: i64, max: i64) {
        Arc::make_mut(&mut self.facts).declare(var, Some(min.into()), Some(max.into()));
        self.trace.declare(Known::Range(var.clone(), min, max));
        self.settled.clear();
    }

    /// An extent of the result is at least one from now on: nothing is launched for a result without elements.
    pub fn assume_some(&mut self, extent: &ArithExpr) {
        Arc::make_mut(&mut self.facts).assume_nonneg(extent - 1);
        self.trace.declare(Known::Some(extent.clone()));
        self.settled.clear();
    }

    /// Gives a size variable that a rule introduced a value: the rule's law holds for all.
    pub fn choose(&mut self, var: &Var, value: i64) {
        self.choose_size(var, ArithExpr::cst(value));
    }

    /// The same with a size that is known to be a number from 1 on.
    pub fn choose_size(&mut self, var: &Var, value: ArithExpr) {
        let sizes = BTreeMap::from([(var.clone(), value.clone())]);
        self.expr = self.expr.instantiate(&sizes, &BTreeMap::new());
        self.trace.push(&CHOOSE, Deed::Choose(var.clone(), value), &self.expr);
        self.settled.clear();
    }

    /// Replaces the whole expression, for a reason that is not in the expression.
    pub fn replace(&mut self, why: &'static Rule, by: &Expr) {
        self.expr = by.clone();
        self.trace.push(why, Deed::Replace, by);
        self.settled.clear();
    }

    /// What was done so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The subexpression at a position.
    pub fn get(&self, position: &[usize]) -> Option<Expr> {
        self.expr.below(position).cloned()
    }

    /// The expression, the facts and the trace.
    pub fn finish(self) -> (Expr, Facts, Trace) {
        (self.expr, Arc::unwrap_or_clone(self.facts), self.trace)
    }

    /// Applies a rule at a position. Where others go on is said from the root on.
    pub fn apply(&mut self, rule: &'static Rule, position: &[usize]) -> Option<Rewrite> {
        let e = self.get(position)?;
        self.rewrite(rule, position, &e)
    }

    /// The same where `e` stands.
    fn rewrite(&mut self, rule: &'static Rule, position: &[usize], e: &Expr) -> Option<Rewrite> {
        let mut new = rule.rewrite(e, &self.facts)?;
        debug_assert!(
            e.ty().same_shape(new.expr.ty()),
            "{}: {} becomes {}",
            rule.name,
            e.ty(),
            new.expr.ty()
        );
        self.expr = self.expr.with_below(position, &new.expr);
        self.trace.push(rule, Deed::Apply(position.to_vec(), new.sizes.clone()), &self.expr);
        new.focus.iter_mut().for_each(|at| *at = [position, at.as_slice()].concat());
        Some(new)
    }
}

/// What to do at a position.
#[derive(Debug, Clone)]
pub enum Strategy {
    /// Applies the rule.
    Rule(&'static Rule),
    /// One after the other; fails, and undoes all of them, when one fails.
    Seq(Vec<Strategy>),
    /// The first that succeeds.
    OrElse(Vec<Strategy>),
    /// Succeeds also when the inner one fails.
    Try(Box<Strategy>),
    /// Again and again until it fails, at most so many times; succeeds in any case.
    Repeat(Box<Strategy>, usize),
    /// At the first place, from the root downwards and from left to right, where it succeeds.
    Once(Box<Strategy>),
    /// At the first place where it succeeds, subexpressions before what they are part of.
    BottomUp(Box<Strategy>),
    /// Everywhere, from the root downwards, once at each place; succeeds if it did somewhere.
    All(Box<Strategy>),
    /// At a position below this one.
    At(Position, Box<Strategy>),
}

impl Strategy {
    /// The first of these rules that applies.
    pub fn any(rules: &[&'static Rule]) -> Strategy {
        Strategy::OrElse(rules.iter().map(|rule| Strategy::Rule(rule)).collect())
    }

    /// Succeeds in any case.
    pub fn try_(self) -> Strategy {
        Strategy::Try(Box::new(self))
    }

    /// As often as possible, but at most `limit` times.
    pub fn repeat(self, limit: usize) -> Strategy {
        Strategy::Repeat(Box::new(self), limit)
    }

    /// Outermost first, at one place.
    pub fn once(self) -> Strategy {
        Strategy::Once(Box::new(self))
    }

    /// Innermost first, at one place.
    pub fn bottom_up(self) -> Strategy {
        Strategy::BottomUp(Box::new(self))
    }

    /// At every place.
    pub fn all(self) -> Strategy {
        Strategy::All(Box::new(self))
    }

    /// At a position.
    pub fn at(self, position: Position) -> Strategy {
        Strategy::At(position, Box::new(self))
    }

    /// Applies the strategy to the whole expression.
    pub fn apply(&self, derivation: &mut Derivation) -> bool {
        let e = derivation.expr.clone();
        self.run(derivation, &mut Vec::new(), &e)
    }

    /// `e` is what stands at `position`.
    fn run(&self, d: &mut Derivation, position: &mut Position, e: &Expr) -> bool {
        match self {
            Strategy::Rule(rule) => d.rewrite(rule, position, e).is_some(),
            Strategy::Seq(parts) => {
                let (before, steps) = (d.expr.clone(), d.trace.steps.len());
                let done = parts.iter().all(|part| part.run_again(d, position));
                if !done {
                    d.expr = before;
                    d.trace.steps.truncate(steps);
                }
                done
            }
            Strategy::OrElse(parts) => parts.iter().any(|part| part.run(d, position, e)),
            Strategy::Try(inner) => {
                inner.run(d, position, e);
                true
            }
            Strategy::Repeat(inner, limit) => {
                let _ = (0..*limit).all(|_| inner.run_again(d, position));
                true
            }
            Strategy::Once(inner) | Strategy::BottomUp(inner) => {
                self.search(inner, inner.rules(&mut d.settled), d, position, e)
            }
            Strategy::All(inner) => {
                let rules = inner.rules(&mut d.settled);
                if rules.is_some_and(|rules| d.settled.contains(e, rules)) {
                    return false;
                }
                let mut done = inner.run(d, position, e);
                // A rule may change what stands here, and with it the children.
                let mut current = if done { d.get(position) } else { Some(e.clone()) };
                let mut i = 0;
                while let Some(child) = current.as_ref().and_then(|e| e.child(i).cloned()) {
                    position.push(i);
                    let below = self.run(d, position, &child);
                    position.pop();
                    if below {
                        done = true;
                        current = d.get(position);
                    }
                    i += 1;
                }
                if let (false, Some(rules)) = (done, rules) {
                    d.settled.insert(e, rules);
                }
                done
            }
            Strategy::At(below, inner) => {
                let depth = position.len();
                position.extend(below);
                let done = inner.run_again(d, position);
                position.truncate(depth);
                done
            }
        }
    }

    fn run_again(&self, d: &mut Derivation, position: &mut Position) -> bool {
        d.get(position).is_some_and(|e| self.run(d, position, &e))
    }

    /// The rules of which one is applied, if this is such a choice and nothing else.
    fn rules(&self, settled: &mut Settled) -> Option<RuleSet> {
        match self {
            Strategy::Rule(rule) => settled.set(rule),
            Strategy::OrElse(parts) => parts
                .iter()
                .try_fold(RuleSet::default(), |rules, part| Some(rules.with(part.rules(settled)?))),
            Strategy::Seq(_)
            | Strategy::Try(_)
            | Strategy::Repeat(..)
            | Strategy::Once(_)
            | Strategy::BottomUp(_)
            | Strategy::All(_)
            | Strategy::At(..) => None,
        }
    }

    /// Applies `inner`, a choice of `rules`, at the first place where it succeeds. Rewriting replaces the nodes on
    /// the way to a place and no others, so that all of these are visited once, and not again after every step.
    fn search(
        &self,
        inner: &Strategy,
        rules: Option<RuleSet>,
        d: &mut Derivation,
        position: &mut Position,
        e: &Expr,
    ) -> bool {
        if rules.is_some_and(|rules| d.settled.contains(e, rules)) {
            return false;
        }
        let outermost = matches!(self, Strategy::Once(_));
        let below = |d: &mut Derivation, position: &mut Position| {
            e.children().into_iter().enumerate().any(|(i, child)| {
                position.push(i);
                let done = self.search(inner, rules, d, position, child);
                position.pop();
                done
            })
        };
        let done = match outermost {
            true => inner.run(d, position, e) || below(d, position),
            false => below(d, position) || inner.run(d, position, e),
        };
        if let (false, Some(rules)) = (done, rules) {
            d.settled.insert(e, rules);
        }
        done
    }
}
