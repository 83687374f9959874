//! Random well-typed programs with inputs, and equality of programs up to names, for tests; kernels from texts, and texts that are written by tests.

use std::collections::BTreeMap;
use std::path::Path;

use lift_core::arith::{ArithExpr, Facts, Var};
use lift_core::diag::Diagnostics;
use lift_core::ir::build::{fresh_id, reset_ids};
use lift_core::ir::{
    Arg, BinaryOp, Boundary, ByKey, Expr, Fold, Kernel, KernelOptions, Lambda, Literal, MathFn, Order, Param,
    Prim, Scalar, Type,
};

use crate::interp::{self, Env, Value};

pub(crate) use lift_core::rewrite::scope::same;
use lift_core::span::SpanTable;
use lift_core::{syntax, typecheck};

/// The last kernel of a text.
pub(crate) fn kernel(text: &str) -> Kernel {
    reset_ids();
    let (mut spans, mut diags) = (SpanTable::new(), Diagnostics::new());
    let block = syntax::parse(text.parse().unwrap(), &mut spans, &mut diags);
    let program = syntax::resolve(&block, &mut diags);
    let mut kernels = typecheck::check(&program, &mut diags).kernels;
    let errors: Vec<String> = diags.finish(&spans).iter().map(|d| d.text()).collect();
    assert!(errors.is_empty(), "{text}\n{}", errors.join("\n"));
    kernels.pop().unwrap()
}

/// Whether a file has this text. `INSTA_UPDATE=always` writes it, as it does with snapshots.
pub(crate) fn is_current(file: &Path, text: &str) {
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let found = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        found == text,
        "{} is not what the compiler says: write it with INSTA_UPDATE=always",
        file.display()
    );
}

/// A source of numbers that looks random.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize].clone()
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// A program under construction: its sizes and inputs, with values.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) random: Random,
    pub(crate) facts: Facts,
    pub(crate) sizes: BTreeMap<Var, i64>,
    pub(crate) inputs: Vec<(Param, Value)>,
    /// Whether reductions are by functions that may be regrouped.
    pub(crate) associative: bool,
    counter: i32,
}

/// No array of a random program has more scalars.
const LARGEST: usize = 600;

impl World {
    pub(crate) fn new(seed: u64) -> World {
        World {
            random: Random::new(seed),
            facts: Facts::new(),
            sizes: BTreeMap::new(),
            inputs: Vec::new(),
            associative: false,
            counter: 0,
        }
    }

    /// A size of this value, as a literal or as a variable.
    pub(crate) fn size_of(&mut self, value: i64) -> ArithExpr {
        if self.random.flip() { ArithExpr::cst(value) } else { self.variable(value) }
    }

    pub(crate) fn variable(&mut self, value: i64) -> ArithExpr {
        let var = Var::new(fresh_id(), &format!("N{}", self.sizes.len()));
        self.facts.declare(&var, Some(ArithExpr::one()), None);
        self.sizes.insert(var.clone(), value);
        ArithExpr::var(&var)
    }

    pub(crate) fn some_size(&mut self) -> ArithExpr {
        let value = self.random.pick(&[1, 1, 2, 3, 4, 5, 7]);
        self.size_of(value)
    }

    /// A size that may be 0, which nobody knows.
    pub(crate) fn any_size(&mut self) -> ArithExpr {
        match self.random.below(12) {
            0 => self.some_variable() - 1,
            _ => self.some_size(),
        }
    }

    fn some_variable(&mut self) -> ArithExpr {
        let value = self.random.pick(&[1, 1, 3]);
        self.variable(value)
    }

    /// An extent of this value, which may be 0.
    pub(crate) fn extent_of(&mut self, value: i64) -> ArithExpr {
        if value == 0 { self.variable(1) - 1 } else { self.size_of(value) }
    }

    pub(crate) fn value_of(&self, size: &ArithExpr) -> usize {
        Env::new(&self.sizes).size(size).unwrap_or_else(|e| panic!("{e}"))
    }

    /// An input with distinct values.
    pub(crate) fn input(&mut self, ty: Type) -> Expr {
        let param = Param::new(&format!("in{}", self.inputs.len()), ty.clone());
        let value = self.distinct(&ty);
        self.inputs.push((param.clone(), value));
        Expr::param(&param)
    }

    fn distinct(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Scalar(scalar) => {
                self.counter += 1 + self.random.below(3) as i32;
                let sign = if self.random.flip() { 1 } else { -1 };
                let number = sign * self.counter;
                Value::Scalar(match scalar {
                    Scalar::Bool => Literal::Bool(sign == 1),
                    _ if scalar.is_float() => Literal::float(f64::from(number) * 0.37, *scalar),
                    _ if scalar.is_signed() => Literal::number(number, *scalar),
                    _ => Literal::number(self.counter, *scalar),
                })
            }
            Type::Array(element, len) => {
                Value::Array((0..self.value_of(len)).map(|_| self.distinct(element)).collect())
            }
            Type::Tuple(parts) => Value::Tuple(parts.iter().map(|ty| self.distinct(ty)).collect()),
        }
    }

    /// An array of up to three dimensions.
    pub(crate) fn array(&mut self) -> Expr {
        let scalar = self.random.pick(&[Scalar::I32, Scalar::I32, Scalar::F32]);
        let dims: Vec<ArithExpr> = (0..self.random.pick(&[1, 1, 2, 2, 3])).map(|_| self.any_size()).collect();
        self.input(Type::from(scalar).with_shape(&dims))
    }

    pub(crate) fn eval(&self, e: &Expr) -> interp::Outcome {
        let mut env = Env::new(&self.sizes);
        for (param, value) in &self.inputs {
            env.bind(param, value.clone());
        }
        interp::eval(e, &mut env)
    }

    fn scalars(&self, ty: &Type) -> usize {
        match ty {
            Type::Scalar(_) => 1,
            Type::Array(element, len) => self.value_of(len) * self.scalars(element),
            Type::Tuple(parts) => parts.iter().map(|ty| self.scalars(ty)).sum(),
        }
    }

    /// Grows a program around `e`; `scope` are other things it may use.
    pub(crate) fn grow(&mut self, e: Expr, fuel: usize, scope: &[Expr]) -> Expr {
        let mut e = e;
        for _ in 0..fuel {
            let next = self.step(&e, fuel - 1, scope);
            if self.scalars(next.ty()) <= LARGEST {
                e = next;
            }
        }
        e
    }

    fn step(&mut self, e: &Expr, fuel: usize, scope: &[Expr]) -> Expr {
        if self.random.below(5) == 0 {
            return self.bind(e, fuel, scope);
        }
        match e.ty().clone() {
            Type::Scalar(_) => self.arithmetic(e, scope),
            Type::Tuple(parts) => {
                let fields = (0..parts.len()).map(|i| Expr::field(e.clone(), i)).collect();
                let i = self.random.below(parts.len() as u64) as usize;
                if self.random.flip() { Expr::tuple(fields) } else { Expr::field(e.clone(), i) }
            }
            Type::Array(element, len) => self.array_step(e, &element, &len, fuel, scope),
        }
    }

    /// `let x = e; … x …`, with any number of uses.
    fn bind(&mut self, e: &Expr, fuel: usize, scope: &[Expr]) -> Expr {
        let param = Param::new("x", e.ty().clone());
        let x = Expr::param(&param);
        let inner = [scope, std::slice::from_ref(&x)].concat();
        let body = match self.random.below(4) {
            0 if !scope.is_empty() => self.random.pick(scope),
            1 => Expr::field(self.opaque_pair(&x), 1),
            _ => x,
        };
        let body = self.grow(body, fuel.min(3), &inner);
        Expr::let_(param, e.clone(), body)
    }

    /// `if c { (x, x) } else { (x, x) }`
    fn opaque_pair(&mut self, x: &Expr) -> Expr {
        let pair = || Expr::tuple(vec![x.clone(), x.clone()]);
        Expr::if_(Expr::literal(Literal::Bool(self.random.flip())), pair(), pair())
    }

    /// `2 * a - b`, where order matters.
    pub(crate) fn arithmetic(&mut self, a: &Expr, scope: &[Expr]) -> Expr {
        let others: Vec<Expr> = scope.iter().filter(|x| x.ty() == a.ty()).cloned().collect();
        let b = if others.is_empty() { literal(a.ty(), 3) } else { self.random.pick(&others) };
        match self.random.below(4) {
            0 => Expr::tuple(vec![a.clone(), b]),
            1 => Expr::if_(Expr::binary(BinaryOp::Lt, a.clone(), b.clone()), a.refresh(), b),
            _ => twice_minus(a.clone(), b),
        }
    }

    fn array_step(&mut self, e: &Expr, element: &Type, len: &ArithExpr, fuel: usize, scope: &[Expr]) -> Expr {
        let e = e.clone();
        let n = self.value_of(len) as i64;
        match self.random.below(20) {
            // Without elements, there are no windows, nothing to index, and nothing to repeat.
            4 | 9 | 18 if n == 0 => e,
            3 if n == 0 => {
                let (l, r) = (self.random.below(3) as i64, self.random.below(3) as i64);
                let (l, r) = (self.nonneg(l), self.nonneg(r));
                match element.shape() {
                    (_, Type::Scalar(scalar)) => {
                        Expr::pad(l, r, Boundary::Constant(literal(&Type::Scalar(*scalar), 78)), e)
                    }
                    _ => Expr::pad(ArithExpr::zero(), ArithExpr::zero(), Boundary::Fold(Fold::Clamp), e),
                }
            }
            17 => self.permuted(Prim::Reorder, e),
            18 => self.gathered(e),
            19 if element.as_scalar().is_some() => {
                let bins = self.some_size();
                self.by_key(bins, e)
            }
            0 | 1 => Expr::map_with("m", e, |x| {
                let inner = [scope, std::slice::from_ref(&x)].concat();
                self.grow(x, fuel.min(2), &inner)
            }),
            2 => Expr::map_with("i", e, |x| x),
            3 => {
                let (l, r) = (self.random.below(3) as i64, self.random.below(3) as i64);
                let boundary = self.boundary(element);
                let (l, r) = (self.nonneg(l), self.nonneg(r));
                Expr::pad(l, r, boundary, e)
            }
            4 => {
                let size = 1 + self.random.below(n.min(4) as u64) as i64;
                let steps: Vec<i64> = (1..=3).filter(|s| (n - size) % s == 0).collect();
                let step = self.random.pick(&steps);
                Expr::slide(self.size_of(size), self.size_of(step), e)
            }
            5 => {
                let k = if self.random.below(4) == 0 { self.random.below(n as u64 + 1) as i64 } else { n };
                Expr::take(self.nonneg(k), e)
            }
            6 => {
                let most = if self.random.below(4) == 0 { n + 1 } else { n.max(1) };
                let k = self.random.below(most as u64) as i64;
                Expr::drop(self.nonneg(k), e)
            }
            7 => {
                let divisors: Vec<i64> = (1..=n.max(4)).filter(|m| n % m == 0).collect();
                let m = self.random.pick(&divisors);
                Expr::split(self.size_of(m), e)
            }
            8 => {
                let other = if self.random.flip() {
                    e.refresh()
                } else {
                    self.input(Type::array(element.clone(), len.clone()))
                };
                // Now and then more than have letters.
                let all = if self.random.below(8) == 0 { 10 } else { 2 };
                let arrays = [e, other].into_iter().cycle().take(all).map(|e| Arg::Data(e.refresh()));
                Expr::prim(Prim::Zip, arrays.collect())
            }
            9 => {
                let i = self.random.below(n as u64);
                Expr::prim(Prim::At, vec![Arg::Data(Expr::literal(Literal::from(i as usize))), Arg::Data(e)])
            }
            10 if element.as_scalar().is_some() => self.reduce(e),
            11 if element.as_scalar().is_some() && self.random.flip() => self.scan_with(e),
            11 if element.as_scalar().is_some() => self.fold_like(Prim::Scan(Order::Any), e),
            12 if element.as_scalar().is_some() => self.fold_like(Prim::Reduce(Order::Left), e),
            13 if element.arity() >= 2 => Expr::prim(Prim::Unzip, vec![Arg::Data(e)]),
            14 => self.concat(e, element),
            15 => {
                let times = self.random.below(4);
                if self.random.flip() { self.iterate(times, e) } else { self.iterate_until(times, e) }
            }
            _ if element.as_array().is_some() => {
                let transposed = Expr::transpose(e.clone());
                if self.random.flip() { Expr::join(e) } else { transposed }
            }
            _ => e,
        }
    }

    /// `reorder` or `scatter` by a permutation: the identity, the reversal, a rotation, or one of those that nobody
    /// knows anything about.
    pub(crate) fn permuted(&mut self, prim: Prim, xs: Expr) -> Expr {
        let params: Vec<Param> =
            ["i", "n"].iter().map(|name| Param::new(name, Scalar::Usize.into())).collect();
        let (i, n) = (Expr::param(&params[0]), Expr::param(&params[1]));
        let one = literal(i.ty(), 1);
        let body = match self.random.below(5) {
            0 => i,
            1 | 2 => Expr::binary(BinaryOp::Sub, Expr::binary(BinaryOp::Sub, n, one), i),
            3 => Expr::binary(BinaryOp::Rem, Expr::binary(BinaryOp::Add, i, one), n),
            _ => {
                // The neighbour, except for a last one without.
                let two = literal(i.ty(), 2);
                let rest = Expr::binary(BinaryOp::Rem, i.clone(), two);
                let even = Expr::binary(BinaryOp::Eq, rest, literal(i.ty(), 0));
                let next = Expr::binary(BinaryOp::Add, i.clone(), one.clone());
                let exists = Expr::binary(BinaryOp::Lt, next.clone(), n);
                let up = Expr::if_(exists, next, i.clone());
                Expr::if_(even, up, Expr::binary(BinaryOp::Sub, i, one))
            }
        };
        Expr::prim(prim, vec![Arg::Fun(Lambda { params, body }), Arg::Data(xs)])
    }

    /// Elements of `xs` at computed indices.
    fn gathered(&mut self, xs: Expr) -> Expr {
        let Some((_, len)) = xs.ty().as_array() else { panic!("not an array") };
        let (len, count) = (len.clone(), self.any_size());
        let idx = self.input(Type::array(Scalar::Usize.into(), count));
        let idx = Expr::map_with("i", idx, |i| Expr::binary(BinaryOp::Rem, i, Expr::size(len)));
        Expr::prim(Prim::Gather, vec![Arg::Data(idx), Arg::Data(xs)])
    }

    /// A reduction by keys that are computed.
    pub(crate) fn by_key(&mut self, bins: ArithExpr, xs: Expr) -> Expr {
        let Some((_, len)) = xs.ty().as_array() else { panic!("not an array") };
        let keys = self.input(Type::array(Scalar::Usize.into(), len.clone()));
        let keys = Expr::map_with("k", keys, |k| Expr::binary(BinaryOp::Rem, k, Expr::size(bins.clone())));
        let whole = self.reduce(xs);
        let Some((_, [f, z, xs])) = whole.as_prim() else { panic!("{whole}") };
        let args = vec![Arg::Size(bins), f.clone(), z.clone(), Arg::Data(keys), xs.clone()];
        Expr::prim(Prim::ReduceByKey(ByKey::Whole), args)
    }

    fn nonneg(&mut self, value: i64) -> ArithExpr {
        if value == 0 { ArithExpr::zero() } else { self.size_of(value) }
    }

    /// The array with another one before or behind it.
    pub(crate) fn concat(&mut self, xs: Expr, element: &Type) -> Expr {
        let len = self.any_size();
        let other = self.input(Type::array(element.clone(), len));
        let parts = if self.random.flip() { vec![xs, other] } else { vec![other, xs] };
        Expr::prim(Prim::Concat, parts.into_iter().map(Arg::Data).collect())
    }

    /// A function of values of one type, applied so many times.
    pub(crate) fn iterate(&mut self, times: u64, x: Expr) -> Expr {
        let f = Lambda::unary("state", x.ty().clone(), round);
        let times = Expr::literal(Literal::int(times.into(), Scalar::Usize));
        Expr::prim(Prim::Iterate, vec![Arg::Data(times), Arg::Fun(f), Arg::Data(x)])
    }

    /// The same until some scalar of the value is large.
    pub(crate) fn iterate_until(&mut self, times: u64, x: Expr) -> Expr {
        fn any(x: Expr) -> Expr {
            match x.ty().clone() {
                Type::Scalar(Scalar::Bool) => x,
                Type::Scalar(_) => {
                    let limit = literal(x.ty(), 4);
                    Expr::binary(BinaryOp::Gt, x, limit)
                }
                Type::Array(..) => {
                    let bool = Type::from(Scalar::Bool);
                    let both = vec![Param::new("a", bool.clone()), Param::new("b", bool)];
                    let either = Expr::binary(BinaryOp::Or, Expr::param(&both[0]), Expr::param(&both[1]));
                    let args = vec![
                        Arg::Fun(Lambda { params: both, body: either }),
                        Arg::Data(Expr::literal(Literal::Bool(false))),
                        Arg::Data(Expr::map_with("s", x, any)),
                    ];
                    Expr::prim(Prim::Reduce(Order::Any), args)
                }
                Type::Tuple(_) => any(Expr::field(x, 0)),
            }
        }
        let done = Lambda::unary("state", x.ty().clone(), any);
        let f = Lambda::unary("state", x.ty().clone(), round);
        let times = Expr::literal(Literal::int(times.into(), Scalar::Usize));
        let args = vec![Arg::Data(times), Arg::Fun(done), Arg::Fun(f), Arg::Data(x)];
        Expr::prim(Prim::IterateUntil, args)
    }

    /// A strict reduction, which notices when the order of elements changes.
    pub(crate) fn reduce(&mut self, xs: Expr) -> Expr {
        self.fold_like(Prim::Reduce(Order::Any), xs)
    }

    /// The largest of all numbers and where it is; they are distinct.
    pub(crate) fn largest(&mut self, xs: Expr) -> Expr {
        let Some((ty, len)) = xs.ty().as_array() else { panic!("not an array") };
        let least = match ty.as_scalar() {
            Some(Scalar::F32) => Literal::float(f64::NEG_INFINITY, Scalar::F32),
            _ => Literal::from(i32::MIN),
        };
        let z = Expr::tuple(vec![Expr::literal(least), Expr::size(len.clone())]);
        let same = Lambda::unary("i", Scalar::Usize.into(), |i| i);
        let numbers = Expr::prim(Prim::Array, vec![Arg::Size(len.clone()), Arg::Fun(same)]);
        let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(xs.clone()), Arg::Data(numbers)]);
        Expr::reduce_with(Order::Any, ["a", "b"], z, pairs, |a, b| {
            let less = Expr::binary(BinaryOp::Lt, Expr::field(a.clone(), 0), Expr::field(b.clone(), 0));
            Expr::if_(less, b, a)
        })
    }

    /// Another primitive of the kind of `reduce`.
    pub(crate) fn fold_like(&mut self, prim: Prim, xs: Expr) -> Expr {
        let Some((ty, _)) = xs.ty().as_array() else { panic!("not an array") };
        let (a, b) = (Param::new("a", ty.clone()), Param::new("b", ty.clone()));
        let (body, z) = match (self.associative, ty.as_scalar()) {
            (true, Some(Scalar::F32)) => (
                Expr::math(MathFn::Max, vec![Expr::param(&a), Expr::param(&b)]),
                Expr::literal(Literal::float(f64::NEG_INFINITY, Scalar::F32)),
            ),
            (true, Some(Scalar::Bool)) => {
                (Expr::binary(BinaryOp::Or, Expr::param(&a), Expr::param(&b)), literal(ty, 0))
            }
            (true, _) => (Expr::binary(BinaryOp::Add, Expr::param(&a), Expr::param(&b)), literal(ty, 0)),
            (false, _) => (twice_minus(Expr::param(&a), Expr::param(&b)), literal(ty, 1)),
        };
        let f = Lambda { params: vec![a, b], body };
        Expr::prim(prim, vec![Arg::Fun(f), Arg::Data(z), Arg::Data(xs)])
    }

    /// A scan whose state counts, and is of another type than what comes out.
    pub(crate) fn scan_with(&mut self, xs: Expr) -> Expr {
        let Some((ty, _)) = xs.ty().as_array() else { panic!("not an array") };
        let own = Type::tuple(vec![Scalar::I64.into(), ty.clone()]);
        let (state, x) = (Param::new("state", own.clone()), Param::new("x", ty.clone()));
        let (n, last) = (Expr::field(Expr::param(&state), 0), Expr::field(Expr::param(&state), 1));
        let next = Expr::binary(BinaryOp::Add, n.clone(), literal(&Scalar::I64.into(), 1));
        let out = Expr::tuple(vec![n, twice_minus(Expr::param(&x), last)]);
        let body = Expr::tuple(vec![Expr::tuple(vec![next, Expr::param(&x)]), out]);
        let out = self.random.below(2) as usize;
        let z = Expr::tuple(vec![literal(&Scalar::I64.into(), 3), literal(ty, 4)]);
        let f = Lambda { params: vec![state, x], body };
        let scan = Expr::prim(Prim::ScanWith, vec![Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]);
        Expr::map_with("pair", scan, |pair| Expr::field(pair, out))
    }

    /// A boundary for elements of this type.
    pub(crate) fn boundary(&mut self, element: &Type) -> Boundary {
        let (_, inner) = element.shape();
        match self.random.below(8) {
            0 => Boundary::Fold(Fold::Clamp),
            // The nearest one, said by a function.
            7 => Boundary::Index(boundary_function(|i, n| {
                let number = |n| literal(&Scalar::I64.into(), n);
                let less = Expr::binary(BinaryOp::Lt, i, number(0));
                Expr::if_(less, number(0), Expr::binary(BinaryOp::Sub, n, number(1)))
            })),
            1 => Boundary::Fold(Fold::Mirror),
            2 => Boundary::Fold(Fold::Reflect),
            3 => Boundary::Fold(Fold::Wrap),
            4 => Boundary::Index(boundary_function(|i, n| Expr::math(MathFn::RemEuclid, vec![i, n]))),
            5 => match inner {
                Type::Scalar(scalar) => Boundary::Value(boundary_function(|i, n| {
                    let less = Expr::binary(BinaryOp::Lt, i, n);
                    Expr::if_(less, literal(&Type::Scalar(*scalar), 5), literal(&Type::Scalar(*scalar), 6))
                })),
                Type::Array(..) | Type::Tuple(_) => Boundary::Fold(Fold::Clamp),
            },
            _ => match inner {
                Type::Scalar(_) => Boundary::Constant(literal(inner, 77)),
                Type::Array(..) | Type::Tuple(_) => Boundary::Fold(Fold::Wrap),
            },
        }
    }
}

/// A function of an index and a length.
fn boundary_function(body: impl FnOnce(Expr, Expr) -> Expr) -> Lambda {
    let (i, n) = (Param::new("i", Scalar::I64.into()), Param::new("n", Scalar::I64.into()));
    let body = body(Expr::param(&i), Expr::param(&n));
    Lambda { params: vec![i, n], body }
}

pub(crate) fn literal(ty: &Type, value: i32) -> Expr {
    Expr::literal(Literal::number(value, ty.as_scalar().unwrap_or(Scalar::I32)))
}

/// A value of the same type as `x`, in which every scalar is another one.
fn round(x: Expr) -> Expr {
    match x.ty().clone() {
        Type::Scalar(_) => {
            let three = literal(x.ty(), 3);
            twice_minus(x, three)
        }
        Type::Array(..) => Expr::map_with("s", x, round),
        Type::Tuple(parts) => {
            Expr::tuple((0..parts.len()).map(|i| round(Expr::field(x.clone(), i))).collect())
        }
    }
}

/// `2 * a - b`; for truth values `a`.
pub(crate) fn twice_minus(a: Expr, b: Expr) -> Expr {
    if *a.ty() == Type::from(Scalar::Bool) {
        return a;
    }
    let two = literal(a.ty(), 2);
    Expr::binary(BinaryOp::Sub, Expr::binary(BinaryOp::Mul, two, a), b)
}

/// Whether every variable is bound once and before use; `Err` says which is not.
pub(crate) fn well_scoped(e: &Expr, world: &World) -> Result<(), String> {
    let kernel = Kernel {
        name: "test".to_string(),
        sizes: world.sizes.keys().cloned().collect(),
        facts: world.facts.clone(),
        params: world.inputs.iter().map(|(param, _)| param.clone()).collect(),
        body: e.clone(),
        outputs: lift_core::ir::results(e.ty()),
        checks: Vec::new(),
        source: None,
        step: None,
        options: KernelOptions::default(),
        interface: None,
    };
    match crate::check::check(&kernel) {
        // Lengths of random programs are equal by value, which the facts cannot know.
        Err(text) if !text.contains("should be equal") => Err(text),
        _ => Ok(()),
    }
}

/// Whether two results are the same but for where floats were rounded.
pub(crate) fn close(a: &Value, b: &Value) -> bool {
    if let (Value::Array(xs), Value::Array(ys)) | (Value::Tuple(xs), Value::Tuple(ys)) = (a, b) {
        return xs.len() == ys.len() && xs.iter().zip(ys.iter()).all(|(x, y)| close(x, y));
    }
    match (a.as_scalar().and_then(Literal::as_float), b.as_scalar().and_then(Literal::as_float)) {
        (Some(a), Some(b)) => {
            a == b || (a - b).abs() <= 1e-4 * a.abs().max(b.abs()).max(1.0) || (a.is_nan() && b.is_nan())
        }
        _ => a == b,
    }
}
