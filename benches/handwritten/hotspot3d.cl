// One time step of the temperature of a chip's N layers of M × O points, with the nearest point outside. A work-item marches
// through up to 8 layers with a row of 4 points, of which it keeps 3 layers in registers. O is a multiple of 4.

// 4 points of row y in layer z.
#define LOAD(array, z, y) (*(__global const float4 *)(array + (z) * (M * O) + (y) * O + x))

__kernel void hotspot3d(__global const float *restrict coefficients, const float step,
                        __global const float *restrict power, __global const float *restrict temperature,
                        __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1);
    const int first = get_global_id(2) * 8, end = min(first + 8, N);
    if (x >= O || y >= M || first >= N) return;
    const int west = max(x - 1, 0), east = min(x + 4, O - 1);
    const int north = max(y - 1, 0), south = min(y + 1, M - 1);
    const float centre = coefficients[0], to_north = coefficients[1], to_south = coefficients[2];
    const float to_east = coefficients[3], to_west = coefficients[4], up = coefficients[5], down = coefficients[6];
    float4 below = LOAD(temperature, max(first - 1, 0), y), c = LOAD(temperature, first, y);
    for (int z = first; z < end; z++) {
        const float4 above = LOAD(temperature, min(z + 1, N - 1), y);
        __global const float *row = temperature + z * (M * O) + y * O;
        *(__global float4 *)(out + z * (M * O) + y * O + x) = step * LOAD(power, z, y) + centre * c +
            to_north * LOAD(temperature, z, north) + to_south * LOAD(temperature, z, south) +
            to_east * (float4)(c.yzw, row[east]) + to_west * (float4)(row[west], c.xyz) +
            up * (above + 80.0f) + down * below;
        below = c;
        c = above;
    }
}
