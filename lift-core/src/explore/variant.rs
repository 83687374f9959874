//! What exploration yields: low-level versions of a kernel.

use crate::arith::{ArithExpr, Facts, Var};
use crate::ir::Expr;
/// What tunables are called, perhaps with the number of the launch behind it.
pub use crate::rewrite::rules::stencil::TILE_NAMES;
use crate::rewrite::strategy::Derivation;
use crate::rewrite::trace::Trace;

/// What the compiler calls the versions that it derives by itself.
pub const NAMES: [&str; 29] = [
    "naive",
    "tiled",
    "transposed",
    "registers",
    "strided",
    "rows",
    "few_columns",
    "fewest_columns",
    "short_rows",
    "local_rows",
    "held_rows",
    "in_columns",
    "coarsened",
    "two_stage",
    "two_stage_small",
    "two_stage_large",
    "two_stage_narrow",
    "blocked",
    "blocked_64",
    "blocked_32",
    "marching",
    "planes",
    "passes",
    "window_rows",
    "separated",
    "rows_first",
    "row_passes",
    "panels",
    "vectors",
];

/// Those of them that are other programs, and not variants of a launch.
pub(crate) const PROGRAMS: [&str; 8] = [
    "passes",
    "two_stage",
    "two_stage_small",
    "two_stage_large",
    "two_stage_narrow",
    "in_columns",
    "rows_first",
    "row_passes",
];

/// Bytes of the vectors that devices read at once, the widest first.
pub const VECTORS: [i64; 2] = [16, 8];

/// One version of a kernel. All parallelism and all memory decisions are explicit in the term: every
/// parallel map has a place, every reduction is sequential, every copy names its address space. A plain
/// `map` that is left over is not stored: its elements are computed where they are read.
#[derive(Debug, Clone)]
pub struct Variant {
    /// `naive`, `tiled`, …
    pub name: &'static str,
    /// The low-level expression; it means the same as the kernel's body.
    pub body: Expr,
    /// Parameters that the launcher chooses.
    pub tunables: Vec<Tunable>,
    /// The work-group shape, dimension 0 first, if the term relies on one. Empty: the launcher chooses.
    pub local: Vec<ArithExpr>,
    /// Extents of the result that are cut into blocks of so many rows or planes: multiples need no guards.
    pub blocks: Vec<(ArithExpr, i64)>,
    /// Extents that are not known, and so many that each should have at least: with fewer, other variants are tried first.
    pub least: Vec<(ArithExpr, i64)>,
    /// Rows of vectors of so many bytes are worth a text of their own, the widest first.
    pub vectors: &'static [i64],
    /// The same with rows of blocks that are half as long, in groups of the same shape: for sizes at which the array's rows are no
    /// multiples of longer ones. It was derived by the same steps.
    pub narrow: Option<Box<Variant>>,
    /// The kernel's facts and the ranges of the tunables.
    pub facts: Facts,
    /// How the body was derived.
    pub trace: Trace,
}

impl Variant {
    /// What a derivation ends with, in groups as the launcher chooses.
    pub(super) fn of(name: &'static str, d: Derivation) -> Variant {
        let (body, facts, trace) = d.finish();
        Variant {
            name,
            body,
            tunables: Vec::new(),
            local: Vec::new(),
            blocks: Vec::new(),
            least: Vec::new(),
            vectors: &VECTORS,
            narrow: None,
            facts,
            trace,
        }
    }
}

/// A parameter of a variant that reaches the text as a macro.
#[derive(Debug, Clone)]
pub struct Tunable {
    /// The variable that stands for it in the term.
    pub var: Var,
    /// The value without tuning.
    pub default: i64,
    /// The smallest legal value.
    pub min: i64,
    /// The largest legal value.
    pub max: i64,
}
