//! Places in warps, where they may be and where not.

use lift_core::arith::ArithExpr;
use lift_core::explore::placed::finished;
use lift_core::rewrite::normal;
use lift_core::rewrite::rules::place;
use lift_core::rewrite::strategy::{Derivation, Strategy};

use super::compare;
use crate::rules::warps;
use crate::testing::kernel;

/// Rows of numbers, of which groups compute one each.
fn rows(text: &str) -> (lift_core::ir::Kernel, Derivation) {
    let kernel = kernel(text);
    let mut d = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut d);
    assert!(warps::placed(&mut d, &[], &place::WORKGROUP[0]));
    (kernel, d)
}

const ROWS: &str =
    "#[kernel] fn Rows<N>(x: [[i32; 64]; N]) -> [[i32; 64]; N] { x.map(|row| row.map(|v| 2 * v - 1)) }";

#[test]
fn rows_of_a_group_go_to_lanes() {
    let (kernel, mut d) = rows(ROWS);
    assert_eq!(warps::by_warps(&mut d, &[0]), Some(vec![0, 0]));
    let variant = finished(d, "warps");
    assert_eq!(variant.local, [ArithExpr::cst(64)]);
    insta::assert_snapshot!(variant.body, @"x.map_workgroup(0, |row| row.split(32).map_warp(|vs| vs.map_lane(|v| 2 * v - 1)).join())");
    compare(&kernel, &[variant], &[&[1], &[3]]);

    // The last warp stands over.
    let (kernel, mut d) = rows(&ROWS.replace("64", "M").replace("<N>", "<N, M>"));
    warps::by_warps(&mut d, &[0]).unwrap();
    insta::assert_snapshot!(d.expr(), @r"
    x
        .map_workgroup(0, |row| row
            .pad(0, 32*((M + 31) / 32) - M, clamp)
            .split(32)
            .map_warp(|vs| vs.map_lane(|v| 2 * v - 1))
            .join()
            .take(M))
    ");
    compare(&kernel, &[finished(d, "warps")], &[&[1, 1], &[2, 32], &[3, 33], &[2, 70]]);
}

#[test]
fn places_that_would_not_be_nested_are_refused() {
    let (_, d) = rows(ROWS);
    let tries = |first: Option<&'static lift_core::rewrite::Rule>, rule, at: &[usize]| {
        let mut d = d.clone();
        assert!(first.is_none_or(|first| warps::placed(&mut d, &[0], first)));
        let before = d.expr().clone();
        let done = warps::placed(&mut d, at, rule);
        assert!(done || before == *d.expr());
        done
    };
    for (rule, legal) in [
        (&place::LOCAL[0], true),
        (&place::LOCAL[1], true),
        (&warps::WARP, true),
        (&place::SEQ, true),
        (&warps::LANE, false),
        (&place::GLOBAL[1], false),
        (&place::WORKGROUP[0], false),
        (&place::WORKGROUP[1], true),
    ] {
        assert_eq!(tries(None, rule, &[0]), legal, "{}", rule.name);
    }

    // In a map of the group there is another one.
    let deep = ROWS.replace("[i32; 64]", "[[i32; 32]; 2]").replace("row.map(", "row.map2d(");
    let (_, d) = rows(&deep);
    for (outer, inner, legal) in [
        (&warps::WARP, &warps::LANE, true),
        (&warps::WARP, &place::LOCAL[0], false),
        (&warps::WARP, &place::LOCAL[1], true),
        (&warps::WARP, &place::GLOBAL[0], false),
        (&place::LOCAL[0], &warps::WARP, false),
        (&place::LOCAL[0], &warps::LANE, false),
        (&place::LOCAL[1], &warps::WARP, true),
        (&place::LOCAL[0], &place::WORKGROUP[1], false),
    ] {
        let mut d = d.clone();
        assert!(warps::placed(&mut d, &[0], outer));
        assert_eq!(warps::placed(&mut d, &[0, 0], inner), legal, "{} in {}", inner.name, outer.name);
    }
}
