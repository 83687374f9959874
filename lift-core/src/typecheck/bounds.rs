//! Indices are in range: proved for every `x[i]`, with what is known about generator indices and from
//! enclosing conditions.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Truth, Var};
use crate::diag::Diagnostics;
use crate::ir::{
    Arg, BinaryOp, Expr, Kernel, Kind, Literal, MathFn, Param, Prim, Scalar, UnaryOp, build::fresh_id,
};
use crate::span::Span;
use crate::typecheck::ranges::most;
use crate::typecheck::{edges, error};

/// The code of an index that may be out of range.
const NOT_PROVED: &str = "L0234";

/// Programs that need larger sizes have another mistake.
const MOST_PROMISED: i64 = 8;

/// Whether this is of a type with which indices are computed.
pub(super) fn is_number(e: &Expr) -> bool {
    e.ty().as_scalar().is_some_and(Scalar::counts)
}

/// Whether it may be negative.
fn is_signed(e: &Expr) -> bool {
    e.ty().as_scalar() == Some(Scalar::I64)
}

/// Checks every index of the kernel.
pub(super) fn check(kernel: &Kernel, diags: &mut Diagnostics) {
    let mut faults = found(kernel, kernel.facts.clone());
    let mut open: Vec<Span> = faults.all().iter().filter(|d| d.code == NOT_PROVED).map(|d| d.span).collect();
    // Where a size that is a little larger would do, the help says so.
    for (least, size) in
        (2..=MOST_PROMISED).flat_map(|least| kernel.sizes.iter().map(move |size| (least, size)))
    {
        if open.is_empty() {
            break;
        }
        let mut known = kernel.facts.fork();
        known.assume_nonneg(ArithExpr::var(size) - least);
        let left = found(kernel, known);
        let (left, proved) = open.into_iter().partition(|span| left.all().iter().any(|d| d.span == *span));
        open = left;
        let help = format!("promise that it is large enough: `#[size({} >= {least})]`", size.name());
        faults.help_instead(&proved, NOT_PROVED, &help);
    }
    diags.extend(faults);
}

/// What is wrong with the indices where this is known of the sizes.
fn found(kernel: &Kernel, facts: Facts) -> Diagnostics {
    let mut found = Diagnostics::new();
    walk(&kernel.body, &mut Scope::new(facts), &mut found);
    found
}

/// What is known about numbers.
#[derive(Clone)]
pub(super) struct Scope {
    /// What is known about variables of type `usize` and `i64`.
    pub(super) values: BTreeMap<u32, ArithExpr>,
    /// The same of parts of variables that are tuples.
    parts: BTreeMap<(u32, usize), ArithExpr>,
    /// Definitions of numbers that are chosen by a condition.
    choices: BTreeMap<u32, Expr>,
    /// What is known about sizes and indices.
    pub(super) facts: Facts,
}

fn walk(e: &Expr, scope: &mut Scope, diags: &mut Diagnostics) {
    match e.kind() {
        Kind::Let(param, value, body) => {
            walk(value, scope, diags);
            if is_number(value) {
                if matches!(value.kind(), Kind::If(..)) {
                    scope.choices.insert(param.id, value.clone());
                }
                let value = scope.index(value);
                scope.values.insert(param.id, value);
            }
            walk(body, scope, diags);
        }
        Kind::If(c, a, b) => {
            walk(c, scope, diags);
            for (arm, mut inner) in scope.arms(c, a, b) {
                // `if i < 0 { x[0 - 1 - i] }` comes of a function for any radius where the radius is 0.
                if !inner.facts.contradict() {
                    walk(arm, &mut inner, diags);
                }
            }
        }
        Kind::Prim(Prim::Pad, args) => {
            edges::check(e, scope, diags);
            args.iter().filter_map(Arg::expr).for_each(|child| walk(child, scope, diags));
        }
        Kind::Prim(Prim::Array, args) => {
            if let [Arg::Size(n), Arg::Fun(f)] = args.as_slice() {
                let mut inner = scope.generated(&f.params[0], n);
                // Of no elements, none is computed.
                if !inner.facts.contradict() {
                    walk(&f.body, &mut inner, diags);
                }
            }
        }
        Kind::Prim(Prim::Map(_), args) => {
            if let [Arg::Fun(f), Arg::Data(xs)] = args.as_slice() {
                walk(xs, scope, diags);
                let mut inner = scope.clone();
                if let [element] = f.params.as_slice() {
                    inner.elements(element, xs);
                }
                walk(&f.body, &mut inner, diags);
            }
        }
        Kind::Prim(prim @ (Prim::Reorder | Prim::Scatter), args) => {
            if let [Arg::Fun(p), Arg::Data(xs)] = args.as_slice()
                && let Some((_, n)) = xs.ty().as_array()
            {
                walk(xs, scope, diags);
                let mut inner = scope.generated(&p.params[0], n);
                inner.values.insert(p.params[1].id, n.clone());
                if inner.facts.contradict() {
                    return;
                }
                walk(&p.body, &mut inner, diags);
                if !mentions(&p.body, p.params[0].id) && n.as_const() != Some(1) {
                    diags.push(error::no_permutation(e.span(), prim.name(), &p.params[0].name));
                } else if !inner.stays_below(&p.body, n) {
                    diags.push(error::permutation_not_proved(e.span(), prim.name(), n.to_string()));
                }
            }
        }
        Kind::Prim(Prim::At, args) => {
            if let [Arg::Data(i), Arg::Data(xs)] = args.as_slice() {
                walk(i, scope, diags);
                walk(xs, scope, diags);
                check_index(e, i, xs, scope, diags);
            }
        }
        _ => e.children().into_iter().for_each(|child| walk(child, scope, diags)),
    }
}

/// Whether the variable occurs.
fn mentions(e: &Expr, id: u32) -> bool {
    e.any(&|e| matches!(e.kind(), Kind::Param(p) if p.id == id))
}

fn check_index(e: &Expr, i: &Expr, xs: &Expr, scope: &mut Scope, diags: &mut Diagnostics) {
    let Some((_, len)) = xs.ty().as_array() else { return };
    // What is chosen is in range if it is in each arm, and what definitions are for if their value is.
    if scope.has_parts(i) && scope.stays_below(i, len) {
        return;
    }
    let index = scope.index(i);
    let facts = &scope.facts;
    let (shown, length, last) = (i.to_string(), len.to_string(), (len - ArithExpr::one()).to_string());
    let (low, high) = (facts.nonneg(&index), facts.lt(&index, len));
    match (low, high) {
        (Truth::Yes, Truth::Yes) => {}
        (Truth::No, _) | (_, Truth::No) => {
            diags.push(error::index_out_of_range(e.span(), &shown, &length, &last));
        }
        (Truth::Unknown, _) | (_, Truth::Unknown) => {
            let help = how_to_prove(i, xs, &shown, &length, &last);
            diags.push(error::index_not_proved(e.span(), &shown, &length, help));
        }
    }
}

/// What to write so that an index is in range.
fn how_to_prove(i: &Expr, xs: &Expr, index: &str, length: &str, last: &str) -> String {
    let array = match xs.kind() {
        Kind::Param(p) => &p.name,
        _ => "…",
    };
    match i.kind() {
        Kind::Literal(Literal::Int(n, Scalar::Usize)) if error::is_name(length) => {
            format!("promise that it is large enough: `#[size({length} >= {})]`", n.saturating_add(1))
        }
        Kind::Binary(BinaryOp::Sub, a, b) => {
            format!(
                "say what lies outside: `if {a} >= {b} {{ {array}[{index}] }} else {{ … }}`; or use `pad` and `slide`"
            )
        }
        Kind::Binary(BinaryOp::Add, ..) => {
            format!("say what lies outside: `{array}[({index}).min({last})]`; or use `pad` and `slide`")
        }
        Kind::Param(_) => format!("say what lies outside: `{array}[{index}.min({last})]`"),
        _ => format!("say what lies outside: `{array}[({index}).min({last})]`"),
    }
}

impl Scope {
    /// Nothing is known but about sizes.
    pub(super) fn new(facts: Facts) -> Scope {
        Scope { values: BTreeMap::new(), parts: BTreeMap::new(), choices: BTreeMap::new(), facts }
    }

    /// The arms of a choice, each with what is known in it.
    pub(super) fn arms<'e>(&self, c: &Expr, a: &'e Expr, b: &'e Expr) -> [(&'e Expr, Scope); 2] {
        [(a, true), (b, false)].map(|(arm, holds)| {
            let mut inner = self.clone();
            inner.assume(c, holds);
            (arm, inner)
        })
    }

    /// What is known in a function of an index of `n` elements.
    fn generated(&self, index: &Param, n: &ArithExpr) -> Scope {
        let mut inner = self.clone();
        let var = Var::new(fresh_id(), &index.name);
        inner.facts.declare(&var, Some(ArithExpr::zero()), Some(n - ArithExpr::one()));
        // It is called at all.
        inner.facts.assume_nonneg(n - ArithExpr::one());
        inner.values.insert(index.id, ArithExpr::var(&var));
        inner
    }

    /// What is known of the elements of an array in a function of one, as far as they are computed from their indices.
    fn elements(&mut self, element: &Param, xs: &Expr) {
        if let Some((Prim::Zip, parts)) = xs.as_prim() {
            for (i, part) in parts.iter().enumerate() {
                if let Some(value) = part.data().and_then(|part| self.element(part)) {
                    self.parts.insert((element.id, i), value);
                }
            }
        } else if let Some(value) = self.element(xs) {
            self.values.insert(element.id, value);
        }
    }

    /// An element of an array of numbers that are computed from their indices.
    fn element(&mut self, xs: &Expr) -> Option<ArithExpr> {
        let (Prim::Array, [Arg::Size(n), Arg::Fun(f)]) = xs.as_prim()? else { return None };
        if !is_number(&f.body) {
            return None;
        }
        let mut inner = self.generated(&f.params[0], n);
        let value = inner.understood(&f.body);
        self.facts = inner.facts;
        value
    }

    /// Whether this is a number that is chosen by a condition, or computed from definitions.
    fn has_parts(&self, e: &Expr) -> bool {
        match e.kind() {
            Kind::If(..) | Kind::Let(..) => true,
            Kind::Param(p) => self.choices.contains_key(&p.id),
            _ => false,
        }
    }

    /// Whether a number is below `n`, whatever way is taken to it.
    fn stays_below(&mut self, e: &Expr, n: &ArithExpr) -> bool {
        match e.kind() {
            Kind::Param(p) if self.choices.contains_key(&p.id) => {
                let choice = self.choices[&p.id].clone();
                self.stays_below(&choice, n)
            }
            Kind::Let(param, value, body) => {
                if is_number(value) {
                    let value = self.index(value);
                    self.values.insert(param.id, value);
                }
                self.stays_below(body, n)
            }
            Kind::If(c, a, b) => self
                .arms(c, a, b)
                .into_iter()
                .all(|(arm, mut inner)| inner.facts.contradict() || inner.stays_below(arm, n)),
            _ => {
                let index = self.index(e);
                self.facts.nonneg(&index) == Truth::Yes && self.facts.lt(&index, n) == Truth::Yes
            }
        }
    }

    /// The value of an expression of type `usize` or `i64`. What is not understood is some number, of type
    /// `usize` from 0 up.
    pub(super) fn index(&mut self, e: &Expr) -> ArithExpr {
        self.understood(e).unwrap_or_else(|| self.some("i", is_signed(e)))
    }

    fn some(&mut self, name: &str, signed: bool) -> ArithExpr {
        self.between(name, (!signed).then(ArithExpr::zero), None)
    }

    fn between(&mut self, name: &str, low: Option<ArithExpr>, high: Option<ArithExpr>) -> ArithExpr {
        let var = Var::new(fresh_id(), name);
        self.facts.declare(&var, low, high);
        ArithExpr::var(&var)
    }

    /// The value of an expression of type `i64`, for what `usize` does differently.
    fn signed(&mut self, e: &Expr) -> Option<ArithExpr> {
        let positive = |scope: &Scope, x: &ArithExpr| scope.facts.lt(&ArithExpr::zero(), x) == Truth::Yes;
        let value = match e.kind() {
            Kind::Unary(UnaryOp::Neg, x) => -self.index(x),
            Kind::Binary(BinaryOp::Sub, a, b) => self.index(a) - self.index(b),
            // Nothing is known of a product that may wrap around.
            Kind::Binary(BinaryOp::Mul, a, b) => {
                let product = self.index(a) * self.index(b);
                let most = product.eval(&|_| Some(1 << 31))?;
                (most.abs() < 1 << 62).then_some(product)?
            }
            Kind::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), a, b) => {
                let (a, b) = (self.index(a), self.index(b));
                (self.facts.nonneg(&a) == Truth::Yes && positive(self, &b)).then_some(())?;
                if *op == BinaryOp::Div { a.div(&b) } else { a.modulo(&b) }
            }
            Kind::Math(MathFn::RemEuclid, args) => {
                let (a, b) = (self.index(&args[0]), self.index(&args[1]));
                positive(self, &b).then(|| a.modulo(&b))?
            }
            Kind::Cast(_, x) if is_number(x) => self.index(x),
            _ => return None,
        };
        Some(self.facts.simplify(&value))
    }

    pub(super) fn understood(&mut self, e: &Expr) -> Option<ArithExpr> {
        if is_signed(e)
            && let Some(value) = self.signed(e)
        {
            return Some(value);
        }
        let value = match e.kind() {
            Kind::Literal(Literal::Int(n, _)) => ArithExpr::cst(i64::try_from(*n).ok()?),
            Kind::Size(n) => n.clone(),
            Kind::Param(p) => match self.values.get(&p.id) {
                Some(value) => value.clone(),
                // Some number, but always the same: conditions may say more about it.
                None => {
                    let value = self.some(&p.name, is_signed(e));
                    self.values.insert(p.id, value.clone());
                    value
                }
            },
            Kind::Field(x, part) => {
                let Kind::Param(p) = x.kind() else { return None };
                let key = (p.id, *part);
                match self.parts.get(&key) {
                    Some(value) => value.clone(),
                    None => {
                        let value = self.some(&p.name, is_signed(e));
                        self.parts.insert(key, value.clone());
                        value
                    }
                }
            }
            Kind::Binary(BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem, ..)
                if is_signed(e) =>
            {
                return None;
            }
            Kind::Cast(Scalar::Usize, x) if is_signed(x) => {
                let x = self.understood(x)?;
                (self.facts.nonneg(&x) == Truth::Yes).then_some(x)?
            }
            Kind::Binary(BinaryOp::Add, a, b) => self.index(a) + self.index(b),
            Kind::Binary(BinaryOp::Mul, a, b) => self.index(a) * self.index(b),
            Kind::Binary(BinaryOp::Sub, a, b) => {
                // Below zero it wraps to something huge: only a proved difference is a difference.
                let (a, b) = (self.index(a), self.index(b));
                (self.facts.le(&b, &a) == Truth::Yes).then(|| a - b)?
            }
            Kind::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), a, b) => {
                let (a, b) = (self.index(a), self.index(b));
                (self.facts.lt(&ArithExpr::zero(), &b) == Truth::Yes).then_some(())?;
                if *op == BinaryOp::Div { a.div(&b) } else { a.modulo(&b) }
            }
            Kind::Math(MathFn::Min, args) => ArithExpr::min(&self.index(&args[0]), &self.index(&args[1])),
            Kind::Math(MathFn::Max, args) => ArithExpr::max(&self.index(&args[0]), &self.index(&args[1])),
            Kind::Math(MathFn::Clamp, args) => {
                let (x, low, high) = (self.index(&args[0]), self.index(&args[1]), self.index(&args[2]));
                ArithExpr::min(&ArithExpr::max(&x, &low), &high)
            }
            _ => self.between("i", Some(ArithExpr::zero()), Some(most(e)?.into())),
        };
        Some(self.facts.simplify(&value))
    }

    pub(super) fn assume(&mut self, condition: &Expr, holds: bool) {
        if let Kind::Unary(UnaryOp::Not, c) = condition.kind() {
            return self.assume(c, !holds);
        }
        let Kind::Binary(op, a, b) = condition.kind() else { return };
        if (*op, holds) == (BinaryOp::And, true) || (*op, holds) == (BinaryOp::Or, false) {
            self.assume(a, holds);
            self.assume(b, holds);
            return;
        }
        if !is_number(a) {
            return;
        }
        let (Some(a), Some(b)) = (self.understood(a), self.understood(b)) else { return };
        let one = ArithExpr::one();
        // Each relation as «something is at least 0».
        let known = match (op, holds) {
            (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => b - a - one,
            (BinaryOp::Le, true) | (BinaryOp::Gt, false) => b - a,
            (BinaryOp::Gt, true) | (BinaryOp::Le, false) => a - b - one,
            (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => a - b,
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                self.facts.assume_nonneg(&a - &b);
                b - a
            }
            // Of what is at one end of a range, more is known than that it is another number.
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) if self.facts.le(&b, &a) == Truth::Yes => {
                a - b - one
            }
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) if self.facts.le(&a, &b) == Truth::Yes => {
                b - a - one
            }
            _ => return,
        };
        self.facts.assume_nonneg(known);
    }
}
