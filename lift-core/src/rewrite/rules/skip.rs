//! Blocks of which nothing has to be computed.
//!
//! Where data decide whether a window is read at all, as in a room of any shape, a work-item with a block of results reads nothing
//! if none of them needs it.

use std::collections::BTreeSet;

use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, Order, Param, Place, Prim, Scalar, Type};
use crate::rewrite::layout::is_parameter;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::scope::occurrences;

pub static SKIP_BLOCK: Rule = Rule {
    name: "skip_block",
    about: "A block is computed if one of its elements has to be.",
    equation: "map^d(|(x, y)| if c { a } else { b }) $ zip^d(xs, ys) = if reduce(||, false) . join^(d-1) . map^d(|y| c) $ ys { map^d(|(x, y)| if c { a } \
               else { b }) $ zip^d(xs, ys) } else { map^d(|y| b) $ ys }",
    when: "written out, if a reads arrays and c does not, c has no x, and b is a constant",
    apply: |e, _| skip(e, Prim::Map(Place::Unrolled)),
};

pub static SKIP_VECTOR: Rule = Rule {
    name: "skip_vector",
    about: "A vector is computed if one of its lanes has to be.",
    equation: "map_vec(|(x, y)| if c { a } else { b }) $ zip(xs, ys) = if reduce(||, false) . map(|y| c) $ ys { map_vec(|(x, y)| if c { a } else { b }) $ \
               zip(xs, ys) } else { map_vec(|y| b) $ ys }",
    when: "if a reads arrays and c does not, c has no x, and b is a constant",
    apply: |e, _| skip(e, Prim::Map(Place::Lanes)),
};

fn skip(e: &Expr, prim: Prim) -> Option<Expr> {
    let (nest, chosen) = Nest::of(e, prim)?;
    let Kind::If(c, a, b) = chosen.end.kind() else { return None };
    let reads = |e: &Expr| reads_arrays(&chosen.with(e));
    if !reads(a) || reads(b) || reads(c) || !is_flat(b.ty()) || matches!(e.ty(), Type::Scalar(_)) {
        return None;
    }
    let c = chosen.with(c);
    // What decides must be something beside the windows, and is read beforehand.
    let field = nest.read(&c).filter(|_| occurrences(&chosen.with(b), nest.param.id).count == 0)?;
    let conditions = nest.over(field, Prim::Map(Place::View), &c)?;
    let flat = (1..nest.dims).fold(conditions, |rows, _| Expr::join(rows));
    let bool = Type::from(Scalar::Bool);
    let both = vec![Param::new("a", bool.clone()), Param::new("b", bool)];
    let either = Expr::binary(BinaryOp::Or, Expr::param(&both[0]), Expr::param(&both[1]));
    let none = Expr::literal(Literal::Bool(false));
    let any = Lambda { params: both, body: either };
    let args = vec![Arg::Fun(any), Arg::Data(none), Arg::Data(flat)];
    let any = Expr::prim(Prim::Reduce(Order::Unrolled), args);
    Some(Expr::if_(any, e.clone(), nest.over(field, prim, &chosen.with(b))?))
}

pub static LET_INTO_ARM: Rule = Rule {
    name: "let_into_arm",
    about: "What only one arm needs is computed there.",
    equation: "{ let x = v; if c { a } else { b } } = if c { let x = v; a } else { b }",
    when: "if neither c nor b has x; also with other definitions in between that have no x",
    apply: |e, _| {
        let Kind::Let(x, value, body) = e.kind() else { return None };
        let chosen = Lets::of(body);
        let Kind::If(c, a, b) = chosen.end.kind() else { return None };
        let needs = |e: &Expr| occurrences(e, x.id).count > 0;
        if needs(c) || needs(b) || !needs(a) || chosen.lets.iter().any(|(_, value)| needs(value)) {
            return None;
        }
        let arm = Expr::let_(x.clone(), value.clone(), a.clone());
        Some(chosen.all(&Expr::if_(c.clone(), arm, b.clone())))
    },
};

/// Definitions, and what follows.
struct Lets<'a> {
    lets: Vec<(&'a Param, &'a Expr)>,
    end: &'a Expr,
}

impl<'a> Lets<'a> {
    fn of(e: &'a Expr) -> Lets<'a> {
        let (mut lets, mut end) = (Vec::new(), e);
        while let Kind::Let(param, value, body) = end.kind() {
            lets.push((param, value));
            end = body;
        }
        Lets { lets, end }
    }

    /// Something else after the definitions.
    fn all(&self, e: &Expr) -> Expr {
        let lets = self.lets.iter().rev();
        lets.fold(e.clone(), |e, (param, value)| Expr::let_((*param).clone(), (*value).clone(), e))
    }

    /// The same, without definitions that it does not need.
    fn with(&self, e: &Expr) -> Expr {
        self.lets.iter().rev().fold(e.clone(), |e, (param, value)| {
            if occurrences(&e, param.id).count > 0 {
                Expr::let_((*param).clone(), (*value).clone(), e)
            } else {
                e
            }
        })
    }
}

/// Maps in maps that are written out, or lanes.
struct Nest<'a> {
    /// The variable of the innermost.
    param: &'a Param,
    xs: &'a Expr,
    /// How many there are.
    dims: usize,
}

impl<'a> Nest<'a> {
    /// The maps of this kind, and the body of the innermost.
    fn of(e: &'a Expr, prim: Prim) -> Option<(Nest<'a>, Lets<'a>)> {
        let (_, [Arg::Fun(f), Arg::Data(xs)]) = e.as_prim().filter(|(found, _)| *found == prim)? else {
            return None;
        };
        let (mut dims, mut inner) = (1, f);
        // What each lane computes in turn is no lane.
        while let Some((found, [Arg::Fun(f), Arg::Data(row)])) = inner.body.as_prim()
            && found == prim
        {
            if !is_parameter(row, inner) {
                return None;
            }
            (dims, inner) = (dims + 1, f);
        }
        Some((Nest { param: inner.params.first()?, xs, dims }, Lets::of(&inner.body)))
    }

    /// The only part of the elements that this reads, if they are tuples.
    fn read(&self, e: &Expr) -> Option<usize> {
        let mut fields = BTreeSet::new();
        let mut all = 0;
        e.visit(&mut |x| match x.kind() {
            Kind::Field(of, i) if matches!(of.kind(), Kind::Param(p) if p == self.param) => {
                fields.insert(*i);
                all += 1;
            }
            _ => {}
        });
        let [field] = fields.into_iter().collect::<Vec<_>>()[..] else { return None };
        (occurrences(e, self.param.id).count == all).then_some(field)
    }

    /// Maps of this kind over a part of the elements, with a body that reads no more of them.
    fn over(&self, field: usize, prim: Prim, body: &Expr) -> Option<Expr> {
        let leaf = |x: &Expr| with_part(&body.refresh(), self.param, field, x);
        Some(nested(prim, self.dims, part(self.xs, field, self.dims)?, &leaf))
    }
}

/// As many maps in each other.
fn nested(prim: Prim, dims: usize, xs: Expr, leaf: &dyn Fn(&Expr) -> Expr) -> Expr {
    match (dims, xs.ty().clone()) {
        (1.., Type::Array(element, _)) => {
            let f = Lambda::unary("x", Type::clone(&element), |x| nested(prim, dims - 1, x, leaf));
            Expr::prim(prim, vec![Arg::Fun(f), Arg::Data(xs)])
        }
        _ => leaf(&xs),
    }
}

fn with_part(e: &Expr, param: &Param, field: usize, by: &Expr) -> Expr {
    match e.kind() {
        Kind::Field(of, i) if *i == field && matches!(of.kind(), Kind::Param(p) if p == param) => by.clone(),
        _ => e.map_children(&mut |x| with_part(x, param, field, by)),
    }
}

/// The array of one part of what is paired in so many dimensions.
fn part(xs: &Expr, field: usize, dims: usize) -> Option<Expr> {
    match xs.as_prim() {
        Some((Prim::Zip, parts)) if dims == 1 => parts.get(field)?.data().cloned(),
        Some((Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(rows)])) if dims > 1 => {
            let row = part(&f.body, field, dims - 1)?;
            match (row.kind(), rows.as_prim()) {
                (Kind::Field(of, i), Some((Prim::Zip, parts))) if is_parameter(of, f) => {
                    parts.get(*i)?.data().cloned()
                }
                _ => Some(Expr::map(f.with_body(row), rows.clone())),
            }
        }
        _ if dims == 1 => {
            let is_pair = matches!(xs.ty().as_array()?.0, Type::Tuple(_));
            is_pair.then(|| Expr::map_with("x", xs.clone(), |x| Expr::field(x, field)))
        }
        _ => None,
    }
}

/// Whether arrays are read to compute this.
fn reads_arrays(e: &Expr) -> bool {
    let mut reads = false;
    e.visit(&mut |x| reads |= matches!(x.kind(), Kind::Prim(..)));
    reads
}
