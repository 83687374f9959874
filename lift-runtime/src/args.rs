//! Arguments without their Rust types, as the launcher takes them.
//!
//! A typed launcher turns each of its arguments into one of these and hands over a list. This keeps generated
//! code to a few lines per method, and everything that is decided at run time in one place.

use std::borrow::Cow;
use std::sync::Arc;

use crate::array::{HostArray, HostArrayMut, Shaped, expect_len};
use crate::buffer::{Buffer, DeviceArray, copy, download};
use crate::device::Device;
use crate::error::Result;
use crate::nested::Nested;
use crate::scalar::{Scalar, ScalarValue};
use crate::solve::ArgShape;
use crate::spec::ScalarType;

/// An argument of `run`: host data, or a scalar.
pub struct HostArg<'a>(HostKind<'a>);

enum HostKind<'a> {
    Array { elem: ScalarType, extents: Vec<usize>, data: HostData<'a> },
    Scalar(ScalarValue),
}

/// Host data whose element type is forgotten.
enum HostData<'a> {
    Read(Box<dyn ReadData + 'a>),
    Update(Box<dyn UpdateData + 'a>),
    /// On the device already.
    Device(DeviceData<'a>),
}

trait ReadData {
    /// The elements as the device takes them. An array of a user's own type is asked for them, and may answer
    /// differently the next time.
    fn bytes(&self) -> Cow<'_, [u8]>;
}

/// An array that the kernel updates. The host's changes only in `commit`.
pub(crate) trait UpdateData {
    fn bytes(&self) -> Cow<'_, [u8]>;
    /// Copies `len` elements from the device.
    fn fetch(&mut self, device: &Device, buffer: Option<&Buffer>, len: usize) -> Result<()>;
    fn commit(&mut self);
}

/// An argument as a launch sees it: a number of elements that was compared with the shape.
pub(crate) enum Seen<'a> {
    Array(Cow<'a, [u8]>),
    Device(Option<&'a Arc<Buffer>>),
    Scalar(ScalarValue),
}

impl Seen<'_> {
    /// Memory of a launch's own with the elements of an array, if there are any.
    pub(crate) fn upload(&self, device: &Device) -> Result<Option<Arc<Buffer>>> {
        match self {
            Seen::Array(bytes) => Buffer::holding(device, bytes),
            Seen::Device(Some(from)) => {
                let to = Buffer::some(device, from.bytes())?;
                copy(&device.queue()?, from, &to)?;
                Ok(Some(to))
            }
            Seen::Device(None) | Seen::Scalar(_) => Ok(None),
        }
    }
}

impl<T: Scalar> ReadData for Cow<'_, [T]> {
    fn bytes(&self) -> Cow<'_, [u8]> {
        T::to_device(self)
    }
}

/// A host array, and what it is going to hold.
struct Target<'a, A, T, const D: usize> {
    array: &'a mut A,
    fetched: Vec<T>,
}

impl<T: Scalar, A: HostArrayMut<T, D>, const D: usize> UpdateData for Target<'_, A, T, D> {
    fn bytes(&self) -> Cow<'_, [u8]> {
        match self.array.contiguous() {
            Cow::Borrowed(elements) => T::to_device(elements),
            Cow::Owned(elements) => Cow::Owned(T::to_device(&elements).into_owned()),
        }
    }

    fn fetch(&mut self, device: &Device, buffer: Option<&Buffer>, len: usize) -> Result<()> {
        self.fetched = download(device, buffer, len)?;
        Ok(())
    }

    fn commit(&mut self) {
        self.array.overwrite(&self.fetched);
    }
}

impl<'a> HostArg<'a> {
    /// An array.
    pub fn array<T: Scalar, const D: usize>(array: &'a impl HostArray<T, D>) -> HostArg<'a> {
        let data = HostData::Read(Box::new(array.contiguous()));
        HostArg(HostKind::Array { elem: T::TYPE, extents: array.shape().to_vec(), data })
    }

    /// A copy of an array in a struct.
    #[must_use]
    pub fn nested<P: Nested>(array: P) -> HostArg<'a> {
        let mut elements = Vec::new();
        array.push_to(&mut elements);
        let data: Cow<'a, [P::Element]> = Cow::Owned(elements);
        let (elem, data) = (<P::Element as Scalar>::TYPE, HostData::Read(Box::new(data)));
        HostArg(HostKind::Array { elem, extents: P::extents(), data })
    }

    /// A device array, of which the kernel gets a copy.
    pub(crate) fn copied<T: Scalar, const D: usize>(array: &'a DeviceArray<T, D>) -> HostArg<'a> {
        let data = HostData::Device(DeviceData::new(array, false));
        HostArg(HostKind::Array { elem: T::TYPE, extents: array.extents().to_vec(), data })
    }

    /// A scalar that is in memory on the device: an array of one element.
    #[must_use]
    pub fn one<T: Scalar>(value: T) -> HostArg<'a> {
        let data: Cow<'a, [T]> = Cow::Owned(vec![value]);
        HostArg(HostKind::Array { elem: T::TYPE, extents: vec![1], data: HostData::Read(Box::new(data)) })
    }

    /// An array that the kernel updates.
    pub fn update<T: Scalar, const D: usize>(array: &'a mut impl HostArrayMut<T, D>) -> HostArg<'a> {
        let extents = array.shape().to_vec();
        let data = HostData::Update(Box::new(Target { array, fetched: Vec::new() }));
        HostArg(HostKind::Array { elem: T::TYPE, extents, data })
    }

    /// A scalar.
    #[must_use]
    pub fn scalar<T: Scalar>(value: T) -> HostArg<'a> {
        HostArg(HostKind::Scalar(ScalarValue::new(value)))
    }

    /// An array of these bytes.
    #[must_use]
    pub fn of_bytes(elem: ScalarType, extents: Vec<usize>, bytes: Vec<u8>) -> HostArg<'a> {
        let bytes: Cow<'a, [u8]> = Cow::Owned(bytes);
        HostArg(HostKind::Array { elem, extents, data: HostData::Read(Box::new(bytes)) })
    }

    /// A scalar of these bytes.
    #[must_use]
    pub fn of_scalar(elem: ScalarType, bytes: &[u8]) -> HostArg<'a> {
        HostArg(HostKind::Scalar(ScalarValue::of_bytes(elem, bytes)))
    }

    /// The device of a device array.
    pub(crate) fn device(&self) -> Option<&Device> {
        match &self.0 {
            HostKind::Array { data: HostData::Device(data), .. } => Some(data.device),
            HostKind::Array { .. } | HostKind::Scalar(_) => None,
        }
    }

    /// What goes to the device. There is no other way to it, so that what was compared with the extents is what is
    /// uploaded. `argument` is the name for messages.
    pub(crate) fn see(&self, argument: &str) -> Result<Seen<'_>> {
        match &self.0 {
            HostKind::Array { elem, extents, data } => {
                let bytes = match data {
                    HostData::Read(data) => data.bytes(),
                    HostData::Update(data) => data.bytes(),
                    HostData::Device(data) => return Ok(Seen::Device(data.buffer)),
                };
                expect_len(argument, extents, bytes.len() / elem.size())?;
                Ok(Seen::Array(bytes))
            }
            HostKind::Scalar(value) => Ok(Seen::Scalar(*value)),
        }
    }

    /// The array that the kernel updates, if this is one, and its extents.
    pub(crate) fn into_update(self) -> Option<(Box<dyn UpdateData + 'a>, Vec<usize>)> {
        match self.0 {
            HostKind::Array { extents, data: HostData::Update(data), .. } => Some((data, extents)),
            HostKind::Array { .. } | HostKind::Scalar(_) => None,
        }
    }

    /// The extents of an array, as it gave them when it was passed.
    pub(crate) fn shape(&self) -> ArgShape<'_> {
        match &self.0 {
            HostKind::Array { elem, extents, data } => {
                ArgShape { is_mut: matches!(data, HostData::Update(_)), ..ArgShape::array(*elem, extents) }
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
