// What several groups have computed of each result, joined: of each part, FIELDS arrays of COUNT numbers. A group has LINE × TURNS work-items, of
// which those with the same first number join other parts of a result.

#if FIELDS == 2
#define OUTS __global R *restrict out_0, __global R *restrict out_1
#else
#define OUTS __global R *restrict out_0
#endif

__kernel void join(__global const R *restrict parts, OUTS) {
    __local R lines[TURNS][LINE];
    const int l = get_local_id(0), turn = get_local_id(1), i = get_group_id(0) * LINE + l;
    for (int field = 0; field < FIELDS; field++) {
        R all = START;
        if (i < COUNT) {
            _Pragma("unroll 8") for (int part = turn; part < PARTS; part += TURNS)
                all = JOIN(all, parts[(part * FIELDS + field) * COUNT + i]);
        }
        lines[turn][l] = all;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (turn == 0 && i < COUNT) {
            for (int other = 1; other < TURNS; other++) all = JOIN(all, lines[other][l]);
#if FIELDS == 2
            if (field == 1) out_1[i] = all;
            else
#endif
            out_0[i] = all;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
