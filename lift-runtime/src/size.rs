//! The values of sizes.

use crate::error::{Error, Result};
use crate::spec::{Env, KernelSpec, Size, Variant};

/// The value of a size of `variant`, or an error that names it.
pub(crate) fn of_variant(
    spec: &'static KernelSpec,
    variant: &Variant,
    env: &Env<'_>,
    what: &str,
    size: &Size,
) -> Result<u64> {
    let problem = match env.eval(size) {
        Ok(value) => match u64::try_from(value) {
            Ok(value) => return Ok(value),
            Err(_) => format!("is {value}"),
        },
        Err(fault) => fault.problem().to_string(),
    };
    Err(Error::Size { kernel: &spec.name, what: format!("{what} of variant `{}`", variant.name), problem })
}
