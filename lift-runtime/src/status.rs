//! Indices from the data: whether they were in range and distinct, as the device recorded it.
//!
//! A kernel that gathers or scatters notes the first bad index in a small buffer: one that is out of range, or where
//! duplicates are looked for, one that occurs twice. Nobody waits for it. The arrays
//! which the launch wrote carry the buffer as a *doubt*, and hand it on to what is computed from them. It is read when somebody
//! waits for the event, or downloads such an array.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::buffer::{Buffer, download};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::plan::Plan;
use crate::spec::{KernelSpec, Site, Variant};

/// So many numbers are recorded.
const NUMBERS: usize = 5;

/// The bytes of them.
pub(crate) const BYTES: usize = 4 * NUMBERS;

/// The record of one program at certain sizes, for one launch or several that follow each other.
pub(crate) struct Status {
    device: Device,
    pub(crate) buffer: Arc<Buffer>,
    spec: &'static KernelSpec,
    variant: &'static Variant,
    /// For each site, the length of the array that is indexed.
    lens: Vec<u64>,
    /// For each site, the extents of the parameter whose elements are the indices; none if they are computed.
    sources: Vec<Vec<usize>>,
    new: AtomicBool,
}

impl Status {
    pub(crate) fn new(device: &Device, plan: &Plan) -> Result<Status> {
        let (device, buffer) = (device.clone(), Buffer::some(device, BYTES)?);
        let (spec, variant, lens, sources) =
            (plan.spec, plan.variant, plan.lens.clone(), plan.sources.clone());
        Ok(Status { device, buffer, spec, variant, lens, sources, new: AtomicBool::new(true) })
    }

    /// Whether nobody has asked this yet: then the buffer must be zeroed.
    pub(crate) fn is_new(&self) -> bool {
        self.new.swap(false, Ordering::Relaxed)
    }

    /// Whether a launch of `plan` would record the same.
    pub(crate) fn is_of(&self, plan: &Plan) -> bool {
        std::ptr::eq(self.spec, plan.spec)
            && self.variant.name == plan.variant.name
            && self.lens == plan.lens
            && self.sources == plan.sources
    }

    /// Waits for the launches that record here, and fails if one of them met a bad index.
    pub(crate) fn check(&self) -> Result<()> {
        let numbers = download::<i32>(&self.device, Some(&self.buffer), NUMBERS)?;
        let &[site, position, low, high, last] = numbers.as_slice() else { return Ok(()) };
        if site == 0 {
            return Ok(());
        }
        let (kernel, is_duplicate) = (&*self.spec.name, site < 0);
        let known = usize::try_from(site.unsigned_abs()).ok().and_then(|site| site.checked_sub(1));
        let known = known.and_then(|site| {
            Some((self.variant.sites.get(site)?, *self.lens.get(site)?, self.sources.get(site)?))
        });
        let Some((site, len, extents)) = known else {
            let problem = format!("place {site} of variant `{}` does not exist", self.variant.name);
            return Err(Error::Malformed { kernel, problem });
        };
        let bits = |half: i32| u64::from(u32::from_ne_bytes(half.to_ne_bytes()));
        let index = i64::from_ne_bytes((bits(high) << 32 | bits(low)).to_ne_bytes());
        let Site { operation, written, source, .. } = site;
        let indices = source.and_then(|leaf| self.spec.params.get(leaf)).map_or("", |param| &*param.name);
        let (position, last) = (bits(position), bits(last));
        if is_duplicate {
            // Which of the two came first is chance.
            let (first, second) = (position.min(last), position.max(last));
            return Err(Error::DuplicateIndex {
                kernel,
                operation,
                written,
                indices,
                index,
                positions: [first, second].map(|position| place(position, extents)),
            });
        }
        let position = place(last << 32 | position, extents);
        Err(Error::IndexOutOfRange { kernel, operation, written, indices, position, index, len })
    }
}

/// The position of an element in each dimension of an array of these extents, outermost first; of one without known
/// extents, what was recorded.
fn place(position: u64, extents: &[usize]) -> Vec<u64> {
    let mut rest = position;
    let mut place: Vec<u64> = Vec::new();
    for &extent in extents.iter().skip(1).rev() {
        let extent = (extent as u64).max(1);
        place.push(rest % extent);
        rest /= extent;
    }
    place.push(rest);
    place.reverse();
    place
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn positions_have_a_number_for_each_dimension() {
        assert_eq!(place(7, &[]), [7]);
        assert_eq!(place(7, &[9]), [7]);
        assert_eq!(place(23, &[3, 4, 5]), [1, 0, 3]);
        assert_eq!(place(5_000_000_001, &[50_000, 100_000]), [50_000, 1]);
    }
}
