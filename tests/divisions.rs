//! Indices of kernels that are placed by hand are computed as one would write them: without divisions.

mod common;

/// The text of the macro in a file of kernels.
fn kernels(file: &str) -> &str {
    let (_, rest) = file.split_once("lift!(").expect("a macro");
    let (text, _) = rest.rsplit_once(");").expect("its end");
    text
}

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
        include_str!("../suite/src/low/rows.rs"),
        include_str!("../suite/src/low/volume.rs"),
    ];
    let mut found = Vec::new();
    let mut kernels_seen = 0;
    for compiled in files.iter().flat_map(|file| common::compile(kernels(file))) {
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
