//! What is shown of a measurement: an aligned table, or JSON.

use super::{Measured, Row, Times};

impl Measured {
    /// The medians in one line, for those who wait.
    #[must_use]
    pub fn line(&self) -> String {
        let low = self.low.map_or("-".to_string(), |low| format!("{:.4}", low.median));
        let [hand, algorithmic, copy] = [self.hand, self.algorithmic, self.copy].map(|times| times.median);
        format!("  hand {hand:.4}, low {low}, algorithmic {algorithmic:.4}, copy {copy:.4} ms")
    }

    /// That of the low-level kernel; of the algorithmic one, if there is none.
    fn best(&self) -> f64 {
        self.low.unwrap_or(self.algorithmic).median
    }

    fn gbs(&self) -> f64 {
        self.bytes as f64 / self.best() / 1e6
    }

    fn gflops(&self) -> f64 {
        self.operations / self.best() / 1e6
    }

    fn of_copy(&self) -> f64 {
        self.copy.median / self.best()
    }

    fn against_hand(&self, times: Times) -> f64 {
        times.median / self.hand.median
    }
}

const HEADS: [&str; 11] = [
    "row",
    "size",
    "hand ms",
    "low ms",
    "low/hand",
    "algorithmic ms",
    "alg/hand",
    "copy ms",
    "GB/s",
    "GFLOP/s",
    "of copy",
];

/// A line for every row. The rates are those of the low-level kernel, or of the algorithmic one if there is none.
#[must_use]
pub fn table(rows: &[(&Row, Measured)]) -> String {
    let mut lines = vec![HEADS.map(String::from)];
    for (row, it) in rows {
        lines.push([
            row.name.to_string(),
            extents(&it.sizes),
            format!("{:.4}", it.hand.median),
            it.low.map_or("-".to_string(), |low| format!("{:.4}", low.median)),
            it.low.map_or("-".to_string(), |low| format!("{:.3}", it.against_hand(low))),
            format!("{:.4}", it.algorithmic.median),
            format!("{:.3}", it.against_hand(it.algorithmic)),
            format!("{:.4}", it.copy.median),
            format!("{:.1}", it.gbs()),
            format!("{:.1}", it.gflops()),
            format!("{:.2}", it.of_copy()),
        ]);
    }
    aligned(&lines, 2)
}

/// A line for every kernel of every row, the fastest version of the algorithmic one first, as ratios to the
/// hand-written one. Versions that run on the device and were not wanted are not there.
#[must_use]
pub fn versions_table(rows: &[(&Row, Measured)]) -> String {
    let mut lines = vec![["row", "size", "kernel", "ms", "/hand", "of copy"].map(String::from)];
    for (row, it) in rows {
        let mut line = |name: &str, times: Times| {
            lines.push([
                row.name.to_string(),
                extents(&it.sizes),
                name.to_string(),
                format!("{:.4}", times.median),
                format!("{:.3}", it.against_hand(times)),
                format!("{:.2}", it.copy.median / times.median),
            ]);
        };
        line("by hand", it.hand);
        it.low.into_iter().for_each(|low| line("low-level", low));
        let mut versions: Vec<Times> = [it.algorithmic].into_iter().chain(it.others.clone()).collect();
        versions.sort_by(|a, b| a.median.total_cmp(&b.median));
        for version in versions {
            let first = if version.variant == it.algorithmic.variant { " (first choice)" } else { "" };
            line(&format!("{}{first}", version.variant), version);
        }
    }
    aligned(&lines, 3)
}

/// Columns, of which the first ones are texts.
fn aligned<const N: usize>(lines: &[[String; N]], texts: usize) -> String {
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            if column < texts { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// An object with the device, and an object for every row.
#[must_use]
pub fn json(device: &str, runs: usize, rows: &[(&Row, Measured)]) -> String {
    let rows = rows.iter().map(|(row, it)| {
        let low = |value: fn(Times) -> f64| it.low.map_or("null".to_string(), |low| number(value(low)));
        let fields = [
            ("row", string(row.name)),
            ("sizes", format!("{:?}", it.sizes)),
            ("hand_shape", string(&it.shape)),
            ("hand_ms", number(it.hand.median)),
            ("hand_min_ms", number(it.hand.least)),
            ("low_ms", low(|low| low.median)),
            ("low_min_ms", low(|low| low.least)),
            ("low_over_hand", it.low.map_or("null".to_string(), |low| number(it.against_hand(low)))),
            ("low_variant", it.low.map_or("null".to_string(), |low| string(low.variant))),
            ("algorithmic_variant", string(it.algorithmic.variant)),
            ("algorithmic_runs", it.algorithmic.runs.to_string()),
            ("algorithmic_ms", number(it.algorithmic.median)),
            ("algorithmic_min_ms", number(it.algorithmic.least)),
            ("algorithmic_over_hand", number(it.against_hand(it.algorithmic))),
            ("copy_ms", number(it.copy.median)),
            ("copy_min_ms", number(it.copy.least)),
            ("bytes", it.bytes.to_string()),
            ("gb_per_s", number(it.gbs())),
            ("gflop_per_s", number(it.gflops())),
            ("of_copy", number(it.of_copy())),
        ];
        let fields = fields.map(|(name, value)| format!("{}: {value}", string(name)));
        format!("    {{{}}}", fields.join(", "))
    });
    let rows = rows.collect::<Vec<_>>().join(",\n");
    format!("{{\n  \"device\": {},\n  \"runs\": {runs},\n  \"rows\": [\n{rows}\n  ]\n}}\n", string(device))
}

/// `4096x4096`.
fn extents(sizes: &[usize]) -> String {
    sizes.iter().map(usize::to_string).collect::<Vec<_>>().join("x")
}

/// JSON has no infinities.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { "null".to_string() }
}

fn string(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}
