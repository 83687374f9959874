// Stencils on a CPU: a work-item computes one row or several, as vectors of 16 points. Vectors overlap at both ends of a row,
// and points whose neighbours are outside are computed one by one. Rows have at least 48 points.

// 16 points anywhere.
typedef float16 points __attribute__((aligned(4)));
#define STORE(p, v) *(__global points *)(p) = v

// Past the caches, where rows are multiples of 64 bytes.
#ifdef O
#define LENGTH O
#else
#define LENGTH M
#endif
#if LENGTH % 16 == 0
#define STREAM(p, v) __builtin_nontemporal_store(v, (__global float16 *)(p))
#else
#define STREAM(p, v) STORE(p, v)
#endif

// The points of a row at a distance from x: 16 of them, and one where the nearest point stands for what is outside.
#define MANY(row, distance) ((float16)*(__global const points *)((row) + x + (distance)))
#define ONE(row, distance) (row)[clamp(x + (distance), 0, LENGTH - 1)]

// A row of an expression that reads points by one of these, up to a distance along the row.
#define SWEEP(target, distance, EXPRESSION, PUT, FETCH)                                   \
    {                                                                                     \
        int x;                                                                            \
        for (x = 0; x < (distance); x++) (target)[x] = EXPRESSION(ONE);                   \
        STORE((target) + x, EXPRESSION(MANY));                                            \
        for (x = 16; x + 16 + (distance) <= LENGTH; x += 16) {                            \
            FETCH                                                                         \
            PUT((target) + x, EXPRESSION(MANY));                                          \
        }                                                                                 \
        x = LENGTH - (distance) - 16;                                                     \
        STORE((target) + x, EXPRESSION(MANY));                                            \
        for (x += 16; x < LENGTH; x++) (target)[x] = EXPRESSION(ONE);                     \
    }

#ifndef O

// Row y of the grid.
#define ROW(array, y) ((array) + clamp((int)(y), 0, N - 1) * M)

#define NINE(AT, a, b, c)                                                                 \
    (0.05f * AT(a, -1) + 0.06f * AT(a, 0) + 0.07f * AT(a, 1) + 0.12f * AT(b, -1) +        \
     0.3f * AT(b, 0) + 0.11f * AT(b, 1) + 0.08f * AT(c, -1) + 0.09f * AT(c, 0) + 0.1f * AT(c, 1))

// 4 rows together. N is a multiple of 4.
__kernel void jacobi2d9(__global const float *restrict grid, __global float *restrict out) {
    const int y = get_global_id(1) * 4;
    __global const float *r0 = ROW(grid, y - 1), *r1 = grid + y * M, *r2 = r1 + M, *r3 = r2 + M, *r4 = r3 + M;
    __global const float *r5 = ROW(grid, y + 4);
    __global float *target = out + y * M;
    for (int x = 0; x < M; x += M - 1) {
        target[x] = NINE(ONE, r0, r1, r2);
        target[M + x] = NINE(ONE, r1, r2, r3);
        target[2 * M + x] = NINE(ONE, r2, r3, r4);
        target[3 * M + x] = NINE(ONE, r3, r4, r5);
    }
    for (int i = 0; i < M; i += 16) {
        const int x = i == 0 ? 1 : i + 17 <= M ? i : M - 17;
        const float16 v0 = NINE(MANY, r0, r1, r2), v1 = NINE(MANY, r1, r2, r3);
        const float16 v2 = NINE(MANY, r2, r3, r4), v3 = NINE(MANY, r3, r4, r5);
        STORE(target + x, v0);
        STORE(target + M + x, v1);
        STORE(target + 2 * M + x, v2);
        STORE(target + 3 * M + x, v3);
    }
}

#define SQUARE(d) ((d) * (d))
#define FLATNESS(AT)                                                                      \
    (AT(c, 0) + 1.0f / sqrt(0.01f + SQUARE(AT(c, 0) - AT(n, 0)) + SQUARE(AT(c, 0) - AT(s, 0)) + \
                            SQUARE(AT(c, 0) - AT(c, -1)) + SQUARE(AT(c, 0) - AT(c, 1))))

__kernel void gradient(__global const float *restrict grid, __global float *restrict out) {
    const int y = get_global_id(1);
    __global const float *n = ROW(grid, y - 1), *c = grid + y * M, *s = ROW(grid, y + 1);
    SWEEP(out + y * M, 1, FLATNESS, STORE, )
}

#define WARM(AT)                                                                          \
    (AT(c, 0) + step * (AT(p, 0) + (AT(n, 0) + AT(s, 0) - 2.0f * AT(c, 0)) * ry +         \
                        (AT(c, 1) + AT(c, -1) - 2.0f * AT(c, 0)) * rx + (80.0f - AT(c, 0)) * rz))

// 16 rows, which are written past the caches.
__kernel void hotspot2d(const float step, const float rx, const float ry, const float rz,
                        __global const float *restrict power, __global const float *restrict temperature,
                        __global float *restrict out) {
    const int first = get_global_id(1) * 16, end = min(first + 16, N);
    for (int y = first; y < end; y++) {
        __global const float *n = ROW(temperature, y - 1), *c = temperature + y * M, *s = ROW(temperature, y + 1);
        __global const float *p = power + y * M;
        SWEEP(out + y * M, 1, WARM, STREAM, )
    }
}

#define GRADIENT(AT)                                                                      \
    ((SQUARE(AT(n, 0) - AT(c, 0)) + SQUARE(AT(s, 0) - AT(c, 0)) + SQUARE(AT(c, -1) - AT(c, 0)) + \
      SQUARE(AT(c, 1) - AT(c, 0))) / SQUARE(AT(c, 0)))
#define LAPLACIAN(AT)                                                                     \
    ((AT(n, 0) - AT(c, 0) + (AT(s, 0) - AT(c, 0)) + (AT(c, -1) - AT(c, 0)) + (AT(c, 1) - AT(c, 0))) / AT(c, 0))
#define SLOPES(AT) ((0.5f * GRADIENT(AT) - 0.0625f * SQUARE(LAPLACIAN(AT))) / SQUARE(1.0f + 0.25f * LAPLACIAN(AT)))
#define CONDUCTANCE(AT) \
    clamp(1.0f / (1.0f + (SLOPES(AT) - q0_squared) / (q0_squared * (1.0f + q0_squared))), 0.0f, 1.0f)

// 2 rows.
__kernel void srad1(const float q0_squared, __global const float *restrict image, __global float *restrict out) {
    const int first = get_global_id(1) * 2, end = min(first + 2, N);
    for (int y = first; y < end; y++) {
        __global const float *n = ROW(image, y - 1), *c = image + y * M, *s = ROW(image, y + 1);
        SWEEP(out + y * M, 1, CONDUCTANCE, STORE, )
    }
}

#define DIFFUSED(AT)                                                                      \
    (AT(c, 0) + 0.25f * lambda * (AT(k, 0) * (AT(n, 0) - AT(c, 0)) + AT(l, 0) * (AT(s, 0) - AT(c, 0)) + \
                                  AT(k, 0) * (AT(c, -1) - AT(c, 0)) + AT(k, 1) * (AT(c, 1) - AT(c, 0))))

__kernel void srad2(const float lambda, __global const float *restrict image, __global const float *restrict coefficients,
                    __global float *restrict out) {
    const int y = get_global_id(1);
    __global const float *n = ROW(image, y - 1), *c = image + y * M, *s = ROW(image, y + 1);
    __global const float *k = coefficients + y * M, *l = ROW(coefficients, y + 1);
    SWEEP(out + y * M, 1, DIFFUSED, STORE, )
}

#define WEIGHED(x)                                                                        \
    (0.25f * HALO(b, x + 1) + 0.15f * (HALO(a, x + 1) + HALO(b, x) + HALO(b, x + 2) + HALO(c, x + 1)) +   \
     0.05f * (HALO(a, x) + HALO(a, x + 2) + HALO(c, x) + HALO(c, x + 2)))
#define HALO(row, x) ((float16)*(__global const points *)((row) + (x)))

// The grid has a halo of one point.
__kernel void stencil2d(__global const float *restrict grid, __global float *restrict out) {
    const int y = get_global_id(1);
    __global const float *a = grid + y * (M + 2), *b = a + (M + 2), *c = b + (M + 2);
    __global float *target = out + y * M;
    for (int x = 0; x + 16 <= M; x += 16) STORE(target + x, WEIGHED(x));
    STORE(target + M - 16, WEIGHED(M - 16));
}

#else

// Row y of plane z.
#define ROW(array, z, y) ((array) + (clamp((int)(z), 0, N - 1) * M + clamp((int)(y), 0, M - 1)) * O)

// The plane that is read last, 4 rows ahead.
#define AHEAD(row) __builtin_prefetch((__global const void *)((row) + 4 * O + x));

#define LEGS(AT)                                                                          \
    (0.14f * AT(c, 0) + 0.01f * AT(zb2, 0) + 0.11f * AT(zb, 0) + 0.12f * AT(za, 0) + 0.02f * AT(za2, 0) + \
     0.03f * AT(n2, 0) + 0.13f * AT(n, 0) + 0.14f * AT(s, 0) + 0.04f * AT(s2, 0) +        \
     0.05f * AT(c, -2) + 0.07f * AT(c, -1) + 0.08f * AT(c, 1) + 0.06f * AT(c, 2))

__kernel void jacobi3d13(__global const float *restrict grid, __global float *restrict out) {
    const int y = get_global_id(1), z = get_global_id(2);
    __global const float *c = ROW(grid, z, y), *n = ROW(grid, z, y - 1), *s = ROW(grid, z, y + 1);
    __global const float *n2 = ROW(grid, z, y - 2), *s2 = ROW(grid, z, y + 2);
    __global const float *zb = ROW(grid, z - 1, y), *za = ROW(grid, z + 1, y);
    __global const float *zb2 = ROW(grid, z - 2, y), *za2 = ROW(grid, z + 2, y);
    SWEEP(out + (z * M + y) * O, 2, LEGS, STORE, AHEAD(za2))
}

#define LINE(AT, row, a, b, c) a##f * AT(row, -1) + b##f * AT(row, 0) + c##f * AT(row, 1)
#define CUBE(AT)                                                                          \
    (LINE(AT, a0, 0.01, 0.02, 0.03) + LINE(AT, b0, 0.04, 0.05, 0.06) + LINE(AT, c0, 0.012, 0.013, 0.014) + \
     LINE(AT, a1, 0.021, 0.031, 0.041) + LINE(AT, b1, 0.051, 0.061, 0.07) + LINE(AT, c1, 0.015, 0.016, 0.017) + \
     LINE(AT, a2, 0.022, 0.023, 0.024) + LINE(AT, b2, 0.032, 0.033, 0.034) + LINE(AT, c2, 0.042, 0.043, 0.044))

#define NINE_ROWS                                                                         \
    const int y = get_global_id(1), z = get_global_id(2);                                 \
    __global const float *a0 = ROW(grid, z - 1, y - 1), *b0 = ROW(grid, z - 1, y), *c0 = ROW(grid, z - 1, y + 1); \
    __global const float *a1 = ROW(grid, z, y - 1), *b1 = ROW(grid, z, y), *c1 = ROW(grid, z, y + 1); \
    __global const float *a2 = ROW(grid, z + 1, y - 1), *b2 = ROW(grid, z + 1, y), *c2 = ROW(grid, z + 1, y + 1);

__kernel void jacobi3d27(__global const float *restrict grid, __global float *restrict out) {
    NINE_ROWS
    SWEEP(out + (z * M + y) * O, 1, CUBE, STORE, AHEAD(b2))
}

#define CURVATURE(AT)                                                                     \
    (2.666f * AT(b1, 0) - 0.166f * (AT(b0, 0) + AT(a1, 0) + AT(b1, -1) + AT(b1, 1) + AT(c1, 0) + AT(b2, 0)) - \
     0.0833f * (AT(a0, 0) + AT(b0, -1) + AT(b0, 1) + AT(c0, 0) + AT(a1, -1) + AT(a1, 1) + AT(c1, -1) + AT(c1, 1) + \
                AT(a2, 0) + AT(b2, -1) + AT(b2, 1) + AT(c2, 0)))

__kernel void poisson(__global const float *restrict grid, __global float *restrict out) {
    NINE_ROWS
    SWEEP(out + (z * M + y) * O, 1, CURVATURE, STORE, AHEAD(b2))
}

#define SEVEN_ROWS(grid)                                                                  \
    __global const float *c = ROW(grid, z, y), *n = ROW(grid, z, y - 1), *s = ROW(grid, z, y + 1); \
    __global const float *zb = ROW(grid, z - 1, y), *za = ROW(grid, z + 1, y);

#define HEAT(AT)                                                                          \
    (AT(c, 0) + 0.125f * (AT(zb, 0) + AT(za, 0) + AT(n, 0) + AT(s, 0) + AT(c, -1) + AT(c, 1) - 6.0f * AT(c, 0)))

__kernel void heat(__global const float *restrict grid, __global float *restrict out) {
    const int y = get_global_id(1), z = get_global_id(2);
    SEVEN_ROWS(grid)
    SWEEP(out + (z * M + y) * O, 1, HEAT, STORE, AHEAD(za))
}

#define LAYER(AT)                                                                         \
    (step * AT(p, 0) + coefficients[0] * AT(c, 0) + coefficients[1] * AT(n, 0) + coefficients[2] * AT(s, 0) + \
     coefficients[3] * AT(c, 1) + coefficients[4] * AT(c, -1) + coefficients[5] * (AT(za, 0) + 80.0f) +  \
     coefficients[6] * AT(zb, 0))

// 16 rows.
__kernel void hotspot3d(__global const float *restrict coefficients, const float step,
                        __global const float *restrict power, __global const float *restrict temperature,
                        __global float *restrict out) {
    const int first = get_global_id(1) * 16, end = min(first + 16, M), z = get_global_id(2);
    for (int y = first; y < end; y++) {
        SEVEN_ROWS(temperature)
        __global const float *p = power + (z * M + y) * O;
        SWEEP(out + (z * M + y) * O, 1, LAYER, STORE, )
    }
}

// Outside is nothing: rows there count for none, and so do points.
#define SOUND_AT(AT, west, east)                                                          \
    (loss_1 * ((2.0f - 0.333f * near) * AT(c, 0) +                                        \
               0.333f * (down * AT(zb, 0) + up * AT(za, 0) + back * AT(n, 0) + front * AT(s, 0) + west + east) - \
               loss_2 * AT(p, 0)))
#define INNER(AT) SOUND_AT(AT, AT(c, -1), AT(c, 1))

__kernel void acoustic(__global const float *restrict previous, __global const float *restrict current,
                       __global float *restrict out) {
    const int y = get_global_id(1), z = get_global_id(2);
    SEVEN_ROWS(current)
    __global const float *p = previous + (z * M + y) * O;
    __global float *target = out + (z * M + y) * O;
    const float down = z > 0, up = z + 1 < N, back = y > 0, front = y + 1 < M;
    float near = down + up + back + front + 2.0f;
    float loss_1 = near < 6.0f ? 0.98f : 1.0f, loss_2 = near < 6.0f ? 0.97f : 1.0f;
    SWEEP(target, 1, INNER, STORE, )
    near -= 1.0f;
    loss_1 = 0.98f;
    loss_2 = 0.97f;
    int x = 0;
    target[0] = SOUND_AT(ONE, 0.0f, ONE(c, 1));
    x = O - 1;
    target[x] = SOUND_AT(ONE, ONE(c, -1), 0.0f);
}

#endif
