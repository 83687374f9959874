//! Names are declared once before they are used, and in the block around; constants are not assigned; variables have a value before
//! they are read, at least on some way; operands have the types that operations say; accesses have as many indices as arrays have dimensions.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{Claim, Expr, IndexValue, Kernel, Local, Param, Stmt};
use crate::ir::{BinaryOp, Scalar};
use crate::memory::{BufferId, Space};

/// Whether all of it holds; `Err` says what does not.
pub fn check(kernel: &Kernel) -> Result<(), String> {
    let sizes = kernel.sizes.iter().chain(&kernel.tunables);
    let strides = kernel.strides.iter().map(|(stride, _)| stride);
    let mut checker = Checker {
        kernel,
        indices: sizes.chain(strides).map(Var::id).collect(),
        locals: BTreeMap::new(),
        arrays: BTreeSet::new(),
        assigned: BTreeSet::new(),
        may_leave: false,
    };
    for param in &kernel.params {
        match param {
            Param::Scalar(local) => checker.declare(local, true, true),
            Param::Buffer(id) => {
                checker.arrays.insert(*id);
            }
            Param::Status | Param::Claims(_) => {}
        }
    }
    checker.arrays.extend(kernel.local_buffers());
    checker.arrays.extend(kernel.tables.iter().map(|table| table.buffer));
    checker.block(&kernel.body).map_err(|fault| format!("{}: {fault}", kernel.name))
}

/// What is wrong.
type Checked<T = ()> = Result<T, String>;

/// A type: the scalar, and how many lanes.
type Ty = (Scalar, u8);

struct Checker<'a> {
    kernel: &'a Kernel,
    /// The indices that are declared here.
    indices: BTreeSet<u32>,
    /// The variables, with their types and whether they are constant.
    locals: BTreeMap<u32, (Ty, bool)>,
    /// The arrays.
    arrays: BTreeSet<BufferId>,
    /// The variables that may have a value.
    assigned: BTreeSet<u32>,
    /// Whether this block is that of a loop that may be left.
    may_leave: bool,
}

fn ensure(holds: bool, fault: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(fault()) }
}

impl Checker<'_> {
    fn declare(&mut self, local: &Local, constant: bool, has_value: bool) {
        self.locals.insert(local.id, ((local.scalar, local.lanes), constant));
        if has_value {
            self.assigned.insert(local.id);
        } else {
            self.assigned.remove(&local.id);
        }
    }

    /// A block; what it declares ends with it. What it assigns has a value afterwards: branches that exclude each other, and loops
    /// that run together, may be far apart.
    fn inside(&mut self, stmts: &[Stmt], may_leave: bool) -> Checked {
        let before = (self.indices.clone(), self.locals.clone(), self.arrays.clone());
        let around = std::mem::replace(&mut self.may_leave, may_leave);
        self.block(stmts)?;
        (self.indices, self.locals, self.arrays) = before;
        self.may_leave = around;
        Ok(())
    }

    fn block(&mut self, stmts: &[Stmt]) -> Checked {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Checked {
        match stmt {
            Stmt::Index(var, value) => {
                self.constant(value)?;
                self.indices.insert(var.id());
            }
            Stmt::Value { local, init, constant } => {
                if let Some(init) = init {
                    self.value(local, init)?;
                }
                self.declare(local, *constant, init.is_some());
            }
            Stmt::Assign(local, value) => {
                self.value(local, value)?;
                let Some((_, constant)) = self.locals.get(&local.id) else {
                    return Err(format!("`{}` is assigned, but not declared", local.name));
                };
                ensure(!constant, || format!("the constant `{}` is assigned", local.name))?;
                self.assigned.insert(local.id);
            }
            Stmt::Array(id) => {
                let buffer = self.kernel.buffer(*id);
                ensure(buffer.space == Space::Private, || {
                    format!("`{}` is declared in a block", buffer.name)
                })?;
                buffer.own_dims().into_iter().try_for_each(|n| self.index(n))?;
                self.arrays.insert(*id);
            }
            Stmt::Store(id, index, value) | Stmt::Atomic(_, id, index, value) => {
                let (scalar, _) = self.expr(value)?;
                self.access(*id, scalar, index)?;
                let buffer = self.kernel.buffer(*id);
                let is_written = !matches!(buffer.space, Space::Input | Space::Constant);
                ensure(is_written, || format!("`{}` is stored to", buffer.name))?;
            }
            Stmt::For { var, start, bound, step, body, .. } => {
                [start, bound].into_iter().try_for_each(|e| self.index(e))?;
                let outer = self.indices.clone();
                self.indices.insert(var.id());
                self.index(step)?;
                self.inside(body, false)?;
                self.indices = outer;
            }
            Stmt::Repeat { counter, count, body } => {
                let (scalar, lanes) = self.expr(count)?;
                ensure(lanes == 1 && scalar == counter.scalar, || format!("a count of type {scalar}"))?;
                self.inside(body, true)?;
            }
            Stmt::Leave(cond) => {
                self.condition(cond)?;
                ensure(self.may_leave, || "a loop is left that is none, or counts an index".to_string())?;
            }
            Stmt::If(cond, then, otherwise) => {
                self.condition(cond)?;
                self.inside(then, false)?;
                self.inside(otherwise, false)?;
            }
            Stmt::Claim(Claim { site, index, position, guards }) => {
                self.site(*site)?;
                self.index(index)?;
                self.index(position)?;
                for cond in guards {
                    self.expr(&Expr::Cond(cond.clone()))?;
                }
            }
            Stmt::Barrier => {}
        }
        Ok(())
    }

    fn condition(&mut self, cond: &Expr) -> Checked {
        let ty = self.expr(cond)?;
        ensure(ty == (Scalar::Bool, 1), || format!("a condition of type {ty:?}"))
    }

    /// A variable gets a value of its type; a vector may get a scalar, and a number of any type an index.
    fn value(&mut self, local: &Local, value: &Expr) -> Checked {
        let (scalar, lanes) = self.expr(value)?;
        let is_number = !local.scalar.is_float() && local.scalar != Scalar::Bool;
        let same = scalar == local.scalar || is_number && matches!(value, Expr::Index(_));
        let fits = same && (lanes == 1 || lanes == local.lanes);
        ensure(fits, || format!("`{}: {}x{}` gets a {scalar}x{lanes}", local.name, local.scalar, local.lanes))
    }

    fn constant(&mut self, value: &IndexValue) -> Checked {
        match value {
            IndexValue::Arith(e) => self.index(e),
            IndexValue::Id(_, d) => ensure(*d < 3, || format!("an id of dimension {d}")),
            IndexValue::Value(e) => self.number(e),
            IndexValue::Checked { site, value, len, position, otherwise } => {
                self.site(*site)?;
                self.number(value)?;
                [len, position, otherwise].into_iter().try_for_each(|e| self.index(e))
            }
        }
    }

    /// A value that is an index.
    fn number(&mut self, e: &Expr) -> Checked {
        let (scalar, lanes) = self.expr(e)?;
        ensure(lanes == 1 && !scalar.is_float() && scalar != Scalar::Bool, || {
            format!("an index of type {scalar}x{lanes}")
        })
    }

    fn site(&self, site: usize) -> Checked {
        ensure(site < self.kernel.sites.len(), || format!("there is no site {site}"))
    }

    fn index(&self, e: &ArithExpr) -> Checked {
        let unknown = e.vars().into_iter().find(|v| !self.indices.contains(&v.id()));
        unknown.map_or(Ok(()), |v| Err(format!("the index `{}` is not declared where `{e}` is", v.name())))
    }

    fn access(&self, id: BufferId, scalar: Scalar, index: &[ArithExpr]) -> Checked {
        index.iter().try_for_each(|e| self.index(e))?;
        let Some(buffer) = self.kernel.buffers.get(id.0 as usize) else {
            return Err(format!("there is no buffer {}", id.0));
        };
        ensure(self.arrays.contains(&id), || format!("`{}` is not declared", buffer.name))?;
        ensure(buffer.scalar == scalar, || format!("`{}` has no elements of type {scalar}", buffer.name))?;
        let of_host = matches!(buffer.space, Space::Input | Space::Output | Space::Global);
        let dims = buffer.own_dims().len();
        ensure(index.len() == dims || of_host && index.len() == 1, || {
            format!("{} indices of `{}`, which has {dims} dimensions", index.len(), buffer.name)
        })
    }

    /// The type of an expression.
    fn expr(&mut self, e: &Expr) -> Checked<Ty> {
        Ok(match e {
            Expr::Literal(x) => (x.scalar(), 1),
            Expr::Local(local) => {
                let Some((ty, _)) = self.locals.get(&local.id).copied() else {
                    return Err(format!("`{}` is not declared", local.name));
                };
                let has_value = self.assigned.contains(&local.id);
                ensure(has_value, || format!("`{}` is read before it has a value", local.name))?;
                ensure(ty == (local.scalar, local.lanes), || format!("`{}` is a {ty:?}", local.name))?;
                ty
            }
            Expr::Index(_) | Expr::Cond(_) => {
                e.indices().try_for_each(|index| self.index(index))?;
                (e.scalar(), 1)
            }
            Expr::Load(id, scalar, index) => {
                self.access(*id, *scalar, index)?;
                (*scalar, 1)
            }
            Expr::Vector(id, scalar, lanes, index) => {
                self.access(*id, *scalar, index)?;
                (*scalar, *lanes)
            }
            Expr::Lane(x, lane) => {
                let (scalar, lanes) = self.expr(x)?;
                ensure(*lane < lanes, || format!("lane {lane} of {lanes}"))?;
                (scalar, 1)
            }
            Expr::All(x) => {
                let (scalar, lanes) = self.expr(x)?;
                ensure(scalar == Scalar::Bool && lanes > 1, || format!("all of {scalar}x{lanes}"))?;
                (Scalar::Bool, 1)
            }
            Expr::Pack(parts) => {
                let (scalar, lanes) = self.common(parts)?;
                ensure(lanes == 1, || "a vector of vectors".to_string())?;
                (scalar, parts.len() as u8)
            }
            Expr::Unary(_, scalar, x) => {
                let ty = self.expr(x)?;
                (*scalar, self.same(*scalar, ty, ty)?)
            }
            Expr::Binary(op, scalar, a, b) => {
                let (left, right) = (self.expr(a)?, self.expr(b)?);
                let lanes = self.same(*scalar, left, right)?;
                let logical = matches!(op, BinaryOp::And | BinaryOp::Or);
                ensure(!logical || *scalar == Scalar::Bool, || format!("{} of {scalar}", op.symbol()))?;
                (e.scalar(), lanes)
            }
            Expr::Math(f, scalar, xs) => {
                let mut lanes = 1;
                for (i, x) in xs.iter().enumerate() {
                    let (scalar, ty) = (f.operand(i, *scalar), self.expr(x)?);
                    lanes = self.same(scalar, (scalar, lanes), ty)?;
                }
                (e.scalar(), lanes)
            }
            Expr::Cast(to, x) => (*to, self.expr(x)?.1),
            Expr::Select(cond, a, b) => {
                let (cond, a, b) = (self.expr(cond)?, self.expr(a)?, self.expr(b)?);
                ensure(cond.0 == Scalar::Bool, || format!("a condition of type {}", cond.0))?;
                let lanes = self.same(a.0, a, b)?;
                ensure(cond.1 == 1 || lanes == 1 || cond.1 == lanes, || {
                    "a choice of other lanes".to_string()
                })?;
                (a.0, lanes.max(cond.1))
            }
        })
    }

    /// The type that all have.
    fn common(&mut self, xs: &[Expr]) -> Checked<Ty> {
        let Some((first, rest)) = xs.split_first() else { return Err("a vector of nothing".to_string()) };
        let mut ty = self.expr(first)?;
        for x in rest {
            let other = self.expr(x)?;
            ty.1 = self.same(ty.0, ty, other)?;
        }
        Ok(ty)
    }

    /// How many lanes an operation on two operands of a type has.
    fn same(&self, scalar: Scalar, a: Ty, b: Ty) -> Checked<u8> {
        ensure(a.0 == scalar && b.0 == scalar, || {
            format!("operands of types {} and {}, not {scalar}", a.0, b.0)
        })?;
        ensure(a.1 == b.1 || a.1 == 1 || b.1 == 1, || format!("operands of {} and {} lanes", a.1, b.1))?;
        Ok(a.1.max(b.1))
    }
}
