//! Traversals after and inside of one another, fused and split.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, Boundary, Expr, Fold, Lambda, Memory, Order, Param, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::nd;

use super::{numbers, zip};
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, xs: Expr, scope: &[Expr]) -> Option<Expr> {
    let side = match rule.name {
        "map_map" => {
            let f = |w: &mut World, x: Expr| {
                let inner = [scope, std::slice::from_ref(&x)].concat();
                w.grow(x, 2, &inner)
            };
            let ys = Expr::map_with("x", xs, |x| f(w, x));
            Expr::map_with("y", ys, |y| f(w, y))
        }
        name if name.starts_with("fission") || name == "regroup" => fissile(name, w, xs, scope),
        "map_split" => Expr::map_with("x", xs, |x| {
            let inner = [scope, std::slice::from_ref(&x)].concat();
            w.grow(x, 2, &inner)
        }),
        "fold_split" => {
            let xs = numbers(w);
            w.fold_like(Prim::Reduce(Order::Left), xs)
        }
        "fold_none" => {
            let xs = numbers(w);
            let n = xs.ty().as_array().unwrap().1.clone();
            let k = w.random.pick(&[0, 0, 1]).min(w.value_of(&n) as i64);
            let none = Expr::drop(n - k, xs);
            w.fold_like(Prim::Reduce(Order::Left), none)
        }
        "split_zip" => {
            let n = w.value_of(xs.ty().as_array().unwrap().1) as i64;
            let m = (1..=n).filter(|m| n % m == 0).nth(w.random.below(2) as usize).unwrap_or(1);
            let other = w.input(xs.ty().clone());
            let parts = if w.random.flip() { vec![xs, other] } else { vec![xs.refresh(), other, xs] };
            Expr::split(w.size_of(m), nd::zip_nd(1, parts))
        }
        "interchange_maps" | "transpose_maps" | "map_reduce" | "map_view" | "zip_view" => {
            interchanged(rule.name, w, xs, scope)
        }
        "recompute" => {
            let stored = Expr::store(Memory::Temporary, xs);
            w.grow(stored, 2, scope)
        }
        "store" => {
            let (extra, columns) = (w.some_size(), w.any_size());
            let rows = w.input(Type::from(Scalar::I32).with_shape(&[extra + 1, columns]));
            let sums = Expr::map_with("row", rows, |row| w.reduce(row));
            match w.random.below(3) {
                0 => Expr::store(Memory::Temporary, sums),
                1 => {
                    let windows = Expr::slide(2.into(), 1.into(), sums);
                    Expr::map_with("w", windows, |window| w.reduce(window))
                }
                _ => Expr::map_with("x", xs, |_| w.reduce(sums)),
            }
        }
        "store_inside" => stored_inside(w),
        "rows_outermost" => by_columns(w),
        "windows_of_one" => in_one_dimension(w),
        "collapse" => by_rows(w),
        "store_channels" => {
            let dims = w.random.below(2) as usize + 1;
            let lens: Vec<ArithExpr> = (0..dims).map(|_| w.some_size() + 1).collect();
            let points = w.input(Type::from(Scalar::I32).with_shape(&lens));
            let channels = w.random.pick(&[2, 3, 8]);
            let f = Lambda::unary("v", Scalar::I32.into(), |v| {
                let channel = |i| twice_minus(v.clone(), literal(&Scalar::I32.into(), i));
                Expr::array_literal((0..channels).map(channel).collect())
            });
            let stored = Expr::store(Memory::Temporary, nd::map_nd(dims, f, points));
            let x = Param::new("x", stored.ty().clone());
            let slid = nd::slide_nd(&vec![(2.into(), 1.into()); dims], Expr::param(&x));
            let f = Lambda::unary("w", nd::element(dims, &slid).unwrap(), |window| {
                let all = (0..dims).fold(window, |window, _| Expr::join(window));
                w.reduce(all)
            });
            let windows = nd::map_nd(dims, f, slid);
            let body = if w.random.flip() { windows } else { Expr::tuple(vec![windows, Expr::param(&x)]) };
            Expr::let_(x, stored, body)
        }
        "split_map" | "take_map" => {
            let n = w.value_of(xs.ty().as_array().unwrap().1) as i64;
            let m = (1..=n).filter(|m| n % m == 0).nth(w.random.below(2) as usize).unwrap_or(1);
            let ys = Expr::map_with("x", xs, |x| {
                let inner = [scope, std::slice::from_ref(&x)].concat();
                w.grow(x, 2, &inner)
            });
            match rule.name {
                "split_map" => Expr::split(w.size_of(m), ys),
                _ if n == 0 => Expr::take(ArithExpr::zero(), ys),
                _ => Expr::take(w.size_of(m), ys),
            }
        }
        "maps_of_one" => {
            let dims: Vec<ArithExpr> = (0..w.random.pick(&[1, 2, 3])).map(|_| w.any_size()).collect();
            let xs = w.input(Type::from(Scalar::I32).with_shape(&dims));
            let pair = |x: Expr| Expr::tuple(vec![x.clone(), twice_minus(x.clone(), x)]);
            let value = nd::map_nd(dims.len(), Lambda::unary("x", Scalar::I32.into(), pair), xs);
            let element = nd::element(dims.len(), &value).unwrap();
            let y = Param::new("y", value.ty().clone());
            let part = |w: &mut World| {
                let k = w.random.below(2) as usize;
                let f = Lambda::unary("x", element.clone(), |x| {
                    twice_minus(Expr::field(x.clone(), k), Expr::field(x, 1 - k))
                });
                nd::map_nd(dims.len(), f, Expr::param(&y))
            };
            let parts = (0..w.random.pick(&[2, 3])).map(|_| part(w)).collect();
            Expr::let_(y, value, Expr::tuple(parts))
        }
        "maps_together" => {
            let dims = [w.variable(3), w.any_size()];
            let rows = w.input(Type::from(Scalar::I32).with_shape(&dims));
            let xs = w.input(Type::array(Scalar::I32.into(), dims[0].clone()));
            let zip =
                |a: &Expr, b: &Expr| Expr::prim(Prim::Zip, vec![Arg::Data(a.clone()), Arg::Data(b.clone())]);
            let first = Param::new("first", xs.ty().clone());
            let ys = Expr::param(&first);
            let value = Expr::map_with("x", zip(&xs, &rows), |x| {
                twice_minus(Expr::field(x.clone(), 0), w.reduce(Expr::field(x, 1)))
            });
            let over_rows = |rows: &Expr| {
                Expr::map_with("both", zip(rows, &ys), |both| {
                    let y = Expr::field(both.clone(), 1);
                    Expr::map_with("v", Expr::field(both, 0), |v| twice_minus(v, y.clone()))
                })
            };
            let second = Param::new("second", rows.ty().clone());
            let zs = Expr::param(&second);
            let thirds = over_rows(&zs);
            let turned = |e: Expr, w: &mut World| if w.random.flip() { Expr::transpose(e) } else { e };
            let mut parts = vec![turned(zs, w), ys.clone(), turned(thirds, w)];
            if w.random.flip() {
                parts.swap(0, 1);
            }
            parts.truncate(2 + w.random.below(2) as usize);
            let body = Expr::let_(second, over_rows(&rows), Expr::tuple(parts));
            Expr::let_(first, value, body)
        }
        "zip_map" | "fold_map" => {
            let inner = |w: &mut World, x: Expr| {
                let scope = [scope, std::slice::from_ref(&x)].concat();
                w.arithmetic(&x, &scope)
            };
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let len = w.any_size();
            let [a, b] = [0, 1].map(|_| w.input(Type::array(scalar.into(), len.clone())));
            let computed = Expr::map_with("x", a, |x| inner(w, x));
            match rule.name {
                "fold_map" => match computed.ty().as_array() {
                    Some((Type::Scalar(_), _)) => w.fold_like(Prim::Reduce(Order::Left), computed),
                    _ => computed,
                },
                _ if w.random.flip() => zip(&computed, &b),
                _ => zip(&b, &computed),
            }
        }
        _ => return None,
    };
    Some(side)
}

/// Loops in one another, and traversals that only look at data.
fn interchanged(name: &str, w: &mut World, xs: Expr, scope: &[Expr]) -> Expr {
    let with = |own: &[&Expr]| [scope.to_vec(), own.iter().map(|x| (*x).clone()).collect()].concat();
    let int = Type::from(Scalar::I32);
    let (n, m) = (w.any_size(), w.any_size());
    match name {
        "interchange_maps" => {
            let ys = w.input(Type::array(int, m));
            let xs = if w.random.flip() { xs } else { Expr::map_with("x", xs, |x| w.grow(x, 2, scope)) };
            Expr::map_with("x", xs, |x| {
                Expr::map_with("y", ys, |y| {
                    let both = if w.random.flip() { x.clone() } else { y.clone() };
                    w.grow(both, 2, &with(&[&x, &y]))
                })
            })
        }
        "transpose_maps" | "map_reduce" => {
            let rows = w.input(int.clone().with_shape(&[n, m.clone()]));
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let others = w.input(Type::array(scalar.into(), m));
            Expr::map_with("row", rows, |row| {
                let own = if w.random.flip() {
                    row
                } else {
                    Expr::map_with("x", row, |x| twice_minus(x.clone(), x))
                };
                let pairs = match w.random.below(3) {
                    0 => own,
                    1 => zip(&own, &others),
                    _ => zip(&others, &own),
                };
                let computed = |w: &mut World, pairs: Expr| {
                    Expr::map_with("p", pairs, |p| match p.ty() {
                        Type::Tuple(_) => {
                            let part = |i| Expr::cast(Scalar::I32, Expr::field(p.clone(), i));
                            let value = twice_minus(part(0), part(1));
                            match scope.iter().find(|x| x.ty() == value.ty()) {
                                Some(other) if w.random.flip() => twice_minus(value, other.clone()),
                                _ => value,
                            }
                        }
                        _ => twice_minus(p.clone(), twice_minus(literal(&int, 3), p)),
                    })
                };
                if name == "transpose_maps" {
                    return if w.random.below(3) == 0 { pairs } else { computed(w, pairs) };
                }
                let numbers =
                    if pairs.ty().as_array().unwrap().0 == &int { pairs } else { computed(w, pairs) };
                let prim = w.random.pick(&[Prim::Reduce(Order::Any), Prim::Reduce(Order::Left)]);
                w.fold_like(prim, numbers)
            })
        }
        "map_view" => {
            let pairs = Expr::map_with("x", xs, |x| Expr::tuple(vec![literal(&int, 7), x]));
            Expr::map_with("p", pairs, |p| {
                let part = Expr::field(p, 1);
                w.grow(part.clone(), 3, &with(&[&part]))
            })
        }
        _ => {
            let pairs = Expr::map_with("x", xs.clone(), |x| Expr::tuple(vec![literal(&int, 7), x]));
            let both = if w.random.flip() { zip(&pairs, &xs.refresh()) } else { zip(&xs.refresh(), &pairs) };
            Expr::map_with("p", both, |p| {
                let part = Expr::field(p.clone(), 0);
                w.grow(part, 3, &with(&[&Expr::field(p, 1)]))
            })
        }
    }
}

/// What is computed column by column, from windows or elements, and transposed.
fn by_columns(w: &mut World) -> Expr {
    let int = Type::from(Scalar::I32);
    let (n, m) = (w.some_size(), w.any_size());
    let columns = |w: &mut World| Expr::transpose(w.input(int.clone().with_shape(&[n.clone(), m.clone()])));
    let xs = columns(w);
    let all = match w.random.below(4) {
        0 => xs,
        1 => zip(&xs, &w.input(Type::array(int.clone(), m.clone()))),
        2 => zip(&zip(&columns(w), &w.input(Type::array(int.clone(), m.clone()))), &xs),
        _ => zip(&xs, &columns(w)),
    };
    let layout = w.random.below(6);
    let laid_out = |column: Expr| {
        let padded = |end: &ArithExpr, xs| Expr::pad(1.into(), end.clone(), Boundary::Fold(Fold::Clamp), xs);
        let clamped = |xs| padded(&1.into(), xs);
        match layout {
            0 => clamped(column),
            1 => Expr::slide(2.into(), 1.into(), clamped(column)),
            // An even number of windows, however long columns are.
            2 => Expr::slide(2.into(), 2.into(), Expr::slide(2.into(), 1.into(), padded(&n, column))),
            3 => Expr::split(1.into(), column),
            4 => Expr::drop(1.into(), column),
            _ => column,
        }
    };
    let beside = w.random.flip().then(|| w.input(Type::array(int.clone(), n.clone())));
    let by_column = Expr::map_with("column", all, |column| {
        let parts = leaves(&column);
        let own: Vec<Expr> = parts.iter().filter(|part| part.ty().as_array().is_some()).cloned().collect();
        let elements = match (&beside, own.as_slice()) {
            (Some(others), [own]) if layout == 5 => zip(own, others),
            (_, [own]) => laid_out(own.clone()),
            _ => own.into_iter().map(laid_out).reduce(|a, b| zip(&a, &b)).unwrap(),
        };
        Expr::map_with("x", elements, |x| {
            let number = |w: &mut World, x: Expr| match x.ty().shape().0.len() {
                0 => x,
                1 => w.reduce(x),
                _ => w.reduce(Expr::join(x)),
            };
            let scalars = parts.iter().filter(|part| part.ty() == &int).cloned();
            let all: Vec<Expr> = leaves(&x).into_iter().map(|x| number(w, x)).chain(scalars).collect();
            all.into_iter().reduce(twice_minus).unwrap()
        })
    });
    Expr::transpose(by_column)
}

/// A function of the elements of rows, of those of an array that is the same for all rows, and of scalars that each row has.
fn by_rows(w: &mut World) -> Expr {
    let int = Type::from(Scalar::I32);
    let (n, m) = (w.some_size(), w.some_size());
    let matrix = |w: &mut World| w.input(int.clone().with_shape(&[n.clone(), m.clone()]));
    let mut all = vec![matrix(w)];
    if w.random.flip() {
        all.push(matrix(w));
    }
    if w.random.flip() {
        all.push(w.input(int.clone().with_shape(std::slice::from_ref(&n))));
    }
    let beside = w.random.flip().then(|| w.input(int.clone().with_shape(std::slice::from_ref(&m))));
    Expr::map_with("row", all.into_iter().reduce(|a, b| zip(&a, &b)).unwrap(), |row| {
        let (scalars, own): (Vec<Expr>, Vec<Expr>) =
            leaves(&row).into_iter().partition(|part| part.ty() == &int);
        let elements = own.into_iter().chain(beside).reduce(|a, b| zip(&a, &b)).unwrap();
        Expr::map_with("x", elements, |x| leaves(&x).into_iter().chain(scalars).reduce(twice_minus).unwrap())
    })
}

/// Windows of rows, or windows of the columns of several rows, perhaps beside elements.
fn in_one_dimension(w: &mut World) -> Expr {
    let int = Type::from(Scalar::I32);
    let (n, m) = (w.some_size(), w.some_size());
    let clamped = |xs| Expr::pad(1.into(), 1.into(), Boundary::Fold(Fold::Clamp), xs);
    let (size, step, is_padded) = (w.random.pick(&[1, 2, 3]), 1, w.random.flip());
    let size = if is_padded { size } else { 1 };
    let slid = |xs: Expr| Expr::slide(size.into(), step.into(), if is_padded { clamped(xs) } else { xs });
    let by_columns = w.random.flip();
    let mut matrix = |n: &ArithExpr, m: &ArithExpr| w.input(int.clone().with_shape(&[n.clone(), m.clone()]));
    let (own, windows) = (matrix(&n, &m), n.clone() + if is_padded { 3 - size } else { 0 });
    let (all, beside) = match by_columns {
        true => (slid(own), matrix(&windows, &m)),
        false => (own, matrix(&n, &(m.clone() + if is_padded { 3 - size } else { 0 }))),
    };
    let all = if w.random.flip() { zip(&all, &beside) } else { all };
    let read = |xs: Expr| if by_columns { Expr::transpose(xs) } else { slid(xs) };
    let is_named = w.random.flip();
    Expr::map_with("row", all, |row| {
        let elements = match row.ty() {
            Type::Tuple(_) => zip(&read(Expr::field(row.clone(), 0)), &Expr::field(row, 1)),
            _ => read(row),
        };
        Expr::map_with("x", elements, |x| {
            let number = |w: &mut World, x: Expr| match x.ty() {
                Type::Array(..) if is_named => {
                    let i = Expr::size((size - 1).into());
                    Expr::prim(Prim::At, vec![Arg::Data(i), Arg::Data(x)])
                }
                Type::Array(..) => w.reduce(x),
                _ => x,
            };
            leaves(&x).into_iter().map(|x| number(w, x)).reduce(twice_minus).unwrap()
        })
    })
}

/// The parts of a tuple, and of those in it.
fn leaves(e: &Expr) -> Vec<Expr> {
    match e.ty() {
        Type::Tuple(parts) => (0..parts.len()).flat_map(|i| leaves(&Expr::field(e.clone(), i))).collect(),
        _ => vec![e.clone()],
    }
}

/// Several things that a traversal computes.
fn fissile(name: &str, w: &mut World, xs: Expr, scope: &[Expr]) -> Expr {
    let with = |x: &Expr| [scope, std::slice::from_ref(x)].concat();
    match name {
        "fission" | "fission_pair" => Expr::map_with("x", xs, |x| {
            let v = w.grow(x.clone(), 2, &with(&x));
            let y = Param::new("y", v.ty().clone());
            let own = Expr::param(&y);
            let inner = if name == "fission" { with(&own) } else { [with(&own), vec![x]].concat() };
            Expr::let_(y, v, w.grow(own, 3, &inner))
        }),
        "fission_tuple" => Expr::map_with("x", xs, |x| {
            Expr::tuple((0..2).map(|_| w.grow(x.clone(), 2, &with(&x))).collect())
        }),
        "fission_zip" => {
            let i = w.random.below(2) as usize;
            Expr::map_with("t", zip(&xs, &xs.refresh()), |t| {
                let part = Expr::field(t, i);
                w.grow(part.clone(), 3, &with(&part))
            })
        }
        "fission_view" => {
            let dims = [w.any_size(), w.some_size(), w.some_size()];
            let planes = w.input(Type::from(Scalar::I32).with_shape(&dims));
            Expr::map_with("plane", planes, |plane| {
                let v =
                    nd::map_nd(2, Lambda::unary("v", Scalar::I32.into(), |v| w.arithmetic(&v, scope)), plane);
                match w.random.below(4) {
                    0 => Expr::join(v),
                    1 => Expr::transpose(v),
                    2 => Expr::map_with("row", Expr::transpose(v), |row| Expr::take(ArithExpr::one(), row)),
                    _ => Expr::tuple(vec![literal(&Scalar::I32.into(), 3), Expr::join(Expr::transpose(v))]),
                }
            })
        }
        "fission_argument" => {
            let dims = [w.any_size(), w.any_size()];
            let rows = w.input(Type::from(Scalar::I32).with_shape(&dims));
            Expr::map_with("row", rows, |row| {
                let inner = with(&row);
                let computed = Expr::map_with("x", row, |x| w.arithmetic(&x, &inner));
                let prim = w.random.pick(&[
                    Prim::Reduce(Order::Any),
                    Prim::Reduce(Order::Left),
                    Prim::Scan(Order::Any),
                ]);
                let value = match computed.ty().as_array() {
                    Some((Type::Scalar(_), _)) => {
                        w.fold_like(prim, Expr::join(Expr::split(ArithExpr::one(), computed)))
                    }
                    _ => Expr::map_with("t", computed, |t| {
                        twice_minus(Expr::field(t.clone(), 0), Expr::field(t, 1))
                    }),
                };
                if w.random.flip() {
                    Expr::tuple(vec![literal(&Scalar::I32.into(), 3), value])
                } else {
                    value
                }
            })
        }
        "fission_fold" => {
            let numbers = numbers(w);
            let prim = w.random.pick(&[Prim::Reduce(Order::Any), Prim::Reduce(Order::Left)]);
            let Some((ty, _)) = numbers.ty().as_array() else { panic!("not an array") };
            let params = vec![Param::new("a", ty.clone()), Param::new("x", ty.clone())];
            let [a, x] = [0, 1].map(|i| Expr::param(&params[i]));
            let v = twice_minus(x.clone(), w.random.pick(&[x.clone(), literal(ty, 5)]));
            let body = match w.random.below(3) {
                0 => {
                    let y = Param::new("y", v.ty().clone());
                    let own = Expr::param(&y);
                    Expr::let_(y, v, twice_minus(twice_minus(a, own.clone()), own))
                }
                1 => twice_minus(v, twice_minus(a, literal(ty, 7))),
                _ => twice_minus(a, v),
            };
            let z = literal(ty, 1);
            Expr::prim(prim, vec![Arg::Fun(Lambda { params, body }), Arg::Data(z), Arg::Data(numbers)])
        }
        _ => {
            let numbers = numbers(w);
            w.fold_like(Prim::Reduce(Order::Left), numbers)
        }
    }
}

/// Functions with values that are better stored for all rows.
fn stored_inside(w: &mut World) -> Expr {
    let dims = [w.any_size(), w.variable(3)];
    let rows = w.input(Type::from(Scalar::I32).with_shape(&dims));
    let other = w.input(Type::from(Scalar::I32).with_shape(&dims));
    let zip = |a: Expr, b: Expr| Expr::prim(Prim::Zip, vec![Arg::Data(a), Arg::Data(b)]);
    let pairs = |a: Expr, b: Expr| {
        Expr::map_with("p", zip(a, b), |p| twice_minus(Expr::field(p.clone(), 0), Expr::field(p, 1)))
    };
    match w.random.below(4) {
        // A prefix is read beside the row, or backwards.
        0 => Expr::map_with("row", rows, |row| {
            let sums = w.fold_like(Prim::Scan(Order::Sequential), row.clone());
            pairs(row, sums)
        }),
        // Each element of the inner map reads all of an array that depends on the row alone.
        1 => Expr::map_with("row", rows, |row| {
            let sums = Expr::map_with("o", other.clone(), |o| {
                let both = pairs(row.clone(), o);
                w.reduce(both)
            });
            Expr::map_with("x", row.clone(), |x| twice_minus(x, w.reduce(sums.refresh())))
        }),
        // What is defined between the map and the value goes with it.
        2 => Expr::map_with("row", rows, |row| {
            let first = Param::new("first", Scalar::I32.into());
            let start = w.reduce(row.clone());
            let shifted = Expr::map_with("x", row.clone(), |x| twice_minus(x, Expr::param(&first)));
            let sums = w.fold_like(Prim::Scan(Order::Sequential), shifted);
            Expr::let_(first, start, pairs(row, sums))
        }),
        // Rows of rows.
        _ => {
            let count = w.any_size();
            let planes = w.input(Type::array(rows.ty().clone(), count));
            Expr::map_with("plane", planes, |plane| {
                Expr::map_with("row", plane, |row| {
                    let sums = w.fold_like(Prim::Scan(Order::Sequential), row.clone());
                    pairs(sums, row)
                })
            })
        }
    }
}
