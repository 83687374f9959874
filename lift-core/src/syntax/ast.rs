//! What the user wrote, with spans: the result of parsing, before any name is looked up.

use crate::ir::KernelOptions;
use crate::ir::scalar::{BinaryOp, Scalar, UnaryOp};
use crate::span::Span;

/// The body of one `lift!` call.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// `const NAME: T = e;`
    pub consts: Vec<Const>,
    /// `type Name = T;`
    pub aliases: Vec<Alias>,
    /// `struct Name { field: T, … }`
    pub structs: Vec<Struct>,
    /// Functions and kernels, in source order.
    pub functions: Vec<Function>,
    /// The expression of the expression form.
    pub result: Option<Expr>,
    /// Names of items that could not be read; their mistakes are reported already.
    pub broken: Vec<String>,
}

impl Block {
    /// What the type stands for if it is the name of an alias; of a circle of aliases, any of them.
    pub fn unaliased<'a>(&'a self, mut ty: &'a Type) -> &'a Type {
        for _ in 0..=self.aliases.len() {
            let TypeKind::Name(name) = &ty.kind else { break };
            let Some(alias) = self.aliases.iter().find(|alias| alias.name.name == *name) else { break };
            ty = &alias.ty;
        }
        ty
    }
}

impl Block {
    /// The value of a size that mentions nothing but integer constants of the block.
    pub fn number(&self, size: &SizeExpr) -> Option<i64> {
        match &size.kind {
            SizeKind::Const(n) => Some(*n),
            SizeKind::Name(name) => self.constant(name, self.consts.len()),
            SizeKind::Binary(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match op {
                    SizeOp::Add => a.checked_add(b),
                    SizeOp::Sub => a.checked_sub(b),
                    SizeOp::Mul => a.checked_mul(b),
                    SizeOp::Div => a.checked_div_euclid(b),
                    SizeOp::Mod => a.checked_rem_euclid(b),
                    SizeOp::Min => Some(a.min(b)),
                    SizeOp::Max => Some(a.max(b)),
                    SizeOp::DivCeil => Some(a.checked_add(b)?.checked_sub(1)?.checked_div_euclid(b)?),
                }
            }
        }
    }

    /// The value of an integer constant, which others lead to in so many steps at most: circles have none.
    fn constant(&self, name: &str, steps: usize) -> Option<i64> {
        let constant = self.consts.iter().find(|constant| constant.name.name == name)?;
        self.integer(&constant.value, steps.checked_sub(1)?)
    }

    fn integer(&self, e: &Expr, steps: usize) -> Option<i64> {
        match &e.kind {
            ExprKind::Name(name) => self.constant(name, steps),
            ExprKind::Literal(Literal::Int(n, _)) => i64::try_from(*n).ok(),
            ExprKind::Unary(UnaryOp::Neg, x) => self.integer(x, steps)?.checked_neg(),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.integer(a, steps)?, self.integer(b, steps)?);
                op.of_integers(a, b)
            }
            _ => None,
        }
    }
}

/// A name with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ident {
    /// The text.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A constant.
#[derive(Debug, Clone)]
pub struct Const {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Expr,
    /// Its tokens.
    pub surface: Surface,
}

/// A type alias.
#[derive(Debug, Clone)]
pub struct Alias {
    /// Its name.
    pub name: Ident,
    /// What it stands for.
    pub ty: Type,
}

/// A struct with named fields.
#[derive(Debug, Clone)]
pub struct Struct {
    /// Its name.
    pub name: Ident,
    /// Its fields in order.
    pub fields: Vec<Field>,
    /// Its tokens.
    pub surface: Surface,
}

/// A field of a struct.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// Its tokens.
    pub surface: Surface,
}

/// A function or, with `kernel`, a kernel.
#[derive(Debug, Clone)]
pub struct Function {
    /// Marked `#[kernel]`.
    pub kernel: bool,
    /// Its name.
    pub name: Ident,
    /// `<N, M>`.
    pub generics: Vec<Ident>,
    /// `#[size(..)]`: facts the user promises.
    pub facts: Vec<Fact>,
    /// `#[step(..)]`: it is a step in time.
    pub step: Option<Step>,
    /// What else attributes say about a kernel.
    pub options: KernelOptions,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// The result's type: the empty tuple if there is none.
    pub result: Type,
    /// The body.
    pub body: Expr,
    /// Doc comments, one line each.
    pub docs: Vec<String>,
    /// The tokens that the emitted launcher takes over unchanged.
    pub surface: Surface,
    /// Of a kernel with `#[types(..)]`: the types of this one of its instances.
    pub instance: Vec<(String, Scalar)>,
}

/// `#[step(p, before; q)]`: a chain of parameters for each part of the result, none if there are no parentheses.
/// The part takes the place of the first parameter, that one takes the place of the next, and so on.
#[derive(Debug, Clone)]
pub struct Step {
    /// The chains.
    pub chains: Vec<Vec<Ident>>,
    /// The attribute.
    pub span: Span,
}

/// Tokens that are not Lift's to understand.
#[derive(Debug, Clone, Default)]
pub struct Surface {
    /// The name as a token, so that editors can jump and rename.
    pub ident: Option<proc_macro2::Ident>,
    /// `pub`, `pub(crate)`, nothing.
    pub visibility: proc_macro2::TokenStream,
    /// Attributes other than Lift's own: documentation, `#[cfg]`, `#[allow]`.
    pub attributes: proc_macro2::TokenStream,
    /// The whole item as written, without Lift's own attributes.
    pub item: proc_macro2::TokenStream,
}

/// A fact about sizes.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The relation.
    pub relation: Relation,
    /// Left side.
    pub left: SizeExpr,
    /// Right side.
    pub right: SizeExpr,
    /// The whole fact.
    pub span: Span,
}

/// A relation between sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `<=`
    AtMost,
    /// `<`
    Below,
}

/// A parameter of a function.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// Its type, without the `&mut` of a parameter that is updated.
    pub ty: Type,
    /// The `&mut T` of a parameter that is updated.
    pub updated: Option<Span>,
}

/// A type as written.
#[derive(Debug, Clone)]
pub struct Type {
    /// The shape.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

impl Type {
    /// No result.
    pub fn nothing(span: Span) -> Type {
        Type { kind: TypeKind::Tuple(Vec::new()), span }
    }

    /// The type and all that it is made of, outermost first.
    pub fn all(&self) -> Vec<&Type> {
        let inside: Vec<&Type> = match &self.kind {
            TypeKind::Infer | TypeKind::Name(_) => Vec::new(),
            TypeKind::Boundary(inner) | TypeKind::Array(inner, _) => vec![&**inner],
            TypeKind::Tuple(parts) => parts.iter().collect(),
            TypeKind::Function(inputs, result) => inputs.iter().chain([&**result]).collect(),
        };
        std::iter::once(self).chain(inside.into_iter().flat_map(Type::all)).collect()
    }

    /// The names that it mentions: of scalars, structs, aliases and type variables, not of sizes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all().into_iter().filter_map(|ty| match &ty.kind {
            TypeKind::Name(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether it says that there is no result.
    pub fn is_nothing(&self) -> bool {
        matches!(&self.kind, TypeKind::Tuple(parts) if parts.is_empty())
    }
}

/// The shapes of types.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// A scalar, an alias, a struct, a type variable, `Nat`, or `Boundary<T>` without its argument.
    Name(String),
    /// `Boundary<T>`.
    Boundary(Box<Type>),
    /// `[T; n]`
    Array(Box<Type>, SizeExpr),
    /// `(T, U)`; empty only as the result of a kernel that has none.
    Tuple(Vec<Type>),
    /// `fn(T) -> U`
    Function(Vec<Type>, Box<Type>),
    /// `_`
    Infer,
}

/// A size expression as written.
#[derive(Debug, Clone)]
pub struct SizeExpr {
    /// The shape.
    pub kind: SizeKind,
    /// Where it stands.
    pub span: Span,
}

impl SizeExpr {
    /// The names in it, and where they stand.
    pub fn names(&self) -> Vec<(&str, Span)> {
        match &self.kind {
            SizeKind::Const(_) => Vec::new(),
            SizeKind::Name(name) => vec![(name, self.span)],
            SizeKind::Binary(_, left, right) => [left.names(), right.names()].concat(),
        }
    }
}

/// The shapes of size expressions.
#[derive(Debug, Clone)]
pub enum SizeKind {
    /// A literal.
    Const(i64),
    /// A size variable, a `Nat` parameter or an integer constant.
    Name(String),
    /// `a + b` and the like.
    Binary(SizeOp, Box<SizeExpr>, Box<SizeExpr>),
}

/// Operations on sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounded down.
    Div,
    /// `%`
    Mod,
    /// `min(a, b)` or `a.min(b)`
    Min,
    /// `max(a, b)` or `a.max(b)`
    Max,
    /// `div_ceil(a, b)` or `a.div_ceil(b)`
    DivCeil,
}

/// An expression as written.
#[derive(Debug, Clone)]
pub struct Expr {
    /// The shape.
    pub kind: ExprKind,
    /// The whole expression.
    pub span: Span,
}

impl Expr {
    /// Stands where a mistake was reported.
    pub fn error(span: Span) -> Expr {
        Expr { kind: ExprKind::Error, span }
    }

    /// The name and the arguments, target first, of what updates a parameter when it is a statement.
    pub fn as_update(&self) -> Option<(&'static str, Span, Vec<&Expr>)> {
        let (name, span, args) = match &self.kind {
            ExprKind::Call(function, args) => match &function.kind {
                ExprKind::Name(name) => (name, function.span, args.iter().collect()),
                _ => return None,
            },
            ExprKind::Dot(target, name, Some(args)) => {
                (&name.name, name.span, std::iter::once(&**target).chain(args).collect())
            }
            // The papers' `write_to(dst) << e`.
            ExprKind::Apply(function, last) => {
                let (name, span, mut args) = function.as_update()?;
                args.push(last);
                return Some((name, span, args));
            }
            _ => return None,
        };
        let known = ["write_to", "scatter_to"].into_iter().find(|known| known == name)?;
        Some((known, span, args))
    }
}

/// The shapes of expressions.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A name; paths such as `f32::MAX` keep their `::`.
    Name(String),
    /// A literal.
    Literal(Literal),
    /// `-x`, `!x`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `f << x`
    Apply(Box<Expr>, Box<Expr>),
    /// `f(a, b)`
    Call(Box<Expr>, Vec<Expr>),
    /// `x.f(a)`; without parentheses (`p.x`, a field, or `g.f`, a composition) the arguments are `None`.
    Dot(Box<Expr>, Ident, Option<Vec<Expr>>),
    /// `x.0`
    Field(Box<Expr>, usize),
    /// `x[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `|a, (b, c)| e`
    Closure(Vec<Pattern>, Box<Expr>),
    /// `{ let p = e; … e }`
    Block(Vec<Let>, Box<Expr>),
    /// A block in which parameters are updated: `{ let p = e; write_to(dst, p); … e }`. The value may be missing.
    Updates(Vec<Statement>, Option<Box<Expr>>),
    /// `if c { a } else { b }`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `e as T`
    Cast(Box<Expr>, Type),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `Name { field: e, … }`
    Struct(Ident, Vec<(Ident, Expr)>),
    /// `[a, b, c]`
    ArrayLiteral(Vec<Expr>),
    /// Stands where a mistake was reported already.
    Error,
}

/// A statement of a block in which parameters are updated.
#[derive(Debug, Clone)]
pub enum Statement {
    /// `let p: T = e;`
    Let(Let),
    /// `write_to(dst, e);`, `scatter_to(dst, idx, vals);`
    Update(Expr),
}

/// `let p: T = e;`
#[derive(Debug, Clone)]
pub struct Let {
    /// What is bound.
    pub pattern: Pattern,
    /// The value.
    pub value: Expr,
}

/// A pattern, with the type the user gave it, if any.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The shape.
    pub kind: PatternKind,
    /// `: T`
    pub ty: Option<Type>,
    /// Where it stands.
    pub span: Span,
}

/// The shapes of patterns.
#[derive(Debug, Clone)]
pub enum PatternKind {
    /// `x`
    Name(String),
    /// `_`
    Wild,
    /// `(p, q)`
    Tuple(Vec<Pattern>),
    /// `[p, q]`
    Array(Vec<Pattern>),
    /// `Name { field: p, … }`; whether the other fields are left out with `..`.
    Struct(Ident, Vec<(Ident, Pattern)>, bool),
}

/// A literal as written; its type may come from its use.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `17`, `17u8`: value and suffix.
    Int(u64, Option<String>),
    /// `1.5`, `1.5f32`: value and suffix.
    Float(f64, Option<String>),
    /// `true`
    Bool(bool),
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Literal::Int(value, suffix) => write!(f, "{value}{}", suffix.as_deref().unwrap_or_default()),
            Literal::Float(value, suffix) => write!(f, "{value:?}{}", suffix.as_deref().unwrap_or_default()),
            Literal::Bool(value) => write!(f, "{value}"),
        }
    }
}
