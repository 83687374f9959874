//! Kernels for tests, made with the smart constructors; the shapes are those of the prelude.

use crate::arith::{ArithExpr, Facts, Var};
use crate::explore::Variant;
use crate::ir::build::fresh_id;
use crate::ir::{
    Arg, BinaryOp, Boundary, Expr, Kernel, KernelOptions, Lambda, Literal, MathFn, Memory, Order, Param,
    Place, Prim, Scalar, Type,
};
use crate::rewrite::Trace;

pub(super) fn n(value: i64) -> ArithExpr {
    ArithExpr::cst(value)
}

pub(super) fn f32(x: f32) -> Expr {
    Expr::literal(Literal::from(x))
}

pub(super) fn usize(x: u64) -> Expr {
    Expr::literal(Literal::from(x as usize))
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::Add, a, b)
}

pub(super) fn mul(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::Mul, a, b)
}

pub(super) fn math(f: MathFn, args: Vec<Expr>) -> Expr {
    Expr::math(f, args)
}

pub(super) fn zip(parts: Vec<Expr>) -> Expr {
    Expr::prim(Prim::Zip, parts.into_iter().map(Arg::Data).collect())
}

pub(super) fn at(xs: Expr, i: u64) -> Expr {
    at_index(xs, usize(i))
}

pub(super) fn at_index(xs: Expr, i: Expr) -> Expr {
    Expr::prim(Prim::At, vec![Arg::Data(i), Arg::Data(xs)])
}

pub(super) fn to_local(xs: Expr) -> Expr {
    Expr::store(Memory::Local, xs)
}

pub(super) fn array(n: ArithExpr, name: &str, f: impl FnOnce(Expr) -> Expr) -> Expr {
    let f = Lambda::unary(name, Scalar::Usize.into(), f);
    Expr::prim(Prim::Array, vec![Arg::Size(n), Arg::Fun(f)])
}

/// `reduce_seq(|acc, x| f(acc, x), z, xs)`
pub(super) fn reduce(f: impl FnOnce(Expr, Expr) -> Expr, z: Expr, xs: Expr) -> Expr {
    let element = xs.ty().as_array().map(|(t, _)| t.clone()).unwrap_or_else(|| panic!("reduce of a scalar"));
    let (a, x) = (Param::new("a", z.ty().clone()), Param::new("x", element));
    let body = f(Expr::param(&a), Expr::param(&x));
    let f = Lambda { params: vec![a, x], body };
    Expr::reduce(Order::Sequential, f, z, xs)
}

pub(super) fn sum(xs: Expr) -> Expr {
    reduce(add, f32(0.0), xs)
}

/// A map with a place.
pub(super) fn placed(place: Place, name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    let element = xs.ty().as_array().map(|(t, _)| t.clone()).unwrap_or_else(|| panic!("map of a scalar"));
    Expr::map_in(place, Lambda::unary(name, element, body), xs)
}

pub(super) fn global(d: usize, name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    placed(Place::Global(d), name, xs, body)
}

pub(super) fn global2d(name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    global(1, "row", xs, |row| global(0, name, row, body))
}

pub(super) fn global3d(name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    global(2, "plane", xs, |plane| global2d(name, plane, body))
}

pub(super) fn pad2d(l: i64, b: Boundary, xs: Expr) -> Expr {
    let padded = Expr::map_with("row", xs, |row| Expr::pad(n(l), n(l), b.clone(), row));
    Expr::pad(n(l), n(l), b, padded)
}

pub(super) fn pad3d(l: i64, b: Boundary, xs: Expr) -> Expr {
    let padded = Expr::map_with("plane", xs, |plane| pad2d(l, b.clone(), plane));
    Expr::pad(n(l), n(l), b, padded)
}

pub(super) fn slide2d(size: (ArithExpr, ArithExpr), step: (ArithExpr, ArithExpr), xs: Expr) -> Expr {
    let rows = Expr::map_with("row", xs, |row| Expr::slide(size.1, step.1, row));
    let slid = Expr::slide(size.0, step.0, rows);
    Expr::map_with("rows", slid, Expr::transpose)
}

/// Windows of `size`, one element apart.
pub(super) fn windows2d(size: i64, xs: Expr) -> Expr {
    slide2d((n(size), n(size)), (n(1), n(1)), xs)
}

pub(super) fn windows3d(size: i64, xs: Expr) -> Expr {
    let planes = Expr::map_with("plane", xs, |plane| windows2d(size, plane));
    let slid = Expr::slide(n(size), n(1), planes);
    Expr::map_with("slab", slid, |slab| Expr::map_with("s", Expr::transpose(slab), Expr::transpose))
}

pub(super) fn join2d(xs: Expr) -> Expr {
    let rows = Expr::join(Expr::map_with("row", xs, Expr::transpose));
    Expr::map_with("row", rows, Expr::join)
}

/// A kernel under construction.
pub(super) struct Builder {
    name: String,
    sizes: Vec<Var>,
    pub(super) facts: Facts,
    params: Vec<Param>,
}

impl Builder {
    pub(super) fn new(name: &str) -> Builder {
        Builder { name: name.to_string(), sizes: Vec::new(), facts: Facts::new(), params: Vec::new() }
    }

    pub(super) fn size(&mut self, name: &str) -> ArithExpr {
        let var = Var::new(fresh_id(), name);
        self.facts.declare(&var, Some(n(1)), None);
        self.sizes.push(var.clone());
        ArithExpr::var(&var)
    }

    pub(super) fn param(&mut self, name: &str, scalar: Scalar, dims: &[ArithExpr]) -> Expr {
        let param = Param::new(name, Type::from(scalar).with_shape(dims));
        self.params.push(param.clone());
        Expr::param(&param)
    }

    pub(super) fn kernel(&self, body: Expr) -> Kernel {
        Kernel {
            name: self.name.clone(),
            sizes: self.sizes.clone(),
            facts: self.facts.clone(),
            params: self.params.clone(),
            outputs: crate::ir::results(body.ty()),
            body,
            checks: Vec::new(),
            source: None,
            step: None,
            options: KernelOptions::default(),
            interface: None,
        }
    }

    /// A kernel and one version of it, whose term is the kernel's own.
    pub(super) fn variant(&self, body: Expr) -> (Kernel, Variant) {
        let variant = Variant {
            name: "naive",
            body: body.clone(),
            tunables: Vec::new(),
            blocks: Vec::new(),
            least: Vec::new(),
            vectors: &[16, 8],
            narrow: None,
            local: Vec::new(),
            facts: self.facts.clone(),
            trace: Trace::new(&body),
        };
        (self.kernel(body), variant)
    }
}

/// `let name = value; body`
pub(super) fn bind(name: &str, value: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    let param = Param::new(name, value.ty().clone());
    let body = body(Expr::param(&param));
    Expr::let_(param, value, body)
}
