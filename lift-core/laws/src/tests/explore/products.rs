//! Products in blocks and tiles, derived by small rules. The pages of derivations interpret every step.

use lift_core::rewrite::normal;
use lift_core::rewrite::strategy::{Derivation, Strategy};

use crate::products::{FOUR, block_1d, block_2d};
use crate::testing::kernel;

/// What a product becomes.
fn derived(name: &str) -> (Vec<&'static str>, String) {
    let product = FOUR.iter().find(|product| product.name == name).unwrap();
    let derivation = product.derive(&kernel(&product.text())).unwrap();
    (derivation.trace().rules(), derivation.expr().to_string())
}

#[test]
fn blocks_of_rows_come_about_as_on_the_slides() {
    let (rules, result) = derived("BlockedRows");
    let large = |rule: &&str| !["let_view", "let_once", "choose"].contains(rule);
    let rules: Vec<&str> = rules.into_iter().filter(large).collect();
    insta::assert_snapshot!(rules.join(" "), @"map_split interchange_maps fission_argument map_reduce transpose_maps transpose_transpose fold fold_map zip_map map_map let_parts map_global(1) map_global(0) fold_seq map_seq_unroll");
    insta::assert_snapshot!(result, @r"
    a
        .pad(0, 4*((N + 3) / 4) - N, clamp)
        .split(4)
        .map_global(1, |rows| b
            .transpose()
            .map_global(0, |column| zip(rows.transpose(), column)
                .reduce_seq(|accs, round| zip(accs, round.0).map_seq_unroll(|t| t.0 + t.1 * round.1), array(4, |_| 0.0)))
            .transpose())
        .join()
        .take(N)
    ");
}

#[test]
fn blocks_in_two_dimensions() {
    insta::assert_snapshot!(derived("Blocked").1, @r"
    a
        .pad(0, 4*((N + 3) / 4) - N, clamp)
        .split(4)
        .map_global(1, |rows| b
            .transpose()
            .pad(0, 4*((M + 3) / 4) - M, clamp)
            .split(4)
            .map_global(0, |columns| zip(rows.transpose(), columns.transpose())
                .reduce_seq(|accs, round| zip(accs, round.1)
                    .map_seq_unroll(|own_column| zip(own_column.0, round.0).map_seq_unroll(|t| t.0 + t.1 * own_column.1)), array(4, |_| array(4, |_| 0.0))))
            .join()
            .take(M)
            .transpose())
        .join()
        .take(N)
    ");
}

#[test]
fn tiles_in_local_memory() {
    insta::assert_snapshot!(derived("Tiled").1, @r"
    a
        .pad(0, 16*((N + 15) / 16) - N, clamp)
        .split(16)
        .map_workgroup(1, |rows| b
            .transpose()
            .pad(0, 16*((M + 15) / 16) - M, clamp)
            .split(16)
            .map_workgroup(0, |columns| zip(rows.map(|row| row.split(16)).transpose(), columns.map(|column| column.split(16)).transpose())
                .reduce_seq(|accs, round| { let tile0 = round.0.map_local(1, |row| row.map_local(0, |x| x)).to_local(); { let tile1 = round.1.map_local(0, |row| row.map_local(1, |x| x)).to_local(); zip(accs, tile1)
                    .map_local(0, |own_column| zip(own_column.0, tile0)
                        .map_local(1, |own_row| zip(own_row.1, own_column.1).reduce_seq(|x, x_y| x + x_y.0 * x_y.1, own_row.0))) } }, array(16, |_| array(16, |_| 0.0))))
            .join()
            .take(M)
            .transpose())
        .join()
        .take(N)
    ");
}

#[test]
fn tiles_of_blocks() {
    insta::assert_snapshot!(derived("TiledBlocks").1, @r"
    a
        .pad(0, 4*((N + 3) / 4) - N, clamp)
        .split(4)
        .pad(0, 8*((N + 31) / 32) - (N + 3) / 4, clamp)
        .split(8)
        .map_workgroup(1, |all_rows| b
            .transpose()
            .pad(0, 4*((M + 3) / 4) - M, clamp)
            .split(4)
            .pad(0, 8*((M + 31) / 32) - (M + 3) / 4, clamp)
            .split(8)
            .map_workgroup(0, |all_columns| zip(all_rows.map(|rows| rows.transpose().split(16)).transpose(), all_columns.map(|columns| columns.transpose().split(16)).transpose())
                .reduce_seq(|accs, round| { let tile0 = round.0.map_local(1, |plane| plane.map_local(0, |row| row.map_seq(|x| x))).to_local(); { let tile1 = round.1.map_local(0, |plane| plane.map_local(1, |row| row.map_seq(|x| x))).to_local(); zip(accs, tile1)
                    .map_local(0, |own_columns| zip(own_columns.0, tile0)
                        .map_local(1, |own_rows| zip(own_rows.1, own_columns.1)
                            .reduce_seq(|accs, round| zip(accs, round.1)
                                .map_seq_unroll(|own_column| zip(own_column.0, round.0).map_seq_unroll(|t| t.0 + t.1 * own_column.1)), own_rows.0))) } }, array(8, |_| array(8, |_| array(4, |_| array(4, |_| 0.0))))))
            .join()
            .take((M + 3) / 4)
            .transpose())
        .join()
        .take((N + 3) / 4)
        .map(|y| y.join().take(M).transpose())
        .join()
        .take(N)
    ");
}

#[test]
fn macro_rules_fit_or_fail() {
    let fits = |text: &str| {
        let kernel = kernel(text);
        let mut one = Derivation::new(&kernel.body, &kernel.facts);
        normal::strategy(Strategy::once).apply(&mut one);
        let mut two = one.clone();
        (block_1d(&mut one, &[], 2).is_some(), block_2d(&mut two, &[], [2, 3]).is_some())
    };
    // Loops of any function over pairs, of rows as they are.
    let any = "#[kernel] fn Any<N, M, K>(a: [[i32; K]; N], b: [[i32; K]; M]) -> [[i32; M]; N] {
        a.map(|x| b.map(|y| zip(y, x).fold(|s, p| 2 * s - p.0 * p.1, 1)))
    }";
    assert_eq!(fits(any), (true, true));
    // Nothing is reduced.
    let outer =
        "#[kernel] fn Outer<N, M>(a: [i32; N], b: [i32; M]) -> [[i32; M]; N] { a.map(|x| b.map(|y| x * y)) }";
    assert_eq!(fits(outer), (false, false));
    // Every row has columns of its own.
    let own = "#[kernel] fn Own<N, M, K>(a: [[[i32; K]; M]; N]) -> [[i32; M]; N] { a.map(|x| x.map(reduce(add, 0))) }";
    assert_eq!(fits(own), (false, false));
}
