//! Sources, which add a value to an element after each step, and probes, which record one.

use std::marker::PhantomData;
use std::sync::Arc;

use super::tools::{self, Tool, Tools, buffer, number};
use super::{Stepper, elements};
use crate::buffer::{Buffer, download};
use crate::device::Device;
use crate::enqueue::Input;
use crate::error::Result;
use crate::queue::Queue;
use crate::scalar::Scalar;
use crate::spec::ScalarType;

/// Recordings are allocated in pieces of at least and at most so many values.
const PIECE: std::ops::RangeInclusive<u64> = 1024..=1 << 20;

/// One element of one array.
struct Place {
    leaf: usize,
    /// Its position in the flat array.
    at: usize,
    elem: ScalarType,
}

struct Source {
    place: Place,
    samples: Arc<Buffer>,
    len: usize,
    /// The step after which the first sample is added.
    first: u64,
}

struct Recording {
    place: Place,
    pieces: Vec<Piece>,
}

struct Piece {
    values: Arc<Buffer>,
    used: usize,
    room: usize,
}

/// All sources and probes of a simulation.
#[derive(Default)]
pub(super) struct Taps {
    sources: Vec<Source>,
    recordings: Vec<Recording>,
}

/// A probe of a simulation, by which its samples are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe<T> {
    index: usize,
    elem: PhantomData<fn() -> T>,
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
        inputs: &[Input],
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
            let Some(state) = inputs.get(recording.place.leaf) else { continue };
            recording.room(queue.device(), 1)?;
            let Some(piece) = recording.pieces.last_mut() else { continue };
            let inputs =
                [buffer(&piece.values), number(piece.used), state.clone(), number(recording.place.at)];
            tools.run(Tool::Probe, recording.place.elem, queue, &inputs)?;
            piece.used += 1;
        }
        Ok(())
    }
}

impl Recording {
    fn room(&mut self, device: &Device, steps: u64) -> Result<()> {
        if steps > 0 && self.pieces.last().is_none_or(|piece| piece.used == piece.room) {
            let room = steps.clamp(*PIECE.start(), *PIECE.end()) as usize;
            let values = Buffer::some(device, room * self.place.elem.size())?;
            self.pieces.push(Piece { values, used: 0, room });
        }
        Ok(())
    }
}

impl Stepper {
    /// Adds one of `samples` after each step from the next one on to the element `at` of the state `name`.
    ///
    /// # Errors
    ///
    /// When there is no such state or element, or it is not made of floats of this type.
    pub fn source_in<T: Scalar>(&mut self, name: &str, at: &[usize], samples: &[T]) -> Result<()> {
        let leaf = self.named(name)?;
        self.source_at(leaf, at, samples)
    }

    #[doc(hidden)]
    pub fn source_at<T: Scalar>(&mut self, leaf: usize, at: &[usize], samples: &[T]) -> Result<()> {
        let place = self.place::<T>("a source", leaf, at)?;
        if let Some(values) = Buffer::holding(&self.device, &T::to_device(samples))? {
            let first = self.done + 1;
            self.taps.sources.push(Source { place, samples: values, len: samples.len(), first });
        }
        Ok(())
    }

    /// Records the element `at` of the state `name` after each step from the next one on.
    ///
    /// # Errors
    ///
    /// When there is no such state or element, or it is not made of floats of this type.
    pub fn probe_in<T: Scalar>(&mut self, name: &str, at: &[usize]) -> Result<Probe<T>> {
        let leaf = self.named(name)?;
        self.probe_at(leaf, at)
    }

    #[doc(hidden)]
    pub fn probe_at<T: Scalar>(&mut self, leaf: usize, at: &[usize]) -> Result<Probe<T>> {
        let place = self.place::<T>("a probe", leaf, at)?;
        self.taps.recordings.push(Recording { place, pieces: Vec::new() });
        Ok(Probe { index: self.taps.recordings.len() - 1, elem: PhantomData })
    }

    /// What a probe has recorded so far, one value for each step. Waits for the steps made so far.
    ///
    /// # Errors
    ///
    /// When a step failed, or the probe is one of another simulation.
    pub fn samples<T: Scalar>(&self, probe: Probe<T>) -> Result<Vec<T>> {
        let recording = self.taps.recordings.get(probe.index).filter(|it| it.place.elem == T::TYPE);
        let recording =
            recording.ok_or_else(|| self.wrong("the probe belongs to another simulation".to_string()))?;
        let mut samples = Vec::new();
        for piece in &recording.pieces {
            samples.extend(download::<T>(&self.device, Some(&piece.values), piece.used)?);
        }
        Ok(samples)
    }

    fn place<T: Scalar>(&self, what: &str, leaf: usize, at: &[usize]) -> Result<Place> {
        let (param, (_, extents)) = (self.param(leaf)?, self.array(leaf)?);
        let (name, elem) = (param.name, param.elem);
        if elem != T::TYPE || !tools::is_float(elem) {
            return Err(
                self.wrong(format!("`{name}` is made of {elem}, so it cannot have {what} of {}", T::TYPE))
            );
        }
        // All elements can be counted, so each can be numbered.
        elements(extents)?;
        let inside = at.len() == extents.len() && at.iter().zip(extents).all(|(at, extent)| at < extent);
        if !inside {
            let extents = crate::message::by(extents);
            return Err(self.wrong(format!("{what} at {at:?} is not within `{name}`, which is {extents}")));
        }
        let at = at.iter().zip(extents).fold(0, |flat, (at, extent)| flat * extent + at);
        Ok(Place { leaf, at, elem })
    }
}
