//! Statements and functions as text.

use lift_spec::macros::{CLAIMS, INDEX};

use crate::arith::{ArithExpr, Facts};
use crate::imp::alignment::Definitions;
use crate::imp::ast::{Claim, Expr, IndexValue, Kernel, Local, Param, Stmt, Unroll, WorkItem};
use crate::imp::index_arithmetic::Forms;
use crate::ir::{Atomic, BinaryOp, Scalar};
use crate::low::Geometry;
use crate::memory::{Buffer, BufferId, Space};
use crate::opencl::helpers::Helpers;
use crate::opencl::lanes::vector_type;
use crate::opencl::names::Names;
use crate::opencl::{prec, type_name, wrap};

/// Longest line of a signature or table.
pub(super) const WIDTH: usize = 100;

/// What printing needs to know.
pub(super) struct Printer<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) facts: Facts,
    pub(super) forms: Forms<'a>,
    pub(super) names: Names,
    pub(super) helpers: Helpers,
    pub(super) definitions: Definitions,
    pub(super) text: String,
    indent: usize,
}

/// How many elements of a buffer are read or written at once at most; 0 if nobody reads or writes it.
fn widest_access(kernel: &Kernel, id: BufferId) -> u8 {
    let mut widest = 0;
    let mut note = |of, _, lanes: u8, _: &[ArithExpr]| {
        if of == id {
            widest = lanes.max(widest);
        }
    };
    kernel.body.iter().for_each(|stmt| stmt.visit(&mut |s| s.accesses(&mut note)));
    widest
}

/// How many of the first statements declare variables of one type that have no value yet, or a number.
fn variables(stmts: &[Stmt]) -> usize {
    let declared = |stmt: &Stmt| match stmt {
        Stmt::Value { local, init: None, .. } => Some((local.scalar, local.lanes, false)),
        Stmt::Value { local, init: Some(Expr::Literal(_)), constant: false } => {
            Some((local.scalar, local.lanes, true))
        }
        _ => None,
    };
    let Some(first) = stmts.first().and_then(declared) else { return 0 };
    stmts.iter().take_while(|stmt| declared(stmt) == Some(first)).count()
}

impl<'a> Printer<'a> {
    /// A printer for a kernel whose variables have these names.
    pub(super) fn new(kernel: &'a Kernel, names: Names) -> Printer<'a> {
        let mut printer = Printer {
            kernel,
            facts: kernel.facts.clone(),
            forms: Forms::new(kernel),
            names,
            helpers: Helpers::default(),
            definitions: Definitions::of(&kernel.body, &kernel.strides),
            text: String::new(),
            indent: 0,
        };
        for (var, extent) in &kernel.strides {
            let text = printer.index(extent).at(prec::UNARY);
            printer.names.define(var.id(), text);
        }
        printer
    }

    /// For people: for which sizes the function is.
    pub(super) fn multiples(&self, multiples: &[(ArithExpr, i64)]) -> String {
        let each = multiples
            .iter()
            .map(|(extent, number)| format!("{} % {number} == 0", self.index(extent).at(prec::MUL)));
        each.collect::<Vec<String>>().join(" && ")
    }

    /// A text that relies on the shape of its work-groups says so: without, a driver may compile it for
    /// smaller ones than the launcher asks for.
    fn qualifiers(&mut self) -> String {
        match &self.kernel.geometry {
            Geometry::Items(_) => "kernel ".into(),
            Geometry::Groups { local, .. } | Geometry::Shaped { local, .. } => {
                let extent = |d: usize| local.get(d).map_or("1".into(), |n| self.index(n).text);
                let shape = [0, 1, 2].map(extent).join(", ");
                format!("kernel __attribute__((reqd_work_group_size({shape})))\n")
            }
        }
    }

    /// Whether an array is declared whose extents depend on sizes: then these are numbers while the driver compiles.
    pub(super) fn declares_by_size(&self) -> bool {
        let declared = |buffer: &&Buffer| matches!(buffer.space, Space::Local | Space::Private);
        let depends = |n: &ArithExpr| {
            let vars = self.definitions.resolve(n).vars();
            vars.iter().any(|var| self.kernel.sizes.contains(var))
        };
        let shape = match &self.kernel.geometry {
            Geometry::Items(_) => &[],
            Geometry::Groups { local, .. } | Geometry::Shaped { local, .. } => local.as_slice(),
        };
        let extents = self.kernel.buffers.iter().filter(declared).flat_map(|buffer| &buffer.dims);
        extents.chain(shape).any(depends)
    }

    /// Prints the function.
    pub(super) fn function(&mut self, entry: &str) {
        let params: Vec<String> = self.kernel.params.iter().map(|p| self.param(p)).collect();
        let sizes = if self.kernel.sizes.is_empty() { "" } else { " LIFT_SIZES" };
        let claims = self.kernel.params.iter().position(|p| matches!(p, Param::Claims(_)));
        let (params, claims) = params.split_at(claims.unwrap_or(params.len()));
        let qualifiers = self.qualifiers();
        let one_line = format!("{qualifiers}void {entry}({}{sizes})", params.join(", "));
        if !claims.is_empty() {
            let claims: String = claims.iter().map(|param| format!("    , {param}\n")).collect();
            let params = params.join(",\n    ");
            self.text = format!(
                "{qualifiers}void {entry}(\n    {params}\n#ifdef {CLAIMS}\n{claims}#endif\n   {sizes})\n"
            );
        } else if one_line.lines().all(|line| line.len() <= WIDTH) {
            one_line.lines().for_each(|line| self.line(line));
        } else {
            self.text = format!("{qualifiers}void {entry}(\n    {}{sizes})\n", params.join(",\n    "));
        }
        self.line("{");
        self.indent += 1;
        self.locals();
        let kernel = self.kernel;
        self.block(&kernel.body);
        self.indent -= 1;
        self.line("}");
    }

    /// Declares what lies in local memory; pointers to arrays that have their place within others come last.
    fn locals(&mut self) {
        let (inside, own): (Vec<BufferId>, Vec<BufferId>) =
            self.kernel.local_buffers().partition(|id| self.kernel.buffer(*id).within.is_some());
        for id in &own {
            let buffer = self.kernel.buffer(*id);
            let dims = self.dims(&buffer.dims);
            let lies_there = |other: &&BufferId| self.kernel.buffer(**other).within == Some(*id);
            let mut all = inside.iter().filter(lies_there).chain([id]);
            let aligned = if all.any(|id| widest_access(self.kernel, *id) > 1) {
                " __attribute__((aligned(16)))"
            } else {
                ""
            };
            let (ty, name) = (type_name(buffer.scalar), self.names.array(*id));
            self.line(&format!("local {ty} {name}{dims}{aligned};"));
        }
        for id in inside.iter().filter(|id| widest_access(self.kernel, **id) > 0) {
            let buffer = self.kernel.buffer(*id);
            let Some(place) = buffer.within.map(|place| self.names.array(place)) else { continue };
            let (ty, name) = (type_name(buffer.scalar), self.names.array(*id));
            let row = self.dims(&buffer.dims[1..]);
            let line = match row.as_str() {
                "" => format!("local {ty}* const {name} = (local {ty}*){place};"),
                row => format!("local {ty} (*const {name}){row} = (local {ty} (*){row}){place};"),
            };
            self.line(&line);
        }
    }

    /// The extents of an array that is declared. One that may have no elements has room for one: OpenCL has no arrays of
    /// length 0, and not every driver lets them pass.
    fn dims<'e>(&self, extents: impl IntoIterator<Item = &'e ArithExpr>) -> String {
        let extent = |n: &ArithExpr| {
            let text = self.index(n).text;
            let is_some = self.kernel.facts.nonneg(&(n - 1)).is_yes();
            if is_some { format!("[{text}]") } else { format!("[({text}) > 0 ? ({text}) : 1]") }
        };
        extents.into_iter().map(extent).collect()
    }

    fn param(&self, param: &Param) -> String {
        match param {
            Param::Status => format!("global int* restrict {}", self.names.status),
            Param::Claims(site) => format!("global int* restrict {}", self.claims(*site)),
            Param::Scalar(local) => format!("{} {}", stored_type(local.scalar), self.names.var(local.id)),
            Param::Buffer(id) => {
                let buffer = self.kernel.buffer(*id);
                let (ty, name) = (stored_type(buffer.scalar), self.names.array(*id));
                match buffer.space {
                    Space::Output => format!("global {ty}* restrict {name}"),
                    // Items read what others of their group have written, which is not what `restrict` promises: NVIDIA's compiler
                    // (580.159) reads before the barrier.
                    Space::Global => format!("global {ty}* {name}"),
                    Space::Input | Space::Local | Space::Constant | Space::Private => {
                        format!("global const {ty}* restrict {name}")
                    }
                }
            }
        }
    }

    /// A line, broken where it gets too long.
    fn line(&mut self, line: &str) {
        let indent = "    ".repeat(self.indent);
        let mut start = indent.clone();
        for part in wrap::parts(line, WIDTH.saturating_sub(indent.len())) {
            self.text.push_str(&start);
            self.text.push_str(part);
            self.text.push('\n');
            start = format!("{indent}    ");
        }
    }

    /// `place = value;`, the lanes of a vector one below the other if they do not fit a line.
    fn store(&mut self, place: &str, value: &Expr) {
        let text = format!("{place} = {};", self.expr(value).text);
        match value {
            Expr::Pack(lanes) if 4 * self.indent + text.len() > WIDTH => {
                self.line(&format!("{place} = ({})(", vector_type(value.scalar(), value.lanes())));
                self.indent += 1;
                let all: Vec<String> = lanes.iter().map(|lane| self.expr(lane).text).collect();
                let all = all.join(", ");
                if 4 * self.indent + all.len() + 2 <= WIDTH {
                    self.line(&format!("{all});"));
                    self.indent -= 1;
                    return;
                }
                for (i, lane) in lanes.iter().enumerate() {
                    let end = if i + 1 < lanes.len() { "," } else { ");" };
                    let lane = self.expr(lane).text;
                    self.line(&format!("{lane}{end}"));
                }
                self.indent -= 1;
            }
            _ => self.line(&text),
        }
    }

    fn block(&mut self, stmts: &[Stmt]) {
        let mut rest = stmts;
        while let Some((first, others)) = rest.split_first() {
            let count = variables(rest);
            if count > 1 {
                self.variables(&rest[..count]);
                rest = &rest[count..];
            } else {
                self.stmt(first);
                rest = others;
            }
        }
    }

    /// Variables of one type, without values or all with numbers, in one declaration.
    fn variables(&mut self, stmts: &[Stmt]) {
        let Some(Stmt::Value { local, .. }) = stmts.first() else { return };
        let mut line = vector_type(local.scalar, local.lanes);
        let room = WIDTH.saturating_sub(4 * self.indent + 2);
        let mut separator = " ";
        for stmt in stmts {
            let Stmt::Value { local, .. } = stmt else { continue };
            let mut name = self.names.var(local.id).to_string();
            if let Stmt::Value { init: Some(e), .. } = stmt {
                name.push_str(&format!(" = {}", self.expr(e).text));
            }
            if line.len() + separator.len() + name.len() > room {
                line.push(',');
                self.line(&line);
                line = "    ".to_string();
                separator = "";
            }
            line.push_str(separator);
            line.push_str(&name);
            separator = ", ";
        }
        self.line(&format!("{line};"));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Index(var, value) => {
                let value = self.index_init(value);
                let name = self.names.var(var.id());
                self.line(&format!("const {INDEX} {name} = {value};"));
            }
            Stmt::Value { local, init, constant } => {
                let constant = if *constant { "const " } else { "" };
                let init = init.as_ref().map(|e| format!(" = {}", self.expr(e).text)).unwrap_or_default();
                let (ty, name) = (vector_type(local.scalar, local.lanes), self.names.var(local.id));
                self.line(&format!("{constant}{ty} {name}{init};"));
            }
            Stmt::Assign(local, value) => {
                let line = self.assignment(local, value);
                self.line(&line);
            }
            Stmt::Array(id) => {
                let buffer = self.kernel.buffer(*id);
                let dims = self.dims(buffer.own_dims());
                self.line(&format!("{} {}{dims};", type_name(buffer.scalar), self.names.array(*id)));
            }
            Stmt::Store(buffer, index, value) => match value.lanes() {
                1 => {
                    let index: String = index.iter().map(|i| format!("[{}]", self.index(i).text)).collect();
                    let place = format!("{}{index}", self.names.array(*buffer));
                    self.store(&place, value);
                }
                3 => {
                    let line = self.store_three(*buffer, index, value);
                    self.line(&line);
                }
                lanes if self.is_streamed(*buffer) => {
                    let line = self.streamed(*buffer, lanes, index, value);
                    self.line(&line);
                }
                lanes => {
                    let place = self.vector_target(*buffer, value.scalar(), lanes, index);
                    self.store(&place, value);
                }
            },
            Stmt::Atomic(op, buffer, index, value) => {
                let index: String = index.iter().map(|i| format!("[{}]", self.index(i).text)).collect();
                let (name, value) = (atomic_name(*op), self.expr(value).text);
                self.line(&format!("{name}(&{}{index}, {value});", self.names.array(*buffer)));
            }
            Stmt::For { var, start, bound, step, unroll, body } => {
                let name = self.names.var(var.id()).to_string();
                let step = match step.as_const() {
                    Some(1) => format!("++{name}"),
                    _ => format!("{name} += {}", self.index(step).text),
                };
                let (start, bound) = (self.index(start).text, self.index(bound).at(prec::ADD));
                match unroll {
                    Unroll::No => {}
                    Unroll::Whole => self.line("#pragma unroll"),
                    Unroll::By(trips) => self.line(&format!("#pragma unroll {trips}")),
                }
                self.line(&format!("for ({INDEX} {name} = {start}; {name} < {bound}; {step}) {{"));
                self.nested(body);
                self.line("}");
            }
            Stmt::Repeat { counter, count, body } => {
                let (ty, name) = (type_name(counter.scalar), self.names.var(counter.id).to_string());
                let count = self.expr(count).text;
                self.line(&format!("for ({ty} {name} = {count}; {name} > 0; --{name}) {{"));
                self.nested(body);
                self.line("}");
            }
            Stmt::Leave(cond) => {
                let cond = self.expr(cond).text;
                self.line(&format!("if ({cond}) break;"));
            }
            Stmt::If(cond, then, otherwise) => self.branch("", cond, then, otherwise),
            Stmt::Claim(claim) => self.claim(claim),
            Stmt::Barrier if !self.kernel.fences_global() => {
                self.line("barrier(CLK_LOCAL_MEM_FENCE);");
            }
            Stmt::Barrier => self.line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"),
        }
    }

    fn claim(&mut self, claim: &Claim) {
        let Claim { site, index, position, guards } = claim;
        let helper = self.helpers.claim_element();
        let guards = Expr::all(guards).map(|cond| format!("if ({}) ", self.expr(&cond).text));
        let [index, position] = [index, position].map(|e| self.index(e).text);
        let (claims, status) = (self.claims(*site).to_string(), self.names.status.clone());
        let site = self.kernel.first_site + site;
        let call = format!("{helper}({claims}, {index}, {site}, {position}, {status});");
        self.text.push_str(&format!("#ifdef {CLAIMS}\n"));
        self.line(&format!("{}{call}", guards.unwrap_or_default()));
        self.text.push_str("#endif\n");
    }

    /// The name of the claims of an operation.
    fn claims(&self, site: usize) -> &str {
        self.names.claims.get(&site).map_or_else(|| crate::bug!("site {site} has no claims"), String::as_str)
    }

    fn nested(&mut self, body: &[Stmt]) {
        self.indent += 1;
        self.block(body);
        self.indent -= 1;
    }

    fn branch(&mut self, before: &str, cond: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        let text = self.expr(cond).text;
        self.line(&format!("{before}if ({text}) {{"));
        self.nested(then);
        match otherwise {
            [] => self.line("}"),
            [Stmt::If(cond, then, otherwise)] => self.branch("} else ", cond, then, otherwise),
            otherwise => {
                self.line("} else {");
                self.nested(otherwise);
                self.line("}");
            }
        }
    }

    fn index_init(&mut self, value: &IndexValue) -> String {
        match value {
            IndexValue::Arith(e) => self.index(e).text,
            IndexValue::Id(WorkItem::Global, d) => format!("get_global_id({d})"),
            IndexValue::Id(WorkItem::Group, d) => format!("get_group_id({d})"),
            IndexValue::Id(WorkItem::Local, d) => format!("get_local_id({d})"),
            // The initialisation converts, from whatever type.
            IndexValue::Value(Expr::Cast(Scalar::Usize, x)) if !x.scalar().is_float() => self.expr(x).text,
            IndexValue::Value(e) => self.expr(e).text,
            IndexValue::Checked { site, value, len, position, otherwise } => {
                let helper = self.helpers.checked_index();
                let site = self.kernel.first_site + site;
                let value = self.expr(value).text;
                let [len, position, otherwise] = [len, position, otherwise].map(|e| self.index(e).text);
                let status = &self.names.status;
                format!("{helper}({value}, {len}, {otherwise}, {site}, {position}, {status})")
            }
        }
    }

    /// `acc += x` for `acc = acc + x`, and for `acc = x + acc`.
    fn assignment(&mut self, local: &Local, value: &Expr) -> String {
        let name = self.names.var(local.id).to_string();
        if let Expr::Binary(op, scalar, a, b) = value
            && (scalar.is_float() || matches!(scalar, Scalar::U32 | Scalar::U64 | Scalar::Usize))
        {
            let own = |e: &Expr| matches!(e, Expr::Local(l) if l == local);
            let arithmetic = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
            let commutative = matches!(op, BinaryOp::Add | BinaryOp::Mul);
            if arithmetic && own(a) {
                return format!("{name} {}= {};", op.symbol(), self.expr(b).text);
            }
            if commutative && own(b) {
                return format!("{name} {}= {};", op.symbol(), self.expr(a).text);
            }
        }
        format!("{name} = {};", self.expr(value).text)
    }
}

/// How a scalar is passed and stored.
fn stored_type(scalar: Scalar) -> &'static str {
    if scalar == Scalar::Bool { "uchar" } else { type_name(scalar) }
}

/// What OpenCL calls an operation on 32 bits.
fn atomic_name(op: Atomic) -> &'static str {
    match op {
        Atomic::Add => "atomic_add",
        Atomic::Min => "atomic_min",
        Atomic::Max => "atomic_max",
        Atomic::And => "atomic_and",
        Atomic::Or => "atomic_or",
        Atomic::Xor => "atomic_xor",
    }
}
