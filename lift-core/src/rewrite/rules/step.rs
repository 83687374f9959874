//! A step: a stencil from an array to one of the same shape, with what lies around the array.
//!
//! Several steps at once work on a part of the array that is larger than what they yield. Where such a part stands over the edge
//! of the array, the elements outside are not what steps would make of elements there: before every step they are what the
//! boundary says. So whoever applies the function of a step gives it the *taps* of a window one by one, and a tap outside is
//! replaced by the one that the boundary says. All of these lie in the window: folding an array over at its edges
//! never moves two indices apart.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Facts};
use crate::ir::{
    Arg, BinaryOp, Boundary, Expr, Fold, Kind, Lambda, Literal, Param, Place, Prim, Scalar, Type,
};
use crate::machine::steps::{FARTHEST, MOST_POINTS};
pub(super) use crate::rewrite::rules::edge::Edge;
use crate::rewrite::rules::edge::{inside, is_near};
use crate::rewrite::rules::stencil::{Input, Stencil, element_of, elements};
use crate::rewrite::scope::occurrences;

/// A function of an array that is a step.
pub(super) struct Step {
    /// The function of a window, or of the parts of a zip.
    f: Lambda,
    /// What it works on: one, or the parts of the zip.
    parts: Vec<Part>,
    is_zipped: bool,
    /// The extents of the array, outermost first.
    pub lens: Vec<ArithExpr>,
    /// How far a step reaches in every dimension, before and after.
    pub reach: Vec<(i64, i64)>,
    /// Whether the array is periodic in a dimension.
    wraps: Vec<bool>,
}

/// What a step works on.
enum Part {
    /// Windows of the array, or its elements.
    State(Windows),
    /// Something else, element by element.
    Other(Expr),
}

struct Windows {
    /// What is padded in every dimension, and how.
    pads: Vec<(i64, i64, Boundary)>,
    /// Whether these are windows, and not elements.
    are_windows: bool,
}

/// Where a step stands.
pub(super) struct Point<'a> {
    /// The element at these distances.
    pub at: &'a dyn Fn(&[i64]) -> Expr,
    /// Whether it is so far from an edge in a dimension: a condition, or none if it is not.
    pub near: &'a dyn Fn(usize, Edge, i64) -> Option<Expr>,
    /// The element of the other part with this number.
    pub other: &'a dyn Fn(usize) -> Expr,
}

impl Step {
    /// The step that a function is.
    pub(super) fn of(f: &Lambda, facts: &Facts) -> Option<Step> {
        match f.params.as_slice() {
            [state] => Step::from_array(state, &f.body, facts),
            _ => None,
        }
    }

    /// The step that an expression is, from the array that a variable stands for.
    pub(super) fn from_array(state: &Param, body: &Expr, facts: &Facts) -> Option<Step> {
        let stencil = Stencil::find(body)?;
        let dims = stencil.dims();
        let (lens, element) = state.ty.shape();
        let alike = lens.len() == dims && stencil.f.body.ty() == element;
        let same = alike && lens.iter().zip(&stencil.counts).all(|(n, m)| facts.eq(n, m).is_yes());
        if !same || occurrences(&stencil.f.body, state.id).count > 0 || stencil.f.params.len() != 1 {
            return None;
        }
        let parts: Option<Vec<Part>> =
            stencil.inputs.iter().map(|input| Part::of(input, state, &stencil, facts)).collect();
        let parts = parts?;
        let (mut reach, mut wraps) = (Vec::new(), Vec::new());
        for i in 0..dims {
            let pads = parts.iter().filter_map(Part::windows).map(|windows| &windows.pads[i]);
            let moving: Vec<&(i64, i64, Boundary)> = pads.filter(|(l, r, _)| l + r > 0).collect();
            let (mut before, mut after) = (0, 0);
            for (l, r, boundary) in &moving {
                before = before.max(*l);
                after = after.max(*r);
                if matches!(boundary, Boundary::Fold(Fold::Mirror | Fold::Reflect)) {
                    (before, after) = (before.max(after), before.max(after));
                }
            }
            let periodic = moving
                .iter()
                .filter(|(_, _, boundary)| matches!(boundary, Boundary::Fold(Fold::Wrap)))
                .count();
            if periodic != 0 && periodic != moving.len() {
                return None;
            }
            reach.push((before, after));
            wraps.push(periodic > 0);
        }
        let far = reach.iter().any(|(l, r)| *l > FARTHEST || *r > FARTHEST);
        let step =
            Step { f: stencil.f, parts, is_zipped: stencil.is_zipped, lens: lens.to_vec(), reach, wraps };
        let moves = step.reach.iter().any(|(l, r)| l + r > 0);
        (moves && !far && step.reads() <= MOST_POINTS).then_some(step)
    }

    /// The step that an expression is, and the array that it is a step of, if that is a variable.
    pub(super) fn at_root(e: &Expr, facts: &Facts) -> Option<(Step, Expr)> {
        let stencil = Stencil::find(e)?;
        let arrays = stencil.inputs.iter().filter(|input| !input.windows.is_empty());
        arrays
            .filter_map(|input| variable(&input.array))
            .find_map(|state| Some((Step::from_array(state, e, facts)?, Expr::param(state))))
    }

    /// The number of dimensions.
    pub(super) fn dims(&self) -> usize {
        self.lens.len()
    }

    /// The type of the elements.
    pub(super) fn element(&self) -> &Type {
        self.f.body.ty()
    }

    /// Whether the points of windows are read one by one.
    pub(super) fn is_named(&self) -> bool {
        elements(&self.f.body, &self.f, &mut BTreeSet::new())
    }

    /// The number of points that are read: those that are named one by one, or all of the windows.
    fn reads(&self) -> i64 {
        let mut named = BTreeSet::new();
        if elements(&self.f.body, &self.f, &mut named) {
            return named.len() as i64;
        }
        let points = |windows: &Windows| windows.pads.iter().map(|(l, r, _)| l + r + 1).product::<i64>();
        self.parts.iter().filter_map(Part::windows).map(points).sum()
    }

    /// What lies around the array before the first of several steps: anything, if it is replaced before every step.
    pub(super) fn around(&self, dim: usize) -> Boundary {
        if self.wraps[dim] { Boundary::Fold(Fold::Wrap) } else { Boundary::Fold(Fold::Clamp) }
    }

    /// What lies around the array in a dimension, if it is the same for all windows.
    pub(super) fn boundary(&self, dim: usize) -> Option<Boundary> {
        let pads = self.parts.iter().filter_map(Part::windows).map(|windows| &windows.pads[dim]);
        let mut moving = pads.filter(|(l, r, _)| l + r > 0).map(|(_, _, boundary)| boundary);
        let Some(first) = moving.next() else { return Some(Boundary::Fold(Fold::Clamp)) };
        moving.all(|other| other == first).then(|| first.clone())
    }

    /// Whether it matters in a dimension how far an element is from the edges.
    pub(super) fn has_edges(&self, dim: usize) -> bool {
        !self.wraps[dim] && self.reach[dim] != (0, 0)
    }

    /// The arrays of other parts, which are read element by element.
    pub(super) fn others(&self) -> Vec<&Expr> {
        let arrays = self.parts.iter().filter_map(|part| match part {
            Part::Other(array) => Some(array),
            Part::State(_) => None,
        });
        arrays.collect()
    }

    /// The distances at which a step reads the array, those at its edges in the first so many dimensions included.
    pub(super) fn distances(&self, dims: usize, facts: &Facts) -> BTreeSet<Vec<i64>> {
        let found = RefCell::new(BTreeSet::new());
        let others = self.others();
        let any = |ty: &Type| Expr::param(&Param::new("any", ty.clone()));
        let at = |distances: &[i64]| {
            found.borrow_mut().insert(distances.to_vec());
            any(self.element())
        };
        let near = |dim: usize, _: Edge, _: i64| (dim < dims).then(|| any(&Type::Scalar(Scalar::Bool)));
        let other = |i: usize| {
            let ty = (0..self.dims()).try_fold(others[i].ty(), |ty, _| Some(ty.as_array()?.0));
            any(ty.unwrap_or(others[i].ty()))
        };
        self.applied(facts, &Point { at: &at, near: &near, other: &other });
        found.into_inner()
    }

    /// What the step yields at some place.
    pub(super) fn applied(&self, facts: &Facts, place: &Point) -> Expr {
        self.inside(&self.f.body, facts, place).refresh()
    }

    fn inside(&self, e: &Expr, facts: &Facts, place: &Point) -> Expr {
        match element_of(e, &self.f).and_then(|path| self.named(&path, facts, place)) {
            Some(value) => value,
            None => e.map_children(&mut |x| self.inside(x, facts, place)),
        }
    }

    /// The part of the function's parameter that is read by these numbers, if it is a part of the array or the whole of
    /// something else.
    fn named(&self, path: &[i64], facts: &Facts, place: &Point) -> Option<Expr> {
        // The first number is that of the parameter.
        let (part, rest) = match (self.is_zipped, &path[1..]) {
            (false, rest) => (0, rest),
            (true, [part, rest @ ..]) => (*part as usize, rest),
            (true, []) => {
                let parts = (0..self.parts.len() as i64).map(|i| self.named(&[0, i], facts, place));
                return Some(Expr::tuple(parts.collect::<Option<_>>()?));
            }
        };
        match &self.parts[part] {
            Part::Other(_) if rest.is_empty() => {
                let before = self.parts[..part].iter().filter(|part| part.windows().is_none()).count();
                Some((place.other)(before))
            }
            Part::State(windows) if !windows.are_windows && rest.is_empty() => {
                Some((place.at)(&vec![0; self.dims()]))
            }
            Part::State(windows) if windows.are_windows && rest.len() <= self.dims() => {
                Some(self.window(windows, rest, facts, place))
            }
            Part::Other(_) | Part::State(_) => None,
        }
    }

    /// What is at these numbers of a window: a point, or an array of such.
    fn window(&self, windows: &Windows, numbers: &[i64], facts: &Facts, place: &Point) -> Expr {
        if let Some((l, r, _)) = windows.pads.get(numbers.len()) {
            let row = (0..=l + r).map(|i| self.window(windows, &[numbers, &[i]].concat(), facts, place));
            return Expr::array_literal(row.collect());
        }
        let distances: Vec<i64> = numbers.iter().zip(&windows.pads).map(|(i, (l, _, _))| i - l).collect();
        self.tap(windows, &distances, &[], facts, place)
    }

    /// The point at some distances, of which the first are those that the boundary says.
    fn tap(
        &self,
        windows: &Windows,
        distances: &[i64],
        settled: &[i64],
        facts: &Facts,
        place: &Point,
    ) -> Expr {
        let dim = settled.len();
        let (Some(distance), Some((_, _, boundary))) = (distances.get(dim), windows.pads.get(dim)) else {
            return (place.at)(settled);
        };
        let with = |own: i64| self.tap(windows, distances, &[settled, &[own]].concat(), facts, place);
        if self.wraps[dim] {
            return with(*distance);
        }
        let edge = if *distance < 0 { Edge::First } else { Edge::Last };
        (0..distance.abs()).rev().fold(with(*distance), |rest, from| {
            let Some(condition) = (place.near)(dim, edge, from) else { return rest };
            let by = match boundary {
                Boundary::Constant(c) => c.clone(),
                Boundary::Value(f) => self.outside(dim, f, (edge, from - distance.abs())),
                Boundary::Index(f) => {
                    let Some(own) = inside(f, edge, distance.abs() - from, &self.lens[dim], facts) else {
                        return rest;
                    };
                    with(if edge == Edge::First { own - from } else { from - own })
                }
                Boundary::Fold(_) => self.folded(dim, boundary, (edge, from, distance.abs()), facts, &with),
            };
            Expr::if_(condition, by, rest)
        })
    }

    /// What a function says of an index so far inside of an edge: that is, less than nothing.
    fn outside(&self, dim: usize, f: &Lambda, (edge, inside): (Edge, i64)) -> Expr {
        let number = |n: i64| Expr::literal(Literal::int(n.into(), Scalar::I64));
        let len = Expr::cast(Scalar::I64, Expr::size(self.lens[dim].clone()));
        let index = match edge {
            Edge::First => number(inside),
            Edge::Last => Expr::binary(BinaryOp::Sub, len.clone(), number(1 + inside)),
        };
        let own = f.params.iter().zip([index, len]).map(|(param, x)| (param.id, x)).collect();
        f.body.instantiate(&BTreeMap::new(), &own)
    }

    /// The point that the boundary says, so far from an edge: short arrays are folded over several times.
    fn folded(
        &self,
        dim: usize,
        boundary: &Boundary,
        (edge, from, distance): (Edge, i64, i64),
        facts: &Facts,
        with: &dyn Fn(i64) -> Expr,
    ) -> Expr {
        let own = |len: i64| match edge {
            Edge::First => source(boundary, from - distance, len) - from,
            Edge::Last => source(boundary, len - 1 - from + distance, len) - (len - 1 - from),
        };
        // Longer ones are folded over once.
        let long = own(4 * FARTHEST);
        let len = &self.lens[dim];
        let is = |n: i64| facts.eq(len, &n.into());
        let short = (1..=distance + 1).filter(|n| *n > from && own(*n) != long && !is(*n).is_no());
        short.fold(with(long), |rest, n| {
            let this = Expr::binary(BinaryOp::Eq, Expr::size(len.clone()), Expr::size(n.into()));
            Expr::if_(this, with(own(n)), rest)
        })
    }
}

impl Part {
    fn windows(&self) -> Option<&Windows> {
        match self {
            Part::State(windows) => Some(windows),
            Part::Other(_) => None,
        }
    }

    fn of(input: &Input, state: &Param, stencil: &Stencil, facts: &Facts) -> Option<Part> {
        let is_free = |e: &Expr| occurrences(e, state.id).count == 0;
        let dims = stencil.dims();
        if input.windows.is_empty() {
            if matches!(input.array.kind(), Kind::Param(p) if p == state) {
                let pads = vec![(0, 0, Boundary::Fold(Fold::Clamp)); dims];
                return Some(Part::State(Windows { pads, are_windows: false }));
            }
            return is_free(&input.array).then(|| Part::Other(input.array.clone()));
        }
        if is_free(&input.array) {
            return Some(Part::Other(super::nd::slide_nd(&input.windows, input.array.clone())));
        }
        let pads = padded(dims, &input.array, state)?;
        let (lens, _) = state.ty.shape();
        let is_known = |i: usize| {
            let (l, r, boundary) = &pads[i];
            match boundary {
                Boundary::Fold(_) => true,
                Boundary::Constant(c) => is_free(c),
                Boundary::Value(f) => is_free(&f.body),
                Boundary::Index(f) => is_free(&f.body) && is_near(f, (*l, *r), &lens[i], facts),
            }
        };
        let is_whole = |i: usize| {
            let ((size, step), (l, r, _)) = (&input.windows[i], &pads[i]);
            step.as_const() == Some(1) && facts.eq(size, &(l + r + 1).into()).is_yes()
        };
        let fits = (0..dims).all(|i| is_known(i) && is_whole(i));
        fits.then_some(Part::State(Windows { pads, are_windows: true }))
    }
}

/// What is padded in every dimension, if `e` is `pad^d` of a variable, with numbers.
fn padded(dims: usize, e: &Expr, state: &Param) -> Option<Vec<(i64, i64, Boundary)>> {
    let (own, rows) = match e.as_prim() {
        Some((Prim::Pad, [Arg::Size(l), Arg::Size(r), Arg::Boundary(boundary), Arg::Data(xs)])) => {
            ((l.as_const()?, r.as_const()?, boundary.clone()), xs)
        }
        _ => ((0, 0, Boundary::Fold(Fold::Clamp)), e),
    };
    let is = |e: &Expr, param: &Param| matches!(e.kind(), Kind::Param(p) if p == param);
    let inner = match rows.as_prim() {
        Some((Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)])) if dims > 1 && is(xs, state) => {
            let [row] = f.params.as_slice() else { return None };
            padded(dims - 1, &f.body, row)?
        }
        _ if is(rows, state) => vec![(0, 0, Boundary::Fold(Fold::Clamp)); dims - 1],
        _ => return None,
    };
    Some([vec![own], inner].concat())
}

/// The variable that is padded.
fn variable(e: &Expr) -> Option<&Param> {
    match (e.kind(), e.as_prim()) {
        (Kind::Param(param), _) => Some(param),
        (_, Some((Prim::Pad | Prim::Map(Place::View), [.., Arg::Data(xs)]))) => variable(xs),
        _ => None,
    }
}

/// Where the element at an index of an array of this length comes from.
fn source(boundary: &Boundary, i: i64, len: i64) -> i64 {
    match boundary {
        Boundary::Fold(Fold::Mirror) => {
            let j = i.rem_euclid(2 * len);
            j.min(2 * len - 1 - j)
        }
        Boundary::Fold(Fold::Reflect) => {
            let period = (2 * len - 2).max(1);
            let j = i.rem_euclid(period);
            j.min(period - j)
        }
        Boundary::Fold(Fold::Wrap) => i.rem_euclid(len),
        Boundary::Fold(Fold::Clamp) | Boundary::Constant(_) | Boundary::Index(_) | Boundary::Value(_) => {
            i.clamp(0, len - 1)
        }
    }
}
