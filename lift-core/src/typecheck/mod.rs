//! Types and sizes: resolved terms in, typed kernels out.
//!
//! After this stage every term is typed with symbolic sizes; every fact about sizes that a primitive needs
//! is proved, refuted (an error), or recorded as a launch check; every index is in range.

mod annotation;
mod associativity;
mod bounds;
mod calls;
mod control;
mod edges;
mod env;
mod error;
mod explain;
mod identity;
mod infer;
mod kernel;
mod later;
mod launches;
mod negated;
mod obligation;
mod order;
mod prims;
mod provenance;
mod ranges;
mod reorder;
mod starts;
mod state;
mod step;
mod structs;
mod suspicious;
mod ty;
mod windows;

use crate::budget;
use crate::diag::{Diagnostic, Diagnostics};
use crate::ir::{Kernel, SurfaceType};
use crate::span::Span;
use crate::syntax::term::{Function, FunctionId, Program};

/// Steps that checking a function may take: its body and, for each call, that of the function that is called.
const STEPS: u64 = 8_000_000;

/// What is found out.
#[derive(Debug)]
pub struct Typed {
    /// The kernels without mistakes.
    pub kernels: Vec<Kernel>,
    /// The types of patterns, as far as they are known, for editors. A function that is called has some for itself, then some for each call.
    pub patterns: Vec<PatternType>,
}

/// What a pattern of the user's is bound to.
#[derive(Debug, Clone)]
pub struct PatternType {
    /// Where the pattern stands.
    pub span: Span,
    /// The type of the whole.
    pub ty: SurfaceType,
}

/// Checks all functions and kernels. Kernels with mistakes are left out; the mistakes are in `diags`.
pub fn check(program: &Program, diags: &mut Diagnostics) -> Typed {
    let mut patterns = Vec::new();
    let mut broken = vec![false; program.functions.len()];
    let mut kernels: Vec<(FunctionId, Kernel)> = Vec::new();
    // Kernels for several types of which one instance is wrong: the others are wrong in the same way.
    let mut wrong: Vec<Span> = Vec::new();
    // What becomes too large, and what calls it.
    let mut large: Vec<FunctionId> = Vec::new();
    for id in order::callees_first(program) {
        let function = &program.functions[id.0 as usize];
        if function.prelude {
            continue;
        }
        let (before, mark) = (diags.errors(), diags.mark());
        if !function.instance.is_empty() && wrong.contains(&function.span) {
            continue;
        }
        if order::calls(function).iter().any(|(callee, _)| large.contains(callee)) {
            broken[id.0 as usize] = true;
            large.push(id);
            continue;
        }
        let checked = budget::within(STEPS, || {
            if program.kernels.contains(&id) {
                kernels.extend(
                    kernel::check_kernel(program, function, &broken, &mut patterns, diags).map(|k| (id, k)),
                );
            } else {
                kernel::check_helper(program, function, &broken, &mut patterns, diags);
            }
        });
        if checked.is_err() {
            diags.push(too_large(program, function));
            large.push(id);
        }
        broken[id.0 as usize] = diags.errors() > before;
        if diags.errors() > before {
            let found = diags.since(mark);
            match reorder::explain(program, function, &broken, &found) {
                Some(order) => diags.push(order),
                None => diags.extend(found),
            }
            if !function.instance.is_empty() {
                let types: Vec<String> =
                    function.instance.iter().map(|(name, scalar)| format!("`{name} = {scalar}`")).collect();
                diags.note_since(mark, &format!("in the kernel for {}", types.join(", ")));
                wrong.push(function.span);
            }
        }
    }
    kernels.sort_by_key(|(id, _)| program.kernels.iter().position(|k| k == id));
    Typed { kernels: kernels.into_iter().map(|(_, kernel)| kernel).collect(), patterns }
}

/// The message for a function whose body, with those of the functions that it calls, is too large. Where it calls a function of the
/// user again, there is something to do.
fn too_large(program: &Program, function: &Function) -> Diagnostic {
    let calls = order::calls(function);
    let own = |id: FunctionId| !program.functions[id.0 as usize].prelude;
    let again =
        calls.iter().enumerate().rfind(|(i, (id, _))| own(*id) && calls[..*i].iter().any(|(it, _)| it == id));
    match again {
        Some((_, (id, span))) => {
            error::too_many_calls(*span, &function.name, &program.functions[id.0 as usize].name)
        }
        None => error::too_many_terms(function.span, &function.name),
    }
}
