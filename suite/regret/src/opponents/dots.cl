// A·B for matrices of N × K and K × M numbers, or 0.5·A·B + C, where A is stored row by row and B column by column. A group of 256 computes
// HEIGHT × WIDTH numbers: every work-item adds up other products, WIDE at a time, and in the end the items' sums are added.

#define EACH(i, n) _Pragma("unroll") for (int i = 0; i < (n); i++)
#define ITEMS 256

#define SPREAD_1(to, from) (to)[0] = from;
#define SPREAD_2(to, from) (to)[0] = from.x; (to)[1] = from.y;
#define SPREAD_4(to, from) (to)[0] = from.x; (to)[1] = from.y; (to)[2] = from.z; (to)[3] = from.w;

#if ADDS
#define C __global const T *restrict c,
#define RESULT(sum, place) ((T)0.5 * (sum) + c[place])
#else
#define C
#define RESULT(sum, place) (sum)
#endif

__kernel void dots(__global const T *restrict a, __global const T *restrict b, C __global T *restrict out) {
    __local T shares[HEIGHT * WIDTH * (ITEMS / 8)];
    const int item = get_local_id(0), row = get_group_id(1) * HEIGHT, column = get_group_id(0) * WIDTH;
    T sums[HEIGHT][WIDTH];
    EACH(i, HEIGHT) EACH(j, WIDTH) sums[i][j] = 0;
    for (int k = item * WIDE; k < K; k += ITEMS * WIDE) {
        T left[HEIGHT][WIDE], right[WIDTH][WIDE];
        EACH(i, HEIGHT) {
            const VECTOR v = *(__global const VECTOR *)(a + min(row + i, (int)N - 1) * (int)K + k);
            SPREAD(left[i], v)
        }
        EACH(j, WIDTH) {
            const VECTOR v = *(__global const VECTOR *)(b + min(column + j, (int)M - 1) * (int)K + k);
            SPREAD(right[j], v)
        }
        EACH(l, WIDE) EACH(i, HEIGHT) EACH(j, WIDTH) sums[i][j] = fma(left[i][l], right[j][l], sums[i][j]);
    }
    // An eighth of the items at a time adds to what is there.
    for (int turn = 0; turn < 8; turn++) {
        if (item / (ITEMS / 8) == turn) {
            EACH(i, HEIGHT) EACH(j, WIDTH) {
                __local T *const to = shares + (i * WIDTH + j) * (ITEMS / 8) + item % (ITEMS / 8);
                *to = turn == 0 ? sums[i][j] : *to + sums[i][j];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item < HEIGHT * WIDTH) {
        T sum = 0;
        // Items begin at different places, and so in different banks.
        EACH(l, ITEMS / 8) sum += shares[item * (ITEMS / 8) + (item + l) % (ITEMS / 8)];
        const int r = row + item / WIDTH, at = column + item % WIDTH;
        if (r < N && at < M) out[r * (int)M + at] = RESULT(sum, r * (int)M + at);
    }
}
