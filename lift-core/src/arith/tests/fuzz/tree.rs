//! Random expressions that can be built and, on their own, evaluated.

use proptest::prelude::*;

use crate::arith::{ArithExpr, Form, Var};

/// An expression yet to be built.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Var(usize),
    Const(i64),
    Add(Box<Tree>, Box<Tree>),
    Sub(Box<Tree>, Box<Tree>),
    Mul(Box<Tree>, Box<Tree>),
    Div(Box<Tree>, Divisor),
    DivCeil(Box<Tree>, Divisor),
    Mod(Box<Tree>, Divisor),
    Min(Box<Tree>, Box<Tree>),
    Max(Box<Tree>, Box<Tree>),
}

/// Something that is not zero: positive, unless it is a negative number.
#[derive(Clone, Debug)]
pub(super) enum Divisor {
    /// `a*N + b*M + c`.
    Sum(i64, i64, i64),
    /// `c*N*M`.
    Product(i64),
    /// A number of either sign.
    Number(i64),
    /// `max(e, 1)`.
    AtLeastOne(Box<Tree>),
}

/// Names and numbers of the variables: two sizes, three indices, and one of which nothing is known.
pub(super) fn vars() -> Vec<Var> {
    (0u32..).zip(["N", "M", "i", "j", "k", "u"]).map(|(id, name)| Var::new(id, name)).collect()
}

/// A divisor without an expression of its own.
fn plain_divisor() -> impl Strategy<Value = Divisor> + Clone {
    prop_oneof![
        (0..3i64, 0..2i64, 1..9i64).prop_map(|(a, b, c)| Divisor::Sum(a, b, c)),
        (1..9i64).prop_map(Divisor::Number),
        (1..2i64, 0..2i64).prop_map(|(a, b)| Divisor::Sum(a, b, 0)),
        (1..4i64).prop_map(Divisor::Product),
    ]
}

/// A divisor.
pub(super) fn divisor() -> impl Strategy<Value = Divisor> {
    prop_oneof![
        4 => plain_divisor(),
        1 => (-8..0i64).prop_map(Divisor::Number),
        1 => tree_of(2, 6).prop_map(|e| Divisor::AtLeastOne(Box::new(e))),
    ]
}

/// A divisor that is positive.
pub(super) fn positive() -> impl Strategy<Value = Divisor> {
    prop_oneof![4 => plain_divisor(), 1 => tree_of(2, 6).prop_map(|e| Divisor::AtLeastOne(Box::new(e)))]
}

/// An expression of any size.
pub(super) fn tree() -> impl Strategy<Value = Tree> {
    tree_of(6, 40)
}

/// An expression up to a depth and about a number of nodes.
pub(super) fn tree_of(depth: u32, nodes: u32) -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![3 => (0..6usize).prop_map(Tree::Var), 1 => (-9..10i64).prop_map(Tree::Const)];
    leaf.prop_recursive(depth, nodes, 2, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        let divisor = prop_oneof![
            8 => plain_divisor(),
            1 => (-8..0i64).prop_map(Divisor::Number),
            1 => inner.clone().prop_map(|e| Divisor::AtLeastOne(Box::new(e))),
        ];
        let division = (inner, divisor).prop_map(|(a, d)| (Box::new(a), d));
        prop_oneof![
            8 => pair.clone().prop_map(|(a, b)| Tree::Add(a, b)),
            4 => pair.clone().prop_map(|(a, b)| Tree::Sub(a, b)),
            4 => pair.clone().prop_map(|(a, b)| Tree::Mul(a, b)),
            4 => division.clone().prop_map(|(a, d)| Tree::Div(a, d)),
            1 => division.clone().prop_map(|(a, d)| Tree::DivCeil(a, d)),
            4 => division.prop_map(|(a, d)| Tree::Mod(a, d)),
            2 => pair.clone().prop_map(|(a, b)| Tree::Min(a, b)),
            2 => pair.prop_map(|(a, b)| Tree::Max(a, b)),
        ]
    })
}

impl Divisor {
    pub(super) fn build(&self, vars: &[Var]) -> ArithExpr {
        let (n, m) = (ArithExpr::var(&vars[0]), ArithExpr::var(&vars[1]));
        match self {
            Divisor::Sum(a, b, c) => n * *a + m * *b + *c,
            Divisor::Product(c) => n * m * *c,
            Divisor::Number(c) => ArithExpr::cst(*c),
            Divisor::AtLeastOne(e) => e.build(vars).max(ArithExpr::one()),
        }
    }

    /// The value; `None` as for [`Tree::eval`].
    pub(super) fn eval(&self, values: &[i128]) -> Option<i128> {
        self.sized(values).map(|v| v.value)
    }

    fn sized(&self, values: &[i128]) -> Option<Sized> {
        let number = |n: i64| Sized::of(i128::from(n));
        let (n, m) = (Sized::of(values[0]), Sized::of(values[1]));
        match self {
            Divisor::Sum(a, b, c) => n.mul(number(*a))?.add(m.mul(number(*b))?)?.add(number(*c)),
            Divisor::Product(c) => n.mul(m)?.mul(number(*c)),
            Divisor::Number(c) => Some(number(*c)),
            Divisor::AtLeastOne(e) => e.sized(values).map(|v| v.with(v.value.max(1))),
        }
    }
}

impl Tree {
    pub(super) fn build(&self, vars: &[Var]) -> ArithExpr {
        match self {
            Tree::Var(i) => ArithExpr::var(&vars[*i]),
            Tree::Const(c) => ArithExpr::cst(*c),
            Tree::Add(a, b) => a.build(vars) + b.build(vars),
            Tree::Sub(a, b) => a.build(vars) - b.build(vars),
            Tree::Mul(a, b) => a.build(vars) * b.build(vars),
            Tree::Div(a, d) => a.build(vars).div(&d.build(vars)),
            Tree::DivCeil(a, d) => a.build(vars).div_ceil(&d.build(vars)),
            Tree::Mod(a, d) => a.build(vars).modulo(&d.build(vars)),
            Tree::Min(a, b) => ArithExpr::min(&a.build(vars), &b.build(vars)),
            Tree::Max(a, b) => ArithExpr::max(&a.build(vars), &b.build(vars)),
        }
    }

    /// The value; `None` if it, or that of any other way to write the expression, might overflow.
    pub(super) fn eval(&self, values: &[i128]) -> Option<i128> {
        self.sized(values).filter(|v| v.size < 1 << 80).map(|v| v.value)
    }

    fn sized(&self, values: &[i128]) -> Option<Sized> {
        let both = |a: &Tree, b: &Tree| Some((a.sized(values)?, b.sized(values)?));
        let division = |a: &Tree, d: &Divisor| Some((a.sized(values)?, d.sized(values)?));
        match self {
            Tree::Var(i) => Some(Sized::of(values[*i])),
            Tree::Const(c) => Some(Sized::of(i128::from(*c))),
            Tree::Add(a, b) => both(a, b).and_then(|(a, b)| a.add(b)),
            Tree::Sub(a, b) => both(a, b).and_then(|(a, b)| a.add(b.with(-b.value))),
            Tree::Mul(a, b) => both(a, b).and_then(|(a, b)| a.mul(b)),
            Tree::Div(a, d) => division(a, d).and_then(|(a, d)| a.over(d, floor(a.value, d.value))),
            Tree::DivCeil(a, d) => {
                // As documented: the floor of (a + d - 1) / d.
                division(a, d).and_then(|(a, d)| a.over(d, floor(a.value + d.value - 1, d.value)))
            }
            Tree::Mod(a, d) => {
                division(a, d).and_then(|(a, d)| a.over(d, a.value - d.value * floor(a.value, d.value)))
            }
            Tree::Min(a, b) => both(a, b).and_then(|(a, b)| Some(a.add(b)?.with(a.value.min(b.value)))),
            Tree::Max(a, b) => both(a, b).and_then(|(a, b)| Some(a.add(b)?.with(a.value.max(b.value)))),
        }
    }
}

/// A value, and what no term of the expression multiplied out can exceed.
#[derive(Clone, Copy)]
struct Sized {
    value: i128,
    size: i128,
}

impl Sized {
    fn of(value: i128) -> Sized {
        Sized { value, size: value.abs().max(1) }
    }

    fn with(self, value: i128) -> Sized {
        Sized { value, ..self }
    }

    fn add(self, other: Sized) -> Option<Sized> {
        Some(Sized { value: self.value.checked_add(other.value)?, size: self.size.checked_add(other.size)? })
    }

    fn mul(self, other: Sized) -> Option<Sized> {
        Some(Sized { value: self.value.checked_mul(other.value)?, size: self.size.checked_mul(other.size)? })
    }

    /// Divisions of divisions multiply the divisors.
    fn over(self, divisor: Sized, value: i128) -> Option<Sized> {
        Some(Sized { value, size: self.mul(divisor)?.size })
    }
}

fn floor(a: i128, b: i128) -> i128 {
    let rest = a % b;
    a / b - i128::from(rest != 0 && (rest < 0) != (b < 0))
}

/// Evaluates as C does.
pub(super) fn eval_c(form: &Form, values: &[i128]) -> i128 {
    let all = |ops: &[Form]| ops.iter().map(|op| eval_c(op, values)).collect::<Vec<_>>();
    match form {
        Form::Const(c) => i128::from(*c),
        Form::Var(v) => values[v.id() as usize],
        Form::Sum(items) => all(items).iter().sum(),
        Form::Product(factors) => all(factors).iter().product(),
        Form::Neg(x) => -eval_c(x, values),
        Form::Div(a, b) => eval_c(a, values) / eval_c(b, values),
        Form::Mod(a, b) => eval_c(a, values) % eval_c(b, values),
        Form::Min(ops) => *all(ops).iter().min().unwrap(),
        Form::Max(ops) => *all(ops).iter().max().unwrap(),
    }
}
