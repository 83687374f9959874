//! What users are told where the text is not Rust's grammar (code L0100): what they write instead, found from the words
//! around the place where the parser stopped.

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};

use crate::diag::{Diagnostic, faults};
use crate::span::Span;

faults! { pub(super),
    "L0100" nothing(): "this `lift!` is empty",
        help "write a kernel, `#[kernel] pub fn Name(xs: [f32; N]) -> [f32; N] {{ … }}`, or an expression, `map(sqrt)`";
}

/// What syn does not accept. `around` are the words before and from the place where it stopped.
pub(super) fn not_rust(span: Span, message: &str, around: &Around) -> Diagnostic {
    let at = around.after(0);
    let message = match message {
        _ if message.starts_with("lex error") => "these are no Rust tokens".to_string(),
        _ if message.starts_with("expected one of") && !at.is_empty() => format!("unexpected `{at}`"),
        _ if message.starts_with("expected one of") => "something is missing here".to_string(),
        _ if message.starts_with("unexpected token") && !at.is_empty() => {
            message.replacen("unexpected token", &format!("unexpected `{at}`"), 1)
        }
        _ => message.to_string(),
    };
    let fault = Diagnostic::new(
        "L0100",
        span,
        format!("Lift is written in Rust's grammar, and this is not: {message}"),
    );
    match around.advice(&message) {
        Some(advice) => fault.help(advice),
        None if message == "expected `,`" && !at.is_empty() => {
            fault.help(format!("write a comma before `{at}`"))
        }
        None if message.contains("`;`") => {
            fault.help("every `let`, `const` and `type` ends with `;`; look just before the underlined place")
        }
        None if message.contains("end of input") => {
            fault.help("something is missing before the end of this block or list")
        }
        None => fault,
    }
}

pub(super) fn text_after_expression(span: Span, around: &Around) -> Diagnostic {
    let fault =
        Diagnostic::new("L0100", span, "the expression is complete before this; nothing may follow it");
    let at = around.after(0);
    match around.before(0) {
        "def" | "fun" | "func" | "function" | "void" | "kernel" | "__kernel" | "let" | "public"
        | "static"
            if is_name(at) =>
        {
            fault.help(format!("functions are written `fn {at}(x: f32) -> f32 {{ … }}`"))
        }
        ty if is_name(at) && scalar_of_c(ty).is_some() => {
            let ty = scalar_of_c(ty).unwrap_or("f32");
            fault.help(format!("functions are written `fn {at}(x: {ty}) -> {ty} {{ … }}`"))
        }
        _ => fault.help("items (`fn`, `const`, `type`) go before the expression"),
    }
}

/// What stands in the place of loops.
pub(super) const LOOPS: &str = "say what is computed: `xs.map(|x| …)` for every element, `xs.reduce(add, 0.0)` for one result of all, \
     `array(n, |i| …)` for every index";

/// The words of a macro call before and after a place.
#[derive(Debug, Default)]
pub(super) struct Around {
    words: Vec<String>,
    at: usize,
}

impl Around {
    /// Those around the token that starts at `place`.
    pub(super) fn of(tokens: TokenStream, place: LineColumn) -> Around {
        let mut words = Vec::new();
        flatten(tokens, &mut words);
        let at = words.iter().position(|(_, start)| *start == place).unwrap_or(words.len());
        Around { words: words.into_iter().map(|(word, _)| word).collect(), at }
    }

    /// The word so many words before the place, 0 for the last; empty where there is none.
    fn before(&self, distance: usize) -> &str {
        let index = self.at.checked_sub(distance + 1);
        index.and_then(|index| self.words.get(index)).map_or("", String::as_str)
    }

    /// The word so many words after the place, 0 for the one there.
    fn after(&self, distance: usize) -> &str {
        self.words.get(self.at + distance).map_or("", String::as_str)
    }

    /// What to write instead.
    #[expect(clippy::too_many_lines, reason = "a table: what stands there, and what is said of it")]
    fn advice(&self, message: &str) -> Option<String> {
        let (earlier, last) = (self.before(1), self.before(0));
        let (at, next) = (self.after(0), self.after(1));
        let operand = |word: &str| is_name(word) || is_number(word);
        Some(match (last, at) {
            ("#", "define") => match self.after(2) {
                value if is_number(value) && value.contains('.') => {
                    format!("a constant is written `const {next}: f32 = {value};`")
                }
                value if is_number(value) => {
                    format!("a constant is written `const {next}: usize = {value};`")
                }
                _ => format!("a constant is written `const {next}: f32 = …;`"),
            },
            ("#", "include") => "nothing is included: everything that a block uses stands in it".into(),
            ("#", _) if !matches!(at, "[" | "!") => "comments start with `//`".into(),
            (name, "=") if next == ">" && is_name(name) => format!("closures are written `|{name}| …`"),
            ("lambda", name) if is_name(name) => format!("closures are written `|{name}| …`"),
            (">", _) if earlier == "-" && self.before(2) == "|" => {
                format!("closures have no arrow: `|{}| …`", self.before(3))
            }
            ("elif" | "elsif" | "elseif", _) => "write `else if`".into(),
            ("not", name) if operand(name) => format!("write `!{name}`"),
            (_, "and") => "write `&&`".into(),
            (_, "or") => "write `||`".into(),
            ("?", _) | (_, "?") => "to choose, write `if c { a } else { b }`".into(),
            (_, "~") => "to flip all bits, write `!x`".into(),
            (_, "^") => "for powers, write `x.powi(2)`".into(),
            (a, "@") if is_name(a) && is_name(next) => format!(
                "for a matrix product, write \
                 `{a}.map(|row| {next}.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))`"
            ),
            ("|", ">") => format!("functions are applied with a dot: `{earlier}.{next}(…)`"),
            ("+" | "-", "+" | "-") if last == at && is_name(earlier) => {
                format!("nothing changes: the next number is `{earlier} {at} 1`")
            }
            (_, "+" | "*" | "/" | "%" | "&" | "=" | "<" | ">") if message.contains("an expression") => {
                "as functions, operators have names: `add`, `sub`, `mul`, `div`; or write a closure, `|a, b| a + b`"
                    .into()
            }
            (_, "<" | ">") if message.contains("chained") => match (self.before(2), earlier) {
                (first, "<" | ">") if operand(first) && operand(last) && operand(next) => {
                    format!("compare twice: `{first} {earlier} {last} && {last} {at} {next}`")
                }
                _ => "compare twice: `a < b && b < c`".into(),
            },
            (name, "=") if earlier == "const" && message.contains("`:`") => {
                format!("a constant says its type: `const {name}: f32 = …;`")
            }
            (name, ")" | ",") if message.contains("`:`") && is_name(name) => {
                format!("a parameter says its type: `{name}: f32`, `{name}: [f32; N]`")
            }
            (")", ":") if message.contains("`{`") => {
                format!("the type of the result stands after an arrow: `-> {next}`")
            }
            (name, "[") if message.contains("parentheses") && is_name(name) => {
                format!("size variables stand in angle brackets: `{name}<{next}>`")
            }
            (a, ",") if is_number(a) && is_number(next) && message.contains("`;`") => {
                format!("decimals have a point: `{a}.{next}`")
            }
            (i, ",") if message.contains("`]`") && operand(i) && operand(next) => {
                format!("every index has brackets of its own: `[{i}][{next}]`")
            }
            (_, ",") if message.contains("`]`") => {
                "every index has brackets of its own: `[i][j]`".into()
            }
            (":", step) if is_number(step) && message.contains("identifier") => {
                format!("to take one element in {step}, write `.split({step}).map(|part| part[0])`")
            }
            (")", name) if is_name(name) && scalar_of_c(earlier).is_some() && self.before(2) == "(" => {
                format!("a conversion stands behind the value: `{name} as {}`", scalar_of_c(earlier)?)
            }
            (_, name) if is_name(name) && earlier == "(" && matches!(self.before(2), "for" | "while") => {
                format!("there are no loops; {LOOPS}")
            }
            (ty, name) if is_name(name) && scalar_of_c(ty).is_some() => {
                format!("a type stands behind the name: `{name}: {}`", scalar_of_c(ty)?)
            }
            (_, "where") if next == "(" => "to choose for every element, write `.map(|x| if x > 0.0 { x } else { 0.0 })`".into(),
            (_, "where" | "in") => "bind names before they are used: `let x = …;`".into(),
            (_, "if") => "a choice is written `if c { a } else { b }`".into(),
            (_, "for") => "to compute something for every element, write `xs.map(|x| …)`".into(),
            (a, b) if operand(a) && operand(b) && message.contains("`,`") => {
                format!("write a comma between them: `{a}, {b}`")
            }
            (a, b) if is_name(a) && operand(b) && message.starts_with("unexpected") => {
                format!("arguments stand in parentheses: `{a}({b})`; between values stands an operator")
            }
            _ => return None,
        })
    }
}

/// The scalar type that C or a Python library calls like that.
pub(super) fn scalar_of_c(name: &str) -> Option<&'static str> {
    Some(match name {
        "half" | "float16" => "f16",
        "float" | "float32" => "f32",
        "double" | "float64" => "f64",
        "schar" | "int8" | "int8_t" => "i8",
        "short" | "int16" | "int16_t" => "i16",
        "int" | "int32" | "int32_t" | "integer" => "i32",
        "long" | "int64" | "int64_t" | "isize" | "ptrdiff_t" => "i64",
        "uchar" | "byte" | "uint8" | "uint8_t" => "u8",
        "ushort" | "uint16" | "uint16_t" => "u16",
        "uint" | "unsigned" | "uint32" | "uint32_t" => "u32",
        "ulong" | "uint64" | "uint64_t" => "u64",
        "size_t" => "usize",
        "boolean" | "bool_" | "Bool" | "Boolean" => "bool",
        "Int" => "i32",
        "Float" => "f32",
        "Double" => "f64",
        _ => return None,
    })
}

/// All tokens in order, delimiters among them, with the places where they start.
fn flatten(tokens: TokenStream, words: &mut Vec<(String, LineColumn)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => {
                        flatten(group.stream(), words);
                        continue;
                    }
                };
                words.push((open.into(), group.span_open().start()));
                flatten(group.stream(), words);
                words.push((close.into(), group.span_close().start()));
            }
            other => words.push((other.to_string(), other.span().start())),
        }
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}
