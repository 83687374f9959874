//! Numbers as colours.

use lift::colours::along;
use lift::ndarray::Array2;

/// Red, green, blue.
pub type Rgb = [u8; 3];

const SEA: [Rgb; 6] = [[0, 7, 100], [32, 107, 203], [237, 255, 255], [255, 170, 0], [120, 40, 0], [0, 2, 30]];

/// Colours that come back: `x` and `x + 1` have the same.
pub fn cycle(x: f32) -> Rgb {
    let [a, b, c, d, e, f] = SEA;
    along(&[a, b, c, d, e, f, a], x.rem_euclid(1.0))
}

/// The byte for each number: 0 for `low` and less, 255 for `high` and more.
pub fn bytes(numbers: &Array2<f32>, low: f32, high: f32) -> Array2<u8> {
    // Conversions saturate, as in kernels.
    numbers.mapv(|x| ((x - low) / (high - low) * 255.0).round() as u8)
}
