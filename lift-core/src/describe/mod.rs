//! A compiled kernel as plain data: all that a launcher needs to know, in the terms of launchers.
//!
//! Before: typed terms, schedules, symbolic sizes. After: strings and numbers; every size is an expression over
//! positions of size variables and tunables; every parameter and result is taken apart into its leaves. What
//! prints this as constants, or makes the same at run time, has nothing left to decide.

mod report;
mod size;

use crate::arith::ArithExpr;
use crate::ir::{self, Output, Relation, Scalar, Type};
use crate::low;
use crate::opencl;
use crate::pipeline::{Compiled, Step, Version};
use crate::program::schedule::{self, Slot};

use size::Names;
pub use size::Size;

/// A kernel with all its versions.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The launcher's name.
    pub name: String,
    /// The kernel's type in mathematical form.
    pub ty: String,
    /// The expression with the type after every step.
    pub types: String,
    /// Size variables: the user's name, and the macro that carries the value.
    pub sizes: Vec<(String, String)>,
    /// The leaves of the parameters.
    pub params: Vec<Leaf>,
    /// The leaves of the results; see [`ir::Kernel::result_types`].
    pub results: Vec<Leaf>,
    /// What a launch must check.
    pub checks: Vec<Check>,
    /// Types it computes with that not every device has.
    pub needs: Vec<Scalar>,
    /// The versions, the naive one first.
    pub variants: Vec<Variant>,
    /// Names of versions, the most promising first, on a GPU.
    pub gpu_order: Vec<&'static str>,
    /// The same on a CPU.
    pub cpu_order: Vec<&'static str>,
    /// Names of versions that the compiler knows and this kernel does not have, and why.
    pub missing: Vec<(&'static str, String)>,
    /// For a step in time, what takes the place of what.
    pub step: Option<Vec<Chain>>,
}

/// A leaf of a parameter or of a result: a buffer, or a scalar if it has no dimensions.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// Its name in messages.
    pub name: String,
    /// The type of its elements.
    pub scalar: Scalar,
    /// Its extents, outermost first.
    pub dims: Vec<Size>,
    /// The extents as the user reads them.
    pub shown: Vec<String>,
    /// Whether the kernel changes it; only parameters.
    pub updated: bool,
}

/// A leaf of the result takes the place of the first of these leaves of parameters, that one of the next, and so
/// on.
#[derive(Debug, Clone)]
pub struct Chain {
    /// The leaf of the result.
    pub result: usize,
    /// The leaves of parameters.
    pub places: Vec<usize>,
}

/// A fact about sizes that only a launch can check.
#[derive(Debug, Clone)]
pub struct Check {
    /// The relation.
    pub relation: Relation,
    /// Left side.
    pub left: Size,
    /// Right side.
    pub right: Size,
    /// What is said when it does not hold.
    pub message: String,
}

/// One version of a kernel.
#[derive(Debug, Clone)]
pub struct Variant {
    /// `naive`, `tiled`, …
    pub name: &'static str,
    /// Complete OpenCL C.
    pub source: String,
    /// What each launch does with memory.
    pub plan: String,
    /// Parameters that may be tuned.
    pub tunables: Vec<Tunable>,
    /// Buffers of the program's own: element type and extents.
    pub temporaries: Vec<(Scalar, Vec<Size>)>,
    /// What is done, in order.
    pub operations: Vec<Operation>,
    /// Places whose indices are checked.
    pub sites: Vec<Site>,
    /// Whether an index is a multiple of a work-item's number.
    pub scales_ids: bool,
    /// Whether sums or products of floats are regrouped.
    pub regroups: bool,
    /// What indices must be able to hold, besides what 32 bits hold.
    pub widest: Vec<Size>,
    /// The functions of which there are several.
    pub cases: Vec<Case>,
    /// Whether sizes may be arguments of the functions.
    pub takes_sizes: bool,
    /// How it was derived: the rules in order, and the expressions at both ends. Those between are as long as texts, and can be had again.
    pub derivation: Vec<Step>,
}

/// A function of which there are several, for different sizes.
#[derive(Debug, Clone)]
pub struct Case {
    /// The macro that says which one is compiled.
    pub define: String,
    /// What must be multiples of what numbers, for each but the last one.
    pub multiples: Vec<Vec<(Size, i64)>>,
}

/// A parameter that may be tuned.
#[derive(Debug, Clone)]
pub struct Tunable {
    /// Its name, which is also its macro.
    pub name: String,
    /// The value without tuning.
    pub default: i64,
    /// The smallest legal value.
    pub min: i64,
    /// The largest legal value.
    pub max: i64,
}

/// A step of a program.
#[derive(Debug, Clone)]
pub enum Operation {
    /// A kernel function is launched.
    Launch(Launch),
    /// The operations are done so many times.
    Repeat(Count, Vec<Operation>),
    /// Two temporaries change places.
    Swap(usize, usize),
}

/// How often something is repeated.
#[derive(Debug, Clone)]
pub enum Count {
    /// A size.
    Size(Size),
    /// The value of a scalar leaf.
    Param(usize),
    /// The same, divided by a number.
    Whole(usize, u64),
    /// What is left of it then.
    Rest(usize, u64),
}

/// One launch.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The kernel function.
    pub entry: String,
    /// Its arguments.
    pub args: Vec<Slot>,
    /// The index space.
    pub geometry: Geometry,
    /// Bytes of local memory.
    pub local_bytes: Size,
}

/// An index space.
#[derive(Debug, Clone)]
pub enum Geometry {
    /// Work-items in each dimension.
    Items(Vec<Size>),
    /// Work-groups, and their shape.
    Groups {
        /// The number of work-groups in each dimension.
        groups: Vec<Size>,
        /// The work-items of one in each dimension.
        local: Vec<Size>,
    },
}

/// A place whose indices are checked while the program runs.
#[derive(Debug, Clone)]
pub struct Site {
    /// `gather` or `scatter_to`.
    pub operation: &'static str,
    /// What the user wrote, as far as that is known.
    pub written: String,
    /// The leaf of the parameters whose elements the indices are; nothing if they are computed.
    pub source: Option<usize>,
    /// The length of the array that is indexed.
    pub len: Size,
    /// Whether indices must be distinct.
    pub distinct: bool,
}

/// Describes a compiled kernel.
pub fn describe(compiled: &Compiled) -> Kernel {
    let kernel = &compiled.kernel;
    let names = Names { sizes: &kernel.sizes, tunables: &[], facts: &kernel.facts };
    // Checks must not take for granted what they check.
    let unchecked = kernel.unchecked_facts();
    let plain = Names { facts: &unchecked, ..names };
    let updated: Vec<usize> = kernel.outputs.iter().filter_map(updated).collect();
    let params = kernel.params.iter().enumerate().flat_map(|(i, param)| {
        let paths = kernel.written_param(i).paths();
        leaves(&param.name, &param.ty, &paths, updated.contains(&i), &names)
    });
    let result = match kernel.result_types() {
        mut one if one.len() == 1 => one.remove(0),
        several => Type::tuple(several),
    };
    let paths = kernel.written_result().map(|result| result.paths()).unwrap_or_default();
    let results = leaves("out", &result, &paths, false, &names);
    let checks = kernel.checks.iter().map(|check| Check {
        relation: check.relation,
        left: plain.size(&check.left),
        right: plain.size(&check.right),
        message: check.message.clone(),
    });
    let sizes = kernel.sizes.iter().map(|size| size.name().to_string());
    Kernel {
        name: kernel.name.clone(),
        ty: kernel.type_text(),
        types: compiled.types.clone(),
        sizes: sizes.zip(compiled.defines.iter().cloned()).collect(),
        params: params.collect(),
        results,
        checks: checks.collect(),
        needs: kernel.optional_scalars(),
        variants: compiled.versions.iter().map(|version| variant(version, &names)).collect(),
        gpu_order: compiled.gpu_order.clone(),
        cpu_order: compiled.cpu_order.clone(),
        missing: compiled.missing.clone(),
        step: kernel.step.as_ref().map(|step| chains(kernel, step)),
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
fn chains(kernel: &ir::Kernel, step: &[Vec<usize>]) -> Vec<Chain> {
    let (first, mut result) = (first_leaves(kernel), 0);
    let mut chains = Vec::new();
    for (places, ty) in step.iter().zip(kernel.result_types()) {
        for leaf in 0..ty.leaves().len() {
            let places = places.iter().map(|param| first[*param] + leaf).collect();
            chains.push(Chain { result, places });
            result += 1;
        }
    }
    chains
}

fn updated(output: &Output) -> Option<usize> {
    match output {
        Output::Update(param) => Some(*param),
        Output::Result => None,
    }
}

/// The leaves of a type, whose places in it are the `paths`.
fn leaves(name: &str, ty: &Type, paths: &[String], updated: bool, names: &Names<'_>) -> Vec<Leaf> {
    let leaf = |((dims, scalar), path): (_, &String)| {
        let dims: Vec<ArithExpr> = dims;
        let shown = dims.iter().map(ToString::to_string).collect();
        Leaf { name: format!("{name}{path}"), scalar, dims: names.list(&dims), shown, updated }
    };
    ty.leaves().into_iter().zip(paths).map(leaf).collect()
}

fn variant(version: &Version, names: &Names<'_>) -> Variant {
    let Version { name, tunables, facts, regroups, derivation, generated } = version;
    let vars: Vec<_> = tunables.iter().map(|tunable| tunable.var.clone()).collect();
    let names = Names { tunables: &vars, facts, ..*names };
    let tunables = tunables.iter().map(|tunable| Tunable {
        name: tunable.var.name().to_string(),
        default: tunable.default,
        min: tunable.min,
        max: tunable.max,
    });
    let schedule = &generated.schedule;
    Variant {
        name,
        source: generated.source.clone(),
        plan: generated.plan.clone(),
        tunables: tunables.collect(),
        temporaries: schedule.temporaries.iter().map(|it| (it.scalar, names.list(&it.dims))).collect(),
        operations: operations(&schedule.operations, &names),
        sites: generated.sites.iter().map(|it| site(it, &names)).collect(),
        scales_ids: generated.scales_ids,
        regroups: *regroups,
        widest: generated.widest.iter().filter_map(|bound| widest(bound, &names)).collect(),
        cases: generated.cases.iter().map(|it| case(it, &names)).collect(),
        takes_sizes: generated.takes_sizes,
        derivation: outline(&derivation.0),
    }
}

fn outline(steps: &[Step]) -> Vec<Step> {
    let last = steps.len().saturating_sub(1);
    let step = |(i, step): (usize, &Step)| match i == 0 || i == last {
        true => step.clone(),
        false => Step { after: String::new(), ..step.clone() },
    };
    steps.iter().enumerate().map(step).collect()
}

fn case(case: &opencl::Case, names: &Names<'_>) -> Case {
    let size = |(extent, number): &(ArithExpr, i64)| (names.size(extent), *number);
    let multiples = case.multiples.iter().map(|all| all.iter().map(size).collect()).collect();
    Case { define: case.define.clone(), multiples }
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
        operation: site.operation,
        written: site.written.clone(),
        source: site.source,
        len: names.size(&site.len),
        distinct: site.distinct,
    }
}

fn operations(list: &[schedule::Operation], names: &Names<'_>) -> Vec<Operation> {
    let one = |operation: &schedule::Operation| match operation {
        schedule::Operation::Launch(launch) => Operation::Launch(Launch {
            entry: launch.entry.clone(),
            args: launch.args.clone(),
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
