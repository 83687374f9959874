//! Simulations in folders: all that the next step depends on, and what probes have recorded.

mod format;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::Stepper;
use super::taps::{Piece, Place, Recording, Source};
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
            let value = match self.inputs.get(leaf) {
                Some(Input::Scalar(value)) => Value::Bits(hexadecimal(value.bytes())),
                _ => {
                    let (buffer, extents) = self.array(leaf)?;
                    Value::Array(writer.array(&self.device, &param.name, param.elem, extents, buffer)?)
                }
            };
            params.push(Leaf { name: param.name.to_string(), ty: param.elem.to_string(), value });
        }
        let mut before = BTreeMap::new();
        for chain in self.rotation.chains.iter().filter(|chain| self.done > 0 && chain.places.len() == 1) {
            let (Some(place), Some(spare)) = (chain.places.first(), self.spares.get(chain.result)) else {
                continue;
            };
            let (param, extents) = (self.param(*place)?, self.array(*place)?.1);
            let name = format!("{}-before", param.name);
            let array = writer.array(&self.device, &name, param.elem, extents, Some(spare))?;
            before.insert(chain.result, array);
        }
        let variant = self.plan.as_ref().map(|plan| plan.variant);
        let mut sources = Vec::new();
        for (i, source) in self.taps.sources.iter().enumerate() {
            let Place { leaf, at, elem } = source.place;
            let (name, len) = (format!("source-{i}"), [source.len]);
            let samples = writer.array(&self.device, &name, elem, &len, Some(&source.samples))?;
            sources.push(format::Source { leaf, at, first: source.first, samples });
        }
        let mut recordings = Vec::new();
        for (i, recording) in self.taps.recordings.iter().enumerate() {
            let mut pieces = Vec::new();
            for (j, piece) in recording.pieces.iter().enumerate().filter(|(_, piece)| piece.used > 0) {
                let (bytes, mut rows) = (recording.elem.size(), Vec::new());
                for probe in 0..piece.probes {
                    let (first, len) = (probe * piece.room * bytes, piece.used * bytes);
                    rows.extend(download_part::<u8>(&self.device, Some(&piece.values), first, len)?);
                }
                let (name, extents) = (format!("samples-{i}-{j}"), [piece.probes, piece.used]);
                pieces.push(writer.bytes(&name, recording.elem, &extents, &rows)?);
            }
            recordings.push(format::Recording {
                leaf: recording.leaf,
                places: recording.places.clone(),
                pieces,
            });
        }
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
            check_finite: self.finite.is_some(),
            params,
            before,
            sources,
            recordings,
            probes: self.taps.probes.clone(),
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
            if let (Some(spare), Some(new)) =
                (stepper.spares.get_mut(*result), Buffer::holding(&stepper.device, &data)?)
            {
                if new.bytes() != spare.bytes() {
                    return Err(wrong());
                }
                *spare = new;
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
            if let Some(samples) = Buffer::holding(&self.device, &data)? {
                let place = Place { leaf: *leaf, at: *at, elem };
                self.taps.sources.push(Source { place, samples, len, first: *first });
            }
        }
        for format::Recording { leaf, places, pieces } in &manifest.recordings {
            let elem = self.element(*leaf, places, folder)?;
            let mut known = Vec::new();
            for piece in pieces {
                let &[probes, used] = piece.extents.as_slice() else {
                    return Err(malformed(folder, SAVED, "samples are not in rows"));
                };
                if let Some(values) = Buffer::holding(&self.device, &piece.read(folder, elem)?)? {
                    known.push(Piece { values, probes, used, room: used });
                }
            }
            let (leaf, places) = (*leaf, places.clone());
            self.taps.recordings.push(Recording { leaf, elem, places, on_device: None, pieces: known });
        }
        self.taps.probes.clone_from(&manifest.probes);
        let exists = |(recording, index): &(usize, usize)| {
            self.taps.recordings.get(*recording).is_some_and(|it| *index < it.places.len())
        };
        if !self.taps.probes.iter().all(exists) {
            return Err(malformed(folder, SAVED, "it has a probe without a place"));
        }
        Ok(())
    }

    /// The type of the elements of an array, all of which exist.
    fn element(&self, leaf: usize, at: &[usize], folder: &Path) -> Result<ScalarType> {
        let len = self.array(leaf).and_then(|(_, extents)| elements(extents)).unwrap_or(0);
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
