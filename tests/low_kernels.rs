//! The workloads that are placed by hand compute on the device what they mean.

use common::{Comparison, device, macro_text, to_opencl};

type Sizes = &'static [(&'static str, i64)];

const ALGEBRA: &str = include_str!("../suite/src/low/algebra.rs");
const CONVOLUTION: &str = include_str!("../suite/src/low/convolution.rs");
const MARCHING: &str = include_str!("../suite/src/low/marching.rs");
const PLANE: &str = include_str!("../suite/src/low/plane.rs");
const REDUCTIONS: &str = include_str!("../suite/src/low/reductions.rs");
const ROOM: &str = include_str!("../suite/src/low/room.rs");
const ROWS: &str = include_str!("../suite/src/low/rows.rs");
const SOUND: &str = include_str!("../suite/src/low/sound.rs");
const STEPS: &str = include_str!("../suite/src/low/steps.rs");
const TIME: &str = include_str!("../suite/src/low/time.rs");
const VECTORS: &str = include_str!("../suite/src/low/vectors.rs");
const VOLUME: &str = include_str!("../suite/src/low/volume.rs");

/// Sizes for the kernels of a file that are named, or for the others: few, for they are interpreted.
const CASES: &[(&str, &[&str], &[Sizes])] = &[
    (ALGEBRA, &["Gemm"], &[&[("N", 128), ("M", 128), ("K", 16)]]),
    (ALGEBRA, &[], &[&[("N", 4), ("M", 512)]]),
    (CONVOLUTION, &["BlockedBlur"], &[&[("N", 64), ("M", 256)]]),
    (CONVOLUTION, &["TiledBlur"], &[&[("N", 16), ("M", 128)]]),
    (CONVOLUTION, &[], &[&[("N", 1), ("M", 1)], &[("N", 7), ("M", 83)]]),
    (MARCHING, &["Blur"], &[&[("N", 3), ("M", 4)], &[("N", 41), ("M", 20)]]),
    (MARCHING, &["RowBlur"], &[&[("N", 64), ("M", 48)]]),
    (MARCHING, &[], &[&[("N", 32), ("M", 8), ("O", 128)]]),
    (PLANE, &[], &[&[("N", 4), ("M", 8)], &[("N", 12), ("M", 132)]]),
    (REDUCTIONS, &[], &[&[("N", 512)], &[("N", 2560)]]),
    (ROOM, &[], &[&[("N", 2), ("M", 2), ("O", 2)], &[("N", 4), ("M", 6), ("O", 34)]]),
    (ROWS, &[], &[&[("N", 4), ("M", 32), ("O", 32)], &[("N", 4), ("M", 47), ("O", 33)]]),
    (SOUND, &[], &[&[("N", 1), ("M", 1), ("O", 32)], &[("N", 3), ("M", 5), ("O", 83)]]),
    (STEPS, &["Jacobi3d7"], &[&[("N", 64), ("M", 16), ("O", 32)]]),
    (STEPS, &[], &[&[("N", 256), ("M", 32)]]),
    (TIME, &[], &[&[("N", 13), ("M", 20), ("O", 12)]]),
    (VECTORS, &["Gemv", "Gemm"], &[&[("N", 8), ("M", 32), ("K", 7)], &[("N", 24), ("M", 96), ("K", 1)]]),
    (VECTORS, &[], &[&[("N", 4096)]]),
    (VOLUME, &[], &[&[("N", 8), ("M", 2), ("O", 4)], &[("N", 8), ("M", 6), ("O", 36)]]),
];

/// They take indices, which cannot be any numbers: the suite runs them in rooms.
const WITH_INDICES: [&str; 2] = ["FiMm", "FdMm"];

#[test]
fn placed_workloads_compute_what_they_mean() {
    let device = device();
    let named = |file| CASES.iter().filter(move |(f, ..)| *f == file).flat_map(|(_, names, _)| *names);
    let mut seen = 0;
    for (file, names, sizes) in CASES {
        for compiled in to_opencl(macro_text(file)) {
            let name = compiled.kernel.name.as_str();
            let is_wanted = match names.is_empty() {
                true => !WITH_INDICES.contains(&name) && !named(*file).any(|other| *other == name),
                false => names.contains(&name),
            };
            if !is_wanted {
                continue;
            }
            seen += 1;
            let spec = common::spec::leak(&compiled);
            let turns = sizes.len();
            let runs = sizes.iter().enumerate().map(|(turn, sizes)| {
                Comparison { compiled: &compiled, spec, sizes, tunables: &[], seed: seen }
                    .run_in_turn(&device, (turn, turns), |_| true)
                    .len()
            });
            assert!(runs.sum::<usize>() > 0, "{name} has no version");
        }
    }
    assert!(seen > 60, "{seen} kernels");
}
