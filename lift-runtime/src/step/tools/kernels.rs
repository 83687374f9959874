//! Tools as kernels of OpenCL: programs like those of users, so that they are built, enqueued and waited for in the same way. Each
//! writes its first parameter.

use std::sync::{Arc, LazyLock};

use super::{Tool, buffer, max_or_nan, number};
use crate::buffer::{Buffer, download};
use crate::built::Checks;
use crate::device::Device;
use crate::enqueue::{Input, enqueue};
use crate::error::{Error, Result};
use crate::plan::{Choice, Plan, plan};
use crate::queue::Queue;
use crate::scalar::Scalar;
use crate::solve::Sizes;
use crate::spec::{
    Access, Geometry, KernelSpec, Launch, Operation, Param, ScalarType, Size, Slot, Source, Variant,
};

/// So many work-items share one array.
const ITEMS: usize = 4096;

impl Tool {
    const fn name(self) -> &'static str {
        match self {
            Tool::Add => "add",
            Tool::GatherByOne => "gather by one",
            Tool::GatherByMany => "gather by many",
            Tool::Change => "change",
            Tool::Finite => "finite",
        }
    }
}

/// The description for each type: how elements are stored, what they are as bits, what their differences are, and
/// what kind of numbers they are.
macro_rules! tools {
    ($($elem:ident: $stored:literal, $bits:literal, $difference:literal, $kind:literal;)*) => {
        fn tools(elem: ScalarType) -> &'static KernelSpec {
            match elem {
                $(ScalarType::$elem => {
                    const SOURCE: &str = concat!(
                        $kind, "\n#define T ", $stored, "\n#define BITS ", $bits, "\n#define D ", $difference, "\n",
                        include_str!("tools.cl")
                    );
                    static TOOLS: LazyLock<KernelSpec> = LazyLock::new(|| described(SOURCE));
                    &TOOLS
                })*
            }
        }
    };
}

tools! {
    F32: "float", "uint", "float", "#define FLOAT";
    F64: "double", "ulong", "double", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#define FLOAT";
    F16: "half", "ushort", "float", "#define FLOAT\n#define HALF";
    I8: "char", "uchar", "uchar", "";
    I16: "short", "ushort", "ushort", "";
    I32: "int", "uint", "uint", "";
    I64: "long", "ulong", "ulong", "";
    U8: "uchar", "uchar", "uchar", "";
    U16: "ushort", "ushort", "ushort", "";
    U32: "uint", "uint", "uint", "";
    U64: "ulong", "ulong", "ulong", "";
    Bool: "uchar", "uchar", "uchar", "#define TRUTH";
    Usize: "ulong", "ulong", "ulong", "";
}

/// The tools of one type. Each takes what it writes, and at most five others.
fn described(source: &'static str) -> KernelSpec {
    let tool = |tool: Tool, entry: &'static str, args: usize, items: usize| Variant {
        name: tool.name().into(),
        source: Source::plain(source),
        operations: vec![Operation::Launch(Launch {
            entry: entry.into(),
            args: (0..args).map(Slot::Param).collect(),
            geometry: Geometry::Items(vec![Size::Const(items as i64)].into()),
            local_bytes: Size::Const(0),
        })]
        .into(),
        ..Variant::NAIVE
    };
    let param = |i: usize| Param {
        name: "".into(),
        elem: ScalarType::U8,
        dims: [].as_slice().into(),
        shown: [].as_slice().into(),
        access: if i == 0 { Access::Update } else { Access::Read },
    };
    KernelSpec {
        name: "a tool of the runtime".into(),
        params: (0..6).map(param).collect(),
        variants: vec![
            tool(Tool::Add, "add", 4, 1),
            tool(Tool::GatherByOne, "gather", 6, 1),
            tool(Tool::GatherByMany, "gather", 6, 256),
            tool(Tool::Change, "change", 4, ITEMS),
            tool(Tool::Finite, "finite", 4, ITEMS),
        ]
        .into(),
        ..KernelSpec::INVALID
    }
}

/// Tools that are ready to run.
pub(super) struct Kernels {
    device: Device,
    ready: Vec<(ScalarType, Tool, Plan)>,
    /// What `Change` writes.
    partial: Option<Arc<Buffer>>,
}

impl Kernels {
    pub(super) fn new(device: &Device) -> Kernels {
        Kernels { device: device.clone(), ready: Vec::new(), partial: None }
    }

    /// Starts a tool for arrays of `elem`. Numbers among the inputs are of type `usize`.
    pub(super) fn run(
        &mut self,
        tool: Tool,
        elem: ScalarType,
        queue: &Queue,
        inputs: &[Input<'_>],
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
        // No difference is larger than eight bytes.
        let partial = match self.partial.take() {
            Some(partial) => partial,
            None => Buffer::some(&self.device, ITEMS * 8)?,
        };
        let inputs = [buffer(&partial), number(len), buffer(a), buffer(b)];
        self.run(Tool::Change, elem, queue, &inputs)?;
        let (device, found) = (&self.device, &*partial);
        let largest = match elem {
            ScalarType::F16 | ScalarType::F32 => largest::<f32>(device, found, f64::from),
            ScalarType::F64 => largest::<f64>(device, found, f64::from),
            ScalarType::I8 | ScalarType::U8 | ScalarType::Bool => largest::<u8>(device, found, f64::from),
            ScalarType::I16 | ScalarType::U16 => largest::<u16>(device, found, f64::from),
            ScalarType::I32 | ScalarType::U32 => largest::<u32>(device, found, f64::from),
            ScalarType::I64 | ScalarType::U64 | ScalarType::Usize => {
                largest::<u64>(device, found, |change| change as f64)
            }
        }?;
        self.partial = Some(partial);
        Ok(largest)
    }
}

fn largest<T: Scalar>(device: &Device, partial: &Buffer, value: impl Fn(T) -> f64) -> Result<f64> {
    let partial = download::<T>(device, Some(partial), ITEMS)?;
    Ok(partial.into_iter().map(value).fold(0.0, max_or_nan))
}

fn prepare(tool: Tool, elem: ScalarType, device: &Device) -> Result<Plan> {
    let spec = tools(elem);
    let missing =
        || Error::Malformed { kernel: &spec.name, problem: format!("there is no tool `{}`", tool.name()) };
    let variant = spec.variants.iter().find(|variant| variant.name == tool.name()).ok_or_else(missing)?;
    let choice =
        Choice { spec, variant, functions: &[], tunables: &[], checks: Checks::default(), specialise: None };
    plan(&choice, &Sizes { values: Vec::new(), results: Vec::new() }, &[], device)
}
