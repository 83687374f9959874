// For each of N points, what all M others do to it. RESULTS of them are an item's; of the others, the groups with one second number take SHARE.

#define EACH(i, n) _Pragma("unroll") for (int i = 0; i < (n); i++)
#define ITEMS 256

#if PARTS > 1
#define OUTS __global R *restrict parts
#define WRITE(i, found) EACH(f, FIELDS) parts[(share * FIELDS + f) * (int)N + (i)] = (found)[f];
#elif FIELDS == 2
#define OUTS __global R *restrict out_0, __global R *restrict out_1
#define WRITE(i, found) out_0[i] = (found)[0]; out_1[i] = (found)[1];
#else
#define OUTS __global R *restrict out
#define WRITE(i, found) out[i] = (found)[0];
#endif
#define POINTS                                                                                         \
    __global const float *restrict xs, __global const float *restrict ys,                              \
    __global const float *restrict ps, __global const float *restrict qs

// The points of this item, or of this group: DISTANCE apart.
#define OWN(start, distance)                                                                           \
    float x[RESULTS], y[RESULTS];                                                                      \
    R found[RESULTS][FIELDS];                                                                          \
    EACH(r, RESULTS) {                                                                                 \
        const int i = min((start) + r * (distance), (int)N - 1);                                       \
        x[r] = xs[i];                                                                                  \
        y[r] = ys[i];                                                                                  \
        EACH(f, FIELDS) found[r][f] = START;                                                           \
    }
#define VISIT_ALL(p, q) EACH(r, RESULTS) VISIT(found[r], x[r], y[r], p, q)
#define VISIT_FOUR(p, q) VISIT_ALL(p.x, q.x) VISIT_ALL(p.y, q.y) VISIT_ALL(p.z, q.z) VISIT_ALL(p.w, q.w)

#ifdef IS_TILES
// Tiles of 256 points in local memory, each loaded into registers while the one before is used.
__kernel void tiles(POINTS, OUTS) {
    __local float p_tiles[2][ITEMS] __attribute__((aligned(16)));
    __local float q_tiles[2][ITEMS] __attribute__((aligned(16)));
    const int item = get_local_id(0), share = get_group_id(1);
    const int own = get_group_id(0) * (ITEMS * RESULTS) + item;
    const int first = share * SHARE, end = min(first + SHARE, (int)M);
    OWN(own, ITEMS)
    const int place = min(first + item, (int)M - 1);
    p_tiles[0][item] = ps[place];
    q_tiles[0][item] = qs[place];
    barrier(CLK_LOCAL_MEM_FENCE);
    int side = 0;
    for (int start = first; start < end; start += ITEMS) {
        const int next = min(start + ITEMS + item, (int)M - 1);
        const float p_next = ps[next], q_next = qs[next];
        __local const float *const p_tile = p_tiles[side], *const q_tile = q_tiles[side];
        if (start + ITEMS <= end) {
            _Pragma("unroll 8") for (int i = 0; i < ITEMS; i += 4) {
                const float4 p = *(__local const float4 *)(p_tile + i), q = *(__local const float4 *)(q_tile + i);
                VISIT_FOUR(p, q)
            }
        } else {
            for (int i = 0; i < end - start; i++) VISIT_ALL(p_tile[i], q_tile[i])
        }
        side = 1 - side;
        p_tiles[side][item] = p_next;
        q_tiles[side][item] = q_next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    EACH(r, RESULTS) if (own + r * ITEMS < N) { WRITE(own + r * ITEMS, found[r]) }
}
#endif

#ifdef IS_BROADCAST
// No local memory: all items of a warp read the same points.
__kernel void broadcast(POINTS, OUTS) {
    const int share = get_group_id(1);
    const int own = get_group_id(0) * (ITEMS * RESULTS) + get_local_id(0);
    const int first = share * SHARE, end = min(first + SHARE, (int)M);
    OWN(own, ITEMS)
#if M % 4 == 0
    _Pragma("unroll 4") for (int i = first; i < end; i += 4) {
        const float4 p = *(__global const float4 *)(ps + i), q = *(__global const float4 *)(qs + i);
        VISIT_FOUR(p, q)
    }
#else
    _Pragma("unroll 8") for (int i = first; i < end; i++) VISIT_ALL(ps[i], qs[i])
#endif
    EACH(r, RESULTS) if (own + r * ITEMS < N) { WRITE(own + r * ITEMS, found[r]) }
}
#endif

#ifdef IS_ACROSS
// Few points of its own for a group, whose items visit different others; in the end, what they have found is joined.
__kernel void across(POINTS, OUTS) {
    __local R all[FIELDS][RESULTS][ITEMS];
    const int item = get_local_id(0), share = get_group_id(1), own = get_group_id(0) * RESULTS;
    const int first = share * SHARE, end = min(first + SHARE, (int)M);
    OWN(own, 1)
#if M % 4 == 0
    for (int i = first + item * 4; i < end; i += ITEMS * 4) {
        const float4 p = *(__global const float4 *)(ps + i), q = *(__global const float4 *)(qs + i);
        VISIT_FOUR(p, q)
    }
#else
    _Pragma("unroll 4") for (int i = first + item; i < end; i += ITEMS) VISIT_ALL(ps[i], qs[i])
#endif
    EACH(f, FIELDS) EACH(r, RESULTS) all[f][r][item] = found[r][f];
    for (int step = ITEMS / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < step * RESULTS; i += ITEMS) {
            EACH(f, FIELDS) all[f][i / step][i % step] = JOIN(all[f][i / step][i % step], all[f][i / step][i % step + step]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < RESULTS && own + item < N) {
        R mine[FIELDS];
        EACH(f, FIELDS) mine[f] = all[f][item][0];
        WRITE(own + item, mine)
    }
}
#endif
