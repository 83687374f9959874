// The centre and the 6 faces in an N × M × O grid, with the nearest point outside. A work-item computes a row of 4
// points in one plane or in two. O is a multiple of 4, and for two planes N of 2.

// 4 points of row y in plane z.
#define LOAD(z, y) (*(__global const float4 *)(grid + (z) * (M * O) + (y) * O + x))

// The row with its neighbours in the plane.
#define PLANE(r, z)                                                        \
    __global const float *r##_row = grid + (z) * (M * O) + y * O;          \
    const float4 r = LOAD(z, y);                                           \
    const float4 r##_north = LOAD(z, north), r##_south = LOAD(z, south);   \
    const float4 r##_west = (float4)(r##_row[west], r.xyz);                \
    const float4 r##_east = (float4)(r.yzw, r##_row[east]);

#define FACES(below, c, above)                                            \
    (0.19f * c + 0.11f * below + 0.12f * above + 0.13f * c##_north +      \
     0.14f * c##_south + 0.15f * c##_west + 0.16f * c##_east)

#define STORE(z, v) *(__global float4 *)(out + (z) * (M * O) + y * O + x) = v

__kernel void one_plane(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1), z = get_global_id(2);
    if (x >= O || y >= M || z >= N) return;
    const int west = max(x - 1, 0), east = min(x + 4, O - 1);
    const int north = max(y - 1, 0), south = min(y + 1, M - 1);
    const float4 p0 = LOAD(max(z - 1, 0), y);
    PLANE(p1, z)
    const float4 p2 = LOAD(min(z + 1, N - 1), y);
    STORE(z, FACES(p0, p1, p2));
}

__kernel void two_planes(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1), z = get_global_id(2) * 2;
    if (x >= O || y >= M || z >= N) return;
    const int west = max(x - 1, 0), east = min(x + 4, O - 1);
    const int north = max(y - 1, 0), south = min(y + 1, M - 1);
    const float4 p0 = LOAD(max(z - 1, 0), y);
    PLANE(p1, z)
    PLANE(p2, z + 1)
    const float4 p3 = LOAD(min(z + 2, N - 1), y);
    STORE(z, FACES(p0, p1, p2));
    STORE(z + 1, FACES(p1, p2, p3));
}
