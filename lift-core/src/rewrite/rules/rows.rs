//! Windows row by row.
//!
//! A reduction of a window is a loop over the rows of the window. Of a block of such windows it is one loop over the rows
//! of what the block needs: each row is met once, for all windows that it belongs to. Every window meets its own
//! rows in the same order as before, so that nothing is assumed of the function.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Order, Param, Prim, Scalar, Type};
use crate::rewrite::layout::{as_layout, as_map, is_view};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::stencil::{Input, Stencil};
use crate::rewrite::scope::{occurrences, replace};

pub static MAP_JOIN: Rule = Rule {
    name: "join_outwards",
    about: "A function of elements is one of rows.",
    equation: "map(f) . join = join . map(map(f))",
    when: "",
    apply: |e, _| {
        let (f, xs) = as_map(e)?;
        let rows = as_layout(xs, Prim::Join)?;
        let f = f.clone();
        Some(Expr::join(Expr::map_with("row", rows.clone(), |row| Expr::map(f, row))))
    },
};

pub static ZIP_JOIN: Rule = Rule {
    name: "zip_rows",
    about: "Pairs of elements are pairs in rows.",
    equation: "zip(xs, join(ys)) = join . map(zip) . zip(split(m, xs), ys)",
    when: "for rows of m elements; split(m, join(zs)) = zs",
    apply: |e, cx| zip_join(e, cx.facts),
};

fn zip_join(e: &Expr, facts: &Facts) -> Option<Expr> {
    let (Prim::Zip, args) = e.as_prim()? else { return None };
    let parts: Vec<&Expr> = args.iter().map(Arg::data).collect::<Option<_>>()?;
    let length = |rows: &Expr| Some(rows.ty().as_array()?.0.as_array()?.1.clone());
    let m = parts.iter().find_map(|part| length(as_layout(part, Prim::Join)?))?;
    let in_rows = |part: &&Expr| match as_layout(part, Prim::Join) {
        Some(rows) if length(rows).is_some_and(|n| facts.eq(&n, &m).is_yes()) => rows.clone(),
        _ => Expr::split(m.clone(), (*part).clone()),
    };
    Some(Expr::join(nd::zip_nd(2, parts.iter().map(in_rows).collect())))
}

pub static ZIP_MAP: Rule = Rule {
    name: "zip_map",
    about: "What is computed of one part is computed of the pairs.",
    equation: "zip(xs, map(g, ys)) = map(|(x, y)| (x, g(y))) . zip(xs, ys)",
    when: "where g computes something",
    apply: |e, _| {
        let (Prim::Zip, args) = e.as_prim()? else { return None };
        let computed = |arg: &Arg| {
            let (g, ys) = arg.data().and_then(as_map).filter(|(g, _)| !is_view(&g.body))?;
            Some((g.clone(), ys.clone()))
        };
        let i = args.iter().position(|arg| computed(arg).is_some())?;
        let (g, ys) = computed(&args[i])?;
        let mut args = args.to_vec();
        args[i] = Arg::Data(ys);
        Some(Expr::map_with("t", Expr::prim(Prim::Zip, args.clone()), |t| {
            let part = |k: usize| match g.params.as_slice() {
                [y] if k == i => Expr::let_(y.clone(), Expr::field(t.clone(), k), g.body.clone()),
                _ => Expr::field(t.clone(), k),
            };
            Expr::tuple((0..args.len()).map(part).collect())
        }))
    },
};

pub static REDUCE_JOIN: Rule = Rule {
    name: "fold_rows",
    about: "Row by row, from left to right.",
    equation: "reduce(f, z) . join = fold(|a, row| fold(f, a, row), z)",
    when: "",
    apply: |e, _| {
        let (Order::Any | Order::Left, f, z, xs) = e.as_reduction()? else { return None };
        let rows = as_layout(xs, Prim::Join)?;
        let acc = Param::new(&f.params.first()?.name, z.ty().clone());
        let row = Param::new("row", rows.ty().as_array()?.0.clone());
        let body = Expr::reduce(Order::Left, f.clone(), Expr::param(&acc), Expr::param(&row));
        Some(Expr::reduce(Order::Left, Lambda { params: vec![acc, row], body }, z.clone(), rows.clone()))
    },
};

pub static FOLD_MAP: Rule = Rule {
    name: "fold_map",
    about: "The loop computes what it combines.",
    equation: "fold(f, z) . map(g) = fold(|a, x| f(a, g(x)), z)",
    when: "",
    apply: |e, _| {
        let (Order::Left, f, z, xs) = e.as_reduction()? else { return None };
        let (g, xs) = as_map(xs)?;
        let ([a, y], [x]) = (f.params.as_slice(), g.params.as_slice()) else { return None };
        let body = Expr::let_(y.clone(), g.body.clone(), f.body.clone());
        Some(Expr::reduce(
            Order::Left,
            Lambda { params: vec![a.clone(), x.clone()], body },
            z.clone(),
            xs.clone(),
        ))
    },
};

pub static AFTER_FOLD: Rule = Rule {
    name: "after_fold",
    about: "What is done with the result of a loop comes after all the loops.",
    equation: "map^d(|w| e[fold(f, z, x)]) . slide^d(n, s) = map^d(|v| e[v]) . map^d(|w| fold(f, z, x)) . slide^d(n, s)",
    when: "if w occurs in x alone",
    apply: |e, cx| {
        let stencil = Stencil::find(e)?;
        let input = stencil.of_one_array().filter(|input| !input.windows.is_empty())?;
        let [w] = stencil.f.params.as_slice() else { return None };
        let loops = loop_over(&stencil.f.body, w)?;
        if loops.is_same(&stencil.f.body) {
            return None;
        }
        let result = Param::new("v", loops.ty().clone());
        let after = put(&stencil.f.body, loops, &Expr::param(&result));
        let windows = nd::slide_nd(&input.windows, input.array.clone());
        let dims = stencil.dims();
        let sums = nd::map_nd(dims, Lambda { params: vec![w.clone()], body: loops.clone() }, windows);
        Some(nd::map_nd(dims, Lambda { params: vec![result], body: after }, cx.focus(sums)))
    },
};

/// The loop that contains all uses of `w`, if it is computed once and needs nothing that is defined around it.
fn loop_over<'a>(e: &'a Expr, w: &Param) -> Option<&'a Expr> {
    let uses = |x: &Expr| occurrences(x, w.id).count > 0;
    match e.kind() {
        Kind::Prim(Prim::Reduce(Order::Left), _) => Some(e),
        // Functions may be applied often, arms never, and definitions would be left behind.
        Kind::Prim(..) | Kind::If(..) | Kind::Let(..) => None,
        _ => {
            let mut using = e.children().into_iter().filter(|x| uses(x));
            let (one, None) = (using.next()?, using.next()) else { return None };
            loop_over(one, w)
        }
    }
}

/// `e` with one of its parts replaced.
pub fn put(e: &Expr, part: &Expr, by: &Expr) -> Expr {
    if e.is_same(part) { by.clone() } else { e.map_children(&mut |x| put(x, part, by)) }
}

pub static FOLD_WINDOWS: Rule = Rule {
    name: "fold_windows",
    about: "One loop over the rows of a block.",
    equation: "map^d(fold(f, z) . zip(cs)) . slide^d(n, s) = fold(|a, (r, row)| map(|(y, a)| map^(d-1)(|(a, w)| if s1 * y <= r < s1 * y + n1 { f(a, (cs[r \
               - s1 * y], w)) } else { a }) . zip^(d-1)(a) . slide^(d-1)(n, s) $ row) . zip(0.., a), z) . zip(0..)",
    when: "the same without a zip",
    apply: |e, _| fold_windows(e),
};

fn fold_windows(e: &Expr) -> Option<Expr> {
    let stencil = Stencil::find(e)?;
    let Input { windows, array } = stencil.of_one_array()?;
    let ((size, step), inner) = windows.split_first()?;
    let [w] = stencil.f.params.as_slice() else { return None };
    let (Order::Left, f, z, rows) = stencil.f.body.as_reduction()? else { return None };
    let [a, x] = f.params.as_slice() else { return None };
    let rows = Rows::of(rows, w)?;
    if occurrences(&f.body, w.id).count + occurrences(z, w.id).count > 0 {
        return None;
    }
    let (row, len) = array.ty().as_array()?;
    let index = || Type::from(Scalar::Usize);

    let start = stencil.counts.iter().rev().fold(z.clone(), |z, n| generate("_", n, |_| z));
    let t = Param::new("t", Type::tuple(vec![index(), row.clone()]));
    let (r, row) = (Expr::field(Expr::param(&t), 0), Expr::field(Expr::param(&t), 1));
    let all = Param::new("sums", start.ty().clone());
    let sums = zip(vec![indices(&stencil.counts[0]), Expr::param(&all)]);
    let sums = Expr::map_with("own", sums, |own| {
        let (y, own) = (Expr::field(own.clone(), 0), Expr::field(own, 1));
        let first = match step.as_const() {
            Some(1) => y,
            _ => Expr::binary(BinaryOp::Mul, Expr::size(step.clone()), y),
        };
        let next = |acc: Expr, row: Expr| {
            let k = Expr::binary(BinaryOp::Sub, r.clone(), first.clone());
            let end = Expr::binary(BinaryOp::Add, first.clone(), Expr::size(size.clone()));
            let begun = Expr::binary(BinaryOp::Ge, r.clone(), first.clone());
            let inside = Expr::binary(BinaryOp::And, begun, Expr::binary(BinaryOp::Lt, r.clone(), end));
            let element = Param::new("row", x.ty.clone());
            let body = replace(&replace(&f.body, a.id, &acc), x.id, &Expr::param(&element));
            Expr::if_(inside, Expr::let_(element, rows.at(&k, row), body), acc)
        };
        match inner.len() {
            0 => next(own, row.clone()),
            dims => {
                let pairs = nd::zip_nd(dims, vec![own, nd::slide_nd(inner, row.clone())]);
                let Some(pair) = (0..dims).try_fold(pairs.ty(), |ty, _| Some(ty.as_array()?.0)).cloned()
                else {
                    crate::bug!("windows in {dims} dimensions of {}", row.ty())
                };
                let f = Lambda::unary("p", pair, |p| next(Expr::field(p.clone(), 0), Expr::field(p, 1)));
                nd::map_nd(dims, f, pairs)
            }
        }
    });
    let numbered = zip(vec![indices(len), array.clone()]);
    Some(Expr::reduce(Order::Left, Lambda { params: vec![all, t], body: sums }, start, numbered))
}

/// Of what a loop over the rows of a window takes its elements: the rows, or tuples of them and other things.
enum Rows<'a> {
    Plain,
    /// `None` is the row.
    Zipped(Vec<Option<&'a Expr>>),
}

impl<'a> Rows<'a> {
    fn of(e: &'a Expr, w: &Param) -> Option<Rows<'a>> {
        let is_window = |e: &Expr| matches!(e.kind(), Kind::Param(p) if p == w);
        if is_window(e) {
            return Some(Rows::Plain);
        }
        let (Prim::Zip, args) = e.as_prim()? else { return None };
        let part = |arg: &'a Arg| {
            let x = arg.data()?;
            if is_window(x) {
                return Some(None);
            }
            (occurrences(x, w.id).count == 0).then_some(Some(x))
        };
        let parts: Vec<Option<&Expr>> = args.iter().map(part).collect::<Option<_>>()?;
        parts.iter().any(Option::is_none).then_some(Rows::Zipped(parts))
    }

    /// The element with row `k` of the window, which is `row`.
    fn at(&self, k: &Expr, row: Expr) -> Expr {
        match self {
            Rows::Plain => row,
            Rows::Zipped(parts) => {
                let part = |part: &Option<&Expr>| match part {
                    None => row.clone(),
                    Some(xs) => Expr::prim(Prim::At, vec![Arg::Data(k.clone()), Arg::Data((*xs).clone())]),
                };
                Expr::tuple(parts.iter().map(part).collect())
            }
        }
    }
}

fn zip(parts: Vec<Expr>) -> Expr {
    nd::zip_nd(1, parts)
}

/// `0..n` as an array.
fn indices(n: &ArithExpr) -> Expr {
    generate("i", n, |i| i)
}

fn generate(name: &str, n: &ArithExpr, f: impl FnOnce(Expr) -> Expr) -> Expr {
    let f = Lambda::unary(name, Scalar::Usize.into(), f);
    Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(f)])
}
