//! Where choices turn: between these values of a variable, an expression has no minimum, maximum, quotient or remainder that depends on it.

use super::lattice::Unclamped;
use super::poly::{ArithExpr, Atom};
use super::var::Var;

/// Indices of fields of a pixel, or of every other element, go in steps of as many elements at most.
pub const MOST_STEPS: i64 = 8;

/// An index that goes around as few elements is not one that is folded back into its array.
const FEW: i64 = 16;

/// How often an index goes around an array before it is taken to go around it no more.
const MOST_ROUNDS: i64 = 4;

impl ArithExpr {
    /// Expressions, linear in the variable, whose signs decide the choices that depend on it. They are not negative where an index is not
    /// folded back into its array.
    pub fn turns(&self, var: &Var) -> Vec<ArithExpr> {
        let mut found = Vec::new();
        let by = |e: &ArithExpr| e.linear_in(var)?.0.as_const();
        self.any_atom(&mut |atom| {
            match atom {
                Atom::Min(ops) | Atom::Max(ops) => {
                    let Unclamped { index, least, most } = ArithExpr::atom(atom.clone()).unclamped(var);
                    found.extend(least.iter().map(|end| &index - end));
                    found.extend(most.iter().map(|end| end - &index));
                    if matches!(atom, Atom::Min(_)) {
                        found.extend(mirrored(ops, var));
                    }
                }
                // What turns every few trips does not turn at the ends.
                Atom::Mod(a, n) | Atom::Div(a, n) => {
                    if let Some(a) = unwrapped(a, n, var) {
                        found.extend([n - &a - 1, a].into_iter().filter(|e| matches!(by(e), Some(1 | -1))));
                    }
                }
                Atom::Var(_) | Atom::TooLarge => {}
            }
            false
        });
        found.retain(|e| by(e).is_some_and(|by| by != 0 && by.abs() <= MOST_STEPS));
        found
    }
}

/// What goes around an array, before it does: `(i + n - 1) % n` is `i - 1` but for one `i`, and so it is with a few times `n`.
fn unwrapped(a: &ArithExpr, n: &ArithExpr, var: &Var) -> Option<ArithExpr> {
    if n.contains(var) || n.as_const().is_some_and(|n| n <= FEW) {
        return None;
    }
    let (_, rest) = a.linear_in(var)?;
    let is_near = |k: &i64| {
        let near = &rest - n * *k;
        near.as_const().is_some() || n.as_const().is_none() && n.vars().iter().all(|var| !near.contains(var))
    };
    let whole = (1..=MOST_ROUNDS).find(is_near).unwrap_or(0);
    Some(a - n * whole)
}

/// What is not negative where the smaller one of an index and of what goes back from the end of its array is the index.
fn mirrored(ops: &[ArithExpr], var: &Var) -> Option<ArithExpr> {
    let unwound = |e: &ArithExpr| {
        e.map_atoms(&mut |atom| match atom {
            Atom::Mod(a, n) => unwrapped(a, n, var),
            _ => None,
        })
    };
    let [a, b] = ops else { return None };
    let (first, second) = (unwound(a), unwound(b));
    let is_unwound = first != *a || second != *b;
    let margin = first - second;
    let (by, rest) = margin.linear_in(var)?;
    let (by, rest) = if by.as_const()? < 0 { (by, rest) } else { (-by, -rest) };
    let steps = -by.as_const()?;
    // `min(2 * n - 1 - i, i)` is `min(2 * n, 2 * i + 1) - 1 - i`: two steps. One step is a clamp, whose ends are known already, unless a remainder hid it.
    let is_mirror = (2..=MOST_STEPS).contains(&steps) || steps == 1 && is_unwound;
    let end = is_mirror.then(|| rest.div(&steps.into()))?;
    (!end.has_division()).then(|| end - ArithExpr::var(var))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(id: u32, name: &str) -> (Var, ArithExpr) {
        let var = Var::new(id, name);
        (var.clone(), ArithExpr::var(&var))
    }

    #[test]
    fn clamped_and_wrapped_indices_turn_at_the_ends() {
        let ((v, i), (_, n)) = (var(1, "i"), var(2, "n"));
        let zero = ArithExpr::zero();
        let turns = |e: ArithExpr| {
            let mut turns: Vec<String> = e.turns(&v).iter().map(ToString::to_string).collect();
            turns.sort();
            turns
        };
        assert_eq!(turns(ArithExpr::max(&(&i - 1), &zero)), [(&i - 1).to_string()]);
        assert_eq!(turns(ArithExpr::min(&(&i + 1), &(&n - 1))), [(&n - &i - 2).to_string()]);
        let (_, k) = var(3, "k");
        let mut ends = [&i + &k - 3, &n * 2 - &i - &k + 2].map(|end| end.to_string());
        ends.sort();
        assert_eq!(turns((&i + &k + &n * 4 - 3).modulo(&(&n * 2))), ends);
        let back = (&i + &k - 3).modulo(&(&n * 2));
        let mirrored = turns(ArithExpr::min(&(&n * 2 - &back - 1), &back));
        assert!(mirrored.contains(&(&n - &i - &k + 2).to_string()), "{mirrored:?}");
        let back = (&i + &k - 3).modulo(&ArithExpr::max(&(&n * 2 - 2), &ArithExpr::one()));
        let reflected = turns(&back + ArithExpr::min(&(&n - &back - 1), &zero) * 2);
        assert!(reflected.contains(&(&n - &i - &k + 2).to_string()), "{reflected:?}");
        let both = ArithExpr::max(&ArithExpr::min(&(&i - 8), &(&n - 1)), &zero);
        let mut ends = [(&i - 8).to_string(), (&n - &i + 7).to_string()];
        ends.sort();
        assert!(ends.iter().all(|end| turns(both.clone()).contains(end)), "{:?}", turns(both));
        let mut wrapped = [(&i - 1).to_string(), (&n - &i).to_string()];
        wrapped.sort();
        assert_eq!(turns((&i + &n - 1).modulo(&n)), wrapped);
        assert_eq!(turns(&i * 2 + &n), [""; 0]);
        assert_eq!(turns((&i + &n).modulo(&2.into())), [""; 0]);
        assert_eq!(turns(ArithExpr::min(&(&i * 2 + 1), &(&n - 1))), [(&n - &i * 2 - 2).to_string()]);
        assert_eq!(turns(ArithExpr::max(&(&n - 1), &zero) + &i), [""; 0]);
    }
}
