//! What is launched, in which order, with which arguments.
//!
//! Before: a program whose launches have kernels. After: its steps as operations on leaves.

use crate::bug;
use crate::imp::ast::{self as imp, Param};
use crate::ir::{self, Output, Type};
use crate::opencl::entry;
use crate::program::schedule::{Launch, Operation, Site, Slot, Temporary};
use crate::program::{self, Program, Step};

/// Temporaries for what the groups of a kernel store in global memory. All launches of it use the same.
pub(super) fn scratch(kernel: &imp::Kernel, temporaries: &mut Vec<Temporary>) -> Vec<Slot> {
    let slots = kernel.scratch().map(|buffer| {
        temporaries.push(Temporary { scalar: buffer.scalar, dims: buffer.dims.clone() });
        Slot::Temporary(temporaries.len() - 1)
    });
    slots.collect()
}

/// What is launched. The arguments are the leaves of the parameters, then those of the value, unless it
/// replaces a parameter, then what groups store in global memory, then what is recorded if indices are checked.
pub(super) fn operations(
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
        Step::Leave(id) => Operation::Leave(*id),
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
pub(super) fn source(site: &Site, stage: usize, program: &Program) -> Option<usize> {
    fn passed<'a>(steps: &'a [Step], stage: usize, found: &mut Vec<&'a [Slot]>) {
        for step in steps {
            match step {
                Step::Launch(launch) if launch.stage == stage => found.push(&launch.inputs),
                Step::Repeat(_, steps) => passed(steps, stage, found),
                Step::Launch(_) | Step::Leave(_) | Step::Swap(..) => {}
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
