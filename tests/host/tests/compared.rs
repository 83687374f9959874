//! What the CPU computes without OpenCL is what the interpreter says: every kernel that devices are tested with, and random ones,
//! at awkward sizes, in one part and in several.

mod host;

#[path = "../../random/choices.rs"]
mod choices;
#[path = "../../random/generate.rs"]
mod generate;
#[path = "../../random/loops.rs"]
mod loops;
#[path = "../../random/placed.rs"]
mod placed;
#[path = "../../random/sample.rs"]
mod sample;
#[path = "../../random/scalars.rs"]
mod scalars;
#[path = "../../random/stencils.rs"]
mod stencils;
#[path = "../../random/types.rs"]
mod types;
#[path = "../../random/updates.rs"]
mod updates;

use std::collections::BTreeSet;

use common::cases::{self, Case};
use common::programs::{self, Derived};
use common::{
    Comparison, algebra, channels, contractions, early, empties, forms, groups, in_order, keys, lanes, large,
    layouts, low, neighbours, pages, passes, quotients, shared, strategies, streams, weights,
};
use host::functions;
use lift::__private::host::Isa;
use lift_core::arith::{ArithExpr, Var};
use lift_core::ir::{Check, Relation};
use lift_core::pipeline::Compiled;
use lift_laws::effort;
use sample::Sampled;

/// Programs of which a kernel has no version for the CPU, and why.
const EXCEPTIONS: &[(&str, &str)] = &[("arithmetic of f16", "16-bit floats"), ("halves", "16-bit floats")];

/// What is counted.
const ON_HOST: &str = "programs of `compared` on the CPU";

/// Runs a kernel in one part and in several, unless it has no version.
fn run(compiled: &Compiled, sizes: &[&[(&str, i64)]], seed: u64) -> bool {
    if compiled.host.is_empty() {
        return false;
    }
    let spec = common::spec::leak(compiled);
    let functions = functions(compiled);
    let parts = |count| functions.iter().map(|entry| entry.in_parts(count)).collect::<Vec<_>>().leak();
    let (whole, three, many) = (parts(1), parts(3), parts(64));
    // The first, and of the others one.
    let others = sizes.len().saturating_sub(1).max(1);
    let tried =
        sizes.iter().enumerate().filter(|(i, _)| *i == 0 || effort::has_turn(0, (i - 1, others), seed));
    for (i, sizes) in tried {
        let comparison = Comparison { compiled, spec, sizes, tunables: &[], seed };
        comparison.run_on_host(&[whole, if i % 2 == 0 { three } else { many }]);
    }
    // Rows of several vectors, whose ends are no ends of these.
    if let Some(sizes) =
        sizes.first().and_then(|sizes| wide(compiled, sizes)).filter(|_| effort::has_turn(0, (0, 2), seed))
    {
        Comparison { compiled, spec, sizes: &sizes, tunables: &[], seed }.run_on_host(&[whole, three]);
    }
    true
}

/// The arrays of a kernel that is run with long rows have at most so many elements.
const MOST_ELEMENTS: i128 = 20_000;

/// Sizes with long rows: that of the innermost dimension is larger by one of these, if the kernel can be launched so.
fn wide<'a>(compiled: &Compiled, sizes: &[(&'a str, i64)]) -> Option<Vec<(&'a str, i64)>> {
    let kernel = &compiled.kernel;
    let arrays: Vec<Vec<ArithExpr>> =
        kernel.params.iter().flat_map(|param| param.ty.leaves()).map(|(dims, _)| dims).collect();
    let innermost = arrays.iter().find_map(|dims| dims.last()?.vars().into_iter().next())?;
    [70, 64].into_iter().find_map(|more| {
        let larger =
            |(name, n): &(&'a str, i64)| (*name, if *name == innermost.name() { n + more } else { *n });
        let sizes: Vec<(&str, i64)> = sizes.iter().map(larger).collect();
        let value = |var: &Var| Some(i128::from(sizes.iter().find(|(name, _)| *name == var.name())?.1));
        let holds = |check: &Check| match (check.left.eval(&value), check.right.eval(&value)) {
            (Some(left), Some(right)) if check.relation == Relation::Equal => left == right,
            (Some(left), Some(right)) => left <= right,
            _ => false,
        };
        let elements = |dims: &Vec<ArithExpr>| dims.iter().map(|n| n.eval(&value)).product::<Option<i128>>();
        let is_small = arrays.iter().all(|dims| elements(dims).is_some_and(|n| n <= MOST_ELEMENTS));
        (kernel.checks.iter().all(holds) && is_small).then_some(sizes)
    })
}

/// Runs all cases, and compares those that have no version with the list of exceptions.
fn compare(cases: &[Case]) {
    let mut missing = BTreeSet::new();
    let sampled = cases.iter().enumerate().filter(|(_, case)| programs::is_on_host(case.text));
    let sampled: Vec<(usize, &Case)> = sampled.collect();
    effort::report(ON_HOST, sampled.len(), cases.len());
    for &(seed, case) in &sampled {
        for compiled in programs::to_host(case.text) {
            if !run(&compiled, case.sizes, seed as u64) {
                missing.insert(case.name);
            }
        }
    }
    let names: BTreeSet<&str> = sampled.iter().map(|(_, case)| case.name).collect();
    assert_missing(&missing, &names);
}

/// Of the programs with these names, those that are listed are missing.
fn assert_missing(missing: &BTreeSet<&str>, names: &BTreeSet<&str>) {
    let listed = EXCEPTIONS.iter().map(|(name, _)| *name).filter(|name| names.contains(name));
    assert_eq!(*missing, listed.collect(), "without a version for the CPU; expected");
}

fn compare_sampled(programs: &[Sampled]) {
    let mut missing = BTreeSet::new();
    let sampled = programs.iter().enumerate().filter(|(_, program)| programs::is_on_host(&program.text));
    let sampled: Vec<(usize, &Sampled)> = sampled.collect();
    effort::report(ON_HOST, sampled.len(), programs.len());
    for &(seed, program) in &sampled {
        let sizes: Vec<&[(&str, i64)]> = program.sizes.iter().map(Vec::as_slice).collect();
        for compiled in programs::to_host(&program.text) {
            if !run(&compiled, &sizes, seed as u64 + 1) {
                missing.insert(program.name.as_str());
            }
        }
    }
    assert_missing(&missing, &sampled.iter().map(|(_, program)| program.name.as_str()).collect());
}

fn compare_derived(all: &[Derived]) {
    for Derived { compiled, sizes } in all {
        let sizes: Vec<&[(&str, i64)]> = sizes.iter().map(Vec::as_slice).collect();
        assert!(run(compiled, &sizes, 7), "{} has no version", compiled.kernel.name);
    }
}

#[test]
fn stencils_compute_what_they_mean() {
    compare(&cases::stencils());
}

#[test]
fn algebra_computes_what_it_means() {
    compare(&algebra::algebra());
}

#[test]
fn seven_reductions_compute_sums() {
    compare_derived(&programs::reductions(programs::to_host));
}

#[test]
fn four_products_compute_products() {
    compare_derived(&programs::products(programs::to_host));
}

#[test]
fn rows_in_warps_compute_what_they_mean() {
    compare_derived(&programs::rows_in_warps(programs::to_host));
}

#[test]
fn state_and_parts_compute_what_they_mean() {
    compare(&cases::control());
}

#[test]
fn loops_that_end_early_compute_what_they_mean() {
    compare(&early::cases());
}

#[test]
fn boundary_functions_compute_what_they_mean() {
    compare(&cases::edges());
}

#[test]
fn arms_compute_what_they_mean() {
    compare(&cases::lazy());
}

#[test]
fn large_windows_compute_what_they_mean() {
    compare(&large::cases());
}

#[test]
fn contractions_compute_what_they_mean() {
    compare(&contractions::cases());
}

#[test]
fn channels_compute_what_they_mean() {
    compare(&channels::cases());
}

#[test]
fn constant_weights_compute_what_they_mean() {
    compare(&weights::cases());
}

#[test]
fn other_kernels_compute_what_they_mean() {
    compare(&cases::others());
}

#[test]
fn all_scalar_types_compute_as_rust_does() {
    compare(&cases::scalars());
}

#[test]
fn halves_have_no_version() {
    compare(&cases::halves());
}

#[test]
fn programs_compute_what_they_mean() {
    compare(&cases::programs());
}

#[test]
fn what_functions_share_computes_what_it_means() {
    compare(&shared::cases());
}

#[test]
fn what_is_placed_by_hand_computes_what_it_means() {
    compare(&low::low());
}

#[test]
fn streams_compute_what_they_mean() {
    compare(&streams::streams());
}

#[test]
fn strategies_compute_what_they_mean() {
    compare(&strategies::strategies());
}

#[test]
fn pages_of_derivations_compute_what_they_mean() {
    compare(&pages::cases());
}

#[test]
fn tuples_cross_the_border() {
    compare(&cases::borders());
}

#[test]
fn layouts_compute_what_they_mean() {
    compare(&layouts::layouts());
}

#[test]
fn lanes_compute_what_they_mean() {
    compare(&lanes::lanes());
}

#[test]
fn what_groups_share_computes_what_it_means() {
    compare(&groups::groups());
}

#[test]
fn what_reads_neighbours_computes_what_it_means() {
    compare(&neighbours::neighbours());
}

#[test]
fn loops_in_order_compute_what_they_mean() {
    compare(&in_order::in_order());
}

#[test]
fn two_passes_compute_what_they_mean() {
    compare(&passes::passes());
}

#[test]
fn forms_of_the_language_compute_what_they_mean() {
    compare(&forms::forms());
}

#[test]
fn empty_arrays_compute_what_they_mean() {
    // Devices compute all of them: compiling takes longer than computing nothing.
    let cases: Vec<Case> = empties::empties().into_iter().step_by(2).collect();
    compare(&cases);
}

#[test]
fn reductions_by_key_compute_what_they_mean() {
    compare(&keys::keys());
}

#[test]
fn quotients_compute_what_they_mean() {
    compare(&quotients::quotients());
}

#[test]
fn gathers_and_scatters_compute_what_they_mean() {
    compare(&layouts::gathers());
    compare(&layouts::scatters());
}

#[test]
fn random_programs_compute_what_they_mean() {
    compare_sampled(&sample::plain());
}

#[test]
fn random_programs_placed_by_hand_compute_what_they_mean() {
    compare_sampled(&sample::placed_by_hand());
}

#[test]
fn random_updates_compute_what_they_mean() {
    compare_sampled(&sample::several_updates());
}

#[test]
fn random_stencils_compute_what_they_mean() {
    compare_sampled(&sample::of_points());
}

/// The processor has some sets of instructions; others stand for the greatest that it has.
#[test]
fn all_sets_of_instructions_compute_the_same() {
    for (seed, case) in programs::on_every_level().iter().enumerate() {
        for compiled in programs::to_host(case.text) {
            let (functions, spec) = (functions(&compiled), common::spec::leak(&compiled));
            for isa in [Isa::Baseline, Isa::Avx2, Isa::Avx512] {
                let functions = functions.iter().map(|entry| entry.at_most(isa)).collect::<Vec<_>>().leak();
                let sizes = case.sizes.last().expect("sizes");
                Comparison { compiled: &compiled, spec, sizes, tunables: &[], seed: seed as u64 }
                    .run_on_host(&[functions]);
            }
        }
    }
}

/// What is listed is tested.
#[test]
fn exceptions_are_programs() {
    let names: Vec<String> = programs::all().into_iter().map(|case| case.name.to_string()).collect();
    let sampled: Vec<String> = sample::all().into_iter().map(|program| program.name).collect();
    for (name, _) in EXCEPTIONS {
        assert!(names.iter().chain(&sampled).any(|it| it == name), "{name}");
    }
}
