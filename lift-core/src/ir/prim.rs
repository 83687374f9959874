//! The table of primitives: one row each.
//!
//! A row gives the name, the type with its symbolic sizes, the facts about sizes that must hold, what becomes of arrays without
//! elements, and one sentence. The type checker, the smart constructors and the reference all read this table; nothing else
//! says what a primitive's type is.

use crate::bug;
use crate::ir::place::{ByKey, Memory, Order, Place};

/// A primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the table below documents each")]
pub enum Prim {
    Map(Place),
    Reduce(Order),
    Scan(Order),
    ScanWith,
    ReduceByKey(ByKey),
    Store(Memory),
    /// In so many dimensions.
    Increase(usize),
    Zip,
    Unzip,
    Split,
    Join,
    Transpose,
    Slide,
    SlideSeq,
    Pad,
    Take,
    Drop,
    Concat,
    Reorder,
    Gather,
    Scatter,
    ScatterTo,
    Array,
    At,
    Iterate,
    IterateUntil,
}

/// What a primitive says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Says what is computed.
    Algorithmic,
    /// Says where and how. Rewriting introduces it, and so may the user.
    LowLevel,
    /// Says how, and rewriting alone introduces it.
    Derived,
}

/// What a primitive does with data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Computes nothing: says where elements are, and how they are written.
    Layout(Write),
    /// Applies a function to every element.
    Map,
    /// Is its argument, stored somewhere.
    Store,
    /// Computes something else.
    Compute,
}

/// How what is stored through a layout goes to the arrays that it is applied to. The last argument is that array, or all of them are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// It does not: elements are read through it only.
    Not,
    /// Each array is written for itself.
    Each,
    /// Every element has one place, which its index says.
    Moved,
    /// Every element has one place, which a function or data say. Nothing is read through it.
    Scattered,
}

/// What becomes of an array without elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtZero {
    /// It is an array like any other, and this comes out.
    Total(&'static str),
    /// It needs this fact about the sizes in the signature, too; where that holds, this comes out.
    Needs(&'static str, &'static str),
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The primitive.
    pub prim: Prim,
    /// Its name in the language.
    pub name: &'static str,
    /// Its type. Parameters stand in the order in which they are written, after the dimension of a place; the array to work on comes last.
    /// Lower-case names are sizes, upper-case names are types; a parameter `k: Nat` is a size itself.
    pub signature: &'static str,
    /// Facts about the sizes in the signature.
    pub needs: &'static [&'static str],
    /// What becomes of an array of length 0.
    pub at_zero: AtZero,
    /// Algorithmic or low-level.
    pub level: Level,
    /// What it does with data.
    pub role: Role,
    /// What it does.
    pub doc: &'static str,
}

/// What most rows have in common.
const ROW: Row = Row {
    prim: Prim::Map(Place::View),
    name: "",
    signature: "",
    needs: &[],
    at_zero: AtZero::Total("No elements."),
    level: Level::Algorithmic,
    role: Role::Compute,
    doc: "",
};

/// A map by somebody.
const PLACED_MAP: Row = Row {
    signature: "(f: fn(T) -> U, xs: [T; n]) -> [U; n]",
    level: Level::LowLevel,
    role: Role::Map,
    ..ROW
};

/// Its argument, stored somewhere.
const STORE: Row = Row { signature: "(xs: T) -> T", level: Level::LowLevel, role: Role::Store, ..ROW };

/// Every primitive.
pub const TABLE: &[Row] = &[
    Row {
        prim: Prim::Map(Place::View),
        name: "map",
        level: Level::Algorithmic,
        doc: "Applies `f` to every element. The only source of parallelism.",
        ..PLACED_MAP
    },
    Row {
        prim: Prim::Reduce(Order::Any),
        name: "reduce",
        signature: "(f: fn(T, T) -> T, z: T, xs: [T; n]) -> T",
        at_zero: AtZero::Total("`z`."),
        doc: "Combines all elements with `f`, which is associative and commutative and has the identity `z`.",
        ..ROW
    },
    Row {
        prim: Prim::Zip,
        name: "zip",
        // For two arrays; `signature_of` writes the others.
        signature: "(a: [A; n], b: [B; n]) -> [(A, B); n]",
        role: Role::Layout(Write::Not),
        doc: "Pairs the elements of two arrays of one length, or more.",
        ..ROW
    },
    Row {
        prim: Prim::Split,
        name: "split",
        signature: "(m: Nat, xs: [T; n]) -> [[T; m]; n / m]",
        needs: &["m >= 1", "n % m == 0"],
        at_zero: AtZero::Total("No pieces."),
        role: Role::Layout(Write::Moved),
        doc: "Cuts an array into pieces of `m` elements.",
        ..ROW
    },
    Row {
        prim: Prim::Join,
        name: "join",
        signature: "(xs: [[T; m]; n]) -> [T; n * m]",
        at_zero: AtZero::Total("No elements, whether there are no rows or none in them."),
        role: Role::Layout(Write::Moved),
        doc: "Strings the rows of a two-dimensional array together.",
        ..ROW
    },
    Row {
        prim: Prim::Transpose,
        name: "transpose",
        signature: "(xs: [[T; m]; n]) -> [[T; n]; m]",
        at_zero: AtZero::Total("`m` rows without elements, or no rows."),
        role: Role::Layout(Write::Moved),
        doc: "Swaps the two outermost dimensions.",
        ..ROW
    },
    Row {
        prim: Prim::Slide,
        name: "slide",
        signature: "(size: Nat, step: Nat, xs: [T; n]) -> [[T; size]; (n - size + step) / step]",
        // What is shorter than a window has none: `typecheck/windows.rs` sees to it that the first holds here.
        needs: &["n >= size", "size >= 1", "step >= 1", "(n - size) % step == 0"],
        at_zero: AtZero::Total("No windows, as of every array that is shorter than one."),
        role: Role::Layout(Write::Not),
        doc: "All windows of `size` neighbours, each `step` after the one before.",
        ..ROW
    },
    Row {
        prim: Prim::Pad,
        name: "pad",
        signature: "(l: Nat, r: Nat, b: Boundary<T>, xs: [T; n]) -> [T; l + n + r]",
        needs: &["l >= 0", "r >= 0"],
        at_zero: AtZero::Needs(
            "min(l + r, 1) <= n",
            "`constant` and `value` give all `l + r` elements. Other boundaries have nothing to repeat: `l` and `r` are 0.",
        ),
        role: Role::Layout(Write::Not),
        doc: "Adds `l` elements before and `r` after, which the boundary `b` defines.",
        ..ROW
    },
    Row {
        prim: Prim::Array,
        name: "array",
        signature: "(n: Nat, f: fn(usize) -> T) -> [T; n]",
        needs: &["n >= 0"],
        at_zero: AtZero::Total("No elements; `f` is not called."),
        doc: "The array whose element `i` is `f(i)`, computed where it is read.",
        ..ROW
    },
    Row {
        prim: Prim::At,
        name: "at",
        signature: "(i: usize, xs: [T; n]) -> T",
        at_zero: AtZero::Total("No index is in range."),
        doc: "Element `i`, also written `xs[i]`. `i` must be provably in range.",
        ..ROW
    },
    Row {
        prim: Prim::Take,
        name: "take",
        signature: "(k: Nat, xs: [T; n]) -> [T; k]",
        needs: &["k >= 0", "k <= n"],
        at_zero: AtZero::Total("No elements; `k` is 0."),
        role: Role::Layout(Write::Moved),
        doc: "The first `k` elements.",
        ..ROW
    },
    Row {
        prim: Prim::Drop,
        name: "drop",
        signature: "(k: Nat, xs: [T; n]) -> [T; n - k]",
        needs: &["k >= 0", "k <= n"],
        at_zero: AtZero::Total("No elements; `k` is 0."),
        role: Role::Layout(Write::Moved),
        doc: "All but the first `k` elements.",
        ..ROW
    },
    Row {
        prim: Prim::Concat,
        name: "concat",
        // For two arrays; `signature_of` writes the others.
        signature: "(a: [T; n], b: [T; m]) -> [T; n + m]",
        at_zero: AtZero::Total("The elements of the others."),
        role: Role::Layout(Write::Each),
        doc: "Two arrays one after the other, or more.",
        ..ROW
    },
    Row {
        prim: Prim::Reduce(Order::Left),
        name: "fold",
        signature: "(f: fn(U, T) -> U, z: U, xs: [T; n]) -> U",
        at_zero: AtZero::Total("`z`."),
        doc: "Combines all elements with any `f`, strictly left to right, starting with `z`.",
        ..ROW
    },
    Row {
        prim: Prim::Scan(Order::Any),
        name: "scan",
        signature: "(f: fn(T, T) -> T, z: T, xs: [T; n]) -> [T; n]",
        doc: "All inclusive prefixes, combined with `f`, which is associative and has the identity `z`.",
        ..ROW
    },
    Row {
        prim: Prim::ScanWith,
        name: "scan_with",
        signature: "(f: fn(S, T) -> (S, U), z: S, xs: [T; n]) -> [U; n]",
        doc: "What any `f` makes of each element and a state, strictly left to right, starting with `z`: `f` gives the next state and an element.",
        ..ROW
    },
    Row {
        prim: Prim::Unzip,
        name: "unzip",
        // For pairs; `signature_of` writes the others.
        signature: "(xs: [(A, B); n]) -> ([A; n], [B; n])",
        at_zero: AtZero::Total("Arrays without elements."),
        role: Role::Layout(Write::Moved),
        doc: "An array for each part of the tuples in an array.",
        ..ROW
    },
    Row {
        prim: Prim::Iterate,
        name: "iterate",
        signature: "(k: usize, f: fn(T) -> T, x: T) -> T",
        at_zero: AtZero::Total("`f` is applied to the array as to any other."),
        doc: "Applies `f` `k` times.",
        ..ROW
    },
    Row {
        prim: Prim::IterateUntil,
        name: "iterate_until",
        signature: "(k: usize, done: fn(T) -> bool, f: fn(T) -> T, x: T) -> T",
        at_zero: AtZero::Total("`done` and `f` are applied to the array as to any other."),
        doc: "Applies `f` until `done` holds, at most `k` times.",
        ..ROW
    },
    Row {
        prim: Prim::Reorder,
        name: "reorder",
        signature: "(p: fn(usize, usize) -> usize, xs: [T; n]) -> [T; n]",
        at_zero: AtZero::Total("No elements; `p` is not called."),
        role: Role::Layout(Write::Not),
        doc: "Element `i` is element `p(i, n)`; `p` is a permutation of the indices.",
        ..ROW
    },
    Row {
        prim: Prim::Scatter,
        name: "scatter",
        signature: "(p: fn(usize, usize) -> usize, xs: [T; n]) -> [T; n]",
        at_zero: AtZero::Total("No elements; `p` is not called."),
        role: Role::Layout(Write::Scattered),
        doc: "Element `i` becomes element `p(i, n)`; `p` is a permutation of the indices.",
        ..ROW
    },
    Row {
        prim: Prim::Gather,
        name: "gather",
        signature: "(idx: [I; k], xs: [T; n]) -> [T; k]",
        // An index out of range reads the first element, and is reported.
        at_zero: AtZero::Needs("min(k, 1) <= n", "There are no indices, either."),
        role: Role::Layout(Write::Not),
        doc: "The elements at the indices `idx`, which are integers.",
        ..ROW
    },
    Row {
        prim: Prim::ScatterTo,
        name: "scatter_to",
        signature: "(dst: [T; n], idx: [I; k], xs: [T; k]) -> [T; n]",
        at_zero: AtZero::Total("Without indices, `dst`. Without elements in `dst`, no index is in range."),
        role: Role::Layout(Write::Scattered),
        doc: "The array `dst` with `xs` at the indices `idx`, which are distinct integers.",
        ..ROW
    },
    Row {
        prim: Prim::ReduceByKey(ByKey::Whole),
        name: "reduce_by_key",
        signature: "(bins: Nat, f: fn(T, T) -> T, z: T, keys: [I; n], xs: [T; n]) -> [T; bins]",
        needs: &["bins >= 0"],
        at_zero: AtZero::Total("`z` in every bin."),
        doc: "For every key below `bins` all elements with this key, combined with `f`, which is associative and commutative and has the \
              identity `z`.",
        ..ROW
    },
    Row {
        prim: Prim::Store(Memory::Temporary),
        name: "materialize",
        level: Level::Algorithmic,
        doc: "Stores its argument in global memory: what reads it is another launch.",
        ..STORE
    },
    Row {
        prim: Prim::Map(Place::Global(0)),
        name: "map_global",
        doc: "`map`, one global work-item of dimension `d` per element.",
        ..PLACED_MAP
    },
    Row {
        prim: Prim::Map(Place::Group(0)),
        name: "map_workgroup",
        doc: "`map`, one work-group of dimension `d` per element.",
        ..PLACED_MAP
    },
    Row {
        prim: Prim::Map(Place::Local(0)),
        name: "map_local",
        doc: "`map`, the work-items of one work-group share the elements in dimension `d`.",
        ..PLACED_MAP
    },
    Row { prim: Prim::Map(Place::Sequential), name: "map_seq", doc: "`map` as a loop.", ..PLACED_MAP },
    Row {
        prim: Prim::Map(Place::Unrolled),
        name: "map_seq_unroll",
        doc: "`map`, written out element by element. The length is a number.",
        ..PLACED_MAP
    },
    Row {
        prim: Prim::Map(Place::Lanes),
        name: "map_vec",
        at_zero: AtZero::Total("The length is not 0."),
        doc: "`map`, all elements at once, in the lanes of vectors. The length is 2, 3, 4, 8 or 16.",
        ..PLACED_MAP
    },
    Row {
        prim: Prim::Reduce(Order::Sequential),
        name: "reduce_seq",
        signature: "(f: fn(U, T) -> U, z: U, xs: [T; n]) -> U",
        at_zero: AtZero::Total("`z`."),
        level: Level::LowLevel,
        doc: "`reduce` as a loop, strictly left to right.",
        ..ROW
    },
    Row {
        prim: Prim::Reduce(Order::Unrolled),
        name: "reduce_seq_unroll",
        signature: "(f: fn(U, T) -> U, z: U, xs: [T; n]) -> U",
        at_zero: AtZero::Total("`z`."),
        level: Level::LowLevel,
        doc: "`reduce`, written out element by element. The length is a number.",
        ..ROW
    },
    Row {
        prim: Prim::Scan(Order::Sequential),
        name: "scan_seq",
        signature: "(f: fn(U, T) -> U, z: U, xs: [T; n]) -> [U; n]",
        level: Level::LowLevel,
        doc: "`scan` as a loop that stores as it goes, with any `f`.",
        ..ROW
    },
    Row {
        prim: Prim::Scan(Order::Left),
        name: "scan_left",
        signature: "(f: fn(U, T) -> U, z: U, xs: [T; n]) -> [U; n]",
        level: Level::Derived,
        doc: "All that `fold` accumulates on the way.",
        ..ROW
    },
    Row {
        prim: Prim::SlideSeq,
        name: "slide_seq",
        signature: "(size: Nat, step: Nat, xs: [T; n]) -> [[T; size]; (n - size + step) / step]",
        needs: &["size >= 1", "step >= 1", "(n - size) % step == 0"],
        at_zero: AtZero::Needs("n >= size", "No window fits."),
        level: Level::LowLevel,
        doc: "`slide` for a loop: what a window shares with the one before is kept, not read again.",
        ..ROW
    },
    Row {
        prim: Prim::Store(Memory::Local),
        name: "to_local",
        doc: "Stores its argument in local memory.",
        ..STORE
    },
    Row {
        prim: Prim::Store(Memory::Private),
        name: "to_private",
        doc: "Stores its argument in the registers of the work-item.",
        ..STORE
    },
    Row {
        prim: Prim::Increase(1),
        name: "increase",
        signature: "(l: Nat, r: Nat, xs: [T; n]) -> [T; n]",
        needs: &["l >= 0", "r >= 0"],
        level: Level::LowLevel,
        role: Role::Store,
        doc: "The same array, with room for `l` more elements before and `r` after it in local memory.",
        ..ROW
    },
    Row {
        prim: Prim::Increase(2),
        name: "increase2d",
        signature: "(t: Nat, b: Nat, l: Nat, r: Nat, xs: [[T; m]; n]) -> [[T; m]; n]",
        needs: &["t >= 0", "b >= 0", "l >= 0", "r >= 0"],
        level: Level::LowLevel,
        role: Role::Store,
        doc: "The same rows, with room for `t` more before and `b` after them in local memory, and for `l` and `r` more \
              elements in each.",
        ..ROW
    },
    Row {
        prim: Prim::Map(Place::Warp),
        name: "map_warp",
        doc: "`map`, the warps of one work-group share the elements: each is 32 neighbours in dimension 0.",
        ..PLACED_MAP
    },
    Row {
        prim: Prim::Map(Place::Lane),
        name: "map_lane",
        doc: "`map`, the work-items of one warp share the elements.",
        ..PLACED_MAP
    },
    Row {
        prim: Prim::Store(Memory::Global),
        name: "to_global",
        doc: "Stores its argument in global memory, where every work-group has a part of its own.",
        ..STORE
    },
    Row {
        prim: Prim::ReduceByKey(ByKey::Item),
        name: "reduce_by_key_seq",
        signature: "(bins: Nat, f: fn(T, T) -> T, z: T, from: usize, to: usize, keys: [I; n], xs: [T; n]) -> [T; bins]",
        at_zero: AtZero::Total("`z` in every bin."),
        level: Level::Derived,
        doc: "`reduce_by_key` of the elements from `from` to below `to`, as a loop that combines in the place where the result is stored.",
        ..ROW
    },
    Row {
        prim: Prim::ReduceByKey(ByKey::Group),
        name: "reduce_by_key_local",
        signature: "(bins: Nat, copies: Nat, f: fn(T, T) -> T, z: T, from: usize, to: usize, keys: [I; n], xs: [T; n]) -> [[T; bins]; copies]",
        at_zero: AtZero::Total("`z` in every bin."),
        level: Level::Derived,
        doc: "The same by the work-items of a group in turns, in so many copies: element `i` goes to copy `(i - from) % copies`.",
        ..ROW
    },
];

/// How many work-items are a warp.
pub const WARP: i64 = 32;

/// How often at most an `iterate` over arrays is written out, one application after the other.
pub const MOST_UNROLLED: u64 = 64;

/// `A` to `H`, then `A8`, `A9`, …
fn type_variable(i: usize) -> String {
    ["A", "B", "C", "D", "E", "F", "G", "H"]
        .get(i)
        .map_or_else(|| format!("A{i}"), |name| (*name).to_string())
}

impl Prim {
    /// The primitive's row.
    pub fn row(self) -> &'static Row {
        let prim = match self {
            Prim::Map(place) => Prim::Map(place.with_dimension(0)),
            prim => prim,
        };
        match TABLE.iter().find(|row| row.prim == prim) {
            Some(row) => row,
            None => bug!("{prim:?} has no row"),
        }
    }

    /// The primitive's name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The primitive of that name.
    pub fn from_name(name: &str) -> Option<Prim> {
        Prim::written_rows().find(|row| row.name == name).map(|row| row.prim)
    }

    /// The rows of those that have a name in the language.
    pub fn written_rows() -> impl Iterator<Item = &'static Row> {
        TABLE.iter().filter(|row| row.level != Level::Derived)
    }

    /// The parameters as they are written, with the dimension of a place.
    pub fn written(self, arity: usize) -> String {
        let signature = self.signature_of(arity);
        match self.dimension() {
            Some(_) => signature.replacen('(', "(d: Nat, ", 1),
            None => signature,
        }
    }

    /// The type of the primitive for so many arrays (`zip`, `concat`) or parts (`unzip`); the others have one.
    pub fn signature_of(self, arity: usize) -> String {
        let letters: Vec<String> = (0..arity.max(2)).map(type_variable).collect();
        let lower: Vec<String> = letters.iter().map(|l| l.to_ascii_lowercase()).collect();
        let listed = |item: &dyn Fn(usize) -> String| -> String {
            (0..letters.len()).map(item).collect::<Vec<_>>().join(", ")
        };
        match self {
            Prim::Zip => format!(
                "({}) -> [({}); n]",
                listed(&|i| format!("{}: [{}; n]", lower[i], letters[i])),
                letters.join(", ")
            ),
            Prim::Concat => format!(
                "({}) -> [T; {}]",
                listed(&|i| format!("{}: [T; n{i}]", lower[i])),
                listed(&|i| format!("n{i}")).replace(", ", " + ")
            ),
            Prim::Unzip => format!(
                "(xs: [({}); n]) -> ({})",
                letters.join(", "),
                listed(&|i| format!("[{}; n]", letters[i]))
            ),
            _ => self.row().signature.to_string(),
        }
    }

    /// How it is written through; `Not` if it is no layout.
    pub fn write(self) -> Write {
        match self.row().role {
            Role::Layout(write) => write,
            Role::Map | Role::Store | Role::Compute => Write::Not,
        }
    }

    /// Whether elements are read through it, and nothing is computed.
    pub fn is_layout(self) -> bool {
        matches!(self.row().role, Role::Layout(Write::Not | Write::Each | Write::Moved))
    }

    /// Whether it says where elements are or go, and nothing is computed.
    pub fn is_rearrangement(self) -> bool {
        matches!(self.row().role, Role::Layout(_))
    }

    /// Whether there is a type for each number of arrays or parts.
    pub fn is_variadic(self) -> bool {
        matches!(self, Prim::Zip | Prim::Concat | Prim::Unzip)
    }

    /// The accumulator's type in the signature, if there is one: what one work-item must be able to keep.
    pub fn accumulates(self) -> bool {
        matches!(self, Prim::Reduce(Order::Any | Order::Left) | Prim::Scan(Order::Any) | Prim::ScanWith)
    }

    /// Whether this is one of the forms of `map`.
    pub fn is_map(self) -> bool {
        matches!(self, Prim::Map(_))
    }

    /// Who computes the elements, if this is one of the forms of `map`.
    pub fn place(self) -> Option<Place> {
        match self {
            Prim::Map(place) => Some(place),
            _ => None,
        }
    }

    /// The dimension that is written before the other arguments.
    pub fn dimension(self) -> Option<usize> {
        self.place().and_then(Place::dimension)
    }

    /// Whether this is one of the forms of `reduce` that go from left to right.
    pub fn is_loop_reduction(self) -> bool {
        matches!(self, Prim::Reduce(Order::Sequential | Order::Unrolled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_primitive_has_one_row() {
        for row in Prim::written_rows() {
            assert_eq!(Prim::from_name(row.name), Some(row.prim));
        }
    }
}
