//! Another way to cut a kernel for a GPU: rows through which functions go in order are stored as columns first, in launches of their own.
//!
//! Before: a kernel. After, if a work-item goes through rows of arrays in order: a program in which neighbours read and write side by side, at the price of storing
//! what is read, and what comes out, once more.

use crate::arith::ArithExpr;
use crate::explore::Reason;
use crate::ir::walk::is_placed;
use crate::ir::{Expr, Kernel, Kind, Order, Prim};
use crate::machine::in_columns::{LEAST_ROWS, SHORTEST};
use crate::program::marks::{self, Parts};
use crate::program::versions::{self, Version};
use crate::program::{Program, items, launches, mark};
use crate::rewrite::layout::as_map;
use crate::rewrite::position::outside_of_functions;
use crate::rewrite::position::{self, REST, join};
use crate::rewrite::rules::in_order::{RESULT_TURNED, ROWS_TURNED};
use crate::rewrite::{Derivation, Position, Strategy, normal};

/// What the version of such a program is called.
pub const NAME: &str = "in_columns";

/// What other kernels do not do.
const NOT_IN_ORDER: Reason = Reason::Because("no function goes through rows of an array in order");

/// Launches, at most.
const MOST: usize = 16;

/// A program with launches that turn arrays.
#[derive(Debug)]
pub struct InColumns {
    /// The program.
    pub program: Program,
    /// Extents, and how large they should be: with few rows, few neighbours read side by side.
    least: Vec<(ArithExpr, i64)>,
}

impl InColumns {
    /// The version.
    pub fn version(&self) -> Version {
        let mut version = versions::version(NAME, &self.program);
        version.least.extend(self.least.iter().cloned());
        version
    }
}

/// The program with launches that turn arrays.
pub fn cut(kernel: &Kernel) -> Result<InColumns, Reason> {
    if is_placed(&kernel.body) || !kernel.options.work_group.is_empty() {
        return Err("the kernel says itself where things run".into());
    }
    let is_in_order = |e: &Expr| {
        matches!(
            e.as_prim(),
            Some((
                Prim::ScanWith | Prim::Scan(Order::Left | Order::Sequential) | Prim::Reduce(Order::Left),
                _
            ))
        )
    };
    if !kernel.body.any(&is_in_order) {
        return Err(NOT_IN_ORDER);
    }
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    items::together(kernel, &mut derivation);
    mark(kernel, &mut derivation, Parts::Chunks);
    let mut least = Vec::new();
    for _ in 0..MOST {
        let Some(extents) = read(&mut derivation) else { break };
        normal::strategy(Strategy::once).apply(&mut derivation);
        // What functions store for each other follows how they read, and what reads it follows that.
        mark(kernel, &mut derivation, Parts::Chunks);
        normal::strategy(Strategy::once).apply(&mut derivation);
        least.extend(extents.into_iter().filter(|extent| !least.contains(extent)).collect::<Vec<_>>());
    }
    if least.is_empty() {
        return Err(NOT_IN_ORDER);
    }
    for at in results(&derivation) {
        derivation.apply(&RESULT_TURNED, &at);
    }
    normal::strategy(Strategy::once).apply(&mut derivation);
    mark(kernel, &mut derivation, Parts::Chunks);
    Ok(InColumns { program: launches(kernel, derivation, false), least })
}

/// Stores as columns what one function reads row by row. Gives the extents of the array that it is mapped over, and how large they should be.
fn read(d: &mut Derivation) -> Option<Vec<(ArithExpr, i64)>> {
    let positions = marks::computed(d).into_iter().flat_map(|value| {
        let below = d.get(&value).map(|e| outside_of_functions(&e)).unwrap_or_default();
        below.into_iter().map(move |below| join(&value, &below)).collect::<Vec<Position>>()
    });
    let positions: Vec<Position> = positions.flat_map(|at| of_matrices(d, at)).collect();
    positions.into_iter().find_map(|at| {
        let extents = many(&d.get(&at)?)?;
        d.apply(&ROWS_TURNED, &at).map(|_| extents)
    })
}

/// Where the results stand.
fn results(d: &Derivation) -> Vec<Position> {
    let last = marks::values(d.expr()).pop().unwrap_or_default();
    let all = match d.get(&last).as_ref().map(Expr::kind) {
        Some(Kind::Tuple(parts)) => (0..parts.len()).map(|i| join(&last, &[i])).collect(),
        _ => vec![last],
    };
    all.into_iter().flat_map(|at| of_matrices(d, at)).collect()
}

/// A position, and where functions of its elements, of theirs, and so on have their results.
fn of_matrices(d: &Derivation, at: Position) -> Vec<Position> {
    let mut found = vec![at];
    while let Some(last) = found.last()
        && d.get(last).is_some_and(|e| as_map(&e).is_some())
    {
        let mut inner = position::body(last);
        while d.get(&inner).is_some_and(|e| matches!(e.kind(), Kind::Let(..))) {
            inner = join(&inner, &[REST]);
        }
        found.push(inner);
    }
    found
}

/// The number of rows and their length, if there may be enough.
fn many(map: &Expr) -> Option<Vec<(ArithExpr, i64)>> {
    let (_, xs) = as_map(map)?;
    let rows = xs.ty().as_array()?.1.clone();
    let lengths = xs.ty().leaves().into_iter().filter_map(|(dims, _)| dims.get(1).cloned());
    let extents = std::iter::once((rows, LEAST_ROWS)).chain(lengths.map(|length| (length, SHORTEST)));
    let extents: Vec<(ArithExpr, i64)> = extents.collect();
    let is_small = |(n, least): &(ArithExpr, i64)| n.as_const().is_some_and(|n| n < *least);
    (!extents.iter().any(is_small)).then_some(extents)
}

#[cfg(test)]
mod tests {
    use crate::pipeline::{Compiled, compile};
    use crate::program;

    const SOLVE: &str = "fn solve<M>(row: [f32; M]) -> [f32; M] {
            let forward = row.scan_with(|(c, p), d| { let m = 1.0 / (4.0 - c); let s = (m, (d + p) * m); (s, s) }, (0.0, 0.0));
            forward.scan_right_with(|x, (c, p)| { let y = p + c * x; (y, y) }, 0.0)
        }";

    fn kernel(text: &str) -> Compiled {
        let text = format!("{SOLVE} #[kernel] pub fn Own<N, M>(x: [[f32; M]; N], y: [f32; N]) -> {text}");
        let mut kernels = compile(text.parse().expect("tokens")).kernels;
        assert_eq!(kernels.len(), 1, "{text}");
        kernels.remove(0)
    }

    /// How many launches the version has, if there is one.
    fn launches(text: &str) -> Option<usize> {
        let kernel = kernel(text);
        let version = kernel.versions.iter().find(|version| version.name == super::NAME)?;
        let naive = kernel.gpu_order.iter().position(|name| *name == "naive");
        assert!(kernel.gpu_order.iter().position(|name| *name == super::NAME) < naive, "{text}");
        Some(version.generated.schedule.operations.len())
    }

    #[test]
    fn arrays_are_turned_where_rows_are_gone_through_in_order() {
        // The array is turned, then there are two scans, and what comes out is turned back.
        assert_eq!(launches("[[f32; M]; N] { x.map(solve) }"), Some(4));
        assert_eq!(launches("[f32; N] { zip(x, y).map(|row, v| row.fold(|a, b| 0.5 * a + b, v)) }"), Some(2));
        // Rows, and then columns.
        assert_eq!(launches("[[f32; M]; N] { x.map(solve).transpose().map(solve).transpose() }"), Some(6));
        // There is nothing to turn, nothing in order, or too few rows.
        assert_eq!(launches("[[f32; M]; N] { x.transpose().map(solve).transpose() }"), None);
        assert_eq!(launches("[f32; N] { x.map(reduce(add, 0.0)) }"), None);
        assert_eq!(launches("[f32; 3] { x.take(3).map(|row| row.fold(|a, b| 0.5 * a + b, 0.0)) }"), None);
    }

    #[test]
    fn of_a_state_and_a_result_the_result_is_stored() {
        let program = program::cut(&kernel("[[f32; M]; N] { x.transpose().map(solve).transpose() }").kernel);
        let stored: Vec<usize> = program.stages.iter().map(|stage| stage.body.ty().leaves().len()).collect();
        assert_eq!(stored, [2, 1]);
        // Neighbours store side by side: a row for each step.
        let (dims, _) = program.stages[0].body.ty().leaves().remove(0);
        let names: Vec<String> = dims.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["N", "M"]);
    }
}
