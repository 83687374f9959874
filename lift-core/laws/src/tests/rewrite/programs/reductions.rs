//! Reductions, alone and in products.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, ByKey, Expr, Lambda, Literal, MathFn, Order, Param, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;

use super::{constants, numbers, zip};
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, scope: &[Expr]) -> Option<Expr> {
    let side = match rule.name {
        "reduce_tree" => {
            let n = w.random.pick(&[2, 3, 4, 5, 7, 8, 13, 16, 21]);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = w.input(Type::array(scalar.into(), n.into()));
            w.reduce(xs)
        }
        "reduce_rows" if w.random.below(3) == 0 => {
            let dims = [w.any_size(), w.any_size(), w.any_size()];
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let planes = w.input(Type::from(scalar).with_shape(&dims));
            let sums = Expr::map_with("plane", planes, |plane| {
                let rows = Expr::map_with("row", plane, |row| w.reduce(row));
                w.reduce(rows)
            });
            w.reduce(sums)
        }
        "reduce_rows" => {
            let dims = [w.any_size(), w.any_size()];
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let rows = w.input(Type::from(scalar).with_shape(&dims));
            let sums = Expr::map_with("row", rows, |row| {
                let inner = [scope, std::slice::from_ref(&row)].concat();
                let row = if w.random.flip() {
                    Expr::map_with("x", row, |x| w.arithmetic(&x, &inner))
                } else {
                    row
                };
                match row.ty().as_array() {
                    Some((Type::Scalar(_), _)) => w.reduce(row),
                    _ => literal(&Scalar::I32.into(), 1),
                }
            });
            w.reduce(sums)
        }
        "index_map" | "array_map" => {
            let int = Type::from(Scalar::I32);
            let (n, m, more) = (w.variable(4), w.variable(5), w.random.pick(&[0, 2]));
            let rows = w.input(int.clone().with_shape(&[n.clone() + more, m.clone()]));
            let columns = w.input(int.clone().with_shape(&[m.clone(), n.clone()]));
            let (x, y) =
                (w.input(Type::array(int.clone(), n.clone())), w.input(Type::array(int.clone(), m.clone())));
            let at =
                |i: &Expr, xs: &Expr| Expr::prim(Prim::At, vec![Arg::Data(i.clone()), Arg::Data(xs.clone())]);
            let generated =
                |n: &ArithExpr, f: Lambda| Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(f)]);
            let number = |i: &Expr| Expr::cast(Scalar::I32, i.clone());
            let needs_index = rule.name == "array_map" && w.random.flip();
            let kind = w.random.below(if rule.name == "index_map" { 5 } else { 4 });
            let f = Lambda::unary("i", Scalar::Usize.into(), |i| {
                if kind == 4 {
                    // The product of a transposed matrix with the matrix.
                    let column = Lambda::unary("j", Scalar::Usize.into(), |j| {
                        let pair = Lambda::unary("k", Scalar::Usize.into(), |k| {
                            let row = at(&k, &columns);
                            twice_minus(at(&i, &row), at(&j, &row))
                        });
                        w.reduce(generated(&m, pair))
                    });
                    return w.reduce(generated(&n, column));
                }
                let inner = Lambda::unary("k", Scalar::Usize.into(), |k| {
                    let own = at(&k, &at(&i, &rows));
                    let factor = match kind {
                        0 => at(&i, &at(&k, &columns)),
                        1 => at(&k, &y),
                        2 => twice_minus(at(&i, &x), at(&k, &y)),
                        _ => own.clone(),
                    };
                    Expr::binary(BinaryOp::Mul, own, factor)
                });
                let sum = w.reduce(generated(&m, inner));
                if needs_index { twice_minus(sum, number(&i)) } else { twice_minus(sum, at(&i, &x)) }
            });
            generated(&n, f)
        }
        "hoist_let" => {
            let (int, n) = (Type::from(Scalar::I32), w.variable(5));
            let (xs, other) = (w.input(Type::array(int.clone(), n)), w.input(int.clone()));
            let x = Param::new("s", int.clone());
            let elements = Expr::map_with("x", xs, |e| twice_minus(e, Expr::param(&x)));
            let defined = Expr::let_(x, twice_minus(other.clone(), literal(&int, 3)), w.reduce(elements));
            match w.random.below(3) {
                0 => twice_minus(other, defined),
                1 => Expr::tuple(vec![other, defined]),
                _ => {
                    let is_less = Expr::binary(BinaryOp::Lt, other.clone(), literal(&int, 2));
                    Expr::if_(is_less, defined, other)
                }
            }
        }
        "reduce_by_groups" => {
            let (rows, steps) = (w.any_size(), w.random.pick(&[1, 1, 2]));
            let rows = w.input(Type::from(Scalar::I32).with_shape(&[rows, (256 * steps).into()]));
            Expr::map_with("row", rows, |row| w.reduce(row))
        }
        "reduce_blocks" => {
            let (rows, columns) = (w.random.pick(&[0, 1, 2, 127, 128, 129, 257]), w.random.pick(&[1, 2, 3]));
            let (rows, columns) = (w.extent_of(rows), w.extent_of(columns));
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = Expr::join(w.input(Type::from(scalar).with_shape(&[rows, columns])));
            let xs = match w.random.flip() {
                true => Expr::map_with("x", xs, |x| twice_minus(x.clone(), x)),
                false => xs,
            };
            w.reduce(xs)
        }
        "reduce_chunks" | "reduce_one_chunk" => {
            let len = w.random.pick(&[0, 1, 2, 255, 256, 257, 600]);
            let len = w.extent_of(len);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = w.input(Type::array(scalar.into(), len));
            w.reduce(xs)
        }
        "reduce_split" | "reduce_strided" | "reduce_rest" | "reduce_short" | "every" => {
            let xs = numbers(w);
            w.reduce(xs)
        }
        "reduce_zip" => {
            let xs = numbers(w);
            let (ty, len) = xs.ty().as_array().map(|(t, n)| (t.clone(), n.clone())).unwrap();
            let ys = w.input(Type::array(ty.clone(), len));
            let params = vec![Param::new("a", ty.clone()), Param::new("b", ty)];
            let (first, second) = (w.reduce(xs), w.reduce(ys));
            let Some((Prim::Reduce(Order::Any), [Arg::Fun(f), ..])) = first.as_prim() else {
                panic!("{first}")
            };
            let both = f.apply(&[Expr::param(&params[0]), Expr::param(&params[1])]);
            let [a, b] = params.try_into().unwrap();
            Expr::let_(a, first, Expr::let_(b, second, both))
        }
        "reduce_one" => {
            let one = w.input(Type::array(Scalar::I32.into(), 1.into()));
            w.reduce(one)
        }
        "interleave" => {
            let d = w.random.pick(&[1, 1, 2, 3]);
            let count = w.random.pick(&[1, 2, 2, 4, 6]);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = w.input(Type::array(scalar.into(), (count * d).into()));
            let i = Expr::size(if w.random.below(8) == 0 { (d - 1).into() } else { ArithExpr::zero() });
            let firsts = Expr::map_with("piece", Expr::split(d.into(), xs), |piece| {
                Expr::prim(Prim::At, vec![Arg::Data(i), Arg::Data(piece)])
            });
            w.reduce(firsts)
        }
        "product_turned" if w.random.flip() => products(w),
        name if name.starts_with("block_product") || name.starts_with("product_") => product(w, scope),
        "reduce_together" => {
            let dims = [w.variable(3), w.any_size()];
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let rows = w.input(Type::from(scalar).with_shape(&dims));
            let xs = w.input(Type::array(Scalar::I32.into(), dims[0].clone()));
            let sums = |w: &mut World, rows: Expr| Expr::map_with("row", rows, |row| w.reduce(row));
            let others = Expr::map_with("x", xs.clone(), |x| twice_minus(x.clone(), x));
            let of_rows = sums(w, rows);
            let of_rows = w.reduce(of_rows);
            let sum = Param::new("sum", Scalar::I32.into());
            let both = Expr::tuple(vec![Expr::param(&sum), of_rows, w.reduce(others)]);
            Expr::let_(sum, w.reduce(xs), both)
        }
        "scan_with" => {
            let xs = w.array();
            match xs.ty().as_array() {
                Some((Type::Scalar(_), _)) => w.scan_with(xs),
                _ => xs,
            }
        }
        "scan_chunks" | "scan_from_sums" | "scan_by_group" => {
            let len = w.random.pick(&[0, 1, 2, 63, 65, 200, 2047, 2048, 2049, 4100]);
            let len = w.extent_of(len);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = w.input(Type::array(scalar.into(), len));
            let xs = if w.random.flip() { Expr::map_with("x", xs, |x| w.arithmetic(&x, &[])) } else { xs };
            match xs.ty().as_array() {
                Some((Type::Scalar(_), _)) => {
                    let scanned = w.fold_like(Prim::Scan(Order::Any), xs);
                    match w.random.flip() {
                        true => Expr::map_with("x", scanned, |x| w.arithmetic(&x, scope)),
                        false => scanned,
                    }
                }
                _ => xs,
            }
        }
        name if name.starts_with("reduce_in_stages") => {
            let n = w.random.pick(&[0, 1, 255, 256, 257, 600, 2049, 4200]);
            let (n, m) = (w.extent_of(n), w.random.pick(&[0, 1, 2, 3]));
            let m = w.extent_of(m);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let rows = w.input(Type::from(scalar).with_shape(&[m.clone(), n.clone()]));
            let others = w.input(Type::from(scalar).with_shape(&[m, n]));
            let (is_flat, is_pair, is_twice) = (w.random.flip(), w.random.flip(), w.random.below(4) == 0);
            if is_pair {
                return Some(Expr::map_with("row", rows, |row| {
                    Expr::map_with("other", others, |other| {
                        let pairs = zip(&row, &other);
                        let products = Expr::map_with("t", pairs, |t| {
                            twice_minus(Expr::field(t.clone(), 0), Expr::field(t, 1))
                        });
                        let sum = w.reduce(products);
                        if is_twice { twice_minus(sum.clone(), sum) } else { sum }
                    })
                }));
            }
            Expr::map_with("row", rows, |row| {
                let computed = Expr::map_with("x", row.clone(), |x| twice_minus(x.clone(), x));
                let sum = w.reduce(computed);
                let total = Param::new("total", sum.ty().clone());
                let again = if is_twice { w.reduce(row.clone()) } else { Expr::param(&total) };
                match is_flat {
                    true => Expr::let_(total.clone(), sum, twice_minus(Expr::param(&total), again)),
                    false => Expr::let_(
                        total.clone(),
                        sum,
                        Expr::map_with("x", row, |x| twice_minus(x, Expr::param(&total))),
                    ),
                }
            })
        }
        name if name.starts_with("reduce_twice_in_stages") => {
            // Chunks of rows are long, and each of their items computes its whole row where it is interpreted: few programs, and
            // none of those that are always tried, have several. What devices compute of them is in `tests/bits.rs`.
            let (few, most) = if name.ends_with("(rows)") { (8, 4200) } else { (4, 600) };
            let n = if w.random.below(few) == 0 { most } else { w.random.pick(&[0, 1, 5, 257]) };
            let (n, m) = (w.extent_of(n), w.random.pick(&[0, 1, 2]));
            let m = w.extent_of(m);
            let rows = w.input(Type::from(Scalar::F32).with_shape(&[m.clone(), n.clone()]));
            let columns = w.input(Type::from(Scalar::F32).with_shape(&[n.clone(), m]));
            let rows = if w.random.flip() { rows } else { Expr::transpose(columns) };
            let (is_mapped, is_mean, result) = (w.random.flip(), w.random.flip(), w.random.below(3));
            let product = if w.random.flip() { BinaryOp::Mul } else { BinaryOp::Unrounded };
            let number = |x| Expr::literal(Literal::float(x, Scalar::F32));
            let times = |x, by| Expr::binary(BinaryOp::Mul, x, number(by));
            let less = |x, y| Expr::binary(BinaryOp::Sub, x, y);
            let reduced = |is_sum: bool, xs| {
                let start = if is_sum { 0.0 } else { f64::NEG_INFINITY };
                Expr::reduce_with(Order::Any, ["a", "b"], number(start), xs, |a, b| match is_sum {
                    true => Expr::binary(BinaryOp::Add, a, b),
                    false => Expr::math(MathFn::Max, vec![a, b]),
                })
            };
            Expr::map_with("row", rows, |row| {
                let element = |x| if is_mapped { times(x, 0.0625) } else { x };
                let first = reduced(is_mean, Expr::map_with("x", row.clone(), element));
                let centre = match is_mean {
                    true => {
                        Expr::binary(BinaryOp::Div, first, Expr::cast(Scalar::F32, Expr::size(n.clone())))
                    }
                    false => first,
                };
                let name = Param::new("centre", Scalar::F32.into());
                let term = |x| {
                    let distance = less(element(x), Expr::param(&name));
                    match is_mean {
                        true => Expr::binary(product, distance.clone(), distance),
                        false => Expr::math(MathFn::Exp, vec![distance]),
                    }
                };
                let second = reduced(true, Expr::map_with("x", row.clone(), term));
                let value = match result {
                    0 => Expr::tuple(vec![second, Expr::param(&name)]),
                    1 => second,
                    _ => Expr::map_with("x", row, |x| {
                        Expr::binary(BinaryOp::Div, less(x, Expr::param(&name)), second.clone())
                    }),
                };
                Expr::let_(name.clone(), centre, value)
            })
        }
        "scan_rows" | "scan_columns" | "scan_strips(32)" | "scan_strips(8)" | "scan_held(1)"
        | "scan_held" | "scan_short" => {
            let (n, m) = match rule.name {
                "scan_strips(32)" | "scan_strips(8)" => {
                    (w.random.pick(&[0, 1, 7, 8, 9, 65, 130]), w.random.pick(&[0, 1, 8, 9, 33]))
                }
                "scan_held" | "scan_short" => {
                    (w.random.pick(&[0, 1, 3, 4, 63, 64, 65, 130]), w.random.pick(&[0, 1, 2, 15, 16, 17]))
                }
                _ => (
                    w.random.pick(&[0, 1, 255, 256, 257, 700, 2047, 2048, 2100]),
                    w.random.pick(&[0, 1, 2, 3]),
                ),
            };
            let (n, m) = (w.extent_of(n), w.extent_of(m));
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let rows = w.input(Type::from(scalar).with_shape(&[n, m.clone()]));
            let others = w.input(Type::array(scalar.into(), m));
            let (is_mapped, is_computed) = (w.random.flip(), w.random.flip());
            Expr::map_with("t", zip(&Expr::transpose(rows), &others), |t| {
                let (column, other) = (Expr::field(t.clone(), 0), Expr::field(t, 1));
                let own = match is_computed {
                    true => Expr::map_with("x", column, |x| twice_minus(x, other.clone())),
                    false => column,
                };
                let scanned = w.fold_like(Prim::Scan(Order::Any), own);
                match is_mapped {
                    true => Expr::map_with("x", scanned, |x| twice_minus(x, other)),
                    false => scanned,
                }
            })
        }
        "reduce_columns(32)" | "reduce_columns(8)" => {
            // Each item of a strip computes its whole column where it is interpreted.
            let (n, m) = (w.random.pick(&[0, 1, 15, 16, 17, 35]), w.random.pick(&[0, 1, 9, 31, 32, 33]));
            let (n, m) = (w.extent_of(n), w.extent_of(m));
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let rows = w.input(Type::from(scalar).with_shape(&[n.clone(), m]));
            let xs = w.input(Type::array(scalar.into(), n));
            let (is_alone, again) = (w.random.flip(), w.random.below(6));
            Expr::map_with("column", Expr::transpose(rows), |column| {
                let own = match is_alone {
                    true => column.clone(),
                    false => Expr::map_with("t", zip(&column, &xs), |t| {
                        twice_minus(Expr::field(t.clone(), 0), Expr::field(t, 1))
                    }),
                };
                let sum = w.reduce(own);
                let total = Param::new("total", sum.ty().clone());
                let less = |x| twice_minus(x, Expr::param(&total));
                let computed = match again {
                    // A second reduction that needs the first one, and a column.
                    0 => w.reduce(Expr::map_with("x", column, less)),
                    1 => Expr::map_with("x", column, less),
                    2 => {
                        let other = w.reduce(Expr::map_with("x", column.clone(), less));
                        Expr::map_with("x", column, |x| twice_minus(x, other.clone()))
                    }
                    _ => less(Expr::param(&total)),
                };
                Expr::let_(total.clone(), sum, computed)
            })
        }
        name if name.starts_with("reduce_by_key") => by_key(name, w),
        "reduce_seq" | "fold_seq" | "scan_seq" | "scan_left" => {
            let scalars = w.any_size();
            let scalars = w.input(Type::array(Scalar::F32.into(), scalars));
            let prim = match rule.name {
                "reduce_seq" => Prim::Reduce(Order::Any),
                "fold_seq" => Prim::Reduce(Order::Left),
                "scan_left" => Prim::Scan(Order::Sequential),
                _ => Prim::Scan(Order::Any),
            };
            w.fold_like(prim, scalars)
        }
        "points" => points(w),
        "reduce_each_row" => {
            let dims = [w.any_size(), w.any_size()];
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let rows = w.input(Type::from(scalar).with_shape(&dims));
            w.reduce(Expr::join(rows))
        }
        "reduce_seq_unroll" => {
            let n = w.random.pick(&[1, 2, 5]);
            let scalars = w.input(Type::array(Scalar::F32.into(), n.into()));
            let prim = w.random.pick(&[Prim::Reduce(Order::Any), Prim::Reduce(Order::Left)]);
            w.fold_like(prim, scalars)
        }
        _ => return None,
    };
    Some(side)
}

/// A reduction for every pair of a row and a column, of which either may be turned, with something read beside it, or nearly so.
fn product(w: &mut World, scope: &[Expr]) -> Expr {
    let (n, m) = (w.any_size(), w.any_size());
    let k = w.random.pick(&[1, 1, 1, 3, 17]);
    let k = w.size_of(k);
    // The wider a number, the smaller are the squares that are interpreted.
    let scalar = Type::from(w.random.pick(&[Scalar::I64, Scalar::I64, Scalar::I64, Scalar::I32]));
    let operand = |w: &mut World, n: &ArithExpr| match w.random.flip() {
        true => w.input(scalar.clone().with_shape(&[n.clone(), k.clone()])),
        false => Expr::transpose(w.input(scalar.clone().with_shape(&[k.clone(), n.clone()]))),
    };
    let (xs, ys) = (operand(w, &n), operand(w, &m));
    let (swapped, beside, nearly) = (w.random.flip(), w.random.flip(), w.random.below(8) == 0);
    let others: Vec<Expr> = scope.iter().filter(|x| *x.ty() == scalar).cloned().collect();
    let cs = w.input(scalar.clone().with_shape(&[n, m]));
    let sum = |w: &mut World, x: Expr, y: Expr, c: Option<Expr>| {
        let pairs = if swapped { zip(&y, &x) } else { zip(&x, &y) };
        let products = Expr::map_with("p", pairs, |p| {
            let (a, b) = (Expr::field(p.clone(), 0), Expr::field(p, 1));
            twice_minus(
                a,
                if nearly {
                    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(ArithExpr::zero())), Arg::Data(x.clone())])
                } else {
                    b
                },
            )
        });
        let sum = w.reduce(products);
        let sum = others.first().map_or(sum.clone(), |other| twice_minus(sum, other.clone()));
        match c {
            Some(c) => twice_minus(sum, c),
            None => sum,
        }
    };
    if !beside {
        return Expr::map_with("x", xs, |x| Expr::map_with("y", ys, |y| sum(w, x, y, None)));
    }
    Expr::map_with("t", zip(&xs, &cs), |t| {
        let (x, row) = (Expr::field(t.clone(), 0), Expr::field(t, 1));
        Expr::map_with("u", zip(&ys, &row), |u| sum(w, x, Expr::field(u.clone(), 0), Some(Expr::field(u, 1))))
    })
}

/// A product for each of a few matrices, with columns of their own or the same for all.
fn products(w: &mut World) -> Expr {
    let [b, n, m, k] = [w.any_size(), w.any_size(), w.any_size(), w.variable(3)];
    let matrices = |w: &mut World, dims: &[&ArithExpr]| {
        let dims: Vec<ArithExpr> = dims.iter().copied().cloned().collect();
        w.input(Type::from(Scalar::I64).with_shape(&dims))
    };
    let (xs, shared) = (matrices(w, &[&b, &n, &k]), matrices(w, &[&m, &k]));
    let (ys, is_shared, turned) = (matrices(w, &[&b, &m, &k]), w.random.flip(), w.random.flip());
    Expr::map_with("both", zip(&xs, &ys), |both| {
        let columns = if is_shared { shared } else { Expr::field(both.clone(), 1) };
        let columns = if turned { Expr::transpose(Expr::transpose(columns)) } else { columns };
        Expr::map_with("x", Expr::field(both, 0), |x| {
            Expr::map_with("y", columns, |y| {
                let products = Expr::map_with("p", zip(&x, &y), |p| {
                    twice_minus(Expr::field(p.clone(), 0), Expr::field(p, 1))
                });
                w.reduce(products)
            })
        })
    })
}

/// A reduction by key of a whole array, or of short ranges of one.
fn by_key(rule: &str, w: &mut World) -> Expr {
    let few = [0, 1, 2, 7, 200];
    let many = [0, 1, 7, 200, 16_384, 16_385, 33_000];
    let some = [0, 1, 200, 256, 257, 700];
    let len = w.random.pick::<i64>(match rule {
        "reduce_by_key_chunks" => &many,
        "reduce_by_key_short_chunks" => &some,
        _ => &few,
    });
    let len = w.extent_of(len);
    let scalar = w.random.pick(&[Scalar::I32, Scalar::I32, Scalar::F32]);
    let xs = w.input(Type::array(scalar.into(), len.clone()));
    let bins = w.some_size();
    let whole = w.by_key(bins, xs);
    let Some((_, [bins, f, z, keys, xs])) = whole.as_prim() else { panic!("{whole}") };
    if matches!(rule, "reduce_by_key_chunks" | "reduce_by_key_short_chunks" | "reduce_by_key_seq") {
        return whole;
    }
    let step = w.some_size();
    let count = len.div_ceil(&step);
    let indices = Lambda::unary("i", Scalar::Usize.into(), |i| i);
    let indices = Expr::prim(Prim::Array, vec![Arg::Size(count), Arg::Fun(indices)]);
    Expr::map_with("i", indices, |i| {
        let from = Expr::binary(BinaryOp::Mul, i, Expr::size(step.clone()));
        let next = Expr::binary(BinaryOp::Add, from.clone(), Expr::size(step));
        let to = Expr::math(MathFn::Min, vec![next, Expr::size(len)]);
        let range = [Arg::Data(from), Arg::Data(to)];
        let args = [&[bins.clone(), f.clone(), z.clone()], &range[..], &[keys.clone(), xs.clone()]].concat();
        Expr::prim(Prim::ReduceByKey(ByKey::Item), args)
    })
}

/// A reduction of few elements, of which some may be pairs with numbers, in rows or not.
fn points(w: &mut World) -> Expr {
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let dims = w.random.pick(&[[1, 1], [2, 3], [3, 2], [5, 1], [1, 4]]);
    let rows = w.input(Type::from(scalar).with_shape(&dims.map(ArithExpr::cst)));
    let xs = Expr::join(rows);
    let xs = match w.random.below(4) {
        0 => xs,
        1 => Expr::map_with("x", xs, |x| twice_minus(x.clone(), x)),
        2 => {
            let numbers = Expr::join(constants(w, scalar, &dims));
            Expr::map_with("t", zip(&numbers, &xs), |t| {
                Expr::binary(BinaryOp::Mul, Expr::field(t.clone(), 0), Expr::field(t, 1))
            })
        }
        _ => {
            let twice = Expr::map_with("x", xs, |x| twice_minus(x.clone(), x));
            Expr::map_with("x", twice, |x| Expr::binary(BinaryOp::Mul, x.clone(), x))
        }
    };
    w.reduce(xs)
}
