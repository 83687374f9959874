//! A report as one HTML file that needs nothing else.

use std::fmt::Write as _;

use crate::report::{Report, Row};

/// The size of a plot in pixels, and what is left free for its labels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const MARGIN: f64 = 76.0;

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #6b7280; --line: #d5d9df; --dot: #2563eb; --mark: #d97706; --ground: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #9aa3ad; --line: #3a424c; --dot: #7aa7ff; --mark: #f5b454; --ground: #14171b; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; } td, th { padding: 0.2rem 0.5rem; text-align: left; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } code { overflow-wrap: anywhere; }
svg { width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 12px; } .axis { stroke: var(--line); } .dot { fill: var(--dot); fill-opacity: 0.7; }
.best { stroke: var(--mark); stroke-width: 2; fill: none; } .mark { fill: var(--mark); } tr.before td { color: var(--mark); }
";

impl Report {
    /// The report as a page: the fastest versions, all times in the order of the search, and the effect of every tunable.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escaped(&self.title());
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n",
            escaped(&self.summary())
        );
        page += &self.table();
        page += "<h2>Times in the order of the search</h2>\n";
        page += &self.search_plot();
        for (tunable, values) in self.effects() {
            let _ =
                writeln!(page, "<h2>The fastest for each value of <code>{}</code></h2>", escaped(&tunable));
            page += &bars(&values);
        }
        let failures = self.failures();
        if !failures.is_empty() {
            page += "<h2>Points without a time</h2>\n<ul>\n";
            for (why, count) in failures {
                let _ = writeln!(page, "<li>{count}: {}</li>", escaped(why));
            }
            page += "</ul>\n";
        }
        page + "</body>\n</html>\n"
    }

    fn summary(&self) -> String {
        let tried =
            format!("{} of {} points were tried, with driver {}.", self.rows.len(), self.points, self.driver);
        let best = self.best().and_then(|best| Some((best.time()?, self.untuned_time()?)));
        match best {
            Some((best, before)) => {
                format!(
                    "{tried} The fastest takes {best:.2} µs, and {before:.2} µs are taken without tuning."
                )
            }
            None => tried,
        }
    }

    fn table(&self) -> String {
        let untuned = self.untuned.and_then(|row| self.rows.get(row));
        let mut table =
            "<table>\n<tr><th class=\"number\">µs</th><th class=\"number\">GB/s</th><th>version</th></tr>\n"
                .to_string();
        let fastest = self.fastest();
        let shown = fastest.iter().take(20).copied();
        let before = untuned.filter(|row| !fastest.iter().take(20).any(|it| it == row));
        for (row, time) in shown.chain(before).filter_map(|row| Some((row, row.time()?))) {
            let class = if Some(row) == untuned { " class=\"before\"" } else { "" };
            let note = if Some(row) == untuned { " (without tuning)" } else { "" };
            let _ = writeln!(
                table,
                "<tr{class}><td class=\"number\">{time:.2}</td><td class=\"number\">{:.1}</td>\
                 <td><code>{}</code>{note}</td></tr>",
                self.gigabytes_per_second(time),
                escaped(&row.title())
            );
        }
        table + "</table>\n"
    }

    /// A dot for each point, and a line for the best so far.
    fn search_plot(&self) -> String {
        let timed: Vec<(usize, f64, &Row)> =
            self.rows.iter().enumerate().filter_map(|(i, row)| Some((i, row.searched()?, row))).collect();
        let times = || timed.iter().map(|(_, time, _)| *time);
        let (low, high) = (times().fold(f64::INFINITY, f64::min), times().fold(0.0, f64::max));
        if timed.is_empty() {
            return String::new();
        }
        let span = (high / low).ln().max(1e-9);
        let last = (self.rows.len() - 1).max(1) as f64;
        let x = |i: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * i as f64 / last;
        let y = |time: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (time / low).ln() / span;
        let mut plot = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n");
        for time in [low, (low * high).sqrt(), high] {
            let _ = writeln!(
                plot,
                "<line class=\"axis\" x1=\"{MARGIN}\" x2=\"{0}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/>\
                 <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{time:.1} µs</text>",
                WIDTH - MARGIN,
                y(time),
                MARGIN - 4.0,
                y(time) + 4.0
            );
        }
        let (mut best, mut line) = (f64::INFINITY, String::new());
        for (i, time, row) in &timed {
            if *time < best {
                let from = if best.is_finite() { y(best) } else { y(*time) };
                let _ = write!(line, "{:.1},{from:.1} {:.1},{:.1} ", x(*i), x(*i), y(*time));
                best = *time;
            }
            let _ = writeln!(
                plot,
                "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"><title>{}: {time:.2} µs</title></circle>",
                x(*i),
                y(*time),
                escaped(&row.title())
            );
        }
        let _ = writeln!(
            plot,
            "<polyline class=\"best\" points=\"{line}{:.1},{:.1}\"/>",
            x(self.rows.len() - 1),
            y(best)
        );
        let _ = writeln!(
            plot,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">points, in the order in which they were tried</text>",
            WIDTH / 2.0,
            HEIGHT - 12.0
        );
        plot + "</svg>\n"
    }

    /// The fastest time for each value of every tunable that was tried with several.
    fn effects(&self) -> Vec<(String, Vec<(i64, f64)>)> {
        let mut effects: Vec<(String, Vec<(i64, f64)>)> = Vec::new();
        for row in &self.rows {
            let Some(time) = row.searched() else { continue };
            for (name, value) in &row.tunables {
                let at = effects.iter().position(|(other, _)| other == name).unwrap_or_else(|| {
                    effects.push((name.clone(), Vec::new()));
                    effects.len() - 1
                });
                let values = &mut effects[at].1;
                match values.iter_mut().find(|(other, _)| other == value) {
                    Some((_, best)) => *best = best.min(time),
                    None => values.push((*value, time)),
                }
            }
        }
        effects.retain(|(_, values)| values.len() > 1);
        effects.iter_mut().for_each(|(_, values)| values.sort_by_key(|(value, _)| *value));
        effects
    }
}

/// A bar for every value, as long as its time.
fn bars(values: &[(i64, f64)]) -> String {
    const BAR: f64 = 22.0;
    let high = values.iter().map(|(_, time)| *time).fold(0.0, f64::max);
    let low = values.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
    let mut plot = format!("<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\">\n", BAR * values.len() as f64);
    for (i, (value, time)) in values.iter().enumerate() {
        let (top, length) = (BAR * i as f64, (WIDTH - 3.0 * MARGIN) * time / high.max(1e-9));
        let class = if *time <= low { "mark" } else { "dot" };
        let _ = writeln!(
            plot,
            "<text x=\"{0}\" y=\"{1:.1}\" text-anchor=\"end\">{value}</text>\
             <rect class=\"{class}\" x=\"{MARGIN}\" y=\"{2:.1}\" width=\"{length:.1}\" height=\"{3}\"/>\
             <text x=\"{4:.1}\" y=\"{1:.1}\">{time:.1} µs</text>",
            MARGIN - 4.0,
            top + 15.0,
            top + 3.0,
            BAR - 6.0,
            MARGIN + length + 4.0
        );
    }
    plot + "</svg>\n"
}

/// A text that no browser takes for a tag, nor for the end of an attribute.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use crate::report::tests::report;
    use crate::{Measurement, Report};

    #[test]
    fn a_page_has_all_points_and_tunables() {
        let page = report().html();
        assert_eq!(page.matches("<circle").count(), 3);
        assert_eq!(page.matches("<rect").count(), 2, "a bar for each tile that has a time");
        assert!(page.contains("A &lt;GPU&gt;") && page.contains("too large"));
        for tag in ["table", "svg", "h2", "ul", "body", "html", "style", "title"] {
            let closed = page.matches(&format!("</{tag}>")).count();
            let opened =
                page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, closed, "{tag}");
        }
        assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
    }

    #[test]
    fn pages_of_nothing_and_of_one_point_are_drawn() {
        assert!(Report::default().html().ends_with("</html>\n"));
        let mut one = report();
        one.rows.truncate(1);
        one.rows[0].measurement = Measurement::Time(2.0);
        let page = one.html();
        assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
    }
}
