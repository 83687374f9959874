//! What a launch yields, leaf after leaf: typed launchers know the types and ask in their order.

use std::sync::Arc;

use ndarray::{Dim, Dimension};

use crate::args::{HostArg, UpdateData};
use crate::array::{Host, elements, shaped};
use crate::buffer::{Buffer, DeviceArray, into_elements};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::nested::Nested;
use crate::scalar::Scalar;
use crate::solve::check_result;
use crate::spec::{Access, KernelSpec};

/// The extents of every leaf of a result.
pub(crate) struct Leaves {
    spec: &'static KernelSpec,
    extents: Vec<Vec<usize>>,
    next: usize,
}

impl Leaves {
    pub(crate) fn new(spec: &'static KernelSpec, extents: Vec<Vec<usize>>) -> Leaves {
        Leaves { spec, extents, next: 0 }
    }

    /// The number and the extents of the next leaf, which must be of this type.
    fn next<T: Scalar, const D: usize>(&mut self) -> Result<(usize, [usize; D])> {
        let leaf = self.next;
        self.next += 1;
        let missing = || Error::Arguments {
            kernel: &self.spec.name,
            problem: format!("its result has {} parts, but one more was asked for", self.spec.results.len()),
        };
        let result = self.spec.results.get(leaf).ok_or_else(missing)?;
        check_result(self.spec, result, T::TYPE, D)?;
        let extents = self.extents.get(leaf).ok_or_else(missing)?;
        // The rank was compared.
        Ok((leaf, <[usize; D]>::try_from(extents.as_slice()).map_err(|_| missing())?))
    }
}

/// An array of the host, and its copy on the device.
struct Updated<'a> {
    data: Box<dyn UpdateData + 'a>,
    /// The extents that both had at the launch.
    extents: Vec<usize>,
    buffer: Option<Arc<Buffer>>,
}

/// A launch on host data that has been started: its results, to be taken in order, and the arrays it updates.
pub struct Finished<'a> {
    device: Device,
    leaves: Leaves,
    results: Vec<Option<Arc<Buffer>>>,
    updates: Vec<Updated<'a>>,
}

impl<'a> Finished<'a> {
    /// `inputs` are the device's copies of `args`, as far as these are arrays.
    pub(crate) fn new(
        device: &Device,
        leaves: Leaves,
        results: Vec<Option<Arc<Buffer>>>,
        args: Vec<HostArg<'a>>,
        inputs: Vec<Option<Arc<Buffer>>>,
    ) -> Finished<'a> {
        let params = leaves.spec.params.iter();
        let updated =
            params.zip(args.into_iter().zip(inputs)).filter(|(param, _)| param.access == Access::Update);
        let updates = updated.filter_map(|(_, (arg, buffer))| {
            let (data, extents) = arg.into_update()?;
            Some(Updated { data, extents, buffer })
        });
        let updates = updates.collect();
        Finished { device: device.clone(), leaves, results, updates }
    }

    /// The next leaf of the result, an array.
    ///
    /// # Errors
    ///
    /// When the kernel failed, or the leaf is something else.
    pub fn array<T: Scalar, const D: usize>(&mut self) -> Result<Host<T, D>>
    where
        Dim<[usize; D]>: Dimension,
    {
        let (leaf, extents) = self.leaves.next::<T, D>()?;
        shaped(extents, self.data(leaf, &extents)?)
    }

    /// The next leaf of the result, a single value.
    ///
    /// # Errors
    ///
    /// When the kernel failed, or the leaf is something else.
    pub fn scalar<T: Scalar>(&mut self) -> Result<T> {
        let (leaf, extents) = self.leaves.next::<T, 0>()?;
        let problem = || "a single value is not an array".to_string();
        let kernel = &*self.leaves.spec.name;
        let data = self.data::<T>(leaf, &extents)?;
        data.first().copied().ok_or_else(|| Error::Malformed { kernel, problem: problem() })
    }

    /// The next leaf of the result, an array in a struct.
    ///
    /// # Errors
    ///
    /// When the kernel failed, or the leaf is something else.
    pub fn nested<P: Nested, const D: usize>(&mut self) -> Result<P> {
        let (leaf, extents) = self.leaves.next::<P::Element, D>()?;
        let kernel = &*self.leaves.spec.name;
        let problem = || "an array in a struct has other extents".to_string();
        let data = self.data::<P::Element>(leaf, &extents)?;
        P::from_elements(&mut data.into_iter()).ok_or_else(|| Error::Malformed { kernel, problem: problem() })
    }

    fn data<T: Scalar>(&mut self, leaf: usize, extents: &[usize]) -> Result<Vec<T>> {
        let buffer = self.results.get_mut(leaf).and_then(Option::take);
        let data = into_elements(&self.device, buffer, elements(extents)?);
        data.map_err(|error| error.in_kernel(&self.leaves.spec.name))
    }

    /// Copies updated arrays back to the host: all of them, or none if something fails.
    ///
    /// # Errors
    ///
    /// When the kernel failed.
    pub fn commit(mut self) -> Result<()> {
        for Updated { data, extents, buffer } in &mut self.updates {
            let fetched = data.fetch(&self.device, buffer.as_deref(), elements(extents)?);
            fetched.map_err(|error| error.in_kernel(&self.leaves.spec.name))?;
        }
        self.updates.iter_mut().for_each(|updated| updated.data.commit());
        Ok(())
    }
}

/// The result of a launch that has not happened: its extents, or memory for it.
pub struct Outputs {
    pub(crate) device: Device,
    pub(crate) leaves: Leaves,
}

impl Outputs {
    /// Device memory for the next leaf; a single value has rank 0.
    ///
    /// # Errors
    ///
    /// When the device has no memory left, or the leaf is something else.
    pub fn array<T: Scalar, const D: usize>(&mut self) -> Result<DeviceArray<T, D>> {
        let extents = self.shape::<T, D>()?;
        self.device.alloc(extents)
    }

    /// The extents of the next leaf.
    ///
    /// # Errors
    ///
    /// When the leaf is something else.
    pub fn shape<T: Scalar, const D: usize>(&mut self) -> Result<[usize; D]> {
        Ok(self.leaves.next::<T, D>()?.1)
    }
}
