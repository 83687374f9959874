//! Arrays on a device.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

use ndarray::{Dim, Dimension};

use crate::array::{Host, HostArray, Shaped, checked, elements, shaped};
use crate::backend::{Memory, Region};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::queue::{Commands, Event, Queue, QueueInner, Use, Waits};
use crate::scalar::Scalar;
use crate::spec::ScalarType;
use crate::status::Status;

/// An array of `D` dimensions in a device's memory.
///
/// ```
/// # fn main() -> lift_runtime::Result<()> {
/// use lift_runtime::Device;
///
/// let device = Device::best()?;
/// let mut image = device.upload(&[[1.0f32, 2.0], [3.0, 4.0]])?;
/// assert_eq!(image.shape(), [2, 2]);
/// image.write(&[[5.0, 6.0], [7.0, 8.0]])?;
/// assert_eq!(image.download()?[[1, 0]], 7.0);
/// # Ok(())
/// # }
/// ```
pub struct DeviceArray<T, const D: usize> {
    device: Device,
    shape: [usize; D],
    len: usize,
    /// Nothing for an array without elements: OpenCL has no buffers of zero bytes.
    buffer: Option<Arc<Buffer>>,
    // An array behaves like one that owns its elements.
    elements: PhantomData<T>,
}

impl<T: Scalar, const D: usize> DeviceArray<T, D> {
    /// `data`, if given, has as many elements as `shape` says.
    pub(crate) fn new(device: &Device, shape: [usize; D], data: Option<&[T]>) -> Result<DeviceArray<T, D>> {
        let len = elements(&shape)?;
        let buffer = match data {
            Some(data) => Buffer::holding(device, &T::to_device(data))?,
            None => Buffer::new(device, len * T::TYPE.size())?,
        };
        Ok(DeviceArray { device: device.clone(), shape, len, buffer, elements: PhantomData })
    }

    /// The extents, outermost first.
    #[must_use]
    pub fn shape(&self) -> [usize; D] {
        self.shape
    }

    /// The same elements, in the same order, as an array of other extents.
    ///
    /// # Errors
    ///
    /// [`Error::WriteShape`] when it would have another number of elements.
    ///
    /// ```
    /// # fn main() -> lift_runtime::Result<()> {
    /// let device = lift_runtime::Device::best()?;
    /// let rows = device.upload(&[[1.0_f32, 2.0], [3.0, 4.0]])?;
    /// let line = rows.reshape([4])?;
    /// assert_eq!(line.download()?.to_vec(), [1.0, 2.0, 3.0, 4.0]);
    /// assert!(line.reshape([3]).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn reshape<const E: usize>(self, shape: [usize; E]) -> Result<DeviceArray<T, E>> {
        if elements(&shape)? != self.len {
            return Err(Error::WriteShape { expected: self.shape.to_vec(), found: shape.to_vec() });
        }
        let DeviceArray { device, len, buffer, elements, .. } = self;
        Ok(DeviceArray { device, shape, len, buffer, elements })
    }

    /// The device whose memory this is.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Copies the array to the host, after everything launched on it so far.
    ///
    /// # Errors
    ///
    /// When a kernel that writes the array failed, or the host has no memory for it.
    pub fn download(&self) -> Result<Host<T, D>>
    where
        Dim<[usize; D]>: Dimension,
    {
        shaped(self.shape, download(&self.device, self.buffer.as_deref(), self.len)?)
    }

    /// Replaces all elements by host data of the same shape, after everything launched on the array so far.
    ///
    /// # Errors
    ///
    /// [`Error::WriteShape`] when the shapes differ.
    pub fn write(&mut self, data: impl HostArray<T, D>) -> Result<()> {
        let (shape, elements) = checked("the data", &data)?;
        if shape != self.shape {
            let (expected, found) = (self.shape.to_vec(), shape.to_vec());
            return Err(Error::WriteShape { expected, found });
        }
        self.fill(&elements)
    }

    /// Starts copying all elements from an array of the same shape on the same device, and returns at once.
    ///
    /// # Errors
    ///
    /// [`Error::WriteShape`] when the shapes differ, [`Error::OtherDevice`] when the devices do.
    ///
    /// ```
    /// # fn main() -> lift_runtime::Result<()> {
    /// let device = lift_runtime::Device::best()?;
    /// let x = device.upload(&[1.0_f32, 2.0])?;
    /// let mut y = device.alloc::<f32, 1>([2])?;
    /// y.copy_from(&device.queue()?, &x)?;
    /// assert_eq!(y.download()?.to_vec(), [1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn copy_from(&mut self, queue: &Queue, source: &DeviceArray<T, D>) -> Result<Event> {
        if source.shape != self.shape {
            let (expected, found) = (self.shape.to_vec(), source.shape.to_vec());
            return Err(Error::WriteShape { expected, found });
        }
        for device in [&source.device, &self.device] {
            if device != queue.device() {
                return Err(Error::OtherDevice {
                    user: "the queue of a copy".into(),
                    what: "one of its arrays".into(),
                    expected: queue.device().label().into(),
                    found: device.label().into(),
                });
            }
        }
        let (Some(from), Some(to)) = (&source.buffer, &self.buffer) else {
            return Ok(Event::new(None, "copy", "", Vec::new()));
        };
        copy(queue, from, to)
    }

    /// Replaces all elements by as many others.
    pub(crate) fn fill(&mut self, elements: &[T]) -> Result<()> {
        self.buffer.as_ref().map_or(Ok(()), |buffer| buffer.write(&self.device, 0, &T::to_device(elements)))
    }

    pub(crate) fn buffer(&self) -> Option<&Arc<Buffer>> {
        self.buffer.as_ref()
    }

    pub(crate) fn extents(&self) -> &[usize] {
        &self.shape
    }
}

impl<T, const D: usize> Shaped<T, D> for &DeviceArray<T, D> {
    fn shape(&self) -> [usize; D] {
        self.shape
    }
}

impl<T: Scalar, const D: usize> fmt::Debug for DeviceArray<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceArray({} {:?} on {})", T::TYPE, self.shape, self.device.label())
    }
}

/// Starts copying all bytes from one buffer to another of the same length.
pub(crate) fn copy(queue: &Queue, from: &Arc<Buffer>, to: &Arc<Buffer>) -> Result<Event> {
    copy_region(queue, from, to, Region::first(from.bytes))
}

/// Starts copying a region between two buffers of the queue's device.
pub(crate) fn copy_region(
    queue: &Queue,
    from: &Arc<Buffer>,
    to: &Arc<Buffer>,
    region: Region,
) -> Result<Event> {
    let inner = queue.inner();
    let mut waits = Waits::default();
    from.wait_to_read(inner, &mut waits)?;
    to.wait_to_write(inner, &mut waits)?;
    let event = inner.submit(&[Arc::clone(from), Arc::clone(to)].into(), || {
        inner.backend().copy(&from.memory, &to.memory, region, waits.list())
    })?;
    let mut doubts = from.doubts();
    if region.bytes * region.count < to.bytes {
        // The rest stays what it was.
        let kept = to.doubts().into_iter();
        doubts.extend(kept.filter(|kept| !from.doubts().iter().any(|other| Arc::ptr_eq(kept, other))));
    }
    let commands = Commands::new(vec![event]);
    if let Some(commands) = &commands {
        from.note_read(inner, commands);
        to.note_write(inner, commands);
        to.set_doubts(&doubts);
    }
    Ok(Event::new(commands, "copy", "", doubts))
}

/// Reads `len` elements, unless something is wrong with them.
pub(crate) fn download<T: Scalar>(device: &Device, buffer: Option<&Buffer>, len: usize) -> Result<Vec<T>> {
    download_part(device, buffer, 0, len)
}

/// The same from number `first` on.
pub(crate) fn download_part<T: Scalar>(
    device: &Device,
    buffer: Option<&Buffer>,
    first: usize,
    len: usize,
) -> Result<Vec<T>> {
    let Some(buffer) = buffer.filter(|_| len > 0) else { return Ok(Vec::new()) };
    buffer.doubts().iter().try_for_each(|status| status.check())?;
    let offset = first.saturating_mul(T::TYPE.size());
    let mut fill = |target, bytes| {
        // SAFETY: so many bytes are valid there.
        unsafe { buffer.read(device, offset, target, bytes) }
    };
    // SAFETY: a read that succeeds has written all the bytes.
    unsafe { T::from_device(len, &mut fill) }
}

/// Reads bytes from a place on, after what the queue has to do.
pub(crate) fn read_into(queue: &Queue, buffer: &Buffer, first: usize, bytes: &mut [u8]) -> Result<()> {
    buffer.doubts().iter().try_for_each(|status| status.check())?;
    // SAFETY: so many bytes are valid there.
    unsafe { buffer.read_on(queue, first, bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// The same for all elements of a result, whose memory becomes the vector where the host is the device.
pub(crate) fn into_elements<T: Scalar>(
    device: &Device,
    buffer: Option<Arc<Buffer>>,
    len: usize,
) -> Result<Vec<T>> {
    match buffer.map(Arc::try_unwrap) {
        None => download(device, None, len),
        Some(Err(shared)) => download(device, Some(&shared), len),
        Some(Ok(Buffer { memory, bytes, uses })) => match memory.into_vector(len) {
            // What ran on the host is over, and its errors were told when it was started.
            Ok(elements) => {
                crate::lock(&uses).doubts.iter().try_for_each(|status| status.check())?;
                Ok(elements)
            }
            Err(memory) => download(device, Some(&Buffer { memory, bytes, uses }), len),
        },
    }
}

/// Device memory, and the commands that use it.
pub(crate) struct Buffer {
    memory: Memory,
    bytes: usize,
    uses: Mutex<Uses>,
}

/// The commands which a later one on another queue may have to wait for.
#[derive(Default)]
struct Uses {
    /// The last that wrote.
    write: Option<Use>,
    /// Those that have read since, one of each queue: its last.
    reads: Vec<Use>,
    /// What may be wrong with the content.
    doubts: Vec<Arc<Status>>,
}

impl Buffer {
    /// Memory of so many bytes; none for zero.
    pub(crate) fn new(device: &Device, bytes: usize) -> Result<Option<Arc<Buffer>>> {
        if bytes == 0 {
            return Ok(None);
        }
        Ok(Some(Arc::new(Buffer { memory: device.memory(bytes)?, bytes, uses: Mutex::default() })))
    }

    /// Memory of so many bytes, more than none, for a result that goes to the host.
    pub(crate) fn for_host(device: &Device, elem: ScalarType, bytes: usize) -> Result<Arc<Buffer>> {
        let memory = device.memory_for_vector(elem, bytes)?;
        Ok(Arc::new(Buffer { memory, bytes, uses: Mutex::default() }))
    }

    /// Memory of so many bytes, at least one.
    pub(crate) fn some(device: &Device, bytes: usize) -> Result<Arc<Buffer>> {
        let bytes = bytes.max(1);
        Ok(Arc::new(Buffer { memory: device.memory(bytes)?, bytes, uses: Mutex::default() }))
    }

    /// So many bytes, a multiple of 4, zeroed on this queue.
    pub(crate) fn zeroed(device: &Device, queue: &Queue, bytes: usize) -> Result<Arc<Buffer>> {
        let buffer = Buffer::some(device, bytes)?;
        let start = || queue.inner().backend().zero(&buffer.memory, bytes, &[]);
        let event = queue.inner().submit(&[Arc::clone(&buffer)].into(), start)?;
        if let Some(commands) = Commands::new(vec![event]) {
            buffer.note_write(queue.inner(), &commands);
        }
        Ok(buffer)
    }

    /// Memory with this content.
    pub(crate) fn holding(device: &Device, data: &[u8]) -> Result<Option<Arc<Buffer>>> {
        let buffer = Buffer::new(device, data.len())?;
        if let Some(buffer) = &buffer {
            buffer.write(device, 0, data)?;
        }
        Ok(buffer)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    fn write(&self, device: &Device, offset: usize, data: &[u8]) -> Result<()> {
        self.write_on(&device.queue()?, offset, data)
    }

    /// Replaces bytes from a place on, after what the queue has to do.
    pub(crate) fn write_on(&self, queue: &Queue, offset: usize, data: &[u8]) -> Result<()> {
        let mut waits = Waits::default();
        self.wait_to_write(queue.inner(), &mut waits)?;
        let written = queue.inner().backend().write(&self.memory, offset, data, waits.list());
        written.map_err(|error| queue.device().explain_memory(error, data.len()))?;
        if data.len() == self.bytes {
            self.set_doubts(&[]);
        }
        Ok(())
    }

    /// Copies the first `bytes` bytes to `target`; all of them are there if it succeeds.
    ///
    /// # Safety
    ///
    /// `target` must be valid for writes of `bytes` bytes.
    unsafe fn read(
        &self,
        device: &Device,
        offset: usize,
        target: *mut std::ffi::c_void,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.read_on(&device.queue()?, offset, target, bytes) }
    }

    /// The same on this queue.
    ///
    /// # Safety
    ///
    /// That of `read`.
    unsafe fn read_on(
        &self,
        queue: &Queue,
        offset: usize,
        target: *mut std::ffi::c_void,
        bytes: usize,
    ) -> Result<()> {
        let mut waits = Waits::default();
        self.wait_to_read(queue.inner(), &mut waits)?;
        // SAFETY: the caller's promise.
        let read = unsafe { queue.inner().backend().read(&self.memory, offset, target, bytes, waits.list()) };
        // A kernel that failed may have left anything there, and is the reason for a read that failed.
        crate::lock(&self.uses).write.as_ref().map_or(Ok(()), Use::check)?;
        read
    }

    /// Collects what a command on `queue` that reads this buffer must wait for.
    pub(crate) fn wait_to_read(&self, queue: &Arc<QueueInner>, waits: &mut Waits) -> Result<()> {
        match &crate::lock(&self.uses).write {
            Some(write) => waits.add(write, queue),
            None => Ok(()),
        }
    }

    /// The same for a command that writes it.
    pub(crate) fn wait_to_write(&self, queue: &Arc<QueueInner>, waits: &mut Waits) -> Result<()> {
        let uses = crate::lock(&self.uses);
        uses.write.iter().chain(&uses.reads).try_for_each(|earlier| waits.add(earlier, queue))
    }

    /// Notes a launch that reads this buffer.
    pub(crate) fn note_read(&self, queue: &Arc<QueueInner>, commands: &Arc<Commands>) {
        let mut uses = crate::lock(&self.uses);
        uses.reads.retain(|earlier| !earlier.is_on(queue));
        uses.reads.push(Use::new(queue, commands));
    }

    /// Notes a launch that writes it: whoever waits for that waits for all before.
    pub(crate) fn note_write(&self, queue: &Arc<QueueInner>, commands: &Arc<Commands>) {
        let mut uses = crate::lock(&self.uses);
        uses.write = Some(Use::new(queue, commands));
        uses.reads.clear();
    }

    /// Whether a command on `queue` may use the buffer without waiting for another queue.
    pub(crate) fn is_free_for(&self, queue: &Arc<QueueInner>) -> bool {
        let uses = crate::lock(&self.uses);
        uses.write.iter().chain(&uses.reads).all(|earlier| earlier.is_on(queue) || earlier.is_over())
    }

    /// What may be wrong with the content.
    pub(crate) fn doubts(&self) -> Vec<Arc<Status>> {
        crate::lock(&self.uses).doubts.clone()
    }

    /// Replaces that, together with the content.
    pub(crate) fn set_doubts(&self, doubts: &[Arc<Status>]) {
        crate::lock(&self.uses).doubts = doubts.to_vec();
    }
}
