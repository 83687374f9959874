//! Simulations that are saved and go on elsewhere: with the same bits.

#![cfg(feature = "save")]

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use common::device;
use lift::Kernel as _;
use lift::ndarray::{Array1, Array2, Array3, arr1};
use lift::{Error, FileProblem, lift};

lift!(
    /// One state.
    #[kernel]
    #[step(u)]
    pub fn Heat<H, W>(u: [[f32; W]; H], rate: f32) -> [[f32; W]; H] {
        zip2d(u, u.pad2d(1, 1, clamp).slide2d(3, 1))
            .map2d(|(c, w)| c + rate * (w[0][1] + w[1][0] + w[1][2] + w[2][1] - 4.0 * c))
    }

    /// A state and the one before, beside what does not change.
    #[kernel]
    #[step(p, before)]
    pub fn Room<Z, Y, X>(
        p: [[[f64; X]; Y]; Z],
        before: [[[f64; X]; Y]; Z],
        walls: [[[u8; X]; Y]; Z],
    ) -> [[[f64; X]; Y]; Z] {
        zip3d(p.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), before, walls).map3d(|(w, old, k)| {
            if k == 0u8 {
                0.0
            } else {
                let around = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
                0.3 * around + 0.2 * w[1][1][1] - old
            }
        })
    }

    /// Three states, one older than the other.
    #[kernel]
    #[step(a, b, c)]
    pub fn Delayed<N>(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] {
        zip(a, b, c).map(|(a, b, c)| 0.7 * a - 0.3 * b + 0.5 * c)
    }

    /// A body.
    #[derive(Debug, PartialEq)]
    pub struct Body {
        at: f32,
        speed: f32,
    }

    /// Arrays that are updated, as a struct of them.
    #[kernel]
    #[step]
    pub fn Fall<N>(bodies: &mut [Body; N], g: f32, dt: f32) {
        write_to(bodies, bodies.map(|b| Body { at: b.at + dt * b.speed, speed: b.speed - dt * g * b.at }))
    }

    /// Integers beside a clock, in two chains.
    #[kernel]
    #[step(cells; clock)]
    pub fn Cells<N>(cells: [u32; N], clock: (f64, u64)) -> ([u32; N], (f64, u64)) {
        let add_now = clock.1 as u32;
        (
            cells.pad(1, 1, wrap).slide(3, 1).map(|w| w[0] ^ w[2].rotate_left(3) ^ add_now),
            (clock.0 * 1.1 + 0.1, clock.1 + 1),
        )
    }
);

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Folder(std::env::temp_dir().join(format!("lift-saving-{}-{name}", std::process::id())));
        let _ = fs::remove_dir_all(&folder.0);
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

/// Numbers without order, from one that says how long this process has run.
fn random() -> impl FnMut(u64) -> u64 {
    let mut seed = std::process::id().into();
    println!("seed {seed}");
    move |below| {
        seed = u64::wrapping_add(seed, 0x9e37_79b9_7f4a_7c15);
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)) % below
    }
}

/// Lets a simulation run as one, and stopped and restored twice; what it is in the end must be the same.
fn compare<S, T: PartialEq + Debug>(
    name: &str,
    mut start: impl FnMut() -> lift::Result<S>,
    restore: impl Fn(&Path) -> lift::Result<S>,
    mut look: impl FnMut(&mut S) -> lift::Result<T>,
) where
    S: AsMut<lift::Stepper>,
{
    let (folder, mut random) = (Folder::new(name), random());
    let parts = [random(300), random(300), random(300)];
    let mut whole = start().expect("a start");
    whole.as_mut().run(parts.iter().sum()).expect("steps");
    let mut sim = start().expect("a start");
    for steps in &parts[..2] {
        sim.as_mut().run(*steps).expect("steps");
        sim.as_mut().save(&folder).expect("a folder");
        sim = restore(folder.as_ref()).expect("a simulation");
    }
    sim.as_mut().run(parts[2]).expect("steps");
    assert_eq!(sim.as_mut().steps_done(), whole.as_mut().steps_done(), "{name}");
    assert_eq!(look(&mut sim).expect("a state"), look(&mut whole).expect("a state"), "{name} {parts:?}");
    // Files of what was saved first are gone.
    let manifest = fs::read_to_string(folder.0.join("manifest.json")).expect("a manifest");
    for file in fs::read_dir(&folder).expect("a folder") {
        let file = file.expect("a file").file_name().into_string().expect("a name");
        assert!(file == "manifest.json" || manifest.contains(&file), "{file}");
    }
}

fn bits(array: impl IntoIterator<Item = f32>) -> Vec<u32> {
    array.into_iter().map(f32::to_bits).collect()
}

#[test]
fn one_state_goes_on_with_the_same_bits() {
    let heat = Heat::on(&device()).expect("a kernel");
    let u = Array2::from_shape_fn((17, 33), |(y, x)| (7.3 * y as f32 + 3.1 * x as f32).sin());
    let start = || {
        let mut sim = heat.start(&u, 0.2)?;
        sim.source([3, 4], &(0..400).map(|i| (i as f32).cos()).collect::<Vec<f32>>())?;
        sim.source([3, 5], &[1.0, 2.0])?;
        sim.probe_line([8, 0], 1)?;
        sim.probe([16, 32])?;
        sim.check_finite(true)?;
        Ok(sim)
    };
    let look = |sim: &mut HeatSteps| {
        let samples = sim.probes::<f32>().into_iter().map(|probe| sim.samples(probe).map(bits));
        Ok((bits(sim.u()?), samples.collect::<lift::Result<Vec<_>>>()?))
    };
    compare("heat", start, |folder| heat.restore(folder), look);
    // Also what only `max_change` asks for.
    let (folder, mut sim) = (Folder::new("change"), start().expect("a start"));
    sim.run(5).and_then(|()| sim.save(&folder)).expect("a folder");
    let mut again = heat.restore(&folder).expect("a simulation");
    assert_eq!(again.max_change().expect("a change"), sim.max_change().expect("a change"));
}

#[test]
fn two_states_go_on_with_the_same_bits() {
    let room = Room::on(&device()).expect("a kernel");
    let p = Array3::from_shape_fn((5, 6, 7), |(z, y, x)| (z as f64 + 2.3 * y as f64 - x as f64).sin());
    let walls = Array3::from_shape_fn((5, 6, 7), |(z, y, x)| u8::from((z + y + x) % 5 > 0));
    let start = || {
        let mut sim = room.start(&p, &(&p * 0.9), &walls)?;
        sim.probe([1, 2, 3])?;
        Ok(sim)
    };
    compare(
        "room",
        start,
        |folder| room.restore(folder),
        |sim| {
            let bits = |array: Array3<f64>| array.mapv(f64::to_bits);
            Ok((bits(sim.p()?), bits(sim.before()?), sim.samples(sim.probes::<f64>()[0])?))
        },
    );
}

#[test]
fn three_states_go_on_with_the_same_bits_in_every_version() {
    let a = Array1::from_shape_fn(100, |i| (i as f32).sin());
    // The version is saved: the launcher need not select it again.
    let any = Delayed::on(&device()).expect("a kernel");
    for name in any.launcher().variant_names() {
        let delayed = any.variant(name).expect("a version");
        compare(
            &format!("delayed-{name}"),
            || delayed.start(&a, &a, &a),
            |folder| any.restore(folder),
            |sim| Ok([bits(sim.a()?), bits(sim.b()?), bits(sim.c()?)]),
        );
    }
}

#[test]
fn updates_go_on_with_the_same_bits() {
    let fall = Fall::on(&device()).expect("a kernel");
    let bodies = || (0..50).map(|i| Body { at: (i as f32).sin(), speed: (i as f32).cos() });
    let start = || {
        let bodies: BodyArrays<Vec<f32>, Vec<f32>> = bodies().collect();
        let mut sim = fall.start(bodies.each_ref(), 1.0, 0.01)?;
        sim.set_g(1.7)?;
        Ok(sim)
    };
    compare(
        "fall",
        start,
        |folder| fall.restore(folder),
        |sim| {
            let BodyArrays { at, speed } = sim.bodies()?;
            Ok((bits(at), bits(speed)))
        },
    );
}

#[test]
fn integers_and_a_clock_go_on_with_the_same_bits() {
    let cells = Cells::on(&device()).expect("a kernel");
    let start = || {
        let mut sim = cells.start(&[1, 2, 3, 4, 5, 6, 7], (0.5, 3))?;
        sim.probe_in::<f64>("clock.0", &[])?;
        sim.source([2], &[7; 100])?;
        Ok(sim)
    };
    compare(
        "cells",
        start,
        |folder| cells.restore(folder),
        |sim| {
            let (time, ticks) = sim.clock()?;
            Ok((sim.cells()?, time.to_bits(), ticks, sim.samples(sim.probes::<f64>()[0])?))
        },
    );
}

#[test]
fn simulations_of_nothing_are_saved_with_their_scalars() {
    let (folder, fall) = (Folder::new("nothing"), Fall::on(&device()).expect("a kernel"));
    let bodies: BodyArrays<Vec<f32>, Vec<f32>> = std::iter::empty().collect();
    let mut sim = fall.start(bodies.each_ref(), 1.5, 0.01).expect("a start");
    sim.run(7).and_then(|()| sim.save(&folder)).expect("a folder");
    // 1.5 in bits.
    assert!(fs::read_to_string(folder.0.join("manifest.json")).expect("a manifest").contains("3fc00000"));
    let mut again = fall.restore(&folder).expect("a simulation");
    again.run(1).expect("a step");
    assert_eq!((again.steps_done(), again.bodies().expect("a state").at.len()), (8, 0));
}

/// What `restore` says after `damage` was done to the folder.
fn after(damage: impl FnOnce(&Path)) -> String {
    let folder = Folder::new("damaged");
    let heat = Heat::on(&device()).expect("a kernel");
    let mut sim = heat.start(&[[1.0, 2.0], [3.0, 4.0]], 0.1).expect("a start");
    sim.run(3).and_then(|()| sim.save(&folder)).expect("a folder");
    damage(folder.as_ref());
    let error = heat.restore(&folder).expect_err("it was damaged");
    assert!(matches!(error, Error::File { .. }), "{error}");
    error.to_string().replace(&folder.0.display().to_string(), "DIR")
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).expect("a file");
}

#[test]
fn what_is_wrong_with_a_folder_is_said() {
    let manifest = |folder: &Path| folder.join("manifest.json");
    assert_eq!(after(|folder| fs::remove_dir_all(folder).expect("a folder")), "`DIR` does not exist");
    assert_eq!(
        after(|folder| fs::remove_file(manifest(folder)).expect("a file")),
        "`DIR` is not a saved simulation: it has no `manifest.json`"
    );
    assert_eq!(
        after(|folder| edit(&manifest(folder), "\"format\":1", "\"format\":7")),
        "`DIR/manifest.json` has format 7, but only format 1 is known"
    );
    assert_eq!(
        after(|folder| edit(&manifest(folder), "\"steps\": 3", "\"steps\": 4")),
        "`DIR/manifest.json` is damaged: its checksum is not the one it was saved with"
    );
    let text = after(|folder| fs::write(manifest(folder), "{\"format\":1").expect("a file"));
    assert!(text.starts_with("`DIR/manifest.json` is not a saved simulation: EOF while parsing"), "{text}");
    assert_eq!(
        after(|folder| fs::remove_file(folder.join("u.0.npy")).expect("a file")),
        "`DIR/u.0.npy` does not exist"
    );
    let change = |folder: &Path, cut: usize| {
        let path = folder.join("u.0.npy");
        let mut bytes = fs::read(&path).expect("a file");
        bytes.truncate(bytes.len() - cut);
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(path, bytes).expect("a file");
    };
    assert_eq!(
        after(|folder| change(folder, 0)),
        "`DIR/u.0.npy` is damaged: its checksum is not the one it was saved with"
    );
    assert_eq!(
        after(|folder| change(folder, 5)),
        "`DIR/u.0.npy` is not a `.npy` file: it has 11 bytes of elements instead of 16"
    );
}

#[test]
fn another_kernel_or_text_does_not_go_on() {
    let (folder, device) = (Folder::new("other"), device());
    let fresh = Delayed::on(&device).expect("a kernel");
    let mut sim = fresh.start(&[1.0], &[2.0], &[3.0]).expect("a start");
    sim.run(1).and_then(|()| sim.save(&folder)).expect("a folder");
    let error = Heat::on(&device).and_then(|heat| heat.restore(&folder)).expect_err("another kernel");
    let text = error.to_string();
    assert!(text.contains("was saved by Delayed: "), "{text}");
    assert!(text.contains(", not by Heat: "), "{text}");

    // The same kernel with another text.
    mod changed {
        use lift::lift;
        lift!(
            #[kernel]
            #[step(a, b, c)]
            pub fn Delayed<N>(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] {
                zip(a, b, c).map(|(a, b, c)| 0.5 * a - 0.3 * b + 0.5 * c)
            }
        );
    }
    let other = changed::Delayed::on(&device).expect("a kernel");
    let error = other.restore(&folder).expect_err("another text");
    assert!(matches!(error, Error::File { problem: FileProblem::OtherText { .. }, .. }), "{error}");
    // Those who want that get it.
    let name = other.launcher().variant_names()[0];
    let mut sim = other.variant(name).and_then(|it| it.restore(&folder)).expect("a simulation");
    sim.run(1).expect("a step");
    assert_eq!(sim.steps_done(), 2);
    assert_eq!(sim.b().expect("a state"), arr1(&[0.7 - 0.6 + 1.5]));
}

#[test]
fn a_folder_that_cannot_be_written_keeps_the_simulation() {
    let folder = Folder::new("written");
    let sim = Heat::on(&device()).and_then(|it| it.start(&[[1.0]], 0.1)).expect("a start");
    let file = std::env::temp_dir().join(format!("lift-saving-{}-file", std::process::id()));
    fs::write(&file, "").expect("a file");
    let text = sim.save(file.join("below")).expect_err("a file is no folder").to_string();
    assert!(text.contains("/below` cannot be written: "), "{text}");
    fs::remove_file(file).expect("a file");
    // Nothing of a simulation that is saved twice is lost, whatever is there.
    sim.save(&folder).and_then(|()| sim.save(&folder)).expect("a folder");
    fs::create_dir(folder.0.join("manifest.json.new")).expect("a folder");
    let text = sim.save(&folder).expect_err("the manifest cannot be written").to_string();
    assert!(text.contains("/manifest.json` cannot be written: "), "{text}");
    assert!(Heat::on(&device()).and_then(|it| it.restore(&folder)).is_ok());
}
