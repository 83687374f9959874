// Kernels for lines, which are rows (where $ is 1), or columns or as many of them as a vector has lanes (where $ is v). SIDE lines are
// for one group, and ITEMS of its items for each; a line has LENGTH elements, or vectors of a row.

// Where they are.
#ifdef COLUMNS
#define ALONG get_local_id(1)
#define SIDEWAYS get_local_id(0)
#define PLACE(i) ((Iv)(i))
#define BASE(line) (line)
#define INDEX(i) ((i) * WIDTH)
#define SHIFT(line) ((__global const Tv *)x)[line]
#define PART(line, chunk) ((chunk) * STATS * WIDTH + (line))
#define PART_STEP WIDTH
#define TOGETHER(mine) (mine)
#define ALL(side) (all + (side))
#define ALL_STEP SIDE
#else
#define ALONG get_local_id(0)
#define SIDEWAYS get_local_id(1)
#define PLACE(i) ((Iv)((i) * VEC) + LANES)
#define BASE(line) ((line) * LENGTH)
#define INDEX(i) (i)
#define SHIFT(line) x[(line) * LENGTH * VEC]
#define PART(line, chunk) (((line) * CHUNKS + (chunk)) * STATS)
#define PART_STEP 1
#define TOGETHER(mine) across(mine)
#define ALL(side) (all + (side) * ITEMS)
#define ALL_STEP 1
#endif

#ifndef NEEDS_SHIFT
#undef SHIFT
#define SHIFT(line) ((T$)(0))
#endif

#ifndef IS_DOT
#define WITH(i) w
#elif defined(COLUMNS)
#define WITH(i) ((Tv)(y[i]))
#else
#define WITH(i) ((__global const Tv *)y)[i]
#endif

// Of an item's elements of a line, UNROLL of which are loaded at a time.
accv accumulate(__global const Tv *restrict p, __global const T1 *restrict y, const Tv w, int i, const int end) {
    accv a[UNROLL];
    #pragma unroll
    for (int u = 0; u < UNROLL; u++) a[u] = nonev();
    for (; i + (UNROLL - 1) * ITEMS < end; i += UNROLL * ITEMS) {
        Tv v[UNROLL];
        #pragma unroll
        for (int u = 0; u < UNROLL; u++) v[u] = p[INDEX(i + u * ITEMS)];
        #pragma unroll
        for (int u = 0; u < UNROLL; u++) a[u] = addv(a[u], v[u], PLACE(i + u * ITEMS), WITH(i + u * ITEMS));
    }
    for (; i < end; i += ITEMS) a[0] = addv(a[0], p[INDEX(i)], PLACE(i), WITH(i));
    #pragma unroll
    for (int u = 1; u < UNROLL; u++) a[0] = joinv(a[0], a[u]);
    return a[0];
}

#define TASK                                                                                      \
    __local acc$ all[SIDE * ITEMS];                                                               \
    const int l = ALONG, side = SIDEWAYS;                                                         \
    const int line = get_group_id(0) % BLOCKS * SIDE + side, chunk = get_group_id(0) / BLOCKS;    \
    const bool inside = line < WIDTH;                                                             \
    const int begin = chunk * CHUNK + l, end = min(chunk * CHUNK + CHUNK, LENGTH);                \
    __global const Tv *const p = (__global const Tv *)x + BASE(line);

// Of a line, or of a chunk of one.
#define WHOLE                                                                                     \
    acc$ whole = none$();                                                                         \
    T$ shift = (T$)(0);                                                                           \
    if (inside) {                                                                                 \
        shift = SHIFT(line);                                                                      \
        whole = TOGETHER(accumulate(p, Y, (Tv)(shift), begin, end));                              \
    }                                                                                             \
    whole = combine$(whole, ALL(side), ALL_STEP, l, ITEMS);

#ifdef KERNEL_PARTS
// The first of two launches.
__kernel void parts_of_lines(PARAMS, __global PART_T *restrict parts) {
    TASK
    WHOLE
    if (inside && l == 0) keep$(parts, PART(line, chunk), PART_STEP, whole);
}
#endif

#ifdef KERNEL_REDUCE
__kernel void reduce(PARAMS, RESULTS) {
    TASK
    WHOLE
    if (inside && l == 0) result$(OUT, line, whole, shift);
}
#endif

#if defined(KERNEL_AGAIN) || defined(KERNEL_APPLY)
void spread(__global const Tv *restrict p, __global Tv *restrict q, const Tv from, const Tv by, int i, const int end) {
    for (; i + (UNROLL - 1) * ITEMS < end; i += UNROLL * ITEMS) {
        Tv v[UNROLL];
        #pragma unroll
        for (int u = 0; u < UNROLL; u++) v[u] = p[INDEX(i + u * ITEMS)];
        #pragma unroll
        for (int u = 0; u < UNROLL; u++) q[INDEX(i + u * ITEMS)] = valuev(v[u], from, by);
    }
    for (; i < end; i += ITEMS) q[INDEX(i)] = valuev(p[INDEX(i)], from, by);
}
#endif

#ifdef KERNEL_AGAIN
// Lines are read twice.
__kernel void again(PARAMS, RESULTS) {
    TASK
    WHOLE
    __global Tv *const q = (__global Tv *)out + BASE(line);
    if (inside) spread(p, q, (Tv)(from$(whole, shift)), (Tv)(by$(whole)), begin, end);
}
#endif

#ifdef KERNEL_APPLY
// The second of two launches: each group combines all parts of its lines.
__kernel void apply(PARAMS, __global const PART_T *restrict parts, RESULTS) {
    TASK
    acc$ whole = none$();
    if (inside) {
        for (int i = l; i < CHUNKS; i += ITEMS) whole = join$(whole, take$(parts, PART(line, i), PART_STEP, x));
    }
    whole = combine$(whole, ALL(side), ALL_STEP, l, ITEMS);
    __global Tv *const q = (__global Tv *)out + BASE(line);
    if (inside) spread(p, q, (Tv)(from$(whole, SHIFT(line))), (Tv)(by$(whole)), begin, end);
}
#endif

#ifdef KERNEL_KEPT
// An item keeps KEPT elements or vectors in its registers.
__kernel void kept(PARAMS, RESULTS) {
    TASK
    T$ shift = (T$)(0);
    if (inside) shift = SHIFT(line);
    Tv v[KEPT];
    #pragma unroll
    for (int k = 0; k < KEPT; k++) {
#if defined(IS_SOFTMAX)
        v[k] = (Tv)(LEAST);
#else
        v[k] = (Tv)(shift);
#endif
        const int i = l + k * ITEMS;
        if (inside && i < LENGTH) v[k] = p[INDEX(i)];
    }
    accv mine = nonev();
#ifdef IS_SOFTMAX
    #pragma unroll
    for (int k = 0; k < KEPT; k++) mine.top = fmax(mine.top, v[k]);
    #pragma unroll
    for (int k = 0; k < KEPT; k++) {
        v[k] = exp(v[k] - mine.top);
        mine.sum += v[k];
    }
#else
    #pragma unroll
    for (int k = 0; k < KEPT; k++) mine = addv(mine, v[k], PLACE(k), (Tv)(shift));
#endif
    const acc$ whole = combine$(TOGETHER(mine), ALL(side), ALL_STEP, l, ITEMS);
    const Tv from = (Tv)(from$(whole, shift)), by = (Tv)(by$(whole));
#ifdef IS_SOFTMAX
    const Tv factor = exp(mine.top - from) * by;
#endif
    __global Tv *const q = (__global Tv *)out + BASE(line);
    #pragma unroll
    for (int k = 0; k < KEPT; k++) {
        const int i = l + k * ITEMS;
#ifdef IS_SOFTMAX
        if (inside && i < LENGTH) q[INDEX(i)] = v[k] * factor;
#else
        if (inside && i < LENGTH) q[INDEX(i)] = valuev(v[k], from, by);
#endif
    }
}
#endif

#ifdef KERNEL_STORED
// A group keeps its lines in local memory. No item needs another one's elements.
__kernel void stored(PARAMS, RESULTS) {
    __local Tv store[LENGTH * SIDE];
    TASK
    if (inside) {
        for (int i = l; i < LENGTH; i += ITEMS) store[i * SIDE + side] = p[INDEX(i)];
    }
    T$ shift = (T$)(0);
    if (inside) shift = SHIFT(line);
    accv mine = nonev();
    if (inside) {
        for (int i = l; i < LENGTH; i += ITEMS) {
#ifdef IS_SOFTMAX
            mine.top = fmax(mine.top, store[i * SIDE + side]);
#else
            mine = addv(mine, store[i * SIDE + side], PLACE(i), (Tv)(shift));
#endif
        }
#ifdef IS_SOFTMAX
        for (int i = l; i < LENGTH; i += ITEMS) {
            const Tv e = exp(store[i * SIDE + side] - mine.top);
            store[i * SIDE + side] = e;
            mine.sum += e;
        }
#endif
    }
    const acc$ whole = combine$(TOGETHER(mine), ALL(side), ALL_STEP, l, ITEMS);
    const Tv from = (Tv)(from$(whole, shift)), by = (Tv)(by$(whole));
    __global Tv *const q = (__global Tv *)out + BASE(line);
#ifdef IS_SOFTMAX
    const Tv factor = exp(mine.top - from) * by;
    if (inside) for (int i = l; i < LENGTH; i += ITEMS) q[INDEX(i)] = store[i * SIDE + side] * factor;
#else
    if (inside) for (int i = l; i < LENGTH; i += ITEMS) q[INDEX(i)] = valuev(store[i * SIDE + side], from, by);
#endif
}
#endif
