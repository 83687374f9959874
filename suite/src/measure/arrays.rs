//! The arrays of a launch, whatever their types and ranks.

use std::error::Error;
use std::ops::Range;

use lift::ndarray::{Dim, Dimension};
use lift::spec::{Access, Env, KernelSpec, ScalarType, Size};
use lift::{Device, DeviceArg, DeviceArray, DeviceOut, Scalar};

use super::{Given, Result, Row};
use crate::input::Random;

/// An array on a device whose type is forgotten.
pub(super) trait Array {
    fn input(&self) -> DeviceArg<'_>;
    fn update(&mut self) -> DeviceArg<'_>;
    fn output(&mut self) -> DeviceOut<'_>;
    fn values(&self) -> Result<Vec<f64>>;
    fn count(&self) -> usize;
}

impl<T: Number, const D: usize> Array for DeviceArray<T, D>
where
    Dim<[usize; D]>: Dimension,
{
    fn input(&self) -> DeviceArg<'_> {
        DeviceArg::array(self)
    }

    fn update(&mut self) -> DeviceArg<'_> {
        DeviceArg::update(self)
    }

    fn output(&mut self) -> DeviceOut<'_> {
        DeviceOut::array(self)
    }

    fn values(&self) -> Result<Vec<f64>> {
        Ok(self.download()?.iter().map(|&x| x.into()).collect())
    }

    fn count(&self) -> usize {
        self.shape().iter().product()
    }
}

/// An element type of measured arrays.
trait Number: Scalar + Into<f64> {
    /// What an array holds that nothing was written to.
    const UNSET: Self;

    /// Floats between 0 and 1, so that sums do not cancel; small whole numbers.
    fn random(random: &mut Random) -> Self;

    /// The nearest number of this type.
    fn from_f32(value: f32) -> Self;

    /// The nearest number of this type.
    fn from_i32(value: i32) -> Self;

    /// As it lies in memory.
    fn bytes(self) -> Vec<u8>;
}

impl Number for f32 {
    const UNSET: f32 = f32::NAN;

    fn random(random: &mut Random) -> f32 {
        random.uniform(0.0..1.0)
    }

    fn from_f32(value: f32) -> f32 {
        value
    }

    fn from_i32(value: i32) -> f32 {
        value as f32
    }

    fn bytes(self) -> Vec<u8> {
        self.to_ne_bytes().to_vec()
    }
}

impl Number for f64 {
    const UNSET: f64 = f64::NAN;

    fn random(random: &mut Random) -> f64 {
        random.uniform_f64(0.0..1.0)
    }

    fn from_f32(value: f32) -> f64 {
        value.into()
    }

    fn from_i32(value: i32) -> f64 {
        value.into()
    }

    fn bytes(self) -> Vec<u8> {
        self.to_ne_bytes().to_vec()
    }
}

impl Number for i32 {
    const UNSET: i32 = i32::MIN;

    fn random(random: &mut Random) -> i32 {
        random.below(7) as i32
    }

    fn from_f32(value: f32) -> i32 {
        value as i32
    }

    fn from_i32(value: i32) -> i32 {
        value
    }

    fn bytes(self) -> Vec<u8> {
        self.to_ne_bytes().to_vec()
    }
}

/// One launch's arrays: those among the parameters, and the leaves of the result.
pub(super) struct Arrays {
    params: Vec<(Access, Box<dyn Array>)>,
    results: Vec<Box<dyn Array>>,
}

impl Arrays {
    /// What is given, and random numbers for all other parameters, the same for the same seed.
    pub(super) fn new(device: &Device, row: &Row, sizes: &[usize], seed: u64) -> Result<Arrays> {
        let spec = row.algorithmic.spec;
        let mut random = Random::new(seed);
        let mut params = Vec::new();
        for param in spec.params.iter().filter(|param| !param.dims.is_empty()) {
            let contents = contents(row, &param.name, sizes, &mut random)?;
            let extents = extents(&param.dims, sizes)?;
            params.push((param.access, filled(device, param.elem, &extents, contents)?));
        }
        let mut results = Vec::new();
        for result in spec.results.iter() {
            let extents = extents(&result.dims, sizes)?;
            results.push(filled(device, result.elem, &extents, Contents::Unset)?);
        }
        Ok(Arrays { params, results })
    }

    /// The arguments for a kernel with these arrays, and with scalars of its own.
    pub(super) fn arguments(
        &mut self,
        spec: &KernelSpec,
        scalars: &[f64],
    ) -> Result<(Vec<DeviceArg<'_>>, Vec<DeviceOut<'_>>)> {
        let (mut arrays, mut scalars) = (self.params.iter_mut(), scalars.iter());
        let mut arguments = Vec::new();
        for param in spec.params.iter() {
            let missing = || format!("there is no value for `{}` of {}", param.name, spec.name);
            if param.dims.is_empty() {
                arguments.push(scalar(param.elem, *scalars.next().ok_or_else(missing)?)?);
            } else {
                let (access, array) = arrays.next().ok_or_else(missing)?;
                arguments.push(match access {
                    Access::Read => array.input(),
                    Access::Update => array.update(),
                });
            }
        }
        Ok((arguments, self.results.iter_mut().map(|array| array.output()).collect()))
    }

    /// How many elements the results have.
    pub(super) fn count(&self) -> usize {
        self.results.iter().map(|result| result.count()).sum()
    }

    /// All that a launch writes.
    pub(super) fn written(&self) -> Result<Vec<f64>> {
        let updated = self.params.iter().filter(|(access, _)| *access == Access::Update);
        let mut all = Vec::new();
        for array in self.results.iter().chain(updated.map(|(_, array)| array)) {
            all.extend(array.values()?);
        }
        Ok(all)
    }
}

/// What is in a parameter.
fn contents<'a>(row: &Row, name: &str, sizes: &[usize], random: &'a mut Random) -> Result<Contents<'a>> {
    let given = row.given.iter().find(|(known, _)| *known == name);
    Ok(match given.map(|(_, given)| given) {
        None => Contents::Random(random),
        Some(Given::Between(low, high)) => Contents::Between(*low..*high, random),
        Some(Given::Numbers(numbers)) => Contents::Numbers(numbers(sizes)?),
        Some(Given::Floats(numbers)) => Contents::Floats(numbers(sizes)?),
    })
}

/// The bytes of all parameters that are arrays, as [`Arrays::new`] fills them with the seed 0.
pub(super) fn inputs(row: &Row, sizes: &[usize]) -> Result<Vec<Vec<u8>>> {
    let mut random = Random::new(0);
    let mut all = Vec::new();
    for param in row.algorithmic.spec.params.iter().filter(|param| !param.dims.is_empty()) {
        let count = extents(&param.dims, sizes)?.iter().product();
        let contents = contents(row, &param.name, sizes, &mut random)?;
        all.push(match param.elem {
            ScalarType::F32 => elements::<f32>(count, contents).into_iter().flat_map(Number::bytes).collect(),
            ScalarType::F64 => elements::<f64>(count, contents).into_iter().flat_map(Number::bytes).collect(),
            ScalarType::I32 => elements::<i32>(count, contents).into_iter().flat_map(Number::bytes).collect(),
            other => return Err(not_measured(other)),
        });
    }
    Ok(all)
}

/// How many bytes all that a launch writes has.
pub(super) fn written_bytes(spec: &KernelSpec, sizes: &[usize]) -> Result<usize> {
    let updated = spec.params.iter().filter(|param| param.access == Access::Update);
    let updated = updated.map(|param| (param.elem, &param.dims));
    let mut sum = 0;
    for (elem, dims) in spec.results.iter().map(|result| (result.elem, &result.dims)).chain(updated) {
        sum += elem.size() * extents(dims, sizes)?.iter().product::<usize>();
    }
    Ok(sum)
}

/// The numbers that have these bytes.
pub(super) fn numbers(elem: ScalarType, bytes: &[u8]) -> Vec<f64> {
    match elem {
        ScalarType::F64 => bytes.as_chunks().0.iter().map(|&bytes| f64::from_ne_bytes(bytes)).collect(),
        ScalarType::I32 => {
            bytes.as_chunks().0.iter().map(|&bytes| i32::from_ne_bytes(bytes).into()).collect()
        }
        _ => bytes.as_chunks().0.iter().map(|&bytes| f32::from_ne_bytes(bytes).into()).collect(),
    }
}

/// How many bytes a launch moves at least: every array once, and twice if it is updated.
pub(super) fn bytes(spec: &KernelSpec, sizes: &[usize]) -> Result<usize> {
    let mut sum = 0;
    for param in spec.params.iter().filter(|param| !param.dims.is_empty()) {
        let times = match param.access {
            Access::Read => 1,
            Access::Update => 2,
        };
        sum += times * param.elem.size() * extents(&param.dims, sizes)?.iter().product::<usize>();
    }
    for result in spec.results.iter() {
        sum += result.elem.size() * extents(&result.dims, sizes)?.iter().product::<usize>();
    }
    Ok(sum)
}

fn scalar(elem: ScalarType, value: f64) -> Result<DeviceArg<'static>> {
    match elem {
        ScalarType::F32 => Ok(DeviceArg::scalar(value as f32)),
        ScalarType::F64 => Ok(DeviceArg::scalar(value)),
        ScalarType::I32 => Ok(DeviceArg::scalar(value as i32)),
        ScalarType::Usize => Ok(DeviceArg::scalar(value as usize)),
        other => Err(format!("scalars of type {other} are not measured").into()),
    }
}

/// After so many random numbers, the same follow again: a prime, so that no row is like another one.
const RANDOM_NUMBERS: usize = 1_048_573;

/// What an array holds before a launch.
enum Contents<'a> {
    Random(&'a mut Random),
    Between(Range<f32>, &'a mut Random),
    Numbers(Vec<i32>),
    Floats(Vec<f32>),
    Unset,
}

fn filled(
    device: &Device,
    elem: ScalarType,
    extents: &[usize],
    contents: Contents<'_>,
) -> Result<Box<dyn Array>> {
    match elem {
        ScalarType::F32 => of_type::<f32>(device, extents, contents),
        ScalarType::F64 => of_type::<f64>(device, extents, contents),
        ScalarType::I32 => of_type::<i32>(device, extents, contents),
        other => Err(not_measured(other)),
    }
}

fn not_measured(elem: ScalarType) -> Box<dyn Error + Send + Sync> {
    format!("arrays of type {elem} are not measured").into()
}

fn elements<T: Number>(count: usize, contents: Contents<'_>) -> Vec<T> {
    match contents {
        Contents::Random(random) => {
            let some: Vec<T> =
                std::iter::repeat_with(|| T::random(random)).take(count.min(RANDOM_NUMBERS)).collect();
            let mut all = Vec::with_capacity(count);
            while all.len() < count {
                all.extend_from_slice(&some[..some.len().min(count - all.len())]);
            }
            all
        }
        Contents::Between(range, random) => {
            std::iter::repeat_with(|| T::from_f32(random.uniform(range.clone()))).take(count).collect()
        }
        Contents::Numbers(numbers) => numbers.into_iter().map(T::from_i32).collect(),
        Contents::Floats(numbers) => numbers.into_iter().map(T::from_f32).collect(),
        Contents::Unset => vec![T::UNSET; count],
    }
}

fn of_type<T: Number>(device: &Device, extents: &[usize], contents: Contents<'_>) -> Result<Box<dyn Array>> {
    let elements: Vec<T> = elements(extents.iter().product(), contents);
    Ok(match *extents {
        [] => Box::new(device.upload((elements, []))?),
        [n] => Box::new(device.upload((elements, [n]))?),
        [n, m] => Box::new(device.upload((elements, [n, m]))?),
        [n, m, o] => Box::new(device.upload((elements, [n, m, o]))?),
        _ => return Err(format!("arrays of {} dimensions are not measured", extents.len()).into()),
    })
}

fn extents(dims: &[Size], sizes: &[usize]) -> Result<Vec<usize>> {
    let known: Vec<Option<i64>> = sizes.iter().map(|&n| i64::try_from(n).ok()).collect();
    let env = Env { sizes: &known, tunables: &[] };
    let values = dims.iter().map(|size| env.eval(size).ok().and_then(|n| usize::try_from(n).ok()));
    let values: Option<Vec<usize>> = values.collect();
    values.ok_or_else(|| format!("{dims:?} has no value for the sizes {sizes:?}").into())
}
