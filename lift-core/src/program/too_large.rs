//! Where a kernel that becomes too large should be cut.

use std::collections::BTreeMap;

use crate::budget::Abandoned;
use crate::diag::Diagnostic;
use crate::ir::{Arg, Expr, Kernel, Kind, Param};
use crate::rewrite::demand::contains_array;
use crate::rewrite::scope::occurrences;
use crate::span::Span;

/// The message for a kernel, declared at `span`, that was abandoned.
pub fn error(kernel: &Kernel, span: Span, why: Abandoned) -> Diagnostic {
    match why {
        Abandoned::Spent => expression(kernel, span),
        Abandoned::Beyond => {
            Diagnostic::new("L0273", span, format!("`{}` has an index that becomes too large", kernel.name))
                .note("its numbers are beyond 64 bits, or edges of edges of edges are too many: `pad` after `pad` on the way to one element")
                .help("use smaller numbers in sizes and steps; store arrays on the way, `let ys = (…).materialize();`, or make several kernels")
        }
    }
}

/// The message for a kernel whose expression becomes too large if nothing in it is stored.
fn expression(kernel: &Kernel, span: Span) -> Diagnostic {
    let mut sizes = Sizes::default();
    let all = sizes.of(&kernel.body);
    let shared = sizes.shared;
    // Storing it should leave as much before it as behind it.
    let middle = shared.iter().rfind(|found| found.size <= all.sqrt()).or(shared.first());
    let at = middle.map_or(span, |found| found.value.span());
    let message = format!("`{}` becomes too large to compile", kernel.name);
    let error = Diagnostic::new("L0272", at, message)
        .note("an array that is not stored is computed wherever it is read, with all that it is made of");
    match middle {
        Some(found) => error.help(format!(
            "store arrays that are used more than once, this one for example: `let {} = (…).materialize();`",
            found.param.name
        )),
        None => error
            .help("make several kernels of it, or store arrays on the way: `let ys = (…).materialize();`"),
    }
}

/// A definition of an array that is used more than once.
struct Shared<'a> {
    param: &'a Param,
    value: &'a Expr,
    /// How many nodes its value has where every variable is replaced by what it stands for.
    size: f64,
}

#[derive(Default)]
struct Sizes<'a> {
    /// Of what variables stand for.
    known: BTreeMap<u32, f64>,
    /// In the order in which they are computed, those inside of functions not among them: there nothing can be stored.
    shared: Vec<Shared<'a>>,
}

impl<'a> Sizes<'a> {
    /// The number of nodes of an expression where every variable is replaced by what it stands for.
    fn of(&mut self, e: &'a Expr) -> f64 {
        let inside = match e.kind() {
            Kind::Param(param) => self.known.get(&param.id).copied().unwrap_or_default(),
            Kind::Let(param, value, body) => {
                let size = self.of(value);
                self.known.insert(param.id, size);
                if contains_array(value.ty()) && occurrences(body, param.id).count > 1 {
                    self.shared.push(Shared { param, value, size });
                }
                self.of(body)
            }
            Kind::Prim(_, args) => args.iter().map(|arg| self.argument(arg)).sum(),
            _ => e.children().into_iter().map(|x| self.of(x)).sum(),
        };
        inside + 1.0
    }

    fn argument(&mut self, arg: &'a Arg) -> f64 {
        let shared = self.shared.len();
        let size = arg.expr().map_or(0.0, |x| self.of(x));
        if arg.function().is_some() {
            self.shared.truncate(shared);
        }
        size
    }
}
