//! What the model needs of a device.

use std::time::Instant;

use lift::ndarray::Array3;
use lift::prelude::*;

use crate::Result;
use crate::model::Measured;

lift!(
    /// A step of sound in a room whose walls reflect.
    #[kernel]
    #[step(p, before)]
    fn Wave<Z, Y, X>(
        p: [[[f32; X]; Y]; Z],
        before: [[[f32; X]; Y]; Z],
        air: [[[u8; X]; Y]; Z],
    ) -> [[[f32; X]; Y]; Z] {
        zip3d(p.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), before, air).map3d(|(w, old, air)| {
            let sum = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
            if air == 0u8 { 0.0 } else { (2.0 - 0.25 * (air as f32)) * w[1][1][1] + 0.25 * sum - old }
        })
    }
);

/// Rounds, of which the fastest counts, and steps of each.
const ROUNDS: usize = 5;
const STEPS: u64 = 48;

/// The times of steps on fewer and fewer rows, and of an exchange.
pub(crate) fn device(device: &Device, n: usize) -> Result<Measured> {
    let mut steps = Vec::new();
    let mut rows = n;
    while rows >= 4 {
        steps.push((rows, seconds(device, n, rows, &Ranks::alone(), 1)?));
        rows /= 2;
    }
    steps.reverse();
    let mut measured = Measured { steps, fixed: 0.0, plane: 0.0, bytes: (4 * n * n) as f64 };
    // Two ranks that share the device have one neighbour each: together, they exchange what a rank with two does.
    let [few, many] = [1, 8].map(|steps| {
        let found = ranks(device, n, 2, steps)?;
        Ok::<_, Box<dyn std::error::Error>>((found - measured.shared(2, n, steps)).max(0.0) * steps as f64)
    });
    let (few, many) = (few?, many?);
    measured.plane = ((many - few) / 7.0).max(0.0);
    measured.fixed = (few - measured.plane).max(0.0);
    Ok(measured)
}

/// The time of a step of a cube, if so many ranks share the device and exchange halos after so many steps.
pub(crate) fn ranks(device: &Device, n: usize, ranks: usize, steps: usize) -> Result<f64> {
    let times = Ranks::in_threads(ranks, |ranks| seconds(device, n, n, ranks, steps));
    let times = times.into_iter().collect::<lift::Result<Vec<f64>>>()?;
    Ok(times.into_iter().fold(0.0, f64::max))
}

/// The time of a step on so many planes of n×n points.
fn seconds(device: &Device, n: usize, rows: usize, ranks: &Ranks, steps: usize) -> lift::Result<f64> {
    let p = Array3::from_shape_fn((rows, n, n), |(z, y, x)| ((z * 31 + y * 7 + x) % 13) as f32 * 0.01);
    let air = Array3::from_elem((rows, n, n), 6_u8);
    let mut wave = Wave::on(device)?.across(ranks).exchange_every(steps).start(&p, &p, &air)?;
    // The first steps build the kernel.
    wave.run(8)?;
    wave.wait()?;
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        wave.run(STEPS)?;
        wave.wait()?;
        best = best.min(started.elapsed().as_secs_f64() / STEPS as f64);
    }
    Ok(best)
}
