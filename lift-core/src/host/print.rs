//! Statements as text.

use crate::arith::{ArithExpr, Facts, Var};
use crate::host::expr::literal_text;
use crate::host::hoist::hoisted;
use crate::host::jam::{Jammed, jammed};
use crate::host::names::{Kind, Names};
use crate::host::nest::{Nest, nest};
use crate::host::rows::{Interior, Stretch, interior};
use crate::host::strips::{Strips, in_vectors, reads_results, strips};
use crate::host::uses::Use;
use crate::host::vectors::type_name;
use crate::imp::ast::{Claim, Expr, IndexValue, Kernel, Local, Param, Stmt};
use crate::ir::{Literal, Scalar};
use crate::machine::host::{FEW_READS, ROWS};
use crate::memory::{BufferId, Space};
use crate::opencl::entry;

/// A function of the host.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name.
    pub entry: String,
    /// How many work-items there are.
    pub items: ArithExpr,
    /// How it uses its arguments.
    pub uses: Vec<Use>,
    /// The implementation of the runtime's `host::Function` for the type [`Function::type_name`], which is declared in it, too. The
    /// module `host` of the runtime must be in scope.
    pub text: String,
}

impl Function {
    /// The type that the text declares.
    pub fn type_name(entry: &str) -> String {
        format!("Function_{entry}")
    }
}

/// The function of a kernel; nothing for those that the host cannot run.
pub fn print(kernel: &Kernel) -> Option<Function> {
    let (Nest { items, item, facts, body }, uses) = nest(kernel)?;
    let mut printer = Printer {
        kernel,
        facts,
        names: Names::default(),
        arrays: Vec::new(),
        row: None,
        block: None,
        text: String::new(),
        indent: 2,
        functions: 0,
    };
    let entry = entry(&kernel.name);
    printer.arguments(&uses);
    printer.tables();
    let item_name = printer.names.of(Kind::Variable, item.id(), item.name());
    let [first, last] = ["first", "last"].map(|end| Var::new(crate::ir::build::fresh_id(), end));
    for (end, name) in [(&first, "first"), (&last, "last")] {
        let own = printer.names.of(Kind::Variable, end.id(), end.name());
        printer.line(&format!("let {own}: isize = {name};"));
        printer.facts.declare(end, Some(ArithExpr::zero()), Some(items.clone()));
    }
    let ends = (ArithExpr::var(&first), ArithExpr::var(&last));
    printer.for_loop((&item, &ends.0, &ends.1), &body, &item_name);

    let (name, text) = (Function::type_name(&entry), printer.text);
    let text = format!(
        "struct {name};\nimpl host::Function for {name} {{\n    #[inline(always)]\n    \
         fn run(part: &mut host::Part<'_>) {{\n        let (first, last) = part.items();\n{text}    }}\n}}\n"
    );
    Some(Function { entry, items, uses, text })
}

/// How an array is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Array {
    /// A slice that is read.
    Slice,
    /// The elements of the work-items of this part, and the index of the first.
    Own,
    /// An array whose elements are read and written one by one.
    Shared,
}

/// Shorter loops are not worth stretches of arrays.
const FEW_TRIPS: i64 = 16;

/// Elements that are nearer to each other are in one cache line, or in the next.
const NEAR: i64 = 16;

/// Which stretches have names: inside of the loop along a row.
struct Row {
    var: Var,
    stretches: Vec<(Stretch, String)>,
    /// The trips of a vector, or of several.
    width: i64,
    /// Those of one.
    lanes: i64,
}

/// What printing needs to know.
pub(super) struct Printer<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) facts: Facts,
    pub(super) names: Names,
    arrays: Vec<(BufferId, Array)>,
    row: Option<Row>,
    /// The first of the rows that are computed at once.
    block: Option<Var>,
    text: String,
    indent: usize,
    /// How many functions there are for rows.
    functions: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn nested(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent += 1;
        print(self);
        self.indent -= 1;
    }

    pub(super) fn array(&mut self, id: BufferId) -> String {
        let name = &self.kernel.buffer(id).name;
        self.names.of(Kind::Buffer, id.0, name)
    }

    pub(super) fn reached(&self, id: BufferId) -> Option<Array> {
        self.arrays.iter().find(|(own, _)| *own == id).map(|(_, array)| *array)
    }

    /// Whether truth values are bytes there: in what others see.
    pub(super) fn is_bytes(&self, id: BufferId) -> bool {
        self.reached(id).is_some()
    }

    /// An element that is read.
    pub(super) fn element(&mut self, id: BufferId, index: &[ArithExpr]) -> String {
        if let Some(place) = self.stretch(id, index) {
            return place;
        }
        match self.reached(id) {
            Some(Array::Shared) => {
                let (name, index) = (self.array(id), self.index(&index[0]));
                format!("{name}.get({index})")
            }
            _ => self.place_of(id, index),
        }
    }

    /// The element of a stretch that belongs to the trip.
    pub(super) fn stretch(&mut self, id: BufferId, index: &[ArithExpr]) -> Option<String> {
        let (name, by) = self.in_stretch(id, index)?;
        (by == 0).then(|| format!("{name}[trip]"))
    }

    /// The stretch in which an element is, and how far that is from the element of the trip.
    pub(super) fn in_stretch(&self, id: BufferId, index: &[ArithExpr]) -> Option<(String, i64)> {
        let row = self.row.as_ref()?;
        let [index] = index else { return None };
        let base = index - ArithExpr::var(&row.var);
        let own = row.stretches.iter().filter(|(it, _)| it.buffer == id);
        let mut near = own.filter_map(|(it, name)| Some((name, (&base - &it.base).as_const()?)));
        // Of several vectors, the later ones are some elements further on.
        let exact = near.clone().find(|(_, by)| *by == 0);
        let vectors = |by: i64| (1..row.width).contains(&by) && by % row.lanes == 0;
        let found = exact.or_else(|| near.find(|(_, by)| vectors(*by)))?;
        Some((found.0.clone(), found.1))
    }

    /// An element as a place.
    fn place_of(&mut self, id: BufferId, index: &[ArithExpr]) -> String {
        let name = self.array(id);
        match self.reached(id) {
            Some(Array::Own) => {
                let index = self.index(&index[0]);
                format!("{name}[({index} - {name}_first) as usize]")
            }
            _ => {
                let index: String = index.iter().map(|e| format!("[{}]", self.place(e))).collect();
                format!("{name}{index}")
            }
        }
    }

    fn arguments(&mut self, uses: &[Use]) {
        for (i, size) in self.kernel.sizes.iter().enumerate() {
            let name = self.names.of(Kind::Variable, size.id(), size.name());
            self.line(&format!("let {name}: isize = part.size({i});"));
        }
        for (i, tunable) in self.kernel.tunables.iter().enumerate() {
            let name = self.names.of(Kind::Variable, tunable.id(), tunable.name());
            self.line(&format!("let {name}: isize = part.tunable({i});"));
        }
        for (i, (param, how)) in self.kernel.params.iter().zip(uses).enumerate() {
            let line = match (param, how) {
                (Param::Buffer(id), Use::Read(scalar)) => {
                    self.arrays.push((*id, Array::Slice));
                    format!("let {}: &[{}] = part.read({i});", self.array(*id), stored(*scalar))
                }
                (Param::Buffer(id), Use::Own(scalar, _)) => {
                    self.arrays.push((*id, Array::Own));
                    let (name, ty) = (self.array(*id), stored(*scalar));
                    format!("let ({name}, {name}_first): (&mut [{ty}], isize) = part.own({i});")
                }
                (Param::Buffer(id), Use::Shared(scalar)) => {
                    self.arrays.push((*id, Array::Shared));
                    format!(
                        "let {}: host::Shared<'_, {}> = part.shared({i});",
                        self.array(*id),
                        stored(*scalar)
                    )
                }
                (Param::Scalar(local), _) => {
                    let name = self.names.of(Kind::Variable, local.id, &local.name);
                    format!("let {name}: {} = part.scalar({i});", local.scalar)
                }
                (Param::Status, _) => format!("let status: host::Status<'_> = part.status({i});"),
                (Param::Claims(site), _) => {
                    format!("let claims_{site}: Option<host::Claims<'_>> = part.claims({i});")
                }
                (Param::Buffer(_), _) => crate::bug!("a buffer is used as {how:?}"),
            };
            self.line(&line);
        }
    }

    fn tables(&mut self) {
        for table in &self.kernel.tables {
            let buffer = self.kernel.buffer(table.buffer);
            let dims: Vec<i64> = buffer.dims.iter().filter_map(ArithExpr::as_const).collect();
            let name = self.array(table.buffer);
            let (ty, values) =
                (nested_type(&dims, &buffer.scalar.to_string()), nested_values(&dims, &table.elements));
            self.line(&format!("static {}: {ty} = {values};", name.to_uppercase()));
            self.line(&format!("let {name} = &{};", name.to_uppercase()));
        }
    }

    fn block(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Index(var, value) => {
                let value = self.index_value(value);
                let name = self.names.of(Kind::Variable, var.id(), var.name());
                self.line(&format!("let {name}: isize = {value};"));
            }
            Stmt::Value { local, init, constant } => {
                let value = match init {
                    Some(e) => self.expr(e),
                    None if local.lanes > 1 => {
                        self.lanes(&Expr::Literal(Literal::number(0, local.scalar)), local.lanes)
                    }
                    None => literal_text(Literal::number(0, local.scalar)),
                };
                let value = match init {
                    Some(e) if e.lanes() < local.lanes => self.lanes(e, local.lanes),
                    _ => value,
                };
                let name = self.names.of(Kind::Variable, local.id, &local.name);
                let mutable = if *constant && init.is_some() { "" } else { "mut " };
                self.line(&format!(
                    "let {mutable}{name}: {} = {value};",
                    type_name(local.scalar, local.lanes)
                ));
            }
            Stmt::Assign(local, value) => {
                let value = match local.lanes {
                    lanes if lanes > value.lanes() => self.lanes(value, lanes),
                    _ => self.expr(value),
                };
                let name = self.names.of(Kind::Variable, local.id, &local.name);
                self.line(&format!("{name} = {value};"));
            }
            Stmt::Array(id) => self.declare(*id),
            Stmt::Store(id, index, value) => self.store(*id, index, value),
            Stmt::For { var, start, bound, step, body, .. } => {
                let name = self.names.of(Kind::Variable, var.id(), var.name());
                if step.as_const() == Some(1) {
                    self.for_loop((var, start, bound), body, &name);
                } else {
                    let (start, bound, step) = (self.index(start), self.index(bound), self.index(step));
                    self.line(&format!("let mut {name}: isize = {start};"));
                    self.line(&format!("while {name} < {bound} {{"));
                    self.nested(|p| {
                        p.block(body);
                        p.line(&format!("{name} += {step};"));
                    });
                    self.line("}");
                }
            }
            Stmt::Repeat { count, body, .. } => {
                let count = self.expr(count);
                self.line(&format!("for _ in 0..{count} {{"));
                self.nested(|p| p.block(body));
                self.line("}");
            }
            Stmt::If(cond, then, otherwise) => {
                let cond = self.expr(cond);
                self.line(&format!("if {cond} {{"));
                self.nested(|p| p.block(then));
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.nested(|p| p.block(otherwise));
                }
                self.line("}");
            }
            Stmt::Claim(claim) => self.claim(claim),
            // A group has one work-item.
            Stmt::Barrier => {}
        }
    }

    fn store(&mut self, id: BufferId, index: &[ArithExpr], value: &Expr) {
        if value.lanes() > 1 {
            let value = self.vector(value);
            let (array, index) = self.elements(id, index);
            self.line(&format!("{value}.store(&mut {array}, {index});"));
            return;
        }
        let bytes = value.scalar() == Scalar::Bool && self.is_bytes(id);
        let value = self.expr(value);
        let value = if bytes { format!("{value} as u8") } else { value };
        let line = match (self.stretch(id, index), self.reached(id)) {
            (Some(place), _) => format!("{place} = {value};"),
            (None, Some(Array::Shared)) => {
                let (name, index) = (self.array(id), self.index(&index[0]));
                format!("{name}.set({index}, {value});")
            }
            (None, _) => format!("{} = {value};", self.place_of(id, index)),
        };
        self.line(&line);
    }

    /// An array of one work-item; what it holds before it is written, nobody reads.
    fn declare(&mut self, id: BufferId) {
        let buffer = self.kernel.buffer(id);
        let (name, ty) = (self.array(id), buffer.scalar.to_string());
        let zero = literal_text(Literal::number(0, buffer.scalar));
        let dims: Vec<ArithExpr> = buffer.own_dims().into_iter().cloned().collect();
        let mut line = zero;
        for extent in dims.iter().rev() {
            line = match extent.as_const() {
                Some(n) if !line.starts_with("vec!") => format!("[{line}; {n}]"),
                _ => {
                    let extent = self.place(extent);
                    format!("vec![{line}; {extent}]")
                }
            };
        }
        let _ = ty;
        self.line(&format!("let mut {name} = {line};"));
    }

    fn claim(&mut self, claim: &Claim) {
        let Claim { site, index, position, guards } = claim;
        let guard = Expr::all(guards).map(|cond| format!(" && {}", self.expr(&cond)));
        let [index, position] = [index, position].map(|e| self.index(e));
        let number = self.kernel.first_site + site;
        let guard = guard.unwrap_or_default();
        self.line(&format!("if let Some(claims) = claims_{site} {{ if true{guard} {{"));
        self.nested(|p| p.line(&format!("claims.claim({index}, {number}, {position}, &status);")));
        self.line("} }");
    }

    fn index_value(&mut self, value: &IndexValue) -> String {
        match value {
            IndexValue::Arith(e) => self.index(e),
            IndexValue::Value(e) => format!("{} as isize", self.expr(e)),
            IndexValue::Checked { site, value, len, position, otherwise } => {
                let site = self.kernel.first_site + site;
                let value = self.expr(value);
                let [len, position, otherwise] = [len, position, otherwise].map(|e| self.index(e));
                format!("status.checked_index({value} as u64, {len}, {otherwise}, {site}, {position})")
            }
            IndexValue::Id(..) => crate::bug!("an id on the host"),
        }
    }

    /// A loop: where it can be, the range of trips without choices comes first, over stretches of arrays.
    fn for_loop(&mut self, (var, start, bound): (&Var, &ArithExpr, &ArithExpr), body: &[Stmt], name: &str) {
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
        let interior = interior.filter(|it| !is_short && !(it.reads.is_empty() && it.writes.is_empty()));
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
        let number = self.functions;
        self.functions += 1;
        let mut patterns = Vec::new();
        let mut ranges = Vec::new();
        let mut stretches: Vec<(Stretch, String)> = Vec::new();
        let mut signature = vec!["trips: usize".to_string(), "first: isize".to_string()];
        let mut passed = vec!["(inside.1 - inside.0) as usize".to_string(), "inside.0".to_string()];
        let mut shorter = Vec::new();
        for stretch in &interior.reads {
            let (array, ty) = (self.array(stretch.buffer), stored(self.kernel.buffer(stretch.buffer).scalar));
            let (name, base) = (format!("s{}", stretches.len()), self.index(&stretch.base));
            patterns.push(format!("Some({name})"));
            ranges.push(format!("host::stretch({array}, {base}, inside)"));
            signature.push(format!("{name}: &[{ty}]"));
            shorter.push(format!("let {name} = &{name}[..trips];"));
            passed.push(name.clone());
            stretches.push((stretch.clone(), name));
        }
        for (buffer, list) in &interior.writes {
            let (array, ty) = (self.array(*buffer), stored(self.kernel.buffer(*buffer).scalar));
            let (mut names, mut bases) = (Vec::new(), Vec::new());
            for stretch in list {
                let name = format!("s{}", stretches.len());
                let base = self.index(&stretch.base);
                bases.push(match self.reached(*buffer) {
                    Some(Array::Own) => format!("{base} - {array}_first"),
                    _ => base,
                });
                signature.push(format!("{name}: &mut [{ty}]"));
                shorter.push(format!("let {name} = &mut {name}[..trips];"));
                passed.push(name.clone());
                names.push(name.clone());
                stretches.push((stretch.clone(), name));
            }
            patterns.push(format!("Some([{}])", names.join(", ")));
            ranges.push(format!("host::stretches({array}, [{}], inside)", bases.join(", ")));
        }
        let copies = if interior.reads.len() <= FEW_READS { 2 } else { 1 };
        let trips = (&interior.end - &interior.first).as_const();
        let arrays = self.arrays.clone();
        let is_slice = |id: BufferId| arrays.iter().any(|(own, array)| *own == id && *array != Array::Shared);
        let vectors = in_vectors(&interior.body, &interior.var, &is_slice, (copies, trips));
        let width = vectors.as_ref().map_or(1, |(width, _)| *width);
        let mut ahead = Vec::new();
        if vectors.is_some() {
            for (name, distance) in self.next_rows(interior) {
                let distance = self.index(&distance);
                signature.push(format!("{name}_ahead: isize"));
                passed.push(distance);
                ahead.push(format!("host::prefetch({name}, trip as isize + {name}_ahead);"));
            }
        }
        let outside = self.free(interior, &stretches);
        for (name, ty, value) in &outside {
            signature.push(format!("{name}: {ty}"));
            passed.push(value.clone());
        }
        // A function, so that compilers know that the stretches are apart.
        self.line("#[inline(always)]");
        self.line(&format!("fn row_{number}({}) {{", signature.join(", ")));
        let known = std::mem::replace(&mut self.facts, interior.facts.clone());
        let row = self.row.replace(Row {
            var: interior.var.clone(),
            stretches,
            width,
            lanes: (width / copies).max(1),
        });
        let index = self.names.of(Kind::Variable, interior.var.id(), interior.var.name());
        self.nested(|p| {
            shorter.iter().for_each(|line| p.line(line));
            let at = format!("let {index}: isize = first + trip as isize;");
            let mut rest = "0";
            if let Some((lanes, body)) = vectors {
                let whole = format!("trips / {lanes} * {lanes}");
                p.line(&format!("let whole = {whole};"));
                if reads_results(&interior.body) {
                    p.line(&format!("for trip in (0..whole).step_by({lanes}) {{"));
                    rest = "whole";
                } else {
                    // The last vector may begin before the end of the one before.
                    p.line(&format!(
                        "for strip in 0..if whole == 0 {{ 0 }} else {{ trips.div_ceil({lanes}) }} {{"
                    ));
                    p.nested(|p| {
                        p.line(&format!("let trip = usize::min({lanes} * strip, trips - {lanes});"))
                    });
                    rest = "if whole == 0 { 0 } else { trips }";
                }
                p.nested(|p| {
                    p.line(&at);
                    ahead.iter().for_each(|line| p.line(line));
                    p.block(&body);
                });
                p.line("}");
            }
            p.line(&format!("for trip in {rest}..trips {{"));
            p.nested(|p| {
                p.line(&at);
                p.block(&interior.body);
            });
            p.line("}");
        });
        (self.facts, self.row) = (known, row);
        self.line("}");
        self.line(&format!("if let ({},) = ({},) {{", patterns.join(", "), ranges.join(", ")));
        self.nested(|p| {
            // There is at least one trip here.
            for (local, value) in same {
                let value = p.expr(value);
                let name = p.names.of(Kind::Variable, local.id, &local.name);
                p.line(&format!("let {name}: {} = {value};", local.scalar));
            }
            p.line(&format!("row_{number}({});", passed.join(", ")));
        });
        self.line("} else {");
        self.nested(|p| p.line("inside.1 = inside.0;"));
        self.line("}");
    }

    /// The stretches of a block whose rows the next block reads so many elements further on, one of those that lie side by side: processors do
    /// not see from rows that are read together which ones come next.
    fn next_rows(&self, interior: &Interior) -> Vec<(String, ArithExpr)> {
        let Some(block) = &self.block else { return Vec::new() };
        let mut kept: Vec<(&Stretch, String, ArithExpr)> = Vec::new();
        for (i, stretch) in interior.reads.iter().enumerate() {
            let Some((by, _)) = stretch.base.linear_in(block) else { continue };
            let is_near = |other: &Stretch| {
                let distance = (&other.base - &stretch.base).as_const();
                other.buffer == stretch.buffer && distance.is_some_and(|n| n.abs() < NEAR)
            };
            if by.as_const() != Some(0) && !kept.iter().any(|(other, ..)| is_near(other)) {
                kept.push((stretch, format!("s{i}"), by * ROWS));
            }
        }
        kept.into_iter().map(|(_, name, distance)| (name, distance)).collect()
    }

    /// What the body of an interior uses from around it: a name, a type, and what is passed.
    fn free(
        &mut self,
        interior: &Interior,
        stretches: &[(Stretch, String)],
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
            let [index] = index else { return false };
            let base = index - ArithExpr::var(&interior.var);
            stretches.iter().any(|(it, _)| it.buffer == id && it.base == base)
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

/// The type of elements in memory.
pub(super) fn stored(scalar: Scalar) -> String {
    if scalar == Scalar::Bool { "u8".into() } else { scalar.to_string() }
}

fn nested_type(dims: &[i64], scalar: &str) -> String {
    dims.iter().rev().fold(scalar.to_string(), |ty, n| format!("[{ty}; {n}]"))
}

fn nested_values(dims: &[i64], elements: &[Literal]) -> String {
    let parts: Vec<String> = match dims {
        [] | [_] => elements.iter().map(|x| literal_text(*x)).collect(),
        [n, inner @ ..] => {
            let rows = usize::try_from(*n).unwrap_or(1).max(1);
            elements.chunks(elements.len() / rows).map(|row| nested_values(inner, row)).collect()
        }
    };
    format!("[{}]", parts.join(", "))
}
