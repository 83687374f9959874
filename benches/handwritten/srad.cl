// A step of speckle-reducing diffusion of an N × M image, with the nearest pixel outside, in two launches. A work-item
// computes a pixel.

#define AT(array, y, x) array[(y) * M + (x)]

__kernel void srad1(const float q0_squared, __global const float *restrict image, __global float *restrict out) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= M || y >= N) return;
    const float c = AT(image, y, x);
    const float north = AT(image, max(y - 1, 0), x) - c, south = AT(image, min(y + 1, N - 1), x) - c;
    const float west = AT(image, y, max(x - 1, 0)) - c, east = AT(image, y, min(x + 1, M - 1)) - c;
    const float gradient = (north * north + south * south + west * west + east * east) / (c * c);
    const float laplacian = (north + south + west + east) / c;
    const float slope = 1.0f + 0.25f * laplacian;
    const float q_squared = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (slope * slope);
    const float excess = (q_squared - q0_squared) / (q0_squared * (1.0f + q0_squared));
    const float k = 1.0f / (1.0f + excess);
    AT(out, y, x) = k < 0.0f ? 0.0f : k > 1.0f ? 1.0f : k;
}

__kernel void srad2(const float lambda, __global const float *restrict image, __global const float *restrict k,
                    __global float *restrict out) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= M || y >= N) return;
    const int below = min(y + 1, N - 1), right = min(x + 1, M - 1);
    const float c = AT(image, y, x), here = AT(k, y, x);
    const float north = here * (AT(image, max(y - 1, 0), x) - c), west = here * (AT(image, y, max(x - 1, 0)) - c);
    const float south = AT(k, below, x) * (AT(image, below, x) - c), east = AT(k, y, right) * (AT(image, y, right) - c);
    AT(out, y, x) = c + 0.25f * lambda * (north + south + west + east);
}
