//! Where results go: rearrangements, seen from the side that writes.
//!
//! Before: an expression whose elements are computed piece by piece, inside rearrangements. After: an
//! [`WriteView`] for the elements that are computed, which knows where each of them goes, and the conditions
//! under which it is wanted at all.

use std::rc::Rc;

use crate::arith::{ArithExpr, Facts};
use crate::bug;
use crate::ir::Type;
use crate::ir::prim::{Prim, Write};
use crate::low::{Arg, Kernel, Kind, Lambda, NodeId, Place};
use crate::memory::BufferId;
use crate::view::{Cond, leaves, read};

/// Where something goes; cheap to clone.
#[derive(Debug, Clone)]
pub struct WriteView {
    target: Rc<Target>,
    /// What must hold for an element to be wanted.
    pub guards: Vec<Cond>,
}

/// Where element `i` goes of what is scattered in a way known by a number, and what must hold for it to be wanted.
pub type Scatter<'a> = dyn FnMut(usize, &ArithExpr) -> (ArithExpr, Vec<Cond>) + 'a;

#[derive(Debug)]
enum Target {
    /// The buffers, at these first indices.
    Stored(Vec<BufferId>, Vec<ArithExpr>),
    /// Element `i` goes where the other takes `i + offset`.
    Shifted(ArithExpr, WriteView),
    /// Row `i` goes where the other takes the elements from `i` times this number on: takes what is joined.
    Rows(ArithExpr, WriteView),
    /// Element `i` goes to row `i / m`: takes what is split.
    Flat(ArithExpr, WriteView),
    /// Swaps the first two indices.
    Transposed(WriteView),
    /// Takes column `j`.
    Column(WriteView, ArithExpr),
    /// Takes only the elements from the first number on, below the second.
    Range(Option<ArithExpr>, Option<ArithExpr>, WriteView),
    /// Each element is rearranged by the function.
    Each(Lambda, WriteView),
    /// Element `i` goes where somebody else knows, who knows this by a number.
    Scattered(usize, WriteView),
    /// Each part of a tuple goes to a place of its own; so many leaves each.
    Parts(Vec<(usize, WriteView)>),
}

impl WriteView {
    /// All of the buffers.
    pub fn stored(buffers: Vec<BufferId>, indices: Vec<ArithExpr>) -> WriteView {
        WriteView::new(Target::Stored(buffers, indices))
    }

    /// The place for what is scattered in a way known by that number.
    pub fn scattered(&self, number: usize) -> WriteView {
        WriteView::new(Target::Scattered(number, self.clone()))
    }

    /// The places for the parts of a tuple, with the number of leaves of each.
    pub fn of_parts(parts: Vec<(usize, WriteView)>) -> WriteView {
        WriteView::new(Target::Parts(parts))
    }

    /// The places of the parts, if they have places of their own.
    pub fn parts(&self) -> Option<Vec<(usize, WriteView)>> {
        match &*self.target {
            Target::Parts(parts) => {
                let guarded =
                    |(n, part): &(usize, WriteView)| (*n, part.clone().guarded(self.guards.clone()));
                Some(parts.iter().map(guarded).collect())
            }
            _ => None,
        }
    }

    fn new(target: Target) -> WriteView {
        WriteView { target: Rc::new(target), guards: Vec::new() }
    }

    /// The same place for what is `offset` elements further on.
    pub fn shifted(&self, offset: ArithExpr) -> WriteView {
        WriteView::new(Target::Shifted(offset, self.clone()))
    }

    /// The place of a part of a tuple: so many buffers after the first so many.
    pub fn part(&self, before: usize, count: usize) -> WriteView {
        if let Some(parts) = self.parts() {
            return WriteView::among(parts, before, count);
        }
        let (buffers, indices) = self.place();
        let part = WriteView::stored(buffers[before..before + count].to_vec(), indices.to_vec());
        part.guarded(self.guards.clone())
    }

    /// The places of the parts of a tuple of this type.
    pub fn of_tuple(&self, ty: &Type) -> Vec<WriteView> {
        let Type::Tuple(parts) = ty else { bug!("the parts of {ty}") };
        let mut before = 0;
        let place = |ty: &Type| {
            before += leaves(ty);
            self.part(before - leaves(ty), leaves(ty))
        };
        parts.iter().map(place).collect()
    }

    /// So many leaves after the first so many of parts that have places of their own.
    fn among(parts: Vec<(usize, WriteView)>, before: usize, count: usize) -> WriteView {
        let mut first = 0;
        let mut found = Vec::new();
        for (n, part) in parts {
            let (from, below) = (before.max(first), (before + count).min(first + n));
            if from < below {
                let whole = (from, below) == (first, first + n);
                let own = if whole { part } else { part.part(from - first, below - from) };
                found.push((below - from, own));
            }
            first += n;
        }
        match <[_; 1]>::try_from(found) {
            Ok([(_, part)]) => part,
            Err(parts) => WriteView::of_parts(parts),
        }
    }

    /// Buffers and indices, when every index is known.
    pub fn place(&self) -> (&[BufferId], &[ArithExpr]) {
        match &*self.target {
            Target::Stored(buffers, indices) => (buffers, indices),
            other => bug!("a scalar or tuple goes to {other:?}"),
        }
    }

    /// The same, if every index is known.
    pub fn known_place(&self) -> Option<(&[BufferId], &[ArithExpr])> {
        match &*self.target {
            Target::Stored(buffers, indices) => Some((buffers, indices)),
            _ => None,
        }
    }

    /// The buffers in which everything ends.
    pub fn buffers(&self) -> Vec<BufferId> {
        match &*self.target {
            Target::Stored(buffers, _) => buffers.clone(),
            Target::Parts(parts) => parts.iter().flat_map(|(_, part)| part.buffers()).collect(),
            Target::Shifted(_, to)
            | Target::Rows(_, to)
            | Target::Flat(_, to)
            | Target::Transposed(to)
            | Target::Column(to, _)
            | Target::Range(_, _, to)
            | Target::Each(_, to)
            | Target::Scattered(_, to) => to.buffers(),
        }
    }

    /// Where element `i` goes. `scattered` says where that is for what is scattered, and whether it is wanted.
    pub fn index(
        &self,
        i: &ArithExpr,
        kernel: &Kernel,
        facts: &Facts,
        scattered: &mut Scatter<'_>,
    ) -> WriteView {
        let mut at = |to: &WriteView, i: &ArithExpr| to.index(i, kernel, facts, scattered);
        let mut result = match &*self.target {
            Target::Stored(buffers, indices) => {
                let indices = [indices.as_slice(), std::slice::from_ref(i)].concat();
                WriteView::stored(buffers.clone(), indices)
            }
            Target::Shifted(offset, to) => at(to, &(i + offset)),
            Target::Rows(m, to) => WriteView::new(Target::Shifted(i * m, to.clone())),
            Target::Flat(m, to) => {
                let row = at(to, &facts.simplify(&i.div(m)));
                at(&row, &facts.simplify(&i.modulo(m)))
            }
            Target::Transposed(to) => WriteView::new(Target::Column(to.clone(), i.clone())),
            Target::Column(to, j) => {
                let row = at(to, i);
                at(&row, j)
            }
            Target::Range(from, below, to) => {
                let mut conds: Vec<Cond> = Vec::new();
                conds.extend(from.iter().map(|from| Cond::AtLeast(i.clone(), from.clone())));
                conds.extend(below.iter().map(|below| Cond::Less(i.clone(), below.clone())));
                let inner = from.as_ref().map_or_else(|| i.clone(), |from| i - from);
                at(to, &inner).guarded(read::unproved(conds, facts))
            }
            Target::Parts(parts) => {
                WriteView::of_parts(parts.iter().map(|(n, part)| (*n, at(part, i))).collect())
            }
            Target::Each(f, to) => at(to, i).through(f.body, f.params[0].id, kernel),
            Target::Scattered(number, to) => {
                let (i, guards) = scattered(*number, i);
                to.index(&i, kernel, facts, scattered).guarded(guards)
            }
        };
        result.guards.splice(0..0, self.guards.iter().cloned());
        result
    }

    /// The same place, under more conditions.
    pub fn guarded(mut self, guards: Vec<Cond>) -> WriteView {
        self.guards.splice(0..0, guards);
        self
    }

    /// The write view for what the outermost operation of `node` rearranges, and which node that is; `None`
    /// when the operation computes something.
    pub fn inwards(&self, node: NodeId, kernel: &Kernel) -> Option<(WriteView, NodeId)> {
        let to = || self.clone();
        let (layout, inner) = match kernel.kind(node) {
            Kind::Layout(layout, xs) if layout.write() == Write::Moved => (layout, xs[0]),
            Kind::Map { place: Place::View, f, xs, .. } if rearranges(f, kernel) => {
                return Some((WriteView::new(Target::Each(f.clone(), to())), *xs));
            }
            _ => return None,
        };
        let target = match (layout.prim, layout.args.as_slice()) {
            (Prim::Join, _) => Target::Rows(kernel.row(inner), to()),
            (Prim::Split, [Arg::Size(m)]) => Target::Flat(m.clone(), to()),
            (Prim::Transpose, _) => Target::Transposed(to()),
            // All of it, as may be known of some sizes only.
            (Prim::Take, [Arg::Size(k)]) if kernel.facts.eq(&kernel.ty(inner).length(), k).is_yes() => {
                return Some((to(), inner));
            }
            (Prim::Take, [Arg::Size(k)]) => Target::Range(None, Some(k.clone()), to()),
            (Prim::Drop, [Arg::Size(k)]) => Target::Range(Some(k.clone()), None, to()),
            // The buffers are those of the tuples' parts anyway.
            (Prim::Unzip, _) => return Some((to(), inner)),
            _ => bug!("elements have no place behind {layout}"),
        };
        Some((WriteView::new(target), inner))
    }

    /// The write view for the parameter of a function that only rearranges.
    fn through(&self, body: NodeId, param: u32, kernel: &Kernel) -> WriteView {
        match self.inwards(body, kernel) {
            Some((to, inner)) => to.through(inner, param, kernel),
            None if matches!(kernel.kind(body), Kind::Param(id) if *id == param) => self.clone(),
            None => bug!("not a rearrangement"),
        }
    }
}

/// Whether the function only rearranges its parameter, in a way that can be followed when writing.
pub fn rearranges(f: &Lambda, kernel: &Kernel) -> bool {
    fn walk(node: NodeId, param: u32, kernel: &Kernel) -> bool {
        match kernel.kind(node) {
            Kind::Param(id) => *id == param,
            Kind::Layout(layout, xs) => layout.write() == Write::Moved && walk(xs[0], param, kernel),
            Kind::Map { place: Place::View, f, xs, .. } => rearranges(f, kernel) && walk(*xs, param, kernel),
            _ => false,
        }
    }
    f.params.len() == 1 && walk(f.body, f.params[0].id, kernel)
}
