//! A number of steps with callbacks between them.

use super::Stepper;
use super::progress::Progress;
use crate::error::Result;

/// Something to do with a simulation of type `S`.
type Callback<'a, S, R> = Box<dyn FnMut(&mut S) -> Result<R> + 'a>;

/// Steps that are about to be made; [`Steps::go`] makes them.
#[must_use = "`go` makes the steps"]
pub struct Steps<'a, S> {
    simulation: &'a mut S,
    total: u64,
    every: Vec<(u64, Callback<'a, S, ()>)>,
    until: Vec<(u64, Callback<'a, S, bool>)>,
    progress: bool,
}

impl<'a, S: AsMut<Stepper>> Steps<'a, S> {
    #[doc(hidden)]
    pub fn new(simulation: &'a mut S, total: u64) -> Steps<'a, S> {
        Steps { simulation, total, every: Vec::new(), until: Vec::new(), progress: false }
    }

    /// Calls `look` after every `steps` steps, with the simulation as it is then.
    pub fn every(mut self, steps: u64, look: impl FnMut(&mut S) -> Result<()> + 'a) -> Self {
        self.every.push((steps.max(1), Box::new(look)));
        self
    }

    /// Asks `is_over` after every `steps` steps, and stops when it says so.
    pub fn until(mut self, steps: u64, is_over: impl FnMut(&mut S) -> Result<bool> + 'a) -> Self {
        self.until.push((steps.max(1), Box::new(is_over)));
        self
    }

    /// Whether to show on the terminal (standard error, if that is one) how far the steps have come.
    pub fn progress(mut self, show: bool) -> Self {
        self.progress = show;
        self
    }

    /// Makes the steps, waits until they are done, and says how many there were.
    ///
    /// # Errors
    ///
    /// What a step or a callback reports; then no further steps are made.
    pub fn go(mut self) -> Result<u64> {
        let is_shown = self.progress && self.simulation.as_mut().ranks().is_first();
        let mut progress = is_shown.then(|| Progress::new(self.total));
        let mut done = 0;
        while done < self.total {
            let periods = self.every.iter().map(|(period, _)| *period);
            let periods = periods.chain(self.until.iter().map(|(period, _)| *period));
            let periods = periods.chain(progress.as_ref().map(Progress::period));
            let next = periods.map(|period| (done / period + 1).saturating_mul(period));
            let next = next.fold(self.total, u64::min);
            self.simulation.as_mut().run(next - done)?;
            done = next;
            for (_, look) in self.every.iter_mut().filter(|(period, _)| done.is_multiple_of(*period)) {
                look(self.simulation)?;
            }
            let mut is_over = false;
            for (_, ask) in self.until.iter_mut().filter(|(period, _)| done.is_multiple_of(*period)) {
                is_over |= ask(self.simulation)?;
            }
            if let Some(progress) = &mut progress {
                self.simulation.as_mut().wait()?;
                progress.show(done);
            }
            if is_over {
                break;
            }
        }
        self.simulation.as_mut().wait()?;
        Ok(done)
    }
}
