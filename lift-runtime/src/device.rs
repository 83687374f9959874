//! Devices: which there are, how to choose one, and its memory.
//!
//! A device is opened (a context and a queue) when it is first used, once in the life of the process. All [`Device`]s of one piece of
//! hardware share its arrays, queues and built kernels.

use std::fmt;
#[cfg(feature = "opencl")]
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use crate::array::{HostArray, checked};
#[cfg(feature = "opencl")]
use crate::backend::opencl::Pinned;
use crate::backend::{CommandQueue, Context, DeviceId, Memory};
use crate::buffer::DeviceArray;
use crate::drivers;
use crate::error::{Error, Result};
use crate::facts::Facts;
use crate::pool::Pool;
#[cfg(feature = "host")]
use crate::processor;
#[cfg(feature = "opencl")]
use crate::program::ProgramCache;
use crate::queue::{Queue, QueueInner};
use crate::scalar::Scalar;
use crate::spec::ScalarType;

/// Something that runs kernels: a GPU, an accelerator, or the CPU.
///
/// ```
/// # fn main() -> lift_runtime::Result<()> {
/// use lift_runtime::Device;
///
/// for device in Device::all()? {
///     println!("{device}"); // pocl#0  pthread-skylake  2 CU  5.1 GiB  OpenCL 3.0  driver 3.1
/// }
/// let device = Device::best()?;
/// let x = device.upload(&[1.0f32, 2.0, 3.0])?;
/// assert_eq!(x.download()?, ndarray::arr1(&[1.0, 2.0, 3.0]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Device {
    inner: Arc<Inner>,
}

struct Inner {
    id: DeviceId,
    facts: Facts,
    opening: Mutex<()>,
    opened: OnceLock<Opened>,
    #[cfg(feature = "opencl")]
    programs: ProgramCache,
    /// The folder of built programs; none if the driver has its own.
    #[cfg(feature = "opencl")]
    binaries: Option<PathBuf>,
    pool: Pool,
}

/// What exists once a device is used.
struct Opened {
    context: Context,
    queue: Arc<QueueInner>,
}

impl Device {
    /// The CPU that the program runs on, without any driver: a device that is always there. It runs the versions of a kernel that are
    /// compiled to Rust, on as many threads as there are.
    ///
    /// ```
    /// # fn main() -> lift_runtime::Result<()> {
    /// use lift_runtime::Device;
    ///
    /// let device = Device::cpu();
    /// println!("{device}"); // host#0  AMD EPYC 7R13 Processor  8 threads  15.4 GiB  AVX2
    /// assert!(device.label() == "host#0" && !device.is_gpu());
    /// let x = device.upload(&[1.0f32, 2.0, 3.0])?;
    /// assert_eq!(x.download()?.to_vec(), [1.0, 2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "host")]
    #[must_use]
    pub fn cpu() -> Device {
        static CPU: OnceLock<Device> = OnceLock::new();
        let new = || {
            Device::new(
                DeviceId::Host,
                processor::facts(),
                #[cfg(feature = "opencl")]
                None,
            )
        };
        CPU.get_or_init(new).clone()
    }

    /// All devices of all drivers, and then [`Device::cpu`]. Drivers that fail are skipped.
    ///
    /// # Errors
    ///
    /// With the feature `host`, none: there is always one device. Without it, what is wrong if there is none.
    pub fn all() -> Result<Vec<Device>> {
        match Device::listed() {
            (devices, Some(problem)) if devices.is_empty() => Err(problem),
            (devices, _) => Ok(devices),
        }
    }

    /// All devices, and why drivers have none, if they have none.
    fn listed() -> (Vec<Device>, Option<Error>) {
        let (devices, problem) = match drivers::devices() {
            Ok(devices) => (devices, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        #[cfg(feature = "host")]
        let devices = devices.into_iter().chain([Device::cpu()]).collect();
        (devices, problem)
    }

    /// The device to use when the user does not care. It prefers, in this order: a GPU, an accelerator, [`Device::cpu`], an OpenCL driver
    /// for the CPU. Among equals, the device with most compute units is taken. The environment variable `LIFT_DEVICE` overrides the
    /// choice; its value is one that [`Device::find`] takes.
    ///
    /// Where only the CPU is left although there is a driver, which fails or is not registered, a line on standard error says so,
    /// once.
    ///
    /// # Errors
    ///
    /// Without `LIFT_DEVICE` those of [`Device::all`], and with it those of [`Device::find`].
    pub fn best() -> Result<Device> {
        match std::env::var("LIFT_DEVICE") {
            Ok(wanted) if !wanted.trim().is_empty() => Device::find(&wanted),
            _ => {
                let (devices, problem) = Device::listed();
                if let Some(problem) = &problem
                    && !devices.is_empty()
                {
                    drivers::notice(problem);
                }
                let rank = |device: &Device| (device.inner.facts.kind, device.compute_units());
                // The first of the best, so that numbering decides between twins.
                let best = devices
                    .into_iter()
                    .reduce(|best, device| if rank(&device) > rank(&best) { device } else { best });
                best.ok_or_else(|| problem.unwrap_or(Error::NoDevice { failures: Vec::new() }))
            }
        }
    }

    /// The first device that fits `wanted`. `wanted` is one of:
    ///
    /// - its position in [`Device::all`], such as `"1"`;
    /// - its class, `"gpu"` or `"cpu"`, which means [`Device::cpu`] before others;
    /// - its label, such as `"nvidia#1"` or `"host#0"`;
    /// - a part of its name, vendor or platform in any case, such as `"h200"`.
    ///
    /// `#1` after any of these takes the second that fits.
    ///
    /// # Errors
    ///
    /// [`Error::DeviceNotFound`].
    pub fn find(wanted: &str) -> Result<Device> {
        let (devices, problem) = Device::listed();
        let text = wanted.trim().to_lowercase();
        let found = if let Ok(position) = text.parse::<usize>() {
            devices.get(position)
        } else if let Some(device) = devices.iter().find(|device| device.label() == text) {
            Some(device)
        } else {
            let (text, position) = match text.rsplit_once('#') {
                Some((text, number)) => (text, number.parse().ok()),
                None => (text.as_str(), Some(0)),
            };
            let mut fitting: Vec<&Device> = devices.iter().filter(|device| device.fits(text)).collect();
            if text == "cpu" {
                fitting.sort_by_key(|device| !device.is_host());
            }
            position.and_then(|position: usize| fitting.get(position).copied())
        };
        found.cloned().ok_or_else(|| not_found(wanted, &devices, problem))
    }

    fn fits(&self, text: &str) -> bool {
        let facts = &self.inner.facts;
        facts.kind.is_called(text).unwrap_or_else(|| {
            let fields = [&facts.label, &facts.name, &facts.vendor, &facts.platform];
            fields.iter().any(|field| field.to_lowercase().contains(text))
        })
    }

    /// The device's name, as its driver spells it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.facts.name
    }

    /// Who made the device.
    #[must_use]
    pub fn vendor(&self) -> &str {
        &self.inner.facts.vendor
    }

    /// The name of the device's driver.
    #[must_use]
    pub fn platform(&self) -> &str {
        &self.inner.facts.platform
    }

    /// The short name that [`Device::find`] takes, for example `nvidia#1`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.inner.facts.label
    }

    /// Whether this is a GPU.
    #[must_use]
    pub fn is_gpu(&self) -> bool {
        self.inner.facts.kind.is_gpu()
    }

    /// How many compute units (cores, multiprocessors) the device has.
    #[must_use]
    pub fn compute_units(&self) -> usize {
        self.inner.facts.compute_units
    }

    /// How many work-items one work-group may have.
    #[must_use]
    pub fn max_work_group_size(&self) -> usize {
        self.inner.facts.max_work_group_size
    }

    /// How many work-items one work-group may have in each dimension.
    #[must_use]
    pub fn max_work_item_sizes(&self) -> &[usize] {
        &self.inner.facts.max_work_item_sizes
    }

    /// Whether it rounds quotients and square roots of 32-bit floats correctly if a build asks for it.
    #[cfg(feature = "opencl")]
    pub(crate) fn rounds_quotients(&self) -> bool {
        self.inner.facts.rounds_quotients
    }

    /// Whether the device has numbers of this type. Only `f64` and `f16` may be missing.
    #[must_use]
    pub fn supports(&self, scalar: ScalarType) -> bool {
        match scalar {
            ScalarType::F64 => self.inner.facts.has_f64,
            ScalarType::F16 => self.inner.facts.has_f16,
            ScalarType::F32
            | ScalarType::I8
            | ScalarType::I16
            | ScalarType::I32
            | ScalarType::I64
            | ScalarType::U8
            | ScalarType::U16
            | ScalarType::U32
            | ScalarType::U64
            | ScalarType::Bool
            | ScalarType::Usize => true,
        }
    }

    /// The version of its driver; for the CPU without one, that of this library.
    #[must_use]
    pub fn driver(&self) -> &str {
        &self.inner.facts.driver
    }

    /// Bytes of local memory of one work-group.
    #[must_use]
    pub fn local_mem_bytes(&self) -> u64 {
        self.inner.facts.local_mem_bytes
    }

    /// Bytes of the device's memory; 0 where the system does not tell.
    #[must_use]
    pub fn global_mem_bytes(&self) -> u64 {
        self.inner.facts.global_mem_bytes
    }

    /// The device's own queue. Copies between host and device use it, and `run` does.
    ///
    /// # Errors
    ///
    /// When the device cannot be opened.
    pub fn queue(&self) -> Result<Queue> {
        Ok(Queue::of(self.clone(), Arc::clone(&self.opened()?.queue)))
    }

    /// Another queue of this device, for work that may overlap with that of the first.
    ///
    /// # Errors
    ///
    /// When the driver refuses.
    pub fn new_queue(&self) -> Result<Queue> {
        self.make_queue(true)
    }

    /// A queue that does not measure its kernels: launches are cheaper, and [`Event::kernel_time`] fails.
    ///
    /// [`Event::kernel_time`]: crate::Event::kernel_time
    ///
    /// # Errors
    ///
    /// When the driver refuses.
    pub fn new_untimed_queue(&self) -> Result<Queue> {
        self.make_queue(false)
    }

    fn make_queue(&self, timed: bool) -> Result<Queue> {
        let queue = CommandQueue::new(self.context()?, self.inner.id, timed)?;
        Ok(Queue::of(self.clone(), QueueInner::new(queue)))
    }

    /// Copies host data to the device.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or [`Error::SliceLength`] when a slice does not have the shape passed with it.
    pub fn upload<T: Scalar, const D: usize>(&self, data: impl HostArray<T, D>) -> Result<DeviceArray<T, D>> {
        let (shape, elements) = checked("the data", &data)?;
        DeviceArray::new(self, shape, Some(&elements))
    }

    /// Device memory for an array of this shape. What it holds is not defined until something is written.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] or [`Error::TooManyElements`].
    pub fn alloc<T: Scalar, const D: usize>(&self, shape: [usize; D]) -> Result<DeviceArray<T, D>> {
        DeviceArray::new(self, shape, None)
    }

    /// Whether this is the device that every program has.
    pub(crate) fn is_host(&self) -> bool {
        self.inner.id.is_host()
    }

    #[cfg(feature = "opencl")]
    pub(crate) fn id(&self) -> DeviceId {
        self.inner.id
    }

    pub(crate) fn context(&self) -> Result<&Context> {
        Ok(&self.opened()?.context)
    }

    #[cfg(feature = "opencl")]
    pub(crate) fn programs(&self) -> &ProgramCache {
        &self.inner.programs
    }

    /// The folder of built programs, if the driver keeps none.
    #[cfg(feature = "opencl")]
    pub(crate) fn binaries(&self) -> Option<&Path> {
        self.inner.binaries.as_deref()
    }

    /// What tells apart devices and drivers that build differently.
    #[cfg(feature = "opencl")]
    pub(crate) fn identity(&self) -> [&str; 6] {
        let Facts { name, vendor, version, driver, platform, platform_version, .. } = &self.inner.facts;
        [name, vendor, version, driver, platform, platform_version]
    }

    /// Buffers for temporaries.
    pub(crate) fn pool(&self) -> &Pool {
        &self.inner.pool
    }

    /// Memory of `bytes` bytes, which must not be zero.
    pub(crate) fn memory(&self, bytes: usize) -> Result<Memory> {
        self.memory_of(bytes, || Memory::new(self.context()?, bytes))
    }

    /// The same for elements which the host can take over as a vector where it is the device.
    pub(crate) fn memory_for_vector(&self, elem: ScalarType, bytes: usize) -> Result<Memory> {
        self.memory_of(bytes, || Memory::for_vector(self.context()?, elem, bytes))
    }

    /// So many bytes of the host's memory, more than none, which a driver's device reads and writes without a copy by the driver.
    #[cfg(feature = "opencl")]
    pub(crate) fn pinned(&self, bytes: usize) -> Result<Pinned> {
        Pinned::new(self.context()?.opencl()?, self.inner.id.opencl()?, bytes)
    }

    fn memory_of(&self, bytes: usize, new: impl Fn() -> Result<Memory>) -> Result<Memory> {
        // NVIDIA's driver promises any number of bytes, and only fails when they are used.
        let most = self.global_mem_bytes();
        if most > 0 && bytes as u64 > most {
            return Err(self.out_of_memory(bytes));
        }
        match new() {
            Err(_) if self.pool().clear() => new(),
            memory => memory,
        }
        .map_err(|error| self.explain_memory(error, bytes))
    }

    /// A failure for lack of memory in the user's terms, when `bytes` bytes were to be allocated or used.
    pub(crate) fn explain_memory(&self, error: Error, bytes: usize) -> Error {
        let is_allocation = |operation| matches!(operation, "clCreateBuffer" | "clEnqueueWriteBuffer");
        match error {
            // CL_MEM_OBJECT_ALLOCATION_FAILURE, wherever it is.
            Error::OpenCl { code: -4, .. } => self.out_of_memory(bytes),
            // CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY and CL_INVALID_BUFFER_SIZE. "Out of resources" may mean
            // anything when a kernel runs, but not here.
            Error::OpenCl { operation, code: -5 | -6 | -61, .. } if is_allocation(operation) => {
                self.out_of_memory(bytes)
            }
            Error::OutOfHostMemory { bytes } if self.is_host() => self.out_of_memory(bytes),
            other => other,
        }
    }

    fn out_of_memory(&self, bytes: usize) -> Error {
        let (device, largest) = (self.label().to_string(), self.inner.facts.max_alloc_bytes);
        Error::OutOfMemory { device, bytes: bytes as u64, largest }
    }

    /// Fails when `other` is not this device; `user` and `what` are for the message.
    pub(crate) fn expect_same(&self, other: &Device, user: &str, what: &str) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let (expected, found) = (self.label().to_string(), other.label().to_string());
        Err(Error::OtherDevice { user: user.to_string(), what: what.to_string(), expected, found })
    }

    fn opened(&self) -> Result<&Opened> {
        let inner = &*self.inner;
        if let Some(opened) = inner.opened.get() {
            return Ok(opened);
        }
        // One thread opens; a failure is not remembered.
        let _turn = crate::lock(&inner.opening);
        if inner.opened.get().is_none() {
            let context = Context::new(inner.id)?;
            let queue = QueueInner::new(CommandQueue::new(&context, inner.id, true)?);
            let _ = inner.opened.set(Opened { context, queue });
        }
        inner.opened.get().ok_or(Error::NoDevice { failures: Vec::new() })
    }

    pub(crate) fn new(
        id: DeviceId,
        facts: Facts,
        #[cfg(feature = "opencl")] binaries: Option<PathBuf>,
    ) -> Device {
        Device {
            inner: Arc::new(Inner {
                id,
                facts,
                opening: Mutex::default(),
                opened: OnceLock::new(),
                #[cfg(feature = "opencl")]
                programs: ProgramCache::default(),
                #[cfg(feature = "opencl")]
                binaries,
                pool: Pool::default(),
            }),
        }
    }

    /// The device as another process would see it, with built programs in this folder whatever the driver is.
    #[cfg(all(test, feature = "opencl"))]
    pub(crate) fn anew(&self, binaries: PathBuf) -> Device {
        let Facts { platform, platform_version, .. } = &self.inner.facts;
        let facts = Facts::query(self.id().opencl().unwrap(), platform, platform_version, |_| 0).unwrap();
        Device::new(self.id(), facts, Some(binaries))
    }
}

/// Two devices are equal when they are the same piece of hardware through the same driver.
impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        self.inner.id == other.inner.id
    }
}

impl Eq for Device {}

fn not_found(wanted: &str, devices: &[Device], problem: Option<Error>) -> Error {
    let available = devices.iter().map(|device| format!("{} ({})", device.label(), device.name())).collect();
    Error::DeviceNotFound { wanted: wanted.to_string(), available, problem: problem.map(Box::new) }
}

/// `pocl#0  pthread-haswell  2 CU  21.0 GiB  OpenCL 3.0  driver 3.1`
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.facts.fmt(f)
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({self})")
    }
}
