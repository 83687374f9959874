//! What kernels compute is what the interpreter says: every kernel, every version, awkward sizes; statement by statement (`common/statements.rs`),
//! on PoCL, and under Oclgrind, which also watches every memory access.

use std::collections::BTreeSet;

use common::cases::{self, Case};
use common::programs::{self, Derived};
use common::{
    Comparison, algebra, channels, contractions, device, early, empties, forms, groups, keys, lanes, large,
    layouts, low, neighbours, pages, passes, quotients, shared, statements, strategies, streams, to_opencl,
    weights,
};
use lift::Launcher;
use lift::spec::ScalarType;
use lift_core::pipeline::Compiled;
use lift_laws::effort;

/// Tiles of other sizes than the default: smaller than the arrays, also where two launches have tiles; and of size one. They take turns.
/// Oclgrind, which is slow, sees nothing but the first.
const TILES: &[&[(&str, i64)]] = &[
    &[
        ("TILE_X", 5),
        ("TILE_Y", 3),
        ("TILE_Z", 2),
        ("TILE_X_1", 5),
        ("TILE_Y_1", 3),
        ("TILE_X_2", 2),
        ("TILE_Y_2", 7),
    ],
    &[("TILE_X", 1), ("TILE_Y", 1), ("TILE_Z", 1)],
];

/// The sizes of each case that are tried: with Oclgrind, which is slow, not the largest.
fn sizes(case: &Case) -> &'static [&'static [(&'static str, i64)]] {
    if common::oclgrind::is_device() { &case.sizes[..case.sizes.len().min(2)] } else { case.sizes }
}

/// The names of the only cases to run, one in a line; a child process is told.
const ONLY: &str = "LIFT_TEST_CASES";

/// One of so many texts is tried on PoCL, under Oclgrind and as statements, beside one of each name that versions have in a collection.
const SHARES: [u64; 3] = [64, 256, 8];

fn compare(cases: &[Case]) {
    let device = device();
    let only = std::env::var(ONLY).ok();
    let is_wanted =
        |case: &Case| only.as_deref().is_none_or(|only| only.lines().any(|name| name == case.name));
    let wanted = cases.iter().enumerate().filter(|(_, case)| is_wanted(case));
    let kernels: Vec<(usize, &Case, Compiled)> = wanted
        .flat_map(|(seed, case)| to_opencl(case.text).into_iter().map(move |compiled| (seed, case, compiled)))
        .collect();
    // Which versions of which kernels: decided over the whole collection, so that each name is there.
    let texts: Vec<(&str, &str)> = kernels
        .iter()
        .flat_map(|(_, _, compiled)| &compiled.versions)
        .map(|version| (version.name, version.generated.source.as_str()))
        .collect();
    let [on_pocl, watched, stated] = SHARES.map(|share| effort::sample(&texts, share));
    let oclgrind = common::oclgrind::is_device();
    let (chosen, what) = if oclgrind {
        (watched, "texts of the cases of `device` under Oclgrind")
    } else {
        effort::report("versions of the cases of `device`, as statements", stated.len(), texts.len());
        (on_pocl, "texts of the cases of `device` on a device")
    };
    let kinds = |all: &mut dyn Iterator<Item = usize>| all.map(|i| texts[i].0).collect::<BTreeSet<_>>();
    let (ran, all) = (kinds(&mut chosen.iter().copied()), kinds(&mut (0..texts.len())));
    assert_eq!(ran, all, "each name of a version is tried");
    let (mut first, mut tried) = (0, 0);
    for (seed, case, compiled) in &kernels {
        let (seed, turns) = (*seed, sizes(case).len());
        let positions = first..first + compiled.versions.len();
        first = positions.end;
        if !oclgrind {
            statements::check(case, compiled, seed as u64, |i| stated.contains(&(positions.start + i)));
        }
        let is_chosen = |i: usize| chosen.contains(&(positions.start + i));
        if !(0..compiled.versions.len()).any(is_chosen) {
            continue;
        }
        let spec = common::spec::leak(compiled);
        let mut ran = BTreeSet::new();
        for (i, sizes) in sizes(case).iter().enumerate() {
            // The default tile with each size in turn, and other tiles with one.
            let tunables = if oclgrind { TILES[0] } else { &[] };
            let comparison = Comparison { compiled, spec, sizes, tunables, seed: seed as u64 };
            ran.extend(comparison.run_in_turn(&device, (i, turns), is_chosen));
            if i == 1 && tunables.is_empty() {
                let tunables = TILES[seed % TILES.len()];
                Comparison { tunables, ..comparison }.run_tunable(&device, is_chosen);
            }
        }
        // The sample of a kernel may be a version that asks for more local memory than the device has.
        assert!(!effort::everything() || !ran.is_empty(), "{} has no version", case.name);
        tried += ran.len();
    }
    assert!(tried > 0 && 2 * tried >= chosen.len(), "of {} versions, {tried} could run", chosen.len());
    effort::report(what, tried, texts.len());
}

#[test]
fn stencils_compute_what_they_mean() {
    compare(&cases::stencils());
}

#[test]
fn algebra_computes_what_it_means() {
    compare(&algebra::algebra());
}

fn compare_derived(all: &[Derived]) {
    let device = device();
    for Derived { compiled, sizes } in all {
        let spec = common::spec::leak(compiled);
        for sizes in sizes {
            Comparison { compiled, spec, sizes, tunables: &[], seed: 7 }.run(&device);
        }
    }
}

#[test]
fn seven_reductions_compute_sums() {
    compare_derived(&programs::reductions(to_opencl));
}

#[test]
fn four_products_compute_products() {
    compare_derived(&programs::products(to_opencl));
}

#[test]
fn rows_in_warps_compute_what_they_mean() {
    compare_derived(&programs::rows_in_warps(to_opencl));
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

/// 16-bit floats are computed where there are any, and refused before anything runs where there are none.
#[test]
fn halves_need_a_device_that_has_them() {
    let device = device();
    if device.supports(ScalarType::F16) {
        return compare(&cases::halves());
    }
    for case in cases::halves() {
        for compiled in to_opencl(case.text) {
            let spec = common::spec::leak(&compiled);
            // SAFETY: the compiler made the description.
            let launcher = unsafe { Launcher::new(spec, &device) };
            let error = launcher.expect_err("a kernel that the device cannot run");
            let (name, label) = (&spec.name, device.label());
            let start = format!("{name} computes with `f16`, which {label} does not have: ");
            assert!(error.to_string().starts_with(&start), "{error}");
        }
    }
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
fn two_passes_compute_what_they_mean() {
    compare(&passes::passes());
}

#[test]
fn forms_of_the_language_compute_what_they_mean() {
    compare(&forms::forms());
}

#[test]
fn empty_arrays_compute_what_they_mean() {
    compare(&empties::empties());
}

#[test]
fn gathers_and_scatters_compute_what_they_mean() {
    compare(&layouts::gathers());
    compare(&layouts::scatters());
}

#[test]
fn reductions_by_key_compute_what_they_mean() {
    compare(&keys::keys());
}

#[test]
fn quotients_compute_what_they_mean() {
    compare(&quotients::quotients());
}

/// Runs one of the tests above with Oclgrind as the device, in a process of its own: Oclgrind expects one kernel at
/// a time, and all of them from one thread.
fn oclgrind(test: &str) {
    common::oclgrind::run(test, &[]);
}

/// The same with some of its cases.
fn oclgrind_some(test: &str, names: &[&str]) {
    common::oclgrind::run(test, &[(ONLY, &names.join("\n"))]);
}

#[test]
fn oclgrind_finds_nothing_in_scalar_types() {
    oclgrind("all_scalar_types_compute_as_rust_does");
}

#[test]
fn oclgrind_finds_nothing_in_stencils() {
    oclgrind("stencils_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_algebra() {
    oclgrind("algebra_computes_what_it_means");
}

#[test]
fn oclgrind_finds_nothing_in_seven_reductions() {
    oclgrind("seven_reductions_compute_sums");
}

#[test]
fn oclgrind_finds_nothing_in_four_products() {
    oclgrind("four_products_compute_products");
}

#[test]
fn oclgrind_finds_nothing_in_rows_in_warps() {
    oclgrind("rows_in_warps_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_state_and_parts() {
    oclgrind("state_and_parts_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_boundary_functions() {
    oclgrind("boundary_functions_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_arms() {
    oclgrind("arms_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_large_windows() {
    // The others need more local memory than it has.
    let names = large::cases().into_iter().map(|case| case.name);
    let names: Vec<&str> = names.filter(|name| *name != large::MUCH_LOCAL_MEMORY).collect();
    oclgrind_some("large_windows_compute_what_they_mean", &names);
}

#[test]
fn oclgrind_finds_nothing_in_contractions() {
    oclgrind("contractions_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_channels() {
    oclgrind("channels_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_constant_weights() {
    oclgrind("constant_weights_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_loops_that_end_early() {
    oclgrind("loops_that_end_early_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_other_kernels() {
    oclgrind("other_kernels_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_layouts() {
    oclgrind("layouts_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_gathers_and_scatters() {
    oclgrind("gathers_and_scatters_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_reductions_by_key() {
    // Thousands of bins take it minutes.
    let names = keys::keys().into_iter().map(|case| case.name);
    let names: Vec<&str> = names.filter(|name| *name != keys::MANY_BINS).collect();
    oclgrind_some("reductions_by_key_compute_what_they_mean", &names);
}

#[test]
fn oclgrind_finds_nothing_in_quotients() {
    oclgrind("quotients_compute_what_they_mean");
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
fn oclgrind_finds_nothing_in_what_reads_neighbours() {
    oclgrind("what_reads_neighbours_computes_what_it_means");
}

#[test]
fn oclgrind_finds_nothing_in_what_groups_share() {
    oclgrind("what_groups_share_computes_what_it_means");
}

#[test]
fn oclgrind_finds_nothing_in_two_passes() {
    oclgrind("two_passes_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_forms_of_the_language() {
    oclgrind("forms_of_the_language_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_empty_arrays() {
    oclgrind("empty_arrays_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_lanes() {
    oclgrind("lanes_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_programs() {
    oclgrind("programs_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_what_functions_share() {
    oclgrind("what_functions_share_computes_what_it_means");
}

#[test]
fn oclgrind_finds_nothing_in_what_is_placed_by_hand() {
    oclgrind("what_is_placed_by_hand_computes_what_it_means");
}

#[test]
fn oclgrind_finds_nothing_in_streams() {
    oclgrind("streams_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_strategies() {
    oclgrind("strategies_compute_what_they_mean");
}

#[test]
fn oclgrind_finds_nothing_in_pages_of_derivations() {
    // It is slow, and sees kernels that are like the others in other tests.
    oclgrind_some("pages_of_derivations_compute_what_they_mean", &pages::WATCHED);
}

#[test]
fn oclgrind_finds_nothing_at_the_border() {
    oclgrind("tuples_cross_the_border");
}
