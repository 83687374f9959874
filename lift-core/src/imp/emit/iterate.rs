//! Iterations inside a kernel.
//!
//! The state is kept by the work-item, in variables and small arrays. If each round stores it for the group, `iterate(k, |x|
//! to_local(..), x)`, it is a pair of arrays in local memory: a round reads the one and writes the other, so that the
//! group waits once in each.

use crate::arith::ArithExpr;
use crate::bug;
use crate::imp::ast::{Expr, Local, Stmt};
use crate::imp::emit::loop_carried::{counter, number};
use crate::imp::emit::reduce::accumulator_name;
use crate::imp::emit::{Closure, Emitter, Env, Value, index};
use crate::ir::{Literal, Scalar};
use crate::low::rounds::SharedRounds;
use crate::low::{Kind, NodeId};
use crate::memory::BufferId;
use crate::view::write::WriteView;

impl Emitter<'_> {
    /// Emits the loop of an iteration; the result is its state, called `name` if that is given.
    pub(super) fn iterate(&mut self, id: NodeId, env: &Env, name: Option<&str>) -> Value {
        let low = self.low;
        let Kind::Iterate { count, ends, f, init } = low.kind(id) else { bug!("not an iteration") };
        let ends = *ends;
        let count = self.eval_scalar(*count, env);
        let f = Closure { f: f.clone(), env: env.clone() };
        if let Some(SharedRounds { stored, start, .. }) = low.shared_rounds(id) {
            let Some(pair) = self.plan.stored.get(&stored).cloned() else { bug!("no memory for {stored:?}") };
            return self.iterate_shared(&f, (count, start), env, &pair);
        }
        let start = self.eval(*init, env);
        match number(&count) {
            Some(0) => return start,
            Some(1) if !ends => return self.apply(&f, vec![start]),
            _ => {}
        }
        let name = name.unwrap_or_else(|| accumulator_name(&f.f.params[0].name));
        let state = self.state(name, start, low.ty(*init));
        let round = |e: &mut Self| {
            let now = vec![state.value.clone()];
            let next = if ends { e.next_unless_done(&f, now) } else { e.apply(&f, now) };
            e.update(&state, next);
        };
        match count {
            Expr::Index(n) if !ends && index::is_linear(&n, &self.facts) => {
                self.count("t", &n, |e, _| round(e));
            }
            count => {
                let body = self.block(round);
                self.push(Stmt::Repeat { counter: counter(), count, body });
            }
        }
        state.value
    }

    /// The state after this one; the loop ends if this is the last. Of the next one, nothing is computed before that is known.
    fn next_unless_done(&mut self, f: &Closure, state: Vec<Value>) -> Value {
        let Kind::Tuple(parts) = self.low.kind(f.f.body) else {
            bug!("a round that does not say if it is the last")
        };
        let env = self.bind(&f.f, state, &f.env);
        let done = self.eval_scalar(parts[0], &env);
        if done != Expr::Literal(Literal::Bool(false)) {
            self.push(Stmt::Leave(done));
        }
        self.eval(parts[1], &env)
    }

    /// The loop of an iteration whose rounds store for the group.
    fn iterate_shared(
        &mut self,
        f: &Closure,
        (count, start): (Expr, NodeId),
        env: &Env,
        pair: &[BufferId],
    ) -> Value {
        let ty = self.low.ty(start);
        self.pair_up(pair);
        self.set_trip(pair, Some(&ArithExpr::zero()));
        self.store(start, env, &WriteView::stored(pair.to_vec(), vec![ArithExpr::zero()]));
        let round = |e: &mut Self, t: &ArithExpr| {
            e.set_trip(pair, Some(t));
            let state = e.stored(pair, &[ArithExpr::zero()], ty);
            e.apply(f, vec![state]);
        };
        let last = match count {
            Expr::Index(n) if index::is_linear(&n, &self.facts) => {
                self.count("t", &n, round);
                n
            }
            count => {
                let turn = Local::new("turn", Scalar::I32);
                let zero = Expr::Literal(Literal::number(0, Scalar::I32));
                self.push(Stmt::Value { local: turn.clone(), init: Some(zero), constant: false });
                let now = |e: &mut Self| e.as_index(Expr::Local(turn.clone()), &ArithExpr::cst(2), "turn");
                let body = self.block(|e| {
                    let t = now(e);
                    round(e, &t);
                    e.push(Stmt::Assign(turn.clone(), Expr::Index(ArithExpr::one() - &t)));
                });
                self.push(Stmt::Repeat { counter: counter(), count, body });
                now(self)
            }
        };
        self.set_trip(pair, Some(&last));
        self.stored(pair, &[ArithExpr::zero()], ty)
    }
}
