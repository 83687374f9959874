//! Expressions with the type after every step, for people who want to see what the type checker saw.

use std::fmt::Write;

use crate::arith::Facts;
use crate::ir::expr::{Arg, Expr, Kind, Lambda};
use crate::ir::prim::Prim;
use crate::ir::types::Type;

/// Texts up to this width stand on one line.
const SHORT: usize = 60;

/// The types stand in this column, unless the text is longer.
const COLUMN: usize = 56;

/// An expression, one step of a chain a line, each with its type in the simplest form that the facts allow.
pub fn typed(e: &Expr, facts: &Facts) -> String {
    let mut lines = Lines { facts, out: String::new() };
    lines.expr(e, "", 0);
    lines.out
}

struct Lines<'f> {
    facts: &'f Facts,
    out: String,
}

impl Lines<'_> {
    fn line(&mut self, text: &str, ty: Option<&Type>, depth: usize) {
        let text = format!("{}{text}", "    ".repeat(depth));
        let _infallible = match ty {
            Some(ty) => writeln!(self.out, "{text:COLUMN$} : {}", ty.map_sizes(&|n| self.facts.simplify(n))),
            None => writeln!(self.out, "{text}"),
        };
    }

    /// An expression that something stands before.
    fn expr(&mut self, e: &Expr, before: &str, depth: usize) {
        match e.kind() {
            Kind::Let(param, value, body) => {
                self.expr(value, &format!("let {} = ", param.name), depth);
                self.expr(body, before, depth);
            }
            Kind::Prim(..) => self.chain(e, before, depth),
            Kind::Tuple(parts) if is_long(e) => {
                self.line(&format!("{before}("), Some(e.ty()), depth);
                parts.iter().for_each(|part| self.expr(part, "", depth + 1));
                self.line(")", None, depth);
            }
            _ => self.line(&format!("{before}{e}"), Some(e.ty()), depth),
        }
    }

    /// The head of a chain, then its links.
    fn chain(&mut self, e: &Expr, before: &str, depth: usize) {
        let mut links = Vec::new();
        let mut head = e;
        while let Some((prim, [init @ .., Arg::Data(data)])) = head.as_prim() {
            if matches!(prim, Prim::Zip | Prim::ScatterTo) {
                break;
            }
            links.push((head, prim, init));
            head = data;
        }
        match head.as_prim() {
            Some((prim, args)) => self.call(before, prim, args, head.ty(), depth),
            None => self.line(&format!("{before}{head}"), Some(head.ty()), depth),
        }
        for (link, prim, args) in links.into_iter().rev() {
            self.call(".", prim, args, link.ty(), depth + 1);
        }
    }

    /// A call; functions that are long have lines of their own.
    fn call(&mut self, before: &str, prim: Prim, args: &[Arg], ty: &Type, depth: usize) {
        let dimension = prim.dimension().map(|d| d.to_string());
        let texts: Vec<String> = dimension.iter().cloned().chain(args.iter().map(text)).collect();
        let one = format!("{before}{}({})", prim.name(), texts.join(", "));
        if one.len() <= SHORT && !one.contains('\n') {
            return self.line(&one, Some(ty), depth);
        }
        self.line(&format!("{before}{}(", prim.name()), Some(ty), depth);
        dimension.iter().for_each(|d| self.line(d, None, depth + 1));
        for arg in args {
            match arg {
                Arg::Fun(f) => self.lambda(f, depth + 1),
                Arg::Data(x) => self.expr(x, "", depth + 1),
                Arg::Size(_) | Arg::Boundary(_) => self.line(&text(arg), None, depth + 1),
            }
        }
        self.line(")", None, depth);
    }

    fn lambda(&mut self, f: &Lambda, depth: usize) {
        for param in &f.params {
            self.line(&format!("|{}|", param.name), Some(&param.ty), depth);
        }
        self.expr(&f.body, "", depth + 1);
    }
}

fn is_long(e: &Expr) -> bool {
    let text = e.to_string();
    text.len() > SHORT || text.contains('\n')
}

fn text(arg: &Arg) -> String {
    match arg {
        Arg::Data(x) => x.to_string(),
        Arg::Fun(f) => f.to_string(),
        Arg::Size(n) => n.to_string(),
        Arg::Boundary(b) => b.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline::compile;

    #[test]
    fn every_step_has_its_type() {
        let text = "#[kernel] fn Mean<N>(xs: [f32; N]) -> [f32; N] {
            xs.pad(1, 1, clamp).slide(3, 1).map(|w| w.reduce(add, 0.0) / 3.0)
        }";
        let kernels = compile(text.parse().unwrap_or_default()).kernels;
        let lines = kernels.first().map(|compiled| compiled.types.clone()).unwrap_or_default();
        let lines: Vec<&str> = lines.lines().map(str::trim_end).collect();
        let squeezed: Vec<String> =
            lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(
            squeezed,
            [
                "xs : [f32; N]",
                ".pad(1, 1, clamp) : [f32; N + 2]",
                ".slide(3, 1) : [[f32; 3]; N]",
                ".map(|w| w.reduce(|x, y| x + y, 0.0) / 3.0) : [f32; N]",
            ]
        );
    }
}
