// The cross of 5 points in an N × M grid, with the nearest point outside. A work-item computes 2 rows of 4 points.
// N is a multiple of 2, M of 4.

// Row y: the 4 points, and those one further west and east.
#define ROW(r, y)                                              \
    __global const float *r##_row = grid + (y) * M;            \
    const float4 r = *(__global const float4 *)(r##_row + x);  \
    const float4 r##_west = (float4)(r##_row[west], r.xyz);    \
    const float4 r##_east = (float4)(r.yzw, r##_row[east]);

#define CROSS(n, c, s) (0.45f * c + 0.12f * n + 0.13f * s + 0.14f * c##_west + 0.16f * c##_east)

#define STORE(y, v) *(__global float4 *)(out + (y) * M + x) = v

__kernel void jacobi2d5(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1) * 2;
    if (x >= M || y >= N) return;
    const int west = max(x - 1, 0), east = min(x + 4, M - 1);
    ROW(r0, max(y - 1, 0))
    ROW(r1, y)
    ROW(r2, y + 1)
    ROW(r3, min(y + 2, N - 1))
    STORE(y, CROSS(r0, r1, r2));
    STORE(y + 1, CROSS(r1, r2, r3));
}
