//! Repetition, and arrays that are put together or taken apart.

use std::collections::BTreeMap;

use crate::ir::prim::MOST_UNROLLED;
use crate::ir::{Arg, Expr, Kind, Lambda, Param, Prim};
use crate::rewrite::layout::as_layout;
use crate::rewrite::rule::Rule;

/// No arrays but so many can be put together at once.
const MOST_PARTS: usize = 8;

/// Not at all.
pub static ITERATE_NONE: Rule = Rule {
    name: "iterate_none",
    law: "iterate(0, f) = id",
    apply: |e, _| {
        let (0, _, x) = iterate(e)? else { return None };
        Some(x.clone())
    },
};

/// Once.
pub static ITERATE_ONCE: Rule = Rule {
    name: "iterate_once",
    law: "iterate(1, f) = f",
    apply: |e, _| {
        let (1, f, x) = iterate(e)? else { return None };
        Some(applied(f, x.clone()))
    },
};

/// One application after the other, for arrays that no work-item can keep.
pub static ITERATE_UNROLL: Rule = Rule {
    name: "iterate_unroll",
    law: "iterate(k, f) = f . f . … f, k times, for a number k and large arrays",
    apply: |e, facts| {
        let (times, f, x) = iterate(e)?;
        let small = x.ty().small_count(&|n| facts.simplify(n)).is_some();
        let apply = |x, _| applied(&renewed(f), x);
        (!small && times <= MOST_UNROLLED).then(|| (0..times).fold(x.clone(), apply))
    },
};

/// Put together and taken apart again.
pub static UNZIP_ZIP: Rule = Rule {
    name: "unzip_zip",
    law: "unzip(zip(a, b, …)) = (a, b, …)",
    apply: |e, _| match as_layout(e, Prim::Unzip)?.as_prim()? {
        (Prim::Zip, parts) => Some(Expr::tuple(parts.iter().filter_map(Arg::data).cloned().collect())),
        _ => None,
    },
};

/// All at once.
pub static CONCAT_CONCAT: Rule = Rule {
    name: "concat_concat",
    law: "concat(…, concat(a, b), …) = concat(…, a, b, …), for at most eight arrays",
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

/// The first of several.
pub static TAKE_CONCAT: Rule = Rule {
    name: "take_concat",
    law: "take(n) . concat(a, b, …) = a, if a has n elements",
    apply: |e, facts| {
        let (Prim::Take, [Arg::Size(k), Arg::Data(xs)]) = e.as_prim()? else { return None };
        let first = concat(xs)?.first()?.data()?;
        let (_, len) = first.ty().as_array()?;
        facts.eq(len, k).is_yes().then(|| first.clone())
    },
};

/// All but the first.
pub static DROP_CONCAT: Rule = Rule {
    name: "drop_concat",
    law: "drop(n) . concat(a, b, …) = concat(b, …), if a has n elements",
    apply: |e, facts| {
        let (Prim::Drop, [Arg::Size(k), Arg::Data(xs)]) = e.as_prim()? else { return None };
        let (first, rest) = concat(xs)?.split_first()?;
        let (_, len) = first.data()?.ty().as_array()?;
        facts.eq(len, k).is_yes().then(|| match rest {
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
    let times = match k.kind() {
        Kind::Literal(literal) => u64::try_from(literal.as_int()?).ok()?,
        Kind::Size(n) => u64::try_from(n.as_const()?).ok()?,
        _ => return None,
    };
    Some((times, f, x))
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
