//! The derivations of a convolution: from what inlining leaves to the low-level terms.

use crate::replay::outline;

use super::{check_variants, convolution};

#[test]
fn one_work_item_per_element_and_one_work_group_per_tile() {
    let variants = check_variants(&convolution(3), &[&[1, 1], &[4, 9], &[5, 2]]);
    let derived =
        variants[..2].iter().map(|variant| format!("{}\n{}\n", outline(&variant.trace), variant.body));
    insta::assert_snapshot!(derived.collect::<Vec<_>>().join("\n"), @r"
    let_out, let_view ×3, map_global(1), map_global(0), reduce_seq
    image
        .map(|row| row.pad(1, 1, clamp))
        .pad(1, 1, clamp)
        .map(|row| row.slide(3, 1))
        .slide(3, 1)
        .map(|w| w.transpose())
        .map_global(1, |row| row
            .map_global(0, |w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce_seq(|sum, x| sum + x, 0.0)))

    let_out, let_view ×3, overlapped_tiling, map_workgroup(1), map_workgroup(0), tile_to_local, map_local(1), map_local(0), map_local(1), map_local(0), reduce_seq
    image
        .map(|row| row.pad(1, 1, clamp))
        .pad(1, 1, clamp)
        .map(|row| row.pad(0, TILE_X*((M - 1) / TILE_X) + TILE_X - M, clamp))
        .pad(0, TILE_Y*((N - 1) / TILE_Y) + TILE_Y - N, clamp)
        .map(|row| row.slide(TILE_X + 2, TILE_X))
        .slide(TILE_Y + 2, TILE_Y)
        .map(|w| w.transpose())
        .map_workgroup(1, |tiles| tiles
            .map_workgroup(0, |tile| tile
                .map_local(1, |row| row.map_local(0, |x| x))
                .to_local()
                .map(|row| row.slide(3, 1))
                .slide(3, 1)
                .map(|w| w.transpose())
                .map_local(1, |row| row
                    .map_local(0, |w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce_seq(|sum, x| sum + x, 0.0)))))
        .map(|tiles| tiles.transpose())
        .join()
        .map(|row| row.join())
        .map(|row| row.take(M))
        .take(N)
    ");
}
