//! The OpenCL calls this crate makes, and owned handles which release themselves quietly.
//!
//! Only the function layer of `opencl3` is used. A library that never panics cannot hold its owning types: they panic in
//! `Drop` when the driver reports an error, which would abort a program that is already unwinding, and its `ExecuteKernel` asserts.

use std::ffi::{CStr, c_void};
use std::ptr;

use opencl3::command_queue as queue_calls;
use opencl3::context::context as context_calls;
use opencl3::device as device_calls;
use opencl3::event as event_calls;
use opencl3::kernel as kernel_calls;
use opencl3::memory as memory_calls;
use opencl3::platform::platform as platform_calls;
use opencl3::program as program_calls;
use opencl3::types::{
    cl_bool, cl_command_queue, cl_context, cl_device_id, cl_event, cl_kernel, cl_mem, cl_platform_id,
    cl_program, cl_uint,
};

use super::Region;
use crate::error::{Error, Result};

/// Names the OpenCL function that failed.
fn named<T>(operation: &'static str, result: std::result::Result<T, i32>) -> Result<T> {
    result.map_err(|code| Error::from_code(operation, code))
}

/// An owned OpenCL object: `$release` is called once, and what it answers is of no use to anybody.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident($raw:ty), $release:path) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name($raw);

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle came from a successful create call, and is released only here.
                let _ = unsafe { $release(self.0) };
            }
        }

        // SAFETY: OpenCL objects belong to no thread.
        unsafe impl Send for $name {}
    };
}

/// Handles that several threads may use at the same time: all but `Kernel`, whose arguments are set one by one.
macro_rules! shared {
    ($($name:ident),*) => {$(
        // SAFETY: OpenCL's functions may be called from several threads, except `clSetKernelArg` on one kernel.
        unsafe impl Sync for $name {}
    )*};
}

handle!(
    /// A context of one device.
    Context(cl_context),
    context_calls::release_context
);
handle!(
    /// An in-order command queue.
    CommandQueue(cl_command_queue),
    queue_calls::release_command_queue
);
handle!(
    /// Memory on a device.
    Memory(cl_mem),
    memory_calls::release_mem_object
);
handle!(
    /// The end of one command.
    Event(cl_event),
    event_calls::release_event
);
handle!(
    /// A program, built or not.
    Program(cl_program),
    program_calls::release_program
);
handle!(
    /// One `__kernel` function.
    Kernel(cl_kernel),
    kernel_calls::release_kernel
);

shared!(Context, CommandQueue, Memory, Event, Program);

/// A platform: one driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlatformId(cl_platform_id);

/// A device. Root devices are never released, so the id stays valid while the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceId(cl_device_id);

// SAFETY: the address of an object which the driver keeps until the process ends, and which belongs to no thread.
unsafe impl Send for DeviceId {}
// SAFETY: as above; its functions only answer questions.
unsafe impl Sync for DeviceId {}

impl PlatformId {
    pub(crate) fn all() -> Result<Vec<PlatformId>> {
        let ids = named("clGetPlatformIDs", platform_calls::get_platform_ids())?;
        Ok(ids.into_iter().map(PlatformId).collect())
    }

    pub(crate) fn name(self) -> Result<String> {
        let bytes = platform_calls::get_platform_data(self.0, platform_calls::CL_PLATFORM_NAME);
        Ok(text(&named("clGetPlatformInfo", bytes)?))
    }

    pub(crate) fn version(self) -> Result<String> {
        let bytes = platform_calls::get_platform_data(self.0, platform_calls::CL_PLATFORM_VERSION);
        Ok(text(&named("clGetPlatformInfo", bytes)?))
    }

    pub(crate) fn devices(self) -> Result<Vec<DeviceId>> {
        let ids = device_calls::get_device_ids(self.0, device_calls::CL_DEVICE_TYPE_ALL);
        Ok(named("clGetDeviceIDs", ids)?.into_iter().map(DeviceId).collect())
    }
}

impl DeviceId {
    fn bytes(self, what: cl_uint) -> Result<Vec<u8>> {
        named("clGetDeviceInfo", device_calls::get_device_data(self.0, what))
    }

    pub(crate) fn text(self, what: cl_uint) -> Result<String> {
        Ok(text(&self.bytes(what)?))
    }

    /// A number of four or eight bytes.
    pub(crate) fn number(self, what: cl_uint) -> Result<u64> {
        Ok(number(&self.bytes(what)?))
    }

    /// A list of numbers of the host's word size.
    pub(crate) fn words(self, what: cl_uint) -> Result<Vec<usize>> {
        let bytes = self.bytes(what)?;
        let words = bytes.chunks_exact(size_of::<usize>());
        Ok(words.map(|word| usize::try_from(number(word)).unwrap_or(usize::MAX)).collect())
    }
}

/// Text as OpenCL answers it: with a closing NUL, and sometimes padded.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_matches(|c: char| c == '\0' || c.is_whitespace()).to_string()
}

fn number(bytes: &[u8]) -> u64 {
    if let Ok(eight) = <[u8; 8]>::try_from(bytes) {
        u64::from_ne_bytes(eight)
    } else if let Ok(four) = <[u8; 4]>::try_from(bytes) {
        u64::from(u32::from_ne_bytes(four))
    } else {
        0
    }
}

impl Context {
    pub(crate) fn new(device: DeviceId) -> Result<Context> {
        let context = context_calls::create_context(&[device.0], ptr::null(), None, ptr::null_mut());
        named("clCreateContext", context).map(Context)
    }
}

impl CommandQueue {
    /// `timed` queues measure when each command starts and ends.
    pub(crate) fn new(context: &Context, device: DeviceId, timed: bool) -> Result<CommandQueue> {
        let properties = if timed { queue_calls::CL_QUEUE_PROFILING_ENABLE } else { 0 };
        // The old call: drivers of OpenCL 1.2 lack the newer one, and every driver has this.
        // SAFETY: `device` is the device of `context`.
        let queue = unsafe { queue_calls::create_command_queue(context.0, device.0, properties) };
        named("clCreateCommandQueue", queue).map(CommandQueue)
    }

    pub(crate) fn finish(&self) -> Result<()> {
        named("clFinish", queue_calls::finish(self.0))
    }

    pub(crate) fn flush(&self) -> Result<()> {
        named("clFlush", queue_calls::flush(self.0))
    }

    /// Copies `data` to the start of `memory` and returns when it is there. A blocking write promises no more than that `data` has been
    /// read: Intel's driver for CPUs sets a few bytes aside, and a launch on another queue could overtake them.
    pub(crate) fn write(
        &self,
        memory: &Memory,
        offset: usize,
        data: &[u8],
        waits: &[cl_event],
    ) -> Result<()> {
        let (count, list) = wait_list(waits);
        // SAFETY: the call blocks, so nobody reads `data` after it; the driver checks the range.
        let event = unsafe {
            let from = data.as_ptr().cast();
            queue_calls::enqueue_write_buffer(self.0, memory.0, TRUE, offset, data.len(), from, count, list)
        };
        named("clEnqueueWriteBuffer", event).map(Event)?.wait()
    }

    /// Starts writing zeros to the first `bytes` bytes of `memory`, a multiple of 4. A few are copied from here:
    /// Oclgrind takes what was filled for uninitialised.
    pub(crate) fn zero(&self, memory: &Memory, bytes: usize, waits: &[cl_event]) -> Result<Event> {
        static ZEROS: [u8; 1 << 16] = [0; 1 << 16];
        let (count, list) = wait_list(waits);
        let zeros = ZEROS.as_ptr().cast();
        if bytes <= ZEROS.len() {
            // SAFETY: the zeros are there as long as the process is; the driver checks the range.
            let event = unsafe {
                queue_calls::enqueue_write_buffer(self.0, memory.0, FALSE, 0, bytes, zeros, count, list)
            };
            return named("clEnqueueWriteBuffer", event).map(Event);
        }
        // SAFETY: the driver copies the pattern before it returns, and checks the range.
        let event =
            unsafe { queue_calls::enqueue_fill_buffer(self.0, memory.0, zeros, 4, 0, bytes, count, list) };
        named("clEnqueueFillBuffer", event).map(Event)
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
        waits: &[cl_event],
    ) -> Result<()> {
        let (count, list) = wait_list(waits);
        // SAFETY: the call blocks, and the driver checks the range; the rest is the caller's promise.
        let event = unsafe {
            queue_calls::enqueue_read_buffer(self.0, memory.0, TRUE, offset, bytes, target, count, list)
        };
        // What is called success is the start of the command, too.
        Event(named("clEnqueueReadBuffer", event)?).check_as("clEnqueueReadBuffer")
    }

    /// Starts copying a region, which both memories have.
    pub(crate) fn copy(
        &self,
        from: &Memory,
        to: &Memory,
        region: Region,
        waits: &[cl_event],
    ) -> Result<Event> {
        let (count, list) = wait_list(waits);
        let Region { from: source, to: target, bytes, count: pieces, from_pitch, to_pitch } = region;
        if pieces == 1 {
            // SAFETY: the driver checks the range against both memories.
            let event = unsafe {
                queue_calls::enqueue_copy_buffer(self.0, from.0, to.0, source, target, bytes, count, list)
            };
            return named("clEnqueueCopyBuffer", event).map(Event);
        }
        let (source, target, extents) = ([source, 0, 0], [target, 0, 0], [bytes, pieces, 1]);
        // SAFETY: all three have three numbers; the driver checks the range against both memories.
        let event = unsafe {
            queue_calls::enqueue_copy_buffer_rect(
                self.0,
                from.0,
                to.0,
                source.as_ptr(),
                target.as_ptr(),
                extents.as_ptr(),
                from_pitch,
                0,
                to_pitch,
                0,
                count,
                list,
            )
        };
        named("clEnqueueCopyBufferRect", event).map(Event)
    }

    /// Starts `kernel` with the arguments it has now.
    ///
    /// # Safety
    ///
    /// Every argument of the kernel must be set, and agree with the kernel's text.
    pub(crate) unsafe fn launch(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: &[usize],
        waits: &[cl_event],
    ) -> Result<Event> {
        let (count, list) = wait_list(waits);
        let dimensions = cl_uint::try_from(global.len().min(local.len())).unwrap_or(0);
        // SAFETY: both shapes have `dimensions` entries; the rest is the caller's promise.
        let event = unsafe {
            queue_calls::enqueue_nd_range_kernel(
                self.0,
                kernel.0,
                dimensions,
                ptr::null(),
                global.as_ptr(),
                local.as_ptr(),
                count,
                list,
            )
        };
        named("clEnqueueNDRangeKernel", event).map(Event)
    }
}

/// Built programs have some hundred kilobytes at most.
const LARGEST_BINARY: u64 = 1 << 26;

const TRUE: cl_bool = 1;
const FALSE: cl_bool = 0;

/// OpenCL wants a null list, not a dangling one, when there is nothing to wait for.
fn wait_list(waits: &[cl_event]) -> (cl_uint, *const cl_event) {
    match cl_uint::try_from(waits.len()) {
        Ok(count) if count > 0 => (count, waits.as_ptr()),
        _ => (0, ptr::null()),
    }
}

impl Memory {
    pub(crate) fn new(context: &Context, bytes: usize) -> Result<Memory> {
        // SAFETY: no host memory is involved.
        let memory = unsafe {
            memory_calls::create_buffer(context.0, memory_calls::CL_MEM_READ_WRITE, bytes, ptr::null_mut())
        };
        named("clCreateBuffer", memory).map(Memory)
    }
}

/// Memory of the host that a device reads and writes without a copy by the driver: a buffer that is mapped as long as it lives.
///
/// NVIDIA H200: 1 MB is read in 0.027 ms, and written in as much; from and to other memory, it is 0.111 and 0.083 ms.
#[derive(Debug)]
pub(crate) struct Pinned {
    pointer: ptr::NonNull<u8>,
    bytes: usize,
    memory: Memory,
    queue: CommandQueue,
}

// SAFETY: it has its memory alone, and OpenCL's objects belong to no thread.
unsafe impl Send for Pinned {}
// SAFETY: shared, its bytes are only read.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// So many bytes, more than none and all 0.
    pub(crate) fn new(context: &Context, device: DeviceId, bytes: usize) -> Result<Pinned> {
        let queue = CommandQueue::new(context, device, false)?;
        let flags = memory_calls::CL_MEM_READ_WRITE | memory_calls::CL_MEM_ALLOC_HOST_PTR;
        // SAFETY: the driver allocates the memory.
        let memory = unsafe { memory_calls::create_buffer(context.0, flags, bytes, ptr::null_mut()) };
        let memory = named("clCreateBuffer", memory).map(Memory)?;
        let (mut pointer, flags) = (ptr::null_mut(), memory_calls::CL_MAP_READ | memory_calls::CL_MAP_WRITE);
        // SAFETY: the buffer has so many bytes, and nobody else uses it.
        let event = unsafe {
            queue_calls::enqueue_map_buffer(
                queue.0,
                memory.0,
                TRUE,
                flags,
                0,
                bytes,
                &mut pointer,
                0,
                ptr::null(),
            )
        };
        named("clEnqueueMapBuffer", event).map(Event)?.wait()?;
        let pointer = ptr::NonNull::new(pointer.cast::<u8>());
        let pointer = pointer.ok_or_else(|| Error::from_code("clEnqueueMapBuffer", -12))?;
        // SAFETY: so many bytes are mapped for writing.
        unsafe { pointer.write_bytes(0, bytes) };
        Ok(Pinned { pointer, bytes, memory, queue })
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: so many bytes are mapped as long as `self` lives, and were written.
        unsafe { std::slice::from_raw_parts(self.pointer.as_ptr(), self.bytes) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above, and nobody else has them.
        unsafe { std::slice::from_raw_parts_mut(self.pointer.as_ptr(), self.bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: this is what was mapped, and nobody uses it from here on.
        let event = unsafe {
            let pointer = self.pointer.as_ptr().cast();
            queue_calls::enqueue_unmap_mem_object(self.queue.0, self.memory.0, pointer, 0, ptr::null())
        };
        // It is released when that is done; there is nobody to tell of an error.
        let _ = named("clEnqueueUnmapMemObject", event).map(Event);
        let _ = self.queue.finish();
    }
}

impl Event {
    /// The handle, for a list of events to wait for.
    pub(crate) fn raw(&self) -> cl_event {
        self.0
    }

    /// Blocks until the command has ended. A command that failed is an error with the command's own code.
    pub(crate) fn wait(&self) -> Result<()> {
        let waited = event_calls::wait_for_events(&[self.0]);
        self.check()?;
        named("clWaitForEvents", waited)
    }

    /// Fails when the command has failed. One that is still running has not.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_as("clEnqueueNDRangeKernel")
    }

    fn check_as(&self, operation: &'static str) -> Result<()> {
        match self.status()? {
            status if status < 0 => Err(Error::from_code(operation, status)),
            _ => Ok(()),
        }
    }

    /// Whether the command has ended, well or badly.
    pub(crate) fn is_over(&self) -> bool {
        !matches!(self.status(), Ok(status) if status > 0)
    }

    fn status(&self) -> Result<i32> {
        let bytes = event_calls::get_event_data(self.0, event_calls::CL_EVENT_COMMAND_EXECUTION_STATUS);
        let bytes = named("clGetEventInfo", bytes)?;
        Ok(<[u8; 4]>::try_from(bytes.as_slice()).map_or(0, i32::from_ne_bytes))
    }

    /// Start and end of the command, in nanoseconds of the device's clock.
    pub(crate) fn times(&self) -> Result<(u64, u64)> {
        let stamp = |what| {
            let bytes = event_calls::get_event_profiling_data(self.0, what);
            named("clGetEventProfilingInfo", bytes).map(|bytes| number(&bytes))
        };
        let start = stamp(event_calls::CL_PROFILING_COMMAND_START)?;
        Ok((start, stamp(event_calls::CL_PROFILING_COMMAND_END)?))
    }
}

impl Program {
    pub(crate) fn new(context: &Context, source: &str) -> Result<Program> {
        // One source only: with more, this version of the binding passes wrong addresses.
        let program = program_calls::create_program_with_source(context.0, &[source]);
        named("clCreateProgramWithSource", program).map(Program)
    }

    /// A program from what [`Program::binary`] gave, for the same device and driver; it must be built, too.
    ///
    /// # Safety
    ///
    /// `binary` must be what this driver made: drivers check no more than that it looks like that, and run what it says.
    pub(crate) unsafe fn from_binary(context: &Context, device: DeviceId, binary: &[u8]) -> Result<Program> {
        // One binary only, as with sources.
        // SAFETY: `device` is the device of `context`; the driver copies `binary`, which is what the caller promises.
        let program = unsafe { program_calls::create_program_with_binary(context.0, &[device.0], &[binary]) };
        named("clCreateProgramWithBinary", program).map(Program)
    }

    /// What was built, in the driver's own format, if it gives it away.
    pub(crate) fn binary(&self) -> Option<Vec<u8>> {
        // The binding allocates as many bytes as the driver says; one word is the size for one device.
        let sizes =
            program_calls::get_program_data(self.0, program_calls::CL_PROGRAM_BINARY_SIZES as cl_uint);
        if !(1..=LARGEST_BINARY).contains(&number(&sizes.ok()?)) {
            return None;
        }
        let binaries = program_calls::get_program_info(self.0, program_calls::CL_PROGRAM_BINARIES as cl_uint);
        Vec::<Vec<u8>>::from(binaries.ok()?).pop()
    }

    pub(crate) fn build(&self, device: DeviceId, options: &CStr) -> Result<()> {
        let built = program_calls::build_program(self.0, &[device.0], options, None, ptr::null_mut());
        named("clBuildProgram", built)
    }

    /// What the driver has to say about the build; empty when it does not even say that.
    pub(crate) fn log(&self, device: DeviceId) -> String {
        let what = program_calls::CL_PROGRAM_BUILD_LOG;
        let log = program_calls::get_program_build_data(self.0, device.0, what as cl_uint);
        log.map(|bytes| text(&bytes)).unwrap_or_default()
    }
}

impl Kernel {
    pub(crate) fn new(program: &Program, name: &CStr) -> Result<Kernel> {
        named("clCreateKernel", kernel_calls::create_kernel(program.0, name)).map(Kernel)
    }

    /// The largest work-group this kernel can run with on `device`, which its registers may make smaller
    /// than the device's own limit.
    pub(crate) fn max_work_group_size(&self, device: DeviceId) -> Result<usize> {
        let what = kernel_calls::CL_KERNEL_WORK_GROUP_SIZE;
        let bytes = kernel_calls::get_kernel_work_group_data(self.0, device.0, what);
        Ok(usize::try_from(number(&named("clGetKernelWorkGroupInfo", bytes)?)).unwrap_or(usize::MAX))
    }

    /// Whether the text itself states the shape of its work-groups. Then the driver has compiled it for just
    /// that shape, and the number of `max_work_group_size` may be about something else.
    pub(crate) fn states_work_group(&self, device: DeviceId) -> bool {
        let what = kernel_calls::CL_KERNEL_COMPILE_WORK_GROUP_SIZE;
        kernel_calls::get_kernel_work_group_data(self.0, device.0, what)
            .is_ok_and(|bytes| bytes.iter().any(|byte| *byte != 0))
    }

    /// Passes memory as argument number `index`.
    pub(crate) fn set_memory(&self, index: usize, memory: &Memory) -> Result<()> {
        let raw: cl_mem = memory.0;
        // SAFETY: the driver copies the handle of an object that exists, and refuses it where a value is expected whose
        // size is another. One of the same size would be a number that nobody meant, but no more than that.
        unsafe { self.set(index, size_of::<cl_mem>(), (&raw const raw).cast()) }
    }

    /// Passes a value as argument number `index`.
    ///
    /// # Safety
    ///
    /// The argument must be a value: the driver would take the bytes for the handle of a buffer.
    pub(crate) unsafe fn set_value(&self, index: usize, bytes: &[u8]) -> Result<()> {
        // SAFETY: the driver copies `bytes`, and refuses a size which is not the argument's; the rest is the caller's
        // promise.
        unsafe { self.set(index, bytes.len(), bytes.as_ptr().cast()) }
    }

    /// # Safety
    ///
    /// `size` bytes must be readable at `value`, and be what the argument is: a value, or the handle of a buffer.
    unsafe fn set(&self, index: usize, size: usize, value: *const c_void) -> Result<()> {
        let index = cl_uint::try_from(index).unwrap_or(cl_uint::MAX);
        // SAFETY: the caller's promise.
        named("clSetKernelArg", unsafe { kernel_calls::set_kernel_arg(self.0, index, size, value) })
    }
}
