//! Start values of `reduce`, `scan` and `reduce_by_key` that are not neutral.
//!
//! These may use their start value any number of times. Where the function is made of operators whose neutral elements are known, any value may
//! stand there: it is combined with the result, once. Other functions are tried with a few values: there is a warning if using the start value twice gives
//! another result than using it once.

use std::collections::BTreeMap;

use crate::diag::Diagnostics;
use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, MathFn, Order, Param, Prim, Scalar, Type};
use crate::span::Span;
use crate::typecheck::associativity::{Choices, TRIES, Value, applied, is_refuted, value};
use crate::typecheck::error;
use crate::typecheck::identity::{both_zero, number};

/// `reduce(f, z, xs)` as `f(z, reduce(f, neutral, xs))`, and the others alike, wherever `z` is not known to be neutral and something else is.
pub(super) fn apart(e: &Expr) -> Expr {
    Apart { values: Values::new(), calls: Vec::new() }.taken(e)
}

/// The values of variables.
type Values = BTreeMap<u32, Expr>;

struct Apart {
    values: Values,
    /// The calls that the expression stands in. `reduce2d` is a reduction of reductions, and its start value counts in the outer one.
    calls: Vec<Span>,
}

impl Apart {
    fn taken(&mut self, e: &Expr) -> Expr {
        if let Kind::Let(param, value, _) = e.kind() {
            self.values.insert(param.id, written(value, &self.values));
        }
        let is_inner = self.calls.iter().any(|call| call.is(e.span()));
        let calls = self.calls.len();
        self.calls.extend(accumulation(e).map(|_| e.span()));
        let e = e.map_children(&mut |x| self.taken(x));
        self.calls.truncate(calls);
        let Some((prim, f, z)) = accumulation(&e) else { return e };
        let Some((_, args)) = e.as_prim() else { return e };
        let start = Param::new("start", z.ty().clone());
        let Some(neutral) = neutral_of(f, &Expr::param(&start), &written(z, &self.values)) else { return e };
        let args = args.iter().map(|arg| match arg {
            Arg::Data(x) if x == z => Arg::Data(neutral.clone()),
            arg => arg.clone(),
        });
        let rest = Expr::prim(prim, args.collect()).at(e.span());
        let with_start = |rest: Expr| {
            let result = Param::new("rest", rest.ty().clone());
            let combined = f.apply(&[Expr::param(&start), Expr::param(&result)]);
            Expr::let_(result, rest, combined)
        };
        let all = match prim {
            _ if is_inner => rest,
            Prim::Reduce(_) => with_start(rest),
            _ => Expr::map_with("rest", rest, with_start),
        };
        Expr::let_(start, z.clone(), all).at(e.span())
    }
}

/// Warns of start values of other functions that are not neutral, or may be so.
pub(super) fn check(body: &Expr, diags: &mut Diagnostics) {
    let mut values = Values::new();
    body.visit(&mut |e| {
        if let Kind::Let(param, value, _) = e.kind() {
            values.insert(param.id, written(value, &values));
        }
        let Some((prim, f, z)) = accumulation(e) else { return };
        let z = &written(z, &values);
        if (Start { names: Names::of(f) }).neutral(&f.body, &[], z).is_some() {
            return;
        }
        // What may not be regrouped at all was said before.
        if let Some((known, [x, once, twice])) = counterexample(f, z)
            && !is_refuted(f)
        {
            let results = [once.text(), twice.text()];
            diags.push(error::start_counts(z.span(), prim.name(), known, &x.text(), &results));
        }
    });
}

/// A start value as it was written, where it has a name.
fn written(z: &Expr, values: &Values) -> Expr {
    match z.kind() {
        Kind::Param(p) => values.get(&p.id).unwrap_or(z).clone(),
        // As in `[0.0; 3]`, whose elements are one value.
        Kind::Let(param, value, rest) => {
            let mut values = values.clone();
            values.insert(param.id, written(value, &values));
            written(rest, &values)
        }
        Kind::Tuple(_) | Kind::Field(..) | Kind::ArrayLiteral(_) | Kind::Prim(Prim::Array, _) => {
            z.map_children(&mut |x| written(x, values))
        }
        _ => z.clone(),
    }
}

/// The function and the start value of what may use it any number of times.
fn accumulation(e: &Expr) -> Option<(Prim, &Lambda, &Expr)> {
    match e.as_prim()? {
        (prim @ (Prim::Reduce(Order::Any) | Prim::Scan(Order::Any)), [Arg::Fun(f), Arg::Data(z), _])
        | (prim @ Prim::ReduceByKey(_), [Arg::Size(_), Arg::Fun(f), Arg::Data(z), ..]) => Some((prim, f, z)),
        _ => None,
    }
}

/// The neutral element of a function, if it is known and `z`, for which `start` stands, is not known to be it.
fn neutral_of(f: &Lambda, start: &Expr, z: &Expr) -> Option<Expr> {
    let search = Start { names: Names::of(f) };
    if search.neutral(&f.body, &[], z)?.as_written {
        return None;
    }
    Some(search.neutral(&f.body, &[], start)?.value)
}

/// A neutral element, and whether the start value is known to be it.
struct Neutral {
    value: Expr,
    as_written: bool,
}

/// Which parts of its parameters the parts of a function's result are made of.
struct Start {
    names: Names,
}

impl Start {
    /// The neutral element of the part of a function's result that `body` computes of the parts at `path` of its parameters. `z`: that part of the start value.
    fn neutral(&self, body: &Expr, path: &[usize], z: &Expr) -> Option<Neutral> {
        match body.kind() {
            Kind::Let(param, value, rest) => {
                let names = self.names.with(param.id, Name::Value(value.clone()));
                Start { names }.neutral(rest, path, z)
            }
            Kind::Param(p) => match self.names.find(p.id)? {
                Name::Value(value) => self.neutral(value, path, z),
                _ => None,
            },
            Kind::Tuple(parts) => {
                let mut whole = Neutral { value: z.clone(), as_written: true };
                let mut values = Vec::new();
                for (i, part) in parts.iter().enumerate() {
                    let path = [path, &[i]].concat();
                    let found = self.neutral(part, &path, &Expr::field(z.clone(), i))?;
                    whole.as_written &= found.as_written;
                    values.push(found.value);
                }
                whole.value = Expr::tuple(values);
                Some(whole)
            }
            Kind::Binary(op, a, b) if self.are_both(a, b, path) => {
                let scalar = body.ty().as_scalar()?;
                match op {
                    BinaryOp::And | BinaryOp::Or | BinaryOp::BitAnd | BinaryOp::BitOr => Some(any(z)),
                    BinaryOp::Add => Some(known(0, scalar, z)),
                    BinaryOp::Mul => Some(known(1, scalar, z)),
                    BinaryOp::BitXor if scalar != Scalar::Bool => Some(known(0, scalar, z)),
                    _ => None,
                }
            }
            Kind::Math(function, args) => {
                let [a, b] = args.as_slice() else { return None };
                let scalar = body.ty().as_scalar().filter(|_| self.are_both(a, b, path))?;
                match function {
                    MathFn::Min | MathFn::Max => Some(any(z)),
                    MathFn::WrappingAdd => Some(known(0, scalar, z)),
                    MathFn::WrappingMul => Some(known(1, scalar, z)),
                    _ => None,
                }
            }
            Kind::Prim(Prim::Map(_), args) => self.of_elements(args, path, z),
            _ => None,
        }
    }

    /// The same for an array, `|a, b| zip(a, b).map(f)`.
    fn of_elements(&self, args: &[Arg], path: &[usize], z: &Expr) -> Option<Neutral> {
        let [Arg::Fun(f), Arg::Data(pairs)] = args else { return None };
        let (Prim::Zip, [Arg::Data(a), Arg::Data(b)]) = pairs.as_prim()? else { return None };
        let ([pair], true) = (f.params.as_slice(), self.are_both(a, b, path)) else { return None };
        let elements = Start { names: Names(vec![(pair.id, Name::Pair)]) };
        let of = |z: &Expr| elements.neutral(&f.body, &[], z);
        let Type::Array(element, _) = z.ty() else { return None };
        let each = Param::new("start", (**element).clone());
        let value = of(&Expr::param(&each))?.value;
        let as_written = match (z.kind(), z.as_prim()) {
            (Kind::ArrayLiteral(zs), _) => zs.iter().all(|z| of(z).is_some_and(|found| found.as_written)),
            (_, Some((Prim::Array, [_, Arg::Fun(g)]))) => of(&g.body).is_some_and(|found| found.as_written),
            _ => false,
        };
        let value = Expr::map(Lambda { params: vec![each], body: value }, z.clone());
        Some(Neutral { value, as_written })
    }

    /// Whether these are the parts at `path` of both parameters, one of each.
    fn are_both(&self, a: &Expr, b: &Expr, path: &[usize]) -> bool {
        let (Some(a), Some(b)) = (self.names.part(a), self.names.part(b)) else { return false };
        a.0 != b.0 && a.1 == path && b.1 == path
    }
}

/// Of an idempotent operator every value may be used any number of times.
fn any(z: &Expr) -> Neutral {
    Neutral { value: z.clone(), as_written: true }
}

fn known(value: i32, scalar: Scalar, z: &Expr) -> Neutral {
    let neutral = Literal::number(value, scalar);
    let as_written = number(z).is_some_and(|z| z == neutral || both_zero(z, neutral));
    Neutral { value: Expr::literal(neutral), as_written }
}

/// What a variable of a function stands for.
#[derive(Clone)]
enum Name {
    /// The first or the second parameter.
    Side(usize),
    /// A pair of elements of both.
    Pair,
    Value(Expr),
}

#[derive(Clone)]
struct Names(Vec<(u32, Name)>);

impl Names {
    fn of(f: &Lambda) -> Names {
        Names(f.params.iter().enumerate().map(|(i, p)| (p.id, Name::Side(i))).collect())
    }

    fn with(&self, id: u32, name: Name) -> Names {
        let mut names = self.clone();
        names.0.push((id, name));
        names
    }

    fn find(&self, id: u32) -> Option<&Name> {
        self.0.iter().rev().find(|(name, _)| *name == id).map(|(_, name)| name)
    }

    /// Which part of which parameter this is.
    fn part(&self, e: &Expr) -> Option<(usize, Vec<usize>)> {
        match e.kind() {
            Kind::Param(p) => match self.find(p.id)? {
                Name::Side(side) => Some((*side, Vec::new())),
                Name::Pair => None,
                Name::Value(value) => self.part(value),
            },
            Kind::Field(x, i) if self.is_pair(x) => Some((*i, Vec::new())),
            Kind::Field(x, i) => {
                let (side, mut path) = self.part(x)?;
                path.push(*i);
                Some((side, path))
            }
            _ => None,
        }
    }

    fn is_pair(&self, e: &Expr) -> bool {
        let Kind::Param(p) = e.kind() else { return false };
        match self.find(p.id) {
            Some(Name::Pair) => true,
            Some(Name::Value(value)) => self.is_pair(value),
            _ => false,
        }
    }
}

/// An element with which the start value twice gives another result than once: the element, and both results. `true`: the start value is known.
fn counterexample(f: &Lambda, z: &Expr) -> Option<(bool, [Value; 3])> {
    let [a, _] = f.params.as_slice() else { return None };
    let known = value(z, &mut Vec::new());
    let mut choices = Choices::new();
    (0..TRIES).find_map(|_| {
        let z = known.clone().or_else(|| choices.value(&a.ty))?;
        let x = choices.value(&a.ty)?;
        let once = applied(f, &z, &x)?;
        let twice = applied(f, &z, &once)?;
        once.differs(&twice).then_some((known.is_some(), [x, once, twice]))
    })
}

#[cfg(test)]
mod tests {
    use crate::pipeline::{Checked, check};

    fn codes(body: &str) -> Vec<&'static str> {
        let text = format!("#[kernel] pub fn Whole<N>(s: f32, a: [f32; N]) -> f32 {{ {body} }}");
        let diagnostics = check(text.parse().unwrap_or_default());
        // One of the parameters is not used.
        diagnostics.iter().map(|d| d.code).filter(|code| *code != "L0170").collect()
    }

    #[test]
    fn start_values_that_count_once_or_not_are_accepted() {
        for body in [
            "a.reduce(add, s)",
            "a.reduce(|x, y| y * x, 2.0 * s)",
            "a.reduce(max, s)",
            "a.map(|x| (x, x)).reduce(|(p, q), (r, s)| (p + r, q.min(s)), (s, s)).0",
            "zip(a, a).reduce(|x, y| if y.0 > x.0 { y } else { x }, (s, 0.0)).1",
            "a.reduce(|x, y| (x * x + y * y).sqrt(), 0.0)",
        ] {
            assert_eq!(codes(body), Vec::<&str>::new(), "{body}");
        }
    }

    #[test]
    fn neutral_start_values_stay_as_they_are() {
        for start in ["[0.0; 3]", "[0.0, 0.0, 0.0]", "array(3, |_| 0.0)", "{ let z = 0.0; [z; 3] }"] {
            let body = format!("a.split(3).reduce(|x, y| zip(x, y).map(add), {start})");
            let text = format!("#[kernel] pub fn Whole<N>(a: [f32; 3 * N]) -> [f32; 3] {{ {body} }}");
            let checked = Checked::of(text.parse().unwrap_or_default());
            let body = checked.kernels[0].body.to_string();
            assert!(body.starts_with("a.split(3).reduce("), "{body}");
        }
    }

    #[test]
    fn start_values_that_would_count_more_than_once_are_found() {
        for body in [
            "a.reduce(|x, y| (x * x + y * y).sqrt(), s)",
            "a.reduce(|x, y| (x * x + y * y).sqrt(), 1.0)",
            "a.reduce(|x, y| x + y - x * y, 0.5)",
            "a.map(|x| (x, 1.0)).reduce(|(p, q), (r, s)| (p * r, p * s + q), (1.0, 1.0)).1",
        ] {
            assert_eq!(codes(body), ["L0335"], "{body}");
        }
    }
}
