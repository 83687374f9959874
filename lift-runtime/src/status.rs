//! Indices from the data: whether they were in range and distinct, as the device recorded it.
//!
//! A kernel that gathers or scatters notes the first bad index in a small buffer: one that is out of range, or where
//! duplicates are looked for, one that occurs twice. Nobody waits for it: the arrays
//! which the launch wrote carry the buffer as a *doubt*, and hand it on to what is computed from them, until
//! somebody asks, by waiting for the event or by downloading.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::buffer::{Buffer, download};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::plan::Plan;
use crate::spec::{KernelSpec, Site, Variant};

/// So many numbers are recorded.
const NUMBERS: usize = 5;

/// The record of one program at certain sizes, for one launch or several that follow each other.
pub(crate) struct Status {
    device: Device,
    pub(crate) buffer: Arc<Buffer>,
    spec: &'static KernelSpec,
    variant: &'static Variant,
    /// For each site, the length of the array that is indexed.
    lens: Vec<u64>,
    new: AtomicBool,
}

impl Status {
    pub(crate) fn new(device: &Device, plan: &Plan) -> Result<Status> {
        let (device, buffer) = (device.clone(), Buffer::some(device, 4 * NUMBERS)?);
        let (spec, variant, lens) = (plan.spec, plan.variant, plan.lens.clone());
        Ok(Status { device, buffer, spec, variant, lens, new: AtomicBool::new(true) })
    }

    /// Whether nobody has asked this yet: then the buffer must be zeroed.
    pub(crate) fn is_new(&self) -> bool {
        self.new.swap(false, Ordering::Relaxed)
    }

    /// Whether a launch of `plan` would record the same.
    pub(crate) fn is_of(&self, plan: &Plan) -> bool {
        std::ptr::eq(self.spec, plan.spec) && self.variant.name == plan.variant.name && self.lens == plan.lens
    }

    /// Waits for the launches that record here, and fails if one of them met a bad index.
    pub(crate) fn check(&self) -> Result<()> {
        let numbers = download::<i32>(&self.device, Some(&self.buffer), NUMBERS)?;
        let &[site, position, low, high, other] = numbers.as_slice() else { return Ok(()) };
        if site == 0 {
            return Ok(());
        }
        let (kernel, is_duplicate) = (self.spec.name, site < 0);
        let known = usize::try_from(site.unsigned_abs()).ok().and_then(|site| site.checked_sub(1));
        let known = known.and_then(|site| Some((self.variant.sites.get(site)?, *self.lens.get(site)?)));
        let Some((site, len)) = known else {
            let problem = format!("place {site} of variant `{}` does not exist", self.variant.name);
            return Err(Error::Malformed { kernel, problem });
        };
        let bits = |half: i32| u64::from(u32::from_ne_bytes(half.to_ne_bytes()));
        let index = i64::from_ne_bytes((bits(high) << 32 | bits(low)).to_ne_bytes());
        let Site { operation, indices, .. } = *site;
        let position = bits(position);
        if is_duplicate {
            // Which of the two came first is chance.
            let (first, second) = (position.min(bits(other)), position.max(bits(other)));
            return Err(Error::DuplicateIndex {
                kernel,
                operation,
                indices,
                index,
                positions: [first, second],
            });
        }
        Err(Error::IndexOutOfRange { kernel, operation, indices, position, index, len })
    }
}
