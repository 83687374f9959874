//! Accesses of different work-items that nothing orders.
//!
//! The items of a group are ordered by barriers, those of different groups by nothing. Two accesses to an element, one of which writes,
//! are a race unless they are ordered, or the writes leave the same value.

/// Who accesses: a work-item, its group, and how many barriers its group has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) group: u32,
    pub(super) item: u32,
    pub(super) phase: u32,
}

impl Who {
    /// Whether nothing says which of the two comes first.
    fn races(self, other: Who) -> bool {
        self.group != other.group || self.phase == other.phase && self.item != other.item
    }
}

/// What was done to an element so far, as far as it may race with what comes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark {
    written: Option<Who>,
    read: Option<Who>,
    /// Another reader that the first would not race with: of another group, or of another item in the same phase.
    also: Option<Who>,
    /// Who has combined it with something, in one step: these do not race with each other. Two of them, as of readers.
    combined: [Option<Who>; 2],
}

impl Mark {
    /// The element is read; the result is a write that this races with.
    pub(super) fn read(&mut self, who: Who) -> Option<Who> {
        match self.read {
            Some(first) if first.races(who) => self.also = Some(who),
            _ => self.read = Some(who),
        }
        let writers = [self.written].into_iter().chain(self.combined).flatten();
        writers.into_iter().find(|writer| writer.races(who))
    }

    /// The element is combined with something; the result is an access that this races with.
    pub(super) fn combined(&mut self, who: Who) -> Option<Who> {
        match self.combined {
            [Some(first), _] if first.races(who) => self.combined[1] = Some(who),
            _ => self.combined[0] = Some(who),
        }
        let others = [self.written, self.read, self.also].into_iter().flatten();
        others.into_iter().find(|other| other.races(who))
    }

    /// The element is written, with what is there already or something else; the result is an access that this races with.
    pub(super) fn written(&mut self, who: Who, same: bool) -> Option<Who> {
        let writer = self.written.replace(who).filter(|writer| !same && writer.races(who));
        let others = [self.read, self.also].into_iter().chain(self.combined).flatten();
        writer.or_else(|| others.into_iter().find(|other| !same && other.races(who)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn who(group: u32, item: u32, phase: u32) -> Who {
        Who { group, item, phase }
    }

    #[test]
    fn barriers_order_the_items_of_a_group() {
        let mut mark = Mark::default();
        assert_eq!(mark.written(who(0, 0, 0), false), None);
        assert_eq!(mark.read(who(0, 0, 0)), None);
        assert_eq!(mark.read(who(0, 1, 0)), Some(who(0, 0, 0)));
        assert_eq!(mark.read(who(0, 1, 1)), None);
        assert_eq!(mark.written(who(0, 0, 1), false), Some(who(0, 1, 1)));
        assert_eq!(mark.written(who(0, 0, 2), false), None);
    }

    #[test]
    fn what_is_combined_in_one_step_comes_in_any_order() {
        let mut mark = Mark::default();
        assert_eq!(mark.written(who(0, 0, 0), false), None);
        assert_eq!(mark.combined(who(0, 1, 0)), Some(who(0, 0, 0)));
        let mut mark = Mark::default();
        assert_eq!(mark.written(who(0, 0, 0), false), None);
        assert_eq!(mark.combined(who(0, 1, 1)), None);
        assert_eq!(mark.combined(who(0, 2, 1)), None);
        // Whoever combined last is not alone.
        assert_eq!(mark.read(who(0, 2, 1)), Some(who(0, 1, 1)));
        assert_eq!(mark.read(who(0, 3, 2)), None);
    }

    #[test]
    fn nothing_orders_groups() {
        let mut mark = Mark::default();
        assert_eq!(mark.read(who(0, 0, 0)), None);
        assert_eq!(mark.written(who(1, 0, 1), false), Some(who(0, 0, 0)));
        assert_eq!(mark.read(who(2, 3, 0)), Some(who(1, 0, 1)));
    }

    #[test]
    fn the_same_value_may_be_written_by_several() {
        let mut mark = Mark::default();
        assert_eq!(mark.written(who(0, 0, 0), false), None);
        assert_eq!(mark.written(who(0, 1, 0), true), None);
        assert_eq!(mark.written(who(0, 2, 0), false), Some(who(0, 1, 0)));
    }

    #[test]
    fn a_reader_of_before_does_not_hide_one_of_now() {
        let mut mark = Mark::default();
        assert_eq!(mark.read(who(0, 0, 0)), None);
        assert_eq!(mark.read(who(0, 1, 0)), None);
        assert_eq!(mark.written(who(0, 0, 0), false), Some(who(0, 1, 0)));
    }
}
