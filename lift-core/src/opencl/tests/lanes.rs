//! What `map_vec` becomes.

use crate::pipeline;

/// The text of the only kernel, without its header.
fn code(text: &str) -> String {
    let compilation = pipeline::compile(text.parse().unwrap_or_else(|e| panic!("{e}: {text}")));
    let errors: Vec<String> = compilation.diagnostics.iter().map(|d| d.text()).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    let source = &compilation.kernels[0].versions[0].generated.source;
    match source.split_once("#endif\n\n") {
        Some((_, code)) => code.to_string(),
        None => panic!("no header: {source}"),
    }
}

#[test]
fn what_differs_between_lanes_is_a_vector() {
    let text = "#[kernel] #[size(N % 4 == 0)]
        fn Axpy<N>(a: f32, x: [f32; N], y: [f32; N]) -> [f32; N] {
            zip(x, y).split(4).map_global(0, map_vec(|(x, y)| (a * x + y).max(a))).join()
        }";
    insta::assert_snapshot!(code(text), @r"
    float4 max_float4(float4 x, float4 y) {
    #ifdef __NV_CL_C_VERSION
        return fmax(x, y);
    #else
        return x == y ? as_float4(as_uint4(x) & as_uint4(y)) : fmax(x, y);
    #endif
    }

    kernel void axpy(
        float a,
        global const float* restrict x,
        global const float* restrict y,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 4) {
            *(global float4*)(out
                + 4 * i) = max_float4(fma((float4)(a), *(global const float4*)(x + 4 * i),
                *(global const float4*)(y + 4 * i)),
                (float4)(a));
        }
    }
    ");
}

#[test]
fn wide_vectors_may_lie_anywhere() {
    let text = "#[kernel]
        fn Roots<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
            x.map_global(0, |row| row.take(M / 16 * 16).vectorize(16, |x| x.sqrt()).concat(row.drop(M / 16 * 16).map_seq(|x| x.sqrt())))
        }";
    insta::assert_snapshot!(code(text), @"
    typedef float16 unaligned_float16 __attribute__((aligned(4)));

    kernel void roots(global const float* restrict x, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N) {
            const index_t line = i * M;
            for (index_t j = 0; j < M / 16; ++j) {
                *(global unaligned_float16*)(out + line
                    + 16 * j) = sqrt(*(global const unaligned_float16*)(x + line + 16 * j));
            }
            for (index_t j = 0; j < M - 16 * (M / 16); ++j) {
                const index_t k = j + 16 * (M / 16);
                out[line + k] = sqrt(x[line + k]);
            }
        }
    }
    ");
}

#[test]
fn three_lanes_are_loaded_and_stored_by_builtins() {
    let text = "#[kernel] #[size(N % 3 == 0)]
        fn Negate<N>(x: [i32; N]) -> [i32; N] {
            x.split(3).map_global(0, map_vec(|x| 5 - x * x)).join()
        }";
    insta::assert_snapshot!(code(text), @r"
    kernel void negate(global const int* restrict x, global int* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 3) {
            const int3 x2 = vload3(0, x + 3 * i);
            vstore3(as_int3(as_uint3((int3)(5)) - as_uint3(x2) * as_uint3(x2)), 0, out + 3 * i);
        }
    }
    ");
}

#[test]
fn masks_are_as_wide_as_what_they_choose() {
    let text = "#[kernel] #[size(N % 4 == 0)]
        fn Choose<N>(x: [f64; N], k: [i32; N]) -> [f64; N] {
            zip(x, k).split(4).map_global(0, map_vec(|(x, k)| if x > 0.0 && k < 3 { x } else { k as f64 })).join()
        }";
    insta::assert_snapshot!(code(text), @r"
    typedef double4 unaligned_double4 __attribute__((aligned(8)));

    kernel void choose(
        global const double* restrict x,
        global const int* restrict k,
        global double* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 4) {
            const double4 x_k_0 = *(global const unaligned_double4*)(x + 4 * i);
            const int4 x_k_1 = *(global const int4*)(k + 4 * i);
            *(global unaligned_double4*)(out + 4 * i) = (x_k_0 > 0.0) & convert_long4(x_k_1 < (int4)(3))
                ? x_k_0 : convert_double4(x_k_1);
        }
    }
    ");
}

#[test]
fn neighbours_are_a_vector_where_none_of_them_is_clamped() {
    let text = "#[kernel] #[size(N % 8 == 0)]
        fn Ends<N>(x: [f32; N]) -> [f32; N] {
            x.pad(1, 1, clamp).slide(3, 1).split(8).map_global(0, map_vec(|w| w[0] + w[2])).join()
        }";
    insta::assert_snapshot!(code(text), @r"
    typedef float8 unaligned_float8 __attribute__((aligned(4)));

    kernel void ends(global const float* restrict x, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 8) {
            *(global unaligned_float8*)(out + 8 * i) = (8 * i >= 1
                ? *(global const unaligned_float8*)(x + 8 * i - 1)
                : (float8)(x[max(8 * i - 1, (index_t)0)], x[8 * i], x[8 * i + 1], x[8 * i + 2],
                x[8 * i + 3], x[8 * i + 4], x[8 * i + 5], x[8 * i + 6]))
                + (8 * i < N - 8 ? *(global const unaligned_float8*)(x + 8 * i + 1)
                : (float8)(x[8 * i + 1], x[8 * i + 2], x[8 * i + 3], x[8 * i + 4], x[8 * i + 5],
                x[8 * i + 6], x[8 * i + 7], x[min(8 * i + 8, N - 1)]));
        }
    }
    ");
}

#[test]
fn accumulators_stand_in_lanes() {
    let text = "#[kernel] #[size(N % 4 == 0)]
        fn Columns<N, M>(x: [[f32; N]; M], y: [[f32; M]; N]) -> [f32; N] {
            zip(x.transpose(), y).split(4)
                .map_global(0, map_vec(|(column, row)| zip(column, row).map(mul).reduce_seq(add, 0.0))).join()
        }";
    insta::assert_snapshot!(code(text), @"
    kernel void columns(
        global const float* restrict x,
        global const float* restrict y,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 4) {
            float4 acc = (float4)(0.0f);
            const index_t line = 4 * i * M;
            const index_t line2 = (4 * i + 1) * M;
            const index_t line3 = (4 * i + 2) * M;
            const index_t line4 = (4 * i + 3) * M;
            for (index_t k = 0; k < M; ++k) {
                acc = fma(*(global const float4*)(x + k * N + 4 * i),
                    (float4)(y[line + k], y[line2 + k], y[line3 + k], y[line4 + k]), acc);
            }
            *(global float4*)(out + 4 * i) = acc;
        }
    }
    ");
}

#[test]
fn values_that_must_not_be_read_are_not() {
    let text = "#[kernel] #[size(N % 2 == 0)]
        fn Guarded<N>(x: [f32; N]) -> [f32; N] {
            x.pad(1, 0, constant(0.5)).slide(2, 1).split(2).map_global(0, map_vec(|w| w[0] * w[1])).join()
        }";
    insta::assert_snapshot!(code(text), @r"
    kernel void guarded(global const float* restrict x, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 2) {
            *(global float2*)(out + 2 * i) = (float2)(2 * i >= 1 ? x[2 * i - 1] : 0.5f,
                x[2 * i]) * *(global const float2*)(x + 2 * i);
        }
    }
    ");
}

#[test]
fn what_data_decide_between_is_read_together() {
    let text = "#[kernel] #[size(N % 2 == 0)]
        fn Inside<N>(x: [f32; N], near: [i32; N]) -> [f32; N] {
            zip(x.pad(1, 0, constant(0.5)).slide(2, 1), near).split(2)
                .map_global(0, map_vec(|(w, n)| if n > 0 { w[0] * w[1] } else { 0.0 })).join()
        }";
    insta::assert_snapshot!(code(text), @r"
    kernel void inside(
        global const float* restrict x,
        global const int* restrict near,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 2) {
            *(global float2*)(out + 2 * i) = *(global const int2*)(near + 2 * i) > (int2)(0)
                ? (float2)(2 * i >= 1 ? x[2 * i - 1] : 0.5f,
                x[2 * i]) * *(global const float2*)(x + 2 * i)
                : (float2)(0.0f);
        }
    }
    ");
}

#[test]
fn what_indices_decide_between_is_read_where_it_is_chosen() {
    let text = "#[kernel] #[size(N % 2 == 0, M > 0)]
        fn Pick<N, M>(k: [i32; N], x: [f32; M]) -> [f32; N] {
            k.split(2).map_global(0, map_vec(|k| { let j = k as usize; if j < M { x[j] } else { 0.0 } })).join()
        }";
    insta::assert_snapshot!(code(text), @r"
    kernel void pick(
        global const int* restrict k,
        global const float* restrict x,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 2) {
            const ulong j = (ulong)k[2 * i];
            float value;
            if (j < M) {
                const index_t l = j;
                value = x[l];
            } else {
                value = 0.0f;
            }
            out[2 * i] = value;
            const ulong l = (ulong)k[2 * i + 1];
            float value2;
            if (l < M) {
                const index_t m = l;
                value2 = x[m];
            } else {
                value2 = 0.0f;
            }
            out[2 * i + 1] = value2;
        }
    }
    ");
}

#[test]
fn maps_around_vectors_are_parallel() {
    let text = "#[kernel] #[size(N % 4 == 0)]
        fn Squares<N>(x: [f32; N]) -> [f32; N] {
            x.vectorize(4, |x| x * x)
        }";
    insta::assert_snapshot!(code(text), @r"
    kernel void squares(global const float* restrict x, global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 4) {
            const float4 x2 = *(global const float4*)(x + 4 * i);
            *(global float4*)(out + 4 * i) = x2 * x2;
        }
    }
    ");
}

#[test]
fn rounds_that_differ_between_lanes_are_written_out() {
    let text = "#[kernel] #[size(N % 2 == 0)]
        fn Rounds<N>(n: [usize; N], x: [f32; N]) -> [f32; N] {
            zip(n, x).split(2).map_global(0, map_vec(|(n, x)| iterate(n % 5, |y| 0.5 * (y + x), 1.0))).join()
        }";
    insta::assert_snapshot!(code(text), @r"
    kernel void rounds(
        global const ulong* restrict n,
        global const float* restrict x,
        global float* restrict out LIFT_SIZES)
    {
        const index_t i = get_global_id(0);
        if (i < N / 2) {
            const float2 n_x = *(global const float2*)(x + 2 * i);
            float acc = 1.0f;
            for (ulong left = n[2 * i] % 5; left > 0; --left) {
                acc = 0.5f * (acc + n_x.x);
            }
            out[2 * i] = acc;
            float acc2 = 1.0f;
            for (ulong left = n[2 * i + 1] % 5; left > 0; --left) {
                acc2 = 0.5f * (acc2 + n_x.y);
            }
            out[2 * i + 1] = acc2;
        }
    }
    ");
}
