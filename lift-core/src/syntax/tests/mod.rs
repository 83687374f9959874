//! Tests of the front end, from text to resolved terms and diagnostics.

mod bad_calls;
mod bad_names;
mod bad_shape;
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
    print::check(&program);
    let list = diags.finish(&spans);
    Outcome { block, program, spans, list }
}

/// Resolves a text that has no mistakes, and prints what came of it.
fn resolved(text: &str) -> String {
    let outcome = compile(&dedent(text));
    let list: Vec<String> = outcome.list.iter().map(Diagnostic::text).collect();
    assert!(list.is_empty(), "{text}\n{}", list.join("\n"));
    print::program(&outcome.program)
}

/// The diagnostics of a text, each with the range of the text that it is about.
fn report(text: &str) -> String {
    let outcome = compile(&dedent(text));
    let line = |diagnostic: &Diagnostic| {
        let ((line, from), (last, to)) = outcome.spans.position(diagnostic.span);
        let severity = format!("{:?}", diagnostic.severity).to_lowercase();
        let end = if line == last { to.to_string() } else { format!("{last}:{to}") };
        format!("{severity} {line}:{from}-{end} {}", diagnostic.text())
    };
    let lines: Vec<String> = outcome.list.iter().map(line).collect();
    lines.join("\n")
}

/// The text without the indentation that it has in these files.
fn dedent(text: &str) -> String {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let common = lines().map(indentation).min().unwrap_or(0);
    let lines: Vec<&str> = text.lines().map(|line| line.get(common..).unwrap_or("")).collect();
    lines.join("\n")
}
