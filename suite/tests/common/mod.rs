//! What the tests share: awkward sizes, and running every version of a kernel.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::sync::LazyLock;

use lift::{Device, Kernel};
use lift_suite::check::{Bound, Element, compare, device, variants};
use ndarray::{Array, Dimension};

/// Rows and columns.
pub type Plane = (usize, usize);

/// Planes, rows and columns.
pub type Volume = (usize, usize, usize);

/// Fewer points than any neighbourhood has, and more than one tile of primes.
pub const PLANES: [Plane; 2] = [(1, 3), (41, 67)];

/// A single point, and more than one tile of odd extents.
pub const VOLUMES: [Volume; 2] = [(1, 1, 1), (5, 11, 37)];

/// Two tests for each workload: at sizes that are small and awkward, and at those of the papers.
#[macro_export]
macro_rules! workloads {
    ($($workload:ident: $small:expr, $large:expr;)*) => {
        mod small {
            $(
                #[test]
                fn $workload() {
                    #[allow(unused_imports, reason = "sizes may be written out")]
                    use super::*;
                    $small.into_iter().for_each(super::$workload);
                }
            )*
        }

        mod large {
            $(
                #[test]
                #[ignore = "large: cargo test --release -p lift-suite large -- --ignored"]
                fn $workload() {
                    #[allow(unused_imports, reason = "sizes may be written out")]
                    use super::*;
                    $large.into_iter().for_each(super::$workload);
                }
            )*
        }
    };
}

static DEVICE: LazyLock<Device> =
    LazyLock::new(|| device().unwrap_or_else(|e| panic!("the tests need an OpenCL device: {e}")));

/// The result of every version of the kernel, with the version's name.
pub fn runs<K: Kernel, R>(run: impl Fn(&K) -> lift::Result<R>) -> Vec<(String, R)> {
    let versions = variants::<K>(&DEVICE).expect("a launcher");
    let named = |(variant, kernel)| {
        let name = format!("{} ({variant})", K::SPEC.name);
        let result = run(&kernel).unwrap_or_else(|e| panic!("{name}: {e}"));
        (name, result)
    };
    versions.into_iter().map(named).collect()
}

/// Every version of the kernel computes what is expected.
pub fn agree<K: Kernel, T: Element, D: Dimension>(
    run: impl Fn(&K) -> lift::Result<Array<T, D>>,
    expected: &Array<f64, D>,
    bound: Bound,
) {
    for (name, found) in runs(run) {
        compare(&found, expected, bound)
            .unwrap_or_else(|e| panic!("{name}, shape {:?}: {e}", expected.shape()));
    }
}

/// Roundings on the longest path of a sum of `n` terms in any sensible order: one after the other if they are few, and
/// in parallel parts if they are many.
pub fn unordered(n: usize) -> usize {
    n.min(1 << 16)
}
