//! A part of a simulation: its arrays on a device, and the queue on which its steps are made.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::division::Division;
use super::finite::Finite;
use super::taps::Taps;
use super::tools::Tools;
use crate::args::{HostArg, Seen};
use crate::buffer::{Buffer, download};
use crate::device::Device;
use crate::enqueue::{Input, enqueue};
use crate::error::Result;
use crate::launch::Launcher;
use crate::plan::Plan;
use crate::queue::{Event, Queue};
use crate::solve::{ArgShape, Sizes, solve};
use crate::spec::{KernelSpec, Rotation};

/// So long a part is tried, to find out how fast its device is.
const TRIAL: Duration = Duration::from_millis(10);

/// A part of a simulation. If it is not divided, there is one.
pub(super) struct Part {
    pub(super) device: Device,
    pub(super) queue: Queue,
    /// Nothing if the arrays have no elements.
    pub(super) plan: Option<Plan>,
    /// What each parameter's leaf is now.
    pub(super) inputs: Vec<Input<'static>>,
    /// A buffer for every leaf of the next result.
    pub(super) spares: Vec<Arc<Buffer>>,
    pub(super) last: Option<Event>,
    pub(super) taps: Taps,
    pub(super) finite: Option<Finite>,
    pub(super) tools: Tools,
}

impl Part {
    /// A part that starts from these arguments, which are its own.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the arguments or the build.
    pub(super) fn start(launcher: &Launcher, args: &[HostArg<'_>]) -> Result<Part> {
        let device = launcher.device().clone();
        let (bound, plan, inputs) = launcher.for_steps().bind(args, true)?;
        Ok(Part {
            // While one part exchanges rows, another one is computed.
            queue: device.new_untimed_queue()?,
            plan,
            inputs: inputs.into_iter().map(Input::kept).collect(),
            spares: bound.results.into_iter().flatten().collect(),
            last: None,
            taps: Taps::default(),
            finite: None,
            tools: Tools::new(&device),
            device,
        })
    }

    /// Starts a step, after which results are in the places of parameters.
    pub(super) fn step(&mut self, rotation: &Rotation) -> Result<()> {
        let Some(plan) = &self.plan else { return Ok(()) };
        let event = enqueue(&self.device, self.queue.inner(), plan, &self.inputs, &self.spares)?;
        self.last = Some(event);
        for chain in rotation.chains.iter() {
            // Both exist: it was checked at the start.
            let Some(spare) = self.spares.get_mut(chain.result) else { continue };
            for place in chain.places.iter() {
                if let Some(Input::Buffer(buffer)) = self.inputs.get_mut(*place) {
                    std::mem::swap(buffer, spare);
                }
            }
        }
        Ok(())
    }

    /// How many steps it makes a second, measured for a moment. What is computed is of no use afterwards.
    pub(super) fn speed(mut self, rotation: &Rotation) -> f64 {
        let mut made = |steps: u32| {
            let started = Instant::now();
            (0..steps).try_for_each(|_| self.step(rotation)).and_then(|()| self.wait()).ok()?;
            Some(started.elapsed())
        };
        // The first step builds the kernel.
        if made(2).is_none() {
            return 1.0;
        }
        let mut steps = 1;
        loop {
            match made(steps) {
                Some(elapsed) if elapsed >= TRIAL || steps >= 1 << 16 => {
                    return f64::from(steps) / elapsed.as_secs_f64().max(1e-9);
                }
                Some(_) => steps *= 2,
                None => return 1.0,
            }
        }
    }

    /// The memory of an array.
    pub(super) fn buffer(&self, leaf: usize) -> Option<&Arc<Buffer>> {
        match self.inputs.get(leaf) {
            Some(Input::Buffer(buffer)) => Some(buffer),
            Some(Input::Scalar(_) | Input::Borrowed(_)) | None => None,
        }
    }

    pub(super) fn wait(&self) -> Result<()> {
        self.queue.finish()?;
        self.last.as_ref().map_or(Ok(()), Event::wait)
    }
}

/// The sizes of a simulation that starts from these arguments.
pub(super) fn sizes(spec: &'static KernelSpec, args: &[HostArg<'_>]) -> Result<Sizes> {
    let shapes: Vec<ArgShape<'_>> = args.iter().map(|arg| ArgShape { is_mut: true, ..arg.shape() }).collect();
    solve(spec, &shapes, None)
}

/// The argument of a part: its own of the elements of an array.
pub(super) fn part_of(
    division: &Division,
    (leaf, name): (usize, &str),
    part: usize,
    arg: &HostArg<'_>,
) -> Result<HostArg<'static>> {
    let shape = arg.shape();
    let extents = shape.extents.unwrap_or(&[]);
    let local = || division.extents(leaf, part, extents);
    let own = |bytes: &[u8]| division.part_of(leaf, part, extents, shape.elem.size(), bytes);
    Ok(match arg.see(name)? {
        Seen::Scalar(value) => HostArg::of_scalar(shape.elem, value.bytes()),
        Seen::Array(bytes) => HostArg::of_bytes(shape.elem, local(), own(&bytes)),
        Seen::Device(buffer) => {
            let len = extents.iter().product::<usize>() * shape.elem.size();
            let bytes = match arg.device() {
                Some(device) => download::<u8>(device, buffer.map(Arc::as_ref), len)?,
                None => Vec::new(),
            };
            HostArg::of_bytes(shape.elem, local(), own(&bytes))
        }
    })
}
