//! Statements as text, for people.
//!
//! Every variable has a name of its own: that which it should have, with a number where an earlier one has the same.

use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Display, Formatter, Write};

use lift_core::arith::{ArithExpr, Form, Var};
use lift_core::imp::ast::{Claim, Expr, IndexValue, Kernel, Local, Param, Stmt, Unroll, WorkItem};
use lift_core::ir::{BinaryOp, UnaryOp};
use lift_core::low::Geometry;
use lift_core::memory::{Buffer, BufferId, Space};
use lift_core::view::Cond;

use crate::print::Shown;

impl Display for Shown<'_, Kernel> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = Text::of(self.0);
        text.kernel(self.0)?;
        f.write_str(&text.out)
    }
}

/// Text in the making.
struct Text<'a> {
    out: String,
    buffers: &'a [Buffer],
    indent: usize,
    names: Names,
}

/// What everything is called.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
    vars: HashMap<u32, String>,
    buffers: HashMap<BufferId, String>,
}

impl Names {
    fn fresh(&mut self, wish: &str) -> String {
        let numbered = (1..).map(|i| format!("{wish}_{i}"));
        let mut free =
            std::iter::once(wish.to_string()).chain(numbered).filter(|name| !self.taken.contains(name));
        let name = free.next().unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }

    fn var(&mut self, id: u32, wish: &str) -> String {
        if let Some(name) = self.vars.get(&id) {
            return name.clone();
        }
        let name = self.fresh(wish);
        self.vars.insert(id, name.clone());
        name
    }

    fn buffer(&mut self, id: BufferId, wish: &str) -> String {
        if let Some(name) = self.buffers.get(&id) {
            return name.clone();
        }
        let name = self.fresh(wish);
        self.buffers.insert(id, name.clone());
        name
    }

    /// The same index arithmetic with the names of this text.
    fn form(&mut self, form: &Form) -> Form {
        let mut all = |forms: &[Form]| forms.iter().map(|x| self.form(x)).collect();
        match form {
            Form::Const(c) => Form::Const(*c),
            Form::Sum(xs) => Form::Sum(all(xs)),
            Form::Product(xs) => Form::Product(all(xs)),
            Form::Min(xs) => Form::Min(all(xs)),
            Form::Max(xs) => Form::Max(all(xs)),
            Form::Var(v) => Form::Var(Var::new(v.id(), &self.var(v.id(), v.name()))),
            Form::Neg(x) => Form::Neg(self.form(x).into()),
            Form::Div(a, b) => Form::Div(self.form(a).into(), self.form(b).into()),
            Form::Mod(a, b) => Form::Mod(self.form(a).into(), self.form(b).into()),
        }
    }
}

impl<'a> Text<'a> {
    fn of(kernel: &'a Kernel) -> Text<'a> {
        let mut names = Names::default();
        for var in kernel.sizes.iter().chain(&kernel.tunables) {
            names.var(var.id(), var.name());
        }
        Text { out: String::new(), buffers: &kernel.buffers, indent: 0, names }
    }

    fn line(&mut self, line: &str) -> fmt::Result {
        writeln!(self.out, "{:indent$}{line}", "", indent = 4 * self.indent)
    }

    /// The head, and the statements under it.
    fn kernel(&mut self, kernel: &Kernel) -> fmt::Result {
        let extents = |text: &mut Self, list: &[ArithExpr]| text.list(list, Self::index);
        let space = match &kernel.geometry {
            Geometry::Items(items) => format!("items {}", extents(self, items)),
            Geometry::Shaped { items, local } => {
                format!("items {} in groups of {}", extents(self, items), extents(self, local))
            }
            Geometry::Groups { groups, local } => {
                format!("groups {} of {}", extents(self, groups), extents(self, local))
            }
        };
        self.line(&format!("kernel {}: {space}", kernel.name))?;
        self.indent += 1;
        for param in &kernel.params {
            let line = match param {
                Param::Buffer(id) => self.declaration(*id),
                Param::Scalar(local) => format!("value {}", self.local_type(local)),
                Param::Status => "status".to_string(),
                Param::Claims(site) => format!("claims of site {site}"),
            };
            self.line(&line)?;
        }
        for id in (0..kernel.buffers.len() as u32).map(BufferId) {
            if matches!(kernel.buffer(id).space, Space::Local | Space::Constant) {
                let declaration = self.declaration(id);
                self.line(&declaration)?;
            }
        }
        for (var, extent) in &kernel.strides {
            let line = format!("{} = {}", self.names.var(var.id(), var.name()), self.index(extent));
            self.line(&line)?;
        }
        self.indent -= 1;
        self.block(&kernel.body)
    }

    fn declaration(&mut self, id: BufferId) -> String {
        let buffer = &self.buffers[id.0 as usize];
        let space = match buffer.space {
            Space::Input => "input",
            Space::Output => "output",
            Space::Local => "local",
            Space::Global => "global",
            Space::Constant => "constant",
            Space::Private => "private",
        };
        let within = buffer.within.map(|other| format!(" in the place of {}", self.buffer(other)));
        let dims: Vec<ArithExpr> = buffer.own_dims().into_iter().cloned().collect();
        let (name, dims) = (self.buffer(id), self.list(&dims, Self::index));
        format!("{space} {name}: {}[{dims}]{}", buffer.scalar, within.unwrap_or_default())
    }

    fn block(&mut self, stmts: &[Stmt]) -> fmt::Result {
        self.indent += 1;
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))?;
        self.indent -= 1;
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> fmt::Result {
        let (line, blocks): (String, &[&[Stmt]]) = match stmt {
            Stmt::Index(var, value) => {
                let value = self.constant(value);
                (format!("{} = {value}", self.names.var(var.id(), var.name())), &[])
            }
            Stmt::Value { local, init, constant } => {
                let init = init.as_ref().map(|e| format!(" = {}", self.expr(e)));
                let keyword = if *constant { "let" } else { "var" };
                (format!("{keyword} {}{}", self.local_type(local), init.unwrap_or_default()), &[])
            }
            Stmt::Assign(local, e) => (format!("{} := {}", self.local(local), self.expr(e)), &[]),
            Stmt::Array(id) => (self.declaration(*id), &[]),
            Stmt::Store(id, index, e) => {
                let e = self.expr(e);
                (format!("{}[{}] := {e}", self.buffer(*id), self.list(index, Self::index)), &[])
            }
            Stmt::Atomic(op, id, index, e) => {
                let e = self.expr(e);
                (format!("{}[{}] := atomic {op:?} {e}", self.buffer(*id), self.list(index, Self::index)), &[])
            }
            Stmt::For { var, start, bound, step, unroll, body } => {
                let (start, bound, step) = (self.index(start), self.index(bound), self.index(step));
                let step = if step == "1" { String::new() } else { format!(" by {step}") };
                let var = self.names.var(var.id(), var.name());
                let unroll = match unroll {
                    Unroll::No => String::new(),
                    Unroll::Whole => ", unrolled".to_string(),
                    Unroll::By(trips) => format!(", unrolled by {trips}"),
                };
                (format!("for {var} in {start}..{bound}{step}{unroll}"), &[body])
            }
            Stmt::Repeat { count, body, .. } => (format!("repeat {}", self.expr(count)), &[body]),
            Stmt::Leave(cond) => (format!("leave if {}", self.expr(cond)), &[]),
            Stmt::If(cond, then, otherwise) => (format!("if {}", self.expr(cond)), &[then, otherwise]),
            Stmt::Claim(Claim { site, index, position, guards }) => {
                let (index, position) = (self.index(index), self.index(position));
                let guards: Vec<String> = guards.iter().map(|cond| self.cond(cond)).collect();
                let guards =
                    if guards.is_empty() { String::new() } else { format!(" if {}", guards.join(" && ")) };
                (format!("claim {index} of site {site} at {position}{guards}"), &[])
            }
            Stmt::Barrier => ("barrier".to_string(), &[]),
        };
        self.line(&line)?;
        for (i, block) in blocks.iter().enumerate().filter(|(i, block)| *i == 0 || !block.is_empty()) {
            if i == 1 {
                self.line("else")?;
            }
            self.block(block)?;
        }
        Ok(())
    }

    fn constant(&mut self, value: &IndexValue) -> String {
        match value {
            IndexValue::Arith(e) => self.index(e),
            IndexValue::Id(item, d) => {
                let whose = match item {
                    WorkItem::Global => "global",
                    WorkItem::Group => "group",
                    WorkItem::Local => "local",
                };
                format!("{whose} id {d}")
            }
            IndexValue::Value(e) => self.expr(e),
            IndexValue::Checked { site, value, len, position, otherwise } => {
                let value = self.expr(value);
                let [len, position, otherwise] = [len, position, otherwise].map(|e| self.index(e));
                format!("{value} if below {len} else {otherwise}, site {site} at {position}")
            }
        }
    }

    fn expr(&mut self, e: &Expr) -> String {
        match e {
            Expr::Literal(x) => x.to_string(),
            Expr::Local(local) => self.local(local),
            Expr::Index(e) => match e.as_const() {
                Some(_) => self.index(e),
                None => format!("index({})", self.index(e)),
            },
            Expr::Cond(cond) => self.cond(cond),
            Expr::Load(id, _, index) => format!("{}[{}]", self.buffer(*id), self.list(index, Self::index)),
            Expr::Vector(id, _, lanes, index) => {
                format!("{}[{}; {lanes}]", self.buffer(*id), self.list(index, Self::index))
            }
            Expr::All(x) => format!("all({})", self.expr(x)),
            Expr::Lane(x, lane) => format!("{}.{lane}", self.operand(x)),
            Expr::Pack(lanes) => format!("<{}>", self.list(lanes, Self::expr)),
            Expr::Unary(UnaryOp::Neg, _, x) => format!("-{}", self.operand(x)),
            Expr::Unary(UnaryOp::Not, _, x) => format!("!{}", self.operand(x)),
            Expr::Binary(op, _, a, b) => {
                let unrounded = if *op == BinaryOp::Unrounded { "unrounded " } else { "" };
                format!("{unrounded}{} {} {}", self.operand(a), op.symbol(), self.operand(b))
            }
            Expr::Math(f, _, xs) => format!("{}({})", f.name(), self.list(xs, Self::expr)),
            Expr::Cast(to, x) => format!("{to}({})", self.expr(x)),
            Expr::Select(c, a, b) => {
                format!("if {} then {} else {}", self.operand(c), self.operand(a), self.operand(b))
            }
        }
    }

    /// An expression with parentheses, if others could take it apart.
    fn operand(&mut self, e: &Expr) -> String {
        let text = self.expr(e);
        match e {
            Expr::Unary(..) | Expr::Binary(..) | Expr::Select(..) | Expr::Cond(_) => format!("({text})"),
            Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Index(_)
            | Expr::Load(..)
            | Expr::Vector(..)
            | Expr::Lane(..)
            | Expr::All(_)
            | Expr::Pack(_)
            | Expr::Math(..)
            | Expr::Cast(..) => text,
        }
    }

    fn cond(&mut self, cond: &Cond) -> String {
        match cond {
            Cond::Less(a, b) => format!("{} < {}", self.index(a), self.index(b)),
            Cond::AtLeast(a, b) => format!("{} >= {}", self.index(a), self.index(b)),
        }
    }

    fn index(&mut self, e: &ArithExpr) -> String {
        self.names.form(&e.plain_form()).to_string()
    }

    fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, &T) -> String) -> String {
        items.iter().map(|x| one(self, x)).collect::<Vec<_>>().join(", ")
    }

    fn buffer(&mut self, id: BufferId) -> String {
        self.names.buffer(id, &self.buffers[id.0 as usize].name)
    }

    fn local(&mut self, local: &Local) -> String {
        self.names.var(local.id, &local.name)
    }

    fn local_type(&mut self, local: &Local) -> String {
        let lanes = if local.lanes == 1 { String::new() } else { format!("x{}", local.lanes) };
        format!("{}: {}{lanes}", self.local(local), local.scalar)
    }
}
