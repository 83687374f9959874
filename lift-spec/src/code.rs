//! Descriptions as texts, for code that a macro emits: how each type is written and read is declared with its fields.
//!
//! A description has thousands of values. As an expression of Rust, rustc would check and evaluate each of them in every build; as a literal
//! it is one token, which is read when the kernel is first used.
//!
//! Words and numbers have a space behind them. A struct is its fields in order; an enum, the name of the variant and its parts; a text or a
//! list has its length before it.

use std::borrow::Cow;
use std::str::FromStr;

use crate::{List, Text};

/// What can be written to a text and read from it.
pub(crate) trait Coded: Sized {
    /// Adds the value to a text.
    fn write(&self, out: &mut String);

    /// The value that comes next; nothing if that is none of this type.
    fn read(from: &mut Reader) -> Option<Self>;
}

/// What is left of a text.
pub(crate) struct Reader {
    rest: &'static str,
}

impl Reader {
    /// The value that a text is.
    pub(crate) fn whole<T: Coded>(text: &'static str) -> Option<T> {
        let mut from = Reader { rest: text };
        T::read(&mut from).filter(|_| from.rest.is_empty())
    }

    /// The next word.
    pub(crate) fn word(&mut self) -> Option<&'static str> {
        let (word, rest) = self.rest.split_once(' ')?;
        self.rest = rest;
        Some(word)
    }

    fn number<T: FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }
}

/// Adds a word to a text.
pub(crate) fn word(out: &mut String, word: &str) {
    out.push_str(word);
    out.push(' ');
}

/// A struct whose fields are all public, and how it is written and read.
macro_rules! record {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name { $($(#[$doc])* pub $field: $type,)* }

        impl $crate::code::Coded for $name {
            fn write(&self, out: &mut String) {
                $($crate::code::Coded::write(&self.$field, out);)*
            }

            fn read(from: &mut $crate::code::Reader) -> Option<$name> {
                Some($name { $($field: $crate::code::Coded::read(from)?,)* })
            }
        }
    };
}

/// An enum, and how it is written and read. The parts of a tuple have names here.
macro_rules! choice {
    ($(#[$about:meta])* pub enum $name:ident { $(
        $(#[$doc:meta])* $variant:ident
        $(($($part:ident: $part_type:ty),*))?
        $({ $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })?,
    )* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name { $(
            $(#[$doc])*
            $variant $(($($part_type),*))? $({ $($(#[$field_doc])* $field: $type,)* })?,
        )* }

        impl $crate::code::Coded for $name {
            fn write(&self, out: &mut String) {
                match self { $(
                    $name::$variant $(($($part),*))? $({ $($field),* })? => {
                        $crate::code::word(out, stringify!($variant));
                        $($($crate::code::Coded::write($part, out);)*)?
                        $($($crate::code::Coded::write($field, out);)*)?
                    }
                )* }
            }

            fn read(from: &mut $crate::code::Reader) -> Option<$name> {
                match from.word()? {
                    $(stringify!($variant) => Some(
                        $name::$variant
                            $(($(<$part_type as $crate::code::Coded>::read(from)?),*))?
                            $({ $($field: $crate::code::Coded::read(from)?),* })?
                    ),)*
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use {choice, record};

/// Numbers and truth values are written as they are printed.
macro_rules! printed {
    ($($type:ty)*) => { $(
        impl Coded for $type {
            fn write(&self, out: &mut String) {
                word(out, &self.to_string());
            }

            fn read(from: &mut Reader) -> Option<$type> {
                from.number()
            }
        }
    )* };
}

printed!(bool i64 u64 usize);

impl Coded for Text {
    fn write(&self, out: &mut String) {
        self.len().write(out);
        out.push_str(self);
    }

    fn read(from: &mut Reader) -> Option<Text> {
        let len = usize::read(from)?;
        let (text, rest) = from.rest.split_at_checked(len)?;
        from.rest = rest;
        Some(Cow::Borrowed(text))
    }
}

impl<T: Coded + Clone> Coded for List<T> {
    fn write(&self, out: &mut String) {
        self.len().write(out);
        self.iter().for_each(|item| item.write(out));
    }

    fn read(from: &mut Reader) -> Option<List<T>> {
        let len = usize::read(from)?;
        let items = (0..len).map(|_| T::read(from)).collect::<Option<Vec<T>>>()?;
        Some(Cow::Owned(items))
    }
}

impl<T: Coded> Coded for Option<T> {
    fn write(&self, out: &mut String) {
        self.is_some().write(out);
        self.iter().for_each(|value| value.write(out));
    }

    fn read(from: &mut Reader) -> Option<Option<T>> {
        Some(if bool::read(from)? { Some(T::read(from)?) } else { None })
    }
}

impl<One: Coded, Other: Coded> Coded for (One, Other) {
    fn write(&self, out: &mut String) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(from: &mut Reader) -> Option<(One, Other)> {
        Some((One::read(from)?, Other::read(from)?))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow::Borrowed as B;
    use std::fmt::Debug;

    use super::*;
    use crate::{Case, Count, Geometry, KernelSpec, Launch, Operation, Site, Size, Slot};

    fn text(value: &impl Coded) -> &'static str {
        let mut out = String::new();
        value.write(&mut out);
        out.leak()
    }

    /// What is written is read, and nothing is that is a part of it.
    fn check<T: Coded + PartialEq + Debug>(value: &T) {
        let text = text(value);
        assert_eq!(Reader::whole::<T>(text).as_ref(), Some(value), "{text}");
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            assert_eq!(Reader::whole::<T>(&text[..end]), None, "{}", &text[..end]);
        }
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        let sizes = vec![Size::Sum(B(&[Size::Var(0), Size::Const(i64::MIN)]))];
        let launch = Launch {
            entry: B("\"entry\" 3 \n\u{301}"),
            args: B(&[Slot::Param(3), Slot::Status]),
            geometry: Geometry::Groups { groups: sizes.into(), local: B(&[]) },
            local_bytes: Size::Tunable(7),
        };
        let operations = vec![Operation::Launch(launch), Operation::Leave(2), Operation::Swap(0, 1)];
        check(&Operation::Repeat(Count::Whole(1, u64::MAX), operations.into()));
        let site = Site {
            operation: B("gather"),
            written: B(""),
            source: Some(1),
            len: Size::Const(1),
            distinct: true,
        };
        check(&Site { source: None, ..site.clone() });
        check(&site);
        check(&Case { define: B("C"), multiples: B(&[B(&[(Size::Var(0), 4)])]) });
        check(&KernelSpec::INVALID);
    }

    #[test]
    fn what_is_no_value_is_not_read() {
        assert_eq!(Reader::whole::<Size>("Volume 3 "), None);
        assert_eq!(Reader::whole::<Size>("Const 3 4 "), None);
        assert_eq!(Reader::whole::<Size>("Const three "), None);
        assert_eq!(Reader::whole::<Text>("2 ab"), Some(B("ab")));
        // No text ends within a character.
        assert_eq!(Reader::whole::<Text>("1 é"), None);
        assert_eq!(Reader::whole::<List<usize>>("18446744073709551615 1 "), None);
    }
}
