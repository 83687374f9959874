//! Stencils in the plane, from register tiles: a work-item reads a block of the grid together with its border once, and
//! computes several rows of a vector's width from it.

use lift::prelude::*;

lift!(
    /// Weights of a square of 9 points, by row and column.
    const SQUARE: [[f32; 3]; 3] = [[0.05, 0.06, 0.07], [0.12, 0.3, 0.11], [0.08, 0.09, 0.1]];

    /// The binomial weights of one dimension.
    const BINOMIAL: [f32; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];

    const EPSILON: f32 = 0.01;
    const AMBIENT: f32 = 80.0;

    fn cross<T>(w: [[T; 3]; 3]) -> T {
        0.45 * w[1][1] + 0.12 * w[0][1] + 0.13 * w[2][1] + 0.14 * w[1][0] + 0.16 * w[1][2]
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

    /// The cross of 5 points: 2 rows of 4.
    #[kernel]
    #[size(N % 2 == 0, M % 4 == 0)]
    #[work_group(64, 4)]
    pub fn Jacobi2d5<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(1, 1, clamp)
            .slide2d(4, 2, 6, 4)
            .map_global2d(|tile| to_private(tile).slide2d(3, 1).map_seq_unroll2d(cross))
            .join2d()
    }

    /// The cross of 5 points in double precision: 2 rows of 2.
    #[kernel]
    #[size(N % 2 == 0, M % 2 == 0)]
    #[work_group(64, 4)]
    pub fn Jacobi2d5Double<N, M>(grid: [[f64; M]; N]) -> [[f64; M]; N] {
        grid.pad2d(1, 1, clamp)
            .slide2d(4, 2)
            .map_global2d(|tile| to_private(tile).slide2d(3, 1).map_seq_unroll2d(cross))
            .join2d()
    }

    /// The square of 9 points: 2 rows of 4.
    #[kernel]
    #[size(N % 2 == 0, M % 4 == 0)]
    #[work_group(64, 4)]
    pub fn Jacobi2d9<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(1, 1, clamp)
            .slide2d(4, 2, 6, 4)
            .map_global2d(|tile| {
                to_private(tile)
                    .slide2d(3, 1)
                    .map_seq_unroll2d(|w| zip(SQUARE.join(), w.join()).map(mul).reduce_seq_unroll(add, 0.0))
            })
            .join2d()
    }

    /// The binomial 5 × 5 blur: 4 rows of 4.
    #[kernel]
    #[size(N % 4 == 0, M % 4 == 0)]
    #[work_group(64, 2)]
    pub fn Gaussian<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(2, 2, clamp)
            .slide2d(8, 4)
            .map_global2d(|tile| {
                to_private(tile).slide2d(5, 1).map_seq_unroll2d(|w| {
                    zip(BINOMIAL, w)
                        .map(|(a, row)| {
                            zip(BINOMIAL, row).map(|(b, x)| a * b / 256.0 * x).reduce_seq_unroll(add, 0.0)
                        })
                        .reduce_seq_unroll(add, 0.0)
                })
            })
            .join2d()
    }

    /// The inverse length of the gradient: 2 rows of 4.
    #[kernel]
    #[size(N % 2 == 0, M % 4 == 0)]
    #[work_group(64, 4)]
    pub fn Gradient<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(1, 1, clamp)
            .slide2d(4, 2, 6, 4)
            .map_global2d(|tile| to_private(tile).slide2d(3, 1).map_seq_unroll2d(flatness))
            .join2d()
    }

    /// One time step of the chip's temperature: 1 row of 4. The resistances are given by their inverses.
    #[kernel]
    #[size(M % 4 == 0)]
    #[work_group(32, 16)]
    pub fn Hotspot2d<N, M>(
        step: f32,
        rx: f32,
        ry: f32,
        rz: f32,
        power: [[f32; M]; N],
        temperature: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        zip2d(power.split2d(1, 4), temperature.pad2d(1, 1, clamp).slide2d(3, 1, 6, 4))
            .map_global2d(|(power, tile)| {
                zip2d(to_private(power), to_private(tile).slide2d(3, 1))
                    .map_seq_unroll2d(heat(step, rx, ry, rz))
            })
            .join2d()
    }

    /// SHOC's `stencil2d`, of which the grid has a halo: 4 rows of 2.
    #[kernel]
    #[size(N % 4 == 0, M % 2 == 0)]
    #[work_group(128, 2)]
    pub fn Stencil2d<N, M>(grid: [[f32; M + 2]; N + 2]) -> [[f32; M]; N] {
        grid.slide2d(6, 4, 4, 2)
            .map_global2d(|tile| to_private(tile).slide2d(3, 1).map_seq_unroll2d(weigh))
            .join2d()
    }

    /// The diffusion coefficient of every pixel: a pixel an item.
    #[kernel]
    #[work_group(32, 8)]
    pub fn Srad1<N, M>(q0_squared: f32, image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.pad2d(1, 1, clamp).slide2d(3, 1).map_global2d(conductance(q0_squared))
    }

    /// The image after a step of diffusion with these coefficients: a pixel an item.
    #[kernel]
    #[work_group(32, 8)]
    pub fn Srad2<N, M>(lambda: f32, image: [[f32; M]; N], coefficients: [[f32; M]; N]) -> [[f32; M]; N] {
        let pixels = image.pad2d(1, 1, clamp).slide2d(3, 1);
        let ahead = coefficients.pad2d(0, 1, 0, 1, clamp, clamp).slide2d(2, 1);
        zip2d(pixels, ahead).map_global2d(diffuse(lambda))
    }
);
