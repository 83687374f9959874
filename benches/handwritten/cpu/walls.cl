// The walls of a room of N points on a CPU: K points next to them, of M materials. A work-item corrects 4096 points. What is no point or
// no material is left out.

#ifdef LIFT_UNCHECKED
#define IS_BELOW(index, end) true
#else
#define IS_BELOW(index, end) ((uint)(index) < (uint)(end))
#endif

__kernel void fi_mm(const float courant, __global const float *restrict beta, __global const int *restrict index,
                    __global const int *restrict neighbours, __global const int *restrict material,
                    __global const float *restrict previous, __global float *restrict next) {
    const int first = get_global_id(0) * 4096, end = min(first + 4096, K);
    for (int i = first; i < end; i++) {
        const int at = index[i], row = material[i];
        if (!IS_BELOW(at, N) || !IS_BELOW(row, M)) continue;
        const float c = 0.5f * courant * (6 - neighbours[i]) * beta[row];
        next[at] = (next[at] + c * previous[at]) / (1.0f + c);
    }
}

#ifdef B
// B branches a material, in registers.
__kernel void fd_mm(const float courant, __global const float *restrict beta, __global const float *restrict b,
                    __global const float *restrict d, __global const float *restrict i, __global const float *restrict f,
                    __global const int *restrict index, __global const int *restrict neighbours,
                    __global const int *restrict material, __global const float *restrict previous,
                    __global float *restrict next, __global float *restrict g, __global float *restrict v) {
    const int first = get_global_id(0) * 4096, end = min(first + 4096, K);
    for (int point = first; point < end; point++) {
        const int at = index[point], row = material[point] * B;
        if (!IS_BELOW(at, N) || !IS_BELOW(material[point], M)) continue;
        const float exposed = courant * (6 - neighbours[point]), c = 0.5f * exposed * beta[material[point]];
        const float before = previous[at];
        float old_g[B], old_v[B], taken = 0.0f;
#pragma unroll
        for (int k = 0; k < B; k++) {
            old_g[k] = g[k * K + point];
            old_v[k] = v[k * K + point];
            taken += b[row + k] * (2.0f * d[row + k] * old_v[k] - f[row + k] * old_g[k]);
        }
        const float after = (next[at] - exposed * taken + c * before) / (1.0f + c);
        next[at] = after;
#pragma unroll
        for (int k = 0; k < B; k++) {
            const float now = b[row + k] * (after - before + i[row + k] * old_v[k] - 2.0f * f[row + k] * old_g[k]);
            g[k * K + point] = old_g[k] + 0.5f * (now + old_v[k]);
            v[k * K + point] = now;
        }
    }
}
#endif
