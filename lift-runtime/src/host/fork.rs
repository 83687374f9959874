//! The parts of a launch, on several threads.

use std::any::Any;
use std::collections::VecDeque;
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
    let mut pieces = given.chunks_mut(width.max(1)).enumerate();
    let threads = rayon::current_num_threads().min(parts.count());
    let shares = (1..=threads).map(|share| {
        let end = parts.count() * share / threads;
        let first = parts.count() * (share - 1) / threads;
        let share: VecDeque<(usize, Part<'_>)> = pieces
            .by_ref()
            .take(end - first)
            .map(|(part, given)| (part, Part::new(shape, parts.items(part), given)))
            .collect();
        Mutex::new(share)
    });
    let work = Work { run, shares: shares.collect(), fault: Mutex::new(None) };
    if parts.large || work.is_long(parts.count()) {
        rayon::in_place_scope(|scope| together(scope, &work, 0, threads));
    } else {
        work.help(0);
    }
    let fault = work.fault.into_inner().unwrap_or_else(PoisonError::into_inner);
    fault.map_or(Ok(()), |(_, text)| Err(text))
}

/// The parts that nobody has taken yet: a share for each thread, of parts that lie side by side, since neighbours read much of the same.
struct Work<'a> {
    run: Run,
    shares: Vec<Mutex<VecDeque<(usize, Part<'a>)>>>,
    /// What the first part that panicked said.
    fault: Mutex<Option<(usize, String)>>,
}

impl<'a> Work<'a> {
    /// Runs the first of so many parts. Few bytes may be little work, or much: that one tells.
    fn is_long(&self, count: usize) -> bool {
        let start = Instant::now();
        let first = lock(&self.shares[0]).pop_front();
        first.into_iter().for_each(|part| self.run(part));
        start.elapsed() * (count as u32 - 1) >= WORTH_A_FORK
    }

    /// Runs the parts of a share in order, then what is left of the others', from their ends.
    fn help(&self, own: usize) {
        // The lock is let go before a part runs.
        while let Some(part) = { lock(&self.shares[own]).pop_front() } {
            self.run(part);
        }
        for other in 1..self.shares.len() {
            let share = &self.shares[(own + other) % self.shares.len()];
            while let Some(part) = { lock(share).pop_back() } {
                self.run(part);
            }
        }
    }

    fn run(&self, (number, part): (usize, Part<'a>)) {
        if let Err(text) = catch(self.run, part) {
            let mut fault = lock(&self.fault);
            if fault.as_ref().is_none_or(|(first, _)| number < *first) {
                *fault = Some((number, text));
            }
        }
    }
}

/// The threads of these shares run the parts, this one those of the first. Waking a thread takes a while, so those that are awake wake others.
fn together<'a, 'scope>(scope: &rayon::Scope<'scope>, work: &'scope Work<'a>, first: usize, end: usize) {
    let mut end = end;
    while end - first > 1 {
        let middle = first + (end - first).div_ceil(2);
        scope.spawn(move |scope| together(scope, work, middle, end));
        end = middle;
    }
    work.help(first);
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
