//! Stencils of values that are computed from windows become stencils of these windows, and windows of one array become one: what is read
//! around an element is read once.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Boundary, Expr, Fold, Kind, Lambda, Param};
use crate::rewrite::layout::{as_map, is_view};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::at;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::stencil::{Input, Stencil};
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::{mentions, occurrences, replace, same};

pub static FUSE_PARTS: Rule = Rule {
    name: "fuse_parts",
    about: "A function of values that are computed from windows is a function of the windows.",
    equation: "map^d(f) $ zip^d(map^d(g) . slide^d(n, s) $ x, y, …) = map^d(|(w, y, …)| { let v = g(w); f(v, y, …) }) $ zip^d(slide^d(n, s) $ x, y, …)",
    when: "for values that are scalars, or tuples of such",
    apply: |e, _| fuse_parts(e),
};

pub static WINDOWS_TOGETHER: Rule = Rule {
    name: "windows_together",
    about: "Windows of one array are parts of one window.",
    equation: "map^d(f) $ zip^d(slide^d(n, 1) . pad^d(l, r, b) $ x, slide^d(m, 1) . pad^d(k, q, b) $ x, …) = map^d(|(w, …)| f(part(w), part(w), …)) $ zip^d(slide^d(…, 1) . pad^d(max(l, k), …, b) $ x, …)",
    when: "if one boundary does for both; part takes and drops elements of the window",
    apply: |e, cx| windows_together(e, cx.facts),
};

pub static BATCH_WINDOWS: Rule = Rule {
    name: "batch_windows",
    about: "The same stencil of each of several matrices is one stencil, whose windows are one element long in the dimension of the matrices.",
    equation: "map(|x| map2d(f) . slide2d(n, s) $ e) $ xs = map3d(|w| f(w[0])) . slide3d((1, n), (1, s)) . map(|x| e) $ xs",
    when: "if x does not occur in f; each part of a zip by itself; windows_of_one is about rows",
    apply: |e, _| batch_windows(e),
};

pub static EACH_MATRIX: Rule = Rule {
    name: "each_matrix",
    about: "A stencil whose windows are one element long in the dimension of the matrices is the same stencil of each matrix.",
    equation: "map3d(|w| f(w[0])) . slide3d((1, n), (1, s)) = map(map2d(f) . slide2d(n, s))",
    when: "for windows of one array, if w does not occur otherwise",
    apply: |e, _| each_matrix(e),
};

fn each_matrix(e: &Expr) -> Option<Expr> {
    let stencil = Stencil::find(e).filter(|stencil| stencil.dims() == 3)?;
    let Input { windows, array } = stencil.of_one_array()?;
    let ((size, step), inner) = windows.split_first()?;
    let ([w], true) = (stencil.f.params.as_slice(), [size, step].iter().all(|n| n.as_const() == Some(1)))
    else {
        return None;
    };
    let first = at(Expr::size(ArithExpr::zero()), Expr::param(w));
    let mut whole = 0;
    stencil.f.body.visit(&mut |x| whole += usize::from(same(x, &first)));
    if whole != occurrences(&stencil.f.body, w.id).count {
        return None;
    }
    let matrix = array.ty().as_array()?.0.clone();
    let each = Lambda::unary("matrix", matrix, |matrix| {
        let f = Lambda::unary("w", first.ty().clone(), |own| replace_all(&stencil.f.body, &first, &own));
        nd::map_nd(inner.len(), f, nd::slide_nd(inner, matrix))
    });
    Some(Expr::map(each, array.clone()))
}

fn batch_windows(e: &Expr) -> Option<Expr> {
    let (each, xs) = as_map(e)?;
    let [x] = each.params.as_slice() else { return None };
    let Stencil { f, counts, inputs, is_zipped } =
        Stencil::find(&each.body).filter(|stencil| stencil.has_windows() && stencil.dims() == 2)?;
    let own = BTreeSet::from([x.id]);
    if mentions(&f.body, &own) {
        return None;
    }
    let batched = |input: &Input| {
        let array = match input.array.kind() {
            Kind::Param(param) if param.id == x.id => xs.clone(),
            _ => {
                let renamed = Param::new(&x.name, x.ty.clone());
                let body = replace(&input.array.refresh(), x.id, &Expr::param(&renamed));
                Expr::map(Lambda { params: vec![renamed], body }, xs.clone())
            }
        };
        let one = (ArithExpr::one(), ArithExpr::one());
        let windows = match input.windows.as_slice() {
            [] => Vec::new(),
            windows => std::iter::once(one).chain(windows.iter().cloned()).collect(),
        };
        Input { windows, array }
    };
    let all: Vec<Input> = inputs.iter().map(batched).collect();
    stencil(counts.len() + 1, &all, |x| {
        let plain = |input: &Input, x: Expr| match input.windows.as_slice() {
            [] => x,
            _ => at(Expr::size(ArithExpr::zero()), x),
        };
        let own = match inputs.as_slice() {
            [only] if !is_zipped => plain(only, x),
            [only] => Expr::tuple(vec![plain(only, x)]),
            several => {
                let parts =
                    several.iter().enumerate().map(|(k, input)| plain(input, Expr::field(x.clone(), k)));
                Expr::tuple(parts.collect())
            }
        };
        f.apply(&[own])
    })
}

fn fuse_parts(e: &Expr) -> Option<Expr> {
    let outer = Stencil::find(e).filter(|stencil| stencil.is_zipped)?;
    let dims = outer.dims();
    let computed = |input: &Input| {
        let inner =
            Stencil::find(&input.array).filter(|inner| input.windows.is_empty() && inner.has_windows())?;
        let is_value = inner.dims() == dims && is_flat(inner.f.body.ty()) && !is_view(&inner.f.body);
        is_value.then_some(inner)
    };
    let (at, inner) = outer.inputs.iter().enumerate().find_map(|(i, input)| Some((i, computed(input)?)))?;
    let mut inputs = outer.inputs.clone();
    inputs.splice(at..=at, inner.inputs.iter().cloned());
    let (count, more) = (inner.inputs.len(), outer.inputs.len());
    let value = Param::new("v", inner.f.body.ty().clone());
    stencil(dims, &inputs, |x| {
        let field = |i| Expr::field(x.clone(), i);
        let own = match inner.is_zipped {
            true => Expr::tuple((at..at + count).map(field).collect()),
            false => field(at),
        };
        let parts = (0..more).map(|i| match i.cmp(&at) {
            Ordering::Less => field(i),
            Ordering::Equal => Expr::param(&value),
            Ordering::Greater => field(i + count - 1),
        });
        let body = outer.f.apply(&[Expr::tuple(parts.collect())]);
        Expr::let_(value.clone(), inner.f.apply(&[own]), body)
    })
}

fn windows_together(e: &Expr, facts: &Facts) -> Option<Expr> {
    let Stencil { f, counts, mut inputs, is_zipped } = Stencil::find(e)?;
    let dims = counts.len();
    let is_dense = |input: &Input| {
        !input.windows.is_empty() && input.windows.iter().all(|(_, step)| step.as_const() == Some(1))
    };
    let pairs = (0..inputs.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let dense = pairs.filter(|(i, j)| is_zipped && is_dense(&inputs[*i]) && is_dense(&inputs[*j]));
    let (i, j, both) = dense
        .filter_map(|(i, j)| Some((i, j, Both::of([&inputs[i], &inputs[j]], &counts, facts)?)))
        .next()?;
    inputs[i] = both.input;
    inputs.remove(j);
    stencil(dims, &inputs, |x| {
        let of = |k: usize| if inputs.len() == 1 { x.clone() } else { Expr::field(x.clone(), k) };
        let parts = (0..=inputs.len()).map(|k| match k {
            k if k == i => nd::part_of(&both.parts[0], of(i)),
            k if k == j => nd::part_of(&both.parts[1], of(i)),
            k if k < j => of(k),
            k => of(k - 1),
        });
        f.apply(&[Expr::tuple(parts.collect())])
    })
}

/// `map^d(f)` of these inputs, with a function of what they give together.
fn stencil(dims: usize, inputs: &[Input], f: impl FnOnce(Expr) -> Expr) -> Option<Expr> {
    let mut parts: Vec<Expr> = inputs.iter().map(Input::slid_nd).collect();
    let all = if parts.len() == 1 { parts.swap_remove(0) } else { nd::zip_nd(dims, parts) };
    let x = Param::new("x", nd::element(dims, &all)?);
    let body = f(Expr::param(&x));
    Some(nd::map_nd(dims, Lambda { params: vec![x], body }, all))
}

/// The window that holds those of two inputs.
struct Both {
    input: Input,
    /// For each of the two, where it begins in the window, and how long it is, in each dimension.
    parts: [Vec<(ArithExpr, ArithExpr)>; 2],
}

impl Both {
    fn of(inputs: [&Input; 2], counts: &[ArithExpr], facts: &Facts) -> Option<Both> {
        let dims = counts.len();
        let [(pads, core), (other_pads, other)] = inputs.map(|input| nd::unpadded(dims, &input.array));
        if !same(core, other) {
            return None;
        }
        let (lens, _) = core.ty().shape();
        let larger = |a: &ArithExpr, b: &ArithExpr| {
            let is_less = facts.le(a, b).is_yes();
            (is_less || facts.le(b, a).is_yes()).then(|| if is_less { b.clone() } else { a.clone() })
        };
        let (mut windows, mut amounts, mut parts) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
        for (d, ((l, _, one), (k, _, another))) in pads.into_iter().zip(other_pads).enumerate() {
            let boundary = match (one, another) {
                (Some(a), Some(b)) if a != b => return None,
                (a, b) => a.or(b).unwrap_or(Boundary::Fold(Fold::Clamp)),
            };
            let sizes = inputs.map(|input| input.windows[d].0.clone());
            let before = larger(&l, &k)?;
            let after = larger(&(&sizes[0] - &l), &(&sizes[1] - &k))?;
            let size = facts.simplify(&(&before + &after));
            let right = facts.simplify(&(&counts[d] + &size - 1 - &before - &lens[d]));
            for (part, (left, size)) in parts.iter_mut().zip([l, k].into_iter().zip(sizes)) {
                part.push((facts.simplify(&(&before - left)), size));
            }
            windows.push((size, ArithExpr::one()));
            amounts.push((before, right, boundary));
        }
        Some(Both { input: Input { windows, array: nd::pad_each(&amounts, core.clone()) }, parts })
    }
}
