// The walls of a room of N points on a CPU: K points next to them, of M materials. A work-item corrects 4096 points.

__kernel void fi_mm(const float courant, __global const float *restrict beta, __global const int *restrict index,
                    __global const int *restrict neighbours, __global const int *restrict material,
                    __global const float *restrict previous, __global float *restrict next) {
    const int first = get_global_id(0) * 4096, end = min(first + 4096, K);
    for (int i = first; i < end; i++) {
        const int at = index[i];
        const float c = 0.5f * courant * (6 - neighbours[i]) * beta[material[i]];
        next[at] = (next[at] + c * previous[at]) / (1.0f + c);
    }
}
