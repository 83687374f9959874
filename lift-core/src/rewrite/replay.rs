//! A derivation, done again.
//!
//! Before: a trace, and what was known where it starts. After: the same steps, each applied where it was applied, and the proof
//! that each still gives what it gave; or the first one that does not. Rules number the variables that they introduce
//! afresh every time, so that expressions are compared up to names: bound variables by their places, sizes by the order in
//! which they appear.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::arith::{ArithExpr, Facts, Var};
use crate::ir::Expr;
use crate::ir::walk::sizes;
use crate::rewrite::scope::same;
use crate::rewrite::strategy::{Derivation, Strategy};
use crate::rewrite::trace::{Declared, Deed, Step, Trace};

/// Why a trace cannot be done again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// Which step, from 1 on.
    pub step: usize,
    /// The name of its rule.
    pub rule: &'static str,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// The rule does not apply where it was applied.
    DoesNotApply,
    /// It gives something else.
    Differs,
    /// It is about a size that no rule introduced before.
    UnknownSize,
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrong = match self.wrong {
            Wrong::DoesNotApply => "does not apply where it was applied",
            Wrong::Differs => "gives something else",
            Wrong::UnknownSize => "is about a size that nothing introduced",
        };
        write!(f, "step {}, `{}`, {wrong}", self.step, self.rule)
    }
}

impl Trace {
    /// Does every step again, under what was known when the derivation began.
    pub fn replay(&self, facts: &Facts) -> Result<Derivation, Stray> {
        let mut replay = Replay { d: Derivation::new(&self.start, facts), names: Names::new(&self.start) };
        let mut declared = self.declared.iter().peekable();
        for (i, step) in self.steps.iter().enumerate() {
            while let Some(known) = declared.next_if(|known| known.after <= i) {
                replay.declare(known);
            }
            replay.step(step).map_err(|wrong| Stray { step: i + 1, rule: step.rule.name, wrong })?;
        }
        declared.for_each(|known| replay.declare(known));
        Ok(replay.d)
    }
}

/// A derivation that is done again, so far.
struct Replay {
    d: Derivation,
    names: Names,
}

impl Replay {
    /// What is known of a size that occurs nowhere says nothing.
    fn declare(&mut self, known: &Declared) {
        if let Some(var) = self.names.now(&known.var) {
            self.d.declare(&var, known.min, known.max);
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Wrong> {
        match &step.deed {
            Deed::Apply(position) => {
                if !Strategy::Rule(step.rule).at(position.clone()).apply(&mut self.d) {
                    return Err(Wrong::DoesNotApply);
                }
            }
            Deed::Choose(var, value) => {
                let var = self.names.now(var).ok_or(Wrong::UnknownSize)?;
                self.d.choose_size(&var, value.substitute(&self.names.now));
            }
            // The reason is not in the expression, so that there is nothing to find out.
            Deed::Replace => self.d.replace(step.rule, &self.names.renamed(&step.after)),
        }
        match self.names.learn(&step.after, self.d.expr()) {
            true if same(&self.names.renamed(&step.after), self.d.expr()) => Ok(()),
            _ => Err(Wrong::Differs),
        }
    }
}

/// The sizes of a trace, and what they are called when it is done again.
struct Names {
    now: BTreeMap<Var, ArithExpr>,
    found: BTreeSet<Var>,
}

impl Names {
    /// At the start, all sizes are the same.
    fn new(start: &Expr) -> Names {
        let found = sizes(start);
        Names { now: found.iter().map(|var| (var.clone(), ArithExpr::var(var))).collect(), found }
    }

    /// What a size of the trace is called now.
    fn now(&self, var: &Var) -> Option<Var> {
        self.now.get(var).and_then(|now| now.vars().into_iter().next())
    }

    /// Matches the sizes that are new in an expression of the trace with those of what was derived now; whether they can be matched.
    fn learn(&mut self, then: &Expr, now: &Expr) -> bool {
        let new_then: Vec<Var> = sizes(then).into_iter().filter(|var| !self.now.contains_key(var)).collect();
        let new_now: Vec<Var> = sizes(now).into_iter().filter(|var| !self.found.contains(var)).collect();
        let alike = new_then.len() == new_now.len()
            && new_then.iter().zip(&new_now).all(|(then, now)| then.name() == now.name());
        for (then, now) in new_then.into_iter().zip(new_now) {
            self.now.insert(then, ArithExpr::var(&now));
            self.found.insert(now);
        }
        alike
    }

    /// An expression of the trace with the names of now.
    fn renamed(&self, then: &Expr) -> Expr {
        then.instantiate(&self.now, &BTreeMap::new())
    }
}
