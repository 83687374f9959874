//! What is shown of a measurement: an aligned table, or JSON.

use super::{Measured, Row, Times};

impl Measured {
    /// The medians in one line, for those who wait.
    #[must_use]
    pub fn line(&self) -> String {
        let named = [("hand", self.hand), ("naive", self.naive), ("low", self.low)];
        let named =
            named.into_iter().chain([("algorithmic", Some(self.algorithmic)), ("copy", Some(self.copy))]);
        let named = named.chain([("host", self.host)]);
        let there = named.filter_map(|(name, times)| Some(format!("{name} {:.4}", times?.median)));
        let rivals =
            self.rivals.iter().map(|it| format!("{} {:.4} = {:.2}", it.name, it.times.median, it.ratios[1]));
        let there = there.chain(rivals);
        format!("  {} ms", there.collect::<Vec<_>>().join(", "))
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

    fn against_hand(&self, times: Times) -> Option<f64> {
        Some(times.median / self.hand?.median)
    }

    /// What all ratios are to: the hand-written kernel, or the version `naive` where nothing is written by hand.
    fn opponent(&self) -> Times {
        self.hand.or(self.naive).unwrap_or(self.algorithmic)
    }

    fn against_opponent(&self, times: Times) -> f64 {
        times.median / self.opponent().median
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

/// A line for every row, with nothing where nothing is written by hand. The rates are those of the low-level kernel, or of the algorithmic one if there is none.
#[must_use]
pub fn table(rows: &[(&Row, Measured)]) -> String {
    let mut lines = vec![HEADS.map(String::from)];
    for (row, it) in rows {
        lines.push([
            row.name.to_string(),
            extents(&it.sizes),
            shown(it.hand.map(|hand| hand.median), 4),
            shown(it.low.map(|low| low.median), 4),
            shown(it.low.and_then(|low| it.against_hand(low)), 3),
            format!("{:.4}", it.algorithmic.median),
            shown(it.against_hand(it.algorithmic), 3),
            format!("{:.4}", it.copy.median),
            format!("{:.1}", it.gbs()),
            format!("{:.1}", it.gflops()),
            format!("{:.2}", it.of_copy()),
        ]);
    }
    aligned(&lines, 2)
}

/// A line for every kernel of every row, the fastest version of the algorithmic one first, as ratios to the
/// hand-written one, or to the version `naive` where there is none. Versions that run on the device and were not wanted are not there.
#[must_use]
pub fn versions_table(rows: &[(&Row, Measured)]) -> String {
    let mut lines = vec![["row", "size", "kernel", "ms", "ratio", "of copy"].map(String::from)];
    for (row, it) in rows {
        let mut line = |name: &str, times: Times| {
            lines.push([
                row.name.to_string(),
                extents(&it.sizes),
                name.to_string(),
                format!("{:.4}", times.median),
                format!("{:.3}", it.against_opponent(times)),
                format!("{:.2}", it.copy.median / times.median),
            ]);
        };
        it.hand.into_iter().for_each(|hand| line("by hand", hand));
        it.low.into_iter().for_each(|low| line("low-level", low));
        let mut versions: Vec<Times> =
            [it.algorithmic].into_iter().chain(it.naive).chain(it.others.clone()).collect();
        versions.sort_by(|a, b| a.median.total_cmp(&b.median));
        for version in versions {
            let first = if version.variant == it.algorithmic.variant { " (first choice)" } else { "" };
            line(&format!("{}{first}", version.variant), version);
        }
    }
    aligned(&lines, 3)
}

/// A line for every row and every rival of the host. Ratios are the rival's times to the host's in the same round, with their
/// quartiles; the rates are the host's.
#[must_use]
pub fn rivals_table(rows: &[(&Row, Measured)]) -> String {
    let heads = [
        "row",
        "size",
        "version",
        "rival",
        "rival ms",
        "host ms",
        "rival/host",
        "quartiles",
        "GB/s",
        "GFLOP/s",
        "rounds",
        "others",
    ];
    let mut lines = vec![heads.map(String::from)];
    for (row, it) in rows {
        let host = it.host.unwrap_or(it.algorithmic);
        for rival in &it.rivals {
            let [low, middle, high] = rival.ratios;
            lines.push([
                row.name.to_string(),
                extents(&it.sizes),
                host.variant.to_string(),
                rival.name.clone(),
                format!("{:.4}", rival.times.median),
                format!("{:.4}", host.median),
                format!("{middle:.2}"),
                format!("{low:.2} to {high:.2}"),
                format!("{:.1}", it.bytes as f64 / host.median / 1e6),
                format!("{:.1}", it.operations / host.median / 1e6),
                rival.times.runs.to_string(),
                it.foreign.map_or("-".to_string(), |share| format!("{:.0} %", share * 100.0)),
            ]);
        }
    }
    aligned(&lines, 4)
}

/// A number with so many digits, if there is one.
fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
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
        let low = |value: fn(Times) -> f64| optional(it.low.map(value));
        let hand = |value: fn(Times) -> f64| optional(it.hand.map(value));
        let fields = [
            ("row", string(row.name)),
            ("sizes", format!("{:?}", it.sizes)),
            ("hand_shape", it.shape.as_deref().map_or(NULL.to_string(), string)),
            ("hand_ms", hand(|hand| hand.median)),
            ("hand_min_ms", hand(|hand| hand.least)),
            ("naive_ms", optional(it.naive.map(|naive| naive.median))),
            ("low_ms", low(|low| low.median)),
            ("low_min_ms", low(|low| low.least)),
            ("low_over_hand", optional(it.low.and_then(|low| it.against_hand(low)))),
            ("low_variant", it.low.map_or(NULL.to_string(), |low| string(low.variant))),
            ("algorithmic_variant", string(it.algorithmic.variant)),
            ("algorithmic_runs", it.algorithmic.runs.to_string()),
            ("algorithmic_ms", number(it.algorithmic.median)),
            ("algorithmic_min_ms", number(it.algorithmic.least)),
            ("algorithmic_over_hand", optional(it.against_hand(it.algorithmic))),
            ("copy_ms", number(it.copy.median)),
            ("copy_min_ms", number(it.copy.least)),
            ("bytes", it.bytes.to_string()),
            ("gb_per_s", number(it.gbs())),
            ("gflop_per_s", number(it.gflops())),
            ("of_copy", number(it.of_copy())),
            ("host_variant", it.host.map_or(NULL.to_string(), |host| string(host.variant))),
            ("host_ms", optional(it.host.map(|host| host.median))),
            ("host_min_ms", optional(it.host.map(|host| host.least))),
            ("rivals", rivals(it)),
            ("foreign_load", optional(it.foreign)),
        ];
        let fields = fields.map(|(name, value)| format!("{}: {value}", string(name)));
        format!("    {{{}}}", fields.join(", "))
    });
    let rows = rows.collect::<Vec<_>>().join(",\n");
    format!("{{\n  \"device\": {},\n  \"runs\": {runs},\n  \"rows\": [\n{rows}\n  ]\n}}\n", string(device))
}

/// An object for every rival.
fn rivals(it: &Measured) -> String {
    let rivals = it.rivals.iter().map(|rival| {
        let (name, ms) = (string(&rival.name), number(rival.times.median));
        format!("{{\"name\": {name}, \"ms\": {ms}, \"over_host\": {}}}", number(rival.ratios[1]))
    });
    format!("[{}]", rivals.collect::<Vec<_>>().join(", "))
}

/// `4096x4096`.
fn extents(sizes: &[usize]) -> String {
    sizes.iter().map(usize::to_string).collect::<Vec<_>>().join("x")
}

/// What is not there.
const NULL: &str = "null";

/// JSON has no infinities.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { NULL.to_string() }
}

fn optional(value: Option<f64>) -> String {
    value.map_or(NULL.to_string(), number)
}

fn string(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}
