//! Why a kernel has no variant of a family: what users are told about the versions that are not there.

use std::fmt;

use crate::arith::Truth;
use crate::explore::tile::stencil;
use crate::explore::variant::Variant;
use crate::ir::{Prim, Scalar, Type};
use crate::rewrite::layout::{Writer, as_map, writer};
use crate::rewrite::position;
use crate::rewrite::rules::place;
use crate::rewrite::rules::product::Product;
use crate::rewrite::rules::product::contraction::CONTRACTION;
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::strategy::{Derivation, Position};
use crate::rewrite::{Rewrite, Rule};

/// Why a family makes nothing of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// What is so or is missing, as the user sees it.
    Because(&'static str),
    /// The rule of this name does not apply.
    Rule(&'static str),
    /// The variant of this name is there in its place.
    Instead(&'static str),
}

/// A variant, or why there is none.
pub(crate) type Made = Result<Variant, Reason>;

/// A version that a kernel does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What it would be called.
    pub name: &'static str,
    /// Why.
    pub reason: Reason,
}

impl From<&'static str> for Reason {
    fn from(text: &'static str) -> Reason {
        Reason::Because(text)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Because(text) => f.write_str(text),
            Reason::Rule(name) => write!(f, "the rule `{name}` does not apply"),
            Reason::Instead(name) => write!(f, "`{name}` takes its place"),
        }
    }
}

/// Reasons of several families.
pub(crate) const NO_WINDOWS: Reason = Reason::Because("no element of the result reads a window of an array");
pub(super) const NO_NEST: Reason = Reason::Because("the maps that write the result are no nest");
const NO_PRODUCT: Reason =
    Reason::Because("the result does not reduce the pairs of every row with every column");
pub(super) const FEW_RESULTS: Reason =
    Reason::Because("the product has too few rows or columns, or short ones");
pub(super) const LONG_TEXT: Reason =
    Reason::Because("its text would be long, or needs loops of unknown length");
pub(super) const IN_PLACE: Reason =
    Reason::Because("the kernel replaces what it reads, so that a group cannot share it");

/// The type of an element of the result, for families that compute vectors and blocks of one value.
pub(super) fn scalar(stencil: &Stencil) -> Result<Scalar, Reason> {
    match stencil.f.body.ty() {
        Type::Scalar(scalar) => Ok(*scalar),
        Type::Tuple(_) => Err(Reason::Because(
            "an element of the result is several values, a tuple or one of each of several results, and this version computes vectors of one",
        )),
        Type::Array(..) => Err(Reason::Because(
            "maps inside of the outermost ones go over other arrays, so that there are no common blocks",
        )),
    }
}

/// The map that writes the result, below layout of it.
pub(super) fn written(d: &Derivation) -> Result<Position, Reason> {
    match writer(d.expr()) {
        Some((path, Writer::Map)) => Ok(path),
        Some((_, Writer::Loop)) => {
            Err(Reason::Because("a scan writes the result, one element after the other"))
        }
        Some((_, Writer::Parts)) => {
            Err(Reason::Because("the parts of the result are written one by one, and not by one map"))
        }
        None => Err(Reason::Because("no map writes the result")),
    }
}

/// The nest of maps that writes the result: where the outermost and the innermost of them stand, and how many there are.
pub(super) fn written_nest(d: &Derivation) -> Result<(Position, Position, usize), Reason> {
    let outermost = written(d)?;
    let dims = d.get(&outermost).map_or(0, |map| place::depth(&map));
    if dims == 0 || dims > place::WORKGROUP.len() {
        return Err(NO_NEST);
    }
    let mut innermost = outermost.clone();
    for _ in 1..dims {
        let body = position::body(&innermost);
        let inner = d.get(&body).and_then(|body| writer(&body));
        let Some((layout, Writer::Map)) = inner else { return Err(NO_NEST) };
        innermost = position::join(&body, &layout);
    }
    Ok((outermost, innermost, dims))
}

/// The stencil that writes the result, and where it stands.
pub(crate) fn written_stencil(d: &Derivation) -> Result<(Position, Stencil), Reason> {
    written(d)?;
    stencil(d.expr()).ok_or(Reason::Because("no map computes the result from windows or elements"))
}

/// The same after everything is written by a map: a copy, where nothing else is.
pub(super) fn stencil_to_write(d: &mut Derivation) -> Result<(Position, Stencil), Reason> {
    place::write_everything(d, &[]);
    written_stencil(d)
}

/// Places a nest of maps, one for each rule. Returns where the innermost of them stands.
pub(super) fn nested(d: &mut Derivation, at: &[usize], rules: &[&'static Rule]) -> Result<Position, Reason> {
    let maps = place::nest(d, at, rules, None);
    maps.last().filter(|_| maps.len() == rules.len()).cloned().ok_or(NO_NEST)
}

/// Where a product stands.
pub(super) struct Written {
    pub(super) product: Product,
    /// The map over pairs of rows and columns.
    pub(super) at: Position,
    /// The map over products, if there are several.
    pub(super) batch: Option<Position>,
}

/// The product that writes the result, or each matrix of an array of them.
fn written_product(d: &Derivation) -> Result<Written, Reason> {
    let path = written(d)?;
    let map = d.get(&path).ok_or(NO_PRODUCT)?;
    if let Some(product) = Product::find(&map) {
        return Ok(Written { product, at: path, batch: None });
    }
    let (f, _) = as_map(&map).ok_or(NO_PRODUCT)?;
    let Some((inner, Writer::Map)) = writer(&f.body) else { return Err(NO_PRODUCT) };
    let product = f.body.below(&inner).and_then(Product::find).ok_or(NO_PRODUCT)?;
    Ok(Written { product, at: position::join(&position::body(&path), &inner), batch: Some(path) })
}

/// The same, where a contraction is one, which is made a product of two matrices.
pub(super) fn product_to_write(d: &mut Derivation) -> Result<Written, Reason> {
    if let Ok(found) = written_product(d) {
        return Ok(found);
    }
    // Where nothing long is reduced, a nest of generated arrays is left as it is.
    let is_generated = matches!(d.expr().as_prim(), Some((Prim::Array, _)));
    let outermost = if is_generated { Position::new() } else { written(d)? };
    let mut contracted = d.clone();
    // A result without elements is not launched.
    let results = d.get(&outermost).ok_or(NO_PRODUCT)?;
    let mut of = results.ty().clone();
    while let Type::Array(element, n) = of {
        if contracted.facts().nonneg(&(&n - 1)) == Truth::No {
            return Err(NO_PRODUCT);
        }
        contracted.assume_some(&n);
        of = (*element).clone();
    }
    contracted.apply(&CONTRACTION, &outermost).ok_or(NO_PRODUCT)?;
    let found = written_product(&contracted)?;
    *d = contracted;
    Ok(found)
}

/// Applies a rule without which there is no variant.
pub(super) fn must(d: &mut Derivation, rule: &'static Rule, at: &[usize]) -> Result<Rewrite, Reason> {
    d.apply(rule, at).ok_or(Reason::Rule(rule.name))
}
