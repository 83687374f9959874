// Programs that compute little: TOTAL vectors of VEC lanes, WIDTH of them a row.

#if defined(IS_POLYNOMIAL)
#define VALUE(i) (((T1)(0.25) * xs[i] + (T1)(0.5)) * xs[i] + (T1)(0.125)) * xs[i] + (T1)(1)
#elif defined(IS_WEIGHTED)
#define VALUE(i) (T1)(0.5) * xs[i] + (T1)(0.25) * ys[i] + (T1)(0.125) * zs[i]
#elif defined(IS_TURNED)
#if VEC == 4
#define VALUE(i) xs[TOTAL - 1 - (i)].wzyx
#elif VEC == 2
#define VALUE(i) xs[TOTAL - 1 - (i)].yx
#else
#define VALUE(i) xs[TOTAL - 1 - (i)]
#endif
#elif defined(IS_OUTER)
#define VALUE(i) xs[i] + u[(i) / WIDTH] * vs[(i) % WIDTH]
#endif

#define VECTORS                                                          \
    __global const Tv *const restrict xs = (__global const Tv *)x;       \
    __global Tv *const restrict q = (__global Tv *)out;                  \
    MORE_VECTORS

#ifdef KERNEL_EACH
// Groups of ITEMS compute EACH times as many vectors.
__kernel void each(PARAMS, __global T1 *restrict out) {
    VECTORS
    const int first = get_group_id(0) * (ITEMS * EACH) + get_local_id(0);
    if (first + (EACH - 1) * ITEMS < TOTAL) {
        Tv values[EACH];
        #pragma unroll
        for (int k = 0; k < EACH; k++) values[k] = VALUE(first + k * ITEMS);
        #pragma unroll
        for (int k = 0; k < EACH; k++) q[first + k * ITEMS] = values[k];
    } else {
        for (int i = first; i < TOTAL; i += ITEMS) q[i] = VALUE(i);
    }
}
#endif

#ifdef KERNEL_BLOCKS
// An item has one vector of each of EACH rows, and what is the same for all rows in a register.
__kernel void blocks(PARAMS, __global T1 *restrict out) {
    VECTORS
    const int column = get_group_id(0) % BLOCKS * SIDE + get_local_id(0);
    const int first = get_group_id(0) / BLOCKS * (ITEMS * EACH) + get_local_id(1);
    if (column < WIDTH) {
        const Tv b = vs[column];
        #pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int row = first + k * ITEMS;
            if (row < ROWS) q[row * WIDTH + column] = xs[row * WIDTH + column] + u[row] * b;
        }
    }
}
#endif

#ifdef KERNEL_PLAIN
// Elements of the result in their order; the matrix FROM has ROWS rows of COLUMNS elements.
__kernel void plain(PARAMS, __global T1 *restrict out) {
    const int first = get_group_id(0) * (ITEMS * EACH) + get_local_id(0);
    #pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int i = first + k * ITEMS;
        if (i < ROWS * COLUMNS) out[i] = FROM[i % ROWS * COLUMNS + i / ROWS] PLUS(i);
    }
}
#endif

#ifdef KERNEL_TILES
// Tiles of TALL rows and WIDE columns of the matrix FROM become tiles of the result; all of them powers of two.
__kernel void tiles(PARAMS, __global T1 *restrict out) {
    __local T1 tile[TALL * (WIDE + 1)];
    const int l = get_local_id(0);
    const int row = get_group_id(0) / BLOCKS * TALL, column = get_group_id(0) % BLOCKS * WIDE;
    #pragma unroll
    for (int k = 0; k < TALL * WIDE / VEC / ITEMS; k++) {
        const int at = (l + k * ITEMS) * VEC, r = at / WIDE, c = at % WIDE;
        if (row + r < ROWS && column + c < COLUMNS) {
            const int from = (row + r) * COLUMNS + column + c;
            __local T1 *const to = tile + r * (WIDE + 1) + c;
#if VEC == 4
            const Tv v = *(__global const Tv *)(FROM + from);
            to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
#elif VEC == 2
            const Tv v = *(__global const Tv *)(FROM + from);
            to[0] = v.x, to[1] = v.y;
#else
            *to = FROM[from];
#endif
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int k = 0; k < TALL * WIDE / VEC / ITEMS; k++) {
        const int at = (l + k * ITEMS) * VEC, c = at / TALL, r = at % TALL;
        if (row + r < ROWS && column + c < COLUMNS) {
            const int to = (column + c) * ROWS + row + r;
            const __local T1 *const from = tile + r * (WIDE + 1) + c;
#define LANE(n) from[n * (WIDE + 1)]
#if VEC == 4
            *(__global Tv *)(out + to) = (Tv)(LANE(0), LANE(1), LANE(2), LANE(3)) PLUS(to);
#elif VEC == 2
            *(__global Tv *)(out + to) = (Tv)(LANE(0), LANE(1)) PLUS(to);
#else
            out[to] = *from PLUS(to);
#endif
        }
    }
}
#endif
