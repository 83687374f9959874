//! What the parser keeps for the emitted code, and tokens as `macro_rules!` passes them on.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{compile, compile_tokens, print};
use crate::syntax::ast::Relation;

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the text consists of Rust tokens")
}

/// Tokens in an invisible group.
fn fragment(text: &str) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::None, tokens(text))).into()
}

#[test]
fn a_kernel_keeps_its_tokens_but_not_our_attributes() {
    let text = "
        /// One line.
        /// Another.
        #[kernel]
        #[cfg(unix)]
        #[size(N >= 3)]
        pub(crate) fn K<N>(xs: [f32; N]) -> [f32; N] { xs }
    ";
    let outcome = compile(text);
    let function = &outcome.block.functions[0];
    assert!(function.kernel);
    assert_eq!(function.docs, [" One line.", " Another."]);
    assert_eq!(function.surface.ident.as_ref().map(ToString::to_string).as_deref(), Some("K"));
    assert_eq!(function.surface.visibility.to_string(), "pub (crate)");
    let attributes = function.surface.attributes.to_string();
    assert!(attributes.contains("cfg") && attributes.contains("doc"), "{attributes}");
    assert!(!attributes.contains("kernel") && !attributes.contains("size"), "{attributes}");
    let item = function.surface.item.to_string();
    assert!(item.ends_with("pub (crate) fn K < N > (xs : [f32 ; N]) -> [f32 ; N] { xs }"), "{item}");
    assert!(item.contains("cfg") && !item.contains("kernel"), "{item}");
}

#[test]
fn facts_are_normalised() {
    let text = "#[size(N % 128 == 0, M >= 17, N > M, N < 4 * M, M <= N,)]
        fn f(xs: [f32; N], ys: [f32; M]) -> f32 { xs[0] + ys[0] }";
    let outcome = compile(text);
    assert!(outcome.list.is_empty());
    let facts = outcome.block.functions[0].facts.iter().map(|fact| {
        let relation = match fact.relation {
            Relation::Equal => "==",
            Relation::AtMost => "<=",
            Relation::Below => "<",
        };
        format!("{} {relation} {}", print::print_size(&fact.left), print::print_size(&fact.right))
    });
    let facts: Vec<String> = facts.collect();
    assert_eq!(facts, ["(N % 128) == 0", "17 <= M", "M < N", "N < (4 * M)", "M <= N"]);
}

#[test]
fn kernels_are_listed_in_source_order_with_their_sources() {
    let text = "
        #[kernel] fn B(x: f32) -> f32 { h(x) }
        fn h(x: f32) -> f32 { x }
        #[kernel] fn A(x: f32) -> f32 { B(x) }
    ";
    let program = compile(text).program;
    let kernels: Vec<_> = program
        .kernels
        .iter()
        .map(|id| &program.functions[id.0 as usize])
        .map(|function| (function.name.as_str(), function.source))
        .collect();
    assert_eq!(kernels, [("B", Some(0)), ("A", Some(2))]);
    assert!(program.functions[0].prelude);
}

#[test]
fn fragments_of_macros_are_transparent() {
    let mut params = tokens("xs:");
    params.extend(fragment("[f32; N]"));
    let mut text = tokens("fn f");
    text.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, params))]);
    text.extend(tokens("-> f32"));
    let mut product = fragment("1.0 + 2.0");
    product.extend(tokens("* xs[0]"));
    text.extend([TokenTree::Group(Group::new(Delimiter::Brace, product))]);
    let outcome = compile_tokens(text);
    assert!(outcome.list.is_empty());
    assert_eq!(print::program(&outcome.program), "fn f(xs: [f32; N]) -> f32 = ((1.0 + 2.0) * xs[0])");
}

#[test]
fn whole_items_may_be_fragments() {
    let mut text = fragment("#[kernel] pub fn A(x: f32) -> f32 { g(x) }");
    text.extend(fragment("fn g(x: f32) -> f32 { x }"));
    let outcome = compile_tokens(text);
    assert!(outcome.list.is_empty());
    assert_eq!(outcome.block.functions.len(), 2);
    let outcome = compile_tokens(fragment("map(sqrt)"));
    assert!(outcome.list.is_empty());
    assert_eq!(print::program(&outcome.program), "fn Kernel(x) = map(|x| sqrt(x), x)");
}

#[test]
fn a_mistake_in_one_item_leaves_the_others() {
    let text = "
        #[kernel] pub fn A(x: f32) -> f32 { x + }
        #[kernel] pub fn B(x f32) -> f32 { x }
        #[kernel] pub fn C(x: f32) -> f32 { A(x) + B(x) }
    ";
    let outcome = compile(text);
    assert_eq!(outcome.list.len(), 2);
    let names: Vec<&str> = outcome.block.functions.iter().map(|f| f.name.name.as_str()).collect();
    assert_eq!(names, ["A", "C"]);
    assert_eq!(outcome.block.broken, ["B"]);
}
