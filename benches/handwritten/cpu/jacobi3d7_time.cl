// 3 steps of the centre and the 6 faces in an N × M × O grid on a CPU, with the nearest point outside. A group of one item goes through
// 64 planes of 16 rows, and 3 more of both on either side: each trip computes a plane of every step, one further back for each. The last
// 4 planes of the first two steps stay in rings, with room for the points outside. M is a multiple of 16, O of 16 and at least 48.

#define ROWS 16
#define PLANES 64

// 16 points anywhere.
typedef float16 points __attribute__((aligned(4)));
#define MANY(row, distance) ((float16)*(__global const points *)((row) + x + (distance)))
#define ONE(row, distance) (row)[clamp(x + (distance), 0, O - 1)]
#define KEPT(row, distance) ((float16)*(__local const points *)((row) + x + (distance)))
#define FACES(AT)                                                                                                      \
    (0.19f * AT(c, 0) + 0.11f * AT(below, 0) + 0.12f * AT(above, 0) + 0.13f * AT(north, 0) + 0.14f * AT(south, 0) +    \
     0.15f * AT(c, -1) + 0.16f * AT(c, 1))

__kernel void jacobi3d7(__global const float *restrict grid, __global float *restrict out) {
    // A row begins at 16.
    __local float ring1[4][ROWS + 4][O + 32] __attribute__((aligned(64)));
    __local float ring2[4][ROWS + 2][O + 32] __attribute__((aligned(64)));
    const int y0 = get_group_id(1) * ROWS, z0 = get_group_id(2) * PLANES, z1 = min(z0 + PLANES, N);
#define ROW1(z, y) (ring1[(z) & 3][(y) - y0 + 2] + 16)
#define ROW2(z, y) (ring2[(z) & 3][(y) - y0 + 1] + 16)
    for (int i = z0 - 2; i < z1 + 2; i++) {
        int z = i;
        if (z >= 0 && z < N) {
            for (int y = max(y0 - 2, 0); y < min(y0 + ROWS + 2, M); y++) {
                __global const float *plane = grid + z * (M * O), *c = plane + y * O;
                __global const float *below = grid + max(z - 1, 0) * (M * O) + y * O;
                __global const float *above = grid + min(z + 1, N - 1) * (M * O) + y * O;
                __global const float *north = plane + max(y - 1, 0) * O, *south = plane + min(y + 1, M - 1) * O;
                __local float *row = ROW1(z, y);
                int x = 0;
                row[0] = FACES(ONE);
                x = 1;
                *(__local points *)(row + x) = FACES(MANY);
                for (x = 16; x < O - 16; x += 16) *(__local float16 *)(row + x) = FACES(MANY);
                x = O - 17;
                *(__local points *)(row + x) = FACES(MANY);
                x = O - 1;
                row[x] = FACES(ONE);
                row[-1] = row[0];
                row[O] = row[O - 1];
            }
        }
        z = i - 1;
        if (z >= max(z0 - 1, 0) && z < min(z1 + 1, N)) {
            for (int y = max(y0 - 1, 0); y < min(y0 + ROWS + 1, M); y++) {
                __local const float *c = ROW1(z, y), *below = ROW1(max(z - 1, 0), y), *above = ROW1(min(z + 1, N - 1), y);
                __local const float *north = ROW1(z, max(y - 1, 0)), *south = ROW1(z, min(y + 1, M - 1));
                __local float *row = ROW2(z, y);
                for (int x = 0; x < O; x += 16) *(__local float16 *)(row + x) = FACES(KEPT);
                row[-1] = row[0];
                row[O] = row[O - 1];
            }
        }
        z = i - 2;
        if (z >= z0 && z < z1) {
            for (int y = y0; y < y0 + ROWS; y++) {
                __local const float *c = ROW2(z, y), *below = ROW2(max(z - 1, 0), y), *above = ROW2(min(z + 1, N - 1), y);
                __local const float *north = ROW2(z, max(y - 1, 0)), *south = ROW2(z, min(y + 1, M - 1));
                __global float *row = out + z * (M * O) + y * O;
                for (int x = 0; x < O; x += 16) *(__global points *)(row + x) = FACES(KEPT);
            }
        }
    }
}
