// The centre and the 6 faces in an N × M × O grid on a CPU, with the nearest point outside. A work-item computes a row
// as vectors of 16 points, while the next plane is fetched 4 rows ahead. O is at least 48.

// 16 points anywhere.
typedef float16 points __attribute__((aligned(4)));
#define LOAD(p) ((float16)*(__global const points *)(p))
#define STORE(p, v) *(__global points *)(p) = v

#define FACES(x)                                                                                    \
    (0.19f * LOAD(c + (x)) + 0.11f * LOAD(below + (x)) + 0.12f * LOAD(above + (x)) +                \
     0.13f * LOAD(north + (x)) + 0.14f * LOAD(south + (x)) + 0.15f * LOAD(c + (x) - 1) +            \
     0.16f * LOAD(c + (x) + 1))
#define EDGE(x, west, east)                                                                                \
    (0.19f * c[x] + 0.11f * below[x] + 0.12f * above[x] + 0.13f * north[x] + 0.14f * south[x] +            \
     0.15f * c[west] + 0.16f * c[east])

__kernel void jacobi3d7(__global const float *restrict grid, __global float *restrict out) {
    const int y = get_global_id(1), z = get_global_id(2);
    __global const float *plane = grid + z * (M * O), *c = plane + y * O;
    __global const float *below = grid + max(z - 1, 0) * (M * O) + y * O;
    __global const float *above = grid + min(z + 1, N - 1) * (M * O) + y * O;
    __global const float *north = plane + max(y - 1, 0) * O, *south = plane + min(y + 1, M - 1) * O;
    __global float *row = out + z * (M * O) + y * O;
    row[0] = EDGE(0, 0, 1);
    STORE(row + 1, FACES(1));
    for (int x = 16; x + 17 <= O; x += 16) {
        __builtin_prefetch((__global const void *)(above + 4 * O + x));
        STORE(row + x, FACES(x));
    }
    STORE(row + O - 17, FACES(O - 17));
    row[O - 1] = EDGE(O - 1, O - 2, O - 1);
}
