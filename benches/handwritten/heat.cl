// One time step of the heat equation in an N × M × O grid, with the nearest point outside. A work-item computes 2 rows of
// 4 points in one plane or in two. M is a multiple of 2, O of 4, and for two planes N of 2.

// 4 points of row y in plane z.
#define LOAD(z, y) (*(__global const float4 *)(grid + (z) * (M * O) + (y) * O + x))

// The rows to the north and south and the two in between, of plane z, with their neighbours along the rows.
#define ROW(r, z, y)                                                       \
    __global const float *r##_row = grid + (z) * (M * O) + (y) * O;        \
    const float4 r = *(__global const float4 *)(r##_row + x);              \
    const float4 r##_west = (float4)(r##_row[west], r.xyz);                \
    const float4 r##_east = (float4)(r.yzw, r##_row[east]);
#define PLANE(a, b, z)                                                     \
    const float4 a##_north = LOAD(z, north), b##_south = LOAD(z, south);   \
    ROW(a, z, y)                                                           \
    ROW(b, z, y + 1)

#define STEP(z, y, c, below, above, north, south)                                                 \
    *(__global float4 *)(out + (z) * (M * O) + (y) * O + x) =                                     \
        c + 0.125f * (below + above + north + south + c##_west + c##_east - 6.0f * c)

__kernel void one_plane(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1) * 2, z = get_global_id(2);
    if (x >= O || y >= M || z >= N) return;
    const int west = max(x - 1, 0), east = min(x + 4, O - 1);
    const int north = max(y - 1, 0), south = min(y + 2, M - 1);
    const int below = max(z - 1, 0), above = min(z + 1, N - 1);
    PLANE(a, b, z)
    STEP(z, y, a, LOAD(below, y), LOAD(above, y), a_north, b);
    STEP(z, y + 1, b, LOAD(below, y + 1), LOAD(above, y + 1), a, b_south);
}

__kernel void two_planes(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1) * 2, z = get_global_id(2) * 2;
    if (x >= O || y >= M || z >= N) return;
    const int west = max(x - 1, 0), east = min(x + 4, O - 1);
    const int north = max(y - 1, 0), south = min(y + 2, M - 1);
    const int below = max(z - 1, 0), above = min(z + 2, N - 1);
    PLANE(a, b, z)
    PLANE(c, d, z + 1)
    STEP(z, y, a, LOAD(below, y), c, a_north, b);
    STEP(z, y + 1, b, LOAD(below, y + 1), d, a, b_south);
    STEP(z + 1, y, c, a, LOAD(above, y), c_north, d);
    STEP(z + 1, y + 1, d, b, LOAD(above, y + 1), c, d_south);
}
