//! The page of the documentation that lists all rules: docs/rules.md.

use std::fmt::Write;
use std::path::Path;

use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::low_rank::APPROXIMATE;
use lift_core::rewrite::strategy::CHOOSE;

use crate::rules::{self, Family};
use crate::testing::is_current;

const START: &str = "# The rules

Each is an equation, read from left to right: the right side means the same, whatever the sizes. Where the left side stands does not \
matter, how deep in functions it stands does not, either. After the equation stands what must hold for it, and what its letters stand \
for. A rule that needs a fact about sizes which is not proved does not apply. `f^d` is a function mapped over `d` dimensions. A number in the \
name of a rule is the dimension `d` of its equation, or the width `w` of its vectors. Tests apply every \
rule to random programs around its left side and interpret both sides; derivations (`docs/derivations`) show them at work.
";

#[test]
fn the_page_of_rules_is_that_of_the_compiler() {
    let mut text = String::from(START);
    for Family { title, about, rules } in rules::FAMILIES {
        write!(text, "\n## {title}\n\n").unwrap();
        if !about.is_empty() {
            write!(text, "{about}\n\n").unwrap();
        }
        // Rules that differ in a number.
        for alike in rules.chunk_by(|a, b| (a.equation, a.when) == (b.equation, b.when)) {
            let names: Vec<String> = alike.iter().map(|rule| format!("**{}**", rule.name)).collect();
            let Rule { about, equation, when, .. } = alike[0];
            let after = |mark: &str, words: &str| {
                if words.is_empty() { String::new() } else { format!("{mark}{words}") }
            };
            let (about, when) = (after(" ", about), after(", ", when));
            writeln!(text, "- {}:{about}<br>`{equation}`{when}", names.join(", ")).unwrap();
        }
    }
    writeln!(text, "\n## What is no equation\n\nSteps of derivations that no equation can justify have a reason instead.\n").unwrap();
    for reason in [&CHOOSE, &APPROXIMATE] {
        writeln!(text, "- **{}**: {}", reason.name, reason.law()).unwrap();
    }
    writeln!(text, "- **launch**: what follows is a launch of its own, with what it reads and writes")
        .unwrap();
    is_current(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md"), &text);
}
