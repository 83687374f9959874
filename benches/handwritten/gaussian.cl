// The binomial 5 × 5 blur of an N × M image, with the nearest pixel outside. A work-item computes 4 rows of 4 pixels.
// N and M are multiples of 4.

// Row y: the 4 pixels, and those one and two further west and east.
#define ROW(r, y)                                                              \
    __global const float *r##_row = image + (y) * M;                           \
    const float4 r = *(__global const float4 *)(r##_row + x);                  \
    const float4 r##_west = (float4)(r##_row[west], r.xyz);                    \
    const float4 r##_far_west = (float4)(r##_row[far_west], r##_west.xyz);     \
    const float4 r##_east = (float4)(r.yzw, r##_row[east]);                    \
    const float4 r##_far_east = (float4)(r##_east.yzw, r##_row[far_east]);

// A row's products, when the row itself has the weight k.
#define FIRST(sum, r, k)                       \
    float4 sum = (k) / 256.0f * r##_far_west;  \
    REST(sum, r, k)
#define NEXT(sum, r, k)                   \
    sum += (k) / 256.0f * r##_far_west;   \
    REST(sum, r, k)
#define REST(sum, r, k)                       \
    sum += 4.0f * (k) / 256.0f * r##_west;    \
    sum += 6.0f * (k) / 256.0f * r;           \
    sum += 4.0f * (k) / 256.0f * r##_east;    \
    sum += (k) / 256.0f * r##_far_east;

#define BLUR(y, a, b, c, d, e)                           \
    {                                                    \
        FIRST(sum, a, 1.0f)                              \
        NEXT(sum, b, 4.0f)                               \
        NEXT(sum, c, 6.0f)                               \
        NEXT(sum, d, 4.0f)                               \
        NEXT(sum, e, 1.0f)                               \
        *(__global float4 *)(out + (y) * M + x) = sum;   \
    }

__kernel void gaussian(__global const float *restrict image, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1) * 4;
    if (x >= M || y >= N) return;
    const int far_west = max(x - 2, 0), west = max(x - 1, 0);
    const int east = min(x + 4, M - 1), far_east = min(x + 5, M - 1);
    ROW(r0, max(y - 2, 0))
    ROW(r1, max(y - 1, 0))
    ROW(r2, y)
    ROW(r3, y + 1)
    ROW(r4, y + 2)
    ROW(r5, y + 3)
    ROW(r6, min(y + 4, N - 1))
    ROW(r7, min(y + 5, N - 1))
    BLUR(y, r0, r1, r2, r3, r4)
    BLUR(y + 1, r1, r2, r3, r4, r5)
    BLUR(y + 2, r2, r3, r4, r5, r6)
    BLUR(y + 3, r3, r4, r5, r6, r7)
}
