// The Poisson operator of 19 points in an N × M × O grid, with the nearest point outside. A work-item computes 8 planes of
// a row of 4 points, or 2 planes of 2 rows of 4. O is a multiple of 4, and N of 8, or N and M of 2.

// Row y of plane z: the 4 points, and those one further west and east.
#define ROW(r, z, y)                                                       \
    __global const float *r##_row = grid + (z) * (M * O) + (y) * O;        \
    const float4 r = *(__global const float4 *)(r##_row + x);              \
    const float4 r##_west = (float4)(r##_row[west], r.xyz);                \
    const float4 r##_east = (float4)(r.yzw, r##_row[east]);

// Without parentheses: all points are one chain of multiply-adds. Rows a, b and c of the planes 0, 1 and 2.
#define LINE(r, side, centre) side##f * r##_west + centre##f * r + side##f * r##_east
#define OPERATOR(a0, b0, c0, a1, b1, c1, a2, b2, c2)                                               \
    (-0.0833f * a0 + LINE(b0, -0.0833, -0.166) + -0.0833f * c0 +                                   \
     LINE(a1, -0.0833, -0.166) + LINE(b1, -0.166, 2.666) + LINE(c1, -0.0833, -0.166) +             \
     -0.0833f * a2 + LINE(b2, -0.0833, -0.166) + -0.0833f * c2)

#define STORE(z, y, v) *(__global float4 *)(out + (z) * (M * O) + (y) * O + x) = v

#define THREE(a, b, c, z) ROW(a, z, max(y - 1, 0)) ROW(b, z, y) ROW(c, z, min(y + 1, M - 1))

__kernel void eight_planes(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1), z = get_global_id(2) * 8;
    if (x >= O || y >= M || z >= N) return;
    const int west = max(x - 1, 0), east = min(x + 4, O - 1);
    THREE(a0, b0, c0, max(z - 1, 0))
    THREE(a1, b1, c1, z)
    THREE(a2, b2, c2, z + 1)
    THREE(a3, b3, c3, z + 2)
    THREE(a4, b4, c4, z + 3)
    THREE(a5, b5, c5, z + 4)
    THREE(a6, b6, c6, z + 5)
    THREE(a7, b7, c7, z + 6)
    THREE(a8, b8, c8, z + 7)
    THREE(a9, b9, c9, min(z + 8, N - 1))
    STORE(z, y, OPERATOR(a0, b0, c0, a1, b1, c1, a2, b2, c2));
    STORE(z + 1, y, OPERATOR(a1, b1, c1, a2, b2, c2, a3, b3, c3));
    STORE(z + 2, y, OPERATOR(a2, b2, c2, a3, b3, c3, a4, b4, c4));
    STORE(z + 3, y, OPERATOR(a3, b3, c3, a4, b4, c4, a5, b5, c5));
    STORE(z + 4, y, OPERATOR(a4, b4, c4, a5, b5, c5, a6, b6, c6));
    STORE(z + 5, y, OPERATOR(a5, b5, c5, a6, b6, c6, a7, b7, c7));
    STORE(z + 6, y, OPERATOR(a6, b6, c6, a7, b7, c7, a8, b8, c8));
    STORE(z + 7, y, OPERATOR(a7, b7, c7, a8, b8, c8, a9, b9, c9));
}

#define FOUR(a, b, c, d, z) ROW(a, z, max(y - 1, 0)) ROW(b, z, y) ROW(c, z, y + 1) ROW(d, z, min(y + 2, M - 1))

__kernel void two_planes(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1) * 2, z = get_global_id(2) * 2;
    if (x >= O || y >= M || z >= N) return;
    const int west = max(x - 1, 0), east = min(x + 4, O - 1);
    FOUR(a0, b0, c0, d0, max(z - 1, 0))
    FOUR(a1, b1, c1, d1, z)
    FOUR(a2, b2, c2, d2, z + 1)
    FOUR(a3, b3, c3, d3, min(z + 2, N - 1))
    STORE(z, y, OPERATOR(a0, b0, c0, a1, b1, c1, a2, b2, c2));
    STORE(z, y + 1, OPERATOR(b0, c0, d0, b1, c1, d1, b2, c2, d2));
    STORE(z + 1, y, OPERATOR(a1, b1, c1, a2, b2, c2, a3, b3, c3));
    STORE(z + 1, y + 1, OPERATOR(b1, c1, d1, b2, c2, d2, b3, c3, d3));
}
