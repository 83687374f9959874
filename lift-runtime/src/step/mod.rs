//! Time stepping: one kernel, launched again and again, whose results take the places of its parameters.
//!
//! Nothing is copied from step to step: buffers change places. Steps are enqueued without waiting for each other
//! on a queue of the simulation's own, so that the host is ahead of the device; what is asked for (a state, the
//! samples of a probe, an event's end) waits for the steps made so far.

#[cfg(feature = "frames")]
pub mod colours;
mod finite;
#[cfg(feature = "frames")]
mod frames;
mod progress;
#[cfg(feature = "save")]
mod save;
mod schedule;
mod state;
mod taps;
mod tools;

use std::fmt;
use std::sync::Arc;

use crate::args::{HostArg, Seen};
use crate::array::elements;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::enqueue::{Input, enqueue};
use crate::error::{Error, Result};
use crate::launch::Launcher;
use crate::plan::Plan;
use crate::queue::{Event, Queue};
use crate::solve::check_again;
use crate::spec::{Access, KernelSpec, Param, Rotation};

#[cfg(feature = "frames")]
pub use frames::Frames;
pub use schedule::Steps;
pub use state::{Snapshot, State};
pub use taps::Probe;

use finite::Finite;
use taps::Taps;
use tools::Tools;

/// A simulation: the untyped half of what `start` gives. Typed launchers add methods with the names of the
/// parameters.
pub struct Stepper {
    spec: &'static KernelSpec,
    rotation: &'static Rotation,
    device: Device,
    queue: Queue,
    /// Nothing if the arrays have no elements.
    plan: Option<Plan>,
    #[cfg(feature = "save")]
    version: Version,
    /// What each parameter's leaf is now.
    inputs: Vec<Input<'static>>,
    /// The extents of each; nothing for scalars.
    extents: Vec<Option<Vec<usize>>>,
    /// A buffer for every leaf of the next result.
    spares: Vec<Arc<Buffer>>,
    done: u64,
    last: Option<Event>,
    taps: Taps,
    finite: Option<Finite>,
    tools: Tools,
}

/// What was chosen at the start.
#[cfg(feature = "save")]
struct Version {
    /// The values of the sizes.
    sizes: Vec<i64>,
    tunables: Vec<(&'static str, i64)>,
}

impl Stepper {
    /// A simulation that starts from these arguments.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the arguments or the build.
    pub fn start(launcher: &Launcher, args: &[HostArg<'_>]) -> Result<Stepper> {
        let (spec, device) = (launcher.spec(), launcher.device().clone());
        let rotation = spec.step.as_ref().ok_or_else(|| launcher.malformed("it is not a step in time"))?;
        expect_device(spec, &device, 0, args)?;
        let (bound, plan, inputs) = launcher.for_steps().bind(args, true)?;
        let extents: Vec<Option<Vec<usize>>> = args.iter().map(extents_of).collect();
        for chain in rotation.chains.iter() {
            for place in chain.places.iter() {
                let result = spec.results.get(chain.result).zip(bound.extents.get(chain.result));
                let param = spec.params.get(*place).zip(extents.get(*place).and_then(Option::as_deref));
                // Buffers of different sizes must not change places.
                if !result.zip(param).is_some_and(|((result, found), (param, expected))| {
                    result.elem == param.elem && (found == expected || found.is_empty() && expected == [1])
                }) {
                    return Err(
                        launcher.malformed("a result does not fit the parameter whose place it takes")
                    );
                }
            }
        }
        let queue = device.new_untimed_queue()?;
        Ok(Stepper {
            spec,
            rotation,
            queue,
            #[cfg(feature = "save")]
            version: Version {
                sizes: bound.sizes,
                tunables: plan.as_ref().map(Plan::named_tunables).unwrap_or_default(),
            },
            plan,
            inputs: inputs.into_iter().map(Input::kept).collect(),
            extents,
            spares: bound.results.into_iter().flatten().collect(),
            done: 0,
            last: None,
            taps: Taps::default(),
            finite: None,
            tools: Tools::new(&device),
            device,
        })
    }

    /// Makes so many steps. Returns when they are enqueued, which is before they are done.
    ///
    /// # Errors
    ///
    /// When the driver refuses a launch; with [`Stepper::check_finite`], when a step gave a value that is not
    /// finite. What goes wrong on the device is reported by whoever asks for data, and by [`Stepper::wait`].
    pub fn run(&mut self, steps: u64) -> Result<()> {
        if self.plan.is_none() {
            self.done += steps;
            return Ok(());
        }
        let mut left = steps;
        while left > 0 {
            let now = if self.finite.is_some() { left.min(finite::INTERVAL) } else { left };
            self.taps.reserve(&self.device, now)?;
            for _ in 0..now {
                self.step()?;
            }
            self.expect_finite()?;
            left -= now;
        }
        self.queue.flush()
    }

    fn step(&mut self) -> Result<()> {
        let Some(plan) = &self.plan else { return Ok(()) };
        let event = enqueue(&self.device, self.queue.inner(), plan, &self.inputs, &self.spares)?;
        self.last = Some(event);
        for chain in self.rotation.chains.iter() {
            // Both exist: it was checked at the start.
            let Some(spare) = self.spares.get_mut(chain.result) else { continue };
            for place in chain.places.iter() {
                if let Some(Input::Buffer(buffer)) = self.inputs.get_mut(*place) {
                    std::mem::swap(buffer, spare);
                }
            }
        }
        self.done += 1;
        self.taps.step(&mut self.tools, &self.queue, self.done, &self.inputs)?;
        self.watch()
    }

    /// How many steps were made.
    #[must_use]
    pub fn steps_done(&self) -> u64 {
        self.done
    }

    /// Blocks until all steps are done.
    ///
    /// # Errors
    ///
    /// When one of them failed, or met an index that is out of range.
    pub fn wait(&self) -> Result<()> {
        self.queue.finish()?;
        self.last.as_ref().map_or(Ok(()), Event::wait)
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Replaces the leaves of a parameter, the first of which is number `leaf`, from the next step on. Arrays must
    /// have the extents they had at the start.
    ///
    /// # Errors
    ///
    /// When the new values are not of the parameter's type or extents, or a slice does not have the shape passed
    /// with it.
    #[doc(hidden)]
    pub fn set(&mut self, leaf: usize, args: &[HostArg<'_>]) -> Result<()> {
        expect_device(self.spec, &self.device, leaf, args)?;
        let mut new = Vec::new();
        for (position, arg) in (leaf..).zip(args) {
            let param = self.param(position)?;
            let extents = self.extents.get(position).cloned().flatten();
            check_again(self.spec, param, extents.as_deref(), &arg.shape())?;
            new.push(match arg.see(&param.name)? {
                Seen::Scalar(value) => Some(Input::Scalar(value)),
                seen => seen.upload(&self.device)?.map(Input::Buffer),
            });
        }
        for (input, new) in self.inputs.iter_mut().skip(leaf).zip(new) {
            // An array without elements stays what it is.
            if let Some(new) = new {
                *input = new;
            }
        }
        Ok(())
    }

    fn param(&self, leaf: usize) -> Result<&'static Param> {
        let missing = || self.wrong("it has no such parameter".to_string());
        self.spec.params.get(leaf).ok_or_else(missing)
    }

    /// The leaf of this name, which must be an array that changes from step to step.
    fn named(&self, name: &str) -> Result<usize> {
        let found = self.spec.params.iter().position(|param| param.name == name);
        found.filter(|leaf| self.states().any(|state| state == *leaf)).ok_or_else(|| {
            let names: Vec<&str> =
                self.states().filter_map(|leaf| Some(&*self.spec.params.get(leaf)?.name)).collect();
            let known = crate::message::quoted(&names);
            self.wrong(format!("it has no state `{name}`; there is {known}"))
        })
    }

    /// The leaves that a step gives new contents, the newest state of each chain first.
    fn states(&self) -> impl Iterator<Item = usize> + use<> {
        let rotating = self.rotation.chains.iter().filter_map(|chain| chain.places.first().copied());
        let params = self.spec.params.iter().enumerate();
        rotating.chain(params.filter(|(_, param)| param.access == Access::Update).map(|(leaf, _)| leaf))
    }

    /// The buffer of a leaf that is an array, and its extents.
    fn array(&self, leaf: usize) -> Result<(Option<&Arc<Buffer>>, &[usize])> {
        let extents = self.extents.get(leaf).and_then(Option::as_deref);
        let extents = extents.ok_or_else(|| self.wrong("a scalar was used like an array".to_string()))?;
        match self.inputs.get(leaf) {
            Some(Input::Buffer(buffer)) => Ok((Some(buffer), extents)),
            Some(Input::Scalar(_) | Input::Borrowed(_)) | None => Ok((None, extents)),
        }
    }

    fn wrong(&self, problem: String) -> Error {
        Error::Arguments { kernel: &self.spec.name, problem }
    }

    /// The largest difference between the newest state and the one before, over all states that take each other's
    /// places. It is NaN if one of the differences is; two truth values differ by 1. Waits for the steps made so far.
    ///
    /// # Errors
    ///
    /// When no step was made, or nothing takes the place of anything: arrays updated in place have no state before.
    pub fn max_change(&mut self) -> Result<f64> {
        if self.done == 0 {
            return Err(self.wrong("`max_change` compares two states, but no step has been made".to_string()));
        }
        let mut largest: Option<f64> = None;
        for chain in self.rotation.chains.iter() {
            let (Some(newest), Some(spare)) = (chain.places.first(), self.spares.get(chain.result)) else {
                continue;
            };
            let before = match chain.places.get(1) {
                Some(place) => self.array(*place)?.0,
                None => Some(spare),
            };
            let ((Some(newest), extents), Some(before)) = (self.array(*newest)?, before) else { continue };
            let (elem, len) = (self.param(chain.places[0])?.elem, elements(extents)?);
            let (newest, before) = (Arc::clone(newest), Arc::clone(before));
            let change = self.tools.max_change(elem, &self.queue, &newest, &before, len)?;
            largest = Some(largest.map_or(change, |largest| tools::max_or_nan(largest, change)));
        }
        let none = || self.wrong("`max_change` needs a state whose place a result takes".to_string());
        largest.ok_or_else(none)
    }
}

/// Device arrays among the arguments, the first of which is for leaf number `first`, must be on this device.
fn expect_device(spec: &KernelSpec, device: &Device, first: usize, args: &[HostArg<'_>]) -> Result<()> {
    for (param, arg) in spec.params.iter().skip(first).zip(args) {
        if let Some(found) = arg.device() {
            device.expect_same(found, &spec.name, &format!("`{}`", param.name))?;
        }
    }
    Ok(())
}

fn extents_of(arg: &HostArg<'_>) -> Option<Vec<usize>> {
    arg.shape().extents.map(<[usize]>::to_vec)
}

impl fmt::Debug for Stepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {} after {} steps", self.spec.name, self.device.label(), self.done)
    }
}
