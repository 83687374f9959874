//! The page that goes from weights of 0 and 1 to points (thesis 004, from listing 4.10 to listing 4.12).

use lift_core::ir::{BinaryOp, Expr, Kind, Literal};
use lift_core::rewrite::layout::writer;
use lift_core::rewrite::rules::{low_rank, place};
use lift_core::rewrite::{Derivation, Rule, Strategy, normal, normalise};

use super::pages::{Derivations, Section, interpreted};
use super::texts::{NAMED, WEIGHTED, room};
use crate::rules::points;
use crate::testing::kernel;

/// More steps than there are weights.
const LIMIT: usize = 64;

/// What no rule does, because it is no equation.
static FINITE: Rule = Rule {
    name: "finite",
    about: "Products by 0 are assumed to be finite.",
    equation: "s + x * 0.0 = s",
    when: "if x is finite and the sum s begins with 0.0: assumed",
    apply: |_, _| None,
};

/// The page.
pub(super) fn page() -> Derivations {
    let named = normalise(&kernel(&room(NAMED))).to_string();
    let text = room(WEIGHTED);
    let start = kernel(&text);
    let mut d = Derivation::new(&start.body, &start.facts);
    normal::strategy(Strategy::once).apply(&mut d);
    Strategy::Rule(&low_rank::CONSTANT).once().repeat(LIMIT).apply(&mut d);
    assert!(Strategy::Rule(&points::POINTS).once().apply(&mut d), "the sum is not written out");
    normal::strategy(Strategy::once).apply(&mut d);
    Strategy::Rule(&points::WEIGHT_ONE).once().repeat(LIMIT).apply(&mut d);
    // The sums of floats stay as they are.
    assert!(!Strategy::any(&[&points::WEIGHT_ZERO, &points::ADD_ZERO]).once().apply(&mut d));
    let finite = without_zeros(d.expr());
    d.replace(&FINITE, &finite);
    normal::strategy(Strategy::once).apply(&mut d);
    assert_eq!(d.expr().to_string(), named, "the points are not those of listing 4.12");
    let (root, _) = writer(d.expr()).expect("maps that write the result");
    place::nest(&mut d, &root, &[&place::GLOBAL[2], &place::GLOBAL[1], &place::GLOBAL[0]], None);
    let about = "Thesis 004, from listing 4.10 to listing 4.12: the sum of all points of a window with weights of 0 and 1 becomes the sum of \
                 the points that count. Both compute how many neighbours are inside; where listing 4.10 reads them, they would be an input, of which \
                 nothing is known.\n\nOne step is no equation, and no rule does it: with listing 4.10, a point is not a number as soon as any point of its window is \
                 infinite or none, whatever its weight; with listing 4.12, only the six points beside it matter. Where all is finite, both are the same to the last \
                 bit: a sum that begins with 0.0 is never -0.0, so that neither 0.0 nor -0.0 changes it. For integers, the rules `weight_zero` \
                 and `add_zero` do that step. That products by 1 go is an equation for all numbers.";
    let points = Section {
        title: "Points".into(),
        about: String::new(),
        kernel: start,
        trace: d.trace().clone(),
        sizes: vec![vec![1, 1, 1], vec![3, 2, 5]],
    };
    Derivations {
        file: "room_weights",
        title: "A room whose weights are points",
        about: format!("{about}\n\n```text\n{text}\n```"),
        sections: vec![points],
    }
}

/// Without what is multiplied by 0.
fn without_zeros(e: &Expr) -> Expr {
    let zero = |x: &Expr| matches!(x.kind(), Kind::Literal(Literal::Float(x, _)) if *x == 0.0);
    match e.kind() {
        Kind::Binary(BinaryOp::Add, s, product) => match product.kind() {
            Kind::Binary(BinaryOp::Mul, _, weight) if zero(weight) => without_zeros(s),
            _ => e.map_children(&mut |x| without_zeros(x)),
        },
        _ => e.map_children(&mut |x| without_zeros(x)),
    }
}

/// With integers, every step is an equation.
#[test]
fn weights_of_integers_become_points() {
    let text = |sum: &str| {
        format!(
            "const WEIGHTS: [[i32; 2]; 2] = [[0, 1], [1, 0]]; #[kernel] fn Sums<N>(x: [[i32; 2]; N]) -> [i32; N] {{ x.pad(1, 0, clamp).slide(2, 1).map(|w| {sum}) }}"
        )
    };
    let named = normalise(&kernel(&text("w[0][1] + w[1][0]"))).to_string();
    let start = kernel(&text("zip(WEIGHTS.join(), w.join()).map(mul).reduce(add, 0)"));
    let mut d = Derivation::new(&start.body, &start.facts);
    normal::strategy(Strategy::once).apply(&mut d);
    Strategy::Rule(&low_rank::CONSTANT).once().repeat(LIMIT).apply(&mut d);
    let rules: [&'static Rule; 4] =
        [&points::POINTS, &points::WEIGHT_ONE, &points::WEIGHT_ZERO, &points::ADD_ZERO];
    Strategy::any(&rules).once().repeat(LIMIT).apply(&mut d);
    assert_eq!(d.expr().to_string(), named);
    interpreted(&start, d.trace(), &[vec![1], vec![5]]);
}
