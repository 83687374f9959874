//! Random programs over all primitives: every version means what the expression means, and devices compute it. Programs
//! that say themselves where everything is computed have one version, whose accesses Oclgrind watches, too.
//!
//! A program is decided by a list of numbers (`random/choices.rs`), which proptest shortens when something goes
//! wrong. Thousands are compiled and compared by the interpreter alone, hundreds run on the device. For a long
//! run, say how many:
//!
//! ```text
//! LIFT_RANDOM_CASES=100000 cargo test --test random
//! ```
//!
//! `LIFT_RANDOM_LAST=file` keeps the last program that was run, for drivers that do not survive it.

#[path = "random/choices.rs"]
mod choices;
#[path = "random/generate.rs"]
mod generate;
#[path = "random/loops.rs"]
mod loops;
#[path = "random/placed.rs"]
mod placed;
#[path = "random/rows.rs"]
mod rows;
#[path = "random/scalars.rs"]
mod scalars;
#[path = "random/stencils.rs"]
mod stencils;
#[path = "random/types.rs"]
mod types;
#[path = "random/updates.rs"]
mod updates;

use common::statements::Statements;
use common::{Comparison, compile, device, to_opencl, work};
use lift_laws::effort;
use proptest::prelude::*;

/// The decisions of a program.
fn numbers() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..48)
}

/// Says which program it was if its test fails.
struct Said<'a>(&'a str);

impl Drop for Said<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

fn check(text: &str, sizes: &[&[(&str, i64)]], seed: u64) {
    let _said = Said(text);
    // If the driver ends the process, that is what it had to run.
    if let Ok(path) = std::env::var("LIFT_RANDOM_LAST") {
        std::fs::write(path, format!("{text}\n// {sizes:?}, {seed}\n")).expect("the path can be written");
    }
    let before = common::oclgrind::findings().len();
    let device = device();
    for mut compiled in to_opencl(text) {
        if common::oclgrind::is_device() {
            // It takes what one launch has left to the next for uninitialised.
            compiled.versions.retain(|version| version.generated.schedule.temporaries.is_empty());
        }
        if compiled.versions.is_empty() {
            continue;
        }
        let spec = common::spec::leak(&compiled);
        for sizes in sizes {
            let (x, y, z) = (1 + (seed % 9) as i64, 1 + (seed % 4) as i64, 1 + (seed % 7) as i64);
            let tunables = &[("TILE_X", x), ("TILE_Y", y), ("TILE_Z", z)];
            Comparison { compiled: &compiled, spec, sizes, tunables, seed }.run(&device);
        }
    }
    let findings = common::oclgrind::findings();
    assert!(findings.len() == before, "{}\n{text}", findings.get(before..).unwrap_or(&findings));
}

/// Every version as statements, with indices of as few bits as its bounds allow.
fn check_statements(text: &str, sizes: &[(&str, i64)], seed: u64) {
    let _said = Said(text);
    let tunables = &[("TILE_X", 1 + (seed % 9) as i64), ("TILE_Y", 1 + (seed % 4) as i64)];
    for compiled in to_opencl(text) {
        Statements { compiled: &compiled, sizes, tunables, seed }.check(|_| true);
    }
}

/// The work law, for all versions.
fn check_work(text: &str) {
    let _said = Said(text);
    for compiled in to_opencl(text) {
        let growth = work::growth(&compiled, ["N", "M"]);
        for (version, growth) in growth.unwrap_or_else(|e| panic!("{e}")) {
            assert!(growth <= work::MOST, "{version}: {growth}");
        }
    }
}

/// So many cases, unless more are asked for.
fn config(few: u32) -> ProptestConfig {
    let cases = effort::count(few, "LIFT_RANDOM_CASES");
    ProptestConfig { cases, max_shrink_iters: 400, failure_persistence: None, ..Default::default() }
}

/// A random expression of integers of one type, over `a` and `b`.
fn integer(ty: &'static str) -> impl Strategy<Value = String> {
    let leaf =
        prop_oneof![Just("a".to_string()), Just("b".to_string()), (0..100_u8).prop_map(|n| n.to_string())];
    leaf.prop_recursive(4, 24, 2, move |inner| {
        let pair = (inner.clone(), inner.clone());
        let infix = prop::sample::select(&["+", "-", "*", "/", "%", "&", "|", "^"]);
        let method = prop::sample::select(&[
            "min",
            "max",
            "rem_euclid",
            "div_euclid",
            "wrapping_mul",
            "saturating_add",
            "saturating_sub",
        ]);
        let counted =
            prop::sample::select(&["wrapping_shl", "wrapping_shr", "rotate_left", "rotate_right", "pow"]);
        let counts = prop::sample::select(&["count_ones", "leading_zeros", "trailing_zeros"]);
        let types = &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "f32", "f64"];
        let through = prop::sample::select(types);
        prop_oneof![
            4 => (pair.clone(), infix).prop_map(|((x, y), op)| format!("({x} {op} {y})")),
            2 => (pair.clone(), method).prop_map(|((x, y), f)| format!("(({x}) as T).{f}({y})")),
            1 => (inner.clone(), counted, 0..70_u8).prop_map(|(x, f, n)| format!("(({x}) as T).{f}({n})")),
            1 => (inner.clone(), counts).prop_map(|(x, f)| format!("((({x}) as T).{f}() as T)")),
            1 => (inner.clone(), through).prop_map(|(x, by)| format!("((({x}) as T) as {by} as T)")),
            1 => (pair, inner).prop_map(|((x, y), z)| format!("(if {x} < {y} {{ !{z} }} else {{ {x} }})")),
        ]
    })
    .prop_map(move |e| e.replace('T', ty))
}

const INTEGERS: &[&str] = &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize"];

fn integers() -> impl Strategy<Value = (&'static str, String)> {
    prop::sample::select(INTEGERS).prop_flat_map(|ty| (Just(ty), integer(ty)))
}

proptest! {
    #![proptest_config(config(200))]

    /// Every program is accepted, with the type that was foreseen, and its text can be made.
    #[test]
    fn are_compiled(numbers in numbers()) {
        compile(&generate::program(&numbers));
    }
}

proptest! {
    #![proptest_config(config(32))]

    #[test]
    fn run_on_the_device(numbers in numbers(), sizes in 0..generate::EXTENTS.len(), seed in 1_u64..1_000_000) {
        let [n, m] = generate::EXTENTS[sizes];
        check(&generate::program(&numbers), &[&[("N", n), ("M", m)]], seed);
    }
}

proptest! {
    #![proptest_config(config(16))]

    #[test]
    fn with_integers_of_all_widths((ty, e) in integers(), seed in 1_u64..1_000_000) {
        let text = format!(
            "#[kernel] fn Random<N>(a: [{ty}; N], b: [{ty}; N]) -> [{ty}; N] {{ zip(a, b).map(|(a, b)| {e}) }}"
        );
        check(&text, &[&[("N", 67)]], seed);
    }
}

proptest! {
    #![proptest_config(config(120))]

    /// Every program that is legal by construction is accepted.
    #[test]
    fn placed_by_hand_are_compiled(numbers in numbers()) {
        compile(&placed::program(&numbers).text);
    }
}

proptest! {
    #![proptest_config(config(10))]

    #[test]
    fn placed_by_hand_run_on_the_device(numbers in numbers(), sizes in 0..3_usize, seed in 1_u64..1_000_000) {
        let program = placed::program(&numbers);
        let [n, m] = program.sizes[sizes];
        check(&program.text, &[&[("N", n), ("M", m)]], seed);
    }
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn with_several_updates_are_compiled(numbers in numbers()) {
        compile(&updates::program(&numbers));
    }
}

proptest! {
    #![proptest_config(config(10))]

    #[test]
    fn with_several_updates_run_on_the_device(numbers in numbers(), seed in 1_u64..1_000_000) {
        let text = updates::program(&numbers);
        check(&text, &[&[("N", 1 + seed as i64 % 7), ("M", 1 + seed as i64 / 7 % 4)]], seed);
    }
}

proptest! {
    #![proptest_config(config(20))]

    #[test]
    fn stencils_are_compiled(numbers in numbers()) {
        compile(&stencils::program(&numbers));
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn stencils_run_on_the_device(
        numbers in numbers(), extents in 0..stencils::EXTENTS.len(), seed in 1_u64..1_000_000,
    ) {
        let text = stencils::program(&numbers);
        let [n, m, o] = stencils::EXTENTS[extents];
        check(&text, &[&[("N", n), ("M", m), ("O", o)]], seed);
    }
}

proptest! {
    #![proptest_config(config(16))]

    #[test]
    fn have_indices_within_their_bounds(numbers in numbers(), sizes in 0..3_usize, seed in 1_u64..1_000_000) {
        let [n, m] = generate::EXTENTS[sizes];
        check_statements(&generate::program(&numbers), &[("N", n), ("M", m)], seed);
        let placed = placed::program(&numbers);
        let [n, m] = placed.sizes[sizes];
        check_statements(&placed.text, &[("N", n), ("M", m)], seed);
        let (n, m) = (1 + seed as i64 % 7, 1 + seed as i64 / 7 % 4);
        check_statements(&updates::program(&numbers), &[("N", n), ("M", m)], seed);
    }
}

proptest! {
    #![proptest_config(config(16))]

    #[test]
    fn compute_no_more_than_is_written(numbers in numbers()) {
        check_work(&generate::program(&numbers));
    }
}

proptest! {
    #![proptest_config(config(10))]

    /// Of these, some versions still compute what a row shares for each of its elements.
    #[test]
    #[ignore = "a search for programs that the law does not hold for yet"]
    fn rows_compute_no_more_than_is_written(numbers in numbers()) {
        check_work(&rows::program(&numbers));
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn rows_run_on_the_device(numbers in numbers(), sizes in 0..generate::EXTENTS.len(), seed in 1_u64..1_000_000) {
        let [n, m] = generate::EXTENTS[sizes];
        check(&rows::program(&numbers), &[&[("N", n), ("M", m)]], seed);
    }
}

proptest! {
    #![proptest_config(config(6))]

    #[test]
    fn stencils_have_indices_within_their_bounds(
        numbers in numbers(), extents in 0..stencils::EXTENTS.len(), seed in 1_u64..1_000_000,
    ) {
        let [n, m, o] = stencils::EXTENTS[extents];
        check_statements(&stencils::program(&numbers), &[("N", n), ("M", m), ("O", o)], seed);
    }
}

#[test]
fn oclgrind_finds_nothing_in_stencils() {
    common::oclgrind::run("stencils_run_on_the_device", &[]);
}

#[test]
fn oclgrind_finds_nothing_in_several_updates() {
    common::oclgrind::run("with_several_updates_run_on_the_device", &[]);
}

#[test]
fn oclgrind_finds_nothing_in_programs_placed_by_hand() {
    common::oclgrind::run("placed_by_hand_run_on_the_device", &[]);
}
