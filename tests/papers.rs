//! The programs that the papers print, in their notation, on a device, against loops on the host.
//!
//! Each file begins with the paper's name. Where a listing says how something runs (`mapGlobal`, `toPrivate`,
//! `mapseqslide`), the algorithmic primitive stands here: how it runs is derived. `o` and `◦` are `.`.

#[path = "papers/acoustics.rs"]
mod acoustics;
#[path = "papers/stencils.rs"]
mod stencils;
#[path = "papers/tiling.rs"]
mod tiling;
#[path = "papers/walls.rs"]
mod walls;

use lift::ndarray::{Array, Array3, Dimension, ShapeBuilder};

/// Random numbers between -1 and 1.
fn random<D: Dimension, S: ShapeBuilder<Dim = D>>(shape: S, seed: u64) -> Array<f32, D> {
    let mut data = common::Data::new(seed);
    Array::from_shape_simple_fn(shape, || data.f32())
}

/// The same up to rounding.
#[track_caller]
fn assert_close<D: Dimension>(found: &Array<f32, D>, expected: &Array<f64, D>) {
    assert_eq!(found.shape(), expected.shape());
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        assert!((f64::from(*f) - e).abs() <= 1e-5 * scale, "element {i}: {f} instead of {e}");
    }
}

/// Runs every version of a kernel; all must agree with the expected result.
macro_rules! every_version {
    ($kernel:ident($($arg:expr),*), $expected:expr) => {{
        let launcher = $kernel::on(&common::device()).expect("a launcher");
        for variant in $kernel::VARIANTS {
            let launcher = launcher.variant(&variant.name).expect("the variant");
            crate::assert_close(&launcher.run($($arg),*).expect("a result"), $expected);
        }
    }};
}
use every_version;

/// The sum of the six neighbours of a point.
fn six(grid: &Array3<f32>, [z, y, x]: [usize; 3]) -> f64 {
    let at = |z: usize, y: usize, x: usize| f64::from(grid[[z, y, x]]);
    at(z - 1, y, x) + at(z + 1, y, x) + at(z, y - 1, x) + at(z, y + 1, x) + at(z, y, x - 1) + at(z, y, x + 1)
}
