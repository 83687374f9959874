//! Arrays that are not there: what an index into them means.
//!
//! Before: nodes that rearrange, pad, zip and map. After: a [`View`] - a value that answers "what is element
//! `i`?" with one [`Step`](read::Step): another view at other indices, a load from a buffer, a function to
//! apply. On the way out, an [`WriteView`](write::WriteView) answers "where does element `i` go?".
//!
//! Nothing here makes statements: the module is an algebra of indices. `S` is the type of scalars, which the
//! emitter chooses.

pub mod read;
pub mod write;

use std::rc::Rc;

use crate::arith::ArithExpr;
use crate::ir::{Boundary, Type};
use crate::low::{Lambda, NodeId};
use crate::memory::BufferId;

/// What an expression stands for.
#[derive(Debug, Clone)]
pub enum Value<S> {
    /// A scalar.
    Scalar(S),
    /// A tuple, part by part.
    Tuple(Vec<Value<S>>),
    /// An array.
    Array(View<S>),
}

/// An array; cheap to clone.
#[derive(Debug)]
pub struct View<S>(Rc<Shape<S>>);

impl<S> Clone for View<S> {
    fn clone(&self) -> View<S> {
        View(Rc::clone(&self.0))
    }
}

/// The forms of arrays.
#[derive(Debug)]
pub enum Shape<S> {
    /// What lies in buffers, at these first indices. There is a buffer for every scalar in the type, which is
    /// that of the remaining array.
    Stored(Vec<BufferId>, Vec<ArithExpr>, Type),
    /// Every element is this array.
    Same(View<S>),
    /// Element `i` is element `i + offset`.
    Shifted(ArithExpr, View<S>),
    /// Element `i` is the array shifted by `i` times the step: pieces and windows.
    Pieces(ArithExpr, View<S>),
    /// Rows of this length strung together.
    Joined(ArithExpr, View<S>),
    /// The two outermost dimensions swapped.
    Transposed(View<S>),
    /// Column `j` of the rows.
    Column(View<S>, ArithExpr),
    /// An array with elements added before and after.
    Padded(Pad<S>),
    /// Arrays side by side.
    Zipped(Vec<View<S>>),
    /// A part of every element.
    Part(usize, View<S>),
    /// Arrays one after the other, with the position of the first element of each.
    Concat(Vec<(ArithExpr, View<S>)>, Type),
    /// Prefixes of a reduction.
    Scanned(Scan<S>),
    /// A function of the elements.
    Mapped(Closure<S>, View<S>),
    /// The elements at indices that are data.
    Gathered(Gathered<S>),
    /// The elements at the indices that a function makes of their own and of this length.
    Reordered(Closure<S>, ArithExpr, View<S>),
    /// A function of the index.
    Generated(Closure<S>),
    /// Elements written out.
    Written(Vec<NodeId>, Env<S>),
    /// Known only when an element is read.
    Deferred(DeferredSelect<S>),
}

/// A reduction of which all prefixes are elements.
#[derive(Debug, Clone)]
pub struct Scan<S> {
    /// Accumulator and element to accumulator.
    pub f: Closure<S>,
    /// The start, and its type.
    pub init: (Value<S>, Type),
    /// What is reduced.
    pub of: View<S>,
}

/// A padded array.
#[derive(Debug, Clone)]
pub struct Pad<S> {
    /// How many elements are added before.
    pub left: ArithExpr,
    /// The length of the array inside.
    pub len: ArithExpr,
    /// What lies outside.
    pub edge: Edge<S>,
    /// The array inside.
    pub inside: View<S>,
    /// The type of the elements.
    pub element: Type,
}

/// Elements of an array at indices that are data.
#[derive(Debug, Clone)]
pub struct Gathered<S> {
    /// The operation.
    pub node: NodeId,
    /// The indices.
    pub idx: View<S>,
    /// The length of the array.
    pub len: ArithExpr,
    /// The array.
    pub of: View<S>,
}

/// What lies outside an array.
pub type Edge<S> = Boundary<Value<S>, Closure<S>>;

/// A choice that is only made when a scalar is asked for: of the arm that is not taken, nothing is computed.
#[derive(Debug, Clone)]
pub struct DeferredSelect<S> {
    /// The choice.
    pub choice: Choice<S>,
    /// What is asked for.
    pub path: Vec<Path>,
    /// The type of what is found there.
    pub ty: Type,
}

/// The choices.
#[derive(Debug, Clone)]
pub enum Choice<S> {
    /// Of an array if all conditions hold, and else a value that stands for all of its elements.
    Guard(Vec<Cond>, View<S>, Value<S>),
    /// Of an array if all conditions hold, and else what the function gives for the index and the length: it
    /// stands for all of the elements at that index.
    Outside(Vec<Cond>, View<S>, Closure<S>, [ArithExpr; 2]),
    /// Of two expressions.
    If(S, NodeId, NodeId, Env<S>),
    /// Of the array that has an element at this position, out of some one after the other.
    Concat(ArithExpr, Vec<(ArithExpr, View<S>)>),
    /// Of the expression at this position.
    Pick(ArithExpr, Vec<NodeId>, Env<S>),
}

/// A step inwards.
#[derive(Debug, Clone)]
pub enum Path {
    /// To an element.
    Index(ArithExpr),
    /// To a part of a tuple.
    Field(usize),
}

/// A comparison of indices.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cond {
    /// `a < b`
    Less(ArithExpr, ArithExpr),
    /// `a >= b`
    AtLeast(ArithExpr, ArithExpr),
}

impl Cond {
    /// An expression that is not negative if and only if the condition holds.
    pub fn margin(&self) -> ArithExpr {
        match self {
            Cond::Less(a, b) => b - a - 1,
            Cond::AtLeast(a, b) => a - b,
        }
    }

    /// The same comparison of other indices.
    pub fn map(&self, f: &mut dyn FnMut(&ArithExpr) -> ArithExpr) -> Cond {
        match self {
            Cond::Less(a, b) => Cond::Less(f(a), f(b)),
            Cond::AtLeast(a, b) => Cond::AtLeast(f(a), f(b)),
        }
    }
}

/// A function and the values of its free variables.
#[derive(Debug, Clone)]
pub struct Closure<S> {
    /// The function.
    pub f: Lambda,
    /// The variables around it.
    pub env: Env<S>,
}

/// The values of variables; cheap to clone and extend.
#[derive(Debug)]
pub struct Env<S>(Option<Rc<Binding<S>>>);

#[derive(Debug)]
struct Binding<S> {
    id: u32,
    value: Value<S>,
    outer: Env<S>,
}

impl<S> Clone for Env<S> {
    fn clone(&self) -> Env<S> {
        Env(self.0.clone())
    }
}

impl<S> Env<S> {
    /// No variables.
    pub fn new() -> Env<S> {
        Env(None)
    }

    /// One more variable.
    pub fn bind(&self, id: u32, value: Value<S>) -> Env<S> {
        Env(Some(Rc::new(Binding { id, value, outer: self.clone() })))
    }

    /// The value of a variable.
    pub fn get(&self, id: u32) -> Option<&Value<S>> {
        let mut env = self;
        while let Some(binding) = &env.0 {
            if binding.id == id {
                return Some(&binding.value);
            }
            env = &binding.outer;
        }
        None
    }
}

impl<S> Default for Env<S> {
    fn default() -> Env<S> {
        Env::new()
    }
}

/// The number of scalars in a type, arrays counting once.
pub fn leaves(ty: &Type) -> usize {
    match ty {
        Type::Scalar(_) => 1,
        Type::Array(element, _) => leaves(element),
        Type::Tuple(parts) => parts.iter().map(leaves).sum(),
    }
}
