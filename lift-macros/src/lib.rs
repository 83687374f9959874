//! The macro `lift!`. Users get it from `lift-kernels`, which documents it.
//!
//! This crate turns tokens into tokens: the compiler in `lift-core` does the work, `spec` writes its result
//! down as constant data, `cache` keeps that for later builds, `expand` puts a typed launcher around it, `report` shows mistakes, and `fallback`
//! keeps the rest of the user's crate compiling when there are some.

#![forbid(unsafe_code)]
#![warn(clippy::too_many_lines)]

mod border;
mod cache;
mod dump;
mod editor;
mod expand;
mod fallback;
mod instances;
mod optimised;
mod report;
mod runtime;
mod rust_fn;
mod signature;
mod spec;
mod steps;
mod struct_item;
mod tuned;
mod warnings;

#[cfg(test)]
mod tests;

use std::path::Path;

use proc_macro::TokenStream;

/// Compiles expressions over arrays to OpenCL kernels while the crate is built; see the documentation of
/// `lift-kernels`.
#[proc_macro]
pub fn lift(input: TokenStream) -> TokenStream {
    let input = runtime::facade(input.into());
    // A bug of the compiler must not look like a mistake of the user.
    let result = std::panic::catch_unwind(|| match editor::is_editor() {
        true => editor::expand(input.clone()),
        false => expand::expand(input.clone(), Some(Path::new(env!("OUT_DIR")))),
    });
    match result {
        Ok(tokens) => tokens.into(),
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("unknown cause");
            fallback::named_launchers(input, report::internal_error(text)).into()
        }
    }
}
