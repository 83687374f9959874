//! A compiled kernel as plain data: all that a launcher needs to know, in the terms of launchers.
//!
//! Before: typed terms, schedules, symbolic sizes. After: a [`KernelSpec`]. Every size is an expression over
//! positions of size variables and tunables; every parameter and result is taken apart into its leaves. What
//! prints this as constants has nothing left to decide.

mod pack;
mod report;
mod size;

use lift_spec::{
    Access, Case, Chain, Check, Count, Cut, Cuts, Fact, Function, Geometry, KernelSpec, Launch, List,
    Missing, Operation, Param, Partition, Rotation, Site, Size, SizeVar, Temporary, Tunable, Use, Variant,
};

use crate::arith::ArithExpr;
use crate::host;
use crate::ir::{self, Output, Relation, Scalar, Type};
use crate::low;
use crate::opencl;
use crate::partition;
use crate::pipeline::{Compiled, Step, Version};
use crate::program::schedule;

use size::Names;

/// Describes a compiled kernel.
pub fn describe(compiled: &Compiled) -> KernelSpec {
    let kernel = &compiled.kernel;
    let names = Names { sizes: &kernel.sizes, tunables: &[], facts: &kernel.facts };
    // Checks must not take for granted what they check.
    let unchecked = kernel.unchecked_facts();
    let plain = Names { facts: &unchecked, ..names };
    let results = kernel.surface_result().map(|result| result.paths()).unwrap_or_default();
    let results = leaves("out", &result_type(kernel), &results, &names).into_iter();
    let checks = kernel.checks.iter().map(|check| {
        let (left, right) = (plain.size(&check.left), plain.size(&check.right));
        let fact = match check.relation {
            Relation::Equal => Fact::Equal(left, right),
            Relation::AtMost => Fact::AtMost(left, right),
        };
        Check { fact, message: check.message.clone().into() }
    });
    let sizes = kernel.sizes.iter().zip(&compiled.defines);
    let missing = compiled.missing.iter();
    KernelSpec {
        name: kernel.name.clone().into(),
        ty: kernel.type_text().into(),
        types: compiled.types.clone().into(),
        sizes: sizes
            .map(|(size, define)| SizeVar {
                name: size.name().to_string().into(),
                define: define.clone().into(),
            })
            .collect(),
        params: params(kernel, &names),
        results: results
            .map(|Param { name, elem, dims, shown, access: _ }| lift_spec::Output { name, elem, dims, shown })
            .collect(),
        checks: checks.collect(),
        needs: kernel.optional_scalars().into(),
        variants: compiled.versions.iter().map(|version| variant(version, &names)).collect(),
        host: compiled.host.iter().map(|version| variant(version, &names)).collect(),
        gpu_order: compiled.gpu_order.iter().map(|name| (*name).into()).collect(),
        cpu_order: compiled.cpu_order.iter().map(|name| (*name).into()).collect(),
        missing: missing
            .map(|(name, reason)| Missing { name: (*name).into(), reason: reason.clone().into() })
            .collect(),
        step: kernel.step.as_ref().map(|step| Rotation {
            chains: chains(kernel, step),
            partition: partition(compiled.cuts.as_ref()),
        }),
        fingerprint: "".into(),
        tuned: Vec::new().into(),
    }
}

/// The number of the first leaf of each parameter.
pub fn first_leaves(kernel: &ir::Kernel) -> Vec<usize> {
    let next = |first: &mut usize, param: &ir::Param| {
        let this = *first;
        *first += param.ty.leaves().len();
        Some(this)
    };
    kernel.params.iter().scan(0, next).collect()
}

/// The chains of parameters, leaf by leaf.
fn chains(kernel: &ir::Kernel, step: &[Vec<usize>]) -> List<Chain> {
    let (first, mut result) = (first_leaves(kernel), 0);
    let mut chains = Vec::new();
    for (places, ty) in step.iter().zip(kernel.result_types()) {
        for leaf in 0..ty.leaves().len() {
            let places = places.iter().map(|param| first[*param] + leaf).collect();
            chains.push(Chain { result, places });
            result += 1;
        }
    }
    chains.into()
}

fn partition(cuts: Option<&Result<partition::Cuts, String>>) -> Partition {
    let cut = |cut: &Option<partition::Cut>| {
        cut.map(|partition::Cut { dimension, extra }| Cut { dimension, extra })
    };
    match cuts {
        Some(Ok(cuts)) => Partition::Cut(Cuts {
            size: cuts.size,
            params: cuts.params.iter().map(cut).collect(),
            results: cuts.results.iter().map(cut).collect(),
            before: cuts.before,
            after: cuts.after,
            periodic: cuts.periodic,
        }),
        Some(Err(reason)) => Partition::Whole(reason.clone().into()),
        None => Partition::Whole("it is not a step in time".into()),
    }
}

fn params(kernel: &ir::Kernel, names: &Names<'_>) -> List<Param> {
    let params = kernel.params.iter().enumerate().flat_map(|(i, param)| {
        let mut leaves = leaves(&param.name, &param.ty, &kernel.surface_param(i).paths(), names);
        if kernel.outputs.contains(&Output::Update(i)) {
            leaves.iter_mut().for_each(|leaf| leaf.access = Access::Update);
        }
        leaves
    });
    params.collect()
}

fn result_type(kernel: &ir::Kernel) -> Type {
    match kernel.result_types() {
        mut one if one.len() == 1 => one.remove(0),
        several => Type::tuple(several),
    }
}

/// The leaves of a type, whose places in it are the `paths`, as parameters that are read.
fn leaves(name: &str, ty: &Type, paths: &[String], names: &Names<'_>) -> Vec<Param> {
    let leaf = |((dims, scalar), path): ((Vec<ArithExpr>, Scalar), &String)| Param {
        name: format!("{name}{path}").into(),
        elem: scalar,
        dims: names.list(&dims),
        shown: dims.iter().map(|extent| extent.to_string().into()).collect(),
        access: Access::Read,
    };
    ty.leaves().into_iter().zip(paths).map(leaf).collect()
}

fn variant(version: &Version, names: &Names<'_>) -> Variant {
    let Version { name, tunables, facts, regroups, least, derivation, generated } = version;
    let vars: Vec<_> = tunables.iter().map(|tunable| tunable.var.clone()).collect();
    let names = Names { tunables: &vars, facts, ..*names };
    let tunables = tunables.iter().map(|tunable| Tunable {
        name: tunable.var.name().to_string().into(),
        default: tunable.default,
        min: tunable.min,
        max: tunable.max,
    });
    let schedule = &generated.schedule;
    let temporaries = schedule.temporaries.iter();
    Variant {
        name: (*name).into(),
        source: pack::pack(&generated.source),
        plan: generated.plan.clone().into(),
        tunables: tunables.collect(),
        temporaries: temporaries
            .map(|it| Temporary { elem: it.scalar, dims: names.list(&it.dims) })
            .collect(),
        operations: operations(&schedule.operations, &names),
        sites: generated.sites.iter().map(|it| site(it, &names)).collect(),
        scales_ids: generated.scales_ids,
        regroups: *regroups,
        least: least.iter().map(|(n, least)| (names.size(n), *least)).collect(),
        widest: generated.widest.iter().filter_map(|bound| widest(bound, &names)).collect(),
        cases: generated.cases.iter().map(|it| case(it, &names)).collect(),
        takes_sizes: generated.takes_sizes,
        derivation: outline(&derivation.0),
        functions: generated.host.iter().map(|it| function(it, &names)).collect(),
    }
}

fn function(function: &host::Function, names: &Names<'_>) -> Function {
    let one = |how: &host::Use| match how {
        host::Use::Scalar(scalar) => Use::Scalar(*scalar),
        host::Use::Read(scalar) => Use::Read(*scalar),
        host::Use::Own(scalar, each) => Use::Own(*scalar, names.size(each)),
        host::Use::Columns(scalar, each, width) => Use::Columns(*scalar, names.size(each), names.size(width)),
        host::Use::Shared(scalar) => Use::Shared(*scalar),
        host::Use::Status => Use::Status,
        host::Use::Claims => Use::Claims,
    };
    Function { entry: function.entry.clone().into(), uses: function.uses.iter().map(one).collect() }
}

/// The rules in order, and the expressions at both ends. Those between are as long as texts, and can be had again.
fn outline(steps: &[Step]) -> List<lift_spec::Step> {
    let last = steps.len().saturating_sub(1);
    let step = |(i, Step { rule, law, after }): (usize, &Step)| lift_spec::Step {
        rule: rule.clone().into(),
        law: law.clone().into(),
        after: if i == 0 || i == last { after.clone().into() } else { "".into() },
    };
    steps.iter().enumerate().map(step).collect()
}

fn case(case: &opencl::Case, names: &Names<'_>) -> Case {
    let size = |(extent, number): &(ArithExpr, i64)| (names.size(extent), *number);
    let multiples = case.multiples.iter().map(|all| all.iter().map(size).collect()).collect();
    Case { define: case.define.clone().into(), multiples }
}

/// A bound that might not fit 32 bits.
fn widest(bound: &ArithExpr, names: &Names<'_>) -> Option<Size> {
    match bound.as_const() {
        Some(n) if i32::try_from(n).is_ok() => None,
        _ if bound.is_beyond_machines() => Some(Size::Const(i64::MAX)),
        _ => Some(names.size(bound)),
    }
}

fn site(site: &schedule::Site, names: &Names<'_>) -> Site {
    Site {
        operation: site.operation.into(),
        written: site.written.clone().into(),
        source: site.source,
        len: names.size(&site.len),
        distinct: site.distinct,
    }
}

fn operations(list: &[schedule::Operation], names: &Names<'_>) -> List<Operation> {
    let one = |operation: &schedule::Operation| match operation {
        schedule::Operation::Launch(launch) => Operation::Launch(Launch {
            entry: launch.entry.clone().into(),
            args: launch.args.clone().into(),
            geometry: geometry(&launch.geometry, names),
            local_bytes: names.size(&launch.local_bytes),
        }),
        schedule::Operation::Repeat(count, list) => {
            let count = match count {
                schedule::Count::Size(size) => Count::Size(names.size(size)),
                schedule::Count::Param(leaf) => Count::Param(*leaf),
                schedule::Count::Whole(leaf, n) => Count::Whole(*leaf, *n),
                schedule::Count::Rest(leaf, n) => Count::Rest(*leaf, *n),
            };
            Operation::Repeat(count, operations(list, names))
        }
        schedule::Operation::Leave(id) => Operation::Leave(*id),
        schedule::Operation::Swap(a, b) => Operation::Swap(*a, *b),
    };
    list.iter().map(one).collect()
}

fn geometry(geometry: &low::Geometry, names: &Names<'_>) -> Geometry {
    match geometry {
        low::Geometry::Items(items) => Geometry::Items(names.list(items)),
        low::Geometry::Shaped { items, local } => {
            let groups: Vec<_> = items.iter().zip(local).map(|(n, shape)| n.div_ceil(shape)).collect();
            Geometry::Groups { groups: names.list(&groups), local: names.list(local) }
        }
        low::Geometry::Groups { groups, local } => {
            Geometry::Groups { groups: names.list(groups), local: names.list(local) }
        }
    }
}
