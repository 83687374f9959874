//! Arrays in files of NumPy's format `.npy`.
//!
//! Every type of elements and every rank has its counterpart: `f16` is `float16`, `usize` is `uint64`.
//!
//! ```
//! # fn main() -> lift_runtime::Result<()> {
//! use lift_runtime::npy;
//!
//! let path = std::env::temp_dir().join(format!("lift-doc-{}.npy", std::process::id()));
//! npy::write(&path, &[[1.5_f32, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
//! let array = npy::read::<f32, 2>(&path)?;
//! assert_eq!(array[[0, 0]], 1.5);
//!
//! let error = npy::read::<i32, 1>(&path).unwrap_err().to_string();
//! assert!(error.ends_with("holds an array of type [[f32; _]; _], but [i32; _] was asked for"));
//! # let _ = std::fs::remove_file(path);
//! # Ok(())
//! # }
//! ```

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use ndarray::{Dim, Dimension};

use crate::array::{Host, HostArray, checked, elements, shaped};
use crate::error::{Error, Result};
use crate::file::{self, FileProblem, array_type, cannot_write, malformed};
use crate::scalar::Scalar;
use crate::spec::ScalarType;

const MAGIC: &[u8] = b"\x93NUMPY";
const NPY: &str = "a `.npy` file";

/// Writes an array.
///
/// # Errors
///
/// [`Error::File`] when the file cannot be written.
pub fn write<T: Scalar, const D: usize>(path: impl AsRef<Path>, array: impl HostArray<T, D>) -> Result<()> {
    let (shape, elements) = checked("the array", &array)?;
    write_bytes(path.as_ref(), T::TYPE, &shape, &T::to_device(&elements)).map(drop)
}

/// Reads an array.
///
/// # Errors
///
/// [`Error::File`] when the file cannot be read, or holds an array of another type or rank.
pub fn read<T: Scalar, const D: usize>(path: impl AsRef<Path>) -> Result<Host<T, D>>
where
    Dim<[usize; D]>: Dimension,
{
    let path = path.as_ref();
    let bytes = file::read(path)?;
    let (header, data) = Header::parse(path, &bytes)?;
    if header.elem != stored_type(T::TYPE) || header.shape.len() != D {
        let (expected, found) = (array_type(T::TYPE, D), array_type(header.elem, header.shape.len()));
        return Err(file::problem(path, FileProblem::Array { expected, found }));
    }
    let data = header.in_own_order(data);
    let mut shape = [0; D];
    shape.iter_mut().zip(&header.shape).for_each(|(to, from)| *to = *from);
    if header.is_fortran {
        // The same elements in memory are the array with its dimensions turned around.
        shape.reverse();
        return Ok(shaped(shape, decode(&data)?)?.reversed_axes().as_standard_layout().into_owned());
    }
    shaped(shape, decode(&data)?)
}

/// Writes elements that are bytes already, in the order of this machine, and gives the file.
pub(crate) fn write_bytes(path: &Path, elem: ScalarType, shape: &[usize], data: &[u8]) -> Result<File> {
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(&header(elem, shape))?;
        file.write_all(data)?;
        Ok(file)
    };
    write().map_err(cannot_write(path))
}

/// The elements of an array of this type and these extents as bytes in the order of this machine.
#[cfg(feature = "save")]
pub(crate) fn read_bytes(path: &Path, elem: ScalarType, shape: &[usize]) -> Result<Vec<u8>> {
    let bytes = file::read(path)?;
    let (header, data) = Header::parse(path, &bytes)?;
    if header.elem != stored_type(elem) || header.shape != shape || header.is_fortran {
        let (expected, found) = (array_type(elem, shape.len()), array_type(header.elem, header.shape.len()));
        return Err(file::problem(path, FileProblem::Array { expected, found }));
    }
    Ok(header.in_own_order(data))
}

/// What stands before the elements.
pub(crate) fn header(elem: ScalarType, shape: &[usize]) -> Vec<u8> {
    let extents: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    // A tuple of one has a comma, of several none at its end.
    let extents = if shape.len() > 1 { extents.trim_end_matches(", ") } else { extents.trim_end() };
    let mut text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({extents}), }}", descr(elem));
    let fixed = MAGIC.len() + 4;
    let padded = (fixed + text.len() + 1).next_multiple_of(64) - fixed;
    text.extend(std::iter::repeat_n(' ', padded - 1 - text.len()));
    text.push('\n');
    // A shape of few dimensions fits 16 bits.
    [MAGIC, &[1, 0], &(text.len() as u16).to_le_bytes(), text.as_bytes()].concat()
}

/// NumPy's name for a type in the order of bytes of this machine.
fn descr(elem: ScalarType) -> String {
    let order = match elem.size() {
        1 => '|',
        _ if cfg!(target_endian = "big") => '>',
        _ => '<',
    };
    let kind = match elem {
        ScalarType::F16 | ScalarType::F32 | ScalarType::F64 => 'f',
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64 => 'i',
        ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64 | ScalarType::Usize => 'u',
        ScalarType::Bool => 'b',
    };
    format!("{order}{kind}{}", elem.size())
}

/// The type by which files know this one.
fn stored_type(elem: ScalarType) -> ScalarType {
    if elem == ScalarType::Usize { ScalarType::U64 } else { elem }
}

/// What a file says about its elements.
pub(crate) struct Header {
    pub(crate) elem: ScalarType,
    pub(crate) shape: Vec<usize>,
    pub(crate) is_fortran: bool,
    pub(crate) big_endian: bool,
}

impl Header {
    /// The header of a file, and the bytes of its elements, of which there are as many as it says.
    pub(crate) fn parse<'a>(path: &Path, bytes: &'a [u8]) -> Result<(Header, &'a [u8])> {
        let wrong = |reason: &str| malformed(path, NPY, reason);
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("it does not begin like one"))?;
        let (text, data) = match *rest {
            [1, _, a, b, ..] => (4, usize::from(u16::from_le_bytes([a, b]))),
            [2 | 3, _, a, b, c, d, ..] => {
                (6, usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX))
            }
            _ => return Err(wrong("its version is unknown")),
        };
        let (text, data) = rest[text..].split_at_checked(data).ok_or_else(|| wrong("it ends too early"))?;
        let text = String::from_utf8_lossy(text);
        let header = Header::of(&text).ok_or_else(|| wrong("its header names no type that kernels have"))?;
        let len = elements(&header.shape)?;
        let expected = len.saturating_mul(header.elem.size());
        if data.len() < expected {
            return Err(wrong(&format!("it has {} bytes of elements instead of {expected}", data.len())));
        }
        Ok((header, &data[..expected]))
    }

    /// The bytes of the elements in the order of this machine.
    fn in_own_order(&self, data: &[u8]) -> Vec<u8> {
        let mut data = data.to_vec();
        if self.big_endian != cfg!(target_endian = "big") {
            data.chunks_exact_mut(self.elem.size()).for_each(<[u8]>::reverse);
        }
        data
    }

    fn of(text: &str) -> Option<Header> {
        let value = |key: &str| {
            let at = text.find(&format!("'{key}'"))? + key.len() + 2;
            Some(text[at..].trim_start().strip_prefix(':')?.trim_start())
        };
        let descr = value("descr")?.strip_prefix('\'')?;
        let descr = &descr[..descr.find('\'')?];
        let (order, kind) = (descr.chars().next()?, descr.get(1..)?);
        let elem = match kind {
            "f2" => ScalarType::F16,
            "f4" => ScalarType::F32,
            "f8" => ScalarType::F64,
            "i1" => ScalarType::I8,
            "i2" => ScalarType::I16,
            "i4" => ScalarType::I32,
            "i8" => ScalarType::I64,
            "u1" => ScalarType::U8,
            "u2" => ScalarType::U16,
            "u4" => ScalarType::U32,
            "u8" => ScalarType::U64,
            "b1" => ScalarType::Bool,
            _ => return None,
        };
        let shape = value("shape")?.strip_prefix('(')?;
        let extents = shape[..shape.find(')')?].split(',').map(str::trim).filter(|extent| !extent.is_empty());
        Some(Header {
            elem,
            shape: extents.map(|extent| extent.parse().ok()).collect::<Option<_>>()?,
            is_fortran: value("fortran_order")?.starts_with("True"),
            big_endian: order == '>' || order != '<' && cfg!(target_endian = "big"),
        })
    }
}

/// Elements from their bytes.
fn decode<T: Scalar>(bytes: &[u8]) -> Result<Vec<T>> {
    let len = bytes.len() / T::TYPE.size();
    let bytes = &bytes[..len * T::TYPE.size()];
    let mut fill = |target: *mut std::ffi::c_void, size: usize| {
        let wrong = || Error::TooManyElements { shape: vec![len] };
        let bytes = bytes.get(..size).ok_or_else(wrong)?;
        // SAFETY: so many bytes are valid at both ends.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), target.cast(), size) };
        Ok(())
    };
    // SAFETY: all bytes are written.
    unsafe { T::from_device(len, &mut fill) }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    #[cfg(feature = "half")]
    use half::f16;
    use ndarray::{Array, Array0, Array1, Array2, arr0, arr1, arr2};

    use super::*;

    fn with_file<R>(name: &str, run: impl FnOnce(&Path) -> R) -> R {
        let path = std::env::temp_dir().join(format!("lift-npy-{}-{name}.npy", std::process::id()));
        let result = run(&path);
        let _ = std::fs::remove_file(path);
        result
    }

    fn survives<T: Scalar + Debug, const D: usize>(array: &Array<T, Dim<[usize; D]>>)
    where
        Dim<[usize; D]>: Dimension,
    {
        with_file(&format!("{}-{D}", T::TYPE), |path| {
            write::<T, D>(path, array).unwrap();
            assert_eq!(read::<T, D>(path).unwrap(), *array);
        });
    }

    #[test]
    fn every_type_and_rank_survives() {
        survives(&arr1(&[1.5_f32, -0.0, f32::INFINITY]));
        survives(&arr1(&[1.5_f64, f64::MIN_POSITIVE]));
        #[cfg(feature = "half")]
        survives(&arr1(&[f16::MAX, f16::ZERO]));
        survives(&arr1(&[i8::MIN, 7]));
        survives(&arr1(&[i16::MIN, 7]));
        survives(&arr1(&[i32::MIN, 7]));
        survives(&arr1(&[i64::MIN, 7]));
        survives(&arr1(&[u8::MAX, 7]));
        survives(&arr1(&[u16::MAX, 7]));
        survives(&arr1(&[u32::MAX, 7]));
        survives(&arr1(&[u64::MAX, 7]));
        survives(&arr1(&[usize::MAX, 7]));
        survives(&arr1(&[true, false]));
        survives::<i32, 0>(&arr0(7));
        survives(&Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as i32));
        survives::<i32, 3>(&Array::from_shape_fn((2, 1, 3), |(i, j, k)| (100 * i + 10 * j + k) as i32));
        survives::<u8, 6>(&Array::from_shape_fn([1, 2, 1, 2, 1, 2], |at| at.1 as u8 + at.5 as u8));
        survives(&Array1::<f32>::zeros(0));
    }

    /// What NumPy 2.4 writes for `np.array([[1, 2, 3], [4, 5, 6]], dtype)`.
    fn by_numpy(descr: &str, fortran: &str, data: &[u8]) -> Vec<u8> {
        let mut text = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': (2, 3), }}");
        text.extend(std::iter::repeat_n(' ', 117 - text.len()));
        [b"\x93NUMPY\x01\x00v\x00", text.as_bytes(), b"\n", data].concat()
    }

    #[test]
    fn files_of_numpy_are_read_and_written_byte_for_byte() {
        let expected = arr2(&[[1_i16, 2, 3], [4, 5, 6]]);
        let little = by_numpy("<i2", "False", &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]);
        let big = by_numpy(">i2", "False", &[0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]);
        let columns = by_numpy("<i2", "True", &[1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0]);
        for (name, bytes) in [("little", &little), ("big", &big), ("columns", &columns)] {
            with_file(name, |path| {
                std::fs::write(path, bytes).unwrap();
                assert_eq!(read::<i16, 2>(path).unwrap(), expected, "{name}");
            });
        }
        with_file("own", |path| {
            write(path, &expected).unwrap();
            assert_eq!(std::fs::read(path).unwrap(), little);
        });
        assert_eq!(header(ScalarType::F64, &[]).len(), 128);
        assert!(String::from_utf8_lossy(&header(ScalarType::F64, &[])).contains("'shape': (), }"));
        assert!(String::from_utf8_lossy(&header(ScalarType::U8, &[5])).contains("'|u1'"));
        assert!(String::from_utf8_lossy(&header(ScalarType::U8, &[5])).contains("'shape': (5,), }"));
    }

    #[test]
    fn other_files_are_refused() {
        let reason = |name: &str, bytes: &[u8]| {
            with_file(name, |path| {
                std::fs::write(path, bytes).unwrap();
                let error = read::<f32, 2>(path).unwrap_err().to_string();
                let (_, reason) = error.split_once("` ").unwrap();
                reason.to_string()
            })
        };
        assert_eq!(reason("none", b"GIF89a"), "is not a `.npy` file: it does not begin like one");
        assert_eq!(reason("new", b"\x93NUMPY\x09\x00"), "is not a `.npy` file: its version is unknown");
        assert_eq!(
            reason("short", b"\x93NUMPY\x01\x00v\x00{'descr"),
            "is not a `.npy` file: it ends too early"
        );
        assert_eq!(
            reason("complex", &by_numpy("<c8", "False", &[0; 48])),
            "is not a `.npy` file: its header names no type that kernels have"
        );
        assert_eq!(
            reason("cut", &by_numpy("<f4", "False", &[0; 23])),
            "is not a `.npy` file: it has 23 bytes of elements instead of 24"
        );
        assert_eq!(
            reason("other", &by_numpy("<f8", "False", &[0; 48])),
            "holds an array of type [[f64; _]; _], but [[f32; _]; _] was asked for"
        );
        let missing = read::<f32, 1>("/nowhere/x.npy").unwrap_err().to_string();
        assert_eq!(missing, "`/nowhere/x.npy` does not exist");
        let error = write("/nowhere/x.npy", &[1.0_f32]).unwrap_err().to_string();
        assert!(error.starts_with("`/nowhere/x.npy` cannot be written: "), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let error = write("/dev/full", &vec![0.0_f32; 1 << 16]).unwrap_err().to_string();
        assert!(error.starts_with("`/dev/full` cannot be written: No space left on device"), "{error}");
    }

    #[test]
    fn scalars_are_arrays_without_dimensions() {
        let one: Array0<f32> = arr0(2.5);
        survives(&one);
    }
}
