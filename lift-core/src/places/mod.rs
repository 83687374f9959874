//! Which places may stand inside which, and what is stored where: checked, because users may write it.
//!
//! Before: typed kernels. After: in the normal form of each,
//!
//! * what a parallel map computes is stored: it is part of the result, or inside a `to_local`;
//! * `map_local` stands inside `map_workgroup` and never inside `map_global`; no dimension is used twice on one
//!   path;
//! * `map_warp` stands inside `map_workgroup` and `map_lane` inside `map_warp`, in the place of `map_local(0)`;
//! * `to_local`, and `to_global` of what is read, stand inside `map_workgroup` and outside `map_local`, where all work-items of a
//!   group come by;
//! * what is kept in registers is computed by one work-item, or shared out between the items of a group, each of which reads
//!   its own part only;
//! * side by side in one launch, there are maps over work-items or maps over as many groups;
//! * what is written out, in vectors or in registers has a length that is a number;
//! * `slide_seq` feeds a loop, or a `map_seq` in the stream of one;
//! * an accumulator whose elements work-items have, each some, is read by those who have them;
//! * `increase` is applied to what `to_local` stores.

mod error;
mod owners;
mod shares;
mod states;

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::diag::{Diagnostic, Diagnostics};
use crate::ir::prim::WARP;
use crate::ir::stream::Demand;
use crate::ir::walk::is_placed;
use crate::ir::{Arg, Expr, Kernel, Kind, Memory, Order, Place, Prim, Type};
use crate::rewrite::flow::{self, Use};
use crate::rewrite::normal::normalise;
use crate::span::Span;

/// The lengths of vectors.
const LANES: [i64; 5] = [2, 3, 4, 8, 16];

/// More elements are not kept in registers.
const MOST_PRIVATE: i64 = 1024;

/// More elements are not written out.
const MOST_UNROLLED: i64 = 4096;

/// More bytes of local memory than any device has.
const MOST_LOCAL: i64 = 1 << 20;

/// Reports every low-level primitive of a kernel that stands where it cannot, and what no work-item can keep.
pub fn check(kernel: &Kernel, diags: &mut Diagnostics) {
    states::check(kernel, diags);
    let placed = is_placed(&kernel.body);
    if !placed && kernel.options.streaming.is_none() {
        return;
    }
    let body = normalise(kernel);
    if let Some(span) = kernel.options.streaming
        && !has_vectors(&body)
    {
        diags.push(error::no_vectors(span));
    }
    if !placed {
        return;
    }
    let before = diags.errors();
    let mut checker =
        Checker { kernel, path: Vec::new(), private: 0, local: 0, data: 0, launch: Vec::new(), diags };
    checker.stored(&body);
    if diags.errors() == before {
        shares::check(kernel, &body, diags);
    }
    if diags.errors() == before {
        owners::check(&body, diags);
    }
}

/// Whether something is computed in vectors.
fn has_vectors(e: &Expr) -> bool {
    e.contains(Prim::Map(Place::Lanes))
}

struct Checker<'d> {
    kernel: &'d Kernel,
    /// The parallel maps around, outermost first.
    path: Vec<Place>,
    /// How many `to_private` are around.
    private: usize,
    /// How many `to_local` are around.
    local: usize,
    /// How many conditions and counts are around that work-items may see differently.
    data: usize,
    /// The maps over work-items or groups of this launch so far, with their lengths.
    launch: Vec<(Place, ArithExpr)>,
    diags: &'d mut Diagnostics,
}

impl Checker<'_> {
    /// An expression that is stored piece by piece.
    fn stored(&mut self, e: &Expr) {
        match (e.kind(), flow::uses(e)) {
            (Kind::If(c, a, b), _) => {
                self.read(c);
                let data = usize::from(!self.is_uniform(c));
                self.data += data;
                self.stored(a);
                self.stored(b);
                self.data -= data;
            }
            (Kind::Tuple(parts), _) => {
                for x in parts {
                    // Parts of the result are launches of their own, or are computed alike.
                    if self.path.is_empty() {
                        self.launch.clear();
                    }
                    self.stored(x);
                }
            }
            (Kind::Prim(Prim::Store(Memory::Temporary), args), _) => {
                args.iter().filter_map(Arg::data).for_each(|x| self.launched(x));
            }
            (Kind::Prim(Prim::Map(place), args), _) => self.map(e, *place, args),
            // At the top, the parts of one map may be the results.
            (Kind::Let(_, value, body), _) if !self.path.is_empty() => {
                self.read(value);
                self.stored(body);
            }
            (_, Some(uses)) => {
                for (x, part) in e.children().into_iter().zip(uses) {
                    match part {
                        Use::Stored => self.stored(x),
                        Use::Read | Use::Streamed => self.read(x),
                    }
                }
            }
            (_, None) => self.read(e),
        }
    }

    fn map(&mut self, e: &Expr, place: Place, args: &[Arg]) {
        let ([Arg::Fun(f), Arg::Data(xs)], Type::Array(_, len)) = (args, e.ty()) else { return };
        self.length(e, Prim::Map(place), len);
        match place {
            // It may only say where elements go.
            Place::View => self.stored(xs),
            _ if place.is_loop() => self.streamed(xs, Some(Demand::EACH)),
            _ => self.read(xs),
        }
        if !place.is_parallel() {
            return self.stored(&f.body);
        }
        self.enter(place, len, e.span());
        self.stored(&f.body);
        self.path.pop();
    }

    /// Goes into a parallel map.
    fn enter(&mut self, place: Place, len: &ArithExpr, span: Span) {
        if let Some(fault) = self.misplaced(place, span).or_else(|| self.beside(place, len, span)) {
            self.diags.push(fault);
        }
        self.path.push(place);
    }

    /// Why a parallel map may not stand here, if so.
    fn misplaced(&self, place: Place, span: Span) -> Option<Diagnostic> {
        let (path, group) = (self.path.as_slice(), self.kernel.options.work_group.as_slice());
        match place {
            _ if self.private > 0 => Some(error::in_registers(span, place)),
            Place::Group(d) if self.local > 0 => Some(error::groups_in_local(span, d)),
            _ => match (place.misplaced(path), place) {
                (Some(why), _) => Some(error::misplaced(span, place, why, path)),
                (None, Place::Warp) if group.first().is_some_and(|n| n % WARP != 0) => {
                    Some(error::part_of_a_warp(span, group))
                }
                (None, Place::Local(d)) if !group.is_empty() && d >= group.len() => {
                    Some(error::group_rank(span, d, group))
                }
                (None, _) => None,
            },
        }
    }

    /// Why a map does not go together with those beside it, if so.
    fn beside(&mut self, place: Place, len: &ArithExpr, span: Span) -> Option<Diagnostic> {
        if place.is_shared_by_group() {
            return None;
        }
        let facts = &self.kernel.facts;
        let fault = self.launch.iter().find_map(|(other, n)| match (place, other) {
            _ if other.with_dimension(0) != place.with_dimension(0) => {
                Some(error::mixed(span, place, *other))
            }
            (Place::Group(d), other) if *other == place && !facts.eq(n, len).is_yes() => {
                Some(error::group_counts(span, d, &len.to_string(), &n.to_string()))
            }
            _ => None,
        });
        self.launch.push((place, len.clone()));
        fault
    }

    /// What a loop goes through, and what a trip needs of it, if the loop stores: then it computes what windows show.
    fn streamed(&mut self, e: &Expr, demand: Option<Demand>) {
        match e.as_prim() {
            Some((Prim::Zip, args)) => {
                args.iter().filter_map(Arg::data).for_each(|x| self.streamed(x, demand))
            }
            Some((Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)])) => {
                self.read(&f.body);
                self.streamed(xs, demand);
            }
            Some((Prim::SlideSeq, [Arg::Size(size), Arg::Size(step), Arg::Data(xs)])) => {
                let (Some(n), Some(s)) = (size.as_const(), step.as_const()) else {
                    self.diags.push(error::window_length(e.span(), &size.to_string(), &step.to_string()));
                    return self.read(xs);
                };
                let shown = demand.unwrap_or(Demand::EACH).shown(n, s);
                let computed = match xs.as_prim() {
                    Some((Prim::Map(Place::Sequential), [Arg::Fun(f), Arg::Data(ys)]))
                        if demand.is_some() =>
                    {
                        Some((f, ys))
                    }
                    _ => None,
                };
                let element = xs.ty().as_array().map(|(element, _)| element);
                let own = match (computed, element) {
                    (Some((f, _)), _) => own_parts(&f.body, &mut BTreeMap::new()),
                    (None, Some(element)) => count(element),
                    (None, None) => None,
                };
                let scalars = own.and_then(|own| own.checked_mul(shown.count));
                if let Some((window, _)) = e.ty().as_array() {
                    self.room(e.span(), Prim::SlideSeq, window, scalars);
                }
                match computed {
                    Some((f, ys)) => {
                        self.streamed(ys, Some(shown.fresh()));
                        self.window(&f.body);
                    }
                    None => self.read(xs),
                }
            }
            _ => self.read(e),
        }
    }

    /// An element of a window, each part of which is stored where it says.
    fn window(&mut self, e: &Expr) {
        match e.kind() {
            Kind::Let(_, value, body) => {
                self.read(value);
                self.window(body);
            }
            Kind::Tuple(parts) => parts.iter().for_each(|x| self.window(x)),
            Kind::Prim(Prim::Store(Memory::Local) | Prim::Increase(_) | Prim::Store(Memory::Private), _) => {
                self.read(e)
            }
            _ => self.kept(e),
        }
    }

    /// What is kept in registers: by one work-item, or shared out between the items of a group by the outermost maps.
    fn kept(&mut self, e: &Expr) {
        match e.kind() {
            Kind::Let(_, value, body) => {
                self.read(value);
                self.kept(body);
            }
            Kind::Prim(Prim::Map(place @ Place::Local(_)), args) => {
                let ([Arg::Fun(f), Arg::Data(xs)], Type::Array(_, len)) = (args.as_slice(), e.ty()) else {
                    return;
                };
                self.read(xs);
                self.enter(*place, len, e.span());
                self.kept(&f.body);
                self.path.pop();
            }
            _ => {
                self.private += 1;
                self.stored(e);
                self.private -= 1;
            }
        }
    }

    /// An expression whose elements are read.
    fn read(&mut self, e: &Expr) {
        let Some((prim, args)) = e.as_prim() else {
            let data = matches!(e.kind(), Kind::If(c, ..) if !self.is_uniform(c));
            return self.within(usize::from(data), &e.children());
        };
        match prim {
            Prim::Store(Memory::Local | Memory::Global) => {
                self.stored_for_group(e, prim, args);
                return;
            }
            Prim::Store(Memory::Private) => {
                let own = args.iter().find_map(Arg::data).and_then(own_scalars);
                self.room(e.span(), prim, e.ty(), own);
                args.iter().filter_map(Arg::data).for_each(|x| self.kept(x));
                return;
            }
            Prim::Increase(_) => {
                let xs = args.last().and_then(Arg::data);
                if !xs.is_some_and(|xs| matches!(xs.as_prim(), Some((Prim::Store(Memory::Local), _)))) {
                    self.diags.push(error::room_elsewhere(nearest_span(e), prim));
                }
            }
            Prim::Store(Memory::Temporary) => {
                args.iter().filter_map(Arg::data).for_each(|x| self.launched(x));
                return;
            }
            // The host counts the rounds, and stores what each computes.
            Prim::Iterate | Prim::IterateUntil if self.path.is_empty() && e.ty().as_array().is_some() => {
                for arg in args {
                    match arg {
                        Arg::Fun(f) => self.launched(&f.body),
                        arg => arg.expr().into_iter().for_each(|x| self.read(x)),
                    }
                }
                return;
            }
            // Data decide how often.
            Prim::IterateUntil => {
                let parts: Vec<&Expr> = args.iter().filter_map(Arg::expr).collect();
                return self.within(1, &parts);
            }
            Prim::Iterate if !args.first().and_then(Arg::data).is_none_or(|k| self.is_uniform(k)) => {
                let parts: Vec<&Expr> = args.iter().filter_map(Arg::expr).collect();
                return self.within(1, &parts);
            }
            Prim::Map(place) if place.is_parallel() => {
                self.diags.push(match place {
                    Place::Local(_) | Place::Warp if !self.has_group() => {
                        error::local_outside(e.span(), place, &self.path)
                    }
                    _ => error::not_stored(e.span(), place, &self.path),
                });
                return;
            }
            Prim::Map(Place::Unrolled | Place::Lanes) => {
                if let Some((_, len)) = e.ty().as_array() {
                    self.length(e, prim, len);
                }
            }
            Prim::Reduce(Order::Sequential | Order::Unrolled) => {
                if let [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)] = args {
                    if let Some((_, len)) = xs.ty().as_array() {
                        self.length(e, prim, len);
                    }
                    self.read(z);
                    let array = matches!(e.ty(), Type::Array(..));
                    self.streamed(xs, (array && is_placed(&f.body)).then_some(Demand::EACH));
                    // The accumulator is stored piece by piece.
                    match e.ty() {
                        Type::Array(..) => self.stored(&f.body),
                        Type::Scalar(_) | Type::Tuple(_) => self.read(&f.body),
                    }
                }
                return;
            }
            Prim::SlideSeq => self.diags.push(error::no_loop(e.span())),
            _ => {}
        }
        args.iter().filter_map(Arg::expr).for_each(|x| self.read(x));
    }

    /// What a group stores for its work-items.
    fn stored_for_group(&mut self, e: &Expr, prim: Prim, args: &[Arg]) {
        if !self.has_group() {
            self.diags.push(error::to_local_outside(e.span(), prim, &self.path));
        } else if let Some(outer) = self.path.iter().find(|place| place.is_shared_by_group()) {
            self.diags.push(error::to_local_inside(e.span(), prim, *outer));
        } else if self.data > 0 {
            self.diags.push(error::to_local_by_some(e.span(), prim));
        } else if let Some(n) =
            bytes(e.ty()).filter(|n| prim == Prim::Store(Memory::Local) && *n > MOST_LOCAL)
        {
            self.diags.push(error::local_size(e.span(), &e.ty().to_string(), n));
        }
        // The group computes it, whoever reads it.
        let private = std::mem::take(&mut self.private);
        self.local += 1;
        args.iter().filter_map(Arg::data).for_each(|x| self.stored(x));
        self.local -= 1;
        self.private = private;
    }

    fn has_group(&self) -> bool {
        self.path.iter().any(|place| matches!(place, Place::Group(_)))
    }

    /// What a launch of its own stores.
    fn launched(&mut self, e: &Expr) {
        let around = (std::mem::take(&mut self.path), std::mem::take(&mut self.launch));
        let inside = (std::mem::take(&mut self.private), std::mem::take(&mut self.data));
        self.stored(e);
        (self.path, self.launch) = around;
        (self.private, self.data) = inside;
    }

    /// Expressions that are read inside `data` more conditions that are data.
    fn within(&mut self, data: usize, parts: &[&Expr]) {
        self.data += data;
        parts.iter().for_each(|x| self.read(x));
        self.data -= data;
    }

    /// Whether all work-items see the same value: it is computed from parameters that are no arrays.
    fn is_uniform(&self, e: &Expr) -> bool {
        let mut uniform = true;
        e.visit(&mut |x| {
            uniform &= match x.kind() {
                Kind::Param(p) => self.kernel.params.iter().any(|other| other.id == p.id),
                Kind::Prim(..) | Kind::Let(..) => false,
                Kind::Literal(_)
                | Kind::Size(_)
                | Kind::Unary(..)
                | Kind::Binary(..)
                | Kind::Math(..)
                | Kind::Cast(..)
                | Kind::If(..)
                | Kind::Tuple(_)
                | Kind::Field(..)
                | Kind::ArrayLiteral(_) => true,
            };
        });
        uniform
    }

    /// Whether a work-item can keep so many scalars of a value of this type.
    fn room(&mut self, span: Span, prim: Prim, ty: &Type, scalars: Option<i64>) {
        if scalars.is_none_or(|n| n > MOST_PRIVATE) {
            self.diags.push(error::private_size(span, prim, &ty.to_string(), scalars));
        }
    }

    /// Whether a length is what the primitive needs.
    fn length(&mut self, e: &Expr, prim: Prim, len: &ArithExpr) {
        let number = len.as_const();
        match prim {
            Prim::Map(Place::Lanes) if number.is_none_or(|n| !LANES.contains(&n)) => {
                self.diags.push(error::lanes(e.span(), &len.to_string()));
            }
            Prim::Map(Place::Unrolled) | Prim::Reduce(Order::Unrolled)
                if number.is_none_or(|n| n > MOST_UNROLLED) =>
            {
                self.diags.push(error::unrolled(e.span(), prim, &len.to_string()));
            }
            _ => {}
        }
    }
}

/// The scalars that a work-item keeps of what an expression computes.
fn own_scalars(e: &Expr) -> Option<i64> {
    match e.kind() {
        Kind::Let(_, _, body) => own_scalars(body),
        Kind::Prim(Prim::Map(Place::Local(_)), args) => match args.as_slice() {
            [Arg::Fun(f), _] => own_scalars(&f.body),
            _ => None,
        },
        _ => count(e.ty()),
    }
}

/// The scalars that a work-item keeps of an element of a window.
fn own_parts(e: &Expr, kept: &mut BTreeMap<u32, Option<i64>>) -> Option<i64> {
    match e.kind() {
        Kind::Let(x, value, body) => {
            if let Some((Prim::Store(Memory::Private), [Arg::Data(of)])) = value.as_prim() {
                kept.insert(x.id, own_scalars(of));
            }
            own_parts(body, kept)
        }
        Kind::Tuple(parts) => {
            parts.iter().try_fold(0i64, |all, part| all.checked_add(own_parts(part, kept)?))
        }
        Kind::Prim(Prim::Store(Memory::Local) | Prim::Increase(_), _) => Some(0),
        Kind::Prim(Prim::Store(Memory::Private), args) => {
            args.iter().find_map(Arg::data).and_then(own_scalars)
        }
        Kind::Param(p) => kept.get(&p.id).copied().unwrap_or_else(|| count(e.ty())),
        _ => own_scalars(e),
    }
}

/// Where an expression stands; if it was rewritten, where what it is applied to does.
fn nearest_span(e: &Expr) -> Span {
    let mut span = Span::default();
    e.visit(&mut |x| {
        if span.is(Span::default()) {
            span = x.span();
        }
    });
    span
}

/// The number of scalars in a type, if it is known.
fn count(ty: &Type) -> Option<i64> {
    match ty {
        Type::Scalar(_) => Some(1),
        Type::Array(element, len) => count(element)?.checked_mul(len.as_const()?),
        Type::Tuple(parts) => parts.iter().try_fold(0i64, |all, part| all.checked_add(count(part)?)),
    }
}

/// The bytes of a type, if they are known.
fn bytes(ty: &Type) -> Option<i64> {
    match ty {
        Type::Scalar(scalar) => Some(scalar.bytes()),
        Type::Array(element, len) => bytes(element)?.checked_mul(len.as_const()?),
        Type::Tuple(parts) => parts.iter().try_fold(0i64, |all, part| all.checked_add(bytes(part)?)),
    }
}
