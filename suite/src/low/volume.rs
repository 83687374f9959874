//! Stencils in space, from register tiles and by marching along one dimension.

use lift::prelude::*;

lift!(
    /// Weights of a cube of 27 points, by plane, row and column.
    const CUBE: [[[f32; 3]; 3]; 3] = [
        [[0.01, 0.02, 0.03], [0.04, 0.05, 0.06], [0.012, 0.013, 0.014]],
        [[0.021, 0.031, 0.041], [0.051, 0.061, 0.07], [0.015, 0.016, 0.017]],
        [[0.022, 0.023, 0.024], [0.032, 0.033, 0.034], [0.042, 0.043, 0.044]],
    ];

    const AMBIENT: f32 = 80.0;

    fn faces<T>(w: [[[T; 3]; 3]; 3]) -> T {
        0.19 * w[1][1][1]
            + 0.11 * w[0][1][1]
            + 0.12 * w[2][1][1]
            + 0.13 * w[1][0][1]
            + 0.14 * w[1][2][1]
            + 0.15 * w[1][1][0]
            + 0.16 * w[1][1][2]
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

    /// The centre and the 6 faces: 2 planes of 1 row of 4.
    #[kernel]
    #[size(N % 2 == 0, O % 4 == 0)]
    #[work_group(16, 8, 2)]
    pub fn Jacobi3d7<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp)
            .slide3d(4, 2, 3, 1, 6, 4)
            .map_global3d(|tile| to_private(tile).slide3d(3, 1).map_seq_unroll3d(faces))
            .join3d()
    }

    /// The centre and the 6 faces, in double precision: 1 row of 2.
    #[kernel]
    #[size(O % 2 == 0)]
    #[work_group(16, 8, 2)]
    pub fn Jacobi3d7Double<N, M, O>(grid: [[[f64; O]; M]; N]) -> [[[f64; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp)
            .slide3d(3, 1, 3, 1, 4, 2)
            .map_global3d(|tile| to_private(tile).slide3d(3, 1).map_seq_unroll3d(faces))
            .join3d()
    }

    /// The centre and 2 points along each half axis: blocks of 8 planes, through which a row of 4 marches.
    #[kernel]
    #[size(N % 8 == 0, O % 4 == 0)]
    #[work_group(64, 4)]
    pub fn Jacobi3d13<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(2, 2, 2, clamp)
            .slide3d(12, 8, 5, 1, 8, 4)
            .map_global3d(|block| {
                block.slide_seq(5, 1).map_seq(|w| w.slide3d(5, 1).map_seq_unroll3d(legs2)).join()
            })
            .join3d()
    }

    /// The cube of 27 points: 2 planes of 2 rows of 4.
    #[kernel]
    #[size(N % 2 == 0, M % 2 == 0, O % 4 == 0)]
    #[work_group(32, 4)]
    pub fn Jacobi3d27<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp)
            .slide3d(4, 2, 4, 2, 6, 4)
            .map_global3d(|tile| {
                to_private(tile).slide3d(3, 1).map_seq_unroll3d(|w| {
                    zip(CUBE.join().join(), w.join().join()).map(mul).reduce_seq_unroll(add, 0.0)
                })
            })
            .join3d()
    }

    /// A time step of the heat equation: 2 planes of 2 rows of 4.
    #[kernel]
    #[size(N % 2 == 0, M % 2 == 0, O % 4 == 0)]
    #[work_group(64, 2, 2)]
    pub fn Heat<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp)
            .slide3d(4, 2, 4, 2, 6, 4)
            .map_global3d(|tile| to_private(tile).slide3d(3, 1).map_seq_unroll3d(warm))
            .join3d()
    }

    /// The Poisson operator of 19 points: 8 planes of 1 row of 4.
    #[kernel]
    #[size(N % 8 == 0, O % 4 == 0)]
    #[work_group(64, 2)]
    pub fn PoissonPlanes<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp)
            .slide3d(10, 8, 3, 1, 6, 4)
            .map_global3d(|tile| to_private(tile).slide3d(3, 1).map_seq_unroll3d(curvature))
            .join3d()
    }

    /// The Poisson operator of 19 points: 2 planes of 2 rows of 4.
    #[kernel]
    #[size(N % 2 == 0, M % 2 == 0, O % 4 == 0)]
    #[work_group(32, 4)]
    pub fn Poisson<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp)
            .slide3d(4, 2, 4, 2, 6, 4)
            .map_global3d(|tile| to_private(tile).slide3d(3, 1).map_seq_unroll3d(curvature))
            .join3d()
    }

    /// One time step of the temperature of a chip's layers: 4 layers of a row of 4.
    #[kernel]
    #[size(N % 4 == 0, O % 4 == 0)]
    #[work_group(32, 4)]
    pub fn Hotspot3d<N, M, O>(
        coefficients: [f32; 7],
        step: f32,
        power: [[[f32; O]; M]; N],
        temperature: [[[f32; O]; M]; N],
    ) -> [[[f32; O]; M]; N] {
        zip3d(power.split3d(4, 1, 4), temperature.pad3d(1, 1, 1, clamp).slide3d(6, 4, 3, 1, 6, 4))
            .map_global3d(|(power, block)| {
                let c = to_private(coefficients);
                zip3d(to_private(power), to_private(block).slide3d(3, 1)).map_seq_unroll3d(layer(c, step))
            })
            .join3d()
    }

    /// The pressure one step later, with nothing outside: 4 planes of 1 row of 4.
    #[kernel]
    #[size(N % 4 == 0, O % 4 == 0)]
    #[work_group(32, 8)]
    pub fn AcousticPlanes<N, M, O>(
        previous: [[[f32; O]; M]; N],
        current: [[[f32; O]; M]; N],
    ) -> [[[f32; O]; M]; N] {
        let neighbours = array3d(N, M, O, |i, j, k| inside(i, N) + inside(j, M) + inside(k, O));
        zip3d(
            previous.split3d(4, 1, 4),
            current.pad3d(1, 1, 1, constant(0.0)).slide3d(6, 4, 3, 1, 6, 4),
            neighbours.split3d(4, 1, 4),
        )
        .map_global3d(|(before, tile, neighbours)| {
            zip3d(to_private(before), to_private(tile).slide3d(3, 1), neighbours).map_seq_unroll3d(pressure)
        })
        .join3d()
    }

    /// The pressure one step later, with nothing outside, in double precision: 1 row of 2.
    #[kernel]
    #[size(O % 2 == 0)]
    #[work_group(32, 4, 4)]
    pub fn AcousticDouble<N, M, O>(
        previous: [[[f64; O]; M]; N],
        current: [[[f64; O]; M]; N],
    ) -> [[[f64; O]; M]; N] {
        let neighbours = array3d(N, M, O, |i, j, k| inside(i, N) + inside(j, M) + inside(k, O));
        zip3d(
            previous.split3d(1, 1, 2),
            current.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1, 3, 1, 4, 2),
            neighbours.split3d(1, 1, 2),
        )
        .map_global3d(|(before, tile, neighbours)| {
            zip3d(to_private(before), to_private(tile).slide3d(3, 1), neighbours).map_seq_unroll3d(pressure)
        })
        .join3d()
    }

    /// The pressure one step later, with nothing outside: 2 planes of 2 rows of 2.
    #[kernel]
    #[size(N % 2 == 0, M % 2 == 0, O % 2 == 0)]
    #[work_group(32, 2, 2)]
    pub fn Acoustic<N, M, O>(
        previous: [[[f32; O]; M]; N],
        current: [[[f32; O]; M]; N],
    ) -> [[[f32; O]; M]; N] {
        let neighbours = array3d(N, M, O, |i, j, k| inside(i, N) + inside(j, M) + inside(k, O));
        zip3d(
            previous.split3d(2, 2, 2),
            current.pad3d(1, 1, 1, constant(0.0)).slide3d(4, 2),
            neighbours.split3d(2, 2, 2),
        )
        .map_global3d(|(before, tile, neighbours)| {
            zip3d(to_private(before), to_private(tile).slide3d(3, 1), neighbours).map_seq_unroll3d(pressure)
        })
        .join3d()
    }
);
