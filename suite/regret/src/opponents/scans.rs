//! Scans: chunks in two launches, tiles with what is carried, and an item for each short row or column.

use lift_suite::measure::Opponent;

use super::launches::{PROCESSORS, defined, lanes, launch, once, twice, types};
use crate::classes::scans::{Along, Scan};

/// Local memory that leaves space for more than one group.
const LOCAL_BYTES: usize = 24 << 10;

/// Rows that are short enough for an item.
const SHORT: usize = 128;

/// Columns that are enough for an item each.
const MANY: usize = 1 << 13;

/// How rows, or columns, are shared.
#[derive(Clone, Copy)]
struct Shape {
    /// Lanes of a vector.
    lanes: usize,
    /// Items for each row or column, a power of two.
    items: usize,
    /// Elements of an item in a tile.
    each: usize,
    /// Rows of a group, or columns or vectors of them.
    side: usize,
    /// Chunks.
    chunks: usize,
}

/// What is written by hand for a scan.
pub(crate) fn opponents(case: &Scan, sizes: &[usize]) -> Vec<Opponent> {
    match (case.along, sizes) {
        (Along::Columns, &[rows, columns]) => of_columns(case, rows, columns),
        (Along::Rows, &[rows, columns]) => of_rows(case, rows, columns),
        _ => of_array(case, sizes.iter().product()),
    }
}

/// Tiles of items, elements for each of them, and chunks for each processor.
const ARRAY: &[[usize; 3]] =
    &[[256, 4, 16], [256, 8, 8], [256, 8, 16], [256, 16, 8], [512, 8, 4], [1024, 4, 4]];

fn of_array(case: &Scan, len: usize) -> Vec<Opponent> {
    let lanes = lanes(false, len);
    let lanes = if lanes == 4 { 4 } else { 1 };
    let shape = |&[items, each, chunks]: &[usize; 3], lanes: usize| {
        let most = len.div_ceil(items * each);
        Shape { lanes, items, each, side: 1, chunks: (chunks * PROCESSORS).min(most) }
    };
    let fits = |[items, each, _]: &&[usize; 3]| lanes == 4 || items * each * 4 <= LOCAL_BYTES;
    let mut all: Vec<Opponent> =
        ARRAY.iter().filter(fits).map(|one| rows_scanned(case, 1, len, shape(one, lanes))).collect();
    if lanes > 1 {
        all.push(rows_scanned(case, 1, len, shape(&[256, 8, 8], 1)));
    }
    all
}

/// Items for each row, and elements of each of them in a tile.
const ROWS: &[[usize; 2]] = &[
    [2, 4],
    [4, 4],
    [8, 4],
    [8, 8],
    [16, 4],
    [32, 4],
    [32, 8],
    [64, 8],
    [128, 8],
    [256, 4],
    [256, 8],
    [512, 8],
    [1024, 4],
];

fn of_rows(case: &Scan, rows: usize, len: usize) -> Vec<Opponent> {
    let lanes = if len.is_multiple_of(4) { 4 } else { 1 };
    let mut all = Vec::new();
    if len <= SHORT {
        let sides = [128, 64, 32].into_iter().filter(|side| side * (len | 1) * 4 <= LOCAL_BYTES);
        all.extend(sides.take(2).map(|side| staged(case, rows, len, side)));
        all.push(rows_by_item(case, rows, len));
    }
    // Tiles that are not much longer than a row, and of which it does not have very many, if there are larger ones.
    let fit = |[items, each]: &&[usize; 2]| {
        let tile = items * each;
        (tile < 2 * len && len <= 12 * tile) || *items == 1024 && tile < len
    };
    let shape = |&[items, each]: &[usize; 2]| {
        let side = (256 / items).clamp(1, rows.next_power_of_two());
        Shape { lanes, items, each, side, chunks: 1 }
    };
    all.extend(ROWS.iter().filter(fit).map(|one| rows_scanned(case, rows, len, shape(one))));
    let mut last = 0;
    for [items, each, groups] in [[256, 4, 16], [256, 8, 4], [256, 8, 16], [512, 8, 4]] {
        let chunks = (groups * PROCESSORS).div_ceil(rows).min(len / (items * each));
        if chunks > 1 && chunks * items * each != last {
            last = chunks * items * each;
            all.push(rows_scanned(case, rows, len, Shape { lanes, items, each, side: 1, chunks }));
        }
    }
    all
}

fn of_columns(case: &Scan, rows: usize, columns: usize) -> Vec<Opponent> {
    let lanes = lanes(false, columns);
    let shape = |lanes: usize, group: usize, most: usize, each: usize| {
        let side = (columns / lanes).next_power_of_two().min(most);
        let items = (group / side).min(rows.div_ceil(each).next_power_of_two());
        Shape { lanes, items, each, side, chunks: 1 }
    };
    let item = |lanes: usize, side: usize| Shape { lanes, items: 1, each: 8.min(rows), side, chunks: 1 };
    let mut shapes = vec![shape(1, 256, 32, 8)];
    if lanes > 1 {
        shapes.push(shape(lanes, 256, 32, 4));
    }
    if rows >= 64 {
        shapes.push(shape(1, 1024, 32, 4));
    }
    if columns >= MANY {
        shapes.extend([item(1, 64), item(1, 256)]);
        if lanes > 1 {
            shapes.push(item(lanes, 64));
        }
    }
    let blocks = |shape: &Shape| (columns / shape.lanes).div_ceil(shape.side);
    let mut all = Vec::new();
    let mut chunked = |shape: Shape, groups: usize| {
        let chunks = groups.div_ceil(blocks(&shape)).min(rows / (shape.items * shape.each));
        if chunks > 1 {
            let opponent = columns_scanned(case, rows, columns, Shape { chunks, ..shape });
            if all.iter().all(|other: &Opponent| other.name != opponent.name) {
                all.push(opponent);
            }
        }
    };
    chunked(shape(1, 256, 32, 8), 8 * PROCESSORS);
    chunked(shape(lanes, 256, 32, 4), 4 * PROCESSORS);
    chunked(shape(lanes, 256, 32, 4), 16 * PROCESSORS);
    chunked(shape(1, 256, 32, 4), 16 * PROCESSORS);
    if columns >= 128 {
        chunked(item(1, 128), 16 * PROCESSORS);
    }
    // Few groups are slow if there is another way.
    let is_chunked = !all.is_empty();
    let enough = shapes.into_iter().filter(|shape| !is_chunked || blocks(shape) >= PROCESSORS / 4);
    all.extend(enough.map(|shape| columns_scanned(case, rows, columns, shape)));
    all
}

/// Rows by tiles, in one launch or, with chunks, in two.
fn rows_scanned(case: &Scan, rows: usize, len: usize, shape: Shape) -> Opponent {
    let Shape { lanes, items, each, side, chunks } = shape;
    let chunk = len.div_ceil(chunks).next_multiple_of(items * each);
    let chunks = len.div_ceil(chunk);
    let numbers = [("ROWS", rows), ("LENGTH", len), ("CHUNK", chunk), ("EACH", each)];
    let shape = Shape { chunks, ..shape };
    let text =
        text(case, shape, &numbers, include_str!("scans.cl"), &["SUMS", "SCAN"][usize::from(chunks == 1)..]);
    let vectors = if lanes == 1 { ", by local memory" } else { "" };
    let name = format!("tiles of {items}x{each}, {side} rows a group{vectors}");
    stages(name, text, [items, side], rows.div_ceil(side) * chunks, chunks, rows)
}

/// Columns by strips, in one launch or, with chunks, in two.
fn columns_scanned(case: &Scan, rows: usize, columns: usize, shape: Shape) -> Opponent {
    let Shape { lanes, items, each, side, chunks } = shape;
    let chunk = rows.div_ceil(chunks).next_multiple_of(items * each);
    let (chunks, width) = (rows.div_ceil(chunk), columns / lanes);
    let blocks = width.div_ceil(side);
    let numbers =
        [("LENGTH", rows), ("CHUNK", chunk), ("UNROLL", each), ("WIDTH", width), ("BLOCKS", blocks)];
    let shape = Shape { chunks, ..shape };
    let kernels = &["SUMS", "SCAN"][usize::from(chunks == 1)..];
    let text = text(case, shape, &numbers, include_str!("scans_columns.cl"), kernels);
    let name = format!("strips of {} columns, {items} items of {each} rows each", side * lanes);
    stages(name, text, [side, items], blocks * chunks, chunks, columns)
}

/// One launch, or two if there are chunks.
fn stages(
    name: String,
    text: String,
    local: [usize; 2],
    groups: usize,
    chunks: usize,
    lines: usize,
) -> Opponent {
    let scan = launch("scan", &local, groups);
    match chunks {
        1 => once(name, text, scan),
        _ => {
            let name = format!("{name}, {chunks} chunks");
            twice(name, text, [launch("sums", &local, groups), scan], chunks * lines)
        }
    }
}

/// Short rows by way of local memory.
fn staged(case: &Scan, rows: usize, len: usize, side: usize) -> Opponent {
    let shape = Shape { lanes: 1, items: 1, each: 1, side, chunks: 1 };
    let numbers = [("ROWS", rows), ("LENGTH", len), ("CHUNK", len), ("PITCH", len | 1)];
    let text = text(case, shape, &numbers, include_str!("scans.cl"), &["STAGED"]);
    let name = format!("an item a row, {side} rows by local memory");
    once(name, text, launch("staged", &[side], rows.div_ceil(side)))
}

/// Short rows without it.
fn rows_by_item(case: &Scan, rows: usize, len: usize) -> Opponent {
    let shape = Shape { lanes: 1, items: 1, each: 1, side: 128, chunks: 1 };
    let numbers = [("ROWS", rows), ("LENGTH", len), ("CHUNK", len)];
    let text = text(case, shape, &numbers, include_str!("scans.cl"), &["ITEM"]);
    once("an item a row".into(), text, launch("item", &[128], rows.div_ceil(128)))
}

fn text(
    case: &Scan,
    shape: Shape,
    numbers: &[(&'static str, usize)],
    text: &str,
    kernels: &[&str],
) -> String {
    let Shape { lanes, items, side, chunks, .. } = shape;
    let (op, none) = if case.largest { ("fmax(a, b)", "(-INFINITY)") } else { ("((a) + (b))", "0.0f") };
    let across = match (lanes, case.largest) {
        (4, true) => "fmax(fmax(v.x, v.y), fmax(v.z, v.w))",
        (4, false) => "((v.x + v.y) + (v.z + v.w))",
        (2, true) => "fmax(v.x, v.y)",
        (2, false) => "(v.x + v.y)",
        _ => "(v)",
    };
    let parts = if chunks > 1 { "__global const float *restrict parts," } else { "" };
    let mut macros = types(false, lanes);
    let own = [("ITEMS", items), ("SIDE", side), ("CHUNKS", chunks)];
    macros.extend(own.iter().chain(numbers).map(|(name, number)| (*name, number.to_string())));
    let texts = [
        ("OP(a, b)", op),
        ("NONE", none),
        ("BEFORE(v)", if case.before { "((v) * (v))" } else { "(v)" }),
        ("AFTER(v)", if case.after { "(0.5f * (v))" } else { "(v)" }),
        ("ACROSS(v)", across),
        ("AND_PARTS", parts),
    ];
    macros.extend(texts.map(|(name, text)| (name, text.to_string())));
    let kernels: String = kernels.iter().map(|kernel| format!("#define KERNEL_{kernel}\n")).collect();
    defined(&macros) + &kernels + text
}
