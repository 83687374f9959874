//! Breaking long lines at operators.

/// Operators before which a line may be broken.
const OPERATORS: [&str; 6] = [" + ", " - ", " && ", " || ", " ? ", " : "];

/// The line in parts of at most `width` bytes, if that can be done by breaking it before the outermost
/// operators that it has.
pub(super) fn parts(line: &str, width: usize) -> Vec<&str> {
    let breaks = if line.len() > width { breaks(line) } else { Vec::new() };
    let mut out = Vec::new();
    let mut start = 0;
    for (i, at) in breaks.iter().enumerate() {
        let next = breaks.get(i + 1).copied().unwrap_or(line.len());
        // The continuation is indented by four.
        let room = if start == 0 { width } else { width.saturating_sub(4) };
        if next - start > room && *at > start {
            out.push(line[start..*at].trim_end());
            start = *at + 1;
        }
    }
    out.push(&line[start..]);
    out
}

/// Where the operators are that stand in the fewest parentheses, and in no index.
fn breaks(line: &str) -> Vec<usize> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let (mut parens, mut brackets) = (0usize, 0usize);
    for (i, c) in line.char_indices() {
        match c {
            '(' => parens += 1,
            ')' => parens = parens.saturating_sub(1),
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            ' ' if brackets == 0 && OPERATORS.iter().any(|op| line[i..].starts_with(op)) => {
                found.push((parens, i));
            }
            _ => {}
        }
    }
    let least = found.iter().map(|(depth, _)| *depth).min();
    found.into_iter().filter(|(depth, _)| Some(*depth) == least).map(|(_, i)| i).collect()
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn lines_break_before_the_outermost_operators() {
        assert_eq!(parts("x = a + b;", 20), ["x = a + b;"]);
        assert_eq!(parts("x = 2 * (aaaa + b[i + 1] + cccc);", 16), ["x = 2 * (aaaa", "+ b[i + 1]", "+ cccc);"]);
    }
}
