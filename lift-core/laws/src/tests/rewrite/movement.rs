//! Left sides of the table of movements: layers of an array that have as many elements as they need.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Boundary, Expr, Fold, Prim, Scalar, Type};

use crate::rules::movement::{Layer, Row, Size};
use crate::testing::World;

/// A size of a layer, as a number and as it is written.
type Sizes = [(i64, ArithExpr); 3];

/// The left side of a row, of some array.
pub(super) fn left_side(w: &mut World, row: &Row, scope: &[Expr]) -> Expr {
    loop {
        let extents: Vec<i64> = (0..4).map(|_| w.random.pick(&[0, 1, 1, 2, 2, 3, 4, 6])).collect();
        let numbers = [0; 3].map(|_| w.random.pick(&[0, 1, 1, 2, 2, 3]));
        let layers = row.left.iter().rev();
        let is_typed =
            layers.clone().try_fold(extents.clone(), |lens, layer| extents_after(layer, lens, &numbers));
        if is_typed.is_none() {
            continue;
        }
        let sizes: Sizes = numbers.map(|n| (n, size(w, n)));
        let lens: Vec<ArithExpr> = extents.into_iter().map(|n| size(w, n)).collect();
        let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
        let xs = w.input(Type::from(scalar).with_shape(&lens));
        return layers.fold(xs, |xs, layer| put(w, layer.below, layer, xs, &sizes, scope));
    }
}

/// Most are numbers, so that something is known about them.
fn size(w: &mut World, n: i64) -> ArithExpr {
    match w.random.below(5) {
        0 if n == 0 => w.variable(1) - 1,
        0 => w.variable(n),
        _ => n.into(),
    }
}

/// The extents after a layer, if it has a type.
fn extents_after(layer: &Layer, mut lens: Vec<i64>, sizes: &[i64; 3]) -> Option<Vec<i64>> {
    let of = |size: &Size| match size {
        Size::Is(i) => sizes[*i],
        Size::Of(_) => panic!("a size that the left side does not bind"),
    };
    let at = layer.below;
    let n = *lens.get(at)?;
    let own: Vec<i64> = match (layer.prim, layer.sizes) {
        (None, _) => {
            lens.truncate(at);
            return Some(lens);
        }
        (Some(Prim::Transpose), _) => {
            let m = *lens.get(at + 1)?;
            lens.splice(at..at + 2, [m, n]);
            return Some(lens);
        }
        (Some(Prim::Join), _) => {
            let m = *lens.get(at + 1)?;
            lens.splice(at..at + 2, [n * m]);
            return Some(lens);
        }
        (Some(Prim::Split), [m]) => (of(m) > 0 && n % of(m) == 0).then(|| vec![n / of(m), of(m)])?,
        (Some(Prim::Take), [k]) => (0..=n).contains(&of(k)).then(|| vec![of(k)])?,
        (Some(Prim::Drop), [k]) => (of(k) <= n).then(|| vec![n - of(k)])?,
        (Some(Prim::Slide), [size, step]) => {
            let (size, step) = (of(size), of(step));
            let is_typed = size > 0 && step > 0 && size <= n && (n - size) % step == 0;
            is_typed.then(|| vec![(n - size) / step + 1, size])?
        }
        (Some(Prim::Pad), [l, r]) if n > 0 => vec![of(l) + n + of(r)],
        (Some(Prim::Pad), _) => return None,
        (Some(Prim::Reorder), _) => vec![n],
        (prim, _) => panic!("{prim:?} moves no elements"),
    };
    lens.splice(at..=at, own);
    Some(lens)
}

fn put(w: &mut World, below: usize, layer: &Layer, xs: Expr, sizes: &Sizes, scope: &[Expr]) -> Expr {
    let of = |size: &Size| match size {
        Size::Is(i) => sizes[*i].1.clone(),
        Size::Of(_) => panic!("a size that the left side does not bind"),
    };
    match (below, layer.prim) {
        (1.., _) => Expr::map_with("x", xs, |x| put(w, below - 1, layer, x, sizes, scope)),
        (_, None) => w.grow(xs, 2, scope),
        (_, Some(Prim::Reorder)) => w.permuted(Prim::Reorder, xs),
        (_, Some(Prim::Pad)) => {
            let fold = w.random.pick(&[Fold::Clamp, Fold::Mirror, Fold::Reflect, Fold::Wrap]);
            layer.of(layer.sizes.iter().map(of), Some(Boundary::Fold(fold)), None, xs)
        }
        _ => layer.of(layer.sizes.iter().map(of), None, None, xs),
    }
}
