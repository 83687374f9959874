//! Inputs: random, but the same in every run and on every machine.

use std::ops::Range;

use ndarray::{Array, ShapeBuilder};

/// Numbers without an apparent order (SplitMix64). Written out, so that no library's next version changes a benchmark.
pub struct Random(u64);

impl Random {
    /// Always the same sequence for the same seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in the range, in steps of 2⁻²⁴ of its length.
    pub fn uniform(&mut self, range: Range<f32>) -> f32 {
        let unit = (self.bits() >> 40) as f32 / (1_u32 << 24) as f32;
        // Rounding must not reach the excluded end.
        (range.start + unit * (range.end - range.start)).min(range.end.next_down())
    }

    /// A number in the range, in steps of 2⁻⁵³ of its length.
    pub fn uniform_f64(&mut self, range: Range<f64>) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        (range.start + unit * (range.end - range.start)).min(range.end.next_down())
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Puts the items into any order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// An array of numbers in the range.
pub fn uniform<S: ShapeBuilder>(seed: u64, range: Range<f32>, shape: S) -> Array<f32, S::Dim> {
    let mut random = Random::new(seed);
    Array::from_shape_simple_fn(shape, || random.uniform(range.clone()))
}

/// An array of numbers in the range, which have all the digits of `f64`.
pub fn uniform_f64<S: ShapeBuilder>(seed: u64, range: Range<f64>, shape: S) -> Array<f64, S::Dim> {
    let mut random = Random::new(seed);
    Array::from_shape_simple_fn(shape, || random.uniform_f64(range.clone()))
}

/// An array of numbers between -1 and 1.
pub fn signed<S: ShapeBuilder>(seed: u64, shape: S) -> Array<f32, S::Dim> {
    uniform(seed, -1.0..1.0, shape)
}
