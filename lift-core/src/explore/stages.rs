//! Two stages for reductions with few results: who would compute the first of them, and whether there are so few.
//!
//! Before: a normalised expression. After: the same, with partial results of chunks that a launch of its own computes.

use crate::arith::ArithExpr;
use crate::explore::blocked;
use crate::explore::coarsened::all_pairs;
use crate::explore::columns::{fits_strips, is_of_column};
use crate::explore::least::{Least, at_most, open, unknown};
use crate::explore::reason::{Reason, must};
use crate::explore::rows::{has_choices, reads_rows};
use crate::explore::scanned::{scan_of_rows, scans_columns};
use crate::ir::{Expr, Kind, Order, Prim, Type};
use crate::machine::host::MOST_COLUMNS;
use crate::machine::rows::SHORT;
use crate::machine::scans::{
    LONG_COLUMNS, LONG_ROWS, LONGEST_SUMMED, MANY_IN_STAGES, MOST_COLUMNS_IN_STAGES,
};
use crate::machine::stages::{BY_CORE, BY_SCANNED_COLUMN, BY_SCANNED_ROW, FEWEST, PRODUCTS};
use crate::machine::{blocked as blocked_squares, columns};
use crate::rewrite::demand::as_scan;
use crate::rewrite::layout::{Writer, as_map, writer};
use crate::rewrite::normal;
use crate::rewrite::position::{self, BODY};
use crate::rewrite::rules::columns::reductions;
use crate::rewrite::rules::partial::as_flat_reduce;
use crate::rewrite::rules::product::Product;
use crate::rewrite::rules::product::contraction::CONTRACTION;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::scan_stages::{SCAN_COLUMNS, SCAN_ROWS};
use crate::rewrite::rules::scan_strips::SCAN_STRIPS;
use crate::rewrite::rules::sink;
use crate::rewrite::rules::stages::{
    CORES, ITEMS, PAIRS, REDUCE_IN_STAGES, ROWS, SQUARES, STRIPS, chunk_of, first_left, first_reduction,
    least, scan_chunk_length,
};
use crate::rewrite::rules::stages_twice::{self, REDUCE_TWICE_IN_STAGES};
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::rules::store::LET_MAP;
use crate::rewrite::strategy::{Derivation, Position, Strategy};

const NO_REDUCTION: Reason =
    Reason::Because("no result reduces anything long, or the rows that are reduced are chunks already");

const MANY_RESULTS: Reason = Reason::Because("there are enough results for a device, or little is reduced");

const NOT_ALL: Reason = Reason::Because(
    "one of the reductions needs an array that another one is needed for, or its elements in order",
);

const OTHER_SIZE: Reason = Reason::Because("chunks of it are shared by squares or strips of another size");

const DEFINED: Reason = Reason::Because(
    "after its row is reduced, a function defines a scalar and then computes a row, which one work-item would do alone",
);

/// Reductions after each other in one function that get stages, at most.
const MOST: usize = 4;

/// What was cut into stages.
pub(crate) struct Staged {
    /// What should be how large, at least, for this to pay.
    pub(crate) least: Least,
    /// Whether it is a product, or several.
    pub(crate) is_product: bool,
    /// Whether groups have strips of columns.
    pub(crate) has_strips: bool,
}

/// What chunks are shared by, of products and of columns. Where there is no number, there are no such chunks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// Squares of such a number of [`PRODUCTS`].
    pub(crate) product: Option<usize>,
    /// Strips of such a number of [`STRIPS`](columns::STRIPS).
    pub(crate) strip: Option<usize>,
}

/// Two stages for what is reduced, and three for what is scanned, by the map that writes the value at a position, with squares and strips of such a size.
pub(crate) fn in_stages(d: &mut Derivation, at: &[usize], size: &Size) -> Result<Staged, Reason> {
    let mut staged = d.clone();
    let found = match scan_in_stages(&mut staged, at, size) {
        Some(found) => found,
        None => reductions_in_stages(&mut staged, at, size)?,
    };
    normal::strategy(Strategy::once).at(at.to_vec()).apply(&mut staged);
    *d = staged;
    Ok(found)
}

/// Two stages for few columns that are reduced by the map that writes the value at a position, for cores: what should be how large for them to pay.
pub(crate) fn on_cores(d: &mut Derivation, at: &[usize]) -> Option<Least> {
    let value = d.get(at)?;
    let (path, Writer::Map) = writer(&value)? else { return None };
    let path = position::join(at, &path);
    let map = d.get(&path)?;
    let (f, xs) = as_map(&map)?;
    let is_chunk = matches!(xs.as_prim(), Some((Prim::Split, _)));
    if is_chunk || Product::find(&map).is_some() || all_pairs(&map).is_some() {
        return None;
    }
    let columns = if as_map(&f.body).is_some() { f.body.clone() } else { map.clone() };
    let (count, reduction) = first_reduction(&map)?;
    let (g, _) = as_map(&columns)?;
    let is_alone = is_flat(g.body.ty()) && reductions(&g.body).len() == 1;
    // Tuples of columns side by side are no rows of memory, which is what makes chunks fast.
    if !is_alone || !matches!(reduction.ty(), Type::Scalar(_)) || !is_of_column(&columns, &reduction) {
        return None;
    }
    let n = as_flat_reduce(&reduction)?.2.ty().length();
    let needed = unknown([(n, BY_CORE.least), at_most(&count, MOST_COLUMNS)])?;
    d.apply(&REDUCE_IN_STAGES[CORES], &path)?;
    normal::strategy(Strategy::once).at(at.to_vec()).apply(d);
    Some(needed)
}

/// How long a whole array that is scanned should be for two launches to pay.
pub(crate) fn of_scan(n: &ArithExpr) -> Least {
    open([at_most(n, LONGEST_SUMMED)])
}

fn reductions_in_stages(d: &mut Derivation, at: &[usize], size: &Size) -> Result<Staged, Reason> {
    let normal = normal::strategy(Strategy::once).at(at.to_vec());
    // Nothing holds a row between its reductions.
    if Strategy::Rule(&LET_MAP).all().at(at.to_vec()).apply(d) {
        normal.clone().apply(d);
    }
    if contracted(d, at).is_some() {
        normal.clone().apply(d);
    }
    let (mut least, mut is_product, mut has_strips) = (Vec::<Least>::new(), false, false);
    for _ in 0..MOST {
        sink::sink_everything(d, at);
        match found(d, at, size, !least.is_empty()) {
            Ok((map, by, needed)) => {
                // What the second of two reductions needs the first one for takes no other pass over memory.
                let is_one_pass =
                    REDUCE_TWICE_IN_STAGES.get(by).is_some_and(|rule| d.apply(rule, &map).is_some());
                if !is_one_pass {
                    must(d, &REDUCE_IN_STAGES[by], &map)?;
                }
                normal.clone().apply(d);
                match (is_product, by >= SQUARES) {
                    // Next to a product, what else is reduced for its rows is little.
                    (true, false) => {}
                    (false, true) => least = vec![needed],
                    _ => least.push(needed),
                }
                is_product |= by >= SQUARES;
                has_strips |= by == STRIPS;
            }
            Err(reason) if least.is_empty() => return Err(reason),
            Err(_) => break,
        }
    }
    let value = d.get(at).ok_or(NO_REDUCTION)?;
    let map = writer(&value).and_then(|(path, _)| value.below(&path)).ok_or(NO_REDUCTION)?;
    // As long as one of them is done by an item or a group alone, the others matter little.
    if first_left(map).is_some() {
        return Err(NOT_ALL);
    }
    // An item has a whole row then.
    if as_map(map).is_some_and(|(f, _)| !is_flat(f.body.ty()) && matches!(f.body.kind(), Kind::Let(..))) {
        return Err(DEFINED);
    }
    let mut all = Least::new();
    for one in least.into_iter().flatten() {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    Ok(Staged { least: all, is_product, has_strips })
}

/// Makes a product of what is one, if the operands are computed or have several axes.
fn contracted(d: &mut Derivation, at: &[usize]) -> Option<()> {
    let value = d.get(at)?;
    let (path, Writer::Map) = writer(&value)? else { return None };
    match value.below(&path).and_then(Product::find) {
        Some(_) => None,
        None => d.apply(&CONTRACTION, &position::join(at, &path)).map(drop),
    }
}

/// Chunks of rows or columns that are scanned, as of whole arrays: what they sum up to is known before they are scanned.
fn scan_in_stages(d: &mut Derivation, at: &[usize], size: &Size) -> Option<Staged> {
    let value = d.get(at)?;
    let (path, Writer::Map) = writer(&value)? else { return None };
    let map = position::join(at, &path);
    let e = d.get(&map)?;
    let (f, xs) = as_map(&e)?;
    // What chunks of a whole array sum up to is one short row.
    if matches!(xs.kind(), Kind::ArrayLiteral(_)) {
        return None;
    }
    let scanned = as_map(&f.body).map_or(&f.body, |(_, scanned)| scanned);
    let (.., v) = as_scan(scanned)?;
    let has_strips = scans_columns(f, v, xs);
    let width = size.strip.filter(|width| *width < SCAN_STRIPS.len());
    let (rule, share, long): (_, _, i64) = match has_strips {
        true => (&SCAN_COLUMNS, &BY_SCANNED_COLUMN, LONG_COLUMNS),
        false => {
            scan_of_rows(&e)?;
            (&SCAN_ROWS, &BY_SCANNED_ROW, LONG_ROWS)
        }
    };
    let (n, results) = (v.ty().length(), xs.ty().length());
    let count = n.div(&scan_chunk_length(&results, &n, share, d.facts()));
    let mut needed = vec![(count, FEWEST), (n, long)];
    if has_strips {
        needed.extend([
            fits_strips(&results, width?, MANY_IN_STAGES),
            at_most(&results, MOST_COLUMNS_IN_STAGES),
        ]);
    }
    let least = unknown(needed)?;
    d.apply(rule, &map)?;
    Some(Staged { least, is_product: false, has_strips })
}

/// At least 1 if columns that are reduced several times should be reduced in stages. One launch is slower where there are too few columns for a device, or where they are larger than its
/// cache, so that every reduction reads them from memory.
fn worth_of_stages(reduction: &Expr, columns: &ArithExpr, chunks: &ArithExpr) -> ArithExpr {
    let (mut bytes, mut rows) = (0, ArithExpr::one());
    if let Some((.., reduced)) = as_flat_reduce(reduction) {
        rows = reduced.ty().length();
        reduced.ty().scalars(&mut |scalar| bytes += scalar.bytes());
    }
    let is_few = chunks.div(&columns::FEWEST_CHUNKS.into());
    let is_much = (columns * rows * bytes).div(&columns::CACHED.into());
    ArithExpr::max(&is_few, &ArithExpr::min(&is_much, &chunks.div(&FEWEST.into())))
}

/// The map, the number of the rule, and what should be how large, at least; if another reduction of its function has stages already, `is_next`.
fn found(
    d: &Derivation,
    at: &[usize],
    size: &Size,
    is_next: bool,
) -> Result<(Position, usize, Least), Reason> {
    let value = d.get(at).ok_or(NO_REDUCTION)?;
    let Some((path, Writer::Map)) = writer(&value) else { return Err(NO_REDUCTION) };
    let path = position::join(at, &path);
    let map = d.get(&path).ok_or(NO_REDUCTION)?;
    let (f, xs) = as_map(&map).ok_or(NO_REDUCTION)?;
    let is_chunk = matches!(xs.as_prim(), Some((Prim::Split, _)));
    if is_chunk || Stencil::find(&map).is_some_and(|stencil| stencil.has_windows()) {
        return Err(NO_REDUCTION);
    }
    let (_, reduction) = first_reduction(&map).ok_or(NO_REDUCTION)?;
    let (_, _, reduced) = as_flat_reduce(&reduction).ok_or(NO_REDUCTION)?;
    let inner = as_map(&f.body).is_some();
    let (dims, innermost) = if inner { (2, position::join(&path, &[BODY])) } else { (1, path.clone()) };
    let map_of_columns = d.get(&innermost).ok_or(NO_REDUCTION)?;
    let (f, all) = as_map(&map_of_columns).ok_or(NO_REDUCTION)?;
    let is_alone = !is_next && is_flat(f.body.ty()) && reductions(&f.body).len() == 1;
    let count = all.ty().length();
    let is_of_column = is_of_column(&map_of_columns, &reduction);
    let by = if let Some(product) = Product::find(&map) {
        let number = size.product.ok_or(OTHER_SIZE)?;
        if !blocked::fits(&product, &blocked_squares::SQUARES[PRODUCTS[number].square]) {
            return Err(OTHER_SIZE);
        }
        SQUARES + number
    } else if reads_rows(d, &path, dims, SHORT) && !has_choices(d, &path, SHORT) {
        ROWS
    } else if is_of_column {
        STRIPS
    } else if d.get(&innermost).is_some_and(|map| all_pairs(&map).is_some()) {
        PAIRS
    } else if f.body.contains(Prim::Scan(Order::Any)) {
        // A group that scans a chunk combines what comes before it.
        return Err(NO_REDUCTION);
    } else {
        ITEMS
    };
    let n = reduced.ty().length();
    let chunk = chunk_of(&map, &n, by, d.facts()).ok_or(NO_REDUCTION)?;
    let mut needed = match stages_twice::least(&map, &n, by, d.facts()) {
        Some(needed) => needed,
        None if by == STRIPS && !is_alone => {
            vec![(worth_of_stages(&reduction, &count, &n.div(&chunk)), 1), (n, columns::LONG)]
        }
        None => least(&map, &n, &chunk, by),
    };
    if by == STRIPS {
        needed.push(fits_strips(&count, size.strip.ok_or(OTHER_SIZE)?, columns::MANY));
    }
    Ok((path, by, unknown(needed).ok_or(MANY_RESULTS)?))
}
