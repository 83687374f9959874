//! Interchange: the inner loop becomes the outer one.
//!
//! Before: for every element of one array, something is done with every element of another one. After: the other way
//! round. Which results are computed from what stays as it was, and so does the order in which a loop combines.

use lift_core::ir::{Arg, Expr, Lambda, Order, Param, Prim, Scalar};
use lift_core::rewrite::layout::{as_map, is_parameter, is_view};
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::scope::{occurrences, replace};

pub static INTERCHANGE_MAPS: Rule = Rule {
    name: "interchange_maps",
    about: "Two maps over arrays that have nothing to do with each other.",
    equation: "map(|x| map(|y| e, ys), xs) = transpose . map(|y| map(|x| e, xs), ys)",
    when: "if x does not occur in ys",
    apply: |e, _| {
        let (f, xs) = as_map(e)?;
        let (g, ys) = as_map(&f.body)?;
        let [x] = f.params.as_slice() else { return None };
        if occurrences(ys, x.id).count > 0 {
            return None;
        }
        Some(once(xs, |xs| {
            let inner = Lambda { params: f.params.clone(), body: g.body.clone() };
            let body = Expr::map(inner, xs);
            Expr::transpose(Expr::map(Lambda { params: g.params.clone(), body }, ys.clone()))
        }))
    },
};

pub static TRANSPOSE_MAPS: Rule = Rule {
    name: "transpose_maps",
    about: "The columns of rows that are computed element by element, perhaps with elements that are the same for all rows.",
    equation: "map(|x| map(f, zip(v, c, …)), xs) = transpose . map(|(us, c, …)| map(|u| f(u, c, …), us)) . zip(transpose(map(|x| v, xs)), c, …)",
    when: "if of all this x occurs in one part v alone; the same without f, and without a zip",
    apply: |e, _| {
        let (outer, xs) = as_map(e)?;
        let [x] = outer.params.as_slice() else { return None };
        let (f, inner) = match as_map(&outer.body) {
            Some((f, inner)) => (Some(f), inner),
            None => (None, &outer.body),
        };
        let depends = |e: &Expr| occurrences(e, x.id).count > 0;
        if f.is_some_and(|f| depends(&f.body)) {
            return None;
        }
        let columns = |v: &Expr| match is_parameter(v, outer) {
            true => Expr::transpose(xs.clone()),
            false => Expr::transpose(Expr::map(
                Lambda { params: outer.params.clone(), body: v.clone() },
                xs.clone(),
            )),
        };
        let Some((Prim::Zip, parts)) = inner.as_prim() else {
            let f = f.filter(|_| depends(inner))?;
            return Some(Expr::transpose(Expr::map_with("column", columns(inner), |column| {
                Expr::map(f.clone(), column)
            })));
        };
        let parts: Vec<&Expr> = parts.iter().map(Arg::data).collect::<Option<_>>()?;
        let mut own = parts.iter().enumerate().filter(|(_, part)| depends(part));
        let (Some((i, v)), None) = (own.next(), own.next()) else { return None };
        let all = parts.iter().enumerate().map(|(k, part)| if k == i { columns(v) } else { (*part).clone() });
        let all = Expr::prim(Prim::Zip, all.map(Arg::Data).collect());
        Some(Expr::transpose(Expr::map_with("round", all, |t| {
            let part = |k: usize| Expr::field(t.clone(), k);
            Expr::map_with("x", part(i), |u| {
                let whole = (0..parts.len()).map(|k| if k == i { u.clone() } else { part(k) });
                let whole = Expr::tuple(whole.collect());
                match f {
                    Some(f) => Expr::let_(f.params[0].clone(), whole, f.body.clone()),
                    None => whole,
                }
            })
        })))
    },
};

pub static MAP_REDUCE: Rule = Rule {
    name: "map_reduce",
    about: "Loops side by side are one loop over what all of them meet at a time. Each of them meets its own elements in the same order as before.",
    equation: "map(|x| reduce(f, z, v), xs) = reduce(|accs, vs| map(f) . zip(accs, vs), array(n, |_| z)) . transpose . map(|x| v, xs)",
    when: "on n elements, if x occurs in v alone; the same with fold",
    apply: |e, _| {
        let (outer, xs) = as_map(e)?;
        let [x] = outer.params.as_slice() else { return None };
        let (order @ (Order::Any | Order::Left), f, z, v) = outer.body.as_reduction()? else { return None };
        if occurrences(&f.body, x.id).count + occurrences(z, x.id).count > 0 {
            return None;
        }
        let values = match is_parameter(v, outer) {
            true => xs.clone(),
            false => Expr::map(Lambda { params: outer.params.clone(), body: v.clone() }, xs.clone()),
        };
        let all = Expr::transpose(values);
        let column = all.ty().as_array()?.0.clone();
        let (_, n) = xs.ty().as_array()?;
        Some(once(z, |z| {
            let repeat = Lambda::unary("_", Scalar::Usize.into(), |_| z);
            let start = Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(repeat)]);
            let params = vec![Param::new("accs", start.ty().clone()), Param::new("column", column)];
            let pairs = params.iter().map(|p| Arg::Data(Expr::param(p))).collect();
            let name = format!("own_{}", x.name);
            let body = Expr::map_with(&name, Expr::prim(Prim::Zip, pairs), |t| {
                let second = Expr::let_(f.params[1].clone(), Expr::field(t.clone(), 1), f.body.clone());
                Expr::let_(f.params[0].clone(), Expr::field(t, 0), second)
            });
            Expr::reduce(order, Lambda { params, body }, start, all)
        }))
    },
};

/// An expression with `e`, which is computed once: it has a name unless there is nothing to compute.
fn once(e: &Expr, with: impl FnOnce(Expr) -> Expr) -> Expr {
    if is_repeated(e) {
        return with(e.clone());
    }
    let param = Param::new("xs", e.ty().clone());
    let body = with(Expr::param(&param));
    Expr::let_(param, e.clone(), body)
}

/// Whether this only moves data, or is an array of the same.
fn is_repeated(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Array, [_, Arg::Fun(f)])) => {
            is_repeated(&f.body) && f.params.iter().all(|i| occurrences(&f.body, i.id).count == 0)
        }
        _ => is_view(e),
    }
}

pub static MAP_VIEW: Rule = Rule {
    name: "map_view",
    about: "A traversal of data that is only looked at differently.",
    equation: "map(g) . map(f) = map(g . f)",
    when: "if f only moves data",
    apply: |e, _| {
        let (g, ys) = as_map(e)?;
        let (f, xs) = as_map(ys).filter(|(f, _)| is_view(&f.body))?;
        let [y] = g.params.as_slice() else { return None };
        Some(Expr::map(
            Lambda { params: f.params.clone(), body: replace(&g.body, y.id, &f.body) },
            xs.clone(),
        ))
    },
};

pub static ZIP_VIEW: Rule = Rule {
    name: "zip_view",
    about: "Pairs with data that is only looked at differently.",
    equation: "map(f) . zip(xs, map(g, ys)) = map(|(x, y)| f(x, g(y))) . zip(xs, ys)",
    when: "if g only moves data",
    apply: |e, _| {
        let (f, zipped) = as_map(e)?;
        let ((Prim::Zip, args), [pair]) = (zipped.as_prim()?, f.params.as_slice()) else { return None };
        let looked = |arg: &Arg| {
            let (g, ys) = arg.data().and_then(as_map).filter(|(g, _)| is_view(&g.body))?;
            Some((g.clone(), ys.clone()))
        };
        let i = args.iter().position(|arg| looked(arg).is_some())?;
        let (g, ys) = looked(&args[i])?;
        let mut args = args.to_vec();
        args[i] = Arg::Data(ys);
        let count = args.len();
        Some(Expr::map_with(&pair.name, Expr::prim(Prim::Zip, args), |t| {
            let part = |k: usize| match g.params.as_slice() {
                [y] if k == i => replace(&g.body, y.id, &Expr::field(t.clone(), k)),
                _ => Expr::field(t.clone(), k),
            };
            let whole = Expr::tuple((0..count).map(part).collect());
            replace(&f.body, pair.id, &whole)
        }))
    },
};
