//! Running a program with the interpreter.

use std::collections::BTreeMap;

use lift_core::arith::Var;
use lift_core::ir::{Kernel, Type};
use lift_core::program::schedule::{Count, Slot};
use lift_core::program::{Program, Step};

use crate::interp::{self, Env, Value};
use crate::print::Shown;

/// The contents of a buffer.
type Leaf = Vec<Value>;

/// A value as the host and devices hold it.
pub(super) fn leaves(value: &Value, ty: &Type) -> Vec<Leaf> {
    match (value, ty) {
        (Value::Array(xs), Type::Array(element, _)) => {
            let mut all = vec![Vec::new(); ty.leaves().len()];
            for x in xs.iter() {
                all.iter_mut().zip(leaves(x, element)).for_each(|(leaf, more)| leaf.extend(more));
            }
            all
        }
        (Value::Tuple(xs), Type::Tuple(tys)) => {
            xs.iter().zip(tys.iter()).flat_map(|(x, ty)| leaves(x, ty)).collect()
        }
        (x, _) => vec![vec![x.clone()]],
    }
}

/// The value in buffers, from this element on.
fn value(ty: &Type, leaves: &[Leaf], at: usize, env: &Env) -> Value {
    match ty {
        Type::Scalar(_) => leaves[0][at].clone(),
        Type::Array(element, len) => {
            let n = env.size(len).unwrap();
            Value::Array((0..n).map(|i| value(element, leaves, at * n + i, env)).collect())
        }
        Type::Tuple(parts) => {
            let mut rest = leaves;
            let part = |ty: &Type| {
                let (own, others) = rest.split_at(ty.leaves().len());
                rest = others;
                value(ty, own, at, env)
            };
            Value::Tuple(parts.iter().map(part).collect())
        }
    }
}

struct Machine<'a> {
    program: &'a Program,
    sizes: &'a BTreeMap<Var, i64>,
    params: Vec<Leaf>,
    results: Vec<Leaf>,
    temporaries: Vec<Leaf>,
}

/// The leaves of the parameters and of the result afterwards.
pub(super) fn run(
    program: &Program,
    kernel: &Kernel,
    sizes: &BTreeMap<Var, i64>,
    inputs: &[Value],
) -> (Vec<Leaf>, Vec<Leaf>) {
    let params = kernel.params.iter().zip(inputs).flat_map(|(p, x)| leaves(x, &p.ty)).collect();
    let mut machine = Machine {
        program,
        sizes,
        params,
        results: vec![Vec::new(); kernel.body.ty().leaves().len()],
        temporaries: vec![Vec::new(); program.temporaries.len()],
    };
    machine.steps(&program.steps);
    // Parameters that are updated are no results.
    let written = |step: &Step| {
        let mut found = Vec::new();
        Step::launches(std::slice::from_ref(step), &mut |launch| found.extend(&launch.outputs));
        found
    };
    let count = program.steps.iter().flat_map(written).filter_map(|slot| match slot {
        Slot::Result(i) => Some(i + 1),
        _ => None,
    });
    let count = count.max().unwrap_or(0);
    machine.results.truncate(count);
    (machine.params, machine.results)
}

impl Machine<'_> {
    fn leaf(&mut self, slot: Slot) -> &mut Leaf {
        match slot {
            Slot::Param(i) => &mut self.params[i],
            Slot::Result(i) => &mut self.results[i],
            Slot::Temporary(i) => &mut self.temporaries[i],
            Slot::Status | Slot::Claims(_) => panic!("{slot:?} is no data"),
        }
    }

    fn number(&self, leaf: usize) -> usize {
        self.params[leaf][0].as_int().unwrap() as usize
    }

    /// Whether the repetition around ends.
    fn steps(&mut self, steps: &[Step]) -> bool {
        let env = Env::new(self.sizes);
        for step in steps {
            match step {
                Step::Launch(launch) => {
                    let stage = &self.program.stages[launch.stage];
                    let inputs: Vec<Leaf> =
                        launch.inputs.iter().map(|slot| self.leaf(*slot).clone()).collect();
                    let mut rest = inputs.as_slice();
                    let mut values = Vec::new();
                    for param in &stage.params {
                        let (own, others) = rest.split_at(param.ty.leaves().len());
                        values.push(value(&param.ty, own, 0, &env));
                        rest = others;
                    }
                    let result = interp::run(stage, self.sizes, &values)
                        .unwrap_or_else(|e| panic!("{}: {e}\n{}", stage.name, Shown(self.program)));
                    let result = leaves(&result, stage.body.ty());
                    assert_eq!(result.len(), launch.outputs.len(), "{}", Shown(self.program));
                    for (slot, leaf) in launch.outputs.iter().zip(result) {
                        self.size_is_right(*slot, &leaf);
                        *self.leaf(*slot) = leaf;
                    }
                }
                Step::Repeat(count, steps) => {
                    let times = match count {
                        Count::Size(n) => env.size(n).unwrap(),
                        Count::Param(leaf) => self.number(*leaf),
                        Count::Whole(leaf, n) => self.number(*leaf) / *n as usize,
                        Count::Rest(leaf, n) => self.number(*leaf) % *n as usize,
                    };
                    let _ = (0..times).any(|_| self.steps(steps));
                }
                Step::Leave(id) if self.temporaries[*id][0].as_bool() == Some(true) => return true,
                Step::Leave(_) => {}
                Step::Swap(a, b) => self.temporaries.swap(*a, *b),
            }
        }
        false
    }

    /// What is written to a temporary fills it.
    fn size_is_right(&self, slot: Slot, leaf: &Leaf) {
        if let Slot::Temporary(i) = slot {
            let env = Env::new(self.sizes);
            let elements = self.program.temporaries[i].dims.iter().map(|n| env.size(n).unwrap());
            assert_eq!(leaf.len(), elements.product::<usize>(), "{}", Shown(self.program));
        }
    }
}
