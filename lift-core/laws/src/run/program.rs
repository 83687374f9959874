//! A program of several launches, as a launcher runs it.

use std::collections::BTreeMap;

use lift_core::arith::ArithExpr;
use lift_core::imp::ast::Kernel;
use lift_core::ir::Literal;
use lift_core::program::schedule::{Count, Launch, Operation, Schedule, Slot};

use crate::interp::Outcome;
use crate::run::{Arg, Cell, Counts, Extreme, Heap, Options, run};

/// A leaf of a parameter.
#[derive(Debug, Clone)]
pub enum Leaf {
    /// An array, which may be updated.
    Array(Vec<Cell>),
    /// A scalar.
    Scalar(Literal),
}

/// The functions of a program by their names, and what is launched.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// The functions.
    pub functions: &'a [(String, Kernel)],
    /// What is done, in order.
    pub schedule: &'a Schedule,
}

/// The memory of a program.
struct Run<'a, 'o> {
    program: Program<'a>,
    options: &'o Options<'o>,
    heap: Heap,
    params: Vec<Arg>,
    results: Vec<usize>,
    temporaries: Vec<usize>,
    extremes: BTreeMap<String, Vec<Extreme>>,
    counts: Counts,
}

/// What a program leaves.
pub struct Ran {
    /// The leaves of the parameters, with their updates.
    pub params: Vec<Leaf>,
    /// The leaves of the results.
    pub results: Vec<Vec<Cell>>,
    /// What each function computed in `index_t`, by its name; what is launched several times occurs as often.
    pub extremes: BTreeMap<String, Vec<Extreme>>,
    /// Operations and traffic of all launches.
    pub counts: Counts,
}

/// Runs a program; the results have so many elements.
pub fn run_program(
    program: Program<'_>,
    params: &[Leaf],
    results: &[usize],
    options: &Options<'_>,
) -> Outcome<Ran> {
    let mut heap = Heap::new();
    let mut add = |cells: Vec<Cell>| {
        heap.push(cells);
        heap.len() - 1
    };
    let args = params.iter().map(|leaf| match leaf {
        Leaf::Array(cells) => Arg::Buffer(add(cells.clone())),
        Leaf::Scalar(x) => Arg::Scalar(*x),
    });
    let args: Vec<Arg> = args.collect();
    let results = results.iter().map(|len| add(vec![None; *len])).collect();
    let mut temporaries = Vec::new();
    for temporary in &program.schedule.temporaries {
        let extents = temporary.dims.iter().map(|n| extent(n, options)).collect::<Outcome<Vec<usize>>>()?;
        temporaries.push(add(vec![None; extents.iter().product()]));
    }
    let (extremes, counts) = (BTreeMap::new(), Counts::default());
    let mut all = Run { program, options, heap, params: args, results, temporaries, extremes, counts };
    all.operations(&program.schedule.operations)?;
    let Run { mut heap, params, results, extremes, counts, .. } = all;
    let mut take = |at: usize| std::mem::take(&mut heap[at]);
    let results = results.into_iter().map(&mut take).collect();
    let params = params.into_iter().filter_map(|arg| match arg {
        Arg::Buffer(at) => Some(Leaf::Array(take(at))),
        Arg::Scalar(x) => Some(Leaf::Scalar(x)),
        Arg::Record => None,
    });
    Ok(Ran { params: params.collect(), results, extremes, counts })
}

/// The extent of an array, which has no elements where it would have fewer.
fn extent(n: &ArithExpr, options: &Options<'_>) -> Outcome<usize> {
    if n.eval(options.values).is_some_and(|n| n < 0) { Ok(0) } else { value(n, options) }
}

fn value(e: &ArithExpr, options: &Options<'_>) -> Outcome<usize> {
    let value = e.eval(options.values).and_then(|n| usize::try_from(n).ok());
    value.ok_or_else(|| format!("the size `{e}` has no value"))
}

impl Run<'_, '_> {
    /// Whether the repetition around ends.
    fn operations(&mut self, operations: &[Operation]) -> Outcome<bool> {
        for operation in operations {
            match operation {
                Operation::Launch(launch) => self.launch(launch)?,
                Operation::Repeat(count, operations) => {
                    for _ in 0..self.count(count)? {
                        if self.operations(operations)? {
                            break;
                        }
                    }
                }
                Operation::Leave(id) => match self.heap[self.temporaries[*id]].first() {
                    Some(Some(Literal::Bool(true))) => return Ok(true),
                    Some(Some(Literal::Bool(false))) => {}
                    other => return Err(format!("{other:?} decides about a round")),
                },
                Operation::Swap(a, b) => self.temporaries.swap(*a, *b),
            }
        }
        Ok(false)
    }

    fn launch(&mut self, launch: &Launch) -> Outcome<()> {
        let Some((name, kernel)) = self.program.functions.iter().find(|(name, _)| *name == launch.entry)
        else {
            return Err(format!("there is no function `{}`", launch.entry));
        };
        let arg = |slot: &Slot| match slot {
            Slot::Param(i) => self.params[*i],
            Slot::Result(i) => Arg::Buffer(self.results[*i]),
            Slot::Temporary(i) => Arg::Buffer(self.temporaries[*i]),
            Slot::Status | Slot::Claims(_) => Arg::Record,
        };
        let args: Vec<Arg> = launch.args.iter().map(arg).collect();
        let done = run(kernel, &args, &mut self.heap, self.options).map_err(|e| format!("{name}, {e}"))?;
        self.extremes.entry(name.clone()).or_default().extend(done.extremes);
        self.counts = self.counts.and(done.counts);
        Ok(())
    }

    fn count(&self, count: &Count) -> Outcome<usize> {
        let param = |i: usize| match self.params[i] {
            Arg::Scalar(x) => Ok(x.as_int().and_then(|n| usize::try_from(n).ok()).unwrap_or(0)),
            Arg::Buffer(_) | Arg::Record => Err("a count is an array".to_string()),
        };
        let number = |n: u64| usize::try_from(n).map_err(|e| e.to_string());
        match count {
            Count::Size(n) => value(n, self.options),
            Count::Param(i) => param(*i),
            Count::Whole(i, n) => Ok(param(*i)? / number(*n)?),
            Count::Rest(i, n) => Ok(param(*i)? % number(*n)?),
        }
    }
}
