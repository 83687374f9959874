//! The structs of a block as ordinary Rust structs, for the scalar functions that use them and for the user.

use lift_core::ir::Scalar;
use lift_core::syntax::ast::{Block, Struct, Type, TypeKind};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

/// What every struct of scalars can do.
const DERIVED: [&str; 4] = ["Clone", "Copy", "Debug", "PartialEq"];

/// All structs whose fields have types that can be written in Rust.
pub(crate) fn structs(block: &Block) -> TokenStream {
    block.structs.iter().filter_map(|s| definition(s, block)).collect()
}

fn definition(found: &Struct, block: &Block) -> Option<TokenStream> {
    let (name, visibility, attributes) =
        (&found.surface.ident, &found.surface.visibility, &found.surface.attributes);
    let fields = found.fields.iter().map(|field| {
        let (name, visibility, attributes) =
            (&field.surface.ident, &field.surface.visibility, &field.surface.attributes);
        let ty = rust_type(&field.ty, block, 0)?;
        Some(quote!(#attributes #visibility #name: #ty))
    });
    let fields = fields.collect::<Option<Vec<_>>>()?;
    let user = derives(attributes.clone());
    let missing = DERIVED.iter().filter(|name| !user.iter().any(|other| other == *name));
    let missing = missing.map(|name| Ident::new(name, Span::call_site()));
    Some(quote! {
        #attributes
        #[derive(#(::core::prelude::rust_2024::#missing),*)]
        #[allow(dead_code, reason = "kernels use it, and they are no Rust")]
        #visibility struct #name { #(#fields),* }
    })
}

/// The traits that the user derives.
fn derives(attributes: TokenStream) -> Vec<String> {
    let Ok(list) = syn::Attribute::parse_outer.parse2(attributes) else { return Vec::new() };
    let derived = list
        .iter()
        .filter(|a| a.path().is_ident("derive"))
        .filter_map(|a| a.parse_args_with(Punctuated::<syn::Path, syn::Token![,]>::parse_terminated).ok());
    derived.flatten().filter_map(|path| Some(path.segments.last()?.ident.to_string())).collect()
}

/// A type of scalars in Rust; `None` if there is none, which was reported.
pub(crate) fn rust_type(ty: &Type, block: &Block, depth: usize) -> Option<TokenStream> {
    match &ty.kind {
        TypeKind::Tuple(parts) => {
            let parts = parts.iter().map(|part| rust_type(part, block, depth));
            let parts = parts.collect::<Option<Vec<_>>>()?;
            Some(quote!((#(#parts),*)))
        }
        TypeKind::Name(name) => {
            if let Some(scalar) = Scalar::from_name(name) {
                return Some(crate::expand::element(scalar));
            }
            if let Some(alias) = block.aliases.iter().find(|alias| alias.name.name == *name) {
                // A circle of aliases was reported.
                return if depth < 64 { rust_type(&alias.ty, block, depth + 1) } else { None };
            }
            let found = block.structs.iter().find(|s| s.name.name == *name)?;
            let ident = &found.surface.ident;
            Some(quote!(#ident))
        }
        TypeKind::Array(element, len) => {
            let (element, len) =
                (rust_type(element, block, depth)?, usize::try_from(block.number(len)?).ok()?);
            let len = crate::expand::rank(len);
            Some(quote!([#element; #len]))
        }
        TypeKind::Boundary(_) | TypeKind::Function(..) | TypeKind::Infer => None,
    }
}

/// Whether Rust can compute with the struct: no field is an `f16`, and none an array, whose functions are those of kernels.
pub(crate) fn is_rust(name: &str, block: &Block) -> bool {
    fn mentions_half(ty: &Type, block: &Block, depth: usize) -> bool {
        match &ty.kind {
            TypeKind::Tuple(parts) => parts.iter().any(|part| mentions_half(part, block, depth)),
            TypeKind::Name(name) => {
                let alias = block.aliases.iter().find(|alias| alias.name.name == *name).map(|a| vec![&a.ty]);
                let fields = block.structs.iter().find(|s| s.name.name == *name);
                let inside = alias.or_else(|| fields.map(|s| s.fields.iter().map(|f| &f.ty).collect()));
                let inside = inside.unwrap_or_default();
                name == Scalar::F16.name()
                    || depth >= 64
                    || inside.into_iter().any(|ty| mentions_half(ty, block, depth + 1))
            }
            TypeKind::Boundary(_) | TypeKind::Array(..) | TypeKind::Function(..) | TypeKind::Infer => true,
        }
    }
    let found = block.structs.iter().find(|s| s.name.name == name);
    found.is_some_and(|s| s.fields.iter().all(|f| !mentions_half(&f.ty, block, 0)))
}
