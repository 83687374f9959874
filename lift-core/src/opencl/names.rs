//! Names in the text: the user's where possible, and never twice in one place.
//!
//! Before: variables with the names they should have. After: every variable has a C identifier that is no
//! keyword, type, builtin function or macro of OpenCL C and differs from all others that are visible where
//! it is. Blocks side by side may use the same names.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{Form, Var};
use crate::budget::{self, Abandoned};
use crate::imp::ast::{Kernel, Param, Stmt};
use crate::memory::BufferId;
use crate::opencl::reserved::{self, is_reserved, is_reserved_with_any_ending};

/// The name with another beginning, where an ending would not help.
fn begun(name: String, beginning: &str) -> String {
    if is_reserved_with_any_ending(&name) { format!("{beginning}{name}") } else { name }
}

/// The same name with ASCII letters, digits and single underscores only.
fn identifier(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut out = String::new();
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c),
            _ if !out.is_empty() && !out.ends_with('_') => out.push('_'),
            _ => {}
        }
    }
    let out = out.trim_end_matches('_').to_string();
    if out.starts_with(|c: char| c.is_ascii_alphabetic()) { out } else { format!("v{out}") }
}

/// The kernel function for a kernel of this name: `sobel_x` for `SobelX`, `jacobi2d` for `Jacobi2D`.
pub fn entry(name: &str) -> String {
    let mut out = String::new();
    let mut previous = '_';
    for c in identifier(name).chars() {
        if c.is_ascii_uppercase() && previous.is_ascii_lowercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        previous = c;
    }
    let out = begun(out, "run_");
    if is_reserved(&out) { format!("{out}_kernel") } else { out }
}

/// The macros that carry the sizes into the text, in order: upper-case, because headers of drivers use
/// lower-case names of one letter.
pub fn defines(sizes: &[Var]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut out = Vec::new();
    for size in sizes {
        let mut name = begun(identifier(size.name()).to_ascii_uppercase(), "N_");
        while is_reserved(&name) || !taken.insert(name.clone()) {
            name = begun(format!("{name}_SIZE"), "N_");
        }
        out.push(name);
    }
    out
}

/// The names of everything in a kernel.
pub(super) struct Names {
    /// Variables of either kind, by identity.
    vars: BTreeMap<u32, String>,
    buffers: BTreeMap<BufferId, String>,
    visible: BTreeSet<String>,
    /// For each name the number from which on none is visible with it.
    numbers: BTreeMap<String, usize>,
    /// The buffer that records what was wrong.
    pub(super) status: String,
    /// The claims of each operation that has some.
    pub(super) claims: BTreeMap<usize, String>,
}

impl Names {
    /// Chooses all names. `outside` are the names of other kernels and their tables; some of these are known
    /// to be the kernel's own.
    pub(super) fn of(
        kernel: &Kernel,
        outside: BTreeSet<String>,
        tables: BTreeMap<BufferId, String>,
    ) -> Names {
        let (vars, claims, status) = (BTreeMap::new(), BTreeMap::new(), String::new());
        let numbers = BTreeMap::new();
        let mut names = Names { vars, buffers: tables, visible: outside, numbers, status, claims };
        for (size, define) in kernel.sizes.iter().zip(defines(&kernel.sizes)) {
            names.visible.insert(define.clone());
            names.vars.insert(size.id(), define);
        }
        for tunable in &kernel.tunables {
            let name = tunable.name().to_string();
            names.visible.insert(name.clone());
            names.vars.insert(tunable.id(), name);
        }
        for param in &kernel.params {
            match param {
                Param::Buffer(id) => names.buffer(*id, kernel),
                Param::Status => names.status = names.fresh("status"),
                Param::Claims(site) => {
                    let name = names.fresh("claims");
                    names.claims.insert(*site, name);
                }
                Param::Scalar(local) => {
                    let name = names.fresh(&local.name);
                    names.vars.insert(local.id, name);
                }
            }
        }
        for table in &kernel.tables {
            if !names.buffers.contains_key(&table.buffer) {
                names.buffer(table.buffer, kernel);
            }
        }
        kernel.local_buffers().for_each(|id| names.buffer(id, kernel));
        names.block(&kernel.body, kernel);
        names
    }

    /// Makes a variable stand for a text.
    pub(super) fn define(&mut self, id: u32, text: String) {
        self.vars.insert(id, text);
    }

    /// The name of a variable. What is beyond the limits has none.
    pub(super) fn var(&self, id: u32) -> &str {
        if Form::is_too_large(id) {
            budget::abandon(Abandoned::Beyond);
        }
        self.vars.get(&id).map_or_else(|| crate::bug!("variable {id} has no name"), String::as_str)
    }

    /// The name of a buffer.
    pub(super) fn array(&self, id: BufferId) -> &str {
        self.buffers.get(&id).map_or_else(|| crate::bug!("{id:?} has no name"), String::as_str)
    }

    fn buffer(&mut self, id: BufferId, kernel: &Kernel) {
        let name = self.fresh(&kernel.buffer(id).name);
        self.buffers.insert(id, name);
    }

    fn block(&mut self, stmts: &[Stmt], kernel: &Kernel) {
        let outer = (self.visible.clone(), self.numbers.clone());
        for stmt in stmts {
            match stmt {
                Stmt::Index(var, _) => self.declare(var.id(), var.name()),
                Stmt::Value { local, .. } => self.declare(local.id, &local.name),
                Stmt::For { var, body, .. } => self.counted((var.id(), var.name()), body, kernel),
                Stmt::Repeat { counter, body, .. } => {
                    self.counted((counter.id, &counter.name), body, kernel);
                }
                Stmt::Array(buffer) => self.buffer(*buffer, kernel),
                Stmt::If(_, a, b) => {
                    self.block(a, kernel);
                    self.block(b, kernel);
                }
                Stmt::Assign(..)
                | Stmt::Store(..)
                | Stmt::Atomic(..)
                | Stmt::Leave(_)
                | Stmt::Claim(_)
                | Stmt::Barrier => {}
            }
        }
        (self.visible, self.numbers) = outer;
    }

    /// A loop, whose counter is visible in its body alone.
    fn counted(&mut self, (id, name): (u32, &str), body: &[Stmt], kernel: &Kernel) {
        let around = (self.visible.clone(), self.numbers.clone());
        self.declare(id, name);
        self.block(body, kernel);
        (self.visible, self.numbers) = around;
    }

    fn declare(&mut self, id: u32, name: &str) {
        let name = self.fresh(name);
        self.vars.insert(id, name);
    }

    /// A name that nothing visible has: the wanted one, for `i` also a later letter, or one with a number.
    fn fresh(&mut self, wanted: &str) -> String {
        let wanted = begun(identifier(wanted), "v_");
        let indices = ["i", "j", "k", "l", "m", "n"];
        let later = indices.iter().skip_while(|l| **l != wanted).skip(1).map(|l| (*l).to_string());
        let suffix = if wanted.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        let is_free = |name: &String| !self.visible.contains(name) && !is_reserved(name);
        let mut letters = std::iter::once(wanted.clone()).chain(later);
        let name = letters.find(is_free).unwrap_or_else(|| {
            let first = self.numbers.get(&wanted).copied().unwrap_or(2);
            // An ending makes the name free unless it is taken, so that not all of so many are.
            let taken = self.visible.len() + reserved::count();
            let mut numbered = (first..=first + taken).map(|n| (n, format!("{wanted}{suffix}{n}")));
            let Some((number, name)) = numbered.find(|(_, name)| is_free(name)) else {
                crate::bug!("no ending makes `{wanted}` a name")
            };
            self.numbers.insert(wanted, number + 1);
            name
        });
        self.visible.insert(name.clone());
        name
    }
}
