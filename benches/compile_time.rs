//! How long the compiler behind the macro takes for one kernel, and for whole files.
//!
//! Cargo builds macros with the `build-override` of a profile, here optimisation level 1:
//! `CARGO_PROFILE_BENCH_OPT_LEVEL=1 cargo bench --bench compile_time` measures what a user waits for.

use criterion::{Criterion, criterion_group, criterion_main};
use lift_core::pipeline;

const KERNELS: &[(&str, &str)] = &[
    (
        "saxpy",
        "#[kernel] fn Saxpy<N>(a: f32, x: [f32; N], y: [f32; N]) -> [f32; N] { zip(x, y).map(|(x, y)| a * x + y) }",
    ),
    (
        "blur",
        "fn f(nbh: [[f32; 17]; 17]) -> f32 { nbh.join().reduce(add, 0.0) / 289.0 }
        #[kernel] fn Blur<H, W>(image: [[f32; W]; H]) -> [[f32; W]; H] {
            image.pad2d(8, 8, clamp).slide2d(17, 1).map2d(f)
        }",
    ),
    (
        "jacobi3d",
        "#[kernel] fn Jacobi<N, M, O>(u: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
            u.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w| 0.5 * w[1][1][1]
                + 0.1 * (w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2]))
        }",
    ),
];

/// Whole files of the suite, the largest blocks there are: all their kernels together.
const FILES: &[(&str, &str)] = &[
    ("file/nine_jacobis", include_str!("../suite/src/stencils/jacobi.rs")),
    ("file/srad_loop_and_two_kernels", include_str!("../suite/src/stencils/srad.rs")),
    ("file/four_convolutions", include_str!("../suite/src/stencils/convolution.rs")),
    ("file/sums_and_maximum", include_str!("../suite/src/reduce.rs")),
    ("file/heat_3d", include_str!("../suite/src/stencils/heat.rs")),
    ("file/eight_of_blas", include_str!("../suite/src/blas.rs")),
    ("file/acoustic", include_str!("../suite/src/stencils/acoustic.rs")),
    ("file/fd_mm_walls", include_str!("../suite/src/rooms/walls.rs")),
    ("file/gradient", include_str!("../suite/src/stencils/gradient.rs")),
    ("file/n_body_and_molecules", include_str!("../suite/src/physics.rs")),
];

/// What stands in the first `lift!( … );` of a file.
fn block(file: &str) -> &str {
    let inside = file.split_once("lift!(").map_or("", |(_, rest)| rest);
    inside.split_once("\n);").map_or(inside, |(block, _)| block)
}

fn compile_time(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("macro");
    let files = FILES.iter().map(|(name, file)| (name, block(file)));
    for (name, text) in KERNELS.iter().map(|(name, text)| (name, *text)).chain(files) {
        group.bench_function(*name, |bencher| {
            bencher.iter(|| {
                let compilation = pipeline::compile(text.parse().expect("tokens"));
                assert!(compilation.diagnostics.is_empty());
                compilation
            });
        });
    }
    group.finish();
}

criterion_group!(benches, compile_time);
criterion_main!(benches);
