//! What is always chosen between a vector's lanes and other values is chosen once.
//!
//! Before: `const float4 v = …;` and then nothing of it but `c ? x0 : v.x`, `c ? x1 : v.y` and so on, with one condition. After:
//! `const float4 v = c ? (float4)(x0, x1, x2, x3) : …;`, and its lanes in the place of the choices. Where the condition is that of an
//! edge, hardly any work-item reads the other values, and the vector is not read in vain where one does.

use std::collections::{BTreeMap, BTreeSet};

use crate::imp::ast::{Expr, Stmt};

/// Runs the pass.
pub(super) fn run(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let stmts: Vec<Stmt> = stmts.into_iter().map(|stmt| stmt.map_blocks(&mut run)).collect();
    let chosen: BTreeMap<u32, Choice> = Reads::of(&stmts).choices(&stmts);
    if chosen.is_empty() {
        return stmts;
    }
    let decided = |stmt: Stmt| match decided(stmt, &chosen) {
        Stmt::Value { local, init: Some(init), constant } => {
            let init = match chosen.get(&local.id) {
                Some(choice) => choice.between(init),
                None => init,
            };
            Stmt::Value { local, init: Some(init), constant }
        }
        stmt => stmt,
    };
    stmts.into_iter().map(decided).collect()
}

/// What is taken in the place of a vector.
struct Choice {
    cond: Expr,
    /// Whether it is the vector if the condition holds.
    holds: bool,
    others: Vec<Expr>,
}

impl Choice {
    fn between(&self, vector: Expr) -> Expr {
        let others = Expr::Pack(self.others.clone());
        let (then, otherwise) = if self.holds { (vector, others) } else { (others, vector) };
        Expr::Select(self.cond.clone().into(), then.into(), otherwise.into())
    }
}

/// How the vectors of a block are read.
#[derive(Default)]
struct Reads<'a> {
    vectors: BTreeMap<u32, Vector<'a>>,
    /// What constants are.
    named: BTreeMap<u32, &'a Expr>,
}

/// How a vector is read.
struct Vector<'a> {
    lanes: u8,
    /// Conditions, whether the vector is taken if they hold, its lane, and what is taken otherwise.
    choices: Vec<(&'a Expr, bool, u8, &'a Expr)>,
    /// The statement that declares it, and the last one that reads it.
    range: (usize, usize),
    /// Whether it is read without a choice.
    plain: bool,
}

impl<'a> Reads<'a> {
    fn of(stmts: &'a [Stmt]) -> Reads<'a> {
        let mut reads = Reads::default();
        for (at, stmt) in stmts.iter().enumerate() {
            reads.stmt(stmt, at);
            if let Stmt::Value { local, init: Some(init), constant: true } = stmt {
                reads.named.insert(local.id, init);
                if matches!(init, Expr::Vector(..)) {
                    let vector =
                        Vector { lanes: local.lanes, choices: Vec::new(), range: (at, at), plain: false };
                    reads.vectors.insert(local.id, vector);
                }
            }
        }
        reads
    }

    fn stmt(&mut self, stmt: &'a Stmt, at: usize) {
        if let Some(e) = stmt.expr() {
            self.expr(e, at);
        }
        stmt.blocks().flatten().for_each(|inner| self.stmt(inner, at));
    }

    fn expr(&mut self, e: &'a Expr, at: usize) {
        if let Expr::Local(local) = e {
            if let Some(vector) = self.vectors.get_mut(&local.id) {
                vector.plain = true;
            }
            return;
        }
        match choice(e) {
            Some((cond, holds, (vector, lane), other)) if self.vectors.contains_key(&vector) => {
                self.expr(cond, at);
                let named = match cond {
                    Expr::Local(local) => self.named.get(&local.id).copied(),
                    _ => None,
                };
                if let Some(vector) = self.vectors.get_mut(&vector) {
                    vector.choices.push((named.unwrap_or(cond), holds, lane, other));
                    vector.range.1 = at;
                }
            }
            _ => e.operands().for_each(|x| self.expr(x, at)),
        }
    }

    /// The choices that can be made where the vectors are declared.
    fn choices(self, stmts: &[Stmt]) -> BTreeMap<u32, Choice> {
        let of = |(id, vector): (u32, Vector<'a>)| Some((id, vector.choice(stmts)?));
        self.vectors.into_iter().filter_map(of).collect()
    }
}

impl Vector<'_> {
    /// The choice that all make who read it, if all that it needs is known where the vector is declared.
    fn choice(&self, stmts: &[Stmt]) -> Option<Choice> {
        let (cond, holds, ..) = *self.choices.first().filter(|_| !self.plain)?;
        let mut others: BTreeMap<u8, &Expr> = BTreeMap::new();
        let same = self.choices.iter().all(|(c, h, lane, other)| {
            (*c, *h) == (cond, holds) && *others.entry(*lane).or_insert(other) == *other
        });
        if !same || others.len() != usize::from(self.lanes) {
            return None;
        }
        let others: Vec<Expr> = others.into_values().cloned().collect();
        let needed = Needed::by(others.iter().chain([cond]));
        let (first, last) = self.range;
        let known = stmts[first..=last].iter().all(|stmt| !needed.is_set_in(stmt));
        known.then(|| Choice { cond: cond.clone(), holds, others })
    }
}

/// A choice between a lane of a vector and a plain value.
fn choice(e: &Expr) -> Option<(&Expr, bool, (u32, u8), &Expr)> {
    let Expr::Select(cond, then, otherwise) = e else { return None };
    let lane = |e: &Expr| match e {
        Expr::Lane(of, lane) => match &**of {
            Expr::Local(local) => Some((local.id, *lane)),
            _ => None,
        },
        _ => None,
    };
    let is_plain = |e: &Expr| matches!(e, Expr::Literal(_) | Expr::Local(_)) && e.lanes() == 1;
    match (lane(then), lane(otherwise)) {
        (Some(lane), None) if is_plain(otherwise) => Some((cond, true, lane, otherwise)),
        (None, Some(lane)) if is_plain(then) => Some((cond, false, lane, then)),
        _ => None,
    }
}

/// The statement with the lanes of vectors in the place of their choices.
fn decided(stmt: Stmt, chosen: &BTreeMap<u32, Choice>) -> Stmt {
    let stmt = stmt.map_exprs(&mut |e| taken(e, chosen));
    stmt.map_blocks(&mut |block| block.into_iter().map(|s| decided(s, chosen)).collect())
}

fn taken(e: &Expr, chosen: &BTreeMap<u32, Choice>) -> Expr {
    match (e, choice(e)) {
        (Expr::Select(_, then, otherwise), Some((_, holds, (vector, _), _)))
            if chosen.contains_key(&vector) =>
        {
            Expr::clone(if holds { then } else { otherwise })
        }
        _ => e.map_operands(&mut |x| taken(x, chosen)),
    }
}

/// Variables that an expression reads.
#[derive(Default)]
struct Needed {
    locals: BTreeSet<u32>,
    indices: BTreeSet<u32>,
}

impl Needed {
    fn by<'e>(all: impl Iterator<Item = &'e Expr>) -> Needed {
        let mut needed = Needed::default();
        for e in all {
            e.visit(&mut |e| {
                if let Expr::Local(local) = e {
                    needed.locals.insert(local.id);
                }
                needed.indices.extend(e.indices().flat_map(|index| index.vars()).map(|var| var.id()));
            });
        }
        needed
    }

    /// Whether one of them gets its value in a statement, or in one in it.
    fn is_set_in(&self, stmt: &Stmt) -> bool {
        let mut found = false;
        stmt.visit(&mut |s| {
            found |= match s {
                Stmt::Value { local, .. } | Stmt::Assign(local, _) => self.locals.contains(&local.id),
                Stmt::Index(var, _) | Stmt::For { var, .. } => self.indices.contains(&var.id()),
                _ => false,
            };
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::{ArithExpr, Var};
    use crate::imp::ast::Local;
    use crate::ir::Scalar;
    use crate::ir::build::fresh_id;
    use crate::memory::BufferId;
    use crate::view::Cond;

    /// `const float2 v = …;`, something in between, and `out[i] = i < 1 ? x : v.i` for both lanes, with other ends if asked for.
    fn block(between: impl Fn(&Local, &Local) -> Vec<Stmt>, ends: [i64; 2]) -> Vec<Stmt> {
        let i = ArithExpr::var(&Var::new(fresh_id(), "i"));
        let x = Local::new("x", Scalar::F32);
        let v = Local { lanes: 2, ..Local::new("v", Scalar::F32) };
        let init = Some(Expr::Vector(BufferId(0), Scalar::F32, 2, vec![&i * 2]));
        let store = |lane: u8| {
            let cond = Expr::Cond(Cond::Less(i.clone(), ends[usize::from(lane)].into()));
            let own = Expr::Lane(Expr::Local(v.clone()).into(), lane);
            let value = Expr::Select(cond.into(), Expr::Local(x.clone()).into(), own.into());
            Stmt::Store(BufferId(1), vec![&i + i64::from(lane)], value)
        };
        let read = Stmt::Value { local: v.clone(), init, constant: true };
        [vec![read], between(&x, &v), vec![store(0), store(1)]].concat()
    }

    fn chooses_once(stmts: Vec<Stmt>) -> bool {
        let stmts = run(stmts);
        let mut choices = 0;
        stmts
            .iter()
            .for_each(|s| s.visit_exprs(&mut |e| choices += usize::from(matches!(e, Expr::Select(..)))));
        let first = matches!(stmts[0], Stmt::Value { init: Some(Expr::Select(..)), .. });
        assert_eq!(choices, if first { 1 } else { 2 });
        first
    }

    #[test]
    fn one_choice_for_all_lanes() {
        assert!(chooses_once(block(|_, _| Vec::new(), [1, 1])));
    }

    #[test]
    fn not_where_conditions_differ() {
        assert!(!chooses_once(block(|_, _| Vec::new(), [1, 2])));
    }

    #[test]
    fn not_where_the_vector_is_read_anyhow() {
        let lane = |v: &Local| Expr::Lane(Expr::Local(v.clone()).into(), 0);
        let read = |_: &Local, v: &Local| vec![Stmt::Store(BufferId(2), vec![0.into()], lane(v))];
        assert!(!chooses_once(block(read, [1, 1])));
    }

    #[test]
    fn not_where_the_other_value_is_not_known_yet() {
        let zero = || Expr::Literal(crate::ir::Literal::number(0, Scalar::F32));
        let assigned = |x: &Local, _: &Local| vec![Stmt::Assign(x.clone(), zero())];
        assert!(!chooses_once(block(assigned, [1, 1])));
    }
}
