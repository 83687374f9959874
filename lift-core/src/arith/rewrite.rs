//! The rewrites that need facts. Each gives an equal expression, or nothing.
//!
//! Before: an atom with simplified operands. After, if it applies: a term without that atom.

use super::divide::gcd;
use super::lattice::Pick;
use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};
use super::simplify::Simplifier;

/// Most operands that are compared with each other.
const MAX_COMPARED: usize = 10;

/// Most ways to write a dividend that are tried.
const MAX_FORMS: usize = 12;

/// `dividend = quotient * divisor + rest`.
struct Split {
    quotient: ArithExpr,
    rest: ArithExpr,
}

impl Simplifier<'_> {
    /// `a / d`.
    pub(super) fn quotient(&mut self, a: &ArithExpr, d: &ArithExpr, rounds: u32) -> Option<ArithExpr> {
        if let Some(split) = self.by_range(a, d) {
            return Some(split.quotient);
        }
        // (g*x + y) / (g*e) = x / e  for 0 <= y < g
        let (_, split, e) = self.by_factor(a, d)?;
        Some(self.expr(&split.quotient.div(&e), rounds))
    }

    /// `a % d`.
    pub(super) fn remainder(&mut self, a: &ArithExpr, d: &ArithExpr, rounds: u32) -> Option<ArithExpr> {
        if let Some(split) = self.by_range(a, d) {
            return Some(split.rest);
        }
        // (g*x + y) % (g*e) = g*(x % e) + y  for 0 <= y < g
        let (g, split, e) = self.by_factor(a, d)?;
        Some(self.expr(&split.quotient.modulo(&e), rounds) * g + split.rest)
    }

    /// A way to write the dividend such that the rest is provably between 0 and the divisor.
    fn by_range(&mut self, a: &ArithExpr, d: &ArithExpr) -> Option<Split> {
        for split in forms(a, d) {
            let range = self.facts.range(&split.rest);
            // Shifts by the divisor worth a try: those that bring the ends of a numeric range into place.
            let mut shifts = vec![0, 1, -1];
            if let (Some(lo), Some(d)) = (range.lo, d.constant().filter(|d| *d > 0)) {
                shifts = vec![lo.div_euclid(d)];
            } else if range.hi.is_some_and(|hi| hi < 0) {
                shifts = vec![-1, -2];
            } else if range.lo.is_some_and(|lo| lo >= 0) {
                shifts = vec![0, 1];
            }
            for shift in shifts {
                let quotient = &split.quotient + ArithExpr::int(shift);
                let rest = &split.rest - d.scale(shift);
                if self.proves(&rest) && self.proves(&(d - &rest - 1)) {
                    return Some(Split { quotient, rest });
                }
            }
        }
        None
    }

    /// A proper factor `g` of the divisor `g*e` such that `a = g*x + y` with `0 <= y < g`.
    fn by_factor(&mut self, a: &ArithExpr, d: &ArithExpr) -> Option<(ArithExpr, Split, ArithExpr)> {
        for g in factors(a, d) {
            let Some(e) = d.exact_div(&g) else { continue };
            for split in forms(a, &g) {
                if !split.quotient.is_zero()
                    && self.proves(&split.rest)
                    && self.proves(&(&g - &split.rest - 1))
                {
                    return Some((g, split, e));
                }
            }
        }
        None
    }

    /// The minimum or maximum without the operands that are provably never needed.
    pub(super) fn choice(&mut self, pick: Pick, ops: &[ArithExpr]) -> Option<ArithExpr> {
        if ops.len() > MAX_COMPARED {
            return None;
        }
        let mut kept: Vec<ArithExpr> = ops.to_vec();
        let mut i = 0;
        while i < kept.len() {
            let needless =
                (0..kept.len()).any(|j| j != i && self.prefers(pick, &kept[j].clone(), &kept[i].clone()));
            if needless {
                kept.remove(i);
            } else {
                i += 1;
            }
        }
        if kept.len() < ops.len() {
            return Some(pick.of(kept));
        }
        if pick == Pick::Least { self.clamp(&kept) } else { None }
    }

    /// Is the choice between both always `a`?
    fn prefers(&mut self, pick: Pick, a: &ArithExpr, b: &ArithExpr) -> bool {
        match pick {
            Pick::Least => self.proves_le(a, b),
            Pick::Greatest => self.proves_le(b, a),
        }
    }

    /// `min(max(x, lo), hi) = max(min(x, hi), lo)` where `lo <= hi`: the minimum goes inside if it decides
    /// at least one operand of the maximum there.
    fn clamp(&mut self, ops: &[ArithExpr]) -> Option<ArithExpr> {
        for (i, op) in ops.iter().enumerate() {
            let inner = op.choices(Pick::Greatest);
            if inner.len() < 2 || inner.len() > MAX_COMPARED {
                continue;
            }
            let others: Vec<ArithExpr> = [&ops[..i], &ops[i + 1..]].concat();
            let mut decided = false;
            let mut new = Vec::new();
            for x in &inner {
                let mut kept: Vec<ArithExpr> = others.clone();
                if others.iter().any(|other| self.proves_le(other, x)) {
                    decided = true;
                } else {
                    kept.retain(|other| !self.proves_le(x, other));
                    decided |= kept.is_empty();
                    kept.push(x.clone());
                }
                new.push(Pick::Least.of(kept));
            }
            if decided {
                return Some(Pick::Greatest.of(new));
            }
        }
        None
    }

    /// Puts quotients and remainders of the same division together again.
    pub(super) fn recombine(&mut self, sum: &ArithExpr) -> ArithExpr {
        let mut current = sum.clone();
        // Each round removes a division.
        for _ in 0..sum.atoms().len() {
            match recombined(&current) {
                Some(next) => current = next,
                None => break,
            }
        }
        current
    }
}

/// Ways to write `a` as a multiple of `d` and a rest.
fn forms(a: &ArithExpr, d: &ArithExpr) -> Vec<Split> {
    let mut out: Vec<Split> = Vec::new();
    let mut add = |quotient: ArithExpr, rest: ArithExpr| {
        let fresh = out.iter().all(|split| split.rest != rest);
        if fresh && out.len() < MAX_FORMS && !rest.is_too_large() {
            out.push(Split { quotient, rest });
        }
    };
    add(ArithExpr::zero(), a.clone());
    let Some((quotient, rest)) = a.reduce(d) else {
        return out;
    };
    add(quotient.clone(), rest.clone());
    for (lead, _) in d.terms() {
        if let Some((quotient, rest)) = a.reduce_by(d, lead) {
            add(quotient, rest);
        }
    }
    // Another representative for the residue of each coefficient: the other sign.
    let (lead, factor) = match d.terms().last() {
        Some((lead, factor)) => (lead.clone(), *factor),
        None => return out,
    };
    let flips: Vec<ArithExpr> = rest
        .terms()
        .iter()
        .filter_map(|(m, c)| {
            let cofactor = m.divide(&lead)?;
            Some(ArithExpr::term(cofactor, if (*c > 0) == (factor > 0) { 1 } else { -1 }))
        })
        .collect();
    for flip in &flips {
        add(&quotient + flip, &rest - flip * d);
    }
    let all_nonneg: ArithExpr = flips.iter().filter(|f| f.terms().iter().all(|(_, c)| *c < 0)).cloned().sum();
    add(&quotient + &all_nonneg, &rest - all_nonneg * d);
    out
}

/// Proper factors of `d` that have something to do with `a`: numbers, products of atoms, and what is left of
/// the polynomial without them.
fn factors(a: &ArithExpr, d: &ArithExpr) -> Vec<ArithExpr> {
    let content = d.content().max(1);
    let monomial = d.common_monomial();
    let mut numbers: Vec<i128> = a.terms().iter().map(|(_, c)| gcd(*c, content)).collect();
    numbers.push(content);
    numbers.retain(|n| *n > 1);
    numbers.sort_unstable_by(|x, y| y.cmp(x));
    numbers.dedup();
    let primitive = d.strip(content, &monomial).filter(|p| p.terms().len() > 1);

    let mut products: Vec<ArithExpr> = Vec::new();
    if !monomial.is_unit() {
        products.push(ArithExpr::term(monomial.clone(), 1));
        products.extend(monomial.factors().iter().map(|(atom, _)| ArithExpr::atom(atom.clone())));
    }
    let mut out: Vec<ArithExpr> = Vec::new();
    if let Some(primitive) = primitive {
        out.extend(products.iter().map(|p| p * &primitive));
        out.extend(numbers.iter().map(|n| primitive.scale(*n)));
        out.push(primitive);
    }
    out.extend(products.iter().flat_map(|p| numbers.iter().map(|n| p.scale(*n))));
    out.extend(products);
    out.extend(numbers.iter().map(|n| ArithExpr::int(*n)));
    let mut proper: Vec<ArithExpr> = Vec::new();
    for g in out {
        if g != *d && !proper.contains(&g) && proper.len() < MAX_FORMS {
            proper.push(g);
        }
    }
    proper
}

/// One step of recombination.
fn recombined(sum: &ArithExpr) -> Option<ArithExpr> {
    let atoms = sum.atoms();
    for atom in &atoms {
        let parts = sum.coefficients(atom);
        let [_, times] = parts.as_slice() else { continue };
        if let Atom::Min(ops) | Atom::Max(ops) = atom
            && let [a, b] = &ops[..]
        {
            if let Some(new) = exchange(sum, atom, (a, b), times) {
                return Some(new);
            }
            continue;
        }
        for (m, c) in times.terms() {
            let term = ArithExpr::term(m.clone(), *c);
            let new = match atom {
                Atom::Mod(a, d) => rejoin(sum, &atoms, atom, (a, d), &term),
                Atom::Div(a, d) => subtract(sum, atom, (a, d), &term),
                Atom::Var(_) | Atom::Min(_) | Atom::Max(_) | Atom::TooLarge => None,
            };
            if new.is_some() {
                return new;
            }
        }
    }
    None
}

/// `min(a, b) + max(a, b) = a + b`, and `r - min(a, b) = r - a - b + max(a, b)` where that is not longer.
fn exchange(
    sum: &ArithExpr,
    atom: &Atom,
    (a, b): (&ArithExpr, &ArithExpr),
    times: &ArithExpr,
) -> Option<ArithExpr> {
    let dual = match atom {
        Atom::Min(ops) => Atom::Max(ops.clone()),
        Atom::Max(ops) => Atom::Min(ops.clone()),
        Atom::Var(_) | Atom::Div(..) | Atom::Mod(..) | Atom::TooLarge => return None,
    };
    let new = sum.replace(atom, &(a + b - ArithExpr::atom(dual.clone())));
    let together = sum.coefficients(&dual).get(1) == Some(times);
    let negative = times.terms().iter().all(|(_, c)| *c < 0);
    (together || negative && new.terms().len() <= sum.terms().len()).then_some(new)
}

/// `t*(a % d) + t*d*(b / d) = t*b`, and `t*(a % d) + t*d*((b / d) % e) = t*(b % (d*e))`, for an `a` that is `b` but for multiples of `d`: remainders lose these.
fn rejoin(
    sum: &ArithExpr,
    atoms: &[Atom],
    atom: &Atom,
    (a, d): (&ArithExpr, &ArithExpr),
    term: &ArithExpr,
) -> Option<ArithExpr> {
    let own = term * ArithExpr::atom(atom.clone());
    let whole = &own + term * d * a.div(d);
    if holds(sum, &whole) {
        return Some(sum - whole + term * a);
    }
    atoms.iter().find_map(|other| {
        let whole = &own + term * d * ArithExpr::atom(other.clone());
        if !holds(sum, &whole) {
            return None;
        }
        let new = match other {
            Atom::Div(b, e) if e == d && congruent(a, b, d) => b.clone(),
            Atom::Mod(x, e) if *x == a.div(d) => a.modulo(&(d * e)),
            Atom::Mod(x, e) => {
                let b = divided(x, d).filter(|b| congruent(a, b, d))?;
                b.modulo(&(d * e))
            }
            _ => return None,
        };
        Some(sum - whole + term * new)
    })
}

/// Whether both have the same remainder, because they differ by a multiple of `d`.
fn congruent(a: &ArithExpr, b: &ArithExpr, d: &ArithExpr) -> bool {
    (b - a).reduce(d).is_some_and(|(_, rest)| rest.is_zero())
}

/// The `b` of an `x` that is `b / d`, if that is a quotient and other terms.
fn divided(x: &ArithExpr, d: &ArithExpr) -> Option<ArithExpr> {
    x.atoms().iter().find_map(|atom| {
        let Atom::Div(b, e) = atom else { return None };
        let rest = x - ArithExpr::atom(atom.clone());
        (e == d && x.coefficients(atom).len() == 2 && rest.coefficients(atom).len() < 2).then(|| b + d * rest)
    })
}

/// `t*a - t*d*(a / d) = t*(a % d)`.
fn subtract(
    sum: &ArithExpr,
    atom: &Atom,
    (a, d): (&ArithExpr, &ArithExpr),
    term: &ArithExpr,
) -> Option<ArithExpr> {
    let (lead, factor) = d.terms().last()?;
    let (m, c) = term.terms().last()?;
    let times = ArithExpr::term(m.divide(lead)?, (-c).checked_div(*factor)?);
    let whole = &times * a - &times * d * ArithExpr::atom(atom.clone());
    (!times.is_zero() && holds(sum, &whole)).then(|| sum - whole + times * a.modulo(d))
}

/// Does the sum contain all terms of another one, with these coefficients?
fn holds(sum: &ArithExpr, part: &ArithExpr) -> bool {
    let find = |monomial: &Monomial| sum.terms().binary_search_by(|(m, _)| m.cmp(monomial)).ok();
    !part.is_zero() && part.terms().iter().all(|(m, c)| find(m).is_some_and(|i| sum.terms()[i].1 == *c))
}
