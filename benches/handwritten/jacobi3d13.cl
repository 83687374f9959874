// The centre and 2 points along each half axis in an N × M × O grid, with the nearest point outside. A work-item marches
// through up to 8 planes with a row of 4 points, of which it keeps 5 planes in registers. O is a multiple of 4.

// 4 points of row y in plane z.
#define LOAD(z, y) (*(__global const float4 *)(grid + (z) * (M * O) + (y) * O + x))

__kernel void jacobi3d13(__global const float *restrict grid, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1);
    const int first = get_global_id(2) * 8, end = min(first + 8, N);
    if (x >= O || y >= M || first >= N) return;
    const int far_west = max(x - 2, 0), west = max(x - 1, 0);
    const int east = min(x + 4, O - 1), far_east = min(x + 5, O - 1);
    const int far_north = max(y - 2, 0), north = max(y - 1, 0);
    const int south = min(y + 1, M - 1), far_south = min(y + 2, M - 1);
    float4 p0 = LOAD(max(first - 2, 0), y);
    float4 p1 = LOAD(max(first - 1, 0), y);
    float4 p2 = LOAD(first, y);
    float4 p3 = LOAD(min(first + 1, N - 1), y);
    for (int z = first; z < end; z++) {
        const float4 p4 = LOAD(min(z + 2, N - 1), y);
        __global const float *row = grid + z * (M * O) + y * O;
        const float4 w1 = (float4)(row[west], p2.xyz);
        const float4 w2 = (float4)(row[far_west], w1.xyz);
        const float4 e1 = (float4)(p2.yzw, row[east]);
        const float4 e2 = (float4)(e1.yzw, row[far_east]);
        *(__global float4 *)(out + z * (M * O) + y * O + x) = 0.14f * p2 +
            0.01f * p0 + 0.11f * p1 + 0.12f * p3 + 0.02f * p4 +
            0.03f * LOAD(z, far_north) + 0.13f * LOAD(z, north) + 0.14f * LOAD(z, south) + 0.04f * LOAD(z, far_south) +
            0.05f * w2 + 0.07f * w1 + 0.08f * e1 + 0.06f * e2;
        p0 = p1;
        p1 = p2;
        p2 = p3;
        p3 = p4;
    }
}
