//! What devices compute is what the interpreter says: every kernel, every variant, awkward sizes; on PoCL, and
//! under Oclgrind, which also watches every memory access.

mod common;

use std::process::Command;

use common::cases::{self, Case};
use common::{Comparison, compile, device};

/// Tiles of the default size, smaller than the arrays, and of size one.
const TILES: &[&[(&str, i64)]] =
    &[&[], &[("TILE_X", 5), ("TILE_Y", 3), ("TILE_Z", 2)], &[("TILE_X", 1), ("TILE_Y", 1), ("TILE_Z", 1)]];

/// The sizes of each case that are tried: with Oclgrind, which is slow, not the largest.
fn sizes(case: &Case) -> &'static [&'static [(&'static str, i64)]] {
    let few = std::env::var("LIFT_DEVICE").is_ok_and(|name| name == "oclgrind");
    if few { &case.sizes[..case.sizes.len().min(2)] } else { case.sizes }
}

fn compare(cases: &[Case]) {
    let device = device();
    for (seed, case) in cases.iter().enumerate() {
        for compiled in compile(case.text) {
            for (i, sizes) in sizes(case).iter().enumerate() {
                // The default tile with every size, the others with one.
                let tiles = if i == 1 && compiled.versions.len() > 1 { TILES } else { &TILES[..1] };
                for tunables in tiles {
                    Comparison { compiled: &compiled, sizes, tunables, seed: seed as u64 }.run(&device);
                }
            }
        }
    }
}

#[test]
fn stencils_compute_what_they_mean() {
    compare(&cases::stencils());
}

#[test]
fn other_kernels_compute_what_they_mean() {
    compare(&cases::others());
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
        .args(["compute_what_they_mean", "--nocapture"])
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
    assert!(text.contains("2 passed"), "the kernels did not run: {text}");
    assert!(findings.trim().is_empty(), "{findings}");
}
