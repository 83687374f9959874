//! Stencils: a function of every window of an array, in one, two or three dimensions.
//!
//! Overlapped tiling cuts the array into tiles that share a border, so that each tile holds everything its
//! windows need. The last tiles may stand over: the array is padded on the way in, and what is computed too
//! much is cut off on the way out. It therefore works for every length.

use crate::arith::{ArithExpr, Facts, Var};
use crate::ir::build::fresh_id;
use crate::ir::{Arg, Boundary, Expr, Lambda, Prim};
use crate::rewrite::layout::{as_map, is_parameter};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd;

/// A stencil `map^d(f) . slide^d(n, s) $ x`. Lists have one entry per dimension, outermost first.
#[derive(Debug, Clone)]
pub struct Stencil {
    /// The function of a window.
    pub f: Lambda,
    /// Sizes and steps of the windows.
    pub windows: Vec<(ArithExpr, ArithExpr)>,
    /// Numbers of windows.
    pub counts: Vec<ArithExpr>,
    /// The array.
    pub input: Expr,
}

impl Stencil {
    /// The stencil that `e` is, in as many dimensions as possible.
    pub fn find(e: &Expr) -> Option<Stencil> {
        [3, 2, 1].into_iter().find_map(|dims| Stencil::find_nd(dims, e))
    }

    /// The number of dimensions.
    pub fn dims(&self) -> usize {
        self.windows.len()
    }

    /// The number of elements of a window.
    pub fn points(&self) -> ArithExpr {
        self.windows.iter().map(|(size, _)| size.clone()).product()
    }

    fn find_nd(dims: usize, e: &Expr) -> Option<Stencil> {
        let (f, slid) = function_of_windows(dims, e)?;
        let (windows, input) = match dims {
            1 => {
                let (size, step, xs) = as_slide(slid)?;
                (vec![(size.clone(), step.clone())], xs)
            }
            _ => windows(dims, slid)?,
        };
        // In what was slid, numbers and sizes of windows alternate from the outside: first the number and
        // size in the outermost dimension, then the inner windows.
        let (shape, _) = slid.ty().shape();
        let counts = (0..dims).map(|i| shape[if i == 0 { 0 } else { i + 1 }].clone()).collect();
        Some(Stencil { f: f.clone(), windows, counts, input: input.clone() })
    }
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

/// Overlapped tiling. `T` is a new size per dimension, the number of results of a tile.
pub static OVERLAPPED_TILING: Rule = Rule {
    name: "overlapped_tiling",
    law: "map^d(f) . slide^d(n, s) = take^d(m) . join^d . map^d(map^d(f) . slide^d(n, s)) . slide^d(u, v) . \
          pad^d(0, e, clamp), for m windows, v = s * T, u = v + n - s and e = ceil(m / T) * v + n - s - len",
    apply: overlapped_tiling,
};

fn overlapped_tiling(e: &Expr, facts: &Facts) -> Option<Expr> {
    let Stencil { f, windows, counts, input } = Stencil::find(e)?;
    let dims = windows.len();
    let (lens, _) = input.ty().shape();
    let mut tiles = Vec::new();
    let mut amounts = Vec::new();
    // From the innermost dimension outwards, so that x comes first among the new variables.
    for i in (0..dims).rev() {
        let tile = ArithExpr::var(&Var::new(fresh_id(), TILE_NAMES[dims - 1 - i]));
        let (size, step) = &windows[i];
        let v = step * &tile;
        let halo = size - step;
        let e = counts[i].div_ceil(&tile) * &v + &halo - &lens[i];
        tiles.push((&v + &halo, v));
        amounts.push((ArithExpr::zero(), facts.simplify(&e)));
    }
    tiles.reverse();
    amounts.reverse();
    let padded = nd::pad_nd(&amounts, &Boundary::Clamp, input);
    let slid = nd::slide_nd(&tiles, padded);
    let element = (0..dims).try_fold(slid.ty(), |ty, _| Some(ty.as_array()?.0))?.clone();
    let tile = Lambda::unary("tile", element, |tile| nd::map_nd(dims, f, nd::slide_nd(&windows, tile)));
    let computed = map_tiles(dims, tile, slid);
    Some(nd::take_nd(&counts, nd::join_nd(dims, computed)))
}

fn map_tiles(dims: usize, f: Lambda, tiles: Expr) -> Expr {
    match dims {
        1 => Expr::map(f, tiles),
        _ => Expr::map_with("tiles", tiles, |tiles| map_tiles(dims - 1, f, tiles)),
    }
}
