//! Text for people: messages, dumps, snapshots.
//!
//! Before: an expression or a [`Form`]. After: its text, with `/` and `%` as floor division for expressions.
//! Products are tight, everything else has spaces: `(N - 2) / 4`, `2*R + 1`, `min(N, M)`.

use std::fmt::{Display, Formatter, Result};

use super::form::Form;
use super::poly::ArithExpr;

impl Display for ArithExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        // Most sizes are numbers or variables.
        match (self.as_const(), self.as_var()) {
            (Some(number), _) => write!(f, "{number}"),
            (_, Some(var)) => f.write_str(var.name()),
            _ => self.plain_form().fmt(f),
        }
    }
}

impl Display for Form {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Form::Const(c) => write!(f, "{c}"),
            Form::Var(v) => write!(f, "{v}"),
            Form::Sum(items) => sum(items, f),
            Form::Product(factors) => {
                for (i, factor) in factors.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { "*" })?;
                    operand(factor, f)?;
                }
                Ok(())
            }
            Form::Neg(x) => {
                f.write_str("-")?;
                product_or_operand(x, f)
            }
            Form::Div(a, b) => binary(a, " / ", b, f),
            Form::Mod(a, b) => binary(a, " % ", b, f),
            Form::Min(ops) => call("min", ops, f),
            Form::Max(ops) => call("max", ops, f),
        }
    }
}

fn sum(items: &[Form], f: &mut Formatter<'_>) -> Result {
    for (i, item) in items.iter().enumerate() {
        match item {
            _ if i == 0 => summand(item, f)?,
            Form::Const(c) if *c < 0 => write!(f, " - {}", c.unsigned_abs())?,
            Form::Neg(x) => {
                f.write_str(" - ")?;
                summand(x, f)?;
            }
            _ => {
                f.write_str(" + ")?;
                summand(item, f)?;
            }
        }
    }
    Ok(())
}

fn summand(form: &Form, f: &mut Formatter<'_>) -> Result {
    if matches!(form, Form::Sum(_)) { write!(f, "({form})") } else { form.fmt(f) }
}

fn binary(a: &Form, operator: &str, b: &Form, f: &mut Formatter<'_>) -> Result {
    product_or_operand(a, f)?;
    f.write_str(operator)?;
    operand(b, f)
}

fn product_or_operand(form: &Form, f: &mut Formatter<'_>) -> Result {
    if matches!(form, Form::Product(_)) { form.fmt(f) } else { operand(form, f) }
}

/// In parentheses, unless nothing around could tear it apart.
fn operand(form: &Form, f: &mut Formatter<'_>) -> Result {
    match form {
        Form::Const(c) if *c >= 0 => form.fmt(f),
        Form::Var(_) | Form::Min(_) | Form::Max(_) => form.fmt(f),
        Form::Const(_) | Form::Sum(_) | Form::Product(_) | Form::Neg(_) | Form::Div(..) | Form::Mod(..) => {
            write!(f, "({form})")
        }
    }
}

fn call(name: &str, ops: &[Form], f: &mut Formatter<'_>) -> Result {
    write!(f, "{name}(")?;
    for (i, op) in ops.iter().enumerate() {
        f.write_str(if i == 0 { "" } else { ", " })?;
        op.fmt(f)?;
    }
    f.write_str(")")
}
