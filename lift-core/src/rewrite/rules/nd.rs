//! The primitives in several dimensions, in exactly the shapes in which the prelude defines them.
//!
//! Dimensions are written outermost first.

use crate::arith::ArithExpr;
use crate::ir::{Arg, Boundary, Expr, Kind, Lambda, Prim, Type};
use crate::rewrite::layout::{as_layout, as_map, is_parameter};

/// Names of variables for rows of so many dimensions.
fn row_name(dims: usize) -> &'static str {
    match dims {
        1 => "x",
        2 => "row",
        _ => "plane",
    }
}

/// `map(map(… f))`
pub fn map_nd(dims: usize, f: Lambda, xs: Expr) -> Expr {
    match dims {
        1 => Expr::map(f, xs),
        _ => Expr::map_with(row_name(dims), xs, |row| map_nd(dims - 1, f, row)),
    }
}

/// The type of the elements in so many dimensions.
pub fn element(dims: usize, xs: &Expr) -> Option<Type> {
    (0..dims).try_fold(xs.ty(), |ty, _| Some(ty.as_array()?.0)).cloned()
}

/// Copies every element: `map(map(… |x| x))`.
pub fn copy_nd(dims: usize, xs: Expr) -> Expr {
    match dims {
        0 => xs,
        _ => Expr::map_with(row_name(dims), xs, |row| copy_nd(dims - 1, row)),
    }
}

/// `slide(size, step)`, `slide2d`, `slide3d`: windows of the given sizes and steps.
pub fn slide_nd(windows: &[(ArithExpr, ArithExpr)], xs: Expr) -> Expr {
    let ((size, step), inner) = (windows[0].clone(), &windows[1..]);
    if inner.is_empty() {
        return Expr::slide(size, step, xs);
    }
    let rows = Expr::map_with(row_name(windows.len()), xs, |row| slide_nd(inner, row));
    Expr::map_with("w", Expr::slide(size, step, rows), |w| inwards(inner.len(), w))
}

/// Moves the outermost dimension below the next `dims`.
pub fn inwards(dims: usize, xs: Expr) -> Expr {
    match dims {
        1 => Expr::transpose(xs),
        _ => Expr::map_with("p", Expr::transpose(xs), |p| inwards(dims - 1, p)),
    }
}

/// Moves the dimension below the outermost `dims` to the outside.
pub fn outwards(dims: usize, xs: Expr) -> Expr {
    match dims {
        0 => xs,
        1 => Expr::transpose(xs),
        _ => Expr::transpose(Expr::map_with("p", xs, |p| outwards(dims - 1, p))),
    }
}

/// Exchanges the two dimensions below the outermost `dims`.
pub fn transpose_below(dims: usize, xs: Expr) -> Expr {
    match dims {
        0 => Expr::transpose(xs),
        _ => Expr::map_with("p", xs, |p| transpose_below(dims - 1, p)),
    }
}

/// `join`, `join2d`, `join3d`: an array of tiles to an array.
pub fn join_nd(dims: usize, xs: Expr) -> Expr {
    if dims == 1 {
        return Expr::join(xs);
    }
    let tiles = Expr::map_with("tiles", xs, |tiles| outwards(dims - 1, tiles));
    Expr::map_with(row_name(dims), Expr::join(tiles), |row| join_nd(dims - 1, row))
}

/// `pad`, `pad2d`, `pad3d` with amounts before and after in every dimension.
pub fn pad_nd(amounts: &[(ArithExpr, ArithExpr)], boundary: &Boundary, xs: Expr) -> Expr {
    let ((l, r), inner) = (amounts[0].clone(), &amounts[1..]);
    let rows = match inner {
        [] => xs,
        _ => Expr::map_with(row_name(amounts.len()), xs, |row| pad_nd(inner, boundary, row)),
    };
    Expr::pad(l, r, boundary.clone(), rows)
}

/// `pad` in every dimension, with boundaries of its own for each.
pub fn pad_each(amounts: &[(ArithExpr, ArithExpr, Boundary)], xs: Expr) -> Expr {
    let Some(((l, r, boundary), inner)) = amounts.split_first() else { return xs };
    let rows = match inner {
        [] => xs,
        inner => Expr::map_with("row", xs, |row| pad_each(inner, row)),
    };
    Expr::pad(l.clone(), r.clone(), boundary.clone(), rows)
}

/// How much is added before and after in a dimension, and what; no boundary where nothing is.
pub type Padding = (ArithExpr, ArithExpr, Option<Boundary>);

/// What is padded in so many dimensions, and how in each.
pub fn unpadded(dims: usize, e: &Expr) -> (Vec<Padding>, &Expr) {
    let none = || (ArithExpr::zero(), ArithExpr::zero(), None);
    let (own, rows) = match e.as_prim() {
        Some((Prim::Pad, [Arg::Size(l), Arg::Size(r), Arg::Boundary(b), Arg::Data(xs)])) => {
            ((l.clone(), r.clone(), Some(b.clone())), xs)
        }
        _ => (none(), e),
    };
    if dims > 1
        && let Some((f, xs)) = as_map(rows)
    {
        let (inner, row) = unpadded(dims - 1, &f.body);
        if is_parameter(row, f) {
            return (std::iter::once(own).chain(inner).collect(), xs);
        }
    }
    (std::iter::once(own).chain(std::iter::repeat_with(none).take(dims - 1)).collect(), rows)
}

/// So many elements after the first so many, in the outermost dimensions.
pub fn part_of(amounts: &[(ArithExpr, ArithExpr)], xs: Expr) -> Expr {
    let Some(((from, len), inner)) = amounts.split_first() else { return xs };
    let rows = match inner {
        [] => xs,
        inner => Expr::map_with("row", xs, |row| part_of(inner, row)),
    };
    Expr::take(len.clone(), Expr::drop(from.clone(), rows))
}

/// `unzip`, `unzip2d`, `unzip3d`
pub fn unzip_nd(dims: usize, xs: Expr) -> Expr {
    let rows = match dims {
        1 => xs,
        _ => Expr::map_with(row_name(dims), xs, |row| unzip_nd(dims - 1, row)),
    };
    Expr::prim(Prim::Unzip, vec![Arg::Data(rows)])
}

/// `take` in every dimension.
pub fn take_nd(lens: &[ArithExpr], xs: Expr) -> Expr {
    let rows = match &lens[1..] {
        [] => xs,
        inner => Expr::map_with(row_name(lens.len()), xs, |row| take_nd(inner, row)),
    };
    Expr::take(lens[0].clone(), rows)
}

/// `zip`, `zip2d`, `zip3d`
pub fn zip_nd(dims: usize, parts: Vec<Expr>) -> Expr {
    let arity = parts.len();
    let zipped = Expr::prim(Prim::Zip, parts.into_iter().map(Arg::Data).collect());
    match dims {
        1 => zipped,
        _ => Expr::map_with("rows", zipped, |rows| {
            zip_nd(dims - 1, (0..arity).map(|i| Expr::field(rows.clone(), i)).collect())
        }),
    }
}

/// The parts, if `e` is a `zip` in so many dimensions.
pub fn zip_of(dims: usize, e: &Expr) -> Option<Vec<&Expr>> {
    if dims == 1 {
        let (Prim::Zip, args) = e.as_prim()? else { return None };
        return args.iter().map(Arg::data).collect();
    }
    let (f, rows) = as_map(e)?;
    let in_order = zip_of(dims - 1, &f.body)?
        .into_iter()
        .enumerate()
        .all(|(i, part)| matches!(part.kind(), Kind::Field(x, field) if i == *field && is_parameter(x, f)));
    let parts = zip_of(1, rows)?;
    (in_order && parts.len() == zip_of(dims - 1, &f.body)?.len()).then_some(parts)
}

/// Is this the function `|w| inwards(dims, w)`?
pub fn is_inwards(f: &Lambda, dims: usize) -> bool {
    inwards_of(&f.body, dims).is_some_and(|xs| is_parameter(xs, f))
}

/// `xs`, if `e` is `inwards(dims, xs)`.
pub fn inwards_of(e: &Expr, dims: usize) -> Option<&Expr> {
    if dims == 1 {
        return as_layout(e, Prim::Transpose);
    }
    let (f, transposed) = as_map(e)?;
    is_inwards(f, dims - 1).then(|| as_layout(transposed, Prim::Transpose))?
}
