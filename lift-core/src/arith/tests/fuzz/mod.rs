//! Random expressions over random ranges and facts, against evaluation.
//!
//! Every operator is in [`tree`]; the facts that kernels give rise to are in [`ranges`], those of any other form
//! in [`facts`]; every question that can be asked is in [`check`].
//!
//! The same cases come in every run. For others, and as many as wanted:
//! `PROPTEST_CASES=20000 cargo test -p lift-core --lib arith::tests::fuzz`.

mod facts;
mod ranges;
mod tree;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::arith::tests::stress::Random;
use crate::arith::{ArithExpr, Facts, Truth, Var};
use facts::{facts, tell};
use ranges::ranges;
use tree::{Divisor, Tree, divisor, eval_c, positive, tree, vars};

/// Raw numbers for values: small ones, where most counter-examples are, then any.
fn samples(seed: u64) -> Vec<Vec<i64>> {
    let mut random = Random(seed);
    (0..32).map(|n| (0..6).map(|_| random.below(if n < 12 { 4 } else { 40 }) as i64).collect()).collect()
}

fn agree(truth: Truth, holds: bool) -> bool {
    match truth {
        Truth::Yes => holds,
        Truth::No => !holds,
        Truth::Unknown => true,
    }
}

/// Asks everything there is to ask about `a`, `b` and the divisor `d`, and compares the answers with the values.
fn check(
    facts: &Facts,
    (a, b, d): (&Tree, &Tree, &Divisor),
    all_values: &[Vec<i128>],
) -> Result<(), TestCaseError> {
    let vars = vars();
    let (e, f, k) = (a.build(&vars), b.build(&vars), d.build(&vars));
    prop_assume!(!e.is_too_large() && !f.is_too_large() && !k.is_too_large());
    let simple = facts.simplify(&e);
    let form = simple.form(facts, &|v| v.id() < 2);
    let plain_form = e.form(facts, &|v| v.id() < 2);
    let (lower, upper) = (facts.lower_bound(&e), facts.upper_bound(&e));
    let (sign, order, strict, equal) =
        (facts.nonneg(&e), facts.le(&e, &f), facts.lt(&e, &f), facts.eq(&e, &f));
    let divides = facts.multiple_of(&e, &k);
    for values in all_values {
        let value = |v: &Var| values.get(v.id() as usize).copied();
        let (Some(x), Some(y), Some(z)) = (a.eval(values), b.eval(values), d.eval(values)) else {
            continue;
        };
        prop_assert_eq!(e.eval(&value), Some(x), "constructors: {} at {:?}", e, values);
        prop_assert_eq!(k.eval(&value), Some(z), "constructors: {} at {:?}", k, values);
        prop_assert_eq!(simple.eval(&value), Some(x), "{} to {} at {:?}", e, simple, values);
        prop_assert_eq!(eval_c(&form, values), x, "form {} of {} at {:?}", form, simple, values);
        prop_assert_eq!(eval_c(&plain_form, values), x, "form {} of {} at {:?}", plain_form, e, values);
        prop_assert!(agree(sign, x >= 0), "{} >= 0 is {:?} at {:?}", e, sign, values);
        prop_assert!(agree(order, x <= y), "{} <= {} is {:?} at {:?}", e, f, order, values);
        prop_assert!(agree(strict, x < y), "{} < {} is {:?} at {:?}", e, f, strict, values);
        prop_assert!(agree(equal, x == y), "{} = {} is {:?} at {:?}", e, f, equal, values);
        prop_assert!(agree(divides, x % z == 0), "{} divides {}: {:?} at {:?}", k, e, divides, values);
        if let Some(bound) = lower.as_ref().and_then(|e| e.eval(&value)) {
            prop_assert!(bound <= x, "{:?} <= {} at {:?}", lower, e, values);
        }
        if let Some(bound) = upper.as_ref().and_then(|e| e.eval(&value)) {
            prop_assert!(bound >= x, "{:?} >= {} at {:?}", upper, e, values);
        }
    }
    // The same question has the same answer, also with both sides moved.
    prop_assert_eq!(&facts.simplify(&e), &simple);
    prop_assert_eq!(facts.le(&(&e + 7), &(&f + 7)), order);
    // An order is one.
    prop_assert_eq!(facts.le(&e, &e), Truth::Yes);
    prop_assert_eq!(facts.lt(&e, &e), Truth::No);
    prop_assert!(all_values.is_empty() || !(strict.is_yes() && facts.lt(&f, &e).is_yes()));
    let again = facts.simplify(&simple);
    prop_assert!(again.to_string().len() <= simple.to_string().len() + 8, "{} grows to {}", simple, again);
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn ranges_of_kernels(a in tree(), b in tree(), d in positive(), ranges in ranges(), seed: u64) {
        let facts = ranges.facts(&vars());
        let values: Vec<Vec<i128>> =
            samples(seed).iter().map(|raw| ranges.values(raw)).filter(|values| !ranges.is_empty(values)).collect();
        check(&facts, (&a, &b, &d), &values)?;
    }

    #[test]
    fn facts_of_any_form(a in tree(), b in tree(), d in positive(), list in facts(), seed: u64) {
        let known = tell(&list, &vars());
        check(&known, (&a, &b, &d), &facts::values(&list, seed))?;
    }

    #[test]
    fn divisors_of_any_sign(a in tree(), d in divisor(), seed: u64) {
        // Without facts: what the constructors do must hold everywhere.
        let vars = vars();
        let (e, k) = (a.build(&vars), d.build(&vars));
        let (quotient, rest) = (e.div(&k), e.modulo(&k));
        prop_assume!(!quotient.is_too_large() && !rest.is_too_large());
        for values in facts::values(&[], seed) {
            let value = |v: &Var| values.get(v.id() as usize).copied();
            if let (Some(x), Some(z)) = (a.eval(&values), d.eval(&values)) {
                let (q, r) = (quotient.eval(&value), rest.eval(&value));
                prop_assert_eq!(q.zip(r).map(|(q, r)| q * z + r), Some(x), "{} by {} at {:?}", e, k, values);
                prop_assert!(r.is_some_and(|r| r == 0 || (r < 0) == (z < 0) && r.abs() < z.abs()));
            }
        }
    }

    #[test]
    fn substitution_and_evaluation_commute(a in tree(), b in tree(), ranges in ranges(), seed: u64) {
        let vars = vars();
        // Divisors stay positive: only variables other than sizes are replaced.
        let e = a.build(&vars);
        let by = [(vars[5].clone(), b.build(&vars))].into();
        let new = e.substitute(&by);
        prop_assume!(!new.is_too_large());
        for raw in &samples(seed) {
            let mut values = ranges.values(raw);
            let direct = new.eval(&|v| values.get(v.id() as usize).copied());
            let Some(by) = b.eval(&values) else { continue };
            values[5] = by;
            if let Some(x) = a.eval(&values) {
                prop_assert_eq!(direct, Some(x));
            }
        }
    }

    #[test]
    fn solutions_solve(a in tree(), c in 1..9i64, b in tree(), ranges in ranges(), seed: u64) {
        let vars = vars();
        let e = a.build(&vars) + ArithExpr::var(&vars[5]) * c;
        let target = b.build(&vars);
        let linear = e.linear_in(&vars[5]).map(|(factor, rest)| factor * ArithExpr::var(&vars[5]) + rest);
        prop_assert!(linear.is_none_or(|sum| sum == e));
        if let Some(solution) = e.solve(&vars[5], &target) {
            let by = [(vars[5].clone(), solution)].into();
            let (left, right) = (e.substitute(&by), target.substitute(&by));
            for raw in &samples(seed) {
                let values = ranges.values(raw);
                let value = |v: &Var| values.get(v.id() as usize).copied();
                prop_assert_eq!(left.eval(&value), right.eval(&value));
            }
        }
    }
}

/// The same cases in every run; others, and as many as wanted, with `PROPTEST_CASES`.
fn config() -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok());
    let rng_seed = if wanted.is_some() { RngSeed::Random } else { RngSeed::Fixed(1) };
    ProptestConfig {
        cases: wanted.unwrap_or(120),
        failure_persistence: None,
        rng_seed,
        ..ProptestConfig::default()
    }
}
