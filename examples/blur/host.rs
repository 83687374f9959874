//! The same filters on the host in double precision, written straight from their definitions: what `--check`
//! compares with.

use crate::filters::{Boundary, Filter};

/// A channel of a picture.
pub struct Plane<'a> {
    /// Rows, one after the other.
    pub pixels: &'a [u8],
    /// Rows.
    pub height: usize,
    /// Pixels in a row.
    pub width: usize,
}

impl Plane<'_> {
    /// The pixel at any position, also outside.
    fn at(&self, row: i64, col: i64, boundary: Boundary) -> f64 {
        match (inside(row, self.height, boundary), inside(col, self.width, boundary)) {
            (Some(row), Some(col)) => f64::from(self.pixels[row * self.width + col]),
            _ => 0.0,
        }
    }
}

/// The index that stands for `i` in a row of `n`; `None` for a constant.
fn inside(i: i64, n: usize, boundary: Boundary) -> Option<usize> {
    let n = n as i64;
    let folded = |i: i64, period: i64, last: i64| {
        let j = i.rem_euclid(period);
        j.min(last - j)
    };
    let index = match boundary {
        _ if (0..n).contains(&i) => i,
        Boundary::Clamp => i.clamp(0, n - 1),
        Boundary::Mirror => folded(i, 2 * n, 2 * n - 1),
        Boundary::Reflect if n == 1 => 0,
        Boundary::Reflect => folded(i, 2 * n - 2, 2 * n - 2),
        Boundary::Wrap => i.rem_euclid(n),
        Boundary::Constant => return None,
    };
    Some(index as usize)
}

/// The filtered channel.
pub fn filter(plane: &Plane<'_>, filter: Filter, boundary: Boundary, weights: &[f32]) -> Vec<f64> {
    let radius = (weights.len() / 2) as i64;
    let pixel = |row: i64, col: i64| plane.at(row, col, boundary);
    let smooth = |row: i64, col: i64| {
        let mut sum = 0.0;
        for (i, wy) in (-radius..).zip(weights) {
            for (j, wx) in (-radius..).zip(weights) {
                sum += f64::from(*wy) * f64::from(*wx) * pixel(row + i, col + j);
            }
        }
        sum
    };
    let value = |row: i64, col: i64| match filter {
        Filter::Gaussian | Filter::Box => smooth(row, col),
        Filter::Sharpen => 2.0 * pixel(row, col) - smooth(row, col),
        Filter::Sobel => {
            let line = |r: i64, c: i64, dr: i64, dc: i64| {
                pixel(r - dr, c - dc) + 2.0 * pixel(r, c) + pixel(r + dr, c + dc)
            };
            let dx = line(row, col + 1, 1, 0) - line(row, col - 1, 1, 0);
            let dy = line(row + 1, col, 0, 1) - line(row - 1, col, 0, 1);
            dx.hypot(dy)
        }
    };
    let (height, width) = (plane.height as i64, plane.width as i64);
    (0..height).flat_map(|row| (0..width).map(move |col| (row, col))).map(|(r, c)| value(r, c)).collect()
}
