//! The workloads that are placed by hand compute on the device what they mean.

mod common;

use common::{Comparison, compile, device, macro_text};

type Sizes = &'static [(&'static str, i64)];

/// What every size of a file's kernels may be.
const FILES: &[(&str, &[Sizes])] = &[
    (include_str!("../suite/src/low/algebra.rs"), &[&[("N", 128), ("M", 512), ("K", 16)]]),
    (include_str!("../suite/src/low/convolution.rs"), &[&[("N", 64), ("M", 256)]]),
    (include_str!("../suite/src/low/marching.rs"), &[&[("N", 64), ("M", 32), ("O", 128)]]),
    (
        include_str!("../suite/src/low/plane.rs"),
        &[&[("N", 4), ("M", 8)], &[("N", 12), ("M", 20)], &[("N", 36), ("M", 132)]],
    ),
    (include_str!("../suite/src/low/reductions.rs"), &[&[("N", 512)], &[("N", 2560)]]),
    (
        include_str!("../suite/src/low/room.rs"),
        &[&[("N", 2), ("M", 2), ("O", 2)], &[("N", 6), ("M", 10), ("O", 34)]],
    ),
    (
        include_str!("../suite/src/low/rows.rs"),
        &[&[("N", 4), ("M", 32), ("O", 32)], &[("N", 8), ("M", 47), ("O", 33)]],
    ),
    (
        include_str!("../suite/src/low/sound.rs"),
        &[&[("N", 1), ("M", 1), ("O", 32)], &[("N", 3), ("M", 5), ("O", 83)]],
    ),
    (include_str!("../suite/src/low/steps.rs"), &[&[("N", 256), ("M", 32)], &[("N", 512), ("M", 48)]]),
    (
        include_str!("../suite/src/low/time.rs"),
        &[&[("N", 1), ("M", 4), ("O", 4)], &[("N", 13), ("M", 20), ("O", 12)]],
    ),
    (include_str!("../suite/src/low/vectors.rs"), &[&[("N", 4096), ("M", 32), ("K", 7)]]),
    (
        include_str!("../suite/src/low/volume.rs"),
        &[&[("N", 8), ("M", 2), ("O", 4)], &[("N", 16), ("M", 6), ("O", 36)]],
    ),
];

/// They take indices, which cannot be any numbers: the suite runs them in rooms.
const WITH_INDICES: [&str; 2] = ["FiMm", "FdMm"];

#[test]
fn placed_workloads_compute_what_they_mean() {
    let device = device();
    let mut seen = 0;
    for (file, sizes) in FILES {
        for compiled in compile(macro_text(file)) {
            if WITH_INDICES.contains(&compiled.kernel.name.as_str()) {
                continue;
            }
            seen += 1;
            for (seed, sizes) in sizes.iter().enumerate() {
                Comparison { compiled: &compiled, sizes, tunables: &[], seed: seed as u64 }.run(&device);
            }
        }
    }
    assert!(seen > 60, "{seen} kernels");
}
