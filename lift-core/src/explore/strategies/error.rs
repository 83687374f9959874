//! What users are told about the steps of their strategies. Codes L0190 to L0192.

use crate::diag::Diagnostic;
use crate::explore::strategies::Refusal;
use crate::explore::strategies::steps::{STEPS, Step};
use crate::ir::{Expr, UserStep, UserStrategy};
use crate::span::Span;
use crate::text::{did_you_mean, list};

/// More characters of an expression are not shown.
const WIDTH: usize = 100;

/// An expression in one line that is not long.
pub(super) fn short(e: &Expr) -> String {
    let text = e.to_string();
    let line: String = text.lines().map(str::trim).fold(String::new(), |line, part| {
        // A chain goes on without a space.
        let glue = if line.is_empty() || part.starts_with('.') { "" } else { " " };
        line + glue + part
    });
    match line.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

// L0190: the attribute.

/// A name that the compiler uses.
pub(super) fn known_name(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0190", span, format!("`{name}` is what the compiler calls versions that it derives"))
        .help(format!("choose another name: `#[strategy(my_{name}: …)]`"))
}

/// Two of the same name.
pub(super) fn twice(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0190", span, format!("two strategies of this kernel are called `{name}`"))
        .help("give each a name of its own: `#[strategy(rows_of_8: tile2d(1, 8))]`")
}

/// Nothing is left to decide.
pub(super) fn decided(strategy: &UserStrategy, refusal: &Refusal) -> Diagnostic {
    Diagnostic::new("L0190", strategy.span, format!("there is no place for a strategy: {}", refusal.reason))
        .help(
            "leave the strategy out; or, if `#[work_group(..)]` or a low-level primitive has decided, leave that out: the step \
             `work_group(64, 4)` gives the shape of groups",
        )
}

// L0191: steps that do not exist, or that take something else.

/// No such step.
pub(super) fn unknown_step(span: Span, name: &str) -> Diagnostic {
    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    let fault = Diagnostic::new("L0191", span, format!("there is no step `{name}`"));
    let fault = match did_you_mean(name, names.iter().copied()) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault,
    };
    fault.help(format!("the steps are {}", list(&names, "and")))
}

/// Something else than a number.
pub(super) fn no_number(span: Span, step: &Step) -> Diagnostic {
    Diagnostic::new("L0191", span, format!("`{}` takes numbers, and this is none", step.name))
        .help(format!("write `{}`, for example", step.usage))
}

/// A number that is none of elements.
pub(super) fn no_extent(span: Span, step: &Step) -> Diagnostic {
    Diagnostic::new("L0191", span, format!("`{}` takes numbers from 1 to 65536", step.name))
        .help(format!("write `{}`, for example", step.usage))
}

/// Too many numbers, or too few.
pub(super) fn wrong_count(span: Span, step: &Step, given: usize) -> Diagnostic {
    let takes: Vec<String> = step.takes.iter().map(ToString::to_string).collect();
    let takes = match takes.as_slice() {
        [none] if none == "0" => "no numbers".to_string(),
        [one] => format!("{one} number{}", if one == "1" { "" } else { "s" }),
        [some @ .., last] => format!("{} or {last} numbers", some.join(", ")),
        [] => String::new(),
    };
    let given = if given == 0 { "none".to_string() } else { given.to_string() };
    let message = format!(
        "`{}` takes {takes}, and here {} {given}",
        step.name,
        if given == "1" { "is" } else { "are" }
    );
    Diagnostic::new("L0191", span, message).help(format!("write `{}`, for example", step.usage))
}

// L0192: steps that do not apply.

/// A step that does not apply to any of so many launches; this is how far it came.
pub(super) fn does_not_apply(
    written: &UserStep,
    step: &Step,
    refusal: &Refusal,
    launches: usize,
) -> Diagnostic {
    let message = format!("`{}` does not apply: {}", step.name, refusal.reason);
    let fault = Diagnostic::new("L0192", written.span, message)
        .note(format!("it was tried on `{}`", refusal.tried))
        .help(format!("`{}` needs {}", step.name, step.needs));
    match launches {
        0 | 1 => fault,
        _ => fault.note(format!(
            "the kernel has {launches} launches, and this is the one where most steps applied"
        )),
    }
}
