// The suite's workloads as loops in C with OpenMP: opponents of `measure --peer`. `scripts/peers` compiles them.
//
// A line of commands at a time comes from standard input, and all answers but results are lines, too:
//
//     prepare <tab> row <tab> sizes <tab> scalars <tab> bytes of each array <tab> bytes of the result
//         `no` if the row is not known; else `yes`, and then the arrays are read, and `ready` answered
//     run     one run; its nanoseconds
//     result  the bytes that the last run wrote
//
// Arrays come in the order of the kernel's parameters. An array that is updated is the result.
#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 8 };

struct job {
    long sizes[MOST];
    double scalars[MOST];
    size_t bytes[MOST], result_bytes;
    void *array[MOST];
    float *out, *between;
    void (*run)(struct job *);
};

static inline long clamped(long i, long n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

// A point of a stencil: `r` are the rows around, in the order of planes and rows; `x` is its place in a row; `o` is the row of a second
// array, if there is one, and `s` are the scalars. Only at an edge do neighbours lie outside.
#define POINT static inline __attribute__((always_inline)) float
#define ARGS const float *const *r, long x, long nx, int edge, const float *o, const float *s
#define AT(row, by) near(r[row], x + (by), nx, edge)

POINT near(const float *row, long x, long nx, int edge) { return row[edge ? clamped(x, nx) : x]; }

// Rows of the neighbourhood, which reaches `R` far: the nearest row stands for those outside.
#define ROWS(R, grid)                                                                       \
    const float *r[(2 * R + 1) * (2 * R + 1)];                                              \
    for (long p = -R; p <= R; p++)                                                          \
        for (long q = -R; q <= R; q++)                                                      \
            r[(p + R) * (2 * R + 1) + q + R] = grid + (clamped(z + p, nz) * ny + clamped(y + q, ny)) * nx;

#define POINTS(point, from, to, edge) \
    for (long x = from; x < to; x++) row[x] = point(r, x, nx, edge, other, s);

// All points of a grid, row by row.
#define SWEEP(name, point, R)                                                               \
    static void name(float *out, const float *grid, const float *second, const float *s, long nz, long ny, long nx) { \
        _Pragma("omp parallel for collapse(2) schedule(static)")                            \
        for (long z = 0; z < nz; z++)                                                       \
            for (long y = 0; y < ny; y++) {                                                 \
                ROWS(R, grid)                                                               \
                float *restrict row = out + (z * ny + y) * nx;                              \
                const float *other = second + (z * ny + y) * nx;                            \
                POINTS(point, 0, R, 1)                                                      \
                _Pragma("omp simd")                                                         \
                POINTS(point, R, nx - R, 0)                                                 \
                POINTS(point, nx - R, nx, 1)                                                \
            }                                                                               \
    }

// A plane has one row of planes: r[3], r[4] and r[5] of nine, or r[10] to r[14] of 25.
POINT jacobi5(ARGS) {
    return 0.45f * AT(4, 0) + 0.12f * AT(3, 0) + 0.13f * AT(5, 0) + 0.14f * AT(4, -1) + 0.16f * AT(4, 1);
}

POINT jacobi9(ARGS) {
    return 0.05f * AT(3, -1) + 0.06f * AT(3, 0) + 0.07f * AT(3, 1) + 0.12f * AT(4, -1) + 0.3f * AT(4, 0) +
           0.11f * AT(4, 1) + 0.08f * AT(5, -1) + 0.09f * AT(5, 0) + 0.1f * AT(5, 1);
}

POINT bell(const float *row, long x, long nx, int edge) {
    return near(row, x - 2, nx, edge) + near(row, x + 2, nx, edge) + 4.0f * (near(row, x - 1, nx, edge) + near(row, x + 1, nx, edge)) + 6.0f * near(row, x, nx, edge);
}

// The weights are those of a row times those of a column.
#define BELL(row) bell(r[row], x, nx, edge)
POINT gaussian(ARGS) {
    return (BELL(10) + BELL(14) + 4.0f * (BELL(11) + BELL(13)) + 6.0f * BELL(12)) / 256.0f;
}

POINT gradient(ARGS) {
    float c = AT(4, 0), n = c - AT(3, 0), south = c - AT(5, 0), w = c - AT(4, -1), e = c - AT(4, 1);
    return c + 1.0f / sqrtf(0.01f + (n * n + south * south) + (w * w + e * e));
}

POINT hotspot2d(ARGS) {
    float c = AT(4, 0);
    float vertical = (AT(3, 0) + AT(5, 0) - 2.0f * c) / s[2], horizontal = (AT(4, 1) + AT(4, -1) - 2.0f * c) / s[1];
    return c + s[0] * (o[x] + vertical + horizontal + (80.0f - c) / s[3]);
}

POINT conductance(ARGS) {
    float c = AT(4, 0), n = AT(3, 0) - c, south = AT(5, 0) - c, w = AT(4, -1) - c, e = AT(4, 1) - c;
    float g = (n * n + south * south + w * w + e * e) / (c * c), l = (n + south + w + e) / c, slope = 1.0f + 0.25f * l;
    float q = (0.5f * g - 0.0625f * l * l) / (slope * slope);
    float k = 1.0f / (1.0f + (q - s[0]) / (s[0] * (1.0f + s[0])));
    return k < 0.0f ? 0.0f : k > 1.0f ? 1.0f : k;
}

POINT faces(ARGS) {
    return 0.19f * AT(4, 0) + 0.11f * AT(1, 0) + 0.12f * AT(7, 0) + 0.13f * AT(3, 0) + 0.14f * AT(5, 0) +
           0.15f * AT(4, -1) + 0.16f * AT(4, 1);
}

POINT legs2(ARGS) {
    return 0.14f * AT(12, 0) + 0.01f * AT(2, 0) + 0.11f * AT(7, 0) + 0.12f * AT(17, 0) + 0.02f * AT(22, 0) +
           0.03f * AT(10, 0) + 0.13f * AT(11, 0) + 0.14f * AT(13, 0) + 0.04f * AT(14, 0) + 0.05f * AT(12, -2) +
           0.07f * AT(12, -1) + 0.08f * AT(12, 1) + 0.06f * AT(12, 2);
}

POINT legs3(ARGS) {
    return 0.105f * AT(24, 0) + 0.01f * AT(3, 0) + 0.03f * AT(10, 0) + 0.07f * AT(17, 0) + 0.08f * AT(31, 0) +
           0.04f * AT(38, 0) + 0.02f * AT(45, 0) + 0.015f * AT(21, 0) + 0.035f * AT(22, 0) + 0.075f * AT(23, 0) +
           0.085f * AT(25, 0) + 0.045f * AT(26, 0) + 0.025f * AT(27, 0) + 0.012f * AT(24, -3) + 0.032f * AT(24, -2) +
           0.072f * AT(24, -1) + 0.082f * AT(24, 1) + 0.042f * AT(24, 2) + 0.022f * AT(24, 3);
}

POINT three(const float *row, long x, long nx, int edge, float a, float b, float c) { return a * near(row, x - 1, nx, edge) + b * near(row, x, nx, edge) + c * near(row, x + 1, nx, edge); }

#define THREE(row, a, b, c) three(r[row], x, nx, edge, a, b, c)

POINT cube(ARGS) {
    return THREE(0, 0.01f, 0.02f, 0.03f) + THREE(1, 0.04f, 0.05f, 0.06f) + THREE(2, 0.012f, 0.013f, 0.014f) +
           THREE(3, 0.021f, 0.031f, 0.041f) + THREE(4, 0.051f, 0.061f, 0.07f) +
           THREE(5, 0.015f, 0.016f, 0.017f) + THREE(6, 0.022f, 0.023f, 0.024f) +
           THREE(7, 0.032f, 0.033f, 0.034f) + THREE(8, 0.042f, 0.043f, 0.044f);
}

POINT heat(ARGS) {
    float c = AT(4, 0);
    return c + 0.125f * ((AT(1, 0) - 2.0f * c + AT(7, 0)) + (AT(3, 0) - 2.0f * c + AT(5, 0)) +
                         (AT(4, -1) - 2.0f * c + AT(4, 1)));
}

POINT poisson(ARGS) {
    float sides = AT(1, 0) + AT(7, 0) + AT(3, 0) + AT(5, 0) + AT(4, -1) + AT(4, 1);
    float edges = AT(0, 0) + AT(2, 0) + AT(6, 0) + AT(8, 0) + AT(1, -1) + AT(1, 1) + AT(7, -1) + AT(7, 1) +
                  AT(3, -1) + AT(3, 1) + AT(5, -1) + AT(5, 1);
    return 2.666f * AT(4, 0) - 0.166f * sides - 0.0833f * edges;
}

// The coefficients are those of the centre, north, south, east, west, above and below.
POINT hotspot3d(ARGS) {
    return s[7] * o[x] + s[0] * AT(4, 0) + s[1] * AT(3, 0) + s[2] * AT(5, 0) + s[3] * AT(4, 1) + s[4] * AT(4, -1) +
           s[5] * (AT(7, 0) + 80.0f) + s[6] * AT(1, 0);
}

SWEEP(sweep_jacobi5, jacobi5, 1)
SWEEP(sweep_jacobi9, jacobi9, 1)
SWEEP(sweep_gaussian, gaussian, 2)
SWEEP(sweep_gradient, gradient, 1)
SWEEP(sweep_hotspot2d, hotspot2d, 1)
SWEEP(sweep_conductance, conductance, 1)
SWEEP(sweep_faces, faces, 1)
SWEEP(sweep_legs2, legs2, 2)
SWEEP(sweep_legs3, legs3, 3)
SWEEP(sweep_cube, cube, 1)
SWEEP(sweep_heat, heat, 1)
SWEEP(sweep_poisson, poisson, 1)
SWEEP(sweep_hotspot3d, hotspot3d, 1)

#define PLANE(name) \
    static void run_##name(struct job *j) { sweep_##name(j->out, j->array[0], j->array[0], NULL, 1, j->sizes[0], j->sizes[1]); }
#define VOLUME(name)                                                                                          \
    static void run_##name(struct job *j) {                                                                  \
        sweep_##name(j->out, j->array[0], j->array[0], NULL, j->sizes[0], j->sizes[1], j->sizes[2]);          \
    }

PLANE(jacobi5)
PLANE(jacobi9)
PLANE(gaussian)
PLANE(gradient)
VOLUME(faces)
VOLUME(legs2)
VOLUME(legs3)
VOLUME(cube)
VOLUME(heat)
VOLUME(poisson)

static void run_hotspot2d(struct job *j) {
    float s[4];
    for (int i = 0; i < 4; i++) s[i] = (float)j->scalars[i];
    sweep_hotspot2d(j->out, j->array[1], j->array[0], s, 1, j->sizes[0], j->sizes[1]);
}

static void run_hotspot3d(struct job *j) {
    float s[8];
    memcpy(s, j->array[0], 7 * sizeof *s);
    s[7] = (float)j->scalars[0];
    sweep_hotspot3d(j->out, j->array[2], j->array[1], s, j->sizes[0], j->sizes[1], j->sizes[2]);
}

static void run_srad1(struct job *j) {
    float s = (float)j->scalars[0];
    sweep_conductance(j->out, j->array[0], j->array[0], &s, 1, j->sizes[0], j->sizes[1]);
}

static void run_srad2(struct job *j) {
    const float *image = j->array[0], *coefficients = j->array[1], quarter = 0.25f * (float)j->scalars[0];
    long ny = j->sizes[0], nx = j->sizes[1];
#pragma omp parallel for schedule(static)
    for (long y = 0; y < ny; y++) {
        const float *c = image + y * nx, *n = image + clamped(y - 1, ny) * nx, *s = image + clamped(y + 1, ny) * nx;
        const float *k = coefficients + y * nx, *below = coefficients + clamped(y + 1, ny) * nx;
        float *restrict out = j->out + y * nx;
#define DIFFUSE(w, e) \
    (c[x] + quarter * (k[x] * (n[x] - c[x]) + below[x] * (s[x] - c[x]) + k[x] * (c[w] - c[x]) + k[e] * (c[e] - c[x])))
        long x = 0;
        out[0] = DIFFUSE(0, clamped(1, nx));
#pragma omp simd
        for (long x = 1; x < nx - 1; x++) out[x] = DIFFUSE(x - 1, x + 1);
        x = nx - 1;
        out[x] = DIFFUSE(clamped(x - 1, nx), x);
    }
}

// Outside there is no sound: a row of zeros stands for rows outside.
static void run_acoustic(struct job *j) {
    const float *previous = j->array[0], *current = j->array[1];
    long nz = j->sizes[0], ny = j->sizes[1], nx = j->sizes[2];
    static float *zeros = NULL;
    static long zeros_of = 0;
    if (zeros_of < nx) free(zeros), zeros = calloc(nx, sizeof *zeros), zeros_of = nx;
#pragma omp parallel for collapse(2) schedule(static)
    for (long z = 0; z < nz; z++)
        for (long y = 0; y < ny; y++) {
            const float *c = current + (z * ny + y) * nx, *before = previous + (z * ny + y) * nx;
            const float *up = z > 0 ? c - ny * nx : zeros, *down = z + 1 < nz ? c + ny * nx : zeros;
            const float *n = y > 0 ? c - nx : zeros, *s = y + 1 < ny ? c + nx : zeros;
            float *restrict out = j->out + (z * ny + y) * nx;
            int outer = (z > 0) + (z + 1 < nz) + (y > 0) + (y + 1 < ny);
#define PRESSURE(w, e, neighbours)                                                               \
    float loss1 = neighbours < 6 ? 0.98f : 1.0f, loss2 = neighbours < 6 ? 0.97f : 1.0f;           \
    float kept = (2.0f - 0.333f * (float)(neighbours)) * c[x];                                    \
    out[x] = loss1 * (kept + 0.333f * (up[x] + down[x] + n[x] + s[x] + w + e) - loss2 * before[x]);
            { long x = 0; int near = outer + (nx > 1); PRESSURE(0.0f, (nx > 1 ? c[1] : 0.0f), near) }
            int near = outer + 2;
#pragma omp simd
            for (long x = 1; x < nx - 1; x++) { PRESSURE(c[x - 1], c[x + 1], near) }
            if (nx > 1) { long x = nx - 1; int near = outer + 1; PRESSURE(c[x - 1], 0.0f, near) }
        }
}

static void run_fi_mm(struct job *j) {
    const float *beta = j->array[0], *previous = j->array[4];
    const int *index = j->array[1], *neighbours = j->array[2], *material = j->array[3];
    float *restrict next = j->array[5], courant = (float)j->scalars[0];
    long points = j->sizes[1];
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < points; i++) {
        float c = 0.5f * courant * (float)(6 - neighbours[i]) * beta[material[i]];
        next[index[i]] = (next[index[i]] + c * previous[index[i]]) / (1.0f + c);
    }
}

// So many steps, from one array to the other; the last one writes the result.
static void run_steps(struct job *j) {
    long steps = (long)j->scalars[0];
    const float *from = j->array[0];
    for (long step = 1; step <= steps; step++) {
        float *to = (steps - step) % 2 == 0 ? j->out : j->between;
        sweep_jacobi5(to, from, from, NULL, 1, j->sizes[0], j->sizes[1]);
        from = to;
    }
}

enum { K = 17, HALF = 8, DEEP = 4, WIDE = 3, LANES = 16 };
typedef float vector __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

static float convolved(const float *w, const float *image, long ny, long nx, long y, long x) {
    float sum = 0.0f;
    for (long p = 0; p < K; p++)
        for (long q = 0; q < K; q++)
            sum += w[p * K + q] * image[clamped(y + p - HALF, ny) * nx + clamped(x + q - HALF, nx)];
    return sum;
}

// Some rows of some vectors, which stay in registers.
static inline void block(float *out, const float *w, const float *image, long ny, long nx, long y, long x) {
    vector sum[DEEP][WIDE] = {0};
    for (long p = 0; p < K + DEEP - 1; p++) {
        const float *row = image + clamped(y + p - HALF, ny) * nx + x - HALF;
        for (long q = 0; q < K; q++) {
            vector pixels[WIDE];
#pragma GCC unroll 4
            for (int v = 0; v < WIDE; v++) pixels[v] = *(const vector *)(row + q + v * LANES);
#pragma GCC unroll 4
            for (int d = 0; d < DEEP; d++) {
                // Rows of weights above and below are zeros.
                float weight = w[(p - d + DEEP) * K + q];
#pragma GCC unroll 4
                for (int v = 0; v < WIDE; v++) sum[d][v] += weight * pixels[v];
            }
        }
    }
    for (int d = 0; d < DEEP; d++)
        for (int v = 0; v < WIDE; v++) *(vector *)(out + (y + d) * nx + x + v * LANES) = sum[d][v];
}

static void run_convolution(struct job *j) {
    const float *weights = j->array[0], *image = j->array[1];
    long ny = j->sizes[0], nx = j->sizes[1];
    float padded[(K + 2 * DEEP) * K] = {0};
    memcpy(padded + DEEP * K, weights, K * K * sizeof *weights);
    long step = WIDE * LANES, whole = nx >= 2 * HALF + step ? (nx - 2 * HALF) / step : 0;
#pragma omp parallel for schedule(static)
    for (long y = 0; y < ny; y += DEEP) {
        if (y + DEEP <= ny)
            for (long b = 0; b < whole; b++) block(j->out, padded, image, ny, nx, y, HALF + b * step);
        for (long d = y; d < y + DEEP && d < ny; d++)
            for (long x = 0; x < nx; x++) {
                if (y + DEEP <= ny && whole > 0 && x == HALF) x += whole * step;
                j->out[d * nx + x] = convolved(weights, image, ny, nx, d, x);
            }
    }
}

// Columns of a row of the result, and then that row: one row of memory for each thread.
static void separable(float *out, const float *w, const float *image, long ny, long nx) {
#pragma omp parallel
    {
        float *padded = malloc((nx + 2 * HALF) * sizeof *padded), *line = padded + HALF;
#pragma omp for schedule(static)
        for (long y = 0; y < ny; y++) {
            const float *r[K];
            for (long p = 0; p < K; p++) r[p] = image + clamped(y + p - HALF, ny) * nx;
#pragma omp simd
            for (long x = 0; x < nx; x++) {
                float sum = 0.0f;
#pragma GCC unroll 17
                for (long p = 0; p < K; p++) sum += w[p] * r[p][x];
                line[x] = sum;
            }
            for (long x = 1; x <= HALF; x++) line[-x] = line[0], line[nx - 1 + x] = line[nx - 1];
            float *restrict row = out + y * nx;
#pragma omp simd
            for (long x = 0; x < nx; x++) {
                float sum = 0.0f;
#pragma GCC unroll 17
                for (long q = 0; q < K; q++) sum += w[q] * line[x + q - HALF];
                row[x] = sum;
            }
        }
        free(padded);
    }
}

static void run_separable(struct job *j) { separable(j->out, j->array[0], j->array[1], j->sizes[0], j->sizes[1]); }

static void run_blur(struct job *j) {
    float w[K];
    double weight = 1.0 / 65536.0;
    for (int k = 0; k < K; k++) w[k] = (float)weight, weight *= (16.0 - k) / (k + 1);
    separable(j->out, w, j->array[0], j->sizes[0], j->sizes[1]);
}

static void run_scal(struct job *j) {
    const float *x = j->array[0], alpha = (float)j->scalars[0];
    float *restrict out = j->out;
    long n = j->sizes[0];
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < n; i++) out[i] = alpha * x[i];
}

// In blocks: one sum of many millions of floats would lose too many digits.
#define REDUCTION(name, term)                                                    \
    static void run_##name(struct job *j) {                                      \
        const float *x = j->array[0], *y = j->array[1];                          \
        long n = j->sizes[0], most = 8192;                                       \
        float sum = 0.0f;                                                        \
        (void)y;                                                                 \
        _Pragma("omp parallel for reduction(+ : sum) schedule(static)")          \
        for (long from = 0; from < n; from += most) {                            \
            long to = from + most < n ? from + most : n;                         \
            float part = 0.0f;                                                   \
            _Pragma("omp simd reduction(+ : part)")                              \
            for (long i = from; i < to; i++) part += term;                       \
            sum += part;                                                         \
        }                                                                        \
        j->out[0] = sum;                                                         \
    }

REDUCTION(sum, x[i])
REDUCTION(asum, fabsf(x[i]))
REDUCTION(dot, x[i] * y[i])

static void run_gemv(struct job *j) {
    const float *a = j->array[0], *x = j->array[1], *y = j->array[2];
    float alpha = (float)j->scalars[0], beta = (float)j->scalars[1];
    long n = j->sizes[0], m = j->sizes[1];
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) {
        const float *row = a + i * m;
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (long k = 0; k < m; k++) sum += row[k] * x[k];
        j->out[i] = alpha * sum + beta * y[i];
    }
}

static const struct { const char *row; void (*run)(struct job *); } KNOWN[] = {
    {"jacobi2d 5pt", run_jacobi5}, {"jacobi2d 9pt", run_jacobi9}, {"gaussian 5x5", run_gaussian}, {"gradient", run_gradient},
    {"hotspot2d", run_hotspot2d}, {"hotspot3d", run_hotspot3d}, {"srad1", run_srad1}, {"srad2", run_srad2},
    {"jacobi3d 7pt", run_faces}, {"jacobi3d 13pt", run_legs2}, {"jacobi3d 19pt leggy", run_legs3}, {"jacobi3d 27pt", run_cube},
    {"heat", run_heat}, {"poisson", run_poisson}, {"acoustic", run_acoustic}, {"fi-mm walls", run_fi_mm},
    {"jacobi2d 5pt, 10 steps", run_steps}, {"jacobi2d 5pt, 100 steps", run_steps},
    {"convolution, weights given", run_convolution}, {"convolution of columns and rows", run_separable},
    {"blur 17+17", run_blur}, {"scal", run_scal}, {"sum", run_sum}, {"asum", run_asum}, {"dot", run_dot}, {"gemv", run_gemv},
};

static void *memory(size_t bytes) {
    void *new = NULL;
    if (posix_memalign(&new, 64, bytes + 64)) exit(1);
    memset(new, 0, bytes);
    return new;
}

static void forget(struct job *j) {
    for (int i = 0; i < MOST; i++) free(j->array[i]);
    free(j->out), free(j->between);
    *j = (struct job){0};
}

// The arrays of a row that is known.
static void prepare(struct job *j, char *line) {
    forget(j);
    strsep(&line, "\t");
    char *row = strsep(&line, "\t"), *sizes = strsep(&line, "\t"), *scalars = strsep(&line, "\t"), *bytes = strsep(&line, "\t");
    if (!line) exit(1);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (strcmp(row, KNOWN[i].row) == 0) j->run = KNOWN[i].run;
    puts(j->run ? "yes" : "no"), fflush(stdout);
    if (!j->run) return;
    for (int i = 0; sizes && *sizes && i < MOST; i++) j->sizes[i] = atol(strsep(&sizes, " "));
    for (int i = 0; scalars && *scalars && i < MOST; i++) j->scalars[i] = atof(strsep(&scalars, " "));
    for (int i = 0; bytes && *bytes && i < MOST; i++) {
        j->bytes[i] = strtoull(strsep(&bytes, " "), NULL, 10);
        j->array[i] = memory(j->bytes[i]);
        if (fread(j->array[i], 1, j->bytes[i], stdin) != j->bytes[i]) exit(1);
    }
    j->result_bytes = strtoull(line, NULL, 10);
    j->out = memory(j->result_bytes);
    if (j->run == run_steps) j->between = memory(j->result_bytes);
    puts("ready"), fflush(stdout);
}

int main(void) {
    struct job job = {0};
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        line[length - 1] = 0;
        if (strncmp(line, "prepare\t", 8) == 0) {
            prepare(&job, line);
        } else if (strcmp(line, "run") == 0 && job.run) {
            struct timespec from, to;
            clock_gettime(CLOCK_MONOTONIC, &from);
            job.run(&job);
            clock_gettime(CLOCK_MONOTONIC, &to);
            printf("%lld\n", (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec), fflush(stdout);
        } else if (strcmp(line, "result") == 0 && job.run) {
            // What is updated in place is the result.
            const void *result = job.run == run_fi_mm ? job.array[5] : job.out;
            fwrite(result, 1, job.result_bytes, stdout), fflush(stdout);
        } else {
            return 1;
        }
    }
    return 0;
}
