//! Functions of any number of arrays: `zip` and `concat`, which are primitives, and `zip2d` and `zip3d`, which
//! are defined for as many arrays as a call has.

use super::fun::{Slot, prim_slots};
use super::prelude::source_of;
use super::{FunctionId, Resolver};
use crate::diag::Diagnostics;
use crate::ir::Prim;
use crate::syntax::term::Function;

/// The names of `zip` in two and three dimensions.
const NESTED: [(&str, usize); 2] = [("zip2d", 2), ("zip3d", 3)];

/// The definitions for two arrays.
pub(super) fn for_two() -> String {
    NESTED.map(|(name, dims)| definition(name, dims, 2)).concat()
}

/// `fn zip2d<A, B, n0, n1>(a: [[A; n1]; n0], …) -> … { map(|(a, b)| zip(a, b), zip(a, b)) }`
fn definition(name: &str, dims: usize, arity: usize) -> String {
    let slots = prim_slots(Prim::Zip, arity);
    let arrays: Vec<&str> = slots.iter().map(|slot| slot.name.as_str()).collect();
    let types: Vec<String> = arrays.iter().map(|name| name.to_uppercase()).collect();
    let sizes: Vec<String> = (0..dims).map(|dim| format!("n{dim}")).collect();
    let array = |element: &str| sizes.iter().rev().fold(element.to_string(), |t, n| format!("[{t}; {n}]"));
    let params: Vec<String> = arrays.iter().zip(&types).map(|(a, t)| format!("{a}: {}", array(t))).collect();
    let (arrays, types) = (arrays.join(", "), types.join(", "));
    let zipped = format!("zip({arrays})");
    let body = (1..dims).fold(zipped.clone(), |inner, _| format!("map(|({arrays})| {inner}, {zipped})"));
    format!(
        "fn {name}<{types}, {}>({}) -> {} {{ {body} }}\n",
        sizes.join(", "),
        params.join(", "),
        array(&format!("({types})")),
    )
}

impl Resolver {
    /// The dimensions, if these are functions of the prelude that take any number of arrays.
    pub(super) fn nested_zip(&self, ids: &[FunctionId]) -> Option<(&'static str, usize)> {
        let first = ids.first().map(|id| id.0 as usize).filter(|id| *id < self.prelude_functions)?;
        NESTED.into_iter().find(|(name, _)| self.signatures[first].name == *name)
    }

    /// The function for so many arrays, which is made for the first call.
    pub(super) fn widened(&mut self, (name, dims): (&'static str, usize), arity: usize) -> FunctionId {
        let made = self.widened.iter().position(|f| f.name == name && f.params.len() == arity);
        let index = made.unwrap_or_else(|| {
            self.widened.push(resolved(&definition(name, dims, arity), &mut self.next));
            self.widened.len() - 1
        });
        FunctionId((self.first_widened + index) as u32)
    }
}

/// The one function of this text, with binders from `next` on.
fn resolved(text: &str, next: &mut u32) -> Function {
    let (mut functions, resolver) = source_of(text, *next, &mut Diagnostics::new());
    *next = resolver.next;
    match functions.pop() {
        Some(function) => function,
        None => crate::bug!("no function: {text}"),
    }
}

/// The parameters of a primitive that takes any number of arrays, or of a function like it: for two, and for
/// as many as are wanted.
pub(super) fn variadic_slots(prim: Prim, wanted: usize) -> Vec<Vec<Slot>> {
    let wanted = Some(wanted).filter(|wanted| *wanted > 2);
    [Some(2), wanted].into_iter().flatten().map(|arity| prim_slots(prim, arity)).collect()
}
