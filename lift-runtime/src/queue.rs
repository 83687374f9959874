//! Queues and events: the order of work on a device, and when it is done.
//!
//! A queue runs its work in order. Between queues, every buffer remembers the commands that last used it, and
//! a command on another queue waits for those it must not overtake. So kernels use an array in the order in which the
//! program launches them, whatever queues are involved.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use crate::backend;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::Result;
use crate::status::Status;

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

/// The back end's queue, and what its unfinished work needs.
pub(crate) struct QueueInner {
    queue: backend::CommandQueue,
    /// Launches that may still be running, the oldest first.
    running: Mutex<VecDeque<Running>>,
}

/// So many launches are remembered before the oldest are asked whether they have ended.
const MANY: usize = 64;

/// So many launches may be unfinished before the next one waits for the oldest half: drivers keep every command
/// in memory until it has ended.
const MOST: usize = 1024;

/// The memory that a command uses.
pub(crate) type Holds = Arc<[Arc<Buffer>]>;

/// A launch with the memory it uses: a program may drop its arrays right after a launch, and not every driver
/// keeps the memory alive by itself.
struct Running {
    event: Arc<backend::Event>,
    _buffers: Holds,
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

    /// Hands everything on this queue to the device, without waiting.
    pub(crate) fn flush(&self) -> Result<()> {
        self.inner.queue.flush()
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
    pub(crate) fn new(queue: backend::CommandQueue) -> Arc<QueueInner> {
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
        buffers: &Holds,
        start: impl FnOnce() -> Result<backend::Event>,
    ) -> Result<Arc<backend::Event>> {
        if self.queue.is_host() {
            // It is over when it is started. Nothing is locked meanwhile: it may run other work of the program's.
            return start().map(Arc::new);
        }
        // Locked while the command is enqueued, so that the list has the order of the queue.
        let mut running = crate::lock(&self.running);
        let event = Arc::new(start()?);
        running.push_back(Running { event: Arc::clone(&event), _buffers: Arc::clone(buffers) });
        if running.len().is_multiple_of(MANY) {
            self.queue.flush()?;
            if running.len() >= MOST
                && let Some(middle) = running.get(running.len() / 2)
            {
                // If it failed, whoever asks for what it wrote will be told.
                let _ = middle.event.wait();
            }
            // What comes before a command that has ended has ended too.
            let over = running.partition_point(|launch| launch.event.is_over());
            running.drain(..over);
        }
        Ok(event)
    }

    pub(crate) fn backend(&self) -> &backend::CommandQueue {
        &self.queue
    }
}

impl Drop for QueueInner {
    fn drop(&mut self) {
        // The memory of unfinished work is about to go.
        let _ = self.queue.finish();
    }
}

/// The commands of one launch, in the order of their queue.
pub(crate) struct Commands {
    last: Arc<backend::Event>,
    earlier: Vec<Arc<backend::Event>>,
}

impl Commands {
    /// None if there are no events.
    pub(crate) fn new(mut events: Vec<Arc<backend::Event>>) -> Option<Arc<Commands>> {
        let last = events.pop()?;
        Some(Arc::new(Commands { last, earlier: events }))
    }

    fn all(&self) -> impl Iterator<Item = &Arc<backend::Event>> {
        self.earlier.iter().chain([&self.last])
    }

    /// Fails when a command has failed. Those that are still running have not.
    fn check(&self) -> Result<()> {
        self.all().try_for_each(|event| event.check())
    }

    fn wait(&self) -> Result<()> {
        self.last.wait()?;
        self.check()
    }

    fn is_over(&self) -> bool {
        self.last.is_over()
    }

    /// Nanoseconds on the device, all commands together.
    fn time(&self) -> Result<u64> {
        self.all().try_fold(0u64, |sum, event| {
            let (start, end) = event.times()?;
            Ok(sum.saturating_add(end.saturating_sub(start)))
        })
    }
}

/// A launch on a queue that used a buffer.
#[derive(Clone)]
pub(crate) struct Use {
    queue: Weak<QueueInner>,
    commands: Arc<Commands>,
}

impl Use {
    pub(crate) fn new(queue: &Arc<QueueInner>, commands: &Arc<Commands>) -> Use {
        Use { queue: Arc::downgrade(queue), commands: Arc::clone(commands) }
    }

    /// Fails when a command has failed. Those that are still running have not.
    pub(crate) fn check(&self) -> Result<()> {
        self.commands.check()
    }

    /// Whether all its commands have ended.
    pub(crate) fn is_over(&self) -> bool {
        self.commands.is_over()
    }

    pub(crate) fn is_on(&self, queue: &Arc<QueueInner>) -> bool {
        self.queue.as_ptr() == Arc::as_ptr(queue)
    }
}

/// The commands of other queues that a new command must wait for.
#[derive(Default)]
pub(crate) struct Waits {
    events: Vec<Arc<backend::Event>>,
}

impl Waits {
    /// Adds `earlier`, unless the queue's own order or the past makes that unnecessary.
    pub(crate) fn add(&mut self, earlier: &Use, queue: &Arc<QueueInner>) -> Result<()> {
        if earlier.is_on(queue) || earlier.is_over() {
            return Ok(());
        }
        // A queue may hold commands back until it is flushed. One that is going away has seen to that.
        if let Some(other) = earlier.queue.upgrade() {
            other.backend().flush()?;
        }
        self.events.push(Arc::clone(&earlier.commands.last));
        Ok(())
    }

    /// What the next command is started with.
    pub(crate) fn list(&self) -> &[Arc<backend::Event>] {
        &self.events
    }

    /// The same, given away.
    pub(crate) fn into_list(self) -> Vec<Arc<backend::Event>> {
        self.events
    }
}

/// A launch: when it is done, and how long it took.
///
/// An event need not be kept: later launches, downloads and [`Queue::finish`] wait for what they need.
#[derive(Clone)]
pub struct Event {
    /// Nothing for a launch that had nothing to do.
    commands: Option<Arc<Commands>>,
    kernel: &'static str,
    variant: &'static str,
    /// What may be wrong with the data.
    doubts: Vec<Arc<Status>>,
}

impl Event {
    pub(crate) fn new(
        commands: Option<Arc<Commands>>,
        kernel: &'static str,
        variant: &'static str,
        doubts: Vec<Arc<Status>>,
    ) -> Event {
        Event { commands, kernel, variant, doubts }
    }

    /// Blocks until the launch is done.
    ///
    /// # Errors
    ///
    /// When the kernel failed on the device, or met an index that is out of range; also when that happened to a
    /// launch whose result this one used.
    pub fn wait(&self) -> Result<()> {
        if let Some(commands) = &self.commands {
            commands.wait().map_err(|error| error.in_kernel(self.kernel))?;
        }
        self.doubts.iter().try_for_each(|status| status.check())
    }

    /// How long the device worked on the kernel, by its own clock; the sum, if there were several launches.
    /// Blocks until the launch is done.
    ///
    /// # Errors
    ///
    /// Those of [`Event::wait`], and when the driver did not measure it.
    pub fn kernel_time(&self) -> Result<Duration> {
        let Some(commands) = &self.commands else {
            return Ok(Duration::ZERO);
        };
        self.wait()?;
        let nanoseconds = commands.time().map_err(|error| error.in_kernel(self.kernel))?;
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// The variant that was launched.
    #[must_use]
    pub fn variant(&self) -> &'static str {
        self.variant
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.commands {
            Some(commands) if !commands.is_over() => "running",
            Some(_) | None => "done",
        };
        write!(f, "Event({} {}, {state})", self.kernel, self.variant)
    }
}
