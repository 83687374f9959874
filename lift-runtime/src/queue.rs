//! Queues and events: the order of work on a device, and when it is done.
//!
//! A queue runs its work in order. Between queues, every buffer remembers the commands that last used it, and
//! a command on another queue waits for those it must not overtake; so the order in which a program launches
//! kernels on an array is the order in which the array sees them, whatever queues are involved.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use opencl3::types::cl_event;

use crate::buffer::Buffer;
use crate::cl;
use crate::device::Device;
use crate::error::Result;

/// A queue of one device. Clones are the same queue.
///
/// ```
/// # fn main() -> lift_runtime::Result<()> {
/// let device = lift_runtime::Device::best()?;
/// let queue = device.new_queue()?;
/// // … launch kernels on it …
/// queue.finish()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Queue {
    device: Device,
    inner: Arc<QueueInner>,
}

/// The driver's queue, and what its unfinished work needs.
pub(crate) struct QueueInner {
    queue: cl::CommandQueue,
    /// Launches that may still be running, the oldest first.
    running: Mutex<VecDeque<Running>>,
}

/// So many launches are remembered before the oldest are asked whether they have ended.
const MANY: usize = 64;

/// A launch with the memory it uses: a program may drop its arrays right after a launch, and not every driver
/// keeps the memory alive by itself.
struct Running {
    event: Arc<cl::Event>,
    _buffers: Vec<Arc<Buffer>>,
}

impl Queue {
    pub(crate) fn of(device: Device, inner: Arc<QueueInner>) -> Queue {
        Queue { device, inner }
    }

    /// Blocks until everything on this queue is done.
    ///
    /// # Errors
    ///
    /// When the driver reports that something failed.
    pub fn finish(&self) -> Result<()> {
        self.inner.finish()
    }

    /// The queue's device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn inner(&self) -> &Arc<QueueInner> {
        &self.inner
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queue({})", self.device.label())
    }
}

impl QueueInner {
    pub(crate) fn new(queue: cl::CommandQueue) -> Arc<QueueInner> {
        Arc::new(QueueInner { queue, running: Mutex::default() })
    }

    fn finish(&self) -> Result<()> {
        let finished = self.queue.finish();
        crate::lock(&self.running).retain(|launch| !launch.event.is_over());
        finished
    }

    /// Calls `start` and remembers what it started, with the memory that needs. Now and then forgets what has
    /// ended: asking costs a call.
    pub(crate) fn submit(
        &self,
        buffers: Vec<Arc<Buffer>>,
        start: impl FnOnce() -> Result<cl::Event>,
    ) -> Result<Arc<cl::Event>> {
        // Locked while the command is enqueued, so that the list has the order of the queue.
        let mut running = crate::lock(&self.running);
        let event = Arc::new(start()?);
        running.push_back(Running { event: Arc::clone(&event), _buffers: buffers });
        if running.len() >= MANY {
            // What comes before a command that has ended has ended too.
            let over = running.partition_point(|launch| launch.event.is_over());
            running.drain(..over);
        }
        Ok(event)
    }

    pub(crate) fn cl(&self) -> &cl::CommandQueue {
        &self.queue
    }
}

impl Drop for QueueInner {
    fn drop(&mut self) {
        // The memory of unfinished work is about to go.
        let _ = self.queue.finish();
    }
}

/// A command on a queue that used a buffer.
#[derive(Clone)]
pub(crate) struct Use {
    queue: Weak<QueueInner>,
    event: Arc<cl::Event>,
}

impl Use {
    pub(crate) fn new(queue: &Arc<QueueInner>, event: &Arc<cl::Event>) -> Use {
        Use { queue: Arc::downgrade(queue), event: Arc::clone(event) }
    }

    /// Fails when the command has failed. One that is still running has not.
    pub(crate) fn check(&self) -> Result<()> {
        self.event.check()
    }

    pub(crate) fn is_on(&self, queue: &Arc<QueueInner>) -> bool {
        self.queue.as_ptr() == Arc::as_ptr(queue)
    }
}

/// The commands of other queues that a new command must wait for.
#[derive(Default)]
pub(crate) struct Waits {
    events: Vec<Arc<cl::Event>>,
}

impl Waits {
    /// Adds `earlier`, unless the queue's own order or the past makes that unnecessary.
    pub(crate) fn add(&mut self, earlier: &Use, queue: &Arc<QueueInner>) -> Result<()> {
        if earlier.is_on(queue) || earlier.event.is_over() {
            return Ok(());
        }
        // A queue may hold commands back until it is flushed. One that is going away has seen to that.
        if let Some(other) = earlier.queue.upgrade() {
            other.cl().flush()?;
        }
        self.events.push(Arc::clone(&earlier.event));
        Ok(())
    }

    /// The list for the driver; valid while `self` is.
    pub(crate) fn list(&self) -> Vec<cl_event> {
        self.events.iter().map(|event| event.raw()).collect()
    }
}

/// A launch: when it is done, and how long it took.
///
/// An event need not be kept: later launches, downloads and [`Queue::finish`] wait for what they need.
#[derive(Clone)]
pub struct Event {
    /// Nothing for a launch that had nothing to do.
    event: Option<Arc<cl::Event>>,
    kernel: &'static str,
    variant: &'static str,
}

impl Event {
    pub(crate) fn new(event: Option<Arc<cl::Event>>, kernel: &'static str, variant: &'static str) -> Event {
        Event { event, kernel, variant }
    }

    /// Blocks until the launch is done.
    ///
    /// # Errors
    ///
    /// When the kernel failed on the device.
    pub fn wait(&self) -> Result<()> {
        match &self.event {
            Some(event) => event.wait().map_err(|error| error.in_kernel(self.kernel)),
            None => Ok(()),
        }
    }

    /// How long the device worked on the kernel, by its own clock. Blocks until the launch is done.
    ///
    /// # Errors
    ///
    /// When the kernel failed, or the driver did not measure it.
    pub fn kernel_time(&self) -> Result<Duration> {
        let Some(event) = &self.event else {
            return Ok(Duration::ZERO);
        };
        self.wait()?;
        let (start, end) = event.times().map_err(|error| error.in_kernel(self.kernel))?;
        Ok(Duration::from_nanos(end.saturating_sub(start)))
    }

    /// The variant that was launched.
    #[must_use]
    pub fn variant(&self) -> &'static str {
        self.variant
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.event {
            Some(event) if !event.is_over() => "running",
            _ => "done",
        };
        write!(f, "Event({} {}, {state})", self.kernel, self.variant)
    }
}
