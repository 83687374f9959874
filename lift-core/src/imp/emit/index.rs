//! Values of type `usize` as index arithmetic, and index arithmetic as text: what fits, what needs a name.
//!
//! Index arithmetic is exact on integers, and the text computes it in `index_t`, which the launcher makes wide enough for all that is
//! computed in it (`imp/bounds.rs`). A value of the program may be greater; it is 64 bits wide and
//! wraps. So a value becomes index arithmetic only while it stays well below 2^62, and index arithmetic that
//! exceeds a few extents is computed in 64 bits, so that it alone makes no other index wider.

use std::cmp::Ordering;

use crate::arith::{ArithExpr, Facts, Form, Truth, Var};
use crate::imp::ast::{Expr, IndexValue, Stmt};
use crate::imp::emit::Emitter;
use crate::ir::build::fresh_id;
use crate::ir::{BinaryOp, Literal, MathFn, Scalar};
use crate::memory::{Buffer, Space};
use crate::view::Cond;

impl Emitter<'_> {
    /// The operation on two indices as index arithmetic, if it can be that.
    pub(super) fn index_binary(&self, op: BinaryOp, a: &ArithExpr, b: &ArithExpr) -> Option<Expr> {
        let positive = |e: &ArithExpr| self.facts.nonneg(&(e - 1)) == Truth::Yes;
        let result = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Mul => a * b,
            BinaryOp::Sub if self.facts.le(b, a) == Truth::Yes => a - b,
            BinaryOp::Div if positive(b) => a.div(b),
            BinaryOp::Rem if positive(b) => a.modulo(b),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge if !self.comparable(a, b) => {
                return None;
            }
            BinaryOp::Lt => return Some(self.decided(Cond::Less(a.clone(), b.clone()))),
            BinaryOp::Le => return Some(self.decided(Cond::Less(a.clone(), b + 1))),
            BinaryOp::Gt => return Some(self.decided(Cond::AtLeast(a.clone(), b + 1))),
            BinaryOp::Ge => return Some(self.decided(Cond::AtLeast(a.clone(), b.clone()))),
            BinaryOp::Eq | BinaryOp::Ne => match self.facts.eq(a, b) {
                Truth::Yes => return Some(Expr::Literal(Literal::Bool(op == BinaryOp::Eq))),
                Truth::No => return Some(Expr::Literal(Literal::Bool(op == BinaryOp::Ne))),
                Truth::Unknown => return None,
            },
            BinaryOp::Sub
            | BinaryOp::Unrounded
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => return None,
        };
        let result = self.facts.simplify(&result);
        is_exact(&result).then_some(Expr::Index(result))
    }

    /// Whether the two are compared like indices.
    fn comparable(&self, a: &ArithExpr, b: &ArithExpr) -> bool {
        let difference = b - a;
        self.facts.nonneg(&difference).is_yes()
            || self.facts.nonneg(&(-&difference - 1)).is_yes()
            || (is_linear(a, &self.facts) && is_linear(b, &self.facts))
    }

    /// The function of indices as index arithmetic, if it can be that.
    pub(super) fn index_math(&self, f: MathFn, own: Scalar, args: &[Expr]) -> Option<Expr> {
        if own != Scalar::Usize {
            return None;
        }
        let indices: Vec<&ArithExpr> = args.iter().filter_map(as_index).collect();
        let result = match (f, indices.as_slice()) {
            (MathFn::Min, [a, b]) => ArithExpr::min(a, b),
            (MathFn::Max, [a, b]) => ArithExpr::max(a, b),
            (MathFn::Clamp, [x, low, high]) => ArithExpr::min(&ArithExpr::max(x, low), high),
            _ => return None,
        };
        Some(Expr::Index(self.facts.simplify(&result)))
    }

    /// A comparison of indices, or what it comes to.
    pub(super) fn decided(&self, cond: Cond) -> Expr {
        match self.facts.nonneg(&cond.margin()) {
            Truth::Yes => Expr::Literal(Literal::Bool(true)),
            Truth::No => Expr::Literal(Literal::Bool(false)),
            Truth::Unknown => Expr::Cond(cond),
        }
    }

    /// Whether all that is divided in it is no more than positions in arrays may be, such as the number of an element of which row and column are
    /// wanted: then it makes no index wider than those of that array.
    fn divides_positions(&self, e: &ArithExpr) -> bool {
        let is_global = |buffer: &&Buffer| matches!(buffer.space, Space::Input | Space::Output);
        let lengths: Vec<ArithExpr> = (self.buffers.iter().filter(is_global))
            .map(|buffer| buffer.dims.iter().cloned().product::<ArithExpr>().polynomial_above())
            .collect();
        e.dividends().iter().all(|dividend| {
            let most = self.ranges.upper_bound(dividend).map(|most| most.polynomial_above());
            most.is_some_and(|most| lengths.iter().any(|length| most.grows_within(length)))
        })
    }

    /// A value as the index of an array of `len` elements; it is known to be in range. If it needs a variable
    /// and has no name of its own, that is called `name`.
    pub(super) fn as_index(&mut self, value: Expr, len: &ArithExpr, name: &str) -> ArithExpr {
        let known = match &value {
            Expr::Index(e) if !e.has_division() || is_linear(e, &self.facts) || self.divides_positions(e) => {
                return e.clone();
            }
            Expr::Local(local) => Some(local.id),
            _ => None,
        };
        let named = |id| self.blocks.iter().find_map(|block| block.indices.get(&id));
        if let Some(var) = known.and_then(named) {
            return ArithExpr::var(var);
        }
        let name = match &value {
            Expr::Local(local) => local.name.to_string(),
            _ => name.to_string(),
        };
        let var = Var::new(fresh_id(), &name);
        self.declare(&var, len, self.depth());
        self.push(Stmt::Index(var.clone(), IndexValue::Value(value)));
        if let (Some(id), Some(block)) = (known, self.blocks.last_mut()) {
            block.indices.insert(id, var.clone());
        }
        ArithExpr::var(&var)
    }

    /// A name for an index that was folded back into an array.
    pub(super) fn named_index(&mut self, e: &ArithExpr) -> ArithExpr {
        let vars: Vec<Var> = e.vars().into_iter().filter(|v| !self.low.is_size(v)).collect();
        self.named(e, || index_name(e, &vars))
    }
}

/// `row_m1` for what is usually `row - 1`; else a letter for the dimension.
fn index_name(e: &ArithExpr, vars: &[Var]) -> String {
    if let [var] = vars {
        // Far inside, an index that is folded at the edges is the plain one.
        let (size, inside) = (1 << 20, 1 << 19);
        let offset = e.eval(&|v| Some(if v == var { inside } else { size })).map(|value| value - inside);
        match offset {
            Some(d @ 1..=64) => return format!("{var}_p{d}"),
            Some(d @ -64..=-1) => return format!("{var}_m{}", -d),
            _ => {}
        }
    }
    let letter = vars.iter().find_map(|v| match v.name() {
        "row" | "gy" | "ly" | "y" | "wy" => Some("r"),
        "col" | "gx" | "lx" | "x" | "wx" => Some("c"),
        "i" => Some("j"),
        "plane" | "gz" | "lz" | "z" | "wz" => Some("p"),
        _ => None,
    });
    letter.unwrap_or("j").to_string()
}

fn as_index(e: &Expr) -> Option<&ArithExpr> {
    match e {
        Expr::Index(e) => Some(e),
        _ => None,
    }
}

/// Whether the expression stays far below 2^62 for variables below 2^31.
fn is_exact(e: &ArithExpr) -> bool {
    e.eval(&|_| Some(1 << 31)).is_some_and(|value| value.abs() < 1 << 62)
}

/// Whether all that is computed for the expression stays below a few extents, so that it is computed like indices even though it
/// is none into an array. Like theirs, its bounds decide how wide `index_t` is.
pub fn is_linear(e: &ArithExpr, facts: &Facts) -> bool {
    growth(&e.form(facts, &|_| false), Some(facts), false).most < FEW
}

/// The same for a form of sizes, of which products may be extents: they are numbers of elements.
pub fn has_linear_form(form: &Form, facts: &Facts) -> bool {
    growth(form, Some(facts), true).most < FEW
}

/// So many extents are no longer a few. Whatever this is, bounds say how wide indices must be; what is beyond is computed in 64
/// bits by itself, so that it does not make all other indices wider.
const FEW: f64 = 4.0;

/// How large a form is in terms of extents.
#[derive(Clone, Copy)]
struct Growth {
    /// How many extents are multiplied.
    degree: usize,
    /// How often, or the number itself if no extent is.
    factor: f64,
    /// How many extents the largest of all parts has, itself included; infinitely many if it is a product of extents.
    most: f64,
}

impl Growth {
    fn new(degree: usize, factor: f64, parts: f64) -> Growth {
        let own = match degree {
            0 => 0.0,
            1 => factor,
            _ => f64::INFINITY,
        };
        Growth { degree, factor, most: parts.max(own) }
    }

    fn key(&self) -> (usize, f64) {
        (self.degree, self.factor)
    }
}

/// The growth of a form, with what is known of its variables, if anything; `counted` says that the product of several variables is no
/// more than one may be.
fn growth(form: &Form, facts: Option<&Facts>, counted: bool) -> Growth {
    let all = |xs: &[Form]| xs.iter().map(|x| growth(x, facts, counted)).collect::<Vec<_>>();
    let most = |xs: &[Growth]| xs.iter().fold(0.0, |most: f64, x| most.max(x.most));
    let by_size = |a: &&Growth, b: &&Growth| a.key().partial_cmp(&b.key()).unwrap_or(Ordering::Equal);
    match form {
        Form::Const(c) => Growth::new(0, (*c as f64).abs(), 0.0),
        Form::Var(v) => {
            let var = ArithExpr::var(v);
            let bound = facts.and_then(|facts| {
                let bound = facts.upper_bound(&var).filter(|bound| *bound != var)?;
                // Those of the variables in it are not asked for: bounds of sizes may be about each other.
                Some(growth(&bound.form(facts, &|_| false), None, counted))
            });
            match bound {
                // A group's number is a small part of an extent: what it is multiplied by does not make it more than that.
                Some(bound) => Growth::new(bound.degree, bound.factor, 0.0),
                None => Growth::new(1, 1.0, 0.0),
            }
        }
        Form::Sum(xs) => {
            let xs = all(xs);
            let degree = xs.iter().map(|x| x.degree).max().unwrap_or(0);
            let factor = xs.iter().filter(|x| x.degree == degree).map(|x| x.factor).sum();
            Growth::new(degree, factor, most(&xs))
        }
        Form::Product(xs) => {
            let xs_are_counted = |x: &&Form| counted && matches!(x, Form::Var(_));
            let elements = xs.iter().filter(xs_are_counted).map(|x| growth(x, facts, counted).degree).max();
            let factors = all(xs);
            let others =
                || factors.iter().zip(xs).filter(|(x, form)| !(xs_are_counted(form) && x.degree > 0));
            let degree = elements.unwrap_or(0) + others().map(|(x, _)| x.degree).sum::<usize>();
            Growth::new(degree, others().map(|(x, _)| x.factor).product(), most(&factors))
        }
        Form::Neg(x) => growth(x, facts, counted),
        // No more than the smallest.
        Form::Min(xs) => {
            let xs = all(xs);
            let (degree, factor) = xs.iter().min_by(by_size).map_or((0, 0.0), Growth::key);
            Growth::new(degree, factor, most(&xs))
        }
        Form::Max(xs) => {
            let xs = all(xs);
            let (degree, factor) = xs.iter().max_by(by_size).map_or((0, 0.0), Growth::key);
            Growth::new(degree, factor, most(&xs))
        }
        Form::Div(a, b) => {
            let (x, y) = (growth(a, facts, counted), growth(b, facts, counted));
            let by = if matches!(**b, Form::Const(_)) { y.factor.max(1.0) } else { 1.0 };
            Growth::new(x.degree, x.factor / by, x.most.max(y.most))
        }
        Form::Mod(a, b) => {
            let (x, y) = (growth(a, facts, counted), growth(b, facts, counted));
            Growth::new(y.degree, y.factor, x.most.max(y.most))
        }
    }
}

/// Whether the expression is more than sums and products.
pub(super) fn is_composed(e: &ArithExpr, facts: &Facts) -> bool {
    fn composed(form: &Form) -> bool {
        match form {
            Form::Const(_) | Form::Var(_) => false,
            Form::Sum(xs) | Form::Product(xs) => xs.iter().any(composed),
            Form::Neg(x) => composed(x),
            Form::Div(..) | Form::Mod(..) | Form::Min(_) | Form::Max(_) => true,
        }
    }
    !e.is_polynomial() && (e.has_choice() || composed(&e.form(facts, &|_| false)))
}

/// Lengths of vectors, the longest first.
const VECTORS: [i64; 4] = [16, 8, 4, 2];

/// Of which index it is known that it is below the end if and only if `i` is: that of the first of some neighbours that are
/// all in or all out, because both it and the end are multiples of their number.
pub(super) fn first_of_vector(i: &ArithExpr, end: &ArithExpr, facts: &Facts) -> Option<ArithExpr> {
    let number = i.number().as_const()?;
    VECTORS.into_iter().find_map(|n| {
        let (first, count) = (i - number.rem_euclid(n), ArithExpr::cst(n));
        let is_whole = facts.multiple_of(end, &count).is_yes() && facts.multiple_of(&first, &count).is_yes();
        is_whole.then_some(first)
    })
}
