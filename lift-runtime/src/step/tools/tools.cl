// For elements of type T, which are BITS in memory, with differences of type D.
#ifdef HALF
#define GET(p, i) vload_half(i, p)
#define PUT(p, i, x) vstore_half_rte(x, i, p)
#else
#define GET(p, i) ((p)[i])
#define PUT(p, i, x) ((p)[i] = (x))
#endif

#if defined(FLOAT)
#define SUM(a, b) ((a) + (b))
#define DIFFERENCE(a, b) fabs((a) - (b))
#define IS_NAN(x) isnan(x)
#define IS_FINITE(x) isfinite(x)
#elif defined(TRUTH)
// Any value but 0 is true.
#define SUM(a, b) (a)
#define DIFFERENCE(a, b) (((a) != 0) != ((b) != 0))
#define IS_NAN(x) 0
#define IS_FINITE(x) 1
#else
// Sums wrap.
#define SUM(a, b) ((T)((BITS)(a) + (BITS)(b)))
#define DIFFERENCE(a, b) abs_diff(a, b)
#define IS_NAN(x) 0
#define IS_FINITE(x) 1
#endif

__kernel void add(__global T *state, const ulong at, __global const T *samples, const ulong i) {
    PUT(state, at, SUM(GET(state, at), GET(samples, i)));
}

__kernel void gather(__global BITS *record, const ulong i, const ulong room, __global const BITS *state,
                     __global const ulong *places, const ulong count) {
    for (ulong k = get_global_id(0); k < count; k += get_global_size(0)) record[k * room + i] = state[places[k]];
}

__kernel void change(__global D *partial, const ulong n, __global const T *a, __global const T *b) {
    D largest = 0;
    for (ulong i = get_global_id(0); i < n; i += 4096) {
        const D change = DIFFERENCE(GET(a, i), GET(b, i));
        if (change > largest || IS_NAN(change)) largest = change;
        if (IS_NAN(largest)) break;
    }
    if (get_global_id(0) < 4096) partial[get_global_id(0)] = largest;
}

__kernel void finite(__global int *record, const ulong n, __global const T *state, const ulong step) {
    for (ulong i = get_global_id(0); i < n; i += 4096) {
        if (IS_FINITE(GET(state, i))) continue;
        if (atomic_cmpxchg(record, 0, (int)step) != 0) return;
        record[1] = (int)(uint)i;
        record[2] = (int)(uint)(i >> 32);
        return;
    }
}
