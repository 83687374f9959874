//! Floats mean one thing: random stencils give the same bits in every version, on every driver, as a whole and in two halves
//! with what each needs of the other.
//!
//! ```text
//! LIFT_BITS_CASES=200 LIFT_BITS=pocl.txt cargo test --test bits -- --nocapture
//! LIFT_BITS_CASES=200 LIFT_DEVICE=nvidia LIFT_BITS_AGAINST=pocl.txt cargo test --test bits -- --nocapture
//! ```
//!
//! The first writes the bits of all results to a file, the second compares those of another driver with them. Both say how many
//! differ.

#[path = "random/choices.rs"]
#[allow(dead_code, reason = "each test file uses a part of this")]
mod choices;
#[path = "bits/programs.rs"]
mod programs;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;

use common::{Data, device, run_version, to_opencl};
use lift::Error;
use lift_core::ir::{Literal, Scalar, Type};
use lift_laws::effort;
use lift_laws::interp::{self, Value};
use programs::Program;

/// How many results there are, and how many of them have other bits.
#[derive(Default, Clone, Copy)]
struct Count {
    programs: usize,
    other_programs: usize,
    elements: usize,
    other_elements: usize,
}

impl Count {
    fn compare(&mut self, a: &[u64], b: &[u64]) -> bool {
        assert_eq!(a.len(), b.len());
        let other = a.iter().zip(b).filter(|(a, b)| a != b).count();
        self.programs += 1;
        self.other_programs += usize::from(other > 0);
        self.elements += a.len();
        self.other_elements += other;
        other == 0
    }

    fn line(&self, what: &str) -> String {
        let Count { programs, other_programs, elements, other_elements } = self;
        format!("{what}: {other_programs} of {programs} results, {other_elements} of {elements} elements")
    }
}

/// The bits of floats; all that are no numbers are one.
fn bits(values: &[Value]) -> Vec<u64> {
    let bits = |value: &Value| match value.as_scalar() {
        Some(Literal::Float(x, _)) if x.is_nan() => u64::MAX,
        Some(Literal::Float(x, Scalar::F32)) => u64::from((x as f32).to_bits()),
        Some(Literal::Float(x, _)) => x.to_bits(),
        _ => panic!("{value} is no float"),
    };
    values.iter().map(bits).collect()
}

fn rows(value: &Value, from: usize, to: usize) -> Value {
    match value {
        Value::Array(rows) => Value::Array(rows[from..to].into()),
        _ => panic!("no array"),
    }
}

/// The bits of the results of two halves, put together.
fn in_halves(program: &Program, arrays: &[Value], run: &dyn Fn(&[Value]) -> Vec<u64>) -> Vec<u64> {
    let n = program.sizes[0].1 as usize;
    let row: usize = program.sizes[1..].iter().map(|(_, n)| *n as usize).product();
    let (before, after) = program.reach;
    let cut = n / 2;
    let (end, start) = ((cut + after).min(n), cut.saturating_sub(before));
    let part = |from, to| arrays.iter().map(|array| rows(array, from, to)).collect::<Vec<_>>();
    let (first, second) = (run(&part(0, end)), run(&part(start, n)));
    [&first[..cut * row], &second[(cut - start) * row..]].concat()
}

/// So many where everything is asked for.
const ALL: u64 = 12;

fn cases() -> u64 {
    let asked = std::env::var("LIFT_BITS_CASES").ok().and_then(|n| n.parse().ok());
    let cases = asked.unwrap_or(if effort::everything() { ALL } else { 3 });
    effort::report("random stencils whose bits are compared", cases as usize, ALL as usize);
    cases
}

#[test]
fn random_stencils_have_the_same_bits() {
    let device = device();
    let against: BTreeMap<String, Vec<u64>> = match std::env::var("LIFT_BITS_AGAINST") {
        Ok(path) => {
            std::fs::read_to_string(path).expect("the file can be read").lines().map(parsed).collect()
        }
        Err(_) => BTreeMap::new(),
    };
    let mut written =
        std::env::var("LIFT_BITS").ok().map(|path| File::create(path).expect("the file can be written"));
    let [mut versions, mut meaning, mut halves, mut drivers] = [Count::default(); 4];
    let mut regrouped = 0;
    for case in 0..cases() {
        let mut data = Data::new(case + 1);
        let numbers: Vec<u16> = (0..64).map(|_| (data.next() >> 20) as u16).collect();
        let program = programs::program(&numbers);
        let compiled = to_opencl(&program.text).remove(0);
        let spec = common::spec::leak(&compiled);
        let lens: Vec<usize> = program.sizes.iter().map(|(_, n)| *n as usize).collect();
        let array = |ty: &Type| data.value(ty.leaves()[0].1, &lens);
        let arrays: Vec<Value> = compiled.kernel.params.iter().map(|p| &p.ty).map(array).collect();
        let sizes = compiled.kernel.sizes.iter().zip(&program.sizes);
        let sizes = sizes.map(|(var, (_, n))| (var.clone(), *n)).collect();
        let expected = interp::run(&compiled.kernel, &sizes, &arrays).expect("the interpreter's result");
        let expected = bits(&expected.flat());
        let mut naive = Vec::new();
        for version in &compiled.versions {
            let run = |arrays: &[Value]| {
                run_version(&compiled, spec, version.name, &device, arrays).map(|found| bits(&found[0]))
            };
            let name = format!("{case} {}", version.name);
            let whole = match run(&arrays) {
                Ok(whole) => whole,
                Err(error @ (Error::TooManyLocalBytes { .. } | Error::WorkGroupTooLarge { .. })) => {
                    eprintln!("{name} is left out: {error}");
                    continue;
                }
                Err(error) => panic!("{name}: {error}\n{}", program.text),
            };
            if let Some(file) = &mut written {
                let words = whole.iter().map(|x| format!(" {x:x}"));
                writeln!(file, "{name}{}", words.collect::<String>()).expect("the file can be written");
            }
            if version.name == "naive" {
                naive.clone_from(&whole);
            }
            // Nothing is promised of the last bits of these but that they are those of another driver.
            if version.regroups {
                regrouped += 1;
            } else {
                let say = |what: &str| eprintln!("{name}: {what}: {}", program.text);
                if !versions.compare(&naive, &whole) {
                    say("other bits than naive");
                }
                if !meaning.compare(&expected, &whole) {
                    say("other bits than the interpreter");
                }
                let run = |arrays: &[Value]| run(arrays).expect("what ran on the whole");
                if !halves.compare(&whole, &in_halves(&program, &arrays, &run)) {
                    say("halves have other bits");
                }
            }
            if let Some(other) = against.get(&name)
                && !drivers.compare(other, &whole)
            {
                eprintln!("{name}: the other driver has other bits: {}", program.text);
            }
        }
    }
    let counts = [
        (versions, "versions and naive"),
        (meaning, "versions and interpreter"),
        (halves, "halves and whole"),
        (drivers, "drivers"),
    ];
    let lines: Vec<String> = counts.iter().map(|(count, what)| count.line(what)).collect();
    eprintln!("{device}\n{}\n{regrouped} versions regroup", lines.join("\n"));
    assert!(counts.iter().all(|(count, _)| count.other_elements == 0), "other bits");
}

/// A version's name and the bits of its result.
fn parsed(line: &str) -> (String, Vec<u64>) {
    let mut words = line.split(' ');
    let name = [words.next(), words.next()].map(Option::unwrap_or_default).join(" ");
    (name, words.map(|x| u64::from_str_radix(x, 16).expect("bits")).collect())
}

/// The relative error of a variance of numbers about 300 that drift by 2 is that of one rounding or two. Without what distances from a chunk's rounded mean add up to, it would be 300 times as large.
#[test]
fn variances_in_chunks_lose_no_digits() {
    let device = device();
    let n = 1 << 18;
    let x: Vec<f32> = (0..n)
        .map(|i| (299.0 + 2.0 * f64::from(i) / f64::from(n) + 0.2 * f64::from(i).sin()) as f32)
        .collect();
    let doubles = || x.iter().map(|&v| f64::from(v));
    let mean = doubles().sum::<f64>() / f64::from(n);
    let exact = doubles().map(|v| (v - mean) * (v - mean)).sum::<f64>();
    let number = |&v: &f32| Value::Scalar(Literal::float(f64::from(v), Scalar::F32));
    let row = Value::Array([Value::Array(x.iter().map(number).collect())].into_iter().collect());
    let column = Value::Array(x.iter().map(|v| Value::Array([number(v)].into_iter().collect())).collect());
    for (rows, count, input) in [("x", "M", row), ("x.transpose()", "N", column)] {
        let results = if count == "M" { "N" } else { "M" };
        let text = format!(
            "#[kernel] fn Variance<N, M>(x: [[f32; M]; N]) -> [f32; {results}] {{
                {rows}.map(|r| {{
                    let mean = r.reduce(add, 0.0) / {count} as f32;
                    r.map(|v| (v - mean) * (v - mean)).reduce(add, 0.0)
                }})
            }}"
        );
        let compiled = to_opencl(&text).remove(0);
        let spec = common::spec::leak(&compiled);
        let found = run_version(&compiled, spec, "two_stage", &device, std::slice::from_ref(&input));
        let found = found.expect("stages")[0][0].as_scalar().and_then(Literal::as_float).expect("a number");
        let error = (found - exact).abs() / exact;
        assert!(error < 3e-7, "{rows}: {error:.1e}");
    }
}
