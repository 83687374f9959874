//! A compiled kernel as constant data: the tokens of a `KernelSpec`.

use lift_core::describe::describe;
use lift_core::host::Function;
use lift_core::pipeline::Compiled;
use lift_spec::Constant as _;
use proc_macro2::TokenStream;
use quote::quote;

use crate::report;
use crate::runtime::Runtime;
use crate::tuned::Tunings;

/// The constant expression of type `KernelSpec`, in the names of `lift_spec::constant`.
pub(crate) fn description(compiled: &Compiled, tunings: &Tunings) -> String {
    let mut spec = describe(compiled);
    tunings.describe(&mut spec);
    spec.expression()
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

/// The tokens of such an expression.
pub(crate) fn constant(description: &str) -> TokenStream {
    match description.parse::<TokenStream>() {
        // The names are those of the contract, whatever the user calls by them.
        Ok(expression) => quote!({
            use #Runtime::spec::constant::*;
            #expression
        }),
        Err(error) => report::internal_error(&format!("the description of a kernel is no Rust: {error}")),
    }
}
