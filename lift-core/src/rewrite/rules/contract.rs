//! Contraction: which products are added without being rounded before.
//!
//! Devices multiply and add at once, and round once. Where they do is decided here and nowhere else, once, before any version
//! is made; drivers are told not to. Of a sum or difference of floats of which an operand is a product, the product is not rounded: of two
//! products, the right one. Of a reduction by `+` whose elements are products, none of these is.

use crate::ir::prim::Write;
use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, MathFn, Param, Prim, Type, UnaryOp};
use crate::rewrite::rule::Rule;

pub static CONTRACT: Rule = Rule {
    name: "contract",
    about: "All sums of products.",
    equation: "a + b * c = mul_add(b, c, a), a - b * c = mul_add(-b, c, a), b * c - a = mul_add(b, c, -a); reduce(add, z) . map(|x| a * b) = reduce(add, \
               z) . map(|x| a · b)",
    when: "for floats, everywhere",
    apply: |e, _| {
        let new = contracted(e);
        (new != *e).then_some(new)
    },
};

/// An expression in which everything is contracted.
pub fn contracted(e: &Expr) -> Expr {
    let e = e.map_children(&mut contracted);
    let new = match e.kind() {
        Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if is_float(&e) => sum(*op, a, b),
        Kind::Prim(prim, args) if is_reduction(*prim) => reduction(*prim, args),
        _ => None,
    };
    new.map_or(e.clone(), |new| new.at(e.span()))
}

fn is_float(e: &Expr) -> bool {
    e.ty().as_scalar().is_some_and(|scalar| scalar.is_float())
}

fn is_reduction(prim: Prim) -> bool {
    matches!(prim, Prim::Reduce(_))
}

fn sum(op: BinaryOp, a: &Expr, b: &Expr) -> Option<Expr> {
    let subtracts = op == BinaryOp::Sub;
    let mul_add = |x: &Expr, y: &Expr, z: Expr| Expr::math(MathFn::MulAdd, vec![x.clone(), y.clone(), z]);
    let right = &|x: &Expr, y: &Expr| {
        let x = if subtracts { negated(x) } else { x.clone() };
        mul_add(&x, y, a.clone())
    };
    let left = &|x: &Expr, y: &Expr| mul_add(x, y, if subtracts { negated(b) } else { b.clone() });
    of_product(b, right).or_else(|| of_product(a, left))
}

/// What becomes of a product, which stands behind its definitions.
fn of_product(e: &Expr, with: &dyn Fn(&Expr, &Expr) -> Expr) -> Option<Expr> {
    match e.kind() {
        Kind::Binary(BinaryOp::Mul, x, y) if is_float(e) => Some(with(x, y)),
        Kind::Let(x, value, body) => Some(Expr::let_(x.clone(), value.clone(), of_product(body, with)?)),
        _ => None,
    }
}

fn negated(e: &Expr) -> Expr {
    match e.kind() {
        Kind::Literal(x) => x.negated().map(Expr::literal),
        Kind::Unary(UnaryOp::Neg, x) => Some(x.clone()),
        _ => None,
    }
    .unwrap_or_else(|| Expr::unary(UnaryOp::Neg, e.clone()))
}

fn reduction(prim: Prim, args: &[Arg]) -> Option<Expr> {
    let [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)] = args else { return None };
    let [_, x] = f.params.as_slice() else { return None };
    let added = Added { f, x };
    let xs = elements(xs, &added)?;
    Some(Expr::prim(prim, vec![Arg::Fun(f.clone()), Arg::Data(z.clone()), Arg::Data(xs)]))
}

/// What a function does with its last parameter.
struct Added<'a> {
    f: &'a Lambda,
    x: &'a Param,
}

impl Added<'_> {
    /// Whether this part of the parameter, or all of it, is added to something and used for nothing else.
    fn part(&self, part: Option<usize>) -> bool {
        let (mut all, mut parts, mut used, mut added) = (0, 0, 0, 0);
        self.f.body.visit(&mut |e| {
            all += usize::from(self.is_whole(e));
            parts += usize::from(matches!(e.kind(), Kind::Field(x, _) if self.is_whole(x)));
            used += usize::from(self.is(e, part));
            if let Kind::Binary(BinaryOp::Add, a, b) = e.kind() {
                added += [a, b].into_iter().filter(|e| self.is(e, part)).count();
            }
        });
        used == 1 && added == 1 && (part.is_none() || all == parts)
    }

    fn is(&self, e: &Expr, part: Option<usize>) -> bool {
        match (part, e.kind()) {
            (None, _) => self.is_whole(e),
            (Some(part), Kind::Field(e, i)) => part == *i && self.is_whole(e),
            _ => false,
        }
    }

    fn is_whole(&self, e: &Expr) -> bool {
        matches!(e.kind(), Kind::Param(p) if p == self.x)
    }
}

/// An array with products in its elements that are not rounded, if there are any.
fn elements(e: &Expr, added: &Added<'_>) -> Option<Expr> {
    match e.kind() {
        Kind::Prim(prim, args) if prim.is_map() => {
            let [Arg::Fun(f), xs] = args.as_slice() else { return None };
            let body = match f.body.ty() {
                Type::Array(..) => elements(&f.body, added)?,
                _ => element(&f.body, added)?,
            };
            Some(Expr::prim(*prim, vec![Arg::Fun(f.with_body(body)), xs.clone()]))
        }
        // What only moves elements.
        Kind::Prim(prim, args) if prim.write() == Write::Moved => {
            let (xs, rest) = args.split_last()?;
            let xs = Arg::Data(elements(xs.data()?, added)?);
            Some(Expr::prim(*prim, [rest, &[xs]].concat()))
        }
        Kind::Let(x, value, body) => Some(Expr::let_(x.clone(), value.clone(), elements(body, added)?)),
        _ => None,
    }
}

fn element(e: &Expr, added: &Added<'_>) -> Option<Expr> {
    match e.kind() {
        Kind::Let(x, value, body) => Some(Expr::let_(x.clone(), value.clone(), element(body, added)?)),
        Kind::Tuple(parts) => {
            let new: Vec<Option<Expr>> =
                parts.iter().enumerate().map(|(i, e)| added.part(Some(i)).then(|| product(e))?).collect();
            new.iter().any(Option::is_some).then(|| {
                Expr::tuple(
                    new.into_iter().zip(parts).map(|(new, e)| new.unwrap_or_else(|| e.clone())).collect(),
                )
            })
        }
        _ => added.part(None).then(|| product(e))?,
    }
}

fn product(e: &Expr) -> Option<Expr> {
    of_product(e, &|x, y| Expr::binary(BinaryOp::Unrounded, x.clone(), y.clone()))
}
