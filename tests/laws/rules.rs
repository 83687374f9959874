//! The thesis's rewrite rules (numbered as there), the proofs of its appendix, and the rules of the paper on tiling.
//!
//! Rules that introduce low-level primitives have their property tests with the rules themselves.

use super::harness::{law, law_with, mistake};

/// Windows of `W` by `S`, in `N` tiles of `K` windows: a tile is `u` elements, the next begins `v` after it.
const TILED: &str = "x: [i32; S * K * N - S + W]";

#[test]
fn rule_3_and_proof_a_2_1_overlapped_tiling() {
    law(
        TILED,
        "[[i32; W]; N * K]",
        "slide(W, S, x)",
        "join . map(slide(W, S)) . slide(S * K + W - S, S * K) << x",
    );
}

/// The rule needs tiles of whole windows, and as many tiles as fit: then both sides have the same windows. Where
/// that is not so, the right side is not defined.
#[test]
fn rule_3_without_its_conditions() {
    let text = mistake("x: [i32; 7]", "[[i32; 3]; 2]", "join . map(slide(3, 2)) . slide(4, 3) << x");
    assert!(text.contains("slide(3, 2)"), "{text}");
    let text = mistake("x: [i32; 7]", "[[i32; 3]; 4]", "join . map(slide(3, 1)) . slide(6, 4) << x");
    assert!(text.contains("slide(6, 4)"), "{text}");
}

#[test]
fn rule_4_and_proof_a_2_2_map_and_join() {
    law("x: [[i32; M]; N]", "[i32; N * M]", "map(f) . join << x", "join . map(map(f)) << x");
    law("x: [[[i32; O]; M]; N]", "[i32; N * M]", "map(h) . join << x", "join . map(map(h)) << x");
}

#[test]
fn rule_5_map_fusion() {
    law("x: [i32; N]", "[i32; N]", "map(f) . map(g) << x", "map(f . g) << x");
    law("x: [[i32; M]; N]", "[i32; N]", "map(f) . map(h) << x", "map(f . h) << x");
}

#[test]
fn rule_6_identity() {
    law("x: [i32; N]", "[i32; N]", "x", "map(id) << x");
    law("x: [i32; N]", "i32", "h(x)", "h . map(id) << x");
    law("x: [[i32; M]; N]", "[[i32; M]; N]", "map(map(id)) . map(map(f)) << x", "map2d(f) . map2d(id) << x");
}

#[test]
fn rule_8_transposition() {
    law("x: [[i32; M]; N]", "[[i32; M]; N]", "x", "transpose . transpose << x");
    law("x: [[i32; M]; N]", "i32", "h2(x)", "h2 . transpose . transpose << x");
}

#[test]
fn example_3_1_a_tiled_stencil_step_by_step() {
    for boundary in ["clamp", "mirror", "reflect", "wrap", "constant(42)"] {
        let steps = [
            "map(reduce(add, 0)) . slide(3, 1) . pad(1, 1, b)",
            "map(reduce(add, 0)) . join . map(slide(3, 1)) . slide(5, 3) . pad(1, 1, b)",
            "join . map(map(reduce(add, 0))) . map(slide(3, 1)) . slide(5, 3) . pad(1, 1, b)",
            "join . map(map(reduce(add, 0)) . slide(3, 1)) . slide(5, 3) . pad(1, 1, b)",
            "join . map(|tile| map(|nbh| reduce(add, 0, nbh)) . slide(3, 1) << tile) . slide(5, 3) . pad(1, 1, b)",
        ];
        for pair in steps.windows(2) {
            let step = |e: &str| format!("{} << x", e.replace("b)", &format!("{boundary})")));
            law("x: [i32; 3 * N]", "[i32; 3 * N]", &step(pair[0]), &step(pair[1]));
        }
    }
}

#[test]
fn tiling_paper_rule_in_one_dimension() {
    law(
        TILED,
        "[i32; N * K]",
        "map(h, slide(W, S, x))",
        "join(map(|tile| map(h, slide(W, S, tile)), slide(S * K + W - S, S * K, x)))",
    );
}

#[test]
fn tiling_paper_rule_in_two_dimensions() {
    law(
        "x: [[i32; S * K * M - S + W]; S * K * N - S + W]",
        "[[i32; M * K]; N * K]",
        "map2d(h2, slide2d(W, S, x))",
        "map(join, join(map(transpose,
            map2d(|tile| map2d(h2, slide2d(W, S, tile)), slide2d(S * K + W - S, S * K, x)))))",
    );
    // Windows, steps and tiles of another size in each dimension.
    law(
        "x: [[i32; S2 * K * M - S2 + W2]; S * 2 * N - S + W]",
        "[[i32; M * K]; N * 2]",
        "map2d(h2, slide2d(W, S, W2, S2, x))",
        "join2d(map2d(|tile| map2d(h2, slide2d(W, S, W2, S2, tile)),
            slide2d(2 * S + W - S, 2 * S, K * S2 + W2 - S2, K * S2, x)))",
    );
}

#[test]
fn tiling_in_three_dimensions() {
    law_with(
        "fn window(x: [[[i32; 2]; W]; 3]) -> i32 { h3(x) }",
        "x: [[[i32; 2 * O + 1]; K * M + W - 1]; 2 * N + 2]",
        "[[[i32; O * 2]; M * K]; N * 2]",
        "x.slide3d(3, 1, W, 1, 2, 1).map3d(window)",
        "join3d(map3d(|tile| tile.slide3d(3, 1, W, 1, 2, 1).map3d(window), x.slide3d(4, 2, K + W - 1, K, 3, 2)))",
    );
}
