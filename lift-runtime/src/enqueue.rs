//! Enqueuing: a planned program with its data becomes commands on a queue.
//!
//! Nothing is waited for, but for what decides whether there is another round. A queue runs in order, so that only the first command waits for what
//! other queues do with the buffers. Temporaries go back to the device's pool at once: whoever takes one waits for its last use, as for
//! that of any other buffer.

use std::borrow::Cow;
use std::sync::Arc;

use crate::backend;
use crate::buffer::Buffer;
use crate::built::Code;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::geometry::IndexSpace;
use crate::on_host::{self, Given, Passed};
use crate::plan::{Plan, Task, Times};
use crate::queue::{Commands, Event, Holds, QueueInner, Waits};
use crate::scalar::ScalarValue;
use crate::spec::{Access, Slot};
use crate::status::Status;

/// An argument as the device takes it.
#[derive(Clone)]
pub(crate) enum Input<'a> {
    Buffer(Arc<Buffer>),
    Scalar(ScalarValue),
    /// On the host, the caller's own array, which is only read.
    Borrowed(Cow<'a, [u8]>),
}

impl Input<'_> {
    /// The same for later launches.
    pub(crate) fn kept(self) -> Input<'static> {
        match self {
            Input::Buffer(buffer) => Input::Buffer(buffer),
            Input::Scalar(value) => Input::Scalar(value),
            Input::Borrowed(bytes) => Input::Borrowed(Cow::Owned(bytes.into_owned())),
        }
    }
}

/// Starts `plan` on a queue of `device`. There is an input for every parameter and a buffer for every result.
pub(crate) fn enqueue(
    device: &Device,
    queue: &Arc<QueueInner>,
    plan: &Plan,
    inputs: &[Input<'_>],
    results: &[Arc<Buffer>],
) -> Result<Event> {
    let bytes: Vec<usize> = plan.temporaries.iter().chain(plan.claims.iter().flatten()).copied().collect();
    let taken = device.pool().take(device, queue, &bytes)?;
    let mut uses = Uses::new(plan, inputs, results, &taken);
    let (temporaries, claimed) = taken.split_at(plan.temporaries.len().min(taken.len()));
    let mut claimed = claimed.iter();
    let (mut doubts, own) = uses.doubts(device, plan)?;
    let mut waits = Waits::default();
    let wait = |buffer: &Arc<Buffer>, is_written: &bool, waits: &mut Waits| {
        if *is_written { buffer.wait_to_write(queue, waits) } else { buffer.wait_to_read(queue, waits) }
    };
    uses.buffers
        .iter()
        .zip(&uses.written)
        .try_for_each(|(buffer, written)| wait(buffer, written, &mut waits))?;
    let mut run = Run {
        queue,
        plan,
        inputs,
        results,
        status: own.as_ref().map(|status| &status.buffer),
        temporaries: temporaries.to_vec(),
        claims: plan
            .claims
            .iter()
            .map(|bytes| bytes.and_then(|bytes| Some((claimed.next()?, bytes))))
            .collect(),
        buffers: uses.buffers.clone().into(),
        waits: waits.into_list(),
        events: Vec::new(),
    };
    let started = match &own {
        Some(status) if status.is_new() => {
            run.zero(&status.buffer, status.buffer.bytes()).and_then(|_| run.tasks(&plan.tasks))
        }
        Some(_) | None => run.tasks(&plan.tasks),
    };
    // What was started before a failure uses its buffers all the same.
    let commands = Commands::new(run.events);
    if let Some(commands) = &commands {
        let known = |own: &Arc<Status>| doubts.iter().any(|other| Arc::ptr_eq(own, other));
        if let Some(status) = own.as_ref().filter(|own| plan.checked && !known(own)) {
            doubts.push(Arc::clone(status));
        }
        for (buffer, is_written) in uses.buffers.iter().zip(&uses.written) {
            if *is_written {
                buffer.note_write(queue, commands);
                // The record itself is beyond doubt.
                if own.as_ref().is_none_or(|own| !Arc::ptr_eq(&own.buffer, buffer)) {
                    buffer.set_doubts(&doubts);
                }
            } else {
                buffer.note_read(queue, commands);
            }
        }
    }
    device.pool().give(taken);
    let bytes = uses.buffers.iter().fold(0usize, |sum, buffer| sum.saturating_add(buffer.bytes()));
    started.map_err(|error| device.explain_memory(error, bytes).in_kernel(&plan.spec.name))?;
    Ok(Event::new(commands, &plan.spec.name, &plan.variant.name, doubts))
}

/// What may be wrong with data.
type Doubts = Vec<Arc<Status>>;

/// All buffers of a program, and whether it writes them.
struct Uses {
    buffers: Vec<Arc<Buffer>>,
    written: Vec<bool>,
    /// How many of them are inputs; they come first.
    inputs: usize,
}

impl Uses {
    fn new(plan: &Plan, inputs: &[Input<'_>], results: &[Arc<Buffer>], temporaries: &[Arc<Buffer>]) -> Uses {
        let (mut buffers, mut written) = (Vec::new(), Vec::new());
        for (input, param) in inputs.iter().zip(plan.spec.params.iter()) {
            if let Input::Buffer(buffer) = input {
                buffers.push(Arc::clone(buffer));
                written.push(param.access == Access::Update);
            }
        }
        let inputs = buffers.len();
        for buffer in results.iter().chain(temporaries) {
            buffers.push(Arc::clone(buffer));
            written.push(true);
        }
        Uses { buffers, written, inputs }
    }

    /// What may be wrong with the inputs, and the status that this launch records into. A launch of the same
    /// program at the same sizes may already have one among the inputs: then that one serves again, so that the
    /// list stays short however many launches follow each other.
    fn doubts(&mut self, device: &Device, plan: &Plan) -> Result<(Doubts, Option<Arc<Status>>)> {
        let mut doubts = Doubts::new();
        for buffer in &self.buffers[..self.inputs] {
            for status in buffer.doubts() {
                if !doubts.iter().any(|other| Arc::ptr_eq(other, &status)) {
                    doubts.push(status);
                }
            }
        }
        if !plan.records {
            return Ok((doubts, None));
        }
        let known = doubts.iter().find(|status| plan.checked && status.is_of(plan)).cloned();
        let own = match known {
            Some(status) => status,
            None => Arc::new(Status::new(device, plan)?),
        };
        self.buffers.push(Arc::clone(&own.buffer));
        self.written.push(true);
        Ok((doubts, Some(own)))
    }
}

/// A program that is being enqueued.
struct Run<'a> {
    queue: &'a Arc<QueueInner>,
    plan: &'a Plan,
    inputs: &'a [Input<'a>],
    results: &'a [Arc<Buffer>],
    status: Option<&'a Arc<Buffer>>,
    /// The buffer that each temporary stands for now.
    temporaries: Vec<Arc<Buffer>>,
    /// For each site, its claims and their bytes.
    claims: Vec<Option<(&'a Arc<Buffer>, usize)>>,
    /// Everything that must live until the commands are done.
    buffers: Holds,
    /// What the next command must wait for.
    waits: Vec<Arc<backend::Event>>,
    /// The commands so far.
    events: Vec<Arc<backend::Event>>,
}

impl Run<'_> {
    fn zero(&mut self, buffer: &Arc<Buffer>, bytes: usize) -> Result<Arc<backend::Event>> {
        let start = || self.queue.backend().zero(buffer.memory(), bytes, &self.waits);
        let event = self.queue.submit(&self.buffers, start)?;
        self.waits.clear();
        Ok(event)
    }

    /// Whether the repetition around ends.
    fn tasks(&mut self, tasks: &[Task]) -> Result<bool> {
        for task in tasks {
            match task {
                Task::Launch { entry, args, space, passed } => self.launch(entry, args, space, passed)?,
                Task::Repeat(times, tasks) => {
                    for _ in 0..self.times(times)? {
                        if self.tasks(tasks)? {
                            break;
                        }
                    }
                }
                Task::Leave(temporary) => {
                    if self.is_true(*temporary)? {
                        return Ok(true);
                    }
                }
                Task::Swap(a, b) => {
                    if (*a).max(*b) >= self.temporaries.len() {
                        return Err(self.malformed("it swaps a temporary that does not exist"));
                    }
                    self.temporaries.swap(*a, *b);
                }
            }
        }
        Ok(false)
    }

    /// Whether the only element of a temporary is true, after all commands so far.
    fn is_true(&self, temporary: usize) -> Result<bool> {
        let Some(buffer) = self.temporaries.get(temporary) else {
            return Err(self.malformed("a temporary decides that does not exist"));
        };
        let mut element = 0u8;
        let last: Vec<Arc<backend::Event>> = self.events.last().cloned().into_iter().collect();
        let waits = if last.is_empty() { &self.waits } else { &last };
        // SAFETY: there is one byte.
        unsafe { self.queue.backend().read(buffer.memory(), 0, (&raw mut element).cast(), 1, waits)? };
        Ok(element != 0)
    }

    fn times(&self, times: &Times) -> Result<u64> {
        match times {
            Times::Known(times) => Ok(*times),
            Times::Param(leaf) => self.count(*leaf),
            Times::Whole(leaf, n) => Ok(self.count(*leaf)? / n.max(&1)),
            Times::Rest(leaf, n) => Ok(self.count(*leaf)? % n.max(&1)),
        }
    }

    /// The value of a scalar parameter that says how often something is done.
    fn count(&self, leaf: usize) -> Result<u64> {
        match self.inputs.get(leaf) {
            Some(Input::Scalar(value)) => value.count(),
            Some(Input::Buffer(_) | Input::Borrowed(_)) | None => None,
        }
        .ok_or_else(|| self.malformed("a number of repetitions is not an integer parameter"))
    }

    fn launch(
        &mut self,
        name: &'static str,
        args: &'static [Slot],
        space: &IndexSpace,
        passed: &[Passed],
    ) -> Result<()> {
        let Some(entry) = self.plan.built.entry(name) else {
            return Err(self.malformed("a function was not built"));
        };
        for slot in args {
            // One that is missing is reported below.
            if let Slot::Claims(site) = *slot
                && let Some((buffer, bytes)) = self.claims.get(site).copied().flatten()
            {
                let event = self.zero(buffer, bytes)?;
                self.events.push(event);
            }
        }
        let event = match &entry.code {
            #[cfg(feature = "opencl")]
            Code::OpenCl(kernel) => {
                let several = self.plan.tasks.len() > 1;
                let in_entry = |error: Error| if several { error.in_entry(name) } else { error };
                self.launch_kernel(&crate::lock(kernel), args, space).map_err(in_entry)?
            }
            Code::Host(function) => {
                let [items] = space.global[..] else {
                    return Err(self.malformed("a launch has more than one dimension"));
                };
                let given = args.iter().map(|slot| self.given(*slot)).collect::<Result<Vec<_>>>()?;
                let run = || on_host::launch(self.plan, function, items, passed, &given);
                self.queue.submit(&self.buffers, || self.queue.backend().run(&self.waits, run))?
            }
        };
        self.events.push(event);
        self.waits.clear();
        Ok(())
    }

    #[cfg(feature = "opencl")]
    fn launch_kernel(
        &self,
        kernel: &backend::opencl::Kernel,
        args: &'static [Slot],
        space: &IndexSpace,
    ) -> Result<Arc<backend::Event>> {
        let start = || {
            for (index, slot) in args.iter().enumerate() {
                match self.given(*slot)? {
                    Given::Buffer(buffer) | Given::Claims(buffer, _) => {
                        kernel.set_memory(index, buffer.memory().opencl()?)?;
                    }
                    Given::Scalar(value) => {
                        // SAFETY: so the description says, which is true of the text.
                        unsafe { kernel.set_value(index, value.bytes())? };
                    }
                    Given::Borrowed(_) | Given::Nothing => return Err(self.missing()),
                }
            }
            for (index, size) in self.plan.size_args.iter().enumerate() {
                // SAFETY: so does every text that takes sizes.
                unsafe { kernel.set_value(args.len() + index, size.bytes())? };
            }
            // SAFETY: all arguments are set, as the description lists them, and buffers have as many elements as it says:
            // `solve` compared the extents of all arguments, and `HostArg::see` their data with these. That
            // the text accesses nothing else was promised to `Launcher::new`.
            unsafe { self.queue.backend().launch(kernel, &space.global, &space.local, &self.waits) }
        };
        self.queue.submit(&self.buffers, start)
    }

    /// What stands for an argument.
    fn given(&self, slot: Slot) -> Result<Given<'_>> {
        let missing = || self.missing();
        Ok(Given::Buffer(match slot {
            Slot::Param(leaf) => match self.inputs.get(leaf).ok_or_else(missing)? {
                Input::Buffer(buffer) => buffer,
                Input::Scalar(value) => return Ok(Given::Scalar(*value)),
                Input::Borrowed(bytes) => return Ok(Given::Borrowed(bytes)),
            },
            Slot::Result(leaf) => self.results.get(leaf).ok_or_else(missing)?,
            Slot::Temporary(index) => self.temporaries.get(index).ok_or_else(missing)?,
            Slot::Status => self.status.ok_or_else(missing)?,
            Slot::Claims(site) => {
                return Ok(match self.claims.get(site).ok_or_else(missing)? {
                    Some((buffer, bytes)) => Given::Claims(buffer, *bytes),
                    None => Given::Nothing,
                });
            }
        }))
    }

    fn missing(&self) -> Error {
        self.malformed("a function takes an argument that does not exist")
    }

    fn malformed(&self, problem: &str) -> Error {
        let problem = format!("variant `{}`: {problem}", self.plan.variant.name);
        Error::Malformed { kernel: &self.plan.spec.name, problem }
    }
}
