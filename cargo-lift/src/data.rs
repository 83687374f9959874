//! Sizes and arguments for a kernel of which nothing is known but its type.

use lift::HostArg;
use lift::spec::{Env, KernelSpec, Param, ScalarType, Size};
use lift::tune::Random;

use crate::Result;

/// So many elements has the largest array at most where nobody says how large it is; in one dimension there are fewer, since a kernel may do much
/// for each pair of them.
const ELEMENTS: i128 = 1 << 24;
const LINE: i128 = 1 << 20;

/// The values of the size variables: those that are given as `H=2048,W=1024`, and for the others a power of two that makes arrays of a few million
/// elements.
///
/// # Errors
///
/// When a size is given that the kernel does not have, or something that is no size.
pub fn sizes(spec: &KernelSpec, given: &[String]) -> Result<Vec<i64>> {
    let mut known: Vec<Option<i64>> = vec![None; spec.sizes.len()];
    for one in given.iter().flat_map(|text| text.split(',')) {
        let value =
            one.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
        let Some((name, value)) = value else {
            return Err(format!("`{one}` is not a size, such as `N=1000`").into());
        };
        let names: Vec<&str> = spec.sizes.iter().map(|size| &*size.name).collect();
        let Some(at) = names.iter().position(|it| *it == name) else {
            return Err(format!("`{}` has no size `{name}`: it has {}", spec.name, names.join(", ")).into());
        };
        known[at] = Some(value);
    }
    let with = |n: i64| known.iter().map(|size| size.unwrap_or(n)).collect::<Vec<i64>>();
    let is_small = |n: &i64| {
        let sizes = with(*n);
        let params = spec.params.iter().map(|param| &param.dims);
        let all = params.chain(spec.results.iter().map(|result| &result.dims));
        all.into_iter().all(|dims| {
            let limit = if dims.len() > 1 { ELEMENTS } else { LINE };
            elements(dims, &sizes).is_some_and(|count| count <= limit)
        })
    };
    let fits = (0..=24).rev().map(|exponent| 1i64 << exponent).find(is_small);
    Ok(with(fits.unwrap_or(1)))
}

fn elements(dims: &[Size], sizes: &[i64]) -> Option<i128> {
    let sizes: Vec<Option<i64>> = sizes.iter().copied().map(Some).collect();
    let env = Env { sizes: &sizes, tunables: &[] };
    dims.iter().try_fold(1i128, |product, dim| product.checked_mul(env.wide(dim).ok()?))
}

/// Arguments with random elements: floats from 0 to 1, and integers that are indices of the shortest array. Integers that stand alone are less than 8: they often say
/// how many times something is done.
///
/// # Errors
///
/// When there is no memory for an array of these sizes.
pub fn arguments(spec: &KernelSpec, sizes: &[i64]) -> Result<Vec<HostArg<'static>>> {
    let shortest = extents(&spec.params, sizes)?.into_iter().flatten().min().unwrap_or(1).max(1) as u64;
    let mut random = Random::new(1);
    let params = spec.params.iter().zip(extents(&spec.params, sizes)?);
    let argument = |(param, extents): (&Param, Vec<usize>)| {
        let count: usize = extents.iter().product();
        let below = if param.dims.is_empty() { shortest.min(8) } else { shortest };
        let mut bytes = Vec::new();
        bytes
            .try_reserve(count.saturating_mul(param.elem.size()))
            .map_err(|_| format!("there is no memory for `{}`", param.name))?;
        (0..count).for_each(|_| push(&mut bytes, param.elem, random.bits(), below));
        Ok(match param.dims.is_empty() {
            true => HostArg::of_scalar(param.elem, &bytes),
            false => HostArg::of_bytes(param.elem, extents, bytes),
        })
    };
    params.map(argument).collect()
}

fn extents(params: &[Param], sizes: &[i64]) -> Result<Vec<Vec<usize>>> {
    let sizes: Vec<Option<i64>> = sizes.iter().copied().map(Some).collect();
    let env = Env { sizes: &sizes, tunables: &[] };
    let extent = |param: &Param, dim: &Size| {
        let extent = env.wide(dim).ok().and_then(|extent| usize::try_from(extent).ok());
        extent.ok_or_else(|| {
            format!("an extent of `{}` is negative or too large at these sizes", param.name).into()
        })
    };
    params.iter().map(|param| param.dims.iter().map(|dim| extent(param, dim)).collect()).collect()
}

/// Adds an element.
fn push(bytes: &mut Vec<u8>, elem: ScalarType, random: u64, below: u64) {
    let unit = (random >> 40) as f32 / (1u32 << 24) as f32;
    match elem {
        ScalarType::F32 => bytes.extend(unit.to_le_bytes()),
        ScalarType::F64 => bytes.extend(f64::from(unit).to_le_bytes()),
        // From 0.5 to 1: the exponent below that of one, and any fraction.
        ScalarType::F16 => bytes.extend((0x3800 | (random as u16 & 0x3ff)).to_le_bytes()),
        ScalarType::Bool => bytes.push((random & 1) as u8),
        integer => {
            let largest = if integer.size() == 1 { 127 } else { 32767 };
            let value = (random >> 32) % below.min(largest);
            bytes.extend(&value.to_le_bytes()[..integer.size()]);
        }
    }
}
