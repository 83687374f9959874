//! What ranks send to each other.

use std::fmt;
use std::ops::{Deref, DerefMut};

#[cfg(feature = "opencl")]
use crate::backend::opencl::Pinned;
use crate::device::Device;
use crate::error::Result;

/// Bytes that go from one rank to another. Where they come from a GPU, their memory is one that the device reads and writes without a copy by the
/// driver (pinned memory).
pub struct Message {
    memory: Bytes,
    len: usize,
}

enum Bytes {
    Plain(Vec<u8>),
    #[cfg(feature = "opencl")]
    Pinned(Pinned),
}

impl Message {
    /// So many bytes, for what a device sends or receives.
    pub(crate) fn of_device(device: &Device, len: usize) -> Result<Message> {
        #[cfg(feature = "opencl")]
        if !device.is_host() {
            // There is less of it than of other memory, which does as well.
            if let Ok(pinned) = device.pinned(len) {
                return Ok(Message { memory: Bytes::Pinned(pinned), len });
            }
        }
        let _ = device;
        Ok(vec![0; len].into())
    }

    /// The same memory for so many bytes, if it has room for them.
    pub(crate) fn resized(self, len: usize) -> std::result::Result<Message, Message> {
        let room = match &self.memory {
            Bytes::Plain(bytes) => bytes.len(),
            #[cfg(feature = "opencl")]
            Bytes::Pinned(bytes) => bytes.as_slice().len(),
        };
        if room < len { Err(self) } else { Ok(Message { len, ..self }) }
    }

    /// The bytes, in memory of their own.
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        match self.memory {
            Bytes::Plain(mut bytes) => {
                bytes.truncate(self.len);
                bytes
            }
            #[cfg(feature = "opencl")]
            Bytes::Pinned(_) => self.to_vec(),
        }
    }
}

impl From<Vec<u8>> for Message {
    fn from(bytes: Vec<u8>) -> Message {
        Message { len: bytes.len(), memory: Bytes::Plain(bytes) }
    }
}

impl Deref for Message {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let bytes = match &self.memory {
            Bytes::Plain(bytes) => bytes,
            #[cfg(feature = "opencl")]
            Bytes::Pinned(bytes) => bytes.as_slice(),
        };
        &bytes[..self.len]
    }
}

impl DerefMut for Message {
    fn deref_mut(&mut self) -> &mut [u8] {
        let bytes = match &mut self.memory {
            Bytes::Plain(bytes) => bytes,
            #[cfg(feature = "opencl")]
            Bytes::Pinned(bytes) => bytes.as_mut_slice(),
        };
        &mut bytes[..self.len]
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message of {} bytes", self.len)
    }
}
