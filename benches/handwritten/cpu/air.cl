// One step of sound in the air of a room of N × M × O points on a CPU, of which each says how many neighbours it has inside. A
// work-item computes a row as vectors of 16 points, and vectors of points that are all outside are only filled. O is at least 48.

// 16 points anywhere.
typedef float16 points __attribute__((aligned(4)));
typedef int16 numbers __attribute__((aligned(4)));
#define LOAD(p) ((float16)*(__global const points *)(p))
#define STORE(p, v) *(__global points *)(p) = v

// What lies at a place of the five rows of an array: rows outside count for nothing.
#define AROUND(AT, array, west, east)                                                     \
    (down * AT(array, -M * O) + up * AT(array, M * O) + back * AT(array, -O) + front * AT(array, O) + (west) + (east))
#define STEP(AT, n, west, east, west_before, east_before)                                 \
    ((2.0f - (courant_squared + absorption) * (n)) * AT(current, 0) +                     \
     (courant_squared + absorption) * AROUND(AT, current, west, east) +                   \
     (absorption * (n) - 1.0f) * AT(previous, 0) - absorption * AROUND(AT, previous, west_before, east_before))

// A place in a row that is outside is read in the row itself.
#define PLACE(distance)                                                                   \
    (at + ((distance) == -M * O ? below : (distance) == M * O ? above : (distance) == -O ? north : (distance) == O ? south : (distance)))
#define MANY(array, distance) LOAD((array) + PLACE(distance))
#define ONE(array, distance) (array)[PLACE(distance)]

__kernel void air(const float courant_squared, const float absorption, __global const float *restrict previous,
                  __global const float *restrict current, __global const int *restrict neighbours,
                  __global float *restrict out) {
    const int y = get_global_id(1), z = get_global_id(2), row = (z * M + y) * O;
    const float down = z > 0, up = z + 1 < N, back = y > 0, front = y + 1 < M;
    const int below = z > 0 ? -M * O : 0, above = z + 1 < N ? M * O : 0, north = y > 0 ? -O : 0, south = y + 1 < M ? O : 0;
    for (int x = 1; x < O - 1; x += 16) {
        const int at = row + min(x, O - 17);
        const int16 n = *(__global const numbers *)(neighbours + at);
        float16 next = 0.0f;
        if (any(n > 0)) {
            const float16 count = convert_float16(n);
            next = n > 0 ? STEP(MANY, count, MANY(current, -1), MANY(current, 1), MANY(previous, -1), MANY(previous, 1)) : next;
        }
        STORE(out + at, next);
    }
    int at = row;
    float n = neighbours[at];
    out[at] = n > 0.0f ? STEP(ONE, n, 0.0f, ONE(current, 1), 0.0f, ONE(previous, 1)) : 0.0f;
    at = row + O - 1;
    n = neighbours[at];
    out[at] = n > 0.0f ? STEP(ONE, n, ONE(current, -1), 0.0f, ONE(previous, -1), 0.0f) : 0.0f;
}
