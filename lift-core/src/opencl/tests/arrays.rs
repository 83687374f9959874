//! Maps, reductions, rearrangements, choices and generators.

use insta::assert_snapshot;

use super::build::*;
use super::code;
use crate::explore::Variant;
use crate::ir::{BinaryOp, Boundary, Expr, Fold, Kernel, Literal, MathFn, Place, Scalar};

fn vectors(b: &mut Builder, scalar: Scalar) -> (Expr, Expr) {
    let len = b.size("N");
    (b.param("xs", scalar, std::slice::from_ref(&len)), b.param("ys", scalar, &[len]))
}

pub(super) fn saxpy() -> (Kernel, Variant) {
    let mut b = Builder::new("Saxpy");
    let a = b.param("a", Scalar::F32, &[]);
    let (xs, ys) = vectors(&mut b, Scalar::F32);
    let body =
        global(0, "p", zip(vec![xs, ys]), |p| add(mul(a, Expr::field(p.clone(), 0)), Expr::field(p, 1)));
    b.variant(body)
}

pub(super) fn dot() -> (Kernel, Variant) {
    let mut b = Builder::new("Dot");
    let (xs, ys) = vectors(&mut b, Scalar::F32);
    let products =
        Expr::map_with("p", zip(vec![xs, ys]), |p| mul(Expr::field(p.clone(), 0), Expr::field(p, 1)));
    b.variant(sum(products))
}

pub(super) fn transpose() -> (Kernel, Variant) {
    let mut b = Builder::new("Flip");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let xs = b.param("xs", Scalar::I32, &[rows, cols]);
    b.variant(global2d("x", Expr::transpose(xs), |x| x))
}

/// Squares of positive elements; the other arm is a loop over a row.
pub(super) fn arms() -> (Kernel, Variant) {
    let mut b = Builder::new("Either");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let xs = b.param("xs", Scalar::F32, &[rows.clone(), cols]);
    let ys = b.param("ys", Scalar::F32, &[rows]);
    let body = global(0, "p", zip(vec![xs, ys]), |p| {
        let (row, y) = (Expr::field(p.clone(), 0), Expr::field(p, 1));
        let positive = Expr::binary(BinaryOp::Gt, y.clone(), f32(0.0));
        Expr::if_(positive, mul(y.clone(), y), sum(row))
    });
    b.variant(body)
}

pub(super) fn edges() -> (Kernel, Variant) {
    let mut b = Builder::new("Edges");
    let len = b.size("N");
    let xs = b.param("xs", Scalar::F32, std::slice::from_ref(&len));
    let body = global(0, "i", array(len.clone(), "i", |i| i), |i| {
        let inner = Expr::binary(
            BinaryOp::And,
            Expr::binary(BinaryOp::Gt, i.clone(), usize(0)),
            Expr::binary(BinaryOp::Lt, i.clone(), Expr::size(len.clone() - 1)),
        );
        let left = at_index(xs.clone(), Expr::binary(BinaryOp::Sub, i.clone(), usize(1)));
        let right = at_index(xs.clone(), add(i.clone(), usize(1)));
        Expr::if_(inner, add(left, right), at_index(xs.clone(), i))
    });
    b.variant(body)
}

pub(super) fn generator() -> (Kernel, Variant) {
    let mut b = Builder::new("Ramp");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let grid = array(rows, "i", |i| array(cols, "j", |j| Expr::cast(Scalar::F32, add(mul(i, usize(2)), j))));
    b.variant(global2d("x", grid, |x| x))
}

/// `hash`-like values must not be computed in `int`.
pub(super) fn hash() -> (Kernel, Variant) {
    let mut b = Builder::new("Hash");
    let len = b.size("N");
    let xs = array(len, "i", |i| {
        let wide = mul(i, usize(1_000_003));
        Expr::binary(BinaryOp::Rem, wide, usize(97))
    });
    b.variant(global(0, "x", xs, |x| x))
}

pub(super) fn tuples() -> (Kernel, Variant) {
    let mut b = Builder::new("Three");
    let (xs, ys) = vectors(&mut b, Scalar::F32);
    let zs = b.param("zs", Scalar::F32, &[xs.ty().shape().0[0].clone()]);
    let body = global(0, "p", zip(vec![xs, ys, zs]), |p| {
        let f = |i: usize| Expr::field(p.clone(), i);
        add(mul(f(0), f(0)), add(mul(f(1), f(0)), math(MathFn::Sqrt, vec![f(2)])))
    });
    b.variant(body)
}

pub(super) fn bytes() -> (Kernel, Variant) {
    let mut b = Builder::new("Bytes");
    let len = b.size("N");
    let xs = b.param("bytes", Scalar::U8, &[len]);
    let windows = Expr::slide(
        n(3),
        n(1),
        Expr::pad(n(1), n(1), Boundary::Constant(Expr::literal(Literal::from(7u8))), xs),
    );
    let body = global(0, "w", windows, |w| {
        let floats = Expr::map_with("b", w, |b| Expr::cast(Scalar::F32, b));
        mul(sum(floats), f32(1.0 / 3.0))
    });
    b.variant(body)
}

pub(super) fn gather() -> (Kernel, Variant) {
    let mut b = Builder::new("Gather");
    let (len, count) = (b.size("N"), b.size("K"));
    let xs = b.param("xs", Scalar::F32, &[len]);
    let index = b.param("index", Scalar::I32, &[count]);
    let body = global(0, "i", index, |i| {
        bind("j", Expr::cast(Scalar::Usize, i), |j| {
            mul(at_index(xs.clone(), j.clone()), at_index(xs.clone(), j))
        })
    });
    b.variant(body)
}

pub(super) fn table() -> (Kernel, Variant) {
    let mut b = Builder::new("Sharpen");
    let len = b.size("N");
    let xs = b.param("xs", Scalar::F32, &[len]);
    let windows = Expr::slide(n(3), n(1), Expr::pad(n(1), n(1), Boundary::Fold(Fold::Clamp), xs));
    let literal = Expr::array_literal(vec![f32(-1.0), f32(3.5), f32(-1.0)]);
    let body = bind("weights", literal, |weights| {
        global(0, "w", windows, |w| {
            sum(Expr::map_with("p", zip(vec![weights, w]), |p| {
                mul(Expr::field(p.clone(), 0), Expr::field(p, 1))
            }))
        })
    });
    b.variant(body)
}

pub(super) fn matmul() -> (Kernel, Variant) {
    let mut b = Builder::new("MatMul");
    let (rows, inner, cols) = (b.size("N"), b.size("K"), b.size("M"));
    let a = b.param("a", Scalar::F32, &[rows, inner.clone()]);
    let c = b.param("b", Scalar::F32, &[inner, cols]);
    let body = global(1, "r", a, |r| {
        global(0, "c", Expr::transpose(c), |c| {
            sum(Expr::map_with("p", zip(vec![r, c]), |p| mul(Expr::field(p.clone(), 0), Expr::field(p, 1))))
        })
    });
    b.variant(body)
}

/// The position of the greatest element of each row.
pub(super) fn argmax() -> (Kernel, Variant) {
    let mut b = Builder::new("ArgMax");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let xs = b.param("xs", Scalar::F32, &[rows, cols.clone()]);
    let body = global(0, "row", xs, |row| {
        let pairs = zip(vec![row, array(cols, "i", |i| i)]);
        let z = Expr::tuple(vec![f32(f32::NEG_INFINITY), usize(0)]);
        let best = reduce(
            |acc, x| {
                let greater =
                    Expr::binary(BinaryOp::Gt, Expr::field(x.clone(), 0), Expr::field(acc.clone(), 0));
                Expr::if_(greater, x, acc)
            },
            z,
            pairs,
        );
        Expr::field(best, 1)
    });
    b.variant(body)
}

pub(super) fn ints() -> (Kernel, Variant) {
    let mut b = Builder::new("Ints");
    let (xs, ys) = vectors(&mut b, Scalar::I32);
    let body = global(0, "p", zip(vec![xs, ys]), |p| {
        let (x, y) = (Expr::field(p.clone(), 0), Expr::field(p, 1));
        let q = Expr::binary(BinaryOp::Div, x.clone(), y.clone());
        let r = Expr::binary(BinaryOp::Rem, x.clone(), Expr::literal(Literal::from(10)));
        add(mul(q, r), math(MathFn::Max, vec![math(MathFn::Abs, vec![x]), y]))
    });
    b.variant(body)
}

/// Nested rows of a pulled map: the row's factor is computed once for each row.
pub(super) fn pulled() -> (Kernel, Variant) {
    let mut b = Builder::new("Normalise");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let xs = b.param("xs", Scalar::F32, &[rows, cols]);
    let scaled = Expr::map_with("row", xs, |row| {
        bind("total", sum(row.clone()), |total| {
            Expr::map_with("x", row, |x| Expr::binary(BinaryOp::Div, x, total))
        })
    });
    b.variant(global(0, "row", scaled, |row| placed(Place::Sequential, "x", row, |x| x)))
}

#[test]
fn scalars_are_passed_by_value() {
    assert_snapshot!(code(&saxpy()), @r"
    kernel void saxpy(
        float a,
        global const float* restrict xs,
        global const float* restrict ys,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            out[i] = a * xs[i] + ys[i];
        }
    }
    ");
}

#[test]
fn one_item_reduces_a_scalar_result() {
    assert_snapshot!(code(&dot()), @r"
    kernel void dot_kernel(
        global const float* restrict xs,
        global const float* restrict ys,
        global float* restrict out LIFT_SIZES)
    {
        const index_t item = get_global_id(0);
        if (item == 0) {
            float acc = 0.0f;
            for (index_t i = 0; i < N; ++i) {
                acc += xs[i] * ys[i];
            }
            out[0] = acc;
        }
    }
    ");
}

#[test]
fn transposing_is_only_indexing() {
    assert_snapshot!(code(&transpose()), @r"
    kernel void flip(global const int* restrict xs, global int* restrict out LIFT_SIZES)
    {
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (row < M && col < N) {
            out[row * N + col] = xs[col * M + row];
        }
    }
    ");
}

#[test]
fn an_arm_that_needs_a_loop_is_a_branch() {
    assert_snapshot!(code(&arms()), @"
    kernel void either(
        global const float* restrict xs,
        global const float* restrict ys,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            const float p_1 = ys[i];
            float value;
            if (p_1 > 0.0f) {
                value = p_1 * p_1;
            } else {
                float acc = 0.0f;
                const index_t line = i * M;
                for (index_t k = 0; k < M; ++k) {
                    acc += xs[line + k];
                }
                value = acc;
            }
            out[i] = value;
        }
    }
    ");
}

#[test]
fn conditions_on_indices_guard_reads() {
    assert_snapshot!(code(&edges()), @r"
    kernel void edges(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            out[i] = i >= 1 && i < N - 1 ? xs[i - 1] + xs[i + 1] : xs[i];
        }
    }
    ");
}

#[test]
fn generated_values_fit_the_index_type() {
    assert_snapshot!(code(&generator()), @r"
    kernel void ramp(global float* restrict out LIFT_SIZES)
    {
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (row < N && col < M) {
            out[row * M + col] = (float)(2 * row + col);
        }
    }
    ");
}

#[test]
fn wide_values_are_computed_in_long() {
    assert_snapshot!(code(&hash()), @r"
    kernel void hash(global ulong* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            out[i] = 30 * (long)i % 97;
        }
    }
    ");
}

#[test]
fn what_is_read_twice_gets_a_name() {
    assert_snapshot!(code(&tuples()), @r"
    kernel void three(
        global const float* restrict xs,
        global const float* restrict ys,
        global const float* restrict zs,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            const float p_0 = xs[i];
            out[i] = p_0 * p_0 + (ys[i] * p_0 + sqrt(zs[i]));
        }
    }
    ");
}

#[test]
fn bytes_become_floats() {
    assert_snapshot!(code(&bytes()), @r"
    kernel void bytes(global const uchar* restrict bytes2, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                acc += (float)(i + wx >= 1 && i + wx < N + 1 ? bytes2[i + wx - 1] : 7);
            }
            out[i] = acc * 0.33333334f;
        }
    }
    ");
}

#[test]
fn indices_that_are_data() {
    assert_snapshot!(code(&gather()), @r"
    kernel void gather(
        global const float* restrict xs,
        global const int* restrict index,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < K) {
            const index_t j = index[i];
            out[i] = xs[j] * xs[j];
        }
    }
    ");
}

#[test]
fn literal_arrays_are_constant_tables() {
    assert_snapshot!(code(&table()), @r"
    constant float weights[3] = {-1.0f, 3.5f, -1.0f};

    kernel void sharpen(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc = 0.0f;
            for (index_t wx = 0; wx < 3; ++wx) {
                const index_t j = max(min(i + wx, N) - 1, (index_t)0);
                acc += weights[wx] * xs[j];
            }
            out[i] = acc;
        }
    }
    ");
}

#[test]
fn rows_times_columns() {
    assert_snapshot!(code(&matmul()), @"
    kernel void mat_mul(
        global const float* restrict a,
        global const float* restrict b,
        global float* restrict out LIFT_SIZES)
    {
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (row < N && col < M) {
            float acc = 0.0f;
            const index_t line = row * K;
            for (index_t k = 0; k < K; ++k) {
                acc += a[line + k] * b[k * M + col];
            }
            out[row * M + col] = acc;
        }
    }
    ");
}

#[test]
fn accumulators_may_be_tuples() {
    assert_snapshot!(code(&argmax()), @"
    kernel void arg_max(global const float* restrict xs, global ulong* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc_0 = -INFINITY;
            ulong acc_1 = 0;
            const index_t line = i * M;
            for (index_t k = 0; k < M; ++k) {
                const float x_0 = xs[line + k];
                const bool chosen = x_0 > acc_0;
                acc_0 = chosen ? x_0 : acc_0;
                acc_1 = chosen ? k : acc_1;
            }
            out[i] = acc_1;
        }
    }
    ");
}

#[test]
fn a_row_s_value_is_computed_once() {
    assert_snapshot!(code(&pulled()), @"
    kernel void normalise(global const float* restrict xs, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float total = 0.0f;
            const index_t line = i * M;
            for (index_t k = 0; k < M; ++k) {
                total += xs[line + k];
            }
            for (index_t j = 0; j < M; ++j) {
                out[line + j] = xs[line + j] / total;
            }
        }
    }
    ");
}

#[test]
fn integers_wrap_and_divide_by_zero() {
    assert_snapshot!(code(&ints()), @"
    int div_int(int a, int b) {
        return b == 0 ? 0 : b == -1 ? (int)(0u - (uint)a) : a / b;
    }

    int wrapping_add_int(int a, int b) {
        return (int)((uint)a + (uint)b);
    }

    int wrapping_mul_int(int a, int b) {
        return (int)((uint)a * (uint)b);
    }

    kernel void ints(
        global const int* restrict xs,
        global const int* restrict ys,
        global int* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            const int p_0 = xs[i];
            const int p_1 = ys[i];
            out[i] = wrapping_add_int(wrapping_mul_int(div_int(p_0, p_1), p_0 % 10),
                max((int)abs(p_0), p_1));
        }
    }
    ");
}
