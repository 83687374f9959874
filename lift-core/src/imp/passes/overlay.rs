//! Arrays in local memory that are never needed at the same time lie in the same place.
//!
//! Before: a place for each. After: where they take much together, an array is declared within another of the same type that
//! is at least as large, and that nobody reads any more when it is written, or that is not written yet when it is read for the last
//! time. Barriers come later, and know who lies where.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Truth};
use crate::imp::ast::{Kernel, Stmt};
use crate::memory::BufferId;

/// Less than that is not worth a barrier: groups that need so little have room beside each other.
const MUCH: i64 = 16 << 10;

/// Runs the pass.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    if kernel.facts.le(&kernel.local_bytes, &MUCH.into()) == Truth::Yes {
        return kernel;
    }
    let mut paths = BTreeMap::new();
    accesses(&kernel.body, &mut Vec::new(), &mut paths);
    let mut arrays: Vec<BufferId> = kernel.local_buffers().collect();
    arrays.sort_by_key(|id| std::cmp::Reverse(size(&kernel, *id).as_const()));
    let mut places: Vec<Vec<BufferId>> = Vec::new();
    for id in arrays {
        let fits = |others: &&mut Vec<BufferId>| {
            let first = others[0];
            kernel.buffer(first).scalar == kernel.buffer(id).scalar
                && kernel.facts.le(&size(&kernel, id), &size(&kernel, first)) == Truth::Yes
                && others.iter().all(|other| is_apart(&kernel, &paths, *other, id))
        };
        match places.iter_mut().find(fits) {
            Some(place) => place.push(id),
            None => places.push(vec![id]),
        }
    }
    let bytes = places.iter().map(|place| {
        let first = place[0];
        size(&kernel, first) * kernel.buffer(first).scalar.bytes()
    });
    kernel.local_bytes = kernel.facts.simplify(&bytes.fold(ArithExpr::zero(), |sum, n| sum + n));
    for place in places {
        for id in &place[1..] {
            kernel.buffers[id.0 as usize].within = Some(place[0]);
        }
    }
    kernel
}

/// How many elements an array has.
fn size(kernel: &Kernel, id: BufferId) -> ArithExpr {
    let elements: ArithExpr = kernel.buffer(id).dims.iter().cloned().product();
    kernel.facts.simplify(&elements)
}

/// Where a statement is: its number in its block, then the number of the block inside it and the number there, and so on.
type Path = Vec<usize>;

/// When an array is needed: in the statements with these first and last numbers in one block.
struct Life {
    block: Path,
    first: usize,
    last: usize,
}

impl Life {
    /// From the first access to the last. Each time that a block runs, an array that is written in it is written before it is read.
    fn of(accesses: &[Path]) -> Option<Life> {
        let (first, rest) = accesses.split_first()?;
        let common = |path: &Path| first.iter().zip(path).take_while(|(a, b)| a == b).count();
        let depth = rest.iter().map(common).min().unwrap_or(first.len()).min(first.len() - 1);
        let numbers = || accesses.iter().filter_map(|path| path.get(depth).copied());
        Some(Life { block: first[..depth].to_vec(), first: numbers().min()?, last: numbers().max()? })
    }

    fn is_apart(&self, other: &Life) -> bool {
        let depth = self.block.iter().zip(&other.block).take_while(|(a, b)| a == b).count();
        let range = |life: &Life| match life.block.get(depth) {
            Some(at) => (*at, *at),
            None => (life.first, life.last),
        };
        let ((a, b), (c, d)) = (range(self), range(other));
        b < c || d < a
    }
}

fn is_apart(kernel: &Kernel, paths: &BTreeMap<BufferId, Vec<Path>>, a: BufferId, b: BufferId) -> bool {
    let life = |id: BufferId| paths.get(&id).and_then(|paths| Life::of(paths));
    let ends = |id: BufferId| kernel.buffer(id).ends;
    match (life(a), life(b)) {
        (Some(x), Some(y)) => ends(a) && ends(b) && x.is_apart(&y),
        // What nobody accesses needs no place.
        _ => true,
    }
}

/// Notes where arrays are accessed.
fn accesses(stmts: &[Stmt], path: &mut Path, out: &mut BTreeMap<BufferId, Vec<Path>>) {
    for (number, stmt) in stmts.iter().enumerate() {
        path.push(number);
        match stmt {
            // Not all items may come by a branch: none can wait there between two arrays that share a place.
            Stmt::If(..) => stmt.visit(&mut |inner| note(inner, path, out)),
            stmt => {
                note(stmt, path, out);
                for (number, block) in stmt.blocks().enumerate() {
                    path.push(number);
                    accesses(block, path, out);
                    path.pop();
                }
            }
        }
        path.pop();
    }
}

/// Notes what a statement accesses itself.
fn note(stmt: &Stmt, path: &[usize], out: &mut BTreeMap<BufferId, Vec<Path>>) {
    stmt.accesses(&mut |id, _, _, _| out.entry(id).or_default().push(path.to_vec()));
}
