//! Index arithmetic as text, in `isize`.

use crate::arith::{ArithExpr, Form};
use crate::host::names::Kind;
use crate::host::print::Printer;
use crate::view::Cond;

impl Printer<'_> {
    /// An index.
    pub(super) fn index(&mut self, e: &ArithExpr) -> String {
        let kernel = self.kernel;
        let form = e.form(&self.facts, &|v| kernel.is_size(v));
        self.form(&form)
    }

    /// An index of a slice.
    pub(super) fn place(&mut self, e: &ArithExpr) -> String {
        format!("({}) as usize", self.index(e))
    }

    /// A comparison.
    pub(super) fn cond(&mut self, cond: &Cond) -> String {
        let (a, op, b) = match cond {
            Cond::Less(a, b) => (a, "<", b),
            Cond::AtLeast(a, b) => (a, ">=", b),
        };
        // In parentheses, so that no `<` is taken for the start of type arguments.
        format!("(({}) {op} ({}))", self.index(a), self.index(b))
    }

    fn form(&mut self, form: &Form) -> String {
        match form {
            Form::Const(c) if *c < 0 => format!("({c}isize)"),
            Form::Const(c) => c.to_string(),
            Form::Var(v) => match self.kernel.strides.iter().find(|(stride, _)| stride == v) {
                Some((_, extent)) => format!("({})", self.index(&extent.clone())),
                None => self.names.of(Kind::Variable, v.id(), v.name()),
            },
            Form::Sum(items) => {
                let mut text = String::new();
                for item in items {
                    let (op, part) = match item {
                        Form::Neg(x) => (" - ", self.form(x)),
                        Form::Const(c) if *c < 0 => (" - ", c.unsigned_abs().to_string()),
                        item => (" + ", self.form(item)),
                    };
                    match (text.is_empty(), op) {
                        (true, " + ") => text = part,
                        (true, _) => text = format!("-{part}"),
                        (false, op) => text = text + op + &part,
                    }
                }
                format!("({text})")
            }
            Form::Product(items) => {
                let parts: Vec<String> = items.iter().map(|item| self.form(item)).collect();
                format!("({})", parts.join(" * "))
            }
            Form::Neg(x) => format!("(-{})", self.form(x)),
            Form::Div(a, b) => self.quotient("div", '/', a, b),
            Form::Mod(a, b) => self.quotient("rem", '%', a, b),
            Form::Min(items) => self.choice("min", items),
            Form::Max(items) => self.choice("max", items),
        }
    }

    /// By 0, where a loop around it has no trips, it is 0.
    fn quotient(&mut self, name: &str, op: char, a: &Form, b: &Form) -> String {
        let (dividend, divisor) = (self.form(a), self.form(b));
        match b {
            Form::Const(n) if *n > 0 => format!("({dividend} {op} {divisor})"),
            _ => format!("host::math::{name}({dividend}, {divisor})"),
        }
    }

    fn choice(&mut self, name: &str, items: &[Form]) -> String {
        let parts: Vec<String> = items.iter().map(|item| self.form(item)).collect();
        let first = parts.first().cloned().unwrap_or_default();
        parts.iter().skip(1).fold(first, |text, next| format!("isize::{name}({text}, {next})"))
    }
}
