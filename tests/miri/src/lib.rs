//! Kernels that do each of the things that are unusual in memory, small enough for Miri.

#![forbid(unsafe_code)]

use lift::prelude::*;

lift!(
    /// A strip of elements, each work-item's own.
    #[kernel]
    pub fn Saxpy<N>(a: f32, x: [f32; N], y: [f32; N]) -> [f32; N] {
        zip(x, y).map(|(x, y)| a * x + y)
    }

    /// Rows with an interior and edges.
    #[kernel]
    pub fn Blur<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
        x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0.0))
    }

    /// Two launches.
    #[kernel]
    pub fn Sum<N>(x: [i32; N]) -> i32 {
        x.reduce(add, 0)
    }

    /// Columns, of which each work-item has some.
    #[kernel]
    pub fn Turned<N, M>(x: [[i32; M]; N]) -> [[i32; N]; M] {
        x.map(|row| row.map(|v| 2 * v)).transpose()
    }

    /// Columns in strips: pieces of rows, and vectors.
    #[kernel]
    pub fn Down<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {
        x.transpose().map(|column| column.scan(add, 0)).transpose()
    }

    /// Several parts of one array.
    #[kernel]
    pub fn Joined<N>(x: [i32; N], y: [i32; 2]) -> [i32; N + 3] {
        concat(repeat(1, -1), x.map(|v| v * v), y)
    }

    #[kernel]
    pub fn Pick<N, M>(xs: [u8; N], at: [i32; M]) -> [u8; M] {
        gather(at, xs)
    }

    #[kernel]
    pub fn Deposit<N, M>(cells: &mut [i32; N], at: [i32; M], amount: [i32; M]) {
        scatter_to(cells, at, zip(gather(at, cells), amount).map(add));
    }

    /// Truth values are bytes.
    #[kernel]
    pub fn Positive<N>(x: [f64; N], flags: [bool; N]) -> [bool; N] {
        zip(x, flags).map(|(x, flag)| flag && x > 0.0)
    }

    /// Replaced in place, and read as it was.
    #[kernel]
    pub fn Relax<N>(line: &mut [i32; N]) -> i32 {
        write_to(line, line.pad(1, 1, wrap).slide(3, 1).map(|w| w[0] + w[2]));
        line.reduce(add, 0)
    }

    /// A product.
    #[kernel]
    pub fn Product<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a.map(|row| b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
    }

    /// A step in time.
    #[kernel]
    #[step(u)]
    pub fn Heat<N>(u: [f32; N]) -> [f32; N] {
        u.pad(1, 1, clamp).slide(3, 1).map(|w| 0.25 * w[0] + 0.5 * w[1] + 0.25 * w[2])
    }
);
