//! From polynomials to [`Form`]s.
//!
//! Before: a canonical polynomial. After: the tree described in `form`. First the compound atoms find their
//! readable shape, which may move terms between the inside and the outside of an atom (canonical forms have
//! `max(min(i, N + 7), 8) - 8` for `max(min(i - 8, N - 1), 0)`); then the terms are grouped and ordered.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::divide::floor_div;
use super::facts::Facts;
use super::form::Form;
use super::lattice::Pick;
use super::limits::LAYOUT_STEPS;
use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};
use super::prove::Prover;
use super::var::Var;

/// The greatest multiple of a divisor that is added to a dividend, as a power of two.
const MAX_DOUBLINGS: u32 = 20;

/// How one tree is laid out.
pub(super) struct Layout<'a> {
    /// For C: what shows that dividends are not negative.
    checks: Option<Checks<'a>>,
    /// The variables that terms are grouped by; none for people.
    is_size: Option<&'a dyn Fn(&Var) -> bool>,
}

struct Checks<'a> {
    facts: &'a Facts,
    search: RefCell<(Prover<'a>, u32)>,
}

impl Checks<'_> {
    fn nonneg(&self, e: &ArithExpr) -> bool {
        let (prover, budget) = &mut *self.search.borrow_mut();
        prover.proves_within(&self.facts.inner(e), budget)
    }

    fn lower_bound(&self, e: &ArithExpr) -> Option<ArithExpr> {
        self.facts.bound_below(&self.facts.inner(e)).map(|bound| self.facts.outer(&bound))
    }
}

/// The atoms of one sum that have been laid out already.
type Done = BTreeMap<Atom, Form>;

/// A sum in the course of being laid out.
struct Shape {
    e: ArithExpr,
    done: Done,
    /// Atoms that stand for something else in `e`: a term has moved between them and the sum.
    moved: BTreeSet<Atom>,
}

impl Shape {
    /// Takes `times` out of the sum, as far as `atom` is going to have it.
    fn without(&self, atom: &Atom, times: &ArithExpr) -> ArithExpr {
        self.e.replace(atom, &(ArithExpr::atom(atom.clone()) - times))
    }

    fn set(&mut self, atom: &Atom, e: ArithExpr) {
        self.e = e;
        self.moved.insert(atom.clone());
    }

    /// What may move from the sum into an atom `x`: in `c*x + c*t + r`, the terms of `t`.
    fn movable(&self, atom: &Atom) -> Vec<ArithExpr> {
        let parts = self.e.coefficients(atom);
        let [rest, times] = parts.as_slice() else {
            return Vec::new();
        };
        let Some((quotient, _)) = rest.reduce(times) else {
            return Vec::new();
        };
        let still = |m: &Monomial| m.factors().iter().all(|(a, _)| !self.moved.contains(a));
        let terms = quotient.terms().iter().filter(|(m, _)| still(m));
        terms.map(|(m, c)| ArithExpr::term(m.clone(), *c)).collect()
    }
}

impl Layout<'_> {
    /// For C's operators.
    pub(super) fn for_c<'a>(facts: &'a Facts, is_size: &'a dyn Fn(&Var) -> bool) -> Layout<'a> {
        let search = RefCell::new((Prover::new(facts), LAYOUT_STEPS));
        Layout { checks: Some(Checks { facts, search }), is_size: Some(is_size) }
    }

    /// For messages.
    pub(super) fn for_people() -> Layout<'static> {
        Layout { checks: None, is_size: None }
    }

    /// Lays out an expression.
    pub(super) fn sum(&self, e: &ArithExpr) -> Form {
        if let Some(form) = self.multiple_of_choice(e) {
            return form;
        }
        let mut sum = Shape { e: e.clone(), done: Done::new(), moved: BTreeSet::new() };
        // Clamps first: they take terms in, quotients may have to give terms out.
        let mut atoms = e.atoms();
        atoms.sort_by_key(|atom| matches!(atom, Atom::Div(..)));
        for atom in atoms {
            let form = match &atom {
                Atom::Var(v) => Form::Var(v.clone()),
                Atom::TooLarge => Form::too_large(),
                Atom::Min(ops) => self.choice(Pick::Least, ops, &atom, &mut sum),
                Atom::Max(ops) => self.choice(Pick::Greatest, ops, &atom, &mut sum),
                Atom::Mod(a, d) => self.remainder(a, d),
                Atom::Div(a, d) => self.quotient(a, d, &atom, &mut sum),
            };
            sum.done.insert(atom, form);
        }
        self.grouped(&sum.e, &sum.done)
    }

    /// `max(4*i - 2, 0)` for `2*max(2*i - 1, 0)`: canonical forms have no common factor inside.
    fn multiple_of_choice(&self, e: &ArithExpr) -> Option<Form> {
        let facts = self.checks.as_ref()?.facts;
        let plain = e.without_constant();
        let [(monomial, times)] = plain.terms() else { return None };
        let [(atom, 1)] = monomial.factors() else { return None };
        let (pick, ops) = match atom {
            Atom::Min(ops) => (Pick::Least, ops),
            Atom::Max(ops) => (Pick::Greatest, ops),
            Atom::Var(_) | Atom::Div(..) | Atom::Mod(..) | Atom::TooLarge => return None,
        };
        if *times <= 1 {
            return None;
        }
        let constant = e - &plain;
        let ops = ops.iter().map(|op| facts.simplify(&(op.scale(*times) + &constant))).collect();
        Some(self.ordered(pick, ops))
    }

    /// Groups by sizes, and puts positive terms first.
    fn grouped(&self, e: &ArithExpr, done: &Done) -> Form {
        let mut items = Vec::new();
        self.items(e, done, &mut items);
        let (negative, mut all): (Vec<Form>, Vec<Form>) = items.into_iter().partition(is_negative);
        all.extend(negative);
        match all.len() {
            0 => Form::Const(0),
            1 => all.swap_remove(0),
            _ => Form::Sum(all),
        }
    }

    fn items(&self, e: &ArithExpr, done: &Done, out: &mut Vec<Form>) {
        let Some(size) = self.most_common_size(e) else {
            let (sizes, others): (Vec<_>, Vec<_>) =
                e.terms().iter().rev().partition(|(m, _)| self.of_sizes(m));
            out.extend(others.into_iter().chain(sizes).map(|(m, c)| self.term(m, *c, done)));
            return;
        };
        let factor = Monomial::atom(size.clone());
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (m, c) in e.terms() {
            match m.divide(&factor) {
                Some(cofactor) => inside.push((cofactor, *c)),
                None => outside.push((m.clone(), *c)),
            }
        }
        let mut inside = ArithExpr::from_sorted(inside);
        let negative = inside.terms().iter().all(|(_, c)| *c < 0);
        if negative {
            inside = -inside;
        }
        // A number is worth a factor of its own if it saves a multiplication.
        let several = inside.without_constant().terms().len() > 1;
        let content = if several { inside.content().max(1) } else { 1 };
        let inside = inside.strip(content, &Monomial::unit()).unwrap_or(inside);
        let mut factors = if content > 1 { vec![number(content)] } else { Vec::new() };
        match self.grouped(&inside, done) {
            Form::Product(more) => factors.extend(more),
            one => factors.push(one),
        }
        factors.push(self.laid_out(&size, done));
        let product = Form::Product(factors);
        out.push(if negative { Form::Neg(Box::new(product)) } else { product });
        self.items(&ArithExpr::from_sorted(outside), done, out);
    }

    /// The size that is a factor of most terms, if of at least two; the last among equals.
    fn most_common_size(&self, e: &ArithExpr) -> Option<Atom> {
        self.is_size?;
        let mut best: Option<(usize, Atom)> = None;
        for atom in e.atoms().into_iter().filter(|atom| self.is_size(atom)) {
            let count = e.terms().iter().filter(|(m, _)| m.exponent(&atom) > 0).count();
            if count > 1 && best.as_ref().is_none_or(|(most, _)| count >= *most) {
                best = Some((count, atom));
            }
        }
        best.map(|(_, atom)| atom)
    }

    fn is_size(&self, atom: &Atom) -> bool {
        let Some(is_size) = self.is_size else { return false };
        if let Atom::Var(v) = atom {
            return is_size(v);
        }
        let vars = ArithExpr::atom(atom.clone()).vars();
        !vars.is_empty() && vars.iter().all(is_size)
    }

    fn of_sizes(&self, m: &Monomial) -> bool {
        m.factors().iter().all(|(atom, _)| self.is_size(atom))
    }

    /// A number, then loop variables and the like, then sizes.
    fn term(&self, m: &Monomial, coefficient: i128, done: &Done) -> Form {
        if m.is_unit() {
            return number(coefficient);
        }
        let mut factors = Vec::new();
        if coefficient.unsigned_abs() != 1 {
            factors.push(number(coefficient.saturating_abs()));
        }
        for sizes in [false, true] {
            for (atom, n) in m.factors().iter().filter(|(atom, _)| self.is_size(atom) == sizes) {
                factors.extend((0..*n).map(|_| self.laid_out(atom, done)));
            }
        }
        let product = if factors.len() == 1 { factors.swap_remove(0) } else { Form::Product(factors) };
        if coefficient < 0 { Form::Neg(Box::new(product)) } else { product }
    }

    fn laid_out(&self, atom: &Atom, done: &Done) -> Form {
        // Only a variable that came in with a multiple of a divisor is not there yet.
        done.get(atom).cloned().unwrap_or_else(|| self.sum(&ArithExpr::atom(atom.clone())))
    }

    /// A minimum or maximum. Terms next to it move inside if that makes the whole shorter.
    fn choice(&self, pick: Pick, ops: &[ArithExpr], atom: &Atom, sum: &mut Shape) -> Form {
        let mut ops = ops.to_vec();
        for term in sum.movable(atom) {
            let inside: Vec<ArithExpr> = ops.iter().map(|op| op + &term).collect();
            let outside = sum.without(atom, &term);
            let before: usize = ops.iter().map(cost).sum::<usize>() + sum.e.terms().len();
            let after: usize = inside.iter().map(cost).sum::<usize>() + outside.terms().len();
            if after <= before && !outside.is_too_large() {
                ops = inside;
                sum.set(atom, outside);
            }
        }
        self.ordered(pick, ops)
    }

    fn ordered(&self, pick: Pick, mut ops: Vec<ArithExpr>) -> Form {
        let of_sizes = |op: &ArithExpr| op.terms().iter().all(|(m, _)| self.of_sizes(m));
        let lead = |op: &ArithExpr| op.terms().last().map(|(m, _)| m.clone());
        ops.sort_by(|a, b| {
            of_sizes(a).cmp(&of_sizes(b)).then_with(|| lead(b).cmp(&lead(a))).then_with(|| a.cmp(b))
        });
        let forms = ops.iter().map(|op| self.sum(op)).collect();
        match pick {
            Pick::Least => Form::Min(forms),
            Pick::Greatest => Form::Max(forms),
        }
    }

    /// A floor quotient. Terms next to it move into the dividend if that makes the whole shorter, and
    /// multiples of the divisor if the dividend might be negative.
    fn quotient(&self, a: &ArithExpr, d: &ArithExpr, atom: &Atom, sum: &mut Shape) -> Form {
        let mut dividend = a.clone();
        for times in sum.movable(atom) {
            let (inside, outside) = (&dividend + &times * d, sum.without(atom, &times));
            let shorter =
                inside.terms().len() + outside.terms().len() < dividend.terms().len() + sum.e.terms().len();
            if shorter && !outside.is_too_large() && self.may_divide(&inside) {
                dividend = inside;
                sum.set(atom, outside);
            }
        }
        if !self.may_divide(&dividend)
            && let Some(times) = self.enough(&dividend, d)
        {
            let outside = sum.without(atom, &times);
            if !outside.is_too_large() {
                dividend = dividend + times * d;
                sum.set(atom, outside);
            }
        }
        if self.may_divide(&dividend) {
            return Form::Div(Box::new(self.sum(&dividend)), Box::new(self.sum(d)));
        }
        // (a - floor remainder) / d is exact.
        let rest = Form::Neg(Box::new(self.floor_remainder(&dividend, d)));
        let exact = match self.sum(&dividend) {
            Form::Sum(mut items) => {
                items.push(rest);
                Form::Sum(items)
            }
            one => Form::Sum(vec![one, rest]),
        };
        Form::Div(Box::new(exact), Box::new(self.sum(d)))
    }

    fn remainder(&self, a: &ArithExpr, d: &ArithExpr) -> Form {
        let mod_of = |a: &ArithExpr| Form::Mod(Box::new(self.sum(a)), Box::new(self.sum(d)));
        if self.may_divide(a) {
            return mod_of(a);
        }
        let positive = nonneg_residues(a, d);
        if let Some(a) = positive.filter(|a| self.may_divide(a)) {
            return mod_of(&a);
        }
        match self.enough(a, d) {
            Some(times) => mod_of(&(a + times * d)),
            None => self.floor_remainder(a, d),
        }
    }

    /// `((a % d) + d) % d` in C is the floor remainder for every `a`.
    fn floor_remainder(&self, a: &ArithExpr, d: &ArithExpr) -> Form {
        let divisor = self.sum(d);
        let inner = Form::Mod(Box::new(self.sum(a)), Box::new(divisor.clone()));
        Form::Mod(Box::new(Form::Sum(vec![inner, divisor.clone()])), Box::new(divisor))
    }

    /// Does this dividend give the same result in C and here?
    fn may_divide(&self, dividend: &ArithExpr) -> bool {
        self.checks.as_ref().is_none_or(|checks| checks.nonneg(dividend))
    }

    /// The smallest number - or else some expression - which, times the divisor, makes the dividend provably
    /// non-negative.
    fn enough(&self, dividend: &ArithExpr, divisor: &ArithExpr) -> Option<ArithExpr> {
        let checks = self.checks.as_ref()?;
        let bound = checks.lower_bound(dividend)?;
        let suffices = |times: &ArithExpr| checks.nonneg(&(dividend + times * divisor));
        if bound.constant().is_some() || divisor.constant().is_none_or(|d| d <= 0) {
            let found = (0..=MAX_DOUBLINGS).map(|n| 1i128 << n).find(|k| suffices(&ArithExpr::int(*k)));
            if let Some(mut enough) = found {
                let mut too_few = enough / 2;
                while enough - too_few > 1 {
                    let middle = too_few + (enough - too_few) / 2;
                    if suffices(&ArithExpr::int(middle)) {
                        enough = middle;
                    } else {
                        too_few = middle;
                    }
                }
                return Some(ArithExpr::int(enough));
            }
        }
        // Sizes only, and each taken once.
        let negative: ArithExpr =
            bound.terms().iter().filter(|(_, c)| *c < 0).map(|(m, c)| ArithExpr::term(m.clone(), -c)).sum();
        [-bound, negative].into_iter().find(|times| times.depth() == 0 && suffices(times))
    }
}

/// How long an operand of a minimum or maximum is going to be; a lone 0 counts nothing.
fn cost(e: &ArithExpr) -> usize {
    Costs::default().of(e)
}

/// The costs that are known: choices within each other are looked at with and without what is beside each, which would be twice as
/// often on each level.
#[derive(Default)]
struct Costs(BTreeMap<ArithExpr, usize>);

impl Costs {
    fn of(&mut self, e: &ArithExpr) -> usize {
        if e.depth() == 0 {
            return e.terms().len();
        }
        if let Some(known) = self.0.get(e) {
            return *known;
        }
        let cost = self.found(e);
        self.0.insert(e.clone(), cost);
        cost
    }

    fn found(&mut self, e: &ArithExpr) -> usize {
        let atoms = e.terms().iter().flat_map(|(m, _)| m.factors());
        let apart =
            e.terms().len() + atoms.flat_map(|(atom, _)| atom.operands()).map(|x| self.of(x)).sum::<usize>();
        for pick in [Pick::Least, Pick::Greatest] {
            let choices = e.choices(pick);
            if choices.len() > 1 {
                return apart.min(choices.iter().map(|x| self.of(x)).sum::<usize>() + 1);
            }
        }
        apart
    }
}

/// The dividend of a remainder by a number, with coefficients that are not negative.
fn nonneg_residues(a: &ArithExpr, d: &ArithExpr) -> Option<ArithExpr> {
    let d = d.constant().filter(|d| *d > 0)?;
    let multiples: ArithExpr = a
        .terms()
        .iter()
        .filter(|(_, c)| *c < 0)
        .filter_map(|(m, c)| Some(ArithExpr::term(m.clone(), floor_div(*c, d)?)))
        .sum();
    Some(a - multiples.scale(d))
}

fn is_negative(form: &Form) -> bool {
    match form {
        Form::Const(c) => *c < 0,
        Form::Neg(_) => true,
        _ => false,
    }
}

fn number(value: i128) -> Form {
    i64::try_from(value).map_or_else(|_| Form::too_large(), Form::Const)
}
