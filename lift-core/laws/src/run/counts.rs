//! What a launch does, in numbers.

use crate::run::memory::Place;

/// Operations and traffic of launches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Operations on values of the program, one for each lane; index arithmetic is not among them.
    pub operations: u64,
    /// Bytes that are read from arrays of the host and of groups in global memory.
    pub global_read: u64,
    /// Bytes that are written there.
    pub global_written: u64,
    /// Bytes that are read from local memory.
    pub local_read: u64,
    /// Bytes that are written there.
    pub local_written: u64,
    /// Barriers that groups come to.
    pub barriers: u64,
    /// Work-items.
    pub items: u64,
}

impl Counts {
    pub(super) fn reads(&mut self, place: Place, bytes: u64) {
        match place {
            Place::Heap(_) => self.global_read += bytes,
            Place::Group(_) => self.local_read += bytes,
            Place::Table | Place::Private => {}
        }
    }

    pub(super) fn writes(&mut self, place: Place, bytes: u64) {
        match place {
            Place::Heap(_) => self.global_written += bytes,
            Place::Group(_) => self.local_written += bytes,
            Place::Table | Place::Private => {}
        }
    }

    /// Those of both.
    pub fn and(self, other: Counts) -> Counts {
        Counts {
            operations: self.operations + other.operations,
            global_read: self.global_read + other.global_read,
            global_written: self.global_written + other.global_written,
            local_read: self.local_read + other.local_read,
            local_written: self.local_written + other.local_written,
            barriers: self.barriers + other.barriers,
            items: self.items + other.items,
        }
    }
}
