//! Every rule keeps the meaning, and normalisation has one result.

mod movement;
mod page;
mod published;
mod trees;

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::arith::{ArithExpr, Facts, Var};
use crate::ir::build::fresh_id;
use crate::ir::walk::sizes;
use crate::ir::{
    Arg, BinaryOp, Boundary, Expr, Kind, Lambda, Literal, Param, Prim, Scalar, Type, UnaryOp, print,
};
use crate::rewrite::layout::as_map;
use crate::rewrite::normal;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::movement::TABLE;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::{self, fission, nd, place};
use crate::rewrite::scope::occurrences;
use crate::rewrite::strategy::{Derivation, Position, Strategy};
use crate::rewrite::testing::{World, kernel, literal, same, twice_minus, well_scoped};
use crate::rewrite::trace::{Deed, Trace};

fn runner(cases: u32) -> TestRunner {
    TestRunner::new_with_rng(
        Config { cases, failure_persistence: None, max_shrink_iters: 0, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    )
}

/// A program around the left side of a rule. `xs` is an array to use.
fn left_side(rule: &Rule, w: &mut World, xs: Expr, scope: &[Expr]) -> Expr {
    if let Some(row) = TABLE.iter().find(|row| row.name == rule.name) {
        return movement::left_side(w, row, scope);
    }
    match rule.name {
        "map_id" => Expr::map_with("x", xs, |x| x),
        "transpose_transpose" => {
            let (m, n) = (w.some_size(), w.some_size());
            let rows = w.input(Type::from(Scalar::I32).with_shape(&[m, n]));
            let twice = Expr::transpose(Expr::transpose(rows));
            w.grow(twice, 1, scope)
        }
        "join_split" => {
            let n = w.value_of(xs.ty().as_array().unwrap().1) as i64;
            let m = (1..=n).filter(|m| n % m == 0).nth(w.random.below(2) as usize).unwrap_or(1);
            Expr::join(Expr::split(w.size_of(m), xs))
        }
        "split_join" => {
            let (m, n) = (w.some_size(), w.some_size());
            let rows = w.input(Type::from(Scalar::I32).with_shape(&[n, m.clone()]));
            Expr::split(m, Expr::join(rows))
        }
        "take_all" => Expr::take(xs.ty().as_array().unwrap().1.clone(), xs),
        "drop_none" => Expr::prim(Prim::Drop, vec![Arg::Size(ArithExpr::zero()), Arg::Data(xs)]),
        "pad_none" => {
            let boundary = w.boundary(xs.ty().as_array().unwrap().0);
            Expr::pad(ArithExpr::zero(), ArithExpr::zero(), boundary, xs)
        }
        "reorder_id" => w.permuted(Prim::Reorder, xs),
        "reorder_back" => {
            let once = w.permuted(Prim::Reorder, xs);
            w.permuted(Prim::Reorder, once)
        }
        "scatter_reorder" => w.permuted(Prim::Scatter, xs),
        "reorder_scatter" => {
            let (element, _) = xs.ty().as_array().unwrap();
            let args = vec![
                Arg::Size(ArithExpr::zero()),
                Arg::Fun(Lambda::unary("x", Type::clone(element), |x| x)),
                Arg::Data(xs),
            ];
            w.permuted(Prim::Reorder, Expr::prim(Prim::MapGlobal, args))
        }
        "iterate_none" => w.iterate(0, xs),
        "iterate_once" => w.iterate(1, xs),
        "iterate_unroll" => {
            let (times, len) = (w.random.below(4), w.variable(3));
            let rows = w.input(Type::array(xs.ty().clone(), len));
            w.iterate(times, rows)
        }
        "iterate_parts" => {
            let times = w.random.below(8);
            w.iterate(times, xs)
        }
        "time_tiling" => {
            let (dims, times) = (w.random.pick(&[1, 1, 2, 2, 3]), w.random.pick(&[2, 2, 3]));
            steps(w, (dims, times, false), scope)
        }
        "stream_steps" | "stream" | "sweep_steps" => {
            let (dims, times) = (w.random.pick(&[2, 2, 3]), w.random.pick(&[2, 2, 3]));
            let times = if rule.name == "stream" { 1 } else { times };
            steps(w, (dims, times, true), scope)
        }
        "stream_stages" | "sweep_stages" => {
            let (dims, stages) = (w.random.pick(&[2, 2, 3]), w.random.pick(&[2, 2, 3]));
            let (ty, x) = grid(w, dims);
            (0..stages).fold(x, |x, _| {
                let f = step_of(w, &ty, true, scope);
                let stored =
                    if w.random.flip() { Expr::prim(Prim::Materialize, vec![Arg::Data(x)]) } else { x };
                Expr::let_(f.params[0].clone(), stored, f.body)
            })
        }
        "unzip_zip" => {
            let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(xs.refresh()), Arg::Data(xs)]);
            let unzipped = Expr::prim(Prim::Unzip, vec![Arg::Data(pairs)]);
            w.grow(unzipped, 1, scope)
        }
        "concat_concat" => {
            let element = xs.ty().as_array().unwrap().0.clone();
            let some = w.concat(xs, &element);
            w.concat(some, &element)
        }
        "take_concat" | "drop_concat" => {
            let (element, len) = xs.ty().as_array().map(|(t, n)| (t.clone(), n.clone())).unwrap();
            let other = w.some_size();
            let other = w.input(Type::array(element, other));
            let both = Expr::prim(Prim::Concat, vec![Arg::Data(xs), Arg::Data(other)]);
            let prim = if rule.name == "take_concat" { Prim::Take } else { Prim::Drop };
            Expr::prim(prim, vec![Arg::Size(len), Arg::Data(both)])
        }
        "tuple_fields" => {
            let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(xs.refresh()), Arg::Data(xs)]);
            Expr::map_with("t", pairs, |t| Expr::tuple(vec![Expr::field(t.clone(), 0), Expr::field(t, 1)]))
        }
        "sizes" => {
            let n = xs.ty().as_array().unwrap().1;
            let k = n.min(&(w.variable(3) + n));
            let taken = Expr::take(k, xs);
            w.grow(taken, 2, scope)
        }
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
            w.fold_like(Prim::Fold, xs)
        }
        "fold_none" => {
            let (xs, k) = (numbers(w), w.random.pick(&[0, 0, 1]));
            let n = xs.ty().as_array().unwrap().1.clone();
            let none = Expr::prim(Prim::Drop, vec![Arg::Size(n - k), Arg::Data(xs)]);
            w.fold_like(Prim::Fold, none)
        }
        "split_zip" => {
            let n = w.value_of(xs.ty().as_array().unwrap().1) as i64;
            let m = (1..=n).filter(|m| n % m == 0).nth(w.random.below(2) as usize).unwrap_or(1);
            let other = w.input(xs.ty().clone());
            let parts = if w.random.flip() { vec![xs, other] } else { vec![xs.refresh(), other, xs] };
            Expr::split(w.size_of(m), nd::zip_nd(1, parts))
        }
        "reduce_tree" => {
            let n = w.random.pick(&[2, 3, 4, 5, 7, 8, 13, 16, 21]);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = w.input(Type::array(scalar.into(), n.into()));
            w.reduce(xs)
        }
        "interchange_maps" | "transpose_maps" | "map_reduce" | "map_view" | "zip_view" => {
            interchanged(rule.name, w, xs, scope)
        }
        "windows_to_local" => {
            let (dims, times) = (w.random.pick(&[1, 1, 2]), w.random.pick(&[1, 2]));
            let (f, x) = step(w, (dims, false), scope);
            (0..times).fold(x, |x, _| repeated(1, f.clone(), x))
        }
        "interchange" | "interchange(1)" if w.random.flip() => zipped_stencil(w, World::size_of),
        "interchange" | "interchange(1)" => stencil(w, scope, World::size_of),
        "interior" => {
            let stencil = padded_stencil(w);
            let swaps = rules::stencil::INTERCHANGE.iter().rev().skip(w.random.below(3) as usize);
            // Below what turns the results back.
            swaps.fold(stencil, |e, rule| match (rule.apply)(&e, &w.facts) {
                Some(turned) if w.random.flip() => turned.children().last().map_or(e, |x| (*x).clone()),
                _ => e,
            })
        }
        "iterate_more" => {
            let (dims, times) = (w.random.pick(&[1, 1, 2, 3]), w.random.pick(&[1, 2]));
            let (f, x) = step(w, (dims, false), scope);
            let mut first = repeated(times, f.clone(), x);
            if w.random.flip() {
                first = Expr::prim(Prim::Materialize, vec![Arg::Data(first)]);
            }
            repeated(1, f, first)
        }
        "overlapped_tiling" if w.random.below(3) == 0 => zipped_stencil(w, World::size_of),
        "overlapped_tiling" => stencil(w, scope, World::size_of),
        "march" if w.random.below(3) == 0 => zipped_stencil(w, |_, size| size.into()),
        "march" => stencil(w, scope, |_, size| size.into()),
        "rows_to_private" => marching_rows(w, scope),
        "recompute" => {
            let stored = Expr::prim(Prim::Materialize, vec![Arg::Data(xs)]);
            w.grow(stored, 2, scope)
        }
        "store" => {
            let (extra, columns) = (w.some_size(), w.some_size());
            let rows = w.input(Type::from(Scalar::I32).with_shape(&[extra + 1, columns]));
            let sums = Expr::map_with("row", rows, |row| w.reduce(row));
            match w.random.below(3) {
                0 => Expr::prim(Prim::Materialize, vec![Arg::Data(sums)]),
                1 => {
                    let windows = Expr::slide(2.into(), 1.into(), sums);
                    Expr::map_with("w", windows, |window| w.reduce(window))
                }
                _ => Expr::map_with("x", xs, |_| w.reduce(sums)),
            }
        }
        "reduce_rows" => {
            let dims = [w.some_size(), w.some_size()];
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
        "reduce_by_groups" => {
            let (rows, steps) = (w.some_size(), w.random.pick(&[1, 1, 2]));
            let rows = w.input(Type::from(Scalar::I32).with_shape(&[rows, (256 * steps).into()]));
            Expr::map_with("row", rows, |row| w.reduce(row))
        }
        "reduce_chunks" | "reduce_one_chunk" => {
            let len = w.random.pick(&[1, 2, 255, 256, 257, 600]);
            let len = w.size_of(len);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = w.input(Type::array(scalar.into(), len));
            w.reduce(xs)
        }
        "reduce_split" | "reduce_strided" | "reduce_rest" | "every" => {
            let xs = numbers(w);
            w.reduce(xs)
        }
        "reduce_zip" => {
            let xs = numbers(w);
            let (ty, len) = xs.ty().as_array().map(|(t, n)| (t.clone(), n.clone())).unwrap();
            let ys = w.input(Type::array(ty.clone(), len));
            let params = vec![Param::new("a", ty.clone()), Param::new("b", ty)];
            let (first, second) = (w.reduce(xs), w.reduce(ys));
            let Some((Prim::Reduce, [Arg::Fun(f), ..])) = first.as_prim() else { panic!("{first}") };
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
        "split_map" | "take_map" => {
            let n = w.value_of(xs.ty().as_array().unwrap().1) as i64;
            let m = (1..=n).filter(|m| n % m == 0).nth(w.random.below(2) as usize).unwrap_or(1);
            let ys = Expr::map_with("x", xs, |x| {
                let inner = [scope, std::slice::from_ref(&x)].concat();
                w.grow(x, 2, &inner)
            });
            let m = w.size_of(m);
            if rule.name == "split_map" { Expr::split(m, ys) } else { Expr::take(m, ys) }
        }
        "zip_part" => {
            let i = w.random.below(2) as usize;
            Expr::map_with("t", zip(&xs, &xs.refresh()), |t| Expr::field(t, i))
        }
        "shared_to_local" | "groups_stored" => {
            let element = xs.ty().as_array().unwrap().0.clone();
            let f = Lambda::unary("x", element, |x| w.grow(x, 2, scope));
            let prim = if rule.name == "groups_stored" { Prim::MapWorkgroup } else { Prim::MapLocal };
            Expr::prim(prim, vec![Arg::Size(ArithExpr::zero()), Arg::Fun(f), Arg::Data(xs)])
        }
        name if name == "block_product" || name.starts_with("product_in_") => product(w, scope),
        "reduce_together" => {
            let dims = [w.variable(3), w.some_size()];
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
        "skip_block" | "let_into_arm" => {
            let len = ArithExpr::cst(1 + w.random.below(4) as i64);
            let dims = if w.random.flip() { vec![len] } else { vec![ArithExpr::cst(2), len] };
            let numbers = w.input(Type::from(Scalar::I32).with_shape(&dims));
            let size = ArithExpr::cst(3);
            let windows = w.input(Type::from(Scalar::I32).with_shape(&[dims.as_slice(), &[size]].concat()));
            let tile = Param::new("tile", windows.ty().clone());
            fn both(xs: Expr, ys: Expr, dims: usize) -> Expr {
                let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(xs), Arg::Data(ys)]);
                if dims == 1 {
                    return pairs;
                }
                Expr::map_with("p", pairs, |p| both(Expr::field(p.clone(), 0), Expr::field(p, 1), dims - 1))
            }
            fn unrolled(xs: Expr, f: &dyn Fn(Expr) -> Expr) -> Expr {
                let (element, _) = xs.ty().as_array().unwrap();
                let deeper = matches!(element, Type::Array(..));
                let f = Lambda::unary("x", element.clone(), |x| if deeper { unrolled(x, f) } else { f(x) });
                Expr::prim(Prim::MapSeqUnroll, vec![Arg::Fun(f), Arg::Data(xs)])
            }
            let int = Type::from(Scalar::I32);
            let most = literal(&int, w.random.below(3) as i32 - 1);
            let other = literal(&int, w.random.below(5) as i32);
            let computed = |x: Expr| {
                let (window, n) = (Expr::field(x.clone(), 0), Expr::field(x, 1));
                let at = |i: i64| {
                    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(window.clone())])
                };
                let counts = Expr::binary(BinaryOp::Gt, n.clone(), most.clone());
                Expr::if_(counts, twice_minus(at(2), twice_minus(at(0), n)), other.clone())
            };
            let block = unrolled(both(Expr::param(&tile), numbers.clone(), dims.len()), &computed);
            if rule.name == "skip_block" {
                return crate::rewrite::scope::replace(&block, tile.id, &windows);
            }
            let constant = unrolled(numbers.clone(), &|_| other.clone());
            let first = dims.iter().fold(numbers, |xs, _| {
                Expr::prim(Prim::At, vec![Arg::Data(Expr::size(0.into())), Arg::Data(xs)])
            });
            let near = Param::new("near", Scalar::I32.into());
            let counts = Expr::binary(BinaryOp::Gt, Expr::param(&near), most.clone());
            let chosen = Expr::if_(counts, block, constant);
            let value = Expr::prim(Prim::ToPrivate, vec![Arg::Data(windows)]);
            Expr::let_(tile, value, Expr::let_(near, first, chosen))
        }
        "skip_vector" => {
            let width = w.random.pick(&[2, 4]);
            let vectors = 1 + w.random.below(2) as i64;
            let int = Type::from(Scalar::I32);
            let len = ArithExpr::cst(width * vectors);
            let numbers = w.input(int.clone().with_shape(std::slice::from_ref(&len)));
            let windows = w.input(int.clone().with_shape(&[len, 3.into()]));
            let most = literal(&int, w.random.below(3) as i32 - 1);
            let other = literal(&int, w.random.below(5) as i32);
            let swapped = w.random.flip();
            let computed = |x: Expr| {
                let (first, second) = (Expr::field(x.clone(), 0), Expr::field(x, 1));
                let (window, n) = if swapped { (second, first) } else { (first, second) };
                let at = |i: i64| {
                    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(window.clone())])
                };
                let counts = Expr::binary(BinaryOp::Gt, n.clone(), most.clone());
                Expr::if_(counts, twice_minus(at(2), twice_minus(at(0), n)), other.clone())
            };
            let lanes = |xs: Expr| {
                let f = Lambda::unary("x", xs.ty().as_array().unwrap().0.clone(), computed);
                Expr::prim(Prim::MapVec, vec![Arg::Fun(f), Arg::Data(xs)])
            };
            let pairs = if swapped { zip(&numbers, &windows) } else { zip(&windows, &numbers) };
            if vectors == 1 {
                return lanes(pairs);
            }
            Expr::join(Expr::map_with("lanes", Expr::split(width.into(), pairs), lanes))
        }
        "lanes_to_local" => {
            let width = w.random.pick(&[2, 4]);
            let dims = [1 + w.random.below(3) as i64, 1 + w.random.below(2) as i64];
            let dims = dims[..1 + w.random.below(2) as usize].iter().copied().map(ArithExpr::cst);
            let lens = std::iter::once(ArithExpr::cst(width)).chain(dims).collect::<Vec<_>>();
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let lanes = w.input(Type::from(scalar).with_shape(&lens));
            let computed = |x: Expr| {
                nd::map_nd(
                    lens.len() - 1,
                    Lambda::unary("v", scalar.into(), |v| twice_minus(v.clone(), v)),
                    x,
                )
            };
            let f = Lambda::unary("x", lanes.ty().as_array().unwrap().0.clone(), computed);
            Expr::prim(Prim::MapVec, vec![Arg::Fun(f), Arg::Data(lanes)])
        }
        "maps_together" => {
            let dims = [w.variable(3), w.some_size()];
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
        "scan_chunks" => {
            let len = w.random.pick(&[1, 2, 63, 64, 65, 128, 200]);
            let len = w.size_of(len);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = w.input(Type::array(scalar.into(), len));
            let xs = if w.random.flip() { Expr::map_with("x", xs, |x| w.arithmetic(&x, &[])) } else { xs };
            match xs.ty().as_array() {
                Some((Type::Scalar(_), _)) => w.fold_like(Prim::Scan, xs),
                _ => xs,
            }
        }
        "reduce_seq" | "fold_seq" | "scan_seq" | "scan" => {
            let scalars = w.some_size();
            let scalars = w.input(Type::array(Scalar::F32.into(), scalars));
            let prim = match rule.name {
                "reduce_seq" => Prim::Reduce,
                "fold_seq" => Prim::Fold,
                "scan" => Prim::ScanSeq,
                _ => Prim::Scan,
            };
            w.fold_like(prim, scalars)
        }
        "tile_to_private" | "map_seq_unroll" => {
            let rows = known_rows(w);
            let inner_scope = [scope, std::slice::from_ref(&xs)].concat();
            let rows = if w.random.flip() { rows } else { zip(&rows, &known_rows(w)) };
            Expr::map_with("t", rows, |t| w.grow(t, 3, &inner_scope))
        }
        "join_outwards" | "zip_rows" | "fold_rows" => of_rows(rule.name, w, scope),
        "zip_map" | "fold_map" => {
            let inner = |w: &mut World, x: Expr| {
                let scope = [scope, std::slice::from_ref(&x)].concat();
                w.arithmetic(&x, &scope)
            };
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let len = w.some_size();
            let [a, b] = [0, 1].map(|_| w.input(Type::array(scalar.into(), len.clone())));
            let computed = Expr::map_with("x", a, |x| inner(w, x));
            match rule.name {
                "fold_map" => match computed.ty().as_array() {
                    Some((Type::Scalar(_), _)) => w.fold_like(Prim::Fold, computed),
                    _ => computed,
                },
                _ if w.random.flip() => zip(&computed, &b),
                _ => zip(&b, &computed),
            }
        }
        "after_fold" | "fold_windows" => windows_by_rows(w, rule.name == "after_fold"),
        "separate" => separable(w, scope),
        "separate_parts" => separable_parts(w),
        "constant" => {
            let numbers = constants(w, Scalar::I32, &[3, 2]);
            let x = Param::new("c", numbers.ty().clone());
            let inner = [scope, &[Expr::param(&x)]].concat();
            let body = w.grow(Expr::param(&x), 3, &inner);
            Expr::let_(x, numbers, body)
        }
        "low_rank" => weighted(w),
        "points" => points(w),
        "weight_one" | "weight_zero" | "add_zero" => {
            let scalar = match rule.name {
                "weight_one" => w.random.pick(&[Scalar::I32, Scalar::F32]),
                _ => Scalar::I32,
            };
            let ty = Type::from(scalar);
            let number = literal(&ty, i32::from(rule.name == "weight_one"));
            let op = if rule.name == "add_zero" { BinaryOp::Add } else { BinaryOp::Mul };
            let x = w.input(ty);
            let x = if w.random.flip() { twice_minus(x.clone(), x) } else { x };
            let (a, b) = if w.random.flip() { (number, x) } else { (x, number) };
            Expr::binary(op, a, b)
        }
        "transposed_tile" | "wider_rows" => {
            let rows = known_rows(w);
            let rows = if w.random.flip() { nd::copy_nd(2, rows) } else { zip(&rows, &known_rows(w)) };
            Expr::prim(Prim::ToLocal, vec![Arg::Data(rows)])
        }
        "reduce_each_row" => {
            let dims = [w.some_size(), w.some_size()];
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let rows = w.input(Type::from(scalar).with_shape(&dims));
            w.reduce(Expr::join(rows))
        }
        "pass_to_local" | "pass_stored" => match w.random.below(4) {
            0 => match (rules::separable::SEPARATE_PARTS.apply)(&separable_parts(w), &w.facts) {
                Some(passes) => passes,
                None => xs,
            },
            _ => {
                let dims = w.random.pick(&[1, 2, 3]);
                computed_stencil(w, dims, scope)
            }
        },
        "round_to_local" => {
            let dims = [w.some_size(), w.some_size()];
            let rows = w.input(Type::from(Scalar::I32).with_shape(&dims));
            let numbers = w.input(Type::array(Scalar::I32.into(), dims[0].clone()));
            let rows = match w.random.below(3) {
                0 => rows,
                1 => zip(&numbers, &rows),
                _ => zip(&rows, &rows.refresh()),
            };
            rows_folded(w, rows)
        }
        "row_to_private" => {
            let (rows, numbers) = (known_rows(w), known_rows(w));
            let numbers = Expr::map_with("row", numbers, |row| w.reduce(row));
            let rows = if w.random.flip() { rows } else { zip(&numbers, &rows) };
            rows_folded(w, rows)
        }
        "reduce_seq_unroll" => {
            let n = w.random.pick(&[1, 2, 5]);
            let scalars = w.input(Type::array(Scalar::F32.into(), n.into()));
            let prim = w.random.pick(&[Prim::Reduce, Prim::Fold]);
            w.fold_like(prim, scalars)
        }
        name if name.starts_with("map_vec") => {
            let (lanes, vectors) =
                (place::VECTORS.iter().find(|(_, r)| r.name == name).unwrap().0, w.some_size());
            let row = w.input(Type::from(Scalar::I32).with_shape(&[vectors * lanes]));
            Expr::map_with("x", row, |x| w.grow(x, 3, &[scope, &[xs]].concat()))
        }
        name if name.starts_with("whole_vectors") => {
            let len = w.random.pick(&[1, 3, 5, 9, 15, 17, 33, 50]);
            let row = w.size_of(len);
            let row = w.input(Type::from(Scalar::I32).with_shape(&[row]));
            Expr::map_with("x", row, |x| w.grow(x, 3, &[scope, &[xs]].concat()))
        }
        name if name.contains("row_in_vectors") => {
            let len = w.random.pick(&[15, 16, 17, 31, 32, 33, 50]);
            let len = w.size_of(len);
            let lens = if w.random.flip() { vec![len] } else { vec![len, 3.into()] };
            let row = w.input(Type::from(Scalar::I32).with_shape(&lens));
            let inner = [scope, &[xs]].concat();
            Expr::map_with("x", row, |x| match x.ty() {
                Type::Array(..) => Expr::map_with("y", x, |y| w.grow(y, 3, &inner)),
                Type::Scalar(_) | Type::Tuple(_) => w.grow(x, 3, &inner),
            })
        }
        name if name.starts_with("stretches") => {
            let len = w.random.pick(&[500, 512, 600, 1024, 1030]);
            let len = w.size_of(len);
            let row = w.input(Type::from(Scalar::I32).with_shape(&[len]));
            Expr::map_with("x", row, |x| w.grow(x, 3, &[scope, &[xs]].concat()))
        }
        name if name.starts_with("reduce_in_vectors") => {
            let own = |(_, rules): &&(i64, [Rule; 2])| rules.iter().any(|rule| rule.name == name);
            let (width, _) = rules::lanes::REDUCE_IN_VECTORS.iter().find(own).unwrap();
            let whole = if name.contains(',') { width * rules::lanes::SIDE_BY_SIDE } else { *width };
            let len = w.random.pick(&[whole, 2 * whole, 3 * whole, 2 * whole + 1]);
            let len = w.size_of(len);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = w.input(Type::array(scalar.into(), len));
            let computed = Expr::map_with("x", xs.clone(), |x| w.arithmetic(&x, scope));
            match computed.ty().as_array() {
                Some((Type::Scalar(_), _)) if w.random.flip() => w.reduce(computed),
                _ => w.reduce(xs),
            }
        }
        "parts_to_local" => {
            let rows = known_rows(w);
            let rows = zip(&rows, &if w.random.flip() { known_rows(w) } else { numbers_beside(w, &rows) });
            Expr::map_with("t", rows, |t| w.grow(t, 3, scope))
        }
        name if name.starts_with("map_")
            || ["tile_to_local", "tile_to_global", "copy", "coarsen"].contains(&name) =>
        {
            Expr::map_with("x", xs, |x| {
                let inner = [scope, std::slice::from_ref(&x)].concat();
                w.grow(x, 3, &inner)
            })
        }
        // Random programs are full of definitions.
        _ => w.grow(xs, 6, scope),
    }
}

/// Loops in one another, and traversals that only look at data.
fn interchanged(name: &str, w: &mut World, xs: Expr, scope: &[Expr]) -> Expr {
    let with = |own: &[&Expr]| [scope.to_vec(), own.iter().map(|x| (*x).clone()).collect()].concat();
    let int = Type::from(Scalar::I32);
    let (n, m) = (w.some_size(), w.some_size());
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
                let prim = w.random.pick(&[Prim::Reduce, Prim::Fold]);
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
            let dims = [w.some_size(), w.some_size(), w.some_size()];
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
            let dims = [w.some_size(), w.some_size()];
            let rows = w.input(Type::from(Scalar::I32).with_shape(&dims));
            Expr::map_with("row", rows, |row| {
                let inner = with(&row);
                let computed = Expr::map_with("x", row, |x| w.arithmetic(&x, &inner));
                let prim = w.random.pick(&[Prim::Reduce, Prim::Fold, Prim::Scan]);
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
            let prim = w.random.pick(&[Prim::Reduce, Prim::Fold]);
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
            w.fold_like(Prim::Fold, numbers)
        }
    }
}

/// Some numbers in a row.
fn numbers(w: &mut World) -> Expr {
    let len = w.random.pick(&[1, 2, 3, 5, 8, 12, 16, 17, 40]);
    let len = w.size_of(len);
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    w.input(Type::array(scalar.into(), len))
}

/// A reduction for every pair of a row and a column, of which either may be turned, with something read beside it, or nearly so.
fn product(w: &mut World, scope: &[Expr]) -> Expr {
    let (n, m) = (w.some_size(), w.some_size());
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

/// As many numbers as there are rows.
fn numbers_beside(w: &mut World, rows: &Expr) -> Expr {
    let (_, len) = rows.ty().as_array().unwrap();
    let ty = Type::array(Scalar::I32.into(), len.clone());
    w.input(ty)
}

/// Five rows, of which the length is a number.
fn known_rows(w: &mut World) -> Expr {
    let m = w.random.pick(&[1, 2, 3]);
    let dims = [ArithExpr::cst(5), ArithExpr::cst(m)];
    w.input(Type::from(Scalar::I32).with_shape(&dims))
}

/// A function of the elements of rows, pairs of them, or a reduction.
fn of_rows(name: &str, w: &mut World, scope: &[Expr]) -> Expr {
    let dims = [w.some_size(), w.some_size()];
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let ty = Type::from(scalar).with_shape(&dims);
    let joined = Expr::join(w.input(ty.clone()));
    match name {
        "join_outwards" => Expr::map_with("x", joined, |x| {
            let inner = [scope, std::slice::from_ref(&x)].concat();
            w.grow(x, 2, &inner)
        }),
        "zip_rows" => {
            let len = w.value_of(joined.ty().as_array().unwrap().1) as i64;
            let other = match w.random.below(3) {
                0 => Expr::join(w.input(ty)),
                1 => {
                    let len = w.size_of(len);
                    w.input(Type::array(scalar.into(), len))
                }
                // Rows of another length.
                _ => {
                    let rows = [w.size_of(len), ArithExpr::one()];
                    Expr::join(w.input(Type::from(scalar).with_shape(&rows)))
                }
            };
            if w.random.flip() { zip(&joined, &other) } else { zip(&other, &joined) }
        }
        _ => {
            let prim = w.random.pick(&[Prim::Reduce, Prim::Fold]);
            w.fold_like(prim, joined)
        }
    }
}

/// A loop over rows, or over pairs of numbers and rows, with a number.
fn rows_folded(w: &mut World, xs: Expr) -> Expr {
    let (acc, t) = (Scalar::I32.into(), xs.ty().as_array().unwrap().0.clone());
    let (acc, t) = (Param::new("acc", acc), Param::new("t", t));
    let value = value_of_rows(w, Expr::param(&t));
    let body = twice_minus(Expr::param(&acc), value);
    let args = vec![
        Arg::Fun(Lambda { params: vec![acc, t], body }),
        Arg::Data(literal(&Scalar::I32.into(), 1)),
        Arg::Data(xs),
    ];
    Expr::prim(Prim::Fold, args)
}

/// A number that depends on everything in a value of numbers.
fn value_of_rows(w: &mut World, e: Expr) -> Expr {
    match e.ty().clone() {
        Type::Scalar(_) => e,
        Type::Tuple(parts) => {
            let parts = (0..parts.len()).map(|i| value_of_rows(w, Expr::field(e.clone(), i)));
            parts.collect::<Vec<_>>().into_iter().reduce(twice_minus).unwrap()
        }
        Type::Array(..) => {
            let mut flat = e;
            while flat.ty().shape().0.len() > 1 {
                flat = Expr::join(flat);
            }
            w.reduce(flat)
        }
    }
}

/// `map^d(f) . slide^d(n, s)` of numbers, with sizes and steps of windows up to 3.
fn plain_stencil(w: &mut World, dims: usize, f: impl FnOnce(&mut World, Expr) -> Expr) -> Expr {
    let (mut windows, mut lens) = (Vec::new(), Vec::new());
    for _ in 0..dims {
        let (size, step) = (w.random.pick(&[1, 2, 3]), w.random.pick(&[1, 1, 2]));
        let (size, step) = (w.size_of(size), w.size_of(step));
        let count = w.random.pick(&[1, 2, 3, 5]);
        let count = w.size_of(count);
        lens.push((count - 1) * &step + &size);
        windows.push((size, step));
    }
    let slid = nd::slide_nd(&windows, w.input(Type::from(Scalar::I32).with_shape(&lens)));
    let window = (0..dims).fold(slid.ty(), |ty, _| ty.as_array().unwrap().0).clone();
    let window = Param::new("w", window);
    let body = f(w, Expr::param(&window));
    nd::map_nd(dims, Lambda { params: vec![window], body }, slid)
}

/// Windows that are gone through row by row, alone or with other rows.
fn windows_by_rows(w: &mut World, more: bool) -> Expr {
    let dims = w.random.pick(&[1, 2, 2, 3]);
    plain_stencil(w, dims, |w, window| {
        let (row, count) = window.ty().as_array().map(|(t, n)| (t.clone(), n.clone())).unwrap();
        let rows = match w.random.below(3) {
            0 => window,
            1 => zip(&w.input(Type::array(row, count)), &window),
            _ => zip(&window, &w.input(Type::array(Scalar::I32.into(), count))),
        };
        let sum = rows_folded(w, rows);
        if more { twice_minus(literal(&Scalar::I32.into(), 7), sum) } else { sum }
    })
}

/// A stencil over something computed.
fn computed_stencil(w: &mut World, dims: usize, scope: &[Expr]) -> Expr {
    let (size, count) = (w.random.pick(&[1, 2, 3]), w.random.pick(&[1, 2, 5]));
    let len = w.size_of(size + count - 1);
    let size = w.size_of(size);
    let xs = w.input(Type::from(Scalar::I32).with_shape(&vec![len; dims]));
    let f = Lambda::unary("x", Scalar::I32.into(), |x| match scope.iter().find(|y| y.ty() == x.ty()) {
        Some(y) => twice_minus(x, y.clone()),
        None => twice_minus(x.clone(), x),
    });
    let slid = nd::slide_nd(&vec![(size, 1.into()); dims], nd::map_nd(dims, f, xs));
    let window = (0..dims).fold(slid.ty(), |ty, _| ty.as_array().unwrap().0).clone();
    let g = Lambda::unary("w", window, |window| value_of_rows(w, window));
    nd::map_nd(dims, g, slid)
}

/// A stencil of which the function uses nothing but a function of each row.
fn separable(w: &mut World, scope: &[Expr]) -> Expr {
    plain_stencil(w, 2, |w, window| {
        let of_rows = Expr::map_with("row", window, |row| {
            let sum = w.reduce(row);
            match scope.iter().find(|x| x.ty() == sum.ty()) {
                Some(other) => twice_minus(sum, other.clone()),
                None => sum,
            }
        });
        match w.random.below(3) {
            0 => of_rows,
            _ => w.reduce(of_rows),
        }
    })
}

/// The same with two functions of each row.
fn separable_parts(w: &mut World) -> Expr {
    plain_stencil(w, 2, |w, window| {
        let of_rows = Expr::map_with("row", window, |row| {
            let first = Expr::prim(Prim::At, vec![Arg::Data(Expr::size(0.into())), Arg::Data(row.clone())]);
            let parts = vec![w.reduce(row.clone()), twice_minus(first, w.reduce(row))];
            Expr::tuple(if w.random.flip() { parts.into_iter().rev().collect() } else { parts })
        });
        match w.random.below(3) {
            0 => of_rows,
            _ => {
                let numbers = Expr::map_with("t", of_rows, |t| {
                    twice_minus(Expr::field(t.clone(), 0), Expr::field(t, 1))
                });
                w.reduce(numbers)
            }
        }
    })
}

/// An array of numbers that are known.
fn constants(w: &mut World, scalar: Scalar, dims: &[i64]) -> Expr {
    let (n, inner) = dims.split_first().unwrap();
    let element = |w: &mut World| match inner {
        [] => literal(&scalar.into(), w.random.below(9) as i32 - if scalar.is_signed() { 4 } else { 0 }),
        _ => constants(w, scalar, inner),
    };
    Expr::array_literal((0..*n).map(|_| element(w)).collect())
}

/// A sum of the elements of rows, with weights that are a sum of products, or are not.
fn weighted(w: &mut World) -> Expr {
    let scalar = w.random.pick(&[Scalar::I32, Scalar::U8, Scalar::I64, Scalar::F32, Scalar::F64]);
    let (n, m) = (w.random.pick(&[3, 4, 7, 9]), w.random.pick(&[3, 5, 7, 8]));
    let products = w.random.pick(&[1, 1, 1, 2, 2, 3, 9]);
    let mut weights = vec![vec![0i32; m as usize]; n as usize];
    for _ in 0..products {
        let b: Vec<i32> = (0..m).map(|_| w.random.below(9) as i32 - 4).collect();
        for row in &mut weights {
            let a = w.random.below(7) as i32 - 3;
            row.iter_mut().zip(&b).for_each(|(x, b)| *x += a * b);
        }
    }
    let number = |x: &i32| {
        Expr::literal(match scalar.is_float() {
            true => Literal::float(f64::from(*x) / 8.0, scalar),
            false => Literal::number(*x, scalar),
        })
    };
    let row = |row: &Vec<i32>| Expr::array_literal(row.iter().map(number).collect());
    let weights = Expr::array_literal(weights.iter().map(row).collect());
    // Whole numbers, whose sums are exact.
    let rows = w.input(Type::from(Scalar::I32).with_shape(&[n.into(), m.into()]));
    let order = w.random.flip();
    let add = |xs: Expr| {
        let (a, b) = (Param::new("a", scalar.into()), Param::new("b", scalar.into()));
        let body = Expr::binary(BinaryOp::Add, Expr::param(&a), Expr::param(&b));
        let f = Lambda { params: vec![a, b], body };
        Expr::prim(Prim::Reduce, vec![Arg::Fun(f), Arg::Data(literal(&scalar.into(), 0)), Arg::Data(xs)])
    };
    let products = |pairs: Expr| {
        Expr::map_with("p", pairs, |p| {
            let (a, b) = (Expr::field(p.clone(), usize::from(!order)), Expr::field(p, usize::from(order)));
            Expr::binary(BinaryOp::Mul, a, Expr::cast(scalar, b))
        })
    };
    let (weights, rows) = if order { (weights, rows) } else { (rows, weights) };
    if w.random.flip() {
        return add(Expr::map_with("row", nd::zip_nd(2, vec![weights, rows]), |row| add(products(row))));
    }
    add(Expr::map_with("t", zip(&weights, &rows), |t| {
        let (a, b) = (Expr::field(t.clone(), 0), Expr::field(t, 1));
        add(products(zip(&a, &b)))
    }))
}

fn zip(a: &Expr, b: &Expr) -> Expr {
    Expr::prim(Prim::Zip, vec![Arg::Data(a.clone()), Arg::Data(b.clone())])
}

/// A loop over windows that move along with rows and numbers.
fn marching_rows(w: &mut World, scope: &[Expr]) -> Expr {
    let (rows, (size, step)) = (known_rows(w), w.random.pick(&[(1, 1), (3, 1), (2, 3)]));
    let m = w.random.pick(&[1, 2]);
    let dims = [ArithExpr::cst(4 * step + size), ArithExpr::cst(m)];
    let moving = w.input(Type::from(Scalar::I32).with_shape(&dims));
    let args = vec![Arg::Size(size.into()), Arg::Size(step.into()), Arg::Data(moving)];
    let windows = Expr::prim(Prim::SlideSeq, args);
    let numbers = w.input(Type::from(Scalar::I32).with_shape(&[5.into()]));
    let mut parts = vec![rows, windows, numbers];
    let last = w.random.below(3) as usize;
    parts.swap(2, last);
    let all = Expr::prim(Prim::Zip, parts.into_iter().map(Arg::Data).collect());
    let part = all.ty().as_array().unwrap().0.clone();
    let f = Lambda::unary("t", part, |t| {
        let inner = [scope, std::slice::from_ref(&t)].concat();
        w.grow(t, 3, &inner)
    });
    Expr::prim(Prim::MapSeq, vec![Arg::Fun(f), Arg::Data(all)])
}

/// How sizes and steps of windows are given: by numbers, or by variables with these values.
type Extents = fn(&mut World, i64) -> ArithExpr;

/// `map^d(f) $ zip^d(..)` of windows and elements.
fn zipped_stencil(w: &mut World, extent: Extents) -> Expr {
    let dims = w.random.pick(&[1, 2, 2, 3]);
    let counts: Vec<ArithExpr> = (0..dims).map(|_| w.some_size()).collect();
    let scalar = Type::from(w.random.pick(&[Scalar::I32, Scalar::F32]));
    let part = |w: &mut World| -> Expr {
        if w.random.flip() {
            return w.input(scalar.clone().with_shape(&counts));
        }
        let (mut windows, mut lens) = (Vec::new(), Vec::new());
        for count in &counts {
            let (size, step) = (w.random.pick(&[1, 2, 3]), w.random.pick(&[1, 1, 2]));
            let (size, step) = (extent(w, size), extent(w, step));
            lens.push((count - 1) * &step + &size);
            windows.push((size, step));
        }
        nd::slide_nd(&windows, w.input(scalar.clone().with_shape(&lens)))
    };
    let parts = (0..3).map(|_| part(w)).collect();
    let zipped = nd::zip_nd(dims, parts);
    let element = (0..dims).fold(zipped.ty(), |ty, _| ty.as_array().unwrap().0).clone();
    let f = Lambda::unary("x", element, |x| {
        let values: Vec<Expr> = (0..3)
            .map(|i| {
                let mut part = Expr::field(x.clone(), i);
                while part.ty().shape().0.len() > 1 {
                    part = Expr::join(part);
                }
                if part.ty().as_array().is_some() { w.reduce(part) } else { part }
            })
            .collect();
        values.into_iter().reduce(twice_minus).unwrap()
    });
    nd::map_nd(dims, f, zipped)
}

/// A function of windows that reach over the edges, and perhaps of another array, which lies beside them.
fn padded_stencil(w: &mut World) -> Expr {
    let dims = w.random.pick(&[1, 2, 2, 3]);
    let counts: Vec<ArithExpr> = (0..dims).map(|_| w.some_size() + 4).collect();
    let scalar = Type::from(w.random.pick(&[Scalar::I32, Scalar::F32]));
    let padded = |w: &mut World| -> Expr {
        let (mut windows, mut amounts, mut lens) = (Vec::new(), Vec::new(), Vec::new());
        for (dim, count) in counts.iter().enumerate() {
            let (l, r) = (w.random.pick(&[0, 1, 2]), w.random.pick(&[0, 1, 2]));
            let size = w.random.pick(&[1, 2, 3, 4]);
            // What moves by more than one is for other rules.
            let step = if dim > 0 { w.random.pick(&[1, 1, 2]) } else { 1 };
            lens.push((count - 1) * step + size - l - r);
            windows.push((size.into(), step.into()));
            amounts.push((l.into(), r.into()));
        }
        let input = w.input(scalar.clone().with_shape(&lens));
        let boundary = w.boundary(&scalar);
        nd::slide_nd(&windows, nd::pad_nd(&amounts, &boundary, input))
    };
    let mut parts = vec![padded(w)];
    for _ in 0..w.random.below(3) {
        let plain = w.random.flip();
        parts.push(if plain { w.input(scalar.clone().with_shape(&counts)) } else { padded(w) });
    }
    let count = parts.len();
    let is_zipped = count > 1;
    let xs = if is_zipped { nd::zip_nd(dims, parts) } else { parts.swap_remove(0) };
    let element = (0..dims).fold(xs.ty(), |ty, _| ty.as_array().unwrap().0).clone();
    let f = Lambda::unary("x", element, |x| {
        let value = |i: usize| {
            let mut part = if is_zipped { Expr::field(x.clone(), i) } else { x.clone() };
            while part.ty().shape().0.len() > 1 {
                part = Expr::join(part);
            }
            if part.ty().as_array().is_some() { w.reduce(part) } else { part }
        };
        (0..count).map(value).reduce(twice_minus).unwrap()
    });
    nd::map_nd(dims, f, xs)
}

/// Several steps of a stencil.
fn steps(w: &mut World, (dims, times, is_named): (usize, i128, bool), scope: &[Expr]) -> Expr {
    let (f, x) = step(w, (dims, is_named), scope);
    repeated(times, f, x)
}

/// So many applications of a function.
fn repeated(times: i128, f: Lambda, x: Expr) -> Expr {
    if times == 1 {
        return crate::rewrite::scope::replace(&f.body, f.params[0].id, &x);
    }
    let times = Expr::literal(Literal::int(times, Scalar::Usize));
    Expr::prim(Prim::Iterate, vec![Arg::Data(times), Arg::Fun(f), Arg::Data(x)])
}

/// A step of a stencil with some boundary in every dimension, perhaps with something else beside the array, and an array.
fn step(w: &mut World, (dims, is_named): (usize, bool), scope: &[Expr]) -> (Lambda, Expr) {
    let (ty, x) = grid(w, dims);
    (step_of(w, &ty, is_named, scope), x)
}

/// An array of scalars in so many dimensions, and its type.
fn grid(w: &mut World, dims: usize) -> (Type, Expr) {
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let lens: Vec<ArithExpr> = (0..dims).map(|_| w.some_size()).collect();
    let ty = Type::from(scalar).with_shape(&lens);
    (ty.clone(), w.input(ty))
}

/// A step from such an array.
fn step_of(w: &mut World, ty: &Type, is_named: bool, scope: &[Expr]) -> Lambda {
    let (other, dims) = (w.input(ty.clone()), ty.shape().0.len());
    let scalar = ty.shape().1.clone();
    let boundary = |w: &mut World| w.boundary(&scalar);
    let whole = boundary(w);
    let pads: Vec<(i64, i64, Boundary)> = (0..dims)
        .map(|_| {
            let (l, r) = w.random.pick(&[(1, 1), (1, 1), (0, 1), (2, 1), (0, 0), (0, 3), (2, 2)]);
            (l, r, if w.random.flip() { whole.clone() } else { boundary(w) })
        })
        .collect();
    let (is_zipped, is_named) = (w.random.below(3) == 0, is_named || w.random.flip());
    Lambda::unary("state", ty.clone(), |state| {
        let windows: Vec<_> = pads.iter().map(|(l, r, _)| ((l + r + 1).into(), ArithExpr::one())).collect();
        let slid = nd::slide_nd(&windows, pad(&pads, state.clone()));
        let all = if is_zipped { nd::zip_nd(dims, vec![other, slid, state]) } else { slid };
        let element = (0..dims).fold(all.ty(), |ty, _| ty.as_array().unwrap().0).clone();
        let f = Lambda::unary("w", element, |x| {
            let window = if is_zipped { Expr::field(x.clone(), 1) } else { x.clone() };
            let value = if is_named { corners(&pads, window) } else { in_order(w, window) };
            let value = match scope.iter().find(|x| x.ty() == value.ty()) {
                Some(other) => twice_minus(value, other.clone()),
                None => value,
            };
            match is_zipped {
                true => twice_minus(twice_minus(value, Expr::field(x.clone(), 0)), Expr::field(x, 2)),
                false => value,
            }
        });
        nd::map_nd(dims, f, all)
    })
}

/// `pad` with own amounts and boundaries in every dimension.
fn pad(pads: &[(i64, i64, Boundary)], xs: Expr) -> Expr {
    let Some(((l, r, boundary), inner)) = pads.split_first() else { return xs };
    let rows = if inner.is_empty() { xs } else { Expr::map_with("row", xs, |row| pad(inner, row)) };
    Expr::pad((*l).into(), (*r).into(), boundary.clone(), rows)
}

/// All of a window.
fn in_order(w: &mut World, window: Expr) -> Expr {
    let mut flat = window;
    while flat.ty().shape().0.len() > 1 {
        flat = Expr::join(flat);
    }
    w.reduce(flat)
}

/// The first, the middle and the last point of a window.
fn corners(pads: &[(i64, i64, Boundary)], window: Expr) -> Expr {
    let nth = |xs: Expr, i: i64| Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(xs)]);
    let point = |f: &dyn Fn(&(i64, i64, Boundary)) -> i64| pads.iter().map(f).fold(window.clone(), nth);
    let (first, middle, last) = (point(&|_| 0), point(&|(l, _, _)| *l), point(&|(l, r, _)| l + r));
    twice_minus(twice_minus(first, middle), last)
}

/// `map^d(f) . slide^d(n, s)` of some array, in the prelude's shape, with its maps fused, or nearly so.
fn stencil(w: &mut World, scope: &[Expr], extent: Extents) -> Expr {
    let dims = w.random.pick(&[1, 1, 2, 2, 3]);
    let scalar = Type::from(w.random.pick(&[Scalar::I32, Scalar::F32]));
    let mut windows = Vec::new();
    let mut lens = Vec::new();
    for _ in 0..dims {
        let size = w.random.pick(&[1, 2, 3, 3, 4]);
        let size = extent(w, size);
        let step = w.random.pick(&[1, 1, 1, 2, 3]);
        let step = extent(w, step);
        let count = w.random.pick(&[1, 2, 3, 4, 5, 7]);
        let count = w.size_of(count);
        lens.push((count - 1) * &step + &size);
        windows.push((size, step));
    }
    // Sometimes the elements are rows, so that there is a dimension which is not slid over.
    let element = if w.random.below(4) == 0 { Type::array(scalar, w.some_size()) } else { scalar };
    let input = w.input(element.with_shape(&lens));
    let f = move |w: &mut World, window: Expr| {
        let mut flat = window;
        while flat.ty().shape().0.len() > 1 {
            flat = Expr::join(flat);
        }
        let sum = w.reduce(flat);
        let others: Vec<&Expr> = scope.iter().filter(|x| x.ty() == sum.ty()).collect();
        match others.as_slice() {
            [] => sum,
            [other, ..] => twice_minus(sum, (*other).clone()),
        }
    };
    let slid = nd::slide_nd(&windows, input);
    let Some((_, under)) = as_map(&slid) else {
        return Expr::map_with("w", slid, |window| f(w, window));
    };
    if w.random.flip() {
        return reordered(w, dims, under.clone(), &f);
    }
    let mut ty = slid.ty();
    for _ in 0..dims {
        ty = ty.as_array().unwrap().0;
    }
    let window = Param::new("w", ty.clone());
    let body = f(w, Expr::param(&window));
    nd::map_nd(dims, Lambda { params: vec![window], body }, slid)
}

/// `map^d(f)` with the dimensions reordered somehow on the way in: right for a stencil, or nearly so.
fn reordered(w: &mut World, dims: usize, xs: Expr, f: &dyn Fn(&mut World, Expr) -> Expr) -> Expr {
    Expr::map_with("row", xs, |row| match dims {
        1 => f(w, row),
        2 if w.random.below(4) == 0 && row.ty().shape().0.len() > 2 => {
            // What looks at the whole row is no function of a window.
            Expr::map_with("w", row.clone(), |window| {
                let first = f(w, Expr::take(ArithExpr::one(), row.clone()));
                let own = f(w, window);
                if own.ty() == first.ty() { twice_minus(own, first) } else { own }
            })
        }
        _ => {
            let row = match w.random.below(dims as u64) as usize {
                0 => row,
                moves => nd::inwards(moves, row),
            };
            reordered(w, dims - 1, row, f)
        }
    })
}

/// A random program with an instance of the rule's left side somewhere inside.
fn program(rule: &Rule, w: &mut World) -> Expr {
    let constant = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let captured = w.input(constant.into());
    match w.random.below(3) {
        0 => {
            let xs = w.array();
            left_side(rule, w, xs, &[captured])
        }
        // Inside a function of something else.
        1 => {
            let xs = w.array();
            let element = xs.ty().as_array().unwrap().0.clone();
            Expr::map_with("outer", xs, |x| {
                let inner = if element.as_array().is_some() { x.clone() } else { w.array() };
                left_side(rule, w, inner, &[captured, x])
            })
        }
        // As part of something else, inside a definition.
        _ => {
            let param = Param::new("c", captured.ty().clone());
            let value = twice_minus(captured.clone(), captured);
            let xs = w.array();
            let body = left_side(rule, w, xs, &[Expr::param(&param)]);
            Expr::let_(param, value, w.grow(body, 2, &[]))
        }
    }
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

fn positions(e: &Expr) -> Vec<Position> {
    let mut all = vec![Vec::new()];
    for (i, child) in e.children().into_iter().enumerate() {
        all.extend(positions(child).into_iter().map(|p| [vec![i], p].concat()));
    }
    all
}

/// Applies the rule everywhere, one place at a time; how often it fired.
fn check_rule(rule: &'static Rule, seed: u64) -> Result<usize, String> {
    let mut w = World::new(seed);
    w.associative = ["scan_chunks", "block_product", "interleave", "every", "regroup"].contains(&rule.name)
        || (rule.name.starts_with("reduce_") && rule.name != "reduce_seq");
    // Growing copies expressions; afterwards each variable is bound once again.
    let e = program(rule, &mut w).refresh();
    let before = w.eval(&e).map_err(|text| format!("before: {text}\n{e}"))?;
    well_scoped(&e, &w)?;
    let mut fired = 0;
    for position in positions(&e) {
        let mut d = Derivation::new(&e, &w.facts);
        if !Strategy::Rule(rule).at(position).apply(&mut d) {
            continue;
        }
        fired += 1;
        let mut world = w.clone();
        for var in sizes(d.expr()) {
            if !world.sizes.contains_key(&var) {
                let tile = world.random.pick(&[1, 2, 3, 4, 5, 8, 16]);
                world.sizes.insert(var, tile);
            }
        }
        let context = || format!("{e}\nbecomes\n{}", d.expr());
        well_scoped(d.expr(), &world).map_err(|text| format!("{text}\n{}", context()))?;
        let after = world.eval(d.expr()).map_err(|text| format!("after: {text}\n{}", context()))?;
        if before != after {
            return Err(format!("{before}\nis not\n{after}\n{}", context()));
        }
    }
    Ok(fired)
}

/// Each rule fires at least 20 times in 150 programs. For a long run, say how often it is to fire, which rules are
/// (all those with a name that begins like this), and which programs come first:
/// `LIFT_RULE_FIRINGS=10000 LIFT_RULES=reduce LIFT_RULE_SEED=7`.
#[test]
fn every_rule_keeps_the_meaning() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let wanted = number("LIFT_RULE_FIRINGS").unwrap_or(20) as usize;
    let first = number("LIFT_RULE_SEED").unwrap_or(0);
    let prefix = std::env::var("LIFT_RULES").unwrap_or_default();
    let chosen: Vec<_> = rules::all().filter(|rule| rule.name.starts_with(&prefix)).collect();
    assert!(!chosen.is_empty(), "no rule begins with {prefix}");
    std::thread::scope(|scope| {
        for rule in chosen {
            scope.spawn(move || {
                let (mut fired, mut seed) = (0, first);
                for program in 0..wanted.div_ceil(20) * 150 {
                    if program >= 150 && fired >= wanted {
                        break;
                    }
                    seed =
                        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    fired +=
                        check_rule(rule, seed).unwrap_or_else(|why| panic!("{} ({seed}): {why}", rule.name));
                }
                println!("{} fired {fired} times", rule.name);
                assert!(fired >= wanted, "{} fired {fired} times", rule.name);
            });
        }
    });
}

#[test]
fn names_and_laws_are_unique() {
    let names: BTreeSet<&str> = rules::all().map(|rule| rule.name).collect();
    assert_eq!(names.len(), rules::all().count());
    assert!(rules::all().all(|rule| !rule.law.contains('\n') && rule.law.contains(" = ")));
}

#[test]
fn normalisation_is_confluent_and_keeps_the_meaning() {
    let result = runner(1000).run(&any::<u64>(), |seed| {
        let mut w = World::new(seed);
        let captured = w.input(Scalar::I32.into());
        let xs = w.array();
        let e = w.grow(xs, 7, &[captured]).refresh();
        let before = w.eval(&e).map_err(TestCaseError::fail)?;
        let mut results = Vec::new();
        for search in [Strategy::once, Strategy::bottom_up] {
            let mut d = Derivation::new(&e, &w.facts);
            normal::strategy(search).apply(&mut d);
            well_scoped(d.expr(), &w).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&before, &w.eval(d.expr()).map_err(TestCaseError::fail)?, "{}\n{}", e, d.expr());
            results.push(d);
        }
        let (one, two) = (&results[0], &results[1]);
        prop_assert!(
            same(one.expr(), two.expr()),
            "from\n{}\n\ntop-down\n{}\n\nbottom-up\n{}",
            e,
            one.expr(),
            two.expr()
        );
        // And it stays.
        let mut again = one.clone();
        normal::strategy(Strategy::once).apply(&mut again);
        prop_assert!(same(one.expr(), again.expr()), "again: {}\n{}", one.expr(), again.expr());
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn fission_ends_keeps_the_meaning_and_is_undone_by_fusion() {
    let (mut split, mut undone) = (0, 0);
    let rules = [&fission::FISSION, &fission::FISSION_PAIR, &fission::FISSION_ARGUMENT];
    for seed in 0..1000 {
        let mut w = World::new(seed);
        // Random programs have few functions that can be split.
        let e = match rules.get(seed as usize % 4) {
            Some(rule) => program(rule, &mut w),
            None => {
                let captured = w.input(Scalar::I32.into());
                let xs = w.array();
                w.grow(xs, 7, &[captured])
            }
        };
        let e = e.refresh();
        let before = w.eval(&e).unwrap();
        let normal = |e: &Expr, strategy: &Strategy| {
            let mut d = Derivation::new(e, &w.facts);
            strategy.apply(&mut d);
            d
        };
        for search in [Strategy::once, Strategy::bottom_up] {
            let fused = normal(&e, &normal::strategy(search));
            let d = normal(&e, &normal::fissioned(search));
            well_scoped(d.expr(), &w).unwrap();
            assert_eq!(before, w.eval(d.expr()).unwrap(), "{e}\n{}", d.expr());
            let simple = normal(&e, &normal::unfused(Strategy::once));
            let steps = d.trace().steps.iter().filter(|step| step.rule.name.starts_with("fission"));
            let steps: Vec<&Expr> = steps.map(|step| &step.after).collect();
            assert!(steps.len() < simple.expr().count(), "{} steps from {}", steps.len(), simple.expr());
            split += steps.len();
            let again = normal(d.expr(), &normal::fissioned(search));
            assert!(same(d.expr(), again.expr()), "{}\nbecomes\n{}", d.expr(), again.expr());
            let apart = steps.iter().any(|e| passes_arrays(e));
            if !apart && !defines_in_arguments(fused.expr()) && !defines_in_any_order(fused.expr()) {
                let back = normal(d.expr(), &normal::strategy(search));
                assert!(
                    same(fused.expr(), back.expr()),
                    "{seed}: from\n{e}\nfissioned\n{}\nfused\n{}\nis not\n{}",
                    d.expr(),
                    back.expr(),
                    fused.expr()
                );
                undone += usize::from(!steps.is_empty());
            }
        }
    }
    assert!(split > 1000 && undone > 400, "{split} steps; undone in {undone} cases");
}

/// Whether somewhere an array passes from one traversal to the next that uses it more than once: fusion leaves these
/// apart, because it would be computed more than once, or be kept by someone.
fn passes_arrays(e: &Expr) -> bool {
    let mut found = false;
    e.visit(&mut |e| {
        if let Some((g, ys)) = as_map(e)
            && let (Some((f, _)), [y]) = (as_map(ys), g.params.as_slice())
        {
            found |= !is_flat(f.body.ty()) && !occurrences(&g.body, y.id).at_most_once();
        }
    });
    found
}

/// Whether a definition does not need the one before it, so that they might as well stand the other way round.
fn defines_in_any_order(e: &Expr) -> bool {
    let mut found = false;
    e.visit(&mut |e| {
        if let Kind::Let(x, _, body) = e.kind()
            && let Kind::Let(_, next, _) = body.kind()
        {
            found |= occurrences(next, x.id).count == 0;
        }
    });
    found
}

/// Whether an argument of a primitive begins with a definition, which normalisation leaves there if there are other arguments.
fn defines_in_arguments(e: &Expr) -> bool {
    let mut found = false;
    e.visit(&mut |e| {
        let args = e.as_prim().map_or(&[][..], |(_, args)| args);
        found |= args.iter().filter_map(Arg::data).any(|x| matches!(x.kind(), Kind::Let(..)));
    });
    found
}

#[test]
fn strategies_succeed_or_leave_everything_as_it_was() {
    let mut w = World::new(1);
    let rows = w.input(Type::from(Scalar::I32).with_shape(&[ArithExpr::cst(2), ArithExpr::cst(3)]));
    let transposes = |n: usize| (0..n).fold(rows.clone(), |x, _| Expr::transpose(x));
    let start = |n: usize| Derivation::new(&transposes(n), &w.facts);
    let rule = || Strategy::Rule(&rules::simplify::TRANSPOSE_TRANSPOSE);

    let mut d = start(5);
    assert!(rule().repeat(1).apply(&mut d));
    assert_eq!(*d.expr(), transposes(3));
    assert!(rule().repeat(9).apply(&mut d));
    assert_eq!(*d.expr(), transposes(1));
    assert_eq!(d.trace().rules(), ["transpose_transpose", "transpose_transpose"]);

    // Two steps are possible, three are not.
    let mut d = start(5);
    assert!(!Strategy::Seq(vec![rule(), rule(), rule()]).apply(&mut d));
    assert_eq!(*d.expr(), transposes(5));
    assert!(d.trace().steps.is_empty());
    assert!(Strategy::Seq(vec![rule(), rule().try_(), rule().try_()]).apply(&mut d));
    assert_eq!(*d.expr(), transposes(1));

    let map = Expr::map_with("row", transposes(2), |row| row);
    let mut d = Derivation::new(&map, &w.facts);
    assert!(!rule().apply(&mut d));
    assert!(!rule().at(vec![0]).apply(&mut d));
    assert!(!rule().at(vec![7, 1]).apply(&mut d));
    assert!(Strategy::OrElse(vec![rule(), rule().at(vec![1])]).apply(&mut d));
    assert!(!rule().all().apply(&mut d));
    assert!(Strategy::any(&[&rules::simplify::TRANSPOSE_TRANSPOSE, &rules::simplify::MAP_ID]).apply(&mut d));
    assert_eq!(*d.expr(), rows);
}

#[test]
fn steps_are_done_again_where_they_were_done() {
    let text = "#[kernel] fn Sums<N>(xs: [i32; N]) -> [i32; N] { xs.pad(1, 1, clamp).slide(3, 1).map(|w| w.map(|x| x + 1).reduce(add, 0)) }";
    let kernel = kernel(text);
    let mut d = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut d);
    let last = fresh_id();
    assert!(Strategy::Rule(&rules::stencil::OVERLAPPED_TILING).once().apply(&mut d));
    let tile = sizes(d.expr()).into_iter().find(|var| var.id() > last).expect("the size of a tile");
    d.declare(&tile, 1, 64);
    assert!(Strategy::Rule(&place::WORKGROUP[0]).once().apply(&mut d));
    d.choose(&tile, 4);
    let trace = d.trace();
    let again = trace.replay(&kernel.facts).unwrap_or_else(|stray| panic!("{stray}"));
    assert!(same(again.expr(), d.expr()), "{}\n{}", again.expr(), d.expr());
    assert_eq!(again.trace().rules(), trace.rules());
    assert_eq!(again.trace().to_string(), trace.to_string());
    assert_eq!(again.trace().declared.len(), 1);

    let stray = |change: &dyn Fn(&mut Trace)| {
        let mut changed = trace.clone();
        change(&mut changed);
        changed.replay(&kernel.facts).map(|_| ()).map_err(|stray| stray.to_string())
    };
    // There is one place for a step.
    let placed = trace.steps.len() - 2;
    let Deed::Apply(place) = &trace.steps[placed].deed else { panic!("a choice") };
    let (mut applied, mut failed) = (0, 0);
    for other in positions(&trace.steps[placed - 1].after) {
        let found = stray(&|trace| trace.steps[placed].deed = Deed::Apply(other.clone()));
        let Err(why) = found else {
            assert_eq!(other, *place);
            continue;
        };
        let step = format!("step {}, `map_workgroup(0)`", placed + 1);
        applied += usize::from(why == format!("{step}, gives something else"));
        failed += usize::from(why == format!("{step}, does not apply where it was applied"));
    }
    assert!(applied > 0 && failed > 0, "{applied} places where the rule applies, {failed} where it does not");
    // Another choice, and one about nothing.
    let chosen = placed + 1;
    let choose =
        |deed: Deed| stray(&|trace| trace.steps[chosen].deed = deed.clone()).expect_err("another choice");
    assert_eq!(
        choose(Deed::Choose(tile.clone(), 5.into())),
        format!("step {}, `choose`, gives something else", chosen + 1)
    );
    let unknown = Deed::Choose(Var::new(fresh_id(), "T"), 4.into());
    assert_eq!(
        choose(unknown),
        format!("step {}, `choose`, is about a size that nothing introduced", chosen + 1)
    );
}

#[test]
fn what_was_searched_in_vain_is_searched_again_when_more_is_known() {
    let k = Var::new(fresh_id(), "k");
    let xs = Expr::param(&Param::new("xs", Type::array(Scalar::I32.into(), ArithExpr::cst(4))));
    let e = Expr::map_with("x", Expr::take(ArithExpr::var(&k), xs.clone()), |x| Expr::unary(UnaryOp::Neg, x));
    let rule = || Strategy::Rule(&rules::simplify::TAKE_ALL);
    for search in [Strategy::once, Strategy::bottom_up, Strategy::all] {
        let mut d = Derivation::new(&e, &Facts::new());
        assert!(!search(rule()).apply(&mut d));
        d.declare(&k, 4, 4);
        assert!(search(rule()).apply(&mut d));
        assert!(!search(rule()).apply(&mut d));
        assert_eq!(d.expr().children()[1], &xs);
    }
}

#[test]
fn together_expressions_have_the_texts_they_have_alone() {
    let xs = Expr::param(&Param::new("many_numbers", Type::array(Scalar::I32.into(), ArithExpr::cst(64))));
    let rows = |e: &Expr| Expr::split(ArithExpr::cst(2), e.clone());
    let nested = (0..8).fold(Expr::map_with("x", rows(&xs), |x| x), |e, _| {
        Expr::join(Expr::map_with("row", rows(&e), |row| {
            Expr::map_with("element", row, |x| Expr::join(rows(&x)))
        }))
    });
    let around = Expr::map_with("x", Expr::transpose(Expr::transpose(nested.clone())), |x| {
        Expr::tuple(vec![x, nested.clone()])
    });
    let all = [&xs, &nested, &around, &nested];
    let alone: Vec<String> = all.iter().map(|e| e.to_string()).collect();
    assert!(alone[2].lines().count() > 10);
    assert_eq!(print::texts(&all), alone);
}
