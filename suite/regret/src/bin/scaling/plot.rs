//! The efficiency over the number of devices, as a picture.

use std::path::Path;

use plotters::prelude::*;

use crate::Result;

/// Draws the efficiencies of weak and strong scaling.
pub(crate) fn draw(path: &Path, device: &str, weak: &[(usize, f64)], strong: &[(usize, f64)]) -> Result<()> {
    let area = SVGBackend::new(path, (900, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let font = |size: i32| ("sans-serif", size).into_font().color(&BLACK);
    let title = format!("Efficiency of a room on many {device}, from a model");
    let devices = 1..weak.last().map_or(1, |last| last.0);
    let mut chart = ChartBuilder::on(&area)
        .caption(title, font(18))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(52)
        .build_cartesian_2d(devices.log_scale(), 0.0..1.05)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("devices")
        .y_desc("efficiency")
        .x_label_formatter(&usize::to_string)
        .label_style(font(13))
        .draw()?;
    let lines = [
        (weak, RGBColor(31, 119, 180), "weak: as many rows on each"),
        (strong, RGBColor(214, 96, 20), "strong: as many rows in all"),
    ];
    for (points, colour, name) in lines {
        chart
            .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)).point_size(3))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE)
        .border_style(BLACK)
        .label_font(font(14))
        .draw()?;
    area.present()?;
    Ok(())
}
