//! Reductions by key: loops that combine every element with what is stored for its key.
//!
//! One work-item does so alone, or the items of a group take turns. Each of them has a copy of the bins for itself then, or combines
//! atomically.

use crate::arith::{ArithExpr, Var};
use crate::bug;
use crate::imp::ast::{Stmt, Unroll};
use crate::imp::emit::index::is_composed;
use crate::imp::emit::{Closure, Emitter, Env, Value};
use crate::ir::build::fresh_id;
use crate::ir::{Atomic, Type};
use crate::low::{ByKey, Kind, NodeId, Place};
use crate::machine::by_key::{MOST_PRIVATE, TOGETHER};
use crate::view::write::WriteView;

/// Which elements a work-item combines: every so many of a range.
struct Turns {
    start: ArithExpr,
    bound: ArithExpr,
    step: ArithExpr,
}

/// Where elements go.
struct Bins<'a> {
    to: &'a WriteView,
    /// How many bins there are.
    len: &'a ArithExpr,
    /// The operation, if others combine in the same bins.
    atomic: Option<Atomic>,
}

impl Emitter<'_> {
    /// Stores a reduction by key.
    pub(super) fn by_key(&mut self, id: NodeId, env: &Env, to: &WriteView) {
        let low = self.low;
        let Kind::ByKey(by_key) = low.kind(id) else { bug!("not a reduction by key") };
        // What is stored is read again.
        let waiting = self.waiting.take();
        match &by_key.copies {
            None => self.by_key_alone(id, by_key, env, to),
            Some(copies) => {
                self.mapped.push(0);
                self.by_key_together((id, by_key), copies, env, to);
                self.mapped.pop();
            }
        }
        self.waiting = waiting;
    }

    /// By one work-item: the first of those that would do the same.
    fn by_key_alone(&mut self, id: NodeId, by_key: &ByKey, env: &Env, to: &WriteView) {
        let free = self.free_dimensions();
        let first = self.is_first_of(&free);
        self.mapped.extend(&free);
        let stmts = self.block(|e| {
            let ty = e.low.ty(id);
            match e.are_few(ty) {
                false => e.combine_in((id, by_key), env, to),
                true => {
                    let buffers = e.private("bins", ty);
                    e.combine_in((id, by_key), env, &WriteView::stored(buffers.clone(), Vec::new()));
                    let bins = e.stored(&buffers, &[], ty);
                    e.copied(to, ty, &mut |_| bins.clone());
                }
            }
        });
        self.mapped.truncate(self.mapped.len() - free.len());
        match first {
            Some(first) => self.push(Stmt::If(first, stmts, Vec::new())),
            None => stmts.into_iter().for_each(|stmt| self.push(stmt)),
        }
    }

    /// Whether a work-item combines in an array of its own, before it stores the result: of a known length, and in the fastest cache.
    fn are_few(&self, ty: &Type) -> bool {
        let bytes: Option<i64> = ty
            .leaves()
            .iter()
            .map(|(dims, scalar)| match dims.as_slice() {
                [len] => self.facts.simplify(len).as_const()?.checked_mul(scalar.bytes()),
                _ => None,
            })
            .sum();
        bytes.is_some_and(|bytes| bytes <= MOST_PRIVATE)
    }

    /// Fills all bins, and combines.
    fn combine_in(&mut self, (id, by_key): (NodeId, &ByKey), env: &Env, to: &WriteView) {
        let first = self.first(by_key, env);
        let bins = self.facts.simplify(&self.low.ty(id).length());
        self.count("b", &bins, |e, b| {
            let bin = e.accept(to, b);
            e.leaf(&bin, |_| first.clone());
        });
        let (start, bound) = self.range(by_key, env);
        let turns = Turns { start, bound, step: ArithExpr::one() };
        self.combine((id, by_key), env, turns, &Bins { to, len: &bins, atomic: None });
    }

    /// By the items of a group in dimension 0. Item `l` takes copy `l % copies`.
    fn by_key_together(
        &mut self,
        (id, by_key): (NodeId, &ByKey),
        copies: &ArithExpr,
        env: &Env,
        to: &WriteView,
    ) {
        let (item, items) = self.share(Place::Local(0));
        let start = self.first(by_key, env);
        let bins = self.facts.simplify(&self.low.bins(id));
        let all = self.facts.simplify(&(&bins * copies));
        let var = Var::new(fresh_id(), "b");
        self.in_turns(&(item.clone(), items.clone()), &var, &all, &mut |e, i| {
            let copy = e.accept(to, &e.facts.simplify(&i.div(&bins)));
            let bin = e.accept(&copy, &e.facts.simplify(&i.modulo(&bins)));
            e.leaf(&bin, |_| start.clone());
        });
        // Nobody combines before everything is there.
        self.push(Stmt::Barrier);
        let alone = self.facts.eq(copies, &items).is_yes();
        let atomic = by_key.atomic.filter(|_| !alone);
        if !alone && atomic.is_none() {
            bug!("several items combine in one copy, and not atomically");
        }
        let (from, bound) = self.range(by_key, env);
        let copy = self.facts.simplify(&item.modulo(copies));
        let to = &self.accept(to, &copy);
        let turns = Turns { start: from + item, bound, step: items };
        self.combine((id, by_key), env, turns, &Bins { to, len: &bins, atomic });
    }

    /// What every bin starts with.
    fn first(&mut self, by_key: &ByKey, env: &Env) -> Value {
        let start = self.eval(by_key.init, env);
        self.constants("start", start)
    }

    /// The first element, and the one after the last.
    fn range(&mut self, by_key: &ByKey, env: &Env) -> (ArithExpr, ArithExpr) {
        let after = self.low.ty(by_key.xs).length() + 1;
        let mut index = |node: NodeId, name: &str| {
            let value = self.eval_scalar(node, env);
            let index = self.as_index(value, &after, name);
            if is_composed(&index, &self.facts) { self.named(&index, || name.to_string()) } else { index }
        };
        (index(by_key.from, "from"), index(by_key.to, "end"))
    }

    /// Combines elements with what is stored for their keys.
    fn combine(
        &mut self,
        (id, by_key): (NodeId, &ByKey),
        env: &Env,
        Turns { start, bound, step }: Turns,
        bins: &Bins<'_>,
    ) {
        let low = self.low;
        let ty = low.ty(by_key.init);
        let (keys, xs) = (self.eval_array(by_key.keys, env), self.eval_array(by_key.xs, env));
        let f = Closure { f: by_key.f.clone(), env: env.clone() };
        let var = Var::new(fresh_id(), "i");
        self.declare(&var, &low.ty(by_key.xs).length(), self.blocks.len());
        let i = ArithExpr::var(&var);
        let body = self.block(|e| {
            let (_, k, guards) = e.wanted(id, &keys, &i, bins.len);
            let bin = e.accept(bins.to, &k).guarded(guards);
            e.where_wanted(&bin, |e| {
                let x = e.element(&xs, &i);
                match bins.atomic {
                    Some(op) => e.combine_atomically(op, &bin, x),
                    None => {
                        let old = e.there(&bin, ty);
                        let next = e.apply(&f, vec![old, x]);
                        e.write(&bin, next);
                    }
                }
            });
        });
        // The elements of several trips are read before one of them is combined.
        let unroll = if step.as_const() == Some(1) { Unroll::No } else { Unroll::By(TOGETHER) };
        self.push(Stmt::For { var, start, bound, step, unroll, body });
    }

    /// The scalar or tuple that is stored at a place. All parts of a tuple are read before one of them is written.
    fn there(&mut self, to: &WriteView, ty: &Type) -> Value {
        match ty {
            Type::Tuple(parts) => {
                let places = to.of_tuple(ty);
                let parts = parts.iter().zip(places).map(|(ty, to)| self.there(&to, ty)).collect();
                self.constants("old", Value::Tuple(parts))
            }
            ty => {
                let (buffers, indices) = to.place();
                self.stored(buffers, indices, ty)
            }
        }
    }

    /// Combines a scalar with what is stored at a place.
    fn combine_atomically(&mut self, op: Atomic, to: &WriteView, x: Value) {
        let ([buffer], indices) = to.place() else { bug!("an atomic operation on a tuple") };
        let Value::Scalar(x) = x else { bug!("a scalar that is none") };
        let index = self.address(*buffer, indices);
        self.push(Stmt::Atomic(op, *buffer, index, x));
    }
}
