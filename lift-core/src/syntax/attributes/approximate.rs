//! `#[approximate(1e-3)]`: how much constant weights may differ from those that are used. Code L0195.

use super::{ADD_OR_MOVE, Attribute, On};
use crate::diag::faults;

pub(super) static APPROXIMATE: Attribute = Attribute {
    name: "approximate",
    usage: "approximate(1e-6)",
    about: "constant weights may differ from those that are used, by this part of the largest of them",
    on: On::Kernels("L0195", "only the weights of a kernel are approximated", ADD_OR_MOVE),
    read: |parser, meta, span, attributes| {
        let number = meta.require_list().and_then(|list| list.parse_args::<syn::LitFloat>());
        let tolerance = number.and_then(|number| number.base10_parse::<f64>());
        match tolerance.ok().filter(|tolerance| *tolerance > 0.0 && *tolerance < 1.0) {
            Some(tolerance) => attributes.options.tolerance = Some(tolerance),
            None => parser.report(no_part(span)),
        }
    },
};

faults! { pub(super),
    "L0195" no_part(): "`#[approximate(..)]` takes a number between 0 and 1, with a point or an exponent",
        help "write `#[approximate(1e-3)]`: constant weights may differ by a thousandth of the largest of them";
}
