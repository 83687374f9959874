// Nine points of an (N + 2) × (M + 2) grid for each of N × M. A work-item computes 4 rows of 2 points. N is a multiple of 4,
// M of 2.

// The 4 points above row y of the result, as 2 that begin at the same columns and those in between.
#define ROW(r, line)                                                                                      \
    const float2 r##_west = *(__global const float2 *)(grid + (line) * (M + 2) + x);                         \
    const float2 r##_east = *(__global const float2 *)(grid + (line) * (M + 2) + x + 2);                     \
    const float2 r = (float2)(r##_west.y, r##_east.x);

#define WEIGH(a, b, c)                                                                                    \
    (0.25f * b + 0.15f * (a + b##_west + b##_east + c) + 0.05f * (a##_west + a##_east + c##_west + c##_east))

#define STORE(y, v) *(__global float2 *)(out + (y) * M + x) = v

__kernel void stencil2d(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 2, y = get_global_id(1) * 4;
    if (x >= M || y >= N) return;
    ROW(r0, y)
    ROW(r1, y + 1)
    ROW(r2, y + 2)
    ROW(r3, y + 3)
    ROW(r4, y + 4)
    ROW(r5, y + 5)
    STORE(y, WEIGH(r0, r1, r2));
    STORE(y + 1, WEIGH(r1, r2, r3));
    STORE(y + 2, WEIGH(r2, r3, r4));
    STORE(y + 3, WEIGH(r3, r4, r5));
}
