// α·A·x + β·y for a matrix of N rows of M numbers. A work-group of 128 computes an element.

__kernel void gemv(const float alpha, __global const float *restrict a, __global const float *restrict x,
                   const float beta, __global const float *restrict y, __global float *restrict out) {
    __local float sums[128];
    const int row = get_group_id(0), l = get_local_id(0);
    float sum = 0.0f;
    for (int i = l; i < M; i += 128) sum += a[row * M + i] * x[i];
    sums[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 64; step > 0; step >>= 1) {
        if (l < step) sums[l] += sums[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[row] = alpha * sums[0] + beta * y[row];
}
