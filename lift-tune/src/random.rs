//! A small generator of pseudo-random numbers, so that a search depends on its seed only and not on the
//! version of a library.

/// SplitMix64: 64 bits of state, of good enough quality for sampling and shuffling.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator whose sequence is given by `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`; `bound` is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        // The upper half of the product: the bias is below 2^-32 for every bound that occurs here.
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number in `0.0..1.0`, evenly distributed.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Brings the elements into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// A random element, or none of an empty slice.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_are_in_range_and_even() {
        let mut random = Random::new(1);
        let mut counts = [0; 7];
        for _ in 0..7000 {
            counts[random.below(7)] += 1;
            assert!((0.0..1.0).contains(&random.unit()));
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_shuffle_keeps_the_elements() {
        let mut items: Vec<_> = (0..20).collect();
        Random::new(2).shuffle(&mut items);
        assert_ne!(items, (0..20).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_is_chosen_of_nothing() {
        assert_eq!(Random::new(3).choose::<u8>(&[]), None);
        assert_eq!(Random::new(3).choose(&[5]), Some(&5));
    }
}
