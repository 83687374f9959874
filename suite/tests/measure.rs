//! The measuring program's rows: every kernel computes what the hand-written ones compute.

use lift::spec::{KernelSpec, SizeVar};
use lift_suite::check::device;
use lift_suite::measure::{
    Caches, Conditions, ROWS, Row, Tuned, Versions, Work, agree, json, measure, table, versions_table,
};

fn check(tuned: impl Fn(&Row) -> Option<&Tuned>) {
    let device = device().expect("an OpenCL device");
    let mut checked = 0;
    for row in ROWS {
        if let Some(tuned) = tuned(row) {
            let result = agree(row, &device, tuned, row.quick);
            result.unwrap_or_else(|error| panic!("{} {:?}: {error}", row.name, row.sizes));
            checked += 1;
        }
    }
    assert!(checked > 0, "no row has such kernels");
}

const ONE_RUN: Conditions =
    Conditions { runs: 1, caches: Caches::Cold, checked: true, versions: Versions::First };

#[test]
fn kernels_agree_with_those_written_for_gpus() {
    check(|row| Some(&row.gpu));
}

#[test]
fn kernels_agree_with_those_written_for_cpus() {
    check(|row| row.cpu.as_ref());
}

#[test]
fn versions_agree_where_nothing_is_written_by_hand() {
    let device = device().expect("an OpenCL device");
    let alone: Vec<&Row> = ROWS.iter().filter(|row| row.gpu.hand.is_none()).collect();
    assert!(!alone.is_empty());
    let all = Conditions { versions: Versions::All, ..ONE_RUN };
    for row in alone {
        let measured = measure(row, &device, row.quick, all);
        let measured = measured.unwrap_or_else(|error| panic!("{}: {error}", row.name));
        let text = versions_table(&[(row, measured)]);
        // Everything is there once, and ratios are to `naive`.
        let named = row
            .algorithmic
            .spec
            .variants
            .iter()
            .filter(|variant| text.contains(&format!(" {} ", variant.name)));
        assert!(named.count() > 0, "{text}");
        let naive = text.lines().find(|line| line.contains(" naive ")).unwrap_or_else(|| panic!("{text}"));
        assert!(naive.contains(" 1.000 "), "{text}");
    }
}

fn row(name: &str) -> &'static Row {
    ROWS.iter().find(|row| row.name == name).expect("a row of this name")
}

#[test]
fn other_results_are_noticed() {
    let device = device().expect("an OpenCL device");
    let (five, nine) = (row("jacobi2d 5pt"), row("jacobi2d 9pt"));
    let error = agree(five, &device, &nine.gpu, five.quick).expect_err("they differ").to_string();
    assert!(error.contains("in the algorithmic kernel"), "{error}");
    // Every second row of a block is left out.
    let mut half = five.gpu;
    half.hand.as_mut().expect("an opponent").first.work = Work::Item(&[4, 4]);
    let error = agree(five, &device, &half, five.quick).expect_err("it is incomplete").to_string();
    assert!(error.contains("leaves elements out"), "{error}");
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let device = device().expect("an OpenCL device");
    let row = row("gaussian 5x5");
    let cpu = row.cpu.as_ref().expect("an opponent for CPUs");
    let error = agree(row, &device, cpu, &[8, 32]).expect_err("too narrow").to_string();
    assert!(error.contains("an extent that 64 divides, but it is 32"), "{error}");
}

#[test]
fn reports_have_every_row() {
    let device = device().expect("an OpenCL device");
    let rows = [row("hotspot2d"), row("jacobi3d 7pt")];
    let measured = rows.map(|row| (row, measure(row, &device, row.quick, ONE_RUN).expect("a measurement")));
    let text = table(&measured);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[1].starts_with("hotspot2d     36x320     "), "{text}");
    let json = json("a \"device\"", 1, &measured);
    assert!(json.starts_with("{\n  \"device\": \"a \\\"device\\\"\",\n  \"runs\": 1,\n"), "{json}");
    assert_eq!(json.matches("\"low_over_hand\": ").count(), 2, "{json}");
    assert!(
        json.contains("\"sizes\": [20, 12, 192], \"hand_shape\": \"allx1x1 an item, groups of 1x1x1\""),
        "{json}"
    );
}

/// The sizes of a row for a kernel that takes the same arrays as the algorithmic one, and calls their extents the same.
fn sizes_of(spec: &KernelSpec, row: &Row) -> Vec<i64> {
    let names = &row.algorithmic.spec.sizes;
    let size = |var: &SizeVar| names.iter().zip(row.sizes).find(|(known, _)| known.name == var.name);
    spec.sizes.iter().map(|var| *size(var).expect("an extent of the same name").1 as i64).collect()
}

/// At the sizes that are measured, indices of 64 bits would cost time for nothing.
#[test]
fn indices_of_all_rows_fit_32_bits() {
    for row in ROWS {
        let algorithmic = row.algorithmic.spec;
        let placed = [Some(row.gpu), row.cpu].into_iter().flatten().filter_map(|tuned| tuned.low);
        for spec in placed.chain([algorithmic]) {
            let sizes = sizes_of(spec, row);
            for variant in spec.variants.iter() {
                let tunables: Vec<i64> = variant.tunables.iter().map(|tunable| tunable.default).collect();
                let greatest = variant.greatest_index(&sizes, &tunables);
                let fits = greatest.is_some_and(|n| i32::try_from(n).is_ok());
                assert!(fits, "{} ({}, {}): {greatest:?}", row.title(), spec.name, variant.name);
            }
        }
    }
}
