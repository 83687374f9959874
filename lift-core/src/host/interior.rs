//! The interior of a loop along a row as text: a function that takes stretches of arrays.

use crate::arith::ArithExpr;
use crate::host::divisors::{Divisor, divisors};
use crate::host::names::Kind;
use crate::host::print::{Array, Printer, Row, stored};
use crate::host::rows::Interior;
use crate::host::steady::Steady;
use crate::host::stretches::Stretch;
use crate::host::strips::reads_results;
use crate::host::vectors::type_name;
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::machine::host::{MOST_INTERLEAVED, ROWS, STRIP};
use crate::memory::{BufferId, Space};

/// Elements that are nearer to each other are in one cache line, or in the next.
const NEAR: i64 = 16;

/// A function for the interior of a row, as text in parts.
#[derive(Default)]
struct RowFunction {
    name: String,
    signature: Vec<String>,
    passed: Vec<String>,
    stretches: Vec<(Stretch, String, Elements)>,
    /// What the stretches are taken from, and what they are called then.
    patterns: Vec<String>,
    ranges: Vec<String>,
}

/// What a stretch is made of.
struct Elements {
    elem: String,
    is_written: bool,
}

impl RowFunction {
    fn pass(&mut self, name: &str, ty: &str, value: String) {
        self.signature.push(format!("{name}: {ty}"));
        self.passed.push(value);
    }

    /// A parameter for a stretch; its name.
    fn stretch(&mut self, stretch: &Stretch, elements: Elements) -> String {
        let name = format!("s{}", self.stretches.len());
        let reference = if elements.is_written { "&mut " } else { "&" };
        self.pass(&name, &format!("{reference}[{}]", elements.elem), name.clone());
        self.stretches.push((stretch.clone(), name.clone(), elements));
        name
    }

    /// The first stretch that is written.
    fn written(&self) -> Option<&str> {
        let mut written = self.stretches.iter().filter(|(.., elements)| elements.is_written);
        written.next().map(|(_, name, _)| name.as_str())
    }
}

impl Printer<'_> {
    /// The loop over the interior. After it, `inside` is the range that is done.
    pub(super) fn interior(&mut self, interior: &Interior, same: &[(Local, Expr)], bound: &str) {
        let (first, end) = (self.index(&interior.first), self.index(&interior.end));
        self.line(&format!("let mut inside: (isize, isize) = host::inside({first}, {end}, {bound});"));
        let mut row = self.row_function(interior);
        let known = interior.trips();
        let in_strips = known.is_none() && may_repeat(interior);
        let mut ahead = Vec::new();
        if in_strips {
            for (name, stretch, distance) in self.next_rows(interior) {
                let (distance, len) = (self.index(&distance), stretch.len(STRIP as i64));
                let at = times(stretch.step, "at as isize");
                row.pass(&format!("{name}_ahead"), "isize", distance);
                ahead.push(format!("host::prefetch({name}, {at} + {name}_ahead, {len});"));
            }
        }
        for (name, ty, value) in self.free(interior, &row.stretches) {
            row.pass(&name, &ty, value);
        }
        // A function, so that compilers know that the stretches are apart.
        self.line("#[inline(always)]");
        self.line(&format!("fn {}({}) {{", row.name, row.signature.join(", ")));
        let facts = std::mem::replace(&mut self.facts, interior.facts.clone());
        let stretches = row.stretches.iter().map(|(stretch, name, _)| (stretch.clone(), name.clone()));
        let around = self.row.replace(Row {
            var: interior.var.clone(),
            stretches: stretches.collect(),
            count: String::new(),
            in_chunks: false,
        });
        let others = std::mem::take(&mut self.divisors);
        self.nested(|p| {
            let divisors = divisors(&interior.var, &interior.body);
            let steady = p.steady(interior, &divisors);
            p.reciprocals(&divisors);
            match (known, row.written()) {
                (Some(count), _) => p.known_row(interior, &row, count),
                (None, Some(written)) if in_strips => {
                    let strips = match steady {
                        Some(_) => format!("host::even_strips(first, trips, {STRIP})"),
                        None => format!("host::strips({written}, trips, {STRIP})"),
                    };
                    p.line(&format!("let (shift, strips) = {strips};"));
                    p.line("for strip in 0..strips {");
                    p.nested(|p| p.strip(interior, &row, &ahead, steady.as_ref()));
                    p.line("}");
                    p.line("if strips == 0 {");
                    p.nested(|p| p.short_row(interior, &row));
                    p.line("}");
                }
                _ => p.short_row(interior, &row),
            }
        });
        (self.facts, self.row, self.divisors) = (facts, around, others);
        self.line("}");
        self.line(&format!("if let ({},) = ({},) {{", row.patterns.join(", "), row.ranges.join(", ")));
        self.nested(|p| {
            // There is at least one trip here.
            for (local, value) in same {
                let value = p.expr(value);
                let name = p.names.of(Kind::Variable, local.id, &local.name);
                p.line(&format!("let {name}: {} = {value};", local.scalar));
            }
            p.line(&format!("{}({});", row.name, row.passed.join(", ")));
        });
        self.line("} else {");
        self.nested(|p| p.line("inside.1 = inside.0;"));
        self.line("}");
    }

    /// Names for what all trips divide by.
    fn reciprocals(&mut self, divisors: &[Divisor]) {
        for (i, (by, value)) in divisors.iter().enumerate() {
            let (name, value) = (format!("d{i}"), self.expr(value));
            self.line(&format!("let {name} = host::Divisor::new({value});"));
            self.divisors.push((by.clone(), name));
        }
    }

    /// A strip of a row: a loop of a known number of trips over arrays of a known length becomes vectors without a rest. From the second strip
    /// on, stores are to whole cache lines; the last one may begin before the end of the one before.
    fn strip(&mut self, interior: &Interior, row: &RowFunction, ahead: &[String], steady: Option<&Steady>) {
        self.line(&format!("let at = usize::min(({STRIP} * strip).saturating_sub(shift), trips - {STRIP});"));
        ahead.iter().for_each(|line| self.line(line));
        for (stretch, name, elements) in &row.stretches {
            let (mutable, suffix) = if elements.is_written { ("mut ", "_mut") } else { ("", "") };
            let (elem, len) = (&elements.elem, stretch.len(STRIP as i64));
            let at = match stretch.step {
                back if back < 0 => times(-back, &format!("trips - {STRIP} - at")),
                step => times(step, "at"),
            };
            self.line(&format!("let {name}: &{mutable}[{elem}; {len}] = host::strip{suffix}({name}, {at});"));
        }
        match steady {
            Some(steady) => self.steady_strip(steady, interior),
            None => self.trips(interior, &STRIP.to_string(), "at + trip"),
        }
    }

    /// A row with a known number of trips: a strip of this length.
    fn known_row(&mut self, interior: &Interior, row: &RowFunction, count: usize) {
        for (stretch, name, elements) in &row.stretches {
            let (mutable, suffix) = if elements.is_written { ("mut ", "_mut") } else { ("", "") };
            let (elem, len) = (&elements.elem, stretch.len(count as i64));
            self.line(&format!("let {name}: &{mutable}[{elem}; {len}] = host::strip{suffix}({name}, 0);"));
        }
        self.trips(interior, &count.to_string(), "trip");
    }

    /// A row that is shorter than a strip, or in which nothing may be done twice.
    fn short_row(&mut self, interior: &Interior, row: &RowFunction) {
        for (stretch, name, elements) in &row.stretches {
            let (reference, suffix) = if elements.is_written { ("&mut ", "_mut") } else { ("&", "") };
            let step = stretch.step.abs();
            let line = match step - stretch.reach - 1 {
                0 if step == 1 => format!("{reference}{name}[..trips]"),
                0 => format!("{reference}{name}.as_chunks{suffix}::<{step}>().0[..trips]"),
                rest => format!("{reference}{name}[..{step} * trips - {rest}]"),
            };
            self.line(&format!("let {name} = {line};"));
        }
        self.in_chunks(true);
        self.trips(interior, "trips", "trip");
        self.in_chunks(false);
    }

    fn in_chunks(&mut self, in_chunks: bool) {
        if let Some(row) = &mut self.row {
            row.in_chunks = in_chunks;
        }
    }

    pub(super) fn trips(&mut self, interior: &Interior, count: &str, at: &str) {
        let index = self.names.of(Kind::Variable, interior.var.id(), interior.var.name());
        if let Some(row) = &mut self.row {
            row.count = count.into();
        }
        self.line(&format!("for trip in 0..{count} {{"));
        self.nested(|p| {
            p.line(&format!("let {index}: isize = first + ({at}) as isize;"));
            p.block(&interior.body);
        });
        self.line("}");
    }

    /// A function for the interior, that takes its stretches.
    fn row_function(&mut self, interior: &Interior) -> RowFunction {
        let mut row = RowFunction { name: format!("row_{}", self.functions), ..RowFunction::default() };
        self.functions += 1;
        let written = interior.writes.iter().flat_map(|(_, list)| list);
        self.scatters |= interior.reads.iter().chain(written).any(|s| s.step.abs() > MOST_INTERLEAVED);
        row.pass("trips", "usize", "(inside.1 - inside.0) as usize".into());
        row.pass("first", "isize", "inside.0".into());
        for stretch in &interior.reads {
            let (array, elem) =
                (self.array(stretch.buffer), stored(self.kernel.buffer(stretch.buffer).scalar));
            let base = self.index(&stretch.base);
            let name = row.stretch(stretch, Elements { elem, is_written: false });
            row.patterns.push(format!("Some({name})"));
            let Stretch { step, reach, .. } = stretch;
            // Backwards, trips are counted from the last one on.
            let trips = if *step < 0 { "(1 - inside.1, 1 - inside.0)" } else { "inside" };
            row.ranges.push(format!("host::stretch({array}, ({base}, {}, {reach}), {trips})", step.abs()));
        }
        for (buffer, list) in &interior.writes {
            let (array, elem) = (self.array(*buffer), stored(self.kernel.buffer(*buffer).scalar));
            let (mut names, mut ranges) = (Vec::new(), Vec::new());
            for stretch in list {
                let base = self.index(&stretch.base);
                let base = match self.reached(*buffer) {
                    Some(Array::Own) => format!("{base} - {array}_first"),
                    _ => base,
                };
                ranges.push(format!("({base}, {}, {})", stretch.step, stretch.reach));
                names.push(row.stretch(stretch, Elements { elem: elem.clone(), is_written: true }));
            }
            row.patterns.push(format!("Some([{}])", names.join(", ")));
            row.ranges.push(format!("host::stretches({array}, [{}], inside)", ranges.join(", ")));
        }
        row
    }

    /// The stretches of a block whose rows the next block reads so many elements further on, one of those that lie side by side: processors do
    /// not see from rows that are read together which ones come next.
    fn next_rows<'a>(&self, interior: &'a Interior) -> Vec<(String, &'a Stretch, ArithExpr)> {
        let Some(block) = &self.block else { return Vec::new() };
        let mut kept: Vec<(String, &Stretch, ArithExpr)> = Vec::new();
        for (i, stretch) in interior.reads.iter().enumerate() {
            let Some((by, _)) = stretch.base.linear_in(block) else { continue };
            let is_near = |other: &Stretch| {
                let distance = (&other.base - &stretch.base).as_const();
                other.buffer == stretch.buffer && distance.is_some_and(|n| n.abs() < NEAR)
            };
            if by.as_const() != Some(0)
                && stretch.step > 0
                && !kept.iter().any(|(_, other, _)| is_near(other))
            {
                kept.push((format!("s{i}"), stretch, by * ROWS));
            }
        }
        kept
    }

    /// What the body of an interior uses from around it: a name, a type, and what is passed.
    fn free(
        &mut self,
        interior: &Interior,
        stretches: &[(Stretch, String, Elements)],
    ) -> Vec<(String, String, String)> {
        let mut found: Vec<(String, String, String)> = Vec::new();
        let (mut own_vars, mut own_locals) = (vec![interior.var.clone()], Vec::<Local>::new());
        interior.body.iter().for_each(|stmt| {
            stmt.visit(&mut |s| {
                own_vars.extend(s.index().cloned());
                if let Stmt::Value { local, .. } = s {
                    own_locals.push(local.clone());
                }
            });
        });
        let (mut vars, mut locals, mut buffers) = (Vec::new(), Vec::<Local>::new(), Vec::new());
        let is_stretch = |id: BufferId, index: &[ArithExpr]| {
            stretches.iter().any(|(it, ..)| it.offset(id, index, &interior.var).is_some())
        };
        for stmt in &interior.body {
            stmt.visit(&mut |s| {
                s.accesses(&mut |id, _, lanes, index| {
                    if lanes > 1 || !is_stretch(id, index) {
                        vars.extend(index.iter().flat_map(ArithExpr::vars));
                        if !buffers.contains(&id) {
                            buffers.push(id);
                        }
                    }
                });
                if let Stmt::Index(_, IndexValue::Arith(e)) = s {
                    vars.extend(e.vars());
                }
                if let Some(e) = s.expr() {
                    e.visit(&mut |e| match e {
                        Expr::Local(local) if !locals.contains(local) => locals.push(local.clone()),
                        Expr::Index(e) => vars.extend(e.vars()),
                        Expr::Cond(cond) => vars.extend(cond.margin().vars()),
                        _ => {}
                    });
                }
                if let Stmt::Assign(local, _) = s
                    && !locals.contains(local)
                {
                    locals.push(local.clone());
                }
            });
        }
        // A name of an extent is what it stands for.
        let mut plain = Vec::new();
        for var in vars {
            match self.kernel.strides.iter().find(|(stride, _)| *stride == var) {
                Some((_, extent)) => plain.extend(extent.vars()),
                None => plain.push(var),
            }
        }
        plain.sort();
        plain.dedup();
        for var in plain.into_iter().filter(|var| !own_vars.contains(var)) {
            let name = self.names.of(Kind::Variable, var.id(), var.name());
            found.push((name.clone(), "isize".into(), name));
        }
        for local in locals.into_iter().filter(|local| !own_locals.contains(local)) {
            let name = self.names.of(Kind::Variable, local.id, &local.name);
            found.push((name.clone(), type_name(local.scalar, local.lanes), name));
        }
        for id in buffers {
            self.free_array(id, &mut found);
        }
        found
    }

    fn free_array(&mut self, id: BufferId, found: &mut Vec<(String, String, String)>) {
        let (name, buffer) = (self.array(id), self.kernel.buffer(id));
        let ty = stored(buffer.scalar);
        match self.reached(id) {
            Some(Array::Slice) => found.push((name.clone(), self.slice(id), name)),
            Some(Array::Own) => {
                found.push((name.clone(), format!("&mut [{ty}]"), format!("&mut *{name}")));
                found.push((format!("{name}_first"), "isize".into(), format!("{name}_first")));
            }
            Some(Array::Columns) => {
                let value = format!("&mut *{name}");
                found.push((name, format!("&mut host::Columns<'_, {ty}>"), value));
            }
            Some(Array::Shared) => found.push((name.clone(), format!("host::Shared<'_, {ty}>"), name)),
            None => {
                let mut ty = buffer.scalar.to_string();
                for extent in buffer.own_dims().into_iter().rev() {
                    ty = match extent.as_const() {
                        Some(n) if !ty.starts_with("Vec") => format!("[{ty}; {n}]"),
                        _ => format!("Vec<{ty}>"),
                    };
                }
                let written = matches!(buffer.space, Space::Private | Space::Local);
                let reference = if written { "&mut " } else { "&" };
                let value = if written { format!("&mut {name}") } else { name.clone() };
                found.push((name, format!("{reference}{ty}"), value));
            }
        }
    }
}

/// So many times an index.
fn times(count: i64, index: &str) -> String {
    if count == 1 { index.into() } else { format!("{count} * ({index})") }
}

/// Whether trips of an interior may be done twice: they only write elements of stretches, which they do not read.
fn may_repeat(interior: &Interior) -> bool {
    let mut is_stretch = true;
    interior.body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            s.accesses(&mut |id, is_write, _, _| {
                is_stretch &= !is_write || interior.writes.iter().any(|(buffer, _)| *buffer == id);
            });
        });
    });
    is_stretch && !reads_results(&interior.body)
}
