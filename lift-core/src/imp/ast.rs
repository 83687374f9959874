//! The node types of the imperative kernel.

use std::sync::Arc;

use crate::arith::{ArithExpr, Facts, Var};
use crate::ir::build::fresh_id;
use crate::ir::{Atomic, BinaryOp, Literal, MathFn, Scalar, UnaryOp};
use crate::low::Geometry;
use crate::memory::{Buffer, BufferId, Space};
use crate::program::schedule::Site;
use crate::view::Cond;

/// A kernel as statements.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The user's name.
    pub name: String,
    /// Size variables.
    pub sizes: Vec<Var>,
    /// Variables that the launcher chooses.
    pub tunables: Vec<Var>,
    /// Ranges of everything that occurs in indices.
    pub facts: Facts,
    /// Inputs in order; the results come last.
    pub params: Vec<Param>,
    /// All buffers.
    pub buffers: Vec<Buffer>,
    /// Arrays that are part of the program.
    pub tables: Vec<Table>,
    /// Names, for index arithmetic only, of extents that are sums: a row of `M + 2` elements is `stride`
    /// elements long, which is printed as `(M + 2)`.
    pub strides: Vec<(Var, ArithExpr)>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// How the kernel is launched.
    pub geometry: Geometry,
    /// Local memory in bytes.
    pub local_bytes: ArithExpr,
    /// The operations whose indices are checked.
    pub sites: Vec<Site>,
    /// The number of the first of them in the program.
    pub first_site: usize,
    /// Whether vectors of the results go past the caches.
    pub streams: bool,
    /// The same kernel for sizes of which more is known; the first that fits is taken.
    pub aligned: Vec<Aligned>,
}

/// A kernel that is right where these extents are multiples of these numbers.
#[derive(Debug, Clone)]
pub struct Aligned {
    /// Extents, and what divides them.
    pub multiples: Vec<(ArithExpr, i64)>,
    /// The kernel, with the same parameters and the same launch.
    pub kernel: Kernel,
}

/// A parameter of the kernel.
#[derive(Debug, Clone)]
pub enum Param {
    /// An array.
    Buffer(BufferId),
    /// A scalar.
    Scalar(Local),
    /// The buffer that records the first index which was wrong.
    Status,
    /// The claims of an operation, by its position in [`Kernel::sites`]. This parameter and all after it exist only
    /// where duplicates are looked for.
    Claims(usize),
}

/// A constant array.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its buffer.
    pub buffer: BufferId,
    /// All elements, the last index fastest.
    pub elements: Vec<Literal>,
}

/// A variable that holds a scalar of the program, or a vector of them.
#[derive(Debug, Clone)]
pub struct Local {
    /// Identity.
    pub id: u32,
    /// What it should be called.
    pub name: Arc<str>,
    /// Its type.
    pub scalar: Scalar,
    /// How many of these it holds: 1, or the lanes of a vector.
    pub lanes: u8,
}

impl Local {
    /// A new variable for a scalar.
    pub fn new(name: &str, scalar: Scalar) -> Local {
        Local { id: fresh_id(), name: name.into(), scalar, lanes: 1 }
    }
}

impl PartialEq for Local {
    fn eq(&self, other: &Local) -> bool {
        self.id == other.id
    }
}

/// A statement.
#[derive(Debug, Clone)]
pub enum Stmt {
    /// A constant index.
    Index(Var, IndexValue),
    /// A variable; constant if it is not assigned later. Without a value it is assigned in all branches
    /// before it is read.
    Value {
        /// The variable.
        local: Local,
        /// Its first value.
        init: Option<Expr>,
        /// Whether it keeps that.
        constant: bool,
    },
    /// `local = value`
    Assign(Local, Expr),
    /// An array of this work-item alone, which has no contents yet.
    Array(BufferId),
    /// `buffer[index] = value`
    Store(BufferId, Vec<ArithExpr>, Expr),
    /// What is stored in the buffer at the index is combined with a value, and no other work-item comes between.
    Atomic(Atomic, BufferId, Vec<ArithExpr>, Expr),
    /// `for (var = start; var < bound; var += step)`
    For {
        /// The index.
        var: Var,
        /// Its first value.
        start: ArithExpr,
        /// What it stays below.
        bound: ArithExpr,
        /// The distance of its values.
        step: ArithExpr,
        /// Whether the target's compiler is asked to write trips out.
        unroll: Unroll,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// What is repeated, so many times, unless it is [left](Stmt::Leave); the number is a value of type `usize`, which is read once.
    Repeat {
        /// The counter. Nobody else reads it.
        counter: Local,
        /// How often, or how often at most.
        count: Expr,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// The end of the [`Stmt::Repeat`] in whose block it stands, if the condition holds.
    Leave(Expr),
    /// A branch.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// An element is claimed for what is written to it, where duplicates are looked for.
    Claim(Claim),
    /// The items of a work-group wait for each other's writes to local memory.
    Barrier,
}

/// How many trips of a loop the target's compiler is asked to write out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unroll {
    /// As it likes.
    No,
    /// All.
    Whole,
    /// So many.
    By(i64),
}

/// A claim of an element that is scattered to.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The operation, by its position in [`Kernel::sites`].
    pub site: usize,
    /// The index.
    pub index: ArithExpr,
    /// The position of the index in its array.
    pub position: ArithExpr,
    /// What must hold; otherwise nothing is written.
    pub guards: Vec<Cond>,
}

/// Where a constant index comes from.
#[derive(Debug, Clone)]
pub enum IndexValue {
    /// Index arithmetic.
    Arith(ArithExpr),
    /// An id of the work-item in a dimension.
    Id(WorkItem, usize),
    /// A value of the program.
    Value(Expr),
    /// A value of the program if it is a number from 0 up and below a length. Otherwise something else, and the
    /// value is reported.
    Checked {
        /// The operation, by its position in [`Kernel::sites`].
        site: usize,
        /// The value.
        value: Expr,
        /// The length.
        len: ArithExpr,
        /// The position of the value in its array.
        position: ArithExpr,
        /// What takes its place.
        otherwise: ArithExpr,
    },
}

/// The ids of a work-item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkItem {
    /// In the whole launch.
    Global,
    /// Of its group.
    Group,
    /// In its group.
    Local,
}

/// A scalar expression, or one of vectors. It has no effects.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A literal.
    Literal(Literal),
    /// A variable.
    Local(Local),
    /// Index arithmetic as a value of type `usize`.
    Index(ArithExpr),
    /// A comparison of indices.
    Cond(Cond),
    /// An element of a buffer.
    Load(BufferId, Scalar, Vec<ArithExpr>),
    /// So many neighbouring elements of a buffer, from an index on that is a multiple of their number.
    Vector(BufferId, Scalar, u8, Vec<ArithExpr>),
    /// A lane of a vector.
    Lane(Box<Expr>, u8),
    /// Whether all lanes of a vector are true.
    All(Box<Expr>),
    /// A vector of these lanes.
    Pack(Vec<Expr>),
    /// A prefix operation on operands of a type.
    Unary(UnaryOp, Scalar, Box<Expr>),
    /// An infix operation on operands of a type.
    Binary(BinaryOp, Scalar, Box<Expr>, Box<Expr>),
    /// A method that belongs to a type.
    Math(MathFn, Scalar, Vec<Expr>),
    /// A conversion to a type.
    Cast(Scalar, Box<Expr>),
    /// `c ? a : b`
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The type.
    pub fn scalar(&self) -> Scalar {
        match self {
            Expr::Literal(literal) => literal.scalar(),
            Expr::Local(local) => local.scalar,
            Expr::Index(_) => Scalar::Usize,
            Expr::Cond(_) | Expr::All(_) => Scalar::Bool,
            Expr::Load(_, scalar, _)
            | Expr::Vector(_, scalar, ..)
            | Expr::Unary(_, scalar, _)
            | Expr::Cast(scalar, _) => *scalar,
            Expr::Lane(x, _) => x.scalar(),
            Expr::Pack(lanes) => lanes.first().map_or(Scalar::Bool, Expr::scalar),
            Expr::Math(f, scalar, _) => f.result(*scalar),
            Expr::Binary(op, scalar, ..) => {
                if op.is_comparison() {
                    Scalar::Bool
                } else {
                    *scalar
                }
            }
            Expr::Select(_, a, _) => a.scalar(),
        }
    }

    /// How many lanes the value has; a scalar has one.
    pub fn lanes(&self) -> u8 {
        match self {
            Expr::Literal(_)
            | Expr::Index(_)
            | Expr::Cond(_)
            | Expr::Load(..)
            | Expr::Lane(..)
            | Expr::All(_) => 1,
            Expr::Local(local) => local.lanes,
            Expr::Vector(_, _, lanes, _) => *lanes,
            Expr::Pack(lanes) => lanes.len() as u8,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Math(..) | Expr::Cast(..) | Expr::Select(..) => {
                self.operands().map(Expr::lanes).max().unwrap_or(1)
            }
        }
    }

    /// `a && b`
    pub fn and(a: Expr, b: Expr) -> Expr {
        Expr::Binary(BinaryOp::And, Scalar::Bool, Box::new(a), Box::new(b))
    }

    /// All conditions; `None` if there are none.
    pub fn all(conds: &[Cond]) -> Option<Expr> {
        conds.iter().cloned().map(Expr::Cond).reduce(Expr::and)
    }
}

impl Kernel {
    /// Whether values of this type occur anywhere.
    pub fn uses(&self, scalar: Scalar) -> bool {
        let mut found = self.buffers.iter().any(|b| b.scalar == scalar)
            || self.params.iter().any(|p| matches!(p, Param::Scalar(local) if local.scalar == scalar));
        for stmt in &self.body {
            stmt.visit_exprs(&mut |e| found |= e.scalar() == scalar);
        }
        found
    }

    /// The buffer.
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.0 as usize]
    }

    /// Whether the variable is a constant of the program: a size or a tunable.
    pub fn is_size(&self, var: &Var) -> bool {
        self.sizes.contains(var)
            || self.tunables.contains(var)
            || self.strides.iter().any(|(stride, _)| stride == var)
    }

    /// The buffers of groups in global memory: the parameters after the result.
    pub fn scratch(&self) -> impl Iterator<Item = &Buffer> + '_ {
        self.buffers.iter().filter(|buffer| buffer.space == Space::Global)
    }

    /// Whether the items of a group wait for each other's writes to global memory, too.
    pub fn fences_global(&self) -> bool {
        let combines =
            |s: &Stmt| matches!(s, Stmt::Atomic(_, id, ..) if self.buffer(*id).space == Space::Output);
        self.scratch().next().is_some() || self.body.iter().any(|stmt| stmt.any(&combines))
    }

    /// The local buffers.
    pub fn local_buffers(&self) -> impl Iterator<Item = BufferId> + '_ {
        let local = |(_, b): &(usize, &Buffer)| b.space == Space::Local;
        self.buffers.iter().enumerate().filter(local).map(|(i, _)| BufferId(i as u32))
    }
}
