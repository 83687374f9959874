//! The distribution of ratios as a picture: a dot for each case, a line for the mean of each class.

use lift_suite::measure::Result;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::report::{Measured, mean};

/// Pixels, of which rows take as many each.
const WIDTH: u32 = 900;
const ROW: u32 = 44;
const MARGIN: u32 = 110;

/// From where on one is looked for.
const LOW: f64 = 0.7;

/// Larger ratios are drawn here.
const MOST: f64 = 1.5;

const FITTED: RGBColor = RGBColor(31, 119, 180);
const HELD_OUT: RGBColor = RGBColor(214, 96, 20);
const GREY: RGBColor = RGBColor(150, 150, 150);

/// The ratio of one case.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// The class of its program.
    pub class: String,
    /// Whether nothing is tuned on it.
    pub held_out: bool,
    /// The time of the best opponent to that of the version that was chosen.
    pub ratio: f64,
}

/// The dots of all cases that have an opponent.
#[must_use]
pub fn dots(all: &[Measured]) -> Vec<Dot> {
    let dot = |it: &Measured| {
        let ratio = it.ratios().opponent?;
        Some(Dot { class: it.case.class.to_string(), held_out: it.case.is_held_out(), ratio })
    };
    all.iter().filter_map(dot).collect()
}

/// The picture, as SVG.
///
/// # Errors
///
/// Those of the library that draws.
pub fn svg(title: &str, dots: &[Dot]) -> Result<String> {
    let mut classes: Vec<&str> = dots.iter().map(|dot| dot.class.as_str()).collect();
    classes.sort_unstable();
    classes.dedup();
    let mut text = String::new();
    let height = MARGIN + ROW * u32::try_from(classes.len() + 1)?;
    draw(&SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area(), title, &classes, dots)?;
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn draw(area: &Area<'_>, title: &str, classes: &[&str], dots: &[Dot]) -> Result<()> {
    area.fill(&WHITE)?;
    let rows = classes.len() + 1;
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(130)
        .build_cartesian_2d(0.0..MOST + 0.05, 0.0..rows as f64)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .max_light_lines(1)
        .label_style(("sans-serif", 15))
        .axis_desc_style(("sans-serif", 16))
        .x_desc("time of the best opponent / time of the version that the launcher chose (right of 1: ours is faster)")
        .x_labels(16)
        .x_label_formatter(&|x| format!("{x:.1}"))
        .draw()?;
    for (x, style) in [(1.0, BLACK.stroke_width(1)), (LOW, GREY.stroke_width(1))] {
        chart.draw_series([PathElement::new(vec![(x, 0.0), (x, rows as f64)], style)])?;
    }
    for (row, class) in classes.iter().copied().map(Some).chain([None]).enumerate() {
        let own: Vec<&Dot> = dots.iter().filter(|dot| class.is_none_or(|class| dot.class == class)).collect();
        let y = (rows - row) as f64 - 0.5;
        for (i, dot) in own.iter().enumerate() {
            // Dots of one class do not hide each other.
            let up = 0.09 * ((i * 3) % 7) as f64 - 0.27;
            let colour = if dot.held_out { HELD_OUT } else { FITTED };
            chart.draw_series([Circle::new((dot.ratio.min(MOST), y + up), 3, colour.mix(0.75).filled())])?;
        }
        let ratios: Vec<f64> = own.iter().map(|dot| dot.ratio).collect();
        let mean = mean(&ratios);
        let line = vec![(mean.min(MOST), y - 0.4), (mean.min(MOST), y + 0.4)];
        chart.draw_series([PathElement::new(line, BLACK.stroke_width(3))])?;
        let label = format!("{} {mean:.2}", class.unwrap_or("all"));
        let (_, down) = chart.backend_coord(&(0.0, y));
        let style = ("sans-serif", 18).into_font().color(&BLACK);
        area.draw(&Text::new(label, (16, down - 7), style))?;
    }
    let key = [(FITTED, "may be tuned on"), (HELD_OUT, "held out"), (BLACK, "geometric mean")];
    for (i, (colour, name)) in key.into_iter().enumerate() {
        let x = 16 + 150 * i32::try_from(i)?;
        area.draw(&Circle::new((x, 12), 4, colour.filled()))?;
        area.draw(&Text::new(name, (x + 9, 4), ("sans-serif", 16).into_font().color(&BLACK)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_drawn_and_every_class_named() {
        let dot = |class: &str, held_out, ratio| Dot { class: class.to_string(), held_out, ratio };
        let dots = [dot("scan", true, 0.5), dot("scan", false, 2.0), dot("rows", false, 3.0)];
        let picture = svg("three cases", &dots).expect("nothing is written to a file");
        // Each in the row of its class, and in that of all; three stand in the key.
        assert_eq!(picture.matches("<circle").count(), 2 * dots.len() + 3);
        for text in ["three cases", "scan 1.00", "rows 3.00", "all 1.44"] {
            assert!(picture.contains(text), "{text}: {picture}");
        }
    }
}
