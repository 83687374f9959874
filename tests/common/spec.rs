//! A compiled kernel as the runtime's data, made while the test runs instead of while it is compiled.

use lift::spec;
use lift_core::describe::{self, Leaf, Size};
use lift_core::ir::{Relation, Scalar};
use lift_core::pipeline::Compiled;
use lift_core::program::schedule::Slot;

/// The specification, which lives as long as the test process.
pub fn leak(compiled: &Compiled) -> &'static spec::KernelSpec {
    let kernel = describe::describe(compiled);
    Box::leak(Box::new(spec::KernelSpec {
        name: text(&kernel.name),
        ty: text(&kernel.ty),
        types: text(&kernel.types),
        sizes: slice(&kernel.sizes, |(name, define)| spec::SizeVar {
            name: text(name),
            define: text(define),
        }),
        params: slice(&kernel.params, |leaf| {
            let spec::Output { name, elem, dims, shown } = output(leaf);
            let access = if leaf.updated { spec::Access::Update } else { spec::Access::Read };
            spec::Param { name, elem, dims, shown, access }
        }),
        results: slice(&kernel.results, output),
        checks: slice(&kernel.checks, |check| {
            let (left, right) = (size(&check.left), size(&check.right));
            let fact = match check.relation {
                Relation::Equal => spec::Fact::Equal(left, right),
                Relation::AtMost => spec::Fact::AtMost(left, right),
            };
            spec::Check { fact, message: text(&check.message) }
        }),
        needs: slice(&kernel.needs, |scalar| elem(*scalar)),
        variants: slice(&kernel.variants, variant),
        gpu_order: slice(&kernel.gpu_order, |name| *name),
        cpu_order: slice(&kernel.cpu_order, |name| *name),
        missing: slice(&kernel.missing, |(name, reason)| spec::Missing { name, reason: text(reason) }),
        step: kernel.step.as_ref().map(|chains| spec::Rotation {
            chains: slice(chains, |chain| spec::Chain {
                result: chain.result,
                places: slice(&chain.places, |place| *place),
            }),
        }),
    }))
}

fn text(text: &str) -> &'static str {
    Box::leak(text.to_string().into_boxed_str())
}

fn slice<A, B>(items: &[A], one: impl Fn(&A) -> B) -> &'static [B] {
    Box::leak(items.iter().map(one).collect())
}

fn output(leaf: &Leaf) -> spec::Output {
    spec::Output {
        name: text(&leaf.name),
        elem: elem(leaf.scalar),
        dims: slice(&leaf.dims, size),
        shown: slice(&leaf.shown, |extent| text(extent)),
    }
}

fn elem(scalar: Scalar) -> spec::ScalarType {
    match scalar {
        Scalar::F32 => spec::ScalarType::F32,
        Scalar::F64 => spec::ScalarType::F64,
        Scalar::F16 => spec::ScalarType::F16,
        Scalar::I8 => spec::ScalarType::I8,
        Scalar::I16 => spec::ScalarType::I16,
        Scalar::I32 => spec::ScalarType::I32,
        Scalar::I64 => spec::ScalarType::I64,
        Scalar::U8 => spec::ScalarType::U8,
        Scalar::U16 => spec::ScalarType::U16,
        Scalar::U32 => spec::ScalarType::U32,
        Scalar::U64 => spec::ScalarType::U64,
        Scalar::Bool => spec::ScalarType::Bool,
        Scalar::Usize => spec::ScalarType::Usize,
    }
}

fn size(it: &Size) -> spec::Size {
    let pair = |[a, b]: &[Size; 2]| -> &'static [spec::Size; 2] { Box::leak(Box::new([size(a), size(b)])) };
    match it {
        Size::Const(n) => spec::Size::Const(*n),
        Size::Var(i) => spec::Size::Var(*i),
        Size::Tunable(i) => spec::Size::Tunable(*i),
        Size::Sum(terms) => spec::Size::Sum(slice(terms, size)),
        Size::Product(factors) => spec::Size::Product(slice(factors, size)),
        Size::Div(both) => spec::Size::Div(pair(both)),
        Size::Mod(both) => spec::Size::Mod(pair(both)),
        Size::Min(both) => spec::Size::Min(pair(both)),
        Size::Max(both) => spec::Size::Max(pair(both)),
    }
}

fn variant(variant: &describe::Variant) -> spec::Variant {
    spec::Variant {
        name: variant.name,
        source: text(&variant.source),
        plan: text(&variant.plan),
        tunables: slice(&variant.tunables, |tunable| spec::Tunable {
            name: text(&tunable.name),
            default: tunable.default,
            min: tunable.min,
            max: tunable.max,
        }),
        temporaries: slice(&variant.temporaries, |(scalar, dims)| spec::Temporary {
            elem: elem(*scalar),
            dims: slice(dims, size),
        }),
        operations: slice(&variant.operations, operation),
        sites: slice(&variant.sites, |site| spec::Site {
            operation: site.operation,
            written: text(&site.written),
            source: site.source,
            len: size(&site.len),
            distinct: site.distinct,
        }),
        scales_ids: variant.scales_ids,
        regroups: variant.regroups,
        widest: slice(&variant.widest, size),
        cases: slice(&variant.cases, |case| spec::Case {
            define: text(&case.define),
            multiples: slice(&case.multiples, |all| slice(all, |(extent, n)| (size(extent), *n))),
        }),
        takes_sizes: variant.takes_sizes,
        derivation: &[],
    }
}

fn operation(operation: &describe::Operation) -> spec::Operation {
    match operation {
        describe::Operation::Launch(launch) => spec::Operation::Launch(spec::Launch {
            entry: text(&launch.entry),
            args: slice(&launch.args, |slot| match *slot {
                Slot::Param(leaf) => spec::Slot::Param(leaf),
                Slot::Result(leaf) => spec::Slot::Result(leaf),
                Slot::Temporary(index) => spec::Slot::Temporary(index),
                Slot::Status => spec::Slot::Status,
                Slot::Claims(site) => spec::Slot::Claims(site),
            }),
            geometry: match &launch.geometry {
                describe::Geometry::Items(items) => spec::Geometry::Items(slice(items, size)),
                describe::Geometry::Groups { groups, local } => {
                    spec::Geometry::Groups { groups: slice(groups, size), local: slice(local, size) }
                }
            },
            local_bytes: size(&launch.local_bytes),
        }),
        describe::Operation::Repeat(count, list) => {
            let count = match count {
                describe::Count::Size(it) => spec::Count::Size(size(it)),
                describe::Count::Param(leaf) => spec::Count::Param(*leaf),
                describe::Count::Whole(leaf, n) => spec::Count::Whole(*leaf, *n),
                describe::Count::Rest(leaf, n) => spec::Count::Rest(*leaf, *n),
            };
            spec::Operation::Repeat(count, slice(list, self::operation))
        }
        describe::Operation::Swap(a, b) => spec::Operation::Swap(*a, *b),
    }
}
