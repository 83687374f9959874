//! The parts of a launch, on several threads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Part;
use super::part::{Given, Shape};
use super::split::Parts;
use crate::lock;

/// To wake a thread that sleeps and to wait for it takes about 11 µs: half of the work must be more than that.
const WORTH_A_FORK: Duration = Duration::from_micros(25);

type Run = fn(&mut Part<'_>);

/// Runs all parts; of those that panicked, the first one's text.
pub(super) fn run(run: Run, shape: Shape<'_>, parts: Parts, whole: Vec<Given<'_>>) -> Result<(), String> {
    // For as long as this function runs.
    let mut whole: Vec<Given<'_>> = whole;
    if parts.count() <= 1 {
        return match parts.count() {
            0 => Ok(()),
            _ => catch(run, Part::new(shape, parts.items(0), &mut whole)),
        };
    }
    let width = whole.len();
    // In one piece of memory.
    let mut given = Vec::with_capacity(parts.count() * width);
    for part in 0..parts.count() {
        let (first, last) = parts.items(part);
        // The last one takes all that is left.
        let items = (part + 1 < parts.count()).then_some(last - first);
        given.extend(whole.iter_mut().map(|argument| argument.take(items)));
    }
    // There are several parts only if there are arguments, but in tests.
    let pieces = given.chunks_mut(width.max(1)).enumerate();
    let work = Work {
        run,
        parts: Mutex::new(pieces.map(|(part, given)| (part, Part::new(shape, parts.items(part), given)))),
        fault: Mutex::new(None),
    };
    if parts.large || work.is_long(parts.count()) {
        let helpers = rayon::current_num_threads().min(parts.count()) - 1;
        rayon::in_place_scope(|scope| together(scope, &work, helpers));
    } else {
        work.help();
    }
    let fault = work.fault.into_inner().unwrap_or_else(PoisonError::into_inner);
    fault.map_or(Ok(()), |(_, text)| Err(text))
}

/// The parts that nobody has taken yet.
struct Work<I> {
    run: Run,
    parts: Mutex<I>,
    /// What the first part that panicked said.
    fault: Mutex<Option<(usize, String)>>,
}

impl<'a, I: Iterator<Item = (usize, Part<'a>)>> Work<I> {
    /// Runs the first of so many parts. Few bytes may be little work, or much: that one tells.
    fn is_long(&self, count: usize) -> bool {
        let start = Instant::now();
        self.next();
        start.elapsed() * (count as u32 - 1) >= WORTH_A_FORK
    }

    /// Runs parts as long as there are any.
    fn help(&self) {
        while self.next() {}
    }

    /// Runs a part, if there is one.
    fn next(&self) -> bool {
        // The lock is let go before the part runs.
        let next = lock(&self.parts).next();
        let Some((number, part)) = next else { return false };
        if let Err(text) = catch(self.run, part) {
            let mut fault = lock(&self.fault);
            if fault.as_ref().is_none_or(|(first, _)| number < *first) {
                *fault = Some((number, text));
            }
        }
        true
    }
}

/// This thread and so many others run the parts. Waking a thread takes a while, so those that are awake wake others.
fn together<'a, 'scope, I>(scope: &rayon::Scope<'scope>, work: &'scope Work<I>, helpers: usize)
where
    I: Iterator<Item = (usize, Part<'a>)> + Send,
{
    let mut left = helpers;
    while left > 0 {
        let half = left.div_ceil(2);
        left -= half;
        scope.spawn(move |scope| together(scope, work, half - 1));
    }
    work.help();
}

/// Runs a part; what it panicked with.
fn catch(run: Run, mut part: Part<'_>) -> Result<(), String> {
    // Nothing is used after a panic but what was written, and that has any values.
    catch_unwind(AssertUnwindSafe(|| run(&mut part))).map_err(|payload| text(&*payload))
}

fn text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a text").to_string()
}
