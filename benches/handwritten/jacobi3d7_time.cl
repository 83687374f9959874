// 3 steps in time of the centre and the 6 faces on an N × M × O grid, with the nearest point outside. A group goes through the
// planes of a block, a four of a row each work-item. Of every step, 3 planes are kept in registers; the one in the
// middle lies in local memory, too, for the neighbours. What is wrong at the edges of a block is not stored. O is a multiple
// of 4.

#define STEPS 3
#define PLANES 104
#define WIDE 16
#define HIGH 32

#define LEVEL(t) float4 below##t = 0.0f, here##t = 0.0f, above##t = 0.0f;

// A step: plane p, from the planes of the step before.
#define STEP(t, next)                                                                                        \
    {                                                                                                        \
        const int p = z - (t) - 1;                                                                           \
        const float4 under = p == 0 ? here##t : below##t, over = p == N - 1 ? here##t : above##t;            \
        const float4 north = y == 0 ? here##t : tile[turn][t][ly][lx + 1];                                   \
        const float4 south = y == M - 1 ? here##t : tile[turn][t][ly + 2][lx + 1];                           \
        const float west = x == 0 ? here##t.x : tile[turn][t][ly + 1][lx].w;                                 \
        const float east = x == O - 4 ? here##t.w : tile[turn][t][ly + 1][lx + 2].x;                         \
        next = 0.19f * here##t + 0.11f * under + 0.12f * over + 0.13f * north + 0.14f * south +              \
               0.15f * (float4)(west, here##t.xyz) + 0.16f * (float4)(here##t.yzw, east);                    \
    }

#define MOVE(t)          \
    below##t = here##t;  \
    here##t = above##t;  \
    tile[turn][t][ly + 1][lx + 1] = here##t;

__kernel void jacobi3d7(__global const float *restrict grid, __global float *restrict out) {
    __local float4 tile[2][STEPS][HIGH + 2][WIDE + 2];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x = get_group_id(0) * (4 * WIDE - 8) - 4 + 4 * lx, y = get_group_id(1) * (HIGH - 2 * STEPS) - STEPS + ly;
    const int from = get_group_id(2) * PLANES, to = min(from + PLANES, N);
    const int place = clamp(y, 0, M - 1) * O + clamp(x, 0, O - 4);
    const bool own = lx >= 1 && lx < WIDE - 1 && x < O && ly >= STEPS && ly < HIGH - STEPS && y < M;
    LEVEL(0) LEVEL(1) LEVEL(2)
    int turn = 0;
#pragma unroll 2
    for (int z = max(from - STEPS, 0); z < to + STEPS; z++) {
        above0 = *(__global const float4 *)(grid + min(z, N - 1) * (M * O) + place);
        STEP(0, above1)
        STEP(1, above2)
        float4 result;
        STEP(2, result)
        if (own && z - STEPS >= from && z - STEPS < to)
            *(__global float4 *)(out + (z - STEPS) * (M * O) + y * O + x) = result;
        turn ^= 1;
        MOVE(0) MOVE(1) MOVE(2)
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
