//! Numbers as colours.

/// A colour, red, green and blue, for each byte.
pub type Palette = [[u8; 3]; 256];

const FIRE: [[u8; 3]; 6] =
    [[0, 0, 4], [66, 10, 104], [147, 38, 103], [221, 81, 58], [252, 165, 10], [252, 255, 164]];

/// From cold to hot: dark violet, red, yellow, nearly white.
#[must_use]
pub fn fire() -> Palette {
    std::array::from_fn(|i| along(&FIRE, i as f32 / 255.0))
}

/// From black to white.
#[must_use]
pub fn grey() -> Palette {
    std::array::from_fn(|i| [i as u8; 3])
}

/// From black over blue to white, and in the upper half from black over orange to white.
#[must_use]
pub fn blue_and_orange() -> Palette {
    let ways = [[[6, 8, 20], [40, 90, 220], [235, 245, 255]], [[6, 8, 20], [230, 110, 20], [255, 245, 225]]];
    std::array::from_fn(|i| along(&ways[i / 128], (i % 128) as f32 / 127.0))
}

/// The colour at `x`, from 0 to 1, on the way along all these.
///
/// ```
/// let way = [[0, 0, 0], [255, 0, 0], [255, 255, 255]];
/// assert_eq!(lift_runtime::colours::along(&way, 0.75), [255, 128, 128]);
/// ```
#[must_use]
pub fn along(stops: &[[u8; 3]], x: f32) -> [u8; 3] {
    let last = stops.len().saturating_sub(1);
    // What is no number is where it begins.
    let x = if x > 0.0 { x.min(1.0) * last as f32 } else { 0.0 };
    let i = (x as usize).min(last.saturating_sub(1));
    let at = |i: usize, c: usize| stops.get(i).map_or(0.0, |stop| f32::from(stop[c]));
    let t = x - i as f32;
    std::array::from_fn(|c| (at(i, c) * (1.0 - t) + at((i + 1).min(last), c) * t).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_have_any_number_of_stops() {
        assert_eq!(along(&[], 0.5), [0; 3]);
        assert_eq!(along(&[[1, 2, 3]], 0.7), [1, 2, 3]);
        assert_eq!(along(&FIRE, f32::NAN), along(&FIRE, 0.0));
        assert_eq!((fire()[0], fire()[255]), (FIRE[0], FIRE[5]));
    }
}
