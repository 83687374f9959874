//! Time stepping: one kernel, launched again and again, whose results take the places of its parameters.
//!
//! Nothing is copied from step to step: buffers change places. Steps are enqueued without waiting for each other
//! on a queue of the simulation's own, so that the host is ahead of the device; what is asked for (a state, the
//! samples of a probe, an event's end) waits for the steps made so far.

#[cfg(feature = "frames")]
pub mod colours;
mod division;
mod exchange;
mod finite;
#[cfg(feature = "frames")]
mod frames;
mod owners;
mod part;
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
use crate::buffer::{Buffer, download};
use crate::device::Device;
use crate::enqueue::Input;
use crate::error::{Error, Result};
use crate::launch::Launcher;
use crate::ranks::{self, Message, Ranks};
use crate::scalar::{Scalar, of_bytes};
use crate::solve::{Sizes, check_again};
use crate::spec::{Access, KernelSpec, Param, Rotation};

#[cfg(feature = "frames")]
pub use frames::Frames;
pub use schedule::Steps;
pub use state::{Snapshot, State};
pub use taps::Probe;
use taps::Probed;

use division::{Division, Wanted};
use owners::Owners;
use part::Part;

/// A simulation: the untyped half of what `start` gives. Typed launchers add methods with the names of the
/// parameters.
pub struct Stepper {
    spec: &'static KernelSpec,
    rotation: &'static Rotation,
    device: Device,
    #[cfg(feature = "save")]
    version: Version,
    /// The extents of each leaf of the parameters; nothing for scalars.
    extents: Vec<Option<Vec<usize>>>,
    division: Division,
    owners: Owners,
    /// Those that are computed here.
    parts: Vec<Part>,
    done: u64,
    /// How many steps were made since halos were exchanged.
    stale: usize,
    /// In the order in which they were made.
    probes: Vec<Probed>,
    /// The memory of messages that were received, for the next ones.
    messages: Vec<Message>,
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
    /// Whatever is wrong with the arguments or the build; [`Error::Parts`] if it cannot be computed in the parts that were asked for.
    pub fn start(launcher: &Launcher, args: &[HostArg<'_>]) -> Result<Stepper> {
        let (spec, device) = (launcher.spec(), launcher.device().clone());
        let rotation = spec.step.as_ref().ok_or_else(|| launcher.malformed("it is not a step in time"))?;
        expect_device(spec, &device, 0, args)?;
        let extents: Vec<Option<Vec<usize>>> = args.iter().map(extents_of).collect();
        let sizes = part::sizes(spec, args)?;
        for chain in rotation.chains.iter() {
            for place in chain.places.iter() {
                let result = spec.results.get(chain.result).zip(sizes.results.get(chain.result));
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
        let ranks = launcher.ranks();
        owners::expect_same(ranks, launcher, &sizes, args)?;
        let is_empty = sizes.results.iter().all(|extents| extents.contains(&0));
        let mut owners = match launcher.part_devices() {
            _ if is_empty => Owners::everything(ranks),
            devices => Owners::new(ranks, &devices, launcher.part_shares()?)?,
        };
        let mut division = divide(launcher, &owners, &sizes)?;
        if !owners.is_alike() && launcher.part_shares()?.is_empty() {
            let trial = ranks.agree(start_parts(launcher, (&division, &owners), &sizes, args))?;
            let own = owners.own().zip(trial);
            let speeds: Vec<f64> =
                own.map(|(number, part)| division.rows(number) as f64 * part.speed(rotation)).collect();
            owners = owners.with_shares(&speeds)?;
            division = divide(launcher, &owners, &sizes)?;
        }
        let parts = match owners.len() {
            1 => vec![Part::start(launcher, args)?],
            _ => ranks.agree(start_parts(launcher, (&division, &owners), &sizes, args))?,
        };
        Ok(Stepper {
            spec,
            rotation,
            device,
            #[cfg(feature = "save")]
            version: Version {
                sizes: sizes.values,
                tunables: parts
                    .first()
                    .and_then(|part| part.plan.as_ref())
                    .map(crate::plan::Plan::named_tunables)
                    .unwrap_or_default(),
            },
            extents,
            division,
            owners,
            parts,
            done: 0,
            stale: 0,
            probes: Vec::new(),
            messages: Vec::new(),
        })
    }

    /// Makes so many steps. Returns when they are enqueued, which is before they are done.
    ///
    /// # Errors
    ///
    /// When the driver refuses a launch; with [`Stepper::check_finite`], when a step gave a value that is not
    /// finite. What goes wrong on the device is reported by whoever asks for data, and by [`Stepper::wait`].
    pub fn run(&mut self, steps: u64) -> Result<()> {
        if self.parts.iter().all(|part| part.plan.is_none()) {
            self.done += steps;
            return Ok(());
        }
        let is_watched = self.is_watched();
        let mut left = steps;
        while left > 0 {
            let now = if is_watched { left.min(finite::INTERVAL) } else { left };
            for part in &mut self.parts {
                part.taps.reserve(&part.device, now)?;
            }
            for _ in 0..now {
                self.step()?;
            }
            self.expect_finite()?;
            left -= now;
        }
        self.parts.iter().try_for_each(|part| part.queue.flush())
    }

    fn step(&mut self) -> Result<()> {
        let (rotation, done) = (self.rotation, self.done + 1);
        self.parts.iter_mut().try_for_each(|part| part.step(rotation))?;
        self.stale += 1;
        // What is wrong in a halo that is not exchanged is nobody's value.
        if self.is_watched() || self.stale >= self.division.steps() {
            self.exchange()?;
        }
        self.done = done;
        for part in &mut self.parts {
            part.taps.step(&mut part.tools, &part.queue, done, &part.inputs)?;
        }
        self.watch()
    }

    /// Whether values are looked at after each step.
    fn is_watched(&self) -> bool {
        self.parts.iter().any(|part| part.finite.is_some())
    }

    /// A leaf that is an array, its extents, and the bytes of an element.
    fn leaf(&self, leaf: usize) -> Result<(usize, &[usize], usize)> {
        Ok((leaf, self.shape(leaf)?, self.param(leaf)?.elem.size()))
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
        self.parts.iter().try_for_each(Part::wait)
    }

    /// In how many parts it is computed, on all ranks together.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.division.len()
    }

    /// The ranks that compute it.
    #[must_use]
    pub fn ranks(&self) -> &Ranks {
        &self.owners.ranks
    }

    /// A part that is computed here.
    fn part(&self, number: usize) -> Option<&Part> {
        self.owners.here(number).and_then(|here| self.parts.get(here))
    }

    /// The parts that are computed here, with their numbers.
    fn numbered(&self) -> impl Iterator<Item = (usize, &Part)> {
        self.owners.own().zip(&self.parts)
    }

    /// The launcher's device: copies of states are made there. Parts may be on others.
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
        for (position, arg) in (leaf..).zip(args) {
            let param = self.param(position)?;
            check_again(
                self.spec,
                param,
                self.extents.get(position).and_then(Option::as_deref),
                &arg.shape(),
            )?;
        }
        // Nothing changes before all of it is there.
        let mut new = Vec::new();
        for (here, (number, part)) in self.numbered().enumerate() {
            for (position, arg) in (leaf..).zip(args) {
                let name = &*self.param(position)?.name;
                let own = (self.division.len() > 1)
                    .then(|| part::part_of(&self.division, (position, name), number, arg))
                    .transpose()?;
                let input = match own.as_ref().unwrap_or(arg).see(name)? {
                    Seen::Scalar(value) => Some(Input::Scalar(value)),
                    seen => seen.upload(&part.device)?.map(Input::Buffer),
                };
                new.push((here, position, input));
            }
        }
        for (here, position, input) in new {
            // An array without elements stays what it is.
            if let (Some(part), Some(input)) = (self.parts.get_mut(here), input)
                && let Some(place) = part.inputs.get_mut(position)
            {
                *place = input;
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

    /// The extents of a leaf that is an array.
    fn shape(&self, leaf: usize) -> Result<&[usize]> {
        let extents = self.extents.get(leaf).and_then(Option::as_deref);
        extents.ok_or_else(|| self.wrong("a scalar was used like an array".to_string()))
    }

    /// The elements of an array, which has a buffer in each part. All ranks call it and get all of them.
    fn download<'a, T: Scalar>(
        &'a self,
        leaf: usize,
        buffer: impl Fn(&'a Part) -> Option<&'a Arc<Buffer>>,
    ) -> Result<Vec<T>> {
        let extents = self.shape(leaf)?;
        if self.owners.is_shared() {
            let unit = T::TYPE.size();
            let mut own = Vec::new();
            for (number, part) in self.numbered() {
                let len = elements(&self.division.extents(leaf, number, extents))?.saturating_mul(unit);
                own.push(download::<u8>(&part.device, buffer(part).map(Arc::as_ref), len)?);
            }
            let all = self.owners.ranks.gather(ranks::pack(&own))?;
            let all = all.iter().flat_map(|own| ranks::unpack(own)).collect();
            return of_bytes(&self.division.whole_of(leaf, extents, unit, all));
        }
        let mut all = Vec::new();
        for (number, part) in self.numbered() {
            let len = elements(&self.division.extents(leaf, number, extents))?;
            all.push(download::<T>(&part.device, buffer(part).map(Arc::as_ref), len)?);
        }
        Ok(self.division.whole_of(leaf, extents, 1, all))
    }

    /// Where an element of a part lies in the whole array, and whether it is the part's own.
    #[cfg(feature = "save")]
    fn in_whole(&self, leaf: usize, part: usize, at: usize) -> Result<(usize, bool)> {
        let extents = self.shape(leaf)?;
        let index = self.division.index(leaf, part, extents, at);
        let at = index.iter().zip(extents).fold(0, |flat, (at, extent)| flat * extent + at);
        let places = self.division.places(leaf, extents, at);
        Ok((at, places.iter().any(|(other, _, is_own)| *other == part && *is_own)))
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
        self.exchange_all()?;
        let mut largest: Option<f64> = None;
        for chain in self.rotation.chains.iter() {
            let Some(newest) = chain.places.first() else { continue };
            let (elem, extents) = (self.param(*newest)?.elem, self.shape(*newest)?);
            let lens = self.owners.own().map(|part| elements(&self.division.extents(*newest, part, extents)));
            let lens = lens.collect::<Result<Vec<_>>>()?;
            for (part, len) in self.parts.iter_mut().zip(lens) {
                let before = match chain.places.get(1) {
                    Some(place) => part.buffer(*place).cloned(),
                    None => part.spares.get(chain.result).cloned(),
                };
                let (Some(newest), Some(before)) = (part.buffer(*newest).cloned(), before) else { continue };
                let change = part.tools.max_change(elem, &part.queue, &newest, &before, len)?;
                largest = Some(largest.map_or(change, |largest| tools::max_or_nan(largest, change)));
            }
        }
        let none = || self.wrong("`max_change` needs a state whose place a result takes".to_string());
        let own = largest.ok_or_else(none)?;
        if !self.owners.is_shared() {
            return Ok(own);
        }
        let all = self.owners.ranks.gather(own.to_bits().to_le_bytes().to_vec())?;
        let all = all.iter().filter_map(|bits| bits.first_chunk::<8>());
        Ok(all.map(|bits| f64::from_bits(u64::from_le_bytes(*bits))).fold(own, tools::max_or_nan))
    }
}

/// The rows of all parts.
fn divide(launcher: &Launcher, owners: &Owners, sizes: &Sizes) -> Result<Division> {
    let spec = launcher.spec();
    let Some(rotation) = &spec.step else { return Ok(Division::whole()) };
    let is_near = !owners.is_shared() && launcher.part_devices().iter().all(Device::is_host);
    let wanted = Wanted { shares: &owners.shares(), steps: launcher.exchanges(), is_near };
    Division::new(spec, rotation, &wanted, &sizes.values)
}

/// The parts of a simulation that are computed here, all in the version for the whole.
fn start_parts(
    launcher: &Launcher,
    (division, owners): (&Division, &Owners),
    sizes: &Sizes,
    args: &[HostArg<'_>],
) -> Result<Vec<Part>> {
    let spec = launcher.spec();
    let chosen = launcher.chosen(sizes, args);
    let chosen = owners::same_version(&owners.ranks, owners.ranks.agree(chosen)?)?;
    let devices = launcher.part_devices();
    let mut parts = Vec::new();
    for (number, device) in owners.own().zip(&devices) {
        let own = spec.params.iter().map(|param| &*param.name).enumerate().zip(args);
        let own = own.map(|(leaf, arg)| part::part_of(division, leaf, number, arg));
        let own = own.collect::<Result<Vec<_>>>()?;
        parts.push(Part::start(&chosen.on(device)?, &own).map_err(|error| match error {
            // What holds for the whole need not hold for fewer rows.
            Error::Check { message, .. } => {
                let problem = format!("part {} is too small or has no fitting size: {message}", number + 1);
                Error::Parts { kernel: &spec.name, parts: owners.len(), problem }
            }
            error => error,
        })?);
    }
    Ok(parts)
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
        write!(f, "{} on {}", self.spec.name, self.device.label())?;
        if self.division.len() > 1 {
            write!(f, " in {} parts", self.division.len())?;
        }
        if self.owners.is_shared() {
            write!(f, ", {:?}", self.owners.ranks)?;
        }
        write!(f, " after {} steps", self.done)
    }
}
