//! The typed expression: what a program computes and, after rewriting, how.
//!
//! An [`Expr`] is an immutable tree. Nodes are only made by the smart constructors in `build`, which compute
//! the node's type; a term that exists is therefore well typed, also after a rewrite. Lengths are compared
//! up to the facts of the kernel, which the constructors do not know: `check` verifies them.
//!
//! There is one form for every application: [`Kind::Prim`] with all its arguments. Functions occur only as
//! arguments of primitives ([`Lambda`]).

pub mod atomic;
pub mod literal;
pub mod math;
pub mod options;
pub mod place;
pub mod prim;
pub mod scalar;
pub mod scheme;
pub mod strategy;
pub mod stream;
pub mod surface;
pub mod types;

pub mod boundary;
pub mod expr;

pub mod build;
pub mod parallel;
pub mod print;
pub mod typed;
pub mod walk;

pub use atomic::{Atomic, Operation};
pub use boundary::{Boundary, Fold};
pub use expr::{Arg, Check, Expr, Kernel, Kind, Lambda, Output, Param, Relation, Size, results};
pub use options::{Backends, KernelOptions};
pub use place::{ByKey, Memory, Order, Place};
pub use prim::Prim;
pub use scalar::{BinaryOp, Literal, MathFn, Scalar, UnaryOp};
pub use strategy::{UserStep, UserStrategy};
pub use surface::{Interface, SurfaceType};
pub use types::Type;
