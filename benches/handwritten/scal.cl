// α·x for N numbers. A work-item computes 4. N is a multiple of 4.

__kernel void scal(const float alpha, __global const float4 *restrict x, __global float4 *restrict out) {
    const int i = get_global_id(0);
    if (i < N / 4) out[i] = alpha * x[i];
}
