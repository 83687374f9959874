//! Simulations in folders: all that the next step depends on, and what probes have recorded.

mod format;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::Stepper;
use super::part::Part;
use super::taps::{Piece, Place, Probed, Recording};
use crate::args::HostArg;
use crate::array::elements;
use crate::buffer::{Buffer, download, download_part};
use crate::enqueue::Input;
use crate::error::Result;
use crate::file::{FileProblem, cannot_write, malformed, problem};
use crate::launch::Launcher;
use crate::spec::{Chain, KernelSpec, ScalarType, Variant};

use format::{
    Array, Chunk, Leaf, Manifest, SAVED, Share, Value, Writer, checksum, from_hexadecimal, hexadecimal,
};

impl Stepper {
    /// Saves the simulation in a folder, after the steps made so far: the states, all other parameters, sources, what
    /// probes have recorded, and the version in which it runs. A simulation that was saved there before is replaced
    /// when all of this one is on the disk.
    ///
    /// The launcher's `restore` gives the simulation back. On the same device with the same driver it goes on with
    /// the same bits.
    ///
    /// All ranks of a simulation call it, and each writes its own rows: the folder must be one that all of them see.
    ///
    /// # Errors
    ///
    /// When a step failed, or [`Error::File`](crate::Error::File) when the folder cannot be written. What was saved there before is still
    /// whole then.
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        let (folder, ranks) = (folder.as_ref(), &self.owners.ranks);
        let ready = || {
            self.wait()?;
            fs::create_dir_all(folder).map_err(cannot_write(folder))
        };
        ranks.agree(ready())?;
        // What cannot be read is no simulation, whose files could be lost.
        let earlier = Manifest::read(folder).ok();
        let number = earlier.as_ref().map_or(0, |earlier| earlier.number + 1);
        let writer = Writer { folder, number };
        let shares = ranks.agree(self.share(&writer).and_then(|share| share.to_bytes(folder)))?;
        let shares = ranks.gather(shares)?;
        // All has been written but the manifest.
        let finish = || {
            if !ranks.is_first() {
                return Ok(());
            }
            let shares =
                shares.iter().map(|share| Share::of_bytes(share, folder)).collect::<Result<Vec<_>>>()?;
            let manifest = self.manifest(number, shares)?;
            manifest.write(folder)?;
            let kept = manifest.files();
            for file in earlier.iter().flat_map(Manifest::files).filter(|file| !kept.contains(file)) {
                // A file too many does no harm.
                let _ = fs::remove_file(folder.join(file));
            }
            Ok(())
        };
        ranks.agree(finish())
    }

    /// Writes what is computed here.
    fn share(&self, writer: &Writer<'_>) -> Result<Share> {
        let mut share = Share::default();
        for (leaf, param) in self.spec.params.iter().enumerate() {
            let is_array = self.parts.first().is_some_and(|part| part.buffer(leaf).is_some());
            let chunks = if is_array {
                self.chunks(writer, &param.name, leaf, |part| part.buffer(leaf))?
            } else {
                Vec::new()
            };
            share.params.push(chunks);
        }
        for chain in self.chains_before() {
            let Some(place) = chain.places.first() else { continue };
            let name = format!("{}-before", self.param(*place)?.name);
            let chunks = self.chunks(writer, &name, *place, |part| part.spares.get(chain.result))?;
            share.before.insert(chain.result, chunks);
        }
        for (number, part) in self.numbered() {
            for (i, source) in part.taps.sources.iter().enumerate() {
                let Place { leaf, at, elem } = source.place;
                let (at, is_own) = self.in_whole(leaf, number, at)?;
                if is_own {
                    let (name, len) = (format!("source-{number}-{i}"), source.len);
                    let data = download::<u8>(&part.device, Some(&source.samples), len * elem.size())?;
                    let samples = writer.array(&name, elem, &[len], &data)?;
                    share.sources.push(format::Source { leaf, at, first: source.first, samples });
                }
            }
            let first = share.recordings.len();
            for (i, recording) in part.taps.recordings.iter().enumerate() {
                let elem = recording.elem;
                let mut pieces = Vec::new();
                for (j, piece) in recording.pieces.iter().enumerate().filter(|(_, piece)| piece.used > 0) {
                    let mut rows = Vec::new();
                    for probe in 0..piece.probes {
                        let (first, len) = (probe * piece.room * elem.size(), piece.used * elem.size());
                        rows.extend(download_part::<u8>(&part.device, Some(&piece.values), first, len)?);
                    }
                    let (name, extents) = (format!("samples-{number}-{i}-{j}"), [piece.probes, piece.used]);
                    pieces.push(writer.array(&name, elem, &extents, &rows)?);
                }
                let places = recording.places.iter().map(|at| self.in_whole(recording.leaf, number, *at));
                let places = places.map(|place| place.map(|(at, _)| at)).collect::<Result<_>>()?;
                share.recordings.push(format::Recording { leaf: recording.leaf, places, pieces });
            }
            let probes = self.probes.iter().enumerate().filter(|(_, probed)| probed.part == number);
            share.probes.extend(probes.map(|(probe, it)| (probe, (first + it.recording, it.index))));
        }
        Ok(share)
    }

    /// The chains of which the state before is held for comparisons only.
    fn chains_before(&self) -> impl Iterator<Item = &'static Chain> {
        let is_there = self.done > 0;
        self.rotation.chains.iter().filter(move |chain| is_there && chain.places.len() == 1)
    }

    /// Writes the rows of each part.
    fn chunks<'a>(
        &'a self,
        writer: &Writer<'_>,
        name: &str,
        leaf: usize,
        buffer: impl Fn(&'a Part) -> Option<&'a Arc<Buffer>>,
    ) -> Result<Vec<Chunk>> {
        let (elem, extents) = (self.param(leaf)?.elem, self.shape(leaf)?);
        let mut chunks = Vec::new();
        for (number, part) in self.numbered() {
            let len = elements(&self.division.extents(leaf, number, extents))?.saturating_mul(elem.size());
            let Some((origin, own)) = self.division.own(leaf, number, extents) else { continue };
            let all = download::<u8>(&part.device, buffer(part).map(Arc::as_ref), len)?;
            let data = self.division.own_of(leaf, number, extents, elem.size(), &all);
            let name = if self.division.len() > 1 { format!("{name}.{number}") } else { name.to_string() };
            chunks.push(writer.chunk(&name, elem, origin, own, &data)?);
        }
        Ok(chunks)
    }

    /// What all ranks have written, together.
    fn manifest(&self, number: u64, shares: Vec<Share>) -> Result<Manifest> {
        let spec = self.spec;
        let mut all = Share::default();
        shares.into_iter().for_each(|share| all.add(share));
        let whole = |leaf: usize, chunks| Ok(Array { extents: self.shape(leaf)?.to_vec(), chunks });
        let mut params = Vec::new();
        for ((leaf, param), chunks) in spec.params.iter().enumerate().zip(all.params) {
            let value = match self.parts.first().and_then(|part| part.inputs.get(leaf)) {
                Some(Input::Scalar(value)) => Value::Bits(hexadecimal(value.bytes())),
                _ => Value::Array(whole(leaf, chunks)?),
            };
            params.push(Leaf { name: param.name.to_string(), ty: param.elem.to_string(), value });
        }
        let mut before = BTreeMap::new();
        for (chain, chunks) in self.chains_before().zip(all.before.into_values()) {
            let Some(place) = chain.places.first() else { continue };
            before.insert(chain.result, whole(*place, chunks)?);
        }
        let variant = self.parts.first().and_then(|part| part.plan.as_ref()).map(|plan| plan.variant);
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
            number,
            sizes: sizes.collect(),
            steps: self.done,
            check_finite: self.is_watched(),
            params,
            before,
            sources: all.sources,
            recordings: all.recordings,
            probes: all.probes.into_values().collect(),
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
            for (number, part) in stepper.owners.own().zip(&mut stepper.parts) {
                let own = stepper.division.part_of(leaf, number, &extents, elem.size(), &data);
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
        let mut probes: Vec<Vec<Probed>> = Vec::new();
        for format::Recording { leaf, places, pieces } in &manifest.recordings {
            let elem = self.element(*leaf, places, folder)?;
            let own = places.iter().map(|at| self.own_place(*leaf, *at)).collect::<Result<Vec<_>>>()?;
            let probed = |(part, _): &(usize, usize)| Probed { elem, part: *part, recording: 0, index: 0 };
            let mut now: Vec<Probed> = own.iter().map(probed).collect();
            for (number, part) in self.owners.own().zip(&mut self.parts) {
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
                    now[*probe] = Probed { recording, index, ..now[*probe] };
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
