//! Neighbourhoods, with every boundary, in one to three dimensions.

use insta::assert_snapshot;

use super::build::*;
use super::code;
use crate::arith::ArithExpr;
use crate::explore::{Variant, explore};
use crate::ir::{Boundary, Expr, Fold, Kernel, Scalar};

pub(super) fn three_points(boundary: Boundary) -> (Kernel, Variant) {
    let mut b = Builder::new("ThreePoints");
    let len = b.size("N");
    let xs = b.param("xs", Scalar::F32, &[len]);
    let windows = Expr::slide(n(3), n(1), Expr::pad(n(1), n(1), boundary, xs));
    let body = global(0, "w", windows, sum);
    b.variant(body)
}

/// The naive and the tiled version.
pub(super) fn convolution() -> [(Kernel, Variant); 2] {
    let mut b = Builder::new("Convolve");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let weights = b.param("weights", Scalar::F32, &[n(289)]);
    let image = b.param("image", Scalar::F32, &[rows, cols]);
    let windows = windows2d(17, pad2d(8, Boundary::Fold(Fold::Clamp), image));
    let body = Expr::map_with("row", windows, |row| {
        Expr::map_with("nbh", row, |nbh| {
            let products = Expr::map_with("p", zip(vec![weights.clone(), Expr::join(nbh)]), |p| {
                mul(Expr::field(p.clone(), 0), Expr::field(p, 1))
            });
            sum(products)
        })
    });
    let kernel = b.kernel(body);
    let variants = explore(&kernel).variants;
    ["naive", "tiled"].map(|name| {
        let variant = variants.iter().find(|variant| variant.name == name).expect("both are there");
        (kernel.clone(), variant.clone())
    })
}

pub(super) fn jacobi2d(boundary: Boundary) -> (Kernel, Variant) {
    let mut b = Builder::new("Jacobi2D");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let xs = b.param("xs", Scalar::F32, &[rows, cols]);
    let body = global2d("w", windows2d(3, pad2d(1, boundary, xs)), |w| {
        let p = |y: u64, x: u64| at(at(w.clone(), y), x);
        mul(
            f32(0.2),
            [p(1, 1), p(0, 1), p(2, 1), p(1, 0), p(1, 2)].into_iter().reduce(add).unwrap_or(f32(0.0)),
        )
    });
    b.variant(body)
}

pub(super) fn jacobi3d(boundary: Boundary) -> (Kernel, Variant) {
    let mut b = Builder::new("Jacobi3D");
    let dims: Vec<ArithExpr> = ["N", "M", "O"].into_iter().map(|name| b.size(name)).collect();
    let xs = b.param("xs", Scalar::F32, &dims);
    let body = global3d("w", windows3d(3, pad3d(1, boundary, xs)), |w| {
        let p = |z: u64, y: u64, x: u64| at(at(at(w.clone(), z), y), x);
        let taps = [p(1, 1, 1), p(0, 1, 1), p(2, 1, 1), p(1, 0, 1), p(1, 2, 1), p(1, 1, 0), p(1, 1, 2)];
        mul(f32(0.161), taps.into_iter().reduce(add).unwrap_or(f32(0.0)))
    });
    b.variant(body)
}

/// A separable box blur whose window is a size.
pub(super) fn window() -> (Kernel, Variant) {
    let mut b = Builder::new("Window");
    let (len, k) = (b.size("N"), b.size("K"));
    let xs = b.param("xs", Scalar::F32, &[&len + &k - 1]);
    let scale = b.param("scale", Scalar::F32, &[]);
    let body = global(0, "w", Expr::slide(k, n(1), xs), |w| mul(scale, sum(w)));
    b.variant(body)
}

/// Two stencils, the first computed where the second reads.
pub(super) fn twice() -> (Kernel, Variant) {
    let mut b = Builder::new("Twice");
    let len = b.size("N");
    let xs = b.param("xs", Scalar::F32, &[len]);
    let windows = |xs: Expr| Expr::slide(n(3), n(1), Expr::pad(n(1), n(1), Boundary::Constant(f32(0.0)), xs));
    let once = Expr::map_with("w", windows(xs), sum);
    b.variant(global(0, "w", windows(once), sum))
}

/// Padded twice with constants: the guards combine.
pub(super) fn padded_twice() -> (Kernel, Variant) {
    let mut b = Builder::new("Padded");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let xs = b.param("xs", Scalar::F32, &[rows, cols]);
    let zero = || Boundary::Constant(f32(0.0));
    b.variant(global2d("x", pad2d(2, zero(), pad2d(1, zero(), xs)), |x| x))
}

/// All of them.
pub(super) fn all() -> Vec<(&'static str, (Kernel, Variant))> {
    let [naive, tiled] = convolution();
    let zero = || Boundary::Constant(f32(0.0));
    vec![
        ("clamp", three_points(Boundary::Fold(Fold::Clamp))),
        ("wrap", three_points(Boundary::Fold(Fold::Wrap))),
        ("mirror", three_points(Boundary::Fold(Fold::Mirror))),
        ("reflect", three_points(Boundary::Fold(Fold::Reflect))),
        ("constant", three_points(zero())),
        ("naive", naive),
        ("tiled", tiled),
        ("jacobi2d", jacobi2d(Boundary::Fold(Fold::Clamp))),
        ("jacobi2d_wrap", jacobi2d(Boundary::Fold(Fold::Wrap))),
        ("jacobi2d_constant", jacobi2d(zero())),
        ("jacobi3d", jacobi3d(Boundary::Fold(Fold::Clamp))),
        ("jacobi3d_constant", jacobi3d(zero())),
        ("window", window()),
        ("twice", twice()),
        ("padded_twice", padded_twice()),
    ]
}

/// The text of one of them.
fn text(name: &str) -> String {
    let found = all().into_iter().find(|(n, _)| *n == name);
    code(&found.unwrap_or_else(|| panic!("no kernel {name}")).1)
}

#[test]
fn benchmarks_divide_no_index() {
    for name in ["naive", "tiled", "jacobi2d", "jacobi2d_constant", "jacobi3d", "jacobi3d_constant", "window"]
    {
        let text = text(name);
        assert!(!text.contains(" / ") && !text.contains('%'), "{text}");
    }
}

#[test]
fn the_nearest_element() {
    assert_snapshot!(text("clamp"), @r"
    kernel void three_points(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                const index_t j = max(min(i + wx, N) - 1, (index_t)0);
                acc += xs[j];
            }
            out[i] = acc;
        }
    }
    ");
}

#[test]
fn a_periodic_array() {
    assert_snapshot!(text("wrap"), @r"
    kernel void three_points(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                const index_t j = (i + wx + N - 1) % N;
                acc += xs[j];
            }
            out[i] = acc;
        }
    }
    ");
}

#[test]
fn a_mirrored_array() {
    assert_snapshot!(text("mirror"), @r"
    kernel void three_points(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                const index_t j = (i + wx + 2 * N - 1) % (2 * N);
                const index_t k = min(2 * N - j - 1, j);
                acc += xs[k];
            }
            out[i] = acc;
        }
    }
    ");
}

#[test]
fn a_reflected_array() {
    assert_snapshot!(text("reflect"), @r"
    kernel void three_points(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        const index_t period = max(2 * N - 2, (index_t)1);
        if (i < N) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                const index_t j = (i + wx + period - 1) % period;
                const index_t k = j + 2 * min(N - j - 1, (index_t)0);
                acc += xs[k];
            }
            out[i] = acc;
        }
    }
    ");
}

#[test]
fn a_constant_border() {
    assert_snapshot!(text("constant"), @r"
    kernel void three_points(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                acc += i + wx >= 1 && i + wx < N + 1 ? xs[i + wx - 1] : 0.0f;
            }
            out[i] = acc;
        }
    }
    ");
}

#[test]
fn a_convolution() {
    assert_snapshot!(text("naive"), @"
    kernel void convolve(
        global const float* restrict weights,
        global const float* restrict image,
        global float* restrict out LIFT_SIZES)
    {
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (row < N && col < M) {
            float acc = 0.0f;
            for (index_t wy = 0; wy < 17; ++wy) {
                const index_t r = max(min(row + wy - 8, N - 1), (index_t)0);
                const index_t line = r * M;
                for (index_t wx = 0; wx < 17; ++wx) {
                    const index_t c = max(min(col + wx - 8, M - 1), (index_t)0);
                    acc += weights[17 * wy + wx] * image[line + c];
                }
            }
            out[row * M + col] = acc;
        }
    }
    ");
}

#[test]
fn a_convolution_in_tiles() {
    assert_snapshot!(text("tiled"), @"
    kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1)))
    void convolve(
        global const float* restrict weights,
        global const float* restrict image,
        global float* restrict out LIFT_SIZES)
    {
        local float tile[TILE_Y + 16][TILE_X + 16];
        const index_t gy = get_group_id(1);
        const index_t gx = get_group_id(0);
        const index_t ly = get_local_id(1);
        const index_t lx = get_local_id(0);
        for (index_t y = ly; y < TILE_Y + 16; y += TILE_Y) {
            const index_t r = max(min(gy * TILE_Y + y - 8, N - 1), (index_t)0);
            const index_t line = r * M;
            for (index_t x = lx; x < TILE_X + 16; x += TILE_X) {
                const index_t c = max(min(gx * TILE_X + x - 8, M - 1), (index_t)0);
                tile[y][x] = image[line + c];
            }
        }
        const index_t row = gy * TILE_Y + ly;
        const index_t col = gx * TILE_X + lx;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row < N && col < M) {
            float acc = 0.0f;
            for (index_t wy = 0; wy < 17; ++wy) {
                for (index_t wx = 0; wx < 17; ++wx) {
                    acc += weights[17 * wy + wx] * tile[ly + wy][lx + wx];
                }
            }
            out[row * M + col] = acc;
        }
    }
    ");
}

#[test]
fn a_cross() {
    assert_snapshot!(text("jacobi2d"), @"
    kernel void jacobi2d(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (row < N && col < M) {
            const index_t row_m1 = max(row - 1, (index_t)0);
            const index_t row_p1 = min(row + 1, N - 1);
            const index_t col_m1 = max(col - 1, (index_t)0);
            const index_t col_p1 = min(col + 1, M - 1);
            const index_t line = row * M;
            out[line + col] = 0.2f * (xs[line + col] + xs[row_m1 * M + col] + xs[row_p1 * M + col]
                + xs[line + col_m1] + xs[line + col_p1]);
        }
    }
    ");
}

#[test]
fn a_cross_in_a_constant() {
    assert_snapshot!(text("jacobi2d_constant"), @"
    kernel void jacobi2d(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (row < N && col < M) {
            const index_t line = row * M;
            out[line + col] = 0.2f * (xs[line + col] + (row >= 1 ? xs[(row - 1) * M + col] : 0.0f)
                + (row < N - 1 ? xs[(row + 1) * M + col] : 0.0f)
                + (col >= 1 ? xs[line + col - 1] : 0.0f) + (col < M - 1 ? xs[line + col + 1] : 0.0f));
        }
    }
    ");
}

#[test]
fn a_cross_in_space() {
    assert_snapshot!(text("jacobi3d"), @"
    kernel void jacobi3d(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t plane = get_global_id(2);
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (plane < N && row < M && col < O) {
            const index_t plane_m1 = max(plane - 1, (index_t)0);
            const index_t plane_p1 = min(plane + 1, N - 1);
            const index_t row_m1 = max(row - 1, (index_t)0);
            const index_t row_p1 = min(row + 1, M - 1);
            const index_t col_m1 = max(col - 1, (index_t)0);
            const index_t col_p1 = min(col + 1, O - 1);
            const index_t line = (plane * M + row) * O;
            out[line + col] = 0.161f * (xs[line + col] + xs[(plane_m1 * M + row) * O + col]
                + xs[(plane_p1 * M + row) * O + col] + xs[(plane * M + row_m1) * O + col]
                + xs[(plane * M + row_p1) * O + col] + xs[line + col_m1] + xs[line + col_p1]);
        }
    }
    ");
}

#[test]
fn a_cross_in_a_constant_space() {
    assert_snapshot!(text("jacobi3d_constant"), @"
    kernel void jacobi3d(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t plane = get_global_id(2);
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (plane < N && row < M && col < O) {
            const index_t line = (plane * M + row) * O;
            out[line + col] = 0.161f * (xs[line + col]
                + (plane >= 1 ? xs[((plane - 1) * M + row) * O + col] : 0.0f)
                + (plane < N - 1 ? xs[((plane + 1) * M + row) * O + col] : 0.0f)
                + (row >= 1 ? xs[(plane * M + row - 1) * O + col] : 0.0f)
                + (row < M - 1 ? xs[(plane * M + row + 1) * O + col] : 0.0f)
                + (col >= 1 ? xs[line + col - 1] : 0.0f) + (col < O - 1 ? xs[line + col + 1] : 0.0f));
        }
    }
    ");
}

#[test]
fn a_window_of_symbolic_size() {
    assert_snapshot!(text("window"), @r"
    kernel void window(
        global const float* restrict xs,
        float scale,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < K; ++wx) {
                acc += xs[i + wx];
            }
            out[i] = scale * acc;
        }
    }
    ");
}

#[test]
fn a_stencil_of_a_stencil() {
    assert_snapshot!(text("twice"), @r"
    kernel void twice(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                float value;
                if (i + wx >= 1 && i + wx < N + 1) {
                    float acc2 = 0.0f;
                    for (index_t wx2 = 0; wx2 < 3; ++wx2) {
                        acc2 += i + wx + wx2 >= 2 && i + wx + wx2 < N + 2 ? xs[i + wx + wx2 - 2] : 0.0f;
                    }
                    value = acc2;
                } else {
                    value = 0.0f;
                }
                acc += value;
            }
            out[i] = acc;
        }
    }
    ");
}

#[test]
fn guards_combine() {
    assert_snapshot!(text("padded_twice"), @r"
    kernel void padded(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (row < N + 6 && col < M + 6) {
            out[row * (M + 6) + col] = row >= 3 && row < N + 3 && col >= 3 && col < M + 3
                ? xs[(row - 3) * M + col - 3] : 0.0f;
        }
    }
    ");
}
