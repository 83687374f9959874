//! What is known of the variables.
//!
//! Before: what `learn` has made of declarations and assumptions. After: answers for the rest of the
//! compiler.
//!
//! Equations and divisibility have removed some variables in favour of others; *inner* expressions are those
//! where they are removed. Everything public takes and gives expressions in the caller's variables.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::learn::{Declared, Hidden};
use super::poly::{ArithExpr, Atom};
use super::prove::Prover;
use super::range::Range;
use super::simplify::Simplifier;
use super::var::Var;

/// An answer to a question about all values that the variables can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// It holds for all of them.
    Yes,
    /// It holds for none of them.
    No,
    /// It may depend, or there was no proof.
    Unknown,
}

impl Truth {
    /// Is this `Yes`?
    pub fn is_yes(self) -> bool {
        self == Truth::Yes
    }

    /// Is this `No`?
    pub fn is_no(self) -> bool {
        self == Truth::No
    }
}

/// Ranges of variables, and what else is known of them.
///
/// A variable that was never declared has no bounds at all. If the facts contradict each other, every answer
/// is possible.
#[derive(Clone, Default)]
pub struct Facts {
    // Copies share what neither of them changes.
    pub(super) variables: Arc<Vec<Declared>>,
    pub(super) rank: Arc<BTreeMap<Var, usize>>,
    pub(super) nonneg: Arc<Vec<ArithExpr>>,
    /// Removed variables, and what they are in terms of the others.
    pub(super) inward: Arc<BTreeMap<Var, ArithExpr>>,
    pub(super) hidden: Arc<Vec<Hidden>>,
    /// Answers that were given already.
    answers: Arc<Mutex<Answers>>,
}

/// Answers to questions about inner expressions; copies of the facts share them. Knowing more starts with none.
#[derive(Default)]
pub(super) struct Answers {
    /// The simplest forms in the caller's variables.
    shown: HashMap<ArithExpr, ArithExpr>,
    simple: HashMap<ArithExpr, ArithExpr>,
    /// The same for what sums are made of.
    atoms: HashMap<Atom, ArithExpr>,
    nonneg: HashMap<ArithExpr, Truth>,
    equal: HashMap<ArithExpr, Truth>,
    multiple: HashMap<(ArithExpr, ArithExpr), Truth>,
    /// The variables in the questions.
    about: BTreeSet<Var>,
}

impl Answers {
    fn is_about(&mut self, e: &ArithExpr) {
        e.collect_vars(&mut self.about);
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Facts { variables, rank, nonneg, inward, hidden, answers: _ } = self;
        f.debug_struct("Facts")
            .field("variables", variables)
            .field("rank", rank)
            .field("nonneg", nonneg)
            .field("inward", inward)
            .field("hidden", hidden)
            .finish()
    }
}

impl Facts {
    /// Nothing known.
    pub fn new() -> Facts {
        Facts::default()
    }

    /// Do the facts leave no value for some variable? `false` says nothing.
    pub fn contradict(&self) -> bool {
        self.variables.iter().any(|declared| declared.range.is_empty())
    }

    /// Is `e >= 0`?
    pub fn nonneg(&self, e: &ArithExpr) -> Truth {
        let inner = self.inner(e);
        if let Some(value) = inner.constant() {
            return if value >= 0 { Truth::Yes } else { Truth::No };
        }
        self.remembered(|known| &mut known.nonneg, &inner, [&inner], || self.find_nonneg(&inner))
    }

    /// Is `a <= b`?
    pub fn le(&self, a: &ArithExpr, b: &ArithExpr) -> Truth {
        self.nonneg(&(b - a))
    }

    /// Is `a < b`?
    pub fn lt(&self, a: &ArithExpr, b: &ArithExpr) -> Truth {
        self.nonneg(&(b - a - 1))
    }

    /// Is `a = b`? `No` if they differ for all values of the variables.
    pub fn eq(&self, a: &ArithExpr, b: &ArithExpr) -> Truth {
        let inner = self.inner(&(a - b));
        self.remembered(|known| &mut known.equal, &inner, [&inner], || self.find_zero(&inner))
    }

    /// Is an inner expression 0?
    fn find_zero(&self, inner: &ArithExpr) -> Truth {
        let difference = self.simple(inner);
        if let Some(c) = difference.constant() {
            return if c == 0 { Truth::Yes } else { Truth::No };
        }
        let common = difference.content_of_variables();
        if common > 1 && difference.constant_term() % common != 0 {
            return Truth::No;
        }
        let mut prover = Prover::new(self);
        let opposite = -&difference;
        if prover.proves(&(&difference - 1)) || prover.proves(&(&opposite - 1)) {
            Truth::No
        } else if prover.proves(&difference) && prover.proves(&opposite) {
            Truth::Yes
        } else {
            Truth::Unknown
        }
    }

    /// Is `e` a multiple of `k`? `No` if it is for no values of the variables.
    pub fn multiple_of(&self, e: &ArithExpr, k: &ArithExpr) -> Truth {
        let question = (e.clone(), k.clone());
        let find = || self.eq(&e.modulo(k), &ArithExpr::zero());
        self.remembered(|known| &mut known.multiple, &question, [e, k], find)
    }

    /// An equal expression with as few divisions, remainders, minima and maxima as the facts allow.
    pub fn simplify(&self, e: &ArithExpr) -> ArithExpr {
        let find = || self.outer(&self.simple(&self.inner(e)));
        if e.depth() == 0 {
            return find();
        }
        self.remembered(|known| &mut known.shown, e, [e], find)
    }

    /// Something not greater than `e`, over variables without an upper bound (sizes) only if possible; `None`
    /// if there is no bound.
    pub fn lower_bound(&self, e: &ArithExpr) -> Option<ArithExpr> {
        let simple = self.simple(&self.inner(e));
        self.bound_below(&simple).map(|bound| self.simplify(&self.outer(&bound)))
    }

    /// Something not smaller than `e`, over variables without an upper bound (sizes) only if possible; `None`
    /// if there is no bound.
    pub fn upper_bound(&self, e: &ArithExpr) -> Option<ArithExpr> {
        let simple = self.simple(&self.inner(e));
        self.bound_below(&-simple).map(|bound| self.simplify(&self.outer(&-bound)))
    }

    fn find_nonneg(&self, inner: &ArithExpr) -> Truth {
        let answer = self.decide_nonneg(inner);
        if answer != Truth::Unknown || inner.depth() == 0 {
            return answer;
        }
        let simple = self.simple(inner);
        if simple == *inner { answer } else { self.decide_nonneg(&simple) }
    }

    /// The simplest form of an inner expression.
    fn simple(&self, inner: &ArithExpr) -> ArithExpr {
        if inner.depth() == 0 {
            return inner.clone();
        }
        let find = || Simplifier::new(self).simplify(inner);
        self.remembered(|known| &mut known.simple, inner, [inner], find)
    }

    /// The answer to a question about these expressions: what is known, or what is found now.
    fn remembered<'e, Q: Clone + Eq + Hash, A: Clone>(
        &self,
        among: fn(&mut Answers) -> &mut HashMap<Q, A>,
        question: &Q,
        about: impl IntoIterator<Item = &'e ArithExpr>,
        find: impl FnOnce() -> A,
    ) -> A {
        let known = among(&mut self.answers()).get(question).cloned();
        known.unwrap_or_else(|| {
            let answer = find();
            let mut answers = self.answers();
            about.into_iter().for_each(|e| answers.is_about(e));
            among(&mut answers).insert(question.clone(), answer.clone());
            answer
        })
    }

    /// What an atom of a sum comes to, if it was found before.
    pub(super) fn known_atom(&self, atom: &Atom) -> Option<ArithExpr> {
        self.answers().atoms.get(atom).cloned()
    }

    /// What was found for an atom of a sum.
    pub(super) fn remember_atom(&self, atom: &Atom, simple: &ArithExpr) {
        let mut answers = self.answers();
        atom.operands().for_each(|e| answers.is_about(e));
        answers.atoms.insert(atom.clone(), simple.clone());
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same facts with a memory of their own: what they answer never depends on who asks at the same time.
    pub fn fork(&self) -> Facts {
        Facts { answers: Arc::default(), ..self.clone() }
    }

    /// What was found before may be wrong from now on, or could be better.
    pub(super) fn forget(&mut self) {
        self.answers = Arc::default();
    }

    /// What was found before, if it stays true, and is all there is to find, when a variable with these bounds is
    /// declared: so far nothing is known of it and nothing was asked about it, and the bounds are over variables
    /// that have their places. Nobody else may share the answers, who might know other things of the variable.
    pub(super) fn lasting(&self, var: &Var, bounds: [Option<&ArithExpr>; 2]) -> Option<Arc<Mutex<Answers>>> {
        let placed = |e: &ArithExpr| !e.is_too_large() && e.vars().iter().all(|v| self.rank(v).is_some());
        let is_news = self.rank(var).is_none()
            && !self.inward.contains_key(var)
            && Arc::strong_count(&self.answers) == 1
            && !self.answers().about.contains(var);
        let lasting = is_news && bounds.into_iter().flatten().all(|bound| placed(&self.inner(bound)));
        lasting.then(|| self.answers.clone())
    }

    /// Answers that outlast what was learnt since.
    pub(super) fn recall(&mut self, answers: Arc<Mutex<Answers>>) {
        self.answers = answers;
    }

    fn decide_nonneg(&self, inner: &ArithExpr) -> Truth {
        let mut prover = Prover::new(self);
        if prover.proves(inner) {
            Truth::Yes
        } else if prover.proves(&(-inner - 1)) {
            Truth::No
        } else {
            Truth::Unknown
        }
    }
}

/// What the searches read. All expressions are inner ones.
impl Facts {
    /// The place of a variable in the order of declaration, after all undeclared ones.
    pub(super) fn rank(&self, var: &Var) -> Option<usize> {
        self.rank.get(var).copied()
    }

    /// The lower bounds of a variable.
    pub(super) fn lower(&self, var: &Var) -> &[ArithExpr] {
        self.rank(var).map_or(&[], |i| self.variables[i].lower.as_slice())
    }

    /// The upper bounds of a variable.
    pub(super) fn upper(&self, var: &Var) -> &[ArithExpr] {
        self.rank(var).map_or(&[], |i| self.variables[i].upper.as_slice())
    }

    /// The numbers between which a variable lies.
    pub(super) fn var_range(&self, var: &Var) -> Range {
        self.rank(var).map_or(Range::ALL, |i| self.variables[i].range)
    }

    /// What is known to be non-negative and is not a bound of a variable.
    pub(super) fn known_nonneg(&self) -> &[ArithExpr] {
        &self.nonneg
    }

    /// The expression in terms of the inner variables.
    pub(super) fn inner(&self, e: &ArithExpr) -> ArithExpr {
        e.substitute(&self.inward)
    }

    /// The expression without the hidden variables.
    pub(super) fn outer(&self, e: &ArithExpr) -> ArithExpr {
        self.hidden.iter().rev().fold(e.clone(), |e, hidden| hidden.reveal(&e))
    }
}
