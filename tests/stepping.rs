//! Steps in time from the language to the device, compared with loops on the host.

#[path = "stepping/parts.rs"]
mod parts;
#[path = "stepping/ranks.rs"]
mod ranks;

use common::device;
use lift::Kernel as _;
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

lift!(
    /// Two quantities that pull at each other, each a simulation of its own.
    #[kernel]
    #[step(x)]
    pub fn Pulled<N>(x: [f32; N], by: [f32; N], pull: f32) -> [f32; N] {
        zip(x, by).map(|(x, by)| x + pull * (by - x))
    }

    /// How late it is, and after how many steps.
    #[derive(Debug, PartialEq)]
    pub struct Clock {
        time: f64,
        ticks: u32,
    }

    /// A decay whose step grows with time; the clock is state like the array.
    #[kernel]
    #[step(u; clock)]
    pub fn Decay<N>(u: [f32; N], clock: Clock, growth: f64) -> ([f32; N], Clock) {
        let rate = (0.5 / (1.0 + clock.time)) as f32;
        (u.map(|x| x - rate * x), Clock { time: clock.time * growth + 1.0, ticks: clock.ticks + 1 })
    }

    /// Random numbers of one seed.
    #[kernel]
    #[step(seed)]
    pub fn Random(seed: u64) -> u64 {
        seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)
    }

    /// A cell lives with two or three neighbours.
    #[kernel]
    #[step(cells)]
    pub fn Rule<N>(cells: [u8; N]) -> [u8; N] {
        cells.pad(1, 1, constant(0)).slide(3, 1).map(|w| w[0] ^ w[2])
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
    let any = Heat::on(&device()).expect("a device");
    for name in any.launcher().variant_names() {
        let heat = any.variant(name).expect("a variant");
        let mut sim = heat.start(&u, 0.2).expect("a start");
        sim.run(40).expect("steps");
        let expected = (0..40).fold(u.clone(), |u, _| self::heat(&u, 0.2));
        let found = sim.u().expect("a state");
        assert!((&found - &expected).iter().all(|d| d.abs() < 1e-3), "{name}: {found} is not {expected}");
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
fn simulations_take_states_of_each_other_on_the_device() {
    let device = device();
    let (mut x, mut y) = (arr1(&[0.0_f32, 4.0, 8.0]), arr1(&[16.0_f32, 12.0, 0.0]));
    let kernel = Pulled::on(&device).expect("a kernel");
    // Each starts from the host and from the device.
    let on_device = device.upload(&y).expect("an upload");
    let mut first = kernel.start(&x, &on_device, 0.25).expect("a start");
    let mut second = kernel.start(&on_device, &x, 0.5).expect("a start");
    for _ in 0..7 {
        first.set_by(&second.x_device().expect("a copy")).expect("a value");
        second.set_by(&first.x_device().expect("a copy")).expect("a value");
        first.run(1).and_then(|()| second.run(1)).expect("steps");
        (x, y) = (&x + 0.25 * (&y - &x), &y + 0.5 * (&x - &y));
    }
    assert_eq!((first.x().expect("a state"), second.x().expect("a state")), (x, y));
    // What a simulation was given is its own from then on.
    assert_eq!(on_device.download().expect("a download"), arr1(&[16.0, 12.0, 0.0]));
    let error = first.set_by(&device.upload(&[1.0_f32]).expect("an upload")).expect_err("another length");
    assert_eq!(error.to_string(), "Pulled: `by` was 3 of f32 at the start, but is to become 1 of f32");
}

#[test]
fn scalars_are_state() {
    let device = device();
    let start = Clock { time: 0.0, ticks: 7 };
    let kernel = Decay::on(&device).expect("a kernel");
    let mut sim = kernel.start(&[1.0, 2.0], start, 1.5).expect("a start");
    let time = sim.probe_in::<f64>("clock.time", &[]).expect("a probe");
    let (mut u, mut clock) = (arr1(&[1.0_f32, 2.0]), start);
    let mut times = Vec::new();
    let mut step = |u: &mut Array1<f32>, growth: f64| {
        let rate = (0.5 / (1.0 + clock.time)) as f32;
        u.mapv_inplace(|x| x - rate * x);
        clock = Clock { time: clock.time * growth + 1.0, ticks: clock.ticks + 1 };
        times.push(clock.time);
        clock
    };
    sim.run(5).expect("steps");
    let after = (0..5).map(|_| step(&mut u, 1.5)).last();
    assert_eq!(sim.clock().ok(), after);
    assert!((&sim.u().expect("a state") - &u).iter().all(|d| d.abs() < 1e-6));
    // Set on the host, read on the device, and launched by hand.
    sim.set_clock(Clock { time: 2.0, ticks: 0 }).and_then(|()| sim.run(1)).expect("a step");
    assert_eq!(sim.clock().expect("a state"), Clock { time: 4.0, ticks: 1 });
    times.push(4.0);
    assert_eq!(sim.samples(time).expect("samples"), times);
    let clock = sim.clock_device().expect("a copy");
    assert_eq!(clock.time.download().expect("a download")[()], 4.0);
    let u = device.upload(&[8.0_f32, 4.0]).expect("an upload");
    let mut out = kernel.output(&u, start, 0.0).expect("memory");
    let queue = device.queue().expect("a queue");
    kernel.launch(&queue, &u, clock.each_ref(), 0.5, (&mut out.0, out.1.each_mut())).expect("a launch");
    assert_eq!(out.0.download().expect("a download"), arr1(&[7.2, 3.6]));
    assert_eq!(out.1.ticks.download().expect("a download")[()], 2);
    let (u, clock) = kernel.run(&[8.0, 4.0], Clock { time: 4.0, ticks: 1 }, 0.5).expect("a run");
    assert_eq!((u, clock), (arr1(&[7.2, 3.6]), Clock { time: 3.0, ticks: 2 }));

    let mut random = Random::on(&device).and_then(|k| k.start(42)).expect("a start");
    let drawn = random.probe([]).expect("a probe");
    random.run(3).expect("steps");
    let next = |seed: u64| seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let expected: Vec<u64> =
        std::iter::successors(Some(next(42)), |seed| Some(next(*seed))).take(3).collect();
    assert_eq!(random.samples(drawn).expect("samples"), expected);
    assert_eq!(random.seed().expect("a state"), expected[2]);
}

#[test]
fn integers_are_added_recorded_and_compared() {
    let mut sim = Rule::on(&device()).and_then(|k| k.start(&[0, 0, 250, 0, 0, 0])).expect("a start");
    sim.source([2], &[9, 0]).expect("a source");
    let all = sim.probe_all((0..6).map(|i| [i])).expect("probes");
    sim.run(1).expect("a step");
    // 9 is added to 0, and 250 comes from 0.
    assert_eq!(sim.max_change().expect("a change"), 250.0);
    sim.run(1).expect("a step");
    let first: Vec<u8> = all.iter().map(|p| sim.samples(*p).expect("samples")[0]).collect();
    let second: Vec<u8> = all.iter().map(|p| sim.samples(*p).expect("samples")[1]).collect();
    assert_eq!(first, [0, 250, 9, 250, 0, 0]);
    assert_eq!(second, [250, 9, 0, 9, 250, 0]);
    assert_eq!(sim.cells().expect("a state").to_vec(), second);
}

#[test]
fn a_line_of_probes_records_what_lies_on_it() {
    let mut plate = Heat::on(&device())
        .and_then(|heat| heat.start(&Array2::from_shape_fn((5, 40), |(y, x)| (y * x) as f32), 0.1))
        .expect("a start");
    let row = plate.probe_line([3, 0], 1).expect("probes");
    plate.run(2).expect("steps");
    let column = plate.probe_line([0, 39], 0).expect("probes");
    plate.run(3).expect("steps");
    let end = plate.u().expect("a state");
    for (x, probe) in row.iter().enumerate() {
        let samples = plate.samples(*probe).expect("samples");
        assert_eq!((samples.len(), samples[4]), (5, end[[3, x]]));
    }
    for (y, probe) in column.iter().enumerate() {
        let samples = plate.samples(*probe).expect("samples");
        assert_eq!((samples.len(), samples[2]), (3, end[[y, 39]]));
    }
    let error = plate.probe_line([0, 0], 2).expect_err("no such dimension").to_string();
    assert_eq!(error, "Heat: `u`, which is 5×40, has no dimension 2");
    let error = plate.probe_all([[0, 0], [5, 0]]).expect_err("no such element").to_string();
    assert_eq!(error, "Heat: a probe at [5, 0] is not within `u`, which is 5×40");
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
