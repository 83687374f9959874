//! Numbers as colours.

use lift::ndarray::Array2;

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// A colour for each byte.
pub type Palette = [Rgb; 256];

const FIRE: [Rgb; 6] =
    [[0, 0, 4], [66, 10, 104], [147, 38, 103], [221, 81, 58], [252, 165, 10], [252, 255, 164]];
const SEA: [Rgb; 6] = [[0, 7, 100], [32, 107, 203], [237, 255, 255], [255, 170, 0], [120, 40, 0], [0, 2, 30]];

/// From cold to hot: dark violet, red, yellow, nearly white.
pub fn fire() -> Palette {
    std::array::from_fn(|i| along(&FIRE, i as f32 / 255.0))
}

/// From black to white.
pub fn grey() -> Palette {
    std::array::from_fn(|i| [i as u8; 3])
}

/// From black over blue to white, and in the upper half from black over orange to white.
pub fn blue_and_orange() -> Palette {
    let ways = [[[6, 8, 20], [40, 90, 220], [235, 245, 255]], [[6, 8, 20], [230, 110, 20], [255, 245, 225]]];
    std::array::from_fn(|i| along(&ways[i / 128], (i % 128) as f32 / 127.0))
}

/// Colours that come back: `x` and `x + 1` have the same.
pub fn cycle(x: f32) -> Rgb {
    let [a, b, c, d, e, f] = SEA;
    along(&[a, b, c, d, e, f, a], x.rem_euclid(1.0))
}

/// The colour at `x`, from 0 to 1, on the way along all these.
fn along(stops: &[Rgb], x: f32) -> Rgb {
    let x = x.clamp(0.0, 1.0) * (stops.len() - 1) as f32;
    let i = (x as usize).min(stops.len() - 2);
    let t = x - i as f32;
    std::array::from_fn(|c| {
        (f32::from(stops[i][c]) * (1.0 - t) + f32::from(stops[i + 1][c]) * t).round() as u8
    })
}

/// The byte for each number: 0 for `low` and less, 255 for `high` and more.
pub fn bytes(numbers: &Array2<f32>, low: f32, high: f32) -> Array2<u8> {
    // Conversions saturate, as in kernels.
    numbers.mapv(|x| ((x - low) / (high - low) * 255.0).round() as u8)
}
