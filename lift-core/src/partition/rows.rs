//! Which rows each value in a kernel depends on, from the inside of its expression out.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Facts, Var};
use crate::budget;
use crate::ir::build::fresh_id;
use crate::ir::{BinaryOp, Expr, Kernel, Kind, Lambda, Scalar};

use super::reads::{Reads, Value};

/// What is known while an expression is looked through.
pub(super) struct Rows<'a> {
    pub(super) facts: &'a Facts,
    /// The size that is cut.
    pub(super) size: &'a Var,
    /// What is known of each variable.
    pub(super) variables: BTreeMap<u32, Value>,
    /// The variables that are the same for all rows.
    pub(super) outer: BTreeSet<u32>,
    /// The row that a value is computed for.
    pub(super) row: Var,
    /// How many loops over rows are around.
    pub(super) depth: usize,
    /// Whether an array is periodic along the cut, and whether one is not.
    pub(super) is_periodic: bool,
    pub(super) has_edges: bool,
}

/// What is known of a value, or why the kernel cannot be cut.
pub(super) type Known = Result<Value, String>;

impl<'a> Rows<'a> {
    pub(super) fn new(kernel: &'a Kernel, size: &'a Var, variables: BTreeMap<u32, Value>) -> Rows<'a> {
        Rows {
            facts: &kernel.facts,
            size,
            outer: variables.keys().copied().collect(),
            variables,
            row: Var::new(fresh_id(), "row"),
            depth: 0,
            is_periodic: false,
            has_edges: false,
        }
    }

    /// What is known of a value.
    pub(super) fn value(&mut self, e: &Expr) -> Known {
        budget::step();
        Ok(match e.kind() {
            Kind::Param(param) => self.variables.get(&param.id).cloned().unwrap_or_else(Value::free),
            Kind::Literal(literal) => {
                let number = literal.as_int().and_then(|n| i64::try_from(n).ok());
                number.map_or_else(Value::free, |n| Value::number(ArithExpr::cst(n)))
            }
            // Other sizes are what they are in all parts.
            Kind::Size(n) if n.contains(self.size) => Value::number(n.clone()),
            Kind::Size(n) => n.as_const().map_or_else(Value::free, |n| Value::number(ArithExpr::cst(n))),
            Kind::Unary(_, x) => changed(self.value(x)?),
            Kind::Cast(scalar, x) => {
                let is_wide =
                    matches!(scalar, Scalar::I32 | Scalar::I64 | Scalar::U32 | Scalar::U64 | Scalar::Usize);
                let x = self.value(x)?;
                if is_wide { x } else { changed(x) }
            }
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.binary(*op, a, b)
            }
            Kind::Math(_, args) => changed(self.joined(args)?),
            Kind::If(condition, yes, no) => {
                let condition = self.value(condition)?.whole();
                self.value(yes)?.joined(self.value(no)?).and(&condition)
            }
            Kind::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| self.value(part)).collect::<Result<_, _>>()?)
            }
            Kind::Field(tuple, part) => match self.value(tuple)? {
                Value::Tuple(mut parts) if *part < parts.len() => parts.swap_remove(*part),
                value => value,
            },
            Kind::ArrayLiteral(elements) => self.joined(elements)?.within(),
            Kind::Let(param, value, body) => {
                let value = self.value(value)?;
                self.with(&[param.id], &[value], body)?
            }
            Kind::Prim(prim, args) => self.prim(*prim, args, e.ty())?,
        })
    }

    fn joined(&mut self, all: &[Expr]) -> Known {
        let mut joined: Option<Value> = None;
        for e in all {
            let value = self.value(e)?;
            joined = Some(match joined {
                Some(joined) => joined.joined(value),
                None => value,
            });
        }
        Ok(joined.unwrap_or_else(Value::free))
    }

    /// An operation, which may be one of numbers.
    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let (Some((x, reads)), Some((y, more))) = (a.as_number(), b.as_number()) else {
            return changed(a.joined(b));
        };
        let (mut reads, difference) = (reads.clone(), x - y);
        reads.join(more);
        match (op, y.as_const()) {
            (BinaryOp::Add, _) => Value::computed(x + y, reads),
            // Rows for which it is below 0 are few.
            (BinaryOp::Sub, Some(less)) => {
                reads.join(&Reads::edges(less, 0));
                Value::computed(difference, reads)
            }
            _ => match self.about_edges(op, &difference) {
                Some(edges) => {
                    reads.join(&edges);
                    Value::new(None, reads)
                }
                None => changed(a.joined(b)),
            },
        }
    }

    /// The edges at which the comparison of a number with 0 depends on the row, if it does not elsewhere.
    fn about_edges(&mut self, op: BinaryOp, number: &ArithExpr) -> Option<Reads> {
        let (rows, rest) = number.linear_in(&self.row)?;
        let (rest, is_reversed) = match rows.as_const() {
            Some(0) if op.is_comparison() => {
                return self.facts.simplify(&rest).as_const().map(|_| Reads::default());
            }
            Some(1) => (rest, false),
            Some(-1) => (-rest, true),
            _ => return None,
        };
        // Of `row + rest`: whether 0 is with what is below it, with what is above, or neither.
        let (with_below, with_above) = match (op, is_reversed) {
            (BinaryOp::Lt | BinaryOp::Ge, false) | (BinaryOp::Gt | BinaryOp::Le, true) => (false, true),
            (BinaryOp::Lt | BinaryOp::Ge, true) | (BinaryOp::Gt | BinaryOp::Le, false) => (true, false),
            (BinaryOp::Eq | BinaryOp::Ne, _) => (false, false),
            _ => return None,
        };
        let number = |n: &ArithExpr| self.facts.simplify(n).as_const();
        let (first, last) = match (number(&rest), number(&(&rest + &ArithExpr::var(self.size)))) {
            // It is 0 in row -n, before which it is below,
            (Some(n), _) => (if with_above { -n } else { 1 - n }, 0),
            // or in the n-th last, after which it is above.
            (None, Some(n)) => (0, if with_below { n - 1 } else { n }),
            (None, None) => return None,
        };
        self.has_edges = true;
        Some(Reads::edges(first, last))
    }

    /// What a body is with these variables.
    pub(super) fn with(&mut self, variables: &[u32], values: &[Value], body: &Expr) -> Known {
        let pairs = variables.iter().zip(values);
        let before: Vec<Option<Value>> =
            pairs.map(|(variable, value)| self.variables.insert(*variable, value.clone())).collect();
        if self.depth == 0 {
            self.outer.extend(variables);
        }
        let found = self.value(body);
        for (variable, before) in variables.iter().zip(before) {
            match before {
                Some(before) => drop(self.variables.insert(*variable, before)),
                None => drop(self.variables.remove(variable)),
            }
        }
        found
    }

    /// What a function makes of these arguments.
    pub(super) fn apply(&mut self, f: &Lambda, args: &[Value]) -> Known {
        let params: Vec<u32> = f.params.iter().map(|param| param.id).collect();
        self.with(&params, args, &f.body)
    }

    /// What a function makes of these arguments for each row.
    pub(super) fn apply_to_rows(&mut self, f: &Lambda, args: &[Value]) -> Known {
        self.depth += 1;
        let found = self.apply(f, args);
        self.depth -= 1;
        found.map(Value::in_rows)
    }
}

/// A value that is no longer the number that it was.
pub(super) fn changed(value: Value) -> Value {
    value.each(Value::new)
}
