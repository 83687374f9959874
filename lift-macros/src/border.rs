//! What crosses the border between host and device, in the form that `__kernel!` takes.
//!
//! An array of tuples is a tuple of arrays. A struct is the user's own where it is made of scalars; an array of
//! structs is a struct of arrays with the same fields, [`Border::definitions`], which stands for the arrays of host
//! and device alike.

use std::cell::RefCell;
use std::collections::BTreeSet;

use lift_core::ir::{Scalar, SurfaceType};
use lift_core::syntax::ast::{self, Block, TypeKind};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::expand::{conditions, element, rank};
use crate::runtime::Runtime;
use crate::signature::Place;
use crate::struct_item;

/// The types of all launchers of a block.
pub(crate) struct Border<'a> {
    block: &'a Block,
    /// The positions of the structs in them.
    used: RefCell<BTreeSet<usize>>,
}

impl<'a> Border<'a> {
    pub(crate) fn new(block: &'a Block) -> Self {
        Border { block, used: RefCell::default() }
    }

    /// A type with `outer` dimensions around it, which was declared at a place.
    pub(crate) fn data(&self, ty: &SurfaceType, outer: usize, place: Option<Place>) -> TokenStream {
        match ty {
            SurfaceType::Scalar(scalar) => leaf(*scalar, outer, place),
            SurfaceType::Array(element, _) => self.data(element, outer + 1, place),
            SurfaceType::Tuple(parts) => tuple(parts.iter().map(|part| self.data(part, outer, place))),
            SurfaceType::Struct(name, _) => {
                self.named(name).map(|tree| tree.data(outer, place)).unwrap_or_default()
            }
        }
    }

    /// The same for a type that was only declared, since there are mistakes. Nothing for types that cannot cross.
    pub(crate) fn declared(&self, ty: &ast::Type, outer: usize, place: Option<Place>) -> Option<TokenStream> {
        match &self.block.unaliased(ty).kind {
            TypeKind::Name(name) => match Scalar::from_name(name) {
                Some(scalar) => Some(leaf(scalar, outer, place)),
                None => Some(self.named(name)?.data(outer, place)),
            },
            TypeKind::Array(element, _) => self.declared(element, outer + 1, place),
            TypeKind::Tuple(parts) => {
                let parts: Option<Vec<TokenStream>> =
                    parts.iter().map(|part| self.declared(part, outer, place)).collect();
                Some(tuple(parts?.into_iter()))
            }
            TypeKind::Function(..) | TypeKind::Boundary(_) | TypeKind::Infer => None,
        }
    }

    fn named(&self, name: &str) -> Option<Tree> {
        self.tree(self.block.structs.iter().position(|s| s.name.name == name)?, DEEPEST)
    }

    /// A struct, and all structs in it. Nothing where there is no end, which was reported.
    fn tree(&self, index: usize, depth: usize) -> Option<Tree> {
        let found = &self.block.structs[index];
        let (own, arrays) = (found.surface.ident.clone()?, arrays_name(found)?);
        let fields = found
            .fields
            .iter()
            .map(|field| Some((field.surface.ident.clone()?, self.part(&field.ty, depth.checked_sub(1)?)?)));
        let fields = fields.collect::<Option<Vec<_>>>()?;
        self.used.borrow_mut().insert(index);
        Some(Tree::Struct { own, arrays, fields })
    }

    fn part(&self, ty: &ast::Type, depth: usize) -> Option<Tree> {
        match &ty.kind {
            TypeKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.part(part, depth.checked_sub(1)?));
                Some(Tree::Tuple(parts.collect::<Option<_>>()?))
            }
            TypeKind::Name(name) => {
                if let Some(scalar) = Scalar::from_name(name) {
                    return Some(Tree::Leaf(scalar));
                }
                if let Some(alias) = self.block.aliases.iter().find(|alias| alias.name.name == *name) {
                    return self.part(&alias.ty, depth.checked_sub(1)?);
                }
                let index = self.block.structs.iter().position(|s| s.name.name == *name)?;
                self.tree(index, depth)
            }
            TypeKind::Array(element, _) => {
                let rust = struct_item::rust_type(ty, self.block, 0)?;
                match self.part(element, depth.checked_sub(1)?)? {
                    Tree::Leaf(scalar) => Some(Tree::Array(scalar, 1, rust)),
                    Tree::Array(scalar, dims, _) => Some(Tree::Array(scalar, dims + 1, rust)),
                    Tree::Tuple(_) | Tree::Struct { .. } => None,
                }
            }
            TypeKind::Boundary(_) | TypeKind::Function(..) | TypeKind::Infer => None,
        }
    }

    /// The structs of arrays of all structs that cross the border.
    pub(crate) fn definitions(&self) -> TokenStream {
        let used = self.used.borrow().clone();
        let definition = |index: usize| definition(&self.block.structs[index], &self.tree(index, DEEPEST)?);
        used.into_iter().filter_map(definition).collect()
    }
}

/// Structs in structs that have an end are no deeper.
const DEEPEST: usize = 64;

/// What a struct is made of.
enum Tree {
    Leaf(Scalar),
    /// A scalar with so many dimensions, and its type in Rust.
    Array(Scalar, usize, TokenStream),
    Tuple(Vec<Tree>),
    Struct {
        own: Ident,
        arrays: Ident,
        fields: Vec<(Ident, Tree)>,
    },
}

impl Tree {
    /// The scalars in it, in order, with their dimensions and, if there are any, their types in Rust.
    fn leaves(&self) -> Vec<(Scalar, usize, Option<&TokenStream>)> {
        match self {
            Tree::Leaf(scalar) => vec![(*scalar, 0, None)],
            Tree::Array(scalar, dims, rust) => vec![(*scalar, *dims, Some(rust))],
            Tree::Tuple(parts) => parts.iter().flat_map(Tree::leaves).collect(),
            Tree::Struct { fields, .. } => fields.iter().flat_map(|(_, part)| part.leaves()).collect(),
        }
    }

    /// As `__kernel!` takes it.
    fn data(&self, outer: usize, place: Option<Place>) -> TokenStream {
        match self {
            Tree::Leaf(scalar) => leaf(*scalar, outer, place),
            Tree::Array(scalar, dims, rust) if outer == 0 => {
                let (elem, rank) = (element(*scalar), rank(*dims));
                quote!(nested #rust, #elem, #rank)
            }
            Tree::Array(scalar, dims, _) => leaf(*scalar, outer + dims, place),
            Tree::Tuple(parts) => tuple(parts.iter().map(|part| part.data(outer, place))),
            Tree::Struct { own, arrays, fields } => {
                let all = self.leaves();
                let has_arrays = all.iter().any(|(_, dims, _)| *dims > 0);
                let leaves = all.into_iter().map(|(scalar, dims, _)| leaf(scalar, outer + dims, place));
                let fields = fields.iter().map(|(name, part)| {
                    let part = part.data(outer, place);
                    quote!(#name: (#part))
                });
                let own = if outer == 0 { quote!(#own) } else { TokenStream::new() };
                let kind = match outer {
                    0 if has_arrays => quote!(parts),
                    0 => quote!(fields),
                    _ => quote!(arrays),
                };
                quote!(#kind { #(#fields),* } #own #arrays [ #((#leaves)),* ])
            }
        }
    }

    /// The type of an array for every leaf, if the next ones of these stand for them.
    fn arrays(&self, types: &mut impl Iterator<Item = TokenStream>) -> TokenStream {
        match self {
            Tree::Leaf(_) | Tree::Array(..) => types.next().unwrap_or_default(),
            Tree::Tuple(parts) => {
                let parts: Vec<TokenStream> = parts.iter().map(|part| part.arrays(types)).collect();
                quote!((#(#parts,)*))
            }
            Tree::Struct { arrays, .. } => {
                let own: Vec<TokenStream> = types.take(self.leaves().len()).collect();
                quote!(#arrays<#(#own),*>)
            }
        }
    }

    /// A value of the shape of the arrays. `leaf` makes each from its place, and `inner` structs from theirs.
    fn each(
        &self,
        place: &TokenStream,
        leaf: &dyn Fn(&TokenStream) -> TokenStream,
        inner: &dyn Fn(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        match self {
            Tree::Leaf(_) | Tree::Array(..) => leaf(place),
            Tree::Tuple(parts) => {
                let parts = parts.iter().enumerate().map(|(i, part)| {
                    let i = rank(i);
                    part.each(&quote!(#place.#i), leaf, inner)
                });
                quote!((#(#parts,)*))
            }
            Tree::Struct { .. } => inner(place),
        }
    }

    /// The places of the leaves.
    fn places(&self, place: &TokenStream) -> Vec<TokenStream> {
        match self {
            Tree::Leaf(_) | Tree::Array(..) => vec![place.clone()],
            Tree::Tuple(parts) => {
                let parts = parts.iter().enumerate().map(|(i, part)| (rank(i), part));
                parts.flat_map(|(i, part)| part.places(&quote!(#place.#i))).collect()
            }
            Tree::Struct { fields, .. } => {
                fields.iter().flat_map(|(name, part)| part.places(&quote!(#place.#name))).collect()
            }
        }
    }

    /// The struct itself, made of the next ones of these scalars.
    fn made_of(&self, scalars: &mut impl Iterator<Item = TokenStream>) -> TokenStream {
        match self {
            Tree::Leaf(_) | Tree::Array(..) => scalars.next().unwrap_or_default(),
            Tree::Tuple(parts) => {
                let parts: Vec<TokenStream> = parts.iter().map(|part| part.made_of(scalars)).collect();
                quote!((#(#parts,)*))
            }
            Tree::Struct { own, fields, .. } => {
                let fields = fields.iter().map(|(name, part)| {
                    let value = part.made_of(scalars);
                    quote!(#name: #value)
                });
                let fields: Vec<TokenStream> = fields.collect();
                quote!(#own { #(#fields),* })
            }
        }
    }
}

/// The name of the struct of arrays.
fn arrays_name(found: &ast::Struct) -> Option<Ident> {
    let own = found.surface.ident.as_ref()?;
    Some(format_ident!("{}Arrays", own, span = own.span()))
}

fn definition(found: &ast::Struct, tree: &Tree) -> Option<TokenStream> {
    let Tree::Struct { own, arrays, fields } = tree else { return None };
    let visibility = &found.surface.visibility;
    let (conditions, _) = conditions(found.surface.attributes.clone());
    let leaves = tree.leaves();
    let params: Vec<Ident> = (0..leaves.len()).map(|i| format_ident!("T{i}")).collect();
    let elements = leaves.iter().map(|(scalar, _, rust)| rust.cloned().unwrap_or_else(|| element(*scalar)));
    let elements: Vec<TokenStream> = elements.collect();
    let give_back = leaves.iter().zip(&elements).map(|((_, dims, _), element)| match dims {
        0 => quote!(::core::iter::IntoIterator<Item = #element>),
        _ => quote!(#Runtime::Parts<#element>),
    });
    let give_back: Vec<TokenStream> = give_back.collect();
    let into_iter = leaves.iter().map(|(_, dims, _)| match dims {
        0 => quote!(::core::iter::IntoIterator::into_iter),
        _ => quote!(#Runtime::Parts::into_parts),
    });
    let into_iter: Vec<TokenStream> = into_iter.collect();
    let mut types = params.iter().map(|param| quote!(#param));
    let fields_with_types = fields.iter().zip(&found.fields).map(|((name, part), field)| {
        let (ty, visibility) = (part.arrays(&mut types), &field.surface.visibility);
        let doc = format!("`{name}` of all.");
        quote!(#[doc = #doc] #visibility #name: #ty)
    });
    let fields_with_types: Vec<TokenStream> = fields_with_types.collect();
    let each = |leaf: &dyn Fn(&TokenStream) -> TokenStream, inner: &dyn Fn(&TokenStream) -> TokenStream| {
        let fields = fields.iter().map(|(name, part)| {
            let value = part.each(&quote!(#name), leaf, inner);
            quote!(#name: #value)
        });
        let fields: Vec<TokenStream> = fields.collect();
        quote!(#arrays { #(#fields),* })
    };
    let each_ref = each(&|place| quote!(&self.#place), &|place| quote!(self.#place.each_ref()));
    let each_mut = each(&|place| quote!(&mut self.#place), &|place| quote!(self.#place.each_mut()));
    let collected = |place: &TokenStream| quote!(::core::iter::Iterator::collect(::core::iter::Iterator::map(all.iter(), |one| one.#place)));
    let collected = each(&collected, &collected);
    let iterators: Vec<Ident> = (0..leaves.len()).map(|i| format_ident!("t{i}")).collect();
    let places = tree.places(&quote!(self));
    let one = tree.made_of(&mut iterators.iter().map(|it| quote!(::core::iter::Iterator::next(&mut #it)?)));
    let doc = format!(
        "Arrays of [`{own}`]: an array for every scalar in it, on the host or on a device, to read or to write. They are \
         collected from structs, and give them back one after the other."
    );
    Some(quote! {
        #conditions
        #[doc = #doc]
        #[derive(::core::prelude::rust_2024::Clone, ::core::prelude::rust_2024::Copy)]
        #[derive(::core::prelude::rust_2024::Debug, ::core::prelude::rust_2024::PartialEq)]
        #[allow(dead_code, reason = "launchers offer more than each program uses")]
        #visibility struct #arrays<#(#params),*> {
            #(#fields_with_types),*
        }

        #conditions
        #[automatically_derived]
        #[allow(dead_code, reason = "launchers offer more than each program uses")]
        impl<#(#params),*> #arrays<#(#params),*> {
            /// References to all arrays, as launchers take them.
            #visibility fn each_ref(&self) -> #arrays<#(&#params),*> {
                #each_ref
            }

            /// References to all arrays, to write to.
            #visibility fn each_mut(&mut self) -> #arrays<#(&mut #params),*> {
                #each_mut
            }
        }

        #conditions
        #[automatically_derived]
        impl<#(#params: ::core::iter::FromIterator<#elements>),*> ::core::iter::FromIterator<#own>
            for #arrays<#(#params),*>
        {
            fn from_iter<I: ::core::iter::IntoIterator<Item = #own>>(all: I) -> Self {
                let all: ::std::vec::Vec<#own> =
                    ::core::iter::Iterator::collect(::core::iter::IntoIterator::into_iter(all));
                #collected
            }
        }

        #conditions
        #[automatically_derived]
        impl<#(#params: #give_back),*> ::core::iter::IntoIterator
            for #arrays<#(#params),*>
        {
            type Item = #own;
            type IntoIter = ::std::vec::IntoIter<#own>;

            fn into_iter(self) -> Self::IntoIter {
                #(let mut #iterators = #into_iter(#places);)*
                let all = ::core::iter::from_fn(|| ::core::option::Option::Some(#one));
                let all: ::std::vec::Vec<#own> = ::core::iter::Iterator::collect(all);
                ::core::iter::IntoIterator::into_iter(all)
            }
        }
    })
}

/// A scalar, or an array of so many dimensions.
fn leaf(scalar: Scalar, dims: usize, place: Option<Place>) -> TokenStream {
    let elem = element(scalar);
    if dims == 0 {
        return quote!(scalar #elem);
    }
    let rank = rank(dims);
    let bounds = place.map(|place| {
        let (first, last) = (quote_spanned!(place.first=> for), quote_spanned!(place.last=> >));
        quote!(, [#first <> #last])
    });
    quote!(array #elem, #rank #bounds)
}

/// Several of these.
fn tuple(parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let parts = parts.enumerate().map(|(i, part)| {
        let index = rank(i);
        quote!(#index: (#part))
    });
    quote!(tuple { #(#parts),* })
}
