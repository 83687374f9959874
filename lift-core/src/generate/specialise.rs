//! Several texts where rows need not be whole vectors.
//!
//! Before: a launch in which work-items own whole blocks: with low-level primitives that the user wrote, or derived with blocks in
//! registers. After: its kernel, and beside it, if they read or write more elements
//! together, the kernels for sizes at which rows are multiples of a vector. All are launched in the same way. The launcher
//! knows the sizes and says which one is compiled.

use crate::arith::{ArithExpr, Truth};
use crate::explore::variant::Variant;
use crate::generate::passes::function as plain;
use crate::imp::{Aligned, Expr, Kernel, Stmt};
use crate::ir::walk::is_placed;
use crate::ir::{self, Memory, Place, Prim, parallel};
use crate::low::Geometry;

/// Bytes of vectors, the widest first.
const VECTORS: [i64; 2] = [16, 8];

/// Longer derived texts have only the widest vectors.
const MOST_ACCESSES: usize = 64;

/// In derived texts that are even longer, it is not worth a text that the last blocks are whole.
const MOST_STATEMENTS: usize = 700;

/// The function for any sizes, with others for some.
pub(super) fn function(kernel: &ir::Kernel, variant: &Variant) -> Kernel {
    let (kernel, variant) = &fork(kernel, variant);
    let mut function = plain(kernel, variant);
    let is_alone = is_alone(variant);
    if is_placed(&kernel.body) || owns_blocks(&variant.body) && !(is_alone && variant.blocks.is_empty()) {
        let is_long = variant.only_widest || !is_placed(&kernel.body) && accesses(&function) > MOST_ACCESSES;
        let of = |all: Vec<(ArithExpr, i64)>| {
            let (kernel, variant) = fork(kernel, variant);
            aligned(&kernel, &variant, all, &function)
        };
        let is_huge = !is_placed(&kernel.body) && statements(&function) > MOST_STATEMENTS;
        let whole = not_whole(kernel, variant, &variant.blocks);
        let whole = Some(whole).filter(|extents| !is_huge && !extents.is_empty());
        let widths = match (is_alone && !is_placed(&kernel.body), is_long) {
            (true, _) => &VECTORS[..0],
            (_, true) => &VECTORS[..1],
            _ => &VECTORS,
        };
        let texts = whole.into_iter().map(Known::Whole).chain(widths.iter().map(|n| Known::Rows(*n)));
        let texts = parallel::map(texts.collect(), |known| match known {
            Known::Whole(extents) if is_alone => (of(extents), None),
            Known::Whole(extents) => {
                let with = |bytes| of([open(kernel, variant, bytes), extents.clone()].concat());
                (VECTORS.into_iter().find_map(with), None)
            }
            Known::Rows(bytes) => (None, of(open(kernel, variant, bytes))),
        });
        let (whole, rows): (Vec<_>, Vec<_>) = texts.into_iter().unzip();
        let whole: Vec<Aligned> = whole.into_iter().flatten().collect();
        let rows: Vec<Aligned> = rows.into_iter().flatten().collect();
        let widest = open(kernel, variant, VECTORS[0]);
        let (wide, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|text| text.multiples == widest);
        let narrow = variant.narrow.as_deref().and_then(|narrow| {
            let (kernel, narrow) = fork(kernel, narrow);
            narrower(&kernel, variant, &narrow, (&whole, !wide.is_empty(), &function))
        });
        let narrow = narrow.map(|(text, geometry)| {
            function.geometry = geometry;
            text
        });
        function.aligned = whole.into_iter().chain(wide).chain(narrow).chain(rows).collect();
    }
    function
}

/// What is known of the sizes of a text.
enum Known {
    /// Blocks are whole, and rows as wide vectors as they can be.
    Whole(Vec<(ArithExpr, i64)>),
    /// Rows are vectors of so many bytes.
    Rows(i64),
}

/// The function with narrower blocks, for sizes at which all of these are whole and the wider ones are not, and an index space for both.
fn narrower(
    kernel: &ir::Kernel,
    variant: &Variant,
    narrow: &Variant,
    (whole, has_wide_rows, any): (&[Aligned], bool, &Kernel),
) -> Option<(Aligned, Geometry)> {
    let [bytes, half] = VECTORS;
    let (rows, [whole]) = (open(kernel, variant, bytes), whole) else { return None };
    let multiples = [open(kernel, narrow, half), not_whole(kernel, narrow, &narrow.blocks)].concat();
    // The wider ones are tried first. Where rows are long enough for these, one of them is chosen: that with rows alone, or the only one if what
    // else it needs the narrower ones need, too.
    let asks =
        |(extent, number): &(ArithExpr, i64)| multiples.iter().any(|(e, n)| e == extent && n % number == 0);
    let follows = whole.multiples.iter().all(|it| rows.contains(it) || asks(it));
    if rows.is_empty() || !(has_wide_rows || follows) {
        return None;
    }
    let text = aligned(kernel, narrow, multiples, any)?;
    let (Geometry::Shaped { items, local }, Geometry::Shaped { items: own, .. }) =
        (&any.geometry, &text.kernel.geometry)
    else {
        return None;
    };
    // 1 if the extent is a multiple, and 0 otherwise.
    let divides = |(extent, number): &(ArithExpr, i64)| {
        ArithExpr::one() - ArithExpr::min(&extent.modulo(&(*number).into()), &ArithExpr::one())
    };
    let wide: ArithExpr = rows.iter().map(divides).product();
    let is_narrow = text.multiples.iter().map(divides).product::<ArithExpr>() * (ArithExpr::one() - wide);
    let items = items.iter().zip(own).map(|(wide, narrow)| wide + (narrow - wide) * &is_narrow).collect();
    Some((text, Geometry::Shaped { items, local: local.clone() }))
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

/// The function for extents that are such multiples, if something is gained by it.
fn aligned(
    kernel: &ir::Kernel,
    variant: &Variant,
    multiples: Vec<(ArithExpr, i64)>,
    any: &Kernel,
) -> Option<Aligned> {
    let mut facts = variant.facts.clone();
    for (extent, number) in &multiples {
        let number = ArithExpr::cst(*number);
        // Rows of `M` and of `M + 2` elements cannot both be multiples of 4.
        if facts.multiple_of(extent, &number) == Truth::No {
            return None;
        }
        facts.assume_multiple(extent.clone(), number);
    }
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
