//! Indices that are data: is it proved that they are in range, or must the kernel check?

use crate::arith::ArithExpr;
use crate::arith::Var;
use crate::bug;
use crate::imp::ast::{Claim, Expr, IndexValue, Param, Stmt};
use crate::imp::emit::{Closure, Emitter, Value, View};
use crate::ir::build::fresh_id;
use crate::ir::prim::Write;
use crate::ir::{BinaryOp, ByKey, Literal, MathFn, Prim, Scalar};
use crate::low::{Kind, NodeId};
use crate::memory::{BufferId, Space};
use crate::program::schedule::Site;
use crate::view::write::WriteView;
use crate::view::{Cond, Gathered, read};

/// Where the elements of an array go that are scattered.
pub(super) enum Scattered {
    /// Element `i` to the index that the function makes of `i` and of this length.
    By(Closure, ArithExpr),
    /// Element `i` to the index that is element `i` of an array, if it is below a length.
    To(Targets),
}

/// An operation whose indices are checked, as far as they come from the same array.
pub(super) struct Place {
    node: NodeId,
    /// The array of the host whose elements are the indices.
    pub(super) source: Option<BufferId>,
    pub(super) site: Site,
}

/// Indices from an array to which elements are scattered.
#[derive(Clone)]
pub(super) struct Targets {
    /// The operation.
    pub(super) node: NodeId,
    /// The indices.
    pub(super) idx: View,
    /// How many.
    pub(super) count: ArithExpr,
    /// The length of the array that is indexed.
    pub(super) len: ArithExpr,
    /// Whether this is the result, and not an element of it or something that is kept.
    pub(super) is_whole: bool,
}

impl Emitter<'_> {
    /// The place of element `i` of what goes to `to`.
    pub(super) fn accept(&mut self, to: &WriteView, i: &ArithExpr) -> WriteView {
        let (low, facts) = (self.low, self.facts.clone());
        to.index(i, low, &facts, &mut |number, i| self.target(number, i))
    }

    /// The index to which element `i` is scattered, and what must hold for it to be wanted. An index that is out
    /// of range is reported, and nothing is written.
    fn target(&mut self, number: usize, i: &ArithExpr) -> (ArithExpr, Vec<Cond>) {
        match &self.scattered[number] {
            Scattered::By(p, len) => {
                let (p, len) = (p.clone(), len.clone());
                // What is computed too much is not stored, but its index is there before that is known.
                let i = match self.facts.lt(i, &len).is_yes() {
                    true => i.clone(),
                    false => ArithExpr::min(i, &(&len - 1)),
                };
                (self.permuted(&p, &len, &i), Vec::new())
            }
            Scattered::To(targets) => {
                let targets = targets.clone();
                let len = targets.len.clone();
                let (value, k, guards) = self.wanted(targets.node, &targets.idx, i, &len);
                self.claim(&targets, &value, i, &k, &guards);
                (k, guards)
            }
        }
    }

    /// The index that is element `i` of an array, also as an index below `len`, and what must hold for it to be one: otherwise it is reported.
    pub(super) fn wanted(
        &mut self,
        node: NodeId,
        idx: &View,
        i: &ArithExpr,
        len: &ArithExpr,
    ) -> (Expr, ArithExpr, Vec<Cond>) {
        let Value::Scalar(value) = self.element(idx, i) else { bug!("an index that is none") };
        if self.is_not_negative(&value) && self.is_below(&value, len) {
            let k = self.as_index(value.clone(), len, "k");
            return (value, k, Vec::new());
        }
        let k = self.checked(node, value.clone(), (len, i), len.clone());
        (value, k.clone(), vec![Cond::Less(k, len.clone())])
    }

    /// Claims element `k` for what is at position `i`. Elements of elements are not claimed: each work-item would need
    /// claims of its own.
    fn claim(&mut self, targets: &Targets, value: &Expr, i: &ArithExpr, k: &ArithExpr, guards: &[Cond]) {
        if !targets.is_whole {
            return;
        }
        let i = self.facts.simplify(i);
        let inside =
            vec![Cond::AtLeast(i.clone(), ArithExpr::zero()), Cond::Less(i.clone(), targets.count.clone())];
        let guards = [read::unproved(inside, &self.facts), guards.to_vec()].concat();
        let (site, position) = self.site(targets.node, value, i);
        self.sites[site].site.distinct = true;
        self.push(Stmt::Claim(Claim { site, index: k.clone(), position, guards }));
    }

    /// The parameters for what the kernel records: the status is for duplicates alone if no index is checked.
    pub(super) fn records(&self) -> Vec<Param> {
        let sites = self.sites.iter().enumerate();
        let claims: Vec<Param> =
            sites.filter(|(_, place)| place.site.distinct).map(|(i, _)| Param::Claims(i)).collect();
        let status = if self.sites.is_empty() { Vec::new() } else { vec![Param::Status] };
        if self.in_range { [claims, status].concat() } else { [status, claims].concat() }
    }

    /// The index that a function makes of `i` and of the length.
    pub(super) fn permuted(&mut self, p: &Closure, len: &ArithExpr, i: &ArithExpr) -> ArithExpr {
        let args = [i, len].map(|e| Value::Scalar(Expr::Index(e.clone())));
        let Value::Scalar(k) = self.apply(p, args.to_vec()) else { bug!("an index that is none") };
        self.as_index(k, len, "k")
    }

    /// The index of element `i` of what is gathered. Where it is not proved to be in range, the kernel checks:
    /// an index that is out of range is reported and becomes 0.
    pub(super) fn gathered(&mut self, gathered: &Gathered<Expr>, i: &ArithExpr) -> ArithExpr {
        let Value::Scalar(value) = self.element(&gathered.idx, i) else { bug!("an index that is none") };
        let len = &gathered.len;
        if self.is_not_negative(&value) && self.is_below(&value, len) {
            return self.as_index(value, len, "k");
        }
        self.checked(gathered.node, value, (len, i), ArithExpr::zero())
    }

    /// A value as the index of an array of `len` elements, or `otherwise`, if it is none.
    fn checked(
        &mut self,
        node: NodeId,
        value: Expr,
        (len, i): (&ArithExpr, &ArithExpr),
        otherwise: ArithExpr,
    ) -> ArithExpr {
        let constant = self.is_constant(&value);
        let again = |(e, n, var): &&(Expr, ArithExpr, Var)| {
            *e == value && n == len && self.facts.lt(&ArithExpr::var(var), len).is_yes()
        };
        if let Some((.., var)) = self.blocks.iter().flat_map(|b| &b.checked).find(again)
            && constant
        {
            return ArithExpr::var(var);
        }
        let (site, position) = self.site(node, &value, self.facts.simplify(i));
        self.in_range = false;
        let var = Var::new(fresh_id(), "k");
        let most = if otherwise == *len { len + 1 } else { len.clone() };
        self.declare(&var, &most, self.depth());
        if let Some(block) = self.blocks.last_mut() {
            block.checked.push((value.clone(), len.clone(), var.clone()));
        }
        let value = IndexValue::Checked { site, value, len: len.clone(), position, otherwise };
        self.push(Stmt::Index(var.clone(), value));
        ArithExpr::var(&var)
    }

    /// Whether the same expression is the same value later: what it reads is not written by the kernel.
    fn is_constant(&self, e: &Expr) -> bool {
        let space = |id: &BufferId| self.buffers[id.0 as usize].space;
        !e.any(&|e| match e {
            Expr::Load(id, ..) => !matches!(space(id), Space::Input | Space::Constant),
            Expr::Local(local) => !self.definitions.contains_key(&local.id),
            _ => false,
        })
    }

    /// The position of an operation among those whose indices are checked, and that of the index which is this value: in
    /// the array of the host, if it is an element of one, or else `i`.
    fn site(&mut self, node: NodeId, value: &Expr, i: ArithExpr) -> (usize, ArithExpr) {
        let element = self.element_of_host(value);
        let (source, position) = element.map_or((None, i), |(source, index)| (Some(source), index));
        let is_own = |place: &Place| place.node == node && place.source == source;
        if let Some(known) = self.sites.iter().position(is_own) {
            return (known, position);
        }
        let (operation, span, len) = match self.low.kind(node) {
            Kind::Layout(layout, xs) => {
                let indexed = if layout.write() == Write::Scattered { node } else { xs[0] };
                (layout.prim.name(), layout.span, self.low.ty(indexed).length())
            }
            Kind::ByKey(by_key) => {
                let name = Prim::ReduceByKey(ByKey::Whole).name();
                (name, by_key.span, self.low.bins(node))
            }
            kind => bug!("no indices are checked in {kind:?}"),
        };
        let site = Site { operation, span, written: String::new(), source: None, len, distinct: false };
        self.sites.push(Place { node, source, site });
        (self.sites.len() - 1, position)
    }

    /// The array of the host of which a value is an element, and its index there.
    fn element_of_host(&self, e: &Expr) -> Option<(BufferId, ArithExpr)> {
        match e {
            Expr::Load(id, _, index) => match index.as_slice() {
                [index] if self.buffers[id.0 as usize].space == Space::Input => Some((*id, index.clone())),
                _ => None,
            },
            Expr::Local(local) => self.element_of_host(self.definitions.get(&local.id)?),
            // It is shown as a number of 64 bits.
            Expr::Cast(Scalar::I64 | Scalar::U64 | Scalar::Usize, x) if x.scalar().is_integer() => {
                self.element_of_host(x)
            }
            _ => None,
        }
    }

    /// Whether an integer is proved to be at least 0.
    fn is_not_negative(&self, e: &Expr) -> bool {
        let of = |e: &Expr| self.is_not_negative(e);
        if !e.scalar().is_signed() {
            return true;
        }
        match e {
            Expr::Literal(literal) => integer(literal).is_some_and(|n| n >= 0),
            Expr::Local(local) => self.definitions.get(&local.id).is_some_and(of),
            // A cast to a signed type may wrap.
            Expr::Cast(to, x) => of(x) && (x.scalar() == *to || self.is_below(x, &capacity(*to))),
            Expr::Binary(BinaryOp::Rem, _, a, _) => of(a),
            Expr::Binary(BinaryOp::Div, _, a, b) => of(a) && of(b),
            Expr::Binary(BinaryOp::BitAnd, _, a, b) => of(a) || of(b),
            Expr::Math(MathFn::Min, _, args) => args.iter().all(of),
            Expr::Math(MathFn::Max, _, args) => args.iter().any(of),
            Expr::Math(MathFn::Clamp, _, args) => args[1..].iter().all(of),
            Expr::Select(_, a, b) => of(a) && of(b),
            _ => false,
        }
    }

    /// Whether an integer is proved to be below `len`, which is at least 1.
    fn is_below(&self, e: &Expr, len: &ArithExpr) -> bool {
        let of = |e: &Expr| self.is_below(e, len);
        if largest(e.scalar()).is_some_and(|n| self.facts.lt(&ArithExpr::cst(n), len).is_yes()) {
            return true;
        }
        match e {
            Expr::Literal(literal) => {
                integer(literal).is_some_and(|n| self.facts.lt(&ArithExpr::cst(n), len).is_yes())
            }
            Expr::Index(e) => self.facts.lt(e, len).is_yes(),
            Expr::Local(local) => self.definitions.get(&local.id).is_some_and(of),
            Expr::Cast(_, x) => x.scalar().is_integer() && of(x) && self.is_not_negative(x),
            // The remainder of a division by 0 is 0.
            Expr::Binary(BinaryOp::Rem, _, a, b) => {
                of(a) || self.bound(b).is_some_and(|b| self.facts.le(&b, len).is_yes())
            }
            Expr::Binary(BinaryOp::Div, _, a, b) => of(a) && self.is_not_negative(b),
            Expr::Binary(BinaryOp::BitAnd, _, a, b) => {
                (of(a) && self.is_not_negative(a)) || (of(b) && self.is_not_negative(b))
            }
            Expr::Math(MathFn::Min, _, args) => args.iter().any(of),
            Expr::Math(MathFn::Max, _, args) => args.iter().all(of),
            Expr::Math(MathFn::Clamp, _, args) => of(&args[2]),
            Expr::Select(_, a, b) => of(a) && of(b),
            _ => false,
        }
    }

    /// The value of a divisor that is a size or a literal.
    fn bound(&self, e: &Expr) -> Option<ArithExpr> {
        match e {
            Expr::Literal(literal) => integer(literal).filter(|n| *n > 0).map(ArithExpr::cst),
            Expr::Index(e) => Some(e.clone()),
            Expr::Local(local) => self.bound(self.definitions.get(&local.id)?),
            // What wraps is not the size any more.
            Expr::Cast(to, x) => {
                let fits = matches!(to, Scalar::U64 | Scalar::Usize);
                if fits || self.is_below(x, &capacity(*to)) { self.bound(x) } else { None }
            }
            _ => None,
        }
    }
}

/// The value of an integer literal.
fn integer(literal: &Literal) -> Option<i64> {
    i64::try_from(literal.as_int()?).ok()
}

/// The largest value of an integer type of at most 32 bits.
fn largest(scalar: Scalar) -> Option<i64> {
    let (_, largest) = scalar.range()?;
    i64::try_from(largest).ok().filter(|n| *n <= i64::from(u32::MAX))
}

/// Integers from 0 to below this number keep their value when they are cast to the type.
fn capacity(scalar: Scalar) -> ArithExpr {
    ArithExpr::cst(largest(scalar).map_or(1 << 62, |n| n + 1))
}
