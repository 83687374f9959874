//! Whether all values are still finite, after each step.

use std::sync::Arc;

use super::tools::{self, Tool, buffer, number};
use super::{Stepper, elements};
use crate::buffer::{Buffer, download};
use crate::error::{Error, Result};

/// So many steps are enqueued before the host looks whether all went well.
pub(super) const INTERVAL: u64 = 256;

/// So many numbers are recorded.
const NUMBERS: usize = 3;

/// The record of each state that is made of floats.
pub(super) struct Finite {
    records: Vec<(usize, Arc<Buffer>)>,
    /// The step that comes before those that are watched now.
    base: u64,
}

impl Stepper {
    /// Whether to look, after each step, for values that are not finite. Each step then takes a little longer.
    /// The first step with such a value stops [`Stepper::run`], at most 256 steps later.
    ///
    /// # Errors
    ///
    /// When the device has no memory left.
    pub fn check_finite(&mut self, check: bool) -> Result<()> {
        self.finite = None;
        if check {
            let mut records = Vec::new();
            for leaf in self.states() {
                if tools::is_float(self.param(leaf)?.elem) {
                    records.push((leaf, Buffer::zeroed(&self.device, &self.queue, 4 * NUMBERS)?));
                }
            }
            self.finite = Some(Finite { records, base: self.done });
        }
        Ok(())
    }

    /// Starts looking at what the last step has computed.
    pub(super) fn watch(&mut self) -> Result<()> {
        let Some(finite) = &self.finite else { return Ok(()) };
        for (leaf, record) in &finite.records {
            let elem = self.param(*leaf)?.elem;
            let (Some(state), extents) = self.array(*leaf)? else { continue };
            let step = usize::try_from(self.done - finite.base).unwrap_or(usize::MAX);
            let inputs = [buffer(record), number(elements(extents)?), buffer(state), number(step)];
            self.tools.run(Tool::Finite, elem, &self.queue, &inputs)?;
        }
        Ok(())
    }

    /// Waits, and fails if a value was not finite.
    pub(super) fn expect_finite(&mut self) -> Result<()> {
        let Some(finite) = &self.finite else { return Ok(()) };
        for (leaf, record) in &finite.records {
            let numbers = download::<i32>(&self.device, Some(record), NUMBERS)?;
            let &[step, low, high] = numbers.as_slice() else { continue };
            let Some(step) = u64::try_from(step).ok().filter(|step| *step > 0) else { continue };
            let bits = |half: i32| u64::from(u32::from_ne_bytes(half.to_ne_bytes()));
            let mut at = usize::try_from(bits(high) << 32 | bits(low)).unwrap_or(usize::MAX);
            let (param, (_, extents)) = (self.param(*leaf)?, self.array(*leaf)?);
            let mut index = vec![0; extents.len()];
            for (position, extent) in index.iter_mut().zip(extents).rev() {
                (*position, at) =
                    (at.checked_rem(*extent).unwrap_or(0), at.checked_div(*extent).unwrap_or(0));
            }
            let (kernel, argument, step) = (&*self.spec.name, &*param.name, finite.base + step);
            return Err(Error::NotFinite { kernel, argument, step, index });
        }
        // What is recorded fits 32 bits.
        if let Some(finite) = &mut self.finite {
            finite.base = self.done;
        }
        Ok(())
    }
}
