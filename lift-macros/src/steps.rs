//! What a kernel has that is a step in time: the simulation's type, and the names of its methods.

use std::collections::BTreeSet;

use lift_core::ir::Scalar;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::expand::{element, rank, safe_ident};

/// A parameter of a step.
pub(crate) struct Param<'a> {
    /// The user's name.
    pub(crate) name: &'a str,
    /// What crosses the border, as `__kernel!` takes it.
    pub(crate) data: TokenStream,
    /// The number of its first leaf.
    pub(crate) leaf: usize,
    /// The element type and the rank of that.
    pub(crate) first: Option<(Scalar, usize)>,
    /// Whether it has scalars that stand alone and change from step to step.
    pub(crate) is_single: bool,
    /// Whether it changes from step to step.
    pub(crate) is_state: bool,
}

/// The part of `__kernel!`'s input that is about steps. Sources and probes work on the parameter `newest`.
pub(crate) fn steps(name: &Ident, params: &[Param<'_>], newest: Option<usize>) -> TokenStream {
    let steps = format_ident!("{}Steps", name);
    let mut methods = Methods(TAKEN.map(str::to_string).into());
    let of_hosts: Vec<Ident> = params.iter().filter(|p| p.is_state).map(|p| methods.add(p.name)).collect();
    let states = params.iter().filter(|param| param.is_state).zip(of_hosts).map(|(param, host)| {
        let (leaf, data) = (rank(param.leaf), &param.data);
        let device = methods.add(&format!("{}_device", plain(param.name)));
        quote!((#host #device #leaf (#data)))
    });
    let states: Vec<TokenStream> = states.collect();
    let tap = newest.and_then(|newest| params.get(newest)).and_then(|param| {
        let (scalar, dims) = param.first?;
        let (leaf, elem, dims) = (rank(param.leaf), element(scalar), rank(dims));
        Some(quote!(#leaf, #elem, #dims))
    });
    let set = params.iter().map(|param| {
        let (leaf, data) = (rank(param.leaf), &param.data);
        let set = methods.add(&format!("set_{}", plain(param.name)));
        let state = param.is_single.then(|| quote!(state));
        quote!((#set #leaf (#state #data)))
    });
    quote! {
        steps: #steps {
            states: [ #(#states),* ],
            tap: [ #tap ],
            set: [ #(#set),* ],
        },
    }
}

/// Methods that every simulation has.
const TAKEN: [&str; 19] = [
    "as_mut",
    "check_finite",
    "deref",
    "deref_mut",
    "device",
    "max_change",
    "probe",
    "probe_all",
    "probe_in",
    "probe_line",
    "probes",
    "run",
    "samples",
    "save",
    "source",
    "source_in",
    "steps",
    "steps_done",
    "wait",
];

/// The names of a simulation's methods: no two have one, and what simulations have anyway is not hidden.
struct Methods(BTreeSet<String>);

impl Methods {
    /// A method with this name, or with one that is longer.
    fn add(&mut self, name: &str) -> Ident {
        let mut name = name.to_string();
        while !self.0.insert(plain(&name).to_string()) {
            name.push('_');
        }
        safe_ident(&name)
    }
}

/// A name as a part of another.
fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}
