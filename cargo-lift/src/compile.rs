//! Calls of `lift!` to compiled kernels, by the compiler as a library: nothing of the package is built.

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use cargo_lift::chain_compiler::failure;
use lift::spec::KernelSpec;
use lift_core::describe::describe;
use lift_core::diag::{Diagnostic, Severity};
use lift_core::pipeline::{Checked, Compilation, Compiled};
use lift_core::span::{Span, SpanTable};
use lift_core::syntax::reach::Items;

use crate::source::{self, Call};

/// A compiled kernel.
pub(crate) struct Kernel {
    /// Its name in the source ([`source::Kernel::name`]).
    pub(crate) name: String,
    /// What the compiler made: all versions with their texts and all steps of their derivations.
    pub(crate) compiled: Compiled,
    /// What launchers are made of. It stays in memory.
    pub(crate) spec: &'static KernelSpec,
}

/// What is wrong with a call.
#[derive(Debug)]
pub(crate) struct Mistakes(Vec<Mistake>);

impl Error for Mistakes {}

/// Compiles one kernel.
///
/// # Errors
///
/// The mistakes of the whole call: the macro compiles none of its kernels if there are some.
pub(crate) fn kernel(kernel: &source::Kernel) -> Result<Kernel, Mistakes> {
    let mut kernels = compiled(&kernel.call, |name| name == kernel.compiled)?.into_iter();
    kernels.find(|it| it.name == kernel.name).ok_or_else(|| {
        Mistakes(vec![Mistake::of_call(&kernel.call, format!("there is no kernel `{}`", kernel.name))])
    })
}

/// Compiles the kernels of a call that are wanted, by the names that the compiler knows.
///
/// # Errors
///
/// The mistakes of the call.
pub(crate) fn compiled(call: &Call, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<Kernel>, Mistakes> {
    let compile = || Checked::of(call.tokens.clone()).compile(|kernel| is_wanted(&kernel.name));
    let Compilation { kernels, diagnostics, spans, .. } = catch_unwind(AssertUnwindSafe(compile))
        .map_err(|panic| Mistakes(vec![Mistake::of_call(call, failure(&*panic))]))?;
    // Warnings are rustc's to show: it knows which of them are allowed.
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let mistakes: Vec<Mistake> = errors.map(|error| Mistake::new(call, error, &spans)).collect();
    if !mistakes.is_empty() {
        return Err(Mistakes(mistakes));
    }
    let described = kernels.into_iter().map(|compiled| {
        let name = match (&compiled.kernel.source, &call.variable) {
            (None, Some(variable)) => variable.clone(),
            _ => compiled.kernel.name.clone(),
        };
        let fingerprint = Items::of(call.tokens.clone()).fingerprint(&compiled.kernel.name);
        let spec = KernelSpec { fingerprint: fingerprint.into(), ..describe(&compiled) };
        Kernel { name, compiled, spec: Box::leak(Box::new(spec)) }
    });
    Ok(described.collect())
}

/// A mistake and its place.
#[derive(Debug)]
struct Mistake {
    path: PathBuf,
    line: usize,
    column: usize,
    /// The line, and how many of its characters are meant.
    quoted: (String, usize),
    /// Message, notes and help.
    text: String,
}

impl Mistake {
    fn new(call: &Call, error: &Diagnostic, spans: &SpanTable) -> Mistake {
        let ((line, column), (last_line, end)) = spans.position(error.span);
        // The compiler's own tokens have no place, like the call as a whole.
        if error.span.is(Span::default()) || (line, column) == (last_line, end) {
            return Mistake::of_call(call, error.text());
        }
        let quoted = call.file.text.lines().nth(line.saturating_sub(1)).unwrap_or_default().to_string();
        let rest = (quoted.chars().count() + 1).saturating_sub(column);
        let width = if last_line == line { end.saturating_sub(column) } else { rest };
        Mistake::at(call, (line, column), (quoted, width), error.text())
    }

    fn of_call(call: &Call, text: String) -> Mistake {
        let line = call.file.text.lines().nth(call.line.saturating_sub(1)).unwrap_or_default().to_string();
        Mistake::at(call, (call.line, call.column), (line, "lift!".len()), text)
    }

    fn at(call: &Call, (line, column): (usize, usize), quoted: (String, usize), text: String) -> Mistake {
        Mistake { path: call.file.path.clone(), line, column, quoted, text }
    }
}

/// As rustc prints it.
impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mistake { path, line, column, quoted: (quoted, width), text } = self;
        let (message, remarks) = text.split_once('\n').unwrap_or((text, ""));
        let margin = " ".repeat(line.to_string().len());
        writeln!(f, "{message}")?;
        writeln!(f, "{margin}--> {}:{line}:{column}", path.display())?;
        writeln!(f, "{margin} |\n{line} | {quoted}")?;
        // Tabs stay tabs, so that the marks are below what they mark.
        let before = quoted.chars().take(column.saturating_sub(1));
        let indent: String = before.map(|char| if char == '\t' { '\t' } else { ' ' }).collect();
        write!(f, "{margin} | {indent}{}", "^".repeat((*width).max(1)))?;
        remarks.lines().try_for_each(|remark| write!(f, "\n{margin} = {remark}"))
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join("\n\nerror: "))
    }
}
