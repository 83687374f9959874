// The binomial blur of 17 × 17 points of an N × M image on a CPU, as two passes in one, with the nearest pixel outside. A group of one
// item goes through 64 rows. The weighted sums along the last 17 rows stay in a ring, and the sums across them are written past the
// caches. N is a multiple of 64, M of 16 and at least 32.

#define ROWS 64

__constant float WEIGHTS[17] = {0.0000152587890625f, 0.000244140625f, 0.0018310546875f, 0.008544921875f, 0.02777099609375f,
                                0.066650390625f, 0.1221923828125f, 0.174560546875f, 0.196380615234375f, 0.174560546875f,
                                0.1221923828125f, 0.066650390625f, 0.02777099609375f, 0.008544921875f, 0.0018310546875f,
                                0.000244140625f, 0.0000152587890625f};

// 16 pixels anywhere.
typedef float16 pixels __attribute__((aligned(4)));

// The products of both pixels with the weight of their distance, and the whole sum of 17 that AT gives by number.
#define PAIR(AT, k) WEIGHTS[k] * (AT(k) + AT(16 - (k)))
#define SUM(AT)                                                                                              \
    (WEIGHTS[8] * AT(8) + PAIR(AT, 0) + PAIR(AT, 1) + PAIR(AT, 2) + PAIR(AT, 3) + PAIR(AT, 4) + PAIR(AT, 5) + \
     PAIR(AT, 6) + PAIR(AT, 7))

#define BESIDE(k) ((float16)*(__global const pixels *)(row + x + (k) - 8))
#define NEAREST(k) row[clamp(x + (k) - 8, 0, M - 1)]
#define ACROSS(k) (*(__local const float16 *)(lines[k] + x))

__kernel void blur17(__global const float *restrict image, __global float *restrict out) {
    __local float ring[17][M] __attribute__((aligned(64)));
    const int first = get_group_id(1) * ROWS;
    for (int i = 0; i < ROWS + 16; i++) {
        __global const float *row = image + clamp(first + i - 8, 0, N - 1) * M;
        __local float *line = ring[i % 17];
        for (int x = 0; x < 8; x++) line[x] = SUM(NEAREST);
        for (int x = 8; x < M - 8; x += 16) {
            const float16 sum = SUM(BESIDE);
            *(__local pixels *)(line + x) = sum;
        }
        for (int x = M - 8; x < M; x++) line[x] = SUM(NEAREST);
        if (i < 16) continue;
        __local const float *lines[17];
        for (int k = 0; k < 17; k++) lines[k] = ring[(i + 1 + k) % 17];
        __global float *target = out + (first + i - 16) * M;
        for (int x = 0; x < M; x += 16) __builtin_nontemporal_store(SUM(ACROSS), (__global float16 *)(target + x));
    }
}
