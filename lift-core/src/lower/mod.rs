//! From a variant's term to a [`low::Kernel`].
//!
//! Before: a typed term with places. After: an arena in which every binder is unique and every loop has a
//! variable with a range. The launch geometry is read off the places. No user errors from here on: what is
//! illegal is a bug of the compiler.

mod names;
mod search;

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Var};
use crate::bug;
use crate::explore::variant::Variant;
use crate::ir::build::fresh_id;
use crate::ir::prim::Write;
use crate::ir::{self, Arg, Atomic, ByKey, Expr, Memory, Order, Prim, Type};
use crate::low::{self, Binder, Geometry, Kind, Lambda, Layout, LoopStyle, Node, NodeId, Place};

/// Lowers one version of a kernel.
pub fn lower(kernel: &ir::Kernel, variant: &Variant) -> low::Kernel {
    let mut lowering = Lowering {
        nodes: Vec::new(),
        facts: variant.facts.clone(),
        names: names::Names::of(&variant.body),
        local: &variant.local,
        extents: BTreeMap::new(),
        sequential: 0,
        spread: None,
    };
    let local_ids = lowering.local_ids();
    let root = lowering.expr(&variant.body);
    let geometry = lowering.geometry();
    let low = low::Kernel {
        name: kernel.name.clone(),
        sizes: kernel.sizes.clone(),
        tunables: variant.tunables.iter().map(|t| t.var.clone()).collect(),
        facts: lowering.facts,
        params: kernel.params.clone(),
        nodes: lowering.nodes,
        root,
        outputs: kernel.outputs.clone(),
        geometry,
        local_ids,
    };
    low::check::check(&low);
    low
}

struct Lowering<'a> {
    nodes: Vec<Node>,
    facts: Facts,
    names: names::Names,
    local: &'a [ArithExpr],
    /// The number of elements of the maps over global items (`false`) or groups (`true`), by dimension.
    extents: BTreeMap<(bool, usize), ArithExpr>,
    /// How many sequential maps are around.
    sequential: usize,
    /// A variable for the one map of the launch, if the parts of it are the results.
    spread: Option<u32>,
}

impl Lowering<'_> {
    fn local_ids(&mut self) -> Vec<Var> {
        let names = ["lx", "ly", "lz"];
        let mut ids = Vec::new();
        for (len, name) in self.local.iter().zip(names) {
            let id = Var::new(fresh_id(), name);
            self.facts.declare(&id, Some(ArithExpr::zero()), Some(len - 1));
            ids.push(id);
        }
        ids
    }

    fn geometry(&self) -> Geometry {
        let dims = |groups: bool| {
            let last =
                self.extents.keys().filter(|(g, _)| *g == groups).map(|(_, d)| d + 1).max().unwrap_or(0);
            (0..last)
                .map(|d| self.extents.get(&(groups, d)).cloned().unwrap_or_else(ArithExpr::one))
                .collect::<Vec<_>>()
        };
        let (items, mut groups) = (dims(false), dims(true));
        if groups.is_empty() {
            let items = if items.is_empty() { vec![ArithExpr::one()] } else { items };
            let mut local = self.local.to_vec();
            local.resize(items.len(), ArithExpr::one());
            return match self.local {
                [] => Geometry::Items(items),
                _ => Geometry::Shaped { items, local },
            };
        }
        if !items.is_empty() {
            bug!("a kernel with `map_global` and `map_workgroup`");
        }
        let mut local = self.local.to_vec();
        let rank = groups.len().max(local.len());
        groups.resize(rank, ArithExpr::one());
        local.resize(rank, ArithExpr::one());
        Geometry::Groups { groups, local }
    }

    fn push(&mut self, kind: Kind, ty: &Type) -> NodeId {
        let own = match &kind {
            Kind::Map { place, .. } | Kind::Scan { place, .. } => *place != Place::View,
            Kind::ByKey(_) => true,
            Kind::Param(id) => self.spread == Some(*id),
            _ => false,
        };
        let placed = own || kind.stored_with().into_iter().any(|x| self.placed(x));
        self.nodes.push(Node { kind, ty: ty.clone(), placed });
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn placed(&self, id: NodeId) -> bool {
        self.nodes[id.0 as usize].placed
    }

    fn binder(param: &ir::Param) -> Binder {
        Binder { id: param.id, name: param.name.to_string(), ty: param.ty.clone() }
    }

    fn lambda(&mut self, f: &ir::Lambda) -> Lambda {
        let params = f.params.iter().map(Lowering::binder).collect();
        Lambda { params, body: self.expr(&f.body) }
    }

    fn exprs(&mut self, xs: &[Expr]) -> Vec<NodeId> {
        xs.iter().map(|x| self.expr(x)).collect()
    }

    fn expr(&mut self, e: &Expr) -> NodeId {
        let kind = match e.kind() {
            ir::Kind::Param(p) => Kind::Param(p.id),
            ir::Kind::Literal(l) => Kind::Literal(*l),
            ir::Kind::Size(n) => Kind::Size(n.clone()),
            ir::Kind::Unary(op, x) => Kind::Unary(*op, self.expr(x)),
            ir::Kind::Binary(op, a, b) => Kind::Binary(*op, self.expr(a), self.expr(b)),
            ir::Kind::Math(f, xs) => Kind::Math(*f, self.exprs(xs)),
            ir::Kind::Cast(scalar, x) => Kind::Cast(*scalar, self.expr(x)),
            ir::Kind::If(c, a, b) => Kind::If(self.expr(c), self.expr(a), self.expr(b)),
            ir::Kind::Tuple(xs) => Kind::Tuple(self.exprs(xs)),
            ir::Kind::Field(x, i) => Kind::Field(self.expr(x), *i),
            ir::Kind::ArrayLiteral(xs) => Kind::ArrayLiteral(self.exprs(xs)),
            ir::Kind::Let(p, value, body) => {
                let value = self.expr(value);
                // What follows says where the parts of it go.
                if low::is_global_map(&self.nodes, value) {
                    self.spread = Some(p.id);
                }
                Kind::Let(Lowering::binder(p), value, self.expr(body))
            }
            ir::Kind::Prim(prim, args) => self.prim(e, *prim, args),
        };
        self.push(kind, e.ty())
    }

    fn prim(&mut self, e: &Expr, prim: Prim, args: &[Arg]) -> Kind {
        match (prim, args) {
            (Prim::Map(place), [Arg::Fun(f), Arg::Data(xs)]) => self.map(place, f, xs),
            (Prim::Reduce(_), [Arg::Fun(f), Arg::Data(init), Arg::Data(xs)]) => {
                self.reduce(prim == Prim::Reduce(Order::Unrolled), f, init, xs)
            }
            (Prim::Iterate, [Arg::Data(count), Arg::Fun(f), Arg::Data(init)]) => {
                let count = self.expr(count);
                let init = self.expr(init);
                Kind::Iterate { count, ends: false, f: self.lambda(f), init }
            }
            (Prim::IterateUntil, [Arg::Data(count), Arg::Fun(done), Arg::Fun(f), Arg::Data(init)]) => {
                let count = self.expr(count);
                let init = self.expr(init);
                Kind::Iterate { count, ends: true, f: self.lambda(&until(done, f)), init }
            }
            (Prim::Scan(_), [Arg::Fun(f), Arg::Data(init), Arg::Data(xs)]) => {
                let is_placed = prim == Prim::Scan(Order::Sequential);
                let place = if is_placed { Place::Sequential } else { Place::View };
                let var = Var::new(fresh_id(), self.names.map(place, self.sequential));
                let init = self.expr(init);
                let xs = self.expr(xs);
                Kind::Scan { place, emits: false, var, f: self.lambda(f), init, xs }
            }
            (Prim::ScanWith, [Arg::Fun(f), Arg::Data(init), Arg::Data(xs)]) => {
                let place = Place::Sequential;
                let var = Var::new(fresh_id(), self.names.map(place, self.sequential));
                let init = self.expr(init);
                let xs = self.expr(xs);
                Kind::Scan { place, emits: true, var, f: self.lambda(f), init, xs }
            }
            (
                Prim::ReduceByKey(ByKey::Whole),
                [Arg::Size(bins), Arg::Fun(f), Arg::Data(z), Arg::Data(keys), Arg::Data(xs)],
            ) => self.searched(&search::by_key(bins, (f, z), keys, xs)),
            (Prim::ReduceByKey(_), _) => self.by_key(e, args),
            (Prim::SlideSeq, [Arg::Size(size), Arg::Size(step), Arg::Data(xs)]) => {
                let (name, of) = (names::of_data(xs), self.expr(xs));
                Kind::SlideSeq { name, size: size.clone(), step: step.clone(), of }
            }
            (Prim::Array, [Arg::Size(_), Arg::Fun(f)]) => Kind::Generate(self.lambda(f)),
            (Prim::At, [Arg::Data(i), Arg::Data(xs)]) => {
                let i = self.expr(i);
                Kind::At(i, self.expr(xs))
            }
            (Prim::Store(memory), [Arg::Data(xs)]) if memory != Memory::Temporary => {
                self.store(memory, Vec::new(), xs)
            }
            (Prim::Increase(_), [room @ .., Arg::Data(xs)]) => self.with_room(room, xs),
            (prim, args) if prim.is_rearrangement() => self.layout(e, prim, args),
            _ => bug!("arguments of {e}"),
        }
    }

    fn reduce(&mut self, unrolled: bool, f: &ir::Lambda, init: &Expr, xs: &Expr) -> Kind {
        let var = Var::new(fresh_id(), "k");
        self.facts.declare(&var, Some(ArithExpr::zero()), Some(xs.ty().length() - 1));
        let style = match self.names.windows {
            true => LoopStyle::Window(names::reductions(&f.body).max(names::reductions(xs))),
            false => LoopStyle::Plain,
        };
        let init = self.expr(init);
        let xs = self.expr(xs);
        Kind::Reduce { style, unrolled, var, f: self.lambda(f), init, xs }
    }

    /// A reduction of a range of elements by key.
    fn by_key(&mut self, e: &Expr, args: &[Arg]) -> Kind {
        let (copies, rest) = match args {
            [Arg::Size(_), Arg::Size(copies), rest @ ..] => (Some(copies.clone()), rest),
            [Arg::Size(_), rest @ ..] => (None, rest),
            _ => bug!("arguments of {e}"),
        };
        let [Arg::Fun(f), rest @ ..] = rest else { bug!("arguments of {e}") };
        let data: Vec<NodeId> = rest.iter().filter_map(Arg::data).map(|x| self.expr(x)).collect();
        let [init, from, to, keys, xs] = data[..] else { bug!("arguments of {e}") };
        let atomic = Atomic::of(f);
        let f = self.lambda(f);
        Kind::ByKey(Box::new(low::ByKey { copies, atomic, f, init, from, to, keys, xs, span: e.span() }))
    }

    fn layout(&mut self, e: &Expr, prim: Prim, args: &[Arg]) -> Kind {
        let (others, arrays) = args.split_at(if prim.is_variadic() { 0 } else { args.len() - 1 });
        let scattered = prim.write() == Write::Scattered;
        let before = if scattered { Vec::new() } else { self.layout_args(others) };
        let arrays: Vec<NodeId> = arrays.iter().filter_map(Arg::data).map(|x| self.expr(x)).collect();
        match args {
            // The node stays behind, unused.
            [Arg::Fun(p), Arg::Data(xs)] if scattered && !self.placed(arrays[0]) => {
                self.searched(&search::scatter(p, xs))
            }
            [Arg::Data(dst), Arg::Data(idx), Arg::Data(xs)] if scattered && !self.placed(arrays[0]) => {
                self.searched(&search::scatter_to(dst, idx, xs))
            }
            _ => {
                // The first of two is stored into.
                let after = if scattered { self.layout_args(&others[others.len() - 1..]) } else { before };
                Kind::Layout(Layout { prim, args: after, span: e.span() }, arrays)
            }
        }
    }

    fn layout_args(&mut self, args: &[Arg]) -> Vec<low::Arg> {
        args.iter().map(|arg| arg.map(self, |low, x| low.expr(x), |low, f| low.lambda(f))).collect()
    }

    fn store(&mut self, memory: Memory, room: Vec<(ArithExpr, ArithExpr)>, xs: &Expr) -> Kind {
        Kind::Store { memory, name: names::of_data(xs), of: self.expr(xs), room }
    }

    /// What is stored in local memory with room around it.
    fn with_room(&mut self, room: &[Arg], xs: &Expr) -> Kind {
        let sizes: Vec<&ArithExpr> = room.iter().filter_map(Arg::size).collect();
        let room = sizes.chunks_exact(2).map(|side| (side[0].clone(), side[1].clone())).collect();
        match xs.as_prim() {
            Some((Prim::Store(Memory::Local), [Arg::Data(of)])) => self.store(Memory::Local, room, of),
            _ => bug!("room around {xs}, which is not stored in local memory"),
        }
    }

    /// What is scattered but read, as the search that it takes.
    fn searched(&mut self, e: &Expr) -> Kind {
        match e.as_prim() {
            Some((Prim::Array, [_, Arg::Fun(f)])) => Kind::Generate(self.lambda(f)),
            _ => bug!("a search is a function of the index, not {e}"),
        }
    }

    fn map(&mut self, place: Place, f: &ir::Lambda, xs: &Expr) -> Kind {
        let len = xs.ty().length();
        let var = Var::new(fresh_id(), self.names.map(place, self.sequential));
        if let Place::Global(d) | Place::Group(d) = place {
            let key = (matches!(place, Place::Group(_)), d);
            match self.extents.get(&key) {
                None => {
                    self.extents.insert(key, len.clone());
                }
                Some(other) if self.facts.eq(other, &len).is_yes() => {}
                // Side by side, each map guards its own range.
                Some(other) if !key.0 => {
                    let most = self.facts.simplify(&ArithExpr::max(other, &len));
                    self.extents.insert(key, most);
                }
                Some(other) => bug!("groups for {other} and for {len} elements in one dimension"),
            }
        }
        if let Place::Local(d) = place
            && d >= self.local.len()
        {
            bug!("`map_local({d}, …)` in work-groups of {} dimensions", self.local.len());
        }
        if place != Place::View {
            self.facts.declare(&var, Some(ArithExpr::zero()), Some(len - 1));
        }
        let sequential = usize::from(place == Place::Sequential);
        let xs = self.expr(xs);
        self.sequential += sequential;
        let f = self.lambda(f);
        self.sequential -= sequential;
        Kind::Map { place, var, f, xs }
    }
}

/// Whether a state is the last, and the one after it, as one function.
fn until(done: &ir::Lambda, f: &ir::Lambda) -> ir::Lambda {
    let ([own], [state]) = (done.params.as_slice(), f.params.as_slice()) else {
        bug!("`iterate_until` with functions of several parameters")
    };
    let same = BTreeMap::from([(own.id, Expr::param(state))]);
    let done = done.body.instantiate(&BTreeMap::new(), &same);
    f.with_body(Expr::tuple(vec![done, f.body.clone()]))
}
