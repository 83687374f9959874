//! Comparison of what a device computes with the definition in double precision.

use lift::{Device, Kernel, Launcher};
use ndarray::{Array, Dimension};

/// How far a result may be from the definition: so many roundings, each relative to this magnitude.
///
/// A sum of n products has an error of at most γₙ·Σ|aᵢ·bᵢ| in any order of summation, with γₙ = n·u / (1 - n·u) and the
/// unit roundoff u, half of the type's epsilon (Higham, *Accuracy and Stability of Numerical Algorithms*, §3.1).
/// So the magnitude is a bound of Σ|terms|, not of the result, which may cancel. An operator counts as one rounding
/// on its path, a constant that is not a binary fraction as one more. OpenCL allows 2.5 units in the last place for a
/// division, 3 for `sqrt`, `exp` and `log`, and 4 for `sin` and `cos`: 5, 6 and 8 roundings.
#[derive(Debug, Clone, Copy)]
pub struct Bound {
    /// Roundings on the longest path from an input to the result.
    pub roundings: usize,
    /// An upper bound of the sum of the magnitudes of all terms.
    pub magnitude: f64,
}

impl Bound {
    /// So many roundings of terms whose magnitudes add up to this.
    pub fn new(roundings: usize, magnitude: f64) -> Bound {
        Bound { roundings, magnitude }
    }

    /// The result is exact.
    pub const EXACT: Bound = Bound { roundings: 0, magnitude: 0.0 };

    fn absolute(self, unit_roundoff: f64) -> f64 {
        let n = self.roundings as f64 * unit_roundoff;
        n / (1.0 - n) * self.magnitude
    }
}

/// What a device computes with.
pub trait Element: Copy + Into<f64> {
    /// The largest relative error of one rounding.
    const UNIT_ROUNDOFF: f64;
}

impl Element for f32 {
    const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
}

impl Element for f64 {
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
}

impl Element for i32 {
    const UNIT_ROUNDOFF: f64 = 0.0;
}

/// The first element that is further from the definition than the bound allows.
///
/// # Errors
///
/// A text that says which, or that the shapes differ.
pub fn compare<T: Element, D: Dimension>(
    found: &Array<T, D>,
    expected: &Array<f64, D>,
    bound: Bound,
) -> Result<(), String> {
    if found.shape() != expected.shape() {
        return Err(format!("the shape is {:?}, expected {:?}", found.shape(), expected.shape()));
    }
    let allowed = bound.absolute(T::UNIT_ROUNDOFF);
    for ((place, &wanted), &got) in expected.indexed_iter().zip(found) {
        let got: f64 = got.into();
        let error = (got - wanted).abs();
        if error.is_nan() || error > allowed {
            return Err(format!("{got} at {place:?}, expected {wanted} ± {allowed:e}"));
        }
    }
    Ok(())
}

/// The device of the tests: PoCL, or what `LIFT_DEVICE` says.
///
/// # Errors
///
/// When there is none.
pub fn device() -> lift::Result<Device> {
    Device::find(&std::env::var("LIFT_DEVICE").unwrap_or_else(|_| "pocl".into()))
}

/// Every version of a kernel on this device, with its name: the first is built for the sizes that it meets, the others once for all,
/// since drivers take their time for each.
///
/// # Errors
///
/// When the device cannot be opened.
pub fn variants<K: Kernel>(device: &Device) -> lift::Result<Vec<(&'static str, K)>> {
    let launcher = Launcher::of::<K>(device)?;
    let variant = |(i, name)| {
        let version = launcher.variant(name)?;
        Ok((name, K::from_launcher(if i == 0 { version } else { version.specialise(false) })))
    };
    launcher.variant_names().into_iter().enumerate().map(variant).collect()
}
