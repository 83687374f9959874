//! `#[backends(host)]`: what a kernel is compiled to. Code L0196.

use syn::Token;
use syn::punctuated::Punctuated;

use super::{ADD_OR_MOVE, Attribute, On};
use crate::diag::faults;
use crate::ir::Backends;

pub(super) static BACKENDS: Attribute = Attribute {
    name: "backends",
    usage: "backends(opencl)",
    about: "what the kernel is compiled to: `opencl`, `host`, or both as without it",
    on: On::Kernels("L0196", "only a kernel is compiled to what devices run", ADD_OR_MOVE),
    read: |parser, meta, span, attributes| match backends(meta) {
        Some(backends) => attributes.options.backends = Backends { written: Some(span), ..backends },
        None => parser.report(no_backends(span)),
    },
};

/// One word or both.
fn backends(meta: &syn::Meta) -> Option<Backends> {
    let words = Punctuated::<syn::Ident, Token![,]>::parse_terminated;
    let words = meta.require_list().and_then(|list| list.parse_args_with(words)).ok()?;
    let mut backends = Backends { opencl: false, host: false, written: None };
    for word in &words {
        match word.to_string().as_str() {
            "opencl" => backends.opencl = true,
            "host" => backends.host = true,
            _ => return None,
        }
    }
    (!backends.is_empty()).then_some(backends)
}

faults! { pub(super),
    "L0196" no_backends(): "`#[backends(..)]` takes `opencl`, `host`, or both",
        help "write `#[backends(opencl)]` for a kernel that runs on OpenCL devices alone, \
              `#[backends(host)]` for one that runs on the processor without OpenCL alone";
}

faults! { pub(crate),
    "L0196" not_offered(kernel, wanted: &str): "`{kernel}` is compiled to {} alone, and the program has no such devices" (match wanted {
            "opencl" => "OpenCL",
            _ => "Rust for the processor",
        }),
        note "`lift-kernels` is built without its feature `{wanted}`",
        help "turn the feature on, or leave `#[backends({wanted})]` out";
    "L0196" nothing_left(kernel, why): "`{kernel}` cannot be compiled for the processor without OpenCL: {why}",
        note "`lift-kernels` is built without its feature `opencl`, or `#[backends(host)]` says so",
        help "OpenCL devices may run it: turn the feature on, and leave the attribute out";
}
