//! The macros of OpenCL texts that the compiler tests and the runtime defines (`-D`), beside those of sizes and tunables.

/// The type of indices and sizes: `int` unless it is defined as `long`.
pub const INDEX: &str = "index_t";

/// Defined where sizes are the last arguments of every kernel function.
pub const SIZES_ARE_ARGUMENTS: &str = "LIFT_SIZES_ARE_ARGUMENTS";

/// Defined where indices that come from data are not checked.
pub const UNCHECKED: &str = "LIFT_UNCHECKED";

/// Defined where duplicates are looked for among the indices of elements that are written.
pub const CLAIMS: &str = "LIFT_CLAIMS";

/// The number of the function that is compiled of those in one [`Case`](crate::Case); cases are counted from 1.
#[must_use]
pub fn case(number: usize) -> String {
    format!("LIFT_CASE_{number}")
}
