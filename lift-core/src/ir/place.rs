//! What primitives say of how: who computes the elements of a map, and which places may stand inside which; in which order elements are
//! combined; where a value is stored.

use std::fmt;

/// Who computes the elements of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Nobody decided: they are computed where they are read.
    View,
    /// A loop.
    Sequential,
    /// A loop that is written out, element by element.
    Unrolled,
    /// The lanes of vectors, all at once.
    Lanes,
    /// One work-item of this dimension each.
    Global(usize),
    /// One work-group of this dimension each.
    Group(usize),
    /// The work-items of a work-group share them in this dimension.
    Local(usize),
    /// The warps of a work-group share them.
    Warp,
    /// The work-items of a warp share them.
    Lane,
}

/// In which order elements are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// In any: the function is associative, with an identity.
    Any,
    /// From left to right, whatever the function.
    Left,
    /// The same in a loop, which stores as it goes.
    Sequential,
    /// The same, written out element by element.
    Unrolled,
}

/// Who reduces by key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ByKey {
    /// Nobody decided.
    Whole,
    /// One work-item, a range of the elements.
    Item,
    /// The work-items of a group in dimension 0, a range of the elements.
    Group,
}

/// Where a value is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Memory {
    /// In the registers of a work-item.
    Private,
    /// In local memory.
    Local,
    /// In a part of global memory that belongs to the group.
    Global,
    /// In global memory, for other launches.
    Temporary,
}

/// Why a parallel map may not stand inside others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misplaced {
    /// The same stands around it.
    Twice,
    /// What the work-items of a group share stands in no work-group.
    WithoutGroup,
    /// Lanes stand in no warp.
    WithoutWarp,
    /// The work-items of dimension 0 are shared twice, as warps and one by one.
    WarpsTaken,
    /// This one excludes it.
    Inside(Place),
}

impl fmt::Display for Place {
    /// A word for printed kernels, with a space after it; nothing for a view.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::View => Ok(()),
            Place::Sequential => write!(f, "seq "),
            Place::Unrolled => write!(f, "unrolled "),
            Place::Lanes => write!(f, "lanes "),
            Place::Global(d) => write!(f, "global {d} "),
            Place::Group(d) => write!(f, "group {d} "),
            Place::Local(d) => write!(f, "local {d} "),
            Place::Warp => write!(f, "warp "),
            Place::Lane => write!(f, "lane "),
        }
    }
}

impl Place {
    /// Whether it is a loop of one work-item.
    pub fn is_loop(self) -> bool {
        matches!(self, Place::Sequential | Place::Unrolled)
    }

    /// Whether work-items or groups share the elements, and no loop.
    pub fn is_parallel(self) -> bool {
        match self {
            Place::View | Place::Sequential | Place::Unrolled | Place::Lanes => false,
            Place::Global(_) | Place::Group(_) | Place::Local(_) | Place::Warp | Place::Lane => true,
        }
    }

    /// Whether the work-items of a group share the elements.
    pub fn is_shared_by_group(self) -> bool {
        matches!(self, Place::Local(_) | Place::Warp | Place::Lane)
    }

    /// The dimension that users write, if they do.
    pub fn dimension(self) -> Option<usize> {
        match self {
            Place::Global(d) | Place::Group(d) | Place::Local(d) => Some(d),
            Place::View | Place::Sequential | Place::Unrolled | Place::Lanes | Place::Warp | Place::Lane => {
                None
            }
        }
    }

    /// The same in another dimension, if it has one.
    #[must_use]
    pub fn with_dimension(self, d: usize) -> Place {
        match self {
            Place::Global(_) => Place::Global(d),
            Place::Group(_) => Place::Group(d),
            Place::Local(_) => Place::Local(d),
            Place::View | Place::Sequential | Place::Unrolled | Place::Lanes | Place::Warp | Place::Lane => {
                self
            }
        }
    }

    /// Why a map may not stand inside those of a path, if so.
    pub fn misplaced(self, path: &[Place]) -> Option<Misplaced> {
        let outer = |excluded: fn(&Place) -> bool| path.iter().copied().find(excluded).map(Misplaced::Inside);
        let group = path.iter().any(|place| matches!(place, Place::Group(_)));
        match self {
            _ if !self.is_parallel() => None,
            _ if path.contains(&self) => Some(Misplaced::Twice),
            Place::Local(_) | Place::Warp if !group => Some(Misplaced::WithoutGroup),
            Place::Lane if !path.contains(&Place::Warp) => Some(Misplaced::WithoutWarp),
            Place::Warp if path.contains(&Place::Local(0)) => Some(Misplaced::WarpsTaken),
            Place::Local(0) if path.contains(&Place::Warp) => Some(Misplaced::WarpsTaken),
            Place::Global(_) => outer(|place| matches!(place, Place::Group(_)) || place.is_shared_by_group()),
            Place::Group(_) => outer(|place| matches!(place, Place::Global(_)) || place.is_shared_by_group()),
            Place::View
            | Place::Sequential
            | Place::Unrolled
            | Place::Lanes
            | Place::Local(_)
            | Place::Warp
            | Place::Lane => None,
        }
    }
}
