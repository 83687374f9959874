// Scans of columns, or of as many of them as a vector has lanes; there are WIDTH. SIDE of them are for one group, and ITEMS of its items
// for each; columns have CHUNKS chunks of CHUNK rows.

#define TASK                                                                                      \
    const int l = get_local_id(0), r = get_local_id(1);                                           \
    const int column = get_group_id(0) % BLOCKS * SIDE + l, chunk = get_group_id(0) / BLOCKS;     \
    const bool inside = column < WIDTH;                                                           \
    const int begin = chunk * CHUNK, end = min(begin + CHUNK, LENGTH);                            \
    __global const Tv *const p = (__global const Tv *)x + column;

#ifdef KERNEL_SUMS
// The first of two launches: of each chunk.
__kernel void sums(__global const float *restrict x, __global float *restrict parts) {
    __local Tv all[ITEMS * SIDE];
    TASK
    Tv mine[UNROLL];
    #pragma unroll
    for (int u = 0; u < UNROLL; u++) mine[u] = (Tv)(NONE);
    if (inside) {
        int i = begin + r;
        for (; i + (UNROLL - 1) * ITEMS < end; i += UNROLL * ITEMS) {
            Tv v[UNROLL];
            #pragma unroll
            for (int u = 0; u < UNROLL; u++) v[u] = p[(i + u * ITEMS) * WIDTH];
            #pragma unroll
            for (int u = 0; u < UNROLL; u++) mine[u] = OP(mine[u], BEFORE(v[u]));
        }
        for (; i < end; i += ITEMS) mine[0] = OP(mine[0], BEFORE(p[i * WIDTH]));
    }
    #pragma unroll
    for (int u = 1; u < UNROLL; u++) mine[0] = OP(mine[0], mine[u]);
    all[r * SIDE + l] = mine[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside && r == 0) {
        Tv whole = all[l];
        for (int i = 1; i < ITEMS; i++) whole = OP(whole, all[i * SIDE + l]);
        ((__global Tv *)parts)[chunk * WIDTH + column] = whole;
    }
}
#endif

#ifdef KERNEL_SCAN
// An item scans UNROLL consecutive rows in its registers; what the items have is combined in local memory.
__kernel void scan(__global const float *restrict x, AND_PARTS __global float *restrict out) {
    __local Tv all[ITEMS * SIDE];
    TASK
    __global Tv *const q = (__global Tv *)out + column;
    Tv carry = (Tv)(NONE);
#if CHUNKS > 1
    Tv part = (Tv)(NONE);
    if (inside) {
        for (int i = r; i < chunk; i += ITEMS) part = OP(part, ((__global const Tv *)parts)[i * WIDTH + column]);
    }
    all[r * SIDE + l] = part;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < ITEMS; i++) carry = OP(carry, all[i * SIDE + l]);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int first = begin; first < end; first += ITEMS * UNROLL) {
        const int mine = first + r * UNROLL;
        Tv v[UNROLL];
        #pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            v[u] = (Tv)(NONE);
            if (inside && mine + u < end) v[u] = BEFORE(p[(mine + u) * WIDTH]);
        }
        #pragma unroll
        for (int u = 1; u < UNROLL; u++) v[u] = OP(v[u - 1], v[u]);
        Tv before = carry;
#if ITEMS == 1
        carry = OP(carry, v[UNROLL - 1]);
#else
        all[r * SIDE + l] = v[UNROLL - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < ITEMS; i++) {
            carry = OP(carry, all[i * SIDE + l]);
            if (i + 1 == r) before = carry;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        #pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            if (inside && mine + u < end) q[(mine + u) * WIDTH] = AFTER(OP(before, v[u]));
        }
    }
}
#endif
