//! The node types of the typed expression.

use std::sync::Arc;

use crate::arith::{ArithExpr, Facts, Var};
use crate::ir::boundary::Boundary;
use crate::ir::options::KernelOptions;
use crate::ir::place::Order;
use crate::ir::prim::Prim;
use crate::ir::scalar::{BinaryOp, Literal, MathFn, Scalar, UnaryOp};
use crate::ir::surface::{Interface, SurfaceType};
use crate::ir::types::Type;
use crate::span::Span;

/// A typed expression; cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr(pub(in crate::ir) Arc<Node>);

/// What is behind an [`Expr`]. Its fields are private to `ir`: only smart constructors make one.
#[derive(Debug, PartialEq)]
pub struct Node {
    pub(in crate::ir) kind: Kind,
    pub(in crate::ir) ty: Type,
    pub(in crate::ir) span: Span,
    /// How many nodes lie on the longest way down, this one included.
    pub(in crate::ir) depth: u32,
}

/// The shapes of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A variable.
    Param(Param),
    /// A literal.
    Literal(Literal),
    /// A size as a value of type `usize`.
    Size(ArithExpr),
    /// `-x`, `!x`
    Unary(UnaryOp, Expr),
    /// `a + b`
    Binary(BinaryOp, Expr, Expr),
    /// `x.sqrt()`
    Math(MathFn, Vec<Expr>),
    /// `e as T`
    Cast(Scalar, Expr),
    /// `if`; only the chosen arm is evaluated.
    If(Expr, Expr, Expr),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `x.0`
    Field(Expr, usize),
    /// `[a, b, c]`
    ArrayLiteral(Vec<Expr>),
    /// `let p = value; body`
    Let(Param, Expr, Expr),
    /// A primitive with all its arguments, in the order of its signature.
    Prim(Prim, Vec<Arg>),
}

/// A variable with its type.
#[derive(Debug, Clone)]
pub struct Param {
    /// Identity; unique in a term.
    pub id: u32,
    /// The user's name, for messages and for the generated text.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
}

impl PartialEq for Param {
    fn eq(&self, other: &Param) -> bool {
        self.id == other.id
    }
}

/// A function as an argument.
#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    /// Parameters.
    pub params: Vec<Param>,
    /// The body.
    pub body: Expr,
}

/// An argument of a primitive, with data and functions of these types.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg<E = Expr, F = Lambda> {
    /// Data.
    Data(E),
    /// A function.
    Fun(F),
    /// A size.
    Size(ArithExpr),
    /// A boundary.
    Boundary(Boundary<E, F>),
}

/// A relation between two sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `left == right`
    Equal,
    /// `left <= right`
    AtMost,
}

/// A fact about sizes that only a launch can check.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The relation.
    pub relation: Relation,
    /// Left side.
    pub left: ArithExpr,
    /// Right side.
    pub right: ArithExpr,
    /// What is said when it does not hold; `{left}` and `{right}` stand for the values.
    pub message: String,
}

/// A size variable of a kernel.
pub type Size = Var;

/// Where a part of what a kernel computes goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// It is a result.
    Result,
    /// It replaces the contents of the parameter at this position, an array. Everything the kernel reads of that
    /// parameter is what was there before.
    Update(usize),
}

/// A kernel: a closed expression over its parameters.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The user's name.
    pub name: String,
    /// Size variables, in order of declaration.
    pub sizes: Vec<Size>,
    /// What is known about them: each is at least 1, and the user's facts and all checks hold.
    pub facts: Facts,
    /// Inputs.
    pub params: Vec<Param>,
    /// What is computed: one value for a single output, otherwise a tuple with a part for each.
    pub body: Expr,
    /// Where what is computed goes.
    pub outputs: Vec<Output>,
    /// What a launch must check.
    pub checks: Vec<Check>,
    /// Position among the functions of the block; `None` for the expression form.
    pub source: Option<usize>,
    /// For a step in time: for each result the parameters, by position, whose places are taken: the result takes
    /// that of the first, this one that of the next, and so on.
    pub step: Option<Vec<Vec<usize>>>,
    /// What the user says beside what is computed.
    pub options: KernelOptions,
    /// The types of parameters and result as the user wrote them; `None` for what the compiler made, where there is
    /// nothing to know beyond their types.
    pub interface: Option<Interface>,
}

impl Kernel {
    /// The scalar types it computes with that not every device has.
    pub fn optional_scalars(&self) -> Vec<Scalar> {
        let mut found = Vec::new();
        let mut note = |ty: &Type| ty.scalars(&mut |s| found.extend(s.is_optional().then_some(s)));
        self.params.iter().for_each(|p| note(&p.ty));
        self.body.visit(&mut |e| note(e.ty()));
        found.sort();
        found.dedup();
        found
    }

    /// What is known before any check: each size is at least 1. Checks must be evaluated with no more than
    /// this, since `facts` takes them for granted.
    pub fn unchecked_facts(&self) -> Facts {
        let mut facts = Facts::new();
        for size in &self.sizes {
            facts.declare(size, Some(ArithExpr::one()), None);
        }
        facts
    }
}

impl Kernel {
    /// The type of what each output gets.
    pub fn output_types(&self) -> Vec<Type> {
        match self.body.ty() {
            Type::Tuple(parts) if self.outputs.len() > 1 => parts.to_vec(),
            ty => vec![ty.clone()],
        }
    }

    /// The type of a parameter as the user wrote it.
    pub fn surface_param(&self, index: usize) -> SurfaceType {
        let written = self.interface.as_ref().and_then(|it| it.params.get(index));
        written.cloned().unwrap_or_else(|| SurfaceType::from(&self.params[index].ty))
    }

    /// The type of the result as the user wrote it: a tuple of several, and `None` if parameters are all that changes.
    pub fn surface_result(&self) -> Option<SurfaceType> {
        if let Some(interface) = &self.interface {
            return interface.result.clone();
        }
        match self.result_types().as_slice() {
            [] => None,
            [one] => Some(SurfaceType::from(one)),
            results => Some(SurfaceType::Tuple(results.iter().map(SurfaceType::from).collect())),
        }
    }

    /// The types of the results, in the simplest form that the kernel's facts allow: none for a kernel that only
    /// updates parameters, several for a tuple.
    pub fn result_types(&self) -> Vec<Type> {
        let results = self.output_types().into_iter().zip(&self.outputs);
        let results = results.filter(|(_, output)| **output == Output::Result);
        results.map(|(ty, _)| ty.map_sizes(&|n| self.facts.simplify(n))).collect()
    }
}

/// The outputs of a value that is one result, or, if it is a tuple, a result for each part.
pub fn results(ty: &Type) -> Vec<Output> {
    vec![Output::Result; ty.arity()]
}

impl Expr {
    /// The shape.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// The type.
    pub fn ty(&self) -> &Type {
        &self.0.ty
    }

    /// The user's tokens this stems from.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// The primitive and its arguments, if this is an application.
    pub fn as_prim(&self) -> Option<(Prim, &[Arg])> {
        match self.kind() {
            Kind::Prim(prim, args) => Some((*prim, args)),
            _ => None,
        }
    }

    /// A number that no other node has while this one lives.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Whether both are the same node.
    pub fn is_same(&self, other: &Expr) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The order, the function, the start and the elements of a reduction.
    pub fn as_reduction(&self) -> Option<(Order, &Lambda, &Expr, &Expr)> {
        match self.as_prim()? {
            (Prim::Reduce(order), [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) => Some((order, f, z, xs)),
            _ => None,
        }
    }
}

impl<E, F> Arg<E, F> {
    /// The same with other data and functions, which both need `with` to be made.
    pub fn map<X: ?Sized, D, G>(
        &self,
        with: &mut X,
        data: impl FnOnce(&mut X, &E) -> D,
        function: impl FnOnce(&mut X, &F) -> G,
    ) -> Arg<D, G> {
        match self {
            Arg::Data(x) => Arg::Data(data(with, x)),
            Arg::Fun(f) => Arg::Fun(function(with, f)),
            Arg::Size(n) => Arg::Size(n.clone()),
            Arg::Boundary(boundary) => Arg::Boundary(boundary.map(with, data, function)),
        }
    }

    /// The data, if it is that.
    pub fn data(&self) -> Option<&E> {
        match self {
            Arg::Data(e) => Some(e),
            Arg::Fun(_) | Arg::Size(_) | Arg::Boundary(_) => None,
        }
    }

    /// The function inside, if there is one: the argument, or a boundary's.
    pub fn function(&self) -> Option<&F> {
        match self {
            Arg::Fun(f) | Arg::Boundary(Boundary::Index(f) | Boundary::Value(f)) => Some(f),
            Arg::Data(_) | Arg::Size(_) | Arg::Boundary(_) => None,
        }
    }

    /// The function, if it is one.
    pub fn fun(&self) -> Option<&F> {
        match self {
            Arg::Fun(f) => Some(f),
            Arg::Data(_) | Arg::Size(_) | Arg::Boundary(_) => None,
        }
    }

    /// The size, if it is one.
    pub fn size(&self) -> Option<&ArithExpr> {
        match self {
            Arg::Size(n) => Some(n),
            Arg::Data(_) | Arg::Fun(_) | Arg::Boundary(_) => None,
        }
    }
}
