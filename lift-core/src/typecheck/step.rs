//! Steps in time: whether results can take the places of the parameters that `#[step(..)]` names.

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::diag::{Diagnostic, Diagnostics, faults};
use crate::ir::{Arg, Expr, Kernel, Kind, Output, Param, Prim, Type};
use crate::syntax::ast;
use crate::text::{count, did_you_mean, meant};

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
    let simplified = |ty: &Type| ty.map_sizes(&|size| kernel.facts.simplify(size));
    let mut taken: Vec<usize> = Vec::new();
    let mut chains = Vec::new();
    for (names, result) in step.chains.iter().zip(results) {
        let mut chain = Vec::new();
        for name in names {
            let Some(place) = kernel.params.iter().position(|param| *param.name == name.name) else {
                let names = kernel.params.iter().map(|param| &*param.name);
                diags.push(unknown(name.span, &name.name, did_you_mean(&name.name, names)));
                continue;
            };
            if taken.contains(&place) {
                diags.push(named_twice(name.span, &name.name));
            } else if kernel.outputs.contains(&Output::Update(place)) {
                diags.push(updated(name.span, &name.name));
            } else if simplified(&kernel.params[place].ty) != simplified(result) {
                diags.push(types_differ(name.span, &name.name, &kernel.params[place].ty, result));
            }
            taken.push(place);
            chain.push(place);
        }
        chains.push(chain);
    }
    chains
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

faults! { pub(super),
    "L0186" no_chain(kernel): "`#[step]` does not say whose place is taken, and {kernel}",
        help "name the parameter whose place the result takes: `#[step(p)]`";
    "L0186" no_result(kernel): "`#[step(..)]` names parameters, but {kernel}",
        help "what the kernel updates carries the state by itself: write `#[step]`";
    "L0186" other_number(lists: usize, kernel): "`#[step(..)]` has {}, but {kernel}" (count(lists, "list")),
        help "write one list for each result, in their order, separated by `;`";
    "L0185" unknown(name, near: Option<&str>): "the kernel has no parameter `{name}`" => meant(near);
    "L0185" named_twice(name): "`{name}` stands twice in `#[step(..)]`", help "its place can be taken once";
    "L0186" updated(name): "nothing can take the place of `{name}`: it is updated",
        help "leave it out: the next step sees what this one has made of it";
    "L0186" types_differ(name, ty, result): "the result is `{result}`, but `{name}` is `{ty}`",
        help "what takes the place of something must be of the same type, sizes included";
}

fn number(step: &ast::Step, results: usize, updates: usize) -> Diagnostic {
    let kernel = match results {
        0 => "the kernel has no result".to_string(),
        1 => "the kernel has one result".to_string(),
        n => format!("the kernel has {n} results"),
    };
    match (step.chains.len(), results) {
        (0, _) => no_chain(step.span, kernel),
        (_, 0) if updates > 0 => no_result(step.span, kernel),
        (lists, _) => other_number(step.span, lists, kernel),
    }
}
