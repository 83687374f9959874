//! Running a row: first do all kernels agree, then how long does each take.

use std::collections::VecDeque;
use std::time::Duration;

use lift::spec::{KernelSpec, ScalarType};
use lift::{Device, DeviceArray, Event, Launcher, Queue};

use super::arrays::{Arrays, bytes};
use super::{Lift, Result, Row, Tuned};
use crate::input::Random;

/// How far two results may be apart, relative to the larger of an element and the root mean square of all.
const TOLERANCE: f64 = 1e-5;

/// The same in double precision.
const TOLERANCE_OF_DOUBLES: f64 = 1e-13;

/// Rounds that are not counted.
const WARM_UP: usize = 3;

/// A kernel that has run for so long is not run again...
const PATIENCE: Duration = Duration::from_secs(5);

/// ...unless it has not been timed so often.
const FEWEST: usize = 3;

/// So many bytes are used before the same ones again, so that a GPU's caches do not hold them.
const BEYOND_CACHES: usize = 512 << 20;

/// What a GPU's caches hold of a kernel's arrays when it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caches {
    /// Nothing: consecutive launches use different arrays.
    Cold,
    /// What fits into them: all launches use the same arrays.
    Warm,
}

/// How a row is measured.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// How many runs count.
    pub runs: usize,
    /// What a GPU's caches hold.
    pub caches: Caches,
    /// Whether kernels of `lift!`, and those written by hand for CPUs, check indices that are data. Those written for GPUs never do.
    pub checked: bool,
    /// Which versions of the kernel in the algorithmic language run.
    pub versions: Versions,
}

/// Versions of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Versions {
    /// The one that comes first on the device.
    First,
    /// All that can run on the device.
    All,
}

/// The runs of one kernel, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// The variant that was launched.
    pub variant: &'static str,
    /// How many runs count.
    pub runs: usize,
    /// The one in the middle.
    pub median: f64,
    /// The shortest.
    pub least: f64,
}

/// What is known about a row.
pub struct Measured {
    /// Values of the size variables.
    pub sizes: Vec<usize>,
    /// The hand-written kernel's shape.
    pub shape: Option<String>,
    /// The hand-written kernel, if there is one.
    pub hand: Option<Times>,
    /// The version `naive` where nothing is written by hand, if it is not the first one on the device.
    pub naive: Option<Times>,
    /// The kernel in the low-level language, if there is one.
    pub low: Option<Times>,
    /// The kernel in the algorithmic language: its first version on the device.
    pub algorithmic: Times,
    /// Its other versions, if they were wanted.
    pub others: Vec<Times>,
    /// A copy that reads and writes together as many bytes.
    pub copy: Times,
    /// Bytes that a launch moves at least.
    pub bytes: usize,
    /// Floating-point operations.
    pub operations: f64,
}

/// A kernel that can be launched on a row's arrays.
struct Contestant {
    name: &'static str,
    launcher: Launcher,
    scalars: &'static [f64],
}

/// The kernel of this description on a device.
#[expect(unsafe_code, reason = "what is written by hand is launched by its description")]
fn launcher(spec: &'static KernelSpec, device: &Device) -> lift::Result<Launcher> {
    // SAFETY: rows have descriptions by `lift!`, and texts written by hand to take the place of theirs; `agree` compares
    // what both compute.
    let launcher = unsafe { Launcher::new(spec, device) }?;
    // As texts written by hand are.
    Ok(launcher.specialise(true))
}

impl Contestant {
    #[expect(unsafe_code, reason = "checks of indices are what is measured")]
    fn skip_checks(&mut self) {
        // SAFETY: indices are made by the rows, within the arrays they are for.
        self.launcher = unsafe { self.launcher.unchecked() };
    }

    fn launch(&self, queue: &Queue, arrays: &mut Arrays) -> Result<Event> {
        let (arguments, results) = arrays.arguments(self.launcher.spec(), self.scalars)?;
        self.launcher
            .launch(queue, &arguments, &results)
            .map_err(|error| format!("{}: {error}", self.name).into())
    }
}

/// What the kernel in the algorithmic language is called, in the version that comes first.
const ALGORITHMIC: &str = "algorithmic";

/// The version that is the opponent where nothing is written by hand.
const NAIVE: &str = "naive";

/// The opponent, the algorithmic kernel, and the low-level one if there is one. Nothing is its own opponent.
fn contestants(row: &Row, device: &Device, tuned: &Tuned, sizes: &[usize]) -> Result<Vec<Contestant>> {
    let contestant = |name, spec, scalars| -> Result<Contestant> {
        Ok(Contestant { name, launcher: launcher(spec, device)?, scalars })
    };
    let Lift { spec, scalars } = row.algorithmic;
    let mut all = Vec::new();
    match &tuned.hand {
        Some(hand) => all.push(contestant("hand-written", hand.spec(spec), tuned.scalars)?),
        None if first_choice(row, device, sizes)? == NAIVE => {}
        None => {
            let launcher = launcher(spec, device)?.variant(NAIVE)?;
            all.push(Contestant { name: NAIVE, launcher, scalars });
        }
    }
    all.push(contestant(ALGORITHMIC, spec, scalars)?);
    if let Some(low) = tuned.low {
        all.push(contestant("low-level", low, tuned.scalars)?);
    }
    Ok(all)
}

/// Launches a kernel once, and says which version that was.
fn try_out(contestant: &Contestant, queue: &Queue, arrays: &mut Arrays) -> Result<&'static str> {
    let event = contestant.launch(queue, arrays)?;
    event.wait()?;
    Ok(event.variant())
}

/// Which version of the algorithmic kernel comes first at these sizes.
fn first_choice(row: &Row, device: &Device, sizes: &[usize]) -> Result<&'static str> {
    let Lift { spec, scalars } = row.algorithmic;
    let algorithmic = Contestant { name: ALGORITHMIC, launcher: launcher(spec, device)?, scalars };
    try_out(&algorithmic, &device.queue()?, &mut Arrays::new(device, row, sizes, 0)?)
}

/// All versions of the algorithmic kernel that run at these sizes, but for the first and for an opponent. Some need more of a device
/// than there is.
fn others(row: &Row, device: &Device, tuned: &Tuned, sizes: &[usize]) -> Result<Vec<Contestant>> {
    let Lift { spec, scalars } = row.algorithmic;
    let launcher = launcher(spec, device)?;
    let (queue, mut arrays) = (device.queue()?, Arrays::new(device, row, sizes, 0)?);
    let first = first_choice(row, device, sizes)?;
    let mut others = Vec::new();
    for variant in spec.variants.iter() {
        if variant.name == first || tuned.hand.is_none() && variant.name == NAIVE {
            continue;
        }
        let contestant =
            Contestant { name: &variant.name, launcher: launcher.variant(&variant.name)?, scalars };
        if try_out(&contestant, &queue, &mut arrays).is_ok() {
            others.push(contestant);
        }
    }
    Ok(others)
}

/// Whether all kernels of a row compute the same.
///
/// # Errors
///
/// When they do not, or when one of them cannot run.
pub fn agree(row: &Row, device: &Device, tuned: &Tuned, sizes: &[usize]) -> Result<()> {
    agreeing(row, device, &contestants(row, device, tuned, sizes)?, sizes)
}

fn agreeing(row: &Row, device: &Device, contestants: &[Contestant], sizes: &[usize]) -> Result<()> {
    let queue = device.queue()?;
    let result = |contestant: &Contestant| -> Result<Vec<f64>> {
        let mut arrays = Arrays::new(device, row, sizes, 0)?;
        contestant.launch(&queue, &mut arrays)?.wait()?;
        arrays.written()
    };
    let spec = row.algorithmic.spec;
    let elements = spec.params.iter().map(|param| param.elem).chain(spec.results.iter().map(|it| it.elem));
    let is_single = elements.into_iter().any(|elem| elem == ScalarType::F32);
    let tolerance = if is_single { TOLERANCE } else { TOLERANCE_OF_DOUBLES };
    let Some((first, others)) = contestants.split_first() else { return Ok(()) };
    let expected = result(first)?;
    let mean_square = expected.iter().map(|x| x * x).sum::<f64>() / expected.len().max(1) as f64;
    let magnitude = mean_square.sqrt();
    if magnitude.is_nan() {
        return Err(format!("the {} kernel leaves elements out, or computes no numbers", first.name).into());
    }
    for other in others {
        let found = result(other)?;
        if found.len() != expected.len() {
            return Err(
                format!("{}: {} elements instead of {}", other.name, found.len(), expected.len()).into()
            );
        }
        let differs = |&(_, (a, b)): &(usize, (&f64, &f64))| {
            let error = (a - b).abs();
            error.is_nan() || error > tolerance * a.abs().max(magnitude)
        };
        if let Some((place, (a, b))) = expected.iter().zip(&found).enumerate().find(differs) {
            let (name, first) = (other.name, first.name);
            return Err(format!("element {place} is {b} in the {name} kernel, {a} in the {first} one").into());
        }
    }
    Ok(())
}

/// Measures a row at these sizes: the median of so many runs.
///
/// # Errors
///
/// When the kernels do not agree, or when one of them cannot run.
pub fn measure(row: &Row, device: &Device, sizes: &[usize], conditions: Conditions) -> Result<Measured> {
    let Conditions { runs, caches, checked, versions } = conditions;
    let tuned = row.tuned(device.is_gpu());
    let mut contestants = contestants(row, device, tuned, sizes)?;
    let has_opponent = contestants.first().is_some_and(|first| first.name != ALGORITHMIC);
    if versions == Versions::All {
        contestants.extend(others(row, device, tuned, sizes)?);
    }
    if !checked {
        contestants.iter_mut().for_each(Contestant::skip_checks);
    }
    agreeing(row, device, &contestants, sizes)?;
    let all = bytes(row.algorithmic.spec, sizes)?;
    let bytes = row.bytes.map_or(all, |bytes| bytes(sizes));
    let queue = device.queue()?;
    let count = match caches {
        Caches::Cold => buffer_sets(device, all),
        Caches::Warm => 1,
    };
    let mut sets = Vec::new();
    for seed in 1..=count {
        sets.push(Arrays::new(device, row, sizes, seed as u64)?);
    }
    let mut copies = Vec::new();
    for _ in 0..count {
        copies.push(Copy::new(device, bytes)?);
    }
    let mut clocks: Vec<Clock> = contestants.iter().map(|_| Clock::default()).collect();
    // With several sets, consecutive launches never use the same one.
    let mut turn = (0..count).cycle();
    let mut next = || turn.next().unwrap_or(0);
    // What ran before leaves its mark on short kernels, so it is another one in every round, and done. Copies leave caches full
    // of what is still to be written: they come last.
    let (mut order, mut random) = ((0..contestants.len()).collect::<Vec<_>>(), Random::new(1));
    for round in 0..WARM_UP + runs {
        random.shuffle(&mut order);
        for &place in &order {
            if clocks[place].wants(round) {
                let event = contestants[place].launch(&queue, &mut sets[next()])?;
                clocks[place].note(round, &event)?;
            }
        }
    }
    let mut clock = Clock::default();
    for round in 0..WARM_UP + runs {
        if clock.wants(round) {
            let event = copies[next()].start(&queue)?;
            clock.note(round, &event)?;
        }
    }
    let mut times: VecDeque<Times> = clocks.into_iter().map(Clock::times).collect();
    let mut next = || times.pop_front().ok_or("a kernel was not measured");
    let opponent = if has_opponent { Some(next()?) } else { None };
    let (hand, naive) = if tuned.hand.is_some() { (opponent, None) } else { (None, opponent) };
    let algorithmic = next()?;
    let low = if tuned.low.is_some() { Some(next()?) } else { None };
    Ok(Measured {
        sizes: sizes.to_vec(),
        shape: tuned.hand.map(|hand| hand.shape()),
        hand,
        naive,
        low,
        algorithmic,
        others: times.into(),
        copy: clock.times(),
        bytes,
        operations: (row.operations)(sizes),
    })
}

/// How many sets of arrays are used in turn.
fn buffer_sets(device: &Device, bytes: usize) -> usize {
    if !device.is_gpu() {
        return 1;
    }
    // The copies need as much again, and half of the device's memory is enough.
    let room = usize::try_from(device.global_mem_bytes()).unwrap_or(usize::MAX) / 4;
    BEYOND_CACHES.div_ceil(bytes.max(1)).clamp(3, 17).min(room / bytes.max(1)).max(1)
}

/// What is known about the runs of one kernel.
#[derive(Default)]
struct Clock {
    variant: &'static str,
    spent: Duration,
    times: Vec<Duration>,
}

impl Clock {
    /// Whether there is another run in this round.
    fn wants(&self, round: usize) -> bool {
        self.spent < PATIENCE || (round >= WARM_UP && self.times.len() < FEWEST)
    }

    fn note(&mut self, round: usize, event: &Event) -> Result<()> {
        let time = event.kernel_time()?;
        self.variant = event.variant();
        self.spent += time;
        if round >= WARM_UP {
            self.times.push(time);
        }
        Ok(())
    }

    fn times(mut self) -> Times {
        self.times.sort();
        let ms = |time: Option<&Duration>| time.map_or(f64::NAN, |time| time.as_secs_f64() * 1e3);
        let median = ms(self.times.get(self.times.len() / 2));
        Times { variant: self.variant, runs: self.times.len(), median, least: ms(self.times.first()) }
    }
}

/// Two arrays, together of so many bytes.
struct Copy {
    from: DeviceArray<f32, 1>,
    to: DeviceArray<f32, 1>,
}

impl Copy {
    fn new(device: &Device, bytes: usize) -> Result<Copy> {
        let len = bytes.div_ceil(8);
        Ok(Copy { from: device.upload((vec![1.0; len], [len]))?, to: device.alloc([len])? })
    }

    fn start(&mut self, queue: &Queue) -> Result<Event> {
        Ok(self.to.copy_from(queue, &self.from)?)
    }
}
