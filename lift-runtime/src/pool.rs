//! Buffers for temporaries, kept for the next program that needs them.

use std::sync::{Arc, Mutex};

use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::Result;
use crate::queue::QueueInner;

/// So many buffers are kept.
const CAPACITY: usize = 32;

/// The buffers of one device that no program uses from here on. Commands may still be running that do: they are
/// ordered before what the next owner starts, as for every buffer.
#[derive(Default)]
pub(crate) struct Pool {
    /// The one that was given back last at the end.
    free: Mutex<Vec<Arc<Buffer>>>,
}

impl Pool {
    /// Buffers of so many bytes each, new or used.
    pub(crate) fn take(
        &self,
        device: &Device,
        queue: &Arc<QueueInner>,
        bytes: &[usize],
    ) -> Result<Vec<Arc<Buffer>>> {
        let mut taken = Vec::with_capacity(bytes.len());
        for &bytes in bytes {
            let found = {
                let mut free = crate::lock(&self.free);
                // One that another queue still works with would make the two wait for each other.
                let fits = |buffer: &Arc<Buffer>| buffer.bytes() == bytes && buffer.is_free_for(queue);
                free.iter().rposition(fits).map(|position| free.remove(position))
            };
            let buffer = match found {
                Some(buffer) => Some(buffer),
                None => Buffer::new(device, bytes)?,
            };
            taken.extend(buffer);
        }
        Ok(taken)
    }

    /// Takes buffers back.
    pub(crate) fn give(&self, buffers: Vec<Arc<Buffer>>) {
        let dropped: Vec<Arc<Buffer>> = {
            let mut free = crate::lock(&self.free);
            free.extend(buffers);
            let surplus = free.len().saturating_sub(CAPACITY);
            free.drain(..surplus).collect()
        };
        drop(dropped);
    }

    /// Gives the memory back to the driver; whether there was any.
    pub(crate) fn clear(&self) -> bool {
        let all = std::mem::take(&mut *crate::lock(&self.free));
        !all.is_empty()
    }
}
