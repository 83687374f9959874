//! What is known of a value: which rows of which arrays it depends on.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts};
use crate::ir::Type;

/// Stands for the edges among the leaves: what reads a row of it beyond the first or last one is not what other rows are.
const EDGES: usize = usize::MAX;

/// Rows of an array, relative to a row.
#[derive(Debug, Clone, PartialEq)]
enum Span {
    /// From one to another one.
    Rows {
        first: ArithExpr,
        last: ArithExpr,
        /// Rows beyond an edge stand for rows as far inside.
        folded: bool,
    },
    /// All.
    Whole,
}

/// What a value depends on.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reads {
    /// Which rows of which leaves of the parameters. Leaves that are not cut do not occur.
    rows: BTreeMap<usize, Span>,
    /// Whether it depends on the numbers of rows, or on how many there are.
    positions: bool,
}

/// What is known of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A scalar, or an array of anything.
    One {
        /// The dimension whose rows depend on different rows of parameters: row `i` on those that are told, relative to `i`. In what is
        /// computed for one row, there is none, and rows are relative to that one.
        along: Option<usize>,
        reads: Reads,
        /// The number that it is, or that each of its elements is, as a function of the row.
        number: Option<ArithExpr>,
    },
    /// A tuple, or an array of tuples as a tuple of arrays.
    Tuple(Vec<Value>),
}

impl Span {
    fn join(&mut self, other: &Span) {
        let joined = match (&*self, other) {
            (
                Span::Rows { first, last, folded },
                Span::Rows { first: other_first, last: other_last, folded: other_folded },
            ) => Span::Rows {
                first: first.min(other_first),
                last: last.max(other_last),
                folded: *folded || *other_folded,
            },
            _ => Span::Whole,
        };
        *self = joined;
    }
}

impl Reads {
    /// The same row of each of these leaves.
    pub(super) fn own_rows(leaves: impl Iterator<Item = usize>) -> Reads {
        let own = || Span::Rows { first: ArithExpr::zero(), last: ArithExpr::zero(), folded: false };
        Reads { rows: leaves.map(|leaf| (leaf, own())).collect(), positions: false }
    }

    /// What is different in so many rows at the edges.
    pub(super) fn edges(first: i64, last: i64) -> Reads {
        let (first, last) = (ArithExpr::cst(-first.max(0)), ArithExpr::cst(last.max(0)));
        let span = Span::Rows { first, last, folded: false };
        Reads { rows: BTreeMap::from([(EDGES, span)]), positions: false }
    }

    /// The numbers of rows.
    pub(super) fn positions() -> Reads {
        Reads { rows: BTreeMap::new(), positions: true }
    }

    /// Whether a value depends on numbers of rows.
    pub(super) fn has_positions(&self) -> bool {
        self.positions
    }

    /// Whether there is nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && !self.positions
    }

    /// Adds others.
    pub(super) fn join(&mut self, other: &Reads) {
        self.positions |= other.positions;
        for (leaf, span) in &other.rows {
            match self.rows.get_mut(leaf) {
                Some(own) => own.join(span),
                None => drop(self.rows.insert(*leaf, span.clone())),
            }
        }
    }

    /// All rows of all that is read.
    pub(super) fn whole(mut self) -> Reads {
        self.rows.values_mut().for_each(|span| *span = Span::Whole);
        self
    }

    /// What row `i` reads if it is what row `i + from` to row `i + to` were.
    pub(super) fn shifted(mut self, from: &ArithExpr, to: &ArithExpr) -> Reads {
        for span in self.rows.values_mut() {
            if let Span::Rows { first, last, .. } = span {
                (*first, *last) = (&*first + from, &*last + to);
            }
        }
        self
    }

    /// The same where rows beyond an edge stand for rows as far inside.
    pub(super) fn folded(mut self) -> Reads {
        for span in self.rows.values_mut() {
            if let Span::Rows { first, last, folded } = span {
                if *folded {
                    // They were folded before: rows on both sides count already.
                    let farthest = ArithExpr::max(last, &-first.clone());
                    (*first, *last) = (-farthest.clone(), farthest);
                }
                *folded = true;
            }
        }
        self
    }

    /// How many rows before and after a row are read, of any leaf.
    ///
    /// # Errors
    ///
    /// The leaf of which more than a known number is read.
    pub(super) fn reach(&self, facts: &Facts) -> Result<(i64, i64), usize> {
        let (mut before, mut after) = (0, 0);
        for (leaf, span) in &self.rows {
            let Span::Rows { first, last, folded } = span else { return Err(*leaf) };
            let number = |n: &ArithExpr| facts.simplify(n).as_const().ok_or(*leaf);
            let (own_before, own_after) = (-number(first)?, number(last)?);
            let farthest = own_before.max(own_after);
            let (own_before, own_after) =
                if *folded { (farthest, farthest) } else { (own_before, own_after) };
            (before, after) = (before.max(own_before), after.max(own_after));
        }
        Ok((before, after))
    }
}

impl Value {
    /// What depends on nothing that is cut.
    pub(super) fn free() -> Value {
        Value::new(None, Reads::default())
    }

    pub(super) fn new(along: Option<usize>, reads: Reads) -> Value {
        Value::One { along, reads, number: None }
    }

    /// A number, perhaps as a function of the row.
    pub(super) fn number(number: ArithExpr) -> Value {
        Value::computed(number, Reads::default())
    }

    /// The same that depends on these.
    pub(super) fn computed(number: ArithExpr, reads: Reads) -> Value {
        Value::One { along: None, reads, number: Some(number) }
    }

    /// The number that it is.
    pub(super) fn as_number(&self) -> Option<(&ArithExpr, &Reads)> {
        match self {
            Value::One { along: None, reads, number: Some(number) } => Some((number, reads)),
            Value::One { .. } | Value::Tuple(_) => None,
        }
    }

    /// The dimension and all that is read, as if parts of tuples were one value. Of two that have rows in different dimensions, the second
    /// is read as a whole.
    pub(super) fn flat(self) -> (Option<usize>, Reads) {
        match self {
            Value::One { along, mut reads, number } => {
                // A number that is the same for all rows, of all arrays, is no position.
                reads.positions |= number.is_some_and(|number| number.as_const().is_none());
                (along, reads)
            }
            Value::Tuple(parts) => {
                let parts = parts.into_iter().map(Value::flat);
                parts.reduce(joined).unwrap_or_default()
            }
        }
    }

    /// What depends on both, element by element.
    pub(super) fn joined(self, other: Value) -> Value {
        match (self, other) {
            (Value::Tuple(parts), Value::Tuple(others)) if parts.len() == others.len() => {
                Value::Tuple(parts.into_iter().zip(others).map(|(a, b)| a.joined(b)).collect())
            }
            (one, other) if one == other => one,
            (one, other) => {
                let (along, reads) = joined(one.flat(), other.flat());
                Value::new(along, reads)
            }
        }
    }

    /// The same that depends on these besides.
    pub(super) fn and(self, more: &Reads) -> Value {
        if more.is_empty() {
            return self;
        }
        self.each(|along, mut reads| {
            reads.join(more);
            Value::new(along, reads)
        })
    }

    /// What becomes of each part.
    pub(super) fn each(self, mut change: impl FnMut(Option<usize>, Reads) -> Value) -> Value {
        match self {
            Value::Tuple(parts) => {
                // A closure that is passed by reference ends the recursion of types.
                let change: &mut dyn FnMut(Option<usize>, Reads) -> Value = &mut change;
                Value::Tuple(parts.into_iter().map(|part| part.each(&mut *change)).collect())
            }
            value @ Value::One { .. } => {
                let (along, reads) = value.flat();
                change(along, reads)
            }
        }
    }

    /// Whether it, or a part, has different rows.
    pub(super) fn has_rows(&self) -> bool {
        match self {
            Value::One { along, .. } => *along == Some(0),
            Value::Tuple(parts) => parts.iter().any(Value::has_rows),
        }
    }

    /// What is read of a value that is needed as a whole.
    pub(super) fn whole(self) -> Reads {
        match self.flat() {
            (None, reads) => reads,
            (Some(_), reads) => reads.whole(),
        }
    }

    /// An array whose dimensions are others: what is known of one dimension is known of another one then, or, without, of all rows.
    pub(super) fn rearranged(self, dimension: impl Fn(usize) -> Option<usize>) -> Value {
        let dimension: &dyn Fn(usize) -> Option<usize> = &dimension;
        match self {
            Value::Tuple(parts) => {
                Value::Tuple(parts.into_iter().map(|part| part.rearranged(dimension)).collect())
            }
            Value::One { along: Some(along), reads, number } => match dimension(along) {
                Some(along) => Value::One { along: Some(along), reads, number },
                None => {
                    let all = Value::One { along: Some(along), reads, number };
                    Value::new(None, all.flat().1.whole())
                }
            },
            same @ Value::One { .. } => same,
        }
    }

    /// Row `i` is what row `i + by` was; `row` is how numbers call it.
    pub(super) fn shifted(self, by: &ArithExpr, row: &crate::arith::Var) -> Value {
        match self {
            Value::Tuple(parts) => {
                Value::Tuple(parts.into_iter().map(|part| part.shifted(by, row)).collect())
            }
            Value::One { along: Some(0), reads, number } => {
                let there = BTreeMap::from([(row.clone(), &ArithExpr::var(row) + by)]);
                let number = number.map(|number| number.substitute(&there));
                Value::One { along: Some(0), reads: reads.shifted(by, by), number }
            }
            value @ Value::One { .. } => value,
        }
    }

    /// An element of an array.
    pub(super) fn element(self) -> Value {
        match self {
            Value::Tuple(parts) => Value::Tuple(parts.into_iter().map(Value::element).collect()),
            Value::One { along, reads, number } => {
                Value::One { along: along.and_then(|dimension| dimension.checked_sub(1)), reads, number }
            }
        }
    }

    /// An element of an array, which may be any.
    pub(super) fn some_element(self) -> Value {
        self.rearranged(|dimension| dimension.checked_sub(1))
    }

    /// An array of such elements.
    pub(super) fn within(self) -> Value {
        self.rearranged(|dimension| Some(dimension + 1))
    }

    /// An array with such an element for each row.
    pub(super) fn in_rows(self) -> Value {
        match self {
            Value::Tuple(parts) => Value::Tuple(parts.into_iter().map(Value::in_rows).collect()),
            Value::One { along: None, reads, number } => Value::One { along: Some(0), reads, number },
            // For each row there are rows again.
            Value::One { along: Some(_), reads, .. } => Value::new(Some(0), reads.whole()),
        }
    }

    /// What is known of each leaf of a value of this type.
    pub(super) fn leaves(self, ty: &Type, all: &mut Vec<(Option<usize>, Reads)>) {
        match (self, ty) {
            (Value::Tuple(values), Type::Tuple(types)) => {
                values.into_iter().zip(types.iter()).for_each(|(value, ty)| value.leaves(ty, all));
            }
            (Value::Tuple(values), Type::Array(element, _)) => {
                Value::Tuple(values).leaves(element, all);
            }
            (value, ty) => all.extend(std::iter::repeat_n(value.flat(), ty.leaves().len())),
        }
    }
}

fn joined(
    (along, mut reads): (Option<usize>, Reads),
    (other, other_reads): (Option<usize>, Reads),
) -> (Option<usize>, Reads) {
    let is_same = along.is_none() || other.is_none() || along == other;
    reads.join(&if is_same { other_reads } else { other_reads.whole() });
    (along.or(other), reads)
}
