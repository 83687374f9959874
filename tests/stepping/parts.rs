//! Simulations in parts, which have the same bits as those in one.

use std::fmt::Debug;

use lift::ndarray::{Array1, Array2, Array3, ArrayBase, Data, Dimension};
use lift::{Device, Error, Kernel, Launcher, Ranks, Result, Stepper, lift};

use super::{Clock, Decay, Heat, Room, Rule};
use common::device;

lift!(
    /// Waves on a ring of rows: the state before is kept.
    #[kernel]
    #[step(p, before)]
    pub fn Ring<H, W>(p: [[f64; W]; H], before: [[f64; W]; H], c: f64) -> [[f64; W]; H] {
        zip2d(p.pad2d(2, 2, wrap).slide2d(5, 1), before).map2d(|(w, old)| {
            2.0 * w[2][2] - old + c * (w[0][2] + w[4][2] + w[2][0] + w[2][4] - 4.0 * w[2][2])
        })
    }

    /// Two grids, one of which is longer than the other, and both are cut in their second dimension; the clock is everybody's.
    #[kernel]
    #[step(e; h; clock)]
    pub fn Staggered<N>(
        e: [[f32; N + 1]; 5],
        h: [[f32; N]; 5],
        clock: u32,
    ) -> ([[f32; N + 1]; 5], [[f32; N]; 5], u32) {
        let new = zip(e, h).map(|(e, h)| {
            zip(e, h.pad(1, 1, constant(0.0)).slide(2, 1)).map(|(e, w)| e + 0.5 * (w[1] - w[0]))
        });
        (
            new,
            zip(h, new).map(|(h, e)| zip(h, e.slide(2, 1)).map(|(h, w)| h + 0.5 * (w[1] - w[0]))),
            clock + 1,
        )
    }

    fn around<n>(u: [f32; n]) -> [f32; n] {
        u.pad(2, 1, mirror).slide(4, 1).map(|w| 0.25 * w[0] - 0.5 * w[1] + w[2] + 0.125 * w[3])
    }

    /// Several stencils after each other, twice.
    #[kernel]
    #[step(u)]
    pub fn Stages<N>(u: [f32; N]) -> [f32; N] {
        iterate(2, |u| around(around(u).materialize()), u).map(|x| x.sin())
    }

    /// Cells at the edge stay what they are.
    #[kernel]
    #[step(cells)]
    pub fn Framed<H, W>(cells: [[i32; W]; H]) -> [[i32; W]; H] {
        array2d(H, W, |i, j| {
            if i > 0 && i + 1 < H && j > 0 && j + 1 < W {
                cells[i - 1][j] ^ cells[i + 1][j - 1] + cells[i][j + 1]
            } else {
                cells[i][j]
            }
        })
    }

    /// Two arrays of pairs, and weights of all columns.
    #[kernel]
    #[step(a; b)]
    pub fn Pairs<N, M>(
        a: [[f32; M]; N],
        b: [[f32; M]; N],
        weights: [f32; M],
    ) -> ([[f32; M]; N], [[f32; M]; N]) {
        zip(a.pad(1, 1, clamp).slide(3, 1), b)
            .map(|(a, b)| {
                zip(a[0], a[2], b, weights).map(|(up, down, b, w)| (w * (up + down) - b, 0.5 * (up - b)))
            })
            .map(unzip)
            .unzip()
    }

    /// All rows depend on each other.
    #[kernel]
    #[step(x)]
    pub fn Share<N>(x: [f32; N]) -> [f32; N] {
        let total = x.reduce(add, 0.0);
        x.map(|x| x / total)
    }
);

/// In so many parts.
const PARTS: [usize; 6] = [1, 2, 3, 4, 6, 8];

fn number(i: usize) -> f32 {
    (i.wrapping_mul(2_654_435_761) >> 7 & 1023) as f32 / 1024.0 - 0.5
}

fn rows(h: usize, w: usize) -> Array2<f32> {
    Array2::from_shape_fn((h, w), |(y, x)| number(y * w + x))
}

fn bits<T: Copy + Debug, S: Data<Elem = T>, D: Dimension>(array: &ArrayBase<S, D>) -> Vec<String> {
    // Floats are written so that they can be read back, and zeros have signs.
    array.iter().map(|x| format!("{x:?}")).collect()
}

/// Compares what a simulation gives in up to so many parts with what it gives as a whole, in all versions, and in one of them on as many
/// ranks, of which some have several parts.
fn compare<K: Kernel, S: AsMut<Stepper>, T: PartialEq + Debug + Send>(
    most: usize,
    start: impl Fn(&K) -> Result<S> + Sync,
    state: impl Fn(&S) -> Result<T> + Sync,
) {
    let any = Launcher::of::<K>(&device()).expect("a device");
    for (number, name) in any.variant_names().into_iter().enumerate() {
        // Parts have different sizes, for all of which one program is built.
        let kernel = any.variant(name).expect("a variant").specialise(false);
        let run = |kernel: &Launcher, parts: usize| {
            let mut simulation = start(&K::from_launcher(kernel.clone()))?;
            let stepper = simulation.as_mut();
            assert_eq!(stepper.parts(), parts);
            let mut changes = Vec::new();
            for steps in [3, 1, 3] {
                stepper.run(steps)?;
                changes.push(stepper.max_change()?.to_bits());
            }
            Ok::<_, Error>((state(&simulation)?, changes))
        };
        let whole = run(&kernel, 1).unwrap_or_else(|e| panic!("{name}: {e}"));
        let expect_whole = |found: Result<(T, Vec<u64>)>, every: usize, how: &str| match found {
            // Where halos are wider, parts may be too small.
            Err(Error::Parts { .. }) if every > 1 => {}
            Err(error) => panic!("{name} {how}: {error}"),
            Ok(found) => assert!(found == whole, "{name} {how}, {every} steps:\n{found:?}\n{whole:?}"),
        };
        for parts in PARTS.into_iter().filter(|parts| *parts <= most) {
            for every in [1, 2, 4] {
                let kernel = kernel.exchange_every(every);
                expect_whole(run(&kernel.parts(parts), parts), every, &format!("in {parts} parts"));
                if number > 0 {
                    continue;
                }
                for own in [1, 2].into_iter().filter(|own| parts.is_multiple_of(*own)) {
                    let own_parts = kernel.parts(own);
                    let found = Ranks::in_threads(parts / own, |ranks| run(&own_parts.across(ranks), parts));
                    let how = format!("on {} ranks with {own} parts each", parts / own);
                    found.into_iter().for_each(|found| expect_whole(found, every, &how));
                }
            }
        }
    }
}

#[test]
fn parts_have_the_bits_of_the_whole() {
    for (h, w) in [(37, 13), (19, 70), (16, 1)] {
        let u = rows(h, w);
        compare(8, |heat: &Heat| heat.start(&u, 0.2), |it| Ok(bits(&it.u()?)));
        let cells = u.mapv(|x| (x * 1000.0) as i32);
        compare(8, |it: &Framed| it.start(&cells), |it| Ok(bits(&it.cells()?)));
        let (line, other) = (u.row(0).to_owned(), rows(h, w).mapv(|x| 0.5 - x));
        compare(8, |it: &Pairs| it.start(&u, &other, &line), |it| Ok((bits(&it.a()?), bits(&it.b()?))));
    }
}

#[test]
fn parts_may_be_on_a_ring() {
    for (h, w) in [(37, 13), (16, 1)] {
        let (p, before) = (rows(h, w).mapv(f64::from), rows(h, w).mapv(|x| f64::from(x) * 0.75));
        compare(
            h / 4,
            |ring: &Ring| ring.start(&p, &before, 0.1),
            |it| Ok((bits(&it.p()?), bits(&it.before()?))),
        );
    }
}

#[test]
fn parts_are_cut_in_any_dimension() {
    for n in [19, 40] {
        let (e, h) = (rows(5, n + 1), rows(5, n));
        compare(
            6,
            |it: &Staggered| it.start(&e, &h, 3),
            |it| Ok((bits(&it.e()?), bits(&it.h()?), it.clock()?)),
        );
    }
    let line = |n: usize| Array1::from_shape_fn(n, number);
    compare(2, |it: &Stages| it.start(&line(67)), |it| Ok(bits(&it.u()?)));
    compare(8, |it: &Rule| it.start(&line(31).mapv(|x| (x > 0.0) as u8)), |it| it.cells());
    let clock = || Clock { time: 1.5, ticks: 3 };
    compare(8, |it: &Decay| it.start(&line(8), clock(), 1.25), |it| Ok((bits(&it.u()?), it.clock()?)));
}

#[test]
fn parts_have_sources_probes_and_parameters() {
    let shape = (23, 5, 7);
    let p = Array3::from_shape_fn(shape, |(z, y, x)| number(35 * z + 7 * y + x));
    let walls = Array3::from_shape_fn(shape, |(z, y, x)| (number(z + 3 * y + 5 * x) > -0.3) as u8 * 6);
    compare(
        8,
        |room: &Room| {
            let mut it = room.start(&p, &p, &walls, 0.2)?;
            // At the borders of parts, and elsewhere.
            for z in [0, 2, 3, 5, 11, 12, 22] {
                it.source([z, 2, 3], &[0.5, -0.25, 0.125 * z as f32])?;
            }
            it.probe_line([0, 2, 3], 0)?;
            it.run(2)?;
            it.set_walls(&walls.mapv(|k| if k == 6 { 5 } else { k }))?;
            it.set_courant2(0.25)?;
            it.probe([22, 0, 0])?;
            it.source([6, 1, 1], &[1.0])?;
            Ok(it)
        },
        |it| {
            let samples = it.probes::<f32>().into_iter().map(|probe| it.samples(probe));
            let samples = samples.collect::<Result<Vec<_>>>()?;
            assert!(samples.iter().flatten().any(|x| *x != 0.0) && samples.len() == 24);
            Ok((bits(&it.p()?), samples))
        },
    );
}

#[test]
fn the_first_value_that_is_not_finite_is_found_in_every_part() {
    let mut u = Array2::<f32>::zeros((20, 4));
    u[[13, 2]] = f32::MAX;
    let found = |parts: usize| {
        let mut it = Heat::on(&device())?.parts(parts).start(&u, 3.0)?;
        it.check_finite(true)?;
        it.run(10)
    };
    let whole = found(1).unwrap_err();
    assert!(matches!(whole, Error::NotFinite { step: 1, .. }), "{whole}");
    for parts in [2, 3, 5] {
        let error = found(parts).unwrap_err();
        assert!(matches!(error, Error::NotFinite { step: 1, .. }), "{error}");
        assert_eq!(error, whole);
    }
}

#[test]
fn parts_are_saved_as_a_whole() {
    let folder = std::env::temp_dir().join(format!("lift-parts-{}", std::process::id()));
    let u = rows(24, 5);
    let heat = Heat::on(&device()).expect("a device");
    let run = |heat: &Heat, restored: bool| {
        let mut it = match restored {
            true => heat.restore(&folder)?,
            false => {
                let mut it = heat.start(&u, 0.2)?;
                it.source([8, 1], &[1.0, 2.0, 3.0, 4.0, 5.0])?;
                it.probe_line([0, 1], 0)?;
                it.probe([7, 4])?;
                it.run(3)?;
                it
            }
        };
        if restored {
            it.run(4)?;
        }
        let change = it.max_change()?;
        let samples =
            it.probes::<f32>().into_iter().map(|probe| it.samples(probe)).collect::<Result<Vec<_>>>()?;
        Ok::<_, Error>((it, (samples, change.to_bits())))
    };
    let whole = {
        let (mut it, before) = run(&heat, false).expect("a whole");
        it.run(4).expect("steps");
        let samples: Vec<_> =
            it.probes::<f32>().into_iter().map(|probe| it.samples(probe).unwrap()).collect();
        (before, samples, bits(&it.u().unwrap()))
    };
    for (saved, restored) in [(3, 1), (1, 4), (2, 8), (4, 2)] {
        let (it, before) = run(&heat.parts(saved), false).expect("parts");
        assert_eq!(before, whole.0);
        it.save(&folder).expect("a folder");
        let (it, (samples, _)) = run(&heat.parts(restored), true).expect("parts");
        assert_eq!(it.parts(), restored);
        assert_eq!(
            (samples, bits(&it.u().unwrap())),
            (whole.1.clone(), whole.2.clone()),
            "{saved}, {restored}"
        );
    }
    std::fs::remove_dir_all(folder).expect("a folder");
}

#[test]
fn parts_may_be_on_several_devices() {
    let u = rows(21, 6);
    let devices = [Device::cpu(), device(), Device::cpu()];
    let run = |heat: &Heat| {
        let mut it = heat.start(&u, 0.2)?;
        it.run(5)?;
        it.u_device()?.download()
    };
    let whole = Heat::on(&device()).and_then(|heat| run(&heat)).expect("a whole");
    let parts = Heat::on(&device()).and_then(|heat| run(&heat.over(&devices))).expect("parts");
    // Devices of different kinds round differently.
    assert!((&whole - &parts).iter().all(|d| d.abs() < 1e-5), "{parts}\n{whole}");
    // All devices of the driver, of which there may be several.
    let same =
        Device::all().expect("devices").into_iter().filter(|other| other.platform() == device().platform());
    let same: Vec<Device> = same.collect();
    let several: Vec<Device> = same.iter().cycle().take(same.len().max(2) + 1).cloned().collect();
    for every in [1, 2] {
        let divided = |heat: Heat| run(&heat.over(&several).exchange_every(every));
        assert_eq!(Heat::on(&device()).and_then(divided).expect("parts"), whole, "{several:?}");
    }
    // What a simulation starts from may be on a device.
    let there = device().upload(&u).expect("an upload");
    let start = |heat: Heat| {
        let mut it = heat.parts(3).start(&there, 0.2)?;
        it.run(5)?;
        it.u()
    };
    assert_eq!(Heat::on(&device()).and_then(start).expect("parts"), whole);
}

#[test]
fn parts_may_have_different_shares() {
    let u = rows(29, 5);
    let run = |heat: Heat| {
        let mut it = heat.start(&u, 0.2)?;
        it.source([14, 2], &[1.0; 5])?;
        it.run(5)?;
        it.u()
    };
    let heat = || Heat::on(&device()).expect("a device");
    let whole = run(heat()).expect("a whole");
    for shares in [[1.0, 4.0, 2.0], [100.0, 1.0, 0.0], [0.5, 0.5, 0.5]] {
        assert_eq!(run(heat().parts(3).shares(&shares)).expect("parts"), whole, "{shares:?}");
    }
    let found = Ranks::in_threads(2, |ranks| {
        let shares = [[1.0, 3.0], [2.0, 1.0]][ranks.rank()];
        run(heat().parts(2).shares(&shares).across(ranks))
    });
    assert!(found.into_iter().all(|found| found.is_ok_and(|found| found == whole)));
    let error = |shares: &[f64]| run(heat().parts(3).shares(shares)).expect_err("an error").to_string();
    assert_eq!(
        error(&[1.0]),
        "Heat cannot be computed in 3 parts: there is 1 share of the rows; each part needs one"
    );
    assert_eq!(error(&[1.0, -1.0, 1.0]), "Heat cannot be computed in 3 parts: -1 is no share of the rows");
}

#[test]
fn what_cannot_be_divided_is_said() {
    let share = Share::on(&device()).expect("a device").parts(4).start(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(
        share.unwrap_err().to_string(),
        "Share cannot be computed in 4 parts: a row along `N` depends on all rows of `x`"
    );
    let heat = Heat::on(&device()).expect("a device").parts(4).start(&rows(7, 3), 0.2);
    assert_eq!(
        heat.unwrap_err().to_string(),
        "Heat cannot be computed in 4 parts: H = 7 gives each 1 rows, and a part needs at least 2, because it reads 1 before \
         and 1 after its own"
    );
    // It is known without arrays, too.
    let explained = |text: String| text.lines().nth(2).expect("a line").to_string();
    assert_eq!(
        explained(Heat::on(&device()).unwrap().explain().to_string()),
        "A simulation can be computed in parts along H. A step reads 1 row before those of a part and 1 row after them."
    );
    assert_eq!(
        explained(Share::on(&device()).unwrap().explain().to_string()),
        "A simulation cannot be computed in parts: a row along `N` depends on all rows of `x`."
    );
    // Nothing is divided into nothing.
    let empty = Rule::on(&device()).expect("a device").parts(4).start(&[0_u8; 0]).expect("nothing");
    assert_eq!(empty.parts(), 1);
}
