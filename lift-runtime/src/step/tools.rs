//! Small kernels of the runtime's own, for what simulations do beside their steps.
//!
//! They are programs like those of users, so that they are built, enqueued and waited for in the same way. Each
//! writes its first parameter and takes four.

use std::sync::Arc;

use crate::buffer::{Buffer, download};
use crate::device::Device;
use crate::enqueue::{Input, enqueue};
use crate::error::{Error, Result};
use crate::plan::{Choice, Plan, plan};
use crate::program::Checks;
use crate::queue::Queue;
use crate::scalar::{Scalar, ScalarValue};
use crate::solve::Sizes;
use crate::spec::{Access, Geometry, KernelSpec, Launch, Operation, Param, ScalarType, Size, Slot, Variant};

/// So many work-items share one array.
const ITEMS: usize = 4096;

/// The kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// `state[at] += samples[i]`
    Add,
    /// `record[i] = state[at]`
    Probe,
    /// `partial[item] = max |a - b|` over the item's elements
    Change,
    /// Notes the first element that is not finite.
    Finite,
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Tool::Add => "add",
            Tool::Probe => "probe",
            Tool::Change => "change",
            Tool::Finite => "finite",
        }
    }
}

/// The description for one type of floats.
macro_rules! tools {
    ($name:ident, $elem:ident, $float:literal, $extension:literal) => {
        static $name: KernelSpec = {
            const SOURCE: &str = concat!(
                $extension,
                "
__kernel void add(__global ",
                $float,
                " *state, const ulong at, __global const ",
                $float,
                " *samples, const ulong i) {
    state[at] += samples[i];
}

__kernel void probe(__global ",
                $float,
                " *record, const ulong i, __global const ",
                $float,
                " *state, const ulong at) {
    record[i] = state[at];
}

__kernel void change(__global ",
                $float,
                " *partial, const ulong n, __global const ",
                $float,
                " *a, __global const ",
                $float,
                " *b) {
    ",
                $float,
                " largest = 0;
    for (ulong i = get_global_id(0); i < n; i += 4096) {
        const ",
                $float,
                " change = fabs(a[i] - b[i]);
        if (change > largest || isnan(change)) largest = change;
        if (isnan(largest)) break;
    }
    if (get_global_id(0) < 4096) partial[get_global_id(0)] = largest;
}

__kernel void finite(__global int *record, const ulong n, __global const ",
                $float,
                " *state, const ulong step) {
    for (ulong i = get_global_id(0); i < n; i += 4096) {
        if (isfinite(state[i])) continue;
        if (atomic_cmpxchg(record, 0, (int)step) != 0) return;
        record[1] = (int)(uint)i;
        record[2] = (int)(uint)(i >> 32);
        return;
    }
}
"
            );
            const PARAM: Param =
                Param { name: "", elem: ScalarType::$elem, dims: &[], shown: &[], access: Access::Read };
            const ARGS: &[Slot] = &[Slot::Param(0), Slot::Param(1), Slot::Param(2), Slot::Param(3)];
            const VARIANT: Variant = Variant { source: SOURCE, ..KernelSpec::INVALID.variants[0] };
            KernelSpec {
                name: "a tool of the runtime",
                params: &[Param { access: Access::Update, ..PARAM }, PARAM, PARAM, PARAM],
                variants: &[
                    Variant {
                        name: "add",
                        operations: &[launch("add", ARGS, Geometry::Items(&[Size::Const(1)]))],
                        ..VARIANT
                    },
                    Variant {
                        name: "probe",
                        operations: &[launch("probe", ARGS, Geometry::Items(&[Size::Const(1)]))],
                        ..VARIANT
                    },
                    Variant {
                        name: "change",
                        operations: &[launch("change", ARGS, Geometry::Items(&[Size::Const(ITEMS as i64)]))],
                        ..VARIANT
                    },
                    Variant {
                        name: "finite",
                        operations: &[launch("finite", ARGS, Geometry::Items(&[Size::Const(ITEMS as i64)]))],
                        ..VARIANT
                    },
                ],
                ..KernelSpec::INVALID
            }
        };
    };
}

const fn launch(entry: &'static str, args: &'static [Slot], geometry: Geometry) -> Operation {
    Operation::Launch(Launch { entry, args, geometry, local_bytes: Size::Const(0) })
}

tools!(F32, F32, "float", "");
tools!(F64, F64, "double", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");

fn tools(elem: ScalarType) -> Option<&'static KernelSpec> {
    match elem {
        ScalarType::F32 => Some(&F32),
        ScalarType::F64 => Some(&F64),
        ScalarType::F16
        | ScalarType::I8
        | ScalarType::I16
        | ScalarType::I32
        | ScalarType::I64
        | ScalarType::U8
        | ScalarType::U16
        | ScalarType::U32
        | ScalarType::U64
        | ScalarType::Bool
        | ScalarType::Usize => None,
    }
}

/// Whether there are tools for arrays of this type.
pub(super) fn is_float(elem: ScalarType) -> bool {
    tools(elem).is_some()
}

/// The larger of two, and NaN if one is.
pub(super) fn max_or_nan(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Tools that are ready to run.
pub(super) struct Tools {
    device: Device,
    ready: Vec<(ScalarType, Tool, Plan)>,
    /// What `Change` writes.
    partial: Option<Arc<Buffer>>,
}

impl Tools {
    pub(super) fn new(device: &Device) -> Tools {
        Tools { device: device.clone(), ready: Vec::new(), partial: None }
    }

    /// Starts a tool for arrays of `elem`. Numbers among the inputs are of type `usize`.
    pub(super) fn run(
        &mut self,
        tool: Tool,
        elem: ScalarType,
        queue: &Queue,
        inputs: &[Input; 4],
    ) -> Result<()> {
        let known = self.ready.iter().position(|(of, it, _)| *of == elem && *it == tool);
        let position = match known {
            Some(position) => position,
            None => {
                let plan = prepare(tool, elem, &self.device)?;
                self.ready.push((elem, tool, plan));
                self.ready.len() - 1
            }
        };
        let (_, _, plan) = &self.ready[position];
        enqueue(&self.device, queue.inner(), plan, inputs, &[]).map(drop)
    }

    /// The largest difference between two arrays of `len` elements.
    pub(super) fn max_change(
        &mut self,
        elem: ScalarType,
        queue: &Queue,
        a: &Arc<Buffer>,
        b: &Arc<Buffer>,
        len: usize,
    ) -> Result<f64> {
        let partial = match self.partial.take().filter(|partial| partial.bytes() == ITEMS * elem.size()) {
            Some(partial) => partial,
            None => Buffer::some(&self.device, ITEMS * elem.size())?,
        };
        let inputs = [buffer(&partial), number(len), buffer(a), buffer(b)];
        self.run(Tool::Change, elem, queue, &inputs)?;
        let largest = if elem == ScalarType::F64 {
            largest::<f64>(&self.device, &partial)?
        } else {
            largest::<f32>(&self.device, &partial)?
        };
        self.partial = Some(partial);
        Ok(largest)
    }
}

fn largest<T: Scalar + Into<f64>>(device: &Device, partial: &Buffer) -> Result<f64> {
    let partial = download::<T>(device, Some(partial), ITEMS)?;
    Ok(partial.into_iter().map(Into::into).fold(0.0, max_or_nan))
}

fn prepare(tool: Tool, elem: ScalarType, device: &Device) -> Result<Plan> {
    let missing = || Error::Malformed {
        kernel: "a tool of the runtime",
        problem: format!("it does not exist for {elem}"),
    };
    let spec = tools(elem).ok_or_else(missing)?;
    let variant = spec.variants.iter().find(|variant| variant.name == tool.name()).ok_or_else(missing)?;
    let choice = Choice { spec, variant, tunables: &[], checks: Checks::default() };
    plan(&choice, &Sizes { values: Vec::new(), results: Vec::new() }, &[], device)
}

/// Memory as an input.
pub(super) fn buffer(buffer: &Arc<Buffer>) -> Input {
    Input::Buffer(Arc::clone(buffer))
}

/// A number as an input.
pub(super) fn number(number: usize) -> Input {
    Input::Scalar(ScalarValue::new(number))
}
