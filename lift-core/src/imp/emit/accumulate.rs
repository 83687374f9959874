//! Reductions to an array that is computed piece by piece.
//!
//! The accumulator is a private array. Where the work-items of a group share its outer dimensions out between
//! them, each keeps only its own part. A trip writes the next accumulator over the last one if each element is
//! read for its own replacement only.

use crate::arith::ArithExpr;
use crate::bug;
use crate::imp::ast::{Expr, Stmt};
use crate::imp::emit::{Closure, Emitter, Env, Value};
use crate::ir::Type;
use crate::low::{Kernel, Kind, Lambda, NodeId, Place};
use crate::memory::{BufferId, Space};
use crate::view::write::Acceptor;
use crate::view::{Cond, Shape};

/// An array in memory: its buffers, at these first indices.
type Stored = (Vec<BufferId>, Vec<ArithExpr>);

impl Emitter<'_> {
    /// Whether a reduction is one of these.
    pub(super) fn accumulates(&self, id: NodeId) -> bool {
        match self.low.kind(id) {
            Kind::Reduce { f, .. } => {
                matches!(self.low.ty(id), Type::Array(..)) && self.low.node(f.body).placed
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
        to: Option<&Acceptor>,
    ) -> Value {
        let low = self.low;
        let Kind::Reduce { unrolled, f, init, xs, var, .. } = low.kind(id) else { bug!("not a reduction") };
        let place = if *unrolled { Place::Unrolled } else { Place::Sequential };
        let start = self.eval(*init, env);
        let ty = low.ty(id).clone();
        let own = to.and_then(Acceptor::known_place);
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
                e.store(f.f.body, &env, &Acceptor::stored(buffers.clone(), at.clone()));
            } else {
                let next = e.shared_out("next", &ty, f.f.body);
                e.store(f.f.body, &env, &Acceptor::stored(next.clone(), Vec::new()));
                let next = e.stored(&next, &[], &ty);
                e.fill_own(&(buffers.clone(), at.clone()), &ty, next);
            }
        });
        state
    }

    /// The private array that a value is.
    fn private_place(&self, value: &Value) -> Option<Stored> {
        let Value::Array(view) = value else { return None };
        let Shape::Stored(buffers, at, _) = view.shape() else { return None };
        let private = buffers.iter().all(|id| self.buffers[id.0 as usize].space == Space::Private);
        private.then(|| (buffers.clone(), at.clone()))
    }

    /// Private arrays for a value that a node computes; the dimensions of its local maps are shared out.
    fn shared_out(&mut self, name: &str, ty: &Type, body: NodeId) -> Vec<BufferId> {
        let dims = local_dimensions(body, self.low);
        let buffers = self.private(name, ty);
        let (lens, _) = ty.shape();
        // A work-item that takes several turns keeps more than one element.
        let one_each = dims.iter().zip(&lens).all(|(d, len)| {
            self.group_shape().get(*d).is_some_and(|extent| self.facts.le(len, extent).is_yes())
        });
        let ids: Vec<ArithExpr> =
            if one_each { dims.iter().map(|d| self.local_id(*d)).collect() } else { Vec::new() };
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
    fn fill_own(&mut self, (buffers, at): &Stored, ty: &Type, value: Value) {
        let shared = buffers.first().map(|id| self.buffers[id.0 as usize].shared.clone()).unwrap_or_default();
        let mut to = Acceptor::stored(buffers.clone(), at.clone());
        let (mut ty, mut value) = (ty.clone(), value);
        let mut guards = Vec::new();
        for id in shared.iter().skip(at.len()) {
            let (Type::Array(element, len), Value::Array(view)) = (&ty, &value) else {
                bug!("{ty} is not shared out")
            };
            let view = view.clone();
            let d = self.low.local_ids.iter().position(|own| id.as_var() == Some(own));
            let extent = d.and_then(|d| self.group_shape().get(d));
            if !extent.is_some_and(|extent| self.facts.eq(extent, len).is_yes()) {
                guards.push(Cond::Less(id.clone(), len.clone()));
            }
            to = self.accept(&to, id);
            ty = Type::clone(element);
            value = self.element(&view, id);
        }
        let stmts = self.block(|e| e.written_out(|e| e.copied(&to, &ty, &mut |_| value.clone())));
        // An item beyond the end keeps nothing that it could read.
        match Expr::all(&guards) {
            Some(inside) if stmts.iter().any(reads) => self.push(Stmt::If(inside, stmts, Vec::new())),
            Some(_) | None => stmts.into_iter().for_each(|stmt| self.push(stmt)),
        }
    }
}

/// Whether a statement reads memory.
fn reads(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.exprs().iter().for_each(|e| {
        e.visit(&mut |e| found |= matches!(e, Expr::Load(..) | Expr::Vector(..)));
    });
    found || stmt.blocks().iter().any(|block| block.iter().any(reads))
}

/// The dimensions of the local maps that write a value, outermost first.
fn local_dimensions(body: NodeId, low: &Kernel) -> Vec<usize> {
    match low.kind(body) {
        Kind::Let(_, _, body) => local_dimensions(*body, low),
        Kind::Map { place: Place::Local(d), f, .. } => [vec![*d], local_dimensions(f.body, low)].concat(),
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
                Kind::Zip(parts) => {
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
            acc.is(*init, low) && !acc.occurs(*xs, low) && !acc.occurs(f.body, low) && low.node(f.body).placed
        }
        _ => false,
    }
}
