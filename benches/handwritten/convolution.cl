// The weighted sums of the 17 × 17 neighbourhoods of an N × M image, with the nearest pixel outside. A group of 32 × 8
// computes 16 rows of 128 pixels from a tile in local memory, a work-item 2 rows of 4. M is a multiple of 128, N of 16.

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

// Adds the products of a row of 20 pixels with row k of the weights.
#define TAPS(sum, k) \
    sum += WEIGHTS[k][0] * f0;                      \
    sum += WEIGHTS[k][1] * (float4)(f0.yzw, f1.x);  \
    sum += WEIGHTS[k][2] * (float4)(f0.zw, f1.xy);  \
    sum += WEIGHTS[k][3] * (float4)(f0.w, f1.xyz);  \
    sum += WEIGHTS[k][4] * f1;                      \
    sum += WEIGHTS[k][5] * (float4)(f1.yzw, f2.x);  \
    sum += WEIGHTS[k][6] * (float4)(f1.zw, f2.xy);  \
    sum += WEIGHTS[k][7] * (float4)(f1.w, f2.xyz);  \
    sum += WEIGHTS[k][8] * f2;                      \
    sum += WEIGHTS[k][9] * (float4)(f2.yzw, f3.x);  \
    sum += WEIGHTS[k][10] * (float4)(f2.zw, f3.xy); \
    sum += WEIGHTS[k][11] * (float4)(f2.w, f3.xyz); \
    sum += WEIGHTS[k][12] * f3;                     \
    sum += WEIGHTS[k][13] * (float4)(f3.yzw, f4.x); \
    sum += WEIGHTS[k][14] * (float4)(f3.zw, f4.xy); \
    sum += WEIGHTS[k][15] * (float4)(f3.w, f4.xyz); \
    sum += WEIGHTS[k][16] * f4;

// Row r of the item's neighbourhood, and the sums in which it is taken.
#define ROW(r, TAKEN)                                                                 \
    {                                                                                 \
        __local const float4 *row = tile + (2 * y + r) * 36 + x;                      \
        const float4 f0 = row[0], f1 = row[1], f2 = row[2], f3 = row[3], f4 = row[4]; \
        TAKEN                                                                         \
    }

__kernel void convolution(__global const float *restrict image, __global float *restrict out) {
    __local float4 tile[32 * 36];
    __local float *pixels = (__local float *)tile;
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_group_id(0) * 128, row = get_group_id(1) * 16;
    for (int j = y; j < 32; j += 8) {
        __global const float *from = image + clamp(row + j - 8, 0, N - 1) * M;
        for (int i = x; i < 144; i += 32) pixels[j * 144 + i] = from[clamp(column + i - 8, 0, M - 1)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 upper = 0.0f, lower = 0.0f;
    ROW(0, TAPS(upper, 0))
    ROW(1, TAPS(upper, 1) TAPS(lower, 0))
    ROW(2, TAPS(upper, 2) TAPS(lower, 1))
    ROW(3, TAPS(upper, 3) TAPS(lower, 2))
    ROW(4, TAPS(upper, 4) TAPS(lower, 3))
    ROW(5, TAPS(upper, 5) TAPS(lower, 4))
    ROW(6, TAPS(upper, 6) TAPS(lower, 5))
    ROW(7, TAPS(upper, 7) TAPS(lower, 6))
    ROW(8, TAPS(upper, 8) TAPS(lower, 7))
    ROW(9, TAPS(upper, 9) TAPS(lower, 8))
    ROW(10, TAPS(upper, 10) TAPS(lower, 9))
    ROW(11, TAPS(upper, 11) TAPS(lower, 10))
    ROW(12, TAPS(upper, 12) TAPS(lower, 11))
    ROW(13, TAPS(upper, 13) TAPS(lower, 12))
    ROW(14, TAPS(upper, 14) TAPS(lower, 13))
    ROW(15, TAPS(upper, 15) TAPS(lower, 14))
    ROW(16, TAPS(upper, 16) TAPS(lower, 15))
    ROW(17, TAPS(lower, 16))
    __global float *to = out + (row + 2 * y) * M + column + 4 * x;
    *(__global float4 *)to = upper;
    *(__global float4 *)(to + M) = lower;
}
