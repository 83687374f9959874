//! Texts in which repetitions are written once.

use std::borrow::Cow;
use std::fmt;

use crate::Text;
use crate::code::record;

record! {
    /// A text of OpenCL C. In long texts, repetitions are references to earlier parts (LZ77), because unrolled code and specialised functions
    /// would fill most of an expansion otherwise. `Display` prints the whole text.
    pub struct Source {
        /// The text, or what it is made from.
        pub text: Text,
        /// Whether parts of it are [`MARK`], where in the text an earlier part starts and how long it is, in bytes, with `,` between them, and `;`.
        pub is_packed: bool,
    }
}

/// What stands before a repetition; no text that has it is packed.
pub const MARK: char = '§';

impl Source {
    /// No text.
    pub const NONE: Source = Source { text: Cow::Borrowed(""), is_packed: false };

    /// A text as it is.
    #[must_use]
    pub fn plain(text: impl Into<Text>) -> Source {
        Source { text: text.into(), is_packed: false }
    }

    /// The whole text.
    ///
    /// ```
    /// use lift_spec::Source;
    ///
    /// let source = Source { text: "a = b[0] + §4,4;;".into(), is_packed: true };
    /// assert_eq!(source.text(), "a = b[0] + b[0];");
    /// ```
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        if !self.is_packed {
            return Cow::Borrowed(&self.text);
        }
        let mut parts = self.text.split(MARK);
        let mut text = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let repeated = part.split_once(';').and_then(|(place, rest)| {
                let (from, len) = place.split_once(',')?;
                let from: usize = from.parse().ok()?;
                let repeated = text.get(from..from.checked_add(len.parse().ok()?)?)?;
                Some((repeated.to_string(), rest))
            });
            // What is no repetition, because nobody packed it, stays as it is.
            let (repeated, rest) = repeated.unwrap_or((String::new(), part));
            text.push_str(&repeated);
            text.push_str(rest);
        }
        Cow::Owned(text)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
