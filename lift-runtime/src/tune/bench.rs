//! Arguments on a device: versions of a kernel run on them, are compared, and timed.

use std::sync::Arc;

use crate::args::{HostArg, Seen};
use crate::buffer::{Buffer, download};
use crate::device::Device;
use crate::enqueue::{Input, enqueue};
use crate::error::{Error, Result};
use crate::launch::Launcher;
use crate::plan::Plan;
use crate::solve::{ArgShape, Sizes, solve};
use crate::spec::{Access, KernelSpec, ScalarType};

/// At most so many runs of a version are timed, at least so many of one that takes less than [`ENOUGH`] in all, and the median counts.
const RUNS: usize = 15;
const LEAST_RUNS: usize = 5;

/// So many rounds are measured where versions run side by side, and no more after so many microseconds of work.
const ROUNDS: usize = 41;
const LONG_ROUNDS: f64 = 2e6;

/// Microseconds of work after which no more runs are needed.
const ENOUGH: f64 = 20_000.0;

/// So many bytes are used before the same ones again.
const IN_TURN: u64 = 128 << 20;

/// A version that takes so many times as long as the best one is not run again.
const HOPELESS: f64 = 1.5;

/// The arguments of a kernel on a device, and what `naive` makes of them.
pub struct Bench<'a> {
    spec: &'static KernelSpec,
    device: Device,
    args: Vec<HostArg<'a>>,
    /// What stays as it is, several times: with each run, the next copy, so that nobody finds in a cache what the one before has just read.
    inputs: Vec<Vec<Option<Input<'static>>>>,
    sizes: Sizes,
    /// The bytes of all leaves that `naive` writes.
    expected: Vec<Vec<u8>>,
    tolerance: Option<f64>,
}

impl<'a> Bench<'a> {
    /// Copies the arguments to the device, and runs `naive` on them; on the CPU without OpenCL, the version that suits all sizes.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the arguments or with that version on the device.
    pub fn new(launcher: &Launcher, args: Vec<HostArg<'a>>, tolerance: Option<f64>) -> Result<Bench<'a>> {
        let (spec, device) = (launcher.spec(), launcher.device().clone());
        let shapes: Vec<ArgShape<'_>> = args.iter().map(shape).collect();
        let sizes = solve(spec, &shapes, None)?;
        let mut bench =
            Bench { spec, device, inputs: Vec::new(), args, sizes, expected: Vec::new(), tolerance };
        for _ in 0..(IN_TURN / bench.bytes().max(1)).clamp(1, 4) {
            let each = spec.params.iter().zip(&bench.args).map(|(param, arg)| match param.access {
                Access::Update => Ok(None),
                Access::Read => bench.input(&param.name, arg).map(Some),
            });
            let copy = each.collect::<Result<Vec<_>>>()?;
            bench.inputs.push(copy);
        }
        let reference =
            launcher.variants().iter().find(|it| it.name == "naive").or(launcher.variants().last());
        let name = reference.map(|it| &*it.name).unwrap_or_default();
        let (plan, launch) = (bench.plan(&launcher.variant(name)?)?, bench.memory(0)?);
        bench.run(&plan, &launch)?;
        bench.expected = bench.contents(&launch)?;
        Ok(bench)
    }

    /// The values of the kernel's sizes.
    #[must_use]
    pub fn sizes(&self) -> &[i64] {
        &self.sizes.values
    }

    /// By how much floats may differ, if somebody said so.
    pub(super) fn tolerance(&self) -> Option<f64> {
        self.tolerance
    }

    /// The extents of the parameters that are arrays.
    fn extents(&self) -> Vec<Option<&[usize]>> {
        self.args.iter().map(|arg| arg.shape().extents).collect()
    }

    /// Bytes of all arguments and results.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let params =
            self.spec.params.iter().zip(self.extents()).filter_map(|(it, extents)| Some((it.elem, extents?)));
        let results =
            self.spec.results.iter().zip(&self.sizes.results).map(|(it, extents)| (it.elem, &extents[..]));
        let bytes = |(elem, extents): (ScalarType, &[usize])| {
            extents.iter().fold(elem.size() as u64, |bytes, extent| bytes.saturating_mul(*extent as u64))
        };
        params.chain(results).map(bytes).fold(0, u64::saturating_add)
    }

    /// The time of what a launcher takes for these arguments, in microseconds, by the device's clock: the median of some runs. `best` is the time of
    /// the best version so far; one that takes much longer is run once.
    ///
    /// # Errors
    ///
    /// Whatever fails, and a result that is not that of `naive`.
    pub fn time(&self, launcher: &Launcher, best: Option<f64>) -> Result<f64> {
        let plan = self.plan(launcher)?;
        let mut turns = vec![self.memory(0)?];
        let first = self.run(&plan, &turns[0])?;
        self.compare(&plan, &self.contents(&turns[0])?)?;
        let hopeless = best.map_or(f64::INFINITY, |best| HOPELESS * best);
        if first > 2.0 * hopeless {
            return Ok(first);
        }
        for turn in 1..self.inputs.len() {
            turns.push(self.memory(turn)?);
        }
        let changes = self.changes();
        let (mut times, mut sum) = (Vec::new(), 0.0);
        while times.len() < RUNS && (times.len() < LEAST_RUNS || sum < ENOUGH) {
            let turn = (times.len() + 1) % turns.len();
            if changes {
                // What a loop does may depend on what it starts from.
                turns[turn] = self.memory(turn)?;
            }
            let time = self.run(&plan, &turns[turn])?;
            times.push(time);
            sum += time;
            if time > hopeless {
                break;
            }
        }
        Ok(median(times).unwrap_or(first))
    }

    /// The times of several launchers, in microseconds: medians of rounds in which each runs once, so that all of them meet the same conditions.
    ///
    /// # Errors
    ///
    /// Whatever fails.
    pub(super) fn side_by_side(&self, launchers: &[Launcher]) -> Result<Vec<f64>> {
        let plans = launchers.iter().map(|it| self.plan(it)).collect::<Result<Vec<_>>>()?;
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); plans.len()];
        let mut turns = (0..self.inputs.len()).map(|turn| self.memory(turn)).collect::<Result<Vec<_>>>()?;
        let changes = self.changes();
        let (mut turn, mut sum) = (0, 0.0);
        for round in 0..ROUNDS {
            for (plan, times) in plans.iter().zip(&mut times) {
                turn = (turn + 1) % turns.len();
                if changes {
                    turns[turn] = self.memory(turn)?;
                }
                let time = self.run(plan, &turns[turn])?;
                times.push(time);
                sum += time;
            }
            if round >= LEAST_RUNS && sum > LONG_ROUNDS {
                break;
            }
        }
        Ok(times.into_iter().filter_map(median).collect())
    }

    /// Whether the kernel updates a parameter.
    fn changes(&self) -> bool {
        self.spec.params.iter().any(|param| param.access == Access::Update)
    }

    fn input(&self, name: &str, arg: &HostArg<'_>) -> Result<Input<'static>> {
        match arg.see(name)? {
            Seen::Scalar(value) => Ok(Input::Scalar(value)),
            seen => Ok(Input::Buffer(match seen.upload(&self.device)? {
                Some(buffer) => buffer,
                None => Buffer::some(&self.device, size_of::<u64>())?,
            })),
        }
    }

    /// Memory for one launch: what the kernel updates as it was, and zeros for its results.
    fn memory(&self, turn: usize) -> Result<Memory> {
        let each = self.spec.params.iter().zip(&self.args).zip(&self.inputs[turn]);
        let inputs = each.map(|((param, arg), kept)| match kept {
            Some(kept) => Ok(kept.clone()),
            None => self.input(&param.name, arg),
        });
        let inputs = inputs.collect::<Result<Vec<_>>>()?;
        let queue = self.device.queue()?;
        let leaves = self.spec.results.iter().zip(&self.sizes.results);
        let results = leaves.map(|(leaf, extents)| {
            let bytes = extents.iter().product::<usize>() * leaf.elem.size();
            Buffer::zeroed(&self.device, &queue, bytes.next_multiple_of(4))
        });
        Ok(Memory { results: results.collect::<Result<Vec<_>>>()?, inputs })
    }

    fn plan(&self, launcher: &Launcher) -> Result<Plan> {
        let shapes: Vec<ArgShape<'_>> = self.args.iter().map(shape).collect();
        let plan = launcher.specialise(true).plan(&shapes, &self.sizes)?;
        plan.ok_or_else(|| launcher.malformed("there is nothing to compute, and so nothing to tune"))
    }

    /// One launch, and its time in microseconds.
    fn run(&self, plan: &Plan, launch: &Memory) -> Result<f64> {
        let queue = self.device.queue()?;
        let event = enqueue(&self.device, queue.inner(), plan, &launch.inputs, &launch.results)?;
        Ok(1e6 * event.kernel_time()?.as_secs_f64())
    }

    /// All that a launch wrote, leaf by leaf.
    fn contents(&self, launch: &Memory) -> Result<Vec<Vec<u8>>> {
        let mut contents = Vec::new();
        let updated = self.spec.params.iter().zip(self.extents()).zip(&launch.inputs);
        for ((param, extents), input) in updated {
            if let (Access::Update, Some(extents), Input::Buffer(buffer)) = (param.access, extents, input) {
                contents.push(self.content(param.elem, extents, buffer)?);
            }
        }
        let results = self.spec.results.iter().zip(&self.sizes.results).zip(&launch.results);
        for ((leaf, extents), buffer) in results {
            contents.push(self.content(leaf.elem, extents, buffer)?);
        }
        Ok(contents)
    }

    fn content(&self, elem: ScalarType, extents: &[usize], buffer: &Buffer) -> Result<Vec<u8>> {
        download(&self.device, Some(buffer), extents.iter().product::<usize>() * elem.size())
    }

    fn compare(&self, plan: &Plan, found: &[Vec<u8>]) -> Result<()> {
        let updated = self.spec.params.iter().filter(|param| param.access == Access::Update);
        let results = self.spec.results.iter().map(|it| (&*it.name, it.elem));
        let leaves = updated.map(|it| (&*it.name, it.elem)).chain(results);
        for ((name, elem), (expected, found)) in leaves.zip(self.expected.iter().zip(found)) {
            if let Some((at, expected, found)) = difference(elem, expected, found, self.tolerance) {
                let variant = &plan.variant.name;
                let problem = format!(
                    "`{name}` of version `{variant}` has {found} where it should have {expected}, at position {at}"
                );
                return Err(Error::Malformed { kernel: &self.spec.name, problem });
            }
        }
        Ok(())
    }
}

/// The first position where elements differ by more than they may, and both of them.
fn difference(
    elem: ScalarType,
    expected: &[u8],
    found: &[u8],
    tolerance: Option<f64>,
) -> Option<(usize, f64, f64)> {
    if expected == found {
        return None;
    }
    let usual = default_tolerance(elem);
    let elements = |bytes| <[u8]>::chunks_exact(bytes, elem.size());
    let values = |bytes| elements(bytes).map(|bytes| number(elem, bytes));
    let largest = values(expected).map(f64::abs).filter(|value| value.is_finite()).fold(0.0, f64::max);
    let allowed = usual.map_or(0.0, |usual| tolerance.unwrap_or(usual) * largest);
    let at = match usual {
        // Integers of 64 bits may be the same number as floats, and still differ.
        None => elements(expected).zip(elements(found)).position(|(a, b)| a != b),
        Some(_) => values(expected).zip(values(found)).position(|(a, b)| {
            let is_near = a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= allowed;
            !is_near
        }),
    }?;
    Some((at, values(expected).nth(at)?, values(found).nth(at)?))
}

/// The shape of an argument. What the kernel updates is a copy.
fn shape<'a>(arg: &'a HostArg<'_>) -> ArgShape<'a> {
    ArgShape { is_mut: true, ..arg.shape() }
}

/// The one in the middle.
fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// What one launch reads and writes.
struct Memory {
    inputs: Vec<Input<'static>>,
    results: Vec<Arc<Buffer>>,
}

/// By how much of the largest element floats may differ whose sums are regrouped. Other elements may not.
fn default_tolerance(elem: ScalarType) -> Option<f64> {
    match elem {
        ScalarType::F16 => Some(1e-2),
        ScalarType::F32 => Some(1e-4),
        ScalarType::F64 => Some(1e-10),
        _ => None,
    }
}

/// An element as a number. Of integers of 64 bits, the last digits are lost.
fn number(elem: ScalarType, bytes: &[u8]) -> f64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    let unused = 64 - 8 * bytes.len();
    let signed = (bits << unused).cast_signed() >> unused;
    match elem {
        ScalarType::F32 => f64::from(f32::from_bits(bits as u32)),
        ScalarType::F64 => f64::from_bits(bits),
        ScalarType::F16 => half_float(bits as u16),
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64 => signed as f64,
        _ => bits as f64,
    }
}

/// A float of 16 bits.
fn half_float(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let value = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 0 { value } else { -value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_may_differ_by_their_tolerance_and_integers_not_at_all() {
        let floats =
            |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let differ = |a: &[f32], b: &[f32], tolerance| {
            difference(ScalarType::F32, &floats(a), &floats(b), tolerance).map(|(at, ..)| at)
        };
        assert_eq!(differ(&[1.0, 1000.0], &[1.05, 1000.0], None), None);
        assert_eq!(differ(&[1.0, 1000.0], &[1.0, 1000.2], None), Some(1));
        assert_eq!(differ(&[1.0, 1000.0], &[1.0, 1000.2], Some(1e-3)), None);
        let (nan, inf) = (f32::NAN, f32::INFINITY);
        assert_eq!(differ(&[nan, inf, 0.0], &[nan, inf, -0.0], None), None);
        assert_eq!(differ(&[1.0, inf], &[nan, inf], None), Some(0));
        assert_eq!(differ(&[1.0, inf], &[1.0, 1.0], None), Some(1));
        let (one, other) = (u64::MAX.to_le_bytes(), (u64::MAX - 1).to_le_bytes());
        assert!(difference(ScalarType::U64, &one, &other, Some(1.0)).is_some());
    }

    #[test]
    fn bytes_are_numbers() {
        assert_eq!(number(ScalarType::I16, &(-7i16).to_le_bytes()), -7.0);
        assert_eq!(number(ScalarType::U8, &[200]), 200.0);
        assert_eq!(number(ScalarType::I64, &i64::MIN.to_le_bytes()), i64::MIN as f64);
        assert_eq!(number(ScalarType::F64, &(-1.5f64).to_le_bytes()), -1.5);
        // 1, -2, the largest, the smallest above zero, infinity.
        let halves =
            [(0x3c00, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (1, 2f64.powi(-24)), (0x7c00, f64::INFINITY)];
        assert!(halves.iter().all(|(bits, value)| half_float(*bits) == *value));
        assert!(half_float(0x7e00).is_nan());
    }
}
