//! What runs kernels: a driver of OpenCL, or this process.
//!
//! Each handle is an enum of the two. Handles of one device go together, which those who use them see to (`Device::expect_same`);
//! where two do not, that is an error. On the host, a command is over when the call returns that starts it, so there is never
//! anything to wait for.

pub(crate) mod host;
mod memory;
#[cfg(feature = "opencl")]
pub(crate) mod opencl;

use std::ffi::c_void;
use std::sync::Arc;

#[cfg(feature = "opencl")]
use opencl3::types::cl_event;

#[cfg(feature = "opencl")]
use crate::error::Error;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::spec::ScalarType;

pub(crate) use memory::{Memory as HostMemory, Reading, Writing, in_use};

/// A device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeviceId {
    #[cfg(feature = "opencl")]
    OpenCl(opencl::DeviceId),
    #[cfg_attr(not(feature = "host"), expect(dead_code, reason = "it is not among the devices then"))]
    Host,
}

/// What memory and queues of one device belong to.
#[derive(Debug)]
pub(crate) enum Context {
    #[cfg(feature = "opencl")]
    OpenCl(opencl::Context),
    Host,
}

/// A queue that runs its commands in order.
#[derive(Debug)]
pub(crate) enum CommandQueue {
    #[cfg(feature = "opencl")]
    OpenCl(opencl::CommandQueue),
    Host(host::Queue),
}

/// Memory on a device.
#[derive(Debug)]
pub(crate) enum Memory {
    #[cfg(feature = "opencl")]
    OpenCl(opencl::Memory),
    Host(HostMemory),
}

/// The end of one command.
#[derive(Debug)]
pub(crate) enum Event {
    #[cfg(feature = "opencl")]
    OpenCl(opencl::Event),
    Host(host::Event),
}

/// Bytes that are copied from one memory to another one: pieces at equal distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    /// Where the first piece begins, here and there.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// How long a piece is.
    pub(crate) bytes: usize,
    /// How many there are.
    pub(crate) count: usize,
    /// How far they are apart, here and there.
    pub(crate) from_pitch: usize,
    pub(crate) to_pitch: usize,
}

impl Region {
    /// The first bytes.
    pub(crate) fn first(bytes: usize) -> Region {
        Region { from: 0, to: 0, bytes, count: 1, from_pitch: bytes, to_pitch: bytes }
    }

    /// Where each piece begins, here and there.
    pub(crate) fn pieces(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.count).map(move |i| (self.from + i * self.from_pitch, self.to + i * self.to_pitch))
    }
}

/// The error of handles that do not belong together.
#[cfg(feature = "opencl")]
fn mixed() -> Error {
    Error::OtherDevice {
        user: "a queue".into(),
        what: "what it is used with".into(),
        expected: "one device".into(),
        found: "another".into(),
    }
}

/// The handles of OpenCL of commands to wait for.
#[cfg(feature = "opencl")]
fn raw(waits: &[Arc<Event>]) -> Vec<cl_event> {
    let handle = |event: &Arc<Event>| match &**event {
        Event::OpenCl(event) => Some(event.raw()),
        Event::Host(_) => None,
    };
    waits.iter().filter_map(handle).collect()
}

impl DeviceId {
    /// Whether this is the device that every program has.
    pub(crate) fn is_host(self) -> bool {
        matches!(self, DeviceId::Host)
    }

    /// The device of a driver, if it is one.
    #[cfg(feature = "opencl")]
    pub(crate) fn opencl(self) -> Result<opencl::DeviceId> {
        match self {
            DeviceId::OpenCl(id) => Ok(id),
            DeviceId::Host => Err(mixed()),
        }
    }
}

impl Context {
    pub(crate) fn new(device: DeviceId) -> Result<Context> {
        match device {
            #[cfg(feature = "opencl")]
            DeviceId::OpenCl(id) => opencl::Context::new(id).map(Context::OpenCl),
            DeviceId::Host => Ok(Context::Host),
        }
    }

    /// The context of a driver, if it is one.
    #[cfg(feature = "opencl")]
    pub(crate) fn opencl(&self) -> Result<&opencl::Context> {
        match self {
            Context::OpenCl(context) => Ok(context),
            Context::Host => Err(mixed()),
        }
    }
}

impl Memory {
    pub(crate) fn new(context: &Context, bytes: usize) -> Result<Memory> {
        match context {
            #[cfg(feature = "opencl")]
            Context::OpenCl(context) => opencl::Memory::new(context, bytes).map(Memory::OpenCl),
            Context::Host => HostMemory::new(bytes).map(Memory::Host),
        }
    }

    /// The same for elements which the host can take over as a vector.
    pub(crate) fn for_vector(context: &Context, elem: ScalarType, bytes: usize) -> Result<Memory> {
        match context {
            #[cfg(feature = "opencl")]
            Context::OpenCl(context) => opencl::Memory::new(context, bytes).map(Memory::OpenCl),
            Context::Host => HostMemory::for_vector(elem, bytes).map(Memory::Host),
        }
    }

    /// The elements as a vector, if that needs no copy.
    pub(crate) fn into_vector<T: Scalar>(self, len: usize) -> std::result::Result<Vec<T>, Memory> {
        match self {
            #[cfg(feature = "opencl")]
            Memory::OpenCl(_) => Err(self),
            Memory::Host(memory) => memory.into_vector(len).map_err(Memory::Host),
        }
    }

    /// The memory of a driver, if it is some.
    #[cfg(feature = "opencl")]
    pub(crate) fn opencl(&self) -> Result<&opencl::Memory> {
        match self {
            Memory::OpenCl(memory) => Ok(memory),
            Memory::Host(_) => Err(mixed()),
        }
    }

    /// Memory of this process, if it is some.
    pub(crate) fn host(&self) -> Result<&HostMemory> {
        match self {
            #[cfg(feature = "opencl")]
            Memory::OpenCl(_) => Err(mixed()),
            Memory::Host(memory) => Ok(memory),
        }
    }
}

impl CommandQueue {
    /// `timed` queues measure when each command starts and ends.
    pub(crate) fn new(context: &Context, device: DeviceId, timed: bool) -> Result<CommandQueue> {
        match (context, device) {
            #[cfg(feature = "opencl")]
            (Context::OpenCl(context), DeviceId::OpenCl(id)) => {
                opencl::CommandQueue::new(context, id, timed).map(CommandQueue::OpenCl)
            }
            (Context::Host, DeviceId::Host) => Ok(CommandQueue::Host(host::Queue::new(timed))),
            #[cfg(feature = "opencl")]
            (Context::OpenCl(_), DeviceId::Host) | (Context::Host, DeviceId::OpenCl(_)) => Err(mixed()),
        }
    }

    /// Whether each command is over when the call returns that starts it.
    pub(crate) fn is_host(&self) -> bool {
        matches!(self, CommandQueue::Host(_))
    }

    pub(crate) fn finish(&self) -> Result<()> {
        match self {
            #[cfg(feature = "opencl")]
            CommandQueue::OpenCl(queue) => queue.finish(),
            CommandQueue::Host(_) => Ok(()),
        }
    }

    pub(crate) fn flush(&self) -> Result<()> {
        match self {
            #[cfg(feature = "opencl")]
            CommandQueue::OpenCl(queue) => queue.flush(),
            CommandQueue::Host(_) => Ok(()),
        }
    }

    /// Copies `data` to `memory`, from `offset` on, and returns when it is there.
    pub(crate) fn write(
        &self,
        memory: &Memory,
        offset: usize,
        data: &[u8],
        waits: &[Arc<Event>],
    ) -> Result<()> {
        match self {
            #[cfg(feature = "opencl")]
            CommandQueue::OpenCl(queue) => queue.write(memory.opencl()?, offset, data, &raw(waits)),
            CommandQueue::Host(_) => wait(waits).and_then(|()| memory.host()?.fill_from(offset, data)),
        }
    }

    /// Starts writing zeros to the first `bytes` bytes of `memory`, a multiple of 4.
    pub(crate) fn zero(&self, memory: &Memory, bytes: usize, waits: &[Arc<Event>]) -> Result<Event> {
        match self {
            #[cfg(feature = "opencl")]
            CommandQueue::OpenCl(queue) => {
                queue.zero(memory.opencl()?, bytes, &raw(waits)).map(Event::OpenCl)
            }
            CommandQueue::Host(queue) => queue.run(waits, || memory.host()?.zero(bytes)),
        }
    }

    /// Copies `bytes` bytes of `memory` from `offset` on to `target` and returns when they are there, or with an error,
    /// also if `memory` does not have so many.
    ///
    /// # Safety
    ///
    /// `target` must be valid for writes of `bytes` bytes.
    pub(crate) unsafe fn read(
        &self,
        memory: &Memory,
        offset: usize,
        target: *mut c_void,
        bytes: usize,
        waits: &[Arc<Event>],
    ) -> Result<()> {
        match self {
            #[cfg(feature = "opencl")]
            CommandQueue::OpenCl(queue) => {
                // SAFETY: the caller's promise.
                unsafe { queue.read(memory.opencl()?, offset, target, bytes, &raw(waits)) }
            }
            CommandQueue::Host(_) => {
                wait(waits)?;
                // SAFETY: the caller's promise.
                unsafe { memory.host()?.copy_to(offset, target.cast(), bytes) }
            }
        }
    }

    /// Starts copying a region, which both memories have.
    pub(crate) fn copy(
        &self,
        from: &Memory,
        to: &Memory,
        region: Region,
        waits: &[Arc<Event>],
    ) -> Result<Event> {
        match self {
            #[cfg(feature = "opencl")]
            CommandQueue::OpenCl(queue) => {
                queue.copy(from.opencl()?, to.opencl()?, region, &raw(waits)).map(Event::OpenCl)
            }
            CommandQueue::Host(queue) => queue.run(waits, || to.host()?.copy_from(from.host()?, region)),
        }
    }

    /// Starts `kernel` with the arguments it has now.
    ///
    /// # Safety
    ///
    /// Every argument of the kernel must be set, and agree with the kernel's text.
    #[cfg(feature = "opencl")]
    pub(crate) unsafe fn launch(
        &self,
        kernel: &opencl::Kernel,
        global: &[usize],
        local: &[usize],
        waits: &[Arc<Event>],
    ) -> Result<Event> {
        match self {
            CommandQueue::OpenCl(queue) => {
                // SAFETY: the caller's promise.
                let event = unsafe { queue.launch(kernel, global, local, &raw(waits)) };
                event.map(Event::OpenCl)
            }
            CommandQueue::Host(_) => Err(mixed()),
        }
    }

    /// Runs a command of this process, which must be the host's own.
    pub(crate) fn run(&self, waits: &[Arc<Event>], command: impl FnOnce() -> Result<()>) -> Result<Event> {
        match self {
            #[cfg(feature = "opencl")]
            CommandQueue::OpenCl(_) => Err(mixed()),
            CommandQueue::Host(queue) => queue.run(waits, command),
        }
    }
}

/// Waits for commands, which can only be those of drivers.
fn wait(waits: &[Arc<Event>]) -> Result<()> {
    waits.iter().try_for_each(|event| event.wait())
}

impl Event {
    /// Blocks until the command has ended. A command that failed is an error with the command's own code.
    pub(crate) fn wait(&self) -> Result<()> {
        match self {
            #[cfg(feature = "opencl")]
            Event::OpenCl(event) => event.wait(),
            Event::Host(_) => Ok(()),
        }
    }

    /// Fails when the command has failed. One that is still running has not.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            #[cfg(feature = "opencl")]
            Event::OpenCl(event) => event.check(),
            Event::Host(_) => Ok(()),
        }
    }

    /// Whether the command has ended, well or badly.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            #[cfg(feature = "opencl")]
            Event::OpenCl(event) => event.is_over(),
            Event::Host(_) => true,
        }
    }

    /// Start and end of the command, in nanoseconds of the device's clock.
    pub(crate) fn times(&self) -> Result<(u64, u64)> {
        match self {
            #[cfg(feature = "opencl")]
            Event::OpenCl(event) => event.times(),
            Event::Host(event) => event.times(),
        }
    }
}
