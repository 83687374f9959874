//! Simulations in folders: all that the next step depends on, and what probes have recorded.

mod format;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::Stepper;
use super::taps::{Piece, Place, Recording};
use crate::args::HostArg;
use crate::array::elements;
use crate::buffer::{Buffer, download_part};
use crate::enqueue::Input;
use crate::error::Result;
use crate::file::{FileProblem, cannot_write, malformed, problem};
use crate::launch::Launcher;
use crate::spec::{KernelSpec, ScalarType, Variant};

use format::{Leaf, Manifest, SAVED, Value, Writer, checksum, from_hexadecimal, hexadecimal};

impl Stepper {
    /// Saves the simulation in a folder, after the steps made so far: the states, all other parameters, sources, what
    /// probes have recorded, and the version in which it runs. A simulation that was saved there before is replaced
    /// when all of this one is on the disk.
    ///
    /// The launcher's `restore` gives the simulation back. On the same device with the same driver it goes on with
    /// the same bits.
    ///
    /// # Errors
    ///
    /// When a step failed, or [`Error::File`](crate::Error::File) when the folder cannot be written. What was saved there before is still
    /// whole then.
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        let folder = folder.as_ref();
        self.wait()?;
        fs::create_dir_all(folder).map_err(cannot_write(folder))?;
        // What cannot be read is no simulation, whose files could be lost.
        let earlier = Manifest::read(folder).ok();
        let number = earlier.as_ref().map_or(0, |earlier| earlier.number + 1);
        let manifest = self.manifest(&mut Writer { folder, number })?;
        manifest.write(folder)?;
        let kept = manifest.files();
        for file in earlier.iter().flat_map(Manifest::files).filter(|file| !kept.contains(file)) {
            // A file too many does no harm.
            let _ = fs::remove_file(folder.join(file));
        }
        Ok(())
    }

    fn manifest(&self, writer: &mut Writer<'_>) -> Result<Manifest> {
        let spec = self.spec;
        let mut params = Vec::new();
        for (leaf, param) in spec.params.iter().enumerate() {
            let value = match self.parts.first().and_then(|part| part.inputs.get(leaf)) {
                Some(Input::Scalar(value)) => Value::Bits(hexadecimal(value.bytes())),
                _ => {
                    let data = self.download(leaf, param.elem.size(), |part| part.buffer(leaf))?;
                    Value::Array(writer.bytes(&param.name, param.elem, self.shape(leaf)?, &data)?)
                }
            };
            params.push(Leaf { name: param.name.to_string(), ty: param.elem.to_string(), value });
        }
        let mut before = BTreeMap::new();
        for chain in self.rotation.chains.iter().filter(|chain| self.done > 0 && chain.places.len() == 1) {
            let Some(place) = chain.places.first() else { continue };
            let (param, extents) = (self.param(*place)?, self.shape(*place)?);
            let data = self.download(*place, param.elem.size(), |part| part.spares.get(chain.result))?;
            let name = format!("{}-before", param.name);
            before.insert(chain.result, writer.bytes(&name, param.elem, extents, &data)?);
        }
        let variant = self.parts.first().and_then(|part| part.plan.as_ref()).map(|plan| plan.variant);
        let (mut sources, mut recordings, mut first) = (Vec::new(), Vec::new(), Vec::new());
        for (number, part) in self.parts.iter().enumerate() {
            for source in &part.taps.sources {
                let Place { leaf, at, elem } = source.place;
                let (at, is_own) = self.in_whole(leaf, number, at)?;
                if is_own {
                    let (name, len) = (format!("source-{}", sources.len()), [source.len]);
                    let samples = writer.array(&part.device, &name, elem, &len, Some(&source.samples))?;
                    sources.push(format::Source { leaf, at, first: source.first, samples });
                }
            }
            first.push(recordings.len());
            for recording in &part.taps.recordings {
                let (elem, i) = (recording.elem, recordings.len());
                let mut pieces = Vec::new();
                for (j, piece) in recording.pieces.iter().enumerate().filter(|(_, piece)| piece.used > 0) {
                    let mut rows = Vec::new();
                    for probe in 0..piece.probes {
                        let (first, len) = (probe * piece.room * elem.size(), piece.used * elem.size());
                        rows.extend(download_part::<u8>(&part.device, Some(&piece.values), first, len)?);
                    }
                    let (name, extents) = (format!("samples-{i}-{j}"), [piece.probes, piece.used]);
                    pieces.push(writer.bytes(&name, elem, &extents, &rows)?);
                }
                let places = recording.places.iter().map(|at| self.in_whole(recording.leaf, number, *at));
                let places = places.map(|place| place.map(|(at, _)| at)).collect::<Result<_>>()?;
                recordings.push(format::Recording { leaf: recording.leaf, places, pieces });
            }
        }
        let probe = |&[part, recording, index]: &[usize; 3]| {
            (first.get(part).map_or(recording, |first| first + recording), index)
        };
        let tunables = self.version.tunables.iter().map(|(name, value)| ((*name).to_string(), *value));
        let sizes =
            spec.sizes.iter().zip(&self.version.sizes).map(|(size, value)| (size.name.to_string(), *value));
        Ok(Manifest {
            kernel: spec.name.to_string(),
            ty: spec.ty.to_string(),
            variant: variant.map(|variant| variant.name.to_string()),
            tunables: tunables.collect(),
            hash: hash(spec, variant),
            device: self.device.name().to_string(),
            driver: self.device.platform().to_string(),
            number: writer.number,
            sizes: sizes.collect(),
            steps: self.done,
            check_finite: self.parts.iter().any(|part| part.finite.is_some()),
            params,
            before,
            sources,
            recordings,
            probes: self.probes.iter().map(probe).collect(),
        })
    }

    /// The simulation that was saved in a folder.
    ///
    /// # Errors
    ///
    /// [`Error::File`] when there is none, it is one of another kernel, or it is damaged.
    #[doc(hidden)]
    pub fn restore(launcher: &Launcher, folder: impl AsRef<Path>) -> Result<Stepper> {
        let folder = folder.as_ref();
        let manifest = Manifest::read(folder)?;
        let spec = launcher.spec();
        let named = |name: &str, ty: &str| format!("{name}: {ty}");
        let types = manifest.params.iter().map(|leaf| (leaf.name.as_str(), leaf.ty.clone()));
        let own = spec.params.iter().map(|param| (&*param.name, param.elem.to_string()));
        if manifest.kernel != spec.name || manifest.ty != spec.ty || !types.eq(own) {
            let (expected, found) = (named(&spec.name, &spec.ty), named(&manifest.kernel, &manifest.ty));
            return Err(problem(folder, FileProblem::OtherKernel { expected, found }));
        }
        let launcher = selected(&manifest, launcher, folder)?;
        let mut args = Vec::new();
        for (leaf, param) in manifest.params.iter().zip(spec.params.iter()) {
            args.push(match &leaf.value {
                Value::Bits(bits) => {
                    let bytes = from_hexadecimal(bits).filter(|bytes| bytes.len() == param.elem.size());
                    let bytes = bytes.ok_or_else(|| malformed(folder, SAVED, "a scalar is no number"))?;
                    HostArg::of_scalar(param.elem, &bytes)
                }
                Value::Array(array) => {
                    HostArg::of_bytes(param.elem, array.extents.clone(), array.read(folder, param.elem)?)
                }
            });
        }
        let mut stepper = Stepper::start(&launcher, &args)?;
        stepper.done = manifest.steps;
        for (result, array) in &manifest.before {
            let wrong = || malformed(folder, SAVED, "it has a state before that the kernel has not");
            let elem = spec.results.get(*result).ok_or_else(wrong)?.elem;
            let data = array.read(folder, elem)?;
            let place = stepper.rotation.chains.iter().find(|chain| chain.result == *result);
            let leaf = *place.and_then(|chain| chain.places.first()).ok_or_else(wrong)?;
            let extents = stepper.shape(leaf)?.to_vec();
            if array.extents != extents {
                return Err(wrong());
            }
            for number in 0..stepper.parts.len() {
                let own = stepper.division.part_of(leaf, number, &extents, elem.size(), &data);
                let Some(part) = stepper.parts.get_mut(number) else { continue };
                if let (Some(spare), Some(new)) =
                    (part.spares.get_mut(*result), Buffer::holding(&part.device, &own)?)
                {
                    *spare = new;
                }
            }
        }
        stepper.check_finite(manifest.check_finite)?;
        stepper.restore_taps(&manifest, folder)?;
        Ok(stepper)
    }

    fn restore_taps(&mut self, manifest: &Manifest, folder: &Path) -> Result<()> {
        for format::Source { leaf, at, first, samples } in &manifest.sources {
            let elem = self.element(*leaf, &[*at], folder)?;
            let (data, len) = (samples.read(folder, elem)?, samples.extents.iter().product());
            self.add_source(Place { leaf: *leaf, at: *at, elem }, &data, len, *first)?;
        }
        // For each recording, where its probes are now.
        let mut probes: Vec<Vec<[usize; 3]>> = Vec::new();
        for format::Recording { leaf, places, pieces } in &manifest.recordings {
            let elem = self.element(*leaf, places, folder)?;
            let own = places.iter().map(|at| self.own_place(*leaf, *at)).collect::<Result<Vec<_>>>()?;
            let mut now = vec![[0; 3]; places.len()];
            for (number, part) in self.parts.iter_mut().enumerate() {
                let here = own.iter().enumerate().filter(|(_, (part, _))| *part == number);
                let here: Vec<(usize, usize)> = here.map(|(probe, (_, at))| (probe, *at)).collect();
                if here.is_empty() {
                    continue;
                }
                let mut known = Vec::new();
                for piece in pieces {
                    let &[probes, used] = piece.extents.as_slice() else {
                        return Err(malformed(folder, SAVED, "samples are not in rows"));
                    };
                    let (data, row) = (piece.read(folder, elem)?, used * elem.size());
                    let rows = here.iter().filter(|(probe, _)| *probe < probes);
                    let rows = rows.filter_map(|(probe, _)| data.get(probe * row..(probe + 1) * row));
                    let rows: Vec<&[u8]> = rows.collect();
                    if let Some(values) = Buffer::holding(&part.device, &rows.concat())? {
                        known.push(Piece { values, probes: rows.len(), used, room: used });
                    }
                }
                let recording = part.taps.recordings.len();
                for (index, (probe, _)) in here.iter().enumerate() {
                    now[*probe] = [number, recording, index];
                }
                let places = here.into_iter().map(|(_, at)| at).collect();
                part.taps.recordings.push(Recording {
                    leaf: *leaf,
                    elem,
                    places,
                    on_device: None,
                    pieces: known,
                });
            }
            probes.push(now);
        }
        for (recording, index) in &manifest.probes {
            let known = probes.get(*recording).and_then(|probes| probes.get(*index));
            self.probes
                .push(*known.ok_or_else(|| malformed(folder, SAVED, "it has a probe without a place"))?);
        }
        Ok(())
    }

    /// The type of the elements of an array, all of which exist.
    fn element(&self, leaf: usize, at: &[usize], folder: &Path) -> Result<ScalarType> {
        let len = self.shape(leaf).and_then(elements).unwrap_or(0);
        if at.iter().all(|at| *at < len) {
            return Ok(self.param(leaf)?.elem);
        }
        Err(malformed(folder, SAVED, "it has a source or probe outside of its array"))
    }
}

/// The launcher with the version in which the simulation ran, unless one is selected.
fn selected(manifest: &Manifest, launcher: &Launcher, folder: &Path) -> Result<Launcher> {
    let Some(name) = manifest.variant.as_ref().filter(|_| !launcher.selects()) else {
        return Ok(launcher.clone());
    };
    let variant = launcher.variants().iter().find(|variant| variant.name == *name);
    if variant.is_none() || hash(launcher.spec(), variant) != manifest.hash {
        return Err(problem(folder, FileProblem::OtherText { variant: name.clone() }));
    }
    let selected = launcher.variant(name)?;
    manifest.tunables.iter().try_fold(selected, |selected, (tunable, value)| selected.with(tunable, *value))
}

/// What the bits of a simulation depend on beside its data.
fn hash(spec: &KernelSpec, variant: Option<&Variant>) -> String {
    let (interface, source) =
        ((&spec.params, &spec.results, &spec.step), variant.map(|it| (it.source.text(), &it.operations)));
    let mut material = format!("{interface:?} {source:?}");
    // What is compiled to Rust has no text here, but ends where its derivation does.
    if let Some(it) = variant.filter(|it| !it.functions.is_empty()) {
        material.push_str(&format!(" {:?} {:?}", it.functions, it.derivation));
    }
    checksum(material.as_bytes())
}
