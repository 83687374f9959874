//! Whether a program is built for the sizes of a launch, or for all sizes.
//!
//! A program whose sizes are constants is faster by nothing up to a third (divisions by a size most of all), and takes up to a second to
//! build. So programs are built for some sizes:
//!
//! - the first sizes of a kernel, since most programs have no others;
//! - sizes at which the elements of all launches together are many.
//!
//! Other sizes share one program.

use std::collections::HashMap;

use crate::program::BuildKey;

/// After so many elements of arguments and results, sizes are built for: some tenths of a second on a CPU, about what the build takes.
const WORTH_A_BUILD: usize = 1 << 28;

/// So many sizes of a kernel are remembered; one that comes at ever new sizes must not grow for ever.
const CAPACITY: usize = 256;

/// Which sizes came how often, for every program that takes sizes.
#[derive(Default)]
pub(crate) struct History(HashMap<BuildKey, Kernel>);

#[derive(Default)]
struct Kernel {
    /// The sizes of the first launch.
    first: Vec<i64>,
    /// For other sizes, the elements of all launches so far.
    elements: HashMap<Vec<i64>, usize>,
}

impl History {
    /// Notes a launch of a program at these sizes, with so many elements in all arguments and results, and says whether it should be built
    /// for these.
    pub(crate) fn specialises(&mut self, program: &BuildKey, sizes: &[i64], elements: usize) -> bool {
        let Some(kernel) = self.0.get_mut(program) else {
            if self.0.len() >= CAPACITY {
                self.0.clear();
            }
            let first = Kernel { first: sizes.to_vec(), elements: HashMap::new() };
            self.0.insert(program.clone(), first);
            return true;
        };
        if kernel.first == sizes {
            return true;
        }
        if kernel.elements.len() >= CAPACITY && !kernel.elements.contains_key(sizes) {
            kernel.elements.clear();
        }
        let all = kernel.elements.entry(sizes.to_vec()).or_default();
        *all = all.saturating_add(elements);
        *all >= WORTH_A_BUILD
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::KernelSpec;

    #[test]
    fn first_sizes_and_busy_ones_are_built_for() {
        static SPEC: KernelSpec = KernelSpec::INVALID;
        let key = |tunables: &[i64]| BuildKey::new(&SPEC, &SPEC.variants[0], &[], tunables).for_all_sizes();
        let mut history = History::default();
        assert!(history.specialises(&key(&[]), &[64], 1));
        assert!(history.specialises(&key(&[]), &[64], 1));
        assert!(!history.specialises(&key(&[]), &[32], 1));
        // Another program, which has its own first sizes.
        assert!(history.specialises(&key(&[1]), &[32], 1));
        assert!(!history.specialises(&key(&[]), &[16], WORTH_A_BUILD / 2));
        assert!(!history.specialises(&key(&[]), &[32], WORTH_A_BUILD / 2));
        assert!(history.specialises(&key(&[]), &[16], WORTH_A_BUILD / 2));
        for n in 0..1000 {
            assert!(!history.specialises(&key(&[]), &[100 + n], 1));
        }
        assert!(history.specialises(&key(&[]), &[64], 1));
    }
}
