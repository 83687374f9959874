//! Breaking long lines at operators, and behind commas.

/// Operators before which a line may be broken; those that bind least come first.
const OPERATORS: [&[&str]; 4] = [&[" ? ", " : "], &[" || "], &[" && "], &[" + ", " - "]];

/// The line in parts of at most `width` bytes, if that can be done by breaking it before the outermost
/// operators, or behind the outermost commas, that it has, and parts that are still too long before theirs.
pub(super) fn parts(line: &str, width: usize) -> Vec<&str> {
    if line.len() <= width {
        return vec![line];
    }
    // What follows is indented by four.
    let inner = width.saturating_sub(4);
    let breaks = breaks(line);
    let mut out = Vec::new();
    let mut start = 0;
    for (i, at) in breaks.iter().enumerate() {
        let next = breaks.get(i + 1).copied().unwrap_or(line.len());
        let room = if start == 0 { width } else { inner };
        if next - start > room && *at > start {
            out.push(line[start..*at].trim_end());
            start = *at + 1;
        }
    }
    out.push(&line[start..]);
    if out.len() == 1 {
        return out;
    }
    out.into_iter()
        .enumerate()
        .flat_map(|(i, part)| parts(part, if i == 0 { width } else { inner }))
        .collect()
}

/// Where the operators and commas are that stand in the fewest parentheses and bind least, and in no index.
fn breaks(line: &str) -> Vec<usize> {
    let mut found: Vec<((usize, usize), usize)> = Vec::new();
    let (mut parens, mut brackets) = (0usize, 0usize);
    for (i, c) in line.char_indices() {
        match c {
            '(' => parens += 1,
            ')' => parens = parens.saturating_sub(1),
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            ' ' if brackets == 0 && i > 0 => {
                let starts = |ops: &[&str]| ops.iter().any(|op| line[i..].starts_with(op));
                if line[..i].ends_with(',') {
                    found.push(((parens, 0), i));
                } else if let Some(binding) = OPERATORS.iter().position(|ops| starts(ops)) {
                    found.push(((parens, binding + 1), i));
                }
            }
            _ => {}
        }
    }
    let least = found.iter().map(|(place, _)| *place).min();
    found.into_iter().filter(|(place, _)| Some(*place) == least).map(|(_, i)| i).collect()
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn lines_break_before_the_outermost_operators() {
        assert_eq!(parts("x = a + b;", 20), ["x = a + b;"]);
        assert_eq!(
            parts("x = 2 * (aaaa + b[i + 1] + cccc);", 16),
            ["x = 2 * (aaaa", "+ b[i + 1]", "+ cccc);"]
        );
    }

    #[test]
    fn operators_that_bind_least_come_first() {
        assert_eq!(parts("x = a < b + 1 && c ? d : e;", 20), ["x = a < b + 1 && c", "? d : e;"]);
        assert_eq!(parts("x = f(aaaa + b, c + d);", 18), ["x = f(aaaa + b,", "c + d);"]);
        assert_eq!(parts("x = aaaa + b && cc ? d : e;", 13), ["x = aaaa + b", "&& cc", "? d : e;"]);
    }
}
