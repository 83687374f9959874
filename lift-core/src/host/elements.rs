//! Elements of arrays as text, however the array is reached.

use crate::arith::ArithExpr;
use crate::host::print::{Array, Printer};
use crate::memory::BufferId;

impl Printer<'_> {
    /// An element that is read.
    pub(super) fn element(&mut self, id: BufferId, index: &[ArithExpr]) -> String {
        if let Some(place) = self.stretch(id, index) {
            return place;
        }
        if let Some(text) = self.texts.element(id, index) {
            return text;
        }
        match self.reached(id) {
            Some(Array::Shared) => {
                let (name, index) = (self.array(id), self.index(&index[0]));
                format!("{name}.get({index})")
            }
            Some(Array::Columns) => {
                let (name, place) = (self.array(id), self.column(id, &index[0]));
                format!("{name}.get({place})")
            }
            _ => self.place_of(id, index),
        }
    }

    /// The row and the column of an element of which a work-item has columns.
    pub(super) fn column(&mut self, id: BufferId, index: &ArithExpr) -> String {
        let Some((_, width)) = self.widths.iter().find(|(own, _)| *own == id) else {
            crate::bug!("an array without columns")
        };
        let index = self.definitions.resolve(index);
        let (row, column) = (index.div(width), index.modulo(width));
        let [row, column] = [row, column].map(|e| self.facts.simplify(&e));
        format!("{}, {}", self.index(&row), self.index(&column))
    }

    /// The element of a stretch that belongs to the trip.
    pub(super) fn stretch(&mut self, id: BufferId, index: &[ArithExpr]) -> Option<String> {
        let row = self.row.as_ref()?;
        row.stretches.iter().find_map(|(stretch, name)| {
            let offset = stretch.offset(id, index, &row.var)?;
            let trip = if stretch.step < 0 { format!("({} - 1 - trip)", row.count) } else { "trip".into() };
            Some(match stretch.step.abs() {
                1 => format!("{name}[{trip}]"),
                _ if row.in_chunks && stretch.is_whole() => format!("{name}[{trip}][{offset}]"),
                step => format!("{name}[{step} * {trip} + {offset}]"),
            })
        })
    }

    /// An element as a place.
    pub(super) fn place_of(&mut self, id: BufferId, index: &[ArithExpr]) -> String {
        let name = self.array(id);
        match self.reached(id) {
            Some(Array::Own) => {
                let index = self.index(&index[0]);
                format!("{name}[({index} - {name}_first) as usize]")
            }
            _ => {
                let index: String = index.iter().map(|e| format!("[{}]", self.place(e))).collect();
                format!("{name}{index}")
            }
        }
    }
}
