// One step of sound in a box of N × M × O points in double precision, with nothing outside. A work-item marches through
// up to 8 planes with 2 points of a row, of which it keeps 3 planes in registers. O is a multiple of 2.

// The 2 points of a row, if it is inside.
#define LOAD(array, plane, row) (*(__global const double2 *)(array + ((plane) * M + (row)) * O + x))
#define INSIDE(i, n) ((uint)(i) < (uint)(n))
#define NEAR(plane, row) (INSIDE(plane, N) && INSIDE(row, M) ? LOAD(current, plane, row) : (double2)(0.0))

__kernel void acoustic(__global const double *restrict previous, __global const double *restrict current,
                       __global double *restrict out) {
    const int x = get_global_id(0) * 2, y = get_global_id(1);
    const int first = get_global_id(2) * 8, end = min(first + 8, N);
    if (x >= O || y >= M || first >= N) return;
    const double2 in_plane = (double2)((x > 0) + 1, 1 + (x + 2 < O)) + (double)((y > 0) + (y + 1 < M));
    double2 below = NEAR(first - 1, y), c = LOAD(current, first, y);
    for (int z = first; z < end; z++) {
        const double2 above = NEAR(z + 1, y);
        __global const double *row = current + (z * M + y) * O;
        const double left = x > 0 ? row[x - 1] : 0.0, right = x + 2 < O ? row[x + 2] : 0.0;
        const double2 neighbours = in_plane + (double)((z > 0) + (z + 1 < N));
        const double2 loss_1 = neighbours < 6.0 ? (double2)(0.98) : (double2)(1.0);
        const double2 loss_2 = neighbours < 6.0 ? (double2)(0.97) : (double2)(1.0);
        const double2 around = below + above + NEAR(z, y - 1) + NEAR(z, y + 1) + (double2)(left, c.x) + (double2)(c.y, right);
        *(__global double2 *)(out + (z * M + y) * O + x) =
            loss_1 * ((2.0 - 0.333 * neighbours) * c + 0.333 * around - loss_2 * LOAD(previous, z, y));
        below = c;
        c = above;
    }
}
