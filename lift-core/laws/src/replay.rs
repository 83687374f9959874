//! A derivation, done again.
//!
//! Before: a trace, and what was known where it starts. After: the same steps, each applied where it was applied, and the proof
//! that each still gives what it gave; or the first one that does not. Rules number the variables that they introduce
//! afresh every time, so that expressions are compared up to names: bound variables by their places, sizes by the rules that
//! introduced them.

use std::collections::BTreeMap;
use std::fmt;

use lift_core::arith::{ArithExpr, Facts, Var};
use lift_core::ir::Expr;
use lift_core::rewrite::scope::same;
use lift_core::rewrite::strategy::Derivation;
use lift_core::rewrite::trace::{Declared, Deed, Known, Step, Trace};

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

/// Does every step of a trace again, under what was known when the derivation began.
pub fn replay(trace: &Trace, facts: &Facts) -> Result<Derivation, Stray> {
    let mut replay = Replay { d: Derivation::new(&trace.start, facts), now: BTreeMap::new() };
    let mut declared = trace.declared.iter().peekable();
    for (i, step) in trace.steps.iter().enumerate() {
        while let Some(known) = declared.next_if(|known| known.after <= i) {
            replay.declare(known);
        }
        replay.step(step).map_err(|wrong| Stray { step: i + 1, rule: step.rule.name, wrong })?;
    }
    declared.for_each(|known| replay.declare(known));
    Ok(replay.d)
}

/// A derivation that is done again, so far.
struct Replay {
    d: Derivation,
    /// The sizes that rules introduced then, and those that they introduced now.
    now: BTreeMap<Var, ArithExpr>,
}

impl Replay {
    /// What is known of a size that no rule introduced says nothing.
    fn declare(&mut self, known: &Declared) {
        match &known.fact {
            Known::Range(var, min, max) => {
                if let Some(var) = self.now(var) {
                    self.d.declare(&var, *min, *max);
                }
            }
            Known::Some(extent) => self.d.assume_some(&extent.substitute(&self.now)),
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Wrong> {
        match &step.deed {
            Deed::Apply(position, then) => {
                let now = self.d.apply(step.rule, position).ok_or(Wrong::DoesNotApply)?.sizes;
                if !then.iter().map(Var::name).eq(now.iter().map(Var::name)) {
                    return Err(Wrong::Differs);
                }
                self.now.extend(then.iter().cloned().zip(now.iter().map(ArithExpr::var)));
            }
            Deed::Choose(var, value) => {
                let var = self.now(var).ok_or(Wrong::UnknownSize)?;
                self.d.choose_size(&var, value.substitute(&self.now));
            }
            // The reason is not in the expression, so that there is nothing to find out.
            Deed::Replace => self.d.replace(step.rule, &self.renamed(&step.after)),
        }
        match same(&self.renamed(&step.after), self.d.expr()) {
            true => Ok(()),
            false => Err(Wrong::Differs),
        }
    }

    /// What a size that was introduced then is called now.
    fn now(&self, var: &Var) -> Option<Var> {
        self.now.get(var).and_then(ArithExpr::as_var).cloned()
    }

    /// An expression of the trace with the names of now.
    fn renamed(&self, then: &Expr) -> Expr {
        then.instantiate(&self.now, &BTreeMap::new())
    }
}

/// The names of the rules of a trace as a text, in which a rule that is applied again and again is named once, and a choice says what is chosen.
pub fn outline(trace: &Trace) -> String {
    let name = |step: &Step| match &step.deed {
        Deed::Choose(size, value) => format!("{size} := {value}"),
        Deed::Apply(..) | Deed::Replace => step.rule.name.to_string(),
    };
    let names: Vec<String> = trace.steps.iter().map(name).collect();
    let times = |names: &[String]| match names {
        [one] => one.clone(),
        all => format!("{} ×{}", all[0], all.len()),
    };
    names.chunk_by(|a, b| a == b).map(times).collect::<Vec<_>>().join(", ")
}
