//! Sources, which add a value to an element after each step, and probes, which record one.

use std::marker::PhantomData;
use std::sync::Arc;

use super::tools::{Tool, Tools, buffer, number};
use super::{Stepper, elements};
use crate::buffer::{Buffer, download_part};
use crate::device::Device;
use crate::enqueue::Input;
use crate::error::Result;
use crate::queue::Queue;
use crate::scalar::transfer::Transfer;
use crate::scalar::{Scalar, of_bytes};
use crate::spec::ScalarType;

/// Recordings are allocated in pieces of at least and at most so many values.
const PIECE: std::ops::RangeInclusive<u64> = 1024..=1 << 20;

/// One element of one array.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) leaf: usize,
    /// Its position in the flat array.
    pub(super) at: usize,
    pub(super) elem: ScalarType,
}

pub(super) struct Source {
    pub(super) place: Place,
    pub(super) samples: Arc<Buffer>,
    pub(super) len: usize,
    /// The step after which the first sample is added.
    pub(super) first: u64,
}

/// All probes of one array: what they see is gathered in one launch after each step.
pub(super) struct Recording {
    pub(super) leaf: usize,
    pub(super) elem: ScalarType,
    /// The positions in the flat array, and their copy on the device unless others have come since.
    pub(super) places: Vec<usize>,
    pub(super) on_device: Option<Arc<Buffer>>,
    pub(super) pieces: Vec<Piece>,
}

/// Values of so many probes in so many steps, those of one probe after the other.
pub(super) struct Piece {
    pub(super) values: Arc<Buffer>,
    pub(super) probes: usize,
    pub(super) used: usize,
    pub(super) room: usize,
}

/// All sources and probes of a part of a simulation.
#[derive(Default)]
pub(super) struct Taps {
    pub(super) sources: Vec<Source>,
    pub(super) recordings: Vec<Recording>,
}

/// A probe of a simulation, by which its samples are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe<T> {
    /// Which of the simulation's it is.
    number: usize,
    elem: PhantomData<fn() -> T>,
}

/// Where a probe is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probed {
    pub(super) elem: ScalarType,
    /// The part whose element it is.
    pub(super) part: usize,
    /// The recording there and the position in that, if the part is computed here.
    pub(super) recording: usize,
    pub(super) index: usize,
}

impl Taps {
    /// Makes sure that each probe has room for the values of so many steps, or for a piece of them.
    pub(super) fn reserve(&mut self, device: &Device, steps: u64) -> Result<()> {
        for recording in &mut self.recordings {
            recording.room(device, steps)?;
        }
        Ok(())
    }

    /// What happens after step number `done`: sources first, so that probes see them.
    pub(super) fn step(
        &mut self,
        tools: &mut Tools,
        queue: &Queue,
        done: u64,
        inputs: &[Input<'_>],
    ) -> Result<()> {
        for source in &self.sources {
            let position = done.checked_sub(source.first).and_then(|position| usize::try_from(position).ok());
            let (Some(i), Some(state)) =
                (position.filter(|i| *i < source.len), inputs.get(source.place.leaf))
            else {
                continue;
            };
            let inputs = [state.clone(), number(source.place.at), buffer(&source.samples), number(i)];
            tools.run(Tool::Add, source.place.elem, queue, &inputs)?;
        }
        for recording in &mut self.recordings {
            let Some(state) = inputs.get(recording.leaf) else { continue };
            recording.room(queue.device(), 1)?;
            let (Some(piece), Some(places)) = (recording.pieces.last_mut(), &recording.on_device) else {
                continue;
            };
            let inputs = [
                buffer(&piece.values),
                number(piece.used),
                number(piece.room),
                state.clone(),
                buffer(places),
                number(piece.probes),
            ];
            // A core is done with all of them before another one has been woken.
            let tool = if queue.device().is_gpu() { Tool::GatherByMany } else { Tool::GatherByOne };
            tools.run(tool, recording.elem, queue, &inputs)?;
            piece.used += 1;
        }
        Ok(())
    }

    /// What a probe of this part has recorded so far.
    fn samples<T: Scalar>(&self, device: &Device, probed: &Probed) -> Result<Vec<T>> {
        let pieces = self.recordings.get(probed.recording).map_or(&[][..], |it| &it.pieces);
        let mut samples = Vec::new();
        for piece in pieces.iter().filter(|piece| probed.index < piece.probes) {
            let first = probed.index * piece.room;
            samples.extend(download_part::<T>(device, Some(&piece.values), first, piece.used)?);
        }
        Ok(samples)
    }

    /// Records an element from the next step on. Returns the recording, and the position in it.
    pub(super) fn record(&mut self, Place { leaf, at, elem }: Place) -> (usize, usize) {
        let known = self.recordings.iter().position(|it| it.leaf == leaf);
        let recording = known.unwrap_or_else(|| {
            let (places, pieces) = (Vec::new(), Vec::new());
            self.recordings.push(Recording { leaf, elem, places, on_device: None, pieces });
            self.recordings.len() - 1
        });
        let all = &mut self.recordings[recording];
        all.places.push(at);
        all.on_device = None;
        (recording, all.places.len() - 1)
    }
}

impl Recording {
    /// Makes sure that there is a piece for the next of so many steps, and that the device knows all places.
    fn room(&mut self, device: &Device, steps: u64) -> Result<()> {
        if steps == 0 {
            return Ok(());
        }
        if self.on_device.is_none() {
            self.on_device = Buffer::holding(device, &usize::to_device(&self.places))?;
        }
        let probes = self.places.len();
        if self.pieces.last().is_none_or(|piece| piece.used == piece.room || piece.probes != probes) {
            let values = steps.saturating_mul(probes as u64).clamp(*PIECE.start(), *PIECE.end()) as usize;
            let room = values.div_ceil(probes.max(1));
            let bytes = room.saturating_mul(probes).saturating_mul(self.elem.size());
            self.pieces.push(Piece { values: Buffer::some(device, bytes)?, probes, used: 0, room });
        }
        Ok(())
    }
}

impl Stepper {
    /// Adds one of `samples` after each step from the next one on to the element `at` of the state `name`. Sums of
    /// integers wrap.
    ///
    /// # Errors
    ///
    /// When there is no such state or element, or it is not made of numbers of this type.
    pub fn source_in<T: Scalar>(&mut self, name: &str, at: &[usize], samples: &[T]) -> Result<()> {
        let leaf = self.named(name)?;
        self.source_at(leaf, at, samples)
    }

    #[doc(hidden)]
    pub fn source_at<T: Scalar>(&mut self, leaf: usize, at: &[usize], samples: &[T]) -> Result<()> {
        let place = self.place::<T>("a source", leaf, at)?;
        if place.elem == ScalarType::Bool {
            let name = &self.param(leaf)?.name;
            return Err(self.wrong(format!("`{name}` is made of bool, to which nothing can be added")));
        }
        self.add_source(place, &T::to_device(samples), samples.len(), self.done + 1)
    }

    /// Adds a source to all parts that have its element.
    pub(super) fn add_source(&mut self, place: Place, samples: &[u8], len: usize, first: u64) -> Result<()> {
        for (part, at, _) in self.division.places(place.leaf, self.shape(place.leaf)?, place.at) {
            let Some(part) = self.owners.here(part).and_then(|here| self.parts.get_mut(here)) else {
                continue;
            };
            if let Some(samples) = Buffer::holding(&part.device, samples)? {
                part.taps.sources.push(Source { place: Place { at, ..place }, samples, len, first });
            }
        }
        Ok(())
    }

    /// Records the element `at` of the state `name` after each step from the next one on. A single value is recorded
    /// at `&[]`. All probes of an array cost one launch a step, however many they are.
    ///
    /// # Errors
    ///
    /// When there is no such state or element, or it is not of this type.
    pub fn probe_in<T: Scalar>(&mut self, name: &str, at: &[usize]) -> Result<Probe<T>> {
        let leaf = self.named(name)?;
        self.probe_at(leaf, at)
    }

    #[doc(hidden)]
    pub fn probe_at<T: Scalar>(&mut self, leaf: usize, at: &[usize]) -> Result<Probe<T>> {
        let place = self.place::<T>("a probe", leaf, at)?;
        self.record(place)
    }

    #[doc(hidden)]
    pub fn probe_all_at<T: Scalar, const D: usize>(
        &mut self,
        leaf: usize,
        places: impl IntoIterator<Item = [usize; D]>,
    ) -> Result<Vec<Probe<T>>> {
        let places = places.into_iter().map(|at| self.place::<T>("a probe", leaf, &at));
        let places = places.collect::<Result<Vec<Place>>>()?;
        places.into_iter().map(|place| self.record(place)).collect()
    }

    /// Records an element in the part whose it is.
    fn record<T>(&mut self, place: Place) -> Result<Probe<T>> {
        let (part, at) = self.own_place(place.leaf, place.at)?;
        let here = self.owners.here(part).and_then(|here| self.parts.get_mut(here));
        let (recording, index) = here.map_or((0, 0), |part| part.taps.record(Place { at, ..place }));
        self.probes.push(Probed { elem: place.elem, part, recording, index });
        Ok(Probe { number: self.probes.len() - 1, elem: PhantomData })
    }

    /// The part whose an element is, and where it lies there.
    pub(super) fn own_place(&self, leaf: usize, at: usize) -> Result<(usize, usize)> {
        let places = self.division.places(leaf, self.shape(leaf)?, at);
        let own = places.into_iter().find(|(_, _, is_own)| *is_own);
        let none = || self.wrong("no part has the element of a probe".to_string());
        own.map(|(part, at, _)| (part, at)).ok_or_else(none)
    }

    #[doc(hidden)]
    pub fn probe_line_at<T: Scalar, const D: usize>(
        &mut self,
        leaf: usize,
        at: [usize; D],
        dimension: usize,
    ) -> Result<Vec<Probe<T>>> {
        let (name, extents) = (&self.param(leaf)?.name, self.shape(leaf)?);
        let Some(extent) = extents.get(dimension).filter(|_| dimension < D).copied() else {
            let extents = crate::message::by(extents);
            return Err(self.wrong(format!("`{name}`, which is {extents}, has no dimension {dimension}")));
        };
        // The place in question is on the line, whatever it says about that dimension.
        let on_line = |i| std::array::from_fn::<usize, D, _>(|d| if d == dimension { i } else { at[d] });
        self.probe_all_at(leaf, (0..extent).map(on_line))
    }

    /// All probes of arrays made of `T`, in the order in which they were made: those of a simulation that was restored
    /// are asked for by these.
    pub fn probes<T: Scalar>(&self) -> Vec<Probe<T>> {
        let probes = self.probes.iter().enumerate().filter(|(_, probed)| probed.elem == T::TYPE);
        probes.map(|(number, _)| Probe { number, elem: PhantomData }).collect()
    }

    /// What a probe has recorded so far, one value for each step. Waits for the steps made so far.
    ///
    /// # Errors
    ///
    /// When a step failed, or the probe is one of another simulation.
    pub fn samples<T: Scalar>(&self, probe: Probe<T>) -> Result<Vec<T>> {
        let Some(probed) = self.probes.get(probe.number).filter(|probed| probed.elem == T::TYPE) else {
            return Err(self.wrong("the probe belongs to another simulation".to_string()));
        };
        let own =
            self.part(probed.part).map_or(Ok(Vec::new()), |part| part.taps.samples(&part.device, probed))?;
        if !self.owners.is_shared() {
            return Ok(own);
        }
        let all = self.owners.ranks.gather(T::to_device(&own).into_owned())?;
        of_bytes(all.get(self.owners.of(probed.part)).map_or(&[], Vec::as_slice))
    }

    fn place<T: Scalar>(&self, what: &str, leaf: usize, at: &[usize]) -> Result<Place> {
        let (param, extents) = (self.param(leaf)?, self.shape(leaf)?);
        let (name, elem) = (&*param.name, param.elem);
        if elem != T::TYPE {
            return Err(
                self.wrong(format!("`{name}` is made of {elem}, so it cannot have {what} of {}", T::TYPE))
            );
        }
        // All elements can be counted, so each can be numbered.
        if elements(extents)? == 1 && at.is_empty() {
            return Ok(Place { leaf, at: 0, elem });
        }
        let inside = at.len() == extents.len() && at.iter().zip(extents).all(|(at, extent)| at < extent);
        if !inside {
            let extents = crate::message::by(extents);
            return Err(self.wrong(format!("{what} at {at:?} is not within `{name}`, which is {extents}")));
        }
        let at = at.iter().zip(extents).fold(0, |flat, (at, extent)| flat * extent + at);
        Ok(Place { leaf, at, elem })
    }
}
