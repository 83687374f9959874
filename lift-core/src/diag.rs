//! Diagnostics: what is wrong, where, why, and what to do about it.

use std::collections::BTreeSet;

use crate::span::{Span, SpanTable};

/// At most so many errors of one macro call are reported.
pub const MAX_REPORTED: usize = 8;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing can be compiled.
    Error,
    /// Suspicious, but well defined.
    Warning,
}

/// One mistake of the user. The first line stands alone; notes say where it comes from; the help is
/// something to type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// `L0210`; each code has a section in `docs/errors.md`.
    pub code: &'static str,
    /// The user's own tokens.
    pub span: Span,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in the user's words.
    pub message: String,
    /// Where it comes from.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic without notes or help.
    pub fn new(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let (notes, help) = (Vec::new(), Vec::new());
        Diagnostic { code, span, severity: Severity::Error, message: message.into(), notes, help }
    }

    /// A warning without notes or help.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::new(code, span, message) }
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a note, if there is one.
    pub fn note_if(mut self, text: Option<impl Into<String>>) -> Diagnostic {
        self.notes.extend(text.map(Into::into));
        self
    }

    /// Adds a proposal.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds a proposal, if there is one.
    pub fn help_if(mut self, text: Option<impl Into<String>>) -> Diagnostic {
        self.help.extend(text.map(Into::into));
        self
    }

    /// The whole text, as `compile_error!` shows it: code and message, then notes, then help.
    pub fn text(&self) -> String {
        let mut text = format!("[{}] {}", self.code, self.message);
        for (label, lines) in [("note", &self.notes), ("help", &self.help)] {
            for line in lines {
                text.push_str(&format!("\n{label}: {}", line.replace('\n', "\n      ")));
            }
        }
        text
    }
}

/// Collects diagnostics. A stage goes on after a mistake where it can and stops at its end.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No diagnostics yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// How many diagnostics there are, for [`Diagnostics::since`].
    pub fn mark(&self) -> usize {
        self.list.len()
    }

    /// Takes out what was added since the mark.
    pub fn since(&mut self, mark: usize) -> Diagnostics {
        Diagnostics { list: self.list.split_off(mark.min(self.list.len())) }
    }

    /// All of them, in the order in which they were reported.
    pub fn all(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Proposes something else to do about those with this code at these places.
    pub fn help_instead(&mut self, spans: &[Span], code: &str, help: &str) {
        let here = |d: &&mut Diagnostic| d.code == code && spans.contains(&d.span);
        self.list.iter_mut().filter(here).for_each(|d| d.help = vec![help.to_string()]);
    }

    /// Adds all of `others`.
    pub fn extend(&mut self, others: Diagnostics) {
        self.list.extend(others.list);
    }

    /// The error that was reported first.
    pub fn first_error(&self) -> Option<&Diagnostic> {
        self.list.iter().find(|d| d.severity == Severity::Error)
    }

    /// Adds a remark to those after the mark.
    pub fn note_since(&mut self, mark: usize, note: &str) {
        self.list.iter_mut().skip(mark).for_each(|d| d.notes.push(note.to_string()));
    }

    /// How many errors were reported so far.
    pub fn errors(&self) -> usize {
        self.list.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// The diagnostics in source order, without repetitions, with at most [`MAX_REPORTED`] errors.
    pub fn finish(self, spans: &SpanTable) -> Vec<Diagnostic> {
        let mut list = self.list;
        list.sort_by_key(|d| spans.position(d.span));
        let mut seen = BTreeSet::new();
        list.retain(|d| seen.insert((spans.position(d.span), d.message.clone())));
        // Whether warnings are shown is for the user to say, who may allow or expect them.
        let mut errors = 0;
        list.retain(|d| {
            errors += usize::from(d.severity == Severity::Error);
            d.severity == Severity::Warning || errors <= MAX_REPORTED
        });
        let more = errors.saturating_sub(MAX_REPORTED);
        if more > 0
            && let Some(last) = list.iter_mut().rfind(|d| d.severity == Severity::Error)
        {
            last.notes.push(format!("and {more} more, shown when these mistakes are repaired"));
        }
        list
    }
}

/// A table of faults, a row for each: its code, its name with the words that its texts mention, the message, and notes
/// and help. A row is a constructor from the place and the words. A text may be followed by arguments for its `{}`, in
/// parentheses; what stands behind `=>` is one more help, if there is any. Rows that begin with `warning` are no errors.
macro_rules! faults {
    ($vis:vis, $($(#[$doc:meta])* $($severity:ident)? $code:literal $name:ident($($word:ident $(: $ty:ty)?),*):
        $message:literal $(($($arg:expr),*))? $(, $part:ident $text:literal $(($($value:expr),*))?)* $(=> $help:expr)?;
    )*) => {$(
        $(#[$doc])*
        $vis fn $name(
            span: crate::span::Span,
            $($word: crate::diag::faults!(@type $($ty)?)),*
        ) -> crate::diag::Diagnostic {
            crate::diag::faults!(@new $($severity)?)($code, span, format_args!($message $($(, $arg)*)?).to_string())
                $(.$part(format_args!($text $($(, $value)*)?).to_string()))*
                $(.help_if($help))?
        }
    )*};
    (@new) => { crate::diag::Diagnostic::new };
    (@new warning) => { crate::diag::Diagnostic::warning };
    (@type) => { impl std::fmt::Display };
    (@type $ty:ty) => { $ty };
}
pub(crate) use faults;
