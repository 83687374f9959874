//! Where there is nothing left to rewrite.
//!
//! Before: a search for a place where one of some rules applies has found none in an expression. After: it is not
//! searched again. Whether a rule applies depends on the expression and on the facts alone; what is kept here holds
//! for the facts of one derivation.

use std::collections::HashMap;

use crate::ir::Expr;
use crate::rewrite::rule::Rule;

/// Rules that a word of a set has bits for.
const WORD: usize = u64::BITS as usize;

/// A set of rules: bits by the numbers that [`Settled`] gives them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RuleSet([u64; 4]);

impl RuleSet {
    /// Both together.
    pub(super) fn with(self, other: RuleSet) -> RuleSet {
        RuleSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    fn contains(self, other: RuleSet) -> bool {
        self.with(other) == self
    }
}

/// The rules that apply nowhere in an expression.
#[derive(Debug, Clone, Default)]
pub(super) struct Settled {
    /// The rules that were searched for: their numbers are their positions.
    rules: Vec<&'static Rule>,
    /// By the addresses of expressions. These are kept, so that no other one gets the address of one of them.
    known: HashMap<usize, (Expr, RuleSet)>,
}

impl Settled {
    /// The set of one rule, if there is room for it.
    pub(super) fn set(&mut self, rule: &'static Rule) -> Option<RuleSet> {
        let number = self.rules.iter().position(|other| std::ptr::eq(*other, rule)).unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        });
        let mut set = RuleSet::default();
        *set.0.get_mut(number / WORD)? |= 1 << (number % WORD);
        Some(set)
    }

    /// Whether it is known that none of the rules applies anywhere in `e`.
    pub(super) fn contains(&self, e: &Expr, rules: RuleSet) -> bool {
        self.known.get(&e.address()).is_some_and(|(_, known)| known.contains(rules))
    }

    /// None of the rules applies anywhere in `e`.
    pub(super) fn insert(&mut self, e: &Expr, rules: RuleSet) {
        let entry = self.known.entry(e.address()).or_insert_with(|| (e.clone(), RuleSet::default()));
        entry.1 = entry.1.with(rules);
    }

    /// Other facts hold.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}
