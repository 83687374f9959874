//! The launchers of a kernel with `#[types(..)]` under one name: `Blur::<f32>` is the launcher `BlurF32`.

use lift_core::ir::Scalar;
use lift_core::syntax::ast::{Block, Function};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::expand::{conditions, element, safe_ident};
use crate::runtime::Runtime;

/// The user's name of the kernel.
fn name(function: &Function) -> Ident {
    function.surface.ident.clone().unwrap_or_else(|| safe_ident(&function.name.name))
}

/// The name of the launcher of this kernel: with `T = f32`, `BlurF32`.
pub(crate) fn launcher_name(function: &Function) -> Ident {
    let name = name(function);
    let suffix: String = function.instance.iter().map(|(_, scalar)| capitalised(*scalar)).collect();
    if suffix.is_empty() { name } else { format_ident!("{name}{suffix}") }
}

fn capitalised(scalar: Scalar) -> String {
    let mut letters = scalar.name().chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The generic names of all kernels that have instances.
pub(crate) fn aliases(block: &Block) -> TokenStream {
    let mut aliases = TokenStream::new();
    let mut done: Vec<Ident> = Vec::new();
    for function in block.functions.iter().filter(|f| !f.instance.is_empty()) {
        let name = name(function);
        if !done.contains(&name) {
            let instances = block.functions.iter().filter(|f| f.surface.ident.as_ref() == Some(&name));
            aliases.extend(if block.broken.contains(&function.name.name) {
                stub(&name, function)
            } else {
                alias(&name, function, &instances.collect::<Vec<_>>())
            });
            done.push(name);
        }
    }
    aliases
}

/// The generic name of a kernel whose `#[types(..)]` is wrong: one launcher for whatever types there are.
fn stub(name: &Ident, function: &Function) -> TokenStream {
    let (types, launcher) = (format_ident!("{name}Types"), launcher_name(function));
    let visibility = &function.surface.visibility;
    let (cfg, _) = conditions(function.surface.attributes.clone());
    let variables = variables(function);
    let of_variables = tuple(&variables);
    quote! {
        #cfg
        #[doc(hidden)]
        #visibility trait #types {
            type Launcher: #Runtime::Kernel;
        }
        #cfg
        #[automatically_derived]
        impl<#(#variables),*> #types for #of_variables {
            type Launcher = #launcher;
        }
        #cfg
        #[allow(dead_code, reason = "the launcher has a name of its own")]
        #visibility type #name<#(#variables),*> = <#of_variables as #types>::Launcher;
    }
}

/// The type variables.
fn variables(function: &Function) -> Vec<TokenStream> {
    let variables = function.instance.iter().map(|(variable, _)| format_ident!("{variable}"));
    variables.map(|variable| quote!(#variable)).collect()
}

/// Several types as one.
fn tuple(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [one] => one.clone(),
        parts => quote!((#(#parts),*)),
    }
}

fn alias(name: &Ident, function: &Function, instances: &[&Function]) -> TokenStream {
    let types = format_ident!("{name}Types");
    let visibility = &function.surface.visibility;
    let (cfg, attributes) = conditions(function.surface.attributes.clone());
    let docs = documentation(attributes);
    let variables = variables(function);
    let of_variables = tuple(&variables);
    let implementations = instances.iter().map(|instance| {
        let launcher = launcher_name(instance);
        let scalars: Vec<TokenStream> =
            instance.instance.iter().map(|(_, scalar)| element(*scalar)).collect();
        let of_scalars = tuple(&scalars);
        quote! {
            #cfg
            #[automatically_derived]
            impl #types for #of_scalars {
                type Launcher = #launcher;
            }
        }
    });
    let combinations: Vec<String> = instances.iter().map(|instance| types_text(instance)).collect();
    let (message, label, about, list) = (
        format!("the kernel `{name}` is not compiled for `{{Self}}`"),
        format!("`{name}` is compiled for {}", combinations.join(", ")),
        format!("The types that [`{name}`] is compiled for: {}.", combinations.join(", ")),
        format!("\n\nCompiled for {}.", combinations.join(", ")),
    );
    quote! {
        #cfg
        #[doc = #about]
        #[diagnostic::on_unimplemented(message = #message, label = #label)]
        #visibility trait #types: #Runtime::ElementTypes {
            /// The launcher for these types.
            type Launcher: #Runtime::Kernel;
        }
        #(#implementations)*
        #cfg
        #docs
        #[doc = #list]
        #[allow(dead_code, reason = "the launchers have names of their own")]
        #visibility type #name<#(#variables),*> = <#of_variables as #types>::Launcher;
    }
}

/// `` `f32` ``, or `` `(f32, u8)` ``
fn types_text(function: &Function) -> String {
    let types: Vec<&str> = function.instance.iter().map(|(_, scalar)| scalar.name()).collect();
    match types.as_slice() {
        [one] => format!("`{one}`"),
        types => format!("`({})`", types.join(", ")),
    }
}

/// The doc comments among attributes.
fn documentation(attributes: TokenStream) -> TokenStream {
    use syn::parse::Parser;
    let list = syn::Attribute::parse_outer.parse2(attributes).unwrap_or_default();
    let docs = list.iter().filter(|a| a.path().is_ident("doc"));
    quote!(#(#docs)*)
}
