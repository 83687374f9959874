//! Where there is nothing left to rewrite.
//!
//! Before: a search for a place where one of some rules applies has found none in an expression. After: it is not
//! searched again. Whether a rule applies depends on the expression and on the facts alone; what is kept here holds
//! for the facts of one derivation.

use std::collections::HashMap;

use crate::ir::Expr;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules;

/// A set of rules: bits by their positions in the list of all rules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RuleSet(u128);

impl RuleSet {
    /// The set of one rule, if that is one of the list.
    pub(super) fn of(rule: &'static Rule) -> Option<RuleSet> {
        let index = rules::all().position(|other| std::ptr::eq(other, rule))?;
        1u128.checked_shl(index.try_into().ok()?).map(RuleSet)
    }

    /// Both together.
    pub(super) fn with(self, other: RuleSet) -> RuleSet {
        RuleSet(self.0 | other.0)
    }

    fn contains(self, other: RuleSet) -> bool {
        self.with(other) == self
    }
}

/// The rules that apply nowhere in an expression, by its address. The expressions are kept, so that no other one
/// gets the address of one of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Settled(HashMap<usize, (Expr, RuleSet)>);

impl Settled {
    /// Whether it is known that none of the rules applies anywhere in `e`.
    pub(super) fn contains(&self, e: &Expr, rules: RuleSet) -> bool {
        self.0.get(&e.address()).is_some_and(|(_, known)| known.contains(rules))
    }

    /// None of the rules applies anywhere in `e`.
    pub(super) fn insert(&mut self, e: &Expr, rules: RuleSet) {
        let entry = self.0.entry(e.address()).or_insert_with(|| (e.clone(), RuleSet::default()));
        entry.1 = entry.1.with(rules);
    }
}
