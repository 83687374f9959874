//! What loops are called: `row` and `col` for a plane of work-items, `wy` and `wx` for a window, `i`, `j`, …

use crate::ir::{Arg, Expr, Kind, Prim};
use crate::low::Place;

/// What the names of a kernel depend on.
pub(super) struct Names {
    /// The number of dimensions of the global index space.
    global: usize,
    /// Whether neighbourhoods occur.
    pub(super) windows: bool,
}

impl Names {
    pub(super) fn of(body: &Expr) -> Names {
        let mut names = Names { global: 0, windows: false };
        body.visit(&mut |e| match e.as_prim() {
            Some((Prim::Map(Place::Global(d)), _)) => names.global = names.global.max(d + 1),
            Some((Prim::Slide | Prim::SlideSeq, _)) => names.windows = true,
            _ => {}
        });
        names
    }

    /// The name of a map's index, inside so many sequential maps.
    pub(super) fn map(&self, place: Place, sequential: usize) -> &'static str {
        match place {
            Place::View | Place::Sequential | Place::Unrolled | Place::Lanes => {
                ["i", "j", "k", "l"][sequential.min(3)]
            }
            Place::Global(_) if self.global == 1 => "i",
            Place::Global(d) => ["col", "row", "plane"][d],
            Place::Group(d) => ["gx", "gy", "gz"][d],
            Place::Warp => "w",
            Place::Lane => "x",
            Place::Local(d) => ["x", "y", "z"][d],
        }
    }
}

/// How deep reductions nest in an expression.
pub(super) fn reductions(e: &Expr) -> usize {
    let inside = e.children().into_iter().map(reductions).max().unwrap_or(0);
    inside + usize::from(matches!(e.as_prim(), Some((Prim::Reduce(_), _))))
}

/// What the user calls the data in an expression: the name of the variable it stems from, if it is one.
pub(super) fn of_data(e: &Expr) -> String {
    match e.kind() {
        Kind::Param(param) => param.name.to_string(),
        Kind::Field(x, _) => of_data(x),
        Kind::Let(_, _, body) => of_data(body),
        Kind::Prim(_, args) => args.iter().rev().find_map(Arg::data).map(of_data).unwrap_or_default(),
        Kind::Literal(_)
        | Kind::Size(_)
        | Kind::Unary(..)
        | Kind::Binary(..)
        | Kind::Math(..)
        | Kind::Cast(..)
        | Kind::If(..)
        | Kind::Tuple(_)
        | Kind::ArrayLiteral(_) => String::new(),
    }
}
