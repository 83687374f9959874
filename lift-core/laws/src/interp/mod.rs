//! The reference interpreter: what an expression means.
//!
//! Before: a typed expression, with or without low-level primitives. After: its value, computed in the most
//! obvious way. A low-level primitive means the same as the algorithmic one it came from, so that every
//! version of a kernel can be compared with the kernel itself. Nothing here is fast; `f32` arithmetic is
//! done in `f32`, in the order in which it is written, and reductions go from left to right. What is added without being
//! rounded before stands in the expression (`rewrite/rules/contract.rs`).
//!
//! Where Rust would panic there is a definition: integer arithmetic wraps, integer division and remainder by
//! zero give 0, `clamp` with crossed limits gives the upper one. What has no meaning at all (an index out of
//! range, a `split` that leaves a rest, …) is an `Err` with a sentence.

mod prims;
pub(crate) mod scalars;
pub mod value;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;

use lift_core::arith::{ArithExpr, Var};
use lift_core::ir::{BinaryOp, Expr, Kernel, Kind, Lambda, Param, Scalar, Type};

pub use value::Value;

/// The result of an evaluation; the error is a sentence.
pub type Outcome<T = Value> = Result<T, String>;

/// What the variables in scope stand for.
#[derive(Debug, Clone, Default)]
pub struct Env {
    sizes: BTreeMap<Var, i64>,
    // Innermost last.
    values: Vec<(u32, Value)>,
    operations: u64,
}

impl Env {
    /// No variables but these sizes.
    pub fn new(sizes: &BTreeMap<Var, i64>) -> Env {
        Env { sizes: sizes.clone(), ..Env::default() }
    }

    /// Adds a variable.
    pub fn bind(&mut self, param: &Param, value: Value) {
        self.values.push((param.id, value));
    }

    /// The value of a size.
    pub fn size(&self, size: &ArithExpr) -> Outcome<usize> {
        let value = size.eval(&|v| self.sizes.get(v).map(|n| i128::from(*n)));
        match value.map(usize::try_from) {
            Some(Ok(n)) => Ok(n),
            Some(Err(_)) => Err(format!("the size `{size}` is {}", value.unwrap_or_default())),
            None => Err(format!("the size `{size}` is not known")),
        }
    }

    fn lookup(&self, param: &Param) -> Outcome {
        let found = self.values.iter().rev().find(|(id, _)| *id == param.id);
        found.map(|(_, value)| value.clone()).ok_or_else(|| format!("`{}` has no value", param.name))
    }
}

/// The result of a kernel for these sizes and inputs. The inputs must have the types that the kernel
/// declares.
pub fn run(kernel: &Kernel, sizes: &BTreeMap<Var, i64>, inputs: &[Value]) -> Outcome {
    Ok(counted(kernel, sizes, inputs)?.0)
}

/// The same, and the work that the kernel is: how many operations on scalars it takes if each value is computed once where it is
/// written, as often as the function around it is called.
pub fn counted(kernel: &Kernel, sizes: &BTreeMap<Var, i64>, inputs: &[Value]) -> Outcome<(Value, u64)> {
    if kernel.params.len() != inputs.len() {
        return Err(format!("`{}` takes {} inputs, not {}", kernel.name, kernel.params.len(), inputs.len()));
    }
    let mut env = Env::new(sizes);
    for (param, input) in kernel.params.iter().zip(inputs) {
        if !input.has_type(&param.ty, &env)? {
            return Err(format!("`{}` is not a {}", param.name, param.ty));
        }
        env.bind(param, input.clone());
    }
    let result = eval(&kernel.body, &mut env)?;
    Ok((result, env.operations))
}

/// The value of an expression. The variables of the environment are the same afterwards.
pub fn eval(e: &Expr, env: &mut Env) -> Outcome {
    if is_operation(e) {
        env.operations += 1;
    }
    match e.kind() {
        Kind::Param(param) => env.lookup(param),
        Kind::Literal(literal) => Ok(Value::Scalar(*literal)),
        Kind::Size(size) => Ok((env.size(size)?).into()),
        Kind::Unary(op, x) => scalars::unary(*op, &eval(x, env)?),
        Kind::Binary(BinaryOp::And, a, b) => match eval(a, env)?.as_bool() {
            Some(false) => Ok(false.into()),
            Some(true) | None => eval(b, env),
        },
        Kind::Binary(BinaryOp::Or, a, b) => match eval(a, env)?.as_bool() {
            Some(true) => Ok(true.into()),
            Some(false) | None => eval(b, env),
        },
        Kind::Binary(op, a, b) => scalars::binary(*op, &eval(a, env)?, &eval(b, env)?),
        Kind::Math(f, xs) => scalars::math(*f, &eval_all(xs, env)?),
        Kind::Cast(scalar, x) => scalars::cast(*scalar, &eval(x, env)?),
        Kind::If(c, a, b) => {
            let condition = eval(c, env)?;
            match condition.as_bool() {
                Some(true) => eval(a, env),
                Some(false) => eval(b, env),
                None => Err(format!("the condition of `if` is {condition}")),
            }
        }
        Kind::Tuple(xs) => eval_all(xs, env).map(Value::Tuple),
        Kind::Field(x, i) => match eval(x, env)? {
            Value::Tuple(parts) if *i < parts.len() => Ok(parts[*i].clone()),
            other => Err(format!("field {i} of {other}")),
        },
        Kind::ArrayLiteral(xs) => eval_all(xs, env).map(Value::Array),
        Kind::Let(param, value, body) => {
            let value = eval(value, env)?;
            env.values.push((param.id, value));
            let result = eval(body, env);
            env.values.pop();
            result
        }
        Kind::Prim(prim, args) => prims::apply(*prim, args, env),
    }
}

/// Whether this computes a value, and not an index or whether both of two conditions hold.
fn is_operation(e: &Expr) -> bool {
    let is_index = |x: &Expr| *x.ty() == Type::Scalar(Scalar::Usize);
    match e.kind() {
        Kind::Binary(BinaryOp::And | BinaryOp::Or, ..) => false,
        Kind::Unary(_, x) | Kind::Binary(_, x, _) => !is_index(x),
        Kind::Cast(..) => !is_index(e),
        Kind::Math(..) => true,
        _ => false,
    }
}

fn eval_all(xs: &[Expr], env: &mut Env) -> Outcome<Rc<[Value]>> {
    xs.iter().map(|x| eval(x, env)).collect()
}

/// The elements of an array.
fn elements(e: &Expr, env: &mut Env) -> Outcome<Rc<[Value]>> {
    match eval(e, env)? {
        Value::Array(xs) => Ok(xs),
        other => Err(format!("{other} is not an array")),
    }
}

/// A function's result for these arguments.
fn call<const N: usize>(f: &Lambda, args: [Value; N], env: &mut Env) -> Outcome {
    let depth = env.values.len();
    for (param, arg) in f.params.iter().zip(args) {
        env.bind(param, arg);
    }
    let result = eval(&f.body, env);
    env.values.truncate(depth);
    result
}

impl Value {
    /// Whether this is a value of the type, for the sizes of the environment.
    pub fn has_type(&self, ty: &Type, env: &Env) -> Outcome<bool> {
        Ok(match (self, ty) {
            (Value::Scalar(x), Type::Scalar(scalar)) => x.scalar() == *scalar,
            (Value::Product(factors), Type::Scalar(scalar)) => factors[0].scalar() == *scalar,
            (Value::Array(xs), Type::Array(element, len)) => {
                let mut all = xs.len() == env.size(len)?;
                for x in xs.iter() {
                    all = all && x.has_type(element, env)?;
                }
                all
            }
            (Value::Tuple(xs), Type::Tuple(tys)) => {
                let mut all = xs.len() == tys.len();
                for (x, ty) in xs.iter().zip(tys.iter()) {
                    all = all && x.has_type(ty, env)?;
                }
                all
            }
            (_, Type::Scalar(_) | Type::Array(..) | Type::Tuple(_)) => false,
        })
    }
}
