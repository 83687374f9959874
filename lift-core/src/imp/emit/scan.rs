//! Scans. On the way to the result: a loop that stores every prefix as it goes. Beside that way: kept in
//! private arrays if there are few elements, and else computed anew for every element that is read.

use crate::arith::ArithExpr;
use crate::bug;
use crate::imp::emit::reduce::accumulator_name;
use crate::imp::emit::{Closure, Emitter, Env, Value, View};
use crate::ir::Type;
use crate::low::{Kernel, Kind, NodeId, Place};
use crate::view::write::WriteView;
use crate::view::{Scan, Shape};

/// More elements in registers are gone through in a loop.
const MOST_UNROLLED: i64 = 16;

/// A part of the pair that a function of a state and an element ends with.
fn part(mut body: NodeId, low: &Kernel, i: usize) -> NodeId {
    while let Kind::Let(.., rest) = low.kind(body) {
        body = *rest;
    }
    match low.kind(body) {
        Kind::Tuple(parts) => parts[i],
        _ => bug!("a scan that gives no pair"),
    }
}

impl Emitter<'_> {
    /// Stores the prefixes, with functions applied to each.
    pub(super) fn scan(&mut self, id: NodeId, env: &Env, to: &WriteView, then: &[Closure]) {
        let low = self.low;
        let Kind::Scan { var, f, init, xs, .. } = low.kind(id) else { bug!("not a scan") };
        let len = low.ty(*xs).length();
        let view = self.eval_array(*xs, env);
        let start = self.eval(*init, env);
        let ty = then.last().map_or_else(|| low.ty(*init), |f| low.ty(f.f.body));
        let f = Closure { f: f.clone(), env: env.clone() };
        let state = self.state(accumulator_name(&f.f.params[0].name), start, low.ty(*init));
        let few = self.facts.simplify(&len).as_const().is_some_and(|n| n <= MOST_UNROLLED);
        let place = if few && self.is_private(&view) { Place::Unrolled } else { Place::Sequential };
        self.each(place, var, &len, &mut |e: &mut Emitter<'_>, i: &ArithExpr| {
            let x = e.element(&view, i);
            let next = e.apply(&f, vec![state.value.clone(), x]);
            e.update(&state, next);
            let to = e.accept(to, i);
            e.copied(&to, ty, &mut |e| then.iter().fold(state.value.clone(), |x, f| e.apply(f, vec![x])));
        });
    }

    /// Stores what the function gives for each element, be it computed by one work-item or shared by a group.
    pub(super) fn scan_with(&mut self, id: NodeId, env: &Env, to: &WriteView) {
        let low = self.low;
        let Kind::Scan { var, f, init, xs, .. } = low.kind(id) else { bug!("not a scan") };
        let len = low.ty(*xs).length();
        let view = self.eval_array(*xs, env);
        let start = self.eval(*init, env);
        let next = part(f.body, low, 0);
        let carry = self.carry(accumulator_name(&f.params[0].name), start, (low.ty(*init), next));
        self.each(Place::Sequential, var, &len, &mut |e: &mut Emitter<'_>, i: &ArithExpr| {
            let to = e.accept(to, i);
            let is_whole = std::mem::replace(&mut e.is_whole, false);
            let x = e.element(&view, i);
            let mut env = e.bind(f, vec![carry.value.clone(), x], env);
            let mut body = f.body;
            while let Kind::Let(binder, value, rest) = low.kind(body) {
                env = e.let_(binder, *value, *rest, &env);
                body = *rest;
            }
            e.store(part(body, low, 1), &env, &to);
            e.carried(&carry, next, &env);
            e.is_whole = is_whole;
        });
    }

    /// Stores maps over a scan; `then` are the functions of the maps around.
    pub(super) fn mapped_scan(&mut self, id: NodeId, env: &Env, to: &WriteView, then: Vec<Closure>) {
        match self.low.kind(id) {
            Kind::Map { f, xs, .. } => {
                let f = Closure { f: f.clone(), env: env.clone() };
                self.mapped_scan(*xs, env, to, [vec![f], then].concat());
            }
            _ => self.scan(id, env, to, &then),
        }
    }

    /// The prefixes as an array.
    pub(super) fn scanned(&mut self, id: NodeId, env: &Env) -> Value {
        let low = self.low;
        let ty = low.ty(id);
        if self.is_small(ty) {
            let buffers = self.private("sums", ty);
            self.scan(id, env, &WriteView::stored(buffers.clone(), Vec::new()), &[]);
            return self.stored(&buffers, &[], ty);
        }
        let Kind::Scan { f, init, xs, .. } = low.kind(id) else { bug!("not a scan") };
        let f = Closure { f: f.clone(), env: env.clone() };
        let of = self.eval_array(*xs, env);
        let start = self.eval(*init, env);
        let start = self.constants("start", start);
        Value::Array(View::new(Shape::Scanned(Scan { f, init: (start, low.ty(*init).clone()), of })))
    }

    /// A reduction of the elements up to `i`.
    pub(super) fn prefix(&mut self, scan: &Scan<crate::imp::ast::Expr>, i: &ArithExpr) -> Value {
        let (start, ty): &(Value, Type) = &scan.init;
        let name = accumulator_name(&scan.f.f.params[0].name);
        let state = self.state(name, start.clone(), ty);
        let until = self.facts.simplify(&(i + 1));
        self.count("k", &until, |e, k| {
            let x = e.element(&scan.of, k);
            let next = e.apply(&scan.f, vec![state.value.clone(), x]);
            e.update(&state, next);
        });
        state.value
    }
}
