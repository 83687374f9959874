//! Two passes: what a window needs of its rows is computed for every row once.
//!
//! A function of a window that uses nothing but a function of each row can have the rows computed beforehand, whatever the
//! functions are: windows above each other share them. Reductions come into this form because they may be regrouped.

use crate::arith::ArithExpr;
use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Order, Param, Prim, Type};
use crate::rewrite::layout::{as_layout, as_map, is_view};
use crate::rewrite::normal;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::{as_reduce, fresh, is_flat};
use crate::rewrite::rules::rows::{MAP_JOIN, put};
use crate::rewrite::rules::stencil::{Input, Stencil};
use crate::rewrite::scope::occurrences;
use crate::rewrite::strategy::{Derivation, Strategy};

pub static REDUCE_EACH_ROW: Rule = Rule {
    name: "reduce_each_row",
    about: "A reduction of rows of rows.",
    equation: "reduce(f, z) . join = reduce(f, z) . map(reduce(f, z))",
    when: "",
    apply: |e, _| {
        let (f, z, xs) = as_reduce(e)?;
        let rows = as_layout(xs, Prim::Join)?;
        let sums =
            Expr::map_with("row", rows.clone(), |row| Expr::reduce(Order::Any, fresh(f), z.refresh(), row));
        Some(Expr::reduce(Order::Any, f.clone(), z.clone(), sums))
    },
};

pub static SEPARATE: Rule = Rule {
    name: "separate",
    about: "Rows first, if a function uses nothing of its window but a function of each row.",
    equation: "map^2(|w| e[map(g, w)]) . slide^2(n, s) = map^2(|w| e[join(w)]) . slide^2(n1, s1, 1, 1) . map^2(g . join) . slide^2(1, 1, n2, s2)",
    when: "",
    apply: |e, _| {
        let stencil = Stencil::find(e)?;
        let mapped = of_rows(&stencil)?;
        let (g, _) = as_map(mapped)?;
        let passed = columns(&stencil, g.clone())?;
        let column = nd::element(2, &passed)?;
        let across =
            Lambda::unary("column", column, |column| put(&stencil.f.body, mapped, &Expr::join(column)));
        Some(nd::map_nd(2, across, passed))
    },
};

pub static SEPARATE_PARTS: Rule = Rule {
    name: "separate_parts",
    about: "The same with a pass for each part of what the function gives.",
    equation: "map^2(|w| e[map(|x| (g(x), ..), w)]) . slide^2(n, s) = map^2(|(v, ..)| e[zip(join(v), ..)]) $ zip^2(slide^2(n1, s1, 1, 1) . map^2(g . \
               join) . slide^2(1, 1, n2, s2), ..)",
    when: "",
    apply: |e, _| {
        let stencil = Stencil::find(e)?;
        let mapped = of_rows(&stencil)?;
        let (g, _) = as_map(mapped)?;
        let Kind::Tuple(parts) = g.body.kind() else { return None };
        if parts.len() < 2 {
            return None;
        }
        let passes = parts.iter().map(|part| {
            let g = fresh(&Lambda { params: g.params.clone(), body: part.clone() });
            Some(columns(&stencil, g)?.refresh())
        });
        let passed = nd::zip_nd(2, passes.collect::<Option<_>>()?);
        let across = Lambda::unary("columns", nd::element(2, &passed)?, |columns| {
            let column = |k: usize| Arg::Data(Expr::join(Expr::field(columns.clone(), k)));
            let zipped = Expr::prim(Prim::Zip, (0..parts.len()).map(column).collect());
            put(&stencil.f.body, mapped, &zipped)
        });
        Some(nd::map_nd(2, across, passed))
    },
};

/// The columns of windows of which this function was applied to each row.
fn columns(stencil: &Stencil, g: Lambda) -> Option<Expr> {
    let Input { windows, array } = stencil.of_one_array()?;
    let [rows, columns] = windows.as_slice() else { return None };
    let one = || (ArithExpr::one(), ArithExpr::one());
    let lines = nd::slide_nd(&[one(), columns.clone()], array.clone());
    let [row] = g.params.as_slice() else { return None };
    let along = Lambda::unary("line", nd::element(2, &lines)?, |line| {
        Expr::let_(row.clone(), Expr::join(line), g.body.clone())
    });
    Some(nd::slide_nd(&[rows.clone(), one()], nd::map_nd(2, along, lines)))
}

/// In how many passes over rows all that a stencil needs of a window can be computed beforehand: numbers, one by each.
pub fn passes(stencil: &Stencil) -> Option<usize> {
    let (g, _) = as_map(of_rows(stencil)?)?;
    match g.body.kind() {
        Kind::Tuple(parts) => is_flat(g.body.ty()).then_some(parts.len()),
        _ => Some(1),
    }
}

/// All that a stencil uses of a window: a function of each row.
fn of_rows(stencil: &Stencil) -> Option<&Expr> {
    let (rows, _) = stencil.of_one_array()?.windows.first()?;
    let [w] = stencil.f.params.as_slice() else { return None };
    let once = occurrences(&stencil.f.body, w.id).count == 1;
    if stencil.dims() != 2 || !once || rows.as_const() == Some(1) {
        return None;
    }
    map_of(&stencil.f.body, w)
}

/// The first `map` over `w` of a function that needs nothing that is defined around it, outside of all functions.
fn map_of<'a>(e: &'a Expr, w: &Param) -> Option<&'a Expr> {
    if let Some((f, xs)) = as_map(e)
        && matches!(xs.kind(), Kind::Param(p) if p == w)
    {
        return (occurrences(&f.body, w.id).count == 0).then_some(e);
    }
    match e.kind() {
        // Definitions would be left behind, and arms are perhaps not computed.
        Kind::Let(..) | Kind::If(..) => None,
        Kind::Prim(_, args) => args.iter().filter_map(Arg::data).find_map(|x| map_of(x, w)),
        _ => e.children().into_iter().find_map(|x| map_of(x, w)),
    }
}

pub static PASS_TO_LOCAL: Rule = Rule {
    name: "pass_to_local",
    about: "What windows are taken of is computed once, by all work-items of a group.",
    equation: "map^d(f) . slide^d(n, s) . map^d(g) = map^d(f) . slide^d(n, s) . to_local . map^d(g)",
    when: "for scalars; each part of a zip by itself",
    apply: |e, _| pass_to_local(e),
};

fn pass_to_local(e: &Expr) -> Option<Expr> {
    let stencil = Stencil::find(e)?;
    let is_computed = |input: &Input| {
        let (lens, element) = input.array.ty().shape();
        let computed = as_map(&input.array).is_some_and(|(g, _)| !is_view(&g.body));
        !input.windows.is_empty()
            && lens.len() == stencil.dims()
            && computed
            && matches!(element, Type::Scalar(_))
    };
    let computed: Vec<bool> = stencil.inputs.iter().map(is_computed).collect();
    computed.contains(&true).then(|| {
        stencil.with_inputs(|i, array| match computed[i] {
            true => Expr::store(Memory::Local, array.clone()),
            false => array.clone(),
        })
    })
}

/// Makes reductions of all elements of a window, in its function, which stands there, reductions of its rows.
pub fn by_row(d: &mut Derivation, function: &[usize]) {
    let rules = [&MAP_JOIN, &REDUCE_EACH_ROW];
    Strategy::any(&rules).once().repeat(2).at(function.to_vec()).apply(d);
    normal::strategy(Strategy::once).at(function.to_vec()).apply(d);
}
