//! The other way to cut a kernel: what windows need of their rows is computed in a launch of its own.
//!
//! Before: a kernel. After, if launches of it compute functions of large windows that need nothing but functions of each row of these: a program in
//! which other launches compute the rows first. That takes as many operations as rows and columns have points, where a window for itself takes as many as it has points,
//! and no local memory.

use crate::arith::ArithExpr;
use crate::explore::factored::{by_row, constants, factored};
use crate::explore::reason::NO_WINDOWS;
use crate::explore::separated::{NOT_BY_ROW, is_separated, small};
use crate::explore::tile::stencil_at;
use crate::explore::{Reason, is_large, with_parts};
use crate::ir::walk::is_placed;
use crate::ir::{Kernel, Prim};
use crate::machine::windows::{FEW_POINTS, LEAST_EXTENT};
use crate::program::marks::{self, Parts};
use crate::program::versions::{self, Version};
use crate::program::{Program, items, launches, mark};
use crate::rewrite::position;
use crate::rewrite::rules::rows_apart;
use crate::rewrite::rules::rows_stored::{Need, ROWS_STORED, left, needs};
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::{Derivation, Strategy, normal};

/// What versions of such a program are called, where all windows are computed so.
pub const NAME: &str = "rows_first";

/// Dimensions of windows, at most.
const MOST_DIMENSIONS: usize = 3;

/// A program with launches for rows.
#[derive(Debug)]
pub struct RowsFirst {
    /// The program.
    pub program: Program,
    /// Extents of windows, and so many that each should have at least: with fewer, two passes save little.
    pub least: Vec<(ArithExpr, i64)>,
}

impl RowsFirst {
    /// The version of this name.
    pub fn version(&self, name: &'static str) -> Version {
        let mut version = versions::version(name, &self.program);
        version.least.extend(self.least.iter().cloned());
        version
    }
}

/// Which windows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Which {
    /// All for which that saves much.
    All,
    /// Those of them that one launch cannot compute in two passes through local memory.
    NotInLocal,
}

/// The program with launches for rows.
pub fn cut(kernel: &Kernel, which: Which) -> Result<RowsFirst, Reason> {
    if is_placed(&kernel.body) || !kernel.options.work_group.is_empty() {
        return Err("the kernel says itself where things run".into());
    }
    if !kernel.body.contains(Prim::Slide) {
        return Err(NO_WINDOWS);
    }
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    items::together(kernel, &mut derivation);
    mark(kernel, &mut derivation, Parts::Chunks);
    // Constant weights go where they are used. That moves what follows, so it comes before positions are taken.
    constants(&mut derivation);
    let (mut least, mut why) = (Vec::new(), NO_WINDOWS);
    let mut is_cut = [false; MOST_DIMENSIONS];
    // In three dimensions, a launch for planes may itself be computed rows first.
    for is_cut in &mut is_cut {
        for value in marks::computed(&derivation) {
            let mut tried = derivation.fork();
            match apart(&mut tried, &value, which) {
                Ok(own) => {
                    derivation = tried;
                    *is_cut = true;
                    least.extend(own);
                }
                Err(reason) if reason != NO_WINDOWS => why = reason,
                Err(_) => {}
            }
        }
        if !*is_cut {
            break;
        }
        normal::strategy(Strategy::once).apply(&mut derivation);
        mark(kernel, &mut derivation, Parts::Chunks);
    }
    if !is_cut[0] {
        return Err(why);
    }
    Ok(RowsFirst { program: launches(kernel, derivation, false), least })
}

/// Computes in two passes what stands at a position. Gives the extents of windows that are not known, and how large they should be.
fn apart(d: &mut Derivation, at: &[usize], which: Which) -> Result<Vec<(ArithExpr, i64)>, Reason> {
    with_parts(d, at);
    factored(d, at, is_large);
    let (root, found) = stencil_at(d, at).ok_or(NO_WINDOWS)?;
    if !found.has_windows() || found.dims() < 2 {
        return Err(NO_WINDOWS);
    }
    let function = (0..found.dims()).fold(root.clone(), |at, _| position::body(&at));
    rows_apart::each_column(d, &function);
    by_row(d, &function);
    rows_apart::apart(d, &function);
    let (root, found) = stencil_at(d, at).ok_or(NO_WINDOWS)?;
    let needs = needs(&found);
    if needs.is_empty() {
        return Err(if is_large(&found) { NOT_BY_ROW } else { small(&found) });
    }
    if which == Which::NotInLocal && is_separated(&found) {
        return Err("one launch computes two passes through local memory".into());
    }
    let least = worth(&found, &needs)?;
    d.apply(&ROWS_STORED, &root).ok_or(NOT_BY_ROW)?;
    normal::strategy(Strategy::once).at(at.to_vec()).apply(d);
    Ok(least)
}

/// What the extents of windows should be that are not known, if windows are large and two passes over them read less than half of what one pass reads.
fn worth(stencil: &Stencil, needs: &[Need]) -> Result<Vec<(ArithExpr, i64)>, Reason> {
    let left = left(stencil, needs).as_const().ok_or(NOT_BY_ROW)?;
    let (mut all, mut apart) = (ArithExpr::zero(), ArithExpr::zero());
    for need in needs {
        let [whole, passes] = need.reads(stencil).ok_or(NOT_BY_ROW)?;
        (all, apart) = (all + whole, apart + passes);
    }
    if let (Some(all), Some(apart)) = (all.as_const(), apart.as_const()) {
        return match all + left >= 2 * (apart + left) {
            true if all >= FEW_POINTS => Ok(Vec::new()),
            false if all >= 2 * apart => Err(NOT_BY_ROW),
            _ => Err(small(stencil)),
        };
    }
    let extents = needs.iter().flat_map(|need| need.extents(stencil));
    let small = |extent: &ArithExpr| extent.as_const().is_some_and(|n| n < LEAST_EXTENT);
    let extents: Vec<ArithExpr> = extents.collect();
    if extents.iter().any(small) {
        return Err(self::small(stencil));
    }
    let open = extents.into_iter().filter(|extent| extent.as_const().is_none());
    Ok(open.map(|extent| (extent, LEAST_EXTENT)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline;

    /// The launches of the program with rows first; none if there is no such program.
    fn launches(body: &str, which: Which) -> usize {
        let text = format!(
            "fn mean<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {{
                x.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| w.join().reduce(add, 0.0) / 49.0)
            }}
            #[kernel] pub fn K<N, M>(x: [[f32; M]; N], y: [[f32; M]; N]) -> [[f32; M]; N] {{ {body} }}"
        );
        let checked = pipeline::Checked::of(text.parse().unwrap_or_default());
        assert!(!checked.has_errors(), "{body}");
        checked
            .kernels
            .first()
            .and_then(|kernel| cut(kernel, which).ok())
            .map_or(0, |it| it.program.stages.len())
    }

    #[test]
    fn windows_of_several_arrays_are_computed_rows_first() {
        for (body, expected) in [
            ("zip2d(mean(x), mean(y)).map2d(sub)", 2),
            // The first of two goes through local memory.
            ("zip2d(mean(mean(x)), y).map2d(sub)", 3),
            // What is left of a window is few elements, or as many as there were.
            (
                "zip2d(y, x.pad2d(3, 3, clamp).slide2d(7, 1)).map2d(|(v, w)| v + w.join().reduce(max, 0.0) + w[1][2])",
                2,
            ),
            (
                "zip2d(y, x.pad2d(3, 3, clamp).slide2d(7, 1)).map2d(|(v, w)| w.join().map(|u| (u - v) * u).reduce(max, w.join().reduce(max, 0.0)))",
                0,
            ),
            ("zip2d(x, y).map2d(sub)", 0),
        ] {
            assert_eq!(launches(body, Which::NotInLocal), expected, "{body}");
        }
        assert_eq!(launches("zip2d(mean(x), y).map2d(mul)", Which::All), 2);
    }

    #[test]
    fn one_launch_goes_through_local_memory_where_it_can() {
        assert_eq!([launches("mean(x)", Which::All), launches("mean(x)", Which::NotInLocal)], [2, 0]);
    }
}
