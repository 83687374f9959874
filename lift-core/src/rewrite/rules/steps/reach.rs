//! How far around an element a stencil reads an array, and what lies beyond the edges of the array.
//!
//! It is what blocks share that are computed apart from each other: by groups that do several steps at once, or by devices that exchange
//! their borders.

use std::iter::Sum;
use std::ops::Add;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Boundary, Expr, Fold, Kind, Lambda, Param};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::stencil::Input;
use crate::rewrite::rules::steps::boundary::{Edge, inside};

/// How many elements before and after its own place something reads in a dimension.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reach {
    /// Elements with smaller indices.
    pub before: i64,
    /// Elements with larger indices.
    pub after: i64,
}

impl Reach {
    /// Both together.
    pub fn both(self) -> i64 {
        self.before + self.after
    }

    /// The larger one.
    pub fn farthest(self) -> i64 {
        self.before.max(self.after)
    }

    /// What two that read the same array reach.
    pub fn max(self, other: Reach) -> Reach {
        Reach { before: self.before.max(other.before), after: self.after.max(other.after) }
    }
}

/// What two steps reach, one after the other.
impl Add for Reach {
    type Output = Reach;

    fn add(self, other: Reach) -> Reach {
        Reach { before: self.before + other.before, after: self.after + other.after }
    }
}

impl Sum for Reach {
    fn sum<I: Iterator<Item = Reach>>(all: I) -> Reach {
        all.fold(Reach::default(), Add::add)
    }
}

/// What windows are in a dimension.
#[derive(Debug, Clone)]
pub struct Halo {
    /// How far they go from their place.
    pub window: Reach,
    /// What lies beyond the edges of the array.
    pub boundary: Boundary,
}

impl Halo {
    /// How far away elements are read, those included that stand for others beyond the edges: folding an array over at its edges never moves two
    /// indices apart, but it turns them round.
    pub fn reach(&self) -> Reach {
        match self.boundary {
            Boundary::Fold(Fold::Mirror) | Boundary::Fold(Fold::Reflect) => {
                let farthest = self.window.farthest();
                Reach { before: farthest, after: farthest }
            }
            _ => self.window,
        }
    }
}

/// How a stencil reads a variable that is an array.
#[derive(Debug, Clone)]
pub struct Access {
    /// The array.
    pub array: Param,
    /// One for each dimension, outermost first; none if the array is read element by element.
    pub halos: Vec<Halo>,
}

impl Access {
    /// How an input of a stencil in so many dimensions is read, if it is one element, or one window with a number of elements for each
    /// element of a variable. What a function puts beyond the edges is near the same edge.
    pub fn of(input: &Input, dims: usize, facts: &Facts) -> Option<Access> {
        if input.windows.is_empty() {
            let Kind::Param(array) = input.array.kind() else { return None };
            return Some(Access { array: array.clone(), halos: Vec::new() });
        }
        let (array, halos) = padded(dims, &input.array)?;
        let (lens, _) = array.ty.shape();
        let fits = |i: usize| {
            let ((size, step), Halo { window, boundary }) = (&input.windows[i], &halos[i]);
            let is_whole = step.as_const() == Some(1) && facts.eq(size, &(window.both() + 1).into()).is_yes();
            is_whole && !matches!(boundary, Boundary::Index(f) if !is_near(f, *window, &lens[i], facts))
        };
        (0..dims).all(fits).then(|| Access { array: array.clone(), halos })
    }
}

/// The variable of which `e` is `pad^d`, with numbers, and what is padded in every dimension.
fn padded(dims: usize, e: &Expr) -> Option<(&Param, Vec<Halo>)> {
    let (pads, core) = nd::unpadded(dims, e);
    let Kind::Param(array) = core.kind() else { return None };
    let halo = |(l, r, boundary): nd::Padding| {
        let window = Reach { before: l.as_const()?, after: r.as_const()? };
        Some(Halo { window, boundary: boundary.unwrap_or(Boundary::Fold(Fold::Clamp)) })
    };
    Some((array, pads.into_iter().map(halo).collect::<Option<_>>()?))
}

/// Whether a function gives elements that lie no farther inside from both edges than windows reach in that direction, for all that are
/// so far outside.
pub fn is_near(f: &Lambda, window: Reach, len: &ArithExpr, facts: &Facts) -> bool {
    let near = |edge, outside, reach| inside(f, edge, outside, len, facts).is_some_and(|n| n <= reach);
    (1..=window.before).all(|outside| near(Edge::First, outside, window.after))
        && (1..=window.after).all(|outside| near(Edge::Last, outside, window.before))
}
