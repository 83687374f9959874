// STEPS steps in time of the cross of 5 points on an N × M grid, with the nearest point outside. A group goes down a strip of
// 4 columns a work-item and ROWS rows. Of every step, 3 rows are kept in registers: the one above, the one here, and the
// one below, which is the newest; the outermost columns of each work-item's four go to its neighbours through
// local memory. What is wrong at the edges of a strip is not stored. M is a multiple of 4.

#define STEPS 6
#define ROWS 64
#define ITEMS 128
#define HALO 8

// A step: row r, from the rows of the step before.
#define STEP(t, next)                                                                                        \
    {                                                                                                        \
        const int r = y - (t) - 1;                                                                           \
        const float4 north = r == 0 ? here##t : above##t, south = r == N - 1 ? here##t : below##t;           \
        const float west = x == 0 ? here##t.x : last[turn][t][item];                                         \
        const float east = x == M - 4 ? here##t.w : first[turn][t][item + 2];                                \
        next = 0.45f * here##t + 0.12f * north + 0.13f * south + 0.14f * (float4)(west, here##t.xyz) +       \
               0.16f * (float4)(here##t.yzw, east);                                                          \
    }

// Moves the rows of a step on, and shows the neighbours the one that is here next.
#define MOVE(t)                           \
    above##t = here##t;                   \
    here##t = below##t;                   \
    first[turn][t][item + 1] = here##t.x; \
    last[turn][t][item + 1] = here##t.w;

#define LEVEL(t) float4 above##t = 0.0f, here##t = 0.0f, below##t = 0.0f;

__kernel void jacobi2d5(__global const float *restrict grid, __global float *restrict out) {
    __local float first[2][STEPS][ITEMS + 2], last[2][STEPS][ITEMS + 2];
    const int item = get_local_id(0);
    const int x = get_group_id(0) * (4 * ITEMS - 2 * HALO) - HALO + 4 * item;
    const int from = get_group_id(1) * ROWS, to = min(from + ROWS, N);
    const int column = clamp(x, 0, M - 4);
    const bool own = item >= HALO / 4 && item < ITEMS - HALO / 4 && x < M;
    LEVEL(0) LEVEL(1) LEVEL(2) LEVEL(3) LEVEL(4) LEVEL(5)
    int turn = 0;
#pragma unroll 2
    for (int y = max(from - STEPS, 0); y < to + STEPS; y++) {
        below0 = *(__global const float4 *)(grid + min(y, N - 1) * M + column);
        STEP(0, below1)
        STEP(1, below2)
        STEP(2, below3)
        STEP(3, below4)
        STEP(4, below5)
        float4 result;
        STEP(5, result)
        if (own && y - STEPS >= from && y - STEPS < to) *(__global float4 *)(out + (y - STEPS) * M + x) = result;
        turn ^= 1;
        MOVE(0) MOVE(1) MOVE(2) MOVE(3) MOVE(4) MOVE(5)
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
