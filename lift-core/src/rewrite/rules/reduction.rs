//! Reductions of whole arrays, by many work-items.
//!
//! An array is cut into one chunk for each work-group. The items of a group read neighbouring elements of the
//! chunk, each every 256th; their sums meet in local memory. A second, single group does the same with the
//! sums of the groups. What is missing in the last chunk is filled with the neutral element, so that all of
//! this holds for every length.

use crate::arith::{ArithExpr, Facts};
use crate::ir::build::fresh_id;
use crate::ir::{Arg, Boundary, Expr, Kind, Lambda, Memory, Order, Param, Place, Prim, Type};
use crate::machine::reductions::{BLOCKS, GROUP, MOST_ITEMS, MOST_LOADED, ONE_CHUNK, STEP};
use crate::machine::rows::SHORT;
use crate::rewrite::layout::{as_map, is_parameter};
use crate::rewrite::rule::Rule;
use crate::rewrite::scope::{same, same_function};

/// The widest vector that devices load at once, in bytes and in elements.
const WIDEST: (i64, i64) = (16, 4);

/// Whether this is a reduction of an array that is known to be short.
pub fn is_one_chunk(e: &Expr) -> bool {
    let len = as_reduce(e).and_then(|(_, _, xs)| xs.ty().as_array()?.1.as_const());
    len.is_some_and(|n| n <= ONE_CHUNK)
}

pub static REDUCE_ROWS: Rule = Rule {
    name: "reduce_rows",
    about: "One dimension more or less, wherever there are several.",
    equation: "reduce(f, z) . map(reduce(f, z) . g) = reduce(f, z) . join . map(g)",
    when: "",
    apply: |e, _| as_one_row(e),
};

/// A reduction of rows as one of all their elements; so are rows of rows.
fn as_one_row(e: &Expr) -> Option<Expr> {
    let (f, z, rows) = as_reduce(e)?;
    let (g, xs) = as_map(rows)?;
    let below = as_one_row(&g.body);
    let (inner, start, row) = as_reduce(below.as_ref().unwrap_or(&g.body))?;
    if !same_function(f, inner) || !same(z, start) {
        return None;
    }
    // `map(join)` and then `join` are `join` twice, which leaves the innermost dimension as it is.
    let (mut row, mut joins) = (row, 1);
    while let Some((Prim::Join, [Arg::Data(rows)])) = row.as_prim() {
        (row, joins) = (rows, joins + 1);
    }
    let rows = match is_parameter(row, g) {
        true => xs.clone(),
        false => Expr::map(Lambda { params: g.params.clone(), body: row.clone() }, xs.clone()),
    };
    let all = (0..joins).fold(rows, |rows, _| Expr::join(rows));
    Some(Expr::reduce(Order::Any, f.clone(), z.clone(), all))
}

pub static REDUCE_CHUNKS: Rule = Rule {
    name: "reduce_chunks",
    about: "Chunks are reduced by themselves, in a launch of its own, and then their results and what fills no chunk.",
    equation: "reduce(f, z) . map(g) $ xs = reduce(f, z) $ concat(materialize . map(reduce(f, z) . map(g)) . split(c) . take(m) $ xs, drop(m) . map(g) $ xs)",
    when: "on n elements, for m = n / c * c and c = 256 * v * min(64 / v, ceil(max(n, 1) / (262144 * v))), where devices load v elements at once",
    apply: |e, cx| {
        let (f, z, xs) = as_scalar_reduce(e)?;
        let (_, n) = xs.ty().as_array()?;
        let chunk = cx.facts.simplify(&chunk_length(n, vector(xs), cx.facts));
        let whole = cx.facts.simplify(&(n.div(&chunk) * &chunk));
        let source = as_map(xs).map_or(xs, |(_, source)| source);
        let chunks = Expr::split(chunk, Expr::take(whole.clone(), source.clone()));
        let sums = Expr::map_with("chunk", chunks, |chunk| {
            let chunk = as_map(xs).map_or(chunk.clone(), |(g, _)| Expr::map(g.clone(), chunk));
            Expr::reduce(Order::Any, f.clone(), z.clone(), chunk)
        });
        let rest = Expr::drop(whole, xs.refresh());
        let all = Expr::prim(
            Prim::Concat,
            vec![Arg::Data(Expr::store(Memory::Temporary, cx.focus(sums))), Arg::Data(rest)],
        );
        Some(Expr::reduce(Order::Any, fresh(f), z.refresh(), all))
    },
};

pub static REDUCE_BLOCKS: Rule = Rule {
    name: "reduce_blocks",
    about: "Blocks of rows are reduced column by column, in a launch of its own, and then their results.",
    equation: "reduce(f, z) . map(g) . join = reduce(f, z) . join . materialize . map(map(reduce(f, z) . map(g)) . transpose) . split(r) . pad(0, m, constant(z))",
    when: "on h rows, for r = ceil(max(h, 1) / 128) and m = ceil(h / r) * r - h; rows that are filled up hold z, not g(z)",
    apply: |e, cx| {
        let (f, z, xs) = as_scalar_reduce(e)?;
        let (g, joined) = as_map(xs).map_or((None, xs), |(g, joined)| (Some(g), joined));
        let (Prim::Join, [Arg::Data(rows)]) = joined.as_prim()? else { return None };
        let (_, h) = rows.ty().as_array()?;
        let each = cx.facts.simplify(&some(h, cx.facts).div_ceil(&BLOCKS.into()));
        let missing = h.div_ceil(&each) * &each - h;
        let rows = match g {
            Some(g) => Expr::map_with("row", rows.clone(), |row| Expr::map(g.clone(), row)),
            None => rows.clone(),
        };
        let blocks = in_chunks(z, &rows, &each, &missing, cx.facts);
        let sums = Expr::map_with("block", blocks, |block| {
            Expr::map_with("column", Expr::transpose(block), |column| {
                Expr::reduce(Order::Any, fresh(f), z.refresh(), column)
            })
        });
        let sums = Expr::store(Memory::Temporary, cx.focus(sums));
        Some(Expr::reduce(Order::Any, fresh(f), z.refresh(), Expr::join(sums)))
    },
};

/// As many elements, or one if there are none: a chunk is never empty. A length that is not 0 keeps its form, so that
/// what is computed of it equals what its array's type says.
pub(super) fn some(n: &ArithExpr, facts: &Facts) -> ArithExpr {
    let some = facts.simplify(&ArithExpr::max(n, &ArithExpr::one()));
    if facts.eq(&some, n).is_yes() { n.clone() } else { some }
}

/// How long the chunks of so many elements are, one at least, of which devices load so many at once.
pub fn chunk_length(n: &ArithExpr, vector: i64, facts: &Facts) -> ArithExpr {
    let each = ArithExpr::min(
        &some(n, facts).div_ceil(&(MOST_ITEMS * vector).into()),
        &(MOST_LOADED / vector).into(),
    );
    each * (GROUP * vector)
}

pub static REDUCE_ONE_CHUNK: Rule = Rule {
    name: "reduce_one_chunk",
    about: "All of it as one chunk.",
    equation: "reduce(f, z) = at(0) . materialize . map(reduce(f, z)) . split(c) . pad(0, c - n, constant(z))",
    when: "on n elements, for c = 256 * ceil(max(n, 1) / 256)",
    apply: |e, cx| {
        let (f, z, xs) = as_scalar_reduce(e)?;
        let (_, n) = xs.ty().as_array()?;
        let chunk = cx.facts.simplify(&(some(n, cx.facts).div_ceil(&GROUP.into()) * GROUP));
        let missing = &chunk - n;
        let sums = Expr::store(Memory::Temporary, cx.focus(chunks(f, z, xs, &chunk, &missing, cx.facts)));
        let first = Expr::size(ArithExpr::zero());
        Some(Expr::prim(Prim::At, vec![Arg::Data(first), Arg::Data(sums)]))
    },
};

pub static REDUCE_BY_GROUPS: Rule = Rule {
    name: "reduce_by_groups",
    about: "A work-group for each row.",
    equation: "map(reduce(f, z)) = map_workgroup(0, reduce(f, z) . to_local . map_local(0, reduce(f, z)) . transpose . split(16) . to_local . \
               map_local(0, reduce(f, z)) . transpose . split(256))",
    when: "on rows of a multiple of 256",
    apply: |e, cx| {
        let (g, rows) = as_map(e)?;
        let (f, z, row) = as_scalar_reduce(&g.body)?;
        let (_, len) = row.ty().as_array()?;
        if !is_parameter(row, g) || !cx.facts.multiple_of(len, &GROUP.into()).is_yes() {
            return None;
        }
        let reduced = |xs: Expr| {
            let Some((element, _)) = xs.ty().as_array() else { crate::bug!("sums of {}", xs.ty()) };
            let f = Lambda::unary("item", element.clone(), |item| {
                Expr::reduce(Order::Any, fresh(f), z.refresh(), item)
            });
            let mapped = Expr::map_in(Place::Local(0), f, xs);
            Expr::store(Memory::Local, mapped)
        };
        let columns = Expr::transpose(Expr::split(GROUP.into(), row.clone()));
        // Neighbours read neighbours, here as well.
        let steps = reduced(Expr::transpose(Expr::split(STEP.into(), reduced(columns))));
        let body = Expr::reduce(Order::Any, f.clone(), z.clone(), steps);
        let by_group = Lambda { params: g.params.clone(), body };
        Some(Expr::map_in(Place::Group(0), by_group, rows.clone()))
    },
};

/// `map(reduce(f, z), split(chunk, pad(0, missing, constant(z), xs)))`
fn chunks(f: &Lambda, z: &Expr, xs: &Expr, chunk: &ArithExpr, missing: &ArithExpr, facts: &Facts) -> Expr {
    let f = f.clone();
    let z = z.clone();
    Expr::map_with("chunk", in_chunks(&z, xs, chunk, missing, facts), |chunk| {
        Expr::reduce(Order::Any, f, z.clone(), chunk)
    })
}

/// `split(chunk, pad(0, missing, constant(z), xs))`
pub fn in_chunks(z: &Expr, xs: &Expr, chunk: &ArithExpr, missing: &ArithExpr, facts: &Facts) -> Expr {
    let missing = facts.simplify(missing);
    let padded = if facts.eq(&missing, &ArithExpr::zero()).is_yes() {
        xs.clone()
    } else {
        Expr::pad(ArithExpr::zero(), missing, Boundary::Constant(z.refresh()), xs.clone())
    };
    Expr::split(facts.simplify(chunk), padded)
}

/// Function, start and array of a reduction.
pub fn as_reduce(e: &Expr) -> Option<(&Lambda, &Expr, &Expr)> {
    match e.as_reduction() {
        Some((Order::Any, f, z, xs)) => Some((f, z, xs)),
        _ => None,
    }
}

/// The same, if the elements are scalars or tuples of scalars.
fn as_scalar_reduce(e: &Expr) -> Option<(&Lambda, &Expr, &Expr)> {
    as_reduce(e).filter(|_| is_flat(e.ty()))
}

/// How many neighbours of what an array is computed from are one load.
pub fn vector(xs: &Expr) -> i64 {
    let source = as_map(xs).map_or(xs, |(_, source)| source);
    let Some((element, _)) = source.ty().as_array() else { return 1 };
    let mut bytes = 1;
    element.scalars(&mut |scalar| bytes = bytes.max(scalar.bytes()));
    if is_flat(element) && is_there(source) { (WIDEST.0 / bytes).clamp(1, WIDEST.1) } else { 1 }
}

/// Whether these are elements of arrays in memory, in their order, or their numbers.
fn is_there(xs: &Expr) -> bool {
    match (xs.kind(), xs.as_prim()) {
        (Kind::Param(_) | Kind::Field(..), _)
        | (_, Some((Prim::Array | Prim::Store(Memory::Temporary), _))) => true,
        (_, Some((Prim::Zip, parts))) => parts.iter().filter_map(Arg::data).all(is_there),
        (_, Some((Prim::Join, [Arg::Data(rows)]))) => is_there(rows),
        _ => false,
    }
}

/// Whether an array is not known to be short.
pub fn is_long(xs: &Expr) -> bool {
    xs.ty().as_array().is_some_and(|(_, n)| n.as_const().is_none_or(|n| n >= SHORT))
}

/// Whether it is a scalar or a tuple of scalars.
pub fn is_flat(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Tuple(parts) => parts.iter().all(is_flat),
        Type::Array(..) => false,
    }
}

/// A copy whose variables are all new.
pub fn fresh(f: &Lambda) -> Lambda {
    let params: Vec<Param> = f.params.iter().map(|p| Param { id: fresh_id(), ..p.clone() }).collect();
    let args: Vec<Expr> = params.iter().map(Expr::param).collect();
    Lambda { body: f.apply(&args), params }
}
