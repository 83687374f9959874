//! Which rows of its arrays a step in time needs to compute some of its rows, so that parts of the arrays can be computed apart.
//!
//! Before: a step in time. After: a dimension along which its arrays are cut, and how far outside of its own rows a part reads (its halo);
//! or why there is none. A part is computed by the whole kernel, on its own rows and the halo: what the kernel takes for an edge of the array is
//! then an edge of the halo, so that results within the halo's width from there are wrong, and nobody needs them. Edges of the whole array
//! are edges of the first and the last part. Where arrays are periodic, every part has a halo on both sides.
//!
//! (Hagedorn et al., *High performance stencil code generation with Lift*, overlapped tiling: a part is a tile.)

mod prims;
mod reads;
mod rows;

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Var};
use crate::ir::{Kernel, Output, Param, Type};

use reads::{Reads, Value};
use rows::Rows;

/// A dimension of an array that is cut into parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Which dimension, counted from the outermost.
    pub dimension: usize,
    /// How many more rows the array has than the size that is cut.
    pub extra: usize,
}

/// How the arrays of a step are cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cuts {
    /// The position of the size that is cut.
    pub size: usize,
    /// For each leaf of the parameters. What is not cut, every part has.
    pub params: Vec<Option<Cut>>,
    /// The same for the results.
    pub results: Vec<Option<Cut>>,
    /// How many rows before its own a part reads.
    pub before: usize,
    /// How many after them.
    pub after: usize,
    /// Whether the last row comes before the first.
    pub periodic: bool,
}

/// How a step is cut along one of its sizes, or the reason, for users, why that does not work.
///
/// # Errors
///
/// What the kernel does that depends on more than some neighbouring rows.
pub fn cuts(kernel: &Kernel) -> Result<Cuts, String> {
    if kernel.outputs.iter().any(|output| matches!(output, Output::Update(_))) {
        return Err("it updates an array in place".into());
    }
    let mut first = None;
    for (position, size) in candidates(kernel) {
        match along(kernel, position, size) {
            Ok(cuts) => return Ok(cuts),
            Err(reason) => first = first.or(Some(reason)),
        }
    }
    Err(first.unwrap_or_else(|| "no dimension of its arrays has a size variable as its length".into()))
}

/// The sizes that are lengths of arrays which a step replaces, outermost dimensions first.
fn candidates(kernel: &Kernel) -> Vec<(usize, &Var)> {
    let leaves: Vec<Vec<ArithExpr>> =
        kernel.result_types().iter().flat_map(Type::leaves).map(|(dims, _)| dims).collect();
    let mut found: Vec<(usize, &Var)> = Vec::new();
    for dimension in 0..leaves.iter().map(Vec::len).max().unwrap_or(0) {
        for dims in &leaves {
            let size = dims.get(dimension).and_then(ArithExpr::as_var);
            let mut known = kernel.sizes.iter().enumerate().filter(|(_, known)| Some(*known) == size);
            if let Some(one) = known.next().filter(|one| !found.contains(one)) {
                found.push(one);
            }
        }
    }
    found
}

fn along(kernel: &Kernel, position: usize, size: &Var) -> Result<Cuts, String> {
    let mut cut_leaves = Vec::new();
    let mut variables = BTreeMap::new();
    for param in &kernel.params {
        let first = cut_leaves.len();
        for (dims, _) in param.ty.leaves() {
            cut_leaves.push(cut(&dims, size, kernel, &param.name)?);
        }
        variables.insert(param.id, value(&param.ty, &mut (first..), &cut_leaves));
    }
    let mut rows = Rows::new(kernel, size, variables);
    let value = rows.value(&kernel.body)?;
    let parts = match value {
        Value::Tuple(parts) if kernel.outputs.len() > 1 => parts,
        value => vec![value],
    };
    let mut all = Reads::default();
    let mut results = Vec::new();
    for (ty, value) in kernel.result_types().iter().zip(parts) {
        let mut leaves = Vec::new();
        value.leaves(ty, &mut leaves);
        for ((dims, _), (along, reads)) in ty.leaves().iter().zip(leaves) {
            let cut = cut(dims, size, kernel, "the result")?;
            if along != cut.map(|cut| cut.dimension) || cut.is_none() && !reads.is_empty() {
                return Err(match cut {
                    None => format!("a result that has no dimension `{}` depends on all rows", size.name()),
                    Some(_) => {
                        format!("rows along `{}` of the result are no rows of its arrays", size.name())
                    }
                });
            }
            all.join(&reads);
            results.push(cut);
        }
    }
    if all.has_positions() {
        let size = size.name();
        return Err(format!("it computes with positions along `{size}`, or with `{size}` itself"));
    }
    let (before, after) = all.reach(&kernel.facts).map_err(|leaf| {
        let name = leaf_name(kernel, leaf).map_or("an array", |param| &*param.name);
        format!("a row along `{}` depends on all rows of `{name}`", size.name())
    })?;
    let periodic = rows.is_periodic;
    if periodic && rows.has_edges {
        return Err(format!("along `{}`, some arrays are periodic and others are not", size.name()));
    }
    if periodic && cut_leaves.iter().flatten().any(|cut| cut.extra != 0) {
        return Err(format!("arrays that are periodic along `{}` have different lengths", size.name()));
    }
    let rows = |n: i64| usize::try_from(n).unwrap_or(0);
    Ok(Cuts {
        size: position,
        params: cut_leaves,
        results,
        before: rows(before),
        after: rows(after),
        periodic,
    })
}

/// The dimension of an array in which the size is cut, if there is one; an error if its shape depends on the size in another way.
fn cut(dims: &[ArithExpr], size: &Var, kernel: &Kernel, name: &str) -> Result<Option<Cut>, String> {
    let mut with = dims.iter().enumerate().filter(|(_, extent)| extent.contains(size));
    let Some((dimension, extent)) = with.next() else { return Ok(None) };
    let name = if name == "the result" { name.to_string() } else { format!("`{name}`") };
    if with.next().is_some() {
        return Err(format!("{name} has the length `{}` in two dimensions", size.name()));
    }
    let extra = kernel.facts.simplify(&(extent - &ArithExpr::var(size))).as_const();
    match extra.map(usize::try_from) {
        Some(Ok(extra)) => Ok(Some(Cut { dimension, extra })),
        _ => Err(format!("the length `{extent}` of {name} is not `{}` and a number", size.name())),
    }
}

/// What is known of a parameter of this type, whose leaves come next.
fn value(ty: &Type, leaves: &mut std::ops::RangeFrom<usize>, cuts: &[Option<Cut>]) -> Value {
    if let Type::Tuple(parts) = ty {
        return Value::Tuple(parts.iter().map(|part| value(part, leaves, cuts)).collect());
    }
    let own: Vec<usize> = leaves.take(ty.leaves().len()).collect();
    let along = own.first().and_then(|leaf| cuts[*leaf]).map(|cut| cut.dimension);
    // Leaves of an array have its dimensions in common, and what is cut within an element is not followed.
    let is_common = own.iter().all(|leaf| cuts[*leaf].map(|cut| cut.dimension) == along);
    let cut_leaves = own.into_iter().filter(|leaf| cuts[*leaf].is_some());
    match is_common {
        true => Value::new(along, Reads::own_rows(cut_leaves)),
        false => Value::new(None, Reads::own_rows(cut_leaves).whole()),
    }
}

/// The parameter to which a leaf belongs.
fn leaf_name(kernel: &Kernel, leaf: usize) -> Option<&Param> {
    let mut first = 0;
    kernel.params.iter().find(|param| {
        first += param.ty.leaves().len();
        leaf < first
    })
}
