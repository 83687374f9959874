//! Two passes with what is stored between them: all that a function needs of each row of its windows is computed once for every row.
//!
//! Windows may be those of several arrays, and what is needed may be several values. Reductions of windows come into this form because they may be
//! regrouped (`separable::REDUCE_EACH_ROW`).

use crate::arith::ArithExpr;
use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Param, Prim, Type};
use crate::rewrite::layout::{as_layout, as_map};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::{fresh, is_flat};
use crate::rewrite::rules::stencil::{Input, Stencil};
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::{occurrences, replace, same};

pub static ROWS_STORED: Rule = Rule {
    name: "rows_stored",
    about: "What a function needs of each row of its windows is computed once, in a launch of its own, for all windows of the same extents.",
    equation: "map^2(|(v, ..)| e[map(g, v), map(h, zip(v, ..)), ..]) $ zip^2(slide^2(n, s) $ x, ..) = map^2(|(v, .., c)| e[map(.0, join(c)), map(.1, join(c)), ..]) $ \
               zip^2(slide^2(n, s) $ x, .., slide^2(n1, s1, 1, 1) . materialize . map^2(|(l, ..)| (g(join(l)), h(join(l), ..), ..)) $ zip^2(slide^2(1, 1, n2, s2) $ x, \
               ..))",
    when: "in two and three dimensions; if g, h, .. give scalars or tuples and use nothing that is defined in the function; a window that is not used otherwise is left out",
    apply: |e, _| {
        let stencil = Stencil::find(e)?;
        let needs = needs(&stencil);
        (!needs.is_empty()).then(|| stored(&stencil, &needs))?
    },
};

/// What a function needs of each row of windows with the same extents.
pub struct Need {
    /// How many dimensions of windows lie around a row: two, if there are planes and rows of these are looked at.
    outer: usize,
    /// Of which inputs, in order.
    inputs: Vec<usize>,
    /// The values for a row, as they stand in the function: maps of the rows.
    values: Vec<Expr>,
}

impl Need {
    /// Numbers of elements that are read for an element of the result: of windows as they stand, and in two passes. What is stored between these is written, too.
    pub fn reads(&self, stencil: &Stencil) -> Option<[ArithExpr; 2]> {
        let extents = self.extents(stencil);
        let (outer, inner) = extents.split_at_checked(self.outer)?;
        let (rows, columns) =
            (outer.iter().cloned().product::<ArithExpr>(), inner.iter().cloned().product::<ArithExpr>());
        let leaves = |value: &Expr| Some(value.ty().as_array()?.0.leaves().len() as i64);
        let stored: i64 = self.values.iter().map(leaves).sum::<Option<i64>>()?;
        let of: i64 = self.values.iter().map(|value| self.of(stencil, value).len() as i64).sum();
        let whole = &rows * &columns * ArithExpr::cst(of);
        let apart = columns * ArithExpr::cst(of) + (rows + ArithExpr::one()) * ArithExpr::cst(stored);
        Some([whole, apart])
    }

    /// The extents of the windows.
    pub fn extents(&self, stencil: &Stencil) -> Vec<ArithExpr> {
        let windows = self.inputs.first().map(|input| stencil.inputs[*input].windows.iter());
        windows.into_iter().flatten().map(|(extent, _)| extent.clone()).collect()
    }

    /// Of which inputs a value is.
    fn of(&self, stencil: &Stencil, value: &Expr) -> Vec<usize> {
        as_map(value).and_then(|(_, rows)| windows(stencil, rows)).map(|(_, of)| of).unwrap_or_default()
    }
}

/// All that the function of a stencil in two or three dimensions needs of each row or plane of its windows, for each extents of windows.
pub fn needs(stencil: &Stencil) -> Vec<Need> {
    let mut found: Vec<Need> = Vec::new();
    if (2..=3).contains(&stencil.dims()) && stencil.f.params.len() == 1 {
        find(&stencil.f.body, stencil, &mut Vec::new(), &mut found);
    }
    found.iter_mut().for_each(|need| need.inputs.sort_unstable());
    found
}

/// The number of elements of windows and arrays that the function reads beside what it needs of rows.
pub fn left(stencil: &Stencil, needs: &[Need]) -> ArithExpr {
    reads(&stencil.f.body, stencil, needs)
}

fn reads(e: &Expr, stencil: &Stencil, needs: &[Need]) -> ArithExpr {
    let is_value = |value: &Expr| value.ty() == e.ty() && same(value, e);
    if needs.iter().flat_map(|need| &need.values).any(is_value) {
        return ArithExpr::zero();
    }
    if let Some(i) = input(stencil, e) {
        return stencil.inputs[i].windows.iter().map(|(size, _)| size.clone()).product();
    }
    if let (Some((Prim::At, [Arg::Data(_), Arg::Data(xs)])), Type::Scalar(_)) = (e.as_prim(), e.ty())
        && reads_window(xs, stencil)
    {
        return ArithExpr::one();
    }
    e.children().into_iter().map(|x| reads(x, stencil, needs)).fold(ArithExpr::zero(), |sum, n| sum + n)
}

/// Whether this is a window, or a part of one that an index picks.
fn reads_window(e: &Expr, stencil: &Stencil) -> bool {
    match e.as_prim() {
        Some((Prim::At, [_, Arg::Data(xs)])) => reads_window(xs, stencil),
        _ => input(stencil, e).is_some(),
    }
}

fn find<'a>(e: &'a Expr, stencil: &Stencil, bound: &mut Vec<&'a Param>, found: &mut Vec<Need>) {
    if let Some((g, rows)) = as_map(e)
        && let Some((outer, of)) = windows(stencil, rows)
    {
        let is_closed = |p: &Param| occurrences(&g.body, p.id).count == 0;
        if is_flat(g.body.ty()) && stencil.f.params.iter().chain(bound.iter().copied()).all(is_closed) {
            add(e, outer, of, stencil, found);
        }
        return;
    }
    match e.kind() {
        Kind::Let(x, value, rest) => {
            find(value, stencil, bound, found);
            bound.push(x);
            find(rest, stencil, bound, found);
            bound.pop();
        }
        // Arms are perhaps not computed.
        Kind::If(test, ..) => find(test, stencil, bound, found),
        Kind::Prim(_, args) => args.iter().filter_map(Arg::data).for_each(|x| find(x, stencil, bound, found)),
        _ => e.children().into_iter().for_each(|x| find(x, stencil, bound, found)),
    }
}

/// Notes a value that is needed, once.
fn add(e: &Expr, outer: usize, of: Vec<usize>, stencil: &Stencil, found: &mut Vec<Need>) {
    let alike = |a: &Input, b: &Input| {
        let points = |input: &Input| input.array.ty().shape().0[..stencil.dims()].to_vec();
        a.windows == b.windows && points(a) == points(b)
    };
    let first = &stencil.inputs[of[0]];
    if !of.iter().all(|i| alike(&stencil.inputs[*i], first)) {
        return;
    }
    let fits = |need: &Need| need.outer == outer && alike(&stencil.inputs[need.inputs[0]], first);
    let known = found.iter().position(fits);
    let need = match known {
        Some(i) => &mut found[i],
        None => {
            found.push(Need { outer, inputs: Vec::new(), values: Vec::new() });
            let last = found.len() - 1;
            &mut found[last]
        }
    };
    for input in of {
        if !need.inputs.contains(&input) {
            need.inputs.push(input);
        }
    }
    if !need.values.iter().any(|value| value.ty() == e.ty() && same(value, e)) {
        need.values.push(e.clone());
    }
}

/// The inputs whose windows these rows, or planes, are: of one, or of several in a `zip`; and how many dimensions of windows lie around a row. No window that is one row.
fn windows(stencil: &Stencil, rows: &Expr) -> Option<(usize, Vec<usize>)> {
    let parts: Vec<&Expr> = match rows.as_prim() {
        Some((Prim::Zip, parts)) => parts.iter().map(Arg::data).collect::<Option<_>>()?,
        _ => vec![rows],
    };
    let joined = |part: &Expr| as_layout(part, Prim::Join).and_then(|rows| input(stencil, rows));
    let of_part = |part: &Expr| match input(stencil, part) {
        Some(i) => Some((1, i)),
        None => joined(part).filter(|_| stencil.dims() == 3).map(|i| (2, i)),
    };
    let found: Vec<(usize, usize)> = parts.into_iter().map(of_part).collect::<Option<_>>()?;
    let outer = found.first()?.0;
    let is_high = |(own, i): &(usize, usize)| {
        let windows = &stencil.inputs[*i].windows;
        let is_one = |(size, _): &(ArithExpr, ArithExpr)| size.as_const() == Some(1);
        *own == outer && windows.len() == stencil.dims() && !windows[..outer].iter().all(is_one)
    };
    found.iter().all(is_high).then(|| (outer, found.into_iter().map(|(_, i)| i).collect()))
}

/// Which input an expression is.
fn input(stencil: &Stencil, e: &Expr) -> Option<usize> {
    let [w] = stencil.f.params.as_slice() else { return None };
    match e.kind() {
        Kind::Param(p) if p == w && stencil.of_one_array().is_some() => Some(0),
        Kind::Field(x, i) if stencil.of_one_array().is_none() => match x.kind() {
            Kind::Param(p) if p == w => Some(*i),
            _ => None,
        },
        _ => None,
    }
}

/// The program of two passes.
fn stored(stencil: &Stencil, needs: &[Need]) -> Option<Expr> {
    let passes: Vec<Expr> = needs.iter().map(|need| pass(stencil, need)).collect::<Option<_>>()?;
    // What is put in place of values and inputs are the fields of a new parameter, whose type is known when it is known which inputs are left.
    let hole = |ty| Param::new("c", ty);
    let dims = stencil.dims();
    let mut body = stencil.f.body.clone();
    let mut columns = Vec::new();
    for (need, pass) in needs.iter().zip(&passes) {
        let column = hole(nd::element(dims, pass)?);
        for (k, value) in need.values.iter().enumerate() {
            // One value for each row, in as many dimensions as windows have.
            let joined = (1..dims).fold(Expr::param(&column), |column, _| Expr::join(column));
            let own = match need.values.len() {
                1 => joined,
                _ => Expr::map_with("row", joined, |row| Expr::field(row, k)),
            };
            body = replace_all(&body, value, &own);
        }
        columns.push(column);
    }
    let mut inputs: Vec<(Param, Expr)> = Vec::new();
    for (i, own) in stencil.inputs.iter().enumerate() {
        let slid = own.slid_nd();
        let hole = hole(nd::element(dims, &slid)?);
        let left = with_input(&body, stencil, i, &Expr::param(&hole));
        if !same(&left, &body) {
            inputs.push((hole, slid));
            body = left;
        }
    }
    inputs.extend(columns.into_iter().zip(passes));
    // A value may be needed several times.
    let body = body.refresh();
    // The whole of what is zipped, which belongs to no input.
    if stencil.f.params.iter().any(|w| occurrences(&body, w.id).count > 0) {
        return None;
    }
    if let [(hole, slid)] = inputs.as_slice() {
        return Some(nd::map_nd(dims, Lambda { params: vec![hole.clone()], body }, slid.clone()));
    }
    let (holes, slid): (Vec<Param>, Vec<Expr>) = inputs.into_iter().unzip();
    let zipped = nd::zip_nd(dims, slid);
    let f = Lambda::unary("x", nd::element(dims, &zipped)?, |x| {
        holes
            .iter()
            .enumerate()
            .fold(body, |body, (i, hole)| replace(&body, hole.id, &Expr::field(x.clone(), i)))
    });
    Some(nd::map_nd(dims, f, zipped))
}

/// The expression with another one in place of an input.
fn with_input(e: &Expr, stencil: &Stencil, i: usize, by: &Expr) -> Expr {
    match input(stencil, e) {
        Some(own) if own == i => by.clone(),
        Some(_) => e.clone(),
        None => e.map_children(&mut |x| with_input(x, stencil, i, by)),
    }
}

/// The columns of what is needed of rows, for each window.
fn pass(stencil: &Stencil, need: &Need) -> Option<Expr> {
    let dims = stencil.dims();
    let windows_of = |i: usize| stencil.inputs[i].windows.split_at_checked(need.outer);
    let (around, inner) = windows_of(need.inputs[0])?;
    let one = |n: usize| vec![(ArithExpr::one(), ArithExpr::one()); n];
    let of_lines = [one(around.len()), inner.to_vec()].concat();
    let lines = |i: &usize| nd::slide_nd(&of_lines, stencil.inputs[*i].array.clone());
    let mut lines: Vec<Expr> = need.inputs.iter().map(lines).collect();
    let is_zipped = lines.len() > 1;
    let lines = if is_zipped { nd::zip_nd(dims, lines) } else { lines.swap_remove(0) };
    let line = Param::new("line", nd::element(dims, &lines)?);
    let row = |i: &usize| {
        let place = need.inputs.iter().position(|own| own == i).filter(|_| is_zipped);
        let own = place.map_or_else(|| Expr::param(&line), |place| Expr::field(Expr::param(&line), place));
        around.iter().fold(own, |own, _| Expr::join(own))
    };
    let value = |value: &Expr| {
        let (g, rows) = as_map(value)?;
        let parts = windows(stencil, rows)?.1.iter().map(row).collect();
        let own = if is_zip(rows) { Expr::tuple(parts) } else { parts.into_iter().next()? };
        let g = fresh(g);
        let [row] = g.params.as_slice() else { return None };
        Some(Expr::let_(row.clone(), own, g.body.clone()))
    };
    let mut values: Vec<Expr> = need.values.iter().map(value).collect::<Option<_>>()?;
    let body = if values.len() > 1 { Expr::tuple(values) } else { values.swap_remove(0) };
    let stored = Expr::store(Memory::Temporary, nd::map_nd(dims, Lambda { params: vec![line], body }, lines));
    Some(nd::slide_nd(&[around.to_vec(), one(inner.len())].concat(), stored))
}

fn is_zip(e: &Expr) -> bool {
    matches!(e.as_prim(), Some((Prim::Zip, _)))
}
