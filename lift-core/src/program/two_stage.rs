//! Another way to cut a kernel: what reduces much to few results is reduced in two launches.
//!
//! Before: a kernel. After: a program in which the first launch reduces chunks of everything that is long, for each result, and the second one what these
//! give; of products, another one what fills no chunk. Without it, most of a device with many work-items has nothing to do: 16 rows of a million elements are 16 work-groups, and the sums of three columns
//! are three work-items.

use crate::arith::ArithExpr;
use crate::explore::least::any;
use crate::explore::stages::{Size, in_stages, of_scan, on_cores};
use crate::explore::{Reason, blocked, columns};
use crate::ir::walk::is_placed;
use crate::ir::{Kernel, Order, Output, Prim};
use crate::machine::columns::{NARROW, NARROWEST, WIDE};
use crate::machine::stages::PRODUCTS;
use crate::program::marks::Parts;
use crate::program::{Program, items, launches, mark, marks};
use crate::rewrite::rules::scan_chunks::SCAN_FROM_SUMS;
use crate::rewrite::trace::Deed;
use crate::rewrite::{Derivation, Strategy, normal};

/// What versions of such a program are called: the first whatever is reduced, and the others for products and columns, with the squares and strips of each.
pub const NAMES: [&str; 4] = ["two_stage", "two_stage_small", "two_stage_large", "two_stage_narrow"];

/// The squares and strips of each. With the largest squares, strips are for what stands beside products.
const SIZES: [Size; NAMES.len()] = [
    Size { product: Some(0), strip: Some(WIDE) },
    Size { product: Some(1), strip: Some(NARROW) },
    Size { product: Some(2), strip: Some(WIDE) },
    Size { product: None, strip: Some(NARROWEST) },
];

/// A program with two launches for each long reduction.
#[derive(Debug, Clone)]
pub struct TwoStage {
    /// What the version is called.
    pub name: &'static str,
    /// What products and columns are shared by.
    size: &'static Size,
    /// Whether there are products.
    pub is_product: bool,
    /// Whether groups have strips of columns.
    pub has_strips: bool,
    /// The program.
    pub program: Program,
    /// What should be how large for it to pay.
    pub least: Vec<(ArithExpr, i64)>,
}

impl TwoStage {
    /// The variant of a launch that goes with the version. What fills no chunk is short, so that as many groups as possible should share it.
    pub fn variant_of(&self, launch: &Kernel) -> &'static str {
        let width = self.size.strip.unwrap_or_default();
        match self.is_product {
            true if launch.body.ty().shape().0.len() > 2 => {
                blocked::NAMES[PRODUCTS[self.size.product.unwrap_or_default()].square]
            }
            true => blocked::NAMES[blocked::NAMES.len() - 1],
            // Few elements of each column are scanned, or reduced, by as many items as there can be.
            false if self.scans_sums(launch) || self.reduces_sums(launch) => {
                columns::NAMES[width.max(NARROW)]
            }
            false => columns::NAMES[width],
        }
    }

    /// Whether a launch reduces what strips of chunks sum up to: it has one map less around its reductions than the launch of the chunks.
    fn reduces_sums(&self, launch: &Kernel) -> bool {
        let dims = |kernel: &Kernel| kernel.body.ty().leaves().first().map_or(0, |(dims, _)| dims.len());
        self.has_strips && self.program.stages.iter().any(|stage| dims(stage) > dims(launch))
    }

    /// Whether a launch scans what chunks sum up to.
    fn scans_sums(&self, launch: &Kernel) -> bool {
        let is_last = self.program.stages.last().is_some_and(|last| last.name == launch.name);
        !is_last && launch.body.contains(Prim::Scan(Order::Any))
    }
}

/// All of them.
pub fn cuts(kernel: &Kernel) -> Result<Vec<TwoStage>, Reason> {
    let first = cut(kernel, 0);
    if !first.as_ref().is_ok_and(|(_, has_sizes)| *has_sizes) {
        return Ok(vec![first?.0]);
    }
    let others =
        (1..NAMES.len()).filter_map(|size| cut(kernel, size).ok()).filter(|(_, has_sizes)| *has_sizes);
    Ok(first.into_iter().chain(others).map(|(staged, _)| staged).collect())
}

/// The program for the cores of a CPU in which few columns are reduced in two launches, and what should be how large for it to pay.
pub fn for_host(kernel: &Kernel) -> Option<(Program, Vec<(ArithExpr, i64)>)> {
    let is_open = !is_placed(&kernel.body) && kernel.options.work_group.is_empty();
    if !is_open || kernel.outputs.iter().any(|output| *output != Output::Result) {
        return None;
    }
    // Functions of both programs have names of their own.
    let kernel = &Kernel { name: format!("{}Chunks", kernel.name), ..kernel.clone() };
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    items::together(kernel, &mut derivation);
    mark(kernel, &mut derivation, Parts::Rows);
    let values = marks::computed(&derivation).into_iter().rev();
    let least: Vec<_> = values.filter_map(|value| on_cores(&mut derivation, &value)).collect();
    if least.is_empty() {
        return None;
    }
    mark(kernel, &mut derivation, Parts::Rows);
    Some((launches(kernel, derivation, false), any(least)))
}

/// The number of [`SIZES`] that is there for products only.
const OF_PRODUCTS: usize = 2;

/// The program with squares and strips of this number, and whether it has any that others do not have.
fn cut(kernel: &Kernel, size: usize) -> Result<(TwoStage, bool), Reason> {
    if is_placed(&kernel.body) || !kernel.options.work_group.is_empty() {
        return Err("the kernel says itself where things run".into());
    }
    if kernel.outputs.iter().any(|output| *output != Output::Result) {
        return Err("the kernel replaces what it reads".into());
    }
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    items::together(kernel, &mut derivation);
    mark(kernel, &mut derivation, Parts::Summed);
    let (mut least, mut is_product, mut has_strips, mut why) = (Vec::new(), false, false, None);
    let scans = derivation.trace().steps.iter().filter(|step| step.rule.name == SCAN_FROM_SUMS.name);
    least.extend(scans.filter_map(|step| match &step.deed {
        Deed::Apply(at, _) => Some(of_scan(&step.after.below(at)?.ty().length())),
        _ => None,
    }));
    // What is in a definition does not move those before it.
    for value in marks::computed(&derivation).into_iter().rev() {
        match in_stages(&mut derivation, &value, &SIZES[size]) {
            Ok(staged) => {
                if size != OF_PRODUCTS || staged.is_product {
                    least.push(staged.least);
                }
                is_product |= staged.is_product;
                has_strips |= staged.has_strips;
            }
            Err(reason) => why = Some(reason),
        }
    }
    if let (true, Some(why)) = (least.is_empty(), why) {
        return Err(why);
    }
    normal::strategy(Strategy::once).apply(&mut derivation);
    mark(kernel, &mut derivation, Parts::Summed);
    let staged = TwoStage {
        name: NAMES[size],
        size: &SIZES[size],
        is_product,
        has_strips,
        program: launches(kernel, derivation, false),
        least: any(least),
    };
    Ok((staged, is_product || has_strips && size != OF_PRODUCTS))
}
