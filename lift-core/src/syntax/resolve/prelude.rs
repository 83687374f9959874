//! The definitions in Lift itself, resolved once per thread.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{FunctionId, Resolver, Signature, variadic};
use crate::diag::Diagnostics;
use crate::syntax::parse_item::parse_prelude;
use crate::syntax::term::Function;

/// The source.
const SOURCE: &str = include_str!("../prelude.lift");

/// The prelude, ready for use.
#[derive(Debug)]
pub(super) struct Prelude {
    /// Resolved, by [`FunctionId`].
    pub(super) functions: Vec<Function>,
    /// What callers know of them.
    pub(super) signatures: Vec<Signature>,
    /// Several functions may share a name when they differ in the number of arguments.
    pub(super) by_name: BTreeMap<String, Vec<FunctionId>>,
    /// The first binder that is free.
    pub(super) next: u32,
}

thread_local! {
    static PRELUDE: Rc<Prelude> = Rc::new(load(&mut Diagnostics::new()));
}

/// The prelude.
pub(super) fn prelude() -> Rc<Prelude> {
    PRELUDE.with(Rc::clone)
}

/// Reads the prelude. It is ours, so its mistakes are bugs, which a test looks for.
pub(super) fn load(diags: &mut Diagnostics) -> Prelude {
    let (functions, resolver) = source_of(&format!("{SOURCE}{}", variadic::for_two()), 0, diags);
    Prelude { functions, signatures: resolver.signatures, by_name: resolver.by_name, next: resolver.next }
}

/// The functions of a text of ours, with binders from `next` on, and what resolved them.
pub(super) fn source_of(text: &str, next: u32, diags: &mut Diagnostics) -> (Vec<Function>, Resolver) {
    let tokens = text.parse().unwrap_or_default();
    let block = parse_prelude(tokens, diags);
    // Functions of the prelude may share names.
    let mut resolver =
        Resolver { diags: std::mem::take(diags), prelude_functions: usize::MAX, next, ..Resolver::default() };
    let declared = resolver.declare_functions(&block.functions);
    let mut functions = Vec::new();
    for (function, declared) in block.functions.iter().zip(declared) {
        let id = FunctionId(functions.len() as u32);
        functions.push(resolver.function(function, declared, id, None));
    }
    resolver.recursion();
    *diags = std::mem::take(&mut resolver.diags);
    (functions, resolver)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::SpanTable;

    #[test]
    fn the_prelude_has_no_mistakes() {
        let mut diags = Diagnostics::new();
        let prelude = load(&mut diags);
        let list: Vec<String> = diags.finish(&SpanTable::new()).iter().map(|d| d.text()).collect();
        assert!(list.is_empty(), "{}", list.join("\n"));
        assert_eq!(prelude.functions.len(), SOURCE.lines().filter(|l| l.starts_with("fn ")).count() + 2);
        assert!(prelude.functions.iter().all(|function| function.prelude));
    }
}
