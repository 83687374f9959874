// The weighted sums of the 17 × 17 neighbourhoods of an N × M image on a CPU, with the nearest pixel outside. A work-item computes 4
// rows, 16 pixels of each at a time, which stay in registers: every vector is read once, for all of them. N is a multiple of 4, M of 16
// and at least 64.

__constant float WEIGHTS[17][17] = {
    {0.00081f, 0.00101f, 0.00117f, 0.00128f, 0.00131f, 0.00125f, 0.00112f, 0.00094f, 0.00074f, 0.00055f, 0.00038f,
     0.00024f, 0.00015f, 0.00008f, 0.00004f, 0.00002f, 0.00001f},
    {0.00117f, 0.0015f, 0.00181f, 0.00205f, 0.00217f, 0.00215f, 0.00199f, 0.00173f, 0.00141f, 0.00107f, 0.00077f,
     0.00051f, 0.00032f, 0.00019f, 0.0001f, 0.00005f, 0.00003f},
    {0.00155f, 0.00207f, 0.00258f, 0.00301f, 0.0033f, 0.00338f, 0.00325f, 0.00292f, 0.00246f, 0.00194f, 0.00143f,
     0.00099f, 0.00064f, 0.00039f, 0.00022f, 0.00012f, 0.00006f},
    {0.00189f, 0.0026f, 0.00336f, 0.00407f, 0.0046f, 0.00488f, 0.00485f, 0.00451f, 0.00393f, 0.00321f, 0.00245f,
     0.00175f, 0.00118f, 0.00074f, 0.00043f, 0.00024f, 0.00012f},
    {0.00211f, 0.00301f, 0.00402f, 0.00504f, 0.0059f, 0.00648f, 0.00666f, 0.00641f, 0.00578f, 0.00488f, 0.00386f,
     0.00286f, 0.00198f, 0.00129f, 0.00078f, 0.00045f, 0.00024f},
    {0.00217f, 0.0032f, 0.00442f, 0.00573f, 0.00695f, 0.00789f, 0.00839f, 0.00835f, 0.00779f, 0.00681f, 0.00557f,
     0.00427f, 0.00306f, 0.00206f, 0.00129f, 0.00076f, 0.00042f},
    {0.00204f, 0.00312f, 0.00446f, 0.00598f, 0.0075f, 0.00882f, 0.0097f, 0.01f, 0.00965f, 0.00872f, 0.00738f,
     0.00585f, 0.00435f, 0.00302f, 0.00197f, 0.0012f, 0.00069f},
    {0.00177f, 0.00279f, 0.00413f, 0.00573f, 0.00744f, 0.00905f, 0.0103f, 0.01099f, 0.01097f, 0.01026f, 0.00899f,
     0.00737f, 0.00566f, 0.00407f, 0.00274f, 0.00173f, 0.00102f},
    {0.0014f, 0.0023f, 0.00352f, 0.00504f, 0.00678f, 0.00852f, 0.01004f, 0.01108f, 0.01145f, 0.01108f, 0.01004f,
     0.00852f, 0.00678f, 0.00504f, 0.00352f, 0.0023f, 0.0014f},
    {0.00102f, 0.00173f, 0.00274f, 0.00407f, 0.00566f, 0.00737f, 0.00899f, 0.01026f, 0.01097f, 0.01099f, 0.0103f,
     0.00905f, 0.00744f, 0.00573f, 0.00413f, 0.00279f, 0.00177f},
    {0.00069f, 0.0012f, 0.00197f, 0.00302f, 0.00435f, 0.00585f, 0.00738f, 0.00872f, 0.00965f, 0.01f, 0.0097f,
     0.00882f, 0.0075f, 0.00598f, 0.00446f, 0.00312f, 0.00204f},
    {0.00042f, 0.00076f, 0.00129f, 0.00206f, 0.00306f, 0.00427f, 0.00557f, 0.00681f, 0.00779f, 0.00835f, 0.00839f,
     0.00789f, 0.00695f, 0.00573f, 0.00442f, 0.0032f, 0.00217f},
    {0.00024f, 0.00045f, 0.00078f, 0.00129f, 0.00198f, 0.00286f, 0.00386f, 0.00488f, 0.00578f, 0.00641f, 0.00666f,
     0.00648f, 0.0059f, 0.00504f, 0.00402f, 0.00301f, 0.00211f},
    {0.00012f, 0.00024f, 0.00043f, 0.00074f, 0.00118f, 0.00175f, 0.00245f, 0.00321f, 0.00393f, 0.00451f, 0.00485f,
     0.00488f, 0.0046f, 0.00407f, 0.00336f, 0.0026f, 0.00189f},
    {0.00006f, 0.00012f, 0.00022f, 0.00039f, 0.00064f, 0.00099f, 0.00143f, 0.00194f, 0.00246f, 0.00292f, 0.00325f,
     0.00338f, 0.0033f, 0.00301f, 0.00258f, 0.00207f, 0.00155f},
    {0.00003f, 0.00005f, 0.0001f, 0.00019f, 0.00032f, 0.00051f, 0.00077f, 0.00107f, 0.00141f, 0.00173f, 0.00199f,
     0.00215f, 0.00217f, 0.00205f, 0.00181f, 0.0015f, 0.00117f},
    {0.00001f, 0.00002f, 0.00004f, 0.00008f, 0.00015f, 0.00024f, 0.00038f, 0.00055f, 0.00074f, 0.00094f, 0.00112f,
     0.00125f, 0.00131f, 0.00128f, 0.00117f, 0.00101f, 0.00081f}};

// 16 pixels anywhere.
typedef float16 pixels __attribute__((aligned(4)));

// Pixel x + k - 8 of a row and its products in each of the sums.
#define TAP(r, k)                                                          \
    {                                                                      \
        const float16 v = *(__global const pixels *)(row + x + (k) - 8);   \
        if ((r) < 17) s0 += WEIGHTS[(r) < 17 ? (r) : 0][k] * v;            \
        if ((r) >= 1 && (r) < 18) s1 += WEIGHTS[(r) >= 1 && (r) < 18 ? (r) - 1 : 0][k] * v; \
        if ((r) >= 2 && (r) < 19) s2 += WEIGHTS[(r) >= 2 && (r) < 19 ? (r) - 2 : 0][k] * v; \
        if ((r) >= 3) s3 += WEIGHTS[(r) >= 3 ? (r) - 3 : 0][k] * v;        \
    }

// Row r of the 20 that 4 rows need.
#define ROW(r)                                                             \
    {                                                                      \
        __global const float *row = image + clamp(y + (r) - 8, 0, N - 1) * M; \
        TAP(r, 0) TAP(r, 1) TAP(r, 2) TAP(r, 3) TAP(r, 4) TAP(r, 5) TAP(r, 6) TAP(r, 7) TAP(r, 8)      \
        TAP(r, 9) TAP(r, 10) TAP(r, 11) TAP(r, 12) TAP(r, 13) TAP(r, 14) TAP(r, 15) TAP(r, 16)         \
    }

#define STORE(p, v) *(__global pixels *)(p) = v

// A pixel near the west or east edge.
static float edge(__global const float *image, const int y, const int x) {
    float sum = 0.0f;
    for (int i = 0; i < 17; i++) {
        __global const float *row = image + clamp(y + i - 8, 0, N - 1) * M;
        for (int j = 0; j < 17; j++) sum += WEIGHTS[i][j] * row[clamp(x + j - 8, 0, M - 1)];
    }
    return sum;
}

__kernel void convolution(__global const float *restrict image, __global float *restrict out) {
    const int y = get_global_id(1) * 4;
    __global float *target = out + y * M;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++) {
            target[i * M + j] = edge(image, y + i, j);
            target[i * M + M - 8 + j] = edge(image, y + i, M - 8 + j);
        }
    for (int first = 8; first < M - 8; first += 16) {
        const int x = min(first, M - 24);
        float16 s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
        ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9)
        ROW(10) ROW(11) ROW(12) ROW(13) ROW(14) ROW(15) ROW(16) ROW(17) ROW(18) ROW(19)
        STORE(target + x, s0);
        STORE(target + M + x, s1);
        STORE(target + 2 * M + x, s2);
        STORE(target + 3 * M + x, s3);
    }
}
