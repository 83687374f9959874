//! One map whose parts are stored in layouts of their own, and stores that wait.
//!
//! Before: a definition that work-items compute, and a tuple of layouts of its parts. After: the definition is stored,
//! each part where its layout says. If what is stored replaces what is read, a work-item stores after it has read
//! everything: its values wait in constants.

use std::collections::BTreeMap;

use crate::bug;
use crate::imp::emit::store::flatten;
use crate::imp::emit::{Emitter, Env, Value};
use crate::ir::{Prim, Type};
use crate::low::{Binder, Kind, Layout, NodeId, Place};
use crate::memory::Space;
use crate::view::leaves;
use crate::view::write::WriteView;

impl Emitter<'_> {
    /// Stores the parts of a definition.
    pub(super) fn spread(
        &mut self,
        (binder, value, body): (&Binder, NodeId, NodeId),
        env: &Env,
        to: &WriteView,
    ) {
        let low = self.low;
        let mut env = env.clone();
        let mut body = body;
        while let Kind::Let(inner, value, rest) = low.kind(body) {
            env = self.let_(inner, *value, *rest, &env);
            body = *rest;
        }
        let mut places = BTreeMap::new();
        self.places(binder, body, &env, to, &mut places);
        let ty = match &binder.ty {
            Type::Array(element, _) => element,
            ty => ty,
        };
        let to = assembled(ty, &mut Vec::new(), &places);
        self.store(value, &env, &to);
    }

    /// Where the parts of a variable go, by the fields that lead to them.
    fn places(
        &mut self,
        binder: &Binder,
        id: NodeId,
        env: &Env,
        to: &WriteView,
        places: &mut BTreeMap<Vec<usize>, WriteView>,
    ) {
        let low = self.low;
        match low.kind(id) {
            Kind::Tuple(parts) => {
                for (part, to) in parts.iter().zip(to.of_tuple(low.ty(id))) {
                    self.places(binder, *part, env, &to, places);
                }
            }
            kind => match self.path(id, binder) {
                Some(path) => {
                    places.insert(path, to.clone());
                }
                None => match self.inwards(id, env, to) {
                    Some((to, inner)) => self.places(binder, inner, env, &to, places),
                    None => bug!("no part of `{}`: {kind:?}", binder.name),
                },
            },
        }
    }

    /// The fields that lead from a variable to a node.
    fn path(&self, id: NodeId, binder: &Binder) -> Option<Vec<usize>> {
        match self.low.kind(id) {
            Kind::Param(p) => (*p == binder.id).then(Vec::new),
            Kind::Field(x, i) => {
                let mut path = self.path(*x, binder)?;
                path.push(*i);
                Some(path)
            }
            // The buffers are those of the tuples' parts anyway.
            Kind::Layout(Layout { prim: Prim::Unzip, .. }, xs) => self.path(xs[0], binder),
            _ => None,
        }
    }

    /// Stores the parts of an element, all of which are computed before the first is stored.
    pub(super) fn leaves(&mut self, parts: &[(usize, WriteView)], value: Value) {
        let mut scalars = Vec::new();
        flatten(value, &mut scalars);
        let named: Vec<Value> =
            scalars.into_iter().map(|scalar| Value::Scalar(self.constant("value", scalar))).collect();
        let mut rest = named.as_slice();
        for (count, to) in parts {
            let (own, others) = rest.split_at(*count);
            self.leaf(to, |_| Value::Tuple(own.to_vec()));
            rest = others;
        }
    }

    /// Whether from here on what is stored waits. It does if a parameter and something else are replaced at once.
    pub(super) fn first_to_wait(&mut self, place: Place) -> bool {
        let several = self.low.outputs.len() > 1 && self.low.updates();
        let first = self.waiting.is_none() && several && matches!(place, Place::Global(_));
        if first {
            self.waiting = Some(Vec::new());
            self.copies_written_out = true;
        }
        first
    }

    /// Stores what waits.
    pub(super) fn store_what_waits(&mut self) {
        self.copies_written_out = false;
        for (to, value) in self.waiting.take().unwrap_or_default() {
            self.leaf(&to, |_| value);
        }
    }

    /// Whether what goes there waits.
    pub(super) fn waits(&self, to: &WriteView) -> bool {
        let is_result = |id| self.buffers[id as usize].space == Space::Output;
        self.waiting.is_some() && to.buffers().iter().any(|id| is_result(id.0))
    }

    /// Keeps values until everything is read.
    pub(super) fn wait(&mut self, to: &WriteView, value: Value) {
        let mut scalars = Vec::new();
        flatten(value, &mut scalars);
        let named = scalars.into_iter().map(|scalar| Value::Scalar(self.constant("value", scalar)));
        let value = Value::Tuple(named.collect());
        match self.waiting.as_mut() {
            Some(waiting) => waiting.push((to.clone(), value)),
            None => bug!("nothing waits"),
        }
    }
}

/// The place of a value of which each part has one.
fn assembled(ty: &Type, path: &mut Vec<usize>, places: &BTreeMap<Vec<usize>, WriteView>) -> WriteView {
    match (places.get(path), ty) {
        (Some(to), _) => to.clone(),
        (None, Type::Tuple(parts)) => {
            let mut all = Vec::new();
            for (i, part) in parts.iter().enumerate() {
                path.push(i);
                all.push((leaves(part), assembled(part, path, places)));
                path.pop();
            }
            WriteView::of_parts(all)
        }
        (None, _) => bug!("a part goes nowhere"),
    }
}
