//! Who of a group does what: the numbers of work-items, warps and groups, and the turns they take.

use crate::arith::{ArithExpr, Truth, Var};
use crate::bug;
use crate::imp::ast::{Expr, IndexValue, Stmt, Unroll, WorkItem};
use crate::imp::emit::Emitter;
use crate::ir::build::fresh_id;
use crate::ir::prim::WARP;
use crate::low::{Geometry, Place};
use crate::view::Cond;

impl Emitter<'_> {
    /// The number of this item, or of its warp, among those that share the elements of a map, and how many these are.
    pub(super) fn share(&mut self, place: Place) -> (ArithExpr, ArithExpr) {
        let warp = ArithExpr::cst(WARP);
        let (number, items, name) = match place {
            Place::Local(d) => return (self.local_id(d), self.group_shape()[d].clone()),
            Place::Warp => (self.local_id(0).div(&warp), self.group_shape()[0].div(&warp), "warp"),
            Place::Lane => (self.local_id(0).modulo(&warp), warp, "lane"),
            Place::View
            | Place::Sequential
            | Place::Unrolled
            | Place::Lanes
            | Place::Global(_)
            | Place::Group(_) => bug!("{place:?} is not shared by a group"),
        };
        let (number, items) = (self.facts.simplify(&number), self.facts.simplify(&items));
        if number.as_const().is_some() || number.as_var().is_some() {
            return (number, items);
        }
        let number = self.named(&number, || name.to_string());
        if let Some(var) = number.as_var() {
            self.known(var, &items);
        }
        (number, items)
    }

    /// The same for a dimension in which no map says which item of the group, or of the warp, is to do something.
    pub(super) fn share_of_free(&mut self, d: usize) -> (ArithExpr, ArithExpr) {
        let place = if d == 0 && self.in_warp { Place::Lane } else { Place::Local(d) };
        self.share(place)
    }

    /// The elements that so many items share, of which this one has a number: one each if there are as many, otherwise
    /// in turns.
    pub(super) fn in_turns(
        &mut self,
        (id, items): &(ArithExpr, ArithExpr),
        var: &Var,
        len: &ArithExpr,
        f: &mut dyn FnMut(&mut Self, &ArithExpr),
    ) {
        if self.facts.eq(len, items) == Truth::Yes {
            f(self, id);
        } else if self.facts.le(len, items) == Truth::Yes {
            let some = Cond::Less(id.clone(), len.clone());
            let ((), body) = self.arm(&[some.margin()], |e| f(e, id));
            self.push(Stmt::If(Expr::Cond(some), body, Vec::new()));
        } else {
            self.declare(var, len, self.blocks.len());
            let body = self.block(|e| f(e, &ArithExpr::var(var)));
            self.push(Stmt::For {
                var: var.clone(),
                start: id.clone(),
                bound: len.clone(),
                step: items.clone(),
                unroll: Unroll::No,
                body,
            });
        }
    }

    /// The number of this item's group among all.
    pub(super) fn group_number(&mut self) -> ArithExpr {
        let Geometry::Groups { groups, .. } = &self.low.geometry else { bug!("no groups") };
        let (mut number, mut before) = (ArithExpr::zero(), ArithExpr::one());
        for (d, count) in groups.iter().enumerate() {
            if self.facts.eq(count, &ArithExpr::one()) == Truth::Yes {
                continue;
            }
            let id = match self.groups.get(&d) {
                Some(id) => id.clone(),
                None => {
                    let id = Var::new(fresh_id(), ["gx", "gy", "gz"][d]);
                    self.declare(&id, count, 0);
                    self.blocks[0].stmts.push(Stmt::Index(id.clone(), IndexValue::Id(WorkItem::Group, d)));
                    self.groups.insert(d, id.clone());
                    id
                }
            };
            number = number + ArithExpr::var(&id) * &before;
            before = before * count;
        }
        number
    }

    /// The local id in a dimension. All of them are declared at the top.
    pub(super) fn local_id(&mut self, d: usize) -> ArithExpr {
        if !self.local_ids {
            self.local_ids = true;
            for (d, id) in self.low.local_ids.iter().enumerate().rev() {
                self.home.insert(id.clone(), 0);
                self.blocks[0].stmts.push(Stmt::Index(id.clone(), IndexValue::Id(WorkItem::Local, d)));
            }
        }
        ArithExpr::var(&self.low.local_ids[d])
    }
}
