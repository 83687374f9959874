//! How long a step takes on many devices.

/// What one device needs.
pub(crate) struct Measured {
    /// Seconds of a step on so many rows, in order of the rows.
    pub(crate) steps: Vec<(usize, f64)>,
    /// Seconds of an exchange with two neighbours: of any, and more for each plane of a halo. The network comes to that.
    pub(crate) fixed: f64,
    pub(crate) plane: f64,
    /// The bytes of a plane.
    pub(crate) bytes: f64,
}

/// What lies between devices.
pub(crate) struct Network {
    /// Seconds.
    pub(crate) latency: f64,
    /// Bytes per second, in each direction.
    pub(crate) bandwidth: f64,
}

/// How a simulation is best divided.
pub(crate) struct Plan {
    /// Of a step.
    pub(crate) seconds: f64,
    /// Between exchanges.
    pub(crate) steps: usize,
}

/// Parts exchange halos after so many steps at most.
const MOST: usize = 16;

impl Measured {
    /// The time of a step on so many rows: between those that were measured, along a line.
    pub(crate) fn step(&self, rows: f64) -> f64 {
        let pair = self.steps.windows(2).find(|pair| rows <= pair[1].0 as f64);
        let Some(&[(a, low), (b, high)]) = pair.or(self.steps.windows(2).last()) else { return f64::NAN };
        // Less than the fewest rows takes as long as these: it is the launch that counts.
        (low + (high - low) * (rows - a as f64) / (b - a) as f64).max(self.steps[0].1)
    }

    /// The best plan for so many rows on so many devices, if they are enough for all.
    pub(crate) fn plan(&self, rows: usize, devices: usize, network: &Network) -> Option<Plan> {
        if devices == 1 {
            return Some(Plan { seconds: self.step(rows as f64), steps: 1 });
        }
        let own = rows / devices;
        let plans = (1..=MOST).filter(|steps| own >= 2 * steps).map(|steps| {
            let halo = steps as f64;
            // To both sides one after the other, which come at the same time as those from there.
            let messages = 2.0 * (network.latency + halo * self.bytes / network.bandwidth);
            let exchange = self.fixed + self.plane * halo + messages;
            Plan { seconds: self.step(own as f64 + 2.0 * halo) + exchange / halo, steps }
        });
        plans.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
    }

    /// The time of a step if so many ranks share one device, one after the other, without a network. The first and the last have one
    /// neighbour each.
    pub(crate) fn shared(&self, ranks: usize, rows: usize, steps: usize) -> f64 {
        let halo = steps as f64;
        let own = rows as f64 / ranks as f64;
        let inner = (ranks - 2) as f64;
        let computed = 2.0 * self.step(own + halo) + inner * self.step(own + 2.0 * halo);
        computed + (1.0 + inner) * (self.fixed + self.plane * halo) / halo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Measured {
        Measured { steps: vec![(8, 1.0), (16, 1.5), (64, 6.0)], fixed: 0.5, plane: 0.25, bytes: 1e6 }
    }

    #[test]
    fn times_lie_between_those_measured() {
        let measured = measured();
        assert_eq!(
            [4.0, 8.0, 12.0, 64.0, 128.0].map(|rows| measured.step(rows)),
            [1.0, 1.0, 1.25, 6.0, 12.0]
        );
    }

    #[test]
    fn a_slow_network_makes_halos_wider() {
        let measured = measured();
        let steps = |latency| {
            let network = Network { latency, bandwidth: 1e9 };
            measured.plan(512, 8, &network).map(|plan| plan.steps)
        };
        assert!(steps(1.0) > steps(1e-6), "{:?} {:?}", steps(1.0), steps(1e-6));
        // A device needs two rows at least.
        assert!(measured.plan(512, 512, &Network { latency: 0.0, bandwidth: 1e9 }).is_none());
        assert_eq!(
            measured.plan(64, 1, &Network { latency: 1.0, bandwidth: 1.0 }).map(|it| it.seconds),
            Some(6.0)
        );
    }
}
