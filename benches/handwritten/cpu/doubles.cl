// Stencils in double precision on a CPU: a work-item computes one row, or 16 of a plane, as vectors of 8 points. Vectors overlap at
// both ends of a row, and points whose neighbours are outside are computed one by one. Rows have at least 24 points.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#ifdef O
#define LENGTH O
#else
#define LENGTH M
#endif

// 8 points anywhere, and past the caches where rows are multiples of 64 bytes.
typedef double8 points __attribute__((aligned(8)));
#define STORE(p, v) *(__global points *)(p) = v
#if LENGTH % 8 == 0
#define STREAM(p, v) __builtin_nontemporal_store(v, (__global double8 *)(p))
#else
#define STREAM(p, v) STORE(p, v)
#endif

// The points of a row at a distance from x: 8 of them, and one where the nearest point stands for what is outside.
#define MANY(row, distance) ((double8)*(__global const points *)((row) + x + (distance)))
#define ONE(row, distance) (row)[clamp(x + (distance), 0, LENGTH - 1)]

// A row of an expression that reads points by one of these, up to one further along the row.
#define SWEEP(target, EXPRESSION, PUT)                                                    \
    {                                                                                     \
        int x = 0;                                                                        \
        (target)[0] = EXPRESSION(ONE);                                                    \
        x = 1;                                                                            \
        STORE((target) + x, EXPRESSION(MANY));                                            \
        for (x = 8; x + 9 <= LENGTH; x += 8) PUT((target) + x, EXPRESSION(MANY));         \
        x = LENGTH - 9;                                                                   \
        STORE((target) + x, EXPRESSION(MANY));                                            \
        x = LENGTH - 1;                                                                   \
        (target)[x] = EXPRESSION(ONE);                                                    \
    }

#ifndef O

#define CROSS(AT) (0.45 * AT(c, 0) + 0.12 * AT(n, 0) + 0.13 * AT(s, 0) + 0.14 * AT(c, -1) + 0.16 * AT(c, 1))

__kernel void jacobi2d5(__global const double *restrict grid, __global double *restrict out) {
    const int first = get_global_id(1) * 16, end = min(first + 16, N);
    for (int y = first; y < end; y++) {
        __global const double *n = grid + max(y - 1, 0) * M, *c = grid + y * M, *s = grid + min(y + 1, N - 1) * M;
        SWEEP(out + y * M, CROSS, STREAM)
    }
}

#else

// Row y of plane z, and the rows around it.
#define ROW(array, z, y) ((array) + (clamp((int)(z), 0, N - 1) * M + clamp((int)(y), 0, M - 1)) * O)
#define FIVE_ROWS(grid)                                                                   \
    const int y = get_global_id(1), z = get_global_id(2);                                 \
    __global const double *c = ROW(grid, z, y), *n = ROW(grid, z, y - 1), *s = ROW(grid, z, y + 1); \
    __global const double *zb = ROW(grid, z - 1, y), *za = ROW(grid, z + 1, y);

#define FACES(AT)                                                                         \
    (0.19 * AT(c, 0) + 0.11 * AT(zb, 0) + 0.12 * AT(za, 0) + 0.13 * AT(n, 0) + 0.14 * AT(s, 0) + \
     0.15 * AT(c, -1) + 0.16 * AT(c, 1))

__kernel void jacobi3d7(__global const double *restrict grid, __global double *restrict out) {
    FIVE_ROWS(grid)
    SWEEP(out + (z * M + y) * O, FACES, STORE)
}

// Outside is nothing: rows there count for none, and so do points.
#define SOUND_AT(AT, west, east)                                                          \
    (loss_1 * ((2.0 - 0.333 * near) * AT(c, 0) +                                          \
               0.333 * (down * AT(zb, 0) + up * AT(za, 0) + back * AT(n, 0) + front * AT(s, 0) + west + east) - \
               loss_2 * AT(p, 0)))
#define INNER(AT) SOUND_AT(AT, AT(c, -1), AT(c, 1))

__kernel void acoustic(__global const double *restrict previous, __global const double *restrict current,
                       __global double *restrict out) {
    FIVE_ROWS(current)
    __global const double *p = previous + (z * M + y) * O;
    __global double *target = out + (z * M + y) * O;
    const double down = z > 0, up = z + 1 < N, back = y > 0, front = y + 1 < M;
    double near = down + up + back + front + 2.0;
    double loss_1 = near < 6.0 ? 0.98 : 1.0, loss_2 = near < 6.0 ? 0.97 : 1.0;
    SWEEP(target, INNER, STORE)
    near -= 1.0;
    loss_1 = 0.98;
    loss_2 = 0.97;
    int x = 0;
    target[0] = SOUND_AT(ONE, 0.0, ONE(c, 1));
    x = O - 1;
    target[x] = SOUND_AT(ONE, ONE(c, -1), 0.0);
}

#endif
