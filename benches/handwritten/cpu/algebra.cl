// Linear algebra on a CPU: vectors of 16 numbers, of which several are summed up side by side.

// 16 numbers anywhere.
typedef float16 numbers __attribute__((aligned(4)));
#define LOAD(p) ((float16)*(__global const numbers *)(p))
#define STORE(p, v) *(__global numbers *)(p) = v

static float total(const float16 v) {
    const float8 eight = v.lo + v.hi;
    const float4 four = eight.lo + eight.hi;
    return four.x + four.y + four.z + four.w;
}

#ifndef M

// A part of 1024, in 4 sums of vectors. N is a multiple of 65536.
#define REDUCE(name, ARGUMENTS, VALUE)                                        \
    __kernel void name(ARGUMENTS, __global float *restrict parts) {           \
        const int part = get_global_id(0);                                    \
        float16 s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;                   \
        for (int i = part * (N / 1024); i < (part + 1) * (N / 1024); i += 64) { \
            s0 += VALUE(i);                                                   \
            s1 += VALUE(i + 16);                                              \
            s2 += VALUE(i + 32);                                              \
            s3 += VALUE(i + 48);                                              \
        }                                                                     \
        parts[part] = total(s0 + s1 + s2 + s3);                               \
    }

#define ONE __global const float *restrict x
#define TWO __global const float *restrict x, __global const float *restrict y
#define NUMBER(i) LOAD(x + (i))
#define MAGNITUDE(i) fabs(LOAD(x + (i)))
#define PRODUCT(i) (LOAD(x + (i)) * LOAD(y + (i)))

REDUCE(sum, ONE, NUMBER)
REDUCE(asum, ONE, MAGNITUDE)
REDUCE(dot_product, TWO, PRODUCT)

// The sum of all parts.
__kernel void finish(__global const float *restrict parts, __global float *restrict out) {
    float16 sum = 0.0f;
    for (int i = 0; i < 1024; i += 16) sum += LOAD(parts + i);
    out[0] = total(sum);
}

// 16 numbers an item.
__kernel void scal(const float alpha, __global const float *restrict x, __global float *restrict out) {
    const int i = get_global_id(0) * 16;
    if (i < N) STORE(out + i, alpha * LOAD(x + i));
}

#elif !defined(K)

// 4 rows together. N is a multiple of 4, M of 16.
__kernel void gemv(const float alpha, __global const float *restrict a, __global const float *restrict x, const float beta,
                   __global const float *restrict y, __global float *restrict out) {
    const int row = get_global_id(0) * 4;
    __global const float *p = a + row * M;
    float16 s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
    for (int i = 0; i < M; i += 16) {
        const float16 v = LOAD(x + i);
        s0 += v * LOAD(p + i);
        s1 += v * LOAD(p + M + i);
        s2 += v * LOAD(p + 2 * M + i);
        s3 += v * LOAD(p + 3 * M + i);
    }
    out[row] = alpha * total(s0) + beta * y[row];
    out[row + 1] = alpha * total(s1) + beta * y[row + 1];
    out[row + 2] = alpha * total(s2) + beta * y[row + 2];
    out[row + 3] = alpha * total(s3) + beta * y[row + 3];
}

#else

// 32 columns, which are packed first; 12 rows of them at a time are in registers, and the last ones may be computed twice. N is
// at least 12, M a multiple of 32.
__kernel void gemm(const float alpha, __global const float *restrict a, __global const float *restrict b, const float beta,
                   __global const float *restrict c, __global float *restrict out) {
    __local float16 panel[2 * K];
    const int column = get_group_id(0) * 32;
    for (int k = 0; k < K; k++) {
        panel[2 * k] = LOAD(b + k * M + column);
        panel[2 * k + 1] = LOAD(b + k * M + column + 16);
    }
    for (int block = 0; block < N; block += 12) {
        const int first = min(block, N - 12);
        float16 left[12], right[12];
#pragma unroll
        for (int i = 0; i < 12; i++) left[i] = right[i] = 0.0f;
        for (int k = 0; k < K; k++) {
            const float16 west = panel[2 * k], east = panel[2 * k + 1];
#pragma unroll
            for (int i = 0; i < 12; i++) {
                const float16 v = a[(first + i) * K + k];
                left[i] = fma(v, west, left[i]);
                right[i] = fma(v, east, right[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < 12; i++) {
            const int at = (first + i) * M + column;
            STORE(out + at, alpha * left[i] + beta * LOAD(c + at));
            STORE(out + at + 16, alpha * right[i] + beta * LOAD(c + at + 16));
        }
    }
}

#endif
