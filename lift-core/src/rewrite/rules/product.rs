//! Products: a reduction over the pairs of every row with every column.
//!
//! A group computes a square of results. It copies steps of the rows and columns that it needs to local memory, and
//! each of its 16 × 16 items adds what a step gives to a block of results in registers, half of the block in either half of the
//! square, so that items side by side read vectors side by side. The last squares may stand over: rows are read again there, and what is
//! computed too much is cut off. What is left of the rows when all steps are done is read where it is.

use crate::arith::{ArithExpr, Facts};
use crate::bug;
use crate::ir::prim::MOST_ZIPPED;
use crate::ir::{Arg, Boundary, Expr, Kind, Lambda, Param, Prim, Scalar, Type};
use crate::rewrite::layout::{as_layout, as_map, is_parameter, is_view};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::partial::ZIP_PART;
use crate::rewrite::rules::reduction::{as_reduce, fresh};
use crate::rewrite::scope::{occurrences, replace};

/// Work-items of a group in either dimension.
pub const ITEMS: i64 = 16;

/// So many elements of rows and columns are in local memory at a time.
pub const STEP: i64 = 16;

/// The widest vector, in bytes.
const WIDEST: i64 = 16;

/// A product: `map(|x| map(|y| h(x, y, reduce(f, z, map(g, zip(row, column)))), ys), xs)`.
#[derive(Debug, Clone)]
pub struct Product {
    /// What is reduced with, and what a pair is before.
    f: Lambda,
    z: Expr,
    g: Lambda,
    /// Which of the pair belongs to the outer map.
    rows_first: bool,
    /// The rows, one for each element of the outer map, and the columns.
    rows: Expr,
    columns: Expr,
    /// What becomes of a reduction, with the elements that are read beside it.
    h: Lambda,
    /// These elements, for every result.
    beside: Vec<Expr>,
    /// Numbers of results, and of pairs.
    pub counts: [ArithExpr; 2],
    /// The length of rows and columns.
    pub length: ArithExpr,
    /// Elements of a vector.
    vector: i64,
}

impl Product {
    /// The product that `e` is.
    pub fn find(e: &Expr) -> Option<Product> {
        let (outer, xs) = as_map(e)?;
        let (inner, ys) = as_map(&outer.body)?;
        let ([x], [y]) = (outer.params.as_slice(), inner.params.as_slice()) else { return None };
        let scalar = inner.body.ty().as_scalar().and(reduction(&inner.body))?;
        let (f, z, pairs) = as_reduce(scalar)?;
        let (g, zipped) = as_map(pairs)?;
        let (Prim::Zip, [Arg::Data(a), Arg::Data(b)]) = zipped.as_prim()? else { return None };
        let uses = |e: &Expr, p: &Param| occurrences(e, p.id).count > 0;
        let closed = [&f.body, z, &g.body].into_iter().all(|e| !uses(e, x) && !uses(e, y));
        let rows_first = uses(a, x) && !uses(a, y);
        let (row, column) = if rows_first { (a, b) } else { (b, a) };
        let apart = uses(row, x) && !uses(row, y) && uses(column, y) && !uses(column, x);
        let rows = part(x, row, xs);
        let columns = part(y, column, ys);
        if !closed || !apart || uses(&columns, x) {
            return None;
        }
        let scalars = [row, column].map(|e| e.ty().as_array().and_then(|(element, _)| element.as_scalar()));
        let bytes = scalars.into_iter().chain([scalar.ty().as_scalar()]).map(|s| Some(s?.bytes()));
        let bytes = bytes.collect::<Option<Vec<i64>>>()?.into_iter().max()?;
        let mut beside = Beside { x, y, reduction: scalar, read: Vec::new(), apart: true };
        let acc = Param::new("sum", scalar.ty().clone());
        let body = beside.outside(&inner.body, &Expr::param(&acc));
        if !beside.apart || beside.read.len() > MOST_ZIPPED {
            return None;
        }
        let (params, beside): (Vec<Param>, Vec<Expr>) = beside.read.into_iter().unzip();
        let beside = beside.iter().map(|read| {
            let inner = Lambda { params: inner.params.clone(), body: read.clone() };
            let of_row = short(Expr::map(inner, ys.clone()));
            short(Expr::map(Lambda { params: outer.params.clone(), body: of_row }, xs.clone())).refresh()
        });
        Some(Product {
            f: f.clone(),
            z: z.clone(),
            g: g.clone(),
            rows_first,
            rows,
            columns: columns.refresh(),
            beside: beside.collect(),
            h: Lambda { params: [vec![acc], params].concat(), body },
            counts: [xs.ty().as_array()?.1.clone(), ys.ty().as_array()?.1.clone()],
            length: zipped.ty().as_array()?.1.clone(),
            vector: (WIDEST / bytes).clamp(1, 4),
        })
    }

    /// The results of an item in either dimension: a vector in either half.
    pub fn block(&self) -> i64 {
        2 * self.vector
    }

    /// The results of a group in either dimension.
    pub fn square(&self) -> i64 {
        ITEMS * self.block()
    }

    /// What is copied: whole steps.
    fn whole(&self) -> ArithExpr {
        self.length.div(&STEP.into()) * STEP
    }

    /// `row` cut into the blocks of the items.
    fn blocks(&self, row: Expr) -> Expr {
        let halves = Expr::split(half(self), row);
        let vectors = Expr::map_with("half", halves, |half| Expr::split(self.vector.into(), half));
        Expr::map_with("item", Expr::transpose(vectors), Expr::join)
    }

    /// The way back.
    fn unblocked(&self, blocks: Expr) -> Expr {
        let vectors = Expr::map_with("item", blocks, |block| Expr::split(self.vector.into(), block));
        Expr::join(Expr::map_with("half", Expr::transpose(vectors), Expr::join))
    }

    /// The items' blocks of a square: for each item of dimension 1, each of dimension 0.
    fn blocks_2d(&self, square: Expr) -> Expr {
        let rows = Expr::map_with("row", square, |row| self.blocks(row));
        Expr::map_with("rows", self.blocks(rows), Expr::transpose)
    }

    /// The way back.
    fn unblocked_2d(&self, blocks: Expr) -> Expr {
        let rows = Expr::map_with("items", blocks, |items| {
            Expr::map_with("row", Expr::transpose(items), |row| self.unblocked(row))
        });
        self.unblocked(rows)
    }

    /// The operand of every group.
    fn operand(&self, rows: &Expr, count: &ArithExpr, facts: &Facts) -> (Operand, Expr) {
        let square = ArithExpr::cst(self.square());
        let missing = facts.simplify(&(count.div_ceil(&square) * &square - count));
        let padded = |xs: Expr| match facts.eq(&missing, &ArithExpr::zero()).is_yes() {
            true => xs,
            false => Expr::pad(ArithExpr::zero(), missing.clone(), Boundary::Clamp, xs),
        };
        match as_layout(rows, Prim::Transpose) {
            Some(turned) => {
                let cut =
                    Expr::map_with("row", turned.clone(), |row| Expr::split(square.clone(), padded(row)));
                (Operand::Turned, Expr::transpose(cut))
            }
            None => (Operand::Rows, Expr::split(square.clone(), padded(rows.clone()))),
        }
    }

    /// What a pair adds to an accumulator.
    fn added(&self, acc: &Expr, row: &Expr, column: &Expr) -> Expr {
        let (a, b) = if self.rows_first { (row, column) } else { (column, row) };
        let pair = Expr::tuple(vec![a.clone(), b.clone()]);
        let product = fresh(&self.g).apply(&[pair]);
        let f = fresh(&self.f);
        let [sum, x] = f.params.as_slice() else { bug!("a reduction with {} operands", f.params.len()) };
        let body = replace(&f.body, sum.id, acc);
        match occurrences(&body, x.id).at_most_once() {
            true => replace(&body, x.id, &product),
            false => Expr::let_(x.clone(), product, body),
        }
    }

    /// One more row and column for an item's block.
    fn step(&self, acc: Expr, row: Expr, column: Expr) -> Expr {
        kept("a", row, |row| {
            kept("b", column, |column| {
                with(Prim::MapSeqUnroll, None, "row", zip(acc, row), |pair| {
                    let (acc, x) = (Expr::field(pair.clone(), 0), Expr::field(pair, 1));
                    with(Prim::MapSeqUnroll, None, "element", zip(acc, column), |pair| {
                        self.added(&Expr::field(pair.clone(), 0), &x, &Expr::field(pair, 1))
                    })
                })
            })
        })
    }

    /// A step for all items of the group: `acc`, with the blocks of rows and columns that each of them reads.
    fn shared(&self, acc: Expr, rows: Expr, columns: &Expr, each: &dyn Fn(Expr, Expr, Expr) -> Expr) -> Expr {
        with(Prim::MapLocal, Some(1), "items", zip(acc, rows), |items| {
            let (acc, row) = (Expr::field(items.clone(), 0), Expr::field(items, 1));
            with(Prim::MapLocal, Some(0), "item", zip(acc, columns.clone()), |item| {
                each(Expr::field(item.clone(), 0), row, Expr::field(item, 1))
            })
        })
    }

    /// All results of a group, as blocks: first in whole steps, then what is left.
    fn reduced(&self, rows: (Operand, Expr), columns: (Operand, Expr)) -> Expr {
        let acc = (0..2).fold(self.z.clone(), |row, _| repeat(self.block(), row));
        let acc = (0..2).fold(acc, |items, _| repeat(ITEMS, items));
        let tiles = zip(rows.0.tiles(self, rows.1.clone()), columns.0.tiles(self, columns.1.clone()));
        let whole = fold("tiles", acc, tiles, Prim::ReduceSeq, |acc, tiles| {
            let copied = [
                rows.0.copied(self, Expr::field(tiles.clone(), 0)),
                columns.0.copied(self, Expr::field(tiles, 1)),
            ];
            let names = ["rows", "columns"];
            let params = [0, 1].map(|i| Param::new(names[i], copied[i].ty().clone()));
            let [rows, columns] = [0, 1].map(|i| {
                let each = Expr::map_with("row", Expr::param(&params[i]), |row| self.blocks(row));
                Expr::transpose(each)
            });
            let added = self.shared(acc, rows, &columns, &|acc, rows, columns| {
                fold("pair", acc, zip(rows, columns), Prim::ReduceSeq, |acc, pair| {
                    self.step(acc, Expr::field(pair.clone(), 0), Expr::field(pair, 1))
                })
            });
            // All of the group copy together, before any of them reads.
            let [first, second] = params;
            let [row, column] = copied;
            Expr::let_(first, row, Expr::let_(second, column, added))
        });
        let rest = zip(rows.0.rest(self, rows.1.refresh()), columns.0.rest(self, columns.1.refresh()));
        fold("rest", whole, rest, Prim::ReduceSeq, |acc, rest| {
            let row = self.blocks(Expr::field(rest.clone(), 0));
            let column = self.blocks(Expr::field(rest, 1));
            self.shared(acc, row, &column, &|acc, row, column| self.step(acc, row, column))
        })
    }

    /// What becomes of the reductions, each with what is read beside it.
    fn finished(&self, reduced: Expr, beside: Option<Expr>) -> Expr {
        let all = match beside {
            Some(beside) => nd::zip_nd(2, vec![reduced, self.blocks_2d(beside)]),
            None => reduced,
        };
        let count = self.beside.len();
        let of_one = |e: Expr| {
            let args = match count {
                0 => vec![e],
                1 => vec![Expr::field(e.clone(), 0), Expr::field(e, 1)],
                _ => {
                    let beside = Expr::field(e.clone(), 1);
                    let fields = (0..count).map(|i| Expr::field(beside.clone(), i));
                    std::iter::once(Expr::field(e.clone(), 0)).chain(fields).collect()
                }
            };
            self.h.apply(&args)
        };
        let pair = |e: Expr| match count {
            0 => e,
            _ => zip(Expr::field(e.clone(), 0), Expr::field(e, 1)),
        };
        with(Prim::MapLocal, Some(1), "items", all, |items| {
            with(Prim::MapLocal, Some(0), "item", items, |item| {
                with(Prim::MapSeqUnroll, None, "row", pair(item), |row| {
                    with(Prim::MapSeqUnroll, None, "element", pair(row), of_one)
                })
            })
        })
    }

    /// The squares of what is read beside the reductions.
    fn beside_squares(&self, facts: &Facts) -> Option<Expr> {
        let all = match self.beside.as_slice() {
            [] => return None,
            [one] => one.clone(),
            several => nd::zip_nd(2, several.to_vec()),
        };
        let square = ArithExpr::cst(self.square());
        let amounts = self.counts.iter().map(|n| {
            let missing = facts.simplify(&(n.div_ceil(&square) * &square - n));
            (ArithExpr::zero(), missing)
        });
        let all = nd::pad_nd(&amounts.collect::<Vec<_>>(), &Boundary::Clamp, all);
        let rows = Expr::split(square.clone(), all);
        Some(Expr::map_with("rows", rows, |rows| {
            let cut = Expr::map_with("row", rows, |row| Expr::split(square, row));
            Expr::transpose(cut)
        }))
    }
}

/// How the rows of an operand lie in memory: as they are, or as columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    Rows,
    Turned,
}

impl Operand {
    /// The whole steps of a group's operand.
    fn tiles(self, product: &Product, rows: Expr) -> Expr {
        let whole = product.whole();
        match self {
            Operand::Turned => Expr::split(STEP.into(), Expr::take(whole, rows)),
            Operand::Rows => Expr::transpose(Expr::map_with("row", rows, |row| {
                Expr::split(STEP.into(), Expr::take(whole, row))
            })),
        }
    }

    /// What is left of it.
    fn rest(self, product: &Product, rows: Expr) -> Expr {
        let rest = |xs| Expr::prim(Prim::Drop, vec![Arg::Size(product.whole()), Arg::Data(xs)]);
        match self {
            Operand::Turned => rest(rows),
            Operand::Rows => Expr::transpose(Expr::map_with("row", rows, rest)),
        }
    }

    /// A step in local memory, by vectors of which every item copies some; for each element of the step, what the rows
    /// have there. Turned rows have room for another vector, so that what is stored together lies in different banks.
    fn copied(self, product: &Product, tile: Expr) -> Expr {
        let vector = ArithExpr::cst(product.vector);
        let cut = Expr::map_with("row", tile, |row| Expr::split(vector.clone(), row));
        let by_items = Expr::split(ITEMS.into(), Expr::join(cut));
        let copied = with(Prim::MapLocal, Some(1), "vectors", by_items, |vectors| {
            with(Prim::MapLocal, Some(0), "vector", vectors, |vector| {
                let own = Expr::prim(Prim::ToPrivate, vec![Arg::Data(vector)]);
                with(Prim::MapSeqUnroll, None, "x", own, |x| x)
            })
        });
        let row = match self {
            Operand::Rows => STEP,
            Operand::Turned => product.square(),
        };
        let rows = Expr::split(ArithExpr::cst(row / product.vector), Expr::join(copied));
        let rows = Expr::map_with("row", rows, Expr::join);
        let local = |xs| Expr::prim(Prim::ToLocal, vec![Arg::Data(xs)]);
        match self {
            Operand::Turned => local(rows),
            Operand::Rows => Expr::prim(
                Prim::Increase2d,
                vec![
                    Arg::Size(0.into()),
                    Arg::Size(0.into()),
                    Arg::Size(0.into()),
                    Arg::Size(vector),
                    Arg::Data(local(Expr::transpose(rows))),
                ],
            ),
        }
    }
}

/// Blocks in registers that share rows and columns in local memory.
pub static BLOCK_PRODUCT: Rule = Rule {
    name: "block_product",
    law: "map(|x| map(|y| h(reduce(f, z, map(g, zip(x, y)))), ys), xs) = take^2 . join^2 . map_workgroup^2(|(xs, ys)| \
          map_local^2(h) . reduce_seq(|acc, (x, y)| map_local^2(f(acc, g(x, y))), acc) . zip(rest(xs), rest(ys))) . split^2 . \
          pad^2(clamp), for acc = reduce_seq(|acc, (x, y)| reduce_seq(|acc, (x, y)| map_local^2(f(acc, g(x, y))), acc) . \
          zip(to_local(x), to_local(y)), z) . zip(steps(xs), steps(ys))",
    apply: |e, facts| {
        let product = Product::find(e)?;
        let square = product.square();
        let (kind, rows) = product.operand(&product.rows, &product.counts[0], facts);
        let (other, columns) = product.operand(&product.columns, &product.counts[1], facts);
        let group = |rows: Expr, columns: Expr, beside: Option<Expr>| {
            let reduced = product.reduced((kind, rows), (other, columns));
            product.unblocked_2d(product.finished(reduced, beside))
        };
        let squares = match product.beside_squares(facts) {
            Some(beside) => with(Prim::MapWorkgroup, Some(1), "rows", zip(rows, beside), |t| {
                let (rows, beside) = (Expr::field(t.clone(), 0), Expr::field(t, 1));
                with(Prim::MapWorkgroup, Some(0), "columns", zip(columns, beside), |t| {
                    group(rows, Expr::field(t.clone(), 0), Some(Expr::field(t, 1)))
                })
            }),
            None => with(Prim::MapWorkgroup, Some(1), "rows", rows, |rows| {
                with(Prim::MapWorkgroup, Some(0), "columns", columns, |columns| group(rows, columns, None))
            }),
        };
        let cuts = |n: &ArithExpr| facts.multiple_of(n, &square.into()).is_yes();
        let joined = nd::join_nd(2, squares);
        Some(match product.counts.iter().all(cuts) {
            true => joined,
            false => nd::take_nd(&product.counts, joined),
        })
    },
};

/// The only reduction in an expression that is not in a function, if there is one.
fn reduction(e: &Expr) -> Option<&Expr> {
    fn all<'a>(e: &'a Expr, found: &mut Vec<&'a Expr>) {
        match e.as_prim() {
            Some((Prim::Reduce, _)) => found.push(e),
            Some(_) => {}
            None => e.children().into_iter().for_each(|x| all(x, found)),
        }
    }
    let mut found = Vec::new();
    all(e, &mut found);
    match found.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

/// The elements that a function of `x` and `y` reads beside a reduction.
struct Beside<'a> {
    x: &'a Param,
    y: &'a Param,
    reduction: &'a Expr,
    read: Vec<(Param, Expr)>,
    /// Whether it needs nothing else of them.
    apart: bool,
}

impl Beside<'_> {
    /// Whether this is an element of `x` or `y` at an index that does not depend on them.
    fn is_access(&self, e: &Expr) -> bool {
        match (e.kind(), e.as_prim()) {
            (Kind::Param(_), _) => true,
            (Kind::Field(x, _), _) => self.is_access(x),
            (_, Some((Prim::At, [Arg::Data(i), Arg::Data(xs)]))) => {
                let own = [self.x, self.y].into_iter().any(|p| occurrences(i, p.id).count > 0);
                !own && self.is_access(xs)
            }
            _ => false,
        }
    }

    /// The function, with `acc` for the reduction, and variables for what is read.
    fn outside(&mut self, e: &Expr, acc: &Expr) -> Expr {
        if e.is_same(self.reduction) {
            return acc.clone();
        }
        let own = [self.x, self.y].into_iter().any(|p| occurrences(e, p.id).count > 0);
        if !own {
            return e.clone();
        }
        if (is_view(e) || self.is_access(e)) && e.ty().as_scalar().is_some() {
            if let Some((param, _)) = self.read.iter().find(|(_, read)| read == e) {
                return Expr::param(param);
            }
            let param = Param::new("c", e.ty().clone());
            self.read.push((param.clone(), e.clone()));
            return Expr::param(&param);
        }
        if matches!(e.kind(), Kind::Param(_) | Kind::Prim(..) | Kind::Field(..)) {
            self.apart = false;
            return e.clone();
        }
        e.map_children(&mut |x| self.outside(x, acc))
    }
}

/// `map(|x| of(x), xs)`, without the detour where `x` is one of a `zip`.
fn part(x: &Param, of: &Expr, xs: &Expr) -> Expr {
    short(Expr::map(Lambda { params: vec![x.clone()], body: of.clone() }, xs.clone()))
}

fn short(e: Expr) -> Expr {
    let itself = as_map(&e).filter(|(f, _)| is_parameter(&f.body, f)).map(|(_, xs)| xs.clone());
    itself.or_else(|| (ZIP_PART.apply)(&e, &Facts::new())).unwrap_or(e)
}

fn half(product: &Product) -> ArithExpr {
    ArithExpr::cst(ITEMS * product.vector)
}

fn zip(a: Expr, b: Expr) -> Expr {
    Expr::prim(Prim::Zip, vec![Arg::Data(a), Arg::Data(b)])
}

/// `n` times the same.
fn repeat(n: i64, x: Expr) -> Expr {
    let index = Type::from(Scalar::Usize);
    let f = Lambda::unary("i", index, |_| x.refresh());
    Expr::prim(Prim::Array, vec![Arg::Size(n.into()), Arg::Fun(f)])
}

/// A map with a place.
fn with(prim: Prim, dim: Option<i64>, name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    let Some((element, _)) = xs.ty().as_array() else { bug!("map over {}", xs.ty()) };
    let f = Lambda::unary(name, element.clone(), body);
    let dim = dim.map(|d| Arg::Size(d.into()));
    Expr::prim(prim, dim.into_iter().chain([Arg::Fun(f), Arg::Data(xs)]).collect())
}

/// A loop with an accumulator.
fn fold(name: &str, acc: Expr, xs: Expr, prim: Prim, body: impl FnOnce(Expr, Expr) -> Expr) -> Expr {
    let Some((element, _)) = xs.ty().as_array() else { bug!("fold over {}", xs.ty()) };
    let params = vec![Param::new("acc", acc.ty().clone()), Param::new(name, element.clone())];
    let body = body(Expr::param(&params[0]), Expr::param(&params[1]));
    Expr::prim(prim, vec![Arg::Fun(Lambda { params, body }), Arg::Data(acc), Arg::Data(xs)])
}

/// `{ let name = to_private(xs); body }`
fn kept(name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    let own = Expr::prim(Prim::ToPrivate, vec![Arg::Data(xs)]);
    let param = Param::new(name, own.ty().clone());
    let body = body(Expr::param(&param));
    Expr::let_(param, own, body)
}
