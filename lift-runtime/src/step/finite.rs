//! Whether all values are still finite, after each step.

use std::sync::Arc;

use super::tools::{self, Tool, buffer};
use super::{Stepper, elements};
use crate::buffer::{Buffer, download};
use crate::error::{Error, Result};

/// So many steps are enqueued before the host looks whether all went well.
pub(super) const INTERVAL: u64 = 256;

/// So many numbers are recorded.
const NUMBERS: usize = 3;

/// The record of each state of a part that is made of floats.
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
        let mut states = Vec::new();
        for leaf in self.states() {
            let elem = self.param(leaf)?.elem;
            states.extend(tools::is_float(elem).then_some(leaf));
        }
        for part in &mut self.parts {
            part.finite = None;
            if check {
                let record =
                    |leaf: &usize| Ok((*leaf, Buffer::zeroed(&part.device, &part.queue, 4 * NUMBERS)?));
                let records = states.iter().map(record).collect::<Result<Vec<_>>>()?;
                part.finite = Some(Finite { records, base: self.done });
            }
        }
        Ok(())
    }

    /// Starts looking at what the last step has computed.
    pub(super) fn watch(&mut self) -> Result<()> {
        for (number, part) in self.owners.own().zip(&mut self.parts) {
            let Some(finite) = &part.finite else { continue };
            for (leaf, record) in &finite.records {
                let param =
                    self.spec.params.get(*leaf).zip(self.extents.get(*leaf).and_then(Option::as_deref));
                let (Some((param, extents)), Some(state)) = (param, part.buffer(*leaf)) else { continue };
                let len = elements(&self.division.extents(*leaf, number, extents))?;
                let step = usize::try_from(self.done - finite.base).unwrap_or(usize::MAX);
                let inputs = [buffer(record), tools::number(len), buffer(state), tools::number(step)];
                part.tools.run(Tool::Finite, param.elem, &part.queue, &inputs)?;
            }
        }
        Ok(())
    }

    /// The first of what the ranks have found.
    fn first_of_all(
        &self,
        own: Option<(u64, usize, Vec<usize>)>,
    ) -> Result<Option<(u64, usize, Vec<usize>)>> {
        if !self.is_watched() || !self.owners.is_shared() {
            return Ok(own);
        }
        let numbers = own.map(|(step, leaf, index)| {
            let head = [step, leaf as u64];
            head.into_iter().chain(index.into_iter().map(|at| at as u64)).flat_map(u64::to_le_bytes).collect()
        });
        let all = self.owners.ranks.gather(numbers.unwrap_or_default())?;
        let found = all.iter().filter_map(|one: &Vec<u8>| {
            let (numbers, _) = one.as_chunks::<8>();
            let mut numbers = numbers.iter().map(|bytes| u64::from_le_bytes(*bytes));
            let (step, leaf) = (numbers.next()?, numbers.next()? as usize);
            Some((step, leaf, numbers.map(|at| at as usize).collect()))
        });
        Ok(found.min())
    }

    /// Waits, and fails if a value was not finite: with the first of the earliest step.
    pub(super) fn expect_finite(&mut self) -> Result<()> {
        let mut found: Option<(u64, usize, Vec<usize>)> = None;
        for (number, part) in self.numbered() {
            let Some(finite) = &part.finite else { continue };
            for (leaf, record) in &finite.records {
                let numbers = download::<i32>(&part.device, Some(record), NUMBERS)?;
                let &[step, low, high] = numbers.as_slice() else { continue };
                let Some(step) = u64::try_from(step).ok().filter(|step| *step > 0) else { continue };
                let bits = |half: i32| u64::from(u32::from_ne_bytes(half.to_ne_bytes()));
                let at = usize::try_from(bits(high) << 32 | bits(low)).unwrap_or(usize::MAX);
                let index = self.division.index(*leaf, number, self.shape(*leaf)?, at);
                let one = (finite.base + step, *leaf, index);
                if found.as_ref().is_none_or(|found| one < *found) {
                    found = Some(one);
                }
            }
        }
        if let Some((step, leaf, index)) = self.first_of_all(found)? {
            let (kernel, argument) = (&*self.spec.name, &*self.param(leaf)?.name);
            return Err(Error::NotFinite { kernel, argument, step, index });
        }
        // What is recorded fits 32 bits.
        for finite in self.parts.iter_mut().filter_map(|part| part.finite.as_mut()) {
            finite.base = self.done;
        }
        Ok(())
    }
}
