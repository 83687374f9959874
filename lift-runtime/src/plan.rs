//! Planning: from the sizes of a launch to all that does not depend on the data.
//!
//! Before: a variant as constant data, and values of the sizes. After: a built program, the bytes of every
//! temporary, and the index space of every launch in it; or the reason why the device cannot run it.

use std::sync::Arc;

use crate::array::elements;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::geometry::{self, IndexSpace};
use crate::program::{BuildKey, Built, Checks};
use crate::scalar::ScalarValue;
use crate::size::of_variant;
use crate::solve::Sizes;
use crate::spec::{Count, Env, KernelSpec, Operation, ScalarType, Size, Slot, Variant};

/// A program about which everything is known but the data.
pub(crate) struct Plan {
    pub(crate) spec: &'static KernelSpec,
    pub(crate) variant: &'static Variant,
    pub(crate) built: Arc<Built>,
    /// The sizes that its functions take after all other arguments.
    pub(crate) size_args: Vec<ScalarValue>,
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

/// A step of a program.
pub(crate) enum Task {
    Launch { entry: &'static str, args: &'static [Slot], space: IndexSpace },
    Repeat(Times, Vec<Task>),
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
    pub(crate) tunables: &'a [i64],
    pub(crate) checks: Checks,
    /// Whether programs are built for the sizes of a launch, if somebody said so.
    pub(crate) specialise: Option<bool>,
}

/// The plan of one variant; `params` are the extents of the array parameters.
pub(crate) fn plan(
    choice: &Choice<'_>,
    sizes: &Sizes,
    params: &[Option<&[usize]>],
    device: &Device,
) -> Result<Plan> {
    let Choice { spec, variant, tunables, checks, specialise } = *choice;
    let duplicates = checks.duplicates && variant.sites.iter().any(|site| site.distinct);
    let checks = Checks { duplicates, ..checks };
    let bound: Vec<Option<i64>> = sizes.values.iter().copied().map(Some).collect();
    let planner = Planner { spec, variant, env: Env { sizes: &bound, tunables }, device, checks };
    let mut temporaries = Vec::new();
    let mut empty = Vec::new();
    for temporary in variant.temporaries.iter() {
        let extents = planner.extents(&temporary.dims)?;
        let count = elements(&extents)?;
        empty.push(count == 0);
        temporaries.push(bytes(temporary.elem, count));
    }
    let has_elements = |slot: &Slot| match *slot {
        Slot::Result(leaf) => sizes.results.get(leaf).is_some_and(|extents| !extents.contains(&0)),
        Slot::Temporary(index) => empty.get(index).is_some_and(|empty| !empty),
        // It is there already.
        Slot::Param(_) | Slot::Status | Slot::Claims(_) => false,
    };
    let mut tasks = planner.tasks(&variant.operations, &has_elements, &mut Vec::new())?;
    let key = BuildKey::new(spec, variant, &sizes.values, tunables).checks(checks);
    let general = key.clone().for_all_sizes();
    let specialised = !variant.takes_sizes
        || specialise.unwrap_or_else(|| {
            let extents = sizes.results.iter().map(Vec::as_slice).chain(params.iter().copied().flatten());
            let work = extents.filter_map(|extents| elements(extents).ok()).fold(0, usize::saturating_add);
            crate::lock(&device.programs().history).specialises(&general, &sizes.values, work)
        });
    let key = if specialised { key } else { general };
    let size_args = key.arguments(&sizes.values);
    let built = device.programs().get(key, device, spec, variant)?;
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
    Ok(Plan { spec, variant, built, size_args, tasks, temporaries, claims, lens, sources, records, checked })
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
        Task::Swap(..) => false,
    })
}

struct Planner<'a> {
    spec: &'static KernelSpec,
    variant: &'static Variant,
    env: Env<'a>,
    device: &'a Device,
    checks: Checks,
}

impl Planner<'_> {
    fn size(&self, what: &str, size: &Size) -> Result<u64> {
        of_variant(self.spec, self.variant, &self.env, what, size)
    }

    fn extents(&self, dims: &[Size]) -> Result<Vec<usize>> {
        let extent = |size: &Size| {
            Ok(usize::try_from(self.size("an extent of a temporary", size)?).unwrap_or(usize::MAX))
        };
        dims.iter().map(extent).collect()
    }

    /// What is done. Launches without work-items are left out: what they would write has no elements, or was written before and
    /// stays. `written` is what was.
    fn tasks(
        &self,
        operations: &'static [Operation],
        has_elements: &dyn Fn(&Slot) -> bool,
        written: &mut Vec<Slot>,
    ) -> Result<Vec<Task>> {
        let mut tasks = Vec::new();
        for operation in operations {
            match operation {
                Operation::Launch(launch) => {
                    let space = geometry::plan(self.spec, self.variant, launch, &self.env, self.device)?;
                    if !space.is_empty() {
                        tasks.push(Task::Launch {
                            entry: &launch.entry,
                            args: self.args(&launch.args),
                            space,
                        });
                        written.extend_from_slice(&launch.args);
                    } else if launch.args.iter().any(|slot| has_elements(slot) && !written.contains(slot)) {
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
                    tasks.push(Task::Repeat(times, self.tasks(operations, has_elements, written)?));
                }
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
                Task::Swap(..) => {}
            }
        }
        Ok(())
    }
}
