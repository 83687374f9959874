// The centre and the 6 faces in an N × M × O grid of doubles, with the nearest point outside. A work-item computes 2
// points of a row. O is a multiple of 2.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// 2 points of row y in plane z.
#define LOAD(z, y) (*(__global const double2 *)(grid + (z) * (M * O) + (y) * O + x))

__kernel void jacobi3d7(__global const double *restrict grid, __global double *restrict out) {
    const int x = get_global_id(0) * 2, y = get_global_id(1), z = get_global_id(2);
    if (x >= O || y >= M || z >= N) return;
    __global const double *row = grid + z * (M * O) + y * O;
    const double2 centre = LOAD(z, y);
    const double2 below = LOAD(max(z - 1, 0), y), above = LOAD(min(z + 1, N - 1), y);
    const double2 north = LOAD(z, max(y - 1, 0)), south = LOAD(z, min(y + 1, M - 1));
    const double2 west = (double2)(row[max(x - 1, 0)], centre.x);
    const double2 east = (double2)(centre.y, row[min(x + 2, O - 1)]);
    *(__global double2 *)(out + z * (M * O) + y * O + x) = 0.19 * centre + 0.11 * below + 0.12 * above +
        0.13 * north + 0.14 * south + 0.15 * west + 0.16 * east;
}
