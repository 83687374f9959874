//! Loops as text: along rows, over blocks of rows, in strips.

use crate::arith::{ArithExpr, Var};
use crate::host::hoist::hoisted;
use crate::host::jam::{Jammed, jammed};
use crate::host::names::Kind;
use crate::host::print::{Array, Printer, Row, stored};
use crate::host::rows::{Interior, interior};
use crate::host::stretches::Stretch;
use crate::host::strips::{Strips, reads_results, strips};
use crate::host::vectors::type_name;
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::machine::host::{ROWS, STRIP};
use crate::memory::{BufferId, Space};

/// Shorter loops are not worth stretches of arrays.
const FEW_TRIPS: i64 = 16;

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
    /// A loop: where it can be, the range of trips without choices comes first, over stretches of arrays.
    pub(super) fn for_loop(
        &mut self,
        (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
        body: &[Stmt],
        name: &str,
    ) {
        let arrays = self.arrays.clone();
        let is_slice = |id: BufferId| {
            let array = arrays.iter().find(|(own, _)| *own == id).map(|(_, array)| *array);
            matches!(array, Some(Array::Slice | Array::Own))
        };
        if let Some(block) = jammed((var, start, bound), body, &self.facts) {
            self.jammed(&block, (start, bound), body, name);
            return;
        }
        let is_read = |id: BufferId| arrays.contains(&(id, Array::Slice));
        let interior = interior((var, start, bound), body, &self.facts, &is_slice);
        let mut same = Vec::new();
        let interior = interior.map(|mut it| {
            (it.body, same) = hoisted(std::mem::take(&mut it.body), &it.var, &is_read);
            it
        });
        let is_short = (bound - start).as_const().is_some_and(|trips| trips < FEW_TRIPS);
        let interior = interior.filter(|it| !(is_short || it.reads.is_empty() && it.writes.is_empty()));
        let strips = match interior {
            Some(_) => None,
            None => strips((var, start, bound), body, &self.facts, &is_slice),
        };
        let [start, bound] = [start, bound].map(|e| self.index(e));
        if let Some(strips) = strips {
            self.strips(&strips, &bound);
            self.outside([&start, &bound], body, name);
            return;
        }
        if let Some(interior) = interior {
            self.interior(&interior, &same, &bound);
            self.outside([&start, &bound], body, name);
            return;
        }
        self.line(&format!("for {name} in {start}..{bound} {{"));
        self.nested(|p| p.block(body));
        self.line("}");
    }

    /// The trips that are not `inside`: at both ends, or all of them.
    fn outside(&mut self, [start, bound]: [&str; 2], body: &[Stmt], name: &str) {
        self.line(&format!("let mut at: isize = {start};"));
        self.line("loop {");
        self.nested(|p| {
            p.line("if at == inside.0 { at = inside.1; }");
            p.line(&format!("if at >= {bound} {{ break; }}"));
            p.line(&format!("let {name}: isize = at;"));
            p.block(body);
            p.line("at += 1;");
        });
        self.line("}");
    }

    /// A loop over blocks of rows; where there are fewer than a block, one over rows.
    fn jammed(
        &mut self,
        block: &Jammed,
        (start, bound): (&ArithExpr, &ArithExpr),
        body: &[Stmt],
        name: &str,
    ) {
        let [start, bound] = [start, bound].map(|e| self.index(e));
        let row = self.names.of(Kind::Variable, block.var.id(), block.var.name());
        self.line(&format!("if {bound} - {start} < {ROWS} {{"));
        self.nested(|p| {
            p.line(&format!("for {name} in {start}..{bound} {{"));
            p.nested(|p| p.plain(body));
            p.line("}");
        });
        self.line("} else {");
        self.nested(|p| {
            // The last block may begin before the end of the one before.
            p.line(&format!("for block in 0..({bound} - {start} + {}) / {ROWS} {{", ROWS - 1));
            let known = std::mem::replace(&mut p.facts, block.facts.clone());
            p.nested(|p| {
                p.line(&format!(
                    "let {row}: isize = isize::min({start} + {ROWS} * block, {bound} - {ROWS});"
                ));
                p.block(&block.body);
            });
            p.facts = known;
            p.line("}");
        });
        self.line("}");
    }

    /// Statements in which loops are no more than loops.
    fn plain(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::For { var, start, bound, body, .. } => {
                    let name = self.names.of(Kind::Variable, var.id(), var.name());
                    let [start, bound] = [start, bound].map(|e| self.index(e));
                    self.line(&format!("for {name} in {start}..{bound} {{"));
                    self.nested(|p| p.plain(body));
                    self.line("}");
                }
                stmt => self.stmt(stmt),
            }
        }
    }

    /// The loop over strips of the interior. After it, `inside` is the range that is done.
    fn strips(&mut self, strips: &Strips, bound: &str) {
        let (first, end, width) = (self.index(&strips.first), self.index(&strips.end), strips.width);
        let name = self.names.of(Kind::Variable, strips.var.id(), strips.var.name());
        self.line(&format!("let mut inside: (isize, isize) = host::inside({first}, {end}, {bound});"));
        if !strips.may_repeat {
            self.line(&format!("inside.1 -= (inside.1 - inside.0) % {width};"));
        }
        self.line(&format!("if inside.1 - inside.0 < {width} {{"));
        self.nested(|p| p.line("inside.1 = inside.0;"));
        self.line("}");
        // The last strip may begin before the end of the one before.
        self.line(&format!("for strip in 0..(inside.1 - inside.0 + {}) / {width} {{", width - 1));
        let known = std::mem::replace(&mut self.facts, strips.facts.clone());
        self.nested(|p| {
            p.line(&format!("let {name} = isize::min(inside.0 + {width} * strip, inside.1 - {width});"));
            p.block(&strips.body);
        });
        self.facts = known;
        self.line("}");
    }

    /// The loop over the interior. After it, `inside` is the range that is done.
    fn interior(&mut self, interior: &Interior, same: &[(Local, Expr)], bound: &str) {
        let (first, end) = (self.index(&interior.first), self.index(&interior.end));
        self.line(&format!("let mut inside: (isize, isize) = host::inside({first}, {end}, {bound});"));
        let mut row = self.row_function(interior);
        let in_strips = may_repeat(interior);
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
        let known = std::mem::replace(&mut self.facts, interior.facts.clone());
        let stretches = row.stretches.iter().map(|(stretch, name, _)| (stretch.clone(), name.clone()));
        let around = self.row.replace(Row { var: interior.var.clone(), stretches: stretches.collect() });
        self.nested(|p| match row.written() {
            Some(written) if in_strips => {
                p.line(&format!("let (shift, strips) = host::strips({written}, trips, {STRIP});"));
                p.line("for strip in 0..strips {");
                p.nested(|p| p.strip(interior, &row, &ahead));
                p.line("}");
                p.line("if strips == 0 {");
                p.nested(|p| p.short_row(interior, &row));
                p.line("}");
            }
            _ => p.short_row(interior, &row),
        });
        (self.facts, self.row) = (known, around);
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

    /// A strip of a row: a loop of a known number of trips over arrays of a known length becomes vectors without a rest. From the second strip
    /// on, stores are to whole cache lines; the last one may begin before the end of the one before.
    fn strip(&mut self, interior: &Interior, row: &RowFunction, ahead: &[String]) {
        self.line(&format!("let at = usize::min(({STRIP} * strip).saturating_sub(shift), trips - {STRIP});"));
        ahead.iter().for_each(|line| self.line(line));
        for (stretch, name, elements) in &row.stretches {
            let (mutable, suffix) = if elements.is_written { ("mut ", "_mut") } else { ("", "") };
            let (elem, len, at) = (&elements.elem, stretch.len(STRIP as i64), times(stretch.step, "at"));
            self.line(&format!("let {name}: &{mutable}[{elem}; {len}] = host::strip{suffix}({name}, {at});"));
        }
        self.trips(interior, &STRIP.to_string(), "at + trip");
    }

    /// A row that is shorter than a strip, or in which nothing may be done twice.
    fn short_row(&mut self, interior: &Interior, row: &RowFunction) {
        for (stretch, name, elements) in &row.stretches {
            let reference = if elements.is_written { "&mut " } else { "&" };
            let len = match (stretch.step, stretch.step - stretch.reach - 1) {
                (1, _) => "trips".into(),
                (step, 0) => format!("{step} * trips"),
                (step, rest) => format!("{step} * trips - {rest}"),
            };
            self.line(&format!("let {name} = {reference}{name}[..{len}];"));
        }
        self.trips(interior, "trips", "trip");
    }

    fn trips(&mut self, interior: &Interior, count: &str, at: &str) {
        let index = self.names.of(Kind::Variable, interior.var.id(), interior.var.name());
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
        row.pass("trips", "usize", "(inside.1 - inside.0) as usize".into());
        row.pass("first", "isize", "inside.0".into());
        for stretch in &interior.reads {
            let (array, elem) =
                (self.array(stretch.buffer), stored(self.kernel.buffer(stretch.buffer).scalar));
            let base = self.index(&stretch.base);
            let name = row.stretch(stretch, Elements { elem, is_written: false });
            row.patterns.push(format!("Some({name})"));
            let Stretch { step, reach, .. } = stretch;
            row.ranges.push(format!("host::stretch({array}, ({base}, {step}, {reach}), inside)"));
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
            if by.as_const() != Some(0) && !kept.iter().any(|(_, other, _)| is_near(other)) {
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
                s.accesses(&mut |id, _, _, index| {
                    if !is_stretch(id, index) {
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
            Some(Array::Slice) => found.push((name.clone(), format!("&[{ty}]"), name)),
            Some(Array::Own) => {
                found.push((name.clone(), format!("&mut [{ty}]"), format!("&mut *{name}")));
                found.push((format!("{name}_first"), "isize".into(), format!("{name}_first")));
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
