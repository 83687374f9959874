//! Functions of windows, in tiles, marched through, and with an interior.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, Boundary, Expr, Fold, Lambda, Param, Prim, Scalar, Type};
use lift_core::rewrite::layout::as_map;
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules;
use lift_core::rewrite::rules::nd;

use super::rows::{separable_parts, value_of_rows};
use crate::testing::{World, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, xs: Expr, scope: &[Expr]) -> Option<Expr> {
    let side = match rule.name {
        "interchange" | "interchange(1)" if w.random.flip() => zipped_stencil(w, World::size_of),
        "interchange" | "interchange(1)" => stencil(w, scope, World::size_of),
        "interior" => {
            let stencil = padded_stencil(w);
            let swaps = rules::stencil::INTERCHANGE.iter().rev().skip(w.random.below(3) as usize);
            // Below what turns the results back.
            swaps.fold(stencil, |e, rule| match rule.rewrite(&e, &w.facts) {
                Some(turned) if w.random.flip() => turned.expr.children().last().map_or(e, |x| (*x).clone()),
                _ => e,
            })
        }
        "overlapped_tiling" if w.random.below(3) == 0 => zipped_stencil(w, World::size_of),
        "overlapped_tiling" => stencil(w, scope, World::size_of),
        "whole_blocks" => {
            let n = w.random.pick(&[1, 2, 3, 4, 7, 8, 13, 21]);
            let (n, int) = (w.size_of(n), Type::from(Scalar::I32));
            let windows = windows_of_three(w, std::slice::from_ref(&n));
            let all = match w.random.flip() {
                true => nd::zip_nd(1, vec![windows, w.input(Type::array(int, n))]),
                false => windows,
            };
            Expr::map_with("x", all, |x| match x.ty() {
                Type::Tuple(_) => twice_minus(nth(&Expr::field(x.clone(), 0), 2), Expr::field(x, 1)),
                _ => twice_minus(nth(&x, 0), nth(&x, 2)),
            })
        }
        "march" if w.random.below(3) == 0 => zipped_stencil(w, |_, size| size.into()),
        "march" => stencil(w, scope, |_, size| size.into()),
        "fuse_parts" => {
            let dims = w.random.pick(&[1, 2, 2, 3]);
            let counts: Vec<ArithExpr> = (0..dims).map(|_| w.some_size()).collect();
            let part = |w: &mut World| {
                if w.random.flip() {
                    return w.input(Type::from(Scalar::I32).with_shape(&counts));
                }
                let slid = windows_of_three(w, &counts);
                let window = nd::element(dims, &slid).unwrap();
                let f = Lambda::unary("w", window, |w| twice_minus(nth(&w, 0), nth(&w, 2)));
                nd::map_nd(dims, f, slid)
            };
            let parts: Vec<Expr> = (0..3).map(|_| part(w)).collect();
            let zipped = nd::zip_nd(dims, parts);
            let element = nd::element(dims, &zipped)?;
            let f = Lambda::unary("x", element, |x| {
                let fields = (0..3).map(|k| Expr::field(x.clone(), k));
                fields.reduce(twice_minus).unwrap()
            });
            nd::map_nd(dims, f, zipped)
        }
        "each_matrix" => {
            let (n, counts) = (w.some_size(), [w.some_size(), w.some_size()]);
            let (size, step) = (w.random.pick(&[1, 3]), w.random.pick(&[1, 2]));
            let long = |n: &ArithExpr| ArithExpr::cst(step) * (n - 1) + size;
            let lens = [vec![n], counts.iter().map(long).collect()].concat();
            let planes = w.input(Type::from(Scalar::I32).with_shape(&lens));
            let inner = (size.into(), step.into());
            let windows = nd::slide_nd(&[(1.into(), 1.into()), inner.clone(), inner], planes);
            let element = nd::element(3, &windows)?;
            let last = size - 1;
            let f = Lambda::unary("w", element, |w| {
                let matrix = || {
                    let zero = Expr::size(ArithExpr::zero());
                    Expr::prim(Prim::At, vec![Arg::Data(zero), Arg::Data(w.clone())])
                };
                twice_minus(nth(&matrix(), 0), nth(&matrix(), last))
            });
            nd::map_nd(3, f, windows)
        }
        "channels" => {
            let k = w.random.pick(&[1, 2, 3, 4, 5]);
            let (counts, size) = ([w.some_size(), w.some_size()], w.random.pick(&[1, 3]));
            let long = |n: &ArithExpr| n + (size - 1);
            let lens = [counts.iter().map(long).collect(), vec![k.into()]].concat();
            let planes = w.input(Type::from(Scalar::I32).with_shape(&lens));
            let beside = [counts.to_vec(), vec![k.into()]].concat();
            let beside = w.random.flip().then(|| w.input(Type::from(Scalar::I32).with_shape(&beside)));
            let (outer, one) = ((size.into(), 1.into()), (1.into(), 1.into()));
            let windows = nd::slide_nd(&[outer.clone(), outer, one], planes);
            let all = match &beside {
                Some(beside) => nd::zip_nd(3, vec![beside.clone(), windows]),
                None => windows,
            };
            let read = |w: &Expr, [i, j]: [i64; 2]| {
                let at =
                    |xs, i: i64| Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(xs)]);
                at(at(at(w.clone(), i), j), 0)
            };
            let f = Lambda::unary("w", nd::element(3, &all)?, |w| match &beside {
                Some(_) => {
                    let own = read(&Expr::field(w.clone(), 1), [size - 1, 0]);
                    twice_minus(Expr::field(w, 0), own)
                }
                None => twice_minus(read(&w, [0, size - 1]), read(&w, [size - 1, 0])),
            });
            nd::map_nd(3, f, all)
        }
        "batch_windows" => {
            let (dims, n) = (2, w.some_size());
            let counts: Vec<ArithExpr> = (0..dims).map(|_| w.some_size()).collect();
            let lens: Vec<ArithExpr> = counts.iter().map(|n| n + 2).collect();
            let planes = w.input(Type::from(Scalar::I32).with_shape(&[vec![n], lens].concat()));
            let (same, other) =
                (windows_of_three(w, &counts), w.input(Type::from(Scalar::I32).with_shape(&counts)));
            let kind = w.random.below(3);
            Expr::map_with("plane", planes, |plane| {
                let windows = nd::slide_nd(&vec![(3.into(), 1.into()); dims], plane);
                let all = match kind {
                    0 => windows,
                    1 => nd::zip_nd(dims, vec![other, windows]),
                    _ => nd::zip_nd(dims, vec![windows, same]),
                };
                let element = nd::element(dims, &all).unwrap();
                let f = Lambda::unary("x", element, |x| match kind {
                    0 => twice_minus(nth(&x, 0), nth(&x, 1)),
                    1 => twice_minus(Expr::field(x.clone(), 0), nth(&Expr::field(x, 1), 2)),
                    _ => twice_minus(nth(&Expr::field(x.clone(), 0), 0), nth(&Expr::field(x, 1), 2)),
                });
                nd::map_nd(dims, f, all)
            })
        }
        "windows_together" => same_windows(w),
        "pass_to_local" => match w.random.below(4) {
            0 => match rules::separable::SEPARATE_PARTS.rewrite(&separable_parts(w), &w.facts) {
                Some(passes) => passes.expr,
                None => xs,
            },
            _ => {
                let dims = w.random.pick(&[1, 2, 3]);
                computed_stencil(w, dims, scope)
            }
        },
        _ => return None,
    };
    Some(side)
}

/// `map^d(f) . slide^d(n, s)` of numbers, with sizes and steps of windows up to 3.
pub(super) fn plain_stencil(w: &mut World, dims: usize, f: impl FnOnce(&mut World, Expr) -> Expr) -> Expr {
    let (mut windows, mut lens) = (Vec::new(), Vec::new());
    for _ in 0..dims {
        let (size, step) = (w.random.pick(&[1, 2, 3]), w.random.pick(&[1, 1, 2]));
        let (size, step) = (w.size_of(size), w.size_of(step));
        let count = w.random.pick(&[1, 2, 3, 5]);
        let count = w.size_of(count);
        lens.push((count - 1) * &step + &size);
        windows.push((size, step));
    }
    let slid = nd::slide_nd(&windows, w.input(Type::from(Scalar::I32).with_shape(&lens)));
    let window = (0..dims).fold(slid.ty(), |ty, _| ty.as_array().unwrap().0).clone();
    let window = Param::new("w", window);
    let body = f(w, Expr::param(&window));
    nd::map_nd(dims, Lambda { params: vec![window], body }, slid)
}

/// A stencil over something computed.
fn computed_stencil(w: &mut World, dims: usize, scope: &[Expr]) -> Expr {
    let (size, count) = (w.random.pick(&[1, 2, 3]), w.random.pick(&[1, 2, 5]));
    let len = w.size_of(size + count - 1);
    let size = w.size_of(size);
    let xs = w.input(Type::from(Scalar::I32).with_shape(&vec![len; dims]));
    let f = Lambda::unary("x", Scalar::I32.into(), |x| match scope.iter().find(|y| y.ty() == x.ty()) {
        Some(y) => twice_minus(x, y.clone()),
        None => twice_minus(x.clone(), x),
    });
    let slid = nd::slide_nd(&vec![(size, 1.into()); dims], nd::map_nd(dims, f, xs));
    let window = (0..dims).fold(slid.ty(), |ty, _| ty.as_array().unwrap().0).clone();
    let g = Lambda::unary("w", window, |window| value_of_rows(w, window));
    nd::map_nd(dims, g, slid)
}

/// A number from so many windows and elements.
fn of_parts(w: &mut World, x: &Expr, count: usize) -> Expr {
    let value = |i| {
        let mut part = Expr::field(x.clone(), i);
        while part.ty().shape().0.len() > 1 {
            part = Expr::join(part);
        }
        if part.ty().as_array().is_some() { w.reduce(part) } else { part }
    };
    (0..count).map(value).reduce(twice_minus).unwrap()
}

/// `map^d(f) $ zip^d(..)` of windows and elements.
fn zipped_stencil(w: &mut World, extent: Extents) -> Expr {
    let dims = w.random.pick(&[1, 2, 2, 3]);
    let counts: Vec<ArithExpr> = (0..dims).map(|_| w.some_size()).collect();
    let scalar = Type::from(w.random.pick(&[Scalar::I32, Scalar::F32]));
    let part = |w: &mut World| -> Expr {
        if w.random.flip() {
            return w.input(scalar.clone().with_shape(&counts));
        }
        let (mut windows, mut lens) = (Vec::new(), Vec::new());
        for count in &counts {
            let (size, step) = (w.random.pick(&[1, 2, 3]), w.random.pick(&[1, 1, 2]));
            let (size, step) = (extent(w, size), extent(w, step));
            lens.push((count - 1) * &step + &size);
            windows.push((size, step));
        }
        nd::slide_nd(&windows, w.input(scalar.clone().with_shape(&lens)))
    };
    let parts = (0..3).map(|_| part(w)).collect();
    let zipped = nd::zip_nd(dims, parts);
    let element = (0..dims).fold(zipped.ty(), |ty, _| ty.as_array().unwrap().0).clone();
    let f = Lambda::unary("x", element, |x| of_parts(w, &x, 3));
    nd::map_nd(dims, f, zipped)
}

/// Windows of three elements in each dimension.
fn windows_of_three(w: &mut World, counts: &[ArithExpr]) -> Expr {
    let lens: Vec<ArithExpr> = counts.iter().map(|n| n + 2).collect();
    let xs = w.input(Type::from(Scalar::I32).with_shape(&lens));
    nd::slide_nd(&vec![(3.into(), 1.into()); counts.len()], xs)
}

/// The element of a window with this index in all dimensions.
fn nth(window: &Expr, i: i64) -> Expr {
    let dims = window.ty().shape().0.len();
    let at = |xs, _| Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(xs)]);
    (0..dims).fold(window.clone(), at)
}

/// A function of several windows of one array, most of them padded alike, and perhaps of another array.
fn same_windows(w: &mut World) -> Expr {
    let dims = w.random.pick(&[1, 2, 2, 3]);
    let counts: Vec<ArithExpr> = (0..dims).map(|_| w.some_size()).collect();
    let int = Type::from(Scalar::I32);
    let (xs, other) = (w.input(int.clone().with_shape(&counts)), w.input(int.clone().with_shape(&counts)));
    let folds = [Fold::Clamp, Fold::Wrap, Fold::Mirror];
    let fold = w.random.pick(&folds);
    let of_one = |w: &mut World| {
        let fold = if w.random.below(4) == 0 { w.random.pick(&folds) } else { fold };
        let amounts: Vec<(ArithExpr, ArithExpr)> = (0..dims)
            .map(|_| (ArithExpr::cst(w.random.pick(&[0, 1, 2])), ArithExpr::cst(w.random.pick(&[0, 1]))))
            .collect();
        let windows: Vec<_> = amounts.iter().map(|(l, r)| (l + r + 1, ArithExpr::one())).collect();
        nd::slide_nd(&windows, nd::pad_nd(&amounts, &Boundary::Fold(fold), xs.clone()))
    };
    let mut parts: Vec<Expr> = (0..w.random.pick(&[2, 3])).map(|_| of_one(w)).collect();
    if w.random.flip() {
        parts.insert(w.random.below(3) as usize, other);
    }
    let count = parts.len();
    let zipped = nd::zip_nd(dims, parts);
    let element = nd::element(dims, &zipped).unwrap();
    let f = Lambda::unary("x", element, |x| of_parts(w, &x, count));
    nd::map_nd(dims, f, zipped)
}

/// A function of windows that reach over the edges, and perhaps of another array, which lies beside them.
fn padded_stencil(w: &mut World) -> Expr {
    let dims = w.random.pick(&[1, 2, 2, 3]);
    let counts: Vec<ArithExpr> = (0..dims).map(|_| w.some_size() + 4).collect();
    let scalar = Type::from(w.random.pick(&[Scalar::I32, Scalar::F32]));
    let padded = |w: &mut World| -> Expr {
        let (mut windows, mut amounts, mut lens) = (Vec::new(), Vec::new(), Vec::new());
        for (dim, count) in counts.iter().enumerate() {
            let (l, r) = (w.random.pick(&[0, 1, 2]), w.random.pick(&[0, 1, 2]));
            let size = w.random.pick(&[1, 2, 3, 4]);
            // What moves by more than one is for other rules.
            let step = if dim > 0 { w.random.pick(&[1, 1, 2]) } else { 1 };
            lens.push((count - 1) * step + size - l - r);
            windows.push((size.into(), step.into()));
            amounts.push((l.into(), r.into()));
        }
        let input = w.input(scalar.clone().with_shape(&lens));
        let boundary = w.boundary(&scalar);
        nd::slide_nd(&windows, nd::pad_nd(&amounts, &boundary, input))
    };
    let mut parts = vec![padded(w)];
    for _ in 0..w.random.below(3) {
        let plain = w.random.flip();
        parts.push(if plain { w.input(scalar.clone().with_shape(&counts)) } else { padded(w) });
    }
    let count = parts.len();
    let is_zipped = count > 1;
    let xs = if is_zipped { nd::zip_nd(dims, parts) } else { parts.swap_remove(0) };
    let element = (0..dims).fold(xs.ty(), |ty, _| ty.as_array().unwrap().0).clone();
    let f = Lambda::unary("x", element, |x| {
        let value = |i: usize| {
            let mut part = if is_zipped { Expr::field(x.clone(), i) } else { x.clone() };
            while part.ty().shape().0.len() > 1 {
                part = Expr::join(part);
            }
            if part.ty().as_array().is_some() { w.reduce(part) } else { part }
        };
        (0..count).map(value).reduce(twice_minus).unwrap()
    });
    nd::map_nd(dims, f, xs)
}

/// `map^d(f) . slide^d(n, s)` of some array, in the prelude's shape, with its maps fused, or nearly so.
fn stencil(w: &mut World, scope: &[Expr], extent: Extents) -> Expr {
    let dims = w.random.pick(&[1, 1, 2, 2, 3]);
    let scalar = Type::from(w.random.pick(&[Scalar::I32, Scalar::F32]));
    let mut windows = Vec::new();
    let mut lens = Vec::new();
    for _ in 0..dims {
        let size = w.random.pick(&[1, 2, 3, 3, 4]);
        let size = extent(w, size);
        let step = w.random.pick(&[1, 1, 1, 2, 3]);
        let step = extent(w, step);
        let count = w.random.pick(&[1, 2, 3, 4, 5, 7]);
        let count = w.size_of(count);
        lens.push((count - 1) * &step + &size);
        windows.push((size, step));
    }
    // Sometimes the elements are rows, so that there is a dimension which is not slid over.
    let element = if w.random.below(4) == 0 { Type::array(scalar, w.some_size()) } else { scalar };
    let input = w.input(element.with_shape(&lens));
    let f = move |w: &mut World, window: Expr| {
        let mut flat = window;
        while flat.ty().shape().0.len() > 1 {
            flat = Expr::join(flat);
        }
        let sum = w.reduce(flat);
        let others: Vec<&Expr> = scope.iter().filter(|x| x.ty() == sum.ty()).collect();
        match others.as_slice() {
            [] => sum,
            [other, ..] => twice_minus(sum, (*other).clone()),
        }
    };
    let slid = nd::slide_nd(&windows, input);
    let Some((_, under)) = as_map(&slid) else {
        return Expr::map_with("w", slid, |window| f(w, window));
    };
    if w.random.flip() {
        return reordered(w, dims, under.clone(), &f);
    }
    let mut ty = slid.ty();
    for _ in 0..dims {
        ty = ty.as_array().unwrap().0;
    }
    let window = Param::new("w", ty.clone());
    let body = f(w, Expr::param(&window));
    nd::map_nd(dims, Lambda { params: vec![window], body }, slid)
}

/// `map^d(f)` with the dimensions reordered somehow on the way in: right for a stencil, or nearly so.
fn reordered(w: &mut World, dims: usize, xs: Expr, f: &dyn Fn(&mut World, Expr) -> Expr) -> Expr {
    Expr::map_with("row", xs, |row| match dims {
        1 => f(w, row),
        2 if w.random.below(4) == 0 && row.ty().shape().0.len() > 2 => {
            // What looks at the whole row is no function of a window.
            Expr::map_with("w", row.clone(), |window| {
                let first = f(w, Expr::take(ArithExpr::one(), row.clone()));
                let own = f(w, window);
                if own.ty() == first.ty() { twice_minus(own, first) } else { own }
            })
        }
        _ => {
            let row = match w.random.below(dims as u64) as usize {
                0 => row,
                moves => nd::inwards(moves, row),
            };
            reordered(w, dims - 1, row, f)
        }
    })
}

/// How sizes and steps of windows are given: by numbers, or by variables with these values.
type Extents = fn(&mut World, i64) -> ArithExpr;
