// One step of sound in a box of N × M × O points, with nothing outside. A work-item computes a row of 4 points in each of 4
// planes. N and O are multiples of 4.

// 4 points of a row, if it is inside.
#define LOAD(array, plane, row) (*(__global const float4 *)(array + ((plane) * M + (row)) * O + x))
#define INSIDE(i, n) ((uint)(i) < (uint)(n))
#define NEAR(plane, row) (INSIDE(plane, N) && INSIDE(row, M) ? LOAD(current, plane, row) : (float4)(0.0f))

// The next pressure, from the planes below and above: walls are where there are fewer than 6 neighbours.
#define STEP(plane, c, below, above)                                                                               \
    {                                                                                                              \
        const float left = x > 0 ? current[((plane) * M + y) * O + x - 1] : 0.0f;                                  \
        const float right = x + 4 < O ? current[((plane) * M + y) * O + x + 4] : 0.0f;                             \
        const float4 neighbours = in_plane + (float)(((plane) > 0) + ((plane) + 1 < N));                           \
        const float4 loss_1 = neighbours < 6.0f ? (float4)(0.98f) : (float4)(1.0f);                                \
        const float4 loss_2 = neighbours < 6.0f ? (float4)(0.97f) : (float4)(1.0f);                                \
        const float4 around = below + above + NEAR(plane, y - 1) + NEAR(plane, y + 1) + (float4)(left, c.s012) +   \
            (float4)(c.s123, right);                                                                               \
        *(__global float4 *)(out + ((plane) * M + y) * O + x) =                                                    \
            loss_1 * ((2.0f - 0.333f * neighbours) * c + 0.333f * around - loss_2 * LOAD(previous, plane, y));     \
    }

__kernel void acoustic(__global const float *restrict previous, __global const float *restrict current,
                       __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1), z = get_global_id(2) * 4;
    if (x >= O || y >= M || z >= N) return;
    const float4 in_plane = (float4)((x > 0) + 1, 2, 2, 1 + (x + 4 < O)) + (float)((y > 0) + (y + 1 < M));
    const float4 below = NEAR(z - 1, y), above = NEAR(z + 4, y);
    const float4 c0 = LOAD(current, z, y), c1 = LOAD(current, z + 1, y);
    const float4 c2 = LOAD(current, z + 2, y), c3 = LOAD(current, z + 3, y);
    STEP(z, c0, below, c1)
    STEP(z + 1, c1, c0, c2)
    STEP(z + 2, c2, c1, c3)
    STEP(z + 3, c3, c2, above)
}
