// The binomial blur of 17 × 17 points of an N × M image, with the nearest pixel outside. A group of 128 goes down 16 + 17 · BLOCKS
// rows, 4 columns each work-item, and stores 17 · BLOCKS. The last 17 rows are in registers, in turn; their weighted sum is
// a row in local memory, whose weighted sums are stored. M is a multiple of 4.

#define BLOCKS 1
#define ITEMS 128

__constant float weight[17] = {
    0.0000152587890625f, 0.000244140625f, 0.0018310546875f, 0.008544921875f,  0.02777099609375f, 0.066650390625f,
    0.1221923828125f,    0.174560546875f, 0.196380615234375f, 0.174560546875f, 0.1221923828125f, 0.066650390625f,
    0.02777099609375f,   0.008544921875f, 0.0018310546875f, 0.000244140625f,  0.0000152587890625f};

// Reads row r of the image, seen from 8 pixels further west and north.
#define READ(row, r)                                                                  \
    {                                                                                 \
        __global const float *line = image + clamp((r), 0, N - 1) * M;                \
        row = *(__global const float4 *)(line + clamp(x, 0, M - 4));                  \
        if (x < 0) row = row.x;                                                       \
        if (x >= M) row = row.w;                                                      \
    }

// The sum over 17 values.
#define SUM17(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16) \
    (weight[0] * (a0) + \
     weight[1] * (a1) + \
     weight[2] * (a2) + \
     weight[3] * (a3) + \
     weight[4] * (a4) + \
     weight[5] * (a5) + \
     weight[6] * (a6) + \
     weight[7] * (a7) + \
     weight[8] * (a8) + \
     weight[9] * (a9) + \
     weight[10] * (a10) + \
     weight[11] * (a11) + \
     weight[12] * (a12) + \
     weight[13] * (a13) + \
     weight[14] * (a14) + \
     weight[15] * (a15) + \
     weight[16] * (a16))

// A trip: the newest row comes last, and is read first.
#define TRIP(k, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16) \
    {                                                                                 \
        READ(r16, y + (k) + 8)                                                        \
        const int turn = (step + (k)) & 1;                                            \
        sums[turn][item] = SUM17(r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16); \
        barrier(CLK_LOCAL_MEM_FENCE);                                                 \
        if (own && y + (k) < N) {                                                     \
            const float4 a = sums[turn][item - 2], b = sums[turn][item - 1];          \
            const float4 c = sums[turn][item], d = sums[turn][item + 1], e = sums[turn][item + 2]; \
            *(__global float4 *)(out + (y + (k)) * M + x) = (float4)( \
                SUM17(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w, e.x), \
                SUM17(a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w, e.x, e.y), \
                SUM17(a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w, e.x, e.y, e.z), \
                SUM17(a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w, e.x, e.y, e.z, e.w)); \
        }                                                                             \
    }

__kernel void blur17(__global const float *restrict image, __global float *restrict out) {
    __local float4 sums[2][ITEMS];
    const int item = get_local_id(0), x = get_group_id(0) * (4 * ITEMS - 16) - 8 + 4 * item;
    const bool own = item >= 2 && item < ITEMS - 2 && x < M;
    int y = get_group_id(1) * (17 * BLOCKS);
    float4 c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16;
    READ(c0, y - 8)
    READ(c1, y - 7)
    READ(c2, y - 6)
    READ(c3, y - 5)
    READ(c4, y - 4)
    READ(c5, y - 3)
    READ(c6, y - 2)
    READ(c7, y - 1)
    READ(c8, y + 0)
    READ(c9, y + 1)
    READ(c10, y + 2)
    READ(c11, y + 3)
    READ(c12, y + 4)
    READ(c13, y + 5)
    READ(c14, y + 6)
    READ(c15, y + 7)
    for (int step = 0; step < 17 * BLOCKS; step += 17, y += 17) {
        TRIP(0, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16)
        TRIP(1, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c0)
        TRIP(2, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c0, c1)
        TRIP(3, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c0, c1, c2)
        TRIP(4, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c0, c1, c2, c3)
        TRIP(5, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c0, c1, c2, c3, c4)
        TRIP(6, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c0, c1, c2, c3, c4, c5)
        TRIP(7, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c0, c1, c2, c3, c4, c5, c6)
        TRIP(8, c8, c9, c10, c11, c12, c13, c14, c15, c16, c0, c1, c2, c3, c4, c5, c6, c7)
        TRIP(9, c9, c10, c11, c12, c13, c14, c15, c16, c0, c1, c2, c3, c4, c5, c6, c7, c8)
        TRIP(10, c10, c11, c12, c13, c14, c15, c16, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9)
        TRIP(11, c11, c12, c13, c14, c15, c16, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)
        TRIP(12, c12, c13, c14, c15, c16, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11)
        TRIP(13, c13, c14, c15, c16, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12)
        TRIP(14, c14, c15, c16, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13)
        TRIP(15, c15, c16, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14)
        TRIP(16, c16, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15)
    }
}
