//! `#[strategy(rows: tile2d(1, 4).to_private())]`: steps that lead to one more version. Code L0190.

use syn::Token;
use syn::parse::ParseStream;

use super::{ADD_OR_MOVE, Attribute, On};
use crate::diag::faults;
use crate::ir::strategy::UNNAMED;
use crate::ir::{UserStep, UserStrategy};
use crate::span::Span;
use crate::syntax::parser::Parser;

pub(super) static STRATEGY: Attribute = Attribute {
    name: "strategy",
    usage: "strategy(tile2d(2, 4).to_private())",
    about: "steps that lead to one version more",
    on: On::Kernels("L0190", "only a kernel has versions", ADD_OR_MOVE),
    read: |parser, meta, span, attributes| {
        attributes.options.strategies.extend(parser.user_strategy(meta, span));
    },
};

impl Parser<'_> {
    /// Reads the attribute, whose place is `span`.
    fn user_strategy(&mut self, meta: &syn::Meta, span: Span) -> Option<UserStrategy> {
        let read = meta.require_list().and_then(|list| list.parse_args_with(chain));
        let Ok((name, expr)) = read else { return self.fault(None, no_steps(span)) };
        let (name, named) = match &name {
            Some(ident) => {
                let name = self.ident(ident);
                (name.name, name.span)
            }
            None => (UNNAMED.to_string(), span),
        };
        let mut steps = Vec::new();
        self.steps(&expr, &mut steps)?;
        Some(UserStrategy { name, named, steps, span })
    }

    /// The steps of a chain of calls; `None` if it is something else.
    fn steps(&mut self, expr: &syn::Expr, steps: &mut Vec<UserStep>) -> Option<()> {
        let mut links = Vec::new();
        let mut rest = expr;
        while let syn::Expr::MethodCall(call) = rest {
            links.push(call);
            rest = &call.receiver;
        }
        let first = match rest {
            syn::Expr::Call(call) => match &*call.func {
                syn::Expr::Path(path) => path.path.get_ident().map(|name| (name, &call.args)),
                _ => None,
            },
            _ => None,
        };
        let Some((name, args)) = first else {
            self.report_at(rest, |span| no_step(span, name_alone(rest).as_deref()));
            return None;
        };
        let whole = self.whole(rest);
        steps.push(self.step_of(name, args.iter(), whole));
        for call in links.into_iter().rev() {
            let span = self.span(call.method.span(), call.paren_token.span.close());
            if call.turbofish.is_some() {
                self.report(no_step(span, Some(&call.method.to_string())));
                return None;
            }
            steps.push(self.step_of(&call.method, call.args.iter(), span));
        }
        Some(())
    }

    fn step_of<'a>(
        &mut self,
        name: &syn::Ident,
        args: impl Iterator<Item = &'a syn::Expr>,
        span: Span,
    ) -> UserStep {
        let args = args.map(|arg| (number(arg), self.whole(arg))).collect();
        let name = self.ident(name);
        UserStep { name: name.name, named: name.span, args, span }
    }
}

/// The name, if there is one, and a chain of calls, if it is one.
fn chain(input: ParseStream<'_>) -> syn::Result<(Option<syn::Ident>, syn::Expr)> {
    let has_name = input.peek(syn::Ident) && input.peek2(Token![:]) && !input.peek2(Token![::]);
    let name = match has_name {
        true => {
            let name = input.parse()?;
            input.parse::<Token![:]>()?;
            Some(name)
        }
        false => None,
    };
    Ok((name, input.parse()?))
}

fn number(arg: &syn::Expr) -> Option<i64> {
    match arg {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) if n.suffix().is_empty() => {
            n.base10_parse().ok()
        }
        _ => None,
    }
}

/// The name of a step without parentheses.
fn name_alone(expr: &syn::Expr) -> Option<String> {
    match expr {
        syn::Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        syn::Expr::Field(field) => match &field.member {
            syn::Member::Named(name) => Some(name.to_string()),
            syn::Member::Unnamed(_) => None,
        },
        _ => None,
    }
}

faults! { pub(super),
    "L0190" no_steps(): "`#[strategy(..)]` takes steps, one after the other",
        help "write `#[strategy(tile2d(2, 4).to_private())]`; or with a name, \
              `#[strategy(blocks: tile2d(2, 4).to_private())]`";
    "L0190" no_step(name: Option<&str>): "a step of a strategy is a name with numbers in parentheses, or none",
        help "write {}" (name.map_or("`tile2d(2, 4).to_private()`, for example".into(), |name| format!("`{name}()`")));
}
