//! Products of matrices: tiles in local memory and blocks in registers, of several shapes; for few results in two launches that share what is
//! reduced.

use lift_suite::measure::Opponent;

use super::join::{Join, opponent};
use super::launches::{PROCESSORS, defined};
use crate::classes::products::Product;

/// What a group and each of its work-items compute.
#[derive(Clone, Copy)]
struct Shape {
    /// Of a group: rows, and columns.
    group: [usize; 2],
    /// Of an item.
    item: [usize; 2],
    /// How much of what is reduced is in local memory at a time.
    depth: usize,
    /// How much of that the loop's body takes: of more than two the compiler loads parts so early that half as many items have registers.
    steps: usize,
}

const fn shape(group: [usize; 2], item: [usize; 2], depth: usize, steps: usize) -> Shape {
    Shape { group, item, depth, steps }
}

/// For large results.
const LARGE: &[Shape] = &[
    shape([256, 128], [16, 8], 8, 8),
    shape([128, 128], [8, 8], 8, 2),
    shape([128, 128], [8, 8], 16, 16),
    shape([64, 128], [8, 8], 8, 2),
];

/// For those that have fewer groups.
const SMALL: &[Shape] =
    &[shape([64, 64], [4, 4], 16, 16), shape([64, 64], [8, 4], 16, 4), shape([32, 32], [4, 4], 16, 4)];

/// For large results of `f64`, whose sums take twice as many registers.
const DOUBLE: Shape = shape([64, 128], [4, 8], 8, 4);

/// For at most 32 rows.
const THIN: &[Shape] = &[
    shape([32, 256], [8, 8], 8, 2),
    shape([32, 128], [8, 4], 8, 4),
    shape([32, 64], [4, 4], 16, 4),
    shape([32, 32], [4, 4], 16, 4),
];

/// For at most 16 rows.
const THINNEST: &[Shape] =
    &[shape([16, 256], [4, 8], 8, 4), shape([16, 128], [4, 4], 16, 4), shape([16, 64], [4, 4], 16, 4)];

/// Rows or columns, if one of them is so small.
const FEW: usize = 32;

/// Results that are few enough for groups of small blocks.
const SMALL_RESULT: usize = 1 << 21;

/// Local memory that every GPU has.
const LOCAL_BYTES: usize = 48 << 10;

/// Registers of a processor, in words.
const REGISTERS: usize = 1 << 16;

/// Cycles that a tile takes at least: until what is loaded is there.
const CYCLES_OF_A_TILE: usize = 700;

/// Cycles that a barrier and what is around it take.
const CYCLES_OF_A_BARRIER: usize = 250;

/// All that are worth a try at these sizes.
#[must_use]
pub fn opponents(product: &Product, sizes: &[usize]) -> Vec<Opponent> {
    let &[n, m, k] = sizes else { return Vec::new() };
    let problem = Problem { product, extents: [n, m, k] };
    let mut all: Vec<Opponent> = Vec::new();
    for &shape in problem.shapes().iter() {
        let share = problem.split(shape);
        let tiles = k.div_ceil(shape.depth);
        if share < tiles {
            all.push(problem.tiles(shape, share));
        }
        // In one launch, too, unless that leaves most processors idle.
        if share == tiles || 4 * problem.groups(shape) > PROCESSORS {
            all.push(problem.tiles(shape, tiles));
        }
    }
    if !product.a_turned && product.b_turned && n * m <= SMALL_RESULT / 16 {
        all.push(problem.dots());
    }
    all
}

/// A product of certain extents.
struct Problem<'a> {
    product: &'a Product,
    extents: [usize; 3],
}

impl Problem<'_> {
    /// The shapes that fit.
    fn shapes(&self) -> Vec<Shape> {
        let [n, m, _] = self.extents;
        let (least, is_wide) = (n.min(m), n <= m);
        let mut shapes: Vec<Shape> = match least {
            0..=16 => THINNEST.iter().chain(THIN.iter().take(2)).copied().collect(),
            17..=FEW => THIN.to_vec(),
            _ => LARGE.iter().chain(SMALL).copied().collect(),
        };
        if self.product.double && least > FEW {
            shapes.push(DOUBLE);
        }
        // Thin ones lie as the result does.
        shapes.iter_mut().filter(|shape| is_wide != (shape.group[0] <= shape.group[1])).for_each(Shape::turn);
        if self.product.double {
            shapes
                .iter_mut()
                .filter(|shape| shape.local_bytes(8) > LOCAL_BYTES)
                .for_each(|shape| shape.depth /= 2);
            // The largest has no room for its sums, and two have become one.
            let mut seen: Vec<Shape> = Vec::new();
            shapes.retain(|shape| {
                let is_new =
                    shape.item[0] * shape.item[1] <= 64 && !seen.iter().any(|other| other.is(*shape));
                seen.push(*shape);
                is_new
            });
        }
        if least > FEW {
            let is_small = |shape: &Shape| shape.group == [32, 32];
            let is_large = |shape: &Shape| shape.item[0] * shape.item[1] > 64;
            shapes.retain(|shape| !is_small(shape) || n * m <= SMALL_RESULT);
            shapes.retain(|shape| !is_large(shape) || self.groups(*shape) >= PROCESSORS / 2);
            // Blocks of which most is beyond the result.
            shapes.retain(|shape| shape.group[0].min(shape.group[1]) < 2 * least);
        }
        shapes
    }

    /// Groups for the whole result.
    fn groups(&self, Shape { group: [rows, columns], .. }: Shape) -> usize {
        self.extents[0].div_ceil(rows) * self.extents[1].div_ceil(columns)
    }

    /// Bytes of an element.
    fn bytes(&self) -> usize {
        if self.product.double { 8 } else { 4 }
    }

    /// How the parts of each result are added when groups take so many tiles.
    fn join(&self, parts: usize) -> Join {
        let element = if self.product.double { "double" } else { "float" };
        let [n, m, _] = self.extents;
        Join { element, function: "(a) + (b)", start: "0", fields: 1, count: n * m, parts }
    }

    /// About how many tiles a group should take: all, or fewer if there are too few groups.
    fn split(&self, shape: Shape) -> usize {
        let tiles = self.extents[2].div_ceil(shape.depth);
        let lanes = if self.product.double { 64 } else { 128 };
        let work = shape.group[0] * shape.group[1] * shape.depth / lanes;
        let cost = |share: usize| {
            let parts = tiles.div_ceil(share);
            let groups = (self.groups(shape) * parts).div_ceil(PROCESSORS);
            let turns = groups.div_ceil(shape.resident(self.bytes()));
            let cycles = (groups * work + turns * CYCLES_OF_A_BARRIER).max(turns * CYCLES_OF_A_TILE) * share;
            self.join(parts).cost(self.bytes()).map_or(usize::MAX, |more| cycles + more)
        };
        let shares = (1..=64).map(|parts| tiles.div_ceil(parts));
        shares.min_by_key(|&share| cost(share)).unwrap_or(tiles)
    }

    /// Tiles of such a shape, of which each group takes so many.
    fn tiles(&self, shape: Shape, share: usize) -> Opponent {
        let [n, m, k] = self.extents;
        let Shape { group: [rows, columns], item: [height, width], depth, steps } = shape;
        let Product { a_turned, b_turned, .. } = *self.product;
        let join = self.join(k.div_ceil(depth).div_ceil(share));
        let wide_a = self.wide(if a_turned { n } else { k });
        let wide_b = self.wide(if b_turned { k } else { m });
        let mut macros = self.macros();
        for (letter, turned, wide) in [("A", a_turned, wide_a), ("B", b_turned, wide_b)] {
            let macros_of = [
                ("TURNED", u8::from(turned).to_string()),
                ("WIDE", wide.to_string()),
                ("VECTOR", self.vector(wide)),
                ("SPREAD", format!("SPREAD_{wide}")),
            ];
            macros.extend(macros_of.map(|(name, value)| (format!("{letter}_{name}"), value)));
        }
        let numbers = [
            ("V", 16 / self.bytes()),
            ("ROWS", rows),
            ("COLUMNS", columns),
            ("HEIGHT", height),
            ("WIDTH", width),
            ("DEPTH", depth),
            ("STEPS", steps.min(depth)),
            ("SHARE", share),
        ];
        macros.extend(numbers.map(|(name, number)| (name.into(), number.to_string())));
        macros.push(("VECTOR".into(), self.vector(16 / self.bytes())));
        macros.extend(join.macros().into_iter().map(|(name, value)| (name.into(), value)));
        let name = format!("{rows}×{columns}×{depth} a group, {height}×{width} an item");
        let groups = [self.groups(shape), join.parts];
        opponent(
            name,
            self.text(&macros, include_str!("product.cl")),
            "product",
            &[shape.items(), 1],
            &groups,
            &join,
        )
    }

    /// Sums without tiles.
    fn dots(&self) -> Opponent {
        let [n, m, k] = self.extents;
        let (height, width, wide) = (4, 4, self.wide(k));
        let mut macros = self.macros();
        let more = [
            ("HEIGHT", height.to_string()),
            ("WIDTH", width.to_string()),
            ("WIDE", wide.to_string()),
            ("VECTOR", self.vector(wide)),
            ("SPREAD", format!("SPREAD_{wide}")),
        ];
        macros.extend(more.map(|(name, value)| (name.into(), value)));
        let text = self.text(&macros, include_str!("dots.cl"));
        let groups = [m.div_ceil(width), n.div_ceil(height)];
        opponent(format!("dots, {height}×{width} a group"), text, "dots", &[256, 1], &groups, &self.join(1))
    }

    /// How many numbers of rows of such an extent are loaded at a time.
    fn wide(&self, extent: usize) -> usize {
        let widest = 16 / self.bytes();
        [widest, 2, 1].into_iter().find(|wide| extent.is_multiple_of(*wide)).unwrap_or(1)
    }

    /// The type of so many elements.
    fn vector(&self, wide: usize) -> String {
        let element = self.join(1).element;
        if wide == 1 { element.into() } else { format!("{element}{wide}") }
    }

    /// The macros of all texts.
    fn macros(&self) -> Vec<(String, String)> {
        let adds = u8::from(self.product.sum).to_string();
        vec![("T".into(), self.vector(1)), ("ADDS".into(), adds)]
    }

    /// A text with its macros.
    fn text(&self, macros: &[(String, String)], text: &str) -> String {
        let macros: Vec<(&str, String)> =
            macros.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let extension =
            if self.product.double { "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" } else { "" };
        format!("{extension}{}\n{text}", defined(&macros))
    }
}

impl Shape {
    /// Work-items of a group.
    fn items(&self) -> usize {
        self.group[0] / self.item[0] * (self.group[1] / self.item[1])
    }

    /// Both halves of local memory.
    fn local_bytes(&self, bytes: usize) -> usize {
        let padding = 2 * 16 / bytes;
        2 * self.depth * (self.group[0] + self.group[1] + padding) * bytes
    }

    /// Groups that are on a processor at a time.
    fn resident(&self, bytes: usize) -> usize {
        let registers = 48 + self.item[0] * self.item[1] * bytes / 4;
        (REGISTERS / (registers * self.items())).clamp(1, 16)
    }

    /// Columns for rows.
    fn turn(&mut self) {
        self.group.reverse();
        self.item.reverse();
    }

    fn is(self, other: Shape) -> bool {
        (self.group, self.item, self.depth) == (other.group, other.item, other.depth)
    }
}
