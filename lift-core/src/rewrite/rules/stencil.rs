//! Stencils: a function of every window of an array, in one, two or three dimensions.
//!
//! Overlapped tiling cuts the array into tiles that share a border, so that each tile holds everything its
//! windows need. The last tiles may stand over: the array is padded on the way in, and what is computed too
//! much is cut off on the way out. It therefore works for every length.

use std::collections::BTreeSet;

use crate::arith::ArithExpr;
use crate::ir::{Arg, Boundary, Expr, Fold, Kind, Lambda, Place, Prim, Type};
use crate::rewrite::demand::as_size;
use crate::rewrite::layout::{as_map, is_parameter};
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::nd;
use crate::rewrite::scope::{occurrences, replace};

/// A stencil `map^d(f) . slide^d(n, s) $ x`, or `map^d(f) $ zip^d(..)` of several arrays and windows of arrays. Lists
/// have one entry per dimension, outermost first.
#[derive(Debug, Clone)]
pub struct Stencil {
    /// The function of a window, or of what the inputs give together.
    pub f: Lambda,
    /// Numbers of windows.
    pub counts: Vec<ArithExpr>,
    /// What it works on: one, or the parts of the `zip`.
    pub inputs: Vec<Input>,
    /// Whether there is a `zip`.
    pub(super) is_zipped: bool,
}

/// An array, and how it is read.
#[derive(Debug, Clone)]
pub struct Input {
    /// Sizes and steps of its windows; none if it is read element by element.
    pub windows: Vec<(ArithExpr, ArithExpr)>,
    /// The array.
    pub array: Expr,
}

impl Stencil {
    /// The stencil that `e` is, in as many dimensions as possible. With windows if possible: otherwise it is a function of
    /// elements alone.
    pub fn find(e: &Expr) -> Option<Stencil> {
        let of_windows = [3, 2, 1].into_iter().filter_map(|dims| Stencil::find_nd(dims, e));
        let found = of_windows.into_iter().find(Stencil::has_windows);
        found.or_else(|| [3, 2, 1].into_iter().find_map(|dims| Stencil::of_elements(dims, e)))
    }

    /// The number of dimensions.
    pub fn dims(&self) -> usize {
        self.counts.len()
    }

    /// What it works on, if that is one array.
    pub fn of_one_array(&self) -> Option<&Input> {
        self.inputs.first().filter(|_| !self.is_zipped)
    }

    /// The number of elements of all windows.
    pub fn points(&self) -> ArithExpr {
        let points =
            |input: &Input| input.windows.iter().map(|(size, _)| size.clone()).product::<ArithExpr>();
        self.inputs.iter().map(points).fold(ArithExpr::zero(), |sum, points| sum + points)
    }

    /// The number of elements that are read: those that are named one by one, or all of the windows.
    pub fn reads(&self) -> ArithExpr {
        self.named().map_or_else(|| self.points(), ArithExpr::cst)
    }

    /// The number of scalars that are read, if each of them is named.
    pub fn named(&self) -> Option<i64> {
        let mut named = BTreeSet::new();
        elements(&self.f.body, &self.f, &mut named).then_some(named.len() as i64)
    }

    /// Whether it is a function of windows.
    pub fn has_windows(&self) -> bool {
        self.inputs.iter().any(|input| !input.windows.is_empty())
    }

    /// The same function of the same windows of other arrays.
    pub(super) fn with_inputs(&self, of: impl Fn(usize, &Expr) -> Expr) -> Expr {
        let slid = |(i, input): (usize, &Input)| match input.windows.as_slice() {
            [] => of(i, &input.array),
            windows => nd::slide_nd(windows, of(i, &input.array)),
        };
        let mut parts: Vec<Expr> = self.inputs.iter().enumerate().map(slid).collect();
        let dims = self.dims();
        let xs = if self.is_zipped { nd::zip_nd(dims, parts) } else { parts.swap_remove(0) };
        nd::map_nd(dims, self.f.clone(), xs)
    }

    fn find_nd(dims: usize, e: &Expr) -> Option<Stencil> {
        if let Some((f, xs)) = nest(dims, e)
            && let Some(parts) = nd::zip_of(dims, xs)
        {
            let inputs = parts.into_iter().map(|part| Input::of(dims, part)).collect();
            let counts = xs.ty().shape().0[..dims].to_vec();
            return Some(Stencil { f: f.clone(), counts, inputs, is_zipped: true });
        }
        let (f, slid) = function_of_windows(dims, e)?;
        let input = Input::slid(dims, slid)?;
        // In what was slid, numbers and sizes of windows alternate from the outside: first the number and
        // size in the outermost dimension, then the inner windows.
        let (shape, _) = slid.ty().shape();
        let counts = (0..dims).map(|i| shape[if i == 0 { 0 } else { i + 1 }].clone()).collect();
        Some(Stencil { f: f.clone(), counts, inputs: vec![input], is_zipped: false })
    }

    /// A function of the elements of one array.
    fn of_elements(dims: usize, e: &Expr) -> Option<Stencil> {
        let zipped = Stencil::find_nd(dims, e).filter(|stencil| stencil.is_zipped);
        zipped.or_else(|| {
            let (f, xs) = nest(dims, e)?;
            let counts = xs.ty().shape().0[..dims].to_vec();
            let input = Input { windows: Vec::new(), array: xs.clone() };
            Some(Stencil { f: f.clone(), counts, inputs: vec![input], is_zipped: false })
        })
    }
}

impl Input {
    /// What a part of a `zip` is.
    fn of(dims: usize, part: &Expr) -> Input {
        let plain = || Input { windows: Vec::new(), array: part.clone() };
        let slid = match dims {
            1 => Some(part),
            _ => as_map(part).filter(|(order, _)| nd::is_inwards(order, dims - 1)).map(|(_, slid)| slid),
        };
        slid.and_then(|slid| Input::slid(dims, slid)).unwrap_or_else(plain)
    }

    /// Windows before their dimensions are put into order.
    fn slid(dims: usize, slid: &Expr) -> Option<Input> {
        let (windows, array) = match dims {
            1 => {
                let (size, step, xs) = as_slide(slid)?;
                (vec![(size.clone(), step.clone())], xs)
            }
            _ => windows(dims, slid)?,
        };
        Some(Input { windows, array: array.clone() })
    }

    /// Its windows, or the array that is read element by element.
    pub(super) fn slid_nd(&self) -> Expr {
        match self.windows.as_slice() {
            [] => self.array.clone(),
            windows => nd::slide_nd(windows, self.array.clone()),
        }
    }

    /// Size and step of the windows in a dimension.
    fn window(&self, dim: usize) -> (ArithExpr, ArithExpr) {
        self.windows.get(dim).cloned().unwrap_or_else(|| (ArithExpr::one(), ArithExpr::one()))
    }
}

/// The elements of parameters of `f` that `e` reads by numbers, such as `w[0][1]`. `false` if arrays of them are used in another way.
pub(super) fn elements(e: &Expr, f: &Lambda, found: &mut BTreeSet<Vec<i64>>) -> bool {
    if let Some(element) = element_of(e, f) {
        if matches!(e.ty(), Type::Scalar(_)) {
            found.insert(element);
        }
        return matches!(e.ty(), Type::Scalar(_));
    }
    e.children().into_iter().all(|x| elements(x, f, found))
}

/// Which parameter of `f`, and what in it.
pub(super) fn element_of(e: &Expr, f: &Lambda) -> Option<Vec<i64>> {
    match e.kind() {
        Kind::Param(param) => Some(vec![f.params.iter().position(|p| p == param)? as i64]),
        Kind::Field(x, i) => Some([element_of(x, f)?, vec![*i as i64]].concat()),
        Kind::Prim(Prim::At, args) => match args.as_slice() {
            [Arg::Data(i), Arg::Data(xs)] => {
                Some([element_of(xs, f)?, vec![as_size(i)?.as_const()?]].concat())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The function that so many nested maps apply, and the array: `map(|row| map(f, row), xs)`.
fn nest(dims: usize, e: &Expr) -> Option<(&Lambda, &Expr)> {
    let (outer, xs) = as_map(e)?;
    let mut f = outer;
    for _ in 1..dims {
        let (inner, row) = as_map(&f.body)?;
        if !is_parameter(row, f) || !is_independent(inner, f) {
            return None;
        }
        f = inner;
    }
    Some((f, xs))
}

/// `f` and the windows before their dimensions are put into order, if `e` is `map^d(f)` of such. The maps
/// that order them may stand apart, as in the prelude, or be fused with the outer maps of `f`.
fn function_of_windows(dims: usize, e: &Expr) -> Option<(&Lambda, &Expr)> {
    // The nest of maps, and how many of them read their argument in another order.
    let (outer, xs) = as_map(e)?;
    let mut f = outer;
    let mut orders = Vec::new();
    for depth in 1..dims {
        let (inner, argument) = as_map(&f.body)?;
        // 0: as it is; k: with the window's dimension moved k inwards.
        let moved = (0..=dims - depth).find(|k| {
            let source = if *k == 0 { Some(argument) } else { nd::inwards_of(argument, *k) };
            source.is_some_and(|x| is_parameter(x, f))
        })?;
        if !is_independent(inner, f) {
            return None;
        }
        orders.push(moved);
        f = inner;
    }
    if orders.iter().all(|k| *k == 0) {
        if dims == 1 {
            return Some((f, xs));
        }
        let (order, slid) = as_map(xs)?;
        return nd::is_inwards(order, dims - 1).then_some((f, slid));
    }
    // Either all at once in the outermost function, or one step in every function but the last.
    let at_once = orders[0] == dims - 1 && orders[1..].iter().all(|k| *k == 0);
    let stepwise = orders.iter().all(|k| *k == 1);
    (at_once || stepwise).then_some((f, xs))
}

/// Whether a function inside of another does not use what that is applied to.
fn is_independent(inner: &Lambda, outer: &Lambda) -> bool {
    outer.params.iter().all(|param| occurrences(&inner.body, param.id).count == 0)
}

/// Windows and input, if `e` is `slide(n, s, map(|row| slide^(d-1)(row), x))`.
fn windows(dims: usize, e: &Expr) -> Option<(Vec<(ArithExpr, ArithExpr)>, &Expr)> {
    let (size, step, rows) = as_slide(e)?;
    let (f, input) = as_map(rows)?;
    let (inner, row) = match dims {
        2 => {
            let (size, step, row) = as_slide(&f.body)?;
            (vec![(size.clone(), step.clone())], row)
        }
        _ => {
            let (order, slid) = as_map(&f.body)?;
            let (inner, row) = windows(dims - 1, slid)?;
            nd::is_inwards(order, dims - 2).then_some((inner, row))?
        }
    };
    let mut windows = vec![(size.clone(), step.clone())];
    windows.extend(inner);
    is_parameter(row, f).then_some((windows, input))
}

fn as_slide(e: &Expr) -> Option<(&ArithExpr, &ArithExpr, &Expr)> {
    match e.as_prim() {
        Some((Prim::Slide, [Arg::Size(size), Arg::Size(step), Arg::Data(xs)])) => Some((size, step, xs)),
        _ => None,
    }
}

/// Names of the tile sizes, innermost dimension first.
pub const TILE_NAMES: [&str; 3] = ["TILE_X", "TILE_Y", "TILE_Z"];

/// A new size per dimension, the innermost first among the new variables.
pub(super) fn new_tiles(cx: &Context, dims: usize) -> Vec<ArithExpr> {
    let mut tiles: Vec<ArithExpr> = TILE_NAMES[..dims].iter().map(|name| cx.size(name)).collect();
    tiles.reverse();
    tiles
}

pub static OVERLAPPED_TILING: Rule = Rule {
    name: "overlapped_tiling",
    about: "Overlapped tiling. `T` is a new size per dimension, the number of results of a tile.",
    equation: "map^d(f) . slide^d(n, s) = take^d(m) . join^d . map^d(map^d(f) . slide^d(n, s)) . slide^d(u, v) . pad^d(0, e, clamp)",
    when: "for m windows, v = s * T, u = v + n - s and e = ceil(m / T) * v + n - s - len; each part of a zip by itself, with n = s = 1 for elements",
    apply: overlapped_tiling,
};

fn overlapped_tiling(e: &Expr, cx: &Context) -> Option<Expr> {
    let Stencil { f, counts, inputs, is_zipped } = Stencil::find(e)?;
    let dims = counts.len();
    let tiles = new_tiles(cx, dims);
    let slid = |input: &Input| {
        let (lens, _) = input.array.ty().shape();
        let (mut windows, mut amounts) = (Vec::new(), Vec::new());
        for i in 0..dims {
            let (size, step) = input.window(i);
            let v = &step * &tiles[i];
            let halo = size - step;
            let e = counts[i].div_ceil(&tiles[i]) * &v + &halo - &lens[i];
            windows.push((&v + &halo, v));
            amounts.push((ArithExpr::zero(), cx.facts.simplify(&e)));
        }
        nd::slide_nd(&windows, nd::pad_nd(&amounts, &Boundary::Fold(Fold::Clamp), input.array.clone()))
    };
    let parts: Vec<Expr> = inputs.iter().map(slid).collect();
    let tiled = if is_zipped { nd::zip_nd(dims, parts) } else { parts.into_iter().next()? };
    let tile = nd::element(dims, &tiled)?;
    let inner = Lambda::unary("tile", tile, |tile| again(dims, f, &inputs, is_zipped, &tile));
    Some(nd::take_nd(&counts, nd::join_nd(dims, map_tiles(dims, inner, tiled))))
}

/// The same stencil on parts of its inputs.
fn again(dims: usize, f: Lambda, inputs: &[Input], is_zipped: bool, part: &Expr) -> Expr {
    let slid = |input: &Input, part: Expr| match input.windows.as_slice() {
        [] => part,
        windows => nd::slide_nd(windows, part),
    };
    let parts = inputs.iter().enumerate().map(|(i, input)| match is_zipped {
        true => slid(input, Expr::field(part.clone(), i)),
        false => slid(input, part.clone()),
    });
    let mut parts: Vec<Expr> = parts.collect();
    let xs = if parts.len() == 1 && !is_zipped { parts.swap_remove(0) } else { nd::zip_nd(dims, parts) };
    nd::map_nd(dims, f, xs)
}

pub static WHOLE_BLOCKS: Rule = Rule {
    name: "whole_blocks",
    about: "As many elements as are whole blocks, and the rest: nothing in a block has to look whether it is the last one. `T` is the new size, of a block.",
    equation: "map(f) . slide(n, 1) $ x = concat(map(f) . slide(n, 1) . take(m + n - 1) $ x, map(f) . slide(n, 1) . drop(m) $ x)",
    when: "in one dimension, for m = T * (k / T) of k windows; each part of a zip by itself, with n = 1 for elements",
    apply: |e, cx| {
        let stencil = Stencil::find(e).filter(|stencil| stencil.dims() == 1)?;
        if stencil.inputs.iter().any(|input| input.window(0).1.as_const() != Some(1)) {
            return None;
        }
        let count = stencil.counts.first().filter(|count| count.as_const() != Some(0))?;
        let block = cx.size(TILE_NAMES[0]);
        let whole = &block * count.div(&block);
        let first = stencil.with_inputs(|i, array| {
            let (size, _) = stencil.inputs[i].window(0);
            Expr::take(&whole + size - 1, array.clone())
        });
        let rest = stencil.with_inputs(|_, array| Expr::drop(whole.clone(), array.clone()));
        Some(Expr::prim(Prim::Concat, vec![Arg::Data(cx.focus(first)), Arg::Data(cx.focus(rest.refresh()))]))
    },
};

pub static MARCH: Rule = Rule {
    name: "march",
    about: "Marching: one work-item goes through the outermost dimension, and a window moves along.",
    equation: "map^d(f) . slide^d(n, s) = join . map_seq(map^d(f) . slide^d(n, s)) . slide_seq(n1, s1)",
    when: "for a number n1, the extent of windows in the outermost dimension; elements of a zip come by split(1)",
    apply: |e, _| march(e),
};

fn march(e: &Expr) -> Option<Expr> {
    let stencil = Stencil::find(e)?;
    let dims = stencil.dims();
    let Stencil { f, counts, inputs, is_zipped } = stencil;
    let moving = inputs.iter().filter(|input| !input.windows.is_empty());
    let numbers = moving.clone().all(|input| {
        let (size, step) = input.window(0);
        size.as_const().is_some() && step.as_const().is_some()
    });
    if moving.count() == 0 || !numbers || counts[0].as_const() == Some(1) {
        return None;
    }
    let rows = |input: &Input| match input.windows.first() {
        Some((size, step)) => Expr::prim(
            Prim::SlideSeq,
            vec![Arg::Size(size.clone()), Arg::Size(step.clone()), Arg::Data(input.array.clone())],
        ),
        None => Expr::split(ArithExpr::one(), input.array.clone()),
    };
    let parts: Vec<Expr> = inputs.iter().map(rows).collect();
    let all = if is_zipped { nd::zip_nd(1, parts) } else { parts.into_iter().next()? };
    let inner = Lambda::unary("w", nd::element(1, &all)?, |w| again(dims, f, &inputs, is_zipped, &w));
    Some(Expr::join(Expr::map_in(Place::Sequential, inner, all)))
}

/// Two neighbouring dimensions change places, by the outer one of the two.
pub static INTERCHANGE: [Rule; 2] = [
    Rule {
        name: "interchange",
        about: "The first two dimensions change places, so that another one becomes the outermost, for a loop to go along.",
        equation: "map^d(f) . slide^d(n, s) = transpose . map^d(f . transpose) . slide^d(n', s') . transpose",
        when: "for d > 1, where n' and s' are n and s with the first two exchanged; each part of a zip by itself",
        apply: |e, _| interchange(e, 0),
    },
    Rule {
        name: "interchange(1)",
        about: "The second and the third dimension change places.",
        equation: "map^d(f) . slide^d(n, s) = t . map^d(f . t) . slide^d(n', s') . t",
        when: "for d > 2, where t = map(transpose), and n' and s' are n and s with the second and the third exchanged; each part of a zip by itself",
        apply: |e, _| interchange(e, 1),
    },
];

fn interchange(e: &Expr, outer: usize) -> Option<Expr> {
    let Stencil { f, counts, inputs, is_zipped } = Stencil::find(e)?;
    let dims = counts.len();
    let [param] = f.params.as_slice() else { return None };
    if dims < outer + 2 {
        return None;
    }
    let exchanged = inputs.iter().map(|input| {
        let mut windows = input.windows.clone();
        if !windows.is_empty() {
            windows.swap(outer, outer + 1);
        }
        Input { windows, array: nd::transpose_below(outer, input.array.clone()) }
    });
    let exchanged: Vec<Input> = exchanged.collect();
    let mut parts: Vec<Expr> = exchanged.iter().map(Input::slid_nd).collect();
    let all = if is_zipped { nd::zip_nd(dims, parts) } else { parts.swap_remove(0) };
    // A window as it was.
    let back =
        |input: &Input, w: Expr| if input.windows.is_empty() { w } else { nd::transpose_below(outer, w) };
    let inner = Lambda::unary(&param.name, nd::element(dims, &all)?, |w| {
        let own = match is_zipped {
            true => Expr::tuple(
                inputs.iter().enumerate().map(|(i, input)| back(input, Expr::field(w.clone(), i))).collect(),
            ),
            false => back(&inputs[0], w),
        };
        replace(&f.body, param.id, &own)
    });
    Some(nd::transpose_below(outer, nd::map_nd(dims, inner, all)))
}

fn map_tiles(dims: usize, f: Lambda, tiles: Expr) -> Expr {
    match dims {
        1 => Expr::map(f, tiles),
        _ => Expr::map_with("tiles", tiles, |tiles| map_tiles(dims - 1, f, tiles)),
    }
}
