// A·B for matrices of N × K and K × M numbers, or 0.5·A·B + C. A group computes ROWS × COLUMNS numbers, from a tile of ROWS × DEPTH numbers of
// A and one of DEPTH × COLUMNS numbers of B at a time in local memory; a work-item HEIGHT × WIDTH, in pieces of V × V whose distance is that of
// all items' pieces. While one tile is used, the next one is loaded into registers, and from there stored in the other half of local memory.
// Where the groups share K, the first SHARE tiles are for the first groups.

#define EACH(i, n) _Pragma("unroll") for (int i = 0; i < (n); i++)

#define PRAGMA(text) _Pragma(#text)
#define UNROLL(steps) PRAGMA(unroll steps)
#define ITEMS (ROWS / HEIGHT * (COLUMNS / WIDTH))
#define ACROSS (COLUMNS / WIDTH)
#define DOWN (ROWS / HEIGHT)
#define TILES ((K + DEPTH - 1) / DEPTH)
#define GROUPS_DOWN ((N + ROWS - 1) / ROWS)
#define GROUPS_ACROSS ((M + COLUMNS - 1) / COLUMNS)
// Groups that run at a time are near to each other: so many rows of them take turns.
#define BAND 8

#define SPREAD_1(to, from) (to)[0] = from;
#define SPREAD_2(to, from) (to)[0] = from.x; (to)[1] = from.y;
#define SPREAD_4(to, from) (to)[0] = from.x; (to)[1] = from.y; (to)[2] = from.z; (to)[3] = from.w;
#if V == 2
#define SPREAD SPREAD_2
#define GATHER(from) (VECTOR)((from)[0], (from)[1])
#else
#define SPREAD SPREAD_4
#define GATHER(from) (VECTOR)((from)[0], (from)[1], (from)[2], (from)[3])
#endif

// Where in a tile the items' parts of A are, in vectors of A_WIDE numbers: along its rows where it is stored column by column, else along K.
// Then rows of local memory are longer by V, so that fewer stores meet in a bank.
#define A_COUNT (ROWS * DEPTH / A_WIDE)
#define A_PARTS ((A_COUNT + ITEMS - 1) / ITEMS)
#define A_IS_IN(e) (A_COUNT % ITEMS == 0 || (e) < A_COUNT)
#if A_TURNED
#define A_STRIDE ROWS
#define A_ROW(e) ((e) % (ROWS / A_WIDE) * A_WIDE)
#define A_K(e) ((e) / (ROWS / A_WIDE))
#define A_AT(row, k) ((k) * (int)N + (N % ROWS == 0 ? (row) : min(row, (int)N - A_WIDE)))
#define A_TILE (DEPTH * (int)N)
#else
#define A_STRIDE (ROWS + V)
#define A_ROW(e) ((e) / (DEPTH / A_WIDE))
#define A_K(e) ((e) % (DEPTH / A_WIDE) * A_WIDE)
#define A_AT(row, k) ((N % ROWS == 0 ? (row) : min(row, (int)N - 1)) * (int)K + (k))
#define A_TILE DEPTH
#endif

// The same for B, where V are added if it is stored column by column.
#define B_COUNT (COLUMNS * DEPTH / B_WIDE)
#define B_PARTS ((B_COUNT + ITEMS - 1) / ITEMS)
#define B_IS_IN(e) (B_COUNT % ITEMS == 0 || (e) < B_COUNT)
#if B_TURNED
#define B_STRIDE (COLUMNS + V)
#define B_COLUMN(e) ((e) / (DEPTH / B_WIDE))
#define B_K(e) ((e) % (DEPTH / B_WIDE) * B_WIDE)
#define B_AT(column, k) ((M % COLUMNS == 0 ? (column) : min(column, (int)M - 1)) * (int)K + (k))
#define B_TILE DEPTH
#else
#define B_STRIDE COLUMNS
#define B_COLUMN(e) ((e) % (COLUMNS / B_WIDE) * B_WIDE)
#define B_K(e) ((e) / (COLUMNS / B_WIDE))
#define B_AT(column, k) ((k) * (int)M + (M % COLUMNS == 0 ? (column) : min(column, (int)M - B_WIDE)))
#define B_TILE (DEPTH * (int)M)
#endif

// The items' parts of a tile into registers. What is beyond K is 0; rows and columns beyond N and M are others again, whose sums are dropped.
#define LOAD(tile, is_in)                                                                              \
    EACH(part, A_PARTS) {                                                                              \
        const int e = item + part * ITEMS;                                                             \
        if (A_IS_IN(e)) {                                                                              \
            A_VECTOR v = 0;                                                                            \
            if (is_in((tile) * DEPTH + A_K(e)))                                                        \
                v = *(__global const A_VECTOR *)(a + a_from[part] + (tile) * A_TILE);                  \
            A_SPREAD(a_next[part], v)                                                                  \
        }                                                                                              \
    }                                                                                                  \
    EACH(part, B_PARTS) {                                                                              \
        const int e = item + part * ITEMS;                                                             \
        if (B_IS_IN(e)) {                                                                              \
            B_VECTOR v = 0;                                                                            \
            if (is_in((tile) * DEPTH + B_K(e)))                                                        \
                v = *(__global const B_VECTOR *)(b + b_from[part] + (tile) * B_TILE);                  \
            B_SPREAD(b_next[part], v)                                                                  \
        }                                                                                              \
    }
#define ALWAYS(k) 1
#define CHECKED(k) ((k) < K)

// The last tile may be a part of one.
#if K % DEPTH == 0
#define LOAD_NEXT(tile) LOAD(tile, ALWAYS)
#else
#define LOAD_NEXT(tile) if ((tile) == TILES - 1) { LOAD(tile, CHECKED) } else { LOAD(tile, ALWAYS) }
#endif

// The items' parts from registers into a half of local memory.
#define STORE(side)                                                                                    \
    EACH(part, A_PARTS) {                                                                              \
        const int e = item + part * ITEMS;                                                             \
        if (A_IS_IN(e)) {                                                                              \
            __local T *const to = a_tiles + (side) * DEPTH * A_STRIDE + A_K(e) * A_STRIDE + A_ROW(e);  \
            EACH(i, A_WIDE) to[A_TURNED ? i : i * A_STRIDE] = a_next[part][i];                         \
        }                                                                                              \
    }                                                                                                  \
    EACH(part, B_PARTS) {                                                                              \
        const int e = item + part * ITEMS;                                                             \
        if (B_IS_IN(e)) {                                                                              \
            __local T *const to = b_tiles + (side) * DEPTH * B_STRIDE + B_K(e) * B_STRIDE + B_COLUMN(e);\
            EACH(i, B_WIDE) to[B_TURNED ? i * B_STRIDE : i] = b_next[part][i];                         \
        }                                                                                              \
    }

#if ADDS && PARTS > 1
#define RESULT(sum, place) ((T)0.5 * (sum) + (share == 0 ? c[place] : (T)0))
#define RESULTS(sum, place) ((T)0.5 * (sum) + (share == 0 ? *(__global const VECTOR *)(c + (place)) : (VECTOR)0))
#elif ADDS
#define RESULT(sum, place) ((T)0.5 * (sum) + c[place])
#define RESULTS(sum, place) ((T)0.5 * (sum) + *(__global const VECTOR *)(c + (place)))
#else
#define RESULT(sum, place) (sum)
#define RESULTS(sum, place) (sum)
#endif

#if ADDS
#define C __global const T *restrict c,
#else
#define C
#endif

__kernel void product(__global const T *restrict a, __global const T *restrict b, C __global T *restrict out) {
    __local T a_tiles[2 * DEPTH * A_STRIDE] __attribute__((aligned(16)));
    __local T b_tiles[2 * DEPTH * B_STRIDE] __attribute__((aligned(16)));
    const int item = get_local_id(0), group = get_group_id(0), share = get_group_id(1);
    // A warp's items read 4 pieces of A and 8 of B, where there are so many.
#if ACROSS % 8 == 0 && DOWN % 4 == 0
    const int x = item / 32 % (ACROSS / 8) * 8 + item % 8, y = item / 32 / (ACROSS / 8) * 4 + item % 32 / 8;
#else
    const int x = item % ACROSS, y = item / ACROSS;
#endif
    const int band = group / (BAND * GROUPS_ACROSS), in_band = group % (BAND * GROUPS_ACROSS);
    const int height = min((int)GROUPS_DOWN - band * BAND, BAND);
    const int row = (band * BAND + in_band % height) * ROWS, column = in_band / height * COLUMNS;
    const int first = share * SHARE, end = min(first + SHARE, (int)TILES);

    int a_from[A_PARTS], b_from[B_PARTS];
    EACH(part, A_PARTS) a_from[part] = A_AT(row + A_ROW(item + part * ITEMS), A_K(item + part * ITEMS));
    EACH(part, B_PARTS) b_from[part] = B_AT(column + B_COLUMN(item + part * ITEMS), B_K(item + part * ITEMS));
    T a_next[A_PARTS][A_WIDE], b_next[B_PARTS][B_WIDE], sums[HEIGHT][WIDTH];
    EACH(i, HEIGHT) EACH(j, WIDTH) sums[i][j] = 0;
    LOAD_NEXT(first)
    STORE(0)
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int tile = first; tile < end; tile++) {
        const int side = (tile - first) % 2;
        if (tile + 1 < end) {
            LOAD_NEXT(tile + 1)
        }
        __local const T *const a_tile = a_tiles + side * DEPTH * A_STRIDE + y * V;
        __local const T *const b_tile = b_tiles + side * DEPTH * B_STRIDE + x * V;
        UNROLL(STEPS) for (int k = 0; k < DEPTH; k++) {
            T left[HEIGHT], right[WIDTH];
            EACH(i, HEIGHT / V) {
                const VECTOR v = *(__local const VECTOR *)(a_tile + k * A_STRIDE + i * DOWN * V);
                SPREAD(left + i * V, v)
            }
            EACH(j, WIDTH / V) {
                const VECTOR v = *(__local const VECTOR *)(b_tile + k * B_STRIDE + j * ACROSS * V);
                SPREAD(right + j * V, v)
            }
            EACH(i, HEIGHT) EACH(j, WIDTH) sums[i][j] = fma(left[i], right[j], sums[i][j]);
        }
        if (tile + 1 < end) {
            STORE(1 - side)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    __global T *const results = out + share * ((int)N * (int)M);
    EACH(i, HEIGHT) {
        const int r = row + (i / V * DOWN + y) * V + i % V;
        if (N % ROWS == 0 || r < N) {
            EACH(j, WIDTH / V) {
                const int at = column + (j * ACROSS + x) * V, place = r * (int)M + at;
#if M % V == 0
                if (M % COLUMNS == 0 || at < M)
                    *(__global VECTOR *)(results + place) = RESULTS(GATHER(sums[i] + j * V), place);
#else
                EACH(l, V) if (at + l < M) results[place + l] = RESULT(sums[i][j * V + l], place + l);
#endif
            }
        }
    }
}
