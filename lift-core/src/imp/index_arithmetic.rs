//! How index arithmetic is computed: the order of operations, and the type of each.
//!
//! Before: canonical index expressions. After: trees of the operators that the text has. Printing, bounds and
//! execution take them from here, so that what is bounded and executed is what is printed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::arith::{ArithExpr, Form, Var};
use crate::imp::ast::Kernel;
use crate::imp::{has_linear_form, is_linear};
use crate::view::Cond;

/// In which type an index expression is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// In `index_t`, which the launcher makes as wide as the bounds of the kernel ask.
    Index,
    /// In 64 bits.
    Wide,
}

/// A comparison of two computed indices.
pub struct Comparison {
    /// The left side.
    pub left: Rc<Form>,
    /// `<` or `>=`
    pub op: &'static str,
    /// The right side.
    pub right: Rc<Form>,
}

/// The trees of a kernel's index expressions; each is made once.
pub struct Forms<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    known: RefCell<HashMap<ArithExpr, Rc<Form>>>,
}

impl<'a> Forms<'a> {
    /// None yet.
    pub fn new(kernel: &'a Kernel) -> Forms<'a> {
        Forms { kernel, known: RefCell::default() }
    }

    /// The tree of an expression.
    pub fn of(&self, e: &ArithExpr) -> Rc<Form> {
        if let Some(form) = self.known.borrow().get(e) {
            return Rc::clone(form);
        }
        let form = Rc::new(e.form(&self.kernel.facts, &|v| self.kernel.is_size(v)));
        self.known.borrow_mut().insert(e.clone(), Rc::clone(&form));
        form
    }

    /// A comparison; numbers stand on the right.
    pub fn cond(&self, cond: &Cond) -> Comparison {
        let (a, op, b) = match cond {
            Cond::Less(a, b) => (a, "<", b),
            Cond::AtLeast(a, b) => (a, ">=", b),
        };
        let (shift, facts) = (number_in(a), &self.kernel.facts);
        let (a, b) = (facts.simplify(&(a - &shift)), facts.simplify(&(b - &shift)));
        Comparison { left: self.of(&a), op, right: self.of(&b) }
    }

    /// The type in which a value of the program is computed. In 64 bits, what is more than a few extents does not make the
    /// indices of a kernel wider.
    pub fn width(&self, value: &ArithExpr) -> Width {
        if is_linear(value, &self.kernel.facts) { Width::Index } else { Width::Wide }
    }

    /// Whether a quotient or remainder in the midst of narrow indices is computed in 64 bits: those of sizes alone, which are
    /// numbers when the text is compiled, if their operands may be more than a few extents.
    pub fn is_wide(&self, quotient: &Form) -> bool {
        self.of_sizes(quotient) && !has_linear_form(quotient, &self.kernel.facts)
    }

    /// Whether it is computed from sizes alone.
    pub fn of_sizes(&self, form: &Form) -> bool {
        match form {
            Form::Const(_) => true,
            Form::Var(v) => self.kernel.is_size(v),
            Form::Neg(x) => self.of_sizes(x),
            Form::Sum(xs) | Form::Product(xs) | Form::Min(xs) | Form::Max(xs) => {
                xs.iter().all(|x| self.of_sizes(x))
            }
            Form::Div(a, b) | Form::Mod(a, b) => self.of_sizes(a) && self.of_sizes(b),
        }
    }

    /// The extent that the name of one stands for.
    pub fn stride(&self, var: &Var) -> Option<Rc<Form>> {
        let (_, extent) = self.kernel.strides.iter().find(|(stride, _)| stride == var)?;
        Some(self.of(extent))
    }
}

/// The number in a sum, unless the sum is nothing else.
fn number_in(e: &ArithExpr) -> ArithExpr {
    let vars = e.vars();
    if vars.is_empty() || e.has_division() {
        return ArithExpr::zero();
    }
    let zeros = vars.into_iter().map(|v| (v, ArithExpr::zero())).collect();
    let number = e.substitute(&zeros);
    if number.as_const().is_some() { number } else { ArithExpr::zero() }
}
