//! The measuring program's rows: every kernel computes what the hand-written ones compute.

use std::process::Command;

use lift::Device;
use lift::spec::{KernelSpec, SizeVar};
use lift_suite::check::device;
use lift_suite::measure::{
    Conditions, Load, Measured, Peer, ROWS, Rival, Row, Tuned, Versions, Work, agree, is_host, json, measure,
    measure_with, rivals_table, table, versions_table,
};

fn check(tuned: impl Fn(&Row) -> Option<&Tuned>) {
    let Some(device) = opencl() else { return };
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

const ONE_RUN: Conditions = Conditions::of_runs(1);

/// The device of the tests; none if that is the host, for which nothing is written by hand.
fn opencl() -> Option<Device> {
    let device = device().expect("a device");
    (!is_host(&device)).then_some(device)
}

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
    let Some(device) = opencl() else { return };
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

#[test]
fn the_host_computes_the_same_beside_a_device() {
    let Some(device) = opencl() else { return };
    let conditions = Conditions { host: true, opponents: false, ..ONE_RUN };
    let measured = ROWS.iter().map(|row| {
        let measured = measure(row, &device, row.quick, conditions);
        (row, measured.unwrap_or_else(|error| panic!("{} {:?}: {error}", row.name, row.sizes)))
    });
    let measured: Vec<(&Row, Measured)> = measured.collect();
    for (row, it) in &measured {
        assert!(it.hand.is_none() && it.low.is_none() && it.naive.is_none(), "{}", row.name);
        assert!(it.host.is_some_and(|host| host.runs == 1 && host.median > 0.0), "{}", row.name);
        let ratio = |rival: &Rival| rival.name == "OpenCL" && rival.ratios.iter().all(|ratio| *ratio > 0.0);
        assert!(it.rivals.len() == 1 && it.rivals.iter().all(ratio), "{}: {:?}", row.name, it.rivals);
    }
    assert_eq!(rivals_table(&measured).lines().count(), ROWS.len() + 1);
}

#[test]
fn the_host_alone_has_no_opponents() {
    let row = row("jacobi2d 5pt");
    let all = Conditions { versions: Versions::All, host: true, ..ONE_RUN };
    let measured = measure(row, &Device::cpu(), row.quick, all).expect("a measurement");
    assert!(measured.hand.is_none() && measured.low.is_none() && measured.naive.is_none());
    // It is not beside itself.
    assert!(measured.host.is_none() && measured.rivals.is_empty());
    let text = table(&[(row, measured)]);
    let line = text.lines().nth(1).unwrap_or_default();
    let cells: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(cells.get(3..6), Some(&["-", "-", "-"][..]), "{text}");
}

/// What `scripts/peers` compiles, here with few optimisations.
fn loops() -> Peer {
    let (source, program) =
        (concat!(env!("CARGO_MANIFEST_DIR"), "/peers/loops.c"), env!("CARGO_TARGET_TMPDIR"));
    let program = format!("{program}/loops");
    let options = ["-std=gnu11", "-O1", "-fopenmp", "-fno-math-errno", "-o", &program, source, "-lm"];
    let status = Command::new("gcc").args(options).status().expect("a compiler of C");
    assert!(status.success());
    Peer::start(&program).expect("a program")
}

#[test]
fn programs_in_c_compute_the_same() {
    let mut peers = [loops()];
    let mut known = 0;
    for row in ROWS {
        let measured = measure_with(row, &Device::cpu(), &mut peers, row.quick, ONE_RUN);
        let measured = measured.unwrap_or_else(|error| panic!("{}: {error}", row.name));
        known += measured.rivals.len();
        assert!(measured.rivals.iter().all(|rival| rival.name == "loops" && rival.times.runs == 1));
    }
    assert!(known >= 26, "{known}");
}

#[test]
fn programs_that_end_are_noticed() {
    let row = row("jacobi2d 5pt");
    let mut peers = [Peer::start("false").expect("a program")];
    let error = measure_with(row, &Device::cpu(), &mut peers, row.quick, ONE_RUN).err();
    let error = error.expect("it does not answer").to_string();
    assert!(error.contains("has ended") || error.contains("pipe"), "{error}");
    assert!(Peer::start("no-such-program").is_err_and(|error| error.to_string().contains("no-such-program")));
}

fn row(name: &str) -> &'static Row {
    ROWS.iter().find(|row| row.name == name).expect("a row of this name")
}

#[test]
fn other_results_are_noticed() {
    let Some(device) = opencl() else { return };
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
    let Some(device) = opencl() else { return };
    let row = row("gaussian 5x5");
    let cpu = row.cpu.as_ref().expect("an opponent for CPUs");
    let error = agree(row, &device, cpu, &[8, 32]).expect_err("too narrow").to_string();
    assert!(error.contains("an extent that 64 divides, but it is 32"), "{error}");
}

#[test]
fn reports_have_every_row() {
    let Some(device) = opencl() else { return };
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

#[test]
fn what_this_program_takes_is_not_foreign() {
    let load = Load::start(&[]);
    while load.seconds() < 0.05 {}
    if let Some(share) = load.foreign() {
        assert!((0.0..=1.0).contains(&share), "{share}");
    }
}
