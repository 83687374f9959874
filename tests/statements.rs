//! What running statements finds: barriers that are missing, indices that do not fit their type or whose bounds are too great, and
//! values that are computed more than once. That all versions compute what they mean is tested where devices run them (`device.rs`).

use common::cases::{self, Case};
use common::statements::{MOST_ELEMENTS, Statements, bits};
use common::{device, low, shared, streams, to_opencl, work};
use lift::{HostArg, Launcher};
use lift_core::imp::Stmt;
use lift_core::pipeline::Version;

/// The bits of a type that is as narrow as `int` would be for sizes a million times as large.
const NARROW: u32 = 12;

/// What groups of work-items, tiles and vectors may add to small extents.
const SURPLUS: i128 = 1000;

/// How far a bound may be above what is computed: of a reflected index in three dimensions, each has twice its extent.
const FACTOR: i128 = 8;

#[test]
fn what_functions_share_is_computed_once() {
    for case in shared::cases() {
        for compiled in to_opencl(case.text) {
            let growth = work::growth(&compiled, ["N", "M"]);
            for (version, growth) in growth.unwrap_or_else(|e| panic!("{e} in {}", case.name)) {
                assert!(growth <= work::MOST, "{} ({version}): {growth}", case.name);
            }
        }
    }
}

/// The statements without one of their barriers, if they have so many.
fn without_barrier(stmts: Vec<Stmt>, left: &mut usize) -> Vec<Stmt> {
    let mut out = Vec::new();
    for stmt in stmts {
        match stmt.map_blocks(&mut |block| without_barrier(block, left)) {
            Stmt::Barrier if *left == 0 => *left = usize::MAX,
            Stmt::Barrier => {
                *left -= 1;
                out.push(Stmt::Barrier);
            }
            other => out.push(other),
        }
    }
    out
}

/// What is found out about a version without one of its barriers, one after the other.
fn without_each(statements: &Statements<'_>, version: &Version) -> Vec<Result<(), String>> {
    let mut found = Vec::new();
    let functions = &version.generated.functions;
    for at in 0..functions.len() {
        for barrier in 0.. {
            let (mut functions, mut left) = (functions.clone(), barrier);
            // Whatever text the sizes choose.
            functions[at].1.aligned.clear();
            functions[at].1.body = without_barrier(functions[at].1.body.clone(), &mut left);
            if left != usize::MAX {
                break;
            }
            found.push(statements.execute(version, &functions, 64).map(drop));
        }
    }
    found
}

/// Each barrier is needed, and what is wrong without it is found.
#[test]
fn barriers_are_needed() {
    let (mut races, mut others) = (0, Vec::new());
    for case in low::low().iter().chain(&streams::streams()).chain(&cases::stencils()) {
        let few = |sizes: &&&[(&str, i64)]| sizes.iter().map(|(_, n)| n).product::<i64>() <= MOST_ELEMENTS;
        let Some(sizes) =
            case.sizes.iter().filter(few).max_by_key(|sizes| sizes.iter().map(|(_, n)| n).sum::<i64>())
        else {
            continue;
        };
        for compiled in to_opencl(case.text) {
            let statements = Statements { compiled: &compiled, sizes, tunables: &[], seed: 5 };
            for version in &compiled.versions {
                for (i, found) in without_each(&statements, version).into_iter().enumerate() {
                    match found {
                        Err(e) if e.contains("a race") => races += 1,
                        found => {
                            others.push(format!("{} ({}): barrier {i}: {found:?}", case.name, version.name))
                        }
                    }
                }
            }
        }
    }
    assert!(races > 40 && others.len() < races / 5, "{races}, and without effect:\n{}", others.join("\n"));
}

/// Programs whose indices are greater than any array is long.
const VIEWS: &[Case] = &[
    Case {
        name: "pairs",
        text: "#[kernel] fn Pairs<N>(x: [u32; N], y: [u32; N]) -> u64 {
            x.map(|a| y.map(|b| (a ^ b) as u64).reduce(add, 0)).reduce(add, 0)
        }",
        sizes: &[&[("N", 50_000)]],
    },
    Case {
        name: "the last of many",
        text: "#[kernel] fn Last<N>(x: [i64; N]) -> i64 { array(N * N, |i| i as i64)[N * N - 1] + x[0] }",
        sizes: &[&[("N", 50_000)]],
    },
    Case {
        name: "chunks that are rounded up",
        text: "#[kernel] fn Bytes<N>(x: [[u8; N]; N]) -> u64 { x.join().map(|x| x as u64).reduce(add, 0) }",
        sizes: &[&[("N", 46_340)]],
    },
];

/// The versions of a kernel whose indices `int` holds.
fn narrow(case: &Case, n: i64) -> Vec<&'static str> {
    let mut found = Vec::new();
    for compiled in to_opencl(case.text) {
        let statements = Statements { compiled: &compiled, sizes: &[("N", n)], tunables: &[], seed: 1 };
        let fits = |version: &&Version| bits(statements.bound(version)) <= 32;
        found.extend(compiled.versions.iter().filter(fits).map(|version| version.name));
    }
    found
}

#[test]
fn of_views_that_no_array_holds_are_counted() {
    for case in VIEWS {
        let [[(_, n)]] = case.sizes else { panic!("{} has one size", case.name) };
        assert_eq!(narrow(case, *n), Vec::<&str>::new(), "{}", case.name);
        assert!(!narrow(case, n / 4).is_empty(), "{}", case.name);
    }
}

/// What the driver computes, where an index does not fit 32 bits although every array is small.
#[test]
fn of_large_views_are_right_on_the_device() {
    let n = 50_000_usize;
    for compiled in to_opencl(VIEWS[1].text) {
        let spec = common::spec::leak(&compiled);
        for variant in spec.variants.iter() {
            // SAFETY: the compiler made the description.
            let launcher = unsafe { Launcher::new(spec, &device()) };
            let launcher = launcher.and_then(|l| l.variant(&variant.name)).expect("a version");
            let x = &vec![7_i64; n];
            let mut finished = launcher.call(vec![HostArg::array::<i64, 1>(&x)]).expect("a result");
            let last = finished.scalar::<i64>().expect("a number");
            assert_eq!(last, (n * n - 1) as i64 + 7, "{}\n{}", variant.name, variant.source);
        }
    }
}

/// Sizes on both sides of the border: a type holds all indices wherever the bounds say so, and what it does not hold is found.
#[test]
fn are_refused_by_a_narrower_type() {
    let (mut inside, mut outside) = (0, 0);
    for case in cases::stencils().iter().filter(|case| case.text.contains("fn Image")).chain(VIEWS) {
        for compiled in to_opencl(case.text) {
            for n in [26, 38, 45, 46] {
                let sizes = [("N", n), ("M", n + 1)];
                let statements =
                    Statements { compiled: &compiled, sizes: &sizes, tunables: &[], seed: n as u64 };
                for version in
                    compiled.versions.iter().filter(|version| statements.bound(version) < 1 << NARROW)
                {
                    let indices = statements.run(version);
                    let narrow = statements.run_in(version, NARROW);
                    if bits(indices.bound) <= NARROW {
                        narrow.unwrap_or_else(|e| panic!("{} ({}): {e}", case.name, version.name));
                        inside += 1;
                    } else if bits(indices.greatest) > NARROW {
                        assert!(narrow.is_err_and(|e| e.contains("does not hold that")), "{}", version.name);
                        outside += 1;
                    }
                }
            }
        }
    }
    assert!(inside > 20 && outside > 20, "{inside} {outside}");
}

/// A bound that is far above what is computed would make indices wide, and kernels slow, for nothing.
#[test]
fn of_common_stencils_are_nearly_as_great_as_their_bounds() {
    for case in cases::stencils() {
        for compiled in to_opencl(case.text) {
            let sizes = [("N", 13), ("M", 17), ("O", 21)];
            let statements = Statements { compiled: &compiled, sizes: &sizes, tunables: &[], seed: 3 };
            for version in &compiled.versions {
                let indices = statements.run(version);
                let enough = FACTOR * indices.greatest + SURPLUS;
                let widest = &version.generated.widest;
                assert!(indices.bound <= enough, "{} ({}): {widest:?}", case.name, version.name);
            }
        }
    }
}
