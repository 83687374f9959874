//! Random facts of every kind, in any order, about any variables.

use proptest::prelude::*;

use super::tree::{Divisor, Tree, positive, tree_of};
use crate::arith::tests::stress::Random;
use crate::arith::{ArithExpr, Facts, Var};

/// Something to be told.
#[derive(Clone, Debug)]
pub(super) enum Fact {
    /// Bounds of a variable, on top of those it may have.
    Bounds(usize, Option<Tree>, Option<Tree>),
    NonNegative(Tree),
    Equal(Tree, Tree),
    Multiple(Tree, Divisor),
}

fn linear() -> impl Strategy<Value = Tree> {
    let term = |v: usize, c: i64| Tree::Mul(Box::new(Tree::Const(c)), Box::new(Tree::Var(v)));
    ((0..6usize, 1..4i64), (0..6usize, -3..4i64), -5..6i64).prop_map(move |((v, a), (w, b), c)| {
        let sum = Tree::Add(Box::new(term(v, a)), Box::new(term(w, b)));
        Tree::Add(Box::new(sum), Box::new(Tree::Const(c)))
    })
}

fn about() -> impl Strategy<Value = Tree> {
    prop_oneof![2 => linear(), 1 => (0..6usize).prop_map(Tree::Var), 2 => tree_of(2, 6)]
}

fn fact() -> impl Strategy<Value = Fact> {
    let bound = || prop_oneof![1 => Just(None), 3 => about().prop_map(Some)];
    prop_oneof![
        (0..6usize, bound(), bound()).prop_map(|(v, lo, hi)| Fact::Bounds(v, lo, hi)),
        about().prop_map(Fact::NonNegative),
        (about(), about()).prop_map(|(a, b)| Fact::Equal(a, b)),
        (about(), positive()).prop_map(|(e, d)| Fact::Multiple(e, d)),
    ]
}

/// Up to four facts.
pub(super) fn facts() -> impl Strategy<Value = Vec<Fact>> {
    prop::collection::vec(fact(), 1..5)
}

/// What is known after all of them. That `N` and `M` are positive is known before, as it is in kernels.
pub(super) fn tell(list: &[Fact], vars: &[Var]) -> Facts {
    let mut facts = Facts::new();
    facts.declare(&vars[0], Some(ArithExpr::one()), None);
    facts.declare(&vars[1], Some(ArithExpr::one()), None);
    for fact in list {
        let bound = |e: &Option<Tree>| e.as_ref().map(|e| e.build(vars));
        match fact {
            Fact::Bounds(v, lo, hi) => facts.declare(&vars[*v], bound(lo), bound(hi)),
            Fact::NonNegative(e) => facts.assume_nonneg(e.build(vars)),
            Fact::Equal(a, b) => facts.assume_eq(a.build(vars), b.build(vars)),
            Fact::Multiple(e, d) => facts.assume_multiple(e.build(vars), d.build(vars)),
        }
    }
    facts
}

impl Fact {
    fn holds(&self, values: &[i128]) -> bool {
        let ordered = |a: Option<i128>, b: Option<i128>| a.zip(b).is_some_and(|(a, b)| a <= b);
        match self {
            Fact::Bounds(v, lo, hi) => {
                let value = Some(values[*v]);
                lo.as_ref().is_none_or(|lo| ordered(lo.eval(values), value))
                    && hi.as_ref().is_none_or(|hi| ordered(value, hi.eval(values)))
            }
            Fact::NonNegative(e) => ordered(Some(0), e.eval(values)),
            Fact::Equal(a, b) => a.eval(values).is_some_and(|a| Some(a) == b.eval(values)),
            Fact::Multiple(e, d) => e.eval(values).zip(d.eval(values)).is_some_and(|(e, d)| e % d == 0),
        }
    }
}

/// Values for which all facts hold, as far as some are found.
pub(super) fn values(list: &[Fact], seed: u64) -> Vec<Vec<i128>> {
    let mut random = Random(seed);
    let mut found = Vec::new();
    for _ in 0..1500 {
        let mut within = |lo: i128, length: u64| lo + i128::from(random.below(length));
        let values: Vec<i128> = (0..6).map(|v| if v < 2 { within(1, 9) } else { within(-6, 16) }).collect();
        if list.iter().all(|fact| fact.holds(&values)) {
            found.push(values);
        }
        if found.len() == 24 {
            break;
        }
    }
    found
}
