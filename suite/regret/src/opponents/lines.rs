//! Functions of lines, which are rows or columns: what both have in common.

use lift_suite::measure::Opponent;

use super::launches::{defined, launch, once, pragma, twice, types};
use crate::classes::rows::{Function, Rows};

/// Local memory that is surely there, with some space for what is combined.
pub(super) const LOCAL_BYTES: usize = 40 << 10;

/// Lines of a matrix at concrete extents.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a> {
    /// What is computed.
    pub(super) case: &'a Rows,
    /// Rows and columns.
    pub(super) extents: [usize; 2],
}

/// How lines are shared.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Lanes of a vector.
    pub(super) lanes: usize,
    /// Items for each line, a power of two.
    pub(super) items: usize,
    /// Lines of a group; with vectors of columns, vectors.
    pub(super) side: usize,
    /// What an item loads at a time, at most.
    pub(super) unroll: usize,
    /// Chunks of each line.
    pub(super) chunks: usize,
}

impl Shape {
    /// One chunk and some unrolling.
    pub(super) const fn new(lanes: usize, items: usize, side: usize) -> Shape {
        Shape { lanes, items, side, unroll: 4, chunks: 1 }
    }
}

impl Lines<'_> {
    /// The length of a line.
    pub(super) fn len(&self) -> usize {
        if self.case.columns { self.extents[0] } else { self.extents[1] }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        if self.case.columns { self.extents[1] } else { self.extents[0] }
    }

    /// Bytes of an element.
    pub(super) fn bytes(&self) -> usize {
        if self.case.double { 8 } else { 4 }
    }

    /// Elements or vectors of a line that items go through.
    pub(super) fn steps(&self, lanes: usize) -> usize {
        if self.case.columns { self.len() } else { self.len() / lanes }
    }

    /// Lines, or vectors of them.
    pub(super) fn width(&self, lanes: usize) -> usize {
        if self.case.columns { self.count() / lanes } else { self.count() }
    }

    /// Numbers that are known of a line.
    fn facts(&self) -> usize {
        if matches!(self.case.function, Function::Moments | Function::Softmax | Function::Normalised) {
            2
        } else {
            1
        }
    }

    /// One launch of this kernel, `again`, `reduce`, `kept`, or `stored`.
    pub(super) fn once(&self, entry: &'static str, shape: Shape) -> Opponent {
        let kernel = format!("KERNEL_{}", entry.to_uppercase());
        let text = self.text(shape, &[&kernel], shape.items, 1);
        let local = self.local(shape.items, shape.side);
        once(self.name(entry, shape), text, launch(entry, &local, self.blocks(shape)))
    }

    /// One launch for short rows.
    pub(super) fn staged(&self, side: usize) -> Opponent {
        let text = self.text(Shape::new(1, 1, side), &[], 1, 1) + include_str!("lines_short.cl");
        let name = format!("an item a row, {side} rows by local memory");
        once(name, text, launch("staged", &[side], self.count().div_ceil(side)))
    }

    /// Two launches: parts of lines, then what is computed of all parts of a line.
    pub(super) fn twice(&self, shape: Shape) -> Opponent {
        let chunks = self.steps(shape.lanes).div_ceil(self.chunk(shape));
        let shape = Shape { chunks, ..shape };
        let first =
            launch("parts_of_lines", &self.local(shape.items, shape.side), self.blocks(shape) * chunks);
        let elements = self.count() * chunks * self.facts();
        if self.case.gives_rows() {
            let text = self.text(shape, &["KERNEL_PARTS", "KERNEL_APPLY"], 1, 1);
            let second = launch("apply", first.local, self.blocks(shape) * chunks);
            return twice(self.name("twice", shape), text, [first, second], elements);
        }
        let finishers = chunks.next_power_of_two().min(256);
        let finished = (256 / finishers).min(self.count().next_power_of_two());
        let (finishers, finished) = match self.case.columns {
            true if self.count() >= 32 => (8.min(finishers), 32),
            _ => (finishers, finished),
        };
        let text = self.text(shape, &["KERNEL_PARTS"], finishers, finished) + include_str!("lines_finish.cl");
        let groups = self.count().div_ceil(finished);
        let second = launch("finish", &self.local(finishers, finished), groups);
        twice(self.name("twice", shape), text, [first, second], elements)
    }

    fn name(&self, how: &str, shape: Shape) -> String {
        let Shape { lanes, items, side, chunks, .. } = shape;
        let lines = if self.case.columns { "columns" } else { "rows" };
        let vectors = if lanes == 1 { String::new() } else { format!(", vectors of {lanes}") };
        let chunks = if chunks == 1 { String::new() } else { format!(", {chunks} chunks") };
        let side = if self.case.columns { side * lanes } else { side };
        format!("{how}: {items} items a line, {side} {lines} a group{vectors}{chunks}")
    }

    /// The shape of a group.
    fn local(&self, items: usize, side: usize) -> [usize; 2] {
        if self.case.columns { [side, items] } else { [items, side] }
    }

    /// Groups side by side.
    fn blocks(&self, shape: Shape) -> usize {
        self.width(shape.lanes).div_ceil(shape.side)
    }

    /// Steps of a chunk.
    fn chunk(&self, shape: Shape) -> usize {
        self.steps(shape.lanes).div_ceil(shape.chunks).next_multiple_of(shape.items)
    }

    /// What an item loads at a time, so that little remains of what it has.
    fn unroll(&self, shape: Shape) -> usize {
        let loads = self.chunk(shape).min(self.steps(shape.lanes)) / shape.items;
        let most = shape.unroll.min(loads).max(1);
        (most.div_ceil(2)..=most).rev().min_by_key(|unroll| loads % unroll).unwrap_or(1)
    }

    fn text(&self, shape: Shape, kernels: &[&str], finishers: usize, finished: usize) -> String {
        let (case, steps) = (self.case, self.steps(shape.lanes));
        let (kind, needs_shift) = match case.function {
            Function::Sum => ("IS_SUM", false),
            Function::Largest => ("IS_LARGEST", false),
            Function::WhereLargest => ("IS_WHERE", false),
            Function::Dot => ("IS_DOT", false),
            Function::Moments => ("IS_MOMENTS", true),
            Function::Softmax => ("IS_SOFTMAX", false),
            Function::Normalised => ("IS_NORMALISED", true),
            Function::Unit => ("IS_UNIT", false),
        };
        let is_dot = case.function == Function::Dot;
        let (params, y) = match is_dot {
            true => ("__global const T1 *restrict x, __global const T1 *restrict y", "y"),
            false => ("__global const T1 *restrict x", "x"),
        };
        let (results, out, part) = match case.function {
            Function::Moments => ("__global T1 *restrict out, __global T1 *restrict out1", "out, out1", "T1"),
            Function::WhereLargest => ("__global int *restrict out", "out", "int"),
            _ => ("__global T1 *restrict out", "out", "T1"),
        };
        let least = if case.double { "-DBL_MAX" } else { "-FLT_MAX" };
        let mut macros = types(case.double, shape.lanes);
        let numbers = [
            ("ITEMS", shape.items),
            ("SIDE", shape.side),
            ("UNROLL", self.unroll(shape)),
            ("CHUNKS", shape.chunks),
            ("CHUNK", self.chunk(shape)),
            ("LENGTH", steps),
            ("WIDTH", self.width(shape.lanes)),
            ("BLOCKS", self.blocks(shape)),
            ("REDUCED", self.len()),
            ("LINES", self.count()),
            ("STATS", self.facts()),
            ("KEPT", steps.div_ceil(shape.items)),
            ("FINISHERS", finishers),
            ("FINISHED", finished),
            ("PITCH", self.len() | 1),
            ("NEXT", if case.columns { self.count() } else { 1 }),
        ];
        macros.extend(numbers.map(|(name, number)| (name, number.to_string())));
        let texts = [
            ("PARAMS", params),
            ("RESULTS", results),
            ("OUT", out),
            ("PART_T", part),
            ("Y", y),
            ("LEAST", least),
        ];
        macros.extend(texts.map(|(name, text)| (name, text.to_string())));
        let switches = [
            (kind, true),
            ("NEEDS_SHIFT", needs_shift),
            ("GIVES_ROWS", case.gives_rows()),
            ("COLUMNS", case.columns),
        ];
        let kernels = kernels.iter().map(|kernel| (*kernel, true));
        let switched = switches.into_iter().chain(kernels).filter(|(_, on)| *on);
        let switched: String = switched.map(|(name, _)| format!("#define {name}\n")).collect();
        let functions = include_str!("lines_functions.cl");
        let of_lines = if case.columns { "v" } else { "1" };
        [
            pragma(case.double),
            &defined(&macros),
            &switched,
            &functions.replace('@', "1"),
            &functions.replace('@', "v"),
            include_str!("lines_lanes.cl"),
            &include_str!("lines.cl").replace('$', of_lines),
        ]
        .concat()
    }
}
