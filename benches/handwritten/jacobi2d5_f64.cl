// The cross of 5 points in an N × M grid of doubles, with the nearest point outside. A work-item computes 2 rows of
// 2 points. N and M are multiples of 2.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// One row: the 2 points, and those one further west and east.
#define ROW(r, row)                                              \
    __global const double *r##_row = grid + (row) * M;           \
    const double2 r = *(__global const double2 *)(r##_row + x);  \
    const double2 r##_west = (double2)(r##_row[west], r.x);      \
    const double2 r##_east = (double2)(r.y, r##_row[east]);

#define CROSS(n, c, s) (0.45 * c + 0.12 * n + 0.13 * s + 0.14 * c##_west + 0.16 * c##_east)

#define STORE(y, v) *(__global double2 *)(out + (y) * M + x) = v

__kernel void jacobi2d5(__global const double *restrict grid, __global double *restrict out) {
    const int x = get_global_id(0) * 2, y = get_global_id(1) * 2;
    if (x >= M || y >= N) return;
    const int west = max(x - 1, 0), east = min(x + 2, M - 1);
    ROW(r0, max(y - 1, 0))
    ROW(r1, y)
    ROW(r2, y + 1)
    ROW(r3, min(y + 2, N - 1))
    STORE(y, CROSS(r0, r1, r2));
    STORE(y + 1, CROSS(r1, r2, r3));
}
