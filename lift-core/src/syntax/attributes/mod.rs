//! The attributes of Lift: one table, from which they are read, checked, guessed if they are misspelt, and documented.
//!
//! Each attribute is a file with its row and what users are told about it.

mod approximate;
mod backends;
mod kernel;
mod size;
mod step;
mod stores;
mod strategy;
mod types;
mod work_group;

use proc_macro2::{Delimiter, Span as TokenSpan, TokenStream, TokenTree};
use syn::Token;
use syn::parse::ParseStream;

use super::ast::{Fact, Step};
use super::error;
use super::parser::Parser;
use crate::diag::Diagnostic;
use crate::ir::KernelOptions;
use crate::span::Span;
use crate::text::did_you_mean;

pub(crate) use backends::{not_offered, nothing_left};
pub(super) use kernel::KERNEL;
pub(super) use types::{TYPES, TypeChoice, twice};

/// All of them, in the order of their names.
static ATTRIBUTES: [&Attribute; 9] = [
    &approximate::APPROXIMATE,
    &backends::BACKENDS,
    &KERNEL,
    &size::SIZE,
    &step::STEP,
    &stores::STORES,
    &strategy::STRATEGY,
    &TYPES,
    &work_group::WORK_GROUP,
];

/// An attribute of functions.
pub(super) struct Attribute {
    /// Its name.
    name: &'static str,
    /// An example of its use.
    usage: &'static str,
    /// What it says, in the reference.
    about: &'static str,
    /// Which functions it may stand on.
    on: On,
    /// Reads one whose place is the span; mistakes are reported.
    read: fn(&mut Parser<'_>, &syn::Meta, Span, &mut Attributes),
}

/// Which functions an attribute may stand on.
enum On {
    /// All of them.
    Functions,
    /// Kernels alone: the code of the mistake, why it is one, and what to do.
    Kernels(&'static str, &'static str, &'static str),
}

/// What to do about most attributes that need a kernel.
const ADD_OR_MOVE: &str = "write `#[kernel]` as well, or move the attribute to the kernel that uses it";

/// All of them as a table for the reference.
pub fn reference() -> String {
    let mut text = String::from("| attribute | what it says | stands on |\n| --- | --- | --- |\n");
    for Attribute { usage, about, on, .. } in ATTRIBUTES {
        let on = match on {
            On::Functions => "functions and kernels",
            On::Kernels(..) => "kernels",
        };
        text.push_str(&format!("| `#[{usage}]` | {about} | {on} |\n"));
    }
    text
}

/// The attributes of one item.
#[derive(Default)]
pub(super) struct Attributes {
    /// Lift's own, with the place of the last of each.
    own: Vec<(&'static Attribute, Span)>,
    /// `#[size(..)]`
    pub(super) facts: Vec<Fact>,
    /// One of the facts cannot be read.
    pub(super) broken_fact: bool,
    /// `#[types(..)]`
    pub(super) types: Vec<TypeChoice>,
    /// `#[step(..)]`
    pub(super) step: Option<Step>,
    /// What else is said about a kernel.
    pub(super) options: KernelOptions,
    /// Doc comments.
    pub(super) docs: Vec<String>,
    /// All but Lift's own.
    pub(super) others: TokenStream,
    /// All attributes together.
    pub(super) span: Span,
    any: bool,
}

impl Attributes {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        !self.any
    }

    /// Where one of Lift's attributes stands.
    pub(super) fn place(&self, attribute: &Attribute) -> Option<Span> {
        self.own.iter().find(|(own, _)| own.name == attribute.name).map(|(_, span)| *span)
    }

    fn add(&mut self, attribute: &'static Attribute, span: Span) {
        self.own.retain(|(own, _)| own.name != attribute.name);
        self.own.push((attribute, span));
    }
}

impl Parser<'_> {
    /// Reads the attributes that stand here.
    pub(super) fn attributes(&mut self, input: ParseStream<'_>) -> syn::Result<Attributes> {
        let mut attributes = Attributes::default();
        let mut range: Option<(TokenSpan, TokenSpan)> = None;
        while input.peek(Token![#]) {
            let hash: TokenTree = input.parse()?;
            let tree: TokenTree = input.parse()?;
            let group = match &tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => group,
                other => return Err(syn::Error::new(other.span(), "expected `[`")),
            };
            let first = range.map_or(hash.span(), |range| range.0);
            range = Some((first, tree.span()));
            let span = self.span(hash.span(), tree.span());
            // What is not an attribute as we know it may still be one for somebody else.
            let meta = syn::parse2::<syn::Meta>(group.stream()).ok();
            let is_own = meta.is_some_and(|meta| self.attribute(&meta, span, &mut attributes));
            if !is_own {
                attributes.others.extend([hash, tree]);
            }
        }
        if let Some((first, last)) = range {
            attributes.any = true;
            attributes.span = self.span(first, last);
        }
        Ok(attributes)
    }

    /// Reads one attribute; whether it is one of Lift's own, or nearly so.
    fn attribute(&mut self, meta: &syn::Meta, span: Span, attributes: &mut Attributes) -> bool {
        if let Some(own) = ATTRIBUTES.into_iter().find(|own| meta.path().is_ident(own.name)) {
            attributes.add(own, span);
            (own.read)(self, meta, span, attributes);
            return true;
        }
        // `#[kernal]` would otherwise go to rustc, or be lost with a function that stays here.
        let segments = &meta.path().segments;
        if let (Some(first), Some(last)) = (segments.first(), segments.last())
            && (segments.len() == 1 || first.ident == "lift")
            && let name = last.ident.to_string()
            && let Some(near) = did_you_mean(&name, ATTRIBUTES.map(|own| own.name))
        {
            let path = if segments.len() > 1 { "lift::" } else { "" };
            self.report(error::unknown_attribute(span, path, &name, near));
            // With it, it would have been one.
            if near == KERNEL.name && attributes.place(&KERNEL).is_none() {
                attributes.add(&KERNEL, span);
            }
            return true;
        }
        if let syn::Meta::NameValue(pair) = meta
            && pair.path.is_ident("doc")
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value
        {
            attributes.docs.push(text.value());
        }
        false
    }

    /// Lift's own attributes stand on functions only.
    pub(super) fn no_lift_attributes(&mut self, attributes: &Attributes, item: &str) {
        for (attribute, span) in &attributes.own {
            self.report(error::misplaced_attribute(*span, attribute.name, item));
        }
    }

    /// Some of them stand on kernels only, and `name` is none.
    pub(super) fn no_kernel_attributes(&mut self, attributes: &Attributes, name: &str) {
        for (attribute, span) in &attributes.own {
            match attribute.on {
                On::Functions => {}
                On::Kernels(code, only, help) => {
                    let message = format!("{only}, and `{name}` is none");
                    self.report(Diagnostic::new(code, *span, message).help(help));
                }
            }
        }
    }
}
