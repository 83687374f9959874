//! Several texts where rows need not be whole vectors.
//!
//! Before: a launch in which work-items own whole blocks: with low-level primitives that the user wrote, or derived with blocks in
//! registers. After: its kernel, and beside it, if they read or write more elements
//! together, the kernels for sizes at which rows are multiples of a vector. All are launched in the same way. The launcher
//! knows the sizes and says which one is compiled.

use crate::arith::{ArithExpr, Facts, Truth};
use crate::explore::variant::Variant;
use crate::generate::passes::function as plain;
use crate::imp::{Aligned, Expr, Kernel, Stmt};
use crate::ir::walk::is_placed;
use crate::ir::{self, Memory, Place, Prim, parallel};
use crate::low::Geometry;

/// Longer derived texts have only the widest vectors.
const MOST_ACCESSES: usize = 64;

/// In derived texts that are even longer, it is not worth a text that the last blocks are whole.
const MOST_STATEMENTS: usize = 700;

/// The function for any sizes, with others for some.
pub(super) fn function(kernel: &ir::Kernel, variant: &Variant) -> Kernel {
    let (kernel, variant) = &fork(kernel, variant);
    let rows = variant.vectors.first().map(|bytes| open(kernel, variant, *bytes)).unwrap_or_default();
    match variant.narrow.as_deref() {
        Some(narrow) if !rows.is_empty() => narrower(kernel, (variant, narrow), &rows),
        Some(narrow) if vectors(&plain(kernel, variant)) <= vectors(&plain(kernel, narrow)) => {
            of_one_width(kernel, narrow)
        }
        _ => of_one_width(kernel, variant),
    }
}

/// The function with blocks of one width.
fn of_one_width(kernel: &ir::Kernel, variant: &Variant) -> Kernel {
    let mut function = plain(kernel, variant);
    let is_alone = is_alone(variant);
    if is_placed(&kernel.body) || owns_blocks(&variant.body) && !(is_alone && variant.blocks.is_empty()) {
        let is_long = !is_placed(&kernel.body) && accesses(&function) > MOST_ACCESSES;
        let of = |all: Vec<(ArithExpr, i64)>| {
            let (kernel, variant) = fork(kernel, variant);
            aligned(&kernel, &variant, all, &function)
        };
        let is_huge = !is_placed(&kernel.body) && statements(&function) > MOST_STATEMENTS;
        let whole = not_whole(kernel, variant, &variant.blocks);
        let whole = Some(whole).filter(|extents| !is_huge && !extents.is_empty());
        let widths = match (is_alone && !is_placed(&kernel.body), is_long) {
            (true, _) => &[],
            (_, true) => variant.vectors.get(..1).unwrap_or_default(),
            _ => variant.vectors,
        };
        // Of rows of several lengths, some are whole vectors where others are none.
        let rows = widths.first().map(|bytes| open(kernel, variant, *bytes)).unwrap_or_default();
        let some = rows.iter().filter(|_| rows.len() > 1 && !is_huge).cloned().map(Known::Row);
        let (widest, others) = widths.split_at(widths.len().min(1));
        let all = |widths: &[i64]| widths.iter().copied().map(Known::Rows).collect::<Vec<_>>();
        let texts = |known: Vec<Known>| {
            parallel::map(known, |known| match known {
                Known::Whole(extents) if is_alone => of(extents),
                Known::Whole(extents) => {
                    let with = |bytes| of([open(kernel, variant, bytes), extents.clone()].concat());
                    variant.vectors.iter().copied().find_map(with)
                }
                Known::Rows(bytes) => of(open(kernel, variant, bytes)),
                Known::Row(row) => of(vec![row]),
            })
        };
        let mut found = texts(whole.into_iter().map(Known::Whole).chain(all(widest)).collect());
        // Where the widest vectors gain nothing, narrower ones do not, nor does less that is known.
        if found.last().is_some_and(Option::is_some) || with_multiples(variant, &rows).is_none() {
            found.extend(texts(some.chain(all(others)).collect()));
        }
        function.aligned = found.into_iter().flatten().collect();
    }
    function
}

/// What is known of the sizes of a text.
enum Known {
    /// Blocks are whole, and rows as wide vectors as they can be.
    Whole(Vec<(ArithExpr, i64)>),
    /// Rows are vectors of so many bytes.
    Rows(i64),
    /// Rows of this length are such a multiple.
    Row((ArithExpr, i64)),
}

/// The function with narrower blocks, and texts with wider ones for sizes at which these rows are whole vectors, and an index space for both.
fn narrower(kernel: &ir::Kernel, (wide, narrow): (&Variant, &Variant), rows: &[(ArithExpr, i64)]) -> Kernel {
    let widths = parallel::map(vec![narrow, wide], |variant| {
        let (kernel, variant) = fork(kernel, variant);
        of_one_width(&kernel, &variant)
    });
    let Ok([mut function, wide]) = <[Kernel; 2]>::try_from(widths) else { return plain(kernel, wide) };
    let alike = function.params.len() == wide.params.len() && function.sites == wide.sites;
    let whole_rows = |text: &Aligned| rows.iter().all(|row| text.multiples.contains(row));
    let texts: Vec<Aligned> = wide.aligned.into_iter().filter(|text| alike && whole_rows(text)).collect();
    // The first that fits is taken: the one that asks for least fits wherever one of them does.
    let Some(least) = texts.iter().min_by_key(|text| text.multiples.len()) else { return function };
    if let (Geometry::Shaped { items, local }, Geometry::Shaped { items: wide, .. }) =
        (&function.geometry, &least.kernel.geometry)
    {
        let is_wide: ArithExpr = least.multiples.iter().map(divides).product();
        let items =
            items.iter().zip(wide).map(|(narrow, wide)| narrow + (wide - narrow) * &is_wide).collect();
        function.geometry = Geometry::Shaped { items, local: local.clone() };
        function.aligned.splice(0..0, texts);
    } else if same_groups(&function.geometry, &least.kernel.geometry, &narrow.facts) {
        function.aligned.splice(0..0, texts);
    }
    function
}

/// Whether both are as many groups of the same shape.
fn same_groups(one: &Geometry, other: &Geometry, facts: &Facts) -> bool {
    let (Geometry::Groups { groups, local }, Geometry::Groups { groups: others, local: shape }) =
        (one, other)
    else {
        return false;
    };
    let same = groups.iter().zip(others).all(|(a, b)| facts.eq(a, b).is_yes());
    same && groups.len() == others.len() && local == shape
}

/// 1 if the extent is a multiple, and 0 otherwise.
fn divides((extent, number): &(ArithExpr, i64)) -> ArithExpr {
    ArithExpr::one() - ArithExpr::min(&extent.modulo(&(*number).into()), &ArithExpr::one())
}

/// The same, with memories of their own.
fn fork(kernel: &ir::Kernel, variant: &Variant) -> (ir::Kernel, Variant) {
    let (kernel_facts, facts) = (kernel.facts.fork(), variant.facts.fork());
    (ir::Kernel { facts: kernel_facts, ..kernel.clone() }, Variant { facts, ..variant.clone() })
}

/// The extents that are cut into blocks, if they are not known to be whole.
fn not_whole(kernel: &ir::Kernel, variant: &Variant, extents: &[(ArithExpr, i64)]) -> Vec<(ArithExpr, i64)> {
    let is_open = |(extent, number): &&(ArithExpr, i64)| {
        is_plain(extent, kernel) && !variant.facts.multiple_of(extent, &ArithExpr::cst(*number)).is_yes()
    };
    extents.iter().filter(is_open).cloned().collect()
}

/// Whether an item has a group for itself: what such a one reads and writes in wide vectors lies anywhere.
fn is_alone(variant: &Variant) -> bool {
    !variant.local.is_empty() && variant.local.iter().all(|items| items.as_const() == Some(1))
}

/// Whether work-items compute or read several elements in statements that are written out. Everything else that is derived has
/// one element a work-item.
fn owns_blocks(e: &ir::Expr) -> bool {
    let mut found = false;
    e.visit(&mut |x| {
        found |= matches!(
            x.as_prim(),
            Some((Prim::Map(Place::Unrolled | Place::Lanes) | Prim::Store(Memory::Private), _))
        )
    });
    found
}

/// The facts with these multiples, unless they contradict each other: rows of `M` and of `M + 2` elements cannot both be multiples of 4.
fn with_multiples(variant: &Variant, multiples: &[(ArithExpr, i64)]) -> Option<Facts> {
    let mut facts = variant.facts.clone();
    for (extent, number) in multiples {
        let number = ArithExpr::cst(*number);
        if facts.multiple_of(extent, &number) == Truth::No {
            return None;
        }
        facts.assume_multiple(extent.clone(), number);
    }
    Some(facts)
}

/// The function for extents that are such multiples, if something is gained by it.
fn aligned(
    kernel: &ir::Kernel,
    variant: &Variant,
    multiples: Vec<(ArithExpr, i64)>,
    any: &Kernel,
) -> Option<Aligned> {
    let facts = with_multiples(variant, &multiples)?;
    if multiples.is_empty() {
        return None;
    }
    let kernel = plain(kernel, &Variant { facts, ..variant.clone() });
    let same = kernel.params.len() == any.params.len() && kernel.sites == any.sites;
    // Vectors that lie anywhere are guarded as a whole, and what they are computed from is clamped.
    let gains = vectors(&kernel) > vectors(any) || is_alone(variant) && branches(&kernel) < branches(any);
    (same && gains).then_some(Aligned { multiples, kernel })
}

/// The lengths of rows that are not known to be multiples of so many bytes, with the number of elements. Sums of a size and a
/// number only, which the preprocessor understands.
fn open(kernel: &ir::Kernel, variant: &Variant, bytes: i64) -> Vec<(ArithExpr, i64)> {
    let params = kernel.params.iter().map(|param| &param.ty);
    let (mut found, groups) = (Vec::new(), groups(&variant.body));
    for (dims, scalar) in params.chain([variant.body.ty()]).flat_map(|ty| ty.leaves()) {
        let (Some(row), number) = (dims.last(), bytes / scalar.bytes()) else { continue };
        // Elements that are short arrays lie side by side, too: so many of them are whole vectors.
        let (row, number) = match (dims.as_slice(), row.as_const()) {
            ([.., row, _], Some(each @ 1..)) => (row, number / number.min(1 << each.trailing_zeros()).max(1)),
            _ => (row, number),
        };
        // A group has one element of these.
        if dims.len() == 1 && groups.contains(row) {
            continue;
        }
        let known = || variant.facts.multiple_of(row, &ArithExpr::cst(number)).is_yes();
        if number > 1 && is_plain(row, kernel) && !known() && !found.contains(&(row.clone(), number)) {
            found.push((row.clone(), number));
        }
    }
    found
}

/// How many groups there are, in every dimension.
fn groups(e: &ir::Expr) -> Vec<ArithExpr> {
    let mut found = Vec::new();
    e.visit(&mut |x| {
        if let (Some((Prim::Map(Place::Group(_)), _)), Some((_, len))) = (x.as_prim(), x.ty().as_array()) {
            found.push(len.clone());
        }
    });
    found
}

fn is_plain(extent: &ArithExpr, kernel: &ir::Kernel) -> bool {
    kernel.sizes.iter().any(|size| (extent - &ArithExpr::var(size)).as_const().is_some())
}

/// How many branches there are.
fn branches(kernel: &Kernel) -> usize {
    let mut found = 0;
    kernel.body.iter().for_each(|stmt| stmt.visit(&mut |s| found += usize::from(matches!(s, Stmt::If(..)))));
    found
}

/// How many accesses there are to several elements.
fn vectors(kernel: &Kernel) -> usize {
    let mut found = 0;
    for stmt in &kernel.body {
        stmt.visit(&mut |s| {
            found += usize::from(matches!(s, Stmt::Store(_, _, value) if value.lanes() > 1));
        });
        stmt.visit_exprs(&mut |e| found += usize::from(matches!(e, Expr::Vector(..))));
    }
    found
}

fn statements(kernel: &Kernel) -> usize {
    let mut found = 0;
    kernel.body.iter().for_each(|stmt| stmt.visit(&mut |_| found += 1));
    found
}

/// How many accesses there are.
fn accesses(kernel: &Kernel) -> usize {
    let mut found = 0;
    for stmt in &kernel.body {
        stmt.visit(&mut |s| found += usize::from(matches!(s, Stmt::Store(..))));
        stmt.visit_exprs(&mut |e| found += usize::from(matches!(e, Expr::Load(..) | Expr::Vector(..))));
    }
    found
}
