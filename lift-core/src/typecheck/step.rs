//! Steps in time: whether results can take the places of the parameters that `#[step(..)]` names.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts};
use crate::diag::{Diagnostic, Diagnostics};
use crate::ir::{Arg, Expr, Kernel, Kind, Output, Param, Prim, Type};
use crate::span::Span;
use crate::syntax::ast;

/// The chains of a kernel as positions of parameters, one chain for each result. Mistakes are in `diags`.
pub(super) fn check(step: &ast::Step, kernel: &Kernel, diags: &mut Diagnostics) -> Vec<Vec<usize>> {
    let ty = kernel.body.ty();
    let parts: Vec<Type> = match ty {
        Type::Tuple(parts) if kernel.outputs.len() > 1 => parts.to_vec(),
        Type::Tuple(_) | Type::Scalar(_) | Type::Array(..) => vec![ty.clone()],
    };
    let outputs = parts.iter().zip(&kernel.outputs);
    let results: Vec<&Type> =
        outputs.filter(|(_, output)| matches!(output, Output::Result)).map(|(ty, _)| ty).collect();
    let updates = kernel.outputs.len() - results.len();
    // Without chains, the parameters that are updated carry the state.
    if step.chains.len() != results.len() && !(step.chains.is_empty() && updates > 0) {
        diags.push(number(step, results.len(), updates));
        return Vec::new();
    }
    let mut taken: Vec<usize> = Vec::new();
    let mut chains = Vec::new();
    for (names, result) in step.chains.iter().zip(results) {
        let mut chain = Vec::new();
        for name in names {
            let Some(place) = kernel.params.iter().position(|param| *param.name == name.name) else {
                diags.push(unknown(name, kernel));
                continue;
            };
            if taken.contains(&place) {
                diags.push(named_twice(name));
            } else if kernel.outputs.contains(&Output::Update(place)) {
                diags.push(updated(name));
            } else if let Some(fault) = misfit(name, &kernel.params[place].ty, result, &kernel.facts) {
                diags.push(fault);
            }
            taken.push(place);
            chain.push(place);
        }
        chains.push(chain);
    }
    chains
}

/// What keeps a result from taking the place of a parameter of type `ty`.
fn misfit(name: &ast::Ident, ty: &Type, result: &Type, facts: &Facts) -> Option<Diagnostic> {
    let simplified = |ty: &Type| ty.map_sizes(&|size| facts.simplify(size));
    if simplified(ty) != simplified(result) {
        return Some(types_differ(name.span, &name.name, &ty.to_string(), &result.to_string()));
    }
    None
}

/// The kernel with the scalars of its state in memory: results stay on the device, and what takes their place is
/// an array of one element.
pub(super) fn in_memory(kernel: Kernel) -> Kernel {
    let mut values = BTreeMap::new();
    let mut params = kernel.params.clone();
    for place in kernel.step.iter().flatten().flatten() {
        let param = &mut params[*place];
        let ty = stored(&param.ty);
        if ty != param.ty {
            let new = Param::new(&param.name, ty);
            values.insert(param.id, value(&param.ty, Expr::param(&new)));
            *param = new;
        }
    }
    if values.is_empty() {
        return kernel;
    }
    Kernel { body: replaced(&kernel.body, &values), params, ..kernel }
}

/// `e` with other values for these parameters, at the same places of the text.
fn replaced(e: &Expr, values: &BTreeMap<u32, Expr>) -> Expr {
    if let Kind::Param(param) = e.kind() {
        return values.get(&param.id).map_or_else(|| e.clone(), |value| value.at(e.span()));
    }
    e.map_children(&mut |child| replaced(child, values))
}

/// The type with an array of one element for every scalar.
fn stored(ty: &Type) -> Type {
    match ty {
        Type::Scalar(_) => Type::array(ty.clone(), ArithExpr::one()),
        Type::Array(..) => ty.clone(),
        Type::Tuple(parts) => Type::tuple(parts.iter().map(stored).collect()),
    }
}

/// The value of type `ty` that `e` has in memory.
fn value(ty: &Type, e: Expr) -> Expr {
    match ty {
        Type::Scalar(_) => Expr::prim(Prim::At, vec![Arg::Data(Expr::size(ArithExpr::zero())), Arg::Data(e)]),
        Type::Array(..) => e,
        Type::Tuple(parts) => {
            let parts = parts.iter().enumerate().map(|(i, part)| value(part, Expr::field(e.clone(), i)));
            Expr::tuple(parts.collect())
        }
    }
}

fn number(step: &ast::Step, results: usize, updates: usize) -> Diagnostic {
    let kernel = match results {
        0 => "the kernel has no result".to_string(),
        1 => "the kernel has one result".to_string(),
        n => format!("the kernel has {n} results"),
    };
    let fault = |message: String| Diagnostic::new("L0186", step.span, message);
    match (step.chains.len(), results) {
        (0, _) => fault(format!("`#[step]` does not say whose place is taken, and {kernel}"))
            .help("name the parameter whose place the result takes: `#[step(p)]`"),
        (_, 0) if updates > 0 => fault(format!("`#[step(..)]` names parameters, but {kernel}"))
            .help("what the kernel updates carries the state by itself: write `#[step]`"),
        (n, _) => fault(format!("`#[step(..)]` has {}, but {kernel}", crate::text::count(n, "list")))
            .help("write one list for each result, in their order, separated by `;`"),
    }
}

fn unknown(name: &ast::Ident, kernel: &Kernel) -> Diagnostic {
    let names = kernel.params.iter().map(|param| &*param.name);
    let fault = Diagnostic::new("L0185", name.span, format!("the kernel has no parameter `{}`", name.name));
    match crate::text::did_you_mean(&name.name, names) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault,
    }
}

fn named_twice(name: &ast::Ident) -> Diagnostic {
    Diagnostic::new("L0185", name.span, format!("`{}` stands twice in `#[step(..)]`", name.name))
        .help("its place can be taken once")
}

fn updated(name: &ast::Ident) -> Diagnostic {
    Diagnostic::new(
        "L0186",
        name.span,
        format!("nothing can take the place of `{}`: it is updated", name.name),
    )
    .help("leave it out: the next step sees what this one has made of it")
}

fn types_differ(span: Span, name: &str, ty: &str, result: &str) -> Diagnostic {
    Diagnostic::new("L0186", span, format!("the result is `{result}`, but `{name}` is `{ty}`"))
        .help("what takes the place of something must be of the same type, sizes included")
}
