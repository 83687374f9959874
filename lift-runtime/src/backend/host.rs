//! Queues and events of the host: commands run on the thread that starts them.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::wait;
use crate::error::{Error, Result};

/// A queue. It has no commands that are not over.
#[derive(Debug)]
pub(crate) struct Queue {
    timed: bool,
}

/// A command that is over.
#[derive(Debug)]
pub(crate) struct Event {
    /// Its start and end, if its queue is timed.
    times: Option<(u64, u64)>,
}

impl Queue {
    pub(crate) fn new(timed: bool) -> Queue {
        Queue { timed }
    }

    /// Runs a command. Nothing that others may wait for is locked meanwhile.
    pub(crate) fn run(
        &self,
        waits: &[Arc<super::Event>],
        command: impl FnOnce() -> Result<()>,
    ) -> Result<super::Event> {
        wait(waits)?;
        let start = self.timed.then(now);
        command()?;
        Ok(super::Event::Host(Event { times: start.map(|start| (start, now())) }))
    }
}

impl Event {
    pub(crate) fn times(&self) -> Result<(u64, u64)> {
        self.times.ok_or(Error::Untimed { kernel: None })
    }
}

/// Nanoseconds since the first question.
fn now() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}
