// The cube of 27 points in an N × M × O grid, with the nearest point outside. A work-item computes 2 planes of 2 rows of
// 4 points. N and M are multiples of 2, O of 4.

// Row y of plane z: the 4 points, and those one further west and east.
#define ROW(r, z, y)                                                     \
    __global const float *r##_row = grid + (z) * (M * O) + (y) * O;      \
    const float4 r = *(__global const float4 *)(r##_row + x);            \
    const float4 r##_west = (float4)(r##_row[west], r.xyz);              \
    const float4 r##_east = (float4)(r.yzw, r##_row[east]);

// The rows a, b, c, d of plane z.
#define PLANE(a, b, c, d, z)       \
    ROW(a, z, max(y - 1, 0))       \
    ROW(b, z, y)                   \
    ROW(c, z, y + 1)               \
    ROW(d, z, min(y + 2, M - 1))

// Without parentheses: the whole cube is one chain of multiply-adds.
#define LINE(r, west, centre, east) west##f * r##_west + centre##f * r + east##f * r##_east

// Rows a, b and c of the planes 0, 1 and 2.
#define CUBE(a0, b0, c0, a1, b1, c1, a2, b2, c2)                                                              \
    (LINE(a0, 0.01, 0.02, 0.03) + LINE(b0, 0.04, 0.05, 0.06) + LINE(c0, 0.012, 0.013, 0.014) +                \
     LINE(a1, 0.021, 0.031, 0.041) + LINE(b1, 0.051, 0.061, 0.07) + LINE(c1, 0.015, 0.016, 0.017) +           \
     LINE(a2, 0.022, 0.023, 0.024) + LINE(b2, 0.032, 0.033, 0.034) + LINE(c2, 0.042, 0.043, 0.044))

#define STORE(z, y, v) *(__global float4 *)(out + (z) * (M * O) + (y) * O + x) = v

__kernel void jacobi3d27(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1) * 2, z = get_global_id(2) * 2;
    if (x >= O || y >= M || z >= N) return;
    const int west = max(x - 1, 0), east = min(x + 4, O - 1);
    PLANE(a0, b0, c0, d0, max(z - 1, 0))
    PLANE(a1, b1, c1, d1, z)
    PLANE(a2, b2, c2, d2, z + 1)
    PLANE(a3, b3, c3, d3, min(z + 2, N - 1))
    STORE(z, y, CUBE(a0, b0, c0, a1, b1, c1, a2, b2, c2));
    STORE(z, y + 1, CUBE(b0, c0, d0, b1, c1, d1, b2, c2, d2));
    STORE(z + 1, y, CUBE(a1, b1, c1, a2, b2, c2, a3, b3, c3));
    STORE(z + 1, y + 1, CUBE(b1, c1, d1, b2, c2, d2, b3, c3, d3));
}
