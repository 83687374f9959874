//! Names to binders, and the notation of the papers to plain calls.
//!
//! Before: an [`ast::Block`] whose shape is legal. After: a [`Program`] in which every name is bound, every
//! call has all its arguments, and functions occur only as arguments ([`crate::syntax::term::Closure`]).
//! What is wrong is reported once; [`TermKind::Error`] takes its place.

use std::collections::{BTreeMap, BTreeSet};

use super::ast::{self, Block, Type};
use super::error_name as error;
use super::term::{self, BinderId, Function, FunctionId, Program, Term, TermKind};
use crate::diag::{Diagnostic, Diagnostics};
use crate::ir::Prim;
use crate::span::Span;

mod apply;
mod args;
mod check;
pub(super) mod elsewhere;
mod expr;
pub(super) mod fun;
mod function;
mod name;
mod prelude;
mod refresh;
mod scope;
mod structs;
mod types;
mod update;
mod variadic;

pub(super) use name::snake_case;

use fun::Slot;
use scope::Scope;

/// Expressions within expressions, counting what is substituted.
const MAX_DEPTH: usize = 192;
/// Nodes that substitution may make.
const MAX_NODES: usize = 100_000;

/// The names that programs can use without defining them: functions, and boundaries.
pub fn language() -> BTreeSet<String> {
    let defined = prelude::prelude().by_name.keys().cloned().collect::<Vec<_>>();
    let primitives = Prim::written_rows().map(|row| row.name.to_string());
    let scalars = fun::ScalarFn::names().map(str::to_string);
    let others = ["write_to", "clamp", "mirror", "reflect", "wrap", "negated", "constant", "value"]
        .map(str::to_string);
    defined.into_iter().chain(primitives).chain(scalars).chain(others).collect()
}

/// Resolves a block, together with the prelude.
pub fn resolve(block: &Block, diags: &mut Diagnostics) -> Program {
    let prelude = prelude::prelude();
    let mut resolver = Resolver { diags: std::mem::take(diags), ..Resolver::default() };
    resolver.add_prelude(&prelude);
    let program = resolver.block(block, prelude.functions.clone());
    *diags = resolver.diags;
    program
}

/// A function or constant, where it matters which needs which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Function(usize),
    Const(usize),
}

/// What callers know of a function.
#[derive(Debug, Clone)]
struct Signature {
    name: String,
    slots: Vec<Slot>,
}

#[derive(Default)]
struct Resolver {
    diags: Diagnostics,
    /// By [`FunctionId`].
    signatures: Vec<Signature>,
    prelude_functions: usize,
    by_name: BTreeMap<String, Vec<FunctionId>>,
    /// `zip2d` and `zip3d` of more than two arrays, as calls have asked for them.
    widened: Vec<Function>,
    /// The identity of the first of them: they come after all functions of the block.
    first_widened: usize,
    consts: BTreeMap<String, usize>,
    aliases: BTreeMap<String, Type>,
    structs: BTreeMap<String, structs::Shape>,
    /// Names whose definitions are wrong, which is reported already.
    broken: BTreeSet<String>,
    /// Reading the type of an alias, whose sizes belong to those who use it.
    within_alias: bool,

    // Of the function at hand.
    scope: Scope,
    generics: Vec<String>,
    type_variables: BTreeSet<String>,
    sizes: BTreeSet<String>,
    used_sizes: BTreeSet<String>,
    implicit_sizes: bool,
    current: Option<Node>,

    next: u32,
    used: BTreeSet<BinderId>,
    made_up: BTreeSet<BinderId>,
    edges: Vec<(Node, Node, Span)>,
    depth: usize,
    nodes: usize,
    /// What was reported once for the function at hand, or for the block.
    told: BTreeSet<String>,
    /// The words of the call whose function is looked up.
    wrote: elsewhere::Wrote,
    /// The function at hand is a kernel.
    within_kernel: bool,
    /// The type of its result is no type of Lift, which is reported already.
    unreadable_result: bool,
    /// Warnings, for a block without errors.
    lints: Vec<Diagnostic>,
    /// Depth or amount was reported once.
    exhausted: bool,
    /// The places of functions that were applied by composition.
    composed: Vec<Span>,
}

impl Resolver {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    /// Reports a mistake and goes on with `instead`.
    fn fault<T>(&mut self, instead: T, diagnostic: Diagnostic) -> T {
        self.report(diagnostic);
        instead
    }

    /// Reports something about a name, which is the same mistake wherever the name stands in a function.
    pub(super) fn report_once(&mut self, diagnostic: Diagnostic) {
        if self.told.insert(diagnostic.message.clone()) {
            self.report(diagnostic);
        }
    }

    /// One level down; `false`, and a diagnostic, where it is too deep. Each `true` needs a `leave`.
    fn enter(&mut self, span: Span) -> bool {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            return true;
        }
        self.spend(usize::MAX, span)
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts nodes made by substitution; `false`, and a diagnostic, when there are too many.
    fn spend(&mut self, nodes: usize, span: Span) -> bool {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes <= MAX_NODES {
            return true;
        }
        if !self.exhausted {
            self.exhausted = true;
            self.report(super::error::too_deep(span));
        }
        false
    }

    /// Notes a call.
    fn call(&mut self, id: FunctionId, span: Span) {
        self.uses(Node::Function(id.0 as usize), span);
    }

    /// Notes the use of a constant.
    fn use_const(&mut self, name: &str, span: Span) -> Option<usize> {
        let index = self.consts.get(name).copied()?;
        self.uses(Node::Const(index), span);
        Some(index)
    }

    /// Takes over the functions of the prelude.
    fn add_prelude(&mut self, prelude: &prelude::Prelude) {
        self.signatures = prelude.signatures.clone();
        self.prelude_functions = prelude.signatures.len();
        self.by_name = prelude.by_name.clone();
        self.next = prelude.next;
    }

    fn block(&mut self, block: &Block, functions: Vec<Function>) -> Program {
        self.broken.extend(block.broken.iter().cloned());
        self.declare_consts(&block.consts);
        self.declare_structs(&block.structs);
        self.declare_aliases(&block.aliases);
        let structs = self.resolve_structs(&block.structs);
        let declared = self.declare_functions(&block.functions);
        self.first_widened = self.signatures.len() + usize::from(block.result.is_some());
        let mut program = Program { functions, structs, ..Program::default() };
        for (index, constant) in block.consts.iter().enumerate() {
            program.consts.push(self.constant(index, constant));
        }
        for (source, (function, declared)) in block.functions.iter().zip(declared).enumerate() {
            let id = FunctionId(program.functions.len() as u32);
            if function.kernel {
                program.kernels.push(id);
            }
            let resolved = self.function(function, declared, id, Some(source));
            program.functions.push(resolved);
        }
        if let Some(result) = &block.result {
            let id = FunctionId(program.functions.len() as u32);
            for function in block.functions.iter().filter(|function| function.kernel) {
                self.report(error::kernel_beside_expression(function.name.span));
            }
            program.kernels.push(id);
            let kernel = self.expression_kernel(result);
            program.functions.push(kernel);
        }
        program.functions.append(&mut self.widened);
        for node in self.recursion() {
            let body = match node {
                Node::Function(i) => program.functions.get_mut(i).map(|function| &mut function.body),
                Node::Const(i) => program.consts.get_mut(i).map(|constant| &mut constant.value),
            };
            if let Some(body) = body {
                body.kind = TermKind::Error;
            }
        }
        program.composed = std::mem::take(&mut self.composed);
        self.lint_kernels(block);
        if self.diags.errors() == 0 {
            for lint in std::mem::take(&mut self.lints) {
                self.report(lint);
            }
        }
        program
    }

    fn declare_consts(&mut self, consts: &[ast::Const]) {
        for (index, constant) in consts.iter().enumerate() {
            let name = &constant.name;
            if self.consts.contains_key(&name.name) {
                self.report(error::duplicate(name.span, &name.name, "defined twice in this block"));
            } else {
                self.consts.insert(name.name.clone(), index);
            }
        }
    }

    fn constant(&mut self, index: usize, constant: &ast::Const) -> term::Const {
        self.clear();
        self.current = Some(Node::Const(index));
        let ty = self.ty(&constant.ty);
        let value = match constant.value.kind {
            ast::ExprKind::Error => Term::error(constant.value.span),
            _ => self.value(&constant.value),
        };
        term::Const { name: constant.name.name.clone(), ty, value, span: constant.name.span }
    }

    /// Forgets the function before.
    fn clear(&mut self) {
        self.scope = Scope::default();
        self.generics.clear();
        self.type_variables.clear();
        self.sizes.clear();
        self.used_sizes.clear();
        self.implicit_sizes = false;
        self.current = None;
        self.within_kernel = false;
        self.unreadable_result = false;
        // Outside of the block is outside for all functions.
        self.told.retain(|message| message.contains("this `lift!` block") || message.contains("no type"));
    }
}
