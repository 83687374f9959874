//! The expansion of one macro call.

use std::path::Path;

use lift_core::describe::first_leaves;
use lift_core::diag::Severity;
use lift_core::ir::{Kernel, Output, Scalar};
use lift_core::pipeline::Compilation;
use lift_core::span::SpanTable;
use lift_core::syntax::ast;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::Parser;

use crate::border::Border;
use crate::cache::{self, Described};
use crate::runtime::Runtime;
use crate::signature::Signature;
use crate::tuned::Tunings;
use crate::{dump, fallback, instances, optimised, report, rust_fn, spec, steps, struct_item, warnings};

/// Compiles the tokens and emits launchers, scalar functions and diagnostics. What becomes of kernels is kept in the folder `kept`.
pub(crate) fn expand(input: TokenStream, kept: Option<&Path>) -> TokenStream {
    let dumps = dump::folder();
    // A dump has more than is kept.
    let kept = kept.filter(|_| dumps.is_none());
    let (compilation, kernels, tuned) = tuned_compilation(input.clone(), Tunings::of(input.clone()), kept);
    let dumped = dump::dump(&compilation.kernels, dumps);
    emit(input, quote!(#tuned #dumped), &compilation, &kernels)
}

/// The launchers, scalar functions and diagnostics of a macro call, after what else there is.
pub(crate) fn emit(
    input: TokenStream,
    before: TokenStream,
    compilation: &Compilation,
    kernels: &[Described],
) -> TokenStream {
    let block = &compilation.block;
    let mut errors = report::errors(&compilation.diagnostics, &compilation.spans);
    let warnings = warnings::warnings(&compilation.diagnostics, block, &compilation.spans);
    let wrong = compilation.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let structs = struct_item::structs(block);
    let functions = if wrong { rust_fn::declarations(block) } else { rust_fn::scalar_functions(block) };
    let border = Border::new(block);
    let launchers: TokenStream = if kernels.is_empty() {
        let stubs = fallback::Stubs::new(block, &border, &compilation.spans, input);
        if let (Some(name), Some(first)) = (stubs.first(), errors.first_mut()) {
            *first = fallback::carried(&name, first);
        }
        stubs.launchers()
    } else {
        kernels.iter().map(|it| launcher(it, block, &border, &compilation.spans)).collect()
    };
    let arrays = border.definitions();
    let aliases = instances::aliases(block);
    match expression_name(block, kernels) {
        None => quote!(#before #(#errors)* #warnings #structs #arrays #functions #launchers #aliases),
        // The expression form is a value with the launcher's associated functions as methods.
        Some(name) => quote! {{
            #before
            #(#errors)*
            #warnings
            #structs
            #arrays
            #functions
            #launchers
            #aliases
            #Runtime::Unbound::<#name>::new()
        }},
    }
}

/// The compilation, with the versions that tuning found, and what there is to say about these.
pub(crate) fn tuned_compilation(
    input: TokenStream,
    tunings: Tunings,
    kept: Option<&Path>,
) -> (Compilation, Vec<Described>, TokenStream) {
    let (compilation, kernels) = cache::compile(tunings.with_strategies(input.clone()), &tunings, kept);
    if kernels.is_empty() && tunings.has_strategies() {
        // What another compiler found must not stop a build.
        let unusable = tunings.unusable();
        let tunings = tunings.without_entries();
        let (compilation, kernels) = cache::compile(input, &tunings, kept);
        let tokens = tunings.tokens(&compilation.block);
        return (compilation, kernels, quote!(#tokens #unusable));
    }
    let tokens = tunings.tokens(&compilation.block);
    (compilation, kernels, tokens)
}

/// The launcher's name in the expression form.
fn expression_name(block: &ast::Block, kernels: &[Described]) -> Option<Ident> {
    let anonymous = kernels.iter().find(|it| it.kernel.source.is_none());
    match (anonymous, &block.result) {
        (Some(it), _) => Some(Ident::new(&it.kernel.name, Span::mixed_site())),
        (None, Some(_)) => Some(Ident::new(fallback::EXPRESSION, Span::mixed_site())),
        (None, None) => None,
    }
}

fn launcher(it: &Described, block: &ast::Block, border: &Border<'_>, spans: &SpanTable) -> TokenStream {
    let Described { kernel, description, host } = it;
    let (ty, host) = (kernel.type_text(), spec::host_tokens(host));
    let optimised = optimised::is_optimised();
    let function = kernel.source.map(|i| &block.functions[i]);
    let signature = match (function, &block.result) {
        (Some(function), _) => Signature::of_function(function, spans),
        (None, Some(expression)) => Signature::of_expression(expression, spans),
        (None, None) => Signature::default(),
    };
    let updated = |i: usize| kernel.outputs.contains(&Output::Update(i));
    let params = kernel.params.iter().enumerate().map(|(i, p)| {
        let data = border.data(&kernel.surface_param(i), 0, signature.place(i));
        let update = updated(i).then(|| quote!(update));
        let state = is_single_state(kernel, i).then(|| quote!(state));
        signature.param(i, &p.name, quote!(#update #state #data))
    });
    let result = match kernel.surface_result() {
        Some(result) => border.data(&result, 0, None),
        None => TokenStream::new(),
    };
    let (methods, result) = (signature.methods(), signature.result(result));
    let surface = function.map(|f| &f.surface);
    let name =
        function.map_or_else(|| Ident::new(&kernel.name, Span::mixed_site()), instances::launcher_name);
    let (attributes, visibility) =
        surface.map(|s| (s.attributes.clone(), s.visibility.clone())).unwrap_or_default();
    let (conditions, attributes) = conditions(warnings::left_over(attributes, true));
    let documented = documented_type(kernel);
    let steps = kernel.step.as_ref().map(|chains| steps_of(&name, kernel, chains, border, &signature));
    quote! {
        #conditions
        #Runtime::__kernel! {
            attrs: [ #attributes #[doc = #documented] ],
            vis: [ #visibility ],
            name: #name,
            ty: #ty,
            spec: unsafe { #Runtime::spec::KernelSpec::of_text(#description) },
            host: [ #host ],
            optimised: #optimised,
            methods: #methods,
            params: [ #(#params),* ],
            result: #result,
            #steps
        }
    }
}

/// `#[cfg(..)]` apart from other attributes: it stands before the whole launcher, the others on the struct.
pub(crate) fn conditions(attributes: TokenStream) -> (TokenStream, TokenStream) {
    match syn::Attribute::parse_outer.parse2(attributes.clone()) {
        Ok(list) => {
            let (conditions, others): (Vec<_>, Vec<_>) =
                list.into_iter().partition(|a| a.path().is_ident("cfg"));
            (quote!(#(#conditions)*), quote!(#(#others)*))
        }
        Err(_) => (TokenStream::new(), attributes),
    }
}

fn documented_type(kernel: &Kernel) -> String {
    let params = kernel.params.iter().enumerate();
    let params: Vec<String> =
        params.map(|(i, p)| format!("{}: {}", p.name, kernel.surface_param(i))).collect();
    let result = kernel.surface_result().map_or_else(|| "()".to_string(), |it| it.to_string());
    format!("\n\nType: `({}) -> {result}`", params.join(", "))
}

/// Whether results take the place of a parameter that has scalars which stand alone: they are in memory then.
fn is_single_state(kernel: &Kernel, param: usize) -> bool {
    let is_state = kernel.step.iter().flatten().flatten().any(|place| *place == param);
    is_state && kernel.surface_param(param).has_single()
}

/// What a step in time has besides.
fn steps_of(
    name: &Ident,
    kernel: &Kernel,
    chains: &[Vec<usize>],
    border: &Border<'_>,
    signature: &Signature,
) -> TokenStream {
    let leaves = first_leaves(kernel);
    let updated = |i: usize| kernel.outputs.contains(&Output::Update(i));
    let params = kernel.params.iter().zip(leaves).enumerate().map(|(i, (param, leaf))| steps::Param {
        name: &param.name,
        data: border.data(&kernel.surface_param(i), 0, signature.place(i)),
        leaf,
        is_single: is_single_state(kernel, i),
        first: kernel.surface_param(i).first(),
        is_state: updated(i) || chains.iter().any(|chain| chain.contains(&i)),
    });
    let newest = chains.iter().filter_map(|chain| chain.first().copied()).next();
    steps::steps(
        name,
        &params.collect::<Vec<_>>(),
        newest.or_else(|| (0..kernel.params.len()).find(|i| updated(*i))),
    )
}

/// The Rust type of an element.
pub(crate) fn element(scalar: Scalar) -> TokenStream {
    match scalar {
        Scalar::F16 => quote!(#Runtime::f16),
        _ => {
            let name = format_ident!("{}", scalar.to_string());
            quote!(#name)
        }
    }
}

/// A number as a literal without suffix.
pub(crate) fn rank(rank: usize) -> proc_macro2::Literal {
    proc_macro2::Literal::usize_unsuffixed(rank)
}

/// A name made up by the compiler, or the user's, as a Rust identifier.
pub(crate) fn safe_ident(name: &str) -> Ident {
    syn::parse_str(name).unwrap_or_else(|_| format_ident!("{}_", name, span = Span::mixed_site()))
}
