//! How large extents should be for a version to pay.

use crate::arith::ArithExpr;

/// Those of the extents that are not known, each once; nothing if one is known to be less than it should be.
pub(super) fn unknown(all: impl IntoIterator<Item = (ArithExpr, i64)>) -> Option<Vec<(ArithExpr, i64)>> {
    let mut found: Vec<(ArithExpr, i64)> = Vec::new();
    for (extent, least) in all {
        match extent.as_const() {
            Some(n) if n < least => return None,
            None if !found.contains(&(extent.clone(), least)) => found.push((extent, least)),
            Some(_) | None => {}
        }
    }
    Some(found)
}
