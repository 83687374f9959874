//! Which places may stand inside which.
//!
//! A violation is a bug of the compiler: `places` refuses what users write wrongly, and the rules keep it legal.

use crate::bug;
use crate::ir::prim::Write;
use crate::low::{Kernel, Kind, NodeId, Place};

/// Panics if the nesting of places is illegal. After this:
///
/// * every map with a place is on the way from the root to what is stored, or inside a `to_local`;
/// * `map_warp` stands inside `map_workgroup`, and `map_lane` inside it; both take the place of `map_local(0)`;
/// * `map_local` stands inside `map_workgroup` and never inside `map_global`; no dimension is used twice on
///   one path;
/// * `to_local` stands inside `map_workgroup` and outside `map_local`.
pub fn check(kernel: &Kernel) {
    Checker { kernel, path: Vec::new() }.stored(kernel.root);
}

struct Checker<'a> {
    kernel: &'a Kernel,
    path: Vec<Place>,
}

impl Checker<'_> {
    /// A node whose result is stored.
    fn stored(&mut self, id: NodeId) {
        match self.kernel.kind(id) {
            // The parts of one map may be the results.
            Kind::Let(_, value, body) if self.path.is_empty() && self.kernel.is_global_map(*value) => {
                self.stored(*value);
                self.stored(*body);
            }
            Kind::Let(_, value, body) => {
                self.read(*value);
                self.stored(*body);
            }
            Kind::If(c, a, b) => {
                self.read(*c);
                self.stored(*a);
                self.stored(*b);
            }
            Kind::Tuple(parts) => parts.iter().for_each(|x| self.stored(*x)),
            Kind::Layout(layout, xs) if layout.write() != Write::Not => {
                let function = layout.function().map(|f| f.body);
                layout.operand().into_iter().chain(function).for_each(|x| self.read(x));
                xs.iter().for_each(|x| self.stored(*x));
            }
            Kind::Map { place: Place::View, f, xs, .. } if self.kernel.node(*xs).placed => {
                self.read(f.body);
                self.stored(*xs);
            }
            Kind::Map { place, f, xs, .. } => {
                self.read(*xs);
                self.enter(*place);
                self.stored(f.body);
                self.path.pop();
            }
            Kind::Scan { f, init, xs, .. } => {
                self.read(*init);
                self.read(*xs);
                self.read(f.body);
            }
            Kind::Param(_)
            | Kind::Literal(_)
            | Kind::Size(_)
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Math(..)
            | Kind::Cast(..)
            | Kind::Field(..)
            | Kind::ArrayLiteral(_)
            | Kind::Reduce { .. }
            | Kind::Iterate { .. }
            | Kind::Layout(..)
            | Kind::Generate(_)
            | Kind::At(..)
            | Kind::SlideSeq { .. }
            | Kind::ToShared { .. }
            | Kind::ToPrivate { .. } => self.read(id),
        }
    }

    /// A node whose elements are read.
    fn read(&mut self, id: NodeId) {
        match self.kernel.kind(id) {
            Kind::ToShared { of, .. } => {
                if !self.path.iter().any(|p| matches!(p, Place::Group(_))) {
                    bug!("stored for a work-group that is not there");
                }
                if self.path.iter().any(|place| place.is_shared_by_group()) {
                    bug!("stored for a work-group by a part of it");
                }
                self.stored(*of);
            }
            Kind::ToPrivate { of, .. } => self.stored(*of),
            // Computed element by element, and stored in the window.
            Kind::SlideSeq { of, .. } => match self.kernel.kind(*of) {
                Kind::Map { place: Place::Sequential, f, xs, .. } => {
                    self.read(*xs);
                    self.window(f.body);
                }
                _ => self.read(*of),
            },
            Kind::Reduce { f, init, xs, .. } if self.kernel.node(f.body).placed => {
                self.read(*init);
                self.read(*xs);
                self.stored(f.body);
            }
            Kind::Map { place, .. } | Kind::Scan { place, .. } if *place != Place::View => {
                bug!("a map or scan in {place:?} that is not stored")
            }
            kind => {
                kind.operands().into_iter().for_each(|x| self.read(x));
                if let Some(f) = kind.function() {
                    self.read(f.body);
                }
            }
        }
    }

    /// What is stored in a window, each part where it says.
    fn window(&mut self, id: NodeId) {
        match self.kernel.kind(id) {
            Kind::Let(_, value, body) => {
                self.read(*value);
                self.window(*body);
            }
            Kind::Tuple(parts) => parts.iter().for_each(|x| self.window(*x)),
            Kind::ToShared { .. } => self.read(id),
            _ => self.stored(id),
        }
    }

    fn enter(&mut self, place: Place) {
        if let Some(why) = place.misplaced(&self.path) {
            bug!("a map in {place:?} inside {:?}: {why:?}", self.path);
        }
        self.path.push(place);
    }
}
