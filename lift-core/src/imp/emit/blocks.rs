//! The open blocks: where statements go, and what is known in them.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Truth, Var};
use crate::imp::ast::{Expr, IndexValue, Local, Stmt, Unroll};
use crate::imp::emit::{Emitter, Value};
use crate::ir::build::fresh_id;
use crate::ir::{BinaryOp, Literal, Scalar, UnaryOp};
use crate::view::Cond;

/// A block under construction.
#[derive(Default)]
pub(super) struct Block {
    pub(super) stmts: Vec<Stmt>,
    /// Index expressions that have a name from here on.
    pub(super) named: BTreeMap<ArithExpr, Var>,
    /// Data that were checked to be indices below a length, from here on.
    pub(super) checked: Vec<(Expr, ArithExpr, Var)>,
    /// Variables of the program that are used as indices from here on.
    pub(super) indices: BTreeMap<u32, Var>,
}

impl Emitter<'_> {
    pub(super) fn push(&mut self, stmt: Stmt) {
        if let Some(block) = self.blocks.last_mut() {
            block.stmts.push(stmt);
        }
    }

    /// The position of the innermost block.
    pub(super) fn depth(&self) -> usize {
        self.blocks.len() - 1
    }

    /// The statements that `f` makes.
    pub(super) fn block(&mut self, f: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        self.blocks.push(Block::default());
        f(self);
        self.blocks.pop().map(|block| block.stmts).unwrap_or_default()
    }

    /// The statements and the result of `f`, which may rely on a condition.
    pub(super) fn arm<T>(&mut self, known: &[ArithExpr], f: impl FnOnce(&mut Self) -> T) -> (T, Vec<Stmt>) {
        let mut facts: Facts = self.facts.clone();
        known.iter().for_each(|e| facts.assume_nonneg(e.clone()));
        let before = std::mem::replace(&mut self.facts, facts);
        self.blocks.push(Block::default());
        let result = f(self);
        let stmts = self.blocks.pop().map(|block| block.stmts).unwrap_or_default();
        self.facts = before;
        (result, stmts)
    }

    /// Makes a variable known that counts from 0 below `len`, in the block at that depth.
    pub(super) fn declare(&mut self, var: &Var, len: &ArithExpr, depth: usize) {
        self.known(var, len);
        self.home.insert(var.clone(), depth);
    }

    /// Makes it known that a variable is at least 0 and below `len`.
    pub(super) fn known(&mut self, var: &Var, len: &ArithExpr) {
        self.facts.declare(var, Some(ArithExpr::zero()), Some(len - 1));
        self.ranges.declare(var, Some(ArithExpr::zero()), Some(len - 1));
    }

    /// A loop over `0..len`, unless it has one trip.
    pub(super) fn count(&mut self, name: &str, len: &ArithExpr, f: impl FnOnce(&mut Self, &ArithExpr)) {
        if self.facts.eq(len, &ArithExpr::one()) == Truth::Yes {
            return f(self, &ArithExpr::zero());
        }
        let var = Var::new(fresh_id(), name);
        self.count_with(&var, len, f);
    }

    /// A loop over `0..len` with this variable; with one of its own if this is a copy of another loop, for what stands in them
    /// has other names.
    pub(super) fn count_with(&mut self, var: &Var, len: &ArithExpr, f: impl FnOnce(&mut Self, &ArithExpr)) {
        let is_copy = self.home.contains_key(var);
        let var = if is_copy { Var::new(fresh_id(), var.name()) } else { var.clone() };
        self.declare(&var, len, self.blocks.len());
        let body = self.block(|e| f(e, &ArithExpr::var(&var)));
        let (start, step) = (ArithExpr::zero(), ArithExpr::one());
        self.push(Stmt::For { var, start, bound: len.clone(), step, unroll: Unroll::No, body });
    }

    /// A new constant with this value, unless the value is as good as one.
    pub(super) fn constant(&mut self, name: &str, value: Expr) -> Expr {
        if is_trivial(&value) {
            return value;
        }
        let local = Local::new(name, value.scalar());
        self.definitions.insert(local.id, value.clone());
        self.push(Stmt::Value { local: local.clone(), init: Some(value), constant: true });
        Expr::Local(local)
    }

    /// [`Emitter::constant`] for every scalar of a value; arrays stay.
    pub(super) fn constants(&mut self, name: &str, value: Value) -> Value {
        match value {
            Value::Scalar(e) => Value::Scalar(self.constant(name, e)),
            Value::Tuple(parts) => {
                let parts = parts.into_iter().enumerate();
                Value::Tuple(parts.map(|(i, part)| self.constants(&format!("{name}_{i}"), part)).collect())
            }
            Value::Array(view) => Value::Array(view),
        }
    }

    /// A new variable that will be assigned.
    pub(super) fn variable(&mut self, name: &str, scalar: Scalar, init: Option<Expr>) -> Local {
        let local = Local::new(name, scalar);
        self.push(Stmt::Value { local: local.clone(), init, constant: false });
        local
    }

    /// A variable for an index expression, in the outermost block in which it can be computed.
    pub(super) fn named(&mut self, e: &ArithExpr, name: impl FnOnce() -> String) -> ArithExpr {
        if let Some(var) = self.name_of(e) {
            return var;
        }
        let depth = e.vars().iter().filter_map(|v| self.home.get(v)).max().copied().unwrap_or(0);
        // That this block is executed may be why nothing is divided by 0: a loop that runs has an extent, and an arm its condition.
        let is_open = |divisor: &ArithExpr| !self.ranges.nonneg(&(divisor - 1)).is_yes();
        let depth = if e.divides_by(&is_open) { self.depth() } else { depth };
        let var = Var::new(fresh_id(), &name());
        self.home.insert(var.clone(), depth);
        let block = &mut self.blocks[depth];
        block.named.insert(e.clone(), var.clone());
        block.stmts.push(Stmt::Index(var.clone(), IndexValue::Arith(e.clone())));
        ArithExpr::var(&var)
    }

    /// The variable for an index expression, if it has one.
    pub(super) fn name_of(&self, e: &ArithExpr) -> Option<ArithExpr> {
        self.blocks.iter().find_map(|block| block.named.get(e)).map(ArithExpr::var)
    }

    /// `if cond { then } else { otherwise }` for values without arrays. Of the arm that is not taken, nothing
    /// is computed.
    pub(super) fn choose(
        &mut self,
        cond: Expr,
        then: impl FnOnce(&mut Self) -> Value,
        otherwise: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        match cond {
            Expr::Literal(Literal::Bool(true)) => return then(self),
            Expr::Literal(Literal::Bool(false)) => return otherwise(self),
            // An element that is not there is not even named.
            _ if is_refuted(&cond) => return otherwise(self),
            _ => {}
        }
        let (known, refuted) =
            (consequences(&cond, true, &self.facts), consequences(&cond, false, &self.facts));
        let (mut a, mut then) = self.arm(&known, then);
        let (mut b, mut otherwise) = self.arm(&refuted, otherwise);
        if then.is_empty() && otherwise.is_empty() {
            if let Some(both) = self.combined(&cond, &a, &b) {
                return Value::Scalar(both);
            }
            let cond = if matches!(a, Value::Tuple(_)) { self.constant("chosen", cond) } else { cond };
            return select(&cond, a, b);
        }
        let result = self.assigned(&mut a, &mut b, &mut then, &mut otherwise);
        self.push(Stmt::If(cond, then, otherwise));
        result
    }

    /// `c ? (d ? a : b) : b` is `c && d ? a : b`, without what `d` implies of `c`.
    fn combined(&self, c: &Expr, then: &Value, otherwise: &Value) -> Option<Expr> {
        let (Value::Scalar(Expr::Select(d, a, b)), Value::Scalar(other)) = (then, otherwise) else {
            return None;
        };
        if **b != *other {
            return None;
        }
        let mut facts = self.facts.clone();
        consequences(d, true, &facts).into_iter().for_each(|e| facts.assume_nonneg(e));
        let implied = |e: &Expr| matches!(e, Expr::Cond(c) if facts.nonneg(&c.margin()).is_yes());
        let left = c.conjuncts().into_iter().filter(|e| !implied(e)).cloned();
        let all = left.chain([(**d).clone()]).reduce(Expr::and)?;
        Some(Expr::Select(Box::new(all), a.clone(), b.clone()))
    }

    /// Variables to which each arm assigns its scalars.
    fn assigned(
        &mut self,
        a: &mut Value,
        b: &mut Value,
        then: &mut Vec<Stmt>,
        otherwise: &mut Vec<Stmt>,
    ) -> Value {
        match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                let local = self.variable("value", a.scalar(), None);
                then.push(Stmt::Assign(local.clone(), a.clone()));
                otherwise.push(Stmt::Assign(local.clone(), b.clone()));
                Value::Scalar(Expr::Local(local))
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                let pairs = a.iter_mut().zip(b);
                Value::Tuple(pairs.map(|(a, b)| self.assigned(a, b, then, otherwise)).collect())
            }
            _ => crate::bug!("a choice between arrays is deferred"),
        }
    }
}

/// Whether naming a value gains nothing.
pub(super) fn is_trivial(e: &Expr) -> bool {
    match e {
        Expr::Literal(_) | Expr::Local(_) | Expr::Index(_) => true,
        Expr::Unary(UnaryOp::Neg, _, x) => matches!(**x, Expr::Literal(_)),
        _ => false,
    }
}

/// Whether a comparison of numbers in it does not hold.
fn is_refuted(cond: &Expr) -> bool {
    cond.conjuncts()
        .into_iter()
        .any(|part| matches!(part, Expr::Cond(c) if c.margin().as_const().is_some_and(|n| n < 0)))
}

/// Scalar by scalar, `c ? a : b`.
fn select(c: &Expr, a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) if a == b => Value::Scalar(a),
        (Value::Scalar(a), Value::Scalar(b)) => {
            Value::Scalar(Expr::Select(Box::new(c.clone()), Box::new(a), Box::new(b)))
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            Value::Tuple(a.into_iter().zip(b).map(|(a, b)| select(c, a, b)).collect())
        }
        _ => crate::bug!("a choice between arrays is deferred"),
    }
}

/// Index expressions that are not negative when the condition is `value`.
pub(in crate::imp) fn consequences(cond: &Expr, value: bool, facts: &Facts) -> Vec<ArithExpr> {
    match cond {
        Expr::Cond(Cond::Less(a, b)) if !value => vec![a - b],
        Expr::Cond(Cond::AtLeast(a, b)) if !value => vec![b - a - 1],
        Expr::Cond(cond) => vec![cond.margin()],
        Expr::Unary(UnaryOp::Not, _, x) => consequences(x, !value, facts),
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), _, a, b) => {
            if value == (*op == BinaryOp::And) {
                [consequences(a, value, facts), consequences(b, value, facts)].concat()
            } else {
                Vec::new()
            }
        }
        Expr::Binary(op, _, a, b) => match (whole(a), whole(b)) {
            (Some(a), Some(b)) => compared(*op, &a, &b, value, facts),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// An index or a whole number.
fn whole(e: &Expr) -> Option<ArithExpr> {
    match e {
        Expr::Index(e) => Some(e.clone()),
        Expr::Literal(Literal::Int(n, _)) => i64::try_from(*n).ok().map(ArithExpr::cst),
        _ => None,
    }
}

/// What is not negative when the comparison of two indices is `value`.
fn compared(op: BinaryOp, a: &ArithExpr, b: &ArithExpr, value: bool, facts: &Facts) -> Vec<ArithExpr> {
    match (op, value) {
        (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => vec![b - a - 1],
        (BinaryOp::Le, true) | (BinaryOp::Gt, false) => vec![b - a],
        (BinaryOp::Gt, true) | (BinaryOp::Le, false) => vec![a - b - 1],
        (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => vec![a - b],
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => vec![a - b, b - a],
        // What is at least `b` and differs from it is greater.
        (BinaryOp::Eq, false) | (BinaryOp::Ne, true) if facts.le(b, a).is_yes() => vec![a - b - 1],
        (BinaryOp::Eq, false) | (BinaryOp::Ne, true) if facts.le(a, b).is_yes() => vec![b - a - 1],
        _ => Vec::new(),
    }
}
