//! Where a strategy stands: the expression so far, and the place in it that the next step is about.

use crate::arith::ArithExpr;
use crate::explore::gives_results_only;
use crate::explore::naive::{self, outermost_first};
use crate::explore::registers;
use crate::explore::strategies::steps::Step;
use crate::explore::tile::{stencil, to_local};
use crate::explore::variant::{Tunable, Variant};
use crate::ir::{Expr, Kernel};
use crate::machine::groups::MOST_ITEMS;
use crate::rewrite::position;
use crate::rewrite::rules::place;
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::strategy::{Derivation, Position};

/// A strategy on its way.
pub(super) struct Cursor {
    /// The expression so far.
    pub(super) d: Derivation,
    /// What the next step is about: below it stand the maps of a tile, or of everything.
    pub(super) at: Position,
    /// Whether the first tiles are those of work-groups.
    pub(super) by_groups: bool,
    /// What lies between edges that are computed by themselves.
    pub(super) middle: Option<Position>,
    /// Tiles so far, the largest first.
    pub(super) tiles: Vec<Tiles>,
    /// Extents of tiles that are still open.
    pub(super) tunables: Vec<Tunable>,
    /// The shape of groups that the user wants.
    pub(super) shape: Vec<i64>,
    /// Whether loops are written out.
    pub(super) is_written_out: bool,
    /// How many arrays of a tile are copied to local memory.
    pub(super) copies: usize,
    /// Whether they lie there column by column.
    pub(super) transposed: bool,
    /// Whether their rows lie apart.
    pub(super) is_widened: bool,
    /// How many neighbours are computed at once.
    pub(super) lanes: i64,
    /// How many results a stride apart a work-item computes.
    pub(super) each: i64,
    /// What a step made that leaves nothing to others.
    pub(super) whole: Option<Variant>,
    /// Whether nothing is computed in place.
    pub(super) results_only: bool,
    name: &'static str,
}

/// What a step has cut.
pub(super) struct Tiles {
    /// Where the map stands whose function computes a tile.
    pub(super) map: Position,
    /// What was cut.
    pub(super) stencil: Stencil,
    /// The extents, innermost first.
    pub(super) extents: Vec<ArithExpr>,
}

impl Tiles {
    /// The extents, if they are numbers.
    pub(super) fn numbers(&self) -> Option<Vec<i64>> {
        self.extents.iter().map(ArithExpr::as_const).collect()
    }
}

impl Cursor {
    /// Before the first of the steps.
    pub(super) fn new(
        d: Derivation,
        kernel: &Kernel,
        name: &'static str,
        steps: &[(&'static Step, Vec<i64>)],
    ) -> Cursor {
        let count = |is: fn(&str) -> bool| steps.iter().filter(|(step, _)| is(step.name)).count();
        let by_groups = count(|name| name.starts_with("tile")) > 1
            || count(|name| ["to_local", "coarsen"].contains(&name)) > 0;
        Cursor {
            d,
            at: Position::new(),
            middle: None,
            by_groups,
            tiles: Vec::new(),
            tunables: Vec::new(),
            shape: Vec::new(),
            is_written_out: false,
            copies: 0,
            transposed: false,
            is_widened: false,
            lanes: 1,
            each: 1,
            whole: None,
            results_only: gives_results_only(kernel),
            name,
        }
    }

    /// What the next step is about.
    pub(super) fn shown(&self) -> Expr {
        self.d.get(&self.at).unwrap_or_else(|| self.d.expr().clone())
    }

    /// Fails after a step that leaves nothing to others.
    pub(super) fn still_open(&self) -> Result<(), String> {
        match self.whole {
            Some(_) => Err("the step before it has decided everything".to_string()),
            None => Ok(()),
        }
    }

    /// The stencil that the next step is about, and where it stands.
    pub(super) fn stencil(&mut self) -> Result<(Position, Stencil), String> {
        self.still_open()?;
        if self.each > 1 {
            return Err("what each work-item computes has been decided by `coarsen`".to_string());
        }
        if self.tiles.is_empty() {
            place::write_everything(&mut self.d, &[]);
            self.at = self.middle.clone().unwrap_or_default();
        }
        let found = self.d.get(&self.at).and_then(|e| stencil(&e));
        let (path, stencil) = found.ok_or("no map computes this from windows or elements")?;
        Ok((position::join(&self.at, &path), stencil))
    }

    /// The tiles of work-items that the next step is about.
    pub(super) fn items(&self) -> Result<&Tiles, String> {
        self.still_open()?;
        match (self.tiles.as_slice(), self.by_groups) {
            ([], _) => Err("there are no tiles yet".to_string()),
            ([_], true) => {
                Err("these are the tiles of work-groups, whose work-items compute one element each"
                    .to_string())
            }
            ([one], false) | ([_, one, ..], _) => Ok(one),
        }
    }

    /// The same with their extents, innermost first.
    pub(super) fn known_items(&self) -> Result<(&Tiles, Vec<i64>), String> {
        let tiles = self.items()?;
        let numbers = tiles.numbers().ok_or("the extents of the tiles are tunables, and no numbers")?;
        Ok((tiles, numbers))
    }

    /// Where the arrays stand that are copied to local memory.
    pub(super) fn copied(&self) -> Vec<Position> {
        let Some(groups) = self.tiles.first() else { return Vec::new() };
        let tile = position::body(&groups.map);
        let all = self.d.get(&tile).map(|tile| to_local(&tile)).unwrap_or_default();
        all.into_iter().take(self.copies).map(|copied| position::join(&tile, &copied)).collect()
    }

    /// The variant: what is still open is placed as always.
    pub(super) fn finish(mut self) -> Variant {
        if let Some(whole) = self.whole {
            return Variant { name: self.name, ..whole };
        }
        let deeper = if self.is_written_out { &place::SEQ_UNROLL } else { &place::SEQ };
        if self.tiles.is_empty() {
            naive::global_and(&mut self.d, deeper);
            naive::global(&mut self.d);
        } else {
            let dims = match self.tiles.as_slice() {
                [groups] if self.by_groups => groups.extents.len(),
                _ => 0,
            };
            place::nest(&mut self.d, &self.at, &outermost_first(&place::LOCAL, dims), Some(deeper));
            // What is too long for that.
            place::nest(&mut self.d, &self.at, &[], Some(&place::SEQ));
        }
        if self.middle.is_some() && !self.tiles.is_empty() {
            naive::global_and(&mut self.d, deeper);
        }
        if self.by_groups
            && let Some(groups) = self.tiles.first()
        {
            // Neighbours in global memory are read by neighbours, wherever they lie in the copy.
            let (dims, in_order) =
                (groups.extents.len(), outermost_first(&place::LOCAL, groups.extents.len()));
            let places = if self.transposed { place::LOCAL[..dims].iter().collect() } else { in_order };
            for copied in self.copied() {
                place::nest(&mut self.d, &copied, &places, Some(&place::SEQ));
            }
        }
        match self.is_written_out {
            true => place::unroll_reductions(&mut self.d),
            false => place::reduce_everything(&mut self.d),
        }
        let (local, blocks) = (self.local(), self.blocks());
        Variant { tunables: self.tunables, local, blocks, ..Variant::of(self.name, self.d) }
    }

    /// The shape of groups; none if the launcher chooses.
    fn local(&self) -> Vec<ArithExpr> {
        let dims = self.tiles.first().map_or(0, |tiles| tiles.extents.len());
        if !self.shape.is_empty() {
            let ones = std::iter::repeat_n(1, dims.saturating_sub(self.shape.len()));
            return self.shape.iter().copied().chain(ones).map(ArithExpr::cst).collect();
        }
        let numbers: Option<Vec<Vec<i64>>> = self.tiles.iter().map(Tiles::numbers).collect();
        match (numbers.as_deref(), self.tiles.as_slice()) {
            (_, []) => Vec::new(),
            (Some([block]), _) if !self.by_groups => {
                registers::shape(block).iter().map(|n| ArithExpr::cst(*n)).collect()
            }
            (Some([tile]), _) => {
                let items = tile
                    .iter()
                    .enumerate()
                    .map(|(d, n)| if d == 0 { ceil(*n, self.lanes * self.each) } else { *n });
                fitting(items)
            }
            (Some([tile, item, ..]), _) => fitting(tile.iter().zip(item).map(|(n, k)| ceil(*n, *k))),
            (Some([]) | None, [tile, ..]) if self.by_groups => {
                let items = tile.extents.iter().enumerate();
                items.map(|(d, n)| if d == 0 { n.div_ceil(&self.each.into()) } else { n.clone() }).collect()
            }
            (Some([]) | None, _) => Vec::new(),
        }
    }

    /// Extents of the result, and into blocks of how many rows or planes they are cut for the work-items.
    fn blocks(&self) -> Vec<(ArithExpr, i64)> {
        let Some(first) = self.tiles.first() else { return Vec::new() };
        let numbers = self.items().ok().and_then(Tiles::numbers).unwrap_or_default();
        let cut = first.stencil.counts.iter().rev().cloned().zip(numbers);
        // Whole vectors are asked for anyway.
        cut.skip(1).filter(|(_, n)| *n > 1).collect()
    }
}

/// How many of `k` each it takes for `n`.
fn ceil(n: i64, k: i64) -> i64 {
    (n + k - 1) / k
}

/// As many work-items as there is room for.
fn fitting(extents: impl Iterator<Item = i64>) -> Vec<ArithExpr> {
    let mut room = MOST_ITEMS;
    let fit = extents.map(|extent| {
        let extent = extent.clamp(1, room);
        room /= extent;
        ArithExpr::cst(extent)
    });
    fit.collect()
}
