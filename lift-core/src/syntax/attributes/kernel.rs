//! `#[kernel]`: a function that the host launches.

use super::{Attribute, On};
use crate::syntax::error;

pub(in crate::syntax) static KERNEL: Attribute = Attribute {
    name: "kernel",
    usage: "kernel",
    about: "the host launches this function",
    on: On::Functions,
    read: |parser, meta, span, _| {
        if !matches!(meta, syn::Meta::Path(_)) {
            parser.report(error::kernel_arguments(span));
        }
    },
};
