//! Stencils for CPUs, from wide vectors: a work-item computes a row, or four together, 16 points at a time. Only the first and the last
//! vector of a row look at its ends; what does not fill a vector is computed point by point.

use lift::prelude::*;

lift!(
    /// The binomial weights of one dimension.
    const BINOMIAL: [f32; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];

    /// Weights of a square of 9 points, by row and column.
    const SQUARE: [[f32; 3]; 3] = [[0.05, 0.06, 0.07], [0.12, 0.3, 0.11], [0.08, 0.09, 0.1]];

    /// Weights of a cube of 27 points, by plane, row and column.
    const CUBE: [[[f32; 3]; 3]; 3] = [
        [[0.01, 0.02, 0.03], [0.04, 0.05, 0.06], [0.012, 0.013, 0.014]],
        [[0.021, 0.031, 0.041], [0.051, 0.061, 0.07], [0.015, 0.016, 0.017]],
        [[0.022, 0.023, 0.024], [0.032, 0.033, 0.034], [0.042, 0.043, 0.044]],
    ];

    const EPSILON: f32 = 0.01;
    const AMBIENT: f32 = 80.0;

    fn cross<T>(w: [[T; 3]; 3]) -> T {
        0.45 * w[1][1] + 0.12 * w[0][1] + 0.13 * w[2][1] + 0.14 * w[1][0] + 0.16 * w[1][2]
    }

    fn blur(w: [[f32; 5]; 5]) -> f32 {
        zip(BINOMIAL, w)
            .map(|(a, row)| zip(BINOMIAL, row).map(|(b, x)| a * b / 256.0 * x).reduce_seq_unroll(add, 0.0))
            .reduce_seq_unroll(add, 0.0)
    }

    fn faces<T>(w: [[[T; 3]; 3]; 3]) -> T {
        0.19 * w[1][1][1]
            + 0.11 * w[0][1][1]
            + 0.12 * w[2][1][1]
            + 0.13 * w[1][0][1]
            + 0.14 * w[1][2][1]
            + 0.15 * w[1][1][0]
            + 0.16 * w[1][1][2]
    }

    fn square(x: f32) -> f32 {
        x * x
    }

    fn flatness(w: [[f32; 3]; 3]) -> f32 {
        let centre = w[1][1];
        let vertical = square(centre - w[0][1]) + square(centre - w[2][1]);
        let horizontal = square(centre - w[1][0]) + square(centre - w[1][2]);
        centre + 1.0 / (EPSILON + vertical + horizontal).sqrt()
    }

    fn heat(step: f32, rx: f32, ry: f32, rz: f32, power: f32, t: [[f32; 3]; 3]) -> f32 {
        let centre = t[1][1];
        let vertical = (t[0][1] + t[2][1] - 2.0 * centre) * ry;
        let horizontal = (t[1][2] + t[1][0] - 2.0 * centre) * rx;
        centre + step * (power + vertical + horizontal + (AMBIENT - centre) * rz)
    }

    fn weigh(w: [[f32; 3]; 3]) -> f32 {
        let cardinal = w[0][1] + w[1][0] + w[1][2] + w[2][1];
        let diagonal = w[0][0] + w[0][2] + w[2][0] + w[2][2];
        0.25 * w[1][1] + 0.15 * cardinal + 0.05 * diagonal
    }

    /// How freely a pixel may diffuse: little across edges, much within speckle.
    fn conductance(q0_squared: f32, w: [[f32; 3]; 3]) -> f32 {
        let centre = w[1][1];
        let (north, south) = (w[0][1] - centre, w[2][1] - centre);
        let (west, east) = (w[1][0] - centre, w[1][2] - centre);
        let gradient = (north * north + south * south + west * west + east * east) / (centre * centre);
        let laplacian = (north + south + west + east) / centre;
        let slope = 1.0 + 0.25 * laplacian;
        let q_squared = (0.5 * gradient - 0.0625 * laplacian * laplacian) / (slope * slope);
        let excess = (q_squared - q0_squared) / (q0_squared * (1.0 + q0_squared));
        (1.0 / (1.0 + excess)).clamp(0.0, 1.0)
    }

    /// The pixel after a step of diffusion.
    fn diffuse(lambda: f32, w: [[f32; 3]; 3], c: [[f32; 2]; 2]) -> f32 {
        let centre = w[1][1];
        let (north, south) = (c[0][0] * (w[0][1] - centre), c[1][0] * (w[2][1] - centre));
        let (west, east) = (c[0][0] * (w[1][0] - centre), c[0][1] * (w[1][2] - centre));
        centre + 0.25 * lambda * (north + south + west + east)
    }

    fn legs2(w: [[[f32; 5]; 5]; 5]) -> f32 {
        let z = 0.01 * w[0][2][2] + 0.11 * w[1][2][2] + 0.12 * w[3][2][2] + 0.02 * w[4][2][2];
        let y = 0.03 * w[2][0][2] + 0.13 * w[2][1][2] + 0.14 * w[2][3][2] + 0.04 * w[2][4][2];
        let x = 0.05 * w[2][2][0] + 0.07 * w[2][2][1] + 0.08 * w[2][2][3] + 0.06 * w[2][2][4];
        0.14 * w[2][2][2] + z + y + x
    }

    /// The second difference along an axis.
    fn bend(w: [f32; 3]) -> f32 {
        w[0] - 2.0 * w[1] + w[2]
    }

    fn warm(w: [[[f32; 3]; 3]; 3]) -> f32 {
        let depth = w.map(|plane| plane[1][1]);
        let column = w[1].map(|row| row[1]);
        let row = w[1][1];
        w[1][1][1] + 0.125 * (bend(depth) + bend(column) + bend(row))
    }

    fn curvature(w: [[[f32; 3]; 3]; 3]) -> f32 {
        // One sum in the order in which points are read, so that few of them are kept.
        let below = -0.0833 * w[0][0][1] - 0.0833 * w[0][1][0] - 0.166 * w[0][1][1] - 0.0833 * w[0][1][2];
        let north =
            below - 0.0833 * w[0][2][1] - 0.0833 * w[1][0][0] - 0.166 * w[1][0][1] - 0.0833 * w[1][0][2];
        let middle = north - 0.166 * w[1][1][0] + 2.666 * w[1][1][1] - 0.166 * w[1][1][2];
        let south = middle - 0.0833 * w[1][2][0] - 0.166 * w[1][2][1] - 0.0833 * w[1][2][2];
        let above =
            south - 0.0833 * w[2][0][1] - 0.0833 * w[2][1][0] - 0.166 * w[2][1][1] - 0.0833 * w[2][1][2];
        above - 0.0833 * w[2][2][1]
    }

    fn layer(coefficients: [f32; 7], step: f32, power: f32, t: [[[f32; 3]; 3]; 3]) -> f32 {
        let (north, south) = (t[1][0][1], t[1][2][1]);
        let (west, east) = (t[1][1][0], t[1][1][2]);
        let (below, above) = (t[0][1][1], t[2][1][1]);
        let near = [t[1][1][1], north, south, east, west, above + AMBIENT, below];
        step * power + zip(coefficients, near).map(mul).reduce_seq_unroll(add, 0.0)
    }

    fn inside(i: usize, n: usize) -> i32 {
        (if i > 0 { 1 } else { 0 }) + (if i + 1 < n { 1 } else { 0 })
    }

    fn pressure<T>(previous: T, w: [[[T; 3]; 3]; 3], neighbours: i32) -> T {
        // For every step in time, how far the sound goes in space.
        let courant_squared = 0.333;
        let around = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
        let (loss_1, loss_2) = if neighbours < 6 { (0.98, 0.97) } else { (1.0, 1.0) };
        let kept = (2.0 - courant_squared * neighbours as T) * w[1][1][1];
        loss_1 * (kept + courant_squared * around - loss_2 * previous)
    }

    fn nine(w: [[f32; 3]; 3]) -> f32 {
        zip(SQUARE.join(), w.join()).map(mul).reduce_seq_unroll(add, 0.0)
    }

    fn cube(w: [[[f32; 3]; 3]; 3]) -> f32 {
        zip(CUBE.join().join(), w.join().join()).map(mul).reduce_seq_unroll(add, 0.0)
    }

    /// A function of the windows of a row, in vectors: the first, those in the middle, the last, and the rest.
    #[size(n >= 32)]
    fn in_vectors<T, U, n>(f: fn(T) -> U, row: [T; n]) -> [U; n] {
        concat(
            row.take(16).vectorize(16, f),
            row.drop(16).take((n / 16 - 2) * 16).vectorize(16, f),
            row.drop((n / 16 - 1) * 16).take(16).vectorize(16, f),
            row.drop(n / 16 * 16).map_seq(f),
        )
    }

    /// The same in vectors of 8, which double precision fills.
    #[size(n >= 16)]
    fn in_eights<T, U, n>(f: fn(T) -> U, row: [T; n]) -> [U; n] {
        concat(
            row.take(8).vectorize(8, f),
            row.drop(8).take((n / 8 - 2) * 8).vectorize(8, f),
            row.drop((n / 8 - 1) * 8).take(8).vectorize(8, f),
            row.drop(n / 8 * 8).map_seq(f),
        )
    }

    /// The same for windows of 4 rows together, which share what they read: first the windows along the rows.
    #[size(n >= 32)]
    fn rows_in_vectors<T, d, h, n>(f: fn([[T; d]; h - 3]) -> T, rows: [[[T; d]; n]; h]) -> [[T; n]; 4] {
        rows.transpose().in_vectors(|w| to_private(w).slide(h - 3, 1).map_seq_unroll(f)).transpose()
    }

    /// The cross of 5 points.
    #[kernel]
    #[size(M >= 32)]
    #[work_group(1)]
    #[stores(streaming)]
    pub fn Jacobi2d5<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(1, 1, clamp).slide2d(3, 1).map_global(0, in_vectors(cross))
    }

    /// The cross of 5 points in double precision.
    #[kernel]
    #[size(M >= 32)]
    #[work_group(1)]
    #[stores(streaming)]
    pub fn Jacobi2d5Double<N, M>(grid: [[f64; M]; N]) -> [[f64; M]; N] {
        grid.pad2d(1, 1, clamp).slide2d(3, 1).map_global(0, in_eights(cross))
    }

    /// The square of 9 points: 4 rows together.
    #[kernel]
    #[size(N % 4 == 0, M >= 32)]
    #[work_group(1)]
    pub fn Jacobi2d9<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(1, 1, clamp).map(slide(3, 1)).slide(6, 4).map_global(0, rows_in_vectors(nine)).join()
    }

    /// The binomial 5 × 5 blur: 4 rows together.
    #[kernel]
    #[size(N % 4 == 0, M >= 32)]
    #[work_group(1)]
    pub fn Gaussian<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(2, 2, clamp).map(slide(5, 1)).slide(8, 4).map_global(0, rows_in_vectors(blur)).join()
    }

    /// The inverse length of the gradient.
    #[kernel]
    #[size(M >= 32)]
    #[work_group(1)]
    pub fn Gradient<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(1, 1, clamp).slide2d(3, 1).map_global(0, in_vectors(flatness))
    }

    /// SHOC's `stencil2d`, of which the grid has a halo.
    #[kernel]
    #[size(M >= 32)]
    #[work_group(1)]
    pub fn Stencil2d<N, M>(grid: [[f32; M + 2]; N + 2]) -> [[f32; M]; N] {
        grid.slide2d(3, 1).map_global(0, in_vectors(weigh))
    }

    /// One time step of the chip's temperature. The resistances are given by their inverses.
    #[kernel]
    #[size(M >= 32)]
    #[work_group(1)]
    #[stores(streaming)]
    pub fn Hotspot2d<N, M>(
        step: f32,
        rx: f32,
        ry: f32,
        rz: f32,
        power: [[f32; M]; N],
        temperature: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        zip2d(power, temperature.pad2d(1, 1, clamp).slide2d(3, 1))
            .map_global(0, in_vectors(|(power, t)| heat(step, rx, ry, rz, power, t)))
    }

    /// The diffusion coefficient of every pixel.
    #[kernel]
    #[size(M >= 32)]
    #[work_group(1)]
    pub fn Srad1<N, M>(q0_squared: f32, image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.pad2d(1, 1, clamp).slide2d(3, 1).map_global(0, in_vectors(conductance(q0_squared)))
    }

    /// The image after a step of diffusion with these coefficients.
    #[kernel]
    #[size(M >= 16)]
    #[work_group(1)]
    pub fn Srad2<N, M>(lambda: f32, image: [[f32; M]; N], coefficients: [[f32; M]; N]) -> [[f32; M]; N] {
        let pixels = image.pad2d(1, 1, clamp).slide2d(3, 1);
        let ahead = coefficients.pad2d(0, 1, 0, 1, clamp, clamp).slide2d(2, 1);
        zip2d(pixels, ahead).map_global(0, in_eights(|(w, c)| diffuse(lambda, w, c)))
    }

    /// The centre and the 6 faces.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Jacobi3d7<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map_global2d(in_vectors(faces))
    }

    /// The centre and the 6 faces in double precision.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Jacobi3d7Double<N, M, O>(grid: [[[f64; O]; M]; N]) -> [[[f64; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map_global2d(in_eights(faces))
    }

    /// The centre and 2 points along each half axis.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Jacobi3d13<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(2, 2, 2, clamp).slide3d(5, 1).map_global2d(in_vectors(legs2))
    }

    /// The cube of 27 points.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Jacobi3d27<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map_global2d(in_vectors(cube))
    }

    /// A time step of the heat equation.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Heat<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map_global2d(in_vectors(warm))
    }

    /// The Poisson operator of 19 points.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Poisson<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map_global2d(in_vectors(curvature))
    }

    /// One time step of the temperature of a chip's layers.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Hotspot3d<N, M, O>(
        coefficients: [f32; 7],
        step: f32,
        power: [[[f32; O]; M]; N],
        temperature: [[[f32; O]; M]; N],
    ) -> [[[f32; O]; M]; N] {
        zip3d(power, temperature.pad3d(1, 1, 1, clamp).slide3d(3, 1))
            .map_global2d(in_vectors(|(power, t)| layer(coefficients, step, power, t)))
    }

    /// The pressure one step later, with nothing outside.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Acoustic<N, M, O>(
        previous: [[[f32; O]; M]; N],
        current: [[[f32; O]; M]; N],
    ) -> [[[f32; O]; M]; N] {
        let neighbours = array3d(N, M, O, |i, j, k| inside(i, N) + inside(j, M) + inside(k, O));
        zip3d(previous, current.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), neighbours)
            .map_global2d(in_vectors(|(before, w, n)| pressure(before, w, n)))
    }

    /// The same in double precision.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn AcousticDouble<N, M, O>(
        previous: [[[f64; O]; M]; N],
        current: [[[f64; O]; M]; N],
    ) -> [[[f64; O]; M]; N] {
        let neighbours = array3d(N, M, O, |i, j, k| inside(i, N) + inside(j, M) + inside(k, O));
        zip3d(previous, current.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), neighbours)
            .map_global2d(in_eights(|(before, w, n)| pressure(before, w, n)))
    }
);
