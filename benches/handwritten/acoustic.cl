// One step of sound in a box of N × M × O points, with nothing outside. A work-item computes 2 planes of 2 rows of 2
// points. N, M and O are multiples of 2.

// The 2 points of a row, if it is inside.
#define LOAD(array, plane, row) (*(__global const float2 *)(array + ((plane) * M + (row)) * O + x))
#define INSIDE(i, n) ((uint)(i) < (uint)(n))
#define NEAR(plane, row) (INSIDE(plane, N) && INSIDE(row, M) ? LOAD(current, plane, row) : (float2)(0.0f))

// A row of the block, and the points to its west and east.
#define ROW(r, plane, row)                                                                    \
    const float2 r = LOAD(current, plane, row);                                               \
    const float r##_left = x > 0 ? current[((plane) * M + (row)) * O + x - 1] : 0.0f;         \
    const float r##_right = x + 2 < O ? current[((plane) * M + (row)) * O + x + 2] : 0.0f;    \
    const float2 r##_west = (float2)(r##_left, r.s0), r##_east = (float2)(r.s1, r##_right);

// The next pressure, from the rows around: walls are where there are fewer than 6 neighbours.
#define STEP(plane, row, c, below, above, north, south)                                                            \
    {                                                                                                              \
        const float2 neighbours =                                                                                  \
            along_row + (float)(((row) > 0) + ((row) + 1 < M) + ((plane) > 0) + ((plane) + 1 < N));                \
        const float2 loss_1 = neighbours < 6.0f ? (float2)(0.98f) : (float2)(1.0f);                                \
        const float2 loss_2 = neighbours < 6.0f ? (float2)(0.97f) : (float2)(1.0f);                                \
        const float2 around = below + above + north + south + c##_west + c##_east;                                 \
        *(__global float2 *)(out + ((plane) * M + (row)) * O + x) =                                                \
            loss_1 * ((2.0f - 0.333f * neighbours) * c + 0.333f * around - loss_2 * LOAD(previous, plane, row));   \
    }

__kernel void acoustic(__global const float *restrict previous, __global const float *restrict current,
                       __global float *restrict out) {
    const int x = get_global_id(0) * 2, y = get_global_id(1) * 2, z = get_global_id(2) * 2;
    if (x >= O || y >= M || z >= N) return;
    const float2 along_row = (float2)((x > 0) + 1, 1 + (x + 2 < O));
    ROW(a0, z, y)
    ROW(a1, z, y + 1)
    ROW(b0, z + 1, y)
    ROW(b1, z + 1, y + 1)
    STEP(z, y, a0, NEAR(z - 1, y), b0, NEAR(z, y - 1), a1)
    STEP(z, y + 1, a1, NEAR(z - 1, y + 1), b1, a0, NEAR(z, y + 2))
    STEP(z + 1, y, b0, a0, NEAR(z + 2, y), NEAR(z + 1, y - 1), b1)
    STEP(z + 1, y + 1, b1, a1, NEAR(z + 2, y + 1), b0, NEAR(z + 1, y + 2))
}
