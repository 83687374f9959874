//! Strips of a row in which quotients stay the same.
//!
//! Before: the interior of a loop that divides indices by numbers which are known when the program runs, and reads arrays there. After: how much indices
//! grow from trip to trip where no quotient changes. Then what is read is a stretch of an array as in other loops, or one element, and the strip has
//! neither quotients nor checks. Whether a strip is such is decided at its beginning.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Var};
use crate::host::divisors::Divisor;
use crate::host::names::Kind;
use crate::host::print::{Array, Printer, stored};
use crate::host::rows::Interior;
use crate::imp::ast::{Expr, IndexValue, Stmt};
use crate::ir::{BinaryOp, Literal, Scalar};
use crate::machine::host::STRIP;
use crate::memory::BufferId;

/// What is known of a strip before its trips, in the order in which it is computed.
pub(super) struct Steady {
    items: Vec<Item>,
}

enum Item {
    /// A quotient, remainder or comparison, and how much it and its operands grow from trip to trip.
    Term { e: Expr, by: i64, operands: [i64; 2] },
    /// What an index is.
    Name(Stmt),
    /// An element that is read.
    Load(BufferId, ArithExpr, i64),
}

/// What takes the place of expressions and elements in a steady strip.
#[derive(Default)]
pub(super) struct Texts {
    exprs: Vec<(Expr, String)>,
    loads: Vec<(BufferId, ArithExpr, String)>,
}

impl Texts {
    /// What stands for an expression.
    pub(super) fn of(&self, e: &Expr) -> Option<String> {
        self.exprs.iter().find(|(own, _)| own == e).map(|(_, text)| text.clone())
    }

    /// What stands for an element.
    pub(super) fn element(&self, id: BufferId, index: &[ArithExpr]) -> Option<String> {
        let [index] = index else { return None };
        let found = self.loads.iter().find(|(own, at, _)| *own == id && at == index);
        found.map(|(.., text)| text.clone())
    }
}

/// The growth of what a trip computes; `None` is not known.
struct Growth<'a> {
    divisors: &'a [Divisor],
    is_read: &'a dyn Fn(BufferId, &ArithExpr) -> bool,
    locals: BTreeMap<u32, Option<i64>>,
    vars: BTreeMap<Var, Option<i64>>,
    items: Vec<Item>,
}

/// How strips of an interior may be steady; nothing for those in which no quotient can stay the same. `is_read` says which elements a stretch may
/// be made of.
pub(super) fn steady(
    interior: &Interior,
    divisors: &[Divisor],
    is_read: &dyn Fn(BufferId, &ArithExpr) -> bool,
) -> Option<Steady> {
    if divisors.is_empty() {
        return None;
    }
    let vars = BTreeMap::from([(interior.var.clone(), Some(1))]);
    let mut growth = Growth { divisors, is_read, locals: BTreeMap::new(), vars, items: Vec::new() };
    interior.body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            if let Some(var) = s.index() {
                growth.vars.insert(var.clone(), None);
            }
            if let Stmt::Value { local, .. } = s {
                growth.locals.insert(local.id, None);
            }
        });
    });
    growth.block(&interior.body);
    let moves = |item: &Item| match item {
        Item::Term { e: Expr::Binary(op, ..), operands: [by, _], .. } => is_quotient(*op) && *by == 1,
        _ => false,
    };
    growth.items.iter().any(moves).then_some(Steady { items: growth.items })
}

fn is_quotient(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Div | BinaryOp::Rem)
}

impl Growth<'_> {
    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Value { local, init: Some(e), constant } => {
                let by = self.of(e).filter(|_| *constant && local.scalar == Scalar::Usize);
                self.locals.insert(local.id, by);
                self.name(stmt, by);
            }
            Stmt::Index(var, value) => {
                let by = match value {
                    IndexValue::Arith(e) => self.of_index(e),
                    IndexValue::Value(e) => self.of(e),
                    _ => None,
                };
                self.vars.insert(var.clone(), by);
                self.name(stmt, by);
            }
            Stmt::If(cond, then, otherwise) => {
                self.of(cond);
                self.block(then);
                self.block(otherwise);
            }
            stmt => {
                if let Some(e) = stmt.expr() {
                    self.of(e);
                }
            }
        }
    }

    fn name(&mut self, stmt: &Stmt, by: Option<i64>) {
        if by.is_some() {
            self.items.push(Item::Name(stmt.clone()));
        }
    }

    /// The growth of a number without a sign; what it reads and divides is noted.
    fn of(&mut self, e: &Expr) -> Option<i64> {
        match e {
            Expr::Literal(Literal::Int(..)) => Some(0),
            Expr::Local(local) => self.locals.get(&local.id).copied().unwrap_or(Some(0)),
            Expr::Index(index) => self.of_index(index),
            Expr::Load(id, _, index) => {
                if let [index] = index.as_slice()
                    && let Some(by @ (0 | 1)) = self.of_index(index)
                    && (self.is_read)(*id, index)
                {
                    self.load(*id, index, by);
                }
                None
            }
            Expr::Binary(op, scalar, a, b) => {
                let (x, y) = (self.of(a), self.of(b));
                if *scalar != Scalar::Usize {
                    return None;
                }
                self.operation(e, *op, (x?, y?), b)
            }
            Expr::Cast(to, x) => {
                let by = self.of(x);
                by.filter(|_| *to == Scalar::Usize && x.scalar() == Scalar::Usize)
            }
            Expr::Math(_, _, args) => {
                for x in args {
                    self.of(x);
                }
                None
            }
            Expr::Unary(_, _, x) => {
                self.of(x);
                None
            }
            Expr::Select(c, a, b) => {
                for x in [c, a, b] {
                    self.of(x);
                }
                None
            }
            _ => None,
        }
    }

    fn operation(&mut self, e: &Expr, op: BinaryOp, (x, y): (i64, i64), b: &Expr) -> Option<i64> {
        let is_divisor = || self.divisors.iter().any(|(by, _)| by == b);
        match op {
            BinaryOp::Add => Some(x + y),
            BinaryOp::Sub => Some(x - y),
            BinaryOp::Mul if (x, y) == (0, 0) => Some(0),
            _ if is_quotient(op) && (x == 0 && y == 0 || x == 1 && is_divisor()) => {
                let by = if op == BinaryOp::Rem { x } else { 0 };
                self.term(e, by, [x, y]);
                Some(by)
            }
            _ if op.is_comparison() && [x, y].iter().all(|by| (0..=1).contains(by)) => {
                self.term(e, 0, [x, y]);
                None
            }
            _ => None,
        }
    }

    fn of_index(&self, e: &ArithExpr) -> Option<i64> {
        let (mut by, mut rest) = (0, e.clone());
        for var in e.vars() {
            let Some(own) = self.vars.get(&var) else { continue };
            let (factor, others) = rest.linear_in(&var)?;
            by += factor.as_const()? * (*own)?;
            rest = others;
        }
        Some(by)
    }

    fn term(&mut self, e: &Expr, by: i64, operands: [i64; 2]) {
        let is_known = |item: &Item| matches!(item, Item::Term { e: own, .. } if own == e);
        if !self.items.iter().any(is_known) {
            self.items.push(Item::Term { e: e.clone(), by, operands });
        }
    }

    fn load(&mut self, id: BufferId, index: &ArithExpr, by: i64) {
        let is_known = |item: &Item| matches!(item, Item::Load(own, at, _) if *own == id && at == index);
        if !self.items.iter().any(is_known) {
            self.items.push(Item::Load(id, index.clone(), by));
        }
    }
}

impl Printer<'_> {
    /// How the strips of an interior may be steady.
    pub(super) fn steady(&self, interior: &Interior, divisors: &[Divisor]) -> Option<Steady> {
        let is_read = |id: BufferId, index: &ArithExpr| {
            let is_stretch = interior
                .reads
                .iter()
                .any(|it| it.offset(id, std::slice::from_ref(index), &interior.var).is_some());
            !is_stretch && self.reached(id) == Some(Array::Slice)
        };
        steady(interior, divisors, &is_read)
    }

    /// The trips of a strip: once for the case that it is steady, and once for all others.
    pub(super) fn steady_strip(&mut self, steady: &Steady, interior: &Interior) {
        let index = self.names.of(Kind::Variable, interior.var.id(), interior.var.name());
        self.line(&format!("let {index}: isize = first + at as isize;"));
        let (mut inside, mut holds, mut stretches) = (Texts::default(), Vec::new(), Vec::new());
        for (i, item) in steady.items.iter().enumerate() {
            match item {
                Item::Term { e, by, operands } => {
                    holds.extend(self.term(i, e, *operands));
                    let text = if *by == 0 { format!("q{i}") } else { format!("(q{i} + trip)") };
                    inside.exprs.push((e.clone(), text));
                }
                Item::Name(stmt) => self.stmt(stmt),
                Item::Load(id, at, by) => {
                    let (array, at_text) = (self.array(*id), self.index(at));
                    self.line(&format!("let b{i}: isize = {at_text};"));
                    let (count, elem) =
                        (if *by == 0 { 1 } else { STRIP }, stored(self.kernel.buffer(*id).scalar));
                    holds.push(format!("b{i} >= 0 && b{i} as usize + {count} <= {array}.len()"));
                    let (line, text) = if *by == 0 {
                        (format!("let w{i}: {elem} = {array}[b{i} as usize];"), format!("w{i}"))
                    } else {
                        (
                            format!("let w{i}: &[{elem}; {STRIP}] = host::strip({array}, b{i} as usize);"),
                            format!("w{i}[trip]"),
                        )
                    };
                    stretches.push(line);
                    inside.loads.push((*id, at.clone(), text));
                }
            }
        }
        self.line(&format!("if {} {{", holds.join(" && ")));
        self.texts = inside;
        self.nested(|p| {
            stretches.iter().for_each(|line| p.line(line));
            p.trips(interior, &STRIP.to_string(), "at + trip");
        });
        self.texts = Texts::default();
        self.line("} else {");
        self.nested(|p| p.trips(interior, &STRIP.to_string(), "at + trip"));
        self.line("}");
    }

    /// A name for what a quotient or comparison is at the beginning of a strip, and when it, or its remainder, is that for the whole strip.
    fn term(&mut self, i: usize, e: &Expr, operands: [i64; 2]) -> Option<String> {
        let Expr::Binary(op, _, a, b) = e else { return None };
        let [a_text, b_text] = [a, b].map(|x| self.expr(x));
        let text = self.expr(e);
        let last = STRIP - 1;
        self.line(&format!("let q{i} = {text};"));
        self.texts.exprs.push((e.clone(), format!("q{i}")));
        if operands == [0, 0] {
            return None;
        }
        if !is_quotient(*op) {
            let [a_last, b_last] = [(&a_text, operands[0]), (&b_text, operands[1])]
                .map(|(text, by)| format!("{text}.wrapping_add({})", last as i64 * by));
            let symbol = op.symbol();
            return Some(format!(
                "(({a_text} | {b_text}) as isize) >= 0 && q{i} == ({a_last} {symbol} {b_last})"
            ));
        }
        let rest = match op {
            BinaryOp::Rem => format!("q{i}"),
            _ => self.expr(&Expr::Binary(BinaryOp::Rem, Scalar::Usize, a.clone(), b.clone())),
        };
        Some(format!("({a_text} as isize) >= 0 && {rest} < {b_text}.saturating_sub({last})"))
    }
}

#[cfg(test)]
mod tests {
    /// The text of the last function of a kernel.
    fn text(kernel: &str) -> String {
        let kernels = crate::pipeline::compile(kernel.parse().expect("tokens")).kernels;
        let version = kernels.first().and_then(|kernel| kernel.host.first()).expect("a version for the host");
        version.generated.host.last().expect("a function").text.clone()
    }

    /// What is done in a steady strip: from the test of quotients to the other case.
    fn steady(text: &str) -> Option<&str> {
        let (_, test) = text.split_once(".saturating_sub(63)")?;
        let (_, rest) = test.split_once("{\n")?;
        rest.split_once("} else {").map(|(steady, _)| steady)
    }

    #[test]
    fn a_strip_in_which_quotients_stay_the_same_has_none() {
        let text = text(
            "#[kernel] fn Flat<N>(w: usize, x: [f32; N]) -> [f32; N] {
                array(N, |i| x[i] * (i % w) as f32 - x[(i + w) % N] * (i / w) as f32)
            }",
        );
        let strip = steady(&text).expect("a steady strip");
        assert!(strip.contains(" + trip)") && strip.contains("[trip]") && !strip.contains("d1."), "{strip}");
        assert!(text.contains("d1.quotient(") && text.contains("d1.remainder("), "{text}");
    }

    #[test]
    fn divisors_that_change_are_left_alone() {
        let text = text("#[kernel] fn Each<N>(x: [usize; N]) -> [usize; N] { array(N, |i| (i + 7) / x[i]) }");
        assert!(steady(&text).is_none() && !text.contains("host::Divisor"), "{text}");
    }
}
