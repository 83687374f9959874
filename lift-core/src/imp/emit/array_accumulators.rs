//! Reductions to an array that is computed piece by piece.
//!
//! The accumulator is a private array. Where the work-items of a group share its outer dimensions out between
//! them, each keeps only its own part. A trip writes the next accumulator over the last one if each element is
//! read for its own replacement only.

use crate::arith::ArithExpr;
use crate::bug;
use crate::imp::ast::{Expr, Stmt};
use crate::imp::emit::loop_carried::State;
use crate::imp::emit::{Closure, Emitter, Env, Value, View};
use crate::ir::{Prim, Type};
use crate::low::{Kernel, Kind, Lambda, Layout, NodeId, Place};
use crate::memory::{BufferId, Space};
use crate::view::write::WriteView;
use crate::view::{Cond, Shape};

/// An array in memory: its buffers, at these first indices.
type Stored = (Vec<BufferId>, Vec<ArithExpr>);

/// What a loop carries, in variables or in registers that the items of a group share.
pub(super) struct Carry {
    /// What it is, as the body of the loop sees it.
    pub(super) value: Value,
    kept: Kept,
}

enum Kept {
    State(State),
    Shared(Vec<BufferId>, Type),
}

impl Emitter<'_> {
    /// Whether a reduction is one of these.
    pub(super) fn accumulates(&self, id: NodeId) -> bool {
        match self.low.kind(id) {
            Kind::Reduce { f, .. } => {
                matches!(self.low.ty(id), Type::Array(..)) && is_filled(f.body, self.low)
            }
            _ => false,
        }
    }

    /// Emits such a reduction; the result is its accumulator. It may be where `to` says.
    pub(super) fn accumulate(
        &mut self,
        id: NodeId,
        env: &Env,
        name: Option<&str>,
        to: Option<&WriteView>,
    ) -> Value {
        let low = self.low;
        let Kind::Reduce { unrolled, f, init, xs, var, .. } = low.kind(id) else { bug!("not a reduction") };
        let place = if *unrolled { Place::Unrolled } else { Place::Sequential };
        let start = self.eval(*init, env);
        let ty = low.ty(id).clone();
        let own = to.and_then(WriteView::known_place);
        let own = own.map(|(buffers, at)| (buffers.to_vec(), at.to_vec()));
        let there = self.private_place(&start).filter(|there| own.as_ref() == Some(there));
        let (buffers, at) = match there {
            Some(there) => there,
            None => {
                let name = name.unwrap_or("acc");
                let buffers = self.shared_out(name, &ty, f.body);
                self.begin(&buffers, &ty, start);
                (buffers, Vec::new())
            }
        };
        let state = self.stored(&buffers, &at, &ty);
        let f = Closure { f: f.clone(), env: env.clone() };
        let in_place = is_pointwise(&f.f, low);
        let outer = env;
        self.along((place, var, *xs), outer, &mut |e, view, i| {
            let x = e.element(view, i);
            let env = e.bind(&f.f, vec![state.clone(), x], &f.env);
            if in_place {
                e.store(f.f.body, &env, &WriteView::stored(buffers.clone(), at.clone()));
            } else {
                let next = e.shared_out("next", &ty, f.f.body);
                e.store(f.f.body, &env, &WriteView::stored(next.clone(), Vec::new()));
                let next = e.stored(&next, &[], &ty);
                e.fill_own(&(buffers.clone(), at.clone()), &ty, next);
            }
        });
        state
    }

    /// What a loop carries that starts as `start` of a type, and becomes what a node says: a part of it for each item of a group where they share it.
    pub(super) fn carry(&mut self, name: &str, start: Value, (ty, next): (&Type, NodeId)) -> Carry {
        if !(matches!(ty, Type::Array(..)) && is_filled(next, self.low)) {
            let state = self.state(name, start, ty);
            return Carry { value: state.value.clone(), kept: Kept::State(state) };
        }
        let buffers = self.shared_out(name, ty, next);
        self.begin(&buffers, ty, start);
        Carry { value: self.stored(&buffers, &[], ty), kept: Kept::Shared(buffers, ty.clone()) }
    }

    /// It becomes what the node says.
    pub(super) fn carried(&mut self, carry: &Carry, next: NodeId, env: &Env) {
        match &carry.kept {
            Kept::State(state) => {
                let next = self.eval(next, env);
                self.update(state, next);
            }
            Kept::Shared(buffers, ty) => {
                let new = self.shared_out("next", ty, next);
                self.store(next, env, &WriteView::stored(new.clone(), Vec::new()));
                let new = self.stored(&new, &[], ty);
                self.fill_own(&(buffers.clone(), Vec::new()), ty, new);
            }
        }
    }

    /// The private array that a value is.
    fn private_place(&self, value: &Value) -> Option<Stored> {
        let Value::Array(view) = value else { return None };
        let Shape::Stored(buffers, at, _) = view.shape() else { return None };
        self.is_private(view).then(|| (buffers.clone(), at.clone()))
    }

    /// Whether an array, or the rest of one, is private.
    pub(super) fn is_private(&self, view: &View) -> bool {
        let Shape::Stored(buffers, ..) = view.shape() else { return false };
        buffers.iter().all(|id| self.buffers[id.0 as usize].space == Space::Private)
    }

    /// Private arrays for a value that a node computes; the outer dimensions in which its local maps give every item
    /// one element at most are shared out.
    pub(super) fn shared_out(&mut self, name: &str, ty: &Type, body: NodeId) -> Vec<BufferId> {
        let mut ids = Vec::new();
        let mut rest = ty;
        for place in shared_places(body, self.low) {
            let Type::Array(element, len) = rest else { break };
            let (id, items) = self.share(place);
            if !self.facts.le(len, &items).is_yes() {
                break;
            }
            ids.push(id);
            rest = element;
        }
        let buffers = self.private(name, ty);
        for id in &buffers {
            self.buffers[id.0 as usize].shared = ids.clone();
        }
        buffers
    }

    /// The start of an accumulator.
    fn begin(&mut self, buffers: &[BufferId], ty: &Type, start: Value) {
        self.fill_own(&(buffers.to_vec(), Vec::new()), ty, start);
    }

    /// Copies what this work-item keeps of an array.
    pub(super) fn fill_own(&mut self, (buffers, at): &Stored, ty: &Type, value: Value) {
        let first = buffers.first().map(|id| &self.buffers[id.0 as usize]);
        let (slots, shared) = first.map(|b| (b.slots, b.shared.clone())).unwrap_or_default();
        let to = WriteView::stored(buffers.clone(), at.clone());
        let known = at.len().saturating_sub(slots);
        self.fill_part(shared.get(known..).unwrap_or_default(), &to, ty, value);
    }

    /// Copies the element that these indices give, if it exists.
    fn fill_part(&mut self, ids: &[ArithExpr], to: &WriteView, ty: &Type, value: Value) {
        let [id, ids @ ..] = ids else {
            return self.written_out(|e| e.copied(to, ty, &mut |_| value.clone()));
        };
        let (Type::Array(element, len), Value::Array(view)) = (ty, value) else {
            bug!("{ty} is not shared out")
        };
        let inside = Cond::Less(id.clone(), len.clone());
        let fill = |e: &mut Self| {
            let to = e.accept(to, id);
            let value = e.element(&view, id);
            e.fill_part(ids, &to, element, value);
        };
        if self.facts.nonneg(&inside.margin()).is_yes() {
            return fill(self);
        }
        let ((), body) = self.arm(&[inside.margin()], fill);
        self.push(Stmt::If(Expr::Cond(inside), body, Vec::new()));
    }
}

/// The dimensions of the local maps that write a value, outermost first.
pub(super) fn local_dimensions(body: NodeId, low: &Kernel) -> Vec<usize> {
    let dimension = |place| match place {
        Place::Local(d) => Some(d),
        _ => None,
    };
    shared_places(body, low).into_iter().filter_map(dimension).collect()
}

/// The places of the maps by which a group writes a value, outermost first.
fn shared_places(body: NodeId, low: &Kernel) -> Vec<Place> {
    match low.kind(body) {
        Kind::Let(_, _, body) => shared_places(*body, low),
        Kind::Map { place, f, .. } if place.is_shared_by_group() => {
            [vec![*place], shared_places(f.body, low)].concat()
        }
        _ => Vec::new(),
    }
}

/// What stands for the accumulator, or an element of it.
#[derive(Clone, Copy)]
enum Name {
    /// A variable.
    Whole(u32),
    /// A part of one.
    Part(u32, usize),
}

impl Name {
    fn is(self, node: NodeId, low: &Kernel) -> bool {
        match (self, low.kind(node)) {
            (Name::Whole(id), Kind::Param(param)) => *param == id,
            (Name::Part(id, part), Kind::Field(x, i)) => {
                part == *i && matches!(low.kind(*x), Kind::Param(param) if *param == id)
            }
            _ => false,
        }
    }

    /// Whether it occurs anywhere in a node.
    fn occurs(self, node: NodeId, low: &Kernel) -> bool {
        let kind = low.kind(node);
        let id = match self {
            Name::Whole(id) | Name::Part(id, _) => id,
        };
        match (self, kind) {
            (_, Kind::Param(param)) => *param == id,
            // Another part.
            (Name::Part(_, part), Kind::Field(x, i)) if matches!(low.kind(*x), Kind::Param(param) if *param == id) => {
                part == *i
            }
            _ => {
                let inside = kind.function().map(|f| f.body);
                kind.operands().into_iter().chain(inside).any(|x| self.occurs(x, low))
            }
        }
    }
}

/// Whether a value is computed piece by piece, directly or by a loop that does.
fn is_filled(node: NodeId, low: &Kernel) -> bool {
    match low.kind(node) {
        Kind::Reduce { f, .. } => matches!(low.ty(node), Type::Array(..)) && is_filled(f.body, low),
        _ => low.node(node).placed,
    }
}

/// Whether each element of the accumulator is read for its own replacement only.
fn is_pointwise(f: &Lambda, low: &Kernel) -> bool {
    f.params.first().is_some_and(|acc| replaces(f.body, Name::Whole(acc.id), low))
}

fn replaces(node: NodeId, acc: Name, low: &Kernel) -> bool {
    if !low.ty(node).contains_array() {
        return true;
    }
    match low.kind(node) {
        Kind::Let(_, value, body) => !acc.occurs(*value, low) && replaces(*body, acc, low),
        Kind::Map { place, f, xs, .. } if *place != Place::View => {
            let Some(param) = f.params.first() else { return false };
            let element = match low.kind(*xs) {
                _ if acc.is(*xs, low) => Name::Whole(param.id),
                Kind::Layout(Layout { prim: Prim::Zip, .. }, parts) => {
                    let mut own = parts.iter().enumerate().filter(|(_, x)| acc.occurs(**x, low));
                    match (own.next(), own.next()) {
                        (Some((i, x)), None) if acc.is(*x, low) => Name::Part(param.id, i),
                        _ => return false,
                    }
                }
                _ => return false,
            };
            !acc.occurs(f.body, low) && replaces(f.body, element, low)
        }
        Kind::Reduce { f, init, xs, .. } => {
            acc.is(*init, low) && !acc.occurs(*xs, low) && !acc.occurs(f.body, low) && is_filled(f.body, low)
        }
        _ => false,
    }
}
