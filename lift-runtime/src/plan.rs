//! Planning: from the sizes of a launch to all that does not depend on the data.
//!
//! Before: a variant as constant data, and values of the sizes. After: a built program, the bytes of every
//! temporary, and the index space of every launch in it; or the reason why the device cannot run it.

use std::sync::Arc;

use crate::array::elements;
use crate::built::{Built, Checks};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::geometry::{self, IndexSpace};
use crate::host;
use crate::on_host::{self, Passed};
#[cfg(feature = "opencl")]
use crate::program;
#[cfg(feature = "opencl")]
use crate::scalar::ScalarValue;
use crate::size::of_variant;
use crate::solve::Sizes;
#[cfg(feature = "tune")]
use crate::spec::Launch;
use crate::spec::{Count, Env, KernelSpec, Operation, ScalarType, Size, Slot, Variant};

/// A program about which everything is known but the data.
pub(crate) struct Plan {
    pub(crate) spec: &'static KernelSpec,
    pub(crate) variant: &'static Variant,
    pub(crate) built: Arc<Built>,
    /// The sizes that its functions take after all other arguments.
    #[cfg(feature = "opencl")]
    pub(crate) size_args: Vec<ScalarValue>,
    /// The values of the sizes and of the tunables.
    pub(crate) sizes: Vec<i64>,
    pub(crate) tunables: Vec<i64>,
    /// What is done, in order.
    pub(crate) tasks: Vec<Task>,
    /// Bytes of each temporary, never zero.
    pub(crate) temporaries: Vec<usize>,
    /// For each site, the length of the array that is indexed.
    pub(crate) lens: Vec<u64>,
    /// For each site, the extents of the parameter whose elements are the indices; none if they are computed.
    pub(crate) sources: Vec<Vec<usize>>,
    /// For each site, the bytes of its claims, where duplicates are looked for.
    pub(crate) claims: Vec<Option<usize>>,
    /// Whether a function takes a status.
    pub(crate) records: bool,
    /// Whether indices are checked.
    pub(crate) checked: bool,
}

impl Plan {
    /// The values of the tunables, with their names.
    #[cfg(feature = "save")]
    pub(crate) fn named_tunables(&self) -> Vec<(&'static str, i64)> {
        let names = self.variant.tunables.iter().map(|tunable| &*tunable.name);
        names.zip(self.tunables.iter().copied()).collect()
    }

    /// Whether functions that are compiled to Rust only read this parameter, in the whole program.
    pub(crate) fn only_reads(&self, leaf: usize) -> bool {
        only_read(&self.tasks, Slot::Param(leaf))
    }
}

fn only_read(tasks: &[Task], slot: Slot) -> bool {
    tasks.iter().all(|task| match task {
        Task::Launch { args, passed, .. } => {
            // Without functions, nothing is passed.
            args.len() == passed.len()
                && args
                    .iter()
                    .zip(passed)
                    .all(|(it, passed)| *it != slot || matches!(passed, Passed::Read(..)))
        }
        Task::Repeat(_, tasks) => only_read(tasks, slot),
        Task::Leave(_) | Task::Swap(..) => true,
    })
}

/// A step of a program.
pub(crate) enum Task {
    Launch {
        entry: &'static str,
        args: &'static [Slot],
        space: IndexSpace,
        /// On the host, how each argument is passed.
        passed: Vec<Passed>,
    },
    Repeat(Times, Vec<Task>),
    /// The repetition around ends if this temporary is true.
    Leave(usize),
    Swap(usize, usize),
}

/// How often something is repeated.
pub(crate) enum Times {
    Known(u64),
    /// The value of this scalar parameter.
    Param(usize),
    /// The same, divided by a number.
    Whole(usize, u64),
    /// What is left of it then.
    Rest(usize, u64),
}

/// The choices of a launcher.
pub(crate) struct Choice<'a> {
    pub(crate) spec: &'static KernelSpec,
    pub(crate) variant: &'static Variant,
    /// The functions that are compiled to Rust.
    pub(crate) functions: &'static [host::Entry],
    pub(crate) tunables: &'a [i64],
    pub(crate) checks: Checks,
    /// Whether programs are built for the sizes of a launch, if somebody said so.
    #[cfg(feature = "opencl")]
    pub(crate) specialise: Option<bool>,
}

/// The plan of one variant; `params` are the extents of the array parameters.
pub(crate) fn plan(
    choice: &Choice<'_>,
    sizes: &Sizes,
    params: &[Option<&[usize]>],
    device: &Device,
) -> Result<Plan> {
    let Choice { spec, variant, tunables, checks, .. } = *choice;
    let duplicates = checks.duplicates && variant.sites.iter().any(|site| site.distinct);
    let checks = Checks { duplicates, ..checks };
    let bound: Vec<Option<i64>> = sizes.values.iter().copied().map(Some).collect();
    let mut planner = Planner {
        spec,
        variant,
        env: Env { sizes: &bound, tunables },
        device,
        checks,
        params,
        results: &sizes.results,
        temporaries: Vec::new(),
    };
    for temporary in variant.temporaries.iter() {
        planner.temporaries.push(elements(&planner.extents(&temporary.dims)?)?);
    }
    let each = variant.temporaries.iter().zip(&planner.temporaries);
    let temporaries = each.map(|(temporary, count)| bytes(temporary.elem, *count)).collect();
    let mut tasks = planner.tasks(&variant.operations, &mut Vec::new())?;
    #[cfg(feature = "opencl")]
    let (built, size_args) = if device.is_host() {
        (Arc::new(Built::of_functions(spec, variant, choice.functions)?), Vec::new())
    } else {
        program::built(choice, checks, sizes, params, device)?
    };
    #[cfg(not(feature = "opencl"))]
    let built = Arc::new(Built::of_functions(spec, variant, choice.functions)?);
    planner.fit(&mut tasks, &built)?;
    let len = |len: &Size| of_variant(spec, variant, &planner.env, "the length of an array", len);
    let lens: Vec<u64> = variant.sites.iter().map(|site| len(&site.len)).collect::<Result<_>>()?;
    let source = |leaf: usize| params.get(leaf).copied().flatten().unwrap_or(&[]).to_vec();
    let sources = variant.sites.iter().map(|site| site.source.map(source).unwrap_or_default()).collect();
    let claimed = |len: u64| bytes(ScalarType::I32, usize::try_from(len).unwrap_or(usize::MAX));
    let sites = variant.sites.iter().zip(&lens);
    let claims = sites.map(|(site, len)| (duplicates && site.distinct).then(|| claimed(*len))).collect();
    let records = records(&tasks);
    let checked = records && (checks.range || duplicates);
    Ok(Plan {
        spec,
        variant,
        built,
        #[cfg(feature = "opencl")]
        size_args,
        sizes: sizes.values.clone(),
        tunables: tunables.to_vec(),
        tasks,
        temporaries,
        claims,
        lens,
        sources,
        records,
        checked,
    })
}

/// Whether the device has room for the work-groups and the local memory of a variant, as far as that is known before it is built.
#[cfg(feature = "tune")]
pub(crate) fn fits(
    spec: &'static KernelSpec,
    variant: &'static Variant,
    sizes: &[i64],
    tunables: &[i64],
    device: &Device,
) -> bool {
    fn all_fit(operations: &'static [Operation], fits: &impl Fn(&'static Launch) -> bool) -> bool {
        operations.iter().all(|operation| match operation {
            Operation::Launch(launch) => fits(launch),
            Operation::Repeat(_, operations) => all_fit(operations, fits),
            Operation::Leave(_) | Operation::Swap(..) => true,
        })
    }
    let bound: Vec<Option<i64>> = sizes.iter().copied().map(Some).collect();
    let env = Env { sizes: &bound, tunables };
    all_fit(&variant.operations, &|launch| geometry::plan(spec, variant, launch, &env, device).is_ok())
}

/// The bytes of so many elements; room for one where there are none, since no buffer has zero bytes.
pub(crate) fn bytes(elem: ScalarType, count: usize) -> usize {
    count.max(1).saturating_mul(elem.size())
}

/// Whether one of the functions takes a status.
fn records(tasks: &[Task]) -> bool {
    tasks.iter().any(|task| match task {
        Task::Launch { args, .. } => args.contains(&Slot::Status),
        Task::Repeat(_, tasks) => records(tasks),
        Task::Leave(_) | Task::Swap(..) => false,
    })
}

pub(crate) struct Planner<'a> {
    pub(crate) spec: &'static KernelSpec,
    pub(crate) variant: &'static Variant,
    env: Env<'a>,
    device: &'a Device,
    pub(crate) checks: Checks,
    /// The extents of parameters that are arrays.
    params: &'a [Option<&'a [usize]>],
    /// The extents of the leaves of the result.
    results: &'a [Vec<usize>],
    /// How many elements each temporary has.
    temporaries: Vec<usize>,
}

impl Planner<'_> {
    pub(crate) fn size(&self, what: &str, size: &Size) -> Result<u64> {
        of_variant(self.spec, self.variant, &self.env, what, size)
    }

    fn extents(&self, dims: &[Size]) -> Result<Vec<usize>> {
        let extent = |size: &Size| {
            Ok(usize::try_from(self.size("an extent of a temporary", size)?).unwrap_or(usize::MAX))
        };
        dims.iter().map(extent).collect()
    }

    /// How many elements the array has that is passed for a slot, if that is known.
    pub(crate) fn elements(&self, slot: Slot) -> Option<usize> {
        match slot {
            Slot::Param(leaf) => elements(self.params.get(leaf).copied().flatten()?).ok(),
            Slot::Result(leaf) => elements(self.results.get(leaf)?).ok(),
            Slot::Temporary(index) => self.temporaries.get(index).copied(),
            Slot::Status | Slot::Claims(_) => None,
        }
    }

    /// Whether a slot is an array with elements which this program has to write.
    fn must_be_written(&self, slot: Slot) -> bool {
        // Others are there already.
        let is_new = matches!(slot, Slot::Result(_) | Slot::Temporary(_));
        is_new && self.elements(slot).is_some_and(|count| count > 0)
    }

    /// What is done. Launches without work-items are left out: what they would write has no elements, or was written before and
    /// stays. `written` is what was.
    fn tasks(&self, operations: &'static [Operation], written: &mut Vec<Slot>) -> Result<Vec<Task>> {
        let mut tasks = Vec::new();
        for operation in operations {
            match operation {
                Operation::Launch(launch) => {
                    let space = geometry::plan(self.spec, self.variant, launch, &self.env, self.device)?;
                    if !space.is_empty() {
                        let is_host = self.device.is_host();
                        tasks.push(Task::Launch {
                            entry: &launch.entry,
                            args: if is_host { &launch.args } else { self.args(&launch.args) },
                            space,
                            passed: if is_host { on_host::passed(self, launch)? } else { Vec::new() },
                        });
                        written.extend_from_slice(&launch.args);
                    } else if launch
                        .args
                        .iter()
                        .any(|slot| self.must_be_written(*slot) && !written.contains(slot))
                    {
                        let variant = &*self.variant.name;
                        let what = format!("the index space of `{}` of variant `{variant}`", launch.entry);
                        let problem = "is empty, although what it writes has elements".to_string();
                        return Err(Error::Size { kernel: &self.spec.name, what, problem });
                    }
                }
                Operation::Repeat(count, operations) => {
                    let times = match count {
                        Count::Size(size) => Times::Known(self.size("a number of repetitions", size)?),
                        Count::Param(leaf) => Times::Param(*leaf),
                        Count::Whole(leaf, n) => Times::Whole(*leaf, *n),
                        Count::Rest(leaf, n) => Times::Rest(*leaf, *n),
                    };
                    tasks.push(Task::Repeat(times, self.tasks(operations, written)?));
                }
                Operation::Leave(flag) => tasks.push(Task::Leave(*flag)),
                Operation::Swap(a, b) => tasks.push(Task::Swap(*a, *b)),
            }
        }
        Ok(tasks)
    }

    /// The arguments that are passed: claims, and what comes after them, only where duplicates are looked for.
    fn args(&self, args: &'static [Slot]) -> &'static [Slot] {
        let claims = args.iter().position(|slot| matches!(slot, Slot::Claims(_)));
        match claims.filter(|_| !self.checks.duplicates) {
            Some(first) => &args[..first],
            None => args,
        }
    }

    /// Adapts work-groups to what the built functions allow.
    fn fit(&self, tasks: &mut [Task], built: &Built) -> Result<()> {
        for task in tasks {
            match task {
                Task::Launch { entry, space, .. } => {
                    // Every entry was built.
                    let limit = built.entry(entry).map_or(1, |entry| entry.max_work_group_size);
                    *space = space.clone().fit(limit, self.spec, self.variant, self.device)?;
                }
                Task::Repeat(_, tasks) => self.fit(tasks, built)?,
                Task::Leave(_) | Task::Swap(..) => {}
            }
        }
        Ok(())
    }
}
