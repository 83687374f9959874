//! Rows that parts of a simulation have of others: copies on a device, between devices, and messages between ranks.

use std::sync::Arc;

use super::Stepper;
use super::division::Halo;
use super::part::Part;
use crate::backend::Region;
use crate::buffer::{Buffer, copy_region, read_into};
use crate::device::Device;
use crate::error::Result;
use crate::ranks::{Exchanged, Message};

/// An array that each part has a buffer of.
#[derive(Clone, Copy)]
pub(super) enum Held {
    /// What a parameter's leaf is now.
    Now(usize),
    /// What was there before, in the memory of the next result of this number.
    Before(usize, usize),
}

impl Held {
    /// The leaf in question.
    fn leaf(self) -> usize {
        match self {
            Held::Now(leaf) | Held::Before(leaf, _) => leaf,
        }
    }

    fn buffer(self, part: &Part) -> Option<&Arc<Buffer>> {
        match self {
            Held::Now(leaf) => part.buffer(leaf),
            Held::Before(_, result) => part.spares.get(result),
        }
    }
}

impl Stepper {
    /// Gives all parts the rows that they have of others.
    pub(super) fn exchange(&mut self) -> Result<()> {
        if self.division.len() > 1 && self.stale > 0 {
            let mut arrays = Vec::new();
            for chain in self.rotation.chains.iter() {
                // States before the newest one were exchanged when they were that, if that is done after every step.
                let count = if self.stale == 1 { 1 } else { chain.places.len() };
                arrays.extend(chain.places.iter().take(count).map(|leaf| Held::Now(*leaf)));
            }
            self.exchange_rows(&arrays)?;
        }
        self.stale = 0;
        Ok(())
    }

    /// The same, also of what was there before a state, which only comparisons read.
    pub(super) fn exchange_all(&mut self) -> Result<()> {
        if self.division.steps() > 1 {
            let chains = self.rotation.chains.iter().filter(|chain| chain.places.len() == 1);
            let before: Vec<Held> = chains.map(|chain| Held::Before(chain.places[0], chain.result)).collect();
            self.exchange_rows(&before)?;
        }
        self.exchange()
    }

    fn exchange_rows(&mut self, arrays: &[Held]) -> Result<()> {
        // All ranks go through the same list, so that messages between two of them have the same order on both sides.
        let mut free = std::mem::take(&mut self.messages);
        let (mut messages, mut expected, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        for held in arrays.iter().copied() {
            let (leaf, extents, bytes) = self.leaf(held.leaf())?;
            for Halo { from: (from, first), to: (to, place), count } in self.division.halos(leaf) {
                let strips = [from, to].map(|part| self.division.strips(leaf, part, extents, bytes));
                let region = Region {
                    from: first * strips[0].row,
                    to: place * strips[1].row,
                    bytes: count * strips[0].row,
                    count: strips[0].count,
                    from_pitch: strips[0].pitch,
                    to_pitch: strips[1].pitch,
                };
                let len = region.bytes * region.count;
                if len == 0 {
                    continue;
                }
                let buffer = |part| {
                    let part = self.part(part)?;
                    Some((part, held.buffer(part)?))
                };
                match (buffer(from), buffer(to)) {
                    (Some((source, theirs)), Some((target, own))) if source.device == target.device => {
                        copy_region(&target.queue, theirs, own, region)?;
                    }
                    (Some((source, theirs)), Some((target, own))) => {
                        let mut message = memory(&mut free, &source.device, len)?;
                        pack((source, theirs, region), &mut message)?;
                        unpack((target, own, region), &message)?;
                        free.push(message);
                    }
                    (Some((source, theirs)), None) => {
                        let mut message = memory(&mut free, &source.device, len)?;
                        pack((source, theirs, region), &mut message)?;
                        messages.push((self.owners.of(to), message));
                    }
                    (None, Some((target, own))) => {
                        expected.push((self.owners.of(from), memory(&mut free, &target.device, len)?));
                        targets.push((target, own, region));
                    }
                    (None, None) => {}
                }
            }
        }
        let most = 2 * (messages.len() + expected.len()).max(1);
        let Exchanged { received, free: sent } = self.owners.ranks.exchange(messages, expected)?;
        targets.into_iter().zip(&received).try_for_each(|(target, bytes)| unpack(target, bytes))?;
        // The newest is what fits the next time.
        free.splice(0..0, received.into_iter().chain(sent));
        free.truncate(most);
        self.messages = free;
        Ok(())
    }
}

/// Memory for a message of this device, which may have been used before: pages that are new take longer to get than to fill.
fn memory(free: &mut Vec<Message>, device: &Device, len: usize) -> Result<Message> {
    for i in 0..free.len() {
        match free.swap_remove(i).resized(len) {
            Ok(message) => return Ok(message),
            Err(smaller) => {
                free.push(smaller);
                let last = free.len() - 1;
                free.swap(i, last);
            }
        }
    }
    Message::of_device(device, len)
}

/// Fills a message with the bytes of a region, one piece after the other. Several are put together on the device.
fn pack((part, from, region): (&Part, &Arc<Buffer>, Region), message: &mut [u8]) -> Result<()> {
    if region.count == 1 {
        return read_into(&part.queue, from, region.from, message);
    }
    let staged = staging(part, region)?;
    let packed = staged.iter().try_for_each(|packed| {
        copy_region(&part.queue, from, packed, Region { to: 0, to_pitch: region.bytes, ..region })?;
        read_into(&part.queue, packed, 0, message)
    });
    part.device.pool().give(staged);
    packed
}

/// Puts such bytes where they belong.
fn unpack((part, to, region): (&Part, &Arc<Buffer>, Region), message: &[u8]) -> Result<()> {
    if region.count == 1 {
        return to.write_on(&part.queue, region.to, message);
    }
    let staged = staging(part, region)?;
    let unpacked = staged.iter().try_for_each(|packed| {
        packed.write_on(&part.queue, 0, message)?;
        copy_region(&part.queue, packed, to, Region { from: 0, from_pitch: region.bytes, ..region }).map(drop)
    });
    part.device.pool().give(staged);
    unpacked
}

/// Memory for the pieces of a region, one after the other: one buffer.
fn staging(part: &Part, region: Region) -> Result<Vec<Arc<Buffer>>> {
    part.device.pool().take(&part.device, part.queue.inner(), &[region.bytes * region.count])
}
