//! One step of reading: what element `i` of a view is.

use crate::arith::{ArithExpr, Facts, Truth};
use crate::bug;
use crate::ir::{Boundary, Fold, Type};
use crate::low::NodeId;
use crate::memory::BufferId;
use crate::view::{Choice, Closure, Cond, DeferredSelect, Env, Gathered, Pad, Path, Scan, Shape, View};

/// What an element is.
#[derive(Debug)]
pub enum Step<S> {
    /// What lies in buffers at these indices; of this type.
    Stored(Vec<BufferId>, Vec<ArithExpr>, Type),
    /// What another view has at these indices, one after the other.
    Follow(View<S>, Vec<ArithExpr>),
    /// What another view of this length has at this index, folded back into it.
    Fold(Fold, ArithExpr, ArithExpr, View<S>),
    /// What another view of this length has at this index if all conditions hold, and else at the index that the
    /// function gives for it.
    Remap(Closure<S>, Vec<Cond>, ArithExpr, ArithExpr, View<S>),
    /// An array.
    View(View<S>),
    /// A tuple of the elements of each.
    Each(Vec<View<S>>),
    /// A function of an element of another view.
    Apply(Closure<S>, View<S>),
    /// What an array has at an index that is data.
    Gather(Gathered<S>),
    /// What another view of this length has at the index that a function makes of the index and the length.
    Reorder(Closure<S>, ArithExpr, View<S>),
    /// A function of the index itself.
    Generate(Closure<S>),
    /// One of these expressions.
    Written(Vec<NodeId>, Env<S>),
    /// A part of an element of another view.
    Part(usize, View<S>),
    /// A reduction of the elements up to this one.
    Prefix(Scan<S>),
    /// A choice that is still open.
    Deferred(DeferredSelect<S>),
}

impl<S: Clone> View<S> {
    /// The array of this form.
    pub fn new(shape: Shape<S>) -> View<S> {
        View(shape.into())
    }

    /// The form.
    pub fn shape(&self) -> &Shape<S> {
        &self.0
    }

    /// What element `i` is. What the facts prove about `i` is not computed.
    pub fn step(&self, i: &ArithExpr, facts: &Facts) -> Step<S> {
        match self.shape() {
            Shape::Stored(leaves, indices, ty) => {
                let indices = [indices.as_slice(), std::slice::from_ref(i)].concat();
                Step::Stored(leaves.clone(), indices, element(ty).clone())
            }
            Shape::Same(of) => Step::View(of.clone()),
            Shape::Shifted(offset, of) => Step::Follow(of.clone(), vec![i + offset]),
            Shape::Pieces(step, of) => Step::View(View::new(Shape::Shifted(i * step, of.clone()))),
            Shape::Joined(row, of) => {
                let inner = facts.simplify(&i.modulo(row));
                Step::Follow(of.clone(), vec![facts.simplify(&i.div(row)), inner])
            }
            Shape::Transposed(of) => Step::View(View::new(Shape::Column(of.clone(), i.clone()))),
            Shape::Column(of, j) => Step::Follow(of.clone(), vec![i.clone(), j.clone()]),
            Shape::Padded(pad) => pad.step(i, facts),
            Shape::Zipped(parts) => Step::Each(parts.clone()),
            Shape::Part(index, of) => Step::Part(*index, of.clone()),
            Shape::Concat(parts, ty) => concat(parts, ty, i, facts),
            Shape::Scanned(scan) => Step::Prefix(scan.clone()),
            Shape::Mapped(f, of) => Step::Apply(f.clone(), of.clone()),
            Shape::Gathered(gathered) => Step::Gather(gathered.clone()),
            Shape::Reordered(p, len, of) => Step::Reorder(p.clone(), len.clone(), of.clone()),
            Shape::Generated(f) => Step::Generate(f.clone()),
            Shape::Written(elements, env) => Step::Written(elements.clone(), env.clone()),
            Shape::Deferred(deferred) => Step::Deferred(deferred.at(i)),
        }
    }

    /// The lengths of the loops that visit all elements in order without taking an index apart: rows and what
    /// is in them, if rows are strung together somewhere, and otherwise only the given length.
    pub fn loops(&self, len: &ArithExpr, facts: &Facts) -> Vec<ArithExpr> {
        match self.shape() {
            Shape::Joined(row, of) if row.as_const() != Some(1) => {
                let rows = facts.simplify(&len.div(row));
                [of.loops(&rows, facts), vec![row.clone()]].concat()
            }
            Shape::Mapped(_, of) | Shape::Part(_, of) => of.loops(len, facts),
            Shape::Zipped(parts) => parts
                .iter()
                .map(|part| part.loops(len, facts))
                .max_by_key(|loops| loops.len())
                .unwrap_or_else(|| vec![len.clone()]),
            // No index of the others is taken apart.
            _ => vec![len.clone()],
        }
    }
}

/// Element `i` of arrays one after the other: of the only one that can have it, or a choice.
fn concat<S: Clone>(parts: &[(ArithExpr, View<S>)], ty: &Type, i: &ArithExpr, facts: &Facts) -> Step<S> {
    // From the last that starts at or before `i` for sure, to the one before the first that starts after it.
    let from = parts.iter().rposition(|(start, _)| facts.le(start, i) == Truth::Yes).unwrap_or(0);
    let to = parts.iter().position(|(start, _)| facts.lt(i, start) == Truth::Yes).unwrap_or(parts.len());
    match &parts[from..to.max(from + 1)] {
        [(start, part)] => Step::Follow(part.clone(), vec![i - start]),
        several => Step::Deferred(DeferredSelect {
            choice: Choice::Concat(i.clone(), several.to_vec()),
            path: Vec::new(),
            ty: ty.clone(),
        }),
    }
}

impl<S: Clone> Pad<S> {
    /// Constants become a choice, guarded by what is not known; other boundaries become an index.
    fn step(&self, i: &ArithExpr, facts: &Facts) -> Step<S> {
        let inner = i - &self.left;
        let mut conds = vec![Cond::Less(i.clone(), &self.left + &self.len)];
        // An index is never negative.
        if self.left.as_const() != Some(0) {
            conds.insert(0, Cond::AtLeast(i.clone(), self.left.clone()));
        }
        let conds = unproved(conds, facts);
        if conds.is_empty() {
            return Step::Follow(self.inside.clone(), vec![inner]);
        }
        match &self.edge {
            Boundary::Fold(fold) => Step::Fold(*fold, self.len.clone(), inner, self.inside.clone()),
            Boundary::Index(f) => Step::Remap(f.clone(), conds, self.len.clone(), inner, self.inside.clone()),
            Boundary::Value(f) => Step::Deferred(DeferredSelect {
                choice: Choice::Outside(
                    conds,
                    self.inside.clone(),
                    f.clone(),
                    [inner.clone(), self.len.clone()],
                ),
                path: vec![Path::Index(inner)],
                ty: self.element.clone(),
            }),
            Boundary::Constant(value) => Step::Deferred(DeferredSelect {
                choice: Choice::Guard(conds, self.inside.clone(), value.clone()),
                path: vec![Path::Index(inner)],
                ty: self.element.clone(),
            }),
        }
    }
}

impl<S: Clone> DeferredSelect<S> {
    /// An element of it.
    pub fn at(&self, i: &ArithExpr) -> DeferredSelect<S> {
        self.to(Path::Index(i.clone()), element(&self.ty).clone())
    }

    /// A part of it.
    pub fn field(&self, index: usize) -> DeferredSelect<S> {
        let Type::Tuple(parts) = &self.ty else { bug!("a part of {}", self.ty) };
        self.to(Path::Field(index), parts[index].clone())
    }

    fn to(&self, step: Path, ty: Type) -> DeferredSelect<S> {
        let mut path = self.path.clone();
        path.push(step);
        DeferredSelect { choice: self.choice.clone(), path, ty }
    }
}

/// The conditions that the facts do not prove.
pub fn unproved(conds: Vec<Cond>, facts: &Facts) -> Vec<Cond> {
    conds.into_iter().filter(|cond| facts.nonneg(&cond.margin()) != Truth::Yes).collect()
}

fn element(ty: &Type) -> &Type {
    match ty.as_array() {
        Some((element, _)) => element,
        None => bug!("an element of {ty}"),
    }
}
