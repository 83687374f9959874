//! Which places may stand inside which.
//!
//! A violation is a bug of the compiler: `places` refuses what users write wrongly, and the rules keep it legal.

use crate::bug;
use crate::low::{Kernel, Kind, Memory, NodeId, Place};

/// Panics if the nesting of places is illegal. After this:
///
/// * every map with a place is on the way from the root to what is stored, or inside a `to_local`;
/// * `map_warp` stands inside `map_workgroup`, and `map_lane` inside it; both take the place of `map_local(0)`;
/// * `map_local` stands inside `map_workgroup` and never inside `map_global`; no dimension is used twice on
///   one path;
/// * `to_local` stands inside `map_workgroup` and outside `map_local`.
pub fn check(kernel: &Kernel) {
    Checker { kernel, path: Vec::new() }.node(kernel.root);
}

struct Checker<'a> {
    kernel: &'a Kernel,
    path: Vec<Place>,
}

impl Checker<'_> {
    fn node(&mut self, id: NodeId) {
        let kernel = self.kernel;
        let kind = kernel.kind(id);
        let (function, stored) = (kind.function().map(|f| f.body), self.stored(kind));
        for x in kind.operands().into_iter().chain(function) {
            if kernel.node(x).placed && !stored.contains(&x) {
                bug!("a map or scan with a place that is not stored: {:?}", kernel.kind(x));
            }
            match kind {
                Kind::Map { place, .. } if Some(x) == function => {
                    self.enter(*place);
                    self.node(x);
                    self.path.pop();
                }
                _ => self.node(x),
            }
        }
    }

    /// What is stored with a node, if that is, or by it.
    fn stored(&self, kind: &Kind) -> Vec<NodeId> {
        match kind {
            // The parts of one map may be the results.
            Kind::Let(_, value, body) if self.path.is_empty() && self.kernel.is_global_map(*value) => {
                vec![*value, *body]
            }
            Kind::Map { place: Place::View, xs, .. } if self.kernel.node(*xs).placed => vec![*xs],
            Kind::Store { memory, of, .. } => {
                self.group(*memory);
                vec![*of]
            }
            // The accumulator is stored piece by piece.
            Kind::Reduce { f, .. } => vec![f.body],
            // Computed element by element, and stored in the window.
            Kind::SlideSeq { of, .. } => match self.kernel.kind(*of) {
                Kind::Map { place: Place::Sequential, .. } => vec![*of],
                _ => Vec::new(),
            },
            kind => kind.stored_with(),
        }
    }

    fn group(&self, memory: Memory) {
        if memory == Memory::Private {
            return;
        }
        if !self.path.iter().any(|p| matches!(p, Place::Group(_))) {
            bug!("stored for a work-group that is not there");
        }
        if self.path.iter().any(|place| place.is_shared_by_group()) {
            bug!("stored for a work-group by a part of it");
        }
    }

    fn enter(&mut self, place: Place) {
        if let Some(why) = place.misplaced(&self.path) {
            bug!("a map in {place:?} inside {:?}: {why:?}", self.path);
        }
        self.path.push(place);
    }
}
