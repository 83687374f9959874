//! What devices compute is what the interpreter says: every kernel, every variant, awkward sizes; on PoCL, and
//! under Oclgrind, which also watches every memory access.

mod common;

use std::process::Command;

use common::cases::{self, Case};
use common::{Comparison, compile, device};

/// Tiles smaller than the arrays, larger than them, and of size one.
const TILES: &[&[(&str, i64)]] =
    &[&[], &[("TILE_X", 1), ("TILE_Y", 1), ("TILE_Z", 1)], &[("TILE_X", 5), ("TILE_Y", 3), ("TILE_Z", 2)]];

fn compare(cases: &[Case], sizes_each: usize) {
    let device = device();
    for (seed, case) in cases.iter().enumerate() {
        for compiled in compile(case.text) {
            for sizes in case.sizes.iter().take(sizes_each) {
                for tunables in TILES {
                    if compiled.versions.len() == 1 && !tunables.is_empty() {
                        continue;
                    }
                    let comparison = Comparison { compiled: &compiled, sizes, tunables, seed: seed as u64 };
                    comparison.run(&device);
                }
            }
        }
    }
}

#[test]
fn stencils_compute_what_they_mean() {
    compare(&cases::stencils(), usize::MAX);
}

#[test]
fn other_kernels_compute_what_they_mean() {
    compare(&cases::others(), usize::MAX);
}

/// Runs under Oclgrind, in a process of its own: see `oclgrind_finds_nothing`.
#[test]
fn small_kernels() {
    compare(&cases::stencils(), 3);
    compare(&cases::others(), 3);
}

#[test]
fn oclgrind_finds_nothing() {
    let library = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";
    assert!(
        std::path::Path::new(library).exists(),
        "the tests need Oclgrind: run scripts/install-opencl --tests"
    );
    let folder = std::env::temp_dir().join(format!("lift-oclgrind-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the loader's configuration");
    std::fs::write(folder.join("oclgrind.icd"), library).expect("the loader's configuration");
    let log = folder.join("log");
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "small_kernels", "--nocapture"])
        .env("OCL_ICD_VENDORS", &folder)
        .env("LIFT_DEVICE", "oclgrind")
        .envs(
            ["DATA_RACES", "CHECK_API", "UNIFORM_WRITES", "UNINITIALIZED"]
                .map(|o| (format!("OCLGRIND_{o}"), "1")),
        )
        .env("OCLGRIND_LOG", &log)
        .output()
        .expect("the child process");
    let findings = std::fs::read_to_string(&log).unwrap_or_default();
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "the kernels did not run: {text}");
    assert!(findings.trim().is_empty(), "{findings}");
}
