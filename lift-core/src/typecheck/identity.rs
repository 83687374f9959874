//! `reduce(mul, 0.0)` and the like: start values that are known not to be neutral.

use crate::diag::Diagnostics;
use crate::ir::{Arg, Expr, Kind, Literal, Prim};
use crate::typecheck::calls::identity_of;
use crate::typecheck::error;

/// Reports every reduction with a known operator whose literal start value is not its identity.
pub(super) fn check(body: &Expr, diags: &mut Diagnostics) {
    body.visit(&mut |e| {
        let Some((Prim::Reduce, [Arg::Fun(f), Arg::Data(z), _])) = e.as_prim() else { return };
        let (Kind::Binary(op, a, b), Kind::Literal(found)) = (f.body.kind(), z.kind()) else { return };
        let is_param = |x: &Expr| matches!(x.kind(), Kind::Param(p) if f.params.contains(p));
        if !(is_param(a) && is_param(b)) {
            return;
        }
        if let Some(right) = identity_of(*op, found.scalar())
            && right != *found
            && !both_zero(right, *found)
        {
            diags.push(error::not_an_identity(
                z.span(),
                "reduce",
                *op,
                &found.to_string(),
                &right.to_string(),
            ));
        }
    });
}

/// -0.0 is neutral for `+` as 0.0 is.
fn both_zero(a: Literal, b: Literal) -> bool {
    matches!((a, b), (Literal::F32(x), Literal::F32(y)) if x == 0.0 && y == 0.0)
}
