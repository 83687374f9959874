//! The arrays of a launch: those of the host, of a group, of one work-item, and constant ones.

use std::ops::Range;

use lift_core::imp::ast::Kernel;
use lift_core::ir::Literal;
use lift_core::memory::{BufferId, Space};
use rustc_hash::FxHashMap;

use crate::interp::Outcome;
use crate::run::counts::Counts;
use crate::run::index::Indices;
use crate::run::races::{Mark, Who};

/// An element; `None` until it is written.
pub type Cell = Option<Literal>;

/// The arrays of the host and of a program.
pub type Heap = Vec<Vec<Cell>>;

/// The arrays that one work-item has for itself.
pub(super) type Private = FxHashMap<BufferId, Vec<Cell>>;

/// Where an array is.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Heap(usize),
    /// In local memory, perhaps in the place of another.
    Group(BufferId),
    Table,
    Private,
}

struct Array {
    name: String,
    place: Place,
    /// The extents of what is declared.
    extents: Vec<usize>,
    /// The size of an element.
    bytes: u64,
}

pub(super) struct Memory<'a> {
    heap: &'a mut Heap,
    arrays: Vec<Array>,
    group: FxHashMap<BufferId, Vec<Cell>>,
    tables: FxHashMap<BufferId, Vec<Cell>>,
    /// What was done to elements in this launch, and in this group.
    marks: FxHashMap<usize, Vec<Mark>>,
    group_marks: FxHashMap<BufferId, Vec<Mark>>,
    /// Elements that were claimed, by operation and index, and the positions of their indices.
    claimed: FxHashMap<(usize, i128), i128>,
    /// Who accesses now.
    pub(super) who: Who,
    /// Whether barriers order accesses to arrays of the host.
    fences_global: bool,
    /// What is read and written.
    pub(super) counts: Counts,
}

impl<'a> Memory<'a> {
    pub(super) fn new(kernel: &Kernel, heap: &'a mut Heap, indices: &Indices<'_>) -> Outcome<Memory<'a>> {
        let mut arrays = Vec::new();
        for (i, buffer) in kernel.buffers.iter().enumerate() {
            let place = match buffer.space {
                // Until it is passed.
                Space::Input | Space::Output | Space::Global => Place::Heap(usize::MAX),
                Space::Local => Place::Group(buffer.within.unwrap_or(BufferId(i as u32))),
                Space::Constant => Place::Table,
                Space::Private => Place::Private,
            };
            let extents = buffer.own_dims().into_iter().map(|n| indices.extent(n)).collect::<Outcome<_>>()?;
            let bytes = buffer.scalar.bytes().unsigned_abs();
            arrays.push(Array { name: buffer.name.clone(), place, extents, bytes });
        }
        let tables = kernel.tables.iter();
        let tables = tables.map(|table| (table.buffer, table.elements.iter().copied().map(Some).collect()));
        Ok(Memory {
            heap,
            arrays,
            group: FxHashMap::default(),
            tables: tables.collect(),
            marks: FxHashMap::default(),
            group_marks: FxHashMap::default(),
            claimed: FxHashMap::default(),
            who: Who { group: 0, item: 0, phase: 0 },
            fences_global: kernel.fences_global(),
            counts: Counts::default(),
        })
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
        self.group_marks.clear();
    }

    /// An array of one work-item without contents.
    pub(super) fn declare(&self, id: BufferId, private: &mut Private) {
        let len = self.arrays[id.0 as usize].extents.iter().product();
        private.insert(id, vec![None; len]);
    }

    /// The elements from an index on.
    pub(super) fn read<'m>(
        &'m mut self,
        id: BufferId,
        index: &[i128],
        count: usize,
        private: &'m mut Private,
    ) -> Outcome<&'m [Cell]> {
        let range = self.range(id, index, count)?;
        let who = self.who(id);
        let array = &self.arrays[id.0 as usize];
        self.counts.reads(array.place, array.bytes * count as u64);
        let mut marks = self.marks(id).map(|marks| marks[range.clone()].iter_mut());
        if let Some(other) = marks.as_mut().and_then(|marks| marks.find_map(|mark| mark.read(who))) {
            return Err(self.race(id, index, "read", other));
        }
        Ok(&self.cells(id, private)?[range])
    }

    /// Elements from an index on get values.
    pub(super) fn write(
        &mut self,
        id: BufferId,
        index: &[i128],
        values: &[Cell],
        private: &mut Private,
    ) -> Outcome<()> {
        let range = self.range(id, index, values.len())?;
        let who = self.who(id);
        let array = &self.arrays[id.0 as usize];
        self.counts.writes(array.place, array.bytes * values.len() as u64);
        let cells = &mut self.cells(id, private)?[range.clone()];
        let same: Vec<bool> = cells.iter().zip(values).map(|(old, new)| old == new).collect();
        cells.copy_from_slice(values);
        let marks = self.marks(id).map(|marks| marks[range].iter_mut().zip(same));
        let race = marks.and_then(|mut marks| marks.find_map(|(mark, same)| mark.written(who, same)));
        race.map_or(Ok(()), |other| Err(self.race(id, index, "written", other)))
    }

    /// An element is combined with a value, in one step.
    pub(super) fn combine(
        &mut self,
        id: BufferId,
        index: &[i128],
        combined: &dyn Fn(Cell) -> Outcome<Cell>,
        private: &mut Private,
    ) -> Outcome<()> {
        let at = self.range(id, index, 1)?.start;
        let who = self.who(id);
        let array = &self.arrays[id.0 as usize];
        self.counts.reads(array.place, array.bytes);
        self.counts.writes(array.place, array.bytes);
        let cell = &mut self.cells(id, private)?[at];
        *cell = combined(*cell)?;
        let race = self.marks(id).and_then(|marks| marks[at].combined(who));
        race.map_or(Ok(()), |other| Err(self.race(id, index, "combined", other)))
    }

    /// Who accesses an array. Barriers order nothing in arrays of the host, unless groups store there what their items share.
    fn who(&self, id: BufferId) -> Who {
        match self.arrays[id.0 as usize].place {
            Place::Heap(_) if !self.fences_global => Who { phase: 0, ..self.who },
            Place::Heap(_) | Place::Group(_) | Place::Table | Place::Private => self.who,
        }
    }

    fn race(&self, id: BufferId, index: &[i128], verb: &str, other: Who) -> String {
        let name = &self.arrays[id.0 as usize].name;
        format!("a race: `{name}` is {verb} at {index:?} by {:?}, and accessed by {other:?}", self.who(id))
    }

    /// So many elements from an index on.
    fn range(&self, id: BufferId, index: &[i128], count: usize) -> Outcome<Range<usize>> {
        let array = &self.arrays[id.0 as usize];
        let first = offset(index, array).filter(|first| first + count <= array.extents.iter().product());
        let outside = || format!("index {index:?} of `{}`, which is {:?}", array.name, array.extents);
        first.map(|first| first..first + count).ok_or_else(outside)
    }

    fn cells<'m>(&'m mut self, id: BufferId, private: &'m mut Private) -> Outcome<&'m mut Vec<Cell>> {
        let array = &self.arrays[id.0 as usize];
        match array.place {
            Place::Heap(at) => {
                self.heap.get_mut(at).ok_or_else(|| format!("`{}` was not passed", array.name))
            }
            Place::Group(own) => {
                let len = self.arrays[own.0 as usize].extents.iter().product();
                Ok(self.group.entry(own).or_insert_with(|| vec![None; len]))
            }
            Place::Table => Ok(self.tables.entry(id).or_default()),
            Place::Private => private.get_mut(&id).ok_or_else(|| format!("`{}` is not declared", array.name)),
        }
    }

    /// What was done to the elements of an array that several work-items may access.
    fn marks(&mut self, id: BufferId) -> Option<&mut Vec<Mark>> {
        match self.arrays[id.0 as usize].place {
            Place::Heap(at) => {
                let len = self.heap.get(at).map_or(0, Vec::len);
                Some(self.marks.entry(at).or_insert_with(|| vec![Mark::default(); len]))
            }
            Place::Group(own) => {
                let len = self.arrays[own.0 as usize].extents.iter().product();
                Some(self.group_marks.entry(own).or_insert_with(|| vec![Mark::default(); len]))
            }
            Place::Table | Place::Private => None,
        }
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
