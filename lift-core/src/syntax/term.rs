//! Resolved terms: every name is bound, every call is saturated, and `.`, `<<`, partial application and
//! composition are gone. What is left to find out are the types.

use crate::ir::scalar::{BinaryOp, MathFn, Scalar, UnaryOp};
use crate::ir::{Fold, Prim};
use crate::span::Span;
use crate::syntax::ast::{Literal, SizeExpr, Type};

/// A variable of the user; unique in the whole macro call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BinderId(pub u32);

/// A function of the block or of the prelude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A variable where it is bound.
#[derive(Debug, Clone)]
pub struct Binder {
    /// Identity.
    pub id: BinderId,
    /// The user's name, or one made up for a variable that the user did not write.
    pub name: String,
    /// Where it is bound.
    pub span: Span,
}

/// All functions, resolved. Prelude functions come first.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Indexed by [`FunctionId`].
    pub functions: Vec<Function>,
    /// The constants that are arrays or scalars, resolved.
    pub consts: Vec<Const>,
    /// The structs, resolved.
    pub structs: Vec<Struct>,
    /// The kernels among the functions, in source order. The expression form is a kernel whose parameter
    /// types and result are inferred.
    pub kernels: Vec<FunctionId>,
    /// The places of functions that a composition applies, for messages: in the terms it looks like a call.
    pub composed: Vec<Span>,
}

/// A constant; it is used by value ([`TermKind::Const`]).
#[derive(Debug, Clone)]
pub struct Const {
    /// The user's name.
    pub name: String,
    /// Declared type.
    pub ty: Type,
    /// Its value, a closed term.
    pub value: Term,
    /// Where the name stands.
    pub span: Span,
}

/// A struct: a tuple whose parts have names, and that is no other struct.
#[derive(Debug, Clone)]
pub struct Struct {
    /// The user's name.
    pub name: String,
    /// The names and types of the fields, in order.
    pub fields: Vec<(String, Type)>,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// The user's name.
    pub name: String,
    /// Whether it came from the prelude: then messages speak of the call, not of the body.
    pub prelude: bool,
    /// Names declared in `<…>`, whether sizes or types.
    pub generics: Vec<crate::syntax::ast::Ident>,
    /// `#[size(..)]`
    pub facts: Vec<crate::syntax::ast::Fact>,
    /// `#[step(..)]`
    pub step: Option<crate::syntax::ast::Step>,
    /// What else attributes say about a kernel.
    pub options: crate::ir::KernelOptions,
    /// Parameters.
    pub params: Vec<Param>,
    /// The declared result; `None` for the expression form.
    pub result: Option<Type>,
    /// What is updated, in the order of the statements.
    pub updates: Vec<Update>,
    /// The body. If parameters are updated: their new values, followed by the result if there is one; as a tuple
    /// if these are more than one.
    pub body: Term,
    /// The name's place.
    pub span: Span,
    /// Position in [`crate::syntax::ast::Block::functions`], for what the macro emits.
    pub source: Option<usize>,
    /// Of a kernel for several types: the types of this instance.
    pub instance: Vec<(String, Scalar)>,
}

/// An update of a parameter.
#[derive(Debug, Clone)]
pub struct Update {
    /// The position of the parameter.
    pub param: usize,
    /// Where its new value stands.
    pub span: Span,
}

/// A parameter of a function. Its type says what it is: data, a function (`fn(T) -> U`), a size (`Nat`)
/// or a boundary (`Boundary<T>`).
#[derive(Debug, Clone)]
pub struct Param {
    /// The variable.
    pub binder: Binder,
    /// Its declared type; `None` for the expression form's parameters without annotation.
    pub ty: Option<Type>,
}

/// A resolved term.
#[derive(Debug, Clone)]
pub struct Term {
    /// The shape.
    pub kind: TermKind,
    /// The user's tokens.
    pub span: Span,
}

impl Term {
    /// Stands where a mistake was reported.
    pub fn error(span: Span) -> Term {
        Term { kind: TermKind::Error, span }
    }
}

/// The shapes of resolved terms. All of them are values, never functions.
#[derive(Debug, Clone)]
pub enum TermKind {
    /// A variable that holds data.
    Local(BinderId),
    /// A literal.
    Literal(Literal),
    /// A size used as a value of type `usize`: a size variable or `Nat` parameter.
    Size(SizeExpr),
    /// A constant of the block.
    Const(usize),
    /// `-x`
    Unary(UnaryOp, Box<Term>),
    /// `a + b`; also `add(a, b)`
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// `x.sqrt()`
    Math(MathFn, Vec<Term>),
    /// `e as T`
    Cast(Box<Term>, Type),
    /// `if`
    If(Box<Term>, Box<Term>, Box<Term>),
    /// `(a, b)`
    Tuple(Vec<Term>),
    /// `x.0`
    Field(Box<Term>, usize),
    /// `Name { field: e, … }`: a struct and its fields in the order of the declaration.
    Struct(usize, Vec<Term>),
    /// `x.field`
    Named(Box<Term>, String),
    /// `[a, b]`
    ArrayLiteral(Vec<Term>),
    /// `let p = value; body`
    Let(Pattern, Box<Term>, Box<Term>),
    /// A primitive with all its arguments, in the order of its signature.
    Prim(Prim, Vec<Arg>),
    /// A function with all its arguments.
    Call(FunctionId, Vec<Arg>),
    /// A parameter of function type, applied.
    CallLocal(BinderId, Vec<Term>),
    /// Stands where an error was reported already; has any type.
    Error,
}

/// An argument of a primitive or function.
#[derive(Debug, Clone)]
pub enum Arg {
    /// Data.
    Data(Term),
    /// A function.
    Function(Closure),
    /// A size.
    Size(SizeExpr),
    /// A boundary.
    Boundary(Boundary, Span),
}

impl Arg {
    /// Where the argument stands.
    pub fn span(&self) -> Span {
        match self {
            Arg::Data(term) => term.span,
            Arg::Function(closure) => closure.span,
            Arg::Size(size) => size.span,
            Arg::Boundary(_, span) => *span,
        }
    }
}

/// A function as an argument. A closure of k parameters also serves where a function of one k-tuple is
/// expected; the type checker sees to that.
#[derive(Debug, Clone)]
pub struct Closure {
    /// Parameters.
    pub params: Vec<Pattern>,
    /// The body.
    pub body: Box<Term>,
    /// The closure, or the name or partial application it stands for.
    pub span: Span,
}

/// What lies outside an array.
#[derive(Debug, Clone)]
pub enum Boundary {
    /// An element of the array.
    Fold(Fold),
    /// The negative of an element, where an odd number of edges is between.
    Negated(Fold),
    /// A value.
    Constant(Box<Term>),
    /// The element at the index that a function of index and length gives.
    Index(Closure),
    /// The value that such a function gives.
    Value(Closure),
    /// A parameter of type `Boundary<T>`.
    Local(BinderId),
}

/// A resolved pattern.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The shape.
    pub kind: PatternKind,
    /// The type the user gave.
    pub ty: Option<Type>,
    /// Where it stands.
    pub span: Span,
}

/// The shapes of patterns.
#[derive(Debug, Clone)]
pub enum PatternKind {
    /// A variable.
    Bind(Binder),
    /// `_`
    Wild,
    /// `(p, q)`
    Tuple(Vec<Pattern>),
    /// `[p, q]`
    Array(Vec<Pattern>),
    /// `Name { field: p, … }`, one pattern for each field.
    Struct(usize, Vec<Pattern>),
}
