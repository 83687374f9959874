//! A part of a launch, as its function sees it.

use std::sync::atomic::AtomicU32;

use super::columns::Pieces;
use super::element::{Cells, fits, typed, typed_mut};
use super::{Argument, Claims, Columns, Element, Isa, Shared, Status, Value};
use crate::spec::ScalarType;

/// What all parts of a launch have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) isa: Isa,
    pub(super) sizes: &'a [i64],
    pub(super) tunables: &'a [i64],
}

/// A range of the work-items of a launch, with all that they may read and write. Each argument is handed out for as long as
/// the launch lives; one that is written, once.
#[derive(Debug)]
pub struct Part<'a> {
    shape: Shape<'a>,
    items: (usize, usize),
    given: &'a mut [Given<'a>],
}

/// An argument of a part.
#[derive(Debug)]
pub(super) enum Given<'a> {
    Scalar([u8; 8], ScalarType),
    Read(&'a [u8], ScalarType),
    Own(Own<'a>),
    Columns(Pieces<'a>),
    Shared(Cells<'a>, ScalarType),
    Status(Status<'a>),
    Claims(Option<Claims<'a>>),
    /// It was handed out.
    Gone,
}

/// The elements of the work-items of a part.
#[derive(Debug)]
pub(super) struct Own<'a> {
    bytes: &'a mut [u8],
    elem: ScalarType,
    /// Elements of one work-item.
    each: usize,
    /// The index of the first element.
    start: usize,
}

impl<'a> Given<'a> {
    /// The argument of a part with all work-items. Nothing if it is not what it says.
    pub(super) fn new(argument: Argument<'a>) -> Option<Given<'a>> {
        Some(match argument {
            Argument::Scalar(bytes, elem) => Given::Scalar(bytes, elem),
            Argument::Read(bytes, elem) => {
                whole(bytes, elem)?;
                Given::Read(bytes, elem)
            }
            Argument::Own(bytes, elem, each) => {
                whole(bytes, elem)?;
                Given::Own(Own { bytes, elem, each, start: 0 })
            }
            Argument::Columns(bytes, elem, each, width) => {
                whole(bytes, elem)?;
                Given::Columns(Pieces::new(bytes, elem, each, width))
            }
            Argument::Shared(bytes, elem) => Given::Shared(Cells::new(bytes, elem)?, elem),
            Argument::Status(bytes) => Given::Status(Status::new(words(bytes)?.first_chunk()?)),
            Argument::Claims(None) => Given::Claims(None),
            Argument::Claims(Some(bytes)) => Given::Claims(Some(Claims::new(words(bytes)?))),
        })
    }

    /// Takes away what the first `items` work-items have of it, or all that is left.
    pub(super) fn take(&mut self, items: Option<usize>) -> Given<'a> {
        match self {
            Given::Scalar(bytes, elem) => Given::Scalar(*bytes, *elem),
            Given::Read(bytes, elem) => Given::Read(bytes, *elem),
            Given::Own(own) => Given::Own(own.take(items)),
            Given::Columns(columns) => Given::Columns(columns.take(items)),
            Given::Shared(cells, elem) => Given::Shared(*cells, *elem),
            Given::Status(status) => Given::Status(*status),
            Given::Claims(claims) => Given::Claims(*claims),
            Given::Gone => Given::Gone,
        }
    }

    fn name(&self) -> String {
        match self {
            Given::Scalar(_, elem) => format!("a scalar of type {}", elem.name()),
            Given::Read(_, elem) => format!("an array of {} that is read", elem.name()),
            Given::Own(Own { elem, .. }) => format!("an array of {} that is cut into parts", elem.name()),
            Given::Columns(columns) => {
                format!("an array of {} whose columns are cut into parts", columns.elem().name())
            }
            Given::Shared(_, elem) => format!("an array of {} that is shared", elem.name()),
            Given::Status(_) => "the status".into(),
            Given::Claims(_) => "claims".into(),
            Given::Gone => "one that it has already".into(),
        }
    }
}

impl<'a> Own<'a> {
    /// An array may end before its work-items do.
    fn take(&mut self, items: Option<usize>) -> Own<'a> {
        let (width, all) = (self.elem.size(), self.bytes.len() / self.elem.size());
        let elements = items.map_or(all, |items| items.saturating_mul(self.each).min(all));
        let (first, rest) = std::mem::take(&mut self.bytes).split_at_mut(elements * width);
        let start = self.start;
        self.bytes = rest;
        self.start += elements;
        Own { bytes: first, elem: self.elem, each: self.each, start }
    }
}

/// Checks that these are the bytes of whole elements, and lie as these must.
fn whole(bytes: &[u8], elem: ScalarType) -> Option<()> {
    let width = elem.size();
    // Nothing lies anywhere.
    let lies = bytes.is_empty() || bytes.as_ptr().addr().is_multiple_of(width);
    (lies && bytes.len().is_multiple_of(width)).then_some(())
}

fn words(bytes: &mut [u8]) -> Option<&[AtomicU32]> {
    typed_mut(bytes).map(|words| &*words)
}

impl<'a> Part<'a> {
    pub(super) fn new(shape: Shape<'a>, items: (usize, usize), given: &'a mut [Given<'a>]) -> Part<'a> {
        Part { shape, items, given }
    }

    pub(super) fn isa(&self) -> Isa {
        self.shape.isa
    }

    /// The first of the work-items, and the one after the last.
    #[inline]
    #[must_use]
    pub fn items(&self) -> (isize, isize) {
        (self.items.0 as isize, self.items.1 as isize)
    }

    /// The size of the kernel at this position.
    #[inline]
    #[must_use]
    pub fn size(&self, position: usize) -> isize {
        self.shape.sizes[position] as isize
    }

    /// The tunable of the version at this position.
    #[inline]
    #[must_use]
    pub fn tunable(&self, position: usize) -> isize {
        self.shape.tunables[position] as isize
    }

    /// The scalar at this position of the arguments.
    #[must_use]
    pub fn scalar<T: Value>(&self, position: usize) -> T {
        match &self.given[position] {
            Given::Scalar(bytes, elem) if fits::<T>(*elem) => T::first(*bytes),
            other => mistaken(position, other, "a scalar", T::TYPE.name()),
        }
    }

    /// The array at this position, to be read.
    #[must_use]
    pub fn read<T: Element>(&self, position: usize) -> &'a [T] {
        let given = &self.given[position];
        let elements = match given {
            Given::Read(bytes, elem) if fits::<T>(*elem) => typed(bytes),
            _ => None,
        };
        elements.unwrap_or_else(|| mistaken(position, given, "an array to read", T::TYPE.name()))
    }

    /// The elements of these work-items, of the array at this position, and the index of the first of them in the whole
    /// array.
    #[must_use]
    pub fn own<T: Element>(&mut self, position: usize) -> (&'a mut [T], isize) {
        match std::mem::replace(&mut self.given[position], Given::Gone) {
            Given::Own(Own { bytes, elem, start, .. }) if fits::<T>(elem) => {
                // It was checked for its width, which this type has.
                (typed_mut(bytes).unwrap_or_default(), start as isize)
            }
            other => mistaken(position, &other, "an array in parts", T::TYPE.name()),
        }
    }

    /// The columns of these work-items, of the array at this position.
    #[must_use]
    pub fn columns<T: Element>(&mut self, position: usize) -> Columns<'a, T> {
        match std::mem::replace(&mut self.given[position], Given::Gone) {
            Given::Columns(columns) => columns.typed().map_err(Given::Columns),
            other => Err(other),
        }
        .unwrap_or_else(|given| mistaken(position, &given, "columns of an array", T::TYPE.name()))
    }

    /// The array at this position, of which all work-items write any element.
    #[must_use]
    pub fn shared<T: Element>(&self, position: usize) -> Shared<'a, T> {
        let given = &self.given[position];
        let cells = match given {
            Given::Shared(cells, elem) if fits::<T>(*elem) => T::cells(*cells),
            _ => None,
        };
        Shared::new(cells.unwrap_or_else(|| mistaken(position, given, "a shared array", T::TYPE.name())))
    }

    /// The status, which is at this position.
    #[must_use]
    pub fn status(&self, position: usize) -> Status<'a> {
        match &self.given[position] {
            Given::Status(status) => *status,
            other => mistaken(position, other, "the status", ""),
        }
    }

    /// The claims at this position; nothing where duplicates are not looked for.
    #[must_use]
    pub fn claims(&self, position: usize) -> Option<Claims<'a>> {
        match &self.given[position] {
            Given::Claims(claims) => *claims,
            other => mistaken(position, other, "claims", ""),
        }
    }
}

/// The function asks for something else than it was launched with.
#[cold]
#[inline(never)]
fn mistaken(position: usize, given: &Given<'_>, wanted: &str, elem: &str) -> ! {
    let of = if elem.is_empty() { "" } else { " of " };
    panic!("argument {position} is {}, but the function wants {wanted}{of}{elem}", given.name())
}
