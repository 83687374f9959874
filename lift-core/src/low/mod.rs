//! A kernel as an arena of nodes, ready to be turned into loops.
//!
//! Before: a typed low-level term, in which maps name their places. After [`lower`](crate::lower): every
//! binder is unique, every map that is a loop has a variable whose range the kernel's facts know, the launch
//! geometry is known, and the nesting of places is legal ([`check`]). Nothing abstract is left: a map without
//! a place is a view, whose elements are computed where they are read.

pub mod check;
mod layout;
pub mod rounds;

pub use crate::ir::{Fold, Memory, Place};
pub use layout::{Arg, Layout};

use crate::arith::{ArithExpr, Facts, Var};
use crate::bug;
use crate::ir;
use crate::ir::prim::{Prim, Write};
use crate::ir::{Atomic, BinaryOp, Literal, MathFn, Output, Scalar, Type, UnaryOp};
use crate::span::Span;

/// A node of a [`Kernel`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A kernel for one launch.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The user's name.
    pub name: String,
    /// Size variables.
    pub sizes: Vec<Var>,
    /// Variables that the launcher chooses.
    pub tunables: Vec<Var>,
    /// What is known of sizes, tunables, work-item ids and loop variables.
    pub facts: Facts,
    /// Inputs.
    pub params: Vec<ir::Param>,
    /// The nodes; operands come before the nodes that use them.
    pub nodes: Vec<Node>,
    /// What is computed.
    pub root: NodeId,
    /// What becomes of it, or, if there are several, of each of its parts.
    pub outputs: Vec<Output>,
    /// How the kernel is launched.
    pub geometry: Geometry,
    /// The local ids, dimension 0 first; empty without work-groups.
    pub local_ids: Vec<Var>,
}

/// The index space of a launch, dimension 0 first.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// At least so many work-items; the text guards against more.
    Items(Vec<ArithExpr>),
    /// The same, in work-groups of exactly this shape.
    Shaped {
        /// Number of work-items.
        items: Vec<ArithExpr>,
        /// Work-items of one group.
        local: Vec<ArithExpr>,
    },
    /// So many work-groups of exactly this shape.
    Groups {
        /// Number of work-groups.
        groups: Vec<ArithExpr>,
        /// Work-items of one.
        local: Vec<ArithExpr>,
    },
}

impl Geometry {
    /// How many work-groups there are, if that is known.
    pub fn groups(&self) -> ArithExpr {
        match self {
            Geometry::Items(_) | Geometry::Shaped { .. } => ArithExpr::one(),
            Geometry::Groups { groups, .. } => groups.iter().cloned().product(),
        }
    }
}

/// One operation.
#[derive(Debug, Clone)]
pub struct Node {
    /// Which.
    pub kind: Kind,
    /// The type of its result.
    pub ty: Type,
    /// Whether it contains a map with a place: then it is stored piece by piece and cannot be read.
    pub placed: bool,
}

/// How the loops of a reduction are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopStyle {
    /// Over a neighbourhood; the number counts dimensions from the innermost.
    Window(usize),
    /// Over anything else.
    Plain,
}

/// The operations.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A variable, by its identity.
    Param(u32),
    /// A literal.
    Literal(Literal),
    /// A size as a value.
    Size(ArithExpr),
    /// `-x`, `!x`
    Unary(UnaryOp, NodeId),
    /// `a + b`
    Binary(BinaryOp, NodeId, NodeId),
    /// `x.sqrt()`
    Math(MathFn, Vec<NodeId>),
    /// `x as T`
    Cast(Scalar, NodeId),
    /// `if`
    If(NodeId, NodeId, NodeId),
    /// `(a, b)`
    Tuple(Vec<NodeId>),
    /// `x.0`
    Field(NodeId, usize),
    /// `[a, b]`
    ArrayLiteral(Vec<NodeId>),
    /// `let p = value; body`
    Let(Binder, NodeId, NodeId),
    /// A map; `var` counts its elements.
    Map {
        /// Where it runs.
        place: Place,
        /// The index.
        var: Var,
        /// What is applied.
        f: Lambda,
        /// To what.
        xs: NodeId,
    },
    /// A reduction, left to right.
    Reduce {
        /// How its loops are named.
        style: LoopStyle,
        /// Whether it is written out, element by element.
        unrolled: bool,
        /// The index.
        var: Var,
        /// Accumulator and element to accumulator.
        f: Lambda,
        /// The start.
        init: NodeId,
        /// The elements.
        xs: NodeId,
    },
    /// A function applied so many times, one application after the other.
    Iterate {
        /// How often, or how often at most.
        count: NodeId,
        /// Whether the function gives a pair, a [tuple](Kind::Tuple): whether its argument is the last, and what comes after it if not.
        ends: bool,
        /// What is applied.
        f: Lambda,
        /// To what.
        init: NodeId,
    },
    /// All prefixes of a reduction, left to right.
    Scan {
        /// A loop that stores as it goes, or nowhere: then each prefix is computed where it is read.
        place: Place,
        /// Whether the function gives a pair, a [tuple](Kind::Tuple): the next accumulator, and what is stored in place of it.
        emits: bool,
        /// The index.
        var: Var,
        /// Accumulator and element to accumulator.
        f: Lambda,
        /// The start.
        init: NodeId,
        /// The elements.
        xs: NodeId,
    },
    /// A reduction by key, in the place where it is stored.
    ByKey(Box<ByKey>),
    /// Elements of arrays in other places.
    Layout(Layout, Vec<NodeId>),
    /// Windows of which a loop keeps what the next one shares with it.
    SlideSeq {
        /// What the user calls the data.
        name: String,
        /// How many elements a window has.
        size: ArithExpr,
        /// How many elements apart they start.
        step: ArithExpr,
        /// The array.
        of: NodeId,
    },
    /// A function of the index.
    Generate(Lambda),
    /// An element of an array.
    At(NodeId, NodeId),
    /// The same, stored somewhere.
    Store {
        /// Where.
        memory: Memory,
        /// What the user calls the data.
        name: String,
        /// What is stored.
        of: NodeId,
        /// Room for more elements before and after, in the outermost dimensions.
        room: Vec<(ArithExpr, ArithExpr)>,
    },
}

/// A reduction by key of the elements in a range: a loop that combines each with what is stored for its key.
#[derive(Debug, Clone)]
pub struct ByKey {
    /// How many copies of the bins the items of a group combine into; nothing for one item by itself.
    pub copies: Option<ArithExpr>,
    /// The operation, if devices do it atomically.
    pub atomic: Option<Atomic>,
    /// What is stored and element to what is stored.
    pub f: Lambda,
    /// What is stored first.
    pub init: NodeId,
    /// The first element.
    pub from: NodeId,
    /// The one after the last.
    pub to: NodeId,
    /// The keys.
    pub keys: NodeId,
    /// The elements.
    pub xs: NodeId,
    /// Where it was written.
    pub span: Span,
}

/// A function as an argument.
#[derive(Debug, Clone)]
pub struct Lambda {
    /// Parameters.
    pub params: Vec<Binder>,
    /// The body.
    pub body: NodeId,
}

/// Where a variable is bound.
#[derive(Debug, Clone)]
pub struct Binder {
    /// Identity.
    pub id: u32,
    /// The user's name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// What lies outside an array.
pub type Boundary = ir::Boundary<NodeId, Lambda>;

impl Kernel {
    /// For each leaf of the result the parameter that has it, and which of its leaves that is; nothing for those that are new.
    pub fn output_leaves(&self) -> Vec<Option<(usize, usize)>> {
        let ty = self.ty(self.root);
        let parts = match (self.outputs.as_slice(), ty) {
            ([_], ty) => vec![ty],
            (_, Type::Tuple(parts)) => parts.iter().collect(),
            (_, ty) => bug!("several outputs of {ty}"),
        };
        let leaves = parts.into_iter().zip(&self.outputs).flat_map(|(part, output)| {
            (0..part.leaves().len()).map(move |leaf| match output {
                Output::Update(param) => Some((*param, leaf)),
                Output::Result => None,
            })
        });
        leaves.collect()
    }

    /// Whether work-items compute this, an element each.
    pub fn is_global_map(&self, id: NodeId) -> bool {
        is_global_map(&self.nodes, id)
    }

    /// Whether a parameter is replaced.
    pub fn updates(&self) -> bool {
        self.outputs.iter().any(|output| matches!(output, Output::Update(_)))
    }

    /// The node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The shape of the node.
    pub fn kind(&self, id: NodeId) -> &Kind {
        &self.node(id).kind
    }

    /// The type of the node.
    pub fn ty(&self, id: NodeId) -> &Type {
        &self.node(id).ty
    }

    /// The length of the rows of a node.
    pub fn row(&self, id: NodeId) -> ArithExpr {
        match self.ty(id) {
            Type::Array(row, _) => row.length(),
            ty => bug!("the rows of {ty}"),
        }
    }

    /// How many bins a reduction by key has.
    pub fn bins(&self, id: NodeId) -> ArithExpr {
        match self.kind(id) {
            Kind::ByKey(by_key) if by_key.copies.is_some() => self.row(id),
            _ => self.ty(id).length(),
        }
    }

    /// Whether the variable is a constant of the program: a size or a tunable.
    pub fn is_size(&self, var: &Var) -> bool {
        self.sizes.contains(var) || self.tunables.contains(var)
    }
}

/// The same before the kernel is complete.
pub fn is_global_map(nodes: &[Node], id: NodeId) -> bool {
    match &nodes[id.0 as usize].kind {
        Kind::Layout(Layout { prim: Prim::Unzip, .. }, xs) => is_global_map(nodes, xs[0]),
        Kind::Map { place, .. } => matches!(place, Place::Global(_)),
        _ => false,
    }
}

impl Kind {
    /// The operands: subexpressions that do not stand inside a function.
    pub fn operands(&self) -> Vec<NodeId> {
        match self {
            Kind::Param(_) | Kind::Literal(_) | Kind::Size(_) | Kind::Generate(_) => Vec::new(),
            Kind::Unary(_, x)
            | Kind::Cast(_, x)
            | Kind::Field(x, _)
            | Kind::SlideSeq { of: x, .. }
            | Kind::Store { of: x, .. }
            | Kind::Map { xs: x, .. } => vec![*x],
            Kind::Binary(_, a, b) | Kind::Let(_, a, b) | Kind::At(a, b) => vec![*a, *b],
            Kind::If(c, a, b) => vec![*c, *a, *b],
            Kind::Math(_, xs) | Kind::Tuple(xs) | Kind::ArrayLiteral(xs) => xs.clone(),
            Kind::Layout(layout, xs) => layout.operand().into_iter().chain(xs.iter().copied()).collect(),
            Kind::Reduce { init, xs, .. } | Kind::Scan { init, xs, .. } => vec![*init, *xs],
            Kind::Iterate { count, init, .. } => vec![*count, *init],
            Kind::ByKey(by_key) => {
                let ByKey { init, from, to, keys, xs, .. } = **by_key;
                vec![init, from, to, keys, xs]
            }
        }
    }

    /// What is stored piece by piece with a node that is.
    pub fn stored_with(&self) -> Vec<NodeId> {
        match self {
            Kind::Tuple(parts) => parts.clone(),
            Kind::Layout(layout, xs) if layout.write() != Write::Not => xs.clone(),
            // It may only say where elements go.
            Kind::Map { place: Place::View, f, xs, .. } => vec![f.body, *xs],
            Kind::Map { f, .. } | Kind::Scan { emits: true, f, .. } => vec![f.body],
            Kind::Let(_, _, x) | Kind::Field(x, _) => vec![*x],
            Kind::If(_, a, b) => vec![*a, *b],
            _ => Vec::new(),
        }
    }

    /// The function, if the operation has one.
    pub fn function(&self) -> Option<&Lambda> {
        match self {
            Kind::Map { f, .. }
            | Kind::Reduce { f, .. }
            | Kind::Iterate { f, .. }
            | Kind::Scan { f, .. }
            | Kind::Generate(f) => Some(f),
            Kind::ByKey(by_key) => Some(&by_key.f),
            Kind::Layout(layout, _) => layout.function(),
            Kind::Param(_)
            | Kind::Literal(_)
            | Kind::Size(_)
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Math(..)
            | Kind::Cast(..)
            | Kind::If(..)
            | Kind::Tuple(_)
            | Kind::Field(..)
            | Kind::ArrayLiteral(_)
            | Kind::Let(..)
            | Kind::SlideSeq { .. }
            | Kind::At(..)
            | Kind::Store { .. } => None,
        }
    }
}
