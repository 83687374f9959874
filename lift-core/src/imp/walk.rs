//! Traversals of statements and expressions.

use crate::arith::{ArithExpr, Var};
use crate::budget;
use crate::imp::ast::{Claim, Expr, IndexValue, Local, Stmt};
use crate::ir::BinaryOp;
use crate::memory::BufferId;
use crate::view::Cond;

/// Takes accesses: the buffer, whether it is a write, how many lanes it has, and the index.
type Accesses<'f> = dyn FnMut(BufferId, bool, u8, &[ArithExpr]) + 'f;

/// Another place for what is at an index of a buffer.
type Place<'f> = dyn Fn(BufferId, &[ArithExpr]) -> (BufferId, Vec<ArithExpr>) + 'f;

impl Expr {
    /// The direct operands.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        budget::step();
        let (few, many): ([Option<&Expr>; 3], &[Expr]) = match self {
            Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Index(_)
            | Expr::Cond(_)
            | Expr::Load(..)
            | Expr::Vector(..) => ([None; 3], &[]),
            Expr::Unary(_, _, x) | Expr::Cast(_, x) | Expr::Lane(x, _) | Expr::All(x) => {
                ([Some(x), None, None], &[])
            }
            Expr::Pack(lanes) => ([None; 3], lanes),
            Expr::Binary(_, _, a, b) => ([Some(a), Some(b), None], &[]),
            Expr::Math(_, _, xs) => ([None; 3], xs),
            Expr::Select(c, a, b) => ([Some(c), Some(a), Some(b)], &[]),
        };
        few.into_iter().flatten().chain(many)
    }

    /// Calls `f` on this expression and all in it.
    pub fn visit(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        self.operands().for_each(|x| x.visit(f));
    }

    /// Whether this expression or any in it is such a one.
    pub fn any(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |e| found |= is(e));
        found
    }

    /// Whether it reads memory.
    pub fn loads(&self) -> bool {
        self.any(&|e| matches!(e, Expr::Load(..) | Expr::Vector(..)))
    }

    /// The parts of a conjunction, of anything else itself.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        match self {
            Expr::Binary(BinaryOp::And, _, a, b) => [a.conjuncts(), b.conjuncts()].concat(),
            e => vec![e],
        }
    }

    /// The index expressions of this node itself.
    pub fn indices(&self) -> impl Iterator<Item = &ArithExpr> {
        let (few, many): ([Option<&ArithExpr>; 2], &[ArithExpr]) = match self {
            Expr::Index(e) => ([Some(e), None], &[]),
            Expr::Cond(Cond::Less(a, b) | Cond::AtLeast(a, b)) => ([Some(a), Some(b)], &[]),
            Expr::Load(_, _, indices) | Expr::Vector(_, _, _, indices) => ([None; 2], indices),
            Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Lane(..)
            | Expr::All(_)
            | Expr::Pack(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Math(..)
            | Expr::Cast(..)
            | Expr::Select(..) => ([None; 2], &[]),
        };
        few.into_iter().flatten().chain(many)
    }
}

impl Stmt {
    /// The expression of this statement itself, without those in its blocks.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Stmt::Index(_, IndexValue::Value(e) | IndexValue::Checked { value: e, .. })
            | Stmt::Value { init: Some(e), .. }
            | Stmt::Assign(_, e)
            | Stmt::Store(_, _, e)
            | Stmt::Atomic(_, _, _, e)
            | Stmt::Repeat { count: e, .. }
            | Stmt::Leave(e)
            | Stmt::If(e, ..) => Some(e),
            Stmt::Index(..)
            | Stmt::Value { init: None, .. }
            | Stmt::Array(_)
            | Stmt::For { .. }
            | Stmt::Claim(_)
            | Stmt::Barrier => None,
        }
    }

    /// The index expressions of this statement itself, without those in its expressions and blocks.
    pub fn indices(&self) -> Vec<&ArithExpr> {
        match self {
            Stmt::Index(_, IndexValue::Arith(e)) => vec![e],
            Stmt::Index(_, IndexValue::Checked { len, position, otherwise, .. }) => {
                vec![len, position, otherwise]
            }
            Stmt::Store(_, indices, _) | Stmt::Atomic(_, _, indices, _) => indices.iter().collect(),
            Stmt::For { start, bound, step, .. } => vec![start, bound, step],
            Stmt::Claim(Claim { index, position, guards, .. }) => {
                let guards = guards.iter().flat_map(|(Cond::Less(a, b) | Cond::AtLeast(a, b))| [a, b]);
                [index, position].into_iter().chain(guards).collect()
            }
            Stmt::Index(..)
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Repeat { .. }
            | Stmt::Leave(_)
            | Stmt::If(..)
            | Stmt::Barrier => Vec::new(),
        }
    }

    /// The blocks inside.
    pub fn blocks(&self) -> impl Iterator<Item = &Vec<Stmt>> {
        let blocks = match self {
            Stmt::For { body, .. } | Stmt::Repeat { body, .. } => [Some(body), None],
            Stmt::If(_, a, b) => [Some(a), Some(b)],
            Stmt::Index(..)
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Store(..)
            | Stmt::Atomic(..)
            | Stmt::Leave(_)
            | Stmt::Claim(_)
            | Stmt::Barrier => [None; 2],
        };
        blocks.into_iter().flatten()
    }

    /// Calls `f` on this statement and all in it, outermost first.
    pub fn visit(&self, f: &mut dyn FnMut(&Stmt)) {
        f(self);
        self.blocks().flatten().for_each(|s| s.visit(f));
    }

    /// Whether this statement or any in it is such a one.
    pub fn any(&self, is: &dyn Fn(&Stmt) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |s| found |= is(s));
        found
    }

    /// Whether any expression of this statement, or of any in it, is such a one.
    pub fn any_expr(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.visit_exprs(&mut |e| found |= is(e));
        found
    }

    /// Calls `f` on every access to a buffer in this statement itself.
    pub fn accesses(&self, f: &mut Accesses<'_>) {
        if let Some(e) = self.expr() {
            e.visit(&mut |e| {
                if let Expr::Load(id, _, index) | Expr::Vector(id, _, _, index) = e {
                    f(*id, false, e.lanes(), index);
                }
            });
        }
        if let Stmt::Store(id, index, value) = self {
            f(*id, true, value.lanes(), index);
        }
        if let Stmt::Atomic(_, id, index, _) = self {
            f(*id, false, 1, index);
            f(*id, true, 1, index);
        }
    }

    /// The index variable that it declares.
    pub fn index(&self) -> Option<&Var> {
        match self {
            Stmt::Index(var, _) => Some(var),
            _ => None,
        }
    }

    /// Whether it computes and stores, perhaps under conditions: there is no loop in it, and nobody waits.
    pub fn is_plain(&self) -> bool {
        match self {
            Stmt::Value { .. } | Stmt::Index(..) | Stmt::Assign(..) | Stmt::Store(..) => true,
            Stmt::If(_, then, otherwise) => then.iter().chain(otherwise).all(Stmt::is_plain),
            Stmt::Array(_)
            | Stmt::Atomic(..)
            | Stmt::For { .. }
            | Stmt::Repeat { .. }
            | Stmt::Leave(_)
            | Stmt::Claim(_)
            | Stmt::Barrier => false,
        }
    }

    /// Calls `f` on all expressions of this statement and of all in it.
    pub fn visit_exprs(&self, f: &mut dyn FnMut(&Expr)) {
        self.visit(&mut |s| s.expr().into_iter().for_each(|e| e.visit(f)));
    }

    /// Calls `f` on all index expressions of this statement and of all in it.
    pub fn visit_indices(&self, f: &mut dyn FnMut(&ArithExpr)) {
        self.visit(&mut |s| {
            s.indices().into_iter().for_each(&mut *f);
            s.expr().into_iter().for_each(|e| e.visit(&mut |e| e.indices().for_each(&mut *f)));
        });
    }
}

impl Expr {
    /// The same expression with other places in buffers.
    fn map_accesses(&self, place: &Place<'_>) -> Expr {
        match self {
            Expr::Load(id, scalar, index) => {
                let (id, index) = place(*id, index);
                Expr::Load(id, *scalar, index)
            }
            Expr::Vector(id, scalar, lanes, index) => {
                let (id, index) = place(*id, index);
                Expr::Vector(id, *scalar, *lanes, index)
            }
            e => e.map_operands(&mut |x| x.map_accesses(place)),
        }
    }

    /// The same expression with others in the place of variables.
    pub fn replace_locals(&self, other: &dyn Fn(&Local) -> Option<Expr>) -> Expr {
        match self {
            Expr::Local(local) => other(local).unwrap_or_else(|| self.clone()),
            e => e.map_operands(&mut |x| x.replace_locals(other)),
        }
    }

    /// The same node with other operands.
    pub fn map_operands(&self, f: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
        match self {
            Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Index(_)
            | Expr::Cond(_)
            | Expr::Load(..)
            | Expr::Vector(..) => self.clone(),
            Expr::Unary(op, scalar, x) => Expr::Unary(*op, *scalar, f(x).into()),
            Expr::Cast(to, x) => Expr::Cast(*to, f(x).into()),
            Expr::Lane(x, lane) => Expr::Lane(f(x).into(), *lane),
            Expr::All(x) => Expr::All(f(x).into()),
            Expr::Pack(lanes) => Expr::Pack(lanes.iter().map(f).collect()),
            Expr::Binary(op, scalar, a, b) => Expr::Binary(*op, *scalar, f(a).into(), f(b).into()),
            Expr::Math(function, scalar, xs) => Expr::Math(*function, *scalar, xs.iter().map(f).collect()),
            Expr::Select(c, a, b) => Expr::Select(f(c).into(), f(a).into(), f(b).into()),
        }
    }

    /// The same expression with other indices, at any depth.
    pub fn map_indices(&self, f: &mut dyn FnMut(&ArithExpr) -> ArithExpr) -> Expr {
        match self {
            Expr::Index(e) => Expr::Index(f(e)),
            Expr::Cond(cond) => Expr::Cond(cond.map(f)),
            Expr::Load(buffer, scalar, at) => Expr::Load(*buffer, *scalar, at.iter().map(f).collect()),
            Expr::Vector(buffer, scalar, lanes, at) => {
                Expr::Vector(*buffer, *scalar, *lanes, at.iter().map(f).collect())
            }
            Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Lane(..)
            | Expr::All(_)
            | Expr::Pack(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Math(..)
            | Expr::Cast(..)
            | Expr::Select(..) => self.map_operands(&mut |x| x.map_indices(f)),
        }
    }
}

impl Stmt {
    /// The same statement with other expressions; those in its blocks stay.
    pub fn map_exprs(self, f: &mut dyn FnMut(&Expr) -> Expr) -> Stmt {
        match self {
            Stmt::Index(var, IndexValue::Value(e)) => Stmt::Index(var, IndexValue::Value(f(&e))),
            Stmt::Index(var, IndexValue::Checked { site, value, len, position, otherwise }) => {
                let value = f(&value);
                Stmt::Index(var, IndexValue::Checked { site, value, len, position, otherwise })
            }
            Stmt::Value { local, init, constant } => {
                Stmt::Value { local, init: init.map(|e| f(&e)), constant }
            }
            Stmt::Assign(local, e) => Stmt::Assign(local, f(&e)),
            Stmt::Store(buffer, index, e) => Stmt::Store(buffer, index, f(&e)),
            Stmt::Atomic(op, buffer, index, e) => Stmt::Atomic(op, buffer, index, f(&e)),
            Stmt::Repeat { counter, count, body } => Stmt::Repeat { counter, count: f(&count), body },
            Stmt::Leave(cond) => Stmt::Leave(f(&cond)),
            Stmt::If(cond, a, b) => Stmt::If(f(&cond), a, b),
            Stmt::Index(..) | Stmt::Array(_) | Stmt::For { .. } | Stmt::Claim(_) | Stmt::Barrier => self,
        }
    }

    /// The same statement with other blocks.
    pub fn map_blocks(self, f: &mut dyn FnMut(Vec<Stmt>) -> Vec<Stmt>) -> Stmt {
        match self {
            Stmt::For { var, start, bound, step, unroll, body } => {
                Stmt::For { var, start, bound, step, unroll, body: f(body) }
            }
            Stmt::Repeat { counter, count, body } => Stmt::Repeat { counter, count, body: f(body) },
            Stmt::If(cond, a, b) => Stmt::If(cond, f(a), f(b)),
            Stmt::Index(..)
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Store(..)
            | Stmt::Atomic(..)
            | Stmt::Leave(_)
            | Stmt::Claim(_)
            | Stmt::Barrier => self,
        }
    }

    /// The same statement with other places in buffers, in all that it contains.
    pub fn map_accesses(self, place: &Place<'_>) -> Stmt {
        let stmt = match self.map_exprs(&mut |e| e.map_accesses(place)) {
            Stmt::Store(id, index, value) => {
                let (id, index) = place(id, &index);
                Stmt::Store(id, index, value)
            }
            Stmt::Atomic(op, id, index, value) => {
                let (id, index) = place(id, &index);
                Stmt::Atomic(op, id, index, value)
            }
            stmt => stmt,
        };
        stmt.map_blocks(&mut |block| block.into_iter().map(|stmt| stmt.map_accesses(place)).collect())
    }

    /// The same statement with other expressions in the place of variables, in all that it contains.
    pub fn replace_locals(self, other: &dyn Fn(&Local) -> Option<Expr>) -> Stmt {
        let stmt = self.map_exprs(&mut |e| e.replace_locals(other));
        stmt.map_blocks(&mut |block| block.into_iter().map(|stmt| stmt.replace_locals(other)).collect())
    }

    /// The same statement with other indices, in all that it contains.
    pub fn map_indices(self, f: &mut dyn FnMut(&ArithExpr) -> ArithExpr) -> Stmt {
        let stmt = match self.map_exprs(&mut |e| e.map_indices(f)) {
            Stmt::Index(var, IndexValue::Arith(e)) => Stmt::Index(var, IndexValue::Arith(f(&e))),
            Stmt::Index(var, IndexValue::Checked { site, value, len, position, otherwise }) => {
                let (len, position, otherwise) = (f(&len), f(&position), f(&otherwise));
                Stmt::Index(var, IndexValue::Checked { site, value, len, position, otherwise })
            }
            Stmt::Store(buffer, at, e) => Stmt::Store(buffer, at.iter().map(&mut *f).collect(), e),
            Stmt::Atomic(op, buffer, at, e) => Stmt::Atomic(op, buffer, at.iter().map(&mut *f).collect(), e),
            Stmt::For { var, start, bound, step, unroll, body } => {
                Stmt::For { var, start: f(&start), bound: f(&bound), step: f(&step), unroll, body }
            }
            Stmt::Claim(Claim { site, index, position, guards }) => {
                let (index, position) = (f(&index), f(&position));
                let guards = guards.iter().map(|cond| cond.map(f)).collect();
                Stmt::Claim(Claim { site, index, position, guards })
            }
            stmt @ (Stmt::Index(_, IndexValue::Id(..) | IndexValue::Value(_))
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Repeat { .. }
            | Stmt::Leave(_)
            | Stmt::If(..)
            | Stmt::Barrier) => stmt,
        };
        stmt.map_blocks(&mut |body| body.into_iter().map(|stmt| stmt.map_indices(f)).collect())
    }
}
