//! What names mean while a function's body is checked.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::arith::ArithExpr;
use crate::bug;
use crate::ir::Expr;
use crate::syntax::term::{self, BinderId};
use crate::typecheck::ty::{Solver, Ty};

/// Makes the typed expression once all types are known.
pub(super) type Build<'a> = Box<dyn FnOnce(&Solver) -> Expr + 'a>;

/// A checked term: its type, and how to build it.
pub(super) struct Checked<'a> {
    /// Its type.
    pub(super) ty: Ty,
    /// Its expression, later.
    pub(super) build: Build<'a>,
}

/// Where the expression that a variable stands for is put when its binding is built.
#[derive(Debug, Clone, Default)]
pub(super) struct Slot(Rc<RefCell<Option<Expr>>>);

impl Slot {
    /// Sets what the variable stands for.
    pub(super) fn set(&self, value: Expr) {
        *self.0.borrow_mut() = Some(value);
    }

    /// What the variable stands for.
    pub(super) fn get(&self) -> Expr {
        match &*self.0.borrow() {
            Some(value) => value.clone(),
            None => bug!("a variable is used before it is built"),
        }
    }
}

/// What a variable is.
#[derive(Debug, Clone)]
pub(super) enum Binding<'a> {
    /// Data.
    Data(Ty, Slot),
    /// A function, with the names of the place where it was written.
    Function(&'a term::Closure, Env<'a>),
    /// A size.
    Size(ArithExpr),
    /// A boundary, with the names of the place where it was written.
    Boundary(&'a term::Boundary, Env<'a>),
}

/// The names in scope.
#[derive(Debug, Clone, Default)]
pub(super) struct Env<'a> {
    locals: BTreeMap<BinderId, Rc<Binding<'a>>>,
    /// Whether these are the names of a prelude function: then its caller is to blame for mistakes.
    pub(super) prelude: bool,
    /// Size variables and `Nat` parameters of the function.
    pub(super) sizes: BTreeMap<String, ArithExpr>,
    /// Type variables of the function.
    pub(super) types: BTreeMap<String, Ty>,
}

impl<'a> Env<'a> {
    /// The names of a function's body, none so far.
    pub(super) fn of_function(prelude: bool) -> Env<'a> {
        Env { prelude, ..Env::default() }
    }

    /// Adds a variable.
    pub(super) fn bind(&mut self, id: BinderId, binding: Binding<'a>) {
        self.locals.insert(id, Rc::new(binding));
    }

    /// The boundary that the variable is, with the names of the place where it was written.
    pub(super) fn boundary(&self, id: BinderId) -> (&'a term::Boundary, Env<'a>) {
        match self.get(id).as_deref() {
            Some(Binding::Boundary(boundary, env)) => (boundary, env.clone()),
            _ => bug!("a boundary is not what resolution took it for"),
        }
    }

    /// What the variable is.
    pub(super) fn get(&self, id: BinderId) -> Option<Rc<Binding<'a>>> {
        self.locals.get(&id).cloned()
    }
}
