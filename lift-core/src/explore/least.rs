//! How large extents should be for a version to pay.

use crate::arith::ArithExpr;

/// Extents, and how large each should be, at least.
pub(crate) type Least = Vec<(ArithExpr, i64)>;

/// Those of the extents that are not known, each once; nothing if one is known to be less than it should be, so that there is no such version.
pub(super) fn unknown(all: impl IntoIterator<Item = (ArithExpr, i64)>) -> Option<Least> {
    let open = open(all);
    open.iter().all(|(extent, _)| extent.as_const().is_none()).then_some(open)
}

/// Those of the extents that are not known to be large enough, each once. Where one is known to be less, the version is there, and launches try the others first.
pub(super) fn open(all: impl IntoIterator<Item = (ArithExpr, i64)>) -> Least {
    let mut found = Least::new();
    for (extent, least) in all {
        let holds = extent.as_const().is_some_and(|n| n >= least);
        if !holds && !found.contains(&(extent.clone(), least)) {
            found.push((extent, least));
        }
    }
    found
}

/// That an extent should be no larger than a bound, as a condition of this kind: the bound divided by it is at least 1.
pub(super) fn at_most(extent: &ArithExpr, most: i64) -> (ArithExpr, i64) {
    (ArithExpr::cst(most).div(extent), 1)
}
