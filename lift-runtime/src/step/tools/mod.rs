//! What simulations do beside their steps: small kernels of the runtime's own, and the same on the host.

mod host;
#[cfg(feature = "opencl")]
mod kernels;

use std::sync::Arc;

use crate::buffer::Buffer;
use crate::device::Device;
use crate::enqueue::Input;
use crate::error::Result;
use crate::queue::Queue;
use crate::scalar::ScalarValue;
use crate::spec::ScalarType;

#[cfg(feature = "opencl")]
use kernels::Kernels;

/// What can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// `state[at] += samples[i]`
    Add,
    /// `record[k * room + i] = state[places[k]]` for each `k`, by one work-item.
    GatherByOne,
    /// The same by many.
    GatherByMany,
    /// `partial[item] = max |a - b|` over the item's elements
    #[cfg(feature = "opencl")]
    Change,
    /// Notes the first element that is not finite.
    Finite,
}

/// Whether a type has values that are not finite.
pub(super) fn is_float(elem: ScalarType) -> bool {
    matches!(elem, ScalarType::F32 | ScalarType::F64 | ScalarType::F16)
}

/// The larger of two, and NaN if one is.
pub(super) fn max_or_nan(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The tools for one device.
pub(super) struct Tools {
    /// Nothing on the host.
    #[cfg(feature = "opencl")]
    kernels: Option<Kernels>,
}

impl Tools {
    #[cfg(feature = "opencl")]
    pub(super) fn new(device: &Device) -> Tools {
        Tools { kernels: (!device.is_host()).then(|| Kernels::new(device)) }
    }

    #[cfg(not(feature = "opencl"))]
    pub(super) fn new(_: &Device) -> Tools {
        Tools {}
    }

    /// Starts a tool for arrays of `elem`. Numbers among the inputs are of type `usize`.
    #[cfg_attr(not(feature = "opencl"), expect(unused_variables, reason = "the host has no queues"))]
    pub(super) fn run(
        &mut self,
        tool: Tool,
        elem: ScalarType,
        queue: &Queue,
        inputs: &[Input<'_>],
    ) -> Result<()> {
        #[cfg(feature = "opencl")]
        if let Some(kernels) = &mut self.kernels {
            return kernels.run(tool, elem, queue, inputs);
        }
        host::run(tool, elem, inputs)
    }

    /// The largest difference between two arrays of `len` elements.
    #[cfg_attr(not(feature = "opencl"), expect(unused_variables, reason = "the host has no queues"))]
    pub(super) fn max_change(
        &mut self,
        elem: ScalarType,
        queue: &Queue,
        a: &Arc<Buffer>,
        b: &Arc<Buffer>,
        len: usize,
    ) -> Result<f64> {
        #[cfg(feature = "opencl")]
        if let Some(kernels) = &mut self.kernels {
            return kernels.max_change(elem, queue, a, b, len);
        }
        host::max_change(elem, a, b, len)
    }
}

/// Memory as an input.
pub(super) fn buffer(buffer: &Arc<Buffer>) -> Input<'static> {
    Input::Buffer(Arc::clone(buffer))
}

/// A number as an input.
pub(super) fn number(number: usize) -> Input<'static> {
    Input::Scalar(ScalarValue::new(number))
}
