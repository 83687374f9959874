//! A kernel's first version against its other versions and any number of opponents, which are left out where they cannot run.

use std::ops::Range;
use std::time::Duration;

use lift::spec::ScalarType;
use lift::{Device, Queue};

use super::arrays::{Arrays, bytes};
use super::run::{ALGORITHMIC, Contestant, Expected, algorithmic, described};
use super::{HandWritten, Result, Row};

/// Something written by hand.
#[derive(Clone)]
pub struct Opponent {
    /// What it is called.
    pub name: String,
    /// The program.
    pub program: HandWritten,
}

/// How long a contestant takes.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The version, or the opponent.
    pub name: String,
    /// Milliseconds: the one in the middle.
    pub median: f64,
}

/// What is known after all have run.
#[derive(Debug, Clone)]
pub struct Competition {
    /// The version that the launcher chooses.
    pub first: Standing,
    /// The other versions.
    pub versions: Vec<Standing>,
    /// The opponents.
    pub opponents: Vec<Standing>,
    /// Those that did not take part, and why.
    pub out: Vec<(String, String)>,
    /// Bytes of all arrays.
    pub bytes: usize,
}

/// Who takes so many times as long as the best does not run again.
const FAR: u32 = 3;

/// Nobody warms up for so long.
const LONG: Duration = Duration::from_millis(50);

/// How far floats may be apart, as a part of the larger of an element and the root mean square of all: long sums are regrouped. Whole numbers are the same.
const TOLERANCE: f64 = 4e-3;

/// So many bytes are used before the same ones again.
const IN_TURN: usize = 128 << 20;

/// Larger results are not compared here.
const MOST_COMPARED: usize = 1 << 22;

/// All versions of a row's kernel and its opponents, each so often.
///
/// # Errors
///
/// When the first version cannot run, or when another version computes something else.
pub fn compete(
    row: &Row,
    device: &Device,
    opponents: &[Opponent],
    sizes: &[usize],
    runs: usize,
) -> Result<Competition> {
    let queue = device.queue()?;
    let all = bytes(row.algorithmic.spec, sizes)?;
    let count = (IN_TURN / all.max(1)).clamp(1, 4) as u64;
    let mut sets =
        (0..count).map(|seed| Arrays::new(device, row, sizes, seed)).collect::<Result<Vec<_>>>()?;
    let ours = algorithmic(row, device)?;
    let first = ours.launch(&queue, &mut sets[0])?.variant();
    let mut trial = Trial { row, queue: &queue, arrays: &mut sets[0], expected: None };
    let mut named = vec![(first.to_string(), ours.launcher.variant(first)?)];
    for name in ours.launcher.variant_names().into_iter().filter(|name| *name != first) {
        named.push((name.to_string(), ours.launcher.variant(name)?));
    }
    let versions = named.len();
    let mut out = Vec::new();
    for Opponent { name, program } in opponents {
        match described(program.spec(row.algorithmic.spec), device) {
            Ok(launcher) => named.push((name.clone(), launcher)),
            Err(error) => out.push((name.clone(), error.to_string())),
        }
    }
    let mut entrants = Vec::new();
    for (place, (name, launcher)) in named.into_iter().enumerate() {
        let contestant = Contestant { name: ALGORITHMIC, launcher, scalars: ours.scalars };
        match trial.of(&name, &contestant) {
            Ok(time) => entrants.push(Entrant { place, name, contestant, first: time, times: Vec::new() }),
            Err(error) if place == 0 => return Err(error),
            Err(error) => out.push((name, error.to_string())),
        }
    }
    let best = entrants.iter().map(|entrant| entrant.first).min().unwrap_or_default();
    // With each launch, the next arrays: nobody finds in a cache what the one before has just read.
    let mut turns = (0..sets.len()).cycle();
    for _ in 0..runs {
        for entrant in entrants.iter_mut().filter(|entrant| entrant.place == 0 || entrant.first < FAR * best)
        {
            let turn = turns.next().unwrap_or_default();
            let event = entrant.contestant.launch(&queue, &mut sets[turn])?;
            entrant.times.push(event.kernel_time()?);
        }
    }
    let of = |places: Range<usize>| -> Vec<Standing> {
        entrants.iter().filter(|entrant| places.contains(&entrant.place)).map(Entrant::standing).collect()
    };
    let first = of(0..1).pop().ok_or("the first version did not run")?;
    Ok(Competition { first, versions: of(1..versions), opponents: of(versions..usize::MAX), out, bytes: all })
}

/// What takes part.
struct Entrant {
    /// The first version, the others, and the opponents.
    place: usize,
    name: String,
    contestant: Contestant,
    first: Duration,
    times: Vec<Duration>,
}

impl Entrant {
    fn standing(&self) -> Standing {
        let mut times = self.times.clone();
        times.sort();
        let median = times.get(times.len() / 2).unwrap_or(&self.first).as_secs_f64() * 1e3;
        Standing { name: self.name.clone(), median }
    }
}

/// Runs that are not counted, after which results are compared.
struct Trial<'a> {
    row: &'a Row,
    queue: &'a Queue,
    arrays: &'a mut Arrays,
    expected: Option<Expected>,
}

impl Trial<'_> {
    /// How long the second run takes, or the first one, if that is long.
    fn of(&mut self, name: &str, contestant: &Contestant) -> Result<Duration> {
        let mut time = contestant.launch(self.queue, self.arrays)?.kernel_time()?;
        if time < LONG {
            time = contestant.launch(self.queue, self.arrays)?.kernel_time()?;
        }
        if self.arrays.count() > MOST_COMPARED {
            return Ok(time);
        }
        let found = self.arrays.written()?;
        match &self.expected {
            Some(expected) => expected.compare(name, &found)?,
            None => {
                let mut expected = Expected::new(self.row, contestant.name, found)?;
                let mut results = self.row.algorithmic.spec.results.iter();
                expected.tolerance =
                    if results.all(|it| it.elem == ScalarType::I32) { 0.0 } else { TOLERANCE };
                self.expected = Some(expected);
            }
        }
        Ok(time)
    }
}
