// The second of two launches: FINISHERS items combine the parts of a line. FINISHED lines are for one group.
__kernel void finish(PARAMS, __global const PART_T *restrict parts, RESULTS) {
    __local acc1 all[FINISHERS * FINISHED];
#ifdef COLUMNS
    const int side = get_local_id(0), l = get_local_id(1), line = get_group_id(0) * FINISHED + side;
    __global const T1 *const first = x + line;
#else
    const int l = get_local_id(0), side = get_local_id(1), line = get_group_id(0) * FINISHED + side;
    __global const T1 *const first = x + line * REDUCED;
#endif
    acc1 whole = none1();
    if (line < LINES) {
        for (int chunk = l; chunk < CHUNKS; chunk += FINISHERS) {
#ifdef COLUMNS
            whole = join1(whole, take1(parts, chunk * STATS * LINES + line, LINES, first));
#else
            whole = join1(whole, take1(parts, (line * CHUNKS + chunk) * STATS, 1, first));
#endif
        }
    }
#ifdef COLUMNS
    whole = combine1(whole, all + side, FINISHED, l, FINISHERS);
#else
    whole = combine1(whole, all + side * FINISHERS, 1, l, FINISHERS);
#endif
    if (line < LINES && l == 0) {
#ifdef NEEDS_SHIFT
        result1(OUT, line, whole, *first);
#else
        result1(OUT, line, whole, (T1)(0));
#endif
    }
}
