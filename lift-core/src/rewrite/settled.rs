//! Where there is nothing left to rewrite.
//!
//! Before: a search for a place where one of some rules applies has found none in an expression. After: it is not
//! searched again. Whether a rule applies depends on the expression and on the facts alone; what is kept here holds
//! for the facts of one derivation.

use std::collections::HashMap;

use crate::ir::Expr;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules;

/// Rules that a word of a set has bits for.
const WORD: usize = u64::BITS as usize;

/// A set of rules: bits by their positions in the list of all rules. A test fails when there is no room for one, because
/// strategies would search for it in vain again and again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RuleSet([u64; 4]);

impl RuleSet {
    /// The set of one rule, if that is one of the list.
    pub(super) fn of(rule: &'static Rule) -> Option<RuleSet> {
        let index = rules::all().position(|other| std::ptr::eq(other, rule))?;
        let mut set = RuleSet::default();
        *set.0.get_mut(index / WORD)? |= 1 << (index % WORD);
        Some(set)
    }

    /// Both together.
    pub(super) fn with(self, other: RuleSet) -> RuleSet {
        RuleSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_bit_of_its_own() {
        let mut all = RuleSet::default();
        for rule in rules::all() {
            let own =
                RuleSet::of(rule).unwrap_or_else(|| panic!("no room for {}: make the set larger", rule.name));
            assert!(!all.contains(own), "{}", rule.name);
            all = all.with(own);
        }
        assert!(rules::all().all(|rule| RuleSet::of(rule).is_some_and(|own| all.contains(own))));
    }
}
