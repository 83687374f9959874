//! Statements as text.

use crate::arith::{ArithExpr, Facts, Var};
use crate::bug;
use crate::host::expr::literal_text;
use crate::host::flatten::{Flat, flat};
use crate::host::names::{Kind, Names};
use crate::host::nest::{Nest, nest};
use crate::host::pieces::{Passing, Piece};
use crate::host::steady::Texts;
use crate::host::stretches::Stretch;
use crate::host::uses::Use;
use crate::host::vectors::type_name;
use crate::imp::alignment::Definitions;
use crate::imp::ast::{Claim, Expr, IndexValue, Kernel, Param, Stmt};
use crate::ir::{Literal, Scalar};
use crate::machine::work::LONGEST_TABLE;
use crate::memory::BufferId;
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
        widths: Vec::new(),
        definitions: Definitions::of(&body, &kernel.strides),
        row: None,
        block: None,
        item: item.clone(),
        together: 1,
        scatters: false,
        divisors: Vec::new(),
        texts: Texts::default(),
        strip: None,
        pieces: Vec::new(),
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
    match flat((&item, &ends.0, &ends.1), &body, &kernel.strides) {
        Some(Flat { var, start, bound, body }) => {
            printer.facts.declare(&var, Some(start.clone()), Some(&bound - 1));
            let name = printer.names.of(Kind::Variable, var.id(), var.name());
            printer.item = var.clone();
            printer.for_loop((&var, &start, &bound), &body, &name);
            // Parts are whole rows.
            printer.together = 1;
        }
        None => printer.for_loop((&item, &ends.0, &ends.1), &body, &item_name),
    }

    let (name, text) = (Function::type_name(&entry), printer.text);
    let together = match printer.together {
        1 => String::new(),
        n => format!("    const TOGETHER: usize = {n};\n"),
    };
    let most = if printer.scatters { "    const MOST: host::Isa = host::Isa::Avx2;\n" } else { "" };
    let text = format!(
        "struct {name};\nimpl host::Function for {name} {{\n{together}{most}    #[inline(always)]\n    \
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
    /// Columns of the work-items of this part.
    Columns,
    /// An array whose elements are read and written one by one.
    Shared,
}

/// Which stretches have names: inside of the loop along a row.
pub(super) struct Row {
    pub(super) var: Var,
    pub(super) stretches: Vec<(Stretch, String)>,
    /// The trips of the loop that is printed, as text.
    pub(super) count: String,
    /// Whether their number is not known, so that stretches are [chunks](Stretch::is_whole) where they can be.
    pub(super) in_chunks: bool,
}

/// What printing needs to know.
pub(super) struct Printer<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) facts: Facts,
    pub(super) names: Names,
    pub(super) arrays: Vec<(BufferId, Array)>,
    /// How long the rows are of which work-items have columns.
    pub(super) widths: Vec<(BufferId, ArithExpr)>,
    /// What names of indices stand for.
    pub(super) definitions: Definitions,
    pub(super) row: Option<Row>,
    /// The first of the rows that are computed at once.
    pub(super) block: Option<Var>,
    /// The variable of the work-items.
    pub(super) item: Var,
    /// So many work-items are computed at once.
    pub(super) together: i64,
    /// Whether vectors of 64 bytes are made by gathers, or stored by scatters.
    pub(super) scatters: bool,
    /// The divisors whose reciprocals have names.
    pub(super) divisors: Vec<(Expr, String)>,
    /// What stands for quotients, and for elements that are read where these say, in a steady strip.
    pub(super) texts: Texts,
    /// The strip around.
    pub(super) strip: Option<Passing>,
    /// The pieces that have names.
    pub(super) pieces: Vec<Piece>,
    text: String,
    indent: usize,
    /// How many functions there are for rows.
    pub(super) functions: usize,
}

impl Printer<'_> {
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn nested(&mut self, print: impl FnOnce(&mut Self)) {
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
                    let (name, ty) = (self.array(*id), self.slice(*id));
                    match self.known_len(*id) {
                        Some(_) => format!(
                            "let {name}: {ty} = host::strip(part.read::<{}>({i}), 0);",
                            stored(*scalar)
                        ),
                        None => format!("let {name}: {ty} = part.read({i});"),
                    }
                }
                (Param::Buffer(id), Use::Own(scalar, _)) => {
                    self.arrays.push((*id, Array::Own));
                    let (name, ty) = (self.array(*id), stored(*scalar));
                    format!("let ({name}, {name}_first): (&mut [{ty}], isize) = part.own({i});")
                }
                (Param::Buffer(id), Use::Columns(scalar, _, width)) => {
                    self.arrays.push((*id, Array::Columns));
                    self.widths.push((*id, width.clone()));
                    let (name, ty) = (self.array(*id), stored(*scalar));
                    format!("let {name}: &mut host::Columns<'_, {ty}> = &mut part.columns({i});")
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

    /// The length of an array that is read, if the program states it: compilers know of tables of 256 elements that bytes are indices of them.
    fn known_len(&self, id: BufferId) -> Option<i64> {
        let dims: Option<Vec<i64>> = self.kernel.buffer(id).dims.iter().map(ArithExpr::as_const).collect();
        dims?.into_iter().try_fold(1, i64::checked_mul).filter(|len| (1..=LONGEST_TABLE).contains(len))
    }

    /// The type of an array that is read.
    pub(super) fn slice(&self, id: BufferId) -> String {
        let elem = stored(self.kernel.buffer(id).scalar);
        self.known_len(id).map_or_else(|| format!("&[{elem}]"), |len| format!("&[{elem}; {len}]"))
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

    pub(super) fn block(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
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
            Stmt::Leave(cond) => {
                let cond = self.expr(cond);
                self.line(&format!("if {cond} {{ break; }}"));
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
            Stmt::Atomic(..) => bug!("the items of the host combine atomically"),
        }
    }

    fn store(&mut self, id: BufferId, index: &[ArithExpr], value: &Expr) {
        if value.lanes() > 1 {
            let lanes = value.lanes();
            let value = self.vector(value);
            if let Some((piece, place)) = self.piece(id, lanes, index) {
                self.line(&format!("{value}.store({piece}, {place});"));
                return;
            }
            if self.reached(id) == Some(Array::Columns) {
                let (name, place) = (self.array(id), self.column(id, &index[0]));
                self.line(&format!("{name}.store({place}, {value});"));
                return;
            }
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
            (None, Some(Array::Columns)) => {
                let (name, place) = (self.array(id), self.column(id, &index[0]));
                format!("{name}.set({place}, {value});")
            }
            (None, _) => format!("{} = {value};", self.place_of(id, index)),
        };
        self.line(&line);
    }

    /// An array of one work-item; what it holds before it is written, nobody reads.
    fn declare(&mut self, id: BufferId) {
        let buffer = self.kernel.buffer(id);
        let name = self.array(id);
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
