//! One work-item: where it is in the statements, and what it has for itself.

use lift_core::arith::{ArithExpr, Var};
use lift_core::imp::ast::{Claim, IndexValue, Stmt, WorkItem};
use lift_core::ir::{Atomic, BinaryOp, MathFn};
use rustc_hash::FxHashMap;

use crate::interp::{Outcome, scalars};
use crate::run::expr::{Number, Scope, lift};
use crate::run::index::{Indices, Names};
use crate::run::memory::{Cell, Memory, Private};

/// Why a work-item does not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// At a barrier.
    Waits,
    /// At the end.
    Ends,
}

/// What a work-item has for itself.
pub(super) struct Own {
    pub(super) names: Names,
    pub(super) locals: FxHashMap<u32, Number>,
    pub(super) private: Private,
}

/// A block and the next statement in it.
struct Frame<'a> {
    stmts: &'a [Stmt],
    next: usize,
    turn: Turn<'a>,
}

/// What comes after a block.
enum Turn<'a> {
    Once,
    While(&'a Var, &'a ArithExpr, &'a ArithExpr),
    Left(i128),
}

pub(super) struct Item<'a> {
    frames: Vec<Frame<'a>>,
    group: [i128; 3],
    local: [i128; 3],
    shape: [i128; 3],
    own: Own,
}

impl<'a> Item<'a> {
    pub(super) fn new(
        stmts: &'a [Stmt],
        group: [i128; 3],
        local: [i128; 3],
        shape: &[i128; 3],
        (names, locals): (&Names, &FxHashMap<u32, Number>),
    ) -> Item<'a> {
        let own = Own { names: names.clone(), locals: locals.clone(), private: Private::default() };
        Item { frames: vec![Frame { stmts, next: 0, turn: Turn::Once }], group, local, shape: *shape, own }
    }

    /// Its number in its group.
    pub(super) fn local(&self) -> [i128; 3] {
        self.local
    }

    /// Goes on to the next barrier or to the end.
    pub(super) fn run(&mut self, memory: &mut Memory<'_>, indices: &mut Indices<'_>) -> Outcome<State> {
        while let Some(frame) = self.frames.last_mut() {
            match frame.stmts.get(frame.next) {
                Some(Stmt::Barrier) => {
                    frame.next += 1;
                    return Ok(State::Waits);
                }
                Some(stmt) => {
                    frame.next += 1;
                    self.stmt(stmt, memory, indices)?;
                }
                None if self.again(indices)? => {}
                None => {
                    self.frames.pop();
                }
            }
        }
        Ok(State::Ends)
    }

    /// Whether the innermost block is run once more.
    fn again(&mut self, indices: &mut Indices<'_>) -> Outcome<bool> {
        let Some(frame) = self.frames.last_mut() else { return Ok(false) };
        match &mut frame.turn {
            Turn::Once => return Ok(false),
            Turn::Left(left) if *left <= 1 => return Ok(false),
            Turn::Left(left) => *left -= 1,
            Turn::While(var, bound, step) => {
                let step = indices.index(step, &self.own.names)?;
                let value = indices.get(&self.own.names, var)? + step;
                indices.set(&mut self.own.names, var, value)?;
                if value >= indices.index(bound, &self.own.names)? {
                    return Ok(false);
                }
            }
        }
        frame.next = 0;
        Ok(true)
    }

    fn enter(&mut self, stmts: &'a [Stmt], turn: Turn<'a>) {
        self.frames.push(Frame { stmts, next: 0, turn });
    }

    fn stmt(&mut self, stmt: &'a Stmt, memory: &mut Memory<'_>, indices: &mut Indices<'_>) -> Outcome<()> {
        let mut scope = Scope { own: &mut self.own, memory, indices };
        match stmt {
            Stmt::Index(var, IndexValue::Id(item, d)) => {
                let [group, local, shape] = [self.group, self.local, self.shape].map(|ids| ids[*d]);
                let id = match item {
                    WorkItem::Global => group * shape + local,
                    WorkItem::Group => group,
                    WorkItem::Local => local,
                };
                indices.set(&mut self.own.names, var, id)?;
            }
            Stmt::Index(var, value) => {
                let value = scope.constant(value)?;
                indices.set(&mut self.own.names, var, value)?;
            }
            Stmt::Value { local, init, .. } => {
                let value = match init {
                    Some(e) => scope.eval(e)?,
                    None => Number::One(None),
                };
                self.own.locals.insert(local.id, value);
            }
            Stmt::Assign(local, e) => {
                let value = scope.eval(e)?;
                self.own.locals.insert(local.id, value);
            }
            Stmt::Array(id) => memory.declare(*id, &mut self.own.private),
            Stmt::Store(id, index, e) => {
                let index = scope.index(index)?;
                let value = scope.eval(e)?.lanes(usize::from(e.lanes()));
                memory.write(*id, &index, &value, &mut self.own.private)?;
            }
            Stmt::Atomic(op, id, index, e) => {
                let index = scope.index(index)?;
                let value = scope.eval(e)?.lane(0);
                let combined = |old: Cell| combined(*op, old, value);
                memory.combine(*id, &index, &combined, &mut self.own.private)?;
            }
            Stmt::For { var, start, bound, step, body, .. } => {
                let start = indices.index(start, &self.own.names)?;
                indices.set(&mut self.own.names, var, start)?;
                if start < indices.index(bound, &self.own.names)? {
                    self.enter(body, Turn::While(var, bound, step));
                }
            }
            Stmt::Repeat { count, body, .. } => {
                let count = scope.eval(count)?.integer()?;
                if count > 0 {
                    self.enter(body, Turn::Left(count));
                }
            }
            Stmt::Leave(cond) => {
                if scope.eval(cond)?.truth()? {
                    self.frames.pop();
                }
            }
            Stmt::If(cond, then, otherwise) => {
                let then = if scope.eval(cond)?.truth()? { then } else { otherwise };
                self.enter(then, Turn::Once);
            }
            Stmt::Claim(Claim { site, index, position, guards }) => {
                for cond in guards {
                    if !indices.cond(cond, &self.own.names)? {
                        return Ok(());
                    }
                }
                let index = indices.index(index, &self.own.names)?;
                let position = indices.index(position, &self.own.names)?;
                memory.claim(*site, index, position)?;
            }
            Stmt::Barrier => {}
        }
        Ok(())
    }
}

/// What an atomic operation leaves.
fn combined(op: Atomic, old: Cell, value: Cell) -> Outcome<Cell> {
    let binary = |op: BinaryOp| lift([old, value], |[a, b]| scalars::binary(op, a, b));
    let math = |f: MathFn| lift([old, value], |xs| scalars::math(f, xs));
    if old.is_none() {
        return Err("something is combined that nobody wrote".to_string());
    }
    match op {
        Atomic::Add => binary(BinaryOp::Add),
        Atomic::Min => math(MathFn::Min),
        Atomic::Max => math(MathFn::Max),
        Atomic::And => binary(BinaryOp::BitAnd),
        Atomic::Or => binary(BinaryOp::BitOr),
        Atomic::Xor => binary(BinaryOp::BitXor),
    }
}

impl Scope<'_, '_, '_> {
    /// The value of a constant index that is no id.
    fn constant(&mut self, value: &IndexValue) -> Outcome<i128> {
        match value {
            IndexValue::Arith(e) => self.indices.index(e, &self.own.names),
            IndexValue::Value(e) => self.eval(e)?.integer(),
            IndexValue::Checked { value, len, position, otherwise, .. } => {
                let value = self.eval(value)?.integer()?;
                let [len, position, _] = self.three([len, position, otherwise])?;
                if (0..len).contains(&value) {
                    return Ok(value);
                }
                Err(format!("index {value} of {len} elements at position {position}"))
            }
            IndexValue::Id(..) => Err("an id is no expression".to_string()),
        }
    }

    fn three(&mut self, [a, b, c]: [&ArithExpr; 3]) -> Outcome<[i128; 3]> {
        let mut index = |e| self.indices.index(e, &self.own.names);
        Ok([index(a)?, index(b)?, index(c)?])
    }
}
