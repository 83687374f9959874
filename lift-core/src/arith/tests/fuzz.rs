//! Random expressions over random ranges, against evaluation.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::{ArithExpr, Facts, Form, Truth, Var};
use super::stress::Random;

/// An expression yet to be built.
#[derive(Clone, Debug)]
enum Tree {
    Var(usize),
    Const(i64),
    Add(Box<Tree>, Box<Tree>),
    Sub(Box<Tree>, Box<Tree>),
    Mul(Box<Tree>, Box<Tree>),
    /// Divisors are positive: the absolute value of a size polynomial, plus one.
    Div(Box<Tree>, Divisor),
    Mod(Box<Tree>, Divisor),
    Min(Box<Tree>, Box<Tree>),
    Max(Box<Tree>, Box<Tree>),
}

/// `a*N + b*M + c` or `N*M`.
#[derive(Clone, Debug)]
enum Divisor {
    Sum(i64, i64, i64),
    Product(i64),
}

fn divisor() -> impl Strategy<Value = Divisor> {
    prop_oneof![
        (0..3i64, 0..2i64, 1..9i64).prop_map(|(a, b, c)| Divisor::Sum(a, b, c)),
        (1..9i64).prop_map(|c| Divisor::Sum(0, 0, c)),
        (1..2i64, 0..2i64).prop_map(|(a, b)| Divisor::Sum(a, b, 0)),
        (1..4i64).prop_map(Divisor::Product),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![3 => (0..6usize).prop_map(Tree::Var), 1 => (-9..10i64).prop_map(Tree::Const)];
    leaf.prop_recursive(6, 40, 2, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            4 => pair.clone().prop_map(|(a, b)| Tree::Add(a, b)),
            2 => pair.clone().prop_map(|(a, b)| Tree::Sub(a, b)),
            2 => pair.clone().prop_map(|(a, b)| Tree::Mul(a, b)),
            2 => (inner.clone(), divisor()).prop_map(|(a, d)| Tree::Div(Box::new(a), d)),
            2 => (inner, divisor()).prop_map(|(a, d)| Tree::Mod(Box::new(a), d)),
            1 => pair.clone().prop_map(|(a, b)| Tree::Min(a, b)),
            1 => pair.prop_map(|(a, b)| Tree::Max(a, b)),
        ]
    })
}

impl Divisor {
    fn build(&self, vars: &[Var]) -> ArithExpr {
        let (n, m) = (ArithExpr::var(&vars[0]), ArithExpr::var(&vars[1]));
        match self {
            Divisor::Sum(a, b, c) => n * *a + m * *b + *c,
            Divisor::Product(c) => n * m * *c,
        }
    }

    fn eval(&self, values: &[i128]) -> i128 {
        match self {
            Divisor::Sum(a, b, c) => i128::from(*a) * values[0] + i128::from(*b) * values[1] + i128::from(*c),
            Divisor::Product(c) => i128::from(*c) * values[0] * values[1],
        }
    }
}

impl Tree {
    fn build(&self, vars: &[Var]) -> ArithExpr {
        match self {
            Tree::Var(i) => ArithExpr::var(&vars[*i]),
            Tree::Const(c) => ArithExpr::cst(*c),
            Tree::Add(a, b) => a.build(vars) + b.build(vars),
            Tree::Sub(a, b) => a.build(vars) - b.build(vars),
            Tree::Mul(a, b) => a.build(vars) * b.build(vars),
            Tree::Div(a, d) => a.build(vars).div(&d.build(vars)),
            Tree::Mod(a, d) => a.build(vars).modulo(&d.build(vars)),
            Tree::Min(a, b) => ArithExpr::min(&a.build(vars), &b.build(vars)),
            Tree::Max(a, b) => ArithExpr::max(&a.build(vars), &b.build(vars)),
        }
    }

    fn eval(&self, values: &[i128]) -> i128 {
        let floor = |a: i128, b: i128| (a - a.rem_euclid(b)) / b;
        match self {
            Tree::Var(i) => values[*i],
            Tree::Const(c) => i128::from(*c),
            Tree::Add(a, b) => a.eval(values) + b.eval(values),
            Tree::Sub(a, b) => a.eval(values) - b.eval(values),
            Tree::Mul(a, b) => a.eval(values) * b.eval(values),
            Tree::Div(a, d) => floor(a.eval(values), d.eval(values)),
            Tree::Mod(a, d) => a.eval(values).rem_euclid(d.eval(values)),
            Tree::Min(a, b) => a.eval(values).min(b.eval(values)),
            Tree::Max(a, b) => a.eval(values).max(b.eval(values)),
        }
    }
}

/// Evaluates as C does.
fn eval_c(form: &Form, values: &[i128]) -> i128 {
    let all = |ops: &[Form]| ops.iter().map(|op| eval_c(op, values)).collect::<Vec<_>>();
    match form {
        Form::Const(c) => i128::from(*c),
        Form::Var(v) => values[v.id() as usize],
        Form::Sum(items) => all(items).iter().sum(),
        Form::Product(factors) => all(factors).iter().product(),
        Form::Neg(x) => -eval_c(x, values),
        Form::Div(a, b) => eval_c(a, values) / eval_c(b, values),
        Form::Mod(a, b) => eval_c(a, values) % eval_c(b, values),
        Form::Min(ops) => *all(ops).iter().min().unwrap(),
        Form::Max(ops) => *all(ops).iter().max().unwrap(),
    }
}

/// How the six variables range: `N`, `M`, `i`, `j`, `k`, and `u` without any range.
#[derive(Clone, Debug)]
struct Ranges {
    least: i64,
    offset: i64,
    extra: i64,
    number: (i64, i64),
    /// `N` is a multiple of this.
    multiple: i64,
    /// What is known of `M` and `N`.
    relation: Relation,
    /// Is that learnt only after all declarations?
    late: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    None,
    Ordered,
    MultipleOf,
    Equal(i64, i64),
    /// `2*M <= a*N + b`.
    Half(i64, i64),
}

fn ranges() -> impl Strategy<Value = Ranges> {
    let multiple = prop_oneof![3 => Just(1i64), 1 => 2..7i64];
    let relation = prop_oneof![
        3 => Just(Relation::None),
        1 => Just(Relation::Ordered),
        1 => Just(Relation::MultipleOf),
        1 => (1..4i64, 0..5i64).prop_map(|(a, b)| Relation::Equal(a, b)),
        1 => (1..4i64, 1..5i64).prop_map(|(a, b)| Relation::Half(a, b)),
    ];
    let numbers = (1..4i64, -3..4i64, 0..17i64, (-5..6i64, 0..9i64));
    (numbers, multiple, relation, any::<bool>()).prop_map(
        |((least, offset, extra, number), multiple, relation, late)| Ranges {
            least,
            offset,
            extra,
            number,
            multiple,
            relation,
            late,
        },
    )
}

impl Ranges {
    fn facts(&self, vars: &[Var]) -> Facts {
        let mut facts = Facts::new();
        let n = ArithExpr::var(&vars[0]);
        let m = ArithExpr::var(&vars[1]);
        facts.declare(&vars[0], Some(self.least.into()), None);
        facts.declare(&vars[1], Some(1.into()), None);
        if !self.late {
            self.learn(&mut facts, &n, &m);
        }
        facts.declare(&vars[2], Some(0.into()), Some(&n - 1));
        facts.declare(&vars[3], Some(self.offset.into()), Some(&m + self.extra));
        let (lo, length) = self.number;
        facts.declare(&vars[4], Some(lo.into()), Some((lo + length).into()));
        if self.late {
            self.learn(&mut facts, &n, &m);
        }
        facts
    }

    fn learn(&self, facts: &mut Facts, n: &ArithExpr, m: &ArithExpr) {
        match self.relation {
            Relation::None => {}
            Relation::Ordered => facts.assume_nonneg(m - n),
            Relation::MultipleOf => facts.assume_multiple(m.clone(), n.clone()),
            Relation::Equal(a, b) => facts.assume_eq(m.clone(), n * a + b),
            Relation::Half(a, b) => facts.assume_nonneg(n * a + b - m * 2),
        }
        if self.multiple > 1 {
            facts.assume_multiple(n.clone(), self.multiple.into());
        }
    }

    /// Values within the ranges, from raw numbers.
    fn values(&self, raw: &[i64]) -> Vec<i128> {
        let within = |raw: i64, lo: i64, hi: i64| lo + raw.rem_euclid((hi - lo + 1).max(1));
        let up = |n: i64| (n + self.multiple - 1).div_euclid(self.multiple) * self.multiple;
        let n = up(self.least + raw[0]);
        let m = match self.relation {
            Relation::None => 1 + raw[1],
            Relation::Ordered => n + raw[1],
            Relation::MultipleOf => n * (1 + raw[1]),
            Relation::Equal(a, b) => n * a + b,
            Relation::Half(a, b) => within(raw[1], 1, (n * a + b) / 2),
        };
        let i = within(raw[2], 0, n - 1);
        let j = within(raw[3], self.offset, m + self.extra);
        let (lo, length) = self.number;
        let k = within(raw[4], lo, lo + length);
        let u = raw[5] - 12;
        [n, m, i, j, k, u].into_iter().map(i128::from).collect()
    }

    fn is_empty(&self, values: &[i128]) -> bool {
        i128::from(self.offset) > values[1] + i128::from(self.extra)
    }
}

fn vars() -> Vec<Var> {
    (0u32..).zip(["N", "M", "i", "j", "k", "u"]).map(|(id, name)| Var::new(id, name)).collect()
}

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

proptest! {
    #![proptest_config(config())]

    #[test]
    fn simplification_keeps_the_value(a in tree(), b in tree(), ranges in ranges(), seed: u64) {
        let vars = vars();
        let facts = ranges.facts(&vars);
        let (e, f) = (a.build(&vars), b.build(&vars));
        prop_assume!(!e.is_too_large() && !f.is_too_large());
        let simple = facts.simplify(&e);
        let form = simple.form(&facts, &|v| v.id() < 2);
        let plain_form = e.form(&facts, &|v| v.id() < 2);
        let (lower, upper) = (facts.lower_bound(&e), facts.upper_bound(&e));
        let (sign, order, equal) = (facts.nonneg(&e), facts.le(&e, &f), facts.eq(&e, &f));
        let divides = facts.multiple_of(&e, &ArithExpr::var(&vars[0]));
        for raw in &samples(seed) {
            let values = ranges.values(raw);
            if ranges.is_empty(&values) {
                continue;
            }
            let value = |v: &Var| values.get(v.id() as usize).copied();
            let (x, y) = (a.eval(&values), b.eval(&values));
            prop_assert_eq!(e.eval(&value), Some(x), "constructors: {}", e);
            prop_assert_eq!(simple.eval(&value), Some(x), "{} to {} at {:?}", e, simple, values);
            prop_assert_eq!(eval_c(&form, &values), x, "form {} of {} at {:?}", form, simple, values);
            prop_assert_eq!(eval_c(&plain_form, &values), x, "form {} of {} at {:?}", plain_form, e, values);
            prop_assert!(agree(sign, x >= 0), "{} >= 0 is {:?} at {:?}", e, sign, values);
            prop_assert!(agree(order, x <= y), "{} <= {} is {:?} at {:?}", e, f, order, values);
            prop_assert!(agree(equal, x == y), "{} = {} is {:?} at {:?}", e, f, equal, values);
            prop_assert!(agree(divides, x.rem_euclid(values[0]) == 0), "{} | {:?} at {:?}", e, divides, values);
            if let Some(bound) = lower.as_ref().and_then(|e| e.eval(&value)) {
                prop_assert!(bound <= x, "{:?} <= {} at {:?}", lower, e, values);
            }
            if let Some(bound) = upper.as_ref().and_then(|e| e.eval(&value)) {
                prop_assert!(bound >= x, "{:?} >= {} at {:?}", upper, e, values);
            }
        }
        let again = facts.simplify(&simple);
        prop_assert!(again.to_string().len() <= simple.to_string().len() + 8, "{} grows to {}", simple, again);
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
            values[5] = b.eval(&values);
            prop_assert_eq!(direct, Some(a.eval(&values)));
        }
    }

    #[test]
    fn solutions_solve(a in tree(), c in 1..9i64, b in tree(), ranges in ranges(), seed: u64) {
        let vars = vars();
        let e = a.build(&vars) + ArithExpr::var(&vars[5]) * c;
        let target = b.build(&vars);
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
        cases: wanted.unwrap_or(300),
        failure_persistence: None,
        rng_seed,
        ..ProptestConfig::default()
    }
}
