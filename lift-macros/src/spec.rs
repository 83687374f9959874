//! A compiled kernel as data: the text of a `KernelSpec`, and its functions for the host.

use lift_core::describe::describe;
use lift_core::host::Function;
use lift_core::pipeline::Compiled;
use proc_macro2::TokenStream;

use crate::report;
use crate::tuned::Tunings;

/// The text that `KernelSpec::of_text` reads.
pub(crate) fn description(compiled: &Compiled, tunings: &Tunings) -> String {
    let mut spec = describe(compiled);
    tunings.describe(&mut spec);
    spec.to_text()
}

/// The functions for the host: types, and their names, as `__kernel!` takes them.
pub(crate) fn host(compiled: &Compiled) -> String {
    let functions = || compiled.host.iter().flat_map(|version| &version.generated.host);
    let items: String = functions().map(|function| function.text.as_str()).collect();
    let mut text = format!("{{ {items} }}");
    for function in functions() {
        text.push_str(&format!(" {} {:?},", Function::type_name(&function.entry), function.entry));
    }
    text
}

/// The tokens of such a text.
pub(crate) fn host_tokens(text: &str) -> TokenStream {
    let parsed = text.parse::<TokenStream>();
    parsed.unwrap_or_else(|error| {
        report::internal_error(&format!("a function for the host is no Rust: {error}"))
    })
}
