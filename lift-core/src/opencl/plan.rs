//! What a kernel function does with memory, for people: its index space, where everything lies, which elements
//! it reads and writes, and what its barriers are for.
//!
//! This is the text of a view: indices are those of the imperative tree, with the names that stand for parts of
//! them written out.

use std::collections::{BTreeSet, HashSet};

use lift_spec::macros::INDEX;

use crate::arith::ArithExpr;
use crate::imp::ast::{Param, Stmt};
use crate::low::Geometry;
use crate::memory::{BufferId, Space};
use crate::opencl::print::Printer;
use crate::opencl::{prec, type_name};

/// So many accesses to one buffer are shown.
const MOST_SHOWN: usize = 6;

/// An access: its buffer, whether it writes, how many elements, and from which index on.
type Access = (BufferId, bool, u8, Vec<ArithExpr>);

impl Printer<'_> {
    /// The plan of the kernel function `entry`, which is for sizes of which a condition holds, if there is one.
    pub(super) fn plan(&self, entry: &str, condition: &str) -> String {
        let kernel = self.kernel;
        let mut accesses: Vec<Access> = Vec::new();
        kernel.body.iter().for_each(|stmt| collect(stmt, &mut accesses));
        let only = if condition.is_empty() { String::new() } else { format!(", where {condition}") };
        let mut text = format!("{entry}{only}: {}\n", self.work());
        for param in &kernel.params {
            match param {
                Param::Buffer(id) => self.buffer_plan(*id, &accesses, &mut text),
                Param::Scalar(local) => {
                    let (name, ty) = (self.names.var(local.id), type_name(local.scalar));
                    text.push_str(&format!("    {name}: a {ty}\n"));
                }
                Param::Status | Param::Claims(_) => {}
            }
        }
        let params: BTreeSet<BufferId> = kernel.params.iter().filter_map(buffer_of).collect();
        for id in (0..kernel.buffers.len() as u32).map(BufferId).filter(|id| !params.contains(id)) {
            self.buffer_plan(id, &accesses, &mut text);
        }
        let mut barriers = Vec::new();
        self.barriers(&kernel.body, &mut barriers);
        for (i, before) in barriers.iter().enumerate() {
            text.push_str(&format!("    barrier {}: before {before}\n", i + 1));
        }
        text
    }

    /// Without the casts that a compiler needs.
    fn shown(&self, e: &ArithExpr) -> String {
        self.index(&self.facts.simplify(e)).text.replace(&format!("({INDEX})"), "")
    }

    fn work(&self) -> String {
        let extents = |list: &[ArithExpr]| {
            let texts: Vec<String> = list.iter().map(|n| self.index(n).at(prec::MUL)).collect();
            if texts.is_empty() { "1".to_string() } else { texts.join(" × ") }
        };
        match &self.kernel.geometry {
            Geometry::Items(items) => format!("{} work-items", extents(items)),
            Geometry::Shaped { items, local } => {
                format!("{} work-items in groups of {}", extents(items), extents(local))
            }
            Geometry::Groups { groups, local } => {
                format!("{} groups of {} work-items", extents(groups), extents(local))
            }
        }
    }

    fn buffer_plan(&self, id: BufferId, accesses: &[Access], text: &mut String) {
        let buffer = self.kernel.buffer(id);
        let dims =
            |dims: &[&ArithExpr]| -> String { dims.iter().map(|n| format!("[{}]", self.shown(n))).collect() };
        let all: Vec<&ArithExpr> = buffer.dims.iter().collect();
        let ty = format!("{}{}", type_name(buffer.scalar), dims(&all));
        let own = || accesses.iter().filter(move |(of, ..)| *of == id);
        // It is a part of another.
        if buffer.within.is_some() && own().next().is_none() {
            return;
        }
        let place = match buffer.space {
            Space::Input => format!("{ty}, global, read"),
            Space::Output => format!("{ty}, global, written"),
            Space::Constant => format!("{ty}, constants"),
            Space::Global => format!("{ty}, global, a part for every group"),
            Space::Local => {
                let elements: ArithExpr = buffer.dims.iter().fold(ArithExpr::cst(1), |n, extent| &n * extent);
                let bytes = &elements * &ArithExpr::cst(buffer.scalar.bytes());
                format!("{ty}, local, {} bytes", self.shown(&bytes))
            }
            Space::Private if own().next().is_none() => format!("{ty}, in variables"),
            Space::Private => format!("{}{}, private", type_name(buffer.scalar), dims(&buffer.own_dims())),
        };
        let place = match buffer.within {
            Some(other) => format!("{ty}, local, in the place of {}", self.names.array(other)),
            None => place,
        };
        let shared = match buffer.shared.len() {
            0 => "",
            _ => ", of which each work-item has its part",
        };
        let name = match buffer.space {
            Space::Private => buffer.name.clone(),
            Space::Input | Space::Output | Space::Local | Space::Global | Space::Constant => {
                self.names.array(id).to_string()
            }
        };
        text.push_str(&format!("    {name}: {place}{shared}\n"));
        let mut known = HashSet::new();
        let mut shown: Vec<String> = Vec::new();
        let mut more = 0;
        for (_, write, lanes, index) in own() {
            let index: Vec<ArithExpr> = index.iter().map(|i| self.definitions.resolve(i)).collect();
            if !known.insert((*write, *lanes, index.clone())) {
                continue;
            }
            if shown.len() == MOST_SHOWN {
                more += 1;
                continue;
            }
            let index: String = index.iter().map(|i| format!("[{}]", self.shown(i))).collect();
            let verb = if *write { "writes" } else { "reads" };
            let several = if *lanes > 1 { format!(" and the {} after it", lanes - 1) } else { String::new() };
            let line = format!("        {verb} {index}{several}\n");
            if !shown.contains(&line) {
                shown.push(line);
            }
        }
        text.push_str(&shown.concat());
        if more > 0 {
            text.push_str(&format!("        and {more} more\n"));
        }
    }

    /// For each barrier, in the order of the text, what would be wrong without it.
    fn barriers(&self, stmts: &[Stmt], found: &mut Vec<String>) {
        for (i, stmt) in stmts.iter().enumerate() {
            if matches!(stmt, Stmt::Barrier) {
                found.push(self.after_barrier(&stmts[i + 1..]));
            }
            stmt.blocks().for_each(|block| self.barriers(block, found));
        }
    }

    /// The accesses to local memory up to the next barrier.
    fn after_barrier(&self, stmts: &[Stmt]) -> String {
        let mut accesses = Vec::new();
        stmts
            .iter()
            .take_while(|stmt| !matches!(stmt, Stmt::Barrier))
            .for_each(|stmt| collect(stmt, &mut accesses));
        let local = |id: &BufferId| matches!(self.kernel.buffer(*id).space, Space::Local | Space::Global);
        let names = |wanted: bool| {
            let mut names: Vec<&str> = Vec::new();
            for (id, write, ..) in accesses.iter().filter(|(id, ..)| local(id)) {
                let name = self.names.array(*id);
                if *write == wanted && !names.contains(&name) {
                    names.push(name);
                }
            }
            names.join(", ")
        };
        match (names(false).as_str(), names(true).as_str()) {
            ("", "") => "the next trip of a loop".to_string(),
            (reads, "") => format!("{reads} is read"),
            ("", writes) => format!("{writes} is written"),
            (reads, writes) => format!("{reads} is read, {writes} written"),
        }
    }
}

fn buffer_of(param: &Param) -> Option<BufferId> {
    match param {
        Param::Buffer(id) => Some(*id),
        Param::Scalar(_) | Param::Status | Param::Claims(_) => None,
    }
}

/// The accesses of a statement and of all in it.
fn collect(stmt: &Stmt, accesses: &mut Vec<Access>) {
    stmt.visit(&mut |s| {
        s.accesses(&mut |id, write, lanes, index| accesses.push((id, write, lanes, index.to_vec())));
    });
}
