// The binomial 5 × 5 blur of an N × M image on a CPU, with the nearest pixel outside. A work-item computes 4 rows
// together, 16 pixels of each at a time; neighbours come from aligned vectors by shuffles. N is a multiple of 4, M of 16
// and at least 64.

// 16 pixels anywhere, and at a multiple of 16.
typedef float16 pixels __attribute__((aligned(4)));
#define ANY(p) ((float16)*(__global const pixels *)(p))
#define ALIGNED(p) (*(__global const float16 *)(p))

// 16 of the 32 pixels of a and b, from number i on.
#define WINDOW(a, b, i)                                                                                              \
    __builtin_shufflevector(a, b, (i), (i) + 1, (i) + 2, (i) + 3, (i) + 4, (i) + 5, (i) + 6, (i) + 7, (i) + 8, (i) + 9, \
                            (i) + 10, (i) + 11, (i) + 12, (i) + 13, (i) + 14, (i) + 15)

// The pixels around a row's: by loads, or by shuffles.
#define BY_LOADS(r, row)                                                                            \
    const float16 r##_far_west = ANY(row + x - 2), r##_west = ANY(row + x - 1), r = ANY(row + x),   \
                  r##_east = ANY(row + x + 1), r##_far_east = ANY(row + x + 2);
#define BY_SHUFFLES(r, row)                                                                                  \
    const float16 r##_before = ALIGNED(row + x - 16), r = ALIGNED(row + x), r##_after = ALIGNED(row + x + 16), \
                  r##_far_west = WINDOW(r##_before, r, 14), r##_west = WINDOW(r##_before, r, 15),            \
                  r##_east = WINDOW(r, r##_after, 1), r##_far_east = WINDOW(r, r##_after, 2);

// A row's products, when the row itself has the weight k.
#define LINE(r, k)                                                                                               \
    (k) / 256.0f * r##_far_west + 4.0f * (k) / 256.0f * r##_west + 6.0f * (k) / 256.0f * r +                     \
        4.0f * (k) / 256.0f * r##_east + (k) / 256.0f * r##_far_east
#define BLUR(a, b, c, d, e) (LINE(a, 1.0f) + LINE(b, 4.0f) + LINE(c, 6.0f) + LINE(d, 4.0f) + LINE(e, 1.0f))

#define STORE_ANY(p, v) *(__global pixels *)(p) = v
#define STORE_ALIGNED(p, v) *(__global float16 *)(p) = v

#define BLOCK(READ, STORE)                                                              \
    {                                                                                   \
        READ(r0, row0) READ(r1, row1) READ(r2, row2) READ(r3, row3)                     \
        READ(r4, row4) READ(r5, row5) READ(r6, row6) READ(r7, row7)                     \
        STORE(target + x, BLUR(r0, r1, r2, r3, r4));                                    \
        STORE(target + M + x, BLUR(r1, r2, r3, r4, r5));                                \
        STORE(target + 2 * M + x, BLUR(r2, r3, r4, r5, r6));                            \
        STORE(target + 3 * M + x, BLUR(r3, r4, r5, r6, r7));                            \
    }

// A pixel near the west or east edge.
static float edge(__global const float *image, const int y, const int x) {
    const float weights[5] = {1.0f, 4.0f, 6.0f, 4.0f, 1.0f};
    float sum = 0.0f;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            sum += weights[i] * weights[j] / 256.0f * image[clamp(y + i - 2, 0, N - 1) * M + clamp(x + j - 2, 0, M - 1)];
    return sum;
}

__kernel void gaussian(__global const float *restrict image, __global float *restrict out) {
    const int y = get_global_id(1) * 4;
    __global const float *row0 = image + max(y - 2, 0) * M, *row1 = image + max(y - 1, 0) * M;
    __global const float *row2 = image + y * M, *row3 = row2 + M, *row4 = row3 + M, *row5 = row4 + M;
    __global const float *row6 = image + min(y + 4, N - 1) * M, *row7 = image + min(y + 5, N - 1) * M;
    __global float *target = out + y * M;
    for (int i = 0; i < 4; i++) {
        target[i * M] = edge(image, y + i, 0);
        target[i * M + 1] = edge(image, y + i, 1);
        target[i * M + M - 2] = edge(image, y + i, M - 2);
        target[i * M + M - 1] = edge(image, y + i, M - 1);
    }
    int x = 2;
    BLOCK(BY_LOADS, STORE_ANY)
    for (x = 16; x < M - 16; x += 16) BLOCK(BY_SHUFFLES, STORE_ALIGNED)
    x = M - 18;
    BLOCK(BY_LOADS, STORE_ANY)
}
