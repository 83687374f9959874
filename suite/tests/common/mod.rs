//! What the tests share: awkward sizes, and running every version of a kernel.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use lift::{Device, Kernel};
use lift_laws::effort;
use lift_suite::check::{Bound, Element, compare, device, variants};
use ndarray::{Array, Dimension};

/// Rows and columns.
pub type Plane = (usize, usize);

/// Planes, rows and columns.
pub type Volume = (usize, usize, usize);

/// Fewer points than any neighbourhood has, and more than one tile of primes.
pub const PLANES: [Plane; 2] = [(1, 3), (41, 67)];

/// A single point, and more than one tile of odd extents.
pub const VOLUMES: [Volume; 2] = [(1, 1, 1), (5, 11, 37)];

/// Two tests for each workload: at sizes that are small and awkward, and at those of the papers.
#[macro_export]
macro_rules! workloads {
    ($($workload:ident: $small:expr, $large:expr;)*) => {
        mod small {
            $(
                #[test]
                fn $workload() {
                    #[allow(unused_imports, reason = "sizes may be written out")]
                    use super::*;
                    let turns = $small.len();
                    for (i, size) in $small.into_iter().enumerate() {
                        common::take_turn(i, turns);
                        super::$workload(size);
                    }
                }
            )*
        }

        mod large {
            $(
                #[test]
                #[ignore = "large: cargo test --release -p lift-suite large -- --ignored"]
                fn $workload() {
                    #[allow(unused_imports, reason = "sizes may be written out")]
                    use super::*;
                    $large.into_iter().for_each(super::$workload);
                }
            )*
        }
    };
}

static DEVICE: LazyLock<Device> =
    LazyLock::new(|| device().unwrap_or_else(|e| panic!("the tests need an OpenCL device: {e}")));

thread_local! {
    /// At which of so many sizes a workload is.
    static TURN: std::cell::Cell<(usize, usize)> = const { std::cell::Cell::new((0, 1)) };
}

/// What follows in this thread is at this of so many sizes.
pub fn take_turn(turn: usize, turns: usize) {
    TURN.set((turn, turns));
}

/// The result of every version of the kernel whose turn it is at these sizes, with the version's name. Each version has a turn at one size, which
/// its text decides, unless everything is asked for.
pub fn runs<K: Kernel, R>(run: impl Fn(&K) -> lift::Result<R>) -> Vec<(String, R)> {
    let versions = variants::<K>(&DEVICE).expect("a launcher");
    let named = |(variant, kernel)| {
        let name = format!("{} ({variant})", K::SPEC.name);
        let result = run(&kernel).unwrap_or_else(|e| panic!("{name}: {e}"));
        (name, result)
    };
    let texts = K::SPEC.variants.iter().chain(K::SPEC.host.iter());
    let place = |name: &str| {
        let version = texts.clone().find(|version| version.name == name).expect("a version");
        effort::hash(&format!("{} {}", K::SPEC.name, version.source)) as usize
    };
    let all = versions.len();
    let chosen: Vec<_> = versions
        .into_iter()
        .filter(|(name, _)| effort::has_turn(place(name) % 1024, TURN.get(), 0))
        .collect();
    effort::report("versions of workloads of the suite, sizes", chosen.len(), all);
    chosen.into_iter().map(named).collect()
}

/// Every version of the kernel computes what is expected.
pub fn agree<K: Kernel, T: Element, D: Dimension>(
    run: impl Fn(&K) -> lift::Result<Array<T, D>>,
    expected: &Array<f64, D>,
    bound: Bound,
) {
    for (name, found) in runs(run) {
        compare(&found, expected, bound)
            .unwrap_or_else(|e| panic!("{name}, shape {:?}: {e}", expected.shape()));
    }
}

/// The same for a kernel of exact functions: versions that do not regroup sums also give the same bits.
pub fn agree_in_bits<K: Kernel, T: Element, D: Dimension>(
    run: impl Fn(&K) -> lift::Result<Array<T, D>>,
    expected: &Array<f64, D>,
    bound: Bound,
) {
    let bits = |found: &Array<T, D>| found.iter().map(|x| (*x).into().to_bits()).collect::<Vec<u64>>();
    let mut first: Option<(String, Vec<u64>)> = None;
    let regroups = |name: &str| {
        let mut versions = K::SPEC.variants.iter().chain(K::SPEC.host.iter());
        versions.any(|version| name.ends_with(&format!("({})", version.name)) && version.regroups)
    };
    for (name, found) in runs(run) {
        compare(&found, expected, bound)
            .unwrap_or_else(|e| panic!("{name}, shape {:?}: {e}", expected.shape()));
        if regroups(&name) {
            continue;
        }
        match &first {
            Some((other, expected)) => {
                assert!(bits(&found) == *expected, "{name} and {other} have different bits")
            }
            None => first = Some((name, bits(&found))),
        }
    }
}

/// Roundings on the longest path of a sum of `n` terms in any sensible order: one after the other if they are few, and
/// in parallel parts if they are many.
pub fn unordered(n: usize) -> usize {
    n.min(1 << 16)
}

/// Runs tests of this file with Oclgrind as the device, which watches every memory access. Each is a process of its own:
/// Oclgrind expects one kernel at a time, and all of them from one thread.
pub fn oclgrind(tests: &[&str]) {
    tests.iter().for_each(|test| under_oclgrind(test));
}

fn under_oclgrind(test: &str) {
    let library = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";
    assert!(Path::new(library).exists(), "the tests need Oclgrind: run scripts/install-opencl --tests");
    let folder = std::env::temp_dir().join(format!("lift-suite-oclgrind-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the loader's configuration");
    std::fs::write(folder.join("oclgrind.icd"), library).expect("the loader's configuration");
    let log = folder.join("log");
    let checks = ["DATA_RACES", "CHECK_API", "UNIFORM_WRITES", "UNINITIALIZED"];
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env("OCL_ICD_VENDORS", &folder)
        .env_remove("OCL_ICD_FILENAMES")
        .env("LIFT_DEVICE", "oclgrind")
        .envs(checks.map(|check| (format!("OCLGRIND_{check}"), "1")))
        .env("OCLGRIND_LOG", &log)
        // It knows no `freeze`, to which optimisation turns `i / 3` beside `i % 3`.
        .env("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable")
        .output()
        .expect("the child process");
    let findings = std::fs::read_to_string(&log).unwrap_or_default();
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{test}, {}: {text}", output.status);
    assert!(text.contains("1 passed"), "{test} did not run: {text}");
    assert!(findings.trim().is_empty(), "{test}: {findings}");
}
