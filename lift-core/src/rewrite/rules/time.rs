//! Several steps at once.
//!
//! What so many steps make of a tile depends on the tile and so many times what one step reaches around it. So a tile is
//! loaded once, shrinks from step to step, and all steps but the last need no memory of the whole array.

use crate::arith::{ArithExpr, Facts};
use crate::ir::prim::MOST_ZIPPED;
use crate::ir::{Arg, BinaryOp, Boundary, Expr, Lambda, Memory, Prim, Scalar, Type};
use crate::machine::steps::{MOST_IN_ROWS, MOST_IN_TILES};
use crate::rewrite::demand::as_size;
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::control::renewed;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::stencil::new_tiles;
use crate::rewrite::rules::step::{Edge, Point, Step};
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::same_function;

/// So many steps at once at most.
pub const MOST_STEPS: i64 = 16;

pub static ITERATE_PARTS: Rule = Rule {
    name: "iterate_parts",
    about: "Repetition in parts of so many rounds.",
    equation: "iterate(k, f) = iterate(k % T, f) . iterate(k / T, iterate(T, f))",
    when: "for a new size T",
    apply: |e, cx| {
        let (Prim::Iterate, [Arg::Data(k), Arg::Fun(f), Arg::Data(x)]) = e.as_prim()? else { return None };
        let steps = cx.size("STEPS");
        let (whole, rest) = match as_size(k) {
            Some(n) => {
                let whole = n.div(&steps);
                (Expr::size(whole.clone()), Expr::size(&n - &(whole * &steps)))
            }
            None => {
                let by = |op| Expr::binary(op, k.clone(), Expr::size(steps.clone()));
                (by(BinaryOp::Div), by(BinaryOp::Rem))
            }
        };
        let iterate = |k: Expr, f: Lambda, x: Expr| {
            Expr::prim(Prim::Iterate, vec![Arg::Data(k), Arg::Fun(f), Arg::Data(x)])
        };
        let pass = Lambda::unary(&f.params.first()?.name, x.ty().clone(), |state| {
            iterate(Expr::size(steps.clone()), renewed(f), state)
        });
        Some(iterate(rest, f.clone(), iterate(whole, pass, x.clone())))
    },
};

pub static ITERATE_MORE: Rule = Rule {
    name: "iterate_more",
    about: "The same step after itself.",
    equation: "f . f = iterate(2, f), and f . iterate(k, f) = iterate(k + 1, f)",
    when: "for a stencil f, also with materialize between",
    apply: |e, cx| {
        let mut found = None;
        inside(e, &mut |y| {
            if found.is_none() && y.ty() == e.ty() {
                found = more(e, y, cx.facts);
            }
        });
        found
    },
};

/// Calls a function on everything that stands in an expression as data, and in no function.
pub(super) fn inside(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    let Some((_, args)) = e.as_prim() else { return };
    for x in args.iter().filter_map(Arg::data) {
        f(x);
        inside(x, f);
    }
}

/// What is stored, if this says that something is.
pub(super) fn bare(e: &Expr) -> &Expr {
    match e.as_prim() {
        Some((Prim::Store(Memory::Temporary), [Arg::Data(inner)])) => inner,
        _ => e,
    }
}

/// What `e` is, if it is a step from `y`, and `y` is the same from something else.
fn more(e: &Expr, y: &Expr, facts: &Facts) -> Option<Expr> {
    let bare = bare(y);
    bare.as_prim()?;
    let f = function_of(e, y);
    Step::of(&f, facts)?;
    let iterate = |k: Expr, x: &Expr| {
        Expr::prim(Prim::Iterate, vec![Arg::Data(k), Arg::Fun(f.clone()), Arg::Data(x.clone())])
    };
    if let Some((Prim::Iterate, [Arg::Data(k), Arg::Fun(g), Arg::Data(x)])) = bare.as_prim() {
        let next = match as_size(k) {
            Some(n) => Expr::size(n + ArithExpr::one()),
            None => Expr::binary(BinaryOp::Add, k.clone(), Expr::size(ArithExpr::one())),
        };
        return same_function(&f, g).then(|| iterate(next, x));
    }
    let mut found = None;
    inside(bare, &mut |x| {
        if found.is_none() && x.ty() == e.ty() && same_function(&function_of(bare, x), &f) {
            found = Some(iterate(Expr::size(2.into()), x));
        }
    });
    found
}

/// What an expression is of another that stands in it.
pub(super) fn function_of(e: &Expr, x: &Expr) -> Lambda {
    Lambda::unary("state", x.ty().clone(), |state| replace_all(e, x, &state))
}

pub static TIME_TILING: Rule = Rule {
    name: "time_tiling",
    about: "Time tiling, with tiles that are written out. `T` is a new size per dimension.",
    equation: "iterate(t, map^d(f) . slide^d(n, 1) . pad^d(l, r, b)) = take^d(len) . join^d . map^d(t times map^d(f . b) . slide^d(n, 1)) . slide^d(T + t \
               * (n - 1), T) . pad^d(t * l, e, clamp)",
    when: "for a number t, where f . b is f of a window in which the points outside of the array are those that b says",
    apply: time_tiling,
};

/// How many steps at once pay in tiles, if the rule applies.
pub fn steps_at_once(e: &Expr, facts: &Facts) -> Option<i64> {
    let (Prim::Iterate, [_, Arg::Fun(f), _]) = e.as_prim()? else { return None };
    let step = Step::of(f, facts)?;
    let farthest = step.reach.iter().map(|(l, r)| *l.max(r)).max()?;
    let most = match step.dims() {
        1 => MOST_IN_ROWS,
        2 => MOST_IN_TILES,
        _ => return None,
    };
    let steps = most / farthest;
    (steps >= 2 && matches!(step.element(), Type::Scalar(_))).then_some(steps)
}

fn time_tiling(e: &Expr, cx: &Context) -> Option<Expr> {
    let (steps, f, x) = iterated(e)?;
    let step = Step::of(f, cx.facts)?;
    let dims = step.dims();
    let tiling = Tiling { step: &step, steps, facts: cx.facts, tiles: new_tiles(cx, dims) };
    let body = |parts: &[Expr], positions: &[Option<Expr>]| tiling.written_out(parts, positions);
    let windows: Vec<_> = (0..dims).map(|i| (tiling.extent(i, 0), tiling.tiles[i].clone())).collect();
    let cut = |array: &Expr| nd::slide_nd(&windows, pad_each(&tiling.pads(), array.clone()));
    let arrays: Vec<Expr> = [x].into_iter().chain(step.others()).map(cut).collect();
    let positions: Vec<Option<Expr>> = (0..dims)
        .map(|i| {
            step.has_edges(i)
                .then(|| Expr::slide(tiling.extent(i, 0), tiling.tiles[i].clone(), tiling.positions(i)))
        })
        .collect();
    let tiled = over(TILES, &arrays, &positions, &|_, f, xs| Expr::map(f, xs), &body);
    Some(nd::take_nd(&step.lens, nd::join_nd(dims, tiled)))
}

/// How often, what, and to what, if something is repeated a few times.
pub(super) fn iterated(e: &Expr) -> Option<(i64, &Lambda, &Expr)> {
    let (Prim::Iterate, [Arg::Data(k), Arg::Fun(f), Arg::Data(x)]) = e.as_prim()? else { return None };
    let steps = as_size(k)?.as_const()?;
    ((2..=MOST_STEPS).contains(&steps)).then_some((steps, f, x))
}

/// An array cut into tiles for several steps at once.
struct Tiling<'a> {
    step: &'a Step,
    steps: i64,
    facts: &'a Facts,
    /// New sizes: how many elements a tile yields in every dimension.
    tiles: Vec<ArithExpr>,
}

impl Tiling<'_> {
    /// How many elements a tile has after so many steps.
    fn extent(&self, dim: usize, done: i64) -> ArithExpr {
        let (l, r) = self.step.reach[dim];
        &self.tiles[dim] + &((self.steps - done) * (l + r)).into()
    }

    /// What is added to the array.
    fn pads(&self) -> Vec<(ArithExpr, ArithExpr, Boundary)> {
        let pad = |i: usize| {
            let ((l, r), len) = (self.step.reach[i], &self.step.lens[i]);
            let after = len.div_ceil(&self.tiles[i]) * &self.tiles[i] - len + ArithExpr::cst(self.steps * r);
            ((self.steps * l).into(), self.facts.simplify(&after), self.step.around(i))
        };
        (0..self.step.dims()).map(pad).collect()
    }

    /// The numbers of the elements of the padded array in a dimension.
    fn positions(&self, dim: usize) -> Expr {
        let (before, after, _) = self.pads().swap_remove(dim);
        numbers(before + &self.step.lens[dim] + after)
    }

    /// All steps on a tile.
    fn written_out(&self, parts: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let reach = &self.step.reach;
        (1..=self.steps).fold(parts[0].clone(), |state, done| {
            let windows: Vec<_> = reach.iter().map(|(l, r)| ((l + r + 1).into(), ArithExpr::one())).collect();
            // What is left of something in the first dimensions after so many steps.
            let left = |first: usize, xs: &Expr| -> Expr {
                let amounts = (first..)
                    .zip(&reach[first..])
                    .map(|(i, (l, _))| ((done * l).into(), self.extent(i, done)));
                part_of(&amounts.collect::<Vec<_>>(), xs.clone())
            };
            let slid = nd::slide_nd(&windows, state);
            let others = parts[1..].iter().map(|other| left(0, other));
            let arrays: Vec<Expr> = [slid].into_iter().chain(others).collect();
            let own: Vec<Option<Expr>> = positions
                .iter()
                .enumerate()
                .map(|(i, xs)| {
                    let amounts = [((done * reach[i].0).into(), self.extent(i, done))];
                    xs.as_ref().map(|xs| part_of(&amounts, xs.clone()))
                })
                .collect();
            over(ELEMENTS, &arrays, &own, &|_, f, xs| Expr::map(f, xs), &|elements, at| {
                self.one(elements, at)
            })
        })
    }

    /// One element after one step: of a window and the elements of other parts.
    fn one(&self, elements: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let reach = &self.step.reach;
        let at = |distances: &[i64]| {
            distances
                .iter()
                .zip(reach)
                .fold(elements[0].clone(), |w, (distance, (l, _))| nth(w, distance + l))
        };
        let near = |dim: usize, edge: Edge, from: i64| {
            let own = positions[dim].clone()?;
            Some(is_near(own, self.steps * reach[dim].0, &self.step.lens[dim], (edge, from)))
        };
        let other = |i: usize| elements[1 + i].clone();
        self.step.applied(self.facts, &Point { at: &at, near: &near, other: &other })
    }
}

/// Whether the element with this number is so far from an edge of what has this length and comes after so many others.
pub(super) fn is_near(own: Expr, before: i64, len: &ArithExpr, (edge, from): (Edge, i64)) -> Expr {
    let is = |own: Expr, n: ArithExpr| Expr::binary(BinaryOp::Eq, own, Expr::size(n));
    match (edge, before - from - 1) {
        (Edge::First, _) => is(own, (before + from).into()),
        (Edge::Last, more @ 0..) => is(own, len + &more.into()),
        // A size is never less than nothing.
        (Edge::Last, less) => is(Expr::binary(BinaryOp::Add, own, Expr::size((-less).into())), len.clone()),
    }
}

/// `[0, 1, …]`
pub(super) fn numbers(len: ArithExpr) -> Expr {
    let f = Lambda::unary("i", Scalar::Usize.into(), |i| i);
    Expr::prim(Prim::Array, vec![Arg::Size(len), Arg::Fun(f)])
}

/// `xs[i]`, for a number.
pub(super) fn nth(xs: Expr, i: i64) -> Expr {
    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(xs)])
}

/// So many elements after the first so many, in the outermost dimensions.
pub(super) fn part_of(amounts: &[(ArithExpr, ArithExpr)], xs: Expr) -> Expr {
    let Some(((from, len), inner)) = amounts.split_first() else { return xs };
    let rows = match inner {
        [] => xs,
        inner => Expr::map_with("row", xs, |row| part_of(inner, row)),
    };
    Expr::take(len.clone(), Expr::drop(from.clone(), rows))
}

/// `pad` in every dimension, with boundaries of its own for each.
pub(super) fn pad_each(amounts: &[(ArithExpr, ArithExpr, Boundary)], xs: Expr) -> Expr {
    let Some(((l, r, boundary), inner)) = amounts.split_first() else { return xs };
    let rows = match inner {
        [] => xs,
        inner => Expr::map_with("row", xs, |row| pad_each(inner, row)),
    };
    Expr::pad(l.clone(), r.clone(), boundary.clone(), rows)
}

/// Which map it is in a dimension, counted from the outermost.
pub(super) type Maps<'a> = &'a dyn Fn(usize, Lambda, Expr) -> Expr;

/// What tiles are called in one, two and three dimensions.
pub(super) const TILES: [&str; 3] = ["tile", "tiles", "slabs"];

/// What elements are called in one, two and three dimensions.
pub(super) const ELEMENTS: [&str; 3] = ["w", "line", "layer"];

/// What is made of the elements of several arrays, and of what belongs to every dimension alone.
pub(super) type Body<'a> = &'a dyn Fn(&[Expr], &[Option<Expr>]) -> Expr;

/// A function of the elements of several arrays of one shape, with what belongs to every dimension alone.
pub(super) fn over(
    names: [&str; 3],
    arrays: &[Expr],
    positions: &[Option<Expr>],
    maps: Maps,
    body: Body,
) -> Expr {
    over_from(0, names, (arrays, positions), maps, &mut Vec::new(), body)
}

fn over_from(
    dim: usize,
    names: [&str; 3],
    (arrays, positions): (&[Expr], &[Option<Expr>]),
    maps: Maps,
    known: &mut Vec<Option<Expr>>,
    body: Body,
) -> Expr {
    let Some(own) = positions.get(dim) else { return body(arrays, known) };
    let all: Vec<Expr> = arrays.iter().chain(own).cloned().collect();
    let zipped = together(&all);
    let element = zipped.ty().as_array().map_or(zipped.ty(), |(element, _)| element).clone();
    let f = Lambda::unary(names[(positions.len() - 1 - dim).min(2)], element, |x| {
        let parts = apart(&x, all.len());
        known.push(own.as_ref().and_then(|_| parts.last().cloned()));
        let inner = over_from(dim + 1, names, (&parts[..arrays.len()], positions), maps, known, body);
        known.pop();
        inner
    });
    maps(dim, f, zipped)
}

/// Arrays of one length as one array: a tuple of tuples if there are many.
pub(super) fn together(arrays: &[Expr]) -> Expr {
    match arrays {
        [one] => one.clone(),
        all => {
            let parts = all.chunks(chunk(all.len())).map(together);
            Expr::prim(Prim::Zip, parts.map(Arg::Data).collect())
        }
    }
}

/// The elements of so many arrays that were put together.
pub(super) fn apart(x: &Expr, count: usize) -> Vec<Expr> {
    if count == 1 {
        return vec![x.clone()];
    }
    let chunk = chunk(count);
    let part = |i: usize| apart(&Expr::field(x.clone(), i), chunk.min(count - i * chunk));
    (0..count.div_ceil(chunk)).flat_map(part).collect()
}

/// How many of so many arrays become one of those that are zipped.
fn chunk(count: usize) -> usize {
    let mut chunk = 1;
    while chunk * MOST_ZIPPED < count {
        chunk *= MOST_ZIPPED;
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Param;

    #[test]
    fn many_arrays_come_apart_as_they_were_put_together() {
        for count in [1, 2, 8, 9, 17, 64, 65, 70, 513] {
            let rows = |i: usize| Type::array(Scalar::F32.into(), (i as i64 + 1).into());
            let array = |i| Expr::param(&Param::new("x", Type::array(rows(i), 3.into())));
            let zipped = together(&(0..count).map(array).collect::<Vec<_>>());
            let (element, _) = zipped.ty().as_array().unwrap();
            let parts = apart(&Expr::param(&Param::new("t", element.clone())), count);
            let types: Vec<Type> = parts.iter().map(|part| part.ty().clone()).collect();
            assert_eq!(types, (0..count).map(rows).collect::<Vec<_>>());
        }
    }
}
