//! Index arithmetic as text.

use lift_spec::macros::INDEX;

use crate::arith::{ArithExpr, Form, Var};
use crate::imp::index_arithmetic::{Comparison, Width};
use crate::opencl::print::Printer;
use crate::opencl::{Text, prec};
use crate::view::Cond;

impl Printer<'_> {
    /// An index, in `index_t`.
    pub(super) fn index(&self, e: &ArithExpr) -> Text {
        self.form(&self.forms.of(e), Width::Index)
    }

    /// An index expression as a value.
    pub(super) fn index_value(&self, e: &ArithExpr) -> Text {
        self.form(&self.forms.of(e), self.forms.width(e))
    }

    /// A comparison.
    pub(super) fn cond(&self, cond: &Cond) -> Text {
        let Comparison { left, op, right } = self.forms.cond(cond);
        let (a, b) = (self.form(&left, Width::Index), self.form(&right, Width::Index));
        Text::new(prec::COMPARE, format!("{} {op} {}", a.at(prec::ADD), b.at(prec::ADD)))
    }

    fn form(&self, form: &Form, width: Width) -> Text {
        match form {
            Form::Const(c) => {
                let suffix = if i32::try_from(*c).is_ok() { "" } else { "L" };
                Text::new(if *c < 0 { prec::UNARY } else { prec::ATOM }, format!("{c}{suffix}"))
            }
            Form::Var(v) => match width {
                Width::Index => Text::new(prec::ATOM, self.names.var(v.id())),
                Width::Wide => Text::new(prec::UNARY, format!("(long){}", self.names.var(v.id()))),
            },
            Form::Sum(items) => self.sum(items, width),
            Form::Product(items) => {
                let factors: Vec<String> = items
                    .iter()
                    .map(|x| match x {
                        Form::Div(..) | Form::Mod(..) => format!("({})", self.form(x, width).text),
                        x => self.form(x, width).at(prec::UNARY),
                    })
                    .collect();
                Text::new(prec::MUL, factors.join(" * "))
            }
            Form::Neg(x) => Text::new(prec::UNARY, format!("-{}", self.form(x, width).at(prec::UNARY))),
            Form::Div(a, b) | Form::Mod(a, b) if width == Width::Index && self.forms.is_wide(form) => {
                // Of sizes alone; the driver knows the number.
                let op = if matches!(form, Form::Div(..)) { '/' } else { '%' };
                let text = self.quotient(a, op, b, Width::Wide).text;
                Text::new(prec::UNARY, format!("({INDEX})({text})"))
            }
            Form::Div(a, b) => self.quotient(a, '/', b, width),
            Form::Mod(a, b) => self.quotient(a, '%', b, width),
            Form::Min(items) => self.choice("min", items, width),
            Form::Max(items) => self.choice("max", items, width),
        }
    }

    fn sum(&self, items: &[Form], width: Width) -> Text {
        let mut text = String::new();
        let (lines, others): (Vec<&Form>, Vec<&Form>) = items.iter().partition(|item| self.is_line(item));
        for item in lines.into_iter().chain(others) {
            let (minus, part) = match item {
                Form::Neg(x) => (true, self.form(x, width).at(prec::MUL)),
                Form::Const(c) if *c < 0 => (true, self.form(&Form::Const(-c), width).text),
                item => (false, self.form(item, width).at(prec::MUL)),
            };
            text.push_str(match (text.is_empty(), minus) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            });
            text.push_str(&part);
        }
        Text::new(prec::ADD, text)
    }

    /// Whether it is the name of the start of a row, from which the rest of an index is counted.
    fn is_line(&self, item: &Form) -> bool {
        let Form::Var(v) = item else { return false };
        let start = self.definitions.resolve(&ArithExpr::var(v));
        start.as_var().is_none() && start.terms_with(&|v| self.kernel.sizes.contains(v)) != ArithExpr::zero()
    }

    fn quotient(&self, a: &Form, op: char, b: &Form, width: Width) -> Text {
        let (a, b) = (self.form(a, width).at(prec::MUL), self.form(b, width).at(prec::UNARY));
        Text::new(prec::MUL, format!("{a} {op} {b}"))
    }

    /// Variable operands first, then sizes, then numbers. The builtins want operands of one type.
    fn choice(&self, name: &str, items: &[Form], width: Width) -> Text {
        let mut items: Vec<&Form> = items.iter().collect();
        items.sort_by_key(|form| self.rank(form));
        let ty = if width == Width::Index { INDEX } else { "long" };
        let mut operands = items.into_iter().map(|form| match form {
            form if width == Width::Index && self.is_int(form) => {
                format!("({ty}){}", self.form(form, width).at(prec::UNARY))
            }
            Form::Const(_) => format!("({ty}){}", self.form(form, width).at(prec::UNARY)),
            form => self.form(form, width).text,
        });
        let first = operands.next().unwrap_or_default();
        Text::new(prec::ATOM, operands.fold(first, |text, next| format!("{name}({text}, {next})")))
    }

    /// Whether the text is of type `int` whatever `index_t` is: numbers and tunables are.
    fn is_int(&self, form: &Form) -> bool {
        match form {
            Form::Const(_) => true,
            Form::Var(v) => self.kernel.tunables.contains(v),
            Form::Neg(x) => self.is_int(x),
            Form::Sum(xs) | Form::Product(xs) => xs.iter().all(|x| self.is_int(x)),
            Form::Div(a, b) | Form::Mod(a, b) => self.is_int(a) && self.is_int(b),
            // These convert their operands.
            Form::Min(_) | Form::Max(_) => false,
        }
    }

    fn rank(&self, form: &Form) -> u8 {
        match form {
            Form::Const(_) => 2,
            Form::Var(v) => u8::from(self.is_size(v)),
            Form::Neg(x) => self.rank(x),
            Form::Sum(xs) | Form::Product(xs) | Form::Min(xs) | Form::Max(xs) => {
                xs.iter().map(|x| self.rank(x)).min().unwrap_or(2)
            }
            Form::Div(a, b) | Form::Mod(a, b) => self.rank(a).min(self.rank(b)),
        }
    }

    fn is_size(&self, v: &Var) -> bool {
        self.kernel.is_size(v)
    }
}
