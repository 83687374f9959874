//! Verifies what the smart constructors cannot know: that variables are bound once and before use, and that
//! lengths which must be equal are provably so.

use std::collections::BTreeSet;

use lift_core::arith::{ArithExpr, Facts, Truth};
use lift_core::ir::{Arg, Expr, Kernel, Kind, Prim, Type};

/// Checks a kernel; the error says what is wrong in the compiler's terms.
pub fn check(kernel: &Kernel) -> Result<(), String> {
    check_body(kernel, &kernel.body)
}

/// Checks another body for the same kernel, for example a rewritten one.
pub fn check_body(kernel: &Kernel, body: &Expr) -> Result<(), String> {
    let mut scope: BTreeSet<u32> = kernel.params.iter().map(|p| p.id).collect();
    let mut bound = scope.clone();
    walk(body, &kernel.facts, &mut scope, &mut bound)?;
    same_type(kernel.body.ty(), body.ty(), &kernel.facts)
}

fn walk(e: &Expr, facts: &Facts, scope: &mut BTreeSet<u32>, bound: &mut BTreeSet<u32>) -> Result<(), String> {
    let mut bind = |id: u32, name: &str, scope: &mut BTreeSet<u32>| {
        scope.insert(id);
        if bound.insert(id) { Ok(()) } else { Err(format!("`{name}` is bound twice")) }
    };
    match e.kind() {
        Kind::Param(p) if !scope.contains(&p.id) => Err(format!("`{}` is not bound", p.name)),
        Kind::Let(p, value, body) => {
            bind(p.id, &p.name, scope)?;
            walk(value, facts, scope, bound)?;
            walk(body, facts, scope, bound)
        }
        Kind::Prim(prim, args) => {
            for arg in args {
                if let Some(f) = arg.function() {
                    for p in &f.params {
                        bind(p.id, &p.name, scope)?;
                    }
                }
            }
            if *prim == Prim::Zip {
                let lens: Vec<_> = args.iter().filter_map(|a| a.data()?.ty().as_array()).collect();
                for pair in lens.windows(2) {
                    equal(pair[0].1, pair[1].1, facts)?;
                }
            }
            args.iter().filter_map(Arg::expr).try_for_each(|x| walk(x, facts, scope, bound))
        }
        _ => e.children().into_iter().try_for_each(|x| walk(x, facts, scope, bound)),
    }
}

fn equal(a: &ArithExpr, b: &ArithExpr, facts: &Facts) -> Result<(), String> {
    match facts.eq(a, b) {
        Truth::Yes => Ok(()),
        Truth::No | Truth::Unknown => Err(format!("{a} and {b} should be equal")),
    }
}

/// Whether both types are the same under the facts.
fn same_type(a: &Type, b: &Type, facts: &Facts) -> Result<(), String> {
    match (a, b) {
        (Type::Scalar(x), Type::Scalar(y)) if x == y => Ok(()),
        (Type::Array(x, n), Type::Array(y, m)) => {
            equal(n, m, facts)?;
            same_type(x, y, facts)
        }
        (Type::Tuple(xs), Type::Tuple(ys)) if xs.len() == ys.len() => {
            xs.iter().zip(ys.iter()).try_for_each(|(x, y)| same_type(x, y, facts))
        }
        (Type::Scalar(_) | Type::Array(..) | Type::Tuple(_), _) => Err(format!("{a} and {b}")),
    }
}
