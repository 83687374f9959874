//! What editors find for the tokens in a macro call: the same tokens again, as Rust that is never compiled.
//!
//! An editor knows what a token means by what the macro makes of it. A launcher has only the names of the kernel and of its parameters. So in an
//! editor the expansion starts with an echo: the user's functions with their bodies, in which primitives are items of `lift::language`, documented,
//! and arrays are values that have them as methods. It is made of the tokens alone, so that a half-typed program has one, too, and so that it is the
//! same with and without the name that editors put where they are asked for completions. Only its end depends on what the type checker says.

mod echo;
mod names;
mod sites;
mod tokens;
mod types;

use std::collections::HashMap;

use lift_core::pipeline::Checked;
use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::cache::Described;
use crate::expand;
use crate::runtime::Language;

/// Whether an editor asks: rust-analyzer runs macros in a process of its own.
pub(crate) fn is_editor() -> bool {
    let process = std::env::current_exe().ok();
    let name = process.as_deref().and_then(|path| path.file_stem()?.to_str());
    name.is_some_and(|name| name.starts_with("rust-analyzer"))
}

/// What a macro call is for an editor: the echo and the launchers, which have no versions.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let echo = echo::echo(&input);
    let checked = Checked::of(input.clone());
    // A span is known by how it is printed.
    let key = |span: Span| format!("{span:?}");
    let mut types = HashMap::new();
    for pattern in &checked.patterns {
        types.entry(key(checked.spans.range(pattern.span).0)).or_insert(&pattern.ty);
    }
    let mut lengths = echo.sites.lengths;
    let is_right = !checked.has_errors();
    let types = echo.sites.first.iter().enumerate().map(|(i, first)| {
        let (name, conversion) = (sites::name(i), sites::conversion(i));
        let known = first.and_then(|first| types.get(&key(first))).map(|ty| lengths.of(ty));
        let given = quote!(pub fn #conversion<T>(value: T) -> T { value });
        let made = quote!(pub use self::is as #conversion;);
        match known {
            Some(of) => quote!(pub type #name<T> = #of; #made),
            // A function, or a variable of a helper that nobody calls.
            None if is_right => quote!(pub type #name<T> = T; #given),
            // Of a half-typed program too, there are completions.
            None => quote!(pub type #name<T> = Array<_, _>; #made),
        }
    });
    let (types, items) = (types.collect::<TokenStream>(), echo.items);
    let lengths = lengths.definitions();
    let echo = quote! {
        #[allow(dead_code, unused, non_upper_case_globals, non_camel_case_types, non_snake_case, clippy::all)]
        const _: () = {
            use #Language::*;
            type Written<T, W> = T;
            unsafe extern "C" {
                safe fn at_launch() -> usize;
                safe fn is<T, U>(value: T) -> U;
                safe fn array_of<T, U, N>(value: T) -> Array<U, N>;
            }
            impl<T, N> ::core::ops::Index<usize> for Array<T, N> {
                type Output = T;
                fn index(&self, _: usize) -> &T { loop {} }
            }
            #items
            mod types {
                use super::*;
                use #Language::*;
                #lengths
                mod types { pub use super::lengths; }
                unsafe extern "C" {
                    pub safe fn is<T, U>(value: T) -> U;
                }
                #types
            }
        };
    };
    let kernels = checked.kernels.clone();
    let compilation = checked.compile(|_| false);
    let described = match is_right {
        true => kernels.into_iter().map(Described::without_versions).collect(),
        false => Vec::new(),
    };
    expand::emit(input, echo, &compilation, &described)
}
