//! Arguments without their Rust types, as the launcher takes them.
//!
//! A typed launcher turns each of its arguments into one of these and hands over a list; that keeps generated
//! code to a few lines per method, and everything that is decided at run time in one place.

use std::borrow::Cow;
use std::sync::Arc;

use crate::array::{HostArray, HostArrayMut, Shaped};
use crate::buffer::{Buffer, DeviceArray, download};
use crate::device::Device;
use crate::error::Result;
use crate::scalar::{Scalar, ScalarValue};
use crate::solve::ArgShape;
use crate::spec::ScalarType;

/// An argument of `run`: host data, or a scalar.
pub struct HostArg<'a>(HostKind<'a>);

pub(crate) enum HostKind<'a> {
    Array { elem: ScalarType, extents: Vec<usize>, data: Box<dyn HostData + 'a> },
    Update { elem: ScalarType, extents: Vec<usize>, data: Box<dyn HostUpdate + 'a> },
    Scalar(ScalarValue),
}

/// Elements whose type is forgotten.
pub(crate) trait HostData {
    fn len(&self) -> usize;
    fn upload(&self, device: &Device) -> Result<Option<Arc<Buffer>>>;

    /// The device on which they are, if they are on one.
    fn device(&self) -> Option<&Device> {
        None
    }
}

/// The same for an array that the kernel updates. The host's array changes only in `commit`.
pub(crate) trait HostUpdate: HostData {
    fn fetch(&mut self, device: &Device, buffer: Option<&Buffer>) -> Result<()>;
    fn commit(&mut self);
}

impl<T: Scalar> HostData for Cow<'_, [T]> {
    fn len(&self) -> usize {
        (**self).len()
    }

    fn upload(&self, device: &Device) -> Result<Option<Arc<Buffer>>> {
        Buffer::holding(device, &T::to_device(self))
    }
}

/// Elements as bytes.
#[cfg(feature = "save")]
struct Bytes {
    bytes: Vec<u8>,
    size: usize,
}

#[cfg(feature = "save")]
impl HostData for Bytes {
    fn len(&self) -> usize {
        self.bytes.len() / self.size
    }

    fn upload(&self, device: &Device) -> Result<Option<Arc<Buffer>>> {
        Buffer::holding(device, &self.bytes)
    }
}

/// A host array, and what it is going to hold.
struct Target<'a, A, T, const D: usize> {
    array: &'a mut A,
    fetched: Vec<T>,
}

impl<T: Scalar, A: HostArrayMut<T, D>, const D: usize> HostData for Target<'_, A, T, D> {
    fn len(&self) -> usize {
        self.array.contiguous().len()
    }

    fn upload(&self, device: &Device) -> Result<Option<Arc<Buffer>>> {
        self.array.contiguous().upload(device)
    }
}

impl<T: Scalar, A: HostArrayMut<T, D>, const D: usize> HostUpdate for Target<'_, A, T, D> {
    fn fetch(&mut self, device: &Device, buffer: Option<&Buffer>) -> Result<()> {
        self.fetched = download(device, buffer, HostData::len(self))?;
        Ok(())
    }

    fn commit(&mut self) {
        self.array.overwrite(&self.fetched);
    }
}

impl<'a> HostArg<'a> {
    /// An array.
    pub fn array<T: Scalar, const D: usize>(array: &'a impl HostArray<T, D>) -> HostArg<'a> {
        let (extents, data) = (array.shape().to_vec(), Box::new(array.contiguous()));
        HostArg(HostKind::Array { elem: T::TYPE, extents, data })
    }

    /// A device array, of which the kernel gets a copy.
    pub(crate) fn copied<T: Scalar, const D: usize>(array: &'a DeviceArray<T, D>) -> HostArg<'a> {
        HostArg(HostKind::Array { elem: T::TYPE, extents: array.extents().to_vec(), data: Box::new(array) })
    }

    /// A scalar that is in memory on the device: an array of one element.
    #[must_use]
    pub fn one<T: Scalar>(value: T) -> HostArg<'a> {
        let data: Cow<'a, [T]> = Cow::Owned(vec![value]);
        HostArg(HostKind::Array { elem: T::TYPE, extents: vec![1], data: Box::new(data) })
    }

    /// An array that the kernel updates.
    pub fn update<T: Scalar, const D: usize>(array: &'a mut impl HostArrayMut<T, D>) -> HostArg<'a> {
        let extents = array.shape().to_vec();
        HostArg(HostKind::Update {
            elem: T::TYPE,
            extents,
            data: Box::new(Target { array, fetched: Vec::new() }),
        })
    }

    /// A scalar.
    #[must_use]
    pub fn scalar<T: Scalar>(value: T) -> HostArg<'a> {
        HostArg(HostKind::Scalar(ScalarValue::new(value)))
    }

    /// An array of these bytes, of which there are as many as it has.
    #[cfg(feature = "save")]
    pub(crate) fn of_bytes(elem: ScalarType, extents: Vec<usize>, bytes: Vec<u8>) -> HostArg<'a> {
        HostArg(HostKind::Array { elem, extents, data: Box::new(Bytes { bytes, size: elem.size() }) })
    }

    /// A scalar of these bytes.
    #[cfg(feature = "save")]
    pub(crate) fn of_scalar(elem: ScalarType, bytes: &[u8]) -> HostArg<'a> {
        HostArg(HostKind::Scalar(ScalarValue::of_bytes(elem, bytes)))
    }

    pub(crate) fn kind(&self) -> &HostKind<'a> {
        &self.0
    }

    /// The device of a device array.
    pub(crate) fn device(&self) -> Option<&Device> {
        match &self.0 {
            HostKind::Array { data, .. } => data.device(),
            HostKind::Update { .. } | HostKind::Scalar(_) => None,
        }
    }

    pub(crate) fn into_kind(self) -> HostKind<'a> {
        self.0
    }

    pub(crate) fn shape(&self) -> ArgShape<'_> {
        match &self.0 {
            HostKind::Array { elem, extents, .. } => ArgShape::array(*elem, extents),
            HostKind::Update { elem, extents, .. } => {
                ArgShape { is_mut: true, ..ArgShape::array(*elem, extents) }
            }
            HostKind::Scalar(value) => ArgShape::scalar(value.elem),
        }
    }
}

/// An argument of `launch`: a device array, or a scalar.
pub struct DeviceArg<'a>(DeviceKind<'a>);

pub(crate) enum DeviceKind<'a> {
    Array(DeviceData<'a>),
    Scalar(ScalarValue),
}

/// A device array whose type is forgotten.
pub(crate) struct DeviceData<'a> {
    pub(crate) elem: ScalarType,
    pub(crate) extents: &'a [usize],
    pub(crate) device: &'a Device,
    pub(crate) buffer: Option<&'a Arc<Buffer>>,
    is_mut: bool,
}

impl<'a> DeviceData<'a> {
    fn new<T: Scalar, const D: usize>(array: &'a DeviceArray<T, D>, is_mut: bool) -> DeviceData<'a> {
        let (device, buffer) = (array.device(), array.buffer());
        DeviceData { elem: T::TYPE, extents: array.extents(), device, buffer, is_mut }
    }

    fn shape(&self) -> ArgShape<'a> {
        ArgShape { is_mut: self.is_mut, ..ArgShape::array(self.elem, self.extents) }
    }
}

impl<'a> DeviceArg<'a> {
    /// An array.
    #[must_use]
    pub fn array<T: Scalar, const D: usize>(array: &'a DeviceArray<T, D>) -> DeviceArg<'a> {
        DeviceArg(DeviceKind::Array(DeviceData::new(array, false)))
    }

    /// A scalar in memory: an array of one element.
    #[must_use]
    pub fn one<T: Scalar>(array: &'a DeviceArray<T, 0>) -> DeviceArg<'a> {
        DeviceArg(DeviceKind::Array(DeviceData { extents: &[1], ..DeviceData::new(array, false) }))
    }

    /// An array that the kernel updates.
    #[must_use]
    pub fn update<T: Scalar, const D: usize>(array: &'a mut DeviceArray<T, D>) -> DeviceArg<'a> {
        DeviceArg(DeviceKind::Array(DeviceData::new(array, true)))
    }

    /// A scalar.
    #[must_use]
    pub fn scalar<T: Scalar>(value: T) -> DeviceArg<'a> {
        DeviceArg(DeviceKind::Scalar(ScalarValue::new(value)))
    }

    pub(crate) fn kind(&self) -> &DeviceKind<'a> {
        &self.0
    }

    pub(crate) fn shape(&self) -> ArgShape<'a> {
        match &self.0 {
            DeviceKind::Array(data) => data.shape(),
            DeviceKind::Scalar(value) => ArgShape::scalar(value.elem),
        }
    }
}

/// A device array for a leaf of the result.
pub struct DeviceOut<'a>(DeviceData<'a>);

impl<'a> DeviceOut<'a> {
    /// The array, which gets new contents.
    #[must_use]
    pub fn array<T: Scalar, const D: usize>(array: &'a mut DeviceArray<T, D>) -> DeviceOut<'a> {
        DeviceOut(DeviceData::new(array, true))
    }

    pub(crate) fn data(&self) -> &DeviceData<'a> {
        &self.0
    }

    pub(crate) fn shape(&self) -> ArgShape<'a> {
        self.0.shape()
    }
}

/// An argument of which only the shape matters, wherever its elements are.
pub struct ShapeArg {
    elem: ScalarType,
    extents: Option<Vec<usize>>,
}

impl ShapeArg {
    /// An array.
    pub fn array<T: Scalar, const D: usize>(array: &impl Shaped<T, D>) -> ShapeArg {
        ShapeArg { elem: T::TYPE, extents: Some(array.shape().to_vec()) }
    }

    /// A scalar in memory: an array of one element.
    #[must_use]
    pub fn one<T: Scalar>(_: T) -> ShapeArg {
        ShapeArg { elem: T::TYPE, extents: Some(vec![1]) }
    }

    /// A scalar.
    #[must_use]
    pub fn scalar<T: Scalar>(_: T) -> ShapeArg {
        ShapeArg { elem: T::TYPE, extents: None }
    }

    pub(crate) fn shape(&self) -> ArgShape<'_> {
        // Only the shape matters.
        ArgShape { elem: self.elem, extents: self.extents.as_deref(), is_mut: true }
    }
}
