//! The index space of a launch: how many work-items in which work-groups.
//!
//! A kernel with one work-item per element leaves the shape of the groups to this module. One that shares
//! local memory prescribes it; this module then only checks that the device can do it. On the host, each work-item is a group of its
//! own, so that nothing is rounded up.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::size::of_variant;
use crate::spec::{Env, Geometry, KernelSpec, Launch, Variant, limits};

/// Bounds of indices count on no wider groups.
const MOST_ITEMS: usize = limits::ITEMS_OF_CHOSEN_GROUP as usize;

/// What a launch asks of the device. Dimension 0 comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexSpace {
    /// Work-items in each dimension, a multiple of `local`.
    pub(crate) global: Vec<usize>,
    /// Work-items of one group in each dimension.
    pub(crate) local: Vec<usize>,
    /// For groups this module may choose: the number of items that are really needed.
    items: Option<Vec<usize>>,
}

/// What a device allows; apart from [`Device`] so that tests can make one up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub(crate) is_gpu: bool,
    pub(crate) group: usize,
    pub(crate) items: &'a [usize],
}

impl<'a> Limits<'a> {
    pub(crate) fn of(device: &'a Device) -> Limits<'a> {
        let (is_gpu, group) = (device.is_gpu(), device.max_work_group_size());
        Limits { is_gpu, group, items: device.max_work_item_sizes() }
    }

    fn allow(&self, local: &[usize]) -> bool {
        let product = local.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent));
        product.is_some_and(|product| product <= self.group)
            && local.iter().enumerate().all(|(dimension, &extent)| extent <= self.item_limit(dimension))
    }

    fn item_limit(&self, dimension: usize) -> usize {
        self.items.get(dimension).copied().unwrap_or(1).max(1)
    }
}

/// The index space of a launch, after checking that the device has room for its groups and local memory.
pub(crate) fn plan(
    spec: &'static KernelSpec,
    variant: &'static Variant,
    launch: &'static Launch,
    env: &Env<'_>,
    device: &Device,
) -> Result<IndexSpace> {
    let needed = of_variant(spec, variant, env, "the local memory", &launch.local_bytes)?;
    let limit = device.local_mem_bytes();
    if needed > limit {
        let (kernel, variant, device) = (&*spec.name, &*variant.name, device.label().to_string());
        return Err(Error::TooManyLocalBytes { kernel, variant, device, needed, limit });
    }
    let values = |what: &str, sizes: &[crate::spec::Size]| {
        let each = sizes.iter().map(|size| of_variant(spec, variant, env, what, size));
        each.map(|value| Ok(usize::try_from(value?).unwrap_or(usize::MAX))).collect::<Result<Vec<_>>>()
    };
    let problem = |what: &str, problem: &str| Error::Size {
        kernel: &spec.name,
        what: format!("{what} of variant `{}`", variant.name),
        problem: problem.to_string(),
    };
    let limits = Limits::of(device);
    let space = match &launch.geometry {
        Geometry::Items(sizes) => {
            let items = values("the index space", sizes)?;
            let local = choose(&items, &limits);
            let global = round_up(&items, &local);
            let global = global.ok_or_else(|| problem("the index space", "does not fit the host's words"))?;
            IndexSpace { global, local, items: Some(items) }
        }
        Geometry::Groups { groups, local } => {
            let (groups, local) =
                (values("the number of work-groups", groups)?, values("the work-group", local)?);
            if !limits.allow(&local) {
                return Err(too_large(spec, variant, device, local, limits.group));
            }
            let global = groups.iter().zip(&local).map(|(count, extent)| count.checked_mul(*extent));
            let global = global.collect::<Option<Vec<_>>>();
            let global = global.ok_or_else(|| problem("the index space", "does not fit the host's words"))?;
            IndexSpace { global, local, items: None }
        }
    };
    Ok(space)
}

impl IndexSpace {
    /// Whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.global.contains(&0)
    }

    /// Adapts to a kernel that can only run in groups of `limit` items, because of the registers it needs.
    pub(crate) fn fit(
        mut self,
        limit: usize,
        spec: &'static KernelSpec,
        variant: &'static Variant,
        device: &Device,
    ) -> Result<IndexSpace> {
        if self.local.iter().product::<usize>() <= limit {
            return Ok(self);
        }
        let Some(items) = &self.items else {
            return Err(too_large(spec, variant, device, self.local, limit));
        };
        shrink(&mut self.local, &Limits { group: limit.max(1), ..Limits::of(device) });
        if let Some(global) = round_up(items, &self.local) {
            self.global = global;
        }
        Ok(self)
    }
}

fn too_large(
    spec: &'static KernelSpec,
    variant: &'static Variant,
    device: &Device,
    needed: Vec<usize>,
    limit: usize,
) -> Error {
    Error::WorkGroupTooLarge {
        kernel: &spec.name,
        variant: &variant.name,
        device: device.label().to_string(),
        item_limits: device.max_work_item_sizes().iter().copied().take(needed.len()).collect(),
        needed,
        limit,
    }
}

/// A group shape for this many items, in powers of two. On a GPU, it has 256 items, and is wide in dimension 0, along which neighbours lie
/// together in memory, unless a dimension is short. On a CPU, it has up to 256 in dimension 0 only, which its compiler turns into a
/// vector loop. No dimension is wider than its items need.
pub(crate) fn choose(items: &[usize], limits: &Limits<'_>) -> Vec<usize> {
    let wanted: &[usize] = match (limits.is_gpu, items.len()) {
        (true, 2) => &[32, 8],
        (true, 3) => &[32, 4, 2],
        _ => &[MOST_ITEMS],
    };
    let width = |dimension: usize| wanted.get(dimension).copied().unwrap_or(1);
    let needed = |dimension: usize| items[dimension].checked_next_power_of_two().unwrap_or(usize::MAX);
    let mut local: Vec<usize> =
        (0..items.len()).map(|dimension| width(dimension).min(needed(dimension))).collect();
    // What a short dimension leaves, others take: small groups leave a GPU idle.
    for dimension in (0..items.len()).filter(|_| limits.is_gpu) {
        while local.iter().product::<usize>() < MOST_ITEMS && local[dimension] < needed(dimension) {
            local[dimension] *= 2;
        }
    }
    shrink(&mut local, limits);
    local
}

/// Halves the last dimension that can be halved until the device allows the group.
fn shrink(local: &mut [usize], limits: &Limits<'_>) {
    for (dimension, extent) in local.iter_mut().enumerate() {
        while *extent > limits.item_limit(dimension) {
            *extent /= 2;
        }
    }
    while !limits.allow(local) {
        match local.iter_mut().rev().find(|extent| **extent > 1) {
            Some(extent) => *extent /= 2,
            None => return,
        }
    }
}

fn round_up(items: &[usize], local: &[usize]) -> Option<Vec<usize>> {
    items.iter().zip(local).map(|(&items, &local)| items.checked_next_multiple_of(local)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: Limits<'_> = Limits { is_gpu: false, group: 1, items: &[1, 1, 1] };
    const GPU: Limits<'_> = Limits { is_gpu: true, group: 1024, items: &[1024, 1024, 64] };
    const CPU: Limits<'_> = Limits { is_gpu: false, group: 4096, items: &[4096, 4096, 4096] };

    #[test]
    fn gpu_groups_are_256_items() {
        assert_eq!(choose(&[100_000], &GPU), [256]);
        assert_eq!(choose(&[1000, 1000], &GPU), [32, 8]);
        assert_eq!(choose(&[100, 100, 100], &GPU), [32, 4, 2]);
    }

    #[test]
    fn cpu_groups_are_rows() {
        assert_eq!(choose(&[100_000], &CPU), [256]);
        assert_eq!(choose(&[1000, 1000], &CPU), [256, 1]);
        assert_eq!(choose(&[100, 9, 9], &CPU), [128, 1, 1]);
    }

    /// Bounds of indices count on it.
    #[test]
    fn few_items_are_too_many() {
        for limits in [&GPU, &CPU] {
            for n in 1..2000 {
                for items in [vec![n], vec![n, 7 * n], vec![n, 3, n]] {
                    let all = round_up(&items, &choose(&items, limits)).unwrap();
                    assert!(
                        all.iter().zip(&items).all(|(all, n)| *all < n + MOST_ITEMS.min(*n)),
                        "{items:?} {all:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_host_has_exactly_the_items() {
        assert_eq!(choose(&[1000], &HOST), [1]);
        assert_eq!(round_up(&[1001], &choose(&[1001], &HOST)), Some(vec![1001]));
    }

    #[test]
    fn groups_are_no_wider_than_needed() {
        assert_eq!(choose(&[1], &CPU), [1]);
        assert_eq!(choose(&[3, 1000], &GPU), [4, 64]);
        assert_eq!(choose(&[1000, 1], &GPU), [256, 1]);
        assert_eq!(choose(&[3, 5, 1000], &GPU), [4, 8, 8]);
        assert_eq!(choose(&[3, 5], &GPU), [4, 8]);
        assert_eq!(choose(&[0], &GPU), [1]);
    }

    #[test]
    fn device_limits_are_respected() {
        let tiny = Limits { is_gpu: true, group: 64, items: &[16, 16, 16] };
        assert_eq!(choose(&[1000, 1000], &tiny), [16, 4]);
        assert_eq!(choose(&[1000], &Limits { is_gpu: true, group: 1, items: &[] }), [1]);
        assert_eq!(choose(&[1000], &Limits { is_gpu: true, group: 100, items: &[100] }), [64]);
    }

    #[test]
    fn index_spaces_are_whole_groups() {
        assert_eq!(round_up(&[1000, 7], &[32, 8]), Some(vec![1024, 8]));
        assert_eq!(round_up(&[usize::MAX], &[2]), None);
    }
}
