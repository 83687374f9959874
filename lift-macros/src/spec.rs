//! A compiled kernel as constant data: the tokens of a `KernelSpec`.

use lift_core::describe::describe;
use lift_core::pipeline::Compiled;
use lift_spec::Constant as _;
use proc_macro2::TokenStream;
use quote::quote;

use crate::report;
use crate::runtime::Runtime;

/// The constant expression of type `KernelSpec`, in the names of `lift_spec::constant`.
pub(crate) fn description(compiled: &Compiled) -> String {
    describe(compiled).expression()
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
