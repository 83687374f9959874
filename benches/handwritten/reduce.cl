// Sums of N terms, in two launches: every work-group of 256 sums up its share, 8 terms of each work-item at a time, and one more
// group sums up those sums. N is a multiple of 4.

// The sum of the items' values, in the group's first item.
#define SUM_OF_GROUP(value)                                     \
    __local float sums[256];                                    \
    const int l = get_local_id(0);                              \
    sums[l] = value;                                            \
    barrier(CLK_LOCAL_MEM_FENCE);                               \
    for (int step = 128; step > 0; step >>= 1) {             \
        if (l < step) sums[l] += sums[l + step];              \
        barrier(CLK_LOCAL_MEM_FENCE);                           \
    }

// The body of the first launch, for the sum of 4 terms from number i on.
#define REDUCE(TERMS)                                           \
    const int items = get_num_groups(0) * 256;                  \
    float mine = 0.0f;                                          \
    int i = get_global_id(0);                                   \
    for (; i + items < N / 4; i += 2 * items) {                 \
        const float first = TERMS(i), second = TERMS(i + items);  \
        mine += first + second;                                 \
    }                                                           \
    for (; i < N / 4; i += items) mine += TERMS(i);             \
    SUM_OF_GROUP(mine)                                          \
    if (l == 0) out[get_group_id(0)] = sums[0];

#define ACROSS(v) (v.x + v.y + v.z + v.w)
#define ELEMENTS(i) ACROSS(x[i])
#define MAGNITUDES(i) ACROSS(fabs(x[i]))
#define PRODUCTS(i) (x[i].x * y[i].x + x[i].y * y[i].y + x[i].z * y[i].z + x[i].w * y[i].w)

__kernel void sum(__global const float4 *restrict x, __global float *restrict out) { REDUCE(ELEMENTS) }

__kernel void asum(__global const float4 *restrict x, __global float *restrict out) { REDUCE(MAGNITUDES) }

__kernel void dot_product(__global const float4 *restrict x, __global const float4 *restrict y, __global float *restrict out) {
    REDUCE(PRODUCTS)
}

// The sum of the 2112 groups' sums.
__kernel void finish(__global const float *restrict parts, __global float *restrict out) {
    float mine = 0.0f;
    for (int i = get_local_id(0); i < 2112; i += 256) mine += parts[i];
    SUM_OF_GROUP(mine)
    if (l == 0) out[0] = sums[0];
}
