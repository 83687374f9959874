//! OpenCL C: the only place that prints the target language.
//!
//! Before: an imperative kernel with its barriers. After: the complete text of a program, for OpenCL 1.2 and
//! later. Sizes and tunables are macros that the launcher defines. Sizes are numbers of type `index_t`, which
//! is `int` by default (`-D N=4096`), or `long` (`-D index_t=long -D N=4096L`) where `int` does not hold one of
//! [`Compiled::widest`].

mod aligned;
mod expr;
mod helpers;
mod ids;
mod index;
mod lanes;
mod math;
mod names;
mod plan;
mod print;
mod reserved;
mod source;
mod wrap;

use crate::arith::ArithExpr;
use crate::bug;
use crate::explore::variant::Variant;
use crate::imp::ast::Param;
use crate::ir::{self, Output, Scalar, Type};
use crate::program::schedule::{Launch, Operation, Schedule, Site, Slot, Temporary};
use crate::program::{self, Program, Step};
use crate::{barrier, imp, lower, memory};

#[cfg(test)]
mod tests;

pub use names::{defines, entry};
pub use source::{Printed, print};

/// One version of a kernel, compiled.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// Complete OpenCL C.
    pub source: String,
    /// For people: what each launch does with memory.
    pub plan: String,
    /// What is launched, in order.
    pub schedule: Schedule,
    /// The functions by their names, as statements.
    pub functions: Vec<(String, imp::Kernel)>,
    /// The places whose indices are checked while the kernel runs.
    pub sites: Vec<Site>,
    /// Whether an index is a multiple of a work-item's number.
    pub scales_ids: bool,
    /// Upper bounds, over sizes and tunables, of the absolute value of all that is computed in `index_t`.
    pub widest: Vec<ArithExpr>,
}

/// Compiles one version of a program, given by a variant of each of its stages. The macros for its sizes are
/// [`defines`] of them; a tunable's macro is its name.
pub fn compile(title: &str, program: &Program, variants: &[Variant]) -> Compiled {
    let stages = program.stages.iter().zip(variants);
    let mut kernels: Vec<imp::Kernel> =
        stages.map(|(kernel, variant)| aligned::function(kernel, variant)).collect();
    let mut sites = Vec::new();
    for (stage, kernel) in kernels.iter_mut().enumerate() {
        kernel.first_site = sites.len() + 1;
        for aligned in &mut kernel.aligned {
            aligned.kernel.first_site = kernel.first_site;
        }
        let own = kernel.sites.iter();
        sites.extend(own.map(|site| Site { source: source(site, stage, program), ..site.clone() }));
    }
    let mut temporaries = program.temporaries.clone();
    if cfg!(debug_assertions)
        && let Some(kernel) = kernels.first()
    {
        let extents = temporaries.iter().flat_map(|temporary| &temporary.dims);
        if let Err(fault) = imp::check::check_sizes(extents, &kernel.facts) {
            bug!("{title}: {fault}");
        }
    }
    let scratch: Vec<Vec<Slot>> = kernels.iter().map(|kernel| scratch(kernel, &mut temporaries)).collect();
    let operations = operations(program, (&kernels, &scratch), &program.steps);
    let schedule = Schedule { temporaries, operations };
    let Printed { source, plan, widest } = print(title, &kernels);
    let scales_ids = kernels.iter().any(ids::are_scaled);
    let functions = kernels.into_iter().map(|kernel| (entry(&kernel.name), kernel)).collect();
    Compiled { source, plan, schedule, functions, sites, scales_ids, widest }
}

/// One kernel function, ready to be printed.
fn function(kernel: &ir::Kernel, variant: &Variant) -> imp::Kernel {
    let low = lower::lower(kernel, variant);
    let plan = memory::plan(&low);
    let imp = imp::Kernel { streams: kernel.streams.is_some(), ..imp::emit(&low, &plan) };
    let imp = imp::passes::finish(barrier::insert(imp::passes::run(imp)));
    if cfg!(debug_assertions)
        && let Err(fault) = imp::check::check(&imp)
    {
        bug!("{fault}");
    }
    imp
}

/// Temporaries for what the groups of a kernel store in global memory. All launches of it use the same.
fn scratch(kernel: &imp::Kernel, temporaries: &mut Vec<Temporary>) -> Vec<Slot> {
    let slots = kernel.scratch().map(|buffer| {
        temporaries.push(Temporary { scalar: buffer.scalar, dims: buffer.dims.clone() });
        Slot::Temporary(temporaries.len() - 1)
    });
    slots.collect()
}

/// What is launched. The arguments are the leaves of the parameters, then those of the value, unless it
/// replaces a parameter, then what groups store in global memory, then what is recorded if indices are checked.
fn operations(
    program: &Program,
    (kernels, scratch): (&[imp::Kernel], &[Vec<Slot>]),
    steps: &[Step],
) -> Vec<Operation> {
    let operation = |step: &Step| match step {
        Step::Launch(program::Launch { stage, inputs, outputs }) => {
            let kernel = &kernels[*stage];
            let outputs = new_outputs(&program.stages[*stage], outputs);
            let records: Vec<Slot> = kernel.params.iter().filter_map(|param| record(param, kernel)).collect();
            Operation::Launch(Launch {
                entry: entry(&kernel.name),
                args: [inputs.as_slice(), &outputs, &scratch[*stage], &records].concat(),
                geometry: kernel.geometry.clone(),
                local_bytes: kernel.local_bytes.clone(),
            })
        }
        Step::Repeat(count, steps) => {
            Operation::Repeat(count.clone(), operations(program, (kernels, scratch), steps))
        }
        Step::Swap(a, b) => Operation::Swap(*a, *b),
    };
    steps.iter().map(operation).collect()
}

/// Where the leaves of a stage's value go that are no parameters of it.
fn new_outputs(stage: &ir::Kernel, to: &[Slot]) -> Vec<Slot> {
    let parts = match (stage.outputs.as_slice(), stage.body.ty()) {
        ([_], ty) => vec![ty.leaves().len()],
        (_, Type::Tuple(parts)) => parts.iter().map(|part| part.leaves().len()).collect(),
        (_, ty) => bug!("several outputs of {ty}"),
    };
    let mut rest = to;
    let mut new = Vec::new();
    for (leaves, output) in parts.into_iter().zip(&stage.outputs) {
        let (own, others) = rest.split_at(leaves);
        rest = others;
        match output {
            Output::Result => new.extend(own),
            Output::Update(_) => {}
        }
    }
    new
}

/// The leaf of the program's parameters that the indices of a stage's site are, whenever it is launched.
fn source(site: &Site, stage: usize, program: &Program) -> Option<usize> {
    fn passed<'a>(steps: &'a [Step], stage: usize, found: &mut Vec<&'a [Slot]>) {
        for step in steps {
            match step {
                Step::Launch(launch) if launch.stage == stage => found.push(&launch.inputs),
                Step::Repeat(_, steps) => passed(steps, stage, found),
                Step::Launch(_) | Step::Swap(..) => {}
            }
        }
    }
    let argument = site.source?;
    let mut inputs = Vec::new();
    passed(&program.steps, stage, &mut inputs);
    let slot = |inputs: &&[Slot]| inputs.get(argument).copied();
    match inputs.first().and_then(slot) {
        Some(Slot::Param(leaf)) if inputs.iter().all(|it| slot(it) == Some(Slot::Param(leaf))) => Some(leaf),
        _ => None,
    }
}

/// The argument for a parameter that is no data of the program.
fn record(param: &Param, kernel: &imp::Kernel) -> Option<Slot> {
    match param {
        Param::Buffer(_) | Param::Scalar(_) => None,
        Param::Status => Some(Slot::Status),
        Param::Claims(site) => Some(Slot::Claims(kernel.first_site - 1 + site)),
    }
}

/// Text and how strongly its outermost operator binds.
struct Text {
    prec: u8,
    text: String,
}

impl Text {
    fn new(prec: u8, text: impl Into<String>) -> Text {
        Text { prec, text: text.into() }
    }

    /// The text as an operand that must bind at least so strongly.
    fn at(&self, prec: u8) -> String {
        if self.prec < prec { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// How strongly C's operators bind.
mod prec {
    pub(super) const SELECT: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const BIT_OR: u8 = 4;
    pub(super) const BIT_XOR: u8 = 5;
    pub(super) const BIT_AND: u8 = 6;
    pub(super) const EQUAL: u8 = 7;
    pub(super) const COMPARE: u8 = 8;
    pub(super) const ADD: u8 = 9;
    pub(super) const MUL: u8 = 10;
    pub(super) const UNARY: u8 = 11;
    pub(super) const ATOM: u8 = 12;
}

/// The type in registers.
fn type_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F32 => "float",
        Scalar::F64 => "double",
        Scalar::F16 => "half",
        Scalar::I8 => "char",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::I64 => "long",
        Scalar::U8 => "uchar",
        Scalar::U16 => "ushort",
        Scalar::U32 => "uint",
        Scalar::U64 | Scalar::Usize => "ulong",
        Scalar::Bool => "bool",
    }
}
