//! How facts are stored.
//!
//! Before: declarations and assumptions in the words of whoever makes them. After: for every variable in the
//! order of declaration, lower and upper bounds that mention earlier variables only; a list of expressions
//! known to be non-negative; and substitutions that remove variables on which an equation or a divisibility
//! depends.
//!
//! If `w` is a multiple of 4, then inside `w` is `4*q` for a hidden variable `q`: all divisions of `w` by
//! 2 and 4 become polynomials by themselves. On the way out, `4*q` is `w` again and `2*q` is `w / 2`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::divide::gcd;
use super::facts::Facts;
use super::lattice::Pick;
use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};
use super::prove::Prover;
use super::range::Range;
use super::var::Var;

/// A variable and its bounds, all of them inner expressions over earlier variables.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) var: Var,
    pub(super) lower: Vec<ArithExpr>,
    pub(super) upper: Vec<ArithExpr>,
    pub(super) range: Range,
}

/// A hidden variable: the exact quotient `of / by`, in terms of what was there before it.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    var: Var,
    of: ArithExpr,
    by: ArithExpr,
}

/// What the rest of the compiler says.
impl Facts {
    /// Declares a variable with inclusive bounds. They may mention variables declared before; variables that
    /// they mention and that are new are declared without bounds. A second declaration adds to the first.
    pub fn declare(&mut self, var: &Var, min: Option<ArithExpr>, max: Option<ArithExpr>) {
        let min = min.map(|e| self.simplify(&e));
        let max = max.map(|e| self.simplify(&e));
        let max = max.map(|max| self.above(min.as_ref(), max));
        let lasting = self.lasting(var, [min.as_ref(), max.as_ref()]);
        for bound in [&min, &max].into_iter().flatten() {
            let inner = self.inner(bound);
            self.mention(&inner);
        }
        self.mention(&self.inner(&ArithExpr::var(var)));
        if let Some(min) = min {
            self.know_nonneg(ArithExpr::var(var) - min);
        }
        if let Some(max) = max {
            self.know_nonneg(max - ArithExpr::var(var));
        }
        if let Some(answers) = lasting {
            self.recall(answers);
        }
    }

    /// From now on, `e >= 0`.
    pub fn assume_nonneg(&mut self, e: ArithExpr) {
        let e = self.simplify(&e);
        self.know_nonneg(e);
    }

    /// From now on, `a = b`. If the equation can be solved for a variable, expressions are simplified to ones
    /// without it (the one declared last).
    pub fn assume_eq(&mut self, a: ArithExpr, b: ArithExpr) {
        let difference = self.inner(&self.simplify(&(a - b)));
        self.mention(&difference);
        if difference.is_zero() || difference.is_too_large() {
            return;
        }
        if let Some((var, value)) = self.latest_solvable(&difference) {
            self.eliminate(&var, &value, None);
        } else {
            self.know_nonneg(difference.clone());
            self.know_nonneg(-difference);
        }
    }

    /// From now on, `e` is a multiple of `of`, which is positive.
    pub fn assume_multiple(&mut self, e: ArithExpr, of: ArithExpr) {
        let rest = self.inner(&self.simplify(&e.modulo(&of)));
        if rest.is_zero() || rest.is_too_large() {
            return;
        }
        let (e, of) = (self.inner(&self.simplify(&e)), self.inner(&self.simplify(&of)));
        self.mention(&e);
        self.mention(&of);
        let number = Hidden::number(self.hidden.len());
        let name = format!("({e})/({of})");
        let quotient = Var::new(number, &name);
        // `f*v` is a multiple of `k` if and only if `v` is one of `k / gcd(f, k)`.
        let (e, of) = match (e.content(), of.constant()) {
            (f, Some(k)) if f > 1 => {
                let g = gcd(f, k);
                match e.strip(f, &Monomial::unit()) {
                    Some(e) => (e, ArithExpr::int(k / g)),
                    None => return,
                }
            }
            _ => (e, of),
        };
        let multiple = ArithExpr::var(&quotient) * &of;
        match self.latest_solvable(&(&e - &multiple)) {
            Some((var, value)) if var != quotient => {
                self.eliminate(&var, &value, Some(Hidden { var: quotient, of: e, by: of }));
            }
            _ => self.assume_eq(rest, ArithExpr::zero()),
        }
    }
}

/// Building the facts.
impl Facts {
    /// The same upper bound for what is at least `min`: of several, of which the greatest counts, without those below `min`.
    fn above(&self, min: Option<&ArithExpr>, max: ArithExpr) -> ArithExpr {
        let Some(min) = min else { return max };
        let mut bounds = max.choices(Pick::Greatest);
        bounds.retain(|bound| !self.lt(bound, min).is_yes());
        if bounds.is_empty() { max } else { Pick::Greatest.of(bounds) }
    }

    /// Gives a place to the variables of an inner expression that have none.
    fn mention(&mut self, e: &ArithExpr) {
        for var in e.vars() {
            if self.rank(&var).is_none() {
                self.forget();
                Arc::make_mut(&mut self.rank).insert(var.clone(), self.variables.len());
                Arc::make_mut(&mut self.variables).push(Declared::new(var));
            }
        }
    }

    /// Adds `e >= 0`, as a bound of its last variable if it can be one.
    fn know_nonneg(&mut self, e: ArithExpr) {
        let e = self.inner(&e).tightened();
        self.mention(&e);
        if e.is_too_large() || e.constant().is_some() {
            return;
        }
        self.forget();
        let last = e.vars().into_iter().max_by_key(|v| self.rank(v));
        if let Some(index) = last.and_then(|v| self.rank(&v))
            && let Some((coefficient, rest)) = e.linear_in(&self.variables[index].var)
            && let Some(factor) = coefficient.constant().filter(|c| *c != 0)
        {
            let entry = &mut Arc::make_mut(&mut self.variables)[index];
            if factor > 0 {
                // f*v + r >= 0: v >= ceil(-r / f) = -floor(r / f)
                add(&mut entry.lower, (-rest.div(&ArithExpr::int(factor))).choices(Pick::Greatest));
            } else {
                add(&mut entry.upper, rest.div(&ArithExpr::int(-factor)).choices(Pick::Least));
            }
            self.refresh_ranges(index);
        } else if !self.nonneg.contains(&e) {
            Arc::make_mut(&mut self.nonneg).push(e);
        }
    }

    fn refresh_ranges(&mut self, from: usize) {
        self.forget();
        for i in from..self.variables.len() {
            let entry = &self.variables[i];
            let mut range = Range::ALL;
            for e in &entry.lower {
                range.lo = range.lo.max(self.range(e).lo);
            }
            for e in &entry.upper {
                let hi = self.range(e).hi;
                range.hi = range.hi.map_or(hi, |old| Some(hi.map_or(old, |new| new.min(old))));
            }
            Arc::make_mut(&mut self.variables)[i].range = range;
        }
    }

    /// The variable declared last among those for which `e = 0` can be solved in integers, and its value.
    fn latest_solvable(&self, e: &ArithExpr) -> Option<(Var, ArithExpr)> {
        let mut vars: Vec<Var> = e.vars().into_iter().filter(|v| self.rank(v).is_some()).collect();
        vars.sort_by_key(|v| self.rank(v));
        vars.into_iter().rev().find_map(|var| {
            let (coefficient, rest) = e.linear_in(&var)?;
            match coefficient.constant() {
                Some(1) => Some((var, -rest)),
                Some(-1) => Some((var, rest)),
                _ => None,
            }
        })
    }

    /// Replaces a variable by its value everywhere; what was known of it is known of the value.
    fn eliminate(&mut self, var: &Var, value: &ArithExpr, hidden: Option<Hidden>) {
        let by = BTreeMap::from([(var.clone(), value.clone())]);
        self.forget();
        let old = Arc::unwrap_or_clone(std::mem::take(&mut self.variables));
        let known = Arc::unwrap_or_clone(std::mem::take(&mut self.nonneg));
        self.rank = Arc::default();
        for inner in Arc::make_mut(&mut self.inward).values_mut() {
            *inner = inner.substitute(&by);
        }
        Arc::make_mut(&mut self.inward).insert(var.clone(), value.clone());

        // The hidden variable takes the place of the one it replaces.
        let (mut order, mut later) = (Vec::new(), known);
        for mut entry in old {
            if entry.var == *var {
                let same = ArithExpr::var(var);
                later.extend(entry.lower.iter().map(|e| &same - e));
                later.extend(entry.upper.iter().map(|e| e - &same));
                order.extend(hidden.iter().map(|h| Declared::new(h.var.clone())));
            } else {
                entry.lower.iter_mut().for_each(|e| *e = e.substitute(&by));
                entry.upper.iter_mut().for_each(|e| *e = e.substitute(&by));
                order.push(entry);
            }
        }
        self.settle(order, &mut later);
        if let Some(hidden) = hidden {
            self.know_sign_of(&hidden, &later);
            Arc::make_mut(&mut self.hidden).push(hidden);
        }
        self.forget();
        for e in later {
            self.know_nonneg(e);
        }
        self.refresh_ranges(0);
    }

    /// Puts variables in an order in which bounds mention earlier ones only. Where there is none, bounds
    /// become general knowledge.
    fn settle(&mut self, mut todo: Vec<Declared>, later: &mut Vec<ArithExpr>) {
        let mut placed: BTreeSet<Var> = BTreeSet::new();
        let local: BTreeSet<Var> = todo.iter().map(|d| d.var.clone()).collect();
        while !todo.is_empty() {
            let open = |e: &ArithExpr| e.vars().iter().any(|v| local.contains(v) && !placed.contains(v));
            let ready = todo.iter().position(|d| !d.lower.iter().chain(&d.upper).any(open));
            let mut entry = todo.remove(ready.unwrap_or(0));
            let same = ArithExpr::var(&entry.var);
            later.extend(entry.lower.extract_if(.., |e| open(e)).map(|e| &same - e));
            later.extend(entry.upper.extract_if(.., |e| open(e)).map(|e| e - &same));
            placed.insert(entry.var.clone());
            Arc::make_mut(&mut self.rank).insert(entry.var.clone(), self.variables.len());
            Arc::make_mut(&mut self.variables).push(entry);
        }
        self.refresh_ranges(0);
    }

    /// A quotient by something positive has the sign of the dividend.
    fn know_sign_of(&mut self, hidden: &Hidden, later: &[ArithExpr]) {
        if hidden.by.constant().is_some() {
            return;
        }
        let of = self.inner(&hidden.of);
        let mut probe = self.clone();
        Arc::make_mut(&mut probe.nonneg).extend(later.iter().map(|e| self.inner(e)));
        let quotient = ArithExpr::var(&hidden.var);
        let mut prover = Prover::new(&probe);
        if prover.proves(&(&of - 1)) {
            self.know_nonneg(quotient - 1);
        } else if prover.proves(&of) {
            self.know_nonneg(quotient);
        }
    }
}

impl Declared {
    fn new(var: Var) -> Declared {
        Declared { var, lower: Vec::new(), upper: Vec::new(), range: Range::ALL }
    }
}

impl Hidden {
    fn number(index: usize) -> u32 {
        u32::MAX - 1 - u32::try_from(index).unwrap_or(0)
    }

    /// Writes `c*q` as `c/g * (of / (by/g))` where `g` is the greatest common divisor of `c` and `by`.
    pub(super) fn reveal(&self, e: &ArithExpr) -> ArithExpr {
        if !e.contains(&self.var) {
            return e.clone();
        }
        let atom = Atom::Var(self.var.clone());
        let mut sum = ArithExpr::zero();
        for (m, c) in e.terms() {
            let exponent = m.exponent(&atom);
            let others = ArithExpr::term(m.without(&atom), 1);
            let others = others.map_atoms(&mut |a| a.rebuild(&mut |e| self.reveal(e)));
            let mut product = others.scale(*c);
            for _ in 0..exponent {
                product = self.reveal_once(&product);
            }
            sum = sum + product;
        }
        sum
    }

    fn reveal_once(&self, cofactor: &ArithExpr) -> ArithExpr {
        let [(m, c)] = cofactor.terms() else {
            return cofactor * self.of.div(&self.by);
        };
        let number = gcd(*c, self.by.content());
        let monomial = m.gcd(&self.by.common_monomial());
        match (cofactor.strip(number, &monomial), self.by.strip(number, &monomial)) {
            (Some(cofactor), Some(by)) => cofactor * self.of.div(&by),
            _ => cofactor * self.of.div(&self.by),
        }
    }
}

/// Adds bounds that are not there yet.
fn add(bounds: &mut Vec<ArithExpr>, new: impl IntoIterator<Item = ArithExpr>) {
    for e in new {
        if !bounds.contains(&e) {
            bounds.push(e);
        }
    }
}
