//! One block of the result per work-item, the block's input in registers.
//!
//! Before: a normalised expression. After, if its root is a stencil on scalars or tuples of such, with one result or several, or a function of elements: overlapped
//! tiling with blocks of a known shape; a work-item reads its block together with the border once, and computes all
//! results of the block in statements that are written out, so that neighbours are read and written as vectors and what
//! windows share is read once. For rows that are no whole vectors, blocks are narrower. No variant when the root is something else, or when the text
//! would be long.

use std::collections::BTreeSet;
use std::iter::repeat;

use crate::arith::ArithExpr;
use crate::explore::is_large;
use crate::explore::least::{Least, open};
use crate::explore::reason::{LONG_TEXT, Made, Reason, must, scalar, stencil_to_write, written_stencil};
use crate::explore::strided::all_rows;
use crate::explore::tile::cut_for;
use crate::explore::variant::{VECTORS, Variant};
use crate::ir::{Arg, Expr, Kind, Order, Place, Prim, Scalar, Type};
use crate::machine::registers::{
    BUSY, ELEMENTS, FEW_POINTS, LARGEST, LEAST_BYTES, LINE_VECTORS, LONG_BLOCK, LONGEST, MANY_RESULTS,
    MOST_CHANNELS, MOST_ELEMENTS, MOST_OPERATIONS, MOST_POINTS, ROW_BYTES, SPARSE,
};
use crate::machine::strided;
use crate::rewrite::demand::takes_long;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::stencil::{Input, Stencil, WHOLE_BLOCKS};
use crate::rewrite::rules::{memory, place, skip};
use crate::rewrite::strategy::{Derivation, Strategy};
use crate::rewrite::{normal, position};

/// More arrays than a stencil reads.
const MOST_ARRAYS: usize = 16;

/// What says that rows are whole blocks is 1 then, and less otherwise. No row that should be long has a condition like that.
const WHOLE: i64 = 1;

/// How much is read is what decides.
const UNKNOWN_POINTS: Reason = Reason::Because("how many points are read for an element is not known");

/// The variant that a normalised expression becomes, if its root is a stencil.
pub(super) fn variant(d: Derivation) -> Made {
    with_loops(d, longest)
}

/// The same for large windows that no version goes through row by row: loops over them are written out, too, unless each point takes long. Then the time goes into
/// arithmetic, and fewer reads save little.
pub(super) fn of_large(mut d: Derivation) -> Made {
    let (_, stencil) = stencil_to_write(&mut d)?;
    if loops_take_long(&stencil.f.body) {
        return Err("each point of its large windows takes a quotient, a root or the like".into());
    }
    with_loops(d, |_| LONGEST)
}

/// Whether an operation in a loop takes long.
fn loops_take_long(e: &Expr) -> bool {
    let functions = |x: &Expr| {
        let mut functions = x.as_prim().into_iter().flat_map(|(_, args)| args).filter_map(Arg::function);
        functions.any(|f| f.body.any(&takes_long))
    };
    e.any(&functions)
}

/// The variant in which loops over windows are written out that are not longer than that.
fn with_loops(mut d: Derivation, longest: fn(&Stencil) -> i64) -> Made {
    let (root, mut stencil) = stencil_to_write(&mut d)?;
    if lies_in_order(&stencil) && all_rows(&mut d, &root, stencil.dims()).is_some() {
        (_, stencil) = written_stencil(&d)?;
    }
    match channels(&stencil) {
        Some(_) => channels_read_many(&stencil)?,
        None => kept(&stencil, MOST_POINTS)?,
    }
    let longest = longest(&stencil);
    let block = block(&stencil, longest)?;
    if let Some(variant) = whole_blocks(&d, &root, &stencil, &block, longest) {
        return Ok(variant);
    }

    let shape = shape(&block);
    let row = block[0] * bytes(&stencil)?;
    let narrow =
        narrow(&stencil, &block, longest).and_then(|block| blocks(d.clone(), &stencil, &block, shape).ok());
    let variant = blocks(d, &stencil, &block, shape)?;
    let least = variant.least.iter().cloned().chain(whole_rows(&stencil, block[0])).collect();
    let variant = Variant { least, ..variant };
    // Beside so many elements, guards are little, and texts are long.
    let blocks = if is_read_at_once(&stencil, &block, MOST_ELEMENTS) { variant.blocks } else { Vec::new() };
    let variant = Variant { blocks, ..variant };
    Ok(match narrow {
        None => Variant { vectors: up_to(row), ..variant },
        Some(narrow) => {
            // Its rows are guarded anyway: one more text, for whole blocks, gains little.
            let narrow = Variant { vectors: up_to(row / 2), blocks: Vec::new(), ..narrow };
            Variant { vectors: &up_to(row)[..1], narrow: Some(Box::new(narrow)), ..variant }
        }
    })
}

/// The variant in one dimension, in which all blocks are whole, and items compute what is left over one by one. As there is one row, each block begins at a multiple of
/// its length, so that it is read and written as vectors whatever the length of the row is.
fn whole_blocks(
    d: &Derivation,
    root: &[usize],
    stencil: &Stencil,
    block: &[i64],
    longest: i64,
) -> Option<Variant> {
    if stencil.dims() > 1 || !root.is_empty() {
        return None;
    }
    let bytes = bytes(stencil).ok()?;
    let fits = |row: &i64| {
        is_written_out(stencil, &[*row], longest) && is_read_at_once(stencil, &[*row], MOST_ELEMENTS)
    };
    // Of a long window, more results share more: what is read for each is what takes time.
    let long = is_large(stencil).then_some(LINE_VECTORS * ROW_BYTES / bytes);
    let rows = long.into_iter().chain([ROW_BYTES / bytes, block[0]]);
    let row = rows.into_iter().find(fits).filter(|row| *row > 1)?;
    let mut d = d.fork();
    let rewrite = d.apply(&WHOLE_BLOCKS, root)?;
    d.choose(rewrite.sizes.first()?, row);
    normal::strategy(Strategy::once).apply(&mut d);
    let item = cut_for(&mut d, &[0], &[row], &place::GLOBAL).ok()?;
    in_registers(&mut d, &item).ok()?;
    place::nest(&mut d, &[1], &[&place::GLOBAL[0]], None);
    place::unroll_reductions(&mut d);
    let local = shape(block).iter().map(|n| ArithExpr::cst(*n)).collect();
    Some(Variant { local, vectors: up_to(row * bytes), ..Variant::of("registers", d) })
}

/// Whether elements of the result are computed from those in the same place of arrays: all rows are one then.
fn lies_in_order(stencil: &Stencil) -> bool {
    let is_array = |input: &Input| matches!(input.array.kind(), Kind::Param(_)) && is_dense(stencil, input);
    !stencil.has_windows() && stencil.inputs.iter().all(is_array)
}

/// Blocks without windows are short rows, which are vectors only if rows of the result are whole blocks; what is too short for `strided` has no better version.
fn whole_rows(stencil: &Stencil, row: i64) -> Least {
    let several = stencil.dims() > 1 && !stencil.has_windows() && row > 1;
    let len = stencil.counts.last().filter(|_| several);
    let fits = |len: &ArithExpr| {
        let whole = ArithExpr::one() - len.modulo(&row.into());
        ArithExpr::max(&whole, &(ArithExpr::cst(strided::SHORTEST) - len))
    };
    open(len.map(|len| (fits(len), WHOLE)))
}

/// Whether rows of the result may be no whole blocks, which is all that a variant would be for.
pub(super) fn has_odd_rows(variant: &Variant) -> bool {
    variant.least.iter().any(|(_, least)| *least == WHOLE)
}

/// The vectors that have so many bytes at most.
fn up_to(most: i64) -> &'static [i64] {
    let first = VECTORS.iter().position(|bytes| *bytes <= most);
    &VECTORS[first.unwrap_or(VECTORS.len())..]
}

/// The variant with a block of these extents, innermost first, for each work-item.
fn blocks(mut d: Derivation, stencil: &Stencil, block: &[i64], shape: &[i64]) -> Made {
    let item = cut_for(&mut d, &[], block, &place::GLOBAL)?;
    in_registers(&mut d, &item)?;
    place::unroll_reductions(&mut d);
    Ok(finished(d, "registers", shape, (stencil, block)))
}

/// What a map at a position computes for a block is written out, from what is read before; or not at all, where nothing is wanted.
fn in_registers(d: &mut Derivation, item: &[usize]) -> Result<(), Reason> {
    must(d, &memory::TILE_TO_PRIVATE, item)?;
    let body = position::body(item);
    // Elements that are arrays are written out, too; arms of choices were, before there were blocks.
    let is_map = |prim: Prim| prim.is_map() && prim != Prim::Map(Place::View);
    if d.get(&body).is_some_and(|e| !e.any(&|x| x.as_prim().is_some_and(|(prim, _)| is_map(prim)))) {
        place::write_everything(d, &body);
    }
    place::nest(d, &body, &[], Some(&place::SEQ_UNROLL));
    if Strategy::Rule(&skip::SKIP_BLOCK).once().at(body.clone()).apply(d) {
        Strategy::Rule(&skip::LET_INTO_ARM).once().repeat(MOST_ARRAYS).at(body).apply(d);
    }
    Ok(())
}

/// A block with rows of half a vector, for sizes whose rows are no whole vectors: neighbouring items then read what lies closer together.
fn narrow(stencil: &Stencil, block: &[i64], longest: i64) -> Option<Vec<i64>> {
    let is_whole = block[0] * bytes(stencil).ok()? == ROW_BYTES && block[0] > 1 || block[0] > ELEMENTS;
    let narrow = small(stencil, block[0] / 2)?;
    (is_whole && stencil.has_windows() && is_written_out(stencil, &narrow, longest)).then_some(narrow)
}

/// A small block with rows of this length that shares what windows have in common in every direction.
fn small(stencil: &Stencil, row: i64) -> Option<Vec<i64>> {
    match stencil.dims() {
        2 => Some(vec![row, 4]),
        3 => Some(vec![row, 2, 2]),
        _ => None,
    }
}

/// The variant, in work-groups of a shape, dimension 0 first, with blocks of these extents, innermost first.
pub(super) fn finished(
    d: Derivation,
    name: &'static str,
    shape: &[i64],
    (stencil, block): (&Stencil, &[i64]),
) -> Variant {
    let local = shape.iter().map(|n| ArithExpr::cst(*n)).collect();
    let outer = stencil.counts.iter().rev().cloned().zip(block.iter().copied()).skip(1);
    let blocks = outer.filter(|(_, extent)| *extent > 1).collect();
    let least = open(long_rows(stencil, block, shape));
    Variant { local, blocks, least, ..Variant::of(name, d) }
}

/// How long rows of the result should be, in more than one dimension, to keep the items of a group busy.
fn long_rows(stencil: &Stencil, block: &[i64], shape: &[i64]) -> Option<(ArithExpr, i64)> {
    let (row, [width, _, ..]) = (stencil.counts.last()?, shape) else { return None };
    Some((row.clone(), block.first()? * width / BUSY))
}

/// The extents of a block, innermost first: a vector, and so many rows and planes that what windows share pays. A smaller one where that
/// would be long.
fn block(stencil: &Stencil, longest: i64) -> Result<Vec<i64>, Reason> {
    let reads = stencil.reads().as_const().ok_or(UNKNOWN_POINTS)?;
    let row = row(stencil)?;
    let sparse = stencil.points().as_const().is_some_and(|points| points >= SPARSE * reads);
    let few = reads <= FEW_POINTS || sparse;
    let is_narrow = row * bytes(stencil)? < ROW_BYTES;
    // Planes that share nothing are stencils in two dimensions.
    let is_batch = stencil.dims() == 3
        && stencil
            .inputs
            .iter()
            .all(|input| input.windows.first().is_none_or(|(n, _)| n.as_const() == Some(1)));
    let dims = if is_batch { 2 } else { stencil.dims() };
    let mut block = match (dims, stencil.has_windows()) {
        (1, _) | (_, false) => vec![row],
        (2, true) if few => vec![row, if is_narrow { 4 } else { 2 }],
        // Each of them is several results.
        (2, true) if channels(stencil).is_some() => vec![row, 2],
        // Of windows that are written out as loops, texts are long.
        (2, true) if is_large(stencil) && longest > 0 => vec![row, 2],
        (2, true) => vec![row, 4],
        // What is read beside windows is little for each of many results.
        (_, true) if few && row == 4 && stencil.inputs.len() > 1 => vec![row, 1, 4],
        (_, true) if few => vec![row, 1, 2],
        (_, true) if stencil.inputs.len() == 1 => vec![row, 2, 4],
        (_, true) => vec![row, 2, 2],
    };
    block.resize(stencil.dims(), 1);
    let smaller = [2, 1].into_iter().filter(|shorter| *shorter <= row).filter_map(|row| small(stencil, row));
    let fits = |block: &Vec<i64>| {
        is_written_out(stencil, block, longest) && is_read_at_once(stencil, block, LARGEST)
    };
    let at_once = is_read_at_once(stencil, &block, MOST_ELEMENTS);
    Some(block).filter(|_| at_once).into_iter().chain(smaller).find(fits).ok_or(LONG_TEXT)
}

/// The bytes of an element of the result, or of the largest of several.
fn bytes(stencil: &Stencil) -> Result<i64, Reason> {
    let of = |part: &Type| part.as_scalar().map(Scalar::bytes);
    let several = match stencil.f.body.ty() {
        Type::Tuple(parts) => parts.iter().map(of).collect::<Option<Vec<i64>>>(),
        Type::Array(element, _) if channels(stencil).is_some() => of(element).map(|bytes| vec![bytes]),
        _ => None,
    };
    match several.into_iter().flatten().max() {
        Some(bytes) => Ok(bytes),
        None => scalar(stencil).map(Scalar::bytes),
    }
}

/// The length of a row of a block: a vector.
pub(super) fn row(stencil: &Stencil) -> Result<i64, Reason> {
    let bytes = bytes(stencil)?;
    let mut row = (ROW_BYTES / bytes).min(ELEMENTS.max(LEAST_BYTES / bytes)).max(1);
    // Rows of `M` and of `M + 2` elements are never both multiples of 4.
    let differ = |row: i64| stencil.inputs.iter().any(|input| !are_aligned_alike(stencil, input, row));
    while row > 1 && differ(row) {
        row /= 2;
    }
    Ok(row)
}

/// How many scalars an element of every array is, and of the result if that is no scalar, where windows have such elements: the channels of a picture.
fn channels(stencil: &Stencil) -> Option<i64> {
    let of = |ty: &Type| match ty {
        Type::Array(element, n) if element.as_scalar().is_some() => {
            n.as_const().filter(|n| (1..=MOST_CHANNELS).contains(n))
        }
        _ => None,
    };
    let dims = stencil.dims();
    let is_slid = |input: &Input| {
        input.windows.len() == dims && input.windows.iter().all(|(_, step)| step.as_const() == Some(1))
    };
    let of_input = |input: &Input| {
        let mut element = input.array.ty().clone();
        for _ in 0..dims {
            element = element.as_array()?.0.clone();
        }
        of(&element).filter(|_| is_slid(input))
    };
    let all: Option<Vec<i64>> = stencil.inputs.iter().map(of_input).collect();
    let result = match stencil.f.body.ty() {
        Type::Scalar(_) => Some(1),
        ty => of(ty),
    };
    all?.into_iter().chain([result?]).max()
}

/// Fails where a channel is computed from few points, which caches hold, or from more than registers hold.
fn channels_read_many(stencil: &Stencil) -> Result<(), Reason> {
    let channels = channels(stencil).unwrap_or(1);
    // Points that are named are channels of elements.
    let all = match stencil.named() {
        Some(named) => named,
        None => channels * stencil.points().as_const().ok_or(UNKNOWN_POINTS)?,
    };
    if all < channels * (FEW_POINTS - 1) {
        return Err(
            "an element of the result is several channels of few points each, which caches hold".into()
        );
    }
    has_few(stencil, MOST_POINTS / if stencil.named().is_some() { 1 } else { channels })
}

/// Fails where more is read for an element than so many points.
fn has_few(stencil: &Stencil, most: i64) -> Result<(), Reason> {
    if stencil.reads().as_const().ok_or(UNKNOWN_POINTS)? > most {
        return Err("more points are read for an element than registers hold for a block".into());
    }
    Ok(())
}

/// Fails where what a block reads is no scalars, or more of them for an element than so many.
pub(super) fn kept(stencil: &Stencil, most: i64) -> Result<(), Reason> {
    let is_scalar = |input: &Input| is_flat(input.array.ty().shape().1);
    has_few(stencil, most)?;
    if !stencil.inputs.iter().all(is_scalar) {
        return Err("an array has tuples of arrays for elements, and registers hold scalars".into());
    }
    match stencil.inputs.iter().find(|input| !is_dense(stencil, input)) {
        None => Ok(()),
        Some(input) if input.windows.is_empty() => {
            Err("an element of the result reads a whole row of an array, or more".into())
        }
        Some(_) => {
            Err("windows move by more than one element, or have fewer dimensions than their array".into())
        }
    }
}

/// Whether rows of the arrays behind an input may be multiples of a length where those of the result are.
fn are_aligned_alike(stencil: &Stencil, input: &Input, length: i64) -> bool {
    let mut bound = BTreeSet::new();
    let mut rows: Vec<(u32, ArithExpr)> = Vec::new();
    input.array.visit(&mut |e| {
        if let Some((_, args)) = e.as_prim() {
            bound.extend(args.iter().filter_map(Arg::fun).flat_map(|f| f.params.iter().map(|p| p.id)));
        }
        if let Kind::Param(param) = e.kind() {
            rows.extend(param.ty.shape().0.last().map(|row| (param.id, row.clone())));
        }
    });
    let Some(own) = stencil.counts.last() else { return true };
    let alike = |row: &ArithExpr| (row - own).as_const().is_none_or(|n| n % length == 0);
    rows.iter().filter(|(id, _)| !bound.contains(id)).all(|(_, row)| alike(row))
}

/// How long loops over windows are that are written out. The points of large windows are named one by one, as other versions have loops for them, but in one
/// dimension.
pub(super) fn longest(stencil: &Stencil) -> i64 {
    match is_large(stencil) {
        true if stencil.dims() == 1 => MOST_POINTS,
        true => 0,
        false => LONGEST,
    }
}

/// Whether the text stays short if a block of results is written out, with loops that are not longer than that.
pub(super) fn is_written_out(stencil: &Stencil, block: &[i64], longest: i64) -> bool {
    let cells: i64 = block.iter().product();
    operations(&stencil.f.body, longest).is_some_and(|n| cells * n <= MOST_OPERATIONS)
}

/// Whether no input has more elements than so many for a block.
pub(super) fn is_read_at_once(stencil: &Stencil, block: &[i64], most: i64) -> bool {
    let channels = channels(stencil).unwrap_or(1);
    stencil.inputs.iter().all(|input| tile(input, block).is_some_and(|n| channels * n <= most))
}

/// The elements that a work-item needs of an input for a block, innermost extent first.
fn tile(input: &Input, block: &[i64]) -> Option<i64> {
    let halos = input.windows.iter().rev().map(|(size, _)| Some(size.as_const()? - 1)).chain(repeat(Some(0)));
    block.iter().zip(halos).map(|(extent, halo)| Some(extent + halo?)).product()
}

/// Whether windows and array have as many dimensions as the stencil, and windows move by one element.
fn is_dense(stencil: &Stencil, input: &Input) -> bool {
    let (lens, _) = input.array.ty().shape();
    lens.len() == stencil.dims() && input.windows.iter().all(|(_, step)| step.as_const() == Some(1))
}

/// How many operations it takes, if there is no loop of unknown length, and none that is longer than that.
pub(super) fn operations(e: &Expr, longest: i64) -> Option<i64> {
    let times = match e.as_prim() {
        Some((Prim::Reduce(Order::Any | Order::Left) | Prim::Map(Place::View), [.., Arg::Data(xs)])) => {
            xs.ty().as_array()?.1.as_const().filter(|n| *n <= longest)?
        }
        Some((
            Prim::Iterate
            | Prim::IterateUntil
            | Prim::Scan(Order::Any | Order::Left)
            | Prim::ReduceByKey(_)
            | Prim::Gather
            | Prim::Scatter
            | Prim::ScatterTo,
            _,
        )) => return None,
        Some((Prim::Array, [Arg::Size(n), _])) => n.as_const().filter(|n| *n <= longest)?,
        _ => 1,
    };
    let function = e.as_prim().and_then(|(_, args)| args.iter().find_map(Arg::fun)).map(|f| &f.body);
    let inside = |x: &Expr| {
        let own = if function.is_some_and(|body| std::ptr::eq(body, x)) { times } else { 1 };
        Some(own.saturating_mul(operations(x, longest)?))
    };
    Some(1 + e.children().into_iter().map(inside).sum::<Option<i64>>()?)
}

/// The work-items of a group, dimension 0 first: fewer where each of them needs many registers.
pub(super) fn shape(block: &[i64]) -> &'static [i64] {
    let results = block.iter().product::<i64>();
    match (block.len(), results >= MANY_RESULTS) {
        (1, _) => &[256],
        (2, false) => &[64, 4],
        (2, true) => &[64, 2],
        (_, false) => &[32, 4, 2],
        (_, true) if results >= LONG_BLOCK => &[64, 2, 1],
        (_, true) => &[32, 4, 1],
    }
}
