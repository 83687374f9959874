//! A table of `docs/measurements.md` as a picture: the times of some programs, relative to OpenCL written by hand.
//!
//! ```text
//! cargo run --release -p lift-regret --bin chart
//! ```

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use plotters::prelude::*;

/// Draws the times of a table in `docs/measurements.md`, relative to those of OpenCL written by hand, as bars. Columns `naive ms` and
/// `library ms` are drawn where the table has them.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The document.
    #[arg(long, value_name = "FILE", default_value = "docs/measurements.md")]
    from: PathBuf,
    /// A part of the heading that the table stands below; the heading names the device.
    #[arg(short, long, value_name = "SUBSTRING", default_value = "NVIDIA H200, driver")]
    section: String,
    /// When it was measured, for the title.
    #[arg(short, long)]
    date: Option<String>,
    /// The picture.
    #[arg(short, long, value_name = "FILE", default_value = "docs/images/speed.svg")]
    output: PathBuf,
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The rows that are drawn, one of each kind of program at its largest size, and what they are called.
const ROWS: [(&str, &str, &str); 12] = [
    ("jacobi2d 5pt", "8192×8192", "5-point Jacobi, 8192²"),
    ("gaussian 5x5", "8192×8192", "5×5 Gaussian, 8192²"),
    ("convolution 17x17", "4096×4096", "17×17 convolution, 4096²"),
    ("blur 17+17", "4096×4096", "separable blur, 17 + 17, 4096²"),
    ("hotspot2d", "8192×8192", "Hotspot, 8192²"),
    ("jacobi2d 5pt, 6 steps", "8192×8192", "6 steps of 5-point Jacobi, 8192²"),
    ("jacobi3d 7pt", "512×512×512", "7-point Jacobi, 512³"),
    ("jacobi3d 27pt", "512×512×512", "27-point Jacobi, 512³"),
    ("acoustic", "302×402×602", "acoustic wave, 302×402×602"),
    ("sum", "268435456", "sum of 2²⁸ numbers"),
    ("gemv", "8192×8192", "matrix × vector, 8192²"),
    ("sgemm", "4096×4096×4096", "matrix × matrix, 4096³"),
];

/// The columns that are drawn, with their colours and what they are; times by hand are those that all others are divided by.
const COLUMNS: [(&str, RGBColor, &str); 4] = [
    ("algorithmic ms", RGBColor(31, 119, 180), "derived by lift!"),
    ("library ms", RGBColor(214, 96, 20), "vendor's library"),
    ("naive ms", RGBColor(110, 110, 110), "naive OpenCL"),
    ("copy ms", RGBColor(200, 205, 212), "a copy of the same bytes"),
];
const HAND: &str = "hand ms";

/// Pixels.
const WIDTH: i32 = 900;
const LEFT: i32 = 250;
const RIGHT: i32 = 60;
const TOP: i32 = 84;
const BAR: i32 = 13;
const GAP: i32 = 11;

/// Longer bars end here, and their numbers say how long they are.
const MOST: f64 = 4.0;

/// One program: what it is called, and how many times as long as by hand each column takes.
struct Row {
    title: &'static str,
    ratios: Vec<Option<f64>>,
}

fn main() -> ExitCode {
    match draw(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn draw(args: &Args) -> Result<()> {
    let text = fs::read_to_string(&args.from).map_err(|error| format!("{}: {error}", args.from.display()))?;
    let (heading, rows) = read(&text, &args.section)?;
    let picture = svg(&[&[heading], args.date.as_slice()].concat().join(", "), &rows)?;
    fs::write(&args.output, picture).map_err(|error| format!("{}: {error}", args.output.display()).into())
}

/// The heading, and the rows of the first table below it.
fn read(document: &str, section: &str) -> Result<(String, Vec<Row>)> {
    let mut lines = document.lines();
    let heading = lines
        .find(|line| line.starts_with('#') && line.contains(section))
        .ok_or_else(|| format!("no heading contains `{section}`"))?;
    let mut table = lines
        .take_while(|line| !line.starts_with('#'))
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    let names = table.next().ok_or("there is no table below the heading")?;
    let column = |name: &str| names.iter().position(|it| *it == name);
    let hand = column(HAND).ok_or_else(|| format!("the table has no column `{HAND}`"))?;
    let cells: Vec<Vec<&str>> = table.collect();
    let time = |row: &[&str], column: usize| row.get(column)?.parse::<f64>().ok();
    let rows = ROWS.iter().map(|&(name, size, title)| {
        let row = cells
            .iter()
            .find(|row| row.starts_with(&[name, size]))
            .ok_or_else(|| format!("the table has no row `{name}`, {size}"))?;
        let by_hand = time(row, hand).ok_or_else(|| format!("`{name}` has no time by hand"))?;
        let ratios = COLUMNS.iter().map(|(it, ..)| Some(time(row, column(it)?)? / by_hand)).collect();
        Ok(Row { title, ratios })
    });
    Ok((heading.trim_start_matches('#').trim().to_string(), rows.collect::<Result<_>>()?))
}

/// The picture.
fn svg(title: &str, rows: &[Row]) -> Result<String> {
    let bars = |row: &Row| row.ratios.iter().flatten().count() as i32;
    let height: i32 = rows.iter().map(|row| BAR * bars(row) + GAP).sum();
    let longest =
        rows.iter().flat_map(|row| &row.ratios).flatten().fold(1.1, |a: f64, b| a.max(*b)).min(MOST);
    let x = |ratio: f64| LEFT + (ratio / longest * f64::from(WIDTH - LEFT - RIGHT)) as i32;

    let mut text = String::new();
    let size = (WIDTH as u32, (TOP + height + 26) as u32);
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let font = |size: i32| ("sans-serif", size).into_font().color(&BLACK);
    area.fill(&WHITE)?;
    area.draw(&Text::new(title, (16, 10), font(18)))?;
    let what = "time relative to OpenCL written by hand, the fastest of a sweep of shapes (the line at 1); shorter is faster";
    area.draw(&Text::new(what, (16, 34), font(14)))?;
    let mut across = 16;
    for (i, (_, colour, name)) in COLUMNS.iter().enumerate() {
        if rows.iter().any(|row| row.ratios[i].is_some()) {
            area.draw(&Rectangle::new([(across, 59), (across + 14, 71)], colour.filled()))?;
            area.draw(&Text::new(*name, (across + 20, 58), font(14)))?;
            across += 60 + 7 * name.len() as i32;
        }
    }

    let mut down = TOP;
    for row in rows {
        let middle = down + BAR * bars(row) / 2;
        area.draw(&Text::new(row.title, (16, middle - 8), font(14)))?;
        for (ratio, (_, colour, _)) in row.ratios.iter().zip(COLUMNS) {
            let Some(ratio) = *ratio else { continue };
            let end = x(ratio.min(MOST));
            area.draw(&Rectangle::new([(LEFT, down), (end, down + BAR - 2)], colour.filled()))?;
            // Numbers do not stand on the line at 1.
            let behind = if (end + 1..end + 34).contains(&x(1.0)) { x(1.0) } else { end };
            area.draw(&Text::new(format!("{ratio:.2}"), (behind + 5, down - 1), font(12)))?;
            down += BAR;
        }
        down += GAP;
    }
    area.draw(&PathElement::new(vec![(x(1.0), TOP - 6), (x(1.0), down - GAP + 4)], BLACK.stroke_width(1)))?;
    area.draw(&Text::new("1", (x(1.0) - 3, down - GAP + 8), font(14)))?;
    area.draw(&Text::new("0", (LEFT - 3, down - GAP + 8), font(14)))?;
    area.present()?;
    drop(area);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_becomes_bars() {
        let head = "## A device, driver 1\n\ntext\n\n| workload | size | hand ms | algorithmic ms | naive ms |\n| --- | --- | --- | --- | --- |\n";
        let line = |(name, size, _): (&str, &str, &str)| {
            format!("| {name} | {size} | 2.0 | 1.0 | {} |\n", if name == "sum" { "-" } else { "30" })
        };
        let document = format!("# Title\n{head}{}\nmore\n", ROWS.map(line).concat());
        let (heading, rows) = read(&document, "A device").expect("all rows are there");
        assert_eq!(heading, "A device, driver 1");
        assert_eq!(rows.len(), ROWS.len());
        assert_eq!(rows[0].ratios, [Some(0.5), None, Some(15.0), None]);
        assert_eq!(rows[9].ratios, [Some(0.5), None, None, None]);
        let picture = svg(&heading, &rows).expect("nothing is written to a file");
        for text in ["A device", "matrix × matrix", "naive OpenCL", "0.50", "15.00"] {
            assert!(picture.contains(text), "{text}: {picture}");
        }
        assert!(!picture.contains("library"));
        assert!(read(&document, "another").is_err());
        assert!(read("# A device\n", "A device").is_err());
    }
}
