//! Arguments without their Rust types, as the launcher takes them.
//!
//! A typed launcher turns each of its arguments into one of these and hands over a list; that keeps generated
//! code to a few lines per method, and everything that is decided at run time in one place.

use std::borrow::Cow;
use std::sync::Arc;

use crate::array::{HostArray, Shaped};
use crate::buffer::{Buffer, DeviceArray};
use crate::device::Device;
use crate::scalar::{Scalar, ScalarValue};
use crate::solve::ArgShape;
use crate::spec::ScalarType;

/// An argument of `run`: host data, or a scalar.
pub struct HostArg<'a>(HostKind<'a>);

pub(crate) enum HostKind<'a> {
    Array { elem: ScalarType, extents: Vec<usize>, data: Box<dyn HostData + 'a> },
    Scalar(ScalarValue),
}

/// Elements whose type is forgotten.
pub(crate) trait HostData {
    fn len(&self) -> usize;
    fn bytes(&self) -> Cow<'_, [u8]>;
}

impl<T: Scalar> HostData for Cow<'_, [T]> {
    fn len(&self) -> usize {
        (**self).len()
    }

    fn bytes(&self) -> Cow<'_, [u8]> {
        T::to_device(self)
    }
}

impl<'a> HostArg<'a> {
    /// An array.
    pub fn array<T: Scalar, const D: usize>(array: &'a impl HostArray<T, D>) -> HostArg<'a> {
        let (extents, data) = (array.shape().to_vec(), Box::new(array.contiguous()));
        HostArg(HostKind::Array { elem: T::TYPE, extents, data })
    }

    /// A scalar.
    #[must_use]
    pub fn scalar<T: Scalar>(value: T) -> HostArg<'a> {
        HostArg(HostKind::Scalar(ScalarValue::new(value)))
    }

    pub(crate) fn kind(&self) -> &HostKind<'a> {
        &self.0
    }

    pub(crate) fn shape(&self) -> ArgShape<'_> {
        match &self.0 {
            HostKind::Array { elem, extents, .. } => ArgShape { elem: *elem, extents: Some(extents) },
            HostKind::Scalar(value) => ArgShape { elem: value.elem, extents: None },
        }
    }
}

/// An argument of `launch`: a device array, or a scalar.
pub struct DeviceArg<'a>(DeviceKind<'a>);

pub(crate) enum DeviceKind<'a> {
    Array { elem: ScalarType, extents: &'a [usize], device: &'a Device, buffer: Option<&'a Arc<Buffer>> },
    Scalar(ScalarValue),
}

impl<'a> DeviceArg<'a> {
    /// An array.
    #[must_use]
    pub fn array<T: Scalar, const D: usize>(array: &'a DeviceArray<T, D>) -> DeviceArg<'a> {
        let (device, buffer) = (array.device(), array.buffer());
        DeviceArg(DeviceKind::Array { elem: T::TYPE, extents: array.extents(), device, buffer })
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
            DeviceKind::Array { elem, extents, .. } => ArgShape { elem: *elem, extents: Some(extents) },
            DeviceKind::Scalar(value) => ArgShape { elem: value.elem, extents: None },
        }
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

    /// A scalar.
    #[must_use]
    pub fn scalar<T: Scalar>(_: T) -> ShapeArg {
        ShapeArg { elem: T::TYPE, extents: None }
    }

    pub(crate) fn shape(&self) -> ArgShape<'_> {
        ArgShape { elem: self.elem, extents: self.extents.as_deref() }
    }
}
