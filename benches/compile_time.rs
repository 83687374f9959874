//! How long the compiler behind the macro takes for one kernel, and for whole files; and whether that stays within limits.
//!
//! In a dev build the compiler is built as it is for macros: `cargo bench --profile dev --bench compile_time` measures what a
//! user waits for. It fails where the median of some runs is beyond a limit: for a blur with large windows, and for the largest
//! program of the suite, with all its versions. `-- limits` checks nothing else.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use criterion::Criterion;
use lift_core::pipeline;

/// A blur may take so long.
const LIMIT_OF_BLUR: Duration = Duration::from_millis(30);

/// The largest program of the suite may take so long.
const LIMIT_OF_LARGEST: Duration = Duration::from_millis(300);

/// So many runs have a median.
const RUNS: usize = 21;

/// So few find the largest program.
const RUNS_TO_FIND: usize = 3;

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
    ("file/hotspots", include_str!("../suite/src/stencils/hotspot.rs")),
    ("file/poisson", include_str!("../suite/src/stencils/poisson.rs")),
    ("file/air_of_a_room", include_str!("../suite/src/rooms/volume.rs")),
];

/// What stands in the first `lift!( … );` of a file.
fn block(file: &str) -> &str {
    let inside = file.split_once("lift!(").map_or("", |(_, rest)| rest);
    inside.split_once("\n);").map_or(inside, |(block, _)| block)
}

/// Every kernel of such a block by itself, with what it may need and for one type: its name, and the text. Items stand apart.
fn programs(block: &str) -> Vec<(&str, String)> {
    let (kernels, others): (Vec<&str>, Vec<&str>) =
        block.split("\n\n").partition(|item| item.contains("#[kernel]"));
    let named = kernels.into_iter().filter_map(|kernel| {
        let (_, rest) = kernel.split_once("pub fn ")?;
        let name = rest.split(['<', '(']).next()?;
        let kernel = kernel.replace("#[types(T = f32, f64)]", "#[types(T = f32)]");
        Some((name, [&others[..], &[kernel.as_str()]].concat().join("\n\n")))
    });
    named.collect()
}

/// What a macro does with a text.
fn compile(text: &str) -> pipeline::Compilation {
    let compilation = pipeline::compile(text.parse().expect("tokens"));
    assert!(compilation.diagnostics.is_empty(), "{text}");
    compilation
}

fn compile_time(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("macro");
    let files = FILES.iter().map(|(name, file)| (name, block(file)));
    for (name, text) in KERNELS.iter().map(|(name, text)| (name, *text)).chain(files) {
        group.bench_function(*name, |bencher| bencher.iter(|| compile(text)));
    }
    group.finish();
}

/// The time in the middle.
fn median(text: &str, runs: usize) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            compile(text);
            start.elapsed()
        })
        .collect();
    times.sort();
    times[runs / 2]
}

/// Whether a text is compiled in time.
fn is_within(limit: Duration, name: &str, text: &str) -> bool {
    let median = median(text, RUNS);
    let verdict = if median <= limit { "within" } else { "BEYOND" };
    println!(
        "limits: {name} takes {median:.1?}, the median of {RUNS} runs: {verdict} the limit of {limit:?}"
    );
    median <= limit
}

/// Whether all limits are kept.
fn limits() -> bool {
    if !cfg!(debug_assertions) {
        println!("limits: they are those of a dev build (`--profile dev`), and this is none");
    }
    let blur = KERNELS.iter().find(|(name, _)| *name == "blur").expect("a blur");
    let all = FILES.iter().flat_map(|(_, file)| programs(block(file)));
    let (largest, text) =
        all.max_by_key(|(_, text)| median(text, RUNS_TO_FIND)).expect("a program of the suite");
    // Both are to be shown.
    let all = [
        is_within(LIMIT_OF_BLUR, "a blur of 17x17 points", blur.1),
        is_within(LIMIT_OF_LARGEST, &format!("{largest}, the largest program of the suite,"), &text),
    ];
    all.iter().all(|within| *within)
}

fn main() -> ExitCode {
    if std::env::args().all(|arg| arg != "limits") {
        let mut criterion = Criterion::default().configure_from_args();
        compile_time(&mut criterion);
        criterion.final_summary();
    }
    match limits() {
        true => ExitCode::SUCCESS,
        false => {
            eprintln!("the compiler takes longer than its limits allow");
            ExitCode::FAILURE
        }
    }
}
