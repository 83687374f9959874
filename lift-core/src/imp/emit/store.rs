//! The write side: loops around what is stored.

use crate::arith::{ArithExpr, Truth, Var};
use crate::bug;
use crate::imp::ast::{Expr, IndexValue, Stmt, WorkItem};
use crate::imp::emit::blocks::consequences;
use crate::imp::emit::checked::{Scattered, Targets};
use crate::imp::emit::index::first_of_vector;
use crate::imp::emit::{Closure, Emitter, Env, Value};
use crate::imp::lanes;
use crate::ir::build::fresh_id;
use crate::ir::prim::Write;
use crate::ir::{BinaryOp, Literal, Scalar, Type};
use crate::low::{Arg, Geometry, Kernel, Kind, Lambda, NodeId, Place};
use crate::memory::Space;
use crate::view::write::{self, WriteView};
use crate::view::{Cond, Shape, read};

impl Emitter<'_> {
    /// Stores a node.
    pub(super) fn store(&mut self, id: NodeId, env: &Env, to: &WriteView) {
        let low = self.low;
        let node = low.node(id);
        if self.accumulates(id) {
            return self.store_accumulator(id, env, to);
        }
        if !node.placed {
            return self.copied(to, &node.ty, &mut |e| e.eval(id, env));
        }
        match &node.kind {
            Kind::Let(binder, value, body) if low.is_global_map(*value) => {
                self.spread((binder, *value, *body), env, to);
            }
            Kind::Let(binder, value, body) => {
                let env = self.let_(binder, *value, *body, env);
                self.store(*body, &env, to);
            }
            Kind::If(c, a, b) => match self.eval_scalar(*c, env) {
                Expr::Literal(Literal::Bool(c)) => self.beside(if c { *a } else { *b }, env, to),
                cond => {
                    // Where items wait for each other, all of them compute the indices of both arms.
                    let one = |items: &ArithExpr| items.as_const() == Some(1);
                    let alone = self.group_shape().iter().all(one);
                    let known =
                        |holds| if alone { consequences(&cond, holds, &self.facts) } else { Vec::new() };
                    let (holds, fails) = (known(true), known(false));
                    let ((), then) = self.arm(&holds, |e| e.beside(*a, env, to));
                    let ((), otherwise) = self.arm(&fails, |e| e.beside(*b, env, to));
                    self.push(Stmt::If(cond, then, otherwise));
                }
            },
            Kind::Tuple(parts) => {
                for (part, to) in parts.iter().zip(to.of_tuple(low.ty(id))) {
                    self.beside(*part, env, &to);
                }
            }
            Kind::Layout(layout, parts) if layout.write() == Write::Each => {
                let mut start = ArithExpr::zero();
                for part in parts {
                    self.beside(*part, env, &to.shifted(start.clone()));
                    start = start + low.ty(*part).length();
                }
            }
            Kind::Scan { emits: true, .. } => self.scan_with(id, env, to),
            Kind::Scan { .. } => self.scan(id, env, to, &[]),
            Kind::ByKey(_) => self.by_key(id, env, to),
            Kind::Map { place: Place::View, f, xs, .. }
                if low.node(*xs).placed && !write::rearranges(f, low) =>
            {
                self.mapped_scan(id, env, to, Vec::new());
            }
            Kind::Map { place, var, f, xs } if !low.node(*xs).placed => {
                self.store_map((*place, var, f, *xs), env, to);
            }
            _ => match self.inwards(id, env, to) {
                Some((to, inner)) => self.store(inner, env, &to),
                None => bug!("cannot be followed when storing: {:?}", node.kind),
            },
        }
    }

    /// Stores what a reduction computes piece by piece, unless it is there already.
    fn store_accumulator(&mut self, id: NodeId, env: &Env, to: &WriteView) {
        let low = self.low;
        let value = self.accumulate(id, env, None, Some(to));
        let there = match &value {
            Value::Array(view) => match view.shape() {
                Shape::Stored(buffers, at, _) => to.known_place() == Some((buffers, at)),
                _ => false,
            },
            Value::Scalar(_) | Value::Tuple(_) => false,
        };
        if !there {
            self.written_out(|e| e.copied(to, low.ty(id), &mut |_| value.clone()));
        }
    }

    /// Stores the elements of a map.
    fn store_map(&mut self, (place, var, f, xs): (Place, &Var, &Lambda, NodeId), env: &Env, to: &WriteView) {
        // A loop stores as it goes.
        let waiting = matches!(place, Place::Sequential).then(|| self.waiting.take()).flatten();
        self.along((place, var, xs), env, &mut |e, xs, i| {
            let to = e.accept(to, i);
            let is_whole = std::mem::replace(&mut e.is_whole, false);
            let first = e.first_to_wait(place);
            if e.low.ty(f.body).contains_array() {
                let x = e.element(xs, i);
                let env = e.bind(f, vec![x], env);
                e.store(f.body, &env, &to);
            } else {
                e.leaf(&to, |e| {
                    let x = e.element(xs, i);
                    let env = e.bind(f, vec![x], env);
                    e.eval(f.body, &env)
                });
            }
            if first {
                e.store_what_waits();
            }
            e.is_whole = is_whole;
        });
        self.waiting = waiting.or_else(|| self.waiting.take());
    }

    /// The place for what the outermost operation of a node rearranges, and which node that is.
    pub(super) fn inwards(&mut self, id: NodeId, env: &Env, to: &WriteView) -> Option<(WriteView, NodeId)> {
        let low = self.low;
        let (layout, xs) = match low.kind(id) {
            Kind::Layout(layout, xs) if layout.write() == Write::Scattered => (layout, xs),
            _ => return to.inwards(id, low),
        };
        let len = low.ty(id).length();
        let how = match layout.args.as_slice() {
            [Arg::Fun(p)] => Scattered::By(Closure { f: p.clone(), env: env.clone() }, len),
            [Arg::Data(idx)] => {
                let count = low.ty(*idx).length();
                let idx = self.eval_array(*idx, env);
                Scattered::To(Targets { node: id, idx, count, len, is_whole: self.is_whole })
            }
            _ => bug!("where {layout} puts elements"),
        };
        self.scattered.push(how);
        Some((to.scattered(self.scattered.len() - 1), xs[0]))
    }

    /// Stores the result. Groups may have several items in dimensions that no map uses: the first does it.
    pub(super) fn whole(&mut self, env: &Env, to: &WriteView) {
        let root = self.low.root;
        let mut used = Vec::new();
        global_dimensions(root, self.low, &mut used);
        let extents = match &self.low.geometry {
            Geometry::Shaped { local, .. } => local.as_slice(),
            Geometry::Items(_) | Geometry::Groups { .. } => &[],
        };
        let idle = extents.iter().enumerate().filter(|(d, n)| !used.contains(d) && n.as_const() != Some(1));
        let idle: Vec<usize> = idle.map(|(d, _)| d).collect();
        self.by_first(&idle, |e| e.store(root, env, to));
    }

    /// Runs `f` for the first item, or group, in each of these dimensions.
    fn by_first(&mut self, dims: &[usize], f: impl FnOnce(&mut Self)) {
        let (counted, names) = match &self.low.geometry {
            Geometry::Items(_) | Geometry::Shaped { .. } => (WorkItem::Global, GLOBAL_NAMES),
            Geometry::Groups { .. } => (WorkItem::Group, GROUP_NAMES),
        };
        let mut first = Vec::new();
        for d in dims {
            let item = Var::new(fresh_id(), names[*d]);
            self.push(Stmt::Index(item.clone(), IndexValue::Id(counted, *d)));
            first.push(is_first(&ArithExpr::var(&item)));
        }
        let Some(first) = first.into_iter().reduce(Expr::and) else { return f(self) };
        let body = self.block(f);
        self.push(Stmt::If(first, body, Vec::new()));
    }

    /// Stores one of several parts or alternatives of the result. It may have fewer dimensions than others: of the
    /// items that differ in those only, the first does it. What an item or a group keeps, each stores for itself.
    pub(super) fn beside(&mut self, id: NodeId, env: &Env, to: &WriteView) {
        if to.buffers().iter().any(|id| self.buffers[id.0 as usize].space != Space::Output) {
            return self.store(id, env, to);
        }
        let mut own = self.items.clone();
        global_dimensions(id, self.low, &mut own);
        let mut all = Vec::new();
        global_dimensions(self.low.root, self.low, &mut all);
        let missing = (0..GLOBAL_NAMES.len()).filter(|d| all.contains(d) && !own.contains(d));
        let missing: Vec<usize> = missing.collect();
        self.by_first(&missing, |e| e.store(id, env, to));
    }

    /// Runs `f` for the elements of a map that this work-item is responsible for.
    pub(super) fn each(
        &mut self,
        place: Place,
        var: &Var,
        len: &ArithExpr,
        f: &mut dyn FnMut(&mut Self, &ArithExpr),
    ) {
        match place {
            Place::Lanes => match self.in_lanes(var, len, f) {
                Some(stmts) => stmts.into_iter().for_each(|stmt| self.push(stmt)),
                None => self.each(Place::Unrolled, var, len, f),
            },
            Place::Unrolled => match self.facts.simplify(len).as_const() {
                Some(n) => (0..n).for_each(|i| f(self, &i.into())),
                None => bug!("{len} elements are written out"),
            },
            Place::View | Place::Sequential => {
                if self.facts.eq(len, &ArithExpr::one()) == Truth::Yes {
                    f(self, &ArithExpr::zero());
                } else {
                    self.count_with(var, len, f);
                }
            }
            Place::Global(d) => {
                self.identified(var, WorkItem::Global, d);
                self.declare(var, len, self.blocks.len());
                let i = ArithExpr::var(var);
                self.items.push(d);
                let body = self.block(|e| f(e, &i));
                self.items.pop();
                self.push(Stmt::If(Expr::Cond(Cond::Less(i, len.clone())), body, Vec::new()));
            }
            Place::Group(d) => {
                self.items.push(d);
                if self.facts.eq(len, &ArithExpr::one()) == Truth::Yes {
                    f(self, &ArithExpr::zero());
                } else {
                    self.identified(var, WorkItem::Group, d);
                    self.declare(var, len, self.depth());
                    if self.depth() == 0 {
                        self.groups.insert(d, var.clone());
                    }
                    f(self, &ArithExpr::var(var));
                }
                self.items.pop();
            }
            Place::Local(d) => {
                let share = self.share(place);
                self.mapped.push(d);
                self.in_turns(&share, var, len, f);
                self.mapped.pop();
            }
            Place::Warp => {
                let share = self.share(place);
                self.in_warp = true;
                self.in_turns(&share, var, len, f);
                self.in_warp = false;
            }
            Place::Lane => {
                let share = self.share(place);
                self.mapped.push(0);
                self.in_turns(&share, var, len, f);
                self.mapped.pop();
            }
        }
    }

    /// Gives a variable the number of a work-item, unless a copy of the same map has done so.
    fn identified(&mut self, var: &Var, item: WorkItem, d: usize) {
        let defines = |stmt: &Stmt| matches!(stmt, Stmt::Index(other, _) if other == var);
        if !self.blocks.iter().any(|block| block.stmts.iter().any(defines)) {
            self.push(Stmt::Index(var.clone(), IndexValue::Id(item, d)));
        }
    }

    /// The elements of a map together, if that can be done.
    fn in_lanes(
        &mut self,
        var: &Var,
        len: &ArithExpr,
        f: &mut dyn FnMut(&mut Self, &ArithExpr),
    ) -> Option<Vec<Stmt>> {
        let count = u8::try_from(self.facts.simplify(len).as_const()?).ok()?;
        self.declare(var, len, self.blocks.len());
        let body = self.block(|e| f(e, &ArithExpr::var(var)));
        lanes::together(body, var, count, &self.buffers, &mut self.ranges)
    }

    /// Stores a value that is computed as a whole, element by element.
    pub(super) fn copied(&mut self, to: &WriteView, ty: &Type, value: &mut dyn FnMut(&mut Self) -> Value) {
        match ty {
            Type::Tuple(parts) if ty.contains_array() => {
                let Value::Tuple(values) = value(self) else { bug!("a tuple that is none") };
                for ((part, value), to) in parts.iter().zip(values).zip(to.of_tuple(ty)) {
                    self.copied(&to, part, &mut |_| value.clone());
                }
            }
            Type::Scalar(_) | Type::Tuple(_) => self.leaf(to, |e| value(e)),
            Type::Array(element, len) => {
                let Value::Array(view) = value(self) else { bug!("an array that is none") };
                let written_out = self.copies_written_out || self.must_unroll(&view);
                if !written_out && self.copied_together(to, ty, &view) {
                    return;
                }
                let len = &self.facts.simplify(len);
                if let Some(n) = len.as_const().filter(|_| written_out) {
                    for i in 0..n {
                        let i = ArithExpr::cst(i);
                        let to = self.accept(to, &i);
                        self.copied(&to, element, &mut |e| e.element(&view, &i));
                    }
                } else {
                    self.count("i", len, |e, i| {
                        let to = e.accept(to, i);
                        e.copied(&to, element, &mut |e| e.element(&view, i));
                    });
                }
            }
        }
    }

    /// Stores scalars, where they are wanted.
    pub(super) fn leaf(&mut self, to: &WriteView, value: impl FnOnce(&mut Self) -> Value) {
        if self.waits(to) {
            let value = value(self);
            return self.wait(to, value);
        }
        if let Some(parts) = to.parts() {
            let value = value(self);
            return self.leaves(&parts, value);
        }
        self.where_wanted(to, |e| {
            let value = value(e);
            e.write(to, value);
        });
    }

    /// Does what is done with a place, if it is wanted.
    pub(super) fn where_wanted(&mut self, to: &WriteView, f: impl FnOnce(&mut Self)) {
        let mut guards: Vec<Cond> = Vec::new();
        for cond in read::unproved(to.guards.clone(), &self.facts) {
            if !guards.contains(&cond) {
                guards.push(cond);
            }
        }
        let (_, position) = to.place();
        guards.sort_by_key(|cond| {
            let (Cond::Less(a, _) | Cond::AtLeast(a, _)) = cond;
            position.iter().position(|i| i == a)
        });
        if guards.is_empty() {
            return f(self);
        }
        self.name_position(to);
        let known: Vec<ArithExpr> = guards.iter().map(Cond::margin).collect();
        let ((), body) = self.arm(&known, f);
        let guards: Vec<Cond> = guards
            .into_iter()
            .map(|cond| match cond {
                // All elements of a vector have the guard of the first.
                Cond::Less(a, b) => match first_of_vector(&a, &b, &self.facts) {
                    Some(first) => Cond::Less(first, b),
                    None => Cond::Less(self.name_of(&a).unwrap_or(a), b),
                },
                Cond::AtLeast(a, b) => Cond::AtLeast(self.name_of(&a).unwrap_or(a), b),
            })
            .collect();
        if let Some(cond) = Expr::all(&guards) {
            self.push(Stmt::If(cond, body, Vec::new()));
        }
    }

    /// Stores scalars that are there. In dimensions that no map shares out, the first item does it: all of
    /// them have computed the same.
    pub(super) fn write(&mut self, to: &WriteView, value: Value) {
        let (buffers, _) = to.place();
        if buffers.iter().all(|id| self.buffers[id.0 as usize].space == Space::Private) {
            return self.write_all(to, value);
        }
        let shared = self.free_dimensions();
        let first = self.is_first_of(&shared);
        let stmts = self.block(|e| e.write_all(to, value));
        match first {
            Some(first) => self.push(Stmt::If(first, stmts, Vec::new())),
            None => stmts.into_iter().for_each(|stmt| self.push(stmt)),
        }
    }

    /// Whether this item is the first one in these dimensions; nothing if there are none.
    pub(super) fn is_first_of(&mut self, dims: &[usize]) -> Option<Expr> {
        let first: Vec<Expr> = dims.iter().map(|d| is_first(&self.share_of_free(*d).0)).collect();
        first.into_iter().reduce(Expr::and)
    }

    fn write_all(&mut self, to: &WriteView, value: Value) {
        let (buffers, indices) = to.place();
        let mut scalars = Vec::new();
        flatten(value, &mut scalars);
        if scalars.len() != buffers.len() {
            bug!("{} scalars for {} buffers", scalars.len(), buffers.len());
        }
        // What is updated may be read by the values that are stored next.
        if self.low.updates() && scalars.len() > 1 {
            scalars = scalars.into_iter().map(|scalar| self.constant("value", scalar)).collect();
        }
        for (buffer, scalar) in buffers.iter().zip(scalars) {
            let index = self.address(*buffer, indices);
            self.push(Stmt::Store(*buffer, index, scalar));
        }
    }

    /// Names the indices of an element of the result that are sums, as they occur again in conditions.
    fn name_position(&mut self, to: &WriteView) {
        let (buffers, indices) = to.place();
        if !buffers.iter().all(|buffer| self.plan.out.contains(buffer)) {
            return;
        }
        let names = match indices.len() {
            1 => &["i"][..],
            2 => &["row", "col"],
            _ => &["plane", "row", "col"],
        };
        for (index, name) in indices.iter().zip(names) {
            if index.as_var().is_none() && index.as_const().is_none() {
                self.named(index, || (*name).to_string());
            }
        }
    }
}

/// What the ids of work-items are called.
const GLOBAL_NAMES: [&str; 3] = ["col", "row", "plane"];

/// What groups are called, by dimension.
const GROUP_NAMES: [&str; 3] = ["gx", "gy", "gz"];

/// The dimensions of the global maps in a node.
fn global_dimensions(id: NodeId, low: &Kernel, out: &mut Vec<usize>) {
    let kind = low.kind(id);
    if let Kind::Map { place: Place::Global(d) | Place::Group(d), .. } = kind {
        out.push(*d);
    }
    let inside = kind.function().map(|f| f.body);
    kind.operands().into_iter().chain(inside).for_each(|x| global_dimensions(x, low, out));
}

pub(super) fn flatten(value: Value, out: &mut Vec<Expr>) {
    match value {
        Value::Scalar(e) => out.push(e),
        Value::Tuple(parts) => parts.into_iter().for_each(|part| flatten(part, out)),
        Value::Array(_) => bug!("an array where a scalar is stored"),
    }
}

/// `id == 0`
pub(super) fn is_first(id: &ArithExpr) -> Expr {
    let (id, zero) = (Expr::Index(id.clone()), Expr::Index(ArithExpr::zero()));
    Expr::Binary(BinaryOp::Eq, Scalar::Usize, Box::new(id), Box::new(zero))
}
