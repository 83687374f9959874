// The cross of 5 points in an N × M grid on a CPU, with the nearest point outside. A work-item computes 16 rows, each as
// vectors of 16 points that are written past the caches. M is at least 48.

// 16 points anywhere.
typedef float16 points __attribute__((aligned(4)));
#define LOAD(p) ((float16)*(__global const points *)(p))
#define STORE(p, v) *(__global points *)(p) = v

// 16 points at a multiple of 16.
#if M % 16 == 0
#define STREAM(p, v) __builtin_nontemporal_store(v, (__global float16 *)(p))
#else
#define STREAM(p, v) STORE(p, v)
#endif

#define CROSS(x) \
    (0.45f * LOAD(c + (x)) + 0.12f * LOAD(n + (x)) + 0.13f * LOAD(s + (x)) + 0.14f * LOAD(c + (x) - 1) + 0.16f * LOAD(c + (x) + 1))
#define EDGE(x, west, east) (0.45f * c[x] + 0.12f * n[x] + 0.13f * s[x] + 0.14f * c[west] + 0.16f * c[east])

__kernel void jacobi2d5(__global const float *restrict grid, __global float *restrict out) {
    const int first = get_global_id(1) * 16, end = min(first + 16, N);
    for (int y = first; y < end; y++) {
        __global const float *n = grid + max(y - 1, 0) * M, *c = grid + y * M, *s = grid + min(y + 1, N - 1) * M;
        __global float *row = out + y * M;
        row[0] = EDGE(0, 0, 1);
        STORE(row + 1, CROSS(1));
        for (int x = 16; x + 17 <= M; x += 16) STREAM(row + x, CROSS(x));
        STORE(row + M - 17, CROSS(M - 17));
        row[M - 1] = EDGE(M - 1, M - 2, M - 1);
    }
}
