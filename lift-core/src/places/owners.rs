//! What work-items keep for themselves is read by those who have it.
//!
//! A reduction to an array keeps it with the work-items that compute it: each has the elements of its own turns of
//! the parallel maps. So what comes next goes through the array with the same maps, and reads nothing else of it.

use std::collections::BTreeMap;

use crate::diag::Diagnostics;
use crate::ir::prim::Write;
use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Place, Prim};
use crate::places::error;
use crate::rewrite::flow::{self, Use};
use crate::rewrite::owners::{Owner, handed_over, owner, parallel};

/// Reports every read of an element that another work-item has, in a normalised expression.
pub(super) fn check(body: &Expr, diags: &mut Diagnostics) {
    Checker { known: BTreeMap::new(), diags }.stored(body);
}

/// What somebody has.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    /// Something that any work-item can read.
    Free,
    /// An array whose elements have owners.
    Owned(Owner),
    /// A tuple.
    Tuple(Vec<Part>),
    /// An array of tuples, as several arrays.
    Zip(Vec<Part>),
}

impl Part {
    fn owned(owner: Owner) -> Part {
        if owner.is_empty() { Part::Free } else { Part::Owned(owner) }
    }

    fn several(parts: Vec<Part>, make: fn(Vec<Part>) -> Part) -> Part {
        if parts.iter().all(|part| *part == Part::Free) { Part::Free } else { make(parts) }
    }
}

struct Checker<'d> {
    /// The variables that stand for what somebody has.
    known: BTreeMap<u32, Part>,
    diags: &'d mut Diagnostics,
}

impl Checker<'_> {
    /// An expression that is stored piece by piece.
    fn stored(&mut self, e: &Expr) {
        match (e.kind(), e.as_prim()) {
            (Kind::Let(param, value, body), _) => {
                let value = self.part(value);
                self.known.insert(param.id, value);
                self.stored(body);
            }
            (_, Some((prim, args))) if prim.is_map() => {
                let [.., Arg::Fun(f), Arg::Data(xs)] = args else { return };
                match prim {
                    // It may only say where elements go.
                    Prim::Map(Place::View) if is_stored(xs) => {
                        self.stored(xs);
                        self.bind(f, Part::Free);
                    }
                    _ => {
                        let element = self.element(xs, parallel(prim));
                        self.bind(f, element);
                    }
                }
                self.stored(&f.body);
            }
            (_, Some((prim, _))) if prim.is_loop_reduction() => {
                // Its owners store it.
                let stored = handed_over(e);
                if stored == *e { self.read(e) } else { self.stored(&stored) }
            }
            // A copy for each group, whoever reads it.
            (_, Some((Prim::Store(Memory::Global), _))) => self.read(e),
            _ => match flow::uses(e) {
                Some(uses) => {
                    for (x, part) in e.children().into_iter().zip(uses) {
                        if part == Use::Stored { self.stored(x) } else { self.read(x) }
                    }
                }
                None => self.read(e),
            },
        }
    }

    /// An expression that is read.
    fn read(&mut self, e: &Expr) {
        let part = self.part(e);
        if part != Part::Free {
            self.diags.push(error::owned(e.span()));
        }
    }

    /// Who has the value of an expression. What is read in it is checked.
    fn part(&mut self, e: &Expr) -> Part {
        match (e.kind(), e.as_prim()) {
            (Kind::Param(param), _) => self.known.get(&param.id).cloned().unwrap_or(Part::Free),
            (Kind::Let(param, value, body), _) => {
                let value = self.part(value);
                self.known.insert(param.id, value);
                self.part(body)
            }
            (Kind::Tuple(parts), _) => {
                Part::several(parts.iter().map(|x| self.part(x)).collect(), Part::Tuple)
            }
            (Kind::Field(x, i), _) => match self.part(x) {
                Part::Free => Part::Free,
                Part::Tuple(parts) => parts[*i].clone(),
                Part::Owned(_) | Part::Zip(_) => {
                    self.diags.push(error::owned(x.span()));
                    Part::Free
                }
            },
            (_, Some((Prim::Zip, args))) => {
                Part::several(args.iter().filter_map(Arg::data).map(|x| self.part(x)).collect(), Part::Zip)
            }
            (_, Some((Prim::Store(Memory::Local | Memory::Private | Memory::Temporary), [Arg::Data(x)]))) => {
                self.stored(x);
                Part::Free
            }
            (_, Some((prim, [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]))) if prim.is_loop_reduction() => {
                let Some(own) = owner(&f.body) else {
                    self.diags.push(error::unowned(e.span()));
                    return Part::Free;
                };
                let own = Part::owned(own);
                let start = self.part(z);
                if start != Part::Free && start != own {
                    self.diags.push(error::owned(z.span()));
                }
                let element = self.element(xs, None);
                if let [acc, x] = f.params.as_slice() {
                    self.known.insert(acc.id, own.clone());
                    self.known.insert(x.id, element);
                }
                if own == Part::Free {
                    self.read(&f.body)
                } else {
                    self.stored(&f.body)
                }
                own
            }
            (_, Some((prim, [.., Arg::Fun(f), Arg::Data(xs)]))) if prim.is_map() => {
                let element = self.element(xs, None);
                self.bind(f, element);
                self.read(&f.body);
                Part::Free
            }
            _ => {
                e.children().into_iter().for_each(|x| self.read(x));
                Part::Free
            }
        }
    }

    /// An element of an array that such a map goes through.
    fn element(&mut self, xs: &Expr, place: Option<Place>) -> Part {
        if let Some((Prim::Zip, args)) = xs.as_prim() {
            let parts = args.iter().filter_map(Arg::data).map(|x| self.element(x, place)).collect();
            return Part::several(parts, Part::Tuple);
        }
        if let Some((Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(ys)])) = xs.as_prim() {
            let element = self.element(ys, place);
            self.bind(f, element);
            return self.part(&f.body);
        }
        let part = self.part(xs);
        self.element_of(part, xs, place)
    }

    fn element_of(&mut self, part: Part, xs: &Expr, place: Option<Place>) -> Part {
        match part {
            Part::Free => Part::Free,
            Part::Owned(own) if own.first() == Some(&place) => Part::owned(own[1..].to_vec()),
            Part::Zip(parts) => {
                let parts = parts.into_iter().map(|part| self.element_of(part, xs, place)).collect();
                Part::several(parts, Part::Tuple)
            }
            Part::Owned(_) | Part::Tuple(_) => {
                self.diags.push(error::owned(xs.span()));
                Part::Free
            }
        }
    }

    fn bind(&mut self, f: &Lambda, part: Part) {
        f.params.iter().for_each(|param| {
            self.known.insert(param.id, part.clone());
        });
    }
}

/// Whether what a map without a place goes through is stored itself, and the map rearranges it.
fn is_stored(xs: &Expr) -> bool {
    match xs.as_prim() {
        Some((Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)])) => is_stored(xs) || is_stored(&f.body),
        Some((prim, _)) if prim.is_map() => true,
        Some((prim, args)) if matches!(prim.write(), Write::Moved | Write::Each) => {
            args.iter().filter_map(Arg::data).any(is_stored)
        }
        _ => false,
    }
}
