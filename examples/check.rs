//! What `--check` prints.

use crate::options::Outcome;

/// Says how far the result is from the host's, relative to the largest expected value; more than `limit` is an error.
pub fn close<F: Into<f64>>(
    found: impl IntoIterator<Item = F>,
    expected: impl IntoIterator<Item = f64>,
    limit: f64,
) -> Outcome {
    let (mut found, mut worst, mut scale) = (found.into_iter(), 0.0_f64, f64::MIN_POSITIVE);
    for expected in expected {
        let Some(found) = found.next() else { return Err("check: the result is too short".into()) };
        let error = (found.into() - expected).abs();
        worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
        scale = scale.max(expected.abs());
    }
    if found.next().is_some() {
        return Err("check: the result is too long".into());
    }
    within("largest error, relative to the largest value", worst / scale, limit)
}

/// Prints a number that must not exceed `limit`.
pub fn within(what: &str, number: f64, limit: f64) -> Outcome {
    if number <= limit {
        println!("check: {what}: {number:.1e}");
        Ok(())
    } else {
        Err(format!("check: {what}: {number:.1e}, more than {limit:.0e}").into())
    }
}
