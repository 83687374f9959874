//! Data as constant expressions of Rust, for code that a macro emits: how each type is written is declared with its fields.
//!
//! The expressions use the names of this module and no others: where it is imported as a whole, they have a value. A text or list is
//! borrowed in them, so that constants of any depth need no code.

use std::fmt::Write as _;

pub use std::borrow::Cow::Borrowed as B;
pub use std::option::Option::{None, Some};

pub use crate::*;

/// What can be written as a constant expression.
pub trait Constant {
    /// Adds the expression to a text.
    fn write(&self, out: &mut String);

    /// The expression.
    fn expression(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

/// Adds parts behind their labels, with a comma after each, and what stands around them.
pub(crate) fn group(out: &mut String, [start, end]: [char; 2], parts: &[(&str, &dyn Constant)]) {
    out.push(start);
    for (label, part) in parts {
        out.push_str(label);
        part.write(out);
        out.push(',');
    }
    out.push(end);
}

/// A struct whose fields are all public, and how it is written.
macro_rules! record {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name { $($(#[$doc])* pub $field: $type,)* }

        impl Constant for $name {
            fn write(&self, out: &mut String) {
                out.push_str(stringify!($name));
                group(out, ['{', '}'], &[$((concat!(stringify!($field), ":"), &self.$field),)*]);
            }
        }
    };
}

/// An enum, and how it is written. The parts of a tuple have names here.
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

        impl Constant for $name {
            fn write(&self, out: &mut String) {
                match self { $(
                    $name::$variant $(($($part),*))? $({ $($field),* })? => {
                        out.push_str(concat!(stringify!($name), "::", stringify!($variant)));
                        $(group(out, ['(', ')'], &[$(("", $part),)*]);)?
                        $(group(out, ['{', '}'], &[$((concat!(stringify!($field), ":"), $field),)*]);)?
                    }
                )* }
            }
        }
    };
}

pub(crate) use {choice, record};

/// Numbers and truth values are written as they are printed.
macro_rules! printed {
    ($($type:ty)*) => { $(
        impl Constant for $type {
            fn write(&self, out: &mut String) {
                // A text takes all that is written to it.
                let _ = write!(out, "{self}");
            }
        }
    )* };
}

printed!(bool i64 u64 usize);

impl Constant for Text {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "B({self:?})");
    }
}

impl<T: Constant + Clone> Constant for List<T> {
    fn write(&self, out: &mut String) {
        out.push_str("B(&[");
        for item in self.iter() {
            item.write(out);
            out.push(',');
        }
        out.push_str("])");
    }
}

impl<T: Constant> Constant for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => {
                out.push_str("Some");
                group(out, ['(', ')'], &[("", value)]);
            }
            None => out.push_str("None"),
        }
    }
}

impl<One: Constant, Other: Constant> Constant for (One, Other) {
    fn write(&self, out: &mut String) {
        group(out, ['(', ')'], &[("", &self.0), ("", &self.1)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without spaces, and without commas that may be left out.
    fn plain(text: &str) -> String {
        let text = text.replace(char::is_whitespace, "");
        [")", "]", "}"].iter().fold(text, |text, end| text.replace(&format!(",{end}"), end))
    }

    /// Whether the value of the expression is written like it.
    macro_rules! check {
        ($type:ty: $expression:expr) => {
            static VALUE: $type = $expression;
            assert_eq!(plain(&VALUE.expression()), plain(stringify!($expression)));
        };
    }

    #[test]
    fn values_are_written_as_they_are_read() {
        check!(Operation: Operation::Repeat(
            Count::Whole(1, 2),
            B(&[
                Operation::Launch(Launch {
                    entry: B("\"entry\"\n\u{301}"),
                    args: B(&[Slot::Param(3), Slot::Status]),
                    geometry: Geometry::Groups {
                        groups: B(&[Size::Sum(B(&[Size::Var(0), Size::Const(-9223372036854775808)]))]),
                        local: B(&[]),
                    },
                    local_bytes: Size::Tunable(7),
                }),
                Operation::Leave(2),
                Operation::Swap(0, 1),
            ])
        ));
    }

    #[test]
    fn options_are_written_as_they_are_read() {
        check!(Site: Site {
            operation: B("gather"),
            written: B(""),
            source: Some(1),
            len: Size::Const(1),
            distinct: true,
        });
    }

    #[test]
    fn pairs_are_written_as_they_are_read() {
        check!(Case: Case { define: B("C"), multiples: B(&[B(&[(Size::Var(0), 4)])]) });
    }
}
