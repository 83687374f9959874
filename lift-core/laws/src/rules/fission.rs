//! Fission: two traversals instead of one, the way back from fusion.
//!
//! Before: a function of elements that computes one thing from another. After: a traversal for each of them. A function is
//! split at its first definition; without one, at the argument of the outermost primitive that computes something from
//! the element. Either half computes something, so that this ends. Nothing is computed more often than before:
//! what several traversals read is read again, and must be there already.

use lift_core::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, Order, Param, Place, Prim, Scalar};
use lift_core::rewrite::layout::{as_map, is_view, is_view_node};
use lift_core::rewrite::normal;
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::rows::put;
use lift_core::rewrite::rules::simplify;
use lift_core::rewrite::scope::{occurrences, replace};
use lift_core::rewrite::strategy::Strategy;

pub static FISSION: Rule = Rule {
    name: "fission",
    about: "What is defined first is a traversal of its own.",
    equation: "map(|x| { let y = v; e }) = map(|y| e) . map(|x| v)",
    when: "if v computes something, and x does not occur in e",
    apply: |e, _| {
        let (x, y, v, rest, xs) = defined(e)?;
        if occurrences(rest, x.id).count > 0 {
            return None;
        }
        let values = Expr::map(Lambda { params: vec![x.clone()], body: v.clone() }, xs.clone());
        Some(Expr::map(Lambda { params: vec![y.clone()], body: rest.clone() }, values))
    },
};

pub static FISSION_PAIR: Rule = Rule {
    name: "fission_pair",
    about: "The same, where the element goes on beside what is computed from it.",
    equation: "map(|x| { let y = v; e }) = map(|(x, y)| e) . map(|x| (x, v))",
    when: "if v computes something, and x occurs in v and in e",
    apply: |e, _| {
        let (x, y, v, rest, xs) = defined(e)?;
        if occurrences(rest, x.id).count == 0 {
            return None;
        }
        let pair = Expr::tuple(vec![Expr::param(x), v.clone()]);
        let pairs = Expr::map(Lambda { params: vec![x.clone()], body: pair }, xs.clone());
        Some(Expr::map_with("t", pairs, |t| {
            let rest = replace(rest, x.id, &Expr::field(t.clone(), 0));
            replace(&rest, y.id, &Expr::field(t, 1))
        }))
    },
};

/// Element, name and value of the first definition, what follows, and the array, if `e` is `map(|x| { let y = v; e }, xs)`
/// where v computes something from x, and y is used.
fn defined(e: &Expr) -> Option<(&Param, &Param, &Expr, &Expr, &Expr)> {
    let (f, xs) = as_map(e)?;
    let ([x], Kind::Let(y, v, rest)) = (f.params.as_slice(), f.body.kind()) else { return None };
    let uses = [occurrences(v, x.id), occurrences(rest, y.id)];
    let splits = uses.iter().all(|found| found.count > 0) && moves(v) && !is_view(rest);
    splits.then_some((x, y, v, rest, xs))
}

/// Whether this computes something, and nobody decided where it is kept.
fn moves(v: &Expr) -> bool {
    !is_view(v) && !lift_core::ir::walk::is_placed(v)
}

pub static FISSION_ARGUMENT: Rule = Rule {
    name: "fission_argument",
    about: "What a primitive works on is a traversal of its own.",
    equation: "map(|x| e[p(v)]) = map(|y| e[p(y)]) . map(|x| v)",
    when: "if p and v compute something, and x occurs in v alone",
    apply: |e, _| {
        let (f, xs) = as_map(e)?;
        let [x] = f.params.as_slice() else { return None };
        let v = argument(&f.body, x, false)?;
        let y = Param::new("y", v.ty().clone());
        let rest = put(&f.body, v, &Expr::param(&y));
        let values = Expr::map(Lambda { params: vec![x.clone()], body: v.clone() }, xs.clone());
        Some(Expr::map(Lambda { params: vec![y], body: rest }, values))
    },
};

/// The argument of the outermost primitive that computes something, if all of `x` is in it and it computes something itself.
/// `below` says whether the primitive is further out.
fn argument<'a>(e: &'a Expr, x: &Param, below: bool) -> Option<&'a Expr> {
    if below {
        return moves(e).then_some(e);
    }
    let computes = match e.as_prim() {
        Some((Prim::Map(Place::View), [Arg::Fun(f), _])) => !is_view(&f.body),
        Some((prim, _)) => {
            matches!(prim, Prim::Reduce(Order::Any | Order::Left) | Prim::Scan(Order::Any) | Prim::Iterate)
        }
        None => false,
    };
    argument(only_use(e, x)?, x, computes)
}

/// The only child in which `x` occurs, if that is computed once whenever `e` is.
fn only_use<'a>(e: &'a Expr, x: &Param) -> Option<&'a Expr> {
    let uses = |e: &Expr| occurrences(e, x.id).count > 0;
    let mut using = e.children().into_iter().filter(|x| uses(x));
    let (one, None) = (using.next()?, using.next()) else { return None };
    let once = match e.kind() {
        Kind::Prim(_, args) => args.iter().filter_map(Arg::data).any(|x| x.is_same(one)),
        Kind::If(c, _, _) => c.is_same(one),
        Kind::Let(..) => false,
        _ => true,
    };
    once.then_some(one)
}

pub static FISSION_VIEW: Rule = Rule {
    name: "fission_view",
    about: "How results are arranged is decided afterwards.",
    equation: "map(|x| l(v)) = map(l) . map(|x| v)",
    when: "if l only moves data, v computes something, and x occurs in v alone",
    apply: |e, _| {
        let (f, xs) = as_map(e)?;
        let [x] = f.params.as_slice() else { return None };
        let arranges = |e: &Expr| is_view_node(e) || as_map(e).is_some_and(|(f, _)| is_view(&f.body));
        let mut v = &f.body;
        while arranges(v) {
            v = only_use(v, x)?;
        }
        let y = Param::new("y", v.ty().clone());
        let rest = put(&f.body, v, &Expr::param(&y));
        if v.is_same(&f.body) || !moves(v) || !is_view(&rest) {
            return None;
        }
        let values = Expr::map(Lambda { params: vec![x.clone()], body: v.clone() }, xs.clone());
        Some(Expr::map(Lambda { params: vec![y], body: rest }, values))
    },
};

pub static FISSION_TUPLE: Rule = Rule {
    name: "fission_tuple",
    about: "Every part of a tuple is a traversal of its own.",
    equation: "map(|x| (e0, e1, …)) $ xs = zip(map(|x| e0) $ xs, map(|x| e1) $ xs, …)",
    when: "if xs only moves data, and a part computes something",
    apply: |e, _| {
        let (f, xs) = as_map(e)?;
        let ([x], Kind::Tuple(parts)) = (f.params.as_slice(), f.body.kind()) else { return None };
        if !is_view(xs) || is_view(&f.body) {
            return None;
        }
        let traversal = |part: &Expr| {
            let own = Param::new(&x.name, x.ty.clone());
            let body = replace(part, x.id, &Expr::param(&own));
            Arg::Data(Expr::map(Lambda { params: vec![own], body }, xs.refresh()))
        };
        Some(Expr::prim(Prim::Zip, parts.iter().map(traversal).collect()))
    },
};

pub static FISSION_ZIP: Rule = Rule {
    name: "fission_zip",
    about: "A traversal of pairs that looks at one part of them.",
    equation: "map(|t| e[t.i]) . zip(x0, x1, …) = map(|x| e[x]) xi",
    when: "if nothing else of t occurs in e",
    apply: |e, _| {
        let (f, zipped) = as_map(e)?;
        let (Prim::Zip, parts) = zipped.as_prim()? else { return None };
        let [t] = f.params.as_slice() else { return None };
        let i = only_field(&f.body, t)?;
        let part = parts.get(i)?.data()?;
        let x = Param::new("x", part.ty().as_array()?.0.clone());
        let body = with_field(&f.body, t, &Expr::param(&x));
        Some(Expr::map(Lambda { params: vec![x], body }, part.clone()))
    },
};

/// Which field of `t` is used, if no other one and not all of it is.
fn only_field(e: &Expr, t: &Param) -> Option<usize> {
    let mut found = None;
    let mut fields = 0;
    let mut different = false;
    e.visit(&mut |x| {
        if let Kind::Field(whole, i) = x.kind()
            && is_variable(whole, t)
        {
            fields += 1;
            different |= found.is_some_and(|other| other != *i);
            found = Some(*i);
        }
    });
    found.filter(|_| !different && fields == occurrences(e, t.id).count)
}

/// `e` with `x` for every field of `t`.
fn with_field(e: &Expr, t: &Param, x: &Expr) -> Expr {
    match e.kind() {
        Kind::Field(whole, _) if is_variable(whole, t) => x.clone(),
        _ => e.map_children(&mut |child| with_field(child, t, x)),
    }
}

fn is_variable(e: &Expr, param: &Param) -> bool {
    matches!(e.kind(), Kind::Param(p) if p.id == param.id)
}

pub static FISSION_FOLD: Rule = Rule {
    name: "fission_fold",
    about: "What a loop computes from its element alone is a traversal of its own. What remains need be neither associative nor have a neutral start, so \
            that it is a loop even if it was a reduction.",
    equation: "fold(|a, x| e[v], z) = fold(|a, y| e[y], z) . map(|x| v)",
    when: "if v computes something, x occurs in v alone, and a does not; the same with reduce on the left",
    apply: |e, _| {
        let (Order::Any | Order::Left, f, z, xs) = e.as_reduction()? else { return None };
        let [a, x] = f.params.as_slice() else { return None };
        let (y, v, rest) = match f.body.kind() {
            Kind::Let(y, v, rest) => {
                let apart = occurrences(v, a.id).count + occurrences(rest, x.id).count == 0;
                let used = occurrences(v, x.id).count > 0;
                (apart && used && moves(v)).then(|| (y.clone(), v, rest.clone()))?
            }
            _ => {
                let v = of_element(&f.body, a, x)?;
                let y = Param::new(&x.name, v.ty().clone());
                let rest = put(&f.body, v, &Expr::param(&y));
                (y, v, rest)
            }
        };
        let values = Expr::map(Lambda { params: vec![x.clone()], body: v.clone() }, xs.clone());
        let looped = Lambda { params: vec![a.clone(), y], body: rest };
        Some(Expr::reduce(Order::Left, looped, z.clone(), values))
    },
};

/// The largest part of `e` without `a`, if all of `x` is in it and it computes something.
fn of_element<'a>(e: &'a Expr, a: &Param, x: &Param) -> Option<&'a Expr> {
    if occurrences(e, a.id).count == 0 {
        return moves(e).then_some(e);
    }
    of_element(only_use(e, x)?, a, x)
}

pub static FOLD_REDUCE: Rule = Rule {
    name: "regroup",
    about: "A loop by an operator of which it is known that it may be regrouped.",
    equation: "fold(f, z) = reduce(f, z)",
    when: "if f is +, *, & or | and z is neutral for it",
    apply: |e, _| {
        let (Prim::Reduce(Order::Left), args) = e.as_prim()? else { return None };
        let [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)] = args else { return None };
        let ([a, x], Kind::Binary(op, l, r)) = (f.params.as_slice(), f.body.kind()) else { return None };
        let plain = is_variable(l, a) && is_variable(r, x) && xs.ty().as_array()?.0 == z.ty();
        let neutral = neutral(*op, z.ty().as_scalar()?)?;
        let starts = matches!(z.kind(), Kind::Literal(found) if *found == neutral);
        (plain && starts).then(|| Expr::prim(Prim::Reduce(Order::Any), args.to_vec()))
    },
};

fn neutral(op: BinaryOp, scalar: Scalar) -> Option<Literal> {
    match op {
        BinaryOp::Add => Some(Literal::number(0, scalar)),
        BinaryOp::Mul => Some(Literal::number(1, scalar)),
        BinaryOp::And => Some(Literal::Bool(true)),
        BinaryOp::Or => Some(Literal::Bool(false)),
        _ => None,
    }
}

/// More steps than any kernel needs.
const LIMIT: usize = 10_000;

/// The opposite of fusion: every traversal computes one thing from its elements, and what it leaves behind is the array that the next
/// one goes through. [`normal::strategy`] undoes it, with three exceptions. Where an array passes from one traversal to the next that
/// uses it more than once, fusion leaves them apart. Where an argument of a primitive began with a definition, that is made before. And
/// definitions that do not need each other may come in another order.
pub fn fissioned(search: fn(Strategy) -> Strategy) -> Strategy {
    let simplify = normal::unfused(search);
    let rules = [&FISSION, &FISSION_PAIR, &FISSION_ARGUMENT];
    let split = Strategy::Seq(vec![search(Strategy::any(&rules)), simplify.clone()]).repeat(LIMIT);
    Strategy::Seq(vec![simplify, split, Strategy::Rule(&simplify::SIZES).try_()])
}
