//! The content of a macro call: items, then an expression if there is one.
//!
//! Items are read one at a time, so that a mistake in one does not hide those in the others; the name of an
//! item that cannot be read is kept in [`Block::broken`], so that its uses do not report it again.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Token;
use syn::buffer::Cursor;
use syn::parse::{ParseStream, Parser as _};

use super::ast::{Alias, Block, Const, Expr, ExprKind, Surface};
use super::attributes::Attributes;
use super::error;
use super::guard;
use super::parse_type::type_text;
use super::parser::Parser;
use super::{error_grammar, error_rust};
use crate::diag::{Diagnostic, Diagnostics};
use crate::span::{Span, SpanTable};

/// Reads the content of a macro call. Mistakes are in `diags`; what could be read is in the block.
pub fn parse(tokens: TokenStream, spans: &mut SpanTable, diags: &mut Diagnostics) -> Block {
    parse_with(tokens, Parser::new(spans, diags, false))
}

/// [`parse`] for the prelude, whose spans all stand for the macro call.
pub(super) fn parse_prelude(tokens: TokenStream, diags: &mut Diagnostics) -> Block {
    parse_with(tokens, Parser::new(&mut SpanTable::new(), diags, true))
}

fn parse_with(tokens: TokenStream, mut parser: Parser<'_>) -> Block {
    let mut block = Block::default();
    if tokens.is_empty() {
        parser.report(error_grammar::nothing(Span::default()));
    } else if let Some(place) = guard::too_deep(&tokens) {
        let span = parser.span(place, place);
        parser.report(error::too_deep(span));
    } else {
        parser.tokens = tokens.clone();
        parser.content(flatten(tokens), &mut block);
        for (name, fault) in std::mem::take(&mut parser.generic_types) {
            if !block.broken.contains(&name) {
                parser.report(fault);
            }
        }
    }
    block
}

/// The content without a pair of braces around all of it, and without the invisible groups in which
/// `macro_rules!` passes on whole items.
fn flatten(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    if let [TokenTree::Group(group)] = trees.as_slice()
        && matches!(group.delimiter(), Delimiter::Brace | Delimiter::None)
    {
        return flatten(group.stream());
    }
    let splice = |tree: TokenTree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None && holds_item(&group) => {
            flatten(group.stream())
        }
        tree => TokenStream::from(tree),
    };
    trees.into_iter().map(splice).collect()
}

fn holds_item(group: &Group) -> bool {
    match group.stream().into_iter().next() {
        Some(TokenTree::Punct(punct)) => punct.as_char() == '#',
        Some(TokenTree::Ident(ident)) => {
            matches!(ident.to_string().as_str(), "fn" | "pub" | "const" | "type" | "struct" | "enum" | "use")
        }
        _ => false,
    }
}

impl Parser<'_> {
    fn content(&mut self, tokens: TokenStream, block: &mut Block) {
        let before = self.errors();
        let read = |input: ParseStream<'_>| {
            while !input.is_empty() {
                if !self.item(input, block) {
                    self.rest(input, block);
                }
            }
            Ok(())
        };
        // The closure reads everything and fails never, but syn remembers what it left within groups.
        let result = read.parse2(tokens);
        if let Err(fault) = result
            && self.errors() == before
        {
            self.not_rust(&fault);
        }
    }

    /// Reads one item; `false` when there is none.
    fn item(&mut self, input: ParseStream<'_>, block: &mut Block) -> bool {
        let attributes = match self.attributes(input) {
            Ok(attributes) => attributes,
            Err(fault) => {
                self.not_rust(&fault);
                skip_item(input);
                return true;
            }
        };
        let Some((word, name)) = item_start(input) else {
            if !attributes.is_empty() {
                let span = attributes.span;
                self.report(error::attribute_on_expression(span));
                block.result = Some(Expr::error(span));
                skip_all(input);
            }
            return !attributes.is_empty();
        };
        let result = match word.as_str() {
            "fn" => self.function(input, attributes, block),
            "const" => self.constant(input, attributes, block),
            "type" => self.alias(input, attributes, block),
            "struct" => self.structure(input, attributes, block),
            _ => {
                block.broken.extend(name.clone());
                self.other_item(input, block)
            }
        };
        if let Err(fault) = result {
            self.not_rust(&fault);
            block.broken.extend(name);
            skip_item(input);
        }
        true
    }

    fn constant(
        &mut self,
        input: ParseStream<'_>,
        attributes: Attributes,
        block: &mut Block,
    ) -> syn::Result<()> {
        let visibility = visibility(input)?;
        let start = input.cursor();
        let item: syn::ItemConst = input.parse()?;
        let tokens = tokens_between(start, input.cursor());
        self.no_lift_attributes(&attributes, "a constant");
        let name = self.ident(&item.ident);
        if !item.generics.params.is_empty() {
            self.report(error::generic_item(name.span, "a constant"));
        }
        let ty = self.ty(&item.ty);
        let value = self.expr(&item.expr);
        let surface =
            Surface { ident: Some(item.ident), visibility, attributes: attributes.others, item: tokens };
        block.consts.push(Const { name, ty, value, surface });
        Ok(())
    }

    fn alias(
        &mut self,
        input: ParseStream<'_>,
        attributes: Attributes,
        block: &mut Block,
    ) -> syn::Result<()> {
        let item: syn::ItemType = input.parse()?;
        self.no_lift_attributes(&attributes, "a type alias");
        let name = self.ident(&item.ident);
        if item.generics.params.is_empty() {
            let ty = self.ty(&item.ty);
            block.aliases.push(Alias { name, ty });
        } else {
            self.report(error::generic_item(name.span, "a type alias"));
            block.broken.push(name.name);
        }
        Ok(())
    }

    fn other_item(&mut self, input: ParseStream<'_>, block: &mut Block) -> syn::Result<()> {
        let item: syn::Item = input.parse()?;
        let span = self.whole(&item);
        self.report(match item {
            syn::Item::Enum(item) => {
                let case = item.variants.first().map_or("A".into(), |case| case.ident.to_string());
                error_rust::enumeration(span, &item.ident.to_string(), &case)
            }
            syn::Item::Union(item) => error_rust::enumeration(span, &item.ident.to_string(), "A"),
            syn::Item::Static(_) => error_rust::static_item(span),
            syn::Item::Use(item) => {
                let mut names = Vec::new();
                let path = imported(&item.tree, String::new(), &mut names);
                // They are what the mistake is about, wherever they are used.
                block.broken.extend(names);
                error_rust::use_item(span, &path)
            }
            syn::Item::Macro(item) => macro_fault(span, &item.mac),
            syn::Item::Impl(item) => {
                let method = item.items.iter().find_map(|inner| match inner {
                    syn::ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
                    _ => None,
                });
                let method = method.unwrap_or_else(|| "f".into());
                error_rust::implementation(span, &type_text(&item.self_ty), &method)
            }
            syn::Item::Trait(_) | syn::Item::TraitAlias(_) => error_rust::trait_item(span),
            syn::Item::Mod(_) => error_rust::module(span),
            _ => error_rust::unsupported_item(span),
        });
        Ok(())
    }

    /// Reads `let`s and the expression of the expression form, between which items may stand.
    fn rest(&mut self, input: ParseStream<'_>, block: &mut Block) {
        let mut statements = Vec::new();
        let before = self.errors();
        let (first, mut last) = (input.span(), input.span());
        while !input.is_empty() {
            if self.item(input, block) {
                continue;
            }
            last = input.span();
            let statement = if input.peek(Token![let]) {
                input.parse::<syn::Stmt>()
            } else {
                input.parse().and_then(|expr| Ok(syn::Stmt::Expr(expr, input.parse()?)))
            };
            match statement {
                Ok(statement) => {
                    if matches!(statement, syn::Stmt::Expr(_, None)) && !input.is_empty() {
                        let stop = input.span();
                        let span = self.span(stop, stop);
                        let around = self.around(stop);
                        self.report(error_grammar::text_after_expression(span, &around));
                        skip_all(input);
                    }
                    statements.push(statement);
                }
                Err(fault) => {
                    self.not_rust(&fault);
                    skip_all(input);
                }
            }
        }
        let span = self.span(first, last);
        let failed = self.errors() > before;
        let kind = match statements.as_slice() {
            _ if failed => ExprKind::Error,
            [syn::Stmt::Expr(expr, None)] => {
                block.result = Some(self.expr(expr));
                return;
            }
            statements => self.statements(statements, span),
        };
        block.result = Some(Expr { kind, span });
    }
}

/// What is said about the call of a macro.
pub(super) fn macro_fault(span: Span, called: &syn::Macro) -> Diagnostic {
    let name = called.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    error_rust::macro_inside(span, &name, &called.tokens.to_string())
}

/// The names that `use` brings in; the first path that it mentions.
fn imported(tree: &syn::UseTree, path: String, names: &mut Vec<String>) -> String {
    match tree {
        syn::UseTree::Path(inner) => imported(&inner.tree, format!("{path}{}::", inner.ident), names),
        syn::UseTree::Name(name) => {
            names.push(name.ident.to_string());
            format!("{path}{}", name.ident)
        }
        syn::UseTree::Rename(name) => {
            names.push(name.rename.to_string());
            format!("{path}{}", name.ident)
        }
        syn::UseTree::Glob(_) => path,
        syn::UseTree::Group(group) => {
            let paths: Vec<String> =
                group.items.iter().map(|tree| imported(tree, path.clone(), names)).collect();
            paths.into_iter().next().unwrap_or(path)
        }
    }
}

/// The keyword of the item that starts here, after its visibility, and its name.
fn item_start(input: ParseStream<'_>) -> Option<(String, Option<String>)> {
    let ahead = input.fork();
    let public = ahead.peek(Token![pub]);
    ahead.parse::<syn::Visibility>().ok()?;
    let mut words = Vec::new();
    while words.len() < 8 {
        if let Some((ident, _)) = ahead.cursor().ident() {
            words.push(ident.to_string());
        } else if words.last().is_none_or(|word| word != "extern") || ahead.cursor().literal().is_none() {
            break;
        }
        skip_token(&ahead);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let function = words.iter().position(|word| *word == "fn");
    let (word, name) = match words.as_slice() {
        // `const { … }`, `async move { … }` and the like are expressions.
        ["fn" | "const" | "async" | "unsafe" | "extern" | "default", ..] if function.is_some() => {
            ("fn", function.and_then(|at| words.get(at + 1)))
        }
        ["const" | "type" | "struct" | "enum" | "union", name, ..] => (words[0], Some(name)),
        ["static" | "use" | "mod" | "trait" | "impl" | "extern", ..] => (words[0], None),
        ["unsafe", "impl" | "trait" | "mod" | "extern", ..] => (words[0], None),
        ["macro_rules", ..] if ahead.peek(Token![!]) => (words[0], None),
        // Whatever it is, it is meant to be an item.
        _ if public => ("pub", None),
        _ => return None,
    };
    Some((word.to_string(), name.map(|name| name.to_string())))
}

/// Moves on by one token or group.
fn skip_token(input: ParseStream<'_>) {
    // Where there is a token there is a token tree.
    let _ = input.parse::<TokenTree>();
}

fn skip_all(input: ParseStream<'_>) {
    while !input.is_empty() {
        skip_token(input);
    }
}

/// Moves to the end of an item that cannot be read.
fn skip_item(input: ParseStream<'_>) {
    while let Some((token, _)) = input.cursor().token_tree() {
        skip_token(input);
        match &token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return,
            TokenTree::Punct(punct) if punct.as_char() == ';' => return,
            _ => {}
        }
    }
}

/// The tokens from one place up to another.
pub(super) fn tokens_between(mut from: Cursor<'_>, to: Cursor<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    while from < to {
        let Some((token, next)) = from.token_tree() else { break };
        tokens.extend([token]);
        from = next;
    }
    tokens
}

/// `pub`, `pub(crate)`, nothing: read, and given as it is written.
pub(super) fn visibility(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let start = input.cursor();
    input.parse::<syn::Visibility>()?;
    Ok(tokens_between(start, input.cursor()))
}
