//! Diagnostics as rustc shows them: the text, and the user's lines with the range underlined.

use lift_core::diag::{Diagnostic, Severity};
use lift_core::span::SpanTable;

/// One diagnostic about `source`, in rustc's layout.
pub fn render(diagnostic: &Diagnostic, spans: &SpanTable, source: &str) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let indent = " ".repeat(severity.len() + 2);
    let mut text = format!("{severity}: {}\n", diagnostic.text().replace('\n', &format!("\n{indent}")));
    let ((line, from), (last, to)) = spans.position(diagnostic.span);
    let lines: Vec<&str> = source.lines().collect();
    // The call as a whole: there is no token to underline.
    if line == 0 || line > lines.len() {
        return text + " --> the macro call\n";
    }
    let last = last.min(lines.len());
    let width = last.to_string().len();
    let (number, bar) = (|n: usize| format!("{n:width$} | "), format!("{} |", " ".repeat(width)));
    text += &format!("{}--> {line}:{from}\n{bar}\n", " ".repeat(width));
    if line == last {
        let carets = "^".repeat(to.saturating_sub(from).max(1));
        text += &format!("{}{}\n{bar} {}{carets}\n", number(line), lines[line - 1], " ".repeat(from - 1));
        return text;
    }
    for n in line..=last {
        let edge = if n == line { "/ " } else { "| " };
        text += &format!("{}{edge}{}\n", number(n), lines[n - 1]);
    }
    text + &format!("{bar} |{}^\n", "_".repeat(to - 1))
}
