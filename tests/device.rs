//! What kernels compute is what the interpreter says: every kernel, every version, awkward sizes; statement by statement (`common/statements.rs`),
//! on PoCL, and under Oclgrind, which also watches every memory access.

use std::collections::BTreeSet;

use common::cases::{self, Case};
use common::programs::{self, Derived, to_opencl_versions};
use common::{
    Comparison, algebra, channels, contractions, device, early, empties, forms, groups, in_order, keys,
    lanes, large, layouts, low, neighbours, pages, passes, quotients, shared, statements, strategies,
    streams, to_opencl, weights,
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

/// One of so many texts is tried on PoCL, under Oclgrind and as statements, beside one of each name that versions have in a collection.
const SHARES: [u64; 3] = [64, 256, 8];

/// One of so many collections with versions of a name has one of them watched by Oclgrind.
const COLLECTIONS: u64 = 3;

/// What is counted.
const ON_DEVICE: &str = "texts of the cases of `device` on a device";
const WATCHED: &str = "texts of the cases of `device` under Oclgrind";
const STATED: &str = "versions of the cases of `device`, as statements";

/// What a process with Oclgrind is told to run: the names of a case, a kernel and a version in a line, with tabs between them.
const CHOSEN: &str = "LIFT_TEST_CHOSEN";

/// A kernel of a case, and the position of the case, which is the seed of its data. It has texts of some versions only.
struct Kernel<'a> {
    seed: usize,
    case: &'a Case,
    compiled: Compiled,
}

impl Kernel<'_> {
    /// The versions with texts.
    fn lines(&self) -> impl Iterator<Item = String> {
        let versions = self.compiled.versions.iter().map(|version| version.name);
        versions.map(|name| line(self.case, &self.compiled.kernel.name, name))
    }
}

/// The line by which a process with Oclgrind is told of a version.
fn line(case: &Case, kernel: &str, version: &str) -> String {
    format!("{}\t{kernel}\t{version}", case.name)
}

/// Compiles the versions for whose lines this holds, of those of the cases for which the other does.
fn kernels<'a>(
    cases: &'a [Case],
    is_wanted: impl Fn(&Case) -> bool,
    is_text_wanted: impl Fn(&str) -> bool + Sync,
) -> Vec<Kernel<'a>> {
    let wanted = cases.iter().enumerate().filter(|(_, case)| is_wanted(case));
    let of = |(seed, case): (usize, &'a Case)| {
        let compiled =
            to_opencl_versions(case.text, &|kernel, version| is_text_wanted(&line(case, kernel, version)));
        compiled.into_iter().map(move |compiled| Kernel { seed, case, compiled })
    };
    wanted.flat_map(of).collect()
}

/// Compares the cases of a test on the device, as statements, and, in a process of its own that runs the test again, under Oclgrind: that executes
/// one kernel at a time, and all of them from one thread.
fn compare(test: &str, cases: &[Case]) {
    compare_and_watch(test, cases, |_| true);
}

/// The same, but only those of the cases under Oclgrind for which this holds.
fn compare_and_watch(test: &str, cases: &[Case], is_watched: impl Fn(&Case) -> bool) {
    if let Ok(chosen) = std::env::var(CHOSEN) {
        return watch(cases, &chosen.lines().map(String::from).collect());
    }
    // The largest sample has what is in the others but, perhaps, versions that are the only ones of their names.
    let mut kernels = kernels(cases, |_| true, |line| effort::is_sampled(line, SHARES[2]));
    let mut all: Vec<(bool, &'static str, String)> = Vec::new();
    for Kernel { case, compiled, .. } in &kernels {
        let names =
            compiled.versions.iter().map(|version| version.name).chain(compiled.left_out.iter().copied());
        all.extend(names.map(|name| (is_watched(case), name, line(case, &compiled.kernel.name, name))));
    }
    // Which versions of which kernels: decided over the whole collection, so that each name is there.
    let sample = |share: u64, some: &dyn Fn(bool) -> bool| {
        let some: Vec<(&str, &str)> = all
            .iter()
            .filter(|(watched, ..)| some(*watched))
            .map(|(_, name, line)| (*name, line.as_str()))
            .collect();
        let chosen: BTreeSet<String> =
            effort::sample(&some, share).iter().map(|i| some[*i].1.to_string()).collect();
        (chosen, some.len())
    };
    let (on_device, count) = sample(SHARES[0], &|_| true);
    let (mut watched, to_watch) = sample(SHARES[1], &|watched| watched);
    // Oclgrind takes most of the time. Most names of versions are those of several collections, of which some watch each.
    let name =
        |line: &String| line.rsplit('\t').next().map(|name| format!("{test}\t{name}")).unwrap_or_default();
    watched
        .retain(|line| effort::is_sampled(line, SHARES[1]) || effort::is_sampled(&name(line), COLLECTIONS));
    let (stated, _) = sample(SHARES[2], &|_| true);
    effort::report(WATCHED, 0, to_watch);
    effort::report(STATED, stated.len(), count);
    let compiled: BTreeSet<String> = kernels.iter().flat_map(Kernel::lines).collect();
    let others: BTreeSet<&String> =
        on_device.union(&stated).filter(|line| !compiled.contains(*line)).collect();
    let has_others = |case: &Case| others.iter().any(|line| line.split('\t').next() == Some(case.name));
    kernels.extend(self::kernels(cases, has_others, |line| others.contains(&line.to_string())));
    let kinds: BTreeSet<&str> = all.iter().map(|(_, name, _)| *name).collect();
    let ran = all.iter().filter(|(.., line)| on_device.contains(line)).map(|(_, name, _)| *name);
    assert_eq!(ran.collect::<BTreeSet<_>>(), kinds, "each name of a version is tried");
    for kernel in &kernels {
        let lines: Vec<String> = kernel.lines().collect();
        statements::check(kernel.case, &kernel.compiled, kernel.seed as u64, |i| stated.contains(&lines[i]));
    }
    effort::report(ON_DEVICE, run(&kernels, &on_device), count);
    drop(kernels);
    if !watched.is_empty() {
        let chosen: Vec<&str> = watched.iter().map(String::as_str).collect();
        common::oclgrind::run(test, &[(CHOSEN, &chosen.join("\n"))]);
    }
}

/// Compares what is chosen of the cases, in a process with Oclgrind.
fn watch(cases: &[Case], chosen: &BTreeSet<String>) {
    let names: BTreeSet<&str> = chosen.iter().filter_map(|line| line.split('\t').next()).collect();
    let kernels = kernels(cases, |case| names.contains(case.name), |line| chosen.contains(line));
    effort::report(WATCHED, run(&kernels, chosen), 0);
}

/// Runs those of the versions of these kernels that are chosen, and says how many could be run.
fn run(kernels: &[Kernel], chosen: &BTreeSet<String>) -> usize {
    let device = device();
    let oclgrind = common::oclgrind::is_device();
    let mut tried = 0;
    for kernel in kernels {
        let Kernel { seed, case, compiled } = kernel;
        let (seed, turns) = (*seed, sizes(case).len());
        let lines: Vec<String> = kernel.lines().collect();
        let is_chosen = |i: usize| chosen.contains(&lines[i]);
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
    tried
}

/// The versions of derived kernels, on the device and under Oclgrind.
fn compare_derived(test: &str, all: &[Derived]) {
    let device = device();
    for Derived { compiled, sizes } in all {
        let spec = common::spec::leak(compiled);
        for sizes in sizes {
            Comparison { compiled, spec, sizes, tunables: &[], seed: 7 }.run(&device);
        }
    }
    if !common::oclgrind::is_device() {
        common::oclgrind::run(test, &[]);
    }
}

#[test]
fn stencils_compute_what_they_mean() {
    compare("stencils_compute_what_they_mean", &cases::stencils());
}

#[test]
fn algebra_computes_what_it_means() {
    compare("algebra_computes_what_it_means", &algebra::algebra());
}

#[test]
fn seven_reductions_compute_sums() {
    compare_derived("seven_reductions_compute_sums", &programs::reductions(to_opencl));
}

#[test]
fn four_products_compute_products() {
    compare_derived("four_products_compute_products", &programs::products(to_opencl));
}

#[test]
fn rows_in_warps_compute_what_they_mean() {
    compare_derived("rows_in_warps_compute_what_they_mean", &programs::rows_in_warps(to_opencl));
}

#[test]
fn state_and_parts_compute_what_they_mean() {
    compare("state_and_parts_compute_what_they_mean", &cases::control());
}

#[test]
fn loops_that_end_early_compute_what_they_mean() {
    compare("loops_that_end_early_compute_what_they_mean", &early::cases());
}

#[test]
fn boundary_functions_compute_what_they_mean() {
    compare("boundary_functions_compute_what_they_mean", &cases::edges());
}

#[test]
fn arms_compute_what_they_mean() {
    compare("arms_compute_what_they_mean", &cases::lazy());
}

#[test]
fn large_windows_compute_what_they_mean() {
    // Of one, Oclgrind has too little local memory.
    compare_and_watch("large_windows_compute_what_they_mean", &large::cases(), |case| {
        case.name != large::MUCH_LOCAL_MEMORY
    });
}

#[test]
fn contractions_compute_what_they_mean() {
    compare("contractions_compute_what_they_mean", &contractions::cases());
}

#[test]
fn channels_compute_what_they_mean() {
    compare("channels_compute_what_they_mean", &channels::cases());
}

#[test]
fn constant_weights_compute_what_they_mean() {
    compare("constant_weights_compute_what_they_mean", &weights::cases());
}

#[test]
fn other_kernels_compute_what_they_mean() {
    compare("other_kernels_compute_what_they_mean", &cases::others());
}

#[test]
fn all_scalar_types_compute_as_rust_does() {
    compare("all_scalar_types_compute_as_rust_does", &cases::scalars());
}

/// 16-bit floats are computed where there are any, and refused before anything runs where there are none.
#[test]
fn halves_need_a_device_that_has_them() {
    let device = device();
    if device.supports(ScalarType::F16) {
        // Oclgrind has none.
        return compare_and_watch("halves_need_a_device_that_has_them", &cases::halves(), |_| false);
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
    compare("programs_compute_what_they_mean", &cases::programs());
}

#[test]
fn what_functions_share_computes_what_it_means() {
    compare("what_functions_share_computes_what_it_means", &shared::cases());
}

#[test]
fn what_is_placed_by_hand_computes_what_it_means() {
    compare("what_is_placed_by_hand_computes_what_it_means", &low::low());
}

#[test]
fn streams_compute_what_they_mean() {
    compare("streams_compute_what_they_mean", &streams::streams());
}

#[test]
fn strategies_compute_what_they_mean() {
    compare("strategies_compute_what_they_mean", &strategies::strategies());
}

#[test]
fn pages_of_derivations_compute_what_they_mean() {
    // Oclgrind is slow, and sees kernels that are like the others in other tests.
    compare_and_watch("pages_of_derivations_compute_what_they_mean", &pages::cases(), |case| {
        pages::WATCHED.contains(&case.name)
    });
}

#[test]
fn tuples_cross_the_border() {
    compare("tuples_cross_the_border", &cases::borders());
}

#[test]
fn layouts_compute_what_they_mean() {
    compare("layouts_compute_what_they_mean", &layouts::layouts());
}

#[test]
fn lanes_compute_what_they_mean() {
    compare("lanes_compute_what_they_mean", &lanes::lanes());
}

#[test]
fn loops_in_order_compute_what_they_mean() {
    compare("loops_in_order_compute_what_they_mean", &in_order::in_order());
}

#[test]
fn two_passes_compute_what_they_mean() {
    compare("two_passes_compute_what_they_mean", &passes::passes());
}

#[test]
fn forms_of_the_language_compute_what_they_mean() {
    compare("forms_of_the_language_compute_what_they_mean", &forms::forms());
}

#[test]
fn empty_arrays_compute_what_they_mean() {
    compare("empty_arrays_compute_what_they_mean", &empties::empties());
}

#[test]
fn gathers_and_scatters_compute_what_they_mean() {
    let cases = [layouts::gathers(), layouts::scatters()].concat();
    compare("gathers_and_scatters_compute_what_they_mean", &cases);
}

#[test]
fn reductions_by_key_compute_what_they_mean() {
    // Thousands of bins take Oclgrind minutes.
    compare_and_watch("reductions_by_key_compute_what_they_mean", &keys::keys(), |case| {
        case.name != keys::MANY_BINS
    });
}

#[test]
fn quotients_compute_what_they_mean() {
    compare("quotients_compute_what_they_mean", &quotients::quotients());
}

#[test]
fn what_groups_share_computes_what_it_means() {
    compare("what_groups_share_computes_what_it_means", &groups::groups());
}

#[test]
fn what_reads_neighbours_computes_what_it_means() {
    compare("what_reads_neighbours_computes_what_it_means", &neighbours::neighbours());
}
