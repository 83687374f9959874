//! Repetition, and arrays that are put together or taken apart.

use std::collections::BTreeMap;

use crate::ir::prim::MOST_UNROLLED;
use crate::ir::{Arg, Expr, Kind, Lambda, Literal, Param, Prim};
use crate::rewrite::layout::as_layout;
use crate::rewrite::rule::Rule;

/// No arrays but so many can be put together at once.
const MOST_PARTS: usize = 8;

pub static ITERATE_NONE: Rule = Rule {
    name: "iterate_none",
    about: "Not at all.",
    equation: "iterate(0, f) = id",
    when: "",
    apply: |e, _| {
        let (0, _, x) = iterate(e)? else { return None };
        Some(x.clone())
    },
};

pub static ITERATE_ONCE: Rule = Rule {
    name: "iterate_once",
    about: "Once.",
    equation: "iterate(1, f) = f",
    when: "",
    apply: |e, _| {
        let (1, f, x) = iterate(e)? else { return None };
        Some(applied(f, x.clone()))
    },
};

pub static ITERATE_UNROLL: Rule = Rule {
    name: "iterate_unroll",
    about: "One application after the other, for arrays that no work-item can keep.",
    equation: "iterate(k, f) = f . f . … f",
    when: "k times, for a number k and large arrays",
    apply: |e, cx| {
        let (times, f, x) = iterate(e)?;
        let small = x.ty().small_count(&|n| cx.facts.simplify(n)).is_some();
        let apply = |x, _| applied(&renewed(f), x);
        (!small && times <= MOST_UNROLLED).then(|| (0..times).fold(x.clone(), apply))
    },
};

pub static UNTIL_NONE: Rule = Rule {
    name: "until_none",
    about: "Not at all.",
    equation: "iterate_until(0, p, f) = id, and iterate_until(k, |x| true, f) = id",
    when: "",
    apply: |e, _| {
        let Until { count, done, start, .. } = until(e)?;
        (number(count) == Some(0) || is_literal(&done.body, true)).then(|| start.clone())
    },
};

pub static UNTIL_NEVER: Rule = Rule {
    name: "until_never",
    about: "Nothing ends it before the last round.",
    equation: "iterate_until(k, |x| false, f) = iterate(k, f)",
    when: "",
    apply: |e, _| {
        let Until { count, done, f, start } = until(e)?;
        let args = || vec![Arg::Data(count.clone()), Arg::Fun(f.clone()), Arg::Data(start.clone())];
        is_literal(&done.body, false).then(|| Expr::prim(Prim::Iterate, args()))
    },
};

pub static UNZIP_ZIP: Rule = Rule {
    name: "unzip_zip",
    about: "Put together and taken apart again.",
    equation: "unzip(zip(a, b, …)) = (a, b, …)",
    when: "",
    apply: |e, _| match as_layout(e, Prim::Unzip)?.as_prim()? {
        (Prim::Zip, parts) => Some(Expr::tuple(parts.iter().filter_map(Arg::data).cloned().collect())),
        _ => None,
    },
};

pub static CONCAT_CONCAT: Rule = Rule {
    name: "concat_concat",
    about: "All at once.",
    equation: "concat(…, concat(a, b), …) = concat(…, a, b, …)",
    when: "for at most eight arrays",
    apply: |e, _| {
        let parts = concat(e)?;
        let mut flat: Vec<Arg> = Vec::new();
        for part in parts {
            match part.data().and_then(concat) {
                Some(inner) => flat.extend_from_slice(inner),
                None => flat.push(part.clone()),
            }
        }
        (flat.len() > parts.len() && flat.len() <= MOST_PARTS).then(|| Expr::prim(Prim::Concat, flat))
    },
};

pub static TAKE_CONCAT: Rule = Rule {
    name: "take_concat",
    about: "The first of several.",
    equation: "take(n) . concat(a, b, …) = a",
    when: "if a has n elements",
    apply: |e, cx| {
        let (Prim::Take, [Arg::Size(k), Arg::Data(xs)]) = e.as_prim()? else { return None };
        let first = concat(xs)?.first()?.data()?;
        let (_, len) = first.ty().as_array()?;
        cx.facts.eq(len, k).is_yes().then(|| first.clone())
    },
};

pub static DROP_CONCAT: Rule = Rule {
    name: "drop_concat",
    about: "All but the first.",
    equation: "drop(n) . concat(a, b, …) = concat(b, …)",
    when: "if a has n elements",
    apply: |e, cx| {
        let (Prim::Drop, [Arg::Size(k), Arg::Data(xs)]) = e.as_prim()? else { return None };
        let (first, rest) = concat(xs)?.split_first()?;
        let (_, len) = first.data()?.ty().as_array()?;
        cx.facts.eq(len, k).is_yes().then(|| match rest {
            [Arg::Data(one)] => one.clone(),
            several => Expr::prim(Prim::Concat, several.to_vec()),
        })
    },
};

/// The parts, if these are arrays one after the other.
fn concat(e: &Expr) -> Option<&[Arg]> {
    match e.as_prim()? {
        (Prim::Concat, parts) => Some(parts),
        _ => None,
    }
}

/// How often, what, and to what, if the number is known.
fn iterate(e: &Expr) -> Option<(u64, &Lambda, &Expr)> {
    let (Prim::Iterate, [Arg::Data(k), Arg::Fun(f), Arg::Data(x)]) = e.as_prim()? else { return None };
    Some((number(k)?, f, x))
}

/// A number of rounds, if it is known.
fn number(k: &Expr) -> Option<u64> {
    match k.kind() {
        Kind::Literal(literal) => u64::try_from(literal.as_int()?).ok(),
        Kind::Size(n) => u64::try_from(n.as_const()?).ok(),
        _ => None,
    }
}

/// The parts of a repetition that ends when something holds.
struct Until<'a> {
    count: &'a Expr,
    done: &'a Lambda,
    f: &'a Lambda,
    start: &'a Expr,
}

fn until(e: &Expr) -> Option<Until<'_>> {
    match e.as_prim()? {
        (Prim::IterateUntil, [Arg::Data(count), Arg::Fun(done), Arg::Fun(f), Arg::Data(start)]) => {
            Some(Until { count, done, f, start })
        }
        _ => None,
    }
}

fn is_literal(e: &Expr, truth: bool) -> bool {
    matches!(e.kind(), Kind::Literal(Literal::Bool(known)) if *known == truth)
}

/// `{ let p = x; body }`, for a function of one parameter that is not used elsewhere.
fn applied(f: &Lambda, x: Expr) -> Expr {
    Expr::let_(f.params[0].clone(), x, f.body.clone())
}

/// The function with new variables.
pub(super) fn renewed(f: &Lambda) -> Lambda {
    let param = Param::new(&f.params[0].name, f.params[0].ty.clone());
    let renamed = BTreeMap::from([(f.params[0].id, Expr::param(&param))]);
    Lambda { body: f.body.instantiate(&BTreeMap::new(), &renamed), params: vec![param] }
}
