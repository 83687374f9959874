// Short rows by way of local memory: an item a row, SIDE rows a group, PITCH places from one to the next.
__kernel void staged(PARAMS, RESULTS) {
    __local T1 tile[SIDE * PITCH];
    const int l = get_local_id(0), first = get_group_id(0) * SIDE;
    const int count = min(SIDE, LINES - first) * REDUCED;
    for (int i = l; i < count; i += SIDE) tile[i / REDUCED * PITCH + i % REDUCED] = x[first * REDUCED + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local T1 *const row = tile + l * PITCH;
    acc1 whole = none1();
    if (first + l < LINES) {
        const T1 shift = row[0];
#ifdef IS_SOFTMAX
        for (int i = 0; i < REDUCED; i++) whole.top = fmax(whole.top, row[i]);
        for (int i = 0; i < REDUCED; i++) {
            const T1 e = exp(row[i] - whole.top);
            row[i] = e;
            whole.sum += e;
        }
        const T1 by = by1(whole);
        for (int i = 0; i < REDUCED; i++) row[i] *= by;
#else
        for (int i = 0; i < REDUCED; i++) {
#ifdef IS_DOT
            whole = add1(whole, row[i], i, y[i]);
#else
            whole = add1(whole, row[i], i, shift);
#endif
        }
#ifdef GIVES_ROWS
        const T1 from = from1(whole, shift), by = by1(whole);
        for (int i = 0; i < REDUCED; i++) row[i] = value1(row[i], from, by);
#else
        result1(OUT, first + l, whole, shift);
#endif
#endif
    }
#ifdef GIVES_ROWS
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < count; i += SIDE) out[first * REDUCED + i] = tile[i / REDUCED * PITCH + i % REDUCED];
#endif
}
