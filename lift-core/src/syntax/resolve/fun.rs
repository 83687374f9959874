//! Functions while they are not applied yet.
//!
//! A [`Term`] is a value, always. What an expression that stands for a function means is a [`Fun`]: it is
//! either applied to all its arguments, or becomes a closure as an argument of something else.

use crate::ir::prim::Prim;
use crate::ir::scalar::{BinaryOp, MathFn, UnaryOp};
use crate::ir::scheme::{SchemeParam, SchemeType, scheme};
use crate::span::Span;
use crate::syntax::ast::{Type, TypeKind};
use crate::syntax::term::{Arg, BinderId, FunctionId, Pattern, Term, TermKind};
use crate::text::words;

/// What an expression means.
#[derive(Debug, Clone)]
pub(super) enum Item {
    /// A value.
    Value(Term),
    /// A function of at least one argument, except for functions declared without parameters.
    Fun(Fun),
}

impl Item {
    /// Stands where a mistake was reported.
    pub(super) fn error(span: Span) -> Item {
        Item::Value(Term::error(span))
    }
}

/// A function.
#[derive(Debug, Clone)]
pub(super) struct Fun {
    /// The shape.
    pub(super) kind: FunKind,
    /// The user's tokens: the name, the closure, the composition.
    pub(super) span: Span,
}

/// The shapes of functions.
#[derive(Debug, Clone)]
pub(super) enum FunKind {
    /// `|p, q| body`; the body may be a function again.
    Closure(Vec<Pattern>, Box<Item>),
    /// Something with a name, and the arguments it has got so far.
    Named(Callee, Vec<Arg>),
    /// First the second, then the first.
    Compose(Box<Fun>, Box<Fun>),
    /// `let`s around a function.
    Lets(Vec<(Pattern, Term)>, Box<Fun>),
}

/// What has a name and parameters.
#[derive(Debug, Clone)]
pub(super) enum Callee {
    /// A primitive.
    Prim(Prim),
    /// A function of the block, or all of the prelude's that share a name.
    Functions(Vec<FunctionId>),
    /// A function on scalars.
    Scalar(ScalarFn, &'static str),
    /// A parameter of function type.
    Local(BinderId, String, usize),
}

/// A function on scalars.
#[derive(Debug, Clone, Copy)]
pub(super) enum ScalarFn {
    /// `add`
    Binary(BinaryOp),
    /// `neg`
    Unary(UnaryOp),
    /// `sqrt`
    Math(MathFn),
    /// `id`
    Id,
}

impl ScalarFn {
    /// All names.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name).chain(MathFn::ALL.into_iter().map(MathFn::name))
    }

    /// The function of that name, with the name.
    pub(super) fn from_name(name: &str) -> Option<(ScalarFn, &'static str)> {
        let named = NAMED.iter().find(|(other, _)| *other == name).map(|(name, function)| (*function, *name));
        named.or_else(|| MathFn::from_name(name).map(|function| (ScalarFn::Math(function), function.name())))
    }

    /// Number of operands.
    pub(super) fn arity(self) -> usize {
        match self {
            ScalarFn::Binary(_) => 2,
            ScalarFn::Unary(_) | ScalarFn::Id => 1,
            ScalarFn::Math(function) => function.arity(),
        }
    }

    /// The function applied.
    pub(super) fn saturate(self, mut operands: Vec<Term>, span: Span) -> Term {
        let kind = match self {
            ScalarFn::Math(function) => TermKind::Math(function, operands),
            ScalarFn::Binary(op) => match (operands.pop(), operands.pop()) {
                (Some(right), Some(left)) => TermKind::Binary(op, Box::new(left), Box::new(right)),
                _ => TermKind::Error,
            },
            ScalarFn::Unary(op) => match operands.pop() {
                Some(operand) => TermKind::Unary(op, Box::new(operand)),
                None => TermKind::Error,
            },
            ScalarFn::Id => return operands.pop().unwrap_or(Term::error(span)),
        };
        Term { kind, span }
    }
}

const NAMED: &[(&str, ScalarFn)] = &[
    ("add", ScalarFn::Binary(BinaryOp::Add)),
    ("sub", ScalarFn::Binary(BinaryOp::Sub)),
    ("mul", ScalarFn::Binary(BinaryOp::Mul)),
    ("div", ScalarFn::Binary(BinaryOp::Div)),
    ("neg", ScalarFn::Unary(UnaryOp::Neg)),
    ("not", ScalarFn::Unary(UnaryOp::Not)),
    ("id", ScalarFn::Id),
];

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax) enum Kind {
    /// A function of so many parameters.
    Function(usize),
    /// A size known when the kernel is compiled.
    Size,
    /// A boundary.
    Boundary,
    /// An array.
    Array,
    /// Any other value.
    Value,
}

impl Kind {
    /// The kind of a parameter of that type.
    pub(super) fn of(ty: &Type) -> Kind {
        match &ty.kind {
            TypeKind::Function(inputs, _) => Kind::Function(inputs.len()),
            TypeKind::Name(name) if name == "Nat" => Kind::Size,
            TypeKind::Name(name) if name == "Boundary" => Kind::Boundary,
            TypeKind::Boundary(_) => Kind::Boundary,
            TypeKind::Array(..) => Kind::Array,
            TypeKind::Name(_) | TypeKind::Tuple(_) | TypeKind::Infer => Kind::Value,
        }
    }

    /// Whether it takes a value.
    pub(in crate::syntax) fn is_data(self) -> bool {
        matches!(self, Kind::Array | Kind::Value)
    }

    /// `a function`, `two sizes`.
    pub(in crate::syntax) fn describe(self, count: usize) -> String {
        let (article, noun, plural) = match self {
            Kind::Function(_) => ("a", "function", "functions"),
            Kind::Size => ("a", "size", "sizes"),
            Kind::Boundary => ("a", "boundary", "boundaries"),
            Kind::Array => ("an", "array", "arrays"),
            Kind::Value => ("a", "value", "values"),
        };
        let numbers = ["no", article, "two", "three", "four", "five", "six", "seven", "eight"];
        let number = numbers.get(count).copied().unwrap_or("many");
        format!("{number} {}", if count == 1 { noun } else { plural })
    }
}

/// A parameter of something that can be called.
#[derive(Debug, Clone)]
pub(in crate::syntax) struct Slot {
    /// Its name.
    pub(in crate::syntax) name: String,
    /// What it takes.
    pub(in crate::syntax) kind: Kind,
}

/// `a function, two sizes and an array`.
pub(in crate::syntax) fn describe_slots(slots: &[Slot]) -> String {
    let mut groups: Vec<(Kind, usize)> = Vec::new();
    for slot in slots {
        let kind = if matches!(slot.kind, Kind::Function(_)) { Kind::Function(0) } else { slot.kind };
        match groups.last_mut() {
            Some((last, count)) if *last == kind => *count += 1,
            _ => groups.push((kind, 1)),
        }
    }
    let texts: Vec<String> = groups.into_iter().map(|(kind, count)| kind.describe(count)).collect();
    if texts.is_empty() { "no arguments".to_string() } else { words(&texts) }
}

/// The parameters of a primitive applied to `arity` arguments, from its row in the table.
pub(super) fn prim_slots(prim: Prim, arity: usize) -> Vec<Slot> {
    let dimension = prim.dimension().map(|_| Slot { name: "d".to_string(), kind: Kind::Size });
    let scheme = scheme(prim, arity);
    let slot = |(name, param): &(String, SchemeParam)| {
        let kind = match param {
            SchemeParam::Nat => Kind::Size,
            SchemeParam::Boundary => Kind::Boundary,
            SchemeParam::Function(inputs, _) => Kind::Function(inputs.len()),
            SchemeParam::Data(SchemeType::Array(..)) => Kind::Array,
            SchemeParam::Data(_) => Kind::Value,
        };
        Slot { name: name.clone(), kind }
    };
    dimension.into_iter().chain(scheme.params.iter().map(slot)).collect()
}
