//! The derivations of a convolution, from what inlining leaves to the low-level terms, step by step.

use super::{check_variants, convolution};

#[test]
fn one_work_item_per_element() {
    let variants = check_variants(&convolution(3), &[&[1, 1], &[4, 9], &[5, 2]]);
    insta::assert_snapshot!(variants[0].trace, @r"
        ({ let xs = image.map(|row| row.pad(1, 1, clamp)).pad(1, 1, clamp); xs.map(|row| row.slide(3, 1)).slide(3, 1).map(|w| w.transpose()) })
            .map(|row| row
                .map(|w| { let a = weights; { let nbh = w; zip(a, nbh.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0) } }))
    = { let_out: p({ let x = v; e }) = { let x = v; p(e) }, for a projection or a primitive of one array }
        { let xs = image.map(|row| row.pad(1, 1, clamp)).pad(1, 1, clamp); xs
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map(|row| row
                .map(|w| { let a = weights; { let nbh = w; zip(a, nbh.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0) } })) }
    = { let_view: { let x = v; e } = e[x := v], if v only moves data }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map(|row| row
                .map(|w| { let a = weights; { let nbh = w; zip(a, nbh.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0) } }))
    = { let_view: { let x = v; e } = e[x := v], if v only moves data }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map(|row| row
                .map(|w| { let nbh = w; zip(weights, nbh.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0) }))
    = { let_view: { let x = v; e } = e[x := v], if v only moves data }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map(|row| row.map(|w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))
    = { map_global(1): map(f) = map_global(1, f) }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map_global(1, |row| row.map(|w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))
    = { map_global(0): map(f) = map_global(0, f) }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map_global(1, |row| row.map_global(0, |w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))
    = { reduce_seq: reduce(f, z) = reduce_seq(f, z) }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map_global(1, |row| row
                .map_global(0, |w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce_seq(|sum, x| sum + x, 0.0)))
    ");
}

#[test]
fn one_work_group_per_tile() {
    let variants = check_variants(&convolution(3), &[&[1, 1], &[4, 9], &[5, 2]]);
    insta::assert_snapshot!(variants[1].trace, @"
        ({ let xs = image.map(|row| row.pad(1, 1, clamp)).pad(1, 1, clamp); xs.map(|row| row.slide(3, 1)).slide(3, 1).map(|w| w.transpose()) })
            .map(|row| row
                .map(|w| { let a = weights; { let nbh = w; zip(a, nbh.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0) } }))
    = { let_out: p({ let x = v; e }) = { let x = v; p(e) }, for a projection or a primitive of one array }
        { let xs = image.map(|row| row.pad(1, 1, clamp)).pad(1, 1, clamp); xs
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map(|row| row
                .map(|w| { let a = weights; { let nbh = w; zip(a, nbh.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0) } })) }
    = { let_view: { let x = v; e } = e[x := v], if v only moves data }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map(|row| row
                .map(|w| { let a = weights; { let nbh = w; zip(a, nbh.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0) } }))
    = { let_view: { let x = v; e } = e[x := v], if v only moves data }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map(|row| row
                .map(|w| { let nbh = w; zip(weights, nbh.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0) }))
    = { let_view: { let x = v; e } = e[x := v], if v only moves data }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.slide(3, 1))
            .slide(3, 1)
            .map(|w| w.transpose())
            .map(|row| row.map(|w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))
    = { overlapped_tiling: map^d(f) . slide^d(n, s) = take^d(m) . join^d . map^d(map^d(f) . slide^d(n, s)) . slide^d(u, v) . pad^d(0, e, clamp), for m windows, v = s * T, u = v + n - s and e = ceil(m / T) * v + n - s - len; each part of a zip by itself, with n = s = 1 for elements }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.pad(0, TILE_X*((M - 1) / TILE_X) + TILE_X - M, clamp))
            .pad(0, TILE_Y*((N - 1) / TILE_Y) + TILE_Y - N, clamp)
            .map(|row| row.slide(TILE_X + 2, TILE_X))
            .slide(TILE_Y + 2, TILE_Y)
            .map(|w| w.transpose())
            .map(|tiles| tiles
                .map(|tile| tile
                    .map(|row| row.slide(3, 1))
                    .slide(3, 1)
                    .map(|w| w.transpose())
                    .map(|row| row.map(|w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))))
            .map(|tiles| tiles.transpose())
            .join()
            .map(|row| row.join())
            .map(|row| row.take(M))
            .take(N)
    = { map_workgroup(1): map(f) = map_workgroup(1, f) }
        image
            .map(|row| row.pad(1, 1, clamp))
            .pad(1, 1, clamp)
            .map(|row| row.pad(0, TILE_X*((M - 1) / TILE_X) + TILE_X - M, clamp))
            .pad(0, TILE_Y*((N - 1) / TILE_Y) + TILE_Y - N, clamp)
            .map(|row| row.slide(TILE_X + 2, TILE_X))
            .slide(TILE_Y + 2, TILE_Y)
            .map(|w| w.transpose())
            .map_workgroup(1, |tiles| tiles
                .map(|tile| tile
                    .map(|row| row.slide(3, 1))
                    .slide(3, 1)
                    .map(|w| w.transpose())
                    .map(|row| row.map(|w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))))
            .map(|tiles| tiles.transpose())
            .join()
            .map(|row| row.join())
            .map(|row| row.take(M))
            .take(N)
    = { map_workgroup(0): map(f) = map_workgroup(0, f) }
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
                    .map(|row| row.slide(3, 1))
                    .slide(3, 1)
                    .map(|w| w.transpose())
                    .map(|row| row.map(|w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))))
            .map(|tiles| tiles.transpose())
            .join()
            .map(|row| row.join())
            .map(|row| row.take(M))
            .take(N)
    = { tile_to_local: map(|t| e) = map(|t| e[t := to_local(map^d(id, t))]), for a d-dimensional t }
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
                    .map(|row| row.map(|x| x))
                    .to_local()
                    .map(|row| row.slide(3, 1))
                    .slide(3, 1)
                    .map(|w| w.transpose())
                    .map(|row| row.map(|w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))))
            .map(|tiles| tiles.transpose())
            .join()
            .map(|row| row.join())
            .map(|row| row.take(M))
            .take(N)
    = { map_local(1): map(f) = map_local(1, f) }
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
                    .map(|row| row.map(|x| x))
                    .to_local()
                    .map(|row| row.slide(3, 1))
                    .slide(3, 1)
                    .map(|w| w.transpose())
                    .map_local(1, |row| row.map(|w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))))
            .map(|tiles| tiles.transpose())
            .join()
            .map(|row| row.join())
            .map(|row| row.take(M))
            .take(N)
    = { map_local(0): map(f) = map_local(0, f) }
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
                    .map(|row| row.map(|x| x))
                    .to_local()
                    .map(|row| row.slide(3, 1))
                    .slide(3, 1)
                    .map(|w| w.transpose())
                    .map_local(1, |row| row
                        .map_local(0, |w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))))
            .map(|tiles| tiles.transpose())
            .join()
            .map(|row| row.join())
            .map(|row| row.take(M))
            .take(N)
    = { map_local(1): map(f) = map_local(1, f) }
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
                    .map_local(1, |row| row.map(|x| x))
                    .to_local()
                    .map(|row| row.slide(3, 1))
                    .slide(3, 1)
                    .map(|w| w.transpose())
                    .map_local(1, |row| row
                        .map_local(0, |w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))))
            .map(|tiles| tiles.transpose())
            .join()
            .map(|row| row.join())
            .map(|row| row.take(M))
            .take(N)
    = { map_local(0): map(f) = map_local(0, f) }
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
                        .map_local(0, |w| zip(weights, w.join()).map(|p| p.0 * p.1).reduce(|sum, x| sum + x, 0.0)))))
            .map(|tiles| tiles.transpose())
            .join()
            .map(|row| row.join())
            .map(|row| row.take(M))
            .take(N)
    = { reduce_seq: reduce(f, z) = reduce_seq(f, z) }
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
