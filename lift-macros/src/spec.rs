//! A compiled kernel as constant data: the tokens of a `KernelSpec`.

use crate::runtime::Runtime;
use lift_core::describe::{
    Case, Chain, Check, Count, Geometry, Kernel, Launch, Leaf, Operation, Site, Size, Tunable, Variant,
    describe,
};
use lift_core::ir::{Relation, Scalar};
use lift_core::pipeline::{Compiled, Step};
use lift_core::program::schedule::Slot;
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn description(compiled: &Compiled) -> String {
    kernel(compiled).to_string()
}

pub(crate) fn constant(description: &str) -> TokenStream {
    description.parse().unwrap()
}

/// The constant expression of type `KernelSpec`.
pub(crate) fn kernel(compiled: &Compiled) -> TokenStream {
    let Kernel {
        name,
        ty,
        types,
        sizes,
        params,
        results,
        checks,
        needs,
        variants,
        gpu_order,
        cpu_order,
        missing,
        step,
    } = describe(compiled);
    let sizes =
        list(&sizes, |(name, define)| quote!(#Runtime::spec::SizeVar { name: #name, define: #define }));
    let params = list(&params, |leaf| {
        let fields = fields(leaf);
        let access = if leaf.updated { quote!(Update) } else { quote!(Read) };
        quote!(#Runtime::spec::Param { #fields, access: #Runtime::spec::Access::#access })
    });
    let results = list(&results, |leaf| {
        let fields = fields(leaf);
        quote!(#Runtime::spec::Output { #fields })
    });
    let (checks, variants) = (list(&checks, check), list(&variants, variant));
    let step = match step {
        Some(chains) => {
            let chains = list(
                &chains,
                |Chain { result, places }| quote!(#Runtime::spec::Chain { result: #result, places: &[#(#places),*] }),
            );
            quote!(::core::option::Option::Some(#Runtime::spec::Rotation { chains: #chains }))
        }
        None => quote!(::core::option::Option::None),
    };
    let needs = list(&needs, |it| scalar(*it));
    let missing =
        list(&missing, |(name, reason)| quote!(#Runtime::spec::Missing { name: #name, reason: #reason }));
    quote! {
        #Runtime::spec::KernelSpec {
            name: #name,
            ty: #ty,
            types: #types,
            sizes: #sizes,
            params: #params,
            results: #results,
            checks: #checks,
            needs: #needs,
            variants: #variants,
            gpu_order: &[#(#gpu_order),*],
            cpu_order: &[#(#cpu_order),*],
            missing: #missing,
            step: #step,
        }
    }
}

fn list<T>(items: &[T], one: impl Fn(&T) -> TokenStream) -> TokenStream {
    let items = items.iter().map(one);
    quote!(&[#(#items),*])
}

/// The fields that parameters and results have in common.
fn fields(leaf: &Leaf) -> TokenStream {
    let Leaf { name, scalar: elem, dims, shown, updated: _ } = leaf;
    let (elem, dims) = (scalar(*elem), list(dims, size));
    quote!(name: #name, elem: #elem, dims: #dims, shown: &[#(#shown),*])
}

fn size(it: &Size) -> TokenStream {
    let pair = |[a, b]: &[Size; 2]| {
        let (a, b) = (size(a), size(b));
        quote!(&[#a, #b])
    };
    let kind = match it {
        Size::Const(n) => quote!(Const(#n)),
        Size::Var(i) => quote!(Var(#i)),
        Size::Tunable(i) => quote!(Tunable(#i)),
        Size::Sum(terms) => {
            let terms = list(terms, size);
            quote!(Sum(#terms))
        }
        Size::Product(factors) => {
            let factors = list(factors, size);
            quote!(Product(#factors))
        }
        Size::Div(both) => {
            let both = pair(both);
            quote!(Div(#both))
        }
        Size::Mod(both) => {
            let both = pair(both);
            quote!(Mod(#both))
        }
        Size::Min(both) => {
            let both = pair(both);
            quote!(Min(#both))
        }
        Size::Max(both) => {
            let both = pair(both);
            quote!(Max(#both))
        }
    };
    quote!(#Runtime::spec::Size::#kind)
}

fn scalar(scalar: Scalar) -> TokenStream {
    let kind = match scalar {
        Scalar::F32 => quote!(F32),
        Scalar::F64 => quote!(F64),
        Scalar::F16 => quote!(F16),
        Scalar::I8 => quote!(I8),
        Scalar::I16 => quote!(I16),
        Scalar::I32 => quote!(I32),
        Scalar::I64 => quote!(I64),
        Scalar::U8 => quote!(U8),
        Scalar::U16 => quote!(U16),
        Scalar::U32 => quote!(U32),
        Scalar::U64 => quote!(U64),
        Scalar::Bool => quote!(Bool),
        Scalar::Usize => quote!(Usize),
    };
    quote!(#Runtime::spec::ScalarType::#kind)
}

fn check(check: &Check) -> TokenStream {
    let Check { relation, left, right, message } = check;
    let (left, right) = (size(left), size(right));
    let relation = match relation {
        Relation::Equal => quote!(Equal),
        Relation::AtMost => quote!(AtMost),
    };
    quote! {
        #Runtime::spec::Check {
            fact: #Runtime::spec::Fact::#relation(#left, #right),
            message: #message,
        }
    }
}

fn variant(variant: &Variant) -> TokenStream {
    let Variant {
        name,
        source,
        plan,
        tunables,
        temporaries,
        operations,
        sites,
        scales_ids,
        regroups,
        widest,
        cases,
        takes_sizes,
        derivation,
    } = variant;
    let tunables = list(tunables, |Tunable { name, default, min, max }| {
        quote! {
            #Runtime::spec::Tunable { name: #name, default: #default, min: #min, max: #max }
        }
    });
    let temporaries = list(temporaries, |(elem, dims)| {
        let (elem, dims) = (scalar(*elem), list(dims, size));
        quote!(#Runtime::spec::Temporary { elem: #elem, dims: #dims })
    });
    let (operations, widest) = (list(operations, operation), list(widest, size));
    let sites = list(sites, |Site { operation, written, source, len, distinct }| {
        let len = size(len);
        let source = match source {
            Some(leaf) => quote!(::core::option::Option::Some(#leaf)),
            None => quote!(::core::option::Option::None),
        };
        quote! {
            #Runtime::spec::Site {
                operation: #operation, written: #written, source: #source, len: #len, distinct: #distinct
            }
        }
    });
    let cases = list(cases, |Case { define, multiples }| {
        let multiples = list(multiples, |all| {
            list(all, |(extent, number)| {
                let extent = size(extent);
                quote!((#extent, #number))
            })
        });
        quote!(#Runtime::spec::Case { define: #define, multiples: #multiples })
    });
    let derivation = list(
        derivation,
        |Step { rule, law, after }| quote!(#Runtime::spec::Step { rule: #rule, law: #law, after: #after }),
    );
    quote! {
        #Runtime::spec::Variant {
            name: #name,
            source: #source,
            plan: #plan,
            tunables: #tunables,
            temporaries: #temporaries,
            operations: #operations,
            sites: #sites,
            scales_ids: #scales_ids,
            regroups: #regroups,
            widest: #widest,
            cases: #cases,
            takes_sizes: #takes_sizes,
            derivation: #derivation,
        }
    }
}

fn operation(it: &Operation) -> TokenStream {
    let kind = match it {
        Operation::Launch(Launch { entry, args, geometry: space, local_bytes }) => {
            let (args, space, local_bytes) = (list(args, slot), geometry(space), size(local_bytes));
            quote! {
                Launch(#Runtime::spec::Launch {
                    entry: #entry,
                    args: #args,
                    geometry: #space,
                    local_bytes: #local_bytes,
                })
            }
        }
        Operation::Repeat(count, operations) => {
            let count = match count {
                Count::Size(it) => {
                    let it = size(it);
                    quote!(Size(#it))
                }
                Count::Param(leaf) => quote!(Param(#leaf)),
                Count::Whole(leaf, n) => quote!(Whole(#leaf, #n)),
                Count::Rest(leaf, n) => quote!(Rest(#leaf, #n)),
            };
            let operations = list(operations, operation);
            quote!(Repeat(#Runtime::spec::Count::#count, #operations))
        }
        Operation::Swap(a, b) => quote!(Swap(#a, #b)),
    };
    quote!(#Runtime::spec::Operation::#kind)
}

fn slot(slot: &Slot) -> TokenStream {
    let kind = match slot {
        Slot::Param(leaf) => quote!(Param(#leaf)),
        Slot::Result(leaf) => quote!(Result(#leaf)),
        Slot::Temporary(index) => quote!(Temporary(#index)),
        Slot::Status => quote!(Status),
        Slot::Claims(site) => quote!(Claims(#site)),
    };
    quote!(#Runtime::spec::Slot::#kind)
}

fn geometry(geometry: &Geometry) -> TokenStream {
    match geometry {
        Geometry::Items(items) => {
            let items = list(items, size);
            quote!(#Runtime::spec::Geometry::Items(#items))
        }
        Geometry::Groups { groups, local } => {
            let (groups, local) = (list(groups, size), list(local, size));
            quote!(#Runtime::spec::Geometry::Groups { groups: #groups, local: #local })
        }
    }
}
