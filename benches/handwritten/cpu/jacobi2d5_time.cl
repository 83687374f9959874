// 6 steps of the cross of 5 points in an N × M grid on a CPU, with the nearest point outside. A group of one item streams through 256
// rows and 6 more on either side: each trip computes a row of every step, one further back for each. The last 4 rows of each step stay in
// a ring, with room for the points outside. M is a multiple of 16 and at least 32.

#define STEPS 6
#define ROWS 256

// 16 points anywhere.
typedef float16 points __attribute__((aligned(4)));
#define MANY(row, distance) ((float16)*(__global const points *)((row) + x + (distance)))
#define ONE(row, distance) (row)[clamp(x + (distance), 0, M - 1)]
#define KEPT(row, distance) ((float16)*(__local const points *)((row) + x + (distance)))
#define CROSS(AT) (0.45f * AT(c, 0) + 0.12f * AT(n, 0) + 0.13f * AT(s, 0) + 0.14f * AT(c, -1) + 0.16f * AT(c, 1))

__kernel void jacobi2d5(__global const float *restrict grid, __global float *restrict out) {
    // A row begins at 16.
    __local float ring[STEPS - 1][4][M + 32] __attribute__((aligned(64)));
#define KEPT_ROW(step, y) (ring[(step) - 1][(y) & 3] + 16)
    const int first = get_group_id(1) * ROWS, end = min(first + ROWS, N);
    for (int i = first - STEPS; i < end + STEPS; i++) {
        int y = i - 1;
        if (y >= max(first - STEPS + 1, 0) && y < min(end + STEPS - 1, N)) {
            __global const float *n = grid + max(y - 1, 0) * M, *c = grid + y * M, *s = grid + min(y + 1, N - 1) * M;
            __local float *row = KEPT_ROW(1, y);
            int x = 0;
            row[0] = CROSS(ONE);
            x = 1;
            *(__local points *)(row + x) = CROSS(MANY);
            for (x = 16; x < M - 16; x += 16) *(__local float16 *)(row + x) = CROSS(MANY);
            x = M - 17;
            *(__local points *)(row + x) = CROSS(MANY);
            x = M - 1;
            row[x] = CROSS(ONE);
            row[-1] = row[0];
            row[M] = row[M - 1];
        }
        for (int step = 2; step <= STEPS; step++) {
            y = i - step;
            if (y < max(first - STEPS + step, 0) || y >= min(end + STEPS - step, N)) continue;
            __local const float *n = KEPT_ROW(step - 1, max(y - 1, 0)), *c = KEPT_ROW(step - 1, y);
            __local const float *s = KEPT_ROW(step - 1, min(y + 1, N - 1));
            if (step < STEPS) {
                __local float *row = KEPT_ROW(step, y);
                for (int x = 0; x < M; x += 16) *(__local float16 *)(row + x) = CROSS(KEPT);
                row[-1] = row[0];
                row[M] = row[M - 1];
            } else {
                __global float *row = out + y * M;
                for (int x = 0; x < M; x += 16) __builtin_nontemporal_store(CROSS(KEPT), (__global float16 *)(row + x));
            }
        }
    }
}
