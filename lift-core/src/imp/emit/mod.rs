//! From nodes to statements.
//!
//! Before: a checked `low` kernel and its memory plan. After: an imperative kernel. Two modes alternate:
//! [`store`] walks inwards from the result with a write view and makes the loops; [`read`] and [`scalar`]
//! compute what is asked for, making statements only where an expression will not do. Indices are simplified
//! with everything that is known at the point of use, and named where they are not plain sums and products.

mod address;
mod array_accumulators;
mod array_literals;
mod blocks;
mod by_key;
mod checked;
mod clamped;
mod cooperative_copy;
mod index;
mod iterate;
mod layout;
mod loop_carried;
mod multi_store;
mod private_arrays;
mod read;
mod reduce;
mod ring;
mod scalar;
mod scan;
mod store;
mod stream;
mod use_counts;
mod work_sharing;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::arith::{ArithExpr, Facts, Var};
use crate::bug;
use crate::imp::ast::{Expr, IndexValue, Kernel, Local, Param, Stmt, Table, WorkItem};
use crate::ir::Type;
use crate::ir::build::fresh_id;
use crate::low::{self, Geometry, Kind, NodeId, Place};
use crate::memory::{Buffer, BufferId, Leaf, Plan};
use crate::program::schedule::Site;
use crate::view;
use crate::view::write::WriteView;

pub(in crate::imp) use blocks::consequences;
pub use index::{has_linear_form, is_linear};

type Value = view::Value<Expr>;
type View = view::View<Expr>;
type Env = view::Env<Expr>;
type Closure = view::Closure<Expr>;

/// Turns a kernel into statements.
pub fn emit(low: &low::Kernel, plan: &Plan) -> Kernel {
    let mut emitter = Emitter {
        low,
        plan,
        facts: low.facts.clone(),
        ranges: low.facts.clone(),
        buffers: plan.buffers.clone(),
        tables: Vec::new(),
        strides: Vec::new(),
        table_names: BTreeMap::new(),
        table_ids: BTreeMap::new(),
        uses: BTreeMap::new(),
        blocks: vec![blocks::Block::default()],
        home: BTreeMap::new(),
        local_ids: false,
        mapped: Vec::new(),
        in_warp: false,
        groups: BTreeMap::new(),
        definitions: BTreeMap::new(),
        sites: Vec::new(),
        in_range: true,
        items: Vec::new(),
        scattered: Vec::new(),
        is_whole: false,
        waiting: None,
        copies_written_out: false,
        rings: BTreeMap::new(),
    };
    let (mut params, env) = emitter.params();
    emitter.kernel_body(&env);
    params.extend(emitter.records());
    let body = emitter.blocks.pop().map(|block| block.stmts).unwrap_or_default();
    let argument = |id: BufferId| params.iter().position(|it| matches!(it, Param::Buffer(own) if *own == id));
    let sites = emitter.sites.iter();
    let sites = sites.map(|it| Site { source: it.source.and_then(argument), ..it.site.clone() }).collect();
    let local_bytes = low.facts.simplify(&(&plan.local_bytes + emitter.ring_bytes()));
    Kernel {
        name: low.name.clone(),
        sizes: low.sizes.clone(),
        tunables: low.tunables.clone(),
        facts: emitter.ranges,
        params,
        buffers: emitter.buffers,
        tables: emitter.tables,
        strides: emitter.strides,
        body,
        geometry: low.geometry.clone(),
        local_bytes,
        sites,
        first_site: 1,
        streams: false,
        aligned: Vec::new(),
    }
}

struct Emitter<'a> {
    low: &'a low::Kernel,
    plan: &'a Plan,
    /// What is known here, with the conditions that were tested.
    facts: Facts,
    /// The ranges of all variables, without those conditions.
    ranges: Facts,
    buffers: Vec<Buffer>,
    tables: Vec<Table>,
    strides: Vec<(Var, ArithExpr)>,
    /// What the user calls the array literals that start with these nodes.
    table_names: BTreeMap<NodeId, String>,
    table_ids: BTreeMap<NodeId, BufferId>,
    /// How often parameters are read in the bodies of their functions, which may be applied many times.
    uses: BTreeMap<(u32, NodeId), Rc<use_counts::Uses>>,
    /// The open blocks, outermost first.
    blocks: Vec<blocks::Block>,
    /// In which of the open blocks a variable is known.
    home: BTreeMap<Var, usize>,
    /// Whether the local ids are declared.
    local_ids: bool,
    /// The dimensions of the local maps around.
    mapped: Vec<usize>,
    /// The numbers of this group in the dimensions in which they are known everywhere.
    groups: BTreeMap<usize, Var>,
    /// Whether a map over warps is around.
    in_warp: bool,
    /// The values of constants.
    definitions: BTreeMap<u32, Expr>,
    /// The operations whose indices are checked.
    sites: Vec<checked::Place>,
    /// Whether no index has to be checked for being in range.
    in_range: bool,
    /// The dimensions of the global maps around.
    items: Vec<usize>,
    /// Where elements go that are scattered.
    scattered: Vec<checked::Scattered>,
    /// Whether what is stored is the result, and not an element of it or something that is kept.
    is_whole: bool,
    /// What waits to be stored until a work-item has read everything, if something does.
    waiting: Option<Vec<(WriteView, Value)>>,
    /// Whether a copy is written out element by element, because its target is to become variables.
    copies_written_out: bool,
    /// The windows in local memory.
    rings: BTreeMap<BufferId, ring::Ring>,
}

impl Emitter<'_> {
    fn params(&mut self) -> (Vec<Param>, Env) {
        let mut params = Vec::new();
        let mut env = Env::new();
        for param in &self.low.params {
            let Some(leaves) = self.plan.params.get(&param.id) else { bug!("`{}` is nowhere", param.name) };
            let value = passed(&param.ty, &mut leaves.iter(), &mut params);
            env = env.bind(param.id, value);
        }
        let new = self.plan.out.iter().zip(self.low.output_leaves()).filter(|(_, updated)| updated.is_none());
        params.extend(new.map(|(id, _)| Param::Buffer(*id)));
        params.extend(self.plan.scratch.iter().copied().map(Param::Buffer));
        (params, env)
    }

    fn kernel_body(&mut self, env: &Env) {
        let to = WriteView::stored(self.plan.out.clone(), Vec::new());
        self.is_whole = true;
        if self.is_parallel() {
            return self.whole(env, &to);
        }
        // One work-item does it all.
        let item = Var::new(fresh_id(), "item");
        self.push(Stmt::Index(item.clone(), IndexValue::Id(WorkItem::Global, 0)));
        let stmts = self.block(|e| e.store(e.low.root, env, &to));
        self.push(Stmt::If(store::is_first(&ArithExpr::var(&item)), stmts, Vec::new()));
    }

    fn is_parallel(&self) -> bool {
        let parallel =
            |kind: &Kind| matches!(kind, Kind::Map { place: Place::Global(_) | Place::Group(_), .. });
        self.low.nodes.iter().any(|node| parallel(&node.kind))
    }

    /// The work-group shape; empty without work-groups.
    fn group_shape(&self) -> &[ArithExpr] {
        match &self.low.geometry {
            Geometry::Items(_) | Geometry::Shaped { .. } => &[],
            Geometry::Groups { local, .. } => local,
        }
    }
}

/// What a parameter stands for, leaf by leaf; all leaves become parameters of the kernel function.
fn passed<'a>(ty: &Type, leaves: &mut impl Iterator<Item = &'a Leaf>, params: &mut Vec<Param>) -> Value {
    let mut next = |params: &mut Vec<Param>| match leaves.next() {
        Some(Leaf::Buffer(id)) => {
            params.push(Param::Buffer(*id));
            (Some(*id), None)
        }
        Some(Leaf::Value(name, scalar)) => {
            let local = Local::new(name, *scalar);
            params.push(Param::Scalar(local.clone()));
            (None, Some(local))
        }
        None => bug!("a parameter without leaves"),
    };
    match ty {
        Type::Scalar(_) => match next(params) {
            (_, Some(local)) => Value::Scalar(Expr::Local(local)),
            _ => bug!("a scalar in a buffer"),
        },
        Type::Array(..) => {
            let buffers = (0..view::leaves(ty)).filter_map(|_| next(params).0).collect();
            Value::Array(View::new(view::Shape::Stored(buffers, Vec::new(), ty.clone())))
        }
        Type::Tuple(parts) => Value::Tuple(parts.iter().map(|part| passed(part, leaves, params)).collect()),
    }
}
