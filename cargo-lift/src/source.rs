//! The `lift!` calls in a file of Rust, and the kernels that they declare.
//!
//! A file is read as tokens: so calls are found wherever a macro may stand, in the arguments of other macros, too, and in files that
//! rustc does not accept. Nothing is compiled here.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use lift_core::diag::Diagnostics;
use lift_core::span::SpanTable;
use lift_core::syntax;
use proc_macro2::{Delimiter, Group, LineColumn, TokenStream, TokenTree};

use crate::Result;

/// What the compiler calls the kernel of the expression form.
const EXPRESSION: &str = "Kernel";

/// A file of Rust.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl File {
    /// The nearest folder above that has a file of this name.
    pub(crate) fn above(&self, name: &str) -> Option<PathBuf> {
        let path = fs::canonicalize(&self.path).ok()?;
        path.ancestors().skip(1).find(|folder| folder.join(name).is_file()).map(Path::to_path_buf)
    }
}

/// A `lift!` call.
pub(crate) struct Call {
    pub(crate) file: Rc<File>,
    /// The line of the macro's name, counted from 1.
    pub(crate) line: usize,
    /// The column of the macro's name, counted from 1.
    pub(crate) column: usize,
    /// What stands between the delimiters, with places in the file.
    pub(crate) tokens: TokenStream,
    /// The variable that the call's value is bound to: the name of an expression form.
    pub(crate) variable: Option<String>,
}

/// A kernel that a call declares.
#[derive(Clone)]
pub(crate) struct Kernel {
    /// The name that people know: `Blur`, `Blur<f32>` where there are several types, and the variable of an expression form.
    pub(crate) name: String,
    /// The name that the compiler knows.
    pub(crate) compiled: String,
    /// The line of its name, counted from 1.
    pub(crate) line: usize,
    /// The call.
    pub(crate) call: Rc<Call>,
}

/// `src/main.rs:7`
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.call.file.path.display(), self.line)
    }
}

/// The calls in a file, in order.
///
/// # Errors
///
/// When the file cannot be read, or is not made of tokens.
pub(crate) fn calls(path: &Path) -> Result<Vec<Rc<Call>>> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("`{shown}` cannot be read: {error}"))?;
    // Most files have no kernel.
    if !text.contains("lift!") {
        return Ok(Vec::new());
    }
    let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
        let LineColumn { line, column } = error.span().start();
        format!("{shown}:{line}:{}: this is no token of Rust", column + 1)
    })?;
    let file = Rc::new(File { path: path.to_path_buf(), text });
    let mut found = Vec::new();
    search(tokens, &file, &mut found);
    Ok(found.into_iter().map(Rc::new).collect())
}

/// Adds the calls among the tokens.
fn search(tokens: TokenStream, file: &Rc<File>, found: &mut Vec<Call>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut variable = None;
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        match (token, tokens.get(i + 1), tokens.get(i + 2)) {
            (TokenTree::Ident(name), Some(mark), Some(TokenTree::Group(body)))
                if name == "lift" && is_mark(mark, '!') =>
            {
                let start = name.span().start();
                found.push(Call {
                    file: Rc::clone(file),
                    line: start.line,
                    column: start.column + 1,
                    tokens: body.stream(),
                    variable: variable.take(),
                });
                i += 2;
            }
            // What a macro writes is no kernel before it is written.
            (TokenTree::Ident(name), Some(mark), Some(_)) if name == "macro_rules" && is_mark(mark, '!') => {
                i += 3;
            }
            (TokenTree::Ident(word), Some(next), _)
                if word == "let" || word == "const" || word == "static" =>
            {
                let is_mut = |token: &&TokenTree| matches!(token, TokenTree::Ident(word) if word == "mut");
                let name = if is_mut(&next) { tokens.get(i + 2) } else { Some(next) };
                variable = name.filter(|token| matches!(token, TokenTree::Ident(_))).map(ToString::to_string);
            }
            (TokenTree::Group(group), ..) => {
                search(group.stream(), file, found);
                if ends_statement(group) {
                    variable = None;
                }
            }
            (mark, ..) if is_mark(mark, ';') => variable = None,
            _ => {}
        }
        i += 1;
    }
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

fn ends_statement(group: &Group) -> bool {
    group.delimiter() == Delimiter::Brace
}

impl Call {
    /// The kernels that it declares, in order, also where there are mistakes.
    pub(crate) fn kernels(self: &Rc<Self>) -> Vec<Kernel> {
        let mut spans = SpanTable::new();
        let block = syntax::parse(self.tokens.clone(), &mut spans, &mut Diagnostics::new());
        let kernel = |name: &str, compiled: &str, line: usize| Kernel {
            name: name.to_string(),
            compiled: compiled.to_string(),
            line,
            call: Rc::clone(self),
        };
        let functions = block.functions.iter().filter(|function| function.kernel).map(|function| {
            let name = &function.name;
            kernel(&name.name, &name.name, spans.position(name.span).0.0)
        });
        let variable = self.variable.as_deref().unwrap_or(EXPRESSION);
        let expression = block.result.iter().map(|_| kernel(variable, EXPRESSION, self.line));
        let mut kernels: Vec<Kernel> = functions.chain(expression).collect();
        // What could not be read may be a kernel: who asks for it is told what is wrong with it.
        for name in &block.broken {
            if kernels.iter().all(|kernel| kernel.name != *name) {
                kernels.push(kernel(name, name, self.line));
            }
        }
        kernels
    }
}
