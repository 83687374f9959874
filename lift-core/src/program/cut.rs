//! Cuts an expression into launches.
//!
//! Before: a sequence of definitions, of which some are marked as stored. After: a kernel for each launch, and
//! the order in which they run. What a launch stores goes where the program wants it in the end, if it is
//! known by then, and otherwise to a temporary.

use crate::arith::ArithExpr;
use crate::bug;
use crate::ir::{
    Arg, BinaryOp, Expr, Kernel, KernelOptions, Kind, Lambda, Memory, Output, Param, Place, Prim, Type,
};
use crate::program::alias;
use crate::program::horizontal_fusion::fuse;
use crate::program::in_place::{reads_own, stores_in_turn};
use crate::program::schedule::{Count, Slot, Temporary};
use crate::program::{Launch, Step};
use crate::rewrite::demand::{as_size, contains_array, is_host_loop};
use crate::rewrite::scope::occurrences;
use crate::rewrite::spread::{is_global_map, is_spread, is_written_out};

/// The launches of a kernel whose body is `body`.
pub(super) fn cut(kernel: &Kernel, body: &Expr) -> (Vec<Kernel>, Vec<Temporary>, Vec<Step>) {
    let mut first = 0;
    let mut params = Vec::new();
    for param in &kernel.params {
        let count = param.ty.leaves().len();
        params.push((param.clone(), (first..first + count).map(Slot::Param).collect()));
        first += count;
    }
    let mut cutter = Cutter { kernel, params, stages: Vec::new(), temporaries: Vec::new() };
    let mut steps = Vec::new();
    let to = cutter.outputs(body.ty());
    cutter.sequence(body, &to, &[], &mut steps);
    (cutter.stages, cutter.temporaries, steps)
}

/// A definition.
#[derive(Clone)]
enum Definition {
    /// Computed by whoever needs it.
    Plain(Param, Expr),
    /// In memory.
    Stored(Param, Vec<Slot>),
}

impl Definition {
    fn param(&self) -> &Param {
        match self {
            Definition::Plain(param, _) | Definition::Stored(param, _) => param,
        }
    }
}

struct Cutter<'a> {
    kernel: &'a Kernel,
    /// The leaves of the kernel's parameters.
    params: Vec<(Param, Vec<Slot>)>,
    stages: Vec<Kernel>,
    temporaries: Vec<Temporary>,
}

impl Cutter<'_> {
    /// Where the leaves of the kernel's value go.
    fn outputs(&self, ty: &Type) -> Vec<Slot> {
        let parts: Vec<&Type> = match (self.kernel.outputs.as_slice(), ty) {
            ([_], ty) => vec![ty],
            (_, Type::Tuple(parts)) => parts.iter().collect(),
            (_, ty) => bug!("several outputs of {ty}"),
        };
        let mut results = 0;
        let mut slots = Vec::new();
        for (part, output) in parts.into_iter().zip(&self.kernel.outputs) {
            match output {
                Output::Result => {
                    let count = part.leaves().len();
                    slots.extend((results..results + count).map(Slot::Result));
                    results += count;
                }
                Output::Update(i) => slots.extend(self.params[*i].1.iter().copied()),
            }
        }
        slots
    }

    /// Definitions and what follows them.
    fn sequence(&mut self, e: &Expr, to: &[Slot], around: &[Definition], steps: &mut Vec<Step>) {
        let mut known = around.to_vec();
        let mut all = Vec::new();
        let mut end = e;
        while let Kind::Let(param, value, body) = end.kind() {
            all.push(Definition::Plain(param.clone(), value.clone()));
            end = body;
        }
        let mut parts = Vec::new();
        let apart = self.apart(end, to);
        let end = apart.as_ref().map_or(end, |(_, parts)| parts);
        flatten(end, to, &mut parts);
        for (part, _) in &mut parts {
            // What is stored may have another name.
            let other = resolved(part, &all);
            if all.iter().any(|d| stored_part(&other, d.param()).is_some()) {
                *part = other;
            }
        }
        let mut current = e;
        while let Kind::Let(param, value, body) = current.kind() {
            known.push(match value.as_prim() {
                Some((Prim::Store(Memory::Temporary), [Arg::Data(value)])) => {
                    let mut slots = self.temporaries_for(&param.ty);
                    for (part, to) in &parts {
                        let updates = to.iter().any(|slot| matches!(slot, Slot::Param(_)));
                        let own = stored_part(part, param).map(|first| first..first + to.len());
                        let free = |slot: &Slot| matches!(slot, Slot::Temporary(_)) && !to.contains(slot);
                        match own.and_then(|own| slots.get_mut(own)) {
                            Some(own) if !updates && own.iter().all(free) => own.copy_from_slice(to),
                            _ => {}
                        }
                    }
                    self.value(value, &slots, &known, steps);
                    Definition::Stored(param.clone(), slots)
                }
                _ => Definition::Plain(param.clone(), value.clone()),
            });
            current = body;
        }
        if let Some((Some(definition), _)) = &apart {
            known.push(definition.clone());
        }
        parts.retain(|(part, to)| !known.iter().any(|d| is_there(d, part, to)));
        if !self.spread(&parts, &known, steps) {
            self.parts(parts, &known, steps);
        }
    }

    /// A value whose parts replace several parameters, as the tuple of its parts, and a definition for what they are of.
    fn apart(&self, value: &Expr, to: &[Slot]) -> Option<(Option<Definition>, Expr)> {
        let Type::Tuple(types) = value.ty() else { return None };
        let updates = to.iter().any(|slot| matches!(slot, Slot::Param(_)));
        if !updates || self.param(to).is_some() || matches!(value.kind(), Kind::Tuple(_)) {
            return None;
        }
        let fields =
            |whole: &Expr| Expr::tuple((0..types.len()).map(|i| Expr::field(whole.clone(), i)).collect());
        let inner = match (value.kind(), value.as_prim()) {
            (Kind::Param(_) | Kind::Field(..), _) => return Some((None, fields(value))),
            (_, Some((Prim::Unzip, [Arg::Data(inner)]))) => inner,
            _ => value,
        };
        let param = Param::new("parts", inner.ty().clone());
        let mut whole = Expr::param(&param);
        if inner != value {
            whole = Expr::prim(Prim::Unzip, vec![Arg::Data(whole)]);
        }
        Some((Some(Definition::Plain(param, inner.clone())), fields(&whole)))
    }

    /// One launch for parts that are those of one map over work-items, if that is what they are.
    fn spread(&mut self, parts: &[(Expr, Vec<Slot>)], known: &[Definition], steps: &mut Vec<Step>) -> bool {
        let all: Vec<&Expr> = parts.iter().map(|(part, _)| part).collect();
        let found = known.iter().rev().find_map(|d| match d {
            Definition::Plain(param, value) if is_global_map(value) && is_spread(param, &all) => {
                Some((param, value))
            }
            Definition::Plain(..) | Definition::Stored(..) => None,
        });
        let Some((param, value)) = found else { return false };
        let whole = with_definitions(value, known);
        let targets: Vec<Option<Param>> = parts.iter().map(|(_, to)| self.param(to).cloned()).collect();
        // Only what is stored without a loop can wait until everything is read; what is stored in a loop must not have to.
        let waits = is_written_out(value) || stores_in_turn(value);
        let in_place = |i: usize, target: &Param| {
            let elsewhere = |(j, (part, _)): (usize, &(Expr, Vec<Slot>))| {
                let own = usize::from(i == j && matches!(part.as_prim(), Some((Prim::ScatterTo, _))));
                occurrences(part, target.id).count > own
            };
            waits && !parts.iter().enumerate().any(elsewhere) && reads_own(&whole, &parts[i].0, target)
        };
        let here: Vec<bool> =
            targets.iter().enumerate().map(|(i, t)| t.as_ref().is_none_or(|t| in_place(i, t))).collect();
        let (mut now, mut slots, mut outputs, mut later) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (((part, to), target), here) in parts.iter().zip(&targets).zip(here) {
            match target {
                Some(target) if here => {
                    now.push(part.clone());
                    slots.extend(to);
                    outputs.push(Some(target));
                    continue;
                }
                // What is stored elsewhere first.
                Some(_) => {
                    let inner = scattered(part).unwrap_or(part);
                    let own = self.temporaries_for(inner.ty());
                    let stored = Param::new("updated", inner.ty().clone());
                    later.push((moved(part, &stored), to.clone(), Definition::Stored(stored, own.clone())));
                    now.push(inner.clone());
                    slots.extend(own);
                }
                None => {
                    now.push(part.clone());
                    slots.extend(to);
                }
            }
            outputs.push(None);
        }
        let rest: Vec<Definition> = known.iter().filter(|d| d.param() != param).cloned().collect();
        let body = Expr::let_(param.clone(), value.clone(), Expr::tuple(now));
        self.launch(&body, &outputs, &slots, &rest, steps);
        for (part, to, stored) in later {
            let known = [rest.as_slice(), &[stored]].concat();
            self.value(&part, &to, &known, steps);
        }
        true
    }

    /// The parts of a value. Parameters that are updated are read as they were before, so they are written last.
    fn parts(&mut self, parts: Vec<(Expr, Vec<Slot>)>, known: &[Definition], steps: &mut Vec<Step>) {
        let updates = |to: &[Slot]| to.iter().any(|slot| matches!(slot, Slot::Param(_)));
        let (last, first): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(_, to)| updates(to));
        self.grouped(first, known, steps);
        let mut copies = Vec::new();
        let mut known = known.to_vec();
        for (value, to) in &last {
            let reads_other = last.iter().any(|(_, other)| other != to && self.reads(value, other, &known));
            if reads_other || !self.is_pointwise(value, to, &known) {
                let param = Param::new("updated", value.ty().clone());
                let slots = self.temporaries_for(value.ty());
                self.value(value, &slots, &known, steps);
                known.push(Definition::Stored(param.clone(), slots));
                copies.push((Expr::param(&param), to.clone()));
            } else {
                copies.insert(0, (value.clone(), to.clone()));
            }
        }
        for (value, to) in copies {
            self.value(&value, &to, &known, steps);
        }
    }

    /// The parameter with these leaves.
    fn param(&self, leaves: &[Slot]) -> Option<&Param> {
        self.params.iter().find(|(_, slots)| slots == leaves).map(|(param, _)| param)
    }

    /// Whether a value depends on the parameter with these leaves.
    fn reads(&self, value: &Expr, leaves: &[Slot], known: &[Definition]) -> bool {
        let whole = with_definitions(value, known);
        self.param(leaves).is_some_and(|param| occurrences(&whole, param.id).count > 0)
    }

    /// Whether a value may replace the parameter with these leaves while it is computed.
    fn is_pointwise(&self, value: &Expr, leaves: &[Slot], known: &[Definition]) -> bool {
        self.param(leaves).is_none_or(|param| alias::is_pointwise(&with_definitions(value, known), param))
    }

    /// Parts over the same indices are one launch, and so are all scalars.
    fn grouped(&mut self, parts: Vec<(Expr, Vec<Slot>)>, known: &[Definition], steps: &mut Vec<Step>) {
        let parts = unzipped(parts, known);
        let mut groups: Vec<(Vec<Expr>, Vec<Slot>)> = Vec::new();
        for (part, to) in parts {
            let joined = groups.iter_mut().find_map(|group| {
                let all = [group.0.as_slice(), std::slice::from_ref(&part)].concat();
                fuse(&all, &self.kernel.facts).map(|_| group)
            });
            match joined {
                Some((parts, slots)) => {
                    parts.push(part);
                    slots.extend(to);
                }
                None => groups.push((vec![part], to)),
            }
        }
        for (parts, to) in groups {
            match parts.as_slice() {
                [part] => self.value(part, &to, known, steps),
                parts => match fuse(parts, &self.kernel.facts) {
                    Some(fused) => self.value(&fused, &to, known, steps),
                    None => bug!("parts that were fused cannot be"),
                },
            }
        }
    }

    /// Computes a value, whose leaves go to these slots.
    fn value(&mut self, value: &Expr, to: &[Slot], known: &[Definition], steps: &mut Vec<Step>) {
        match (value.kind(), value.ty()) {
            (Kind::Prim(Prim::Store(Memory::Temporary), args), _) => match args.as_slice() {
                [Arg::Data(inner)] => self.value(inner, to, known, steps),
                _ => bug!("arguments of {value}"),
            },
            (Kind::Prim(Prim::Unzip, _), _) => self.value(&zipped(value), to, known, steps),
            (Kind::Prim(Prim::Iterate, args), _) if is_host_loop(value) => match args.as_slice() {
                [Arg::Data(count), Arg::Fun(f), Arg::Data(start)] => {
                    self.repeat(count, f, start, to, known, steps);
                }
                _ => bug!("arguments of {value}"),
            },
            (Kind::Prim(Prim::IterateUntil, args), _) if is_host_loop(value) => match args.as_slice() {
                [Arg::Data(count), Arg::Fun(done), Arg::Fun(f), Arg::Data(start)] => {
                    self.repeat_until(count, (done, f), start, to, known, steps);
                }
                _ => bug!("arguments of {value}"),
            },
            (Kind::Let(..), _) => self.sequence(value, to, known, steps),
            (Kind::Prim(Prim::ScatterTo, args), _) => self.scatter_to(value, args, to, known, steps),
            (_, Type::Tuple(parts)) if contains_array(value.ty()) => {
                let fields = (0..parts.len()).map(|i| Expr::field(value.clone(), i));
                let mut flat = Vec::new();
                flatten(&Expr::tuple(fields.collect()), to, &mut flat);
                self.grouped(flat, known, steps);
            }
            _ => self.stage(value, to, known, steps),
        }
    }

    /// Elements are replaced in the buffers where the array is, or is put first.
    fn scatter_to(
        &mut self,
        value: &Expr,
        args: &[Arg],
        to: &[Slot],
        known: &[Definition],
        steps: &mut Vec<Step>,
    ) {
        let [Arg::Data(dst), rest @ ..] = args else { bug!("arguments of {value}") };
        let mut known = known.to_vec();
        let mut target = dst.clone();
        if self.in_memory(dst, &known).is_none_or(|slots| slots != to) {
            self.value(dst, to, &known, steps);
            let param = Param::new("into", dst.ty().clone());
            target = Expr::param(&param);
            known.push(Definition::Stored(param, to.to_vec()));
        }
        let args = [&[Arg::Data(target)], rest].concat();
        self.stage(&Expr::prim(Prim::ScatterTo, args).at(value.span()), to, &known, steps);
    }

    /// A loop of the host. Its state is in one set of temporaries, the next one goes to another.
    fn repeat(
        &mut self,
        count: &Expr,
        f: &Lambda,
        start: &Expr,
        to: &[Slot],
        known: &[Definition],
        steps: &mut Vec<Step>,
    ) {
        let count = named(count, known);
        let [state] = f.params.as_slice() else { bug!("`iterate` with a function of several parameters") };
        let (now, next) = (self.temporaries_for(start.ty()), self.temporaries_for(start.ty()));
        let mut once = Vec::new();
        let first_inside = self.temporaries.len();
        let inside = [known, &[Definition::Stored(state.clone(), now.clone())]].concat();
        self.sequence(&f.body, &next, &inside, &mut once);
        let own: Vec<Slot> = (first_inside..self.temporaries.len()).map(Slot::Temporary).collect();
        // Rounds outside of the loop have temporaries of their own, which are needed for a shorter time.
        let copies: Vec<Slot> = own.iter().map(|slot| self.copied(*slot)).collect();
        let more: Vec<Slot> = own.iter().map(|slot| self.copied(*slot)).collect();
        let round = [once.as_slice(), &swaps(&now, &next)].concat();
        let updates = to.iter().any(|slot| matches!(slot, Slot::Param(_)));
        let facts = &self.kernel.facts;
        let times = as_size(count).map(|n| facts.simplify(&n));
        let at_least = |n: i64| times.as_ref().filter(|k| facts.le(&n.into(), k).is_yes());
        let repeat = |k: ArithExpr, steps: &mut Vec<Step>| {
            if facts.eq(&k, &ArithExpr::zero()).is_no() || k.as_const().is_none() {
                steps.push(Step::Repeat(Count::Size(k), round.clone()));
            }
        };
        // The last round writes where the result is wanted, and the first one may read the start where it is.
        match (self.in_memory(start, known), at_least(1), at_least(2)) {
            (Some(from), Some(k), _) if !updates && k.as_const() == Some(1) => {
                steps.extend(redirected(&once, &[(&now, &from), (&next, to), (&own, &copies)]));
            }
            (Some(from), _, Some(k)) if !updates => {
                steps.extend(redirected(&once, &[(&now, &from), (&next, &now), (&own, &copies)]));
                repeat(k - 2, steps);
                steps.extend(redirected(&once, &[(&next, to), (&own, &more)]));
            }
            (_, Some(k), _) if !updates => {
                let mut first = Vec::new();
                repeat(k - 1, &mut first);
                self.value(start, &now, known, steps);
                steps.extend(first);
                steps.extend(redirected(&once, &[(&next, to), (&own, &more)]));
            }
            _ => {
                self.value(start, &now, known, steps);
                steps.push(Step::Repeat(self.rounds(count), round));
                self.value(&Expr::param(state), to, &inside, steps);
            }
        }
    }

    /// The same, if each round starts with a decision whether it is one.
    fn repeat_until(
        &mut self,
        count: &Expr,
        (done, f): (&Lambda, &Lambda),
        start: &Expr,
        to: &[Slot],
        known: &[Definition],
        steps: &mut Vec<Step>,
    ) {
        let ([own], [state]) = (done.params.as_slice(), f.params.as_slice()) else {
            bug!("`iterate_until` with functions of several parameters")
        };
        let (now, next) = (self.temporaries_for(start.ty()), self.temporaries_for(start.ty()));
        let flag = self.temporaries_for(done.body.ty());
        let [Slot::Temporary(flag_id)] = flag[..] else { bug!("several truth values decide") };
        let seen = |param: &Param| [known, &[Definition::Stored(param.clone(), now.clone())]].concat();
        let mut round = Vec::new();
        self.sequence(&done.body, &flag, &seen(own), &mut round);
        round.push(Step::Leave(flag_id));
        self.sequence(&f.body, &next, &seen(state), &mut round);
        round.extend(swaps(&now, &next));
        self.value(start, &now, known, steps);
        steps.push(Step::Repeat(self.rounds(named(count, known)), round));
        self.value(&Expr::param(state), to, &seen(state), steps);
    }

    /// How often a loop of the host runs.
    fn rounds(&self, count: &Expr) -> Count {
        match (as_size(count), self.times(count)) {
            (Some(k), _) => Count::Size(self.kernel.facts.simplify(&k)),
            (None, Some(count)) => count,
            // Nobody waits for more rounds than a size can say.
            (None, None) if matches!(count.kind(), Kind::Literal(_)) => Count::Size(ArithExpr::cst(i64::MAX)),
            (None, None) => bug!("`iterate({count}, …)` over arrays"),
        }
    }

    /// A number of rounds that is a parameter, or follows from one.
    fn times(&self, e: &Expr) -> Option<Count> {
        let Kind::Binary(op, k, n) = e.kind() else { return self.scalar_param(e).map(Count::Param) };
        let (leaf, n) = (self.scalar_param(k)?, u64::try_from(as_size(n)?.as_const()?).ok()?);
        match op {
            BinaryOp::Div => Some(Count::Whole(leaf, n)),
            BinaryOp::Rem => Some(Count::Rest(leaf, n)),
            _ => None,
        }
    }

    /// The leaf of a parameter that is a scalar.
    fn scalar_param(&self, e: &Expr) -> Option<usize> {
        let Kind::Param(param) = e.kind() else { return None };
        match self.params.iter().find(|(p, _)| p == param)?.1.as_slice() {
            [Slot::Param(leaf)] => Some(*leaf),
            _ => None,
        }
    }

    /// Where a value lies, if it is an array that is there already, or a tuple of such.
    fn in_memory(&self, e: &Expr, known: &[Definition]) -> Option<Vec<Slot>> {
        match e.kind() {
            Kind::Param(param) => known
                .iter()
                .find_map(|d| match d {
                    Definition::Stored(p, slots) if p == param => Some(slots.clone()),
                    _ => None,
                })
                .or_else(|| {
                    let (_, slots) = self.params.iter().find(|(p, _)| p == param)?;
                    param.ty.as_array().map(|_| slots.clone())
                }),
            Kind::Tuple(parts) => {
                let slots: Option<Vec<Vec<Slot>>> = parts.iter().map(|x| self.in_memory(x, known)).collect();
                slots.map(|slots| slots.concat())
            }
            _ => None,
        }
    }

    /// A launch that computes an expression.
    fn stage(&mut self, value: &Expr, to: &[Slot], known: &[Definition], steps: &mut Vec<Step>) {
        // What is scattered into is in a buffer of the program's own, perhaps.
        let into = match value.as_prim() {
            Some((Prim::ScatterTo, [Arg::Data(dst), ..])) => match dst.kind() {
                Kind::Param(param) => Some(param.clone()),
                _ => None,
            },
            _ => None,
        };
        let updated = into.or_else(|| self.param(to).cloned());
        self.launch(value, &[updated.as_ref()], to, known, steps);
    }

    /// A launch that computes an expression, whose parts, if there are several outputs, replace parameters or are results.
    fn launch(
        &mut self,
        value: &Expr,
        outputs: &[Option<&Param>],
        to: &[Slot],
        known: &[Definition],
        steps: &mut Vec<Step>,
    ) {
        let mut body = value.clone();
        let mut stored = Vec::new();
        for definition in definitions(value, known) {
            match definition {
                Definition::Plain(param, value) => body = Expr::let_(param.clone(), value.clone(), body),
                Definition::Stored(param, slots) => {
                    let mut own = Vec::new();
                    match opened(&param.ty, &param.name, &mut own) {
                        None => own.push(param.clone()),
                        Some(parts) => body = Expr::let_(param.clone(), parts, body),
                    }
                    stored.insert(0, (own, slots.clone()));
                }
            }
        }
        let mut params = Vec::new();
        let mut inputs = Vec::new();
        let several = outputs.len() > 1;
        for (param, slots) in &self.params {
            let replaced = several && outputs.contains(&Some(param));
            if replaced || occurrences(&body, param.id).count > 0 {
                params.push(param.clone());
                inputs.extend(slots);
            }
        }
        for (own, slots) in stored {
            params.extend(own);
            inputs.extend(slots);
        }
        let position = |param: &&Param| params.iter().position(|p| p == *param);
        let outputs = outputs.iter().map(|updated| match updated.as_ref().and_then(position) {
            Some(i) => Output::Update(i),
            None => Output::Result,
        });
        let outputs = outputs.collect();
        // A launch that follows finds it in the caches.
        let is_read_again = to.iter().any(|slot| matches!(slot, Slot::Temporary(_)));
        let KernelOptions { work_group, streaming, .. } = self.kernel.options.clone();
        let streaming = streaming.filter(|_| !is_read_again);
        let options = KernelOptions { work_group, streaming, ..KernelOptions::default() };
        self.stages.push(Kernel {
            name: self.kernel.name.clone(),
            sizes: self.kernel.sizes.clone(),
            facts: self.kernel.facts.clone(),
            params,
            body,
            outputs,
            checks: Vec::new(),
            source: self.kernel.source,
            step: None,
            options,
            interface: None,
        });
        let stage = self.stages.len() - 1;
        steps.push(Step::Launch(Launch { stage, inputs, outputs: to.to_vec() }));
    }

    /// Another temporary of the same kind.
    fn copied(&mut self, slot: Slot) -> Slot {
        match slot {
            Slot::Temporary(i) => {
                self.temporaries.push(self.temporaries[i].clone());
                Slot::Temporary(self.temporaries.len() - 1)
            }
            Slot::Param(_) | Slot::Result(_) | Slot::Status | Slot::Claims(_) => slot,
        }
    }

    fn temporaries_for(&mut self, ty: &Type) -> Vec<Slot> {
        let facts = &self.kernel.facts;
        let mut slots = Vec::new();
        for (dims, scalar) in ty.leaves() {
            let dims = dims.iter().map(|n| facts.simplify(n)).collect();
            slots.push(Slot::Temporary(self.temporaries.len()));
            self.temporaries.push(Temporary { scalar, dims });
        }
        slots
    }
}

/// What a round computed takes the place of what it was computed from.
fn swaps(now: &[Slot], next: &[Slot]) -> Vec<Step> {
    let pairs = now.iter().zip(next).filter_map(|slots| match slots {
        (Slot::Temporary(a), Slot::Temporary(b)) => Some(Step::Swap(*a, *b)),
        _ => None,
    });
    pairs.collect()
}

/// All parts of an array of tuples that is computed where it is needed are the array: it is computed once.
fn unzipped(mut parts: Vec<(Expr, Vec<Slot>)>, known: &[Definition]) -> Vec<(Expr, Vec<Slot>)> {
    for definition in known {
        let Definition::Plain(param, _) = definition else { continue };
        let Some((Type::Tuple(types), _)) = param.ty.as_array() else { continue };
        let part_of = |e: &Expr, i: usize| match e.kind() {
            Kind::Field(x, j) if i == *j => match x.as_prim() {
                Some((Prim::Unzip, [Arg::Data(xs)])) => matches!(xs.kind(), Kind::Param(p) if p == param),
                _ => false,
            },
            _ => false,
        };
        let find = |i: usize| parts.iter().position(|(e, _)| part_of(e, i));
        let Some(own) = (0..types.len()).map(find).collect::<Option<Vec<usize>>>() else { continue };
        let slots: Vec<Slot> = own.iter().flat_map(|i| parts[*i].1.clone()).collect();
        let (first, mut i) = (own.iter().min().copied().unwrap_or(0), 0);
        parts.retain(|_| {
            i += 1;
            !own.contains(&(i - 1))
        });
        parts.insert(first, (Expr::param(param), slots));
    }
    parts
}

/// What a variable stands for that is computed where it is needed.
fn named<'a>(e: &'a Expr, known: &'a [Definition]) -> &'a Expr {
    let Kind::Param(param) = e.kind() else { return e };
    let value = known.iter().find_map(|d| match d {
        Definition::Plain(_, value)
            if matches!(value.as_prim(), Some((Prim::Store(Memory::Temporary), _))) =>
        {
            None
        }
        Definition::Plain(p, value) if p == param => Some(value),
        Definition::Plain(..) | Definition::Stored(..) => None,
    });
    value.map_or(e, |value| named(value, known))
}

/// The same for a part of a variable.
fn resolved(e: &Expr, known: &[Definition]) -> Expr {
    match e.kind() {
        Kind::Field(x, i) => Expr::field(resolved(x, known), *i),
        _ => named(e, known).clone(),
    }
}

/// The definitions that a value needs, the last one first.
fn definitions<'a>(value: &Expr, known: &'a [Definition]) -> Vec<&'a Definition> {
    let mut needed: Vec<&Definition> = Vec::new();
    for definition in known.iter().rev() {
        let id = definition.param().id;
        let by_other = needed.iter().any(|d| match d {
            Definition::Plain(_, value) => occurrences(value, id).count > 0,
            Definition::Stored(..) => false,
        });
        if by_other || occurrences(value, id).count > 0 {
            needed.push(definition);
        }
    }
    needed
}

/// Scalars in memory are arrays of one element: the value in terms of new parameters, unless it is an array.
fn opened(ty: &Type, name: &str, params: &mut Vec<Param>) -> Option<Expr> {
    match ty {
        Type::Array(..) => None,
        Type::Scalar(_) => {
            let param = Param::new(name, Type::array(ty.clone(), ArithExpr::one()));
            params.push(param.clone());
            let first = Expr::size(ArithExpr::zero());
            Some(Expr::prim(Prim::At, vec![Arg::Data(first), Arg::Data(Expr::param(&param))]))
        }
        Type::Tuple(parts) => {
            let parts = parts.iter().enumerate().map(|(i, ty)| {
                let name = format!("{name}_{i}");
                opened(ty, &name, params).unwrap_or_else(|| {
                    let param = Param::new(&name, ty.clone());
                    params.push(param.clone());
                    Expr::param(&param)
                })
            });
            Some(Expr::tuple(parts.collect()))
        }
    }
}

/// The parts of a value with their leaves.
fn flatten(e: &Expr, to: &[Slot], parts: &mut Vec<(Expr, Vec<Slot>)>) {
    match e.kind() {
        Kind::Tuple(inner) => {
            let mut rest = to;
            for part in inner {
                let (own, others) = rest.split_at(part.ty().leaves().len());
                flatten(part, own, parts);
                rest = others;
            }
        }
        _ => parts.push((e.clone(), to.to_vec())),
    }
}

/// A value with the definitions that it needs of what is not stored.
fn with_definitions(value: &Expr, known: &[Definition]) -> Expr {
    definitions(value, known).into_iter().fold(value.clone(), |body, d| match d {
        Definition::Plain(param, value) => Expr::let_(param.clone(), value.clone(), body),
        Definition::Stored(..) => body,
    })
}

/// The first leaf of what is read, if it is a variable, a part of one, or the only element of one.
fn stored_part(e: &Expr, param: &Param) -> Option<usize> {
    match e.kind() {
        Kind::Param(p) => (p == param).then_some(0),
        Kind::Field(x, i) => {
            let Type::Tuple(parts) = x.ty() else { return None };
            let before: usize = parts[..*i].iter().map(|part| part.leaves().len()).sum();
            Some(stored_part(x, param)? + before)
        }
        Kind::Prim(Prim::At, args) => match args.as_slice() {
            [Arg::Data(i), Arg::Data(xs)] => {
                let only = xs.ty().as_array().is_some_and(|(_, n)| n.as_const() == Some(1));
                let first = as_size(i) == Some(ArithExpr::zero());
                (only && first).then(|| stored_part(xs, param))?
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether the part lies where it is wanted.
fn is_there(definition: &Definition, part: &Expr, to: &[Slot]) -> bool {
    match definition {
        Definition::Stored(param, slots) => {
            stored_part(part, param).is_some_and(|first| slots.get(first..first + to.len()) == Some(to))
        }
        Definition::Plain(..) => false,
    }
}

/// What is scattered to indices that are data.
fn scattered(e: &Expr) -> Option<&Expr> {
    match e.as_prim() {
        Some((Prim::ScatterTo, [.., Arg::Data(xs)])) => Some(xs),
        _ => None,
    }
}

/// A part whose elements are stored, before they are scattered, as a variable.
fn moved(part: &Expr, stored: &Param) -> Expr {
    match part.as_prim() {
        Some((Prim::ScatterTo, [dst, idx, _])) => {
            let args = vec![dst.clone(), idx.clone(), Arg::Data(Expr::param(stored))];
            Expr::prim(Prim::ScatterTo, args).at(part.span())
        }
        _ => Expr::param(stored),
    }
}

/// The same without `unzip` on the way to what is stored: the leaves of tuples of arrays are those of arrays
/// of tuples.
fn zipped(e: &Expr) -> Expr {
    match e.as_prim() {
        Some((Prim::Unzip, [Arg::Data(inner)])) => zipped(inner),
        Some((Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)])) => {
            Expr::map(Lambda { params: f.params.clone(), body: zipped(&f.body) }, xs.clone())
        }
        _ => e.clone(),
    }
}

/// The same launches with other buffers.
fn redirected(steps: &[Step], changes: &[(&[Slot], &[Slot])]) -> Vec<Step> {
    let other = |slot: Slot| {
        let mut pairs = changes.iter().flat_map(|(from, to)| from.iter().zip(to.iter()));
        pairs.find(|(from, _)| **from == slot).map_or(slot, |(_, to)| *to)
    };
    Step::renamed(steps, &|stage| stage, &other)
}
