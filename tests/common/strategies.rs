//! Kernels with strategies: every step, alone and with others, on sizes that no tile divides.

use super::cases::Case;

const ONE_DIM: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 9)], &[("N", 600)]];

const TWO_DIM: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 7), ("M", 9)], &[("N", 16), ("M", 64)], &[("N", 33), ("M", 70)]];

const THREE_DIM: &[&[(&str, i64)]] =
    &[&[("K", 1), ("N", 2), ("M", 1)], &[("K", 5), ("N", 8), ("M", 9)], &[("K", 8), ("N", 8), ("M", 32)]];

/// All of them.
pub fn strategies() -> Vec<Case> {
    vec![
        Case {
            name: "strategies for a stencil",
            text: "#[kernel]
            #[strategy(tile2d(4, 4).to_private().vectorize(4))]
            #[strategy(tiles: tile2d(4, 32).to_local())]
            #[strategy(open_tiles: tile2d().to_local())]
            #[strategy(blocks_in_tiles: tile2d(8, 32).to_local().tile2d(2, 4).to_private())]
            #[strategy(lanes_in_tiles: tile2d(8, 32).to_local().vectorize(4))]
            #[strategy(down: tile2d(8, 4).march())]
            #[strategy(along: interchange().tile2d(8, 4).march())]
            #[strategy(along_rows: tile2d(2, 16).march(2))]
            #[strategy(whole_columns: march())]
            #[strategy(whole_rows: march(2))]
            #[strategy(turned: interchange().tile2d(4, 2).to_private())]
            #[strategy(strips: stream(16))]
            #[strategy(row_by_row: rows())]
            #[strategy(only_tiles: tile2d(8, 32).tile2d(1, 4).unroll())]
            #[strategy(shape: tile2d(2, 4).work_group(8, 8))]
            #[strategy(only_shape: work_group(16, 2))]
            fn Cross<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                grid.pad2d(1, 1, clamp).slide2d(3, 1)
                    .map2d(|w| 0.2 * (w[1][1] + w[0][1] + w[2][1] + w[1][0] + w[1][2]))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "strategies for windows that are reduced",
            text: "#[kernel]
            #[strategy(rows_of_blocks: tile2d(16, 64).to_local().tile2d(2, 4).share_rows())]
            #[strategy(rows_alone: tile2d(2, 4).share_rows())]
            #[strategy(two_passes: tile2d(16, 64).to_local().separate())]
            #[strategy(two_passes_in_blocks: tile2d(16, 64).to_local().separate().tile2d(4, 4).to_private())]
            #[strategy(two_passes_by_rows: tile2d(16, 64).to_local().separate().tile2d(4, 4).share_rows())]
            #[strategy(unroll())]
            fn Mean<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
                image.pad2d(2, 2, mirror).slide2d(5, 1).map2d(|w| w.join().reduce(add, 0.0) / 25.0)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "strategies for edges",
            text: "#[kernel] #[size(N >= 4)]
            #[strategy(interior())]
            #[strategy(shape: interior().work_group(16, 2))]
            fn Edges<N, M>(a: [[f32; M]; N], grid: [[f32; M]; N]) -> [[f32; M]; N] {
                zip2d(a, grid.pad2d(2, 1, 1, 2, mirror, mirror).slide2d(4, 1)).map2d(|(a, w)| a * w[0][2] + w[3][2] - w[1][0])
            }",
            sizes: &[&[("N", 4), ("M", 1)], &[("N", 7), ("M", 9)], &[("N", 33), ("M", 70)]],
        },
        Case {
            name: "strategies for all edges",
            text: "#[kernel] #[size(N >= 4, M >= 4)]
            #[strategy(interior())]
            #[strategy(columns: interior(2))]
            #[strategy(blocks: interior().tile2d(2, 4).to_private().vectorize(4))]
            #[strategy(lanes: interior().vectorize(4))]
            fn Frame<N, M>(a: [[f32; M]; N], grid: [[f32; M]; N]) -> [[f32; M]; N] {
                zip2d(a, grid.pad2d(2, 1, 1, 2, mirror, clamp).slide2d(4, 1)).map2d(|(a, w)| a * w[0][2] + w[3][2] - w[1][0])
            }",
            sizes: &[&[("N", 4), ("M", 4)], &[("N", 7), ("M", 9)], &[("N", 33), ("M", 70)]],
        },
        Case {
            name: "strategies in three dimensions",
            text: "#[kernel]
            #[strategy(columns: tile3d(4, 1, 4).march())]
            #[strategy(blocks: tile3d(2, 2, 4).to_private().vectorize(4))]
            #[strategy(tiles: tile3d(2, 4, 16).to_local())]
            #[strategy(columns_in_tiles: tile3d(4, 4, 16).to_local().tile3d(4, 1, 2).march())]
            #[strategy(planes_of_8: stream(8))]
            #[strategy(rows_along: interchange().tile3d(4, 2, 2).march())]
            #[strategy(innermost: tile3d(1, 2, 8).march(3))]
            #[strategy(innermost_first: interchange(3).tile3d(4, 1, 2).march())]
            #[strategy(in_between: tile3d(1, 4, 2).march(2))]
            #[strategy(whole_columns: march())]
            #[strategy(whole_rows: march(3))]
            fn Heat<K, N, M>(grid: [[[f32; M]; N]; K]) -> [[[f32; M]; N]; K] {
                grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w| {
                    0.4 * w[1][1][1]
                        + 0.1 * (w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2])
                })
            }",
            sizes: THREE_DIM,
        },
        Case {
            name: "strategies in one dimension",
            text: "#[kernel]
            #[strategy(tile(8).to_private().vectorize(8))]
            #[strategy(tiles: tile().to_local())]
            #[strategy(marching_in_tiles: tile(512).to_local().tile(4).march())]
            fn Line<N>(x: [f32; N]) -> [f32; N] {
                x.pad(1, 1, wrap).slide(3, 1).map(|w| w[0] + 2.0 * w[1] - w[2])
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "strategies for elements and windows together",
            text: "#[kernel]
            #[strategy(tile2d(2, 4).to_private())]
            #[strategy(halves: tile2d(8, 32).tile2d(2, 4).march())]
            #[strategy(in_local: tile2d(4, 16).to_local())]
            #[strategy(open: tile2d().to_local())]
            #[strategy(along_rows: tile2d(2, 8).march(2))]
            #[strategy(whole_rows: march(2))]
            #[strategy(turned: tile2d(8, 16).to_local().transposed().widen(1).tile2d(2, 4).to_private())]
            fn Zipped<N, M>(a: [[f32; M]; N], b: [[f32; M]; N]) -> [[f32; M]; N] {
                zip2d(a, b.pad2d(1, 1, clamp).slide2d(3, 1)).map2d(|(x, w)| x * w[0][1] - w[2][1])
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "strategies for elements",
            text: "#[kernel]
            #[size(N % 4 == 0)]
            #[strategy(vectorize(4))]
            #[strategy(eight: tile(8).vectorize(8))]
            #[strategy(apart: vectorize(4).coarsen(3).unroll())]
            fn Scaled<N>(a: f32, x: [f32; N]) -> [f32; N] { x.map(|x| a * x + 1.0) }",
            sizes: &[&[("N", 4)], &[("N", 20)], &[("N", 128)]],
        },
        Case {
            name: "strategies for rows that vectors do not fill",
            text: "#[kernel]
            #[strategy(vectorize(4))]
            #[strategy(eleven: tile2d(3, 11).to_local().vectorize(4))]
            #[strategy(thirteen: tile2d(2, 13).to_private().vectorize(8))]
            fn Uneven<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                grid.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| 0.5 * w[1][1] + w[0][1] - w[1][2])
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "strategies for results a stride apart",
            text: "#[kernel]
            #[strategy(coarsen(3))]
            #[strategy(written_out: coarsen(4).unroll())]
            #[strategy(vectors_apart: tile2d(2, 70).vectorize(4).coarsen(2))]
            #[strategy(in_tiles: tile2d(4, 32).to_local().coarsen(4))]
            #[strategy(in_open_tiles: tile2d().coarsen(2))]
            fn Apart<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                grid.pad2d(1, 1, mirror).slide2d(3, 1).map2d(|w| 0.5 * w[1][1] + w[0][1] - w[1][2])
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "strategies for a transposition",
            text: "#[kernel]
            #[strategy(tile2d(16, 16).to_local())]
            #[strategy(other_way: tile2d(16, 8).to_local().transposed())]
            #[strategy(banks: tile2d(16, 16).to_local().widen(1))]
            #[strategy(both: tile2d(8, 16).to_local().transposed().widen(3))]
            #[strategy(blocks: tile2d(4, 4).to_private())]
            #[strategy(lanes: tile2d(4, 4).vectorize(2))]
            fn Turned<N, M>(x: [[f32; M]; N]) -> [[f32; N]; M] { x.transpose() }",
            sizes: TWO_DIM,
        },
        Case {
            name: "strategies for a product and for sums",
            text: "#[kernel]
            #[strategy(product())]
            #[strategy(in_panels: panels())]
            fn Product<N, M>(a: [[f32; 20]; N], b: [[f32; M]; 20]) -> [[f32; M]; N] {
                a.map(|row| b.transpose().map(|column| zip(row, column).map(|(x, y)| x * y).reduce(add, 0.0)))
            }
            #[kernel]
            #[strategy(reduce_by_group())]
            fn Sums<N, M>(x: [[f32; M]; N]) -> [f32; N] { x.map(|row| row.reduce(add, 0.0)) }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a strategy for some of the launches",
            text: "#[kernel]
            #[strategy(tile2d(2, 4).to_private())]
            fn Twice<N, M>(grid: [[f32; M]; N]) -> ([[f32; M]; N], f32) {
                let once = materialize(
                    grid.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| 0.25 * (w[0][1] + w[2][1] + w[1][0] + w[1][2])),
                );
                (once, once.join().reduce(max, -1000.0))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a strategy for what is repeated",
            text: "#[kernel]
            #[strategy(tile2d(2, 4).to_private())]
            fn Again<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                iterate(3, |g| g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| 0.25 * (w[0][1] + w[2][1] + w[1][0] + w[1][2])), grid)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a strategy that stores nothing in between",
            text: "#[kernel]
            #[strategy(recompute())]
            #[strategy(tiles: recompute().tile2d(4, 16).to_local())]
            fn Both<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                let once = materialize(grid.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| 0.25 * (w[0][1] + w[2][1] + w[1][0])));
                once.pad2d(1, 1, mirror).slide2d(3, 1).map2d(|w| w[1][1] - 0.5 * w[0][2])
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "strategies for several steps",
            text: "#[kernel]
            #[strategy(steps(2))]
            #[strategy(three: steps(3))]
            fn Seven<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                iterate(7, |g| g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| 0.25 * (w[0][1] + w[2][1] + w[1][0] + w[1][2])), grid)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a strategy for an update",
            text: "#[kernel]
            #[strategy(tile2d(2, 4).to_private())]
            #[strategy(in_place: tile2d(4, 8).vectorize(4))]
            fn Updates<N, M>(grid: &mut [[f32; M]; N]) { write_to(grid, grid.map2d(|x| x + 0.5)) }",
            sizes: TWO_DIM,
        },
    ]
}
