//! What mostly moves data: elements and vectors in their order, and transposed tiles.

use lift_suite::measure::Opponent;

use super::launches::{defined, lanes, launch, once, pragma, types};
use crate::classes::moves::{Move, What};

/// Lanes of a vector, items of a group, and what each of them computes.
const EACH: &[[usize; 3]] =
    &[[1, 256, 1], [1, 256, 4], [4, 256, 1], [4, 128, 1], [4, 256, 2], [4, 256, 4], [4, 1024, 1]];

/// Lanes of a vector, items of a group, and the rows and columns of a tile.
const TILES: &[[usize; 4]] = &[
    [1, 256, 32, 32],
    [1, 128, 32, 32],
    [1, 512, 64, 32],
    [1, 256, 64, 64],
    [4, 256, 32, 32],
    [4, 256, 64, 64],
    [4, 128, 64, 32],
];

/// What is written by hand for a program.
pub(crate) fn opponents(case: &Move, [rows, columns]: [usize; 2]) -> Vec<Opponent> {
    match case.what {
        What::Transposed => transposed(case, [rows, columns]),
        What::SumWithTransposed => transposed(case, [columns, rows]),
        What::Polynomial | What::Weighted | What::Turned => {
            let lanes = lanes(case.double, rows * columns);
            distinct(EACH, lanes).into_iter().map(|shape| each(case, [rows, columns], shape)).collect()
        }
        What::Outer => {
            let lanes = lanes(case.double, columns);
            let shapes = distinct(EACH, lanes).into_iter().filter(|[_, items, _]| *items == 256);
            let mut all: Vec<Opponent> = shapes.map(|shape| each(case, [rows, columns], shape)).collect();
            let side = (columns / lanes).next_power_of_two().min(64);
            let items = (256 / side).min(rows.next_power_of_two());
            for each in [1, 4, 16] {
                // Some work for most, and more than one row for an item where there are many.
                if items * each < 2 * rows && (each > 1 || rows < 256) {
                    all.push(blocks(case, [rows, columns], [lanes, side, items, each]));
                }
            }
            all
        }
    }
}

/// The shapes with at most so many lanes, each once.
fn distinct<const D: usize>(shapes: &[[usize; D]], lanes: usize) -> Vec<[usize; D]> {
    let mut all = Vec::new();
    for &shape in shapes {
        let mut shape = shape;
        shape[0] = shape[0].min(lanes);
        if !all.contains(&shape) {
            all.push(shape);
        }
    }
    all
}

/// Elements or vectors in their order.
fn each(case: &Move, [rows, columns]: [usize; 2], [lanes, items, each]: [usize; 3]) -> Opponent {
    let total = rows * columns / lanes;
    let numbers = [("ITEMS", items), ("EACH", each), ("TOTAL", total), ("WIDTH", columns / lanes)];
    let name = format!("{each} vectors of {lanes} an item, groups of {items}");
    once(name, text(case, lanes, "EACH", &numbers), launch("each", &[items], total.div_ceil(items * each)))
}

/// Blocks of several rows.
fn blocks(case: &Move, [rows, columns]: [usize; 2], [lanes, side, items, each]: [usize; 4]) -> Opponent {
    let (width, tall) = (columns / lanes, items * each);
    let blocks = width.div_ceil(side);
    let numbers = [
        ("ITEMS", items),
        ("SIDE", side),
        ("EACH", each),
        ("ROWS", rows),
        ("WIDTH", width),
        ("BLOCKS", blocks),
        ("TOTAL", rows * width),
    ];
    let name = format!("{each} rows of {lanes} an item, groups of {side}x{items}");
    let groups = blocks * rows.div_ceil(tall);
    once(name, text(case, lanes, "BLOCKS", &numbers), launch("blocks", &[side, items], groups))
}

/// The transposition of a matrix with these extents.
fn transposed(case: &Move, [rows, columns]: [usize; 2]) -> Vec<Opponent> {
    let most = lanes(case.double, rows).min(lanes(case.double, columns));
    let mut tiles: Vec<[usize; 4]> = Vec::new();
    for [lanes, items, tall, wide] in distinct(TILES, most) {
        // Narrow matrices have tiles that are as narrow, of the same size.
        let area = tall * wide;
        let tall = tall.min(rows.next_power_of_two()).max(area / wide.min(columns.next_power_of_two()));
        let shape = [lanes, items, tall, area / tall];
        if !tiles.contains(&shape) {
            tiles.push(shape);
        }
    }
    let mut all: Vec<Opponent> = tiles.into_iter().map(|shape| tiled(case, [rows, columns], shape)).collect();
    for each in [1, 4] {
        let numbers = [("ITEMS", 256), ("EACH", each), ("ROWS", rows), ("COLUMNS", columns)];
        let (text, groups) = (text(case, 1, "PLAIN", &numbers), (rows * columns).div_ceil(256 * each));
        all.push(once(format!("{each} an item without local memory"), text, launch("plain", &[256], groups)));
    }
    all
}

/// Tiles by way of local memory.
fn tiled(case: &Move, [rows, columns]: [usize; 2], [lanes, items, tall, wide]: [usize; 4]) -> Opponent {
    let blocks = columns.div_ceil(wide);
    let numbers = [
        ("ITEMS", items),
        ("TALL", tall),
        ("WIDE", wide),
        ("ROWS", rows),
        ("COLUMNS", columns),
        ("BLOCKS", blocks),
    ];
    let name = format!("tiles of {tall}x{wide}, vectors of {lanes}, groups of {items}");
    let groups = blocks * rows.div_ceil(tall);
    once(name, text(case, lanes, "TILES", &numbers), launch("tiles", &[items], groups))
}

fn text(case: &Move, lanes: usize, kernel: &str, numbers: &[(&'static str, usize)]) -> String {
    let vectors =
        |name: &str| format!("__global const Tv *const restrict {name}s = (__global const Tv *){name};");
    let (kind, params, more) = match case.what {
        What::Transposed => ("IS_TRANSPOSED", &["x"][..], String::new()),
        What::SumWithTransposed => ("IS_TRANSPOSED", &["x", "y"][..], String::new()),
        What::Polynomial => ("IS_POLYNOMIAL", &["x"][..], String::new()),
        What::Weighted => ("IS_WEIGHTED", &["x", "y", "z"][..], vectors("y") + &vectors("z")),
        What::Turned => ("IS_TURNED", &["x"][..], String::new()),
        What::Outer => ("IS_OUTER", &["x", "u", "v"][..], vectors("v")),
    };
    let params: Vec<String> =
        params.iter().map(|name| format!("__global const T1 *restrict {name}")).collect();
    let (from, plus) = match case.what {
        What::SumWithTransposed => ("y", "+ *(__global const Tv *)(x + (i))"),
        _ => ("x", ""),
    };
    let mut macros = types(case.double, lanes);
    macros.extend(numbers.iter().map(|(name, number)| (*name, number.to_string())));
    macros.extend([("PARAMS", params.join(", ")), ("MORE_VECTORS", more)]);
    macros.extend([("FROM", from.into()), ("PLUS(i)", plus.into())]);
    let switches = format!("#define {kind}\n#define KERNEL_{kernel}\n");
    [pragma(case.double), &defined(&macros), &switches, include_str!("moves.cl")].concat()
}
