//! What a kernel becomes, for tests.

/// The text of the functions of a kernel in the version `loops`, which comes last.
pub(super) fn text(kernel: &str) -> String {
    let kernels = crate::pipeline::compile(kernel.parse().expect("tokens")).kernels;
    let version = kernels.first().and_then(|kernel| kernel.host.last()).expect("a version for the host");
    version.generated.host.iter().map(|function| function.text.as_str()).collect()
}
