// α·A·B + β·C for matrices of N × K, K × M and N × M numbers. A work-group of 256 computes 128 × 128 numbers, from 128 × 16
// of A and 16 × 128 of B at a time in local memory; a work-item 8 × 8, in four quarters of 4 × 4. N and M are multiples of
// 128, K of 16.

#define EACH(i, n) _Pragma("unroll") for (int i = 0; i < n; i++)

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void gemm(const float alpha, __global const float *restrict a, __global const float *restrict b, const float beta,
          __global const float *restrict c, __global float *restrict out) {
    // A's part is transposed; its rows are 4 numbers longer so that writing columns does not meet one bank.
    __local float4 a_part[16 * 33], b_part[16 * 32];
    __local float *a_numbers = (__local float *)a_part;
    const int item = get_local_id(0), x = item % 16, y = item / 16;
    const int row = get_group_id(1) * 128, column = get_group_id(0) * 128;
    float sums[8][8];
    EACH(i, 8) EACH(j, 8) sums[i][j] = 0.0f;
    for (int k = 0; k < K; k += 16) {
        EACH(part, 2) {
            const int e = item + part * 256, r = e / 4, q = e % 4 * 4;
            const float4 v = *(__global const float4 *)(a + (row + r) * K + k + q);
            a_numbers[q * 132 + r] = v.x;
            a_numbers[(q + 1) * 132 + r] = v.y;
            a_numbers[(q + 2) * 132 + r] = v.z;
            a_numbers[(q + 3) * 132 + r] = v.w;
            b_part[e] = *(__global const float4 *)(b + (k + e / 32) * M + column + e % 32 * 4);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(q, 16) {
            const float4 a0 = a_part[q * 33 + y], a1 = a_part[q * 33 + y + 16];
            const float4 b0 = b_part[q * 32 + x], b1 = b_part[q * 32 + x + 16];
            const float left[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float right[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
            EACH(i, 8) EACH(j, 8) sums[i][j] = fma(left[i], right[j], sums[i][j]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    EACH(i, 8) {
        const int start = (row + i / 4 * 64 + y * 4 + i % 4) * M + column + x * 4;
        const float4 west = (float4)(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        const float4 east = (float4)(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
        *(__global float4 *)(out + start) = alpha * west + beta * *(__global const float4 *)(c + start);
        *(__global float4 *)(out + start + 64) = alpha * east + beta * *(__global const float4 *)(c + start + 64);
    }
}
