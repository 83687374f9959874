//! Loops over streams: windows that move along with a loop.
//!
//! A loop over `slide_seq` keeps a window from one trip to the next. Its elements come from an array, or are
//! computed by the `map_seq` before it: then one loop does it all, and each trip computes one fresh element at every
//! level and pushes it into the window of the next, or as many as that window moves. A level whose window moves along other windows
//! is so many elements *ahead* as its window is long, and the loop has as many more trips as they take: it starts that
//! much below 0, at indices at which the later levels compute nothing that anybody needs.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Truth, Var};
use crate::bug;
use crate::imp::ast::{Expr, Stmt};
use crate::imp::emit::ring::{Home, zero};
use crate::imp::emit::{Closure, Emitter, Env, View};
use crate::ir::build::fresh_id;
use crate::ir::stream::Demand;
use crate::ir::{Boundary, Fold, Prim, Type};
use crate::low::{Arg, Kind, Layout, NodeId, Place};
use crate::memory::{Buffer, BufferId, Space};
use crate::view::write::WriteView;
use crate::view::{Cond, Pad, Shape};

/// A window that moves along with a loop.
pub(super) struct Window {
    /// Where its elements are: buffers whose first dimension is the position in the window.
    pub(super) buffers: Vec<BufferId>,
    /// Where they come from.
    source: Source,
    /// How many elements it has.
    pub(super) size: i64,
    /// How far it moves in a trip.
    pub(super) step: i64,
    /// The number of its first element in trip 0.
    first: i64,
    /// The type of its elements.
    element: Type,
    /// In which slot each scalar of an element is read first, if that is known.
    newest: Option<BTreeMap<(BufferId, Vec<i64>), i64>>,
}

/// Where the elements of a window come from.
enum Source {
    /// From an array, at any index.
    Array(View),
    /// Computed from the elements of an array, at any index.
    Elements(Closure, View),
    /// Computed from what other windows show: each of those that are new in a trip from what is at its place here.
    Windows(Closure, Vec<View>),
}

/// A loop that goes through a stream.
struct Stream {
    /// What its function sees.
    view: View,
    windows: Vec<Window>,
    /// How many trips come before the first one that counts.
    early: i64,
}

impl Emitter<'_> {
    /// Runs `f` for the elements of a loop that this work-item is responsible for, with the array that it goes
    /// through and the index. Windows move along.
    pub(super) fn along(
        &mut self,
        (place, var, xs): (Place, &Var, NodeId),
        env: &Env,
        f: &mut dyn FnMut(&mut Self, &View, &ArithExpr),
    ) {
        let len = self.low.ty(xs).length();
        let stream = match place.is_loop() {
            true => self.stream(xs, env),
            false => Stream { view: self.eval_array(xs, env), windows: Vec::new(), early: 0 },
        };
        let Stream { view, mut windows, early } = stream;
        if windows.is_empty() {
            return self.each(place, var, &len, &mut |e: &mut Self, i: &ArithExpr| f(e, &view, i));
        }
        let trips = &len + early;
        // A variable of its own, as it has another range.
        let var = if early == 0 { var.clone() } else { Var::new(fresh_id(), var.name()) };
        self.learn(&mut windows, &var, &trips, &mut |e, t| f(e, &view, &(t - early)));
        let first = ArithExpr::cst(-early);
        self.turn_rings(&windows, Some(&ArithExpr::zero()));
        for window in &windows {
            self.begin_window(window, &first);
        }
        self.each(place, &var, &trips, &mut |e: &mut Self, t: &ArithExpr| {
            let i = t - early;
            e.turn_rings(&windows, Some(t));
            windows.iter().for_each(|window| e.enter(window, &i));
            match e.facts.le(&early.into(), t) {
                Truth::Yes => f(e, &view, &i),
                Truth::No => {}
                Truth::Unknown => {
                    let counts = Cond::AtLeast(t.clone(), early.into());
                    let ((), body) = e.arm(&[counts.margin()], |e| f(e, &view, &i));
                    e.push(Stmt::If(Expr::Cond(counts), body, Vec::new()));
                }
            }
            windows.iter().for_each(|window| e.leave(window));
        });
        self.turn_rings(&windows, None);
    }

    /// Finds out of which slot of a window each element is read first: there it enters the window. The statements
    /// of the trip that shows it are not kept.
    fn learn(
        &mut self,
        windows: &mut [Window],
        var: &Var,
        trips: &ArithExpr,
        trip: &mut dyn FnMut(&mut Self, &ArithExpr),
    ) {
        self.declare(var, trips, self.blocks.len());
        let t = ArithExpr::var(var);
        let stmts = self.block(|e| {
            for window in windows.iter() {
                if !matches!(window.source, Source::Array(_)) {
                    for k in window.known()..window.size {
                        e.slot(window, k, &ArithExpr::zero(), &|_| true);
                    }
                }
            }
            trip(e, &t);
        });
        self.learn_rings(windows, &stmts);
        let from_arrays =
            |window: &&mut Window| matches!(window.source, Source::Array(_)) && window.step == 1;
        for window in windows.iter_mut().filter(from_arrays) {
            let mut newest: BTreeMap<(BufferId, Vec<i64>), i64> = BTreeMap::new();
            let mut known = true;
            let mut note = |e: &Expr| {
                let (Expr::Load(buffer, _, index) | Expr::Vector(buffer, _, _, index)) = e else { return };
                if !window.buffers.contains(buffer) {
                    return;
                }
                let numbers: Option<Vec<i64>> = index.iter().map(ArithExpr::as_const).collect();
                match numbers.as_deref() {
                    Some([slot, element @ ..]) if matches!(e, Expr::Load(..)) => {
                        let latest = newest.entry((*buffer, element.to_vec())).or_insert(*slot);
                        *latest = (*latest).max(*slot);
                    }
                    _ => known = false,
                }
            };
            stmts.iter().for_each(|stmt| stmt.visit_exprs(&mut note));
            window.newest = known.then_some(newest);
        }
    }

    /// What a loop goes through.
    fn stream(&mut self, xs: NodeId, env: &Env) -> Stream {
        let early = self.early(xs, Demand::EACH);
        let mut windows = Vec::new();
        let mut views = self.windowed(xs, env, (Demand::EACH, early), &mut windows);
        let Some(view) = views.pop() else { bug!("a stream of nothing") };
        Stream { view, windows, early }
    }

    /// How many trips come before the first one in which the stream shows what is asked for.
    fn early(&self, id: NodeId, demand: Demand) -> i64 {
        match self.low.kind(id) {
            Kind::Layout(Layout { prim: Prim::Zip, .. }, parts) => {
                parts.iter().map(|x| self.early(*x, demand)).max().unwrap_or(0)
            }
            Kind::Map { place: Place::View, xs, .. } => self.early(*xs, demand),
            Kind::SlideSeq { .. } => match (self.window_size(id), self.computed(id)) {
                (Some((size, step)), Some(xs)) if !self.is_array(xs) => {
                    self.early(xs, demand.shown(size, step).fresh())
                }
                (Some(_), _) => demand.early(),
                (None, _) => 0,
            },
            _ => 0,
        }
    }

    /// Size and step of a window that moves along with a loop.
    fn window_size(&self, id: NodeId) -> Option<(i64, i64)> {
        let Kind::SlideSeq { size, step, .. } = self.low.kind(id) else { return None };
        let size = self.facts.simplify(size).as_const()?;
        let step = self.facts.simplify(step).as_const()?;
        (size > step || self.computed(id).is_some()).then_some((size, step))
    }

    /// What the elements are computed from that a window shows, if they are.
    fn computed(&self, id: NodeId) -> Option<NodeId> {
        let Kind::SlideSeq { of, .. } = self.low.kind(id) else { return None };
        match self.low.kind(*of) {
            Kind::Map { place: Place::Sequential, xs, .. } => Some(*xs),
            _ => None,
        }
    }

    /// Whether no window moves along.
    fn is_array(&self, id: NodeId) -> bool {
        match self.low.kind(id) {
            Kind::Layout(Layout { prim: Prim::Zip, .. }, parts) => parts.iter().all(|x| self.is_array(*x)),
            Kind::Map { place: Place::View, xs, .. } => self.is_array(*xs),
            Kind::SlideSeq { .. } => self.window_size(id).is_none(),
            _ => true,
        }
    }

    /// The elements of a stream that are asked for, if the loop starts so many trips early: what element `i` of each array is,
    /// trip `i` needs.
    fn windowed(
        &mut self,
        id: NodeId,
        env: &Env,
        (demand, early): (Demand, i64),
        windows: &mut Vec<Window>,
    ) -> Vec<View> {
        let low = self.low;
        match low.kind(id) {
            Kind::Layout(Layout { prim: Prim::Zip, .. }, parts) => {
                let parts: Vec<Vec<View>> =
                    parts.iter().map(|x| self.windowed(*x, env, (demand, early), windows)).collect();
                let side_by_side = |j: usize| parts.iter().map(|views| views[j].clone()).collect();
                (0..demand.count as usize).map(|j| View::new(Shape::Zipped(side_by_side(j)))).collect()
            }
            Kind::Map { place: Place::View, f, xs, .. } => {
                let of = self.windowed(*xs, env, (demand, early), windows);
                let f = Closure { f: f.clone(), env: env.clone() };
                of.into_iter().map(|of| View::new(Shape::Mapped(f.clone(), of))).collect()
            }
            Kind::SlideSeq { .. } => match self.window_size(id) {
                Some(sizes) => self.window(id, sizes, env, (demand, early), windows),
                None => self.array_ahead(id, env, demand),
            },
            _ => self.array_ahead(id, env, demand),
        }
    }

    /// The elements of an array that are asked for. Before its first one, that is read.
    fn array_ahead(&mut self, id: NodeId, env: &Env, demand: Demand) -> Vec<View> {
        let Demand { rate, ahead, count, since } = demand;
        let view = self.eval_array(id, env);
        let before = -since * rate;
        let shifted = if ahead == 0 && before == 0 {
            view
        } else if ahead >= before || self.is_function_of_index(&view) {
            View::new(Shape::Shifted(ahead.into(), view))
        } else {
            let Type::Array(element, len) = self.low.ty(id) else { bug!("a stream that is no array") };
            let padded = Pad {
                left: before.into(),
                len: len.clone(),
                edge: Boundary::Fold(Fold::Clamp),
                inside: view,
                element: Type::clone(element),
            };
            View::new(Shape::Shifted((ahead + before).into(), View::new(Shape::Padded(padded))))
        };
        if rate == 1 && count == 1 {
            return vec![shifted];
        }
        columns(&View::new(Shape::Pieces(rate.into(), shifted)), count)
    }

    /// Whether the elements of an array are computed from their indices alone: there is one at any index.
    fn is_function_of_index(&self, view: &View) -> bool {
        match view.shape() {
            Shape::Generated(f) => self.is_scalar(f.f.body),
            Shape::Shifted(_, of) => self.is_function_of_index(of),
            Shape::Zipped(parts) => parts.iter().all(|part| self.is_function_of_index(part)),
            _ => false,
        }
    }

    /// Whether no array occurs in a node.
    fn is_scalar(&self, id: NodeId) -> bool {
        let kind = self.low.kind(id);
        !self.low.ty(id).contains_array()
            && kind.function().is_none()
            && kind.operands().into_iter().all(|x| self.is_scalar(x))
    }

    /// New windows, of which a trip shows as many as are asked for: they lie in one that is so much longer.
    fn window(
        &mut self,
        id: NodeId,
        (size, step): (i64, i64),
        env: &Env,
        (demand, early): (Demand, i64),
        windows: &mut Vec<Window>,
    ) -> Vec<View> {
        let low = self.low;
        let Kind::SlideSeq { name, of, .. } = low.kind(id) else { bug!("no windows: {id:?}") };
        let Some((ty, _)) = low.ty(id).as_array() else { bug!("windows in no array") };
        let Some((element, _)) = ty.as_array() else { bug!("a window that is no array") };
        let name = if name.is_empty() { "window" } else { name };
        let shown = demand.shown(size, step);
        let all = Type::array(element.clone(), shown.count.into());
        let (source, buffers) = match (self.computed(id), low.kind(*of)) {
            (Some(xs), Kind::Map { f, .. }) => {
                let homes = self.homes(f.body);
                let f = Closure { f: f.clone(), env: env.clone() };
                let source = if self.is_array(xs) {
                    Source::Elements(f, self.eval_array(xs, env))
                } else {
                    let fresh = shown.fresh().since(-early);
                    Source::Windows(f, self.windowed(xs, env, (fresh, early), windows))
                };
                (source, self.slots(name, &all, homes))
            }
            _ => (Source::Array(self.eval_array(*of, env)), self.private(name, &all)),
        };
        windows.push(Window {
            buffers: buffers.clone(),
            source,
            size: shown.count,
            step: shown.rate,
            first: shown.ahead,
            element: element.clone(),
            newest: None,
        });
        let all = View::new(Shape::Stored(buffers, Vec::new(), all));
        if demand.count == 1 {
            return vec![View::new(Shape::Same(all))];
        }
        columns(&View::new(Shape::Same(View::new(Shape::Pieces(step.into(), all)))), demand.count)
    }

    /// The buffers of a window: arrays of the work-item, or of the group.
    fn slots(&mut self, name: &str, window: &Type, homes: Vec<Home>) -> Vec<BufferId> {
        let mut buffers = Vec::new();
        for ((dims, scalar), home) in window.leaves().into_iter().zip(homes) {
            let own = match home {
                Home::Ring(buffer) => {
                    // How many slots it needs is learnt; until then the first index is a slot of the window.
                    let slots = dims.first().and_then(ArithExpr::as_const).unwrap_or(1);
                    self.buffers[buffer.0 as usize] = self.plan.buffers[buffer.0 as usize].repeated(slots);
                    buffer
                }
                Home::Registers(shared) => {
                    let dims = dims.iter().map(|n| self.facts.simplify(n)).collect();
                    let mut buffer = Buffer::new(name.to_string(), Space::Private, scalar, dims);
                    buffer.slots = 1;
                    buffer.shared = shared.iter().map(|d| self.local_id(*d)).collect();
                    self.array(buffer)
                }
            };
            buffers.push(own);
        }
        buffers
    }

    /// Fills all slots of a window but those that its first trip, `i`, fills.
    fn begin_window(&mut self, window: &Window, i: &ArithExpr) {
        for k in 0..window.known() {
            match window.source {
                Source::Array(_) | Source::Elements(..) => self.slot(window, k, i, &|newest| k < newest),
                // Nobody has computed these yet, and nobody needs them.
                Source::Windows(ref f, _) => {
                    let to = WriteView::stored(window.buffers.clone(), vec![k.into()]);
                    self.clear_rings(f.f.body, &to);
                    for (id, element) in self.registers(window) {
                        let index = [&[k.into()], element.as_slice()].concat();
                        let zero = zero(self.buffers[id.0 as usize].scalar);
                        self.push(Stmt::Store(id, index, Expr::Literal(zero)));
                    }
                }
            }
        }
    }

    /// The scalars of an element that are kept in registers: their buffers, and the indices there.
    fn registers(&self, window: &Window) -> Vec<(BufferId, Vec<ArithExpr>)> {
        let mut found = Vec::new();
        for id in &window.buffers {
            let buffer = &self.buffers[id.0 as usize];
            if buffer.space != Space::Private {
                continue;
            }
            let mut all = vec![Vec::new()];
            for n in buffer.own_dims().into_iter().skip(1) {
                let Some(n) = n.as_const() else { bug!("a window of unknown size") };
                let longer =
                    |index: Vec<ArithExpr>| (0..n).map(move |i| [index.as_slice(), &[i.into()]].concat());
                all = all.into_iter().flat_map(longer).collect();
            }
            found.extend(all.into_iter().map(|index| (*id, index)));
        }
        found
    }

    /// Stores in slot `k` of a window what belongs there in trip `i`, but only those of its scalars that are wanted: it
    /// depends on the slot in which they enter the window.
    fn slot(&mut self, window: &Window, k: i64, i: &ArithExpr, wanted: &dyn Fn(i64) -> bool) {
        let to = WriteView::stored(window.buffers.clone(), vec![k.into()]);
        let number = i * window.step + (window.first + k);
        // Before the first element, there it is.
        let at = match self.facts.nonneg(&number) {
            Truth::Yes => number.clone(),
            Truth::No => ArithExpr::zero(),
            Truth::Unknown => self.facts.simplify(&ArithExpr::max(&number, &ArithExpr::zero())),
        };
        match &window.source {
            Source::Array(of) => {
                let of = of.clone();
                if let Some(elements) = window.wanted(wanted) {
                    for element in elements {
                        self.slot_element(&to, &of, &at, &element);
                    }
                    return;
                }
                let stmts = self.block(|e| {
                    e.written_out(|e| e.copied(&to, &window.element, &mut |e| e.element(&of, &at)));
                });
                self.push_wanted(window, stmts, wanted);
            }
            Source::Elements(f, of) => self.compute(f, of, &at, &to),
            Source::Windows(f, of) => {
                let Some(of) = of.get((k - window.known()) as usize) else {
                    bug!("an element that is not new")
                };
                let (f, of) = (f.clone(), of.clone());
                let there = self.facts.nonneg(&number) == Truth::Yes;
                if there || !self.reads_data_indices(f.f.body) {
                    return self.compute(&f, &of, i, &to);
                }
                // Indices that are data must not be read off windows that are not complete.
                let counts = Cond::AtLeast(number, ArithExpr::zero());
                let ((), body) = self.arm(&[counts.margin()], |e| e.compute(&f, &of, i, &to));
                self.push(Stmt::If(Expr::Cond(counts), body, Vec::new()));
            }
        }
    }

    /// Stores one scalar of an element of an array in a window.
    fn slot_element(&mut self, to: &WriteView, of: &View, at: &ArithExpr, scalar: &[i64]) {
        let indices: Vec<ArithExpr> = scalar.iter().map(|i| ArithExpr::cst(*i)).collect();
        let to = indices.iter().fold(to.clone(), |to, i| self.accept(&to, i));
        self.leaf(&to, |e| {
            let first = e.element(of, at);
            e.at(first, &indices)
        });
    }

    /// Computes an element of a window.
    fn compute(&mut self, f: &Closure, of: &View, i: &ArithExpr, to: &WriteView) {
        let x = self.element(of, i);
        let env = self.bind(&f.f, vec![x], &f.env);
        self.as_part(|e| e.written_out(|e| e.store_parts(f.f.body, &env, to)));
    }

    /// Whether an index is computed from data.
    fn reads_data_indices(&self, id: NodeId) -> bool {
        let kind = self.low.kind(id);
        let own = match kind {
            Kind::Layout(layout, _) => {
                layout.args.iter().any(|arg| matches!(arg, Arg::Data(_) | Arg::Fun(_)))
            }
            Kind::At(i, _) => !matches!(self.low.kind(*i), Kind::Literal(_) | Kind::Size(_)),
            _ => false,
        };
        let inside = kind.function().map(|f| f.body);
        own || kind.operands().into_iter().chain(inside).any(|x| self.reads_data_indices(x))
    }

    fn push_wanted(&mut self, window: &Window, stmts: Vec<Stmt>, wanted: &dyn Fn(i64) -> bool) {
        for stmt in stmts {
            let skipped = matches!(&stmt, Stmt::Store(buffer, index, _)
                if window.enters(*buffer, &index[1..]).is_some_and(|newest| !wanted(newest)));
            if !skipped {
                self.push(stmt);
            }
        }
    }

    /// Stores what is new in trip `i` of the loop.
    fn enter(&mut self, window: &Window, i: &ArithExpr) {
        let slots = match window.newest {
            Some(_) => 0..window.size,
            None => window.known()..window.size,
        };
        for k in slots {
            self.slot(window, k, i, &|newest| newest == k);
        }
    }

    /// Moves what the next trip shares with this one. In a ring, nothing moves.
    fn leave(&mut self, window: &Window) {
        for k in 0..window.known() {
            for (id, element) in self.registers(window) {
                if window.enters(id, &element).is_some_and(|newest| k >= newest) {
                    continue;
                }
                let scalar = self.buffers[id.0 as usize].scalar;
                let at = |k: i64| [&[k.into()], element.as_slice()].concat();
                self.push(Stmt::Store(id, at(k), Expr::Load(id, scalar, at(k + window.step))));
            }
        }
    }
}

impl Window {
    /// How many of its first elements were in it a trip before.
    pub(super) fn known(&self) -> i64 {
        (self.size - self.step).max(0)
    }

    /// The scalars of an element that are wanted, each by its indices, if that is known: it depends on the slot in which they
    /// enter the window.
    fn wanted(&self, is: &dyn Fn(i64) -> bool) -> Option<Vec<Vec<i64>>> {
        let newest = self.newest.as_ref().filter(|_| self.buffers.len() == 1 && !has_tuple(&self.element))?;
        let wanted = newest.iter().filter(|(_, newest)| is(**newest));
        Some(wanted.map(|((_, element), _)| element.clone()).collect())
    }

    /// The slot in which a scalar of an element enters the window; none if it is never read, which is a slot that
    /// does not exist.
    fn enters(&self, buffer: BufferId, element: &[ArithExpr]) -> Option<i64> {
        let newest = self.newest.as_ref()?;
        let element: Option<Vec<i64>> = element.iter().map(ArithExpr::as_const).collect();
        Some(newest.get(&(buffer, element?)).copied().unwrap_or(-1))
    }
}

/// The first so many columns of rows.
fn columns(rows: &View, count: i64) -> Vec<View> {
    (0..count).map(|j| View::new(Shape::Column(rows.clone(), j.into()))).collect()
}

fn has_tuple(ty: &Type) -> bool {
    matches!(ty.shape().1, Type::Tuple(_))
}
