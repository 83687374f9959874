//! `match` on numbers and truth values: from syn's arms to a chain of `if`s.

use syn::{Lit, Pat, RangeLimits};

use super::ast::{Expr, ExprKind, Let, Literal, Pattern, PatternKind};
use super::error_rust;
use super::parser::Parser;
use crate::ir::scalar::{BinaryOp, UnaryOp};
use crate::span::Span;

/// What an arm asks of the value.
enum Test {
    /// Nothing; perhaps it gives it a name.
    Always(Option<Pattern>),
    /// That this holds.
    If(Expr),
}

/// An arm: what it asks, what else has to hold, and what it gives.
struct Arm {
    test: Test,
    guard: Option<Expr>,
    body: Expr,
    span: Span,
}

impl Parser<'_> {
    /// `match value { 0 => a, 1 | 2 => b, 3..=5 if c => d, n => e }`.
    pub(super) fn matching(&mut self, value: Expr, arms: &[syn::Arm], span: Span) -> ExprKind {
        let named = matches!(&value.kind, ExprKind::Name(name) if !name.contains("::"));
        // A word of Rust is no name of the user's.
        let name = Expr { kind: ExprKind::Name("match".to_string()), span: value.span };
        let subject = if named { value.clone() } else { name };
        let mut read: Vec<Arm> = arms.iter().map(|arm| self.arm(arm, &subject)).collect();
        cover_truth_values(arms, &mut read);
        let last = read.iter().position(|arm| matches!(arm.test, Test::Always(_)) && arm.guard.is_none());
        let Some(last) = last else {
            return self.fault(ExprKind::Error, error_rust::open_match(span));
        };
        if let Some(arm) = read.get(last + 1) {
            let span = arm.span;
            return self.fault(ExprKind::Error, error_rust::arm_without_values(span));
        }
        let mut chain = Expr::error(span);
        for arm in read.into_iter().rev() {
            chain = arm.or(chain, &subject, span);
        }
        if named {
            return chain.kind;
        }
        let pattern = Pattern { kind: PatternKind::Name("match".to_string()), ty: None, span: value.span };
        ExprKind::Block(vec![Let { pattern, value }], Box::new(chain))
    }

    fn arm(&mut self, arm: &syn::Arm, subject: &Expr) -> Arm {
        let (pat, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(self.expr(&guarded.guard))),
            pat => (pat, None),
        };
        let span = self.whole(&arm.pat);
        let test = self.test(pat, subject);
        Arm { test, guard, body: self.expr(&arm.body), span }
    }

    /// What a pattern asks of the value.
    fn test(&mut self, pat: &Pat, subject: &Expr) -> Test {
        let span = self.whole(pat);
        match pat {
            Pat::Wild(_) => Test::Always(None),
            Pat::Ident(ident) if !is_constant(&ident.ident.to_string()) => {
                Test::Always(Some(self.pattern(pat)))
            }
            Pat::Paren(paren) => self.test(&paren.pat, subject),
            Pat::Or(either) => {
                let cases: Vec<Test> = either.cases.iter().map(|pat| self.test(pat, subject)).collect();
                let conditions = cases.into_iter().map(|test| match test {
                    Test::If(condition) => Some(condition),
                    Test::Always(_) => None,
                });
                match conditions.collect::<Option<Vec<Expr>>>() {
                    Some(all) => Test::If(joined(BinaryOp::Or, all, span)),
                    None => Test::Always(None),
                }
            }
            Pat::Lit(lit) => match &lit.lit {
                Lit::Bool(literal) if literal.value => Test::If(subject.clone()),
                Lit::Bool(_) => {
                    Test::If(Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(subject.clone())), span })
                }
                number => {
                    let number = self.number(number, span);
                    Test::If(compared(BinaryOp::Eq, subject, number))
                }
            },
            Pat::Range(range) => {
                let below = match range.limits {
                    RangeLimits::HalfOpen(_) => BinaryOp::Lt,
                    RangeLimits::Closed(_) => BinaryOp::Le,
                };
                let ends = [(BinaryOp::Ge, &range.start), (below, &range.end)].into_iter();
                let ends = ends.filter_map(|(op, end)| Some((op, end.as_deref()?)));
                let all = ends.map(|(op, end)| compared(op, subject, self.end(end))).collect();
                Test::If(joined(BinaryOp::And, all, span))
            }
            // A constant.
            _ => {
                let name = match pat {
                    Pat::Path(path) => path.path.segments.iter().map(|s| s.ident.to_string()).collect(),
                    Pat::Ident(ident) => vec![ident.ident.to_string()],
                    _ => Vec::new(),
                };
                let constant = Expr { kind: ExprKind::Name(name.join("::")), span };
                Test::If(compared(BinaryOp::Eq, subject, constant))
            }
        }
    }

    /// An end of a range.
    fn end(&mut self, end: &syn::Expr) -> Expr {
        match end {
            syn::Expr::Lit(lit) => {
                let span = self.whole(end);
                self.number(&lit.lit, span)
            }
            end => self.expr(end),
        }
    }

    /// A whole number, which has its sign in a pattern.
    fn number(&mut self, lit: &Lit, span: Span) -> Expr {
        let text = if let Lit::Int(number) = lit { number.to_string() } else { String::new() };
        let Some(digits) = text.strip_prefix('-') else {
            let kind = self.literal(lit, span).map_or(ExprKind::Error, ExprKind::Literal);
            return Expr { kind, span };
        };
        let literal = self.literal(&Lit::Int(syn::LitInt::new(digits, lit.span())), span);
        let literal = Expr { kind: literal.map_or(ExprKind::Error, ExprKind::Literal), span };
        Expr { kind: ExprKind::Unary(UnaryOp::Neg, Box::new(literal)), span }
    }
}

impl Arm {
    /// The arm, or what follows if it does not apply.
    fn or(self, rest: Expr, subject: &Expr, span: Span) -> Expr {
        let Arm { test, guard, body, .. } = self;
        let named = |e: Expr| match &test {
            Test::Always(Some(pattern)) => {
                let span = e.span;
                let binding = Let { pattern: pattern.clone(), value: subject.clone() };
                Expr { kind: ExprKind::Block(vec![binding], Box::new(e)), span }
            }
            _ => e,
        };
        let (guard, body) = (guard.map(&named), named(body));
        let condition = match (test, guard) {
            (Test::Always(_), None) => return body,
            (Test::Always(_), Some(guard)) => guard,
            (Test::If(condition), None) => condition,
            (Test::If(condition), Some(guard)) => {
                let span = condition.span;
                joined(BinaryOp::And, vec![condition, guard], span)
            }
        };
        Expr { kind: ExprKind::If(Box::new(condition), Box::new(body), Box::new(rest)), span }
    }
}

/// Whether a `match` has patterns of numbers and truth values alone.
pub(super) fn is_of_numbers(pat: &Pat) -> bool {
    let is_end = |end: &Option<Box<syn::Expr>>| match end.as_deref() {
        Some(syn::Expr::Lit(lit)) => is_whole(&lit.lit),
        Some(syn::Expr::Path(_)) | None => true,
        Some(_) => false,
    };
    match pat {
        Pat::Wild(_) | Pat::Path(_) => true,
        Pat::Ident(ident) => {
            ident.by_ref.is_none()
                && ident.mutability.is_none()
                && ident.subpat.is_none()
                && !matches!(ident.ident.to_string().as_str(), "None")
        }
        Pat::Paren(paren) => is_of_numbers(&paren.pat),
        Pat::Guard(guarded) => is_of_numbers(&guarded.pat),
        Pat::Or(either) => either.cases.iter().all(is_of_numbers),
        Pat::Lit(lit) => is_whole(&lit.lit),
        Pat::Range(range) => is_end(&range.start) && is_end(&range.end),
        _ => false,
    }
}

fn is_whole(lit: &Lit) -> bool {
    matches!(lit, Lit::Int(_) | Lit::Byte(_) | Lit::Bool(_))
}

/// `GAIN`: a constant, which is no name for the value.
fn is_constant(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// After `true` and `false`, nothing is left.
fn cover_truth_values(arms: &[syn::Arm], read: &mut [Arm]) {
    let values: Vec<bool> = arms
        .iter()
        .filter_map(|arm| match &arm.pat {
            Pat::Lit(lit) => match &lit.lit {
                Lit::Bool(literal) => Some(literal.value),
                _ => None,
            },
            _ => None,
        })
        .collect();
    if let ([a, b], [_, last]) = (values.as_slice(), read)
        && a != b
    {
        last.test = Test::Always(None);
    }
}

/// `subject op other`
fn compared(op: BinaryOp, subject: &Expr, other: Expr) -> Expr {
    let span = other.span;
    Expr { kind: ExprKind::Binary(op, Box::new(subject.clone()), Box::new(other)), span }
}

/// All of them, or one.
fn joined(op: BinaryOp, all: Vec<Expr>, span: Span) -> Expr {
    let both = |a, b| Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span };
    let always = Expr { kind: ExprKind::Literal(Literal::Bool(true)), span };
    all.into_iter().reduce(both).unwrap_or(always)
}
