//! Exploration: one expression to several equivalent low-level ones.
//!
//! Before: a kernel as the type checker leaves it. After: variants, each with its tunables and its
//! derivation. All parallelism and all memory decisions are explicit in a variant's term.

pub mod reason;
pub mod variant;

// The families of variants.
pub(crate) mod blocked;
mod by_key;
mod chunks;
mod coarsened;
pub(crate) mod columns;
mod computed_rows;
mod held_rows;
pub mod host;
mod kept;
pub(crate) mod least;
mod local_rows;
mod marching;
mod naive;
mod panels;
pub mod placed;
mod registers;
mod row_sums;
pub mod rows;
mod scanned;
pub(crate) mod separated;
mod short_rows;
pub(crate) mod shrinking;
pub(crate) mod streamed;
mod strided;
pub(crate) mod swept;
pub(crate) mod tile;
mod transposed;
mod vectors;
mod window_lanes;
mod window_rows;

// Versions that the user asks for, step by step.
pub mod strategies;

// What there is on the way to some of them.
mod approximated;
pub(crate) mod factored;
pub(crate) mod interchanged;
pub(crate) mod lanes;
pub mod reductions;
pub(crate) mod stages;

// Which of them make sense where, and which to try first.
pub mod targets;

use crate::ir::{Kernel, Output, parallel};
use crate::machine::columns::{NARROW, NARROWEST, WIDE};
use crate::machine::windows::FEW_POINTS;
use crate::rewrite::layout::{Writer, replaced, writer};
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::rules::{channels, control, place, sink, windows_together};
use crate::rewrite::strategy::{Derivation, Strategy};
use crate::rewrite::{Rule, normal, position};

pub use approximated::approximated;
use reason::Made;
pub use reason::{Missing, Reason};
pub(crate) use tile::stencil;
use variant::{NAMES, PROGRAMS};
pub use variant::{Tunable, Variant};

/// More windows than a stencil has.
const MOST_WINDOWS: usize = 32;

/// Whether windows are too large for registers.
pub(crate) fn is_large(stencil: &Stencil) -> bool {
    stencil.reads().as_const().is_some_and(|n| n >= FEW_POINTS)
}

/// Whether the root is a function of such windows.
fn has_large_windows(derivation: &Derivation) -> bool {
    stencil(derivation.expr()).is_some_and(|(_, stencil)| is_large(&stencil))
}

/// What exploration finds.
#[derive(Debug, Clone, Default)]
pub struct Explored {
    /// All variants of a kernel; `naive` is always there, and first.
    pub variants: Vec<Variant>,
    /// The families that have none, each once.
    pub missing: Vec<Missing>,
}

impl Explored {
    /// Nothing else can be done with the kernel.
    fn only(variants: Vec<Variant>, why: &'static str) -> Explored {
        let others = NAMES.iter().filter(|name| !PROGRAMS.contains(name));
        let others = others.map(|name| (*name, Err(Reason::Because(why))));
        let mut all = Explored { variants, missing: Vec::new() };
        all.extend(others.collect());
        all
    }

    fn extend(&mut self, found: Vec<Found>) {
        for (name, made) in found {
            match made {
                Ok(variant) => self.variants.push(variant),
                Err(reason) => {
                    // What was tried last is the most general.
                    self.missing.retain(|missing| missing.name != name);
                    self.missing.push(Missing { name, reason });
                }
            }
        }
        self.missing.retain(|missing| self.variants.iter().all(|variant| variant.name != missing.name));
    }
}

/// All variants of a kernel, and why there are no others.
pub fn explore(kernel: &Kernel) -> Explored {
    let mut derivation = start(kernel);
    if let Some(variant) = placed::variant(kernel, &derivation) {
        return Explored::only(vec![variant], "the kernel says itself where things run");
    }
    if let Some(variants) = chunks::variants(&derivation) {
        return Explored::only(variants, "it reduces a whole array in chunks, which are placed at once");
    }
    if let Some(variants) = by_key::variants(&derivation) {
        return Explored::only(variants, "it reduces by key, in the place where the result is stored");
    }
    one_stencil(&mut derivation);
    if let Some((at, Writer::Map)) = writer(derivation.expr())
        && derivation.apply(&channels::CHANNELS, &at).is_some()
    {
        normal::strategy(Strategy::once).apply(&mut derivation);
    }
    let mut all = Explored::default();
    let in_place = !gives_results_only(kernel);
    // Before scans become loops, which any function has: groups need an associative one. And before rows are outermost, of which no column is left.
    let before_loops = match in_place {
        false => [scanned::variants(&derivation), columns::again(derivation.clone())].concat(),
        true => Vec::new(),
    };
    nests(&mut derivation);
    let mut families: Vec<Family> = vec![|d| vec![("naive", Ok(naive::variant(d)))]];
    families.push(match in_place {
        false => products_or_rows,
        true => |_| {
            let all = blocked::NAMES
                .into_iter()
                .chain([short_rows::NAME, local_rows::NAME, held_rows::NAME])
                .chain(columns::NAMES);
            all.map(|name| (name, Err(reason::IN_PLACE))).collect()
        },
    });
    families.push(|d| either(d, ("tiled", tile::variant), ("transposed", transposed::variant)));
    families.push(match in_place {
        false => blocks_or_strided,
        true => |d| vec![("registers", registers::variant(d)), (strided::NAME, Err(reason::IN_PLACE))],
    });
    families.push(in_tiles);
    families.push(|d| vec![("marching", marching::deep(d))]);
    families.push(match in_place {
        false => |d| vec![(coarsened::NAME, coarsened::variant(d))],
        true => |_| vec![(coarsened::NAME, Err(reason::IN_PLACE))],
    });
    // Every stencil in three dimensions has a loop through its planes.
    families.push(|d| either(d, ("planes", streamed::variant), ("marching", marching::shallow)));
    all.extend(parallel::map(families, |family| family(derivation.fork())).into_iter().flatten().collect());
    all.extend(before_loops.into_iter().map(|variant| (variant.name, Ok(variant))).collect());
    // What takes two passes takes a core of a CPU two passes as well, and many more operations at once, unless windows are small.
    let in_passes = |variant: &Variant| variant.name == separated::NAME && has_large_windows(&derivation);
    if all.variants.iter().any(in_passes) {
        let instead = Reason::Instead("rows_first");
        all.extend(vec![(panels::NAME, Err(instead)), (vectors::NAME, Err(instead))]);
        return all;
    }
    if has_large_windows(&derivation)
        && let Some(matrices) = each_matrix(&derivation)
    {
        all.extend(in_tiles(matrices));
    }
    let has = |names: &[&str]| all.variants.iter().any(|variant| names.contains(&variant.name));
    if has_large_windows(&derivation) && !has(&["registers", separated::NAME, "window_rows"]) {
        all.extend(vec![("registers", registers::of_large(derivation.fork()))]);
    }
    match panels::variants(&derivation) {
        Ok(panels) => all.variants.extend(panels),
        Err(reason) => {
            all.extend(vec![(panels::NAME, Err(reason)), (vectors::NAME, in_vectors(derivation))]);
        }
    }
    all
}

/// Squares of products, or groups for rows where there are none.
fn products_or_rows(d: Derivation) -> Vec<Found> {
    let mut found = blocked::variants(&d);
    let first = found.iter().find(|(_, made)| made.is_ok()).map(|(name, _)| *name);
    let instead = |make: fn(Derivation) -> Made| match first {
        Some(name) => Err(Reason::Instead(name)),
        None => make(d.clone()),
    };
    found.push((short_rows::NAME, instead(short_rows::variant)));
    found.push((local_rows::NAME, instead(local_rows::variant)));
    found.push((held_rows::NAME, instead(held_rows::variant)));
    found.push(("rows", instead(by_row)));
    found.push((columns::NAMES[NARROW], instead(|d| columns::variant(d, NARROW))));
    found.push((columns::NAMES[NARROWEST], instead(|d| columns::variant(d, NARROWEST))));
    found
}

/// Elementwise programs over all rows at once, if possible. Otherwise blocks of neighbours, and, for rows that are no whole blocks, each row by itself.
fn blocks_or_strided(d: Derivation) -> Vec<Found> {
    let all_rows = strided::of_all_rows(d.clone());
    if let Ok(variant) = all_rows {
        // Blocks are for the other sizes.
        let blocks = match variant.least.is_empty() {
            true => Err(Reason::Instead(strided::NAME)),
            false => registers::variant(d),
        };
        return vec![(strided::NAME, Ok(variant)), ("registers", blocks)];
    }
    let blocks = registers::variant(d.clone());
    let strided = match &blocks {
        Ok(blocks) if !registers::has_odd_rows(blocks) => Err(Reason::Instead("registers")),
        _ => strided::of_each_row(d),
    };
    vec![("registers", blocks), (strided::NAME, strided)]
}

/// Groups for rows, for strips of columns, or for what takes long to compute.
fn by_row(d: Derivation) -> Made {
    let by_columns = |why| columns::variant(d.clone(), WIDE).map_err(|_| why);
    rows::variant(d.clone()).or_else(by_columns).or_else(|why| computed_rows::variant(d.clone()).ok_or(why))
}

/// One of the families in wide vectors.
fn in_vectors(d: Derivation) -> Made {
    let large = |_| window_lanes::variant(d.clone());
    row_sums::variant(d.clone()).or_else(large).or_else(|_| vectors::variant(d.clone()))
}

/// What a family of variants makes of a normalised expression, and what a variant of it is called.
type Found = (&'static str, Made);

/// Families that are tried together.
type Family = fn(Derivation) -> Vec<Found>;

/// The second family where the first has no variant.
fn either(
    d: Derivation,
    (first, make): (&'static str, fn(Derivation) -> Made),
    (second, other): (&'static str, fn(Derivation) -> Made),
) -> Vec<Found> {
    match make(d.clone()) {
        Ok(variant) => vec![(first, Ok(variant)), (second, Err(Reason::Instead(first)))],
        Err(reason) => vec![(first, Err(reason)), (second, other(d))],
    }
}

/// The normal form from which all variants start.
fn start(kernel: &Kernel) -> Derivation {
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    // What is left of repetition belongs to one work-item, or is written out.
    if Strategy::Rule(&control::ITERATE_UNROLL).all().apply(&mut derivation) {
        normal::strategy(Strategy::once).apply(&mut derivation);
    }
    derivation
}

/// One stencil computes the result: with what is computed from windows on the way to it, with one window of each array, and for all matrices of an array.
fn one_stencil(derivation: &mut Derivation) {
    let rules = [
        &windows_together::BATCH_WINDOWS,
        &windows_together::FUSE_PARTS,
        &windows_together::WINDOWS_TOGETHER,
    ];
    written_by(derivation, &[], &rules);
}

/// One map computes what stands at a position, with what is computed from windows on the way to it.
pub(crate) fn with_parts(derivation: &mut Derivation, at: &[usize]) {
    written_by(derivation, at, &[&windows_together::FUSE_PARTS]);
}

/// Applies rules to the map that writes what stands at a position, as often as they apply.
fn written_by(derivation: &mut Derivation, at: &[usize], rules: &[&'static Rule]) {
    for _ in 0..MOST_WINDOWS {
        let Some((path, Writer::Map)) = derivation.get(at).and_then(|e| writer(&e)) else { return };
        let map = position::join(at, &path);
        if !rules.iter().any(|rule| derivation.apply(rule, &map).is_some()) {
            return;
        }
        normal::strategy(Strategy::once).at(at.to_vec()).apply(derivation);
    }
}

/// A stencil in two dimensions for each matrix of an array, if windows are one matrix thick: no group shares anything with another matrix.
fn each_matrix(derivation: &Derivation) -> Option<Derivation> {
    let (at, Writer::Map) = writer(derivation.expr())? else { return None };
    let mut matrices = derivation.fork();
    matrices.apply(&windows_together::EACH_MATRIX, &at)?;
    normal::strategy(Strategy::once).apply(&mut matrices);
    Some(matrices)
}

/// Large windows through tiles in local memory.
fn in_tiles(d: Derivation) -> Vec<Found> {
    either(d, (separated::NAME, separated::variant), ("window_rows", window_rows::variant))
}

/// Without a place, a scan is a loop where it is stored, and nowhere else.
fn unplaced(derivation: &mut Derivation) {
    Strategy::Rule(&place::SCAN_LEFT).all().apply(derivation);
}

/// The same, and maps whose elements work-items share out are a nest: no row belongs to one item for the sake of a cheap scalar.
fn nests(derivation: &mut Derivation) {
    unplaced(derivation);
    let root = replaced(derivation.expr());
    sink::sink_everything(derivation, &root);
    interchanged::rows_outermost(derivation, &root);
}

/// Several items of a group read what one of them would replace: only what is new is computed by all of them.
fn gives_results_only(kernel: &Kernel) -> bool {
    kernel.outputs.iter().all(|output| *output == Output::Result)
}
