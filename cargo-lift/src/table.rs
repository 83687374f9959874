//! Rows of cells, with columns below each other.

/// The lines of a table: every column is as wide as its widest cell.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows.iter().map(Vec::len).max().unwrap_or(0)).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// A row of texts.
pub(crate) fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(ToString::to_string).to_vec()
}

/// The table without columns in which only the title stands.
pub(crate) fn with_contents(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let has_contents =
        |column: usize| rows.iter().skip(1).any(|row| row.get(column).is_some_and(|it| !it.is_empty()));
    let left = |row: &Vec<String>| {
        row.iter()
            .enumerate()
            .filter(|(column, _)| has_contents(*column))
            .map(|(_, cell)| cell.clone())
            .collect()
    };
    rows.iter().map(left).collect()
}
