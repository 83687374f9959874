//! Tests of the arithmetic, and the notation they are written in.
//!
//! | what the arithmetic must do | where it is tested |
//! | --- | --- |
//! | one form for equal sums, products and powers | `golden::sums_and_products_expand`, `golden::shared_terms_of_minima_are_canonical` |
//! | the same result whatever the names, and every time | `stress::names_do_not_matter`, `fuzz::check` |
//! | indices of pad, slide, split, join, transpose and their compositions | `golden::case_1_…` to `case_27_…`, `golden::split_and_join`, `layouts` |
//! | divisors of two terms | `golden::case_29_binomial_divisor`, `case_31_exact_quarter`, `case_33_…`, `stays::dividend_just_too_large` |
//! | division and remainder of bounded variables | `golden::numbers`, `golden::case_35_…`, `case_39_…`, `stays::ranges_that_do_not_fit` |
//! | floor semantics; what may be negative is not treated as if it were not | `golden::numbers`, `stays::remainders_of_negative_dividends_stay_floor`, `stays::dividend_may_be_negative`, `fuzz::divisors_of_any_sign` |
//! | divisions of divisions; `a / d * d + a % d = a` | `golden::divisions_of_divisions`, `golden::recombination` |
//! | common factors, also polynomial ones | `golden::common_factors`, `golden::case_37_factors_cancel`, `stays::factors_that_are_not_common` |
//! | divisibility facts: used where known, never assumed | `golden::exact_sizes_of_a_matrix_of_tiles`, `golden::symbolic_multiples`, `proofs::divisibility`, `stays::inexact_sizes_stay_inexact` |
//! | minima and maxima, clamps | `golden::minima_and_maxima`, `stays::clamps_that_matter`, `stays::choices_that_depend_on_a_sign` |
//! | rounding up; how often a loop runs | `golden::slide_counts`, `golden::trip_counts` |
//! | comparison, equality: yes, no, or unknown | `proofs::comparisons`, `proofs::equality`, `stays::differences_of_unknowns`, `fuzz::check` |
//! | numeric and symbolic bounds | `proofs::bounds`, `fuzz::check` |
//! | equations and inequalities as facts | `golden::equations_are_used`, `proofs::assumptions`, `fuzz::facts_of_any_form` |
//! | facts that contradict each other do no harm | `proofs::contradictions_and_odd_declarations_do_no_harm`, `fuzz::facts_of_any_form` |
//! | solving a linear equation | `proofs::solving`, `fuzz::solutions_solve` |
//! | every answer is right for all values | `fuzz`: every operator, every kind of fact, every question |
//! | terms do not grow, searches end, nothing overflows: numbers, nesting or the stack | `stress` |
//! | layout for readers and for C's operators | `forms`, `fuzz::check` |

mod forms;
mod fuzz;
mod golden;
mod layouts;
mod proofs;
mod stays;
mod stress;

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{ArithExpr, Facts, Var};

/// Variables by name, numbered in the order in which they are first mentioned.
#[derive(Default)]
pub(super) struct Names {
    vars: RefCell<BTreeMap<String, Var>>,
    facts: RefCell<Facts>,
}

impl Names {
    pub(super) fn new() -> Names {
        Names::default()
    }

    /// Declares `lo <= name <= hi` from text such as `0 <= i <= N - 1` or `1 <= N`.
    pub(super) fn with(self, ranges: &str) -> Names {
        for range in ranges.split(',') {
            let parts: Vec<&str> = range.split("<=").map(str::trim).collect();
            let (lo, name, hi) = match parts.as_slice() {
                [lo, name] => (Some(self.e(lo)), *name, None),
                [lo, name, hi] => (Some(self.e(lo)), *name, Some(self.e(hi))),
                _ => panic!("not a range: {range}"),
            };
            self.facts.borrow_mut().declare(&self.var(name), lo, hi);
        }
        self
    }

    pub(super) fn var(&self, name: &str) -> Var {
        let mut vars = self.vars.borrow_mut();
        let next = u32::try_from(vars.len()).unwrap();
        vars.entry(name.to_owned()).or_insert_with(|| Var::new(next, name)).clone()
    }

    pub(super) fn facts(&self) -> std::cell::RefMut<'_, Facts> {
        self.facts.borrow_mut()
    }

    /// Parses an expression.
    pub(super) fn e(&self, text: &str) -> ArithExpr {
        let mut parser = Parser { names: self, text: text.as_bytes(), at: 0 };
        let e = parser.sum();
        assert_eq!(parser.peek(), None, "rest of {text}");
        e
    }

    /// Parses and simplifies.
    pub(super) fn simple(&self, text: &str) -> ArithExpr {
        self.facts.borrow().simplify(&self.e(text))
    }

    /// Both become the same, namely the second.
    #[track_caller]
    pub(super) fn gives(&self, text: &str, expected: &str) {
        assert_eq!(self.simple(text), self.e(expected), "{text}");
    }

    /// Both become the same.
    #[track_caller]
    pub(super) fn agree(&self, a: &str, b: &str) {
        assert_eq!(self.simple(a), self.simple(b), "{a} and {b}");
    }
}

struct Parser<'a> {
    names: &'a Names,
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn take(&mut self, c: u8) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn sum(&mut self) -> ArithExpr {
        let mut out = self.product();
        loop {
            if self.take(b'+') {
                out = out + self.product();
            } else if self.take(b'-') {
                out = out - self.product();
            } else {
                return out;
            }
        }
    }

    fn product(&mut self) -> ArithExpr {
        let mut out = self.factor();
        loop {
            if self.take(b'*') {
                out = out * self.factor();
            } else if self.take(b'/') {
                out = out.div(&self.factor());
            } else if self.take(b'%') {
                out = out.modulo(&self.factor());
            } else {
                return out;
            }
        }
    }

    fn factor(&mut self) -> ArithExpr {
        if self.take(b'-') {
            return -self.factor();
        }
        if self.take(b'(') {
            let e = self.sum();
            assert!(self.take(b')'), "missing )");
            return e;
        }
        self.peek();
        let start = self.at;
        while self.text.get(self.at).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_') {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.text[start..self.at]).unwrap();
        assert!(!word.is_empty(), "no operand at {start}");
        match word {
            "min" | "max" => {
                assert!(self.take(b'('), "missing (");
                let mut out = self.sum();
                while self.take(b',') {
                    let next = self.sum();
                    out = if word == "min" { out.min(next) } else { out.max(next) };
                }
                assert!(self.take(b')'), "missing )");
                out
            }
            _ => match word.parse::<i64>() {
                Ok(number) => ArithExpr::cst(number),
                Err(_) => ArithExpr::var(&self.names.var(word)),
            },
        }
    }
}
