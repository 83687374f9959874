//! Reductions as trees.

use lift_core::ir::{Kernel, Literal, Scalar};
use lift_core::rewrite::normal;
use lift_core::rewrite::rules::partial;
use lift_core::rewrite::strategy::{Derivation, Strategy};

use crate::interp::{self, Value};
use crate::rules::rounds;
use crate::testing::kernel;

fn normalised(kernel: &Kernel) -> Derivation {
    let mut d = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut d);
    d
}

/// The rounds of an `iterate` of which the array becomes shorter are written out as well.
#[test]
fn a_tree_is_what_iterate_means() {
    for (n, rounds, halves) in [
        (2, 1, "xs.split(2)"),
        (8, 3, "xs.split(2)"),
        // One more than pairs in every round: 9, 5, 3, 2.
        (9, 3, "xs.pad(0, 1, constant(0)).split(2)"),
    ] {
        let combined = "map(|pair| pair[0] + pair[1])";
        let last = if n == 9 { format!(".split(2).{combined}") } else { String::new() };
        let iterated = format!(
            "#[kernel] fn Tree(x: [i32; {n}]) -> i32 {{ iterate({rounds}, |xs| {halves}.{combined}, x){last}[0] }}"
        );
        let iterated = normalised(&kernel(&iterated));
        let reduced = kernel(&format!("#[kernel] fn Tree(x: [i32; {n}]) -> i32 {{ x.reduce(add, 0) }}"));
        let mut tree = normalised(&reduced);
        assert!(Strategy::Rule(&rounds::REDUCE_TREE).apply(&mut tree));
        normal::strategy(Strategy::once).apply(&mut tree);
        assert_eq!(tree.expr().to_string(), iterated.expr().to_string());
    }
}

/// Where the length is not known, pieces of an array are trees, and so is what is left of a known number of pieces.
#[test]
fn pieces_of_any_array_are_trees() {
    let kernel = kernel("#[kernel] fn Sum<N>(x: [i32; N]) -> i32 { x.reduce(add, 0) }");
    let mut d = normalised(&kernel);
    assert!(!Strategy::Rule(&rounds::REDUCE_TREE).apply(&mut d));
    let split = d.apply(&partial::REDUCE_SPLIT, &[]).unwrap();
    d.choose(&split.sizes[0], 8);
    assert!(Strategy::Rule(&rounds::REDUCE_TREE).once().apply(&mut d));
    insta::assert_snapshot!(d.expr(), @r"
    x
        .pad(0, 8*((N + 7) / 8) - N, constant(0))
        .split(8)
        .map(|piece| piece
            .split(2)
            .map(|pair| { let x = pair.at(0); { let y = pair.at(1); x + y } })
            .split(2)
            .map(|pair| { let x = pair.at(0); { let y = pair.at(1); x + y } })
            .split(2)
            .map(|pair| { let x = pair.at(0); { let y = pair.at(1); x + y } })
            .at(0))
        .reduce(|x, y| x + y, 0)
    ");
    for n in [1, 2, 7, 8, 9, 24, 31] {
        let sizes = kernel.sizes.iter().cloned().map(|size| (size, n)).collect();
        let numbers = (0..n).map(|i| Value::Scalar(Literal::number((i * i) as i32 - 7, Scalar::I32)));
        let input = Value::Array(numbers.collect());
        let tree = Kernel { body: d.expr().clone(), ..kernel.clone() };
        let inputs = [input];
        assert_eq!(interp::run(&tree, &sizes, &inputs), interp::run(&kernel, &sizes, &inputs), "{n}");
    }
}
