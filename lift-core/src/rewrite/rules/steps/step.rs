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
use crate::ir::{BinaryOp, Boundary, Expr, Fold, Lambda, Literal, Param, Scalar, Type};
use crate::machine::steps::{FARTHEST, MOST_POINTS};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::stencil::{Input, Stencil, element_of, elements};
use crate::rewrite::rules::steps::boundary::{Edge, folded, inside};
use crate::rewrite::rules::steps::reach::{Access, Halo, Reach};
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
    /// How far a step reaches in every dimension.
    pub reach: Vec<Reach>,
    /// Whether the array is periodic in a dimension.
    wraps: Vec<bool>,
}

/// What a step works on.
enum Part {
    /// The array.
    State(Access),
    /// Something else, element by element.
    Other(Expr),
}

/// Where a step stands.
pub(super) struct Point<'a> {
    /// What is known about sizes.
    pub facts: &'a Facts,
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
    fn from_array(state: &Param, body: &Expr, facts: &Facts) -> Option<Step> {
        let stencil = Stencil::find(body)?;
        let dims = stencil.dims();
        let (lens, element) = state.ty.shape();
        let alike = lens.len() == dims && stencil.f.body.ty() == element;
        let same = alike && lens.iter().zip(&stencil.counts).all(|(n, m)| facts.eq(n, m).is_yes());
        if !same || occurrences(&stencil.f.body, state.id).count > 0 || stencil.f.params.len() != 1 {
            return None;
        }
        let part = |input| Part::of(input, state, dims, facts);
        let parts = stencil.inputs.iter().map(part).collect::<Option<Vec<_>>>()?;
        let Stencil { f, is_zipped, .. } = stencil;
        let none = (vec![Reach::default(); dims], vec![false; dims]);
        let mut step = Step { f, parts, is_zipped, lens: lens.to_vec(), reach: none.0, wraps: none.1 };
        for i in 0..dims {
            let moving = step.moving(i);
            let reach = moving.iter().fold(Reach::default(), |all, halo| all.max(halo.reach()));
            let periodic =
                moving.iter().filter(|halo| matches!(halo.boundary, Boundary::Fold(Fold::Wrap))).count();
            if periodic != 0 && periodic != moving.len() {
                return None;
            }
            (step.reach[i], step.wraps[i]) = (reach, periodic > 0);
        }
        let moves = step.reach.iter().any(|reach| reach.both() > 0);
        (moves && step.farthest() <= FARTHEST && step.reads() <= MOST_POINTS).then_some(step)
    }

    /// The step that an expression is, and the array that it is a step of, if that is a variable.
    pub(super) fn at_root(e: &Expr, facts: &Facts) -> Option<(Step, Expr)> {
        let stencil = Stencil::find(e)?;
        let windows = stencil.inputs.iter().filter(|input| !input.windows.is_empty());
        windows
            .filter_map(|input| Access::of(input, stencil.dims(), facts))
            .find_map(|access| Some((Step::from_array(&access.array, e, facts)?, Expr::param(&access.array))))
    }

    /// The number of dimensions.
    pub(super) fn dims(&self) -> usize {
        self.lens.len()
    }

    /// The type of the elements.
    pub(super) fn element(&self) -> &Type {
        self.f.body.ty()
    }

    /// How far a step reaches in any direction.
    pub(super) fn farthest(&self) -> i64 {
        self.reach.iter().map(|reach| reach.farthest()).fold(0, i64::max)
    }

    /// Whether the points of windows are read one by one.
    pub(super) fn is_named(&self) -> bool {
        elements(&self.f.body, &self.f, &mut BTreeSet::new())
    }

    fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.parts.iter().filter_map(|part| match part {
            Part::State(access) => Some(access),
            Part::Other(_) => None,
        })
    }

    /// What is read around an element in a dimension.
    fn moving(&self, dim: usize) -> Vec<&Halo> {
        let halos = self.accesses().filter_map(|access| access.halos.get(dim));
        halos.filter(|halo| halo.window.both() > 0).collect()
    }

    /// The number of points that are read: those that are named one by one, or all of the windows.
    fn reads(&self) -> i64 {
        let mut named = BTreeSet::new();
        if elements(&self.f.body, &self.f, &mut named) {
            return named.len() as i64;
        }
        let points =
            |access: &Access| access.halos.iter().map(|halo| halo.window.both() + 1).product::<i64>();
        self.accesses().map(points).sum()
    }

    /// What lies around the array before the first of several steps: anything, if it is replaced before every step.
    pub(super) fn around(&self, dim: usize) -> Boundary {
        if self.wraps[dim] { Boundary::Fold(Fold::Wrap) } else { Boundary::Fold(Fold::Clamp) }
    }

    /// What lies around the array in a dimension, if it is the same for all windows.
    pub(super) fn boundary(&self, dim: usize) -> Option<Boundary> {
        let moving = self.moving(dim);
        let Some(first) = moving.first() else { return Some(Boundary::Fold(Fold::Clamp)) };
        moving.iter().all(|halo| halo.boundary == first.boundary).then(|| first.boundary.clone())
    }

    /// Whether it matters in a dimension how far an element is from the edges.
    pub(super) fn has_edges(&self, dim: usize) -> bool {
        !self.wraps[dim] && self.reach[dim].both() > 0
    }

    /// The arrays of other parts, which are read element by element.
    pub(super) fn others(&self) -> Vec<&Expr> {
        let arrays = self.parts.iter().filter_map(|part| match part {
            Part::Other(array) => Some(array),
            Part::State(_) => None,
        });
        arrays.collect()
    }

    /// Whether the array and all other ones are of scalars, which are read in two or three dimensions, one by one.
    pub(super) fn is_flat(&self) -> bool {
        let flat = |array: &&Expr| {
            let (lens, element) = array.ty().shape();
            lens.len() == self.dims() && matches!(element, Type::Scalar(_))
        };
        (2..=3).contains(&self.dims()) && self.is_named() && self.others().iter().all(flat)
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
        let other = |i: usize| any(&nd::element(self.dims(), others[i]).unwrap_or(others[i].ty().clone()));
        self.applied(&Point { facts, at: &at, near: &near, other: &other });
        found.into_inner()
    }

    /// What the step yields at some place.
    pub(super) fn applied(&self, point: &Point) -> Expr {
        self.inside(&self.f.body, point).refresh()
    }

    fn inside(&self, e: &Expr, point: &Point) -> Expr {
        match element_of(e, &self.f).and_then(|path| self.named(&path, point)) {
            Some(value) => value,
            None => e.map_children(&mut |x| self.inside(x, point)),
        }
    }

    /// The part of the function's parameter that is read by these numbers, if it is a part of the array or the whole of
    /// something else.
    fn named(&self, path: &[i64], point: &Point) -> Option<Expr> {
        // The first number is that of the parameter.
        let (part, rest) = match (self.is_zipped, &path[1..]) {
            (false, rest) => (0, rest),
            (true, [part, rest @ ..]) => (*part as usize, rest),
            (true, []) => {
                let parts = (0..self.parts.len() as i64).map(|i| self.named(&[0, i], point));
                return Some(Expr::tuple(parts.collect::<Option<_>>()?));
            }
        };
        match &self.parts[part] {
            Part::Other(_) if rest.is_empty() => {
                let before = self.parts[..part].iter().filter(|part| matches!(part, Part::Other(_))).count();
                Some((point.other)(before))
            }
            Part::State(access) if rest.len() <= access.halos.len() => {
                Some(self.window(&access.halos, rest, point))
            }
            Part::Other(_) | Part::State(_) => None,
        }
    }

    /// What is at these numbers of a window: a point, or an array of such.
    fn window(&self, halos: &[Halo], numbers: &[i64], point: &Point) -> Expr {
        if let Some(halo) = halos.get(numbers.len()) {
            let row = (0..=halo.window.both()).map(|i| self.window(halos, &[numbers, &[i]].concat(), point));
            return Expr::array_literal(row.collect());
        }
        let mut distances: Vec<i64> =
            numbers.iter().zip(halos).map(|(i, halo)| i - halo.window.before).collect();
        distances.resize(self.dims(), 0);
        self.tap(halos, &distances, 0, point)
    }

    /// The point at some distances, which before this dimension are those that the boundary says.
    fn tap(&self, halos: &[Halo], distances: &[i64], dim: usize, point: &Point) -> Expr {
        let Some(Halo { boundary, .. }) = halos.get(dim) else { return (point.at)(distances) };
        let distance = distances[dim];
        let with = |own: i64| {
            let settled = [&distances[..dim], &[own], &distances[dim + 1..]].concat();
            self.tap(halos, &settled, dim + 1, point)
        };
        if self.wraps[dim] {
            return with(distance);
        }
        let edge = if distance < 0 { Edge::First } else { Edge::Last };
        let len = &self.lens[dim];
        (0..distance.abs()).rev().fold(with(distance), |rest, from| {
            let Some(condition) = (point.near)(dim, edge, from) else { return rest };
            let outside = distance.abs() - from;
            let by = match boundary {
                Boundary::Constant(c) => c.clone(),
                Boundary::Value(f) => beyond(f, edge, outside, len),
                Boundary::Index(f) => match inside(f, edge, outside, len, point.facts) {
                    Some(to) => with(edge.distance(from, to)),
                    None => return rest,
                },
                Boundary::Fold(_) => {
                    let found = |len| folded(boundary, outside, len);
                    // Longer ones are folded over once.
                    let long = found(4 * FARTHEST);
                    let is = |n: i64| point.facts.eq(len, &n.into());
                    let short =
                        (from + 1..=distance.abs() + 1).filter(|n| found(*n) != long && !is(*n).is_no());
                    short.fold(with(edge.distance(from, long)), |rest, n| {
                        let this = Expr::binary(BinaryOp::Eq, Expr::size(len.clone()), Expr::size(n.into()));
                        Expr::if_(this, with(edge.distance(from, found(n))), rest)
                    })
                }
            };
            Expr::if_(condition, by, rest)
        })
    }
}

/// What a function says of an index so far outside of an edge.
fn beyond(f: &Lambda, edge: Edge, outside: i64, len: &ArithExpr) -> Expr {
    let number = |n: i64| Expr::literal(Literal::int(n.into(), Scalar::I64));
    let len = Expr::cast(Scalar::I64, Expr::size(len.clone()));
    let index = match edge {
        Edge::First => number(-outside),
        Edge::Last => Expr::binary(BinaryOp::Sub, len.clone(), number(1 - outside)),
    };
    let own = f.params.iter().zip([index, len]).map(|(param, x)| (param.id, x)).collect();
    f.body.instantiate(&BTreeMap::new(), &own)
}

impl Part {
    fn of(input: &Input, state: &Param, dims: usize, facts: &Facts) -> Option<Part> {
        let is_free = |e: &Expr| occurrences(e, state.id).count == 0;
        if is_free(&input.array) {
            let array = input.array.clone();
            return Some(Part::Other(match input.windows.as_slice() {
                [] => array,
                windows => nd::slide_nd(windows, array),
            }));
        }
        let access = Access::of(input, dims, facts).filter(|access| access.array == *state)?;
        let is_known = |halo: &Halo| match &halo.boundary {
            Boundary::Fold(Fold::Clamp)
            | Boundary::Fold(Fold::Mirror)
            | Boundary::Fold(Fold::Reflect)
            | Boundary::Fold(Fold::Wrap) => true,
            Boundary::Constant(c) => is_free(c),
            Boundary::Value(f) | Boundary::Index(f) => is_free(&f.body),
        };
        access.halos.iter().all(is_known).then_some(Part::State(access))
    }
}
