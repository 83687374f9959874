//! `#[stores(streaming)]`: how results are stored. Code L0189.

use super::{ADD_OR_MOVE, Attribute, On};
use crate::diag::faults;

pub(super) static STORES: Attribute = Attribute {
    name: "stores",
    usage: "stores(streaming)",
    about: "results are written by non-temporal stores of vectors",
    on: On::Kernels("L0189", "only a kernel stores", ADD_OR_MOVE),
    read: |parser, meta, span, attributes| {
        let way = meta.require_list().and_then(|list| list.parse_args::<syn::Ident>());
        match way.is_ok_and(|way| way == "streaming") {
            true => attributes.options.streaming = Some(span),
            false => parser.report(no_way_to_store(span)),
        }
    },
};

faults! { pub(super),
    "L0189" no_way_to_store(): "`#[stores(..)]` takes `streaming`, and nothing else",
        help "write `#[stores(streaming)]`: results are written by non-temporal stores of vectors";
}
