//! Steps in time from the language to the device, compared with loops on the host.

mod common;

use common::device;
use lift::lift;
use lift::ndarray::{Array1, Array2, Array3, arr1};

lift!(
    /// Heat spreads.
    #[kernel]
    #[step(u)]
    pub fn Heat<H, W>(u: [[f32; W]; H], rate: f32) -> [[f32; W]; H] {
        zip2d(u, u.pad2d(1, 1, clamp).slide2d(3, 1))
            .map2d(|(c, w)| c + rate * (w[0][1] + w[1][0] + w[1][2] + w[2][1] - 4.0 * c))
    }

    /// The new pressure, from that around and that before; `k` neighbours are not walls.
    fn update(nbh: [[[f32; 3]; 3]; 3], before: f32, k: u8, courant2: f32) -> f32 {
        let sum = nbh[0][1][1] + nbh[2][1][1] + nbh[1][0][1] + nbh[1][2][1] + nbh[1][1][0] + nbh[1][1][2];
        if k == 0u8 { 0.0 } else { (2.0 - courant2 * (k as f32)) * nbh[1][1][1] + courant2 * sum - before }
    }

    /// Sound in a room.
    #[kernel]
    #[step(p, before)]
    pub fn Room<Z, Y, X>(
        p: [[[f32; X]; Y]; Z],
        before: [[[f32; X]; Y]; Z],
        walls: [[[u8; X]; Y]; Z],
        courant2: f32,
    ) -> [[[f32; X]; Y]; Z] {
        zip3d(p.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), before, walls)
            .map3d(|(nbh, old, k)| update(nbh, old, k, courant2))
    }
);

fn heat(u: &Array2<f32>, rate: f32) -> Array2<f32> {
    let (h, w) = u.dim();
    Array2::from_shape_fn((h, w), |(y, x)| {
        let c = u[[y, x]];
        let around = u[[y.saturating_sub(1), x]]
            + u[[(y + 1).min(h - 1), x]]
            + u[[y, x.saturating_sub(1)]]
            + u[[y, (x + 1).min(w - 1)]];
        c + rate * (around - 4.0 * c)
    })
}

#[test]
fn heat_spreads_as_on_the_host() {
    let mut u = Array2::from_shape_fn((17, 33), |(y, x)| ((7 * y + 3 * x) % 11) as f32);
    for variant in Heat::VARIANTS {
        let heat = Heat::on(&device()).expect("a device").variant(variant.name).expect("a variant");
        let mut sim = heat.start(&u, 0.2).expect("a start");
        sim.run(40).expect("steps");
        let expected = (0..40).fold(u.clone(), |u, _| self::heat(&u, 0.2));
        let found = sim.u().expect("a state");
        assert!(
            (&found - &expected).iter().all(|d| d.abs() < 1e-3),
            "{}: {found} is not {expected}",
            variant.name
        );
    }
    // The sum stays what it was, whatever the rate.
    let before = u.sum();
    let mut sim = Heat::on(&device()).and_then(|heat| heat.start(&u, 0.1)).expect("a start");
    sim.set_rate(0.2).expect("a rate");
    let mut sums = Vec::new();
    let look = |sim: &mut HeatSteps| {
        sums.push(sim.u()?.sum());
        Ok(())
    };
    let done =
        sim.steps(100_000).every(20, look).until(10, |sim| Ok(sim.max_change()? < 1e-3)).go().expect("steps");
    assert!((20..100_000).contains(&done) && done.is_multiple_of(10), "{done}");
    assert_eq!(sums.len() as u64, done / 20);
    assert!(sums.iter().all(|sum| (sum - before).abs() < 1.0), "{sums:?}");
    u = heat(&sim.u().expect("a state"), 0.2);
    assert!((&u - &sim.u().expect("a state")).iter().all(|d| d.abs() < 1e-3));
}

#[test]
fn a_room_sounds_as_on_the_host() {
    let shape = (6, 7, 8);
    let inside =
        |z: usize, y: usize, x: usize| (1..5).contains(&z) && (1..6).contains(&y) && (1..7).contains(&x);
    let near = |z: usize, y: usize, x: usize| inside(z.wrapping_sub(1), y.wrapping_sub(1), x.wrapping_sub(1));
    let walls = Array3::from_shape_fn(shape, |(z, y, x)| {
        let around = [(0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2)];
        let count = around.iter().filter(|(dz, dy, dx)| near(z + dz, y + dy, x + dx)).count();
        if inside(z, y, x) { count as u8 } else { 0 }
    });
    let zeros = Array3::<f32>::zeros(shape);
    let pulse = [1.0_f32, 0.5, -0.5, -1.0];
    let mut room =
        Room::on(&device()).and_then(|room| room.start(&zeros, &zeros, &walls, 0.3)).expect("a start");
    room.source([2, 3, 4], &pulse).expect("a source");
    let mic = room.probe([4, 1, 1]).expect("a probe");
    room.check_finite(true).expect("a check");
    room.run(300).expect("steps");

    let (mut p, mut before, mut expected) = (zeros.clone(), zeros, Vec::new());
    for step in 0..300 {
        let at = |z: usize, y: usize, x: usize| p.get((z, y, x)).copied().unwrap_or(0.0);
        let new = Array3::from_shape_fn(shape, |(z, y, x)| {
            let sum = at(z.wrapping_sub(1), y, x)
                + at(z + 1, y, x)
                + at(z, y.wrapping_sub(1), x)
                + at(z, y + 1, x)
                + at(z, y, x.wrapping_sub(1))
                + at(z, y, x + 1);
            let k = walls[[z, y, x]];
            if k == 0 {
                0.0
            } else {
                (2.0 - 0.3 * f32::from(k)) * at(z, y, x) + 0.3 * sum - before[[z, y, x]]
            }
        });
        (p, before) = (new, p);
        p[[2, 3, 4]] += pulse.get(step).copied().unwrap_or(0.0);
        expected.push(p[[4, 1, 1]]);
    }
    let (found, expected) = (Array1::from(room.samples(mic).expect("samples")), Array1::from(expected));
    assert!(expected.iter().any(|sample| sample.abs() > 0.01));
    assert!((&found - &expected).iter().all(|d| d.abs() < 1e-3), "{found} is not {expected}");
    assert!((&room.before().expect("a state") - &before).iter().all(|d| d.abs() < 1e-3));
}

#[test]
fn methods_do_not_collide_with_parameters() {
    lift!(
        #[kernel]
        #[step(run)]
        fn Halve<N>(run: [f32; N], r#type: [f32; N]) -> [f32; N] {
            zip(run, r#type).map(|(x, y)| 0.5 * (x + y))
        }
    );
    let mut sim = Halve::on(&device()).and_then(|k| k.start(&[4.0], &[0.0])).expect("a start");
    sim.run(2).expect("steps");
    assert_eq!(sim.run_().expect("a state"), arr1(&[1.0]));
    sim.set_type(&[3.0]).expect("a value");
    sim.run(1).expect("steps");
    assert_eq!(sim.run_device().and_then(|a| a.download()).expect("a state"), arr1(&[2.0]));
}
