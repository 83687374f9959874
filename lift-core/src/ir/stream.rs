//! What the trips of a loop need of a stream: `slide_seq` at any step, over what was computed for it, over windows again.

/// The elements of a stream that a trip needs: in trip `i`, so many from number `i * rate + ahead` on.
#[derive(Debug, Clone, Copy)]
pub struct Demand {
    /// How far a trip goes.
    pub rate: i64,
    /// The first one of trip 0.
    pub ahead: i64,
    /// How many.
    pub count: i64,
    /// The first trip that reads them, which may be one before the first that counts.
    pub since: i64,
}

impl Demand {
    /// One element after the other, by the trips that count.
    pub const EACH: Demand = Demand { rate: 1, ahead: 0, count: 1, since: 0 };

    /// Of what windows of this size and step are taken of, all that the windows show.
    pub fn shown(self, size: i64, step: i64) -> Demand {
        let count = step.saturating_mul(self.count - 1).saturating_add(size);
        let (rate, ahead) = (self.rate.saturating_mul(step), self.ahead.saturating_mul(step));
        Demand { rate, ahead, count, ..self }
    }

    /// What of it no trip has needed before.
    pub fn fresh(self) -> Demand {
        let known = self.known();
        Demand { ahead: self.ahead.saturating_add(known), count: self.count - known, ..self }
    }

    /// The same, read from this trip on.
    pub fn since(self, trip: i64) -> Demand {
        Demand { since: trip, ..self }
    }

    /// How much of it the trip before has needed, too.
    pub fn known(self) -> i64 {
        (self.count - self.rate).max(0)
    }

    /// How many trips before the first one it takes to come by all elements up to the first ones.
    pub fn early(self) -> i64 {
        self.ahead.saturating_add(self.rate - 1).div_euclid(self.rate).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::Demand;

    #[test]
    fn a_window_over_windows_is_ahead() {
        // Windows of 3 over windows of 5, which move by 2: two new windows a trip.
        let windows = Demand::EACH.shown(3, 2).fresh();
        assert_eq!((windows.rate, windows.ahead, windows.count), (2, 1, 2));
        // They show 6 elements, the first of them one window after that of the trip.
        let elements = windows.shown(5, 1);
        assert_eq!((elements.rate, elements.ahead, elements.count), (2, 1, 6));
        assert_eq!((elements.known(), elements.fresh().count, elements.fresh().early()), (4, 2, 3));
    }

    #[test]
    fn nothing_between_windows_is_needed() {
        let apart = Demand::EACH.shown(2, 5);
        assert_eq!((apart.known(), apart.fresh().count, apart.fresh().early()), (0, 2, 0));
    }
}
