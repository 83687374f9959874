//! Tests of the front end, from text to resolved terms and diagnostics.

mod bad;
mod good;
mod print;
mod random;
mod shape;

use std::str::FromStr;

use proc_macro2::TokenStream;

use super::{ast, parse, resolve, term};
use crate::diag::{Diagnostic, Diagnostics};
use crate::span::SpanTable;

/// What came of a text.
struct Outcome {
    block: ast::Block,
    program: term::Program,
    spans: SpanTable,
    list: Vec<Diagnostic>,
}

fn compile(text: &str) -> Outcome {
    compile_tokens(TokenStream::from_str(text).expect("the text consists of Rust tokens"))
}

fn compile_tokens(tokens: TokenStream) -> Outcome {
    let (mut spans, mut diags) = (SpanTable::new(), Diagnostics::new());
    let block = parse(tokens, &mut spans, &mut diags);
    let program = resolve(&block, &mut diags);
    let list = diags.finish(&spans);
    Outcome { block, program, spans, list }
}

/// The diagnostics, each with the range of the text that it is about.
fn report(text: &str) -> String {
    let outcome = compile(text);
    let lines: Vec<String> = outcome
        .list
        .iter()
        .map(|diagnostic| {
            let ((line, from), (last, to)) = outcome.spans.position(diagnostic.span);
            let severity = format!("{:?}", diagnostic.severity).to_lowercase();
            let place = if line == last { format!("{line}:{from}-{to}") } else { format!("{line}:{from}-{last}:{to}") };
            format!("{severity} {place} {}", diagnostic.text())
        })
        .collect();
    lines.join("\n")
}
