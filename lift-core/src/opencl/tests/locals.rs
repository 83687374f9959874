//! Local memory, the loops that share it, and the barriers between them.

use insta::assert_snapshot;

use super::build::*;
use super::code;
use crate::arith::ArithExpr;
use crate::explore::Variant;
use crate::ir::{Boundary, Expr, Fold, Kernel, Place, Scalar};

fn local(d: usize, name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    placed(Place::Local(d), name, xs, body)
}

fn group(d: usize, name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    placed(Place::Group(d), name, xs, body)
}

fn with_groups((kernel, variant): (Kernel, Variant), local: &[i64]) -> (Kernel, Variant) {
    let local = local.iter().map(|len| n(*len)).collect();
    (kernel, Variant { local, ..variant })
}

/// A row for each group.
fn rows(name: &str, dims: &[i64]) -> (Builder, Expr) {
    let mut b = Builder::new(name);
    let mut extents = vec![b.size("N")];
    extents.extend(dims.iter().map(|len| n(*len)));
    let xs = b.param("xs", Scalar::F32, &extents);
    (b, xs)
}

fn sums(xs: Expr) -> Expr {
    local(0, "w", Expr::slide(n(3), n(1), Expr::pad(n(1), n(1), Boundary::Fold(Fold::Clamp), xs)), sum)
}

/// Every item reads what it wrote itself.
pub(super) fn own() -> (Kernel, Variant) {
    let (b, xs) = rows("Own", &[8]);
    let body = group(0, "row", xs, |row| {
        local(0, "x", to_local(local(0, "x", row, |x| mul(x.clone(), x))), |x| add(x.clone(), x))
    });
    with_groups(b.variant(body), &[8])
}

/// Every item reads what its neighbours wrote.
pub(super) fn neighbours() -> (Kernel, Variant) {
    let (b, xs) = rows("Neighbours", &[8]);
    let body = group(0, "row", xs, |row| sums(to_local(local(0, "x", row, |x| x))));
    with_groups(b.variant(body), &[8])
}

/// A group with fewer items than elements, and one with more.
pub(super) fn turns() -> (Kernel, Variant) {
    let (b, xs) = rows("Turns", &[10]);
    let body = group(0, "row", xs, |row| sums(to_local(local(0, "x", row, |x| x))));
    with_groups(b.variant(body), &[4])
}

pub(super) fn idle() -> (Kernel, Variant) {
    let (b, xs) = rows("Idle", &[5]);
    let body = group(0, "row", xs, |row| sums(to_local(local(0, "x", row, |x| x))));
    with_groups(b.variant(body), &[8])
}

/// Rows one after the other through the same memory.
pub(super) fn again() -> (Kernel, Variant) {
    let (b, xs) = rows("Again", &[3, 8]);
    let body = group(0, "rows", xs, |rows| {
        placed(Place::Sequential, "row", rows, |row| sums(to_local(local(0, "x", row, |x| x))))
    });
    with_groups(b.variant(body), &[8])
}

/// One stored result from another.
pub(super) fn stages() -> (Kernel, Variant) {
    let (b, xs) = rows("Stages", &[8]);
    let body = group(0, "row", xs, |row| {
        let first = to_local(local(0, "x", row, |x| x));
        sums(to_local(sums(first)))
    });
    with_groups(b.variant(body), &[8])
}

/// Of three results, the first and the last are never needed at the same time. Together they take 48 KiB.
pub(super) fn one_place() -> (Kernel, Variant) {
    let (b, xs) = rows("OnePlace", &[4096]);
    let body = group(0, "row", xs, |row| {
        let first = to_local(local(0, "x", row, |x| x));
        sums(to_local(sums(to_local(sums(first)))))
    });
    with_groups(b.variant(body), &[64])
}

/// Pairs are stored part by part.
pub(super) fn pairs() -> (Kernel, Variant) {
    let (b, xs) = rows("Pairs", &[8]);
    let body = group(0, "row", xs, |row| {
        let stored = to_local(local(0, "x", row, |x| Expr::tuple(vec![x.clone(), mul(x, f32(2.0))])));
        let windows = Expr::slide(n(3), n(1), Expr::pad(n(1), n(1), Boundary::Fold(Fold::Wrap), stored));
        local(0, "w", windows, |w| {
            sum(Expr::map_with("p", w, |p| mul(Expr::field(p.clone(), 0), Expr::field(p, 1))))
        })
    });
    with_groups(b.variant(body), &[8])
}

/// One result for each group, written by one item.
pub(super) fn total() -> (Kernel, Variant) {
    let (b, xs) = rows("Total", &[8]);
    let body = group(0, "row", xs, |row| sum(to_local(local(0, "x", row, |x| x))));
    with_groups(b.variant(body), &[8])
}

/// Tiles turned on the way through local memory.
pub(super) fn turned() -> (Kernel, Variant) {
    let mut b = Builder::new("Turned");
    let dims: Vec<ArithExpr> = vec![b.size("N") * 4, b.size("M") * 4];
    let xs = b.param("xs", Scalar::F32, &dims);
    let split2d = |xs: Expr| {
        let rows = Expr::split(n(4), Expr::map_with("row", xs, |row| Expr::split(n(4), row)));
        Expr::map_with("rows", rows, Expr::transpose)
    };
    let tiles = group(1, "tiles", Expr::transpose(split2d(xs)), |tiles| {
        group(0, "tile", tiles, |tile| {
            let copy = local(1, "row", tile, |row| local(0, "x", row, |x| x));
            local(1, "row", Expr::transpose(to_local(copy)), |row| local(0, "x", row, |x| x))
        })
    });
    with_groups(b.variant(join2d(tiles)), &[4, 4])
}

/// All of them.
pub(super) fn all() -> Vec<(&'static str, (Kernel, Variant))> {
    vec![
        ("own", own()),
        ("neighbours", neighbours()),
        ("turns", turns()),
        ("idle", idle()),
        ("again", again()),
        ("stages", stages()),
        ("one_place", one_place()),
        ("pairs", pairs()),
        ("total", total()),
        ("turned", turned()),
    ]
}

#[test]
fn barriers_stand_only_where_they_must() {
    let count = |kernel: &(Kernel, Variant)| code(kernel).matches("barrier(").count();
    let counts: Vec<String> =
        all().iter().map(|(name, kernel)| format!("{name} {}", count(kernel))).collect();
    assert_snapshot!(counts.join(", "), @"own 0, neighbours 1, turns 1, idle 1, again 2, stages 2, one_place 3, pairs 1, total 1, turned 1");
}

#[test]
fn a_loop_waits_before_it_writes_again() {
    assert_snapshot!(code(&again()), @"
    kernel __attribute__((reqd_work_group_size(8, 1, 1)))
    void again(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        local float tile[8];
        const index_t gx = get_group_id(0);
        const index_t lx = get_local_id(0);
        for (index_t i = 0; i < 3; ++i) {
            barrier(CLK_LOCAL_MEM_FENCE);
            tile[lx] = xs[lx + 24 * gx + 8 * i];
            float acc = 0.0f;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (index_t wx = 0; wx < 3; ++wx) {
                const index_t c = max(min(lx + wx - 1, (index_t)7), (index_t)0);
                acc += tile[c];
            }
            out[lx + 24 * gx + 8 * i] = acc;
        }
    }
    ");
}

#[test]
fn items_without_an_element_wait_too() {
    assert_snapshot!(code(&idle()), @"
    kernel __attribute__((reqd_work_group_size(8, 1, 1)))
    void idle(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        local float tile[5];
        const index_t gx = get_group_id(0);
        const index_t lx = get_local_id(0);
        if (lx < 5) {
            tile[lx] = xs[lx + 5 * gx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lx < 5) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                const index_t c = max(min(lx + wx - 1, (index_t)4), (index_t)0);
                acc += tile[c];
            }
            out[lx + 5 * gx] = acc;
        }
    }
    ");
}

#[test]
fn items_take_turns() {
    assert_snapshot!(code(&turns()), @"
    kernel __attribute__((reqd_work_group_size(4, 1, 1)))
    void turns(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        local float tile[10];
        const index_t gx = get_group_id(0);
        const index_t lx = get_local_id(0);
        #pragma unroll
        for (index_t t = 0; t < 3; ++t) {
            const index_t x = lx + 4 * t;
            if (x < 10) {
                tile[x] = xs[10 * gx + x];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (index_t x = lx; x < 10; x += 4) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                const index_t c = max(min(x + wx - 1, (index_t)9), (index_t)0);
                acc += tile[c];
            }
            out[10 * gx + x] = acc;
        }
    }
    ");
}

#[test]
fn parts_of_tuples_have_buffers_of_their_own() {
    assert_snapshot!(code(&pairs()), @"
    kernel __attribute__((reqd_work_group_size(8, 1, 1)))
    void pairs(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        local float tile[8];
        local float tile2[8];
        const index_t gx = get_group_id(0);
        const index_t lx = get_local_id(0);
        const float x = xs[lx + 8 * gx];
        tile[lx] = x;
        tile2[lx] = x * 2.0f;
        float acc = 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (index_t wx = 0; wx < 3; ++wx) {
            const index_t c = (lx + wx + 7) % 8;
            acc += tile[c] * tile2[c];
        }
        out[lx + 8 * gx] = acc;
    }
    ");
}

#[test]
fn one_item_writes_the_result_of_a_group() {
    assert_snapshot!(code(&total()), @"
    kernel __attribute__((reqd_work_group_size(8, 1, 1)))
    void total(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        local float tile[8];
        const index_t gx = get_group_id(0);
        const index_t lx = get_local_id(0);
        tile[lx] = xs[lx + 8 * gx];
        float acc = 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (index_t k = 0; k < 8; ++k) {
            acc += tile[k];
        }
        if (lx == 0) {
            out[gx] = acc;
        }
    }
    ");
}

#[test]
fn tiles_are_turned_in_local_memory() {
    assert_snapshot!(code(&turned()), @"
    kernel __attribute__((reqd_work_group_size(4, 4, 1)))
    void turned(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        local float tile[4][4];
        const index_t gy = get_group_id(1);
        const index_t gx = get_group_id(0);
        const index_t ly = get_local_id(1);
        const index_t lx = get_local_id(0);
        tile[ly][lx] = xs[(ly + 4 * gx) * (4 * M) + lx + 4 * gy];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[(ly + 4 * gy) * (4 * N) + lx + 4 * gx] = tile[lx][ly];
    }
    ");
}

#[test]
fn arrays_that_are_never_needed_together_share_a_place() {
    let text = code(&one_place());
    assert!(text.contains("local float* const tile3 = (local float*)tile;"), "{text}");
    assert_eq!(text.matches("[4096];").count(), 2, "{text}");
    assert_eq!(text.matches("barrier(").count(), 3, "{text}");
    assert!(!code(&stages()).contains("const tile"), "what is small has a place of its own");
}
