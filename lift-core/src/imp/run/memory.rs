//! The arrays of a launch: those of the host, of a group, of one work-item, and constant ones.

use std::collections::HashMap;

use crate::imp::ast::Kernel;
use crate::imp::run::index::Indices;
use crate::interp::Outcome;
use crate::ir::Literal;
use crate::memory::{BufferId, Space};

/// An element; `None` until it is written.
pub type Cell = Option<Literal>;

/// The arrays of the host and of a program.
pub type Heap = Vec<Vec<Cell>>;

/// The arrays that one work-item has for itself.
pub(super) type Private = HashMap<BufferId, Vec<Cell>>;

/// Where an array is.
#[derive(Clone, Copy)]
enum Place {
    Heap(usize),
    Group,
    Table,
    Private,
}

struct Array {
    name: String,
    place: Place,
    /// The extents of what is declared.
    extents: Vec<usize>,
}

pub(super) struct Memory<'a> {
    heap: &'a mut Heap,
    arrays: Vec<Array>,
    group: HashMap<BufferId, Vec<Cell>>,
    tables: HashMap<BufferId, Vec<Cell>>,
    /// Elements that were claimed, by operation and index, and the positions of their indices.
    claimed: HashMap<(usize, i128), i128>,
}

impl<'a> Memory<'a> {
    pub(super) fn new(kernel: &Kernel, heap: &'a mut Heap, indices: &Indices<'_>) -> Outcome<Memory<'a>> {
        let mut arrays = Vec::new();
        for buffer in &kernel.buffers {
            let place = match buffer.space {
                // Until it is passed.
                Space::Input | Space::Output | Space::Global => Place::Heap(usize::MAX),
                Space::Local => Place::Group,
                Space::Constant => Place::Table,
                Space::Private => Place::Private,
            };
            let extents = buffer.own_dims().into_iter().map(|n| indices.extent(n)).collect::<Outcome<_>>()?;
            arrays.push(Array { name: buffer.name.clone(), place, extents });
        }
        let tables = kernel.tables.iter();
        let tables = tables.map(|table| (table.buffer, table.elements.iter().copied().map(Some).collect()));
        let (group, tables) = (HashMap::new(), tables.collect());
        Ok(Memory { heap, arrays, group, tables, claimed: HashMap::new() })
    }

    /// The array is this one of the heap.
    pub(super) fn pass(&mut self, id: BufferId, at: usize) -> Outcome<()> {
        let array = &mut self.arrays[id.0 as usize];
        let (len, found) = (array.extents.iter().product::<usize>(), self.heap.get(at).map(Vec::len));
        if found != Some(len) {
            return Err(format!("`{}` has {len} elements, and not {found:?}", array.name));
        }
        array.place = Place::Heap(at);
        Ok(())
    }

    /// Nothing that the last group has stored is there any more.
    pub(super) fn new_group(&mut self) {
        self.group.clear();
    }

    /// An array of one work-item without contents.
    pub(super) fn declare(&self, id: BufferId, private: &mut Private) {
        let len = self.arrays[id.0 as usize].extents.iter().product();
        private.insert(id, vec![None; len]);
    }

    /// The elements from an index on, to be read or written.
    pub(super) fn cells<'m>(
        &'m mut self,
        id: BufferId,
        index: &[i128],
        count: usize,
        private: &'m mut Private,
    ) -> Outcome<&'m mut [Cell]> {
        let array = &self.arrays[id.0 as usize];
        let outside = || format!("index {index:?} of `{}`, which is {:?}", array.name, array.extents);
        let first = offset(index, array).ok_or_else(outside)?;
        let len = array.extents.iter().product();
        let all = match array.place {
            Place::Heap(at) => {
                self.heap.get_mut(at).ok_or_else(|| format!("`{}` was not passed", array.name))?
            }
            Place::Group => self.group.entry(id).or_insert_with(|| vec![None; len]),
            Place::Table => self.tables.entry(id).or_default(),
            Place::Private => {
                private.get_mut(&id).ok_or_else(|| format!("`{}` is not declared", array.name))?
            }
        };
        all.get_mut(first..first + count).ok_or_else(outside)
    }

    /// Claims an element for the index at a position.
    pub(super) fn claim(&mut self, site: usize, index: i128, position: i128) -> Outcome<()> {
        match self.claimed.insert((site, index), position) {
            Some(other) if other != position => {
                Err(format!("index {index} is at positions {other} and {position}"))
            }
            _ => Ok(()),
        }
    }
}

/// The number of elements before the one at an index: one number for arrays of the host, and one for each dimension otherwise.
fn offset(index: &[i128], array: &Array) -> Option<usize> {
    if let (Place::Heap(_), [i]) = (array.place, index) {
        return usize::try_from(*i).ok();
    }
    if index.len() != array.extents.len() {
        return None;
    }
    index.iter().zip(&array.extents).try_fold(0, |sum, (i, n)| {
        let i = usize::try_from(*i).ok()?;
        (i < *n).then_some(sum * n + i)
    })
}
