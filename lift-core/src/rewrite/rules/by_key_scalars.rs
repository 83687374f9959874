//! Reductions by key of short arrays, as reductions of tuples.
//!
//! Before: a reduction by key whose values have arrays of a few elements in them. After: the same of tuples of scalars. Keys are read once for all of them.

use crate::ir::{Arg, ByKey, Expr, Kind, Lambda, Literal, Param, Prim, Scalar, Type};
use crate::machine::by_key::MOST_SCALARS;
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;

pub static BY_KEY_SCALARS: Rule = Rule {
    name: "by_key_scalars",
    about: "What a reduction by key combines, as tuples of scalars.",
    equation: "reduce_by_key(b, f, z, ks, xs) = map(|(a, …)| [a, …]) $ reduce_by_key(b, |(a, …), (x, …)| f([a, …], [x, …]), (z[0], …), ks, \
               map(|x| (x[0], …)) $ xs)",
    when: "for arrays, also in tuples and in arrays, of a few scalars in all",
    apply: |e, _| {
        let (prim @ Prim::ReduceByKey(ByKey::Whole), args) = e.as_prim()? else { return None };
        let [bins, Arg::Fun(f), Arg::Data(z), keys, Arg::Data(xs)] = args else { return None };
        let count = z.ty().small_count(&Clone::clone)?;
        if !z.ty().contains_array() || count > MOST_SCALARS {
            return None;
        }
        let start = in_scalars(z);
        let both = ["a", "b"].map(|name| Param::new(name, start.ty().clone()));
        let values = both.each_ref().map(|param| put_together(z.ty(), &Expr::param(param)));
        let f = Lambda { params: both.into(), body: in_scalars(&f.apply(&values)) };
        let xs = Expr::map_with("x", xs.clone(), |x| in_scalars(&x));
        let args = vec![bins.clone(), Arg::Fun(f), Arg::Data(start), keys.clone(), Arg::Data(xs)];
        let reduced = Expr::prim(prim, args).at(e.span());
        Some(Expr::map_with("bin", reduced, |bin| put_together(z.ty(), &bin)))
    },
};

/// The scalars of a value as a tuple, or the only one.
fn in_scalars(e: &Expr) -> Expr {
    if let Kind::Let(param, value, body) = e.kind() {
        return Expr::let_(param.clone(), value.clone(), in_scalars(body));
    }
    let mut all = Vec::new();
    scalars(e, &mut all);
    if all.len() == 1 { all.remove(0) } else { Expr::tuple(all) }
}

fn scalars(e: &Expr, all: &mut Vec<Expr>) {
    match e.ty() {
        Type::Scalar(_) => all.push(e.clone()),
        Type::Tuple(parts) => (0..parts.len()).for_each(|i| scalars(&Expr::field(e.clone(), i), all)),
        Type::Array(_, len) => {
            let count = len.as_const().unwrap_or_default();
            (0..count).for_each(|i| scalars(&element(e, i), all));
        }
    }
}

/// The element at this index, of which nothing else is computed if what the array is made of can be seen.
fn element(e: &Expr, i: i64) -> Expr {
    let index = Expr::literal(Literal::int(i.into(), Scalar::Usize));
    match (e.kind(), e.as_prim()) {
        (Kind::ArrayLiteral(xs), _) => xs[i as usize].clone(),
        (Kind::If(c, a, b), _) => Expr::if_(c.clone(), element(a, i), element(b, i)),
        (_, Some((Prim::Zip, args))) => {
            Expr::tuple(args.iter().filter_map(Arg::data).map(|xs| element(xs, i)).collect())
        }
        (_, Some((Prim::Array, [_, Arg::Fun(f)]))) => f.apply(&[index]),
        _ => match as_map(e) {
            Some((f, xs)) => f.apply(&[element(xs, i)]),
            None => Expr::prim(Prim::At, vec![Arg::Data(index), Arg::Data(e.clone())]),
        },
    }
}

/// A value of this type, of its scalars.
fn put_together(ty: &Type, scalars: &Expr) -> Expr {
    fn next(ty: &Type, scalars: &mut dyn Iterator<Item = Expr>) -> Expr {
        match ty {
            Type::Scalar(_) => scalars.next().unwrap_or_else(|| crate::bug!("too few scalars")),
            Type::Tuple(parts) => Expr::tuple(parts.iter().map(|part| next(part, scalars)).collect()),
            Type::Array(element, len) => {
                let count = len.as_const().unwrap_or_default();
                Expr::array_literal((0..count).map(|_| next(element, scalars)).collect())
            }
        }
    }
    match scalars.ty() {
        Type::Tuple(parts) => next(ty, &mut (0..parts.len()).map(|i| Expr::field(scalars.clone(), i))),
        _ => next(ty, &mut std::iter::once(scalars.clone())),
    }
}
