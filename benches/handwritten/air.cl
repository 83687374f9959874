// One step of sound in the air of a room of N × M × O points, of which each says how many neighbours it has inside. A
// work-item computes 2 planes of 2 rows of 2 points, and reads only around points that are inside. N, M and O are multiples
// of 2.

#define AT(plane, row) ((plane) * M + (row)) * O + x
#define PAIR(array, plane, row) (*(__global const float2 *)(array + AT(plane, row)))
#define INSIDE(i, n) ((uint)(i) < (uint)(n))
#define NEAR(array, plane, row) (INSIDE(plane, N) && INSIDE(row, M) ? PAIR(array, plane, row) : (float2)(0.0f))

// A row of the block, and the points to its west and east together.
#define ROW(r, array, plane, row)                                                             \
    const float2 r = PAIR(array, plane, row);                                                 \
    const float2 r##_sides = (float2)(x > 0 ? array[AT(plane, row) - 1] : 0.0f, r.x) +        \
        (float2)(r.y, x + 2 < O ? array[AT(plane, row) + 2] : 0.0f);
#define BLOCK(a0, a1, b0, b1, array) \
    ROW(a0, array, z, y) ROW(a1, array, z, y + 1) ROW(b0, array, z + 1, y) ROW(b1, array, z + 1, y + 1)

#define STEP(plane, row, n, c, c_around, p, p_around)                                                       \
    *(__global float2 *)(out + AT(plane, row)) = select((float2)(0.0f),                                     \
        (2.0f - (courant_squared + absorption) * convert_float2(n)) * c +                                   \
            (courant_squared + absorption) * (c_around + c##_sides) +                                       \
            (absorption * convert_float2(n) - 1.0f) * p - absorption * (p_around + p##_sides), n > 0)

__kernel void air(const float courant_squared, const float absorption, __global const float *restrict previous,
                  __global const float *restrict current, __global const int *restrict neighbours,
                  __global float *restrict out) {
    const int x = get_global_id(0) * 2, y = get_global_id(1) * 2, z = get_global_id(2) * 2;
    if (x >= O || y >= M || z >= N) return;
    const int2 n00 = *(__global const int2 *)(neighbours + AT(z, y));
    const int2 n01 = *(__global const int2 *)(neighbours + AT(z, y + 1));
    const int2 n10 = *(__global const int2 *)(neighbours + AT(z + 1, y));
    const int2 n11 = *(__global const int2 *)(neighbours + AT(z + 1, y + 1));
    if (!any((n00 | n01 | n10 | n11) > 0)) {
        const float2 silence = (float2)(0.0f);
        *(__global float2 *)(out + AT(z, y)) = silence;
        *(__global float2 *)(out + AT(z, y + 1)) = silence;
        *(__global float2 *)(out + AT(z + 1, y)) = silence;
        *(__global float2 *)(out + AT(z + 1, y + 1)) = silence;
        return;
    }
    BLOCK(c00, c01, c10, c11, current)
    BLOCK(p00, p01, p10, p11, previous)
    STEP(z, y, n00, c00, (NEAR(current, z - 1, y) + c10 + NEAR(current, z, y - 1) + c01), p00,
         (NEAR(previous, z - 1, y) + p10 + NEAR(previous, z, y - 1) + p01));
    STEP(z, y + 1, n01, c01, (NEAR(current, z - 1, y + 1) + c11 + c00 + NEAR(current, z, y + 2)), p01,
         (NEAR(previous, z - 1, y + 1) + p11 + p00 + NEAR(previous, z, y + 2)));
    STEP(z + 1, y, n10, c10, (c00 + NEAR(current, z + 2, y) + NEAR(current, z + 1, y - 1) + c11), p10,
         (p00 + NEAR(previous, z + 2, y) + NEAR(previous, z + 1, y - 1) + p11));
    STEP(z + 1, y + 1, n11, c11, (c01 + NEAR(current, z + 2, y + 1) + c10 + NEAR(current, z + 1, y + 2)), p11,
         (p01 + NEAR(previous, z + 2, y + 1) + p10 + NEAR(previous, z + 1, y + 2)));
}
