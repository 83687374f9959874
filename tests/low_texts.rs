//! The texts of the kernels that are placed by hand: ten of them as they were read and approved, indices without divisions,
//! and no arrays that a work-item has for itself.

use common::macro_text as kernels;

/// How many `/` and `%` are in indices of arrays and in what is called one. Parts of sizes, `M / 16`, are numbers that the
/// driver knows.
fn divisions(source: &str) -> usize {
    let mut count = 0;
    for line in source.lines().map(|line| line.split("//").next().unwrap_or(line)) {
        let is_index = line.trim_start().starts_with("const index_t");
        let (mut depth, mut before, mut of_size) = (0, ' ', false);
        for c in line.chars() {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                '/' | '%' if (depth > 0 || is_index) && !of_size => count += 1,
                _ => {}
            }
            if c != ' ' {
                of_size = c.is_ascii_uppercase() && !before.is_alphanumeric() && before != '_';
            }
            before = c;
        }
    }
    count
}

#[test]
fn divisions_are_counted() {
    assert_eq!(divisions("x[i / 4] = y[i % 4 + 1] / 2.0f; // a / b"), 2);
    assert_eq!(divisions("x[M / 16 + (i + M) % 16] = 0;"), 1);
    assert_eq!(divisions("const index_t i = (l + 2) / 3;\nif (i < N / 2) {"), 1);
}

#[test]
fn indices_of_placed_kernels_have_no_divisions() {
    let files = [
        include_str!("../suite/src/low/algebra.rs"),
        include_str!("../suite/src/low/plane.rs"),
        include_str!("../suite/src/low/room.rs"),
        include_str!("../suite/src/low/rows.rs"),
        include_str!("../suite/src/low/volume.rs"),
    ];
    let mut found = Vec::new();
    let mut kernels_seen = 0;
    for compiled in files.iter().flat_map(|file| common::to_opencl(kernels(file))) {
        for version in &compiled.versions {
            kernels_seen += 1;
            let source = &version.generated.source;
            let count = divisions(source);
            if count > most(&compiled.kernel.name) {
                found.push(format!("{}: {count}\n{source}", compiled.kernel.name));
            }
        }
    }
    assert!(kernels_seen >= 15, "{kernels_seen} kernels");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The divisions that one would write, too.
fn most(kernel: &str) -> usize {
    match kernel {
        // Its 16 × 16 items copy tiles of 128 × 16 and 16 × 128 numbers: each finds its row and its column of fours.
        "Gemm" => 8,
        _ => 0,
    }
}

/// What an expert would write, line by line.
const READ: &[(&str, &str, &[&str])] = &[
    ("algebra", include_str!("../suite/src/low/algebra.rs"), &["Scal", "Gemv"]),
    (
        "plane",
        include_str!("../suite/src/low/plane.rs"),
        &["Jacobi2d5", "Gaussian", "Hotspot2d", "Stencil2d"],
    ),
    ("reductions", include_str!("../suite/src/low/reductions.rs"), &["Sum"]),
    ("room", include_str!("../suite/src/low/room.rs"), &["FiMm", "FdMm"]),
    ("time", include_str!("../suite/src/low/time.rs"), &["Jacobi2d5"]),
    ("volume", include_str!("../suite/src/low/volume.rs"), &["Jacobi3d7", "Jacobi3d13"]),
];

#[test]
fn texts_are_those_that_were_read() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _scope = settings.bind_to_scope();
    for (file, text, names) in READ {
        let compiled = common::to_opencl(kernels(text));
        for name in *names {
            let kernel = compiled.iter().find(|it| it.kernel.name == *name);
            let kernel = kernel.unwrap_or_else(|| panic!("{file} has no {name}"));
            insta::assert_snapshot!(format!("low.{file}.{name}.cl"), kernel.versions[0].generated.source);
        }
    }
}

#[test]
fn results_go_past_the_caches_if_the_kernel_says_so() {
    let compiled = common::to_opencl(kernels(include_str!("../suite/src/low/rows.rs")));
    for (name, streams) in [("Hotspot2d", true), ("Heat", false)] {
        let kernel = compiled.iter().find(|it| it.kernel.name == name).expect(name);
        let source = &kernel.versions[0].generated.source;
        assert_eq!(source.contains("__builtin_nontemporal_store"), streams, "{source}");
        assert_eq!(source.contains("stream_float16(out"), streams, "{source}");
    }
}

/// An array of one work-item lies in registers only if a driver can write out every loop over it.
#[test]
fn no_work_item_has_an_array_of_its_own() {
    let texts = [
        include_str!("../suite/src/low/algebra.rs"),
        include_str!("../suite/src/low/plane.rs"),
        include_str!("../suite/src/low/reductions.rs"),
        include_str!("../suite/src/low/room.rs"),
        include_str!("../suite/src/low/time.rs"),
        include_str!("../suite/src/low/vectors.rs"),
        include_str!("../suite/src/low/volume.rs"),
    ];
    let types = ["float", "double", "int", "float2", "float4", "float16"];
    for text in texts {
        for compiled in common::to_opencl(kernels(text)) {
            for version in &compiled.versions {
                for line in version.generated.source.lines().map(str::trim_start) {
                    let declares = types
                        .iter()
                        .any(|ty| line.strip_prefix(ty).is_some_and(|rest| rest.starts_with(' ')));
                    let is_array = line.split('=').next().is_some_and(|left| left.contains('['));
                    assert!(!(declares && is_array), "{}: {line}", compiled.kernel.name);
                }
            }
        }
    }
}
