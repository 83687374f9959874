//! Programs as users write them over tables: chains of functions of rows, each with scans, reversals, reductions, windows and `let`s whose values
//! its elements share, and transpositions between. Integers, so that no order of operations matters.

use super::choices::Choices;

/// A table while it is made: the text of an expression, and its extents.
struct Table {
    text: String,
    rows: &'static str,
    columns: &'static str,
}

/// The text of a kernel over `x: [[i32; M]; N]`. The numbers decide everything.
pub fn program(numbers: &[u16]) -> String {
    let mut make = Make { choices: Choices::new(numbers), names: 0 };
    let mut table = Table { text: "x".into(), rows: "N", columns: "M" };
    let mut body = String::new();
    for _ in 0..=make.choices.below(3) {
        let name = make.name("t");
        table = make.stage(&table);
        body.push_str(&format!("let {name} = {};\n", table.text));
        table.text = name;
    }
    let (text, element) = make.result(&table);
    let ty = format!("[[{element}; {}]; {}]", table.columns, table.rows);
    format!("#[kernel] fn Rows<N, M>(x: [[i32; M]; N]) -> {ty} {{\n{body}{text}\n}}")
}

struct Make<'a> {
    choices: Choices<'a>,
    names: usize,
}

impl Make<'_> {
    fn name(&mut self, of: &str) -> String {
        self.names += 1;
        format!("{of}{}", self.names)
    }

    /// A function of the whole table.
    fn stage(&mut self, table: &Table) -> Table {
        let Table { text, rows, columns } = table;
        let row = self.name("r");
        let same = |text: String| Table { text, rows, columns };
        match self.choices.below(8) {
            0..=2 => {
                let body = self.row(&row, columns, 3);
                same(format!("{text}.map(|{row}| {body})"))
            }
            3 => Table { text: format!("{text}.transpose()"), rows: columns, columns: rows },
            4 => {
                let other = self.name("r");
                let body = self.row(&row, columns, 2);
                Table {
                    text: format!(
                        "{text}.map(|{row}| {{ let own = {body}; {text}.map(|{other}| zip(own, {other}).map(mul).reduce(add, 0)) }})"
                    ),
                    rows,
                    columns: rows,
                }
            }
            5 => {
                let body = self.row(&row, columns, 2);
                let combined = self.choices.of(&["v - s", "v * 3 + s", "max(v, s)"]);
                same(format!(
                    "zip({text}, {text}.map(|{row}| {body}.reduce(add, 0))).map(|{row}, s| {row}.map(|v| {combined}))"
                ))
            }
            6 => same(format!(
                "{text}.pad2d(1, 1, {}).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0))",
                self.choices.of(&["clamp", "wrap", "mirror"])
            )),
            _ => {
                let body = self.row(&row, columns, 2);
                same(format!("zip2d({text}, {text}.map(|{row}| {body})).map2d(|a, b| a * 2 - b)"))
            }
        }
    }

    /// An array as long as a row, of a row.
    fn row(&mut self, row: &str, len: &str, depth: usize) -> String {
        let mut text = row.to_string();
        for _ in 0..=self.choices.below(depth) {
            text = self.step(row, &text, len, depth);
        }
        text
    }

    fn step(&mut self, row: &str, text: &str, len: &str, depth: usize) -> String {
        let inner = |make: &mut Self| if depth > 1 { make.row(row, len, depth - 1) } else { row.to_string() };
        match self.choices.below(9) {
            0 => format!("{text}.map(|v| v * 3 + 1)"),
            1 => format!("{text}.scan({})", self.choices.of(&["add, 0", "max, i32::MIN"])),
            2 => format!("{text}.scan_seq(|a, v| a * 5 - v, 1)"),
            3 => format!("{text}.reverse()"),
            4 => format!("zip({}, {text}).map(|a, b| a - 2 * b)", inner(self)),
            5 => {
                let (name, other) = (self.name("s"), inner(self));
                format!("{{ let {name} = {other}.reduce(add, 0); {text}.map(|v| v * {name}) }}")
            }
            6 => format!("{text}.pad(1, 1, clamp).slide(3, 1).map(|w| w.reduce(add, 0))"),
            7 => {
                let name = self.name("a");
                format!("{{ let {name} = {text}; array({len}, |i| {name}[i] + {name}[0]) }}")
            }
            _ => {
                let name = self.name("q");
                format!("{text}.map(|v| {}.map(|{name}| {name} & v).reduce(add, 0))", inner(self))
            }
        }
    }

    /// What becomes of the elements in the end.
    fn result(&mut self, table: &Table) -> (String, &'static str) {
        let text = &table.text;
        match self.choices.below(4) {
            0 | 1 => (text.clone(), "i32"),
            2 => (
                format!("{text}.map2d(|v| {{ let y = iterate(3, |u| u * 5 - 1, v); [y, 2 * y, y - v] }})"),
                "[i32; 3]",
            ),
            _ => (
                format!("{text}.map2d(|v| if v > 3 {{ let y = v * v; [y, y + 1] }} else {{ [v, 0] }})"),
                "[i32; 2]",
            ),
        }
    }
}
