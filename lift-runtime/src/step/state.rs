//! What a simulation's arrays hold, leaf after leaf, like the results of a launch.

use ndarray::{Dim, Dimension};

use super::Stepper;
use crate::array::{Host, shaped};
use crate::buffer::{DeviceArray, copy};
use crate::error::Result;
use crate::scalar::Scalar;

/// Copies of a parameter's leaves on the host, to be taken in order.
pub struct State<'a> {
    stepper: &'a Stepper,
    leaf: usize,
}

/// Copies of a parameter's leaves on the device, to be taken in order.
pub struct Snapshot<'a> {
    stepper: &'a Stepper,
    leaf: usize,
}

impl Stepper {
    /// What the parameter holds now whose first leaf is number `leaf`.
    #[doc(hidden)]
    #[must_use]
    pub fn state(&self, leaf: usize) -> State<'_> {
        State { stepper: self, leaf }
    }

    /// The same in device memory of its own.
    #[doc(hidden)]
    #[must_use]
    pub fn snapshot(&self, leaf: usize) -> Snapshot<'_> {
        Snapshot { stepper: self, leaf }
    }

    /// The extents of an array with elements of type `T` and `D` dimensions.
    fn typed<T: Scalar, const D: usize>(&self, leaf: usize) -> Result<[usize; D]> {
        let (extents, param) = (self.shape(leaf)?, self.param(leaf)?);
        // A scalar is an array of one element in memory.
        let extents = if D == 0 && extents == [1] { &[] } else { extents };
        match <[usize; D]>::try_from(extents) {
            Ok(extents) if param.elem == T::TYPE => Ok(extents),
            _ => Err(self.wrong(format!("`{}` is not an array of rank {D} of {}", param.name, T::TYPE))),
        }
    }
}

impl State<'_> {
    /// The next leaf, after all steps made so far.
    ///
    /// # Errors
    ///
    /// When a step failed, or the leaf is something else.
    pub fn array<T: Scalar, const D: usize>(&mut self) -> Result<Host<T, D>>
    where
        Dim<[usize; D]>: Dimension,
    {
        let (extents, leaf) = (self.stepper.typed::<T, D>(self.leaf)?, self.leaf);
        self.leaf += 1;
        shaped(extents, self.stepper.download(leaf, |part| part.buffer(leaf))?)
    }
}

impl State<'_> {
    /// The next leaf, a scalar.
    ///
    /// # Errors
    ///
    /// Those of [`State::array`].
    pub fn scalar<T: Scalar>(&mut self) -> Result<T> {
        // An array without dimensions has one element.
        self.array::<T, 0>().map(ndarray::Array0::into_scalar)
    }
}

impl Snapshot<'_> {
    /// The next leaf, in new device memory.
    ///
    /// # Errors
    ///
    /// When the device has no memory left, or the leaf is something else.
    pub fn array<T: Scalar, const D: usize>(&mut self) -> Result<DeviceArray<T, D>> {
        let (extents, leaf) = (self.stepper.typed::<T, D>(self.leaf)?, self.leaf);
        self.leaf += 1;
        let mut array = self.stepper.device.alloc(extents)?;
        match self.stepper.parts.as_slice() {
            [part] if self.stepper.division.len() == 1 => {
                if let (Some(from), Some(to)) = (part.buffer(leaf), array.buffer()) {
                    copy(&part.queue, from, to)?;
                }
            }
            _ => array.fill(&self.stepper.download(leaf, |part| part.buffer(leaf))?)?,
        }
        Ok(array)
    }
}
