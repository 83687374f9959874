//! Random ranges as kernels have them: sizes from below, indices between bounds, and one fact about two sizes.

use proptest::prelude::*;

use crate::arith::{ArithExpr, Facts, Var};

/// How the six variables range: `N`, `M`, `i`, `j`, `k`, and `u` without any range.
#[derive(Clone, Debug)]
pub(super) struct Ranges {
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
pub(super) enum Relation {
    None,
    Ordered,
    MultipleOf,
    Equal(i64, i64),
    /// `2*M <= a*N + b`.
    Half(i64, i64),
}

pub(super) fn ranges() -> impl Strategy<Value = Ranges> {
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
    pub(super) fn facts(&self, vars: &[Var]) -> Facts {
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
    pub(super) fn values(&self, raw: &[i64]) -> Vec<i128> {
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

    pub(super) fn is_empty(&self, values: &[i128]) -> bool {
        i128::from(self.offset) > values[1] + i128::from(self.extra)
    }
}
