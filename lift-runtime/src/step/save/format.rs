//! How a saved simulation is written: a manifest, and a `.npy` file for each piece of an array.
//!
//! The manifest is written last, and takes the place of an earlier one at once; files have another number each time.
//! So a folder holds a whole simulation whenever the program or the machine stops.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::array::elements;
use crate::error::{Error, Result};
use crate::file::{self, FileProblem, cannot_write, malformed, problem};
use crate::npy;
use crate::spec::ScalarType;

/// The format of the manifest and the files. It grows by one when older versions could not read them.
const FORMAT: u32 = 1;
const NAME: &str = "manifest.json";
pub(super) const SAVED: &str = "a saved simulation";

/// The file: what it says, and the checksum of that text.
#[derive(Serialize, Deserialize)]
struct Sealed {
    format: u32,
    checksum: String,
    simulation: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The kernel and its type.
    pub(super) kernel: String,
    pub(super) ty: String,
    /// The version in which it ran; nothing if there is nothing to compute.
    pub(super) variant: Option<String>,
    pub(super) tunables: BTreeMap<String, i64>,
    /// Of the version's text and what it is launched on.
    pub(super) hash: String,
    /// Where it ran.
    pub(super) device: String,
    pub(super) driver: String,
    /// The number that files of this time have in their names.
    pub(super) number: u64,
    /// The sizes, of the whole simulation.
    pub(super) sizes: BTreeMap<String, i64>,
    pub(super) steps: u64,
    pub(super) check_finite: bool,
    pub(super) params: Vec<Leaf>,
    /// What was there before the newest state, where nothing but [`Stepper::max_change`] asks for it.
    pub(super) before: BTreeMap<usize, Array>,
    pub(super) sources: Vec<Source>,
    pub(super) recordings: Vec<Recording>,
    /// For each probe, in the order in which they were made, the recording and its position there.
    pub(super) probes: Vec<(usize, usize)>,
}

/// A leaf of a parameter.
#[derive(Serialize, Deserialize)]
pub(super) struct Leaf {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
    #[serde(flatten)]
    pub(super) value: Value,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Value {
    /// The bits of a scalar.
    Bits(String),
    Array(Array),
}

/// An array in pieces.
#[derive(Serialize, Deserialize)]
pub(super) struct Array {
    pub(super) extents: Vec<usize>,
    pub(super) chunks: Vec<Chunk>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Chunk {
    pub(super) file: String,
    /// Where it begins in the array.
    pub(super) origin: Vec<usize>,
    pub(super) extents: Vec<usize>,
    pub(super) checksum: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Source {
    pub(super) leaf: usize,
    pub(super) at: usize,
    /// The step after which its first sample is added.
    pub(super) first: u64,
    pub(super) samples: Array,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Recording {
    pub(super) leaf: usize,
    pub(super) places: Vec<usize>,
    /// A row for each probe.
    pub(super) pieces: Vec<Array>,
}

/// What a rank has written.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Share {
    /// Of each leaf of the parameters, and of each result whose place is taken; none of scalars.
    pub(super) params: Vec<Vec<Chunk>>,
    pub(super) before: BTreeMap<usize, Vec<Chunk>>,
    pub(super) sources: Vec<Source>,
    pub(super) recordings: Vec<Recording>,
    /// For probes of this rank, by their numbers: which of its recordings, and the position there.
    pub(super) probes: BTreeMap<usize, (usize, usize)>,
}

impl Share {
    /// Adds what the next rank has written.
    pub(super) fn add(&mut self, next: Share) {
        self.params.resize_with(next.params.len(), Vec::new);
        self.params.iter_mut().zip(next.params).for_each(|(all, next)| all.extend(next));
        for (result, chunks) in next.before {
            self.before.entry(result).or_default().extend(chunks);
        }
        let first = self.recordings.len();
        self.sources.extend(next.sources);
        self.recordings.extend(next.recordings);
        let probes = next.probes.into_iter();
        self.probes.extend(probes.map(|(number, (recording, index))| (number, (first + recording, index))));
    }

    pub(super) fn to_bytes(&self, folder: &Path) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|error| malformed(folder, SAVED, error.to_string()))
    }

    pub(super) fn of_bytes(bytes: &[u8], folder: &Path) -> Result<Share> {
        serde_json::from_slice(bytes).map_err(|error| malformed(folder, SAVED, error.to_string()))
    }
}

impl Manifest {
    pub(super) fn read(folder: &Path) -> Result<Manifest> {
        let path = folder.join(NAME);
        let wrong = |error: serde_json::Error| malformed(&path, SAVED, error.to_string());
        let bytes = file::read(&path).map_err(|error| match error {
            // The user knows the folder.
            Error::File { problem: FileProblem::NotFound, .. } if !folder.exists() => {
                problem(folder, FileProblem::NotFound)
            }
            Error::File { problem: FileProblem::NotFound, .. } => {
                malformed(folder, SAVED, format!("it has no `{NAME}`"))
            }
            other => other,
        })?;
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        // Another format may have other fields.
        let Format { format } = serde_json::from_slice(&bytes).map_err(wrong)?;
        if format != FORMAT {
            return Err(problem(&path, FileProblem::OtherFormat { expected: FORMAT, found: format }));
        }
        let sealed: Sealed = serde_json::from_slice(&bytes).map_err(wrong)?;
        if checksum(sealed.simulation.get().as_bytes()) != sealed.checksum {
            return Err(problem(&path, FileProblem::Checksum));
        }
        let manifest: Manifest = serde_json::from_str(sealed.simulation.get()).map_err(wrong)?;
        // Files are in the folder: what replaces this simulation removes them.
        let is_inside = |file: &&str| Path::new(file).file_name().is_some_and(|name| name == *file);
        match manifest.files().iter().find(|file| !is_inside(file)) {
            Some(file) => Err(malformed(&path, SAVED, format!("`{file}` is no file of the folder"))),
            None => Ok(manifest),
        }
    }

    /// Writes the manifest; from then on the folder is this simulation.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let (path, new) = (folder.join(NAME), folder.join(format!("{NAME}.new")));
        let wrong = |error: serde_json::Error| malformed(&path, SAVED, error.to_string());
        let text = serde_json::to_string_pretty(self).map_err(wrong)?;
        let checksum = checksum(text.as_bytes());
        let sealed =
            Sealed { format: FORMAT, checksum, simulation: RawValue::from_string(text).map_err(wrong)? };
        let text = serde_json::to_string(&sealed).map_err(wrong)?;
        let write = || {
            use std::io::Write as _;
            let mut file = fs::File::create(&new)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &path)?;
            // Where folders are files, their names are on the disk after this.
            if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
        };
        write().map_err(cannot_write(&path))
    }

    /// The names of all files.
    pub(super) fn files(&self) -> Vec<&str> {
        let params = self.params.iter().filter_map(|leaf| match &leaf.value {
            Value::Array(array) => Some(array),
            Value::Bits(_) => None,
        });
        let arrays = params.chain(self.before.values()).chain(self.sources.iter().map(|it| &it.samples));
        let arrays = arrays.chain(self.recordings.iter().flat_map(|it| &it.pieces));
        arrays.flat_map(|array| &array.chunks).map(|chunk| chunk.file.as_str()).collect()
    }
}

/// Where arrays go.
pub(super) struct Writer<'a> {
    pub(super) folder: &'a Path,
    pub(super) number: u64,
}

impl Writer<'_> {
    /// An array in one piece.
    pub(super) fn array(
        &self,
        name: &str,
        elem: ScalarType,
        extents: &[usize],
        data: &[u8],
    ) -> Result<Array> {
        let chunk = self.chunk(name, elem, vec![0; extents.len()], extents.to_vec(), data)?;
        Ok(Array { extents: extents.to_vec(), chunks: vec![chunk] })
    }

    /// A piece of an array, which begins at `origin`.
    pub(super) fn chunk(
        &self,
        name: &str,
        elem: ScalarType,
        origin: Vec<usize>,
        extents: Vec<usize>,
        data: &[u8],
    ) -> Result<Chunk> {
        let file = format!("{name}.{}.npy", self.number);
        let path = self.folder.join(&file);
        npy::write_bytes(&path, elem, &extents, data)?.sync_all().map_err(cannot_write(&path))?;
        Ok(Chunk { file, origin, extents, checksum: checksum(data) })
    }
}

impl Array {
    /// The elements of all chunks, put together.
    pub(super) fn read(&self, folder: &Path, elem: ScalarType) -> Result<Vec<u8>> {
        let wrong = || malformed(folder, SAVED, "the pieces of an array do not make it whole");
        let mut pieces = Vec::new();
        for chunk in &self.chunks {
            let path = folder.join(&chunk.file);
            let data = npy::read_bytes(&path, elem, &chunk.extents)?;
            if checksum(&data) != chunk.checksum {
                return Err(problem(&path, FileProblem::Checksum));
            }
            let fits = chunk.extents.len() == self.extents.len() && chunk.origin.len() == self.extents.len();
            let mut ends = chunk.origin.iter().zip(&chunk.extents).zip(&self.extents);
            if !fits || !ends.all(|((from, n), all)| from.checked_add(*n).is_some_and(|end| end <= *all)) {
                return Err(wrong());
            }
            pieces.push((chunk, data));
        }
        let bytes = elements(&self.extents)?.saturating_mul(elem.size());
        if pieces.iter().map(|(_, data)| data.len()).sum::<usize>() != bytes {
            return Err(wrong());
        }
        let mut all = vec![0; bytes];
        for (chunk, data) in pieces {
            // The last dimension is in order.
            let row = chunk.extents.last().copied().unwrap_or(1) * elem.size();
            for (i, row) in data.chunks_exact(row.max(1)).enumerate() {
                let at = elem.size() * self.row(chunk, i);
                all[at..at + row.len()].copy_from_slice(row);
            }
        }
        Ok(all)
    }

    /// Where row number `i` of a chunk begins.
    fn row(&self, chunk: &Chunk, mut i: usize) -> usize {
        let (mut at, mut stride) = (0, 1);
        for (d, extent) in self.extents.iter().enumerate().rev() {
            let is_last = d + 1 == self.extents.len();
            let within = if is_last { 0 } else { i % chunk.extents[d] };
            if !is_last {
                i /= chunk.extents[d];
            }
            at += (chunk.origin[d] + within) * stride;
            stride *= extent;
        }
        at
    }
}

/// FNV-1a in 64 bits, which finds what happens by accident.
pub(super) fn checksum(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// The bits of a number, the highest first.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let mut bytes = bytes.to_vec();
    if cfg!(target_endian = "little") {
        bytes.reverse();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn from_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let mut bytes = digits.map(byte).collect::<Option<Vec<u8>>>()?;
    if cfg!(target_endian = "little") {
        bytes.reverse();
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_survive() {
        assert_eq!(hexadecimal(&1.0_f32.to_ne_bytes()), "3f800000");
        assert_eq!(from_hexadecimal("3f800000").unwrap(), 1.0_f32.to_ne_bytes());
        assert_eq!(from_hexadecimal("3g"), None);
    }

    #[test]
    fn pieces_make_an_array_whole() {
        let folder = std::env::temp_dir().join(format!("lift-pieces-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut chunks = Vec::new();
        for (i, (origin, extents)) in
            [([0, 0], [2, 3]), ([0, 3], [2, 1]), ([2, 0], [1, 4])].into_iter().enumerate()
        {
            let mut data = Vec::new();
            for y in 0..extents[0] {
                data.extend((0..extents[1]).map(|x| (10 * (origin[0] + y) + origin[1] + x) as u8));
            }
            let writer = Writer { folder: &folder, number: i as u64 };
            let (origin, extents) = (origin.to_vec(), extents.to_vec());
            chunks.push(writer.chunk("a", ScalarType::U8, origin, extents, &data).unwrap());
        }
        let mut array = Array { extents: vec![3, 4], chunks };
        let expected = [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23];
        assert_eq!(array.read(&folder, ScalarType::U8).unwrap(), expected);
        array.chunks.pop();
        let error = array.read(&folder, ScalarType::U8).unwrap_err().to_string();
        assert!(
            error.ends_with("is not a saved simulation: the pieces of an array do not make it whole"),
            "{error}"
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
