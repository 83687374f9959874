//! Size, depth, overflow, time, and independence of names.

use super::Names;
use crate::arith::{ArithExpr, Facts, Truth, Var};

/// Half of what a thread has by default, without optimisation; compilers run macros with much more.
const STACK: usize = 1 << 20;

/// A small generator of pseudo-random numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

fn expression(random: &mut Random, vars: &[Var], operators: u32) -> ArithExpr {
    if operators == 0 {
        let n = random.below(vars.len() as u64 + 3) as usize;
        return vars.get(n).map_or_else(|| ArithExpr::cst(random.below(9) as i64), ArithExpr::var);
    }
    let left = random.below(u64::from(operators)) as u32;
    let a = expression(random, vars, left);
    let b = expression(random, vars, operators - 1 - left);
    match random.below(12) {
        0..4 => a + b,
        4..6 => a - b,
        6 => a * b,
        7 => a.div(&ArithExpr::cst(random.below(9) as i64 + 1)),
        8 => a.modulo(&(ArithExpr::var(&vars[0]) + random.below(3) as i64)),
        9 => a.modulo(&ArithExpr::cst(random.below(9) as i64 + 1)),
        10 => ArithExpr::min(&a, &b),
        _ => ArithExpr::max(&a, &b),
    }
}

fn setting(names: [&str; 4]) -> (Facts, Vec<Var>) {
    let vars: Vec<Var> = (0u32..).zip(names).map(|(id, name)| Var::new(id, name)).collect();
    let mut facts = Facts::new();
    let n = ArithExpr::var(&vars[0]);
    facts.declare(&vars[0], Some(1.into()), None);
    facts.declare(&vars[1], Some(1.into()), None);
    facts.declare(&vars[2], Some(0.into()), Some(n.clone() - 1));
    facts.declare(&vars[3], Some(0.into()), Some(n + 15));
    (facts, vars)
}

#[test]
fn large_expressions_stay_manageable() {
    let (facts, vars) = setting(["N", "M", "i", "j"]);
    for seed in 0..40 {
        let e = expression(&mut Random(seed), &vars, 300);
        let simple = facts.simplify(&e);
        let form = simple.form(&facts, &|v| v.id() < 2);
        assert!(!simple.is_too_large(), "seed {seed}");
        // Simplification does not blow up, and neither does the layout for readers.
        let (before, after) = (e.to_string().len(), simple.to_string().len());
        assert!(after <= 2 * before, "seed {seed}: {before} characters became {after}");
        assert!(form.to_string().len() <= 4 * before, "seed {seed}: {before} characters became {form}");
    }
}

#[test]
fn names_do_not_matter() {
    let (facts, vars) = setting(["N", "M", "i", "j"]);
    let (renamed_facts, renamed) = setting(["Q", "R", "S", "T"]);
    for seed in 0..100 {
        let e = facts.simplify(&expression(&mut Random(seed), &vars, 25));
        let f = renamed_facts.simplify(&expression(&mut Random(seed), &renamed, 25));
        assert_eq!(e, f);
        let back = |c: char| "QRST".find(c).map_or(c, |i| b"NMij"[i] as char);
        assert_eq!(e.to_string(), f.to_string().chars().map(back).collect::<String>());
    }
}

#[test]
fn nesting_is_bounded() {
    let (facts, vars) = setting(["N", "M", "i", "j"]);
    let (n, i) = (ArithExpr::var(&vars[0]), ArithExpr::var(&vars[2]));
    let mut e = i.clone();
    for k in 0..10_000 {
        e = ArithExpr::max(&(ArithExpr::min(&(e * 3 + k), &n) * 5), &i).modulo(&(&n + 7));
        if k % 100 == 0 {
            let _ = facts.simplify(&e);
        }
    }
    assert!(e.is_too_large());
    assert_eq!(e.eval(&|_| Some(1)), None);
    assert_eq!(facts.nonneg(&e), Truth::Unknown);
    assert!((&e - &e).is_too_large());
    assert!((e * ArithExpr::zero()).is_too_large());
}

#[test]
fn doubling_is_bounded() {
    let mut e = Names::new().e("x");
    for k in 0..200 {
        e = ArithExpr::min(&(&e + k), &(&e * 2)).modulo(&(&e + 3)) + e.div(&ArithExpr::cst(7));
    }
    assert!(e.is_too_large());
}

#[test]
fn overflow_is_not_wrong() {
    let names = Names::new().with("0 <= x");
    let huge = (0..3).fold(ArithExpr::cst(i64::MAX), |e, _| &e * &e);
    assert!(huge.is_too_large());
    let large = ArithExpr::cst(i64::MAX) * i64::MAX;
    assert_eq!(large.as_const(), None);
    assert_eq!(large.eval(&|_| None), Some(i128::from(i64::MAX) * i128::from(i64::MAX)));
    let e = names.e("x") * &large;
    assert_eq!(names.facts().nonneg(&e), Truth::Yes);
    assert!((e * &large).is_too_large());
    for odd in [i64::MIN, i64::MIN + 1, -1, 0, i64::MAX] {
        let odd = ArithExpr::cst(odd);
        let x = names.e("x + 1");
        let _ = (x.div(&odd), x.modulo(&odd), odd.div(&x), odd.modulo(&x), odd.div(&ArithExpr::cst(-1)));
        let _ = names.facts().simplify(&(x.div(&odd) * &odd + x.modulo(&odd)));
        let _ = x.div(&odd).form(&names.facts(), &|_| true).to_string();
    }
}

/// The limits are such that no walk over a term, however nested, needs much of a stack.
#[test]
fn a_small_stack_is_enough() {
    let work = || {
        let (facts, vars) = setting(["N", "M", "i", "j"]);
        let (n, i) = (ArithExpr::var(&vars[0]), ArithExpr::var(&vars[2]));
        let mut e = i.clone();
        let mut deepest = e.clone();
        while !e.is_too_large() {
            deepest = e.clone();
            e = ArithExpr::max(&(ArithExpr::min(&(&e * 3 + 1), &n) * 5), &i).modulo(&(&n + 7)).div(&(&i + 1));
        }
        let simple = facts.simplify(&deepest);
        let _ = (facts.nonneg(&deepest), facts.le(&simple, &n), facts.eq(&simple, &deepest));
        let _ = (facts.lower_bound(&deepest), facts.upper_bound(&deepest));
        let _ = (deepest.form(&facts, &|v| v.id() < 2).to_string(), deepest.to_string());
        let _ = deepest.substitute(&[(vars[2].clone(), n)].into());
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    thread.join().unwrap();
}
