//! Several results, arrays one after the other, and state.

use insta::assert_snapshot;

use super::build::*;
use super::code;
use crate::explore::Variant;
use crate::ir::{Arg, BinaryOp, Expr, Kernel, Lambda, Prim, Scalar};

fn vectors(b: &mut Builder) -> (Expr, Expr) {
    let len = b.size("N");
    (b.param("xs", Scalar::F32, std::slice::from_ref(&len)), b.param("ys", Scalar::F32, &[len]))
}

fn unzip(xs: Expr) -> Expr {
    Expr::prim(Prim::Unzip, vec![Arg::Data(xs)])
}

fn parts() -> (Kernel, Variant) {
    let mut b = Builder::new("SumsAndProducts");
    let (xs, ys) = vectors(&mut b);
    let both = global(0, "p", zip(vec![xs, ys]), |p| {
        let (x, y) = (Expr::field(p.clone(), 0), Expr::field(p, 1));
        Expr::tuple(vec![add(x.clone(), y.clone()), mul(x, y)])
    });
    b.variant(unzip(both))
}

#[test]
fn an_array_of_pairs_is_computed_once_and_stored_in_two_buffers() {
    assert_snapshot!(code(&parts()), @"
    kernel void sums_and_products(
        global const float* restrict xs,
        global const float* restrict ys,
        global float* restrict out_0,
        global float* restrict out_1 LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            const float p_0 = xs[i];
            const float p_1 = ys[i];
            out_0[i] = p_0 + p_1;
            out_1[i] = p_0 * p_1;
        }
    }
    ");
}

/// The same for rows: `unzip2d`.
fn planes() -> (Kernel, Variant) {
    let mut b = Builder::new("Planes");
    let (n, m) = (b.size("N"), b.size("M"));
    let xs = b.param("xs", Scalar::I32, &[n, m]);
    let both = global2d("x", xs, |x| Expr::tuple(vec![x.clone(), Expr::cast(Scalar::F32, x)]));
    b.variant(unzip(Expr::map_with("row", both, unzip)))
}

#[test]
fn rows_of_pairs_are_stored_as_planes() {
    assert_snapshot!(code(&planes()), @"
    kernel void planes(
        global const int* restrict xs,
        global int* restrict out_0,
        global float* restrict out_1 LIFT_SIZES)
    {
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (row < N && col < M) {
            const index_t line = row * M;
            const int x = xs[line + col];
            out_0[line + col] = x;
            out_1[line + col] = (float)x;
        }
    }
    ");
}

/// An array, a row of another length, and a single value.
fn mixed() -> (Kernel, Variant) {
    let mut b = Builder::new("Mixed");
    let (n, m) = (b.size("N"), b.size("M"));
    let xs = b.param("xs", Scalar::F32, &[n, m.clone()]);
    let ys = b.param("ys", Scalar::F32, &[m]);
    let twice = global2d("x", xs, |x| add(x.clone(), x));
    let squares = global(0, "y", ys.clone(), |y| mul(y.clone(), y));
    b.variant(Expr::tuple(vec![twice, squares, sum(ys)]))
}

#[test]
fn results_of_fewer_dimensions_are_stored_by_the_first_items() {
    assert_snapshot!(code(&mixed()), @"
    kernel void mixed(
        global const float* restrict xs,
        global const float* restrict ys,
        global float* restrict out_0,
        global float* restrict out_1,
        global float* restrict out_2 LIFT_SIZES)
    {
        const index_t row = get_global_id(1);
        const index_t col = get_global_id(0);
        if (row < N && col < M) {
            const index_t line = row * M;
            const float x = xs[line + col];
            out_0[line + col] = x + x;
        }
        if (row == 0 && col < M) {
            const float y = ys[col];
            out_1[col] = y * y;
        }
        if (col == 0 && row == 0) {
            float acc = 0.0f;
            for (index_t k = 0; k < M; ++k) {
                acc += ys[k];
            }
            out_2[0] = acc;
        }
    }
    ");
}

/// A reduction over a choice between elements.
fn lazy() -> (Kernel, Variant) {
    let mut b = Builder::new("Lazy");
    let (xs, ys) = vectors(&mut b);
    let len = xs.ty().as_array().map(|(_, n)| n.clone()).unwrap_or_else(|| panic!("an array"));
    let body = global(0, "i", array(len.clone(), "i", |i| i), |i| {
        sum(array(len.clone(), "j", |j| {
            let k = add(i, j);
            let inside = Expr::binary(BinaryOp::Lt, k.clone(), Expr::size(len.clone()));
            let folded = Expr::binary(BinaryOp::Sub, k.clone(), Expr::size(len.clone()));
            Expr::if_(inside, at_index(xs, k), mul(f32(0.5), at_index(ys, folded)))
        }))
    });
    b.variant(body)
}

#[test]
fn of_two_arms_in_a_reduction_one_is_loaded() {
    assert_snapshot!(code(&lazy()), @"
    kernel void lazy(
        global const float* restrict xs,
        global const float* restrict ys,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            float acc = 0.0f;
            for (index_t k = 0; k < N; ++k) {
                acc += i + k < N ? xs[i + k] : 0.5f * ys[i + k - N];
            }
            out[i] = acc;
        }
    }
    ");
}

/// `iterate` with a number of times that is a parameter.
fn steps() -> (Kernel, Variant) {
    let mut b = Builder::new("Steps");
    let k = b.param("k", Scalar::Usize, &[]);
    let (xs, _) = vectors(&mut b);
    let body = global(0, "x", xs, |x| {
        let f = Lambda::unary("s", Scalar::F32.into(), |s| add(mul(s, f32(0.5)), x.clone()));
        Expr::prim(Prim::Iterate, vec![Arg::Data(k), Arg::Fun(f), Arg::Data(x)])
    });
    b.variant(body)
}

#[test]
fn a_number_of_times_is_64_bits_wide() {
    assert_snapshot!(code(&steps()), @"
    kernel void steps(
        ulong k,
        global const float* restrict xs,
        global const float* restrict ys,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            const float x = xs[i];
            float acc = x;
            for (ulong left = k; left > 0; --left) {
                acc = acc * 0.5f + x;
            }
            out[i] = acc;
        }
    }
    ");
}
