//! Programs mean what the kernels mean that they were cut from: each is run launch by launch with the
//! interpreter, on buffers, and compared with the value of the whole kernel.

mod kernels;
mod pages;
mod passes;
mod points;
mod run;
mod texts;
mod whole;

use std::collections::BTreeMap;

use lift_core::arith::Var;
use lift_core::ir::{Kernel, Literal, Output, Scalar, Type};
use lift_core::program::passes::in_passes;
use lift_core::program::{Program, cut};

use crate::check;
use crate::interp::{self, Value};
use crate::print::Shown;
use crate::testing::{Random, close, kernel};
use run::{leaves, run};

/// Values that are not round, small enough for sums of products.
fn random(ty: &Type, sizes: &BTreeMap<Var, i64>, random_: &mut Random) -> Value {
    match ty {
        Type::Scalar(scalar) => {
            let number = random_.below(64) as i32 - 20;
            Value::Scalar(match scalar {
                Scalar::F32 => Literal::float(f64::from(number) * 0.37 + 0.01, *scalar),
                Scalar::Usize => Literal::number(number.rem_euclid(5), *scalar),
                _ => Literal::number(number, *scalar),
            })
        }
        Type::Array(element, len) => {
            let n = interp::Env::new(sizes).size(len).unwrap();
            Value::Array((0..n).map(|_| random(element, sizes, random_)).collect())
        }
        Type::Tuple(parts) => Value::Tuple(parts.iter().map(|ty| random(ty, sizes, random_)).collect()),
    }
}

/// Cuts the kernel, runs the program for all sizes, and compares.
fn check_program(text: &str, all_sizes: &[&[i64]]) -> Program {
    let kernel = kernel(text);
    let program = cut(&kernel);
    check_launches(&kernel, &program, all_sizes, &BTreeMap::new());
    program
}

/// The same for the program in passes. Returns the one that is made for groups of work-items.
fn check_passes(text: &str, all_sizes: &[&[i64]]) -> Program {
    let kernel = kernel(text);
    let all = in_passes(&kernel).0;
    for passes in &all {
        // Strips that end inside of the array, and such that do not.
        for height in [1, 3] {
            let heights = passes.heights.iter().map(|(var, _)| (var.clone(), height)).collect();
            check_launches(&kernel, &passes.program, all_sizes, &heights);
        }
    }
    all.into_iter().find(|passes| passes.name == "passes").unwrap().program
}

/// The program in passes of whole rows, checked as well.
fn check_row_passes(text: &str, all_sizes: &[&[i64]]) -> Option<Program> {
    check_passes(text, all_sizes);
    in_passes(&kernel(text))
        .0
        .into_iter()
        .find(|passes| passes.name == "row_passes")
        .map(|passes| passes.program)
}

/// Runs a kernel's launches for all sizes, and compares.
pub(crate) fn check_launches(
    kernel: &Kernel,
    program: &Program,
    all_sizes: &[&[i64]],
    tunables: &BTreeMap<Var, i64>,
) {
    for stage in &program.stages {
        check::check(stage).unwrap_or_else(|e| panic!("{}: {e}\n{}", stage.name, Shown(program)));
    }
    for (seed, values) in all_sizes.iter().enumerate() {
        assert_eq!(values.len(), kernel.sizes.len());
        let sizes: BTreeMap<Var, i64> = kernel.sizes.iter().cloned().zip(values.iter().copied()).collect();
        let mut numbers = Random::new(seed as u64);
        let inputs: Vec<Value> = kernel.params.iter().map(|p| random(&p.ty, &sizes, &mut numbers)).collect();
        let whole = interp::run(kernel, &sizes, &inputs).unwrap();
        let parts: Vec<(Value, Type)> = match (kernel.outputs.as_slice(), &whole, kernel.body.ty()) {
            ([_], _, ty) => vec![(whole, ty.clone())],
            (_, Value::Tuple(values), Type::Tuple(tys)) => {
                values.iter().cloned().zip(tys.iter().cloned()).collect()
            }
            _ => panic!("outputs of {}", kernel.body.ty()),
        };
        let mut results = Vec::new();
        let mut params: Vec<_> =
            kernel.params.iter().zip(&inputs).map(|(p, value)| leaves(value, &p.ty)).collect();
        for ((value, ty), output) in parts.iter().zip(&kernel.outputs) {
            match output {
                Output::Result => results.extend(leaves(value, ty)),
                Output::Update(i) => params[*i] = leaves(value, ty),
            }
        }
        let sizes = sizes.into_iter().chain(tunables.clone()).collect();
        let (found_params, found) = run(program, kernel, &sizes, &inputs);
        for (found, expected) in [(found, results), (found_params, params.concat())] {
            assert_eq!(found.len(), expected.len(), "{}", Shown(program));
            for (found, expected) in found.iter().zip(&expected) {
                let same =
                    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| close(a, b));
                assert!(same, "{found:?}\nis not\n{expected:?}\n{values:?}\n{}", Shown(program));
            }
        }
    }
}
