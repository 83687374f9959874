//! Loops that look for the elements of each key, as reductions by key.
//!
//! What a user writes as a reduction for each of many numbers, in which only elements count that belong to the number, goes through all elements
//! for each of them. A `fold` over an array of sums, of which each element changes one, goes through all sums for each element. Either is one pass: elements say
//! where they belong. Those that belong nowhere have a bin of their own.

use crate::arith::ArithExpr;
use crate::ir::{
    Arg, BinaryOp, ByKey, Expr, Kind, Lambda, Literal, MathFn, Memory, Order, Param, Prim, Scalar, Type,
};
use crate::rewrite::demand::{as_size, is_costly};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::reduction::{as_reduce, fresh};
use crate::rewrite::scope::{occurrences, replace, same};

pub static REDUCE_WHERE: Rule = Rule {
    name: "reduce_where",
    about: "Each number has a reduction of the elements that belong to it: one pass over the elements does all of them.",
    equation: "array(b, |k| reduce(f, z) . map(|x| if c(x) == k { v(x) } else { z }) $ xs) = take(b) . reduce_by_key(b + 1, f, z) $ \
               (map(|x| min(c(x), b)) $ xs, map(v) $ xs)",
    when: "also for `k as T`, of which no two are the same, and for `k + d`; without a place for other elements if c(x) is a byte and b is 256, and the like",
    apply: |e, _| {
        let (Prim::Array, [Arg::Size(bins), Arg::Fun(by_bin)]) = e.as_prim()? else { return None };
        let ([k], (f, z, elements)) = (by_bin.params.as_slice(), as_reduce(&by_bin.body)?) else {
            return None;
        };
        let (g, xs) = as_map(elements)?;
        let ([x], true) = (g.params.as_slice(), free(xs, k)) else { return None };
        let (lets, value) = definitions(&g.body);
        let (key, v) = match value.kind() {
            Kind::If(cond, v, other) if same(other, z) => (key(cond, k, bins)?, v.clone()),
            Kind::Cast(to, cond) if to.is_integer() && is_zero(z) => {
                (key(cond, k, bins)?, Expr::literal(Literal::number(1, *to)))
            }
            _ => return None,
        };
        let free_of = |e: &Expr| free(e, k);
        if !free_of(&v)
            || !free_of(z)
            || !lets.iter().all(|(_, value)| free_of(value))
            || f.params.iter().any(|p| p.ty != *v.ty())
        {
            return None;
        }
        let by_key = Pass { bins, lets: &lets, x, xs }.reduced((&fresh(f), &z.refresh()), key, v, false);
        Some(by_key.at(e.span()))
    },
};

pub static FOLD_BY_KEY: Rule = Rule {
    name: "fold_by_key",
    about: "A loop whose trips change one element each of what is accumulated, which changes them where they are. Keys that take long are stored.",
    equation: "fold(|s, x| array(b, |k| if c(x) == k { f(s[k], v(x)) } else { s[k] }), array(b, |_| z)) $ xs = take(b) . \
               reduce_by_key_seq(b + 1, f, z, 0, n) $ (map(|x| min(c(x), b)) $ xs, map(v) $ xs)",
    when: "on n elements, for operators f, also for each part of a tuple or short array; c(x) == k as for `reduce_where`",
    apply: |e, _| fold_by_key(e),
};

pub static BY_KEY_WHOLE: Rule = Rule {
    name: "reduce_by_key_whole",
    about: "Where order does not matter, many work-items may reduce.",
    equation: "reduce_by_key_seq(b, f, z, 0, n) = reduce_by_key(b, f, z)",
    when: "on n elements, for `+`, `&`, `|`, `^`, `min` and `max` of integers, of which z is neutral, or any value for `min`, `max`, `&` and `|`",
    apply: |e, cx| {
        let (
            Prim::ReduceByKey(ByKey::Item),
            [bins, Arg::Fun(f), Arg::Data(z), Arg::Data(from), Arg::Data(to), keys, Arg::Data(xs)],
        ) = e.as_prim()?
        else {
            return None;
        };
        let is_all = matches!((from.kind(), to.kind()), (Kind::Size(a), Kind::Size(b)) if *a == ArithExpr::zero() && cx.facts.eq(b, &xs.ty().length()).is_yes());
        if !is_all || !is_any_order(f, z) {
            return None;
        }
        let args =
            [bins.clone(), Arg::Fun(f.clone()), Arg::Data(z.clone()), keys.clone(), Arg::Data(xs.clone())];
        Some(Expr::prim(Prim::ReduceByKey(ByKey::Whole), args.into()).at(e.span()))
    },
};

/// How many bins such an expression has, if it is one.
pub fn bins(e: &Expr) -> Option<ArithExpr> {
    match e.as_prim()? {
        (Prim::Array, [Arg::Size(bins), Arg::Fun(f)]) if as_reduce(&f.body).is_some() => Some(bins.clone()),
        (Prim::Reduce(Order::Left), _) => Some(e.ty().as_array()?.1.clone()),
        _ => None,
    }
}

/// A key as an index, and whether it is known to be one of a bin.
struct Key {
    index: Expr,
    is_bin: bool,
}

/// A pass over elements, each of which a function with these definitions looks at.
struct Pass<'a> {
    bins: &'a ArithExpr,
    lets: &'a [(Param, Expr)],
    x: &'a Param,
    xs: &'a Expr,
}

impl Pass<'_> {
    /// The bins that are reduced in the pass: by one work-item `in_order`, or by many.
    fn reduced(&self, (f, z): (&Lambda, &Expr), key: Key, v: Expr, in_order: bool) -> Expr {
        let bins = if key.is_bin { self.bins.clone() } else { self.bins + 1 };
        let last = Expr::size(self.bins.clone());
        let index = if key.is_bin { key.index } else { Expr::math(MathFn::Min, vec![key.index, last]) };
        let (keys, values) = (self.mapped(index, in_order), self.mapped(v, in_order).refresh());
        let all = [ArithExpr::zero(), self.xs.ty().length()].map(|n| Arg::Data(Expr::size(n)));
        let range = if in_order { all.as_slice() } else { &[] };
        let first = [Arg::Size(bins), Arg::Fun(f.clone()), Arg::Data(z.clone())];
        let args = [&first, range, &[Arg::Data(keys), Arg::Data(values)]].concat();
        let form = if in_order { ByKey::Item } else { ByKey::Whole };
        let reduced = Expr::prim(Prim::ReduceByKey(form), args);
        if key.is_bin { reduced } else { Expr::take(self.bins.clone(), reduced) }
    }

    /// What the function makes of all elements; where one work-item reads them in order, others compute what takes long.
    fn mapped(&self, value: Expr, in_order: bool) -> Expr {
        let used = self.lets.iter().rfold(value, |rest, (param, value)| {
            if occurrences(&rest, param.id).count == 0 {
                rest
            } else {
                Expr::let_(param.clone(), value.clone(), rest)
            }
        });
        let is_stored = in_order && is_costly(&used);
        let all = Expr::map(Lambda { params: vec![self.x.clone()], body: used }, self.xs.clone()).refresh();
        if is_stored { Expr::store(Memory::Temporary, all) } else { all }
    }
}

pub(super) fn fold_by_key(e: &Expr) -> Option<Expr> {
    let (Order::Left, f, start, xs) = e.as_reduction()? else { return None };
    let [s, x] = f.params.as_slice() else { return None };
    let (element, bins) = e.ty().as_array()?;
    let (lets, next) = definitions(&f.body);
    let (k, old) = (Param::new("k", Scalar::Usize.into()), Param::new("old", element.clone()));
    let changed = of_element(next, s, bins, (&k, &old))?;
    let (inner, choice) = definitions(&changed);
    let lets = [lets, inner].concat();
    let Kind::If(cond, update, other) = choice.kind() else { return None };
    let is_free = |e: &Expr| [s, &k, &old].iter().all(|param| free(e, param));
    let key = key(cond, &k, bins)?;
    if !matches!(other.kind(), Kind::Param(p) if *p == old) || !is_free(&key.index) {
        return None;
    }
    let parts = parts(update, &old)?;
    let (ops, values): (Vec<Op>, Vec<Expr>) = parts.into_iter().unzip();
    if !lets.iter().map(|(_, value)| value).chain(&values).all(is_free) {
        return None;
    }
    let z = start_of(start)?;
    let of_tuple = matches!(update.kind(), Kind::Tuple(_) | Kind::ArrayLiteral(_));
    let z = match update.kind() {
        Kind::ArrayLiteral(_) => Expr::tuple((0..ops.len()).map(|i| at(i, &z)).collect()),
        _ => z.refresh(),
    };
    let v = if of_tuple { Expr::tuple(values) } else { values.into_iter().next()? };
    let function = combined(&ops, v.ty(), of_tuple)?;
    let by_key = Pass { bins, lets: &lets, x, xs }.reduced((&function, &z), key, v, true).at(e.span());
    Some(match update.kind() {
        Kind::ArrayLiteral(_) => Expr::map_with("bin", by_key, |bin| {
            Expr::array_literal((0..ops.len()).map(|i| Expr::field(bin.clone(), i)).collect())
        }),
        _ => by_key,
    })
}

/// What becomes of element `k` of the state, in terms of `k` and of what was there.
fn of_element(next: &Expr, s: &Param, bins: &ArithExpr, (k, old): (&Param, &Param)) -> Option<Expr> {
    let is_state = |e: &Expr| matches!(e.kind(), Kind::Param(p) if p == s);
    let (k, old) = (Expr::param(k), Expr::param(old));
    let number = |e: &Expr| match e.as_prim() {
        Some((Prim::Array, [Arg::Size(n), Arg::Fun(g)])) if n == bins => {
            Some(g.apply(std::slice::from_ref(&k)))
        }
        _ => None,
    };
    if let Some(changed) = number(next) {
        return Some(read(&changed, &|e| match e.as_prim() {
            Some((Prim::At, [Arg::Data(i), Arg::Data(xs)])) if *i == k && is_state(xs) => Some(old.clone()),
            _ => None,
        }));
    }
    let (f, elements) = as_map(next)?;
    let [t] = f.params.as_slice() else { return None };
    let part = |e: &Expr| if is_state(e) { Some(old.clone()) } else { number(e) };
    let by = match elements.as_prim() {
        Some((Prim::Zip, parts)) => {
            Expr::tuple(parts.iter().map(|arg| part(arg.data()?)).collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(replace(&f.body, t.id, &by))
}

/// The expression with what `of` gives in place of its parts.
fn read(e: &Expr, of: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
    of(e).unwrap_or_else(|| e.map_children(&mut |child| read(child, of)))
}

/// What an operator does with what was there and a value.
#[derive(Clone, Copy)]
enum Op {
    /// The value is the left operand if this says so.
    Binary(BinaryOp, bool),
    Math(MathFn),
}

/// The operators of a scalar, or of the parts of a tuple or array, and the values that are combined with what was there.
fn parts(update: &Expr, old: &Param) -> Option<Vec<(Op, Expr)>> {
    let is_old = |e: &Expr| matches!(e.kind(), Kind::Param(p) if p == old);
    match update.kind() {
        Kind::Tuple(parts) => {
            let is_part = |e: &Expr, i: usize| matches!(e.kind(), Kind::Field(x, j) if i == *j && is_old(x));
            parts.iter().enumerate().map(|(i, x)| operator(x, &|e| is_part(e, i))).collect()
        }
        Kind::ArrayLiteral(parts) => {
            let is_part = |e: &Expr, i: usize| match e.as_prim() {
                Some((Prim::At, [Arg::Data(j), Arg::Data(x)])) => {
                    is_old(x) && as_size(j).and_then(|j| j.as_const()) == Some(i as i64)
                }
                _ => false,
            };
            parts.iter().enumerate().map(|(i, x)| operator(x, &|e| is_part(e, i))).collect()
        }
        _ => Some(vec![operator(update, &is_old)?]),
    }
}

fn operator(update: &Expr, is_old: &dyn Fn(&Expr) -> bool) -> Option<(Op, Expr)> {
    let is_scalar = matches!(update.ty(), Type::Scalar(_));
    match update.kind() {
        Kind::Binary(op, a, b) if is_scalar && is_old(a) => Some((Op::Binary(*op, false), b.clone())),
        Kind::Binary(op, a, b) if is_scalar && is_old(b) => Some((Op::Binary(*op, true), a.clone())),
        Kind::Math(f @ (MathFn::Min | MathFn::Max), args) => match args.as_slice() {
            [a, b] if is_old(a) => Some((Op::Math(*f), b.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// The function of two elements that operators are.
fn combined(ops: &[Op], ty: &Type, of_tuple: bool) -> Option<Lambda> {
    let params = vec![Param::new("a", ty.clone()), Param::new("b", ty.clone())];
    let [a, b] = [&params[0], &params[1]].map(Expr::param);
    let part = |whole: &Expr, i: usize| if of_tuple { Expr::field(whole.clone(), i) } else { whole.clone() };
    let results: Vec<Expr> = ops
        .iter()
        .enumerate()
        .map(|(i, op)| match (op, part(&a, i), part(&b, i)) {
            (Op::Binary(op, false), a, b) => Expr::binary(*op, a, b),
            (Op::Binary(op, true), a, b) => Expr::binary(*op, b, a),
            (Op::Math(f), a, b) => Expr::math(*f, vec![a, b]),
        })
        .collect();
    let body = if of_tuple { Expr::tuple(results) } else { results.into_iter().next()? };
    (body.ty() == ty).then_some(Lambda { params, body })
}

/// The element that an array has everywhere.
fn start_of(start: &Expr) -> Option<Expr> {
    match (start.kind(), start.as_prim()) {
        (Kind::Let(param, value, body), _) => Some(replace(&start_of(body)?, param.id, value)),
        (_, Some((Prim::Array, [_, Arg::Fun(f)]))) => {
            free(&f.body, f.params.first()?).then(|| f.body.clone())
        }
        _ => None,
    }
}

/// The definitions at the root, and what follows them.
fn definitions(e: &Expr) -> (Vec<(Param, Expr)>, &Expr) {
    let (mut all, mut rest) = (Vec::new(), e);
    while let Kind::Let(param, value, body) = rest.kind() {
        all.push((param.clone(), value.clone()));
        rest = body;
    }
    (all, rest)
}

/// What is compared with the number of a bin.
fn key(cond: &Expr, k: &Param, bins: &ArithExpr) -> Option<Key> {
    let Kind::Binary(BinaryOp::Eq, a, b) = cond.kind() else { return None };
    let (number, key) = if free(a, k) { (b, a) } else { (a, b) };
    if !free(key, k) {
        return None;
    }
    let (number, key) = match number.kind() {
        Kind::Binary(BinaryOp::Add, x, d) | Kind::Binary(BinaryOp::Add, d, x) if free(d, k) => {
            (x, Expr::binary(BinaryOp::Sub, key.clone(), d.clone()))
        }
        _ => (number, key.clone()),
    };
    let is_bin = |e: &Expr| matches!(e.kind(), Kind::Param(p) if p == k);
    match number.kind() {
        _ if is_bin(number) => {}
        Kind::Cast(to, x) if is_bin(x) && are_different(*to, bins) => {}
        _ => return None,
    }
    let index = if *key.ty() == Scalar::Usize.into() { key } else { Expr::cast(Scalar::Usize, key) };
    let most = match index.kind() {
        Kind::Cast(_, x) => x.ty().as_scalar().and_then(|scalar| match scalar {
            Scalar::U8 => Some(1 << 8),
            Scalar::U16 => Some(1 << 16),
            _ => None,
        }),
        _ => None,
    };
    let is_bin = most.is_some_and(|most| bins.as_const().is_some_and(|bins| bins >= most));
    Some(Key { index, is_bin })
}

/// Whether the numbers below `bins` are different integers of this type.
fn are_different(scalar: Scalar, bins: &ArithExpr) -> bool {
    if !scalar.is_integer() {
        return false;
    }
    let bits = 8 * scalar.bytes() - i64::from(scalar.is_signed());
    bits >= 63 || bins.as_const().is_some_and(|bins| bins <= 1 << bits)
}

/// Whether a function of integers gives the same in any order, and so many more times with the start.
fn is_any_order(f: &Lambda, z: &Expr) -> bool {
    let [a, b] = f.params.as_slice() else { return false };
    let is = |e: &Expr, param| matches!(e.kind(), Kind::Param(p) if p == param);
    let are_both = |x: &Expr, y: &Expr| is(x, a) && is(y, b) || is(x, b) && is(y, a);
    let is_integer = a.ty.as_scalar().is_some_and(Scalar::is_integer);
    is_integer
        && match f.body.kind() {
            Kind::Binary(BinaryOp::Add | BinaryOp::BitXor, x, y) => are_both(x, y) && is_zero(z),
            Kind::Binary(BinaryOp::BitAnd | BinaryOp::BitOr, x, y) => are_both(x, y),
            Kind::Math(MathFn::Min | MathFn::Max, args) => {
                matches!(args.as_slice(), [x, y] if are_both(x, y))
            }
            _ => false,
        }
}

fn is_zero(z: &Expr) -> bool {
    matches!(z.kind(), Kind::Literal(literal) if literal.as_int() == Some(0))
}

fn free(e: &Expr, param: &Param) -> bool {
    occurrences(e, param.id).count == 0
}

/// `xs[i]`
fn at(i: usize, xs: &Expr) -> Expr {
    let i = Expr::size(ArithExpr::cst(i as i64));
    match xs.as_prim() {
        Some((Prim::Array, [_, Arg::Fun(f)])) => f.apply(&[i]),
        _ => Expr::prim(Prim::At, vec![Arg::Data(i), Arg::Data(xs.refresh())]),
    }
}

#[cfg(test)]
mod tests {
    use crate::program::cut;

    /// The launches of a kernel, as text.
    fn stages(text: &str) -> Vec<String> {
        let kernels = crate::pipeline::compile(text.parse().expect("tokens")).kernels;
        let kernel = &kernels.first().expect("a kernel").kernel;
        cut(kernel).stages.iter().map(|stage| stage.body.to_string()).collect()
    }

    #[test]
    fn elements_that_are_compared_with_many_numbers_say_which_one_they_belong_to() {
        let counted = |bins: usize, key: &str| {
            let first = &stages(&format!(
                "#[kernel] fn K<N>(x: [u8; N]) -> [i32; {bins}] {{ array({bins}, |k| x.map(|x| ({key} == k) as i32).reduce(add, 0)) }}"
            ))[0];
            first.contains(&format!("reduce_by_key_seq({bins}"))
                || first.contains(&format!("reduce_by_key_seq({}", bins + 1))
        };
        assert!(counted(256, "x as usize") && counted(100, "x as usize + 3"));
        // A reduction in vectors is as fast; what depends on the number is no key.
        assert!(!counted(8, "x as usize") && !counted(100, "x as usize + k"));
    }

    #[test]
    fn bytes_need_no_place_for_others() {
        let first = &stages(
            "#[kernel] fn K<N>(x: [u8; N]) -> [i32; 256] { array(256, |k| x.map(|x| (x as usize == k) as i32).reduce(add, 0)) }",
        )[0];
        assert!(first.contains("reduce_by_key_seq(256,") && !first.contains("min(256)"), "{first}");
    }

    #[test]
    fn sums_of_floats_are_changed_in_order() {
        let changed = |start: &str, one: &str| {
            stages(&format!(
                "#[kernel] fn K<N>(k: [u32; N]) -> [{one}; 9] {{
                    k.fold(|s, k| zip(s, array(9, |i| i as u32)).map(|s, i| if i == k {{ s + 1 as {one} }} else {{ s }}), repeat(9, {start}))
                }}"
            ))
        };
        let floats = changed("0.5", "f32");
        assert!(
            floats.iter().any(|stage| stage.contains("reduce_by_key_seq(10, |a, b| a + b, 0.5, 0, N")),
            "{floats:?}"
        );
        let integers = changed("0", "i32");
        assert!(integers.iter().all(|stage| !stage.contains("0, N,")) && integers.len() > 1, "{integers:?}");
    }
}
