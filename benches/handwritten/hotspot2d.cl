// One time step of a chip's temperature, in an N × M grid with the nearest point outside. A work-item computes 1 row of
// 4 points. M is a multiple of 4. rx, ry and rz are inverse resistances.

#define LOAD(array, y) (*(__global const float4 *)(array + (y) * M + x))

__kernel void hotspot2d(const float step, const float rx, const float ry, const float rz,
                        __global const float *restrict power, __global const float *restrict temperature,
                        __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1);
    if (x >= M || y >= N) return;
    __global const float *row = temperature + y * M;
    const float4 centre = LOAD(temperature, y);
    const float4 north = LOAD(temperature, max(y - 1, 0));
    const float4 south = LOAD(temperature, min(y + 1, N - 1));
    const float4 west = (float4)(row[max(x - 1, 0)], centre.xyz);
    const float4 east = (float4)(centre.yzw, row[min(x + 4, M - 1)]);
    const float4 vertical = (north + south - 2.0f * centre) * ry;
    const float4 horizontal = (east + west - 2.0f * centre) * rx;
    *(__global float4 *)(out + y * M + x) =
        centre + step * (LOAD(power, y) + vertical + horizontal + (80.0f - centre) * rz);
}
