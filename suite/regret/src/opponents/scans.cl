// Scans of a whole array and of rows. SIDE rows are for one group, and ITEMS of its items for each; rows have CHUNKS chunks of CHUNK
// elements. What comes before the scan is BEFORE, and what comes after it AFTER.

#define TASK                                                                                      \
    const int l = get_local_id(0), side = get_local_id(1);                                        \
    const int row = get_group_id(0) / CHUNKS * SIDE + side, chunk = get_group_id(0) % CHUNKS;     \
    const bool inside = row < ROWS;                                                               \
    const int begin = chunk * CHUNK, end = min(begin + CHUNK, LENGTH);                            \
    __global const float *const p = x + row * LENGTH;

// Of what the items of a row have: all of them have it then.
float of_all(float mine, __local float *all, const int l) {
    all[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int count = ITEMS / 2; count > 0; count /= 2) {
        if (l < count) all[l] = OP(all[l], all[l + count]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    mine = all[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return mine;
}

#ifdef KERNEL_SUMS
// The first of two launches: of each chunk.
__kernel void sums(__global const float *restrict x, __global float *restrict parts) {
    __local float all[SIDE * ITEMS];
    TASK
    Tv mine[4];
    #pragma unroll
    for (int u = 0; u < 4; u++) mine[u] = (Tv)(NONE);
    if (inside) {
        __global const Tv *const q = (__global const Tv *)p;
        int i = begin / VEC + l;
        for (; i + 3 * ITEMS < end / VEC; i += 4 * ITEMS) {
            Tv v[4];
            #pragma unroll
            for (int u = 0; u < 4; u++) v[u] = q[i + u * ITEMS];
            #pragma unroll
            for (int u = 0; u < 4; u++) mine[u] = OP(mine[u], BEFORE(v[u]));
        }
        for (; i < end / VEC; i += ITEMS) mine[0] = OP(mine[0], BEFORE(q[i]));
    }
    const Tv lanes = OP(OP(mine[0], mine[1]), OP(mine[2], mine[3]));
    const float whole = of_all(ACROSS(lanes), all + side * ITEMS, l);
    if (inside && l == 0) parts[row * CHUNKS + chunk] = whole;
}
#endif

#ifdef KERNEL_SCAN
// An item scans EACH consecutive elements in its registers; the items' totals are scanned in local memory.
__kernel void scan(__global const float *restrict x, AND_PARTS __global float *restrict out) {
    __local float totals[SIDE][2][ITEMS];
#if VEC == 1
    // Two places more for 64 elements.
    __local float tile[SIDE][ITEMS * EACH + ITEMS * EACH / 32];
#endif
    TASK
    __global float *const q = out + row * LENGTH;
    float carry = NONE;
#if CHUNKS > 1
    if (inside) {
        for (int i = l; i < chunk; i += ITEMS) carry = OP(carry, parts[row * CHUNKS + i]);
    }
    carry = of_all(carry, totals[side][0], l);
#endif
    int turn = 0;
    for (int first = begin; first < end; first += ITEMS * EACH) {
        float v[EACH];
        const int mine = first + l * EACH;
#if VEC == 4
        #pragma unroll
        for (int k = 0; k < EACH; k += 4) {
            float4 f = (float4)(0.0f);
            if (inside && mine + k < end) f = *(__global const float4 *)(p + mine + k);
            v[k] = f.x, v[k + 1] = f.y, v[k + 2] = f.z, v[k + 3] = f.w;
        }
        #pragma unroll
        for (int k = 0; k < EACH; k++) v[k] = mine + k < end ? BEFORE(v[k]) : NONE;
#else
        #pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int i = k * ITEMS + l;
            tile[side][i + i / 32] = inside && first + i < end ? BEFORE(p[first + i]) : NONE;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int i = l * EACH + k;
            v[k] = tile[side][i + i / 32];
        }
#endif
        #pragma unroll
        for (int k = 1; k < EACH; k++) v[k] = OP(v[k - 1], v[k]);
        // Each step reads one half and writes the other, so that one barrier is enough.
        turn ^= 1;
        totals[side][turn][l] = v[EACH - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int step = 1; step < ITEMS; step *= 2) {
            float sum = totals[side][turn][l];
            if (l >= step) sum = OP(totals[side][turn][l - step], sum);
            turn ^= 1;
            totals[side][turn][l] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        const float before = l > 0 ? OP(carry, totals[side][turn][l - 1]) : carry;
        carry = OP(carry, totals[side][turn][ITEMS - 1]);
#if VEC == 4
        #pragma unroll
        for (int k = 0; k < EACH; k += 4) {
            const float4 f = (float4)(OP(before, v[k]), OP(before, v[k + 1]), OP(before, v[k + 2]), OP(before, v[k + 3]));
            if (inside && mine + k < end) *(__global float4 *)(q + mine + k) = AFTER(f);
        }
#else
        #pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int i = l * EACH + k;
            tile[side][i + i / 32] = OP(before, v[k]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int i = k * ITEMS + l;
            if (inside && first + i < end) q[first + i] = AFTER(tile[side][i + i / 32]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
}
#endif

#ifdef KERNEL_STAGED
// Short rows by way of local memory: an item a row.
__kernel void staged(__global const float *restrict x, __global float *restrict out) {
    __local float tile[SIDE * PITCH];
    const int l = get_local_id(0), first = get_group_id(0) * SIDE;
    const int count = min(SIDE, ROWS - first) * LENGTH;
    for (int i = l; i < count; i += SIDE) tile[i / LENGTH * PITCH + i % LENGTH] = BEFORE(x[first * LENGTH + i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + l < ROWS) {
        __local float *const row = tile + l * PITCH;
        float sum = NONE;
        for (int i = 0; i < LENGTH; i++) {
            sum = OP(sum, row[i]);
            row[i] = AFTER(sum);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < count; i += SIDE) out[first * LENGTH + i] = tile[i / LENGTH * PITCH + i % LENGTH];
}
#endif

#ifdef KERNEL_ITEM
// An item a row, straight from global memory.
__kernel void item(__global const float *restrict x, __global float *restrict out) {
    const int row = get_global_id(0);
    if (row < ROWS) {
        float sum = NONE;
        #pragma unroll 8
        for (int i = 0; i < LENGTH; i++) {
            sum = OP(sum, BEFORE(x[row * LENGTH + i]));
            out[row * LENGTH + i] = AFTER(sum);
        }
    }
}
#endif
