//! Running a row: first do all kernels agree, then how long does each take.

use std::time::{Duration, Instant};

use lift::spec::{KernelSpec, ScalarType};
use lift::{Device, DeviceArray, Event, Launcher, Queue};

use super::arrays::{Arrays, bytes};
use super::load::Load;
use super::peer::Peer;
use super::{Lift, NOTHING, Result, Row, Tuned, is_host};
use crate::input::Random;

/// How far two results may be apart, relative to the larger of an element and the root mean square of all.
const TOLERANCE: f64 = 1e-5;

/// The same for other programs: some add up millions of numbers one after the other, as BLAS may.
const TOLERANCE_OF_PEERS: f64 = 1e-4;

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

/// Rounds in which other programs take a larger share of the processor do not count, if that matters.
pub const FOREIGN: f64 = 0.15;

/// The share is known after so many seconds.
const SPELL: f64 = 0.25;

/// Nobody waits longer for a quiet machine.
const WAIT: Duration = Duration::from_secs(120);

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
    /// Whether there are opponents: what is written by hand, the low-level kernel, and the version `naive`.
    pub opponents: bool,
    /// Whether the algorithmic kernel runs on the host, too, in the same rounds.
    pub host: bool,
    /// Whether rounds in which other programs took much of the processor are repeated.
    pub quiet: bool,
}

impl Conditions {
    /// So many runs that use different arrays and check their indices, of the first version and its opponents.
    #[must_use]
    pub const fn of_runs(runs: usize) -> Conditions {
        let (caches, versions) = (Caches::Cold, Versions::First);
        Conditions { runs, caches, checked: true, versions, opponents: true, host: false, quiet: false }
    }
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

/// What runs in the same rounds as the host.
#[derive(Debug, Clone)]
pub struct Rival {
    /// A program, or OpenCL.
    pub name: String,
    /// Its runs.
    pub times: Times,
    /// What it took in a round as a multiple of the host's time: the quartiles of all rounds.
    pub ratios: [f64; 3],
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
    /// The first version on the host beside another device.
    pub host: Option<Times>,
    /// Other programs, and the device if the host runs beside it.
    pub rivals: Vec<Rival>,
    /// A copy that reads and writes together as many bytes.
    pub copy: Times,
    /// Bytes that a launch moves at least.
    pub bytes: usize,
    /// Floating-point operations.
    pub operations: f64,
    /// The share of the processor that other programs took in the rounds that count, if the system tells.
    pub foreign: Option<f64>,
}

/// A kernel that can be launched on a row's arrays.
pub(super) struct Contestant {
    pub(super) name: &'static str,
    pub(super) launcher: Launcher,
    pub(super) scalars: &'static [f64],
}

/// The kernel of this description on a device.
#[expect(unsafe_code, reason = "what is written by hand is launched by its description")]
pub(super) fn described(spec: &'static KernelSpec, device: &Device) -> lift::Result<Launcher> {
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

    pub(super) fn launch(&self, queue: &Queue, arrays: &mut Arrays) -> Result<Event> {
        let (arguments, results) = arrays.arguments(self.launcher.spec(), self.scalars)?;
        self.launcher
            .launch(queue, &arguments, &results)
            .map_err(|error| format!("{}: {error}", self.name).into())
    }
}

/// The algorithmic kernel on a device, in the version that comes first there.
pub(super) fn algorithmic(row: &Row, device: &Device) -> Result<Contestant> {
    let Lift { spec, launcher, scalars } = row.algorithmic;
    let launcher = match launcher {
        // As texts written by hand are.
        Some(launcher) => launcher(device)?.specialise(true),
        None => described(spec, device)?,
    };
    Ok(Contestant { name: ALGORITHMIC, launcher, scalars })
}

/// What the kernel in the algorithmic language is called, in the version that comes first.
pub(super) const ALGORITHMIC: &str = "algorithmic";

/// What is written by hand is called.
const HAND_WRITTEN: &str = "hand-written";

/// What the kernel in the low-level language is called.
const LOW_LEVEL: &str = "low-level";

/// What it is called on the host beside another device.
const HOST: &str = "algorithmic on the host";

/// The version that is the opponent where nothing is written by hand.
const NAIVE: &str = "naive";

/// The opponent, the algorithmic kernel, and the low-level one if there is one. Nothing is its own opponent.
fn contestants(row: &Row, device: &Device, tuned: &Tuned, sizes: &[usize]) -> Result<Vec<Contestant>> {
    let contestant = |name, spec| -> Result<Contestant> {
        Ok(Contestant { name, launcher: described(spec, device)?, scalars: tuned.scalars })
    };
    let derived = algorithmic(row, device)?;
    let mut all = Vec::new();
    match &tuned.hand {
        Some(hand) => all.push(contestant(HAND_WRITTEN, hand.spec(row.algorithmic.spec))?),
        None if is_host(device) || first_choice(row, device, sizes)? == NAIVE => {}
        None => {
            let launcher = derived.launcher.variant(NAIVE)?;
            all.push(Contestant { name: NAIVE, launcher, scalars: derived.scalars });
        }
    }
    all.push(derived);
    if let Some(low) = tuned.low {
        all.push(contestant(LOW_LEVEL, low)?);
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
    try_out(&algorithmic(row, device)?, &device.queue()?, &mut Arrays::new(device, row, sizes, 0)?)
}

/// All versions of the algorithmic kernel that run at these sizes, but for the first and for an opponent. Some need more of a device
/// than there is.
fn others(
    row: &Row,
    device: &Device,
    contestants: &[Contestant],
    sizes: &[usize],
) -> Result<Vec<Contestant>> {
    let Contestant { launcher, scalars, .. } = algorithmic(row, device)?;
    let (queue, mut arrays) = (device.queue()?, Arrays::new(device, row, sizes, 0)?);
    let first = first_choice(row, device, sizes)?;
    let mut others = Vec::new();
    for name in launcher.variant_names() {
        if name == first || contestants.iter().any(|other| other.name == name) {
            continue;
        }
        let contestant = Contestant { name, launcher: launcher.variant(name)?, scalars };
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
    agreeing(row, &contestants(row, device, tuned, sizes)?, &mut [], sizes)
}

fn agreeing(row: &Row, contestants: &[Contestant], peers: &mut [&mut Peer], sizes: &[usize]) -> Result<()> {
    let result = |contestant: &Contestant| -> Result<Vec<f64>> {
        let device = contestant.launcher.device();
        let mut arrays = Arrays::new(device, row, sizes, 0)?;
        contestant.launch(&device.queue()?, &mut arrays)?.wait()?;
        arrays.written()
    };
    let Some((first, others)) = contestants.split_first() else { return Ok(()) };
    let mut expected = Expected::new(row, first.name, result(first)?)?;
    for other in others {
        expected.compare(other.name, &result(other)?)?;
    }
    expected.tolerance = expected.tolerance.max(TOLERANCE_OF_PEERS);
    for peer in peers {
        peer.run()?;
        let found = peer.result(row, sizes)?;
        expected.compare(peer.name(), &found)?;
    }
    Ok(())
}

/// What all results are compared with.
pub(super) struct Expected {
    /// Whose result it is.
    of: &'static str,
    numbers: Vec<f64>,
    /// The root mean square.
    magnitude: f64,
    pub(super) tolerance: f64,
}

impl Expected {
    pub(super) fn new(row: &Row, of: &'static str, numbers: Vec<f64>) -> Result<Expected> {
        let spec = row.algorithmic.spec;
        let mut elements = spec.params.iter().map(|it| it.elem).chain(spec.results.iter().map(|it| it.elem));
        let is_single = elements.any(|elem| elem == ScalarType::F32);
        let tolerance = if is_single { TOLERANCE } else { TOLERANCE_OF_DOUBLES };
        let mean_square = numbers.iter().map(|x| x * x).sum::<f64>() / numbers.len().max(1) as f64;
        let magnitude = mean_square.sqrt();
        if magnitude.is_nan() {
            return Err(format!("the {of} kernel leaves elements out, or computes no numbers").into());
        }
        Ok(Expected { of, numbers, magnitude, tolerance })
    }

    pub(super) fn compare(&self, name: &str, found: &[f64]) -> Result<()> {
        let Expected { of, numbers, magnitude, tolerance } = self;
        if found.len() != numbers.len() {
            return Err(format!("{name}: {} elements instead of {}", found.len(), numbers.len()).into());
        }
        let differs = |&(_, (a, b)): &(usize, (&f64, &f64))| {
            let error = (a - b).abs();
            error.is_nan() || error > tolerance * a.abs().max(*magnitude)
        };
        match numbers.iter().zip(found).enumerate().find(differs) {
            None => Ok(()),
            Some((place, (a, b))) => {
                Err(format!("element {place} is {b} in the {name} kernel, {a} in the {of} one").into())
            }
        }
    }
}

/// All that run in a row, in this order: an opponent, the algorithmic kernel, the low-level one, other versions, and the algorithmic
/// kernel on the host.
fn participants(
    row: &Row,
    device: &Device,
    sizes: &[usize],
    conditions: Conditions,
) -> Result<Vec<Contestant>> {
    let mut all = match conditions.opponents {
        true => contestants(row, device, row.tuned(device), sizes)?,
        false => vec![algorithmic(row, device)?],
    };
    if conditions.versions == Versions::All {
        let others = others(row, device, &all, sizes)?;
        all.extend(others);
    }
    if conditions.host && !is_host(device) {
        all.push(Contestant { name: HOST, ..algorithmic(row, &Device::cpu())? });
    }
    if !conditions.checked {
        all.iter_mut().for_each(Contestant::skip_checks);
    }
    Ok(all)
}

/// Measures a row at these sizes: the median of so many runs.
///
/// # Errors
///
/// When the kernels do not agree, or when one of them cannot run.
pub fn measure(row: &Row, device: &Device, sizes: &[usize], conditions: Conditions) -> Result<Measured> {
    measure_with(row, device, &mut [], sizes, conditions)
}

/// The same with other programs in the same rounds, as far as they know the row. They are compared with the host.
///
/// # Errors
///
/// The same, and when a program ends or says what it should not.
pub fn measure_with(
    row: &Row,
    device: &Device,
    peers: &mut [Peer],
    sizes: &[usize],
    conditions: Conditions,
) -> Result<Measured> {
    let contestants = participants(row, device, sizes, conditions)?;
    let mut know = Vec::new();
    for peer in peers {
        if peer.prepare(row, sizes)? {
            know.push(peer);
        }
    }
    agreeing(row, &contestants, &mut know, sizes)?;
    let all = bytes(row.algorithmic.spec, sizes)?;
    let bytes = row.bytes.map_or(all, |bytes| bytes(sizes));
    let count = match conditions.caches {
        Caches::Cold => buffer_sets(device, all),
        Caches::Warm => 1,
    };
    let grounds = Grounds::new(row, device, &contestants, sizes, count)?;
    let (mut clocks, foreign) = in_rounds(&contestants, &mut know, grounds, conditions)?;
    let of_peers = clocks.split_off(contestants.len());
    let copy = copies(device, bytes, count, conditions.runs)?;
    let tuned = if conditions.opponents { row.tuned(device) } else { &NOTHING };
    let mut named: Vec<(&str, Clock)> = contestants.iter().map(|it| it.name).zip(clocks).collect();
    let mut take = |name: &str| {
        let place = named.iter().position(|(other, _)| *other == name)?;
        Some(named.remove(place).1)
    };
    let algorithmic = take(ALGORITHMIC).ok_or("the algorithmic kernel was not measured")?;
    let host = take(HOST);
    let ours = host.as_ref().unwrap_or(&algorithmic);
    let rival = |name: &str, clock: Clock| {
        let ratios = ours.ratios(&clock);
        Rival { name: name.to_string(), ratios, times: clock.times() }
    };
    let opencl = host.is_some().then(|| rival("OpenCL", algorithmic.clone()));
    let programs = know.iter().zip(of_peers).map(|(peer, clock)| rival(peer.name(), clock));
    let rivals = opencl.into_iter().chain(programs).collect();
    let mut times = |name| take(name).map(Clock::times);
    Ok(Measured {
        sizes: sizes.to_vec(),
        shape: tuned.hand.map(|hand| hand.shape()),
        hand: times(HAND_WRITTEN),
        naive: if tuned.hand.is_none() && conditions.opponents { times(NAIVE) } else { None },
        low: times(LOW_LEVEL),
        algorithmic: algorithmic.times(),
        others: named.into_iter().map(|(_, clock)| clock.times()).collect(),
        host: host.map(Clock::times),
        rivals,
        copy,
        bytes,
        operations: (row.operations)(sizes),
        foreign,
    })
}

/// A queue, and sets of arrays that are used in turn: with several of them, consecutive launches never use the same one.
struct Ground {
    queue: Queue,
    sets: Vec<Arrays>,
    turn: usize,
}

impl Ground {
    fn new(row: &Row, device: &Device, sizes: &[usize], count: usize) -> Result<Ground> {
        let sets = (1..=count).map(|seed| Arrays::new(device, row, sizes, seed as u64));
        Ok(Ground { queue: device.queue()?, sets: sets.collect::<Result<_>>()?, turn: 0 })
    }

    fn run(&mut self, contestant: &Contestant) -> Result<Event> {
        self.turn = (self.turn + 1) % self.sets.len().max(1);
        let arrays = self.sets.get_mut(self.turn).ok_or("there are no arrays")?;
        contestant.launch(&self.queue, arrays)
    }
}

/// That of a device, and that of the host beside it.
struct Grounds {
    device: Ground,
    host: Option<Ground>,
}

impl Grounds {
    fn new(
        row: &Row,
        device: &Device,
        contestants: &[Contestant],
        sizes: &[usize],
        count: usize,
    ) -> Result<Grounds> {
        let has_host = contestants.iter().any(|contestant| contestant.name == HOST);
        let host = has_host.then(|| Ground::new(row, &Device::cpu(), sizes, 1)).transpose()?;
        Ok(Grounds { device: Ground::new(row, device, sizes, count)?, host })
    }

    fn run(&mut self, contestant: &Contestant) -> Result<(Duration, &'static str)> {
        let host = self.host.as_mut().filter(|_| contestant.name == HOST);
        let event = host.unwrap_or(&mut self.device).run(contestant)?;
        Ok((event.kernel_time()?, event.variant()))
    }
}

/// All contestants in turn, round by round, and the share of the processor that others took meanwhile. What ran before leaves its mark
/// on short kernels, so it is another one in every round, and done.
fn in_rounds(
    contestants: &[Contestant],
    peers: &mut [&mut Peer],
    mut grounds: Grounds,
    conditions: Conditions,
) -> Result<(Vec<Clock>, Option<f64>)> {
    let Conditions { runs, quiet, .. } = conditions;
    let count = contestants.len() + peers.len();
    let children: Vec<u32> = peers.iter().map(|peer| peer.id()).collect();
    let mut clocks = vec![Clock::default(); count];
    let (mut order, mut random) = ((0..count).collect::<Vec<_>>(), Random::new(1));
    // The rounds since the load was last asked for are `spell`.
    let (mut kept, mut spell, mut shares) = (0, 0, 0.0);
    let (begin, mut load) = (Instant::now(), Load::start(&children));
    for round in 0.. {
        if round == WARM_UP {
            load = Load::start(&children);
        }
        random.shuffle(&mut order);
        for &place in &order {
            if clocks[place].wants(round) {
                let (time, variant) = match contestants.get(place) {
                    Some(contestant) => grounds.run(contestant)?,
                    None => (peers[place - contestants.len()].run()?, ""),
                };
                clocks[place].note(round, time, variant);
            }
        }
        if round < WARM_UP {
            continue;
        }
        spell += 1;
        if load.seconds() < SPELL && (quiet || kept + spell < runs) {
            continue;
        }
        let share = load.foreign();
        if quiet && share.is_some_and(|share| share > FOREIGN) {
            clocks.iter_mut().for_each(|clock| clock.forget(round + 1 - spell));
        } else {
            kept += spell;
            shares += share.unwrap_or(f64::NAN) * spell as f64;
        }
        (spell, load) = (0, Load::start(&children));
        if kept >= runs {
            break;
        }
        if quiet && begin.elapsed() > WAIT {
            if clocks.iter().any(|clock| clock.times.len() < FEWEST) {
                return Err("other programs leave too little of the processor".into());
            }
            break;
        }
    }
    Ok((clocks, Some(shares / kept as f64).filter(|share| share.is_finite())))
}

/// Copies leave caches full of what is still to be written: they come last.
fn copies(device: &Device, bytes: usize, count: usize, runs: usize) -> Result<Times> {
    let queue = device.queue()?;
    let mut copies = (0..count).map(|_| Copy::new(device, bytes)).collect::<Result<Vec<Copy>>>()?;
    let mut clock = Clock::default();
    for round in 0..WARM_UP + runs {
        if clock.wants(round) {
            let event = copies[round % count].start(&queue)?;
            clock.note(round, event.kernel_time()?, "");
        }
    }
    Ok(clock.times())
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
#[derive(Default, Clone)]
struct Clock {
    variant: &'static str,
    spent: Duration,
    /// In which round, and how long.
    times: Vec<(usize, Duration)>,
}

impl Clock {
    /// Whether there is another run in this round.
    fn wants(&self, round: usize) -> bool {
        self.spent < PATIENCE || (round >= WARM_UP && self.times.len() < FEWEST)
    }

    fn note(&mut self, round: usize, time: Duration, variant: &'static str) {
        self.variant = variant;
        self.spent += time;
        if round >= WARM_UP {
            self.times.push((round, time));
        }
    }

    /// Rounds from this one on do not count.
    fn forget(&mut self, from: usize) {
        let forgotten = self.times.iter().filter(|(round, _)| *round >= from);
        self.spent -= forgotten.map(|(_, time)| *time).sum::<Duration>();
        self.times.retain(|(round, _)| *round < from);
    }

    /// Another kernel's time in the same round as a multiple of this one's: the quartiles.
    fn ratios(&self, other: &Clock) -> [f64; 3] {
        let mut ratios: Vec<f64> = Vec::new();
        for (round, time) in &self.times {
            let same = other.times.iter().find(|(there, _)| there == round);
            ratios.extend(same.map(|(_, other)| other.as_secs_f64() / time.as_secs_f64()));
        }
        ratios.sort_by(f64::total_cmp);
        [1, 2, 3].map(|quarter| ratios.get(ratios.len() * quarter / 4).copied().unwrap_or(f64::NAN))
    }

    fn times(mut self) -> Times {
        self.times.sort_by_key(|(_, time)| *time);
        let ms = |run: Option<&(usize, Duration)>| run.map_or(f64::NAN, |(_, time)| time.as_secs_f64() * 1e3);
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
